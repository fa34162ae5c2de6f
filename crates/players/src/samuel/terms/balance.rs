//! Terms that compare the two sides: material, a refuge for the weaker side, the move.

use super::super::scene::{Halves, Scene, Sets, squares, worker};

/// The double corners, where a king can hardly be caught.
const DOUBLE_CORNERS: Sets = squares([1, 5, 28, 32]);

/// The files that begin on the squares of the own back row.
const SYSTEM: u32 = 0x0F0F_0F0F;

/// A side's material at the start, in the units of [`pieces`].
const FULL: u32 = 24;

/// PIECE: 2 for each man, 3 for each king.
#[inline]
pub fn pieces(scene: &Scene) -> Halves {
    Halves::sides(scene.material.map(|units| 2 * units as i32))
}

/// CORN: 1 if the side has at most 6 in men (2) and kings (3), the opponent has more, and a piece can step into a double corner.
#[inline]
pub fn double_corner(scene: &Scene) -> Halves {
    let reach = scene.steps() & DOUBLE_CORNERS;
    let [own, other] = scene.material;
    let weaker = [own <= 6 && other > own, other <= 6 && own > other];
    Halves::whether(2, |half| weaker[half] && worker(reach, half) != 0)
}

/// MOVE: 1 for the side that has the move, once pieces have been captured and while both sides are equal in men (2) and kings (3). The
/// side to move has it if an odd number of all pieces are on the files that begin on the squares of its own back row.
#[inline]
pub fn the_move(scene: &Scene) -> Halves {
    let [own, other] = scene.material;
    if own != other || own >= FULL {
        return Halves::sides([0, 0]);
    }
    let mover = usize::from(!scene.is_mover);
    let is_odd = (worker(!scene.empty, mover) & SYSTEM).count_ones() % 2 == 1;
    Halves::whether(2, |half| (half == mover) == is_odd)
}
