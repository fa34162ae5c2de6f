//! `mancalab evolve` and `mancalab reproduce` as processes: their output, and that a kill loses nothing.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{assert_refused, failure, kill, mancalab, rows, start, stdout, wait_for_rows};

/// A run of some seconds in a debug build.
const RUN: &[&str] = &["evolve", "mancala-gp-2", "--seed", "11", "--population", "256", "--generations", "60"];

/// Opponents from the run itself, and niches: several times the work of a generation.
const CHAMPIONS: &[&str] = &["--population", "96", "--set", "opponents=minimax:2,2*champions:3", "--set", "sharing=4"];

#[test]
fn killed_at_any_moment_and_resumed_a_run_writes_the_same_rows() {
    killed_and_resumed(RUN);
}

#[test]
fn killed_and_resumed_a_run_meets_the_same_champions_and_is_verified() {
    let state = killed_and_resumed(&[&RUN[..4], &RUN[6..], CHAMPIONS].concat());
    let cut = state.path().join("cut");
    assert!(stdout(mancalab(state.path()).args(["runs", "verify"]).arg(&cut)).contains("61 of 61 rows computed again"));
}

fn killed_and_resumed(run: &[&str]) -> tempfile::TempDir {
    let state = tempfile::tempdir().unwrap();
    let whole = state.path().join("whole");
    let cut = state.path().join("cut");
    stdout(mancalab(state.path()).args(run).arg("--out").arg(&whole).args(["--threads", "1"]));
    assert_eq!(rows(&whole).lines().count(), 62);

    let mut child = start(state.path(), &cut, &[run, &["--threads", "2", "--out"]].concat());
    let mut kills = 0;
    // From early kills, before any checkpoint, to late ones.
    for wait in [1, 3, 12, 7, 20, 9] {
        wait_for_rows(&mut child, &cut, wait);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        kill(child);
        kills += 1;
        let lock = fs::read_to_string(cut.join("lock")).unwrap();
        assert!(lock.contains("process"), "it had no time to clear its lock");
        child = start(state.path(), &cut, &["evolve", "--threads", "1", "--resume"]);
    }
    assert!(child.wait().unwrap().success());
    assert!(kills >= 2, "{kills}");
    assert_eq!(rows(&cut), rows(&whole));
    assert_eq!(fs::read(cut.join("best.txt")).unwrap(), fs::read(whole.join("best.txt")).unwrap());
    assert_eq!(fs::read(cut.join("run.toml")).unwrap(), fs::read(whole.join("run.toml")).unwrap());
    state
}

#[test]
fn individuals_are_kept_to_the_same_bytes_on_any_threads_and_after_kills() {
    let state = tempfile::tempdir().unwrap();
    let whole = state.path().join("whole");
    let cut = state.path().join("cut");
    let keeping = [RUN, &["--keep", "population"]].concat();
    stdout(mancalab(state.path()).args(&keeping).args(["--threads", "1", "--out"]).arg(&whole));
    let individuals = fs::read_to_string(whole.join("individuals.csv")).unwrap();
    assert_eq!(individuals.lines().count(), 1 + 61 * 256);
    // The fittest of each generation is the one of its row.
    let fittest = individuals.lines().filter(|line| line.split(',').nth(1) == Some("1"));
    for (fittest, row) in fittest.zip(rows(&whole).lines().skip(1)) {
        let of = |line: &str, at: &[usize]| {
            at.iter().map(|&at| line.split(',').nth(at).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of(fittest, &[0, 2, 3, 4, 5, 6, 8, 9]), of(row, &[0, 1, 7, 8, 9, 10, 18, 17]));
    }
    // The report draws the fronts of six generations.
    let report = state.path().join("report");
    stdout(mancalab(state.path()).args(["runs", "report"]).arg(&whole).arg("--out").arg(&report));
    assert!(fs::read_to_string(report.join("report.md")).unwrap().contains("## Fitness and size, of whole"));
    let figures = (1..).map_while(|number| fs::read_to_string(report.join(format!("figure-{number}.svg"))).ok());
    let figure = figures.into_iter().find(|figure| figure.contains("The front of fitness and size")).unwrap();
    assert!(figure.matches("<polyline").count() == 6 && figure.contains(">generation 60<"), "{figure}");

    let mut child = start(state.path(), &cut, &[&keeping[..], &["--threads", "2", "--out"]].concat());
    for wait in [2, 15] {
        wait_for_rows(&mut child, &cut, wait);
        kill(child);
        child = start(state.path(), &cut, &["evolve", "--threads", "1", "--resume"]);
    }
    assert!(child.wait().unwrap().success());
    assert!(fs::read_to_string(cut.join("individuals.csv")).unwrap() == individuals);

    let resumed = failure(mancalab(state.path()).args(["evolve", "--keep", "population", "--resume"]).arg(&cut));
    assert!(resumed.contains("cannot be used with"), "{resumed}");
    stdout(mancalab(state.path()).args(["runs", "delete", "--yes"]).arg(&cut));
    assert!(!cut.exists());
    stdout(mancalab(state.path()).args(&RUN[..6]).args(["--generations", "1", "--out"]).arg(&cut));
    assert!(!cut.join("individuals.csv").exists());
}

#[test]
fn rows_are_tables_in_csv_and_markdown() {
    let state = tempfile::tempdir().unwrap();
    let text = |args: &str| stdout(mancalab(state.path()).args(args.split(' ')));
    let start = "evolve mancala-gp-1 --seed 3 --population 16 --generations 2 --set opponents=max --out run";
    // All rows, as the run keeps them.
    let csv = text(&format!("{start} --format csv"));
    assert!(csv.starts_with("generation,") && csv.lines().count() == 4, "{csv}");
    assert_eq!(csv, rows(&state.path().join("run")));
    // Of a resumed run those that were computed: of a finished one none.
    assert_eq!(text("runs resume run --format csv").trim_end(), csv.lines().next().unwrap());
    let md = text("evolve --resume run --generations 4 --format md");
    let lines: Vec<&str> = md.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("| generation "), "{md}");
    assert!(lines[2].starts_with("| 3 ") && lines[3].starts_with("| 4 "), "{md}");
    for (run, start) in [
        ("tuned", "tune kalah-thesis --seed 1 --population 4 --generations 1 --set games=1 --set depth=1"),
        (
            "trained",
            "train a3c-mixed --seed 1 --generations 1 --set hidden=8 --set rounds=1 --set panel=random --set panel_games=1",
        ),
    ] {
        let csv = text(&format!("{start} --out {run} --format csv"));
        assert_eq!(csv, rows(&state.path().join(run)), "{run}");
    }
    // All runs of the state folder once, as JSON has them.
    text("match random max minimax:1 --games 2 --seed 1 --out mancalab/runs/table");
    let csv = text("runs watch --all --once --format csv");
    assert!(csv.lines().count() == 2 && csv.contains("table") && csv.contains("finished"), "{csv}");
}

#[test]
fn a_resumed_tournament_prints_the_table_of_a_match() {
    let state = tempfile::tempdir().unwrap();
    let text = |args: &str| stdout(mancalab(state.path()).args(args.split(' ')));
    for format in ["csv", "md"] {
        let table = text(&format!("match random max minimax:1 --games 2 --seed 1 --out {format} --format {format}"));
        assert!(table.lines().count() > 3, "{table}");
        assert_eq!(text(&format!("runs resume {format} --format {format}")), table);
    }
}

#[test]
fn an_interrupted_run_saves_and_shows_how_to_continue() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("run");
    let arguments = [&RUN[..6], &["--generations", "100000", "--out"]].concat();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env("XDG_STATE_HOME", state.path()).env("XDG_CONFIG_HOME", state.path()).current_dir(state.path());
    let mut child = command.args(&arguments).arg(&folder).stdout(Stdio::piped()).spawn().unwrap();
    wait_for_rows(&mut child, &folder, 3);

    let second = failure(mancalab(state.path()).args(["evolve", "--resume"]).arg(&folder));
    assert!(second.contains(&format!("is being written by process {}", child.id())), "{second}");

    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("saved; resume with: mancalab runs resume"), "{text}");
    let generation = rows(&folder).lines().last().unwrap().split(',').next().unwrap().to_owned();
    let header = fs::read(folder.join("checkpoint")).unwrap();
    let header = String::from_utf8_lossy(&header[..80]).lines().next().unwrap().to_owned();
    assert!(header.starts_with(&format!("mancalab checkpoint 5 gp 1 {generation} ")), "{header}");
}

#[test]
fn runs_have_a_folder_of_their_own_and_tell_in_json() {
    let state = tempfile::tempdir().unwrap();
    let run = ["evolve", "mancala-gp-1", "--seed", "3", "--population", "32", "--generations", "4", "--json"];
    for name in ["mancala-gp-1-seed3", "mancala-gp-1-seed3-2"] {
        let text = stdout(mancalab(state.path()).args(run));
        let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events.len(), 7);
        assert_eq!((&events[0]["event"], &events[1]["generation"]), (&"begin".into(), &0.into()));
        assert_eq!(events[6]["finished"], true);
        let folder = state.path().join("mancalab/runs").join(name);
        assert_eq!(events[0]["folder"], folder.display().to_string());
        assert!(rows(&folder).starts_with("generation,best_fitness_points,"));
        let program = format!("program:{}", folder.join("best.txt").display());
        assert!(program.parse::<mancalab::player::Spec>().is_ok());
    }
}

#[test]
fn mistakes_are_reported_before_anything_is_written() {
    let state = tempfile::tempdir().unwrap();
    let error = |arguments: &[&str]| failure(mancalab(state.path()).arg("evolve").args(arguments));
    let refused = [
        ("evolve mancala-gp-3", "no preset is named 'mancala-gp-3' (did you mean 'mancala-gp-1'?)"),
        ("evolve mancala-gp-1 --population 1", "--population: a whole number from 2 to 1000000 is expected (got 1)"),
        ("evolve mancala-gp-1 --set islands=3", "a multiple of 3, the number of islands"),
        ("evolve mancala-gp-1 --set elitism=512", "elitism must be at most 511"),
        ("evolve mancala-gp-1 --set max_depth=3", "at least initial_depth, 16"),
        ("evolve mancala-gp-1 --set crossover=101", "a percentage from 0 to 100 is expected"),
        ("evolve mancala-gp-1 --set opponents=human", "a human cannot be an opponent"),
        ("evolve mancala-gp-1 --set opponents=minimax:4:ms=5", "plays against the clock"),
        ("evolve mancala-gp-1 --set functions=pow", "named 'pow'; known: if, add, sub, value_at, mul"),
        (
            "evolve mancala-gp-1 --set selection=wheel",
            "roulette, lexicase, tournament:N with N from 1 to 100, nsga2:nodes",
        ),
        (
            "evolve mancala-gp-1 --set sharing=2 --set selection=lexicase",
            "sharing needs selection by roulette or tournament:N (selection is lexicase)",
        ),
        ("evolve mancala-gp-1 --set sharing=-1", "sharing: a number from 0 to 1000000 is expected (got -1)"),
        ("evolve mancala-gp-1 --set opponents=champions:200", "champions takes a number from 1 to 100"),
        ("evolve mancala-gp-1 --set points=walk:2.5", "walk:P (P percent from 0 to 100), depth or inner"),
        ("evolve mancala-gp-1 --set max_nodes=5", "a whole number from 1000 to 1000000000"),
    ];
    assert_refused(state.path(), &refused);
    let game = error(&["oware-gp", "--set", "game=othello"]);
    assert!(game.contains("game: Othello has no pits; known: kalah") && game.contains("oware[:slam="), "{game}");
    let refused = [
        ("evolve mancala-gp-1 --set opponents=perfect --set game=oware", "does not play Oware"),
        ("evolve mancala-gp-1 --set speed=5", "no setting is named 'speed'"),
        ("evolve --resume nowhere", "nowhere"),
    ];
    assert_refused(state.path(), &refused);
    assert!(error(&[]).contains("mancala-gp-1"), "the presets are listed: {}", error(&[]));
    assert!(!state.path().join("mancalab/runs").exists());
}

#[test]
fn a_run_that_grows_too_large_shows_so_wherever_it_is_looked_at() {
    let state = tempfile::tempdir().unwrap();
    let texts = ["points=walk:50", "mutation=5", "opponents=minimax:2", "max_nodes=20000"];
    let set = texts.iter().flat_map(|text| ["--set", text]);
    let large = "would have more than the 20000 nodes that max_nodes allows";
    let start = ["evolve", "mancala-gp-1", "--seed", "3", "--population", "64", "--generations", "60"];
    let error = failure(mancalab(state.path()).args(start).args(set));
    assert!(error.contains("the run stopped: generation ") && error.contains(large), "{error}");
    assert!(error.contains("resume with: mancalab runs resume "), "{error}");
    let message = |arguments: &[&str]| stdout(mancalab(state.path()).arg("runs").args(arguments));
    assert!(message(&["list", "--state", "failed"]).contains("mancala-gp-1-seed3"));
    assert!(message(&["list", "--state", "stopped"]).lines().all(|line| !line.contains("mancala-gp-1-seed3")));
    assert!(message(&["show", "mancala-gp-1-seed3"]).contains(large));
    let json: Value = serde_json::from_str(&message(&["list", "--json"])).unwrap();
    assert!(json["state"] == "failed" && json["why"].as_str().unwrap().contains(large), "{json}");
    // Resumed, it ends at the same place unless the limit is raised.
    let resume = || failure(mancalab(state.path()).args(["evolve", "--resume", "mancala-gp-1-seed3"]));
    assert!(resume().contains(large));
    let folder = state.path().join("mancalab/runs/mancala-gp-1-seed3");
    let before = rows(&folder);
    let run = fs::read_to_string(folder.join("run.toml")).unwrap();
    fs::write(folder.join("run.toml"), run.replace("max_nodes = 20000\n", "max_nodes = 30000\n")).unwrap();
    assert!(resume().contains("more than the 30000 nodes"));
    assert!(rows(&folder).starts_with(&before) && rows(&folder).len() > before.len());
}

#[test]
fn figure_5_is_reproduced_exactly() {
    let state = tempfile::tempdir().unwrap();
    let text = stdout(mancalab(state.path()).args(["reproduce", "mancala-gp/figure5", "--json", "--moves"]));
    let table: Value = serde_json::from_str(&text).unwrap();
    let measured: Vec<f64> =
        table["lines"].as_array().unwrap().iter().map(|l| l["measured"].as_f64().unwrap()).collect();
    assert_eq!(measured, [27.0, 25.0, 74.0, 41.0, 25.0, 80.0]);
    let differences = table["lines"].as_array().unwrap().iter().filter_map(|line| line["difference"].as_f64());
    assert!(differences.into_iter().all(|difference| difference == 0.0));
    let results = ["27-21", "23-25", "41-7", "23-25"];
    for (game, result) in table["games"].as_array().unwrap().iter().zip(results) {
        let record = mancalab::game::notation::read(game.as_str().unwrap()).unwrap();
        assert!(record.result().is_some());
        let [south, north] = record.position_at(record.end()).board().counts();
        assert_eq!(format!("{south}-{north}"), result);
    }
    let text = stdout(mancalab(state.path()).args(["reproduce", "mancala-gp/figure5", "--set", "capture=standard"]));
    assert!(text.contains("figure5-2 moving first          41         10         -31  stones"), "{text}");
    assert!(text.contains("6x4:standard"));
}

#[test]
fn figure_10_is_near_what_is_published() {
    let state = tempfile::tempdir().unwrap();
    let text = stdout(mancalab(state.path()).args(["reproduce", "mancala-gp/figure10", "--seed", "5", "--json"]));
    let table: Value = serde_json::from_str(&text).unwrap();
    let cut: Vec<f64> =
        table["lines"].as_array().unwrap()[..6].iter().map(|l| l["measured"].as_f64().unwrap().trunc()).collect();
    assert_eq!(cut, [39.0, 37.0, 25.0, 24.0, 23.0, 22.0]);
}

#[test]
fn what_can_be_reproduced_is_listed() {
    let state = tempfile::tempdir().unwrap();
    let list = stdout(mancalab(state.path()).args(["reproduce", "--list"]));
    for target in ["mancala-gp/figure5", "mancala-gp/figure10", "mancala-gp/figures6-9"] {
        assert!(list.contains(target));
    }
    assert!(list.contains("--games  --seed  --out  --set max=|ties=|judged=|near=|opening=|eps=|most="), "{list}");
    let refused = [
        (
            "reproduce mancala-gp/figure10 --moves",
            "takes no --moves (a flag of mancala-gp/figure5); it takes --programs",
        ),
        (
            "reproduce kalah-thesis/table1 --runs 20",
            "takes no --runs (a flag of kalah-thesis/table3, kalah-thesis/operators)",
        ),
        ("reproduce mancala-gp/figure7", "(did you mean 'mancala-gp/figure5'?)"),
        (
            "reproduce mancala-gp/figure5 --set population=3",
            "there is no reading 'population'; known: capture, value_at, choice, opponents",
        ),
    ];
    assert_refused(state.path(), &refused);
}

#[test]
fn the_othello_tables_are_reported_under_any_reading() {
    let state = tempfile::tempdir().unwrap();
    let table = ["reproduce", "othello-gp/table1", "--games", "60", "--seed", "5"];
    let both: Value = serde_json::from_str(&stdout(mancalab(state.path()).args(table).arg("--json"))).unwrap();
    let lines = both["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 8);
    for (line, reading) in lines.iter().zip(["own", "as-printed"].into_iter().cycle()) {
        assert_eq!((&line["reading"], &line["games"]), (&reading.into(), &60.into()));
        assert!(line["as_far_off"].as_f64().unwrap() <= 1.0 && line["interval"][1].is_number());
    }
    // Under the nearest reading White never finds a corner to take, and loses.
    assert_eq!((&lines[3]["printed_wins"], &lines[3]["losses"]), (&1.into(), &60.into()));
    // The same games whether computed alone or beside others.
    let alone = stdout(mancalab(state.path()).args(table).args(["--set", "reading=as-printed", "--json"]));
    let alone: Value = serde_json::from_str(&alone).unwrap();
    for (line, beside) in alone["lines"].as_array().unwrap().iter().zip(lines.iter().skip(1).step_by(2)) {
        assert_eq!((&line["hypothesis"], &line["wins"]), (&beside["hypothesis"], &beside["wins"]));
    }
    let table2 = ["reproduce", "othello-gp/table2", "--games", "10", "--set", "arguments=sum", "--out", "t2"];
    let text = stdout(mancalab(state.path()).args(table2));
    assert!(text.contains("( + ( + white ( + white_corners black_near_corners ) ) white )"), "{text}");
    assert!(
        state.path().join("t2/othello-gp-table2.csv").exists()
            && state.path().join("t2/othello-gp-table2.svg").exists()
    );
    let refused = [
        ("reproduce othello-gp/table2 --set end=61", "accepted: neither, stuck, 1 to 60 turns"),
        ("reproduce othello-gp/table2 --programs 2", "takes no --programs"),
    ];
    assert_refused(state.path(), &refused);
}

#[test]
#[ignore = "four whole runs; by hand: cargo test --release -- --ignored"]
fn figures_6_to_9_are_written() {
    let state = tempfile::tempdir().unwrap();
    let points = ["--seeds", "1", "--set", "points=uniform"];
    let table =
        stdout(mancalab(state.path()).args(["reproduce", "mancala-gp/figures6-9", "--out", "figures"]).args(points));
    assert!(table.contains("uniform: second run, largest mean size"), "{table}");
    assert_eq!(fs::read_to_string(state.path().join("figures/points.csv")).unwrap().lines().count(), 3);
    assert!(state.path().join("figures/points.svg").exists());
    for number in 6..=9 {
        let csv = fs::read_to_string(state.path().join(format!("figures/figure{number}.csv"))).unwrap();
        assert_eq!(csv.lines().count(), 152);
        assert!(
            fs::read_to_string(state.path().join(format!("figures/figure{number}.svg"))).unwrap().contains("<polyline")
        );
    }
}

/// The targets that the output of `reproduce all` names.
fn targets(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with("checkers-ga/"));
    let mut targets: Vec<String> = lines.filter_map(|line| Some(line.split_once("  ")?.0.to_owned())).collect();
    targets.sort();
    targets
}

/// All targets of a source, again after an interruption, which computes only what is missing, and by shares: every target is in the share of
/// one machine, and the index is the same as that of a single machine.
#[test]
fn all_targets_of_a_source_are_reproduced_resumed_and_shared() {
    let state = tempfile::tempdir().unwrap();
    let into = |out: &str, more: &str| {
        let arguments = format!("reproduce all --source checkers-ga --hours 0 --out {out}{more}");
        mancalab(state.path()).args(arguments.split(' ')).output().unwrap()
    };
    let all = || into("all", "");
    let read = |name: &str| std::fs::read_to_string(state.path().join("all").join(name)).unwrap();
    let first = all();
    let text = String::from_utf8_lossy(&first.stderr);
    assert!(first.status.success() && !text.contains("not pinned"), "{text}");
    let page = read("report.html");
    assert_eq!(page.matches("same as pinned").count(), 10, "each of five targets, in the list and its section");
    assert!(page.contains("<svg") && !page.contains(&*state.path().to_string_lossy()), "pictures, and no paths");
    let kept = state.path().join("all/checkers-ga-minimax/full/result.json");
    let before = std::fs::metadata(&kept).unwrap().modified().unwrap();
    // As if it had been stopped in the last target.
    let last = state.path().join("all/checkers-ga-learning/1-seed-2-generations-2-games/result.json");
    std::fs::write(&last, "mine").unwrap();
    let refused = all();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && text.contains("result.json is not a result of mancalab reproduce"), "{text}");
    std::fs::remove_file(&last).unwrap();
    std::fs::write(state.path().join("all/report.html"), "<meta name=\"generator\" content=\"mancalab\">").unwrap();
    assert!(all().status.success());
    assert_eq!(read("report.html"), page);
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), before, "what is complete is not computed again");

    let shared = state.path().join("shared");
    let mut computed = Vec::new();
    for share in 1..=3 {
        let output = into("shared", &format!(" --share {share}/3"));
        let own = targets(&String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && !own.is_empty() && !shared.join("report.html").exists(), "{share}: {own:?}");
        computed.extend(own);
    }
    computed.sort();
    assert_eq!(computed, targets(&String::from_utf8_lossy(&first.stderr)));
    assert_eq!(std::fs::read_dir(&shared).unwrap().count(), computed.len());
    assert!(into("shared", "").status.success());
    for name in ["report.html", "measured.txt"] {
        assert!(std::fs::read_to_string(shared.join(name)).unwrap() == read(name), "{name}");
    }
    for (arguments, error) in [
        ("reproduce all --games 3", "reproduce all chooses sizes by --hours; --games is for a single target"),
        ("reproduce all --json", "writes its results into files; --format and --json are for a single target"),
        ("reproduce all --source chess", "no source is called 'chess'; there are mancala-gp, kalah-thesis"),
        ("reproduce mancala-gp/figure5 --hours 1", "--hours is for reproduce all, not for mancala-gp/figure5"),
        ("reproduce mancala-gp/figure5 --share 1/2", "--share is for reproduce all, not for mancala-gp/figure5"),
        ("reproduce all --hours many", "--hours must be 0 to 10000 (got many)"),
    ]
    .map(|(arguments, error)| (arguments.to_owned(), error))
    .into_iter()
    .chain(["0/3", "4/3", "1/0", "2", "x/3", "1/1001"].map(|share| {
        let error = "must be a number of all, such as 2/3 on the second of three machines";
        (format!("reproduce all --share {share}"), error)
    })) {
        let refused = mancalab(state.path()).args(arguments.split(' ')).output().unwrap();
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && text.contains(error), "{arguments}: {text}");
    }
}
