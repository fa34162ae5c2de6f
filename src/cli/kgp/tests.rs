//! Agents and servers that talk to each other over real connections.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args as _;
use crossbeam_channel::{Receiver, bounded};

use super::link::{Incoming, Link, UNREAD};
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
        let (events, number) = (sender.clone(), Arc::clone(&number));
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
                Some(Incoming::Line(line)) if session.take(&line) == Some(End::Goodbye) => break,
                Some(Incoming::Line(_)) => {}
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

/// A server whose clock the test sets, and a peer of it.
fn peer(server: &mut Server, number: u64, now: Instant) -> Hand {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hand = Hand::new(listener.local_addr().unwrap());
    let (stream, _) = listener.accept().unwrap();
    server.accept(number, stream.try_clone().unwrap(), now);
    server.open(number, Link::tcp(stream, |_| true).unwrap());
    hand
}

/// It is asked at once, and again while it waits for the others.
#[test]
fn before_the_games_only_those_who_answer_keep_a_place() {
    let (settings, now) = (settings(2, &["kalah:3x1"]), Instant::now());
    let mut server = Server::new(settings);
    let line = |text: &str| Incoming::Line(text.to_owned());
    let mut idle = peer(&mut server, 1, now);
    let mut silent = peer(&mut server, 2, now);
    let mut once = peer(&mut server, 3, now);
    for number in [2, 3] {
        server.take(number, line("mode freeplay"), now);
    }
    server.take(3, line("pong"), now);
    server.tick(now + SOON);
    assert_eq!(idle.wait("error").unwrap().text(0), Some("requested no mode"));
    assert_eq!(silent.wait("error").unwrap().text(0), Some("received no pong"));
    assert_eq!(server.rows().len(), 1, "no game began with the silent one");
    server.tick(now + 2 * SOON);
    assert_eq!(once.wait("error").unwrap().text(0), Some("received no pong"));

    let mut hands = [4, 5].map(|number| peer(&mut server, number, now));
    for number in [4, 5] {
        server.take(number, line("mode freeplay"), now);
        server.take(number, line("pong"), now);
    }
    assert!(hands[0].wait("state").is_some(), "the first of the first game moves first");
}

#[test]
fn one_who_comes_late_reads_that_all_seats_are_taken() {
    let ([tcp, _], _over) = tournament(settings(2, &["kalah:3x1"]));
    let mut hands = [(); 3].map(|()| Hand::new(tcp));
    hands[..2].iter_mut().for_each(Hand::sit);
    hands[2].send("1 mode freeplay\r\n");
    assert_eq!(hands[2].wait("error").unwrap().text(0), Some("all seats are taken"));
}

/// Bytes of a handshake that arrive now and again do not prolong it, in either direction.
#[test]
fn a_handshake_has_one_deadline_however_many_bytes_arrive() {
    let patience = Duration::from_millis(300);
    let ([_, websocket], _over) = tournament(Settings { patience, ..settings(2, &["kalah:3x1"]) });
    let drip = |mut stream: TcpStream, began: Instant| {
        while stream.write_all(b"G").is_ok() {
            assert!(began.elapsed() < SOON, "the handshake has no end");
            thread::sleep(Duration::from_millis(5));
        }
    };
    drip(TcpStream::connect(websocket).unwrap(), Instant::now());

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || drip(listener.accept().unwrap().0, Instant::now()));
    let stream = TcpStream::connect(address).unwrap();
    let opened = Link::open(stream, &format!("ws://{address}/"), Instant::now() + patience, |_| true);
    assert_eq!(opened.err().map(|error| error.kind()), Some(std::io::ErrorKind::TimedOut));
    server.join().unwrap();
}

/// More silent connections than there is room for, of one address.
#[test]
fn the_silent_of_one_address_keep_nobody_out() {
    let ([tcp, websocket], over) = tournament(settings(2, &["kalah:3x1"]));
    let silent: Vec<TcpStream> =
        (0..=MAX_WAITING).map(|at| TcpStream::connect([tcp, websocket][at % 2]).unwrap()).collect();
    let agents = [agent("max", tcp, false), agent("max", websocket, true)];
    over.recv_timeout(SOON).unwrap();
    assert!(agents.into_iter().all(|agent| agent.join().unwrap() > 0));
    drop(silent);
}

/// The answers to the pings of a peer that does not read are not kept.
#[test]
fn a_peer_that_reads_no_answer_to_its_pings_is_ended() {
    let ([_, websocket], _over) = tournament(settings(2, &["kalah:3x1"]));
    let stream = TcpStream::connect(websocket).unwrap();
    let mut polled = stream.try_clone().unwrap();
    let (socket, _) = tungstenite::client(format!("ws://{websocket}/"), stream).unwrap();
    polled.set_write_timeout(Some(SOON)).unwrap();
    // A ping of 125 bytes: final, masked by zeros.
    let ping: Vec<u8> = [0x89, 0x80 | 125, 0, 0, 0, 0].into_iter().chain([b'x'; 125]).collect();
    let pings = ping.repeat(1000);
    let mut sent = 0;
    while let Ok(()) = polled.write_all(&pings) {
        sent += pings.len();
        assert!(sent < 1 << 30, "{sent} bytes of pings are answered into memory");
    }
    drop(socket);
}

#[test]
fn names_are_seen_and_nobody_elses() {
    let ([tcp, _], over) = tournament(settings(4, &["kalah:3x1"]));
    let hands = ["anna", "\u{3164}", "\u{430}Anna\u{345}", "A nn-a"].map(|name| {
        let mut hand = Hand::new(tcp);
        hand.send(&format!("set info:name \"{name}\"\r\n"));
        hand.sit();
        hand.pong();
        hand
    });
    let mut hands = hands;
    // Whoever moves first is asked for a board; then all leave.
    hands[0].wait("set").unwrap();
    hands.iter_mut().for_each(|hand| hand.send("goodbye\r\n"));
    let names: Vec<String> = over.recv_timeout(SOON).unwrap().rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names, ["anna", "agent", "Anna (2)", "A nn-a (3)"]);
}

#[test]
fn the_guide_has_all_limits_with_their_defaults() {
    let command = ServeArgs::augment_args(clap::Command::new("serve"));
    let usual = |long: &str| {
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(long)).unwrap();
        argument.get_default_values()[0].to_string_lossy().into_owned()
    };
    let expected = [
        ("`--agents`", usual("agents")),
        ("`--patience`", format!("{} s", usual("patience"))),
        ("`--time`", format!("{} s", usual("time"))),
        ("connections", MAX_WAITING.to_string()),
        ("connections of an address", WAITING_BY_ADDRESS.to_string()),
        ("line", format!("{LONGEST} bytes")),
        ("lines that wait", serve::WAITING.to_string()),
        ("unread bytes", UNREAD.to_string()),
        ("faulty commands", MAX_FAULTS.to_string()),
        ("names", LONGEST_NAME.to_string()),
        ("`kgp connect`: server", format!("{} s", connect::PATIENCE.as_secs())),
        ("`kgp connect`: boards", MAX_REQUESTS.to_string()),
        ("`kgp connect`: lines that wait", connect::WAITING.to_string()),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(limits_in(include_str!("../../../docs/kgp.md")), expected);
}
