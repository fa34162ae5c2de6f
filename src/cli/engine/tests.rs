//! Sessions without a process: lines in, lines out.

use std::collections::HashMap;

use super::*;
use crate::budget::Budget;
use crate::game::Position;
use crate::player::{MoveJob, build, choose};

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
            let mut job = MoveJob::new(position, &"minimax:4".parse().unwrap(), ply, 1).unwrap();
            while crate::budget::Job::step(&mut job, Budget::UNLIMITED) == crate::budget::Status::Running {}
            let info = crate::budget::Job::view(&job);
            let line = &info.report.unwrap().lines[0];
            let setup = format!("position startpos moves{played}");
            let lines = talk(&mut session, &[&setup, "go depth 4"]);
            let mv = position.move_text(info.choice.unwrap());
            assert_eq!(lines[lines.len() - 1], format!("bestmove {mv}"), "{variant}");
            let score = crate::cli::value::Value::from_line(line, &position).score();
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

fn info_choice(job: &MoveJob) -> crate::game::Move {
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
fn every_go_has_a_move_whatever_its_words() {
    // The first `go` of a session, too: its time is over before anything is read.
    for (game, go) in [
        ("kalah", "go wtime 60000 btime 60000 movestogo 40"),
        ("kalah", "go wtime -50 btime 3000"),
        ("othello", "go movetime -1"),
        ("checkers", "go movetime 0 mate 3 ponder"),
        ("oware", "go nodes 0"),
        ("othello", "go depth x nodes 1"),
    ] {
        let mut session = ugi(game);
        let written = talk(&mut session, &[go]);
        let moves: Vec<&String> = written.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert!(moves.len() == 1 && moves[0] != "bestmove (none)", "{game}, {go}: {written:?}");
        let searched = written.iter().any(|line| line.starts_with("info depth ") && line.contains(" pv "));
        assert!(searched, "{game}, {go}: {written:?}");
        session.take("go infinite");
        let written = session.take("stop").lines;
        assert!(written.iter().any(|line| line.contains(" pv ")), "{game}, stop: {written:?}");
    }
}

#[test]
fn a_ready_engine_has_its_player() {
    for game in ["kalah", "othello", "checkers"] {
        let mut session = ugi(game);
        talk(&mut session, &["ugi", "isready"]);
        let Session::Ugi(ready) = &session else { panic!() };
        assert!(ready.is_ready(), "{game}");
        talk(&mut session, &["uginewgame"]);
        let Session::Ugi(ready) = &session else { panic!() };
        assert!(!ready.is_ready(), "{game}");
    }
}

#[test]
fn a_refused_position_is_not_searched() {
    let mut session = ugi("othello");
    for (refused, message) in [
        ("position", "position: startpos"),
        ("position startpos moves d3 d3", "move 2, 'd3', is not legal; legal: c3"),
        ("position x", "position: line 1"),
    ] {
        let written = talk(&mut session, &["position startpos", refused, "go depth 2", "query gameover"]);
        assert!(written[0].starts_with("info string ") && written[0].contains(message), "{written:?}");
        assert!(written[1].starts_with("info string go: there is no position"), "{written:?}");
        assert_eq!((written.len(), written[2].as_str()), (4, "bestmove (none)"), "{written:?}");
        assert!(written[3].starts_with("info string query: there is no position"), "{written:?}");
    }
    for again in ["position startpos", "uginewgame", "setoption name Game value othello"] {
        assert!(last(&mut session, &["position x", again, "go depth 2"]).ends_with("d3"), "{again}");
    }
    let mut session = nboard();
    for refused in ["set game x", "move A1"] {
        for go in ["go", "hint 1", "analyze"] {
            let written = talk(&mut session, &[GAME, refused, go]);
            assert_eq!(written.last().unwrap(), "status No position: the last game or move was refused", "{refused}");
        }
    }
    assert!(talk(&mut session, &[GAME, "go"]).iter().any(|line| line.starts_with("=== ")));
}

#[test]
fn names_of_options_are_read_in_any_case() {
    let mut session = ugi("kalah");
    for line in ["setoption name HASH value 3", "setoption NAME  multipv  Value 2", "setoption Name seed VALUE 7"] {
        assert_eq!(talk(&mut session, &[line]), [""; 0], "{line}");
    }
    let options = talk(&mut session, &["ugi"]);
    for set in ["Hash type spin default 3 ", "MultiPV type spin default 2 ", "Seed type spin default 7 "] {
        assert!(options.iter().any(|line| line.contains(set)), "{set}: {options:?}");
    }
}

/// Positions of Othello with 21 to 17 empty squares, and their best moves, found by solving the position behind every move. The best
/// move by discs loses 8 to 60 of them.
const SOLVED: [(&str, &str); 6] = [
    ("---X--X----XXX----XXX---OXXXXX--OOXXXXXXOOOOOXXXO-XOXX-XOOOOOXO- O", "b7"),
    ("--XXXXXXX-XXOO--XXXOXO--XOOOOOO-XOOXXO----OXOO----XOO-O-OOOOO--O X", "a6"),
    ("X------O-X-----O--XXXXXO-OOOOOXOOXOXOXOOOXXOXXXOO-OXOX--XXXXXXX- X", "b7"),
    ("--XXXXXXX-XXXO--XXXXXO--XOXOOOO-XOOXXO--XOOXOO----OOO-O-OOOOO--O X", "g2 h5"),
    ("OOOOOOOOOOOOXXXXOOXXOXX-OOOOOXX-OOOOX-X-OOOOX---OOOO----OOOO---- O", "h5 h6"),
    ("--XXXXXXX-XXXO--XXXXXO--XOXXOOO-XOXXXO--XXOXOO--X-OOO-O-OOOOO--O O", "b7"),
];

#[test]
fn a_search_that_ends_before_the_position_is_solved_plays_its_best_estimate() {
    let mut session = ugi("othello");
    for (position, best) in SOLVED {
        for go in ["go nodes 20000", "go solve nodes 20000", "go depth 8"] {
            let answer = last(&mut session, &["ucinewgame", &format!("position {position}"), go]);
            let mv = answer.strip_prefix("bestmove ").unwrap();
            assert!(best.split(' ').any(|best| best == mv), "{position}, {go}: {mv} instead of {best}");
        }
    }
}

/// Forty positions of Othello with 15 to 22 empty squares, from games of two searching players after random openings: the empty squares,
/// the moves that lead there, and the exact value of every move in discs.
const VALUED: &str = include_str!("solved.tsv");

/// The move of a `go` and the positions it searched.
fn searched(session: &mut Session, position: &str, go: &str) -> (String, u64) {
    let written = talk(session, &["ucinewgame", position, go]);
    let nodes = |line: &String| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok();
    let mv = written.last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
    (mv, written.iter().rev().find_map(nodes).unwrap())
}

#[test]
fn a_search_without_a_depth_loses_no_more_than_one_of_eight_plies() {
    let mut session = ugi("othello");
    let mut by_depth = 0;
    let mut by_nodes = 0;
    let mut positions = 0;
    for line in VALUED.lines() {
        let [_, moves, values] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let values: HashMap<&str, i32> = values
            .split(' ')
            .map(|value| value.split_once(':').unwrap())
            .map(|(mv, value)| (mv, value.parse().unwrap()))
            .collect();
        let lost = |mv: &str| values.values().max().unwrap() - values[mv];
        let position = format!("position startpos moves {moves}");
        let (mv, nodes) = searched(&mut session, &position, "go depth 8");
        by_depth += lost(&mv);
        by_nodes += lost(&searched(&mut session, &position, &format!("go nodes {}", 2 * nodes)).0);
        positions += 1;
    }
    assert_eq!(positions, 40);
    assert!(by_nodes <= by_depth, "{by_nodes} discs lost by nodes, {by_depth} by depth");
}

/// The end of the game may be too far to be solved within the limit: the estimates get deeper than those which come before a solution.
#[test]
fn a_limit_is_used_where_the_game_cannot_be_solved_within_it() {
    let mut session = ugi("othello");
    let position = format!("position {}", SOLVED[1].0);
    let mut depth = |go: &str| {
        let written = talk(&mut session, &["ucinewgame", &position, go]);
        let depth = |line: &String| line.strip_prefix("info depth ")?.split(' ').next()?.parse::<u32>().ok();
        written.iter().rev().find_map(depth).unwrap()
    };
    assert_eq!(depth("go nodes 100000"), 20, "{position}");
    assert!(depth("go movetime 400") >= 10);
    // Another search in the same position has its time too.
    let began = std::time::Instant::now();
    let again = talk(&mut session, &["go movetime 300", "go movetime 300"]);
    assert_eq!(again.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{again:?}");
    let is_solved = again.iter().any(|line| line.contains(" solved "));
    assert!(is_solved || began.elapsed() >= std::time::Duration::from_millis(600), "{again:?}");
}

/// By positions and not by time: estimates and the exact search take turns after the same positions.
#[test]
fn a_search_by_positions_finds_the_same_on_a_busy_machine() {
    let find = || {
        let mut session = ugi("othello");
        let position = |text: &str| format!("position {text}");
        let limits = [3_000, 20_000, 60_000];
        let all = SOLVED.iter().flat_map(|(text, _)| limits.map(|nodes| (position(text), nodes)));
        all.map(|(position, nodes)| searched(&mut session, &position, &format!("go nodes {nodes}"))).collect::<Vec<_>>()
    };
    let expected = find();
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let began = std::time::Instant::now();
    // They end by themselves, too, should a search panic.
    let goes_on = || !is_over.load(std::sync::atomic::Ordering::Relaxed) && began.elapsed().as_secs() < 300;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| while goes_on() {});
        }
        let found = [find(), find()];
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        found.iter().for_each(|found| assert_eq!(*found, expected));
    });
}

/// A public problem of Othello with 25 empty squares.
const PROBLEM: &str = "-XXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXOXXO------------------------ X";

#[test]
fn what_cannot_be_solved_is_said() {
    let mut session = ugi("othello");
    let written = talk(&mut session, &[&format!("position {PROBLEM}"), "go solve nodes 1"]);
    let limit = "info string go solve: not solved: Othello is solved from 24 empty squares on (this position has 25)";
    assert_eq!(written[0], limit);
    assert!(!written.iter().any(|line| line.contains(" solved nodes ")), "{written:?}");
    assert!(written.last().unwrap().starts_with("bestmove "), "{written:?}");
    let mut session = ugi("oware");
    let written = talk(&mut session, &["go solve nodes 1000"]);
    assert!(written[0].starts_with("info string go solve: no solver has this position"), "{written:?}");
    assert!(written.last().unwrap().starts_with("bestmove "), "{written:?}");
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
