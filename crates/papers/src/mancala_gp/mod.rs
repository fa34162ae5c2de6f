//! "Using Genetic Programming to Play Mancala" (J. Ahlschwede): Figures 5 to 10.

mod breeding;
pub(crate) mod claims;
mod curves;
mod functions;
mod opponents;
mod trials;

use super::work::{Part, Work};
use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use super::{Hear, Line, Options, ProgressEvent, Table, Target};
use crate::budget::{Budget, Status};
use crate::evolve::gp::{Genome, Outcome, Problem};
use crate::evolve::kalah::{KalahProblem, Opponent, OpponentKind, Settings};
use crate::game::record::Record;
use crate::game::{BoardGame, Game, GameState, Move, Variant, kalah::Kalah, notation};
use crate::player::{self, Spec, Turn};
use crate::pool::Pool;
use crate::program::kalah::{Program, printed, random_program};
use crate::settings::KeyedSettings as _;

pub(super) const SOURCE: &str = "Using Genetic Programming to Play Mancala";
const READINGS: &[&str] = &["capture", "value_at", "choice", "opponents"];

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "mancala-gp/figure5",
        about: "the scores of the two printed programs against the 8-level minimax",
        takes: &["--moves", "--set"],
        readings: READINGS,
        work: Work::fixed(1),
        run: figure5,
    },
    Target {
        name: "mancala-gp/figure10",
        about: "average scores against 1,000 random programs",
        takes: &["--programs", "--seed", "--set"],
        readings: READINGS,
        work: Work::new(1, &[(Part::Programs, 1000, 50)]),
        run: figure10,
    },
    Target {
        name: "mancala-gp/figures6-9",
        about: "both runs: CSV files and SVG plots; and what each way to draw the points of crossover gives over 20 seeds",
        takes: &["--seed", "--seeds", "--generations", "--set", "--out"],
        readings: &["points"],
        work: Work::new(466, &[(Part::Seeds, 20, 1), (Part::Generations, 150, 5)]),
        run: curves::figures6_9,
    },
    Target {
        name: "mancala-gp/without-if",
        about: "both runs with and without the function IF, over 20 seeds",
        takes: &["--seed", "--seeds", "--generations", "--out", "--set"],
        readings: &[],
        work: Work::new(78, &[(Part::Seeds, 20, 2), (Part::Generations, 150, 5)]),
        run: functions::without_if,
    },
    Target {
        name: "mancala-gp/opponents",
        about: "programs bred against one opponent and against several, in games against unseen opponents",
        takes: &["--seed", "--seeds", "--generations", "--programs", "--out", "--set"],
        readings: &[],
        work: Work::new(89, &[(Part::Seeds, 10, 1), (Part::Generations, 150, 4), (Part::Programs, 1000, 50)]),
        run: opponents::reproduce,
    },
    Target {
        name: "mancala-gp/claims",
        about: "the work of a move in Figure 5's games: positions of the 8-level search, nodes of the programs",
        takes: &["--set"],
        readings: READINGS,
        work: Work::fixed(1),
        run: claims::reproduce,
    },
];

/// Figure 5: (program, scores moving first and second, size in nodes).
const FIGURE5: [(&str, [f64; 2], f64); 2] = [("figure5-1", [27.0, 25.0], 74.0), ("figure5-2", [41.0, 25.0], 80.0)];

/// Figure 10: (player, scores moving first and second in whole stones).
const FIGURE10: [(&str, [f64; 2]); 3] =
    [("minimax:8", [39.0, 37.0]), ("first run's best", [25.0, 24.0]), ("second run's best", [23.0, 22.0])];

/// Returns the problem's settings with the options applied.
fn settings(options: &Options) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    options.set.iter().try_for_each(|(key, value)| settings.set_text(&format!("{key}={value}")))?;
    Ok(settings)
}

/// Returns the reading of the source, common to all targets, from the settings.
fn reading(settings: &Settings) -> Vec<(&'static str, String)> {
    let opponents: Vec<String> = settings.opponents.iter().map(Opponent::to_string).collect();
    let capture = settings.rules().to_string();
    let seat = settings.reading.seat;
    let choice = settings.reading.choice;
    vec![
        (
            "rules",
            format!("{capture}; a lap includes the origin; an empty side ends the game, each side keeps its own"),
        ),
        ("opponent", format!("{}; every bowl sown is one ply, the first of equally good moves", opponents.join(", "))),
        ("value_at", format!("{seat}; indices beyond the board wrap around")),
        ("choice", format!("{choice} (next: the number modulo 7, or the next bowl with stones)")),
        ("score", "stones in the own mancala at the end, including those gathered at the end".to_owned()),
    ]
}

/// The time between two progress reports.
const STEP: Duration = Duration::from_millis(100);

/// Evaluates programs; `hear` receives the number evaluated so far.
fn evaluate(
    settings: &Settings,
    programs: Vec<Program>,
    pool: &Pool,
    hear: &mut dyn FnMut(usize),
) -> Result<Vec<Outcome>, Error> {
    let mut problem = KalahProblem::new(settings)?;
    let programs = programs.into_iter().map(|program| Arc::new(Genome::from(program)));
    let mut batch = problem.begin(programs.collect(), 0);
    while problem.advance(&mut batch, pool, Budget::time(STEP)) == Status::Running {
        hear(KalahProblem::evaluated(&batch));
    }
    Ok(KalahProblem::finish(batch))
}

fn both_printed() -> Vec<Program> {
    FIGURE5.iter().filter_map(|(name, ..)| printed(name)).collect()
}

/// Measures Figure 5: the printed programs' scores and sizes.
fn figure5(options: &Options, _: Hear<'_>) -> Result<Table, Error> {
    let settings = settings(options)?;
    let outcomes = evaluate(&settings, both_printed(), &Pool::alone(), &mut |_| ())?;
    let mut lines = Vec::new();
    for ((name, scores, nodes), outcome) in FIGURE5.iter().zip(&outcomes) {
        for (who, (published, measured)) in ["first", "second"].iter().zip(scores.iter().zip(outcome.scores.iter())) {
            lines.push(Line::new(format!("{name} moving {who}"), Some(*published), *measured, "stones"));
        }
        let size = printed(name).map_or(0, |program| program.size());
        // The source prints the size of the second only.
        let published = (*name == "figure5-2").then_some(*nodes);
        lines.push(Line::new(format!("{name} size"), published, size as f64, "nodes"));
    }
    let games = if options.moves { figure5_games(&settings)? } else { Vec::new() };
    Ok(Table { lines, reading: reading(&settings), games, ..Table::default() })
}

/// Returns the first opponent that is a player.
fn first_player(settings: &Settings) -> Option<Spec> {
    settings.opponents.iter().find_map(|opponent| match &opponent.kind {
        OpponentKind::Player(spec) => Some(spec.clone()),
        OpponentKind::Programs(_) | OpponentKind::Champions(_) => None,
    })
}

/// Returns the games of Figure 5 as game files.
///
/// # Errors
/// No opponent is a player.
fn figure5_games(settings: &Settings) -> Result<Vec<String>, Error> {
    let opponent = first_player(settings).ok_or("--moves needs a player as opponent, such as opponents=minimax:8")?;
    let mut games = Vec::new();
    for (name, ..) in FIGURE5 {
        let program: Spec = format!("program:{name}").parse()?;
        games.push(game(settings, [&program, &opponent]));
        games.push(game(settings, [&opponent, &program]));
    }
    Ok(games)
}

fn game(settings: &Settings, specs: [&Spec; 2]) -> String {
    let mut record = Record::new(Variant::Kalah(settings.rules()), specs.map(Spec::to_string), None);
    for (_, mv) in played(settings, specs) {
        record.play(mv);
    }
    notation::write(&record)
}

/// Plays a game; returns each position with the move played in it.
fn played(settings: &Settings, specs: [&Spec; 2]) -> Vec<(Kalah, Move)> {
    let mut moves = Vec::new();
    let mut players = specs.map(|spec| player::build::<Kalah>(spec).ok());
    let mut game_state = GameState::new(Kalah::start(settings.rules()));
    while !game_state.is_over() {
        let pos = *game_state.pos();
        let ply = game_state.plies();
        let side = pos.side();
        // A program moves by the reading of the settings, which its player does not know.
        let mv = match specs[side.index()] {
            Spec::Program(named) => {
                settings.reading.explain(&named.program, &pos).map(|explanation| explanation.played.into())
            }
            _ => players[side.index()].as_mut().and_then(|p| player::choose(&mut **p, &Turn::new(pos, ply, 0))),
        };
        let Some(mv) = mv else { break };
        moves.push((pos, mv));
        game_state.play(mv);
    }
    moves
}

/// Measures Figure 10: average scores of the 8-level minimax and of both printed programs against random programs.
fn figure10(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let settings = settings(options)?;
    let seed = options.seed;
    let pool = &options.pool;
    let count = options.programs.unwrap_or(1000);
    let random: Vec<Program> = (0..u64::from(count)).map(|number| random_program(seed, number)).collect();
    // The two printed programs come last, each counted as one more program.
    let all = count as usize + FIGURE5.len();
    let mut hear = |done: usize| {
        hear(ProgressEvent::Progress {
            share: done as f64 / all as f64,
            item: format!("program {}/{all}", (done + 1).min(all)),
        });
    };
    let against_minimax = evaluate(&settings, random, pool, &mut hear)?;
    let mean = |nth: usize| against_minimax.iter().map(|one| one.scores[nth]).sum::<f64>() / f64::from(count);
    let all_stones = f64::from(2 * 6 * u32::from(settings.rules().seeds()));
    // Where the random program moved second, minimax moved first.
    let mut measured = vec![[all_stones - mean(1), all_stones - mean(0)]];
    let mut random_settings = settings.clone();
    random_settings.tableau.seed = seed;
    random_settings.opponents = vec![Opponent { weight: 1.0, kind: OpponentKind::Programs(count) }];
    measured.extend(
        evaluate(&random_settings, both_printed(), pool, &mut |done| hear(count as usize + done))?
            .iter()
            .map(|outcome| [outcome.scores[0], outcome.scores[1]]),
    );
    let opponents = settings.opponents.iter().map(Opponent::to_string).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    for (nth, ((name, published), measured)) in FIGURE10.iter().zip(&measured).enumerate() {
        // The numbers of minimax are not set against those of another opponent.
        let is_other = nth == 0 && opponents != *name;
        let name = if is_other { &opponents } else { *name };
        for (who, (published, measured)) in ["first", "second"].iter().zip(published.iter().zip(measured)) {
            let published = Some(*published).filter(|_| !is_other);
            lines.push(Line::new(format!("{name} moving {who}"), published, *measured, "stones"));
        }
    }
    let mut results = vec![claims::of_opponent(&against_minimax, all_stones)];
    results.extend(claims::of_printed(&settings, seed, count));
    lines.extend(claims::lines(&results, &opponents));
    let mut reading = reading(&settings);
    reading.push((
        "random",
        "root a function; below it functions and integers equally likely, so are the functions; at most 16 deep"
            .to_owned(),
    ));
    reading.push(("averages", "printed in whole stones, truncated".to_owned()));
    let comparable = lines.iter().filter(|line| line.unit == "stones");
    let comparable = comparable.filter_map(|line| line.published.zip(line.measured));
    let alike = comparable.clone().filter(|(published, measured)| measured.trunc() == *published).count();
    let notes = vec![format!(
        "Seed {seed}, {count} programs: {alike} of {} averages agree when truncated to whole stones.",
        comparable.count()
    )];
    Ok(Table { lines, reading, notes, ..Table::default() })
}
