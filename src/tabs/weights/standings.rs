//! The standings of the newest generation: one row per genome, with its weights as a heat map.

use std::cell::OnceCell;

use super::ViewModel;
use crate::evolve::ga::GaView;
use crate::ui::table::{Cell, Column, Field, SortedTable};
use crate::ui::{Canvas, Look};

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
        let of = move |genome: &[f64]| genome.get(gene).copied().unwrap_or(0.0);
        Field::new(
            gene_column(name),
            move |place| of(&view_model.settings.shown(&ranking[place].individual.genome)),
            move |place| heat(of(shares[place].get_or_init(|| view_model.of_member(&ranking[place]))), look),
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
