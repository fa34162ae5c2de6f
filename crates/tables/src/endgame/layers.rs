//! Computes the shares of all boards, one number of seeds after another, in a linear pass.
//!
//! A move that neither drops a seed into the store nor captures keeps the number of seeds. It advances seeds within the
//! mover's row, to a row with a smaller number. So both boards of two rows depend only on boards with fewer seeds and on
//! boards in which one of the two rows has a smaller number.
//!
//! The two rows' numbers span a square, cut into tiles. The tiles on a diagonal, and those of other divisions of the
//! seeds between the two rows, are independent. Within a tile, the boards that are needed are near each other.

use std::ops::Range;
use std::sync::atomic::Ordering;

use mancalab_base::memory::ByteMemory;
use mancalab_base::pool::Pool;
use mancalab_base::prefetch::prefetch;

use super::build::LayerComputation;
use crate::budget::{Budget, Status};
use crate::game::kalah::{Capture, Rules, Sowing, total};
use crate::rank::{Board, Ranks};

/// Rows on each side of a tile.
const TILE: usize = 64;

/// Tiles a worker between two checks of the budget.
const TILES: usize = 8;

/// Shares of all boards with at most a number of seeds, by rank: the seeds that the mover gains until the end of the
/// game. In a board that ends the game, these are the mover's own.
pub(super) struct Layers {
    halves: Halves,
    shares: ByteMemory,
    seeds: u8,
    /// The number of seeds whose boards are next.
    next: u8,
    /// The tiles left in it, the next diagonal last.
    tiles: Vec<Tile>,
}

/// The boards of two ranges of rows, with either row the mover's.
#[derive(Clone)]
struct Tile {
    diagonal: usize,
    /// Rows of `a` and `b`, and the seeds in each.
    a: Range<u32>,
    b: Range<u32>,
    seeds: (u8, u8),
}

impl Layers {
    /// Begins the shares of all boards of at most `seeds` seeds; `None` if their ranks do not fit 32 bits.
    pub fn new(rules: Rules, seeds: u8) -> Option<Layers> {
        let halves = Halves::new(rules, seeds)?;
        let shares = ByteMemory::zeroed(halves.ranks.count(seeds) as usize)?;
        // The board without seeds has the share 0.
        Some(Layers { halves, shares, seeds, next: 1, tiles: Vec::new() })
    }

    /// The number of boards with at most this many seeds.
    pub fn count(rules: Rules, seeds: u8) -> u64 {
        Ranks::new(rules.pits().into(), seeds).map_or(u64::MAX, |ranks| ranks.count(seeds))
    }

    /// The share of the board with this rank, which must be among those computed.
    #[inline(always)]
    pub fn get(&self, rank: usize) -> u8 {
        self.shares.cells()[rank].load(Ordering::Relaxed)
    }

    /// Begins to fetch the share of the board with this rank.
    #[inline(always)]
    pub fn prefetch(&self, rank: usize) {
        prefetch(&self.shares.cells()[rank]);
    }

    /// The ranks of the boards with this many seeds.
    fn ranks(&self, seeds: u8) -> Range<usize> {
        let count = |seeds: u8| self.halves.ranks.count(seeds) as usize;
        (if seeds == 0 { 0 } else { count(seeds - 1) })..count(seeds)
    }

    fn compute(&self, tile: &Tile) {
        let (a_seeds, b_seeds) = tile.seeds;
        let ends = a_seeds == 0;
        let moves = Moves::generate(&self.halves, tile.b.clone(), a_seeds);
        for a in tile.a.clone() {
            // Rows with as many seeds: each pair once.
            let same = a_seeds == b_seeds;
            let b = tile.b.start..if same { tile.b.end.min(a) } else { tile.b.end };
            let shares = if ends { [0; TILE] } else { self.by_mover(a, tile.seeds, b.clone()) };
            for (b, share) in b.zip(shares) {
                self.put(self.halves.offset(b, a_seeds) + a as usize, share);
            }
            let b = tile.b.start..if same { tile.b.end.min(a + 1) } else { tile.b.end };
            let shares = if ends { [b_seeds; TILE] } else { self.by_opponent(a, tile.seeds, &moves, tile.b.start) };
            let offset = self.halves.offset(a, b_seeds);
            for (b, share) in b.zip(shares) {
                self.put(offset + b as usize, share);
            }
        }
    }

    #[inline(always)]
    fn put(&self, rank: usize, share: u8) {
        self.shares.cells()[rank].store(share, Ordering::Relaxed);
    }

    /// Shares of the boards with `a` the mover's row and one of `b` the opponent's.
    fn by_mover(&self, a: u32, (own, other): (u8, u8), b: Range<u32>) -> [u8; TILE] {
        let halves = &self.halves;
        let all = own + other;
        let mut best = [0; TILE];
        for step in halves.steps(a) {
            let each = best.iter_mut().zip(b.clone());
            match step {
                Step::Pass { row, ones } => {
                    let offset = halves.offset(row, other + ones as u8);
                    each.for_each(|(best, b)| raise(best, all - self.get(offset + halves.plus(b, ones) as usize)));
                }
                Step::Again { row } => {
                    each.for_each(|(best, b)| raise(best, 1 + self.get(halves.offset(b, own - 1) + row as usize)));
                }
                Step::Capture { pit, kept, taken } => {
                    each.for_each(|(best, b)| raise(best, all - self.captured(b, other, pit, kept, taken)));
                }
                Step::Lap { pit } => {
                    each.for_each(|(best, b)| raise(best, self.lapped([halves.word(a), halves.word(b)], pit)));
                }
            }
        }
        best
    }

    /// Shares of the boards with `a` the opponent's row and the mover's by `moves`, whose rows begin at `start`.
    fn by_opponent(&self, a: u32, (other, own): (u8, u8), moves: &Moves, start: u32) -> [u8; TILE] {
        let halves = &self.halves;
        let all = own + other;
        let mut best = [0; TILE];
        let mut near = [a; 9];
        for (ones, near) in near.iter_mut().enumerate().take(usize::from(halves.rules.pits()) + 1) {
            *near = halves.plus(a, ones);
        }
        for &(at, ones, offset) in &moves.pass {
            let share = all - self.get(offset as usize + near[usize::from(ones)] as usize);
            raise(&mut best[usize::from(at)], share);
        }
        let offset = halves.offset(a, own - 1);
        for &(at, row) in &moves.again {
            raise(&mut best[usize::from(at)], 1 + self.get(offset + row as usize));
        }
        for &(at, pit, kept, taken) in &moves.capture {
            raise(&mut best[usize::from(at)], all - self.captured(a, other, pit.into(), kept, taken));
        }
        for &(at, pit) in &moves.lap {
            let board = [halves.word(start + u32::from(at)), halves.word(a)];
            raise(&mut best[usize::from(at)], self.lapped(board, pit));
        }
        best
    }

    /// The opponent's share after a last seed in an empty pit.
    #[inline(always)]
    fn captured(&self, opponent: u32, seeds: u8, pit: usize, kept: u32, taken: u32) -> u8 {
        let count = pit_of(self.halves.word(opponent), pit) as u8;
        let row = if count > 0 || self.halves.captures_alone() { taken } else { kept };
        self.get(self.halves.offset(row, seeds - count) + self.halves.without(opponent, pit) as usize)
    }

    /// The mover's share by any move.
    fn lapped(&self, board: Board, pit: u8) -> u8 {
        let Sowing { own, other, gain, again } = self.halves.rules.sow(board, pit);
        let share = |board| self.get(self.halves.ranks.rank(board) as usize);
        if again { gain + share([own, other]) } else { total(board[0]) + total(board[1]) - share([other, own]) }
    }
}

impl LayerComputation for Layers {
    fn complete(&self) -> u8 {
        self.next
    }

    fn progress(&self) -> f64 {
        let count = |seeds: u8| self.halves.ranks.count(seeds) as f64;
        let left: u64 = self.tiles.iter().map(|tile| 2 * tile.a.len() as u64 * tile.b.len() as u64).sum();
        let done = if self.tiles.is_empty() { count(self.next - 1) } else { count(self.next) - left as f64 };
        (done / count(self.seeds)).clamp(0.0, 1.0)
    }

    fn bytes(&self, seeds: u8) -> Vec<u8> {
        self.shares.cells()[self.ranks(seeds)].iter().map(|share| share.load(Ordering::Relaxed)).collect()
    }

    fn restore(&mut self, seeds: u8, bytes: &[u8]) {
        let ranks = self.ranks(seeds);
        self.shares.cells()[ranks].iter().zip(bytes).for_each(|(share, byte)| share.store(*byte, Ordering::Relaxed));
        self.next = seeds + 1;
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        if self.next > self.seeds {
            return Status::Done;
        }
        if self.tiles.is_empty() {
            self.tiles = tiles(&self.halves, self.next);
        }
        while let Some(last) = self.tiles.last() {
            let diagonal = last.diagonal;
            let first = self.tiles.partition_point(|tile| tile.diagonal > diagonal);
            let from = first.max(self.tiles.len().saturating_sub(TILES * pool.count()));
            let mut now = self.tiles.split_off(from);
            pool.map_each(&mut now, |tile| self.compute(tile));
            if self.tiles.is_empty() {
                self.next += 1;
                break;
            }
            if budget.is_spent() {
                break;
            }
        }
        if self.next > self.seeds { Status::Done } else { Status::Running }
    }
}

#[inline(always)]
fn raise(best: &mut u8, share: u8) {
    *best = share.max(*best);
}

/// All tiles of the boards with this many seeds, the first diagonal last.
fn tiles(halves: &Halves, seeds: u8) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for fewer in 0..=seeds / 2 {
        let a = halves.rows(fewer);
        let b = halves.rows(seeds - fewer);
        for (row, from_a) in a.clone().step_by(TILE).enumerate() {
            for (column, from_b) in b.clone().step_by(TILE).enumerate() {
                if 2 * fewer < seeds || column <= row {
                    let part = |from: u32, all: &Range<u32>| from..all.end.min(from + TILE as u32);
                    let seeds = (fewer, seeds - fewer);
                    tiles.push(Tile { diagonal: row + column, a: part(from_a, &a), b: part(from_b, &b), seeds });
                }
            }
        }
    }
    tiles.sort_by_key(|tile| std::cmp::Reverse(tile.diagonal));
    tiles
}

/// Moves of a range of rows, by kind; the first field is the row's place in the range.
#[derive(Default)]
struct Moves {
    pass: Vec<(u8, u8, u32)>,
    again: Vec<(u8, u32)>,
    capture: Vec<(u8, u8, u32, u32)>,
    lap: Vec<(u8, u8)>,
}

impl Moves {
    /// The moves of `rows`, against a row with `other` seeds.
    fn generate(halves: &Halves, rows: Range<u32>, other: u8) -> Moves {
        let mut moves = Moves::default();
        for (at, row) in (0..).zip(rows) {
            for step in halves.steps(row) {
                match step {
                    Step::Pass { row, ones } => {
                        moves.pass.push((at, ones as u8, halves.offset(row, other + ones as u8) as u32));
                    }
                    Step::Again { row } => moves.again.push((at, row)),
                    Step::Capture { pit, kept, taken } => moves.capture.push((at, pit as u8, kept, taken)),
                    Step::Lap { pit } => moves.lap.push((at, pit)),
                }
            }
        }
        moves
    }
}

/// All rows with at most a number of seeds, those with fewer seeds first.
///
/// The rank of a board is the number of the mover's row plus an [`offset`](Halves::offset) by the opponent's row and the
/// mover's seeds. So ranks follow from a few small tables, and the boards with one row of the opponent and one number of
/// seeds of the mover are adjacent.
pub(super) struct Halves {
    pub rules: Rules,
    pub ranks: Ranks,
    /// The rows, one pit a byte.
    words: Vec<u64>,
    /// The first row with each number of seeds.
    starts: Vec<u32>,
    /// Offsets by the mover's seeds, from the place `first` of the opponent's row.
    offsets: Vec<u32>,
    first: Vec<u32>,
    /// By row and pit: the row without the pit's seeds.
    without: Vec<u32>,
    /// By row and pit: the row with one more seed in each pit up to this one; 0 if those are too many.
    plus: Vec<u32>,
    /// By row and pit: the row after sowing the pit as far as the store.
    sown: Vec<u32>,
}

/// The effect of a move that depends on the mover's row alone.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// The mover's row becomes `row`, and the first `ones` pits of the opponent get a seed each.
    Pass { row: u32, ones: usize },
    /// The last seed drops into the store.
    Again { row: u32 },
    /// The last seed drops into an empty pit: the mover's row becomes `taken` if it captures the opponent's seeds in
    /// `pit`, else `kept`.
    Capture { pit: usize, kept: u32, taken: u32 },
    /// The sowing reaches the mover's own pits again.
    Lap { pit: u8 },
}

impl Halves {
    /// `None` if the ranks of boards of at most `seeds` seeds do not fit 32 bits.
    pub fn new(rules: Rules, seeds: u8) -> Option<Halves> {
        let ranks = Ranks::new(rules.pits().into(), seeds)?;
        u32::try_from(ranks.count(seeds)).ok()?;
        let mut words = Vec::new();
        let mut starts = vec![0];
        for sum in 0..=seeds {
            add_rows(rules.pits(), sum, 0, &mut words);
            starts.push(words.len() as u32);
        }
        let none = Vec::new;
        let mut halves = Halves {
            rules,
            ranks,
            words,
            starts,
            offsets: none(),
            first: none(),
            without: none(),
            plus: none(),
            sown: none(),
        };
        for row in 0..halves.words.len() {
            halves.add_changes(halves.words[row], seeds);
        }
        Some(halves)
    }

    fn add_changes(&mut self, word: u64, seeds: u8) {
        let Halves { ranks, offsets, first, without, plus, sown, .. } = self;
        let number = |word: u64| if total(word) <= seeds { ranks.of_row(word) as u32 } else { 0 };
        first.push(offsets.len() as u32);
        offsets.extend((0..=seeds - total(word)).map(|own| ranks.of_opponent(word, own) as u32));
        let pits = usize::from(self.rules.pits());
        let ones = |pits: Range<usize>| pits.map(|pit| 1 << (8 * pit)).sum::<u64>();
        for pit in 0..pits {
            let emptied = word & !(0xff << (8 * pit));
            let end = pit + 1 + pit_of(word, pit);
            without.push(number(emptied));
            plus.push(number(word + ones(0..pit + 1)));
            sown.push(number(emptied + ones(pit + 1..end.min(pits))));
        }
    }

    /// The rows with this many seeds.
    pub fn rows(&self, seeds: u8) -> Range<u32> {
        self.starts[usize::from(seeds)]..self.starts[usize::from(seeds) + 1]
    }

    /// The row as a word.
    #[inline(always)]
    pub fn word(&self, row: u32) -> u64 {
        self.words[row as usize]
    }

    /// The part of a board's rank by the opponent's row and the mover's number of seeds.
    #[inline(always)]
    pub fn offset(&self, opponent: u32, own: u8) -> usize {
        self.offsets[self.first[opponent as usize] as usize + usize::from(own)] as usize
    }

    #[inline(always)]
    fn place(&self, row: u32, pit: usize) -> usize {
        row as usize * usize::from(self.rules.pits()) + pit
    }

    /// The row without the pit's seeds.
    #[inline(always)]
    pub fn without(&self, row: u32, pit: usize) -> u32 {
        self.without[self.place(row, pit)]
    }

    /// The row with a seed more in each of the first `ones` pits.
    #[inline(always)]
    pub fn plus(&self, row: u32, ones: usize) -> u32 {
        if ones == 0 { row } else { self.plus[self.place(row, ones - 1)] }
    }

    /// The effects of all moves of a row.
    pub fn steps(&self, row: u32) -> impl Iterator<Item = Step> {
        let pits = usize::from(self.rules.pits());
        (0..pits).filter(move |&pit| pit_of(self.word(row), pit) > 0).map(move |pit| self.step(row, pit))
    }

    fn step(&self, row: u32, pit: usize) -> Step {
        let pits = usize::from(self.rules.pits());
        let word = self.word(row);
        let sown = self.sown[self.place(row, pit)];
        let end = pit + pit_of(word, pit);
        if end == pits {
            Step::Again { row: sown }
        } else if end > 2 * pits {
            Step::Lap { pit: pit as u8 }
        } else if end > pits {
            Step::Pass { row: sown, ones: end - pits }
        } else if pit_of(word, end) > 0 {
            Step::Pass { row: sown, ones: 0 }
        } else {
            Step::Capture { pit: pits - 1 - end, kept: sown, taken: self.without(sown, end) }
        }
    }

    /// Whether a last seed in an empty pit is captured with the opposite pit empty.
    pub fn captures_alone(&self) -> bool {
        self.rules.capture() == Capture::Empty
    }
}

/// Seeds in a pit of a row.
#[inline(always)]
fn pit_of(word: u64, pit: usize) -> usize {
    (word >> (8 * pit)) as usize & 0xff
}

/// Adds the rows of `sum` seeds in the first `pits` pits, in the order of their numbers; `above` has the pits after them.
fn add_rows(pits: u8, sum: u8, above: u64, words: &mut Vec<u64>) {
    if pits == 1 {
        return words.push(above << 8 | u64::from(sum));
    }
    for last in (0..=sum).rev() {
        add_rows(pits - 1, sum - last, above << 8 | u64::from(last), words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::kalah::Pits;

    /// The share by plain negamax.
    fn negamax(rules: Rules, board: Board) -> u8 {
        let share = |mv: crate::game::Move| {
            let Sowing { own, other, gain, again } = rules.sow(board, mv.0 as u8);
            let left = total(own) + total(other);
            if own == 0 || other == 0 {
                gain + total(own)
            } else if again {
                gain + negamax(rules, [own, other])
            } else {
                gain + left - negamax(rules, [other, own])
            }
        };
        if board[1] == 0 { total(board[0]) } else { Pits::filled(board[0]).map(share).max().unwrap_or(0) }
    }

    #[test]
    fn shares_are_those_of_negamax() {
        for (pits, seeds) in [(1, 30), (2, 17), (3, 9), (4, 7), (6, 5), (8, 3)] {
            for capture in ["standard", "empty"] {
                let rules: Rules = format!("{pits}x1:{capture}").parse().unwrap();
                let mut layers = Layers::new(rules, seeds).unwrap();
                while layers.step(&Pool::alone(), Budget::UNLIMITED) == Status::Running {}
                let (own, other) = (0..=seeds).flat_map(|own| (0..=seeds - own).map(move |other| (own, other))).unzip();
                let (own, other): (Vec<u8>, Vec<u8>) = (own, other);
                for (own, other) in own.into_iter().zip(other) {
                    for (a, b) in layers.halves.rows(own).flat_map(|a| layers.halves.rows(other).map(move |b| (a, b))) {
                        let board = [layers.halves.word(a), layers.halves.word(b)];
                        let rank = layers.halves.ranks.rank(board) as usize;
                        assert_eq!(layers.get(rank), negamax(rules, board), "{rules} {board:x?}");
                    }
                }
            }
        }
    }
}
