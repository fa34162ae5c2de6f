//! Key chords: keys with modifiers, as written in the config, shown in footers, and received from the keyboard.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::settings::nearest;
use crate::theme::Glyphs;

/// A key with the modifiers held, such as `u`, `A`, `ctrl-c`, `shift-tab` or `pgup`.
///
/// Each chord has one form: a letter with shift is the upper-case letter, and a control letter has no case, because
/// terminals cannot tell those apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Debug)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// The named keys: name, code, label. The first name of a code is the canonical one.
const NAMED: &[(&str, KeyCode, &str)] = &[
    ("space", KeyCode::Char(' '), "space"),
    ("enter", KeyCode::Enter, "Enter"),
    ("esc", KeyCode::Esc, "Esc"),
    ("tab", KeyCode::Tab, "Tab"),
    ("backspace", KeyCode::Backspace, "Bksp"),
    ("delete", KeyCode::Delete, "Del"),
    ("insert", KeyCode::Insert, "Ins"),
    ("left", KeyCode::Left, ""),
    ("right", KeyCode::Right, ""),
    ("up", KeyCode::Up, ""),
    ("down", KeyCode::Down, ""),
    ("home", KeyCode::Home, "Home"),
    ("end", KeyCode::End, "End"),
    ("pgup", KeyCode::PageUp, "PgUp"),
    ("pgdn", KeyCode::PageDown, "PgDn"),
    ("pageup", KeyCode::PageUp, "PgUp"),
    ("pagedown", KeyCode::PageDown, "PgDn"),
    ("del", KeyCode::Delete, "Del"),
    ("ins", KeyCode::Insert, "Ins"),
    ("escape", KeyCode::Esc, "Esc"),
    ("return", KeyCode::Enter, "Enter"),
];

const MODIFIERS: &[(&str, KeyModifiers)] =
    &[("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", KeyModifiers::SHIFT)];

const ACCEPTED: &str = "a character such as q, A or ?; space, enter, esc, tab, backspace, delete, insert, left, right, up, down, \
                        home, end, pgup, pgdn, f1 to f24; with ctrl-, alt- or shift- before it";

impl Chord {
    pub(crate) fn new(code: KeyCode, modifiers: KeyModifiers) -> Chord {
        let mut modifiers = modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let code = match code {
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            KeyCode::Char(ch) if modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Char(ch.to_ascii_lowercase()),
            KeyCode::Char(ch) if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::Char(upper(ch)),
            code => code,
        };
        if matches!(code, KeyCode::Char(_)) {
            modifiers -= KeyModifiers::SHIFT;
        }
        Chord { code, modifiers }
    }

    pub fn from_event(event: &KeyEvent) -> Chord {
        Chord::new(event.code, event.modifiers)
    }

    /// Returns the terminal event of the chord.
    pub(crate) fn event(&self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    #[cfg(test)]
    pub(crate) fn code(&self) -> KeyCode {
        self.code
    }

    #[cfg(test)]
    pub(crate) fn modifiers(&self) -> KeyModifiers {
        self.modifiers
    }

    /// Returns a short form for footers: `^C`, `Esc`, an arrow.
    pub(crate) fn label(&self, glyphs: &Glyphs) -> String {
        let key = match self.code {
            KeyCode::Left => glyphs.left.into(),
            KeyCode::Right => glyphs.right.into(),
            KeyCode::Up => glyphs.up.into(),
            KeyCode::Down => glyphs.down.into(),
            KeyCode::F(number) => format!("F{number}"),
            code => match NAMED.iter().find(|(_, named, _)| *named == code) {
                Some((_, _, label)) => (*label).to_string(),
                None => self.key_name(),
            },
        };
        let has = |modifier| self.modifiers.contains(modifier);
        let shift = if has(KeyModifiers::SHIFT) { "S-" } else { "" };
        let alt = if has(KeyModifiers::ALT) { "M-" } else { "" };
        let (ctrl, key) = match (has(KeyModifiers::CONTROL), key.chars().count()) {
            (false, _) => ("", key),
            (true, 1) => ("^", key.to_uppercase()),
            (true, _) => ("C-", key),
        };
        format!("{alt}{shift}{ctrl}{key}")
    }

    fn key_name(&self) -> String {
        if let Some((name, _, _)) = NAMED.iter().find(|(_, code, _)| *code == self.code) {
            return (*name).to_string();
        }
        match self.code {
            KeyCode::Char(ch) => ch.to_string(),
            KeyCode::F(number) => format!("f{number}"),
            // Keys without a config name, such as media keys.
            other => other.to_string().to_lowercase(),
        }
    }
}

/// Returns the upper case if it is one character (not so for ß).
fn upper(ch: char) -> char {
    let mut upper = ch.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => ch,
    }
}

/// The canonical form, which parses to the same chord.
impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = MODIFIERS.iter().filter(|(_, modifier)| self.modifiers.contains(*modifier));
        let held: String = held.map(|(name, _)| *name).collect();
        f.pad(&(held + &self.key_name()))
    }
}

impl FromStr for Chord {
    type Err = Error;

    fn from_str(text: &str) -> Result<Chord, Error> {
        let mut rest = text;
        let mut modifiers = KeyModifiers::NONE;
        while let Some((name, modifier)) = MODIFIERS.iter().find(|(name, _)| has_prefix(rest, name)) {
            modifiers |= *modifier;
            rest = &rest[name.len()..];
        }
        let code = key_code(rest).ok_or_else(|| unknown(text, rest))?;
        let shifted = modifiers.contains(KeyModifiers::SHIFT);
        match code {
            KeyCode::Char(ch)
                if shifted && !modifiers.contains(KeyModifiers::CONTROL) && upper(ch) == ch && !ch.is_uppercase() =>
            {
                Err(format!("'{text}': terminals do not report shift with this key; write the resulting character")
                    .into())
            }
            KeyCode::Char(_) if shifted && modifiers.contains(KeyModifiers::CONTROL) => {
                Err(format!("'{text}': with ctrl, terminals do not report shift; write it without shift-").into())
            }
            _ => Ok(Chord::new(code, modifiers)),
        }
    }
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    // A bare prefix is not a chord; one more character may be `ctrl--`.
    text.len() > prefix.len()
        && text.is_char_boundary(prefix.len())
        && text[..prefix.len()].eq_ignore_ascii_case(prefix)
}

fn key_code(text: &str) -> Option<KeyCode> {
    let mut chars = text.chars();
    if let (Some(ch), None) = (chars.next(), chars.next()) {
        return (!ch.is_control() && !ch.is_whitespace()).then_some(KeyCode::Char(ch));
    }
    let lower = text.to_ascii_lowercase();
    if let Some((_, code, _)) = NAMED.iter().find(|(name, _, _)| *name == lower) {
        return Some(*code);
    }
    let number = lower.strip_prefix('f').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
    number.parse().ok().filter(|number| (1..=24).contains(number)).map(KeyCode::F)
}

fn unknown(text: &str, key: &str) -> Error {
    if text.is_empty() {
        return Error::not_accepted("empty key", [ACCEPTED]);
    }
    let with_minus = text.replace('+', "-").to_ascii_lowercase();
    let guess = if with_minus != text && with_minus.parse::<Chord>().is_ok() {
        Some(with_minus)
    } else {
        let held = &text[..text.len() - key.len()];
        nearest(key, NAMED.iter().map(|(name, _, _)| *name)).map(|name| format!("{held}{name}"))
    };
    let question = guess.map(|guess| format!(" (did you mean '{guess}'?)")).unwrap_or_default();
    Error::not_accepted(format!("unknown key '{text}'{question}"), [ACCEPTED])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(text: &str) -> Chord {
        text.parse().unwrap_or_else(|err| panic!("{err}"))
    }

    fn event(code: KeyCode, modifiers: KeyModifiers) -> Chord {
        Chord::from_event(&KeyEvent::new(code, modifiers))
    }

    #[test]
    fn what_is_written_is_what_the_keyboard_sends() {
        let none = KeyModifiers::NONE;
        let shift = KeyModifiers::SHIFT;
        let ctrl = KeyModifiers::CONTROL;
        let alt = KeyModifiers::ALT;
        let cases = [
            ("q", KeyCode::Char('q'), none),
            ("A", KeyCode::Char('A'), shift),
            ("A", KeyCode::Char('a'), shift),
            ("A", KeyCode::Char('A'), none),
            ("?", KeyCode::Char('?'), shift),
            (":", KeyCode::Char(':'), none),
            ("+", KeyCode::Char('+'), none),
            ("-", KeyCode::Char('-'), none),
            ("ctrl--", KeyCode::Char('-'), ctrl),
            ("ctrl-c", KeyCode::Char('c'), ctrl),
            ("ctrl-c", KeyCode::Char('C'), ctrl | shift),
            ("alt-1", KeyCode::Char('1'), alt),
            ("alt-X", KeyCode::Char('x'), alt | shift),
            ("ctrl-alt-d", KeyCode::Char('d'), ctrl | alt),
            ("shift-tab", KeyCode::BackTab, shift),
            ("shift-tab", KeyCode::BackTab, none),
            ("tab", KeyCode::Tab, none),
            ("space", KeyCode::Char(' '), none),
            ("space", KeyCode::Char(' '), shift),
            ("ctrl-space", KeyCode::Char(' '), ctrl),
            ("enter", KeyCode::Enter, none),
            ("esc", KeyCode::Esc, none),
            ("shift-left", KeyCode::Left, shift),
            ("f1", KeyCode::F(1), none),
            ("pgup", KeyCode::PageUp, none),
            ("home", KeyCode::Home, none),
            ("é", KeyCode::Char('é'), none),
        ];
        for (text, code, modifiers) in cases {
            assert_eq!(event(code, modifiers), chord(text), "{text}");
            assert_eq!(chord(text).to_string(), text);
        }
    }

    #[test]
    fn names_have_no_case_and_some_have_synonyms() {
        for (text, canonical) in [
            ("Enter", "enter"),
            ("PageUp", "pgup"),
            ("CTRL-C", "ctrl-c"),
            ("Del", "delete"),
            ("shift-a", "A"),
            ("F12", "f12"),
        ] {
            assert_eq!(chord(text).to_string(), canonical);
        }
    }

    #[test]
    fn errors_say_what_would_be_accepted() {
        let says = |text: &str, expected: &str| {
            let err = text.parse::<Chord>().unwrap_err();
            assert!(err.to_string().contains(expected), "{err}");
        };
        says("", "accepted: a character");
        says("ctrl+c", "did you mean 'ctrl-c'?");
        says("entr", "did you mean 'enter'?");
        says("ctrl-hom", "did you mean 'ctrl-home'?");
        says("ctrl-", "unknown key 'ctrl-'");
        says("f25", "accepted:");
        says("f+1", "accepted:");
        says("\t", "accepted:");
        says("shift-1", "write the resulting character");
        says("ctrl-shift-a", "write it without shift-");
    }

    #[test]
    fn labels_are_short() {
        let unicode = Glyphs::unicode();
        let label = |text: &str| chord(text).label(&unicode);
        let labels =
            ["ctrl-c", "left", "space", "esc", "shift-tab", "alt-x", "A", "f1", "pgdn", "ctrl-left"].map(label);
        assert_eq!(labels, ["^C", "←", "space", "Esc", "S-Tab", "M-x", "A", "F1", "PgDn", "^←"]);
        assert_eq!(chord("left").label(&Glyphs::ascii()), "<");
    }
}
