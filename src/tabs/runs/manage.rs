//! Management of the runs in the list: extend, rename, delete, fork, tag, filter, export, and the notice that a run exists already.
//!
//! A dialog answers with a [`RunAction`]. Background tasks change the files, then report the result and refresh the list.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mancalab_base::{Error, bail};

use super::asks::{Ask, Enter};
use super::current::{Current, Source};
use super::{Answer, Page, Runs};
use crate::app::tab::{Context, Tone};
use crate::cluster::index as plans;
use crate::cluster::index::PlanState;
use crate::files::save_new;
use crate::job::fork::Fork;
use crate::job::run_dir::{Entry, EntryState, Notes, free_folder, index};
use crate::job::{RunReader, RunSettings, export};
use crate::kept::{RunOrPlan, word_of};
use crate::kinds::{self, Kind};
use crate::pool::Pool;
use crate::{faults, sanitize};

/// The answer of a dialog about runs.
pub(super) enum RunAction {
    Filter(String),
    Delete(Vec<PathBuf>),
    Rename(PathBuf, String),
    /// Extend the run to this generation, counted as in the files.
    Extend(PathBuf, u64),
    /// Open the existing run.
    Open(PathBuf),
    /// Start another run anyway.
    Another(Box<dyn RunSettings>),
}

/// How long to wait for a stopped run to write its checkpoint before its folder is changed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until this process no longer writes a run. For background tasks.
///
/// # Errors
/// This process still writes it, or another one does; the message names it.
fn wait_until_free(folder: &Path) -> Result<(), Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let run = RunReader::open(folder)?;
        match run.writer() {
            None => return Ok(()),
            Some(writer) if run.other_writer().is_some() || Instant::now() > deadline => {
                bail!("{} is being written by {writer}", sanitize::path(folder));
            }
            Some(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Deletes a run or a plan. For background tasks.
///
/// # Errors
/// It is being written or computed, or cannot be deleted.
fn delete(folder: &Path) -> Result<index::RemainingFiles, Error> {
    if plans::is_plan(folder) {
        return plans::delete(folder);
    }
    wait_until_free(folder).or(Ok(())).and_then(|()| index::delete(folder))
}

/// Writes the rows of runs to a new file.
///
/// # Errors
/// The file exists or cannot be written, or a run cannot be read or has other columns than the first.
fn export_to(path: &Path, folders: &[PathBuf]) -> Result<(), Error> {
    let mut text = String::new();
    export::csv(folders, |line| text.push_str(line))?;
    save_new(path, text.as_bytes()).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{} already exists: choose another name", sanitize::path(path)).into(),
        _ => Error::cannot("write", path)(error),
    })
}

impl Runs {
    pub(super) fn ask_filter(&mut self, cx: &mut Context) {
        let about = "List only runs with all of these words in their name, preset or state (running, paused, finished, \
                     damaged). The word plan matches plans. Leave empty to list all.";
        cx.open(Enter::new("Filter runs", "words", about, self.home.filter.clone(), |text| {
            Ok(RunAction::Filter(text.to_owned()))
        }));
    }

    /// Returns whether another process writes one of these runs or computes one of these plans, as far as the list knows; a notice names it.
    fn refuses_busy(targets: &[&RunOrPlan], cx: &mut Context) -> bool {
        let busy = targets.iter().find_map(|kept| match kept {
            RunOrPlan::Run(run) => {
                run.other_writer().map(|writer| format!("{} is being written by {writer}", run.name))
            }
            RunOrPlan::Plan(plan) => {
                (plan.state == PlanState::Running).then(|| format!("{} is being computed: stop that first", plan.name))
            }
        });
        let is_busy = busy.is_some();
        busy.into_iter().for_each(|text| cx.notice(Tone::Info, text));
        is_busy
    }

    pub(super) fn ask_rename(&mut self, cx: &mut Context) {
        let Some(kept) = self.home.chosen_kept() else { return };
        if Runs::refuses_busy(&[kept], cx) {
            return;
        }
        let folder = kept.folder().to_owned();
        let name = kept.name().to_owned();
        let (title, about) = match kept {
            RunOrPlan::Run(_) => ("Rename a run", "The name of the run's folder."),
            RunOrPlan::Plan(_) => ("Rename a plan", "The name of the plan's folder."),
        };
        cx.open(Enter::new(title, "name", about, name, move |text| {
            index::check_name(text)?;
            index::check_free(&folder, text)?;
            Ok(RunAction::Rename(folder.clone(), text.to_owned()))
        }));
    }

    pub(super) fn ask_export(&mut self, cx: &mut Context) {
        if self.refuses_plan("only runs can be exported", cx) {
            return;
        }
        let targets = self.home.targets();
        let Some(first) = targets.first() else { return };
        let about = "A CSV file with one row per generation, starting with the run's name and all settings. Existing files are \
                     not overwritten.";
        let folders: Vec<PathBuf> = targets.iter().map(|run| run.folder().to_owned()).collect();
        let path = format!("~/{}.csv", first.name());
        let paths = cx.paths.clone();
        cx.open(Enter::writing("Export runs", "file", about, path, move |text| {
            if text.is_empty() {
                bail!("enter the path of a file");
            }
            let path = paths.typed(text)?;
            export_to(&path, &folders)?;
            Ok(Answer::Changed { message: Ok(format!("Wrote {}", sanitize::path(&path))), choose: None })
        }));
    }

    pub(super) fn ask_extend(&mut self, cx: &mut Context) {
        let Some((run, manifest)) = self.home.chosen_run().and_then(|run| Some((run, run.manifest.as_ref()?))) else {
            return cx.notice(Tone::Bad, "Cannot extend this run: it cannot be read");
        };
        if self.home.chosen_kept().is_some_and(|kept| Runs::refuses_busy(&[kept], cx)) {
            return;
        }
        let Kind { first, unit, count, .. } = *self.tab.kind();
        let folder = run.folder.clone();
        let before = manifest.generations + first;
        let about = format!("{} ends at {unit} {before}. The result of extending it equals one longer run.", run.name);
        cx.open(Enter::new("Extend a run", count, about, (2 * before.max(1)).to_string(), move |text| {
            let count = text.parse::<u64>().ok().filter(|count| *count > before);
            let count = count.ok_or_else(|| format!("must be a whole number above {before} (got '{text}')"))?;
            Ok(RunAction::Extend(folder.clone(), count - first))
        }));
    }

    pub(super) fn ask_delete(&mut self, cx: &mut Context) {
        let targets = self.home.targets();
        let is_running =
            |run: &&&RunOrPlan| self.all().any(|current| current.folder == run.folder() && current.is_running());
        if let Some(run) = targets.iter().find(is_running) {
            let text = format!("{} is running here: save and stop it first", run.name());
            return cx.notice(Tone::Info, text);
        }
        if Runs::refuses_busy(&targets, cx) {
            return;
        }
        let name = |kept: &&RunOrPlan| {
            let plan = if kept.is_plan() { "plan, " } else { "" };
            format!("{}  ({plan}{})", kept.name(), kept.word())
        };
        let mut lines: Vec<String> = targets.iter().take(10).map(name).collect();
        lines.extend(targets.len().checked_sub(11).map(|more| format!("and {} more", more + 1)));
        let [whose, folder] = if targets.len() == 1 { ["its", "folder"] } else { ["their", "folders"] };
        lines.push(format!("with {whose} files; other files in the {folder} stay. This cannot be undone."));
        let folders = targets.iter().map(|kept| kept.folder().to_owned()).collect();
        let title = match &targets[..] {
            [RunOrPlan::Plan(_)] => "Delete this plan?",
            [RunOrPlan::Run(_)] => "Delete this run?",
            _ => "Delete all of these?",
        };
        let choices = vec![('y', "delete", Some(RunAction::Delete(folders))), ('n', "keep", None)];
        cx.open(Ask::new(title, lines, choices).usual(1));
    }

    /// Reports that a run with these settings exists, and asks what to do.
    pub(super) fn ask_twin(&mut self, twin: &Entry, settings: Box<dyn RunSettings>, cx: &mut Context) {
        let Kind { first, unit, .. } = *self.tab.kind();
        let at = twin.generation.map_or("-".to_owned(), |at| (at + first).to_string());
        let lines = vec![
            format!("{} has the same settings and seed,", twin.name),
            format!("so a new run would only repeat it. Its state: {}, {unit} {at}.", word_of(&twin.state)),
        ];
        let open = if matches!(twin.state, EntryState::Finished) { "show it" } else { "open it" };
        let choices = vec![
            ('o', open, Some(RunAction::Open(twin.folder.clone()))),
            ('n', "start another", Some(RunAction::Another(settings))),
            ('c', "cancel", None),
        ];
        cx.open(Ask::new("This run exists", lines, choices));
    }

    pub(super) fn carry_out(&mut self, action: RunAction, cx: &mut Context) {
        let only_looks = matches!(action, RunAction::Filter(_) | RunAction::Open(_));
        if !only_looks && !cx.permits("change runs") {
            return;
        }
        match action {
            RunAction::Filter(filter) => {
                self.home.set_filter(filter);
                self.look_closer(cx);
            }
            RunAction::Open(folder) => self.open(folder, cx),
            RunAction::Another(settings) => self.start(settings, true, cx),
            RunAction::Extend(folder, until) => {
                self.let_go(&folder, cx);
                let pool = cx.pool.clone();
                self.send(cx, move || {
                    wait_until_free(&folder)?;
                    let warning = faults::warning(&folder);
                    let (job, notes) = kinds::extend(&folder, until, &pool)?;
                    let manifest = RunReader::open(&folder)?.manifest().clone();
                    Ok(Answer::Running { folder, manifest, job: Box::new(job), notes, warning })
                });
            }
            RunAction::Rename(folder, name) => {
                self.let_go(&folder, cx);
                cx.wait_for(move || {
                    let is_plan = plans::is_plan(&folder);
                    let renamed = match is_plan {
                        true => plans::rename(&folder, &name),
                        false => wait_until_free(&folder).and_then(|()| index::rename(&folder, &name)),
                    };
                    let noun = if is_plan { "plan" } else { "run" };
                    let message = renamed.as_ref().map(|_| format!("Renamed the {noun} to {name}"));
                    let message = message.map_err(Clone::clone);
                    Answer::Changed { message, choose: renamed.ok() }
                });
            }
            RunAction::Delete(folders) => {
                folders.iter().for_each(|folder| self.let_go(folder, cx));
                cx.wait_for(move || {
                    let are_plans = folders.iter().filter(|folder| plans::is_plan(folder)).count();
                    let message = folders.iter().try_for_each(|folder| delete(folder).map(drop));
                    let message = message.map(|()| match (folders.len(), are_plans) {
                        (1, 0) => "Deleted the run".to_owned(),
                        (1, _) => "Deleted the plan".to_owned(),
                        (count, 0) => format!("Deleted {count} runs"),
                        (count, _) => format!("Deleted {count} runs and plans"),
                    });
                    Answer::Changed { message, choose: None }
                });
            }
        }
    }

    /// Closes a plan's page, or ends an open run after its checkpoint is written, so that its folder can be changed.
    fn let_go(&mut self, folder: &Path, cx: &mut Context) {
        let is_it = |current: &Current| current.folder == folder;
        let front = self.current.take_if(|current| is_it(current));
        let plan = self.plan.take_if(|plan| plan.folder == folder);
        if front.is_some() && self.page == Page::Run || plan.is_some() && self.page == Page::Plan {
            self.page = Page::List;
        }
        let behind = self.others.extract_if(.., |other| is_it(other));
        for current in front.into_iter().chain(behind) {
            if let Source::Here { job, .. } = current.source {
                cx.stop(job);
            }
        }
    }
}

/// How long generations before a fork are computed again; the command line has no limit, and shows how far it is.
const FORK_PATIENCE: Duration = Duration::from_secs(20);

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
    let deadline = Instant::now() + FORK_PATIENCE;
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
            let mut typed = Notes::default();
            text.split_whitespace().try_for_each(|tag| typed.add(tag))?;
            changed_notes(&folder, "Tags saved", |notes| notes.tags = typed.tags)
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
