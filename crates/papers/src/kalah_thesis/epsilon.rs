//! The epsilon of Monte Carlo search nearest to its row in Table 1. The thesis does not print it.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{CALIBRATED, ITERATIONS, iterations};
use super::readings::Readings;
use super::run::{play, tournament};
use super::table1::{PLAYERS, PUBLISHED, PUBLISHED_GAMES};
use crate::arena::{Cell, Score, Settings};
use crate::fit::{Fit, standard_errors};
use crate::target::whole;
use crate::{Hear, Line, Options, Table, Verdict};

/// The row of Monte Carlo search in Table 1, which is also the number of its opponents besides itself.
const MCTS: usize = 4;

/// The epsilons to try.
const EPSILONS: [&str; 10] = ["0", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.8", "0.9", "1"];

/// Games of each epsilon against each opponent.
const GAMES: u32 = 1000;

/// The tournament: every epsilon against the four others and itself.
///
/// # Errors
/// An option is invalid.
pub(super) fn settings(options: &Options) -> Result<Settings, Error> {
    let read = Readings::asked(options)?;
    let games = options.games.unwrap_or(GAMES);
    let iterations = iterations(options)?;
    let mut players = read.players(&PLAYERS[..MCTS])?;
    let mut cells = Vec::new();
    for epsilon in EPSILONS {
        let first = players.len();
        players.push(read.player(&format!("mcts:{iterations}:eps={epsilon}"))?);
        cells.extend((0..MCTS).chain([first]).map(|second| Cell { first, second, games }));
    }
    tournament("epsilon", players, cells, options)
}

/// Returns the published share of a player's games, in percent.
pub(super) fn published(first: usize, second: usize) -> Option<f64> {
    PUBLISHED[MCTS][if first == second { MCTS } else { second }].filter(|_| first >= MCTS)
}

/// Measures every epsilon.
///
/// # Errors
/// An option is invalid, or a file cannot be written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let settings = settings(options)?;
    let iterations = iterations(options)?;
    let games = settings.games;
    let view = play(settings, options, &mut whole(hear))?;
    let tried: Vec<EpsilonGames> = EPSILONS
        .iter()
        .zip(view.cells.chunks(MCTS + 1))
        .map(|(epsilon, cells)| EpsilonGames { epsilon, scores: std::array::from_fn(|cell| cells[cell].score) })
        .collect();
    let is_theirs = iterations == ITERATIONS;
    let mut lines: Vec<Line> = tried.iter().flat_map(|tried| tried.lines(iterations)).collect();
    if is_theirs {
        lines.extend(held_out(&tried));
    }
    let notes = match is_theirs {
        true => nearest(&tried),
        false => vec![format!(
            "The thesis plays {ITERATIONS} iterations: its numbers are not set against those of {iterations}"
        )],
    };
    let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
    reading.push(read.max_line());
    reading.push(("a cell", format!("{games} games, mcts:{iterations} moving first; seed {}", options.seed)));
    let table = Table { lines, chart: matrix(&tried, is_theirs), reading, notes, ..Table::default() };
    Ok(table.with_ranges("epsilon", "Kalah thesis, Table 1: epsilon", "% of games won, moving first"))
}

/// One epsilon's games.
struct EpsilonGames {
    epsilon: &'static str,
    /// The scores against the five opponents.
    scores: [Score; MCTS + 1],
}

impl EpsilonGames {
    /// Returns the score against each opponent with the published share, 0 to 1.
    fn cells(&self) -> impl Iterator<Item = (Score, f64)> + '_ {
        let published = PUBLISHED[MCTS].iter().flatten().map(|percent| percent / 100.0);
        self.scores.iter().copied().zip(published)
    }

    /// Returns a line for each opponent, beside its published share if the thesis has as many iterations. Each contains the summary of
    /// all five, for programs.
    fn lines(&self, iterations: u32) -> Vec<Line> {
        let is_theirs = iterations == ITERATIONS;
        let thousandths = |value: f64| json!((1000.0 * value).round() / 1000.0);
        let summary = [("rms", self.difference()), ("chi_square", self.fit().chi_square)]
            .map(|(name, value)| (name, if is_theirs { thousandths(value) } else { json!(null) }));
        let itself = format!("mcts:{iterations}");
        let opponents = PLAYERS[..MCTS].iter().copied().chain([itself.as_str()]);
        let line = |((score, published), opponent): ((Score, f64), &str)| {
            let names =
                [("epsilon", json!(self.epsilon)), ("opponent", json!(opponent))].into_iter().chain(summary.clone());
            let published = is_theirs.then_some(100.0 * published);
            let line =
                Line::won(format!("eps={} v {opponent}", self.epsilon), published, score).over_games(PUBLISHED_GAMES);
            line.named(names.collect::<Vec<_>>())
        };
        self.cells().zip(opponents).map(line).collect()
    }

    /// Returns the root mean square of the differences, in percent.
    fn difference(&self) -> f64 {
        let squares = self.cells().map(|(score, published)| (score.won() - published).powi(2));
        100.0 * (squares.sum::<f64>() / self.scores.len() as f64).sqrt()
    }

    /// Returns the fit of all five.
    fn fit(&self) -> Fit {
        self.fit_of(&[0, 1, 2, 3, 4])
    }

    /// Returns the fit of some cells.
    fn fit_of(&self, cells: &[usize]) -> Fit {
        let all: Vec<(Score, f64)> = self.cells().collect();
        let differs = |cell: &usize| standard_errors(all[*cell].0, all[*cell].1, PUBLISHED_GAMES);
        cells.iter().map(differs).fold(Fit::default(), Fit::plus)
    }
}

/// The cells that the text names, "about 60 %" against minimax and 42 % against the heuristic player.
const NAMED: [usize; 2] = [2, 3];

/// Returns for the named cells, and for the others, the fit with the epsilon that fits the remaining ones best, with a verdict: an epsilon
/// fitted to a cell is no evidence for it.
fn held_out(tried: &[EpsilonGames]) -> Vec<Line> {
    let all: Vec<usize> = (0..=MCTS).collect();
    let (named, others): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|cell| NAMED.contains(cell));
    let halves = [("minimax:4 and heuristic:4", &named, &others), ("random, max and itself", &others, &named)];
    let line = |(what, judging, fitting): (&str, &Vec<usize>, &Vec<usize>)| {
        let by_fit = |a: &&EpsilonGames, b: &&EpsilonGames| {
            a.fit_of(fitting).chi_square.total_cmp(&b.fit_of(fitting).chi_square)
        };
        let best = tried.iter().min_by(by_fit)?;
        let fit = best.fit_of(judging);
        let names = [("epsilon", best.epsilon), ("opponent", what)].map(|(name, text)| (name, json!(text)));
        let summary = [("rms", json!(null)), ("chi_square", json!(fit.chi_square))];
        let line = Line::new(format!("held out: {what}"), None, fit.chi_square, "chi-square");
        let rule = format!("yes if {:.1} or less; eps={} fits the other cells best", fit.quantile(), best.epsilon);
        let line = line.judged(Verdict::from_holds(fit.chi_square <= fit.quantile()), rule);
        Some(line.named(names.into_iter().chain(summary).collect::<Vec<_>>()))
    };
    halves.into_iter().filter_map(line).collect()
}

/// Formats a row for each epsilon, under the published row if `is_theirs`.
fn matrix(tried: &[EpsilonGames], is_theirs: bool) -> Vec<String> {
    let row = |name: &str, shares: &mut dyn Iterator<Item = f64>, ends: [String; 2]| {
        let shares: String = shares.map(|share| format!("{:>13.1}", 100.0 * share)).collect();
        format!("{name:<10}{shares}{:>9}{:>12}", ends[0], ends[1]).trim_end().to_owned()
    };
    let opponents = PLAYERS[..MCTS].iter().chain([&"itself"]).map(|name| format!("{name:>13}")).collect::<String>();
    let ends = if is_theirs { ["rms", "chi-square"] } else { Default::default() };
    let mut lines = vec![
        "% won moving first, against".to_owned(),
        format!("{:<10}{opponents}{:>9}{:>12}", "eps", ends[0], ends[1]).trim_end().to_owned(),
    ];
    if is_theirs {
        let mut published = PUBLISHED[MCTS].iter().flatten().map(|percent| percent / 100.0);
        lines.push(row("published", &mut published, Default::default()));
    }
    for one in tried {
        let ends = match is_theirs {
            true => [format!("{:.1}", one.difference()), format!("{:.1}", one.fit().chi_square)],
            false => Default::default(),
        };
        lines.push(row(one.epsilon, &mut one.scores.iter().map(Score::won), ends));
    }
    lines
}

/// Formats the nearest epsilons, and explains the columns.
fn nearest(tried: &[EpsilonGames]) -> Vec<String> {
    let least = |distance: fn(&EpsilonGames) -> f64| tried.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let mut notes = vec![
        "rms: root mean square of the five differences, in percent of games".to_owned(),
        format!(
            "chi-square: sum of the five squared differences in standard errors of both samples ({PUBLISHED_GAMES} games published)"
        ),
    ];
    if let (Some(by_rms), Some(by_chi)) = (least(EpsilonGames::difference), least(|tried| tried.fit().chi_square)) {
        notes.push(format!("Nearest by rms: eps={} ({:.1})", by_rms.epsilon, by_rms.difference()));
        notes.push(format!("Nearest by chi-square: eps={}, {}", by_chi.epsilon, by_chi.fit()));
    }
    notes.push(format!("table1, figure4 and figure5 use eps={CALIBRATED}; the player's own default is 0.1"));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(epsilon: &'static str, wins: [u32; 5]) -> EpsilonGames {
        EpsilonGames { epsilon, scores: wins.map(|wins| Score { wins, draws: 0, losses: 1000 - wins }) }
    }

    #[test]
    fn the_published_row_itself_is_nearest() {
        let rows = [tried("0.1", [999, 950, 700, 600, 500]), tried("1", [1000, 874, 593, 447, 613])];
        assert!(rows[1].difference() < 1e-9 && rows[1].fit().chi_square < 1e-9);
        let notes = nearest(&rows);
        assert_eq!(notes[2], "Nearest by rms: eps=1 (0.0)");
        assert!(
            notes[3].starts_with("Nearest by chi-square: eps=1, chi-square 0.0 over 5 cells (11.1 or less"),
            "{}",
            notes[3]
        );
        assert!(rows[0].fit().chi_square > rows[0].fit().quantile());
        assert_eq!(rows[1].lines(ITERATIONS)[4].names[2..], [("rms", json!(0.0)), ("chi_square", json!(0.0))]);
        // The first row fits the others as badly as the named cells; the second fits all.
        let held = held_out(&rows);
        assert!(held.len() == 2 && held.iter().all(|line| line.measured.unwrap() < 1e-9), "{held:?}");
        assert!(held[0].remark.as_ref().unwrap().starts_with("yes; yes if 6.0 or less; eps=1 fits"));
        let split = held_out(&[tried("0.5", [1000, 874, 700, 600, 613]), tried("0.7", [999, 950, 593, 447, 300])]);
        assert!(
            split.iter().all(|line| line.measured.unwrap() > 20.0 && line.remark.as_ref().unwrap().starts_with("no; "))
        );
        let other = &rows[1].lines(500)[4];
        assert_eq!((other.what.as_str(), other.published), ("eps=1 v mcts:500", None));
        let matrix = matrix(&rows, true);
        assert!(matrix[2].starts_with("published         100.0         87.4"), "{}", matrix[2]);
        assert!(matrix[4].starts_with("1                 100.0         87.4"), "{}", matrix[4]);
    }
}
