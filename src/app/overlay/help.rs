//! The help: the texts of the active tab, such as the rules of the game, and the keys of the tab and of the app, from the registry.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Outcome, Overlay};
use crate::app::CommandEntry;
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Look, clip, put, row, width, window, wrap};

/// Greatest width of text.
const TEXT: u16 = 72;

enum Row {
    Heading(String),
    Text(String),
    Key { keys: String, title: String },
    Blank,
}

/// Sections of text in a look.
type LookText = Box<dyn FnOnce(&Look) -> Vec<(String, Vec<String>)>>;

/// A scrollable page: the game's rules, the keys that matter now, and all keys by groups.
pub struct Help {
    title: &'static str,
    rows: Vec<Row>,
    /// Sections that depend on the look, until they are drawn first.
    text: Option<LookText>,
    /// The text has columns, and is cut instead of wrapped.
    is_table: bool,
    top: usize,
    /// The number of lines drawn last, and of those shown.
    count: usize,
    shown: usize,
}

impl Help {
    /// Creates the page. `about` are sections of text: (heading, lines). `extra` are keys that are not commands, such as the letters
    /// of the pits: (keys, description). Then follow the commands of the active tab, titled `title`, and those of the app.
    pub fn new(
        title: &str,
        about: Vec<(String, Vec<String>)>,
        extra: &[(String, String)],
        tab: &[CommandEntry],
        app: &[CommandEntry],
    ) -> Help {
        let key = |one: &CommandEntry| Row::Key { keys: one.keys.join(" "), title: one.title.clone() };
        let other = |(keys, title): &(String, String)| Row::Key { keys: keys.clone(), title: title.clone() };
        let mut rows = sections(about);
        // The keys of now, and below all of them.
        rows.push(Row::Heading(format!("{title}: now")));
        rows.extend(extra.iter().map(other));
        rows.extend(tab.iter().filter(|one| one.is_offered).map(key));
        rows.extend([Row::Blank, Row::Heading(format!("{title}: all keys"))]);
        for one in tab {
            if let Some(group) = one.label.group {
                rows.extend([Row::Blank, Row::Heading(group.to_owned())]);
            }
            rows.push(key(one));
        }
        rows.extend([Row::Blank, Row::Heading("Everywhere".to_owned())]);
        rows.extend(app.iter().map(key));
        Help { title: "Help", rows, text: None, is_table: false, top: 0, count: 0, shown: 1 }
    }

    /// Adds sections at the end of the page: (heading, lines).
    pub fn with_notes(mut self, notes: Vec<(String, Vec<String>)>) -> Help {
        if !notes.is_empty() {
            self.rows.push(Row::Blank);
            self.rows.extend(sections(notes));
        }
        self
    }

    /// Creates a page of sections of text alone.
    pub fn page(title: &'static str, text: impl FnOnce(&Look) -> Vec<(String, Vec<String>)> + 'static) -> Help {
        Help { title, rows: Vec::new(), text: Some(Box::new(text)), is_table: true, top: 0, count: 0, shown: 1 }
    }

    fn scroll(&mut self, by: isize) {
        let last = self.count.saturating_sub(self.shown);
        self.top = self.top.saturating_add_signed(by).min(last);
    }
}

fn sections(text: Vec<(String, Vec<String>)>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (heading, lines) in text {
        rows.push(Row::Heading(heading));
        rows.extend(lines.into_iter().map(Row::Text));
        rows.push(Row::Blank);
    }
    rows
}

/// The lines of a row: long text continues on the next ones, below its beginning.
fn lines(entry: &Row, keys_width: usize, cells: u16, is_table: bool, look: &Look) -> Vec<Line<'static>> {
    let wrapped = |text: &str, indent: u16| {
        let cells = TEXT.min(cells.saturating_sub(indent)).max(1);
        // Wrapping would join the columns of a table.
        if is_table || width(text) <= cells { vec![text.to_owned()] } else { wrap(text, cells) }
    };
    match entry {
        Row::Heading(text) => vec![Line::from(look.span(Role::Title, text.clone()))],
        Row::Blank => vec![Line::default()],
        Row::Text(text) => {
            let lines = wrapped(text, 2).into_iter();
            lines.map(|text| Line::from(look.span(Role::Text, format!("  {text}")))).collect()
        }
        Row::Key { keys, title } => {
            let column = keys_width + 4;
            let lines = wrapped(title, column as u16).into_iter().enumerate();
            lines
                .map(|(index, title)| {
                    let keys = if index == 0 { keys.as_str() } else { "" };
                    let gap = " ".repeat(column - 2 - usize::from(width(keys)));
                    Line::from(vec![look.span(Role::Key, format!("  {keys}")), look.span(Role::Text, gap + &title)])
                })
                .collect()
        }
    }
}

/// Cuts a line that is too long, with an ellipsis.
fn cut(mut line: Line<'static>, cells: u16, look: &Look) -> Line<'static> {
    let before: usize = line.spans.iter().rev().skip(1).map(ratatui::text::Span::width).sum();
    if let Some(last) = line.spans.last_mut() {
        last.content = clip(&last.content, cells.saturating_sub(before as u16), look).into();
    }
    line
}

impl Overlay for Help {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        let page = self.shown.max(2) as isize - 1;
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::F(1) | KeyCode::Char('q' | '?') => return Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(crossterm::event::KeyModifiers::CONTROL) => {
                return Outcome::Close;
            }
            KeyCode::Up | KeyCode::Char('k') => self.scroll(-1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll(1),
            KeyCode::PageUp => self.scroll(-page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll(page),
            KeyCode::Home | KeyCode::Char('g') => self.top = 0,
            KeyCode::End | KeyCode::Char('G') => self.scroll(isize::MAX),
            _ => {}
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(-2),
            MouseEventKind::ScrollDown => self.scroll(2),
            MouseEventKind::Down(_) => return Outcome::Close,
            _ => {}
        }
        Outcome::Stay
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        if let Some(text) = self.text.take() {
            self.rows = sections(text(look));
        }
        let keys_width =
            self.rows.iter().map(|row| if let Row::Key { keys, .. } = row { width(keys) } else { 0 }).max();
        let keys_width = usize::from(keys_width.unwrap_or(0));
        let titles = self.rows.iter().map(|row| if let Row::Key { title, .. } = row { width(title) } else { 0 }).max();
        let texts = self.rows.iter().map(|row| if let Row::Text(text) = row { width(text) } else { 0 }).max();
        let texts = if self.is_table { texts } else { texts.map(|text| text.min(TEXT)) };
        let wide = (keys_width as u16 + titles.unwrap_or(0) + 8).max(texts.unwrap_or(0) + 6).min(area.width);
        // Beside the frame.
        let cells = wide.saturating_sub(4);
        let rows = self.rows.iter();
        let lines: Vec<_> = rows.flat_map(|row| lines(row, keys_width, cells, self.is_table, look)).collect();
        self.count = lines.len();
        let height = (self.count as u16 + 3).min(area.height);
        let inner = window(area, wide, height, self.title, buf, look);
        self.shown = usize::from(inner.height.saturating_sub(1));
        self.scroll(0);
        for (index, line) in lines.into_iter().skip(self.top).take(self.shown).enumerate() {
            put(cut(line, inner.width, look), row(inner, index as u16), buf);
        }
        let rows = Rect { height: self.shown as u16, ..inner };
        let end = self.count.min(self.top + self.shown);
        scrollbar(rows, &(self.top..end), self.count, buf, look);
        let more = self.top + self.shown < self.count;
        let foot = if more { "more below: PgDn   close: Esc" } else { "close: Esc" };
        put(look.span(Role::Dim, foot), row(inner, inner.height.saturating_sub(1)), buf);
        None
    }
}
