//! One field of a form: what it holds, what it may hold, and what keys do to it.

use std::borrow::Cow;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tui_input::backend::crossterm::to_input_request;
use tui_input::{Input, InputRequest};

use crate::sanitize;

/// One labelled value.
#[derive(Clone, Debug)]
pub struct Field {
    pub label: Cow<'static, str>,
    pub value: String,
    /// How many characters are before the caret; `None`: all of them.
    pub(super) caret: Option<usize>,
    /// What ← and → go through.
    pub(super) choices: Vec<String>,
    /// Whether values other than the choices can be typed.
    pub(super) typed: bool,
    /// Nothing was typed since the field got the focus: typing replaces the value.
    pub(super) fresh: bool,
    /// How many characters can be typed.
    pub(super) most: usize,
    /// What it is, with its range, for while it has the focus.
    pub(super) about: Cow<'static, str>,
    /// What it is unless somebody changes it; one that is another is marked.
    pub(super) usual: Option<String>,
}

/// What a field holds by default, in characters: the longest name of a file, and more than any player's text.
const USUAL_MOST: usize = 4096;

impl Field {
    /// A value out of a few.
    pub fn choice(label: impl Into<Cow<'static, str>>, choices: Vec<String>, value: impl Into<String>) -> Field {
        Field { typed: false, ..Field::text(label, choices, value) }
    }

    /// Any text; ← and → offer some.
    pub fn text(label: impl Into<Cow<'static, str>>, offers: Vec<String>, value: impl Into<String>) -> Field {
        Field {
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

    /// Lets ← and → go through others; the value stays.
    pub fn offer(&mut self, offers: Vec<String>) {
        self.choices = offers;
    }

    /// The same with so many characters at most that can be typed or pasted.
    #[must_use]
    pub fn at_most(self, most: usize) -> Field {
        Field { most, ..self }
    }

    /// The same with what it is, which is told while it has the focus, and what it usually is.
    #[must_use]
    pub fn explained(self, about: impl Into<Cow<'static, str>>, usual: impl Into<String>) -> Field {
        Field { about: about.into(), usual: Some(usual.into()), ..self }
    }

    /// It is not what it usually is.
    pub(super) fn is_changed(&self) -> bool {
        self.usual.as_ref().is_some_and(|usual| *usual != self.value.trim())
    }

    /// What is told of it while it has the focus.
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

    /// What to say if not all of what was typed or pasted fits: see [`extend`].
    pub(super) fn take(&mut self, text: &str) -> Option<String> {
        if std::mem::take(&mut self.fresh) {
            self.value.clear();
            self.caret = None;
        }
        let (before, after) = self.around_caret();
        let (mut value, after) = (before.to_owned(), after.to_owned());
        let most = self.most;
        let fits = extend(&mut value, text, most.saturating_sub(after.chars().count()));
        self.caret = self.caret.map(|_| value.chars().count());
        self.value = value + &after;
        (!fits).then(|| format!("{}: at most {most} characters; the rest was left out", self.label))
    }

    /// What is before the caret, and what is behind it.
    pub(super) fn around_caret(&self) -> (&str, &str) {
        let at = self.caret.and_then(|at| self.value.char_indices().nth(at));
        self.value.split_at(at.map_or(self.value.len(), |(at, _)| at))
    }

    fn set(&mut self, value: &str) {
        value.clone_into(&mut self.value);
        self.caret = None;
    }

    /// Moves the caret or removes characters, as in the line of a shell.
    fn edit_at_caret(&mut self, request: InputRequest) {
        let end = self.value.chars().count();
        let mut input = Input::new(std::mem::take(&mut self.value)).with_cursor(self.caret.unwrap_or(end));
        input.handle(request);
        input.value().clone_into(&mut self.value);
        self.caret = Some(input.cursor()).filter(|&at| at < self.value.chars().count());
    }

    /// Goes to the next choice; whether there is any.
    fn turn(&mut self, by: isize) -> bool {
        let len = self.choices.len() as isize;
        if len == 0 {
            return false;
        }
        let at = self.choices.iter().position(|choice| *choice == self.value);
        // From a typed value, → goes to the first offer that goes on with it and ← to the last, if there is one.
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

    /// The choices that what was typed may become: those that begin so, or else those of the same kind, which is what stands
    /// before a colon. All of them as long as nothing was typed, and where nothing is alike.
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

    /// Puts this in, as if it had been chosen.
    pub fn choose(&mut self, value: &str) {
        self.set(value);
        self.fresh = true;
    }

    /// Goes on with what was typed as far as the first choice that begins so; whether it did. A number that was typed stays
    /// that number.
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

    /// Whether it was for this field; and what is wrong then.
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
        // The arrows go through the offers as long as the caret is at the end.
        let offers = key.modifiers.is_empty() && !self.choices.is_empty() && self.caret.is_none();
        match key.code {
            // What was chosen is replaced by typing like what was there before.
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

    /// In a choice, what is typed goes to the value that goes on with it, as in 1, 12, or else to the next that begins with it.
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

/// Adds what was typed or pasted to a field that holds `most` characters, without its control characters; whether all of it
/// fitted.
pub fn extend(value: &mut String, text: &str, most: usize) -> bool {
    let mut typed = text.chars().filter(|c| !c.is_control());
    let room = most.saturating_sub(value.chars().count());
    value.extend(typed.by_ref().take(room));
    typed.next().is_none()
}
