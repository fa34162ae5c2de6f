//! Endgame tables against plain searches that remember every position, and searches with tables against those without.

use super::*;
use crate::budget::{Budget, Status};
use crate::game::referee;
use crate::game::sowing::{Rules, SowingPosition, SowingRules, awari, oware};
use crate::game::{Game as _, GameState, Move};
use crate::root::{Goal, Root};
use crate::table::Table;
use crate::tables::TableBuilder;
use crate::tables::endgame::TableRules;
use mancalab_base::pool::Pool;
use mancalab_base::rng;
use rand::RngExt as _;
use std::path::{Path, PathBuf};

const OWARE: [&str; 3] = ["oware", "oware:slam=all", "oware:slam=illegal"];

fn build(folder: &Path, text: &str, seeds: u8) -> PathBuf {
    let rules: TableRules = text.parse().unwrap();
    let mut builder = TableBuilder::new(folder, rules, seeds, Pool::alone()).unwrap();
    while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
    builder.path().to_owned()
}

fn table(text: &str, seeds: u8) -> Arc<EndgameTable> {
    let folder = tempfile::tempdir().unwrap();
    // An open file can be read after its folder is gone.
    Arc::new(EndgameTable::open(&build(folder.path(), text, seeds)).unwrap())
}

/// A table of which a bit of a block with the boards of most seeds is flipped.
fn damaged(text: &str, seeds: u8) -> Arc<EndgameTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), text, seeds);
    let mut bytes = std::fs::read(&path).unwrap();
    // Well before the checksums at the end.
    let at = bytes.len() - 3000;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    Arc::new(EndgameTable::open(&path).unwrap())
}

fn rules_of<R: SowingRules>(text: &str) -> Rules<R> {
    text.split_once(':').map_or("", |(_, rules)| rules).parse().unwrap()
}

/// Whether the mover reaches `beta`, by plain search of all lines of play; `None` after too many nodes.
fn reaches<G: SearchHints>(state: &GameState<G>, beta: i32, nodes: &mut u32) -> Option<bool> {
    let pos = state.pos();
    *nodes = nodes.checked_sub(1)?;
    if pos.is_over() {
        return Some(pos.margin(pos.side()) >= beta);
    }
    if let Some(value) = referee::ruled_value(pos, state.history()) {
        return Some(value >= beta);
    }
    let least = pos.margin(pos.side()) - pos.reach();
    let most = pos.margin(pos.side()) + pos.reach();
    if least >= beta || most < beta {
        return Some(least >= beta);
    }
    for mv in pos.moves() {
        let mut next = state.clone();
        next.play(mv);
        if !reaches(&next, 1 - beta, nodes)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The value of a position with its history, if plain search finds it soon.
fn value<G: SearchHints>(state: &GameState<G>) -> Option<i32> {
    let margin = state.pos().margin(state.pos().side());
    let mut least = margin - state.pos().reach();
    let mut most = margin + state.pos().reach();
    while least < most {
        let beta = least + (most - least + 1) / 2;
        if reaches(state, beta, &mut 5_000)? { least = beta } else { most = beta - 1 }
    }
    Some(least)
}

/// A random board with this many seeds, after some random moves.
fn random_state<R: SowingRules>(rules: Rules<R>, seeds: u8, seed: u64) -> GameState<SowingPosition<R>> {
    let random = &mut rng::keyed(&[seed]);
    let mut pits = [[0_u8; 8]; 2];
    (0..seeds).for_each(|_| pits[random.random_range(0..2)][random.random_range(0..usize::from(R::PITS))] += 1);
    let mut state = GameState::new(SowingPosition::with_pits(rules, pits.map(u64::from_le_bytes)));
    for _ in 0..random.random_range(0..12) {
        let moves: Vec<Move> = state.pos().moves().collect();
        let mut next = state.clone();
        if !moves.is_empty() {
            next.play(moves[random.random_range(0..moves.len())]);
        }
        if !next.is_over() {
            state = next;
        }
    }
    state
}

/// Compares bounds with the values of random positions with histories. Returns how many values were found, and how many
/// of these the bounds are exact for.
fn check_bounds<R: SowingRules>(text: &str, seeds: u8, count: u64) -> (u32, u32) {
    let rules = rules_of::<R>(text);
    let table = MarginTable::new(table(text, seeds));
    let mut found = 0;
    let mut exact = 0;
    for seed in 0..count {
        let state = random_state(rules, 2 + (seed % u64::from(seeds - 1)) as u8, seed);
        if state.is_over() {
            continue;
        }
        let Some(value) = value(&state) else { continue };
        let Margins { least, most, .. } = table.get(state.pos(), state.history()).unwrap();
        assert!(least <= value && value <= most, "{state:?}: {value}, not {least} to {most}");
        found += 1;
        exact += u32::from(least == most);
    }
    (found, exact)
}

#[test]
fn bounds_hold_for_every_history() {
    let (found, exact) = check_bounds::<awari::Rule>("awari", 5, 500);
    assert!(found > 150 && exact > found * 3 / 4, "{exact} of {found}");
    for text in OWARE {
        let (found, exact) = check_bounds::<oware::Rule>(text, 5, 500);
        assert!(found > 150 && exact > found / 2, "{text}: {exact} of {found}");
    }
}

/// The solved bounds of a search for the best move.
fn searched<G: SearchHints>(state: &GameState<G>, depth: u8, table: Option<&Arc<EndgameTable>>) -> Option<i32> {
    let mut root = Root::new(state, Table::new(1), Goal::Value);
    root.set_endgames(table.map_or(MarginTable::NONE, |table| MarginTable::new(Arc::clone(table))));
    while !root.is_solved() && root.depth() < depth {
        root.deepen(depth.into());
        while root.step(Goal::Value, Budget::UNLIMITED) == Status::Running {}
        root.conclude(Goal::Value);
    }
    let report = root.report();
    report.solved.then(|| report.lines.first().map(|line| line.margin)).flatten()
}

fn check_searches<R: SowingRules>(text: &str) -> [u32; 3] {
    let rules = rules_of::<R>(text);
    let table = table(text, 6);
    let mut solved = [0; 3];
    for seed in 0..300 {
        let state = random_state(rules, 3 + (seed % 7) as u8, seed);
        if state.is_over() {
            continue;
        }
        let values = [searched(&state, 12, None), searched(&state, 8, Some(&table))];
        if let [Some(without), Some(with)] = values {
            assert_eq!(without, with, "{state:?}");
            solved[2] += 1;
        }
        solved[0] += u32::from(values[0].is_some());
        solved[1] += u32::from(values[1].is_some());
    }
    solved
}

#[test]
fn searches_with_a_table_solve_more_to_the_same_values() {
    for text in OWARE {
        let [without, with, both] = check_searches::<oware::Rule>(text);
        assert!(with > without && both > 50, "{text}: {without}, {with}, {both}");
    }
    let [without, with, both] = check_searches::<awari::Rule>("awari");
    assert!(with > without && both > 50, "awari: {without}, {with}, {both}");
}

/// Searches a position with a damaged table, and without any: the same comes out, and the table is out.
pub(super) fn check_damaged<G: SearchHints>(state: &GameState<G>, table: &Arc<EndgameTable>, depth: u32) {
    let analyse = |endgames: MarginTable| {
        let mut analysis = crate::Analysis::new(state.clone(), depth, Table::new(8));
        analysis.set_endgames(endgames);
        assert_eq!(analysis.step(Budget::UNLIMITED), Status::Done);
        analysis.report()
    };
    let search = |endgames: MarginTable| {
        let mut search = crate::Search::new(state.clone(), crate::Limits::depth(depth));
        search.set_endgames(endgames);
        assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
        search.report()
    };
    let values = |report: crate::Report| report.lines.iter().map(|line| (line.mv, line.margin)).collect::<Vec<_>>();
    assert_eq!(values(analyse(MarginTable::new(table.clone()))), values(analyse(MarginTable::NONE)));
    assert_eq!(values(search(MarginTable::new(table.clone()))), values(search(MarginTable::NONE)));
    assert!(table.is_damaged() && !table.has(state.pos().endgame_board()));
}

#[test]
fn a_damaged_table_is_none() {
    for text in OWARE {
        let table = damaged(text, 5);
        check_damaged(&random_state(rules_of::<oware::Rule>(text), 9, 1), &table, 14);
    }
    check_damaged(&random_state(rules_of::<awari::Rule>("awari"), 9, 1), &damaged("awari", 5), 14);
    let lines = crate::tables::endgame::take_damaged();
    assert!(lines.iter().any(|line| line.ends_with("check it: mancalab tables verify awari-standard")), "{lines:?}");
}
