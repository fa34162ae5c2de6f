//! A place to draw, and the lines of text in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Look, framed, put, row, wrap};
use crate::theme::Role;

/// An area of the screen and the appearance of what is drawn there.
pub(crate) struct Canvas<'a> {
    pub area: Rect,
    /// Whether keys go to what is drawn.
    pub focused: bool,
    pub buf: &'a mut Buffer,
    pub look: &'a Look,
}

impl<'a> Canvas<'a> {
    pub fn new(area: Rect, buf: &'a mut Buffer, look: &'a Look) -> Canvas<'a> {
        Canvas { area, focused: false, buf, look }
    }

    /// Returns the canvas of another area.
    pub fn at(&mut self, area: Rect) -> Canvas<'_> {
        Canvas { area, focused: self.focused, buf: &mut *self.buf, look: self.look }
    }

    /// Returns the canvas below the first `rows`.
    pub fn below(&mut self, rows: u16) -> Canvas<'_> {
        let rows = rows.min(self.area.height);
        self.at(Rect { y: self.area.y + rows, height: self.area.height - rows, ..self.area })
    }

    /// Draws a frame with a title above. Returns the canvas inside.
    pub fn panel(&mut self, title: impl Into<String>) -> Canvas<'_> {
        let title = self.look.span(Role::Title, title);
        self.framed(title, Line::default())
    }

    /// Draws a frame with a title above and one below. Returns the canvas inside.
    pub fn framed(&mut self, above: impl Into<Line<'static>>, below: Line<'static>) -> Canvas<'_> {
        let inner = framed(self.area, above.into(), below, self.focused, self.buf, self.look);
        self.at(inner)
    }

    /// Draws a line in a row, if there is one.
    pub fn put(&mut self, index: u16, line: impl Into<Line<'static>>) {
        put(line, row(self.area, index), self.buf);
    }

    /// Draws lines from the first row on, as many as fit.
    pub fn lines(&mut self, lines: impl IntoIterator<Item = Line<'static>>) {
        for (index, line) in (0..self.area.height).zip(lines) {
            self.put(index, line);
        }
    }

    /// Draws a dim text in place of contents, wrapped and one cell from the left.
    pub fn explain(&mut self, text: &str) {
        let text = wrap(text, self.area.width.saturating_sub(2));
        let look = self.look;
        self.lines(text.into_iter().map(|text| Line::from(look.span(Role::Dim, format!(" {text}")))));
    }
}
