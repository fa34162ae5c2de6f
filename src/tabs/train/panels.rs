//! The panels of a run: a network's or those of pattern weights.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::network::Network;
use super::patterns::Patterns;
use crate::app::effect::Context;
use crate::learners::Snapshot;
use crate::tabs::runs::RunPanels;
use crate::ui::Look;
use crate::ui::chart::lens::Lens;

/// The state of the panels of both kinds of runs.
#[derive(Default)]
pub struct Panels {
    network: Network,
    patterns: Patterns,
}

/// Calls a method of the panels of the snapshot's kind.
macro_rules! of_kind {
    ($panels:expr, $snapshot:expr, ($own:ident, $view:ident) => $call:expr) => {
        match $snapshot {
            Snapshot::Network($view) => {
                let $own = &mut $panels.network;
                $call
            }
            Snapshot::Patterns($view) => {
                let $own = &mut $panels.patterns;
                $call
            }
        }
    };
}

impl Panels {
    pub fn turn_beside(&mut self, view: &Snapshot) {
        of_kind!(self, view, (own, _view) => own.turn_beside());
    }

    pub fn next_pane(&mut self, view: &Snapshot) {
        of_kind!(self, view, (own, _view) => own.next_pane());
    }

    pub fn zoom(&mut self, view: &Snapshot) {
        of_kind!(self, view, (own, _view) => own.panes.zoom());
    }

    /// Whether there is a network or a file of weights to play against.
    pub fn can_challenge(&self, view: &Snapshot) -> bool {
        match view {
            Snapshot::Network(view) => self.network.can_open(view),
            Snapshot::Patterns(view) => !view.past.is_empty(),
        }
    }

    pub fn lens(&mut self, view: &Snapshot) -> &mut Lens {
        of_kind!(self, view, (own, _view) => &mut own.lens)
    }
}

impl RunPanels for Panels {
    type ViewModel = Snapshot;

    fn anew(self) -> Panels {
        Panels { network: self.network.anew(), patterns: self.patterns.anew() }
    }

    fn open(&mut self, view: &Snapshot, at: &Path, cx: &mut Context) {
        if let Snapshot::Network(view) = view {
            self.network.open(view, at, cx);
        }
    }

    fn can_open(&self, view: &Snapshot) -> bool {
        matches!(view, Snapshot::Network(view) if self.network.can_open(view))
    }

    fn key(&mut self, code: KeyCode, view: &Snapshot) -> bool {
        of_kind!(self, view, (own, view) => own.key(code, view))
    }

    /// Only the panels of the run are visible, so both may change.
    fn turn(&mut self, by: isize) {
        self.network.turn(by);
        self.patterns.turn(by);
    }

    fn reverse(&mut self) {
        self.network.reverse();
        self.patterns.reverse();
    }

    fn click(&mut self, at: (u16, u16), view: &Snapshot) -> bool {
        of_kind!(self, view, (own, view) => own.click(at, view))
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, view: &Snapshot) {
        of_kind!(self, view, (own, view) => own.wheel(at, down, view));
    }

    fn draw(&mut self, view: &Snapshot, area: Rect, buf: &mut Buffer, look: &Look) {
        of_kind!(self, view, (own, view) => own.draw(view, area, buf, look));
    }
}
