//! The panels of a run and their layout: the curves, the selected program, the population, and details. One panel has the focus and
//! can be zoomed to the whole page.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ViewModel;
use super::charts;
use super::details::Details;
use super::open;
use super::population::{self, number};
use super::program::ProgramView;
use crate::app::effect::Context;
use crate::evolve::gp::Measure;
use crate::game::Position;
use crate::tabs::runs::RunPanels;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::panes::Panes;
use crate::ui::table::SortedTable;
use crate::ui::{Look, panel, put, row, wrap};

/// The panels that can have the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    Fitness,
    Sizes,
    Program,
    Population,
    Details(Details),
}

/// The state of the panels.
pub struct Panels {
    pub population: SortedTable,
    pub lens: Lens,
    pub panes: Panes<Pane>,
    details: Details,
    program: ProgramView,
    /// The position on the Board.
    board: Option<Position>,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels {
            population: population::table(),
            lens: Lens::default(),
            panes: Panes::new(Pane::Population),
            details: Details::default(),
            program: ProgramView::default(),
            board: None,
        }
    }
}

/// The minimum size of a program's panel for its tree.
const TREE_LEAST: (u16, u16) = (40, 14);

impl RunPanels for Panels {
    type ViewModel = ViewModel;

    fn anew(self) -> Panels {
        Panels {
            lens: self.lens.anew(),
            population: self.population.anew(),
            details: self.details,
            board: self.board,
            ..Panels::default()
        }
    }

    fn see(&mut self, board: Position) {
        self.board = Some(board);
    }

    fn key(&mut self, code: KeyCode, view_model: &ViewModel) -> bool {
        let newest = view_model.newest();
        match (self.panes.focus(), code) {
            (_, KeyCode::Esc) => return self.lens.cursor.take().is_some() || self.panes.unzoom(),
            (Pane::Fitness | Pane::Sizes, code) if self.lens.key(code, newest) => {}
            (Pane::Program, code) => return self.program.key(code),
            (Pane::Details(_), KeyCode::Left | KeyCode::Right) => return false,
            (_, KeyCode::Left) => self.population.turn(-1),
            (_, KeyCode::Right) => self.population.turn(1),
            (_, code) => return self.population.key(code),
        }
        true
    }

    fn click(&mut self, at: (u16, u16), view_model: &ViewModel) -> bool {
        let Some(pane) = self.panes.under(at) else { return false };
        self.panes.focus_on(pane);
        match pane {
            Pane::Fitness | Pane::Sizes => _ = self.lens.click(at, view_model.newest()),
            Pane::Program => self.program.click(at),
            Pane::Population => return self.population.click(at),
            Pane::Details(_) => {}
        }
        false
    }

    fn wheel(&mut self, at: (u16, u16), down: bool, view_model: &ViewModel) {
        match self.panes.under(at) {
            Some(Pane::Fitness | Pane::Sizes) if self.lens.cursor.is_some() => {
                self.lens.go(if down { 1 } else { -1 }, view_model.newest());
            }
            Some(Pane::Program) => self.program.scroll(down),
            Some(Pane::Population) => _ = self.population.key(if down { KeyCode::Down } else { KeyCode::Up }),
            _ => {}
        }
    }

    fn draw(&mut self, view_model: &ViewModel, area: Rect, buf: &mut Buffer, look: &Look) {
        self.panes.begin();
        self.lens.begin();
        if let Some((_, len)) = view_model.view.as_ref().and_then(|view| view.population()) {
            self.population.set_len(len);
        }
        self.follow(view_model);
        if let Some(pane) = self.panes.zoomed() {
            return self.pane(pane, view_model, area, buf, look);
        }
        if area.width < 60 || area.height < 14 {
            return small(view_model, &self.lens, area, buf, look);
        }
        for (pane, place) in self.layout(area) {
            self.pane(pane, view_model, place, buf, look);
        }
    }

    fn open(&mut self, view_model: &ViewModel, at: &Path, cx: &mut Context) {
        open::on_the_board(self, view_model, at, false, cx);
    }

    fn can_open(&self, view_model: &ViewModel) -> bool {
        view_model.best().is_some() || view_model.best_text.is_some()
    }

    fn turn(&mut self, by: isize) {
        self.population.turn(by);
    }

    fn reverse(&mut self) {
        self.population.reverse();
    }
}

impl Panels {
    pub fn next_details(&mut self) {
        self.details = self.details.next();
        if let Pane::Details(_) = self.panes.focus() {
            self.panes.focus_on(Pane::Details(self.details));
        }
    }

    pub fn next_pane(&mut self) {
        let all = [Pane::Fitness, Pane::Sizes, Pane::Program, Pane::Population, Pane::Details(self.details)];
        self.panes.next(&all);
    }

    fn rank(&self) -> usize {
        self.population.selected()
    }

    /// Returns the panels and their areas.
    fn layout(&self, area: Rect) -> Vec<(Pane, Rect)> {
        let right = (area.width * 2 / 5).clamp(27, 64);
        let left = area.width - right;
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        if area.width < 110 || area.height < 34 {
            let upper = area.height * 10 / 21;
            let lower = area.height - upper;
            return vec![
                (Pane::Fitness, at(0, 0, left, upper)),
                (Pane::Program, at(left, 0, right, upper)),
                (Pane::Details(self.details), at(left, upper, right, lower)),
                (Pane::Population, at(0, upper, left, lower)),
            ];
        }
        // On wide screens the program has a column of its own.
        let third = if area.width < 160 { 0 } else { (area.width / 3).min(80) };
        let (left, right) = if third == 0 { (left, right) } else { (area.width - third - 46, 46) };
        let upper = area.height * 2 / 5;
        let middle = area.height / 4;
        let mut panes = vec![(Pane::Fitness, at(0, 0, left, upper)), (Pane::Sizes, at(0, upper, left, middle))];
        let mut y = if third == 0 { area.height * 2 / 5 } else { 0 };
        let program = if third == 0 { at(left, 0, right, y) } else { at(left + right, 0, third, area.height) };
        panes.push((Pane::Program, program));
        for (details, height) in [(Details::Diversity, 9), (Details::Times, 5)] {
            panes.push((Pane::Details(details), at(left, y, right, height)));
            y += height;
        }
        let mut rest = [
            Details::Spread,
            Details::Improvements,
            Details::Lineage,
            Details::Operators,
            Details::Islands,
            Details::Hall,
        ];
        let chosen = rest.iter().position(|&which| which == self.details).unwrap_or(0);
        rest.rotate_left(chosen);
        let fitting = usize::from((area.height - y) / 10).clamp(1, rest.len());
        for (index, details) in rest.into_iter().take(fitting).enumerate() {
            let height = (area.height - y) / (fitting - index) as u16;
            panes.push((Pane::Details(details), at(left, y, right, height)));
            y += height;
        }
        // Last, so that the focus moves on from it to the charts.
        panes.push((Pane::Population, at(0, upper + middle, left, area.height - upper - middle)));
        panes
    }

    fn pane(&mut self, pane: Pane, view_model: &ViewModel, area: Rect, buf: &mut Buffer, look: &Look) {
        let focused = self.panes.drawn(pane, area);
        match pane {
            Pane::Fitness => {
                let read = |at| Some(charts::read_fitness(view_model.history.get(at)?, area.width));
                let chart = charts::fitness(view_model, &self.lens, area.width);
                chart.through(&mut self.lens, ("Fitness", read), focused, area, buf, look);
            }
            Pane::Sizes => {
                let read = |at| Some(charts::read_sizes(view_model.history.get(at)?));
                let chart = charts::sizes(view_model, &self.lens, area.width);
                chart.through(&mut self.lens, ("Size, nodes", read), focused, area, buf, look);
            }
            Pane::Program => self.draw_program(view_model, focused, area, buf, look),
            Pane::Population => population::draw(&mut self.population, view_model, focused, area, buf, look),
            Pane::Details(details) => {
                let inner = panel(area, Line::from(look.span(Role::Title, details.title())), focused, buf, look);
                let lines = details.lines(view_model, self.rank(), inner.as_size(), look);
                for (index, line) in lines.into_iter().take(usize::from(inner.height)).enumerate() {
                    put(line, row(inner, index as u16), buf);
                }
            }
        }
    }

    /// Shows the selected program in the program view.
    fn follow(&mut self, view_model: &ViewModel) {
        match view_model.program(self.rank()) {
            Some(program) => self.program.follow(&*program, self.board),
            None => self.program.forget(),
        }
    }

    fn draw_program(&mut self, view_model: &ViewModel, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let inner = panel(area, Line::from(look.span(Role::Title, view_model.title(self.rank()))), focused, buf, look);
        let facts = facts(view_model, self.rank(), inner.width, look);
        let used = facts.len() as u16;
        for (index, line) in facts.into_iter().enumerate() {
            put(line, row(inner, index as u16), buf);
        }
        let rest = Rect { y: inner.y + used.min(inner.height), height: inner.height.saturating_sub(used), ..inner };
        if inner.width >= TREE_LEAST.0 && inner.height >= TREE_LEAST.1 {
            return self.program.draw(focused, rest, buf, look);
        }
        for (index, line) in simplified(&self.program, inner.width, look).into_iter().enumerate() {
            put(line, row(rest, index as u16), buf);
        }
    }
}

/// Returns the selected program's scores, size and origin.
fn facts(view_model: &ViewModel, rank: usize, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let text = |role, text: String| Line::from(look.span(role, format!(" {text}")));
    let Some(one) = view_model.selected(rank) else {
        let known = view_model.best_text.as_deref().unwrap_or("none yet");
        let summary = known.lines().take(1).map(|line| line.trim_start_matches(['#', ' ']));
        return summary
            .flat_map(|line| wrap(line, cells.saturating_sub(2)))
            .map(|line| text(Role::Text, line))
            .collect();
    };
    let score = |(score, measure): (&f64, &Measure)| {
        Line::from(vec![
            look.span(Role::Accent, format!(" {:>4}", number(*score))),
            look.span(Role::Dim, format!(" {}", measure.about)),
        ])
    };
    let possible = view_model.settings.greatest_sum().map(|(least, most)| {
        let sum = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        text(Role::Dim, format!("of {sum} possible in all"))
    });
    let birth = one.birth();
    let scores = one.outcome.scores.iter().zip(view_model.history.measures().all).map(score);
    scores
        .chain(possible)
        .chain([
            text(Role::Text, format!("{} nodes, depth {}", one.nodes, one.depth)),
            text(Role::Text, birth.operator.in_generation(birth.generation)),
        ])
        .collect()
}

/// Returns the simplified program, for panels too small for its tree.
fn simplified(program: &ProgramView, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let (text, size) = program.simplified();
    if size == 0 {
        return Vec::new();
    }
    let mut lines = vec![Line::from(look.span(Role::Dim, format!(" Simplified, {size} nodes:")))];
    let wrapped = wrap(text, cells.saturating_sub(2)).into_iter();
    lines.extend(wrapped.map(|line| Line::from(look.span(Role::Text, format!(" {line}")))));
    lines
}

/// Draws a summary and the curve, for screens too small for panels.
fn small(view_model: &ViewModel, lens: &Lens, area: Rect, buf: &mut Buffer, look: &Look) {
    let mut lines = facts(view_model, 0, area.width, look);
    lines.truncate(usize::from(area.height / 3));
    let count = lines.len() as u16;
    for (index, line) in lines.into_iter().enumerate() {
        put(line, row(area, index as u16), buf);
    }
    let rest = Rect { y: area.y + count, height: area.height.saturating_sub(count), ..area };
    charts::fitness(view_model, lens, rest.width).draw(rest, buf, look);
}
