//! `mancalab tune`: runs of the genetic algorithm without a screen.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::{print, signals};
use crate::document::Listed as _;
use crate::evolve::ga::Past;
use crate::evolve::ga::weights::{PRESETS, WeightsRun, WeightsSettings, WeightsView, preset};
use crate::job::{Budget, Job, RunJob, Status, run_dir};
use crate::rng;
use crate::ui::short_count;

type WeightsJob = RunJob<WeightsRun>;

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct TuneArgs {
    /// The settings to start from, such as kalah-thesis
    #[arg(required_unless_present = "resume")]
    pub preset: Option<String>,
    /// Decides all random choices in the run; without it each run has a fresh one
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// How many generations are bred after the first
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub generations: Option<u64>,
    /// How many genomes a generation has
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub population: Option<u32>,
    /// Any other setting, such as depth=6; may be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    pub set: Vec<String>,
    /// How many processors to use, 0 for all; changes nothing but the speed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// The run's folder; without it a new one among the runs in the state directory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "preset")]
    pub resume: Option<PathBuf>,
    /// One JSON object a generation, and one at the end
    #[arg(long)]
    pub json: bool,
}

fn after_help() -> String {
    let presets: String = PRESETS.iter().map(|(name, about)| format!("  {name:<16}{about}\n")).collect();
    let settings = preset(PRESETS[0].0).map(|settings| settings.list()).unwrap_or_default();
    let settings = settings.iter().map(|(key, about, value)| format!("  {key:<16}{about} ({value})\n"));
    format!("Presets:\n{presets}\nSettings:\n{}", settings.collect::<String>())
}

/// How long a step may take before signals are looked at.
const STEP: Duration = Duration::from_millis(50);
/// A progress line on a terminal at most so often, and a plain line elsewhere.
const REDRAW: Duration = Duration::from_millis(200);
const PLAIN: Duration = Duration::from_secs(10);

pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    // Fails only if threads were at work already, and then there are as many as usual.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build_global();
    let (mut job, notes) = match &args.resume {
        Some(folder) => WeightsJob::resume(folder).map_err(|error| anyhow!(error))?,
        None => (begin(args)?, Vec::new()),
    };
    notes.iter().for_each(|note| eprintln!("mancalab: {note}"));
    let signal = signals::catch().context("signals cannot be caught")?;
    let mut reporter = Reporter::begin(args.json, &job)?;
    let mut status = Status::Running;
    while status == Status::Running && signal.load(Ordering::Relaxed) == 0 {
        status = job.step(Budget::time(STEP));
        reporter.progress(&job)?;
    }
    job.rest();
    if let Some(error) = job.error() {
        bail!("the run had to stop: {error}; go on with: {}", resume_command(&job));
    }
    reporter.end(&job, status)?;
    Ok(match (status, signal.load(Ordering::Relaxed)) {
        (Status::Done, _) => ExitCode::SUCCESS,
        (_, number) => ExitCode::from(128 + number as u8),
    })
}

fn begin(args: &TuneArgs) -> Result<WeightsJob> {
    let settings = settings(args)?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let runs = run_dir::runs_folder()
                .context("there is no home directory to keep runs in; name a folder with --out")?;
            run_dir::free_folder(&runs, &format!("{}-seed{}", settings.preset, settings.seed))
        }
    };
    WeightsJob::create(&folder, settings).map_err(|error| anyhow!(error))
}

/// The preset's settings with what the flags change.
fn settings(args: &TuneArgs) -> Result<WeightsSettings> {
    let known: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
    let name = args.preset.as_deref().unwrap_or(known[0]);
    let mut settings =
        preset(name).ok_or_else(|| anyhow!("no preset is called '{name}'; known: {}", known.join(", ")))?;
    settings.seed = rng::fresh_seed();
    let flags = [
        ("seed", args.seed.map(|seed| seed.to_string())),
        ("generations", args.generations.map(|count| count.to_string())),
        ("population", args.population.map(|count| count.to_string())),
    ];
    for (key, value) in flags {
        value.map_or(Ok(()), |value| settings.set(key, &value)).map_err(|reason| anyhow!("--{reason}"))?;
    }
    for change in &args.set {
        let (key, value) = change.split_once('=').ok_or_else(|| anyhow!("--set takes KEY=VALUE; '{change}' is not"))?;
        settings.set(key.trim(), value).map_err(|reason| anyhow!("--set: {reason}"))?;
    }
    settings.check().map_err(|reason| anyhow!(reason))?;
    Ok(settings)
}

fn folder(job: &WeightsJob) -> String {
    job.folder().map(|folder| folder.display().to_string()).unwrap_or_default()
}

fn resume_command(job: &WeightsJob) -> String {
    format!("mancalab tune --resume {}", folder(job))
}

/// Tells how it goes: a line that changes on a terminal, lines that stay elsewhere, or JSON.
struct Reporter {
    json: bool,
    live: bool,
    /// Generations told so far.
    told: usize,
    last: Option<Instant>,
    began: Instant,
}

impl Reporter {
    fn begin(json: bool, job: &WeightsJob) -> Result<Reporter> {
        let settings = job.run().settings();
        let told = job.run().past().len();
        let live = !json && io::stderr().is_terminal();
        if json {
            let settings: serde_json::Map<String, Value> =
                settings.list().into_iter().map(|(key, _, value)| (key.to_owned(), value.into())).collect();
            let WeightsSettings { preset, seed, generations, .. } = job.run().settings();
            let (folder, resumed_at) = (folder(job), told.checked_sub(1));
            let object = json!({
                "event": "begin", "preset": preset, "seed": seed, "generations": generations, "settings": settings,
                "folder": folder, "resumed_at": resumed_at,
            });
            line(&object.to_string())?;
        } else {
            line(&format!("{} · seed {} · {}", settings.preset, settings.seed, folder(job)))?;
        }
        Ok(Reporter { json, live, told, last: None, began: Instant::now() })
    }

    fn progress(&mut self, job: &WeightsJob) -> Result<()> {
        let past = job.run().past();
        if self.json {
            for row in &past[self.told..] {
                line(&row_json(row).to_string())?;
            }
            self.told = past.len();
            return Ok(());
        }
        let pause = if self.live { REDRAW } else { PLAIN };
        if past.is_empty() || self.last.is_some_and(|last| last.elapsed() < pause) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        let text = progress_text(&job.view().run);
        if self.live {
            let mut out = io::stderr().lock();
            // A terminal that has gone away is noticed by its signal.
            let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
            return Ok(());
        }
        line(&text)
    }

    fn end(&self, job: &WeightsJob, status: Status) -> Result<()> {
        if self.live {
            eprint!("\r\x1b[K");
        }
        let view = job.view().run;
        let player = view.best().map(|best| view.player(&best.best_genome));
        if self.json {
            let object = json!({
                "event": "end", "finished": status == Status::Done, "best": view.best().map(row_json),
                "player": player, "seconds": self.began.elapsed().as_secs_f64(),
            });
            return line(&object.to_string());
        }
        if let (Some(best), Some(player)) = (view.best(), player) {
            line(&format!("generation {}: best {:.1} %, born in {}", best.generation, best.best, best.best_born))?;
            line(&format!("play: mancalab --north {player}"))?;
        }
        if status == Status::Running {
            line(&format!("saved; go on with: {}", resume_command(job)))?;
        }
        Ok(())
    }
}

fn progress_text(view: &WeightsView) -> String {
    let Some(best) = view.best() else { return String::new() };
    let weights: Vec<String> = best.best_genome.iter().map(|weight| format!("{weight:.2}")).collect();
    let left = view.seconds_left().filter(|_| !view.finished).map_or(0.0, f64::ceil) as u64;
    format!(
        "generation {} of {}  best {:.1} %  W {}  {} games/s  {}:{:02} left",
        best.generation,
        view.settings.generations,
        best.best,
        weights.join(" "),
        short_count(view.games_per_second as u64),
        left / 60,
        left % 60,
    )
}

/// A line on standard output; that nobody reads it is no reason to stop a run.
fn line(text: &str) -> Result<()> {
    print(format!("{text}\n").as_bytes()).map(|_| ())
}

fn row_json(row: &Past) -> Value {
    json!({
        "event": "generation", "generation": row.generation, "best": row.best, "mean": row.mean, "worst": row.worst,
        "best_id": row.best_id, "best_born": row.best_born, "weights": &row.best_genome[..],
    })
}
