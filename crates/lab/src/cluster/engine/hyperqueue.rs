//! HyperQueue: a server, and workers on any machines that reach it. All units are one job, which a job definition file describes:
//! an array where no unit needs another, else a task each with those that it waits for.

use super::{Call, File, Steps, Submission, WAIT, Word, ranges};

/// A worker that is lost takes the unit's process with it, and the unit goes on elsewhere from what it saved. Machines of a lab come and
/// go, so the usual limit of 5 is too low; without one, a unit that brings its machine down would bring down all of them.
const CRASH_LIMIT: u32 = 20;

/// Units fail by themselves only where something is wrong with all of them, or with a machine, which then fails one after the other.
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

/// The job definition file, see the documentation of HyperQueue. Unknown keys are errors there.
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

/// What all tasks have in common. A task's number is its unit's, and a unit reads it from `HQ_TASK_ID`.
///
/// A task that is started again would overwrite its logs: the number of the start is part of their names.
fn task(submission: &Submission, table: &str) -> String {
    let Submission { program, plan, threads, .. } = *submission;
    let (threads_word, wait) = (threads.to_string(), WAIT.to_string());
    let command: Vec<String> =
        [program, "unit", plan, "--threads", threads_word.as_str(), "--wait", wait.as_str()].map(value).into();
    let log = |kind: &str| value(&format!("%{{CWD}}/logs/%{{JOB_ID}}_%{{TASK_ID}}.%{{INSTANCE_ID}}.{kind}"));
    format!(
        "command = [{}]\ncwd = {}\nstdout = {}\nstderr = {}\ncrash_limit = {CRASH_LIMIT}\n\n[[{table}.request]]\nresources = {{ cpus = {threads} }}\n",
        command.join(", "),
        value(plan),
        log("out"),
        log("err"),
    )
}

/// A text as TOML writes it.
fn value(text: &str) -> String {
    toml::Value::from(text).to_string()
}

pub(super) fn following(jobs: &[String]) -> String {
    let jobs = jobs.join(",");
    format!(
        "hq job progress {jobs}    how many tasks are done, until all are\n\
         hq task list {jobs}       every task: waiting, running on which worker, finished, failed\n"
    )
}

pub(super) fn cancelling(jobs: &[String]) -> String {
    format!("hq job cancel {}", jobs.join(","))
}
