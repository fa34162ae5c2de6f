//! Details of a run: diversity, improvements, lineage of the selected program, distributions of fitness and size,
//! success of the operators, islands, the hall of fame, and time.

use ratatui::layout::Size;
use ratatui::text::{Line, Span};

use super::ViewModel;
use super::panels::number;
use crate::evolve::gp::{GenerationRow, Histograms, Improvement, Lineage, Operator, OperatorSuccess, Selectable};
use crate::theme::Role;
use crate::ui::chart::{Curve, scaled_sparkline};
use crate::ui::{Look, clip, width};

/// The panel beside the population on screens that do not fit all panels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Details {
    #[default]
    Diversity,
    Improvements,
    Lineage,
    Spread,
    Operators,
    Islands,
    Hall,
    /// Only of a run with a panel.
    Strength,
    Analysis,
    Times,
}

impl Details {
    const ALL: [Details; 10] = [
        Details::Diversity,
        Details::Improvements,
        Details::Lineage,
        Details::Spread,
        Details::Operators,
        Details::Islands,
        Details::Hall,
        Details::Strength,
        Details::Analysis,
        Details::Times,
    ];

    /// Returns the next details of a run, with a panel or not.
    #[must_use]
    pub fn next(self, has_panel: bool) -> Details {
        let at = Details::ALL.iter().position(|&details| details == self).unwrap_or(0);
        let after = Details::ALL.iter().cycle().skip(at + 1).copied();
        after.take(Details::ALL.len()).find(|next| has_panel || *next != Details::Strength).unwrap_or_default()
    }

    pub fn title(self) -> &'static str {
        match self {
            Details::Diversity => "Diversity",
            Details::Improvements => "Improvements",
            Details::Lineage => "Lineage",
            Details::Spread => "Spread",
            Details::Operators => "Operators",
            Details::Islands => "Islands",
            Details::Hall => "Hall of fame",
            Details::Strength => "Strength",
            Details::Analysis => "Analysis",
            Details::Times => "Time",
        }
    }

    /// Returns the lines of a panel of this size, beside the chart of sizes or not; `rank` is the selected program's, from 0.
    pub fn lines(
        self,
        view_model: &ViewModel,
        rank: usize,
        size: Size,
        is_beside_sizes: bool,
        look: &Look,
    ) -> Vec<Line<'static>> {
        let cells = size.width;
        match self {
            Details::Diversity => diversity(view_model, cells, is_beside_sizes, look),
            Details::Improvements => improvements(view_model, look),
            Details::Lineage => lineage(view_model, rank, look),
            Details::Spread => view_model.run_status().map_or(Vec::new(), |view| spread(&view.histograms, size, look)),
            Details::Operators => operators(view_model, cells, look),
            Details::Islands => islands(view_model, cells, look),
            Details::Hall => hall(view_model, look),
            // They have state of their own: see [`Panels`](super::panels::Panels).
            Details::Strength | Details::Analysis => Vec::new(),
            Details::Times => times(view_model, cells, look),
        }
    }
}

/// Returns a line with a label, a number, and the number's history.
fn figure(label: &str, value: String, history: &[f64], cells: u16, look: &Look) -> Line<'static> {
    let room = cells.saturating_sub(22);
    Line::from(vec![
        look.span(Role::Dim, format!(" {:<11}", clip(label, 11, look))),
        look.span(Role::Text, format!("{value:>7}  ")),
        look.span(Role::Curve2, scaled_sparkline(history, number, room, look)),
    ])
}

/// The figures of the diversity, with their values in a generation.
const DIVERSITY: [Curve<GenerationRow>; 6] = [
    ("unique", |row| row.unique_programs.into()),
    ("behaviours", |row| row.unique_behaviours.into()),
    (MEAN_SIZE, |row| row.mean_nodes),
    ("largest", |row| row.max_nodes.into()),
    ("mean depth", |row| row.mean_depth),
    ("deepest", |row| row.max_depth.into()),
];

/// The figure whose curve is in the chart of sizes.
const MEAN_SIZE: &str = "mean size";

/// Returns the figures of the diversity with their curves, but not again that of the mean size beside the chart of sizes.
fn diversity(view_model: &ViewModel, cells: u16, is_beside_sizes: bool, look: &Look) -> Vec<Line<'static>> {
    let rows = view_model.history.spread(400);
    let Some(last) = rows.last() else { return Vec::new() };
    let line = |(label, value): Curve<GenerationRow>| {
        let is_drawn = !(is_beside_sizes && label == MEAN_SIZE);
        let history: Vec<f64> = rows.iter().filter(|_| is_drawn).map(value).collect();
        figure(label, number(value(last)), &history, cells, look)
    };
    let mut lines: Vec<Line> = DIVERSITY.into_iter().map(line).collect();
    // Not every problem has a memo table.
    if let Some(view) = view_model.run_status().filter(|view| view.memo_hits > 0.0) {
        lines.push(figure("memo hits", format!("{:.2}%", 100.0 * view.memo_hits), &[], cells, look));
    }
    lines
}

/// Returns the improvements of the best fitness, the newest first, each with what it changed in its first parent.
fn improvements(view_model: &ViewModel, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = view_model.run_status() else { return Vec::new() };
    let lines = |Improvement { birth, change, .. }: &Improvement| {
        let origin = origin(birth.operator, birth.parents);
        let line = fact(format!(" {:>5}  ", birth.generation), format!("{:>6}  ", number(birth.fitness)), origin, look);
        let change = (!change.is_empty()).then(|| Line::from(look.span(Role::Dim, format!("        {change}"))));
        std::iter::once(line).chain(change)
    };
    view.improvements.iter().rev().flat_map(lines).collect()
}

/// Returns a line of a fact between two dim texts.
fn fact(before: String, text: String, behind: String, look: &Look) -> Line<'static> {
    Line::from(vec![look.span(Role::Dim, before), look.span(Role::Text, text), look.span(Role::Dim, behind)])
}

fn origin(operator: Operator, parents: [u32; 2]) -> String {
    match parents {
        [0, _] => operator.to_string(),
        [one, 0] => format!("{operator} of {one}"),
        [one, other] => format!("{operator} of {one}, {other}"),
    }
}

/// Returns the lineage of the selected program, back to its ancestors.
fn lineage(view_model: &ViewModel, rank: usize, look: &Look) -> Vec<Line<'static>> {
    let Some(selected) = view_model.selected(rank) else { return Vec::new() };
    let line = |birth: &Lineage| {
        let program = format!("{:>6} {:>5}n ", number(birth.fitness), birth.nodes);
        fact(format!(" {:>5}  ", birth.generation), program, origin(birth.operator, birth.parents), look)
    };
    selected.lineage.iter().map(line).collect()
}

/// Returns the distributions of fitness and size in the generation; nothing before the first. Empty bins are visible as such.
fn spread(histograms: &Histograms, size: Size, look: &Look) -> Vec<Line<'static>> {
    if histograms.fitness.is_empty() {
        return Vec::new();
    }
    let cells = size.width;
    let [worst, best] = histograms.range.map(number);
    let bars = levels(&histograms.fitness, cells.saturating_sub(2), look);
    let ends = |left: &str, right: &str| {
        let gap = " ".repeat(usize::from(width(&bars).saturating_sub(width(left) + width(right))));
        Line::from(look.span(Role::Dim, format!(" {left}{gap}{right}")))
    };
    let mut lines = vec![
        Line::from(look.span(Role::Text, " fitness, worst to best")),
        Line::from(vec![Span::raw(" "), look.span(Role::Bar, bars.clone())]),
        ends(&worst, &best),
        Line::from(look.span(Role::Text, " nodes")),
    ];
    let bins = size_bins(&histograms.sizes, usize::from(size.height).saturating_sub(lines.len()));
    let most = bins.iter().map(|bin| bin.2).max().unwrap_or(1).max(1);
    for (from, to, count) in bins {
        let bar = look.low_bar(f64::from(count) / f64::from(most), cells.saturating_sub(20).min(40));
        let sizes = if from == to { from.to_string() } else { format!("{from} to {to}") };
        lines.push(Line::from(vec![
            look.span(Role::Dim, format!(" {sizes:>12} ")),
            look.span(Role::Bar, bar),
            look.span(if count > 0 { Role::Text } else { Role::Empty }, format!("{count:>5}")),
        ]));
    }
    lines
}

/// Returns at most `rows` bins that cover all sizes: the smallest and largest size of each, and its count. Doublings are joined
/// where there are more of them than rows.
fn size_bins(doublings: &[u32], rows: usize) -> Vec<(u64, u64, u32)> {
    let first = doublings.iter().position(|count| *count > 0).unwrap_or(0);
    let used = &doublings[first..];
    let each = used.len().div_ceil(rows.max(1)).max(1);
    let bin = |(number, counts): (usize, &[u32])| {
        let from = first + number * each;
        (1 << from, (1 << (from + counts.len())) - 1, counts.iter().sum())
    };
    used.chunks(each).enumerate().map(bin).collect()
}

/// Returns counts as bars over the available width; empty bins are blank, and all others are not.
fn levels(counts: &[u32], cells: u16, look: &Look) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let each = (usize::from(cells) / counts.len().max(1)).clamp(1, 3);
    let level = |count: u32| match count {
        0 => " ",
        // The highest level is not used: it fills its cell and would touch the line above.
        _ => look.glyphs.spark[(f64::from(count) / f64::from(most) * 6.0).round() as usize],
    };
    counts.iter().map(|&count| level(count).repeat(each)).collect::<String>()
}

/// Returns how many programs each operator bred, and the share that is fitter than the first parent; on wide panels also over the
/// run.
fn operators(view_model: &ViewModel, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = view_model.view.as_deref() else { return Vec::new() };
    let numbers = if cells < WIDE { OPERATOR_NUMBERS } else { 2 * OPERATOR_NUMBERS };
    let label = cells.saturating_sub(numbers).clamp(4, 18);
    let line = |role, name: &str, [bred, better]: [&str; 2], [all, all_better]: [&str; 2]| {
        let name = clip(name, label, look);
        let mut spans = vec![
            look.span(Role::Dim, format!(" {name:<0$}", usize::from(label))),
            look.span(role, format!("{bred:>8}{better:>8}")),
        ];
        spans.extend((cells >= WIDE).then(|| look.span(Role::Dim, format!("{all:>9}{all_better:>8}"))));
        Line::from(spans)
    };
    let texts = |success: &OperatorSuccess| {
        let better = success.rate().map_or(String::new(), |rate| format!("{:.1} %", 100.0 * rate));
        [crate::ui::short_count(success.bred), better]
    };
    let newest = &view.run_status().histograms.operators;
    let row = |whole: &OperatorSuccess| {
        let newest = newest.iter().find(|success| success.operator == whole.operator);
        let [bred, better] = newest.map_or([String::new(), String::new()], texts);
        let [all, all_better] = texts(whole);
        line(Role::Text, &whole.operator.to_string(), [&bred, &better], [&all, &all_better])
    };
    let head = line(Role::Dim, "operator", ["bred", "better"], ["in all", "better"]);
    let (_, whole) = view.operators();
    std::iter::once(head).chain(if whole.is_empty() { newest } else { whole }.iter().map(row)).collect()
}

/// The cells of a line of [`operators`] that are not the name, and the least width for the columns over the run.
const OPERATOR_NUMBERS: u16 = 17;
const WIDE: u16 = 44;

/// Returns the best fitness of each island: of the newest generation, and over the generations.
fn islands(view_model: &ViewModel, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = view_model.view.as_deref() else { return Vec::new() };
    let ranks = view.islands();
    if ranks.len() < 2 {
        return vec![Line::from(look.span(Role::Dim, " one island; `islands` sets more"))];
    }
    let points = &view.island_curves().points;
    let line = |(island, rank): (usize, &usize)| {
        let history: Vec<f64> = points.iter().map(|(_, values)| values[island]).collect();
        let best = view.ranked(*rank).map_or(String::new(), |one| number(one.outcome.fitness));
        Line::from(vec![
            look.span(Role::Dim, format!(" {:>3} ", island + 1)),
            look.span(Role::Text, format!("{best:>8}")),
            look.span(Role::Dim, format!("  rank {:<5} ", rank + 1)),
            look.span(Role::Curve2, scaled_sparkline(&history, number, cells.saturating_sub(27), look)),
        ])
    };
    ranks.iter().enumerate().map(line).collect()
}

/// Returns the fittest programs of all generations, with the generation each was found in.
fn hall(view_model: &ViewModel, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = view_model.view.as_deref() else { return Vec::new() };
    let line = |(place, (found, one)): (usize, (u64, &Selectable))| {
        let behind = format!(" {:>5}n  found in {found}", one.nodes);
        fact(format!(" {:>2} ", place + 1), format!("{:>6}", number(one.outcome.fitness)), behind, look)
    };
    view.hall().into_iter().enumerate().map(line).collect()
}

fn times(view_model: &ViewModel, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = view_model.run_status() else { return Vec::new() };
    let times = &view.times;
    let total = (times.breeding + times.evaluating).as_secs_f64().max(1e-9);
    let line = |label: &str, seconds: f64| {
        Line::from(vec![
            look.span(Role::Dim, format!(" {label:<11}")),
            look.span(Role::Text, format!("{seconds:>7.2} s ")),
            look.span(Role::Bar, look.low_bar(seconds / total, cells.saturating_sub(24).min(24))),
        ])
    };
    let programs = format!("{:>7} programs", crate::ui::short_count(times.evaluations));
    let threads = on_threads(view.threads);
    let fits = 12 + programs.len() + threads.len() <= usize::from(cells);
    vec![
        line("evaluating", times.evaluating.as_secs_f64()),
        line("breeding", times.breeding.as_secs_f64()),
        Line::from(vec![
            look.span(Role::Dim, " evaluated  "),
            look.span(Role::Text, if fits { programs + &threads } else { programs }),
        ]),
    ]
}

/// Returns the number of threads, if known; it is unknown for runs of another process.
fn on_threads(threads: usize) -> String {
    match threads {
        0 => String::new(),
        1 => ", 1 thread".to_owned(),
        _ => format!(", {threads} threads"),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Size;

    use super::{size_bins, spread};
    use crate::app::stage::look;
    use crate::evolve::gp::Histograms;

    #[test]
    fn nothing_is_spread_before_the_first_generation() {
        assert!(spread(&Histograms::default(), Size::new(40, 12), &look()).is_empty());
        let one = Histograms { fitness: vec![0, 3], sizes: vec![3], range: [1.0, 1.0], ..Histograms::default() };
        assert!(!spread(&one, Size::new(40, 12), &look()).is_empty());
    }

    #[test]
    fn bins_of_sizes_fit_the_panel_and_cover_all_programs() {
        let doublings = [0, 0, 3, 5, 0, 7, 11, 2, 0, 1, 400];
        assert_eq!(size_bins(&doublings, 9)[..2], [(4, 7, 3), (8, 15, 5)]);
        for rows in 1..12 {
            let bins = size_bins(&doublings, rows);
            assert!(bins.len() <= rows);
            assert_eq!(bins.iter().map(|bin| bin.2).sum::<u32>(), 429);
            assert_eq!((bins[0].0, bins.last().unwrap().1), (4, 2047));
            assert!(bins.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
        }
        assert!(size_bins(&[], 3).is_empty());
    }
}
