//! The genetic algorithm without H8, which the thesis proposes to modify or omit, and with all ten heuristics: the best weights of
//! runs with the same seed against each other, and of both against others. None of this is published.

use mancalab_base::Error;
use serde_json::json;

use super::readings::{HEURISTICS, Readings};
use super::run::{both_seats, match_score, play, tournament};
use crate::arena::{Score, View};
use crate::evolve::ga::{GenerationRow, Task as _};
use crate::evolve::kalah::weights::{WeightsRun, WeightsSettings, preset};
use crate::learning::Measure;
use crate::player::Spec;
use crate::settings::KeyedSettings as _;
use crate::target::{Advance, part};
use crate::typed_run::to_its_end;
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The compared runs: their name, and their setting `terms`.
const RUNS: [(&str, &str); 2] = [("all", "all"), ("without-h8", "-H8")];

/// The opponents of the best weights.
const OPPONENTS: [&str; 4] = ["random", "max", "minimax:4", "minimax:6"];

/// The matches by players' indices: the weights without H8 against all ten, then both against each opponent.
const MATCHES: [(usize, usize); 9] = [(1, 0), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4), (0, 5), (1, 5)];

const USUAL_SEEDS: u32 = 5;
/// The default number of games per match and seed.
const USUAL_GAMES: u32 = 400;

/// The runs of a seed.
struct Trial {
    seed: u64,
    /// The last generations of [`RUNS`].
    last: [GenerationRow; 2],
    /// A score for each of the [`MATCHES`].
    scores: Vec<Score>,
}

/// Why nothing is lost without H8.
const REDUNDANT: &str = "H8 is the sum of H4 and H6 (own store, less the other): with W4 = 1 the weights evaluate like those with W8 = 0, \
                         W6 replaced by (W6 + W8) / (1 + W8) and all others but W4 divided by 1 + W8, which are also from 0 to 1";

/// Runs and measures both settings on several seeds. The output folder, if there is one, holds the runs, and existing ones are
/// resumed.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let seeds: Vec<u64> = options.all_seeds(USUAL_SEEDS).collect();
    let mut trials = Vec::new();
    for (nth, &seed) in seeds.iter().enumerate() {
        let name = format!("seed {seed}, ");
        let trial = trial(options, seed, &mut part(hear, nth, seeds.len(), &name))?;
        hear(ProgressEvent::News(&trial.line()));
        trials.push(trial);
    }
    let settings = settings(options, options.seed, RUNS[0].1)?;
    Ok(to_table(&trials, &settings, options).with_ranges(
        "without-h8",
        "Kalah: the genetic algorithm with and without H8",
        "% of the points",
    ))
}

fn settings(options: &Options, seed: u64, terms: &str) -> Result<WeightsSettings, Error> {
    let mut settings = preset("kalah-thesis").ok_or("the preset kalah-thesis is missing")?;
    settings.seed = seed;
    settings.generations = options.generations.unwrap_or(settings.generations);
    settings.task.reading = HEURISTICS;
    options.change(&mut settings, &[])?;
    settings.set("terms", terms)?;
    settings.check()?;
    Ok(settings)
}

/// Runs both settings with a seed and measures their best weights.
fn trial(options: &Options, seed: u64, progress: Advance<'_>) -> Result<Trial, Error> {
    let mut players = Vec::new();
    let mut last = Vec::new();
    for (nth, (name, terms)) in RUNS.into_iter().enumerate() {
        let settings = settings(options, seed, terms)?;
        let folder = options.out.as_ref().map(|out| out.join(format!("{name}-seed{seed}")));
        let generations = settings.generations;
        let job = to_its_end::<WeightsRun>(settings, folder, &options.pool, &mut |run| {
            let ended = run.past().len() as u64;
            let share = 0.4 * (nth as f64 + ended as f64 / (generations + 1) as f64);
            progress(share, &format!("{name}, generation {}/{generations}", ended.saturating_sub(1)));
        })?;
        let row = job.run().past().last().cloned().ok_or("the run has no generation")?;
        players.push(job.run().settings().task.player(&row.best_genome, "").parse::<Spec>()?);
        last.push(row);
    }
    players.extend(Readings::default().players(OPPONENTS)?);
    let view = measure(players, seed, options, &mut |share| progress(0.8 + 0.2 * share, "matches"))?;
    let scores = MATCHES.iter().map(|&(one, other)| match_score(&view, one, other)).collect::<Option<_>>();
    let last = last.try_into().map_err(|_| "a run is missing")?;
    Ok(Trial { seed, last, scores: scores.ok_or("a match was not played")? })
}

/// Plays the matches of a seed, half of each from either seat.
fn measure(players: Vec<Spec>, seed: u64, options: &Options, progress: &mut dyn FnMut(f64)) -> Result<View, Error> {
    let games = options.games.unwrap_or(USUAL_GAMES);
    let cells = MATCHES.iter().flat_map(|&(one, other)| both_seats(one, other, games));
    let own = Options { seed, set: Vec::new(), out: None, ..options.clone() };
    let settings = tournament("without-h8", players, cells, &own)?;
    play(settings, &own, &mut |share, _| progress(share))
}

impl Trial {
    /// Formats the weights and fitness of both runs in one line.
    fn line(&self) -> String {
        let line = |((name, _), row): (&(&str, &str), &GenerationRow)| {
            let weights: Vec<String> = row.best_genome.iter().map(|weight| format!("{weight:.2}")).collect();
            format!("{name} {} ({:.1} %)", weights.join(" "), row.best)
        };
        let runs: Vec<String> = RUNS.iter().zip(&self.last).map(line).collect();
        format!("seed {}: {}", self.seed, runs.join("; "))
    }
}

/// Returns the scores of all seeds in a match.
fn scores(trials: &[Trial], number: usize) -> Vec<Score> {
    trials.iter().map(|trial| trial.scores[number]).collect()
}

fn to_table(trials: &[Trial], settings: &WeightsSettings, options: &Options) -> Table {
    let line = |(number, &(one, other)): (usize, &(usize, usize))| {
        let name = |player: usize| RUNS.get(player).map_or_else(|| OPPONENTS[player - RUNS.len()], |(name, _)| name);
        let names = vec![("player", json!(name(one))), ("opponent", json!(name(other)))];
        Measure::Points.line(format!("{} v {}", name(one), name(other)), None, &scores(trials, number), names)
    };
    let lines: Vec<Line> = MATCHES.iter().enumerate().map(line).collect();
    let games = options.games.unwrap_or(USUAL_GAMES);
    let mut reading = Readings { heuristic: settings.task.reading, opening: 2, ..Readings::default() }.lines();
    reading.extend([
        ("without-h8", "terms=-H8: W8 is 0 in every genome".to_owned()),
        ("runs", format!("{} seeds of {} generations each", trials.len(), settings.generations)),
        ("a match", format!("{games} games per seed, half from either seat; the interval is over the seeds")),
    ]);
    let mut notes = vec![verdict(trials), REDUNDANT.to_owned()];
    notes.extend(trials.iter().map(|trial| format!("  {}", trial.line())));
    Table { lines, reading, notes, ..Table::default() }
}

/// Answers whether omitting H8 costs strength, in a sentence.
fn verdict(trials: &[Trial]) -> String {
    let (mean, (low, high)) = Measure::Points.over_runs(&scores(trials, 0));
    let what = match () {
        () if high < 50.0 => "Omitting H8 costs strength",
        () if low > 50.0 => "Omitting H8 gains strength",
        () => "Omitting H8 makes no significant difference",
    };
    let against = |player: usize| {
        let own = MATCHES.iter().enumerate().filter(|(_, (one, other))| *one == player && *other >= RUNS.len());
        let sum = own.flat_map(|(number, _)| scores(trials, number)).fold(Score::default(), Score::plus);
        100.0 * sum.share()
    };
    format!(
        "{what}: the weights without it score {mean:.1} % of the points ({low:.1} to {high:.1}) against all ten, and {:.1} % \
         against the other players, where all ten score {:.1} %",
        against(1),
        against(0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::heuristic::terms::{Scene, TERMS};

    #[test]
    fn runs_without_h8_meet_runs_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { seeds: Some(2), generations: Some(1), games: Some(4), ..Options::default() };
        let reproduce = |options: &Options| {
            let small = ["population=4", "depth=1", "games=1"];
            crate::target::reproduce("kalah-thesis/without-h8", &small, options.clone(), &mut |_| ()).unwrap()
        };
        let memory = reproduce(&options);
        assert_eq!((memory.lines.len(), memory.lines[0].what.as_str()), (9, "without-h8 v all"));
        assert!(memory.lines.iter().all(|line| line.score.unwrap().games() == 8 && line.published.is_none()));
        assert!(memory.notes[0].starts_with("Omitting H8 ") && memory.notes.len() == 4, "{:?}", memory.notes);
        assert!(memory.notes[2].contains("without-h8 ") && memory.notes[2].contains(" 0.00 "), "{:?}", memory.notes);
        let stored = Options { out: Some(folder.path().to_owned()), ..options };
        assert_eq!((reproduce(&stored).lines, reproduce(&stored).lines), (memory.lines.clone(), memory.lines));
        assert!(folder.path().join("without-h8-seed2/run.toml").exists());
    }

    #[test]
    fn h8_is_the_sum_of_h4_and_h6() {
        for (own, other) in (0..=48).flat_map(|own| (0..=48 - own).map(move |other| (own, other))) {
            let mut scene = Scene::default();
            (scene.own.store, scene.other.store) = (own, other);
            let [h4, h6, h8] = [3, 5, 7].map(|term| (TERMS[term].halves)(&scene));
            assert_eq!(h8, h4 + h6, "{own} {other}");
        }
    }

    #[test]
    fn the_verdict_follows_the_matches() {
        let trial = |wins| Trial {
            seed: 1,
            last: Default::default(),
            scores: vec![Score { wins, draws: 0, losses: 100 - wins }; MATCHES.len()],
        };
        let said = |wins: [u32; 3]| verdict(&wins.map(trial));
        assert!(said([20, 21, 22]).starts_with("Omitting H8 costs strength: ") && said([80, 81, 82]).contains("gains"));
        assert!(said([30, 50, 72]).contains("no significant difference"));
    }
}
