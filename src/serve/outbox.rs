//! The bytes on their way to a client: at most one frame, which the network takes when the one before is on the line.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::term::Sink;

/// Bytes beside frames, such as titles, that wait at most; more are dropped.
const EXTRA: usize = 32 << 10;

/// Columns and rows that are drawn at most, whatever a client claims.
pub const LARGEST: (u16, u16) = (500, 200);

/// A call into another thread.
pub type Call = Box<dyn Fn() + Send + Sync>;

/// The handle; clones are of the same client.
#[derive(Clone)]
pub struct Outbox(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    /// Bytes have come for the network.
    filled: Call,
    /// The session can draw a frame that it has skipped.
    ready: Call,
}

struct State {
    bytes: Vec<u8>,
    /// The network has taken bytes that are not on the line yet.
    in_flight: bool,
    /// The session has skipped a frame.
    owes: bool,
    /// The session has ended: the bytes are the last.
    has_ended: bool,
    /// The line is gone.
    is_closed: bool,
    size: (u16, u16),
}

impl Outbox {
    pub fn new(size: (u16, u16), filled: Call, ready: Call) -> Outbox {
        let state =
            State { bytes: Vec::new(), in_flight: false, owes: false, has_ended: false, is_closed: false, size };
        let outbox = Outbox(Arc::new(Inner { state: Mutex::new(state), filled, ready }));
        outbox.resize(size);
        outbox
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn resize(&self, (columns, rows): (u16, u16)) {
        self.lock().size = (columns.clamp(1, LARGEST.0), rows.clamp(1, LARGEST.1));
    }

    /// Takes the bytes for the network, which reports by [`sent`](Outbox::sent) when they are on the line.
    pub fn take(&self) -> Option<Vec<u8>> {
        let mut state = self.lock();
        let bytes = std::mem::take(&mut state.bytes);
        state.in_flight = !bytes.is_empty();
        (!bytes.is_empty()).then_some(bytes)
    }

    pub fn sent(&self) {
        let mut state = self.lock();
        state.in_flight = false;
        if std::mem::take(&mut state.owes) {
            drop(state);
            (self.0.ready)();
        }
    }

    /// Ends the session's part: nothing follows what is here.
    pub fn end(&self) {
        self.lock().has_ended = true;
        (self.0.filled)();
    }

    pub fn has_ended(&self) -> bool {
        self.lock().has_ended
    }

    /// Ends the network's part: writing fails from now on.
    pub fn close(&self) {
        self.lock().is_closed = true;
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if state.bytes.len() < EXTRA {
            state.bytes.extend_from_slice(bytes);
        }
        drop(state);
        (self.0.filled)();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Outbox {
    fn size(&self) -> (u16, u16) {
        self.lock().size
    }

    fn is_ready(&self) -> bool {
        let mut state = self.lock();
        let is_ready = state.bytes.is_empty() && !state.in_flight;
        state.owes |= !is_ready;
        is_ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_client_that_reads_nothing_holds_one_frame() {
        let woken = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&woken);
        let ready = Box::new(move || _ = count.fetch_add(1, Ordering::Relaxed));
        let mut outbox = Outbox::new((80, 24), Box::new(|| ()), ready);
        assert!(outbox.is_ready());
        outbox.write_all(b"one").unwrap();
        assert!(!outbox.is_ready());
        assert_eq!(outbox.take().as_deref(), Some(&b"one"[..]));
        // On the line, but not read.
        assert!(!outbox.is_ready() && outbox.take().is_none());
        outbox.sent();
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        assert!(outbox.is_ready());
        outbox.sent();
        assert_eq!(woken.load(Ordering::Relaxed), 1, "no frame was skipped since");
        (0..1000).for_each(|_| outbox.write_all(&[b'x'; 1000]).unwrap());
        assert!(outbox.take().unwrap().len() <= EXTRA + 1000);
        outbox.close();
        assert!(outbox.write_all(b"x").is_err());
    }

    #[test]
    fn sizes_are_bounded() {
        let outbox = Outbox::new((0, 65535), Box::new(|| ()), Box::new(|| ()));
        assert_eq!(outbox.size(), (1, 200));
    }
}
