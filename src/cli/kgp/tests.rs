//! Agents and servers that talk to each other over real connections.

mod peers;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args as _;
use crossbeam_channel::{Receiver, bounded};

use super::link::{Link, LinkEvent, UNREAD};
use super::serve::{Acceptor, Kind, ServeArgs, hold};
use super::server::{LONGEST_NAME, MAX_FAULTS, MAX_WAITING, Server, Settings, WAITING_BY_ADDRESS};
use super::session::{End, Identity, MAX_REQUESTS, Session};
use super::wire::{Argument, Command, LONGEST};
use super::{connect, serve};
use crate::cli::limits_in;
use crate::pool::Pool;

/// Before this everything that a test waits for has happened.
const SOON: Duration = Duration::from_secs(60);

fn session(player: &str) -> Session {
    let identity = Identity { name: "it".to_owned(), ..Identity::default() };
    Session::new(Some(player.parse().unwrap()), identity, Duration::from_secs(5), Pool::alone(), 1)
}

/// Sends lines to a session; returns what it writes until it has answered.
fn talk(session: &mut Session, lines: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    for line in lines {
        assert_eq!(session.take(line), None, "{line}");
        while session.is_thinking() {
            session.step().unwrap();
        }
        out.extend(session.take_out().iter().map(Command::to_string));
    }
    out
}

/// The example of section "Freeplay Mode".
#[test]
fn an_agent_follows_the_transcript_of_the_specification() {
    let mut agent = session("minimax:4");
    assert_eq!(talk(&mut agent, &["kgp 1 0 1"]), ["1 set info:name \"it\"", "3 mode freeplay"]);
    let first = talk(&mut agent, &["4 state <3,0,0,3,3,3,3,3,3>"]);
    assert!(first.len() >= 2 && first[..first.len() - 1].iter().all(|line| line.contains("@4 move ")), "{first:?}");
    assert!(first.last().unwrap().ends_with("@4 yield"), "{first:?}");
    assert!(talk(&mut agent, &["6@4 stop"]).is_empty(), "the search is over");
    let second = talk(&mut agent, &["8 state <3,1,3,0,4,4,4,3,3>", "10@8 stop"]);
    let pits: Vec<i64> = second.iter().filter_map(|line| Command::parse(line).unwrap().integer(0)).collect();
    assert!(!pits.is_empty() && pits.iter().all(|pit| [2, 3].contains(pit)), "pit 1 is empty: {second:?}");
    assert_eq!(agent.take("goodbye"), Some(End::Goodbye));
}

#[test]
fn an_agent_stops_a_search_that_has_no_end_and_answers_pings_during_it() {
    let mut agent = session("minimax:60");
    agent.take("kgp 1 0 1");
    agent.take("2 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>");
    agent.take("4 state <8,0,0,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9>");
    (0..4).for_each(|_| agent.step().unwrap());
    agent.take("6 ping");
    let out: Vec<Command> = agent.take_out();
    let answers = |name: &str, id: u64| out.iter().any(|one| one.name == name && one.reference == Some(id));
    assert!(answers("move", 2) && answers("move", 4) && answers("pong", 6), "{out:?}");
    assert!(out.iter().all(|one| one.name != "yield"), "{out:?}");
    agent.take("8@2 stop");
    assert!(agent.is_thinking());
    agent.take("10@4 stop");
    assert!(!agent.is_thinking());
    assert!(agent.take_out().is_empty());
}

#[test]
fn an_agent_keeps_to_the_clock_of_the_server() {
    for (clock, most) in
        [(["set time:mode relative", "set time:clock 1"], 2), (["set time:mode absolute", "set time:clock 5"], 1)]
    {
        let mut agent = session("minimax:60");
        talk(&mut agent, &["kgp 1 0 1"]);
        talk(&mut agent, &clock);
        let began = Instant::now();
        let out = talk(&mut agent, &["2 state <8,0,0,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9>"]);
        assert!(out.last().unwrap().ends_with("@2 yield"), "{out:?}");
        assert!(began.elapsed() < Duration::from_secs(most), "{clock:?}: {:?}", began.elapsed());
    }
}

#[test]
fn what_an_agent_cannot_answer_it_refuses() {
    for (line, part) in [
        ("2 state", "needs a board"),
        ("2 state <3,0,0,1>", "the board <3,0,0,1>"),
        ("2 state <13,0,0>", "pits a side"),
        ("2 state <3,0,0,0,0,0,1,1,1>", "the game is over"),
    ] {
        let out = talk(&mut session("minimax:2"), &[line]);
        assert!(out[0].contains("@2 error ") && out[0].contains(part) && out[1].ends_with("@2 yield"), "{out:?}");
    }
    for rubbish in ["?", "\u{1b}[2J", "bogus 1", "4 state \"", "set", "stop 1 2 3"] {
        assert!(talk(&mut session("minimax:2"), &[rubbish]).iter().all(|line| line.contains("error ")), "{rubbish}");
    }
    assert!(matches!(session("max").take("kgp 2 0 0"), Some(End::Failed(why)) if why.contains("2.0.0")));
}

/// A server in a thread: the tournament of these settings until it is over. Returns its addresses, and itself at the end.
fn tournament(settings: Settings) -> ([std::net::SocketAddr; 2], Receiver<Server>) {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let addresses = [0, 1].map(|at| listeners[at].local_addr().unwrap());
    let (sender, events) = bounded(64);
    let number = Arc::new(AtomicU64::new(0));
    for (listener, kind) in listeners.into_iter().zip([Kind::Tcp, Kind::WebSocket]) {
        let events = sender.clone();
        let number = Arc::clone(&number);
        Acceptor { kind, patience: settings.patience, events, number }.start(listener).unwrap();
    }
    let (over, result) = bounded(1);
    thread::spawn(move || {
        let mut server = Server::new(settings);
        hold(&mut server, &events, || false).unwrap();
        server.close();
        over.send(server).unwrap();
    });
    (addresses, result)
}

fn settings(agents: usize, boards: &[&str]) -> Settings {
    Settings {
        agents,
        boards: boards.iter().map(|text| text.parse().unwrap()).collect(),
        rounds: 1,
        time: SOON,
        patience: SOON,
        seed: 1,
        save: None,
    }
}

/// An agent in a thread, until the server says goodbye.
fn agent(player: &str, address: std::net::SocketAddr, is_websocket: bool) -> thread::JoinHandle<u64> {
    let mut session = session(player);
    thread::spawn(move || {
        let (sender, lines) = bounded(64);
        let deliver = move |incoming| sender.send(incoming).is_ok();
        let stream = TcpStream::connect(address).unwrap();
        let link = if is_websocket {
            Link::open(stream, &format!("ws://{address}/socket"), Instant::now() + SOON, deliver).unwrap()
        } else {
            Link::tcp(stream, deliver).unwrap()
        };
        loop {
            let line = if session.is_thinking() { lines.try_recv().ok() } else { lines.recv_timeout(SOON).ok() };
            match line {
                Some(LinkEvent::Line(line)) if session.take(&line) == Some(End::Goodbye) => break,
                Some(LinkEvent::Line(_)) => {}
                Some(other) => panic!("{other:?}"),
                None => session.step().unwrap(),
            }
            session.take_out().iter().for_each(|command| link.send(command).unwrap());
        }
        link.close();
        session.answered
    })
}

#[test]
fn agents_play_to_the_end_over_tcp_and_websocket_on_boards_of_3_to_12_pits() {
    let folder = tempfile::tempdir().unwrap();
    let boards = ["kalah:3x2", "kalah:6x4", "kalah:12x1"];
    let save = Some(folder.path().to_owned());
    let ([tcp, websocket], over) = tournament(Settings { save, ..settings(3, &boards) });
    let agents = [agent("minimax:3", tcp, false), agent("minimax:2", websocket, true), agent("random", tcp, false)];
    let server = over.recv_timeout(SOON).unwrap();
    let answered: u64 = agents.into_iter().map(|agent| agent.join().unwrap()).sum();
    assert_eq!(server.played.len(), 3 * 2 * boards.len());
    let moves: u64 = server.played.iter().map(|game| u64::from(game.moves)).sum();
    assert_eq!(answered, moves);
    for row in server.rows() {
        assert_eq!((row.score.games(), row.random, row.illegal, row.forfeits), (12, 0, 0, 0), "{row:?}");
    }
    assert_eq!(server.rows().iter().map(|row| row.seeds).sum::<i64>(), 0);
    let names: Vec<String> = server.rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("it")).count(), 3, "{names:?}");
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2], "{names:?}");
    // The saved games are those that were played.
    let mut margins: Vec<Option<i32>> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let mut record = crate::game::notation::read(&text).unwrap();
            record.to_end();
            record.ending().map(|ending| ending.margin)
        })
        .collect();
    let mut played: Vec<Option<i32>> = server.played.iter().map(|game| game.margin).collect();
    margins.sort();
    played.sort();
    assert_eq!(margins, played);
}

/// A peer by hand.
struct Hand {
    input: BufReader<TcpStream>,
}

impl Hand {
    fn new(address: std::net::SocketAddr) -> Hand {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        Hand { input: BufReader::new(stream) }
    }

    fn send(&mut self, text: &str) {
        // The server may have ended the connection.
        let _ = self.input.get_mut().write_all(text.as_bytes());
    }

    /// Takes a seat.
    fn sit(&mut self) {
        self.send("mode freeplay\r\n");
        self.wait("ok").unwrap();
    }

    /// Answers the next ping.
    fn pong(&mut self) {
        let id = self.wait("ping").unwrap().id.unwrap();
        self.send(&format!("@{id} pong\r\n"));
    }

    /// The next command of this name, passing over others; `None` at the end.
    fn wait(&mut self, name: &str) -> Option<Command> {
        loop {
            let mut line = String::new();
            self.input.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let command = Command::parse(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            if command.name == name {
                return Some(command);
            }
        }
    }
}

/// The example of section "Freeplay Mode", as the server sees it.
#[test]
fn a_server_takes_the_last_move_before_a_yield_and_ignores_moves_after_it() {
    let ([tcp, _], over) = tournament(settings(2, &["kalah:3x3"]));
    let mut hand = Hand::new(tcp);
    let version = hand.wait("kgp").unwrap();
    assert_eq!(version.arguments, [1, 0, 1].map(Argument::Integer));
    hand.send("set info:name \"By\\u001b hand\"\r\n1 mode freeplay\r\n");
    assert_eq!(hand.wait("ok").unwrap().reference, Some(1));
    hand.pong();
    let other = agent("max", tcp, false);
    let state = hand.wait("state").unwrap();
    assert_eq!(state.arguments, [Argument::Board("<3,0,0,3,3,3,3,3,3>".to_owned())]);
    let id = state.id.unwrap();
    hand.send(&format!("3@{id} move 7\r\n"));
    assert_eq!(hand.wait("error").unwrap().reference, Some(3));
    hand.send(&format!("@{id} move 3\r\n@{id} move 1\r\n@{id} yield\r\n@{id} move 2\r\n"));
    assert_eq!(hand.wait("stop").unwrap().reference, Some(id));
    // Pit 1 ends in the store: another turn, with its pit empty.
    let state = hand.wait("state").unwrap();
    assert_eq!(state.arguments, [Argument::Board("<3,1,0,0,4,4,3,3,3>".to_owned())]);
    drop(hand);
    let server = over.recv_timeout(SOON).unwrap();
    other.join().unwrap();
    let rows = server.rows();
    assert_eq!((rows[0].illegal, rows[0].forfeits, rows[1].score.wins), (1, 2, 2), "{rows:?}");
    assert!(server.played.iter().all(|game| game.margin.is_none()));
}

#[test]
fn a_peer_that_sends_rubbish_is_removed_and_the_others_play_on() {
    let ([tcp, _], over) = tournament(settings(3, &["kalah:3x2"]));
    let mut rubbish = Hand::new(tcp);
    rubbish.sit();
    rubbish.pong();
    let agents = [agent("minimax:2", tcp, false), agent("random", tcp, false)];
    rubbish.wait("state").unwrap();
    rubbish.send(&format!("{}\r\n", "x".repeat(100_000)));
    assert!(rubbish.wait("error").unwrap().text(0).unwrap().contains("too long"));
    (0..30).for_each(|_| rubbish.send("\u{1b}]0;%%% \"\r\n"));
    assert!(rubbish.wait("goodbye").is_some());
    let server = over.recv_timeout(SOON).unwrap();
    assert!(agents.into_iter().all(|agent| agent.join().unwrap() > 0));
    let forfeits: Vec<u32> = server.rows().iter().map(|row| row.forfeits).collect();
    assert_eq!((forfeits, server.played.len()), (vec![4, 0, 0], 6));
}

/// It is asked once whether it is there.
#[test]
fn a_peer_that_falls_silent_loses_and_the_others_play_on() {
    let time = Duration::from_millis(300);
    let ([tcp, _], over) =
        tournament(Settings { time, patience: Duration::from_secs(1), ..settings(3, &["kalah:3x2"]) });
    let mut silent = Hand::new(tcp);
    silent.sit();
    silent.pong();
    let agents = [agent("max", tcp, false), agent("random", tcp, false)];
    assert!(silent.wait("ping").is_some());
    let error = silent.wait("error").unwrap();
    assert_eq!(error.text(0), Some("received no pong"));
    assert!(silent.wait("goodbye").is_some());
    let server = over.recv_timeout(SOON).unwrap();
    assert!(agents.into_iter().all(|agent| agent.join().unwrap() > 0));
    let rows = server.rows();
    assert!(rows[0].random > 0 && rows[0].forfeits > 0 && rows[0].score.games() == 4, "{rows:?}");
    assert_eq!((rows[1].forfeits, rows[2].forfeits, rows[1].score.games()), (0, 0, 4));
}

/// Before the games an agent that leaves frees its seat; one with another mode is sent away.
#[test]
fn seats_are_for_those_who_stay() {
    let ([tcp, _], over) = tournament(settings(2, &["kalah:3x1"]));
    let mut other = Hand::new(tcp);
    other.send("1 mode eval\r\n");
    let error = other.wait("error").unwrap();
    assert_eq!((error.reference, error.text(0)), (Some(1), Some("Unsupported activity")));
    assert!(other.wait("goodbye").is_some() && other.wait("goodbye").is_none());
    let mut leaving = Hand::new(tcp);
    leaving.sit();
    leaving.send("goodbye\r\n");
    assert!(leaving.wait("goodbye").is_none());
    let agents = [agent("max", tcp, false), agent("max", tcp, false)];
    let server = over.recv_timeout(SOON).unwrap();
    assert!(agents.into_iter().all(|agent| agent.join().unwrap() > 0));
    assert_eq!((server.rows().len(), server.played.len()), (2, 2));
}
