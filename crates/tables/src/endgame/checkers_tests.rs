//! Numbers and values of positions, compared with plain enumeration and iteration over positions of both colours.

use super::checkers::*;
use super::slices::{Material, Placement, Slices};
use crate::budget::{Budget, Status};
use crate::endgame::build::LayerComputation as _;
use crate::endgame::tests::build;
use crate::endgame::{EndgameTable, TableBuilder, TableRules};
use crate::game::checkers::Checkers;
use crate::game::{Game as _, Side};
use mancalab_base::pool::Pool;
use proptest::prelude::*;
use std::collections::HashMap;
use std::fs;

/// Placements by number of pieces, of both sides together, as published by the Chinook project (J. Schaeffer).
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

/// E. Trice on the World Draughts Forum (damforum.nl, thread 2603): one king against one, won, drawn and lost for the
/// side to move, and the plies of the longest win.
const KINGS: (u32, u32, u32, u8) = (230, 654, 108, 11);

#[test]
fn values_of_one_king_against_one_are_as_many_as_published() {
    let layers = values(2, Pool::alone(), Budget::UNLIMITED);
    let mut counts = (0, 0, 0, 0);
    for &byte in layers.values(0) {
        match Value::from_byte(byte) {
            Value::Wins(plies) => (counts.0, counts.3) = (counts.0 + 1, plies.max(counts.3)),
            Value::Draws => counts.1 += 1,
            Value::Loses(_) => counts.2 += 1,
        }
    }
    assert_eq!(counts, KINGS);
}

fn values(pieces: u8, pool: Pool, budget: Budget) -> Layers {
    let mut layers = Layers::new(pieces).unwrap();
    while layers.step(&pool, budget) == Status::Running {}
    layers
}

fn value(layers: &Layers, slices: &Slices, pos: &Checkers) -> Value {
    let (layer, number) = slices.place(&Placement::from_position(pos)).unwrap();
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
    let layers = values(3, Pool::new(2), Budget::UNLIMITED);
    let slices = Slices::new(3);
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

#[test]
fn a_file_has_the_same_bytes_for_any_threads_and_interruptions() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let path = build(folders[0].path(), TableRules::Checkers, 3, Pool::alone());
    let whole = fs::read(&path).unwrap();
    assert_eq!(fs::read(build(folders[1].path(), TableRules::Checkers, 3, Pool::new(3))).unwrap(), whole);

    let part = folders[1].path().join("checkers.endgames.part");
    let layers = Slices::new(3).layers().end;
    // Cut within the last layer, damaged within a layer, and foreign.
    for (cut, at) in [(whole.len() - 9, 0), (whole.len() - 100, whole.len() / 2), (whole.len(), 3)] {
        let mut bytes = whole[..cut].to_vec();
        if at > 0 {
            bytes[at] ^= 1;
        }
        fs::write(&part, bytes).unwrap();
        let written = TableBuilder::new(folders[1].path(), TableRules::Checkers, 3, Pool::alone()).unwrap().written();
        assert!(if at == 3 { written == 0 } else { (1..layers).contains(&written) }, "{written} of {layers} layers");
        assert_eq!(fs::read(build(folders[1].path(), TableRules::Checkers, 3, Pool::alone())).unwrap(), whole);
    }
    // A table of fewer pieces is the beginning of one of more.
    fs::copy(build(folders[0].path(), TableRules::Checkers, 2, Pool::alone()), &part).unwrap();
    let builder = TableBuilder::new(folders[1].path(), TableRules::Checkers, 3, Pool::alone()).unwrap();
    assert_eq!(builder.written(), Slices::new(2).layers().end);
}

#[test]
fn damaged_files_are_refused_and_damaged_values_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), TableRules::Checkers, 3, Pool::alone());
    let whole = fs::read(&path).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let error = EndgameTable::open(&path).err().unwrap().to_string();
        error.strip_prefix(&format!("cannot use {}: ", path.display())).unwrap().to_owned()
    };
    assert_eq!(refused(&|bytes| bytes.push(0)), format!("it has {} bytes (expected {})", whole.len() + 1, whole.len()));
    assert_eq!(refused(&|bytes| bytes[64] ^= 1), "the checksums of positions of 1 king against 1 king are damaged");
    assert_eq!(refused(&|bytes| bytes.truncate(90)), "the checksums of positions of 1 man against 1 king are damaged");
    // More pieces than a table may have, in a header with the right checksum.
    let header = |bytes: &mut Vec<u8>| {
        bytes[19] = 7;
        let sum = mancalab_base::codec::checksum(&bytes[..56]).to_le_bytes();
        bytes[56..64].copy_from_slice(&sum);
    };
    assert_eq!(refused(&header), "its header is damaged");
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let table = EndgameTable::open(&path).unwrap();
    // In the last block, and in the first.
    let last = Checkers::from_sets([0x3, 0x8000_0000], [0; 2], Side::South);
    let kings = Checkers::from_sets([0; 2], [1 << 9, 1 << 20], Side::South);
    assert!(table.layer(0).is_ok() && table.layer(table.layers() - 1).is_err());
    let table = EndgameTable::open(&path).unwrap();
    assert!(table.value(&kings).is_some() && table.value(&last).is_none());
    // From then on the table is not used.
    assert!(table.value(&kings).is_none());
}

#[test]
fn positions_outside_the_table_have_no_value() {
    let folder = tempfile::tempdir().unwrap();
    let table = EndgameTable::open(&build(folder.path(), TableRules::Checkers, 3, Pool::alone())).unwrap();
    assert_eq!(table.value(&crate::game::checkers::Rules::default().position()), None);
    assert_eq!(table.value(&Checkers::from_sets([1, 0], [0, 0], Side::South)), None);
    // A king on 1 jumps over a man on 6.
    assert_eq!(table.value(&Checkers::from_sets([0, 1 << 5], [1, 0], Side::South)), Some(Value::Wins(1)));
}

proptest! {
    #[test]
    fn numbers_and_positions_are_each_other_s(pieces in PIECES, layer: u8, number: usize) {
        let slices = Slices::new(pieces);
        let layer = layer % slices.layers().end;
        let number = number % slices.positions(layer);
        let placement = slices.placement(layer, number);
        prop_assert_eq!(slices.place(&placement), Some((layer, number)));
        prop_assert_eq!(Placement::from_position(&placement.position()), placement);
        prop_assert_eq!(placement.turned().turned(), placement);
    }
}
