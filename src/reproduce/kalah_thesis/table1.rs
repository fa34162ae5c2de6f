//! Table 1: every player against every other, the row's moving first.

use serde_json::json;

use super::counted::{inside, inside_with_draws, iterations, line, mcts, mcts_reading, player, rows};
use super::run::{play, tournament};
use super::{Options, SOURCE, chart, read_settings, reading, write_files};
use crate::arena::{Cell, Settings, View};
use crate::document::Refusal;
use crate::player::Spec;
use crate::reproduce::{Heard, Line, Table, csv};

/// The players built here, in the table's order. A3C, the sixth row and column, is not built yet.
pub const PLAYERS: [&str; 5] = ["random", "max", "minimax:4", "heuristic:4", "mcts:4000"];
const ABSENT: &str = "a3c";
const NOT_BUILT: &str = "not yet built";

/// Games won by the row's player, moving first, in percent of 1,000; what the thesis did not play is absent.
pub const PUBLISHED: [[Option<f64>; 6]; 6] = [
    [Some(51.3), Some(4.1), Some(2.7), Some(0.5), Some(0.0), Some(4.0)],
    [Some(96.0), Some(55.3), Some(15.2), Some(12.5), Some(4.5), Some(26.4)],
    [Some(98.2), Some(85.8), Some(61.5), Some(35.2), None, Some(48.0)],
    [Some(99.5), Some(90.2), Some(68.5), Some(61.0), None, Some(53.5)],
    [Some(100.0), Some(87.4), Some(59.3), Some(44.7), Some(61.3), None],
    [Some(97.6), Some(89.3), Some(71.4), Some(67.1), None, Some(79.0)],
];
const MCTS: usize = 4;

/// The tournament.
///
/// # Errors
/// An option makes no sense.
pub fn settings(options: &Options) -> Result<Settings, Refusal> {
    let (read, others) = read_settings(&options.set)?;
    let mut texts = PLAYERS.map(str::to_owned);
    texts[MCTS] = mcts(iterations(&others)?, &others);
    let players = texts.iter().map(|text| player(text, read)).collect::<Result<Vec<Spec>, Refusal>>()?;
    let (count, games) = (PLAYERS.len(), options.games.unwrap_or(1000));
    let cells = (0..count * count).map(|index| Cell { first: index / count, second: index % count, games });
    tournament("table1", players, cells, options)
}

/// The table again, but for A3C.
///
/// # Errors
/// An option makes no sense, or a file cannot be written.
pub fn reproduce(options: &Options, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Table, Refusal> {
    let (read, others) = read_settings(&options.set)?;
    let settings = settings(options)?;
    let (games, iterations) = (settings.games, iterations(&others)?);
    let view = play(settings, options, hear)?;
    let mut names = PLAYERS.map(str::to_owned).to_vec();
    names[MCTS] = format!("mcts:{iterations}");
    names.push(ABSENT.to_owned());
    let lines = lines(&view, &names);
    let mut reading = reading(read, view.settings.opening);
    reading.push(("a cell", format!("{games} games, the row's player moving first; seed {}", options.seed)));
    reading.push(("mcts", mcts_reading(&view.players[MCTS], &others)));
    let notes = [
        format!("Row and column {ABSENT}: {NOT_BUILT}"),
        "Minimax and heuristic against mcts, not played in the thesis, are played here.".to_owned(),
        inside(&lines),
        inside_with_draws(&lines),
    ];
    let svg = chart::ranges("Kalah thesis, Table 1", "% of games won, moving first", 100.0, &rows(&lines));
    let written = write_files(options.out.as_deref(), "table1", &csv::lines(&lines), &svg)?;
    let notes = notes.into_iter().chain(written).collect();
    let chart = matrix(&view, &names);
    Ok(Table { target: "kalah-thesis/table1", source: SOURCE, lines, chart, reading, notes })
}

/// Every cell of the table under the players' names, those of A3C without a measurement.
fn lines(view: &View, names: &[String]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (first, row) in PUBLISHED.iter().enumerate() {
        for (second, published) in row.iter().enumerate() {
            let [one, other] = [first, second].map(|player| &names[player]);
            let what = format!("{one} v {other}");
            let line = match view.cell(first, second) {
                Some(cell) => line(what, *published, cell.score),
                None => Line { measured: None, ..Line::new(what, *published, 0.0, "% won") }.remarked(NOT_BUILT),
            };
            lines.push(Line { names: vec![("first", json!(one)), ("second", json!(other))], ..line });
        }
    }
    lines
}

/// The matrix as it is printed in the thesis, measured beside published.
fn matrix(view: &View, names: &[String]) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let head = names.iter().map(|name| format!("{name:>14}")).collect::<String>();
    let mut lines = vec!["measured (published), the row's player moving first".to_owned(), format!("{:<12}{head}", "")];
    for (first, name) in names.iter().enumerate() {
        let cell = |second: usize| {
            let measured = view.cell(first, second).map(|cell| 100.0 * cell.score.won());
            format!("{:>14}", format!("{} ({})", number(measured), number(PUBLISHED[first][second])))
        };
        let mark = if name == ABSENT { "  not yet built" } else { "" };
        lines.push(format!("{name:<12}{}{mark}", (0..names.len()).map(cell).collect::<String>()));
    }
    lines
}
