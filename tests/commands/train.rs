//! `mancalab train` as a process.

use std::fs;

use serde_json::Value;

use super::{assert_refused, failure, kill, mancalab, rows, start, stdout, wait_for_rows};

const RUN: &[&str] = &[
    "train",
    "a3c-mixed",
    "--seed",
    "3",
    "--generations",
    "12",
    "--set",
    "hidden=8",
    "--set",
    "rounds=4",
    "--set",
    "steps=12",
    "--set",
    "panel=minimax:1,random,max",
    "--set",
    "panel_games=3",
    "--set",
    "panel_every=4",
];

/// Returns the arguments with this number of generations.
fn of_generations(count: &'static str) -> impl Iterator<Item = &'static str> {
    RUN.iter().map(move |arg| if *arg == "12" { count } else { arg })
}

#[test]
fn killed_and_resumed_a_training_writes_the_same_files() {
    let state = tempfile::tempdir().unwrap();
    let whole = state.path().join("whole");
    let text = stdout(mancalab(state.path()).args(RUN).args(["--threads", "1", "--out"]).arg(&whole));
    assert!(text.contains("generation 12: ") && text.contains("network.safetensors"), "{text}");
    let won = text.lines().find_map(|line| line.strip_prefix("% won moving first/second: seen: random ")).unwrap();
    assert!(won.contains("  max ") && won.contains("; unseen: minimax:1 "), "{text}");
    assert_eq!(rows(&whole).lines().count(), 14);

    // Killed on one thread and on two, and resumed on the other number.
    let mut text = String::new();
    for (threads, others) in [("1", "2"), ("2", "1")] {
        let cut = state.path().join(format!("cut{threads}"));
        let mut child = start(state.path(), &cut, &[RUN, &["--threads", threads, "--out"]].concat());
        wait_for_rows(&mut child, &cut, 4);
        kill(child);
        text = stdout(mancalab(state.path()).args(["train", "--json", "--threads", others, "--resume"]).arg(&cut));
        for name in ["generations.csv", "network.safetensors"] {
            assert!(fs::read(whole.join(name)).unwrap() == fs::read(cut.join(name)).unwrap(), "{threads}: {name}");
        }
    }
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = events.last().unwrap();
    assert_eq!((&events[0]["event"], &end["event"], &end["finished"]), (&"begin".into(), &"end".into(), &true.into()));
    assert_eq!(end["newest"]["generation"], 12);
    let panel = end["newest"]["panel"].as_array().unwrap();
    assert!(panel.iter().all(|met| met["seen"] == (met["player"] != "minimax:1")), "{panel:?}");
    let shown = stdout(mancalab(state.path()).args(["runs", "show"]).arg(state.path().join("cut1")));
    assert!(shown.contains("a3c-mixed") && shown.contains("opponents"), "{shown}");
}

/// Workers that do not wait for each other: such a run also ends when killed and resumed, and every display notes that
/// it is not reproducible.
#[test]
fn a_free_schedule_is_marked_wherever_it_is_reported() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("free");
    let free = ["--set", "schedule=free", "--threads", "2", "--out"];
    let mut child = start(state.path(), &folder, &of_generations("40").chain(free).collect::<Vec<_>>());
    wait_for_rows(&mut child, &folder, 4);
    kill(child);
    let text = stdout(mancalab(state.path()).args(["train", "--threads", "2", "--resume"]).arg(&folder));
    assert!(text.contains("generation 40: ") && text.contains("(not reproducible)"), "{text}");
    assert_eq!(rows(&folder).lines().count(), 42);
    assert!(fs::read_to_string(folder.join("run.toml")).unwrap().contains("\nreproducible = false\n"));
    let shown = |args: &[&str]| stdout(mancalab(state.path()).args(args).arg(&folder));
    assert!(shown(&["runs", "show"]).contains("a3c-mixed (not reproducible)"));
    let output: Value = serde_json::from_str(&shown(&["runs", "show", "--json"])).unwrap();
    assert_eq!(output["reproducible"], false);
}

/// The built-in network plays a match, alone and guiding a search; so does a trained one.
#[test]
fn networks_play_matches_to_the_same_bytes() {
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().join("run");
    stdout(mancalab(state.path()).args(of_generations("1")).arg("--out").arg(&folder));
    let network = folder.join("network.safetensors");
    let network = network.to_str().unwrap();
    let [file, led] = [format!("a3c:{network}:greedy=yes"), format!("mcts:30:net={network}:c=2")];
    for [one, other] in [["a3c", "mcts:40:net=best"], [&file, &led]] {
        let play = |threads: &str| {
            let games = ["--games", "6", "--opening", "2", "--seed", "5", "--json", "--threads", threads];
            let text = stdout(mancalab(state.path()).args(["match", one, other]).args(games));
            let mut output: Value = serde_json::from_str(&text).unwrap();
            // Times depend on the machine.
            output.as_object_mut().unwrap().remove("seconds_a_move");
            output
        };
        let whole = play("1");
        assert_eq!(whole["games"], 6, "{whole}");
        assert_eq!(whole, play("2"));
    }
    assert_refused(state.path(), &[("match a3c max --game othello --games 1", "its network plays kalah only")]);
}

#[test]
fn what_is_wrong_is_reported() {
    let state = tempfile::tempdir().unwrap();
    let error = |args: &[&str]| failure(mancalab(state.path()).args(args));
    let refused = [
        ("train", "train needs a preset, such as kalah-thesis-a3c"),
        ("train a3c-mixd", "did you mean 'a3c-mixed'?"),
        ("train a3c-mixed --set opponents=minimax:4:ms=5", "plays against the clock"),
        ("train a3c-mixed --set game=othello", "encoding must be discs"),
        ("train a3c-mixed --set workers=0", "a whole number from 1 to 256 is expected"),
    ];
    assert_refused(state.path(), &refused);
    let output = error(&["train", "a3c-mixed", "--set", "opponents=5*random,sefl"]);
    let expected = "opponents: no player is named 'sefl' (did you mean 'self'?); known: self, past, random";
    assert!(output.contains(expected), "{output}");
    let output = error(&["train", "a3c-mixed", "--set", "panel=human"]);
    assert!(output.contains("panel: a human cannot be in the panel"), "{output}");
}

/// A run of another command is refused with that command's name, and a folder without a run with the missing file.
#[test]
fn only_a_training_is_resumed() {
    let state = tempfile::tempdir().unwrap();
    let tuned = state.path().join("tuned");
    let tune = ["tune", "kalah-thesis", "--generations", "1", "--set", "population=4", "--set", "depth=1", "--out"];
    stdout(mancalab(state.path()).args(tune).arg(&tuned));
    let before = rows(&tuned);
    let output = failure(mancalab(state.path()).args(["train", "--resume"]).arg(&tuned));
    let expected = "is a run of 'mancalab tune', not of 'mancalab train'; resume it with: mancalab runs resume";
    assert!(output.contains(&format!("{expected} {}", tuned.display())), "{output}");
    assert_eq!(rows(&tuned), before);
    fs::create_dir(state.path().join("empty")).unwrap();
    assert_refused(state.path(), &[("train --resume empty", "no run is named 'empty'")]);
}

/// Files that are not a network, or are one for another game, are refused by name, with the accepted forms.
#[test]
fn a_network_that_cannot_play_is_refused_by_name() {
    let state = tempfile::tempdir().unwrap();
    stdout(mancalab(state.path()).args(of_generations("0")).args(["--out", "run"]));
    let whole = fs::read(state.path().join("run/network.safetensors")).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 0x40;
    fs::write(state.path().join("cut"), &whole[..whole.len() / 2]).unwrap();
    fs::write(state.path().join("changed"), changed).unwrap();
    fs::write(state.path().join("text"), "no network\n").unwrap();
    let refused = |player: &str| failure(mancalab(state.path()).args(["match", player, "max", "--games", "1"]));
    let missing = "cannot read nothere: no such file or directory; expected a network file, such as \
                   network.safetensors in a run folder of mancalab train";
    for (player, output) in [
        ("a3c:nothere", missing),
        ("mcts:9:net=nothere", missing),
        ("heuristic:2:net=nothere", missing),
        ("a3c:run", "cannot read run: it is a directory, not a file; did you mean run/network.safetensors?"),
        ("a3c:tmp=2", "a3c takes temp=T and greedy=yes|no"),
        ("a3c:temp=-1", "temp must be a number from 0.01 to 100 (got -1)"),
        ("mcts:9:net=", "net must be best or a network file, as in mcts:800:net=network.safetensors"),
        ("a3c:cut", "cut is not a network that can play: it is not a safetensors file, or is damaged"),
        ("a3c:changed", "changed is not a network that can play: it is damaged"),
        ("a3c:text", "text is not a network that can play: it is not a safetensors file, or is damaged"),
    ] {
        let refused = refused(player);
        assert!(refused.contains(player) && refused.contains(output), "{player}: {refused}");
    }
    let tiny = ["train", "a3c-othello", "--generations", "0", "--set", "hidden=8", "--set", "rounds=1"];
    let panel = ["--set", "panel=random", "--set", "panel_games=1", "--out", "othello"];
    stdout(mancalab(state.path()).args(tiny).args(panel));
    let output = refused("a3c:othello/network.safetensors");
    assert!(
        output.contains("'a3c:othello/network.safetensors' does not play Kalah: its network plays othello only"),
        "{output}"
    );
}

const PATTERNS: &[&str] = &[
    "train",
    "othello-patterns",
    "--seed",
    "3",
    "--generations",
    "2",
    "--set",
    "games=12",
    "--set",
    "depth=1",
    "--set",
    "exact=6",
    "--set",
    "opening=16",
    "--set",
    "iterations=3",
    "--set",
    "held_out=3",
    "--set",
    "compared=3",
    "--set",
    "panel=max,random",
    "--set",
    "panel_games=1",
    "--set",
    "panel_every=2",
    "--set",
    "panel_depth=1",
];

#[test]
fn killed_and_resumed_a_run_of_patterns_writes_the_same_files() {
    let state = tempfile::tempdir().unwrap();
    let whole = state.path().join("whole");
    let text = stdout(mancalab(state.path()).args(PATTERNS).args(["--threads", "1", "--out"]).arg(&whole));
    assert!(text.contains("generation 2: 36 games, error ") && text.contains("whole/othello.patterns"), "{text}");
    assert!(text.contains("\nplay: mancalab --game othello --north minimax:1@"), "{text}");
    let won = text.lines().find_map(|line| line.strip_prefix("% won moving first/second: max ")).unwrap();
    assert!(won.contains("  random "), "{text}");

    let cut = state.path().join("cut");
    let mut child = start(state.path(), &cut, &[PATTERNS, &["--threads", "2", "--out"]].concat());
    wait_for_rows(&mut child, &cut, 2);
    kill(child);
    let text = stdout(mancalab(state.path()).args(["train", "--json", "--threads", "3", "--resume"]).arg(&cut));
    for name in ["generations.csv", "othello.patterns", "best.txt"] {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(cut.join(name)).unwrap(), "{name}");
    }
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = &events[events.len() - 2];
    let end = events.last().unwrap();
    assert_eq!((&row["event"], &end["event"], &end["finished"]), (&"generation".into(), &"end".into(), &true.into()));
    assert_eq!((&row["generation"], &row["games"], &end["newest"]["games"]), (&2.into(), &36.into(), &36.into()));
    assert_eq!(row["errors"].as_array().unwrap().len(), 12);
    let panel = row["panel"].as_array().unwrap();
    assert!(
        panel.len() == 2 && panel.iter().all(|met| met.get("seen").is_none() && met["moving_first"].is_f64()),
        "{row}"
    );

    // The other commands on runs, and a longer run.
    let shown = stdout(mancalab(state.path()).args(["runs", "show"]).arg(&cut));
    assert!(shown.contains("othello-patterns") && shown.contains("panel_depth"), "{shown}");
    let compared = stdout(mancalab(state.path()).args(["runs", "compare"]).args([&cut, &whole]));
    assert!(compared.contains("error_discs"), "{compared}");
    let text = stdout(mancalab(state.path()).args(["train", "--generations", "3", "--resume"]).arg(&cut));
    assert!(text.contains("generation 3: 48 games, error "), "{text}");
    assert!(rows(&cut).starts_with(&rows(&whole)) && rows(&cut).lines().count() == 5);
}

#[test]
fn what_is_wrong_with_patterns_is_reported() {
    let state = tempfile::tempdir().unwrap();
    let error = |change: &str| {
        failure(mancalab(state.path()).args(["train", "othello-patterns", "--set", "panel=max", "--set", change]))
    };
    assert!(error("lamda=1").contains("did you mean 'lambda'?"));
    assert!(error("games=3").contains("held_out must be at most games, 3 (got 20)"));
    assert!(error("panel=human").contains("a human cannot be in the panel"));
}
