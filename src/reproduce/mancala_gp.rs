//! "Using Genetic Programming to Play Mancala" (J. Ahlschwede): Figures 5 to 10.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::plot::{Plot, Series};
use super::{Heard, Line, Table};
use crate::crew::Crew;
use crate::document::Refusal;
use crate::evolve::gp::{GenerationRow, Genome, Outcome, Problem};
use crate::evolve::kalah::{KalahJob, KalahProblem, Settings};
use crate::evolve::kalah::{Opponent, OpponentKind};
use crate::files::write_atomic;
use crate::game::record::Record;
use crate::game::{Course, Game, Position, Tabletop, Variant, kalah::Kalah, notation};
use crate::job::Run as _;
use crate::plain;
use crate::player::{self, Spec, Turn};
use crate::program::kalah::printed;
use crate::program::kalah::{Program, random_program};
use crate::step::{Budget, Job as _, Status};

const SOURCE: &str = "Using Genetic Programming to Play Mancala";

/// Figure 5: the program moving first, moving second.
const FIGURE5: [(&str, [f64; 2], f64); 2] = [("figure5-1", [27.0, 25.0], 74.0), ("figure5-2", [41.0, 25.0], 80.0)];

/// Figure 10, whole stones: moving first, moving second.
const FIGURE10: [(&str, [f64; 2]); 3] =
    [("minimax:8", [39.0, 37.0]), ("first run's best", [25.0, 24.0]), ("second run's best", [23.0, 22.0])];

/// How the source is read in every target; the settings say what can be read otherwise.
fn reading(settings: &Settings) -> Vec<(&'static str, String)> {
    let opponents: Vec<String> = settings.opponents.iter().map(Opponent::to_string).collect();
    let capture = settings.rules().to_string();
    let (seat, choice) = (settings.reading.seat, settings.reading.choice);
    vec![
        (
            "rules",
            format!("{capture}; a lap sows the origin too; an empty side ends the game, each side keeps its own"),
        ),
        ("opponent", format!("{}; every bowl sown is one level, the first of the best moves", opponents.join(", "))),
        ("value_at", format!("{seat}; beyond the board it counts on around it")),
        ("choice", format!("{choice} (next: the number modulo 7, or the next bowl with stones)")),
        ("score", "stones in the own mancala at the end, gathered ones included".to_owned()),
    ]
}

/// How long it works before it tells how far it is.
const STEP: Duration = Duration::from_millis(100);

/// The programs' outcomes; `hear` is told how many are known.
fn evaluate(
    settings: &Settings,
    programs: Vec<Program>,
    crew: &Crew,
    hear: &mut dyn FnMut(usize),
) -> Result<Vec<Outcome>, Refusal> {
    let mut problem = KalahProblem::new(settings)?;
    let programs = programs.into_iter().map(|program| Arc::new(Genome::from(program)));
    let mut batch = problem.begin(programs.collect(), 0);
    while problem.advance(&mut batch, crew, Budget::time(STEP)) == Status::Running {
        hear(KalahProblem::evaluated(&batch));
    }
    Ok(KalahProblem::finish(batch))
}

fn both_printed() -> Vec<Program> {
    FIGURE5.iter().filter_map(|(name, ..)| printed(name)).collect()
}

/// Figure 5: the printed programs' scores and sizes. `settings` says how they are read and whom they play.
///
/// # Errors
/// The settings cannot be played with: a sentence.
pub fn figure5(settings: &Settings) -> Result<Table, Refusal> {
    let outcomes = evaluate(settings, both_printed(), &Crew::alone(), &mut |_| ())?;
    let mut lines = Vec::new();
    for ((name, scores, nodes), outcome) in FIGURE5.iter().zip(&outcomes) {
        for (who, (published, measured)) in ["first", "second"].iter().zip(scores.iter().zip(outcome.scores.iter())) {
            lines.push(Line::new(format!("{name} moving {who}"), Some(*published), *measured, "stones"));
        }
        let size = printed(name).map_or(0, |program| program.size());
        // The source gives the size of the second only.
        let published = (*name == "figure5-2").then_some(*nodes);
        lines.push(Line::new(format!("{name} size"), published, size as f64, "nodes"));
    }
    Ok(Table { target: "mancala-gp/figure5", source: SOURCE, lines, reading: reading(settings), ..Table::default() })
}

/// The games behind Figure 5, as game files.
///
/// # Errors
/// The first opponent is no player.
pub fn figure5_games(settings: &Settings) -> Result<Vec<String>, Refusal> {
    let opponent = settings.opponents.iter().find_map(|opponent| match &opponent.kind {
        OpponentKind::Player(spec) => Some(spec.clone()),
        OpponentKind::Programs(_) | OpponentKind::Champions(_) => None,
    });
    let opponent = opponent.ok_or("moves are shown against a player; name one, such as opponents=minimax:8")?;
    let mut games = Vec::new();
    for (name, ..) in FIGURE5 {
        let program: Spec = format!("program:{name}").parse()?;
        games.push(game(settings, [&program, &opponent]));
        games.push(game(settings, [&opponent, &program]));
    }
    Ok(games)
}

fn game(settings: &Settings, specs: [&Spec; 2]) -> String {
    let rules = settings.rules();
    let mut record = Record::new(Variant::Kalah(rules), specs.map(Spec::to_string), None);
    let mut players = specs.map(|spec| player::build::<Kalah>(spec).ok());
    let mut course = Course::new(Kalah::start(rules));
    while !course.is_over() {
        let (pos, ply) = (*course.pos(), course.plies());
        let side = pos.side();
        // Programs are read as the settings say, which the player of that name does not know.
        let mv = match specs[side.index()] {
            Spec::Program(named) => settings.reading.explain(&named.program, &pos).map(|told| told.played.into()),
            _ => players[side.index()].as_mut().and_then(|p| player::choose(&mut **p, &Turn::new(pos, ply, 0))),
        };
        let Some(mv) = mv else { break };
        record.play(mv);
        course.play(mv);
    }
    debug_assert_eq!(*record.position(), Position::Kalah(*course.pos()));
    notation::write(&record)
}

/// Figure 10: average scores of the 8-level minimax and of both printed programs against `count` random programs of `seed`.
///
/// # Errors
/// The settings cannot be played with: a sentence.
pub fn figure10(
    settings: &Settings,
    seed: u64,
    count: u32,
    crew: &Crew,
    hear: &mut dyn FnMut(Heard<'_>),
) -> Result<Table, Refusal> {
    let random: Vec<Program> = (0..u64::from(count)).map(|number| random_program(seed, number)).collect();
    // The two printed programs come last, and take about as long as so many of the others.
    let all = count as usize + FIGURE5.len();
    let mut hear = |known: usize| {
        hear(Heard::Progress {
            share: known as f64 / all as f64,
            at: format!("program {}/{all}", (known + 1).min(all)),
        });
    };
    let against_minimax = evaluate(settings, random, crew, &mut hear)?;
    let mean = |nth: usize| against_minimax.iter().map(|one| one.scores[nth]).sum::<f64>() / f64::from(count);
    let all = f64::from(2 * 6 * u32::from(settings.rules().seeds()));
    // Where the random program moved second, the minimax moved first.
    let mut measured = vec![[all - mean(1), all - mean(0)]];
    let mut random_settings = settings.clone();
    random_settings.tableau.seed = seed;
    random_settings.opponents = vec![Opponent { weight: 1.0, kind: OpponentKind::Programs(count) }];
    measured.extend(
        evaluate(&random_settings, both_printed(), crew, &mut |known| hear(count as usize + known))?
            .iter()
            .map(|outcome| [outcome.scores[0], outcome.scores[1]]),
    );
    let mut lines = Vec::new();
    let mut truncated_alike = 0;
    for ((name, published), measured) in FIGURE10.iter().zip(&measured) {
        for (who, (published, measured)) in ["first", "second"].iter().zip(published.iter().zip(measured)) {
            truncated_alike += u32::from(measured.trunc() == *published);
            lines.push(Line::new(format!("{name} moving {who}"), Some(*published), *measured, "stones"));
        }
    }
    let mut reading = reading(settings);
    reading.push((
        "random",
        "root a function; below it function or integer alike, functions alike; at most 16 deep".to_owned(),
    ));
    reading.push(("averages", "printed in whole stones, cut off".to_owned()));
    let notes = vec![format!(
        "Seed {seed}, {count} programs: {truncated_alike} of 6 averages agree when cut off to whole stones."
    )];
    Ok(Table { target: "mancala-gp/figure10", source: SOURCE, lines, reading, notes, ..Table::default() })
}

/// Figures 6 to 9: both runs. Writes `figure6.csv`, `figure6.svg` and so on, and the runs themselves, into `out`.
///
/// # Errors
/// A file cannot be written: which, and why.
pub fn figures6_9(seed: u64, crew: &Crew, out: &Path, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table, Refusal> {
    let mut runs: Vec<Vec<GenerationRow>> = Vec::new();
    const RUNS: [&str; 2] = ["mancala-gp-1", "mancala-gp-2"];
    for (before, preset) in RUNS.into_iter().enumerate() {
        let mut settings = Settings::preset(preset)?;
        settings.tableau.seed = seed;
        let mut job = begin_or_resume(&out.join(preset), settings, crew)?;
        hear(Heard::News(&format!("{preset}, seed {seed} …")));
        while job.step(Budget::time(STEP)) == Status::Running {
            let view = job.run().view();
            let share = view.history.len() as f64 / (view.of + 1) as f64;
            let at = format!("{preset}, generation {}/{}", view.generation.unwrap_or(0), view.of);
            hear(Heard::Progress { share: (before as f64 + share) / RUNS.len() as f64, at });
        }
        if let Some(error) = job.error() {
            return Err(error.into());
        }
        runs.push(job.run().history().iter().copied().collect());
    }
    let files = write_figures(&runs, out)?;
    let mut table = table_of(&runs, &Settings::preset("mancala-gp-2")?);
    table.notes.push(format!(
        "Seed {seed}. Written: {}",
        files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
    ));
    Ok(table)
}

fn sum(row: &GenerationRow) -> f64 {
    row.best_scores[0] + row.best_scores[1]
}

/// The generation that reached the run's best fitness first.
fn last_improvement(rows: &[GenerationRow]) -> f64 {
    let best = rows.last().map_or(0.0, |row| row.best);
    rows.iter().position(|row| row.best >= best).unwrap_or(0) as f64
}

fn table_of(runs: &[Vec<GenerationRow>], settings: &Settings) -> Table {
    let last = |run: usize, of: fn(&GenerationRow) -> f64| runs[run].last().map_or(0.0, of);
    let largest = |run: usize| runs[run].iter().map(|row| row.mean_nodes).fold(0.0, f64::max);
    let lines = vec![
        Line::new("first run, best sum", Some(52.0), last(0, sum), "stones"),
        Line::new("first run, last improvement", Some(14.0), last_improvement(&runs[0]), "generation"),
        Line::new("first run, largest mean size", None, largest(0), "nodes"),
        Line::new("second run, best sum", Some(66.0), last(1, sum), "stones"),
        Line::new("second run, last improvement", None, last_improvement(&runs[1]), "generation"),
        Line::new("second run, largest mean size", Some(100.0), largest(1), "nodes"),
    ];
    let notes = vec![
        "Published of the second run: it improved until past generation 100; its mean size never got much higher than 100.".to_owned(),
    ];
    let mut reading = reading(settings);
    reading.push((
        "second fitness",
        "100 × (first + second) − nodes, at least 1 (fitness=sum-times-rest is the other)".to_owned(),
    ));
    reading.push((
        "crossover",
        "one child: the first parent with any node's subtree replaced by any of the second's".to_owned(),
    ));
    reading.push(("mutation", "any node keeps its function, its arguments are grown anew".to_owned()));
    Table { target: "mancala-gp/figures6-9", source: SOURCE, lines, reading, notes, ..Table::default() }
}

fn write_figures(runs: &[Vec<GenerationRow>], out: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let series =
        |name: &str, run: usize, of: fn(&GenerationRow) -> f64| Series::new(name, runs[run].iter().map(of).collect());
    let fitness = |run| {
        vec![
            series("best", run, |row| row.best),
            series("mean", run, |row| row.mean),
            series("worst", run, |row| row.worst),
        ]
    };
    let size: fn(&GenerationRow) -> f64 = |row| row.mean_nodes;
    let figures = [
        (
            "figure6",
            "Best program's scores, moving first and second together",
            "stones",
            vec![series("first run", 0, sum), series("second run", 1, sum)],
        ),
        (
            "figure7",
            "Mean size of programs",
            "nodes",
            vec![series("first run", 0, size), series("second run", 1, size)],
        ),
        ("figure8", "Fitness in the first run", "points", fitness(0)),
        ("figure9", "Fitness in the second run", "points", fitness(1)),
    ];
    let mut files = Vec::new();
    for (name, title, unit, series) in figures {
        let csv = csv(unit, &series);
        let svg = Plot::new(title, "generation", unit, series).svg();
        for (ending, text) in [("csv", csv), ("svg", svg)] {
            let path = out.join(format!("{name}.{ending}"));
            write_atomic(&path, text.as_bytes())
                .map_err(|error| format!("cannot write {}: {why}", path.display(), why = plain::reason(&error)))?;
            files.push(path);
        }
    }
    Ok(files)
}

fn csv(unit: &str, series: &[Series]) -> String {
    let names: Vec<String> = series.iter().map(|series| format!("{}_{unit}", series.name.replace(' ', "_"))).collect();
    let mut text = format!("generation,{}\n", names.join(","));
    for generation in 0..series.iter().map(|series| series.values.len()).max().unwrap_or(0) {
        let values: Vec<String> =
            series.iter().map(|series| series.values.get(generation).map_or(String::new(), f64::to_string)).collect();
        text += &format!("{generation},{}\n", values.join(","));
    }
    text
}

/// A run in `folder`, or the one that was interrupted there.
fn begin_or_resume(folder: &Path, settings: Settings, crew: &Crew) -> Result<KalahJob, Refusal> {
    if folder.join("run.toml").exists() {
        let (job, _) = KalahJob::resume(folder, crew)?;
        if *job.run().settings() == settings {
            return Ok(job);
        }
        return Err(format!("{} holds a run with other settings; name another folder", folder.display()).into());
    }
    KalahJob::create(folder, settings, crew)
}
