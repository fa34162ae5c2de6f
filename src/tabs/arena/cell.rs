//! The selected cell: the results of its games, with their intervals.

use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::matrix::plain;
use crate::arena::{CellView, PlayedGame, Score, Verdict, View, unsigned_nought};
use crate::theme::Role;
use crate::ui::chart::{Band, Chart, Pattern, Series};
use crate::ui::{Canvas, Look, clip, interval, short_time};

/// Width in cells of a line's label.
const LABEL: usize = 10;

/// Minimum height in rows of the chart.
const CHART_LEAST: u16 = 7;

/// Draws the cell. `games` are those of the cell, `printed` is the published result in percent won.
pub fn draw(
    view: &View,
    (first, second): (usize, usize),
    (games, printed): (&[PlayedGame], Option<f64>),
    mut canvas: Canvas<'_>,
) {
    let look = canvas.look;
    let names = view.names();
    let name = |player: usize| names.get(player).map_or("", String::as_str);
    let title = format!("{} v {}", name(first), name(second));
    let title = clip(&title, canvas.area.width.saturating_sub(4), look);
    let mut inner = canvas.panel(title);
    let Some(cell) = view.cell(first, second) else {
        return inner.explain("These two do not play in this order");
    };
    let cells = inner.area.width;
    let lines = lines(view, cell, printed, cells, look);
    let used = lines.len() as u16 + 1;
    inner.lines(lines);
    let rest = inner.area.height.saturating_sub(used);
    if rest >= CHART_LEAST && games.len() > 1 {
        let height = rest.min(24);
        let games: Vec<&PlayedGame> = games.iter().filter(|kept| view.is_sampled(cell, kept.number)).collect();
        inner.put(used - 1, look.span(Role::Dim, " % won by games, with the 95 % interval"));
        let Canvas { area, buf, .. } = inner.below(used);
        game_state(&games, cells).draw(Rect { height, ..area }, buf, look);
    }
}

/// Returns the chart of the share of games won, with its narrowing interval.
fn game_state(games: &[&PlayedGame], cells: u16) -> Chart {
    let step = games.len().div_ceil(usize::from(cells.max(1)) * 2).max(1);
    let mut score = Score::default();
    let mut won = Vec::new();
    let mut interval = Vec::new();
    for (index, kept) in games.iter().enumerate() {
        score = score.plus(Score::from_outcome(kept.end.outcome));
        if (index + 1) % step == 0 || index + 1 == games.len() {
            let (x, (low, high)) = ((index + 1) as f64, score.won_interval());
            won.push((x, 100.0 * score.won()));
            interval.push((x, 100.0 * low, 100.0 * high));
        }
    }
    Chart {
        x: (0.0, games.len() as f64),
        is_percent: true,
        unit: "games",
        series: vec![Series::new("% won so far", Role::Curve1, Pattern::Solid, won)],
        band: Some(Band { label: "95 %".to_owned(), points: interval }),
        ..Chart::default()
    }
}

fn lines(view: &View, cell: &CellView, printed: Option<f64>, cells: u16, look: &Look) -> Vec<Line<'static>> {
    let CellView { score, sample, .. } = *cell;
    let Score { wins, draws, losses } = score;
    let labelled = |label: &str, role: Role, text: String| {
        Line::from(vec![look.span(Role::Dim, format!(" {label:<LABEL$}")), look.span(role, plain(&text, look))])
    };
    let mut lines = vec![labelled("games", Role::Text, format!("{} of {}", score.games(), cell.cell.games))];
    if score.games() == 0 {
        return lines;
    }
    lines.push(labelled("ended", Role::Text, format!("{wins} won, {draws} drawn, {losses} lost")));
    if sample.games() < score.games() {
        let text = format!("{} games, the others repeat them", sample.games());
        lines.push(labelled("distinct", Role::Warning, text));
    }
    let percent = |share: f64, (low, high): (f64, f64)| {
        format!("{:.1} %   95 %: {:.1} to {:.1}", 100.0 * share, 100.0 * low, 100.0 * high)
    };
    lines.push(labelled("won", Role::Accent, percent(sample.won(), sample.won_interval())));
    let share = sample.won();
    let ends = sample.won_interval();
    let mut scale = interval(share, ends, (0.0, 1.0), cells.saturating_sub(LABEL as u16 + 3).min(50), look);
    scale.spans.insert(0, look.span(Role::Dim, format!(" {:<LABEL$}", "")));
    lines.push(scale);
    if let Some(published) = printed {
        let inside = (100.0 * ends.0 - 1e-6..=100.0 * ends.1 + 1e-6).contains(&published);
        let (role, word) = if inside { (Role::Good, "inside") } else { (Role::Warning, "outside") };
        lines.push(labelled("published", role, format!("{published:.1} %   {word}")));
    }
    lines.push(labelled("points", Role::Text, percent(sample.share(), sample.interval())));
    let margin = |mean| labelled("margin", Role::Text, format!("{} on average", look_margin(mean, look)));
    lines.extend(view.mean_margin(cell).map(margin));
    lines.push(labelled("a move", Role::Text, times(cell)));
    if let Some(verdict) = cell.verdict {
        lines.push(labelled("stopped", Role::Good, look.with_minus(&stopped(view, cell, verdict))));
    }
    lines
}

fn look_margin(margin: f64, look: &Look) -> String {
    look.with_minus(&format!("{:+.2}", unsigned_nought(margin, 2)))
}

/// Returns the mean time per move of both players.
fn times(cell: &CellView) -> String {
    let mean = |seat: usize| match cell.turns[seat] {
        0 => format!("{:>8}", "-"),
        // At maximum width, so that the line does not move.
        turns => {
            let mean = Duration::try_from_secs_f64(cell.time[seat].as_secs_f64() / turns as f64);
            format!("{:>8}", short_time(mean.unwrap_or(Duration::MAX)))
        }
    };
    format!("{} against {}", mean(0), mean(1))
}

/// Returns the decision of the sequential test.
fn stopped(view: &View, cell: &CellView, verdict: Verdict) -> String {
    let Some(stop) = view.settings.stop else { return String::new() };
    let a = cell.cell.first.min(cell.cell.second) + 1;
    let b = cell.cell.first.max(cell.cell.second) + 1;
    match verdict {
        Verdict::Lower => format!("{a} is at most {:+} Elo ahead of {b}", stop.lower),
        Verdict::Upper => format!("{a} is at least {:+} Elo ahead of {b}", stop.upper),
    }
}
