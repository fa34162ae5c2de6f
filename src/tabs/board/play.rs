//! The timing of moves: animated sowing, thinking computer players, autoplay.
//!
//! A computer player moves only after a move just made, or on request. Loading a game or stepping through it pauses the
//! players and changes nothing.

use std::time::{Duration, Instant};

use super::Board;
use super::playback::{ComputerSeat, Thinking};
use super::session::Mode;
use super::session::casual::Reason;
use super::setup::Setup;
use crate::app::effect::{Context, Tone};
use crate::game::record::Record;
use crate::game::{Move, Position};
use crate::job::{News, State};
use crate::player::{SearchInfo, Seat};

/// The speeds of `+` and `-` in sowing steps per second; 0 is off.
const FASTEST_SOWING: f64 = 96.0;
const SLOWEST_SOWING: f64 = 3.0;

/// Time of a computer player's turn from which its move is announced (`ui.notify`).
const LONG: Duration = Duration::from_secs(3);

/// Maximum length of a player's text in a sentence.
const NAMED: usize = 40;

impl Board {
    /// Makes a move from the position on screen and shows it.
    pub(super) fn make_move(&mut self, mv: Move, cx: &mut Context) {
        if self.try_move(mv, cx) || self.warns_of(mv, cx) || !self.may_change(cx) {
            return;
        }
        if self.library.former.is_some() {
            // A puzzle is played on: it is the game now.
            self.keep_last(true, cx);
        }
        let before = *self.session.position();
        let time = self.time_here(cx.now);
        let thought = self.playback.thinking.as_mut().and_then(|thinking| thinking.thought.take());
        let reasons = self.reasons_of(mv);
        let replaces = self.session.taken_back.take() == Some(self.session.record.at());
        if !self.session.record.play(mv) {
            return;
        }
        self.take_reasons(reasons, cx);
        self.withdraw_resignation(cx);
        if replaces && self.session.record.branch(self.session.record.at()) == Some(self.session.record.at()) {
            self.session.record.promote(self.session.record.at());
        }
        if let Some(thought) = thought.filter(|thought| thought.choice.is_none_or(|choice| choice == mv)) {
            self.panels.reports.keep(self.session.game, self.session.record.at(), thought);
        }
        self.session.mode.resume();
        if !self.session.is_human(before.side()) && self.awaits_human() && cx.now - self.playback.moved >= LONG {
            cx.announce(format!("{} moved {}", self.session.seat_name(before.side()), before.move_text(mv)));
        }
        self.playback.moved = cx.now;
        self.playback.animation = self.playback.animate(&before.board(), before.trace(mv), cx.now);
        if self.session.is_over() {
            self.session.mode.stop();
            self.show_card(cx);
        } else if self.is_reviewing() || !self.is_coached() {
            self.stop_quiet_review(cx);
        }
        self.session.measured = time.map(|time| (before, time));
        self.settle(cx);
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
        self.settle(cx);
    }

    /// One move forward: along the line, or at its end the computer player's next move, unless the game is only viewed.
    pub(super) fn step_on(&mut self, cx: &mut Context) {
        self.session.mode.stop();
        let before = *self.session.position();
        match self.session.record.next() {
            Some(mv) if self.session.record.forward() => {
                self.session.mode = Mode::Viewed;
                self.session.taken_back = None;
                self.playback.moved = cx.now;
                self.playback.animation = self.playback.animate(&before.board(), before.trace(mv), cx.now);
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
        self.settle(cx);
    }

    /// Returns whether a computer player is to move and waits for the user.
    pub(super) fn is_paused(&self) -> bool {
        let side = self.session.position().side();
        self.edit.is_none()
            && !self.session.is_over()
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
            _ if self.is_reviewing() => format!("{player} is paused during the review (r: stop)"),
            true => format!("{player} is paused (space: continue, m: one move)"),
            false => format!("{player} is paused (space: play on)"),
        })
    }

    /// Removes the last entry of an unfinished move; otherwise goes back to the user's last choice, or one move without
    /// a user.
    pub(super) fn undo(&mut self, cx: &mut Context) {
        if self.take_back_entered() {
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

    /// Returns whether autoplay is possible.
    pub(super) fn can_autoplay(&self) -> bool {
        !self.session.record.is_at_end()
            || (!self.session.is_over() && !self.session.is_human(self.session.position().side()))
    }

    pub(super) fn toggle_autoplay(&mut self, cx: &mut Context) {
        if self.goes_on() {
            // A player that answers a human would continue to think.
            let stays = self.session.mode.is_live() && !self.session.has_human();
            self.session.mode = if stays { Mode::Played } else { Mode::Viewed };
        } else if !self.can_autoplay() {
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
        self.settle(cx);
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
        if let Some(old) = self.playback.thinking.take() {
            cx.stop(old.job);
        }
        self.library.my_levels.apply(&setup.variant, &mut setup.players);
        self.session.players = setup.specs();
        self.session.record.players = self.session.players.clone().map(|spec| spec.to_string());
        self.setup.players = setup.players;
        self.use_help(Reason::Players, cx);
        self.session.play_on();
        self.settle(cx);
    }

    /// The next move at once: the best so far of a player that thinks, the move of a paused one, or for a person a good one.
    pub(super) fn move_now(&mut self, cx: &mut Context) {
        if self.is_retrying() {
            return cx.notice(Tone::Info, "v shows the answer");
        }
        if self.is_paused() {
            // Makes the line's last move instead of showing the next one.
            self.session.mode = Mode::OneMove;
            return self.settle(cx);
        }
        let best = |thinking: &Thinking| {
            let found = || thinking.thought.as_ref()?.report.as_ref()?.best();
            thinking.chosen.or_else(found)
        };
        match self.playback.thinking.as_ref().and_then(best) {
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

    pub(super) fn change_speed(&mut self, factor: f64, cx: &mut Context) {
        self.playback.pace = (self.playback.pace * factor).clamp(0.125, 50.0);
        self.playback.sowing = match self.playback.sowing * factor {
            // Off is below the slowest speed.
            _ if self.playback.sowing == 0.0 && factor > 1.0 => SLOWEST_SOWING,
            sowing if sowing < SLOWEST_SOWING => 0.0,
            sowing => sowing.min(FASTEST_SOWING),
        };
        let sowing = match self.playback.sowing {
            0.0 => "off".to_owned(),
            steps => format!("{steps:.0} seeds a second"),
        };
        let (what, sowing) = match self.session.pits() {
            0 => ("Animation", sowing.replace("seeds", "steps")),
            _ => ("Sowing", sowing),
        };
        cx.notice(Tone::Info, format!("{what}: {sowing}, autoplay: {}", self.playback.pace_text()));
        cx.remember("board", "animation", self.playback.sowing.to_string());
    }

    /// Adjusts the background jobs to the position on screen; called after every change.
    pub(super) fn settle(&mut self, cx: &mut Context) {
        self.forget_other_games(cx);
        self.settle_retry(cx);
        self.settle_preview();
        self.settle_coach(cx);
        self.settle_threat(cx);
        self.settle_tried_lines(cx);
        self.settle_players(cx);
        let wanted = self.wants_thought().then_some(self.session.spot());
        if self.playback.thinking.as_ref().map(|thinking| thinking.spot) != wanted {
            if let Some(old) = self.playback.thinking.take() {
                cx.stop(old.job);
            }
            self.playback.thinking = wanted.and_then(|spot| {
                let position = *self.session.position();
                let before = self.session.record.before();
                let ply = self.session.record.ply();
                let seed = self.session.seed;
                let job = self.seated(position, cx)?.turn(position, before, ply, seed)?;
                let job = cx.start_move(job);
                Some(Thinking { job, spot, failed: false, thought: None, chosen: None })
            });
        }
        self.settle_analysis(cx);
        self.settle_table_value(cx);
        self.settle_explorer(cx);
        self.settle_clock(cx.now);
        // Once the clock has added its increment.
        self.keep_time(cx.now);
        self.settle_draft(cx);
    }

    /// The computer player to move in `position`, as of its last turn; `None` for a human.
    fn seated(&mut self, position: Position, cx: &mut Context) -> Option<&Seat> {
        let side = position.side().index();
        if self.playback.seated[side].is_none() {
            let game = self.session.game;
            let spec = self.session.players[side].clone();
            if let Err(error) = spec.check_rights(cx.paths.rights()) {
                cx.notice(Tone::Bad, error.to_string());
                return None;
            }
            self.playback.seated[side] =
                Seat::new(position, &spec, cx.pool).map(|seat| ComputerSeat { game, spec, seat });
        }
        self.playback.seated[side].as_ref().map(|seated| &seated.seat)
    }

    /// Drops players of other games or in replaced seats with their memory.
    fn settle_players(&mut self, cx: &mut Context) {
        for (seated, spec) in self.playback.seated.iter_mut().zip(&self.session.players) {
            if let Some(past) = seated.take_if(|seated| seated.game != self.session.game || seated.spec != *spec) {
                // Freeing so much memory may take longer than a frame.
                cx.background(move || drop(past));
            }
        }
    }

    /// Returns whether a computer player answers a person.
    pub(super) fn answers(&self) -> bool {
        self.session.has_human() && self.wants_thought()
    }

    /// Returns whether a computer player is to move in a game that is not only viewed.
    pub(super) fn wants_thought(&self) -> bool {
        let side = self.session.position().side();
        let mode = self.session.mode;
        let goes_on = self.session.has_human() || mode.is_automatic() || mode == Mode::OneMove;
        self.edit.is_none()
            && !self.is_reviewing()
            && mode.is_live()
            && goes_on
            && !self.session.is_over()
            && !self.session.is_human(side)
    }

    pub(super) fn thought_news(&mut self, news: News, cx: &mut Context) {
        let position = *self.session.position();
        let Some(thinking) = &mut self.playback.thinking else { return };
        if let Ok(thought) = news.view.downcast::<SearchInfo>() {
            // A guest's time may end before the search does, even before it has a best move.
            let best = || thought.choice.or_else(|| thought.report.as_ref()?.best());
            let is_over = news.state == State::Done && thought.failure.is_none();
            thinking.chosen = is_over.then(|| best().or_else(|| position.moves().into_iter().next())).flatten();
            thinking.failed = thought.failure.is_some();
            thought.failure.iter().for_each(|reason| cx.notice(Tone::Bad, reason.clone()));
            thinking.thought = Some(*thought);
        }
        thinking.failed |= matches!(news.state, State::Failed(_));
        if thinking.failed {
            self.session.mode.stop();
            // The state after a panic is not used.
            self.playback.seated[self.session.record.position().side().index()] = None;
            // The panel is no longer the player's.
            self.settle_analysis(cx);
        }
        self.advance(cx);
    }

    /// The time of the next automatic event.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        let next = self.playback.animation.as_ref().map_or_else(|| self.move_due(), |animation| Some(animation.next));
        [next, self.clock_tick(), self.next_look()].into_iter().flatten().min()
    }

    /// The time of the next automatic move, if one waits.
    fn move_due(&self) -> Option<Instant> {
        let has_choice = self.playback.thinking.as_ref().is_some_and(|thinking| thinking.chosen.is_some());
        let walks = self.session.mode == Mode::Replayed && !self.session.record.is_at_end();
        if !has_choice && !walks {
            return None;
        }
        Some(if self.session.mode.is_automatic() {
            self.playback.moved + self.playback.pause()
        } else {
            self.playback.moved
        })
    }

    /// Performs what is due: the next frame of the animation, then the next move.
    pub(super) fn advance(&mut self, cx: &mut Context) {
        self.check_clock(cx);
        self.follow(cx);
        if let Some(animation) = &mut self.playback.animation {
            while animation.next <= cx.now && animation.frame <= animation.trace.frames() {
                animation.frame += 1;
                animation.next += animation.pause;
            }
            if animation.frame <= animation.trace.frames() {
                return;
            }
            self.playback.animation = None;
        }
        if self.move_due().is_some_and(|due| due <= cx.now) {
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
        self.playback.moved = cx.now;
        self.playback.animation = self.playback.animate(&before.board(), before.trace(mv), cx.now);
        // At the end of the line the game continues automatically only without a human to wait for.
        let goes_on = !self.session.is_over() && !self.session.has_human();
        self.session.mode = match self.session.record.is_at_end() {
            false => Mode::Replayed,
            true if goes_on => Mode::Autoplayed,
            true => Mode::Viewed,
        };
        self.settle(cx);
    }
}
