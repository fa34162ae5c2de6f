//! Numbers and values of positions, compared with plain enumeration and iteration over positions of both colours.

use super::slices::Material;
use super::*;
use crate::budget::{Budget, Status};
use crate::game::{Game as _, Side};
use crate::solver::endgame::build::Layered as _;
use mancalab_base::pool::Pool;
use proptest::prelude::*;
use std::collections::HashMap;

/// J. Schaeffer et al., "Solving Checkers", IJCAI 2005, Table 1: placements by number of pieces, of both sides together.
const PUBLISHED: [u64; 6] = [120, 6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964];

#[test]
fn placements_are_as_many_as_published() {
    for (published, pieces) in PUBLISHED.into_iter().zip(1..) {
        let count: usize = Material::all(pieces).map(Material::positions).sum();
        assert_eq!(count as u64, published, "{pieces} pieces");
    }
    // A table leaves out the placements of one side alone.
    let alone = |pieces: usize| {
        let one_sided = |material: &Material| (material.men[1], material.kings[1]) == (0, 0);
        2 * Material::all(pieces).filter(one_sided).map(Material::positions).sum::<usize>() as u64
    };
    for most in PIECES {
        let (both, one): (u64, u64) = (PUBLISHED[1..most.into()].iter().sum(), (2..=most.into()).map(alone).sum());
        assert_eq!(Slices::new(most).count(), both - one);
    }
}

fn values(pieces: u8, pool: Pool, budget: Budget) -> Layers {
    let mut layers = Layers::new(pieces).unwrap();
    while layers.step(&pool, budget) == Status::Running {}
    layers
}

fn value(layers: &Layers, slices: &Slices, pos: &Checkers) -> Value {
    let (layer, number) = slices.place(&Placement::of(pos)).unwrap();
    Value::from_byte(layers.values(layer)[number])
}

/// All positions with this many pieces, each side having one, of both sides to move.
fn positions(pieces: u32) -> Vec<Checkers> {
    let mut all: Vec<[u32; 4]> = vec![[0; 4]];
    for square in 0..32 {
        for sets in all.clone() {
            let taken = sets.iter().map(|set| set.count_ones()).sum::<u32>();
            let bit = 1 << square;
            let kinds = [square < 28, square >= 4, true, true];
            for kind in (0..4).filter(|&kind| kinds[kind] && taken < pieces) {
                let mut more = sets;
                more[kind] |= bit;
                all.push(more);
            }
        }
    }
    all.retain(|sets| sets.iter().map(|set| set.count_ones()).sum::<u32>() == pieces);
    all.retain(|[a, b, c, d]| (a | c) != 0 && (b | d) != 0);
    let of = |[a, b, c, d]: [u32; 4]| [Side::South, Side::North].map(|side| Checkers::from_sets([a, b], [c, d], side));
    all.into_iter().flat_map(of).collect()
}

/// The values of all positions of up to some pieces, one distance after another.
fn iterated(pieces: u32) -> HashMap<[u32; 4], Value> {
    let mut values = HashMap::new();
    for count in 2..=pieces {
        let all = positions(count);
        let numbers: HashMap<[u32; 4], usize> = all.iter().map(Checkers::key).zip(0..).collect();
        // By move: the position after it, or its value.
        let moves: Vec<Vec<Result<usize, Value>>> = all
            .iter()
            .map(|pos| {
                let after = |child: Checkers| match numbers.get(&child.key()) {
                    _ if child.is_over() => Err(Value::Loses(0)),
                    Some(&number) => Ok(number),
                    None => Err(values[&child.key()]),
                };
                pos.moves().map(|mv| after(pos.play(mv))).collect()
            })
            .collect();
        let mut found = vec![Value::Draws; all.len()];
        for distance in 0..=u8::MAX {
            let is_now = |at: usize| {
                let mut after = moves[at].iter().map(|child| child.map_or_else(|value| value, |number| found[number]));
                match distance % 2 {
                    1 => after.any(|value| value == Value::Loses(distance - 1)),
                    _ => after.all(|value| matches!(value, Value::Wins(plies) if plies < distance)),
                }
            };
            let now: Vec<usize> = (0..all.len()).filter(|&at| found[at] == Value::Draws && is_now(at)).collect();
            for at in now {
                found[at] = if distance % 2 == 1 { Value::Wins(distance) } else { Value::Loses(distance) };
            }
        }
        values.extend(all.iter().map(Checkers::key).zip(found));
    }
    values
}

#[test]
fn values_are_those_of_plain_iteration() {
    let (layers, slices) = (values(3, Pool::new(2), Budget::UNLIMITED), Slices::new(3));
    let iterated = iterated(3);
    assert_eq!(iterated.len() as u64, 2 * slices.count());
    for (key, expected) in iterated {
        let side = if key[3] == 0 { Side::South } else { Side::North };
        let [black, white, kings, _] = key;
        let pos = Checkers::from_sets([black & !kings, white & !kings], [black & kings, white & kings], side);
        assert_eq!(value(&layers, &slices, &pos), expected, "{pos:?}");
    }
}

#[test]
fn values_are_the_same_for_any_threads_and_steps() {
    let whole = values(3, Pool::alone(), Budget::UNLIMITED);
    let cut = values(3, Pool::new(3), Budget::time(std::time::Duration::ZERO));
    for layer in Slices::new(3).layers() {
        assert_eq!(whole.bytes(layer), cut.bytes(layer), "layer {layer}");
    }
}

proptest! {
    #[test]
    fn numbers_and_positions_are_each_other_s(pieces in PIECES, layer: u8, number: usize) {
        let slices = Slices::new(pieces);
        let layer = layer % slices.layers().end;
        let number = number % slices.positions(layer);
        let placement = slices.placement(layer, number);
        prop_assert_eq!(slices.place(&placement), Some((layer, number)));
        prop_assert_eq!(Placement::of(&placement.position()), placement);
        prop_assert_eq!(placement.turned().turned(), placement);
    }
}
