//! `mancalab tables`: builds, lists, verifies and removes endgame tables of Kalah, Oware, Awari and checkers.

use std::{fmt, fs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use mancalab_base::Error;
use rand::RngExt as _;
use serde::Serialize;

use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{out, signals};
use crate::budget::{Budget, Status};
use crate::game::checkers::{Checkers, WON};
use crate::game::checkers::sets::{FARTHEST_ROW, NEAREST_ROW};
use crate::game::kalah::{self, Kalah};
use crate::game::sowing::{Rules, SowingPosition, SowingRules};
use crate::game::{Board, BoardGame, Game as _, Notation, PitBoard, Side, Variant};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::search::endgame::checkers::Value;
use crate::search::endgame::{self, EXTENSION, Size, TableRules};
use crate::search::{EndgameTable, Limits, Search, Solver, TableBuilder};
use crate::ui::short_count;
use crate::{rng, sanitize};

#[derive(Args, Debug)]
pub struct TablesArgs {
    #[command(subcommand)]
    pub command: TablesCommand,
}

#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Compute the result of every position with few seeds or pieces; resumes an interrupted build
    Build(BuildArgs),
    /// List the tables
    List(ListArgs),
    /// Check tables against their checksums, and a sample of boards by search
    Verify(VerifyArgs),
    /// Remove a table
    Remove(RemoveArgs),
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    /// kalah:PITSxSEEDS[:standard|empty] (a table serves any SEEDS), oware[:slam=none|all|illegal], awari or checkers
    #[arg(value_name = "GAME", default_value = "kalah:6x4:standard")]
    pub rules: TableRules,
    /// Maximum number of seeds in the pits; default: as many as fit in 256 MB, of oware and awari 12
    #[arg(long, value_name = "N")]
    pub seeds: Option<u8>,
    /// Maximum number of pieces on the board, of checkers, 2 to 6; default: 4
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    pub pieces: Option<u8>,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    /// Print one JSON object on one line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// Print one JSON object per table
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Table, by name; default: all
    pub name: Option<String>,
    /// Random boards to solve by search
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub sample: u32,
}

#[derive(Args, Debug)]
pub struct RemoveArgs {
    /// Table, by name
    pub name: String,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Maximum size of a table by default, in bytes, and maximum number of seeds of tables of bounds.
const USUAL: u64 = 256 << 20;
const USUAL_SEEDS: u8 = 12;

/// Number of pieces of a table of checkers by default.
const USUAL_PIECES: u8 = 4;

/// Size from which a build reports the memory that it takes, in bytes.
const LARGE: u64 = 1 << 30;

pub fn run(args: &TablesArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = paths.tables().context("no home directory for tables")?;
    match &args.command {
        TablesCommand::Build(args) => build(args, &folder),
        TablesCommand::List(args) => list(args, &folder),
        TablesCommand::Verify(args) => verify(args, &folder),
        TablesCommand::Remove(args) => remove(args, &folder),
    }
}

/// A line of the list.
#[derive(Serialize)]
struct Row {
    name: String,
    path: String,
    /// Maximal number of seeds in the pits, or of pieces, and the number of positions; `None` if the table is not usable.
    seeds: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u8>,
    boards: Option<u64>,
    bytes: u64,
    /// Why the table is not usable.
    problem: Option<String>,
}

impl Row {
    fn of(path: &Path) -> Row {
        let (name, bytes) = (name_of(path).unwrap_or_default(), fs::metadata(path).map_or(0, |meta| meta.len()));
        let path_text = path.display().to_string();
        let row = Row { name, path: path_text, seeds: None, pieces: None, boards: None, bytes, problem: None };
        if path.extension().is_some_and(|ending| ending == "part") {
            return Row { problem: Some("incomplete: build it again to resume".into()), ..row };
        }
        match endgame::open(path) {
            Ok(table) => row.with(&table),
            Err(error) => Row { problem: Some(error.to_string()), ..row },
        }
    }

    fn with(self, table: &EndgameTable) -> Row {
        let (most, boards) = (Some(table.most()), Some(table.boards()));
        match table.rules() {
            TableRules::Checkers => Row { pieces: most, boards, ..self },
            _ => Row { seeds: most, boards, ..self },
        }
    }

    fn text(&self) -> String {
        let Row { name, seeds, pieces, boards, bytes, problem, .. } = self;
        let size = format!("{name:<20}  {:>7.1} MB", *bytes as f64 / f64::from(1 << 20));
        let boards = short_count(boards.unwrap_or(0));
        match (seeds, pieces, problem) {
            (Some(seeds), ..) => format!("{size}  up to {seeds} seeds, {boards} boards"),
            (_, Some(pieces), _) => format!("{size}  up to {pieces} pieces, {boards} positions"),
            (.., problem) => format!("{size}  {}", problem.as_deref().unwrap_or_default()),
        }
    }
}

fn build(args: &BuildArgs, folder: &Path) -> Result<ExitCode> {
    let most = args.most()?;
    let size = Size::of(args.rules, most)?;
    let path = args.rules.path(folder);
    if let Ok(table) = endgame::open(&path)
        && table.most() >= most
    {
        out::report(&format!("{} has boards of up to {} {} already", args.rules, table.most(), args.rules.unit()));
        return Ok(ExitCode::SUCCESS);
    }
    if size.bytes >= LARGE {
        let gigabytes = size.bytes as f64 / f64::from(1 << 30);
        out::report(&format!("{} boards; the build takes {gigabytes:.1} GB of memory", short_count(size.boards)));
    }
    signals::catch().context("cannot catch signals")?;
    let began = Instant::now();
    let reporter = &mut ProgressLine::with_signals_caught();
    let mut builder = TableBuilder::new(folder, args.rules, most, Pool::new(args.threads))?;
    let (first, computing) = (builder.progress(), Instant::now());
    let mut status = Status::Running;
    while status == Status::Running && signals::received() == 0 {
        status = builder.step(Budget::time(STEP))?;
        reporter.progress(|| progress(&builder, args.rules, first, computing));
    }
    reporter.clear();
    if status == Status::Running {
        out::report(&match builder.written().checked_sub(1) {
            Some(last) => format!("stopped after the {}; the same command resumes", builder.label(last)),
            None => "stopped; the same command begins again".to_owned(),
        });
        return Ok(signals::exit_code());
    }
    let row = Row::of(&path);
    if args.json {
        let mut object = out::value(&row);
        object["seconds"] = began.elapsed().as_secs_f64().into();
        out::json(&object);
    } else {
        out::line(&format!("{}, {:.1} s", row.text(), began.elapsed().as_secs_f64()));
    }
    Ok(ExitCode::SUCCESS)
}

impl BuildArgs {
    /// The maximal number of seeds, or of pieces.
    fn most(&self) -> Result<u8> {
        let is_checkers = self.rules == TableRules::Checkers;
        match (self.seeds, self.pieces) {
            (Some(_), _) if is_checkers => bail!("tables of checkers take --pieces (got --seeds)"),
            (_, Some(_)) if !is_checkers => bail!("tables of {} take --seeds (got --pieces)", self.rules),
            (seeds, pieces) => Ok(seeds.or(pieces).unwrap_or_else(|| usual(self.rules))),
        }
    }
}

fn usual(rules: TableRules) -> u8 {
    let most = match rules {
        TableRules::Kalah(_) => u8::MAX,
        TableRules::Oware(_) | TableRules::Awari(_) => USUAL_SEEDS,
        TableRules::Checkers => USUAL_PIECES,
    };
    let fits = |most: &u8| Size::of(rules, *most).is_ok_and(|size| size.bytes <= USUAL);
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Layers are proportional to their numbers of boards in time too, so the time left follows from the boards left.
fn progress(builder: &TableBuilder, rules: TableRules, first: f64, began: Instant) -> Progress {
    let (share, seconds) = (builder.progress(), began.elapsed().as_secs_f64());
    let left = if share > first { seconds * (1.0 - share) / (share - first) } else { f64::INFINITY };
    Progress {
        share,
        at: format!("{rules}: {}", builder.label(builder.written())),
        left: Some(left),
        speed: String::new(),
        more: Vec::new(),
    }
}

fn list(args: &ListArgs, folder: &Path) -> Result<ExitCode> {
    let paths = files(folder)?;
    for row in paths.iter().map(|path| Row::of(path)) {
        if args.json {
            out::json(&row)
        } else {
            out::line(&row.text())
        };
    }
    if paths.is_empty() && !args.json {
        out::report("no endgame tables; build one with: mancalab tables build");
    }
    Ok(ExitCode::SUCCESS)
}

/// The files of tables, those of interrupted builds included, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::cannot("read", folder))?,
    };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| name_of(path).is_some()).collect();
    paths.sort();
    Ok(paths)
}

/// The name of the table in a file; `None` if the file's name is not a table's.
fn name_of(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_str()?;
    let file = file.strip_suffix(".part").unwrap_or(file);
    file.strip_suffix(EXTENSION)?.strip_suffix('.').map(str::to_owned)
}

/// The files of the tables with this name; at least one.
fn named(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let all = files(folder)?;
    let found: Vec<PathBuf> = all.iter().filter(|path| name_of(path).as_deref() == Some(name)).cloned().collect();
    if found.is_empty() {
        let mut names: Vec<String> = all.iter().filter_map(|path| name_of(path)).collect();
        names.dedup();
        return Err(Error::unknown(format!("no table is named '{name}'"), names).into());
    }
    Ok(found)
}

fn verify(args: &VerifyArgs, folder: &Path) -> Result<ExitCode> {
    let mut paths = match &args.name {
        Some(name) => named(folder, name)?,
        None => files(folder)?,
    };
    paths.retain(|path| path.extension().is_some_and(|ending| ending == EXTENSION));
    let mut is_good = true;
    for path in paths {
        match check(&path, args.sample) {
            Ok(text) => out::line(&text),
            Err(error) => {
                is_good = false;
                out::line(&format!("{}: {error:#}", name_of(&path).unwrap_or_default()))
            }
        };
    }
    Ok(ExitCode::from(u8::from(!is_good)))
}

/// Checks all checksums and a sample of boards.
fn check(path: &Path, sample: u32) -> Result<String> {
    let table = endgame::open(path)?;
    let mut counts = Counts::default();
    for layer in 0..table.layers() {
        counts.add(&table.layer(layer)?);
    }
    let check = |number: u32| match table.rules() {
        TableRules::Kalah(rules) => check_share(&table, rules, number),
        TableRules::Oware(rules) => check_bounds(&table, rules, number),
        TableRules::Awari(rules) => check_bounds(&table, rules, number),
        TableRules::Checkers => check_value(&table, number),
    };
    (0..sample).try_for_each(check)?;
    Ok(match table.rules() {
        TableRules::Checkers => format!("checkers: all checksums and {sample} positions are right; {counts}"),
        rules => format!("{rules}: all checksums and {sample} boards are right"),
    })
}

/// Numbers of positions of checkers by value.
#[derive(Default)]
struct Counts {
    won: u64,
    drawn: u64,
    lost: u64,
    /// Plies of the longest win.
    longest: u8,
}

impl Counts {
    fn add(&mut self, values: &[u8]) {
        for &byte in values {
            match Value::from_byte(byte) {
                Value::Wins(plies) => (self.won, self.longest) = (self.won + 1, self.longest.max(plies)),
                Value::Draws => self.drawn += 1,
                Value::Loses(_) => self.lost += 1,
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { won, drawn, lost, longest } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost; the longest win takes {longest} plies")
    }
}

/// Solves a random board by search without the table.
fn check_share(table: &EndgameTable, rules: kalah::Rules, number: u32) -> Result<()> {
    let pos: Kalah = random_board(rules, rules.pits(), table.most(), number)?;
    let mut solver = Solver::with_table(&pos, 1, None)?;
    while solver.step(Budget::UNLIMITED) == Status::Running {}
    let (margin, _) = solver.solution().margins;
    if table.margin(&pos) != Some(margin) {
        bail!("{} has the margin {margin:+}, which the table denies", pos_text(&pos));
    }
    Ok(())
}

/// Compares a random board's bounds with those of the boards after its moves, and with a search without the table where
/// that reaches the end of the game.
fn check_bounds<R: SowingRules>(table: &EndgameTable, rules: Rules<R>, number: u32) -> Result<()> {
    const DEPTH: u32 = 10;
    let pos: SowingPosition<R> = random_board(rules, R::PITS, table.most(), number)?;
    if pos.is_over() {
        return Ok(());
    }
    let bounds = |pos: &SowingPosition<R>| {
        let bounds = table.bounds(pos.key()).filter(|_| !pos.is_over()).unwrap_or_default();
        [bounds.least, bounds.most].map(i32::from)
    };
    let after = |mv| {
        let (child, gain) = (pos.play(mv), pos.play(mv).margin(pos.side()));
        let [least, most] = bounds(&child);
        [gain - most, gain - least]
    };
    let best = |side: usize| pos.moves().map(|mv| after(mv)[side]).max().unwrap_or(0);
    let [least, most] = bounds(&pos);
    let mut search = Search::new(&pos, Limits::depth(DEPTH));
    while search.step(Budget::UNLIMITED) == Status::Running {}
    let report = search.report();
    let solved = report.lines.first().map(|line| line.margin).filter(|_| report.solved);
    if [least, most] != [best(0), best(1)] || solved.is_some_and(|margin| margin < least || margin > most) {
        bail!("{} has another margin than the table's, {least:+} to {most:+}", pos_text(&pos));
    }
    Ok(())
}

/// Compares a random position's value with those after its moves, along the line of best play to its end, and with a search
/// without the table.
fn check_value(table: &EndgameTable, number: u32) -> Result<()> {
    let start = random_position(table.most(), number);
    let value = |pos: &Checkers| if pos.is_over() { Some(Value::Loses(0)) } else { table.value(pos) };
    let mut pos = start;
    loop {
        let known = value(&pos).with_context(|| format!("{} has no value", pos_text(&pos)))?;
        let after = |mv| value(&pos.play(mv)).map(|after| (after.before(), mv));
        let best = pos.moves().filter_map(after).reduce(|a, b| if b.0.rank() > a.0.rank() { b } else { a });
        if best.map_or(Value::Loses(0), |(value, _)| value) != known {
            bail!("{} has another value than the table's, {known:?}", pos_text(&pos));
        }
        match best {
            Some((Value::Wins(_) | Value::Loses(_), mv)) => pos = pos.play(mv),
            _ => break,
        }
    }
    check_by_search(&start, value(&start).unwrap_or(Value::Draws))
}

/// Compares a value with searches without the table: the first depth that sees a win or a loss is the distance.
fn check_by_search(pos: &Checkers, value: Value) -> Result<()> {
    const DEPTH: u8 = 9;
    let margin = |depth: u8| {
        let mut search = Search::new(pos, Limits::depth(depth.into()));
        while search.step(Budget::UNLIMITED) == Status::Running {}
        search.report().lines.first().map_or(0, |line| line.margin)
    };
    let found = (1..=DEPTH).find_map(|depth| match margin(depth) {
        WON => Some(Value::Wins(depth)),
        margin if margin == -WON => Some(Value::Loses(depth)),
        _ => None,
    });
    let expected = Some(value).filter(|value| value.plies().is_some_and(|plies| (1..=DEPTH).contains(&plies)));
    if found != expected {
        bail!("{} has the value {found:?} by search, and {value:?} in the table", pos_text(pos));
    }
    Ok(())
}

/// A position with two to `most` pieces, at least one a side.
fn random_position(most: u8, number: u32) -> Checkers {
    let mut random = rng::keyed(&[number.into()]);
    let (mut men, mut kings, mut taken) = ([0_u32; 2], [0_u32; 2], 0_u32);
    let pieces = random.random_range(2..=most.max(2));
    let mut placed = 0;
    while placed < pieces {
        let (square, is_king) = (1_u32 << random.random_range(0..32), random.random_bool(0.5));
        // The first two pieces are of both sides.
        let side = if placed < 2 { usize::from(placed) } else { random.random_range(0..2) };
        let is_last_row = square & [FARTHEST_ROW, NEAREST_ROW][side] != 0;
        if taken & square != 0 || is_last_row && !is_king {
            continue;
        }
        (if is_king { &mut kings } else { &mut men })[side] |= square;
        (taken, placed) = (taken | square, placed + 1);
    }
    Checkers::from_sets(men, kings, if random.random_bool(0.5) { Side::South } else { Side::North })
}

fn pos_text(pos: &impl Notation) -> String {
    sanitize::inline(&pos.to_text()).into()
}

/// A board with up to `most` seeds.
fn random_board<G: BoardGame>(rules: G::Rules, pits: u8, most: u8, number: u32) -> Result<G, Error> {
    let (mut random, pits) = (rng::keyed(&[number.into()]), usize::from(pits));
    let mut board = PitBoard { pits: [vec![0; pits], vec![0; pits]], stores: [0, 0] };
    for _ in 0..random.random_range(most / 2..=most) {
        board.pits[random.random_range(0..2)][random.random_range(0..pits)] += 1;
    }
    G::from_board(rules, &Board::Pits(board), Side::South)
}

/// Reports a table of the game that searches would use and cannot.
pub(super) fn warn_of_damage(game: &Variant) {
    let rules = game.to_string().parse::<TableRules>().ok();
    if let Some(Err(error)) = rules.map(endgame::find) {
        out::report(&format!("warning: {error}"));
    }
}

fn remove(args: &RemoveArgs, folder: &Path) -> Result<ExitCode> {
    for path in named(folder, &args.name)? {
        fs::remove_file(&path).map_err(Error::cannot("remove", &path))?;
    }
    Ok(ExitCode::SUCCESS)
}
