//! The measures of training: a curve for each, and a list with their newest values.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::theme::Role;
use crate::train::{TrainingRow, View};
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Pattern, Series, sparkline};
use crate::ui::list::{ListState, scrollbar};
use crate::ui::{Look, panel, put, row, short_count, wrap};

/// A measure of a generation.
pub struct Measure {
    /// The name in the list, and the title of its chart.
    name: &'static str,
    title: &'static str,
    value: fn(&TrainingRow) -> f64,
    /// Decimal places.
    places: usize,
}

pub const MEASURES: [Measure; 6] = [
    Measure { name: "policy loss", title: "Policy loss", value: |past| past.policy_loss, places: 4 },
    Measure { name: "value loss", title: "Value loss", value: |past| past.value_loss, places: 4 },
    Measure { name: "entropy, nats", title: "Entropy of the policy, nats", value: |past| past.entropy, places: 3 },
    Measure { name: "grad. norm", title: "Gradient norm before clipping", value: |past| past.gradient, places: 3 },
    Measure { name: "reward, won %", title: "Reward, % won in training", value: |past| past.won, places: 1 },
    Measure { name: "learn. rate", title: "Learning rate", value: |past| past.rate, places: 6 },
];

/// Preferred rows of the list, including its frame.
pub const ROWS: u16 = MEASURES.len() as u16 + 6;

/// Widths in cells of a name and of a value.
const NAME: usize = 13;
const VALUE: usize = 9;

/// Returns the rows between two generations, about `most` of them: those at multiples of a step, so that the selection is stable
/// while the run continues, and the newest.
fn between(view: &View, (from, to): (u64, u64), most: usize) -> Vec<&TrainingRow> {
    let seen: Vec<&TrainingRow> = view.past.iter().filter(|past| (from..=to).contains(&past.generation)).collect();
    let step = seen.len().div_ceil(most.max(1)).next_power_of_two() as u64;
    let newest = seen.last().map(|past| past.generation);
    seen.into_iter().filter(|past| past.generation % step == 0 || Some(past.generation) == newest).collect()
}

impl Measure {
    fn text(&self, past: &TrainingRow, look: &Look) -> String {
        look.with_minus(&format!("{:.*}", self.places, (self.value)(past)))
    }

    /// Draws its curve over the generations.
    pub fn draw(&self, view: &View, lens: &mut Lens, focused: bool, area: Rect, buf: &mut Buffer, look: &Look) {
        let (from, to) = lens.range(super::newest(view), view.settings.generations);
        let rows = between(view, (from, to), usize::from(area.width) * 2);
        let points = rows.iter().map(|past| (past.generation as f64, (self.value)(past))).collect();
        let series = vec![Series::new("", Role::Curve1, Pattern::Solid, points)];
        let cursor = lens.cursor.map(|at| at as f64);
        let chart = Chart { x: (from as f64, to as f64), unit: "generation", series, cursor, ..Chart::default() };
        let read = |at: usize| Some(format!("generation {at}: {}", self.text(view.past.get(at)?, look)));
        chart.through(lens, (self.title, read), focused, area, buf, look);
    }
}

/// Draws the list: the measures' newest values with their histories, and the numbers of games and steps.
pub fn list(
    view: &View,
    list: &mut ListState,
    focused: bool,
    area: Rect,
    buf: &mut Buffer,
    look: &Look,
) -> Vec<(Rect, usize)> {
    let titled = |text: &str| Line::from(vec![look.span(Role::Title, "Learning"), look.span(Role::Warning, text)]);
    let [title, short] = match view.settings.is_reproducible() {
        true => [titled(""), titled("")],
        false => ["  schedule=free: not reproducible", ": not reproducible"].map(titled),
    };
    let title = if title.width() as u16 + 4 <= area.width { title } else { short };
    let inner = panel(area, title, focused, buf, look);
    let Some(last) = view.past.last() else {
        let text = wrap("Playing the first generation", inner.width.saturating_sub(2));
        for (index, text) in text.into_iter().enumerate() {
            put(look.span(Role::Dim, format!(" {text}")), row(inner, index as u16), buf);
        }
        return Vec::new();
    };
    let room = inner.width.saturating_sub((NAME + VALUE + 3) as u16);
    let history = between(view, (0, super::newest(view)), 4 * usize::from(room));
    let mut places = Vec::new();
    let shown = list.window(MEASURES.len(), usize::from(inner.height));
    scrollbar(inner, &shown, MEASURES.len(), buf, look);
    for (line, index) in shown.enumerate() {
        let measure = &MEASURES[index];
        let place = row(inner, line as u16);
        let chosen = focused && index == list.selected;
        if chosen {
            look.cursor_place.set(place);
        }
        let (mark, role) = if chosen { (look.glyphs.pointer, Role::Selection) } else { (" ", Role::Text) };
        let values: Vec<f64> = history.iter().map(|past| (measure.value)(past)).collect();
        let name = format!("{mark}{:<NAME$}", measure.name);
        let line = Line::from(vec![
            look.span(if chosen { Role::Selection } else { Role::Dim }, name),
            look.span(role, format!("{:>VALUE$}", measure.text(last, look))),
            look.span(Role::Curve1, format!(" {}", sparkline(&values, room, look))),
        ]);
        put(line, place, buf);
        places.push((place, index));
    }
    let count = |what: &str, count: u64, rate: f64| {
        format!(" {what:<NAME$}{:>VALUE$} {}/s", short_count(count), short_count(rate as u64))
    };
    let below =
        [count("games", last.games, view.games_per_second), count("steps", last.decisions, view.decisions_per_second)];
    let from = inner.height.min(MEASURES.len() as u16 + u16::from(inner.height > MEASURES.len() as u16 + 2));
    for (index, text) in below.into_iter().enumerate() {
        put(look.span(Role::Dim, text), row(inner, from + index as u16), buf);
    }
    places
}
