//! The panels of a page: the focus, the zoom, and the areas drawn.

use ratatui::layout::Rect;

/// The panels of a page; `P` is their name.
#[derive(Clone, Debug)]
pub struct Panes<P> {
    focus: P,
    zoomed: bool,
    /// Whether the page is too small for more than one.
    small: bool,
    places: Vec<(Rect, P)>,
}

impl<P: Copy + PartialEq> Panes<P> {
    pub fn new(focus: P) -> Panes<P> {
        Panes { focus, zoomed: false, small: false, places: Vec::new() }
    }

    /// Clears the areas; call it before drawing.
    pub fn begin(&mut self) {
        self.places.clear();
    }

    /// Records a panel's area. Returns whether it has the focus.
    pub fn drawn(&mut self, pane: P, area: Rect) -> bool {
        self.places.push((area, pane));
        self.focus == pane
    }

    /// Returns the area of the panel with the focus, if it is drawn.
    pub fn focused_area(&self) -> Option<Rect> {
        self.places.iter().find(|(_, pane)| *pane == self.focus).map(|(area, _)| *area)
    }

    pub fn focus(&self) -> P {
        self.focus
    }

    pub fn focus_on(&mut self, pane: P) {
        self.focus = pane;
    }

    /// Sets whether the page is too small for more than one panel: then it shows the one with the focus.
    pub fn is_alone(&mut self, small: bool) {
        self.small = small;
    }

    /// Returns the only panel shown, because it is zoomed or the page is too small.
    pub fn alone(&self) -> Option<P> {
        (self.zoomed || self.small).then_some(self.focus)
    }

    pub fn zoom(&mut self) {
        self.zoomed = !self.zoomed;
    }

    /// Shows all panels again. Returns whether one was zoomed.
    pub fn unzoom(&mut self) -> bool {
        std::mem::take(&mut self.zoomed)
    }

    /// Moves the focus to the next panel on the page, or of `all` if only one is shown.
    pub fn next(&mut self, all: &[P]) {
        let shown: Vec<P> =
            if self.alone().is_some() { all.to_vec() } else { self.places.iter().map(|(_, pane)| *pane).collect() };
        let at = shown.iter().position(|pane| *pane == self.focus);
        let next = at.map_or(0, |at| (at + 1) % shown.len());
        self.focus = shown.get(next).copied().unwrap_or(self.focus);
    }

    /// Returns the panel at a position.
    pub fn hit_test(&self, at: (u16, u16)) -> Option<P> {
        super::hit_test(&self.places, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_focus_goes_round_what_is_shown() {
        let mut panes = Panes::new('a');
        let left = Rect::new(0, 0, 10, 5);
        assert!(panes.drawn('a', left) && !panes.drawn('b', Rect { x: 10, ..left }));
        panes.next(&['a', 'b', 'c']);
        assert_eq!((panes.focus(), panes.hit_test((12, 2)), panes.hit_test((30, 2))), ('b', Some('b'), None));
        panes.next(&['a', 'b', 'c']);
        assert_eq!(panes.focus(), 'a');
        panes.zoom();
        panes.next(&['a', 'c']);
        assert_eq!(panes.alone(), Some('c'));
        assert!(panes.unzoom() && !panes.unzoom());
        panes.next(&['a', 'b', 'c']);
        assert_eq!(panes.focus(), 'a', "what is not shown passes the focus on");
        panes.is_alone(true);
        panes.next(&['a', 'b', 'c', 'd']);
        assert_eq!(panes.alone(), Some('b'), "on a small page all take turns");
        panes.is_alone(false);
        panes.begin();
        panes.next(&['a', 'b', 'c', 'd']);
        assert_eq!(panes.focus(), 'b', "a page without panels has none to move to");
    }
}
