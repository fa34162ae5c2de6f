//! The place of the choice on the screen: the square, pit, row or field that the next key is about.
//!
//! The terminal's cursor is put there, also while it is hidden: readers of screens and braille displays follow it. Widgets
//! report the place while they draw; the last report in the focused frame counts, and a dialog, which is drawn last, has the focus.

use std::cell::Cell;

use ratatui::layout::{Position, Rect};

/// The choice of the frame that is being drawn.
#[derive(Clone, Default, Debug)]
pub(crate) struct CursorPlace {
    /// The area inside the focused frame; `None` on pages without one.
    focused: Cell<Option<Rect>>,
    position: Cell<Option<Position>>,
}

impl CursorPlace {
    /// Forgets the frame drawn before.
    pub fn begin(&self) {
        self.focused.set(None);
        self.position.set(None);
    }

    /// Moves the focus to this area, whose first cell is the place until a widget in it reports a better one.
    pub fn focus(&self, inner: Rect) {
        self.focused.set(Some(inner));
        self.position.set(Some(inner.as_position()));
    }

    /// Reports the place of a selected item, unless it is outside of the focused frame.
    pub fn set(&self, item: Rect) {
        let at = item.as_position();
        if !item.is_empty() && self.focused.get().is_none_or(|inner| inner.contains(at)) {
            self.position.set(Some(at));
        }
    }

    /// The same, in the middle of the item.
    pub fn set_middle(&self, item: Rect) {
        let x = item.x + item.width.saturating_sub(1) / 2;
        let y = item.y + item.height.saturating_sub(1) / 2;
        self.set(Rect { x, y, width: item.width.min(1), height: item.height.min(1) });
    }

    /// Returns the place; `None` if nothing can be chosen.
    pub fn get(&self) -> Option<Position> {
        self.position.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_outside_of_the_focused_frame_do_not_count() {
        let place = CursorPlace::default();
        place.set(Rect::new(3, 4, 10, 1));
        assert_eq!(place.get(), Some((3, 4).into()));
        place.focus(Rect::new(10, 10, 5, 5));
        assert_eq!(place.get(), Some((10, 10).into()));
        place.set(Rect::new(3, 4, 10, 1));
        place.set(Rect::new(11, 12, 0, 1));
        assert_eq!(place.get(), Some((10, 10).into()));
        place.set_middle(Rect::new(11, 11, 3, 3));
        assert_eq!(place.get(), Some((12, 12).into()));
        place.begin();
        assert_eq!(place.get(), None);
    }
}
