//! The pace of moves, and what is in progress on the board: a move being animated, and a computer player that thinks.

use std::time::{Duration, Instant};

use crate::game::{self, Move, Trace};
use crate::job::JobId;
use crate::player::{SearchInfo, Seat, Spec};
use crate::tabs::board::Spot;

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

/// A computer player thinking about a position.
pub struct Thinking {
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
pub(in crate::tabs::board) struct ComputerSeat {
    pub game: u64,
    pub spec: Spec,
    pub seat: Seat,
}

/// The pace of moves, and what is in progress on the board.
pub(in crate::tabs::board) struct Playback {
    /// Moves per second of autoplay, and sowing steps per second; 0 for no animation.
    pub pace: f64,
    pub sowing: f64,
    /// Time of the last move made or shown.
    pub moved: Instant,
    pub animation: Option<Animation>,
    pub thinking: Option<Thinking>,
    /// `[south, north]`: the computer players that have had a turn in this game.
    pub seated: [Option<ComputerSeat>; 2],
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
        }
    }

    /// Returns the animation of a move; `None` if it is switched off.
    pub fn animate(&self, before: &game::Board, trace: Trace, now: Instant) -> Option<Animation> {
        let pause = Duration::try_from_secs_f64(1.0 / self.sowing).ok().filter(|_| self.sowing > 0.0)?;
        Some(Animation { before: before.clone(), trace, frame: 1, next: now + pause, pause })
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
}

impl Thinking {
    /// It has decided, and its move waits.
    pub fn has_chosen(&self) -> bool {
        self.chosen.is_some()
    }
}
