use super::*;

fn nothing(_: u32) -> Vec<u32> {
    Vec::new()
}

/// Three islands: a unit needs the previous epoch of its own island and of the island before it.
fn ring(unit: u32) -> Vec<u32> {
    match unit.checked_sub(3) {
        None => Vec::new(),
        Some(same) => vec![same / 3 * 3 + (same + 2) % 3, same],
    }
}

fn submission<'a>(units: &'a [u32], needs: &'a dyn Fn(u32) -> Vec<u32>) -> Submission<'a> {
    let program = "/opt/mancalab";
    let plan = "/home/ann/plan";
    Submission { program, plan, name: "night", threads: 2, units, needs, extra: &[] }
}

#[test]
fn hyperqueue_is_given_an_array_of_units_that_need_none() {
    let steps = Engine::HyperQueue.steps(&submission(&[0, 1, 2, 7], &nothing));
    let expected = r#"# FILE /home/ann/plan/jobs/hyperqueue.toml
name = "night"
max_fails = 10

[array]
ids = "0-2,7"
command = ["/opt/mancalab", "plan", "unit", "/home/ann/plan", "--threads", "2", "--wait", "60"]
cwd = "/home/ann/plan"
stdout = "%{CWD}/logs/%{JOB_ID}_%{TASK_ID}.%{INSTANCE_ID}.out"
stderr = "%{CWD}/logs/%{JOB_ID}_%{TASK_ID}.%{INSTANCE_ID}.err"
crash_limit = 20

[[array.request]]
resources = { cpus = 2 }
$ mkdir -p /home/ann/plan/jobs /home/ann/plan/logs
$ hq --output-mode=quiet job submit-file /home/ann/plan/jobs/hyperqueue.toml
"#;
    assert_eq!(steps.shown(), expected);
}

#[test]
fn hyperqueue_is_given_a_task_for_each_unit_that_waits_for_those_not_done() {
    // In the first epoch only the last island is unfinished.
    let steps = Engine::HyperQueue.steps(&submission(&[2, 3, 4, 5], &ring));
    let head = "name = \"night\"\nmax_fails = 10\n";
    let task = |begin: &str| {
        let rest = r#"command = ["/opt/mancalab", "plan", "unit", "/home/ann/plan", "--threads", "2", "--wait", "60"]
cwd = "/home/ann/plan"
stdout = "%{CWD}/logs/%{JOB_ID}_%{TASK_ID}.%{INSTANCE_ID}.out"
stderr = "%{CWD}/logs/%{JOB_ID}_%{TASK_ID}.%{INSTANCE_ID}.err"
crash_limit = 20

[[task.request]]
resources = { cpus = 2 }
"#;
        format!("\n[[task]]\n{begin}\n{rest}")
    };
    let tasks = ["id = 2", "id = 3\ndeps = [2]", "id = 4", "id = 5\ndeps = [2]"].map(task).concat();
    assert_eq!(steps.files[0].text, format!("{head}{tasks}"));
}

#[test]
fn a_job_file_is_toml_whatever_the_paths() {
    let mut submission = submission(&[5], &nothing);
    submission.plan = "/home/o'hara \"x\"\\/é\nplan";
    let text = &Engine::HyperQueue.steps(&submission).files[0].text;
    let file: toml::Table = toml::from_str(text).unwrap();
    assert_eq!(file["array"]["command"][3].as_str(), Some(submission.plan));
    assert_eq!(file["array"]["cwd"].as_str(), Some(submission.plan));
    assert_eq!(file["array"]["ids"].as_str(), Some("5"));
    assert_eq!(file["array"]["request"][0]["resources"]["cpus"].as_integer(), Some(2));
}

#[test]
fn slurm_is_given_arrays_of_a_thousand_units_at_most() {
    let units: Vec<u32> = (0..2001).chain([2005]).collect();
    let steps = Engine::Slurm.steps(&submission(&units, &nothing));
    let expected = r#"# FILE /home/ann/plan/jobs/slurm.sh
#!/bin/sh
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
# A unit gets SIGTERM a minute or two before its time limit, and saves. `exec` makes it the process that gets it.
#SBATCH --signal=B:TERM@60
exec /opt/mancalab plan unit /home/ann/plan --threads 2 --wait 60 --first "${1:-0}"
$ mkdir -p /home/ann/plan/jobs /home/ann/plan/logs
$ sbatch --parsable --job-name=night --chdir=/home/ann/plan --output=/home/ann/plan/logs/%A_%a.log --array=0-999 /home/ann/plan/jobs/slurm.sh 0
$ sbatch --parsable --job-name=night --chdir=/home/ann/plan --output=/home/ann/plan/logs/%A_%a.log --array=0-999 /home/ann/plan/jobs/slurm.sh 1000
$ sbatch --parsable --job-name=night --chdir=/home/ann/plan --output=/home/ann/plan/logs/%A_%a.log --array=0,5 /home/ann/plan/jobs/slurm.sh 2000
"#;
    assert_eq!(steps.shown(), expected);
}

#[test]
fn slurm_is_given_an_array_for_each_wave_that_waits_for_the_wave_before() {
    // A wave across a multiple of 1000 becomes two arrays, and the next wave waits for both.
    let units: Vec<u32> = (996..1005).collect();
    let mut submission = submission(&units, &ring);
    let extra = ["--time=4:00:00".to_owned()];
    submission.extra = &extra;
    let steps = Engine::Slurm.steps(&submission);
    let shown = steps.shown();
    let commands: Vec<&str> = shown.lines().filter(|line| line.contains("sbatch")).collect();
    let begin = "sbatch --parsable --job-name=night --chdir=/home/ann/plan --output=/home/ann/plan/logs/%A_%a.log";
    let script = "/home/ann/plan/jobs/slurm.sh";
    let end = format!("--kill-on-invalid-dep=yes --time=4:00:00 {script}");
    let expected = [
        format!("$ job0=$({begin} --array=996-998 --time=4:00:00 {script} 0)"),
        format!("$ job1=$({begin} --array=999 --dependency=afterok:$job0 {end} 0)"),
        format!("$ job2=$({begin} --array=0-1 --dependency=afterok:$job0 {end} 1000)"),
        format!("$ {begin} --array=2-4 --dependency=afterok:$job1:$job2 {end} 1000"),
    ];
    assert_eq!(commands, expected);
    let words = steps.calls[3].words(&["70".to_owned(), "71".to_owned(), "72".to_owned()]);
    assert!(words.contains(&"--dependency=afterok:71:72".to_owned()), "{words:?}");
}

#[test]
fn a_script_is_sh_whatever_the_paths() {
    let mut submission = submission(&[0], &nothing);
    (submission.program, submission.plan) = ("printf", "/home/o'hara $HOME `x` \"y\"");
    let script = &Engine::Slurm.steps(&submission).files[0].text;
    let text = script.replace("exec printf plan unit", "exec printf '%s'");
    let printed = std::process::Command::new("sh").args(["-c", &text]).output().unwrap().stdout;
    assert!(String::from_utf8(printed).unwrap().starts_with(submission.plan));
}

#[test]
fn nothing_is_submitted_where_nothing_is_left_to_do() {
    for engine in [Engine::HyperQueue, Engine::Slurm] {
        assert_eq!(engine.steps(&submission(&[], &nothing)).shown(), "", "{engine:?}");
    }
}

#[test]
fn waves_are_as_few_as_what_units_need_allows() {
    let waves = |units: &[u32], needs: &dyn Fn(u32) -> Vec<u32>| submission(units, needs).waves();
    assert_eq!(waves(&[0, 1, 2, 3, 4, 5, 6], &ring), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
    // 4 needs 0 and 1, which are done, so it does not wait; 6 needs 3 and 5.
    assert_eq!(waves(&[2, 3, 4, 5, 6], &ring), [vec![2, 4], vec![3, 5], vec![6]]);
    assert_eq!(waves(&[3, 9], &nothing), [vec![3, 9]]);
    assert!(waves(&[], &nothing).is_empty());
}

#[test]
fn the_number_of_a_job_is_read_from_what_the_command_printed() {
    assert_eq!(Engine::Slurm.job("1234\n"), Some("1234"));
    assert_eq!(Engine::Slurm.job("1234;north\n"), Some("1234"));
    assert_eq!(Engine::Slurm.job("sbatch: a word of the site\n77\n\n"), Some("77"));
    assert_eq!(Engine::HyperQueue.job("3\n"), Some("3"));
    for printed in ["", "\n", "error: no\n", ";north"] {
        assert_eq!(Engine::Slurm.job(printed), None, "{printed:?}");
    }
}

#[test]
fn people_are_reported_how_to_follow_and_to_cancel() {
    let jobs = ["7".to_owned(), "8".to_owned()];
    assert!(Engine::Slurm.following(&jobs).contains("squeue --array --jobs=7,8 "));
    assert_eq!(Engine::Slurm.cancelling(&jobs), "scancel 7 8");
    assert!(Engine::HyperQueue.following(&jobs[..1]).contains("hq job progress 7 "));
    assert_eq!(Engine::HyperQueue.cancelling(&jobs), "hq job cancel 7,8");
}
