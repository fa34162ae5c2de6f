//! The measures of training: a list with their newest values, and a curve for each. Of a network they are the losses and their like, of
//! evaluations the errors on held-out games, by stage.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::evaluations::{self, EvaluationRow};
use crate::learners::Snapshot;
use crate::measuring::Learner as _;
use crate::summary;
use crate::theme::Role;
use crate::train::{TrainingRow, View};
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Chart, Pattern, Series, scaled_sparkline};
use crate::ui::list::{RowList, scrollbar};
use crate::ui::{Canvas, Look, adjoin, row, short_count};

/// A measure of a generation.
struct Measure<'a> {
    /// The name in the list, and the title of its chart.
    name: String,
    title: String,
    /// Returns the value in a generation; `None` if nothing measures it.
    value: Box<dyn Fn(usize) -> Option<f64> + 'a>,
    /// Decimal places; `None`: two, and three of values below 1.
    places: Option<usize>,
    /// Its chart has the first measure, too.
    with_first: bool,
}

/// The measures of a run.
pub struct Measures<'a> {
    all: Vec<Measure<'a>>,
    /// Completed generations, and the number of the last one.
    ended: usize,
    last: u64,
    /// Widths in cells of a name and of a value in the list.
    widths: (usize, usize),
    /// Only the rows of the span are drawn, and few of them where a run is long.
    is_thinned: bool,
    /// The selected one is marked also where the list has no focus.
    is_marked: bool,
    /// The lines below the list.
    foot: Vec<String>,
}

/// The measures of a network: name, title, decimal places, value.
type NetworkMeasure = (&'static str, &'static str, usize, fn(&TrainingRow) -> f64);

/// Returns an error of an evaluation; 0 if no position measures it.
type ErrorOf = Box<dyn Fn(&EvaluationRow) -> Option<f64>>;

const NETWORK: [NetworkMeasure; 6] = [
    ("policy loss", "Policy loss", 4, |past| past.policy_loss),
    ("value loss", "Value loss", 4, |past| past.value_loss),
    ("entropy, nats", "Entropy of the policy, nats", 3, |past| past.entropy),
    ("grad. norm", "Gradient norm before clipping", 3, |past| past.gradient),
    ("reward, won %", "Reward, % won in training", 1, |past| past.won),
    ("learn. rate", "Learning rate", 6, |past| past.rate),
];

/// Preferred rows of the list of a network, including its frame.
pub const ROWS: u16 = NETWORK.len() as u16 + 6;

impl<'a> Measures<'a> {
    pub fn new(snapshot: &'a Snapshot) -> Measures<'a> {
        match snapshot {
            Snapshot::Network(view) => Measures::of_network(view),
            Snapshot::Evaluation(view) => Measures::of_evaluation(view),
        }
    }

    fn of_network(view: &'a View) -> Measures<'a> {
        let measure = |(name, title, places, value): NetworkMeasure| Measure {
            name: name.to_owned(),
            title: title.to_owned(),
            value: Box::new(move |at| view.past.get(at).map(value)),
            places: Some(places),
            with_first: false,
        };
        let widths = (13, 9);
        let count = |what: &str, count: u64, rate: f64| {
            count_line(what, count, widths) + &format!(" {}/s", short_count(rate as u64))
        };
        let foot = view.past.last().map(|last| {
            let games = count("games", last.games, view.games_per_second);
            vec![games, count("steps", last.decisions, view.decisions_per_second)]
        });
        Measures {
            all: NETWORK.map(measure).into(),
            ended: view.past.len(),
            last: view.last(),
            widths,
            is_thinned: true,
            is_marked: false,
            foot: foot.unwrap_or_default(),
        }
    }

    fn of_evaluation(view: &'a evaluations::View) -> Measures<'a> {
        let subject = view.settings.subject;
        let measure = |name: &str, title: String, value: ErrorOf| Measure {
            name: name.to_owned(),
            title,
            value: Box::new(move |at| value(view.past.get(at)?).filter(|value| *value > 0.0)),
            places: None,
            with_first: false,
        };
        let title = format!("Error on held-out games, {}", subject.unit);
        let mut all = vec![measure("all", title, Box::new(|past| Some(past.error)))];
        all.extend(subject.stages.iter().enumerate().map(|(stage, (name, what, _))| {
            let value = Box::new(move |past: &EvaluationRow| past.errors.get(stage).copied());
            Measure { with_first: true, ..measure(name, format!("Error, {what}"), value) }
        }));
        let title = format!("Error of depth 4 against depth 8, {}", subject.shallow_unit);
        all.push(measure("shallow", title, Box::new(|past| Some(past.shallow_error))));
        let widths = (9, 6);
        let counts = |last: &EvaluationRow| {
            vec![count_line("games", last.games, widths), count_line("positions", last.positions, widths)]
        };
        Measures {
            all,
            ended: view.past.len(),
            last: view.last(),
            widths,
            is_thinned: false,
            is_marked: true,
            foot: view.past.last().map(counts).unwrap_or_default(),
        }
    }

    /// Returns the number of measures of a run.
    pub fn count(snapshot: &Snapshot) -> usize {
        match snapshot {
            Snapshot::Network(_) => NETWORK.len(),
            // All positions, those of each stage, and shallow searches.
            Snapshot::Evaluation(view) => view.settings.subject.stages.len() + 2,
        }
    }

    /// Returns the newest generation.
    fn newest(&self) -> usize {
        self.ended.saturating_sub(1)
    }

    /// Returns the generations to draw between two, about `most` of them: the multiples of a step, so that the selection is stable while
    /// the run continues, and the newest.
    fn between(&self, (from, to): (u64, u64), most: usize) -> Vec<usize> {
        if !self.is_thinned {
            return (0..self.ended).collect();
        }
        let seen: Vec<usize> = (0..self.ended).filter(|at| (from..=to).contains(&(*at as u64))).collect();
        let step = seen.len().div_ceil(most.max(1)).next_power_of_two();
        let newest = seen.last().copied();
        seen.into_iter().filter(|at| at % step == 0 || Some(*at) == newest).collect()
    }

    /// Draws the curve of a measure.
    pub fn draw_chart(&self, index: usize, lens: &mut Lens, mut canvas: Canvas<'_>) {
        let look = canvas.look;
        let ends = (self.newest() as u64, self.last);
        let generations = self.between(lens.range(ends.0, ends.1), usize::from(canvas.area.width) * 2);
        let measure = &self.all[index.min(self.all.len() - 1)];
        if !self.is_thinned && self.ended == 0 {
            return canvas.panel(&*measure.title).explain("No generation is complete yet");
        }
        let label = if measure.with_first { &*measure.name } else { "" };
        let mut series = vec![Series::new(label, Role::Curve1, Pattern::Solid, measure.points(&generations))];
        if measure.with_first {
            let first = &self.all[0];
            series.push(Series::new(&*first.name, Role::Curve2, Pattern::Dashed, first.points(&generations)));
        }
        let read = |at: usize| (at < self.ended).then(|| format!("generation {at}: {}", measure.text(at, look)));
        let is_percent = measure.name.ends_with('%');
        Chart { is_percent, ..lens.chart(ends, series) }.through(lens, (&*measure.title, read), canvas);
    }

    /// Draws the charts of all measures in two columns if they fit, else that of the selected one.
    pub fn draw_charts(&self, list: &mut RowList, lens: &mut Lens, mut canvas: Canvas<'_>) {
        let area = canvas.area;
        let rows = self.all.len().div_ceil(2) as u16;
        if area.width < 64 || area.height < 8 * rows {
            return self.draw_chart(list.selected(), lens, canvas);
        }
        let edge = |whole: u16, part: u16, parts: u16| (u32::from(whole) * u32::from(part) / u32::from(parts)) as u16;
        let is_focused = canvas.focused;
        let place = |index: usize| {
            let [column, line] = [index as u16 % 2, index as u16 / 2];
            let [x, y] = [edge(area.width, column, 2), edge(area.height, line, rows)];
            let [width, height] = [edge(area.width, column + 1, 2) - x, edge(area.height, line + 1, rows) - y];
            Rect { x: area.x + x, y: area.y + y, width, height }
        };
        let mut places: Vec<Rect> = (0..self.all.len()).map(place).collect();
        adjoin(&mut places.iter_mut().collect::<Vec<_>>());
        for (index, place) in places.into_iter().enumerate() {
            canvas.focused = is_focused && index == list.selected().min(self.all.len() - 1);
            self.draw_chart(index, lens, canvas.at(place));
            list.drawn(place, index);
        }
    }

    /// Returns the head of the list, without those of the measures.
    pub fn head(&self, name: &str, value: &str) -> String {
        let (name_room, value_room) = self.widths;
        format!(" {name:<name_room$}{value:>value_room$} course")
    }

    /// Draws the list: the newest values with their histories, and the lines below.
    pub fn draw_list(&self, list: &mut RowList, mut canvas: Canvas<'_>) {
        let Canvas { area, focused, look, .. } = canvas;
        let (name, value) = self.widths;
        let room = area.width.saturating_sub((name + value + 3) as u16);
        let generations = self.between((0, self.newest() as u64), 4 * usize::from(room));
        let shown = list.window(area.height);
        scrollbar(area, &shown, self.all.len(), canvas.buf, look);
        for (line, index) in (0..).zip(shown) {
            let measure = &self.all[index];
            let place = row(area, line);
            let is_selected = index == list.selected();
            let is_chosen = is_selected && focused;
            if is_chosen {
                look.cursor_place.set(place);
            }
            let mark = if is_chosen || (is_selected && self.is_marked) { look.glyphs.pointer } else { " " };
            let role = |role| if is_chosen { Role::Selection } else { role };
            let values: Vec<f64> = generations.iter().filter_map(|at| (measure.value)(*at)).collect();
            let spans = vec![
                look.span(role(Role::Dim), format!("{mark}{:<name$}", measure.name)),
                look.span(role(Role::Text), format!("{:>value$}", measure.text(self.newest(), look))),
                look.span(Role::Curve1, format!(" {}", scaled_sparkline(&values, summary::number, room, look))),
            ];
            canvas.put(line, Line::from(spans));
            list.drawn(place, index);
        }
        let len = self.all.len() as u16;
        // A blank line before the foot, where there is one to spare.
        let from = len + u16::from(area.height > len + 2);
        for (line, text) in (from..).zip(&self.foot) {
            canvas.put(line, look.span(Role::Dim, text.clone()));
        }
    }
}

impl Measure<'_> {
    fn text(&self, at: usize, look: &Look) -> String {
        match ((self.value)(at), self.places) {
            (None, _) => "-".to_owned(),
            (Some(value), Some(places)) => look.with_minus(&format!("{value:.places$}")),
            (Some(value), None) if value < 1.0 => format!("{value:.3}"),
            (Some(value), None) => format!("{value:.2}"),
        }
    }

    fn points(&self, generations: &[usize]) -> Vec<(f64, f64)> {
        generations.iter().filter_map(|at| Some((*at as f64, (self.value)(*at)?))).collect()
    }
}

/// Returns a line below the list.
fn count_line(what: &str, count: u64, (name, value): (usize, usize)) -> String {
    format!(" {what:<name$}{:>value$}", short_count(count))
}
