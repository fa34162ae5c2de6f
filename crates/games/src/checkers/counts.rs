//! Answers about all legal moves without a list: their number, the nth move, and the greatest gain.

use super::jump_sources::{ByWay, count};
use super::numbers::numbered;
use super::sets::{NEXT, Way, neighbours};
use super::{CROWN, Checkers, FARTHEST_ROW, NEAREST_ROW};
use crate::{Game, Horizon, Move};

/// Upper bound of the number of moves in any position with at most twelve pieces a side: twelve kings with sixteen
/// jumps each.
const MOST_MOVES: usize = 192;

impl Checkers {
    /// Targets of the mover's steps in each direction; these are the moves if there are no jumps.
    #[inline]
    fn targets(&self) -> ByWay {
        if self.side == 0 { self.targets_of::<true>() } else { self.targets_of::<false>() }
    }

    /// See [`Game::count_moves`].
    #[inline]
    pub(super) fn number_of_moves(&self) -> u64 {
        if self.jumps { self.number_of_jumps() } else { count(&self.targets()).into() }
    }

    fn number_of_jumps(&self) -> u64 {
        let number = if self.side == 0 {
            self.jumps_of::<true>(self.springs_of::<true>())
        } else {
            self.jumps_of::<false>(self.springs_of::<false>())
        };
        number.into()
    }

    /// See [`Game::count_pairs`].
    #[inline]
    pub(super) fn pairs(&self) -> u64 {
        if self.jumps {
            return self.moves().map(|mv| self.after(mv).replies()).sum();
        }
        let (targets, mut count) = (self.targets(), 0);
        for way in Way::ALL {
            let mut left = targets[way as usize];
            while left != 0 {
                let to = left.trailing_zeros() as u8;
                left &= left - 1;
                let from = NEXT[usize::from(to & 31)][way.back() as usize];
                count += self.moved(from, to, 0).replies();
            }
        }
        count
    }

    /// Number of legal moves of the side to move, when `able` and `jumps` are not yet known.
    #[inline]
    fn replies(&self) -> u64 {
        if self.side == 0 { self.replies_of::<true>() } else { self.replies_of::<false>() }
    }

    #[inline(always)]
    fn replies_of<const SOUTH: bool>(&self) -> u64 {
        let jump_sources = self.springs_of::<SOUTH>();
        let number = if self.jumpers_of::<SOUTH>(jump_sources) == 0 {
            count(&self.targets_of::<SOUTH>())
        } else {
            self.jumps_of::<SOUTH>(jump_sources)
        };
        number.into()
    }

    /// Step number `nth`.
    #[inline]
    fn nth(targets: &ByWay, mut nth: u32) -> Move {
        for way in Way::ALL {
            let mut set = targets[way as usize];
            let count = set.count_ones();
            if nth >= count {
                nth -= count;
                continue;
            }
            for _ in 0..nth {
                set &= set - 1;
            }
            let to = set.trailing_zeros() as u8;
            return numbered(NEXT[usize::from(to & 31)][way.back() as usize], to, 0);
        }
        Move::default()
    }

    /// See [`Game::pick`].
    #[inline]
    pub(super) fn picked(&self, bits: u32) -> Move {
        let of = |count: u64| (u64::from(bits) * count) >> 32;
        if self.jumps {
            return self.moves().nth(of(self.number_of_jumps()) as usize).unwrap_or_default();
        }
        let targets = self.targets();
        Checkers::nth(&targets, of(count(&targets).into()) as u32)
    }

    /// Whether no step of the mover can end the game: if the other side has steps to two squares, one of them remains
    /// whichever square the mover takes.
    #[inline]
    fn leaves_a_reply(&self) -> bool {
        let other = Checkers { side: self.side ^ 1, ..*self };
        let [a, b, c, d] = other.targets();
        let squares = a | b | c | d;
        squares & squares.wrapping_sub(1) != 0
    }

    /// Steps that make a man a king.
    #[inline]
    fn crowning(&self, targets: &ByWay) -> ByWay {
        let own = self.pieces[usize::from(self.side & 1)];
        let men = own & !self.kings;
        let (ways, row) = if self.side == 0 { (Way::FAR, FARTHEST_ROW) } else { (Way::NEAR, NEAREST_ROW) };
        let mut crowning = [0; 4];
        for way in ways {
            crowning[way as usize] = targets[way as usize] & row & neighbours(men, way);
        }
        crowning
    }

    /// See [`Game::greedy`].
    #[inline]
    pub(super) fn greediest(&self, bits: u32) -> Move {
        if self.jumps || !self.leaves_a_reply() {
            return self.greediest_of_all(bits);
        }
        let targets = self.targets();
        let crowning = self.crowning(&targets);
        let best = if crowning == [0; 4] { &targets } else { &crowning };
        let nth = (u64::from(bits) * u64::from(count(best))) >> 32;
        Checkers::nth(best, nth as u32)
    }

    /// [`Game::greedy`] by playing each move.
    fn greediest_of_all(&self, bits: u32) -> Move {
        let (mut best, mut count, mut most) = ([Move::NONE; MOST_MOVES], 0, i32::MIN);
        for mv in self.moves() {
            let gain = self.gain(mv);
            if gain > most {
                (count, most) = (0, gain);
            }
            if gain == most && count < MOST_MOVES {
                best[count] = mv;
                count += 1;
            }
        }
        let nth = (u64::from(bits) * count as u64) >> 32;
        best[nth as usize]
    }

    /// See [`Game::horizon`]. A step that cannot end the game gains a king or nothing.
    #[inline]
    pub(super) fn best_gain(&self, beta: i32) -> Horizon {
        if self.jumps || !self.leaves_a_reply() {
            return self.best_of_all(beta);
        }
        let lead = self.lead(self.side());
        if lead >= beta {
            return Horizon { best: lead, visited: 1, solved: false };
        }
        let targets = self.targets();
        let gain = if self.crowning(&targets) == [0; 4] { 0 } else { CROWN };
        Horizon { best: lead + gain, visited: count(&targets), solved: false }
    }

    /// [`Game::horizon`] by playing each move.
    fn best_of_all(&self, beta: i32) -> Horizon {
        let mut horizon = Horizon { best: i32::MIN, visited: 0, solved: true };
        for mv in self.moves() {
            let child = self.play(mv);
            let margin = child.margin(self.side());
            horizon.visited += 1;
            horizon.best = horizon.best.max(margin);
            if margin >= beta {
                horizon.solved = child.is_over();
                break;
            }
            horizon.solved &= child.is_over();
        }
        horizon
    }
}
