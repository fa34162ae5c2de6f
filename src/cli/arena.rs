//! `mancalab arena` and `mancalab match`: tournaments without a screen.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};

use super::{print, signals};
use crate::arena::{Settings, Sprt, Tournament, View};
use crate::files::write_atomic;
use crate::game::{Variant, notation};
use crate::job::{Budget, Job as _, Run as _, RunJob, Status};
use crate::player::Spec;
use crate::player::spec::Ties;
use crate::rng;

#[derive(Args, Debug)]
pub struct ArenaArgs {
    /// Who meets, with commas between them, such as random,max,minimax:4
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    pub players: Vec<Spec>,
    /// How many games each plays moving first against each
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
    #[command(flatten)]
    pub how: HowArgs,
}

/// What matches and tournaments have in common.
#[derive(Args, Debug)]
pub struct HowArgs {
    /// Decides all random choices; without it a fresh one, which is told
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// The game and its rules
    #[arg(long, value_name = "GAME", default_value = "kalah:6x4:standard")]
    pub game: Variant,
    /// How many moves at the beginning of a game are random
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub opening: u32,
    /// Which of equally good moves minimax and heuristic players take, first or random, whatever their texts say
    #[arg(long, value_name = "WHICH")]
    pub ties: Option<Ties>,
    /// Stop two players' games once this test has decided between two advantages in Elo, such as 0,50
    #[arg(long, value_name = "LOWER,UPPER", allow_hyphen_values = true)]
    pub sprt: Option<Sprt>,
    /// Save every game into this folder
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// How many processors to use, 0 for all; changes nothing but the speed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

/// How a result is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    Md,
}

pub fn run(args: &ArenaArgs) -> Result<ExitCode> {
    let settings = Settings::round_robin(args.how.game, args.players.clone(), args.games, 0);
    let (view, code) = play(settings, &args.how)?;
    let text = match args.format {
        Format::Table => super::arena_text::table(&view),
        Format::Csv => super::arena_text::csv(&view),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&super::arena_text::json(&view))?),
        Format::Md => super::arena_text::markdown(&view),
    };
    print(text.as_bytes())?;
    Ok(code)
}

/// Plays it all, or as far as a signal allows; what has been played by then is printed like any other.
pub(super) fn play(mut settings: Settings, how: &HowArgs) -> Result<(View, ExitCode)> {
    // Fails only if threads were at work already, and then there are as many as usual.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(how.threads).build_global();
    settings.seed = how.seed.unwrap_or_else(rng::fresh_seed);
    (settings.opening, settings.stop) = (how.opening, how.sprt);
    if let Some(ties) = how.ties {
        settings.set_ties(ties);
    }
    if how.seed.is_none() {
        eprintln!("seed {}", settings.seed);
    }
    let mut tournament = RunJob::<Tournament>::in_memory(settings).map_err(|error| anyhow!(error))?;
    let signal = signals::catch().context("signals cannot be caught")?;
    let mut progress = Progress::new();
    let mut status = Status::Running;
    while status == Status::Running && signal.load(Ordering::Relaxed) == 0 {
        status = tournament.step(Budget::time(STEP));
        progress.show(&tournament);
    }
    progress.clear();
    let view = tournament.run().view();
    if let Some(folder) = &how.save {
        save(&view, folder)?;
    }
    let code = match (status, signal.load(Ordering::Relaxed)) {
        (Status::Done, _) => ExitCode::SUCCESS,
        (_, number) => {
            eprintln!("stopped after {} of {} games", view.done, view.total);
            ExitCode::from(128 + number as u8)
        }
    };
    Ok((view, code))
}

/// Writes every game that is kept, named by the numbers of its players and its own.
fn save(view: &View, folder: &Path) -> Result<()> {
    for (index, cell) in view.cells.iter().enumerate() {
        for kept in view.games.of(index) {
            let name = format!("{}-{}-{:05}.game", cell.cell.first + 1, cell.cell.second + 1, kept.number + 1);
            let path = folder.join(name);
            let text = notation::write(&view.record(&kept));
            write_atomic(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// How long a step may take before signals are looked at.
const STEP: Duration = Duration::from_millis(50);
/// A progress line on a terminal at most so often.
const REDRAW: Duration = Duration::from_millis(200);

/// A line on a terminal that says how far it is; nothing elsewhere.
struct Progress {
    live: bool,
    last: Option<Instant>,
}

impl Progress {
    fn new() -> Progress {
        Progress { live: io::stderr().is_terminal(), last: None }
    }

    fn show(&mut self, tournament: &RunJob<Tournament>) {
        if !self.live || self.last.is_some_and(|last| last.elapsed() < REDRAW) {
            return;
        }
        self.last = Some(Instant::now());
        let view = tournament.run().view();
        let left = view.seconds_left().map_or(String::new(), |left| {
            let left = left.ceil() as u64;
            format!("  {}:{:02} left", left / 60, left % 60)
        });
        let text = format!("{} of {} games  {:.1} games/s{left}", view.done, view.total, view.games_per_second());
        let mut out = io::stderr().lock();
        // A terminal that has gone away is noticed by its signal.
        let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
    }

    fn clear(&self) {
        if self.live {
            eprint!("\r\x1b[K");
        }
    }
}
