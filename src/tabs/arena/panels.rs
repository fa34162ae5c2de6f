//! The layout of the panels: the matrix above, the selected cell and its games below.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::games::GameList;
use super::matrix::Matrix;
use super::measure::Measure;
use super::{cell, challenge, open_game};
use crate::app::effect::Context;
use crate::arena::{CellView, View};
use crate::reproduce::kalah_thesis;
use crate::tabs::runs::{Part, RunPanels};
use crate::ui::Canvas;
use crate::ui::chart::lens::Lens;
use crate::ui::table::SortedTable;

/// The panels, of which none has the focus: arrows choose a cell, other keys a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Matrix,
    Cell,
    Games,
}

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
    type Pane = Pane;

    /// Shows the games of the selected cell.
    fn update(&mut self, view: &View) {
        let of = |cell: &CellView| kalah_thesis::published(&view.settings, cell.cell.first, cell.cell.second);
        self.published.get_or_insert_with(|| view.cells.iter().map(of).collect());
        self.matrix.go((0, 0), view);
        let (first, second) = self.matrix.selected();
        self.games.show(view, first, second);
    }

    fn all(&self, _: &View) -> Vec<Pane> {
        vec![Pane::Matrix, Pane::Cell, Pane::Games]
    }

    fn layout(&self, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
        // A frame, and the column heads.
        let wanted = view.players.len() as u16 + 3;
        let lower = if area.height < 14 { 0 } else { 9 };
        let upper = wanted.min(area.height.saturating_sub(lower));
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let below = area.height - upper;
        let left = if area.width < 60 { 0 } else { (area.width / 2).clamp(40, 56) };
        let panes = [
            (Pane::Matrix, at(0, 0, area.width, upper), true),
            (Pane::Cell, at(0, upper, left, below), below >= 4 && left > 0),
            (Pane::Games, at(left, upper, area.width - left, below), below >= 4),
        ];
        panes.into_iter().filter(|(.., is_shown)| *is_shown).map(|(pane, place, _)| (pane, place)).collect()
    }

    fn draw(&mut self, pane: Pane, view: &View, _: &mut Lens, mut canvas: Canvas<'_>) {
        canvas.focused = false;
        let published = self.published.as_deref().unwrap_or_default();
        match pane {
            Pane::Matrix => self.matrix.draw(view, (self.measure, published), canvas),
            Pane::Cell => {
                let (first, second) = self.matrix.selected();
                let printed = view.index(first, second).and_then(|cell| published[cell]);
                cell::draw(view, (first, second), (self.games.games(), printed), canvas);
            }
            Pane::Games => self.games.draw(view, canvas),
        }
    }

    fn part(&mut self, pane: Pane) -> Option<&mut dyn Part<View>> {
        match pane {
            Pane::Matrix => Some(&mut self.matrix),
            Pane::Cell | Pane::Games => Some(&mut self.games.table),
        }
    }

    fn key(&mut self, _: Pane, code: KeyCode, view: &View) -> bool {
        if !self.matrix.key(code, view) {
            return self.games.table.key(code);
        }
        self.update(view);
        true
    }

    /// Over a cell the wheel moves the selection, elsewhere the games.
    fn wheel(&mut self, pane: Pane, at: (u16, u16), down: bool, view: &View) {
        let is_on_cell = pane == Pane::Matrix && self.matrix.is_over(at);
        let part: &mut dyn Part<View> = if is_on_cell { &mut self.matrix } else { &mut self.games.table };
        part.wheel(down, view);
    }

    fn next_details(&mut self, focus: Pane, view: &View) -> Pane {
        let has_published = self.published.iter().flatten().any(Option::is_some);
        self.measure = self.measure.next(view.has_margins(), has_published);
        focus
    }

    fn table(&mut self) -> Option<&mut SortedTable> {
        Some(&mut self.games.table)
    }

    fn can_open(&self, _: &View) -> bool {
        self.games.selected().is_some()
    }

    fn open(&self, _: Pane, view: &View, run: &Path, cx: &mut Context) {
        open_game(self, view, run, cx);
    }

    fn can_challenge(&self, _: &View) -> bool {
        true
    }

    fn challenge(&self, view: &View, _: &Path, cx: &mut Context) {
        challenge(self, view, cx);
    }
}
