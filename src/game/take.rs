//! A game for tests only: each side has two pits and takes a whole one into its store, until the mover has none left.
//! Seeds that remain stay where they are. It shows what a game has to bring, and that nothing else knows games by name.

use std::fmt;
use std::str::FromStr;

use super::{Board, Choice, Game, Move, PitBoard, Place, Side, Step, Tabletop, TextError, Trace};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take {
    pits: [[u8; 2]; 2],
    stores: [u8; 2],
    side: Side,
}

/// There is nothing to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRules;

impl fmt::Display for NoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain")
    }
}

impl FromStr for NoRules {
    type Err = String;

    fn from_str(text: &str) -> Result<NoRules, String> {
        if matches!(text, "" | "plain") { Ok(NoRules) } else { Err(format!("'{text}' is not plain")) }
    }
}

impl Game for Take {
    type Moves = std::vec::IntoIter<Move>;
    type Key = ([[u8; 2]; 2], Side);

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        self.moves().len() == 0
    }

    fn moves(&self) -> Self::Moves {
        let own = self.pits[self.side.index()];
        (0..2).filter(|&pit| own[usize::from(pit)] > 0).map(Move).collect::<Vec<_>>().into_iter()
    }

    fn play(&self, mv: Move) -> Take {
        let mut next = *self;
        let (side, pit) = (self.side.index(), mv.index());
        next.stores[side] += std::mem::take(&mut next.pits[side][pit]);
        next.side = self.side.other();
        next
    }

    fn margin(&self, side: Side) -> i32 {
        i32::from(self.stores[side.index()]) - i32::from(self.stores[side.other().index()])
    }

    fn key(&self) -> Self::Key {
        (self.pits, self.side)
    }

    fn hash(key: &Self::Key) -> u64 {
        let pits = key.0.iter().flatten().fold(key.1 as u64, |hash, &seeds| hash << 8 | u64::from(seeds));
        pits.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Tabletop for Take {
    type Rules = NoRules;
    const NAME: &'static str = "take";
    const TITLE: &'static str = "Take";
    const RULES_HELP: &'static str = "[:plain]";

    fn choices(_: NoRules) -> Vec<Choice> {
        Vec::new()
    }

    fn choose(rules: NoRules, _: usize, _: usize) -> NoRules {
        rules
    }

    fn start(_: NoRules) -> Take {
        Take { pits: [[1, 3], [2, 1]], stores: [0, 0], side: Side::South }
    }

    fn board(&self) -> Board {
        let pits = self.pits.map(|row| row.map(u16::from).into());
        Board::Pits(PitBoard { pits, stores: self.stores.map(u16::from) })
    }

    fn from_board(_: NoRules, board: &Board, side: Side) -> Result<Take, String> {
        let Board::Pits(board) = board else { return Err("it is played with pits".to_owned()) };
        let count = |n: u16| u8::try_from(n).map_err(|_| format!("{n} seeds are too many"));
        let row = |side: usize| Ok::<_, String>([count(board.pits[side][0])?, count(board.pits[side][1])?]);
        Ok(Take { pits: [row(0)?, row(1)?], stores: [count(board.stores[0])?, count(board.stores[1])?], side })
    }

    fn move_text(&self, mv: Move) -> String {
        let first = if self.side == Side::South { b'A' } else { b'a' };
        char::from(first + mv.0 as u8).to_string()
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![Place::Pit(self.side, mv.0 as u8)]
    }

    fn trace(&self, mv: Move) -> Trace {
        let mut steps = vec![Step::Lift(Place::Pit(self.side, mv.0 as u8))];
        let seeds = usize::from(self.pits[self.side.index()][mv.index()]);
        steps.extend(vec![Step::Drop(Place::Store(self.side)); seeds]);
        Trace { mover: self.side, steps, extra_turn: false, over: self.play(mv).is_over() }
    }

    fn to_text(&self) -> String {
        format!("{:?} {:?} {}", self.pits, self.stores, self.side.letter())
    }

    fn from_text(rules: NoRules, text: &str) -> Result<Take, TextError> {
        let start = Take::start(rules);
        if text == start.to_text() { Ok(start) } else { Err(TextError::new(1, 1, text, start.to_text())) }
    }
}
