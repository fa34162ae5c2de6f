//! Single elimination: members are paired by lot, and the winner of each pairing advances.
//!
//! A won pairing is worth ten points to the winner. A tie is decided by the remaining pieces, then by a coin toss, and is worth
//! five points to the member that advances. All but one of N members lose a pairing, so a generation awards 10(N - 1) - 5 ×
//! ties points; a member's fitness is its share of them.
//!
//! The lot is drawn once: winners of neighbouring pairings meet next, which is equivalent to a new lot in every round and can
//! be drawn as a tree. In a round with an odd number of members the last member gets a bye, or the first if the last had a bye
//! in the previous round; no member has two byes in a row. A bye gives no points.
//!
//! Each result of a game is stored in its place, so the result does not depend on the order of play.

use rand::RngExt;

use super::bracket::{Bracket, Pairing, Slot};
use super::genome::Individual;
use super::play::{Contest, ContestProgress, GameKey, GameResult, Play, PlayMemory, Seat};
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::rng;
use crate::work::{Work, WorkList};

/// Purposes of random draws in a knock-out. The numbers are part of every recorded run.
#[repr(u64)]
enum Purpose {
    Lot = 3,
    First = 4,
    Coin = 5,
}

/// A contest in which N - 1 pairings eliminate all but one of N members.
///
/// The winner of the final does not always have the most points: a finalist that won every earlier pairing has more than a
/// winner by ties alone. The ranking is by points, then by rounds survived.
pub struct Knockout<P: Play> {
    games: P,
    /// Games per pairing. The first mover of the first game is drawn by lot; the members then alternate.
    each: u32,
    seed: u64,
    players: Vec<P::Player>,
    ids: Vec<u64>,
    points: Vec<u64>,
    /// The completed rounds.
    bracket: Bracket,
    round: Round,
    /// Number of contests so far: memories of earlier ones are cleared.
    contest: u64,
    progress: ContestProgress,
    /// The games in progress, with their numbers in the round.
    in_progress: WorkList<PlayMemory<P>, (usize, P::Game)>,
}

/// The current round. Members are identified by their index in the population.
#[derive(Default)]
struct Round {
    /// Number of its first pairing.
    first: u64,
    pairs: Vec<[usize; 2]>,
    /// The member (0 or 1) of each pairing that moves first in its first game.
    begins: Vec<usize>,
    /// The member with the bye, and whether it is the first of the round rather than the last.
    out: Option<(usize, bool)>,
    /// The games of all pairings, from the first mover's side.
    played: Vec<Option<GameResult>>,
}

/// The games of a round.
struct RoundGames<'a, P: Play> {
    games: &'a P,
    each: usize,
    /// Seed and generation, the keys of all random draws.
    keys: [u64; 2],
    players: &'a [P::Player],
    round: &'a Round,
    contest: u64,
}

impl<P: Play> Knockout<P> {
    /// Creates a contest. `seed` is the run's; `each` is the number of games per pairing, at least 1.
    pub fn new(games: P, each: u32, seed: u64) -> Knockout<P> {
        Knockout {
            games,
            each: each.max(1),
            seed,
            players: Vec::new(),
            ids: Vec::new(),
            points: Vec::new(),
            bracket: Bracket::default(),
            round: Round::default(),
            contest: 0,
            progress: ContestProgress::default(),
            in_progress: WorkList::default(),
        }
    }

    /// Starts the round of these members, in this order; `sat_out` had the bye of the previous round.
    fn open(&mut self, members: &[usize], sat_out: Option<usize>) {
        let out = match (members.len() % 2, members) {
            (1, [first, .., last]) if sat_out == Some(*last) => Some((*first, true)),
            (1, [.., last]) => Some((*last, false)),
            _ => None,
        };
        let stays = members.iter().copied().filter(|member| out.is_none_or(|(out, _)| out != *member));
        let pairs: Vec<[usize; 2]> = stays.collect::<Vec<_>>().chunks_exact(2).map(|two| [two[0], two[1]]).collect();
        let first = self.progress.pairings;
        let begins = (first..).take(pairs.len()).map(|number| self.draw(number, Purpose::First)).collect();
        let played = vec![None; pairs.len() * self.each as usize];
        self.round = Round { first, pairs, begins, out, played };
        self.in_progress.restart();
    }

    /// Draws one of two.
    fn draw(&self, pairing: u64, purpose: Purpose) -> usize {
        let mut rng = rng::keyed(&[self.seed, self.bracket.generation, pairing, purpose as u64]);
        rng.random_range(0..2)
    }

    /// Concludes the completed round and starts the next.
    fn close(&mut self) {
        let round = std::mem::take(&mut self.round);
        let mut slots = Vec::new();
        let mut goes_on = Vec::new();
        let each = self.each as usize;
        for (index, pair) in round.pairs.iter().enumerate() {
            let first = round.begins[index];
            let of_pair = round.played[index * each..][..each].iter().flatten().enumerate();
            let games: Vec<GameResult> = of_pair
                .map(|(nth, game)| if (first + nth).is_multiple_of(2) { *game } else { game.turned() })
                .collect();
            let number = round.first + index as u64;
            let (winner, how) = Pairing::decide(&games, || self.draw(number, Purpose::Coin));
            self.points[pair[winner]] += how.points();
            let members = pair.map(|member| self.ids[member]);
            goes_on.push(pair[winner]);
            slots.push(Slot::Met(Pairing { number, members, first, games, winner, how }));
        }
        if let Some((out, is_first)) = round.out {
            let at = if is_first { 0 } else { slots.len() };
            slots.insert(at, Slot::Bye(self.ids[out]));
            goes_on.insert(at, out);
        }
        self.progress.pairings += round.pairs.len() as u64;
        self.bracket.rounds.push(slots);
        if goes_on.len() > 1 {
            self.open(&goes_on, round.out.map(|(out, _)| out));
        }
    }
}

impl<P: Play> Work for RoundGames<'_, P> {
    type Memory = PlayMemory<P>;
    type Item = (usize, P::Game);
    type Output = (usize, GameResult);

    fn memory(&self) -> PlayMemory<P> {
        PlayMemory::new(self.games, self.contest)
    }

    fn begin(&self, number: usize) -> Option<(usize, P::Game)> {
        let Round { played, first, .. } = self.round;
        if number >= played.len() {
            return None;
        }
        let [seed, generation] = self.keys;
        let pairing = first + (number / self.each) as u64;
        let game = (number % self.each) as u64;
        Some((number, self.games.begin(GameKey { seed, generation, pairing, game, opening: game / 2 })))
    }

    fn advance(
        &self,
        memory: &mut PlayMemory<P>,
        (number, game): &mut (usize, P::Game),
        budget: Budget,
    ) -> Option<(usize, GameResult)> {
        let memory = memory.in_contest(self.games, self.contest);
        Some((*number, self.games.play(game, self.seats(*number), memory, budget)?))
    }
}

impl<P: Play> RoundGames<'_, P> {
    /// Returns the players of a game, the first mover first.
    fn seats(&self, number: usize) -> [Seat<'_, P::Player>; 2] {
        let pairing = number / self.each;
        let game = number % self.each;
        let [a, b] = self.round.pairs[pairing];
        let order = if (self.round.begins[pairing] + game).is_multiple_of(2) { [a, b] } else { [b, a] };
        order.map(|member| Seat { number: member as u32, player: &self.players[member] })
    }
}

impl<P: Play> Contest for Knockout<P> {
    fn begin(&mut self, generation: u64, members: &[Individual]) {
        self.players = members.iter().map(|member| self.games.player(&member.genome)).collect();
        self.ids = members.iter().map(|member| member.id).collect();
        self.points = vec![0; members.len()];
        self.bracket = Bracket { generation, rounds: Vec::new() };
        self.contest += 1;
        let of = members.len().saturating_sub(1) as u64;
        self.progress =
            ContestProgress { all_pairings: of, of_games: of * u64::from(self.each), ..ContestProgress::default() };
        let mut order: Vec<usize> = (0..members.len()).collect();
        let mut rng = rng::keyed(&[self.seed, generation, Purpose::Lot as u64]);
        for last in (1..order.len()).rev() {
            order.swap(last, rng.random_range(0..=last));
        }
        self.open(&order, None);
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.progress.pairings < self.progress.all_pairings {
            let work = RoundGames {
                games: &self.games,
                each: self.each as usize,
                keys: [self.seed, self.bracket.generation],
                players: &self.players,
                round: &self.round,
                contest: self.contest,
            };
            for (number, played) in self.in_progress.advance(&work, pool, budget) {
                self.round.played[number] = Some(played);
                self.progress.games += 1;
            }
            if self.round.played.iter().all(Option::is_some) {
                self.close();
            }
            if budget.is_spent() {
                break;
            }
        }
        if self.progress.pairings < self.progress.all_pairings { Status::Running } else { Status::Done }
    }

    fn progress(&self) -> ContestProgress {
        self.progress
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    /// Returns the sum of all points.
    fn possible(&self, points: &[u64]) -> u64 {
        points.iter().sum()
    }

    fn bracket(&self) -> Option<&Bracket> {
        Some(&self.bracket)
    }
}
