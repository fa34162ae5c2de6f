//! The set of readings that explains Tables 1, 2 and 3 best together. One half of the seeds selects it, the other half tests it.
//!
//! The distance between two sets of rows of numbers: a single measure of whether our runs end like the printed ones, over means,
//! ranges and everything else.

use mancalab_base::{Error, bail};
use rand::seq::SliceRandom as _;
use serde_json::json;

use super::chart::{self, Span};
use super::readings::Readings;
use super::table2::{self, MATCHES, Table2};
use super::table3::{self, Outcome, Table3};
use super::{run, table1};
use crate::arena::Score;
use crate::evolve::kalah::weights::WeightsSettings;
use crate::fit::Fit;
use crate::{Hear, Line, Options, ProgressEvent, Table, rng};

/// The readings that each set changes. They were the defaults before this target chose [`DEFAULT`].
const BASE: [(&str, &str); 2] = [("near", "difference"), ("result", "last")];

/// The set of the defaults of all targets.
const DEFAULT: &str = "near=indicator result=highest";

/// The sets: the base, changes of one reading, and combinations of those that bring a table nearer to the printed one.
const SETS: [&str; 22] = [
    "",
    "max=first",
    "max=random",
    "max=chain",
    "minimax=own",
    "ties=last",
    "ties=first",
    "ties=window",
    "judged=path",
    "near=indicator",
    "near=printed",
    "near=harmful",
    "ahead=text",
    "end=mover",
    "result=highest",
    DEFAULT,
    "near=printed result=highest",
    "near=indicator ahead=text",
    "near=printed ahead=text",
    "near=harmful ahead=text",
    "near=indicator judged=path",
    "near=indicator end=mover",
];

/// Seeds; the first half chooses. Two runs of Table 3 differ too much for a verdict.
const SEEDS: u32 = 8;

/// Returns the games of a match of Table 2: at full size 100. The thesis plays 10, whose winners depend on luck.
fn match_games(options: &Options) -> u32 {
    (cell_games(options) / 10).max(2)
}

fn cell_games(options: &Options) -> u32 {
    options.games.unwrap_or(table1::PUBLISHED_GAMES)
}

/// How far a set's tables are from the printed ones, over the seeds of one half.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Fits {
    /// Of the 16 cells of Table 1 without mcts and a3c, all games together.
    table1: Fit,
    /// The mean number of the 45 matches of Table 2 that the heuristic printed as the stronger won.
    table2: f64,
    /// The energy distance of the rows of Table 3.
    table3: f64,
}

impl Fits {
    /// One number for each table; less is better.
    fn misfits(self) -> [f64; 3] {
        [self.table1.chi_square, -self.table2, self.table3]
    }
}

/// Returns each set's ranks over the three tables, summed; equal sets share the mean of their ranks.
fn rank_sums(fits: &[Fits]) -> Vec<f64> {
    ranks(fits, &[0, 1, 2])
}

/// Returns each set's ranks over these tables, summed.
fn ranks(fits: &[Fits], tables: &[usize]) -> Vec<f64> {
    let rank = |own: f64, table: usize| {
        let others = fits.iter().map(|fits| fits.misfits()[table]);
        others.fold(0.5, |rank, other| rank + if other < own { 1.0 } else { f64::from(u8::from(other == own)) / 2.0 })
    };
    fits.iter().map(|fits| tables.iter().map(|&table| rank(fits.misfits()[table], table)).sum()).collect()
}

/// Returns the index of the least.
fn least(values: &[f64]) -> usize {
    (0..values.len()).min_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
}

/// Returns for each table a line with the set that the other two tables choose on the first half of the seeds, and how it does on this
/// table on the other half: no set counts as evidence for a table that it is fitted to.
fn held_out(chosen: &[Fits], judged: &[Fits], sums: &[Vec<f64>; 2]) -> Vec<Line> {
    let line = |(table, unit): (usize, &'static str)| {
        let others: Vec<usize> = (0..3).filter(|other| *other != table).collect();
        let set = least(&ranks(chosen, &others));
        let own = ranks(judged, &[table]);
        let place = 1 + own.iter().filter(|rank| **rank < own[set]).count();
        let what = format!("table {}", table + 1);
        let names = [
            ("set", json!(name(SETS[set]))),
            ("table", json!(what)),
            ("chosen", json!(chosen[set].misfits()[table].abs())),
            ("rank_sum_chosen", json!(sums[0][set])),
            ("rank_sum_judged", json!(sums[1][set])),
        ];
        let line = Line::new(format!("held out: {what}"), None, judged[set].misfits()[table].abs(), unit).named(names);
        line.remarked(format!(
            "{}, chosen by the other two tables; number {place} of {} here",
            name(SETS[set]),
            SETS.len()
        ))
    };
    [(0, "chi-square"), (1, "matches of 45"), (2, "distance")].map(line).to_vec()
}

/// Plays the tables of all sets.
struct Sets<'a> {
    options: &'a Options,
    /// Runs of the genetic algorithm, which several sets share.
    runs: Vec<(WeightsSettings, table3::RunResult)>,
    /// The share of the work done, and that of one set with one seed.
    done: f64,
    each: f64,
    hear: Hear<'a>,
}

impl Sets<'_> {
    /// Plays a set's tables with these seeds.
    fn fits(&mut self, set: &'static str, seeds: &[u64]) -> Result<Fits, Error> {
        // Of two values of a key the last counts.
        let given = BASE.into_iter().chain(set.split_whitespace().filter_map(|part| part.split_once('=')));
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let options = Options { set: given, out: None, ..self.options.clone() };
        let read = Readings::asked(&options)?;
        let outcome = Outcome::asked(&options)?;
        let mut scores = [Score::default(); table1::SIMPLE];
        let mut agreed = 0;
        let mut rows = Vec::new();
        for &seed in seeds {
            let of_seed = Options { seed, ..options.clone() };
            let view = run::play(table1::simple(&of_seed)?, &of_seed, &mut |_, _| ())?;
            view.cells.iter().zip(&mut scores).for_each(|(cell, score)| *score = score.plus(cell.score));
            let settings = table2::Settings { games: match_games(&options), seed, read };
            agreed += Table2::play(settings, &options.pool, &mut |_| ()).agreement();
            rows.push(self.run(set, table3::of_readings(&of_seed, &read)?)?.with(outcome));
            self.done += self.each;
        }
        let settings = table3::of_readings(&options, &read)?;
        Ok(Fits {
            table1: table1::simple_fit(&scores),
            table2: f64::from(agreed) / seeds.len() as f64,
            table3: Table3 { settings, outcome, runs: rows }.distance(),
        })
    }

    /// Runs the genetic algorithm, unless an earlier set did with the same settings.
    fn run(&mut self, set: &str, settings: WeightsSettings) -> Result<table3::RunResult, Error> {
        if let Some((_, ended)) = self.runs.iter().find(|(known, _)| *known == settings) {
            return Ok(ended.clone());
        }
        let folder = self.options.out.as_ref().map(|out| out.join("kalah-thesis-readings").join(name(set)));
        let seed = settings.seed;
        let ended = table3::run(settings.clone(), Outcome::Last, folder.as_deref(), &self.options.pool, &mut |run| {
            let at = run.past().len() as u64;
            let last = run.settings().generations + 1;
            let share = self.done + self.each * at as f64 / last as f64;
            let at = format!("{}, seed {seed}, generation {at}/{last}", name(set));
            (self.hear)(ProgressEvent::Progress { share, item: at });
        })?;
        self.runs.push((settings, ended.clone()));
        Ok(ended)
    }
}

fn name(set: &str) -> &str {
    if set.is_empty() { "base" } else { set }
}

/// Plays all sets on both halves of the seeds.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let seeds: Vec<u64> = options.all_seeds(SEEDS).collect();
    if seeds.len() < 2 || !seeds.len().is_multiple_of(2) {
        bail!("--seeds must be an even number, half of them to choose with (got {})", seeds.len());
    }
    let halves = seeds.split_at(seeds.len() / 2);
    let each = 1.0 / (SETS.len() * seeds.len()) as f64;
    let mut sets = Sets { options, runs: Vec::new(), done: 0.0, each, hear };
    let mut chosen = Vec::new();
    let mut judged = Vec::new();
    for set in SETS {
        chosen.push(sets.fits(set, halves.0)?);
        judged.push(sets.fits(set, halves.1)?);
        (sets.hear)(ProgressEvent::News(&format!("{}: {}", name(set), text(*judged.last().unwrap_or(&chosen[0])))));
    }
    let ranks = [&chosen, &judged].map(|fits| rank_sums(fits));
    let mut lines = lines(&chosen, &judged, &ranks);
    lines.extend(held_out(&chosen, &judged, &ranks));
    let games = cell_games(options);
    let match_games = match_games(options);
    let mut reading = Readings::default().lines();
    reading.extend([
        ("table 1", format!("chi-square of its 16 cells without mcts and a3c; {games} games a cell and seed")),
        (
            "table 2",
            format!("matches, of {MATCHES}, that the heuristic printed as the stronger won; {match_games} games each"),
        ),
        ("table 3", format!("rows distance of one run a seed. {}", DEFINITION)),
        ("base", BASE.map(|(key, value)| format!("{key}={value}")).join(" ") + "; the other sets change it"),
        ("default", format!("{DEFAULT} in all targets")),
        ("ranks", "of each set in each of the three tables, added; 3 is the best possible".to_owned()),
        ("seeds", format!("{:?} choose, {:?} judge", halves.0, halves.1)),
    ]);
    let chart = matrix(&chosen, &judged, &ranks);
    let default = SETS.iter().position(|set| *set == DEFAULT).expect("the default is one of the sets");
    let rows =
        SETS.iter().zip(&judged).map(|(set, fits)| (name(set).to_owned(), None, Span::at(fits.table1.chi_square)));
    let svg =
        chart::ranges("Kalah thesis, Table 1 by readings: 16 cells", "chi-square", 1000.0, &rows.collect::<Vec<_>>());
    let table = Table { lines, chart, reading, notes: verdict(&judged, &ranks, default), ..Table::default() };
    Ok(table.with_chart("readings", svg))
}

/// Formats the fits of a set.
fn text(fits: Fits) -> String {
    format!("chi-square {:.1}, {:.1} matches, distance {:.2}", fits.table1.chi_square, fits.table2, fits.table3)
}

/// Returns a line for each set and table: the half that judges, with the half that chooses in the remark.
fn lines(chosen: &[Fits], judged: &[Fits], ranks: &[Vec<f64>; 2]) -> Vec<Line> {
    let of_set = |index: usize| {
        let set = name(SETS[index]);
        let [one, other] = [chosen[index], judged[index]];
        let line = move |(table, unit, chosen, measured): (&str, &'static str, f64, f64)| {
            let names = [
                ("set", json!(set)),
                ("table", json!(table)),
                ("chosen", json!(chosen)),
                ("rank_sum_chosen", json!(ranks[0][index])),
                ("rank_sum_judged", json!(ranks[1][index])),
            ];
            let line = Line::new(format!("{set}: {table}"), None, measured, unit).named(names);
            line.remarked(format!("{} to choose by", crate::number(chosen)))
        };
        [
            ("table 1", "chi-square", one.table1.chi_square, other.table1.chi_square),
            ("table 2", "matches of 45", one.table2, other.table2),
            ("table 3", "distance", one.table3, other.table3),
        ]
        .map(line)
    };
    (0..SETS.len()).flat_map(of_set).collect()
}

/// Formats a row for each set, in the order of the choice.
fn matrix(chosen: &[Fits], judged: &[Fits], ranks: &[Vec<f64>; 2]) -> Vec<String> {
    let wide = SETS.iter().map(|set| set.len()).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..SETS.len()).collect();
    crate::sort::sort_by(&mut order, |&a, &b| ranks[0][a].total_cmp(&ranks[0][b]));
    let head = format!(
        "{:wide$}  {:>15}  {:>11}  {:>11}  {:>11}",
        "chosen on, judged on", "table 1", "table 2", "table 3", "ranks"
    );
    let row = |set: usize| {
        let one = chosen[set];
        let other = judged[set];
        let pair = |one: f64, other: f64, digits: usize| format!("{one:.digits$}, {other:.digits$}");
        format!(
            "{:wide$}  {:>15}  {:>11}  {:>11}  {:>11}",
            name(SETS[set]),
            pair(one.table1.chi_square, other.table1.chi_square, 1),
            pair(one.table2, other.table2, 1),
            pair(one.table3, other.table3, 2),
            pair(ranks[0][set], ranks[1][set], 1)
        )
    };
    [head].into_iter().chain(order.into_iter().map(row)).collect()
}

/// Says which set was chosen and how it is judged, and the same of the defaults, in sentences.
fn verdict(judged: &[Fits], [chosen, after]: &[Vec<f64>; 2], default: usize) -> Vec<String> {
    let best = least(chosen);
    let place = |set: usize| 1 + after.iter().filter(|rank| **rank < after[set]).count();
    let judged = |set: usize| {
        format!(
            "on the others it is number {} of {} ({}; {})",
            place(set),
            SETS.len(),
            text(judged[set]),
            judged[set].table1
        )
    };
    vec![
        format!("Chosen on the first half of the seeds: {}; {}", name(SETS[best]), judged(best)),
        format!("The default readings, {DEFAULT}: {}", judged(default)),
    ]
}

/// The definition of [`Between`], for readers of the table.
pub(super) const DEFINITION: &str = "the energy distance between the printed rows and ours: twice the mean distance of a printed row and one of \
     ours, minus the mean distances within each set; 0 for equal sets; rows distance has each column in standard deviations of the \
     printed one. Chance: the share of random deals of all rows with at least this distance";

/// The number of random deals.
const DEALS: u32 = 2000;

/// The distance between two sets of rows, each row a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Between {
    /// The energy distance (Székely and Rizzo) with the Euclidean distance of rows, in the unit of the numbers; 0 if a set is empty.
    pub distance: f64,
    /// The share of random deals of all rows in which the two sets are at least as far apart, 0 to 1.
    pub chance: f64,
}

impl Between {
    pub fn measure(one: &[Vec<f64>], other: &[Vec<f64>]) -> Between {
        let all: Vec<&[f64]> = one.iter().chain(other).map(Vec::as_slice).collect();
        let apart: Vec<Vec<f64>> = all.iter().map(|a| all.iter().map(|b| euclidean(a, b)).collect()).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        let distance = energy(&apart, &order, one.len());
        // Sums in another order may differ in their last bits.
        let far = distance - 1e-9 * distance.abs();
        let mut rng = rng::keyed(&[all.len() as u64, one.len() as u64]);
        let mut as_far = 0;
        for _ in 0..DEALS {
            order.shuffle(&mut rng);
            as_far += u32::from(energy(&apart, &order, one.len()) >= far);
        }
        Between { distance, chance: f64::from(as_far) / f64::from(DEALS) }
    }

    /// Formats the probability by chance.
    pub fn to_text(self) -> String {
        match self.chance {
            rare if rare * f64::from(DEALS) < 1.0 => format!("not by chance: none of {DEALS} deals"),
            part => format!("by chance in {:.1} % of deals", 100.0 * part),
        }
    }
}

fn euclidean(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Returns the energy distance between the first `cut` rows in this order and the rest, given all pairwise distances `apart`.
fn energy(apart: &[Vec<f64>], order: &[usize], cut: usize) -> f64 {
    let (one, other) = order.split_at(cut);
    let mean = |left: &[usize], right: &[usize]| {
        let sum: f64 = left.iter().map(|&a| right.iter().map(|&b| apart[a][b]).sum::<f64>()).sum();
        sum / (left.len() * right.len()).max(1) as f64
    };
    2.0 * mean(one, other) - mean(one, one) - mean(other, other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::target::reproduce;

    fn fits(chi_square: f64, table2: f64, table3: f64) -> Fits {
        Fits { table1: Fit { chi_square, cells: 16 }, table2, table3 }
    }

    #[test]
    fn ranks_are_added_and_shared() {
        let all = [fits(20.0, 36.0, 5.0), fits(30.0, 30.0, 5.0), fits(40.0, 20.0, 1.0)];
        assert_eq!(rank_sums(&all), [1.0 + 1.0 + 2.5, 2.0 + 2.0 + 2.5, 3.0 + 3.0 + 1.0]);
        let other = [fits(20.0, 20.0, 5.0), fits(30.0, 36.0, 1.0)];
        let held = held_out(&other, &all[..2], &[vec![0.0; 2], vec![0.0; 2]]);
        assert_eq!(held[0].measured, Some(30.0));
        assert!(
            held[0].remark.as_ref().unwrap().starts_with("max=first, chosen by the other two tables; number 2 of 22")
        );
        let judged = verdict(&all, &[vec![9.0, 8.0, 7.0], vec![4.5, 6.5, 7.0]], 0);
        assert!(
            judged[0]
                .starts_with("Chosen on the first half of the seeds: max=random; on the others it is number 3 of 22 ("),
            "{judged:?}"
        );
        assert!(judged[1].contains("number 1 of 22 (chi-square 20.0, 36.0 matches, distance 5.00;"), "{judged:?}");
    }

    #[test]
    fn sets_that_table_3_cannot_tell_apart_share_its_runs() {
        let options = Options { games: Some(2), generations: Some(0), ..Options::default() };
        let mut sets = Sets { options: &options, runs: Vec::new(), done: 0.0, each: 0.0, hear: &mut |_| () };
        let [base, chain, own, printed, default] =
            ["", "max=chain", "minimax=own", "near=printed", DEFAULT].map(|set| sets.fits(set, &[2]).unwrap());
        for fits in [chain, own] {
            assert_eq!((base.table2, base.table3), (fits.table2, fits.table3));
            assert_ne!(base.table1, fits.table1);
        }
        assert_ne!(base.table3, printed.table3);
        assert_ne!(base.table3, default.table3);
        assert_eq!(sets.runs.len(), 3);
    }

    #[test]
    fn every_set_has_a_line_for_each_table_and_a_row() {
        let all = [fits(20.0, 36.0, 5.0); SETS.len()];
        let sums = [rank_sums(&all), rank_sums(&all)];
        assert_eq!(lines(&all, &all, &sums).len(), 3 * SETS.len());
        assert_eq!(matrix(&all, &all, &sums).len(), 1 + SETS.len());
        assert_eq!(held_out(&all, &all, &sums).len(), 3);
        let odd = Options { seeds: Some(3), ..Options::default() };
        let error = reproduce("kalah-thesis/readings", &[], odd, &mut |_| ()).unwrap_err();
        assert_eq!(error.to_string(), "--seeds must be an even number, half of them to choose with (got 3)");
    }

    fn rows(numbers: &[f64]) -> Vec<Vec<f64>> {
        numbers.iter().map(|&number| vec![number]).collect()
    }

    #[test]
    fn of_a_few_rows_it_is_what_a_pencil_gives() {
        // Between: (3 + 5 + 1 + 3) / 4 = 3; within: (0 + 2 + 2 + 0) / 4 = 1 each.
        let between = Between::measure(&rows(&[0.0, 2.0]), &rows(&[3.0, 5.0]));
        assert!((between.distance - 4.0).abs() < 1e-12, "{between:?}");
        let plane = Between::measure(&[vec![0.0, 0.0]], &[vec![3.0, 4.0]]);
        assert!((plane.distance - 10.0).abs() < 1e-12, "{plane:?}");
    }

    #[test]
    fn chance_shows_sets_of_one_kind_from_sets_of_two() {
        let alike = Between::measure(&rows(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), &rows(&[1.5, 2.5, 3.5, 4.5, 5.5, 0.5]));
        let unlike = Between::measure(&rows(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), &rows(&[7.0, 8.0, 9.0, 9.5, 9.7, 9.9]));
        assert!(alike.chance > 0.5, "{alike:?}");
        assert!(unlike.chance < 0.02 && unlike.distance > alike.distance, "{unlike:?}");
        assert_eq!(Between { distance: 1.0, chance: 0.0 }.to_text(), "not by chance: none of 2000 deals");
        assert_eq!(Between { distance: 1.0, chance: 0.031 }.to_text(), "by chance in 3.1 % of deals");
    }

    proptest! {
        #[test]
        fn it_is_no_less_than_nothing_and_nothing_of_equal_sets(
            one in prop::collection::vec(prop::collection::vec(0.0..1.0, 3), 1..6),
            other in prop::collection::vec(prop::collection::vec(0.0..1.0, 3), 1..6),
        ) {
            let there = Between::measure(&one, &other).distance;
            let back = Between::measure(&other, &one).distance;
            prop_assert!(there >= -1e-9 && (there - back).abs() < 1e-9);
            prop_assert!(Between::measure(&one, &one).distance.abs() < 1e-9);
        }
    }
}
