//! Tests of selection by single opponents, in games.

use std::time::Duration;

use super::checks::preset;
use crate::budget::{Budget, Job as _, Status};
use crate::job::{RunJob, RunSettings};
use crate::pool::Pool;

fn settings(name: &str, selection: &str) -> Box<dyn RunSettings> {
    let opponents =
        if name.starts_with("othello") { "random,minimax:1:eval=discs" } else { "max,minimax:2,programs:2" };
    let small = [("population", "40"), ("generations", "4"), ("opponents", opponents), ("selection", selection)];
    let mut settings = preset(name, &small);
    // Only Othello has it.
    let _ = settings.set("termination", "0");
    settings
}

fn written(job: &mut RunJob, budget: Budget) -> String {
    while job.step(budget) == Status::Running {}
    std::fs::read_to_string(job.folder().unwrap().join("generations.csv")).unwrap()
}

#[test]
fn rows_do_not_depend_on_threads_steps_or_a_stop() {
    for name in ["mancala-gp-1", "othello-gp-50-staged"] {
        let folder = tempfile::tempdir().unwrap();
        let start = |place: &str, selection: &str, pool: &Pool| {
            RunJob::create(&folder.path().join(place), settings(name, selection), pool).unwrap()
        };
        let whole = written(&mut start("whole", "lexicase", &Pool::alone()), Budget::UNLIMITED);
        assert_eq!(written(&mut start("steps", "lexicase", &Pool::new(3)), Budget::time(Duration::ZERO)), whole);
        assert_ne!(written(&mut start("other", "roulette", &Pool::alone()), Budget::UNLIMITED), whole);
        let mut job = start("stopped", "lexicase", &Pool::alone());
        (0..2).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
        job.rest();
        drop(job);
        let forms = [settings(name, "lexicase").form()];
        let (mut job, _) = RunJob::resume(&folder.path().join("stopped"), &forms, &Pool::new(2)).unwrap();
        assert_eq!(job.run().generation(), Some(1));
        assert_eq!(written(&mut job, Budget::UNLIMITED), whole, "{name}");
    }
}
