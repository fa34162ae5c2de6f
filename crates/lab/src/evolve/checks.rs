//! Checks that the tests of several problems and tasks have in common.

use mancalab_base::Error;
use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

use super::ga::{self, Ga, Task, task};
use super::gp::problem;
use crate::budget::{Budget, Job as _, Status};
use crate::job::{Progress, Run as _, RunJob, RunSettings};
use crate::kinds::KINDS;
use crate::pool::Pool;
use crate::settings::{self, KeyedSettings, Source};

/// Returns the settings of a preset of any command with these changes.
pub(crate) fn preset(name: &str, changes: &[(&str, &str)]) -> Box<dyn RunSettings> {
    let mut settings = KINDS.iter().find_map(|kind| kind.preset(name)).expect("a preset");
    changes.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
    settings
}

/// Returns the rows of a run of any kind, or why it halted.
pub(crate) fn rows_of(settings: &dyn RunSettings, pool: &Pool, budget: Budget) -> Result<Vec<String>, Error> {
    let mut run = settings.start()?;
    let mut rows = Vec::new();
    loop {
        match run.advance(pool, budget) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return Ok(rows),
            Progress::Halted(reason) => return Err(reason),
        }
    }
}

/// Returns the rows of a run.
pub(in crate::evolve) fn rows<T: Task>(settings: ga::Settings<T>, pool: &Pool, budget: Budget) -> Vec<String> {
    let mut run = Ga::<T>::start(settings).unwrap();
    let mut rows = Vec::new();
    loop {
        match run.advance(pool, budget) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return rows,
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
}

/// Checks that neither threads nor the length of steps show in the rows, unlike the seed, and that rows have their columns.
pub(in crate::evolve) fn rows_depend_on_settings_and_seed_alone<T: Task>(settings: impl Fn(u64) -> ga::Settings<T>) {
    let whole = rows(settings(1), &Pool::default(), Budget::UNLIMITED);
    assert_eq!(whole.len() as u64, settings(1).generations + 1);
    for pool in [Pool::default(), Pool::alone(), Pool::new(3)] {
        assert_eq!(rows(settings(1), &pool, Budget::time(Duration::ZERO)), whole, "{} threads", pool.count());
        assert_eq!(rows(settings(1), &pool, Budget::UNLIMITED), whole, "{} threads", pool.count());
    }
    assert_ne!(rows(settings(2), &Pool::default(), Budget::UNLIMITED), whole);
    assert!(T::columns().starts_with(task::ROW));
    assert!(whole.iter().all(|row| row.split(',').count() == T::columns().split(',').count()));
}

/// Checks that a run that was stopped after `steps` steps continues to the same rows in its folder. `stopped` sees it before.
pub(in crate::evolve) fn continues_to_the_same_rows<T: Task>(
    settings: &ga::Settings<T>,
    folder: &Path,
    steps: u64,
    stopped: impl FnOnce(&RunJob),
) -> RunJob {
    let whole = rows(settings.clone(), &Pool::default(), Budget::UNLIMITED);
    let mut job = RunJob::create(folder, settings.clone(), &Pool::default()).unwrap();
    (0..steps).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
    stopped(&job);
    drop(job);
    let (mut job, notes) = RunJob::resume(folder, &[settings.form()], &Pool::new(2)).unwrap();
    assert_eq!((job.run().generation(), notes.len()), (Some(steps - 1), 0));
    assert!(job.run_as::<Ga<T>>().settings() == settings);
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    let written = std::fs::read_to_string(folder.join("generations.csv")).unwrap();
    assert_eq!(written.lines().skip(1).collect::<Vec<_>>(), whole);
    job
}

/// Checks that each of these changes makes a difference, and that the changed settings survive a round trip through a file.
pub(in crate::evolve) fn are_changed_and_kept<S: KeyedSettings + Clone + PartialEq + Debug>(
    settings: &S,
    changes: &[(&str, &str)],
) {
    let mut changed = settings.clone();
    for (key, value) in changes {
        let before = changed.clone();
        changed.set(key, value).unwrap();
        assert_ne!(changed, before, "{key}");
    }
    assert_eq!(read_back(&changed, settings.clone()), changed);
}

/// Returns the settings of a file with the text of `settings`, read into `unread`.
fn read_back<S: KeyedSettings>(settings: &S, mut unread: S) -> S {
    let source = Source::new("run.toml", settings.to_text());
    settings::parse(&source, |table, problems| unread.read(table, problems))
        .unwrap_or_else(|report| panic!("{report}"));
    unread
}

/// Checks that all settings survive a round trip through a file and through flags, read into the result of `unread`.
pub(in crate::evolve) fn survive_round_trip<S>(settings: &S, unread: impl Fn() -> S)
where
    S: problem::Settings + PartialEq + Debug,
{
    let file = read_back(settings, unread());
    let mut flags = unread();
    for (key, _, value) in settings.list() {
        flags.set(key, &value).unwrap_or_else(|error| panic!("{error}"));
        flags.set_text(&format!("{key}={value}")).unwrap_or_else(|report| panic!("{report}"));
    }
    for read in [file, flags] {
        assert_eq!(&read, settings, "{}", settings.to_text());
    }
}
