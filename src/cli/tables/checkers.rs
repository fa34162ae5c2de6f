//! Verification of tables of checkers: values are compared with those after each move, along lines of best play to the end, and
//! with searches without the table.

use std::fmt;

use anyhow::{Context as _, Result, bail};
use rand::RngExt as _;

use super::verify::pos_text;
use crate::budget::{Budget, Status};
use crate::game::checkers::sets::{FARTHEST_ROW, NEAREST_ROW};
use crate::game::checkers::{Checkers, WON};
use crate::game::{Game as _, Side};
use crate::rng;
use crate::search::{Limits, Search};
use crate::tables::EndgameTable;
use crate::tables::endgame::checkers::Value;

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
pub(super) fn check_value(table: &EndgameTable, number: u32) -> Result<()> {
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
