//! `mancalab plan submit`: computes the units of a plan here, or submits them to an engine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use mancalab_base::{Error, counted};

use super::open;
use crate::cli::live::{Live, Progress};
use crate::cli::run::{clock, threads};
use crate::cli::{out, signals};
use crate::cluster::engine::local::{self, Local, News};
use crate::cluster::engine::{Engine, Steps, Submission};
use crate::cluster::layout;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::status::{forget_failures, not_done};
use crate::paths::Paths;
use crate::pool::Pool;
use crate::{confined, files, sanitize};

#[derive(Args, Debug)]
pub struct SubmitArgs {
    /// Plan, by folder, name or unique start of the name
    pub plan: PathBuf,
    /// Engine that computes the units; local is this machine
    #[arg(long, value_name = "ENGINE")]
    pub engine: EngineName,
    /// Units at a time with the local engine, 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub jobs: usize,
    /// Threads per unit
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Only this share of the units, such as 2/3 for the second of three machines without a common folder
    #[arg(long, value_name = "I/N", value_parser = part)]
    pub part: Option<Share>,
    /// Only print the files and commands
    #[arg(long)]
    pub dry_run: bool,
    /// Further arguments for the engine's command, after --
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub more: Vec<String>,
    /// Part of a sweep, which merges and prints results of its own: messages go to standard error, and no next step is printed.
    #[arg(skip)]
    pub is_part_of_sweep: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    Local,
    Hyperqueue,
    Slurm,
}

/// A share of a plan's units: one of `of` machines, from 0.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    part: usize,
    parts: usize,
}

fn part(text: &str) -> Result<Share, Error> {
    let share =
        text.split_once('/').and_then(|(at, parts)| Some((at.parse::<usize>().ok()?, parts.parse::<usize>().ok()?)));
    let share = share.filter(|(at, parts)| (1..=*parts).contains(at));
    share
        .map(|(at, parts)| Share { part: at - 1, parts })
        .ok_or_else(|| "expected I/N with I from 1 to N, such as 2/3".into())
}

impl Share {
    /// Returns whether the share contains a unit. Units that need others are shared by runs, since the results of other
    /// machines are not there.
    fn contains(self, work: &Runs, needing: bool, unit: u32) -> bool {
        let number = if needing { work.run_of(unit) } else { unit as usize };
        number % self.parts == self.part
    }
}

pub fn run(args: &SubmitArgs, paths: &Paths) -> Result<ExitCode> {
    let (plan, work) = open(&args.plan, paths)?;
    let mut left = not_done(&plan, &work);
    let mut these = plan.units();
    if let Some(share) = args.part {
        let needing = (0..work.units()).any(|unit| !work.needs(unit).is_empty());
        let contains = |unit: &u32| share.contains(&work, needing, *unit);
        these = (0..work.units()).filter(contains).count() as u32;
        left.retain(contains);
    }
    if left.is_empty() {
        args.say(&format!("all {} of {} are done", counted(these, "unit"), sanitize::path(plan.folder())));
        if args.part.is_none()
            && let Some(next) = next_step(args, &plan)
        {
            out::line(&next);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let program = std::env::current_exe().context("cannot find the path of this program")?;
    match args.engine {
        EngineName::Local => here(args, &plan, &work, &program, &left, these),
        EngineName::Hyperqueue => hand_over(args, Engine::HyperQueue, &plan, &work, &program, &left),
        EngineName::Slurm => hand_over(args, Engine::Slurm, &plan, &work, &program, &left),
    }
}

fn here(args: &SubmitArgs, plan: &Plan, work: &Runs, program: &Path, left: &[u32], all: u32) -> Result<ExitCode> {
    if let Some(more) = args.more.first() {
        bail!("the local engine takes no further arguments (got '{more}')");
    }
    let logs = plan.folder().join(layout::LOGS);
    let jobs = if args.jobs == 0 { Pool::new(0).count() } else { args.jobs };
    let needs = |unit| work.needs(unit);
    let local =
        Local { program, plan: plan.folder(), logs: &logs, jobs, threads: args.threads, units: left, needs: &needs };
    if args.dry_run {
        for unit in left {
            let (program, words) = local::command(&local, *unit);
            let words: Vec<String> = words.iter().map(sanitize::shell).collect();
            out::line(&format!("$ {} {}", sanitize::shell_path(&program), words.join(" ")));
        }
        return Ok(ExitCode::SUCCESS);
    }
    confined::create_folders(&logs).with_context(|| format!("cannot create {}", sanitize::path(&logs)))?;
    forget_failures(plan).with_context(|| format!("cannot change {}", sanitize::path(plan.folder())))?;
    signals::catch().context("cannot catch signals")?;
    args.say(&format!(
        "computing {} of {}, {jobs} at a time; Ctrl-C saves and stops",
        counted(left.len(), "unit"),
        all
    ));
    args.say(&format!("watch: mancalab runs watch {}", sanitize::shell_path(plan.folder())));
    compute_here(args, plan, work, &local, all)
}

/// What follows when all units are done; `None` if the caller does it.
fn next_step(args: &SubmitArgs, plan: &Plan) -> Option<String> {
    let named = sanitize::shell_path(plan.folder());
    let next = match args.part {
        Some(_) => format!("next: copy {named}/results to the machine that merges"),
        None => format!("next: mancalab plan merge {named}"),
    };
    Some(next).filter(|_| !args.is_part_of_sweep)
}

impl SubmitArgs {
    fn say(&self, text: &str) {
        if self.is_part_of_sweep {
            out::report(text);
        } else {
            out::line(text);
        }
    }
}

/// Computes the units that are left of `all`, and prints what to do next.
fn compute_here(args: &SubmitArgs, plan: &Plan, work: &Runs, local: &Local<'_>, all: u32) -> Result<ExitCode> {
    let began = std::time::Instant::now();
    let before = all - local.units.len() as u32;
    let mut live = Live::new();
    let mut done = 0;
    let mut message = |news: News, running: &[u32]| {
        let message = match news {
            News::Running => None,
            News::Done => {
                done += 1;
                None
            }
            News::Again(unit) => Some(format!("unit {unit} ({}) was killed; restarting it", work.describe(unit))),
            News::Failed(unit) => {
                Some(format!("unit {unit} ({}) failed: {}", work.describe(unit), failure(local.logs, unit)))
            }
        };
        message.iter().for_each(|message| live.above(|| out::report(&format!("mancalab: {message}"))));
        live.show(|| {
            let left = f64::from(all - before - done);
            let pace = (done > 0).then(|| began.elapsed().as_secs_f64() / f64::from(done));
            let more = vec![format!("{} running", running.len())];
            let at = format!("{}/{all} units", before + done);
            Some(Progress {
                share: f64::from(before + done) / f64::from(all),
                count: at,
                left: pace.map(|pace| pace * left),
                speed: String::new(),
                more,
            })
        });
    };
    let ran = local::run(local, &|| signals::received() != 0, &mut message);
    live.clear();
    let ran = ran?;
    let named = sanitize::shell_path(plan.folder());
    args.say(&format!("{} done in {}", counted(ran.done, "unit"), clock(began.elapsed().as_secs_f64())));
    if ran.failed.is_empty() && ran.left == 0 {
        if let Some(next) = next_step(args, plan) {
            args.say(&next);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if !ran.failed.is_empty() {
        let failed: Vec<String> = ran.failed.iter().map(u32::to_string).collect();
        args.say(&format!(
            "{} failed: {}; their logs are in {}",
            counted(failed.len(), "unit"),
            failed.join(", "),
            sanitize::path(local.logs)
        ));
    }
    if ran.left > 0 {
        args.say(&format!(
            "{} left; resume with: mancalab plan submit {named} --engine local",
            counted(ran.left, "unit")
        ));
    }
    Ok(match signals::received() {
        0 => ExitCode::from(1),
        number => ExitCode::from(128 + number as u8),
    })
}

/// The last line of a unit's log.
fn failure(logs: &Path, unit: u32) -> String {
    sanitize::inline(&local::last_line(&local::log(logs, unit))).into_owned()
}

fn hand_over(
    args: &SubmitArgs,
    engine: Engine,
    plan: &Plan,
    work: &Runs,
    program: &Path,
    left: &[u32],
) -> Result<ExitCode> {
    if args.jobs != 0 {
        bail!("--jobs works only with --engine local; other engines limit their jobs themselves");
    }
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .with_context(|| format!("{} is not UTF-8; paths in job files must be", sanitize::path(path)))
    };
    if engine == Engine::Slurm && plan.folder().as_os_str().as_encoded_bytes().contains(&b'\\') {
        bail!(
            "{} contains a backslash, which Slurm does not accept in log paths; move the plan",
            sanitize::path(plan.folder())
        );
    }
    let program = text(program)?;
    let folder = text(plan.folder())?;
    let name = plan.name();
    let needs = |unit| work.needs(unit);
    let submission = Submission {
        program: &program,
        plan: &folder,
        name: &name,
        threads: args.threads,
        units: left,
        needs: &needs,
        extra: &args.more,
    };
    let steps = engine.steps(&submission);
    out::result(&steps.shown());
    if args.dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    forget_failures(plan).with_context(|| format!("cannot change {}", sanitize::path(plan.folder())))?;
    let jobs = submit(engine, &steps)?;
    let named = sanitize::shell_path(plan.folder());
    out::line(&format!("submitted {}", counted(left.len(), "unit")));
    out::line(&format!("watch:\n{}\nmancalab runs watch {named}", engine.following(&jobs).trim_end()));
    out::line(&format!("cancel:\n{}", engine.cancelling(&jobs).trim_end()));
    out::line(&format!("merge the results: mancalab plan merge {named}"));
    Ok(ExitCode::SUCCESS)
}

/// Writes the files and runs the commands; returns the numbers of the jobs.
fn submit(engine: Engine, steps: &Steps) -> Result<Vec<String>> {
    for folder in &steps.folders {
        confined::create_folders(Path::new(folder)).with_context(|| format!("cannot create {folder}"))?;
    }
    for file in &steps.files {
        files::write_atomic(Path::new(&file.path), file.text.as_bytes())
            .with_context(|| format!("cannot write {}", file.path))?;
    }
    let mut jobs = Vec::new();
    for call in &steps.calls {
        let words = call.words(&jobs);
        let ran = Command::new(&words[0]).args(&words[1..]).output();
        let output = ran.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                anyhow!("{} is not in PATH; install it, or run the commands above where it is", words[0])
            }
            _ => anyhow!("cannot run {}: {}", words[0], sanitize::reason(&error)),
        })?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let complained = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{} failed: {}{}", words[0], sanitize::multiline(complained.trim()), so_far(engine, &jobs));
        }
        let job = engine
            .job(&printed)
            .with_context(|| format!("{} printed no job number: {}", words[0], sanitize::multiline(printed.trim())))?;
        jobs.push(job.to_owned());
    }
    Ok(jobs)
}

/// How to cancel the jobs submitted before one failed.
fn so_far(engine: Engine, jobs: &[String]) -> String {
    if jobs.is_empty() {
        String::new()
    } else {
        format!("\nearlier jobs keep running; cancel them with:\n{}", engine.cancelling(jobs))
    }
}
