//! Full disks and closed pipes.

use std::path::Path;

use super::{full, home, mancalab, text};

/// Every command without a screen, short enough to run often, with a file that it leaves in its folder.
const COMMANDS: &[(&[&str], Option<&str>)] = &[
    (&["match", "random", "max", "--games", "6", "--seed", "1", "--save", "games"], Some("games/1-2-00003.game")),
    (&["match", "random", "max", "--games", "6", "--json"], None),
    (
        &["match", "--players", "random,max", "--games", "2", "--seed", "1", "--out", "run", "--save", "games"],
        Some("games/2-2-00002.game"),
    ),
    (
        &["match", "--players", "random,max", "--games", "2", "--seed", "1", "--out", "run", "--json"],
        Some("run/checkpoint"),
    ),
    (
        &["evolve", "mancala-gp-1", "--population", "8", "--generations", "2", "--seed", "1", "--out", "run"],
        Some("run/best.txt"),
    ),
    (
        &["evolve", "mancala-gp-1", "--population", "8", "--generations", "2", "--seed", "1", "--out", "run", "--json"],
        Some("run/best.txt"),
    ),
    (
        &[
            "tune",
            "kalah-thesis",
            "--population",
            "4",
            "--generations",
            "1",
            "--set",
            "depth=1",
            "--seed",
            "1",
            "--out",
            "run",
        ],
        Some("run/checkpoint"),
    ),
    (&["reproduce", "mancala-gp/figure10", "--programs", "2"], None),
    (&["reproduce", "--list"], None),
    (&["reproduce", "kalah-thesis/table2", "--games", "1", "--out", "files"], Some("files/kalah-thesis-table2.csv")),
    (&["reproduce", "othello-gp/table1", "--games", "1", "--out", "files"], Some("files/othello-gp-table1.csv")),
    (&["dev", "perft", "--depth", "4"], None),
    (&["config", "show"], None),
    (&["config", "keys"], None),
    (&["generate", "completions", "bash"], None),
    (&["generate", "man"], None),
    (&["--help"], None),
    (&["--version"], None),
    (&["evolve", "--help"], None),
];

fn assert_kept(home: &Path, kept: Option<&str>, args: &[&str]) {
    if let Some(kept) = kept {
        assert!(home.join(kept).is_file(), "{args:?}: there is no {kept}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_reported_and_loses_nothing() {
    for (args, kept) in COMMANDS {
        let home = home();
        let output = mancalab(home.path(), args).stdout(full()).output().unwrap();
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {printed}");
        assert!(
            printed.contains("error: cannot write to standard output: no space left on device"),
            "{args:?}: {printed}"
        );
        assert!(!printed.contains("panicked"), "{printed}");
        assert_kept(home.path(), *kept, args);
    }
}

#[test]
fn a_full_disk_behind_standard_error_changes_nothing() {
    for (args, kept) in COMMANDS {
        let (home, other) = (home(), home());
        let output = mancalab(home.path(), args).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
        assert_kept(home.path(), *kept, args);
        let both = mancalab(other.path(), args).stdout(full()).stderr(full()).output().unwrap();
        assert_eq!(both.status.code(), Some(2), "{args:?}");
        assert_kept(other.path(), *kept, args);
    }
}

#[test]
fn readers_that_have_gone_are_no_ones_mistake() {
    for (args, kept) in COMMANDS {
        let home = home();
        let gone = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            writer
        };
        let status = mancalab(home.path(), args).stdout(gone()).stderr(gone()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{args:?}");
        assert_kept(home.path(), *kept, args);
    }
}
