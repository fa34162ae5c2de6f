//! The layout of the panels: the matrix above, the selected cell and its games below.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::games::GameList;
use super::matrix::Matrix;
use super::measure::Measure;
use super::{cell, open_game};
use crate::app::effect::Context;
use crate::arena::{CellView, View};
use crate::reproduce::kalah_thesis;
use crate::tabs::runs::RunPanels;
use crate::ui::Look;

/// The state of the panels.
#[derive(Default)]
pub struct Panels {
    pub matrix: Matrix,
    pub measure: Measure,
    pub games: GameList,
    /// The published results of the cells, in their order; looked up once.
    published: Option<Vec<Option<f64>>>,
}

impl RunPanels for Panels {
    type ViewModel = View;

    fn draw(&mut self, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        self.go((0, 0), view);
        let (first, second) = self.matrix.selected();
        // A frame, and the column heads.
        let wanted = view.players.len() as u16 + 3;
        let lower = if area.height < 14 { 0 } else { 9 };
        let upper = wanted.min(area.height.saturating_sub(lower));
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let published = self.published(view).to_vec();
        self.matrix.draw(view, (self.measure, &published), at(0, 0, area.width, upper), buf, look);
        let below = area.height - upper;
        if below < 4 {
            return;
        }
        let left = if area.width < 60 { 0 } else { (area.width / 2).clamp(40, 56) };
        if left > 0 {
            let printed = view.index(first, second).and_then(|cell| published[cell]);
            let games = (self.games.games(), printed);
            cell::draw(view, (first, second), games, at(0, upper, left, below), buf, look);
        }
        self.games.draw(view, at(left, upper, area.width - left, below), buf, look);
    }

    fn open(&mut self, view: &View, at: &Path, cx: &mut Context) {
        open_game(self, view, at, cx);
    }

    fn can_open(&self, _: &View) -> bool {
        self.games.selected().is_some()
    }

    fn key(&mut self, code: KeyCode, view: &View) -> bool {
        let step = match code {
            KeyCode::Left => (0, -1),
            KeyCode::Right => (0, 1),
            KeyCode::Up => (-1, 0),
            KeyCode::Down => (1, 0),
            code => return self.games.table.key(code),
        };
        self.go(step, view);
        true
    }

    fn turn(&mut self, by: isize) {
        self.games.table.turn(by);
    }

    fn reverse(&mut self) {
        self.games.table.reverse();
    }

    fn click(&mut self, at: (u16, u16), _: &View) -> bool {
        !self.matrix.click(at) && self.games.table.click(at)
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, view: &View) {
        if self.matrix.is_over(at) {
            self.go((if down { 1 } else { -1 }, 0), view);
        } else {
            self.games.table.key(if down { KeyCode::Down } else { KeyCode::Up });
        }
    }
}

impl Panels {
    pub fn go(&mut self, step: (isize, isize), view: &View) {
        self.matrix.go(step, view);
        let (first, second) = self.matrix.selected();
        self.games.show(view, first, second);
    }

    fn published(&mut self, view: &View) -> &[Option<f64>] {
        let of = |cell: &CellView| kalah_thesis::published(&view.settings, cell.cell.first, cell.cell.second);
        self.published.get_or_insert_with(|| view.cells.iter().map(of).collect())
    }

    /// Shows the next measure.
    pub fn turn_measure(&mut self, view: &View) {
        let has_published = self.published(view).iter().any(Option::is_some);
        self.measure = self.measure.next(view.has_margins(), has_published);
    }
}
