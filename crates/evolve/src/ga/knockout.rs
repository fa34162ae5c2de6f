//! Single elimination: members are paired by lot, and only those who win their pairing go on.
//!
//! A pairing that was won is worth ten points to the winner. A tie is decided by the pieces that are left, or where these are as many
//! by a coin, and is worth five points to whoever goes on. Of N members all but one lose a pairing, so that 10(N - 1) - 5 × ties
//! points are given out in a generation; a member's fitness is its share of them.
//!
//! The lot is drawn once: those who win neighbouring pairings meet next, which is as good as a new lot in every round, and can be
//! drawn as a tree. Where a round has an odd number of members, the last of them sits out, or the first if the last sat out the
//! round before: nobody sits out twice in a row. Whoever sits out goes on without points.
//!
//! Games are dealt out to threads one by one, and what they find is put in its place, so it does not matter who played which when.

use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;

use super::bracket::{Bracket, Pairing, Slot};
use super::contest::{Contest, Standing};
use super::genome::Individual;
use super::play::{GameKey, Play, Played, Seat};
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::rng;

/// What a random choice in a knock-out is for. The numbers are part of every recorded run.
#[repr(u64)]
enum Purpose {
    Lot = 3,
    First = 4,
    Coin = 5,
}

/// The contest of which one of N is left after N - 1 pairings.
///
/// The winner of the final need not have most points: who won every pairing but the final has more than a winner by ties alone. The
/// ranking goes by points, and among members with as many by how far they went.
pub struct Knockout<P: Play> {
    games: P,
    /// Games of a pairing; who moves first in the first of them is drawn by lot, and then they take turns.
    each: u32,
    seed: u64,
    players: Vec<P::Player>,
    ids: Vec<u64>,
    points: Vec<u64>,
    /// The rounds that have ended.
    bracket: Bracket,
    round: Round,
    standing: Standing,
    workers: Vec<WorkerState<P>>,
}

/// A round under way. Members are named by their place in the population.
#[derive(Default)]
struct Round {
    /// The number of its first pairing.
    first: u64,
    pairs: Vec<[usize; 2]>,
    /// Which of the two moves first in the first game of each pairing.
    begins: Vec<usize>,
    /// Who sits out, and whether that is the first of the round and not the last.
    out: Option<(usize, bool)>,
    /// Each pairing's games, as whoever moved first sees them.
    played: Vec<Option<Played>>,
    /// Games that a worker has begun with.
    dealt: AtomicUsize,
}

/// Where a thread plays.
struct WorkerState<P: Play> {
    memory: P::Memory,
    /// The memory is about the players of the generation before.
    is_stale: bool,
    /// The game under way, and its number in the round.
    game: Option<(usize, P::Game)>,
}

/// What all workers see of a round.
struct Work<'a, P: Play> {
    games: &'a P,
    each: usize,
    /// Seed and generation, which all chance follows from.
    keys: [u64; 2],
    players: &'a [P::Player],
    round: &'a Round,
    budget: Budget,
}

impl<P: Play> Knockout<P> {
    /// `seed` is the run's; of each pairing `each` games are played, one or more.
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
            standing: Standing::default(),
            workers: Vec::new(),
        }
    }

    /// Opens the round of these members, in their order; `sat_out` sat out the round before.
    fn open(&mut self, members: &[usize], sat_out: Option<usize>) {
        let out = match (members.len() % 2, members) {
            (1, [first, .., last]) if sat_out == Some(*last) => Some((*first, true)),
            (1, [.., last]) => Some((*last, false)),
            _ => None,
        };
        let stays = members.iter().copied().filter(|member| out.is_none_or(|(out, _)| out != *member));
        let pairs: Vec<[usize; 2]> = stays.collect::<Vec<_>>().chunks_exact(2).map(|two| [two[0], two[1]]).collect();
        let first = self.standing.pairings;
        let begins = (first..).take(pairs.len()).map(|number| self.draw(number, Purpose::First)).collect();
        let played = vec![None; pairs.len() * self.each as usize];
        self.round = Round { first, pairs, begins, out, played, dealt: AtomicUsize::new(0) };
    }

    /// One of two, drawn by lot.
    fn draw(&self, pairing: u64, purpose: Purpose) -> usize {
        let mut rng = rng::keyed(&[self.seed, self.bracket.generation, pairing, purpose as u64]);
        rng.random_range(0..2)
    }

    /// Takes in the round, all of whose games have been played, and opens the next.
    fn close(&mut self) {
        let round = std::mem::take(&mut self.round);
        let (mut slots, mut goes_on) = (Vec::new(), Vec::new());
        let each = self.each as usize;
        for (index, pair) in round.pairs.iter().enumerate() {
            let first = round.begins[index];
            let of_pair = round.played[index * each..][..each].iter().flatten().enumerate();
            let games: Vec<Played> = of_pair
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
        self.standing.pairings += round.pairs.len() as u64;
        self.bracket.rounds.push(slots);
        if goes_on.len() > 1 {
            self.open(&goes_on, round.out.map(|(out, _)| out));
        }
    }
}

impl<P: Play> WorkerState<P> {
    /// Plays until the budget is spent or all games of the round are dealt out; gives those that have ended.
    fn run(&mut self, work: &Work<'_, P>) -> Vec<(usize, Played)> {
        if std::mem::take(&mut self.is_stale) {
            work.games.clear(&mut self.memory);
        }
        let mut ended = Vec::new();
        while let Some((number, mut game)) = self.game.take().or_else(|| work.deal()) {
            match work.games.play(&mut game, work.seats(number), &mut self.memory, work.budget) {
                Some(played) => ended.push((number, played)),
                None => self.game = Some((number, game)),
            }
            if work.budget.is_spent() {
                break;
            }
        }
        ended
    }
}

impl<P: Play> Work<'_, P> {
    /// A game that no worker has begun with.
    fn deal(&self) -> Option<(usize, P::Game)> {
        let Round { dealt, played, first, .. } = self.round;
        let number = dealt.fetch_add(1, Ordering::Relaxed);
        if number >= played.len() {
            // So that the count never runs away.
            dealt.store(played.len(), Ordering::Relaxed);
            return None;
        }
        let ([seed, generation], pairing) = (self.keys, first + (number / self.each) as u64);
        let game = (number % self.each) as u64;
        Some((number, self.games.begin(GameKey { seed, generation, pairing, game, opening: game / 2 })))
    }

    /// Who plays this game, whoever moves first first.
    fn seats(&self, number: usize) -> [Seat<'_, P::Player>; 2] {
        let (pairing, game) = (number / self.each, number % self.each);
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
        self.workers.iter_mut().for_each(|worker| (worker.is_stale, worker.game) = (true, None));
        let of = members.len().saturating_sub(1) as u64;
        self.standing = Standing { of, of_games: of * u64::from(self.each), ..Standing::default() };
        let mut order: Vec<usize> = (0..members.len()).collect();
        let mut rng = rng::keyed(&[self.seed, generation, Purpose::Lot as u64]);
        for last in (1..order.len()).rev() {
            order.swap(last, rng.random_range(0..=last));
        }
        self.open(&order, None);
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.workers.len() < pool.count() {
            self.workers.push(WorkerState { memory: self.games.memory(), is_stale: false, game: None });
        }
        while self.standing.pairings < self.standing.of {
            let work = Work {
                games: &self.games,
                each: self.each as usize,
                keys: [self.seed, self.bracket.generation],
                players: &self.players,
                round: &self.round,
                budget,
            };
            let ended = pool.map_each(&mut self.workers, |worker| worker.run(&work));
            for (number, played) in ended.into_iter().flatten() {
                self.round.played[number] = Some(played);
                self.standing.games += 1;
            }
            if self.round.played.iter().all(Option::is_some) {
                self.close();
            }
            if budget.is_spent() {
                break;
            }
        }
        if self.standing.pairings < self.standing.of { Status::Running } else { Status::Done }
    }

    fn standing(&self) -> Standing {
        self.standing
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    /// All that were given out.
    fn possible(&self, points: &[u64]) -> u64 {
        points.iter().sum()
    }

    fn bracket(&self) -> Option<&Bracket> {
        Some(&self.bracket)
    }
}
