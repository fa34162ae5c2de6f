//! The server of a tournament: agents and their games, driven by what connections deliver and by the time.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::games::{Fixture, Game, GameResult, PendingRequest, Row, round_robin};
use super::link::{Link, LinkEvent};
use super::wire::{self, Argument, Command, VERSION};
use crate::arena::Score;
use crate::files::write_whole;
use crate::game::{Outcome, Side, Variant, notation};
use crate::network::{self, Network};
use crate::{name, sanitize};

/// What a tournament consists of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of agents; the games begin when they are there.
    pub agents: usize,
    pub boards: Vec<Variant>,
    /// Games that each agent begins against each other on each board.
    pub rounds: u32,
    /// Time for a move.
    pub time: Duration,
    /// Time for an answer to `ping`, and for a new connection's `mode`.
    pub patience: Duration,
    pub seed: u64,
    /// Folder for the games.
    pub save: Option<PathBuf>,
}

/// Most faulty lines of an agent before it is removed.
pub const MAX_FAULTS: u32 = 20;

/// Maximum length of a name or of the authors, in characters.
pub const LONGEST_NAME: usize = 40;

/// The place of an agent in the tournament.
#[derive(Default)]
struct Seat {
    peer: Option<u64>,
    row: Row,
    is_playing: bool,
}

/// A tournament with its connections.
pub struct Server {
    settings: Settings,
    peers: BTreeMap<u64, Peer>,
    seats: Vec<Seat>,
    /// Games not begun; `None` before all agents are there.
    fixtures: Option<VecDeque<Fixture>>,
    games: Vec<Game>,
    pub played: Vec<GameResult>,
    /// What happened, for a person.
    pub notes: Vec<String>,
}

impl Server {
    pub fn new(settings: Settings) -> Server {
        Server {
            settings,
            peers: BTreeMap::new(),
            seats: Vec::new(),
            fixtures: None,
            games: Vec::new(),
            played: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub fn rows(&self) -> Vec<Row> {
        self.seats.iter().map(|seat| seat.row.clone()).collect()
    }

    /// Whether all games are over.
    pub fn is_over(&self) -> bool {
        self.games.is_empty() && self.fixtures.as_ref().is_some_and(VecDeque::is_empty)
    }

    /// Returns when [`tick`](Server::tick) has something to do next.
    pub fn next(&self) -> Option<Instant> {
        let peers = self.peers.values().filter_map(|peer| peer.until);
        peers.chain(self.games.iter().filter_map(|game| Some(game.asked.as_ref()?.until))).min()
    }

    /// Takes what a connection delivered.
    pub fn take(&mut self, number: u64, incoming: LinkEvent, now: Instant) {
        if !self.peers.contains_key(&number) {
            return;
        }
        match incoming {
            LinkEvent::Line(line) if line.trim().is_empty() => {}
            LinkEvent::Line(line) => match Command::parse(&line) {
                Ok(command) => self.command(number, &command, now),
                Err(error) => self.fault(number, None, &error.to_string()),
            },
            LinkEvent::TooLong => self.fault(number, None, "the line is too long"),
            LinkEvent::Closed(reason) => self.remove(number, &reason),
        }
        self.go_on(now);
    }

    /// Counts a faulty line.
    fn fault(&mut self, number: u64, to: Option<u64>, text: &str) {
        let Some(peer) = self.peers.get_mut(&number) else { return };
        peer.faults += 1;
        match peer.faults {
            ..=MAX_FAULTS => self.refuse(number, to, text),
            _ => self.dismiss(number, to, "too many faulty commands"),
        }
    }

    fn command(&mut self, number: u64, command: &Command, now: Instant) {
        match command.name.as_str() {
            "mode" => self.mode(number, command, now),
            "set" => self.set(number, command),
            "move" => self.choose(number, command),
            "yield" => {
                if let Some(game) = self.asked(number, command.reference) {
                    self.play(game);
                }
            }
            "pong" => {
                if let Some(peer) = self.peers.get_mut(&number).filter(|peer| peer.seat.is_some()) {
                    peer.until = None;
                }
            }
            "ping" => {
                self.send(number, Command::new("pong", Vec::new()).to(command.id));
            }
            "goodbye" => self.remove(number, "said goodbye"),
            "ok" | "error" => {}
            name => self.fault(number, command.id, &format!("unknown command '{name}'")),
        }
    }

    /// Gives an agent a seat.
    fn mode(&mut self, number: u64, command: &Command, now: Instant) {
        let Some(peer) = self.peers.get_mut(&number) else { return };
        if peer.seat.is_some() {
            return self.dismiss(number, command.id, "the mode was requested before");
        }
        if command.text(0) != Some("freeplay") {
            return self.dismiss(number, command.id, "Unsupported activity");
        }
        if self.seats.len() == self.settings.agents {
            return self.dismiss(number, command.id, "all seats are taken");
        }
        (peer.seat, peer.until) = (Some(self.seats.len()), None);
        let name = if peer.name.is_empty() { "agent".to_owned() } else { peer.name.clone() };
        let authors = peer.authors.clone();
        let others = self.seats.iter().map(|seat| seat.row.name.clone());
        let name = name::distinct(name, |name, number| format!("{name} ({number})"), others);
        self.notes.push(format!("{name} is agent {} of {}", self.seats.len() + 1, self.settings.agents));
        self.seats.push(Seat { peer: Some(number), row: Row { name, authors, ..Row::default() }, is_playing: false });
        self.send(number, Command::new("ok", vec![Argument::Text("freeplay".to_owned())]).to(command.id));
        let word = |text: &str| Argument::Word(text.to_owned());
        // In quotes, although a word is a string too: the protocol's own Java client takes no other.
        self.send(number, Command::new("set", vec![word("time:mode"), Argument::Text("relative".to_owned())]));
        let seconds = self.settings.time.as_secs();
        if seconds > 0 {
            self.send(number, Command::new("set", vec![word("time:clock"), Argument::Integer(seconds as i64)]));
        }
        self.ping(number, now);
    }

    /// Takes an option; unknown ones are ignored.
    fn set(&mut self, number: u64, command: &Command) {
        let (Some(peer), Some(option), Some(text)) = (self.peers.get_mut(&number), command.text(0), command.text(1))
        else {
            return;
        };
        match option {
            "info:name" => peer.name = visible(text),
            "info:authors" => peer.authors = sanitize::inline(text).chars().take(LONGEST_NAME).collect(),
            _ => {}
        }
    }

    /// Returns the game in which an agent was asked by the command of this id, or at all if it names none.
    fn asked(&self, number: u64, reference: Option<u64>) -> Option<usize> {
        let seat = self.peers.get(&number)?.seat?;
        let is_asked = |game: &Game| {
            let asked = game.asked.as_ref()?;
            (game.seat() == seat && reference.is_none_or(|id| id == asked.id)).then_some(())
        };
        self.games.iter().position(|game| is_asked(game).is_some())
    }

    fn choose(&mut self, number: u64, command: &Command) {
        let Some(pit) = command.integer(0) else {
            return self.fault(number, command.id, "move needs the number of a pit");
        };
        // A move after `stop` is ignored.
        let Some(game) = self.asked(number, command.reference) else { return };
        if !self.games[game].choose(pit) {
            let seat = self.games[game].seat();
            self.seats[seat].row.illegal += 1;
            self.fault(number, command.id, &format!("pit {pit} is not possible"));
        }
    }

    /// Does what is due.
    pub fn tick(&mut self, now: Instant) {
        let is_due = |peer: &Peer| peer.until.is_some_and(|until| until <= now);
        let late: Vec<u64> = self.peers.iter().filter(|(_, peer)| is_due(peer)).map(|(number, _)| *number).collect();
        for number in late {
            let has_seat = self.peers.get(&number).is_some_and(|peer| peer.seat.is_some());
            self.dismiss(number, None, if has_seat { "received no pong" } else { "requested no mode" });
        }
        let is_due = |game: &Game| game.asked.as_ref().is_some_and(|asked| asked.until <= now);
        while let Some(index) = self.games.iter().position(is_due) {
            let game = &self.games[index];
            let seat = game.seat();
            let is_silent = game.asked.as_ref().is_some_and(|asked| asked.choice.is_none());
            self.play(index);
            if let Some(number) = self.seats[seat].peer.filter(|_| is_silent) {
                self.ping(number, now);
            }
        }
        self.ping_waiting(now);
        self.go_on(now);
    }
}

/// A name as it is shown, empty if nothing of it is visible.
fn visible(text: &str) -> String {
    name::visible(text, |c| c == ' ' || c.is_ascii_graphic(), LONGEST_NAME).unwrap_or_default()
}

/// Connections without a seat, in all and from one address (of IPv6: one network).
pub const MAX_WAITING: usize = 256;
/// As many as there can be agents: all may run on one machine and start at once.
pub const WAITING_BY_ADDRESS: usize = 64;

/// A connection.
struct Peer {
    /// `None` before the end of the handshake.
    link: Option<Link>,
    stream: TcpStream,
    network: Network,
    pub name: String,
    pub authors: String,
    /// Number of the last command sent; the server's are even.
    id: u64,
    pub faults: u32,
    pub seat: Option<usize>,
    /// The latest time for `mode`, and for the answer to a ping.
    pub until: Option<Instant>,
    /// When it was pinged last.
    pinged: Instant,
}

impl Peer {
    fn close(&self) {
        match &self.link {
            Some(link) => link.close(),
            // It may have ended.
            None => drop(self.stream.shutdown(Shutdown::Both)),
        }
    }
}

impl Server {
    /// Takes a new connection, which has `patience` for everything until `mode`.
    pub fn accept(&mut self, number: u64, stream: TcpStream, now: Instant) {
        let Ok(address) = stream.peer_addr() else { return };
        let network = Network::from_address(address.ip());
        self.make_room(network);
        let until = Some(now + self.settings.patience);
        let name = String::new();
        let authors = String::new();
        let peer =
            Peer { link: None, stream, network, name, authors, id: 0, faults: 0, seat: None, until, pinged: now };
        self.peers.insert(number, peer);
    }

    /// Ends the oldest connection without a seat, of this network or of the one that has the most, if there are as many as may be.
    fn make_room(&mut self, network: Network) {
        let waiting =
            || self.peers.iter().filter(|(_, peer)| peer.seat.is_none()).map(|(number, peer)| (*number, peer.network));
        if let Some(oldest) = network::crowded(waiting(), network, WAITING_BY_ADDRESS, MAX_WAITING) {
            self.remove(oldest, "too many connections");
        }
    }

    /// Greets a connection after its handshake.
    pub fn open(&mut self, number: u64, link: Link) {
        match self.peers.get_mut(&number) {
            Some(peer) => peer.link = Some(link),
            None => return link.close(),
        }
        self.send(number, Command::new("kgp", VERSION.map(Argument::Integer).to_vec()));
    }

    /// Sends a command; returns its id.
    fn send(&mut self, number: u64, command: Command) -> u64 {
        let Some(peer) = self.peers.get_mut(&number) else { return 0 };
        peer.id += 2;
        let id = peer.id;
        let sent = peer.link.as_ref().map_or(Ok(()), |link| link.send(&Command { id: Some(id), ..command }));
        if sent.is_err() {
            self.remove(number, "does not read");
        }
        id
    }

    fn refuse(&mut self, number: u64, to: Option<u64>, text: &str) {
        self.send(number, Command::new("error", vec![Argument::Text(text.to_owned())]).to(to));
    }

    /// Sends an error and ends the connection.
    fn dismiss(&mut self, number: u64, to: Option<u64>, text: &str) {
        self.refuse(number, to, text);
        self.send(number, Command::new("goodbye", Vec::new()));
        self.remove(number, text);
    }

    /// Forgets a connection; its agent loses the games that are left.
    fn remove(&mut self, number: u64, why: &str) {
        let Some(peer) = self.peers.remove(&number) else { return };
        peer.close();
        let Some(seat) = peer.seat else { return };
        self.notes.push(format!("{} left: {}", self.seats[seat].row.name, sanitize::inline(why)));
        if self.fixtures.is_some() {
            self.seats[seat].peer = None;
            return;
        }
        self.seats.remove(seat);
        for peer in self.peers.values_mut() {
            peer.seat = peer.seat.map(|other| if other > seat { other - 1 } else { other });
        }
    }

    /// Asks an agent whether it is there, unless it was asked and has not answered.
    fn ping(&mut self, number: u64, now: Instant) {
        let until = now + self.settings.patience;
        if let Some(peer) = self.peers.get_mut(&number).filter(|peer| peer.until.is_none()) {
            (peer.until, peer.pinged) = (Some(until), now);
            self.send(number, Command::new("ping", Vec::new()));
        }
    }

    /// Before the games, asks the agents now and again whether they are there.
    fn ping_waiting(&mut self, now: Instant) {
        if self.fixtures.is_some() {
            return;
        }
        let patience = self.settings.patience;
        let is_due = |peer: &Peer| peer.seat.is_some() && peer.pinged + patience <= now;
        let due: Vec<u64> = self.peers.iter().filter(|(_, peer)| is_due(peer)).map(|(number, _)| *number).collect();
        due.into_iter().for_each(|number| self.ping(number, now));
    }

    /// Whether every agent has answered its last ping.
    fn are_all_there(&self) -> bool {
        self.peers.values().all(|peer| peer.seat.is_none() || peer.until.is_none())
    }

    /// Says goodbye to all.
    pub fn close(&mut self) {
        for number in self.peers.keys().copied().collect::<Vec<_>>() {
            self.send(number, Command::new("goodbye", Vec::new()));
        }
        for (_, peer) in std::mem::take(&mut self.peers) {
            peer.close();
        }
    }
}

impl Server {
    /// Begins games, asks for moves, and ends games that are over or whose agents are gone.
    fn go_on(&mut self, now: Instant) {
        if self.fixtures.is_none() && self.seats.len() == self.settings.agents && self.are_all_there() {
            let Settings { boards, rounds, .. } = &self.settings;
            self.fixtures = Some(round_robin(self.seats.len(), boards, *rounds).into());
        }
        loop {
            self.begin_games();
            let is_gone =
                |server: &Server, game: &Game| game.fixture.seats.iter().any(|&seat| server.seats[seat].peer.is_none());
            let over = self.games.iter().position(|game| game.record.ending().is_some() || is_gone(self, game));
            if let Some(index) = over {
                let game = self.games.swap_remove(index);
                self.end(&game);
                continue;
            }
            match self.games.iter().position(|game| game.asked.is_none()) {
                // The agent may be gone now.
                Some(index) => self.ask(index, now),
                None => return,
            }
        }
    }

    /// Begins every game whose agents play no other.
    fn begin_games(&mut self) {
        let Some(fixtures) = &mut self.fixtures else { return };
        let mut waiting = VecDeque::new();
        let mut begun = Vec::new();
        for fixture in fixtures.drain(..) {
            if fixture.seats.iter().any(|&seat| self.seats[seat].is_playing) {
                waiting.push_back(fixture);
                continue;
            }
            fixture.seats.iter().for_each(|&seat| self.seats[seat].is_playing = true);
            let names = fixture.seats.map(|seat| self.seats[seat].row.name.clone());
            begun.push(Game::new(fixture, names));
        }
        *fixtures = waiting;
        for game in begun {
            self.announce(&game);
            self.games.push(game);
        }
    }

    /// Names a game and the opponent to both agents.
    fn announce(&mut self, game: &Game) {
        let [first, second] = game.fixture.seats;
        let id = format!("{}-{}-{}", first + 1, second + 1, game.fixture.number);
        for (seat, other) in [(first, second), (second, first)] {
            let Some(number) = self.seats[seat].peer else { continue };
            let opponent = self.seats[other].row.name.clone();
            for (option, text) in [("game:id", id.clone()), ("game:opponent", opponent)] {
                self.send(number, Command::new("set", vec![Argument::Word(option.to_owned()), Argument::Text(text)]));
            }
        }
    }

    /// Sends the board to the player to move.
    fn ask(&mut self, index: usize, now: Instant) {
        let game = &self.games[index];
        let seat = game.seat();
        let board = wire::argument(game.record.position());
        let Some(number) = self.seats[seat].peer else { return };
        let id = self.send(number, Command::new("state", vec![board]));
        self.games[index].asked = Some(PendingRequest { id, until: now + self.settings.time, choice: None });
    }

    /// Ends the time for a move and plays it.
    fn play(&mut self, index: usize) {
        let game = &mut self.games[index];
        let seat = game.seat();
        let id = game.asked.as_ref().map(|asked| asked.id);
        let is_chosen = game.play(self.settings.seed);
        self.seats[seat].row.random += u32::from(!is_chosen);
        if let Some(number) = self.seats[seat].peer {
            self.send(number, Command::new("stop", Vec::new()).to(id));
        }
    }

    /// Counts and saves a game that is over or forfeited. If both agents are gone, it was not played.
    fn end(&mut self, game: &Game) {
        let Fixture { seats, variant, number } = game.fixture;
        seats.iter().for_each(|&seat| self.seats[seat].is_playing = false);
        let ending = game.record.ending();
        let outcome = match (ending, seats.map(|seat| self.seats[seat].peer.is_some())) {
            (Some(ending), _) => ending.outcome,
            (None, [true, _]) => Outcome::Won,
            (None, [_, true]) => Outcome::Lost,
            (None, [false, false]) => return,
        };
        let margin = ending.map(|ending| ending.margin);
        for (side, seat) in [Side::South, Side::North].into_iter().zip(seats) {
            let (own, sign) = if side == Side::South { (outcome, 1) } else { (outcome.other(), -1) };
            let row = &mut self.seats[seat].row;
            row.score = row.score.plus(Score::from_outcome(own));
            row.seeds += i64::from(margin.unwrap_or(0) * sign);
            row.forfeits += u32::from(ending.is_none() && own == Outcome::Lost);
        }
        let [first, second] = seats.map(|seat| self.seats[seat].row.name.clone());
        let what = if ending.is_none() { ", forfeited" } else { "" };
        let points = f64::from(outcome.halves()) / 2.0;
        self.notes.push(format!("game {}: {first} against {second}, {variant}: {points}{what}", self.played.len() + 1));
        let moves = game.record.ply();
        self.played.push(GameResult { first, second, game: variant.to_string(), points, margin, moves });
        if let Err(error) = self.save(game, [seats[0] + 1, seats[1] + 1], number) {
            self.notes.push(format!("a game was not saved: {}", sanitize::reason(&error)));
        }
    }

    fn save(&self, game: &Game, [first, second]: [usize; 2], number: u32) -> io::Result<()> {
        let Some(folder) = &self.settings.save else { return Ok(()) };
        let path = folder.join(format!("{first}-{second}-{number:05}.game"));
        write_whole(&path, notation::write(&game.record).as_bytes())
    }
}
