//! Plans that a command names, and their units in words.

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
pub fn open(named: &Path, paths: &Paths) -> Result<(Plan, Runs)> {
    let folder = index::find_plan(paths.runs().as_deref(), named)?;
    let plan = Plan::open(&folder)?;
    let work = Runs::read_checked(&plan)?;
    Ok((plan, work))
}
