//! The theme chooser, with a preview of the selected theme on the whole screen.

use mancalab_base::Error;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Outcome, Overlay, TaskResult};
use crate::app::theme_catalog::ThemeCatalog;
use crate::job::background::Work;
use crate::theme::Role;
use crate::ui::list::{Choice, Chooser};
use crate::ui::{Look, clip, keys, put, row, window_at, wrap};

/// The themes with their looks or errors.
type ThemeList = Vec<(String, Result<Look, Error>)>;

/// Preferred width in columns.
const WIDE: u16 = 46;

/// The theme chooser.
pub struct Themes {
    looks: Arc<dyn ThemeCatalog>,
    /// The name of the current theme.
    worn: String,
    /// The user's config file, in which the theme can be set.
    config: Option<String>,
    offered: ThemeList,
    chooser: Chooser,
}

impl Themes {
    pub fn new(looks: Arc<dyn ThemeCatalog>, worn: &str, config: Option<String>) -> Themes {
        let worn = worn.to_owned();
        let offered = Vec::new();
        let chooser = Chooser::default();
        Themes { looks, worn, config, offered, chooser }
    }

    fn selected(&self) -> Option<&(String, Result<Look, Error>)> {
        self.offered.get(self.chooser.selected())
    }

    fn choose(&mut self, choice: Choice) -> Outcome {
        match choice {
            Choice::Leave => Outcome::Close,
            Choice::Take => match self.selected() {
                Some((name, Ok(look))) => Outcome::ApplyTheme(name.clone(), Box::new(look.clone())),
                _ => Outcome::Stay,
            },
            Choice::None | Choice::Moved | Choice::Ignored => Outcome::Stay,
        }
    }

    /// Returns the notes on the previewed theme.
    fn notes(&self) -> Vec<String> {
        let Some((_, look)) = self.selected() else { return Vec::new() };
        let colourless = |(name, look): &(String, Result<Look, Error>)| {
            look.as_ref().is_ok_and(|look| look.theme.name() == "mono" && name != "mono")
        };
        if let Err(reason) = look {
            return reason.to_string().lines().map(str::to_owned).collect();
        }
        if self.offered.iter().any(colourless) {
            return vec!["Without colour all themes look the same.".to_owned()];
        }
        let file = self.config.as_deref().unwrap_or("your config.toml");
        vec![format!("Enter saves it as the default; a theme in {file} wins.")]
    }
}

impl Overlay for Themes {
    fn begin(&mut self) -> Option<Work> {
        let looks = Arc::clone(&self.looks);
        let read = move || {
            let names = looks.names().into_iter();
            names.map(|name| (name.clone(), looks.load(&name))).collect::<ThemeList>()
        };
        Some(Box::new(move || Box::new(read())))
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        if let Ok(offered) = answer.downcast::<ThemeList>() {
            self.chooser.select(offered.iter().position(|(name, _)| *name == self.worn).unwrap_or(0));
            self.offered = *offered;
        }
        Outcome::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Outcome {
        let len = self.offered.len();
        // The key that opened the chooser selects the next theme, cyclically.
        if key.code == KeyCode::Char('T') && len > 0 {
            self.chooser.select((self.chooser.selected() + 1) % len);
            return Outcome::Stay;
        }
        let choice = self.chooser.key_only(key, len);
        self.choose(choice)
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let choice = self.chooser.mouse(mouse, self.offered.len(), false);
        self.choose(choice)
    }

    fn look(&self) -> Option<&Look> {
        self.selected().and_then(|(_, look)| look.as_ref().ok())
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let wide = WIDE.min(area.width);
        let notes: Vec<String> = self.notes().iter().flat_map(|note| wrap(note, wide.saturating_sub(4))).collect();
        let rows = (self.offered.len() as u16).clamp(1, 12);
        let high = (rows + notes.len() as u16 + 5).min(area.height);
        // At the side, so that the page with the new colours is visible.
        let place = Rect { x: area.right() - wide, y: area.y + (area.height - high) / 2, width: wide, height: high };
        let inner = window_at(place, "Theme", buf, look);
        let foot = row(inner, inner.height.saturating_sub(1));
        put(keys("Enter: OK, Esc: restore", foot.width, look), foot, buf);
        let below = (notes.len() as u16 + 1).min(inner.height.saturating_sub(4));
        let list = Rect { height: inner.height.saturating_sub(below + 1), ..inner };
        for (index, note) in notes.iter().take(usize::from(below)).enumerate() {
            let at = row(inner, list.height + index as u16);
            put(look.span(Role::Text, clip(note, at.width, look)), at, buf);
        }
        let offered = &self.offered;
        self.chooser.draw(list, offered.len(), buf, look, |index, at, role, buf| {
            let (name, loaded) = &offered[index];
            let role = if loaded.is_err() && role == Role::Text { Role::Dim } else { role };
            let mark = if *name == self.worn { look.glyphs.check } else { " " };
            let cannot = if loaded.is_err() { "  unreadable" } else { "" };
            put(look.span(role, clip(&format!("{mark} {name}{cannot}"), at.width, look)), at, buf);
        });
        None
    }
}
