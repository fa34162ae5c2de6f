//! Queries the terminal before the first frame: its background (OSC 11), whether it shows sixels, and the width of the lines of boards,
//! which some terminals draw two cells wide.
//!
//! On a slow line the answers arrive after the timeout, among the keys, in any pieces. Hence the decoder that waits for them and the keys
//! typed meanwhile pass on to [`listen`](super::listen), and late answers come as events.

use std::io;
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::decoder::Decoder;
use super::events::{Event, Report};
use super::modes;
use crate::theme::Shade;

/// Timeout of the first frame, which appears within 50 ms.
const PATIENCE: Duration = Duration::from_millis(40);

const ASK_BACKGROUND: &[u8] = b"\x1b]11;?\x1b\\";

/// Asks for the cursor before and behind a character that is to be repeated twice, and removes them. A terminal that draws it two cells
/// wide tears every board; one that repeats it takes a third of the bytes.
const ASK_WIDTH: &[u8] = "\x1b7\x1b[6n─\x1b[2b\x1b[6n\x1b8\x1b[K".as_bytes();

/// Asks for the type, which every terminal reports, so that those without a report of the background cause no wait.
const ASK_TYPE: &[u8] = b"\x1b[c";

/// What is to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Query {
    pub background: bool,
    /// Whether lines are drawn two cells wide.
    pub width: bool,
    /// Whether sixels are shown.
    pub sixels: bool,
}

/// What the terminal has reported in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traits {
    pub background: Option<Shade>,
    /// Lines are drawn two cells wide; false if unknown.
    pub is_wide: bool,
    /// A character is repeated on request; false if unknown.
    pub repeats: bool,
    /// Sixels are shown; false if unknown.
    pub has_sixels: bool,
}

/// The answers that are still to come.
#[derive(Default)]
pub(super) struct PendingAnswers {
    background: bool,
    width: bool,
    /// The cursor before the character, row and column.
    before: Option<(u16, u16)>,
}

/// What a query that was cut short leaves to the input thread.
#[derive(Default)]
pub(super) struct Leftover {
    pub decoder: Decoder,
    pub pending: PendingAnswers,
    /// What was typed meanwhile.
    pub typed: Vec<Event>,
}

static LEFT: Mutex<Option<Leftover>> = Mutex::new(None);

/// Returns the traits of the process's own terminal, before [`listen`](super::listen) reads its input. Asks for nothing that the
/// environment tells or that another program would get the answer of.
pub fn probe(wanted: Query) -> Traits {
    let env = |name: &str| std::env::var(name).ok();
    let named = env("COLORFGBG").and_then(|colors| named(&colors)).filter(|_| wanted.background);
    let traits = Traits { background: named, ..Traits::default() };
    let wanted = open_questions(wanted, named, env);
    if wanted == Query::default() || super::require_tty().is_err() || enable_raw_mode().is_err() {
        return traits;
    }
    let answer = ask(wanted, traits);
    let _ = disable_raw_mode();
    answer.unwrap_or_else(|error| {
        tracing::debug!("asking the terminal: {error}");
        traits
    })
}

/// Returns what only the terminal can tell.
fn open_questions(wanted: Query, named: Option<Shade>, env: impl Fn(&str) -> Option<String>) -> Query {
    Query {
        // GNU screen forwards the query, and the answer to the window that is active by then.
        background: wanted.background && named.is_none() && !is_in_screen(&env),
        // tmux counts one cell, whatever the terminal around it does.
        width: wanted.width && env("TMUX").is_none(),
        sixels: wanted.sixels,
    }
}

/// Whether the terminal is a window of GNU screen, in an environment.
pub fn is_in_screen(env: impl Fn(&str) -> Option<String>) -> bool {
    env("STY").is_some() && env("TMUX").is_none()
}

/// The background in `COLORFGBG`: the last of numbers between semicolons, of the sixteen colours.
fn named(colors: &str) -> Option<Shade> {
    match colors.rsplit(';').next()?.parse::<u8>().ok()? {
        0..=6 | 8 => Some(Shade::Dark),
        7 | 9..=15 => Some(Shade::Light),
        16.. => None,
    }
}

/// Asks, and waits for the answers, in raw mode.
fn ask(wanted: Query, mut traits: Traits) -> io::Result<Traits> {
    let part = |is_wanted: bool, query: &'static [u8]| if is_wanted { query } else { b"" };
    let background = part(wanted.background, ASK_BACKGROUND);
    let end = part(wanted.background || wanted.sixels, ASK_TYPE);
    modes::write_all(io::stdout().as_fd(), &[background, part(wanted.width, ASK_WIDTH), end].concat())?;
    let mut left = Leftover { pending: PendingAnswers::new(wanted), ..Leftover::default() };
    if wanted.width {
        left.decoder.await_cursor(2);
    }
    let deadline = Instant::now() + PATIENCE;
    let mut bytes = [0; 4096];
    let mut has_type = false;
    while (left.pending.is_open() || wanted.sixels) && !has_type && is_readable(deadline) {
        let length = rustix::io::read(io::stdin(), &mut bytes)?;
        let pending = &mut left.pending;
        let typed = &mut left.typed;
        left.decoder.decode(&bytes[..length], Instant::now(), |event| match pending.take(event) {
            Some(Event::Report(Report::Background(shade))) => traits.background = Some(shade),
            Some(Event::Report(Report::Wide)) => traits.is_wide = true,
            Some(Event::Report(Report::Repeats)) => traits.repeats = true,
            Some(Event::Report(Report::Type { has_sixels })) => (has_type, traits.has_sixels) = (true, has_sixels),
            Some(event) => typed.push(event),
            None => {}
        });
        if length == 0 {
            break;
        }
    }
    if has_type {
        // The last query: nothing more comes.
        left.pending = PendingAnswers::default();
        left.decoder.await_cursor(0);
    }
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
    Ok(traits)
}

fn is_readable(deadline: Instant) -> bool {
    let rest = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(rest.subsec_nanos()) };
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
}

/// Takes what the query has left.
pub(super) fn take_left() -> Leftover {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
}

impl PendingAnswers {
    fn new(wanted: Query) -> PendingAnswers {
        PendingAnswers { background: wanted.background, width: wanted.width, before: None }
    }

    fn is_open(&self) -> bool {
        self.background || self.width
    }

    /// Turns answers to what was asked into events, drops others, and passes everything else on.
    pub fn take(&mut self, event: Event) -> Option<Event> {
        match event {
            Event::Report(Report::Background(_)) => std::mem::take(&mut self.background).then_some(event),
            Event::Report(Report::Cursor { row, column }) => self.cursor(row, column),
            event => Some(event),
        }
    }

    fn cursor(&mut self, row: u16, column: u16) -> Option<Event> {
        if !self.width {
            return None;
        }
        let before = self.before.replace((row, column))?;
        self.width = false;
        let cells = column.checked_sub(before.1).filter(|_| before.0 == row)?;
        match cells {
            2 | 6 => Some(Event::Report(Report::Wide)),
            3 => Some(Event::Report(Report::Repeats)),
            _ => None,
        }
    }
}

/// Parses the colour in `11;rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits.
pub(super) fn reported(text: &str) -> Option<Shade> {
    let mut parts = text.strip_prefix("11;rgb:")?.split('/');
    let mut channel = || {
        let digits = parts.next().filter(|digits| (1..=4).contains(&digits.len()))?;
        let most = (1u32 << (4 * digits.len())) - 1;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
    };
    Some(Shade::classify([channel()?, channel()?, channel()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_background_is_named_by_its_number() {
        let cases = [("15;0", Some(Shade::Dark)), ("0;default;15", Some(Shade::Light)), ("12;8", Some(Shade::Dark))];
        for (colors, expected) in cases.into_iter().chain([("15;default", None), ("", None), ("0;300", None)]) {
            assert_eq!(named(colors), expected, "{colors}");
        }
    }

    #[test]
    fn what_is_known_or_would_go_astray_is_not_asked() {
        let all = Query { background: true, width: true, sixels: false };
        let open = |named, variables: &[&str]| {
            let open = open_questions(all, named, |name| variables.contains(&name).then(String::new));
            (open.background, open.width)
        };
        assert_eq!(open(None, &[]), (true, true));
        assert_eq!(open(Some(Shade::Dark), &[]), (false, true));
        assert_eq!(open(None, &["STY"]), (false, true));
        assert_eq!(open(None, &["STY", "TMUX"]), (true, false));
    }

    const WIDE: Event = Event::Report(Report::Wide);

    /// Returns the events of bytes that answer, or follow, both queries.
    fn answered(bytes: &[&[u8]]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        let mut pending = PendingAnswers::new(Query { background: true, width: true, sixels: false });
        let mut events = Vec::new();
        decoder.await_cursor(2);
        for part in bytes {
            decoder.decode(part, Instant::now(), |event| events.extend(pending.take(event)));
        }
        events
    }

    #[test]
    fn two_columns_are_wide() {
        assert_eq!(answered(&[b"\x1b[1;1R\x1b[1;3R"]), [WIDE]);
        assert_eq!(answered(&[b"\x1b[1;1R\x1b[1;7R"]), [WIDE], "repeated twice");
        assert_eq!(answered(&[b"\x1b[1;1R\x1b[1;2R"]), []);
        assert_eq!(answered(&[b"\x1b[1;1R\x1b[1;4R"]), [Event::Report(Report::Repeats)]);
        // At the right edge the cursor goes to the next row, or stays.
        assert_eq!(answered(&[b"\x1b[5;80R\x1b[6;3R"]), []);
        assert_eq!(answered(&[b"\x1b[5;80R\x1b[5;80R"]), []);
    }

    #[test]
    fn no_answer_is_typed_wherever_it_is_cut_and_each_counts_once() {
        let answers = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[1;2R\x1b[1;8R";
        let expected = [Event::Report(Report::Background(Shade::Light)), WIDE];
        for cut in 0..answers.len() {
            assert_eq!(answered(&[&answers[..cut], &answers[cut..]]), expected, "{cut}");
        }
        assert_eq!(answered(&[answers, b"\x1b]11;rgb:0/0/0\x07"]), expected);
    }

    #[test]
    fn keys_between_answers_are_kept() {
        let keys = |bytes| answered(&[bytes]).into_iter().filter(|event| matches!(event, Event::Key(_))).count();
        assert_eq!(keys(b"a\x1b[1;1Rb\x1b[1;2Rc"), 3);
        // Shift-F3 in xterm, once no report is awaited.
        assert_eq!(keys(b"\x1b[1;1R\x1b[1;2R\x1b[1;2R"), 1);
    }
}
