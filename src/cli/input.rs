//! Standard input of commands without a screen, line by line.

use std::io::{self, BufRead as _, Read as _};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::threads;

/// Maximum length of a line of input, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines of input that wait.
const WAITING: usize = 64;

/// Returns the lines of standard input, which a thread reads.
///
/// # Errors
/// No thread can be started.
pub(super) fn lines() -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(WAITING);
    threads::spawn("input", move || read_lines(&sender))?;
    Ok(lines)
}

fn read_lines(lines: &Sender<String>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut = line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE;
        if is_cut && input.skip_until(b'\n').is_err() {
            return;
        }
        if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}
