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
//!
//! Both sides' guarantees on all boards with one number of seeds, from those on boards with fewer.
//!
//! A side either forces captures or the end of the game, or it stays among boards that give it at least as much when they
//! come up again. Both parts repeat:
//!
//! 1. *Staying* is the greatest solution of: the best move's guarantee, at most what the board after it gives when it
//!    comes up again. It starts from the greatest value and falls.
//! 2. *Forcing* is the least solution above it: the best move's guarantee. It rises, and the round in which a board's
//!    guarantee rises last is the board's [rank](Bounds::ranks). Each move of the strategy lowers the rank or raises the
//!    guarantee, so it passes no board twice.

use std::ops::Range;

use mancalab_base::pool::Pool;

use super::build::LayerComputation;
use crate::budget::{Budget, Status};
use crate::game::Game as _;
use crate::game::sowing::{Rules, SowingPosition, SowingRules};
use crate::rank::{Board, Ranks};

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

/// Boards of a worker's piece of a round.
const PIECE: usize = 1 << 14;

/// The greatest and the least guarantee of a move that captures or ends the game: for the mover the greatest that it can
/// reach, for the opponent the least that it can be held to.
#[derive(Clone, Copy)]
pub(super) struct Ends([i8; 2]);

/// No move captures.
impl Default for Ends {
    fn default() -> Ends {
        Ends([i8::MIN, i8::MAX])
    }
}

impl Ends {
    /// Adds a move after which the mover gains at least and at most this.
    pub fn add(&mut self, [least, most]: [i32; 2]) {
        self.0[0] = self.0[0].max(least as i8);
        self.0[1] = self.0[1].min(-most as i8);
    }
}

/// Moves of successive boards of one number of seeds.
#[derive(Default)]
pub(super) struct Moves {
    pub ends: Vec<Ends>,
    /// What the mover gains when the board comes up again.
    pub kept: Vec<i8>,
    /// The boards after moves that capture nothing, by number in the layer, and their number up to each board.
    pub children: Vec<u32>,
    pub counts: Vec<u32>,
}

/// A list for each board of a layer.
struct Lists {
    /// Where each board's list begins, and the end of all.
    starts: Vec<u32>,
    boards: Vec<u32>,
}

impl Lists {
    /// Joins the children of successive pieces.
    fn children(pieces: &[Moves]) -> Lists {
        let mut lists = Lists { starts: vec![0], boards: Vec::new() };
        for piece in pieces {
            let before = lists.boards.len() as u32;
            lists.starts.extend(piece.counts.iter().map(|count| before + count));
            lists.boards.extend(&piece.children);
        }
        lists
    }

    /// For each board, those that have it in their lists.
    fn reversed(&self) -> Lists {
        let mut starts = vec![0; self.starts.len() + 1];
        self.boards.iter().for_each(|&board| starts[board as usize + 2] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut boards = vec![0; self.boards.len()];
        for parent in 0..self.count() as u32 {
            for &child in self.predecessors(parent) {
                let place = &mut starts[child as usize + 1];
                boards[*place as usize] = parent;
                *place += 1;
            }
        }
        starts.pop();
        Lists { starts, boards }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn predecessors(&self, board: u32) -> &[u32] {
        let start = |board: u32| self.starts[board as usize] as usize;
        &self.boards[start(board)..start(board + 1)]
    }
}

/// A layer's guarantees, `[of the mover, of the opponent]`, in rounds.
pub(super) struct LayerWork {
    ends: Vec<Ends>,
    kept: Vec<i8>,
    children: Lists,
    parents: Lists,
    phase: Phase,
    /// Guarantees by staying, while the phase lasts.
    stays: [Vec<i8>; 2],
    /// Guarantees so far, and their ranks.
    found: [Vec<i8>; 2],
    ranks: [Vec<u8>; 2],
    /// How often guarantees rose.
    rises: u32,
    /// The boards to compute in the next round, and whether each board is one of them.
    due: Vec<u32>,
    is_due: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Staying,
    Forcing,
    Done,
}

impl LayerWork {
    pub fn new(pieces: Vec<Moves>) -> LayerWork {
        let kept: Vec<i8> = pieces.iter().flat_map(|piece| piece.kept.iter().copied()).collect();
        let all = |value: i8| [vec![value; kept.len()], vec![value; kept.len()]];
        let children = Lists::children(&pieces);
        LayerWork {
            ends: pieces.iter().flat_map(|piece| piece.ends.iter().copied()).collect(),
            parents: children.reversed(),
            children,
            phase: Phase::Staying,
            stays: all(i8::MAX),
            found: all(i8::MIN),
            ranks: [vec![0; kept.len()], vec![0; kept.len()]],
            rises: 0,
            due: (0..kept.len() as u32).collect(),
            is_due: vec![true; kept.len()],
            kept,
        }
    }

    pub fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// One round of a phase, over the boards after whose moves a guarantee has changed.
    pub fn round(&mut self, pool: &Pool) {
        let due = std::mem::take(&mut self.due);
        due.iter().for_each(|&board| self.is_due[board as usize] = false);
        match self.phase {
            Phase::Staying => self.stay(pool, &due),
            Phase::Forcing => self.force(pool, &due),
            Phase::Done => {}
        }
    }

    /// The guarantees of boards after one move each, from those of the boards after it: `value(side, board)`.
    fn next(&self, pool: &Pool, due: &[u32], value: impl Fn(usize, usize) -> i8 + Sync) -> Vec<[i8; 2]> {
        let of_board = |&board: &u32| {
            let Ends([mut most, mut least]) = self.ends[board as usize];
            for &child in self.children.predecessors(board) {
                most = most.max(value(1, child as usize));
                least = least.min(value(0, child as usize));
            }
            [most, least]
        };
        let of_piece = |piece: &mut &[u32]| piece.iter().map(of_board).collect::<Vec<_>>();
        pool.map_each(&mut due.chunks(PIECE).collect::<Vec<_>>(), of_piece).concat()
    }

    /// A board after a move gives what is found for it, or what staying gives, at most what it gives when it comes up
    /// again.
    fn stay(&mut self, pool: &Pool, due: &[u32]) {
        let stays = &self.stays;
        let found = &self.found;
        let kept = &self.kept;
        let next = self.next(pool, due, |side, board| {
            let kept = if side == 0 { kept[board] } else { -kept[board] };
            stays[side][board].min(kept).max(found[side][board])
        });
        for (&board, next) in due.iter().zip(next) {
            let stays = self.stays.each_mut().map(|values| &mut values[board as usize]);
            let has_changed = *stays[0] != next[0] || *stays[1] != next[1];
            stays.into_iter().zip(next).for_each(|(value, next)| *value = next);
            if has_changed {
                self.call_parents(board);
            }
        }
        if self.due.is_empty() {
            let all: Vec<u32> = (0..self.kept.len() as u32).collect();
            let stays: Vec<[i8; 2]> = std::iter::zip(&self.stays[0], &self.stays[1]).map(|(&a, &b)| [a, b]).collect();
            self.phase = if self.raise(&all, stays) { Phase::Forcing } else { Phase::Done };
        }
    }

    fn force(&mut self, pool: &Pool, due: &[u32]) {
        let found = &self.found;
        let next = self.next(pool, due, |side, board| found[side][board]);
        if !self.raise(due, next) {
            self.phase = Phase::Staying;
            self.stays.iter_mut().for_each(|values| values.fill(i8::MAX));
            self.is_due.fill(true);
            self.due = (0..self.kept.len() as u32).collect();
        }
    }

    /// Raises the guarantees of boards to `next` where that is greater, which gives them the next rank. Returns whether
    /// one rose.
    fn raise(&mut self, boards: &[u32], next: Vec<[i8; 2]>) -> bool {
        let rank = u8::try_from(self.rises).unwrap_or(u8::MAX);
        let mut has_risen = false;
        for (&board, next) in boards.iter().zip(next) {
            let at = board as usize;
            for side in [0, 1] {
                if next[side] > self.found[side][at] {
                    (self.found[side][at], self.ranks[side][at]) = (next[side], rank);
                    self.call_parents(board);
                    has_risen = true;
                }
            }
        }
        self.rises += u32::from(has_risen);
        has_risen
    }

    /// Puts the boards with a move to this one into the next round.
    fn call_parents(&mut self, board: u32) {
        for &parent in self.parents.predecessors(board) {
            if !std::mem::replace(&mut self.is_due[parent as usize], true) {
                self.due.push(parent);
            }
        }
    }

    pub fn write(&self, bounds: &mut [Bounds]) {
        let [own, other] = [0, 1].map(|side| self.found[side].iter().zip(&self.ranks[side]));
        for (bounds, ((&least, &own), (&most, &other))) in bounds.iter_mut().zip(own.zip(other)) {
            *bounds = Bounds { least, most: -most, ranks: [own, other] };
        }
    }
}
