//! A second implementation of the rules, step by step on a plain array of 64 squares.

use std::sync::LazyLock;

use mancalab::game::checkers::{Checkers, KING, MAN, WON};
use mancalab::game::{Piece, Side};

/// Squares row by row from the upper left corner, with Black at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Oracle {
    board: [Option<Piece>; 64],
    pub(crate) side: Side,
}

/// A move: its squares, from the first to the last, and the captured squares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) squares: Vec<u8>,
    pub(crate) captured: Vec<u8>,
}

/// The numbers of the dark squares, counted from the lower right corner.
static NUMBERS: LazyLock<[u8; 64]> =
    LazyLock::new(|| std::array::from_fn(|at| (at..64).filter(|at| (at / 8 + at % 8) % 2 == 1).count() as u8));

pub(crate) fn number(at: usize) -> u8 {
    NUMBERS[at]
}

fn beside(at: usize, down: i32, right: i32) -> Option<usize> {
    let row = (at / 8) as i32 + down;
    let file = (at % 8) as i32 + right;
    ((0..8).contains(&row) && (0..8).contains(&file)).then_some((8 * row + file) as usize)
}

impl Oracle {
    pub(crate) fn start() -> Oracle {
        let piece = |at: usize| {
            let is_dark = (at / 8 + at % 8) % 2 == 1;
            match at / 8 {
                0..=2 if is_dark => Some(Piece::man(Side::North)),
                5..=7 if is_dark => Some(Piece::man(Side::South)),
                _ => None,
            }
        };
        Oracle { board: std::array::from_fn(piece), side: Side::South }
    }

    pub(crate) fn new(pieces: &[Option<Piece>; 32], side: Side) -> Oracle {
        let is_dark = |at: usize| (at / 8 + at % 8) % 2 == 1;
        let board = std::array::from_fn(|at| pieces[usize::from(number(at)).saturating_sub(1)].filter(|_| is_dark(at)));
        Oracle { board, side }
    }

    fn ways(piece: Piece) -> Vec<(i32, i32)> {
        let up = piece.king || piece.side == Side::South;
        let down = piece.king || piece.side == Side::North;
        [(-1, -1, up), (-1, 1, up), (1, -1, down), (1, 1, down)]
            .into_iter()
            .filter(|way| way.2)
            .map(|(row, file, _)| (row, file))
            .collect()
    }

    /// Collects the jumps of a piece that has reached `at`; captured pieces stay on the board until the end.
    fn jumps(&self, piece: Piece, at: usize, so_far: &Found, all: &mut Vec<Found>) {
        let mut goes_on = false;
        for (down, right) in Oracle::ways(piece) {
            let Some(over) = beside(at, down, right) else { continue };
            let Some(to) = beside(over, down, right) else { continue };
            let is_prey = self.board[over].is_some_and(|other| other.side != piece.side);
            if !is_prey || so_far.captured.contains(&number(over)) || self.board[to].is_some() {
                continue;
            }
            goes_on = true;
            let mut next = so_far.clone();
            next.squares.push(number(to));
            next.captured.push(number(over));
            self.jumps(piece, to, &next, all);
        }
        if !goes_on && !so_far.captured.is_empty() {
            all.push(so_far.clone());
        }
    }

    pub(crate) fn steps(&self, side: Side) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, piece) in self.board.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| piece.side == side) else { continue };
            for (down, right) in Oracle::ways(piece) {
                if let Some(to) = beside(at, down, right).filter(|&to| self.board[to].is_none()) {
                    all.push(Found { squares: vec![number(at), number(to)], captured: vec![] });
                }
            }
        }
        all
    }

    pub(crate) fn all_jumps(&self, side: Side) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, piece) in self.board.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| piece.side == side) else { continue };
            let mut lifted = self.clone();
            lifted.board[at] = None;
            lifted.jumps(piece, at, &Found { squares: vec![number(at)], captured: vec![] }, &mut all);
        }
        all
    }

    pub(crate) fn moves(&self) -> Vec<Found> {
        let jumps = self.all_jumps(self.side);
        let mut moves = if jumps.is_empty() { self.steps(self.side) } else { jumps };
        moves.sort();
        moves
    }

    pub(crate) fn play(&self, found: &Found) -> Oracle {
        let mut next = self.clone();
        let at = |square: u8| (0..64).find(|&at| number(at) == square && (at / 8 + at % 8) % 2 == 1).unwrap();
        let from = at(found.squares[0]);
        let to = at(*found.squares.last().unwrap());
        let mut piece = next.board[from].take().unwrap();
        piece.king |= to / 8 == if piece.side == Side::South { 0 } else { 7 };
        next.board[to] = Some(piece);
        for &square in &found.captured {
            next.board[at(square)] = None;
        }
        next.side = self.side.other();
        next
    }

    fn lead(&self) -> i32 {
        let worth =
            |piece: &Piece| if piece.king { KING } else { MAN } * if piece.side == Side::South { 1 } else { -1 };
        self.board.iter().flatten().map(worth).sum()
    }

    /// The margin for South.
    pub(crate) fn margin(&self) -> i32 {
        match (self.moves().is_empty(), self.side) {
            (true, Side::South) => -WON,
            (true, Side::North) => WON,
            (false, _) => self.lead(),
        }
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().iter().map(|found| self.play(found).perft(depth - 1)).sum() }
    }

    pub(crate) fn set(&self, wanted: impl Fn(Piece) -> bool) -> u32 {
        let has = |at: &usize| self.board[*at].is_some_and(&wanted);
        (0..64).filter(has).fold(0, |set, at| set | 1 << (number(at) - 1))
    }

    pub(crate) fn position(&self) -> Checkers {
        let sets = |king: bool| Side::BOTH.map(|side| self.set(|piece| piece == Piece { side, king }));
        Checkers::from_sets(sets(false), sets(true), self.side)
    }
}
