//! `mancalab puzzles`: the day's positions to find a better move in, from the mistakes of saved games.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::format::Format;
use super::{ScreenArgs, out, screen};
use crate::grid::Grid;
use crate::paths::Paths;
use crate::tabs::Opening;
use crate::tabs::board::{self, Puzzle, Puzzles, Settings, Setup};

#[derive(Args, Debug)]
pub struct PuzzlesArgs {
    /// Print all puzzles, not only the day's
    #[arg(long)]
    pub all: bool,
    /// Print the puzzles in this format instead of opening the Board: table, csv, json or md
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Print one JSON object on one line
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the best moves too
    #[arg(long)]
    pub answers: bool,
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// A puzzle for programs.
#[derive(Serialize)]
struct Row {
    file: String,
    turn: u32,
    game: String,
    position: String,
    side: &'static str,
    /// `?` for a mistake, `??` for a blunder.
    mark: &'static str,
    played: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
}

#[derive(Serialize)]
struct Json {
    games: usize,
    not_reviewed: usize,
    puzzles: Vec<Row>,
}

pub fn run(args: &PuzzlesArgs, paths: &Paths) -> Result<ExitCode> {
    let config = screen::load_config(&args.screen, paths)?;
    let games = paths.games().context("no home directory, so no saved games")?;
    if args.format.is_none() && !args.json && !args.all && !args.answers {
        let setup = Setup::from_config(&config.board);
        let board = Settings { puzzles: true, ..Settings::new(setup, Some(games)) };
        return screen::open(config, Opening::new(board, paths), None, paths);
    }
    let found = Puzzles::read(&games, &config);
    let most = if args.all { usize::MAX } else { board::A_DAY };
    let chosen = if args.all { found.all.clone() } else { found.of_day(board::today(), most) };
    let rows: Vec<Row> = chosen.iter().map(|puzzle| row(puzzle, args.answers)).collect();
    let games = found.games;
    let not_reviewed = found.not_reviewed;
    let tail =
        format!("\n{} of {} puzzles; {not_reviewed} of {games} games not reviewed\n", rows.len(), found.all.len());
    match args.format {
        _ if args.json => out::json("puzzles", &Json { games, not_reviewed, puzzles: rows }),
        Some(Format::Json) => out::result(&out::pretty("puzzles", &Json { games, not_reviewed, puzzles: rows })),
        Some(Format::Csv) => out::result(&csv(&rows)),
        Some(Format::Md) => out::result(&markdown(&rows)),
        Some(Format::Table) | None => out::result(&(table(&rows) + &tail)),
    };
    Ok(ExitCode::SUCCESS)
}

fn row(puzzle: &Puzzle, with_answer: bool) -> Row {
    let variant = puzzle.position.variant();
    Row {
        file: puzzle.file.clone(),
        turn: puzzle.turn,
        game: variant.to_string(),
        position: puzzle.position.to_text(),
        side: variant.seats()[puzzle.position.side().index()],
        mark: puzzle.mark.text(),
        played: puzzle.position.move_text(puzzle.played),
        best: with_answer.then(|| puzzle.answer()),
    }
}

impl Row {
    fn cells(&self) -> [String; 7] {
        let Row { file, turn, game, position, side, mark, played, best } = self;
        let best = best.as_ref().map_or(String::new(), |best| format!(" (best {best})"));
        [
            file.clone(),
            turn.to_string(),
            game.clone(),
            (*side).to_owned(),
            played.clone() + mark,
            best,
            position.clone(),
        ]
    }
}

fn table(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let [file, turn, game, side, played, best, position] = row.cells();
        [file, turn, game, side, played, position + &best]
    };
    Grid::new(&["file", "turn", "game", "side", "move", "position"], &[1], rows.iter().map(row)).table()
}

fn csv(rows: &[Row]) -> String {
    let row = |Row { file, turn, game, position, side, mark, played, best }: &Row| {
        let [side, mark] = [side, mark].map(|text| (*text).to_owned());
        let best = best.clone().unwrap_or_default();
        [file.clone(), turn.to_string(), game.clone(), side, played.clone(), mark, best, position.clone()]
    };
    let head = ["file", "turn", "game", "side", "move", "mark", "best", "position"];
    Grid::new(&head, &[1], rows.iter().map(row)).with_codes(&[7]).csv()
}

fn markdown(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let [file, turn, game, side, played, best, position] = row.cells();
        [file, turn, game, side, played + &best, position]
    };
    let head = ["File", "Turn", "Game", "Side", "Move", "Position"];
    Grid::new(&head, &[1], rows.iter().map(row)).with_codes(&[5]).markdown()
}
