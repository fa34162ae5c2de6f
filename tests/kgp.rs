//! `mancalab serve kgp` and `connect kgp`: the program as a server and as agents. What they say to each other is tested beside the code.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

fn start(home: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.args(args).env("HOME", home).env("XDG_STATE_HOME", home).env("XDG_CONFIG_HOME", home).current_dir(home);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A server, the addresses that it prints, and the rest of what it reports.
fn serve(home: &Path, args: &[&str]) -> (Child, Vec<String>, BufReader<std::process::ChildStderr>) {
    let common = ["serve", "kgp", "--listen", "127.0.0.1:0", "--websocket", "127.0.0.1:0", "--seed", "1"];
    let mut server = start(home, &[&common, args].concat());
    let mut reports = BufReader::new(server.stderr.take().unwrap());
    let mut address = || {
        let mut line = String::new();
        reports.read_line(&mut line).unwrap();
        line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).split(' ').next().unwrap().to_owned()
    };
    let addresses = vec![address(), address()];
    (server, addresses, reports)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_tournament_of_agents_is_played_printed_and_saved() {
    let home = tempfile::tempdir().unwrap();
    let args = ["--boards", "3x2,9x1", "--games", "2", "--save", "games", "--json"];
    let (server, addresses, _reports) = serve(home.path(), &args);
    let websocket = format!("ws://{}/socket", addresses[1]);
    let one = start(home.path(), &["connect", "kgp", &addresses[0], "--player", "minimax:2", "--name", "one"]);
    let other = start(home.path(), &["connect", "kgp", &websocket, "--player", "max", "--verbose"]);
    let ended = server.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended));
    let json: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    crate::json::check("kgp-serve", &json);
    let mut names: Vec<&str> =
        json["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["mancalab max", "one"], "{json}");
    assert_eq!((json["games"].as_array().unwrap().len(), &json["finished"]), (8, &true.into()), "{json}");
    for (agent, part) in [(one, "connected, protocol version: 1.0.1"), (other, "< 2 kgp 1 0 1")] {
        let ended = agent.wait_with_output().unwrap();
        assert!(ended.status.success() && text(&ended).contains(part), "{}", text(&ended));
    }
    let saved = std::fs::read_dir(home.path().join("games")).unwrap().count();
    assert_eq!(saved, 8);
    let game = home.path().join("games/1-2-00001.game");
    let review = start(home.path(), &["review", game.to_str().unwrap(), "--depth", "2"]).wait_with_output().unwrap();
    assert!(review.status.success(), "{}", text(&review));
}

#[test]
fn a_signal_ends_a_server_with_a_goodbye_and_its_table() {
    let home = tempfile::tempdir().unwrap();
    let (mut server, addresses, mut reports) = serve(home.path(), &[]);
    let agent = start(home.path(), &["connect", "kgp", &addresses[0], "--player", "max"]);
    let mut line = String::new();
    reports.read_line(&mut line).unwrap();
    assert_eq!(line, "mancalab max is agent 1 of 2\n");
    kill_process(Pid::from_child(&server), Signal::INT).unwrap();
    let mut table = String::new();
    server.stdout.take().unwrap().read_to_string(&mut table).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(130));
    assert!(table.starts_with("agent ") && table.contains("mancalab max"), "{table}");
    let ended = agent.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", text(&ended));
}

#[test]
fn what_cannot_be_is_refused_with_what_is_accepted() {
    let home = tempfile::tempdir().unwrap();
    for (args, part) in [
        (&["serve", "kgp", "--boards", "2x4"][..], "3 to 12 pits a side, such as 6x4 (got '2x4')"),
        (&["serve", "kgp", "--boards", "6x13"], "seeds a pit must be 1 to 12"),
        (&["serve", "kgp", "--agents", "1"], "2 to 64"),
        (&["serve", "kgp", "--time", "0"], "0.01 to 3600"),
        (&["serve", "kgp", "--listen", "127.0.0.1:x"], "cannot listen on 127.0.0.1:x"),
        (&["connect", "kgp", "wss://example.org"], "TLS"),
        (&["connect", "kgp", "127.0.0.1:1"], "cannot connect to 127.0.0.1:1"),
        (&["connect", "kgp", "127.0.0.1:1", "--player", "human"], "human"),
        (&["connect", "kgp", "127.0.0.1:1", "--player", "samuel:2"], "does not play Kalah"),
    ] {
        let ended = start(home.path(), args).wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{args:?}: {}", text(&ended));
        assert!(text(&ended).contains(part), "{args:?}: {}", text(&ended));
    }
}
