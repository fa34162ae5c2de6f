//! `mancalab analyse`: the value of every move in a position.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{ArgGroup, Args};
use serde::Serialize;

use super::format::Format;
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::value::{Value, names, sort};
use super::{help, out, signals, tables};
use crate::budget::{Budget, Job as _, Status};
use crate::game::record::Before;
use crate::game::{Position, Variant};
use crate::player::analysing::Question;
use crate::player::spec::MAX_DEPTH;
use crate::player::{Analysing, is_solvable};
use crate::pool::Pool;
use crate::sanitize;
use crate::search::Report;
use crate::ui::short_count;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit"))]
pub struct AnalyseArgs {
    /// Game and rules
    #[arg(long, value_name = "GAME", default_value = "kalah:6x4:standard", value_parser = help::games(), hide_possible_values = true)]
    pub game: Variant,
    /// Position to value; default: the game's start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Search depth, in plies
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Time, in milliseconds; default: 1000
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub ms: Option<u64>,
    /// Search until the values are those of perfect play
    #[arg(long, group = "limit")]
    pub solve: bool,
    /// Number of moves to print, the best first; default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub multipv: Option<u32>,
    /// Maximum size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
    /// Threads of an exact search; 0: all processors
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
    /// Print one JSON object on one line
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Time without another limit.
const USUAL: Duration = Duration::from_secs(1);

pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let position = match &args.position {
        None => args.game.start(),
        Some(text) => args.game.position_from_text(text).map_err(|error| anyhow!("--position: {error}"))?,
    };
    if position.is_over() {
        bail!("--position: the game is over, so there are no moves to value");
    }
    tables::warn_of_damage(&args.game);
    signals::catch().context("cannot catch signals")?;
    let analysis = Analysis::of(&position, args);
    match args.format {
        _ if args.json => out::json("analyse", &analysis),
        Format::Table => out::result(&analysis.table()),
        Format::Csv => out::result(&analysis.csv()),
        Format::Json => out::result(&out::pretty("analyse", &analysis)),
        Format::Md => out::result(&analysis.markdown()),
    };
    Ok(signals::exit_code())
}

/// The values of a position's moves.
#[derive(Serialize)]
struct Analysis {
    version: &'static str,
    game: String,
    position: String,
    side: &'static str,
    /// Whether the values are those of perfect play.
    solved: bool,
    /// The last completed depth, in plies.
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// The best first.
    moves: Vec<Row>,
}

/// A move with its value for the side to move.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    /// The final margin, or the margin at the search's horizon. `None` where `outcome` is known.
    margin: Option<i32>,
    /// `win` or `loss`, in games without margins at their end.
    outcome: Option<&'static str>,
    solved: bool,
    depth: u32,
    /// The principal variation, beginning with the move.
    line: Vec<String>,
    #[serde(skip)]
    value: String,
}

impl Analysis {
    /// Values the moves until the limit or a signal.
    fn of(position: &Position, args: &AnalyseArgs) -> Analysis {
        let time = args.ms.map(Duration::from_millis);
        let time = time.or_else(|| (args.depth.is_none() && !args.solve).then_some(USUAL));
        let pool = Pool::new(args.threads);
        let (began, mut job) =
            (Instant::now(), Analysing::after(None, *position, &Before::default(), question(position, args), &pool));
        let mut reporter = ProgressLine::with_signals_caught();
        let is_late = |time: Option<Duration>| time.is_some_and(|time| began.elapsed() >= time);
        while signals::received() == 0 && !is_late(time) {
            let left = time.map_or(STEP, |time| time.saturating_sub(began.elapsed()).min(STEP));
            if job.step(Budget::time(left)) == Status::Done {
                break;
            }
            reporter.progress(|| progress(&job.view().report, time, began));
        }
        reporter.clear();
        Analysis::from_report(position, job.view().report, args, began.elapsed())
    }

    fn from_report(position: &Position, mut report: Report, args: &AnalyseArgs, time: Duration) -> Analysis {
        sort(&mut report, position);
        let rows = report.lines.iter().take(args.multipv.map_or(usize::MAX, |count| count as usize));
        let row = |line| {
            let value = Value::of(line, position);
            Row {
                mv: position.move_text(line.mv),
                margin: value.margin(),
                outcome: value.outcome(),
                solved: line.solved,
                depth: line.depth,
                line: names(position, &line.pv),
                value: value.text(),
            }
        };
        Analysis {
            version: env!("CARGO_PKG_VERSION"),
            game: args.game.to_string(),
            position: position.to_text(),
            side: args.game.seats()[position.side().index()],
            solved: report.solved,
            depth: report.depth,
            nodes: report.nodes,
            seconds: time.as_secs_f64(),
            moves: rows.map(row).collect(),
        }
    }

    fn table(&self) -> String {
        let Analysis { game, position, side, nodes, seconds, .. } = self;
        let speed = short_count((*nodes as f64 / seconds.max(1e-9)) as u64);
        let widest = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0);
        let moves = widest(&mut self.moves.iter().map(|row| row.mv.len())).max("move".len());
        let mut text = format!("{game}  {}\n{side} to move\n\n", sanitize::inline(position));
        text += &format!("{:<moves$}  {:>6}  {:>6}  line\n", "move", "value", "depth");
        for row in &self.moves {
            let line = row.line.join(" ");
            text += &format!("{:<moves$}  {:>6}  {:>6}  {line}\n", row.mv, row.value, row.reach());
        }
        text + &format!("\n{} nodes in {seconds:.2} s ({speed} nodes/s)\n", short_count(*nodes))
    }

    fn csv(&self) -> String {
        let row = |row: &Row| {
            let line = row.line.join(" ");
            format!("{},{},{},{},{line}\n", row.mv, row.value.trim_start_matches('+'), row.solved, row.depth)
        };
        let rows: String = self.moves.iter().map(row).collect();
        format!("move,value,solved,depth,line\n{rows}")
    }

    fn markdown(&self) -> String {
        let row = |row: &Row| format!("| {} | {} | {} | {} |\n", row.mv, row.value, row.reach(), row.line.join(" "));
        let rows: String = self.moves.iter().map(row).collect();
        format!("| Move | Value | Depth | Line |\n|---|---:|---:|---|\n{rows}")
    }
}

impl Row {
    /// `solved`, or the depth in plies.
    fn reach(&self) -> String {
        if self.solved { "solved".to_owned() } else { self.depth.to_string() }
    }
}

fn question(position: &Position, args: &AnalyseArgs) -> Question {
    match args.depth {
        None if args.solve && is_solvable(position) => Question::Perfect,
        depth => {
            let solve = depth.is_none();
            Question::AlphaBeta { depth: depth.unwrap_or(MAX_DEPTH), mb: args.memory as usize, solve }
        }
    }
}

fn progress(report: &Report, time: Option<Duration>, began: Instant) -> Progress {
    let elapsed = began.elapsed().as_secs_f64();
    let share = time.map_or(0.0, |time| elapsed / time.as_secs_f64());
    Progress {
        share: share.min(1.0),
        at: format!("depth {}", report.depth),
        left: time.map(|time| (time.as_secs_f64() - elapsed).max(0.0)).or(Some(f64::INFINITY)),
        speed: format!("{} nodes/s", short_count((report.nodes as f64 / elapsed.max(1e-9)) as u64)),
        more: vec![format!("{} nodes", short_count(report.nodes))],
    }
}
