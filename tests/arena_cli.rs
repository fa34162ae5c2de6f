//! `mancalab match` and `mancalab arena` from outside.

use assert_cmd::Command;
use serde_json::Value;

fn mancalab(args: &str) -> Command {
    let mut command = Command::cargo_bin("mancalab").unwrap();
    command.args(args.split_whitespace());
    command
}

fn output(args: &str) -> String {
    let output = mancalab(args).output().unwrap();
    assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn error(args: &str) -> String {
    let output = mancalab(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_match_tells_the_score_from_both_seats() {
    let text = output("match minimax:2 random --games 31 --seed 1");
    assert!(text.starts_with("minimax:2 against random, 31 games\n"), "{text}");
    for part in ["all games", "moving first", "moving second", "95 %:", "mean margin +", "a move"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let value: Value = serde_json::from_str(&output("match minimax:2 random --games 31 --seed 1 --json")).unwrap();
    let games = |of: &str| ["wins", "draws", "losses"].map(|key| value[of][key].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!((games("all"), games("first"), games("second")), (31, 16, 15));
    let second: Value =
        serde_json::from_str(&output("match minimax:2 random --games 9 --first b --seed 1 --json")).unwrap();
    assert_eq!((second["games"].as_u64(), second["first"]["wins"].as_u64()), (Some(9), Some(0)));
}

#[test]
fn a_match_ends_early_once_it_is_clear() {
    let text = output("match minimax:4 random --games 100000 --seed 1 --sprt 0,100");
    assert!(text.contains("stopped early: at least the upper advantage"), "{text}");
}

#[test]
fn every_format_tells_the_same_whatever_the_threads() {
    let arena =
        |format: &str| output(&format!("arena --players random,max,mcts:20 --games 8 --seed 3 --format {format}"));
    let csv = arena("csv");
    assert_eq!(csv.lines().count(), 10);
    assert_eq!(csv, output("arena --players random,max,mcts:20 --games 8 --seed 3 --format csv --threads 1"));
    let json: Value = serde_json::from_str(&arena("json")).unwrap();
    let row = csv.lines().nth(2).unwrap().split(',').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((row[0].as_str(), row[1].as_str()), ("random", "max"));
    assert_eq!(json["cells"][1]["wins"].to_string(), row[3]);
    assert_eq!((json["done"].as_u64(), json["finished"].as_bool()), (Some(72), Some(true)));
    assert!(arena("md").starts_with("|  | 1 | 2 | 3 | Elo |"));
    let table = arena("table");
    assert!(table.contains("3 mcts:20") && table.contains("72 of 72 games"), "{table}");
}

#[test]
fn games_are_saved_as_game_files() {
    let folder = tempfile::tempdir().unwrap();
    output(&format!("match max random --games 4 --seed 1 --save {}", folder.path().display()));
    let text = std::fs::read_to_string(folder.path().join("1-2-00002.game")).unwrap();
    assert!(text.contains("[South \"max\"]") && mancalab::game::notation::read(&text).unwrap().result().is_some());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn what_cannot_be_is_told() {
    assert!(error("match human random").contains("a person cannot play here"));
    assert!(error("match mcts:0 random").contains("mcts needs iterations from 1"));
    assert!(error("arena --players random,nobody").contains("no player is called 'nobody'"));
    assert!(error("match max max --sprt 5").contains("two differences in Elo"));
    assert!(error("arena --players max --format xml").contains("csv"));
}

/// Ctrl-C ends a run, and what was played by then is printed.
#[test]
fn a_signal_ends_it_with_what_there_is() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_mancalab"))
        .args(["match", "random", "max", "--games", "1000000", "--seed", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(text.contains("random against max, "), "{text}");
}
