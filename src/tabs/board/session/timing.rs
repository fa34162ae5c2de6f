//! The time of each move of a person's game or of one with a clock: measured while the side to move thinks, kept in the comment on the
//! position after the move (`[%emt 3.2] [%clk 0:04:57]`), and so in every file.
//!
//! Like the clock, the stopwatch runs at the end of the main line alone, or where a move was taken back; it pauses while the record is
//! stepped through, reviewed or set up. The first move of a person is not measured.

use std::time::{Duration, Instant};

use super::{Session, Spot};
use crate::game::notation::{TIME_CONTROL, time_left, time_of_move, timed};
use crate::game::record::{NodeId, Step};
use crate::game::{Position, Side};

/// The time spent so far on one position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    spot: Option<Spot>,
    spent: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// Runs on this position, from zero if it is another than before; or pauses.
    fn run(&mut self, spot: Option<Spot>, now: Instant) {
        if spot.is_some() && spot != self.spot {
            *self = Stopwatch { spot, spent: Duration::ZERO, since: Some(now) };
        } else if spot.is_some() {
            self.since.get_or_insert(now);
        } else if let Some(since) = self.since.take() {
            self.spent += now.saturating_duration_since(since);
        }
    }

    /// Whether a position of the game with this number was measured last.
    fn is_of(&self, game: u64) -> bool {
        self.spot.is_some_and(|spot| spot.game == game)
    }

    /// The time spent on a position; `None` if it was not measured.
    fn time(&self, spot: Spot, now: Instant) -> Option<Duration> {
        let running = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        (self.spot == Some(spot)).then(|| self.spent + running)
    }
}

impl Session {
    /// Starts or pauses the stopwatch; `is_on_clock`: a clock of the side to move would run; `times_persons`: a person's game
    /// needs no clock.
    pub fn settle_stopwatch(&mut self, is_on_clock: bool, times_persons: bool, now: Instant) {
        let has_clock = self.clock.as_ref().is_some_and(|clock| clock.is_of(self.game));
        let is_timed = has_clock || self.has_human() && times_persons;
        // Looking at a game from a file is not playing it.
        let is_played = self.mode.is_live() || self.stopwatch.is_of(self.game);
        let is_taken_back = self.taken_back == Some(self.record.at());
        let runs = is_timed && is_played && (is_on_clock || is_taken_back) && !self.is_over();
        self.stopwatch.run(Some(self.spot()).filter(|_| runs), now);
    }

    /// The time spent on the position shown, before a move is made there.
    pub fn time_here(&self, now: Instant) -> Option<Duration> {
        self.stopwatch.time(self.spot(), now)
    }

    /// Keeps the time of the move just made, and what its side then has left.
    pub fn keep_time(&mut self, now: Instant) {
        let Some((before, time)) = self.measured.take() else { return };
        let at = self.record.at();
        let side = before.side();
        let clock = self.clock.as_ref().filter(|clock| clock.is_of(self.game));
        let left = clock.map(|clock| clock.left(side, now));
        let control = clock.map(super::clock::GameClock::header);
        let comment = timed(self.record.comment(at), time, left);
        self.record.set_comment(at, &comment);
        if control.is_some() {
            self.record.set_header(TIME_CONTROL, control);
        }
    }

    /// The time that a side has left by the clock, or had left at the position shown; `None` if neither is known.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let record = &self.record;
        let is_last = record.is_at_end() && record.is_main(record.at());
        let clock = self.clock.as_ref().filter(|clock| clock.is_of(self.game));
        let running = clock.map(|clock| clock.left(side, self.seen));
        running.filter(|_| is_last).or_else(|| time_left(record, record.at(), side)).or(running)
    }

    /// The time of a turn, by its moves.
    pub fn time_of_turn(&self, steps: &[Step]) -> Option<Duration> {
        let time = |node: NodeId| time_of_move(&self.record, node);
        steps.iter().filter_map(|step| time(step.node)).reduce(|sum, time| sum + time)
    }

    /// Takes the time of the move just made from a position, until the record has it.
    pub fn measure(&mut self, before: Position, time: Option<Duration>) {
        self.measured = time.map(|time| (before, time));
    }
}
