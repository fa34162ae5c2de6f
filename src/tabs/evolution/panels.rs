//! The panels of a run: fitness over the generations, the best program, the population, and what tells how the run is doing.
//! Figures 6 to 9 of the paper are these curves on its two presets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{self, Line};

use super::Picture;
use super::population::{self, number};
use crate::evolve::gp::{GenerationRow, Operator};
use crate::evolve::kalah::reached::reached;
use crate::theme::Role;
use crate::ui::chart::lens::Span;
use crate::ui::chart::{Band, Chart, Pattern, Series, sparkline};
use crate::ui::table::SortedTable;
use crate::ui::{Look, clip, panel, put, row, width, wrap};

/// What stands beside the population where there is no room for everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Details {
    #[default]
    Signs,
    Log,
    Lineage,
    Histograms,
    Times,
    Tree,
}

const DETAILS: [Details; 6] =
    [Details::Signs, Details::Tree, Details::Log, Details::Lineage, Details::Histograms, Details::Times];

/// What the panels remember.
pub struct Panels {
    pub population: SortedTable,
    details: Details,
    tree: ProgramTree,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels { population: population::table(), details: Details::default(), tree: ProgramTree::default() }
    }
}

/// The best program node by node, and whether its games ever reach each.
#[derive(Default)]
struct ProgramTree {
    /// The program's hash.
    of: Option<u64>,
    lines: Vec<String>,
    reached: Option<Vec<bool>>,
}

impl ProgramTree {
    /// No line is indented further, in levels.
    const DEEPEST: usize = 24;

    fn follow(&mut self, picture: &Picture) {
        let best = picture.best.as_ref().map(|best| &best.individual);
        if self.of == best.map(|best| best.hash) {
            return;
        }
        self.of = best.map(|best| best.hash);
        self.lines = best
            .map_or(Vec::new(), |best| best.program.to_indented(Self::DEEPEST).lines().map(str::to_owned).collect());
        self.reached = best.and_then(|best| reached(&best.program, &picture.settings));
    }

    fn lines(&self, look: &Look) -> Vec<Line<'static>> {
        let is_reached = |at: usize| self.reached.as_ref().is_none_or(|reached| reached.get(at) == Some(&true));
        let line = |(at, text): (usize, &String)| {
            let role = if is_reached(at) { Role::Text } else { Role::Dim };
            // Without colour the brackets tell.
            let text = if is_reached(at) { format!(" {text}") } else { format!(" {text} (not reached)") };
            Line::from(look.span(role, text))
        };
        self.lines.iter().enumerate().map(line).collect()
    }
}

impl Panels {
    pub fn next_details(&mut self) {
        let at = DETAILS.iter().position(|&details| details == self.details).unwrap_or(0);
        self.details = DETAILS[(at + 1) % DETAILS.len()];
    }

    pub fn draw(&mut self, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.width < 60 || area.height < 14 {
            return small(picture, area, buf, look);
        }
        self.tree.follow(picture);
        let area = if area.width < 160 { area } else { self.draw_tree(area, buf, look) };
        let right = (area.width * 2 / 5).clamp(27, 64);
        let left = area.width - right;
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        if area.width < 110 || area.height < 34 {
            let upper = area.height * 10 / 21;
            fitness(picture, at(0, 0, left, upper), buf, look);
            best(picture, at(left, 0, right, upper), buf, look);
            population::draw(&mut self.population, picture, at(0, upper, left, area.height - upper), buf, look);
            let place = at(left, upper, right, area.height - upper);
            if self.details == Details::Tree {
                tree(&self.tree, place, buf, look);
            } else {
                details(self.details, picture, place, buf, look);
            }
            return;
        }
        // Room for more: the sizes under the fitness; signs and times always, of the rest as many as fit, one of them chosen.
        let (upper, middle) = (area.height * 2 / 5, area.height / 4);
        fitness(picture, at(0, 0, left, upper), buf, look);
        sizes(picture, at(0, upper, left, middle), buf, look);
        population::draw(
            &mut self.population,
            picture,
            at(0, upper + middle, left, area.height - upper - middle),
            buf,
            look,
        );
        let best_height = (area.height / 4).max(9);
        best(picture, at(left, 0, right, best_height), buf, look);
        details(Details::Signs, picture, at(left, best_height, right, 9), buf, look);
        details(Details::Times, picture, at(left, best_height + 9, right, 5), buf, look);
        let mut y = best_height + 14;
        if self.details == Details::Tree {
            return tree(&self.tree, at(left, y, right, area.height - y), buf, look);
        }
        let rest = [Details::Histograms, Details::Log, Details::Lineage];
        let chosen = rest.iter().position(|&which| which == self.details).unwrap_or(0);
        let fitting = usize::from((area.height - y) / 12).clamp(1, rest.len());
        for index in 0..fitting {
            let height = (area.height - y) / (fitting - index) as u16;
            details(rest[(chosen + index) % rest.len()], picture, at(left, y, right, height), buf, look);
            y += height;
        }
    }
}

impl Panels {
    /// The program as a tree in a column of its own; gives what is left of `area`.
    fn draw_tree(&self, area: Rect, buf: &mut Buffer, look: &Look) -> Rect {
        let width = (area.width / 4).min(60);
        let left = Rect { width: area.width - width, ..area };
        tree(&self.tree, Rect { x: left.right(), width, ..area }, buf, look);
        left
    }
}

fn tree(tree: &ProgramTree, area: Rect, buf: &mut Buffer, look: &Look) {
    let inner = panel(area, Line::from(look.span(Role::Title, "Best program as a tree")), false, buf, look);
    for (index, line) in tree.lines(look).into_iter().take(usize::from(inner.height)).enumerate() {
        put(line, row(inner, index as u16), buf);
    }
}

/// Three lines for a screen without room for panels.
fn small(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let mut lines: Vec<Line> = best_lines(picture, area.width, look);
    lines.truncate(usize::from(area.height / 2));
    let count = lines.len() as u16;
    for (index, line) in lines.into_iter().enumerate() {
        put(line, row(area, index as u16), buf);
    }
    let rest = Rect { y: area.y + count, height: area.height.saturating_sub(count), ..area };
    curve_chart(picture, rest.width).draw(rest, buf, look);
}

fn points(rows: &[GenerationRow], of: impl Fn(&GenerationRow) -> f64) -> Vec<(f64, f64)> {
    rows.iter().map(|row| (row.generation as f64, of(row))).collect()
}

fn x_axis(picture: &Picture) -> (f64, f64) {
    let newest = picture.history.last().map_or(0, |row| row.generation);
    let (from, to) = Span::SoFar.range(newest, picture.of);
    (from as f64, to as f64)
}

fn curve_chart(picture: &Picture, cells: u16) -> Chart {
    let rows = picture.history.spread(usize::from(cells) * 2);
    let band = rows.iter().map(|row| (row.generation as f64, row.lower_quartile, row.upper_quartile)).collect();
    Chart {
        x: x_axis(picture),
        series: vec![
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean)),
            Series::new("best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best)),
        ],
        band: Some(Band { label: "middle half".to_owned(), points: band }),
        ..Chart::default()
    }
}

fn fitness(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let title = Line::from(look.span(Role::Title, "Fitness"));
    curve_chart(picture, area.width).framed(title, Line::default(), false, area, buf, look);
}

fn sizes(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let rows = picture.history.spread(usize::from(area.width) * 2);
    let series = vec![
        Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean_nodes)),
        Series::new("of the best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best_nodes.into())),
    ];
    let chart = Chart { x: x_axis(picture), y: Some((0.0, 1.0)), series, ..Chart::default() };
    let title = Line::from(look.span(Role::Title, "Size in nodes"));
    chart.framed(title, Line::default(), false, area, buf, look);
}

fn best(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let inner = panel(area, Line::from(look.span(Role::Title, "Best program")), false, buf, look);
    for (index, line) in best_lines(picture, inner.width, look).into_iter().take(usize::from(inner.height)).enumerate()
    {
        put(line, row(inner, index as u16), buf);
    }
}

/// Scores, size and origin, then the program without what never matters.
fn best_lines(picture: &Picture, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let text = |role, text: String| Line::from(look.span(role, format!(" {text}")));
    let Some(best) = &picture.best else {
        let known = picture.best_text.as_deref().unwrap_or("none yet");
        let lines = known.lines().map(|line| line.trim_start_matches(['#', ' ']));
        return lines.flat_map(|line| wrap(line, cells.saturating_sub(2))).map(|line| text(Role::Text, line)).collect();
    };
    let one = &best.individual;
    let [first, second] = one.outcome.scores;
    let score = |stones: f64, when: &str| {
        Line::from(vec![
            look.span(Role::Accent, format!(" {:>4}", number(stones))),
            look.span(Role::Dim, format!(" stones moving {when}")),
        ])
    };
    let mut lines = vec![
        score(first, "first"),
        score(second, "second"),
        text(Role::Text, format!("{} nodes, depth {}", one.nodes(), one.depth)),
        text(Role::Text, one.birth().operator.in_generation(best.found)),
        text(Role::Dim, format!("what matters, {} nodes:", best.simplified.size())),
    ];
    let program = best.simplified.to_sexpr();
    lines.extend(wrap(&program, cells.saturating_sub(2)).into_iter().map(|line| text(Role::Text, line)));
    lines
}

fn details(which: Details, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let title = match which {
        Details::Signs | Details::Tree => "Signs",
        Details::Log => "Improvements",
        Details::Lineage => "Lineage of the best",
        Details::Histograms => "Spread",
        Details::Times => "Time",
    };
    let inner = panel(area, Line::from(look.span(Role::Title, title)), false, buf, look);
    let lines = match which {
        Details::Signs | Details::Tree => signs(picture, inner.width, look),
        Details::Log => log(picture, look),
        Details::Lineage => lineage(picture, look),
        Details::Histograms => histograms(picture, inner.width, look),
        Details::Times => times(picture, inner.width, look),
    };
    for (index, line) in lines.into_iter().take(usize::from(inner.height)).enumerate() {
        put(line, row(inner, index as u16), buf);
    }
}

/// A label, a number, and the number's history.
fn sign(label: &str, value: String, history: &[f64], cells: u16, look: &Look) -> Line<'static> {
    let room = cells.saturating_sub(22);
    Line::from(vec![
        look.span(Role::Dim, format!(" {:<11}", clip(label, 11, look))),
        look.span(Role::Text, format!("{value:>7}  ")),
        look.span(Role::Curve2, sparkline(history, room, look)),
    ])
}

fn signs(picture: &Picture, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let rows = picture.history.spread(400);
    let Some(last) = rows.last() else { return Vec::new() };
    let of = |value: fn(&GenerationRow) -> f64| rows.iter().map(value).collect::<Vec<f64>>();
    let mut lines = vec![
        sign("unique", last.unique_programs.to_string(), &of(|row| row.unique_programs.into()), cells, look),
        sign("behaviours", last.unique_behaviours.to_string(), &of(|row| row.unique_behaviours.into()), cells, look),
        sign("mean size", number(last.mean_nodes), &of(|row| row.mean_nodes), cells, look),
        sign("largest", last.max_nodes.to_string(), &of(|row| row.max_nodes.into()), cells, look),
        sign("mean depth", number(last.mean_depth), &of(|row| row.mean_depth), cells, look),
        sign("deepest", last.max_depth.to_string(), &of(|row| row.max_depth.into()), cells, look),
    ];
    if let Some(view) = &picture.view {
        lines.push(sign("memo hits", format!("{:.2}%", 100.0 * view.memo.hit_rate()), &[], cells, look));
    }
    lines
}

/// The newest first.
fn log(picture: &Picture, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = &picture.view else { return Vec::new() };
    let line = |improvement: &crate::evolve::gp::Improvement| {
        let birth = &improvement.birth;
        Line::from(vec![
            look.span(Role::Dim, format!(" {:>5}  ", birth.generation)),
            look.span(Role::Text, format!("{:>6}  ", number(birth.fitness))),
            look.span(Role::Dim, origin(birth.operator, birth.parents)),
        ])
    };
    view.improvements.iter().rev().map(line).collect()
}

fn origin(operator: Operator, parents: [u32; 2]) -> String {
    match parents {
        [0, _] => operator.to_string(),
        [one, 0] => format!("{operator} of {one}"),
        [one, other] => format!("{operator} of {one}, {other}"),
    }
}

/// From the best back to its ancestors.
fn lineage(picture: &Picture, look: &Look) -> Vec<Line<'static>> {
    let Some(best) = &picture.best else { return Vec::new() };
    let line = |birth: &crate::evolve::gp::Birth| {
        Line::from(vec![
            look.span(Role::Dim, format!(" {:>5}  ", birth.generation)),
            look.span(Role::Text, format!("{:>6} {:>5}n ", number(birth.fitness), birth.nodes)),
            look.span(Role::Dim, origin(birth.operator, birth.parents)),
        ])
    };
    best.individual.lineage.iter().map(line).collect()
}

fn histograms(picture: &Picture, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = &picture.view else { return Vec::new() };
    let histograms = &view.histograms;
    let counts = |counts: &[u32]| counts.iter().map(|&count| f64::from(count)).collect::<Vec<f64>>();
    let [worst, best] = histograms.range.map(number);
    let bars = sparkline(&counts(&histograms.fitness), cells.saturating_sub(2), look);
    let ends = |left: &str, right: &str| {
        let gap = " ".repeat(usize::from(width(&bars).saturating_sub(width(left) + width(right))));
        Line::from(look.span(Role::Dim, format!(" {left}{gap}{right}")))
    };
    let mut lines = vec![
        Line::from(look.span(Role::Text, " fitness, worst to best")),
        Line::from(vec![text::Span::raw(" "), look.span(Role::Bar, bars.clone())]),
        ends(&worst, &best),
        Line::from(look.span(Role::Text, " nodes")),
    ];
    let most = histograms.sizes.iter().copied().max().unwrap_or(1).max(1);
    for (bin, &count) in histograms.sizes.iter().enumerate().filter(|(_, count)| **count > 0) {
        let bar = look.low_bar(f64::from(count) / f64::from(most), cells.saturating_sub(16).min(24));
        lines.push(Line::from(vec![
            look.span(Role::Dim, format!(" {:>6}+ ", 1_u64 << bin)),
            look.span(Role::Bar, bar),
            look.span(Role::Text, format!("{count:>5}")),
        ]));
    }
    lines
}

fn times(picture: &Picture, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let Some(view) = &picture.view else { return Vec::new() };
    let times = &view.times;
    let total = (times.breeding + times.evaluating).as_secs_f64().max(1e-9);
    let line = |label: &str, seconds: f64| {
        Line::from(vec![
            look.span(Role::Dim, format!(" {label:<11}")),
            look.span(Role::Text, format!("{seconds:>7.2} s ")),
            look.span(Role::Bar, look.low_bar(seconds / total, cells.saturating_sub(24).min(24))),
        ])
    };
    vec![
        line("evaluating", times.evaluating.as_secs_f64()),
        line("breeding", times.breeding.as_secs_f64()),
        Line::from(vec![
            look.span(Role::Dim, " evaluated  "),
            look.span(
                Role::Text,
                format!("{:>7} programs, {} at once", crate::ui::short_count(times.evaluations), view.threads),
            ),
        ]),
    ]
}
