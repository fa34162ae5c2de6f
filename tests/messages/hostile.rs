//! Names and files with terminal escape sequences.

use std::fs;
use std::process::Output;

use mancalab::sanitize;

use super::{home, mancalab, text};

/// Escape sequences and directional marks that can come from an argument, a name or a file.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}x\u{2066}\u{200f}\u{7f}\u{2028}";

fn assert_plain(output: &Output, what: &str) {
    for printed in [&output.stdout, &output.stderr].map(|bytes| text(bytes)) {
        assert!(!printed.contains(|c| !matches!(c, '\n' | '\t') && sanitize::is_hidden(c)), "{what}: {printed:?}");
    }
}

#[test]
fn nothing_hidden_in_arguments_names_and_files_reaches_the_terminal() {
    let home = home();
    let write = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    let game = format!("{HOSTILE}.game");
    write(&game, &format!("[Game \"kalah\"]\n[South \"{HOSTILE}\"]\n1. {HOSTILE}"));
    write("header.game", &format!("[{HOSTILE} \"x\"]\n"));
    write("result.game", &format!("[Game \"{HOSTILE}\"]\n[Result \"{HOSTILE}\"]\n"));
    let toml = format!("{HOSTILE}.toml");
    write(&toml, &format!("[ui]\ntheme = '{HOSTILE}'\n\"{HOSTILE}\" = '{HOSTILE}'\n"));
    write("keys.toml", "[keys]\n\"\\u001b[31m\\u202E\" = 'x'\nboard.undo = \"\\u001b[31m\"\n");
    write("fine.toml", "");
    fs::rename(home.path().join("fine.toml"), home.path().join(format!("fine{HOSTILE}.toml"))).unwrap();
    fs::create_dir(home.path().join("run")).unwrap();
    for (name, value) in [("kind", HOSTILE), ("preset", HOSTILE)] {
        let other = if name == "kind" { "preset" } else { "kind" };
        let value = value.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect::<String>();
        write(
            "run/run.toml",
            &format!("format = 1\n{name} = \"{value}\"\n{other} = \"gp\"\nseed = 1\ngenerations = 1\n"),
        );
        assert_plain(&mancalab(home.path(), &["runs", "watch", "run"]).output().unwrap(), "watch");
        assert_plain(&mancalab(home.path(), &["evolve", "--resume", "run"]).output().unwrap(), "resume");
    }
    let fine = format!("fine{HOSTILE}.toml");
    let program = format!("program:{HOSTILE}");
    let weights = format!("heuristic:4@{toml}");
    for args in [
        &["--game", HOSTILE][..],
        &["--south", HOSTILE],
        &["--north", &program],
        &["--north", &weights],
        &["--color", HOSTILE],
        &["--theme", HOSTILE],
        &["--theme", &toml],
        &["--config", &toml],
        &["config", "check", &toml],
        &["config", "check", &fine],
        &["config", "check", "keys.toml"],
        &[HOSTILE],
        &[&game],
        &["header.game"],
        &["result.game"],
        &[HOSTILE, HOSTILE],
        &["dev", "perft", "--position", HOSTILE],
        &["match", HOSTILE, "max"],
        &["match", HOSTILE],
        &["match", "--players", HOSTILE],
        &["match", "--players", "max,random", "--set", HOSTILE],
        &["evolve", HOSTILE],
        &["evolve", "--resume", HOSTILE],
        &["tune", "--resume", HOSTILE],
        &["reproduce", HOSTILE],
        &["reproduce", "mancala-gp/figure5", "--set", HOSTILE],
        &["runs", "watch", HOSTILE],
    ] {
        let output = mancalab(home.path(), args).output().unwrap();
        assert_plain(&output, &format!("{args:?}"));
        assert!(output.status.code().is_some_and(|code| code == 2 || args.contains(&fine.as_str())), "{args:?}");
    }
}

/// JSON output is complete and harmless on a terminal.
#[test]
fn players_with_hostile_names_play_and_are_reported_harmlessly() {
    let home = home();
    let file = format!("{HOSTILE} \"quoted\".txt");
    fs::write(home.path().join(&file), "7").unwrap();
    let player = format!("program:{file}");
    let run = |args: &[&str]| {
        let output = mancalab(home.path(), args).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_plain(&output, &format!("{args:?}"));
        text(&output.stdout)
    };
    let games = ["--games", "2", "--save", "games"];
    assert!(run(&[&["match", &player, "max"], &games[..]].concat()).contains("program:�]0;x"));
    let json: serde_json::Value =
        serde_json::from_str(&run(&[&["match", &player, "max", "--json"], &games[..]].concat())).unwrap();
    assert_eq!(json["players"][0], player.as_str());
    let saved = fs::read_to_string(home.path().join("games/1-2-00001.game")).unwrap();
    assert_eq!(mancalab::game::notation::read(&saved).unwrap().players[0], player);
}
