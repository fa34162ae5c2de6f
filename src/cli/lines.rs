//! `mancalab play --lines`: a game by lines on standard input and output.
//!
//! The app runs without a screen: the Board plays as on the screen, with its players, its search for hints and its files, and
//! [`Lines`] puts into words what happens. The loop waits for a line, a job, a signal or the clock.

use std::env;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use crossbeam_channel::{Receiver, at, bounded, never, select, unbounded};

use super::{input, out, signals};
use crate::app::App;
use crate::app::theme_catalog::ThemeFiles;
use crate::config::{Coach, Config};
use crate::job::JobId;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;
use crate::tabs::board::lines::{Lines, look, resuming};
use crate::tabs::board::{Board, FileContents, Settings};

/// Returns whether a command works by lines: by its flag, or because the terminal has no screen.
pub fn are_chosen(flag: bool) -> bool {
    flag || env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Plays until the game between computers ends, the input ends, `quit`, or a signal.
///
/// # Errors
/// The settings open a collection instead of a game.
pub fn play(mut config: Config, board: Settings, paths: &Paths) -> Result<ExitCode> {
    if let Some(FileContents::Games(shelf, None)) = &board.opened {
        let name = sanitize::inline(&shelf.name);
        let count = shelf.games.len();
        bail!("{name}: a collection of {count} games; name one, as in '{name}#1'");
    }
    // Moves come at once, and only a hint is searched for.
    (config.board.animation, config.board.autoplay, config.board.analysis) = (0.0, f64::INFINITY, false);
    config.board.coach = Coach::Off;
    let board = Board::new(Settings { by_lines: true, welcomes: false, ..board });
    let looks = Arc::new(ThemeFiles::new(&config, paths, |_| None));
    let (sender, pings) = unbounded();
    let pool = Pool::new(config.pool.threads as usize);
    let app = App::new(config, look(), looks, vec![Box::new(board)], pool, paths.clone(), sender);
    let mut app = app?;
    let (wake, signal) = bounded(1);
    signals::catch_and(move || _ = wake.try_send(())).context("cannot catch signals")?;
    let input = input::lines().context("cannot start the thread that reads the input")?;
    app.open(Instant::now());
    let begun = app.with(Instant::now(), |board: &mut Board, _| Lines::begin(board));
    let (lines, texts) = begun.context("no board")?;
    let mut session = Session { app, lines, input: Some(input), is_read: true };
    session.print(&texts);
    session.run(&pings, &signal);
    Ok(session.end())
}

/// A game by lines.
struct Session {
    app: App,
    lines: Lines,
    /// `None` after the end of the input.
    input: Option<Receiver<String>>,
    /// The output has a reader.
    is_read: bool,
}

impl Session {
    fn run(&mut self, pings: &Receiver<JobId>, signal: &Receiver<()>) {
        loop {
            self.report();
            if self.ends() {
                return;
            }
            let input = self.input.clone().filter(|_| self.reads()).unwrap_or_else(never);
            let alarm = self.app.next_wake(None).map_or_else(never, at);
            select! {
                recv(input) -> line => match line {
                    Ok(line) => self.take(&line),
                    Err(_) => self.input = None,
                },
                recv(pings) -> job => job.into_iter().for_each(|job| self.app.news(job, Instant::now())),
                recv(signal) -> _ => return,
                recv(alarm) -> _ => {}
            }
            self.app.tick(Instant::now());
            // Notifications and texts for the clipboard of a screen.
            self.app.take_requests();
        }
    }

    fn with<R>(&mut self, handle: impl FnOnce(&mut Lines, &Board) -> R) -> Option<R> {
        let lines = &mut self.lines;
        self.app.with(Instant::now(), |board: &mut Board, _| handle(lines, board))
    }

    /// Whether a line of input is taken now.
    fn reads(&mut self) -> bool {
        !self.app.has_tasks() && self.with(|lines, board| lines.reads(board)).unwrap_or(false)
    }

    fn ends(&mut self) -> bool {
        let has_input = self.input.is_some();
        let ends = self.with(|lines, board| lines.ends(board, has_input)).unwrap_or(true);
        !self.is_read || self.app.quit().is_some() || (ends && !self.app.has_tasks())
    }

    fn take(&mut self, line: &str) {
        let lines = &mut self.lines;
        let texts = self.app.with(Instant::now(), |board: &mut Board, cx| lines.take(line, board, cx));
        self.print(&texts.unwrap_or_default());
    }

    /// Writes what has happened.
    fn report(&mut self) {
        let texts = self.with(|lines, board| lines.news(board)).unwrap_or_default();
        self.print(&texts);
        if let Some(text) = self.app.take_notice() {
            let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
            self.print(&[text + stop]);
        }
    }

    fn print(&mut self, texts: &[String]) {
        self.is_read &= texts.iter().all(|text| out::line(text));
    }

    /// Saves the game.
    fn end(mut self) -> ExitCode {
        let failed = self.with(|_, board| board.has_failed()).unwrap_or(false);
        let unsaved = self.app.leave(|_| {});
        for sentence in &unsaved {
            out::report(&format!("mancalab: {sentence}"));
        }
        let file = self.with(|_, board| board.file_to_resume()).flatten();
        if let Some(file) = file.filter(|_| unsaved.is_empty()) {
            out::line(&format!("Saved. Continue with: {}", resuming(&file)));
        }
        if failed || !unsaved.is_empty() { ExitCode::from(2) } else { signals::exit_code() }
    }
}
