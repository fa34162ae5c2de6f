//! `mancalab review`: the value of each position of a game and the loss of each move. Only the result goes to standard
//! output.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;

use super::format::{Format, OutputArgs};
use super::live::{Progress, ProgressLine};
use super::review_text::{self, Review};
use super::run::threads;
use super::{out, signals, tables};
use crate::budget::{Budget, Job as _, Status};
use crate::config::Config;
use crate::files;
use crate::game::notation::DefaultGame;
use crate::game::othello::IN_SIGHT;
use crate::game::record::{NodeId, Record};
use crate::game::{Variant, notation};
use crate::paths::Paths;
use crate::player::review::{Effort, PositionRequest, Terms};
use crate::player::{ReviewJob, ReviewView, spec};
use crate::pool::Pool;
use crate::tabs::board::{FileContents, OpenedGame, PartialGame, Shelf, find_saved_game, nearest_saved_game, remarks};
use crate::ui::short_count;

#[derive(Args, Clone, Debug)]
pub struct ReviewArgs {
    /// Saved game (also by its bare name), a file of bare moves, or a collection (.pdn, .pgn, .ggf, .wtb, .obf); FILE.pdn#3 is its third game
    #[arg(value_name = "GAME")]
    pub file: PathBuf,
    /// Game and rules, where the file does not name them; default: the config's
    #[arg(long, value_name = "GAME")]
    pub game: Option<Variant>,
    /// Search depth per position, in plies; default: the config's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(spec::MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Solve every position and every move of Kalah, whatever it takes
    #[arg(long, conflicts_with = "depth")]
    pub perfect: bool,
    /// Solve positions with at most this many empty squares, in games that fill one a move; 0: use no solver; default: the config's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(IN_SIGHT)))]
    pub solve: Option<u32>,
    /// Least loss of a mistake (?), in percentage points of the chance of winning; default: the config's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub mistake: Option<u32>,
    /// Least loss of a blunder (??); default: the config's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub blunder: Option<u32>,
    /// Write the values into the file, which must be one game: the Board shows them, and puzzles come from them
    #[arg(long)]
    pub save: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Configuration file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

pub fn run(args: &ReviewArgs, paths: &Paths) -> Result<ExitCode> {
    let config = Config::load(paths, args.config.as_deref())?;
    let args = &ReviewArgs { file: find_saved_game(&args.file, paths.games().as_deref()), ..args.clone() };
    let assumed = DefaultGame::named(args.game, config.board.game);
    let held = FileContents::open(&args.file, assumed).map_err(|error| {
        match nearest_saved_game(&args.file, paths.games().as_deref()) {
            Some(near) => anyhow!("{} is no file and no saved game; did you mean '{near}'?", args.file.display()),
            None => error.into(),
        }
    })?;
    if let Some(note) = held.note() {
        out::report(&format!("mancalab: {}: {note}", args.file.display()));
    }
    signals::catch().context("cannot catch signals")?;
    let is_one_after_another = matches!(args.output.format(), Format::Json | Format::Text);
    match held {
        FileContents::Games(shelf, None) if is_one_after_another && !args.save => {
            review_all(&shelf, assumed, args, &config)
        }
        held => review(held.one()?, args, &config),
    }
}

/// Reviews the games of a collection one after another; reports those that are invalid.
fn review_all(shelf: &Shelf, assumed: DefaultGame, args: &ReviewArgs, config: &Config) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for index in 0..shelf.games.len() {
        if signals::received() != 0 {
            return Ok(signals::exit_code());
        }
        match shelf.read(index, assumed) {
            Ok(PartialGame { opened, broken: None }) => {
                if index > 0 && !args.output.is_json() {
                    out::result("\n");
                }
                review(opened, args, config)?;
            }
            Ok(PartialGame { broken: Some(why), .. }) => {
                out::report(&format!("error: {why}"));
                code = ExitCode::from(2);
            }
            Err(why) => {
                out::report(&format!("error: {why}"));
                code = ExitCode::from(2);
            }
        }
    }
    Ok(code)
}

fn review(opened: OpenedGame, args: &ReviewArgs, config: &Config) -> Result<ExitCode> {
    if args.save && !(opened.replaceable && opened.file.is_some()) {
        bail!("--save: {} must be a game with headers in this program's format (.game)", args.file.display());
    }
    if let Some(remarks) = remarks(&opened.record) {
        out::report(&format!("mancalab: {}: {remarks}", args.file.display()));
    }
    let before = if args.save { read(&args.file)? } else { Vec::new() };
    let mut record = opened.record;
    let terms = terms(args, config, &record.variant)?;
    tables::warn_of_damage(&record.variant);
    let nodes: Vec<_> = std::iter::once(0).chain(record.line().iter().map(|step| step.node)).collect();
    let requests = nodes.iter().map(|&node| PositionRequest::new(&record, node)).collect();
    let (view, status) = drive(ReviewJob::new(requests, terms, &Pool::new(args.threads)));
    let review = Review { record: &record, terms, found: &view.found };
    match args.output.format() {
        Format::Text => out::result(&review_text::table(&review)),
        Format::Csv => out::result(&review_text::csv(&review)),
        Format::Json => out::json("review", &review_text::json(&review)),
        Format::Md => out::result(&review_text::markdown(&review)),
    };
    if args.save {
        if read(&args.file)? != before {
            bail!("{} was changed during the review, which is not saved; review it again", args.file.display());
        }
        save(&mut record, &nodes, &view, &args.file)?;
    }
    if status == Status::Done {
        return Ok(ExitCode::SUCCESS);
    }
    out::report(&format!("stopped after {} of {} positions", view.done(), view.found.len()));
    Ok(signals::exit_code())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes the values that were found into the game's file.
fn save(record: &mut Record, nodes: &[NodeId], view: &ReviewView, path: &Path) -> Result<()> {
    for (&node, valued) in nodes.iter().zip(&view.found) {
        if let Some(valued) = valued {
            let played: Vec<_> = record.tried(node).map(|(_, mv)| mv).collect();
            let text = valued.to_text(record.position_at(node), &played);
            record.set_review(node, text);
        }
    }
    files::save(path, notation::write(record).as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The config's terms with the changes by the flags.
fn terms(args: &ReviewArgs, config: &Config, variant: &Variant) -> Result<Terms> {
    let usual = config.review.terms(variant, config.search.table_mb);
    let terms = Terms {
        depth: args.depth.unwrap_or(usual.depth),
        effort: match args.perfect || (usual.effort == Effort::Unlimited && args.depth.is_none()) {
            true => Effort::Unlimited,
            false => Effort::Usual,
        },
        solve: args.solve.unwrap_or(usual.solve),
        mistake: args.mistake.unwrap_or(usual.mistake),
        blunder: args.blunder.unwrap_or(usual.blunder.max(args.mistake.unwrap_or(0))),
        ..usual
    };
    if terms.blunder < terms.mistake {
        let Terms { mistake, blunder, .. } = terms;
        bail!("--blunder must be at least {mistake}, the loss of a mistake (got {blunder})");
    }
    Ok(terms)
}

/// Evaluates all positions until done or a signal arrives, and reports progress.
fn drive(mut job: ReviewJob) -> (ReviewView, Status) {
    let mut reporter = ProgressLine::with_signals_caught();
    let mut status = Status::Running;
    while status == Status::Running && signals::received() == 0 {
        status = job.step(Budget::time(STEP));
        reporter.progress(|| progress(&job.view()));
    }
    reporter.clear();
    (job.view(), status)
}

fn progress(view: &ReviewView) -> Progress {
    let done = view.done();
    let of = view.found.len();
    Progress {
        share: done as f64 / of.max(1) as f64,
        count: format!("position {done}/{of}"),
        left: view.left().map(|left| left.as_secs_f64()),
        speed: view.speed().map_or(String::new(), |nodes| format!("{} nodes/s", short_count(nodes))),
        more: Vec::new(),
    }
}
