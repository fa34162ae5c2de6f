//! `mancalab hello`: a greeting.

use std::process::ExitCode;

use super::out;

pub fn run() -> ExitCode {
    out::line("hello");
    ExitCode::SUCCESS
}
