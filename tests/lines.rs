//! Commands by lines, as processes on pipes: `play --lines`, `watch --lines`, `analyse --moves`.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use mancalab::game::record::Record;
use mancalab::game::{Variant, notation};
use rustix::process::Signal;

use crate::cli::assert_has;
use crate::messages::{await_readiness, home, kill, mancalab, text};

/// A command with `play --lines` and these arguments.
fn play(home: &Path, args: &[&str]) -> Command {
    let mut command = mancalab(home, &["play", "--lines"]);
    command.args(args);
    command
}

/// Runs a command with this input to its end; returns its lines.
#[track_caller]
fn lines_of(command: &mut Command, input: &str) -> Vec<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A command that ends early closes the pipe.
    let writer = std::thread::spawn(move || _ = pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let lines = text(&output.stdout);
    let errors = text(&output.stderr);
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{lines}");
    assert!(!lines.contains(|c: char| c.is_control() && c != '\n'), "{lines:?}");
    lines.lines().map(str::to_owned).collect()
}

/// The games with a board of each size and rule that changes the words, by their texts.
fn games() -> Vec<Variant> {
    let others = ["kalah:4x3", "checkers:limit=40", "oware:slam=all"].map(|text| text.parse().unwrap());
    Variant::usual().into_iter().chain(others).collect()
}

/// The names of the moves of a whole game, chosen by the pattern of this seed.
fn a_game(variant: Variant, seed: usize) -> (Record, Vec<String>) {
    let mut record = Record::new(variant, Default::default(), None);
    let mut names = Vec::new();
    let mut number = seed;
    while record.ending().is_none() {
        let position = *record.position();
        let moves = position.moves();
        number = (number * 1_103_515_245 + 12_345) % (1 << 31);
        let mv = moves[(number >> 8) % moves.len()];
        names.push(position.move_text(mv));
        assert!(record.play(mv));
    }
    (record, names)
}

#[test]
fn a_game_of_each_kind_is_played_from_a_pipe() {
    for variant in games() {
        let home = home();
        let (record, names) = a_game(variant, 7);
        let input = names.join("\n") + "\nboard\n";
        let game = variant.to_string();
        let lines =
            lines_of(&mut play(home.path(), &["--game", &game, "--south", "human", "--north", "human"]), &input);
        let told: Vec<&String> =
            lines.iter().filter(|line| line.contains(" played ") || line.contains(" passed")).collect();
        assert_eq!(told.len(), names.len(), "{game}");
        for (line, name) in told.iter().zip(&names) {
            assert!(
                line.contains(&format!(" played {name}")) || (name == "pass" && line.contains(" passed.")),
                "{name}: {line}"
            );
        }
        // The score of the last move and the result are those of the record.
        let [south, north] = record.position().board().counts();
        let seats = variant.seats();
        assert_has(told.last().unwrap(), &[&format!("{} {south}, {} {north}.", seats[0], seats[1])]);
        let ended: Vec<&String> = lines.iter().filter(|line| line.starts_with("Game over: ")).collect();
        assert_eq!(ended.len(), 2, "after the last move, and below the board: {ended:?}");
        let most = south.max(north);
        let least = south.min(north);
        assert_has(ended[0], &[&format!("{most} to {least}")]);
        // Turns are announced, but not that of a side that was named as moving again.
        let again = lines.iter().filter(|line| line.contains(" moves again.")).count();
        let turns = lines.iter().filter(|line| line.contains(" to move.")).count();
        assert!(again + turns >= names.len(), "{game}: {again} {turns} {}", names.len());
    }
}

/// A session whose lines are read as they come.
struct Session {
    child: Child,
    lines: Receiver<String>,
}

/// Timeout of a line, generous for a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

impl Session {
    fn start(mut command: Command) -> Session {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Session { child, lines }
    }

    /// Returns the next line; `None` at the end.
    fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line.trim_end().to_owned()),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
        }
    }

    #[track_caller]
    fn until(&mut self, part: &str) -> String {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("no line with '{part}'"));
            if line.contains(part) {
                return line;
            }
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays the move named in a line such as `You played C: 4 seeds sown.`
fn follow(record: &mut Record, line: &str) {
    let name = match line.split_once(" played ") {
        Some((_, rest)) => rest.split([':', ' ']).next().unwrap().trim_end_matches('.'),
        None if line.contains(" passed.") => "pass",
        None => return,
    };
    let mv = record.position().move_from_text(name).unwrap_or_else(|| panic!("{name} in '{line}'"));
    assert!(record.play(mv));
}

#[test]
fn a_person_and_a_computer_play_every_game_on_either_side() {
    for (index, variant) in games().into_iter().enumerate() {
        let home = home();
        let players = if index % 2 == 0 { ["human", "random"] } else { ["max", "human"] };
        let game = variant.to_string();
        let args = ["--game", &game, "--south", players[0], "--north", players[1], "--seed", "3"];
        let mut session = Session::start(play(home.path(), &args));
        let mut record = Record::new(variant, Default::default(), None);
        let end = loop {
            let line = session.line().expect("a line");
            follow(&mut record, &line);
            if line.starts_with("Game over: ") {
                break line;
            }
            if line.contains("Your move.") || line.contains("You move again.") {
                let position = *record.position();
                let first = position.moves()[0];
                session.send(&position.move_text(first));
            }
        };
        assert!(record.ending().is_some(), "{game}: {end}");
        assert_has(&end, &["Type board, undo, save or quit."]);
        session.send("quit");
        assert_eq!(session.line(), None, "a finished game is not to be continued");
        assert!(session.child.wait().unwrap().success());
    }
}

#[test]
fn two_computers_play_without_input() {
    let home = home();
    let lines = lines_of(&mut play(home.path(), &["--south", "max", "--north", "random", "--seed", "5"]), "");
    assert_has(&lines[1], &["South played "]);
    assert_has(lines.last().unwrap(), &["Game over: "]);
}

#[test]
fn each_move_is_one_sentence_with_its_effects_and_the_score() {
    let home = home();
    let lines = lines_of(&mut play(home.path(), &["--north", "minimax:2", "--seed", "1"]), "C\nF\nquit\n");
    assert_eq!(
        lines[..5],
        [
            "Kalah 6x4. South: you. North: Easy (minimax:2).",
            "Your move. Moves: A, B, C, D, E, F. Type a move or help.",
            "You played C: 4 seeds sown. You 1, Easy 0. You move again.",
            "You played F: 5 seeds sown. You 2, Easy 0.",
            "Easy played b: 5 seeds sown. You 2, Easy 1. Easy moves again.",
        ]
    );
    // A jump over several pieces, a mandatory one, and a crowning.
    let args = ["--game", "checkers", "--position", "B:W30,25,18,11:B8,2", "--north", "human", "--south", "human"];
    let lines = lines_of(&mut play(home.path(), &args), "8x29\n30-26\n");
    assert_eq!(lines[1], "Black to move. Black must jump: 8x29.");
    assert_eq!(lines[2], "Black played 8x29: 3 pieces captured, crowned. Black 2, White 1. White to move.");
    assert_eq!(lines[3], "White played 30-26. Black 2, White 1. Black to move.");
    let args = ["--game", "checkers", "--position", "B:WK4:B26", "--north", "human", "--south", "human"];
    assert_has(&lines_of(&mut play(home.path(), &args), "26-30\n")[2], &["Black played 26-30: crowned. "]);
}

#[test]
fn a_clock_is_shown_with_each_turn_and_ends_the_game() {
    let home = home();
    let two = ["--south", "human", "--north", "human"];
    let lines = lines_of(&mut play(home.path(), &[&two[..], &["--clock", "600"]].concat()), "C\nF\nboard\n");
    assert_has(&lines[1], &["South to move. South has 10:00:00, North 10:00:00. Moves: A, B, "]);
    assert_has(&lines[2], &["South moves again. South has ", ", North 10:00:00."]);
    assert_has(&lines[3], &["North to move. South has ", ", North 10:00:00."]);
    // A second and a fifth, which begins with the first move.
    let mut session = Session::start(play(home.path(), &[&two[..], &["--clock", "0.02"]].concat()));
    session.send("A");
    assert_has(&session.until("South played A"), &["North to move. South has 0:02, North 0:0"]);
    assert_eq!(session.until("Game over"), "Game over: South wins on time. Type board, save or quit.");
    session.send("b");
    assert_has(&session.until("'b'"), &["is not possible, because the game is over"]);
    session.send("undo");
    assert_has(&session.until("'undo'"), &["is not possible, because the game is over"]);
    session.send("save one");
    session.until("one.game");
    session.send("quit");
    assert_eq!(session.line(), None, "a finished game is not to be continued");
    assert!(session.child.wait().unwrap().success());
    let saved = fs::read_to_string(home.path().join(".local/state/mancalab/games/one.game")).unwrap();
    assert_has(&saved, &["[Resigned \"North\"]", "[Termination \"time forfeit\"]"]);
}

#[test]
fn a_side_without_a_move_must_pass() {
    let home = home();
    let othello: Variant = "othello".parse().unwrap();
    let games = (1..).map(|seed| a_game(othello, seed).1);
    let names = games.into_iter().find(|names| names.iter().any(|name| name == "pass")).unwrap();
    let lines = lines_of(
        &mut play(home.path(), &["--game", "othello", "--south", "human", "--north", "human"]),
        &names.join("\n"),
    );
    let at = lines.iter().position(|line| line.contains(" passed. ")).unwrap();
    let mover = lines[at].split(' ').next().unwrap();
    assert!(
        lines[at - 1].ends_with(&format!(" {mover} to move. No move is possible: type pass.")),
        "{}",
        lines[at - 1]
    );
}

#[test]
fn a_wrong_line_is_answered_by_what_is_accepted_and_the_game_goes_on() {
    let home = home();
    let long = "x".repeat(5000);
    let input = format!("Z\n{long}\n\u{1b}[31mA\nboard\nMOVES\nC\nhint\nundo\nundo\nhelp\n");
    let lines = lines_of(&mut play(home.path(), &["--north", "minimax:1", "--seed", "1"]), &input);
    let words = "expected A, B, C, D, E, F or board, moves, hint, undo, save, quit, help.";
    assert_eq!(lines[2], format!("'Z' is not possible: {words}"));
    assert!(lines[3].len() < 200 && lines[3].ends_with(words), "{}", lines[3]);
    assert!(lines[4].ends_with(words), "{}", lines[4]);
    assert_eq!(lines[5], "minimax (North): a 4, b 4, c 4, d 4, e 4, f 4, store 0.");
    assert_eq!(lines[6], "You (South): A 4, B 4, C 4, D 4, E 4, F 4, store 0.");
    assert_has(&lines[8], &["Moves: A, B, C, D, E, F."]);
    assert_has(&lines[9], &["You played C"]);
    assert_eq!(lines[10], "Casual game now: you used a hint.");
    assert_has(&lines[11], &["Hint: "]);
    assert_has(&lines[12], &["Took back 1 move. You 0, minimax 0. Your move."]);
    assert_eq!(lines[13], "You have no move to take back.");
    for (word, line) in ["board", "moves", "hint", "undo", "save", "quit", "help"].iter().zip(&lines[15..]) {
        assert!(line.starts_with(&format!("{word}: ")), "{line}");
    }
}

#[test]
fn an_unfinished_game_is_saved_as_on_the_board_and_continued() {
    let home = home();
    let lines = lines_of(&mut play(home.path(), &["--level", "easy", "--seed", "1"]), "C\n");
    let saved = home.path().join(".local/state/mancalab/games/last.game");
    let command = format!("mancalab play --lines {}", saved.display());
    assert_eq!(*lines.last().unwrap(), format!("Saved. Continue with: {command}"));
    let record = notation::read(&fs::read_to_string(&saved).unwrap()).unwrap();
    assert_eq!((record.main_line().len(), notation::given_result(&record)), (1, "*".into()));
    // The next session names it, and it is played on.
    let next = lines_of(&mut play(home.path(), &["--north", "max"]), "");
    assert_eq!(next[0], format!("Your last game is unfinished. Continue it with: {command}"));
    let on = lines_of(&mut play(home.path(), &[saved.to_str().unwrap()]), "F\nsave one\n");
    assert_eq!(
        on[..3],
        ["Kalah 6x4. South: you. North: Easy (minimax:2:spread=1).", "Moves played: 1. You 1, Easy 0.", "Your move."]
    );
    assert_has(&on.join("\n"), &["You played F", "Easy played", "games/one.game."]);
    // A name that is taken is not replaced.
    let again = lines_of(&mut play(home.path(), &["--north", "max", "--seed", "2"]), "A\nsave one\n");
    assert_has(&again.join("\n"), &["one.game exists; nothing was written."]);
}

#[test]
fn a_signal_saves_and_ends_also_while_computers_play() {
    let home = home();
    let mut session = Session::start(play(home.path(), &["--north", "max"]));
    session.send("C");
    session.until("You played C");
    kill(&session.child, Signal::INT);
    assert_has(&session.until("Saved."), &["last.game"]);
    assert_eq!(session.child.wait().unwrap().code(), Some(130));
    let mut session =
        Session::start(play(home.path(), &["--south", "minimax:8", "--north", "minimax:8", "--game", "othello"]));
    session.until("Black: ");
    await_readiness(&session.child);
    session.until("played");
    kill(&session.child, Signal::TERM);
    assert_eq!(session.child.wait().unwrap().code(), Some(143));
    assert!(home.path().join(".local/state/mancalab/games/last-2.game").exists());
}

#[test]
fn lines_are_the_default_of_a_dumb_terminal_and_offered_without_one() {
    let home = home();
    let lines = lines_of(mancalab(home.path(), &[]).env("TERM", "dumb"), "quit\n");
    assert_has(&lines[0], &["Kalah 6x4. South: you."]);
    for args in [&[][..], &["play"]] {
        let refused = mancalab(home.path(), args).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert_has(&text(&refused.stderr), &["needs a terminal", "`mancalab play --lines`"]);
    }
}

#[test]
fn flags_that_do_not_fit_are_refused_by_name() {
    let home = home();
    let refused = |args: &[&str]| {
        let run = play(home.path(), args).output().unwrap();
        assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{args:?}");
        text(&run.stderr)
    };
    assert_has(&refused(&["--clock", "5+x"]), &["--clock", "as in 5+3"]);
    assert_has(&refused(&["--position", "x"]), &["--position: line 1, column 1", "expected '<'"]);
    assert_has(&refused(&["--position", "<1,1,1,1,0,0> S", "--start", "fair:1"]), &["--position", "--start"]);
    fs::write(home.path().join("two.pdn"), "1. 11-15 *\n\n[Event \"b\"]\n1. 9-14 *\n").unwrap();
    assert_has(&refused(&["two.pdn"]), &["two.pdn: a collection of 2 games; name one, as in 'two.pdn#1'"]);
    let lines = lines_of(&mut play(home.path(), &["two.pdn#2", "--north", "max", "--south", "human"]), "");
    assert_eq!(lines[0], "Checkers. Black: you. White: max.");
}

#[test]
fn analyse_plays_moves_before_it_values() {
    let home = home();
    let values = |args: &[&str]| {
        let run = mancalab(home.path(), args).output().unwrap();
        assert!(run.status.success(), "{}", text(&run.stderr));
        let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        (json["position"].clone(), json["moves"].clone())
    };
    let by_moves = values(&["analyse", "--json", "--depth", "5", "--moves", "C F, a"]);
    let position = by_moves.0.as_str().unwrap().to_owned();
    assert_eq!(values(&["analyse", "--json", "--depth", "5", "--position", &position]), by_moves);
    let refused = mancalab(home.path(), &["analyse", "--moves", "C C"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert_has(&text(&refused.stderr), &["--moves: move 2, 'C', is not legal; legal: A, B, D, E, F"]);
}

#[test]
fn watch_prints_each_row_once_and_then_the_end() {
    let home = home();
    let evolve =
        ["evolve", "mancala-gp-1", "--population", "8", "--seed", "1", "--generations", "3", "--set", "opponents=max"];
    assert!(mancalab(home.path(), &evolve).output().unwrap().status.success());
    let lines = lines_of(&mut mancalab(home.path(), &["runs", "watch", "--lines"]), "");
    for (generation, line) in lines[..4].iter().enumerate() {
        assert!(
            line.starts_with(&format!("generation {generation}, ")) && line.contains(", best fitness points "),
            "{line}"
        );
    }
    assert!(lines.len() == 5 && lines[4].starts_with("finished: best "), "{lines:?}");
    // All runs, until a signal.
    let mut session = Session::start(mancalab(home.path(), &["runs", "watch", "--all", "--lines"]));
    assert_has(&session.until("mancala-gp-1-seed1"), &["mancala-gp-1-seed1: finished, 100 %, newest row 3, best "]);
    kill(&session.child, Signal::INT);
    assert_eq!(session.child.wait().unwrap().code(), Some(130));
}
