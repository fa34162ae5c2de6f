//! A tournament's result as text: table, CSV, JSON and Markdown.
//!
//! The matrix shows the percent of games won by the row's player, moving first. The other games of a cell were drawn or
//! lost.

use std::time::Duration;

use serde::Serialize;

use crate::arena::{CellView, Rating, Score, View, unsigned_nought};
use crate::grid::Grid;

/// A duration in us, ms or s.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.1} us", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// The last cells of each player's row: rating, points, time per move, and the loss per game if it was counted.
fn ends(view: &View) -> Vec<Vec<String>> {
    let (ratings, _) = view.ratings();
    let row = |(player, rating): (usize, &crate::arena::Rating)| {
        let mut ends = vec![
            rating.to_string(),
            format!("{:.1}", 100.0 * view.sample(player).share()),
            view.time_a_move(player).map_or("-".to_owned(), time),
        ];
        if view.settings.losses {
            ends.push(view.lost_a_game(player).map_or("-".to_owned(), |lost| format!("{lost:.1}")));
        }
        ends
    };
    ratings.iter().enumerate().map(row).collect()
}

fn won(cell: Option<&CellView>) -> String {
    cell.filter(|cell| cell.score.games() > 0)
        .map_or("-".to_owned(), |cell| format!("{:.1}", 100.0 * cell.sample.won()))
}

const CAPTION: &str = "% of games won by the row's player, moving first";

fn grid(view: &View) -> Grid {
    let numbers = (1..=view.players.len()).map(|number| number.to_string());
    let mut head = vec![String::new()];
    head.extend(numbers);
    head.extend(["Elo", "points %", "a move"].map(str::to_owned));
    if view.settings.losses {
        head.push("gave away".to_owned());
    }
    let mut rows = vec![head];
    for ((first, name), ends) in view.players.iter().enumerate().zip(ends(view)) {
        let mut row = vec![format!("{} {name}", first + 1)];
        row.extend((0..view.players.len()).map(|second| won(view.cell(first, second))));
        row.extend(ends);
        rows.push(row);
    }
    let numbers = (1..rows[0].len()).collect();
    Grid { rows, numbers, ..Grid::default() }
}

fn widest_interval(view: &View) -> f64 {
    let half = |cell: &CellView| {
        let (low, high) = cell.sample.won_interval();
        50.0 * (high - low)
    };
    view.cells.iter().map(half).fold(0.0, f64::max)
}

fn foot(view: &View) -> String {
    let (_, first) = view.ratings();
    let distinct = repeated(view).map_or(String::new(), |text| format!("\n{text}"));
    format!(
        "{} of {} games, {:.1} games/s; 95 % intervals (Wilson) within ± {:.1} %; first-move advantage {:.0} ± {:.0} Elo{distinct}",
        view.done,
        view.total,
        view.games_per_second(),
        widest_interval(view),
        unsigned_nought(first.elo, 0),
        first.plus_minus
    )
}

/// A warning if players without random choices repeated games.
pub(super) fn repeated(view: &View) -> Option<String> {
    let distinct = view.distinct()?;
    Some(format!(
        "{distinct} distinct games of {}: players without random choices repeat a game with its opening.\n\
         Shares, intervals and ratings count each once. A longer --opening gives more.",
        view.done
    ))
}

pub(super) fn table(view: &View) -> String {
    format!("{CAPTION}\n\n{}\n{}\n", grid(view).table(), foot(view))
}

pub(super) fn markdown(view: &View) -> String {
    format!("{}\n{CAPTION}; {}\n", grid(view).markdown(), foot(view))
}

/// A row for each cell.
pub(super) fn csv(view: &View) -> String {
    let row = |cell: &CellView| {
        let CellView { cell: pair, score, sample, .. } = cell;
        let (low, high) = sample.won_interval();
        let mut row: Vec<String> = [pair.first, pair.second].map(|player| view.players[player].to_string()).into();
        row.extend(
            [score.games(), score.wins, score.draws, score.losses, sample.games()].map(|count| count.to_string()),
        );
        row.extend([sample.won(), low, high, sample.share()].map(|share| format!("{:.3}", 100.0 * share)));
        row.push(view.mean_margin(cell).map_or(String::new(), |mean| format!("{:.3}", unsigned_nought(mean, 3))));
        row.extend(
            cell.mean_lost().map_or([String::new(), String::new()], |lost| lost.map(|lost| format!("{lost:.3}"))),
        );
        row
    };
    let head = [
        "first",
        "second",
        "games",
        "wins",
        "draws",
        "losses",
        "distinct_games",
        "won_percent",
        "low_percent",
        "high_percent",
        "points_percent",
        "mean_margin",
        "lost_first",
        "lost_second",
    ];
    let numbers: Vec<usize> = (2..head.len()).collect();
    Grid::new(&head, &numbers, view.cells.iter().map(row)).csv()
}

/// The status of a tournament, for programs.
#[derive(Serialize)]
pub(super) struct TournamentJson<'a> {
    game: String,
    done: u64,
    total: u64,
    finished: bool,
    games_per_second: f64,
    players: Vec<RatingRow<'a>>,
    moving_first: Rating,
    cells: Vec<Pair>,
}

#[derive(Serialize)]
struct RatingRow<'a> {
    player: &'a str,
    #[serde(flatten)]
    rating: Rating,
    points: f64,
    seconds_a_move: Option<f64>,
    /// What the player's moves lost per game under perfect play; `null` if it was not counted.
    lost_a_game: Option<f64>,
}

/// One player moving first against another; `won`, `low` and `high` are the share of games won and its 95 % interval.
#[derive(Serialize)]
struct Pair {
    first: usize,
    second: usize,
    games: u32,
    #[serde(flatten)]
    score: Score,
    /// Distinct games, which the shares below count: players without random choices repeat games.
    distinct_games: u32,
    won: f64,
    low: f64,
    high: f64,
    points: f64,
    /// `null` where the game has no margins.
    mean_margin: Option<f64>,
    /// What the moves of both players lost per game under perfect play; `null` if it was not counted.
    mean_lost: Option<[f64; 2]>,
    stopped: bool,
}

pub(super) fn tournament(view: &View) -> TournamentJson<'_> {
    let (ratings, first) = view.ratings();
    let pair = |cell_view: &CellView| {
        let CellView { cell, score, sample, .. } = *cell_view;
        let (low, high) = sample.won_interval();
        Pair {
            first: cell.first,
            second: cell.second,
            games: score.games(),
            score,
            distinct_games: sample.games(),
            won: sample.won(),
            low,
            high,
            points: sample.share(),
            mean_margin: view.mean_margin(cell_view),
            mean_lost: cell_view.mean_lost(),
            stopped: cell_view.verdict.is_some(),
        }
    };
    TournamentJson {
        game: view.settings.variant.to_string(),
        done: view.done,
        total: view.total,
        finished: view.finished,
        games_per_second: view.games_per_second(),
        players: view
            .players
            .iter()
            .enumerate()
            .map(|(index, player)| RatingRow {
                player,
                rating: ratings[index],
                points: view.sample(index).share(),
                seconds_a_move: view.time_a_move(index).map(|time| time.as_secs_f64()),
                lost_a_game: view.lost_a_game(index),
            })
            .collect(),
        moving_first: *first,
        cells: view.cells.iter().map(pair).collect(),
    }
}
