//! `mancalab plan submit --engine local`: computes all units on this machine even if processes are killed.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use super::{assert_same, await_readiness, files, home, kill, mancalab, start, stdout_of, text, units_of, wait};

/// Plans of every kind with several units, each with an equivalent run of the ordinary command.
fn plans() -> [(String, String, &'static str); 5] {
    let arena = "match --players random,max --games 9".to_owned();
    let evolve = "evolve mancala-gp-1 --population 16 --generations 4 --set opponents=max".to_owned();
    let tune = "tune kalah-thesis --population 6 --generations 2 --set depth=1 --set games=1".to_owned();
    let train = "train kalah-thesis-a3c --generations 3 --set workers=2 --set rounds=2 --set hidden=8 --set panel=random --set \
                 panel_games=2"
        .to_owned();
    let islands = evolve.replace("evolve", "islands") + " --islands 2 --migrants 1 --migration-every 2";
    let on_islands = evolve.clone() + " --set islands=2 --set migrants=1 --set migration_every=2";
    [
        (format!("{arena} --block 4"), format!("{arena} --seed 1"), "tournament-seed1"),
        (format!("{evolve} --seeds 1-3"), format!("{evolve} --seed 2"), "mancala-gp-1-seed2"),
        (format!("{tune} --seeds 1-3"), format!("{tune} --seed 3"), "kalah-thesis-seed3"),
        (format!("{train} --seeds 1-2"), format!("{train} --seed 2"), "kalah-thesis-a3c-seed2"),
        (islands, format!("{on_islands} --seed 1"), "mancala-gp-1-seed1"),
    ]
}

#[test]
fn every_kind_is_computed_to_its_end() {
    for (plan, run, name) in plans() {
        let home = home();
        let path = home.path();
        stdout_of(path, &format!("plan new {plan} --out plan"));
        let message = stdout_of(path, "plan submit plan --engine local --jobs 2 --threads 2");
        let units = units_of(&path.join("plan"));
        assert!(message.contains(&format!("{units} units done in ")), "{message}");
        assert!(stdout_of(path, "plan submit plan --engine local").starts_with(&format!("all {units} units of ")));
        stdout_of(path, "plan merge plan");
        stdout_of(path, &format!("{run} --out whole"));
        assert_same(&path.join("plan/merged").join(name), &path.join("whole"));
        // The build that computed the units, and the process that merged them.
        let provenance = fs::read_to_string(path.join("plan/merged").join(name).join("provenance.toml")).unwrap();
        let roles: Vec<&str> = provenance.lines().filter(|line| line.starts_with("role")).collect();
        assert_eq!(roles, ["role = \"computed\"", "role = \"merged\""], "{provenance}");
        assert!(provenance.contains("\nunits = \"") && provenance.matches("\nversion = ").count() == 2, "{provenance}");
    }
}

/// Shares of machines without a common folder: each unit is in one, and of a plan with dependencies each run.
#[test]
fn shares_of_a_plan_are_all_of_it() {
    let islands = "islands mancala-gp-1 --population 16 --generations 4 --set opponents=max --seeds 1-2 --islands 2 --migrants 1 \
                   --migration-every 2";
    for (plan, shares) in [("match --players random,max --games 9 --block 4", [1, 1, 1]), (islands, [1, 1, 0])] {
        let home = home();
        let path = home.path();
        stdout_of(path, &format!("plan new {plan} --out plan"));
        let units = units_of(&path.join("plan"));
        let counts = shares.map(|share| share * units / shares.iter().sum::<usize>());
        let mut before = 0;
        for (at, count) in counts.into_iter().enumerate() {
            let message = stdout_of(path, &format!("plan submit plan --engine local --part {}/3", at + 1));
            assert!(count == 0 || message.contains(&format!("computing {count} units of {count},")), "{message}");
            assert!(!message.contains("next: mancalab plan merge"), "{message}");
            before += count;
            assert_eq!(files(&path.join("plan"), "results").len(), before);
        }
        assert_eq!(before, units);
        let again = stdout_of(path, "plan submit plan --engine local --part 1/3");
        assert!(again.starts_with(&format!("all {} units of ", counts[0])), "{again}");
        stdout_of(path, "plan merge plan");
    }
    let home = home();
    for odd in ["0/3", "4/3", "x", "1/", "/3", "1/0", "-1/3"] {
        let output = mancalab(home.path(), &format!("plan submit plan --engine local --part={odd}")).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("--part must be I/N with I from 1 to N, such as 2/3"), "{odd}: {error}");
    }
}

/// A plan of four units, enlarged until one unit is observed while it runs.
fn at_work(home: &Path, act: &dyn Fn(&str, &mut std::process::Child) -> bool) -> (String, String) {
    for doubled in 0..12 {
        let size = 1 << doubled;
        let arena = format!("match --players minimax:4,max --pairs 1-2 --games {}", 200 * size);
        let name = format!("plan{doubled}");
        stdout_of(home, &format!("plan new {arena} --block {} --out {name}", 50 * size));
        let mut child = start(home, &format!("plan submit {name} --engine local --jobs 2"));
        if act(&name, &mut child) {
            return (name, format!("{arena} --seed 1"));
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    panic!("no unit lasted long enough");
}

/// Returns the processes of the running units.
fn at_units(plan: &Path) -> Vec<(String, i32)> {
    let name = |path: std::path::PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let running = files(plan, "marks").into_iter().map(name).filter(|name| name.ends_with(".run"));
    let process = |name: &str| name.rsplit('-').nth(1)?.parse().ok();
    running.filter_map(|mark| Some((mark.split('.').next()?.to_owned(), process(&mark)?))).collect()
}

fn merged_is_whole(home: &Path, plan: &str, run: &str) {
    stdout_of(home, &format!("plan merge {plan}"));
    stdout_of(home, &format!("{run} --out whole"));
    assert_same(&home.join(plan).join("merged/tournament-seed1"), &home.join("whole"));
}

#[test]
fn told_to_stop_the_units_save_and_are_resumed() {
    let home = home();
    let (plan, run) = at_work(home.path(), &|plan, child| {
        await_readiness(child);
        let folder = home.path().join(plan);
        let under_way = wait(child, "units", || (at_units(&folder).len() == 2).then_some(()));
        if under_way.is_none() {
            return false;
        }
        // The signal of Ctrl-C or a system shutdown.
        kill(child, Signal::TERM);
        !files(&folder, "attempts").is_empty()
    });
    let folder = home.path().join(&plan);
    assert!(at_units(&folder).is_empty(), "their marks are deleted: {:?}", files(&folder, "marks"));
    let saved = files(&folder, "attempts");
    assert!(saved.iter().any(|attempt| attempt.join("part").is_file()), "{saved:?}");
    let shown = stdout_of(home.path(), &format!("runs show ./{plan}"));
    assert!(shown.contains("0 running") && shown.contains("stopped"), "{shown}");
    stdout_of(home.path(), &format!("plan submit {plan} --engine local --jobs 2"));
    merged_is_whole(home.path(), &plan, &run);
}

#[test]
fn a_process_that_is_killed_is_begun_again() {
    let home = home();
    let (plan, run) = at_work(home.path(), &|plan, child| {
        let folder = home.path().join(plan);
        let Some((unit, process)) = wait(child, "a unit", || at_units(&folder).into_iter().next()) else {
            return false;
        };
        let _ = rustix::process::kill_process(rustix::process::Pid::from_raw(process).unwrap(), Signal::KILL);
        let own = |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&unit);
        assert!(child.wait().unwrap().success());
        // The mark of the killed process stays, unless its unit was already done.
        files(&folder, "marks").iter().filter(|mark| own(mark)).count() > 1
    });
    let folder = home.path().join(&plan);
    assert_eq!(files(&folder, "results").len(), 4);
    assert_eq!(at_units(&folder).len(), 1, "the mark of the killed process");
    let shown = stdout_of(home.path(), &format!("runs show ./{plan}"));
    assert!(shown.contains("4 of 4 done, 0 running"), "{shown}");
    merged_is_whole(home.path(), &plan, &run);
}

#[test]
fn a_unit_that_fails_is_reported_and_those_that_need_it_are_left() {
    let home = home();
    let path = home.path();
    let (plan, ..) = plans()[4].clone();
    stdout_of(path, &format!("plan new {plan} --out plan"));
    // Puts another unit's result in the place of unit 1's.
    stdout_of(path, "plan unit plan --index 0");
    let result = files(&path.join("plan"), "results").remove(0);
    let stolen = result.with_file_name(result.file_name().unwrap().to_string_lossy().replace("000000.", "000001."));
    fs::copy(&result, &stolen).unwrap();
    let output = mancalab(path, "plan submit plan --engine local --jobs 2").output().unwrap();
    // A unit with a result is not computed again; units that need the result verify it.
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let message = text(&output.stdout);
    let complained = text(&output.stderr);
    assert!(complained.contains("failed: unit 1: ") && complained.contains("is the result of unit 0"), "{complained}");
    assert!(
        message.contains("failed: 2, 3;") || message.contains("failed: 2; ") || message.contains("failed: 3, 2;"),
        "{message}"
    );
    let message = stdout_of(path, "runs show ./plan");
    assert!(message.contains("stopped") || message.contains("failed"), "{message}");
    fs::remove_file(stolen).unwrap();
    stdout_of(path, "plan submit plan --engine local --jobs 2");
    stdout_of(path, "plan merge plan");
}
