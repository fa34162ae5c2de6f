//! The matrix: a row for who moves first, a column for who moves second, a number and a shade in every cell; the ratings beside.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::arena::{CellView, Rating, View};
use crate::theme::Role;
use crate::ui::{Look, clip, framed, put, row, width};

/// What the numbers of the matrix are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// Games won by the row's player, in percent.
    #[default]
    Won,
    /// The row's player's share of points, a draw being half of one, in percent.
    Points,
    /// The row's player's mean final margin.
    Margin,
}

impl Measure {
    pub fn next(self) -> Measure {
        match self {
            Measure::Won => Measure::Points,
            Measure::Points => Measure::Margin,
            Measure::Margin => Measure::Won,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Measure::Won => "% of games won by the row, moving first",
            Measure::Points => "% of points of the row, moving first",
            Measure::Margin => "mean margin of the row, moving first",
        }
    }

    fn text(self, cell: &CellView, look: &Look) -> String {
        match self {
            Measure::Won => format!("{:.1}", 100.0 * cell.score.won()),
            Measure::Points => format!("{:.1}", 100.0 * cell.score.share()),
            Measure::Margin => format!("{:+.1}", cell.mean_margin()).replace('-', look.glyphs.minus),
        }
    }

    /// From 0, the worst for the row's player, to 1; a margin counts as far as half of the `seeds`.
    fn level(self, cell: &CellView, seeds: f64) -> f64 {
        match self {
            Measure::Won => cell.score.won(),
            Measure::Points => cell.score.share(),
            Measure::Margin => (0.5 + cell.mean_margin() / seeds).clamp(0.0, 1.0),
        }
    }
}

/// Cells a number takes with its shade.
const CELL: u16 = 6;
/// Cells from one column to the next, at the least and at the most; names stand above columns that are as wide as `NAMED`.
const STEP: u16 = CELL + 1;
const STEP_MOST: u16 = 16;
const NAMED: u16 = 10;
/// The widest that a player's name is shown in front of its row, and the narrowest worth showing.
const LABEL: u16 = 28;
const LABEL_LEAST: u16 = 10;
/// Cells for Elo and its interval, points and time a move.
const RATINGS: u16 = 28;
/// The least width of a scale on which the ratings' intervals are drawn.
const SCALE_LEAST: u16 = 18;

/// Which cell is selected.
#[derive(Default)]
pub struct Matrix {
    selected: (usize, usize),
    /// The first cell with games has been selected.
    settled: bool,
    /// Where the cells were drawn, for the mouse.
    places: Vec<(Rect, (usize, usize))>,
}

impl Matrix {
    /// The indices of who moves first and second.
    pub fn selected(&self) -> (usize, usize) {
        self.selected
    }

    /// Moves the selection by rows and columns, as far as there are any; from a cell in which games are played.
    pub fn go(&mut self, (rows, columns): (isize, isize), view: &View) {
        if !std::mem::replace(&mut self.settled, true)
            && let Some(first) = view.cells.first()
        {
            self.selected = (first.cell.first, first.cell.second);
        }
        let to = |at: usize, by: isize| at.saturating_add_signed(by).min(view.players.len().saturating_sub(1));
        self.selected = (to(self.selected.0, rows), to(self.selected.1, columns));
    }

    pub fn click(&mut self, at: (u16, u16)) -> bool {
        let hit = self.places.iter().find(|(place, _)| place.contains(at.into())).map(|&(_, cell)| cell);
        self.selected = hit.unwrap_or(self.selected);
        hit.is_some()
    }

    pub fn draw(&mut self, view: &View, measure: Measure, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, measure.title()));
        let (ratings, first) = view.ratings();
        let worth = format!("moving first: {:+.0} ± {:.0} Elo", first.elo, first.plus_minus);
        let worth = if view.done > 0 { worth } else { String::new() };
        let inner = framed(area, title, Line::from(look.span(Role::Dim, plain(&worth, look))), true, buf, look);
        let names = view.names();
        let layout = Layout::new(&names, inner.width);
        let rows = usize::from(inner.height.saturating_sub(1));
        let top = window(self.selected.0, names.len(), rows);
        let left = window(self.selected.1, names.len(), layout.columns);
        head(&names, &layout, left, row(inner, 0), buf, look);
        self.places.clear();
        for (line, player) in (top..names.len().min(top + rows)).enumerate() {
            let place = row(inner, line as u16 + 1);
            let role = if player == self.selected.0 { Role::Accent } else { Role::Text };
            let label = clip(&format!("{} {}", player + 1, names[player]), layout.label, look);
            put(look.span(role, format!(" {label}")), place, buf);
            for (index, second) in (left..names.len().min(left + layout.columns)).enumerate() {
                let place = Rect { x: place.x + layout.column(index), width: CELL, ..place };
                let selected = (player, second) == self.selected;
                put(cell(view.cell(player, second), view, measure, selected, look), place, buf);
                if selected {
                    buf.set_style(place, look.style(Role::Selection));
                }
                self.places.push((place, (player, second)));
            }
            if layout.ratings {
                let x = place.x + layout.used();
                let place = Rect { x, width: place.right().saturating_sub(x), ..place };
                rating(view, player, ratings, place, buf, look);
            }
        }
    }
}

/// What fits beside one another.
struct Layout {
    label: u16,
    columns: usize,
    step: u16,
    ratings: bool,
}

impl Layout {
    fn new(names: &[String], cells: u16) -> Layout {
        let players = names.len() as u16;
        let longest = names.iter().map(|name| width(name) + 3).max().unwrap_or(0).clamp(LABEL_LEAST, LABEL);
        let ratings = cells >= 2 + LABEL_LEAST + STEP * players.min(5) + RATINGS;
        let side = if ratings { RATINGS } else { 0 };
        let label = cells.saturating_sub(2 + side + STEP * players).clamp(LABEL_LEAST, longest);
        let room = cells.saturating_sub(2 + side + label);
        let columns = (room / STEP).clamp(1, players.max(1));
        Layout { label, columns: columns.into(), step: (room / columns).clamp(STEP, STEP_MOST), ratings }
    }

    /// Where a column's numbers begin.
    fn column(&self, index: usize) -> u16 {
        2 + self.label + self.step * index as u16 + self.step - STEP
    }

    /// Cells that label and columns take.
    fn used(&self) -> u16 {
        2 + self.label + self.step * self.columns as u16
    }
}

/// The first of `shown` out of `len` rows or columns, such that `selected` is among them.
fn window(selected: usize, len: usize, shown: usize) -> usize {
    selected.saturating_sub(shown / 2).min(len.saturating_sub(shown))
}

/// The players above their columns, by number or by name, and what the ratings are.
fn head(names: &[String], layout: &Layout, left: usize, place: Rect, buf: &mut Buffer, look: &Look) {
    let corner = if layout.label < 14 { "1st \\ 2nd" } else { "first \\ second" };
    let mut text = format!(" {corner:<label$} ", label = usize::from(layout.label));
    for (second, name) in names.iter().enumerate().skip(left).take(layout.columns) {
        let number = (second + 1).to_string();
        let name = if layout.step < NAMED { number } else { format!("{number} {name}") };
        text += &format!("{:>cell$} ", clip(&name, layout.step - 1, look), cell = usize::from(layout.step) - 1);
    }
    put(look.span(Role::Dim, text), place, buf);
    if layout.ratings {
        let text = format!("{:>6} {:<6}{:>6}{:>9}", "Elo", plain("±95%", look), "pts %", "a move");
        let x = place.x + layout.used();
        put(look.span(Role::Dim, text), Rect { x, width: place.right().saturating_sub(x), ..place }, buf);
    }
}

/// A number with its shade; the selected one keeps its number's colour free of it.
fn cell(cell: Option<&CellView>, view: &View, measure: Measure, selected: bool, look: &Look) -> Line<'static> {
    let Some(cell) = cell else { return Line::default() };
    if cell.score.games() == 0 {
        return Line::from(look.span(Role::Dim, format!("{:>wide$}", look.glyphs.dot, wide = usize::from(CELL))));
    }
    let start = view.settings.variant.start().board();
    let level = measure.level(cell, f64::from(start.total()));
    let style = if selected { Style::new() } else { look.theme.heat(level) };
    let shade = look.glyphs.shade[((level * 4.0).round() as usize).min(4)];
    let text = measure.text(cell, look);
    Line::from(vec![Span::styled(format!("{shade}{text:>wide$}", wide = usize::from(CELL) - 1), style)])
}

/// A player's rating with its interval, its points and its time a move; and the interval on a scale, where there is room.
fn rating(view: &View, player: usize, ratings: &[Rating], place: Rect, buf: &mut Buffer, look: &Look) {
    let Rating { elo, plus_minus } = ratings[player];
    if view.score(player).games() == 0 {
        return put(look.span(Role::Dim, format!("{:>6}", look.glyphs.dot)), place, buf);
    }
    let points = format!("{:.1}", 100.0 * view.score(player).share());
    let time = view.time_a_move(player).map_or(String::new(), crate::ui::short_time);
    let numbers = [
        look.span(Role::Accent, format!("{:>6}", look.signed(elo.round() as i32))),
        look.span(Role::Dim, format!(" {:<6}", plain(&format!("±{plus_minus:.0}"), look))),
        look.span(Role::Text, format!("{points:>6}")),
        look.span(Role::Dim, format!("{:>9}", plain(&time, look))),
    ];
    put(Line::from(numbers.to_vec()), place, buf);
    let rest = Rect { x: place.x + RATINGS + 2, width: place.width.saturating_sub(RATINGS + 3), ..place };
    if rest.width >= SCALE_LEAST && place.width > RATINGS + 2 {
        put(scale(ratings, player, rest.width.min(60), look), rest, buf);
    }
}

/// A player's interval on a scale that all of them share.
fn scale(ratings: &[Rating], player: usize, cells: u16, look: &Look) -> Line<'static> {
    let low = ratings.iter().map(|rating| rating.elo - rating.plus_minus).fold(f64::INFINITY, f64::min);
    let high = ratings.iter().map(|rating| rating.elo + rating.plus_minus).fold(f64::NEG_INFINITY, f64::max);
    let Rating { elo, plus_minus } = ratings[player];
    crate::ui::interval(elo, (elo - plus_minus, elo + plus_minus), (low, high), cells, look)
}

/// `±` where there are only ASCII characters.
pub fn plain(text: &str, look: &Look) -> String {
    if look.glyphs.braille { text.to_owned() } else { text.replace('±', "+-").replace('µ', "u") }
}
