//! `mancalab openings`: the moves that were played in a position, and how those games ended.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use serde::Serialize;

use super::engine::play_named;
use super::format::{Format, OutputArgs};
use super::live::{Progress, ProgressLine};
use super::{help, out, signals};
use crate::budget::{Budget, Job as _, Status};
use crate::config::Config;
use crate::game::Variant;
use crate::game::record::Record;
use crate::grid::Grid;
use crate::openings::{Openings, OpeningsJob, Query, Sources};
use crate::paths::Paths;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct OpeningsArgs {
    /// Collections of games (.wtb, .pdn, .ggf); default: board.databases of the config, and your saved games
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Game and rules; default: board.game of the config
    #[arg(long, value_name = "GAME", value_parser = help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// Position; default: the game's start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Moves to play from the position first, such as "f5 d6 c3"
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Configuration file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Maximum duration of a step between checks for signals.
const STEP: Duration = Duration::from_millis(50);

/// The moves of a position.
#[derive(Serialize)]
struct Json {
    game: String,
    position: String,
    side: &'static str,
    /// Name of the opening up to the position.
    opening: Option<String>,
    /// Games of databases, and saved ones.
    database_games: u64,
    saved_games: u64,
    /// Databases that could not be used, and those with invalid games.
    problems: Vec<String>,
    /// The most frequent first; of symmetric moves one.
    moves: Vec<Row>,
}

/// A move with the results of its games.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    games: u64,
    /// Games won by the first side, drawn and won by the second side.
    first_won: u64,
    drawn: u64,
    second_won: u64,
    unfinished: u64,
    /// Average result of the side to move in finished games, 0 to 1.
    score: Option<f64>,
    /// Name of the opening after the move, if it is another one.
    opening: Option<String>,
}

pub fn run(args: &OpeningsArgs, paths: &Paths) -> Result<ExitCode> {
    signals::catch().context("cannot catch signals")?;
    let config = Config::load(paths, args.config.as_deref())?;
    let game = args.game.unwrap_or(config.board.game);
    let start = super::position(game, args.position.as_deref())?;
    let mut record = Record::from_position(game, start, Default::default(), None);
    let moves = args.moves.as_deref().unwrap_or_default();
    let names = moves.split([' ', ',', '\t', '\n']).filter(|name| !name.is_empty());
    play_named(&mut record, names).map_err(|error| anyhow!("--moves: {error}"))?;
    let sources = match &args.files[..] {
        [] => Sources::new(&config.board.databases, paths.games(), paths),
        files => Sources::new(files, None, paths),
    };
    let Some(openings) = prepare(sources, game) else { return Ok(signals::exit_code()) };
    let is_empty = openings.games() == (0, 0);
    if let (true, [first, others @ ..]) = (is_empty, &openings.problems[..]) {
        others.iter().for_each(|problem| out::report(&format!("mancalab: {problem}")));
        bail!("{first}");
    }
    openings.problems.iter().for_each(|problem| out::report(&format!("mancalab: {problem}")));
    let table = Json::new(&openings, &record)?;
    match args.output.format() {
        Format::Json => out::json("openings", &table),
        Format::Csv => out::result(&table.csv()),
        Format::Md => out::result(&table.grid(game).markdown()),
        Format::Text => out::result(&table.text(game)),
    };
    Ok(ExitCode::SUCCESS)
}

/// Opens or builds the indexes; `None` after a signal.
fn prepare(sources: Sources, usual: Variant) -> Option<Arc<Openings>> {
    let mut job = OpeningsJob::new(sources, usual, None);
    let mut reporter = ProgressLine::with_signals_caught();
    while signals::received() == 0 && job.step(Budget::time(STEP)) == Status::Running {
        let view = job.view();
        let Some((name, done, all)) = view.progress else { continue };
        reporter.progress(|| Progress {
            share: done as f64 / all.max(1) as f64,
            count: format!("{name}: game {done} of {all}"),
            left: None,
            speed: String::new(),
            more: Vec::new(),
        });
    }
    reporter.clear();
    job.view().ready
}

impl Json {
    fn new(openings: &Openings, record: &Record) -> Result<Json> {
        let query = Query::new(record);
        let answer = openings.answer(&query)?;
        let position = query.position;
        let row = |row: &crate::openings::OpeningMove| {
            let [first_won, drawn, second_won, unfinished] = row.counts.0;
            Row {
                mv: position.move_text(row.mv),
                games: row.counts.games(),
                first_won,
                drawn,
                second_won,
                unfinished,
                score: row.counts.score(position.side()),
                opening: row.name.clone(),
            }
        };
        let (database_games, saved_games) = openings.games();
        Ok(Json {
            game: record.variant.to_string(),
            position: position.to_text(),
            side: record.variant.seats()[position.side().index()],
            moves: answer.rows.iter().map(row).collect(),
            opening: answer.name,
            database_games,
            saved_games,
            problems: openings.problems.clone(),
        })
    }

    /// Percentages of finished games, and the score of the side to move.
    fn grid(&self, game: Variant) -> Grid {
        let [first, second] = game.seats();
        let head = ["move", "games", &format!("{first} won"), "drawn", &format!("{second} won"), "score", "opening"];
        let row = |row: &Row| {
            let finished = row.games - row.unfinished;
            let percent = |count: u64| match finished {
                0 => String::new(),
                _ => format!("{:.0} %", 100.0 * count as f64 / finished as f64),
            };
            let score = row.score.map_or(String::new(), |score| format!("{:.1} %", 100.0 * score));
            let [won, drawn, lost] = [row.first_won, row.drawn, row.second_won].map(percent);
            [row.mv.clone(), row.games.to_string(), won, drawn, lost, score, row.opening.clone().unwrap_or_default()]
        };
        Grid::new(&head, &[1, 2, 3, 4, 5], self.moves.iter().map(row))
    }

    fn csv(&self) -> String {
        let number = |count: u64| count.to_string();
        let row = |row: &Row| {
            let Row { mv, games, first_won, drawn, second_won, unfinished, score, opening } = row;
            let score = score.map_or(String::new(), |score| format!("{score:.4}"));
            let [games, first_won, drawn, second_won, unfinished] =
                [*games, *first_won, *drawn, *second_won, *unfinished].map(number);
            let opening = opening.clone().unwrap_or_default();
            [mv.clone(), games, first_won, drawn, second_won, unfinished, score, opening]
        };
        let head = ["move", "games", "first_won", "drawn", "second_won", "unfinished", "score", "opening"];
        Grid::new(&head, &[1, 2, 3, 4, 5, 6], self.moves.iter().map(row)).csv()
    }

    fn text(&self, game: Variant) -> String {
        let Json { position, side, opening, database_games, saved_games, moves, .. } = self;
        let name = opening.as_ref().map_or(String::new(), |name| format!("  {name}"));
        let head = format!("{game}  {}{name}\n{side} to move\n\n", sanitize::inline(position));
        let here: u64 = moves.iter().map(|row| row.games).sum();
        let table = if moves.is_empty() { String::new() } else { self.grid(game).table() + "\n" };
        if database_games + saved_games == 0 {
            return head + "No games. Pass files of games or set board.databases in the config\n";
        }
        let sources = format!("of {database_games} in databases and {saved_games} saved");
        head + &table + &format!("{here} games here, {sources}; score: of {side}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;

    #[test]
    fn saved_games_are_counted_at_the_position() {
        let folder = tempfile::tempdir().unwrap();
        for (number, text) in
            ["[Agreed \"40-24\"]\n1. f5 d6 2. c3", "[Agreed \"32-32\"]\n1. d3 c3", "1. c4 e3"].iter().enumerate()
        {
            let text = format!("[Game \"othello\"]\n{text}\n");
            assert!(notation::read(&text).is_ok(), "{text}");
            std::fs::write(folder.path().join(format!("{number}.game")), text).unwrap();
        }
        let sources = Sources { games: Some(folder.path().to_owned()), ..Sources::default() };
        let game: Variant = "othello".parse().unwrap();
        let openings = prepare(sources, game).unwrap();
        let mut record = Record::new(game, Default::default(), None);
        play_named(&mut record, ["f5"].into_iter()).unwrap();
        let table = Json::new(&openings, &record).unwrap();
        let text = table.text(game);
        assert!(
            text.ends_with(
                "move  games  Black won  drawn  White won   score  opening\n\
             d6        2      100 %    0 %        0 %   0.0 %  Perpendicular\n\
             f6        1        0 %  100 %        0 %  50.0 %  Diagonal\n\n\
             3 games here, of 0 in databases and 3 saved; score: of White\n"
            ),
            "{text}"
        );
        assert!(table.csv().contains("d6,2,1,0,0,1,0.0000,Perpendicular\n"), "{}", table.csv());
    }
}
