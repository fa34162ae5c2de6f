//! Games that were counted, as lines of a table and rows of a chart; and the players that played them.

use mancalab_base::Error;
use serde_json::json;

use super::OPENING;
use crate::arena::{Score, wilson};
use crate::player::Spec;
use crate::player::heuristic::Reading;
use crate::search::Ties;
use crate::{Line, Options};

/// The epsilon that the Monte Carlo player of table1, figure4 and figure5 has unless another is set: the one that came nearest to
/// the published row in `kalah-thesis/epsilon`. The player's own default is another matter.
pub const CALIBRATED: &str = "0.9";

/// A player of the thesis, with its readings.
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

/// The text of the Monte Carlo player, with the epsilon that is asked for or the calibrated one.
pub(super) fn mcts(iterations: u32, options: &Options) -> String {
    format!("mcts:{iterations}:eps={}", options.value("eps").unwrap_or(CALIBRATED))
}

/// How that player is read.
pub(super) fn mcts_reading(text: &str, options: &Options) -> String {
    let whence = match options.value("eps") {
        Some(_) => format!("asked for; calibrated against Table 1 it is {CALIBRATED}"),
        None => "calibrated against the five cells of mcts in Table 1, see kalah-thesis/epsilon".to_owned(),
    };
    format!("{text}; a playout's move is random with probability eps, else the greatest gain; eps was {whence}")
}

/// Iterations of the Monte Carlo player: those of the thesis, or fewer where time is short.
///
/// # Errors
/// `iterations` is set, and not to a count.
pub(super) fn iterations(options: &Options) -> Result<u32, Error> {
    let Some(value) = options.value("iterations") else { return Ok(4000) };
    let count = value.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("iterations takes a number from 1 on; '{value}' is none").into())
}

/// How many moves at the start of a game are random.
///
/// # Errors
/// `opening` is set, and not to a number of moves.
pub(super) fn opening(options: &Options) -> Result<u32, Error> {
    let Some(value) = options.value("opening") else { return Ok(OPENING) };
    let moves = value.parse().ok().filter(|moves| *moves <= 100);
    moves.ok_or_else(|| format!("opening takes a number of moves from 0 to 100; '{value}' is none").into())
}

/// Three lines for a match: all its games, then those from either seat, as the player sees them; `names` tell which match it is.
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

/// How many of the published values lie in the intervals of those measured, in a sentence.
pub(super) fn inside(lines: &[Line]) -> String {
    let known: Vec<bool> = lines.iter().filter_map(Line::is_inside).collect();
    if known.is_empty() {
        return "Nothing of this is published in numbers".to_owned();
    }
    format!(
        "{} of {} published values lie in the 95 % interval (Wilson) of what is measured",
        known.iter().filter(|inside| **inside).count(),
        known.len()
    )
}

/// How many would lie inside if draws were counted in another way, in a sentence: the thesis does not say how it did.
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
    format!("With draws counted half it would be {half}, without drawn games {decided}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_can_be_counted_in_other_ways() {
        let lines = |published| vec![Line::won("a v b", Some(published), Score { wins: 500, draws: 100, losses: 400 })];
        assert_eq!(inside_with_draws(&lines(55.0)), "With draws counted half it would be 1, without drawn games 1");
        assert_eq!(inside_with_draws(&lines(52.0)), "With draws counted half it would be 1, without drawn games 0");
        assert_eq!(inside_with_draws(&lines(50.0)), "With draws counted half it would be 0, without drawn games 0");
    }

    #[test]
    fn the_calibrated_epsilon_gives_way_to_one_that_is_set() {
        let (usual, set) = (Options::default(), [("eps", "0.3"), ("eps", "0.1")]);
        let asked =
            Options { set: set.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(), ..usual.clone() };
        assert_eq!(mcts(4000, &usual), format!("mcts:4000:eps={CALIBRATED}"));
        assert_eq!(mcts(250, &asked), "mcts:250:eps=0.1");
        assert!(mcts_reading("", &usual).contains("was calibrated") && mcts_reading("", &asked).contains("asked for"));
        assert!(CALIBRATED.parse::<crate::search::mcts::Epsilon>().is_ok());
    }
}
