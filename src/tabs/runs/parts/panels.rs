//! The panels of a run: the focus, the zoom, the cursor of the charts, and the mouse, for every kind of run.
//!
//! A kind names its panels, lays them out and draws them ([`RunPanels`]); tables, lists and its own widgets are [`Part`]s.

use std::any::Any;
use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::kind::RunViewModel;
use crate::app::tab::Context;
use crate::game::Position;
use crate::ui::chart::lens::Lens;
use crate::ui::frames::Panes;
use crate::ui::list::RowList;
use crate::ui::table::SortedTable;
use crate::ui::{Canvas, Look, adjoin, focus};

/// The panels of a kind of run and their state: selected rows, sort orders, toggles.
pub trait RunPanels: Default + 'static {
    type ViewModel: RunViewModel;
    /// The name of a panel.
    type Pane: Copy + PartialEq + 'static;

    /// Smaller pages show the panel with the focus alone, or else a [`summary`](RunPanels::summary).
    const MIN_SIZE: (u16, u16) = (0, 0);
    const HAS_SUMMARY: bool = false;

    /// Returns the state to keep when another run is opened.
    #[must_use]
    fn anew(self) -> Self {
        Self::default()
    }

    /// Receives the position on the Board.
    fn see(&mut self, _board: Position) {}

    /// Follows the newest view model, before it is drawn.
    fn update(&mut self, _view_model: &Self::ViewModel) {}

    /// Returns all panels, in the order of the focus.
    fn all(&self, view_model: &Self::ViewModel) -> Vec<Self::Pane>;

    /// Returns the panel that has the focus first.
    fn first(&self, view_model: &Self::ViewModel) -> Self::Pane {
        self.all(view_model)[0]
    }

    /// Returns the panels of a page and their areas.
    fn layout(&self, view_model: &Self::ViewModel, area: Rect) -> Vec<(Self::Pane, Rect)>;

    fn draw(&mut self, pane: Self::Pane, view_model: &Self::ViewModel, lens: &mut Lens, canvas: Canvas<'_>);

    /// Draws a page that is too small for panels.
    fn summary(&self, _view_model: &Self::ViewModel, _lens: &Lens, _canvas: Canvas<'_>) {}

    /// Whether a panel has charts over the generations, with the cursor.
    fn has_cursor(_pane: Self::Pane) -> bool {
        false
    }

    /// Returns what a panel has for the mouse.
    fn part(&mut self, _pane: Self::Pane) -> Option<&mut dyn Part<Self::ViewModel>> {
        None
    }

    /// Handles a key in a panel that is neither a command nor the cursor's; returns whether it was handled.
    fn key(&mut self, pane: Self::Pane, code: KeyCode, view_model: &Self::ViewModel) -> bool {
        self.part(pane).is_some_and(|part| part.key(code, view_model))
    }

    /// Handles a click in a panel; returns whether it selected something that can be opened.
    fn click(&mut self, pane: Self::Pane, at: (u16, u16), view_model: &Self::ViewModel) -> bool {
        self.part(pane).is_some_and(|part| part.click(at, view_model))
    }

    /// Handles the mouse wheel over a panel.
    fn wheel(&mut self, pane: Self::Pane, _at: (u16, u16), down: bool, view_model: &Self::ViewModel) {
        if let Some(part) = self.part(pane) {
            part.wheel(down, view_model);
        }
    }

    /// Follows the focus, which is now on this panel.
    fn focused(&mut self, _pane: Self::Pane) {}

    /// Shows the next of the panels that share a place. Returns the panel with the focus, which is `focus` unless it is hidden now.
    fn next_details(&mut self, focus: Self::Pane, _view_model: &Self::ViewModel) -> Self::Pane {
        focus
    }

    /// Returns the table that the commands sort.
    fn table(&mut self) -> Option<&mut SortedTable> {
        None
    }

    /// Whether the selection can be opened.
    fn can_open(&self, _view_model: &Self::ViewModel) -> bool {
        false
    }

    /// Opens the selection on the Board.
    fn open(&self, _focus: Self::Pane, _view_model: &Self::ViewModel, _run: &Path, _cx: &mut Context) {}

    /// Whether there is a player to play against.
    fn can_challenge(&self, view_model: &Self::ViewModel) -> bool {
        self.can_open(view_model)
    }

    /// Starts a game against the selected player on the Board.
    fn challenge(&self, _view_model: &Self::ViewModel, _run: &Path, _cx: &mut Context) {}

    /// Analyses the selected player in its games. Returns the panel that shows it, which gets the focus.
    fn analyse(&mut self, _view_model: &Self::ViewModel, _run: &Path, _cx: &mut Context) -> Option<Self::Pane> {
        None
    }
}

/// A part of a panel that takes keys and the mouse: a table, a list or a widget of the kind.
pub trait Part<V> {
    /// Handles a key; returns whether it is one of the part's.
    fn key(&mut self, code: KeyCode, view_model: &V) -> bool;

    /// Handles a click; returns whether it selected something.
    fn click(&mut self, at: (u16, u16), view_model: &V) -> bool;

    fn wheel(&mut self, down: bool, view_model: &V) {
        self.key(if down { KeyCode::Down } else { KeyCode::Up }, view_model);
    }
}

impl<V> Part<V> for SortedTable {
    fn key(&mut self, code: KeyCode, _: &V) -> bool {
        match code {
            KeyCode::Left => self.turn(-1),
            KeyCode::Right => self.turn(1),
            code => return SortedTable::key(self, code),
        }
        true
    }

    fn click(&mut self, at: (u16, u16), _: &V) -> bool {
        SortedTable::click(self, at)
    }
}

impl<V> Part<V> for RowList {
    fn key(&mut self, code: KeyCode, _: &V) -> bool {
        RowList::key(self, code)
    }

    fn click(&mut self, at: (u16, u16), _: &V) -> bool {
        RowList::click(self, at)
    }
}

/// The page of a run, of any kind. Calls with a view model of another kind have no effect.
pub trait RunPage {
    /// Resets the panels for another run.
    fn renew(&mut self);
    fn see(&mut self, board: Position);
    fn key(&mut self, code: KeyCode, view_model: &dyn RunViewModel) -> bool;
    fn click(&mut self, at: (u16, u16), view_model: &dyn RunViewModel) -> bool;
    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &dyn RunViewModel);
    fn draw(&mut self, view_model: &dyn RunViewModel, area: Rect, buf: &mut Buffer, look: &Look);
    /// Carries out a command of the page.
    fn act(&mut self, action: Action, view_model: &dyn RunViewModel, run: &Path, cx: &mut Context);
    /// Whether the selection can be opened.
    fn can_open(&self, view_model: &dyn RunViewModel) -> bool;
    /// Whether there is a player to play against.
    fn can_challenge(&self, view_model: &dyn RunViewModel) -> bool;
}

/// A command of the page of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Opens the selection on the Board.
    Open,
    /// Starts a game against the selected player on the Board.
    Challenge,
    /// Analyses the selected player in its games.
    Analyse,
    /// Sorts the table by the next column.
    Sort,
    Reverse,
    NextPane,
    /// Shows the next of the panels that share a place, or the next measure.
    NextDetails,
    Zoom,
    NextShape,
    NextSpan,
}

/// The panels of a kind, with what all kinds have.
struct Panels<P: RunPanels> {
    own: P,
    lens: Lens,
    /// `None` before the first view model.
    panes: Option<Panes<P::Pane>>,
}

/// Creates the page of a kind.
pub fn page<P: RunPanels>() -> Box<dyn RunPage> {
    Box::new(Panels { own: P::default(), lens: Lens::default(), panes: None })
}

fn of_kind<P: RunPanels>(view_model: &dyn RunViewModel) -> Option<&P::ViewModel> {
    (view_model as &dyn Any).downcast_ref()
}

/// Returns the newest generation, which the cursor does not pass.
fn newest(view_model: &dyn RunViewModel) -> u64 {
    view_model.status().generation.unwrap_or(0)
}

impl<P: RunPanels> Panels<P> {
    /// Returns the view model, and the focus and the zoom of its panels.
    fn shown<'a>(&mut self, view_model: &'a dyn RunViewModel) -> Option<(&'a P::ViewModel, &mut Panes<P::Pane>)> {
        let view_model = of_kind::<P>(view_model)?;
        Some((view_model, self.panes.get_or_insert_with(|| Panes::new(self.own.first(view_model)))))
    }

    fn next_pane(&mut self, view_model: &P::ViewModel) {
        let Some(panes) = &mut self.panes else { return };
        panes.next(&self.own.all(view_model));
        self.own.focused(panes.focus());
    }

    fn draw_pane(&mut self, pane: P::Pane, view_model: &P::ViewModel, mut canvas: Canvas<'_>) {
        canvas.focused = self.panes.as_mut().is_some_and(|panes| panes.drawn(pane, canvas.area));
        self.own.draw(pane, view_model, &mut self.lens, canvas);
    }
}

impl<P: RunPanels> RunPage for Panels<P> {
    fn renew(&mut self) {
        self.own = std::mem::take(&mut self.own).anew();
        self.lens = self.lens.anew();
        self.panes = None;
    }

    fn see(&mut self, board: Position) {
        self.own.see(board);
    }

    fn key(&mut self, code: KeyCode, any: &dyn RunViewModel) -> bool {
        let Some((view_model, panes)) = self.shown(any) else { return false };
        let focus = panes.focus();
        if code == KeyCode::Esc {
            return self.lens.cursor.take().is_some() || self.panes.as_mut().is_some_and(Panes::unzoom);
        }
        (P::has_cursor(focus) && self.lens.key(code, newest(any))) || self.own.key(focus, code, view_model)
    }

    fn click(&mut self, at: (u16, u16), any: &dyn RunViewModel) -> bool {
        let Some((view_model, panes)) = self.shown(any) else { return false };
        let Some(pane) = panes.hit_test(at) else { return false };
        panes.focus_on(pane);
        self.own.focused(pane);
        if P::has_cursor(pane) {
            self.lens.click(at, newest(any));
        }
        self.own.click(pane, at, view_model)
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, any: &dyn RunViewModel) {
        let Some((view_model, panes)) = self.shown(any) else { return };
        let Some(pane) = panes.hit_test(at) else { return };
        if P::has_cursor(pane) && self.lens.cursor.is_some() {
            self.lens.go(if down { 1 } else { -1 }, newest(any));
        } else {
            self.own.wheel(pane, at, down, view_model);
        }
    }

    fn draw(&mut self, any: &dyn RunViewModel, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some((view_model, panes)) = self.shown(any) else { return };
        let is_small = area.width < P::MIN_SIZE.0 || area.height < P::MIN_SIZE.1;
        panes.begin();
        panes.is_alone(is_small && !P::HAS_SUMMARY);
        let alone = panes.alone();
        self.lens.begin();
        self.own.update(view_model);
        let mut canvas = Canvas::new(area, buf, look);
        if is_small && alone.is_none() {
            return self.own.summary(view_model, &self.lens, canvas);
        }
        let mut layout = alone.map_or_else(|| self.own.layout(view_model, area), |pane| vec![(pane, area)]);
        adjoin(&mut layout.iter_mut().map(|(_, place)| place).collect::<Vec<_>>());
        for (pane, place) in layout {
            self.draw_pane(pane, view_model, canvas.at(place));
        }
        if let Some(area) = self.panes.as_ref().and_then(Panes::focused_area) {
            focus(area, buf, look);
        }
    }

    fn act(&mut self, action: Action, any: &dyn RunViewModel, run: &Path, cx: &mut Context) {
        let Some((view_model, panes)) = self.shown(any) else { return };
        let focus = panes.focus();
        match action {
            Action::Open => self.own.open(focus, view_model, run, cx),
            Action::Challenge => self.own.challenge(view_model, run, cx),
            Action::Analyse => {
                let shown = self.own.analyse(view_model, run, cx);
                self.panes.iter_mut().zip(shown).for_each(|(panes, shown)| panes.focus_on(shown));
            }
            Action::Sort => self.own.table().into_iter().for_each(|table| table.turn(1)),
            Action::Reverse => self.own.table().into_iter().for_each(SortedTable::reverse),
            Action::NextPane => self.next_pane(view_model),
            Action::NextDetails => {
                let focus = self.own.next_details(focus, view_model);
                self.panes.iter_mut().for_each(|panes| panes.focus_on(focus));
            }
            Action::Zoom => panes.zoom(),
            Action::NextShape => self.lens.shape = self.lens.shape.next(),
            Action::NextSpan => self.lens.span = self.lens.span.next(newest(any)),
        }
    }

    fn can_open(&self, any: &dyn RunViewModel) -> bool {
        of_kind::<P>(any).is_some_and(|view_model| self.own.can_open(view_model))
    }

    fn can_challenge(&self, any: &dyn RunViewModel) -> bool {
        of_kind::<P>(any).is_some_and(|view_model| self.own.can_challenge(view_model))
    }
}
