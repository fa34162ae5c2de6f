//! Moves in time: the sowing that is shown, computer players that think, a game that goes on by itself.

use std::time::{Duration, Instant};

use super::Board;
use crate::app::effect::{Context, Tone};
use crate::game::record::{NodeId, Record};
use crate::game::{Move, PitBoard, Trace};
use crate::job::{JobId, News, State};
use crate::player::thinking::{self, Thought};

/// A move being shown seed by seed.
pub struct Animation {
    before: PitBoard,
    pub trace: Trace,
    pub frame: usize,
    next: Instant,
    pause: Duration,
}

impl Animation {
    pub fn board(&self) -> PitBoard {
        self.trace.at(&self.before, self.frame)
    }
}

/// A computer player at work on the position `node`.
pub struct Thinking {
    pub job: JobId,
    node: NodeId,
    /// What it says so far.
    pub thought: Option<Thought>,
    /// The move it has decided on, waiting for its time on the board.
    chosen: Option<Move>,
}

/// Speeds that `+` and `-` go through: sowing steps a second, 0 is off.
const FASTEST_SOWING: f64 = 96.0;
const SLOWEST_SOWING: f64 = 3.0;

impl Board {
    /// Makes a move from the position on screen and shows it.
    pub(super) fn make_move(&mut self, mv: Move, cx: &mut Context) {
        let before = *self.position();
        if !self.record.play(mv) {
            return;
        }
        self.asked = false;
        self.moved = cx.now;
        self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
        if self.position().is_over() {
            self.autoplay = false;
        }
        self.settle(cx);
    }

    fn animate(&self, before: &PitBoard, trace: Trace, now: Instant) -> Option<Animation> {
        let pause = Duration::from_secs(1).checked_div(self.sowing as u32).filter(|_| self.sowing > 0.0)?;
        Some(Animation { before: before.clone(), trace, frame: 1, next: now + pause, pause })
    }

    /// Walks the record; the game stops going on by itself, and sowing that was being shown is cut short.
    pub(super) fn walk(&mut self, cx: &mut Context, step: impl FnOnce(&mut Record) -> bool) {
        self.autoplay = false;
        step(&mut self.record);
        self.show_now(cx);
    }

    /// Shows the current position at once.
    pub(super) fn show_now(&mut self, cx: &mut Context) {
        self.animation = None;
        self.asked = false;
        self.moved = cx.now;
        self.settle(cx);
    }

    /// One move on: along the line, or at its end the computer player's next move.
    pub(super) fn step_on(&mut self, cx: &mut Context) {
        self.autoplay = false;
        let before = *self.position();
        match self.record.next() {
            Some(mv) if self.record.forward() => {
                self.asked = false;
                self.moved = cx.now;
                self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
            }
            _ => {
                self.animation = None;
                self.asked = true;
            }
        }
        self.settle(cx);
    }

    /// Back to where the person at the keyboard chose last; without one, a single move back.
    pub(super) fn undo(&mut self, cx: &mut Context) {
        self.walk(cx, |record| record.back());
        while self.has_human() && !self.is_human(self.position().side()) && self.record.back() {}
        self.show_now(cx);
    }

    /// There is something that could go on by itself.
    pub(super) fn can_autoplay(&self) -> bool {
        !self.record.is_at_end() || (!self.position().is_over() && !self.is_human(self.position().side()))
    }

    pub(super) fn toggle_autoplay(&mut self, cx: &mut Context) {
        if !self.autoplay && !self.can_autoplay() {
            let text = if self.position().is_over() { "The game is over" } else { "It is your move" };
            return cx.notice(Tone::Info, text);
        }
        self.autoplay = !self.autoplay;
        self.asked = false;
        // The first move comes at once.
        self.moved = cx.now.checked_sub(self.pause()).unwrap_or(cx.now);
        self.settle(cx);
    }

    pub(super) fn change_speed(&mut self, factor: f64, cx: &mut Context) {
        self.pace = (self.pace * factor).clamp(0.125, 50.0);
        self.sowing = match self.sowing * factor {
            // Off is below the slowest and above the fastest: at either end the sowing is no use to look at.
            _ if self.sowing == 0.0 => {
                if factor > 1.0 {
                    SLOWEST_SOWING
                } else {
                    FASTEST_SOWING
                }
            }
            sowing if (SLOWEST_SOWING..=FASTEST_SOWING).contains(&sowing) => sowing,
            _ => 0.0,
        };
        let sowing = match self.sowing {
            0.0 => "off".to_owned(),
            steps => format!("{steps:.0} seeds a second"),
        };
        let pace = if self.pace < 1.0 {
            format!("1 move in {:.0} s", 1.0 / self.pace)
        } else {
            format!("{:.0} moves a second", self.pace)
        };
        cx.notice(Tone::Info, format!("Sowing: {sowing}; playing by itself: {pace}"));
    }

    /// Brings what runs in the background in line with the position on screen: to be called after every change.
    pub(super) fn settle(&mut self, cx: &mut Context) {
        let wanted = self.wants_thought().then_some(self.record.at());
        if self.thinking.as_ref().map(|thinking| thinking.node) != wanted {
            if let Some(old) = self.thinking.take() {
                cx.stop(old.job);
            }
            self.thinking = wanted.and_then(|node| {
                let (position, ply) = (*self.position(), self.record.ply());
                let spec = &self.players[position.side().index()];
                let job = cx.start(thinking::Thinking::new(position, spec, ply, self.seed)?);
                Some(Thinking { job, node, thought: None, chosen: None })
            });
        }
        self.settle_analysis(cx);
    }

    /// A computer player is to move: at the end of the line, in a game that goes on.
    fn wants_thought(&self) -> bool {
        let side = self.position().side();
        let goes_on = self.has_human() || self.autoplay || self.asked;
        self.edit.is_none() && self.record.is_at_end() && !self.position().is_over() && !self.is_human(side) && goes_on
    }

    pub(super) fn thought_news(&mut self, news: News, cx: &mut Context) {
        let Some(thinking) = &mut self.thinking else { return };
        if let Ok(thought) = news.view.downcast::<Thought>() {
            thinking.chosen = if news.state == State::Done { thought.choice } else { None };
            thinking.thought = Some(*thought);
        }
        if let State::Failed(_) = news.state {
            self.autoplay = false;
        }
        self.advance(cx);
    }

    /// Plays the best move that the player at work has found so far.
    pub(super) fn move_now(&mut self, cx: &mut Context) {
        let report = self.thinking.as_ref().and_then(|thinking| thinking.thought.as_ref()?.report.as_ref());
        match report.and_then(|report| report.best()) {
            Some(mv) => self.make_move(mv, cx),
            None => cx.notice(Tone::Info, "It has found nothing yet"),
        }
    }

    /// When something is to happen by itself.
    pub(super) fn next_tick(&self) -> Option<Instant> {
        if let Some(animation) = &self.animation {
            return Some(animation.next);
        }
        self.move_due()
    }

    /// When the next move is to be made or shown, if one is waiting.
    fn move_due(&self) -> Option<Instant> {
        let has_choice = self.thinking.as_ref().is_some_and(|thinking| thinking.chosen.is_some());
        let walks = self.autoplay && !self.record.is_at_end();
        if !has_choice && !walks {
            return None;
        }
        Some(if self.autoplay { self.moved + self.pause() } else { self.moved })
    }

    /// Between two moves of autoplay.
    fn pause(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.pace)
    }

    /// Does what is due: the next frame of the sowing, then the next move.
    pub(super) fn advance(&mut self, cx: &mut Context) {
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
        if let Some(mv) = self.thinking.as_ref().and_then(|thinking| thinking.chosen) {
            return self.make_move(mv, cx);
        }
        let (before, next) = (*self.position(), self.record.next());
        let Some(mv) = next.filter(|_| self.record.forward()) else { return };
        self.moved = cx.now;
        self.animation = self.animate(&before.board(), before.trace(mv), cx.now);
        let ends = self.record.is_at_end() && (self.position().is_over() || self.is_human(self.position().side()));
        self.autoplay &= !ends;
        self.settle(cx);
    }
}
