//! Parts of the screen for tests: the notice, the dialog, the selected row, the enabled commands, a panel, a cell.

use std::any::Any;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use super::Stage;
use super::pictures::blot;
use crate::app::tab::Tab;
use crate::app::{CommandEntry, TerminalRequest};
use crate::theme::Role;
use crate::ui::Look;

/// The size of the screen that queries look at.
const SIZE: (u16, u16) = (120, 40);

impl Stage {
    /// Returns the text of the notice; an empty one if there is none.
    pub fn notice(&self) -> &str {
        self.app.notice.as_ref().map_or("", |notice| notice.text())
    }

    /// Returns the look that the screen is drawn in.
    pub fn look(&self) -> &Look {
        &self.app.appearance.look
    }

    /// Returns the title of the tab in front.
    pub fn tab(&self) -> &'static str {
        self.app.tabs[self.app.front].title()
    }

    /// Returns the subject of the tab in front, such as the game's variant.
    pub fn subject(&self) -> String {
        self.app.tabs[self.app.front].subtitle(self.look())
    }

    /// Returns the tab of this type.
    pub fn tab_of<T: Tab>(&self) -> &T {
        let mut found = self.app.tabs.iter().filter_map(|tab| (&**tab as &dyn Any).downcast_ref());
        found.next().expect("a tab of this type")
    }

    /// Returns the commands that the footer of the tab in front offers now.
    pub fn offered(&self) -> Vec<CommandEntry> {
        let all = self.app.tables_in_front().into_iter().flat_map(|whose| self.app.listed(whose));
        all.filter(|entry| entry.is_offered).collect()
    }

    /// Returns whether the footer of the tab in front offers this command now.
    pub fn offers(&self, id: &str) -> bool {
        self.offered().iter().any(|entry| entry.label.id == id)
    }

    /// Returns the text that was copied last since the last call.
    pub fn copied(&mut self) -> Option<String> {
        self.app.take_requests().into_iter().rev().find_map(|request| match request {
            TerminalRequest::Copy(text) => Some(text),
            _ => None,
        })
    }

    /// Returns the topmost dialog as a panel, without the page below; `None` if no dialog is open.
    pub fn dialog(&mut self) -> Option<Panel> {
        let area = Rect::new(0, 0, SIZE.0, SIZE.1);
        let mut buffer = Buffer::empty(area);
        self.app.layers.last_mut()?.overlay.draw(area, &mut buffer, &self.app.appearance.look);
        Some(panels(&buffer).into_iter().next().expect("a dialog in a frame"))
    }

    /// Returns the title of the topmost dialog; an empty one if no dialog is open.
    pub fn dialog_title(&mut self) -> String {
        self.dialog().map_or(String::new(), |dialog| dialog.title)
    }

    /// Returns whether the topmost dialog has a row of these words.
    pub fn dialog_has(&mut self, row: &str) -> bool {
        self.dialog().is_some_and(|dialog| dialog.lines().iter().any(|line| line == row))
    }

    /// Returns the row of the topmost dialog that begins with these words; an empty one if there is none.
    pub fn dialog_row(&mut self, start: &str) -> String {
        let lines = self.dialog().map_or(Vec::new(), |dialog| dialog.lines());
        lines.into_iter().find(|line| line.starts_with(start)).unwrap_or_default()
    }

    /// Returns the panel of a screen of this size whose title begins with this text.
    pub fn panel_of(&mut self, (width, height): (u16, u16), title: &str) -> Option<Panel> {
        panels(&self.buffer(width, height)).into_iter().find(|panel| panel.title.starts_with(title))
    }

    /// Returns the panel whose title begins with this text.
    pub fn panel(&mut self, title: &str) -> Option<Panel> {
        self.panel_of(SIZE, title)
    }

    /// Returns the keys and words in the last line of the screen.
    pub fn footer(&mut self) -> String {
        words(self.screen(SIZE.0, SIZE.1).lines().last().unwrap_or_default())
    }

    /// Returns the selected text at the terminal's cursor; while text is typed there, that of the list below it.
    pub fn selected(&mut self) -> String {
        let ((column, row), _) = self.cursor(SIZE.0, SIZE.1);
        let buffer = self.buffer(SIZE.0, SIZE.1);
        let selection = self.app.appearance.look.style(Role::Selection).bg;
        let is_selected = |x: u16, y: u16| x < SIZE.0 && Some(buffer[(x, y)].bg) == selection;
        let cells = (row..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
        let at_cursor = Some((column, row)).filter(|&(x, y)| is_selected(x, y));
        let Some((x, y)) = at_cursor.or_else(|| cells.into_iter().find(|&(x, y)| is_selected(x, y))) else {
            return String::new();
        };
        let start = (0..=x).rev().take_while(|&x| is_selected(x, y)).last().unwrap_or(x);
        let symbols: String =
            (start..SIZE.0).take_while(|&x| is_selected(x, y)).map(|x| buffer[(x, y)].symbol()).collect();
        words(&symbols)
    }

    /// Returns a cell of the screen.
    pub fn cell(&mut self, row: u16, column: u16) -> Cell {
        self.buffer(SIZE.0, SIZE.1)[(column, row)].clone()
    }
}

/// A part of the screen in a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panel {
    /// The text in the upper line of the frame.
    pub title: String,
    /// The rows within the frame.
    pub rows: Vec<String>,
    /// The text in the lower line of the frame.
    pub foot: String,
}

impl Panel {
    /// Returns the words of the rows, however they are broken into lines.
    pub fn words(&self) -> String {
        words(&self.rows.join(" "))
    }

    /// Returns the words of the rows that have any.
    pub fn lines(&self) -> Vec<String> {
        self.rows.iter().map(|row| words(row)).filter(|row| !row.is_empty()).collect()
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the frames on the screen with what they hold, from the top and the left.
fn panels(buffer: &Buffer) -> Vec<Panel> {
    let area = buffer.area;
    let symbol = |x: u16, y: u16| if x < area.width && y < area.height { buffer[(x, y)].symbol() } else { "" };
    let text = |y: u16, columns: std::ops::Range<u16>| columns.map(|x| symbol(x, y)).collect::<String>();
    let corners = (0..area.height).flat_map(|y| (0..area.width).map(move |x| (x, y)));
    let panel = |(x, y): (u16, u16)| {
        let right = (x + 1..area.width).find(|&column| "╮╭┬┤┼".contains(symbol(column, y)))?;
        let is_bottom = |row: &u16| "╰├┴┼".contains(symbol(x, *row)) && "╯┤┴┼".contains(symbol(right, *row));
        let bottom = (y + 1..area.height).find(is_bottom)?;
        let on_frame = |y: u16| text(y, x + 1..right);
        // A common line has the title of the lower panel at the left, and that of the upper one at the right.
        let title = on_frame(y);
        let title =
            if "├┼".contains(symbol(x, y)) { title.split('─').next().unwrap_or_default() } else { &title };
        let foot = on_frame(bottom);
        let is_common = "├┼".contains(symbol(x, bottom)) || "┤┼".contains(symbol(right, bottom));
        let foot = if is_common { foot.rsplit('─').next().unwrap_or_default() } else { &foot };
        let [title, foot] = [title, foot].map(|text| blot(&words(text.trim_matches('─'))));
        let rows = (y + 1..bottom).map(|y| blot(text(y, x + 1..right).trim_end()));
        Some(Panel { title, rows: rows.collect(), foot })
    };
    corners.filter(|&(x, y)| !symbol(x, y).is_empty() && "╭├┬┼".contains(symbol(x, y))).filter_map(panel).collect()
}
