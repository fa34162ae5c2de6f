//! Terms about how a side's pieces stand to one another and to the empty squares around them.

use super::super::scene::{Halves, Scene, Sets, WAYS, Way, both};

/// The squares at the edge of the board.
const EDGE: Sets = both(0xF818_181F);

/// DYKE: 1 for every three pieces on neighbouring squares of a diagonal; four in a line are two such threes.
#[inline]
pub fn dyke(scene: &Scene) -> Halves {
    let own = scene.own();
    let three = |way: Way| own & way.of(own & way.of(own));
    Halves::of(2, three(Way::ForwardLeft)).and(2, three(Way::ForwardRight))
}

/// EXPOS: -1 for each piece between two empty squares on one diagonal or the other.
#[inline]
pub fn exposure(scene: &Scene) -> Halves {
    Halves::of(-2, scene.own() & between(scene.empty))
}

/// GAP: -1 for each empty square that alone separates two pieces on a diagonal, or a piece from the edge of the board.
#[inline]
pub fn gap(scene: &Scene) -> Halves {
    let own = scene.own();
    let beside = WAYS.iter().fold(0, |sets, way| sets | way.of(own));
    Halves::of(-2, scene.empty & (between(own) | beside & EDGE))
}

/// HOLE: -1 for each empty square with pieces on three or four of the squares around it.
#[inline]
pub fn hole(scene: &Scene) -> Halves {
    Halves::of(-2, scene.empty & beside_three(scene.own()))
}

/// NODE: -1 for each piece with three or four empty squares around it.
#[inline]
pub fn node(scene: &Scene) -> Halves {
    Halves::of(-2, scene.own() & beside_three(scene.empty))
}

/// POLE: -1 for each man with four empty squares around it.
#[inline]
pub fn pole(scene: &Scene) -> Halves {
    Halves::of(-2, WAYS.iter().fold(scene.men, |sets, way| sets & way.of(scene.empty)))
}

/// Squares with two of `sets` beside them that are opposite to each other.
#[inline]
fn between(sets: Sets) -> Sets {
    let [forward_left, forward_right, back_left, back_right] = WAYS.map(|way| way.of(sets));
    forward_left & back_right | forward_right & back_left
}

/// Squares with three or four of `sets` beside them.
#[inline]
fn beside_three(sets: Sets) -> Sets {
    let [a, b, c, d] = WAYS.map(|way| way.of(sets));
    a & b & (c | d) | c & d & (a | b)
}
