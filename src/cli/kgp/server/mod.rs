//! The server of a tournament: agents and their games, driven by what connections deliver and by the time.

mod peers;
mod play;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::games::{Fixture, Game};
use super::link::Incoming;
use super::table::{GameResult, Row};
use super::wire::{Argument, Command};
use crate::game::Variant;
use crate::{name, sanitize};
use peers::Peer;
#[cfg(test)]
pub use peers::{MAX_WAITING, WAITING_BY_ADDRESS};

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
    pub fn take(&mut self, number: u64, incoming: Incoming, now: Instant) {
        if !self.peers.contains_key(&number) {
            return;
        }
        match incoming {
            Incoming::Line(line) if line.trim().is_empty() => {}
            Incoming::Line(line) => match Command::parse(&line) {
                Ok(command) => self.command(number, &command, now),
                Err(error) => self.fault(number, None, &error.to_string()),
            },
            Incoming::TooLong => self.fault(number, None, "the line is too long"),
            Incoming::Closed(reason) => self.remove(number, &reason),
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
