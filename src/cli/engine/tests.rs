//! Sessions without a process: lines in, lines out.

use super::*;
use crate::budget::Budget;
use crate::game::Position;
use crate::player::{Thinking, build, choose};

fn ugi(game: &str) -> Session {
    Session::Ugi(Ugi::new(game.parse().unwrap(), None).unwrap())
}

fn nboard() -> Session {
    Session::NBoard(NBoard::new(None).unwrap())
}

/// Sends lines, each after the search of the one before has ended; returns everything written.
fn talk(session: &mut Session, lines: &[&str]) -> Vec<String> {
    let mut written = Vec::new();
    for line in lines {
        written.extend(session.take(line).lines);
        while session.is_searching() {
            written.extend(session.step());
        }
    }
    written
}

fn last(session: &mut Session, lines: &[&str]) -> String {
    talk(session, lines).pop().unwrap_or_default()
}

#[test]
fn a_session_greets_and_names_its_options() {
    for (word, answer) in [("ugi", "ugiok"), ("uci", "uciok")] {
        let lines = talk(&mut ugi("othello"), &[word, "isready"]);
        assert!(lines[0].starts_with("id name mancalab ") && lines[1].starts_with("id author "));
        let game = "option name Game type combo default othello:8x8:standard var kalah:6x4:standard var othello";
        assert!(lines.iter().any(|line| line.starts_with(game)), "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], [answer, "readyok"]);
    }
}

#[test]
fn a_depth_gives_the_move_and_value_of_minimax() {
    for variant in Variant::usual() {
        let mut session = ugi(&variant.to_string());
        let mut position = variant.start();
        let mut played = String::new();
        for ply in 0..6 {
            let mut job = Thinking::new(position, &"minimax:4".parse().unwrap(), ply, 1).unwrap();
            while crate::budget::Job::step(&mut job, Budget::UNLIMITED) == crate::budget::Status::Running {}
            let info = crate::budget::Job::view(&job);
            let line = &info.report.unwrap().lines[0];
            let setup = format!("position startpos moves{played}");
            let lines = talk(&mut session, &[&setup, "go depth 4"]);
            let mv = position.move_text(info.choice.unwrap());
            assert_eq!(lines[lines.len() - 1], format!("bestmove {mv}"), "{variant}");
            let score = crate::cli::value::Value::of(line, &position).score();
            let info = format!("info depth {} score {score}", line.depth);
            assert!(lines[lines.len() - 2].starts_with(&info), "{lines:?}: {info}");
            played += &format!(" {mv}");
            position = position.play(info_choice(&job));
            // Selective searches of one move and of several are different estimates.
            if ["othello", "checkers"].contains(&variant.name()) {
                continue;
            }
            let several = talk(&mut session, &["setoption name MultiPV value 3", &setup, "go depth 4"]);
            assert_eq!(several[several.len() - 1], format!("bestmove {mv}"), "{variant}");
            assert!(several.iter().any(|line| line.starts_with(&format!("info depth 4 multipv 1 score {score}"))));
            talk(&mut session, &["setoption name MultiPV value 1"]);
        }
    }
}

fn info_choice(job: &Thinking) -> crate::game::Move {
    crate::budget::Job::view(job).choice.unwrap()
}

#[test]
fn every_limit_ends_with_a_move() {
    let mut session = ugi("kalah:4x3");
    for go in ["go movetime 20", "go nodes 5000", "go wtime 500 btime 500 winc 1 binc 1", "go solve", "go depth 3"] {
        let answer = last(&mut session, &["position startpos moves A", go]);
        assert!(answer.starts_with("bestmove ") && !answer.contains("none"), "{go}: {answer}");
    }
    let solved = talk(&mut session, &["position startpos", "go solve"]);
    assert!(solved[solved.len() - 2].contains(" score margin 6 solved "), "{solved:?}");
}

#[test]
fn an_endless_search_answers_when_it_is_stopped() {
    let mut session = ugi("kalah:3x2");
    assert_eq!(session.take("go infinite"), Reply::default());
    // It is solved at once, but answers only on request.
    for _ in 0..5 {
        assert!(session.step().iter().all(|line| line.starts_with("info ")));
    }
    assert!(session.is_searching());
    assert!(session.take("stop").lines.pop().unwrap().starts_with("bestmove "));
    assert_eq!(session.take("stop"), Reply::default());
    session.take("go infinite");
    let reply = session.take("quit");
    assert!(reply.quits && reply.lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn questions_about_the_game_are_answered() {
    let mut session = ugi("kalah");
    let over = "position <6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S";
    let start = ["query p1turn", "query gameover", "query result"];
    assert_eq!(talk(&mut session, &start), ["response true", "response false", "response none"]);
    session.take("position startpos moves A");
    assert_eq!(talk(&mut session, &["query p1turn"]), ["response false"]);
    let written = talk(&mut session, &[over, "query gameover", "query result", "go depth 4"]);
    assert_eq!(written, ["response true", "response draw", "bestmove (none)"]);
}

#[test]
fn nonsense_gets_a_message_and_changes_nothing() {
    let mut session = ugi("kalah");
    for (line, message) in [
        ("fly", "unknown line 'fly'; accepted: ugi, uci, isready"),
        ("go deep 3", "go: unknown word 'deep'; accepted: depth N"),
        ("position", "position: startpos"),
        ("position startpos moves Z", "move 1, 'Z', is not legal; legal: A, B, C, D, E, F"),
        ("setoption name Size value 3", "setoption: no option is named 'Size'"),
        ("setoption name Hash value x", "Hash must be a whole number from 1 to 65536 (got x)"),
        ("setoption name Game value go", "unknown game 'go'"),
        ("setoption name Player value samuel:4", "does not play Kalah"),
        ("setoption name Player value human", "a human cannot be"),
        ("setoption", "setoption: needs name N value V"),
        ("query", "query: unknown question ''; accepted: gameover"),
        ("\u{1b}[2J", "unknown line"),
    ] {
        let written = talk(&mut session, &[line]);
        assert!(written.len() == 1 && written[0].starts_with("info string "), "{line}: {written:?}");
        assert!(written[0].contains(message), "{line}: {written:?}");
    }
    assert_eq!(last(&mut session, &["go depth 4"]), "bestmove F");
}

#[test]
fn an_option_chooses_the_player_and_the_game() {
    let mut session = ugi("kalah");
    let max = ["setoption name Game value checkers", "setoption name Player value max:ties=last", "go"];
    let start: Position = "checkers".parse::<Variant>().unwrap().start();
    let Position::Checkers(pos) = start else { panic!() };
    let mut player = build(&"max:ties=last".parse().unwrap()).unwrap();
    let expected = choose(player.as_mut(), &crate::player::Turn::new(pos, 0, 1)).unwrap();
    assert_eq!(last(&mut session, &max), format!("bestmove {}", start.move_text(expected)));
    assert_eq!(talk(&mut session, &["setoption name Player value <empty>", "setoption name Threads value 2"]), [""; 0]);
}

const GAME: &str = "set game (;GM[Othello]PC[NBoard]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                    B[F5]W[F6];)";

#[test]
fn nboard_is_answered_in_its_own_words() {
    let mut session = nboard();
    let written = talk(&mut session, &["nboard 2", "set depth 4", GAME, "ping 3", "go"]);
    assert_eq!(written[..3], ["set myname mancalab", "pong 3", "status Thinking"]);
    let answer = &written[written.len() - 2];
    let fields: Vec<&str> = answer.strip_prefix("=== ").unwrap().split('/').collect();
    assert!(fields.len() == 3 && fields[1].parse::<f64>().is_ok() && fields[2].parse::<f64>().is_ok(), "{answer}");
    assert!(written.iter().any(|line| line.starts_with("nodestats ")), "{written:?}");
    // The engine does not play its own move; NBoard sends it.
    let written = talk(&mut session, &["move E6//0.3", "move F4/1.2/0.1", "hint 2", "learn", "unknown", "analyze"]);
    let hints: Vec<&String> = written.iter().filter(|line| line.starts_with("search ")).collect();
    assert!(
        hints.len() >= 2
            && hints.iter().all(|hint| hint.ends_with(" 0 4") || hint.ends_with(" 0 1") || hint.contains(" 0 "))
    );
    assert!(written.contains(&"learned".to_owned()));
    assert_eq!(written.iter().filter(|line| line.starts_with("analysis ")).count(), 5, "{written:?}");
    for (line, message) in [
        ("move A1", "status move: 'A1' is not legal"),
        ("set game x", "status set game: line 1"),
        ("set depth x", "status set depth"),
    ] {
        assert!(last(&mut session, &[line]).starts_with(message), "{line}");
    }
}

#[test]
fn nboard_stops_a_search_for_a_ping() {
    let mut session = nboard();
    talk(&mut session, &["nboard 2", "set depth 40"]);
    session.take("go");
    assert!(session.step().iter().all(|line| !line.starts_with("===")));
    assert_eq!(session.take("ping 9").lines, ["status", "pong 9"]);
    assert!(!session.is_searching());
    session.take("hint 1");
    assert!(session.take("quit").quits);
}
