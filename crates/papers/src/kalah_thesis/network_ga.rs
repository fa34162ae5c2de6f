//! A genetic algorithm over all weights of a network, which the thesis proposes at its end, against the actor-critic: networks of the
//! same size that play the same opponents, measured after the same numbers of games. None of this is published.

use mancalab_base::{Error, bail};
use serde_json::json;

use super::a3c::learners::{Learner, LearningRun, learners};
use super::a3c::points;
use super::readings::Readings;
use super::run::{both_seats, match_score, play, tournament};
use crate::arena::Score;
use crate::evolve::ga::Task as _;
use crate::evolve::kalah::network::{NetworkRun, NetworkSettings, NetworkWeights, games_until};
use crate::game::Variant;
use crate::job::RunSettings;
use crate::learning::{self, Measure, Measurement, by_point};
use crate::player::{A3c, Spec};
use crate::plot::{Plot, Series};
use crate::settings::KeyedSettings;
use crate::target::{Advance, part};
use crate::train::{self, Training};
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The accepted settings: the points, and settings of both runs.
pub(super) const KEYS: [&str; 5] = ["after", "hidden", "encoding", "opponents", "opening"];

/// The preset of the genetic algorithm, and that of the actor-critic.
const PRESETS: [&str; 2] = ["kalah-network", "a3c-mixed"];
/// What they are.
const METHODS: [&str; 2] = ["genetic algorithm", "actor-critic"];

/// The opponents of the measurement, from easy to hard.
const OPPONENTS: [&str; 3] = ["random", "max", "minimax:4"];

const COUNTED: Measure = Measure::Points;
const USUAL_SEEDS: u32 = 3;
/// The default number of games per opponent and network.
const USUAL_GAMES: u32 = 200;
/// The default numbers of games after which networks are measured.
const USUAL_POINTS: [u64; 4] = [10_000, 20_000, 40_000, 80_000];

/// A run with its measurements against the [`OPPONENTS`], by their indices.
type Trial = learning::Trial<usize, ()>;

/// Runs and measures both methods on several seeds.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let points = points(options, &USUAL_POINTS)?;
    let count = 2 * options.seeds.unwrap_or(USUAL_SEEDS) as usize;
    let mut trials: Vec<Trial> = Vec::new();
    for seed in options.all_seeds(USUAL_SEEDS) {
        let (bred, trained) = settings(options, seed, &points)?;
        let name = format!("seed {seed}, ");
        let mut progress = part(hear, trials.len(), count, &name);
        let bred = trial::<NetworkRun>(PRESETS[0], seed, bred, &points, options, &mut progress)?;
        let trained = trial::<Training>(PRESETS[1], seed, trained, &points, options, &mut |share, at| {
            progress(1.0 + share, at);
        })?;
        drop(progress);
        [&bred, &trained].into_iter().for_each(|trial| hear(ProgressEvent::News(&trial.line())));
        trials.extend([bred, trained]);
    }
    let (bred, trained) = settings(options, options.seed, &points)?;
    let mut table = to_table(&trials);
    table.reading = reading(&bred, &trained, options);
    let name = |opponent: &usize| vec![OPPONENTS[*opponent].to_owned()];
    let csv = learning::rows(&["games_trained", "opponent"], COUNTED, &trials, name);
    Ok(table.with_files("network-ga", csv, plot(&trials).svg()))
}

/// Returns the settings of both runs: those of the presets, with the same network, opponents and openings.
fn settings(options: &Options, seed: u64, points: &[u64]) -> Result<(NetworkSettings, train::Settings), Error> {
    let mut bred = NetworkWeights::settings();
    let mut trained = train::preset(PRESETS[1]).ok_or("the preset a3c-mixed is missing")?;
    (bred.seed, trained.seed) = (seed, seed);
    options.change(&mut bred, &["after"])?;
    let last = points.last().copied().unwrap_or(0);
    bred.generations = last.div_ceil(games_until(&bred, 0)).saturating_sub(1);
    for (key, _, value) in bred.list().iter().filter(|(key, ..)| KEYS.contains(key)) {
        trained.set(key, value)?;
    }
    trained.panel.players.clear();
    trained.check()?;
    if trained.variant != Variant::Kalah(Default::default()) {
        bail!("{} learns {}; the thesis' games are Kalah 6x4", PRESETS[1], trained.variant);
    }
    Ok((bred, trained))
}

/// Computes a run, and measures its networks.
fn trial<R: LearningRun>(
    preset: &'static str,
    seed: u64,
    settings: impl Into<Box<dyn RunSettings>>,
    points: &[u64],
    options: &Options,
    progress: Advance<'_>,
) -> Result<Trial, Error> {
    let (learners, _) = learners::<R>(settings, points, options, &mut |share, at| {
        progress(0.5 * share, &format!("{preset}, {at}"));
    })?;
    let mut trial = Trial { preset, seed, rows: Vec::new(), run: () };
    let count = learners.len();
    for (nth, learner) in learners.iter().enumerate() {
        let scores = measure(learner, options, &mut |share| {
            let share = 0.5 + 0.5 * (nth as f64 + share) / count as f64;
            progress(share, &format!("{preset} measured after {} games", learner.after));
        })?;
        let row = |(opponent, score)| Measurement { point: learner.after, opponent, score };
        trial.rows.extend(scores.into_iter().enumerate().map(row));
    }
    Ok(trial)
}

/// Plays a network against the opponents, half of the games from either seat. The openings follow from the first seed alone, so all
/// networks are measured by the same ones.
fn measure(learner: &Learner, options: &Options, progress: &mut dyn FnMut(f64)) -> Result<Vec<Score>, Error> {
    let mut players = vec![Spec::A3c(A3c::from_bytes(&learner.name, &learner.bytes)?.greedy())];
    players.extend(Readings::default().players(OPPONENTS)?);
    let games = options.games.unwrap_or(USUAL_GAMES);
    let cells = (1..players.len()).flat_map(|other| both_seats(0, other, games));
    let own = Options { set: Vec::new(), out: None, ..options.clone() };
    let settings = tournament("network-ga", players.clone(), cells, &own)?;
    let view = play(settings, &own, &mut |share, _| progress(share))?;
    let scores = (1..players.len()).map(|other| match_score(&view, 0, other)).collect::<Option<_>>();
    scores.ok_or_else(|| "a match was not played".into())
}

impl Trial {
    /// Formats the run in one line.
    fn line(&self) -> String {
        let against = |(opponent, name): (usize, &&str)| format!("v {name}: {}", self.percents(COUNTED, &opponent));
        let all: Vec<String> = OPPONENTS.iter().enumerate().map(against).collect();
        format!("{}, seed {}; % of the points {}", self.preset, self.seed, all.join("; "))
    }
}

/// Returns the scores of all runs of a preset against all opponents together, point by point.
fn of_all(trials: &[Trial], preset: &str) -> Vec<(u64, Vec<Score>)> {
    let each: Vec<_> = (0..OPPONENTS.len()).map(|opponent| by_point(trials, preset, &opponent)).collect();
    let sum =
        |point: usize, run: usize| each.iter().map(|points| points[point].1[run]).fold(Score::default(), Score::plus);
    let points = each[0].iter().enumerate();
    points.map(|(point, (at, scores))| (*at, (0..scores.len()).map(|run| sum(point, run)).collect())).collect()
}

fn to_table(trials: &[Trial]) -> Table {
    let mut lines = Vec::new();
    let mut chart = Vec::new();
    for (preset, method) in PRESETS.iter().zip(METHODS) {
        let all: Vec<_> = (0..OPPONENTS.len()).map(|opponent| by_point(trials, preset, &opponent)).collect();
        for (opponent, points) in OPPONENTS.iter().zip(&all) {
            lines.extend(points.iter().map(|(after, scores)| line(preset, *after, opponent, scores)));
        }
        let row = |name: &str, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>12}")).collect();
            format!("{name:<14}{cells}")
        };
        chart.push(format!("{method} ({preset}): % of the points"));
        chart.push(row("after games", OPPONENTS.map(str::to_owned).to_vec()));
        for (point, (after, _)) in all[0].iter().enumerate() {
            let mean = |points: &Vec<(u64, Vec<Score>)>| format!("{:.1}", COUNTED.over_runs(&points[point].1).0);
            chart.push(row(&after.to_string(), all.iter().map(mean).collect()));
        }
        chart.push(String::new());
    }
    Table { lines, chart, notes: vec![verdict(trials)], ..Table::default() }
}

fn line(preset: &str, after: u64, opponent: &str, scores: &[Score]) -> Line {
    let names = vec![
        ("preset", json!(preset)),
        ("games_trained", json!(after)),
        ("opponent", json!(opponent)),
        ("runs", json!(scores.len())),
    ];
    COUNTED.line(format!("{preset}, after {after} games, v {opponent}"), None, scores, names)
}

fn reading(bred: &NetworkSettings, trained: &train::Settings, options: &Options) -> Vec<(&'static str, String)> {
    let mut reading = Readings::default().lines();
    reading.push(Readings::default().max_line());
    reading.extend([
        ("games", "all games that a run plays: those of every genome's fitness, those of every worker".to_owned()),
        ("after", "the end of the first generation with at least this many games played".to_owned()),
        (
            "a figure",
            format!(
                "{} games of each run's network against the opponent, half from either seat, at its most likely move; for several \
                 runs the mean, with an interval over the runs",
                options.games.unwrap_or(USUAL_GAMES)
            ),
        ),
    ]);
    for (preset, list) in [("genetic algorithm", bred.list()), ("actor-critic", trained.list())] {
        let settings = list.iter().filter(|(key, ..)| !key.starts_with("panel"));
        let settings: Vec<String> = settings.map(|(key, _, value)| format!("{key}={value}")).collect();
        reading.push((preset, settings.join(" ")));
    }
    reading
}

/// Answers which method learns more per game, in a sentence.
fn verdict(trials: &[Trial]) -> String {
    let [bred, trained] = PRESETS.map(|preset| of_all(trials, preset));
    let (Some((after, last)), Some((_, other))) = (bred.last(), trained.last()) else {
        return "No network was measured".to_owned();
    };
    let [(one, (low, high)), (two, (least, most))] = [last, other].map(|scores| COUNTED.over_runs(scores));
    let what = match () {
        () if least > high => "The actor-critic learns more per game",
        () if low > most => "The genetic algorithm learns more per game",
        () => "Neither method learns significantly more per game",
    };
    let first = trained.first().map_or(0.0, |(_, scores)| COUNTED.over_runs(scores).0);
    let reached = bred.iter().find(|(_, scores)| COUNTED.over_runs(scores).0 >= first);
    let reached = reached.map_or_else(|| "at no point".to_owned(), |(at, _)| format!("after {at} games"));
    format!(
        "{what}: after {after} games the networks of the genetic algorithm score {one:.1} % ({low:.1} to {high:.1}) of the points \
         against {}, those of the actor-critic {two:.1} % ({least:.1} to {most:.1}); the score of the actor-critic after {} games, \
         {first:.1} %, is reached by the genetic algorithm {reached}",
        OPPONENTS.join(", "),
        trained.first().map_or(0, |(at, _)| *at)
    )
}

/// Plots the curves of both methods against each opponent.
fn plot(trials: &[Trial]) -> Plot {
    let curves = PRESETS.iter().zip(METHODS).flat_map(|(preset, method)| {
        let name = move |opponent: usize| format!("{method} v {}", OPPONENTS[opponent]);
        (0..OPPONENTS.len()).map(move |opponent| COUNTED.series(name(opponent), &by_point(trials, preset, &opponent)))
    });
    let series: Vec<Series> = curves.collect();
    let ticks = by_point(trials, PRESETS[0], &0).iter().map(|(after, _)| after.to_string()).collect();
    let plot = Plot::new("Kalah: genetic algorithm and actor-critic", "games of training", "% of the points", series);
    Plot { ticks, top: Some(100.0), ..plot }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_methods_are_measured_after_the_same_numbers_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { seeds: Some(2), games: Some(2), ..Options::default() };
        let reproduce = |options: &Options| {
            let small = ["hidden=2", "opponents=random,max", "after=500+1000"];
            crate::target::reproduce("kalah-thesis/network-ga", &small, options.clone(), &mut |_| ()).unwrap()
        };
        let memory = reproduce(&options);
        assert_eq!((memory.lines.len(), memory.chart.len()), (2 * 2 * 3, 2 * 5));
        assert!(memory.lines.iter().all(|line| line.score.unwrap().games() == 4), "{:?}", memory.lines);
        assert!(
            memory.notes[0].contains("after 1000 games the networks of the genetic algorithm"),
            "{:?}",
            memory.notes
        );
        let setting = |name: &str| memory.reading.iter().find(|(what, _)| *what == name).unwrap().1.clone();
        let [bred, trained] = METHODS.map(setting);
        assert!(bred.contains(" games=20 ") && trained.contains(" hidden=2 "), "{bred}\n{trained}");
        let opponents = |text: &str| text.split(' ').find(|word| word.starts_with("opponents=")).map(str::to_owned);
        assert_eq!(opponents(&bred), opponents(&trained));
        let stored = Options { out: Some(folder.path().to_owned()), ..options };
        assert_eq!((reproduce(&stored).lines, reproduce(&stored).lines), (memory.lines.clone(), memory.lines));
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(read("kalah-thesis-network-ga.svg").contains("genetic algorithm v minimax:4"));
        assert_eq!(read("kalah-thesis-network-ga.csv").lines().count(), 1 + 2 * 2 * 2 * 3);
        assert!(folder.path().join("kalah-network-seed2-after1000.safetensors").exists());
    }

    #[test]
    fn the_verdict_follows_the_last_point() {
        let trial = |preset, wins: [u32; 2]| {
            let row = |(at, wins): (u64, u32), opponent| Measurement {
                point: at,
                opponent,
                score: Score { wins, draws: 0, losses: 100 - wins },
            };
            let points = [(10, wins[0]), (20, wins[1])];
            let rows = points.into_iter().flat_map(|point| (0..OPPONENTS.len()).map(move |one| row(point, one)));
            Trial { preset, seed: 1, rows: rows.collect(), run: () }
        };
        let said = |bred, trained| verdict(&[trial(PRESETS[0], bred), trial(PRESETS[1], trained)]);
        let ahead = said([10, 30], [20, 90]);
        assert!(ahead.starts_with("The actor-critic learns more per game: after 20 games"), "{ahead}");
        assert!(
            ahead.ends_with("after 10 games, 20.0 %, is reached by the genetic algorithm after 20 games"),
            "{ahead}"
        );
        assert!(said([60, 90], [70, 40]).starts_with("The genetic algorithm learns more"));
        assert!(said([10, 50], [70, 51]).starts_with("Neither") && said([10, 50], [70, 51]).contains("at no point"));
    }
}
