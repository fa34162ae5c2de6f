//! Terms about what the two sides have against each other: material, a refuge for the weaker one, the move.

use super::super::scene::{Halves, Scene, Sets, flags, squares};

/// The double corners, where a king can hardly be caught.
const DOUBLE_CORNERS: Sets = squares([1, 5, 28, 32]);

/// The files that begin on the squares of the own back row.
const SYSTEM: Sets = super::super::scene::both(0x0F0F_0F0F);

/// What a side has at the start, in the units of [`material`].
const FULL: u32 = 24;

/// PIECE: 2 for each man, 3 for each king.
#[inline]
pub fn pieces(scene: &Scene) -> Halves {
    Halves::of(4, scene.men).and(6, scene.kings)
}

/// CORN: 1 if the side has 6 or less in men (2) and kings (3), the other side has more, and it can step into a double corner.
#[inline]
pub fn double_corner(scene: &Scene) -> Halves {
    let [men, kings] = scene.steps();
    let reach = (men | kings) & DOUBLE_CORNERS;
    let weaker = |half| own_material(scene, half) <= 6 && other_material(scene, half) > own_material(scene, half);
    Halves::of(2, flags(|half| half(reach) != 0 && weaker(half)))
}

/// MOVE: 1 for the side that has the move, once pieces have gone and as long as both sides have the same in men (2) and kings (3). The
/// side that moves next has it if an odd number of all pieces stand on the files that begin on the squares of its own back row.
#[inline]
pub fn the_move(scene: &Scene) -> Halves {
    let has_it = |half: fn(Sets) -> u32| {
        let material = own_material(scene, half);
        let moves = half(scene.mover) != 0;
        let system = if moves { SYSTEM } else { !SYSTEM };
        let is_odd = half(!scene.empty & system).count_ones() % 2 == 1;
        material == other_material(scene, half) && material < FULL && is_odd == moves
    };
    Halves::of(2, flags(has_it))
}

#[inline]
fn own_material(scene: &Scene, half: fn(Sets) -> u32) -> u32 {
    material(half(scene.men), half(scene.kings))
}

#[inline]
fn other_material(scene: &Scene, half: fn(Sets) -> u32) -> u32 {
    material(half(scene.other_men), half(scene.other_kings))
}

fn material(men: u32, kings: u32) -> u32 {
    2 * men.count_ones() + 3 * kings.count_ones()
}
