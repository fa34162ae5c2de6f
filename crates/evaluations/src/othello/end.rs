//! Solver for the last empty squares, without a transposition table or other memory: most of the time of an endgame
//! search is spent here.
//!
//! Moves in quarters of the board with an odd number of empty squares come first: the side that moves there is likely
//! to make the last move there. The last four empty squares are passed as arguments, so that no search for them is
//! needed.

use super::choices::{Choices, around};
use super::quarters::{OF_QUARTERS, odd_quarters, quarter};
use super::stable::at_least;
use mancalab_games::othello::lines::{count_on_last, flips, legal};
use mancalab_games::othello::{Othello, final_margin};
use mancalab_games::{Game as _, Horizon};

/// Maximal number of empty squares to solve.
const FINISHED: u32 = 8;

/// Maximal number of legal moves then.
const MOST: usize = 8;

/// Minimal number of empty squares to sort moves by the opponent's replies.
const SORTED: u32 = 6;

/// Minimal absolute value of `beta` for which stable discs give a bound often enough to compute them.
const WIDE: i32 = 8;

/// Squares adjacent to each square.
static BESIDE: [u64; 64] = {
    let mut beside = [0; 64];
    let mut square = 0;
    while square < 64 {
        beside[square] = around(1 << square);
        square += 1;
    }
    beside
};

/// The mover's final margin under best play, or a bound that decides whether it is at least `beta`; `None` with more than
/// eight empty squares.
#[inline]
pub fn finish(pos: &Othello, beta: i32) -> Option<Horizon> {
    let count = pos.empty();
    if count > FINISHED {
        return None;
    }
    let [own, other] = pos.key();
    let mut end = End { visited: 0 };
    let best = end.margin(count, own, other, beta);
    Some(Horizon { best, visited: end.visited, solved: true })
}

/// A bound of the mover's final margin that decides whether it is at least `beta`, if stable discs give one.
#[inline]
pub fn stable_bound(pos: &Othello, beta: i32) -> Option<i32> {
    let [own, other] = pos.key();
    if pos.empty() > 32 { None } else { bound(own, other, beta) }
}

/// A bound of the margin from stable discs, if it decides whether the margin is at least `beta`.
#[inline]
fn bound(own: u64, other: u64, beta: i32) -> Option<i32> {
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

/// Discs flipped by a disc on `square`, with a fast exit if no disc of the opponent is adjacent.
#[inline(always)]
fn flips_there(square: u8, own: u64, other: u64) -> u64 {
    if BESIDE[usize::from(square & 63)] & other == 0 { 0 } else { flips(square, own, other) }
}

struct End {
    visited: u32,
}

impl End {
    /// The mover's final margin, or a bound on the same side of `beta`, with `count` empty squares.
    fn margin(&mut self, count: u32, own: u64, other: u64, beta: i32) -> i32 {
        let empty = !(own | other);
        match count {
            0 => final_margin(own, other),
            1 => self.one(empty.trailing_zeros() as u8, own, other),
            2 | 3 => {
                let first = empty.trailing_zeros() as u8;
                let last = 63 - empty.leading_zeros() as u8;
                let between = empty & (empty - 1) & !(1 << last);
                if between == 0 {
                    self.two([first, last], own, other, beta)
                } else {
                    self.three([first, between.trailing_zeros() as u8, last], own, other, beta)
                }
            }
            4 => self.four(odd_quarters(empty), own, other, beta),
            _ => self.many(count, odd_quarters(empty), own, other, legal(own, other), beta),
        }
    }

    /// Five or more empty squares, with the set of `odd` quarters and the legal moves.
    fn many(&mut self, count: u32, odd: u8, own: u64, other: u64, moves: u64, beta: i32) -> i32 {
        self.visited += 1;
        if let Some(bound) = bound(own, other, beta) {
            return bound;
        }
        if moves == 0 {
            let answers = legal(other, own);
            return if answers == 0 {
                final_margin(own, other)
            } else {
                -self.many(count, odd, other, own, answers, 1 - beta)
            };
        }
        if count >= SORTED {
            self.sorted(count, odd, own, other, moves, beta)
        } else {
            self.five(odd, own, other, moves, beta)
        }
    }

    fn sorted(&mut self, count: u32, odd: u8, own: u64, other: u64, moves: u64, beta: i32) -> i32 {
        let mut best = i32::MIN;
        let choices = Choices::<MOST>::new(own, other, moves, OF_QUARTERS[usize::from(odd)]);
        for item in &choices.order[..choices.len] {
            let at = (item >> 6) as usize & (MOST - 1);
            let us = choices.us[at];
            let them = choices.them[at];
            let odd = odd ^ quarter((item & 63) as u8);
            best = best.max(-self.many(count - 1, odd, us, them, choices.answers[at], 1 - beta));
            if best >= beta {
                break;
            }
        }
        best
    }

    fn five(&mut self, odd: u8, own: u64, other: u64, moves: u64, beta: i32) -> i32 {
        let mut best = i32::MIN;
        let first = OF_QUARTERS[usize::from(odd & 15)];
        for mut group in [moves & first, moves & !first] {
            while group != 0 {
                let square = group.trailing_zeros() as u8;
                group &= group - 1;
                let flipped = flips(square, own, other);
                let odd = odd ^ quarter(square);
                best = best.max(-self.four(odd, other ^ flipped, own | flipped | 1 << square, 1 - beta));
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    fn four(&mut self, odd: u8, own: u64, other: u64, beta: i32) -> i32 {
        self.visited += 1;
        let empty = !(own | other);
        let first = OF_QUARTERS[usize::from(odd & 15)];
        let mut squares = [0; 4];
        let mut len = 0;
        for mut group in [empty & first, empty & !first] {
            while group != 0 {
                squares[len & 3] = group.trailing_zeros() as u8;
                group &= group - 1;
                len += 1;
            }
        }
        let mut best = self.best_of_four(squares, own, other, beta);
        if best == i32::MIN {
            best = self.best_of_four(squares, other, own, 1 - beta);
            best = if best == i32::MIN { final_margin(own, other) } else { -best };
        }
        best
    }

    /// `i32::MIN` without a legal move.
    #[inline(always)]
    fn best_of_four(&mut self, [a, b, c, d]: [u8; 4], own: u64, other: u64, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            let flipped = flips_there(square, own, other);
            if flipped != 0 {
                best = best.max(-self.three(rest, other ^ flipped, own | flipped | 1 << square, 1 - beta));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    fn three(&mut self, [a, b, c]: [u8; 3], own: u64, other: u64, beta: i32) -> i32 {
        self.visited += 1;
        // If two share a quarter, the third is tried first.
        let squares = if quarter(a) == quarter(b) {
            [c, a, b]
        } else if quarter(a) == quarter(c) {
            [b, a, c]
        } else {
            [a, b, c]
        };
        let mut best = self.best_of_three(squares, own, other, beta);
        if best == i32::MIN {
            best = self.best_of_three(squares, other, own, 1 - beta);
            best = if best == i32::MIN { final_margin(own, other) } else { -best };
        }
        best
    }

    /// `i32::MIN` without a legal move.
    #[inline(always)]
    fn best_of_three(&mut self, [a, b, c]: [u8; 3], own: u64, other: u64, beta: i32) -> i32 {
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let flipped = flips_there(square, own, other);
            if flipped != 0 {
                best = best.max(-self.two(rest, other ^ flipped, own | flipped | 1 << square, 1 - beta));
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    fn two(&mut self, squares: [u8; 2], own: u64, other: u64, beta: i32) -> i32 {
        self.visited += 1;
        let mut best = self.best_of_two(squares, own, other, beta);
        if best == i32::MIN {
            best = self.best_of_two(squares, other, own, 1 - beta);
            best = if best == i32::MIN { final_margin(own, other) } else { -best };
        }
        best
    }

    /// `i32::MIN` without a legal move.
    #[inline(always)]
    fn best_of_two(&mut self, [a, b]: [u8; 2], own: u64, other: u64, beta: i32) -> i32 {
        let mut best = i32::MIN;
        let flipped = flips_there(a, own, other);
        if flipped != 0 {
            best = -self.one(b, other ^ flipped, own | flipped | 1 << a);
            if best >= beta {
                return best;
            }
        }
        let flipped = flips_there(b, own, other);
        if flipped != 0 {
            best = best.max(-self.one(a, other ^ flipped, own | flipped | 1 << b));
        }
        best
    }

    /// One empty square, taken by the mover if legal, otherwise by the other side.
    #[inline(always)]
    fn one(&mut self, square: u8, own: u64, other: u64) -> i32 {
        self.visited += 1;
        // 63 discs, so the lead is odd.
        let lead = 2 * own.count_ones() as i32 - 63;
        let flipped = count_on_last(square, own);
        if flipped != 0 {
            return lead + 1 + 2 * flipped;
        }
        let flipped = count_on_last(square, other);
        if flipped != 0 { lead - 1 - 2 * flipped } else { lead + lead.signum() }
    }
}
