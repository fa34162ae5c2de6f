//! `mancalab puzzles`: positions to find a better move in, from the mistakes of saved games that are due today.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use mancalab_base::{Error, date};
use serde::Serialize;

use super::format::Format;
use super::{PlayArgs, ScreenArgs, help, out, play, screen};
use crate::cards::{self, Deck};
use crate::config::Config;
use crate::game::Variant;
use crate::grid::Grid;
use crate::paths::Paths;
use crate::tabs::TabSettings;
use crate::tabs::board::{self, Due, Mistakes, Puzzle, PuzzleDay, Puzzles, Settings};

#[derive(Args, Debug)]
pub struct PuzzlesArgs {
    /// Take the mistakes of computer players too, after your own
    #[arg(long)]
    pub all: bool,
    /// Solve the puzzles shipped with mancalab
    #[arg(long, conflicts_with = "all")]
    pub shipped: bool,
    /// Game of the shipped puzzles; default: board.game of the config
    #[arg(long, value_name = "GAME", value_parser = help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// Print how many are due today, this week and in all, and the result of the day
    #[arg(long, conflicts_with_all = ["format", "answers", "list"])]
    pub due: bool,
    /// Print all puzzles with their dates, not only today's
    #[arg(long)]
    pub list: bool,
    /// Print today's puzzles in this format instead of opening the Board
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Short for --format json
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
    /// A person made the mistake.
    own: bool,
    /// The date of the card; `None` for a new puzzle.
    due: Option<String>,
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
    due: Due,
    /// Puzzles graded today, and those found.
    graded: usize,
    found: usize,
    puzzles: Vec<Row>,
}

fn read_deck(paths: &Paths) -> Result<Deck, Error> {
    cards::file(paths).map_or(Ok(Deck::default()), |file| Deck::read(&file))
}

fn read_day(games: &Path, config: &Config, game: Variant, mistakes: Mistakes, paths: &Paths) -> Result<PuzzleDay> {
    let deck = read_deck(paths)?;
    let puzzles = Puzzles::read(games, config).with_shipped(game, config);
    Ok(PuzzleDay { puzzles, deck, mistakes, day: board::today() })
}

fn row(puzzle: &Puzzle, deck: &Deck, with_answer: bool) -> Row {
    let variant = puzzle.position.variant();
    Row {
        file: puzzle.file.clone(),
        turn: puzzle.turn,
        game: variant.to_string(),
        position: puzzle.position.to_text(),
        side: variant.seats()[puzzle.position.side().index()],
        own: puzzle.own,
        due: deck.get(&puzzle.key()).map(|card| date(card.due)),
        mark: puzzle.mark.text(),
        played: puzzle.position.move_text(puzzle.played),
        best: with_answer.then(|| puzzle.answer()),
    }
}

pub fn run(args: &PuzzlesArgs, paths: &Paths) -> Result<ExitCode> {
    let config = screen::load_config(&args.screen, paths)?;
    let games = paths.games().context("no home directory, so no saved games: set HOME or XDG_STATE_HOME")?;
    let mistakes = match args {
        PuzzlesArgs { shipped: true, .. } => Mistakes::Shipped,
        PuzzlesArgs { all: true, .. } => Mistakes::All,
        _ => Mistakes::Own,
    };
    if args.format.is_none() && !(args.json || args.answers || args.list || args.due) {
        return solve(config, args.game, &games, mistakes, paths);
    }
    let mut day = read_day(&games, &config, args.game.unwrap_or(config.board.game), mistakes, paths)?;
    if !args.list && !args.due {
        day.mistakes = day.puzzles.wanted(mistakes, &day.deck, day.day);
    }
    let found = &day.puzzles;
    let mistakes = day.mistakes;
    let due = found.due(mistakes, &day.deck, day.day);
    if args.due && !args.json {
        let Due { today, week, new, all } = due;
        out::result(&format!("{today} to repeat today, {week} this week, {new} new, {all} in all\n{}\n", day.result()));
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = match args.list {
        true => found.selected(mistakes).collect(),
        false => found.of_day(mistakes, &day.deck, day.day),
    };
    let rows: Vec<Row> = chosen.into_iter().map(|puzzle| row(puzzle, &day.deck, args.answers)).collect();
    let Puzzles { games, not_reviewed, .. } = *found;
    let tail = format!("\n{} of {} puzzles; {not_reviewed} of {games} games not reviewed\n", rows.len(), due.all);
    let (graded, found) = day.deck.graded_on(day.day);
    let json = |puzzles| Json { games, not_reviewed, due, graded, found, puzzles };
    match args.format {
        _ if args.json => out::json("puzzles", &json(rows)),
        Some(Format::Json) => out::json("puzzles", &json(rows)),
        Some(Format::Csv) => out::result(&csv(&rows)),
        Some(Format::Md) => out::result(&markdown(&rows)),
        Some(Format::Text) | None => out::result(&(table(&rows) + &tail)),
    };
    Ok(ExitCode::SUCCESS)
}

/// Opens the Board with the day's puzzles, and prints their result when it is closed.
fn solve(config: Config, game: Option<Variant>, games: &Path, mistakes: Mistakes, paths: &Paths) -> Result<ExitCode> {
    let new = play::settings(&PlayArgs { game, ..PlayArgs::default() }, &config, paths)?;
    let game = new.setup.variant;
    let board = Settings { puzzles: Some(mistakes), welcomes: false, ..new };
    let of_puzzles = config.clone();
    // A damaged file of cards is an error before the screen opens.
    let before = read_deck(paths)?;
    let status = screen::open(config, TabSettings::new(board, paths), None, paths)?;
    if read_deck(paths)? != before {
        let mut day = read_day(games, &of_puzzles, game, mistakes, paths)?;
        // Those that the Board asked.
        day.mistakes = day.puzzles.wanted(mistakes, &before, day.day);
        out::result(&(day.result() + "\n"));
    }
    Ok(status)
}

impl Row {
    fn cells(&self) -> [String; 8] {
        let Row { file, turn, game, position, side, due, mark, played, best, .. } = self;
        let due = due.clone().unwrap_or_else(|| "new".to_owned());
        let best = best.as_ref().map_or(String::new(), |best| format!(" (best {best})"));
        [
            file.clone(),
            turn.to_string(),
            game.clone(),
            (*side).to_owned(),
            played.clone() + mark,
            due,
            best,
            position.clone(),
        ]
    }
}

fn table(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let [file, turn, game, side, played, due, best, position] = row.cells();
        [file, turn, game, side, played, due, position + &best]
    };
    Grid::new(&["file", "turn", "game", "side", "move", "due", "position"], &[1], rows.iter().map(row)).table()
}

fn csv(rows: &[Row]) -> String {
    let row = |Row { file, turn, game, position, side, own, due, mark, played, best }: &Row| {
        let [side, mark] = [side, mark].map(|text| (*text).to_owned());
        let [due, best] = [due, best].map(|text| text.clone().unwrap_or_default());
        let own = own.to_string();
        [file.clone(), turn.to_string(), game.clone(), side, played.clone(), mark, best, own, due, position.clone()]
    };
    let head = ["file", "turn", "game", "side", "move", "mark", "best", "own", "due", "position"];
    Grid::new(&head, &[1], rows.iter().map(row)).with_codes(&[9]).csv()
}

fn markdown(rows: &[Row]) -> String {
    let row = |row: &Row| {
        let [file, turn, game, side, played, due, best, position] = row.cells();
        [file, turn, game, side, played + &best, due, position]
    };
    let head = ["File", "Turn", "Game", "Side", "Move", "Due", "Position"];
    Grid::new(&head, &[1], rows.iter().map(row)).with_codes(&[6]).markdown()
}
