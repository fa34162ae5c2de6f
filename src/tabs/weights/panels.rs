//! The panels of a run: fitness over the generations, the weights of the best beside those of the published runs, the standings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Picture;
use super::standings;
use crate::evolve::ga::Past;
use crate::player::heuristic::terms::{TERMS, Term};
use crate::player::heuristic::weights::TABLE3;
use crate::theme::Role;
use crate::ui::chart::lens;
use crate::ui::chart::{Chart, Pattern, Series, sparkline};
use crate::ui::table::SortedTable;
use crate::ui::{Look, clip, interval, panel, put, row, width};

/// What the panels remember.
pub struct Panels {
    pub standings: SortedTable,
}

impl Default for Panels {
    fn default() -> Panels {
        Panels { standings: standings::table() }
    }
}

impl Panels {
    pub fn draw(&mut self, picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
        let progress = u16::from(progress(picture, row(area, 0), buf, look));
        let area = Rect { y: area.y + progress, height: area.height - progress, ..area };
        if area.width < 60 || area.height < 16 {
            chart(picture, area.width).draw(area, buf, look);
            return;
        }
        let left = (area.width * 45 / 100).max(30);
        let upper = (area.height / 2).clamp(12, 24);
        let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
        fitness(picture, at(0, 0, left, upper), buf, look);
        weights(picture, at(left, 0, area.width - left, upper), buf, look);
        standings::draw(&mut self.standings, picture, at(0, upper, area.width, area.height - upper), buf, look);
    }
}

/// How far the generation's tournament is; false if none is being played.
fn progress(picture: &Picture, place: Rect, buf: &mut Buffer, look: &Look) -> bool {
    let Some(view) = picture.view.as_ref().filter(|view| !view.finished && view.standing.of > 0) else { return false };
    let standing = &view.standing;
    let share = standing.pairings as f64 / standing.of as f64;
    let text = format!(" generation {}: pairing {} of {}  ", view.generation, standing.pairings, standing.of);
    let room = place.width.saturating_sub(text.len() as u16 + 2);
    put(Line::from(vec![look.span(Role::Dim, text), look.span(Role::Gauge, look.bar(share, room))]), place, buf);
    true
}

fn points(past: &[&Past], of: impl Fn(&Past) -> f64) -> Vec<(f64, f64)> {
    past.iter().map(|past| (past.generation as f64, of(past))).collect()
}

fn chart(picture: &Picture, cells: u16) -> Chart {
    let step = picture.past.len().div_ceil(usize::from(cells.max(1)) * 2).max(1);
    let last = picture.past.len().saturating_sub(1);
    let past: Vec<&Past> =
        picture.past.iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last).map(|(_, past)| past).collect();
    let newest = picture.past.last().map_or(0, |past| past.generation);
    let (from, to) = lens::Span::SoFar.range(newest, picture.of);
    Chart {
        x: (from as f64, to as f64),
        series: vec![
            Series::new("worst", Role::Curve3, Pattern::Dotted, points(&past, |past| past.worst)),
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(&past, |past| past.mean)),
            Series::new("best", Role::Curve1, Pattern::Solid, points(&past, |past| past.best)),
        ],
        ..Chart::default()
    }
}

fn fitness(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let title = Line::from(look.span(Role::Title, "Fitness in percent of the points"));
    chart(picture, area.width).framed(title, Line::default(), false, area, buf, look);
}

/// The ten weights of the best: the value, the range that the published runs ended in, and how it came about.
fn weights(picture: &Picture, area: Rect, buf: &mut Buffer, look: &Look) {
    let title = Line::from(look.span(Role::Title, "Weights of the best, published range"));
    let inner = panel(area, title, false, buf, look);
    let Some(best) = picture.past.last() else { return };
    let published = TABLE3.map(|weights| weights.reals());
    // Narrow places keep the number and the bar, and cut the name.
    let name_room = inner.width.saturating_sub(9 + 10).clamp(3, 22);
    let bar_room = inner.width.saturating_sub(10 + name_room).clamp(6, 40);
    let spark_room = inner.width.saturating_sub(10 + name_room + bar_room);
    for (index, term) in TERMS.iter().enumerate() {
        let value = best.best_genome.get(index).copied().unwrap_or(0.0);
        let range = published.iter().map(|weights| weights[index]);
        let (low, high) = (range.clone().fold(f64::INFINITY, f64::min), range.fold(f64::NEG_INFINITY, f64::max));
        let history: Vec<f64> =
            picture.past.iter().map(|past| past.best_genome.get(index).copied().unwrap_or(0.0)).collect();
        let mut spans = vec![
            look.span(Role::Dim, format!(" {}", name(term, name_room, look))),
            look.span(Role::Text, format!(" {value:>5.3} ")),
        ];
        spans.extend(interval(value, (low, high), (0.0, 1.0), bar_room, look).spans);
        spans.push(Span::raw(" "));
        spans.push(look.span(Role::Curve2, sparkline(&history, spark_room, look)));
        put(Line::from(spans), row(inner, index as u16), buf);
    }
}

fn name(term: &Term, cells: u16, look: &Look) -> String {
    let text = clip(&format!("{} {}", term.name, term.title), cells, look);
    let gap = " ".repeat(usize::from(cells - width(&text)));
    text + &gap
}
