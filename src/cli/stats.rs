//! `mancalab stats`: a person's results by game and opponent.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::format::{Format, OutputArgs};
use super::out;
use crate::grid::Grid;
use crate::paths::Paths;
use crate::results::{self, InGame};
use crate::theme::{ColorDepth, GlyphChoice, Glyphs, Theme};
use crate::ui::Look;

#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Serialize)]
struct Json {
    games: Vec<InGame>,
}

pub fn run(args: &StatsArgs, paths: &Paths) -> Result<ExitCode> {
    let file = results::file(paths).context("no home directory, so no results: set HOME or XDG_STATE_HOME")?;
    let (played, bad) = results::read(&file)?;
    if let Some(first) = bad.first() {
        let file = file.display();
        out::report(&match bad.len() {
            1 => format!("mancalab: {file}: line {first} is not a result and was left out"),
            count => {
                format!("mancalab: {file}: {count} lines are not results and were left out, the first is line {first}")
            }
        });
    }
    let games = results::by_game(&played);
    match args.output.format() {
        Format::Json => out::json("stats", &Json { games }),
        Format::Csv => out::result(&csv(&games)),
        Format::Md => out::result(&markdown(&games)),
        Format::Text => out::result(&table(&games)),
    };
    Ok(ExitCode::SUCCESS)
}

fn table(games: &[InGame]) -> String {
    if games.is_empty() {
        return "No finished games against computer players yet\n".to_owned();
    }
    let glyphs = Glyphs::detect(|name| std::env::var(name).ok(), GlyphChoice::Auto);
    let look = Look::new(Theme::usual(ColorDepth::None), glyphs);
    let line = |line: String| format!("  {line}").trim_end().to_owned();
    let lines = |game: &InGame| game.lines(&look).into_iter().map(line).collect::<Vec<_>>().join("\n");
    games.iter().map(|game| format!("{}\n{}\n", game.game, lines(game))).collect::<Vec<_>>().join("\n")
}

/// The columns of numbers.
const NUMBERS: [usize; 5] = [2, 3, 4, 5, 6];

/// A row for each game and opponent.
fn rows(games: &[InGame]) -> impl Iterator<Item = [String; 7]> + '_ {
    games.iter().flat_map(|game| {
        game.opponents.iter().map(|one| {
            let elo = one.elo.map_or(String::new(), |elo| elo.to_string());
            let accuracy = one.group.accuracy.map_or(String::new(), |accuracy| format!("{accuracy:.1}"));
            let counts = [one.won, one.drawn, one.lost].map(|count| count.to_string());
            let [won, drawn, lost] = counts;
            [game.game.clone(), one.opponent.clone(), elo, won, drawn, lost, accuracy]
        })
    })
}

fn csv(games: &[InGame]) -> String {
    Grid::new(&["game", "opponent", "elo", "won", "drawn", "lost", "accuracy"], &NUMBERS, rows(games)).csv()
}

fn markdown(games: &[InGame]) -> String {
    Grid::new(&["Game", "Opponent", "Elo", "Won", "Drawn", "Lost", "Accuracy"], &NUMBERS, rows(games)).markdown()
}
