//! The background colours of a board, where the theme has them and the terminal shows at least 256.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::theme::Role;
use crate::ui::Look;

/// The colours of a board's two kinds of ground, and of its lines.
#[derive(Clone, Copy)]
pub(super) struct Skin {
    first: Color,
    second: Color,
    lines: Color,
}

impl Skin {
    /// Returns the skin of the backgrounds of two roles, the first with the colour of lines.
    pub fn new(first: Role, second: Role, look: &Look) -> Option<Skin> {
        let shown = |color: Option<Color>| color.filter(|color| matches!(color, Color::Rgb(..) | Color::Indexed(_)));
        let first = look.style(first);
        let second = look.style(second);
        Some(Skin { first: shown(first.bg)?, second: shown(second.bg)?, lines: shown(first.fg)? })
    }

    /// Colours the board and the places of the second kind in it.
    pub fn paint(self, board: Rect, second: impl Iterator<Item = Rect>, buf: &mut Buffer) {
        buf.set_style(board, Style::new().bg(self.first));
        second.for_each(|place| buf.set_style(place, Style::new().bg(self.second)));
    }

    /// Returns the style of the lines: on the board, or on the terminal's background if there is no skin.
    pub fn lines(skin: Option<Skin>, look: &Look) -> Style {
        skin.map_or(look.style(Role::Border), |skin| Style::new().fg(skin.lines))
    }
}
