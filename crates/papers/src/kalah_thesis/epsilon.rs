//! The epsilon of Monte Carlo search nearest to its row in Table 1. The thesis does not print it.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{CALIBRATED, inside, iterations, player};
use super::run::{play, tournament};
use super::table1::{PLAYERS, PUBLISHED};
use super::{asked_reading, reading};
use crate::arena::{Cell, Score, Settings};
use crate::player::Spec;
use crate::{Hear, Line, Options, Table};

/// The row of Monte Carlo search in Table 1, which is also the number of its opponents besides itself.
const MCTS: usize = 4;

/// The epsilons to try.
const EPSILONS: [&str; 10] = ["0", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.8", "0.9", "1"];

/// Games of each epsilon against each opponent.
const GAMES: u32 = 1000;

/// Games of each published number.
const PUBLISHED_GAMES: f64 = 1000.0;

/// The 95 % quantile of the chi-square distribution with five degrees of freedom.
const CHANCE: f64 = 11.07;

/// The tournament: every epsilon against the four others and itself.
///
/// # Errors
/// An option is invalid.
pub(super) fn settings(options: &Options) -> Result<Settings, Error> {
    let read = asked_reading(options)?;
    let (games, iterations) = (options.games.unwrap_or(GAMES), iterations(options)?);
    let mut players = PLAYERS[..MCTS].iter().map(|text| player(text, read)).collect::<Result<Vec<Spec>, Error>>()?;
    let mut cells = Vec::new();
    for epsilon in EPSILONS {
        let first = players.len();
        players.push(player(&format!("mcts:{iterations}:eps={epsilon}"), read)?);
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
    let read = asked_reading(options)?;
    let (settings, iterations) = (settings(options)?, iterations(options)?);
    let games = settings.games;
    let view = play(settings, options, hear)?;
    let tried: Vec<Tried> = EPSILONS
        .iter()
        .zip(view.cells.chunks(MCTS + 1))
        .map(|(epsilon, cells)| Tried { epsilon, scores: std::array::from_fn(|cell| cells[cell].score) })
        .collect();
    let lines: Vec<Line> = tried.iter().flat_map(Tried::lines).collect();
    let mut notes = nearest(&tried);
    notes.push(inside(&lines));
    let mut reading = reading(read, view.settings.opening);
    reading.push(("a cell", format!("{games} games, mcts:{iterations} moving first; seed {}", options.seed)));
    let table = Table { lines, chart: matrix(&tried), reading, notes, ..Table::default() };
    Ok(table.with_ranges("epsilon", "Kalah thesis, Table 1: epsilon", "% of games won, moving first"))
}

/// One epsilon's games.
struct Tried {
    epsilon: &'static str,
    /// The scores against the five opponents.
    scores: [Score; MCTS + 1],
}

impl Tried {
    /// Returns the score against each opponent with the published share, 0 to 1.
    fn cells(&self) -> impl Iterator<Item = (Score, f64)> + '_ {
        let published = PUBLISHED[MCTS].iter().flatten().map(|percent| percent / 100.0);
        self.scores.iter().copied().zip(published)
    }

    /// Returns a line for each opponent. Each contains the summary of all five, for programs.
    fn lines(&self) -> Vec<Line> {
        let thousandths = |value: f64| json!((1000.0 * value).round() / 1000.0);
        let summary = [("rms", thousandths(self.difference())), ("chi_square", thousandths(self.chi_square()))];
        let line = |((score, published), opponent): ((Score, f64), &str)| {
            let names =
                [("epsilon", json!(self.epsilon)), ("opponent", json!(opponent))].into_iter().chain(summary.clone());
            let line = Line::won(format!("eps={} v {opponent}", self.epsilon), Some(100.0 * published), score);
            line.named(names.collect::<Vec<_>>())
        };
        self.cells().zip(PLAYERS).map(line).collect()
    }

    /// Returns the root mean square of the differences, in percent.
    fn difference(&self) -> f64 {
        let squares = self.cells().map(|(score, published)| (score.won() - published).powi(2));
        100.0 * (squares.sum::<f64>() / self.scores.len() as f64).sqrt()
    }

    /// Returns the sum of the squared differences in standard errors.
    fn chi_square(&self) -> f64 {
        self.cells().map(|(score, published)| z(score, published).powi(2)).sum()
    }
}

/// Returns the difference of two samples' shares in standard errors. One win and one loss are added to their common share, so that
/// 100 % has an error too.
fn z(score: Score, published: f64) -> f64 {
    let games = f64::from(score.games());
    let common = (f64::from(score.wins) + published * PUBLISHED_GAMES + 1.0) / (games + PUBLISHED_GAMES + 2.0);
    let variance = common * (1.0 - common) * (1.0 / games.max(1.0) + 1.0 / PUBLISHED_GAMES);
    (score.won() - published) / variance.sqrt()
}

/// Formats a row for each epsilon under the published row.
fn matrix(tried: &[Tried]) -> Vec<String> {
    let row = |name: &str, shares: &mut dyn Iterator<Item = f64>, ends: [String; 2]| {
        let shares: String = shares.map(|share| format!("{:>13.1}", 100.0 * share)).collect();
        format!("{name:<10}{shares}{:>9}{:>12}", ends[0], ends[1]).trim_end().to_owned()
    };
    let opponents = PLAYERS[..MCTS].iter().chain([&"itself"]).map(|name| format!("{name:>13}")).collect::<String>();
    let mut lines = vec![
        "% won moving first, against".to_owned(),
        format!("{:<10}{opponents}{:>9}{:>12}", "eps", "rms", "chi-square"),
        row("published", &mut PUBLISHED[MCTS].iter().flatten().map(|percent| percent / 100.0), Default::default()),
    ];
    for one in tried {
        let ends = [format!("{:.1}", one.difference()), format!("{:.1}", one.chi_square())];
        lines.push(row(one.epsilon, &mut one.scores.iter().map(Score::won), ends));
    }
    lines
}

/// Formats the nearest epsilons, and explains the columns.
fn nearest(tried: &[Tried]) -> Vec<String> {
    let least = |of: fn(&Tried) -> f64| tried.iter().min_by(|a, b| of(a).total_cmp(&of(b)));
    let mut notes = vec![
        "rms: root mean square of the five differences, in percent of games".to_owned(),
        format!(
            "chi-square: sum of the squared differences in standard errors of both samples ({PUBLISHED_GAMES} games published); below {CHANCE} in 95 % of cases by chance"
        ),
    ];
    if let (Some(by_rms), Some(by_chi)) = (least(Tried::difference), least(Tried::chi_square)) {
        notes.push(format!("Nearest by rms: eps={} ({:.1})", by_rms.epsilon, by_rms.difference()));
        let fits = if by_chi.chi_square() < CHANCE { "chance could explain it" } else { "more than chance explains" };
        notes.push(format!("Nearest by chi-square: eps={} ({:.1}, {fits})", by_chi.epsilon, by_chi.chi_square()));
    }
    notes.push(format!("table1, figure4 and figure5 use eps={CALIBRATED}; the player's own default is 0.1"));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(epsilon: &'static str, wins: [u32; 5]) -> Tried {
        Tried { epsilon, scores: wins.map(|wins| Score { wins, draws: 0, losses: 1000 - wins }) }
    }

    #[test]
    fn the_published_row_itself_is_nearest() {
        let rows = [tried("0.1", [999, 950, 700, 600, 500]), tried("1", [1000, 874, 593, 447, 613])];
        assert!(rows[1].difference() < 1e-9 && rows[1].chi_square() < 1e-9);
        let notes = nearest(&rows);
        assert_eq!(notes[2], "Nearest by rms: eps=1 (0.0)");
        assert_eq!(notes[3], "Nearest by chi-square: eps=1 (0.0, chance could explain it)");
        assert!(rows[0].chi_square() > CHANCE);
        assert_eq!(rows[1].lines()[4].names[2..], [("rms", json!(0.0)), ("chi_square", json!(0.0))]);
        let matrix = matrix(&rows);
        assert!(matrix[2].starts_with("published         100.0         87.4"), "{}", matrix[2]);
        assert!(matrix[4].starts_with("1                 100.0         87.4"), "{}", matrix[4]);
    }

    #[test]
    fn differences_are_reported_in_standard_errors() {
        // Two samples of 1,000 with shares of about 0.5 and 0.55: the error is 2.2 %.
        assert!((z(Score { wins: 550, draws: 0, losses: 450 }, 0.5) - 2.24).abs() < 0.01);
        assert!(z(Score { wins: 1, draws: 0, losses: 0 }, 1.0).abs() < 1e-9);
    }
}
