//! The explorer of openings: the moves that were played in the position shown, and how those games ended.
//!
//! A job opens or builds the indexes of the databases and reads the saved games ([`openings`](crate::openings)). Each position's moves
//! are read in the background. The move chosen in the list is the one chosen in the analysis, which the board marks.

mod panel;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use mancalab_base::Error;

use crate::app::effect::{Context, Tone};
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::openings::{Answer, Openings, Preparing, PreparingView, Query, Sources};
use crate::tabs::board::message::Message;
use crate::tabs::board::session::casual::Reason;
use crate::tabs::board::{Board, Spot};

/// The explorer and what it knows.
#[derive(Default)]
pub(in crate::tabs::board) struct Explorer {
    pub on: bool,
    /// It was switched on after the analysis.
    pub last: bool,
    /// The running job, and the saved state of the game on the board when it began.
    job: Option<JobId>,
    listed: Option<(u64, u64)>,
    view: PreparingView,
    /// The games; those of before while a job reads new ones.
    openings: Option<Arc<Openings>>,
    /// The position whose moves were requested last, and those that are known.
    requested: Option<Spot>,
    /// The number of requests: the answer to an earlier one is outdated.
    requests: u64,
    answer: Option<(Spot, Answer)>,
    /// A damaged index was built again.
    rebuilt: bool,
}

impl Board {
    pub(in crate::tabs::board) fn toggle_explorer(&mut self, cx: &mut Context) {
        let explorer = &mut self.panels.explorer;
        (explorer.on, explorer.last) = (!explorer.on, !explorer.on);
        if self.panels.explorer.on {
            self.panels.terms_last = false;
            self.use_help(Reason::Openings, cx);
        }
        self.settle_explorer(cx);
    }

    /// Returns whether the explorer belongs on the screen. While a mistake is tried it would show the answer.
    pub(in crate::tabs::board) fn shows_explorer(&self) -> bool {
        self.panels.explorer.on && self.edit.is_none() && !self.is_retrying()
    }

    /// The moves of the position shown, if they are known.
    fn explored(&self) -> Option<&Answer> {
        let (spot, answer) = self.panels.explorer.answer.as_ref()?;
        (*spot == self.session.spot()).then_some(answer)
    }

    /// Reads the saved games again: there is another.
    pub(in crate::tabs::board) fn renew_explorer(&mut self, cx: &mut Context) {
        self.panels.explorer.listed = None;
        self.settle_explorer(cx);
    }

    /// Reads what is missing: games saved since, and the moves of the position shown.
    pub(in crate::tabs::board) fn settle_explorer(&mut self, cx: &mut Context) {
        if !self.shows_explorer() {
            return;
        }
        let now = (self.session.game, self.library.saved);
        let explorer = &mut self.panels.explorer;
        if explorer.job.is_none() && explorer.listed != Some(now) {
            explorer.listed = Some(now);
            let sources = Sources::new(&cx.config.board.databases, self.library.games.clone(), cx.paths);
            let usual = self.session.record.variant;
            explorer.job = Some(cx.start(Preparing::new(sources, usual, explorer.openings.as_deref())));
        }
        let spot = self.session.spot();
        let Some(openings) = explorer.openings.clone().filter(|_| explorer.requested != Some(spot)) else { return };
        explorer.requested = Some(spot);
        explorer.requests += 1;
        let request = explorer.requests;
        let query = Query::new(&self.session.record);
        cx.background(move || Message::Explored { request, spot, result: openings.answer(&query) });
    }

    pub(in crate::tabs::board) fn is_explorer(&self, job: JobId) -> bool {
        self.panels.explorer.job == Some(job)
    }

    pub(in crate::tabs::board) fn explorer_news(&mut self, news: News, cx: &mut Context) {
        let explorer = &mut self.panels.explorer;
        if let Ok(view) = news.view.downcast::<PreparingView>() {
            explorer.view = *view;
        }
        match news.state {
            State::Running | State::Paused => return,
            State::Done => {}
            State::Failed(reason) => cx.notice(Tone::Bad, format!("The games could not be read: {reason}")),
        }
        explorer.job = None;
        if let Some(openings) = explorer.view.ready.take() {
            if let Some(problem) = openings.problems.first().filter(|_| explorer.openings.is_none()) {
                cx.notice(Tone::Bad, problem.clone());
            }
            explorer.openings = Some(openings);
            explorer.requested = None;
        }
        self.settle_explorer(cx);
    }

    pub(in crate::tabs::board) fn take_explored(
        &mut self,
        request: u64,
        spot: Spot,
        result: Result<Answer, Error>,
        cx: &mut Context,
    ) {
        let explorer = &mut self.panels.explorer;
        match result {
            _ if request != explorer.requests => {}
            Ok(answer) => explorer.answer = Some((spot, answer)),
            // Its index was removed.
            Err(_) if !explorer.rebuilt => {
                (explorer.rebuilt, explorer.listed) = (true, None);
                self.settle_explorer(cx);
            }
            Err(error) => cx.notice(Tone::Bad, error.to_string()),
        }
    }

    /// The index of the chosen move in the list.
    fn chosen_opening(&self) -> Option<usize> {
        let mv = self.picked()?;
        self.explored()?.rows.iter().position(|row| row.mv == mv)
    }

    /// Handles the arrows up and down, which choose a move of the list, and Enter, which makes it. While the arrows choose a square, they
    /// keep doing so.
    pub(in crate::tabs::board) fn explorer_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let is_free = self.entry_cursor().is_none() && self.entry_text().is_none() && key.modifiers.is_empty();
        if !is_free || !self.panels.shows_explorer {
            return false;
        }
        let moves: Vec<Move> =
            self.explored().map_or(Vec::new(), |answer| answer.rows.iter().map(|row| row.mv).collect());
        let last = moves.len().saturating_sub(1);
        let next = match (key.code, self.chosen_opening()) {
            (_, _) if moves.is_empty() => return false,
            (KeyCode::Down, None) => 0,
            (KeyCode::Down, Some(at)) => (at + 1).min(last),
            (KeyCode::Up, None) => last,
            (KeyCode::Up, Some(at)) => at.saturating_sub(1),
            (KeyCode::Enter, Some(at)) => {
                self.make_picked(moves[at], cx);
                return true;
            }
            _ => return false,
        };
        self.point_at(moves[next], cx.now);
        true
    }

    /// The explorer's keys in the footer.
    pub(in crate::tabs::board) fn explorer_keys(&self) -> Vec<(String, String)> {
        let is_shown = self.panels.shows_explorer && self.entry_cursor().is_none();
        if !is_shown || self.explored().is_none_or(|answer| answer.rows.is_empty()) {
            return Vec::new();
        }
        let keys = [("up down", "opening"), ("Enter", "play")].into_iter();
        let shown = if self.chosen_opening().is_some() { 2 } else { 1 };
        keys.take(shown).map(|(key, word)| (key.to_owned(), word.to_owned())).collect()
    }
}
