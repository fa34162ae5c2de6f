//! `mancalab submit`: has the units of a plan computed.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::paths::Paths;

#[derive(Args, Debug)]
pub struct SubmitArgs {
    /// The plan's folder, or its name among the runs
    pub plan: PathBuf,
}

pub fn run(_args: &SubmitArgs, _paths: &Paths) -> Result<ExitCode> {
    anyhow::bail!("nothing yet")
}
