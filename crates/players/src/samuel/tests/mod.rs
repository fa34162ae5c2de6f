mod drawn;
mod naive;
mod texts;
mod thinking;

use rand::{Rng as _, RngExt as _};

use super::super::game::checkers::Rules;
use super::super::game::{BoardGame as _, Game as _};
use super::super::rng;
use super::*;

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

#[test]
fn powers_of_two_are_exact_right_up_to_the_next() {
    for exponent in [-1000, -45, -1, 0, 1, 24, 52, 1000] {
        let power = 2.0_f64.powi(exponent);
        for number in [power, power.next_up(), 1.5 * power, (2.0 * power).next_down()] {
            assert_eq!(power_of_two(number).to_bits(), power.to_bits(), "{number:e}");
        }
    }
}

/// Only the proportions of weights matter, from the greatest to the smallest; below that they become 0.
#[test]
fn weights_of_any_magnitude_weigh_alike() {
    let alike = |weight: f64| Weights([weight; COUNT]);
    let ones = Evaluator::new(&alike(1.0));
    let start = Checkers::start(Rules::default());
    for exponent in [-660, -600, -300, -30, -1, 29] {
        let scaled = Evaluator::new(&alike(2.0_f64.powi(exponent)));
        assert_eq!((scaled.weights, scaled.slack), (ones.weights, ones.slack), "2^{exponent}");
    }
    for weight in [0.0, 5e-324, f64::MIN_POSITIVE, 1e-300, SMALLEST / COUNT as f64 / 2.0] {
        let nothing = Evaluator::new(&alike(weight));
        assert_eq!((nothing.weights, nothing.slack), ([0; COUNT], 0), "{weight:e}");
        assert_eq!(nothing.thousandths(nothing.value(&start)), 0);
    }
    // Among very unequal weights the small ones become 0 and the greatest does not.
    let mut unlike = [f64::MIN_POSITIVE; COUNT];
    unlike[COUNT - 1] = super::weights::GREATEST;
    let unlike = Evaluator::new(&Weights(unlike)).weights;
    assert!(unlike[COUNT - 1] > 1 << 20 && unlike[..COUNT - 1].iter().all(|weight| *weight == 0), "{unlike:?}");
    // Just above the limit, and with a single weight.
    for weight in [SMALLEST.next_up(), 1e-199, 1e-100] {
        let mut one = [0.0; COUNT];
        one[COUNT - 1] = weight;
        assert!(Evaluator::new(&Weights(one)).weights[COUNT - 1] > 1 << 20, "{weight:e}");
    }
}
