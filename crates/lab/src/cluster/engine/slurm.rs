//! Slurm: one batch script with an array for every thousand units; with dependencies, arrays for each wave, which wait
//! for those of the wave before.

use super::{Call, File, Steps, Submission, WAIT, Word, quoted, ranges};

/// Slurm's arrays end at index 1000 unless a site raises `MaxArraySize`: each array covers units of one thousand, and
/// the script receives the first of them.
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

/// Returns the command that submits an array. Paths and user-given names are arguments here rather than `#SBATCH`
/// lines, whose quoting is Slurm's own.
fn array(submission: &Submission, script: &str, units: &[u32], before: &[usize]) -> Call {
    let first = units.first().map_or(0, |unit| unit / ARRAY * ARRAY);
    let indices: Vec<u32> = units.iter().map(|unit| unit - first).collect();
    let mut words: Vec<Word> = vec!["sbatch".into(), "--parsable".into()];
    words.push(format!("--job-name={}", submission.name).as_str().into());
    words.push(format!("--chdir={}", submission.plan).as_str().into());
    // Slurm expands `%` anywhere in the path. It has no escape for a backslash.
    words.push(format!("--output={}/logs/%A_%a.log", submission.plan.replace('%', "%%")).as_str().into());
    words.push(format!("--array={}", ranges(&indices)).as_str().into());
    if !before.is_empty() {
        // Without the second, an array waits forever for one that failed.
        words.push(Word::Jobs("--dependency=afterok:".to_owned(), before.to_vec()));
        words.push("--kill-on-invalid-dep=yes".into());
    }
    words.extend(submission.extra.iter().map(|word| word.as_str().into()));
    words.extend([script.into(), first.to_string().as_str().into()]);
    Call { words }
}

/// Returns the script of every task. A unit's number is `SLURM_ARRAY_TASK_ID` plus the first unit of its array, the
/// script's argument.
fn script(submission: &Submission) -> String {
    let Submission { program, plan, threads, .. } = *submission;
    let program = quoted(program);
    let plan = quoted(plan);
    format!(
        "#!/bin/sh\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={threads}\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         # A unit gets SIGTERM a minute or two before its time limit, and saves. `exec` makes it the process that gets it.\n\
         #SBATCH --signal=B:TERM@60\n\
         exec {program} plan unit {plan} --threads {threads} --wait {WAIT} --first \"${{1:-0}}\"\n"
    )
}

pub(super) fn following(jobs: &[String]) -> String {
    let jobs = jobs.join(",");
    format!(
        "squeue --array --jobs={jobs}    waiting and running tasks\n\
         sacct --jobs={jobs}             all tasks with their exit states, if the site has accounting\n"
    )
}

pub(super) fn cancelling(jobs: &[String]) -> String {
    format!("scancel {}", jobs.join(" "))
}
