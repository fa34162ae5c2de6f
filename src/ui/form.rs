//! A form: rows of labelled fields, moved through with the arrow keys and answered with Enter.

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, clip, put, row, tail, width, window, wrap};
use crate::plain;
use crate::theme::Role;

/// One labelled value.
#[derive(Clone, Debug)]
pub struct Field {
    pub label: Cow<'static, str>,
    pub value: String,
    /// What ← and → go through.
    choices: Vec<String>,
    /// Whether values other than the choices can be typed.
    typed: bool,
    /// Nothing was typed since the field got the focus: typing replaces the value.
    fresh: bool,
    /// How many characters can be typed.
    most: usize,
    /// What it is, with its range, for while it has the focus.
    about: Cow<'static, str>,
    /// What it is unless somebody changes it; one that is another is marked.
    usual: Option<String>,
}

/// What a field holds unless told otherwise, in characters: the longest name of a file, and more than any player's text.
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
    fn is_changed(&self) -> bool {
        self.usual.as_ref().is_some_and(|usual| *usual != self.value.trim())
    }

    /// What is told of it while it has the focus.
    fn explanation(&self) -> String {
        let usual = self.usual.as_ref().filter(|usual| !usual.is_empty());
        let usual = usual.map(|usual| format!("preset: {}", plain::word(usual)));
        [Some(self.about.to_string()), usual]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(". ")
    }

    /// What to say if not all of what was typed or pasted fits: see [`extend`].
    fn take(&mut self, text: &str) -> Option<String> {
        if std::mem::take(&mut self.fresh) {
            self.value.clear();
        }
        let most = self.most;
        (!extend(&mut self.value, text, most))
            .then(|| format!("{}: at most {most} characters; the rest was left out", self.label))
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
        self.value.clone_from(&self.choices[next as usize]);
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
        value.clone_into(&mut self.value);
        self.fresh = true;
    }

    /// Goes on with what was typed as far as the first choice that begins so; whether it did. A number that was typed stays
    /// that number.
    fn complete(&mut self) -> bool {
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
    fn key(&mut self, key: KeyEvent) -> Option<Option<String>> {
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
        match key.code {
            // What was chosen is replaced by typing like what was there before.
            KeyCode::Left => self.fresh = self.turn(-1) || fresh,
            KeyCode::Right => self.fresh = self.turn(1) || fresh,
            KeyCode::Char('u') if self.typed && key.modifiers.contains(KeyModifiers::CONTROL) => self.value.clear(),
            KeyCode::Char(_) if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => return false,
            KeyCode::Char(' ') => _ = self.turn(1),
            KeyCode::Char(c) => self.choose_by_letter(c, fresh),
            KeyCode::Backspace if self.typed => _ = self.value.pop(),
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

/// Fields with one of them focused.
#[derive(Clone, Debug)]
pub struct Form {
    pub fields: Vec<Field>,
    pub focus: usize,
    /// What is wrong, as a sentence; shown below the fields.
    pub error: Option<String>,
    /// Where it was drawn, for the mouse.
    place: Rect,
}

/// What a key did to a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormKey {
    /// Handled; a value may have changed.
    Used,
    /// Enter: the person wants the form as it stands.
    Submit,
    /// Esc, or Ctrl-C.
    Cancel,
    Ignored,
}

impl Form {
    pub fn new(fields: Vec<Field>) -> Form {
        Form { fields, focus: 0, error: None, place: Rect::ZERO }
    }

    pub fn value(&self, label: &str) -> &str {
        self.fields.iter().find(|field| field.label == label).map_or("", |field| &field.value)
    }

    pub fn key(&mut self, key: KeyEvent) -> FormKey {
        let count = self.fields.len();
        match key.code {
            KeyCode::Esc => return FormKey::Cancel,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return FormKey::Cancel,
            KeyCode::Enter => return FormKey::Submit,
            KeyCode::Up | KeyCode::BackTab => self.go_to((self.focus + count - 1) % count.max(1)),
            KeyCode::Tab if self.fields.get_mut(self.focus).is_some_and(Field::complete) => self.error = None,
            KeyCode::Down | KeyCode::Tab => self.go_to((self.focus + 1) % count.max(1)),
            _ => {
                let Some(wrong) = self.fields.get_mut(self.focus).and_then(|field| field.key(key)) else {
                    return FormKey::Ignored;
                };
                self.error = wrong;
            }
        }
        FormKey::Used
    }

    /// Puts the focus on a field.
    pub fn go_to(&mut self, field: usize) {
        self.focus = field;
        if let Some(field) = self.fields.get_mut(field) {
            field.fresh = true;
        }
    }

    /// The field that keys go to.
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(field) = self.fields.get_mut(self.focus).filter(|field| field.typed) {
            self.error = field.take(text);
        }
    }

    /// A click puts the focus on the field there.
    pub fn mouse(&mut self, mouse: MouseEvent) {
        let at = (mouse.column, mouse.row).into();
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) || !self.place.contains(at) {
            return;
        }
        let (top, shown) = self.shown(self.place);
        let row = usize::from(mouse.row - self.place.y);
        if row < shown {
            self.go_to(top + row);
        }
    }

    /// The first field shown in `area`, and how many: the focus is among them, with a blank row and the error below.
    fn shown(&self, area: Rect) -> (usize, usize) {
        let told = self.told(area.width).map_or(0, |(lines, _)| lines.len());
        let below = (1 + told.max(1)).min(usize::from(area.height) / 2);
        let shown = self.fields.len().min((usize::from(area.height) - below).max(1));
        let top = self.focus.saturating_sub(shown / 2).min(self.fields.len() - shown);
        (top, shown)
    }

    /// The lines below the fields: what is wrong, or else what the field is that has the focus.
    fn told(&self, width: u16) -> Option<(Vec<String>, Role)> {
        let focused = || self.fields.get(self.focus).map(Field::explanation).filter(|text| !text.is_empty());
        match &self.error {
            Some(error) => Some((wrap(error, width), Role::Bad)),
            None => focused().map(|text| (wrap(&text, width), Role::Dim)),
        }
    }

    /// Rows that [`draw`](Form::draw) needs: the fields, a blank row, and three for an error.
    pub fn height(&self) -> u16 {
        self.fields.len() as u16 + 4
    }

    /// Draws the form in a window in the middle of `area`, with what its keys do below; see [`draw`](Form::draw).
    pub fn dialog(
        &mut self,
        (title, keys): (&str, &str),
        width: u16,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Option<(u16, u16)> {
        let inner = window(area, width, self.height() + 4, title, buf, look);
        let foot = row(inner, inner.height.saturating_sub(1));
        put(look.span(Role::Dim, clip(keys, foot.width, look)), foot, buf);
        let blank = u16::from(inner.height > self.height() + 1);
        let rows = inner.height.saturating_sub(1 + blank);
        self.draw(Rect { y: inner.y + blank, height: rows, ..inner }, buf, look)
    }

    /// Draws the fields in rows, with arrows at the end of the first and last if there are more; gives the place of the text
    /// cursor if a typed field has the focus.
    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        self.place = area;
        let marks = u16::from(self.fields.iter().any(|field| field.usual.is_some())) * 2;
        let labels = self.fields.iter().map(|field| width(&field.label)).max().unwrap_or(0) + 2 + marks;
        let mut cursor = None;
        let (top, shown) = self.shown(area);
        for (index, field) in self.fields.iter().enumerate().skip(top).take(shown) {
            let line = row(area, (index - top) as u16);
            let focused = index == self.focus;
            let role = if focused { Role::Selection } else { Role::Text };
            let mark = if field.is_changed() { "* " } else { "  " };
            let label = format!("{}{}", &mark[..usize::from(marks)], field.label);
            put(look.span(if field.is_changed() { Role::Accent } else { Role::Dim }, label), line, buf);
            let value = Rect { x: line.x + labels, width: line.width.saturating_sub(labels), ..line };
            if value.is_empty() {
                continue;
            }
            if focused {
                buf.set_style(value, look.style(role));
            }
            let arrows = focused && !field.choices.is_empty();
            let room = value.width.saturating_sub(if arrows { 5 } else { 2 });
            let text = if field.typed { tail(&field.value, room).to_owned() } else { clip(&field.value, room, look) };
            // What is hidden is shown, and takes room.
            let text = tail(&plain::word(&text), room).to_owned();
            put(look.span(role, format!(" {text}")), value, buf);
            if focused && field.typed {
                cursor = Some((value.x + 1 + width(&text), value.y));
            }
            if arrows {
                let hint = format!("{}{} ", look.glyphs.left, look.glyphs.right);
                let x = value.right().saturating_sub(width(&hint));
                put(look.span(role, hint), Rect { x, width: value.right() - x, ..value }, buf);
            }
        }
        for (is_more, mark, line) in
            [(top > 0, look.glyphs.up, 0), (top + shown < self.fields.len(), look.glyphs.down, shown.saturating_sub(1))]
        {
            let line = row(area, line as u16);
            if is_more && line.width > labels {
                put(look.span(Role::Accent, mark), Rect { x: line.x + labels - 1, width: 1, ..line }, buf);
            }
        }
        if let Some((lines, role)) = self.told(area.width) {
            for (index, line) in lines.into_iter().enumerate() {
                put(look.span(role, line), row(area, (shown + 1 + index) as u16), buf);
            }
        }
        cursor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(form: &mut Form, code: KeyCode) -> FormKey {
        form.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn choices_turn_and_text_is_typed() {
        let choices = vec!["standard".to_owned(), "empty".to_owned()];
        let mut form = Form::new(vec![Field::choice("rule", choices, "standard"), Field::text("name", vec![], "")]);
        assert_eq!(press(&mut form, KeyCode::Right), FormKey::Used);
        assert_eq!(form.value("rule"), "empty");
        press(&mut form, KeyCode::Char('s'));
        assert_eq!(form.value("rule"), "standard");
        press(&mut form, KeyCode::Tab);
        for c in "ab".chars() {
            press(&mut form, KeyCode::Char(c));
        }
        press(&mut form, KeyCode::Backspace);
        assert_eq!(form.value("name"), "a");
        assert_eq!(press(&mut form, KeyCode::Enter), FormKey::Submit);
        assert_eq!(press(&mut form, KeyCode::Esc), FormKey::Cancel);
    }

    #[test]
    fn a_field_is_explained_while_it_has_the_focus_and_marked_when_it_was_changed() {
        let fields = vec![
            Field::text("depth", vec![], "4").explained("plies, 1 to 12", "4"),
            Field::text("ties", vec!["first".into(), "random".into()], "random").explained("which is played", "random"),
        ];
        let mut form = Form::new(fields);
        let area = Rect::new(0, 0, 36, 8);
        let text = |form: &mut Form| {
            let mut buf = Buffer::empty(area);
            form.draw(area, &mut buf, &crate::app::stage::look());
            (0..8).map(|y| (0..36).map(|x| buf[(x, y)].symbol()).collect::<String>() + "\n").collect::<String>()
        };
        assert!(text(&mut form).contains("  depth   4") && text(&mut form).contains("plies, 1 to 12. preset: 4"));
        press(&mut form, KeyCode::Char('6'));
        assert!(text(&mut form).contains("* depth   6"), "{}", text(&mut form));
        press(&mut form, KeyCode::Down);
        let second = text(&mut form);
        assert!(second.contains("which is played. preset: random") && !second.contains("plies"), "{second}");
        press(&mut form, KeyCode::Left);
        assert!(text(&mut form).contains("* ties    first"), "{}", text(&mut form));
    }

    #[test]
    fn tab_completes_what_was_typed_and_else_goes_on() {
        let offers = ["max", "minimax:1", "minimax:12", "mcts:1000"].map(str::to_owned).to_vec();
        let mut form = Form::new(vec![Field::text("player", offers, ""), Field::text("seed", vec![], "")]);
        let mut typed = |text: &str| {
            form.go_to(0);
            text.chars().for_each(|c| _ = press(&mut form, KeyCode::Char(c)));
            let matches = form.fields[0].matches().len();
            press(&mut form, KeyCode::Tab);
            (form.value("player").to_owned(), form.focus, matches)
        };
        assert_eq!(typed("mi"), ("minimax:1".into(), 0, 2));
        assert_eq!(typed("MC"), ("mcts:1000".into(), 0, 1));
        // A value that is on offer, a number that goes on otherwise, and what no offer begins with.
        assert_eq!(typed("minimax:1"), ("minimax:1".into(), 1, 4));
        assert_eq!(typed("mcts:10"), ("mcts:10".into(), 1, 1));
        assert_eq!(typed("minimax:6"), ("minimax:6".into(), 1, 2));
        assert_eq!(typed("xyz"), ("xyz".into(), 1, 4));
        assert_eq!(typed(""), ("xyz".into(), 1, 4));
        // The arrows go to what goes on with what was typed.
        form.go_to(0);
        for key in [KeyCode::Char('m'), KeyCode::Char('i'), KeyCode::Left] {
            press(&mut form, key);
        }
        assert_eq!(form.value("player"), "minimax:12");
    }

    #[test]
    fn typing_goes_on_where_the_arrows_have_nothing_to_choose() {
        let mut form = Form::new(vec![Field::text("seed", vec![], "7"), Field::text("player", vec!["max".into()], "")]);
        for key in [KeyCode::Char('1'), KeyCode::Char('2'), KeyCode::Left, KeyCode::Char('3')] {
            press(&mut form, key);
        }
        assert_eq!(form.value("seed"), "123");
        press(&mut form, KeyCode::Down);
        for key in [KeyCode::Right, KeyCode::Char('m')] {
            press(&mut form, key);
        }
        assert_eq!(form.value("player"), "m");
    }

    #[test]
    fn a_field_takes_what_it_holds_and_says_what_it_left_out() {
        let fields = vec![Field::text("seed", vec![], "1").at_most(3), Field::text("player", vec![], "")];
        let mut form = Form::new(fields);
        form.paste("1\n2");
        assert_eq!((form.value("seed"), &form.error), ("12", &None));
        form.paste("34");
        assert_eq!(form.value("seed"), "123");
        assert_eq!(form.error.as_deref(), Some("seed: at most 3 characters; the rest was left out"));
        press(&mut form, KeyCode::Backspace);
        assert_eq!((form.value("seed"), &form.error), ("12", &None));
        press(&mut form, KeyCode::Char('7'));
        assert_eq!(form.error, None);
        press(&mut form, KeyCode::Char('8'));
        assert!(form.value("seed") == "127" && form.error.is_some());
        press(&mut form, KeyCode::Down);
        form.paste(&"é".repeat(5000));
        assert_eq!(form.value("player").chars().count(), 4096);
        assert!(form.error.as_ref().is_some_and(|error| error.contains("at most 4096")));
    }

    /// A megabyte that was pasted by mistake is there at once, and so is every frame with it.
    #[test]
    fn a_megabyte_can_be_pasted() {
        let mut form = Form::new(vec![Field::text("player", vec![], "").at_most(usize::MAX)]);
        let began = std::time::Instant::now();
        form.paste(&"0123456789 abcdef".repeat(1 << 16));
        let area = Rect::new(0, 0, 80, 10);
        for _ in 0..20 {
            let mut buf = Buffer::empty(area);
            form.draw(area, &mut buf, &crate::app::stage::look());
            assert_eq!(buf[(78, 0)].symbol(), "f");
        }
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    fn an_error_is_told_whole_and_the_field_stays_in_view() {
        let fields = (0..12).map(|index| Field::text(format!("field {index}"), vec![], "")).collect();
        let mut form = Form::new(fields);
        form.go_to(11);
        form.error = Some("one two three four five six seven eight nine ten".into());
        let area = Rect::new(0, 0, 20, 10);
        let mut buf = Buffer::empty(area);
        form.draw(area, &mut buf, &crate::app::stage::look());
        let text: String = (0..10).flat_map(|y| (0..20).map(move |x| (x, y))).map(|at| buf[at].symbol()).collect();
        assert!(text.contains("field 11") && text.contains("nine ten"), "{text}");
    }
}
