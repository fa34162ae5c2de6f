//! One field of a form: its value, the values it accepts, and how keys change it.

use std::borrow::Cow;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};

use crate::sanitize;
use crate::ui::typing::extend;

/// The identity of a field among those of its form: labels are for people and may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FieldId(pub u16);

/// One labelled value.
#[derive(Clone, Debug)]
pub struct Field {
    pub id: FieldId,
    pub label: Cow<'static, str>,
    pub value: String,
    /// The number of characters before the caret; `None`: all of them.
    pub(super) caret: Option<usize>,
    /// The values that ← and → select.
    pub(super) choices: Vec<String>,
    /// Whether values other than the choices can be typed.
    pub(super) typed: bool,
    /// Whether nothing was typed since the field got the focus: then typing replaces the value.
    pub(super) fresh: bool,
    /// The longest value, in characters.
    pub(super) most: usize,
    /// The description with the range, shown while the field has the focus.
    pub(super) about: Cow<'static, str>,
    /// The default value; a field with another value is marked.
    pub(super) usual: Option<String>,
}

/// The default longest value, in characters: above the longest file name and player text.
const USUAL_MOST: usize = 4096;

impl Field {
    /// Returns a field with a fixed set of choices.
    pub fn choice(label: impl Into<Cow<'static, str>>, choices: Vec<String>, value: impl Into<String>) -> Field {
        Field { typed: false, ..Field::text(label, choices, value) }
    }

    /// Returns a field for any text; ← and → select from the offers.
    pub fn text(label: impl Into<Cow<'static, str>>, offers: Vec<String>, value: impl Into<String>) -> Field {
        Field {
            id: FieldId::default(),
            label: label.into(),
            value: value.into(),
            caret: None,
            choices: offers,
            typed: true,
            fresh: true,
            most: USUAL_MOST,
            about: Cow::Borrowed(""),
            usual: None,
        }
    }

    /// Returns the field with an identity; without one it is 0.
    #[must_use]
    pub fn named(self, id: FieldId) -> Field {
        Field { id, ..self }
    }

    /// Returns the field with at most `most` characters.
    #[must_use]
    pub fn at_most(self, most: usize) -> Field {
        Field { most, ..self }
    }

    /// Returns the field with a description, shown while it has the focus, and a default value.
    #[must_use]
    pub fn explained(self, about: impl Into<Cow<'static, str>>, usual: impl Into<String>) -> Field {
        Field { about: about.into(), usual: Some(usual.into()), ..self }
    }

    /// Returns whether the value differs from the default.
    pub(super) fn is_changed(&self) -> bool {
        self.usual.as_ref().is_some_and(|usual| *usual != self.value.trim())
    }

    /// Returns the text shown while the field has the focus.
    pub(super) fn explanation(&self) -> String {
        let usual = self.usual.as_ref().filter(|usual| !usual.is_empty());
        let usual = usual.map(|usual| format!("preset: {}", sanitize::inline(usual)));
        [Some(self.about.to_string()), usual]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(". ")
    }

    /// Adds typed or pasted text. Returns an error if not all of it fits: see [`extend`].
    pub(super) fn take(&mut self, text: &str) -> Option<String> {
        if std::mem::take(&mut self.fresh) {
            self.value.clear();
            self.caret = None;
        }
        let (before, after) = self.around_caret();
        let mut value = before.to_owned();
        let after = after.to_owned();
        let most = self.most;
        let fits = extend(&mut value, text, most.saturating_sub(after.chars().count()));
        self.caret = self.caret.map(|_| value.chars().count());
        self.value = value + &after;
        (!fits).then(|| format!("{}: at most {most} characters; the rest was left out", self.label))
    }

    /// Returns the text before the caret and the text after it.
    pub(super) fn around_caret(&self) -> (&str, &str) {
        let at = self.caret.and_then(|at| self.value.char_indices().nth(at));
        self.value.split_at(at.map_or(self.value.len(), |(at, _)| at))
    }

    fn set(&mut self, value: &str) {
        value.clone_into(&mut self.value);
        self.caret = None;
    }

    /// Moves the caret or deletes characters, as in the line of a shell.
    fn edit_at_caret(&mut self, request: InputRequest) {
        let end = self.value.chars().count();
        let mut input = Input::new(std::mem::take(&mut self.value)).with_cursor(self.caret.unwrap_or(end));
        input.handle(request);
        input.value().clone_into(&mut self.value);
        self.caret = Some(input.cursor()).filter(|&at| at < self.value.chars().count());
    }

    /// Selects the next choice. Returns whether there is one.
    fn turn(&mut self, by: isize) -> bool {
        let len = self.choices.len() as isize;
        if len == 0 {
            return false;
        }
        let at = self.choices.iter().position(|choice| *choice == self.value);
        // From a typed value, → goes to the first choice that begins with it and ← to the last, if there is one.
        let begun = |choice: &String| !self.value.is_empty() && choice.starts_with(&self.value);
        let first = || self.choices.iter().position(begun).unwrap_or(0) as isize;
        let last = || self.choices.iter().rposition(begun).map_or(len - 1, |at| at as isize);
        let next = match at {
            Some(at) => (at as isize + by).rem_euclid(len),
            None if by > 0 => first(),
            None => last(),
        };
        let choice = self.choices[next as usize].clone();
        self.set(&choice);
        true
    }

    /// Returns the choices that the typed text may become: those that begin with it, or else those with the same word
    /// before a colon. All choices if nothing was typed, or if none matches.
    pub fn matches(&self) -> Vec<&str> {
        let all = || self.choices.iter().map(String::as_str);
        let typed = self.value.trim().to_lowercase();
        if self.fresh || typed.is_empty() || self.choices.contains(&typed) {
            return all().collect();
        }
        let kind = typed.split(':').next().unwrap_or_default();
        let begin = |with: &str| all().filter(|choice| choice.starts_with(with)).collect::<Vec<_>>();
        [begin(&typed), begin(kind)].into_iter().find(|found| !found.is_empty()).unwrap_or_else(|| all().collect())
    }

    /// Sets the value as a choice does.
    pub fn choose(&mut self, value: &str) {
        self.set(value);
        self.fresh = true;
    }

    /// Completes the typed text to the first choice that begins with it. Returns whether it did. A typed number stays
    /// as it is.
    pub(super) fn complete(&mut self) -> bool {
        let typed = self.value.trim().to_lowercase();
        if !self.typed || self.fresh || typed.is_empty() || self.choices.contains(&typed) {
            return false;
        }
        let goes_on = |choice: &&String| {
            let rest = choice.strip_prefix(&typed).and_then(|rest| rest.chars().next());
            rest.is_some_and(|next| !(next.is_ascii_digit() && typed.ends_with(|c: char| c.is_ascii_digit())))
        };
        let Some(choice) = self.choices.iter().find(goes_on).cloned() else { return false };
        self.choose(&choice);
        true
    }

    /// Handles a key. Returns `None` if the key is not for this field, or else the error, if any.
    pub(super) fn key(&mut self, key: KeyEvent) -> Option<Option<String>> {
        if let KeyCode::Char(c) = key.code
            && self.typed
            && !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Some(self.take(c.encode_utf8(&mut [0; 4])));
        }
        self.edit(key).then_some(None)
    }

    fn edit(&mut self, key: KeyEvent) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        // The arrows select choices while the caret is at the end.
        let offers = key.modifiers.is_empty() && !self.choices.is_empty() && self.caret.is_none();
        match key.code {
            // Typing replaces a chosen value, as it does the previous value.
            KeyCode::Left if offers || !self.typed => self.fresh = self.turn(-1) || fresh,
            KeyCode::Right if offers || !self.typed => self.fresh = self.turn(1) || fresh,
            _ if self.typed => match to_input_request(&Event::Key(key)) {
                None | Some(InputRequest::InsertChar(_)) => return false,
                Some(request) => self.edit_at_caret(request),
            },
            KeyCode::Char(_) if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => return false,
            KeyCode::Char(' ') => _ = self.turn(1),
            KeyCode::Char(c) => self.choose_by_letter(c, fresh),
            _ => return false,
        }
        true
    }

    /// In a choice, typing selects the value that continues the typed text, as in 1, 12, or else the next that begins
    /// with the character.
    fn choose_by_letter(&mut self, c: char, fresh: bool) {
        let longer = format!("{}{c}", self.value);
        if !fresh && self.choices.contains(&longer) {
            self.value = longer;
            return;
        }
        let begins = |choice: &&String| choice.to_lowercase().starts_with(c.to_ascii_lowercase());
        let at = self.choices.iter().position(|choice| *choice == self.value).map_or(0, |at| at + 1);
        let exact = self.choices.iter().find(|choice| **choice == c.to_string());
        let found = exact.or_else(|| self.choices.iter().cycle().skip(at).take(self.choices.len()).find(begins));
        if let Some(found) = found.cloned() {
            self.value = found;
        }
    }
}
