//! The panels of a run and their layout: the curves, the selected program, the population, and details. One panel has the focus and
//! can be zoomed to the whole page.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::KeyCode;
use mancalab_base::{Error, counted};
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::analysis::{self, ProgramAnalysis};
use super::details::Details;
use super::program::ProgramView;
use super::{ViewModel, program_file};
use crate::app::tab::Context;
use crate::evolve::gp::{GenerationRow, Measure, Measures, Selectable};
use crate::evolve::inspect::AnyView;
use crate::files::write_atomic;
use crate::game::{Position, Side};
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::tabs::board::Setup;
use crate::tabs::runs::parts::panels::{Part, RunPanels};
use crate::tabs::runs::parts::strength;
use crate::tabs::runs::set_up;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Curve, curves};
use crate::ui::table::{Column, Field, SortedTable};
use crate::ui::{Canvas, Look, wrap};

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
#[derive(Default)]
pub struct Panels {
    pub population: SortedTable,
    details: Details,
    program: ProgramView,
    /// The most recently analysed program.
    analysis: Option<ProgramAnalysis>,
    /// The position on the Board.
    board: Option<Position>,
    /// Whether the last layout has the chart of sizes.
    has_sizes: Cell<bool>,
}

/// The height of the panel of the diversity beside others.
const DIVERSITY: u16 = 9;
/// The minimum size of a program's panel for its tree.
const TREE_LEAST: (u16, u16) = (40, 14);

impl RunPanels for Panels {
    type ViewModel = ViewModel;
    type Pane = Pane;

    const MIN_SIZE: (u16, u16) = (60, 14);
    const HAS_SUMMARY: bool = true;

    fn anew(self) -> Panels {
        let population = self.population.anew();
        Panels { population, details: self.details, board: self.board, ..Panels::default() }
    }

    fn see(&mut self, board: Position) {
        self.board = Some(board);
    }

    /// Shows the selected program in the program view.
    fn update(&mut self, view_model: &ViewModel) {
        if let Some((_, len)) = view_model.view.as_ref().and_then(|view| view.population()) {
            self.population.set_len(len);
        }
        match view_model.program(self.rank()) {
            Some(program) => {
                self.program.follow(&*program, self.board);
                let is_wanted = self.details == Details::Analysis;
                let analysis = self.analysis.as_ref().filter(|analysis| is_wanted && analysis.is_of(&*program));
                self.program.set_worth(analysis.and_then(|analysis| analysis.worth()));
            }
            None => self.program.forget(),
        }
    }

    fn all(&self, view_model: &ViewModel) -> Vec<Pane> {
        vec![Pane::Fitness, Pane::Sizes, Pane::Program, Pane::Population, Pane::Details(self.details(view_model))]
    }

    fn first(&self, _: &ViewModel) -> Pane {
        Pane::Population
    }

    fn has_cursor(pane: Pane) -> bool {
        matches!(pane, Pane::Fitness | Pane::Sizes | Pane::Details(Details::Strength))
    }

    fn part(&mut self, pane: Pane) -> Option<&mut dyn Part<ViewModel>> {
        match pane {
            Pane::Program => Some(&mut self.program),
            Pane::Population => Some(&mut self.population),
            Pane::Fitness | Pane::Sizes | Pane::Details(_) => None,
        }
    }

    /// Panels without a part of their own leave the keys to the population.
    fn key(&mut self, pane: Pane, code: KeyCode, view_model: &ViewModel) -> bool {
        match pane {
            Pane::Program => self.program.key(code),
            Pane::Details(_) if matches!(code, KeyCode::Left | KeyCode::Right) => false,
            _ => Part::key(&mut self.population, code, view_model),
        }
    }

    fn next_details(&mut self, focus: Pane, view_model: &ViewModel) -> Pane {
        self.details = self.details.next(view_model.has_panel());
        if matches!(focus, Pane::Details(_)) { Pane::Details(self.details) } else { focus }
    }

    fn table(&mut self) -> Option<&mut SortedTable> {
        Some(&mut self.population)
    }

    fn can_open(&self, view_model: &ViewModel) -> bool {
        view_model.best().is_some() || view_model.best_text.is_some()
    }

    fn open(&self, _: Pane, view_model: &ViewModel, run: &Path, cx: &mut Context) {
        on_the_board(self, view_model, run, false, cx);
    }

    fn challenge(&self, view_model: &ViewModel, run: &Path, cx: &mut Context) {
        on_the_board(self, view_model, run, true, cx);
    }

    fn analyse(&mut self, view_model: &ViewModel, run: &Path, cx: &mut Context) -> Option<Pane> {
        let program = view_model.program(self.rank()).filter(|_| cx.permits_analysis())?;
        self.details = Details::Analysis;
        self.analysis = Some(ProgramAnalysis::start(program, run, cx));
        Some(Pane::Details(Details::Analysis))
    }

    fn layout(&self, view_model: &ViewModel, area: Rect) -> Vec<(Pane, Rect)> {
        let right = (area.width * 2 / 5).clamp(27, 64);
        let left = area.width - right;
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        self.has_sizes.set(area.width >= 110 && area.height >= 34);
        if !self.has_sizes.get() {
            let upper = area.height * 10 / 21;
            let lower = area.height - upper;
            return vec![
                (Pane::Fitness, at(0, 0, left, upper)),
                (Pane::Program, at(left, 0, right, upper)),
                (Pane::Details(self.details(view_model)), at(left, upper, right, lower)),
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
        for (details, height) in [(Details::Diversity, DIVERSITY), (Details::Times, 5)] {
            panes.push((Pane::Details(details), at(left, y, right, height)));
            y += height;
        }
        let rest = self.others(view_model);
        let fitting = usize::from((area.height - y) / 10).clamp(1, rest.len());
        // A complete analysis has more to say than the others.
        let share = |details: Details| if details == Details::Analysis && self.analysis.is_some() { 2 } else { 1 };
        let fitting = fitting.saturating_sub(rest.iter().take(fitting).filter(|one| share(**one) == 2).count()).max(1);
        let mut shares: u16 = rest.iter().take(fitting).map(|&details| share(details)).sum();
        for details in rest.into_iter().take(fitting) {
            let height = (area.height - y) * share(details) / shares;
            shares -= share(details);
            panes.push((Pane::Details(details), at(left, y, right, height)));
            y += height;
        }
        // Last, so that the focus moves on from it to the charts.
        panes.push((Pane::Population, at(0, upper + middle, left, area.height - upper - middle)));
        panes
    }

    fn draw(&mut self, pane: Pane, view_model: &ViewModel, lens: &mut Lens, mut canvas: Canvas<'_>) {
        match pane {
            Pane::Fitness => {
                let cells = canvas.area.width;
                let read = |at| Some(read_fitness(view_model.history.get(at)?, cells));
                fitness(view_model, lens, cells).through(lens, ("Fitness", read), canvas);
            }
            Pane::Sizes => {
                let read = |at| Some(read_sizes(view_model.history.get(at)?));
                sizes(view_model, lens, canvas.area.width).through(lens, ("Size, nodes", read), canvas);
            }
            Pane::Program => self.draw_program(view_model, canvas),
            Pane::Population => draw(&mut self.population, view_model, canvas),
            Pane::Details(Details::Strength) => {
                let title = strength::title(canvas.area.width);
                let read = |at| Some(strength::read(&view_model.strength, at));
                let ends = (view_model.newest(), view_model.last_generation);
                strength::chart(&view_model.strength, ends, lens).through(lens, (title, read), canvas);
            }
            Pane::Details(Details::Analysis) => {
                let program = view_model.program(self.rank());
                analysis::draw(self.analysis.as_ref(), program.as_deref(), canvas);
            }
            Pane::Details(details) => {
                let look = canvas.look;
                // A panel that fills the page is alone.
                let is_beside_sizes = self.has_sizes.get() && canvas.area.height <= DIVERSITY + 1;
                let mut inner = canvas.panel(details.title());
                let size = inner.area.as_size();
                inner.lines(details.lines(view_model, self.rank(), size, is_beside_sizes, look));
            }
        }
    }

    /// Draws the facts of the best program and the curve of the fitness.
    fn summary(&self, view_model: &ViewModel, lens: &Lens, mut canvas: Canvas<'_>) {
        let area = canvas.area;
        let mut lines = facts(view_model, 0, area.width, canvas.look);
        lines.truncate(usize::from(area.height / 3));
        let count = lines.len() as u16;
        canvas.lines(lines);
        let rest = canvas.below(count);
        fitness(view_model, lens, area.width).draw(rest.area, rest.buf, rest.look);
    }
}

impl Panels {
    /// Returns the chosen details of a run, which may have no panel.
    fn details(&self, view_model: &ViewModel) -> Details {
        if self.details == Details::Strength && !view_model.has_panel() { Details::default() } else { self.details }
    }

    fn rank(&self) -> usize {
        self.population.selected()
    }

    /// Returns the details beside diversity and time in the order of their rank: the chosen one, what nothing else shows, and last the
    /// improvements, which the fitness and the lineage show too.
    fn others(&self, view_model: &ViewModel) -> Vec<Details> {
        let mut others =
            vec![Details::Spread, Details::Lineage, Details::Operators, Details::Hall, Details::Improvements];
        let islands = view_model.view.as_deref().map_or(0, |view| view.islands().len());
        others.insert(if islands > 1 { 1 } else { others.len() }, Details::Islands);
        if view_model.has_panel() {
            others.insert(0, Details::Strength);
        }
        others.insert(if self.analysis.is_some() { 0 } else { others.len() }, Details::Analysis);
        if let Some(chosen) = others.iter().position(|&which| which == self.details) {
            others[..=chosen].rotate_right(1);
        }
        others
    }

    fn draw_program(&mut self, view_model: &ViewModel, mut canvas: Canvas<'_>) {
        let look = canvas.look;
        let mut inner = canvas.panel(view_model.title(self.rank()));
        let Rect { width, height, .. } = inner.area;
        let facts = facts(view_model, self.rank(), width, look);
        let used = facts.len() as u16;
        inner.lines(facts);
        let mut rest = inner.below(used);
        if width >= TREE_LEAST.0 && height >= TREE_LEAST.1 {
            return self.program.draw(rest);
        }
        rest.lines(simplified(&self.program, width, look));
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
    let mut lines = vec![Line::from(look.span(Role::Dim, format!(" Simplified, {}:", counted(size, "node"))))];
    let wrapped = wrap(text, cells.saturating_sub(2)).into_iter();
    lines.extend(wrapped.map(|line| Line::from(look.span(Role::Text, format!(" {line}")))));
    lines
}

/// Returns the rows that are distinguishable on this many cells of the span.
fn rows<'a>(view_model: &'a ViewModel, lens: &Lens, cells: u16) -> Vec<&'a GenerationRow> {
    let (from, to) = lens.range(view_model.newest(), view_model.last_generation);
    view_model.history.between(from, to, usize::from(cells) * 2).collect()
}

/// Returns the chart of best, mean, and the middle 50 % of each generation's fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let rows = rows(view_model, lens, cells);
    let band = rows.iter().map(|row| (row.generation as f64, row.lower_quartile, row.upper_quartile)).collect();
    let series = curves(&rows, |row| row.generation, &[("best", |row| row.best), ("mean", |row| row.mean)]);
    Chart {
        band: Some(Band { label: "middle 50 %".to_owned(), points: band }),
        ..lens.chart((view_model.newest(), view_model.last_generation), series)
    }
}

/// Returns the chart of program sizes.
pub fn sizes(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let rows = rows(view_model, lens, cells);
    let columns: [Curve<GenerationRow>; 2] =
        [("of the best", |row| row.best_nodes.into()), ("mean", |row| row.mean_nodes)];
    let series = curves(&rows, |row| row.generation, &columns);
    lens.chart((view_model.newest(), view_model.last_generation), series)
}

/// Returns the text of the cursor on the fitness chart, for this many cells.
pub fn read_fitness(row: &GenerationRow, cells: u16) -> String {
    let GenerationRow { generation, best, mean, lower_quartile, upper_quartile, .. } = *row;
    if cells < 64 {
        return format!("{generation}: best {best:.0} mean {mean:.0} mid {lower_quartile:.0} to {upper_quartile:.0}");
    }
    let [best, mean, lower, upper] = [best, mean, lower_quartile, upper_quartile].map(number);
    format!("generation {generation}: best {best}, mean {mean}, middle 50 % {lower} to {upper}")
}

/// Returns the text of the cursor on the size chart.
pub fn read_sizes(row: &GenerationRow) -> String {
    let GenerationRow { generation, mean_nodes, best_nodes, max_nodes, .. } = row;
    let mean = number(*mean_nodes);
    format!("generation {generation}: mean {mean}, of the best {best_nodes}, largest {max_nodes}")
}

pub fn draw(table: &mut SortedTable, view_model: &ViewModel, mut canvas: Canvas<'_>) {
    let view = view_model.view.as_deref();
    let Some((view, (generation, len))) = view.and_then(|view| Some((view, view.population()?))) else {
        let text = if view.is_some() { "computing" } else { "only the running process has the population" };
        return canvas.panel("Population").explain(text);
    };
    let inner = canvas.panel(format!("Population of generation {generation}"));
    table.draw((len, generation), &fields(view, view_model.history.measures()), inner);
}

/// Returns the columns of a population with these measures.
fn fields<'a>(view: &'a dyn AnyView, measures: &Measures) -> Vec<Field<'a>> {
    let score = |(at, measure): (usize, &Measure)| {
        let column = Column::number(measure.short, (measure.short.len() as u16).max(5));
        number_field(view, column, move |one| one.outcome.scores.get(at).copied().unwrap_or(0.0))
    };
    let operator = |rank: usize| view.ranked(rank).map(|one| one.operator);
    let mut fields = vec![
        Field::new(Column::number("rank", 5), |rank| rank as f64, |rank| (rank + 1).to_string()),
        number_field(view, Column::number("fitness", 8), |one| one.outcome.fitness),
    ];
    fields.extend(measures.all.iter().enumerate().map(score));
    fields.extend([
        number_field(view, Column::number("nodes", 5), |one| one.nodes.into()),
        number_field(view, Column::number("depth", 5), |one| one.depth.into()),
        Field::new(
            Column::words("origin", 18),
            move |rank| operator(rank).map_or(0.0, |operator| f64::from(operator as u8)),
            move |rank| operator(rank).map_or(String::new(), |operator| operator.to_string()),
        ),
    ]);
    fields
}

/// Returns a column of numbers of the programs.
fn number_field<'a>(
    view: &'a dyn AnyView,
    column: Column,
    measure: impl Fn(&Selectable) -> f64 + Copy + 'a,
) -> Field<'a> {
    let value = move |rank| view.ranked(rank).map_or(0.0, measure);
    Field::new(column, value, move |rank| number(value(rank)))
}

/// Formats whole numbers without decimals, others with one.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
}

/// Opens the selected program on the Board, against a human or its first opponent. For watched runs, opens the best program.
pub fn on_the_board(panels: &Panels, view_model: &ViewModel, run: &Path, human: bool, cx: &mut Context) {
    let view = view_model.view.clone().filter(|view| view.population().is_some());
    let rank = panels.population.selected();
    let run = run.to_owned();
    let settings = Arc::clone(&view_model.settings);
    set_up(cx, move || {
        let file = match view {
            Some(view) => write(&*view, rank, &run),
            None => Ok(run.join("best.txt")),
        };
        let program = settings.player(&file?)?;
        let mut players = if human { [Spec::Human, program] } else { [program, settings.opponent()?] };
        if !human && settings.side() == Side::North {
            players.swap(0, 1);
        }
        Ok(Setup::new(settings.game(), players.map(Opponent::Player)))
    });
}

/// Writes the program of this rank to a file beside the run and returns its path.
fn write(view: &dyn AnyView, rank: usize, run: &Path) -> Result<PathBuf, Error> {
    let found = view.ranked(rank).zip(view.program(rank)).zip(view.population());
    let ((Selectable { outcome, .. }, program), (generation, _)) = found.ok_or("No such program")?;
    let path = program_file(run, generation, rank);
    let text = format!(
        "# generation {generation}, rank {}: fitness {}, {}\n{}\n",
        rank + 1,
        outcome.fitness,
        view.run_status().history.measures().to_text(&outcome.scores, |score| score.to_string()),
        program.text()
    );
    write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
    Ok(path)
}
