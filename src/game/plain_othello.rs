//! Othello by plain loops over 64 squares, for tests of boards of squares.

use std::fmt;
use std::str::FromStr;

use super::{Board, Choice, Game, Move, Piece, Place, Side, Squares, Step, Tabletop, TextError, Trace};

/// A pass, behind the 64 squares.
const PASS: Move = Move(64);

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Othello {
    squares: [Option<Side>; 64],
    side: Side,
}

impl fmt::Debug for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// There is nothing to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("8x8")
    }
}

impl FromStr for Rules {
    type Err = String;

    fn from_str(text: &str) -> Result<Rules, String> {
        if matches!(text, "" | "8x8") { Ok(Rules) } else { Err(format!("'{text}' is not 8x8")) }
    }
}

const DIRECTIONS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Othello {
    /// What a disc on `square` flips, the nearest of every direction first.
    fn flips(&self, square: u8, side: Side) -> Vec<u8> {
        let mut flips = Vec::new();
        if self.squares[usize::from(square)].is_some() {
            return flips;
        }
        for (right, down) in DIRECTIONS {
            let (mut file, mut rank) = ((square % 8) as i8, (square / 8) as i8);
            let mut line = Vec::new();
            loop {
                (file, rank) = (file + right, rank + down);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let at = (8 * rank + file) as u8;
                match self.squares[usize::from(at)] {
                    Some(owner) if owner != side => line.push(at),
                    Some(_) => {
                        flips.append(&mut line);
                        break;
                    }
                    None => break,
                }
            }
        }
        flips
    }

    fn discs(&self, side: Side) -> Vec<Move> {
        (0..64).filter(|&square| !self.flips(square, side).is_empty()).map(Move::from).collect()
    }
}

impl Game for Othello {
    type Moves = std::vec::IntoIter<Move>;
    type Key = ([Option<Side>; 64], Side);

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.discs(side).is_empty())
    }

    fn moves(&self) -> Self::Moves {
        let moves = self.discs(self.side);
        let passes = moves.is_empty() && !self.is_over();
        if passes { vec![PASS].into_iter() } else { moves.into_iter() }
    }

    fn play(&self, mv: Move) -> Othello {
        let mut next = Othello { side: self.side.other(), ..*self };
        if mv != PASS {
            for square in self.flips(mv.0 as u8, self.side) {
                next.squares[usize::from(square)] = Some(self.side);
            }
            next.squares[mv.index()] = Some(self.side);
        }
        next
    }

    fn margin(&self, side: Side) -> i32 {
        let count = |side| self.squares.iter().filter(|&&disc| disc == Some(side)).count() as i32;
        count(side) - count(side.other())
    }

    fn key(&self) -> Self::Key {
        (self.squares, self.side)
    }

    fn hash(key: &Self::Key) -> u64 {
        let one = |hash: u64, disc: &Option<Side>| {
            (hash ^ disc.map_or(3, |side| side as u64)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        };
        key.0.iter().fold(key.1 as u64, one)
    }
}

impl Tabletop for Othello {
    type Rules = Rules;
    const NAME: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const SEATS: [&'static str; 2] = ["Black", "White"];
    const RULES_HELP: &'static str = "[:8x8]";

    fn choices(_: Rules) -> Vec<Choice> {
        Vec::new()
    }

    fn choose(rules: Rules, _: usize, _: usize) -> Rules {
        rules
    }

    fn start(_: Rules) -> Othello {
        let mut start = Othello { squares: [None; 64], side: Side::South };
        for (square, side) in [(27, Side::North), (28, Side::South), (35, Side::South), (36, Side::North)] {
            start.squares[square] = Some(side);
        }
        start
    }

    fn board(&self) -> Board {
        let pieces = self.squares.map(|disc| disc.map(Piece::of)).to_vec();
        Board::Squares(Squares { pieces, ..Squares::empty(8, 8) })
    }

    fn from_board(_: Rules, board: &Board, side: Side) -> Result<Othello, String> {
        let Board::Squares(board) = board else { return Err("Othello is played on squares".to_owned()) };
        let squares = std::array::from_fn(|square| board.get(square as u8).map(|piece| piece.side));
        if squares.iter().all(Option::is_none) {
            return Err("there is no disc on the board; at least one is needed".to_owned());
        }
        Ok(Othello { squares, side })
    }

    fn move_text(&self, mv: Move) -> String {
        if mv == PASS { "pass".to_owned() } else { Squares::empty(8, 8).name(mv.0 as u8) }
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        if mv == PASS { Vec::new() } else { vec![Place::Square(mv.0 as u8)] }
    }

    fn trace(&self, mv: Move) -> Trace {
        let mut steps = Vec::new();
        if mv != PASS {
            steps.push(Step::Place(mv.0 as u8, Piece::of(self.side)));
            steps.push(Step::Flip(self.flips(mv.0 as u8, self.side)));
        }
        Trace { mover: self.side, steps, extra_turn: false, over: self.play(mv).is_over() }
    }

    fn to_text(&self) -> String {
        let letter = |side| if side == Side::South { 'X' } else { 'O' };
        let squares = self.squares.iter().map(|disc| disc.map_or('-', letter));
        format!("{} {}", squares.collect::<String>(), letter(self.side))
    }

    fn from_text(_: Rules, text: &str) -> Result<Othello, TextError> {
        let side = |c: char| match c {
            'X' => Some(Side::South),
            'O' => Some(Side::North),
            _ => None,
        };
        let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        if letters.len() != 65 {
            return Err(TextError::new(1, 1, text, "64 squares and the side to move"));
        }
        let squares = std::array::from_fn(|square| side(letters[square]));
        Ok(Othello { squares, side: side(letters[64]).unwrap_or(Side::South) })
    }
}
