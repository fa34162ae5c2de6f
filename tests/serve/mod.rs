//! `mancalab serve` with real OpenSSH clients: a game in the lobby, broken lines, what is refused, limits, the end of the server.
//!
//! Only in builds with the feature `serve`: `cargo test --features serve --test all serve`.

#![cfg(feature = "serve")]
#![allow(clippy::print_stdout)]

mod guest;
#[cfg(target_os = "linux")]
mod limits;

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use guest::{Guest, PATIENCE, Server, has_ssh, make_key};
use mancalab::game::notation;

/// Opens a table with the dialog's first choices, after some keys in it.
fn open_table(guest: &mut Guest, keys: &str) {
    guest.until("No tables yet");
    open_another(guest, keys);
}

fn open_another(guest: &mut Guest, keys: &str) {
    guest.types("n");
    guest.until("Open a table");
    guest.types(keys);
    guest.types("\r");
    guest.wait("the table", |screen| screen.contains("Moves") && !screen.contains("Open a table"));
}

const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";

/// Keys that choose the weakest engine opposite: below the game, three rules and the side.
fn engine() -> String {
    DOWN.repeat(5) + RIGHT
}

/// Presses each pit's key in turn until the game is over.
fn play_to_the_end(guests: &mut [&mut Guest; 2]) {
    let mut pits = "abcdef".chars().cycle();
    let is_over = |screen: &str| screen.contains("(M: rematch)");
    let mut presses = 0;
    while !guests.iter().all(|guest| is_over(&guest.sees())) {
        for guest in guests.iter_mut() {
            let before = guest.sees();
            if before.contains("Your move") {
                guest.types(&pits.next().unwrap().to_string());
                presses += 1;
                assert!(presses < 2000, "the game does not end:\n{before}");
                // An empty pit changes nothing but a notice.
                guest.changes_from(&before, Duration::from_millis(300));
            }
        }
    }
}

#[test]
fn two_play_to_the_end_while_a_third_watches_and_a_fourth_comes_back() {
    if !has_ssh("two_play_to_the_end_while_a_third_watches_and_a_fourth_comes_back") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    let key = |name: &str| Some(server.key(name));
    let mut anna = Guest::join(&server, "anna", key("anna").as_deref());
    open_table(&mut anna, "");
    anna.until("Waiting for somebody");
    let mut bert = Guest::join(&server, "bert", key("bert").as_deref());
    bert.wait("an open table", |screen| screen.contains("anna v empty") && screen.contains("open "));
    bert.types("\r");
    bert.until("anna is to move");
    anna.until("bert sits down");

    let mut carl = Guest::join(&server, "carl", None);
    carl.until("anna v bert");
    carl.types("w");
    carl.until("anna is to move");
    anna.until("Chat: carl watches");
    anna.types("/good luck\r");
    carl.until("anna: good luck");

    // The fourth plays an engine, and the line breaks.
    let mut dora = Guest::join(&server, "dora", key("dora").as_deref());
    dora.until("anna v bert");
    open_another(&mut dora, &engine());
    dora.until("beginner engine");
    dora.types("a");
    dora.wait("the engine's answer", |screen| screen.contains("Your move") && screen.contains("1. A "));
    let board = dora.sees();
    dora.breaks();
    let erik = Guest::join(&server, "erik", None);
    erik.until("dora · plays at table 2, away");

    play_to_the_end(&mut [&mut anna, &mut bert]);
    carl.wait("the end", |screen| screen.contains("wins") || screen.contains("draw"));
    let result = anna.sees();
    assert!(result.contains("anna wins") || result.contains("bert wins") || result.contains("draw"), "{result}");

    // Under another key the name gives no seat; under the own key the table is as it was left.
    let stranger = Guest::join(&server, "dora", key("stranger").as_deref());
    stranger.until("dora-2");
    stranger.wait("the lobby", |screen| screen.contains("anna v bert"));
    let dora = Guest::join(&server, "dora", key("dora").as_deref());
    dora.until("dora is back");
    let moves = |screen: &str| {
        screen.lines().find(|line| line.contains("1. A ")).map(|line| line[line.find("1. A ").unwrap()..].to_owned())
    };
    assert_eq!(moves(&dora.sees()), moves(&board));
    dora.until("Your move");

    // A rematch with sides swapped.
    anna.types("M");
    bert.until("M: accept the rematch");
    bert.types("M");
    bert.until("Your move");
    bert.types("a");
    bert.until("anna is to move");
    bert.types("R");
    bert.until("Resign?");
    bert.types("y");
    anna.until("bert resigned: anna wins");
    let games = server.games_when(2);
    assert_eq!(games.len(), 2, "{games:?}");
    let records: Vec<_> = games.iter().map(|text| notation::read(text).unwrap()).collect();
    let whole = records.iter().find(|record| record.players == ["anna", "bert"]).unwrap();
    assert!(whole.ending_at(whole.main_end()).is_some(), "{games:?}");
    assert!(
        records.iter().any(|record| record.players == ["bert", "anna"] && record.header("Resigned") == Some("South"))
    );

    // Who quits leaves with status 0, and the terminal is restored.
    carl.types("q");
    assert_eq!(carl.ended(), 0);
}

#[test]
fn without_keys_nobody_may_enter() {
    let home = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mancalab"));
    let output = command.args(["serve", "ssh"]).env_clear().env("HOME", home.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("authorized_keys is missing; put public keys into it, name another file by"), "{text}");
}

#[test]
fn only_a_terminal_is_served_and_only_known_keys_are_let_in() {
    if !has_ssh("only_a_terminal_is_served_and_only_known_keys_are_let_in") {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let key = make_key(home.path(), "known");
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    fs::create_dir(home.path().join("mancalab")).unwrap();
    fs::write(home.path().join("mancalab/authorized_keys"), format!("# friends\n{public}")).unwrap();
    let server = Server::within(home, &[]);
    let mode = fs::metadata(server.file("mancalab/ssh_host_ed25519_key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let unknown = server.key("unknown");
    for key in [Some(unknown.as_path()), None] {
        let (status, text) = server.run_ssh(&["-o", "BatchMode=yes"], "anna", key, &[]);
        assert!(status == Some(255) && text.contains("Permission denied (publickey)"), "{status:?} {text}");
    }
    let known = Some(key.as_path());
    let refused = |before: &[&str], after: &[&str]| {
        let (status, text) = server.run_ssh(before, "anna", known, after);
        assert!(!matches!(status, Some(0)), "{before:?} {after:?}: {text}");
        text
    };
    assert!(refused(&[], &["ls"]).contains("exec request failed"));
    assert!(refused(&["-s"], &["sftp"]).contains("subsystem request failed"));
    assert!(refused(&["-W", "127.0.0.1:22"], &[]).contains("forwarding failed"));
    assert!(
        refused(&["-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22"], &[]).contains("forwarding failed")
    );
    assert!(refused(&["-T"], &[]).contains("needs a terminal"));
    let log = server.log();
    for what in ["a command", "subsystem sftp", "port forwarding", "a shell without a terminal"] {
        assert!(log.contains(&format!("refused: {what}")), "{what}: {log}");
    }
    let mut anna = Guest::join(&server, "anna", known);
    anna.until("No tables yet");
    anna.types("q");
    assert_eq!(anna.ended(), 0);
}

#[test]
fn limits_end_sessions() {
    if !has_ssh("limits_end_sessions") {
        return;
    }
    let idle = Server::start(&["--anonymous", "--idle-limit", "1", "--login-limit", "1"]);
    let long = Server::start(&["--anonymous", "--session-limit", "1"]);
    let mut silent = TcpStream::connect(("127.0.0.1", idle.port)).unwrap();
    for (server, why) in
        [(&idle, "No key was pressed for too long."), (&long, "The session has reached its greatest length.")]
    {
        let mut anna = Guest::join(server, "anna", None);
        anna.until(why);
        assert_ne!(anna.ended(), 0);
    }
    silent.set_read_timeout(Some(PATIENCE)).unwrap();
    std::io::copy(&mut silent, &mut std::io::sink()).unwrap();
    assert!(idle.log().contains("no login within 1s"));
}

/// Games that a person begins in a minute, and games in the folder.
#[test]
fn games_are_limited() {
    if !has_ssh("games_are_limited") {
        return;
    }
    let server = Server::start(&["--anonymous", "--games", "1"]);
    let mut anna = Guest::join(&server, "anna", None);
    open_table(&mut anna, &engine());
    for game in 1..=6 {
        anna.until("Your move");
        anna.types("R");
        anna.until("The game is lost then.");
        anna.types("y");
        anna.until("M rematch");
        anna.types("M");
        let refused = "6 games a minute are the limit";
        anna.wait("a rematch, or why there is none", |screen| {
            (game < 6 && !screen.contains("M rematch")) || screen.contains(refused)
        });
    }
    anna.types("L");
    anna.until("No tables yet");
    assert_eq!(server.games().len(), 1);
    assert!(server.log().contains("as many games of the lobby as --games allows"), "{}", server.log());
}

/// Whether an analysis has filled a table of 16 MiB for the most part: by its nodes, or by the games that it has played.
fn has_searched(screen: &str) -> bool {
    let number = |unit: &str| screen.split_once(unit).and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    let least = |unit: &str, least: f64| number(unit).is_some_and(|number: f64| number >= least);
    least("M nodes", 5.0) || least("k games", 250.0) || least("M games", 1.0)
}

/// Tables and trees of analyses: their memory after a long search.
#[test]
fn the_memory_of_tables_is_limited() {
    if !has_ssh("the_memory_of_tables_is_limited") {
        return;
    }
    let grown = |most: &str, megabytes: u32, engine: &str| {
        let config = format!("[guest]\ndepth = 60\niterations = 10000000\ntable_mb = {megabytes}\n");
        let server = Server::with_config(&config, &["--table-memory", most]);
        let mut anna = Guest::join(&server, "anna", None);
        anna.until("No tables yet");
        anna.types("\x1b2");
        anna.until("to move");
        let before = server.memory();
        anna.types(engine);
        anna.wait("a long search", has_searched);
        server.memory().saturating_sub(before)
    };
    for engine in ["i", "oi"] {
        let usual = grown("256", 16, engine);
        let limited = [grown("1", 16, engine), grown("256", 1, engine)];
        let is_small = limited.iter().all(|grown| *grown < 4 << 10);
        assert!(usual > 6 << 10 && is_small, "{engine}: {limited:?} and {usual} KiB");
    }
}

#[test]
fn a_client_that_sends_much_has_to_wait() {
    if !has_ssh("a_client_that_sends_much_has_to_wait") {
        return;
    }
    let server = Server::start(&["--anonymous", "--bytes-in", "8192"]);
    let mut anna = Guest::join(&server, "anna", None);
    anna.until("No tables yet");
    // A paste, which no session has to keep up with: 60 KiB, of which 32 may come at once.
    anna.types(&format!("\x1b[200~{}\x1b[201~", "x".repeat(60 << 10)));
    let began = std::time::Instant::now();
    while !server.log().contains("a client sends more than 8192 bytes a second") {
        assert!(began.elapsed() < PATIENCE, "{}", server.log());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn guests_are_counted_by_key_address_and_in_all_with_those_away() {
    if !has_ssh("guests_are_counted_by_key_address_and_in_all_with_those_away") {
        return;
    }
    let server = Server::start(&["--anonymous", "--sessions", "5", "--sessions-by-address", "4"]);
    let key = server.key("one");
    let join = |address: &str, name: &str, key: Option<&Path>| Guest::join_from(&server, address, name, key);
    let refused = |mut guest: Guest, why: &str| {
        guest.until(why);
        assert_eq!(guest.ended(), 1);
    };
    let mut in_time: Vec<Guest> =
        ["anna", "bert", "carl"].iter().map(|name| join("127.0.0.1", name, Some(&key))).collect();
    in_time.iter().for_each(|guest| guest.until("No tables yet"));
    refused(join("127.0.0.1", "dora", Some(&key)), "at most 3 guests have the same key");
    in_time.push(join("127.0.0.1", "dora", None));
    in_time[3].until("No tables yet");
    refused(join("127.0.0.1", "erik", None), "too many guests from your address");
    in_time.push(join("127.0.0.2", "erik", None));
    in_time[4].until("No tables yet");
    // One who is away keeps the place.
    let mut anna = in_time.remove(0);
    open_table(&mut anna, "");
    anna.breaks();
    in_time[0].until("anna · sits at table 1, away");
    refused(join("127.0.0.2", "fred", None), "as many guests as it allows");
    join("127.0.0.2", "anna", Some(&key)).until("anna is back");
}

#[test]
fn silent_connections_keep_nobody_out() {
    if !has_ssh("silent_connections_keep_nobody_out") {
        return;
    }
    let server = Server::start(&["--anonymous", "--logins", "6", "--logins-by-address", "2"]);
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let silent: Vec<TcpStream> = (0..20).map(|_| connect()).collect();
    let anna = Guest::join(&server, "anna", None);
    anna.until("No tables yet");
    drop(silent);
    assert!(server.log().contains("too many connections without a session"));
}

/// Those of finite fields take the server far longer than the client.
#[test]
fn only_cheap_key_exchanges_are_offered() {
    if !has_ssh("only_cheap_key_exchanges_are_offered") {
        return;
    }
    let server = Server::start(&["--anonymous"]);
    for costly in ["16-sha512", "18-sha512", "14-sha256", "exchange-sha256"] {
        let option =
            format!("KexAlgorithms=diffie-hellman-group{}{costly}", if costly.starts_with('e') { "-" } else { "" });
        let (status, text) = server.run_ssh(&["-o", &option, "-o", "LogLevel=INFO"], "anna", None, &[]);
        assert!(status == Some(255) && text.contains("no matching key exchange method"), "{costly}: {text}");
    }
    let (_, text) = server.run_ssh(&["-T", "-o", "KexAlgorithms=curve25519-sha256"], "anna", None, &[]);
    assert!(text.contains("needs a terminal"), "{text}");
}

#[test]
fn the_end_of_the_server_keeps_games_and_is_reported() {
    if !has_ssh("the_end_of_the_server_keeps_games_and_is_reported") {
        return;
    }
    let mut server = Server::start(&["--anonymous"]);
    let mut anna = Guest::join(&server, "anna", None);
    open_table(&mut anna, &engine());
    anna.types("b");
    anna.wait("the engine's answer", |screen| screen.contains("Your move") && screen.contains("1. B "));
    let (code, took) = server.terminate();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_ne!(anna.ended(), 0);
    anna.until("The server is shutting down.");
    let games = server.games();
    let [game] = &games[..] else { panic!("{games:?}") };
    let record = notation::read(game).unwrap();
    assert!(record.line().len() >= 2 && game.contains("[Result \"*\"]"), "{game}");
}

#[test]
fn keys_of_several_guests_start_no_threads() {
    if !has_ssh("keys_of_several_guests_start_no_threads") {
        return;
    }
    let server = Server::start(&["--anonymous", "--threads", "2"]);
    let mut guests = ["anna", "bert"].map(|name| Guest::join(&server, name, None));
    // The second tab is a board of the guest's own.
    for guest in &mut guests {
        guest.until("No tables yet");
        guest.types("\x1b2");
        guest.until("to move");
    }
    let before = server.threads();
    let mut most = 0;
    for _ in 0..5 {
        // Analyse, two moves, back.
        guests.iter_mut().for_each(|guest| guest.types(&"iABu".repeat(200)));
        most = most.max(server.threads());
    }
    for guest in &mut guests {
        guest.types("?");
        guest.until(": the rules");
    }
    // Two for jobs and two for background tasks.
    most = most.max(server.threads());
    assert!(most <= before + 4, "{most} threads, {before} before");
}
