//! The person's results: logged when a game ends, and shown on a page.

use std::path::PathBuf;
use std::time::SystemTime;

use mancalab_base::Error;

use super::Board;
use super::message::Message;
use crate::app::effect::{Context, Tone};
use crate::app::overlay::help::Help;
use crate::game::{Move, Side};
use crate::job::run_dir::utc;
use crate::player::levels::Opponent;
use crate::player::reviewing::{self, Mark};
use crate::results::{self, GameResult, MyLevels, Phases};
use crate::rng;
use crate::ui::Look;

impl Board {
    /// Logs the result of a person's game against a computer player, once: moves tried afterwards change nothing.
    pub(super) fn log_result(&mut self, cx: &mut Context) {
        let is_logged = self.library.logged.as_ref().is_some_and(|(game, _)| *game == self.session.game);
        let outcome = self.only_person().and_then(|side| Some((side, self.outcome(side)?)));
        let Some((side, outcome)) = outcome.filter(|_| !is_logged && self.is_counted()) else {
            return;
        };
        let counts = self.session.position().board().counts();
        let played = GameResult {
            id: rng::fresh_seed(),
            ended: utc(SystemTime::now()),
            game: self.session.record.variant.to_string(),
            side: self.session.seat_name(side).to_owned(),
            points: GameResult::points(outcome),
            counts: [side, side.other()].map(|side| u32::from(counts[side.index()])),
            moves: self.session.record.main_line().len() as u32,
            accuracy: None,
            marks: [0; 2],
            opponent: self.session.record.players[side.other().index()].clone(),
            casual: self.casual_text(),
            opening: self.first_moves(side),
            phases: Phases::default(),
        };
        self.follow_result(&played, cx);
        self.library.logged = Some((self.session.game, played));
        self.append_result(cx);
    }

    /// Logs the result again, with the accuracy and the marks of the review.
    pub(super) fn log_accuracy(&mut self, cx: &mut Context) {
        let Some((_, played)) = self.library.logged.as_ref().filter(|(game, _)| *game == self.session.game) else {
            return;
        };
        let side = Side::BOTH.into_iter().find(|&side| self.session.seat_name(side) == played.side);
        let line = self.session.record.main_line();
        let own: Vec<_> = line.iter().filter(|step| Some(step.mover) == side).take(played.moves as usize).collect();
        let valued = |node| self.valued(self.session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = reviewing::accuracy(own.iter().filter_map(|step| Some((valued(step.node)?, step.mv))));
        let marks: Vec<Mark> = own.iter().filter_map(|step| self.verdict(step.node)?.mark).collect();
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count() as u32;
        let marks = [Mark::Mistake, Mark::Blunder].map(count);
        let phases = side.map(|side| self.phases(side, played.moves as usize)).unwrap_or_default();
        if let Some((_, played)) = &mut self.library.logged
            && accuracy.is_some()
            && played.accuracy.is_none()
        {
            (played.accuracy, played.marks, played.phases) = (accuracy, marks, phases);
            self.append_result(cx);
        }
    }

    /// The opening of a game from the usual start: its name, or else the moves of the first turn.
    fn first_moves(&self, person: Side) -> Option<String> {
        let record = &self.session.record;
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
        let seat = self.session.seat_name(person);
        Some(if person == first.mover { opening } else { format!("{opening} (you: {seat})") })
    }

    /// How the thirds of a reviewed game with this number of moves went for a side.
    fn phases(&self, side: Side, moves: usize) -> Phases {
        let line = self.session.record.main_line();
        let line = &line[..moves.min(line.len())];
        let third = |index: usize| &line[index * line.len() / 3..(index + 1) * line.len() / 3];
        let valued = |node| self.valued(self.session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = |index: usize| {
            let own = third(index).iter().filter(|step| step.mover == side);
            reviewing::accuracy(own.filter_map(|step| Some((valued(step.node)?, step.mv))))
        };
        let chance = |index: usize| {
            let chance = self.verdict(third(index).last()?.node)?.chance;
            Some(100.0 * if side == self.point_of_view() { chance } else { 1.0 - chance })
        };
        Phases { accuracy: [0, 1, 2].map(accuracy), chance: [0, 1].map(chance) }
    }

    fn append_result(&self, cx: &mut Context) {
        // What guests play is not logged: their files have limits of number and size.
        if cx.paths.rights().is_guest() {
            return;
        }
        if let (Some((_, played)), Some(file)) = (&self.library.logged, results::file(cx.paths)) {
            let played = played.clone();
            cx.background(move || Message::Logged(results::add(&file, &played)));
        }
    }

    /// Reads the levels that follow the results.
    pub(super) fn read_my_levels(&self, cx: &mut Context) {
        // A guest's results are known as long as the session.
        if let Some(file) = results::file(cx.paths).filter(|_| !cx.paths.rights().is_guest()) {
            // A file that cannot be read is reported where results are shown or added.
            cx.background(move || Message::MyLevels(MyLevels::after(&results::read(&file).unwrap_or_default().0)));
        }
    }

    /// Takes a result into account for the next game of "my level".
    fn follow_result(&mut self, played: &GameResult, cx: &mut Context) {
        let variant = self.session.record.variant;
        let before = self.library.my_levels.of(&variant);
        self.library.my_levels.add(played);
        let after = self.library.my_levels.of(&variant);
        let is_followed = self.setup.players.iter().any(|player| matches!(player, Opponent::MyLevel(_)));
        if is_followed && after != before {
            let (what, does) = if after as usize > before as usize { ("wins", "rises") } else { ("losses", "falls") };
            cx.notice(Tone::Info, format!("Two {what} in a row: your level {does} to {}", after.title()));
        }
    }

    /// Reads the results, to be shown.
    pub(super) fn open_results(&mut self, cx: &mut Context) {
        match results::file(cx.paths) {
            Some(file) => cx.wait_for(move || read(file)),
            None => cx.notice(Tone::Info, "No home directory: no results are kept"),
        }
    }

    pub(super) fn show_results(&self, games: &[GameResult], cx: &mut Context) {
        let by_game = results::by_game(games);
        if by_game.is_empty() {
            return cx.notice(Tone::Info, "No results yet: finish a game against a computer player");
        }
        let sections = move |look: &Look| by_game.iter().map(|game| (title(&game.game), game.lines(look))).collect();
        cx.open(Help::page("Your results", sections));
    }
}

fn title(game: &str) -> String {
    game.parse().map_or(game.to_owned(), |variant: crate::game::Variant| variant.title().to_owned())
}

fn read(file: PathBuf) -> Message {
    let read: Result<Vec<GameResult>, Error> = results::read(&file).map(|(games, _)| games);
    Message::Results(read)
}
