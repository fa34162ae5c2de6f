//! The explorer of openings: the moves that were played in the position shown, and how those games ended.
//!
//! A job opens or builds the indexes of the databases and reads the saved games ([`openings`](crate::openings)). Each position's moves
//! are read in the background. The move chosen in the list is the one chosen in the analysis, which the board marks.

mod panel;

use std::path::Path;
use std::sync::Arc;

use crossterm::event::KeyCode;
use mancalab_base::Error;

use super::message::PanelMessage;
use crate::app::effect::{Context, Tone};
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::openings::{Answer, Openings, Preparing, PreparingView, Query, Sources};
use crate::tabs::board::session::{Session, Spot};

/// The explorer and what it knows.
#[derive(Default)]
pub struct Explorer {
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

impl Explorer {
    /// The moves of the position shown, if they are known.
    fn explored(&self, session: &Session) -> Option<&Answer> {
        let (spot, answer) = self.answer.as_ref()?;
        (*spot == session.spot()).then_some(answer)
    }

    /// Reads the saved games again the next time: there is another.
    pub fn forget_listed(&mut self) {
        self.listed = None;
    }

    /// Reads what is missing: the games of this folder saved since, and the moves of the position shown. `saved`: the version on disk.
    pub fn settle(&mut self, session: &Session, games: Option<&Path>, saved: u64, cx: &mut Context) {
        let now = (session.game, saved);
        if self.job.is_none() && self.listed != Some(now) {
            self.listed = Some(now);
            let sources = Sources::new(&cx.config.board.databases, games.map(Path::to_owned), cx.paths);
            let usual = session.record.variant;
            self.job = Some(cx.start(Preparing::new(sources, usual, self.openings.as_deref())));
        }
        let spot = session.spot();
        let Some(openings) = self.openings.clone().filter(|_| self.requested != Some(spot)) else { return };
        self.requested = Some(spot);
        self.requests += 1;
        let request = self.requests;
        let query = Query::new(&session.record);
        cx.background(move || PanelMessage::Explored { request, spot, result: openings.answer(&query) });
    }

    pub fn is_job(&self, job: JobId) -> bool {
        self.job == Some(job)
    }

    /// Takes the results of the job; returns whether it has ended.
    pub fn take_news(&mut self, news: News, cx: &mut Context) -> bool {
        if let Ok(view) = news.view.downcast::<PreparingView>() {
            self.view = *view;
        }
        match news.state {
            State::Running | State::Paused => return false,
            State::Done => {}
            State::Failed(reason) => cx.notice(Tone::Bad, format!("The games could not be read: {reason}")),
        }
        self.job = None;
        if let Some(openings) = self.view.ready.take() {
            if let Some(problem) = openings.problems.first().filter(|_| self.openings.is_none()) {
                cx.notice(Tone::Bad, problem.clone());
            }
            self.openings = Some(openings);
            self.requested = None;
        }
        true
    }

    /// Takes the moves of a position; returns whether the games must be read again, as their index was removed.
    pub fn take_answer(&mut self, request: u64, spot: Spot, result: Result<Answer, Error>, cx: &mut Context) -> bool {
        match result {
            _ if request != self.requests => {}
            Ok(answer) => self.answer = Some((spot, answer)),
            Err(_) if !self.rebuilt => {
                (self.rebuilt, self.listed) = (true, None);
                return true;
            }
            Err(error) => cx.notice(Tone::Bad, error.to_string()),
        }
        false
    }

    /// The index of the chosen move in the list.
    fn chosen(&self, session: &Session, picked: Option<Move>) -> Option<usize> {
        let mv = picked?;
        self.explored(session)?.rows.iter().position(|row| row.mv == mv)
    }

    /// Returns what a key does in the list: the arrows up and down choose a move, and Enter makes it.
    pub fn key(&self, session: &Session, picked: Option<Move>, code: KeyCode) -> Option<ExplorerKey> {
        let rows = &self.explored(session)?.rows;
        let last = rows.len().checked_sub(1)?;
        let next = match (code, self.chosen(session, picked)) {
            (KeyCode::Down, None) => 0,
            (KeyCode::Down, Some(at)) => (at + 1).min(last),
            (KeyCode::Up, None) => last,
            (KeyCode::Up, Some(at)) => at.saturating_sub(1),
            (KeyCode::Enter, Some(at)) => return Some(ExplorerKey::Make(rows[at].mv)),
            _ => return None,
        };
        Some(ExplorerKey::Choose(rows[next].mv))
    }

    /// The keys in the footer.
    pub fn keys(&self, session: &Session, picked: Option<Move>) -> Vec<(String, String)> {
        if self.explored(session).is_none_or(|answer| answer.rows.is_empty()) {
            return Vec::new();
        }
        let keys = [("up down", "opening"), ("Enter", "play")].into_iter();
        let shown = if self.chosen(session, picked).is_some() { 2 } else { 1 };
        keys.take(shown).map(|(key, word)| (key.to_owned(), word.to_owned())).collect()
    }
}

/// What a key does in the list.
pub enum ExplorerKey {
    Choose(Move),
    Make(Move),
}
