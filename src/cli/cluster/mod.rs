//! `mancalab plan`, `unit`, `submit` and `merge`: runs on several machines, without a screen.

pub mod merge;
pub mod plan;
pub mod submit;
pub mod unit;

use std::path::Path;

use anyhow::Result;

use crate::cluster::index;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::paths::Paths;

/// Opens a plan by folder, name or unique start of the name.
///
/// # Errors
/// There is no such plan, or it cannot be read.
fn open(named: &Path, paths: &Paths) -> Result<(Plan, Runs)> {
    let folder = index::find_plan(paths.runs().as_deref(), named)?;
    let plan = Plan::open(&folder)?;
    let work = Runs::read_checked(&plan)?;
    Ok((plan, work))
}

/// `1 unit`, `12 units`
fn units(count: u64) -> String {
    format!("{count} unit{}", if count == 1 { "" } else { "s" })
}
