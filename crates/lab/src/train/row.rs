//! The rows of a training: the results of each generation, its speed, and the rows of `timings.csv`.

use std::time::Duration;

use mancalab_base::Error;
use serde::Serialize;

use super::settings::Settings;
use super::worker::Sums;
use crate::measuring::PanelResult;
use crate::row::{Cells, Row, odd_row};

/// The header of `generations.csv`. Games and decisions count from the start of the run. Losses and entropy are means over the
/// generation's decisions; the gradient's length is the mean over its gradients before clipping. `won_percent` is the share of
/// points in games against others than itself. The panel's results are in the format of [`PanelResult`], in the order of the setting.
pub const COLUMNS: &str = "generation,games_count,decisions_count,policy_loss,value_loss,entropy_nats,gradient_length,won_percent,\
                           rate,panel_won_drawn_lost";

/// A completed generation.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TrainingRow {
    pub generation: u64,
    pub games: u64,
    pub decisions: u64,
    pub policy_loss: f64,
    pub value_loss: f64,
    pub entropy: f64,
    pub gradient: f64,
    /// In percent; 50 without such games.
    pub won: f64,
    pub rate: f64,
    /// Empty unless the network was measured.
    #[serde(skip)]
    pub panel: Vec<PanelResult>,
}

impl TrainingRow {
    /// Returns the row of a generation; `before` is the previous one.
    pub(super) fn new(
        settings: &Settings,
        generation: u64,
        before: Option<&TrainingRow>,
        sums: Sums,
        lengths: f64,
        panel: Vec<PanelResult>,
    ) -> TrainingRow {
        let decisions = sums.decisions.max(1) as f64;
        TrainingRow {
            generation,
            games: before.map_or(0, |before| before.games) + sums.games,
            decisions: before.map_or(0, |before| before.decisions) + sums.decisions,
            policy_loss: sums.policy / decisions,
            value_loss: sums.value / decisions,
            entropy: sums.entropy / decisions,
            gradient: lengths / (f64::from(settings.rounds) * settings.workers as f64),
            won: if sums.met == 0 { 50.0 } else { 50.0 * sums.halves as f64 / sums.met as f64 },
            rate: settings.rate_in(generation),
            panel,
        }
    }

    /// Parses the row after `before` others, with this number of players in the panel.
    ///
    /// # Errors
    /// Returns an error if it is invalid or belongs to another generation.
    pub(super) fn next(row: &str, before: usize, players: usize) -> Result<TrainingRow, Error> {
        let past = TrainingRow::default().read(row, before)?;
        let is_whole = past.panel.is_empty() || past.panel.len() == players;
        if is_whole { Ok(past) } else { Err(odd_row(row, before).into()) }
    }
}

impl Row for TrainingRow {
    fn columns(&mut self, cells: &mut Cells<'_>) -> Option<()> {
        cells.plain(&mut self.generation)?;
        cells.plain(&mut self.games)?;
        cells.plain(&mut self.decisions)?;
        cells.rounded(&mut self.policy_loss, 5)?;
        cells.rounded(&mut self.value_loss, 5)?;
        cells.rounded(&mut self.entropy, 5)?;
        cells.rounded(&mut self.gradient, 5)?;
        cells.rounded(&mut self.won, 3)?;
        cells.rounded(&mut self.rate, 7)?;
        let mut panel = PanelResult::list(&self.panel);
        cells.plain(&mut panel)?;
        self.panel = PanelResult::parse_list(&panel)?;
        Some(())
    }
}

/// The header of `timings.csv`.
pub const TIMING_COLUMNS: &str = "generation,seconds,games_per_second,decisions_per_second";

/// Timing statistics. Results do not depend on them.
#[derive(Default)]
pub struct Pace {
    /// Time spent on the current generation.
    pub spent: Duration,
    /// Time spent on the generations before it.
    pub total: Duration,
    pub games_per_second: f64,
    pub decisions_per_second: f64,
}

impl Pace {
    /// Returns the timings row of a generation.
    pub fn conclude(&mut self, generation: u64, sums: Sums) -> String {
        let seconds = self.spent.as_secs_f64().max(1e-9);
        self.total += std::mem::take(&mut self.spent);
        self.games_per_second = sums.games as f64 / seconds;
        self.decisions_per_second = sums.decisions as f64 / seconds;
        format!("{generation},{seconds:.3},{:.0},{:.0}", self.games_per_second, self.decisions_per_second)
    }

    /// Reads the newest timings row of a resumed training.
    pub fn restore_timings(&mut self, row: &str) {
        let [seconds, games, decisions] = timings(row);
        self.total += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        (self.games_per_second, self.decisions_per_second) = (games, decisions);
    }
}

/// Returns seconds, games per second and decisions per second of a timings row; 0 where missing.
pub fn timings(row: &str) -> [f64; 3] {
    let mut fields = row.split(',').skip(1);
    [(); 3].map(|()| fields.next().and_then(|field| field.parse().ok()).unwrap_or(0.0))
}
