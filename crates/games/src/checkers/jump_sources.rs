//! Steps and jumps of all pieces of a side at once, by shifts of sets: which pieces can step, which can jump, and which
//! jumps can continue.
//!
//! The directions of a side's men are known at compile time (`SOUTH`), so that shifts do not branch on them.

use super::Checkers;
use super::sets::{BEHIND, Way, neighbours};

/// One set per direction, indexed by [`Way`].
pub(super) type ByWay = [u32; 4];

/// Squares from which a piece could jump in each direction, occupied or not; empty for directions that none of the
/// side's pieces may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JumpSources(ByWay);

const NEAR_RIGHT: usize = Way::NearRight as usize;
const NEAR_LEFT: usize = Way::NearLeft as usize;
const FAR_RIGHT: usize = Way::FarRight as usize;
const FAR_LEFT: usize = Way::FarLeft as usize;

impl JumpSources {
    pub const NONE: JumpSources = JumpSources([0; 4]);

    /// Landing squares of the jumps from one square that cannot continue, in a half-open range of directions.
    #[inline]
    pub fn ends(&self, from: u8, (first, last): (u8, u8)) -> u32 {
        let ways = self.0.iter().zip(&BEHIND[usize::from(from & 31)]);
        let ways = ways.take(usize::from(last)).skip(usize::from(first));
        ways.fold(0, |ends, (jump_sources, end)| ends | (jump_sources >> (from & 31) & 1) << (end & 31))
    }
}

/// Number of squares in all sets together.
#[inline(always)]
pub(super) fn count(sets: &ByWay) -> u32 {
    let pair = |low: u32, high: u32| (u64::from(low) | u64::from(high) << 32).count_ones();
    if sets[NEAR_RIGHT] | sets[NEAR_LEFT] == 0 {
        return pair(sets[FAR_RIGHT], sets[FAR_LEFT]);
    }
    pair(sets[NEAR_RIGHT], sets[NEAR_LEFT])
        + if sets[FAR_RIGHT] | sets[FAR_LEFT] == 0 { 0 } else { pair(sets[FAR_RIGHT], sets[FAR_LEFT]) }
}

impl Checkers {
    /// A side's pieces that may move near, and those that may move far.
    #[inline(always)]
    fn near_and_far<const SOUTH: bool>(&self) -> (u32, u32) {
        let own = self.pieces[usize::from(!SOUTH)];
        let kings = own & self.kings;
        if SOUTH { (kings, own) } else { (own, kings) }
    }

    #[inline(always)]
    pub(super) fn jump_sources_of<const SOUTH: bool>(&self) -> JumpSources {
        let empty = self.empty();
        let opponent = self.pieces[usize::from(SOUTH)];
        let from = |way: Way| neighbours(neighbours(empty, way.back()) & opponent, way.back());
        let (near, far) = self.near_and_far::<SOUTH>();
        let mut jump_sources = [0; 4];
        if !SOUTH || near != 0 {
            (jump_sources[NEAR_RIGHT], jump_sources[NEAR_LEFT]) = (from(Way::NearRight), from(Way::NearLeft));
        }
        if SOUTH || far != 0 {
            (jump_sources[FAR_RIGHT], jump_sources[FAR_LEFT]) = (from(Way::FarRight), from(Way::FarLeft));
        }
        JumpSources(jump_sources)
    }

    /// Pieces that can jump from these sources.
    #[inline(always)]
    pub(super) fn jumpers_of<const SOUTH: bool>(&self, JumpSources(from): JumpSources) -> u32 {
        let (near, far) = self.near_and_far::<SOUTH>();
        near & (from[NEAR_RIGHT] | from[NEAR_LEFT]) | far & (from[FAR_RIGHT] | from[FAR_LEFT])
    }

    /// Pieces that can step.
    #[inline(always)]
    pub(super) fn movers_of<const SOUTH: bool>(&self) -> u32 {
        let empty = self.empty();
        let from = |way: Way| neighbours(empty, way.back());
        let (near, far) = self.near_and_far::<SOUTH>();
        near & (from(Way::NearRight) | from(Way::NearLeft)) | far & (from(Way::FarRight) | from(Way::FarLeft))
    }

    /// Targets of steps in each direction.
    #[inline(always)]
    pub(super) fn targets_of<const SOUTH: bool>(&self) -> ByWay {
        let empty = self.empty();
        let (near, far) = self.near_and_far::<SOUTH>();
        [
            neighbours(near, Way::NearRight) & empty,
            neighbours(near, Way::NearLeft) & empty,
            neighbours(far, Way::FarRight) & empty,
            neighbours(far, Way::FarLeft) & empty,
        ]
    }

    /// Pieces with a jump that can continue. The second jump cannot go back, as the piece there is captured; and the
    /// vacated start square does not matter yet, as only a third jump can reach it.
    #[inline(always)]
    pub(super) fn going_on_of<const SOUTH: bool>(&self, JumpSources(from): JumpSources) -> u32 {
        let own = self.pieces[usize::from(!SOUTH)];
        let men = own & !self.kings;
        let kings = own & self.kings;
        let leading_to =
            |way: Way, squares: u32| from[way as usize] & neighbours(neighbours(squares, way.back()), way.back());
        let near = from[NEAR_RIGHT] | from[NEAR_LEFT];
        let far = from[FAR_RIGHT] | from[FAR_LEFT];
        let mut going_on = men
            & if SOUTH {
                leading_to(Way::FarRight, far) | leading_to(Way::FarLeft, far)
            } else {
                leading_to(Way::NearRight, near) | leading_to(Way::NearLeft, near)
            };
        if kings != 0 {
            going_on |= kings
                & (leading_to(Way::NearRight, near | from[FAR_RIGHT])
                    | leading_to(Way::NearLeft, near | from[FAR_LEFT])
                    | leading_to(Way::FarRight, far | from[NEAR_RIGHT])
                    | leading_to(Way::FarLeft, far | from[NEAR_LEFT]));
        }
        going_on
    }

    /// Number of jumps of the side to move.
    #[inline]
    pub(super) fn jumps_of<const SOUTH: bool>(&self, jump_sources: JumpSources) -> u32 {
        let mut going_on = self.going_on_of::<SOUTH>(jump_sources);
        let (near, far) = self.near_and_far::<SOUTH>();
        let near = near & !going_on;
        let far = far & !going_on;
        let from = jump_sources.0;
        let mut number =
            count(&[near & from[NEAR_RIGHT], near & from[NEAR_LEFT], far & from[FAR_RIGHT], far & from[FAR_LEFT]]);
        while going_on != 0 {
            let mut walk = self.walk(going_on.trailing_zeros() as u8);
            going_on &= going_on - 1;
            while walk.advance() {
                number += 1;
            }
        }
        number
    }
}
