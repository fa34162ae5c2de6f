//! Selection of the unit to compute, by the engines' environment variables.

use std::path::Path;
use std::process::Output;

use super::{complaint, files, home, mancalab, refused, stdout_of, text};

const INDICES: [&str; 5] =
    ["HQ_TASK_ID", "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "JOB_COMPLETION_INDEX"];

fn plan(home: &Path) {
    stdout_of(home, "plan new match --players random,max --games 4 --block 2 --out plan");
}

fn with(home: &Path, args: &str, name: &str, value: &str) -> Output {
    mancalab(home, args).env(name, value).output().unwrap()
}

#[test]
fn every_engine_is_understood() {
    let home = home();
    plan(home.path());
    for (unit, name) in INDICES.iter().enumerate() {
        let output = with(home.path(), "plan unit plan", name, &unit.to_string());
        assert!(text(&output.stdout).starts_with(&format!("unit {unit} (")), "{}", text(&output.stderr));
    }
    assert_eq!(files(&home.path().join("plan"), "results").len(), 5);
    // Arrays with an offset: the offset is added.
    for (name, unit) in INDICES.iter().zip([5, 6, 7, 6, 7]) {
        let output = with(home.path(), "plan unit plan --first 5", name, &(unit - 5).to_string());
        assert!(text(&output.stdout).starts_with(&format!("unit {unit} (")), "{}", text(&output.stderr));
    }
    assert_eq!(files(&home.path().join("plan"), "results").len(), 8);
    // An explicit option takes precedence.
    let output = with(home.path(), "plan unit plan --index 3", "HQ_TASK_ID", "4");
    assert!(text(&output.stdout).starts_with("unit 3 ("), "{}", text(&output.stderr));
}

#[test]
fn an_index_that_is_none_is_refused() {
    let home = home();
    plan(home.path());
    let none = refused(home.path(), "plan unit plan");
    assert!(none.contains("no unit given: use --index N") && INDICES.iter().all(|name| none.contains(name)), "{none}");
    for name in INDICES {
        for odd in ["", "x", "-1", "1.5", "1 2", "4294967296", "99999999999999999999"] {
            let stdout_of = complaint(odd, &with(home.path(), "plan unit plan", name, odd));
            assert!(
                stdout_of.contains(&format!("{name} must be a whole number, 0 or more (got '{odd}')")),
                "{stdout_of}"
            );
        }
        let stdout_of = complaint(name, &with(home.path(), "plan unit plan --first 1", name, "4294967295"));
        assert!(stdout_of.contains(name), "{stdout_of}");
        let stdout_of = complaint(name, &with(home.path(), "plan unit plan --first 1", name, "7"));
        assert!(stdout_of.contains("unit of plan must be 0 to 7 (got 8)"), "{stdout_of}");
    }
    assert!(refused(home.path(), "plan unit plan --index 8").contains("unit of plan must be 0 to 7 (got 8)"));
    for odd in ["--index x", "--index -1", "--index 1 --first 1", "--first x"] {
        let output = mancalab(home.path(), &format!("plan unit plan {odd}")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{odd}");
    }
    assert!(files(&home.path().join("plan"), "marks").is_empty());
}
