//! Figures 4 and 5: Monte Carlo search by its iterations against minimax and the heuristic player by their depths. The thesis
//! describes the curves in words; what it says in numbers is put beside them.

use super::table1::{csv, inside, line, mcts, play, player};
use super::{Options, SOURCE, read_settings, reading, write_files};
use crate::arena::Cell;
use crate::reproduce::plot::{self, Series};
use crate::reproduce::{Line, Table};

const ITERATIONS: [u32; 7] = [250, 500, 1000, 2000, 4000, 8000, 16_000];
const DEPTHS: [(u32, &str); 4] = [(1, "depth 1"), (2, "depth 2"), (4, "depth 4"), (8, "depth 8")];

/// One of the two figures.
pub struct Figure {
    target: &'static str,
    file: &'static str,
    title: &'static str,
    opponent: &'static str,
    /// What the text says of 4,000 iterations against depth 4, in percent.
    flat: f64,
}

pub const FIGURE4: Figure = Figure {
    target: "kalah-thesis/figure4",
    file: "figure4",
    title: "Kalah thesis, Figure 4: MCTS against minimax",
    opponent: "minimax",
    flat: 60.0,
};
pub const FIGURE5: Figure = Figure {
    target: "kalah-thesis/figure5",
    file: "figure5",
    title: "Kalah thesis, Figure 5: MCTS against the heuristic player",
    opponent: "heuristic",
    flat: 42.0,
};

impl Figure {
    /// # Errors
    /// An option makes no sense, or a file cannot be written.
    pub fn reproduce(&self, options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Table, String> {
        let (read, mut others) = read_settings(&options.set)?;
        // Fewer points, where time is short.
        let mut most = ITERATIONS[ITERATIONS.len() - 1];
        if let Some(index) = others.iter().position(|(key, _)| *key == "most") {
            let (_, value) = others.remove(index);
            let wanted = || format!("most takes iterations, at least {}; '{value}' is not that", ITERATIONS[0]);
            most = value.parse().ok().filter(|most| *most >= ITERATIONS[0]).ok_or_else(wanted)?;
        }
        let iterations: Vec<u32> = ITERATIONS.into_iter().filter(|count| *count <= most).collect();
        let games = options.games.unwrap_or(200);
        let mut players = Vec::new();
        for count in &iterations {
            players.push(player(&mcts(*count, &others)?, read)?);
        }
        for (depth, _) in DEPTHS {
            players.push(player(&format!("{}:{depth}", self.opponent), read)?);
        }
        let columns = iterations.len();
        let pairs = (0..DEPTHS.len()).flat_map(|depth| (0..columns).map(move |count| (count, columns + depth)));
        let cells = pairs.map(|(first, second)| Cell { first, second, games }).collect();
        let view = play(players, cells, options.seed, tell)?;
        let lines: Vec<Line> = view
            .cells
            .iter()
            .map(|cell| {
                let (count, (depth, _)) = (iterations[cell.cell.first], DEPTHS[cell.cell.second - columns]);
                let published = (count == 4000 && depth == 4).then_some(self.flat);
                line(format!("mcts:{count} v {}:{depth}", self.opponent), published, cell)
            })
            .collect();
        let curve = |(index, (_, name)): (usize, &(u32, &'static str))| Series {
            name,
            values: lines[index * columns..][..columns].iter().map(|line| line.measured).collect(),
        };
        let curves: Vec<Series> = DEPTHS.iter().enumerate().map(curve).collect();
        let mut notes = terminal(&curves, &iterations);
        notes.push(inside(&lines));
        let svg = plot::lines(self.title, "iterations: 250 times two to the power of", "% of games won", &curves);
        notes.extend(write_files(options.out.as_deref(), self.file, &csv(&lines), &svg)?);
        let mut reading = reading(read);
        reading.push(("a point", format!("{games} games, mcts moving first; seed {}", options.seed)));
        reading.push(("mcts", mcts(4000, &others)?));
        Ok(Table { target: self.target, source: SOURCE, lines, reading, notes })
    }
}

/// The curves in characters: a column for each number of iterations, and the depth as the mark of its curve.
fn terminal(curves: &[Series], iterations: &[u32]) -> Vec<String> {
    const ROWS: usize = 20;
    const WIDE: usize = 9;
    let mut grid = vec![vec![' '; iterations.len() * WIDE]; ROWS + 1];
    for (index, curve) in curves.iter().enumerate() {
        let mark = char::from_digit(DEPTHS[index].0, 10).unwrap_or('*');
        for (column, value) in curve.values.iter().enumerate() {
            let row = ((100.0 - value.clamp(0.0, 100.0)) / 100.0 * ROWS as f64).round() as usize;
            // Curves that meet stand beside one another.
            let place = column * WIDE + 2 + index;
            grid[row][place] = mark;
        }
    }
    let mut lines = vec!["% won; the marks are the opponent's depths".to_owned()];
    for (row, cells) in grid.iter().enumerate() {
        let label = if row % 2 == 0 { format!("{:>4}", 100 - 5 * row) } else { "    ".to_owned() };
        lines.push(format!("{label} |{}", cells.iter().collect::<String>()).trim_end().to_owned());
    }
    let axis: String = iterations.iter().map(|count| format!("{count:^WIDE$}")).collect();
    lines.push(format!("     +{}", "-".repeat(iterations.len() * WIDE)));
    lines.push(format!("      {axis} iterations"));
    lines
}
