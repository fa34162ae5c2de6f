//! A list with a selected row that stays in view.

use crossterm::event::KeyCode;

/// Which row is selected and which is the first one shown. The rows themselves belong to whoever draws them.
#[derive(Clone, Copy, Default, Debug)]
pub struct ListState {
    pub selected: usize,
    top: usize,
}

impl ListState {
    /// Moves by one of the keys people expect in lists; true if it was one. Letters count only if `letters` is set, for lists
    /// that do not take typing.
    pub fn key(&mut self, key: KeyCode, len: usize, page: usize, letters: bool) -> bool {
        let last = len.saturating_sub(1);
        let page = page.max(2) - 1;
        self.selected = match key {
            KeyCode::Up => self.selected.saturating_sub(1),
            KeyCode::Down => self.selected + 1,
            KeyCode::PageUp => self.selected.saturating_sub(page),
            KeyCode::PageDown => self.selected + page,
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Char('k') if letters => self.selected.saturating_sub(1),
            KeyCode::Char('j') if letters => self.selected + 1,
            KeyCode::Char('g') if letters => 0,
            KeyCode::Char('G') if letters => last,
            _ => return false,
        };
        self.selected = self.selected.min(last);
        true
    }

    /// The rows to show in `height` lines, after scrolling just far enough to have the selected row among them.
    pub fn window(&mut self, len: usize, height: usize) -> std::ops::Range<usize> {
        self.selected = self.selected.min(len.saturating_sub(1));
        self.top = self.top.min(len.saturating_sub(height));
        self.top = self.top.min(self.selected).max((self.selected + 1).saturating_sub(height));
        self.top..(self.top + height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_stays_in_view() {
        let mut list = ListState::default();
        assert_eq!(list.window(10, 4), 0..4);
        list.key(KeyCode::End, 10, 4, false);
        assert_eq!(list.window(10, 4), 6..10);
        list.key(KeyCode::PageUp, 10, 4, false);
        assert_eq!((list.selected, list.window(10, 4)), (6, 6..10));
        list.key(KeyCode::Up, 10, 4, false);
        assert_eq!(list.window(10, 4), 5..9);
        assert_eq!(list.window(3, 4), 0..3, "a list that became shorter");
        assert_eq!(list.window(0, 4), 0..0);
        assert_eq!(list.window(5, 0).len(), 0);
    }
}
