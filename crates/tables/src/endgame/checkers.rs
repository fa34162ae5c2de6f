//! Endgame tables of English checkers: whether the side to move wins, draws or loses, and in how many plies.
//!
//! A table has every position of up to some pieces in which both sides have one. Its values are those of the game without
//! draws by repetition, by moves without progress or by a move limit: an endless game is drawn. The distance is the number
//! of plies until the loser has no legal move, where the winner plays for the shortest win and the loser for the longest
//! game. What remains of a win under those rules depends on the game's history, which a search has and a table lacks.
//!
//! K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9 (1986); R. Lake, J. Schaeffer and P. Lu, "Solving
//! Large Retrograde Analysis Problems Using a Network of Workstations", Advances in Computer Chess 7 (1994).
//!
//! Computes the values of all positions, one layer after another, by retrograde analysis.
//!
//! A first pass values each position by its moves to earlier layers: captures, which end it since jumps are compulsory, and
//! new kings. It also counts the other moves, which lead to positions of the layer itself. Rounds follow by distance. In the
//! round of a distance, every position with it passes its value to the positions before it: a lost one makes them won a ply
//! later, a won one leaves them a move less, and one whose moves all lead to won positions is lost. What never gets a value is
//! drawn.
//!
//! A round changes only values of greater distances, so its positions are independent, and their order changes nothing.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use mancalab_base::memory::ByteMemory;
use mancalab_base::pool::Pool;

use super::build::LayerComputation;
use super::slices::{Placement, Slices};
use super::{EndgameTable, TableRules, find};
use crate::budget::{Budget, Status};
use crate::game::Game as _;
use crate::game::checkers::Checkers;

/// The name of the table.
pub const NAME: &str = "checkers";

/// The numbers of pieces that a table may have. With more, distances do not fit a byte.
pub const PIECES: RangeInclusive<u8> = 2..=6;

/// The value of a position for its side to move, with best play by both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Wins in this many plies, an odd number.
    Wins(u8),
    Draws,
    /// Loses in this many plies, an even number; 0 without a legal move.
    Loses(u8),
}

/// The byte of a drawn position.
const DRAWN: u8 = u8::MAX;

impl Value {
    /// A byte is the distance, whose parity decides who wins.
    pub fn from_byte(byte: u8) -> Value {
        match byte {
            DRAWN => Value::Draws,
            plies if plies % 2 == 1 => Value::Wins(plies),
            plies => Value::Loses(plies),
        }
    }

    /// The distance in plies; `None` for a draw.
    pub fn plies(self) -> Option<u8> {
        match self {
            Value::Wins(plies) | Value::Loses(plies) => Some(plies),
            Value::Draws => None,
        }
    }

    /// The value for the other side of the move that leads to this position.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Wins(plies) => Value::Loses(plies.saturating_add(1)),
            Value::Draws => Value::Draws,
            Value::Loses(plies) => Value::Wins(plies.saturating_add(1)),
        }
    }

    /// Greater is better for the side to move: sooner wins and later losses.
    pub fn rank(self) -> i32 {
        match self {
            Value::Wins(plies) => 256 - i32::from(plies),
            Value::Draws => 0,
            Value::Loses(plies) => i32::from(plies) - 256,
        }
    }
}

/// What a table numbers a position by: the mover's and the opponent's men and kings, men in the lower 32 bits.
#[inline]
pub fn board(pos: &Checkers) -> [u64; 2] {
    pos.sides().map(|[men, kings]| u64::from(men) | u64::from(kings) << 32)
}

/// The table of the process, if there is one. Clones and threads share its blocks in memory, at most 64 MB.
#[derive(Clone)]
pub struct Tables(Arc<EndgameTable>);

impl Tables {
    /// Opens the table in the folder set by [`set_folder`](super::set_folder); `None` if there is no usable one.
    pub fn open() -> Option<Tables> {
        find(TableRules::Checkers).ok().flatten().map(Tables)
    }

    /// Maximal number of pieces of a position.
    pub fn pieces(&self) -> u8 {
        self.0.most()
    }

    /// Returns the value of a position under any move limit; `None` if it has too many pieces, one side has none, or reading
    /// fails. Takes a tenth of a microsecond for a position whose block is in memory.
    #[inline]
    pub fn probe(&self, pos: &Checkers) -> Option<Value> {
        self.0.value(pos)
    }
}

/// Parts of the work between two checks of the budget, for each worker, and the positions of a part, in the first pass and in
/// a round.
const PARTS: usize = 4;
const VALUED: usize = 1 << 12;
const SCANNED: usize = 1 << 14;

/// In place of the number of moves left: the position cannot be lost, or its value is final.
const SAFE: u8 = 254;
const FINAL: u8 = 255;

/// The values of all positions of up to some pieces: a byte of memory each, and two more for those of the greatest layer.
pub struct Layers {
    slices: Slices,
    /// By layer, as far as they are complete.
    values: Vec<Vec<u8>>,
    work: Work,
}

/// The layer in the making.
struct Work {
    layer: u8,
    /// As many as the greatest layer has positions.
    values: ByteMemory,
    /// Moves within the layer that are not known to lose.
    left: ByteMemory,
    /// The round, by distance; `None` in the first pass.
    round: Option<u8>,
    /// The first position not visited yet in this pass or round.
    next: usize,
    /// The greatest distance so far.
    farthest: AtomicU8,
}

impl Layers {
    /// Bytes of memory for each position of the greatest layer, with those of its copy for the file.
    pub const WORK: u64 = 3;

    /// Begins the values of all positions of up to `pieces` pieces; `None` if there is no memory for them.
    pub fn new(pieces: u8) -> Option<Layers> {
        let slices = Slices::new(pieces);
        let greatest = slices.layers().map(|layer| slices.positions(layer)).max().unwrap_or(0);
        let values = ByteMemory::zeroed(greatest)?;
        let left = ByteMemory::zeroed(greatest)?;
        let work = Work { layer: 0, values, left, round: None, next: 0, farthest: AtomicU8::new(0) };
        Some(Layers { slices, values: Vec::new(), work })
    }

    /// The values of a complete layer, by number.
    #[cfg(test)]
    pub fn values(&self, layer: u8) -> &[u8] {
        &self.values[usize::from(layer)]
    }

    /// Visits the next positions with all workers.
    fn advance(&mut self, pool: &Pool) {
        let work = &self.work;
        let size = if work.round.is_none() { VALUED } else { SCANNED };
        let positions = self.slices.positions(work.layer);
        let end = positions.min(work.next + PARTS * size * pool.count());
        let mut parts: Vec<Range<usize>> =
            (work.next..end).step_by(size).map(|from| from..end.min(from + size)).collect();
        pool.map_each(&mut parts, |part| match work.round {
            None => part.clone().for_each(|number| self.begin_position(work, number)),
            Some(distance) => self.scan(work, part.clone(), distance),
        });
        self.work.next = end % positions;
        if end == positions {
            self.work.round = Some(self.work.round.map_or(0, |distance| distance + 1));
        }
    }

    /// Values a position by its moves to earlier layers.
    fn begin_position(&self, work: &Work, number: usize) {
        let pos = self.slices.placement(work.layer, number).position();
        let mut best = Value::Loses(0);
        let mut moves = 0;
        for mv in pos.moves() {
            match self.known(work.layer, &pos.play(mv)) {
                Some(value) => best = better(best, value.before()),
                None => moves += 1,
            }
        }
        let is_lost = matches!(best, Value::Loses(_));
        let left = match best {
            _ if moves == 0 => FINAL,
            Value::Loses(_) => moves,
            Value::Draws | Value::Wins(_) => SAFE,
        };
        work.left.cells()[number].store(left, Ordering::Relaxed);
        match best.plies().filter(|_| !is_lost || moves == 0) {
            Some(plies) => work.set(number, plies),
            None => work.values.cells()[number].store(DRAWN, Ordering::Relaxed),
        }
    }

    /// The value of the position after a move; `None` if it is in the layer itself.
    fn known(&self, layer: u8, child: &Checkers) -> Option<Value> {
        if child.is_over() {
            return Some(Value::Loses(0));
        }
        // A side that can move has a piece, and the side that has just moved has one.
        let (at, number) = self.slices.place(&Placement::from_position(child))?;
        (at != layer).then(|| Value::from_byte(self.values[usize::from(at)][number]))
    }

    /// Passes the values of this distance among these positions to the positions before them.
    fn scan(&self, work: &Work, part: Range<usize>, distance: u8) {
        let values = &work.values.cells()[part.clone()];
        for (value, number) in values.iter().zip(part) {
            if value.load(Ordering::Relaxed) != distance {
                continue;
            }
            self.slices.placement(work.layer, number).for_each_parent(|parent| {
                let Some((_, number)) = self.slices.place(&parent) else { return };
                if distance.is_multiple_of(2) {
                    work.win(number, distance + 1)
                } else {
                    self.close_move(work, &parent, number)
                }
            });
        }
    }

    /// Takes a move that loses from a position, which is lost with its last move.
    fn close_move(&self, work: &Work, placement: &Placement, number: usize) {
        let left = &work.left.cells()[number];
        if left.load(Ordering::Relaxed) >= SAFE || left.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        let pos = placement.position();
        let value = |child: Checkers| {
            let (_, at) = self.slices.place(&Placement::from_position(&child))?;
            Some(Value::from_byte(work.values.cells()[at].load(Ordering::Relaxed)))
        };
        let after = |mv| {
            let child = pos.play(mv);
            self.known(work.layer, &child).or_else(|| value(child)).unwrap_or(Value::Draws)
        };
        let longest = pos.moves().filter_map(|mv| after(mv).before().plies()).max();
        work.set(number, longest.unwrap_or(0));
    }
}

/// The better of two values for the side to move: sooner wins, later losses.
fn better(a: Value, b: Value) -> Value {
    if a.rank() >= b.rank() { a } else { b }
}

impl Work {
    fn begin(&mut self, layer: u8) {
        (self.layer, self.round, self.next, self.farthest) = (layer, None, 0, AtomicU8::new(0));
    }

    fn set(&self, number: usize, plies: u8) {
        self.values.cells()[number].store(plies, Ordering::Relaxed);
        self.farthest.fetch_max(plies, Ordering::Relaxed);
    }

    /// Makes a position won in this many plies, unless it is won sooner or has to jump.
    fn win(&self, number: usize, plies: u8) {
        if self.left.cells()[number].load(Ordering::Relaxed) != FINAL {
            self.values.cells()[number].fetch_min(plies, Ordering::Relaxed);
            self.farthest.fetch_max(plies, Ordering::Relaxed);
        }
    }

    /// Whether no position has the distance of the round, or a greater one.
    fn is_done(&self) -> bool {
        self.round.is_some_and(|distance| distance > self.farthest.load(Ordering::Relaxed))
    }
}

impl LayerComputation for Layers {
    fn complete(&self) -> u8 {
        self.values.len() as u8
    }

    fn progress(&self) -> f64 {
        let known: usize = self.values.iter().map(Vec::len).sum();
        let positions = self.slices.positions(self.work.layer);
        // The first pass takes about half of the time.
        let part = if self.work.round.is_none() { self.work.next } else { positions } / 2;
        ((known + part) as f64 / self.slices.count() as f64).min(1.0)
    }

    fn bytes(&self, layer: u8) -> Vec<u8> {
        self.values[usize::from(layer)].clone()
    }

    fn restore(&mut self, layer: u8, bytes: &[u8]) {
        self.values.push(bytes.to_vec());
        self.work.begin((layer + 1).min(self.slices.layers().end - 1));
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.complete() < self.slices.layers().end {
            self.advance(pool);
            if self.work.is_done() {
                let values = &self.work.values.cells()[..self.slices.positions(self.work.layer)];
                let values: Vec<u8> = values.iter().map(|value| value.load(Ordering::Relaxed)).collect();
                self.restore(self.work.layer, &values);
                break;
            }
            if budget.is_spent() {
                break;
            }
        }
        if self.complete() == self.slices.layers().end { Status::Done } else { Status::Running }
    }
}
