//! The connections of a server: greeted, pinged and ended.

use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use super::super::link::Link;
use super::super::wire::{Argument, Command, VERSION};
use super::Server;
use crate::network::{self, Network};
use crate::sanitize;

/// Connections without a seat, in all and from one address (of IPv6: one network).
pub const MAX_WAITING: usize = 256;
/// As many as there can be agents: all may run on one machine and start at once.
pub const WAITING_BY_ADDRESS: usize = 64;

/// A connection.
pub(super) struct Peer {
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
    pub(super) fn send(&mut self, number: u64, command: Command) -> u64 {
        let Some(peer) = self.peers.get_mut(&number) else { return 0 };
        peer.id += 2;
        let id = peer.id;
        let sent = peer.link.as_ref().map_or(Ok(()), |link| link.send(&Command { id: Some(id), ..command }));
        if sent.is_err() {
            self.remove(number, "does not read");
        }
        id
    }

    pub(super) fn refuse(&mut self, number: u64, to: Option<u64>, text: &str) {
        self.send(number, Command::new("error", vec![Argument::Text(text.to_owned())]).to(to));
    }

    /// Sends an error and ends the connection.
    pub(super) fn dismiss(&mut self, number: u64, to: Option<u64>, text: &str) {
        self.refuse(number, to, text);
        self.send(number, Command::new("goodbye", Vec::new()));
        self.remove(number, text);
    }

    /// Forgets a connection; its agent loses the games that are left.
    pub(super) fn remove(&mut self, number: u64, why: &str) {
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
    pub(super) fn ping(&mut self, number: u64, now: Instant) {
        let until = now + self.settings.patience;
        if let Some(peer) = self.peers.get_mut(&number).filter(|peer| peer.until.is_none()) {
            (peer.until, peer.pinged) = (Some(until), now);
            self.send(number, Command::new("ping", Vec::new()));
        }
    }

    /// Before the games, asks the agents now and again whether they are there.
    pub(super) fn ping_waiting(&mut self, now: Instant) {
        if self.fixtures.is_some() {
            return;
        }
        let patience = self.settings.patience;
        let is_due = |peer: &Peer| peer.seat.is_some() && peer.pinged + patience <= now;
        let due: Vec<u64> = self.peers.iter().filter(|(_, peer)| is_due(peer)).map(|(number, _)| *number).collect();
        due.into_iter().for_each(|number| self.ping(number, now));
    }

    /// Whether every agent has answered its last ping.
    pub(super) fn are_all_there(&self) -> bool {
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
