//! The panels of a run and their layout: fitness and weights over the generations; the weights of the best and of the selected
//! genome beside those of published runs, if there are any; the standings. One panel has the focus and can be zoomed to the whole
//! page.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::ViewModel;
use super::bracket::{Cursor, Inspect};
use super::charts;
use super::open;
use super::standings;
use crate::app::effect::Context;
use crate::evolve::tasks::Labels;
use crate::tabs::runs::RunPanels;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::sparkline;
use crate::ui::list::ListState;
use crate::ui::panes::Panes;
use crate::ui::table::SortedTable;
use crate::ui::{Look, clip, interval, panel, put, row, width};

/// The panels that can have the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Fitness,
    /// The heat map of the weights over the generations.
    Course,
    Weights,
    Standings,
    /// The pairings of knock-out tournaments.
    Bracket,
}

const ALL: [Pane; 4] = [Pane::Fitness, Pane::Course, Pane::Weights, Pane::Standings];
const KNOCKOUT: [Pane; 5] = [Pane::Bracket, Pane::Fitness, Pane::Course, Pane::Weights, Pane::Standings];

/// The panel beside the weights on screens that fit only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Beside {
    #[default]
    Fitness,
    Course,
    /// Only if the bracket has the place of the standings.
    Standings,
}

/// The state of the panels.
pub struct Panels {
    pub standings: SortedTable,
    pub lens: Lens,
    pub panes: Panes<Pane>,
    pub bracket: Cursor,
    /// The selected row of the heat map.
    genes: ListState,
    beside: Beside,
    /// The bracket has received its initial focus.
    has_met: bool,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels {
            standings: standings::table(),
            lens: Lens::default(),
            panes: Panes::new(Pane::Standings),
            bracket: Cursor::default(),
            genes: ListState::default(),
            beside: Beside::default(),
            has_met: false,
        }
    }
}

/// Width in cells of a weight's full name.
const NAME: u16 = 24;
/// Preferred width in cells of the weights: a full name, two numbers, and a bar.
const WEIGHTS: u16 = 60;
/// Minimum rows of the weights, beside which is a chart.
const LOWEST: u16 = 12;
/// Rows for the heat map of the weights and the standings, stacked below the table of weights.
const BELOW: u16 = 16;
/// Preferred rows of the standings: about nine members with a head, in a frame.
const STANDINGS: u16 = 12;
/// Minimum rows of the standings: four members with a head, in a frame.
const FEWEST: u16 = 7;

impl RunPanels for Panels {
    type ViewModel = ViewModel;

    fn anew(self) -> Panels {
        let standings = self.standings.anew();
        let lens = self.lens.anew();
        Panels { standings, lens, beside: self.beside, ..Panels::default() }
    }

    fn key(&mut self, code: KeyCode, view_model: &ViewModel) -> bool {
        let newest = view_model.newest();
        match (self.panes.focus(), code) {
            (_, KeyCode::Esc) => return self.lens.cursor.take().is_some() || self.panes.unzoom(),
            (Pane::Fitness | Pane::Course, code) if self.lens.key(code, newest) => {}
            (Pane::Course, code) => return self.genes.key(code, view_model.labels.genes.len(), 2, true),
            (Pane::Bracket, code) => {
                return Inspect::find(view_model).is_some_and(|shown| self.bracket.key(code, &shown));
            }
            (_, KeyCode::Left) => self.standings.turn(-1),
            (_, KeyCode::Right) => self.standings.turn(1),
            (_, code) => return self.standings.key(code),
        }
        true
    }

    fn click(&mut self, at: (u16, u16), view_model: &ViewModel) -> bool {
        let Some(pane) = self.panes.under(at) else { return false };
        self.panes.focus_on(pane);
        match pane {
            Pane::Fitness | Pane::Course => _ = self.lens.click(at, view_model.newest()),
            Pane::Standings => return self.standings.click(at),
            Pane::Bracket => return Inspect::find(view_model).is_some_and(|shown| self.bracket.click(at, &shown)),
            Pane::Weights => {}
        }
        false
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &ViewModel) {
        match self.panes.under(at) {
            Some(Pane::Fitness | Pane::Course) if self.lens.cursor.is_some() => {
                self.lens.go(if down { 1 } else { -1 }, view_model.newest());
            }
            Some(Pane::Bracket) => {
                let code = if down { KeyCode::Down } else { KeyCode::Up };
                Inspect::find(view_model).iter().for_each(|shown| _ = self.bracket.key(code, shown));
            }
            Some(Pane::Course) => {
                let code = if down { KeyCode::Down } else { KeyCode::Up };
                self.genes.key(code, view_model.labels.genes.len(), 2, false);
            }
            Some(Pane::Standings) => _ = self.standings.key(if down { KeyCode::Down } else { KeyCode::Up }),
            _ => {}
        }
    }

    fn draw(&mut self, view_model: &ViewModel, area: Rect, buf: &mut Buffer, look: &Look) {
        self.panes.begin();
        self.lens.begin();
        if view_model.labels.knockout && !std::mem::replace(&mut self.has_met, true) {
            self.panes.focus_on(Pane::Bracket);
        }
        if let Some(view) = &view_model.view {
            self.standings.set_len(view.ranking.len());
        }
        if let Some(pane) = self.panes.zoomed() {
            return self.pane(pane, view_model, area, buf, look);
        }
        if area.width < 60 || area.height < 16 {
            charts::fitness(view_model, &self.lens, area.width).draw(area, buf, look);
            return;
        }
        for (pane, place) in self.layout(view_model, area) {
            self.pane(pane, view_model, place, buf, look);
        }
    }

    fn open(&mut self, view_model: &ViewModel, at: &Path, cx: &mut Context) {
        if self.is_on_bracket(view_model) {
            return open::game(self, view_model, at, cx);
        }
        open::on_the_board(self, view_model, at, false, cx);
    }

    fn can_open(&self, view_model: &ViewModel) -> bool {
        !view_model.past.is_empty()
    }

    fn turn(&mut self, by: isize) {
        self.standings.turn(by);
    }

    fn reverse(&mut self) {
        self.standings.reverse();
    }
}

impl Panels {
    pub fn turn_beside(&mut self, view_model: &ViewModel) {
        self.beside = match self.beside {
            Beside::Fitness => Beside::Course,
            Beside::Course if view_model.labels.knockout => Beside::Standings,
            Beside::Course | Beside::Standings => Beside::Fitness,
        };
    }

    /// Whether the cursor of the bracket determines the game to open.
    pub fn is_on_bracket(&self, view_model: &ViewModel) -> bool {
        view_model.labels.knockout && self.panes.focus() == Pane::Bracket
    }

    pub fn next_pane(&mut self, view_model: &ViewModel) {
        self.panes.next(if view_model.labels.knockout { &KNOCKOUT } else { &ALL });
    }

    /// Returns the panels and their areas.
    fn layout(&self, view_model: &ViewModel, area: Rect) -> Vec<(Pane, Rect)> {
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let wide = area.width;
        let high = area.height;
        if view_model.labels.knockout {
            return self.layout_of_knockout(view_model, area);
        }
        // All weights with a head, in a frame; no lower than a chart beside it.
        let table = (view_model.labels.genes.len() as u16 + 3).max(LOWEST);
        // With all their columns, in a frame.
        let left = standings::wide(&view_model.labels.genes) + 2;
        let is_high = high >= 34.max(table + BELOW);
        if wide >= 160.max(left + WEIGHTS) && is_high {
            let upper = high * 2 / 5;
            return vec![
                (Pane::Fitness, at(0, 0, left, upper)),
                (Pane::Standings, at(0, upper, left, high - upper)),
                (Pane::Weights, at(left, 0, wide - left, table)),
                (Pane::Course, at(left, table, wide - left, high - table)),
            ];
        }
        let left = (wide * 42 / 100).max(30);
        if is_high {
            let middle = course_rows(view_model, high - table);
            let lower = high - table - middle;
            return vec![
                (Pane::Fitness, at(0, 0, left, table)),
                (Pane::Weights, at(left, 0, wide - left, table)),
                (Pane::Course, at(0, table, wide, middle)),
                (Pane::Standings, at(0, table + middle, wide, lower)),
            ];
        }
        // A long table gets the rows that the standings leave.
        let upper = (high / 2).max(table.min(high.saturating_sub(STANDINGS))).max(12);
        // A table that nearly fits omits its head and shows all rows.
        let headless = table - 1;
        let upper = if headless <= high.saturating_sub(FEWEST) { upper.max(headless) } else { upper };
        let chart = if self.beside == Beside::Course { Pane::Course } else { Pane::Fitness };
        vec![
            (chart, at(0, 0, left, upper)),
            (Pane::Weights, at(left, 0, wide - left, upper)),
            (Pane::Standings, at(0, upper, wide, high - upper)),
        ]
    }

    /// Like [`layout`](Panels::layout) for runs with a bracket, which gets the largest area.
    fn layout_of_knockout(&self, view_model: &ViewModel, area: Rect) -> Vec<(Pane, Rect)> {
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let wide = area.width;
        let high = area.height;
        let table = view_model.labels.genes.len() as u16 + 3;
        // Five columns of the bracket in a frame.
        let left = 80;
        let beside = match self.beside {
            Beside::Fitness => Pane::Fitness,
            Beside::Course => Pane::Course,
            Beside::Standings => Pane::Standings,
        };
        if wide >= 160 && high >= table + BELOW {
            let upper = 36.min(high * 2 / 3);
            let right = wide - left;
            let middle = course_rows(view_model, high - table);
            return vec![
                (Pane::Bracket, at(0, 0, left, upper)),
                (Pane::Fitness, at(0, upper, left, high - upper)),
                (Pane::Weights, at(left, 0, right, table)),
                (Pane::Course, at(left, table, right, middle)),
                (Pane::Standings, at(left, table + middle, right, high - table - middle)),
            ];
        }
        if wide >= 116 && high >= 34 {
            let upper = 20;
            return vec![
                (Pane::Bracket, at(0, 0, left, upper)),
                (beside, at(0, upper, left, high - upper)),
                (Pane::Weights, at(left, 0, wide - left, high)),
            ];
        }
        let upper = if high >= 29 { 20 } else { 12.min(high - 7) };
        let left = wide / 2;
        vec![
            (Pane::Bracket, at(0, 0, wide, upper)),
            (beside, at(0, upper, left, high - upper)),
            (Pane::Weights, at(left, upper, wide - left, high - upper)),
        ]
    }

    fn pane(&mut self, pane: Pane, view_model: &ViewModel, area: Rect, buf: &mut Buffer, look: &Look) {
        let focused = self.panes.drawn(pane, area);
        match pane {
            Pane::Fitness => {
                let title = if area.width < 44 { "Fitness, %" } else { "Fitness, % of the points" };
                let read = |at: usize| Some(charts::read_fitness(view_model.past.get(at)?));
                let chart = charts::fitness(view_model, &self.lens, area.width);
                chart.through(&mut self.lens, (title, read), focused, area, buf, look);
            }
            Pane::Course => {
                let title = match view_model.labels.relative {
                    true => "Weights of the best, shares of the largest",
                    false => "Weights of the best",
                };
                let title = if area.width < 76 { "Weights of the best" } else { title };
                let map = charts::course(view_model, &self.lens, area.width);
                map.through(&mut self.lens, (title, &mut self.genes), focused, area, buf, look);
            }
            Pane::Weights => weights(view_model, self.standings.selected(), focused, area, buf, look),
            Pane::Bracket => self.bracket.draw(Inspect::find(view_model), focused, area, buf, look),
            Pane::Standings => standings::draw(&mut self.standings, view_model, focused, area, buf, look),
        }
    }
}

/// Returns the rows of the heat map in `rows` that it shares with the standings: half of them, or as many as it needs if the standings
/// have enough.
fn course_rows(view_model: &ViewModel, rows: u16) -> u16 {
    let needed = view_model.labels.genes.len() as u16 + 4;
    needed.min(rows.saturating_sub(FEWEST)).max(rows / 2)
}

/// Draws the weights of the best and of the selected genome: the values; the range of the published runs' final weights or else the
/// distance of each from 0; and the origin of the best.
fn weights(view_model: &ViewModel, selected: usize, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
    let Labels { genes, published, relative, .. } = &view_model.labels;
    let title = match (published, relative) {
        (Some(_), _) => "Weights and their published range",
        (None, true) => "Weights as shares of the largest",
        (None, false) => "Weights",
    };
    let inner = panel(area, Line::from(look.span(Role::Title, title)), focused, buf, look);
    let Some(best) = view_model.past.last() else { return };
    let chosen = view_model.view.as_ref().and_then(|view| view.ranking.get(selected));
    // Narrow panels do not repeat the best genome as the selected one.
    let chosen = chosen.filter(|_| selected > 0 || inner.width >= 60).map(|ranked| view_model.of_member(ranked));
    let values = view_model.shown(&best.best_genome);
    let numbers = if chosen.is_some() { 14 } else { 7 };
    // Narrow panels keep the numbers and the bar, and cut the name.
    let name_room = inner.width.saturating_sub(numbers + 3 + 10).clamp(3, NAME);
    let bar_room = inner.width.saturating_sub(numbers + 3 + name_room).clamp(6, 40);
    let spark_room = inner.width.saturating_sub(numbers + 4 + name_room + bar_room);
    // Without a row to spare, the head is omitted; if the weights do not fit, a head for the two columns is more useful than one
    // more weight.
    let room = usize::from(inner.height);
    let top = if room > genes.len() || (room < genes.len() && chosen.is_some()) {
        let head = format!(" {:name_room$}{:>7}", "", "best", name_room = usize::from(name_room));
        let head = if chosen.is_some() { format!("{head}{:>7}", format!("rank {}", selected + 1)) } else { head };
        put(look.span(Role::Dim, head), row(inner, 0), buf);
        1
    } else {
        0
    };
    let most = values.iter().copied().fold(1.0, f64::max);
    let scale = (if values.iter().any(|value| *value < 0.0) { -1.0 } else { 0.0 }, most);
    for (line, gene) in (top..inner.height).zip(view_model.order()) {
        let value = values.get(gene).copied().unwrap_or(0.0);
        let from_nought = (value.min(0.0), value.max(0.0));
        let range = published.as_ref().and_then(|ranges| ranges.get(gene)).copied().unwrap_or(from_nought);
        let mut spans = vec![
            look.span(Role::Dim, format!(" {}", name(&genes[gene], name_room, look))),
            look.span(Role::Text, look.with_minus(&format!("{value:>7.3}"))),
        ];
        if let Some(genome) = &chosen {
            let other = genome.get(gene).copied().unwrap_or(0.0);
            let role = if (other - value).abs() < 5e-4 { Role::Dim } else { Role::Accent };
            spans.push(look.span(role, look.with_minus(&format!("{other:>7.3}"))));
        }
        spans.push(Span::raw(" "));
        spans.extend(interval(value, range, scale, bar_room, look).spans);
        spans.push(Span::raw(" "));
        if spark_room > 0 {
            let rows = charts::between(view_model, (0, view_model.newest()), usize::from(spark_room));
            let history =
                rows.into_iter().map(|past| view_model.shown(&past.best_genome).get(gene).copied().unwrap_or(0.0));
            spans.push(look.span(Role::Curve2, sparkline(&history.collect::<Vec<f64>>(), spark_room, look)));
        }
        put(Line::from(spans), row(inner, line), buf);
    }
}

fn name((short, title): &(&str, &str), cells: u16, look: &Look) -> String {
    let text = clip(&format!("{short} {title}"), cells, look);
    let gap = " ".repeat(usize::from(cells - width(&text)));
    text + &gap
}
