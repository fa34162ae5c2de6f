//! A tournament's plan from the list to its games on the Board, with units done, running and failed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::stage::{Stage, look};
use crate::budget::{Budget, Job as _};
use crate::cluster::create::{PlanSpec, make};
use crate::cluster::layout::{self, AttemptId, Mark};
use crate::cluster::plan::Plan;
use crate::cluster::runs::Runs;
use crate::cluster::sweep::Vary;
use crate::cluster::unit::compute;
use crate::job::{RunJob, RunSettings};
use crate::kinds;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::reproduce;
use crate::settings::KeyedSettings as _;
use crate::tabs::staged::with_runs;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

/// Two players, four games of every cell, two games a unit: eight units.
fn plan(runs: &Path, name: &str) -> Plan {
    let mut settings = reproduce::tournament("round-robin").unwrap();
    for (key, value) in [("players", "random, max"), ("games", "4")] {
        settings.set(key, value).unwrap();
    }
    let wanted = PlanSpec {
        command: "arena",
        settings: <Box<dyn RunSettings>>::from(settings),
        seeds: vec![7],
        vary: Vec::new(),
        block: Some(2),
    };
    make(wanted, &runs.join(name)).unwrap()
}

/// Computes units, each with a recorded time of one and a half seconds.
fn done(plan: &Plan, units: std::ops::Range<u32>) {
    let work = Runs::read_checked(plan).unwrap();
    for unit in units {
        compute(plan, &work, unit, Duration::ZERO, &Pool::alone(), &|| false, &mut |_| {}).unwrap();
    }
    for (id, mark) in layout::marks(plan.folder()) {
        if mark == Mark::Done {
            fs::write(layout::mark(plan.folder(), &id, mark), "1.500\n").unwrap();
        }
    }
}

/// An attempt on another machine.
fn mark(plan: &Plan, unit: u32, mark: Mark, text: &str) -> PathBuf {
    let id = AttemptId { unit, host: "lab2".to_owned(), process: 4711, salt: format!("{unit:02x}") };
    let path = layout::mark(plan.folder(), &id, mark);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_plan_is_tagged_and_noted_and_found_by_tag_in_the_list_and_on_the_monitor() {
    let runs = tempfile::tempdir().unwrap();
    let plan = plan(runs.path(), "night");
    self::plan(runs.path(), "day");
    let mut stage = opened(runs.path(), None);
    stage.keys("/").text("night").keys("enter end # ctrl-u").text("oware").keys("enter");
    assert!(stage.shows("Tags saved"), "{}", stage.screen(120, 40));
    stage.keys("N ctrl-u").text("blocks of two").keys("enter");
    assert!(stage.shows("Note saved") && stage.shows("blocks of two"), "{}", stage.screen(120, 40));
    let notes = crate::job::run_dir::Notes::read(plan.folder()).unwrap();
    assert_eq!((notes.tags, notes.note), (vec!["oware".to_owned()], "blocks of two".to_owned()));
    for tab in ["4", "6"] {
        stage.keys(tab).keys("/ ctrl-u").text("tag:oware").keys("enter");
        let screen = stage.screen(120, 40);
        let is_row = |name: &str| screen.lines().any(|line| line.chars().take(14).collect::<String>().contains(name));
        assert!(is_row("night") && !is_row("day"), "{screen}");
    }
}

/// The Arena tab with a plan of which five units are done, one runs and one has failed.
fn stage(runs: &Path) -> (Stage, Plan, PathBuf) {
    let plan = plan(runs, "night");
    done(&plan, 0..5);
    mark(&plan, 5, Mark::Failed, "cannot write the result: the disk is full\n");
    let running = mark(&plan, 6, Mark::Run, "");
    (opened(runs, None), plan, running)
}

fn opened(runs: &Path, arena: Option<PathBuf>) -> Stage {
    with_runs("4", runs, arena.map(|folder| ("arena", folder)))
}

/// The files of a folder and below, with their lengths.
fn files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.metadata().unwrap() {
            meta if meta.is_dir() => found.extend(files(&entry.path())),
            meta => found.push((entry.path(), meta.len())),
        }
    }
    found.sort();
    found
}

#[test]
fn a_plan_is_opened_from_the_list_and_shows_its_units_and_what_they_give() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, plan, _) = stage(folder.path());
    let before = files(plan.folder());
    stage.keys("end");
    for output in ["night", "5/8", "plan, running", "8 units: 5 done, 1 running, 1 failed", "plan, running (Enter"] {
        assert!(stage.shows(output), "{output}: {}", stage.screen(120, 40));
    }
    stage.keys("enter right right right right right");
    let mut pages = vec![stage.body(80, 24)];
    stage.keys("right");
    pages.push(stage.body(80, 24));
    // Both fit, so the results are merged.
    stage.screen(120, 40);
    stage.pass(Duration::ZERO);
    pages.push(stage.body(120, 40));
    assert!(stage.footer().starts_with("Enter enter view p compute u merged S summary l runs "), "{}", stage.footer());
    pages.push(stage.body(40, 12));
    let theme = Theme::load("mono", ColorDepth::True, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    pages.push(stage.body(80, 24));
    let screen = stage.screen(80, 24);
    assert!(screen.is_ascii(), "{screen}");
    insta::assert_snapshot!(pages.join("\n"));
    assert_eq!(files(plan.folder()), before, "watching writes nothing");
}

#[test]
fn the_cursor_goes_with_the_units() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, _, _) = stage(folder.path());
    stage.keys("end enter");
    stage.screen(80, 24);
    stage.cursor_follows("right right left");
}

#[test]
fn what_is_there_so_far_is_walked_through_and_its_games_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, plan, _) = stage(folder.path());
    stage.keys("end enter");
    stage.screen(80, 24);
    // All at once, as with fast typing: keys apply to the upcoming state.
    stage.type_ahead("u down down j enter").wait();
    assert!(stage.shows("Loaded round-robin-seed7, game 2"), "{}", stage.screen(120, 40));
    stage.keys("4");
    let shown = stage.screen(80, 24);
    assert!(shown.contains("round-robin-seed7 so far  5 of 8 units") && shown.contains("max v random"), "{shown}");
    stage.keys("m");
    assert!(stage.screen(80, 24).contains("% of points of the row"), "{}", stage.screen(80, 24));
    // Back to the units, then to the list, then back again.
    stage.keys("esc");
    assert!(stage.screen(80, 24).contains("Unit 0"), "{}", stage.screen(80, 24));
    stage.keys("l");
    assert!(stage.shows("Presets"));
    stage.keys("l");
    assert!(stage.shows("Unit 0"));
    done(&plan, 5..8);
    stage.pass(Duration::from_secs(2));
    assert!(stage.screen(80, 24).contains("✓ finished  8 units: 8 done"), "{}", stage.screen(80, 24));
    let shown = stage.screen(80, 24);
    assert!(shown.contains("all are done. p merges them, or: mancalab plan merge night"), "{shown}");
    assert!(stage.footer().contains(" p merge "), "{}", stage.footer());
    // What an interrupted merge leaves is no merged run.
    let merged = plan.folder().join(layout::MERGED);
    fs::create_dir_all(merged.join(".half.new")).unwrap();
    stage.pass(Duration::from_secs(3));
    assert!(stage.shows("p merges them"), "{}", stage.screen(80, 24));
    stage.keys("p");
    assert_eq!(stage.notice(), "Merged the plan: S shows the summary");
    stage.pass(Duration::from_secs(3));
    let shown = stage.screen(80, 24);
    assert!(shown.contains("all are done and merged; S shows the summary"), "{shown}");
    assert!(!stage.offers("arena.plan"), "{}", stage.footer());
    stage.screen(120, 40);
    stage.pass(Duration::from_secs(30));
    assert!(stage.shows("round-robin-seed7 done  8 of 8 units"), "{}", stage.screen(120, 40));
}

#[test]
fn a_click_chooses_a_unit_and_keys_go_where_the_click_went() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, ..) = stage(folder.path());
    stage.keys("end enter");
    stage.click("✗");
    let shown = stage.screen(80, 24);
    assert!(shown.contains("failed: cannot write the result: the disk is full"), "{shown}");
    stage.screen(120, 40);
    stage.pass(Duration::ZERO).screen(120, 40);
    stage.keys("enter down");
    assert!(stage.shows("max v random") && stage.shows("Unit 5"), "{}", stage.screen(120, 40));
    stage.keys("esc right");
    assert!(stage.shows("Unit 6") && stage.shows("running on lab2, process 4711"), "{}", stage.screen(120, 40));
}

#[test]
fn nothing_is_read_while_no_one_sees_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, plan, _) = stage(folder.path());
    stage.keys("end enter");
    assert!(stage.shows("5 done"));
    stage.keys("1");
    stage.pass(Duration::from_secs(5));
    done(&plan, 5..7);
    stage.pass(Duration::from_secs(60)).pass(Duration::from_secs(60));
    stage.keys("4");
    assert!(stage.shows("5 done"), "{}", stage.screen(120, 40));
    stage.pass(Duration::from_secs(5));
    assert!(stage.shows("7 done"), "{}", stage.screen(120, 40));
}

#[test]
fn plans_are_renamed_and_deleted_unless_a_unit_runs() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let (mut stage, _, running) = stage(runs);
    stage.keys("end D");
    assert!(stage.dialog().is_none() && runs.join("night/plan.toml").exists(), "{}", stage.screen(120, 40));
    assert_eq!(stage.notice(), "night is being computed: stop that first");
    fs::remove_file(running).unwrap();
    stage.pass(Duration::from_secs(5)).keys("R ctrl-u").text("day").keys("enter");
    // The alarm of the failed unit, which nothing computes any more, replaces the notice.
    assert!(stage.shows("day: 1 unit failed") && runs.join("day").exists(), "{}", stage.screen(120, 40));
    assert!(stage.shows("plan, failed"), "{}", stage.screen(120, 40));
    for (key, output) in [("e", "Not available for plans"), ("X", "day is a plan: only runs can be exported")] {
        stage.keys(key);
        assert!(stage.shows(output), "{key}: {}", stage.screen(120, 40));
    }
    stage.keys("/").text("plan fail").keys("enter end");
    assert!(stage.shows("(1 of 1: 'plan fail')"), "{}", stage.screen(120, 40));
    stage.keys("enter l D y");
    assert!(stage.shows("Deleted the plan") && !runs.join("day").exists(), "{}", stage.screen(120, 40));
}

#[test]
fn a_plan_that_no_one_computes_shows_what_to_type() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "new plan");
    let mut stage = opened(folder.path(), Some(plan.folder().to_owned()));
    let shown = stage.screen(80, 24);
    assert!(shown.contains("+ new  8 units: 0 done"), "{shown}");
    assert!(shown.contains("p starts it, or: mancalab plan submit 'new plan' --engine local"), "{shown}");
    stage.keys("u");
    let shown = stage.screen(80, 24);
    assert!(shown.contains("No results yet"), "{shown}");
    fs::remove_dir_all(plan.folder()).unwrap();
    stage.pass(Duration::from_secs(5));
    assert!(stage.shows("no longer exists"), "{}", stage.screen(120, 40));
}

/// More units than cells: the selected one stays visible, and a bar summarizes all.
#[test]
fn a_plan_of_many_units_scrolls_and_a_bar_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = reproduce::tournament("round-robin").unwrap();
    for (key, value) in [("players", "random, max"), ("games", "800")] {
        settings.set(key, value).unwrap();
    }
    let seeds = vec![7];
    let vary = Vec::new();
    let wanted =
        PlanSpec { command: "arena", settings: <Box<dyn RunSettings>>::from(settings), seeds, vary, block: Some(1) };
    let plan = make(wanted, &folder.path().join("long")).unwrap();
    assert_eq!(Runs::read_checked(&plan).unwrap().units(), 3200);
    done(&plan, 0..2);
    let mut stage = opened(folder.path(), Some(plan.folder().to_owned()));
    stage.screen(80, 24);
    stage.keys("G up");
    let shown = stage.body(80, 24);
    let bar = format!("▮{}", "·".repeat(70));
    assert!(shown.contains(&bar) && shown.contains("Unit 3") && !shown.contains("│    0 "), "{shown}");
    insta::assert_snapshot!(shown);
}

/// A program of a run that is merged only in memory can be played, and nothing is written into the plan.
#[test]
fn a_program_of_a_plans_run_is_opened_from_beside_the_runs() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut settings = kinds::KINDS[0].preset("mancala-gp-2").unwrap();
    for (key, value) in [("population", "20"), ("generations", "2")] {
        settings.set(key, value).unwrap();
    }
    let seeds = vec![1, 2];
    let vary = Vec::new();
    let wanted = PlanSpec { command: "evolve", settings, seeds, vary, block: None };
    let plan = make(wanted, &runs.join("sweep")).unwrap();
    done(&plan, 0..1);
    let before = files(plan.folder());
    let mut stage = opened(runs, None);
    stage.keys("2 end enter");
    stage.screen(80, 24);
    stage.keys("u");
    assert!(stage.shows("mancala-gp-2-seed1 done  1 of 1 units"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("program:") && stage.shows("minimax:8"), "{}", stage.screen(120, 40));
    assert!(runs.join(".opened/sweep/mancala-gp-2-seed1").is_dir());
    assert_eq!(files(plan.folder()), before);
    // The other run has nothing yet.
    stage.keys("2 esc right");
    stage.screen(80, 24);
    stage.keys("enter");
    let shown = stage.screen(80, 24);
    assert!(shown.contains("mancala-gp-2-seed2 so far  0 of 1 units"), "{shown}");
    assert!(shown.contains("No results yet"), "{shown}");
    // The list ignores the hidden folder.
    stage.keys("esc l");
    assert!(stage.shows("Runs (1)") && stage.shows("1/2"), "{}", stage.screen(120, 40));
}

/// Two settings of three seeds, of which the last is not computed.
#[test]
fn results_are_a_table_of_settings_and_seeds_with_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = kinds::by_word("gp").unwrap().preset("mancala-gp-1").unwrap();
    for change in ["population = 8", "generations = 2", "opponents = [\"max\"]"] {
        settings.set_text(change).unwrap();
    }
    let vary = vec![Vary { key: "population".to_owned(), values: vec!["8".to_owned(), "12".to_owned()] }];
    let wanted = PlanSpec { command: "evolve", settings, seeds: vec![1, 2, 3], vary, block: None };
    let plan = make(wanted, &folder.path().join("search")).unwrap();
    done(&plan, 0..5);
    let before = files(plan.folder());
    let mut stage = with_runs("2", folder.path(), Some(("evolution", plan.folder().to_owned())));
    let mono = Look { theme: Theme::usual(ColorDepth::None), ..look() };
    for (size, look) in [
        ((80, 24), look()),
        ((120, 40), look()),
        ((200, 60), mono),
        ((80, 24), Look { glyphs: Glyphs::ascii(), ..look() }),
    ] {
        stage.set_look(look);
        stage.screen(size.0, size.1);
        stage.pass(Duration::ZERO);
        let screen = stage.screen(size.0, size.1);
        for text in ["best fitness points by seed", "population=8", "population=12", "median", "IQM 95 %", "p (Holm)"] {
            assert!(screen.contains(text), "{text}: {screen}");
        }
        let row = screen.lines().find(|line| line.contains(" population=12")).unwrap();
        let numbers =
            row.split_whitespace().filter(|word| word.trim_matches(['[', ']']).parse::<f64>().is_ok()).count();
        assert!(numbers >= 3, "two results and their median: {screen}");
    }
    stage.keys("down right right");
    assert!(stage.shows("Unit 5") && stage.shows("waiting"), "{}", stage.screen(80, 24));
    assert_eq!(files(plan.folder()), before, "watching writes nothing");
    // From the summary back to the plan.
    let mut settings = kinds::by_word("gp").unwrap().preset("mancala-gp-1").unwrap();
    for change in ["population = 8", "generations = 2", "opponents = [\"max\"]"] {
        settings.set_text(change).unwrap();
    }
    RunJob::create(&plan.folder().join("merged/one"), settings, &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    stage.keys("S").wait();
    assert!(stage.footer().starts_with("l back"), "{}", stage.footer());
    for key in ["l", "esc"] {
        assert!(stage.keys(key).shows("Unit 5"), "{}", stage.screen(80, 24));
        stage.keys("S").wait();
    }
    let running = mark(&plan, 5, Mark::Run, " 71 %\n");
    let mut stage = with_runs("2", folder.path(), Some(("evolution", plan.folder().to_owned())));
    stage.screen(120, 40);
    stage.pass(Duration::ZERO);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("▸71%"), "{screen}");
    stage.keys("down right right");
    assert!(stage.shows("process 4711, 71 % done"), "{}", stage.screen(120, 40));
    let share = |stage: &mut Stage| stage.keys("6 r").screen(120, 40).lines().nth(3).unwrap().to_owned();
    let row = share(&mut stage);
    assert!(row.contains(" 95 %"), "five units of six, and most of the last: {row}");
    // That of an earlier version has no progress.
    fs::write(&running, "").unwrap();
    stage = with_runs("2", folder.path(), Some(("evolution", plan.folder().to_owned())));
    assert!(!stage.shows("71%") && share(&mut stage).contains(" 83 %"), "{}", stage.screen(120, 40));
}
