//! The Monitor's table: its columns, its order, and what is folded.

use std::path::Path;

use super::draw::columns;
use crate::app::stage::{Stage, look};
use crate::budget::{Budget, Job as _};
use crate::evolve::kalah::weights::preset;
use crate::job::RunJob;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use crate::tabs::staged::with_runs;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

/// A run at its first generation, held by this process until dropped.
fn begun(runs: &Path, name: &str) -> RunJob {
    let mut settings = preset("kalah-thesis").unwrap();
    for (key, value) in [("population", "4"), ("generations", "3"), ("depth", "1"), ("games", "1")] {
        settings.set(key, value).unwrap();
    }
    let mut job = RunJob::create(&runs.join(name), settings, &Pool::alone()).unwrap();
    job.step(Budget::UNLIMITED.single());
    job.save();
    job
}

/// A running run and two finished ones.
fn stage(runs: &Path) -> (Stage, RunJob) {
    for name in ["first", "second"] {
        begun(runs, name).step(Budget::UNLIMITED);
    }
    let job = begun(runs, "night");
    (with_runs("6", runs, None), job)
}

fn names(stage: &mut Stage) -> Vec<String> {
    let screen = stage.screen(120, 40);
    let rows = screen.lines().skip(3).take_while(|line| !line.starts_with('╭'));
    let word =
        |line: &str| line.trim_start_matches(['▸', ' ']).split("  ").next().unwrap_or_default().trim().to_owned();
    rows.map(word).filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_newest_values_have_the_room_that_is_left() {
    for width in [80, 99, 100, 120, 200] {
        let needed: u16 = 1 + columns(width).iter().map(|column| column.width + 2).sum::<u16>();
        assert!(needed <= width && columns(width)[6].width >= 12, "{width}: {needed}");
    }
}

#[test]
fn finished_runs_are_folded_until_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, job) = stage(folder.path());
    assert_eq!(names(&mut stage), ["night", "→ 2 finished"]);
    stage.keys("down");
    assert!(stage.footer().starts_with("Enter unfold"), "{}", stage.footer());
    stage.keys("enter");
    assert_eq!(names(&mut stage)[..2], ["night", "↓ 2 finished"]);
    assert_eq!(names(&mut stage).len(), 4);
    stage.keys("enter");
    // Where nothing else is shown they are unfolded, and so is what a filter finds.
    stage.keys("/").text("second").keys("enter");
    assert_eq!(names(&mut stage), ["second"]);
    assert!(stage.shows("filter: second"), "{}", stage.screen(120, 40));
    stage.keys("/ ctrl-u enter");
    drop(job);
    std::fs::remove_dir_all(folder.path().join("night")).unwrap();
    stage.keys("r");
    assert_eq!(names(&mut stage).len(), 2);
}

#[test]
fn the_table_is_sorted_by_its_columns_and_the_selection_stays() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let _jobs = ["b", "a", "c"].map(|name| begun(runs, name));
    let mut stage = with_runs("6", runs, None);
    stage.keys("o");
    assert_eq!(names(&mut stage), ["a", "b", "c"]);
    assert!(stage.shows("name↑"), "{}", stage.screen(120, 40));
    stage.keys("home O");
    assert_eq!(names(&mut stage), ["c", "b", "a"]);
    assert!(stage.screen(120, 40).lines().any(|line| line.starts_with("▸a ")), "{}", stage.screen(120, 40));
}

#[test]
fn it_shows_the_machine_the_curve_and_the_events_at_every_size() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, _job) = stage(folder.path());
    let mono = Look { theme: Theme::usual(ColorDepth::None), ..look() };
    for look in [look(), mono, Look { glyphs: Glyphs::ascii(), ..look() }] {
        stage.set_look(look);
        for (width, height) in [(80, 24), (120, 40), (200, 60)] {
            let screen = stage.screen(width, height);
            for text in ["1 running", "disk ", "Start and last change", "night started", "night: best percent"] {
                assert!(screen.contains(text), "{text}\n{screen}");
            }
        }
        // Also where the last column has no room at all.
        (20..=80).for_each(|width| _ = stage.screen(width, 20));
    }
}
