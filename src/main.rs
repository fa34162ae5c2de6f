//! The binary: parses arguments before the terminal is touched, dispatches, and turns errors into an exit code.

use std::process::ExitCode;

use clap::Parser;
use mancalab::cli::{self, Cli};

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            let text = format!("{error:#}");
            // A report on a file is a whole text of its own.
            if text.starts_with("error") {
                eprintln!("{text}")
            } else {
                eprintln!("mancalab: {text}")
            }
            ExitCode::from(2)
        }
    }
}
