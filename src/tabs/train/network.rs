//! The panels of a network's run and their layout: the network's strength as a table and a chart, the measures of training as a list and
//! charts, value and policy in fixed positions, and the opponents. One panel has the focus and can be zoomed to the whole page.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::measures::{self, MEASURES};
use super::open;
use super::opponents;
use super::positions::Positions;
use super::strength::{self, Game, Strength};
use crate::app::effect::Context;
use crate::train::{Probe, View};
use crate::ui::Look;
use crate::ui::chart::lens::Lens;
use crate::ui::list::ListState;
use crate::ui::panes::Panes;

/// The panels that can have the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Strength,
    /// The curves of all measurements against the panel.
    GameState,
    /// The list of measures.
    Learning,
    /// The chart of the selected measure, or of all.
    Measure,
    Positions,
    Opponents,
}

const ALL: [Pane; 6] =
    [Pane::Strength, Pane::GameState, Pane::Learning, Pane::Measure, Pane::Positions, Pane::Opponents];

/// The panel shown on screens that fit only one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Beside {
    #[default]
    Positions,
    Opponents,
}

/// The state of the panels.
pub struct Network {
    pub strength: Strength,
    pub lens: Lens,
    pub panes: Panes<Pane>,
    positions: Positions,
    measure: ListState,
    /// The areas of the measures, in the list or as charts.
    measures: Vec<(Rect, usize)>,
    beside: Beside,
    /// On screens that fit one chart, it is that of the measure and not of the panel.
    on_measure: bool,
}

impl Default for Network {
    fn default() -> Network {
        Network {
            strength: Strength::default(),
            lens: Lens::default(),
            panes: Panes::new(Pane::Strength),
            positions: Positions::default(),
            measure: ListState::default(),
            measures: Vec::new(),
            beside: Beside::default(),
            on_measure: false,
        }
    }
}

impl Network {
    pub fn anew(self) -> Network {
        let strength = self.strength.anew();
        let lens = self.lens.anew();
        Network { strength, lens, measure: self.measure, beside: self.beside, ..Network::default() }
    }

    pub fn key(&mut self, code: KeyCode, view: &View) -> bool {
        match (self.panes.focus(), code) {
            (_, KeyCode::Esc) => self.lens.cursor.take().is_some() || self.panes.unzoom(),
            (Pane::GameState | Pane::Measure, code) if self.lens.key(code, super::newest(view)) => true,
            (Pane::Learning | Pane::Measure, code) => self.measure.key(code, MEASURES.len(), 3, true),
            (Pane::Positions, code) => self.positions.key(code, view),
            (Pane::Strength | Pane::GameState | Pane::Opponents, code) => {
                self.strength.key(code, 2 * view.settings.panel_games)
            }
        }
    }

    pub fn click(&mut self, at: (u16, u16), view: &View) -> bool {
        let Some(pane) = self.panes.under(at) else { return false };
        self.panes.focus_on(pane);
        self.follow();
        if let Some(&(_, index)) = self.measures.iter().find(|(place, _)| place.contains(at.into())) {
            self.measure.selected = index;
        }
        match pane {
            Pane::GameState | Pane::Measure => _ = self.lens.click(at, super::newest(view)),
            Pane::Strength => return self.strength.table.click(at),
            Pane::Positions => return self.positions.click(at),
            Pane::Learning | Pane::Opponents => {}
        }
        false
    }

    pub fn wheel(&mut self, at: (u16, u16), down: bool, view: &View) {
        let code = if down { KeyCode::Down } else { KeyCode::Up };
        match self.panes.under(at) {
            Some(Pane::GameState | Pane::Measure) if self.lens.cursor.is_some() => {
                self.lens.go(if down { 1 } else { -1 }, super::newest(view));
            }
            Some(Pane::Strength) => _ = self.strength.table.key(code),
            Some(Pane::Learning) => _ = self.measure.key(code, MEASURES.len(), 3, true),
            Some(Pane::Positions) => _ = self.positions.key(code, view),
            _ => {}
        }
    }

    pub fn draw(&mut self, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        self.panes.begin();
        self.lens.begin();
        self.measures.clear();
        self.panes.is_alone(area.width < 60 || area.height < 16);
        if let Some(pane) = self.panes.alone() {
            return self.pane(pane, view, area, buf, look);
        }
        for (pane, place) in self.layout(view, area) {
            self.pane(pane, view, place, buf, look);
        }
    }

    pub fn open(&mut self, view: &View, at: &Path, cx: &mut Context) {
        match self.chosen_position(view) {
            Some(probe) => open::position(view, probe, at, cx),
            None => open::game(view, self.chosen_game(view), at, cx),
        }
    }

    pub fn can_open(&self, view: &View) -> bool {
        view.learned.is_some()
    }

    pub fn turn(&mut self, by: isize) {
        self.strength.table.turn(by);
    }

    pub fn reverse(&mut self) {
        self.strength.table.reverse();
    }

    fn follow(&mut self) {
        match self.panes.focus() {
            Pane::Learning | Pane::Measure => self.on_measure = true,
            Pane::Strength | Pane::GameState => self.on_measure = false,
            Pane::Positions | Pane::Opponents => {}
        }
    }

    pub fn turn_beside(&mut self) {
        self.beside = match self.beside {
            Beside::Positions => Beside::Opponents,
            Beside::Opponents => Beside::Positions,
        };
        // A hidden panel takes no keys.
        if matches!(self.panes.focus(), Pane::Positions | Pane::Opponents) {
            self.panes.focus_on(self.beside.pane());
        }
    }

    pub fn chosen_game(&self, view: &View) -> Game {
        self.strength.chosen(view)
    }

    /// Returns the position that Enter opens, if the positions have the focus.
    pub fn chosen_position<'a>(&self, view: &'a View) -> Option<&'a Probe> {
        self.positions.chosen(view).filter(|_| self.panes.focus() == Pane::Positions)
    }

    pub fn next_pane(&mut self) {
        self.panes.next(&ALL);
        self.follow();
    }

    /// Returns the panels and their areas.
    fn layout(&self, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let wide = area.width;
        let high = area.height;
        // A row per player, the network itself, a head, and a frame.
        let table = (view.settings.panel.len() as u16).saturating_add(4);
        let opponents = opponents::rows(view);
        if wide >= 160 && high >= 34 {
            let left = wide * 2 / 5;
            let right = wide / 4;
            let middle = wide - left - right;
            let upper = table.min(high / 3);
            let lower = opponents.min(high / 4);
            return vec![
                (Pane::Strength, at(0, 0, left, upper)),
                (Pane::GameState, at(0, upper, left, high - upper - lower)),
                (Pane::Opponents, at(0, high - lower, left, lower)),
                (Pane::Measure, at(left, 0, middle, high - measures::ROWS)),
                (Pane::Learning, at(left, high - measures::ROWS, middle, measures::ROWS)),
                (Pane::Positions, at(left + middle, 0, right, high)),
            ];
        }
        if wide >= 100 && high >= 34 {
            let left = wide / 2;
            let upper = table.clamp(8, 13);
            let lower = opponents.min(9);
            let charts = high - measures::ROWS;
            return vec![
                (Pane::GameState, at(0, 0, left, charts.div_ceil(2))),
                (Pane::Strength, at(left, 0, wide - left, upper)),
                (Pane::Measure, at(0, charts.div_ceil(2), left, charts / 2)),
                (Pane::Learning, at(0, charts, left, measures::ROWS)),
                (Pane::Positions, at(left, upper, wide - left, high - upper - lower)),
                (Pane::Opponents, at(left, high - lower, wide - left, lower)),
            ];
        }
        let left = (wide * 42 / 100).max(30);
        let upper = (high / 2).max(table.min(high * 3 / 5));
        let chart = if self.on_measure { Pane::Measure } else { Pane::GameState };
        vec![
            (chart, at(0, 0, left, upper)),
            (Pane::Strength, at(left, 0, wide - left, upper)),
            (Pane::Learning, at(0, upper, left, high - upper)),
            (self.beside.pane(), at(left, upper, wide - left, high - upper)),
        ]
    }

    fn pane(&mut self, pane: Pane, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        let focused = self.panes.drawn(pane, area);
        match pane {
            Pane::Strength => {
                let foot = self.strength.game_text(view, area.width.saturating_sub(4));
                let itself = Some(view.trains_against_itself());
                self.strength.draw(view, (itself, foot), focused, area, buf, look);
            }
            Pane::GameState => {
                let chosen = self.strength.chosen(view).against;
                strength::chart(view, chosen, &mut self.lens, focused, area, buf, look);
            }
            Pane::Learning => {
                self.measures.extend(measures::list(view, &mut self.measure, focused, area, buf, look));
            }
            Pane::Measure => self.charts(view, focused, area, buf, look),
            Pane::Positions => self.positions.draw(view, focused, area, buf, look),
            Pane::Opponents => opponents::draw(view, focused, area, buf, look),
        }
    }

    /// Draws the chart of the selected measure, or of every measure if they fit.
    fn charts(&mut self, view: &View, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let chosen = self.measure.selected.min(MEASURES.len() - 1);
        let rows = MEASURES.len().div_ceil(2) as u16;
        if area.width < 64 || area.height < 8 * rows {
            return MEASURES[chosen].draw(view, &mut self.lens, focused, area, buf, look);
        }
        for (index, measure) in MEASURES.iter().enumerate() {
            let column = index as u16 % 2;
            let line = index as u16 / 2;
            let edge = |whole: u16, part: u16, of: u16| (u32::from(whole) * u32::from(part) / u32::from(of)) as u16;
            let x = edge(area.width, column, 2);
            let y = edge(area.height, line, rows);
            let [width, height] = [edge(area.width, column + 1, 2) - x, edge(area.height, line + 1, rows) - y];
            let place = Rect { x: area.x + x, y: area.y + y, width, height };
            measure.draw(view, &mut self.lens, focused && index == chosen, place, buf, look);
            self.measures.push((place, index));
        }
    }
}

impl Beside {
    fn pane(self) -> Pane {
        match self {
            Beside::Positions => Pane::Positions,
            Beside::Opponents => Pane::Opponents,
        }
    }
}
