//! Detection of the terminal's background colour, by the query OSC 11 before anything is drawn or read.
//!
//! A second query (DA1), which every terminal answers, follows, so that terminals without OSC 11 cause no wait. On a slow line the
//! answer may arrive after the timeout, when the program reads keys: [`Late`] removes it from the input, where it would be taken
//! for moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{Event as TermEvent, KeyCode, KeyEvent, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use terminal_colorsaurus::{QueryOptions, background_color};

use crate::theme::Shade;

/// Timeout of the first frame, which appears within 50 ms. A later answer, over a slow line, changes the theme then.
const PATIENCE: Duration = Duration::from_millis(40);

/// The query is pending.
static OPEN: AtomicBool = AtomicBool::new(false);

/// Returns the background of the process's own terminal, before [`listen`](super::listen) reads its input; `None` if the terminal
/// does not report it, if the query was skipped because another program would get the answer, or if there is typed input, which
/// must not be lost.
pub fn background() -> Option<Shade> {
    // GNU screen forwards the query, and the answer to the window that is active by then.
    let in_screen = std::env::var_os("STY").is_some() && std::env::var_os("TMUX").is_none();
    if in_screen || super::require_tty().is_err() || enable_raw_mode().is_err() {
        return None;
    }
    let answer = if is_typed_ahead() { None } else { ask() };
    let _ = disable_raw_mode();
    answer
}

fn ask() -> Option<Shade> {
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    match background_color(options) {
        Ok(color) => Some(Shade::of([color.r, color.g, color.b].map(|c| f64::from(c) / f64::from(u16::MAX)))),
        Err(error) => {
            tracing::debug!("the terminal does not report its background: {error}");
            OPEN.store(true, Ordering::SeqCst);
            None
        }
    }
}

fn is_typed_ahead() -> bool {
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}

/// Filters a late answer out of the keys that it is decoded into: Alt-], `11;rgb:ffff/ffff/ffff`, and Ctrl-G or Alt-\.
#[derive(Default)]
pub(super) struct Late {
    /// The part received so far.
    text: Option<String>,
}

/// The role of an input event.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// Not part of an answer.
    Not,
    /// Part of an answer, or of an answer without a colour.
    Part,
    /// The end of an answer, with its result.
    End(Shade),
}

impl Late {
    /// Maximum length of an answer in characters.
    const MOST: usize = 40;

    pub fn take(&mut self, event: &TermEvent) -> Taken {
        if !OPEN.load(Ordering::SeqCst) {
            return Taken::Not;
        }
        let TermEvent::Key(KeyEvent { code: KeyCode::Char(letter), modifiers, .. }) = *event else { return Taken::Not };
        self.letter(letter, modifiers).inspect_end(|| OPEN.store(false, Ordering::SeqCst))
    }

    fn letter(&mut self, letter: char, modifiers: KeyModifiers) -> Taken {
        let Some(mut text) = self.text.take() else {
            let begins = letter == ']' && modifiers == KeyModifiers::ALT;
            self.text = begins.then(String::new);
            return if begins { Taken::Part } else { Taken::Not };
        };
        match (letter, modifiers) {
            ('g', KeyModifiers::CONTROL) | ('\\', KeyModifiers::ALT) => shade(&text).map_or(Taken::Part, Taken::End),
            // Alt-] was a key press, and this is ordinary typing.
            _ if modifiers.difference(KeyModifiers::SHIFT) != KeyModifiers::NONE
                || text.len() == Late::MOST
                || (text.len() < 3 && !"11;"[text.len()..].starts_with(letter)) =>
            {
                Taken::Not
            }
            _ => {
                text.push(letter);
                self.text = Some(text);
                Taken::Part
            }
        }
    }
}

impl Taken {
    fn inspect_end(self, ended: impl FnOnce()) -> Taken {
        if let Taken::End(_) = self {
            ended();
        }
        self
    }
}

/// Parses the colour in `11;rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits.
fn shade(text: &str) -> Option<Shade> {
    let mut parts = text.strip_prefix("11;rgb:")?.split('/');
    let mut channel = || {
        let digits = parts.next().filter(|digits| (1..=4).contains(&digits.len()))?;
        let most = (1u32 << (4 * digits.len())) - 1;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
    };
    Some(Shade::of([channel()?, channel()?, channel()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the remaining input of some bytes as crossterm decodes them, and the result of the answer in them.
    fn pass(late: &mut Late, text: &str) -> (String, Option<Shade>) {
        let (mut left, mut output, mut alt) = (String::new(), None, KeyModifiers::NONE);
        for letter in text.chars() {
            let (letter, modifiers) = match letter {
                '\x1b' => {
                    alt = KeyModifiers::ALT;
                    continue;
                }
                '\x07' => ('g', KeyModifiers::CONTROL),
                letter => (letter, std::mem::replace(&mut alt, KeyModifiers::NONE)),
            };
            match late.letter(letter, modifiers) {
                Taken::Not => left.push(letter),
                Taken::Part => {}
                Taken::End(shade) => output = Some(shade),
            }
        }
        (left, output)
    }

    #[test]
    fn a_late_answer_is_taken_out_of_what_is_typed() {
        let mut late = Late::default();
        let light = (String::from("ab"), Some(Shade::Light));
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:ffff/ffff/ffff\x07b"), light);
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:FF/fF/f0\x1b\\b"), light);
        assert_eq!(pass(&mut late, "\x1b]11;rgb:0/0/0\x07"), (String::new(), Some(Shade::Dark)));
        // An unparsable answer is not typed input either.
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:x\x07b"), ("ab".into(), None));
    }

    #[test]
    fn typing_continues_after_what_only_looked_like_an_answer() {
        let mut late = Late::default();
        assert_eq!(pass(&mut late, "\x1b]abc"), ("abc".into(), None));
        assert_eq!(pass(&mut late, "\x1b]1abc"), ("abc".into(), None));
        let long = "x".repeat(100);
        let (left, output) = pass(&mut late, &format!("\x1b]11;{long}"));
        assert!(left.len() >= 100 - Late::MOST && output.is_none(), "{left}");
    }
}
