//! `mancalab evolve`: a run without a screen.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::{print, signals};
use crate::config::Config;
use crate::evolve::gp::row::short;
use crate::evolve::gp::{EvolutionView, GenerationRow};
use crate::evolve::kalah::settings::CUSTOM;
use crate::evolve::kalah::{KalahJob, KalahProblem, Settings};
use crate::job::{Budget, Job, Run, Status, run_dir};
use crate::rng;
use crate::ui::short_count;

#[derive(Args, Debug, Default)]
pub struct EvolveArgs {
    /// mancala-gp-1, mancala-gp-2, mancala-gp-broad, or custom: the config's section evolution
    #[arg(required_unless_present = "resume")]
    pub preset: Option<String>,
    /// Decides all random choices in the run; without it each run has a fresh one
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// How many generations are bred after the first
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub generations: Option<u64>,
    /// How many programs a generation has
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub population: Option<u32>,
    /// Any other setting of the config's section evolution, such as selection=tournament:5; may be given several times
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
    /// A config file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// How long a step may take before signals are looked at.
const STEP: Duration = Duration::from_millis(50);
/// A progress line on a terminal at most so often, and a plain line at least so often while nothing is found.
const REDRAW: Duration = Duration::from_millis(200);
const SILENCE: Duration = Duration::from_secs(10);

pub fn run(args: &EvolveArgs) -> Result<ExitCode> {
    let (mut job, notes) = match &args.resume {
        Some(folder) => KalahJob::resume(folder).map_err(|error| anyhow!("{error}"))?,
        None => (begin(args)?, Vec::new()),
    };
    job.set_threads(args.threads);
    let signal = signals::catch().context("signals cannot be caught")?;
    let mut reporter = Reporter::new(args.json, &job);
    for note in notes {
        eprintln!("mancalab: {note}");
    }
    reporter.begin(&job)?;
    let mut status = Status::Running;
    while status == Status::Running && signal.load(Ordering::Relaxed) == 0 {
        status = job.step(Budget::time(STEP));
        reporter.progress(&job)?;
    }
    job.rest();
    reporter.end(&job, status)?;
    if let Some(error) = job.error() {
        bail!("the run had to stop: {error}; go on with: {}", resume_command(&job));
    }
    Ok(match (status, signal.load(Ordering::Relaxed)) {
        (Status::Done, _) => ExitCode::SUCCESS,
        (_, number) => ExitCode::from(128 + number as u8),
    })
}

/// The settings that the arguments name.
///
/// # Errors
/// A sentence with the value and what would be accepted.
pub fn settings(args: &EvolveArgs) -> Result<Settings> {
    let name = args.preset.as_deref().unwrap_or(CUSTOM);
    let mut settings = if name == CUSTOM {
        Config::load(args.config.as_deref()).map_err(|error| anyhow!("{error}"))?.evolution
    } else {
        Settings::preset(name).map_err(|error| anyhow!("{error}"))?
    };
    for text in &args.set {
        settings.set_text(text).map_err(|error| anyhow!("{error}"))?;
    }
    let tableau = &mut settings.tableau;
    tableau.seed = args.seed.unwrap_or_else(rng::fresh_seed);
    tableau.generations = args.generations.unwrap_or(tableau.generations);
    tableau.population = args.population.unwrap_or(tableau.population);
    if !(2..=1_000_000).contains(&tableau.population) {
        bail!("a population of {} is not possible; 2 to 1000000 are", tableau.population);
    }
    tableau.check().map_err(|error| anyhow!("{error}"))?;
    Ok(settings)
}

fn begin(args: &EvolveArgs) -> Result<KalahJob> {
    let settings = settings(args)?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            let runs = run_dir::runs_folder()
                .context("there is no home directory to keep runs in; name a folder with --out")?;
            run_dir::free_folder(&runs, &format!("{}-seed{}", settings.preset, settings.tableau.seed))
        }
    };
    KalahJob::create(&folder, settings).map_err(|error| anyhow!("{error}"))
}

fn resume_command(job: &KalahJob) -> String {
    let folder = job.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    format!("mancalab evolve --resume {folder}")
}

/// Tells how it goes: a line that changes on a terminal, lines that stay elsewhere, or JSON.
struct Reporter {
    json: bool,
    live: bool,
    /// Rows told so far.
    told: usize,
    /// The best that was told.
    best: f64,
    last: Instant,
    began: Instant,
    began_at: usize,
}

impl Reporter {
    fn new(json: bool, job: &KalahJob) -> Reporter {
        let now = Instant::now();
        let told = job.run().history().len();
        let live = !json && io::stderr().is_terminal();
        Reporter { json, live, told, best: f64::NEG_INFINITY, last: now, began: now, began_at: told }
    }

    fn begin(&self, job: &KalahJob) -> Result<()> {
        let settings = job.run().settings();
        let folder = job.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
        if self.json {
            let object = json!({
                "event": "begin", "preset": settings.preset, "seed": settings.tableau.seed,
                "generations": settings.tableau.generations, "population": settings.tableau.population,
                "folder": folder, "resumed_at": job.run().generation(),
            });
            return line(&object.to_string());
        }
        line(&format!("{} · seed {} · {folder}", settings.preset, settings.tableau.seed))
    }

    fn progress(&mut self, job: &KalahJob) -> Result<()> {
        if self.json {
            let history = job.run().history();
            while let Some(row) = history.get(self.told) {
                line(&row_json(row).to_string())?;
                self.told += 1;
            }
            return Ok(());
        }
        let view = job.run().view();
        let best = view.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.individual.outcome.fitness);
        let due =
            if self.live { self.last.elapsed() >= REDRAW } else { best > self.best || self.last.elapsed() >= SILENCE };
        if !due {
            return Ok(());
        }
        (self.last, self.best) = (Instant::now(), best);
        let text = self.text(&view);
        if self.live {
            let mut out = io::stderr().lock();
            // A terminal that has gone away is noticed by its signal.
            let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
            return Ok(());
        }
        line(&text)
    }

    fn text(&self, view: &EvolutionView<KalahProblem>) -> String {
        let generation = view.generation.unwrap_or(0);
        let mut text = format!("generation {generation} of {}", view.of);
        if let Some(best) = &view.best {
            let [first, second] = best.individual.outcome.scores.map(short);
            let fitness = short(best.individual.outcome.fitness);
            text += &format!("  best {fitness} ({first} first, {second} second; found in {})", best.found);
        }
        text += &format!("  {} evals/s", short_count(view.times.evaluations_per_second() as u64));
        let done = view.history.len().saturating_sub(self.began_at);
        if done > 0 {
            let left = (view.of - generation) as f64 * self.began.elapsed().as_secs_f64() / done as f64;
            text += &format!("  {} left", clock(left));
        }
        text
    }

    fn end(&mut self, job: &KalahJob, status: Status) -> Result<()> {
        if self.live {
            eprint!("\r\x1b[K");
        }
        let run = job.run();
        let best = run.best_so_far();
        if self.json {
            let (text, summary) = best.map(|best| (best.individual.program.to_notation(), best.summary())).unzip();
            let object = json!({
                "event": "end", "finished": status == Status::Done, "generation": run.generation(),
                "fitness": best.map(|best| best.individual.outcome.fitness),
                "scores": best.map(|best| best.individual.outcome.scores), "best": summary, "program": text,
                "seconds": self.began.elapsed().as_secs_f64(),
            });
            return line(&object.to_string());
        }
        if let Some(best) = best {
            line(&format!("best: {}", best.summary()))?;
            line(&format!("      {}", shortened(&best.simplified.to_sexpr())))?;
        }
        if let Some(folder) = job.folder() {
            line(&format!("play: mancalab --north program:{}", folder.join("best.txt").display()))?;
        }
        if status == Status::Running {
            line(&format!("saved; go on with: {}", resume_command(job)))?;
        }
        Ok(())
    }
}

/// A line on standard output; that nobody reads it is no reason to stop a run.
fn line(text: &str) -> Result<()> {
    print(format!("{text}\n").as_bytes()).map(|_| ())
}

fn row_json(row: &GenerationRow) -> Value {
    json!({
        "event": "generation", "generation": row.generation, "best": row.best, "mean": row.mean, "median": row.median,
        "lower_quartile": row.lower_quartile, "upper_quartile": row.upper_quartile, "worst": row.worst,
        "best_scores": row.best_scores, "best_nodes": row.best_nodes, "best_depth": row.best_depth,
        "mean_nodes": row.mean_nodes, "max_nodes": row.max_nodes, "mean_depth": row.mean_depth, "max_depth": row.max_depth,
        "unique_programs": row.unique_programs, "unique_behaviours": row.unique_behaviours,
        "operator": row.operator.to_string(), "born": row.born, "parents": row.parents,
    })
}

/// At most 200 characters of a program.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// `1:02:03`, `2:03`
fn clock(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
