//! Terms about the positions of a side's pieces relative to one another and to the empty squares around them.

use super::super::scene::{Halves, Scene, Sets, Way, both};

/// The squares at the edge of the board.
const EDGE: Sets = both(0xF818_181F);

/// DYKE: 1 for each three pieces on adjacent squares of a diagonal; four in a line are two such threes.
#[inline]
pub fn dyke(scene: &Scene) -> Halves {
    let three = |way: Way, next: Sets| scene.own & way.shift(scene.own & next);
    let left = three(Way::ForwardLeft, scene.beside_own.forward_left);
    let right = three(Way::ForwardRight, scene.beside_own.forward_right);
    Halves::each(2, left).and(2, right)
}

/// EXPOS: 1 for each piece between two empty squares on one diagonal or the other.
#[inline]
pub fn exposure(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & scene.beside_empty.between())
}

/// GAP: -1 for each empty square that alone separates two pieces on a diagonal, or a piece from the edge of the board.
#[inline]
pub fn gap(scene: &Scene) -> Halves {
    Halves::each(-2, scene.empty & (scene.beside_own.between() | scene.beside_own.any() & EDGE))
}

/// HOLE: -1 for each empty square with pieces on three or four of the squares around it.
#[inline]
pub fn hole(scene: &Scene) -> Halves {
    Halves::each(-2, scene.empty & scene.beside_own.three())
}

/// NODE: 1 for each piece with three or four empty squares around it.
#[inline]
pub fn node(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & scene.beside_empty.three())
}

/// POLE: -1 for each man with four empty squares around it.
#[inline]
pub fn pole(scene: &Scene) -> Halves {
    Halves::each(-2, scene.men & scene.beside_empty.all())
}
