//! The columns of Table 2 from our own runs: functions evolved until they leave a random player 50 discs in 5 games, or 25, and the
//! games that they then win.
//!
//! The source evolved a tree for either half of the game, each in a run of its own measured by the opponent's gain in that half, and
//! combined the two. Further columns have a function evolved for the whole game, and two evolved together in play, which the source
//! calls more accurate and did not do.

use std::path::Path;

use mancalab_base::{Error, bail};
use serde_json::{Value, json};

use super::USUAL_GAMES;
use super::reading::GAMES as PRINTED_GAMES;
use crate::arena::Score;
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::othello::{OthelloRun, Settings};
use crate::game::othello::Rules;
use crate::game::{Outcome, Side};
use crate::job::Run as _;
use crate::player::staged::{Practice, Stage};
use crate::player::{Spec, StagedSettings};
use crate::pool::Pool;
use crate::ranges::{self, Row, Span};
use crate::settings::KeyedSettings as _;
use crate::target::{Advance, part};
use crate::typed_run::to_its_end;
use crate::{Hear, Line, Options, ProgressEvent, Table, rng};

/// The default number of seeds.
const USUAL_SEEDS: u32 = 5;

/// Games per piece of work.
const PIECE: u32 = 1000;

/// Evolves every column for every seed and fitness, and plays games with the results. The output folder, if there is one, holds the
/// runs, and existing ones are resumed.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let seeds = options.seeds.unwrap_or(USUAL_SEEDS);
    let games = options.games.unwrap_or(USUAL_GAMES);
    // Check all settings before the first run.
    let mut plan = Vec::new();
    for (fitness, _) in PRINTED {
        for seed in options.all_seeds(USUAL_SEEDS) {
            for column in Column::ALL {
                plan.push((fitness, seed, column, column.settings(fitness, seed, options)?));
            }
        }
    }
    let count = plan.len();
    let mut all: Vec<EvolvedPlayer> = Vec::new();
    for (at, (fitness, seed, column, settings)) in plan.into_iter().enumerate() {
        let item = format!("fitness {fitness}, seed {seed}, {}: ", column.name());
        let mut progress = part(hear, at, count, &item);
        let (player, run) = match settings {
            Some(settings) => {
                let name = format!("othello-gp-{fitness}-{}-seed{seed}", column.name().replace(' ', ""));
                let (player, ended) = breed(settings, &name, options, &mut progress)?;
                (player, Some(ended))
            }
            None => (halves(&all)?, None),
        };
        let key = [options.seed, seed, fitness.into(), column as u64];
        let score = play(&player, &key, games, &options.pool, &mut progress);
        drop(progress);
        all.push(EvolvedPlayer { fitness, seed, column, player, run, score });
        if column == Column::Together {
            hear(ProgressEvent::News(&in_a_line(&all[all.len() - Column::ALL.len()..])));
        }
    }
    let evolved = Results { all, seeds, games, first: options.seed };
    Ok(evolved.to_table().with_chart("evolve", evolved.chart()))
}

/// Returns the best function, or functions, of a run; its folder, if there is one, has this name. `progress` receives the share of the
/// run done.
pub(super) fn breed(
    settings: Settings,
    name: &str,
    options: &Options,
    progress: Advance<'_>,
) -> Result<(StagedSettings, Ended), Error> {
    let last = settings.tableau.generations;
    let folder = options.out.as_deref().map(|out: &Path| out.join(name));
    let job = to_its_end::<OthelloRun>(settings, folder, &options.pool, &mut |run| {
        let generation = run.generation().unwrap_or(0);
        progress(generation as f64 / (last + 1) as f64, &format!("generation {generation}/{last}"));
    })?;
    let best = job.run().best_so_far().ok_or("the run has no generation")?;
    let spec: Spec = format!("staged:{}", best.simplified.0).parse()?;
    let Spec::Staged(player) = spec else { bail!("the run has evolved no function player") };
    let scores = &best.individual.outcome.scores;
    let is_reached = job.run().settings().is_reached(scores);
    let discs = scores.first().copied().unwrap_or(0.0);
    let history = job.run().history();
    let mean_nodes = history.iter().map(|row| row.mean_nodes).sum::<f64>() / history.len().max(1) as f64;
    Ok((player, Ended { discs, generation: best.found, is_reached, mean_nodes }))
}

/// Combines the last two functions, each in its half of the game.
fn halves(bred: &[EvolvedPlayer]) -> Result<StagedSettings, Error> {
    let [.., first, second] = bred else { bail!("there are no two functions to combine") };
    let stages = [first, second].map(|one| one.player.stages[0].clone());
    Ok(StagedSettings::new(stages.map(|stage| Stage { share: 50, ..stage }).to_vec()))
}

/// Returns the player's score as White against the random player; `key` determines all randomness.
pub(super) fn play(player: &StagedSettings, key: &[u64], games: u32, pool: &Pool, progress: Advance<'_>) -> Score {
    let start = Rules::default().position();
    let some = |from: u32, to: u32| {
        let mut practice = Practice::new(player);
        let game = |game: u32| {
            let key: Vec<u64> = key.iter().copied().chain([game.into()]).collect();
            let discs = practice.play_out(&start, Side::North, rng::derived(&key)).last().copied().unwrap_or([0; 2]);
            Score::from_outcome(Outcome::from_margin(discs[0] as i32 - discs[1] as i32))
        };
        (from..to).map(game).fold(Score::default(), Score::plus)
    };
    progress(1.0, "playing");
    let mut pieces: Vec<u32> = (0..games).step_by(PIECE as usize).collect();
    let scores = pool.map_each(&mut pieces, |from| some(*from, games.min(*from + PIECE)));
    scores.into_iter().fold(Score::default(), Score::plus)
}

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
struct EvolvedPlayer {
    pub fitness: u32,
    pub seed: u64,
    pub column: Column,
    pub player: StagedSettings,
    /// `None` for a combination of other runs.
    pub run: Option<Ended>,
    pub score: Score,
}

/// Formats the columns of a seed.
fn in_a_line(row: &[EvolvedPlayer]) -> String {
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
struct Results {
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

/// The settings that a column determines.
const FIXED: [&str; 4] = ["seed", "stages", "training", "termination"];

/// The rows of Table 2: the fitness at which runs end, and the games won of 50 by tree 1, tree 2 and both staged.
const PRINTED: [(u32, [u32; 3]); 2] = [(50, [46, 49, 45]), (25, [44, 46, 50])];

/// The column of a result; each has its own run except [`Column::Halves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::othello_gp) enum Column {
    /// A function for the first half of the game, measured by the opponent's gain in it.
    Tree1,
    /// The same for the second half.
    Tree2,
    /// Both, each in its half.
    Halves,
    /// A function for the whole game.
    Single,
    /// Two functions, evolved together in play.
    Together,
}

impl Column {
    pub const ALL: [Column; 5] = [Column::Tree1, Column::Tree2, Column::Halves, Column::Single, Column::Together];

    pub fn name(self) -> &'static str {
        match self {
            Column::Tree1 => "tree 1",
            Column::Tree2 => "tree 2",
            Column::Halves => "50|50",
            Column::Single => "single",
            Column::Together => "together",
        }
    }

    /// Returns the suffix of the run's preset after its fitness, and the column's own settings; `None` without a run.
    fn run(self) -> Option<(&'static str, &'static [(&'static str, &'static str)])> {
        match self {
            Column::Tree1 => Some(("", &[("stages", "50,50"), ("training", "stage:1")])),
            Column::Tree2 => Some(("", &[("stages", "50,50"), ("training", "stage:2")])),
            Column::Halves => None,
            Column::Single => Some(("", &[])),
            Column::Together => Some(("-staged", &[])),
        }
    }

    pub fn settings(self, fitness: u32, seed: u64, options: &Options) -> Result<Option<Settings>, Error> {
        let Some((ending, own)) = self.run() else { return Ok(None) };
        let mut settings = Settings::preset(&format!("othello-gp-{fitness}{ending}"))?;
        settings.set("seed", &seed.to_string())?;
        for (key, value) in own {
            settings.set(key, value)?;
        }
        if let Some((key, _)) = options.set.iter().find(|(key, _)| FIXED.contains(&key.as_str())) {
            bail!("'{key}' is set by the column; all other settings of a run are accepted");
        }
        options.change(&mut settings, &[])?;
        Ok(Some(settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;
    use crate::game::othello::Othello;
    use crate::game::{Game as _, GameState};
    use crate::player::{self, Turn};
    use serde_json::Value;

    fn options(seeds: u32, games: u32) -> Options {
        Options { seed: 3, seeds: Some(seeds), games: Some(games), ..Options::default() }
    }

    fn reproduce(set: &[&str], options: Options, hear: Hear<'_>) -> Result<Table, Error> {
        let small = ["population=16", "generations=2"];
        crate::target::reproduce("othello-gp/evolve", &[&small, set].concat(), options, hear)
    }

    fn text<'a>(line: &'a Line, name: &str) -> &'a Value {
        &line.names.iter().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn every_seed_has_the_columns_of_the_table() {
        let mut news = Vec::new();
        let table = reproduce(&[], options(2, 40), &mut |event| {
            if let ProgressEvent::News(text) = event {
                news.push(text.to_owned());
            }
        })
        .unwrap();
        assert_eq!((table.lines.len(), news.len()), (2 * 2 * 5, 4));
        for row in table.lines.chunks(5) {
            let [first, second, halves] = [0, 1, 2].map(|column| text(&row[column], "hypothesis").as_str().unwrap());
            assert_eq!(halves, format!("{first},50,{second},50"));
            let columns: Vec<_> = row.iter().map(|line| text(line, "column").as_str().unwrap()).collect();
            assert_eq!(columns, ["tree 1", "tree 2", "50|50", "single", "together"]);
            assert_eq!(row.iter().filter(|line| line.published.is_some()).count(), 3);
        }
        for line in &table.lines {
            let fitness = text(line, "fitness").as_f64().unwrap();
            let discs = text(line, "best_discs");
            let is_reached = discs.as_f64().map(|discs| discs <= fitness);
            assert_eq!(text(line, "is_reached").as_bool(), is_reached, "{line:?}");
            assert_eq!(line.score.unwrap().games(), 40);
        }
        let printed: Vec<f64> = table.lines.iter().filter_map(|line| line.published).collect();
        assert_eq!(printed[..3], [92.0, 98.0, 90.0]);
        assert_eq!(printed[9..], [88.0, 92.0, 100.0]);
        // The result does not depend on the pool.
        let alone = Options { pool: Pool::alone(), ..options(2, 40) };
        assert_eq!(reproduce(&[], alone, &mut |_| ()).unwrap(), table);
    }

    /// An evolved function is a valid player, and its games are those counted.
    #[test]
    fn what_was_bred_plays_the_games_that_are_counted() {
        let table = reproduce(&[], options(1, 12), &mut |_| ()).unwrap();
        for (column, line) in table.lines.iter().enumerate().take(5) {
            let names = ["random".to_owned(), format!("staged:{}", text(line, "hypothesis").as_str().unwrap())];
            let specs = names.map(|name| name.parse::<Spec>().unwrap());
            let mut players = specs.map(|spec| player::build::<Othello>(&spec).unwrap());
            let mut score = Score::default();
            for game in 0..12 {
                let seed = rng::derived(&[3, 3, 50, column as u64, game]);
                let mut game_state = GameState::new(Rules::default().position());
                while !game_state.is_over() {
                    let player = &mut *players[game_state.pos().side().index()];
                    game_state.play(player::choose(player, &Turn::current(&game_state, seed)).unwrap());
                }
                score = score.plus(Score::from_outcome(Outcome::from_margin(game_state.pos().margin(Side::North))));
            }
            assert_eq!(line.score, Some(score), "{line:?}");
        }
    }

    #[test]
    fn runs_in_a_folder_are_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let kept = || Options { out: Some(folder.path().to_owned()), ..options(1, 10) };
        let first = reproduce(&[], kept(), &mut |_| ()).unwrap();
        let rows = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(rows("othello-gp-50-tree1-seed3/run.toml").contains("stage:1"));
        assert!(folder.path().join("othello-gp-25-together-seed3/generations.csv").exists());
        let csv = rows("othello-gp-evolve.csv");
        assert!(
            csv.starts_with("target,fitness,seed,column,best_discs,best_generation,is_reached,nodes,hypothesis,games,")
        );
        assert_eq!((csv.lines().count(), rows("othello-gp-evolve.svg").contains("fitness 25, together")), (11, true));
        assert_eq!(reproduce(&[], kept(), &mut |_| ()).unwrap(), first);
        let other = reproduce(&["population=17"], kept(), &mut |_| ()).unwrap_err().to_string();
        assert!(other.contains("holds a run with other settings"));
    }

    #[test]
    fn settings_that_a_column_decides_are_refused() {
        for (set, part) in [
            ("training=together", "'training' is set by the column"),
            ("termination=3", "'termination' is set by the column"),
            ("population", "--set takes KEY=VALUE"),
            ("speed=1", "speed"),
        ] {
            let error = reproduce(&[set], options(1, 1), &mut |_| ()).unwrap_err().to_string();
            assert!(error.contains(part), "{set}: {error}");
        }
    }
}
