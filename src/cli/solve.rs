//! `mancalab solve position`: the exact margin and best play of a position of Kalah.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use mancalab_base::Error;
use serde::Serialize;

use super::format::OutputArgs;
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{out, signals};
use crate::budget::{Budget, Status};
use crate::codec::checksum;
use crate::game::kalah::{Kalah, Rules};
use crate::game::{BoardGame as _, Game as _, Notation as _};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::tables::{MoveSolver, Solution, Solver, endgame};
use crate::ui::short_count;

#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Size and rules: PITSxSEEDS[:standard|empty], with or without kalah: before it
    #[arg(value_name = "RULES", default_value = "kalah:6x4:standard", value_parser = rules)]
    pub rules: Rules,
    /// Position to solve; default: the start
    #[arg(long, value_name = "TEXT", conflicts_with = "all")]
    pub position: Option<String>,
    /// Maximum size of the transposition table; shares of small boards may take a quarter besides
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
    /// Threads to use, 0 for all; the value does not depend on them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Solve the starts of all sizes up to RULES, under both capture rules, and print CSV
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub all: bool,
    /// Also solve every move; with --all, print the program's book of openings
    #[arg(long)]
    pub moves: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Least time between two checkpoints.
const PERIOD: Duration = Duration::from_secs(60);

/// Time between two checkpoints, as a multiple of that which the last one took: writing takes at most 3 % of a solution.
const SPACING: u32 = 32;

/// Parser of rules, with or without `kalah:`.
pub(super) fn rules(text: &str) -> Result<Rules, Error> {
    text.strip_prefix("kalah:").unwrap_or(text).parse()
}

pub fn run(args: &SolveArgs, paths: &Paths) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let reporter = &mut ProgressLine::with_signals_caught();
    if let Err(error) = endgame::find(args.rules.into()) {
        out::report(&format!("warning: {error}"));
    }
    if args.all {
        return run_all(args, reporter);
    }
    let pos = match &args.position {
        None => Kalah::start(args.rules),
        Some(text) => Kalah::from_text(args.rules, text).map_err(|error| anyhow::anyhow!("--position: {error}"))?,
    };
    let checkpoint = paths.state().map(|state| state.join("solver").join(checkpoint(&pos)));
    let solved = SolveResult::run(&pos, args, checkpoint.as_deref(), reporter)?;
    reporter.clear();
    args.output.print("solve", &solved, || solved.text());
    Ok(signals::exit_code())
}

/// The rows of the values' table, each as soon as it is known.
fn run_all(args: &SolveArgs, reporter: &mut ProgressLine) -> Result<ExitCode> {
    out::line(&format!("pits,seeds,capture,margin,{}", if args.moves { "moves" } else { "nodes,seconds" }));
    for (pits, seeds) in
        (1..=args.rules.pits()).flat_map(|pits| (1..=args.rules.seeds()).map(move |seeds| (pits, seeds)))
    {
        for capture in ["standard", "empty"] {
            let pos = Kalah::start(format!("{pits}x{seeds}:{capture}").parse()?);
            let solved = SolveResult::run(&pos, args, None, reporter)?;
            let row = || out::line(&format!("{pits},{seeds},{capture},{}", solved.columns()));
            if !solved.solved || !reporter.above(row) {
                reporter.clear();
                return Ok(signals::exit_code());
            }
        }
    }
    reporter.clear();
    Ok(signals::exit_code())
}

/// What is known of a position, as far as the command came.
#[derive(Serialize)]
struct SolveResult {
    game: String,
    position: String,
    /// Least and greatest margin of the side to move.
    margins: (i32, i32),
    line: String,
    /// Margins by move, in the moves' order, as far as they are known; with `--moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveMargin>>,
    nodes: u64,
    /// Nodes of earlier commands, from whose checkpoint this one resumed.
    #[serde(skip)]
    before: u64,
    seconds: f64,
    /// Whether the margin and the line are final.
    solved: bool,
}

/// The final margin of the side to move by a move.
#[derive(Serialize)]
struct MoveMargin {
    #[serde(rename = "move")]
    mv: String,
    margin: i32,
}

impl SolveResult {
    /// Solves `pos`, until done or a signal arrives. Resumes from the checkpoint, and leaves one unless done.
    fn run(
        pos: &Kalah,
        args: &SolveArgs,
        checkpoint: Option<&Path>,
        reporter: &mut ProgressLine,
    ) -> Result<SolveResult> {
        let pool = Pool::new(args.threads);
        let began = Instant::now();
        let mut solver = Solver::new(pos, args.memory as usize)?.on(&pool);
        checkpoint.map_or(Ok(false), |path| solver.resume(path))?;
        let before = solver.solution().nodes;
        let mut position_solver = if args.moves {
            PositionSolver::Moves(MoveSolver::from_solver(solver))
        } else {
            PositionSolver::Value(solver)
        };
        let mut status = Status::Running;
        let mut next = Instant::now() + PERIOD;
        reporter.begin_anew();
        while status == Status::Running && signals::received() == 0 {
            status = position_solver.step(Budget::time(STEP));
            reporter.progress(|| progress(pos, &position_solver, before, began));
            if let Some(path) = checkpoint.filter(|_| status == Status::Running && Instant::now() > next) {
                let since = Instant::now();
                if let Err(error) = position_solver.save(path) {
                    reporter.above(|| out::report(&format!("warning: {error}; trying again later")));
                }
                next = Instant::now() + PERIOD.max(since.elapsed() * SPACING);
            }
        }
        match checkpoint {
            // What is known is printed all the same.
            Some(path) if status == Status::Running => {
                let saved = position_solver.save(path);
                saved.unwrap_or_else(|error| reporter.above(|| out::report(&format!("warning: {error}"))));
            }
            Some(path) if path.exists() => fs::remove_file(path).map_err(Error::cannot("remove", path))?,
            _ => {}
        }
        let solution = position_solver.solution();
        Ok(SolveResult {
            game: format!("kalah:{}", pos.rules()),
            position: pos.to_text(),
            margins: solution.margins,
            line: line(pos, &solution),
            moves: position_solver.margins(pos),
            nodes: solution.nodes,
            before,
            seconds: began.elapsed().as_secs_f64(),
            solved: status == Status::Done,
        })
    }

    /// The last columns of a table: the margin, and what was asked for.
    fn columns(&self) -> String {
        let SolveResult { margins: (margin, _), moves, nodes, seconds, .. } = self;
        match moves {
            None => format!("{margin},{nodes},{seconds:.2}"),
            Some(moves) => {
                let moves: Vec<String> = moves.iter().map(|by_move| by_move.margin.to_string()).collect();
                format!("{margin},{}", moves.join(" "))
            }
        }
    }

    fn text(&self) -> String {
        let SolveResult { game, position, margins: (least, most), line, moves, nodes, before, seconds, solved } = self;
        let margin = if least == most { format!("{least:+}") } else { format!("{least:+} to {most:+}") };
        let speed = short_count(((nodes - before) as f64 / seconds.max(1e-9)) as u64);
        let line = if line.is_empty() { String::new() } else { format!("line      {line}\n") };
        let by_move = |MoveMargin { mv, margin }: &MoveMargin| format!("  {mv} {margin:+}");
        let moves = moves.iter().map(|moves| format!("moves   {}\n", moves.iter().map(by_move).collect::<String>()));
        let moves: String = moves.collect();
        let stopped = if *solved { "" } else { "stopped   before the solution; the same command resumes\n" };
        format!(
            "position  {game}  {position}\nmargin    {margin}, for the side to move\n{line}{moves}\
             nodes     {nodes}\nseconds   {seconds:.2}  ({speed} nodes/s)\n{stopped}"
        )
    }
}

/// A solution in progress, of a position's value or of all its moves.
enum PositionSolver {
    Value(Solver),
    Moves(MoveSolver),
}

impl PositionSolver {
    fn step(&mut self, budget: Budget) -> Status {
        match self {
            PositionSolver::Value(solver) => solver.step(budget),
            PositionSolver::Moves(moves) => moves.step(budget),
        }
    }

    fn solver(&self) -> Option<&Solver> {
        match self {
            PositionSolver::Value(solver) => Some(solver),
            PositionSolver::Moves(moves) => moves.solver(),
        }
    }

    fn solution(&self) -> Solution {
        self.solver().map(Solver::solution).unwrap_or_default()
    }

    fn save(&self, path: &Path) -> Result<(), Error> {
        self.solver().map_or(Ok(()), |solver| solver.save(path))
    }

    fn margins(&self, pos: &Kalah) -> Option<Vec<MoveMargin>> {
        let PositionSolver::Moves(moves) = self else { return None };
        Some(moves.margins().map(|(mv, margin)| MoveMargin { mv: pos.move_text(mv), margin }).collect())
    }
}

/// The moves of a solution's line, a side's turn as one word.
fn line(pos: &Kalah, solution: &Solution) -> String {
    let mut text = String::new();
    let mut pos = *pos;
    for &mv in &solution.line {
        text += &pos.move_text(mv);
        let next = pos.play(mv);
        if next.side() != pos.side() {
            text.push(' ');
        }
        pos = next;
    }
    text.trim_end().to_owned()
}

/// The name of a position's checkpoint.
fn checkpoint(pos: &Kalah) -> String {
    let text = format!("{} {}", pos.rules(), pos.to_text());
    format!("{:016x}.checkpoint", checksum(text.as_bytes()))
}

fn progress(pos: &Kalah, position_solver: &PositionSolver, before: u64, began: Instant) -> Progress {
    let solution = position_solver.solution();
    let (least, most) = solution.margins;
    let share = 1.0 - f64::from(most - least) / f64::from(2 * pos.reach());
    let seconds = began.elapsed().as_secs_f64().max(1e-9);
    Progress {
        // The value of the position is known before those of its moves.
        share: match position_solver {
            PositionSolver::Value(_) => share,
            PositionSolver::Moves(moves) => (share + moves.margins().count() as f64) / (1 + pos.moves().count()) as f64,
        },
        count: format!("{}: margin {least:+} to {most:+}", pos.rules()),
        // The last windows take nearly all the time, so the share says nothing about it.
        left: Some(f64::INFINITY),
        speed: match solution.nodes - before {
            0 => "computing the endgames".to_owned(),
            nodes => format!("{} nodes/s", short_count((nodes as f64 / seconds) as u64)),
        },
        more: vec![format!("{} nodes", short_count(solution.nodes))],
    }
}
