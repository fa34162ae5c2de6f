//! Help on the Board: the analysis and its hint, the threat, the coach, the terms, the openings, and lines shown without being played.

use crossterm::event::{KeyCode, KeyEvent};

use super::Board;
use super::panels::analysis;
use super::panels::analysis::{LinePosition, Preview};
use super::panels::explorer::ExplorerKey;
use super::panels::terms::has_terms;
use super::playback::ComputerTurn;
use super::session::casual::Reason;
use crate::app::tab::{Context, Tone};
use crate::config::Coach;
use crate::game::Move;
use crate::job::{JobId, News};
use crate::player::Spec;
use crate::settings::quoted;

/// The analysis and its hint.
impl Board {
    pub(super) fn toggle_analysis(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        self.panels.analysis.on = !self.panels.analysis.on;
        self.panels.explorer.last &= !self.panels.analysis.on;
        if self.panels.analysis.on {
            self.use_help(Reason::Analysis, cx);
        }
        cx.remember("board", "analysis", self.panels.analysis.on.to_string());
        self.panels.terms.last &= !self.panels.analysis.on;
    }

    /// Switches to the other search.
    pub(super) fn change_engine(&mut self, cx: &mut Context) {
        let is_on = self.panels.analysis.change_engine(cx);
        if !is_on || self.player_in_panel().is_some() {
            let engine = self.panels.analysis.engine.title();
            cx.notice(Tone::Info, format!("Analysis and hints now use {engine}"));
        }
    }

    /// The thinking player whose own search the panel shows: it covers every move, and a second search would slow it
    /// down.
    pub(super) fn player_in_panel(&self) -> Option<&ComputerTurn> {
        let side = self.session.position().side();
        let plays_out = matches!(self.session.players[side.index()], Spec::Mcts(_) | Spec::Puct(_));
        self.playback.thinking.as_ref().filter(|thinking| plays_out && !thinking.failed)
    }

    pub(super) fn toggle_hint(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        if self.session.is_over() {
            return cx.notice(Tone::Info, "The game is over");
        }
        if self.panels.analysis.toggle_hint() {
            self.use_help(Reason::Hint, cx);
        }
    }

    pub(super) fn analysis_news(&mut self, job: JobId, news: News, cx: &mut Context) {
        let is_of_player = self.player_in_panel().is_some();
        if let Some(mv) = self.panels.analysis.take_news(&self.session, (job, news), is_of_player, cx) {
            self.make_move(mv, cx);
        }
    }

    /// Plays the move of a hint for the person to move.
    pub(super) fn play_hint(&mut self, cx: &mut Context) {
        self.panels.analysis.request_move();
        if let Some(mv) = self.panels.analysis.hint() {
            self.make_move(mv, cx);
        }
    }

    /// Shows the threat in this position, or hides it.
    pub(super) fn toggle_threat(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() || self.panels.end_threat(cx) {
            return;
        }
        let Some(position) = analysis::passed(&self.session) else {
            let opponent = self.session.position().side().other();
            return cx.notice(Tone::Info, format!("{} has no move here", self.session.seat_name(opponent)));
        };
        self.use_help(Reason::Threat, cx);
        self.panels.begin_threat(&self.session, position, cx);
    }

    pub(super) fn toggle_terms(&mut self, cx: &mut Context) {
        if !has_terms(&self.session) {
            let game = self.session.record.variant.title();
            let text = "This needs at most 8 pits a side, or a function or network player";
            return cx.notice(Tone::Info, format!("{text}; nothing to show for {game}"));
        }
        self.panels.terms.on = !self.panels.terms.on;
        self.panels.terms.last = self.panels.terms.on;
        if self.panels.terms.on {
            self.use_help(Reason::Values, cx);
        }
    }
}

/// The coach.
impl Board {
    /// Returns whether the coach rates the moves of the game on the board.
    pub(super) fn is_coached(&self) -> bool {
        let is_retrying = self.practice.is_retrying(&self.session);
        let is_resigned = self.session.resigned().is_some();
        self.panels.coach != Coach::Off && self.session.has_human() && !is_resigned && !is_retrying
    }

    /// Returns whether a coached game is being played, in which the review must not name moves.
    pub(super) fn is_playing_coached(&self) -> bool {
        let is_taken_back = self.session.taken_back == Some(self.session.record.at());
        self.is_coached() && (self.session.mode.is_live() || is_taken_back) && !self.session.is_over()
    }

    /// Switches the coach: off, on, with warnings before blunders.
    pub(super) fn change_coach(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        let (coach, text) = match self.panels.coach {
            Coach::Off => (Coach::On, "Coach on: rates each of your moves (W: warn too)"),
            Coach::On => (Coach::Warn, "Coach with warnings before blunders (W: off)"),
            Coach::Warn => (Coach::Off, "Coach off"),
        };
        self.panels.coach = coach;
        cx.remember("board", "coach", quoted(&coach.to_string()));
        cx.notice(Tone::Info, text);
        if coach != Coach::Off {
            self.use_help(Reason::Coach, cx);
        }
    }

    /// Values the position in which a person is to move.
    pub(super) fn settle_coach(&mut self, cx: &mut Context) {
        let at = self.session.record.at();
        let is_wanted = self.is_playing_coached() && self.awaits_human();
        let review = &mut self.panels.review;
        if is_wanted && review.is_unrated(&self.session, at) && !review.is_reviewing() && !review.is_rating() {
            review.value_for_coach(&self.session, at, cx);
        }
    }

    /// Warns of a blunder, once a move: returns whether the move waits for a second entry.
    pub(super) fn warns_of(&mut self, mv: Move, cx: &mut Context) -> bool {
        let is_person = self.session.is_human(self.session.position().side());
        if self.panels.coach != Coach::Warn || !self.is_coached() || !is_person {
            return false;
        }
        let warning = self.panels.warning(&self.session, mv);
        let warns = warning.is_some();
        warning.into_iter().for_each(|text| cx.notice(Tone::Bad, text));
        warns
    }
}

/// The explorer of openings.
impl Board {
    pub(super) fn toggle_explorer(&mut self, cx: &mut Context) {
        let explorer = &mut self.panels.explorer;
        (explorer.on, explorer.last) = (!explorer.on, !explorer.on);
        if self.panels.explorer.on {
            self.panels.terms.last = false;
            self.use_help(Reason::Openings, cx);
        }
    }

    /// Returns whether the explorer belongs on the screen. While a mistake is tried it would show the answer.
    pub(super) fn shows_explorer(&self) -> bool {
        self.panels.explorer.on && self.session.edit.is_none() && !self.practice.is_retrying(&self.session)
    }

    /// Handles the arrows up and down, which choose a move of the list, and Enter, which makes it. While the arrows choose a square, they
    /// keep doing so.
    pub(super) fn explorer_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let is_entering = self.entry_cursor().is_some() || self.entry.text(&self.session).is_some();
        if is_entering || !key.modifiers.is_empty() || !self.panels.shows_explorer {
            return false;
        }
        let picked = self.panels.picked(&self.session);
        match self.panels.explorer.key(&self.session, picked, key.code) {
            None => return false,
            Some(ExplorerKey::Make(mv)) => self.make_picked(mv, cx),
            Some(ExplorerKey::Choose(mv)) => self.panels.point_at(&self.session, mv, cx.now),
        }
        true
    }

    /// The explorer's keys in the footer.
    pub(super) fn explorer_keys(&self) -> Vec<(String, String)> {
        if !self.panels.shows_explorer || self.entry_cursor().is_some() {
            return Vec::new();
        }
        self.panels.explorer.keys(&self.session, self.panels.picked(&self.session))
    }
}

/// Lines shown without being played.
impl Board {
    /// Shows the first move of a line from the position of the game. Moves from the first illegal one on are left out.
    pub(super) fn begin_preview(&mut self, line: &[Move], cx: &mut Context) {
        let Some(preview) = Preview::new(&self.session, line) else {
            return cx.notice(Tone::Info, "No line is known here");
        };
        self.panels.preview = Some(preview);
        self.step_preview(1, cx);
    }

    /// Shows the next move (`by` = 1) or takes the last one back (-1); before the first the preview ends.
    fn step_preview(&mut self, by: isize, cx: &mut Context) {
        let animation = self.playback.animation.take();
        let Some(preview) = &mut self.panels.preview else { return };
        let is_new = preview.step(by);
        match self.panels.previewed(&self.session) {
            Some(LinePosition { before, mv, .. }) if is_new => {
                self.playback.animate(&before, mv, cx.now);
            }
            Some(_) => self.playback.animation = animation.filter(|_| by > 0),
            None => self.panels.preview = None,
        }
    }

    /// A key while a line is shown; false if it is for the board.
    pub(super) fn preview_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.panels.is_previewing(&self.session) || self.session.edit.is_some() {
            return false;
        }
        match key.code {
            KeyCode::Char('.') | KeyCode::Right => self.step_preview(1, cx),
            KeyCode::Char(',') | KeyCode::Left => self.step_preview(-1, cx),
            KeyCode::End => self.step_preview(isize::MAX, cx),
            KeyCode::Esc | KeyCode::Home | KeyCode::Char('V') => self.end_preview(),
            _ => {
                self.end_preview();
                return false;
            }
        }
        true
    }

    pub(super) fn end_preview(&mut self) {
        if self.panels.preview.take().is_some() {
            self.playback.animation = None;
        }
    }

    /// Shows the line of the move chosen in the analysis, or of the best one.
    pub(super) fn preview_analysis(&mut self, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            return cx.notice(Tone::Info, "Find the move first (v: answer)");
        }
        let lines = self.panels.analysis.view.as_ref().map_or(&[][..], |view| &view.report.lines);
        let picked = self.panels.picked(&self.session);
        let chosen = picked.and_then(|mv| lines.iter().find(|line| line.mv == mv));
        let valued = || self.panels.review.valued(&self.session, self.session.record.at());
        let reviewed = || valued().map(|valued| valued.line().to_vec());
        match chosen.or(lines.first()).map(|line| line.pv.clone()).or_else(reviewed) {
            Some(line) => self.begin_preview(&line, cx),
            None => cx.notice(Tone::Info, "No line is known here (i: analysis)"),
        }
    }

    /// Returns whether a line from the position of the game is known, and is not the answer to a mistake that is tried.
    pub(super) fn has_line(&self) -> bool {
        let is_analysed = self.panels.analysis.view.as_ref().is_some_and(|view| !view.report.lines.is_empty());
        let is_reviewed = self.panels.review.valued(&self.session, self.session.record.at()).is_some();
        (is_analysed || is_reviewed) && !self.practice.is_retrying(&self.session)
    }
}
