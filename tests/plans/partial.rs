//! Plans with only some units computed: the merged run is a prefix of the whole run and can be resumed on one machine.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::{all, assert_same, files, home, mancalab, refused, stdout_of, text, unit};

/// Merges a partly computed plan of one run, resumes it with the ordinary command, and returns the number of merged
/// rows.
fn check(home: &Path, name: &str, run: &str) -> usize {
    let refusal = refused(home, "plan merge plan");
    assert!(refusal.contains("no result yet: ") && refusal.contains("--partial"), "{refusal}");
    let merged = home.join("plan/merged").join(name);
    assert!(!merged.exists(), "nothing was merged");
    let message = stdout_of(home, "plan merge plan --partial");
    assert!(message.contains("missing") && message.contains("mancalab runs resume "), "{message}");
    stdout_of(home, &format!("{run} --out whole"));
    let rows = |folder: &Path, file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let part = rows(&merged, "generations.csv");
    let whole = rows(&home.join("whole"), "generations.csv");
    assert!(whole.starts_with(&part) && part.len() < whole.len() && part.ends_with('\n'), "{part}");
    assert_eq!(rows(&merged, "run.toml"), rows(&home.join("whole"), "run.toml"));
    // Merging again replaces it, as it was not resumed.
    stdout_of(home, "plan merge plan --partial");
    stdout_of(home, &format!("runs resume plan/merged/{name}"));
    assert_same(&merged, &home.join("whole"));
    let before = all(&merged);
    for again in ["plan merge plan --partial", "plan merge plan"] {
        let refusal = refused(home, again);
        let is_reported =
            refusal.contains(&format!("{name} has rows that the plan's run does not; give it another name"));
        assert!(is_reported || (again == "plan merge plan" && refusal.contains("no result yet")), "{refusal}");
    }
    assert!(all(&merged) == before, "the resumed run was changed");
    part.lines().count() - 1
}

#[test]
fn a_tournament_of_which_blocks_are_missing() {
    let home = home();
    let arena = "match --players random,max --games 10";
    stdout_of(home.path(), &format!("plan new {arena} --block 4 --out plan"));
    // Blocks of 4, 4 and 2 games for each of four pairs; the first blocks of all pairs come first.
    (0..7).for_each(|number| unit(home.path(), "plan", number));
    assert_eq!(check(home.path(), "tournament-seed1", &format!("{arena} --seed 1")), 4);
    let message = stdout_of(home.path(), "plan merge plan --partial --out elsewhere");
    assert!(message.contains("5 units missing: ") && message.contains("7, 8, 9, 10, 11"), "{message}");
    // The merged run is as long as the plan.
    (7..12).for_each(|number| unit(home.path(), "plan", number));
    stdout_of(home.path(), "plan merge plan");
    assert_same(&home.path().join("plan/merged/tournament-seed1"), &home.path().join("whole"));
}

#[test]
fn islands_of_which_epochs_are_missing() {
    let home = home();
    let flags = "mancala-gp-1 --population 24 --generations 10 --set opponents=max";
    stdout_of(
        home.path(),
        &format!("plan new islands {flags} --islands 2 --migrants 1 --migration-every 3 --out plan"),
    );
    (0..5).for_each(|number| unit(home.path(), "plan", number));
    let run = format!("evolve {flags} --set islands=2 --set migrants=1 --set migration_every=3 --seed 1");
    let rows = check(home.path(), "mancala-gp-1-seed1", &run);
    assert!((3..10).contains(&rows), "{rows}");
}

#[test]
fn runs_of_which_some_are_missing() {
    let home = home();
    let evolve = "evolve mancala-gp-1 --population 16 --generations 3 --set opponents=max";
    stdout_of(home.path(), &format!("plan new {evolve} --seeds 1-3 --out plan"));
    assert!(stdout_of(home.path(), "plan merge plan --partial").contains("no row yet, 1 unit missing"));
    unit(home.path(), "plan", 1);
    assert!(refused(home.path(), "plan merge plan").contains("0 (mancala-gp-1-seed1)"));
    let json = stdout_of(home.path(), "plan merge plan --partial --json");
    let message: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let missing: Vec<&serde_json::Value> = message.iter().map(|one| &one["missing"]).collect();
    assert_eq!(missing, [&serde_json::json!([0]), &serde_json::json!([]), &serde_json::json!([2])]);
    assert_eq!((&message[1]["finished"], &message[0]["folder"]), (&true.into(), &serde_json::Value::Null));
    // Once extended and resumed, it is a separate run.
    stdout_of(home.path(), "evolve --resume plan/merged/mancala-gp-1-seed2 --generations 5");
    let refusal = refused(home.path(), "plan merge plan --partial");
    assert!(refusal.contains("mancala-gp-1-seed2 is not the plan's run, or was extended"), "{refusal}");
    stdout_of(home.path(), &format!("{evolve} --generations 5 --seed 2 --out whole").replace("--generations 3 ", ""));
    assert_same(&home.path().join("plan/merged/mancala-gp-1-seed2"), &home.path().join("whole"));
}

#[test]
fn a_tournament_that_a_test_ended_needs_no_more_units() {
    let home = home();
    let arena = "match --players max,random --pairs 1-2 --games 300 --sprt 0,100";
    stdout_of(home.path(), &format!("plan new {arena} --block 50 --out plan"));
    let plan = home.path().join("plan");
    let mut computed = 0;
    while !stdout_of(home.path(), "plan merge plan --partial").contains("complete") {
        unit(home.path(), "plan", computed);
        computed += 1;
    }
    assert!((1..6).contains(&computed), "the test did not end before the games: {computed}");
    assert_eq!(files(&plan, "results").len(), computed);
    stdout_of(home.path(), "plan merge plan");
    stdout_of(home.path(), &format!("{arena} --seed 1 --out whole"));
    assert_same(&plan.join("merged/tournament-seed1"), &home.path().join("whole"));
}

#[test]
fn a_damaged_result_does_not_keep_the_other_runs_from_being_merged() {
    let home = home();
    stdout_of(
        home.path(),
        "plan new tune kalah-thesis --population 4 --generations 1 --set depth=1 --seeds 1-3 --out plan",
    );
    (0..3).for_each(|number| unit(home.path(), "plan", number));
    // An attempt elsewhere that died, at a unit that another attempt has done.
    let dead = home.path().join("plan/attempts/000/000002.elsewhere-7-00aa");
    fs::create_dir_all(&dead).unwrap();
    let results = fs::read_dir(home.path().join("plan/results/000")).unwrap().flatten().map(|entry| entry.path());
    let first =
        results.into_iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("000000.")).unwrap();
    fs::write(&first, "damaged").unwrap();
    let output = mancalab(home.path(), "plan merge plan --partial").output().unwrap();
    let printed = text(&output.stdout);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}{errors}");
    assert!(errors.contains("kalah-thesis-seed1") && errors.contains("is damaged"), "{errors}");
    assert!(
        ["seed2", "seed3"].iter().all(|seed| home.path().join(format!("plan/merged/kalah-thesis-{seed}")).exists())
    );
    assert!(!dead.exists(), "what a dead attempt saved at a finished unit");
    let summary = stdout_of(home.path(), "runs summary plan");
    assert!(summary.starts_with("Warning: 2 of 3 runs of plan are merged\n"), "{summary}");
    fs::remove_file(first).unwrap();
    unit(home.path(), "plan", 0);
    stdout_of(home.path(), "plan merge plan");
    assert!(!stdout_of(home.path(), "runs summary plan").contains("Warning"));
}

#[test]
fn a_run_that_is_put_together_again_keeps_its_start() {
    let home = home();
    let tune = "tune kalah-thesis --population 4 --generations 1 --set depth=1";
    stdout_of(home.path(), &format!("plan new {tune} --seeds 1 --out plan"));
    unit(home.path(), "plan", 0);
    // As if it had been computed long before.
    let marks = files(&home.path().join("plan"), "marks");
    for mark in &marks {
        let text = fs::read_to_string(mark).unwrap();
        let times = text.lines().map(|line| match line.starts_with("started = ") {
            true => "started = \"2020-01-02 03:04:05Z\"",
            false => line,
        });
        fs::write(mark, times.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }
    for _ in 0..2 {
        stdout_of(home.path(), "plan merge plan");
        let shown = stdout_of(home.path(), "runs show plan/merged/kalah-thesis-seed1");
        assert!(shown.contains("2020-01-02 03:04"), "{marks:?} {shown}");
    }
}

/// Of two merges at once neither fails.
#[test]
fn two_merges_at_once_both_succeed() {
    let home = home();
    stdout_of(
        home.path(),
        "plan new tune kalah-thesis --population 4 --generations 1 --set depth=1 --seeds 1-8 --out plan",
    );
    stdout_of(home.path(), "plan submit plan --engine local");
    for _ in 0..5 {
        let merges: Vec<_> =
            (0..3).map(|_| mancalab(home.path(), "plan merge plan").stderr(Stdio::piped()).spawn().unwrap()).collect();
        for merge in merges {
            let output = merge.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
    }
}
