//! Plans among the runs: listed, shown, renamed, deleted, and distinguished from runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;

use super::{files, home, kill, mancalab, refused, start, stdout_of, text, unit, wait};

const EVOLVE: &str = "evolve mancala-gp-1 --population 16 --generations 3 --set opponents=max";

/// A run, a partly computed plan and a plan of another kind, in one folder.
fn shelf() -> tempfile::TempDir {
    let home = home();
    stdout_of(home.path(), &format!("{EVOLVE} --seed 9"));
    stdout_of(home.path(), &format!("plan new {EVOLVE} --seeds 1-2 --vary elitism=1,2"));
    stdout_of(home.path(), "plan new match --players random,max --games 4 --block 2");
    unit(home.path(), "plan-mancala-gp-1-seeds1-2", 1);
    home
}

#[test]
fn plans_are_listed_and_filtered_among_the_runs() {
    let home = shelf();
    let list = |args: &str| stdout_of(home.path(), &format!("runs {args}"));
    let table = list("");
    let lines: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line[0]).collect();
    // The most recently active is first.
    assert_eq!(names, ["plan-mancala-gp-1-seeds1-2", "plan-tournament-seeds1", "mancala-gp-1-seed9"], "{table}");
    assert_eq!(lines[0][1..6], ["plan", "evolve", "mancala-gp-1", "1/4", "stopped"], "{table}");
    assert_eq!(lines[1][1..6], ["plan", "match", "tournament", "0/8", "new"], "{table}");
    let filters = [
        ("--kind evolve", 2),
        ("--kind arena", 1),
        ("--kind tune", 0),
        ("--state stopped", 1),
        ("--state new", 1),
        ("--state paused", 0),
        ("--state finished", 1),
        ("--state failed", 0),
        ("plan", 2),
        ("tournament", 1),
        ("gp-1 --state stopped", 1),
    ];
    for (filter, count) in filters {
        assert_eq!(list(&format!("{filter} --json")).lines().count(), count, "{filter}");
    }
    let message: Vec<Value> = list("--json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let field = |name: &str| message.iter().map(|one| one[name].clone()).collect::<Vec<_>>();
    assert_eq!(field("plan"), [true, true, false].map(Value::from));
    assert_eq!(field("kind"), ["evolve", "match", "evolve"].map(Value::from));
    assert_eq!(
        (field("units"), field("done")),
        (vec![4.into(), 8.into(), Value::Null], vec![1.into(), 0.into(), Value::Null])
    );
    assert_eq!(
        (&message[0]["running"], &message[0]["failed"], &message[0]["waiting"]),
        (&0.into(), &0.into(), &3.into())
    );
    assert_eq!(list("--format json"), list("--json"));
    assert!(list("--format csv").contains("plan-tournament-seeds1,true,match,tournament,,1,,,,8,0,0,8,0,,new,"));
    assert!(list("--format md").contains("| plan match |"));
    fs::write(home.path().join(".local/state/mancalab/runs/plan-tournament-seeds1/plan.toml"), "odd").unwrap();
    let damaged: Value = serde_json::from_str(&list("--state damaged --json")).unwrap();
    assert!(damaged["why"].as_str().unwrap().contains("has no checksum"), "{damaged}");
    assert!(list("--state damaged").contains("plan-tournament-seeds1  plan"));
}

/// Tags and a note of a plan are in a file of their own: its other files stay as they are, and it is still computed.
#[test]
fn plans_are_tagged_and_noted_and_found_by_tag() {
    let home = shelf();
    let folder = home.path().join(".local/state/mancalab/runs/plan-mancala-gp-1-seeds1-2");
    let before = fs::read(folder.join("plan.toml")).unwrap();
    assert_eq!(stdout_of(home.path(), "runs tag plan-m night first"), "first night\n");
    assert_eq!(stdout_of(home.path(), "runs note plan-m elitism?"), "elitism?\n");
    stdout_of(home.path(), "runs tag mancala-gp-1-seed9 night");
    let list = |filter: &str| stdout_of(home.path(), &format!("runs {filter}"));
    assert_eq!((list("tag:night --json").lines().count(), list("tag:nigh --json").lines().count()), (2, 0));
    let found: Value = serde_json::from_str(&list("tag:first --json")).unwrap();
    assert_eq!((&found["plan"], &found["note"]), (&true.into(), &"elitism?".into()));
    assert!(list("").contains("first night") && list("show plan-m").contains("elitism?"));
    assert_eq!(fs::read(folder.join("plan.toml")).unwrap(), before);
    unit(home.path(), "plan-mancala-gp-1-seeds1-2", 2);
    for number in [0, 3] {
        unit(home.path(), "plan-mancala-gp-1-seeds1-2", number);
    }
    stdout_of(home.path(), "plan merge plan-m");
    stdout_of(home.path(), "runs report plan-m --out page");
    let page = fs::read_to_string(home.path().join("page/report.html")).unwrap();
    assert!(page.contains("plan-mancala-gp-1-seeds1-2 [first, night] elitism?"), "{page}");
    fs::write(folder.join("notes.toml"), "tag = 1\n").unwrap();
    let error = mancalab(home.path(), "runs tag plan-m x").output().unwrap();
    assert!(!error.status.success() && text(&error.stderr).contains("notes.toml:1"), "{error:?}");
    assert_eq!(list("tag:night --json").lines().count(), 1, "it is listed without tags");
    fs::write(folder.join("notes.toml"), "note = \"x\"\n").unwrap();
    stdout_of(home.path(), "runs delete --yes plan-mancala-gp-1-seeds1-2");
    assert!(!folder.exists(), "with its notes");
}

#[test]
fn a_plan_is_shown_in_full() {
    let home = shelf();
    let shown = stdout_of(home.path(), "runs show plan-m");
    let row = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{key}: {shown}"));
        line[key.len()..].trim().to_owned()
    };
    assert_eq!((row("seeds"), row("varied")), ("1-2".to_owned(), "elitism=1,2".to_owned()));
    assert_eq!(row("units"), "1 of 4 done, 0 running, 3 waiting, 0 failed");
    assert!(row("measured").ends_with(" s per unit") && row("what") == "evolve, each unit a run", "{shown}");
    assert!(row("  population").starts_with("16") && row("  population").contains("* preset: "), "{shown}");
    assert_eq!(row("merged"), "-");
    let unmerged = refused(home.path(), "runs export plan-t");
    assert!(unmerged.contains("has no merged runs yet") && unmerged.contains("mancalab plan merge "), "{unmerged}");
    stdout_of(home.path(), "plan merge plan-m --partial");
    let json: Value = serde_json::from_str(&stdout_of(home.path(), "runs show plan-m --json")).unwrap();
    assert!(json["merged"][0].as_str().unwrap().ends_with("/merged/mancala-gp-1-elitism-1-seed2"), "{json}");
    assert_eq!(
        (&json["plan"], &json["what"], &json["vary"][0]),
        (&true.into(), &"evolve".into(), &"elitism=1,2".into())
    );
    assert!(json["seconds_measured"].as_f64().is_some() && json["settings"]["population"] == 16, "{json}");
    assert!(stdout_of(home.path(), "runs show plan-m").contains("mancala-gp-1-elitism-1-seed2"));
}

#[test]
fn a_plan_is_renamed_and_deleted_but_not_while_a_unit_is_computed() {
    let home = shelf();
    let runs = home.path().join(".local/state/mancalab/runs");
    stdout_of(home.path(), "runs rename plan-mancala-gp-1-seeds1-2 mine");
    assert!(runs.join("mine/plan.toml").is_file());
    unit(home.path(), "mine", 0);
    assert!(refused(home.path(), "runs rename mine plan-tournament-seeds1").contains("is there already"));
    assert!(refused(home.path(), "runs rename mine a/b").contains("cannot be a run's name"));
    stdout_of(
        home.path(),
        "plan new match --players minimax:7,max --pairs 1-2 --games 100000 --block 100000 --out long",
    );
    fs::rename(home.path().join("long"), runs.join("long")).unwrap();
    let mut child = start(home.path(), "plan unit long --index 0");
    wait(&mut child, "a mark", || files(&runs.join("long"), "marks").pop()).unwrap();
    assert!(stdout_of(home.path(), "runs --state running").contains("long"));
    for command in ["rename long short", "delete long --yes", "delete mine long --yes"] {
        let error = refused(home.path(), &format!("runs {command}"));
        assert!(error.contains("unit 0 of ") && error.contains("is being computed by process"), "{error}");
    }
    assert!(runs.join("mine/plan.toml").is_file(), "all are checked before any is deleted");
    kill(&mut child, Signal::KILL);
    assert!(refused(home.path(), "runs delete long").contains("not a terminal: add --yes"));
    stdout_of(home.path(), "runs delete long mine mancala-gp-1-seed9 --yes");
    assert_eq!(fs::read_dir(&runs).unwrap().count(), 1);
}

#[test]
fn what_needs_a_run_shows_that_it_is_a_plan() {
    let home = shelf();
    let commands =
        ["extend plan-m --generations 9", "compare plan-m mancala-gp-1-seed9", "compare mancala-gp-1-seed9 plan-t"];
    for command in commands {
        let error = refused(home.path(), &format!("runs {command}"));
        assert!(error.contains(" is a plan. ") && error.contains("mancalab plan merge "), "{command}: {error}");
    }
    stdout_of(home.path(), "plan merge plan-m --partial");
    let merged = ".local/state/mancalab/runs/plan-mancala-gp-1-seeds1-2/merged/mancala-gp-1-elitism-1-seed2";
    assert!(stdout_of(home.path(), &format!("runs export {merged}")).lines().count() == 5);
    let compared = stdout_of(home.path(), &format!("runs compare {merged} mancala-gp-1-seed9"));
    let name = "plan-mancala-gp-1-seeds1-2/mancala-gp-1-elitism-1-seed2";
    assert!(compared.contains(name), "plans may have runs of the same name: {compared}");
}

/// Runs the program as an unprivileged user, if the test can switch users.
fn read_only(home: &Path, args: &str) -> Option<std::process::Output> {
    let mut command = mancalab(home, args);
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command.output().ok()
}

fn chmod(folder: &Path, mode: u32) {
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_plan_that_cannot_be_written_is_reported_by_name() {
    let home = home();
    stdout_of(home.path(), "plan new match --players random,max --games 2 --block 1 --out runs/plan");
    stdout_of(home.path(), "plan submit runs/plan --engine local");
    unit(home.path(), "runs/plan", 0);
    chmod(home.path(), 0o755);
    let plan = home.path().join("runs/plan");
    chmod(&plan, 0o555);
    // Skipped where another user cannot execute the program.
    if let Some(output) = read_only(home.path(), "runs show ./runs/plan") {
        assert!(text(&output.stdout).contains("8 of 8 done"), "{}", text(&output.stderr));
        let output = read_only(home.path(), "plan merge ./runs/plan").unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("cannot ") && error.contains("plan/merged"), "{error}");
        let result = files(&plan, "results").remove(0);
        fs::remove_file(result).unwrap();
        fs::read_dir(plan.join("marks")).unwrap().for_each(|shelf| chmod(&shelf.unwrap().path(), 0o555));
        let output = read_only(home.path(), "plan unit ./runs/plan --index 0").unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("cannot write ") && error.contains("plan/marks/"), "{error}");
    }
    chmod(&plan, 0o755);
}
