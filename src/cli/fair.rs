//! `mancalab solve fair`: the fair openings of Kalah.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use mancalab_base::{Error, bail, rng};
use serde::Serialize;

use super::format::{Format, OutputArgs};
use super::live::{Progress, ProgressLine};
use super::run::threads;
use super::{out, signals, solve};
use crate::budget::{Budget, Job as _, Status};
use crate::fair::FairSearch;
use crate::game::kalah::{Kalah, Rules};
use crate::game::{Notation as _, Variant};
use crate::grid::Grid;
use crate::pool::Pool;

#[derive(Args, Debug)]
pub struct FairArgs {
    /// Size and rules: PITSxSEEDS[:standard|empty], with or without kalah: before it
    #[arg(value_name = "RULES", default_value = "kalah:6x4:standard", value_parser = solve::rules)]
    pub rules: Rules,
    /// Maximum number of seeds in another pit than at the usual start, 1 to 3
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub moves: u32,
    /// Number of the first start to test, from 1; to continue a search that was stopped
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub from: u32,
    /// Maximum size of each thread's transposition table
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub memory: u32,
    /// Threads to use, 0 for all; affects only the speed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub threads: usize,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `fair:SEED`: a start that a seed chooses among the known fair openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FairStart(u64);

impl FairStart {
    pub fn read(text: &str) -> Result<FairStart, Error> {
        let seed = text.strip_prefix("fair:").and_then(|seed| seed.parse().ok());
        seed.map(FairStart).ok_or_else(|| {
            format!("must be fair: and a whole number, as in fair:1, or ballot: and a number (got '{text}')").into()
        })
    }

    /// Returns the game that starts with the opening.
    ///
    /// # Errors
    /// No fair openings of the game are known.
    pub fn apply(self, variant: Variant) -> Result<Variant, Error> {
        let known = match variant {
            Variant::Kalah(rules) => rules.fair_openings().count() as u64,
            _ => 0,
        };
        match variant {
            Variant::Kalah(rules) if known > 0 => {
                Ok(Variant::Kalah(rules.opened((rng::derived(&[self.0]) % known + 1) as u8)))
            }
            _ => bail!(
                "--start: no fair openings of {variant} are known; {} games have some, such as kalah:{}",
                Rules::with_fair_openings().count(),
                Rules::with_fair_openings().last().unwrap_or_default()
            ),
        }
    }
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// Fair openings, for programs.
#[derive(Serialize)]
struct Fair {
    game: String,
    /// Number of starts, and of those tested, in their order from the first one asked for.
    starts: usize,
    tested: usize,
    fair: Vec<String>,
}

impl Fair {
    /// The fair openings, a row each.
    fn grid(&self) -> Grid {
        let row = |line: &String| {
            let (rules, position) = line.split_once(' ')?;
            Some([format!("kalah:{rules}"), position.to_owned()])
        };
        Grid::new(&["game", "position"], &[], self.fair.iter().filter_map(row))
    }
}

pub fn run(args: &FairArgs) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let all = args.rules.starts(args.moves);
    let skipped = (args.from as usize - 1).min(all.len());
    let starts = all[skipped..].to_vec();
    let mut search = FairSearch::new(starts.clone(), args.memory as usize, &Pool::new(args.threads))?;
    let began = Instant::now();
    let mut status = Status::Running;
    let reporter = &mut ProgressLine::with_signals_caught();
    let mut tested = 0;
    let mut fair = Vec::new();
    while status == Status::Running && signals::received() == 0 {
        status = search.step(Budget::time(STEP));
        let found = search.view();
        // Openings are printed in the order of the starts, whichever is known first.
        while let Some(Some(is_fair)) = found.get(tested) {
            if *is_fair {
                let text = line(&starts[tested]);
                if args.output.is_text() && !reporter.above(|| out::line(&text)) {
                    return Ok(ExitCode::SUCCESS);
                }
                fair.push(text);
            }
            tested += 1;
        }
        reporter.progress(|| progress(&found, skipped, fair.len(), began));
    }
    reporter.clear();
    let count = format!("{} of {tested} starts are fair", fair.len());
    let fair = Fair { game: format!("kalah:{}", args.rules), starts: all.len(), tested, fair };
    match args.output.format() {
        Format::Csv => out::result(&fair.grid().csv()),
        Format::Md => out::result(&fair.grid().markdown()),
        Format::Text | Format::Json => args.output.print("fair", &fair, String::new),
    };
    if args.output.is_text() {
        out::report(&count);
    }
    if status == Status::Done {
        return Ok(ExitCode::SUCCESS);
    }
    out::report(&format!("stopped; continue with --from {}", skipped + tested + 1));
    Ok(signals::exit_code())
}

/// Rules and position, as in the program's list of openings.
fn line(pos: &Kalah) -> String {
    format!("{} {}", pos.rules(), pos.to_text())
}

fn progress(found: &[Option<bool>], skipped: usize, fair: usize, began: Instant) -> Progress {
    let known = found.iter().flatten().count();
    let of = found.len();
    let seconds = began.elapsed().as_secs_f64();
    Progress {
        share: known as f64 / of.max(1) as f64,
        count: format!("start {}/{}", skipped + known, skipped + of),
        left: (known > 0).then(|| seconds / known as f64 * (of - known) as f64),
        speed: String::new(),
        more: vec![format!("{fair} fair")],
    }
}
