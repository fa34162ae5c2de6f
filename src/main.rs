//! The binary: parses arguments before the terminal is touched, dispatches, and turns errors into an exit code.

use std::process::ExitCode;

use clap::Parser;
use mancalab::cli::{self, Cli};

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("mancalab: {error:#}");
            ExitCode::from(2)
        }
    }
}
