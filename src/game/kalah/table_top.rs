//! Kalah as a person meets it: counts on a board, and a move told seed by seed.
//!
//! [`trace`](Tabletop::trace) walks the board place by place and shares nothing with the table that
//! [`play`](crate::game::Game::play) reads, so that each checks the other.

use super::{Capture, Kalah, MAX_TOTAL, Rules};
use crate::game::{Cell, Choice, Game, Move, PitBoard, Side, Tabletop, TextError, Trace};

impl Tabletop for Kalah {
    type Rules = Rules;

    const NAME: &'static str = "kalah";
    const TITLE: &'static str = "Kalah";
    const RULES_HELP: &'static str = "[:PITSxSEEDS[:standard|empty]]";

    fn choices(rules: Rules) -> Vec<Choice> {
        rules.choices().into()
    }

    fn choose(rules: Rules, index: usize, chosen: usize) -> Rules {
        rules.choose(index, chosen)
    }

    fn start(rules: Rules) -> Kalah {
        let pits = (0..rules.pits()).fold(0, |pits, pit| pits | u64::from(rules.seeds()) << (8 * pit));
        Kalah::from_parts(rules, [pits; 2], [0; 2], Side::South)
    }

    fn board(&self) -> PitBoard {
        let (pits, stores) = self.by_seat();
        let row = |pits: u64| pits.to_le_bytes()[..usize::from(self.rules.pits())].iter().map(|&n| n.into()).collect();
        PitBoard { pits: pits.map(row), stores: stores.map(u16::from) }
    }

    fn from_board(rules: Rules, board: &PitBoard, side: Side) -> Result<Kalah, String> {
        let wanted = usize::from(rules.pits());
        for (row, seat) in board.pits.iter().zip(Side::BOTH) {
            if row.len() != wanted {
                return Err(format!("{seat} has {} pits; {rules} has {wanted} a side", row.len()));
            }
        }
        let total = board.total();
        if total > u32::from(MAX_TOTAL) {
            return Err(format!("there are {total} seeds on the board; at most {MAX_TOTAL} are possible"));
        }
        // The total was checked, so no count is cut short here.
        let word = |row: &Vec<u16>| row.iter().rev().fold(0, |word, &seeds| word << 8 | u64::from(seeds));
        let pits = [word(&board.pits[0]), word(&board.pits[1])];
        Ok(Kalah::from_parts(rules, pits, board.stores.map(|seeds| seeds as u8), side))
    }

    fn move_text(&self, mv: Move) -> String {
        let first = if self.side() == Side::South { b'A' } else { b'a' };
        char::from(first.saturating_add(mv.0 as u8)).to_string()
    }

    fn trace(&self, mv: Move) -> Trace {
        let mover = self.side();
        let before = self.board();
        let mut trace = Trace {
            mover,
            origin: Cell::Pit(mover, mv.0 as u8),
            sown: Vec::new(),
            captured: Vec::new(),
            gathered: Vec::new(),
            extra_turn: false,
            over: false,
        };
        let mut place = trace.origin;
        for _ in 0..before.get(trace.origin) {
            place = self.next_place(place, mover);
            trace.sown.push(place);
        }
        let sown = trace.at(&before, trace.frames());
        trace.captured = self.captured(&sown, place, mover);
        let after = trace.at(&before, trace.frames());
        trace.over = after.pits.iter().any(|row| row.iter().all(|&seeds| seeds == 0));
        if trace.over {
            let cells =
                Side::BOTH.into_iter().flat_map(|seat| (0..self.rules.pits()).map(move |pit| Cell::Pit(seat, pit)));
            trace.gathered = cells.map(|cell| (cell, after.get(cell))).filter(|&(_, seeds)| seeds > 0).collect();
        }
        trace.extra_turn = place == Cell::Store(mover) && !trace.over;
        trace
    }

    fn to_text(&self) -> String {
        super::text::print(self)
    }

    fn from_text(rules: Rules, text: &str) -> Result<Kalah, TextError> {
        super::text::parse(rules, text)
    }
}

impl Kalah {
    /// Where `mover`'s next seed falls after one in `place`.
    fn next_place(&self, place: Cell, mover: Side) -> Cell {
        match place {
            Cell::Store(side) => Cell::Pit(side.other(), 0),
            Cell::Pit(side, pit) if pit + 1 < self.rules.pits() => Cell::Pit(side, pit + 1),
            Cell::Pit(side, _) if side == mover => Cell::Store(side),
            Cell::Pit(side, _) => Cell::Pit(side.other(), 0),
        }
    }

    /// What a last seed in `last` captures, given the board with all seeds sown.
    fn captured(&self, sown: &PitBoard, last: Cell, mover: Side) -> Vec<(Cell, u16)> {
        let Cell::Pit(side, pit) = last else { return Vec::new() };
        let opposite = Cell::Pit(mover.other(), self.rules.pits() - 1 - pit);
        let facing = sown.get(opposite);
        if side != mover || sown.get(last) != 1 || (facing == 0 && self.rules.capture() == Capture::Standard) {
            return Vec::new();
        }
        [(last, 1), (opposite, facing)].into_iter().filter(|&(_, seeds)| seeds > 0).collect()
    }
}
