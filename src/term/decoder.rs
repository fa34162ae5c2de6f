//! Decodes the bytes that a terminal sends: keys, the mouse, pastes, and reports.
//!
//! No byte of a sequence may be taken for a key, which would play a move, although sequences come apart at any place on serial lines,
//! over SSH and in web terminals. Hence a last ESC is held for a moment, an unfinished sequence is given up after a second of quiet or
//! at Ctrl-C, and what is unknown is dropped whole. (crossterm's decoder has no clock, and types what it does not know.) The sequences
//! are those of xterm, which most terminals share, and of urxvt, st and the Linux console.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::events::{Event, Report};
use super::probe;

/// Bytes of the longest known sequence; the rest of a longer one is dropped.
const LONGEST: usize = 64;

/// Bytes of the longest paste; the rest is dropped.
pub(crate) const PASTE: usize = 64 << 10;

/// Silence after which the end of a sequence or paste no longer comes.
const QUIET: Duration = Duration::from_secs(1);

/// Time within which the byte behind an ESC that was taken for the key still belongs to it: below that between two keys typed.
const BELATED: Duration = Duration::from_millis(200);

const ESC: u8 = 0x1b;
const CTRL_C: u8 = 3;
const PASTE_END: &[u8] = b"\x1b[201~";

/// The state between reads.
#[derive(Default)]
pub(crate) struct Decoder {
    /// The beginning of a sequence.
    pending: Vec<u8>,
    /// The paste in progress.
    paste: Option<Vec<u8>>,
    /// The time of the last bytes.
    heard: Option<Instant>,
    /// The time at which an ESC was taken for the key, if nothing came since.
    escaped: Option<Instant>,
    /// Reports of the cursor that are still to come. Otherwise their bytes are those of F3 with Shift or another modifier.
    cursors: u8,
}

/// The beginning of the bytes: an event or something to skip, with its length.
enum Part {
    Event(Event, usize),
    Skip(usize),
    PasteStart(usize),
    /// The rest of the sequence has not come yet.
    Incomplete,
}

impl Decoder {
    /// Decodes the bytes of one read.
    pub(crate) fn decode(&mut self, bytes: &[u8], now: Instant, mut take: impl FnMut(Event)) {
        let is_late = self.heard.replace(now).is_some_and(|heard| now.duration_since(heard) >= QUIET);
        if is_late || bytes == [CTRL_C] {
            self.give_up(&mut take);
        }
        let mut all = std::mem::take(&mut self.pending);
        if self.escaped.take().is_some_and(|escaped| continues(bytes, now.duration_since(escaped))) {
            all.push(ESC);
        }
        all.extend_from_slice(bytes);
        let mut rest = &all[..];
        while !rest.is_empty() {
            if let Some(paste) = &mut self.paste {
                let Some(end) = find(rest, PASTE_END) else {
                    // The end mark may be cut.
                    let whole = rest.len().saturating_sub(PASTE_END.len() - 1);
                    add(paste, &rest[..whole]);
                    rest = &rest[whole..];
                    break;
                };
                add(paste, &rest[..end]);
                self.end_paste(&mut take);
                rest = &rest[end + PASTE_END.len()..];
                continue;
            }
            if let Some((report, used)) = cursor(rest).filter(|_| self.cursors > 0) {
                self.cursors -= 1;
                take(Event::Report(report));
                rest = &rest[used..];
                continue;
            }
            match part(rest) {
                Part::Event(event, used) => {
                    take(event);
                    rest = &rest[used..];
                }
                Part::Skip(used) => rest = &rest[used..],
                Part::PasteStart(used) => {
                    self.paste = Some(Vec::new());
                    rest = &rest[used..];
                }
                Part::Incomplete => break,
            }
        }
        self.pending = rest.to_vec();
        if self.pending.len() > LONGEST {
            // What it is shows in its first bytes: ESC, perhaps another, and `[` or the like.
            self.pending.truncate(3);
        }
    }

    /// Expects this many reports of the cursor.
    pub(crate) fn await_cursor(&mut self, reports: u8) {
        self.cursors = reports;
    }

    /// Whether all that has come of a sequence is ESC: the key, if nothing follows in a moment (see [`Decoder::release`]).
    pub(crate) fn holds_escape(&self) -> bool {
        self.paste.is_none() && !self.pending.is_empty() && self.pending.iter().all(|byte| *byte == ESC)
    }

    /// Takes an ESC that is [held](Decoder::holds_escape) for the key.
    pub(crate) fn release(&mut self, now: Instant, mut take: impl FnMut(Event)) {
        if self.holds_escape() {
            self.give_up(&mut take);
            self.escaped = Some(now);
        }
    }

    fn give_up(&mut self, take: &mut impl FnMut(Event)) {
        let held = self.holds_escape();
        let pending = std::mem::take(&mut self.pending);
        if held {
            pending.iter().for_each(|_| take(key(KeyCode::Esc, KeyModifiers::NONE)));
        }
        if let Some(paste) = &mut self.paste {
            add(paste, &pending);
        }
        self.end_paste(take);
    }

    fn end_paste(&mut self, take: &mut impl FnMut(Event)) {
        if let Some(paste) = self.paste.take() {
            take(Event::Paste(String::from_utf8_lossy(&paste).into_owned()));
        }
    }
}

/// Whether a read is the rest of a sequence whose ESC came this time before.
fn continues(bytes: &[u8], after: Duration) -> bool {
    match bytes {
        [b'[' | b'O' | b']' | b'P' | b'_'] => after < BELATED,
        // People type one key at a time.
        [b'[' | b'O' | b']' | b'P' | b'_', ..] => true,
        _ => false,
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn add(paste: &mut Vec<u8>, bytes: &[u8]) {
    let room = PASTE.saturating_sub(paste.len());
    paste.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// The report of the cursor, `ESC [ ROW ; COLUMN R`, that the bytes begin with, and its length.
fn cursor(bytes: &[u8]) -> Option<(Report, usize)> {
    let rest = bytes.strip_prefix(b"\x1b[")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
    let numbers = std::str::from_utf8(&rest[..end]).ok().filter(|_| rest[end] == b'R')?;
    let (row, column) = numbers.split_once(';')?;
    Some((Report::Cursor { row: row.parse().ok()?, column: column.parse().ok()? }, end + 3))
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

fn part(bytes: &[u8]) -> Part {
    let none = KeyModifiers::NONE;
    match bytes {
        [ESC] | [ESC, ESC] => Part::Incomplete,
        [ESC, b'[', rest @ ..] => csi(rest),
        [ESC, b'O', rest @ ..] => ss3(rest),
        [ESC, b']' | b'P' | b'_', rest @ ..] => answer(rest),
        // Alt and a key that sends a sequence; or ESC, and whatever follows.
        [ESC, ESC, b'[' | b'O', ..] => match part(&bytes[1..]) {
            Part::Event(Event::Key(event), used) => with_alt(event, used),
            Part::Skip(used) => Part::Skip(used + 1),
            Part::Incomplete => Part::Incomplete,
            _ => Part::Event(key(KeyCode::Esc, none), 1),
        },
        [ESC, ESC, ..] => Part::Event(key(KeyCode::Esc, none), 1),
        [ESC, rest @ ..] => match part(rest) {
            Part::Event(Event::Key(event), used) => with_alt(event, used),
            Part::Incomplete => Part::Incomplete,
            _ => Part::Skip(2),
        },
        [b'\r' | b'\n', ..] => Part::Event(key(KeyCode::Enter, none), 1),
        [b'\t', ..] => Part::Event(key(KeyCode::Tab, none), 1),
        [0x7f | 8, ..] => Part::Event(key(KeyCode::Backspace, none), 1),
        [0, ..] => Part::Event(key(KeyCode::Char(' '), KeyModifiers::CONTROL), 1),
        [control @ 1..=0x1a, ..] => {
            Part::Event(key(KeyCode::Char(char::from(control - 1 + b'a')), KeyModifiers::CONTROL), 1)
        }
        [0x1c..=0x1f, ..] => Part::Skip(1),
        _ => character(bytes),
    }
}

/// A key of `used` bytes behind an ESC.
fn with_alt(event: KeyEvent, used: usize) -> Part {
    Part::Event(key(event.code, event.modifiers | KeyModifiers::ALT), used + 1)
}

/// A character of UTF-8.
fn character(bytes: &[u8]) -> Part {
    let length = match bytes[0] {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return Part::Skip(1),
    };
    let Some(whole) = bytes.get(..length) else { return Part::Incomplete };
    match std::str::from_utf8(whole).ok().and_then(|text| text.chars().next()) {
        Some(c) => Part::Event(key(KeyCode::Char(c), KeyModifiers::NONE), length),
        None => Part::Skip(1),
    }
}

/// The key of a final letter.
fn named(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'Z' => KeyCode::BackTab,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// The key of a number before `~`.
fn numbered(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23 | 24 => KeyCode::F(number as u8 - 12),
        _ => return None,
    })
}

/// The modifiers of a parameter: 1, and the bits of shift, alt and control.
fn modifiers(parameter: Option<u16>) -> KeyModifiers {
    let bits = parameter.unwrap_or(1).saturating_sub(1);
    let all = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    all.into_iter().filter(|(bit, _)| bits & bit != 0).fold(KeyModifiers::NONE, |all, (_, one)| all | one)
}

/// A sequence after `ESC [`.
fn csi(bytes: &[u8]) -> Part {
    // The linux console's F1 to F5.
    if let [b'[', rest @ ..] = bytes {
        return rest.first().map_or(Part::Incomplete, |letter| match letter {
            b'A'..=b'E' => Part::Event(key(KeyCode::F(letter - b'A' + 1), KeyModifiers::NONE), 4),
            0..0x20 => Part::Skip(3),
            _ => Part::Skip(4),
        });
    }
    // Parameters begin with these only in answers.
    let is_answer = bytes.first().is_some_and(|byte| (b'<'..=b'?').contains(byte));
    // urxvt ends a key with `$`.
    let ends = |byte: &u8| !(0x20..=0x3f).contains(byte) || (*byte == b'$' && !is_answer);
    let Some(end) = bytes.iter().position(ends) else { return Part::Incomplete };
    let used = end + 3;
    let last = bytes[end];
    if !(0x40..=0x7e).contains(&last) && last != b'$' {
        // Another key has come in between.
        return Part::Skip(used - 1);
    }
    let text = String::from_utf8_lossy(&bytes[..end]);
    if let Some(text) = text.strip_prefix('<') {
        return mouse(text, last).map_or(Part::Skip(used), |mouse| Part::Event(Event::Mouse(mouse), used));
    }
    let numbers: Vec<u16> = text.split(';').map(|number| number.parse().unwrap_or(0)).collect();
    let held = modifiers(numbers.get(1).copied());
    let found = match last {
        b'c' if is_answer => {
            let has_sixels = text.split(';').skip(1).any(|feature| feature == "4");
            return Part::Event(Event::Report(Report::Type { has_sixels }), used);
        }
        _ if is_answer => None,
        b'n' if text == "0" => return Part::Event(Event::Report(Report::Drawn), used),
        b'~' if numbers[0] == 200 => return Part::PasteStart(used),
        b'~' => numbered(numbers[0]).map(|code| (code, held)),
        b'$' => numbered(numbers[0]).map(|code| (code, KeyModifiers::SHIFT)),
        b'^' => numbered(numbers[0]).map(|code| (code, KeyModifiers::CONTROL)),
        b'@' => numbered(numbers[0]).map(|code| (code, KeyModifiers::CONTROL | KeyModifiers::SHIFT)),
        b'P' | b'h' | b'J' | b'K' | b'L' | b'M' => of_st(&text, last),
        b'a'..=b'd' if text.is_empty() => named(last.to_ascii_uppercase()).map(|code| (code, KeyModifiers::SHIFT)),
        // Other numbers are reports, as of the cursor.
        letter if numbers[0] <= 1 => named(letter).map(|code| (code, held)),
        _ => None,
    };
    found.map_or(Part::Skip(used), |(code, held)| Part::Event(key(code, held), used))
}

/// The keys of st, and the others that have these final letters. Its Ctrl-Delete is `ESC [ M`, which begins no report of the mouse:
/// the session has asked for another form.
fn of_st(text: &str, last: u8) -> Option<(KeyCode, KeyModifiers)> {
    let none = KeyModifiers::NONE;
    let shift = KeyModifiers::SHIFT;
    let control = KeyModifiers::CONTROL;
    match (text, last) {
        // Its F1 is `ESC O P`.
        ("", b'P') => Some((KeyCode::Delete, none)),
        ("4", b'h') => Some((KeyCode::Insert, none)),
        ("2", b'J') => Some((KeyCode::Home, shift)),
        ("", b'J') => Some((KeyCode::End, control)),
        ("2", b'K') => Some((KeyCode::Delete, shift)),
        ("", b'K') => Some((KeyCode::End, shift)),
        ("", b'L') => Some((KeyCode::Insert, control)),
        ("", b'M') => Some((KeyCode::Delete, control)),
        (_, b'P') => {
            let mut numbers = text.split(';').map(|number| number.parse::<u16>().unwrap_or(0));
            let is_key = numbers.next().is_some_and(|number| number <= 1);
            is_key.then(|| (KeyCode::F(1), modifiers(numbers.next())))
        }
        _ => None,
    }
}

/// A sequence after `ESC O`: the keypad's keys, the arrows in its mode, and F1 to F4.
fn ss3(bytes: &[u8]) -> Part {
    let Some(end) = bytes.iter().position(|byte| !byte.is_ascii_digit()) else { return Part::Incomplete };
    let used = end + 3;
    let last = bytes[end];
    if !(0x20..=0x7e).contains(&last) {
        return Part::Skip(used - 1);
    }
    let parameter = std::str::from_utf8(&bytes[..end]).ok().and_then(|text| text.parse().ok());
    let found = match last {
        b'M' => Some(KeyCode::Enter),
        b'X' => Some(KeyCode::Char('=')),
        // `*` to `9`, in the order of ASCII.
        b'j'..=b'y' => Some(KeyCode::Char(char::from(last - b'j' + b'*'))),
        // urxvt, with Ctrl.
        b'a'..=b'd' => {
            let code = named(last.to_ascii_uppercase());
            return code.map_or(Part::Skip(used), |code| Part::Event(key(code, KeyModifiers::CONTROL), used));
        }
        letter => named(letter),
    };
    found.map_or(Part::Skip(used), |code| Part::Event(key(code, modifiers(parameter)), used))
}

/// A report of the mouse, in the form that the session has asked for.
fn mouse(text: &str, last: u8) -> Option<MouseEvent> {
    let mut numbers = text.split(';').map(|number| number.parse::<u16>());
    let button = numbers.next()?.ok()?;
    let column = numbers.next()?.ok()?;
    let row = numbers.next()?.ok()?;
    let kind = match (button & !0x1c, last) {
        (0, b'M') => MouseEventKind::Down(MouseButton::Left),
        (0, b'm') => MouseEventKind::Up(MouseButton::Left),
        (1, b'M') => MouseEventKind::Down(MouseButton::Middle),
        (2, b'M') => MouseEventKind::Down(MouseButton::Right),
        (64, b'M') => MouseEventKind::ScrollUp,
        (65, b'M') => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let modifiers = modifiers(Some(1 + (button >> 2 & 7)));
    Some(MouseEvent { kind, column: column.saturating_sub(1), row: row.saturating_sub(1), modifiers })
}

/// The terminal's answer to a question, up to BEL or `ESC \`.
fn answer(bytes: &[u8]) -> Part {
    let end = bytes.iter().position(|byte| matches!(byte, 0x07 | 0x1b));
    let (end, used) = match end.map(|end| (end, bytes[end], bytes.get(end + 1))) {
        None | Some((_, ESC, None)) => return Part::Incomplete,
        Some((end, ESC, Some(b'\\'))) => (end, end + 4),
        // Another sequence has come in between.
        Some((end, ESC, _)) => return Part::Skip(end + 2),
        Some((end, ..)) => (end, end + 3),
    };
    let shade = std::str::from_utf8(&bytes[..end]).ok().and_then(probe::reported);
    shade.map_or(Part::Skip(used), |shade| Part::Event(Event::Report(Report::Background(shade)), used))
}

#[cfg(test)]
mod tests;
