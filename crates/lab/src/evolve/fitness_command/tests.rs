//! Tests of fitness by a command: the same numbers as by a formula, also from commands that end, hang or answer nonsense.

use super::*;
use crate::budget::Job as _;
use crate::evolve::checks::{preset, rows_of};
use crate::evolve::gp::problem::Settings as _;
use crate::job::{RunJob, RunSettings};
use crate::pool::Pool;

/// Answers each line with the program's nodes.
const NODES: &str = r#"while read -r line; do n=${line##*\"nodes\": }; echo "${n%%,*}"; done"#;

/// A small run whose fitness is this.
fn small(fitness: &str) -> Box<dyn RunSettings> {
    preset("mancala-gp-1", &[("population", "12"), ("generations", "3"), ("opponents", "max"), ("fitness", fitness)])
}

fn rows(settings: &dyn RunSettings, budget: Budget) -> Result<Vec<String>, Error> {
    rows_of(settings, &Pool::alone(), budget)
}

#[test]
fn a_command_gives_the_fitness_that_a_formula_gives() {
    let expected = rows(&*small("nodes"), Budget::UNLIMITED).unwrap();
    for processes in ["1", "3"] {
        let mut by_command = small(&format!("command:{NODES}"));
        by_command.set("fitness_processes", processes).unwrap();
        assert!(!by_command.manifest().reproducible && small("nodes").manifest().reproducible);
        assert_eq!(rows(&*by_command, Budget::UNLIMITED).unwrap(), expected);
        assert_eq!(rows(&*by_command, Budget::time(Duration::ZERO)).unwrap(), expected);
    }
    let othello = |fitness: &str| {
        let changes =
            [("population", "8"), ("generations", "2"), ("games", "2"), ("termination", "0"), ("fitness", fitness)];
        rows(&*preset("othello-gp-50-staged", &changes), Budget::UNLIMITED).unwrap()
    };
    assert_eq!(othello(&format!("command:{NODES}")), othello("nodes"));
}

/// A process that answers three lines and ends, which leaves lines without an answer.
#[test]
fn a_process_that_ends_is_started_again() {
    let three = NODES.replace("while read -r line; do", "for i in 1 2 3; do read -r line || exit;");
    let expected = rows(&*small("nodes"), Budget::UNLIMITED).unwrap();
    for processes in ["1", "2"] {
        let mut settings = small(&format!("command:{three}"));
        settings.set("fitness_processes", processes).unwrap();
        assert_eq!(rows(&*settings, Budget::UNLIMITED).unwrap(), expected);
    }
}

#[test]
fn a_command_that_fails_stops_the_run_with_the_way_to_try_it() {
    let error = |command: &str| {
        let mut settings = small(&format!("command:{command}"));
        settings.set("fitness_timeout", "1").unwrap();
        rows(&*settings, Budget::UNLIMITED).unwrap_err().to_string()
    };
    let ended = error("exit 3");
    assert!(ended.contains("'exit 3' exited with status 3, 3 times in a row; try it: echo '{\"program\": "), "{ended}");
    assert!(ended.ends_with(" | exit 3"), "{ended}");
    assert!(error("no-such-program-here").contains("the shell did not find the command"));
    assert!(error("while read -r line; do echo five; done").contains("answered 'five' instead of a number; try it: "));
    assert!(
        error("echo 1; echo 2; cat").contains("without a program")
            || error("echo 1; echo 2; cat").contains("instead of")
    );
    let hangs = error("while read -r line; do sleep 100; done");
    assert!(hangs.contains("gave no answer in 1 s (fitness_timeout)"), "{hangs}");
}

#[test]
fn a_run_that_a_command_stopped_goes_on_with_a_better_one() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("fit.sh");
    let text = |broken: bool| {
        let exit = if broken { "exit 1\n" } else { "" };
        std::fs::write(&script, format!("{exit}{NODES}\n")).unwrap();
    };
    text(false);
    let settings = small(&format!("command:sh {}", script.display()));
    let form = [settings.form()];
    let run = folder.path().join("run");
    let mut job = RunJob::create(&run, settings, &Pool::alone()).unwrap();
    while job.run().generation() != Some(1) {
        job.step(Budget::UNLIMITED.single());
    }
    job.rest();
    drop(job);
    text(true);
    let (mut job, _) = RunJob::resume(&run, &form, &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    assert!(job.error().is_some_and(|error| error.to_string().contains("exited with status 1")));
    assert_eq!((job.is_halted(), job.run().generation()), (true, Some(1)));
    drop(job);
    text(false);
    let (mut job, _) = RunJob::resume(&run, &form, &Pool::alone()).unwrap();
    assert_eq!((job.step(Budget::UNLIMITED), job.error().is_none()), (Status::Done, true));
    let written = std::fs::read_to_string(run.join("generations.csv")).unwrap();
    let expected = rows(&*small("nodes"), Budget::UNLIMITED).unwrap();
    assert_eq!(written.lines().skip(1).collect::<Vec<_>>(), expected);
}

#[test]
fn lines_are_json_and_commands_come_back() {
    let line = request("(+ 1\n\"2\")", &[("won", ""), ("nodes", "")], &[50.0, -3.25]);
    assert_eq!(line, r#"{"program": "(+ 1\n\"2\")", "won": 50, "nodes": -3.25}"#);
    let command = r#"command:python3 "my fit.py" 'x' \n"#;
    let settings = small(command);
    let problem = settings.get::<crate::evolve::gp::GpSettings<crate::evolve::kalah::KalahProblem>>().unwrap();
    assert!(!problem.0.is_reproducible());
    let fitness = settings.list().into_iter().find(|(key, ..)| *key == "fitness").unwrap().2;
    assert_eq!(fitness, command);
    let refused = |value: &str| small("sum").set("fitness", value).unwrap_err().to_string();
    assert!(refused("command:").contains("command: takes a shell command in one line"));
    assert!(refused("command:a\nb").contains("in one line"));
}
