//! Are functions "strong at playing the epoch" that they were evolved for? The random player's gain in either half of the game against
//! functions evolved for the first half, for the second and for the whole game.

use mancalab_base::Error;
use serde_json::json;

use super::evolve::{Column, breed};
use crate::fit::Welch;
use crate::game::Side;
use crate::game::othello::Rules;
use crate::learning::students;
use crate::player::StagedSettings;
use crate::player::staged::{Practice, Stage};
use crate::ranges::{ranges, rows};
use crate::rng;
use crate::target::part;
use crate::{Hear, Line, Options, Table};

const USUAL_SEEDS: u32 = 20;
const USUAL_GAMES: u32 = 1000;

/// The fitness at which runs end, of the source's two the harder one: many runs reach the other with their first functions.
const FITNESS: u32 = 25;

/// The functions: for the first half, the second, and the whole game.
const COLUMNS: [Column; 3] = [Column::Tree1, Column::Tree2, Column::Single];
const HALVES: [&str; 2] = ["first half", "second half"];

/// Black's gain in each half, per game, one value per seed.
type Gains = [Vec<f64>; 2];

/// Evolves the functions and measures the gains.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let games = options.games.unwrap_or(USUAL_GAMES);
    let mut plan = Vec::new();
    for seed in options.all_seeds(USUAL_SEEDS) {
        for column in COLUMNS {
            let settings = column.settings(FITNESS, seed, options)?.ok_or("the column has no run")?;
            plan.push((seed, column, settings));
        }
    }
    let count = plan.len();
    let mut all: Vec<Gains> = COLUMNS.iter().map(|_| Gains::default()).collect();
    for (at, (seed, column, settings)) in plan.into_iter().enumerate() {
        let item = format!("seed {seed}, {}: ", column.name());
        let name = format!("othello-gp-epochs-{}-seed{seed}", column.name().replace(' ', ""));
        let (player, _) = breed(settings, &name, options, &mut part(hear, at, count, &item))?;
        let gains = gains(&player, &[options.seed, seed], games)?;
        all[at % COLUMNS.len()].iter_mut().zip(gains).for_each(|(own, gain)| own.push(gain));
    }
    let mut lines: Vec<Line> = COLUMNS.iter().zip(&all).flat_map(|(column, gains)| lines(*column, gains)).collect();
    let svg = ranges("Othello: the random player's gain by half of the game", "discs", 40.0, &rows(&lines));
    lines.extend(comparisons(&all));
    let seeds = count / COLUMNS.len();
    let reading = vec![
        ("functions", format!("evolved to fitness {FITNESS} as in evolve, {seeds} seeds of each")),
        (
            "gain",
            format!("Black's discs at the end of a half less those at its start; mean of {games} games against random"),
        ),
        ("games", "the function plays the whole game, as White; all play the same openings".to_owned()),
        ("interval", "over the runs; differences by Welch's test".to_owned()),
    ];
    Ok(Table { lines, reading, ..Table::default() }.with_chart("epochs", svg))
}

/// Returns Black's mean gain in each half against the function of a player.
fn gains(player: &StagedSettings, key: &[u64], games: u32) -> Result<[f64; 2], Error> {
    let function = player.stages.first().ok_or("the player has no function")?;
    let stages = [(); 2].map(|()| Stage { share: 50, ..function.clone() });
    let halves = StagedSettings::new(stages.to_vec());
    let start = Rules::default().position();
    let mut practice = Practice::new(&halves);
    let mut sums = [0.0; 2];
    for game in 0..u64::from(games) {
        let key: Vec<u64> = key.iter().copied().chain([game]).collect();
        let discs = practice.play_out(&start, Side::North, rng::derived(&key));
        let black = [discs[0][1], discs[1][1]].map(f64::from);
        // Each side begins with two.
        sums[0] += black[0] - 2.0;
        sums[1] += black[1] - black[0];
    }
    Ok(sums.map(|sum| sum / f64::from(games)))
}

fn names(column: &str, half: &str) -> Vec<(&'static str, serde_json::Value)> {
    vec![("column", json!(column)), ("half", json!(half))]
}

fn lines(column: Column, gains: &Gains) -> Vec<Line> {
    let line = |(half, gains): (&&str, &Vec<f64>)| {
        let (mean, reach) = students(gains);
        let line = Line::new(format!("{}, {half}", column.name()), None, mean, "discs a game");
        line.within(mean - reach, mean + reach).named(names(column.name(), half))
    };
    HALVES.iter().zip(gains).map(line).collect()
}

/// Compares in each half the function evolved for it with the one evolved for the other, with a verdict.
fn comparisons(all: &[Gains]) -> Vec<Line> {
    let line = |half: usize| {
        let [own, other] = [&all[half][half], &all[1 - half][half]];
        let tested = Welch::test(other, own);
        let what = format!("strong in its own epoch, {}", HALVES[half]);
        let rule = "than against the function for the other half; yes if the interval is above 0, no if it is below";
        Line::tested(what, "discs less", tested, 0.0, rule).named(names("difference", HALVES[half]))
    };
    [0, 1].map(line).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Spec;
    use crate::target::reproduce;

    #[test]
    fn gains_add_up_to_the_discs_of_a_game() {
        let Spec::Staged(player) = "staged:( white )".parse().unwrap() else { panic!() };
        let [first, second] = gains(&player, &[1, 1], 50).unwrap();
        let mut practice = Practice::new(&player);
        let start = Rules::default().position();
        let discs = |game: u64| {
            f64::from(practice.play_out(&start, Side::North, rng::derived(&[1, 1, game])).last().unwrap()[1])
        };
        let mean = (0..50).map(discs).sum::<f64>() / 50.0;
        assert!((2.0 + first + second - mean).abs() < 1e-9, "{first} {second} {mean}");
        assert!(first > 0.0 && second > 0.0);
    }

    #[test]
    fn every_function_is_measured_in_both_halves() {
        let options = Options { seeds: Some(2), games: Some(20), ..Options::default() };
        let small = ["population=16", "generations=2"];
        let table = reproduce("othello-gp/epochs", &small, options, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 3 * 2 + 2);
        let value = |at: usize| table.lines[at].measured.unwrap();
        assert!((value(6) - (value(2) - value(0))).abs() < 1e-9 && (value(7) - (value(1) - value(3))).abs() < 1e-9);
        assert!(
            ["yes; ", "no; ", "open; "].iter().any(|start| table.lines[6].remark.as_ref().unwrap().starts_with(start))
        );
    }
}
