//! Drawing around the tabs: tab bar, footer, notices, overlays.

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::place::{Place, Whose};
use super::{App, Stale};
use crate::term::Cursor;
use crate::theme::Role;
use crate::ui::{Look, clip, put, row, width};

/// The smallest screen for tabs; smaller ones show a message.
pub(crate) const SMALLEST: (u16, u16) = (40, 12);

/// The width of dialogs on a slow line.
const WIDE: u16 = 56;

/// The minimum width of the subtitle, which uses the space beside the tabs.
const SUBTITLE_LEAST: u16 = 10;

/// A key in the footer with its label.
struct Word {
    key: String,
    text: String,
    /// The command run by a click; `None` for keys of the tab that are not commands.
    place: Option<Place>,
}

/// The abbreviation of the tabs' titles, except that of the active tab.
#[derive(Clone, Copy)]
enum Short {
    No,
    /// Short names.
    Names,
    /// Only number and marker.
    Most,
}

/// Cells of the largest screen whose page is shaded below a dialog: shading sends each cell again, at opening and at closing, which
/// takes seconds on a slow line.
const SHADED: u32 = 120 * 40;

/// Returns where dialogs are on a slow line, below the middle: what they cover is sent again when they close.
fn small(area: Rect) -> Rect {
    let width = area.width.min(WIDE);
    let height = (area.height / 2).max(SMALLEST.1);
    Rect { x: area.x + (area.width - width) / 2, y: area.bottom() - height, width, height }
}

impl App {
    /// Draws a frame. Called by the loop when [`is_draw_due`](App::is_draw_due).
    pub(crate) fn draw(&mut self, frame: &mut Frame, now: Instant) {
        self.stale = Stale::No;
        self.frame.drawn = now;
        let area = frame.area();
        self.frame.cursor = Cursor::default();
        self.appearance.look.cursor_place.begin();
        self.frame.too_small = area.width < SMALLEST.0 || area.height < SMALLEST.1;
        if self.frame.too_small {
            return self.draw_notice_of_size(frame);
        }
        // A dialog may preview a look on the page, which is then not shaded; the dialog keeps the readable look.
        let shown = self.shown_look();
        let is_shaded =
            !self.layers.is_empty() && shown.is_none() && area.area() <= SHADED && !self.appearance.spares_bytes;
        let lean = || Look { theme: self.appearance.look.theme.without_boards(), ..self.appearance.look.clone() };
        let shown = shown.or_else(|| self.appearance.spares_bytes.then(lean));
        let worn = shown.map(|shown| std::mem::replace(&mut self.appearance.look, shown));
        self.draw_page(frame);
        if let Some(worn) = worn {
            let shown = std::mem::replace(&mut self.appearance.look, worn);
            self.appearance.look.cursor_place = shown.cursor_place;
        }
        let mut cursor = None;
        if is_shaded {
            frame.buffer_mut().set_style(area, self.appearance.look.style(Role::Shadow));
        }
        let place = if self.appearance.spares_bytes { small(area) } else { area };
        for layer in &mut self.layers {
            cursor = layer.overlay.draw(place, frame.buffer_mut(), &self.appearance.look);
        }
        if let Some(notice) = &self.notice {
            notice.draw(area, &self.frame.titles, frame.buffer_mut(), &self.appearance.look);
        }
        self.frame.cursor = match cursor {
            Some(caret) => Cursor { position: Some(caret.into()), is_shown: true },
            None => Cursor { position: self.appearance.look.cursor_place.get(), is_shown: self.config.ui.cursor },
        };
        self.frame.cursor.position = self.frame.cursor.position.filter(|at| area.contains(*at));
        self.frame.cursor.is_shown &= self.frame.cursor.position.is_some();
    }

    /// The terminal's cursor in the frame drawn last: at the text being typed, or else at the choice, where it is hidden
    /// unless `ui.cursor` is true.
    pub(crate) fn cursor(&self) -> Cursor {
        self.frame.cursor
    }

    /// Draws the active tab between header and footer; returns the number of free columns beside the tabs.
    fn draw_page(&mut self, frame: &mut Frame) {
        let area = frame.area();
        let body = Rect { y: 1, height: area.height - 2, ..area };
        self.draw_tab_bar(frame, row(area, 0));
        self.tabs[self.front].draw(body, frame.buffer_mut(), &self.appearance.look);
        self.draw_footer(frame, row(area, area.height - 1));
    }

    fn draw_notice_of_size(&self, frame: &mut Frame) {
        let area = frame.area();
        let (wide, high) = SMALLEST;
        let times = self.appearance.look.glyphs.times;
        let lines = [
            format!("mancalab needs {wide}{times}{high},"),
            format!("this is {}{times}{}.", area.width, area.height),
            "Enlarge it (q: quit)".to_owned(),
        ];
        for (index, text) in lines.into_iter().enumerate() {
            put(self.appearance.look.span(Role::Text, text), row(area, index as u16), frame.buffer_mut());
        }
    }

    /// Draws the tab bar, and the tab's subtitle beside it.
    fn draw_tab_bar(&mut self, frame: &mut Frame, area: Rect) {
        let buf = frame.buffer_mut();
        self.frame.titles.clear();
        let mut x = area.x + 1;
        for (index, title) in self.tab_titles(area.width).into_iter().enumerate() {
            let role = if index == self.front { Role::TabActive } else { Role::Tab };
            let place = Rect { x, width: width(&title).min(area.right().saturating_sub(x)), ..area };
            put(self.appearance.look.span(role, title), place, buf);
            self.frame.titles.push(place);
            x = place.right() + 1;
        }
        let free = area.right().saturating_sub(x + 1);
        let subtitle = self.tabs[self.front].subtitle(&self.appearance.look);
        // A notice takes the right corner.
        let notice_width =
            self.notice.as_ref().and_then(|notice| notice.in_header(area.width, &self.appearance.look)).unwrap_or(0);
        let room = free.saturating_sub(notice_width);
        if room < SUBTITLE_LEAST || (notice_width > 0 && width(&subtitle) > room) {
            return;
        }
        let subtitle = clip(&subtitle, room, &self.appearance.look);
        let place = Rect { x: area.right() - notice_width - width(&subtitle) - 1, width: width(&subtitle), ..area };
        put(self.appearance.look.span(Role::Dim, subtitle), place, buf);
    }

    /// Returns the tabs' titles, with the progress of background runs, abbreviated to fit.
    fn tab_titles(&self, room: u16) -> Vec<String> {
        let title = |index: usize, short: Short| {
            let tab = &self.tabs[index];
            let badge = tab.badge().filter(|_| index != self.front).map(|badge| badge.texts(&self.appearance.look));
            let badge = badge.map_or(String::new(), |(mark, percent)| match short {
                Short::No | Short::Names => format!(" {mark}{percent}"),
                Short::Most => mark.to_owned(),
            });
            match short {
                _ if index == self.front => format!(" {} {} ", index + 1, tab.title()),
                Short::No => format!(" {} {}{badge} ", index + 1, tab.title()),
                Short::Names => format!(" {} {}{badge} ", index + 1, tab.title().chars().take(3).collect::<String>()),
                Short::Most => format!(" {}{badge} ", index + 1),
            }
        };
        let titles = |short: Short| (0..self.tabs.len()).map(|index| title(index, short)).collect::<Vec<_>>();
        let fits = |titles: &[String]| titles.iter().map(|title| width(title) + 1).sum::<u16>() < room;
        let tried = [Short::No, Short::Names].map(titles).into_iter().find(|titles| fits(titles));
        tried.unwrap_or_else(|| titles(Short::Most))
    }

    /// Returns the terminal's title if it has changed: the active tab, its subject, and its progress.
    pub(super) fn new_heading(&mut self) -> Option<String> {
        let tab = &self.tabs[self.front];
        let badge = tab.badge().map(|badge| badge.texts(&self.appearance.look));
        let badge = badge.map_or(String::new(), |(mark, percent)| format!("{mark}{percent} "));
        let heading = format!("{badge}{}: {} - mancalab", tab.title(), tab.subtitle(&self.appearance.look));
        if self.frame.heading.as_ref() == Some(&heading) {
            return None;
        }
        self.frame.heading = Some(heading.clone());
        Some(heading)
    }

    fn draw_footer(&mut self, frame: &mut Frame, area: Rect) {
        let buf = frame.buffer_mut();
        let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
        let mut x = area.x;
        let mut words = Vec::new();
        for Word { key, text, place } in self.footer(area.width) {
            let line = Line::from(vec![
                self.appearance.look.span(Role::Key, key.clone()),
                self.appearance.look.span(Role::Footer, format!(" {text}")),
            ]);
            let wide = width(&key) + 1 + width(&text);
            let at = Rect { x, width: wide.min(area.right().saturating_sub(x)), ..area };
            put(line, at, buf);
            words.extend(place.map(|place| (at, place)));
            x = at.right() + 2;
        }
        self.frame.words = words;
    }

    /// Returns as many of the tab's keys as fit before the app's, which are always shown on the page; of those with the same label
    /// the first.
    fn footer(&self, room: u16) -> Vec<Word> {
        if !self.layers.is_empty() {
            // The dialog takes the keys, and names its own.
            return Vec::new();
        }
        let tab = &self.tabs[self.front];
        let shown = |whose: Whose| {
            self.keymap.table(whose).filter_map(move |(place, _)| {
                let word = self.table(whose).footer_of(place.row).filter(|_| self.table(whose).applies(place.row))?;
                // A key claimed by the tab is not a command key now.
                let key = self.keymap.keys(place).iter().find(|key| whose == Whose::App || !tab.claims(key.event()))?;
                Some(Word { key: key.label(&self.appearance.look.glyphs), text: word.to_owned(), place: Some(place) })
            })
        };
        // Narrow screens keep only palette and help, which list the rest.
        let most = if room < 60 { 2 } else { usize::MAX };
        let app: Vec<Word> = shown(Whose::App).take(most).collect();
        let own = tab.footer_keys().into_iter().map(|(key, text)| Word { key, text, place: None });
        let cells = |word: &Word| width(&word.key) + 1 + width(&word.text) + 2;
        let mut left = room.saturating_sub(app.iter().map(cells).sum());
        // State-dependent words come first.
        let whose = Whose::Tab(self.front);
        let is_later = |word: &Word| !word.place.is_some_and(|place| self.table(whose).is_footer_of_now(place.row));
        let mut commands: Vec<Word> = shown(whose).collect();
        crate::sort::sort_by_key(&mut commands, is_later);
        let mut named = Vec::new();
        let is_new = |word: &Word| {
            let is_new = !named.contains(&word.text);
            named.push(word.text.clone());
            is_new
        };
        let fitting = own.chain(commands).filter(is_new).take_while(|word| {
            let fits = cells(word) <= left;
            left = left.saturating_sub(cells(word));
            fits
        });
        fitting.chain(app).collect()
    }
}
