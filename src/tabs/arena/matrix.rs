//! The matrix: a row per player moving first, a column per player moving second, a number and a shade in every cell; ratings beside
//! it.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::arena::{CellView, Rating, View, unsigned_nought};
use crate::tabs::runs::parts::panels::Part;
use crate::theme::Role;
use crate::ui::list::scrollbar;
use crate::ui::{Canvas, Look, framed, hit_test, put, row, squeeze, width};

/// Width in cells of a number with its shade.
const CELL: u16 = 6;
/// Minimum and maximum distance of columns in cells; columns as wide as `NAMED` have names above them.
const STEP: u16 = CELL + 1;
const STEP_MOST: u16 = 16;
const NAMED: u16 = 10;
/// Maximum and minimum width of a player's name before its row.
const LABEL: u16 = 28;
const LABEL_LEAST: u16 = 13;
/// Width in cells of Elo with its interval, points, and time per move.
const RATINGS: u16 = 28;
/// Width in cells of the mean loss per game, where it is counted.
const LOST: u16 = 8;
/// Minimum width of the scale for the ratings' intervals.
const SCALE_LEAST: u16 = 18;

/// The selected cell.
#[derive(Default)]
pub struct Matrix {
    selected: (usize, usize),
    /// The players that move second in any cell, one per column; empty before the first draw.
    columns: Vec<usize>,
    /// The areas of the cells, for the mouse.
    places: Vec<(Rect, (usize, usize))>,
}

impl Matrix {
    /// Returns the indices of the players moving first and second.
    pub fn selected(&self) -> (usize, usize) {
        self.selected
    }

    /// Moves the selection by rows and columns, within the matrix.
    pub fn go(&mut self, (rows, columns): (isize, isize), view: &View) {
        if self.columns.is_empty()
            && let Some(first) = view.cells.first()
        {
            let moves_second = |player: &usize| view.cells.iter().any(|view| view.cell.second == *player);
            self.columns = (0..view.players.len()).filter(moves_second).collect();
            self.selected = (first.cell.first, first.cell.second);
        }
        let to = |at: usize, by: isize, len: usize| at.saturating_add_signed(by).min(len.saturating_sub(1));
        let column = to(self.column(), columns, self.columns.len());
        let second = self.columns.get(column).copied().unwrap_or_default();
        self.selected = (to(self.selected.0, rows, view.players.len()), second);
    }

    /// Returns the index of the selected column.
    fn column(&self) -> usize {
        self.columns.iter().position(|&player| player == self.selected.1).unwrap_or_default()
    }

    /// Draws the matrix. `published` are the published results of the tournament's cells, in their order.
    pub fn draw(&mut self, view: &View, (measure, published): (Measure, &[Option<f64>]), canvas: Canvas<'_>) {
        let Canvas { area, buf, look, .. } = canvas;
        let title = Line::from(look.span(Role::Title, measure.title()));
        let (ratings, first) = view.ratings();
        let worth = format!("moving first: {first} Elo");
        let worth = if view.done > 0 { look.with_minus(&worth) } else { String::new() };
        let inner = framed(area, title, Line::from(look.span(Role::Dim, plain(&worth, look))), true, buf, look);
        let names = view.names();
        let layout = Layout::new(&names, self.columns.len(), view.settings.losses, inner.width);
        let rows = usize::from(inner.height.saturating_sub(1));
        let top = window(self.selected.0, names.len(), rows);
        let left = window(self.column(), self.columns.len(), layout.columns);
        let shown = &self.columns[left..(left + layout.columns).min(self.columns.len())];
        head(&names, shown, &layout, row(inner, 0), buf, look);
        let are_more = [left > 0, left + shown.len() < self.columns.len()];
        let beside = [layout.label + 1, layout.column(shown.len().saturating_sub(1)) + CELL];
        for (x, _) in beside.into_iter().zip(are_more).filter(|(_, more)| *more) {
            // More columns exist on this side.
            put(look.span(Role::Dim, look.glyphs.ellipsis), Rect { x: inner.x + x, width: 1, ..row(inner, 0) }, buf);
        }
        let start = view.settings.variant.start();
        let seeds = start.decided().map_or_else(|| f64::from(start.board().most()), f64::from);
        let number = |first: usize, second: usize| {
            let index = view.index(first, second)?;
            let printed = published.get(index).copied().flatten();
            let number = measure.value(&view.cells[index], printed, seeds, look);
            (number.is_some() || !measure.is_printed()).then_some(number)
        };
        self.places.clear();
        let body = Rect { y: inner.y + 1.min(inner.height), height: rows as u16, ..inner };
        scrollbar(body, &(top..names.len().min(top + rows)), names.len(), buf, look);
        for (line, player) in (top..names.len().min(top + rows)).enumerate() {
            let place = row(inner, line as u16 + 1);
            let role = if player == self.selected.0 { Role::Accent } else { Role::Text };
            let label = squeeze(&format!("{} {}", player + 1, names[player]), layout.label, look);
            put(look.span(role, format!(" {label}")), place, buf);
            for (index, &second) in shown.iter().enumerate() {
                let place = Rect { x: place.x + layout.column(index), width: CELL, ..place };
                let selected = (player, second) == self.selected;
                put(cell(number(player, second), selected, look), place, buf);
                if selected {
                    look.select(place, buf);
                    look.cursor_place.set(place);
                }
                self.places.push((place, (player, second)));
            }
            if layout.ratings {
                let x = place.x + layout.used();
                let place = Rect { x, width: place.right().saturating_sub(x), ..place };
                rating(view, player, ratings, layout.side, place, buf, look);
            }
        }
    }
}

impl Matrix {
    /// Whether there is a cell at a position.
    pub fn is_over(&self, at: (u16, u16)) -> bool {
        hit_test(&self.places, at).is_some()
    }
}

impl Part<View> for Matrix {
    fn key(&mut self, code: KeyCode, view: &View) -> bool {
        let step = match code {
            KeyCode::Left => (0, -1),
            KeyCode::Right => (0, 1),
            KeyCode::Up => (-1, 0),
            KeyCode::Down => (1, 0),
            _ => return false,
        };
        self.go(step, view);
        true
    }

    /// Selects a cell, which is nothing to open.
    fn click(&mut self, at: (u16, u16), _: &View) -> bool {
        self.selected = hit_test(&self.places, at).unwrap_or(self.selected);
        false
    }
}

/// The layout of the matrix.
struct Layout {
    label: u16,
    columns: usize,
    step: u16,
    ratings: bool,
    /// Width in cells of the figures beside the matrix.
    side: u16,
}

impl Layout {
    fn new(names: &[String], columns: usize, losses: bool, cells: u16) -> Layout {
        let players = columns as u16;
        let longest = names.iter().map(|name| width(name) + 3).max().unwrap_or(0).clamp(LABEL_LEAST, LABEL);
        let side = RATINGS + if losses { LOST } else { 0 };
        let ratings = cells >= 2 + LABEL_LEAST + STEP * players.min(5) + side;
        let side = if ratings { side } else { 0 };
        let label = cells.saturating_sub(2 + side + STEP * players).clamp(LABEL_LEAST, longest);
        let room = cells.saturating_sub(2 + side + label);
        let columns = (room / STEP).clamp(1, players.max(1));
        Layout { label, columns: columns.into(), step: (room / columns).clamp(STEP, STEP_MOST), ratings, side }
    }

    /// Returns the start of a column's numbers.
    fn column(&self, index: usize) -> u16 {
        2 + self.label + self.step * index as u16 + self.step - STEP
    }

    /// Returns the width in cells of labels and columns.
    fn used(&self) -> u16 {
        2 + self.label + self.step * self.columns as u16
    }
}

/// Returns the first of `shown` out of `len` rows or columns, such that `selected` is among them.
fn window(selected: usize, len: usize, shown: usize) -> usize {
    selected.saturating_sub(shown / 2).min(len.saturating_sub(shown))
}

/// Draws the column heads, numbers or names, and the heads of the ratings.
fn head(names: &[String], shown: &[usize], layout: &Layout, place: Rect, buf: &mut Buffer, look: &Look) {
    let corner = if layout.label < 14 { "1st \\ 2nd" } else { "first \\ second" };
    let mut text = format!(" {corner:<label$} ", label = usize::from(layout.label));
    for &second in shown {
        let number = (second + 1).to_string();
        let name = if layout.step < NAMED { number } else { format!("{number} {}", names[second]) };
        text += &format!("{:>cell$} ", squeeze(&name, layout.step - 1, look), cell = usize::from(layout.step) - 1);
    }
    put(look.span(Role::Dim, text), place, buf);
    if layout.ratings {
        let mut text = format!("{:>6} {:<6}{:>6}{:>9}", "Elo", plain("±95%", look), "pts %", "a move");
        if layout.side > RATINGS {
            text += &format!("{:>cells$}", "gave", cells = usize::from(LOST));
        }
        let x = place.x + layout.used();
        put(look.span(Role::Dim, text), Rect { x, width: place.right().saturating_sub(x), ..place }, buf);
    }
}

/// Returns a number with its shade; a dot if it is missing so far; or blanks if there will be none. The shade does not cover the
/// number of the selected cell.
fn cell(number: Option<Option<(String, f64)>>, selected: bool, look: &Look) -> Line<'static> {
    let Some(number) = number else { return Line::default() };
    let Some((text, level)) = number else {
        return Line::from(look.span(Role::Dim, format!("{:>wide$}", look.glyphs.dot, wide = usize::from(CELL))));
    };
    let style = if selected { Style::new() } else { look.theme.heat(level) };
    let shade = look.glyphs.shade[((level * 4.0).round() as usize).min(4)];
    Line::from(vec![Span::styled(format!("{shade}{text:>wide$}", wide = usize::from(CELL) - 1), style)])
}

/// Draws a player's rating with its interval, its points and its time per move; and the interval on a scale, if it fits.
fn rating(view: &View, player: usize, ratings: &[Rating], side: u16, place: Rect, buf: &mut Buffer, look: &Look) {
    let Rating { elo, plus_minus } = ratings[player];
    if view.sample(player).games() == 0 {
        return put(look.span(Role::Dim, format!("{:>6}", look.glyphs.dot)), place, buf);
    }
    let points = format!("{:.1}", 100.0 * view.sample(player).share());
    let time = view.time_a_move(player).map_or(String::new(), crate::ui::short_time);
    let lost = view.lost_a_game(player).map_or(String::new(), |lost| format!("{lost:>8.1}"));
    let numbers = [
        look.span(Role::Accent, format!("{:>6}", look.signed(elo.round() as i32))),
        look.span(Role::Dim, format!(" {:<6}", plain(&format!("±{plus_minus:.0}"), look))),
        look.span(Role::Text, format!("{points:>6}")),
        look.span(Role::Dim, format!("{:>9}", plain(&time, look))),
        look.span(Role::Text, lost),
    ];
    put(Line::from(numbers.to_vec()), place, buf);
    let rest = Rect { x: place.x + side + 2, width: place.width.saturating_sub(side + 3), ..place };
    if rest.width >= SCALE_LEAST && place.width > side + 2 {
        put(scale(ratings, player, rest.width.min(60), look), rest, buf);
    }
}

/// Returns a player's interval on a scale shared by all players.
fn scale(ratings: &[Rating], player: usize, cells: u16, look: &Look) -> Line<'static> {
    let low = ratings.iter().map(|rating| rating.elo - rating.plus_minus).fold(f64::INFINITY, f64::min);
    let high = ratings.iter().map(|rating| rating.elo + rating.plus_minus).fold(f64::NEG_INFINITY, f64::max);
    let Rating { elo, plus_minus } = ratings[player];
    crate::ui::interval(elo, (elo - plus_minus, elo + plus_minus), (low, high), cells, look)
}

/// Replaces `±` and `µ` on ASCII screens.
pub fn plain(text: &str, look: &Look) -> String {
    if look.glyphs.has_blocks() { text.to_owned() } else { text.replace('±', "+-").replace('µ', "u") }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// Games won by the row's player, in percent.
    #[default]
    Won,
    /// The row's player's share of points in percent; a draw is half a point.
    Points,
    /// The row's player's mean final margin.
    Margin,
    /// The published share of games won, in percent.
    Published,
    /// Games won minus the published value, in percentage points.
    Difference,
}

impl Measure {
    /// Returns the next measure; margins and measures of published values only if there are any.
    pub fn next(self, has_margins: bool, has_published: bool) -> Measure {
        match self {
            Measure::Won => Measure::Points,
            Measure::Points if has_margins => Measure::Margin,
            Measure::Points | Measure::Margin if has_published => Measure::Published,
            Measure::Published => Measure::Difference,
            Measure::Points | Measure::Margin | Measure::Difference => Measure::Won,
        }
    }

    /// Whether a missing number will stay missing.
    pub fn is_printed(self) -> bool {
        matches!(self, Measure::Published | Measure::Difference)
    }

    pub fn title(self) -> &'static str {
        match self {
            Measure::Won => "% of games won by the row, moving first",
            Measure::Points => "% of points of the row, moving first",
            Measure::Margin => "mean margin of the row, moving first",
            Measure::Published => "published: % won by the row, moving first",
            Measure::Difference => "% won by the row minus the published %",
        }
    }

    /// Returns a cell's number, and its quality for the row's player from 0 to 1; `None` if it is missing. The margin saturates at
    /// half of the `seeds`.
    pub fn value(self, cell: &CellView, published: Option<f64>, seeds: f64, look: &Look) -> Option<(String, f64)> {
        let percent = |share: f64| (format!("{:.1}", 100.0 * share), share);
        let signed = |value: f64| look.with_minus(&format!("{:+.1}", unsigned_nought(value, 1)));
        let played = cell.score.games() > 0;
        match self {
            Measure::Published => published.map(|printed| percent(printed / 100.0)),
            _ if !played => None,
            Measure::Won => Some(percent(cell.sample.won())),
            Measure::Points => Some(percent(cell.sample.share())),
            Measure::Margin => Some((signed(cell.mean_margin()), (0.5 + cell.mean_margin() / seeds).clamp(0.0, 1.0))),
            Measure::Difference => published.map(|printed| {
                let difference = 100.0 * cell.sample.won() - printed;
                // The scale saturates at 20 percentage points.
                (signed(difference), (0.5 + difference / 40.0).clamp(0.0, 1.0))
            }),
        }
    }
}
