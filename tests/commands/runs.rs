//! `mancalab runs` as a process: lists, compares, renames, deletes, extends and exports.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use serde_json::Value;

use super::{assert_refused, kill, mancalab, refused, start, stdout_of, wait_for_rows};

/// Two small runs of `evolve` and one of `tune`.
pub(super) fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for run in ["--seed 1 --generations 4 --set elitism=1", "--seed 2 --generations 6 --set elitism=2"] {
        stdout_of(home.path(), &format!("evolve mancala-gp-1 --population 8 --set opponents=max {run}"));
    }
    stdout_of(home.path(), "tune kalah-thesis --seed 1 --population 4 --generations 2 --set depth=1 --set games=1");
    home
}

/// A run whose process was killed differs from a stopped one.
#[test]
fn a_killed_run_is_listed_as_crashed_until_it_is_resumed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("mancalab/runs/one");
    let begin = ["evolve", "mancala-gp-1", "--population", "40", "--generations", "100000", "--seed", "1", "--out"];
    let mut child = start(home.path(), &folder, &begin);
    wait_for_rows(&mut child, &folder, 5);
    let state = || {
        let json: Value = serde_json::from_str(&stdout_of(home.path(), "runs --json")).unwrap();
        json["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "running");
    kill(child);
    assert_eq!(state(), "crashed");
    let mut child = start(home.path(), &folder, &["evolve", "--resume"]);
    wait_for_rows(&mut child, &folder, 5);
    assert_eq!(state(), "running");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    child.wait().unwrap();
    assert_eq!(state(), "stopped");
}

/// An opponent's file may be overwritten or deleted while the run is stopped: the run has a copy.
#[test]
fn a_run_keeps_copies_of_its_opponents_files() {
    let home = home();
    let runs = home.path().join("mancalab/runs");
    let opponent = home.path().join("opponent.txt");
    let beginning =
        |text: &str| stdout_of(home.path(), &format!("{text} --set opponents=program:{}", opponent.display()));
    fs::copy(runs.join("mancala-gp-1-seed1/best.txt"), &opponent).unwrap();
    beginning("evolve mancala-gp-1 --population 8 --generations 8 --seed 3");
    beginning("evolve mancala-gp-1 --population 8 --generations 3 --seed 4");
    beginning("evolve mancala-gp-1 --population 8 --generations 8 --seed 4 --out whole");
    let text = fs::read_to_string(runs.join("mancala-gp-1-seed4/run.toml")).unwrap();
    assert!(text.contains("[files]\n\"1-opponent.txt\" = [\""), "{text}");
    fs::write(&opponent, "P1").unwrap();
    stdout_of(home.path(), "evolve --resume mancala-gp-1-seed4 --generations 8");
    fs::remove_file(&opponent).unwrap();
    stdout_of(home.path(), "evolve --resume mancala-gp-1-seed4 --generations 9");
    let rows = |folder: &Path| fs::read_to_string(folder.join("generations.csv")).unwrap();
    let whole = rows(&home.path().join("whole"));
    assert!(rows(&runs.join("mancala-gp-1-seed4")).starts_with(&whole));

    let copy = runs.join("mancala-gp-1-seed4/files/1-opponent.txt");
    fs::write(&copy, "P1").unwrap();
    let error = refused(home.path(), "evolve --resume mancala-gp-1-seed4 --generations 10");
    assert!(error.contains("files/1-opponent.txt") && error.contains("was changed"), "{error}");
    stdout_of(home.path(), "runs delete --yes mancala-gp-1-seed4");
    assert!(!runs.join("mancala-gp-1-seed4").exists());
}

#[test]
fn runs_are_listed_shown_and_filtered() {
    let home = home();
    let all = stdout_of(home.path(), "runs");
    let head = all.lines().next().unwrap();
    assert!(head.starts_with("name") && head.ends_with("size"), "{all}");
    assert_eq!(all.lines().count(), 4, "{all}");
    let line = all.lines().find(|line| line.contains("seed2")).unwrap();
    assert!(line.contains("evolve  mancala-gp-1") && line.contains("6/6") && line.contains("finished"), "{line}");
    for (filter, count) in [("--kind tune", 2), ("seed2", 2), ("--state finished", 4), ("--state stopped", 1), ("x", 1)]
    {
        let some = stdout_of(home.path(), &format!("runs {filter}"));
        assert_eq!(some.lines().count(), count, "{filter}: {some}");
    }
    // CSV and JSON have the same fields besides the schema, with numbers in full.
    let csv = stdout_of(home.path(), "runs list --format csv");
    let head: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let object: Value = serde_json::from_str(stdout_of(home.path(), "runs --json").lines().next().unwrap()).unwrap();
    assert!(head.iter().all(|key| object.get(key).is_some()) && object.as_object().unwrap().len() == head.len() + 1);
    assert!(csv.contains(&format!(",{},", object["bytes"])), "{csv}");
    let json = stdout_of(home.path(), "runs --json --kind tune");
    let run: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&run["name"], &run["generation"], &run["generations"]),
        (&"kalah-thesis-seed1".into(), &2.into(), &2.into())
    );
    assert!(stdout_of(home.path(), "runs list --format csv").starts_with("name,plan,kind,preset,seed,"));
    let shown = stdout_of(home.path(), "runs show mancala-gp-1-seed2");
    assert!(shown.contains("elitism") && shown.contains("* preset: 1"), "{shown}");
    assert!(!shown.contains("crossover           90.0  *"), "{shown}");
    let refused = [
        ("runs show mancala-pg-1-seed2", "no run is named 'mancala-pg-1-seed2' (did you mean 'mancala-gp-1-seed2'?)"),
        ("runs show mancala", "'mancala' is ambiguous: 2 runs begin with it"),
    ];
    assert_refused(home.path(), &refused);
}

/// Tags and notes are beside the results: the run's other files stay as they are.
#[test]
fn runs_are_tagged_and_noted_and_found_by_tag() {
    let home = home();
    let run = home.path().join("mancalab/runs/mancala-gp-1-seed1");
    let files = || {
        let names = ["run.toml", "generations.csv", "checkpoint", "best.txt"];
        names.map(|name| fs::read(run.join(name)).unwrap())
    };
    let before = files();
    assert_eq!(stdout_of(home.path(), "runs tag mancala-gp-1-seed1"), "no tags\n");
    assert_eq!(stdout_of(home.path(), "runs tag mancala-gp-1-seed1 oware baseline"), "baseline oware\n");
    assert_eq!(stdout_of(home.path(), "runs tag mancala-gp-1-seed2 oware"), "oware\n");
    assert_eq!(stdout_of(home.path(), "runs note mancala-gp-1-seed1 try_again"), "try_again\n");
    let listed = |filter: &str| {
        let json = stdout_of(home.path(), &format!("runs {filter} --json"));
        let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_owned();
        let mut names: Vec<String> = json.lines().map(name).collect();
        names.sort();
        names
    };
    assert_eq!(listed("tag:oware"), ["mancala-gp-1-seed1", "mancala-gp-1-seed2"]);
    assert_eq!(listed("tag:baseline"), ["mancala-gp-1-seed1"]);
    assert!(listed("tag:base").is_empty());
    let table = stdout_of(home.path(), "runs");
    let ending = |line: &str| {
        line.split("  ").filter(|cell| !cell.is_empty()).skip(7).map(str::trim).collect::<Vec<_>>().join("|")
    };
    let endings: Vec<String> = table.lines().map(ending).collect();
    assert!(endings[0].ends_with("|tags|note"), "{table}");
    assert!(endings.iter().any(|line| line.ends_with("|baseline oware|try_again")), "{table}");
    let shown = stdout_of(home.path(), "runs show mancala-gp-1-seed1");
    assert!(shown.contains("baseline oware") && shown.contains("try_again"), "{shown}");
    assert_eq!(stdout_of(home.path(), "runs tag mancala-gp-1-seed1 --remove oware"), "baseline\n");
    let mistakes = [
        ("runs tag mancala-gp-1-seed1 --remove oware", "has no tag 'oware'; it has: baseline"),
        ("runs tag mancala-gp-1-seed1 a,b", "a tag consists of up to 40 letters"),
    ];
    assert_refused(home.path(), &mistakes);
    assert_eq!(files(), before);
    stdout_of(home.path(), "evolve --resume mancala-gp-1-seed1 --generations 5");
    assert_eq!(stdout_of(home.path(), "runs note mancala-gp-1-seed1"), "try_again\n");
    // A damaged file is named, and not overwritten.
    fs::write(run.join("notes.toml"), "tags = 3\n").unwrap();
    let error = refused(home.path(), "runs tag mancala-gp-1-seed1 x");
    assert!(error.contains("notes.toml:1") && fs::read(run.join("notes.toml")).unwrap() == b"tags = 3\n", "{error}");
    assert_eq!(listed("seed1").len(), 2, "it is listed without tags");
    let shown = mancalab(home.path()).args(["runs", "show", "mancala-gp-1-seed1"]).output().unwrap();
    assert!(shown.status.success() && String::from_utf8_lossy(&shown.stderr).contains("notes.toml:1"), "{shown:?}");
    fs::write(run.join("notes.toml"), "note = \"x\"\n").unwrap();
    stdout_of(home.path(), "runs note mancala-gp-1-seed1 --remove");
    assert!(!run.join("notes.toml").exists());
    stdout_of(home.path(), "runs tag mancala-gp-1-seed1 x");
    stdout_of(home.path(), "runs note mancala-gp-1-seed1 try_again");
    stdout_of(home.path(), "runs report mancala-gp-1-seed1 --out page");
    let page = fs::read_to_string(home.path().join("page/report.html")).unwrap();
    assert!(page.contains("mancala-gp-1-seed1 [x] try_again"), "{page}");
    stdout_of(home.path(), "runs delete --yes mancala-gp-1-seed1");
    assert!(!run.exists(), "with its notes");
}

fn rows_that_a_run_did_not_write_are_warned_of(home: &Path) {
    let rows = home.join("mancalab/runs/mancala-gp-1-seed1/generations.csv");
    let written = fs::read_to_string(&rows).unwrap();
    let (before, last) = written.trim_end().rsplit_once(',').unwrap();
    fs::write(&rows, format!("{before},{last}0\n")).unwrap();
    let warning = "mancala-gp-1-seed1 has rows that it did not write; `mancalab runs verify` shows which";
    let both = "mancala-gp-1-seed1 mancala-gp-1-seed2";
    for command in ["runs show mancala-gp-1-seed1", &format!("runs compare {both}"), &format!("runs summary {both}")] {
        let text = stdout_of(home, command).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(warning), "{command}: {text}");
    }
    let exported = mancalab(home).args(["runs", "export", "mancala-gp-1-seed1"]).output().unwrap();
    assert!(exported.status.success() && String::from_utf8_lossy(&exported.stderr).contains(warning), "{exported:?}");
    fs::write(&rows, written).unwrap();
    assert!(!stdout_of(home, "runs show mancala-gp-1-seed1").contains("did not write"));
}

#[test]
fn runs_that_start_together_take_different_seeds() {
    let home = tempfile::tempdir().unwrap();
    let evolve = "evolve custom --population 4 --generations 1 --set opponents=random --threads 1";
    std::thread::scope(|scope| (0..4).for_each(|_| _ = scope.spawn(|| stdout_of(home.path(), evolve))));
    let listed = stdout_of(home.path(), "runs list --json");
    let mut seeds: Vec<u64> =
        listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    assert_eq!(seeds, [1, 2, 3, 4]);
}

#[test]
fn folders_whose_names_are_no_text_and_those_that_cannot_be_read() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    let evolve = "evolve custom --population 4 --generations 1 --set opponents=random --seed 1 --out";
    assert!(mancalab(home.path()).args(evolve.split(' ')).arg(&folder).output().unwrap().status.success());
    let shown = mancalab(home.path()).args(["runs", "show", "--json"]).arg(&folder).output().unwrap();
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert!(shown["folder"].as_str().unwrap().ends_with("caf\u{fffd}"), "{shown}");
    let plan = home.path().join(std::ffi::OsStr::from_bytes(b"pl\xe4n"));
    let new = "plan new evolve custom --population 4 --generations 1 --set opponents=random --seeds 1-2 --out";
    assert!(mancalab(home.path()).args(new.split(' ')).arg(&plan).output().unwrap().status.success());
    let submit = mancalab(home.path()).args(["plan", "submit", "--engine", "local"]).arg(&plan).output().unwrap();
    assert!(submit.status.success(), "{submit:?}");
    let merged = mancalab(home.path()).args(["plan", "merge", "--json"]).arg(&plan).output().unwrap();
    assert!(merged.status.success(), "{merged:?}");
    for command in ["runs show --json", "runs summary --json"] {
        let shown = mancalab(home.path()).args(command.split(' ')).arg(&plan).output().unwrap();
        let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert!(shown.to_string().contains("pl\u{fffd}n/merged/custom-seed1"), "{shown}");
    }
    // A file where the folder of runs would be.
    fs::write(home.path().join("mancalab"), "").unwrap();
    for command in ["runs", "runs show", "runs show one"] {
        assert!(refused(home.path(), command).contains("cannot read"), "{command}: {}", refused(home.path(), command));
    }
}

#[test]
fn runs_are_compared_and_exported() {
    let home = home();
    let table = stdout_of(home.path(), "runs compare mancala-gp-1-seed1 mancala-gp-1-seed2");
    let row =
        |key: &str| table.lines().find(|line| line.starts_with(key)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!((row("elitism"), row("generations")), (vec!["elitism", "1", "2"], vec!["generations", "4", "6"]));
    assert!(!table.contains("population"), "equal settings are omitted: {table}");
    assert!(!table.contains("Warning"), "{table}");
    stdout_of(home.path(), "evolve mancala-gp-1 --population 8 --set opponents=random --generations 1 --seed 9");
    let unlike = stdout_of(home.path(), "runs compare mancala-gp-1-seed1 mancala-gp-1-seed9");
    assert!(unlike.contains("measures different things in these runs, which differ in: opponents"), "{unlike}");
    let csv = stdout_of(home.path(), "runs compare mancala-gp-1-seed1 mancala-gp-1-seed2 --format csv");
    assert_eq!(csv.lines().count(), 8, "{csv}");
    assert!(csv.lines().last().unwrap().starts_with("6,,"), "the shorter run has ended: {csv}");
    let column = stdout_of(
        home.path(),
        "runs compare mancala-gp-1-seed1 mancala-gp-1-seed2 --column mean_size_nodes --format json",
    );
    let json: Value = serde_json::from_str(&column).unwrap();
    assert_eq!((json["runs"][1]["curve"].as_array().unwrap().len(), &json["column"]), (7, &"mean_size_nodes".into()));
    let refused = [
        (
            "runs compare mancala-gp-1-seed1 mancala-gp-1-seed2 --column mean_sizes_nodes",
            "generations.csv has no column 'mean_sizes_nodes' (did you mean 'mean_size_nodes'?)",
        ),
        ("runs compare mancala-gp-1-seed1 kalah", "only runs of one kind can be compared"),
    ];
    assert_refused(home.path(), &refused);

    let csv = stdout_of(home.path(), "runs export mancala-gp-1-seed1 mancala-gp-1-seed2");
    assert!(csv.starts_with("run,preset,seed,population,") && csv.lines().count() == 13, "{csv}");
    assert!(csv.lines().last().unwrap().starts_with("mancala-gp-1-seed2,mancala-gp-1,2,8,"), "{csv}");
    rows_that_a_run_did_not_write_are_warned_of(home.path());
    let two_kinds = mancalab(home.path()).args(["runs", "export", "mancala-gp-1-seed1", "kalah"]).output().unwrap();
    assert!(two_kinds.stdout.is_empty() && two_kinds.status.code() == Some(2), "runs of two kinds give no output");
    stdout_of(home.path(), "match --players random,max --games 1 --seed 1 --out table");
    let arena = stdout_of(home.path(), "runs export ./table");
    let mut names: Vec<&str> = arena.lines().next().unwrap().split(',').collect();
    assert!(names.contains(&"games") && names.contains(&"games_setting"), "{names:?}");
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    let json: Value = serde_json::from_str(&stdout_of(home.path(), "runs export kalah --format json")).unwrap();
    assert_eq!((json["rows"].as_array().unwrap().len(), &json["settings"]["depth"]), (3, &1.into()));
}

#[test]
fn programs_are_printed_as_text_dot_and_latex() {
    let home = home();
    let runs = home.path().join("mancalab/runs");
    let best = fs::read_to_string(runs.join("mancala-gp-1-seed1/best.txt")).unwrap();
    let text = stdout_of(home.path(), "runs program mancala-gp-1-seed1");
    assert_eq!(Some(text.trim_end()), best.lines().last());
    let nodes: usize = best.split(" nodes").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let dot = stdout_of(home.path(), "runs program mancala-gp-1-seed1 --as dot");
    assert_eq!((dot.matches("[label=").count(), dot.matches(" -> ").count()), (nodes, nodes - 1), "{dot}");
    // A file is read like the run.
    let file = runs.join("mancala-gp-1-seed1/best.txt");
    assert_eq!(stdout_of(home.path(), &format!("runs program {} --as dot", file.display())), dot);
    let latex = stdout_of(home.path(), "runs program mancala-gp-1-seed1 --as latex");
    assert_eq!(latex.matches('[').count(), latex.matches(']').count(), "{latex}");

    stdout_of(home.path(), "runs program mancala-gp-1-seed1 --rank 8");
    // Without a checkpoint the best program is that of best.txt.
    for name in ["checkpoint", "checkpoint.old"] {
        _ = fs::remove_file(runs.join("mancala-gp-1-seed1").join(name));
    }
    assert_eq!(stdout_of(home.path(), "runs program mancala-gp-1-seed1"), text);
    let refused = [
        ("runs program mancala-gp-1-seed1 --rank 1", "has no checkpoint yet"),
        ("runs program mancala-gp-1-seed2 --rank 9", "--rank must be 1 to 8 (got 9)"),
        ("runs program kalah", "is not a run of `mancalab evolve`"),
    ];
    assert_refused(home.path(), &refused);
    fs::write(home.path().join("odd.txt"), "(nothing\n").unwrap();
    let refused = [
        ("runs program odd.txt", "contains no program"),
        ("runs program odd.txt --rank 1", "--rank and --hall are for runs"),
    ];
    assert_refused(home.path(), &refused);
}

/// Each program of the front is smaller than all that are fitter, and can be printed by its rank.
#[test]
fn the_front_of_fitness_and_size_is_listed() {
    let home = home();
    let run = "mancala-gp-1-seed2";
    let csv = stdout_of(home.path(), &format!("runs front {run} --format csv"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("rank,fitness,nodes,depth,program"));
    // Programs of these presets hold no commas.
    let numbers = |line: &str| line.split(',').take(4).map(|text| text.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = lines.map(numbers).collect();
    assert!(rows.windows(2).all(|pair| pair[0][1] > pair[1][1] && pair[0][2] > pair[1][2]), "{csv}");
    let best = fs::read_to_string(home.path().join("mancalab/runs").join(run).join("best.txt")).unwrap();
    assert!(best.starts_with(&format!("# fitness {}:", rows[0][1])), "{best}");
    for row in &rows {
        let dot = stdout_of(home.path(), &format!("runs program {run} --rank {} --as dot", row[0]));
        assert_eq!(dot.matches("[label=").count() as f64, row[2], "{dot}");
    }
    let json: Value =
        serde_json::from_str(&stdout_of(home.path(), &format!("runs front {run} --format json"))).unwrap();
    assert_eq!((json["generation"].as_u64(), json["programs"].as_array().unwrap().len()), (Some(6), rows.len()));
}

#[test]
fn the_success_of_operators_is_shown_for_the_newest_generation_and_the_run() {
    let home = home();
    let table = stdout_of(home.path(), "runs operators mancala-gp-1-seed2");
    assert!(table.starts_with("generation 6\n\noperator ") && table.contains("\nelite"), "{table}");
    let json: Value =
        serde_json::from_str(&stdout_of(home.path(), "runs operators mancala-gp-1-seed2 --format json")).unwrap();
    let bred = |first: u64| {
        let operators = json["operators"].as_array().unwrap().iter().filter(|one| one["first_generation"] == first);
        operators.map(|one| one["bred"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((bred(6), bred(0)), (8, 7 * 8), "{json}");
    assert_eq!((&json["operators"][0]["operator"], &json["operators"][0]["better"]), (&"elite".into(), &Value::Null));
    let csv = stdout_of(home.path(), "runs operators mancala-gp-1-seed2 --format csv");
    let head = "operator,first_generation,last_generation,bred,better,equal,better_percent\nelite,6,6,2,,,\n";
    assert!(csv.starts_with(head), "{csv}");
}

#[test]
fn the_hall_of_fame_and_the_islands_are_listed() {
    let home = home();
    let csv = stdout_of(home.path(), "runs hall mancala-gp-1-seed2 --format csv");
    let fitness = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
    let hall: Vec<f64> = csv.lines().skip(1).map(fitness).collect();
    assert!(hall.len() > 2 && hall.windows(2).all(|pair| pair[0] >= pair[1]), "{csv}");
    let rows = fs::read_to_string(home.path().join("mancalab/runs/mancala-gp-1-seed2/generations.csv")).unwrap();
    let best = rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse::<f64>().unwrap());
    assert_eq!(hall[0], best.fold(0.0, f64::max), "the best of all generations");
    let program = |flags: &str| stdout_of(home.path(), &format!("runs program mancala-gp-1-seed2{flags}"));
    assert_eq!(program(" --hall 1"), program(""));
    let message = refused(home.path(), "runs program mancala-gp-1-seed2 --hall 11");
    assert!(message.contains(&format!("--hall must be 1 to {} (got 11)", hall.len())), "{message}");
    assert_refused(home.path(), &[("runs islands mancala-gp-1-seed2", "has one island")]);

    let evolve = "evolve mancala-gp-1 --population 9 --set opponents=max --set islands=3 --generations 4 --out mancalab/runs/apart";
    stdout_of(home.path(), evolve);
    let json = |flags: &str| -> Value {
        serde_json::from_str(&stdout_of(home.path(), &format!("runs islands apart --format json{flags}"))).unwrap()
    };
    let newest = json("");
    let curves = json(" --curves");
    let points = curves["points"].as_array().unwrap();
    assert_eq!((newest["islands"].as_array().unwrap().len(), points.len()), (3, 15));
    for (island, point) in newest["islands"].as_array().unwrap().iter().zip(&points[12..]) {
        assert_eq!(island["fitness"], point["fitness"]);
    }
}

#[test]
fn runs_are_renamed_deleted_and_extended() {
    let home = home();
    let runs = home.path().join("mancalab/runs");
    stdout_of(home.path(), "runs rename mancala-gp-1-seed1 first");
    let refused = [
        ("runs rename first mancala-gp-1-seed2", "is there already"),
        ("runs rename first a/b", "cannot be a run's name"),
    ];
    assert_refused(home.path(), &refused);

    // A run extended by `runs` and resumed equals the longer run, also if both happen in one command.
    let rows = |run: &str| fs::read_to_string(runs.join(run).join("generations.csv")).unwrap();
    let at_once = "evolve mancala-gp-1 --population 8 --set opponents=max --seed 1 --set elitism=1 --generations 9";
    stdout_of(home.path(), at_once);
    let message = stdout_of(home.path(), "runs extend first --generations 7");
    assert!(
        message.contains("extended first from 4 to 7 generations") && message.contains("runs resume "),
        "{message}"
    );
    assert!(stdout_of(home.path(), "runs first").contains("4/7"));
    stdout_of(home.path(), "evolve --resume first");
    stdout_of(home.path(), "evolve --resume first --generations 9");
    assert_eq!(rows("first"), rows("mancala-gp-1-seed1"));
    let refused = [
        ("evolve --resume first --generations 8", "can be extended, but not shortened"),
        ("runs extend first --games 20", "use --generations N"),
        ("runs extend first --generations 9", "already has 9 generations"),
    ];
    assert_refused(home.path(), &refused);

    let refused = [
        ("runs delete first", "not a terminal: add --yes"),
        ("runs delete first nothing --yes", "no run is named 'nothing'"),
    ];
    assert_refused(home.path(), &refused);
    assert!(runs.join("first").exists(), "all are found before any is deleted");
    stdout_of(home.path(), "runs delete first mancala-gp-1-seed2 --yes");
    assert!(!runs.join("first").exists() && !runs.join("mancala-gp-1-seed2").exists());
}

#[test]
fn a_tournament_is_extended_by_games() {
    let home = tempfile::tempdir().unwrap();
    let arena = "match --players random,max --seed 3 --games";
    stdout_of(home.path(), &format!("{arena} 4 --out short"));
    stdout_of(home.path(), &format!("{arena} 7 --out long"));
    stdout_of(home.path(), "match --resume short --games 7");
    let read = |run: &str, name: &str| fs::read_to_string(home.path().join(run).join(name)).unwrap();
    for name in ["generations.csv", "run.toml", "best.txt"] {
        assert_eq!(read("short", name), read("long", name), "{name}");
    }
}

/// The first line of the best of a run.
fn best_of(folder: &Path) -> String {
    fs::read_to_string(folder.join("best.txt")).unwrap().lines().next().unwrap().to_owned()
}

/// The best of the last generation of each run, read from its rows.
fn last_best(folder: &Path) -> f64 {
    let rows = fs::read_to_string(folder.join("generations.csv")).unwrap();
    let column = rows.lines().next().unwrap().split(',').position(|name| name == "best_fitness_points").unwrap();
    rows.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap()
}

#[test]
fn groups_are_summarised_compared_reported_and_verified() {
    let home = tempfile::tempdir().unwrap();
    let runs = home.path().join("mancalab/runs");
    for (seed, population) in [(1, 8), (2, 8), (3, 8), (1, 30), (2, 30)] {
        let out = runs.join(format!("p{population}-{seed}"));
        let set = format!("--population {population} --generations 3 --set opponents=max --seed {seed}");
        let events = home.path().join("events");
        let paths = format!("--out {} --tensorboard {}", out.display(), events.display());
        stdout_of(home.path(), &format!("evolve mancala-gp-1 {set} {paths}"));
        let files: Vec<_> = fs::read_dir(events.join(out.file_name().unwrap())).unwrap().flatten().collect();
        assert!(files.len() == 1 && files[0].metadata().unwrap().len() > 1000, "{files:?}");
        let events = fs::read(files[0].path()).unwrap();
        let setting = [&b"population\x12\x09\x11"[..], &f64::from(population).to_le_bytes()].concat();
        assert!(events.windows(setting.len()).any(|part| part == setting), "{files:?}");
    }
    let json: Value = serde_json::from_str(&stdout_of(home.path(), "runs summary p --format json")).unwrap();
    let groups = json["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert_eq!((&groups[0]["name"], &groups[0]["seeds"]), (&"population=8".into(), &serde_json::json!([1, 2, 3])));
    let mut results = [1, 2, 3].map(|seed| last_best(&runs.join(format!("p8-{seed}"))));
    let mean = results.iter().sum::<f64>() / 3.0;
    results.sort_by(f64::total_cmp);
    let value = |of: &str| groups[0]["summary"][of]["value"].as_f64().unwrap();
    assert!((value("mean") - mean).abs() < 1e-6 && value("median") == results[1], "{json:#}");
    // All orders of three and two values are equally likely: 2 of 10 are as extreme as the most extreme.
    let chance = json["comparisons"][0]["chance"].as_f64().unwrap();
    assert!(chance >= 0.2 - 1e-9 && json["comparisons"].as_array().unwrap().len() == 1, "{json:#}");
    let difference = |of: &str| json["comparisons"][0]["difference_of_medians"][of].as_f64().unwrap();
    let medians = |group: usize| json["groups"][group]["summary"]["median"]["value"].as_f64().unwrap();
    assert_eq!(difference("value"), medians(1) - medians(0));
    assert!(difference("low") <= difference("value") && difference("value") <= difference("high"), "{json:#}");
    let text = stdout_of(home.path(), "runs summary p8-1 --target 1 --curves");
    assert!(text.contains("3 of 3") && text.contains("generation  "), "{text}");
    let strips = stdout_of(home.path(), "runs summary p");
    let marks = |row: &str| row.chars().filter(|c| "·:|".contains(*c)).count();
    let strip = strips.lines().filter(|line| line.starts_with("population=")).nth(2).unwrap();
    assert!(strips.contains("is the result of one seed") && (1..=4).contains(&marks(strip)), "{strips}");
    assert_refused(home.path(), &[("runs summary p --column bset_fitness_points", "did you mean")]);

    let report = home.path().join("report");
    stdout_of(home.path(), &format!("runs report p8-1 p30-1 --out {}", report.display()));
    let html = fs::read_to_string(report.join("report.html")).unwrap();
    assert!(html.contains("population=30") && html.contains("<svg") && html.contains("--seed 1 --generations 3"));
    let [first, second] = ["p8-1", "p30-1"].map(|run| last_best(&runs.join(run)));
    let best = best_of(&runs.join(if first > second { "p8-1" } else { "p30-1" }));
    let seed = format!("<td>population=8</td><td class=\"n\">1</td><td class=\"n\">{first}</td><td>p8-1</td>");
    assert!(html.contains("mean_size_nodes") && html.contains("Runs started on 20") && html.contains(&seed), "{html}");
    let nodes = best.split(", ").find_map(|part| part.strip_suffix(" nodes")).unwrap();
    assert!(html.contains(&format!("The tree: {nodes} nodes")), "{nodes}: {html}");
    assert!(fs::read_to_string(report.join("report.md")).unwrap().contains("## Provenance"));
    fs::write(report.join("report.html"), "mine").unwrap();
    let again = format!("runs report p8-1 --out {}", report.display());
    assert!(refused(home.path(), &again).contains("is not of a report"));

    assert!(stdout_of(home.path(), "runs verify p8-1 p30-2").contains("4 of 4 rows computed again, all equal"));
    let rows = runs.join("p8-1/generations.csv");
    let text = fs::read_to_string(&rows).unwrap();
    let changed = text.replacen("\n1,", "\n1,9", 1);
    fs::write(&rows, changed).unwrap();
    let output = mancalab(home.path()).args(["runs", "verify", "p8-1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("row 1 differs"), "{output:?}");
}

#[test]
fn settings_are_searched_with_successive_halving() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("search");
    let sweep = |more: &str| {
        format!(
            "plan sweep evolve mancala-gp-1 --set opponents=max --set population=6..12 --set elitism=1|2 --generations 4 \
             --trials 4 --seeds 1-2 --keep 2 --out {}{more}",
            out.display()
        )
    };
    let text = stdout_of(home.path(), &sweep(" --judge random --games 4"));
    assert!(text.contains("rung 1 of 3: 4 trials of 2 runs, 1 generation"), "{text}");
    assert!(text.contains("rung 3 of 3: 1 trial of 2 runs, 4 generations"), "{text}");
    let trials = fs::read_to_string(out.join("trials.csv")).unwrap();
    assert_eq!(trials.lines().count(), 1 + 4 + 2 + 1, "{trials}");
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("elitism=2"));
    // The same command finds all rungs computed, and comes to the same trials.
    let again = stdout_of(home.path(), &sweep(" --judge random --games 4"));
    assert!(![text, again].iter().any(|text| text.contains("next: mancalab plan merge")), "the sweep merges");
    assert_eq!(fs::read_to_string(out.join("trials.csv")).unwrap(), trials);
    assert_eq!(stdout_of(home.path(), &sweep(" --judge random --games 4 --format csv")), trials);
    assert!(refused(home.path(), &sweep(" --draw 2")).contains("belongs to another sweep"));
    assert!(refused(home.path(), &sweep(" --set mutation=2")).contains("belongs to another sweep"));
    let mistakes = [
        ("plan sweep evolve mancala-gp-1 --set population=9..3", "is not a range"),
        (
            "plan sweep evolve mancala-gp-1 --set inhabitants=3..9",
            "--set inhabitants: no setting is named 'inhabitants'",
        ),
    ];
    assert_refused(home.path(), &mistakes);
    // Settings that are lists have results too.
    let set = "--set opponents=max|random,max --population 6 --generations 1 --trials 2 --seeds 1";
    let text = stdout_of(home.path(), &format!("plan sweep evolve mancala-gp-1 {set}"));
    assert!(text.contains("random,max"), "{text}");
    // A sweep without a folder of its own is among the runs.
    let rung = "sweep-mancala-gp-1/rung-1";
    assert!(stdout_of(home.path(), "runs").contains(rung));
    let shown = stdout_of(home.path(), &format!("runs show {rung}"));
    assert!(shown.contains(rung) && shown.contains("2 of 2 done"), "{shown}");
    assert!(stdout_of(home.path(), &format!("runs summary {rung}")).contains("opponents=[\"random\", \"max\"]"));
    let foreign = home.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("trials.csv"), "mine").unwrap();
    let refusal = refused(home.path(), &format!("plan sweep evolve mancala-gp-1 {set} --out {}", foreign.display()));
    assert!(refusal.contains("trials.csv exists"), "{refusal}");
}
