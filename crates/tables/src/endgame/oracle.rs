//! The exact shares that a search uses: of boards with few seeds from memory, of those with more from a table.

use std::sync::Arc;

use super::EndgameTable;
use super::build::LayerComputation as _;
use super::layers::Layers;
use crate::budget::{Budget, Status};
use crate::game::kalah::{Capture, Rules};
use mancalab_base::pool::Pool;
use std::time::Duration;

/// Maximal number of boards in memory, of a byte each, unless a quarter of the transposition table's memory is more.
const MOST_BOARDS: u64 = 150_000_000;
/// The greatest part of the seeds that they may have, in percent. With more, computing them takes longer than it saves; under the empty rule,
/// searches are smaller.
const PERCENT: u8 = 40;
const PERCENT_EMPTY: u8 = 38;

/// The same where a table has them: reading is faster than computing, and memory faster than the table's blocks.
const MOST_READ: u64 = 250_000_000;
const PERCENT_READ: u8 = 50;

/// Maximal duration of a step of the computation.
const STEP: Duration = Duration::from_millis(10);

pub(crate) struct Endgames {
    layers: Layers,
    table: Option<Arc<EndgameTable>>,
    /// Maximal number of seeds of the boards in memory, and of all.
    few: u8,
    most: u8,
}

impl Endgames {
    /// Exact shares for searches from boards with `left` seeds, beside a transposition table of at most `megabytes`, a quarter of which they
    /// may take too; `None` if there is no memory for their numbers.
    pub fn new(rules: Rules, left: u8, megabytes: usize, table: Option<Arc<EndgameTable>>) -> Option<Endgames> {
        let affordable = (megabytes as u64) << 18;
        let fitting = |percent: u8, most: u64, seeds: u8| {
            let few = seeds.min((u16::from(left) * u16::from(percent) / 100) as u8);
            (0..=few).rev().find(|&few| Layers::count(rules, few) <= most).unwrap_or(0)
        };
        let read = table.as_ref().map_or(0, |table| fitting(PERCENT_READ, MOST_READ.max(affordable), table.most()));
        let percent = if rules.capture() == Capture::Empty { PERCENT_EMPTY } else { PERCENT };
        let few = fitting(percent, MOST_BOARDS.max(affordable), left).max(read);
        let mut layers = Layers::new(rules, few)?;
        // A small table ends before the boards that are worth computing.
        if let Some(table) = &table {
            let read = (0..=few.min(table.most())).map_while(|seeds| Some((seeds, table.layer(seeds).ok()?)));
            read.for_each(|(seeds, bytes)| layers.restore(seeds, &bytes));
        }
        let most = table.as_ref().map_or(few, |table| table.most().max(few));
        Some(Endgames { layers, table, few, most })
    }

    /// Continues the computation of the boards in memory, and returns whether all are known.
    pub fn is_ready(&mut self, pool: &Pool) -> bool {
        self.layers.complete() > self.few || self.layers.step(pool, Budget::time(STEP)) == Status::Done
    }

    /// Begins to fetch the share of a board, and returns whether it is in memory.
    #[inline(always)]
    pub fn prefetch(&self, rank: u64, left: u8) -> bool {
        if left <= self.few {
            self.layers.prefetch(rank as usize);
        }
        left <= self.few
    }

    /// The exact share of a board, by rank and number of seeds, if it is known.
    #[inline(always)]
    pub fn get(&self, rank: u64, left: u8) -> Option<u8> {
        if left <= self.few {
            Some(self.layers.get(rank as usize))
        } else if left <= self.most {
            self.table.as_ref()?.get(left, rank)
        } else {
            None
        }
    }
}
