//! Figures 4 and 5: Monte Carlo search by iterations against minimax and the heuristic player by depth. The thesis describes the
//! curves in words; the numbers in its text are beside the measured ones.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{self, mcts, mcts_reading};
use super::readings::Readings;
use super::run::{play, tournament};
use crate::arena::{Cell, CellView, Score, Settings};
use crate::player::Spec;
use crate::player::mcts::Limit;
use crate::player::spec::Mcts;
use crate::plot::{Plot, Series};
use crate::{Hear, Line, Options, Table, csv};

const ITERATIONS: [u32; 7] = [250, 500, 1000, 2000, 4000, 8000, 16_000];
const DEPTHS: [u32; 4] = [1, 2, 4, 8];

/// The text's remark on Monte Carlo search against minimax and the heuristic player at depth 8.
const AT_DEPTH_8: &str = "published in words: trouble reaching over 30 %";

/// Figure 4 or 5.
pub(super) struct Figure {
    file: &'static str,
    title: &'static str,
    opponent: &'static str,
    /// The text's share for 4,000 iterations against depth 4, in percent.
    flat: f64,
    /// The text's remark on depth 1.
    shallow: &'static str,
}

pub(super) const FIGURE4: Figure = Figure {
    file: "figure4",
    title: "Kalah thesis, Figure 4: MCTS against minimax",
    opponent: "minimax",
    flat: 60.0,
    shallow: "published in words: performs very well",
};
pub(super) const FIGURE5: Figure = Figure {
    file: "figure5",
    title: "Kalah thesis, Figure 5: MCTS against the heuristic player",
    opponent: "heuristic",
    flat: 42.0,
    shallow: "published in words: below 100 %",
};

impl Figure {
    /// The tournament: every number of iterations against every depth, by depth.
    ///
    /// # Errors
    /// An option is invalid.
    pub fn settings(&self, options: &Options) -> Result<Settings, Error> {
        let read = Readings::asked(options)?;
        let iterations = iterations(options)?;
        let games = options.games.unwrap_or(200);
        let mut players = Vec::new();
        for count in &iterations {
            players.push(read.player(&mcts(*count, options))?);
        }
        for depth in DEPTHS {
            players.push(read.player(&format!("{}:{depth}", self.opponent))?);
        }
        let columns = iterations.len();
        let pairs = (0..DEPTHS.len()).flat_map(|depth| (0..columns).map(move |count| (count, columns + depth)));
        let cells = pairs.map(|(first, second)| Cell { first, second, games });
        tournament(self.file, players, cells, options)
    }

    /// Plays the games of the figure.
    ///
    /// # Errors
    /// An option is invalid, or a file cannot be written.
    pub fn reproduce(&self, options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
        let read = Readings::asked(options)?;
        let settings = self.settings(options)?;
        let iterations = iterations(options)?;
        let games = settings.games;
        let columns = iterations.len();
        let view = play(settings, options, hear)?;
        let line =
            |cell: &CellView| self.line(iterations[cell.cell.first], DEPTHS[cell.cell.second - columns], cell.score);
        let lines: Vec<Line> = view.cells.iter().map(line).collect();
        let plot = self.plot(&lines, &iterations);
        let notes = vec![format!(
            "The text has one number, {} % for 4,000 iterations against depth 4, of an unknown number of games",
            self.flat
        )];
        let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
        reading.push(("a point", format!("{games} games, mcts moving first; seed {}", options.seed)));
        reading.push(("mcts", mcts_reading(&mcts(4000, options).replace("4000", "N"), options)));
        let csv = csv::lines(&lines);
        let table = Table { lines, chart: plot.text(), reading, notes, ..Table::default() };
        Ok(table.with_files(self.file, csv, plot.svg()))
    }

    /// Returns the text's share of one player's games against another, in percent.
    pub(super) fn published(&self, players: &[Spec], first: usize, second: usize) -> Option<f64> {
        let Spec::Mcts(Mcts { limit: Limit::Iterations(4000), .. }) = players.get(first)? else { return None };
        let opponent = players.get(second)?.to_string();
        opponent.strip_prefix(self.opponent)?.starts_with(":4").then_some(self.flat)
    }

    /// Returns the line of one point, with the text's remark.
    fn line(&self, iterations: u32, depth: u32, score: Score) -> Line {
        let published = (iterations == counted::ITERATIONS && depth == 4).then_some(self.flat);
        let names = vec![("iterations", json!(iterations)), ("depth", json!(depth))];
        let line = Line::won(format!("mcts:{iterations} v {}:{depth}", self.opponent), published, score).named(names);
        match depth {
            1 => line.remarked(self.shallow),
            8 => line.remarked(AT_DEPTH_8),
            _ => line,
        }
    }

    /// Plots a curve for each depth; `lines` are ordered by depth.
    fn plot(&self, lines: &[Line], iterations: &[u32]) -> Plot {
        let curve = |(depth, lines): (&u32, &[Line])| Series {
            name: format!("{}:{depth}", self.opponent),
            mark: char::from_digit(*depth, 10).unwrap_or('*'),
            values: lines.iter().filter_map(|line| line.measured).collect(),
            intervals: lines.iter().filter_map(|line| line.interval).collect(),
        };
        let series = DEPTHS.iter().zip(lines.chunks(iterations.len())).map(curve).collect();
        Plot {
            ticks: iterations.iter().map(|count| thousands(*count)).collect(),
            top: Some(100.0),
            published: iterations
                .iter()
                .position(|count| *count == counted::ITERATIONS)
                .map(|point| (point, self.flat)),
            ..Plot::new(self.title, "iterations", "% of games won by MCTS, moving first", series)
        }
    }
}

/// Returns the iterations on the x axis, up to the setting `most`.
fn iterations(options: &Options) -> Result<Vec<u32>, Error> {
    let mut most = ITERATIONS[ITERATIONS.len() - 1];
    if let Some(value) = options.value("most") {
        let wanted = || format!("most must be a number of iterations from {} (got {value})", ITERATIONS[0]);
        most = value.parse().ok().filter(|most| *most >= ITERATIONS[0]).ok_or_else(wanted)?;
    }
    Ok(ITERATIONS.into_iter().filter(|count| *count <= most).collect())
}

/// Formats a number below a million with a comma.
fn thousands(count: u32) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", count / 1000, count % 1000) }
}
