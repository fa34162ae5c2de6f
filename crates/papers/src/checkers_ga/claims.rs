//! Claims of the source that need a comparison: runs with its settings beside runs that differ in one of them, the best of whose last
//! generations play the same games.

use mancalab_base::Error;
use serde_json::json;
use std::path::Path;

use super::learning::{measured, play};
use super::learnt::Opponent;
use super::{reading, settings};
use crate::arena::Score;
use crate::evolve::checkers::{CheckersRun, CheckersSettings, Games};
use crate::evolve::ga::Genome;
use crate::fit::Welch;
use crate::learning::Measure;
use crate::ranges::{ranges, rows};
use crate::settings::KeyedSettings as _;
use crate::typed_run::to_its_end;
use crate::{Hear, Line, Options, ProgressEvent, Table};

const PRESET: &str = "checkers-ga";
const USUAL_SEEDS: u32 = 10;
const USUAL_GAMES: u32 = 200;
const USUAL_GENERATIONS: u64 = 30;

/// The runs: the source's, and changes of a setting.
const VARIANTS: [(&str, Option<(&str, &str)>); 4] = [
    ("the source's", None),
    ("start=random", Some(("start", "random"))),
    ("mutation=gaussian", Some(("mutation", "gaussian"))),
    ("mutation=uniform", Some(("mutation", "uniform"))),
];

/// The opponent whose games are compared: against ones nearly all runs end near 100 %.
const COMPARED: Opponent = Opponent::Pieces;
/// A loss that counts as none, in points.
const MARGIN: f64 = 10.0;
const COUNTED: Measure = Measure::Points;

/// The scores of a variant against each of [`Opponent::ALONE`], one per seed.
type Scores = [Vec<Score>; 2];

/// Runs all variants with the same seeds, and measures them.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let generations = options.generations.unwrap_or(USUAL_GENERATIONS);
    let games = options.games.unwrap_or(USUAL_GAMES);
    let rules = measured(options, &[PRESET])?;
    let mut plan = Vec::new();
    for (variant, change) in VARIANTS {
        for seed in options.all_seeds(USUAL_SEEDS) {
            let mut settings = settings(options, PRESET, seed, generations)?;
            if let Some((key, value)) = change {
                settings.set(key, value)?;
            }
            plan.push((variant, settings));
        }
    }
    let count = plan.len();
    let mut all: Vec<Scores> = VARIANTS.iter().map(|_| Scores::default()).collect();
    let seeds = count / VARIANTS.len();
    for (at, (variant, settings)) in plan.iter().enumerate() {
        let mut progress = |share: f64| {
            let text = format!("{variant}, seed {}", settings.seed);
            hear(ProgressEvent::Progress { share: (at as f64 + share) / count as f64, item: text });
        };
        let best = best(variant, settings, options, &mut progress)?;
        let rules = Games { depth: settings.task.depth, ..rules.clone() };
        for (opponent, scores) in Opponent::ALONE.iter().zip(&mut all[at / seeds]) {
            let other: Genome = opponent.genome().into();
            scores.push(play(&rules, [&best, &other], games, options, &mut |_| ()));
        }
    }
    let mut lines: Vec<Line> =
        VARIANTS.iter().zip(&all).flat_map(|((variant, _), scores)| lines(variant, scores)).collect();
    let svg = ranges("Checkers: other starts and mutations", "% of the points", 100.0, &rows(&lines));
    lines.extend(comparisons(&all));
    let mut reading = reading(&settings(options, PRESET, options.seed, generations)?);
    reading.extend([
        ("runs", format!("{seeds} seeds of each; {games} games of the last best against each opponent")),
        ("compared", format!("points against {}, Welch's test over the runs", COMPARED.name(""))),
    ]);
    Ok(Table { lines, reading, ..Table::default() }.with_chart("claims", svg))
}

/// Creates a run or resumes it; returns the best of its last generation.
fn best(
    variant: &str,
    settings: &CheckersSettings,
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Result<Genome, Error> {
    let name = format!("{}-seed{}", variant.replace(['=', ' ', '\''], "-"), settings.seed);
    let folder = options.out.as_deref().map(|out: &Path| out.join("checkers-ga-claims").join(name));
    let last = settings.generations;
    let job = to_its_end::<CheckersRun>(settings.clone(), folder, &options.pool, &mut |run| {
        progress(run.past().len() as f64 / (last + 1) as f64);
    })?;
    let best = job.run().past().last().map(|past| past.best_genome.clone());
    best.ok_or_else(|| "the run has no generation".into())
}

fn names(variant: &str, what: &str) -> Vec<(&'static str, serde_json::Value)> {
    vec![("variant", json!(variant)), ("what", json!(what))]
}

fn lines(variant: &str, scores: &Scores) -> Vec<Line> {
    let line = |(opponent, scores): (&Opponent, &Vec<Score>)| {
        let name = opponent.name("");
        COUNTED.line(format!("{variant}, against {name}"), None, scores, names(variant, name))
    };
    Opponent::ALONE.iter().zip(scores).map(line).collect()
}

/// Compares the source's runs with the others, each with a verdict by a rule.
fn comparisons(all: &[Scores]) -> Vec<Line> {
    let percents = |variant: usize| -> Vec<f64> {
        all[variant][COMPARED as usize].iter().map(|score| COUNTED.percent(*score)).collect()
    };
    let line = |variant: usize| {
        let (name, _) = VARIANTS[variant];
        let tested = Welch::test(&percents(0), &percents(variant));
        let is_start = name.starts_with("start");
        let (what, rule) = match is_start {
            true => (
                "starting from ones does not hinder learning".to_owned(),
                format!("yes if the interval of ones less random is above -{MARGIN} points, no if it is below 0"),
            ),
            false => (
                format!("mutation in proportion works better than {name}"),
                "yes if the interval of the difference is above 0, no if it is below".to_owned(),
            ),
        };
        let least = if is_start { -MARGIN } else { 0.0 };
        Line::tested(what, "points", tested, least, rule).named(names(name, "difference"))
    };
    (1..VARIANTS.len()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn all_variants_play_the_same_games() {
        let options = Options { seeds: Some(2), games: Some(4), generations: Some(3), ..Options::default() };
        let small = ["depth=1", "population=4", "limit=20", "mutation_rate=0.5"];
        let table = reproduce("checkers-ga/claims", &small, options.clone(), &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 4 * 2 + 3);
        assert!(table.lines[..8].iter().all(|line| line.score.unwrap().games() == 8));
        let folder = tempfile::tempdir().unwrap();
        let stored = Options { out: Some(folder.path().to_owned()), ..options };
        assert_eq!(reproduce("checkers-ga/claims", &small, stored, &mut |_| ()).unwrap().lines, table.lines);
        let run =
            std::fs::read_to_string(folder.path().join("checkers-ga-claims/start-random-seed2/run.toml")).unwrap();
        assert!(run.contains("start = \"random\""), "{run}");
    }

    #[test]
    fn verdicts_follow_the_intervals() {
        let scores = |wins: [u32; 3]| wins.map(|wins| Score { wins, draws: 0, losses: 100 - wins }).to_vec();
        let told = |own: [u32; 3], other: [u32; 3]| {
            let all: Vec<Scores> = [own, other, other, other].map(|wins| [scores(wins), scores(wins)]).into();
            let verdict = |line: &Line| line.remark.as_ref().unwrap().split(';').next().unwrap().to_owned();
            comparisons(&all).iter().map(verdict).collect::<Vec<_>>()
        };
        assert_eq!(told([50, 51, 52], [20, 21, 22]), ["yes", "yes", "yes"]);
        assert_eq!(told([20, 21, 22], [50, 51, 52]), ["no", "no", "no"]);
        assert_eq!(told([49, 51, 50], [50, 51, 49]), ["yes", "open", "open"]);
        assert_eq!(told([20, 50, 80], [30, 50, 60]), ["open", "open", "open"]);
    }
}
