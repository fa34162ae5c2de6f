//! A match of two players, played without interruption.

use std::time::Duration;

use super::score::Tally;
use super::settings::{Pairs, Settings};
use super::tournament::Tournament;
use crate::budget::{Budget, Job as _, Status};
use crate::game::Variant;
use crate::job::RunJob;
use crate::player::Spec;
use crate::pool::Pool;

/// Time between two progress reports.
const STEP: Duration = Duration::from_millis(100);

/// A match with alternating first mover.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    pub variant: Variant,
    pub players: [Spec; 2],
    /// The players alternate in moving first; the first player begins.
    pub games: u32,
    /// Random moves at the start of each game.
    pub opening: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Match {
    /// Plays the match; the result does not depend on the size of the pool. Calls `hear` with the finished share of
    /// the games, many times a second. `None` if a player is human or there are no games.
    pub fn play(&self, pool: &Pool, hear: &mut dyn FnMut(f64)) -> Option<Tally> {
        let settings = Settings {
            pairs: Pairs::alternating(self.games),
            opening: self.opening.into(),
            ..Settings::round_robin(self.variant, self.players.to_vec(), 0, self.seed)
        };
        let mut tournament = RunJob::in_memory(settings, pool).ok()?;
        while tournament.step(Budget::time(STEP)) == Status::Running {
            let view = tournament.run_as::<Tournament>().view();
            hear(view.done as f64 / view.total.max(1) as f64);
        }
        let standing = tournament.run_as::<Tournament>().standing();
        Some(Tally { first: standing[0].score, second: standing[1].score.turned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(players: [&str; 2], games: u32, opening: u32) -> Option<Tally> {
        duel_by(&Pool::default(), players, games, opening)
    }

    fn duel_by(pool: &Pool, players: [&str; 2], games: u32, opening: u32) -> Option<Tally> {
        let players = players.map(|text| text.parse().unwrap());
        Match { variant: Variant::usual()[0], players, games, opening, seed: 3 }.play(pool, &mut |_| ())
    }

    #[test]
    fn the_stronger_wins_from_either_seat() {
        let tally = duel(["minimax:4", "random"], 40, 2).unwrap();
        assert_eq!((tally.first.games(), tally.second.games()), (20, 20));
        assert!(tally.first.share() > 0.85 && tally.second.share() > 0.85, "{tally:?}");
        let turned = duel(["random", "minimax:4"], 40, 2).unwrap();
        assert!(turned.all().share() < 0.15);
        assert_eq!(duel(["human", "random"], 2, 0), None);
    }

    #[test]
    fn a_match_does_not_depend_on_threads() {
        let played = |threads| duel_by(&Pool::new(threads), ["heuristic:2:ties=random", "max"], 30, 2);
        assert!(played(1).is_some());
        assert_eq!(played(1), played(4));
    }

    #[test]
    fn without_chance_all_games_of_a_seat_are_the_same() {
        let tally = duel(["minimax:3", "minimax:2"], 10, 0).unwrap();
        for score in [tally.first, tally.second] {
            assert!([score.wins, score.draws, score.losses].contains(&5));
        }
    }
}
