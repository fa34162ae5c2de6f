//! A tournament's result as text: for people, for spreadsheets, for programs, for documents.
//!
//! A matrix shows the games won by the row's player, which moved first, in percent; the rest of a cell was drawn or lost.

use std::time::Duration;

use serde_json::{Value, json};

use crate::arena::{CellView, View, unsigned_nought};
use crate::plain;

/// A time with the unit that suits it.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.1} us", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// The cells that end the row of a player: rating, points, time a move.
fn ends(view: &View) -> Vec<[String; 3]> {
    let (ratings, _) = view.ratings();
    let row = |(player, rating): (usize, &crate::arena::Rating)| {
        [
            rating.to_string(),
            format!("{:.1}", 100.0 * view.score(player).share()),
            view.time_a_move(player).map_or("-".to_owned(), time),
        ]
    };
    ratings.iter().enumerate().map(row).collect()
}

fn won(cell: Option<&CellView>) -> String {
    cell.filter(|cell| cell.score.games() > 0).map_or("-".to_owned(), |cell| format!("{:.1}", 100.0 * cell.score.won()))
}

const CAPTION: &str = "games won by the row's player, which moves first, in percent";

fn grid(view: &View) -> Vec<Vec<String>> {
    let numbers = (1..=view.players.len()).map(|number| number.to_string());
    let mut head = vec![String::new()];
    head.extend(numbers);
    head.extend(["Elo", "points %", "a move"].map(str::to_owned));
    let mut rows = vec![head];
    for ((first, name), ends) in view.players.iter().enumerate().zip(ends(view)) {
        let mut row = vec![format!("{} {}", first + 1, plain::word(name))];
        row.extend((0..view.players.len()).map(|second| won(view.cell(first, second))));
        row.extend(ends);
        rows.push(row);
    }
    rows
}

fn widest_interval(view: &View) -> f64 {
    let half = |cell: &CellView| {
        let (low, high) = cell.score.won_interval();
        50.0 * (high - low)
    };
    view.cells.iter().map(half).fold(0.0, f64::max)
}

fn foot(view: &View) -> String {
    let (_, first) = view.ratings();
    format!(
        "{} of {} games, {:.1} games/s; 95 % intervals (Wilson) reach ± {:.1} % at most; moving first is worth {:.0} ± {:.0} Elo",
        view.done,
        view.total,
        view.games_per_second(),
        widest_interval(view),
        unsigned_nought(first.elo, 0),
        first.plus_minus
    )
}

pub(super) fn table(view: &View) -> String {
    let rows = grid(view);
    let columns = rows[0].len();
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    let mut text = format!("{CAPTION}\n\n");
    for row in &rows {
        text += &format!("{:<wide$}", row[0], wide = widths[0]);
        for (cell, wide) in row.iter().zip(&widths).skip(1) {
            text += &format!("  {cell:>wide$}");
        }
        text.push('\n');
    }
    text + &format!("\n{}\n", foot(view))
}

pub(super) fn markdown(view: &View) -> String {
    let rows = grid(view);
    let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
    let rule = format!("|---|{}\n", "---:|".repeat(rows[0].len() - 1));
    let body: String = rows[1..].iter().map(line).collect();
    format!("{}{rule}{body}\n{CAPTION}; {}\n", line(&rows[0]), foot(view))
}

/// A row for each cell.
pub(super) fn csv(view: &View) -> String {
    let mut text =
        "first,second,games,wins,draws,losses,won_percent,low_percent,high_percent,points_percent,mean_margin\n"
            .to_owned();
    for cell in &view.cells {
        let score = cell.score;
        let (low, high) = score.won_interval();
        let shares = [score.won(), low, high, score.share()].map(|share| format!("{:.3}", 100.0 * share)).join(",");
        let [first, second] = [cell.cell.first, cell.cell.second].map(|player| quoted(&view.players[player]));
        text += &format!(
            "{first},{second},{},{},{},{},{shares},{:.3}\n",
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            unsigned_nought(cell.mean_margin(), 3)
        );
    }
    text
}

/// As a field of a CSV file: a player's weights may hold commas.
fn quoted(text: &str) -> String {
    let text = plain::word(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

pub(super) fn json(view: &View) -> Value {
    let (ratings, first) = view.ratings();
    let cell = |cell: &CellView| {
        let (low, high) = cell.score.won_interval();
        json!({
            "first": cell.cell.first, "second": cell.cell.second, "games": cell.score.games(), "wins": cell.score.wins,
            "draws": cell.score.draws, "losses": cell.score.losses, "won": cell.score.won(), "low": low, "high": high,
            "points": cell.score.share(), "mean_margin": cell.mean_margin(), "stopped": cell.verdict.is_some(),
        })
    };
    let player = |(index, name): (usize, &String)| {
        json!({
            "player": name, "elo": ratings[index].elo, "plus_minus": ratings[index].plus_minus,
            "points": view.score(index).share(), "seconds_a_move": view.time_a_move(index).map(|time| time.as_secs_f64()),
        })
    };
    json!({
        "game": view.settings.variant.to_string(), "done": view.done, "total": view.total, "finished": view.finished,
        "games_per_second": view.games_per_second(),
        "players": view.players.iter().enumerate().map(player).collect::<Vec<_>>(),
        "moving_first": { "elo": first.elo, "plus_minus": first.plus_minus },
        "cells": view.cells.iter().map(cell).collect::<Vec<_>>(),
    })
}
