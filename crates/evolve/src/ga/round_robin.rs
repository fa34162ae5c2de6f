//! A round robin: every member plays every member, itself included.
//!
//! A game is played once and counts for both sides, so exactly half of the possible points are awarded and the mean fitness is
//! 50 % in every generation. For the same reason the games of a genome against itself always give it half of their points and
//! are not played.
//!
//! Points are sums of integers, so the result does not depend on the order of play.

use super::genome::Individual;
use super::play::{Contest, ContestProgress, GameKey, Play, PlayMemory, Seat};
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::work::{Work, WorkList};

/// A contest in which every two members meet.
pub struct RoundRobin<P: Play> {
    games: P,
    /// Games that each member of a pairing begins.
    each_way: u32,
    seed: u64,
    generation: u64,
    /// Number of contests so far: memories of earlier ones are cleared.
    contest: u64,
    players: Vec<P::Player>,
    /// In half points: 2 for a win, 1 for a draw.
    points: Vec<u64>,
    pairings: Vec<(u32, u32)>,
    progress: ContestProgress,
    /// The pairings in progress.
    work_list: WorkList<PlayMemory<P>, PairingWork<P>>,
}

/// A pairing in progress.
struct PairingWork<P: Play> {
    /// Number of the pairing.
    number: usize,
    /// Number of finished games.
    ended: u32,
    /// Half points of each member in the games it began.
    won: [u64; 2],
    playing: Option<P::Game>,
}

/// A finished pairing with the points of both members.
struct PairingResult {
    number: usize,
    points: [u64; 2],
}

/// The pairings of a generation.
struct Pairings<'a, P: Play> {
    games: &'a P,
    each_way: u32,
    /// Seed and generation, the keys of all random draws.
    keys: [u64; 2],
    players: &'a [P::Player],
    pairings: &'a [(u32, u32)],
    contest: u64,
}

impl<P: Play> RoundRobin<P> {
    /// Creates a contest. `seed` is the run's.
    pub fn new(games: P, each_way: u32, seed: u64) -> RoundRobin<P> {
        RoundRobin {
            games,
            each_way,
            seed,
            generation: 0,
            contest: 0,
            players: Vec::new(),
            points: Vec::new(),
            pairings: Vec::new(),
            progress: ContestProgress::default(),
            work_list: WorkList::default(),
        }
    }

    /// Adds the points of a finished pairing.
    fn count(&mut self, met: &PairingResult) {
        let (a, b) = self.pairings[met.number];
        let [one, other] = met.points;
        self.points[a as usize] += one;
        self.points[b as usize] += other;
        self.progress.pairings += 1;
        self.progress.games += self.games_of(met.number);
    }

    /// Returns the number of games played for a pairing.
    fn games_of(&self, number: usize) -> u64 {
        let (a, b) = self.pairings[number];
        if a == b { 0 } else { 2 * u64::from(played(&self.games, self.each_way)) }
    }
}

/// Returns how many of the games that a member begins are played: 1 if games are deterministic, as all would be identical.
fn played<P: Play>(games: &P, each_way: u32) -> u32 {
    if games.is_certain() { 1 } else { each_way }
}

impl<P: Play> Pairings<'_, P> {
    /// Returns the points of both members once their games are finished; `None` if the budget is spent first.
    fn meet(&self, memory: &mut P::Memory, work: &mut PairingWork<P>, budget: Budget) -> Option<[u64; 2]> {
        let (a, b) = self.pairings[work.number];
        let all = u64::from(self.each_way);
        if a == b {
            // Both sides' points are its own.
            return Some([all, all]);
        }
        let seat = |number: u32| Seat { number, player: &self.players[number as usize] };
        let played = played(self.games, self.each_way);
        while work.ended < 2 * played {
            let begins = (work.ended / played) as usize;
            let nth = work.ended % played;
            let index = begins as u64 * all + u64::from(nth);
            let begin = || {
                let ([seed, generation], pairing) = (self.keys, work.number as u64);
                self.games.begin(GameKey { seed, generation, pairing, game: index, opening: nth.into() })
            };
            let playing = work.playing.get_or_insert_with(begin);
            let players = if begins == 0 { [a, b] } else { [b, a] }.map(seat);
            let ended = self.games.play(playing, players, memory, budget)?;
            work.won[begins] += u64::from(ended.outcome.halves());
            work.ended += 1;
            work.playing = None;
            if budget.is_spent() && work.ended < 2 * played {
                return None;
            }
        }
        // Scales up games that are played only once because they are deterministic.
        let [first, second] = work.won.map(|halves| halves * (all / u64::from(played)));
        let all = 2 * all;
        Some([first + all - second, second + all - first])
    }
}

impl<P: Play> Work for Pairings<'_, P> {
    type Memory = PlayMemory<P>;
    type Item = PairingWork<P>;
    type Output = PairingResult;

    fn memory(&self) -> PlayMemory<P> {
        PlayMemory::new(self.games, self.contest)
    }

    fn begin(&self, number: usize) -> Option<PairingWork<P>> {
        (number < self.pairings.len()).then_some(PairingWork { number, ended: 0, won: [0; 2], playing: None })
    }

    fn advance(&self, memory: &mut PlayMemory<P>, work: &mut PairingWork<P>, budget: Budget) -> Option<PairingResult> {
        let points = self.meet(memory.in_contest(self.games, self.contest), work, budget)?;
        Some(PairingResult { number: work.number, points })
    }
}

impl<P: Play> Contest for RoundRobin<P> {
    fn begin(&mut self, generation: u64, members: &[Individual]) {
        let count = members.len() as u32;
        self.generation = generation;
        self.players = members.iter().map(|member| self.games.player(&member.genome)).collect();
        self.points = vec![0; members.len()];
        self.pairings = (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        self.contest += 1;
        self.work_list.restart();
        let of_games = (0..self.pairings.len()).map(|number| self.games_of(number)).sum();
        self.progress =
            ContestProgress { all_pairings: self.pairings.len() as u64, of_games, ..ContestProgress::default() };
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        let work = Pairings {
            games: &self.games,
            each_way: self.each_way,
            keys: [self.seed, self.generation],
            players: &self.players,
            pairings: &self.pairings,
            contest: self.contest,
        };
        let met = self.work_list.advance(&work, pool, budget);
        met.iter().for_each(|met| self.count(met));
        if self.progress.pairings < self.progress.all_pairings { Status::Running } else { Status::Done }
    }

    fn progress(&self) -> ContestProgress {
        self.progress
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    fn possible(&self, points: &[u64]) -> u64 {
        points.len() as u64 * 2 * 2 * u64::from(self.each_way)
    }
}
