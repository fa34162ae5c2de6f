//! Tests of selection by single opponents, of fitness sharing and of champions, in games.

use std::time::Duration;

use super::checks::preset;
use crate::budget::{Budget, Job as _, Status};
use crate::job::{RunJob, RunSettings};
use crate::pool::Pool;

type Changes = &'static [(&'static str, &'static str)];

fn settings(name: &str, changes: Changes) -> Box<dyn RunSettings> {
    let opponents =
        if name.starts_with("othello") { "random,minimax:1:eval=discs" } else { "max,minimax:2,programs:2" };
    let small = [("population", "40"), ("generations", "4"), ("opponents", opponents)];
    let mut settings = preset(name, &[&small, changes].concat());
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
    let all: [(&str, Changes); 7] = [
        ("mancala-gp-1", &[("selection", "lexicase")]),
        ("othello-gp-50-staged", &[("selection", "lexicase")]),
        ("mancala-gp-1", &[("sharing", "2.5")]),
        ("mancala-gp-1", &[("sharing", "4"), ("selection", "tournament:3"), ("islands", "2")]),
        ("othello-gp-50-staged", &[("sharing", "20")]),
        ("mancala-gp-1", &[("opponents", "minimax:1,2*champions:3")]),
        ("oware-gp", &[("opponents", "champions:2,max"), ("selection", "lexicase"), ("value_at", "first")]),
    ];
    for (name, changes) in all {
        let folder = tempfile::tempdir().unwrap();
        let start = |place: &str, changes: Changes, pool: &Pool| {
            RunJob::create(&folder.path().join(place), settings(name, changes), pool).unwrap()
        };
        let whole = written(&mut start("whole", changes, &Pool::alone()), Budget::UNLIMITED);
        assert_eq!(written(&mut start("steps", changes, &Pool::new(3)), Budget::time(Duration::ZERO)), whole);
        assert_ne!(written(&mut start("other", &[], &Pool::alone()), Budget::UNLIMITED), whole);
        let mut job = start("stopped", changes, &Pool::alone());
        (0..2).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
        job.rest();
        drop(job);
        let forms = [settings(name, changes).form()];
        let (mut job, _) = RunJob::resume(&folder.path().join("stopped"), &forms, &Pool::new(2)).unwrap();
        assert_eq!(job.run().generation(), Some(1));
        assert_eq!(written(&mut job, Budget::UNLIMITED), whole, "{name} {changes:?}");
    }
}
