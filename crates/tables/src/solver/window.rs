//! Null-window search to the end of the game: is the mover's share at least `least`?
//!
//! The mover's share is the part of the seeds in the pits that it gains until the end. It does not depend on the
//! stores, so that positions that differ in them share an entry of the table.

use super::table::{Bounds, BoundsTable, NO_MOVE};
use crate::active::ActiveSearches;
use crate::endgame::{EndgameTable, Endgames};
use crate::game::Move;
use crate::game::kalah::{Pits, Rules, Sowing, total};
use crate::rank::{Board, Ranks};
use mancalab_base::pool::Pool;
use std::sync::Arc;

/// Seeds that a position may have more than those that the endgames are meant for.
const MORE: u8 = 6;

/// A thread's part in searches: all that [helpers](Window::helper) share, and counts of its own.
pub(super) struct Window {
    rules: Rules,
    row: Row,
    ranks: Arc<Ranks>,
    bounds: Arc<BoundsTable>,
    endgames: Arc<Endgames>,
    /// Maximal number of seeds that `ranks` and `bounds` are made for.
    most: u8,
    /// Seeds that the endgames are meant for.
    left: u8,
    /// The searches of all threads, if there are others.
    active: Option<Arc<ActiveSearches>>,
    /// Positions visited.
    pub nodes: u64,
    /// Places of the table that it filled.
    pub filled: u64,
    /// Number of nodes at which to stop.
    pub limit: u64,
}

/// Place in the order of children that another thread searches.
const LAST: i32 = i32::MIN;

/// Least seeds of a board of which only one thread at a time searches a later child.
const SHARED: u8 = 24;

/// A position reached by one move from a parent.
#[derive(Clone, Copy)]
struct Child {
    board: Board,
    rank: u64,
    mv: Move,
    /// Seeds in the pits.
    left: u8,
    /// Seeds that the move gains, with those gathered if it ends the game.
    gain: u8,
    /// Whether the parent's mover moves again.
    again: bool,
    /// Place in the order of search: greater is earlier.
    order: i32,
    /// Bounds of the position's share by the table.
    known: Bounds,
}

impl Child {
    #[inline(always)]
    fn new(rules: Rules, board: Board, left: u8, mv: Move) -> Child {
        let Sowing { own, other, gain, again } = rules.sow(board, mv.0 as u8);
        let is_over = own == 0 || other == 0;
        let board = if again { [own, other] } else { [other, own] };
        let gain = if is_over { gain + total(own) } else { gain };
        let left = if is_over { 0 } else { left - gain };
        Child { board, rank: 0, mv, left, gain, again, order: 0, known: Bounds::NONE }
    }

    /// The parent's share by this move, from this position's share.
    #[inline(always)]
    fn parent_share(&self, left: u8, share: u8) -> u8 {
        if self.again { self.gain + share } else { left - share }
    }

    /// Bounds of the parent's share by this move, from bounds of this position's share.
    #[inline(always)]
    fn to_parent(self, left: u8, bounds: Bounds) -> (u8, u8) {
        let upper = bounds.upper.min(self.left);
        let one = self.parent_share(left, bounds.lower);
        let two = self.parent_share(left, upper);
        (one.min(two), one.max(two))
    }

    /// The share of this position that gives the parent's mover at least `least`, or that keeps it below.
    #[inline(always)]
    fn least(&self, left: u8, least: u8) -> u8 {
        if self.again { least - self.gain } else { left - least + 1 }
    }

    /// The best move known first. Then extra turns, nearest to the store first, so that all remain available and their order
    /// is one of many. Then captures, then other moves: by the seeds gained, the seeds, extra turns and filled pits that
    /// the mover has next, and few extra turns of the opponent. The weights are those of the fewest nodes for (6,4).
    #[inline(always)]
    fn order(&self, hint: Move, row: &Row) -> i32 {
        let pit = i32::from(self.mv.0);
        let gain = i32::from(self.gain);
        if self.mv == hint {
            return i32::MAX;
        }
        if self.again {
            return 10_000 + pit;
        }
        let [other, own] = self.board;
        let captured = if gain > 1 { 1000 } else { 0 };
        captured + 200 * gain + 10 * pit + 8 * i32::from(total(own)) + 10 * row.extra_turns(own)
            - 10 * row.empty_pits(own)
            - 20 * row.extra_turns(other)
    }
}

/// Finds pits in a row with certain numbers of seeds.
#[derive(Clone, Copy)]
struct Row {
    /// The highest bit of each pit's byte.
    high: u64,
    /// In each pit, the seeds that reach the store.
    turns: u64,
}

impl Row {
    fn new(pits: u8) -> Row {
        let word = |byte: fn(u8, u8) -> u8| (0..pits).map(|pit| u64::from(byte(pits, pit)) << (8 * pit)).sum();
        Row { high: word(|_, _| 0x80), turns: word(|pits, pit| pits - pit) }
    }

    #[inline(always)]
    fn empty_pits(&self, row: u64) -> i32 {
        // A byte above 0 keeps its highest bit when 1 is subtracted.
        (!((row | self.high) - (self.high >> 7)) & self.high).count_ones() as i32
    }

    #[inline(always)]
    fn extra_turns(&self, row: u64) -> i32 {
        self.empty_pits(row ^ self.turns)
    }
}

impl Window {
    /// Searches of boards with at most `most` seeds, usually `left`, in a transposition table of at most `megabytes`, with
    /// this endgame table or none. `None` if the memory is too small for exact entries.
    pub fn new(rules: Rules, most: u8, left: u8, megabytes: usize, table: Option<Arc<EndgameTable>>) -> Option<Window> {
        let ranks = Arc::new(Ranks::new(rules.pits().into(), most)?);
        let bounds = Arc::new(BoundsTable::new(megabytes, ranks.count(most))?);
        let endgames = Arc::new(Endgames::new(rules, left, megabytes, table)?);
        let row = Row::new(rules.pits());
        Some(Window { rules, row, ranks, bounds, endgames, most, left, active: None, nodes: 0, filled: 0, limit: 0 })
    }

    /// Returns whether boards of these rules with this many seeds have entries in a table of at least this size, and endgames that are
    /// large enough.
    pub fn fits(&self, rules: Rules, seeds: u8, megabytes: usize) -> bool {
        let is_same =
            (rules.pits(), rules.capture(), rules.end()) == (self.rules.pits(), self.rules.capture(), self.rules.end());
        is_same && seeds <= self.most.min(self.left + MORE) && self.bounds.megabytes() >= megabytes
    }

    /// Continues the computation of the endgames, and returns whether all are known. Searches do so themselves too.
    pub fn is_ready(&mut self, pool: &Pool) -> bool {
        // Helpers exist only once all are known.
        Arc::get_mut(&mut self.endgames).is_none_or(|endgames| endgames.is_ready(pool))
    }

    /// Another thread's part in the same searches, once the endgames are known.
    pub fn helper(&mut self) -> Window {
        let active = self.active.get_or_insert_default();
        Window {
            rules: self.rules,
            row: self.row,
            ranks: Arc::clone(&self.ranks),
            bounds: Arc::clone(&self.bounds),
            endgames: Arc::clone(&self.endgames),
            most: self.most,
            left: self.left,
            active: Some(Arc::clone(active)),
            nodes: 0,
            filled: 0,
            limit: 0,
        }
    }

    /// Sets whether this search and those of the helpers stop as soon as possible.
    pub fn stop(&self, stop: bool) {
        if let Some(active) = &self.active {
            active.stop(stop);
        }
    }

    /// The transposition table.
    pub fn table(&self) -> &BoundsTable {
        &self.bounds
    }

    /// Returns a bound of the share of `board`, with `left` seeds in its pits: a lower bound if at least `least`, else
    /// an upper bound. `None` if that takes more nodes than the limit allows, or the endgames are not all computed; the
    /// tables have the results so far.
    pub fn share(&mut self, board: Board, left: u8, least: u8) -> Option<u8> {
        if least == 0 || least > left {
            return Some(if least == 0 { 0 } else { left });
        }
        let rank = self.ranks.rank(board);
        if !self.is_ready(&Pool::alone()) {
            return None;
        }
        if let Some(share) = self.endgames.get(rank, left) {
            return Some(share);
        }
        match self.bounds.get(rank) {
            Bounds { lower, .. } if lower >= least => Some(lower),
            Bounds { upper, .. } if upper < least => Some(upper),
            Bounds { mv, .. } => self.search(board, rank, left, least, mv),
        }
    }

    /// As [`share`](Window::share), for the share of `board` by one of its moves.
    pub fn share_by(&mut self, board: Board, left: u8, mv: Move, least: u8) -> Option<u8> {
        let child = Child::new(self.rules, board, left, mv);
        if child.left == 0 || child.gain >= least {
            return Some(child.gain);
        }
        let share = self.share(child.board, child.left, child.least(left, least))?;
        Some(child.parent_share(left, share))
    }

    /// The best move of `board` by the table; any number if it has none.
    pub fn hint(&self, board: Board) -> Move {
        self.bounds.get(self.ranks.rank(board)).mv
    }

    #[inline(always)]
    fn put(&mut self, rank: u64, bounds: Bounds, nodes: u64) {
        self.filled += u64::from(self.bounds.put(rank, bounds, nodes));
    }

    /// As [`share`](Window::share), for `least` from 1 to `left`, a board without a known share, and no known bound
    /// that decides.
    fn search(&mut self, board: Board, rank: u64, left: u8, least: u8, hint: Move) -> Option<u8> {
        if self.nodes >= self.limit || self.active.as_ref().is_some_and(|active| active.is_stopped()) {
            return None;
        }
        let before = self.nodes;
        self.nodes += 1;
        let mut best = 0;
        let mut children =
            [Child { board, rank, mv: NO_MOVE, left, gain: 0, again: true, order: 0, known: Bounds::NONE }; 8];
        let mut count = 0;
        for mv in Pits::filled(board[0]) {
            let child = Child::new(self.rules, board, left, mv);
            if child.gain >= least {
                return Some(child.gain);
            }
            if child.left == 0 {
                best = best.max(child.gain);
                continue;
            }
            let rank = self.ranks.rank(child.board);
            if !self.endgames.prefetch(rank, child.left) {
                self.bounds.prefetch(rank);
            }
            children[count & 7] = Child { rank, order: child.order(hint, &self.row), ..child };
            count += 1;
        }
        // Known shares and bounds of all children first: they may decide without a search.
        let mut open = 0;
        for index in 0..count.min(8) {
            let mut child = children[index];
            child.known = match self.endgames.get(child.rank, child.left) {
                Some(share) => Bounds::exact(share),
                None => self.bounds.get(child.rank),
            };
            let (lower, upper) = child.to_parent(left, child.known);
            if lower >= least {
                self.put(rank, Bounds::from_result(lower, least, child.mv), 1);
                return Some(lower);
            }
            if upper < least {
                best = best.max(upper);
            } else {
                children[open & 7] = child;
                open += 1;
            }
        }
        let mut mv = NO_MOVE;
        let mut index = 0;
        while index < open.min(8) {
            let next = (index..open.min(8)).max_by_key(|&next| children[next].order).unwrap_or(index);
            children.swap(index, next);
            let child = children[index];
            // Searches of other children may have met this one.
            let known = if index == 0 { child.known } else { self.bounds.get(child.rank) };
            let share = match child.to_parent(left, known) {
                (lower, _) if lower >= least => lower,
                (_, upper) if upper < least => upper,
                _ => {
                    let to_reach = child.least(left, least);
                    let busy = self.active.as_ref().filter(|_| index > 0 && child.left >= SHARED);
                    let mark = busy.map(|active| active.mark((child.rank << 7 | u64::from(to_reach)) + 1));
                    if child.order > LAST && mark.as_ref().is_some_and(Option::is_none) {
                        // Another thread searches it: the others first.
                        children[index].order = LAST;
                        continue;
                    }
                    let share = self.search(child.board, child.rank, child.left, to_reach, known.mv);
                    drop(mark);
                    child.parent_share(left, share?)
                }
            };
            if share > best {
                (best, mv) = (share, child.mv);
            }
            if best >= least {
                break;
            }
            index += 1;
        }
        self.put(rank, Bounds::from_result(best, least, mv), self.nodes - before);
        Some(best)
    }
}
