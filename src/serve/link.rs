//! How the lobby and the network reach a session: they wake it, and end it with a sentence.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_channel::Sender;

use super::lobby::Link;
use crate::term::{EndHandle, Event};

/// The exit status of a session that the server ends.
pub const ENDED: u8 = 143;

/// A session, as the lobby and the network reach it.
pub struct SessionLink {
    events: Sender<Event>,
    ending: EndHandle,
    /// The lobby has changed since the tab looked last.
    changed: AtomicBool,
    /// The sentence that the client sees at the end.
    farewell: Mutex<Option<String>>,
}

impl SessionLink {
    pub fn new(events: Sender<Event>, ending: EndHandle) -> SessionLink {
        SessionLink { events, ending, changed: AtomicBool::new(true), farewell: Mutex::new(None) }
    }

    /// Whether the lobby has changed since the last call.
    pub fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::SeqCst)
    }

    pub fn has_change(&self) -> bool {
        self.changed.load(Ordering::SeqCst)
    }

    /// Takes the sentence for the client.
    pub fn farewell(&self) -> Option<String> {
        self.farewell.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Link for SessionLink {
    fn wake(&self) {
        if !self.changed.swap(true, Ordering::SeqCst) {
            // The session may have ended.
            let _ = self.events.send(Event::Wake);
        }
    }

    fn end(&self, why: &str) {
        self.farewell.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.to_owned());
        self.ending.send(ENDED);
        let _ = self.events.send(Event::Wake);
    }
}
