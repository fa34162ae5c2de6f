//! `mancalab review`: its output for a whole game, in every format, and its errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A folder with a game by that name between two players, isolated from the user's files.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A game of these players, saved by `mancalab match`.
    fn played(game: &str, one: &str, other: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let args =
            ["match", one, other, "--game", game, "--games", "1", "--first", "a", "--seed", "3", "--save", "games"];
        assert!(place.run(&args).status.success());
        fs::rename(place.path("games/1-2-00001.game"), place.path("played.game")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        let home: &Path = self.folder.path();
        command.env_clear().env("HOME", home).current_dir(home).args(args).output().unwrap()
    }

    /// Interrupts a command once it handles signals: before that it would be killed without output.
    fn interrupted(&self, args: &[&str]) -> Output {
        let home = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        let command = command.env_clear().env("HOME", home).current_dir(home).args(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let catches = || fs::read_dir(format!("/proc/{}/task", child.id())).is_ok_and(|tasks| tasks.count() > 1);
        let deadline = Instant::now() + Duration::from_secs(60);
        while !catches() {
            assert!(Instant::now() < deadline, "it does not start");
            thread::sleep(Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Returns the standard output of a review that must succeed.
    #[track_caller]
    fn review(&self, args: &[&str]) -> String {
        let run = self.run(&[&["review", "played.game"], args].concat());
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    }

    /// Returns the error of a review that must fail.
    #[track_caller]
    fn complaint(&self, args: &[&str]) -> String {
        let run = self.run(&[&["review"], args].concat());
        assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
        String::from_utf8(run.stderr).unwrap()
    }
}

/// Returns the rows of a CSV file without quoted fields, by column name.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let row = |fields: Vec<String>| {
        assert_eq!(fields.len(), heads.len(), "{fields:?}");
        heads.iter().cloned().zip(fields).collect()
    };
    lines.map(row).collect()
}

#[test]
fn a_long_game_is_reviewed_and_every_form_shows_the_same() {
    let place = Place::played("kalah:6x4", "minimax:3", "minimax:2");
    let json: Value = serde_json::from_str(&place.review(&["--depth", "5", "--solve", "0", "--json"])).unwrap();
    let moves = json["moves"].as_array().unwrap();
    assert!(moves.len() >= 34, "{} moves", moves.len());
    assert_eq!((json["finished"].clone(), json["depth"].clone()), (true.into(), 5.into()));
    let csv = rows(&place.review(&["--depth", "5", "--solve", "0", "--format", "csv"]));
    assert_eq!(csv.len(), moves.len());
    for (message, row) in moves.iter().zip(&csv) {
        for key in [
            "ply",
            "turn",
            "side",
            "move",
            "value",
            "chance",
            "move_value",
            "best",
            "best_value",
            "best_chance",
            "lost",
            "lost_chance",
            "depth",
        ] {
            let expected = message[key].as_str().map_or_else(|| message[key].to_string(), str::to_owned);
            assert_eq!(row[key], expected.trim_end_matches(".0"), "{key}");
        }
        let number = |key: &str| message[key].as_f64().unwrap();
        let lost = number("lost_chance");
        let mark = message["mark"].as_str();
        assert_eq!(number("lost"), number("best_value") - number("move_value"));
        // One value, and the loss is the difference of the two chances shown.
        assert_eq!(number("value").abs(), number("move_value").abs());
        assert!((lost - (number("best_chance") - number("chance")).abs()).abs() < 0.02, "{message}");
        assert_eq!(mark, [None, Some("?"), Some("??")][usize::from(lost >= 10.0) + usize::from(lost >= 15.0)]);
        assert_eq!(message["line"][0], message["best"]);
    }
    let marked = |mark: &str| moves.iter().filter(|message| message["mark"] == mark).count() as u64;
    let counted = |key: &str| json["sides"].as_array().unwrap().iter().map(|side| side[key].as_u64().unwrap()).sum();
    assert_eq!((marked("?"), marked("??")), (counted("mistakes"), counted("blunders")));
    assert!(marked("?") + marked("??") > 0, "weak players make mistakes");
    // The value of the position after the last move is the result.
    let counts: Vec<f64> = json["result"].as_str().unwrap().split('-').map(|count| count.parse().unwrap()).collect();
    assert_eq!(moves[moves.len() - 1]["value"], counts[0] - counts[1]);

    let table = place.review(&["--depth", "5", "--solve", "0"]);
    assert_eq!(table.lines().skip(3).take_while(|line| !line.is_empty()).count(), moves.len(), "{table}");
    assert!(table.starts_with("kalah:6x4:standard  minimax:3 - minimax:2  "), "{table}");
    let markdown = place.review(&["--depth", "5", "--solve", "0", "--format", "md"]);
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), moves.len() + 1);
}

#[test]
fn times_of_moves_stand_in_every_form_where_the_file_has_them() {
    let place = Place::played("kalah:6x4", "minimax:3", "minimax:2");
    let args = ["--depth", "1", "--solve", "0"];
    assert!(!place.review(&args).contains("time "));
    let untimed: Value = serde_json::from_str(&place.review(&[&args[..], &["--json"]].concat())).unwrap();
    assert!(untimed["moves"].as_array().unwrap().iter().all(|message| message["seconds"].is_null()));
    let text = "[Game \"kalah:6x4\"]\n[TimeControl \"60+0\"]\n\nC {[%clk 0:00:58.5]} F {[%emt 2.25]} *\n";
    fs::write(place.path("played.game"), text).unwrap();
    let table = place.review(&args);
    assert!(table.contains("  time") && table.contains("1.5 s") && table.contains("2.2 s"), "{table}");
    let timed: Value = serde_json::from_str(&place.review(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!((&timed["moves"][0]["seconds"], &timed["moves"][1]["seconds"]), (&1.5.into(), &2.25.into()));
    let csv = rows(&place.review(&[&args[..], &["--format", "csv"]].concat()));
    assert_eq!((csv[0]["seconds"].as_str(), csv[1]["seconds"].as_str()), ("1.5", "2.25"));
}

#[test]
fn the_same_game_gives_the_same_bytes_whatever_the_threads() {
    for (game, depth) in [("kalah:4x3", "7"), ("othello", "3")] {
        let place = Place::played(game, "random", "max");
        let review =
            |threads: &str| place.review(&["--depth", depth, "--solve", "11", "--format", "csv", "--threads", threads]);
        assert_eq!(review("1"), review("3"), "{game}");
    }
}

#[test]
fn what_is_known_is_printed_when_it_is_stopped() {
    let place = Place::played("kalah:6x4", "random", "random");
    let args = ["review", "played.game", "--depth", "60", "--solve", "0", "--threads", "1", "--format", "json"];
    let run = place.interrupted(&args);
    let message = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(130), "{message}");
    assert!(message.contains("stopped after ") && message.contains(" positions"), "{message}");
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(json["finished"], false);
    assert!(
        moves.iter().any(|message| message["best"].is_null())
            && moves.iter().all(|message| message["move"].is_string())
    );
}

#[test]
fn bounds_are_printed_although_no_checkpoint_can_be_written() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let state = place.path(".local/state/mancalab");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("solver"), "a file where the folder of checkpoints would be").unwrap();
    let run = place.interrupted(&["solve", "position", "kalah:6x6", "--threads", "1", "--json"]);
    let message = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(130), "{message}");
    assert!(message.contains("warning: cannot write") && message.contains("solver/"), "{message}");
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&json["solved"], &json["margins"]), (&false.into(), &serde_json::json!([-72, 72])));
}

#[test]
fn flags_win_over_the_config() {
    let place = Place::played("kalah:3x2", "random", "random");
    fs::write(place.path("mine.toml"), "[review]\ndepth = { kalah = 4 }\nmistake = 1\nblunder = 50\n").unwrap();
    let of = |args: &[&str]| -> [u64; 3] {
        let json: Value = serde_json::from_str(&place.review(&[args, &["--json"]].concat())).unwrap();
        ["depth", "mistake", "blunder"].map(|key| json[key].as_u64().unwrap())
    };
    assert_eq!(of(&["--config", "mine.toml"]), [4, 1, 50]);
    assert_eq!(of(&["--config", "mine.toml", "--depth", "2", "--blunder", "3"]), [2, 1, 3]);
    assert_eq!(
        of(&["--depth", "2", "--mistake", "20"])[1..],
        [20, 20],
        "the blunder limit is at least the mistake limit"
    );
}

#[test]
fn a_bare_list_of_moves_is_reviewed() {
    let place = Place::played("othello", "random", "random");
    fs::write(place.path("moves.txt"), "f5d6c3d3c4\n").unwrap();
    let run = place.run(&["review", "moves.txt", "--game", "othello", "--depth", "2", "--format", "csv"]);
    let names: Vec<String> =
        rows(&String::from_utf8(run.stdout).unwrap()).into_iter().map(|row| row["move"].clone()).collect();
    assert_eq!(names, ["f5", "d6", "c3", "d3", "c4"]);
}

#[test]
fn a_game_of_a_collection_is_reviewed_by_its_number() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let args = ["match", "max", "random", "--game", "checkers", "--games", "2", "--seed", "3", "--save", "all.pdn"];
    assert!(place.run(&args).status.success());
    let review = |file: &str| place.run(&["review", file, "--depth", "2", "--format", "csv"]);
    let [one, two] = ["all.pdn#1", "all.pdn#2"].map(|file| String::from_utf8(review(file).stdout).unwrap());
    assert!(one != two && rows(&one).len() > 10);
    let refused = place.complaint(&["all.pdn", "--format", "csv"]);
    assert!(refused.contains("all.pdn has 2 games; choose one from all.pdn#1 to all.pdn#2"), "{refused}");
    let [all, one] = ["all.pdn", "all.pdn#1"].map(|file| place.run(&["review", file, "--depth", "1"]).stdout);
    assert!(all.starts_with(&[&one[..], b"\n"].concat()), "all games, one after another");
    assert!(place.complaint(&["all.pdn#3"]).contains("game 3 does not exist (games 1 to 2)"));
    fs::write(place.path("bad.pdn"), "[Event \"x\"]\n\n1. 11-15 22-18 2. 9-13\n").unwrap();
    let text = place.complaint(&["bad.pdn"]);
    assert!(text.starts_with("error: bad.pdn, game 1, Black's move 2, line 3, column 19: found '9-13'"), "{text}");
}

/// A misspelt header changes the game in silence, unless it is reported.
#[test]
fn unknown_headers_are_reported() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    fs::write(place.path("odd.game"), "[Game \"othello\"]\n[Postion \"x\"]\n\n1. F5 2. d6\n").unwrap();
    let run = place.run(&["review", "odd.game", "--depth", "2"]);
    let errors = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success() && errors.contains("odd.game: ignored the unknown header [Postion]"), "{errors}");
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let place = Place::played("kalah:3x2", "random", "random");
    let text = place.complaint(&["nowhere.game"]);
    assert!(text.contains("cannot read nowhere.game: no such file"), "{text}");
    fs::write(place.path("bad.game"), "[Game \"kalah:3x2\"]\n\n1. A Q\n").unwrap();
    let text = place.complaint(&["bad.game"]);
    assert!(text.starts_with("error: bad.game: line 3, column 6: found 'Q'"), "{text}");
    fs::write(place.path("empty.game"), "[Game \"kalah:3x2\"]\n\n*\n").unwrap();
    let run = place.run(&["review", "empty.game", "--depth", "3"]);
    let text = String::from_utf8(run.stdout).unwrap();
    assert!(
        run.status.success() && text.contains("<3,0,0,2,2,2,2,2,2> S\nSouth: ") && text.contains("best play "),
        "{text}"
    );
    let text = place.complaint(&["played.game", "--mistake", "5", "--blunder", "4"]);
    assert!(text.contains("--blunder must be at least 5, the loss of a mistake (got 4)"), "{text}");
    assert!(place.complaint(&["played.game", "--depth", "61"]).contains("--depth must be 1 to 60 (got 61)"));
}

/// A lost ending of checkers: neither side blunders at every move only because the search finds the end or not.
#[test]
fn wins_and_losses_are_words_and_are_not_summed() {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let moves = "1. 18-15 1-5 2. 14-18 5-1 3. 18-14 1-6";
    fs::write(place.path("lost.pdn"), format!("[FEN \"W:WK14,K18,K11:BK1\"]\n{moves} *\n")).unwrap();
    let review = |format: &str| {
        let run = place.run(&["review", "lost.pdn", "--depth", "9", "--format", format]);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    let table = review("table");
    assert!(table.contains("wins") && !table.contains("+50") && !table.contains("-50"), "{table}");
    let json: Value = serde_json::from_str(&review("json")).unwrap();
    for message in json["moves"].as_array().unwrap() {
        assert!(
            ["move_value", "best_value", "value"]
                .iter()
                .all(|key| message[key].as_f64().is_none_or(|value| value.abs() < 50.0)),
            "{message}"
        );
        let changes = message["best_outcome"] == "win"
            && message["move_outcome"] != "win"
            && message["move_value"].as_f64().is_none_or(|value| value <= 0.0);
        assert!(message["mark"].is_null() || changes || message["move_outcome"] == "loss", "{message}");
    }
    let accuracy = |side: &Value| side["accuracy"].as_f64().is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy));
    assert!(json["sides"].as_array().unwrap().iter().all(accuracy), "{json}");
}
