//! Figures 4 and 5: Monte Carlo search by iterations against minimax and the heuristic player by depth. The thesis describes the
//! curves in words; the numbers in its text are beside the measured ones.

use mancalab_base::Error;
use serde_json::json;
use std::cmp::Ordering;

use super::counted::{self, mcts, mcts_reading};
use super::readings::Readings;
use super::run::{play, tournament};
use crate::arena::{Cell, CellView, Score, Settings};
use crate::player::Spec;
use crate::player::mcts::Limit;
use crate::player::spec::Mcts;
use crate::plot::{Plot, Series};
use crate::target::whole;
use crate::{Hear, Line, Options, Table, fit};

const ITERATIONS: [u32; 7] = [250, 500, 1000, 2000, 4000, 8000, 16_000];
const DEPTHS: [u32; 4] = [1, 2, 4, 8];

/// The text's remark on Monte Carlo search against minimax and the heuristic player at depth 8.
const AT_DEPTH_8: &str = "published in words: trouble reaching over 30 %";

/// Figure 4 or 5.
pub(super) struct Figure {
    file: &'static str,
    title: &'static str,
    opponent: &'static str,
    /// The text's share for 4,000 iterations against depth 4, in percent.
    flat: f64,
    /// The text's remark on depth 1.
    shallow: &'static str,
}

pub(super) const FIGURE4: Figure = Figure {
    file: "figure4",
    title: "Kalah thesis, Figure 4: MCTS against minimax",
    opponent: "minimax",
    flat: 60.0,
    shallow: "published in words: performs very well",
};
pub(super) const FIGURE5: Figure = Figure {
    file: "figure5",
    title: "Kalah thesis, Figure 5: MCTS against the heuristic player",
    opponent: "heuristic",
    flat: 42.0,
    shallow: "published in words: below 100 %",
};

impl Figure {
    /// The tournament: every number of iterations against every depth, by depth.
    ///
    /// # Errors
    /// An option is invalid.
    pub fn settings(&self, options: &Options) -> Result<Settings, Error> {
        let read = Readings::asked(options)?;
        let iterations = iterations(options)?;
        let games = options.games.unwrap_or(200);
        let searches = iterations.iter().map(|count| mcts(*count, options));
        let players = read.players(searches.chain(DEPTHS.map(|depth| format!("{}:{depth}", self.opponent))))?;
        let columns = iterations.len();
        let pairs = (0..DEPTHS.len()).flat_map(|depth| (0..columns).map(move |count| (count, columns + depth)));
        let cells = pairs.map(|(first, second)| Cell { first, second, games });
        tournament(self.file, players, cells, options)
    }

    /// Plays the games of the figure.
    ///
    /// # Errors
    /// An option is invalid, or a file cannot be written.
    pub fn reproduce(&self, options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
        let read = Readings::asked(options)?;
        let settings = self.settings(options)?;
        let iterations = iterations(options)?;
        let games = settings.games;
        let columns = iterations.len();
        let view = play(settings, options, &mut whole(hear))?;
        let line =
            |cell: &CellView| self.line(iterations[cell.cell.first], DEPTHS[cell.cell.second - columns], cell.score);
        let lines: Vec<Line> = view.cells.iter().map(line).collect();
        let plot = self.plot(&lines, &iterations);
        let mut notes = vec![format!(
            "The text has one number, {} % for 4,000 iterations against depth 4, of an unknown number of games",
            self.flat
        )];
        notes.extend(self.verdicts(&lines, &iterations, options.value("eps").is_none()));
        let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
        reading.push(("a point", format!("{games} games, mcts moving first; seed {}", options.seed)));
        reading.push(("mcts", mcts_reading(&mcts(4000, options).replace("4000", "N"), options)));
        let table = Table { lines, chart: plot.text(), reading, notes, ..Table::default() };
        Ok(table.with_chart(self.file, plot.svg()))
    }

    /// Returns the text's share of one player's games against another, in percent.
    pub(super) fn published(&self, players: &[Spec], first: usize, second: usize) -> Option<f64> {
        let Spec::Mcts(Mcts { limit: Limit::Iterations(4000), .. }) = players.get(first)? else { return None };
        let opponent = players.get(second)?.to_string();
        opponent.strip_prefix(self.opponent)?.starts_with(":4").then_some(self.flat)
    }

    /// Returns the line of one point, with the text's remark.
    fn line(&self, iterations: u32, depth: u32, score: Score) -> Line {
        let published = (iterations == counted::ITERATIONS && depth == 4).then_some(self.flat);
        let names = vec![("iterations", json!(iterations)), ("depth", json!(depth))];
        let line = Line::won(format!("mcts:{iterations} v {}:{depth}", self.opponent), published, score).named(names);
        match depth {
            1 => line.remarked(self.shallow),
            8 => line.remarked(AT_DEPTH_8),
            _ => line,
        }
    }

    /// Judges what the text says of the figure, a sentence for each claim: no where an interval or a test contradicts it. `lines` are ordered
    /// by depth, then iterations.
    fn verdicts(&self, lines: &[Line], iterations: &[u32], is_calibrated: bool) -> Vec<String> {
        let curves: Vec<&[Line]> = lines.chunks(iterations.len()).collect();
        let [shallow, _, flat, deep] = curves[..] else { return Vec::new() };
        let most = iterations.iter().rposition(|count| *count <= counted::ITERATIONS);
        let mut verdicts = vec![self.shallow_verdict(shallow), falls(&curves)];
        let Some(at) = most.filter(|at| iterations[*at] == counted::ITERATIONS) else { return verdicts };
        let inside = word(flat[at].is_inside());
        let sample = match is_calibrated {
            true => "; in sample, since eps was chosen by cells of Table 1 with the same players",
            false => "",
        };
        verdicts.push(format!(
            "Depth 4, 4,000 iterations, about {} %: {inside}, {}{sample}",
            self.flat,
            share(&flat[at])
        ));
        let by_share =
            |one: &&Line, other: &&Line| one.measured.partial_cmp(&other.measured).unwrap_or(Ordering::Equal);
        if let Some(highest) = deep[..=at].iter().max_by(by_share) {
            let holds = word(highest.interval.map(|(low, _)| low <= 30.0));
            let highest = share(highest);
            verdicts.push(format!(
                "Depth 8, trouble reaching over 30 % with up to 4,000 iterations: {holds}, at most {highest}"
            ));
        }
        verdicts.extend(flattens(iterations, at, [(4, flat), (8, deep)]));
        verdicts
    }

    /// Judges the text's remark on depth 1.
    fn shallow_verdict(&self, lines: &[Line]) -> String {
        let least = lines.iter().filter_map(|line| line.measured).fold(f64::INFINITY, f64::min);
        let most = lines.iter().filter_map(|line| line.measured).fold(0.0, f64::max);
        let holds = match self.opponent {
            "minimax" if lines.iter().any(|line| line.interval.is_some_and(|(_, high)| high < 50.0)) => "no",
            "minimax" if lines.iter().any(|line| line.interval.is_some_and(|(low, _)| low <= 50.0)) => "open",
            "minimax" => "yes",
            _ => word(Some(most < 100.0)),
        };
        let claim = match self.opponent {
            "minimax" => "performs very well, read as more than half at all iterations",
            _ => "never 100 %",
        };
        format!("Depth 1, {claim}: {holds}, {least:.1} to {most:.1} %")
    }

    /// Plots a curve for each depth; `lines` are ordered by depth.
    fn plot(&self, lines: &[Line], iterations: &[u32]) -> Plot {
        let curve = |(depth, lines): (&u32, &[Line])| Series {
            name: format!("{}:{depth}", self.opponent),
            mark: char::from_digit(*depth, 10).unwrap_or('*'),
            values: lines.iter().filter_map(|line| line.measured).collect(),
            intervals: lines.iter().filter_map(|line| line.interval).collect(),
        };
        let series = DEPTHS.iter().zip(lines.chunks(iterations.len())).map(curve).collect();
        Plot {
            ticks: iterations.iter().map(|count| thousands(*count)).collect(),
            top: Some(100.0),
            published: iterations
                .iter()
                .position(|count| *count == counted::ITERATIONS)
                .map(|point| (point, self.flat)),
            ..Plot::new(self.title, "iterations", "% of games won by MCTS, moving first", series)
        }
    }
}

fn word(holds: Option<bool>) -> &'static str {
    holds.map_or("open", |holds| if holds { "yes" } else { "no" })
}

/// Formats the share of a line with its interval.
fn share(line: &Line) -> String {
    let (low, high) = line.interval.unwrap_or_default();
    format!("{:.1} % (95 %: {low:.1} to {high:.1})", line.measured.unwrap_or_default())
}

/// Returns the difference of two lines' shares in standard errors.
fn apart(one: &Line, other: &Line) -> f64 {
    fit::apart(one.score.unwrap_or_default(), other.score.unwrap_or_default())
}

/// Judges whether the share falls with every step of the depth.
fn falls(curves: &[&[Line]]) -> String {
    let steps =
        curves.windows(2).flat_map(|pair| pair[1].iter().zip(pair[0]).map(|(deep, shallow)| apart(deep, shallow)));
    let steps: Vec<f64> = steps.collect();
    let count = |is: fn(&f64) -> bool| steps.iter().filter(|step| fit::chance(**step) < 0.05 && is(step)).count();
    let [fallen, risen] = [count(|step| *step < 0.0), count(|step| *step > 0.0)];
    let holds = if risen > 0 {
        "no"
    } else if fallen == steps.len() {
        "yes"
    } else {
        "open"
    };
    format!(
        "The share falls as the depth grows: {holds}, significantly (p < 0.05) in {fallen} of {} steps and rising so in {risen}",
        steps.len()
    )
}

/// Judges whether the curves flatten at the thesis' number of iterations, which is number `at`: whether they rise no further.
fn flattens(iterations: &[u32], at: usize, curves: [(u32, &[Line]); 2]) -> Option<String> {
    let last = iterations.len() - 1;
    if last == at {
        return None;
    }
    let gain = |(depth, lines): (u32, &[Line])| {
        let gain = lines[last].measured? - lines[at].measured?;
        let chance = fit::chance(apart(&lines[last], &lines[at]));
        Some((format!("depth {depth} {gain:+.1} points ({})", fit::probability(chance)), gain > 0.0 && chance < 0.05))
    };
    let gains: Vec<(String, bool)> = curves.into_iter().filter_map(gain).collect();
    let rises = gains.iter().any(|(_, rises)| *rises);
    let gains: Vec<&str> = gains.iter().map(|(gain, _)| gain.as_str()).collect();
    let holds = if rises { "no" } else { "open, no rise is significant" };
    Some(format!("Flat from 4,000 iterations: {holds}; up to {}: {}", thousands(iterations[last]), gains.join(", ")))
}

/// Returns the iterations on the x axis, up to the setting `most`.
fn iterations(options: &Options) -> Result<Vec<u32>, Error> {
    let mut most = ITERATIONS[ITERATIONS.len() - 1];
    if let Some(value) = options.value("most") {
        let wanted = || format!("most must be a number of iterations from {} (got {value})", ITERATIONS[0]);
        most = value.parse().ok().filter(|most| *most >= ITERATIONS[0]).ok_or_else(wanted)?;
    }
    Ok(ITERATIONS.into_iter().filter(|count| *count <= most).collect())
}

/// Formats a number below a million with a comma.
fn thousands(count: u32) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", count / 1000, count % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(figure: &Figure, wins: [[u32; 4]; 4]) -> Vec<String> {
        let iterations = [250, 1000, 4000, 16_000];
        let line = |(depth, wins): (u32, [u32; 4])| {
            let score = |wins| Score { wins, draws: 0, losses: 200 - wins };
            iterations.into_iter().zip(wins).map(move |(count, wins)| figure.line(count, depth, score(wins)))
        };
        let lines: Vec<Line> = DEPTHS.into_iter().zip(wins).flat_map(line).collect();
        figure.verdicts(&lines, &iterations, true)
    }

    #[test]
    fn claims_are_judged_by_intervals_and_tests() {
        let yes = verdicts(&FIGURE4, [[190; 4], [150; 4], [120; 4], [60; 4]]);
        assert_eq!(yes.len(), 5);
        assert!(
            yes[0].contains(": yes, 95.0 to 95.0 %") && yes[1].contains(": yes, significantly (p < 0.05) in 12 of 12")
        );
        assert!(yes[2].contains(": yes, 60.0 % (95 %: 53.1 to 66.5); in sample"), "{yes:?}");
        assert!(yes[3].contains(": yes, at most 30.0 %") && yes[4].contains(": open, no rise"), "{yes:?}");
        let no = verdicts(&FIGURE5, [[200; 4], [20; 4], [10, 10, 10, 100], [100; 4]]);
        assert!(no[0].contains(": no, 100.0 to") && no[1].contains(": no, significantly"), "{no:?}");
        assert!(no[2].contains(": no, 5.0 %") && no[3].contains(": no, at most 50.0 %"), "{no:?}");
        assert!(no[4].contains(": no; up to 16,000: depth 4 +45.0 points (p < 0.001), depth 8 +0.0 points"), "{no:?}");
    }

    #[test]
    fn what_is_not_measured_is_not_judged() {
        let wins = [[190; 4], [150; 4], [120; 4], [60; 4]];
        let score = |wins| Score { wins, draws: 0, losses: 200 - wins };
        let lines: Vec<Line> =
            DEPTHS.into_iter().zip(wins).map(|(depth, wins)| FIGURE4.line(250, depth, score(wins[0]))).collect();
        assert_eq!(FIGURE4.verdicts(&lines, &[250], true).len(), 2);
    }
}
