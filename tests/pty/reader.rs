//! Reads the program's output onto the screen and answers queries as a terminal does.

use std::io::{Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, Weak};

#[derive(Default)]
pub struct ScreenState {
    pub state: Mutex<State>,
    pub news: Condvar,
}

impl ScreenState {
    /// Ignores poisoning: a failed test leaves the state valid.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[derive(Default)]
pub struct State {
    pub screen: vt100::Parser,
    pub bytes: Vec<u8>,
    /// The other end is closed.
    pub ended: bool,
    /// Asks the reader to close the terminal.
    pub stop: bool,
}

impl State {
    /// Returns whether the screen is between two frames, so that its contents are consistent.
    pub fn is_whole(&self) -> bool {
        let last = |what: &[u8]| self.bytes.windows(what.len()).rposition(|window| window == what);
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }
}

pub type Writer = Box<dyn Write + Send>;

pub fn read(mut from: Box<dyn Read + Send>, to: &ScreenState, back: &Weak<Mutex<Writer>>, answer: &str) {
    const QUESTION: &[u8] = b"\x1b]11;?";
    let mut asked = 0;
    let mut buffer = [0; 64 << 10];
    loop {
        let read = from.read(&mut buffer);
        let mut state = to.lock();
        match read {
            Ok(count) if count > 0 => {
                state.screen.process(&buffer[..count]);
                state.bytes.extend_from_slice(&buffer[..count]);
                // The query is in the first bytes of the output.
                let begun = &state.bytes[..state.bytes.len().min(1000)];
                let questions = begun.windows(QUESTION.len()).filter(|window| *window == QUESTION).count();
                if questions > asked
                    && let Some(back) = back.upgrade()
                {
                    asked = questions;
                    let _ = back.lock().unwrap().write_all(answer.as_bytes());
                }
            }
            _ => state.ended = true,
        }
        to.news.notify_all();
        if state.ended || state.stop {
            return;
        }
    }
}
