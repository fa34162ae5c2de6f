//! Terms about squares that are good to hold: the centre, the back row, the double corners, the cramping squares.

use super::super::scene::{Halves, Scene, Sets, squares, worker};

/// The eight centre squares. The paper numbers them 11, 12, 15, 16, 20, 21, 24 and 25, the positions in its machine's words, where
/// 9, 18 and 27 are not squares.
const CENTRE: Sets = squares([10, 11, 14, 15, 18, 19, 22, 23]);

/// The two squares of the back row that keep the opponent's men from being crowned.
const BRIDGE: Sets = squares([1, 3]);

/// Three men of the start, named after the biscuit.
const OREO: Sets = squares([2, 3, 7]);

/// The tips of the two triangles: the same squares from either side.
const APEXES: Sets = squares([7, 26]);

/// The two diagonals that end in the double corners, and the squares one and two beside them. The single corners are three beside.
const DOUBLE: Sets = squares([1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32]);
const ONE_BESIDE: Sets = squares([2, 7, 11, 16, 20, 13, 17, 22, 26, 31]);
const TWO_BESIDE: Sets = squares([3, 8, 12, 21, 25, 30]);

/// The rows of a man, counted from its own back row.
const THIRD_AND_FOURTH: Sets = squares([9, 10, 11, 12, 13, 14, 15, 16]);
const FIFTH_AND_SIXTH: Sets = squares([17, 18, 19, 20, 21, 22, 23, 24]);

const CRAMPING: Sets = squares([13]);
const BESIDE_CRAMPING: Sets = squares([9, 14]);
const CRAMPED: Sets = squares([17, 21, 22, 25]);

/// ADV: a man on the fifth or sixth row counts 1, one on the third or fourth -1.
#[inline]
pub fn advancement(scene: &Scene) -> Halves {
    Halves::each(2, scene.men & FIFTH_AND_SIXTH).and(-2, scene.men & THIRD_AND_FOURTH)
}

/// APEX: -1 if there is no king on the board, and the opponent has a man on 7 or 26 and the side has none.
#[inline]
pub fn apex(scene: &Scene) -> Halves {
    let no_kings = scene.kings | scene.other_kings == 0;
    // Without kings all pieces are men.
    let own = scene.own & APEXES;
    let other = scene.other & APEXES;
    Halves::whether(-2, |half| no_kings && worker(other, half) != 0 && worker(own, half) == 0)
}

/// BACK: 1 if the opponent has no king and the side holds both squares of the bridge, 1 and 3 (White's 30 and 32).
#[inline]
pub fn back_row_bridge(scene: &Scene) -> Halves {
    Halves::whether(2, |half| worker(scene.other_kings, half) == 0 && is_held(scene, BRIDGE, half))
}

/// CENT: 1 for each centre square with an own man.
#[inline]
pub fn centre(scene: &Scene) -> Halves {
    Halves::each(2, scene.men & CENTRE)
}

/// CNTR: 1 for each centre square that an own piece occupies or can step to.
#[inline]
pub fn centre_control(scene: &Scene) -> Halves {
    Halves::each(2, (scene.own | scene.steps()) & CENTRE)
}

/// CRAMP: 2 if the side holds the cramping square 13 (White's 20) and 9 or 14 beside it (19 or 24), while the opponent's pieces are on
/// 17, 21, 22 and 25 (8, 11, 12 and 16).
#[inline]
pub fn cramp(scene: &Scene) -> Halves {
    Halves::whether(4, |half| {
        is_held(scene, CRAMPING, half)
            && worker(scene.own & BESIDE_CRAMPING, half) != 0
            && worker(scene.other & CRAMPED, half) == worker(CRAMPED, half)
    })
}

/// DIA: 1 for each piece on the two diagonals that end in the double corners.
#[inline]
pub fn double_diagonals(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & DOUBLE)
}

/// DIAV: 1 1/2 for each piece on those diagonals, 1 for one on a square beside them, 1/2 for one two squares beside.
#[inline]
pub fn diagonal_moment(scene: &Scene) -> Halves {
    let own = scene.own;
    Halves::each(3, own & DOUBLE).and(2, own & ONE_BESIDE).and(1, own & TWO_BESIDE)
}

/// GUARD: 1 if the opponent has no king and the side holds the bridge or the triangle.
#[inline]
pub fn back_row_guard(scene: &Scene) -> Halves {
    let guards = |half| is_held(scene, BRIDGE, half) || is_held(scene, OREO, half);
    Halves::whether(2, |half| worker(scene.other_kings, half) == 0 && guards(half))
}

/// KCENT: 1 for each centre square with an own king.
#[inline]
pub fn king_centre(scene: &Scene) -> Halves {
    Halves::each(2, scene.kings & CENTRE)
}

/// OREO: 1 if the side has no king and holds the triangle 2, 3 and 7 (White's 26, 30 and 31).
#[inline]
pub fn triangle(scene: &Scene) -> Halves {
    Halves::whether(2, |half| worker(scene.kings, half) == 0 && is_held(scene, OREO, half))
}

/// Returns whether an own piece is on each of these squares.
#[inline(always)]
fn is_held(scene: &Scene, squares: Sets, half: usize) -> bool {
    worker(squares & !scene.own, half) == 0
}
