//! The games of a round robin: which are played, and one that is being played.

use std::time::Instant;

use rand::RngExt as _;
use serde::Serialize;

use super::wire;
use crate::arena::Score;
use crate::game::record::Record;
use crate::game::{Move, Variant};
use crate::grid::Grid;
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
        let choice = wire::legal(self.record.position(), pit);
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

/// Results of an agent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    pub name: String,
    pub authors: String,
    pub score: Score,
    /// Own seeds less the opponents', over all games that were played to their end.
    pub seeds: i64,
    /// Moves that the server chose, since none arrived in time.
    pub random: u32,
    /// Moves that were not possible.
    pub illegal: u32,
    /// Games lost because the agent was gone.
    pub forfeits: u32,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameResult {
    pub first: String,
    pub second: String,
    pub game: String,
    /// Of the first mover: 1, 0.5 or 0.
    pub points: f64,
    /// Seeds of the first mover less the second's; `None` if the game was forfeited.
    pub margin: Option<i32>,
    pub moves: u32,
}

#[derive(Serialize)]
struct Agent<'a> {
    name: &'a str,
    authors: &'a str,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    points: f64,
    interval: (f64, f64),
    seeds: i64,
    random: u32,
    illegal: u32,
    forfeits: u32,
}

/// A tournament for programs.
#[derive(Serialize)]
pub struct Json<'a> {
    seed: u64,
    finished: bool,
    agents: Vec<Agent<'a>>,
    games: &'a [GameResult],
}

/// Returns the rows, the most points first.
fn sorted(rows: &[Row]) -> Vec<&Row> {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    crate::sort::sort_by(&mut sorted, |one, other| {
        other.score.share().total_cmp(&one.score.share()).then(other.seeds.cmp(&one.seeds))
    });
    sorted
}

/// Returns the table as text.
pub fn text(rows: &[Row]) -> String {
    let head = ["agent", "games", "won", "drawn", "lost", "points", "95 %", "seeds", "random", "illegal", "forfeits"];
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let row = |row: &&Row| {
        let Score { wins, draws, losses } = row.score;
        let (low, high) = row.score.interval();
        let counts = [row.score.games(), wins, draws, losses].map(|count| count.to_string());
        let share = [format!("{} %", percent(row.score.share())), format!("{} to {}", percent(low), percent(high))];
        let rest = [row.random, row.illegal, row.forfeits].map(|count| count.to_string());
        let seeds = format!("{:+}", row.seeds);
        [row.name.clone()].into_iter().chain(counts).chain(share).chain([seeds]).chain(rest).collect()
    };
    let rows = [head.map(str::to_owned).to_vec()].into_iter().chain(sorted(rows).iter().map(row)).collect();
    Grid { rows, numbers: (1..head.len()).collect(), ..Grid::default() }.table()
}

/// Returns the results for programs.
pub fn json<'a>(rows: &'a [Row], games: &'a [GameResult], seed: u64, finished: bool) -> Json<'a> {
    let agent = |row: &'a Row| Agent {
        name: &row.name,
        authors: &row.authors,
        games: row.score.games(),
        won: row.score.wins,
        drawn: row.score.draws,
        lost: row.score.losses,
        points: row.score.share(),
        interval: row.score.interval(),
        seeds: row.seeds,
        random: row.random,
        illegal: row.illegal,
        forfeits: row.forfeits,
    };
    Json { seed, finished, agents: sorted(rows).into_iter().map(agent).collect(), games }
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
            (wire::argument(chosen.record.position()).to_string(), chosen.seat()),
            ("<3,0,1,4,3,3,3,0,4>".to_owned(), 1)
        );
        let mut one = game();
        let mut same = game();
        assert!(!one.play(7) && !same.play(7));
        assert_eq!(one.record.position(), same.record.position());
    }
}
