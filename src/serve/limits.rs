//! The limits of the server, and the connections that have no session yet.
//!
//! People are counted by the [`lobby`](super::lobby), those who are away included.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::network::{self, Network};

/// People at once with one key.
pub const BY_KEY: usize = 3;

/// The limits; a time of zero is no limit. An address of IPv6 counts as its network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// People at once, those who are away included: in all, and from one address.
    pub sessions: usize,
    pub by_address: usize,
    /// Connections without a session: in all, and from one address.
    pub logins: usize,
    pub logins_by_address: usize,
    /// Time to log in.
    pub login: Duration,
    /// Time without a key press.
    pub idle: Duration,
    /// Length of a session.
    pub session: Duration,
    /// Bytes a second that a client may send.
    pub bytes_in: u32,
    /// Time in which a person whose connection broke can come back to the table.
    pub come_back: Duration,
    /// Games in the server's folder.
    pub games: usize,
}

/// The open connections.
#[derive(Default)]
pub struct Connections(Mutex<Open>);

#[derive(Default)]
struct Open {
    last: u64,
    count: usize,
    /// Those without a session.
    waiting: BTreeMap<u64, PendingConnection>,
}

struct PendingConnection {
    network: Network,
    end: Box<dyn Fn() + Send>,
}

/// A counted connection, until it is dropped.
pub struct ConnectionGuard {
    connections: Arc<Connections>,
    number: u64,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection, which `end` ends while it has no session. If there are too many such, the oldest goes: of this address, or
    /// of the one that has the most.
    pub fn count(
        self: &Arc<Connections>,
        address: IpAddr,
        limits: &Limits,
        end: Box<dyn Fn() + Send>,
    ) -> ConnectionGuard {
        let mut open = self.lock();
        let network = Network::from_address(address);
        let waiting = open.waiting.iter().map(|(number, waiting)| (*number, waiting.network));
        let oldest = network::crowded(waiting, network, limits.logins_by_address, limits.logins);
        if let Some(waiting) = oldest.and_then(|oldest| open.waiting.remove(&oldest)) {
            (waiting.end)();
        }
        open.last += 1;
        open.count += 1;
        let number = open.last;
        open.waiting.insert(number, PendingConnection { network, end });
        ConnectionGuard { connections: Arc::clone(self), number }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().count == 0
    }
}

impl ConnectionGuard {
    /// The connection has a session now.
    pub fn starts(&self) {
        self.connections.lock().waiting.remove(&self.number);
    }

    pub fn is_waiting(&self) -> bool {
        self.connections.lock().waiting.contains_key(&self.number)
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.waiting.remove(&self.number);
        open.count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Limits {
        /// Limits that no test reaches by chance.
        pub(crate) fn wide() -> Limits {
            let zero = Duration::ZERO;
            Limits {
                sessions: 100,
                by_address: 100,
                logins: 100,
                logins_by_address: 100,
                login: zero,
                idle: zero,
                session: zero,
                bytes_in: 1 << 20,
                come_back: Duration::from_secs(60),
                games: 100,
            }
        }
    }

    #[test]
    fn the_oldest_connection_without_a_session_goes() {
        let limits = Limits { logins: 3, logins_by_address: 2, ..Limits::wide() };
        let connections = Arc::new(Connections::default());
        let ended = Arc::new(Mutex::new(Vec::new()));
        let count = |name: &'static str, last: u8| {
            let ended = Arc::clone(&ended);
            let end = Box::new(move || ended.lock().unwrap().push(name));
            connections.count(IpAddr::from([127, 0, 0, last]), &limits, end)
        };
        let session = count("session", 1);
        session.starts();
        let silent = count("silent", 1);
        let _second = count("second", 1);
        assert!(ended.lock().unwrap().is_empty(), "a session is not among them");
        let _third = count("third", 1);
        assert_eq!(*ended.lock().unwrap(), ["silent"]);
        let _other = count("other", 2);
        assert!(!silent.is_waiting() && ended.lock().unwrap().len() == 1);
        // All places are taken, two of them from one address.
        let newcomer = count("newcomer", 3);
        assert!(newcomer.is_waiting());
        assert_eq!(*ended.lock().unwrap(), ["silent", "second"]);
        drop((session, silent, newcomer));
        assert!(!connections.is_empty());
    }
}
