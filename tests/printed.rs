//! Tables of matches in the book have the numbers that their commands print today: the rows of those below are played again.
//!
//! What takes longer than seconds together is played by the ignored test alone. `PRINTED_UPDATE=1` writes the numbers into the pages:
//!
//! ```text
//! PRINTED_UPDATE=1 cargo test --release --test all printed -- --include-ignored
//! ```

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// A table of a page: its head begins so, and each of its rows is a match or several.
struct Printed {
    page: &'static str,
    head: &'static str,
    rows: Vec<PrintedRow>,
    /// Cells behind those that are played.
    more: fn(&str) -> Vec<String>,
}

struct PrintedRow {
    label: String,
    /// The arguments of `mancalab match`.
    matches: Vec<String>,
    cells: fn(&Value) -> Vec<String>,
    is_long: bool,
}

/// Plays a match; returns its result as the command prints it for programs.
fn play(arguments: &str) -> Value {
    let home = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_mancalab");
    let output = Command::new(program)
        .args(["match", "--json"])
        .args(arguments.split(' '))
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the percentage of the points with its interval: `93.3 (91.7 to 94.6)`.
fn points(of: &Value) -> String {
    let [points, low, high] = ["points", "low", "high"].map(|key| 100.0 * of[key].as_f64().unwrap());
    format!("{points:.1} ({low:.1} to {high:.1})")
}

fn all_and_seats(result: &Value) -> Vec<String> {
    ["all", "first", "second"].map(|key| points(&result[key])).to_vec()
}

/// Those of a player against itself, all of whose games together are a draw by definition.
fn seats(result: &Value) -> Vec<String> {
    vec![String::new(), points(&result["first"]), points(&result["second"])]
}

fn all(result: &Value) -> Vec<String> {
    vec![points(&result["all"])]
}

/// Wins, draws, losses and points.
fn counts(result: &Value) -> Vec<String> {
    let count = |key: &str| result["all"][key].to_string();
    vec![count("wins"), count("draws"), count("losses"), points(&result["all"])]
}

fn none(_: &str) -> Vec<String> {
    Vec::new()
}

/// Returns the rows of the network's table after `opening` random moves.
fn of_network(opening: u32) -> Vec<PrintedRow> {
    let opponents = [
        ("`random`, not met before", "random"),
        ("`max`", "max"),
        ("`minimax:4`", "minimax:4:ties=random"),
        ("`minimax:6`", "minimax:6:ties=random"),
        ("`heuristic:4`", "heuristic:4:ties=random"),
        ("`minimax:8`, not met before", "minimax:8:ties=random"),
        ("`mcts:4000`, not met before", "mcts:4000"),
        ("itself", "a3c"),
    ];
    let row = |(label, opponent): (&str, &str)| PrintedRow {
        label: label.to_owned(),
        matches: vec![format!("a3c {opponent} --games 1000 --opening {opening} --seed 7")],
        cells: if opponent == "a3c" { seats } else { all_and_seats },
        is_long: opponent.starts_with("mcts"),
    };
    opponents.map(row).into_iter().collect()
}

fn of_functions() -> Vec<PrintedRow> {
    let row = |(label, player): (&str, &str)| {
        let opponents = ["random", "minimax:2:eval=discs", "minimax:4:eval=discs", "mcts:200"];
        let played = |opponent| format!("{player} {opponent} --game othello --opening 6 --games 1000 --seed 1");
        PrintedRow { label: label.to_owned(), matches: opponents.map(played).to_vec(), cells: all, is_long: true }
    };
    [("single", "staged:best"), ("staged, 50,50", "staged:best-staged")].map(row).into_iter().collect()
}

fn of_oware() -> Vec<PrintedRow> {
    let tuned = "heuristic:4@0.108,0.531,0.692,1,0.265,0.209,0,0.479,0.722,0.61:ties=random";
    let row = |(label, opponent): (&str, &str)| PrintedRow {
        label: label.to_owned(),
        matches: vec![format!("{tuned} {opponent} --game oware --games 1000 --seed 1")],
        cells: all,
        is_long: opponent.starts_with("heuristic"),
    };
    let opponents = [
        ("`random`", "random"),
        ("`minimax:2`", "minimax:2"),
        ("`minimax:4`", "minimax:4"),
        ("`heuristic:4` untuned", "heuristic:4"),
        ("equal weights, depth 4", "heuristic:4@1,1,1,1,1,1,1,1,1,1"),
    ];
    opponents.map(row).into_iter().collect()
}

/// Samuel's terms in the order of the weights.
const TERMS: [&str; 27] = [
    "ADV", "APEX", "BACK", "CENT", "CNTR", "CORN", "CRAMP", "DENY", "DIA", "DIAV", "DYKE", "EXCH", "EXPOS", "FORK",
    "GAP", "GUARD", "HOLE", "KCENT", "MOB", "MOBIL", "MOVE", "NODE", "OREO", "POLE", "RECAP", "THRET", "PIECE",
];

/// Returns the weights of pieces alone with one other term.
fn weighed(term: &str, weight: &str) -> String {
    let of = |name: &&str| match *name {
        "PIECE" => "1",
        name if name == term => weight,
        _ => "0",
    };
    TERMS.iter().map(of).collect::<Vec<_>>().join(",")
}

fn of_signs() -> Vec<PrintedRow> {
    let row = |term: &str| PrintedRow {
        label: term.to_owned(),
        matches: vec![format!(
            "samuel:3@{} samuel:3@{} --game checkers --games 400 --opening 4 --seed 1 --ties random",
            weighed(term, "0.1"),
            weighed(term, "-0.1")
        )],
        cells: counts,
        is_long: term != "ADV",
    };
    ["ADV", "EXPOS", "GAP", "HOLE", "NODE", "POLE"].map(row).into_iter().collect()
}

/// Signs in the sense of the paper, which counts gaps, holes and poles as they are.
fn sign(term: &str) -> Vec<String> {
    vec![if ["GAP", "HOLE", "POLE"].contains(&term) { "−" } else { "+" }.to_owned()]
}

fn of_samuel() -> Vec<PrintedRow> {
    let mut rows = Vec::new();
    for player in ["samuel:6", "samuel:6@best"] {
        for opponent in ["minimax:6:eval=pieces", "mcts:4000"] {
            rows.extend([2, 4].map(|opening| PrintedRow {
                label: format!("{player} | {opponent} | {opening}"),
                matches: vec![format!("{player} {opponent} --game checkers --games 1000 --opening {opening} --seed 1")],
                cells: counts,
                is_long: true,
            }));
        }
    }
    rows
}

fn tables() -> Vec<Printed> {
    let table = |page, head, rows| Printed { page, head, rows, more: none };
    vec![
        table("docs/network.md", "| from 2 random moves |", of_network(2)),
        table("docs/network.md", "| from 6 random moves |", of_network(6)),
        table("docs/weights.md", "| against | points %, 95 % |", of_oware()),
        table("docs/othello-gp.md", "| function | `random` |", of_functions()),
        Printed { more: sign, ..table("docs/samuel-terms.md", "| Term | won |", of_signs()) },
        table("docs/strength-matrices.md", "| player | opponent |", of_samuel()),
    ]
}

/// Held while a page is written: both tests write rows of the same pages.
static WRITING: Mutex<()> = Mutex::new(());

/// Plays the rows that are long, or those that are not, and compares them with the pages, or writes them.
fn check(is_long: bool) {
    for table in tables() {
        for row in table.rows.iter().filter(|row| row.is_long == is_long) {
            let played = row.matches.iter().flat_map(|arguments| (row.cells)(&play(arguments)));
            let cells: Vec<String> = played.chain((table.more)(&row.label)).collect();
            let computed = format!("| {} | {} |", row.label, cells.join(" | ")).replace("|  |", "| |");
            let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(table.page);
            let page = fs::read_to_string(&path).unwrap();
            // The same row may stand in an earlier table.
            let start = page.find(&format!("\n{}", table.head)).expect("the page has the table");
            let (before, behind) = page.split_at(start);
            let begin = format!("| {} |", row.label);
            let printed = behind.lines().find(|line| line.starts_with(&begin)).expect("the table has the row");
            if std::env::var_os("PRINTED_UPDATE").is_none() {
                assert_eq!(printed, computed, "{}", table.page);
            } else if printed != computed {
                fs::write(&path, before.to_owned() + &behind.replacen(printed, &computed, 1)).unwrap();
            }
        }
    }
}

#[test]
fn matches_of_the_pages_have_these_results() {
    check(false);
}

#[test]
#[ignore = "a quarter of an hour of processor time in a release build"]
fn long_matches_of_the_pages_have_these_results() {
    check(true);
}
