//! How a game at a table ended: in its record, and in a sentence.

use std::sync::Arc;
use std::time::Instant;

use super::{Phase, Sitter, Table};
use crate::game::notation::{AGREED, ON_TIME, RESIGNED, TERMINATION};
use crate::game::record::Record;
use crate::game::referee::{Ending, Why};
use crate::game::{Outcome, Side};

/// The value of the header `Termination` of a game whose player did not come back.
const ABANDONED: &str = "abandoned";

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// By the rules.
    Over(Ending),
    Resigned(Side),
    OnTime(Side),
    /// The person of this side left the server, or did not come back within the limit.
    Abandoned(Side),
    Agreed,
    /// The server ended; the game is unfinished.
    Stopped,
}

impl Table {
    /// Ends the game and writes its result into the record.
    pub fn finish(&mut self, finish: Finish, now: Instant) {
        self.phase = Phase::Ended(finish);
        (self.draw, self.rematch) = (None, None);
        self.run_clock(now);
        let seats = self.terms.variant.seats();
        let lost = |record: &mut Record, side: Side, how: Option<&str>| {
            record.set_header(RESIGNED, Some(seats[side.index()].to_owned()));
            record.set_header(TERMINATION, how.map(str::to_owned));
        };
        let record = Arc::make_mut(&mut self.record);
        match finish {
            Finish::Over(_) | Finish::Stopped => {}
            Finish::Resigned(side) => lost(record, side, None),
            Finish::OnTime(side) => lost(record, side, Some(ON_TIME)),
            Finish::Abandoned(side) => lost(record, side, Some(ABANDONED)),
            Finish::Agreed => record.set_header(AGREED, Some("1/2-1/2".to_owned())),
        }
        self.remark(self.finish_text(finish));
    }

    /// A sentence without a full stop: `South wins 30 : 18`, `anna resigned: bert wins`.
    pub fn finish_text(&self, finish: Finish) -> String {
        let lost = |side: Side, how: &str| format!("{} {how}: {} wins", self.player(side), self.player(side.other()));
        match finish {
            Finish::Over(ending) => self.over_text(&ending),
            Finish::Resigned(side) => lost(side, "resigned"),
            Finish::OnTime(side) => lost(side, "lost on time"),
            Finish::Abandoned(side) => lost(side, "left"),
            Finish::Agreed => "draw by agreement".to_owned(),
            Finish::Stopped => "the server stopped; the game is kept unfinished".to_owned(),
        }
    }

    fn over_text(&self, ending: &Ending) -> String {
        let [south, north] = self.record.position().board().counts();
        let why = match ending.why {
            Why::NoMoves => String::new(),
            Why::Rule(rule) => format!(" ({rule})"),
            Why::Plies(plies) => format!(" (after {plies} moves)"),
        };
        match ending.outcome {
            Outcome::Won => format!("{} wins {south} : {north}{why}", self.player(Side::South)),
            Outcome::Lost => format!("{} wins {north} : {south}{why}", self.player(Side::North)),
            Outcome::Drawn => format!("draw {south} : {north}{why}"),
        }
    }

    /// The name of a side's player, from the record once the seat is empty.
    fn player(&self, side: Side) -> String {
        let sitter = self.seats[side.index()].as_ref().map(Sitter::name);
        sitter.unwrap_or_else(|| self.record.players[side.index()].clone())
    }
}
