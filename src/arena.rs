//! Matches between players: games from random openings, counted by who moved first, with confidence intervals.

use rand::Rng as _;
use rayon::prelude::*;

use crate::game::{Game, Variant, with_position};
use crate::player::{Player, Spec, Turn, build, choose};
use crate::rng;

/// What a random choice in a match is for. The numbers are part of every recorded match.
#[repr(u64)]
enum Purpose {
    Opening = 0,
    Game = 1,
}

/// A match: so many games, in which the two take turns at moving first.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    pub variant: Variant,
    pub players: [Spec; 2],
    /// Each of the two moves first in every other one, the first player in the first.
    pub games: u32,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
    /// All chance in the match follows from it.
    pub seed: u64,
}

/// Games by how they ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// How a match ended for its first player: the games it began, and those it did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub first: Score,
    pub second: Score,
}

impl Match {
    /// Plays the match on all processors; the result does not depend on how many there are. `done` is told of every game that
    /// has ended. `None` if one of the players is human.
    pub fn play(&self, done: impl Fn() + Sync) -> Option<Tally> {
        if self.players.iter().any(Spec::is_human) {
            return None;
        }
        let start = self.variant.start();
        let scores = with_position!(start, start => {
            let seats = || self.players.each_ref().map(|spec| build(spec));
            (0..self.games).into_par_iter().map_init(seats, |players, number| {
                let tally = players.each_mut().iter_mut().all(|player| player.is_some()).then(|| self.game(start, players, number));
                done();
                tally
            }).collect::<Option<Vec<Tally>>>()
        })?;
        Some(scores.into_iter().fold(Tally::default(), Tally::plus))
    }

    fn game<G: Game>(&self, start: G, players: &mut [Option<Box<dyn Player<G>>>; 2], number: u32) -> Tally {
        let key = |purpose: Purpose| [self.seed, u64::from(number), purpose as u64];
        let mut opening = rng::keyed(&key(Purpose::Opening));
        let seed = rng::keyed(&key(Purpose::Game)).next_u64();
        let beginner = number as usize % 2;
        let side = start.side();
        let mut pos = start;
        let mut ply = 0;
        while !pos.is_over() {
            let seat = if pos.side() == side { beginner } else { 1 - beginner };
            let mv = match &mut players[seat] {
                _ if ply < self.opening => Some(pos.pick(opening.next_u32())),
                Some(player) => choose(&mut **player, &Turn { pos, ply, seed }),
                None => None,
            };
            let Some(mv) = mv else { break };
            pos = pos.play(mv);
            ply += 1;
        }
        let margin = pos.margin(side);
        if beginner == 0 {
            Tally { first: Score::of(margin), ..Tally::default() }
        } else {
            Tally { second: Score::of(-margin), ..Tally::default() }
        }
    }
}

impl Score {
    /// One game that ended with this margin.
    fn of(margin: i32) -> Score {
        Score { wins: (margin > 0).into(), draws: (margin == 0).into(), losses: (margin < 0).into() }
    }

    #[must_use]
    pub fn plus(self, other: Score) -> Score {
        Score { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }

    /// The same games as the other player sees them.
    #[must_use]
    pub fn turned(self) -> Score {
        Score { wins: self.losses, losses: self.wins, ..self }
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, a draw being half of one, from 0 to 1; half if there was no game.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Where that share lies with 95 % confidence.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.share(), self.games())
    }
}

impl Tally {
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally { first: self.first.plus(other.first), second: self.second.plus(other.second) }
    }

    /// All games of the match's first player.
    pub fn all(&self) -> Score {
        self.first.plus(self.second)
    }
}

/// Wilson's score interval with 95 % confidence for a share measured over so many trials. Draws make the spread smaller than a
/// coin's, so that the interval is rather too wide than too narrow.
pub fn wilson(share: f64, trials: u32) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let n = f64::from(trials);
    if trials == 0 {
        return (0.0, 1.0);
    }
    let centre = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((centre - reach) / scale).max(0.0), ((centre + reach) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(players: [&str; 2], games: u32, opening: u32) -> Option<Tally> {
        let players = players.map(|text| text.parse().unwrap());
        Match { variant: Variant::usual()[0], players, games, opening, seed: 3 }.play(|| ())
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
        let play = || duel(["heuristic:2:ties=random", "max"], 30, 2);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(play);
        let many = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap().install(play);
        assert_eq!(one, many);
    }

    #[test]
    fn without_chance_all_games_of_a_seat_are_the_same() {
        let tally = duel(["minimax:3", "minimax:2"], 10, 0).unwrap();
        for score in [tally.first, tally.second] {
            assert!([score.wins, score.draws, score.losses].contains(&5));
        }
    }

    #[test]
    fn intervals_are_wilsons() {
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, 15 of 148, 0 of 20.
        for (hits, trials, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let (from, to) = wilson(f64::from(hits) / f64::from(trials), trials);
            assert!((from - low).abs() < 1e-4 && (to - high).abs() < 1e-4, "{from} {to}");
        }
        assert_eq!(Score::default().interval(), (0.0, 1.0));
    }
}
