//! The first start: a screen to choose a game and a level.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Message, Setup};
use crate::app::overlay::{Outcome, Overlay};
use crate::game::Variant;
use crate::player::Spec;
use crate::player::levels::{Level, Opponent};
use crate::player::offers::{about, strength};
use crate::theme::Role;
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, clip, put, row, window, wrap};

const GAME: FieldId = FieldId(0);
const LEVEL: FieldId = FieldId(1);
const SIDE: FieldId = FieldId(2);
const FIRST: &str = "first";

/// Width of the dialog, and its rows with the frame.
const WIDE: u16 = 64;
const ROWS: u16 = 16;

/// A dialog that returns a [`Setup`].
pub(super) struct Welcome {
    form: Form,
    seed: Option<u64>,
}

impl Welcome {
    pub fn new(setup: &Setup) -> Welcome {
        let games = Variant::usual().iter().map(|variant| variant.title().to_owned()).collect();
        let levels = Level::WORDS.iter().map(|(word, _)| (*word).to_owned()).collect();
        let sides = vec![FIRST.to_owned(), "second".to_owned()];
        let fields = vec![
            Field::choice("Game", games, setup.variant.title()).named(GAME),
            Field::choice("Level", levels, Level::default().to_string()).named(LEVEL),
            Field::choice("You move", sides, FIRST).named(SIDE),
        ];
        Welcome { form: Form::new(fields), seed: setup.seed }
    }

    fn variant(&self) -> Variant {
        let usual = Variant::usual();
        let chosen = usual.iter().find(|variant| variant.title() == self.form.value(GAME));
        *chosen.unwrap_or(&usual[0])
    }

    fn setup(&self) -> Setup {
        let level = Opponent::Level(self.form.value(LEVEL).parse().unwrap_or_default());
        let human = Opponent::Player(Spec::Human);
        let players = if self.form.value(SIDE) == FIRST { [human, level] } else { [level, human] };
        Setup { seed: self.seed, ..Setup::new(self.variant(), players) }
    }
}

impl Overlay for Welcome {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Submit => Outcome::TaskResult(Box::new(Message::Chosen(self.setup()))),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, WIDE, ROWS, "Welcome to mancalab", buf, look);
        let body = Rect { y: inner.y + 1, height: 5.min(inner.height.saturating_sub(1)), ..inner };
        let cursor = self.form.draw(body, buf, look);
        let variant = self.variant();
        let level = self.form.value(LEVEL);
        let rating =
            strength(level, &variant).map_or(String::new(), |strength| format!(", Elo {}", look.signed(strength.elo)));
        let player = format!("{level}: {}{rating}", about(level, &variant).unwrap_or_default());
        let mut lines = vec![Line::from(look.span(Role::Dim, clip(&player, inner.width, look))), Line::default()];
        let goal = wrap(variant.explained().first().copied().unwrap_or_default(), inner.width).into_iter().take(4);
        lines.extend(goal.map(|text| Line::from(look.span(Role::Text, text))));
        for (index, line) in lines.into_iter().enumerate() {
            put(line, row(inner, 6 + index as u16), buf);
        }
        let later = "Later: n new game, N tutorial, ? rules and keys";
        put(look.span(Role::Dim, clip(later, inner.width, look)), row(inner, inner.height.saturating_sub(2)), buf);
        let keys = [("Enter", " play   "), ("arrows", " choose   "), ("Esc", " look around")];
        let keys = keys.into_iter().flat_map(|(key, word)| [look.span(Role::Key, key), look.span(Role::Text, word)]);
        let keys = Line::from(keys.collect::<Vec<_>>());
        put(keys, row(inner, inner.height.saturating_sub(1)), buf);
        cursor
    }
}
