//! The page `docs/experiment.md`, followed by the letter.

use super::mancalab;

const PAGE: &str = include_str!("../../docs/experiment.md");

/// Returns the words of a command line; those in quotes are one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn the_experiment_of_the_page_can_be_repeated() {
    let home = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    let mut is_shown = false;
    let (mut commands, mut shown) = (0, 0);
    for line in PAGE.lines() {
        if line.starts_with("```") {
            is_shown = line == "```text";
        } else if is_shown {
            assert!(printed.contains(line), "the page shows '{line}', but the command prints:\n{printed}");
            shown += 1;
        } else if let Some(command) = line.strip_prefix("    mancalab ") {
            let output = mancalab(home.path()).args(words(command)).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            printed = String::from_utf8(output.stdout).unwrap();
            commands += 1;
        }
    }
    assert_eq!((commands, shown), (16, 8));
    let report = std::fs::read_to_string(home.path().join("report/report.md")).unwrap();
    assert!(report.contains("mancalab plan evolve mancala-gp-1 --seeds 1-12"), "{report}");
}
