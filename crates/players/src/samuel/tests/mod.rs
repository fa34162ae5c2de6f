mod drawn;
mod naive;
mod texts;
mod thinking;

use super::*;
use crate::game::Game as _;
use crate::rng;
use rand::{Rng as _, RngExt as _};

/// Parses a drawn position: the dark squares row by row from above, 32 first. `b` and `w` are men, `B` and `W` kings.
fn drawn(drawing: &str, side: Side) -> Checkers {
    let squares: Vec<char> = drawing.split_whitespace().flat_map(str::chars).collect();
    assert_eq!(squares.len(), 32, "{drawing}");
    let of = |piece: char| {
        let places = squares.iter().rev().enumerate().filter(|(_, square)| **square == piece);
        places.map(|(bit, _)| 1_u32 << bit).sum::<u32>()
    };
    Checkers::from_sets([of('b'), of('w')], [of('B'), of('W')], side)
}

/// The position from the other side: the board rotated, the sides swapped.
fn turned(pos: &Checkers) -> Checkers {
    let sets =
        |of: fn(&Checkers, Side) -> u32| [of(pos, Side::North).reverse_bits(), of(pos, Side::South).reverse_bits()];
    Checkers::from_sets(sets(Checkers::men), sets(Checkers::kings), pos.side().other())
}

/// The positions of some random games, and some with pieces placed at random, many of them kings.
fn positions(games: u64) -> Vec<Checkers> {
    let mut all = Vec::new();
    for game in 0..games {
        let mut rng = rng::keyed(&[game, 5]);
        let mut pos = crate::game::checkers::Rules::default().position();
        while !pos.is_over() && all.len() % 90 != 89 {
            all.push(pos);
            pos = pos.play(pos.pick(rng.next_u32()));
        }
        let mut sets = [0_u32; 4];
        for square in 0..32 {
            let piece = rng.random_range(0..12_usize);
            if let Some(set) = sets.get_mut(piece) {
                *set |= 1 << square;
            }
        }
        // A man is crowned on the last row.
        let men = [sets[0] & 0x0FFF_FFFF, sets[1] & 0xFFFF_FFF0];
        all.push(Checkers::from_sets(men, [sets[2], sets[3]], Side::BOTH[game as usize % 2]));
    }
    all
}

/// A term's values, `[black, white]`, in units.
fn printed(name: &str, pos: &Checkers) -> [f64; 2] {
    let term = TERMS.iter().find(|term| term.name == name).unwrap();
    (term.halves)(&Scene::new(pos, Side::South)).of_both().map(|halves| f64::from(halves) / 2.0)
}
