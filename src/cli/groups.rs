//! Commands that only group others: `solve`, `serve`, `connect` and `dev`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::{chances, exploit, fair, kgp, outcomes, perft, serve, solve};
use crate::paths::Paths;

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Solve {
    /// The exact margin and best play of a position of Kalah
    Position(solve::SolveArgs),
    /// The fair openings of Kalah: starts with a few seeds in other pits whose value is a draw
    Fair(fair::FairArgs),
    /// The greatest scores that are possible against a player of Kalah
    Exploit(exploit::ExploitArgs),
}

pub(super) fn solve(group: &Solve, paths: &Paths) -> Result<ExitCode> {
    match group {
        Solve::Position(args) => solve::run(args, paths),
        Solve::Fair(args) => fair::run(args),
        Solve::Exploit(args) => exploit::run(args),
    }
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Serve {
    /// A lobby over SSH, where people play each other and watch
    Ssh(Box<serve::ServeArgs>),
    /// A tournament by the Kalah Game Protocol for the agents of others: everyone plays everyone from both sides
    Kgp(kgp::serve::ServeArgs),
}

pub(super) fn serve(group: &Serve, paths: &Paths) -> Result<ExitCode> {
    match group {
        Serve::Ssh(args) => serve::run(args, paths),
        Serve::Kgp(args) => kgp::serve::run(args),
    }
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Connect {
    /// Play as an agent on a server of the Kalah Game Protocol
    Kgp(kgp::connect::ConnectArgs),
}

pub(super) fn connect(group: &Connect) -> Result<ExitCode> {
    match group {
        Connect::Kgp(args) => kgp::connect::run(args),
    }
}

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Dev {
    /// Count the move sequences of each length from a position
    Perft(perft::PerftArgs),
    /// Fit the win-probability curve from self-play
    Chances(chances::ChancesArgs),
    /// Write the outcomes of checkers that come with the program, from an endgame table
    Outcomes(outcomes::OutcomesArgs),
}

pub(super) fn dev(group: &Dev, paths: &Paths) -> Result<ExitCode> {
    match group {
        Dev::Perft(args) => perft::run(args),
        Dev::Chances(args) => chances::run(args, paths),
        Dev::Outcomes(args) => outcomes::run(args),
    }
}
