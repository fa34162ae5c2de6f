//! Detection of the terminal's background colour, by the query OSC 11 before anything is drawn or read.
//!
//! A second query (DA1), which every terminal answers, follows, so that terminals without OSC 11 cause no wait. On a slow line the
//! answer may arrive after the timeout, among the keys (see [`decoder`](super::decoder)).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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
/// must not be lost. A terminal that names it in `COLORFGBG` is not asked.
pub fn background() -> Option<Shade> {
    if let Some(shade) = std::env::var("COLORFGBG").ok().and_then(|colors| named(&colors)) {
        return Some(shade);
    }
    // GNU screen forwards the query, and the answer to the window that is active by then.
    let in_screen = std::env::var_os("STY").is_some() && std::env::var_os("TMUX").is_none();
    if in_screen || super::require_tty().is_err() || enable_raw_mode().is_err() {
        return None;
    }
    let answer = if is_typed_ahead() { None } else { ask() };
    let _ = disable_raw_mode();
    answer
}

/// The background in `COLORFGBG`: the last of numbers between semicolons, of the sixteen colours.
fn named(colors: &str) -> Option<Shade> {
    match colors.rsplit(';').next()?.parse::<u8>().ok()? {
        0..=6 | 8 => Some(Shade::Dark),
        7 | 9..=15 => Some(Shade::Light),
        16.. => None,
    }
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

/// Whether the answer is awaited; it is from now on not.
pub(super) fn take_expected() -> bool {
    OPEN.swap(false, Ordering::SeqCst)
}

/// Parses the colour in `11;rgb:RRRR/GGGG/BBBB`, each of one to four hexadecimal digits.
pub(super) fn reported(text: &str) -> Option<Shade> {
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

    #[test]
    fn a_background_is_named_by_its_number() {
        let cases = [("15;0", Some(Shade::Dark)), ("0;default;15", Some(Shade::Light)), ("12;8", Some(Shade::Dark))];
        for (colors, expected) in cases.into_iter().chain([("15;default", None), ("", None), ("0;300", None)]) {
            assert_eq!(named(colors), expected, "{colors}");
        }
    }
}
