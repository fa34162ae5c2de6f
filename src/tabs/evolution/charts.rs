//! The curves of a run. Figures 6 to 9 of the paper are these on its two presets.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Picture;
use super::population::number;
use crate::evolve::gp::GenerationRow;
use crate::theme::Role;
use crate::ui::Look;
use crate::ui::chart::lens::{Lens, Plot};
use crate::ui::chart::{Band, Chart, Pattern, Series};

fn points(rows: &[GenerationRow], of: impl Fn(&GenerationRow) -> f64) -> Vec<(f64, f64)> {
    rows.iter().map(|row| (row.generation as f64, of(row))).collect()
}

/// The rows that can be told apart on so many cells of the span.
fn rows(picture: &Picture, (from, to): (u64, u64), cells: u16) -> Vec<GenerationRow> {
    picture.history.between(from, to, usize::from(cells) * 2)
}

fn range(picture: &Picture, lens: &Lens) -> (u64, u64) {
    lens.range(picture.newest(), picture.of)
}

/// Best, mean and the middle half of a generation's fitness.
pub fn fitness(picture: &Picture, lens: &Lens, cells: u16) -> Chart {
    let (from, to) = range(picture, lens);
    let rows = rows(picture, (from, to), cells);
    let band = rows.iter().map(|row| (row.generation as f64, row.lower_quartile, row.upper_quartile)).collect();
    Chart {
        x: (from as f64, to as f64),
        series: vec![
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean)),
            Series::new("best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best)),
        ],
        band: Some(Band { label: "middle half".to_owned(), points: band }),
        cursor: lens.cursor.map(|at| at as f64),
        ..Chart::default()
    }
}

/// How large the programs are.
pub fn sizes(picture: &Picture, lens: &Lens, cells: u16) -> Chart {
    let (from, to) = range(picture, lens);
    let rows = rows(picture, (from, to), cells);
    let series = vec![
        Series::new("mean", Role::Curve2, Pattern::Dashed, points(&rows, |row| row.mean_nodes)),
        Series::new("of the best", Role::Curve1, Pattern::Solid, points(&rows, |row| row.best_nodes.into())),
    ];
    let cursor = lens.cursor.map(|at| at as f64);
    Chart { x: (from as f64, to as f64), y: Some((0.0, 1.0)), series, cursor, ..Chart::default() }
}

/// What the cursor reads on the fitness.
pub fn read_fitness(row: &GenerationRow) -> String {
    format!(
        "generation {}: best {}, mean {}, middle half {} to {}",
        row.generation,
        number(row.best),
        number(row.mean),
        number(row.lower_quartile),
        number(row.upper_quartile)
    )
}

/// What it reads on the sizes.
pub fn read_sizes(row: &GenerationRow) -> String {
    format!(
        "generation {}: mean {}, of the best {}, largest {}",
        row.generation,
        number(row.mean_nodes),
        row.best_nodes,
        row.max_nodes
    )
}

/// A chart in its frame, with its span behind the title and what the cursor reads at the foot.
pub fn draw(
    (title, chart, read): (&str, Chart, fn(&GenerationRow) -> String),
    (picture, lens): (&Picture, &Lens),
    focused: bool,
    area: Rect,
    buf: &mut Buffer,
    look: &Look,
) -> Option<Plot> {
    let mut above = vec![look.span(Role::Title, title)];
    above.extend(lens.span.name().map(|span| look.span(Role::Dim, format!(" {} {span}", look.glyphs.dot))));
    let row = lens.cursor.and_then(|at| picture.history.get(usize::try_from(at).ok()?));
    let below = row.map_or(Line::default(), |row| Line::from(look.span(Role::Accent, read(row))));
    chart.framed(Line::from(above), below, focused, area, buf, look)
}
