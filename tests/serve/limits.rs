//! The limits of the server, each reached by an OpenSSH client: a test for every row of the table in docs/ssh.md.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::guest::{Guest, Idle, Server, eventually, has_program, has_ssh, make_key};
use super::{engine, open_table, play_to_the_end};

/// The rows of the table, each with a test that reaches it.
const REACHED: [(&str, fn()); 36] = [
    ("`--sessions`", super::guests_are_counted_by_key_address_and_in_all_with_those_away),
    ("`--sessions-by-address`", super::guests_are_counted_by_key_address_and_in_all_with_those_away),
    ("guests with one key", super::guests_are_counted_by_key_address_and_in_all_with_those_away),
    ("tables", a_guest_has_one_table),
    ("`--logins`", connections_without_a_session_make_room_for_others),
    ("`--logins-by-address`", connections_without_a_session_make_room_for_others),
    ("`--login-limit`", a_client_that_opens_no_session_is_ended),
    ("attempts", attempts_to_log_in_are_limited),
    ("keys", keys_that_a_connection_offers_are_limited),
    ("`--idle-limit`", super::limits_end_sessions),
    ("`--session-limit`", super::limits_end_sessions),
    ("`--come-back`", who_does_not_come_back_in_time_has_lost),
    ("`--bytes-in`", super::a_client_that_sends_much_has_to_wait),
    ("input", pastes_are_cut),
    ("keys that wait", keys_that_a_busy_session_has_not_read_are_limited),
    ("screen", a_terminal_that_is_too_large_is_drawn_on_in_part),
    ("names", names_and_the_chat_are_limited),
    ("chat", names_and_the_chat_are_limited),
    ("games a minute", super::games_are_limited),
    ("end", the_end_waits_for_games_only_so_long),
    ("changes of a game", changes_of_a_game_are_limited),
    ("`--table-memory`", super::the_memory_of_tables_is_limited),
    ("`--games`", super::games_are_limited),
    ("memory", the_memory_of_the_process_is_limited),
    ("files", the_size_of_files_is_limited),
    ("log", a_large_log_is_put_aside),
    ("`depth`", searches_and_pastes_are_limited),
    ("`iterations`", searches_and_pastes_are_limited),
    ("`seconds`", searches_and_pastes_are_limited),
    ("`analysis_seconds`", searches_and_pastes_are_limited),
    ("`table_mb`", super::the_memory_of_tables_is_limited),
    ("`paste_kb`", searches_and_pastes_are_limited),
    ("`minutes`", sessions_are_limited_by_the_config),
    ("`sessions`", sessions_are_limited_by_the_config),
    ("`saves`", crate::pty::guest::a_guest_keeps_a_few_small_games),
    ("`save_kb`", crate::pty::guest::a_guest_keeps_a_few_small_games),
];

#[test]
fn every_row_of_the_guide_is_reached() {
    let guide = include_str!("../../docs/ssh.md");
    let (_, table) = guide.split_once("## Limits").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let rows: Vec<&str> = rows.filter(|row| *row != "Limit").collect();
    let reached: Vec<&str> = REACHED.iter().map(|(row, _)| *row).collect();
    assert_eq!(rows, reached);
}

/// The second tab, a Board of the guest's own.
const BOARD: &str = "\x1b2";

/// Opens the guest's own Board.
fn go_to_board(guest: &mut Guest) {
    guest.until("No tables yet");
    guest.types(BOARD);
    guest.until("to move");
}

/// Pastes a text as terminals do.
fn paste(guest: &mut Guest, text: &str) {
    guest.types(&format!("\x1b[200~{text}\x1b[201~"));
}

#[test]
fn a_guest_has_one_table() {
    if !has_ssh("a_guest_has_one_table") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let mut anna = Guest::join(&server, "anna", None);
    open_table(&mut anna, "");
    anna.until("Waiting for somebody");
    anna.types("n/hello\r");
    anna.until("anna: hello");
    assert!(!anna.sees().contains("Open a table"), "{}", anna.sees());
    let bert = Guest::join(&server, "bert", None);
    bert.until("anna v empty");
    assert_eq!(bert.sees().matches("Kalah").count(), 1, "{}", bert.sees());
}

#[test]
fn connections_without_a_session_make_room_for_others() {
    if !has_ssh("connections_without_a_session_make_room_for_others") {
        return;
    }
    let server = Server::start(&["--anonymous", "--logins", "3", "--logins-by-address", "2"]);
    let count = |log: &str| log.matches("let in").count();
    let mut all: Vec<Idle> = Vec::new();
    for (address, ended) in [("1", None), ("1", None), ("1", Some(0)), ("2", None), ("3", Some(1))] {
        all.push(server.idle_ssh(&format!("127.0.0.{address}"), "anna"));
        server.until_log("a login", |log| count(log) == all.len());
        // The oldest of the address that has the most.
        if let Some(ended) = ended {
            eventually("the end of a connection", || all[ended].has_ended(), || server.log());
        }
    }
    let here: Vec<bool> = all.iter_mut().map(|one| !one.has_ended()).collect();
    assert_eq!(here, [false, false, true, true, true]);
}

#[test]
fn a_client_that_opens_no_session_is_ended() {
    if !has_ssh("a_client_that_opens_no_session_is_ended") {
        return;
    }
    let server = Server::start(&["--anonymous", "--login-limit", "1"]);
    let mut idle = server.idle_ssh("127.0.0.1", "anna");
    eventually("the end of the connection", || idle.has_ended(), || server.log());
    assert!(server.log().contains("no login within 1s"), "{}", server.log());
}

/// The options of ssh for keys to offer.
fn identities(files: &[String]) -> Vec<&str> {
    files.iter().flat_map(|file| ["-i", file]).collect()
}

#[test]
fn attempts_to_log_in_are_limited() {
    if !has_ssh("attempts_to_log_in_are_limited") {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let known = make_key(home.path(), "known");
    fs::create_dir(home.path().join("mancalab")).unwrap();
    fs::copy(known.with_extension("pub"), home.path().join("mancalab/authorized_keys")).unwrap();
    let server = Server::within(home, &[]);
    let unknown: Vec<String> = (0..9).map(|number| server.key(&number.to_string()).display().to_string()).collect();
    let offer = |keys: &[String]| server.run_ssh(&[&["-T"], &identities(keys)[..]].concat(), "anna", Some(&known), &[]);
    // The client's first request is for no method, the last for the known key.
    let (_, text) = offer(&unknown[..8]);
    assert!(text.contains("needs a terminal"), "{text}");
    let (status, text) = offer(&unknown);
    assert!(status == Some(255) && text.contains("Too many authentication attempts"), "{status:?} {text}");
}

/// Keys that the server accepts and the client cannot use, since their private parts are missing.
#[test]
fn keys_that_a_connection_offers_are_limited() {
    if !has_ssh("keys_that_a_connection_offers_are_limited") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let keys: Vec<String> = (0..16)
        .map(|number| {
            let file = server.key(&number.to_string());
            fs::remove_file(&file).unwrap();
            file.with_extension("pub").display().to_string()
        })
        .collect();
    let offer = |keys: &[String], last| server.run_ssh(&[&["-T"], &identities(keys)[..]].concat(), "anna", last, &[]);
    let (_, text) = offer(&keys, None);
    assert!(text.contains("needs a terminal"), "{text}");
    let last = server.key("last");
    let (status, text) = offer(&keys, Some(&last));
    assert!(status == Some(255) && !text.contains("needs a terminal"), "{status:?} {text}");
}

#[test]
fn who_does_not_come_back_in_time_has_lost() {
    if !has_ssh("who_does_not_come_back_in_time_has_lost") {
        return;
    }
    let server = Server::start(&["--anonymous", "--come-back", "1"]);
    let key = server.key("anna");
    let mut anna = Guest::join(&server, "anna", Some(&key));
    open_table(&mut anna, "");
    let mut bert = Guest::join(&server, "bert", None);
    bert.until("anna v empty");
    bert.types("\r");
    anna.until("Your move");
    anna.types("a");
    bert.until("Your move");
    anna.breaks();
    bert.until("anna left: bert wins");
    let anna = Guest::join(&server, "anna", Some(&key));
    anna.until("empty v bert");
    assert!(server.games_when(1)[0].contains("[Termination \"abandoned\"]"), "{:?}", server.games());
}

/// A text of which the first 64 KiB are a game, and the rest is none.
#[test]
fn pastes_are_cut() {
    if !has_ssh("pastes_are_cut") {
        return;
    }
    let server = Server::with_config("[guest]\npaste_kb = 1024\n", &["--bytes-in", "10000000"]);
    let mut anna = Guest::join(&server, "anna", None);
    go_to_board(&mut anna);
    let text = |blanks: usize| format!("[Game \"kalah:6x4:standard\"]\n\nA b {}and no game", " ".repeat(blanks));
    paste(&mut anna, &text(1000));
    anna.until("The pasted text: line 3");
    paste(&mut anna, &text(64 << 10));
    anna.until("1 A");
}

#[test]
fn keys_that_a_busy_session_has_not_read_are_limited() {
    if !has_ssh("keys_that_a_busy_session_has_not_read_are_limited") {
        return;
    }
    let server = Server::start(&["--anonymous", "--bytes-in", "10000000"]);
    let mut anna = Guest::join(&server, "anna", None);
    go_to_board(&mut anna);
    anna.types(&"iABu".repeat(16 << 10));
    server.until_log("a client that waits", |log| log.contains("1024 keys of a client wait for its session"));
    anna.types("?");
    anna.until(": the rules");
}

#[test]
fn a_terminal_that_is_too_large_is_drawn_on_in_part() {
    if !has_ssh("a_terminal_that_is_too_large_is_drawn_on_in_part") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let anna = Guest::join_on(&server, (1000, 400), "anna");
    // The footer is the last row, and the panel above as wide as the screen.
    anna.until("? help  q quit");
    let screen = anna.sees();
    let widest = screen.lines().map(|line| line.trim_end().chars().count()).max();
    assert_eq!((widest, screen.trim_end().lines().count()), (Some(500), 200));
}

#[test]
fn names_and_the_chat_are_limited() {
    if !has_ssh("names_and_the_chat_are_limited") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let mut anna = Guest::join_on(&server, (200, 150), "abcdefghijklmnopqrstuvwxyz");
    anna.until("abcdefghijklmnop");
    assert!(!anna.sees().contains("abcdefghijklmnopq"), "{}", anna.sees());
    open_table(&mut anna, "");
    anna.types(&format!("/{}\r", "x".repeat(250)));
    let count = |screen: &str| screen.matches('x').count();
    anna.wait("a line of 200 letters", |screen| !screen.contains("_") && count(screen) >= 200);
    assert_eq!(count(&anna.sees()), 200, "{}", anna.sees());
    let lines: String = (1..=60).map(|number| format!("/line {number}.\r")).collect();
    anna.types(&lines);
    anna.until("line 60.");
    let screen = anna.sees();
    assert!(screen.contains("line 11.") && !screen.contains("line 10."), "{screen}");
}

#[test]
fn changes_of_a_game_are_limited() {
    if !has_ssh("changes_of_a_game_are_limited") {
        return;
    }
    let server = Server::with_config("[board]\nnorth = \"human\"\nanimation = 0\n", &["--bytes-in", "10000000"]);
    let mut anna = Guest::join(&server, "anna", None);
    go_to_board(&mut anna);
    anna.types("A");
    anna.until("1 A");
    // Delete the move and restore it; then a new one.
    anna.types(&("\x1b[3~yU".repeat(1000) + "b"));
    anna.until("Guests change a game at most 2000 times");
}

/// A limit on the memory of the process, lower than the server's own, so that a client reaches it.
#[test]
fn the_memory_of_the_process_is_limited() {
    if !has_ssh("the_memory_of_the_process_is_limited") {
        return;
    }
    let config = "[guest]\ndepth = 60\ntable_mb = 1024\n";
    let usual = Server::with_config(config, &[]);
    assert_eq!(usual.process_limit("Max data size"), (4_u64 << 30).to_string());
    let lower = ["sh", "-c", "ulimit -d 65536; exec \"$@\"", "sh"];
    let mut server = Server::under(&lower, config, &["--threads", "1", "--table-memory", "4096"]);
    let mut anna = Guest::join(&server, "anna", None);
    go_to_board(&mut anna);
    anna.types("i");
    assert_eq!(server.ended(), Some(6), "SIGABRT");
}

/// The same for the size of files: a game that is too large is not kept, and its players play on.
#[test]
fn the_size_of_files_is_limited() {
    if !has_ssh("the_size_of_files_is_limited") || !has_program("the_size_of_files_is_limited", "prlimit") {
        return;
    }
    let config = "[log]\nlevel = \"error\"\n";
    let usual = Server::with_config(config, &[]);
    assert_eq!(usual.process_limit("Max file size"), (16 << 20).to_string());
    // A line of the log is shorter, and a game longer. The server's key is there before.
    let folder = tempfile::tempdir().unwrap();
    let host_key = make_key(folder.path(), "host");
    let server = Server::under(&["prlimit", "--fsize=256"], config, &["--host-key", host_key.to_str().unwrap()]);
    let [mut anna, mut bert] = ["anna", "bert"].map(|name| Guest::join(&server, name, None));
    open_table(&mut anna, "");
    bert.until("anna v empty");
    bert.types("\r");
    play_to_the_end(&mut [&mut anna, &mut bert]);
    server.until_log("an error", |log| log.contains("cannot keep a game") && log.contains("too large"));
    assert!(server.games().is_empty(), "{:?}", server.games());
    anna.types("M");
    bert.until("M: accept the rematch");
    bert.types("M");
    bert.until("Your move");
}

#[test]
fn a_large_log_is_put_aside() {
    if !has_ssh("a_large_log_is_put_aside") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let log = fs::File::options().append(true).open(server.file("mancalab/mancalab.log")).unwrap();
    log.set_len(1 << 20).unwrap();
    // The first line makes it too large.
    for _ in 0..2 {
        let (_, text) = server.run_ssh(&[], "anna", None, &["ls"]);
        assert!(text.contains("exec request failed"), "{text}");
    }
    let old = server.file("mancalab/mancalab.log.old");
    assert!(fs::metadata(&old).unwrap().len() > 1 << 20);
    assert!(server.log().contains("refused: a command"), "{}", server.log());
}

/// What `[guest]` of the config sets for searches and pastes.
#[test]
fn searches_and_pastes_are_limited() {
    if !has_ssh("searches_and_pastes_are_limited") {
        return;
    }
    let limits = "depth = 30\niterations = 100\nseconds = 1\nanalysis_seconds = 1\npaste_kb = 1\n";
    let server = Server::with_config(&format!("[board]\nanimation = 0\n[guest]\n{limits}"), &[]);
    let mut anna = Guest::join(&server, "anna", None);
    go_to_board(&mut anna);
    paste(&mut anna, &"x".repeat(2000));
    anna.until("guests paste at most 1 KiB");
    // No search of so many plies ends by itself.
    anna.types("i");
    anna.until("· done ·");
    anna.types("in");
    anna.until("New game");
    // The long form, and in it the player of North.
    anna.types("\x1b[A\x1b[C\x1b[A\x1b[A\x1b[A\x15minimax:31\r");
    anna.until("at most 30 plies");
    anna.types("\x15mcts:101\r");
    anna.until("at most 100 playouts");
    anna.types("\x15minimax:30\r");
    anna.wait("the game", |screen| !screen.contains("New game") && screen.contains("minimax:30"));
    anna.types("A");
    anna.wait("a move", |screen| screen.contains("1 A ") && screen.contains("South  you · to move"));
}

/// The same for sessions.
#[test]
fn sessions_are_limited_by_the_config() {
    if !has_ssh("sessions_are_limited_by_the_config") {
        return;
    }
    let server = Server::with_config("[guest]\nsessions = 1\nminutes = 1\n", &[]);
    let anna = Guest::join(&server, "anna", None);
    anna.until("No tables yet");
    let mut bert = Guest::join(&server, "bert", None);
    bert.until("as many guests as it allows");
    assert_eq!(bert.ended(), 1);
    // `limits_end_sessions` waits for the end of one.
    assert!(server.log().contains("longest=60s"), "{}", server.log());
}

/// A disk that takes 12 seconds to write a file, and as long to write its folder: strace holds each `fsync` back.
#[test]
fn the_end_waits_for_games_only_so_long() {
    let name = "the_end_waits_for_games_only_so_long";
    if !has_ssh(name) || !has_program(name, "strace") {
        return;
    }
    let traced = ["strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=fsync", "-e"];
    let slow = [&traced[..], &["inject=fsync:delay_enter=12000000"]].concat();
    // Where no process may be traced, strace ends with an error.
    if !Command::new("strace").args(&slow[1..]).arg("true").status().is_ok_and(|status| status.success()) {
        return println!("{name}: skipped, because strace cannot trace");
    }
    let folder = tempfile::tempdir().unwrap();
    let host_key = make_key(folder.path(), "host");
    let mut server = Server::under(&slow, "", &["--host-key", host_key.to_str().unwrap()]);
    let mut anna = Guest::join(&server, "anna", None);
    open_table(&mut anna, &engine());
    anna.types("a");
    anna.wait("the engine's answer", |screen| screen.contains("Your move") && screen.contains("1. A "));
    let (code, took) = server.terminate();
    assert!(code == Some(0) && took >= Duration::from_secs(10), "{code:?} {took:?}");
    assert!(server.log().contains("the games are not written within 10 s: the rest are lost"), "{}", server.log());
}
