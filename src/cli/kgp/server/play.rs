//! The games of a server: begun, played move by move, counted and saved.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use super::super::board;
use super::super::games::{Fixture, Game, PendingRequest, round_robin};
use super::super::table::GameResult;
use super::super::wire::{Argument, Command};
use super::{Server, Settings};
use crate::arena::Score;
use crate::files::write_whole;
use crate::game::{Outcome, Side, notation};
use crate::sanitize;

impl Server {
    /// Begins games, asks for moves, and ends games that are over or whose agents are gone.
    pub(super) fn go_on(&mut self, now: Instant) {
        if self.fixtures.is_none() && self.seats.len() == self.settings.agents && self.are_all_there() {
            let Settings { boards, rounds, .. } = &self.settings;
            self.fixtures = Some(round_robin(self.seats.len(), boards, *rounds).into());
        }
        loop {
            self.begin_games();
            let is_gone =
                |server: &Server, game: &Game| game.fixture.seats.iter().any(|&seat| server.seats[seat].peer.is_none());
            let over = self.games.iter().position(|game| game.record.ending().is_some() || is_gone(self, game));
            if let Some(index) = over {
                let game = self.games.swap_remove(index);
                self.end(&game);
                continue;
            }
            match self.games.iter().position(|game| game.asked.is_none()) {
                // The agent may be gone now.
                Some(index) => self.ask(index, now),
                None => return,
            }
        }
    }

    /// Begins every game whose agents play no other.
    fn begin_games(&mut self) {
        let Some(fixtures) = &mut self.fixtures else { return };
        let mut waiting = VecDeque::new();
        let mut begun = Vec::new();
        for fixture in fixtures.drain(..) {
            if fixture.seats.iter().any(|&seat| self.seats[seat].is_playing) {
                waiting.push_back(fixture);
                continue;
            }
            fixture.seats.iter().for_each(|&seat| self.seats[seat].is_playing = true);
            let names = fixture.seats.map(|seat| self.seats[seat].row.name.clone());
            begun.push(Game::new(fixture, names));
        }
        *fixtures = waiting;
        for game in begun {
            self.announce(&game);
            self.games.push(game);
        }
    }

    /// Names a game and the opponent to both agents.
    fn announce(&mut self, game: &Game) {
        let [first, second] = game.fixture.seats;
        let id = format!("{}-{}-{}", first + 1, second + 1, game.fixture.number);
        for (seat, other) in [(first, second), (second, first)] {
            let Some(number) = self.seats[seat].peer else { continue };
            let opponent = self.seats[other].row.name.clone();
            for (option, text) in [("game:id", id.clone()), ("game:opponent", opponent)] {
                self.send(number, Command::new("set", vec![Argument::Word(option.to_owned()), Argument::Text(text)]));
            }
        }
    }

    /// Sends the board to the player to move.
    fn ask(&mut self, index: usize, now: Instant) {
        let game = &self.games[index];
        let seat = game.seat();
        let board = board::argument(game.record.position());
        let Some(number) = self.seats[seat].peer else { return };
        let id = self.send(number, Command::new("state", vec![board]));
        self.games[index].asked = Some(PendingRequest { id, until: now + self.settings.time, choice: None });
    }

    /// Ends the time for a move and plays it.
    pub(super) fn play(&mut self, index: usize) {
        let game = &mut self.games[index];
        let seat = game.seat();
        let id = game.asked.as_ref().map(|asked| asked.id);
        let is_chosen = game.play(self.settings.seed);
        self.seats[seat].row.random += u32::from(!is_chosen);
        if let Some(number) = self.seats[seat].peer {
            self.send(number, Command::new("stop", Vec::new()).to(id));
        }
    }

    /// Counts and saves a game that is over or forfeited. If both agents are gone, it was not played.
    fn end(&mut self, game: &Game) {
        let Fixture { seats, variant, number } = game.fixture;
        seats.iter().for_each(|&seat| self.seats[seat].is_playing = false);
        let ending = game.record.ending();
        let outcome = match (ending, seats.map(|seat| self.seats[seat].peer.is_some())) {
            (Some(ending), _) => ending.outcome,
            (None, [true, _]) => Outcome::Won,
            (None, [_, true]) => Outcome::Lost,
            (None, [false, false]) => return,
        };
        let margin = ending.map(|ending| ending.margin);
        for (side, seat) in [Side::South, Side::North].into_iter().zip(seats) {
            let (own, sign) = if side == Side::South { (outcome, 1) } else { (outcome.other(), -1) };
            let row = &mut self.seats[seat].row;
            row.score = row.score.plus(Score::from_outcome(own));
            row.seeds += i64::from(margin.unwrap_or(0) * sign);
            row.forfeits += u32::from(ending.is_none() && own == Outcome::Lost);
        }
        let [first, second] = seats.map(|seat| self.seats[seat].row.name.clone());
        let what = if ending.is_none() { ", forfeited" } else { "" };
        let points = f64::from(outcome.halves()) / 2.0;
        self.notes.push(format!("game {}: {first} against {second}, {variant}: {points}{what}", self.played.len() + 1));
        let moves = game.record.ply();
        self.played.push(GameResult { first, second, game: variant.to_string(), points, margin, moves });
        if let Err(error) = self.save(game, [seats[0] + 1, seats[1] + 1], number) {
            self.notes.push(format!("a game was not saved: {}", sanitize::reason(&error)));
        }
    }

    fn save(&self, game: &Game, [first, second]: [usize; 2], number: u32) -> io::Result<()> {
        let Some(folder) = &self.settings.save else { return Ok(()) };
        let path = folder.join(format!("{first}-{second}-{number:05}.game"));
        write_whole(&path, notation::write(&game.record).as_bytes())
    }
}
