//! `mancalab match` as a process: matches and tournaments.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use mancalab::game::notation::{AGREED, ggf, wthor};
use serde_json::Value;

use super::{assert_refused, rows, wait_for_rows};

/// The processes' state and working folder: nothing is written elsewhere.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn mancalab(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
        command.env("XDG_STATE_HOME", self.path("state")).env("XDG_CONFIG_HOME", self.path("config"));
        command.current_dir(self.0.path()).args(args.split_whitespace());
        command
    }

    /// Returns both output streams of a command that must succeed.
    fn streams(&self, args: &str) -> [String; 2] {
        let Output { status, stdout, stderr } = self.mancalab(args).output().unwrap();
        let texts = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(status.success(), "{args}: {}", texts[1]);
        texts
    }

    fn spawn(&self, args: &str) -> Child {
        self.mancalab(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

fn output(args: &str) -> String {
    let [text, _] = Home::new().streams(args);
    text
}

fn interrupt(child: &Child) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::INT).unwrap();
}

#[test]
fn a_match_shows_the_score_from_both_seats() {
    let text = output("match minimax:2 random --games 31 --seed 1");
    assert!(text.starts_with("minimax:2 against random, 31 games\n"), "{text}");
    // Checkers has no margins, only wins and losses.
    let checkers = "match samuel:1 random --game checkers --games 4 --seed 1";
    assert!(
        !output(checkers).contains("margin") && output(&format!("{checkers} --json")).contains(r#""mean_margin":null"#)
    );
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

/// Two random moves in Kalah lead to 35 positions; two players without random choices play each once from either side.
#[test]
fn repeated_games_are_not_counted_twice() {
    let interval = |flags: &str| {
        let text = format!("match minimax:4 minimax:6 --games 2000 --seed 1 --json {flags}");
        let shown: Value = serde_json::from_str(&output(&text)).unwrap();
        let width = shown["all"]["high"].as_f64().unwrap() - shown["all"]["low"].as_f64().unwrap();
        assert_eq!(
            (shown["games"].as_u64(), shown["seed"].as_u64(), shown["opening"].as_u64()),
            (Some(2000), Some(1), Some(2))
        );
        (shown["distinct_games"].as_u64().unwrap(), width)
    };
    for deal in ["", "--deal random"] {
        let (distinct, width) = interval(deal);
        assert!(distinct == 70 && (0.1..0.25).contains(&width), "{distinct} {width}");
    }
    let (distinct, width) = interval("--ties random");
    assert!(distinct == 2000 && width < 0.05, "{distinct} {width}");
    let text = output("match minimax:4 minimax:6 --games 200 --seed 1");
    assert!(text.contains("\n70 distinct games of 200: players without random choices repeat"), "{text}");
    // Repeated games are no evidence: one opening decides nothing.
    let text = output("match minimax:4 minimax:6 --games 200 --seed 1 --opening 0 --sprt 0,50");
    assert!(text.contains("2 distinct games of 200") && !text.contains("SPRT"), "{text}");
}

#[test]
fn a_match_ends_early_once_it_is_clear() {
    let text = output("match minimax:4 random --games 100000 --seed 1 --sprt 0,100");
    assert!(text.contains("SPRT: H1 accepted (at least 100 Elo) after 16 games, LLR +"), "{text}");
}

#[test]
fn every_format_shows_the_same_whatever_the_threads() {
    let arena =
        |format: &str| output(&format!("match --players random,max,mcts:20 --games 8 --seed 3 --format {format}"));
    let csv = arena("csv");
    assert_eq!(csv.lines().count(), 10);
    assert_eq!(csv, output("match --players random,max,mcts:20 --games 8 --seed 3 --format csv --threads 1"));
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
fn levels_are_players_of_the_game() {
    let players = |flags: &str| {
        let text = output(&format!("match hard easy --games 2 --seed 1 --json {flags}"));
        serde_json::from_str::<Value>(&text).unwrap()["players"].clone()
    };
    assert_eq!(players(""), serde_json::json!(["minimax:8:spread=1", "minimax:2:spread=1"]));
    let othello = serde_json::json!(["minimax:2:spread=0.5", "minimax:4:eval=discs:spread=1"]);
    assert_eq!(players("--game othello"), othello);
    assert_eq!(players("--set game=othello"), othello);
    assert_refused(Home::new().0.path(), &[("match my-level easy", "plays only on the Board")]);
}

/// Old scripts read what they read before, with a note on standard error.
#[test]
fn earlier_commands_print_the_same() {
    let home = Home::new();
    for (old, new) in [
        (
            "arena --players random,max --games 2 --seed 3 --format csv",
            "match random max --games 2 --seed 3 --out b --format csv",
        ),
        ("arena --players max,random --games 2 --seed 3 --format table", "match max random --games 2 --seed 3 --out d"),
        ("analyse --depth 3 --game othello --format csv", "analyse --depth 3 --game othello --format csv"),
        ("solve 3x2 --moves --all", "solve position 3x2 --moves --all"),
        ("exploit max:ties=first --game kalah:3x2 --json", "solve exploit max:ties=first --game kalah:3x2 --json"),
        ("config --list-keys", "config keys"),
    ] {
        let [[before, note], [after, _]] = [old, new].map(|line| home.streams(line));
        let untimed = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
        };
        let is_timed = old.contains("--json") || old.contains("table");
        assert!(before == after || (is_timed && untimed(&before) == untimed(&after)), "{old}\n{before}\n{after}");
        assert_eq!(note.contains(" is now '"), old != new, "{old}: {note}");
    }
    let [text, note] = home.streams("arena --players random,max --games 2 --seed 3 --out run --json");
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(note.starts_with("mancalab: 'arena' is now 'match', '--json' is now '--json --rounds'\n"), "{note}");
}

#[test]
fn results_without_a_table_are_csv_and_markdown_by_their_fields() {
    let csv = output("solve position 3x2 --format csv");
    let [head, row] = csv.lines().collect::<Vec<_>>()[..] else { panic!("{csv}") };
    assert!(head.starts_with("game,line,margins,nodes,position,") && row.starts_with("kalah:3x2:standard,"), "{csv}");
    assert!(row.contains(",4 4,"), "{csv}");
    assert!(output("solve position 3x2 --format md").contains("\n| margins | 4 4 |\n"));
}

#[test]
fn games_are_saved_as_game_files() {
    let home = Home::new();
    let [_, notes] = home.streams("match max random --games 4 --seed 1 --save match");
    assert_eq!(notes, "saved 4 games in match\n");
    let text = fs::read_to_string(home.path("match/1-2-00002.game")).unwrap();
    assert!(text.contains("[South \"max\"]") && mancalab::game::notation::read(&text).unwrap().result().is_some());
    assert_eq!(fs::read_dir(home.path("match")).unwrap().count(), 4);
    assert!(!home.path("state").exists(), "a match writes no state");
    home.streams("match --players max,random --games 2 --seed 1 --save arena --json");
    assert_eq!(fs::read_dir(home.path("arena")).unwrap().count(), 8);
}

#[test]
fn games_are_saved_as_a_collection() {
    let home = Home::new();
    let [_, notes] = home.streams("match max random --game checkers --games 5 --seed 1 --save all.pdn");
    assert_eq!(notes, "saved 5 games in all.pdn\n");
    let bytes = fs::read(home.path("all.pdn")).unwrap();
    let games = mancalab::game::notation::pdn::FORMAT.open(vec![bytes.clone()]).unwrap();
    assert_eq!(games.len(), 5);
    for index in 0..games.len() {
        let game = games.headers(index);
        let variant = "checkers".parse().unwrap();
        assert!(games.read(index, variant).unwrap().result().is_some(), "{game:?}");
        assert_eq!([game.header("Event"), game.header("Round")], ["max v random, seed 1", &(index + 1).to_string()]);
    }
    // The same seed gives the same bytes; existing files are not overwritten.
    home.streams("match max random --game checkers --games 5 --seed 1 --save again.pdn --threads 1");
    assert_eq!(fs::read(home.path("again.pdn")).unwrap(), bytes);
    let refused = [
        ("match max random --game checkers --games 5 --save all.pdn", "all.pdn already exists"),
        ("match max random --games 5 --save kalah.pdn", "--save: games of Kalah have no PDN; name a folder"),
        ("match --players max,random --game checkers --save all.pdn", "all.pdn already exists"),
    ];
    assert_refused(home.0.path(), &refused);
}

#[test]
fn games_of_othello_are_saved_in_the_formats_of_other_programs() {
    let home = Home::new();
    for (file, format) in [("all.ggf", &ggf::FORMAT), ("all.wtb", &wthor::FORMAT)] {
        let line = format!("match random max --game othello --games 5 --seed 1 --save {file}");
        assert_eq!(home.streams(&line)[1], format!("saved 5 games in {file}\n"));
        let read = |name: &&str| fs::read(home.path(name)).unwrap();
        let contents: Vec<Vec<u8>> = format.beside.iter().chain([&file]).map(read).collect();
        let games = format.open(contents).unwrap();
        assert_eq!(games.len(), 5);
        for index in 0..games.len() {
            let record = games.read(index, "othello".parse().unwrap()).unwrap();
            assert!(record.result().is_some() && record.header(AGREED).is_none(), "{file}");
            assert!(
                record.players.iter().any(|name| name == "random") && record.players.iter().any(|name| name == "max")
            );
            assert!(record.header("Event").unwrap().starts_with("random v max, seed 1"), "{file}");
        }
        let [table, notes] = home.streams(&format!("review {file}#3 --depth 1 --solve 1"));
        assert!(table.contains("random") && notes.is_empty(), "{table}{notes}");
    }
    fs::remove_file(home.path("WTHOR.JOU")).unwrap();
    let [table, notes] = home.streams("review all.wtb#3 --depth 1 --solve 1");
    assert!(table.contains("player 0"), "{table}");
    assert_eq!(notes, "mancalab: all.wtb#3: no WTHOR.JOU: numbers for names\n");
    let refused = [
        ("match max random --game othello --games 1 --save all.ggf", "all.ggf already exists"),
        ("match max random --game othello --games 1 --save all.pdn", "--save: games of Othello have no PDN"),
        (
            "match max random --game othello:parallel --games 1 --save p.wtb",
            "games of othello:8x8:parallel have no WTHOR",
        ),
        ("review all.ggf#6", "all.ggf: game 6 does not exist (games 1 to 5)"),
    ];
    assert_refused(home.0.path(), &refused);
}

#[test]
fn of_matches_that_save_to_one_file_at_once_one_does() {
    let home = Home::new();
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let save = || home.mancalab("match random random --game checkers --games 1 --save one.pdn").output().unwrap();
        let at_once: Vec<_> = (0..8).map(|_| scope.spawn(save)).collect();
        at_once.into_iter().map(|saved| saved.join().unwrap()).collect()
    });
    assert_eq!(outputs.iter().filter(|output| output.status.success()).count(), 1, "{outputs:?}");
    let bytes = fs::read(home.path("one.pdn")).unwrap();
    assert_eq!(mancalab::game::notation::pdn::FORMAT.open(vec![bytes]).unwrap().len(), 1);
}

#[test]
fn a_tournament_has_a_folder_of_its_own() {
    let home = Home::new();
    for name in ["tournament-seed3", "tournament-seed3-2"] {
        let folder = home.path("state/mancalab/runs").join(name);
        let [text, notes] = home.streams("match --players random,max --games 5 --seed 3 --format csv");
        let begun = format!("tournament · seed 3 · {}\n", folder.display());
        let twin = "/tournament-seed3 has the same settings and seed, so this run repeats it";
        let last = notes.find(&begun).map(|at| &notes[at + begun.len()..]);
        assert!(last.is_some_and(|last| last.starts_with("finished in ")), "{notes}");
        assert_eq!(
            (notes.contains(twin), notes.lines().count()),
            if name.ends_with("-2") { (true, 3) } else { (false, 2) }
        );
        assert_eq!(text.lines().count(), 5);
        assert_eq!(rows(&folder).lines().count(), 6);
        assert!(fs::read_to_string(folder.join("best.txt")).unwrap().contains("leads after 20 of 20 games"));
        // All games are played, but the result can be printed again in another format.
        let [again, _] = home.streams(&format!("match --format json --resume {}", folder.display()));
        assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["done"], 20);
    }
}

#[test]
fn a_tournament_shows_in_json_round_by_round() {
    let home = Home::new();
    let [text, notes] =
        home.streams("match --players random,max --pairs 1-2:3,2-1 --games 2 --seed 3 --out run --json --rounds");
    assert_eq!(notes, "");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        events.iter().map(|event| event["event"].as_str().unwrap()).collect::<Vec<_>>(),
        ["begin", "round", "round", "round", "end"]
    );
    assert_eq!((&events[0]["folder"], &events[0]["settings"]["pairs"]), (&"run".into(), &"1-2:3 2-1".into()));
    assert!(events[1]["margins"][1].is_i64() && events[3]["margins"][0].is_i64() && events[3]["margins"][1].is_null());
    assert_eq!((&events[4]["finished"], &events[4]["done"]), (&true.into(), &5.into()));
}

/// A signal takes effect between two files.
#[test]
fn saving_games_can_be_interrupted() {
    let home = Home::new();
    let mut child = home.spawn("match random max --games 20000 --seed 1 --save games");
    let saved = || fs::read_dir(home.path("games")).map_or(0, Iterator::count);
    let deadline = Instant::now() + Duration::from_secs(60);
    while saved() < 10 && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "no games are saved");
        std::thread::sleep(Duration::from_millis(1));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{notes}");
    let message = format!("saved {} of 20000 games in games; stopped before the rest\n", saved());
    assert!(notes.ends_with(&message), "{notes}");
    assert!(saved() < 20_000);
}

/// Ratings just above and below 0 look the same.
#[test]
fn no_one_is_rated_minus_nought() {
    let home = Home::new();
    for seed in [4, 7, 11, 12] {
        let [table, _] = home.streams(&format!("match --players max,max,max --games 2 --seed {seed} --out run{seed}"));
        assert!(table.contains("+0 ± ") && !table.contains("-0"), "{table}");
        let best = fs::read_to_string(home.path(&format!("run{seed}/best.txt"))).unwrap();
        assert!(best.contains("+0 ± ") && !best.contains("-0"), "{best}");
    }
}

/// Some seconds in a debug build.
const SLOW: &str = "match --players random,max,mcts:200 --games 60 --seed 5 --format csv";

#[test]
fn killed_at_any_moment_and_resumed_a_tournament_writes_the_same_rows() {
    let home = Home::new();
    let [result, _] = home.streams(&format!("{SLOW} --out whole --threads 1"));
    let whole = home.path("whole");
    let cut = home.path("cut");
    assert_eq!(rows(&whole).lines().count(), 61);

    let mut child = home.spawn(&format!("{SLOW} --out cut --threads 2"));
    let mut kills = 0;
    for wait in [2, 15, 8] {
        wait_for_rows(&mut child, &cut, wait);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        child = home.spawn("match --format csv --resume cut");
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && kills >= 1, "{kills} kills, {output:?}");
    assert_eq!(rows(&cut), rows(&whole));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), result);
    for file in ["best.txt", "run.toml"] {
        assert_eq!(fs::read(cut.join(file)).unwrap(), fs::read(whole.join(file)).unwrap(), "{file}");
    }
}

/// A signal saves the tournament, even if it arrives twice; the results so far, and only those, go to standard output.
#[test]
fn an_interrupted_tournament_is_saved_and_shows_how_to_continue() {
    let home = Home::new();
    let mut child = home.spawn("match --players random,max --games 1000000 --seed 1 --format csv --out run");
    wait_for_rows(&mut child, &home.path("run"), 3);
    // As `timeout` does: to the process and to its group.
    interrupt(&child);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let [text, notes] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(text.starts_with("first,second,games,") && text.lines().count() == 5, "{text}");
    assert!(notes.contains("stopped after ") && notes.contains(" of 4000000 games\n"), "{notes}");
    assert!(notes.ends_with("saved; resume with: mancalab runs resume run\n"), "{notes}");
    assert!(home.path("run/checkpoint").exists());
}

#[test]
fn a_heuristic_player_may_bring_its_weights() {
    let players = "random,heuristic:1@1,0,0,0,0,0,0,0,0.5,-1:ties=random,max";
    let csv = output(&format!("match --players {players} --games 1 --seed 1 --format csv"));
    assert_eq!(csv.lines().count(), 10);
    assert!(csv.contains("random,\"heuristic:1@1,0,0,0,0,0,0,0,0.5,-1:ties=random\",1,"), "{csv}");
}

#[test]
fn a_preset_is_changed_by_flags() {
    let home = Home::new();
    let flags = "--players max,mcts:9 --games 3 --opening 4 --set game=kalah:4x3:standard --format json";
    let [text, notes] = home.streams(&format!("match round-robin {flags}"));
    assert!(
        notes.starts_with("round-robin · seed 1 · ") && notes.contains("runs/round-robin-seed1\nfinished"),
        "{notes}"
    );
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["total"], &value["game"]), (&12.into(), &"kalah:4x3:standard".into()));
    let settings = fs::read_to_string(home.path("state/mancalab/runs/round-robin-seed1/run.toml")).unwrap();
    assert!(settings.contains("\nopening = 4\n") && settings.contains("\npreset = \"round-robin\"\n"), "{settings}");
}

#[test]
fn what_cannot_be_is_reported() {
    let home = Home::new();
    let commands = [
        ("match human random", "human plays on the Board only"),
        ("match mcts:0 random", "mcts needs iterations from 1"),
        ("match max max --sprt 5", "two Elo differences"),
        ("match --players random,nobody", "no player is named 'nobody'"),
        ("match --players max --format xml", "csv"),
        ("match", "match needs a preset or players, such as round-robin"),
        ("match round-robbin", "error: no preset is named 'round-robbin' (did you mean 'round-robin'?); "),
        ("match round-robbin", "--help of the command lists all"),
        ("match round-robin --set games", "--set takes KEY=VALUE (got 'games')"),
        ("match round-robin --set games=0", "--set: games: a whole number from 1 to 1000000 is expected (got 0)"),
        (
            "match round-robin --set speed=3",
            "--set: no setting is named 'speed' (did you mean 'seed'?); known: seed, game, players",
        ),
        ("match --players max,random --pairs 1-3", "pairs: there is no player 3 (number of players: 2)"),
        ("match --players max,random --pairs 1", "1-2 2-1"),
        ("match --players human,random", "human plays on the Board only"),
        ("match --players max --json --format csv", "cannot be used with"),
        ("match --players max --seed 9223372036854775808", "9223372036854775807"),
        ("reproduce kalah-thesis/table1 --seed 9223372036854775808", "9223372036854775807"),
        ("reproduce mancala-gp/figure5 --threads 5000", "--threads must be 0 to 256 (got 5000)"),
        ("match --players max --threads 257", "--threads must be 0 to 256 (got 257)"),
        ("match max max --threads 257", "--threads must be 0 to 256 (got 257)"),
        ("evolve mancala-gp --threads 257", "--threads must be 0 to 256 (got 257)"),
        ("tune kalah-thesis --threads 257", "--threads must be 0 to 256 (got 257)"),
    ];
    assert_refused(home.0.path(), &commands);
    assert!(!home.path("mancalab/runs").exists(), "no run was begun");
}

#[test]
fn what_cannot_be_resumed_is_reported() {
    let home = Home::new();
    home.streams("tune kalah-thesis --seed 1 --population 4 --generations 1 --set depth=1 --out weights");
    home.streams("match --players max,random --games 2 --out run");
    let refused = [
        ("match --resume nowhere", "no run is named 'nowhere'"),
        ("match --resume weights", "weights"),
        ("match --resume run --players max", "cannot be used with"),
        // More games extend it; it cannot be shortened.
        ("match --resume run --games 1", "can be extended, but not shortened"),
        ("match round-robin --resume run", "cannot be used with"),
        ("match --players max,random --games 2 --out run", "run already holds a run"),
    ];
    assert_refused(home.0.path(), &refused);
    let settings = fs::read_to_string(home.path("run/run.toml")).unwrap();
    fs::write(home.path("run/run.toml"), settings.replace("games = 2", "games = 0")).unwrap();
    let damaged = [("match --resume run", "games: a whole number from 1 to 1000000 is expected")];
    assert_refused(home.0.path(), &damaged);
}

/// The limit makes a write fail like a full disk and does not kill the process.
#[test]
fn a_file_that_may_not_grow_is_reported() {
    let home = Home::new();
    let arena = home.mancalab("match --players random,max --games 100000 --seed 1 --out run");
    let mut limited = Command::new("sh");
    limited.arg("-c").arg("ulimit -f 8; exec \"$0\" \"$@\"").arg(arena.get_program()).args(arena.get_args());
    limited.envs(arena.get_envs().filter_map(|(key, value)| Some((key, value?)))).current_dir(home.0.path());
    let output = limited.output().unwrap();
    let notes = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{notes}");
    assert!(notes.contains("the run stopped: ") && notes.contains("file too large"), "{notes}");
    assert!(
        ["generations.csv", "timings.csv", "checkpoint"].iter().any(|file| notes.contains(&format!("/{file}: "))),
        "{notes}"
    );
    // Rows before the limit were saved.
    assert!(rows(&home.path("run")).lines().count() > 10);
}

/// Ctrl-C ends a match and prints the results so far.
#[test]
fn a_signal_ends_a_match_with_what_there_is() {
    let home = Home::new();
    let interrupted = || {
        let child = home.spawn("match random max --games 1000000 --seed 1");
        until_it_catches_interrupts(&child);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        output
    };
    // On a busy machine the signal may come before the first game is over: then there are no results.
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut output = interrupted();
    while output.stdout.is_empty() && Instant::now() < deadline {
        output = interrupted();
    }
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("random against max, "), "{text}");
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("stopped after "));
}

/// Waits until the process handles SIGINT.
fn until_it_catches_interrupts(child: &std::process::Child) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
        u64::from_str_radix(caught.trim(), 16).is_ok_and(|caught| caught & 1 << 1 != 0)
    };
    while !catches() {
        assert!(Instant::now() < deadline, "it does not catch SIGINT");
        std::thread::sleep(Duration::from_millis(1));
    }
}
