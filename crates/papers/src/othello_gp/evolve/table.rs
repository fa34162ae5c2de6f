//! The evolved functions beside Table 2.

use serde_json::{Value, json};

use super::column::{Column, PRINTED};
use crate::arena::Score;
use crate::othello_gp::printed::GAMES as PRINTED_GAMES;
use crate::player::StagedSettings;
use crate::ranges::{self, Row, Span};
use crate::{Line, Table};

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::othello_gp) struct Ended {
    /// The random player's discs in the games of the best function's generation.
    pub discs: f64,
    /// The generation that found it.
    pub generation: u64,
    /// Whether the run reached its fitness.
    pub is_reached: bool,
    /// The nodes of a program, averaged over the programs of all generations.
    pub mean_nodes: f64,
}

/// An evolved player and its score.
pub(super) struct EvolvedPlayer {
    pub fitness: u32,
    pub seed: u64,
    pub column: Column,
    pub player: StagedSettings,
    /// `None` for a combination of other runs.
    pub run: Option<Ended>,
    pub score: Score,
}

/// Formats the columns of a seed.
pub(super) fn in_a_line(row: &[EvolvedPlayer]) -> String {
    let cells = row.iter().map(|one| format!("{} {:.1}", one.column.name(), one.of_fifty()));
    let cells = cells.collect::<Vec<_>>().join(", ");
    row.first().map_or(cells.clone(), |one| format!("fitness {}, seed {}: {cells} of 50", one.fitness, one.seed))
}

impl EvolvedPlayer {
    /// Scales games won to the number of printed games.
    fn of_fifty(&self) -> f64 {
        f64::from(PRINTED_GAMES) * self.score.won()
    }

    fn printed(&self) -> Option<u32> {
        let (_, wins) = PRINTED.iter().find(|(fitness, _)| *fitness == self.fitness)?;
        wins.get(self.column as usize).copied()
    }

    /// Returns the player's text without `staged:`.
    fn text(&self) -> String {
        match self.player.stages.as_slice() {
            [stage] => stage.function.to_string(),
            _ => self.player.file_text(),
        }
    }

    fn nodes(&self) -> usize {
        self.player.stages.iter().map(|stage| stage.function.size()).sum()
    }

    fn line(&self) -> Line {
        let what = format!("fitness {}, seed {}, {}", self.fitness, self.seed, self.column.name());
        let published = self.printed().map(|wins| 100.0 * f64::from(wins) / f64::from(PRINTED_GAMES));
        let remark = match self.run {
            None => format!("tree 1 and tree 2, {} nodes", self.nodes()),
            Some(Ended { discs, generation, is_reached, .. }) => {
                let reached = if is_reached { "" } else { "goal not reached: " };
                format!("{reached}{discs} discs in generation {generation}, {} nodes", self.nodes())
            }
        };
        Line::won(what, published, self.score).remarked(remark).named([
            ("fitness", json!(self.fitness)),
            ("seed", json!(self.seed)),
            ("column", json!(self.column.name())),
            ("best_discs", self.run.map_or(Value::Null, |run| json!(run.discs))),
            ("best_generation", self.run.map_or(Value::Null, |run| json!(run.generation))),
            ("is_reached", self.run.map_or(Value::Null, |run| json!(run.is_reached))),
            ("nodes", json!(self.nodes())),
            ("hypothesis", json!(self.text())),
        ])
    }
}

/// All results.
pub(super) struct Results {
    /// Row by row, each with its columns in order.
    pub all: Vec<EvolvedPlayer>,
    pub seeds: u32,
    pub games: u32,
    /// The first seed.
    pub first: u64,
}

impl Results {
    /// Returns the results of a column at this fitness, one per seed.
    fn column(&self, fitness: u32, column: Column) -> impl Iterator<Item = &EvolvedPlayer> {
        self.all.iter().filter(move |one| one.fitness == fitness && one.column == column)
    }

    /// Returns printed beside measured.
    pub fn to_table(&self) -> Table {
        let runs = self.all.iter().filter_map(|one| one.run);
        let count = runs.clone().count();
        let reached = runs.filter(|run| run.is_reached).count();
        let whites = self.all.iter().filter(|one| one.run.is_some() && one.text() == "( white )").count();
        let notes = vec![
            format!("{reached} of {count} runs reached their fitness, {whites} of them with ( white )"),
            "The source prints one run of each; it does not state the choice among runs or the population size."
                .to_owned(),
        ];
        let lines = self.all.iter().map(EvolvedPlayer::line).collect();
        Table { lines, chart: self.matrix(), reading: self.reading(), notes, ..Table::default() }
    }

    /// Formats Table 2 with a row for each seed, and the functions below.
    fn matrix(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (fitness, printed) in PRINTED {
            let head: String = Column::ALL.iter().map(|column| format!("  {:>8}", column.name())).collect();
            lines.push(format!("{:22}{head}", format!("fitness {fitness}, won of 50")));
            let printed: String = printed.iter().map(|wins| format!("  {wins:>8}")).collect();
            lines.push(format!("{:22}{printed}", "printed"));
            let rows = self.all.iter().filter(|one| one.fitness == fitness).collect::<Vec<_>>();
            for row in rows.chunks(Column::ALL.len()) {
                let cells: String = row.iter().map(|one| format!("  {:>8.1}", one.of_fifty())).collect();
                lines.push(format!("{:22}{cells}", format!("seed {}", row[0].seed)));
            }
            let mean = |column: &Column| {
                let won: Vec<f64> = self.column(fitness, *column).map(EvolvedPlayer::of_fifty).collect();
                format!("  {:>8.1}", Span::from_values(&won).mean)
            };
            lines.push(format!("{:22}{}", "mean", Column::ALL.iter().map(mean).collect::<String>()));
            lines.push(String::new());
        }
        let bred = self.all.iter().filter(|one| one.run.is_some());
        lines.extend(bred.map(|one| {
            format!("fitness {} seed {} {:<8}  {}", one.fitness, one.seed, one.column.name(), cut(&one.text()))
        }));
        lines
    }

    /// Returns the settings of the runs and games as a reading.
    fn reading(&self) -> Vec<(&'static str, String)> {
        let last = self.first.saturating_add(u64::from(self.seeds) - 1);
        vec![
            ("seat", "the learner is White; Black moves first, and at random".to_owned()),
            ("games", format!("{} of each hypothesis; runs of the seeds {} to {last}", self.games, self.first)),
            ("tree 1, 2", "evolved alone in whole games, by Black's gain in the first or second half of 5".to_owned()),
            ("50|50", "tree 1 in the first half of the game, tree 2 in the second".to_owned()),
            ("single", "evolved for the whole game: Black's discs at the end of 5".to_owned()),
            ("together", "a tree for either half, evolved together in play: Black's discs at the end of 5".to_owned()),
            (
                "presets",
                "othello-gp-50, othello-gp-25 and the same with -staged; settings missing from the source are ours"
                    .to_owned(),
            ),
        ]
    }

    /// Draws means and ranges over the seeds as SVG.
    pub fn chart(&self) -> String {
        let mut rows: Vec<Row> = Vec::new();
        for (fitness, _) in PRINTED {
            for column in Column::ALL {
                let won: Vec<f64> = self.column(fitness, column).map(|one| 100.0 * one.score.won()).collect();
                let printed = self.column(fitness, column).find_map(EvolvedPlayer::printed);
                let printed =
                    printed.map(|wins| Span::of_games(f64::from(wins) / f64::from(PRINTED_GAMES), PRINTED_GAMES));
                rows.push((format!("fitness {fitness}, {}", column.name()), printed, Span::from_values(&won)));
            }
        }
        ranges::ranges(
            "Othello by genetic programming, Table 2 from runs of our own: means and ranges (published: 95 % intervals)",
            "% won",
            100.0,
            &rows,
        )
    }
}

/// Truncates a text that is too long for a line.
fn cut(text: &str) -> String {
    const WIDTH: usize = 48;
    if text.chars().count() <= WIDTH {
        text.to_owned()
    } else {
        text.chars().take(WIDTH - 4).chain(" ...".chars()).collect()
    }
}
