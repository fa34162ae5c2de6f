//! Table 1: every player against every other, the row's moving first; and the epsilon of Monte Carlo search that comes nearest
//! to it, which the thesis does not print.

use super::chart::{self, Row, Span};
use super::{OPENING, Options, SOURCE, read_settings, reading, write_files};
use crate::arena::{Cell, CellView, Pairs, Settings, Tournament, View};
use crate::game::Variant;
use crate::job::{Budget, Job as _, Run as _, RunJob, Status};
use crate::player::Spec;
use crate::player::heuristic::Reading;
use crate::reproduce::{Line, Table};
use crate::search::Ties;
use std::time::{Duration, Instant};

/// The players built here, in the table's order. A3C, the sixth row and column, is not built yet.
pub const PLAYERS: [&str; 5] = ["random", "max", "minimax:4", "heuristic:4", "mcts:4000"];
const ABSENT: &str = "a3c";

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

/// The epsilons that are tried.
const EPSILONS: [&str; 10] = ["0", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.8", "0.9", "1"];

/// A player of the thesis, with its readings.
pub(super) fn player(text: &str, reading: Reading) -> Result<Spec, String> {
    let mut spec: Spec = text.parse()?;
    match &mut spec {
        Spec::Minimax(minimax) => minimax.ties = Ties::Random,
        Spec::Heuristic(heuristic) => (heuristic.ties, heuristic.reading) = (Ties::Random, reading),
        _ => {}
    }
    Ok(spec)
}

/// Plays it all; `tell` hears how far it is now and then.
pub(super) fn play(
    players: Vec<Spec>,
    cells: Vec<Cell>,
    seed: u64,
    tell: &mut dyn FnMut(&str),
) -> Result<View, String> {
    let variant = Variant::Kalah(Default::default());
    let pairs = Pairs::Only(cells.iter().map(|cell| (cell.first, cell.second, Some(cell.games))).collect());
    let settings = Settings { pairs, opening: OPENING, ..Settings::round_robin(variant, players, 0, seed) };
    let mut tournament = RunJob::<Tournament>::in_memory(settings)?;
    let mut told = Instant::now();
    while tournament.step(Budget::time(Duration::from_secs(1))) == Status::Running {
        if told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            let view = tournament.run().view();
            let left = view.seconds_left().unwrap_or_default();
            tell(&format!("{} of {} games, {left:.0} s left", view.done, view.total));
        }
    }
    Ok(tournament.run().view())
}

/// A cell for every ordered pair of players.
fn all(players: usize, games: u32) -> Vec<Cell> {
    (0..players * players).map(|index| Cell { first: index / players, second: index % players, games }).collect()
}

/// A cell beside what is published of it.
pub(super) fn line(what: String, published: Option<f64>, cell: &CellView) -> Line {
    let (low, high) = cell.score.won_interval();
    Line::new(what, published, 100.0 * cell.score.won(), "% won").within(100.0 * low, 100.0 * high)
}

/// How many of the published values lie in the intervals of those measured, in a sentence.
pub(super) fn inside(lines: &[Line]) -> String {
    let known: Vec<bool> = lines.iter().filter_map(Line::is_inside).collect();
    format!(
        "{} of {} published values lie in the 95 % interval (Wilson) of what is measured",
        known.iter().filter(|inside| **inside).count(),
        known.len()
    )
}

/// The text of the Monte Carlo player, with the epsilon that `others` asks for; anything else there is refused.
pub(super) fn mcts(iterations: u32, others: &[(&str, &str)]) -> Result<String, String> {
    let mut text = format!("mcts:{iterations}");
    for (key, value) in others {
        match *key {
            "eps" => text += &format!(":eps={value}"),
            _ => return Err(format!("'{key}' is no reading; known: judged, near, eps")),
        }
    }
    Ok(text)
}

/// The table again, but for A3C.
///
/// # Errors
/// An option makes no sense, or a file cannot be written.
pub fn reproduce(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Table, String> {
    let (read, others) = read_settings(&options.set)?;
    let mut texts = PLAYERS.map(str::to_owned);
    texts[MCTS] = mcts(4000, &others)?;
    let players = texts.iter().map(|text| player(text, read)).collect::<Result<Vec<Spec>, String>>()?;
    let games = options.games.unwrap_or(1000);
    let view = play(players, all(PLAYERS.len(), games), options.seed, tell)?;
    let what = |cell: &Cell| format!("{} v {}", PLAYERS[cell.first], PLAYERS[cell.second]);
    let lines: Vec<Line> = view
        .cells
        .iter()
        .map(|cell| line(what(&cell.cell), PUBLISHED[cell.cell.first][cell.cell.second], cell))
        .collect();
    let mut reading = reading(read);
    reading.push(("a cell", format!("{games} games, the row's player moving first; seed {}", options.seed)));
    reading.push(("mcts", format!("{}; random with probability epsilon, else the greatest gain", texts[MCTS])));
    let mut notes = matrix(&view);
    notes.push(format!(
        "{ABSENT} is not yet built. Minimax and heuristic against mcts, not played in the thesis, are played here."
    ));
    notes.push(inside(&lines));
    let rows: Vec<Row> = lines.iter().map(row).collect();
    let svg = chart::ranges("Kalah thesis, Table 1", "% of games won, moving first", 100.0, &rows);
    notes.extend(write_files(options.out.as_deref(), "table1", &csv(&lines), &svg)?);
    Ok(Table { target: "kalah-thesis/table1", source: SOURCE, lines, reading, notes })
}

/// The matrix as it is printed in the thesis, measured beside published.
fn matrix(view: &View) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let head = PLAYERS.iter().chain([&ABSENT]).map(|name| format!("{name:>14}")).collect::<String>();
    let mut lines = vec!["measured (published), the row's player moving first".to_owned(), format!("{:<12}{head}", "")];
    for (first, name) in PLAYERS.iter().chain([&ABSENT]).enumerate() {
        let cell = |second: usize| {
            let measured = view.cell(first, second).map(|cell| 100.0 * cell.score.won());
            format!("{:>14}", format!("{} ({})", number(measured), number(PUBLISHED[first][second])))
        };
        lines.push(format!("{name:<12}{}", (0..6).map(cell).collect::<String>()));
    }
    lines
}

pub(super) fn row(line: &Line) -> Row {
    let (low, high) = line.interval.unwrap_or((line.measured, line.measured));
    (line.what.clone(), line.published.map(Span::at), Span { mean: line.measured, low, high })
}

pub(super) fn csv(lines: &[Line]) -> String {
    let row = |line: &Line| {
        let (low, high) = line.interval.unwrap_or((line.measured, line.measured));
        let published = line.published.map_or(String::new(), |published| published.to_string());
        format!("{},{published},{:.3},{low:.3},{high:.3}\n", line.what, line.measured)
    };
    format!(
        "what,published_percent,measured_percent,low_percent,high_percent\n{}",
        lines.iter().map(row).collect::<String>()
    )
}

/// Which epsilon comes nearest to the row of Monte Carlo search in Table 1.
///
/// # Errors
/// An option makes no sense, or a file cannot be written.
pub fn epsilon(options: &Options, tell: &mut dyn FnMut(&str)) -> Result<Table, String> {
    let (read, others) = read_settings(&options.set)?;
    super::no_others(&others)?;
    let games = options.games.unwrap_or(200);
    let mut players = PLAYERS[..MCTS].iter().map(|text| player(text, read)).collect::<Result<Vec<Spec>, String>>()?;
    let mut cells = Vec::new();
    for epsilon in EPSILONS {
        let first = players.len();
        players.push(player(&format!("mcts:4000:eps={epsilon}"), read)?);
        cells.extend((0..MCTS).chain([first]).map(|second| Cell { first, second, games }));
    }
    let view = play(players, cells, options.seed, tell)?;
    let (mut lines, mut errors) = (Vec::new(), Vec::new());
    for (epsilon, cells) in EPSILONS.iter().zip(view.cells.chunks(MCTS + 1)) {
        let mut squares = 0.0;
        for (cell, (published, name)) in cells.iter().zip(PUBLISHED[MCTS].iter().zip(PLAYERS)) {
            let line = line(format!("eps={epsilon} v {name}"), *published, cell);
            squares += line.difference().unwrap_or_default().powi(2);
            lines.push(line);
        }
        errors.push((*epsilon, (squares / (MCTS + 1) as f64).sqrt()));
    }
    let mut notes: Vec<String> = errors
        .iter()
        .map(|(epsilon, error)| format!("eps={epsilon}: {error:.1} % off in the mean (root of squares)"))
        .collect();
    if let Some((epsilon, _)) = errors.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
        notes.push(format!("The nearest is eps={epsilon}"));
    }
    let rows: Vec<Row> = lines.iter().map(row).collect();
    let svg = chart::ranges("Kalah thesis, Table 1: epsilon", "% of games won, moving first", 100.0, &rows);
    notes.extend(write_files(options.out.as_deref(), "epsilon", &csv(&lines), &svg)?);
    let mut reading = reading(read);
    reading.push(("a cell", format!("{games} games, mcts:4000 moving first; seed {}", options.seed)));
    Ok(Table { target: "kalah-thesis/epsilon", source: SOURCE, lines, reading, notes })
}
