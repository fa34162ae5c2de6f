//! Verification of an endgame table: all its checksums, and a sample of positions by another method.
//!
//! Verification of tables of checkers: values are compared with those after each move, along lines of best play to the end, and
//! with searches without the table.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use mancalab_base::Error;
use rand::RngExt as _;

use crate::budget::{Budget, Status};
use crate::game::checkers::sets::{FARTHEST_ROW, NEAREST_ROW};
use crate::game::checkers::{Checkers, WON};
use crate::game::kalah::{self, Kalah};
use crate::game::sowing::{Rules, SowingPosition, SowingRules};
use crate::game::{Board, BoardGame, Game as _, Notation, PitBoard, Side};
use crate::search::{Limits, Search};
use crate::tables::endgame::checkers::Value;
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

fn pos_text(pos: &impl Notation) -> String {
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

/// Numbers of positions of checkers by value.
#[derive(Default)]
pub(super) struct Counts {
    won: u64,
    drawn: u64,
    lost: u64,
    /// Plies of the longest win.
    longest: u8,
}

impl Counts {
    pub fn add(&mut self, values: &[u8]) {
        for &byte in values {
            match Value::from_byte(byte) {
                Value::Wins(plies) => (self.won, self.longest) = (self.won + 1, self.longest.max(plies)),
                Value::Draws => self.drawn += 1,
                Value::Loses(_) => self.lost += 1,
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { won, drawn, lost, longest } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost; the longest win takes {longest} plies")
    }
}

/// Compares a random position's value with those after its moves, along the line of best play to its end, and with a search
/// without the table.
fn check_value(table: &EndgameTable, number: u32) -> Result<()> {
    let start = random_position(table.most(), number);
    let value = |pos: &Checkers| if pos.is_over() { Some(Value::Loses(0)) } else { table.value(pos) };
    let mut pos = start;
    loop {
        let known = value(&pos).with_context(|| format!("{} has no value", pos_text(&pos)))?;
        let after = |mv| value(&pos.play(mv)).map(|after| (after.before(), mv));
        let best = pos.moves().filter_map(after).reduce(|a, b| if b.0.rank() > a.0.rank() { b } else { a });
        if best.map_or(Value::Loses(0), |(value, _)| value) != known {
            bail!("{} has another value than the table's, {known:?}", pos_text(&pos));
        }
        match best {
            Some((Value::Wins(_) | Value::Loses(_), mv)) => pos = pos.play(mv),
            _ => break,
        }
    }
    check_by_search(&start, value(&start).unwrap_or(Value::Draws))
}

/// Compares a value with searches without the table: the first depth that sees a win or a loss is the distance.
fn check_by_search(pos: &Checkers, value: Value) -> Result<()> {
    const DEPTH: u8 = 9;
    let margin = |depth: u8| {
        let mut search = Search::new(pos, Limits::depth(depth.into()));
        while search.step(Budget::UNLIMITED) == Status::Running {}
        search.report().lines.first().map_or(0, |line| line.margin)
    };
    let found = (1..=DEPTH).find_map(|depth| match margin(depth) {
        WON => Some(Value::Wins(depth)),
        margin if margin == -WON => Some(Value::Loses(depth)),
        _ => None,
    });
    let expected = Some(value).filter(|value| value.plies().is_some_and(|plies| (1..=DEPTH).contains(&plies)));
    if found != expected {
        bail!("{} has the value {found:?} by search, and {value:?} in the table", pos_text(pos));
    }
    Ok(())
}

/// A position with two to `most` pieces, at least one a side.
fn random_position(most: u8, number: u32) -> Checkers {
    let mut random = rng::keyed(&[number.into()]);
    let mut men = [0_u32; 2];
    let mut kings = [0_u32; 2];
    let mut taken = 0_u32;
    let pieces = random.random_range(2..=most.max(2));
    let mut placed = 0;
    while placed < pieces {
        let square = 1_u32 << random.random_range(0..32);
        let is_king = random.random_bool(0.5);
        // The first two pieces are of both sides.
        let side = if placed < 2 { usize::from(placed) } else { random.random_range(0..2) };
        let is_last_row = square & [FARTHEST_ROW, NEAREST_ROW][side] != 0;
        if taken & square != 0 || is_last_row && !is_king {
            continue;
        }
        (if is_king { &mut kings } else { &mut men })[side] |= square;
        (taken, placed) = (taken | square, placed + 1);
    }
    Checkers::from_sets(men, kings, if random.random_bool(0.5) { Side::South } else { Side::North })
}
