//! The person's results: logged when a game ends, and shown on a page.

use std::path::PathBuf;
use std::time::SystemTime;

use mancalab_base::Error;

use super::{Library, LibraryMessage};
use crate::app::overlay::help::Help;
use crate::app::tab::{Context, Tone};
use crate::game::{Move, Side, Variant};
use crate::job::run_dir::utc;
use crate::results::{self, GameResult, MyLevels, Phases};
use crate::rng;
use crate::tabs::board::draw::variant_title;
use crate::tabs::board::session::Session;
use crate::ui::Look;

impl Library {
    /// Logs the result of a person's game against a computer player, once: moves tried afterwards change nothing.
    /// `is_followed`: the next game has a level that follows the results.
    pub fn log_result(&mut self, session: &Session, is_followed: bool, cx: &mut Context) {
        let is_logged = self.is_logged(session.game);
        let outcome = session.only_person().and_then(|side| Some((side, session.outcome(side)?)));
        let Some((side, outcome)) = outcome.filter(|_| !is_logged && session.is_counted()) else {
            return;
        };
        let counts = session.position().board().counts();
        let played = GameResult {
            id: rng::fresh_seed(),
            ended: utc(SystemTime::now()),
            game: session.record.variant.to_string(),
            side: session.seat_name(side).to_owned(),
            points: GameResult::points(outcome),
            has_resigned: session.resigned() == Some(side) && !session.is_lost_on_time(),
            counts: [side, side.other()].map(|side| u32::from(counts[side.index()])),
            moves: session.record.main_line().len() as u32,
            accuracy: None,
            marks: [0; 2],
            opponent: session.record.players[side.other().index()].clone(),
            casual: session.casual_text(),
            opening: first_moves(session, side),
            phases: Phases::default(),
        };
        self.follow_result(&played, &session.record.variant, is_followed, cx);
        self.logged = Some((session.game, played));
        self.append_result(cx);
    }

    /// Returns the person's side and the number of moves of the game on the board, if its result was logged.
    pub fn logged_game(&self, session: &Session) -> Option<(Side, usize)> {
        let (_, played) = self.logged.as_ref().filter(|(game, _)| *game == session.game)?;
        let side = Side::BOTH.into_iter().find(|&side| session.seat_name(side) == played.side)?;
        Some((side, played.moves as usize))
    }

    /// Logs the result again, with the accuracy and the marks of the review, once they are known.
    pub fn log_review(&mut self, accuracy: Option<f64>, marks: [u32; 2], phases: Phases, cx: &mut Context) {
        if let Some((_, played)) = &mut self.logged
            && accuracy.is_some()
            && played.accuracy.is_none()
        {
            (played.accuracy, played.marks, played.phases) = (accuracy, marks, phases);
            self.append_result(cx);
        }
    }

    fn append_result(&self, cx: &mut Context) {
        // What guests play is not logged: their files have limits of number and size.
        if cx.paths.rights().is_guest() {
            return;
        }
        if let (Some((_, played)), Some(file)) = (&self.logged, results::file(cx.paths)) {
            let played = played.clone();
            cx.background(move || LibraryMessage::Logged(results::add(&file, &played)));
        }
    }

    /// Reads the levels that follow the results.
    pub fn read_my_levels(&self, cx: &mut Context) {
        // A guest's results are known as long as the session.
        if let Some(file) = results::file(cx.paths).filter(|_| !cx.paths.rights().is_guest()) {
            // A file that cannot be read is reported where results are shown or added.
            cx.background(move || {
                LibraryMessage::MyLevels(MyLevels::after(&results::read(&file).unwrap_or_default().0))
            });
        }
    }

    /// Takes a result into account for the next game of "my level".
    fn follow_result(&mut self, played: &GameResult, variant: &Variant, is_followed: bool, cx: &mut Context) {
        let before = self.my_levels.level_in(variant);
        self.my_levels.add(played);
        let after = self.my_levels.level_in(variant);
        if is_followed && after != before {
            let (what, does) = if after as usize > before as usize { ("wins", "rises") } else { ("losses", "falls") };
            cx.notice(Tone::Info, format!("Two {what} in a row: your level {does} to {}", after.title()));
        }
    }

    /// Returns whether the result of the game with this number was logged.
    pub fn is_logged(&self, game: u64) -> bool {
        self.logged.as_ref().is_some_and(|(logged, _)| *logged == game)
    }
}

/// The opening of a game from the usual start: its name, or else the moves of the first turn.
fn first_moves(session: &Session, person: Side) -> Option<String> {
    let record = &session.record;
    let line = record.main_line();
    let first = line.first().filter(|_| *record.start() == record.variant.start())?;
    let moves: Vec<Move> = line.iter().map(|step| step.mv).collect();
    let turn = || {
        let nodes = std::iter::once(0).chain(line.iter().map(|step| step.node));
        let turn = nodes.zip(&line).take_while(|(_, step)| step.turn == first.turn && step.mover == first.mover);
        let names = turn.map(|(before, step)| record.position_at(before).move_text(step.mv));
        names.collect::<Vec<_>>().join(" ")
    };
    let opening = record.variant.opening(&moves).unwrap_or_else(turn);
    let seat = session.seat_name(person);
    Some(if person == first.mover { opening } else { format!("{opening} (you: {seat})") })
}

/// Reads the results, to be shown.
pub fn open(cx: &mut Context) {
    match results::file(cx.paths) {
        Some(file) => cx.wait_for(move || read(file)),
        None => cx.notice(Tone::Info, "No home directory: no results are kept"),
    }
}

pub fn show(games: &[GameResult], cx: &mut Context) {
    let by_game = results::by_game(games);
    if by_game.is_empty() {
        return cx.notice(Tone::Info, "No results yet: finish a game against a computer player");
    }
    let sections = move |look: &Look| by_game.iter().map(|game| (title(&game.game, look), game.lines(look))).collect();
    cx.open(Help::page("Your results", sections));
}

fn title(game: &str, look: &Look) -> String {
    game.parse().map_or(game.to_owned(), |variant: Variant| variant_title(&variant, look))
}

fn read(file: PathBuf) -> LibraryMessage {
    let read: Result<Vec<GameResult>, Error> = results::read(&file).map(|(games, _)| games);
    LibraryMessage::Results(read)
}
