//! Verification of an endgame table: all its checksums, and a sample of positions by another method.

use anyhow::{Result, bail};
use mancalab_base::Error;
use rand::RngExt as _;
use std::path::Path;

use super::checkers::{Counts, check_value};
use crate::budget::{Budget, Status};
use crate::game::kalah::{self, Kalah};
use crate::game::sowing::{Rules, SowingPosition, SowingRules};
use crate::game::{Board, BoardGame, Game as _, Notation, PitBoard, Side};
use crate::search::{Limits, Search};
use crate::tables::endgame::{self, TableRules};
use crate::tables::{EndgameTable, Solver};
use crate::{rng, sanitize};

/// Checks all checksums and a sample of boards.
pub(super) fn check(path: &Path, sample: u32) -> Result<String> {
    let table = endgame::open(path)?;
    let mut counts = Counts::default();
    for layer in 0..table.layers() {
        counts.add(&table.layer(layer)?);
    }
    let check = |number: u32| match table.rules() {
        TableRules::Kalah(rules) => check_share(&table, rules, number),
        TableRules::Oware(rules) => check_bounds(&table, rules, number),
        TableRules::Awari(rules) => check_bounds(&table, rules, number),
        TableRules::Checkers => check_value(&table, number),
    };
    (0..sample).try_for_each(check)?;
    Ok(match table.rules() {
        TableRules::Checkers => format!("checkers: all checksums and {sample} positions are right; {counts}"),
        rules => format!("{rules}: all checksums and {sample} boards are right"),
    })
}

/// Solves a random board by search without the table.
fn check_share(table: &EndgameTable, rules: kalah::Rules, number: u32) -> Result<()> {
    let pos: Kalah = random_board(rules, rules.pits(), table.most(), number)?;
    let mut solver = Solver::with_table(&pos, 1, None)?;
    while solver.step(Budget::UNLIMITED) == Status::Running {}
    let (margin, _) = solver.solution().margins;
    if table.margin(&pos) != Some(margin) {
        bail!("{} has the margin {margin:+}, which the table denies", pos_text(&pos));
    }
    Ok(())
}

/// Compares a random board's bounds with those of the boards after its moves, and with a search without the table where
/// that reaches the end of the game.
fn check_bounds<R: SowingRules>(table: &EndgameTable, rules: Rules<R>, number: u32) -> Result<()> {
    const DEPTH: u32 = 10;
    let pos: SowingPosition<R> = random_board(rules, R::PITS, table.most(), number)?;
    if pos.is_over() {
        return Ok(());
    }
    let bounds = |pos: &SowingPosition<R>| {
        let bounds = table.bounds(pos.key()).filter(|_| !pos.is_over()).unwrap_or_default();
        [bounds.least, bounds.most].map(i32::from)
    };
    let after = |mv| {
        let child = pos.play(mv);
        let gain = pos.play(mv).margin(pos.side());
        let [least, most] = bounds(&child);
        [gain - most, gain - least]
    };
    let best = |side: usize| pos.moves().map(|mv| after(mv)[side]).max().unwrap_or(0);
    let [least, most] = bounds(&pos);
    let mut search = Search::new(&pos, Limits::depth(DEPTH));
    while search.step(Budget::UNLIMITED) == Status::Running {}
    let report = search.report();
    let solved = report.lines.first().map(|line| line.margin).filter(|_| report.solved);
    if [least, most] != [best(0), best(1)] || solved.is_some_and(|margin| margin < least || margin > most) {
        bail!("{} has another margin than the table's, {least:+} to {most:+}", pos_text(&pos));
    }
    Ok(())
}

pub(super) fn pos_text(pos: &impl Notation) -> String {
    sanitize::inline(&pos.to_text()).into()
}

/// A board with up to `most` seeds.
fn random_board<G: BoardGame>(rules: G::Rules, pits: u8, most: u8, number: u32) -> Result<G, Error> {
    let mut random = rng::keyed(&[number.into()]);
    let pits = usize::from(pits);
    let mut board = PitBoard { pits: [vec![0; pits], vec![0; pits]], stores: [0, 0] };
    for _ in 0..random.random_range(most / 2..=most) {
        board.pits[random.random_range(0..2)][random.random_range(0..pits)] += 1;
    }
    G::from_board(rules, &Board::Pits(board), Side::South)
}
