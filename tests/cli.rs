//! The command line of the real binary, without a terminal: its output and its errors.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt;

/// The program, isolated from the user's files. Dropping it deletes its folder.
struct Bare {
    command: Command,
    home: tempfile::TempDir,
}

fn mancalab(args: &[&str]) -> Bare {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env_clear().env("HOME", home.path()).env("TERM", "xterm-256color").current_dir(home.path()).args(args);
    Bare { command, home }
}

impl Bare {
    /// Adds a file to the working directory.
    fn file(self, name: &str, text: &str) -> Bare {
        fs::write(self.home.path().join(name), text).unwrap();
        self
    }

    /// Returns the standard output of a run that must succeed without standard error.
    #[track_caller]
    fn prints(mut self) -> String {
        let run = self.command.assert().code(0).stderr("");
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    }

    /// Returns the error of a run that must fail without standard output.
    #[track_caller]
    fn complains(mut self) -> String {
        let run = self.command.assert().code(2).stdout("");
        let text = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(!text.contains('\x1b') && !text.contains("panicked"), "{text:?}");
        assert!(!self.home.path().join(".local").exists(), "something was written: {text}");
        text
    }
}

#[track_caller]
pub(crate) fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
}

#[test]
fn version_and_help() {
    let line = format!("mancalab {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(mancalab(&["-V"]).prints(), line);
    let version = mancalab(&["--version"]).prints();
    let words: Vec<&str> = version.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert!(version.starts_with(&line) && words == ["commit", "sources", "build"], "{version}");
    let sources = version.lines().find_map(|line| line.strip_prefix("sources ")).unwrap();
    assert!(sources.len() == 16 && sources.bytes().all(|c| c.is_ascii_hexdigit()), "{version}");
    let help = mancalab(&["--help"]).prints();
    assert_has(
        &help,
        &["Play:\n", "Analyse:\n", "Research:\n", "Connect:\n", "Set up:\n", "  review ", "  match ", "help"],
    );
    assert!(help.lines().count() <= 40 && help == mancalab(&["-h"]).prints() && help == mancalab(&["help"]).prints());
    let reference = include_str!("../docs/commands.md").lines().filter_map(|line| line.strip_prefix("### mancalab "));
    for command in reference.chain(["", "runs", "plan", "solve", "tables"]) {
        let words: Vec<&str> = command.split_whitespace().chain(["-h"]).collect();
        // As on a terminal of the least width.
        let mut help = mancalab(&words);
        help.command.env("COLUMNS", "80");
        let help = help.prints();
        assert!(help.lines().count() <= 40, "{command}: {} lines\n{help}", help.lines().count());
    }
    // These are for developers.
    assert!(!help.contains("perft") && !help.contains("generate"), "{help}");
    for (topic, parts) in [
        ("players", &["Players:\n", "  random ", "  minimax:", "beginner, easy, medium, hard, master"][..]),
        ("games", &["Games:\n", "  kalah[:", "  checkers["]),
        ("keys", &["[keys]\n", "board.undo = "]),
        ("mutation", &["Settings of mancalab evolve of Kalah", "Settings of mancalab evolve of Othello"]),
        ("settings", &["Settings of mancalab match", "Settings of mancalab train"]),
    ] {
        assert_has(&mancalab(&["help", topic]).prints(), parts);
    }
    assert_has(
        &mancalab(&["help", "plan", "new", "evolve"]).prints(),
        &["Usage: mancalab plan new evolve", "Presets:"],
    );
    assert_has(&mancalab(&["help", "plya"]).complains(), &["did you mean 'mancalab play'?", "topics: players,"]);
    for command in ["play", "dev", "config", "generate"] {
        assert_has(&mancalab(&[command, "--help"]).prints(), &["Usage: mancalab"]);
    }
}

#[test]
fn perft_counts() {
    let text = mancalab(&["dev", "perft", "--depth", "6"]).prints();
    let leaves = |text: &str| -> Vec<u64> {
        let lines = text.lines().skip(2);
        lines.map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect()
    };
    assert_eq!(leaves(&text), [6, 35, 185, 942, 4690, 23233]);
    let empty = mancalab(&["dev", "perft", "--game", "kalah:6x4:empty", "--depth", "6"]).prints();
    assert_has(&empty, &["kalah:6x4:empty"]);
    assert_eq!(leaves(&empty).len(), 6);
    // From another position, one move later: a part of the total.
    let first = text.lines().next().unwrap().split_once("  ").unwrap().1;
    let same = mancalab(&["dev", "perft", "--depth", "6", "--position", first]).prints();
    assert_eq!(leaves(&same), leaves(&text));
}

#[test]
fn solve_finds_the_margin_and_best_play() {
    let text = mancalab(&["solve", "position", "kalah:3x2:standard"]).prints();
    assert_has(&text, &["kalah:3x2:standard  <3,0,0,2,2,2,2,2,2> S", "margin    +4", "line      "]);
    let json: serde_json::Value =
        serde_json::from_str(&mancalab(&["solve", "position", "3x2", "--json"]).prints()).unwrap();
    assert_eq!((&json["margins"], &json["solved"]), (&serde_json::json!([4, 4]), &true.into()));
    let end = mancalab(&["solve", "position", "3x2", "--position", "<3,0,0,0,0,1,2,0,0> N"]).prints();
    assert_has(&end, &["margin    "]);
    let all = mancalab(&["solve", "position", "2x2", "--all"]).prints();
    let margins: Vec<&str> = all.lines().map(|row| row.rsplitn(3, ',').last().unwrap()).collect();
    assert_eq!(margins[1..5], ["1,1,standard,0", "1,1,empty,0", "1,2,standard,-2", "1,2,empty,-2"]);
    assert_eq!(margins.len(), 9);
}

/// Returns the standard output of a run that must succeed, whatever it reports.
#[track_caller]
fn output(args: &[&str]) -> String {
    let run = mancalab(args).command.assert().code(0);
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

#[test]
fn fair_openings_are_listed_and_played() {
    let fair = output(&["solve", "fair", "kalah:4x3", "--threads", "2"]);
    assert_eq!(fair.lines().count(), 7);
    assert_eq!(fair, output(&["solve", "fair", "4x3", "--threads", "1"]));
    // The openings that come with the program are those.
    let first = fair.lines().next().unwrap().split_once(' ').unwrap().1;
    let perft = output(&["dev", "perft", "--game", "kalah:4x3:standard:fair=1", "--depth", "1"]);
    assert_has(&perft, &[first]);
    let json: serde_json::Value =
        serde_json::from_str(&output(&["solve", "fair", "4x3", "--from", "50", "--json"])).unwrap();
    assert_eq!((&json["starts"], &json["tested"]), (&56.into(), &7.into()));
    let played = output(&[
        "match",
        "perfect",
        "perfect",
        "--game",
        "kalah:4x3",
        "--start",
        "fair:5",
        "--games",
        "2",
        "--opening",
        "0",
    ]);
    assert_has(&played, &["2 drawn"]);
}

#[test]
fn the_greatest_scores_are_found_and_losses_counted() {
    let text = output(&["solve", "exploit", "max:ties=first", "--game", "kalah:6x4:empty"]);
    assert_has(&text, &["as South         43", "as North         40", "sum              83"]);
    let args = ["match", "max", "perfect", "--game", "kalah:3x3", "--losses", "--games", "4", "--seed", "1"];
    assert_has(&output(&args), &["perfect gave away 0.0 a game under perfect play", "max gave away "]);
}

#[test]
fn tables_of_checkers_are_built_and_review_and_players_use_them() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        command.env_clear().env("HOME", home).args(args).output().unwrap()
    };
    let text = |args: &[&str]| String::from_utf8(run(args).stdout).unwrap();
    let built = run(&["tables", "build", "checkers", "--pieces", "3", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&built.stdout).unwrap();
    assert_eq!((&json["pieces"], &json["boards"]), (&3.into(), &199_520.into()));
    assert_has(&text(&["tables", "list"]), &["checkers ", "up to 3 pieces, 200k positions"]);
    assert_has(
        &text(&["tables", "verify", "--sample", "50"]),
        &["checkers: all checksums and 50 positions are right; ", "the longest win takes 61 plies"],
    );
    // A win that no search of this depth sees.
    let game = home.join("a.game");
    fs::write(&game, "[Game \"checkers\"]\n[Start \"B:WK32:BK1,K5\"]\n\n1. 1-6\n").unwrap();
    let review = || text(&["review", &game.display().to_string(), "--depth", "3", "--json"]);
    let with = review();
    assert!(with.contains("\"solved\":true") && with.contains("\"win\""), "{with}");
    let path = home.join(".local/share/mancalab/tables/checkers.endgames");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let refused = run(&["review", &game.display().to_string(), "--depth", "3", "--json"]);
    assert_has(&String::from_utf8(refused.stderr).unwrap(), &["warning: cannot use", "checkers.endgames"]);
    assert!(!String::from_utf8(refused.stdout).unwrap().contains("\"solved\":true"));
    assert_eq!(run(&["tables", "remove", "checkers"]).status.code(), Some(0));
}

#[test]
fn mistakes_name_what_would_be_accepted() {
    for (args, parts) in [
        (&["--game", "chess"][..], &["chess", "--game", "kalah"][..]),
        (&["--game", "kalah:6"], &["kalah:6"]),
        (&["--game", "kalah:99x4"], &["99"]),
        (&["--south", "bob"], &["bob", "--south", "human", "minimax:"]),
        (&["--north", "minimax:0"], &["--north", "must be 1 to 60"]),
        (&["--seed", "x"], &["(got x)", "--seed", "whole number from 0"]),
        (&["--seed", "99999999999999999999"], &["whole number from 0"]),
        (&["--color", "pink"], &["pink", "auto", "never", "256"]),
        (&["--glyphs", "runes"], &["runes", "unicode, blocks or ascii"]),
        (&["--theme", "nope"], &["nope", "dark", "mono"]),
        (&["--nope"], &["--nope", "mancalab -h"]),
        (&["dev", "perft", "--depth", "0"], &["from 1 to 30"]),
        (&["dev", "perft", "--depth", "x"], &["from 1 to 30"]),
        (&["dev", "perft", "--position", "xx"], &["--position", "column 1", "'<'"]),
        (&["solve", "position", "6x12"], &["at most 126 seeds"]),
        (&["solve", "position", "6x4", "--position", "xx"], &["--position", "column 1", "'<'"]),
        (
            &["match", "max", "random", "--start", "fair:1", "--game", "othello"],
            &["no fair openings of othello", "such as kalah:6x4:empty"],
        ),
        (&["match", "max", "random", "--start", "1"], &["fair: and a whole number"]),
        (&["match", "max", "random", "--game", "othello", "--losses"], &["losses", "no solver"]),
        (&["solve", "exploit", "random"], &["always play the same moves"]),
        (&["solve", "exploit", "max:ties=first", "--game", "othello"], &["only games of Kalah"]),
        (&["tables", "build", "--seeds", "99"], &["1 to 27 seeds (got 99)"]),
        (&["tables", "build", "6x4:end=mover"], &["either side has no seeds"]),
        (&["tables", "build", "awari", "--seeds", "17"], &["a table for awari must have 1 to 16 seeds (got 17)"]),
        (&["tables", "build", "ohvalhu"], &["kalah, oware, awari and checkers"]),
        (&["tables", "build", "checkers", "--pieces", "7"], &["a table for checkers must have 2 to 6 pieces (got 7)"]),
        (&["tables", "build", "checkers", "--seeds", "3"], &["tables of checkers take --pieces (got --seeds)"]),
        (&["tables", "build", "awari", "--pieces", "3"], &["tables of awari-standard take --seeds (got --pieces)"]),
        (&["tables", "remove", "x"], &["no table is named 'x'"]),
        (&["config"], &["show", "check"]),
        (&["generate", "completions", "csh"], &["csh", "bash", "fish", "zsh"]),
        (&["--config", "gone.toml"], &["gone.toml"]),
        (&["--database", "gone.wtb"], &["cannot open gone.wtb", "no such file"]),
        (&["--database", "."], &["--database .: not a file", ".wtb"]),
        (&["--graphics", "svg"], &["svg", "auto, kitty, sixel or none"]),
    ] {
        let text = mancalab(args).complains();
        assert_has(&text, parts);
        assert!(!text.contains("invalid digit"), "{text}");
    }
}

#[test]
fn without_a_terminal_it_shows_what_to_do() {
    for args in [&[][..], &["play"], &["--south", "random"]] {
        let mut bare = mancalab(args);
        bare.command.stdin(Stdio::null());
        assert_has(&bare.complains(), &["needs a terminal", "stdin", "ssh -t", "mancalab --help"]);
    }
}

#[test]
fn game_files_that_cannot_be_read_are_named() {
    assert_has(&mancalab(&["gone.game"]).complains(), &["gone.game", "no such file or directory"]);
    assert_has(&mancalab(&["."]).complains(), &["cannot read .: it is a directory, not a file"]);
    let damaged = "[Game \"kalah:6x4:standard\"]\n\n1. A zz\n";
    let text = mancalab(&["review", "bad.game"]).file("bad.game", damaged).complains();
    assert_has(&text, &["bad.game", "line 3, column 6", "'zz'", "expected"]);
    let text = mancalab(&["bad.game"]).file("bad.game", "").complains();
    assert_has(&text, &["bad.game", "line 1"]);
    let bytes = mancalab(&["bad.game"]);
    fs::write(bytes.home.path().join("bad.game"), [b'[', 0xff, 0xfe]).unwrap();
    assert_has(&bytes.complains(), &["bad.game", "UTF-8", "line 1, column 2"]);
}

#[test]
fn the_default_config_is_the_file_and_is_right() {
    let text = mancalab(&["config", "show"]).prints();
    assert_eq!(text, include_str!("../config.toml"));
    assert_has(&mancalab(&["config", "check", "own.toml"]).file("own.toml", &text).prints(), &["no problems"]);
    let keys = mancalab(&["config", "keys"]).prints();
    assert_has(&keys, &["[keys]", "board.undo", "app.quit"]);
    assert_has(&mancalab(&["config", "check", "own.toml"]).file("own.toml", &keys).prints(), &["no problems"]);
}

#[test]
fn a_broken_config_is_reported_with_its_place() {
    let broken = "[ui]\ntheme = 3\n";
    let text = mancalab(&["config", "check", "own.toml"]).file("own.toml", broken).complains();
    assert_has(&text, &["own.toml:2:9", "theme", "expected"]);
    let text = mancalab(&["config", "check", "own.toml"]).file("own.toml", "[keys]\nboard.umdo = \"u\"\n").complains();
    assert_has(&text, &["own.toml:2:", "board.umdo", "did you mean 'board.undo'"]);
    // The same when it is used: before the terminal is opened.
    let text = mancalab(&["--config", "own.toml"]).file("own.toml", broken).complains();
    assert_has(&text, &["own.toml:2:9"]);
    let text = mancalab(&[]).file("config.toml", broken).complains();
    assert_has(&text, &["config.toml:2:9"]);
    assert_has(&mancalab(&["config", "check", "gone.toml"]).complains(), &["gone.toml"]);
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let script = mancalab(&["generate", "completions", shell]).prints();
        assert_has(&script, &["mancalab", "COMPLETE"]);
    }
    let asked = |words: &[&str]| {
        let index = (words.len() - 1).to_string();
        let words: Vec<&str> = ["--"].into_iter().chain(words.iter().copied()).collect();
        let variables = [("COMPLETE", "bash"), ("_CLAP_COMPLETE_INDEX", index.as_str()), ("_CLAP_IFS", " ")];
        let mut asked = mancalab(&words);
        asked.command.envs(variables);
        asked.prints()
    };
    assert_has(&asked(&["mancalab", "dev", "perf"]), &["perft"]);
    assert_has(&asked(&["mancalab", "evolve", ""]), &["mancala-gp-1", "othello-gp-50"]);
    assert_has(&asked(&["mancalab", "--theme", ""]), &["dark", "okabe-ito"]);
    assert_has(&asked(&["mancalab", "match", ""]), &["hard", "minimax:4", "round-robin"]);
    assert_has(&asked(&["mancalab", "reproduce", ""]), &["all", "kalah-thesis/table1"]);
    assert_has(&asked(&["mancalab", "reproduce", "all", "--source", ""]), &["checkers-ga", "othello-gp"]);
    assert_has(&asked(&["mancalab", "reproduce", "kalah-thesis/table1", "--set", ""]), &["near=", "eps="]);
    assert_has(&asked(&["mancalab", "evolve", "mancala-gp-1", "--set", "mut"]), &["mutation="]);
    assert_has(&asked(&["mancalab", "plan", "new", "tune", "kalah-thesis", "--vary", ""]), &["population=", "sigma="]);
    assert_has(
        &asked(&["mancalab", "plan", "new", "islands", "mancala-gp-1", "--set", ""]),
        &["islands=", "mutation="],
    );
    assert_has(&asked(&["mancalab", "generate", "man", ""]), &["evolve", "plan"]);
    assert_has(&asked(&["mancalab", "help", ""]), &["evolve", "players"]);
    for group in [&["mancalab", "help", "runs", "s"][..], &["mancalab", "generate", "man", "runs", "s"]] {
        assert_eq!(asked(group).split_whitespace().collect::<Vec<_>>(), ["show", "summary"]);
    }
    assert_has(&asked(&["mancalab", "tables", "build", ""]), &["oware", "checkers"]);
    assert_has(&asked(&["mancalab", "solve", "position", ""]), &["kalah:6x4:empty"]);
    for (args, name) in [(&["generate", "man"][..], "mancalab"), (&["generate", "man", "evolve"], "mancalab\\-evolve")]
    {
        let page = mancalab(args).prints();
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{page}");
        assert_has(&page, &[".SH NAME", name, ".SH \"EXAMPLES\"", ".SH \"EXIT STATUS\""]);
    }
    assert_has(&mancalab(&["generate", "man", "evolv"]).complains(), &["did you mean 'mancalab evolve'?"]);
}

/// As in `| head -1`.
#[test]
fn a_reader_that_leaves_is_no_error() {
    for args in [
        &["config", "show"][..],
        &["dev", "perft", "--depth", "20"],
        &["generate", "man"],
        &["generate", "completions", "zsh"],
    ] {
        let mut bare = mancalab(args);
        let mut child = bare.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
        reader.read_until(b'\n', &mut Vec::new()).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert!(output.status.success(), "{args:?}: {}", output.status);
    }
}

/// One check reports the keys beside all other mistakes, in the order of the lines.
#[test]
fn a_config_check_reports_everything_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    std::fs::write(&file, "[keys]\n'board.undoo' = 'x'\n'no.such' = 'y'\n[ui]\nmouse = 1\n").unwrap();
    let told = mancalab(&["config", "check", file.to_str().unwrap()]).complains();
    assert_has(&told, &["unknown command 'board.undoo'", "did you mean 'board.undo'?", "'no.such'", "`ui.mouse` is 1"]);
    let places = ["c.toml:2:", "c.toml:3:", "c.toml:5:"].map(|place| told.find(place).expect(place));
    assert!(places.is_sorted(), "{told}");
}

#[test]
fn a_theme_is_checked_by_itself_and_with_the_config_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let theme = folder.path().join("mine.toml");
    let config = folder.path().join("c.toml");
    std::fs::write(&config, "[ui]\ntheme = 'mine.toml'\n").unwrap();
    let check = |file: &std::path::Path| mancalab(&["config", "check", file.to_str().unwrap()]);
    std::fs::write(&theme, "inherits = 'dark'\n[roles]\naccent = 'red'\n").unwrap();
    for file in [&theme, &config] {
        assert_has(&check(file).prints(), &["no problems"]);
    }
    std::fs::write(&theme, "inherits = 'dark'\n[roles]\nacent = 'red'\n").unwrap();
    for file in [&theme, &config] {
        assert_has(&check(file).complains(), &["acent", "mine.toml:3:", "accent"]);
    }
}

#[test]
fn what_was_meant_is_guessed() {
    for (args, wanted) in [
        (&["tuen"][..], "unknown command 'tuen'; did you mean 'mancalab tune'?"),
        (&["tuen", "kalah-thesis"], "did you mean 'mancalab tune'?"),
        (&["mathc", "--players", "max,random"], "did you mean 'mancalab match'?"),
        (&["match", "minmax:4", "random"], "did you mean 'minimax'?"),
        (&["match", "random", "heuristik:4"], "did you mean 'heuristic'?"),
        (&["dev", "perft", "--game", "otello"], "did you mean 'othello'?"),
        (&["match", "round-robbin"], "did you mean 'round-robin'?"),
        (&["evolve", "mancala-gp-3"], "did you mean 'mancala-gp-1'?"),
        (&["tune", "kalah-thesi"], "did you mean 'kalah-thesis'?"),
        (&["tune", "kalah-thesis", "--set", "dept=3"], "did you mean 'depth'?"),
        (&["reproduce", "mancala-gp/figure"], "did you mean 'mancala-gp/figure5'?"),
    ] {
        assert_has(&mancalab(args).complains(), &[wanted]);
    }
    // A word unlike every command is taken for a missing file.
    let far = mancalab(&["a-game-of-mine"]).complains();
    assert!(!far.contains("did you mean"), "{far}");
}

#[test]
fn commands_say_what_they_lack_and_what_there_is() {
    assert_has(&mancalab(&["tune"]).complains(), &["tune needs a preset", "such as kalah-thesis", "Presets:\n"]);
    assert_has(&mancalab(&["evolve"]).complains(), &["evolve needs a preset", "\n  mancala-gp-2  ", "\n  custom  "]);
    assert_has(&mancalab(&["match"]).complains(), &["match needs a preset or players", "\n  round-robin  "]);
    assert_has(&mancalab(&["reproduce"]).complains(), &["reproduce needs a target", "\n  kalah-thesis/table2  "]);
    let alone = mancalab(&["match", "--players", "minimax:4"]).complains();
    assert_has(&alone, &["--players must name two or more players", "--players minimax:4,"]);
}

#[test]
fn a_match_in_json_is_an_object_in_a_line() {
    let args = ["match", "random", "max", "--games", "2", "--seed", "1", "--json"];
    let text = mancalab(&args).prints();
    assert_eq!(text.lines().count(), 1);
    assert!(text.starts_with('{') && text.ends_with("}\n"), "{text}");
}

#[test]
fn help_keeps_its_indentation_when_it_is_narrow() {
    for command in ["match", "evolve", "tune"] {
        for width in ["60", "80"] {
            let mut bare = mancalab(&[command, "--help"]);
            bare.command.env("COLUMNS", width);
            let text = bare.prints();
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width.parse().unwrap(), "{command}: {text}");
            let begins = [
                "Usage:",
                "Arguments:",
                "Options:",
                "Presets:",
                "Settings:",
                "Settings for Kalah:",
                "Settings for Othello:",
                "Settings for Checkers:",
                "Settings for kalah-hybrid:",
                "Settings for kalah-network:",
                "Functions of ",
                "Quantities of ",
            ];
            let lists = text.lines().skip_while(|line| !line.starts_with("Usage:"));
            for line in lists.filter(|line| !line.is_empty() && !line.starts_with(' ')) {
                assert!(begins.iter().any(|begin| line.starts_with(begin)), "{command} {width}: '{line}'\n{text}");
            }
        }
    }
}

#[test]
fn keys_that_collide_are_reported_by_the_check() {
    let check = ["config", "check", "keys.toml"];
    let message = mancalab(&check).file("keys.toml", "[keys]\nboard.undo = 'n'\napp.help = '?'\n").complains();
    assert_has(&message, &["'n' is also a key of 'board.new'", "keys.toml:2:14", "board.new loses it"]);
    assert!(!message.contains("app.help"), "{message}");
    let fine = mancalab(&check).file("keys.toml", "[keys]\nboard.undo = 'n'\nboard.new = 'ctrl-n'\n").prints();
    assert_eq!(fine, "keys.toml: no problems\n");
}
