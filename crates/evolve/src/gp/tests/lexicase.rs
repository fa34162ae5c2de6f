//! Tests of runs that select by lexicase: they resume with the results of their programs.

use super::toy::{Settings, Toy};
use super::{GpRun, finish, next};
use crate::gp::run_settings::GpSettings;
use crate::job::{Rows, Run as _, RunSettings as _};
use crate::pool::Pool;

fn settings(more: &[&str]) -> Settings {
    Settings::with(&[&["population=60", "generations=6", "selection=lexicase"], more].concat())
}

#[test]
fn a_resumed_run_has_the_same_rows() {
    for more in [&[][..], &["anew=true"], &["islands=2", "migration_every=2", "migrants=1"]] {
        let settings = settings(more);
        let mut whole = Vec::new();
        let mut run = GpRun::<Toy>::start(settings.clone()).unwrap();
        assert_eq!(finish(&mut run, &Pool::new(2), &mut whole), None);
        let mut rows = Vec::new();
        let mut run = GpRun::<Toy>::start(settings.clone()).unwrap();
        (0..3).for_each(|_| assert!(next(&mut run, &mut rows)));
        let state = run.save(&Pool::alone());
        let mut resumed = GpRun::<Toy>::restore(settings.clone(), &state, Rows::in_memory(&rows)).unwrap();
        assert_eq!(finish(&mut resumed, &Pool::alone(), &mut rows), None);
        assert_eq!(rows, whole);
        let mut roulette = Vec::new();
        let other = Settings::with(&[&["population=60", "generations=6"], more].concat());
        finish(&mut GpRun::<Toy>::start(other).unwrap(), &Pool::alone(), &mut roulette);
        assert_ne!(roulette, whole);
    }
}

#[test]
fn a_fork_keeps_the_selection() {
    let own = GpSettings::<Toy>::new(settings(&[]));
    let mut forked = own.boxed();
    forked.set("selection", "roulette").unwrap();
    let error = forked.check_fork(&own).unwrap_err().to_string();
    assert!(error.contains("from or to lexicase"), "{error}");
    forked.set("selection", "lexicase").unwrap();
    forked.set("mutation", "40").unwrap();
    assert!(forked.check_fork(&own).is_ok());
}
