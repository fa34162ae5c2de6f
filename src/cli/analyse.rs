//! `mancalab analyse`: the value of every move in a position.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use serde::Serialize;

use super::engine::play_named;
use super::format::{Format, OutputArgs};
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::value::{Value, names, sort};
use super::{help, out, signals, tables};
use crate::budget::{Budget, Job as _, Status};
use crate::game::record::Record;
use crate::game::{Position, Variant};
use crate::grid::Grid;
use crate::player::AnalysisJob;
use crate::player::analysis::{Question, Termination, termination};
use crate::player::spec::MAX_DEPTH;
use crate::pool::Pool;
use crate::sanitize;
use crate::search::Report;
use crate::ui::short_count;

#[derive(Args, Debug)]
pub struct AnalyseArgs {
    /// Game and rules
    #[arg(long, value_name = "GAME", default_value = "kalah:6x4:standard", value_parser = help::games(), hide_possible_values = true)]
    pub game: Variant,
    /// Position to value; default: the game's start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Moves to play from the position first, such as "C F a"; values depend on them where rules do
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Search depth, in plies
    #[arg(long, value_name = "N", conflicts_with_all = ["ms", "exact"], value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Time, in milliseconds; default: 1000, with --exact no limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub ms: Option<u64>,
    /// Find the values of perfect play; status 1 without all of them
    #[arg(long)]
    pub exact: bool,
    /// Number of moves to print, the best first; default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub multipv: Option<u32>,
    /// Maximum size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
    /// Threads of an exact search; 0: all processors
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// The status if not every value is that of perfect play.
const UNSOLVED: ExitCode = ExitCode::FAILURE;

/// Time without another limit.
const USUAL: Duration = Duration::from_secs(1);

pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let record = record(args)?;
    let position = *record.position();
    if record.ending().is_some() {
        let flag = if args.moves.is_some() { "--moves" } else { "--position" };
        bail!("{flag}: the game is over, so there are no moves to value");
    }
    if args.exact && !can_solve(&position, args) {
        return Ok(UNSOLVED);
    }
    tables::warn_of_damage(&args.game);
    signals::catch().context("cannot catch signals")?;
    let analysis = Analysis::run(&record, args);
    match args.output.format() {
        Format::Text => out::result(&analysis.table()),
        Format::Csv => out::result(&analysis.csv()),
        Format::Json => out::json("analyse", &analysis),
        Format::Md => out::result(&analysis.grid(["Move", "Value", "Depth", "Line"]).markdown()),
    };
    if !args.exact || analysis.solved {
        return Ok(signals::exit_code());
    }
    out::report(&format!("mancalab: {} of {} moves solved", analysis.count_solved, position.moves().len()));
    Ok(if signals::received() == 0 { UNSOLVED } else { signals::exit_code() })
}

/// The game up to the position to value.
fn record(args: &AnalyseArgs) -> Result<Record> {
    let start = super::position(args.game, args.position.as_deref())?;
    let mut record = Record::from_position(args.game, start, [String::new(), String::new()], None);
    let moves = args.moves.as_deref().unwrap_or_default();
    let names = moves.split([' ', ',', '\t', '\n']).filter(|name| !name.is_empty());
    play_named(&mut record, names).map_err(|error| anyhow!("--moves: {error}"))?;
    Ok(record)
}

/// Whether the search for exact values is of use; reports why not, and that it may not end.
fn can_solve(position: &Position, args: &AnalyseArgs) -> bool {
    match termination(position) {
        Ok(Termination::Ends) => return true,
        Ok(Termination::MayNotEnd) if args.ms.is_some() => return true,
        Ok(Termination::MayNotEnd) => {
            let game = &args.game;
            out::report(&format!(
                "mancalab: --exact: no solver has this position of {game}; the search may not end (--ms N ends it)"
            ));
            return true;
        }
        Err(limit) => out::report(&format!("mancalab: --exact: {}", limit.in_a_line())),
    }
    false
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
    #[serde(skip)]
    count_solved: usize,
}

/// A move with its value for the side to move.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    /// In seeds, discs or men: the final margin, or an estimate of it. `None` where `outcome` is known.
    value: Option<f64>,
    /// The final margin, or the margin at the search's horizon. `None` for another estimate, and where `outcome` is known.
    margin: Option<i32>,
    /// `win` or `loss`, in games without margins at their end.
    outcome: Option<&'static str>,
    /// Plies to the end of a won or lost game, if they are known.
    plies: Option<u32>,
    solved: bool,
    depth: u32,
    /// The principal variation, beginning with the move.
    line: Vec<String>,
    #[serde(skip)]
    text: String,
}

impl Analysis {
    /// Values the moves until the limit or a signal.
    fn run(record: &Record, args: &AnalyseArgs) -> Analysis {
        let position = record.position();
        let time = args.ms.map(Duration::from_millis);
        let time = time.or_else(|| (args.depth.is_none() && !args.exact).then_some(USUAL));
        let pool = Pool::new(args.threads);
        let began = Instant::now();
        let mut job = AnalysisJob::after(None, *position, &record.before(), question(args), &pool);
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
            let value = Value::from_line(line, position);
            Row {
                mv: position.move_text(line.mv),
                value: value.number(position.unit()),
                margin: value.margin(),
                outcome: value.outcome(),
                plies: value.plies(),
                solved: line.solved,
                depth: line.depth,
                line: names(position, &line.pv),
                text: value.text(),
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
            count_solved: report.lines.iter().filter(|line| line.solved).count(),
        }
    }

    fn table(&self) -> String {
        let Analysis { game, position, side, nodes, seconds, .. } = self;
        let speed = short_count((*nodes as f64 / seconds.max(1e-9)) as u64);
        let text = format!(
            "{game}  {}\n{side} to move\n\n{}",
            sanitize::inline(position),
            self.grid(["move", "value", "depth", "line"]).table()
        );
        text + &format!("\n{} nodes in {seconds:.2} s ({speed} nodes/s)\n", short_count(*nodes))
    }

    fn csv(&self) -> String {
        let row = |row: &Row| {
            let value = row.text.trim_start_matches('+').to_owned();
            [row.mv.clone(), value, row.solved.to_string(), row.depth.to_string(), row.line.join(" ")]
        };
        Grid::new(&["move", "value", "solved", "depth", "line"], &[1, 3], self.moves.iter().map(row)).csv()
    }

    fn grid(&self, head: [&str; 4]) -> Grid {
        let row = |row: &Row| [row.mv.clone(), row.text.clone(), row.reach(), row.line.join(" ")];
        Grid::new(&head, &[1, 2], self.moves.iter().map(row))
    }
}

impl Row {
    /// `solved`, or the depth in plies.
    fn reach(&self) -> String {
        if self.solved { "solved".to_owned() } else { self.depth.to_string() }
    }
}

fn question(args: &AnalyseArgs) -> Question {
    if args.exact {
        return Question::Perfect;
    }
    let depth = args.depth.unwrap_or(MAX_DEPTH);
    Question::AlphaBeta { depth, mb: args.memory as usize, solve: args.depth.is_none() }
}

fn progress(report: &Report, time: Option<Duration>, began: Instant) -> Progress {
    let elapsed = began.elapsed().as_secs_f64();
    let share = time.map_or(0.0, |time| elapsed / time.as_secs_f64());
    let solved = report.lines.iter().filter(|line| line.solved).count();
    let solved = (solved > 0).then(|| format!("{solved} of {} moves solved", report.lines.len()));
    Progress {
        share: share.min(1.0),
        count: solved.unwrap_or_else(|| format!("depth {}", report.depth)),
        left: time.map(|time| (time.as_secs_f64() - elapsed).max(0.0)).or(Some(f64::INFINITY)),
        speed: format!("{} nodes/s", short_count((report.nodes as f64 / elapsed.max(1e-9)) as u64)),
        more: vec![format!("{} nodes", short_count(report.nodes))],
    }
}
