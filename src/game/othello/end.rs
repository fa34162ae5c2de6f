//! The last squares, played to the end of the game without a table and without anything that has to be kept: what a search of an
//! endgame spends most of its time on.
//!
//! Moves are tried first in those quarters of the board where the number of empty squares is odd: who moves into one of them has
//! good hopes to make the last move there.

use super::lines::{count_on_last, flips, legal};
use super::order::{Choices, around};
use super::stable::at_least;
use super::{MOST, Othello};
use crate::game::Frontier;

/// The game is finished without a table from so many empty squares on.
const FINISHED: u32 = 8;

/// From so many empty squares on it pays to sort moves by what they leave the opponent.
const SORTED: u32 = 6;

/// From so many on, to look for discs that can never be flipped.
const STABLE: u32 = 5;

/// The lead from which on a bound can be reached by stable discs alone, often enough to look for them.
const WIDE: i32 = 8;

const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

impl Othello {
    /// See [`Game::finish`](crate::game::Game::finish).
    #[inline]
    pub(super) fn finished(&self, beta: i32) -> Option<Frontier> {
        if self.empty() > FINISHED {
            return None;
        }
        let mut end = End { visited: 0 };
        let best = end.margin(self.own, self.other, beta);
        Some(Frontier { best, visited: end.visited, solved: true })
    }

    /// See [`Game::settled`](crate::game::Game::settled).
    #[inline]
    pub(super) fn settled_by_stable(&self, beta: i32) -> Option<i32> {
        if self.empty() > 32 { None } else { settled(self.own, self.other, beta) }
    }
}

/// A bound of the margin that stable discs give, if it is on one side of `beta` with the margin.
#[inline]
fn settled(own: u64, other: u64, beta: i32) -> Option<i32> {
    if beta >= WIDE {
        let most = -at_least(other, own);
        if most < beta {
            return Some(most);
        }
    } else if beta <= -WIDE {
        let least = at_least(own, other);
        if least >= beta {
            return Some(least);
        }
    }
    None
}

fn lead(own: u64, other: u64) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

/// The squares of `set` in quarters with an odd number of `empty` squares.
#[inline]
fn odd(empty: u64) -> u64 {
    let mut odd = 0;
    for quarter in QUARTERS {
        // The parity of a set is the lowest bit of its count.
        odd |= quarter & u64::from((empty & quarter).count_ones() & 1).wrapping_neg();
    }
    odd & empty
}

struct End {
    visited: u32,
}

impl End {
    /// The mover's margin at the end, or a bound that is on the same side of `beta`.
    fn margin(&mut self, own: u64, other: u64, beta: i32) -> i32 {
        let empty = !(own | other);
        match empty.count_ones() {
            0 => lead(own, other),
            1 => self.last(empty, own, other),
            count if count < STABLE => self.few(empty, own, other, beta),
            count => self.many(count, own, other, beta),
        }
    }

    fn many(&mut self, count: u32, own: u64, other: u64, beta: i32) -> i32 {
        self.moving(count, own, other, legal(own, other), beta)
    }

    /// The same where the legal moves are known.
    fn moving(&mut self, count: u32, own: u64, other: u64, moves: u64, beta: i32) -> i32 {
        self.visited += 1;
        if let Some(bound) = settled(own, other, beta) {
            return bound;
        }
        if moves == 0 {
            let answers = legal(other, own);
            return if answers == 0 { lead(own, other) } else { -self.moving(count, other, own, answers, 1 - beta) };
        }
        let mut best = i32::MIN;
        if count >= SORTED {
            let choices = Choices::new(own, other, moves);
            for item in &choices.order[..choices.len] {
                let at = (item >> 6) as usize & (MOST - 1);
                let (us, them) = (choices.us[at], choices.them[at]);
                best = best.max(-self.moving(count - 1, us, them, choices.answers[at], 1 - beta));
                if best >= beta {
                    return best;
                }
            }
            return best;
        }
        let odd = odd(!(own | other));
        for mut group in [moves & odd, moves & !odd] {
            while group != 0 {
                let square = group.trailing_zeros() as u8;
                group &= group - 1;
                best = best.max(self.tried(square, flips(square, own, other), own, other, beta));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// What a disc on `square` is worth.
    #[inline]
    fn tried(&mut self, square: u8, flipped: u64, own: u64, other: u64, beta: i32) -> i32 {
        -self.margin(other ^ flipped, own | flipped | 1 << square, 1 - beta)
    }

    /// Two to four empty squares: each is tried, whether a disc may be put there or not.
    fn few(&mut self, empty: u64, own: u64, other: u64, beta: i32) -> i32 {
        self.visited += 1;
        let mut best = self.best_of(empty, own, other, beta);
        if best == i32::MIN {
            best = self.best_of(empty, other, own, 1 - beta);
            best = if best == i32::MIN { lead(own, other) } else { -best };
        }
        best
    }

    /// `i32::MIN` where no disc may be put.
    #[inline]
    fn best_of(&mut self, empty: u64, own: u64, other: u64, beta: i32) -> i32 {
        let near = empty & around(other);
        let odd = odd(empty);
        let mut best = i32::MIN;
        for mut group in [near & odd, near & !odd] {
            while group != 0 {
                let square = group.trailing_zeros() as u8;
                group &= group - 1;
                let flipped = flips(square, own, other);
                if flipped != 0 {
                    best = best.max(self.tried(square, flipped, own, other, beta));
                    if best >= beta {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// One empty square: whoever can takes it.
    #[inline]
    fn last(&mut self, empty: u64, own: u64, other: u64) -> i32 {
        self.visited += 1;
        let square = empty.trailing_zeros() as u8;
        let lead = lead(own, other);
        let flipped = count_on_last(square, own);
        if flipped != 0 {
            return lead + 1 + 2 * flipped;
        }
        let flipped = count_on_last(square, other);
        if flipped != 0 { lead - 1 - 2 * flipped } else { lead }
    }
}
