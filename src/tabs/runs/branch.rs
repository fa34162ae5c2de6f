//! Forks of the selected run, and tags and notes of runs and plans.

use mancalab_base::{Error, bail};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::asks::Enter;
use super::{Answer, Runs};
use crate::app::effect::{Context, Tone};
use crate::job::fork::Fork;
use crate::job::run_dir::{Notes, free_folder};
use crate::kinds;
use crate::pool::Pool;

/// How long generations before a fork are computed again; the command line has no limit, and shows how far it is.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where a run is forked, and what changes.
struct ForkRequest {
    folder: PathBuf,
    /// The last generation in common.
    generation: u64,
    /// Texts such as `mutation=5`.
    changes: Vec<String>,
}

/// Parses a generation and changes, such as `500 mutation=5 seed=2`.
///
/// # Errors
/// What is missing.
fn request(folder: PathBuf, text: &str) -> Result<ForkRequest, Error> {
    let mut words = text.split_whitespace();
    let generation = words.next().unwrap_or_default();
    let Ok(generation) = generation.parse() else {
        bail!("begin with the last generation in common, a whole number (got '{generation}')");
    };
    let changes: Vec<String> = words.map(str::to_owned).collect();
    if changes.is_empty() || !changes.iter().all(|change| change.contains('=')) {
        bail!("add what changes, such as seed=2 or mutation=5");
    }
    Ok(ForkRequest { folder, generation, changes })
}

/// Writes a fork into a new folder beside the run's, which it returns. For background tasks.
///
/// # Errors
/// Those of [`Fork`]; or it takes too long.
fn fork(ForkRequest { folder, generation, changes }: &ForkRequest, pool: &Pool) -> Result<PathBuf, Error> {
    let fork = Fork::new(folder, Some(*generation), kinds::forms())?;
    let mut settings = fork.settings().boxed();
    changes.iter().try_for_each(|change| settings.set_text(change))?;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let into = free_folder(folder.parent().unwrap_or(Path::new("")), &format!("{name}-from{generation}"));
    let deadline = Instant::now() + PATIENCE;
    if !fork.write(&*settings, &into, pool, |_, _| Instant::now() < deadline)? {
        bail!(
            "the generations up to {generation} take long to compute again: use mancalab runs fork, or a generation with a checkpoint"
        );
    }
    Ok(into)
}

impl Runs {
    pub(super) fn ask_fork(&mut self, cx: &mut Context) {
        let Some(run) = self.home.chosen_run() else {
            return cx.notice(Tone::Info, "Only runs can be forked: select one");
        };
        let folder = run.folder.clone();
        let at = run.generation.unwrap_or(0) / 2;
        let about = format!(
            "A new run that begins with the first generations of {} and goes on with other settings: the last generation in common, and \
             what changes.",
            run.name
        );
        let pool = cx.pool.clone();
        let seed = run.manifest.as_ref().map_or(1, |manifest| manifest.seed) + 1;
        cx.open(Enter::writing("Fork a run", "at, changes", about, format!("{at} seed={seed}"), move |text| {
            let fork = fork(&request(folder.clone(), text)?, &pool)?;
            Ok(Answer::Changed { message: Ok("Forked: Enter resumes it".to_owned()), choose: Some(fork) })
        }));
    }

    pub(super) fn ask_tags(&mut self, cx: &mut Context) {
        let Some(kept) = self.home.chosen_kept() else {
            return cx.notice(Tone::Info, "Only runs and plans have tags: select one");
        };
        let folder = kept.folder().to_owned();
        let tags = kept.tags().join(" ");
        let about = "Words with blanks between them, of letters, digits, '-', '_' and '.'. The filter tag:WORD lists what has one.";
        cx.open(Enter::writing("Tags", "tags", about, tags, move |text| {
            let mut asked = Notes::default();
            text.split_whitespace().try_for_each(|tag| asked.add(tag))?;
            changed_notes(&folder, "Tags saved", |notes| notes.tags = asked.tags)
        }));
    }

    pub(super) fn ask_note(&mut self, cx: &mut Context) {
        let Some(kept) = self.home.chosen_kept() else {
            return cx.notice(Tone::Info, "Only runs and plans have a note: select one");
        };
        let folder = kept.folder().to_owned();
        let note = kept.notes().note.clone();
        let about = "What you want to remember of it. It is shown beside its settings, and in reports.";
        cx.open(Enter::writing("Note", "note", about, note, move |text| {
            changed_notes(&folder, "Note saved", |notes| notes.note = text.to_owned())
        }));
    }
}

/// Changes what a person says about a run or plan.
///
/// # Errors
/// The notes cannot be read or written; the dialog stays with what was typed.
fn changed_notes(folder: &Path, done: &str, change: impl FnOnce(&mut Notes)) -> Result<Answer, Error> {
    let mut notes = Notes::read(folder)?;
    change(&mut notes);
    notes.write(folder)?;
    Ok(Answer::Changed { message: Ok(done.to_owned()), choose: Some(folder.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_names_a_generation_and_what_changes() {
        let read = |text: &str| request(PathBuf::new(), text).map_err(|error| error.to_string());
        let fork = read(" 30  mutation=5 seed=2 ").unwrap();
        assert_eq!((fork.generation, fork.changes), (30, vec!["mutation=5".to_owned(), "seed=2".to_owned()]));
        assert!(read("x seed=2").err().unwrap().contains("(got 'x')"));
        assert!(read("30").err().unwrap().contains("add what changes"));
        assert!(read("30 seed").err().unwrap().contains("add what changes"));
    }
}
