//! [`BoardGame`] for Kalah: seed counts on a board, and moves seed by seed.
//!
//! [`trace`](BoardGame::trace) walks the board place by place and shares no code with the table in
//! [`play`](crate::Game::play), so that each verifies the other.

use super::large::LargeRules;
use super::{Capture, End, Kalah, MAX_TOTAL, Rules};
use crate::sowing::{text, words};
use crate::{Board, BoardGame, Choice, Game, Move, PitBoard, Place, Side, Step, Trace};
use mancalab_base::Error;

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
        let board = text::checked(&rules.to_string(), rules.pits(), MAX_TOTAL.into(), board)?;
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
