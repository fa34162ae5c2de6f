//! Answers about all legal moves without a list: their number, the nth move, and the greatest gain.

use super::jump_sources::{ByWay, count};
use super::moves::numbered;
use super::sets::{NEXT, Way, neighbours};
use super::{CROWN, Checkers, FARTHEST_ROW, NEAREST_ROW};
use crate::bits::{any, nth, prefix_counts};
use crate::{Game, Horizon, Move};

/// Upper bound of the number of moves in any position with at most twelve pieces a side: twelve kings with sixteen
/// jumps each.
const MOST_MOVES: usize = 192;

/// The squares of a set, in ascending order.
#[derive(Clone)]
struct Pieces(u32);

impl Iterator for Pieces {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let square = self.0.trailing_zeros() as u8;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            square
        })
    }
}

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
            self.jumps_of::<true>(self.jump_sources_of::<true>())
        } else {
            self.jumps_of::<false>(self.jump_sources_of::<false>())
        };
        number.into()
    }

    /// See [`Game::count_pairs`].
    #[inline]
    pub(super) fn pairs(&self) -> u64 {
        if self.jumps {
            return self.moves().map(|mv| self.after(mv).replies()).sum();
        }
        let targets = self.targets();
        let mut count = 0;
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
        let jump_sources = self.jump_sources_of::<SOUTH>();
        let number = if self.jumpers_of::<SOUTH>(jump_sources) == 0 {
            count(&self.targets_of::<SOUTH>())
        } else {
            self.jumps_of::<SOUTH>(jump_sources)
        };
        number.into()
    }

    /// A step by 32 random bits; there must be one.
    #[inline]
    fn any_step(targets: &ByWay, bits: u32) -> Move {
        // Two directions in a word; without kings one of the words is empty.
        let pair = |low: Way, high: Way| u64::from(targets[low as usize]) | u64::from(targets[high as usize]) << 32;
        let near = pair(Way::NearRight, Way::NearLeft);
        let far = pair(Way::FarRight, Way::FarLeft);
        let (is_far, at) = if near == 0 || far == 0 {
            (near == 0, any(near | far, bits))
        } else {
            let upto_near = prefix_counts(near);
            let upto_far = prefix_counts(far);
            let first = upto_near >> 56;
            let n = (u64::from(bits) * (first + (upto_far >> 56))) >> 32;
            let is_far = n >= first;
            (is_far, if is_far { nth(far, upto_far, n - first) } else { nth(near, upto_near, n) })
        };
        let way = 2 * usize::from(is_far) + usize::from(at >> 5);
        let to = at & 31;
        // The directions are ordered so that 3 minus one is its opposite.
        numbered(NEXT[usize::from(to)][(3 - way) & 3], to, 0)
    }

    /// See [`Game::pick`].
    #[inline]
    pub(super) fn picked(&self, bits: u32) -> Move {
        if self.jumps { self.any_jump(bits) } else { Checkers::any_step(&self.targets(), bits) }
    }

    /// A jump by 32 random bits; there must be one.
    fn any_jump(&self, bits: u32) -> Move {
        let (jump_sources, going_on) = self.jump_sources();
        let drawn = |count: u64| (u64::from(bits) * count) >> 32;
        if going_on != 0 {
            return self.moves().nth(drawn(self.number_of_jumps()) as usize).unwrap_or_default();
        }
        // Single jumps only, by start square, then by landing square.
        let all = Pieces(self.able).map(|from| (from, jump_sources.ends(from, self.ways(from))));
        let mut n = drawn(all.clone().map(|(_, ends)| u64::from(ends.count_ones())).sum());
        for (from, ends) in all {
            let count = u64::from(ends.count_ones());
            if n < count {
                let ends = ends.into();
                return numbered(from, nth(ends, prefix_counts(ends), n), 0);
            }
            n -= count;
        }
        Move::default()
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
        Checkers::any_step(best, bits)
    }

    /// [`Game::greedy`] by playing each move.
    fn greediest_of_all(&self, bits: u32) -> Move {
        let mut best = [Move::NONE; MOST_MOVES];
        let mut count = 0;
        let mut most = i32::MIN;
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

    /// The mover's best margin after one move, or any bound that decides whether it is at least `beta`. The game is not over.
    /// A step that cannot end the game gains a king or nothing.
    #[inline]
    pub fn best_after_one(&self, beta: i32) -> Horizon {
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

    /// The same by playing each move.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::Rng as _;

    /// Steps by direction, then by target; jumps in the order of the moves.
    fn listed(pos: &Checkers) -> Vec<Move> {
        if pos.jumps {
            return pos.moves().collect();
        }
        let targets = pos.targets();
        let steps = |way: Way| {
            let squares = (0..32_u8).filter(move |to| targets[way as usize] >> to & 1 == 1);
            squares.map(move |to| numbered(NEXT[usize::from(to)][way.back() as usize], to, 0))
        };
        Way::ALL.into_iter().flat_map(steps).collect()
    }

    /// The choice of random moves is part of every recorded game.
    #[test]
    fn a_random_move_is_the_nth_of_the_list() {
        let mut random = rng::keyed(&[5]);
        let mut kinds = [0; 3];
        for _ in 0..200 {
            let mut pos = super::super::Rules::default().position();
            for _ in 0..150 {
                if pos.is_over() {
                    break;
                }
                let listed = listed(&pos);
                assert_eq!(listed.len() as u64, pos.count_moves());
                for bits in [0, 1 << 31, u32::MAX, random.next_u32()] {
                    let n = (u64::from(bits) * listed.len() as u64) >> 32;
                    assert_eq!(pos.pick(bits), listed[n as usize], "{pos:?} {bits:x}");
                }
                let kind = if !pos.jumps { 0 } else { 1 + usize::from(pos.jump_sources().1 != 0) };
                kinds[kind] += 1;
                pos = pos.play(pos.pick(random.next_u32()));
            }
        }
        assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
    }
}
