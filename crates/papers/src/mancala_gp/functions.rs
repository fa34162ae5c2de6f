//! The source's runs with and without the function IF, over many seeds: "in any future runs, it may be wise to remove this function".

use mancalab_base::{Error, bail};

use super::breeding::{RunResult, breed};
use super::curves::{FEATURES, RUNS, measured, medians, sum};
use crate::evolve::gp::GenerationRow;
use crate::evolve::kalah::Settings;
use crate::evolve::kalah::settings::PRESETS;
use crate::fit::probability;
use crate::learning::presets;
use crate::plot::Plot;
use crate::statistics::MannWhitney;
use crate::{Hear, Line, Options, ProgressEvent, Table, csv, number};

const USUAL_SEEDS: u32 = 20;

/// The two arms, and whether programs have IF.
const ARMS: [(&str, bool); 2] = [("with IF", true), ("without IF", false)];

/// Breeds the presets with and without IF and compares the features of their runs.
pub(super) fn without_if(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let presets = presets(options, PRESETS, &RUNS)?;
    let mut plan = Vec::new();
    for preset in &presets {
        for (_, has_if) in ARMS {
            for seed in options.all_seeds(USUAL_SEEDS) {
                plan.push(settings(options, preset, has_if, seed)?);
            }
        }
    }
    let count = plan.len();
    let bred = breed(&plan, &options.pool, &mut |bred, newest| {
        let at = format!("{}, seed {}", plan[newest].preset, plan[newest].tableau.seed);
        hear(ProgressEvent::Progress { share: bred.iter().flatten().count() as f64 / count as f64, item: at });
    })?;
    let arms: Vec<&[RunResult]> = bred.chunks(count / presets.len() / ARMS.len()).collect();
    let mut lines = Vec::new();
    for (preset, arms) in presets.iter().zip(arms.chunks(ARMS.len())) {
        lines.extend(preset_lines(preset, arms));
    }
    let mut reading = vec![("functions", "the preset's, and the same without if".to_owned())];
    reading.push(("runs", format!("{} of each kind, seeds from {}", arms[0].len(), options.seed)));
    reading.push(("test", "Mann-Whitney, two-sided, by the normal approximation with ties".to_owned()));
    let notes = vec!["Numbers are medians over the runs, with minimum and maximum.".to_owned()];
    let [scores, sizes] = plots(&presets, &arms).map(|plot| plot.svg());
    let mut table =
        Table { lines, reading, notes, ..Table::default() }.with_files("without-if", rows(&plan, &bred), scores);
    table.files.push(("without-if-sizes.svg".to_owned(), sizes));
    Ok(table)
}

/// Plots the scores of the best programs and the sizes of all by generation, a curve for each kind of run.
fn plots(presets: &[&str], arms: &[&[RunResult]]) -> [Plot; 2] {
    let kinds = || presets.iter().flat_map(|preset| ARMS.map(|(arm, _)| format!("{preset} {arm}"))).zip(arms);
    let plot = |what: &str, unit: &str, value: fn(&GenerationRow) -> f64| {
        let series = kinds().map(|(name, kind)| medians(name, kind, value)).collect();
        let title = format!("{what} with and without IF: median and middle half of {} seeds", arms[0].len());
        Plot::new(&title, "generation", unit, series)
    };
    [
        plot("Best program's scores", "stones, moving first and second together", sum),
        plot("Mean size", "nodes", |row| row.mean_nodes),
    ]
}

fn settings(options: &Options, preset: &str, has_if: bool, seed: u64) -> Result<Settings, Error> {
    let mut settings = Settings::preset(preset)?;
    settings.tableau.seed = seed;
    settings.tableau.generations = options.generations.unwrap_or(settings.tableau.generations);
    options.change(&mut settings, &["preset"])?;
    if !settings.tableau.functions.iter().any(|function| function == "if") {
        bail!("functions must contain if, which the target removes (got {})", settings.tableau.functions.join(", "));
    }
    settings.tableau.functions.retain(|function| has_if || function != "if");
    settings.tableau.check()?;
    Ok(settings)
}

/// Returns the lines of a preset: every feature of both arms, with the test of the second against the first.
fn preset_lines(preset: &str, arms: &[&[RunResult]]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (feature, published, unit, measure) in &FEATURES {
        let values = |arm: usize| arms[arm].iter().map(|run| measure(&run.rows)).collect::<Vec<f64>>();
        let test = MannWhitney::test(&values(1), &values(0));
        for (arm, (name, has_if)) in ARMS.iter().enumerate() {
            let [least, median, most] = measured(arms[arm], *measure);
            let published = RUNS.iter().position(|run| run == &preset && *has_if).and_then(|run| published[run]);
            let mut remark = format!("{} to {}", number(least), number(most));
            if !has_if {
                remark += &format!("; more than with it {:.0} %, {}", 100.0 * test.greater, probability(test.chance));
            }
            let line = Line::new(format!("{preset} {name}: {feature}"), published, median, unit).remarked(remark);
            lines.push(line.named([
                ("preset", preset.into()),
                ("has_if", (*has_if).into()),
                ("feature", (*feature).into()),
                ("seeds", arms[arm].len().into()),
            ]));
        }
    }
    lines
}

/// Formats a CSV row for each run.
fn rows(plan: &[Settings], bred: &[RunResult]) -> String {
    let features = FEATURES.map(|(feature, _, unit, _)| format!("{}_{unit}", feature.replace(' ', "_")));
    let header = ["preset", "functions", "seed"].map(str::to_owned);
    let row = |(settings, run): (&Settings, &RunResult)| {
        let tableau = &settings.tableau;
        let about = [settings.preset.clone(), tableau.functions.join(" "), tableau.seed.to_string()];
        csv::row(about.into_iter().chain(FEATURES.map(|(.., measure)| measure(&run.rows).to_string())))
    };
    csv::row(header.into_iter().chain(features)) + &plan.iter().zip(bred).map(row).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    fn table(set: &[&str]) -> Result<Table, Error> {
        let options = Options { seeds: Some(3), generations: Some(4), pool: Pool::alone(), ..Options::default() };
        let set = [&["population=32", "opponents=minimax:2"], set].concat();
        crate::target::reproduce("mancala-gp/without-if", &set, options, &mut |_| ())
    }

    #[test]
    fn both_presets_are_bred_with_and_without_if() {
        let table = table(&[]).unwrap();
        assert_eq!(table.lines.len(), RUNS.len() * ARMS.len() * FEATURES.len());
        let with = &table.lines[0];
        let without = &table.lines[1];
        assert_eq!((&*with.what, with.published), ("mancala-gp-1 with IF: best sum", Some(52.0)));
        assert_eq!((&*without.what, without.published), ("mancala-gp-1 without IF: best sum", None));
        assert!(without.remark.as_ref().unwrap().contains("more than with it"), "{without:?}");
    }

    #[test]
    fn runs_without_if_have_other_programs() {
        let settings = |has_if| settings(&Options::default(), "mancala-gp-2", has_if, 1).unwrap().tableau.functions;
        assert_eq!(settings(true), ["if", "add", "sub", "value_at"]);
        assert_eq!(settings(false), ["add", "sub", "value_at"]);
        let error = table(&["functions=add, value_at"]).unwrap_err();
        assert!(error.to_string().contains("functions must contain if"), "{error}");
    }
}
