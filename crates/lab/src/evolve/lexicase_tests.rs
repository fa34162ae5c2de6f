//! Tests of selection by single opponents, in games.

use std::time::Duration;

use crate::budget::{Budget, Job as _, Status};
use crate::job::{RunJob, RunSettings};
use crate::kinds::KINDS;
use crate::pool::Pool;

fn settings(preset: &str, selection: &str) -> Box<dyn RunSettings> {
    let mut settings = KINDS.iter().find_map(|kind| kind.preset(preset)).expect("a preset");
    let opponents =
        if preset.starts_with("othello") { "random,minimax:1:eval=discs" } else { "max,minimax:2,programs:2" };
    let small = [("population", "40"), ("generations", "4"), ("opponents", opponents), ("selection", selection)];
    small.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
    let _ = settings.set("termination", "0");
    settings
}

fn written(job: &mut RunJob, budget: Budget) -> String {
    while job.step(budget) == Status::Running {}
    std::fs::read_to_string(job.folder().unwrap().join("generations.csv")).unwrap()
}

#[test]
fn rows_do_not_depend_on_threads_steps_or_a_stop() {
    for preset in ["mancala-gp-1", "othello-gp-50-staged"] {
        let folder = tempfile::tempdir().unwrap();
        let start = |name: &str, selection: &str, pool: &Pool| {
            RunJob::create(&folder.path().join(name), settings(preset, selection), pool).unwrap()
        };
        let whole = written(&mut start("whole", "lexicase", &Pool::alone()), Budget::UNLIMITED);
        assert_eq!(written(&mut start("steps", "lexicase", &Pool::new(3)), Budget::time(Duration::ZERO)), whole);
        assert_ne!(written(&mut start("other", "roulette", &Pool::alone()), Budget::UNLIMITED), whole);
        let mut job = start("stopped", "lexicase", &Pool::alone());
        (0..2).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
        job.rest();
        drop(job);
        let forms = [settings(preset, "lexicase").form()];
        let (mut job, _) = RunJob::resume(&folder.path().join("stopped"), &forms, &Pool::new(2)).unwrap();
        assert_eq!(job.run().generation(), Some(1));
        assert_eq!(written(&mut job, Budget::UNLIMITED), whole, "{preset}");
    }
}
