//! What lies behind the text: the terminal is asked (OSC 11) before anything is drawn or read.
//!
//! Behind the question goes another that every terminal answers (DA1), so that one that does not know the first is not waited
//! for. Over a slow line the answer may come after all when the program has stopped waiting and reads keys: [`Late`] takes it out
//! of what is typed, or it would be taken for moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{Event as TermEvent, KeyCode, KeyEvent, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use terminal_colorsaurus::{QueryOptions, background_color};

use crate::theme::Shade;

/// How long the first frame waits for an answer, at most: it is there within 50 ms. An answer over a slow line is later, and
/// changes the theme then.
const PATIENCE: Duration = Duration::from_millis(40);

/// Asked, and not answered yet.
static OPEN: AtomicBool = AtomicBool::new(false);

/// What the process's own terminal says of its background, before [`listen`](super::listen) reads what it sends; `None` if it does
/// not say, if it was not asked because it would answer somebody else, or if somebody types already, whose keys must not be lost.
pub fn background() -> Option<Shade> {
    // GNU screen hands the question on, and the answer to whichever window is in front by then.
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
            tracing::debug!("the terminal does not say what its background is: {error}");
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

/// Takes an answer that is late out of the keys that it is decoded into: Alt-], `11;rgb:ffff/ffff/ffff`, and Ctrl-G or Alt-\.
#[derive(Default)]
pub(super) struct Late {
    /// What there is of it so far.
    text: Option<String>,
}

/// What something that was read is.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// Not of an answer.
    Not,
    /// A part of one, or of one that tells nothing.
    Part,
    /// The end of one, and what it tells.
    End(Shade),
}

impl Late {
    /// No answer is longer than this, in characters.
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
            // Whoever pressed Alt-] goes on typing.
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

/// The colour in `11;rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits.
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

    /// What is left of some bytes as crossterm decodes them, and what the answer in them told.
    fn pass(late: &mut Late, text: &str) -> (String, Option<Shade>) {
        let (mut left, mut told, mut alt) = (String::new(), None, KeyModifiers::NONE);
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
                Taken::End(shade) => told = Some(shade),
            }
        }
        (left, told)
    }

    #[test]
    fn a_late_answer_is_taken_out_of_what_is_typed() {
        let mut late = Late::default();
        let light = (String::from("ab"), Some(Shade::Light));
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:ffff/ffff/ffff\x07b"), light);
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:FF/fF/f0\x1b\\b"), light);
        assert_eq!(pass(&mut late, "\x1b]11;rgb:0/0/0\x07"), (String::new(), Some(Shade::Dark)));
        // What cannot be understood is no typing either.
        assert_eq!(pass(&mut late, "a\x1b]11;rgb:x\x07b"), ("ab".into(), None));
    }

    #[test]
    fn typing_goes_on_after_what_only_looked_like_an_answer() {
        let mut late = Late::default();
        assert_eq!(pass(&mut late, "\x1b]abc"), ("abc".into(), None));
        assert_eq!(pass(&mut late, "\x1b]1abc"), ("abc".into(), None));
        let long = "x".repeat(100);
        let (left, told) = pass(&mut late, &format!("\x1b]11;{long}"));
        assert!(left.len() >= 100 - Late::MOST && told.is_none(), "{left}");
    }
}
