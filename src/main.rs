//! The binary: parses arguments before the terminal is touched, dispatches, and turns errors into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    mancalab::cli::main(std::env::args_os())
}
