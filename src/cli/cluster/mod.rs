//! `mancalab plan`: runs on several machines, without a screen.

pub mod merge;
pub mod new;
pub mod submit;
pub mod unit;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::sweep;
use crate::cluster::index;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::paths::Paths;

pub(super) use unit::INDICES;

#[cfg(test)]
pub(super) use unit::MISSING;

#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum PlanCommand {
    /// Split runs or a tournament into units for many processes or machines
    #[command(subcommand)]
    New(new::NewPlan),
    /// Compute a plan's units here, by HyperQueue or by Slurm
    Submit(submit::SubmitArgs),
    /// Compute one unit of a plan (engines call this)
    Unit(unit::UnitArgs),
    /// Merge a plan's results into ordinary runs
    Merge(merge::MergeArgs),
    /// Random search over settings, with successive halving
    #[command(subcommand)]
    Sweep(sweep::SweepCommand),
}

pub fn run(command: &PlanCommand, paths: &Paths) -> Result<ExitCode> {
    match command {
        PlanCommand::New(args) => new::run(args, paths),
        PlanCommand::Submit(args) => submit::run(args, paths),
        PlanCommand::Unit(args) => unit::run(args, paths),
        PlanCommand::Merge(args) => merge::run(args, paths),
        PlanCommand::Sweep(args) => sweep::run(args, paths),
    }
}

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
