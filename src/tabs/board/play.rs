//! The timing of moves: animated sowing, thinking computer players, autoplay.
//!
//! A computer player moves only after a move just made, or on request. Loading a game or stepping through it pauses the
//! players and changes nothing.

use std::time::{Duration, Instant};

use super::Board;
use super::playback::ComputerTurn;
use super::session::Mode;
use super::session::casual::Reason;
use super::setup::Setup;
use crate::app::tab::{Context, Tone};
use crate::chosen;
use crate::config::Coach;
use crate::game::Move;
use crate::game::record::Record;
use crate::job::News;

/// Time of a computer player's turn from which its move is announced (`ui.notify`).
const LONG: Duration = Duration::from_secs(3);

/// Maximum length of a player's text in a sentence.
const NAMED: usize = 40;

impl Board {
    /// Makes a move from the position on screen and shows it.
    pub(super) fn make_move(&mut self, mv: Move, cx: &mut Context) {
        if self.practice.try_move(&self.session, &self.panels.review, mv, cx) {
            return;
        }
        if self.warns_of(mv, cx) || !self.may_change(cx) {
            return;
        }
        if self.library.has_former() {
            // A puzzle is played on: it is the game now.
            self.keep_last(true, cx);
        }
        let before = *self.session.position();
        let time = self.session.time_here(cx.now);
        let thought = self.playback.thinking.as_mut().and_then(|thinking| thinking.thought.take());
        let mut reasons = self.session.reasons_of(mv, self.shown_help());
        let at = self.session.record.at();
        let replaces = self.session.taken_back.take() == Some(at);
        if self.library.is_logged(self.session.game) {
            // The result of a game that is over counts: help and variations change nothing. Only another end of the main line is not rated.
            let is_other_end = replaces && self.session.record.is_main(at);
            reasons.retain(|reason| *reason == Reason::TakeBack && is_other_end);
        }
        if !self.session.record.play(mv) {
            return;
        }
        self.session.take_reasons(reasons, cx);
        self.session.withdraw_resignation(cx);
        if replaces && self.session.record.branch(self.session.record.at()) == Some(self.session.record.at()) {
            self.session.record.promote(self.session.record.at());
        }
        if let Some(mut thought) = thought.filter(|thought| thought.choice.is_none_or(|choice| choice == mv)) {
            thought.report.iter_mut().for_each(|report| chosen::put_first(report, mv));
            self.panels.reports.keep(self.session.game, self.session.record.at(), thought);
        }
        self.session.mode.resume();
        if !self.session.is_human(before.side()) && self.awaits_human() && cx.now - self.playback.moved >= LONG {
            cx.announce(format!("{} moved {}", self.session.seat_name(before.side()), before.move_text(mv)));
        }
        self.playback.show_move(&before, mv, cx.now);
        if self.session.is_over() {
            self.session.mode.stop();
            self.show_card(cx);
        } else if self.panels.review.is_reviewing() || !self.is_coached() {
            self.stop_quiet_review(cx);
        }
        self.session.measure(before, time);
    }

    /// Steps through the record; stops autoplay and the animation.
    pub(super) fn walk(&mut self, cx: &mut Context, step: impl FnOnce(&mut Record) -> bool) {
        self.session.mode.stop();
        let before = self.session.record.at();
        step(&mut self.session.record);
        // A key without effect does not interrupt a player.
        if self.session.record.at() != before {
            self.session.mode = Mode::Viewed;
            self.session.taken_back = None;
        }
        self.show_now(cx);
    }

    pub(super) fn switch_variation(&mut self, by: isize, cx: &mut Context) {
        let before = self.session.record.at();
        self.walk(cx, |record| record.switch_variation(by));
        if self.session.record.at() == before {
            cx.notice(Tone::Info, "No variations in this line");
        }
    }

    /// Shows the current position at once.
    pub(super) fn show_now(&mut self, cx: &mut Context) {
        self.panels.card = None;
        self.playback.animation = None;
        self.session.mode.withdraw();
        self.playback.moved = cx.now;
    }

    /// One move forward: along the line, or at its end the computer player's next move, unless the game is only viewed.
    pub(super) fn step_on(&mut self, cx: &mut Context) {
        self.session.mode.stop();
        let before = *self.session.position();
        match self.session.record.next() {
            Some(mv) if self.session.record.forward() => {
                self.session.mode = Mode::Viewed;
                self.session.taken_back = None;
                self.playback.show_move(&before, mv, cx.now);
            }
            _ if self.session.mode.is_live() => {
                self.playback.animation = None;
                self.session.mode = Mode::OneMove;
            }
            _ => {
                let text = self.paused_text().unwrap_or_else(|| "No more moves".to_owned());
                cx.notice(Tone::Info, text);
            }
        }
    }

    /// Returns whether a computer player is to move and waits for the user.
    pub(super) fn is_paused(&self) -> bool {
        let side = self.session.position().side();
        self.session.edit.is_none()
            && !self.session.is_over()
            && !self.practice.is_retrying(&self.session)
            && !self.session.is_human(side)
            && !self.wants_thought()
            && !self.session.mode.is_automatic()
    }

    /// A sentence about a paused player; `None` if there is none.
    pub(super) fn paused_text(&self) -> Option<String> {
        let side = self.session.position().side();
        // A player with a long text is named by its seat.
        let player = Some(self.session.player_name(side)).filter(|text| text.len() <= NAMED);
        let player = player.unwrap_or_else(|| self.session.seat_name(side).to_owned());
        self.is_paused().then(|| match self.session.record.is_at_end() {
            _ if self.panels.review.is_reviewing() => format!("{player} is paused during the review (r: stop)"),
            true => format!("{player} is paused (space: continue, m: one move)"),
            false => format!("{player} is paused (space: play on)"),
        })
    }

    /// Removes the last entry of an unfinished move; otherwise goes back to the user's last choice, or one move without
    /// a user.
    pub(super) fn undo(&mut self, cx: &mut Context) {
        if self.entry.take_back(&self.session) {
            return;
        }
        let here = self.session.record.at();
        while self.session.record.back() {
            if !self.session.has_human() || self.session.is_human(self.session.position().side()) {
                self.session.mode = Mode::Viewed;
                self.session.taken_back = Some(self.session.record.at());
                self.use_help(Reason::TakeBack, cx);
                return self.show_now(cx);
            }
        }
        self.session.record.go_to(here);
        cx.notice(Tone::Info, "You have no move to take back");
    }

    /// Returns the footer's label for continuing or pausing; on squares `play` is the label for entering a move.
    pub(super) fn word_for_play(&self) -> &'static str {
        match () {
            () if self.goes_on() => "pause",
            () if self.awaits_human() && self.session.on_squares() => "continue",
            () => "play",
        }
    }

    pub(super) fn toggle_autoplay(&mut self, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            let keys = self.practice.keys().into_iter().map(|(key, word)| format!("{key}: {word}"));
            return cx.notice(Tone::Info, keys.collect::<Vec<_>>().join(", "));
        }
        if self.goes_on() {
            // A player that answers a human would continue to think.
            let stays = self.session.mode.is_live() && !self.session.has_human();
            self.session.mode = if stays { Mode::Played } else { Mode::Viewed };
        } else if !self.session.can_autoplay() {
            let text = if self.session.is_over() { "The game is over" } else { "It is your move" };
            return cx.notice(Tone::Info, text);
        } else {
            match self.session.record.is_at_end() {
                // A human's game continues with one answer.
                true => self.session.play_on(),
                false => self.session.mode = Mode::Replayed,
            }
        }
        // The first move comes at once.
        self.playback.moved = cx.now.checked_sub(self.playback.pause()).unwrap_or(cx.now);
    }

    /// Returns whether moves are made or shown automatically.
    pub(super) fn goes_on(&self) -> bool {
        self.session.mode.is_automatic() || self.playback.thinking.is_some()
    }

    /// Seats other players, who play on from the position on screen.
    pub(super) fn play_on(&mut self, game: u64, mut setup: Setup, cx: &mut Context) {
        if game != self.session.game {
            return;
        }
        self.stop_quiet_review(cx);
        self.playback.stop_thinking(cx);
        self.library.my_levels.apply(&setup.variant, &mut setup.players);
        self.session.players = setup.specs();
        self.session.record.players = self.session.players.clone().map(|spec| spec.to_string());
        self.setup.players = setup.players;
        self.use_help(Reason::Players, cx);
        self.session.play_on();
    }

    /// The next move at once: the best so far of a player that thinks, the move of a paused one, or for a person a good one.
    pub(super) fn move_now(&mut self, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            return cx.notice(Tone::Info, "v shows the answer");
        }
        if self.is_paused() {
            // Makes the line's last move instead of showing the next one.
            self.session.mode = Mode::OneMove;
            return;
        }
        match self.playback.thinking.as_ref().and_then(ComputerTurn::best) {
            Some(mv) => {
                self.use_help(Reason::Hurried, cx);
                self.make_move(mv, cx);
            }
            None if self.awaits_human() => {
                self.use_help(Reason::MadeMove, cx);
                self.play_hint(cx);
            }
            None if self.session.is_over() => cx.notice(Tone::Info, "The game is over"),
            None => cx.notice(Tone::Info, "No move found yet"),
        }
    }

    /// Returns whether a computer player answers a person.
    pub(super) fn answers(&self) -> bool {
        self.session.has_human() && self.wants_thought()
    }

    /// Returns whether a computer player is to move in a game that is not only viewed. None moves during a review.
    pub(super) fn wants_thought(&self) -> bool {
        self.session.wants_thought() && !self.panels.review.is_reviewing()
    }

    pub(super) fn thought_news(&mut self, news: News, cx: &mut Context) {
        if self.playback.take_thought(self.session.position(), news, cx) {
            self.session.mode.stop();
        }
        self.advance(cx);
    }

    /// The time of the next automatic event.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        let next = self.playback.next_tick(&self.session);
        [next, self.session.clock_tick(), self.library.next_look()].into_iter().flatten().min()
    }

    /// Performs what is due: the next frame of the animation, then the next move.
    pub(super) fn advance(&mut self, cx: &mut Context) {
        if self.session.lose_on_time(cx.now) {
            // The card needs it, and stepping through the record has cleared it.
            self.session.mode = Mode::Played;
            self.show_card(cx);
            self.session.mode = Mode::Viewed;
            // No player moves any more.
            return;
        }
        self.library.follow(&self.session, cx);
        if self.playback.advance(cx.now) && self.playback.move_due(&self.session).is_some_and(|due| due <= cx.now) {
            self.next_move(cx);
        }
    }

    fn next_move(&mut self, cx: &mut Context) {
        if let Some(mv) = self.playback.thinking.as_mut().and_then(|thinking| thinking.chosen.take()) {
            return self.make_move(mv, cx);
        }
        let before = *self.session.position();
        let next = self.session.record.next();
        let Some(mv) = next.filter(|_| self.session.record.forward()) else { return };
        self.playback.show_move(&before, mv, cx.now);
        // At the end of the line the game continues automatically only without a human to wait for.
        let goes_on = !self.session.is_over() && !self.session.has_human();
        self.session.mode = match self.session.record.is_at_end() {
            false => Mode::Replayed,
            true if goes_on => Mode::Autoplayed,
            true => Mode::Viewed,
        };
    }

    /// Makes the game casual, or shows the answer to a mistake that is tried.
    pub(super) fn use_help(&mut self, reason: Reason, cx: &mut Context) {
        if self.practice.is_retrying(&self.session)
            && matches!(reason, Reason::Hint | Reason::Analysis | Reason::Threat)
        {
            // It shows the answer, or much of it.
            return self.practice.show_answer(&self.session, &self.panels.review, cx);
        }
        self.session.use_help(reason, cx);
    }

    /// What on the screen makes the game casual with a person's move.
    fn shown_help(&self) -> impl Iterator<Item = Reason> + use<> {
        let shown = [
            (self.panels.analysis.on, Reason::Analysis),
            (self.panels.terms.is_shown(&self.session), Reason::Values),
            (self.panels.explorer.on, Reason::Openings),
            (self.panels.coach != Coach::Off, Reason::Coach),
        ];
        shown.into_iter().filter_map(|(is, reason)| is.then_some(reason))
    }

    /// Goes to the end of an opened game and lets its players play on.
    pub(super) fn begin_lines(&mut self, cx: &mut Context) {
        let end = self.session.record.main_end();
        self.session.record.go_to(end);
        self.session.play_on();
        self.show_now(cx);
    }
}
