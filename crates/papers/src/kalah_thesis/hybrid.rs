//! The genetic algorithm and the network combined, which the thesis proposes at its end and leaves open: ten heuristics and a network's
//! value in one sum, against each of its parts and against others, and the parts against the others. None of this is published.

use super::counted::seats;
use super::readings::Readings;
use super::run::{both_seats, play, tournament};
use crate::arena::{CellView, Settings, View};
use crate::target::whole;
use crate::{Hear, Line, Options, Table};
use mancalab_base::Error;

/// The default player; another may be set, such as the best of a run of `mancalab tune kalah-hybrid`.
const HYBRID: &str = "heuristic:4:net=best";

/// The parts: the ten heuristics with their own weights at the same depth, and the network, sampled and at its most likely move.
const PARTS: [&str; 3] = ["heuristic:4", "a3c", "a3c:greedy=yes"];

/// The opponents of the player and its parts.
const OTHERS: [&str; 2] = ["minimax:6", "minimax:8"];

/// Random moves at the start of games: more than elsewhere, since weights and network were trained on the usual openings.
const OPENING: &str = "6";

/// The reading of H9 and H10 with which the player's weights and network were trained.
const NEAR: &str = "difference";

/// Returns the options with the defaults of this target.
fn with_defaults(options: &Options) -> Options {
    let mut options = options.clone();
    let defaults = [("opening", OPENING), ("near", NEAR)];
    options.set.splice(0..0, defaults.map(|(key, value)| (key.to_owned(), value.to_owned())));
    options
}

/// The tournament: the player against its parts, then all of these against the others, each from both sides.
///
/// # Errors
/// An option is invalid.
pub(super) fn settings(options: &Options) -> Result<Settings, Error> {
    let options = &with_defaults(options);
    let read = Readings::asked(options)?;
    let games = options.games.unwrap_or(400);
    let hybrid = options.value("player").unwrap_or(HYBRID);
    let players = read.players([hybrid].into_iter().chain(PARTS).chain(OTHERS))?;
    let own = 0;
    let parts = 1..=PARTS.len();
    let others = || PARTS.len() + 1..=PARTS.len() + OTHERS.len();
    let with_parts = parts.clone().map(|part| (own, part));
    let with_others = others().flat_map(|other| std::iter::once(own).chain(parts.clone()).map(move |one| (one, other)));
    let cells = with_parts.chain(with_others).flat_map(|(one, other)| both_seats(one, other, games));
    tournament("hybrid", players, cells, options)
}

/// Plays the matches.
///
/// # Errors
/// An option is invalid, or a file cannot be written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(&with_defaults(options))?;
    let settings = settings(options)?;
    let games = options.games.unwrap_or(400);
    let view = play(settings, options, &mut whole(hear))?;
    let lines = lines(&view);
    let notes = vec![verdict(&view), times(&view)];
    let mut reading = read.lines();
    reading.push(("H11", "the network's value at the leaves of the search, in percent of a game won".to_owned()));
    reading.push(("player", view.players[0].clone()));
    reading.push(("a match", format!("{games} games, each side moves first in half of them; seed {}", options.seed)));
    let table = Table { lines, reading, notes, ..Table::default() };
    Ok(table.with_ranges("hybrid", "Kalah: ten heuristics and a network", "% of games won"))
}

/// Returns the two cells of each match, scored for the player named first.
fn matches(view: &View) -> impl Iterator<Item = [&CellView; 2]> {
    let first = view.cells.iter().filter(|cell| cell.cell.first < cell.cell.second);
    first.filter_map(|cell| Some([cell, view.cell(cell.cell.second, cell.cell.first)?]))
}

/// Returns three lines for every match: all its games, then those from either side.
fn lines(view: &View) -> Vec<Line> {
    let lines = |[one, other]: [&CellView; 2]| {
        let [player, opponent] = [one.cell.first, one.cell.second].map(|index| view.players[index].as_str());
        let names = [("player", player), ("opponent", opponent)];
        seats(&format!("{player} v {opponent}"), None, [one.score, other.score.turned()], &names)
    };
    matches(view).flat_map(lines).collect()
}

/// Compares the player with its parts by the points of their matches, in a sentence.
fn verdict(view: &View) -> String {
    let results: Vec<String> = matches(view)
        .filter(|[one, _]| one.cell.first == 0 && one.cell.second <= PARTS.len())
        .map(|[one, other]| {
            let score = one.score.plus(other.score.turned());
            let (low, high) = score.interval();
            let what = match () {
                () if low > 0.5 => "beats",
                () if high < 0.5 => "loses to",
                () => "does not differ significantly from",
            };
            let [share, low, high] = [score.share(), low, high].map(|share| 100.0 * share);
            format!("{what} {} with {share:.1} % of the points ({low:.1} to {high:.1})", view.players[one.cell.second])
        })
        .collect();
    format!("The combination {}", results.join(", "))
}

/// Formats the mean time per move of each player, in a sentence.
fn times(view: &View) -> String {
    let time = |player: usize| {
        let mut spent = (0.0, 0);
        for cell in &view.cells {
            for (seat, who) in [cell.cell.first, cell.cell.second].into_iter().enumerate() {
                if who == player {
                    spent = (spent.0 + cell.time[seat].as_secs_f64(), spent.1 + cell.turns[seat]);
                }
            }
        }
        1e3 * spent.0 / f64::from(u32::try_from(spent.1.max(1)).unwrap_or(u32::MAX))
    };
    let times = view.players.iter().enumerate().map(|(index, player)| format!("{player} {:.3}", time(index)));
    format!("Time per move on this machine, in milliseconds: {}", times.collect::<Vec<_>>().join(", "))
}
