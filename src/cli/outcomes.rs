//! `mancalab dev outcomes`: the outcomes of checkers that come with the program, from an endgame table.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use mancalab_base::Error;

use super::out;
use crate::files::write_atomic;
use crate::sanitize;
use crate::tables::endgame::checkers::Tables;
use crate::tables::endgame::outcomes;

#[derive(Args, Debug)]
pub struct OutcomesArgs {
    /// File to write; in the sources crates/tables/data/checkers.outcomes
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn run(args: &OutcomesArgs) -> Result<ExitCode> {
    let build = format!("mancalab tables build checkers --pieces {}", outcomes::PIECES);
    let table = Tables::open().ok_or_else(|| anyhow!("there is no endgame table of checkers; make one: {build}"))?;
    let bytes = outcomes::file(&table)?;
    write_atomic(&args.file, &bytes).map_err(Error::cannot("write", &args.file))?;
    out::line(&format!("{}: {} bytes", sanitize::path(&args.file), bytes.len()));
    Ok(ExitCode::SUCCESS)
}
