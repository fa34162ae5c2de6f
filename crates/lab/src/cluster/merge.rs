//! Merges the results of a plan into ordinary runs, each in its own folder.
//!
//! A run is written beside its destination and then renamed. It replaces an existing folder only if that holds the same
//! run with no more rows, so that no later work is lost.

use mancalab_base::{Error, bail};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::layout::AttemptId;
use super::plan::Plan;
use super::result::Results;
use super::runs::{MergeResult, Runs};
use super::unit::clear_dead;
use crate::confined;
use crate::files;
use crate::job::run_dir::index;
use crate::job::{RunReader, run_dir};
use crate::pool::Pool;
use crate::sanitize;

/// Outcome of merging one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeOutcome {
    pub name: String,
    /// The run's folder; `None` if it has no rows yet.
    pub folder: Option<PathBuf>,
    pub merged: MergeResult,
}

/// Merges all runs into `out`. Unless `partial`, every needed unit must have a result; if `partial`, also returns the errors
/// of runs that could not be merged. Calls `report` with each run's number before merging it; the return value says whether
/// to continue.
///
/// # Errors
/// A unit is missing, a result does not belong to the plan, or a run's folder holds another or a longer run.
pub fn merge(
    plan: &Plan,
    work: &Runs,
    out: &Path,
    partial: bool,
    pool: &Pool,
    report: &mut dyn FnMut(usize) -> bool,
) -> Result<(Vec<MergeOutcome>, Vec<Error>), Error> {
    let results = Results::new(plan);
    if let Some(strange) = results.strange() {
        let last = work.units() - 1;
        bail!("{} is not a result of this plan, which has units 0 to {last}", sanitize::path(&strange));
    }
    clear(out);
    let mut puts = Vec::new();
    let mut errors = Vec::new();
    for run in 0..work.runs() {
        if !report(run) {
            break;
        }
        match one(work, run, &results, out, pool, partial) {
            Ok(put) => puts.push(put),
            // One damaged result does not keep the other runs from being merged.
            Err(error) if partial => errors.push(error),
            Err(error) => return Err(error),
        }
    }
    clear_dead(plan);
    match errors.first() {
        Some(error) if puts.is_empty() => Err(error.clone()),
        _ => Ok((puts, errors)),
    }
}

fn one(
    work: &Runs,
    run: usize,
    results: &Results<'_>,
    out: &Path,
    pool: &Pool,
    partial: bool,
) -> Result<MergeOutcome, Error> {
    let name = work.name(run);
    let folder = out.join(&name);
    let new = out.join(format!(".{}.{NEW}", AttemptId::own(run as u32).name()));
    let _ = confined::remove_tree(&new);
    let merged = work.merge(run, results, &new, pool).and_then(|merged| {
        if !partial && !merged.missing.is_empty() {
            return Err(missing(work, &merged.missing).into());
        }
        results.check_others(work.first(run)..work.first(run) + work.count(run))?;
        if merged.rows > 0 {
            put(&new, &folder)?;
        }
        Ok(merged)
    });
    if merged.is_err() {
        let _ = confined::remove_tree(&new);
    }
    let merged = merged.map_err(|reason| format!("{name}: {reason}"))?;
    Ok(MergeOutcome { folder: (merged.rows > 0).then_some(folder), name, merged })
}

/// The number and interval of the checks for a run that another merge is moving to its destination.
const LOOKS: u32 = 40;
const LOOK: Duration = Duration::from_millis(25);

/// Extensions of a run's folder while it is written, and of the older run while it is deleted.
const NEW: &str = "new";
const OLD: &str = "old";

/// Deletes unfinished folders of killed processes of this machine.
fn clear(out: &Path) {
    let maker = |name: &str| {
        let (maker, end) = name.strip_prefix('.')?.rsplit_once('.')?;
        AttemptId::parse(maker).filter(|_| [NEW, OLD].contains(&end))
    };
    for name in confined::names(out).unwrap_or_default() {
        let maker = name.to_str().and_then(maker);
        if maker.is_some_and(|maker| maker.is_alive_here() == Some(false)) {
            let _ = confined::remove_tree(&out.join(name));
        }
    }
}

/// Message for missing units, with the contents of the first three.
fn missing(work: &Runs, units: &[u32]) -> String {
    let first: Vec<String> = units.iter().take(3).map(|unit| format!("{unit} ({})", work.describe(*unit))).collect();
    let more = units.len().saturating_sub(first.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let noun = if units.len() == 1 { "unit has" } else { "units have" };
    format!(
        "{} {noun} no result yet: {}{more}; compute them, or merge the others with --partial",
        units.len(),
        first.join(", ")
    )
}

/// Moves a run to its destination. A concurrent merge may do the same: its result is as good.
fn put(new: &Path, folder: &Path) -> Result<(), Error> {
    match replace(new, folder) {
        Err(_) if is_there(new, folder) => {
            let _ = confined::remove_tree(new);
            Ok(())
        }
        replaced => replaced,
    }
}

/// Returns whether the same run with the same rows is at the destination, or is soon: the other merge deletes the older run, file by
/// file, just before it puts the new one there.
fn is_there(new: &Path, folder: &Path) -> bool {
    let is_same = |name: &str| {
        is_beginning(&folder.join(name), &new.join(name)) && is_beginning(&new.join(name), &folder.join(name))
    };
    (0..LOOKS).any(|look| {
        if look > 0 {
            std::thread::sleep(LOOK);
        }
        is_same(run_dir::RUN) && is_same(run_dir::ROWS)
    })
}

fn replace(new: &Path, folder: &Path) -> Result<(), Error> {
    if confined::resolve(folder).and_then(fs::symlink_metadata).is_ok() {
        may_go(new, folder)?;
        // Deleted under a name of its own: at its own place another merge may put its run at any moment.
        let old = new.with_extension(OLD);
        rename(folder, &old)?;
        if let Err(error) = delete(&old) {
            rename(&old, folder)?;
            return Err(error);
        }
    }
    rename(new, folder)
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let renamed = confined::resolve(from).and_then(|from| fs::rename(from, confined::resolve(to)?));
    renamed.map_err(Error::cannot("make", to))
}

/// Deletes a run, under its lock, so that no other process can be writing it.
fn delete(folder: &Path) -> Result<(), Error> {
    let left = index::delete(folder)?;
    if !left.is_empty() {
        bail!("{} also holds {}; move it elsewhere", sanitize::path(folder), left.join(", "));
    }
    Ok(())
}

/// Checks that the existing folder is an earlier state of the new run.
fn may_go(new: &Path, old: &Path) -> Result<(), Error> {
    let keep = |why: &str| {
        Err(format!("{} {why}; give it another name, or name another folder with --out", sanitize::path(old)).into())
    };
    let Ok(reader) = RunReader::open(old) else { return keep("exists and is not a run") };
    if let Some(writer) = reader.writer() {
        return keep(&format!("is being written by {writer}"));
    }
    let own = |name: &OsString| name.to_str().is_some_and(run_dir::is_own);
    if let Some(other) = confined::names(old).unwrap_or_default().into_iter().find(|name| !own(name)) {
        return keep(&format!("holds {}, which is not part of a run", sanitize::path(Path::new(&other))));
    }
    let of = |folder: &Path, name: &str| files::read(&folder.join(name), files::Kind::Document).unwrap_or_default();
    if of(old, run_dir::RUN) != of(new, run_dir::RUN) {
        return keep("is not the plan's run, or was extended");
    }
    if is_beginning(&old.join(run_dir::ROWS), &new.join(run_dir::ROWS)) {
        Ok(())
    } else {
        keep("has rows that the plan's run does not")
    }
}

/// Returns whether one file is a prefix of the other.
fn is_beginning(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (files::open(one), files::open(other)) else { return false };
    let mut one = BufReader::new(one);
    let mut other = BufReader::new(other);
    loop {
        let Ok(piece) = one.fill_buf() else { return false };
        if piece.is_empty() {
            return true;
        }
        let mut same = vec![0; piece.len()];
        let count = piece.len();
        if other.read_exact(&mut same).is_err() || same != piece {
            return false;
        }
        one.consume(count);
    }
}
