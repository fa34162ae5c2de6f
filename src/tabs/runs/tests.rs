//! The list of runs and its commands, by keys and clicks, with runs of the Weights tab, which take no time.

use std::fs;
use std::path::Path;

use crate::app::stage::{Stage, look};
use crate::budget::{Budget, Job as _};
use crate::evolve::kalah::weights::preset;
use crate::job::RunJob;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use crate::tabs::staged::with_runs;
use crate::theme::Glyphs;

/// A finished run in a folder of this name.
fn run(runs: &Path, name: &str, changes: &[(&str, &str)]) {
    created(runs, name, changes).step(Budget::UNLIMITED);
}

/// A run that this process writes until it is dropped.
fn created(runs: &Path, name: &str, changes: &[(&str, &str)]) -> RunJob {
    let mut settings = preset("kalah-thesis").unwrap();
    for (key, value) in
        [("population", "4"), ("generations", "6"), ("depth", "1"), ("games", "1")].iter().chain(changes)
    {
        settings.set(key, value).unwrap();
    }
    RunJob::create(&runs.join(name), settings, &Pool::alone()).unwrap()
}

/// The list with three runs in it.
fn stage(runs: &Path) -> Stage {
    run(runs, "first", &[("seed", "1")]);
    run(runs, "second", &[("seed", "2"), ("elite", "2"), ("generations", "8")]);
    run(runs, "third", &[("seed", "3"), ("sigma", "0.2")]);
    with_runs("3 o", runs, None)
}

/// Sizes and folders depend on the machine.
fn plain(text: &str, runs: &Path) -> String {
    let text = text.replace(&runs.display().to_string(), "RUNS");
    let size = |word: &str| word.ends_with('k') && word[..word.len() - 1].parse::<f64>().is_ok();
    let is_size = |word: &str| size(word) || word.parse::<u64>().is_ok_and(|size| (1000..10_000).contains(&size));
    let masked = |line: &str| {
        let words: Vec<String> =
            line.split(' ').map(|word| if is_size(word) { "x".repeat(word.len()) } else { word.into() }).collect();
        words.join(" ").replace("xxxxx", " xxxx")
    };
    text.lines().map(|line| masked(line) + "\n").collect()
}

#[test]
fn the_list_has_columns_sorts_and_filters() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = stage(runs);
    let order = |stage: &mut Stage| {
        let screen = stage.screen(120, 40);
        let places: Vec<_> = ["✓  first", "✓  second", "✓  third"].map(|name| screen.find(name)).into();
        let mut order: Vec<usize> = (0..3).filter(|&at| places[at].is_some()).collect();
        order.sort_by_key(|&at| places[at]);
        order
    };
    assert_eq!(order(&mut stage), [0, 1, 2], "{}", stage.screen(120, 40));
    stage.keys("O");
    assert_eq!(order(&mut stage), [2, 1, 0]);
    stage.screen(120, 40);
    stage.click("generations");
    // Equal ones keep their places.
    assert_eq!(order(&mut stage), [1, 2, 0], "{}", stage.screen(120, 40));
    stage.click("generations");
    assert_eq!(order(&mut stage), [2, 0, 1], "{}", stage.screen(120, 40));
    stage.keys("/").text("sec").keys("enter");
    assert_eq!(order(&mut stage), [1]);
    assert!(stage.shows("(1 of 3: 'sec')"), "{}", stage.screen(120, 40));
    assert!(stage.footer().contains("Enter show "), "the match is selected: {}", stage.footer());
    stage.keys("/ ctrl-u enter end");
    assert_eq!(order(&mut stage), [2, 0, 1]);
    assert!(stage.shows("* elite") && stage.shows("2 (preset: 1)"), "{}", stage.screen(120, 40));
}

#[test]
fn tags_and_notes_are_shown_and_filter_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut notes = crate::job::run_dir::Notes { note: "ties at random".to_owned(), ..Default::default() };
    notes.add("Baseline").unwrap();
    for name in ["first", "second", "third"] {
        run(folder.path(), name, &[]);
    }
    notes.write(&folder.path().join("second")).unwrap();
    let mut stage = with_runs("3", folder.path(), None);
    stage.keys("/").text("tag:baseline").keys("enter end");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("✓  second") && !screen.contains("✓  first"), "{screen}");
    assert!(screen.contains("Baseline") && screen.contains("ties at random"), "{screen}");
    stage.keys("/ ctrl-u").text("tag:base").keys("enter");
    assert!(stage.shows("No run matches"), "{}", stage.screen(120, 40));
}

#[test]
fn a_click_chooses_and_a_double_click_opens() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.screen(120, 40);
    stage.click("✓  second");
    assert!(stage.shows("finished (Enter: show") && stage.shows("* elite"), "{}", stage.screen(120, 40));
    stage.pass(std::time::Duration::from_secs(2)).screen(120, 40);
    stage.click("✓  second");
    assert!(stage.shows("finished (Enter: show"), "a slow second click is another: {}", stage.screen(120, 40));
    stage.click("✓  second");
    stage.wait();
    assert!(stage.shows("generation 8 of 8") || stage.shows("8/8"), "{}", stage.screen(120, 40));
}

#[test]
fn the_cursor_goes_with_the_runs_and_the_columns_compared() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("end");
    stage.cursor_follows("up up down");
    stage.keys("up space space space C");
    stage.cursor_follows("right right left");
}

#[test]
fn marked_runs_are_set_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = stage(runs);
    stage.keys("down down down down down down space space space");
    let sizes = [(80, 24), (120, 40), (200, 60), (40, 12)];
    let list = sizes.map(|(wide, high)| stage.body(wide, high)).join("\n");
    assert!(stage.footer().starts_with("space mark Enter show e extend C compare S summary "), "{}", stage.footer());
    stage.keys("C");
    let compared = sizes.map(|(wide, high)| stage.body(wide, high)).join("\n");
    assert_eq!(stage.footer(), "l back o column : commands ? help q quit");
    assert!(compared.contains("sigma") && !compared.contains("mutation_rate"), "{compared}");
    stage.set_look(crate::ui::Look { glyphs: Glyphs::ascii(), ..look() });
    let screen = stage.screen(80, 24);
    assert!(screen.is_ascii(), "{screen}");
    let ascii = stage.body(80, 24);
    stage.keys("esc");
    let ascii = format!("{ascii}\n{}", stage.body(80, 24));
    insta::assert_snapshot!(plain(&[list, compared, ascii].join("\n"), runs));
}

#[test]
fn groups_of_runs_are_summarised() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down down down down down down space space space S");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("Groups of runs") && screen.contains("median") && screen.contains("seed 1"), "{screen}");
    assert!(screen.contains("quartiles of"), "{screen}");
    // Each group is one seed, whose result is the median: the mark is where it is between the ends.
    let lines: Vec<&str> = screen.lines().skip_while(|line| !line.contains("Results of all seeds")).collect();
    let ends: Vec<f64> = lines[1].split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let marks: Vec<usize> =
        lines[2..5].iter().map(|line| line.chars().skip(1).position(|c| c == '|').unwrap()).collect();
    assert!(ends.len() == 2 && ends[0] < ends[1] && marks.iter().any(|mark| *mark != marks[0]), "{screen}");
    assert!(stage.screen(80, 24).contains("Results of all seeds") && !stage.screen(80, 15).contains("Results of"));
    stage.set_look(crate::ui::Look { glyphs: crate::theme::Glyphs::ascii(), ..crate::app::stage::look() });
    let ascii = stage.screen(80, 24);
    assert!(ascii.contains(". one seed") && !ascii.contains('·'), "{ascii}");
    stage.set_look(crate::app::stage::look());
    let screen = stage.screen(120, 40);
    let first = screen.lines().next_back().unwrap().to_owned();
    assert!(stage.keys("right").screen(120, 40).contains("quartiles of") && first.contains("back"));
    assert!(stage.keys("esc").shows("Presets"));
}

/// The title of the chart, the text of its cursor, and the unit below it.
#[test]
fn compared_curves_show_any_column_over_generations_evaluations_or_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down down down down down down space space space C");
    let column = |stage: &mut Stage| stage.screen(120, 40).lines().nth(1).unwrap().to_owned();
    let usual = column(&mut stage);
    stage.keys("o");
    stage.wait();
    assert_ne!(column(&mut stage), usual);
    stage.keys("O");
    stage.wait();
    assert_eq!(column(&mut stage), usual);
    stage.keys(". ,");
    let screen = stage.screen(120, 40);
    assert!(screen.contains("generation 7: first"), "{screen}");
    stage.keys("t");
    stage.wait();
    assert!(stage.shows("evaluations"), "{}", stage.screen(120, 40));
    // Runs this short may have taken 0.000 s, and then have no axis of seconds.
    for _ in 0..2 {
        let is_axis = |line: &str| line.starts_with("│    0 ") && line.contains(" generation ");
        if !stage.screen(120, 40).lines().any(is_axis) {
            stage.keys("t");
            stage.wait();
        }
    }
    stage.screen(120, 40);
    stage.keys(".");
    assert!(stage.shows("generation 8: first"), "{}", stage.screen(120, 40));
    assert!(!stage.keys("esc").shows("generation 8:") && stage.shows("Differences"));
    assert!(stage.keys("esc").shows("Presets"));
}

#[test]
fn runs_are_renamed_extended_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = stage(runs);
    stage.keys("down down down down down down R ctrl-u").text("a/b").keys("enter");
    assert!(stage.shows("cannot be a run's name"), "{}", stage.screen(120, 40));
    stage.keys("R ctrl-u").text("zero").keys("enter");
    assert!(stage.shows("Renamed the run to zero") && !runs.join("first").exists(), "{}", stage.screen(120, 40));

    // The extended run equals one longer run.
    stage.keys("end enter l");
    assert!(stage.shows("zero"), "{}", stage.screen(120, 40));
    stage.keys("e").text("3").keys("enter");
    assert!(stage.shows("must be a whole number above 6 (got '3')"), "{}", stage.screen(120, 40));
    stage.keys("ctrl-u").text("9").keys("enter");
    stage.wait();
    run(runs, "long", &[("seed", "1"), ("generations", "9")]);
    let rows = |name: &str| fs::read_to_string(runs.join(name).join("generations.csv")).unwrap();
    assert_eq!(rows("zero"), rows("long"), "{}", stage.screen(120, 40));

    stage.keys("l");
    assert!(stage.shows("9/9"), "{}", stage.screen(120, 40));
    for keys in ["D n", "D enter", "D esc"] {
        stage.keys(keys);
        assert!(runs.join("zero").exists(), "{keys}");
    }
    stage.keys("D y");
    assert!(stage.shows("Deleted the run") && !runs.join("zero").exists(), "{}", stage.screen(120, 40));
    stage.keys("home down down down down down down space space D y");
    assert!(stage.shows("Deleted 2 runs"), "{}", stage.screen(120, 40));
    assert_eq!(fs::read_dir(runs).unwrap().count(), 1);
}

#[test]
fn deleting_a_run_of_another_process_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut job = created(runs, "third", &[]);
    job.step(Budget::UNLIMITED.single());
    job.save();
    drop(job);
    let mut stage = with_runs("3 o", runs, None);
    let lock = runs.join("third").join("lock");
    fs::write(&lock, "process 1 on elsewhere\n").unwrap();
    let held = fs::File::open(&lock).unwrap();
    rustix::fs::flock(&held, rustix::fs::FlockOperation::NonBlockingLockExclusive).unwrap();
    let began = std::time::Instant::now();
    stage.keys("end D y");
    let notice = stage.notice();
    assert!(notice.contains("is being written by process 1 on elsewhere"), "{notice}");
    assert!(began.elapsed().as_secs() < 8, "{:?}", began.elapsed());
    assert!(runs.join("third").exists());
    // Once the list knows of it, nothing is asked.
    stage.pass(std::time::Duration::from_secs(5));
    for (key, title) in [("D", "Delete"), ("R", "Rename"), ("e", "Extend")] {
        stage.keys("end").keys(key);
        assert!(stage.dialog().is_none(), "{title}: {}", stage.screen(120, 40));
        assert!(stage.notice().contains("third is being written by process 1 on elsewhere"), "{}", stage.notice());
    }
}

#[test]
fn an_export_reports_how_it_ended_after_its_dialog_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let mut stage = stage(&runs);
    for (file, expected) in [("rows.csv", "Wrote "), ("rows.csv", "already exists")] {
        let file = folder.path().join(file).display().to_string();
        stage.keys("end X ctrl-u").text(&file);
        // Both keys are read before the task has ended.
        stage.type_ahead("enter esc");
        assert!(stage.dialog().is_none());
        stage.wait();
        assert!(stage.notice().contains(expected), "{}", stage.notice());
    }
}

#[test]
fn a_run_that_cannot_be_extended_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    run(runs, "met", &[("stop", "target:1")]);
    let mut stage = with_runs("3 o", runs, None);
    // Also while its page is open, or after it ended here.
    let mut job = created(runs, "here", &[("stop", "target:1"), ("seed", "5")]);
    job.step(Budget::UNLIMITED.single());
    job.save();
    drop(job);
    stage.pass(std::time::Duration::from_secs(5)).keys("home").keys("/").text("here").keys("enter end enter");
    stage.wait();
    stage.keys("l end e ctrl-u").text("20").keys("enter");
    assert!(stage.notice().contains("here cannot be extended: target:1 ended it"), "{}", stage.notice());
    stage.keys("/ ctrl-u enter");
    for keys in ["end e ctrl-u", "end enter l e ctrl-u"] {
        stage.keys(keys).text("20").keys("enter");
        let notice = stage.notice();
        assert!(notice.contains("cannot be extended: ") && notice.contains("target:1"), "{keys}: {notice}");
    }
}

#[test]
fn runs_are_forked_tagged_and_noted() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = stage(runs);
    stage.keys("down down down down down down # ctrl-u").text("two words").keys("enter");
    assert!(stage.shows("Tags saved") && stage.shows("two"), "{}", stage.screen(120, 40));
    stage.keys("N ctrl-u").text("try again").keys("enter");
    assert!(stage.shows("Note saved"), "{}", stage.screen(120, 40));
    let notes = crate::job::run_dir::Notes::read(&runs.join("first")).unwrap();
    assert_eq!((notes.tags, notes.note), (vec!["two".to_owned(), "words".to_owned()], "try again".to_owned()));
    stage.keys("# ctrl-u").text("a,b").keys("enter");
    assert!(stage.shows("a tag consists of"), "{}", stage.screen(120, 40));
    stage.keys("esc F");
    let seed = crate::job::RunReader::open(&runs.join("first")).unwrap().manifest().seed;
    assert!(stage.dialog_row("at, changes").ends_with(&format!(" seed={}", seed + 1)), "{:?}", stage.dialog());
    stage.keys("ctrl-u").text("2").keys("enter");
    assert!(stage.shows("add what changes"), "{}", stage.screen(120, 40));
    stage.keys("ctrl-u").text("2 mutation_rate=0.9").keys("enter");
    assert!(stage.shows("Forked: Enter resumes it"), "{}", stage.screen(120, 40));
    let rows = |name: &str| fs::read_to_string(runs.join(name).join("generations.csv")).unwrap();
    let fork = "first-from2";
    assert_eq!(rows(fork).lines().collect::<Vec<_>>(), rows("first").lines().take(4).collect::<Vec<_>>());
    stage.keys("enter");
    stage.wait();
    assert_eq!(rows(fork).lines().count(), rows("first").lines().count());
    assert_ne!(rows(fork), rows("first"));
    stage.keys("l F ctrl-u").text("99 seed=3").keys("enter");
    let dialog = stage.dialog().unwrap();
    assert_eq!(dialog.title, "Fork a run");
    assert!(dialog.words().contains("has no generation 99") && dialog.words().contains("99 seed=3"), "{dialog:?}");
    stage.keys("esc R ctrl-u").text("second").keys("enter");
    assert!(stage.dialog().unwrap().words().contains("is there already"), "{}", stage.screen(120, 40));
}

#[test]
fn runs_are_exported_into_a_file_that_was_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let file = folder.path().join("rows.csv");
    let mut stage = stage(&runs);
    stage.keys("down down down down down down space space X ctrl-u").text(&file.display().to_string()).keys("enter");
    assert!(stage.shows("Wrote "), "{}", stage.screen(120, 40));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("run,preset,seed,population,elite,") && text.lines().count() == 1 + 7 + 9, "{text}");
    assert!(text.lines().last().unwrap().starts_with("second,kalah-thesis,2,4,2,"), "{text}");
    stage.keys("X ctrl-u").text(&file.display().to_string()).keys("enter");
    let dialog = stage.dialog().unwrap();
    assert_eq!(dialog.title, "Export runs");
    assert!(dialog.words().contains("already exists: choose another name"), "{dialog:?}");
    assert!(dialog.words().contains("rows.csv"), "{dialog:?}");
}

#[test]
fn the_same_run_again_is_reported_and_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path();
    let mut stage = stage(runs);
    // Seeds 1 to 3 are used, with other settings as well: the preset offers the next one.
    stage.keys("home e");
    assert!(stage.shows("seed") && stage.shows(" 4 "), "{}", stage.screen(120, 40));
    let same = |stage: &mut Stage| {
        stage.text("1").keys("down").text("6").keys("down").text("4");
        // elite, mutation_rate, crossover_rate, game
        stage.keys("down down down down down").text("1").keys("down").text("1").keys("enter");
        stage.wait();
    };
    same(&mut stage);
    assert!(stage.shows("This run exists") && stage.shows("first has the same settings"), "{}", stage.screen(120, 40));
    stage.keys("c e");
    same(&mut stage);
    stage.keys("o");
    stage.wait();
    assert!(stage.shows("first"), "{}", stage.screen(120, 40));
    assert_eq!(fs::read_dir(runs).unwrap().count(), 3);
    stage.keys("l home e");
    same(&mut stage);
    stage.keys("n");
    stage.wait();
    assert!(runs.join("kalah-thesis-seed1").exists(), "{}", stage.screen(120, 40));
}
