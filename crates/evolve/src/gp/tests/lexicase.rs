//! Tests of runs that select by lexicase: they resume with the results of their programs.

use super::resumes_to_rows_of_its_own;
use super::toy::{Settings, Toy};
use crate::gp::run_settings::GpSettings;
use crate::job::RunSettings as _;

fn settings(more: &[&str]) -> Settings {
    Settings::with(&[&["population=60", "generations=6", "selection=lexicase"], more].concat())
}

#[test]
fn a_resumed_run_has_the_same_rows() {
    for more in [&[][..], &["anew=true"], &["islands=2", "migration_every=2", "migrants=1"]] {
        resumes_to_rows_of_its_own(&settings(more), more);
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
