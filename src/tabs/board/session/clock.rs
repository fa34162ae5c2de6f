//! The clock of a game: a base time for each side, and an increment for each of its turns.
//!
//! It runs for the side to move while the game is played, not while the record is stepped through, reviewed or set up. A side without
//! time loses.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::Mode;
use crate::app::effect::Context;
use crate::game::Side;
use crate::game::notation::{AGREED, ON_TIME, RESIGNED, TERMINATION, TIME_CONTROL, time_control, time_left};
use crate::tabs::board::Board;

/// Most minutes of a base, and seconds of an increment.
const MOST: (f64, u64) = (600.0, 600);

/// The time left that is little in any game.
const SHORT: Duration = Duration::from_secs(20);

/// Base and increment: `5+3` is five minutes, and three seconds for each turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl FromStr for TimeControl {
    type Err = Error;

    fn from_str(text: &str) -> Result<TimeControl, Error> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = base.trim().parse().ok().filter(|base| *base > 0.0 && *base <= MOST.0);
        let increment = increment.trim().parse().ok().filter(|increment| *increment <= MOST.1);
        let (Some(base), Some(increment)) = (base, increment) else {
            let (minutes, seconds) = MOST;
            return Err(format!(
                "a clock must be minutes and seconds a turn, as in 5+3, at most {minutes}+{seconds} (got '{text}')"
            )
            .into());
        };
        let base: f64 = base;
        Ok(TimeControl { base: Duration::from_secs_f64(60.0 * base), increment: Duration::from_secs(increment) })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64() / 60.0, self.increment.as_secs())
    }
}

/// The clock of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    game: u64,
    control: TimeControl,
    /// Time left when the side's clock was started last: `[south, north]`.
    left: [Duration; 2],
    /// The side whose clock runs, and since when.
    running: Option<(Side, Instant)>,
    /// The game has ended: what follows is not played on the clock.
    is_over: bool,
}

impl GameClock {
    /// A clock that does not run yet, of the game with this number.
    pub(crate) fn new(game: u64, control: TimeControl) -> GameClock {
        GameClock { game, control, left: [control.base; 2], running: None, is_over: false }
    }

    /// The side whose clock runs.
    #[cfg(any(test, feature = "serve"))]
    pub(crate) fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    pub(crate) fn left(&self, side: Side, now: Instant) -> Duration {
        let spent = self.running.filter(|(running, _)| *running == side);
        let spent = spent.map_or(Duration::ZERO, |(_, since)| now.saturating_duration_since(since));
        self.left[side.index()].saturating_sub(spent)
    }

    /// The time that a side has left: `4:32`.
    #[cfg(feature = "serve")]
    pub(crate) fn text(&self, side: Side, now: Instant) -> String {
        clock_text(self.left(side, now))
    }

    /// Whether it is the clock of the game with this number.
    pub(in crate::tabs::board) fn is_of(&self, game: u64) -> bool {
        self.game == game
    }

    /// The time control as a header of files: `300+3`.
    pub(in crate::tabs::board) fn header(&self) -> String {
        format!("{}+{}", self.control.base.as_secs_f64(), self.control.increment.as_secs())
    }

    /// Runs the clock of this side, or none. A side whose turn ends gets its increment.
    pub(crate) fn run(&mut self, side: Option<Side>, now: Instant) {
        let before = self.running.map(|(side, _)| side);
        if before == side {
            return;
        }
        if let Some(before) = before {
            let increment = if side.is_some() { self.control.increment } else { Duration::ZERO };
            self.left[before.index()] = self.left(before, now) + increment;
        }
        self.running = side.map(|side| (side, now));
    }
}

/// A time left, in full seconds.
pub(in crate::tabs::board) fn clock_text(left: Duration) -> String {
    crate::ui::clock(Duration::from_secs(left.as_secs_f64().ceil() as u64))
}

impl Board {
    /// Starts or stops the clock of the side to move.
    pub(in crate::tabs::board) fn settle_clock(&mut self, now: Instant) {
        if self.session.clock.as_ref().is_none_or(|clock| clock.game != self.session.game) {
            let control = self.setup.clock.filter(|_| self.is_new());
            let begun = control.map(|control| GameClock::new(self.session.game, control));
            self.session.clock = begun.or_else(|| self.resumed_clock()).filter(|_| self.session.mode.is_live());
        }
        let side = self.session.position().side();
        let has_ended = self.session.is_over() || self.resigned().is_some();
        let is_running = self.is_on_clock(side);
        self.settle_stopwatch(is_running, now);
        if let Some(clock) = &mut self.session.clock {
            clock.is_over |= has_ended;
            let is_running = is_running && !clock.is_over;
            clock.run(Some(side).filter(|_| is_running), now);
        }
    }

    /// Pauses the clock and the stopwatch until the game is settled again.
    pub(in crate::tabs::board) fn pause_clocks(&mut self, now: Instant) {
        self.settle_stopwatch(false, now);
        if let Some(clock) = &mut self.session.clock {
            clock.run(None, now);
        }
    }

    /// The clock of an unfinished game from a file that has the times left, as it was after the last move.
    fn resumed_clock(&self) -> Option<GameClock> {
        let record = &self.session.record;
        let has_result = [RESIGNED, AGREED].iter().any(|name| record.header(name).is_some());
        let (base, increment) = record.header(TIME_CONTROL).filter(|_| !has_result).and_then(time_control)?;
        let left = Side::BOTH.map(|side| time_left(record, record.main_end(), side));
        let has_times = record.is_at_end() && record.is_main(record.at()) && left.iter().any(Option::is_some);
        let clock = GameClock::new(self.session.game, TimeControl { base, increment });
        has_times.then(|| GameClock { left: left.map(|left| left.unwrap_or(base)), ..clock })
    }

    /// Whether the clock of the side to move runs.
    fn is_on_clock(&self, side: Side) -> bool {
        let at = self.session.record.at();
        let is_last = self.session.record.is_at_end() && self.session.record.is_main(at) && self.edit.is_none();
        let thinks =
            self.session.is_human(side) || self.playback.thinking.as_ref().is_some_and(|thinking| !thinking.failed);
        let has_begun = !self.is_new() || !self.session.is_human(side);
        is_last && thinks && has_begun && !self.is_reviewing() && !self.is_retrying()
    }

    /// Whether no move was made since the start of the game.
    fn is_new(&self) -> bool {
        self.session.record.is_empty()
            || self.setup.ballot.is_some() && self.session.record.is_at_end() && self.session.record.ply() <= 3
    }

    /// The time of the next second to show.
    pub(in crate::tabs::board) fn clock_tick(&self) -> Option<Instant> {
        let clock = self.session.clock.as_ref()?;
        let (side, since) = clock.running?;
        let left = clock.left[side.index()];
        let shown = left.saturating_sub(self.session.seen.saturating_duration_since(since));
        // A little later than the full second.
        let next = Duration::from_secs(shown.as_nanos().div_ceil(1_000_000_000).saturating_sub(1) as u64);
        Some(since + left.saturating_sub(next) + Duration::from_millis(1))
    }

    /// Ends the game if the running clock has reached zero.
    pub(in crate::tabs::board) fn check_clock(&mut self, cx: &mut Context) {
        self.session.seen = cx.now;
        let Some((side, left)) = self.session.clock.as_ref().and_then(|clock| {
            let (side, _) = clock.running?;
            Some((side, clock.left(side, cx.now)))
        }) else {
            return;
        };
        if left.is_zero() {
            let seat = self.session.seat_name(side).to_owned();
            self.session.record.set_header(RESIGNED, Some(seat));
            self.session.record.set_header(TERMINATION, Some(ON_TIME.to_owned()));
            // The card needs it, and stepping through the record has cleared it.
            self.session.mode = Mode::Played;
            self.show_card(cx);
            self.session.mode = Mode::Viewed;
            self.settle(cx);
        }
    }

    /// Whether a side has less than a tenth of its base left, or than 20 seconds.
    pub(in crate::tabs::board) fn is_short_of_time(&self, side: Side) -> bool {
        let clock = self.session.clock.as_ref().filter(|clock| clock.is_of(self.session.game));
        let tenth = clock.map_or(Duration::ZERO, |clock| clock.control.base / 10);
        self.time_left(side).is_some_and(|left| left < tenth.max(SHORT))
    }

    /// The time that a side has left, `4:32`; `None` without a clock.
    pub(in crate::tabs::board) fn clock_text(&self, side: Side) -> Option<String> {
        self.time_left(side).map(clock_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        let text = |text: &str| text.parse::<TimeControl>().map(|control| control.to_string());
        for control in ["5+3", "0.5+0", "600+600"] {
            assert_eq!(text(control).unwrap(), control);
        }
        assert_eq!(text("10").unwrap(), "10+0");
        for wrong in ["", "0+3", "-1", "5+", "5+x", "601", "5+601", "tea"] {
            assert!(text(wrong).unwrap_err().to_string().contains("as in 5+3"), "{wrong}");
        }
    }

    #[test]
    fn the_side_to_move_spends_its_time_and_gets_an_increment() {
        let control: TimeControl = "1+2".parse().unwrap();
        let now = Instant::now();
        let at = |seconds| now + Duration::from_secs(seconds);
        let mut clock = GameClock::new(0, control);
        clock.run(Some(Side::South), at(0));
        assert_eq!(clock.left(Side::South, at(10)), Duration::from_secs(50));
        clock.run(Some(Side::South), at(10));
        clock.run(Some(Side::North), at(15));
        assert_eq!(clock.left(Side::South, at(99)), Duration::from_secs(47), "45 and the increment");
        clock.run(None, at(20));
        assert_eq!(clock.left(Side::North, at(99)), Duration::from_secs(55), "no increment in a pause");
        clock.run(Some(Side::North), at(30));
        assert_eq!(clock.left(Side::North, at(200)), Duration::ZERO);
    }
}
