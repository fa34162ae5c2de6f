//! Decodes the bytes that a terminal sends: keys, the mouse, pastes.
//!
//! crossterm decodes only the input of the process's own terminal. The sequences are those of xterm, which the terminals in use
//! share; unknown ones are skipped.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::term::Event;

/// Bytes of the longest sequence; longer ones are skipped.
const LONGEST: usize = 64;

/// Bytes of the longest paste; the rest is dropped.
const PASTE: usize = 64 << 10;

const PASTE_END: &[u8] = b"\x1b[201~";

/// The state between packets.
#[derive(Default)]
pub struct Decoder {
    /// The beginning of a sequence.
    pending: Vec<u8>,
    /// The paste in progress.
    paste: Option<Vec<u8>>,
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
    /// Decodes the bytes of a packet.
    pub fn decode(&mut self, bytes: &[u8], mut take: impl FnMut(Event)) {
        let mut all = std::mem::take(&mut self.pending);
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
                take(Event::Paste(String::from_utf8_lossy(paste).into_owned()));
                self.paste = None;
                rest = &rest[end + PASTE_END.len()..];
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
                Part::Incomplete if rest.len() > LONGEST => rest = &rest[1..],
                Part::Incomplete => break,
            }
        }
        self.pending = rest.to_vec();
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn add(paste: &mut Vec<u8>, bytes: &[u8]) {
    let room = PASTE.saturating_sub(paste.len());
    paste.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

fn part(bytes: &[u8]) -> Part {
    let none = KeyModifiers::NONE;
    match bytes {
        // A key sends its sequence in one packet: a last ESC is the key.
        [0x1b] => Part::Event(key(KeyCode::Esc, none), 1),
        [0x1b, b'[', rest @ ..] => csi(rest),
        [0x1b, b'O'] => Part::Incomplete,
        [0x1b, b'O', letter, ..] => named(*letter).map_or(Part::Skip(3), |code| Part::Event(key(code, none), 3)),
        [0x1b, b']' | b'P' | b'_', rest @ ..] => answer(rest),
        [0x1b, 0x1b, ..] => Part::Event(key(KeyCode::Esc, none), 1),
        [0x1b, rest @ ..] => match part(rest) {
            Part::Event(Event::Key(event), used) => {
                Part::Event(key(event.code, event.modifiers | KeyModifiers::ALT), used + 1)
            }
            Part::Incomplete => Part::Incomplete,
            _ => Part::Skip(1),
        },
        [b'\r', ..] => Part::Event(key(KeyCode::Enter, none), 1),
        [b'\t', ..] => Part::Event(key(KeyCode::Tab, none), 1),
        [0x7f, ..] => Part::Event(key(KeyCode::Backspace, none), 1),
        [0, ..] => Part::Event(key(KeyCode::Char(' '), KeyModifiers::CONTROL), 1),
        [control @ 1..=0x1a, ..] => {
            Part::Event(key(KeyCode::Char(char::from(control - 1 + b'a')), KeyModifiers::CONTROL), 1)
        }
        [0x1c..=0x1f, ..] => Part::Skip(1),
        _ => character(bytes),
    }
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
            _ => Part::Skip(4),
        });
    }
    let Some(end) = bytes.iter().position(|byte| (0x40..=0x7e).contains(byte)) else { return Part::Incomplete };
    let (used, last) = (end + 3, bytes[end]);
    let text = String::from_utf8_lossy(&bytes[..end]);
    if let Some(text) = text.strip_prefix('<') {
        return mouse(text, last).map_or(Part::Skip(used), |mouse| Part::Event(Event::Mouse(mouse), used));
    }
    let numbers: Vec<u16> = text.split(';').map(|number| number.parse().unwrap_or(0)).collect();
    let held = modifiers(numbers.get(1).copied());
    let code = match last {
        b'~' if numbers[0] == 200 => return Part::PasteStart(used),
        b'~' => numbered(numbers[0]),
        letter => named(letter),
    };
    code.map_or(Part::Skip(used), |code| Part::Event(key(code, held), used))
}

/// A report of the mouse, in the form that the session has asked for.
fn mouse(text: &str, last: u8) -> Option<MouseEvent> {
    let mut numbers = text.split(';').map(|number| number.parse::<u16>());
    let (button, column, row) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
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

/// The terminal's answer to a question, up to BEL or `ESC \`; skipped.
fn answer(bytes: &[u8]) -> Part {
    let end = bytes.iter().position(|byte| matches!(byte, 0x07 | 0x1b));
    match end.map(|end| (end, bytes[end], bytes.get(end + 1))) {
        None | Some((_, 0x1b, None)) => Part::Incomplete,
        Some((end, 0x1b, Some(b'\\'))) => Part::Skip(end + 4),
        Some((end, 0x1b, _)) => Part::Skip(end + 2),
        Some((end, ..)) => Part::Skip(end + 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(packets: &[&[u8]]) -> Vec<Event> {
        let (mut decoder, mut events) = (Decoder::default(), Vec::new());
        packets.iter().for_each(|packet| decoder.decode(packet, |event| events.push(event)));
        events
    }

    /// The keys as the config writes them.
    fn keys(bytes: &[u8]) -> String {
        let text = |event: Event| match event {
            Event::Key(key) => crate::term::Chord::from_event(&key).to_string(),
            other => format!("{other:?}"),
        };
        all(&[bytes]).into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_of_xterm() {
        assert_eq!(keys(b"aA?\r\t\x7f\x03\x1a"), "a A ? enter tab backspace ctrl-c ctrl-z");
        assert_eq!(keys(b"\x1b[A\x1b[B\x1bOC\x1bOD\x1b[H\x1b[F"), "up down right left home end");
        assert_eq!(keys(b"\x1b[5~\x1b[6~\x1b[3~\x1b[2~\x1b[Z"), "pgup pgdn delete insert shift-tab");
        assert_eq!(keys(b"\x1bOP\x1b[15~\x1b[24~\x1b[[B"), "f1 f5 f12 f2");
        assert_eq!(keys(b"\x1b[1;5A\x1b[1;2C\x1b[3;3~\x1bx"), "ctrl-up shift-right alt-delete alt-x");
        assert_eq!(keys("äé日\u{1f600}".as_bytes()), "ä é 日 😀");
        assert_eq!(keys(b"\x1b"), "esc");
        assert_eq!(keys(b"\x1b\x1b[A"), "esc up");
    }

    #[test]
    fn what_is_unknown_is_skipped() {
        assert_eq!(keys(b"a\x1b]11;rgb:0/0/0\x1b\\b\x1b]11;x\x07c\x1b[?1;2cd\x1b[99~e\xff\x80f"), "a b c d e f");
    }

    #[test]
    fn a_sequence_may_be_cut_between_packets() {
        let cut = all(&[b"\x1b[1;", b"5A", "ä".as_bytes().split_at(1).0, "ä".as_bytes().split_at(1).1]);
        assert_eq!(cut, all(&[b"\x1b[1;5A", "ä".as_bytes()]));
        assert_eq!(cut.len(), 2);
        // An endless one is given up.
        assert_eq!(all(&[&[&b"\x1b["[..], &[b'1'; 200]].concat(), b"Aq"]).last(), all(&[b"q"]).last());
    }

    #[test]
    fn pastes_are_texts_and_bounded() {
        let paste = |text: &str| Event::Paste(text.to_owned());
        assert_eq!(
            all(&[b"\x1b[200~a\x1b[A\r", b"b\x1b[20", b"1~c"]),
            [vec![paste("a\x1b[A\rb")], all(&[b"c"])].concat()
        );
        let long = all(&[b"\x1b[200~", &[b'x'; 2 * PASTE], b"\x1b[201~"]);
        assert_eq!(long, [paste(&"x".repeat(PASTE))]);
    }

    #[test]
    fn the_mouse_counts_from_zero() {
        let modifiers = KeyModifiers::CONTROL;
        let at = |kind, modifiers| Event::Mouse(MouseEvent { kind, column: 9, row: 0, modifiers });
        let events = all(&[b"\x1b[<0;10;1M\x1b[<65;10;1M\x1b[<16;10;1M\x1b[<35;10;1M"]);
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(
            events,
            [at(down, KeyModifiers::NONE), at(MouseEventKind::ScrollDown, KeyModifiers::NONE), at(down, modifiers)]
        );
    }
}
