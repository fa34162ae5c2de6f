//! The end of a game: its result, a resignation, a loss on time.

use super::Session;
use crate::app::tab::{Context, Tone};
use crate::game::notation::{ON_TIME, RESIGNED, TERMINATION};
use crate::game::referee::Why;
use crate::game::{self, Ending, Outcome, Side};
use crate::ui::Look;

impl Session {
    /// The side of the only person, or the side to move of two.
    pub fn person(&self) -> Option<Side> {
        let to_move = self.position().side();
        [to_move, to_move.other()].into_iter().find(|&side| self.is_human(side))
    }

    pub fn can_resign(&self) -> bool {
        self.mode.is_live()
            && self.has_human()
            && !self.is_over()
            && !self.record.is_empty()
            && self.resigned().is_none()
    }

    /// A game whose main line continues is not resigned.
    pub fn withdraw_resignation(&mut self, cx: &mut Context) {
        if let Some(side) = self.resigned().filter(|_| self.record.is_main(self.record.at())) {
            let what = if self.is_lost_on_time() { "loss on time" } else { "resignation" };
            cx.notice(Tone::Info, format!("The game goes on: {}'s {what} is withdrawn", self.seat_name(side)));
            self.record.set_header(RESIGNED, None);
            self.record.set_header(
                TERMINATION,
                self.record.header(TERMINATION).filter(|how| *how != ON_TIME).map(str::to_owned),
            );
        }
    }

    /// The side that resigned the game.
    pub fn resigned(&self) -> Option<Side> {
        let seat = self.record.header(RESIGNED)?;
        Side::BOTH.into_iter().find(|&side| self.seat_name(side) == seat)
    }

    /// Returns whether the position shown is the one in which a side resigned.
    pub fn is_resigned_here(&self) -> bool {
        self.resigned().is_some() && self.record.at() == self.record.main_end()
    }

    pub fn is_lost_on_time(&self) -> bool {
        self.record.header(TERMINATION) == Some(ON_TIME) && self.resigned().is_some()
    }

    /// The outcome of the game on the card for a side.
    pub fn outcome(&self, side: Side) -> Option<Outcome> {
        let lost = |resigned| if resigned == side { Outcome::Lost } else { Outcome::Won };
        self.resigned().map(lost).or_else(|| self.record.ending().map(|ending| ending.outcome(side)))
    }

    pub fn has_computer(&self) -> bool {
        Side::BOTH.into_iter().any(|side| !self.is_human(side))
    }

    /// `You win 31 : 17`.
    pub fn headline(&self) -> String {
        let side = self.person().unwrap_or(Side::South);
        let whom = if self.has_computer() { "You".to_owned() } else { self.seat_name(side).to_owned() };
        let verb = |one: &str| if self.has_computer() { one.to_owned() } else { format!("{one}s") };
        let counts = self.position().board().counts();
        let own = counts[side.index()];
        let other = counts[side.other().index()];
        match self.outcome(side) {
            Some(Outcome::Lost) if self.is_lost_on_time() => format!("{whom} lost on time"),
            Some(Outcome::Lost) if self.resigned().is_some() => format!("{whom} resigned"),
            Some(Outcome::Won) if self.is_lost_on_time() => format!("{whom} {} on time", verb("win")),
            Some(Outcome::Won) => format!("{whom} {} {own} : {other}", verb("win")),
            Some(Outcome::Lost) => format!("{whom} {} {own} : {other}", verb("lose")),
            _ => format!("Draw {own} : {other}"),
        }
    }

    /// `South wins 27 : 21`: the end of a game, with the winner's count first, and the reason if the counts do not show
    /// it.
    pub fn result_texts(&self, ending: Ending, look: &Look) -> (String, Option<String>) {
        let [south, north] = self.position().board().counts();
        let dot = look.glyphs.dot;
        let result = match ending.outcome {
            Outcome::Won => format!("{} wins {south} : {north}", self.seat_name(Side::South)),
            Outcome::Lost => format!("{} wins {north} : {south}", self.seat_name(Side::North)),
            Outcome::Drawn => format!("Draw {south} : {north}"),
        };
        let why = match ending.why {
            Why::NoMoves => self.lost_text(ending),
            Why::Rule(rule) => Some(rule.to_owned()),
            Why::Plies(plies) => Some(format!("after {plies} moves")),
        };
        (format!("Game over {dot} {result}"), why)
    }

    /// The reason why a side with pieces lost: `White cannot move`; `None` if the counts decide.
    fn lost_text(&self, ending: Ending) -> Option<String> {
        let game::Board::Squares(board) = self.position().board() else { return None };
        let side = Side::BOTH.into_iter().find(|&side| board.has_kings() && ending.outcome(side) == Outcome::Lost)?;
        let what = if board.count(side) == 0 { "has no piece left" } else { "cannot move" };
        Some(format!("{} {what}", self.seat_name(side)))
    }

    /// Whether a side has lost on time in the session's own game, which ends it for good.
    pub fn time_is_over(&self) -> bool {
        self.clock.is_some() && self.is_lost_on_time()
    }

    /// Whether the game is over, by the rules or on time.
    pub fn has_ended(&self) -> bool {
        self.is_over() || self.time_is_over()
    }
}
