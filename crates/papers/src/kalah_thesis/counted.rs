//! Scores as lines of a table and rows of a chart; and the players of the thesis.

use mancalab_base::Error;
use serde_json::json;

use crate::arena::Score;
use crate::fit::Fit;
use crate::{Line, Options};

/// The iterations of the Monte Carlo player in Table 1.
pub(super) const ITERATIONS: u32 = 4000;

/// The default epsilon of the Monte Carlo player in table1, figure4 and figure5: the one nearest to the published row in
/// `kalah-thesis/epsilon`, with the last of Max's equally good moves as with a random one. The player's own default differs.
pub(super) const CALIBRATED: &str = "0.9";

/// Returns the text of the Monte Carlo player, with the epsilon of the options or the calibrated one.
pub(super) fn mcts(iterations: u32, options: &Options) -> String {
    format!("mcts:{iterations}:eps={}", options.value("eps").unwrap_or(CALIBRATED))
}

/// Returns the reading of that player.
pub(super) fn mcts_reading(text: &str, options: &Options) -> String {
    let whence = match options.value("eps") {
        Some(_) => format!("set by an option; the value calibrated against Table 1 is {}", CALIBRATED),
        None => "calibrated against the five cells of mcts in Table 1, see kalah-thesis/epsilon".to_owned(),
    };
    format!("{text}; a playout's move is random with probability eps, else the greatest gain; eps was {whence}")
}

/// Returns the iterations of the Monte Carlo player: those of the thesis, or the setting `iterations`.
///
/// # Errors
/// `iterations` is not a positive number.
pub(super) fn iterations(options: &Options) -> Result<u32, Error> {
    let Some(value) = options.value("iterations") else { return Ok(ITERATIONS) };
    let count = value.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("iterations must be a number from 1 (got {value})").into())
}

/// Returns three lines for a match: all its games, then those from either side, scored for the player; `names` identify the match;
/// `published` is the share, in percent, with its number of games.
pub(super) fn seats(
    what: &str,
    published: Option<(f64, u32)>,
    [first, second]: [Score; 2],
    names: &[(&'static str, &str)],
) -> Vec<Line> {
    let line = |(seat, score): (&str, Score)| {
        let whole = seat == "both";
        let label = if whole { what.to_owned() } else { format!("  moving {seat}") };
        let names = names.iter().copied().chain([("seat", seat)]).map(|(name, text)| (name, json!(text)));
        let (share, games) = published.filter(|_| whole).unzip();
        let line = Line::won(label, share, score).named(names.collect::<Vec<_>>());
        Line { published_games: games, ..line }
    };
    [("both", first.plus(second)), ("first", first), ("second", second)].map(line).to_vec()
}

/// Says how well the shares of games fit the published ones, in sentences.
pub(super) fn fits(lines: &[Line]) -> Vec<String> {
    let chances: Vec<f64> = lines.iter().filter_map(Line::chance).collect();
    if chances.is_empty() {
        return vec!["No number of this is published".to_owned()];
    }
    let likely = chances.iter().filter(|chance| **chance >= 0.05).count();
    vec![
        format!("{} for all published cells", Fit::measure(lines)),
        format!(
            "p: how likely chance alone makes a difference as large, both shares being samples; 0.05 or more in {likely} of {}",
            chances.len()
        ),
    ]
}

/// Says how well they fit if draws are counted differently, in a sentence: the thesis does not define its count.
pub(super) fn fits_with_draws(lines: &[Line]) -> String {
    let fit = |count: fn(Score) -> Score| {
        Fit::measure(
            &lines.iter().map(|line| Line { score: line.score.map(count), ..line.clone() }).collect::<Vec<_>>(),
        )
    };
    // A draw is half a win: every second one, rounded down, counts as won.
    let half = fit(|Score { wins, draws, losses }| Score {
        wins: wins + draws / 2,
        draws: 0,
        losses: losses + draws.div_ceil(2),
    });
    let decided = fit(|score| Score { draws: 0, ..score });
    format!(
        "With draws as half wins: chi-square {:.1}; without drawn games: {:.1}",
        half.chi_square, decided.chi_square
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_can_be_counted_in_other_ways() {
        let score = Score { wins: 500, draws: 100, losses: 400 };
        let text = |published| fits_with_draws(&[Line::won("a v b", Some(published), score).over_games(1000)]);
        assert_eq!(text(55.0), "With draws as half wins: chi-square 0.0; without drawn games: 0.1");
        assert_eq!(text(50.0), "With draws as half wins: chi-square 5.0; without drawn games: 5.9");
    }

    #[test]
    fn a_table_is_judged_as_a_whole() {
        let score = Score { wins: 500, draws: 100, losses: 400 };
        let lines = [50.0, 40.0].map(|published| Line::won("a v b", Some(published), score).over_games(1000));
        let said = fits(&lines);
        assert!(
            said[0].starts_with("chi-square 20.2 over 2 cells (6.0 or less in 95 % of cases by chance; p < 0.001)"),
            "{said:?}"
        );
        assert!(said[1].ends_with("0.05 or more in 1 of 2"), "{said:?}");
        assert_eq!(fits(&[]), ["No number of this is published"]);
    }

    #[test]
    fn the_calibrated_epsilon_gives_way_to_one_that_is_set() {
        let usual = Options::default();
        let set = [("eps", "0.3"), ("eps", "0.1")];
        let asked =
            Options { set: set.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(), ..usual.clone() };
        assert_eq!(mcts(4000, &usual), format!("mcts:4000:eps={CALIBRATED}"));
        assert_eq!(mcts(250, &asked), "mcts:250:eps=0.1");
        assert!(mcts_reading("", &usual).contains("was calibrated"));
        assert!(mcts_reading("", &asked).contains("set by an option"));
        assert!(CALIBRATED.parse::<crate::search::mcts::Epsilon>().is_ok());
    }
}
