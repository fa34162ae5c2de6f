//! The timing of moves: animated sowing, thinking computer players, autoplay.
//!
//! A computer player moves only after a move just made, or on request. Loading a game or stepping through it pauses the
//! players and changes nothing.

use std::time::{Duration, Instant};

use super::{Board, Setup, Spot};
use crate::app::effect::{Context, Tone};
use crate::game::record::Record;
use crate::game::{self, Move, Position, Trace};
use crate::job::{JobId, News, State};
use crate::player::{SearchInfo, Seat, Spec};

/// A move being animated.
pub struct Animation {
    before: game::Board,
    pub trace: Trace,
    pub frame: usize,
    next: Instant,
    pause: Duration,
}

impl Animation {
    pub fn board(&self) -> game::Board {
        self.trace.at(&self.before, self.frame)
    }
}

/// A computer player thinking about a position.
pub struct Thinking {
    pub job: JobId,
    spot: Spot,
    /// Its thread panicked, without a move.
    pub failed: bool,
    /// Its progress report.
    pub thought: Option<SearchInfo>,
    /// Its move, waiting for its time on the board.
    chosen: Option<Move>,
}

/// A computer player in its seat, from its first turn in a game to the end of the game.
pub(super) struct ComputerSeat {
    game: u64,
    spec: Spec,
    seat: Seat,
}

impl Thinking {
    /// It has decided, and its move waits.
    pub fn has_chosen(&self) -> bool {
        self.chosen.is_some()
    }
}

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
        if self.try_move(mv, cx) || !self.may_change(cx) {
            return;
        }
        let before = *self.position();
        let thought = self.thinking.as_mut().and_then(|thinking| thinking.thought.take());
        let replaces = self.taken_back.take() == Some(self.record.at());
        if !self.record.play(mv) {
            return;
        }
        self.withdraw_resignation();
        if replaces && self.record.branch(self.record.at()) == Some(self.record.at()) {
            self.record.promote(self.record.at());
        }
        if let Some(thought) = thought.filter(|thought| thought.choice.is_none_or(|choice| choice == mv)) {
            self.reports.keep(self.game, self.record.at(), thought);
        }
        self.live = true;
        self.asked = false;
        if !self.is_human(before.side()) && self.awaits_human() && cx.now - self.moved >= LONG {
            cx.announce(format!("{} moved {}", self.seat_name(before.side()), before.move_text(mv)));
        }
        self.moved = cx.now;
        self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
        if self.is_over() {
            self.autoplay = false;
            self.show_card(cx);
        } else {
            self.stop_quiet_review(cx);
        }
        self.settle(cx);
    }

    fn animate(&self, before: &game::Board, trace: Trace, now: Instant) -> Option<Animation> {
        let pause = Duration::try_from_secs_f64(1.0 / self.sowing).ok().filter(|_| self.sowing > 0.0)?;
        Some(Animation { before: before.clone(), trace, frame: 1, next: now + pause, pause })
    }

    /// Steps through the record; stops autoplay and the animation.
    pub(super) fn walk(&mut self, cx: &mut Context, step: impl FnOnce(&mut Record) -> bool) {
        self.autoplay = false;
        let before = self.record.at();
        step(&mut self.record);
        // A key without effect does not interrupt a player.
        if self.record.at() != before {
            self.live = false;
            self.taken_back = None;
        }
        self.show_now(cx);
    }

    pub(super) fn switch_variation(&mut self, by: isize, cx: &mut Context) {
        let before = self.record.at();
        self.walk(cx, |record| record.switch_variation(by));
        if self.record.at() == before {
            cx.notice(Tone::Info, "No variations in this line");
        }
    }

    /// Shows the current position at once.
    pub(super) fn show_now(&mut self, cx: &mut Context) {
        self.card = None;
        self.animation = None;
        self.asked = false;
        self.moved = cx.now;
        self.settle(cx);
    }

    /// One move forward: along the line, or at its end the computer player's next move, unless the game is only viewed.
    pub(super) fn step_on(&mut self, cx: &mut Context) {
        self.autoplay = false;
        let before = *self.position();
        match self.record.next() {
            Some(mv) if self.record.forward() => {
                (self.live, self.asked, self.taken_back) = (false, false, None);
                self.moved = cx.now;
                self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
            }
            _ if self.live => {
                self.animation = None;
                self.asked = true;
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
        let side = self.position().side();
        self.edit.is_none() && !self.is_over() && !self.is_human(side) && !self.wants_thought() && !self.autoplay
    }

    /// A sentence about a paused player; `None` if there is none.
    pub(super) fn paused_text(&self) -> Option<String> {
        let side = self.position().side();
        // A player with a long text is named by its seat.
        let player = Some(self.players[side.index()].to_string()).filter(|text| text.len() <= NAMED);
        let player = player.unwrap_or_else(|| self.seat_name(side).to_owned());
        self.is_paused().then(|| match self.record.is_at_end() {
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
        let here = self.record.at();
        while self.record.back() {
            if !self.has_human() || self.is_human(self.position().side()) {
                (self.live, self.autoplay) = (false, false);
                self.taken_back = Some(self.record.at());
                return self.show_now(cx);
            }
        }
        self.record.go_to(here);
        cx.notice(Tone::Info, "You have no move to take back");
    }

    /// Returns whether autoplay is possible.
    pub(super) fn can_autoplay(&self) -> bool {
        !self.record.is_at_end() || (!self.is_over() && !self.is_human(self.position().side()))
    }

    pub(super) fn toggle_autoplay(&mut self, cx: &mut Context) {
        if self.goes_on() {
            self.autoplay = false;
            // A player that answers a human would continue to think.
            self.live &= !self.has_human();
        } else if !self.can_autoplay() {
            let text = if self.is_over() { "The game is over" } else { "It is your move" };
            return cx.notice(Tone::Info, text);
        } else {
            // A human's game continues with one answer.
            self.live = self.record.is_at_end();
            self.autoplay = !self.live || !self.has_human();
        }
        self.asked = false;
        // The first move comes at once.
        self.moved = cx.now.checked_sub(self.pause()).unwrap_or(cx.now);
        self.settle(cx);
    }

    /// Returns whether moves are made or shown automatically.
    pub(super) fn goes_on(&self) -> bool {
        self.autoplay || self.thinking.is_some()
    }

    /// Seats other players, who play on from the position on screen.
    pub(super) fn play_on(&mut self, game: u64, setup: Setup, cx: &mut Context) {
        if game != self.game {
            return;
        }
        self.stop_quiet_review(cx);
        if let Some(old) = self.thinking.take() {
            cx.stop(old.job);
        }
        self.players = setup.specs();
        self.record.players = self.players.clone().map(|spec| spec.to_string());
        self.setup.players = setup.players;
        (self.live, self.autoplay) = (true, !self.has_human());
        self.settle(cx);
    }

    /// The next move at once: the best so far of a player that thinks, the move of a paused one, or for a person a good one.
    pub(super) fn move_now(&mut self, cx: &mut Context) {
        if self.is_paused() {
            // Makes the line's last move instead of showing the next one.
            (self.live, self.asked) = (true, true);
            return self.settle(cx);
        }
        let best = |thinking: &Thinking| {
            let found = || thinking.thought.as_ref()?.report.as_ref()?.best();
            thinking.chosen.or_else(found)
        };
        match self.thinking.as_ref().and_then(best) {
            Some(mv) => self.make_move(mv, cx),
            None if self.awaits_human() => self.play_hint(cx),
            None if self.is_over() => cx.notice(Tone::Info, "The game is over"),
            None => cx.notice(Tone::Info, "No move found yet"),
        }
    }

    pub(super) fn change_speed(&mut self, factor: f64, cx: &mut Context) {
        self.pace = (self.pace * factor).clamp(0.125, 50.0);
        self.sowing = match self.sowing * factor {
            // Off is below the slowest speed.
            _ if self.sowing == 0.0 && factor > 1.0 => SLOWEST_SOWING,
            sowing if sowing < SLOWEST_SOWING => 0.0,
            sowing => sowing.min(FASTEST_SOWING),
        };
        let sowing = match self.sowing {
            0.0 => "off".to_owned(),
            steps => format!("{steps:.0} seeds a second"),
        };
        let (what, sowing) = match self.pits() {
            0 => ("Animation", sowing.replace("seeds", "steps")),
            _ => ("Sowing", sowing),
        };
        cx.notice(Tone::Info, format!("{what}: {sowing}, autoplay: {}", self.pace_text()));
        cx.remember("board", "animation", self.sowing.to_string());
    }

    /// The speed of autoplay: `2/s`, or `1 in 4 s`.
    pub(super) fn pace_text(&self) -> String {
        if self.pace < 1.0 { format!("1 in {:.0} s", 1.0 / self.pace) } else { format!("{:.0}/s", self.pace) }
    }

    /// Adjusts the background jobs to the position on screen; called after every change.
    pub(super) fn settle(&mut self, cx: &mut Context) {
        self.forget_other_games(cx);
        self.settle_retry();
        self.settle_players(cx);
        let wanted = self.wants_thought().then_some(self.spot());
        if self.thinking.as_ref().map(|thinking| thinking.spot) != wanted {
            if let Some(old) = self.thinking.take() {
                cx.stop(old.job);
            }
            self.thinking = wanted.and_then(|spot| {
                let position = *self.position();
                let before = self.record.before();
                let ply = self.record.ply();
                let seed = self.seed;
                let job = self.seated(position, cx)?.turn(position, before, ply, seed)?;
                let job = cx.start_move(job);
                Some(Thinking { job, spot, failed: false, thought: None, chosen: None })
            });
        }
        self.settle_analysis(cx);
        self.settle_table_value(cx);
        self.settle_clock(cx.now);
    }

    /// The computer player to move in `position`, as of its last turn; `None` for a human.
    fn seated(&mut self, position: Position, cx: &mut Context) -> Option<&Seat> {
        let side = position.side().index();
        if self.seated[side].is_none() {
            let game = self.game;
            let spec = self.players[side].clone();
            if let Err(error) = spec.check_rights(cx.paths.rights()) {
                cx.notice(Tone::Bad, error.to_string());
                return None;
            }
            self.seated[side] = Seat::new(position, &spec, cx.pool).map(|seat| ComputerSeat { game, spec, seat });
        }
        self.seated[side].as_ref().map(|seated| &seated.seat)
    }

    /// Drops players of other games or in replaced seats with their memory.
    fn settle_players(&mut self, cx: &mut Context) {
        for (seated, spec) in self.seated.iter_mut().zip(&self.players) {
            if let Some(past) = seated.take_if(|seated| seated.game != self.game || seated.spec != *spec) {
                // Freeing so much memory may take longer than a frame.
                cx.background(move || drop(past));
            }
        }
    }

    /// Returns whether a computer player is to move in a game that is not only viewed.
    fn wants_thought(&self) -> bool {
        let side = self.position().side();
        let goes_on = self.has_human() || self.autoplay || self.asked;
        self.edit.is_none() && !self.is_reviewing() && self.live && goes_on && !self.is_over() && !self.is_human(side)
    }

    pub(super) fn thought_news(&mut self, news: News, cx: &mut Context) {
        let position = *self.position();
        let Some(thinking) = &mut self.thinking else { return };
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
            self.autoplay = false;
            // The state after a panic is not used.
            self.seated[self.record.position().side().index()] = None;
            // The panel is no longer the player's.
            self.settle_analysis(cx);
        }
        self.advance(cx);
    }

    /// The time of the next automatic event.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        let next = self.animation.as_ref().map_or_else(|| self.move_due(), |animation| Some(animation.next));
        [next, self.clock_tick()].into_iter().flatten().min()
    }

    /// The time of the next automatic move, if one waits.
    fn move_due(&self) -> Option<Instant> {
        let has_choice = self.thinking.as_ref().is_some_and(|thinking| thinking.chosen.is_some());
        let walks = self.autoplay && !self.live && !self.record.is_at_end();
        if !has_choice && !walks {
            return None;
        }
        Some(if self.autoplay { self.moved + self.pause() } else { self.moved })
    }

    /// The interval of autoplay.
    fn pause(&self) -> Duration {
        // The configuration limits the speed to what a clock can measure; a faster one must not stop it.
        Duration::try_from_secs_f64(1.0 / self.pace).unwrap_or_default()
    }

    /// Performs what is due: the next frame of the animation, then the next move.
    pub(super) fn advance(&mut self, cx: &mut Context) {
        self.check_clock(cx);
        if let Some(animation) = &mut self.animation {
            while animation.next <= cx.now && animation.frame <= animation.trace.frames() {
                animation.frame += 1;
                animation.next += animation.pause;
            }
            if animation.frame <= animation.trace.frames() {
                return;
            }
            self.animation = None;
        }
        if self.move_due().is_some_and(|due| due <= cx.now) {
            self.next_move(cx);
        }
    }

    fn next_move(&mut self, cx: &mut Context) {
        if let Some(mv) = self.thinking.as_mut().and_then(|thinking| thinking.chosen.take()) {
            return self.make_move(mv, cx);
        }
        let before = *self.position();
        let next = self.record.next();
        let Some(mv) = next.filter(|_| self.record.forward()) else { return };
        self.moved = cx.now;
        self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
        // At the end of the line the game continues automatically only without a human to wait for.
        let goes_on = !self.is_over() && !self.has_human();
        self.live = self.record.is_at_end() && goes_on;
        self.autoplay &= !self.record.is_at_end() || goes_on;
        self.settle(cx);
    }
}
