//! The runs of other processes, which come, crash, are resumed and go while the app shows something.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::app::stage::{Stage, config};
use crate::budget::{Budget, Job as _};
use crate::evolve::kalah::weights::preset;
use crate::job::RunJob;
use crate::kinds;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::staged::with_runs;
use crate::tabs::{TabSettings, all};

/// A run that was started and stands at its first generation, held by this process until dropped.
pub(super) fn begun(runs: &Path, name: &str) -> RunJob {
    let mut settings = preset("kalah-thesis").unwrap();
    for (key, value) in [("population", "4"), ("generations", "3"), ("depth", "1"), ("games", "1")] {
        settings.set(key, value).unwrap();
    }
    let mut job = RunJob::create(&runs.join(name), settings, &Pool::alone()).unwrap();
    job.step(Budget::UNLIMITED.single());
    job.save();
    job
}

/// The run's process is killed.
fn kill(runs: &Path, name: &str, job: RunJob) {
    drop(job);
    fs::write(runs.join(name).join("lock"), "process 1 on elsewhere\n").unwrap();
}

fn resumed(runs: &Path, name: &str) -> RunJob {
    kinds::resume(&runs.join(name), &Pool::alone()).unwrap().0
}

fn after(stage: &mut Stage, seconds: u64) -> String {
    stage.pass(Duration::from_secs(seconds)).screen(120, 40)
}

#[test]
fn the_monitor_shows_runs_that_come_crash_resume_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = with_runs("6", runs, None);
    assert_eq!(stage.tab(), "Monitor");
    let job = begun(runs, "night");
    assert!(!after(&mut stage, 1).contains("night"), "it reads every two seconds");
    assert!(after(&mut stage, 1).contains("running"), "{}", stage.screen(120, 40));
    kill(runs, "night", job);
    let screen = after(&mut stage, 2);
    assert!(screen.contains("crashed") && screen.contains("night: its process was killed"), "{screen}");
    let mut job = resumed(runs, "night");
    assert!(after(&mut stage, 2).contains("running"), "{}", stage.screen(120, 40));
    job.step(Budget::UNLIMITED);
    drop(job);
    assert!(after(&mut stage, 2).contains("finished"), "{}", stage.screen(120, 40));
    fs::remove_dir_all(runs.join("night")).unwrap();
    assert!(after(&mut stage, 2).contains("No runs or plans yet"), "{}", stage.screen(120, 40));
}

#[test]
fn a_list_shows_runs_that_others_start_and_an_alarm_comes_on_any_tab() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = with_runs("3", runs, None);
    assert!(stage.shows("No runs yet."), "{}", stage.screen(120, 40));
    let job = begun(runs, "night");
    assert!(after(&mut stage, 2).contains("night"), "{}", stage.screen(120, 40));
    stage.keys("1");
    kill(runs, "night", job);
    assert!(!after(&mut stage, 20).contains("night"), "nothing shows runs: they are read seldom");
    assert!(after(&mut stage, 10).contains("night: its process was killed"), "{}", stage.screen(120, 40));
    assert!(stage.keys("3").shows("? ") && stage.shows("night"), "{}", stage.screen(120, 40));
}

/// A folder that is being deleted lacks its files one by one.
#[test]
fn damage_is_reported_if_it_stays() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    drop(begun(runs, "brief"));
    drop(begun(runs, "lasting"));
    let mut stage = with_runs("6", runs, None);
    stage.screen(120, 40);
    for name in ["brief", "lasting"] {
        fs::remove_file(runs.join(name).join("generations.csv")).unwrap();
    }
    let notice = |name: &str| format!("{name}: ");
    let screen = after(&mut stage, 2);
    assert!(screen.contains("damaged") && !screen.contains(&notice("lasting")), "{screen}");
    fs::remove_dir_all(runs.join("brief")).unwrap();
    let screen = after(&mut stage, 2);
    assert!(screen.contains(&notice("lasting")) && !screen.contains(&notice("brief")), "{screen}");
}

#[test]
fn nothing_is_drawn_while_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    drop(begun(folder.path(), "night"));
    // The Monitor shows the load, which changes by itself.
    let mut stage = with_runs("3", folder.path(), None);
    stage.screen(120, 40);
    stage.pass(Duration::from_secs(2)).pass(Duration::from_secs(2));
    let now = std::time::Instant::now() + Duration::from_secs(60);
    assert!(!stage.app.is_draw_due(now));
    fs::remove_dir_all(folder.path().join("night")).unwrap();
    stage.pass(Duration::from_secs(2));
    assert!(stage.app.is_draw_due(now));
}

#[test]
fn runs_are_being_read_before_there_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let board = Settings::new(Setup::from_config(&config().board), None);
    let settings = TabSettings { runs: Some(folder.path().into()), ..TabSettings::new(board, &Paths::default()) };
    let mut stage = Stage::with_tabs(config(), all(settings));
    assert!(stage.type_ahead("6").shows("Reading the runs."), "{}", stage.screen(120, 40));
    assert!(stage.type_ahead("3").shows("Reading the runs."), "{}", stage.screen(120, 40));
    stage.wait();
    assert!(stage.shows("No runs yet."), "{}", stage.screen(120, 40));
}
