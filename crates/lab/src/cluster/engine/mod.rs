//! Submission of a plan's units to array job engines: the files an engine needs, the commands that submit them, and the
//! commands to follow and cancel the jobs.
//!
//! Text in, text out: nothing here opens a file or starts a program, so that a submission can be shown before it runs
//! (`Steps::shown`) and checked in tests.
//!
//! HyperQueue: a server, with workers on any machines that reach it. All units are one job, described by a job
//! definition file: an array if there are no dependencies, else one task per unit with its dependencies.

pub mod local;
mod slurm;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::sweep::ranges_of;

/// Seconds a unit waits for a result that the engine reports as finished: a network folder may show it late.
const WAIT: u32 = 60;

/// The units to compute, and how.
///
/// Paths are strings because job files cannot hold a path that is not UTF-8.
#[derive(Clone, Copy)]
pub struct Submission<'a> {
    /// The absolute path of this program, the same on every machine that computes.
    pub program: &'a str,
    /// The absolute path of the plan's folder, the same on every machine that computes.
    pub plan: &'a str,
    /// The job's name in the engine's lists.
    pub name: &'a str,
    /// Threads per unit, at least 1; also the number of processors requested.
    pub threads: u32,
    /// The unfinished units, ascending.
    pub units: &'a [u32],
    /// Returns the units whose results a unit reads, all with lower numbers. Those not in `units` are done.
    pub needs: &'a dyn Fn(u32) -> Vec<u32>,
    /// Further arguments for the engine's command, from the command line.
    pub extra: &'a [String],
}

impl Submission<'_> {
    /// Returns the units in waves, each ascending: a wave needs only units of earlier waves. One wave if there are no
    /// dependencies.
    fn waves(&self) -> Vec<Vec<u32>> {
        let mut wave_of: HashMap<u32, usize> = HashMap::with_capacity(self.units.len());
        let mut waves: Vec<Vec<u32>> = Vec::new();
        for &unit in self.units {
            let before = (self.needs)(unit).iter().filter_map(|need| wave_of.get(need).copied()).max();
            let wave = before.map_or(0, |wave| wave + 1);
            wave_of.insert(unit, wave);
            if waves.len() <= wave {
                waves.resize(wave + 1, Vec::new());
            }
            waves[wave].push(unit);
        }
        waves
    }
}

/// The engines that can compute a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    HyperQueue,
    Slurm,
}

impl Engine {
    /// Returns the steps that submit the units; empty if there are none.
    pub fn steps(self, submission: &Submission) -> Steps {
        match self {
            _ if submission.units.is_empty() => Steps { folders: vec![], files: vec![], calls: vec![] },
            Engine::HyperQueue => steps(submission),
            Engine::Slurm => slurm::steps(submission),
        }
    }

    /// Returns the job number in the output of a submission command; `None` if it has none.
    pub fn job(self, printed: &str) -> Option<&str> {
        // Slurm appends `;CLUSTER` where there are several clusters.
        let line = printed.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        let number = line.split(';').next().unwrap_or(line);
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
    }

    /// Returns commands that follow these jobs, one per line: the command, at least two spaces, what it shows.
    pub fn following(self, jobs: &[String]) -> String {
        match self {
            Engine::HyperQueue => following(jobs),
            Engine::Slurm => slurm::following(jobs),
        }
    }

    /// Returns the command that cancels these jobs.
    pub fn cancelling(self, jobs: &[String]) -> String {
        match self {
            Engine::HyperQueue => cancelling(jobs),
            Engine::Slurm => slurm::cancelling(jobs),
        }
    }
}

/// The steps of a submission, in order: folders to create, files to write, commands to run one at a time.
#[derive(PartialEq, Eq, Debug)]
pub struct Steps {
    /// Folders that must exist.
    pub folders: Vec<String>,
    pub files: Vec<File>,
    pub calls: Vec<Call>,
}

/// A file to write.
#[derive(PartialEq, Eq, Debug)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// A command to run. It prints the number of the job that it creates ([`Engine::job`]).
#[derive(PartialEq, Eq, Debug)]
pub struct Call {
    words: Vec<Word>,
}

/// An argument of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Text(String),
    /// A prefix, then the job numbers of these calls, joined by `:`; known once the calls have run.
    Jobs(String, Vec<usize>),
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word::Text(text.to_owned())
    }
}

impl Call {
    /// Returns the program and its arguments. `jobs` are the job numbers of the earlier calls, in order.
    pub fn words(&self, jobs: &[String]) -> Vec<String> {
        let word = |word: &Word| match word {
            Word::Text(text) => text.clone(),
            Word::Jobs(text, calls) => {
                let numbers: Vec<&str> = calls.iter().map(|call| jobs[*call].as_str()).collect();
                text.clone() + &numbers.join(":")
            }
        };
        self.words.iter().map(word).collect()
    }

    /// Returns the command as a line of sh, with `$job0` for the job number of the first call.
    fn shown(&self) -> String {
        let word = |word: &Word| match word {
            Word::Text(text) => quoted(text),
            Word::Jobs(text, calls) => {
                let numbers: Vec<String> = calls.iter().map(|call| format!("$job{call}")).collect();
                quoted(text) + &numbers.join(":")
            }
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn waits_for(&self) -> impl Iterator<Item = usize> {
        let calls = |word: &Word| match word {
            Word::Text(_) => Vec::new(),
            Word::Jobs(_, calls) => calls.clone(),
        };
        self.words.iter().flat_map(calls)
    }
}

impl Steps {
    /// Returns the submission as text: for each file a line `# FILE path` and its contents, then the commands, one per
    /// line after `$ `. The text after `$ ` is sh and performs the same submission.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = write!(text, "# FILE {}\n{}", file.path, file.text);
        }
        if !self.folders.is_empty() {
            let folders: Vec<String> = self.folders.iter().map(|folder| quoted(folder)).collect();
            let _ = writeln!(text, "$ mkdir -p {}", folders.join(" "));
        }
        let waited_for: HashSet<usize> = self.calls.iter().flat_map(Call::waits_for).collect();
        for (at, call) in self.calls.iter().enumerate() {
            let _ = match waited_for.contains(&at) {
                true => writeln!(text, "$ job{at}=$({})", call.shown()),
                false => writeln!(text, "$ {}", call.shown()),
            };
        }
        text
    }
}

/// Quotes a word for sh.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+:,./%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Formats ascending numbers as ranges: `0-3,7`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    ranges_of(numbers).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests;

/// A lost worker takes the unit's process with it; another worker resumes the unit from its saved state. Lab machines
/// come and go, so the default limit of 5 is too low; without a limit, a unit that crashes its machine would crash all
/// of them.
const CRASH_LIMIT: u32 = 20;

/// Units fail on their own only if something is wrong with all of them, or with a machine, on which they then all fail.
const MAX_FAILS: u32 = 10;

fn steps(submission: &Submission) -> Steps {
    let folder = format!("{}/jobs", submission.plan);
    let path = format!("{folder}/hyperqueue.toml");
    let mut words: Vec<Word> =
        ["hq", "--output-mode=quiet", "job", "submit-file", path.as_str()].into_iter().map(Word::from).collect();
    words.extend(submission.extra.iter().map(|word| word.as_str().into()));
    Steps {
        folders: vec![folder, format!("{}/logs", submission.plan)],
        files: vec![File { path, text: job_file(submission) }],
        calls: vec![Call { words }],
    }
}

/// Returns the job definition file (see the HyperQueue documentation). HyperQueue rejects unknown keys.
fn job_file(submission: &Submission) -> String {
    let mut text = format!("name = {}\nmax_fails = {MAX_FAILS}\n", value(submission.name));
    if submission.waves().len() <= 1 {
        text += &format!("\n[array]\nids = {}\n", value(&ranges(submission.units)));
        text += &task(submission, "array");
        return text;
    }
    for &unit in submission.units {
        text += &format!("\n[[task]]\nid = {unit}\n");
        let needs: Vec<String> = (submission.needs)(unit)
            .iter()
            .filter(|need| submission.units.binary_search(need).is_ok())
            .map(u32::to_string)
            .collect();
        if !needs.is_empty() {
            text += &format!("deps = [{}]\n", needs.join(", "));
        }
        text += &task(submission, "task");
    }
    text
}

/// Returns the part common to all tasks. A task's number is its unit's, and a unit reads it from `HQ_TASK_ID`.
///
/// Log names contain the instance number, so that a restarted task does not overwrite its logs.
fn task(submission: &Submission, table: &str) -> String {
    let Submission { program, plan, threads, .. } = *submission;
    let threads_word = threads.to_string();
    let wait = WAIT.to_string();
    let command: Vec<String> =
        [program, "plan", "unit", plan, "--threads", threads_word.as_str(), "--wait", wait.as_str()].map(value).into();
    let log = |kind: &str| value(&format!("%{{CWD}}/logs/%{{JOB_ID}}_%{{TASK_ID}}.%{{INSTANCE_ID}}.{kind}"));
    format!(
        "command = [{}]\ncwd = {}\nstdout = {}\nstderr = {}\ncrash_limit = {CRASH_LIMIT}\n\n[[{table}.request]]\nresources = {{ cpus = {threads} }}\n",
        command.join(", "),
        value(plan),
        log("out"),
        log("err"),
    )
}

/// Formats a text as a TOML value.
fn value(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn following(jobs: &[String]) -> String {
    let jobs = jobs.join(",");
    format!(
        "hq job progress {jobs}    progress, until all tasks are done\n\
         hq task list {jobs}       every task with its state and worker\n"
    )
}

fn cancelling(jobs: &[String]) -> String {
    format!("hq job cancel {}", jobs.join(","))
}
