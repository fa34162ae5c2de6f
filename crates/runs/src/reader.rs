//! Reading a run that another process may be writing.

use mancalab_base::{Error, bail};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::run::{Form, RunSettings, View, Watched};
use super::run_dir::checkpoint::{self, Peek};
use super::run_dir::csv::{Growth, Tail};
use super::run_dir::dir_handle::DirHandle;
use super::run_dir::lock::Holder;
use super::run_dir::{BEST, Manifest, ROWS, RUN, SINCE, TIMINGS, lock, stopped};
use super::run_inputs::{as_written_now, expected, of_kind, run_inputs, settings};
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::Value;

/// A run's manifest and status. Reads no rows, see [`RunWatcher`].
#[derive(Debug)]
pub struct RunReader {
    folder: PathBuf,
    manifest: Manifest,
    /// The content of `run.toml`.
    run: Vec<u8>,
    holder: Holder,
    checkpoint: Option<Peek>,
    damage: Option<String>,
}

impl RunReader {
    /// # Errors
    /// The folder holds no run, or its `run.toml` cannot be read, and why.
    pub fn open(folder: &Path) -> Result<RunReader, Error> {
        let (manifest, ()) = Manifest::read(folder, |_, _, _| ())?;
        let run = files::read(&folder.join(RUN), Kind::Document).unwrap_or_default();
        let folder = folder.to_owned();
        let mut reader = RunReader { folder, manifest, run, holder: Holder::None, checkpoint: None, damage: None };
        reader.poll()?;
        Ok(reader)
    }

    /// Updates writer and checkpoint; returns whether anything changed.
    ///
    /// # Errors
    /// The run was replaced or deleted.
    pub(crate) fn poll(&mut self) -> Result<bool, Error> {
        let path = self.folder.join(RUN);
        match files::read(&path, Kind::Document) {
            Ok(now) if now == self.run => {}
            Ok(_) => bail!("{} is another than it was; open the run again", path.display()),
            Err(error) => return Err(Error::cannot("read", &path)(error)),
        }
        let before = (self.checkpoint, self.damage.take());
        let path = self.folder.join(checkpoint::FILE);
        match checkpoint::peek(&path) {
            Ok(newest) => self.checkpoint = newest,
            Err(reason) => self.damage = Some(format!("{} {reason}", path.display())),
        }
        let holder = std::mem::replace(&mut self.holder, lock::holder(&self.folder));
        if self.writer().is_none() && self.damage.is_none() {
            self.damage = stopped(&self.folder);
        }
        Ok(holder != self.holder || before != (self.checkpoint, self.damage.clone()))
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the run's settings, if it has one of the `forms`.
    ///
    /// # Errors
    /// It is of another kind, or its settings are invalid, with all problems.
    pub fn settings(&self, forms: &[Form]) -> Result<Box<dyn RunSettings>, Error> {
        let read = Manifest::read(&self.folder, of_kind(forms, &self.folder))?;
        settings(forms, &self.folder, read).map(|(_, settings)| settings)
    }

    /// Returns the settings as texts in the file's order, for any kind of run.
    ///
    /// # Errors
    /// `run.toml` cannot be read any more.
    pub fn listed(&self) -> Result<Vec<(String, String)>, Error> {
        let text = |value: &Value<'_>| (value.key().to_owned(), value.setting());
        let read = Manifest::read(&self.folder, |_, table, _| table.entries().iter().map(text).collect())?;
        Ok(read.1)
    }

    /// Returns the process that writes the run, such as `process 4711 on dolomite`; `None` if there is none.
    pub fn writer(&self) -> Option<&str> {
        match &self.holder {
            Holder::Process(process, _) => Some(process),
            Holder::None | Holder::Crashed => None,
        }
    }

    /// Returns the writer if it is certainly another process than this one.
    pub fn other_writer(&self) -> Option<&str> {
        self.writer().filter(|writer| !lock::may_be_ours(writer))
    }

    /// Returns whether that process keeps the run paused.
    pub fn is_paused(&self) -> bool {
        matches!(self.holder, Holder::Process(_, true))
    }

    /// Returns whether the last process that wrote the run was killed.
    pub fn has_crashed(&self) -> bool {
        self.holder == Holder::Crashed
    }

    /// Returns the generation and age of the newest checkpoint.
    pub fn checkpoint(&self) -> Option<(u64, Duration)> {
        let Peek { generation, time, .. } = self.checkpoint?;
        Some((generation, time.elapsed().unwrap_or_default()))
    }

    /// Returns a problem of its files, as far as it is visible without reading all of them, or the reason why it
    /// stopped.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }
}

/// Follows a run's folder and builds a view of its rows; each row is read once, and none is kept. Call
/// [`poll`](RunWatcher::poll) before drawing.
pub struct RunWatcher {
    reader: RunReader,
    forms: &'static [Form],
    settings: Box<dyn RunSettings>,
    seen: Box<dyn Watched>,
    rows: Tail,
    timings: Tail,
    best: Option<(SystemTime, String)>,
    /// Why `best.txt` is not read, or the settings do not match the rows.
    odd: Option<String>,
    changed: Option<String>,
    /// The view from the newest checkpoint.
    view: Option<View>,
    /// The previous view. The drawing thread releases it when the newer one arrives, so that large ones are dropped
    /// here.
    before: Option<View>,
    /// The checkpoint of the view, and when to look for the next.
    viewed: Option<Peek>,
    due: Instant,
}

/// At most one part in this many of the time is spent reading checkpoints, which may be large.
const LOOK_SHARE: u32 = 20;

impl RunWatcher {
    /// # Errors
    /// The folder holds no run of these `forms`, or its files are invalid, and why.
    pub fn open(folder: &Path, forms: &'static [Form]) -> Result<RunWatcher, Error> {
        let reader = RunReader::open(folder)?;
        let settings = reader.settings(forms)?;
        let changed = changed(folder, &*settings, forms, &reader.manifest);
        let seen = settings.watch();
        let rows = Tail::new(folder.join(ROWS));
        let timings = Tail::new(folder.join(TIMINGS));
        let mut watcher = RunWatcher {
            reader,
            forms,
            settings,
            seen,
            rows,
            timings,
            best: None,
            odd: None,
            changed,
            view: None,
            before: None,
            viewed: None,
            due: Instant::now(),
        };
        watcher.poll()?;
        Ok(watcher)
    }

    /// Reads new rows and checkpoints; returns whether there are any.
    ///
    /// # Errors
    /// A file cannot be read or is invalid: the file, the place and the reason.
    pub fn poll(&mut self) -> Result<bool, Error> {
        let mut changed = self.follow_extension() | self.reader.poll()?;
        let growths = [self.rows.growth()?, self.timings.growth()?];
        if growths.contains(&Growth::Anew) {
            self.seen = self.settings.watch();
            self.rows.forget();
            self.timings.forget();
            changed = true;
        }
        let RunWatcher { seen, rows, timings, .. } = self;
        let folder = self.reader.folder.display();
        changed |= rows.read(|row| seen.row(row)).map_err(|reason| format!("{folder}: {reason}"))?;
        changed |= timings.read(|row| {
            seen.timing(row);
            Ok(())
        })?;
        Ok(changed | self.read_best() | self.read_state())
    }

    /// Follows an extension: the run is the same, and its view is built again.
    fn follow_extension(&mut self) -> bool {
        let now = files::read(&self.reader.folder.join(RUN), Kind::Document);
        if !now.is_ok_and(|now| now != self.reader.run) {
            return false;
        }
        let Ok(reader) = RunReader::open(&self.reader.folder) else { return false };
        let Ok(settings) = reader.settings(self.forms) else { return false };
        let extended = self.settings.extended(reader.manifest.generations);
        let inputs =
            |settings: &dyn RunSettings| run_inputs(settings, &reader.manifest.files, reader.manifest.parent.as_ref());
        let is_it = extended.is_ok_and(|extended| inputs(&*settings).change(&inputs(&*extended).run).is_none());
        if is_it {
            self.reader = reader;
            self.seen = settings.watch();
            self.settings = settings;
            (self.view, self.viewed) = (None, None);
            self.rows.forget();
            self.timings.forget();
        }
        is_it
    }

    /// Reads the newest checkpoint if there is a new one; at once if no process writes the run, otherwise rarely enough
    /// to cost little. Takes no lock: the file is replaced as a whole.
    fn read_state(&mut self) -> bool {
        let newest = self.reader.checkpoint;
        let waits = self.reader.writer().is_some() && Instant::now() < self.due;
        if newest.is_none() || newest == self.viewed || waits {
            return false;
        }
        let began = Instant::now();
        let view = self.view_in(checkpoint::FILE);
        self.before = std::mem::replace(&mut self.view, view);
        self.viewed = newest;
        self.due = Instant::now() + began.elapsed() * LOOK_SHARE;
        self.view.is_some()
    }

    /// Returns the generations of the kept checkpoints, ascending.
    pub fn kept(&self) -> Vec<u64> {
        let names = std::fs::read_dir(&self.reader.folder).into_iter().flatten();
        let generation =
            |entry: io::Result<std::fs::DirEntry>| checkpoint::kept_generation(entry.ok()?.file_name().to_str()?);
        let mut kept: Vec<u64> = names.filter_map(generation).collect();
        crate::sort::sort(&mut kept);
        kept
    }

    /// Returns the view from the kept checkpoint of a generation; `None` if there is none that can be read.
    pub fn view_at(&self, generation: u64) -> Option<View> {
        self.view_in(&checkpoint::kept_name(generation))
    }

    fn view_in(&self, checkpoint: &str) -> Option<View> {
        let expected = expected(&self.settings.form());
        let held = DirHandle::open(&self.reader.folder).ok()?;
        let read = checkpoint::read(&held, checkpoint, expected, Kind::Watched).ok().flatten()?;
        self.settings.view_of_checkpoint(&read.state, &*self.seen)
    }

    fn read_best(&mut self) -> bool {
        let path = self.reader.folder.join(BEST);
        let modified = std::fs::metadata(&path).and_then(|meta| meta.modified()).ok();
        if modified.is_none() || modified == self.best.as_ref().map(|(time, _)| *time) {
            return false;
        }
        let text = files::if_there(files::read_text(&path, Kind::Program)).map_err(Error::cannot("read", &path));
        self.odd = text.as_ref().err().map(ToString::to_string);
        // An unreadable file is retried only after it changed.
        self.best = modified.zip(Some(text.ok().flatten().unwrap_or_default()));
        true
    }

    /// Returns the view built from the rows.
    pub fn seen(&self) -> &dyn Watched {
        &*self.seen
    }

    /// Returns the view from the newest checkpoint, for kinds that show more than their rows.
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    pub fn settings(&self) -> &dyn RunSettings {
        &*self.settings
    }

    /// Returns the run's manifest and status.
    pub fn reader(&self) -> &RunReader {
        &self.reader
    }

    /// Returns a problem of its files, as far as it is visible while the run is followed, or the reason why it stopped.
    pub fn damage(&self) -> Option<&str> {
        self.reader.damage().or(self.changed.as_deref()).or(self.odd.as_deref())
    }

    /// Returns the header of the rows; empty before there is one.
    #[cfg(test)]
    pub(crate) fn columns(&self) -> &str {
        self.rows.header.as_deref().unwrap_or_default()
    }

    /// Returns the newest complete generation.
    pub(crate) fn generation(&self) -> Option<u64> {
        self.rows.rows.checked_sub(1)
    }

    /// Returns whether all generations are complete, or the run found that no more are needed.
    pub fn is_finished(&self) -> bool {
        let newest = |saved: &Peek| saved.finished && Some(saved.generation) == self.generation();
        self.generation() == Some(self.reader.manifest.generations)
            || self.reader.checkpoint.as_ref().is_some_and(newest)
    }

    /// Returns `best.txt` as of the last checkpoint.
    pub fn best(&self) -> Option<&str> {
        self.best.as_ref().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty())
    }
}

/// Returns a sentence if the settings are not those of the rows.
fn changed(folder: &Path, settings: &dyn RunSettings, forms: &[Form], manifest: &Manifest) -> Option<String> {
    let then = checkpoint::provenance(&folder.join(checkpoint::FILE))?;
    let inputs = run_inputs(settings, &manifest.files, manifest.parent.as_ref());
    let change = then.change(&inputs, |run| as_written_now(forms, run, folder))?;
    Some(format!("{} {SINCE}{change}", sanitize::path(&folder.join(RUN))))
}
