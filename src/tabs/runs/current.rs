//! The run in front: where its news come from, how it is doing, how long it will take.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ratatui::text::Line;

use super::Kind;
use crate::app::effect::Context;
use crate::document::Refusal;
use crate::job::{JobId, Manifest, Run, RunJob, RunView, State, Watching};
use crate::theme::Role;
use crate::ui::{Look, short_count};

/// What the status line says of a run's state of things.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Status {
    /// How far it is, such as `generation 12 of 250`.
    pub at: String,
    /// Generations that have ended, and the part of the one being made.
    pub done: f64,
    /// How many there will be.
    pub of: f64,
    /// The best so far in a few words, such as `best 6 420 (found in 71)`.
    pub best: String,
    /// What is done a second, and its unit, such as `evals/s`.
    pub rate: Option<(f64, &'static str)>,
}

impl Status {
    /// A run whose newest generation is `generation` of `of`, both counted from 0, and the next is made to a part of `within`.
    pub fn of_generations(generation: Option<u64>, of: u64, within: f64) -> Status {
        let at = generation.map_or("-".to_owned(), |generation| generation.to_string());
        Status {
            at: format!("generation {at} of {of}"),
            done: generation.map_or(0.0, |generation| generation as f64 + 1.0) + within,
            of: of as f64 + 1.0,
            ..Status::default()
        }
    }
}

/// Where the news come from.
pub(super) enum Source<R: Run> {
    /// It runs in this process.
    Here { job: JobId, state: State },
    /// Another process writes it, or it has ended. The reader is `None` while it looks for news on another thread.
    Watched { reader: Option<Box<Watching<R>>>, seen: Seen, polled: Instant },
}

/// What a reader saw last of its run, besides the picture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Seen {
    /// The process that writes it.
    pub writer: Option<String>,
    pub finished: bool,
    /// When the newest checkpoint was written.
    pub saved: Option<Instant>,
}

impl Seen {
    fn by<R: Run>(reader: &Watching<R>) -> Seen {
        let now = Instant::now();
        let saved = reader.checkpoint().and_then(|(_, age)| now.checked_sub(age));
        Seen { writer: reader.writer().map(str::to_owned), finished: reader.is_finished(), saved }
    }
}

/// A run that is watched, as it was just read: made on another thread than the one that draws.
pub(super) struct Read<K: Kind> {
    reader: Box<Watching<K::Run>>,
    seen: Seen,
    /// `None`: it is the same as before.
    picture: Option<K::Picture>,
    error: Option<String>,
}

impl<K: Kind> Read<K> {
    /// # Errors
    /// See [`Watching::open`].
    pub fn open(folder: &Path) -> Result<Read<K>, Refusal> {
        let reader = Watching::open(folder)?;
        let (picture, error) = (Some(K::watched(&reader)), reader.damage().map(str::to_owned));
        Ok(Read { seen: Seen::by(&reader), reader: Box::new(reader), picture, error })
    }

    /// Looks for news.
    fn again(mut reader: Box<Watching<K::Run>>) -> Read<K> {
        let (picture, error) = match reader.poll() {
            Ok(changed) => (changed.then(|| K::watched(&reader)), reader.damage().map(str::to_owned)),
            Err(reason) => (None, Some(reason)),
        };
        Read { seen: Seen::by(&reader), reader, picture, error }
    }
}

pub(super) struct Current<K: Kind> {
    /// Names this opening of the run: news of another are not for this one.
    pub number: u64,
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub source: Source<K::Run>,
    pub picture: Option<K::Picture>,
    pub saved: Option<Instant>,
    pub error: Option<String>,
    /// When the present stretch of running began, and where the run stood then: what the rest is judged by.
    since: Option<(Instant, f64)>,
    now: Instant,
}

/// How often another process's run is looked at.
const POLL: Duration = Duration::from_secs(1);

impl<K: Kind> Current<K> {
    pub fn running(folder: PathBuf, manifest: Manifest, job: RunJob<K::Run>, cx: &mut Context) -> Current<K> {
        let job = cx.start(job);
        Current {
            number: 0,
            folder,
            manifest,
            source: Source::Here { job, state: State::Running },
            picture: None,
            saved: None,
            error: None,
            since: None,
            now: cx.now,
        }
    }

    pub fn watching(folder: PathBuf, read: Read<K>, now: Instant) -> Current<K> {
        let Read { reader, seen, picture, error } = read;
        let manifest = reader.manifest().clone();
        let source = Source::Watched { reader: Some(reader), seen, polled: now };
        Current { number: 0, folder, manifest, source, picture, saved: None, error, since: None, now }
    }

    /// The name of the run's folder.
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned()
    }

    /// It does not run in this process.
    pub fn is_watched(&self) -> bool {
        matches!(self.source, Source::Watched { .. })
    }

    pub fn is_running(&self) -> bool {
        matches!(&self.source, Source::Here { state: State::Running, .. })
    }

    /// It could still go on in this process.
    pub fn is_open(&self) -> bool {
        matches!(&self.source, Source::Here { state: State::Running | State::Paused, .. })
    }

    pub fn take_view(&mut self, view: RunView<<K::Run as Run>::View>, state: State, now: Instant) {
        self.picture = Some(K::picture(view.run));
        self.saved = view.saved.map(|saved| saved.at);
        self.error = view.error;
        self.take_state(state, now);
    }

    pub fn take_state(&mut self, newest: State, now: Instant) {
        self.now = now;
        if let State::Failed(reason) = &newest {
            self.error = Some(reason.clone());
        }
        let at = self.status().map(|status| status.done);
        match &mut self.source {
            Source::Here { state, .. } => *state = newest,
            Source::Watched { .. } => {}
        }
        self.since = if self.is_running() { self.since.or(at.map(|at| (now, at))) } else { None };
    }

    fn status(&self) -> Option<Status> {
        self.picture.as_ref().map(K::status)
    }

    /// How long the rest will take, judged by the present stretch of running.
    fn left(&self) -> Option<Duration> {
        let (began, from) = self.since?;
        let Status { done, of, .. } = self.status()?;
        let speed = (done - from) / self.now.duration_since(began).as_secs_f64();
        let left = (of - done) / speed;
        // The first generation is slower than those that follow, which know much already.
        (done - from >= 1.0 && speed > 0.0 && left.is_finite()).then(|| Duration::from_secs_f64(left.clamp(0.0, 1e9)))
    }

    /// When another process's run is to be looked at again.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.source {
            // Somebody may take it up again at any time, until it has ended.
            Source::Watched { reader: Some(_), seen, polled } if !seen.finished || seen.writer.is_some() => {
                Some(*polled + POLL)
            }
            _ => None,
        }
    }

    /// Sends the reader to look for news of another process's run, if it is time to.
    pub fn poll(&mut self, now: Instant) -> Option<impl FnOnce() -> Read<K> + Send + use<K>> {
        self.deadline().filter(|deadline| *deadline <= now)?;
        let Source::Watched { reader, .. } = &mut self.source else { return None };
        reader.take().map(|reader| move || Read::again(reader))
    }

    /// Takes what the reader has found.
    pub fn take_read(&mut self, read: Read<K>, now: Instant) {
        let Read { reader, seen, picture, error } = read;
        let lives = seen.writer.is_some();
        self.source = Source::Watched { reader: Some(reader), seen, polled: now };
        self.now = now;
        self.picture = picture.or(self.picture.take());
        self.error = error;
        let at = self.status().map(|status| status.done);
        self.since = if lives { self.since.or(at.map(|at| (now, at))) } else { None };
    }

    /// The process that writes the run while it is watched here.
    pub fn writer(&self) -> Option<&str> {
        match &self.source {
            Source::Watched { seen, .. } => seen.writer.as_deref(),
            Source::Here { .. } => None,
        }
    }

    /// The line above the panels: state, generation, best, speed, time left, age of the checkpoint.
    pub fn status_line(&self, look: &Look) -> Line<'static> {
        let (mark, word, role) = self.state(look);
        let mut line = Line::from(vec![look.span(role, format!("{mark} {word}  "))]);
        let Some(status) = self.status() else { return line };
        line.spans.push(look.span(Role::Text, format!("{}  ", status.at)));
        line.spans.push(look.span(Role::Accent, status.best));
        if let Some(left) = self.left() {
            line.spans.push(look.span(Role::Text, format!("  {} left", clock(left))));
        }
        if let Some((rate, unit)) = status.rate.filter(|(rate, _)| *rate > 0.0) {
            line.spans.push(look.span(Role::Dim, format!("  {} {unit}", short_count(rate as u64))));
        }
        if let Some(age) = self.saved_age() {
            line.spans.push(look.span(Role::Dim, format!("  saved {age}")));
        }
        line
    }

    fn saved_age(&self) -> Option<String> {
        let saved = match &self.source {
            Source::Here { .. } => self.saved?,
            Source::Watched { seen, .. } => seen.saved?,
        };
        let age = self.now.saturating_duration_since(saved);
        // Of a run that stands still, an age would stand still as well, and be wrong.
        let moves = self.is_running() || self.writer().is_some();
        Some(if moves { format!("{} ago", clock(age)) } else { String::new() }).filter(|age| !age.is_empty())
    }

    fn state(&self, look: &Look) -> (&'static str, String, Role) {
        let glyphs = &look.glyphs;
        if self.error.is_some() {
            return (glyphs.cross, "stopped".into(), Role::Bad);
        }
        match &self.source {
            Source::Here { state: State::Running, .. } => (glyphs.pointer, "running".into(), Role::Good),
            Source::Here { state: State::Paused, .. } => (glyphs.pause, "paused".into(), Role::Warning),
            Source::Here { state: State::Done, .. } => (glyphs.check, "finished".into(), Role::Good),
            Source::Here { state: State::Failed(_), .. } => (glyphs.cross, "failed".into(), Role::Bad),
            Source::Watched { seen, .. } => match &seen.writer {
                Some(writer) => (glyphs.pointer, format!("watching {writer}"), Role::Good),
                None if seen.finished => (glyphs.check, "finished".into(), Role::Good),
                None => (glyphs.pause, "not running".into(), Role::Warning),
            },
        }
    }
}

/// `0:00:09`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
