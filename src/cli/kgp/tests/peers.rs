//! Peers that are silent, slow, many, or do not read; their names, and the limits in the guide.

use std::io::Read as _;

use super::*;

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
    let settings = settings(2, &["kalah:3x1"]);
    let now = Instant::now();
    let mut server = Server::new(settings);
    let line = |text: &str| LinkEvent::Line(text.to_owned());
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
    let drip = |mut stream: TcpStream, begin: &str| {
        let began = Instant::now();
        stream.write_all(begin.as_bytes()).unwrap();
        while stream.write_all(b"G").is_ok() {
            assert!(began.elapsed() < SOON, "the handshake has no end");
            thread::sleep(Duration::from_millis(5));
        }
    };
    drip(TcpStream::connect(websocket).unwrap(), "GET / HTTP/1.1\r\nA: ");

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || drip(listener.accept().unwrap().0, "HTTP/1.1 101 x\r\nA: "));
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
    // All are accepted before the agents come: later ones of this address would take the agents' places.
    silent.iter().for_each(|stream| stream.set_nonblocking(true).unwrap());
    let began = Instant::now();
    while silent.iter().filter(|stream| is_ended(stream)).count() < silent.len() - WAITING_BY_ADDRESS {
        assert!(began.elapsed() < SOON, "too many silent connections are kept");
        thread::sleep(Duration::from_millis(5));
    }
    let agents = [agent("max", tcp, false), agent("max", websocket, true)];
    over.recv_timeout(SOON).unwrap();
    assert!(agents.into_iter().all(|agent| agent.join().unwrap() > 0));
    drop(silent);
}

/// Whether the server has ended a connection that does not block, whatever it sent before.
fn is_ended(mut stream: &TcpStream) -> bool {
    let mut sent = [0; 1024];
    loop {
        match stream.read(&mut sent) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
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
        ("`connect kgp`: server", format!("{} s", connect::PATIENCE.as_secs())),
        ("`connect kgp`: boards", MAX_REQUESTS.to_string()),
        ("`connect kgp`: lines that wait", connect::WAITING.to_string()),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(limits_in(include_str!("../../../../docs/kgp.md")), expected);
}
