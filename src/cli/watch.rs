//! `mancalab runs watch`: opens the tab of a run or plan, which other processes may be computing, the Monitor, or the Board with the game of
//! another terminal; or prints runs by lines, in JSON or as a table.

use mancalab_base::{Error, counted, csv};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::format::{EventsArgs, Format, print_table};
use super::live::clock;
use super::{ScreenArgs, lines, out, screen, signals};
use crate::cluster::index::{self, PlanState};
use crate::cluster::plan::Plan;
use crate::files::GrowingFile;
use crate::job::RunReader;
use crate::job::run_dir::{self, EntryState, ROWS};
use crate::kept;
use crate::monitor::{self, EVERY, Reader};
use crate::paths::Paths;
use crate::sanitize;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, TabSettings};

#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Run or plan, by folder, name or unique start of the name; default: the most recently active
    pub run: Option<PathBuf>,
    /// All runs and plans at a glance, with alarms; with --json an object for each, and another whenever one changes, until interrupted; with
    /// --format csv or md and --once a table
    #[arg(long, conflicts_with = "run")]
    pub all: bool,
    /// The game on the board of your other terminal, turn by turn
    #[arg(long, conflicts_with_all = ["run", "all", "lines"])]
    pub board: bool,
    #[command(flatten)]
    pub output: EventsArgs,
    /// With --all and --format, --json or --lines: print each once and end
    #[arg(long)]
    pub once: bool,
    /// Print a line for each row of the run or, with --all, for each run that changes, without a screen; default where TERM is dumb
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub lines: bool,
    #[command(flatten)]
    pub screen: ScreenArgs,
}

pub fn run(args: &WatchArgs, paths: &Paths) -> Result<ExitCode> {
    let runs = paths.runs();
    let by_lines = lines::are_chosen(args.lines);
    let format = args.output.format();
    ensure!(args.all || format == Format::Text, "--format and --json are for all runs; add --all");
    ensure!(args.all || !args.once, "--once is for all runs; add --all");
    ensure!(
        args.once || !matches!(format, Format::Csv | Format::Md),
        "csv and md need --once; --json prints every change"
    );
    if format != Format::Text || (args.all && by_lines) {
        return feed(
            &runs.context("no home directory for saved runs: set HOME or XDG_STATE_HOME")?,
            args.once,
            |all| match format {
                Format::Text => all.iter().all(|one| out::line(&line_of(one))),
                Format::Json => all.iter().all(|one| out::json("watch", one)),
                table => print_table(table, &all.iter().map(out::value).collect::<Vec<_>>()),
            },
        );
    }
    if args.board {
        let config = screen::load_config(&args.screen, paths)?;
        let games = Some(paths.games().context("no home directory for games: set HOME or XDG_STATE_HOME")?);
        let board = Settings { follows: true, ..Settings::new(Setup::from_config(&config.board), games) };
        return screen::open(config, TabSettings::new(board, paths), None, paths);
    }
    if args.all {
        let config = screen::load_config(&args.screen, paths)?;
        let setup = Setup::from_config(&config.board);
        return screen::open(
            config,
            TabSettings::new(Settings::new(setup, paths.games()), paths),
            Some("monitor"),
            paths,
        );
    }
    let folder = match &args.run {
        Some(run) => index::find(runs.as_deref(), run),
        None => index::newest(runs.as_deref()),
    };
    let folder = folder?;
    let kind = kind(&folder)?;
    if by_lines {
        return follow(folder);
    }
    let config = screen::load_config(&args.screen, paths)?;
    let setup = Setup::from_config(&config.board);
    let mut tab_settings = TabSettings::new(Settings::new(setup, paths.games()), paths);
    let no_tab = || format!("{}: no tab for runs of kind '{kind}'", sanitize::path(&folder));
    let scope = tabs::of_kind(&kind).with_context(no_tab)?;
    tab_settings.run = Some((scope, folder));
    screen::open(config, tab_settings, Some(scope), paths)
}

/// The kind of a run, or of a plan's runs.
fn kind(folder: &Path) -> std::result::Result<String, Error> {
    if index::is_plan(folder) {
        return Ok(Plan::open(folder)?.draft().manifest.kind.clone());
    }
    Ok(RunReader::open(folder)?.manifest().kind.clone())
}

/// The time between checks for signals.
const LOOK: Duration = Duration::from_millis(100);

/// `sweep: running, 40 %, newest row 12, best 47, 1:20 left`
fn line_of(one: &monitor::Json) -> String {
    let at = |at: u64| if one.plan { counted(at, "unit") + " done" } else { format!("newest row {at}") };
    let parts = [
        Some(format!("{}: {}", one.name, one.state)),
        one.share.map(|share| format!("{:.0} %", (100.0 * share).floor())),
        one.newest.map(at),
        (!one.best.is_empty()).then(|| format!("best {}", one.best)),
        one.seconds_left.map(|left| format!("{} left", clock(left))),
        one.alarm.as_ref().map(|alarm| format!("alarm: {alarm}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Prints every run and plan, and each that changes, until a signal or a closed output. `print` returns whether the output is still read.
fn feed(runs: &Path, once: bool, print: impl Fn(&[monitor::Json]) -> bool) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let mut before = HashMap::new();
    let mut reader = Reader::new(runs.to_owned());
    loop {
        let seen = reader.read(Instant::now());
        let is_read = print(&monitor::changes(&seen, &mut before));
        if once || !is_read {
            return Ok(ExitCode::SUCCESS);
        }
        if !pause() {
            return Ok(signals::exit_code());
        }
    }
}

/// Waits for the time of the next look; returns false after a signal.
fn pause() -> bool {
    let until = Instant::now() + EVERY;
    while Instant::now() < until && signals::received() == 0 {
        std::thread::sleep(LOOK);
    }
    signals::received() == 0
}

/// Prints a line for each row of a run, or for each change of a plan, until it ends, a signal, or a closed output.
fn follow(folder: PathBuf) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let mut rows = Rows::open(&folder.join(ROWS));
    let mut before = String::new();
    loop {
        // Before the rows, so that none is missed at the end.
        let Status { text, is_active } = Status::read(&folder);
        let mut texts = if index::is_plan(&folder) { Vec::new() } else { rows.read() };
        if text != before && !text.is_empty() {
            texts.push(text.clone());
        }
        before = text;
        if !texts.iter().all(|text| out::line(text)) || !is_active {
            return Ok(ExitCode::SUCCESS);
        }
        if !pause() {
            return Ok(signals::exit_code());
        }
    }
}

/// The state of a run or plan.
struct Status {
    /// Empty for a run that is computed: its rows are its news.
    text: String,
    is_active: bool,
}

impl Status {
    fn read(folder: &Path) -> Status {
        if index::is_plan(folder) {
            let plan = index::entry(folder.to_owned());
            let text = format!("{}: {}", kept::plan_word(&plan.state), kept::units(&plan.counts));
            return Status { text, is_active: plan.state == PlanState::Running };
        }
        let run = run_dir::entry(folder.to_owned());
        let word = kept::word_of(&run.state);
        let text = match &run.state {
            EntryState::Running(_) => String::new(),
            EntryState::Paused(_) => word.to_owned(),
            EntryState::Failed(why) | EntryState::Damaged(why) => format!("{word}: {why}"),
            EntryState::Stopped | EntryState::Crashed | EntryState::Finished if run.best.is_empty() => word.to_owned(),
            EntryState::Stopped | EntryState::Crashed | EntryState::Finished => {
                format!("{word}: best {}", kept::best(&run))
            }
        };
        Status { text, is_active: matches!(run.state, EntryState::Running(_) | EntryState::Paused(_)) }
    }
}

/// The rows of a run as they are written.
struct Rows {
    file: GrowingFile,
    names: Vec<String>,
}

impl Rows {
    fn open(path: &Path) -> Rows {
        Rows { file: GrowingFile::new(path), names: Vec::new() }
    }

    /// Returns the complete rows since the last call: `generation 3, best 47, mean 30.5`.
    fn read(&mut self) -> Vec<String> {
        // A run that has just begun has no file yet.
        let lines = self.file.lines().unwrap_or_default();
        lines.iter().filter_map(|line| self.text(line)).collect()
    }

    /// The text of a row; `None` for the header.
    fn text(&mut self, line: &str) -> Option<String> {
        let cells = csv::rows(line).pop()?.1.into_iter();
        if self.names.is_empty() {
            self.names = cells.map(|name| name.replace('_', " ")).collect();
            return None;
        }
        let cells = self.names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
        Some(cells.map(|(name, cell)| format!("{name} {cell}")).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rows_are_texts_by_the_names_of_the_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ROWS);
        let mut rows = Rows::open(&path);
        assert!(rows.read().is_empty());
        fs::write(&path, "generation,best_stones,mean\n0,3,1.5\n1,4").unwrap();
        assert_eq!(rows.read(), ["generation 0, best stones 3, mean 1.5"]);
        fs::write(&path, "generation,best_stones,mean\n0,3,1.5\n1,4,\n2,5,2\n").unwrap();
        assert_eq!(rows.read(), ["generation 1, best stones 4", "generation 2, best stones 5, mean 2"]);
    }
}
