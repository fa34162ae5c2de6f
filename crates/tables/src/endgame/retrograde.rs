//! Bounds of the margins of all boards of Oware or Awari with few seeds, one number of seeds after another.
//!
//! Moves without a capture can form a cycle, and a repetition ends the game by its rules. The result of a repetition may
//! depend on the repeated position, so a board has no single value: the table has two bounds, each proved by a strategy
//! that needs no memory.
//!
//! A side's guarantee is the most that it gains from here on, whatever the other does, if the game began with this board.
//! [`guarantees`](super::guarantees) computes them.
//!
//! J. W. Romein and H. E. Bal, "Solving the Game of Awari using Parallel Retrograde Analysis", Computer 36 (2003), where
//! a repetition gives nothing to either side and the bounds meet.

use std::ops::Range;

use super::build::LayerComputation;
use super::guarantees::{Ends, LayerWork, Moves, PIECE};
use crate::budget::{Budget, Status};
use crate::game::Game as _;
use crate::game::sowing::{Rules, SowingPosition, SowingRules};
use crate::rank::{Board, Ranks};
use mancalab_base::pool::Pool;

/// Bytes of a board in the table.
pub(super) const WIDTH: usize = 4;

/// What a board's mover gains from here on, against what the opponent gains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The mover's guarantee.
    pub least: i8,
    /// The opponent's guarantee: the mover gains no more.
    pub most: i8,
    /// The ranks of both guarantees: moves that lead to it lower the rank. With rank 0 the strategy stays among boards
    /// whose repetition gives at least the guarantee. 255 stands for all greater ranks.
    pub ranks: [u8; 2],
}

impl Bounds {
    /// Whether both sides' guarantees meet.
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }

    pub(super) fn from_bytes([least, most, own, other]: [u8; WIDTH]) -> Bounds {
        Bounds { least: least as i8, most: most as i8, ranks: [own, other] }
    }

    fn bytes(self) -> [u8; WIDTH] {
        let Bounds { least, most, ranks: [own, other] } = self;
        [least as u8, most as u8, own, other]
    }

    /// The guarantee of a side and its rank: the mover's, or the opponent's.
    pub fn guarantee(self, is_mover: bool) -> (i32, u8) {
        let Bounds { least, most, ranks: [own, other] } = self;
        if is_mover { (least.into(), own) } else { (-i32::from(most), other) }
    }
}

/// Bounds of all boards with at most a number of seeds, by rank among the boards.
pub(super) struct Retrograde<R> {
    rules: Rules<R>,
    numbers: Ranks,
    bounds: Vec<Bounds>,
    seeds: u8,
    /// The number of seeds whose boards are next, and the work on them.
    next: u8,
    layer: Option<LayerWork>,
}

impl<R: SowingRules> Retrograde<R> {
    /// Begins the bounds of all boards of at most `seeds` seeds; `None` if their numbers do not fit.
    pub fn new(rules: Rules<R>, seeds: u8) -> Option<Retrograde<R>> {
        let numbers = Ranks::new(R::PITS.into(), seeds)?;
        let bounds = vec![Bounds::default(); numbers.count(seeds) as usize];
        // The board without seeds has the bounds 0.
        Some(Retrograde { rules, numbers, bounds, seeds, next: 1, layer: None })
    }

    fn range(&self, seeds: u8) -> Range<usize> {
        let count = |seeds: u8| self.numbers.count(seeds) as usize;
        (if seeds == 0 { 0 } else { count(seeds - 1) })..count(seeds)
    }

    /// The moves of all boards with the next number of seeds.
    fn moves(&self, pool: &Pool) -> LayerWork {
        let boards: Vec<Board> = boards(R::PITS, self.next).collect();
        let pieces = boards.len().div_ceil(PIECE);
        let piece = |piece: usize| {
            let mut moves = Moves::default();
            boards[piece * PIECE..].iter().take(PIECE).for_each(|&board| self.add_moves(board, &mut moves));
            moves
        };
        LayerWork::new(pool.map_each(&mut (0..pieces).collect::<Vec<_>>(), |&mut number| piece(number)))
    }

    fn add_moves(&self, board: Board, moves: &mut Moves) {
        let pos = SowingPosition::with_pits(self.rules, board);
        let first = self.range(self.next).start;
        let mut ends = Ends::default();
        if pos.is_over() {
            ends.add([pos.margin(pos.side()); 2]);
        }
        for mv in pos.moves() {
            let child = pos.play(mv);
            let gain = child.margin(pos.side());
            if child.is_over() {
                ends.add([gain; 2]);
                continue;
            }
            let number = self.numbers.rank(child.key()) as usize;
            match number.checked_sub(first) {
                Some(number) => moves.children.push(number as u32),
                None => {
                    let Bounds { least, most, .. } = self.bounds[number];
                    ends.add([gain - i32::from(most), gain - i32::from(least)]);
                }
            }
        }
        moves.ends.push(ends);
        moves.kept.push(pos.stopped_margin(pos.side()).unwrap_or(0) as i8);
        moves.counts.push(moves.children.len() as u32);
    }
}

impl<R: SowingRules> LayerComputation for Retrograde<R> {
    fn complete(&self) -> u8 {
        self.next
    }

    fn progress(&self) -> f64 {
        self.numbers.count(self.next - 1) as f64 / self.numbers.count(self.seeds) as f64
    }

    fn bytes(&self, seeds: u8) -> Vec<u8> {
        self.bounds[self.range(seeds)].iter().flat_map(|bounds| bounds.bytes()).collect()
    }

    fn restore(&mut self, seeds: u8, bytes: &[u8]) {
        let range = self.range(seeds);
        for (bounds, bytes) in self.bounds[range].iter_mut().zip(bytes.as_chunks::<WIDTH>().0) {
            *bounds = Bounds::from_bytes(*bytes);
        }
        self.next = seeds + 1;
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        if self.next > self.seeds {
            return Status::Done;
        }
        let mut layer = self.layer.take().unwrap_or_else(|| self.moves(pool));
        while !layer.is_done() {
            layer.round(pool);
            if budget.is_spent() {
                self.layer = Some(layer);
                return Status::Running;
            }
        }
        let range = self.range(self.next);
        layer.write(&mut self.bounds[range]);
        self.next += 1;
        if self.next > self.seeds { Status::Done } else { Status::Running }
    }
}

/// All boards with this many seeds, in the order of [`Ranks`]: the sums up to each pit count upwards, the first pit's
/// fastest.
fn boards(pits: u8, seeds: u8) -> impl Iterator<Item = Board> {
    let last = 2 * usize::from(pits) - 1;
    let mut sums = vec![0; last + 1];
    sums[last] = seeds;
    let word = move |sums: &[u8], from: usize| {
        let pit = |pit: usize| sums[pit] - if pit == 0 { 0 } else { sums[pit - 1] };
        (from..from + usize::from(pits)).rev().fold(0, |word, at| word << 8 | u64::from(pit(at)))
    };
    let mut is_over = false;
    std::iter::from_fn(move || {
        let board = (!is_over).then(|| [word(&sums, 0), word(&sums, pits.into())])?;
        match (0..last).find(|&at| sums[at] < sums[at + 1]) {
            Some(at) => {
                sums[at] += 1;
                sums[..at].fill(0);
            }
            None => is_over = true,
        }
        Some(board)
    })
}
