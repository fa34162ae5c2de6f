//! Table 1's pairs with a player that chooses by chance, from the table's random moves and from none. Games of deterministic players repeat
//! without random moves at their start; random, mcts and a3c draw their moves anyway.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{iterations, mcts_reading};
use super::readings::{Readings, number};
use super::run::play;
use super::table1::{self, A3C, MCTS};
use crate::arena::{Pairs, Settings};
use crate::fit::Fit;
use crate::player::Spec;
use crate::target::part;
use crate::{Hear, Line, Options, Table};

/// The setting: the other number of random moves, or [`SAME`].
pub(super) const KEY: &str = "chance_opening";
/// The value without a second opening.
const SAME: &str = "same";

/// Returns the other number of random opening moves of such pairs; `None` if it is that of all pairs.
///
/// # Errors
/// The setting is neither a number nor `same`.
pub(super) fn other(options: &Options) -> Result<Option<u32>, Error> {
    match options.value(KEY) {
        Some(SAME) => Ok(None),
        Some(value) => number(KEY, value, 0, 100).map(Some),
        None => Ok(Some(0)),
    }
}

/// Returns the options with this number of random opening moves for all pairs.
pub(super) fn with(options: &Options, moves: u32) -> Options {
    let mut options = options.clone();
    options.set.push(("opening".to_owned(), moves.to_string()));
    options
}

/// Table 1's tournament with these pairs alone, from this number of random moves.
fn settings(options: &Options, moves: u32) -> Result<Settings, Error> {
    let settings = table1::settings(&with(options, moves))?;
    let by_chance = |player: usize| matches!(settings.players[player], Spec::Random | Spec::Mcts(_) | Spec::A3c(_));
    let cells = settings.cells().into_iter().filter(|cell| by_chance(cell.first) || by_chance(cell.second));
    let pairs = Pairs::only(cells.map(|cell| (cell.first, cell.second)));
    Ok(Settings { preset: format!("{}-opening{moves}", settings.preset), pairs, ..settings })
}

/// Plays the pairs from both numbers of random moves.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let iterations = iterations(options)?;
    let openings: Vec<u32> = [Some(read.opening), other(options)?].into_iter().flatten().collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut chart = Vec::new();
    let mut fits = Vec::new();
    let mut reading = read.lines();
    for (nth, &moves) in openings.iter().enumerate() {
        let name = format!("from {moves} random moves, ");
        let view = play(settings(options, moves)?, options, &mut part(hear, nth, openings.len(), &name))?;
        let cells = table1::lines(&view, iterations);
        chart.extend((nth > 0).then(String::new));
        chart.push(format!("measured (published), from {moves} random moves"));
        chart.extend(table1::matrix(&cells, iterations));
        let known = cells.iter().filter(|line| !line.what.contains(A3C));
        fits.push(format!("from {moves} random moves: {}", Fit::measure(known)));
        if nth == 0 {
            let games = view.settings.games;
            reading.push(("a cell", format!("{games} games, the row's player moving first; seed {}", options.seed)));
            reading.extend([read.max_line(), ("mcts", mcts_reading(&view.players[MCTS], options))]);
        }
        lines.extend(cells.into_iter().map(|line| named(line, moves)));
    }
    fits.push("Fits are of the cells without a3c, whose network is not the thesis'.".to_owned());
    let table = Table { chart, lines, reading, notes: fits, ..Table::default() };
    Ok(table.with_ranges("opening", "Kalah thesis, Table 1 by opening", "% of games won, moving first"))
}

fn named(line: Line, moves: u32) -> Line {
    let names: Vec<_> = line.names.iter().cloned().chain([("opening", json!(moves))]).collect();
    Line { what: format!("{}, opening {moves}", line.what), ..line }.named(names)
}

/// Returns the reading of targets that play such pairs from another number of random moves too.
pub(super) fn reading(other: Option<u32>) -> Vec<(&'static str, String)> {
    let text = |moves: u32| format!("the last networks also from {moves} random moves, since they choose by chance");
    other.map(|moves| ("opening", text(moves))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn pairs_that_choose_by_chance_play_with_and_without_an_opening() {
        let play = |set: &[&str]| {
            let options = Options { games: Some(2), ..Options::default() };
            let small = ["iterations=20"];
            reproduce("kalah-thesis/opening", &[&small, set].concat(), options, &mut |_| ()).unwrap()
        };
        let table = play(&[]);
        assert_eq!((table.lines.len(), table.chart.len()), (2 * 27, 2 * 8 + 1));
        assert_eq!(table.lines[53].what, "a3c v a3c, opening 0");
        assert!(!table.lines.iter().any(|line| line.what.starts_with("max v minimax")));
        // With the opening they are Table 1's games.
        let options = Options { games: Some(2), ..Options::default() };
        let whole = reproduce("kalah-thesis/table1", &["iterations=20"], options, &mut |_| ()).unwrap();
        for line in &table.lines[..27] {
            let own = whole.lines.iter().find(|own| line.what == format!("{}, opening 2", own.what)).unwrap();
            assert_eq!((line.score, line.published), (own.score, own.published));
        }
        assert_eq!(play(&["chance_opening=same"]).lines, table.lines[..27]);
        assert!(play(&["chance_opening=1"]).lines[53].what.ends_with("opening 1"));
    }
}
