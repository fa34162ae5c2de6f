//! The panels of a run and their layout: fitness and weights over the generations; the weights of the best and of the selected
//! genome beside those of published runs, if there are any; the standings. One panel has the focus and can be zoomed to the whole
//! page.

use std::cell::OnceCell;
use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::bracket::{Cursor, Inspect};
use super::{ViewModel, open};
use crate::app::tab::Context;
use crate::evolve::ga::{GaView, GenerationRow};
use crate::evolve::task::Labels;
use crate::tabs::runs::parts::panels::{Part, RunPanels};
use crate::tabs::runs::parts::strength;
use crate::theme::Role;
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Curve, HeatMap, HeatRow, curves, scaled_sparkline};
use crate::ui::list::RowList;
use crate::ui::table::{Cell, Column, Field, SortedTable};
use crate::ui::{Canvas, Look, clip, interval, width};

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
    /// The curves against a panel, if there is one.
    Strength,
}

/// The panel beside the weights on screens that fit only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Beside {
    #[default]
    Fitness,
    Course,
    /// Only if the bracket has the place of the standings.
    Standings,
    /// Only of a run with a panel.
    Strength,
}

/// The state of the panels.
#[derive(Default)]
pub struct Panels {
    pub standings: SortedTable,
    pub bracket: Cursor,
    /// The selected row of the heat map.
    genes: RowList,
    beside: Beside,
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
    type Pane = Pane;

    const MIN_SIZE: (u16, u16) = (60, 16);
    const HAS_SUMMARY: bool = true;

    fn anew(self) -> Panels {
        Panels { standings: self.standings.anew(), beside: self.beside, ..Panels::default() }
    }

    fn update(&mut self, view_model: &ViewModel) {
        self.genes.begin(view_model.labels.genes.len(), 2);
        if let Some(view) = &view_model.view {
            self.standings.set_len(view.ranking.len());
        }
    }

    fn all(&self, view_model: &ViewModel) -> Vec<Pane> {
        let bracket = view_model.labels.knockout.then_some(Pane::Bracket);
        let strength = view_model.has_panel().then_some(Pane::Strength);
        let panes = bracket.into_iter().chain([Pane::Fitness]).chain(strength);
        panes.chain([Pane::Course, Pane::Weights, Pane::Standings]).collect()
    }

    fn first(&self, view_model: &ViewModel) -> Pane {
        if view_model.labels.knockout { Pane::Bracket } else { Pane::Standings }
    }

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
        let left = self::wide(&view_model.labels.genes) + 2;
        let is_high = high >= 34.max(table + BELOW);
        if wide >= 160.max(left + WEIGHTS) && is_high {
            let upper = high * 2 / 5;
            let mut panes = self.fitness_and_strength(view_model, at(0, 0, left, upper));
            panes.extend([
                (Pane::Standings, at(0, upper, left, high - upper)),
                (Pane::Weights, at(left, 0, wide - left, table)),
                (Pane::Course, at(left, table, wide - left, high - table)),
            ]);
            return panes;
        }
        let left = (wide * 42 / 100).max(30);
        if is_high {
            let middle = course_rows(view_model, high - table);
            let lower = high - table - middle;
            let mut panes = self.fitness_and_strength(view_model, at(0, 0, left, table));
            panes.extend([
                (Pane::Weights, at(left, 0, wide - left, table)),
                (Pane::Course, at(0, table, wide, middle)),
                (Pane::Standings, at(0, table + middle, wide, lower)),
            ]);
            return panes;
        }
        // A long table gets the rows that the standings leave.
        let upper = (high / 2).max(table.min(high.saturating_sub(STANDINGS))).max(12);
        // A table that nearly fits omits its head and shows all rows.
        let headless = table - 1;
        let upper = if headless <= high.saturating_sub(FEWEST) { upper.max(headless) } else { upper };
        let beside = self.beside(view_model);
        let chart = if beside == Pane::Standings { Pane::Fitness } else { beside };
        vec![
            (chart, at(0, 0, left, upper)),
            (Pane::Weights, at(left, 0, wide - left, upper)),
            (Pane::Standings, at(0, upper, wide, high - upper)),
        ]
    }

    fn has_cursor(pane: Pane) -> bool {
        matches!(pane, Pane::Fitness | Pane::Course | Pane::Strength)
    }

    fn part(&mut self, pane: Pane) -> Option<&mut dyn Part<ViewModel>> {
        match pane {
            Pane::Course => Some(&mut self.genes),
            Pane::Bracket => Some(&mut self.bracket),
            Pane::Standings => Some(&mut self.standings),
            Pane::Fitness | Pane::Weights | Pane::Strength => None,
        }
    }

    /// Panels without a part of their own leave the keys to the standings.
    fn key(&mut self, pane: Pane, code: KeyCode, view_model: &ViewModel) -> bool {
        let pane = if self.part(pane).is_none() { Pane::Standings } else { pane };
        self.part(pane).is_some_and(|part| part.key(code, view_model))
    }

    fn next_details(&mut self, focus: Pane, view_model: &ViewModel) -> Pane {
        self.beside = match self.beside {
            Beside::Fitness => Beside::Course,
            Beside::Course if view_model.labels.knockout => Beside::Standings,
            Beside::Course | Beside::Standings if view_model.has_panel() => Beside::Strength,
            Beside::Course | Beside::Standings | Beside::Strength => Beside::Fitness,
        };
        focus
    }

    fn table(&mut self) -> Option<&mut SortedTable> {
        Some(&mut self.standings)
    }

    fn can_open(&self, view_model: &ViewModel) -> bool {
        !view_model.past.is_empty()
    }

    /// Opens the game under the cursor of the bracket, or the selected genome.
    fn open(&self, focus: Pane, view_model: &ViewModel, run: &Path, cx: &mut Context) {
        match focus {
            Pane::Bracket => open::game(self, view_model, run, cx),
            _ => open::on_the_board(self, view_model, run, false, cx),
        }
    }

    fn challenge(&self, view_model: &ViewModel, run: &Path, cx: &mut Context) {
        open::on_the_board(self, view_model, run, true, cx);
    }

    fn draw(&mut self, pane: Pane, view_model: &ViewModel, lens: &mut Lens, canvas: Canvas<'_>) {
        let cells = canvas.area.width;
        match pane {
            Pane::Fitness => {
                let title = if cells < 44 { "Fitness, %" } else { "Fitness, % of the points" };
                let read = |at: usize| Some(read_fitness(view_model.past.get(at)?));
                fitness(view_model, lens, cells).through(lens, (title, read), canvas);
            }
            Pane::Course => {
                let title = match view_model.labels.relative {
                    true if cells >= 76 => "Weights of the best, shares of the largest",
                    _ => "Weights of the best",
                };
                course(view_model, lens, cells).through(lens, (title, &mut self.genes.state), canvas);
            }
            Pane::Strength => {
                let read = |at| Some(strength::read(&view_model.strength, at));
                let ends = (view_model.newest(), view_model.last_generation);
                let chart = strength::chart(&view_model.strength, ends, lens);
                chart.through(lens, (strength::title(cells), read), canvas);
            }
            Pane::Weights => weights(view_model, self.standings.selected(), canvas),
            Pane::Bracket => self.bracket.draw(Inspect::find(view_model), canvas),
            Pane::Standings => draw(&mut self.standings, view_model, canvas),
        }
    }

    /// Draws the curves of the fitness alone.
    fn summary(&self, view_model: &ViewModel, lens: &Lens, canvas: Canvas<'_>) {
        fitness(view_model, lens, canvas.area.width).draw(canvas.area, canvas.buf, canvas.look);
    }
}

impl Panels {
    /// Returns the panel beside the weights of a run.
    fn beside(&self, view_model: &ViewModel) -> Pane {
        match self.beside {
            Beside::Course => Pane::Course,
            Beside::Standings => Pane::Standings,
            Beside::Strength if view_model.has_panel() => Pane::Strength,
            Beside::Strength | Beside::Fitness => Pane::Fitness,
        }
    }

    /// Returns the curves of the fitness and, of a run with a panel, those of the strength below them; in a low area the chosen ones.
    fn fitness_and_strength(&self, view_model: &ViewModel, area: Rect) -> Vec<(Pane, Rect)> {
        if !view_model.has_panel() || area.height < 2 * LOWEST {
            let chosen = Some(self.beside(view_model)).filter(|beside| *beside == Pane::Strength);
            return vec![(chosen.unwrap_or(Pane::Fitness), area)];
        }
        let upper = Rect { height: area.height / 2, ..area };
        let lower = Rect { y: area.y + upper.height, height: area.height - upper.height, ..area };
        vec![(Pane::Fitness, upper), (Pane::Strength, lower)]
    }

    /// Like [`layout`](RunPanels::layout) for runs with a bracket, which gets the largest area.
    fn layout_of_knockout(&self, view_model: &ViewModel, area: Rect) -> Vec<(Pane, Rect)> {
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        let wide = area.width;
        let high = area.height;
        let table = view_model.labels.genes.len() as u16 + 3;
        // Five columns of the bracket in a frame.
        let left = 80;
        let beside = self.beside(view_model);
        if wide >= 160 && high >= table + BELOW {
            let upper = 36.min(high * 2 / 3);
            let right = wide - left;
            let middle = course_rows(view_model, high - table);
            let mut panes = vec![(Pane::Bracket, at(0, 0, left, upper))];
            panes.extend(self.fitness_and_strength(view_model, at(0, upper, left, high - upper)));
            panes.extend([
                (Pane::Weights, at(left, 0, right, table)),
                (Pane::Course, at(left, table, right, middle)),
                (Pane::Standings, at(left, table + middle, right, high - table - middle)),
            ]);
            return panes;
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
}

/// Returns the rows of the heat map in `rows` that it shares with the standings: half of them, or as many as it needs if the standings
/// have enough.
fn course_rows(view_model: &ViewModel, rows: u16) -> u16 {
    let needed = view_model.labels.genes.len() as u16 + 4;
    needed.min(rows.saturating_sub(FEWEST)).max(rows / 2)
}

/// Draws the weights of the best and of the selected genome: the values; the range of the published runs' final weights or else the
/// distance of each from 0; and the origin of the best.
fn weights(view_model: &ViewModel, selected: usize, mut canvas: Canvas<'_>) {
    let look = canvas.look;
    let Labels { genes, published, relative, .. } = &view_model.labels;
    let title = match (published, relative) {
        (Some(_), _) => "Weights and their published range",
        (None, true) => "Weights as shares of the largest",
        (None, false) => "Weights",
    };
    let mut canvas = canvas.panel(title);
    let inner = canvas.area;
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
        canvas.put(0, look.span(Role::Dim, head));
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
            let rows = between(view_model, (0, view_model.newest()), usize::from(spark_room));
            let history =
                rows.into_iter().map(|past| view_model.shown(&past.best_genome).get(gene).copied().unwrap_or(0.0));
            let history = history.collect::<Vec<f64>>();
            let text = scaled_sparkline(&history, |value| format!("{value:.2}"), spark_room, look);
            spans.push(look.span(Role::Curve2, text));
        }
        canvas.put(line, Line::from(spans));
    }
}

fn name((short, title): &(&str, &str), cells: u16, look: &Look) -> String {
    let text = clip(&format!("{short} {title}"), cells, look);
    let gap = " ".repeat(usize::from(cells - width(&text)));
    text + &gap
}

/// Returns about `most` rows between two generations; see [`Chunks::between`](crate::evolve::chunks::Chunks::between).
pub fn between(view_model: &ViewModel, (from, to): (u64, u64), most: usize) -> Vec<&GenerationRow> {
    view_model.past.between(from, to, most).collect()
}

/// Returns the chart of best, mean and worst fitness.
pub fn fitness(view_model: &ViewModel, lens: &Lens, cells: u16) -> Chart {
    let ends = (view_model.newest(), view_model.last_generation);
    let rows = between(view_model, lens.range(ends.0, ends.1), usize::from(cells) * 2);
    let columns: [Curve<GenerationRow>; 3] =
        [("best", |past| past.best), ("mean", |past| past.mean), ("worst", |past| past.worst)];
    Chart { is_percent: true, ..lens.chart(ends, curves(&rows, |past| past.generation, &columns)) }
}

/// Returns the heat map of the best genome's weights, the largest of the newest generation first.
pub fn course(view_model: &ViewModel, lens: &Lens, cells: u16) -> HeatMap {
    let (from, to) = lens.range(view_model.newest(), view_model.last_generation);
    let rows = between(view_model, (from, to), usize::from(cells) * 2);
    let shown: Vec<(f64, Vec<f64>)> =
        rows.iter().map(|past| (past.generation as f64, view_model.shown(&past.best_genome))).collect();
    let points = |gene: usize| shown.iter().filter_map(move |(x, values)| Some((*x, *values.get(gene)?))).collect();
    let label = |(short, title): &(&str, &str)| format!("{short} {title}");
    let genes = view_model.labels.genes.iter().enumerate();
    let mut rows: Vec<HeatRow> =
        genes.map(|(gene, names)| HeatRow { label: label(names), points: points(gene) }).collect();
    let last = |row: &HeatRow| row.points.last().map_or(f64::NEG_INFINITY, |(_, value)| *value);
    crate::sort::sort_by(&mut rows, |a, b| last(b).total_cmp(&last(a)));
    let values = || shown.iter().flat_map(|(_, values)| values.iter().copied());
    let scale = (values().fold(0.0, f64::min), values().fold(1.0, f64::max));
    HeatMap { x: (from as f64, to as f64), unit: "generation", rows, scale }
}

/// Returns the text of the cursor on the fitness chart.
pub fn read_fitness(past: &GenerationRow) -> String {
    format!("generation {}: best {:.1}, mean {:.1}, worst {:.1}", past.generation, past.best, past.mean, past.worst)
}

/// Minimum width in cells of a weight's column, and that of the others.
const WEIGHT: u16 = 4;
const NUMBER: u16 = 5;

fn gene_column(name: &'static str) -> Column {
    Column::number(name, WEIGHT.max(name.len() as u16))
}

/// Returns the total width of the columns in cells.
pub fn wide(genes: &[(&'static str, &'static str)]) -> u16 {
    // A gap after each column, the marker before the first, and a blank at the end.
    2 + 3 * (NUMBER + 2) + genes.iter().map(|(name, _)| gene_column(name).width + 2).sum::<u16>()
}

pub fn draw(table: &mut SortedTable, view_model: &ViewModel, mut canvas: Canvas<'_>) {
    let genes = &view_model.labels.genes;
    let has_ranking = view_model.view.as_ref().is_some_and(|view| !view.ranking.is_empty());
    let [from, to] = [genes.first(), genes.last()].map(|gene| gene.map_or("", |(name, _)| name));
    let title = match has_ranking {
        true => format!("Standings of generation {}: the weights of {from} to {to}", view_model.ranked),
        false => "Standings".to_owned(),
    };
    let mut inner = canvas.panel(title);
    let Some(view) = view_model.view.as_ref().filter(|view| !view.ranking.is_empty()) else {
        return inner.explain(match &view_model.view {
            Some(_) => "playing the first tournament",
            None => "only the running process has the population",
        });
    };
    // Each is asked for once a gene.
    let shares: Vec<OnceCell<Vec<f64>>> = view.ranking.iter().map(|_| OnceCell::new()).collect();
    let fields = fields(view_model, view, &shares, inner.look);
    table.draw((view.ranking.len(), view.past.len() as u64), &fields, inner);
}

/// Returns the columns: rank, fitness, one per gene, and the generation of birth. `shares` takes the weights of each row as they are
/// shown.
fn fields<'a>(
    view_model: &'a ViewModel,
    view: &'a GaView,
    shares: &'a [OnceCell<Vec<f64>>],
    look: &'a Look,
) -> Vec<Field<'a>> {
    let ranking = &view.ranking;
    let mut fields = vec![
        Field::new(Column::number("rank", NUMBER), |place| place as f64, |place| (place + 1).to_string()),
        Field::new(
            Column::number("%", NUMBER),
            |place| ranking[place].points as f64,
            |place| format!("{:.1}", view.fitness(&ranking[place])),
        ),
    ];
    fields.extend(view_model.labels.genes.iter().enumerate().map(|(gene, (name, _))| {
        let weight = move |genome: &[f64]| genome.get(gene).copied().unwrap_or(0.0);
        Field::new(
            gene_column(name),
            move |place| weight(&view_model.settings.shown(&ranking[place].individual.genome)),
            move |place| heat(weight(shares[place].get_or_init(|| view_model.of_member(&ranking[place]))), look),
        )
    }));
    let born = |place: usize| ranking[place].individual.born;
    fields.push(Field::new(
        Column::number("born", NUMBER),
        move |place| born(place) as f64,
        move |place| born(place).to_string(),
    ));
    fields
}

/// Returns the cell of a weight. Larger weights, up to 1, are brighter and have a denser shade before the number. Negative weights
/// and those above 1 have one decimal.
fn heat(weight: f64, look: &Look) -> Cell {
    let shade = look.glyphs.shade[((weight.abs() * 4.0).round() as usize).min(4)];
    let number = match weight {
        9.95.. => format!("{weight:.0}"),
        1.05.. => format!("{weight:.1}"),
        0.995.. => " 1 ".to_owned(),
        ..=-0.95 => format!("{}1 ", look.glyphs.minus),
        ..=-0.05 => format!("{}.{:.0}", look.glyphs.minus, -10.0 * weight),
        _ => format!("{:.2}", weight.max(0.0)).trim_start_matches('0').to_owned(),
    };
    Cell { text: format!("{shade}{number:>3}"), style: Some(look.theme.heat(weight.abs())) }
}
