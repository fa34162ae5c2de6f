//! Commands that only group others: `solve`, `serve`, `connect` and `dev`.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::{chances, exploit, fair, kgp, perft, serve, solve};
use crate::paths::Paths;

#[derive(Args, Debug)]
pub(crate) struct Solve {
    #[command(subcommand)]
    what: Solved,
}

#[derive(Subcommand, Debug)]
enum Solved {
    /// The exact margin and best play of a position of Kalah
    Position(solve::SolveArgs),
    /// The fair openings of Kalah: starts with a few seeds in other pits whose value is a draw
    Fair(fair::FairArgs),
    /// The greatest scores that are possible against a player of Kalah
    Exploit(exploit::ExploitArgs),
}

pub(super) fn solve(group: &Solve, paths: &Paths) -> Result<ExitCode> {
    match &group.what {
        Solved::Position(args) => solve::run(args, paths),
        Solved::Fair(args) => fair::run(args),
        Solved::Exploit(args) => exploit::run(args),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(subcommand)]
    what: Served,
}

#[derive(Subcommand, Debug)]
enum Served {
    /// A lobby over SSH, where people play each other and watch
    Ssh(Box<serve::ServeArgs>),
    /// A tournament by the Kalah Game Protocol for the agents of others: everyone plays everyone from both sides
    Kgp(kgp::serve::ServeArgs),
}

pub(super) fn serve(group: &Serve, paths: &Paths) -> Result<ExitCode> {
    match &group.what {
        Served::Ssh(args) => serve::run(args, paths),
        Served::Kgp(args) => kgp::serve::run(args),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Connect {
    #[command(subcommand)]
    what: Connected,
}

#[derive(Subcommand, Debug)]
enum Connected {
    /// Play as an agent on a server of the Kalah Game Protocol
    Kgp(kgp::connect::ConnectArgs),
}

pub(super) fn connect(group: &Connect) -> Result<ExitCode> {
    match &group.what {
        Connected::Kgp(args) => kgp::connect::run(args),
    }
}

#[derive(Args, Debug)]
pub(crate) struct Dev {
    #[command(subcommand)]
    what: Developed,
}

#[derive(Subcommand, Debug)]
enum Developed {
    /// Count the move sequences of each length from a position
    Perft(perft::PerftArgs),
    /// Fit chances of winning to values, in games of equal players
    Chances(chances::ChancesArgs),
}

pub(super) fn dev(group: &Dev, paths: &Paths) -> Result<ExitCode> {
    match &group.what {
        Developed::Perft(args) => perft::run(args),
        Developed::Chances(args) => chances::run(args, paths),
    }
}
