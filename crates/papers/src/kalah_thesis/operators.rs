//! Table 3 with other operators of the genetic algorithm: the thesis prints neither the crossover nor the deviation of a mutation, and
//! reports W4 = 1 as a result.

use mancalab_base::Error;
use serde_json::json;

use super::chart::{self, Row, Span};
use super::table3::{self, RUNS, Table3};
use crate::player::heuristic::terms::COUNT;
use crate::{Hear, Line, Options, ProgressEvent, Table};

/// The changes of Table 3's settings, the settings themselves first.
const VARIANTS: [&str; 6] = ["", "crossover=linear", "crossover=blend", "sigma=0.05", "sigma=0.2", "fix_w4=false"];

/// The least share of random deals with which chance explains a distance.
const BY_CHANCE: f64 = 0.05;

fn name(variant: &str) -> &str {
    if variant.is_empty() { "as table3" } else { variant }
}

/// Runs Table 3 once for each variant, all with the same seeds.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let varied = VARIANTS.map(|variant| varied(options, variant));
    // Check all settings before the first run.
    varied.iter().try_for_each(|options| table3::settings(options, options.seed).map(drop))?;
    let mut all = Vec::new();
    for (nth, (variant, options)) in VARIANTS.iter().zip(&varied).enumerate() {
        let played = Table3::play(options, &mut |event| {
            if let ProgressEvent::Progress { share, item } = event {
                let share = (nth as f64 + share) / VARIANTS.len() as f64;
                hear(ProgressEvent::Progress { share, item: format!("{}, {item}", name(variant)) });
            }
        })?;
        hear(ProgressEvent::News(&text(variant, &played)));
        all.push(played);
    }
    let lines: Vec<Line> = VARIANTS.iter().zip(&all).flat_map(|(variant, played)| lines(variant, played)).collect();
    let mut reading = all[0].reading();
    reading.extend([
        ("variants", "each changes one setting of the runs, and keeps their seeds".to_owned()),
        ("within chance", format!("rows distance: at least {:.0} % of deals are as far", 100.0 * BY_CHANCE)),
    ]);
    let runs = options.runs.unwrap_or(RUNS);
    let notes = vec![format!("{runs} runs of {} generations each.", all[0].settings.generations), verdict(&all)];
    let rows: Vec<Row> = VARIANTS
        .iter()
        .zip(&all)
        .map(|(variant, played)| (name(variant).to_owned(), None, Span::at(played.distance())))
        .collect();
    let svg = chart::ranges("Kalah thesis, Table 3 by operators", "rows distance", 10.0, &rows);
    Ok(Table { lines, reading, notes, ..Table::default() }.with_chart("operators", svg))
}

/// Returns the options of a variant, whose runs have a folder of their own.
fn varied(options: &Options, variant: &str) -> Options {
    let mut options = options.clone();
    options.set.extend(variant.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())));
    options.out = options.out.map(|out| out.join("kalah-thesis-operators").join(name(variant).replace(' ', "-")));
    options
}

/// Returns the mean fitness and the distances of a variant.
fn lines(variant: &str, played: &Table3) -> Vec<Line> {
    let name = name(variant);
    let names = |what: &str| vec![("variant", json!(name)), ("what", json!(what))];
    let fitness = Line::new(
        format!("{name}: fitness mean"),
        Some(table3::published(COUNT).mean),
        played.measured(COUNT).mean,
        "%",
    );
    let distance = |(what, unit, between): (&'static str, &'static str, super::joint::Between)| {
        let line = Line::new(format!("{name}: {what}"), None, between.distance, unit);
        line.remarked(between.to_text()).named(names(what))
    };
    [fitness.named(names("fitness mean"))].into_iter().chain(played.distances().map(distance)).collect()
}

fn text(variant: &str, played: &Table3) -> String {
    let [(_, _, rows), ..] = played.distances();
    format!("{}: rows distance {:.2}, {}", name(variant), rows.distance, rows.to_text())
}

/// Says which variants chance reconciles with the printed rows, and which is the nearest, in a sentence.
fn verdict(all: &[Table3]) -> String {
    let rows: Vec<_> = VARIANTS.iter().zip(all).map(|(variant, played)| (*variant, played.distances()[0].2)).collect();
    let likely: Vec<&str> =
        rows.iter().filter(|(_, rows)| rows.chance >= BY_CHANCE).map(|(variant, _)| name(variant)).collect();
    let nearest =
        rows.iter().min_by(|a, b| a.1.distance.total_cmp(&b.1.distance)).map_or("", |(variant, _)| name(variant));
    let likely = if likely.is_empty() { "none".to_owned() } else { likely.join(", ") };
    format!("Within chance of the printed rows: {likely}. Nearest: {nearest}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn every_variant_changes_the_runs_and_is_judged() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { runs: Some(1), generations: Some(2), ..Options::default() };
        let small = ["population=6", "depth=2"];
        let run =
            |options: &Options| reproduce("kalah-thesis/operators", &small, options.clone(), &mut |_| ()).unwrap();
        let table = run(&options);
        assert_eq!(table.lines.len(), 4 * VARIANTS.len());
        let rows: Vec<f64> = table.lines.iter().skip(1).step_by(4).map(|line| line.measured.unwrap()).collect();
        assert!(rows[1..].iter().all(|distance| *distance != rows[0]), "{rows:?}");
        assert!(table.notes[1].starts_with("Within chance of the printed rows: "), "{:?}", table.notes);
        // The first variant is Table 3 itself.
        let own = reproduce("kalah-thesis/table3", &small, options.clone(), &mut |_| ()).unwrap();
        let distance = own.lines.iter().find(|line| line.what == "rows distance").unwrap();
        assert_eq!(table.lines[1].measured, distance.measured);
        let stored = Options { out: Some(folder.path().to_owned()), ..options.clone() };
        assert_eq!(run(&stored).lines, table.lines);
        assert!(folder.path().join("kalah-thesis-operators/fix_w4=false/seed1/run.toml").exists());
        let error = reproduce("kalah-thesis/operators", &["speed=1"], options, &mut |_| ()).unwrap_err();
        assert!(error.to_string().starts_with("no setting is named 'speed'"), "{error}");
    }
}
