//! Slurm: one batch script, and an array of it for every thousand units; where units need others an array for every wave of them, which
//! waits for those of the wave before.

use super::{Call, File, Steps, Submission, WAIT, Word, quoted, ranges};

/// Slurm's arrays end at index 1000 unless a site has set `MaxArraySize` higher: units of one array are those of one thousand, and its
/// script is told the first of them.
const ARRAY: u32 = 1000;

pub(super) fn steps(submission: &Submission) -> Steps {
    let folder = format!("{}/jobs", submission.plan);
    let path = format!("{folder}/slurm.sh");
    let (mut calls, mut before): (Vec<Call>, Vec<usize>) = (Vec::new(), Vec::new());
    for wave in submission.waves() {
        let first_call = calls.len();
        let arrays = wave.chunk_by(|one, other| one / ARRAY == other / ARRAY);
        calls.extend(arrays.map(|units| array(submission, &path, units, &before)));
        before = (first_call..calls.len()).collect();
    }
    Steps {
        folders: vec![folder, format!("{}/logs", submission.plan)],
        files: vec![File { path, text: script(submission) }],
        calls,
    }
}

/// The command that submits an array. What a path or a person's name is part of stands here and not on the `#SBATCH` lines of the script,
/// whose quoting is Slurm's own.
fn array(submission: &Submission, script: &str, units: &[u32], before: &[usize]) -> Call {
    let first = units.first().map_or(0, |unit| unit / ARRAY * ARRAY);
    let indices: Vec<u32> = units.iter().map(|unit| unit - first).collect();
    let mut words: Vec<Word> = vec!["sbatch".into(), "--parsable".into()];
    words.push(format!("--job-name={}", submission.name).as_str().into());
    words.push(format!("--chdir={}", submission.plan).as_str().into());
    // Slurm reads its `%` in all of the path. A backslash in it cannot be written in any way that it understands.
    words.push(format!("--output={}/logs/%A_%a.log", submission.plan.replace('%', "%%")).as_str().into());
    words.push(format!("--array={}", ranges(&indices)).as_str().into());
    if !before.is_empty() {
        // Without the second, an array that waits for one that failed waits for ever.
        words.push(Word::Jobs("--dependency=afterok:".to_owned(), before.to_vec()));
        words.push("--kill-on-invalid-dep=yes".into());
    }
    words.extend(submission.extra.iter().map(|word| word.as_str().into()));
    words.extend([script.into(), first.to_string().as_str().into()]);
    Call { words }
}

/// The script of every task. A unit takes its number from `SLURM_ARRAY_TASK_ID` and the first of its array, which is the script's argument.
fn script(submission: &Submission) -> String {
    let Submission { program, plan, threads, .. } = *submission;
    let (program, plan) = (quoted(program), quoted(plan));
    format!(
        "#!/bin/sh\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         # A minute or two before its time is up a unit is told to stop, and saves. `exec` makes it the process that is told.\n\
         #SBATCH --signal=B:TERM@60\n\
         exec {program} unit {plan} --threads {threads} --wait {WAIT} --first \"${{1:-0}}\"\n"
    )
}

pub(super) fn following(jobs: &[String]) -> String {
    let jobs = jobs.join(",");
    format!(
        "squeue --array --jobs={jobs}    the tasks that wait or run\n\
         sacct --jobs={jobs}             all tasks and how they ended, where the site keeps accounts\n"
    )
}

pub(super) fn cancelling(jobs: &[String]) -> String {
    format!("scancel {}", jobs.join(" "))
}
