//! The JSON output of every command is valid by `docs/schema.json`, line by line where it is lines, and every alternative of
//! every definition occurs. A public validator agrees, where Python has one.

#![allow(clippy::print_stderr)]

mod validator;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use validator::Schema;

const SCHEMA: &str = include_str!("../../docs/schema.json");

/// Commands in order; later ones use what earlier ones leave.
const COMMANDS: &[&str] = &[
    "evolve mancala-gp-1 --seed 1 --population 8 --generations 2 --set opponents=max --json",
    "evolve mancala-gp-1 --seed 2 --population 8 --generations 2 --set opponents=max --json",
    "evolve mancala-gp-1 --seed 1 --population 12 --generations 1 --set opponents=max --json",
    "tune checkers-ga --seed 1 --population 4 --set depth=1 --set limit=10 --generations 1 --json",
    "train kalah-thesis-a3c --seed 1 --generations 2 --set workers=1 --set rounds=1 --set panel_games=1 --set panel_every=1 --json",
    "train othello-patterns --seed 1 --generations 1 --set games=20 --set panel=[] --set compared=2 --json",
    "match --players random,max --games 2 --seed 1 --json --rounds --out games",
    "match --players random,max --games 2 --seed 1 --format json",
    "match random max --games 4 --seed 1 --json",
    "match random max --game checkers:limit=20 --games 2 --sprt 0,50 --seed 1 --json",
    "review one.game --depth 3 --solve 0 --json",
    "review one.game --depth 3 --solve 0 --format json",
    "puzzles --due --json",
    "puzzles --list --json",
    "puzzles --all --answers --format json",
    "openings --game kalah --json",
    "openings --game kalah --format json",
    "stats --json",
    "stats --format json",
    "analyse --depth 3 --json",
    "analyse --game checkers --depth 2 --format json",
    "analyse --game othello --depth 2 --json",
    "solve position 3x2 --json",
    "solve position 2x2 --moves --json",
    "solve fair 4x3 --from 60 --json",
    "dev chances --game kalah:3x2 --games 4 --player random --depth 2 --json",
    "solve exploit max:ties=first --game kalah:3x2 --json",
    "tables build 3x2 --seeds 4 --json",
    "tables build checkers --pieces 2 --json",
    "tables list --json",
    "tables verify --sample 3 --json",
    "dev perft --game kalah:3x2 --depth 2 --json",
    "plan new evolve mancala-gp-1 --generations 1 --seeds 1 --set population=8 --out bred --json",
    "plan new islands mancala-gp-1 --islands 2 --generations 1 --seeds 1 --set population=8 --out islands --json",
    "plan new match --players random,max --games 2 --seeds 1 --out matches --json",
    "plan new train kalah-thesis-a3c --generations 1 --seeds 1 --set workers=1 --set rounds=1 --set panel=[] --out trained --json",
    "plan new tune checkers-ga --generations 1 --seeds 1 --population 4 --set depth=1 --set limit=10 --out tuned --json",
    "reproduce --list --json",
    "reproduce mancala-gp/figure5 --json",
    "reproduce kalah-thesis/table1 --games 2 --json",
    "plan merge day --json",
    "plan sweep evolve mancala-gp-1 --set opponents=max --set population=6..12 --set elitism=1|2 --generations 2 --trials 4 --seeds 1 --keep 2 --out searched --json",
    "plan sweep tune checkers-ga --set depth=1 --set limit=10 --set population=4|6 --generations 1 --trials 2 --seeds 1 --out searched-weights --json",
    "plan sweep train kalah-thesis-a3c --set workers=1 --set rounds=1 --set panel=[] --set rate=0.0001..0.01 --generations 1 --trials 2 --seeds 1 --out searched-rates --json",
    "runs resume mancala-gp-1-seed1 --json",
    "runs --json",
    "runs --format json",
    "runs list --json",
    "runs list --merged --format json",
    "runs show mancala-gp-1-seed1 --json",
    "runs show day --json",
    "runs compare mancala-gp-1-seed1 mancala-gp-1-seed2 --format json",
    "runs summary mancala-gp-1-seed1 mancala-gp-1-seed2 mancala-gp-1-seed1-2 --target 1 --format json",
    "runs verify mancala-gp-1-seed1 edited --json",
    "runs front mancala-gp-1-seed1 --format json",
    "runs hall mancala-gp-1-seed1 --format json",
    "runs islands apart --format json",
    "runs islands apart --curves --format json",
    "runs operators mancala-gp-1-seed1 --format json",
    "runs program mancala-gp-1-seed1 --analyse --json",
    "runs program mancala-gp-1-seed1 --as python --json",
    "runs tag mancala-gp-1-seed1 one two --json",
    "runs note mancala-gp-1-seed1 --json",
    "runs export mancala-gp-1-seed1 games --format json",
    "runs watch --all --json --once",
];

/// Returns the program with that folder for all its files.
fn run(home: &Path, arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env_clear().env("HOME", home).env("XDG_STATE_HOME", home.join("state")).current_dir(home);
    let output = command.args(arguments.split(' ')).output().unwrap();
    // `runs verify` ends with 1 for a row that differs.
    assert!(output.status.code() < Some(2), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Prepares what the commands read: a game with a mistake, a result, a plan, and a run whose rows were edited.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("state/mancalab");
    fs::create_dir_all(state.join("games")).unwrap();
    let game = "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:2\"]\n\n1. A 2. c f 3. B 4. d\n";
    fs::write(home.path().join("one.game"), game).unwrap();
    fs::write(state.join("games/one.game"), game).unwrap();
    run(home.path(), "review state/mancalab/games/one.game --depth 8 --solve 0 --save");
    let row = "00000000000000aa,2026-11-25 18:00:00Z,kalah:6x4:standard,South,won,30,18,40,81.5,2,1,minimax:2\n";
    fs::write(state.join("results.csv"), row).unwrap();
    let card = "[[card]]\ngame = \"kalah:6x4:standard\"\nposition = \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"\n\
                due = \"2026-11-25\"\ninterval = 6\nease = 2.5\nrepetitions = 2\ngrade = 4\n";
    fs::write(state.join("cards.toml"), card).unwrap();
    let plan = "plan new evolve mancala-gp-1 --population 8 --generations 1 --set opponents=max --seeds 1-2";
    run(home.path(), &format!("{plan} --out state/mancalab/runs/day"));
    run(home.path(), "plan submit day --engine local");
    run(home.path(), "evolve mancala-gp-1 --seed 9 --population 8 --generations 1 --set opponents=max --out edited");
    let apart = "evolve mancala-gp-1 --population 9 --generations 1 --set opponents=max --set islands=3 --out apart";
    run(home.path(), apart);
    let rows = home.path().join("edited/generations.csv");
    let edited = fs::read_to_string(&rows).unwrap().replacen("\n1,", "\n1,9", 1);
    fs::write(&rows, edited).unwrap();
    home
}

/// Returns the objects in an output, those in lists too. `--json` prints one value per line.
fn objects(arguments: &str, text: &str) -> Vec<Value> {
    let values: Vec<Value> = match arguments.contains("--json") {
        true => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        false => serde_json::Deserializer::from_str(text).into_iter().map(Result::unwrap).collect(),
    };
    let flat = |value| if let Value::Array(items) = value { items } else { vec![value] };
    values.into_iter().flat_map(flat).collect()
}

/// Commands whose output other tests pass to [`check`], with its definition.
const ELSEWHERE: &[(&str, &str)] = &[("serve kgp", "kgp-serve")];

/// Checks that an object fits this definition.
pub fn check(definition: &str, object: &Value) {
    Schema::read(SCHEMA).check(definition, object).unwrap_or_else(|error| panic!("{definition}{error}\n{object:#}"));
}

#[test]
fn the_output_of_every_command_is_valid() {
    let schema = Schema::read(SCHEMA);
    let home = home();
    let mut commands: BTreeSet<String> = ELSEWHERE.iter().map(|(command, _)| (*command).to_owned()).collect();
    let mut alternatives: BTreeSet<_> = ELSEWHERE.iter().map(|(_, definition)| ((*definition).to_owned(), 0)).collect();
    let mut all = String::new();
    for arguments in COMMANDS {
        let text = run(home.path(), arguments);
        let found = objects(arguments, &text);
        assert!(!found.is_empty(), "{arguments} prints nothing");
        for object in found {
            let name = object["schema"].as_str().unwrap_or_else(|| panic!("{arguments}: no schema in {object}"));
            let (definition, version) = name.split_once('/').unwrap();
            assert_eq!(version, "1");
            let fitting = schema.check(definition, &object);
            let fitting = fitting.unwrap_or_else(|error| panic!("{arguments}: {definition}{error}\n{object:#}"));
            alternatives.insert((definition.to_owned(), fitting));
            all += &format!("{object}\n");
        }
        let words: Vec<&str> = arguments.split(' ').collect();
        commands.extend((1..=words.len().min(3)).map(|count| words[..count].join(" ")));
    }
    for (name, definition) in schema.definitions() {
        for command in definition["x-commands"].as_array().unwrap() {
            assert!(commands.contains(command.as_str().unwrap()), "{command} has no case");
        }
        for alternative in 0..definition["oneOf"].as_array().map_or(1, Vec::len) {
            assert!(
                alternatives.contains(&(name.clone(), alternative)),
                "alternative {alternative} of {name} never occurs"
            );
        }
    }
    check_by_others(&all);
}

/// Checks these objects, one a line, by Python's validator, of which some line fits nothing without its field `schema`.
fn check_by_others(objects: &str) {
    let (status, output) = by_python(objects);
    if status == Some(77) || status.is_none() {
        return eprintln!("skipped: Python has no jsonschema: pip install jsonschema");
    }
    assert_eq!(status, Some(0), "{output}");
    let (status, output) = by_python(&objects.replacen("\"schema\"", "\"schemes\"", 1));
    assert_eq!(status, Some(1), "{output}");
}

/// Returns the exit status and output of `validate.py`; no status where there is no Python.
fn by_python(objects: &str) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut python = Command::new("python3");
    python.arg(folder.join("tests/json/validate.py")).arg(folder.join("docs/schema.json"));
    let Ok(mut child) = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        return (None, String::new());
    };
    // Without the package it ends at once and reads nothing.
    let _ = child.stdin.take().unwrap().write_all(objects.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}
