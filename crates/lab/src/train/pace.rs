//! Training speed, and the rows of `timings.csv`.

use std::time::Duration;

use super::worker::Sums;

/// The header of `timings.csv`.
pub const COLUMNS: &str = "generation,seconds,games_per_second,decisions_per_second";

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
