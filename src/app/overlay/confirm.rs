//! A question with two answers, `y` and `n`, and the confirmation before quitting.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay};
use crate::app::tab::Message;
use crate::theme::Role;
use crate::ui::{Look, put, row, width, window, wrap};

/// Asks whether to quit while work is unfinished.
pub struct ConfirmQuit {
    /// The unfinished work, a sentence each.
    reasons: Vec<String>,
    /// Whether there are runs that can go on in processes of their own.
    has_runs: bool,
    /// Some of it cannot be saved.
    loses: bool,
    /// The areas of the answers.
    areas: Vec<Rect>,
}

/// An answer: its key, its words and what follows.
type Answer = (char, &'static str, fn() -> Outcome);

const ANSWERS: [Answer; 3] = [
    ('y', " save and quit", || Outcome::Quit { runs_go_on: false }),
    ('b', " quit, runs go on in the background", || Outcome::Quit { runs_go_on: true }),
    ('n', " stay", || Outcome::Close),
];

impl ConfirmQuit {
    pub fn new(reasons: Vec<String>, has_runs: bool, loses: bool) -> ConfirmQuit {
        ConfirmQuit { reasons, has_runs, loses, areas: Vec::new() }
    }

    /// The words of an answer.
    fn words(&self, (key, words, _): &Answer) -> &'static str {
        if *key == 'y' && self.loses { " quit without saving" } else { words }
    }

    fn answers(&self) -> impl Iterator<Item = &'static Answer> {
        let has_runs = self.has_runs;
        ANSWERS.iter().filter(move |(key, ..)| has_runs || *key != 'b')
    }
}

impl Overlay for ConfirmQuit {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y' | 's') | KeyCode::Enter => Outcome::Quit { runs_go_on: false },
            KeyCode::Char('c') if key.modifiers.contains(crossterm::event::KeyModifiers::CONTROL) => {
                Outcome::Quit { runs_go_on: false }
            }
            KeyCode::Char('b' | 'B') if self.has_runs => Outcome::Quit { runs_go_on: true },
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        let clicked = |place: &Rect| mouse.kind == MouseEventKind::Down(MouseButton::Left) && place.contains(at);
        let found = self.areas.iter().position(clicked).and_then(|index| self.answers().nth(index));
        found.map_or(Outcome::Stay, |(.., follow)| follow())
    }

    fn unfinished(&mut self, reasons: &[String]) {
        self.reasons = match reasons {
            [] => vec!["Nothing is running any more.".to_owned()],
            reasons => reasons.to_vec(),
        };
        self.has_runs &= !reasons.is_empty();
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let widest = self.reasons.iter().map(|reason| width(reason)).max().unwrap_or(0).max(34) + 6;
        let answers: Vec<(char, &str)> = self.answers().map(|answer| (answer.0, self.words(answer))).collect();
        let cells = widest.min(area.width).saturating_sub(6);
        let reasons: Vec<String> = self.reasons.iter().flat_map(|reason| wrap(reason, cells)).collect();
        let rows = (reasons.len() + answers.len()) as u16;
        let inner = window(area, widest, rows + 4, "Quit?", buf, look);
        for (index, reason) in reasons.iter().enumerate() {
            put(look.span(Role::Text, reason.clone()), row(inner, 1 + index as u16), buf);
        }
        self.areas.clear();
        for (index, (key, words)) in answers.into_iter().enumerate() {
            let place = row(inner, (2 + reasons.len() + index) as u16);
            put(Line::from(vec![look.span(Role::Key, key.to_string()), look.span(Role::Text, words)]), place, buf);
            self.areas.push(Rect { width: 1 + width(words), ..place });
        }
        self.areas.iter().take(1).for_each(|first| look.cursor_place.set(*first));
        None
    }
}

/// Asks before something is done; yes sends a message to the tab.
pub(crate) struct Question<F> {
    title: &'static str,
    text: String,
    /// The words for yes and no.
    words: [&'static str; 2],
    yes: F,
    /// Where they are on the screen.
    places: [Rect; 2],
}

impl<M: Message, F: Fn() -> M> Question<F> {
    pub fn new(title: &'static str, text: String, words: [&'static str; 2], yes: F) -> Question<F> {
        Question { title, text, words, yes, places: [Rect::ZERO; 2] }
    }
}

impl<M: Message, F: Fn() -> M> Overlay for Question<F> {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => Outcome::TaskResult(Box::new((self.yes)())),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc | KeyCode::Enter => Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Outcome::Close,
            _ => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let at = (mouse.column, mouse.row).into();
        let clicked = |place: &Rect| mouse.kind == MouseEventKind::Down(MouseButton::Left) && place.contains(at);
        match self.places.iter().position(clicked) {
            Some(0) => Outcome::TaskResult(Box::new((self.yes)())),
            Some(_) => Outcome::Close,
            None => Outcome::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, width(&self.text).max(34) + 4, 6, self.title, buf, look);
        put(look.span(Role::Text, self.text.clone()), row(inner, 1), buf);
        let [yes, no] = self.words;
        let keys = Line::from(vec![
            look.span(Role::Key, "y"),
            look.span(Role::Text, format!(" {yes}   ")),
            look.span(Role::Key, "n"),
            look.span(Role::Text, format!(" {no}")),
        ]);
        let place = row(inner, 3);
        put(keys, place, buf);
        look.cursor_place.set(place);
        let wide = 2 + width(yes);
        self.places = [Rect { width: wide, ..place }, Rect { x: place.x + wide + 3, width: 2 + width(no), ..place }];
        None
    }
}
