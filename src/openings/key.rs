//! Identification of positions and their moves.
//!
//! A position is its board and the side to move, under the rules of its game; counters of moves do not count. Symmetric positions of
//! Othello are one, so that the four first moves are one move. A key is a hash of 64 bits, the same on every machine: among ten
//! million positions two share one with a probability of 3 in a million.

use crate::codec::checksum;
use crate::game::{Board, Ground, Move, Position, Squares, Variant};

/// A position, and how its board maps to the one that stands for all symmetric ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub hash: u64,
    /// The symmetries that lead to that board, as bits.
    symmetries: u8,
    /// Files of a board whose symmetries count; 0 for others.
    files: u8,
}

impl Key {
    pub fn new(position: &Position) -> Key {
        let board = position.board();
        let variant = position.variant();
        let rules = match (&board, variant) {
            // The rules of these differ in the start and in draws only.
            (Board::Squares(_), Variant::Othello(_) | Variant::Checkers(_)) => checksum(variant.name().as_bytes()),
            _ => checksum(variant.to_string().as_bytes()),
        };
        let seed = mix(rules ^ position.side().index() as u64);
        match &board {
            Board::Pits(board) => {
                let counts = board.pits.iter().flatten().chain(&board.stores);
                let hash = counts.fold(seed, |hash, &count| mix(hash ^ u64::from(count)));
                Key { hash, symmetries: 1, files: 0 }
            }
            Board::Squares(board) => of_squares(board, seed),
        }
    }

    /// The move on the board that stands for the symmetric ones: of the moves that a symmetry of the position itself makes equal, the
    /// least.
    pub fn mv(&self, mv: Move) -> u16 {
        let all = (0..8).filter(|symmetry| self.symmetries >> symmetry & 1 == 1);
        all.map(|symmetry| turned(mv.0, symmetry, self.files.into())).min().unwrap_or(mv.0)
    }
}

fn of_squares(board: &Squares, seed: u64) -> Key {
    let is_symmetric = board.ground == Ground::Whole && board.files == board.ranks;
    let files = if is_symmetric { board.files } else { 0 };
    let mut hashes = [seed; 8];
    let used = if is_symmetric { &mut hashes[..] } else { &mut hashes[..1] };
    for (square, piece) in (0..).zip(&board.pieces) {
        let Some(piece) = piece else { continue };
        let kind = 2 * piece.side.index() as u64 + u64::from(piece.king);
        for (symmetry, hash) in used.iter_mut().enumerate() {
            *hash ^= mix(4 * u64::from(turned(square, symmetry, files.into())) + kind + 1);
        }
    }
    let least = used.iter().copied().min().unwrap_or(seed);
    let symmetries = used.iter().rev().fold(0, |bits, hash| bits << 1 | u8::from(*hash == least));
    Key { hash: mix(least), symmetries, files }
}

/// A square of a board with this many files after one of eight symmetries; itself if it is none of the board, such as a pass.
fn turned(square: u16, symmetry: usize, files: u16) -> u16 {
    if square >= files * files {
        return square;
    }
    let mut rank = square / files;
    let mut file = square % files;
    if symmetry & 1 != 0 {
        file = files - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = files - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (rank, file) = (file, rank);
    }
    files * rank + file
}

/// The finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: &str, moves: &str) -> (Position, Key) {
        let mut position = game.parse::<Variant>().unwrap().start();
        for mv in moves.split_whitespace() {
            position = position.play(position.move_from_text(mv).unwrap());
        }
        (position, Key::new(&position))
    }

    #[test]
    fn symmetric_positions_of_othello_and_their_moves_are_one() {
        let (start, key) = after("othello", "");
        let moves: Vec<u16> = start.moves().into_iter().map(|mv| key.mv(mv)).collect();
        assert_eq!(moves.iter().filter(|mv| **mv == moves[0]).count(), 4);
        let lines = ["f5 d6 c3", "d3 c5 f6", "c4 e3 f6", "e6 f4 c3"].map(|moves| after("othello", moves));
        assert!(lines.iter().all(|(_, key)| key.hash == lines[0].1.hash));
        let all: Vec<u16> = lines
            .iter()
            .zip(["d3", "f5", "e6", "c4"])
            .map(|((position, key), mv)| key.mv(position.move_from_text(mv).unwrap()))
            .collect();
        assert!(all.iter().all(|mv| *mv == all[0]), "{all:?}");
        // Another order of the same moves, and another position.
        assert_eq!(after("othello", "f5 d6 c3 d3 c4").1.hash, after("othello", "f5 d6 c4 d3 c3").1.hash);
        assert_ne!(after("othello", "f5 d6").1.hash, after("othello", "f5 f4").1.hash);
    }

    #[test]
    fn the_side_to_move_and_the_rules_count_and_counters_do_not() {
        assert_ne!(after("kalah", "").1.hash, after("kalah:6x4:empty", "").1.hash);
        let (start, key) = after("kalah", "");
        let other = start.variant().from_board(&start.board(), start.side().other()).unwrap();
        assert_ne!(Key::new(&other).hash, key.hash);
        let (_, key) = after("checkers", "11-15 22-18");
        assert_eq!(after("checkers:limit=40", "11-15 22-18").1, key);
        let kings = "B:WK32:BK1".to_owned();
        let position = "checkers".parse::<Variant>().unwrap().position_from_text(&kings).unwrap();
        let back = ["1-6", "32-28", "6-1", "28-32"]
            .iter()
            .fold(position, |position, mv| position.play(position.move_from_text(mv).unwrap()));
        assert_eq!(Key::new(&back), Key::new(&position));
    }
}
