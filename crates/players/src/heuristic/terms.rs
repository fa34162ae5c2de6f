//! The ten heuristics of the Kalah thesis, one function each.
//!
//! From T. J. Hunter, *The Exploration and Analysis of Mancala from an AI Perspective* (2021), section 5.4: its list of H1 to
//! H10 and its Algorithm 4. The two disagree in places, and both are undefined in parts at the leaves of a search; each function
//! documents its reading. All values are for one side and in halves, so that the factor 1.5 in H9 and H10 stays a whole number.

use super::Nearness;
use crate::game::Seeds;

/// The input of the heuristics: a position from one side's perspective, and that side's rated move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    pub own: Seeds,
    pub other: Seeds,
    /// The rated move sowed the rightmost pit with seeds.
    pub rightmost: bool,
    /// The rated move gave another turn.
    pub again: bool,
    pub nearness: Nearness,
}

/// One heuristic.
pub struct Term {
    /// `H1` to `H10`.
    pub name: &'static str,
    /// A short title, for tables.
    pub title: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its value in a scene, in halves of the unit.
    pub halves: fn(&Scene) -> i32,
}

/// The number of heuristics.
pub const COUNT: usize = 10;

pub const TERMS: [Term; COUNT] = [
    Term { name: "H1", title: "leftmost pit", unit: "seeds", halves: leftmost_pit },
    Term { name: "H2", title: "own pits", unit: "seeds", halves: own_pits },
    Term { name: "H3", title: "moves to choose from", unit: "pits", halves: filled_pits },
    Term { name: "H4", title: "own store", unit: "seeds", halves: own_store },
    Term { name: "H5", title: "rightmost move", unit: "yes or no", halves: rightmost_move },
    Term { name: "H6", title: "opponent's store", unit: "seeds, against", halves: other_store },
    Term { name: "H7", title: "another turn", unit: "yes or no", halves: another_turn },
    Term { name: "H8", title: "store difference", unit: "seeds", halves: difference },
    Term { name: "H9", title: "near to winning", unit: "seeds", halves: near_to_winning },
    Term { name: "H10", title: "opponent far from it", unit: "seeds", halves: other_far_from_winning },
];

/// H9 and H10 are 0 until a store holds this many seeds.
pub const ENOUGH: u8 = 5;

/// H1, seeds: those in the leftmost own pit, hoarded for the end of the game.
pub fn leftmost_pit(scene: &Scene) -> i32 {
    2 * i32::from(scene.own.leftmost_pit)
}

/// H2, seeds: those in all own pits.
pub fn own_pits(scene: &Scene) -> i32 {
    2 * i32::from(scene.own.pits)
}

/// H3, pits: own pits with seeds, each a possible move.
pub fn filled_pits(scene: &Scene) -> i32 {
    2 * i32::from(scene.own.filled)
}

/// H4, seeds: the own store. The text compares it with the store before the move, Algorithm 4 takes it as it is; at the root
/// the two differ by a constant and choose the same move.
pub fn own_store(scene: &Scene) -> i32 {
    2 * i32::from(scene.own.store)
}

/// H5, 1 or 0: whether the rated move sows the rightmost own pit with seeds.
pub fn rightmost_move(scene: &Scene) -> i32 {
    2 * i32::from(scene.rightmost)
}

/// H6, seeds against: the opponent's store, negative.
pub fn other_store(scene: &Scene) -> i32 {
    -2 * i32::from(scene.other.store)
}

/// H7, 1 or 0: whether the rated move gives another turn.
pub fn another_turn(scene: &Scene) -> i32 {
    2 * i32::from(scene.again)
}

/// H8, seeds: the own store minus the opponent's, the whole evaluation of the thesis' minimax player.
pub fn difference(scene: &Scene) -> i32 {
    2 * (i32::from(scene.own.store) - i32::from(scene.other.store))
}

/// H9, seeds: own store minus 1.5 times the opponent's, once the opponent's holds five. As an indicator: 1 if this is at least 0. The
/// formula printed in Algorithm 4 has a misplaced parenthesis and is −(opp · 1.5) − own.
pub fn near_to_winning(scene: &Scene) -> i32 {
    let own = scene.own.store;
    let other = scene.other.store;
    match scene.nearness {
        _ if other < ENOUGH => 0,
        Nearness::Difference => excess(own, other),
        Nearness::Indicator => 2 * i32::from(excess(own, other) >= 0),
        Nearness::Printed | Nearness::Harmful => -3 * i32::from(other) - 2 * i32::from(own),
    }
}

/// H10, seeds: 1.5 times the own store minus the opponent's, once the own holds five: small if the opponent is near to winning; negative
/// if harmful. As an indicator: −1 if the opponent's store is at least 1.5 times the own.
pub fn other_far_from_winning(scene: &Scene) -> i32 {
    let own = scene.own.store;
    let other = scene.other.store;
    match scene.nearness {
        _ if own < ENOUGH => 0,
        Nearness::Difference | Nearness::Printed => -excess(other, own),
        Nearness::Harmful => excess(other, own),
        Nearness::Indicator => -2 * i32::from(excess(other, own) >= 0),
    }
}

/// Returns how much one store exceeds 1.5 times another, in halves of a seed.
fn excess(store: u8, other: u8) -> i32 {
    2 * i32::from(store) - 3 * i32::from(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(scene: &Scene) -> [i32; COUNT] {
        TERMS.map(|term| (term.halves)(scene))
    }

    #[test]
    fn each_heuristic_by_hand() {
        let own = Seeds { leftmost_pit: 3, pits: 12, filled: 4, store: 10 };
        let other = Seeds { leftmost_pit: 1, pits: 18, filled: 6, store: 8 };
        let scene = Scene { own, other, rightmost: true, again: false, nearness: Nearness::Difference };
        // 10 - 1.5 x 8 = -2, and 1.5 x 10 - 8 = 7.
        assert_eq!(values(&scene), [3, 12, 4, 10, 1, -8, 0, 2, -2, 7].map(|whole| 2 * whole));
        let indicated = Scene { nearness: Nearness::Indicator, again: true, ..scene };
        assert_eq!(values(&indicated)[6..], [2, 4, 0, 0]);
        let printed = Scene { nearness: Nearness::Printed, ..scene };
        // -1.5 x 8 - 10 = -22.
        assert_eq!(values(&printed)[8..], [-44, 14]);
        assert_eq!(values(&Scene { nearness: Nearness::Harmful, ..scene })[8..], [-44, -14]);
        let won = Scene { own: Seeds { store: 12, ..own }, ..indicated };
        assert_eq!(values(&won)[8..], [2, 0]);
        let lost = Scene { own: Seeds { store: 5, ..own }, ..indicated };
        assert_eq!(values(&lost)[8..], [0, -2]);
    }

    #[test]
    fn small_stores_say_nothing() {
        let seeds = |store| Seeds { store, ..Seeds::default() };
        for nearness in [Nearness::Difference, Nearness::Indicator] {
            let scene = Scene { own: seeds(4), other: seeds(4), nearness, ..Scene::default() };
            assert_eq!(values(&scene)[8..], [0, 0]);
        }
        let scene = Scene { own: seeds(4), other: seeds(5), ..Scene::default() };
        // 4 - 7.5, in halves.
        assert_eq!(values(&scene)[8..], [-7, 0]);
    }
}
