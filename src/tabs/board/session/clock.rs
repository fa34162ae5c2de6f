//! The clock of a game: a base time for each side, and an increment for each of its turns.
//!
//! It runs for the side to move while the game is played, not while the record is stepped through, reviewed or set up. A side without
//! time loses.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::Session;
use crate::game::Side;
use crate::game::notation::{AGREED, ON_TIME, RESIGNED, TERMINATION, TIME_CONTROL, time_control, time_left};
use crate::theme::Role;

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
    pub fn is_of(&self, game: u64) -> bool {
        self.game == game
    }

    /// The time control as a header of files: `300+3`.
    pub fn header(&self) -> String {
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
pub fn clock_text(left: Duration) -> String {
    crate::ui::clock(Duration::from_secs(left.as_secs_f64().ceil() as u64))
}

/// What the clock and the stopwatch depend on besides the game.
pub struct ClockConditions {
    /// The time control of new games.
    pub control: Option<TimeControl>,
    /// New games begin with the moves of a ballot.
    pub has_ballot: bool,
    /// A computer player is about to move.
    pub is_thinking: bool,
    /// The game is reviewed, or a mistake is tried again.
    pub is_interrupted: bool,
    /// The moves of a person's game without a clock are timed, too.
    pub times_persons: bool,
}

impl Session {
    /// Starts or stops the clock of the side to move.
    pub fn settle_clock(&mut self, conditions: &ClockConditions, now: Instant) {
        let ClockConditions { control, has_ballot, is_thinking, is_interrupted, times_persons } = *conditions;
        // No move was made since the start of the game.
        let is_new = self.record.is_empty() || has_ballot && self.record.is_at_end() && self.record.ply() <= 3;
        if self.clock.as_ref().is_none_or(|clock| clock.game != self.game) {
            let begun = control.filter(|_| is_new).map(|control| GameClock::new(self.game, control));
            self.clock = begun.or_else(|| self.resumed_clock()).filter(|_| self.mode.is_live());
        }
        let side = self.position().side();
        let has_ended = self.is_over() || self.resigned().is_some();
        let is_last = self.record.is_at_end() && self.record.is_main(self.record.at()) && self.edit.is_none();
        let is_human = self.is_human(side);
        let is_running = is_last && (is_human || is_thinking) && (!is_new || !is_human) && !is_interrupted;
        self.settle_stopwatch(is_running, times_persons, now);
        if let Some(clock) = &mut self.clock {
            clock.is_over |= has_ended;
            let is_running = is_running && !clock.is_over;
            clock.run(Some(side).filter(|_| is_running), now);
        }
    }

    /// Notes in the record that the side whose clock has reached zero has lost; false if none has.
    pub fn lose_on_time(&mut self, now: Instant) -> bool {
        self.seen = now;
        let running = self.clock.as_ref().and_then(|clock| Some((clock.running?.0, clock)));
        let Some((side, _)) = running.filter(|(side, clock)| clock.left(*side, now).is_zero()) else { return false };
        let seat = self.seat_name(side).to_owned();
        self.record.set_header(RESIGNED, Some(seat));
        self.record.set_header(TERMINATION, Some(ON_TIME.to_owned()));
        true
    }

    /// Pauses the clock and the stopwatch until the game is settled again.
    pub fn pause_clocks(&mut self, times_persons: bool, now: Instant) {
        self.settle_stopwatch(false, times_persons, now);
        if let Some(clock) = &mut self.clock {
            clock.run(None, now);
        }
    }

    /// The clock of an unfinished game from a file that has the times left, as it was after the last move.
    fn resumed_clock(&self) -> Option<GameClock> {
        let record = &self.record;
        let has_result = [RESIGNED, AGREED].iter().any(|name| record.header(name).is_some());
        let (base, increment) = record.header(TIME_CONTROL).filter(|_| !has_result).and_then(time_control)?;
        let left = Side::BOTH.map(|side| time_left(record, record.main_end(), side));
        let has_times = record.is_at_end() && record.is_main(record.at()) && left.iter().any(Option::is_some);
        let clock = GameClock::new(self.game, TimeControl { base, increment });
        has_times.then(|| GameClock { left: left.map(|left| left.unwrap_or(base)), ..clock })
    }

    /// The time of the next second to show.
    pub fn clock_tick(&self) -> Option<Instant> {
        let clock = self.clock.as_ref()?;
        let (side, since) = clock.running?;
        let left = clock.left[side.index()];
        let shown = left.saturating_sub(self.seen.saturating_duration_since(since));
        // A little later than the full second.
        let next = Duration::from_secs(shown.as_nanos().div_ceil(1_000_000_000).saturating_sub(1) as u64);
        Some(since + left.saturating_sub(next) + Duration::from_millis(1))
    }

    /// Whether a side has less than a tenth of its base left, or than 20 seconds.
    pub fn is_short_of_time(&self, side: Side) -> bool {
        let clock = self.clock.as_ref().filter(|clock| clock.is_of(self.game));
        let tenth = clock.map_or(Duration::ZERO, |clock| clock.control.base / 10);
        self.time_left(side).is_some_and(|left| left < tenth.max(SHORT))
    }

    /// The time that a side has left, `4:32`; `None` without a clock.
    pub fn clock_text(&self, side: Side) -> Option<String> {
        self.time_left(side).map(clock_text)
    }

    /// The role of a side's clock: little time left, or the side to move.
    pub fn clock_role(&self, side: Side) -> Role {
        match () {
            () if self.is_short_of_time(side) => Role::Warning,
            () if self.is_to_move(side) => Role::Accent,
            () => Role::Dim,
        }
    }

    pub fn is_to_move(&self, side: Side) -> bool {
        self.position().side() == side && !self.is_over()
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
