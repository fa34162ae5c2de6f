//! The limits of the server, and the counts that they bound.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The limits; a time of zero is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address.
    pub by_address: usize,
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
}

/// The open connections.
#[derive(Default)]
pub struct Connections(Mutex<HashMap<IpAddr, usize>>);

/// A counted connection, until it is dropped.
pub struct Counted {
    connections: Arc<Connections>,
    address: IpAddr,
}

impl Connections {
    /// Counts a connection.
    ///
    /// # Errors
    /// The limit that it would exceed.
    pub fn count(self: &Arc<Connections>, address: IpAddr, limits: &Limits) -> Result<Counted, &'static str> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.values().sum::<usize>() >= limits.connections {
            return Err("too many connections");
        }
        let of_address = open.entry(address).or_default();
        if *of_address >= limits.by_address {
            return Err("too many connections from this address");
        }
        *of_address += 1;
        Ok(Counted { connections: Arc::clone(self), address })
    }

    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut open = self.connections.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_in_all_and_by_address() {
        let zero = Duration::ZERO;
        let limits = Limits {
            connections: 3,
            by_address: 2,
            login: zero,
            idle: zero,
            session: zero,
            bytes_in: 1,
            come_back: zero,
        };
        let connections = Arc::new(Connections::default());
        let [one, other] = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2])];
        let first = connections.count(one, &limits).unwrap();
        let _second = connections.count(one, &limits).unwrap();
        assert_eq!(connections.count(one, &limits).err(), Some("too many connections from this address"));
        let _third = connections.count(other, &limits).unwrap();
        assert_eq!(connections.count(other, &limits).err(), Some("too many connections"));
        drop(first);
        assert!(connections.count(one, &limits).is_ok());
    }
}
