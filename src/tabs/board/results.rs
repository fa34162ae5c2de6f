//! The person's results: noted when a game ends, and shown on a page.

use std::path::PathBuf;
use std::time::SystemTime;

use mancalab_base::Error;

use super::{Board, Message};
use crate::app::effect::{Context, Tone};
use crate::app::overlay::help::Help;
use crate::game::Side;
use crate::job::run_dir::utc;
use crate::player::reviewing::Mark;
use crate::results::{self, Played};
use crate::rng;

impl Board {
    /// Notes the result of a person's game against a computer player, or notes it again with what the review found.
    pub(super) fn note_result(&mut self, cx: &mut Context) {
        let Some(file) = results::file(cx.paths) else { return };
        let person = Side::BOTH.into_iter().find(|&side| self.is_human(side) && !self.is_human(side.other()));
        let Some((side, outcome)) = person.and_then(|side| Some((side, self.outcome(side)?))) else { return };
        let id = match self.noted {
            Some((game, id)) if game == self.game => id,
            _ => rng::fresh_seed(),
        };
        self.noted = Some((self.game, id));
        let counts = self.position().board().counts();
        let marks = self.marks(side);
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count() as u32;
        let played = Played {
            id,
            ended: utc(SystemTime::now()),
            game: self.record.variant.to_string(),
            side: self.seat_name(side).to_owned(),
            points: Played::points(outcome),
            counts: [side, side.other()].map(|side| counts[side.index()] as u32),
            moves: self.record.line().len() as u32,
            accuracy: self.accuracy(side).filter(|_| !self.is_reviewing()),
            marks: [Mark::Mistake, Mark::Blunder].map(count),
            opponent: self.record.players[side.other().index()].clone(),
        };
        cx.background(move || Message::Noted(results::add(&file, &played)));
    }

    /// Returns whether the result of the game on the board was noted.
    pub(super) fn is_noted(&self) -> bool {
        self.noted.is_some_and(|(game, _)| game == self.game)
    }

    /// Reads the results, to be shown.
    pub(super) fn open_results(&mut self, cx: &mut Context) {
        match results::file(cx.paths) {
            Some(file) => cx.wait_for(move || read(file)),
            None => cx.notice(Tone::Info, "No home directory: no results are kept"),
        }
    }

    pub(super) fn show_results(&self, games: &[Played], cx: &mut Context) {
        let by_game = results::by_game(games);
        if by_game.is_empty() {
            return cx.notice(Tone::Info, "No results yet: finish a game against a computer player");
        }
        let sections = by_game.iter().map(|game| (title(&game.game), game.lines())).collect();
        cx.open(Help::page("Your results", sections));
    }
}

fn title(game: &str) -> String {
    game.parse().map_or(game.to_owned(), |variant: crate::game::Variant| variant.title().to_owned())
}

fn read(file: PathBuf) -> Message {
    let read: Result<Vec<Played>, Error> = results::read(&file).map(|(games, _)| games);
    Message::Results(read)
}
