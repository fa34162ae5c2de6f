//! Scores as lines of a table and rows of a chart; and the players of the thesis.

use mancalab_base::Error;
use serde_json::json;

use super::OPENING;
use crate::arena::{Score, wilson};
use crate::player::Spec;
use crate::player::heuristic::Reading;
use crate::search::Ties;
use crate::{Line, Options};

/// The default epsilon of the Monte Carlo player in table1, figure4 and figure5: the one nearest to the published row in
/// `kalah-thesis/epsilon`. The player's own default differs.
pub const CALIBRATED: &str = "0.9";

/// Builds a player of the thesis, with these readings.
pub(super) fn player(text: &str, reading: Reading) -> Result<Spec, Error> {
    let mut spec: Spec = text.parse()?;
    match &mut spec {
        Spec::Minimax(minimax) => minimax.ties = Ties::Random,
        Spec::Heuristic(heuristic) => (heuristic.ties, heuristic.reading) = (Ties::Random, reading),
        Spec::Hybrid(hybrid) => (hybrid.plain.ties, hybrid.plain.reading) = (Ties::Random, reading),
        _ => {}
    }
    Ok(spec)
}

/// Returns the text of the Monte Carlo player, with the epsilon of the options or the calibrated one.
pub(super) fn mcts(iterations: u32, options: &Options) -> String {
    format!("mcts:{iterations}:eps={}", options.value("eps").unwrap_or(CALIBRATED))
}

/// Returns the reading of that player.
pub(super) fn mcts_reading(text: &str, options: &Options) -> String {
    let whence = match options.value("eps") {
        Some(_) => format!("set by an option; the value calibrated against Table 1 is {CALIBRATED}"),
        None => "calibrated against the five cells of mcts in Table 1, see kalah-thesis/epsilon".to_owned(),
    };
    format!("{text}; a playout's move is random with probability eps, else the greatest gain; eps was {whence}")
}

/// Returns the iterations of the Monte Carlo player: those of the thesis, or the setting `iterations`.
///
/// # Errors
/// `iterations` is not a positive number.
pub(super) fn iterations(options: &Options) -> Result<u32, Error> {
    let Some(value) = options.value("iterations") else { return Ok(4000) };
    let count = value.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("iterations must be a number from 1 (got {value})").into())
}

/// Returns the number of random moves at the start of a game.
///
/// # Errors
/// `opening` is not a number of moves.
pub(super) fn opening(options: &Options) -> Result<u32, Error> {
    let Some(value) = options.value("opening") else { return Ok(OPENING) };
    let moves = value.parse().ok().filter(|moves| *moves <= 100);
    moves.ok_or_else(|| format!("opening must be a number of moves from 0 to 100 (got {value})").into())
}

/// Returns three lines for a match: all its games, then those from either side, scored for the player; `names` identify the match.
pub(super) fn seats(
    what: &str,
    published: Option<f64>,
    [first, second]: [Score; 2],
    names: &[(&'static str, &str)],
) -> Vec<Line> {
    let line = |(seat, score): (&str, Score)| {
        let whole = seat == "both";
        let label = if whole { what.to_owned() } else { format!("  moving {seat}") };
        let names = names.iter().copied().chain([("seat", seat)]).map(|(name, text)| (name, json!(text)));
        Line::won(label, published.filter(|_| whole), score).named(names.collect::<Vec<_>>())
    };
    [("both", first.plus(second)), ("first", first), ("second", second)].map(line).to_vec()
}

/// Counts the published values inside the intervals of the measured ones, in a sentence.
pub(super) fn inside(lines: &[Line]) -> String {
    let known: Vec<bool> = lines.iter().filter_map(Line::is_inside).collect();
    if known.is_empty() {
        return "No number of this is published".to_owned();
    }
    format!(
        "{} of {} published values are inside the measured 95 % interval (Wilson)",
        known.iter().filter(|inside| **inside).count(),
        known.len()
    )
}

/// Counts those inside if draws are counted differently, in a sentence: the thesis does not define its count.
pub(super) fn inside_with_draws(lines: &[Line]) -> String {
    let count = |share: fn(Score) -> (f64, u32)| {
        let holds = |line: &&Line| {
            let Some((score, published)) = line.score.zip(line.published) else { return false };
            let (share, games) = share(score);
            let (low, high) = wilson(share, games);
            (low - 1e-6..=high + 1e-6).contains(&(published / 100.0))
        };
        lines.iter().filter(holds).count()
    };
    let half = count(|score| (score.share(), score.games()));
    let decided = count(|score| {
        let decided = score.wins + score.losses;
        (f64::from(score.wins) / f64::from(decided.max(1)), decided)
    });
    format!("With draws as half wins: {half}; without drawn games: {decided}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_can_be_counted_in_other_ways() {
        let lines = |published| vec![Line::won("a v b", Some(published), Score { wins: 500, draws: 100, losses: 400 })];
        assert_eq!(inside_with_draws(&lines(55.0)), "With draws as half wins: 1; without drawn games: 1");
        assert_eq!(inside_with_draws(&lines(52.0)), "With draws as half wins: 1; without drawn games: 0");
        assert_eq!(inside_with_draws(&lines(50.0)), "With draws as half wins: 0; without drawn games: 0");
    }

    #[test]
    fn the_calibrated_epsilon_gives_way_to_one_that_is_set() {
        let (usual, set) = (Options::default(), [("eps", "0.3"), ("eps", "0.1")]);
        let asked =
            Options { set: set.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(), ..usual.clone() };
        assert_eq!(mcts(4000, &usual), format!("mcts:4000:eps={CALIBRATED}"));
        assert_eq!(mcts(250, &asked), "mcts:250:eps=0.1");
        assert!(
            mcts_reading("", &usual).contains("was calibrated")
                && mcts_reading("", &asked).contains("set by an option")
        );
        assert!(CALIBRATED.parse::<crate::search::mcts::Epsilon>().is_ok());
    }
}
