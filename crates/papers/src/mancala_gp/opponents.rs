//! Programs bred against one opponent and against several, in games against opponents that they were not bred against: "it may be
//! necessary for the fitness function to include playing against a number of different opponents".

use mancalab_base::{Error, bail};

use super::breeding::{RunResult, breed};
use super::evaluate;
use crate::evolve::kalah::settings::PRESETS;
use crate::evolve::kalah::{Opponent, Settings};
use crate::fit::probability;
use crate::learning::{presets, students};
use crate::plot::{Plot, Series};
use crate::program::kalah::Program;
use crate::rng;
use crate::settings::{KeyedSettings as _, list_of};
use crate::statistics::MannWhitney;
use crate::{Hear, Line, Options, ProgressEvent, Table, csv, number};

const USUAL_SEEDS: u32 = 10;

/// A way to breed: (name, opponents, factor of the generations). The longer runs take about as much time as those against several.
type Arm = (&'static str, &'static [&'static str], u64);

const ARMS: [Arm; 3] = [
    ("one", &["minimax:8"], 1),
    ("one, 4 times the generations", &["minimax:8"], 4),
    ("several", &["minimax:2", "minimax:4", "minimax:8", "max", "programs:16"], 1),
];

/// The opponents that no arm is bred against, besides random programs.
const UNSEEN: [&str; 5] = ["minimax:3", "minimax:5", "minimax:6", "heuristic:2", "mcts:100"];

/// The default number of random programs, other than those of the runs.
const PROGRAMS: u32 = 1000;

/// The opponent of all arms.
const SEEN: &str = "minimax:8";

/// Purpose of the derived seed of the unseen random programs and of the opponents' random choices.
const MEASURED: u64 = 1 << 32;

/// The scores of all arms' programs against one opponent.
struct Scores {
    opponent: String,
    /// By arm and seed: seeds moving first and second.
    scores: Vec<Vec<[f64; 2]>>,
}

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let preset = presets(options, PRESETS, &["mancala-gp-broad"])?[0];
    if options.value("opponents").is_some() {
        bail!(
            "opponents cannot be set: the target compares {}",
            ARMS.map(|(_, opponents, _)| opponents.join(", ")).join("; ")
        );
    }
    let random = format!("programs:{}", options.programs.unwrap_or(PROGRAMS));
    random.parse::<Opponent>()?;
    let mut plan = Vec::new();
    for arm in &ARMS {
        for seed in options.all_seeds(USUAL_SEEDS) {
            plan.push(settings(options, preset, arm, seed)?);
        }
    }
    let bred = breed(&plan, &options.pool, &mut |bred, newest| {
        let at = format!("run {}/{}", newest + 1, plan.len());
        hear(ProgressEvent::Progress {
            share: 0.8 * bred.iter().flatten().count() as f64 / plan.len() as f64,
            item: at,
        });
    })?;
    let seeds = plan.len() / ARMS.len();
    let measured = measure(options, &plan[0], &bred, &random, hear)?;
    let mut reading = vec![("preset", format!("{preset}, with other opponents"))];
    reading.extend(ARMS.map(|(name, opponents, _)| (name, opponents.join(", "))));
    let tableau = &plan[0].tableau;
    let generations = tableau.generations;
    let population = tableau.population;
    reading.push((
        "budget",
        format!("{generations} generations of {population} programs, {seeds} seeds from {}", options.seed),
    ));
    reading.push(("program", "the best of the last generation".to_owned()));
    reading.push(("score", "stones a game of 48, the mean of moving first and second".to_owned()));
    reading.push(("interval", "Student's, over the seeds".to_owned()));
    let lines = lines(&measured);
    let notes = notes(&measured);
    let table = Table { lines, reading, notes, ..Table::default() };
    Ok(table.with_files("opponents", rows(options, &measured), plot(&measured).svg()))
}

/// Plots the stones a game by opponent, a mark for each arm.
fn plot(measured: &[Scores]) -> Plot {
    let series = |(arm, (name, ..)): (usize, &Arm)| {
        let points = measured.iter().map(|one| a_game(&one.scores[arm])).chain([unseen(measured, arm)]);
        let (values, intervals) =
            points.map(|stones| students(&stones)).map(|(mean, reach)| (mean, (mean - reach, mean + reach))).unzip();
        Series { intervals, ..Series::new(format!("bred against {name}"), values) }
    };
    // The number of random programs is in the table.
    let label =
        |one: &Scores| if one.opponent.starts_with("programs:") { "programs" } else { &one.opponent }.to_owned();
    let ticks = measured.iter().map(label).chain(["mean unseen".to_owned()]).collect();
    let title = "mancala-gp: programs bred against one opponent and several, by opponent";
    let opponent = format!("opponent ({SEEN} is that of \"one\", and not in the mean)");
    let series = ARMS.iter().enumerate().map(series).collect();
    Plot {
        ticks,
        is_categorical: true,
        ..Plot::new(title, &opponent, "stones a game of 48, mean and 95 % interval over seeds", series)
    }
}

fn settings(options: &Options, preset: &str, (_, opponents, factor): &Arm, seed: u64) -> Result<Settings, Error> {
    let mut settings = Settings::preset(preset)?;
    settings.tableau.seed = seed;
    settings.tableau.generations = options.generations.unwrap_or(settings.tableau.generations) * factor;
    settings.set("opponents", &list_of(*opponents))?;
    options.change(&mut settings, &["preset"])?;
    settings.tableau.check()?;
    Ok(settings)
}

/// Plays every run's best program against every opponent.
fn measure(
    options: &Options,
    like: &Settings,
    bred: &[RunResult],
    random: &str,
    hear: Hear<'_>,
) -> Result<Vec<Scores>, Error> {
    let programs: Vec<Program> = bred.iter().filter_map(|run| run.best.clone()).collect();
    let opponents: Vec<&str> = UNSEEN.into_iter().chain([random, SEEN]).collect();
    let mut settings = like.clone();
    settings.tableau.seed = rng::derived(&[options.seed, MEASURED]);
    let mut measured = Vec::new();
    for (nth, opponent) in opponents.iter().enumerate() {
        let share = 0.8 + 0.2 * nth as f64 / opponents.len() as f64;
        hear(ProgressEvent::Progress { share, item: format!("games against {opponent}") });
        settings.set("opponents", &list_of([opponent]))?;
        let outcomes = evaluate(&settings, programs.clone(), &options.pool, &mut |_| ())?;
        let scores: Vec<[f64; 2]> = outcomes.iter().map(|outcome| [outcome.scores[0], outcome.scores[1]]).collect();
        let scores = scores.chunks(bred.len() / ARMS.len()).map(<[_]>::to_vec).collect();
        measured.push(Scores { opponent: (*opponent).to_owned(), scores });
    }
    Ok(measured)
}

/// Returns each program's stones a game against one opponent.
fn a_game(scores: &[[f64; 2]]) -> Vec<f64> {
    scores.iter().map(|[first, second]| (first + second) / 2.0).collect()
}

/// Returns each program's stones a game, the mean over the unseen opponents.
fn unseen(measured: &[Scores], arm: usize) -> Vec<f64> {
    let all: Vec<Vec<f64>> =
        measured.iter().filter(|one| one.opponent != SEEN).map(|one| a_game(&one.scores[arm])).collect();
    let seeds = all.first().map_or(0, Vec::len);
    (0..seeds).map(|seed| all.iter().map(|stones| stones[seed]).sum::<f64>() / all.len() as f64).collect()
}

/// Returns the line of an arm's programs.
fn line(arm: usize, against: &str, stones: &[f64]) -> Line {
    let name = ARMS[arm].0;
    let (mean, reach) = students(stones);
    let line = Line::new(format!("{name}: v {against}"), None, mean, "stones");
    let line =
        line.named([("bred_against", name.into()), ("opponent", against.into()), ("seeds", stones.len().into())]);
    if stones.len() > 1 { line.within(mean - reach, mean + reach) } else { line }
}

fn lines(measured: &[Scores]) -> Vec<Line> {
    let mut lines = Vec::new();
    for arm in 0..ARMS.len() {
        for Scores { opponent, scores } in measured {
            let mean = |nth: usize| students(&scores[arm].iter().map(|one| one[nth]).collect::<Vec<_>>()).0;
            let seen = if opponent == SEEN { ", bred against" } else { "" };
            let remark = format!("first {}, second {}{seen}", number(mean(0)), number(mean(1)));
            lines.push(line(arm, opponent, &a_game(&scores[arm])).remarked(remark));
        }
        lines.push(line(arm, "unseen opponents", &unseen(measured, arm)).remarked("mean over the opponents"));
    }
    lines
}

/// Compares breeding against several opponents with each other way.
fn notes(measured: &[Scores]) -> Vec<String> {
    let last = ARMS.len() - 1;
    let several = unseen(measured, last);
    let compared = |arm: usize| {
        let one = unseen(measured, arm);
        let test = MannWhitney::test(&several, &one);
        format!(
            "Against unseen opponents, {} takes {} stones a game and {} takes {}; a run of the former is better than one of the latter in \
             {:.0} % of the pairs (Mann-Whitney {}).",
            ARMS[last].0,
            number(students(&several).0),
            ARMS[arm].0,
            number(students(&one).0),
            100.0 * test.greater,
            probability(test.chance)
        )
    };
    (0..last).map(compared).collect()
}

/// Formats a CSV row for each program and opponent.
fn rows(options: &Options, measured: &[Scores]) -> String {
    let mut text = csv::row(["bred_against", "seed", "opponent", "first_stones", "second_stones"]);
    for Scores { opponent, scores } in measured {
        for ((name, ..), scores) in ARMS.iter().zip(scores) {
            for (seed, [first, second]) in (options.seed..).zip(scores) {
                let fields = [seed.to_string(), opponent.clone(), first.to_string(), second.to_string()];
                text += &csv::row([(*name).to_owned()].into_iter().chain(fields));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn every_arm_meets_every_opponent() {
        let run = |pool: Pool, folder: &std::path::Path| {
            let options = Options {
                seeds: Some(2),
                generations: Some(1),
                programs: Some(3),
                out: Some(folder.to_owned()),
                pool,
                ..Options::default()
            };
            let table = crate::target::reproduce("mancala-gp/opponents", &["population=16"], options, &mut |_| ());
            (table.unwrap(), std::fs::read_to_string(folder.join("mancala-gp-opponents.csv")).unwrap())
        };
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (table, text) = run(Pool::alone(), folders[0].path());
        assert_eq!(table.lines.len(), ARMS.len() * (UNSEEN.len() + 3));
        let stones = |opponent: &str| {
            let rows = csv::parse(&text);
            let of = |row: &&Vec<String>| row[1] == "one" && row[3] == opponent;
            let score = |row: &Vec<String>| (row[4].parse::<f64>().unwrap() + row[5].parse::<f64>().unwrap()) / 2.0;
            rows.iter().filter(of).map(score).sum::<f64>() / 2.0
        };
        let line = |what: &str| table.lines.iter().find(|line| line.what == what).unwrap().measured.unwrap();
        let opponents = UNSEEN.into_iter().chain(["programs:3"]);
        assert_eq!(line("one: v minimax:3"), stones("minimax:3"));
        let mean = opponents.map(stones).sum::<f64>() / 6.0;
        assert!((line("one: v unseen opponents") - mean).abs() < 1e-9);
        let (other, other_text) = run(Pool::new(3), folders[1].path());
        assert_eq!((other.lines, other_text), (table.lines, text));
        let options = Options { programs: Some(1001), ..Options::default() };
        let error = crate::target::reproduce("mancala-gp/opponents", &[], options, &mut |_| panic!("it has begun"));
        assert!(error.unwrap_err().to_string().contains("programs takes a number from 1 to 1000"));
    }

    #[test]
    fn arms_differ_in_opponents_and_generations_alone() {
        let of = |arm: usize| settings(&Options::default(), "mancala-gp-broad", &ARMS[arm], 1).unwrap();
        let one = of(0);
        let long = of(1);
        let several = of(2);
        assert_eq!((one.tableau.generations, long.tableau.generations), (150, 600));
        assert_eq!(several.opponents.len(), 5);
        assert_eq!(Settings { opponents: one.opponents.clone(), ..several }, one);
    }
}
