//! Evaluation of positions by patterns, learned from the program's own games.
//!
//! The value of a position is a sum of weights: one for the content of each of 46 places on the board (rows, diagonals,
//! corners, edges), and one for each of a few counts, the mobility of both sides and the parity of the quarters. The weights
//! differ by stage of the game. Contents are kept up to date move by move: each changed disc adds a fixed vector.
//!
//! Exact searches use the evaluation too: [`ordered_moves`] sorts moves by shallow searches, [`static_eval`] values a position
//! without a search, [`stable_bound`] bounds it by discs that cannot turn, and [`finish`] solves the last squares.

mod choices;
mod end;
mod fit;
mod layout;
mod order;
mod quarters;
mod stable;
mod static_eval;
mod weights;

pub use end::{finish, stable_bound};
pub use fit::LeastSquares;
use layout::POWERS;
pub use layout::{CONTENTS, LANES, Layout, PLACES, SHAPES, contents};
pub use order::{OrderedMoves, ordered_moves};
pub use static_eval::static_eval;
pub use weights::{DISC, Weights};

use mancalab_games::othello::{Othello, lines};
use mancalab_games::{Game, Side};
use quarters::odd_quarters;

/// Maximal number of legal moves that are sorted.
const SORTED: usize = 32;

/// Number of distinct values of a mobility; more moves count as the last.
pub const MOBILITIES: usize = 24;

/// Values of the parity: the number of quarters with an odd number of empty squares.
pub const PARITIES: usize = 5;

/// Number of weights of the counts.
pub const COUNTED: usize = 2 * MOBILITIES + PARITIES;

/// Contents of all places, with Black as the first side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contents([u16; LANES]);

impl Contents {
    /// Contents of a position.
    pub fn read(pos: &Othello) -> Contents {
        let [black, white] = pos.discs();
        Contents::of_discs(black, white)
    }

    /// Contents of a board with the side to move as the first side.
    fn of_discs(own: u64, other: u64) -> Contents {
        let mut contents = Contents([0; LANES]);
        contents.add(own, 1);
        contents.add(other, 2);
        contents
    }

    #[inline]
    fn add(&mut self, mut squares: u64, times: u16) {
        while squares != 0 {
            let square = squares.trailing_zeros() as usize & 63;
            squares &= squares - 1;
            for (content, power) in self.0.iter_mut().zip(&POWERS[square]) {
                *content = content.wrapping_add(power.wrapping_mul(times));
            }
        }
    }

    /// Contents of the position `child`, reached by a move from `pos`.
    #[inline]
    #[must_use]
    pub fn after(&self, pos: &Othello, child: &Othello) -> Contents {
        let ([own, other], [_, new]) = (pos.key(), child.key());
        self.with(new & !own, other, pos.side())
    }

    /// Contents after a move of `side` that gives it the discs `new`, some of which were the `other` side's.
    #[inline]
    fn with(&self, new: u64, other: u64, side: Side) -> Contents {
        let mut contents = *self;
        let flipped = new & other;
        match side {
            // White discs become black: 2 to 1; a black disc appears.
            Side::South => {
                contents.add(flipped, u16::MAX);
                contents.add(new & !flipped, 1);
            }
            Side::North => {
                contents.add(flipped, 1);
                contents.add(new & !flipped, 2);
            }
        }
        contents
    }

    /// The contents by lane.
    #[inline]
    pub fn lanes(&self) -> &[u16; LANES] {
        &self.0
    }
}

/// The counts of a position: the mover's and the opponent's number of moves, and the number of odd quarters.
#[inline]
pub fn counts(pos: &Othello) -> [usize; 3] {
    let [own, other] = pos.key();
    counts_of(own | other, [pos.legal(), lines::legal(other, own)])
}

/// The same for the squares with discs, and the legal squares of the mover and of the opponent.
#[inline]
fn counts_of(taken: u64, [moves, answers]: [u64; 2]) -> [usize; 3] {
    let mobility = |moves: u64| (moves.count_ones() as usize).min(MOBILITIES - 1);
    [mobility(moves), mobility(answers), odd_quarters(!taken).count_ones() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancalab_base::rng;
    use mancalab_games::BoardGame as _;
    use rand::Rng as _;

    #[test]
    fn contents_follow_the_moves() {
        let mut random = rng::keyed(&[11]);
        for _ in 0..50 {
            let mut pos = Othello::start(Default::default());
            let mut contents = Contents::read(&pos);
            while !pos.is_over() {
                let child = pos.play(pos.pick(random.next_u32()));
                contents = contents.after(&pos, &child);
                assert_eq!(contents, Contents::read(&child), "{pos:?} to {child:?}");
                pos = child;
            }
        }
    }
}
