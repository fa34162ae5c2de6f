//! [`BoardGame`] for Kalah: seed counts on a board, and moves seed by seed.
//!
//! [`trace`](BoardGame::trace) walks the board place by place and shares no code with the table in
//! [`play`](crate::Game::play), so that each verifies the other.

use mancalab_base::Error;

use super::large::LargeRules;
use super::{Capture, End, Kalah, MAX_PITS, MAX_TOTAL, Rules};
use crate::sowing::{board_game, words};
use crate::{Bare, Board, BoardGame, Choice, Game, Move, Notation, PitBoard, Place, Side, Step, TextError, Trace};

impl BoardGame for Kalah {
    type Rules = Rules;

    const NAME: &'static str = "kalah";
    const TITLE: &'static str = "Kalah";
    const ABOUT: &'static str = "Seeds go round the board and into your store: a last seed there moves again, one in an empty pit of yours takes those opposite.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store, on the right of your pits.",
        "A move sows the seeds of one of your pits counter-clockwise, one in each following pit and in your store, not in the other store.",
        "A last seed in your store gives you another turn.",
        "A last seed in an empty pit of yours takes itself and the seeds of the opposite pit (if there are any, by the standard rule).",
        "The game ends when a side has no seeds in its pits; the other side keeps those in its own.",
    ];
    const RULES_HELP: &'static str = "[:PITSxSEEDS[:standard|empty][:end=mover][:fair=N]]";

    fn choices(rules: Rules) -> Vec<Choice> {
        rules.choices().into()
    }

    fn choose(rules: Rules, index: usize, chosen: usize) -> Rules {
        rules.choose(index, chosen)
    }

    fn chosen_text(rules: Rules, index: usize, chosen: usize) -> String {
        LargeRules(rules).choose(index, chosen).to_string()
    }

    fn start(rules: Rules) -> Kalah {
        if let Some(fair) = rules.fair().checked_sub(1).and_then(|index| rules.fair_openings().nth(index.into())) {
            return Kalah { rules, ..fair };
        }
        let pits = (0..rules.pits()).fold(0, |pits, pit| pits | u64::from(rules.seeds()) << (8 * pit));
        Kalah::from_parts(rules, [pits; 2], [0; 2], Side::South)
    }

    fn rules(&self) -> Rules {
        self.rules()
    }

    fn board(&self) -> Board {
        Board::Pits(self.pit_board())
    }

    fn from_board(rules: Rules, board: &Board, side: Side) -> Result<Kalah, Error> {
        let board = board_game::checked(&rules.to_string(), rules.pits(), MAX_TOTAL.into(), board)?;
        // The total is checked, so no count is truncated.
        let pits = board.pits.each_ref().map(|row| words::word(row));
        Ok(Kalah::from_parts(rules, pits, board.stores.map(|seeds| seeds as u8), side))
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![Place::Pit(self.side(), mv.0 as u8)]
    }

    fn trace(&self, mv: Move) -> Trace {
        trace(self.rules, self.side(), &self.pit_board(), mv)
    }
}

/// The steps of `mover`'s move, place by place.
pub(super) fn trace(rules: Rules, mover: Side, before: &PitBoard, mv: Move) -> Trace {
    let mut place = Place::Pit(mover, mv.0 as u8);
    let seeds = before.get(place);
    let mut trace = Trace { mover, steps: vec![Step::Lift(place)], extra_turn: false, over: false };
    for _ in 0..seeds {
        place = next_place(rules, place, mover);
        trace.steps.push(Step::Drop(place));
    }
    let captured = captured(rules, &after(&trace, before), place, mover);
    if !captured.is_empty() {
        trace.steps.push(Step::Take(captured));
    }
    let after = after(&trace, before);
    let is_empty = |side: Side| after.pits[side.index()].iter().all(|&seeds| seeds == 0);
    let again = place == Place::Store(mover);
    trace.over = match rules.end() {
        End::Either => is_empty(mover) || is_empty(mover.other()),
        End::Mover => is_empty(if again { mover } else { mover.other() }),
    };
    if trace.over {
        let pits = after.places().filter(|place| matches!(place, Place::Pit(..)));
        let left: Vec<_> = pits.map(|pit| (pit, after.get(pit))).filter(|&(_, seeds)| seeds > 0).collect();
        if !left.is_empty() {
            trace.steps.push(Step::Gather(left));
        }
    }
    trace.extra_turn = again && !trace.over;
    trace
}

/// Place of `mover`'s next seed after one in `place`.
fn next_place(rules: Rules, place: Place, mover: Side) -> Place {
    match place {
        Place::Store(side) => Place::Pit(side.other(), 0),
        Place::Pit(side, pit) if pit + 1 < rules.pits() => Place::Pit(side, pit + 1),
        Place::Pit(side, _) if side == mover => Place::Store(side),
        Place::Pit(side, _) => Place::Pit(side.other(), 0),
        Place::Square(_) => place,
    }
}

/// Captures of a last seed in `last`, given the board with all seeds sown.
fn captured(rules: Rules, sown: &PitBoard, last: Place, mover: Side) -> Vec<(Place, u16)> {
    let Place::Pit(side, pit) = last else { return Vec::new() };
    let opposite = Place::Pit(mover.other(), rules.pits() - 1 - pit);
    let facing = sown.get(opposite);
    if side != mover || sown.get(last) != 1 || (facing == 0 && rules.capture() == Capture::Standard) {
        return Vec::new();
    }
    [(last, 1), (opposite, facing)].into_iter().filter(|&(_, seeds)| seeds > 0).collect()
}

/// The board after all steps so far.
fn after(trace: &Trace, before: &PitBoard) -> PitBoard {
    match trace.at(&Board::Pits(before.clone()), trace.frames()) {
        Board::Pits(after) => after,
        Board::Squares(_) => before.clone(),
    }
}

impl Kalah {
    /// Seed counts of the board.
    pub fn pit_board(&self) -> PitBoard {
        let (pits, stores) = self.by_seat();
        PitBoard { pits: pits.map(|pits| words::row(pits, self.rules.pits())), stores: stores.map(u16::from) }
    }
}

impl Notation for Kalah {
    fn move_text(&self, mv: Move) -> String {
        board_game::pit_name(self.side(), mv.0 as u8)
    }

    fn to_text(&self) -> String {
        board_game::print(&self.pit_board(), self.side())
    }

    fn from_text(rules: Rules, text: &str) -> Result<Kalah, TextError> {
        board_game::parse(rules, &rules, (rules.pits(), MAX_TOTAL.into()), text)
    }

    fn recognise(text: &str) -> Option<Bare> {
        board_game::recognise(text, MAX_PITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn six_by_four(text: &str) -> Result<Kalah, TextError> {
        Kalah::from_text(Rules::default(), text)
    }

    #[test]
    fn the_start_is_printed_and_read() {
        let start = Kalah::start(Rules::default());
        assert_eq!(start.to_text(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
        for text in ["<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", " < 6,0,0,4,4,4,4,4,4,\n4,4,4,4,4,4 > s\n"] {
            assert_eq!(six_by_four(text), Ok(start));
        }
        assert_eq!(six_by_four(&start.play(Move(0)).to_text()), Ok(start.play(Move(0))));
    }

    #[test]
    fn a_side_without_seeds_ends_the_game() {
        let pos = six_by_four("<6,20,20,0,0,0,0,0,0,1,2,0,0,0,5> S").unwrap();
        assert!(pos.is_over());
        assert_eq!(pos.to_text(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S");
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| six_by_four(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, column 1: the text ends here; expected '<' at the start of a position");
        assert_eq!(error("6,0"), "line 1, column 1: found '6'; expected '<' at the start of a position");
        assert_eq!(error("<5,0"), "line 1, column 2: found '5'; expected 6, the pits a side of 6x4:standard");
        assert_eq!(error("<6,0,\n x"), "line 2, column 2: found 'x'; expected a number of seeds");
        assert_eq!(error("<6,0,0,4>"), "line 1, column 9: found '>'; expected a comma and 11 more of 14 counts");
        assert_eq!(
            error("<6,190,3"),
            "line 1, column 8: found '3'; expected at most 2 seeds, for a total of at most 192"
        );
        assert_eq!(
            error("<6,99999999999"),
            "line 1, column 4: found '99999999999'; expected at most 192 seeds, for a total of at most 192"
        );
        let full = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4";
        assert_eq!(error(full), "line 1, column 31: the text ends here; expected '>' after 14 counts");
        assert_eq!(error(&format!("{full},4>")), "line 1, column 31: found ','; expected '>' after 14 counts");
        assert_eq!(
            error(&format!("{full}> W")),
            "line 1, column 33: found 'W'; expected S or N, the side to move, or nothing more"
        );
        assert_eq!(error(&format!("{full}> N !")), "line 1, column 35: found '!'; expected nothing more");
    }
}
