//! What one does with the runs of the list: extend, rename, delete, filter, and be told that a run exists already.
//!
//! A dialog answers with a [`Wish`]; files are changed by errands, whose answer is told and brings the list up to date.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::asks::{Ask, Enter};
use super::current::{Current, Source};
use super::home::word_of;
use super::{Found, Kind, Runs, Settings};
use crate::app::effect::{Context, Tone};
use crate::document::Refusal;
use crate::files::write_atomic;
use crate::job::run_dir::{Entry, EntryState, shelf};
use crate::job::{RunJob, RunReader, export};
use crate::plain;

/// What a dialog about runs answers.
pub(super) enum Wish<K: Kind> {
    Filter(String),
    Delete(Vec<PathBuf>),
    Rename(PathBuf, String),
    /// Write the rows of these runs into this file.
    Export(Vec<PathBuf>, String),
    /// Go on until this generation, counted as the files do.
    Extend(PathBuf, u64),
    /// Open the run that exists already.
    Open(PathBuf),
    /// Start another all the same.
    Another(Box<Settings<K>>),
}

/// How long a run that was stopped may take to put its checkpoint away before it is done something with.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits until no process writes a run. For errands.
///
/// # Errors
/// One still does: which.
fn wait_until_free(folder: &Path) -> Result<(), Refusal> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match RunReader::open(folder)?.writer() {
            None => return Ok(()),
            Some(writer) if Instant::now() > deadline => {
                return Err(format!("{} is being written by {writer}", plain::path(folder)).into());
            }
            Some(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Writes the rows of runs into a new file.
///
/// # Errors
/// The file is there, or cannot be written; or a run cannot be read, or is not like the first.
fn export_to(path: &Path, folders: &[PathBuf]) -> Result<(), Refusal> {
    if path.exists() {
        return Err(format!("{} is there already; name another file", plain::path(path)).into());
    }
    let (mut head, mut text) = (None, String::new());
    folders.iter().try_for_each(|folder| export::csv(folder, &mut head, |line| text.push_str(line)))?;
    let fail = |error| format!("{} cannot be written: {why}", plain::path(path), why = plain::reason(&error));
    Ok(write_atomic(path, text.as_bytes()).map_err(fail)?)
}

impl<K: Kind> Runs<K> {
    pub(super) fn ask_filter(&mut self, cx: &mut Context) {
        let about = "Only runs with all of these words in their name, their preset or how they stand (running, paused, \
                     finished, damaged) are listed. Nothing lists all.";
        cx.open(Enter::<Wish<K>>::new("Filter the runs", "words", about, self.home.filter.clone(), |text| {
            Ok(Wish::Filter(text.to_owned()))
        }));
    }

    pub(super) fn ask_rename(&mut self, cx: &mut Context) {
        let Some((folder, name)) = self.home.chosen_run().map(|run| (run.folder.clone(), run.name.clone())) else {
            return;
        };
        cx.open(Enter::<Wish<K>>::new("Rename a run", "name", "The name of the run's folder.", name, move |text| {
            Ok(Wish::Rename(folder.clone(), text.to_owned()))
        }));
    }

    pub(super) fn ask_export(&mut self, cx: &mut Context) {
        let meant = self.home.meant();
        let Some(first) = meant.first() else { return };
        let about = "A CSV file with a row a generation, and in front of it the run's name and all settings. A file that is there is \
                     not written over.";
        let folders: Vec<PathBuf> = meant.iter().map(|run| run.folder.clone()).collect();
        let path = format!("~/{}.csv", first.name);
        cx.open(Enter::<Wish<K>>::new("Export runs", "file", about, path, move |text| {
            if text.is_empty() {
                return Err("the path of a file is expected".to_owned());
            }
            Ok(Wish::Export(folders.clone(), text.to_owned()))
        }));
    }

    pub(super) fn ask_extend(&mut self, cx: &mut Context) {
        let Some((run, manifest)) = self.home.chosen_run().and_then(|run| Some((run, run.manifest.as_ref()?))) else {
            return cx.notice(Tone::Bad, "This run cannot be read, so it cannot be extended");
        };
        let (folder, before) = (run.folder.clone(), manifest.generations + K::FIRST);
        let about = format!(
            "{} goes on until {} {before}. It becomes the run that had been asked for at once: the same rows, and more.",
            run.name,
            K::UNIT
        );
        let label = if K::FIRST == 0 { "generations" } else { "games" };
        cx.open(Enter::<Wish<K>>::new("Extend a run", label, about, (2 * before.max(1)).to_string(), move |text| {
            let count = text.parse::<u64>().ok().filter(|count| *count > before);
            let count = count.ok_or_else(|| format!("a whole number above {before} is expected; '{text}' is not"))?;
            Ok(Wish::Extend(folder.clone(), count - K::FIRST))
        }));
    }

    pub(super) fn ask_delete(&mut self, cx: &mut Context) {
        let meant = self.home.meant();
        let is_running = |run: &&Entry| self.all().any(|current| current.folder == run.folder && current.is_running());
        if let Some(run) = meant.iter().find(|run| is_running(run)) {
            let text = format!("{} is running here: save and stop it first", run.name);
            return cx.notice(Tone::Info, text);
        }
        let name = |run: &&Entry| format!("{}  ({})", run.name, word_of(&run.state));
        let mut lines: Vec<String> = meant.iter().take(10).map(name).collect();
        lines.extend(meant.len().checked_sub(11).map(|more| format!("and {} more", more + 1)));
        lines.push("with all that is in their folders. This cannot be taken back.".to_owned());
        let folders = meant.iter().map(|run| run.folder.clone()).collect();
        let title = if meant.len() == 1 { "Delete this run?" } else { "Delete these runs?" };
        let choices = vec![('y', "delete", Some(Wish::<K>::Delete(folders))), ('n', "keep", None)];
        cx.open(Ask::new(title, lines, choices));
    }

    /// Says that a run with these settings exists, and asks what to do.
    pub(super) fn ask_twin(&mut self, twin: &Entry, settings: Settings<K>, cx: &mut Context) {
        let at = twin.generation.map_or("-".to_owned(), |at| (at + K::FIRST).to_string());
        let lines = vec![
            format!("{} has the same settings and the same seed,", twin.name),
            format!("so another run would only compute the same. It is {}, {} {at}.", word_of(&twin.state), K::UNIT),
        ];
        let open = if matches!(twin.state, EntryState::Finished) { "show it" } else { "open it" };
        let choices = vec![
            ('o', open, Some(Wish::<K>::Open(twin.folder.clone()))),
            ('n', "start another", Some(Wish::Another(Box::new(settings)))),
            ('c', "cancel", None),
        ];
        cx.open(Ask::new("This run exists", lines, choices));
    }

    pub(super) fn fulfil(&mut self, wish: Wish<K>, cx: &mut Context) {
        match wish {
            Wish::Filter(filter) => {
                self.home.set_filter(filter);
                self.look_closer(cx);
            }
            Wish::Open(folder) => self.open(folder, cx),
            Wish::Another(settings) => self.start(*settings, true, cx),
            Wish::Extend(folder, until) => {
                self.let_go(&folder, cx);
                let crew = cx.crew.clone();
                self.send(cx, move || {
                    wait_until_free(&folder)?;
                    let (job, notes) = RunJob::<K::Run>::extend(&folder, until, &crew)?;
                    let manifest = RunReader::open(&folder)?.manifest().clone();
                    Ok(Found::Running { folder, manifest, job: Box::new(job), notes })
                });
            }
            Wish::Rename(folder, name) => {
                self.let_go(&folder, cx);
                cx.wait_for(move || {
                    let renamed = wait_until_free(&folder).and_then(|()| shelf::rename(&folder, &name));
                    let told = renamed.as_ref().map(|_| format!("The run is called {name} now")).map_err(Clone::clone);
                    Found::<K>::Changed { told, choose: renamed.ok() }
                });
            }
            Wish::Export(folders, path) => {
                let path = cx.paths.typed(&path);
                cx.wait_for(move || {
                    let told = export_to(&path, &folders).map(|()| format!("Written: {}", plain::path(&path)));
                    Found::<K>::Changed { told, choose: None }
                });
            }
            Wish::Delete(folders) => {
                folders.iter().for_each(|folder| self.let_go(folder, cx));
                cx.wait_for(move || {
                    let delete =
                        |folder: &PathBuf| wait_until_free(folder).or(Ok(())).and_then(|()| shelf::delete(folder));
                    let told = folders.iter().try_for_each(delete).map(|()| match folders.len() {
                        1 => "The run is deleted".to_owned(),
                        count => format!("{count} runs are deleted"),
                    });
                    Found::<K>::Changed { told, choose: None }
                });
            }
        }
    }

    /// Ends a run that is open here, so that something can be done with its folder; its checkpoint is written on the way.
    fn let_go(&mut self, folder: &Path, cx: &mut Context) {
        let is_it = |current: &Current<K>| current.folder == folder;
        let front = self.current.take_if(|current| is_it(current));
        self.shows_run &= front.is_none();
        let behind = self.others.extract_if(.., |other| is_it(other));
        for current in front.into_iter().chain(behind) {
            if let Source::Here { job, .. } = current.source {
                cx.stop(job);
            }
        }
    }
}
