//! Tic-tac-toe.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Ground, Piece, Place, Squares, Step, Trace};
use crate::{Bare, Choice, Game, Move, Notation, Planes, Side, BoardGame, TextError};

/// Bits of the squares taken by each side, row by row from the upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    taken: [u16; 2],
    side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    fn has_won(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.taken[side.index()] & line == *line)
    }

    fn all(&self) -> u16 {
        self.taken[0] | self.taken[1]
    }
}

impl Game for TicTacToe {
    type Moves = std::vec::IntoIter<Move>;
    type Key = [u16; 2];

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        self.all() == 0o777 || Side::BOTH.iter().any(|side| self.has_won(*side))
    }

    fn moves(&self) -> Self::Moves {
        let free = |at: &u16| !self.is_over() && self.all() >> at & 1 == 0;
        (0..9).filter(free).map(Move).collect::<Vec<_>>().into_iter()
    }

    fn play(&self, mv: Move) -> TicTacToe {
        let mut next = *self;
        next.taken[self.side.index()] |= 1 << mv.0;
        next.side = self.side.other();
        next
    }

    fn margin(&self, side: Side) -> i32 {
        i32::from(self.has_won(side)) - i32::from(self.has_won(side.other()))
    }

    fn key(&self) -> [u16; 2] {
        [self.taken[self.side.index()], self.taken[self.side.other().index()]]
    }

    fn hash(key: &[u16; 2]) -> u64 {
        (u64::from(key[0]) << 16 | u64::from(key[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("3x3")
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        if matches!(text, "" | "3x3") { Ok(Rules) } else { Err(format!("'{text}' is not a size; known: 3x3").into()) }
    }
}

impl BoardGame for TicTacToe {
    type Rules = Rules;
    const NAME: &'static str = "tic-tac-toe";
    const TITLE: &'static str = "Tic-tac-toe";
    const RULES_HELP: &'static str = "[:3x3]";

    fn choices(_: Rules) -> Vec<Choice> {
        Vec::new()
    }

    fn choose(rules: Rules, _: usize, _: usize) -> Rules {
        rules
    }

    fn start(_: Rules) -> TicTacToe {
        TicTacToe { taken: [0; 2], side: Side::South }
    }

    fn rules(&self) -> Rules {
        Rules
    }

    fn board(&self) -> Board {
        let piece = |at: u16| Side::BOTH.into_iter().find(|side| self.taken[side.index()] >> at & 1 == 1).map(Piece::man);
        Board::Squares(Squares { files: 3, ranks: 3, ground: Ground::Whole, pieces: (0..9).map(piece).collect() })
    }

    fn from_board(_: Rules, board: &Board, side: Side) -> Result<TicTacToe, Error> {
        let Board::Squares(squares) = board else { return Err("a board of squares is expected".into()) };
        let bits = |side: Side| {
            let of_side = |at: &usize| squares.pieces.get(*at).is_some_and(|piece| *piece == Some(Piece::man(side)));
            (0..9).filter(of_side).map(|at| 1 << at).sum()
        };
        Ok(TicTacToe { taken: Side::BOTH.map(bits), side })
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![Place::Square(mv.0 as u8)]
    }

    fn trace(&self, mv: Move) -> Trace {
        let steps = vec![Step::Place(mv.0 as u8, Piece::man(self.side))];
        Trace { mover: self.side, steps, extra_turn: false, over: self.play(mv).is_over() }
    }
}

impl Notation for TicTacToe {
    fn move_text(&self, mv: Move) -> String {
        format!("{}{}", char::from(b'a' + (mv.0 % 3) as u8), 3 - mv.0 / 3)
    }

    fn to_text(&self) -> String {
        let cell = |at: u16| match self.taken.map(|bits| bits >> at & 1) {
            [1, _] => 'x',
            [_, 1] => 'o',
            _ => '-',
        };
        format!("{} {}", (0..9).map(cell).collect::<String>(), self.side.letter())
    }

    fn from_text(_: Rules, text: &str) -> Result<TicTacToe, TextError> {
        let wrong = || TextError::new(1, 1, text, "nine of x, o and -, and S or N");
        let (cells, side) = text.split_once(' ').filter(|(cells, _)| cells.len() == 9).ok_or_else(wrong)?;
        let side = Side::BOTH.into_iter().find(|known| side == known.letter().to_string()).ok_or_else(wrong)?;
        let bits = |mark| cells.chars().enumerate().filter(|(_, cell)| *cell == mark).map(|(at, _)| 1 << at).sum();
        Ok(TicTacToe { taken: ['x', 'o'].map(bits), side })
    }

    fn recognise(_: &str) -> Option<Bare> {
        None
    }
}

impl Planes for TicTacToe {
    const ENCODINGS: &'static [(&'static str, &'static str)] = &[("squares", "the squares of either side")];

    fn inputs(&self, _: usize) -> usize {
        18
    }

    fn outputs(&self) -> usize {
        9
    }

    fn encode(&self, _: usize, input: &mut Vec<(u16, f32)>) {
        let [own, other] = self.key();
        let bits = (0..18).filter(|at| (u32::from(own) | u32::from(other) << 9) >> at & 1 == 1);
        input.extend(bits.map(|at| (at, 1.0)));
    }

    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}
