use super::*;
use crate::game::BoardGame as _;
use crate::game::kalah::Kalah;
use crate::rng;
use mancalab_base::memory::Meter;
use rand::Rng as _;
use std::collections::HashSet;

/// Distinct positions of random games.
fn positions(count: usize) -> Vec<Kalah> {
    let start = Kalah::start("6x4:standard".parse().unwrap());
    let mut random = rng::keyed(&[7]);
    let mut known = HashSet::new();
    let mut all = Vec::new();
    let mut pos = start;
    while all.len() < count {
        pos = if pos.is_over() { start } else { pos.play(pos.pick(random.next_u32())) };
        if known.insert(pos.key()) {
            all.push(pos);
        }
    }
    all
}

#[test]
fn a_table_grows_a_little_at_a_time_and_loses_nothing_by_it() {
    let all = positions(8 * START);
    let mut table = Part::<Kalah, i16>::new(64 << 20, START);
    table.begin(&all[0]);
    let mut sizes = HashSet::new();
    for (count, pos) in all.iter().enumerate() {
        let len = table.len;
        let used = table.used;
        let bound = Bound { value: 1, solved: false };
        table.put(pos.key(), Kalah::hash(&pos.key()), SearchResult { depth: 5, bound, is_lower: true, mv: Move(2) });
        assert!(table.len <= len + ADDED && table.used <= used + 1);
        sizes.insert(table.size);
        let is_known = |pos: &&Kalah| table.get(&pos.key(), Kalah::hash(&pos.key())).is_some();
        assert!(is_known(&pos));
        if count % 128 == 0 {
            // Every used entry is found again, whether the table is growing or not.
            assert_eq!(all[..=count].iter().filter(is_known).count(), table.used, "after {count}");
        }
    }
    assert!(sizes.len() >= 3 && table.used > 4 * START, "{sizes:?}, {} of {}", table.used, all.len());
    // At its maximum size the table accepts more entries and keeps its size.
    let mut small = Part::<Kalah, i16>::new(0, START);
    small.begin(&all[0]);
    for pos in &all {
        let bound = Bound { value: 1, solved: false };
        small.put(pos.key(), Kalah::hash(&pos.key()), SearchResult { depth: 5, bound, is_lower: true, mv: Move(2) });
    }
    assert_eq!((small.len, small.size, small.limit), (START, START, START));
}

#[test]
fn a_shared_table_has_what_any_thread_stored_and_keeps_to_its_size() {
    let all = positions(4000);
    let mut table = Table::<Kalah>::new(0);
    let small = table.bytes();
    table.begin(&all[0]);
    let own = table.bytes();
    assert!(small == 0 && table.handle().is_none());
    table.share(&all[0]);
    let mut other = table.handle().unwrap();
    for (count, pos) in all.iter().enumerate() {
        let bound = Bound { value: count as i32, solved: false };
        let writer = if count % 2 == 0 { &mut table } else { &mut other };
        writer.put(pos.key(), Kalah::hash(&pos.key()), SearchResult { depth: 5, bound, is_lower: true, mv: Move(2) });
        let reader = if count % 2 == 0 { &other } else { &table };
        let known = reader.get(&pos.key(), Kalah::hash(&pos.key())).unwrap();
        assert_eq!(known.lower(5), Some(bound));
    }
    assert_eq!((table.bytes(), other.bytes()), (own, own));
    let mut large = Table::<Kalah>::new(64);
    large.share(&all[0]);
    assert_eq!(large.bytes(), own);
}

#[test]
fn a_table_stays_small_while_others_have_the_memory() {
    static METER: Meter = Meter::new(4 * START * 64 * 3 / 2);
    let all = positions(8 * START);
    let mut table = Part::<Kalah, i16>::new(64 << 20, START);
    table.memory = TableBytes::new(&METER);
    table.begin(&all[0]);
    for pos in &all {
        let bound = Bound { value: 1, solved: false };
        table.put(pos.key(), Kalah::hash(&pos.key()), SearchResult { depth: 5, bound, is_lower: true, mv: Move(2) });
    }
    assert_eq!((table.len, table.size), (2 * START, 2 * START), "it doubles once");
    drop(table);
    assert!(TableBytes::new(&METER).grow(START * 64), "a table that is gone has none");
}
