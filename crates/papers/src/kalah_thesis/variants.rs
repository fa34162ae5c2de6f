//! Six players in the other games of pits, which the thesis leaves to the future: for each game weights are tuned and a network is
//! trained, and all players meet as in Table 1. None of this is published.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{iterations, mcts, mcts_reading};
use super::readings::{HEURISTICS, Readings};
use super::run::play;
use super::table1::{self, HEURISTIC, MCTS, NETWORK, PLAYERS};
use super::table3::{self, Outcome};
use crate::arena::{CellView, Settings, View};
use crate::evolve::ga::Task as _;
use crate::evolve::kalah::weights::{WeightsSettings, preset};
use crate::game::Variant;
use crate::job::Run as _;
use crate::player::{A3c, Spec};
use crate::settings::KeyedSettings as _;
use crate::target::{Advance, part};
use crate::train::{self, Training};
use crate::typed_run::to_its_end;
use crate::work::POPULATION;
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The games, in their default rules.
const GAMES: [&str; 5] = ["oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe"];

/// The default number of games of a cell.
const USUAL_GAMES: u32 = 100;

/// Generations of a training for each of the genetic algorithm after the first: both take about the same time.
const TRAINED: u64 = 10;

/// The share of a game's work that is done when its weights are tuned, and when its network is trained too.
const SHARES: [f64; 2] = [0.5, 0.85];

/// What the players of one game are made of, and their results.
struct GameResults {
    game: &'static str,
    weights: Spec,
    view: View,
}

/// Tunes, trains and plays in every game.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let names = table1::names(iterations(options)?);
    let mut all = Vec::new();
    for (nth, game) in GAMES.into_iter().enumerate() {
        let name = format!("{game}, ");
        let played = GameResults::new(game, options, &mut part(hear, nth, GAMES.len(), &name))?;
        hear(ProgressEvent::News(&played.line(&names)));
        all.push(played);
    }
    to_table(&all, &names, options)
}

/// Returns the settings of the genetic algorithm: those of `oware-weights` in another game.
fn tuning(game: Variant, options: &Options) -> Result<WeightsSettings, Error> {
    let mut settings = preset("oware-weights").ok_or("the preset oware-weights is missing")?;
    settings.seed = options.seed;
    settings.generations = options.generations.unwrap_or(settings.generations);
    if let Some(population) = options.value(POPULATION) {
        settings.set(POPULATION, population)?;
    }
    (settings.task.game, settings.task.reading) = (game, HEURISTICS);
    settings.check()?;
    Ok(settings)
}

/// Returns the settings of the training: those of `a3c-mixed` in another game.
fn training(game: Variant, generations: u64, options: &Options) -> Result<train::Settings, Error> {
    let mut settings = train::preset("a3c-mixed").ok_or("the preset a3c-mixed is missing")?;
    (settings.seed, settings.generations) = (options.seed, TRAINED * generations.saturating_sub(1));
    settings.decay = settings.generations.max(1);
    settings.variant = game;
    settings.panel.players.clear();
    settings.check()?;
    Ok(settings)
}

impl GameResults {
    fn new(game: &'static str, options: &Options, progress: Advance<'_>) -> Result<GameResults, Error> {
        let variant: Variant = game.parse()?;
        let out = options.out.as_deref();
        let settings = tuning(variant, options)?;
        let task = settings.task.clone();
        let generations = settings.generations;
        let folder = out.map(|out| out.join(format!("{game}-weights")));
        let tuned = table3::run(settings, Outcome::Highest, folder.as_deref(), &options.pool, &mut |run| {
            let ended = run.past().len() as u64;
            progress(SHARES[0] * ended as f64 / (generations + 1) as f64, "tuning weights");
        })?;
        let weights: Spec = task.player(&tuned.weights, "").parse()?;
        let settings = training(variant, generations, options)?;
        let last = settings.generations;
        let folder = out.map(|out| out.join(format!("{game}-network")));
        let trained = to_its_end::<Training>(settings, folder, &options.pool, &mut |run| {
            let ended = run.past().len() as f64 / (last + 1) as f64;
            progress(SHARES[0] + (SHARES[1] - SHARES[0]) * ended, "training a network");
        })?;
        let (_, network) = trained.run().product().ok_or("the training has no generation")?;
        let network = Spec::A3c(A3c::from_bytes(&format!("{game}.safetensors"), &network)?);
        let view = GameResults::meet(game, variant, &weights, network, options, &mut |share| {
            progress(SHARES[1] + (1.0 - SHARES[1]) * share, "games");
        })?;
        Ok(GameResults { game, weights, view })
    }

    /// Plays the table of a game.
    fn meet(
        game: &str,
        variant: Variant,
        weights: &Spec,
        network: Spec,
        options: &Options,
        progress: &mut dyn FnMut(f64),
    ) -> Result<View, Error> {
        let read = Readings::default();
        let mcts = mcts(iterations(options)?, options);
        let mut players = PLAYERS.map(str::to_owned);
        players[MCTS] = mcts;
        let mut players = read.players(players)?;
        (players[HEURISTIC], players[NETWORK]) = (weights.clone(), network);
        let games = options.games.unwrap_or(USUAL_GAMES);
        let settings = Settings {
            preset: format!("kalah-thesis-variants-{game}"),
            opening: read.opening.into(),
            ..Settings::round_robin(variant, players, games, options.seed)
        };
        settings.check()?;
        // In memory: the network has no file that a tournament in a folder could name.
        let options = Options { out: None, ..options.clone() };
        play(settings, &options, &mut |share, _| progress(share))
    }

    /// Formats the points of the players, the most first.
    fn line(&self, names: &[String; 6]) -> String {
        let points = |(player, name)| (100.0 * self.view.sample(player).share(), name);
        let mut points: Vec<(f64, &String)> = names.iter().enumerate().map(points).collect();
        crate::sort::sort_by(&mut points, |(one, _), (other, _)| other.total_cmp(one));
        let points: Vec<String> = points.iter().map(|(points, name)| format!("{name} {points:.1}")).collect();
        format!("{}: % of the points {}", self.game, points.join(", "))
    }

    fn cell(&self, played: &CellView, names: &[String; 6]) -> Line {
        let [one, other] = [played.cell.first, played.cell.second].map(|player| &names[player]);
        let line = Line::won(format!("{}: {one} v {other}", self.game), None, played.score);
        line.named([("game", json!(self.game)), ("first", json!(one)), ("second", json!(other))])
    }
}

fn to_table(all: &[GameResults], names: &[String; 6], options: &Options) -> Result<Table, Error> {
    let mut lines = Vec::new();
    let mut chart = vec!["% won by the row's player, which moves first".to_owned()];
    for played in all {
        chart.extend([String::new(), played.game.to_owned()]);
        let head: String = names.iter().map(|name| format!("{name:>13}")).collect();
        chart.push(format!("{:<12}{head}", ""));
        for (row, name) in names.iter().enumerate() {
            let won = |second| 100.0 * played.view.cell(row, second).expect("every pair is played").score.won();
            let cells: String = (0..names.len()).map(|second| format!("{:>13.1}", won(second))).collect();
            chart.push(format!("{name:<12}{cells}"));
        }
        lines.extend(played.view.cells.iter().map(|cell| played.cell(cell, names)));
    }
    let read = Readings::default();
    let mut reading = read.lines();
    reading.retain(|(topic, _)| *topic != "rules");
    let games = options.games.unwrap_or(USUAL_GAMES);
    let first = &all.first().ok_or("there is no game")?.view;
    reading.extend([
        ("games", GAMES.join(", ") + "; the default rules of each"),
        ("a cell", format!("{games} games, the row's player moving first; seed {}", options.seed)),
        read.max_line(),
        ("mcts", mcts_reading(&first.players[MCTS], options)),
        (
            "heuristic:4",
            "weights tuned by the preset oware-weights in each game, the best of all generations; H7 has none"
                .to_owned(),
        ),
        (
            "a3c",
            format!("trained by the preset a3c-mixed in each game, {TRAINED} generations for each of the weights' after the first"),
        ),
    ]);
    let tuned = |played: &GameResults| format!("{}: {}", played.game, played.weights);
    let notes = all.iter().map(|played| played.line(names)).chain(all.iter().map(tuned)).collect();
    let table = Table { chart, lines, reading, notes, ..Table::default() };
    Ok(table.with_ranges("variants", "Table 1 of the Kalah thesis in other games", "% of games won, moving first"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn six_players_meet_in_every_game() {
        let folder = tempfile::tempdir().unwrap();
        let options =
            Options { games: Some(1), generations: Some(0), out: Some(folder.path().to_owned()), ..Options::default() };
        let play = || {
            reproduce("kalah-thesis/variants", &["iterations=10", "population=4"], options.clone(), &mut |_| ())
                .unwrap()
        };
        let table = play();
        assert_eq!((table.lines.len(), table.chart.len(), table.notes.len()), (5 * 36, 1 + 5 * 9, 11));
        assert_eq!(table.lines[0].what, "oware: random v random");
        assert!(table.notes[5].starts_with("oware: heuristic:4@") && table.notes[5].contains("near=indicator"));
        // The runs are kept in the folder, and read again.
        assert!(folder.path().join("erherhe-network/network.safetensors").exists());
        assert_eq!(play().lines, table.lines);
        // In memory a game is the same.
        let set = ["iterations=10", "population=4"].map(|text| text.split_once('=').unwrap());
        let set = set.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        let alone = GameResults::new("awari", &Options { out: None, set, ..options.clone() }, &mut |_, _| ()).unwrap();
        let won: Vec<Option<f64>> = alone.view.cells.iter().map(|cell| Some(100.0 * cell.score.won())).collect();
        assert_eq!(won, table.lines[36..72].iter().map(|line| line.measured).collect::<Vec<_>>());
    }
}
