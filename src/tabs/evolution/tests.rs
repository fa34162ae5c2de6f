//! A run from its preset to its programs on the Board, key by key.

use std::path::Path;

use crate::app::stage::{Stage, look};
use crate::budget::{Budget, Job};
use crate::job::RunJob;
use crate::kinds::{self, KINDS};
use crate::pool::Pool;
use crate::tabs::staged::with_runs;
use crate::theme::Glyphs;
use crate::ui::Look;

/// A stage with the Evolution tab in front and its runs in `folder`.
fn stage(folder: &Path) -> Stage {
    opened(folder, None)
}

fn opened(folder: &Path, run: Option<&Path>) -> Stage {
    with_runs("2", folder, run.map(|run| ("evolution", run.to_owned())))
}

/// Starts a small run of the second preset through the settings dialog.
fn small_run(stage: &mut Stage) {
    stage.keys("down e");
    stage.text("7").keys("down").text("4").keys("down").text("40").keys("enter");
    stage.wait();
}

#[test]
fn the_list_of_presets_and_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    let list = stage.keys("down").pages();
    assert_eq!(stage.footer(), "Enter start p plan e edit / filter : commands ? help q quit");
    let settings = stage.keys("e").dialogs();
    insta::assert_snapshot!(list + "\n" + &settings);
}

#[test]
fn a_run_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    let screens = stage.screens();
    assert!(screens.contains("finished") && screens.contains("generation 4 of 4"), "{screens}");
    insta::assert_snapshot!(without_times(&screens));
    let rows = std::fs::read_to_string(folder.path().join("mancala-gp-2-seed7/generations.csv")).unwrap();
    assert_eq!(rows.lines().count(), 6, "a header and generations 0 to 4");
}

/// Seconds, speeds and memo hit rates depend on the machine, and so do the bars of the seconds.
fn without_times(screens: &str) -> String {
    let machine = ["evaluating", "breeding", "memo hits", "programs, "];
    let keep = |line: &str| {
        let cut = machine.iter().filter_map(|word| line.find(word)).min();
        cut.map_or(line.to_owned(), |at| line[..at].to_owned())
    };
    screens.lines().map(|line| keep(line) + "\n").collect()
}

/// The largest size, the program alone, and a chart with its cursor without braille.
#[test]
fn panels_have_a_focus_a_zoom_and_a_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    let mut text = without_times(&stage.body(200, 60));
    // From the population to the fitness, and back by one generation.
    stage.keys("f left left");
    stage.set_look(Look { glyphs: Glyphs::ascii(), ..look() });
    text += &without_times(&stage.body(80, 24));
    stage.keys("z a");
    assert!(stage.shows("Fitness - to the planned end"), "{}", stage.screen(120, 40));
    stage.keys("esc esc");
    assert!(stage.shows("Population of generation 4"), "{}", stage.screen(120, 40));
    stage.keys("f f z");
    text += &without_times(&stage.body(120, 24));
    insta::assert_snapshot!(text);
}

/// Details follow the selection, also by mouse; a double click opens.
#[test]
fn a_click_selects_a_program_and_a_double_click_opens_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.screen(120, 40);
    let row = |stage: &mut Stage, rank: u16| {
        let screen = stage.screen(120, 40);
        let head = screen.lines().position(|line| line.contains("rank   fitness")).unwrap() as u16;
        (12, head + rank)
    };
    let (x, y) = row(&mut stage, 5);
    stage.click_at(x, y);
    assert!(stage.shows("Program of rank 5"), "{}", stage.screen(120, 40));
    stage.pass(std::time::Duration::from_secs(2)).click_at(x, y);
    assert!(stage.shows("Program of rank 5"), "too late for a double click: {}", stage.screen(120, 40));
    stage.click_at(x, y);
    assert!(stage.shows("South  program:") && stage.shows("rank-5.txt"), "{}", stage.screen(120, 40));
}

/// The memo hit rate of a finished run is restored when it is opened.
#[test]
fn a_finished_run_that_is_opened_again_remembers_its_memo() {
    let folder = tempfile::tempdir().unwrap();
    small_run(&mut stage(folder.path()));
    let row = std::fs::read_to_string(folder.path().join("mancala-gp-2-seed7/timings.csv")).unwrap();
    let percent = row.lines().last().unwrap().split(',').nth(5).unwrap().to_owned();
    assert_ne!(percent, "0.00");
    let mut again = stage(folder.path());
    again.press("end").press("enter");
    again.until("finished");
    assert!(again.shows(&format!("{percent}%")), "{percent}: {}", again.screen(120, 40));
}

/// The improvements, which the fitness and the lineage show too, leave their place to the islands.
#[test]
fn islands_have_room_where_nothing_is_drawn_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("islands");
    let mut settings = KINDS[0].preset("mancala-gp-1").unwrap();
    for change in [
        "population = 20",
        "generations = 2",
        "islands = 4",
        "migration_every = 1",
        "migrants = 1",
        "opponents = [\"max\"]",
    ] {
        settings.set_text(change).unwrap();
    }
    let mut job = RunJob::create(&path, settings, &Pool::default()).unwrap();
    while job.step(Budget::UNLIMITED) == crate::budget::Status::Running {}
    drop(job);
    let mut stage = opened(folder.path(), Some(&path));
    let screen = stage.screen(200, 60);
    assert!(["├ Islands", "├ Lineage"].iter().all(|panel| screen.contains(panel)), "{screen}");
    assert!(!screen.contains("├ Improvements"), "{screen}");
    // The panel that is chosen is always shown.
    stage.keys("d");
    assert!(stage.screen(200, 60).contains("├ Improvements"), "{}", stage.screen(200, 60));
}

#[test]
fn a_program_is_opened_on_the_board_and_explains_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.keys("down enter");
    assert!(stage.shows("South  program:") && stage.shows("North  minimax:8"), "{}", stage.screen(120, 40));
    stage.pass(std::time::Duration::from_secs(2));
    stage.keys("space home right");
    assert!(stage.shows("value "), "{}", stage.screen(120, 40));
    stage.keys("2 c");
    assert!(stage.shows("South  you"), "{}", stage.screen(120, 40));
}

#[test]
fn pause_step_stop_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.press("enter");
    stage.press("space");
    stage.until("paused");
    stage.press("1");
    assert!(in_front(&mut stage).contains(" 2 Evolution ‖0% "), "{}", in_front(&mut stage));
    stage.press("2");
    let paused = generation(&mut stage);
    stage.press("s");
    stage.until(&format!("generation {} of 150", paused.map_or(0, |at| at + 1)));
    stage.until("paused");
    stage.press("x");
    stage.until("Saved and stopped");
    for _ in 0..2000 {
        if stage.pass(std::time::Duration::from_millis(100)).shows("stopped (Enter: resume)") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(stage.shows("stopped (Enter: resume)"), "in the list: {}", stage.screen(120, 40));
    stage.press("end").press("enter");
    stage.until("running");
    stage.press("q");
    assert!(stage.shows("is running; it is saved and can be resumed"), "{}", stage.screen(120, 40));
    stage.press("n");
    stage.press("x");
}

/// The tab bar marks a run that ends while another tab is shown, until its tab is opened.
#[test]
fn the_tab_bar_shows_a_run_that_has_ended_until_it_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down").press("e");
    stage.text("7").press("down").text("4").press("down").text("40").press("enter").press("1");
    stage.until(" 2 Evolution ✓ ");
    let narrow = |stage: &mut Stage, wide| stage.screen(wide, 24).lines().next().unwrap_or_default().to_owned();
    assert!(
        narrow(&mut stage, 80).starts_with("  1 Board   2 Evolution ✓   3 Weights   4 Arena   5 Train"),
        "{}",
        narrow(&mut stage, 80)
    );
    assert!(narrow(&mut stage, 40).starts_with("  1 Board   2✓   3   4   5 "), "{}", narrow(&mut stage, 40));
    stage.press("2").until("finished");
    stage.press("1");
    assert!(in_front(&mut stage).contains(" 2 Evolution   3 Weights "), "{}", in_front(&mut stage));
}

/// The tab bar, with the open run at its end.
fn in_front(stage: &mut Stage) -> String {
    stage.screen(120, 40).lines().next().unwrap_or_default().to_owned()
}

fn generation(stage: &mut Stage) -> Option<u64> {
    let screen = stage.screen(120, 40);
    let after = screen.split("generation ").nth(1)?;
    after.split(' ').next()?.parse().ok()
}

#[test]
fn a_finished_run_and_one_of_another_process_are_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    let mut settings = KINDS[0].preset("mancala-gp-1").unwrap();
    settings.set_text("population = 20").unwrap();
    settings.set_text("generations = 3").unwrap();
    let mut job = RunJob::create(&path, settings, &Pool::default()).unwrap();
    job.step(Budget::time(std::time::Duration::from_millis(1)).single());
    let mut stage = opened(folder.path(), Some(&path));
    assert!(stage.shows("watching process"), "{}", stage.screen(120, 40));
    while job.step(Budget::UNLIMITED) == crate::budget::Status::Running {}
    drop(job);
    stage.pass(std::time::Duration::from_secs(2));
    assert!(stage.shows("finished") && stage.shows("generation 3 of 3"), "{}", stage.screen(120, 40));
    assert!(stage.app.deadline().is_none_or(|at| at > std::time::Instant::now() + std::time::Duration::from_secs(1)));
    stage.keys("enter");
    assert!(stage.shows("South  program:"), "the best is played: {}", stage.screen(120, 40));
}

#[test]
fn settings_that_cannot_be_are_refused_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("e down down").text("1").keys("enter");
    assert!(stage.shows("from 2 to 1000000"), "{}", stage.screen(120, 40));
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was started");
}

#[test]
fn a_damaged_run_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("broken");
    std::fs::create_dir(&run).unwrap();
    std::fs::write(run.join("run.toml"), "kind = 3\n").unwrap();
    let mut stage = stage(folder.path());
    stage.keys("end");
    assert!(stage.shows("damaged"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("run.toml"), "{}", stage.screen(120, 40));
    assert_eq!(std::fs::read_to_string(run.join("run.toml")).unwrap(), "kind = 3\n");
}

#[test]
fn a_run_continues_behind_another_that_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.press("l").press("home").press("enter");
    stage.until("mancala-gp-1-seed1");
    stage.until("running");
    stage.press("l").press("end").press("enter");
    stage.until("mancala-gp-2-seed7");
    stage.until("finished");
    assert!(stage.shows("Population of generation 4"), "a finished run shows all it had: {}", stage.screen(120, 40));
    stage.press("q");
    assert!(stage.shows("mancala-gp-1-seed1 is running"), "{}", stage.screen(120, 40));
    stage.press("n");
    // The two runs are below the presets and the custom settings, the most recently active one first.
    let runs = KINDS[0].presets().len() + 1;
    for row in [runs, runs + 1] {
        stage.press("l").press("home");
        (0..row).for_each(|_| _ = stage.press("down"));
        stage.press("enter");
        if in_front(&mut stage).ends_with("mancala-gp-1-seed1") {
            break;
        }
    }
    assert!(in_front(&mut stage).ends_with("mancala-gp-1-seed1"), "{}", stage.screen(120, 40));
    stage.press("x");
    stage.until("Saved and stopped");
}

#[test]
fn watching_a_run_that_no_one_writes_does_not_take_it_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    let mut settings = KINDS[0].preset("mancala-gp-1").unwrap();
    settings.set_text("population = 20").unwrap();
    let mut job = RunJob::create(&path, settings, &Pool::default()).unwrap();
    job.step(Budget::time(std::time::Duration::from_millis(1)).single());
    drop(job);
    let log = std::fs::read_to_string(path.join("mancalab.log")).unwrap();
    let mut stage = opened(folder.path(), Some(&path));
    assert!(stage.shows("stopped"), "{}", stage.screen(120, 40));
    stage.keys("space s x w");
    assert!(stage.shows("Read-only: press Enter in the list"), "{}", stage.screen(120, 40));
    assert_eq!(std::fs::read_to_string(path.join("mancalab.log")).unwrap(), log);
    // Another process resumes it, and is followed.
    let (job, _) = kinds::resume(&path, &Pool::default()).unwrap();
    stage.pass(std::time::Duration::from_secs(2));
    assert!(stage.shows("watching process"), "{}", stage.screen(120, 40));
    drop(job);
}

#[test]
fn settings_that_do_not_go_together_stay_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("e down down").text("8").keys("down down down down down").text("8").keys("enter");
    assert!(stage.shows("elitism must be at most") && stage.shows("Settings"), "{}", stage.screen(120, 40));
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was started");
}

#[test]
fn a_run_whose_folder_is_removed_stops_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.press("e").text("1").press("tab").text("100000").press("enter");
    stage.until("running");
    std::fs::remove_dir_all(folder.path().join("mancala-gp-1-seed1")).unwrap();
    stage.until("failed");
    assert!(!folder.path().join("mancala-gp-1-seed1").exists(), "nothing is left behind in its place");
}

#[test]
fn the_question_before_quitting_follows_what_is_running() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down e").text("7").keys("down").text("150").keys("down").text("60").press("enter").press("q");
    assert!(stage.shows("is running; it is saved"), "{}", stage.screen(120, 40));
    stage.until("Nothing is running any more");
    stage.press("y");
    assert_eq!(stage.app.quit(), Some(0));
}

/// A watched run shows the same as in its own process, as of its newest checkpoint.
#[test]
fn a_watcher_sees_the_population_the_times_and_the_memo() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other");
    let mut settings = KINDS[0].preset("mancala-gp-1").unwrap();
    for change in ["population = 20", "opponents = [\"max\"]"] {
        settings.set_text(change).unwrap();
    }
    let mut job = RunJob::create(&path, settings, &Pool::default()).unwrap();
    (0..3).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
    job.rest();
    let mut stage = opened(folder.path(), Some(&path));
    let wide = stage.screen(200, 60);
    assert!(stage.shows("Population of generation 2") && wide.contains("N/s"), "{wide}");
    assert!(!stage.shows("memo hits    0.00%") && !stage.shows("none yet"), "{}", stage.screen(120, 40));
    (0..2).for_each(|_| _ = job.step(Budget::UNLIMITED.single()));
    job.rest();
    for _ in 0..50 {
        stage.pass(std::time::Duration::from_secs(2));
        if stage.shows("Population of generation 4") {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{}", stage.screen(120, 40));
}

#[test]
fn the_cursor_goes_with_the_programs_the_chart_and_the_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.cursor_follows("down down up");
    // From the population to the fitness: the line of the chart's cursor.
    stage.keys("f left");
    let ((x, y), _) = stage.cursor(80, 24);
    stage.keys("left");
    let ((left, same), _) = stage.cursor(80, 24);
    assert!(left < x && same == y, "{}", stage.screen(80, 24));
    stage.keys("esc f z");
    assert!(stage.shows("Values in the start position"), "{}", stage.screen(80, 24));
    stage.cursor_follows("down");
}

/// The analysis of the selected program, beside its tree with what each node is worth.
#[test]
fn a_program_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.keys("d d d d d d d");
    assert!(stage.shows("A plays the selected program"), "{}", stage.screen(80, 24));
    stage.keys("A");
    stage.until("play the same");
    let text = stage.body(80, 24) + &without_times(&stage.body(200, 60));
    assert!(text.contains("Fitness lost without each node"), "{text}");
    // It has the focus, so that the zoom shows all of it; arrows still choose a program.
    let zoomed = stage.keys("z").body(80, 24);
    assert!(
        zoomed.contains("Analysis") && !zoomed.contains("Population") && zoomed.contains("(+ (+ 10 3) 10)"),
        "{zoomed}"
    );
    stage.keys("down down down z");
    assert!(stage.body(80, 24).contains("of another; A analyses this"), "{}", stage.screen(80, 24));
    stage.keys("up up up d");
    assert!(!stage.body(200, 60).contains("Fitness lost without each node"));
    insta::assert_snapshot!(text);
}
