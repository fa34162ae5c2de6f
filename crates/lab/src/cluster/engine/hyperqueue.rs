//! HyperQueue: a server, with workers on any machines that reach it. All units are one job, described by a job
//! definition file: an array if there are no dependencies, else one task per unit with its dependencies.

use super::{Call, File, Steps, Submission, WAIT, Word, ranges};

/// A lost worker takes the unit's process with it; another worker resumes the unit from its saved state. Lab machines
/// come and go, so the default limit of 5 is too low; without a limit, a unit that crashes its machine would crash all
/// of them.
const CRASH_LIMIT: u32 = 20;

/// Units fail on their own only if something is wrong with all of them, or with a machine, on which they then all fail.
const MAX_FAILS: u32 = 10;

pub(super) fn steps(submission: &Submission) -> Steps {
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

pub(super) fn following(jobs: &[String]) -> String {
    let jobs = jobs.join(",");
    format!(
        "hq job progress {jobs}    progress, until all tasks are done\n\
         hq task list {jobs}       every task with its state and worker\n"
    )
}

pub(super) fn cancelling(jobs: &[String]) -> String {
    format!("hq job cancel {}", jobs.join(","))
}
