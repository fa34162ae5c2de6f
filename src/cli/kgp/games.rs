//! The games of a round robin: which are played, and one that is being played.

use std::time::Instant;

use rand::RngExt as _;

use super::board;
use crate::game::record::Record;
use crate::game::{Move, Variant};
use crate::rng;

/// A game to play: seats of the players, the first mover first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    pub seats: [usize; 2],
    pub variant: Variant,
    /// Number of the game between these two in this order, from 1.
    pub number: u32,
}

/// Returns the games of a round robin: on each board everyone begins `rounds` games against everyone. Games of the same
/// players are apart, so that many can be played at a time.
pub fn round_robin(players: usize, boards: &[Variant], rounds: u32) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for round in 0..rounds {
        for (at, variant) in (0..).zip(boards) {
            for distance in 1..players {
                for first in 0..players {
                    let number = round * boards.len() as u32 + at + 1;
                    fixtures.push(Fixture { seats: [first, (first + distance) % players], variant: *variant, number });
                }
            }
        }
    }
    fixtures
}

/// A board that a player was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingRequest {
    /// The id of the command `state`.
    pub id: u64,
    pub until: Instant,
    pub choice: Option<Move>,
}

/// A game in progress.
pub struct Game {
    pub fixture: Fixture,
    pub record: Record,
    pub asked: Option<PendingRequest>,
}

impl Game {
    pub fn new(fixture: Fixture, names: [String; 2]) -> Game {
        let record = Record::new(fixture.variant, names, None);
        Game { fixture, record, asked: None }
    }

    /// Returns the seat of the player to move.
    pub fn seat(&self) -> usize {
        self.fixture.seats[self.record.position().side().index()]
    }

    /// Chooses a pit for the player to move; whether that is legal.
    pub fn choose(&mut self, pit: i64) -> bool {
        let choice = board::legal(self.record.position(), pit);
        if let (Some(asked), Some(_)) = (&mut self.asked, choice) {
            asked.choice = choice;
        }
        choice.is_some()
    }

    /// Plays the chosen move, or a random one if none was chosen; whether it was chosen.
    pub fn play(&mut self, seed: u64) -> bool {
        let choice = self.asked.take().and_then(|asked| asked.choice);
        let moves = self.record.position().moves();
        let [first, second] = self.fixture.seats.map(|seat| seat as u64);
        let key = [seed, first, second, self.fixture.number.into(), self.record.ply().into()];
        let random = || moves[rng::keyed(&key).random_range(0..moves.len())];
        self.record.play(choice.unwrap_or_else(random));
        choice.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_begins_against_everyone_on_every_board() {
        let boards: Vec<Variant> = ["kalah:3x3", "kalah:12x2"].iter().map(|text| text.parse().unwrap()).collect();
        let fixtures = round_robin(3, &boards, 2);
        assert_eq!(fixtures.len(), 3 * 2 * 2 * 2);
        for seats in [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]] {
            let own: Vec<(Variant, u32)> =
                fixtures.iter().filter(|one| one.seats == seats).map(|one| (one.variant, one.number)).collect();
            assert_eq!(own, [(boards[0], 1), (boards[1], 2), (boards[0], 3), (boards[1], 4)], "{seats:?}");
        }
    }

    #[test]
    fn a_game_takes_the_last_legal_choice_and_a_random_move_without_one() {
        let fixture = round_robin(2, &["kalah:3x3".parse().unwrap()], 1).remove(0);
        let game = || {
            let mut game = Game::new(fixture.clone(), ["a".to_owned(), "b".to_owned()]);
            game.asked = Some(PendingRequest { id: 2, until: Instant::now(), choice: None });
            game
        };
        let mut chosen = game();
        assert!(chosen.choose(1) && chosen.choose(2) && !chosen.choose(4) && !chosen.choose(0));
        assert!(chosen.play(7));
        assert_eq!(
            (board::argument(chosen.record.position()).to_string(), chosen.seat()),
            ("<3,0,1,4,3,3,3,0,4>".to_owned(), 1)
        );
        let mut one = game();
        let mut same = game();
        assert!(!one.play(7) && !same.play(7));
        assert_eq!(one.record.position(), same.record.position());
    }
}
