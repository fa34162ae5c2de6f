//! The pace of moves, and what is in progress on the board: a move being animated, and a computer player that thinks.

use std::time::{Duration, Instant};

use crate::app::tab::{Context, Tone};
use crate::game::{self, Move, Position, Trace};
use crate::job::{JobId, News, State};
use crate::player::{SearchInfo, Seat, Spec};
use crate::tabs::board::session::{Mode, Session, Spot};

/// The speeds of `+` and `-` in sowing steps per second; 0 is off.
const FASTEST_SOWING: f64 = 96.0;
const SLOWEST_SOWING: f64 = 3.0;

/// A move being animated.
pub struct Animation {
    before: game::Board,
    pub trace: Trace,
    pub frame: usize,
    pub next: Instant,
    pub pause: Duration,
}

impl Animation {
    pub fn board(&self) -> game::Board {
        self.trace.at(&self.before, self.frame)
    }
}

/// The turn of a computer player: its search of a position, and its move.
pub struct ComputerTurn {
    pub job: JobId,
    pub spot: Spot,
    /// Its thread panicked, without a move.
    pub failed: bool,
    /// Its progress report.
    pub thought: Option<SearchInfo>,
    /// Its move, waiting for its time on the board.
    pub chosen: Option<Move>,
}

/// A computer player in its seat, from its first turn in a game to the end of the game.
pub struct ComputerSeat {
    pub game: u64,
    pub spec: Spec,
    pub seat: Seat,
}

/// The pace of moves, and what is in progress on the board.
pub struct Playback {
    /// Moves per second of autoplay, and sowing steps per second; 0 for no animation.
    pace: f64,
    sowing: f64,
    /// Time of the last move made or shown.
    pub(super) moved: Instant,
    pub(super) animation: Option<Animation>,
    pub(super) thinking: Option<ComputerTurn>,
    /// `[south, north]`: the computer players that have had a turn in this game.
    seated: [Option<ComputerSeat>; 2],
    /// The player last refused for missing rights, and where it was to move.
    refused: Option<(Spot, Spec)>,
}

impl Playback {
    pub fn new() -> Playback {
        Playback {
            pace: 1.0,
            sowing: 0.0,
            moved: Instant::now(),
            animation: None,
            thinking: None,
            seated: [None, None],
            refused: None,
        }
    }

    /// Begins to animate a move from a position, unless that is switched off.
    pub fn animate(&mut self, before: &Position, mv: Move, now: Instant) {
        let pause = Duration::try_from_secs_f64(1.0 / self.sowing).ok().filter(|_| self.sowing > 0.0);
        let (before, trace) = (before.board(), before.trace(mv));
        self.animation = pause.map(|pause| Animation { before, trace, frame: 1, next: now + pause, pause });
    }

    /// The same, for a move of the game.
    pub fn show_move(&mut self, before: &Position, mv: Move, now: Instant) {
        self.moved = now;
        self.animate(before, mv, now);
    }

    /// Goes on with the animation; returns whether it is over.
    pub fn advance(&mut self, now: Instant) -> bool {
        if let Some(animation) = &mut self.animation {
            while animation.next <= now && animation.frame <= animation.trace.frames() {
                animation.frame += 1;
                animation.next += animation.pause;
            }
            if animation.frame <= animation.trace.frames() {
                return false;
            }
            self.animation = None;
        }
        true
    }

    /// The time of the next frame or the next automatic move.
    pub fn next_tick(&self, session: &Session) -> Option<Instant> {
        self.animation.as_ref().map_or_else(|| self.move_due(session), |animation| Some(animation.next))
    }

    /// Lets the player to move think if it `is_awaited`, and no other.
    pub fn settle(&mut self, session: &Session, is_awaited: bool, cx: &mut Context) {
        self.drop_players(session, cx);
        let wanted = is_awaited.then_some(session.spot());
        if self.thinking.as_ref().map(|thinking| thinking.spot) != wanted {
            self.stop_thinking(cx);
            self.thinking = wanted.and_then(|spot| {
                let record = &session.record;
                let seat = self.seated(session, cx)?;
                let job = seat.turn(*session.position(), record.before(), record.ply(), session.seed)?;
                Some(ComputerTurn { job: cx.start_move(job), spot, failed: false, thought: None, chosen: None })
            });
        }
    }

    /// Returns whether a computer player thinks, and has not failed.
    pub fn is_thinking(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| !thinking.failed)
    }

    pub fn stop_thinking(&mut self, cx: &mut Context) {
        if let Some(old) = self.thinking.take() {
            cx.stop(old.job);
        }
    }

    /// Takes what the player to move has found; returns whether it has failed.
    pub fn take_thought(&mut self, position: &Position, news: News, cx: &mut Context) -> bool {
        let Some(thinking) = &mut self.thinking else { return false };
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
        let has_failed = thinking.failed;
        if has_failed {
            // The state after a panic is not used.
            self.seated[position.side().index()] = None;
        }
        has_failed
    }

    /// The time of the next automatic move, if one waits.
    pub fn move_due(&self, session: &Session) -> Option<Instant> {
        let has_choice = self.thinking.as_ref().is_some_and(|thinking| thinking.chosen.is_some());
        let walks = session.mode == Mode::Replayed && !session.record.is_at_end();
        if !has_choice && !walks {
            return None;
        }
        Some(if session.mode.is_automatic() { self.moved + self.pause() } else { self.moved })
    }

    pub fn change_speed(&mut self, session: &Session, factor: f64, cx: &mut Context) {
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
        let (what, sowing) = match session.pits() {
            0 => ("Animation", sowing.replace("seeds", "steps")),
            _ => ("Sowing", sowing),
        };
        cx.notice(Tone::Info, format!("{what}: {sowing}, autoplay: {}", self.pace_text()));
        cx.remember("board", "animation", self.sowing.to_string());
    }

    /// The computer player to move, as of its last turn; `None` for a human, and for a player without rights, which is reported once
    /// for a position.
    fn seated(&mut self, session: &Session, cx: &mut Context) -> Option<&Seat> {
        let side = session.position().side().index();
        if self.seated[side].is_none() {
            let game = session.game;
            let spec = session.players[side].clone();
            if let Err(error) = spec.check_rights(cx.paths.rights()) {
                let refused = Some((session.spot(), spec));
                if self.refused != refused {
                    cx.notice(Tone::Bad, error.to_string());
                    self.refused = refused;
                }
                return None;
            }
            self.seated[side] =
                Seat::new(*session.position(), &spec, cx.pool).map(|seat| ComputerSeat { game, spec, seat });
        }
        self.seated[side].as_ref().map(|seated| &seated.seat)
    }

    /// Drops players of other games or in replaced seats with their memory.
    fn drop_players(&mut self, session: &Session, cx: &mut Context) {
        for (seated, spec) in self.seated.iter_mut().zip(&session.players) {
            if let Some(past) = seated.take_if(|seated| seated.game != session.game || seated.spec != *spec) {
                // Freeing so much memory may take longer than a frame.
                cx.background(move || drop(past));
            }
        }
    }

    /// Returns the speed of autoplay: `2/s`, or `1 in 4 s`.
    pub fn pace_text(&self) -> String {
        if self.pace < 1.0 { format!("1 in {:.0} s", 1.0 / self.pace) } else { format!("{:.0}/s", self.pace) }
    }

    /// Returns the interval of autoplay.
    pub fn pause(&self) -> Duration {
        // The configuration limits the speed to what a clock can measure; a faster one must not stop it.
        Duration::try_from_secs_f64(1.0 / self.pace).unwrap_or_default()
    }

    /// Sets the moves per second of autoplay, and the sowing steps per second.
    pub fn set_speeds(&mut self, pace: f64, sowing: f64) {
        (self.pace, self.sowing) = (pace, sowing);
    }

    /// Switches the animation of moves off; returns whether it was on.
    pub fn stop_sowing(&mut self) -> bool {
        std::mem::take(&mut self.sowing) > 0.0
    }
}

impl ComputerTurn {
    /// Its move, or the best one so far.
    pub fn best(&self) -> Option<Move> {
        let found = || self.thought.as_ref()?.report.as_ref()?.best();
        self.chosen.or_else(found)
    }

    /// It has decided, and its move waits.
    pub fn has_chosen(&self) -> bool {
        self.chosen.is_some()
    }
}
