//! `mancalab kgp`: the Kalah Game Protocol 1.0.1, in which a server sends boards and agents answer with moves.
//!
//! `wire` has the commands, `board` the boards, `link` the connections. `connect` is an agent, around a `session` that
//! works on lines; `serve` listens for the agents of others, and `server` holds a round robin of `games` between them, whose
//! results are in `table`.

mod board;
mod connect;
mod games;
mod link;
mod serve;
mod server;
mod session;
mod table;
#[cfg(test)]
mod tests;
mod wire;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct KgpArgs {
    #[command(subcommand)]
    command: KgpCommand,
}

#[derive(Subcommand, Debug)]
enum KgpCommand {
    /// Play as an agent on a server
    Connect(connect::ConnectArgs),
    /// Run a tournament for the agents of others: everyone plays everyone from both sides
    Serve(serve::ServeArgs),
}

/// The port of the protocol.
const PORT: u16 = 2671;

pub fn run(args: &KgpArgs) -> Result<ExitCode> {
    match &args.command {
        KgpCommand::Connect(args) => connect::run(args),
        KgpCommand::Serve(args) => serve::run(args),
    }
}
