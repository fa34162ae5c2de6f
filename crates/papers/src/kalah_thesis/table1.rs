//! Table 1: every player against every other, the row's player moving first.

use mancalab_base::Error;
use serde_json::json;

use super::counted::{ITERATIONS, fits, fits_with_draws, iterations, mcts, mcts_reading};
use super::readings::Readings;
use super::run::{play, tournament};
use crate::arena::{Cell, Score, Settings, View};
use crate::fit::{Fit, standard_errors};
use crate::player::Spec;
use crate::target::whole;
use crate::train;
use crate::{Hear, Line, Options, Table};

/// The players in the table's order.
pub const PLAYERS: [&str; 6] = ["random", "max", "minimax:4", "heuristic:4", "mcts:4000", A3C];
pub(super) const A3C: &str = "a3c";

/// Games won by the row's player, moving first, in percent of 1,000; `None` if the thesis did not play them.
pub const PUBLISHED: [[Option<f64>; 6]; 6] = [
    [Some(51.3), Some(4.1), Some(2.7), Some(0.5), Some(0.0), Some(4.0)],
    [Some(96.0), Some(55.3), Some(15.2), Some(12.5), Some(4.5), Some(26.4)],
    [Some(98.2), Some(85.8), Some(61.5), Some(35.2), None, Some(48.0)],
    [Some(99.5), Some(90.2), Some(68.5), Some(61.0), None, Some(53.5)],
    [Some(100.0), Some(87.4), Some(59.3), Some(44.7), Some(61.3), None],
    [Some(97.6), Some(89.3), Some(71.4), Some(67.1), None, Some(79.0)],
];
/// Places in the table.
pub(super) const HEURISTIC: usize = 3;
pub(super) const MCTS: usize = 4;
pub(super) const NETWORK: usize = 5;

/// Players of which the thesis leaves more open than a choice among moves.
const SEARCHES: [&str; 2] = ["mcts", A3C];

/// Games of each published number.
pub(super) const PUBLISHED_GAMES: u32 = 1000;

/// The tournament of the table.
///
/// # Errors
/// An option is invalid, or its network cannot be read.
pub(super) fn settings(options: &Options) -> Result<Settings, Error> {
    let players = Readings::asked(options)?.players(texts(options)?)?;
    let count = PLAYERS.len();
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let cells = (0..count * count).map(|index| Cell { first: index / count, second: index % count, games });
    tournament("table1", players, cells, options)
}

/// Returns the texts of the players, with the iterations and the network of the options.
///
/// # Errors
/// `iterations` is not a positive number.
pub(super) fn texts(options: &Options) -> Result<[String; 6], Error> {
    let mut texts = PLAYERS.map(str::to_owned);
    texts[MCTS] = mcts(iterations(options)?, options);
    if let Some(file) = options.value(A3C) {
        texts[NETWORK] = format!("{A3C}:{file}");
    }
    Ok(texts)
}

/// The number of cells without mcts and a3c.
pub(super) const SIMPLE: usize = MCTS * MCTS;

/// The tournament of those cells.
///
/// # Errors
/// An option is invalid.
pub(super) fn simple(options: &Options) -> Result<Settings, Error> {
    let read = Readings::asked(options)?;
    let players = read.players(&PLAYERS[..MCTS])?;
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let cells = (0..SIMPLE).map(|index| Cell { first: index / MCTS, second: index % MCTS, games });
    tournament("table1-simple", players, cells, options)
}

/// Returns the fit of those cells' scores.
pub(super) fn simple_fit(scores: &[Score; SIMPLE]) -> Fit {
    let published = PUBLISHED[..MCTS].iter().flat_map(|row| row[..MCTS].iter().flatten());
    let differences = scores.iter().zip(published);
    let differences = differences.map(|(score, share)| standard_errors(*score, share / 100.0, PUBLISHED_GAMES));
    differences.fold(Fit::default(), Fit::plus)
}

/// Plays the table, including the cells missing from the thesis.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let settings = settings(options)?;
    let games = settings.games;
    let iterations = iterations(options)?;
    let network = network_reading(&settings.players[NETWORK]);
    let view = play(settings, options, &mut whole(hear))?;
    let lines = lines(&view, iterations);
    let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
    reading.push(("a cell", format!("{games} games, the row's player moving first; seed {}", options.seed)));
    reading.extend([read.max_line(), ("mcts", mcts_reading(&view.players[MCTS], options))]);
    reading.extend(network);
    let unplayed = PUBLISHED.iter().flatten().filter(|cell| cell.is_none()).count();
    let mut notes = fits(&lines);
    let is_simple = |line: &&Line| !SEARCHES.iter().any(|name| line.what.contains(name));
    notes.extend([
        format!("{} without mcts and a3c", Fit::measure(lines.iter().filter(is_simple))),
        fits_with_draws(&lines),
        format!("{unplayed} cells are missing from the thesis, all of them with mcts; they are played here."),
    ]);
    let mut chart = vec!["measured (published), the row's player moving first".to_owned()];
    chart.extend(matrix(&lines, iterations));
    let table = Table { chart, lines, reading, notes, ..Table::default() };
    Ok(table.with_ranges("table1", "Kalah thesis, Table 1", "% of games won, moving first"))
}

/// Returns the players' names in the table.
pub(super) fn names(iterations: u32) -> [String; 6] {
    let mut names = PLAYERS.map(str::to_owned);
    names[MCTS] = format!("mcts:{iterations}");
    names
}

/// Returns the network as a reading, with the command that made it.
fn network_reading(player: &Spec) -> Vec<(&'static str, String)> {
    let Spec::A3c(a3c) = player else { return Vec::new() };
    let games = a3c.notes().get("games").map_or(String::new(), |games| format!(" ({games} games)"));
    let made = match train::command(a3c.notes()) {
        Some(command) => format!("made by `{command}`{games}"),
        None => "its metadata have no training command".to_owned(),
    };
    let thesis = "--set a3c=FILE; a network by the thesis' settings: `mancalab train kalah-thesis-a3c --out run`, then \
                  --set a3c=run/network.safetensors";
    let which = match player.to_string().as_str() {
        A3C => "the network that comes with the program, ".to_owned(),
        text => format!("{text}, "),
    };
    vec![(A3C, format!("{which}{made}; its moves are drawn from the policy")), ("another a3c", thesis.to_owned())]
}

/// Returns the played cells of the table under the players' names. Monte Carlo search with other `iterations` than the thesis' is not set
/// against its numbers.
pub(super) fn lines(view: &View, iterations: u32) -> Vec<Line> {
    let names = names(iterations);
    let line = |played: &crate::arena::CellView| {
        let Cell { first, second, .. } = played.cell;
        let [one, other] = [first, second].map(|player| &names[player]);
        let published = PUBLISHED[first][second];
        let is_other = iterations != ITERATIONS && [first, second].contains(&MCTS);
        let compared = published.filter(|_| !is_other);
        let line = Line::won(format!("{one} v {other}"), compared, played.score).over_games(PUBLISHED_GAMES);
        let line = match published {
            None => line.remarked("not played in the thesis"),
            Some(_) if is_other => line.remarked(format!("{ITERATIONS} iterations in the thesis")),
            Some(_) => line,
        };
        line.named([("first", json!(one)), ("second", json!(other))])
    };
    view.cells.iter().map(line).collect()
}

/// Formats the matrix as printed in the thesis, measured with published in parentheses; empty where nothing was played.
pub(super) fn matrix(lines: &[Line], iterations: u32) -> Vec<String> {
    let names = names(iterations);
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let head = names.iter().map(|name| format!("{name:>14}")).collect::<String>();
    let row = |one: &String| {
        let cell = |other: &String| {
            let line = lines.iter().find(|line| line.what == format!("{one} v {other}"));
            let cell = line.map(|line| format!("{} ({})", number(line.measured), number(line.published)));
            format!("{:>14}", cell.unwrap_or_default())
        };
        format!("{one:<12}{}", names.iter().map(cell).collect::<String>()).trim_end().to_owned()
    };
    [format!("{:<12}{head}", "")].into_iter().chain(names.iter().map(row)).collect()
}
