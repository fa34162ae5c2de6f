//! `mancalab submit`: has the units of a plan computed, here or by an engine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, ValueEnum};

use super::{open, units};
use crate::cli::live::{Live, Progress};
use crate::cli::run::{clock, threads};
use crate::cli::{out, signals};
use crate::cluster::engine::local::{self, Local, News};
use crate::cluster::engine::{Engine, Steps, Submission};
use crate::cluster::layout;
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::status::{forget_failures, not_done};
use crate::files;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct SubmitArgs {
    /// The plan's folder, or its name among the runs
    pub plan: PathBuf,
    /// Who computes: this machine, or which engine
    #[arg(long, value_name = "ENGINE")]
    pub engine: EngineName,
    /// How many units this machine computes at once, 0 for as many as it has processors; engines know that themselves
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads())]
    pub jobs: usize,
    /// How many processors a unit gets
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Only print what would be written and run
    #[arg(long)]
    pub dry_run: bool,
    /// Further arguments of the engine's command, behind --
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub more: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineName {
    Local,
    Hyperqueue,
    Slurm,
}

pub fn run(args: &SubmitArgs, paths: &Paths) -> Result<ExitCode> {
    let (plan, work) = open(&args.plan, paths)?;
    let left = not_done(&plan, &work);
    if left.is_empty() {
        out::line(&format!("all {} of {} are done", units(plan.units().into()), sanitize::path(plan.folder())));
        out::line(&format!("put them together: mancalab merge {}", sanitize::shell_path(plan.folder())));
        return Ok(ExitCode::SUCCESS);
    }
    let program = std::env::current_exe().context("this program's own path is not known")?;
    match args.engine {
        EngineName::Local => here(args, &plan, &work, &program, &left),
        EngineName::Hyperqueue => hand_over(args, Engine::HyperQueue, &plan, &work, &program, &left),
        EngineName::Slurm => hand_over(args, Engine::Slurm, &plan, &work, &program, &left),
    }
}

fn here(args: &SubmitArgs, plan: &Plan, work: &Runs, program: &Path, left: &[u32]) -> Result<ExitCode> {
    if let Some(more) = args.more.first() {
        bail!("the engine local takes no further arguments; '{more}' is one");
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
    std::fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", sanitize::path(&logs)))?;
    forget_failures(plan).with_context(|| format!("cannot change {}", sanitize::path(plan.folder())))?;
    signals::catch().context("signals cannot be caught")?;
    out::line(&format!(
        "{} of {}, {jobs} at once; Ctrl-C stops them, and they have saved then",
        units(left.len() as u64),
        plan.units()
    ));
    out::line(&format!("follow them: mancalab watch {}", sanitize::shell_path(plan.folder())));
    compute_here(plan, work, &local)
}

fn compute_here(plan: &Plan, work: &Runs, local: &Local<'_>) -> Result<ExitCode> {
    let (began, all, before) = (std::time::Instant::now(), plan.units(), plan.units() - local.units.len() as u32);
    let (mut live, mut done) = (Live::new(), 0);
    let mut told = |news: News, running: &[u32]| {
        let told = match news {
            News::Done => {
                done += 1;
                None
            }
            News::Again(unit) => Some(format!("unit {unit} ({}) was killed; it is begun again", work.told(unit))),
            News::Failed(unit) => {
                Some(format!("unit {unit} ({}) failed: {}", work.told(unit), failure(local.logs, unit)))
            }
        };
        told.iter().for_each(|told| live.above(|| out::tell(&format!("mancalab: {told}"))));
        live.show(|| {
            let left = f64::from(all - before - done);
            let pace = (done > 0).then(|| began.elapsed().as_secs_f64() / f64::from(done));
            let more = vec![format!("{} running", running.len())];
            let at = format!("{}/{all} units", before + done);
            Some(Progress {
                share: f64::from(before + done) / f64::from(all),
                at,
                left: pace.map(|pace| pace * left),
                speed: String::new(),
                more,
            })
        });
    };
    let ran = local::run(local, &|| signals::told() != 0, &mut told);
    live.clear();
    let ran = ran.with_context(|| format!("cannot begin {}", sanitize::path(local.program)))?;
    let named = sanitize::shell_path(plan.folder());
    out::line(&format!("{} done in {}", units(ran.done.into()), clock(began.elapsed().as_secs_f64().ceil())));
    if ran.failed.is_empty() && ran.left == 0 {
        out::line(&format!("put them together: mancalab merge {named}"));
        return Ok(ExitCode::SUCCESS);
    }
    if !ran.failed.is_empty() {
        let failed: Vec<String> = ran.failed.iter().map(u32::to_string).collect();
        out::line(&format!(
            "{} failed: {}; what they said is in {}",
            units(failed.len() as u64),
            failed.join(", "),
            sanitize::path(local.logs)
        ));
    }
    if ran.left > 0 {
        out::line(&format!("{} left; go on with: mancalab submit {named} --engine local", units(ran.left.into())));
    }
    Ok(match signals::told() {
        0 => ExitCode::from(1),
        number => ExitCode::from(128 + number as u8),
    })
}

/// The last line that a unit said.
fn failure(logs: &Path, unit: u32) -> String {
    let log = local::log(logs, unit);
    let text = files::read_text(&log, files::Kind::Document).unwrap_or_default();
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    sanitize::inline(line.trim_start_matches("mancalab: ")).into_owned()
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
        bail!("--jobs is for the engine local; how much runs at once is the engine's to say");
    }
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .with_context(|| format!("{} is not UTF-8, which a job file must be", sanitize::path(path)))
    };
    if engine == Engine::Slurm && plan.folder().as_os_str().as_encoded_bytes().contains(&b'\\') {
        bail!(
            "{} has a backslash in its path, which Slurm cannot be told in the path of a log; move the plan",
            sanitize::path(plan.folder())
        );
    }
    let (program, folder, name) = (text(program)?, text(plan.folder())?, plan.name());
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
    out::line(&format!("{} handed over", units(left.len() as u64)));
    out::line(&format!("follow:\n{}\nmancalab watch {named}", engine.following(&jobs).trim_end()));
    out::line(&format!("cancel:\n{}", engine.cancelling(&jobs).trim_end()));
    out::line(&format!("put together what is done: mancalab merge {named}"));
    Ok(ExitCode::SUCCESS)
}

/// Writes the files and runs the commands; gives the numbers of the jobs.
fn submit(engine: Engine, steps: &Steps) -> Result<Vec<String>> {
    for folder in &steps.folders {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {folder}"))?;
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
                anyhow!("there is no command '{}' here; run what stands behind $ above where there is", words[0])
            }
            _ => anyhow!("cannot run {}: {}", words[0], sanitize::reason(&error)),
        })?;
        let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            bail!("{} refused: {}{}", words[0], sanitize::multiline(complained.trim()), so_far(engine, &jobs));
        }
        let job = engine.job(&said).with_context(|| {
            format!("{} did not say which job it made: {}", words[0], sanitize::multiline(said.trim()))
        })?;
        jobs.push(job.to_owned());
    }
    Ok(jobs)
}

/// What to do about jobs that were handed over before one was refused.
fn so_far(engine: Engine, jobs: &[String]) -> String {
    if jobs.is_empty() {
        String::new()
    } else {
        format!("\nwhat was handed over before goes on; cancel it by:\n{}", engine.cancelling(jobs))
    }
}
