//! Everyone plays everyone, themselves included.
//!
//! A game is played once and counts for both sides, so the points given out are exactly half of what there is to win, and the
//! population's mean fitness is 50 % in every generation. For the same reason the games of a genome against itself bring it
//! half of their points whatever happens, and need not be played.
//!
//! Every processor has a worker: a memory of its own, and a pairing under way, which it leaves in the middle of a game when the
//! budget of a step is spent. Points are whole numbers that are added up, so it does not matter who played which pairing when.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::contest::{Contest, Standing};
use super::genome::Individual;
use super::play::{GameKey, Play, Seat};
use crate::budget::{Budget, Status};
use crate::pool::Pool;

/// The contest in which every two members meet.
pub struct RoundRobin<P: Play> {
    games: P,
    /// Games that each member of a pairing begins.
    each_way: u32,
    seed: u64,
    generation: u64,
    players: Vec<P::Player>,
    /// In halves: 2 for a win, 1 for a draw.
    points: Vec<u64>,
    pairings: Vec<(u32, u32)>,
    /// Pairings that a worker has begun with.
    dealt: AtomicUsize,
    standing: Standing,
    workers: Vec<WorkerState<P>>,
}

/// Where a thread plays.
struct WorkerState<P: Play> {
    memory: P::Memory,
    /// The memory is about the players of the generation before.
    is_stale: bool,
    meeting: Option<Meeting<P>>,
}

/// A pairing under way.
struct Meeting<P: Play> {
    /// Which pairing it is.
    number: usize,
    /// Games that have ended.
    ended: u32,
    /// What each won in the games it began, in halves.
    won: [u64; 2],
    playing: Option<P::Game>,
}

/// A pairing that has been played, and the points of both.
struct Met {
    number: usize,
    points: [u64; 2],
}

/// What all workers see of a generation.
struct Work<'a, P: Play> {
    games: &'a P,
    each_way: u32,
    /// Seed and generation, which all chance follows from.
    keys: [u64; 2],
    players: &'a [P::Player],
    pairings: &'a [(u32, u32)],
    dealt: &'a AtomicUsize,
    budget: Budget,
}

impl<P: Play> RoundRobin<P> {
    /// `seed` is the run's.
    pub fn new(games: P, each_way: u32, seed: u64) -> RoundRobin<P> {
        let (players, points, pairings) = (Vec::new(), Vec::new(), Vec::new());
        RoundRobin {
            games,
            each_way,
            seed,
            generation: 0,
            players,
            points,
            pairings,
            dealt: AtomicUsize::new(0),
            standing: Standing::default(),
            workers: Vec::new(),
        }
    }

    /// Takes in a pairing that has been played.
    fn count(&mut self, met: &Met) {
        let (a, b) = self.pairings[met.number];
        let [one, other] = met.points;
        self.points[a as usize] += one;
        self.points[b as usize] += other;
        self.standing.pairings += 1;
        self.standing.games += self.games_of(met.number);
    }

    /// Games that are played for a pairing.
    fn games_of(&self, number: usize) -> u64 {
        let (a, b) = self.pairings[number];
        if a == b { 0 } else { 2 * u64::from(played(&self.games, self.each_way)) }
    }
}

/// Games that a member of a pairing begins of which each is played: without chance all are the same, so that one will do.
fn played<P: Play>(games: &P, each_way: u32) -> u32 {
    if games.is_certain() { 1 } else { each_way }
}

impl<P: Play> WorkerState<P> {
    fn new(games: &P) -> WorkerState<P> {
        WorkerState { memory: games.memory(), is_stale: false, meeting: None }
    }

    /// Plays until the budget is spent or all pairings are dealt out; gives those that have ended.
    fn run(&mut self, work: &Work<'_, P>) -> Vec<Met> {
        if std::mem::take(&mut self.is_stale) {
            work.games.clear(&mut self.memory);
        }
        let mut all = Vec::new();
        while let Some(mut meeting) = self.meeting.take().or_else(|| work.deal()) {
            match self.meet(&mut meeting, work) {
                Some(points) => all.push(Met { number: meeting.number, points }),
                None => self.meeting = Some(meeting),
            }
            if work.budget.is_spent() {
                break;
            }
        }
        all
    }

    /// The points of both, once all of their games have been played; `None` if the budget is spent first.
    fn meet(&mut self, meeting: &mut Meeting<P>, work: &Work<'_, P>) -> Option<[u64; 2]> {
        let (a, b) = work.pairings[meeting.number];
        let all = u64::from(work.each_way);
        if a == b {
            // Both sides' points are its own.
            return Some([all, all]);
        }
        let seat = |number: u32| Seat { number, player: &work.players[number as usize] };
        let played = played(work.games, work.each_way);
        while meeting.ended < 2 * played {
            let (begins, nth) = ((meeting.ended / played) as usize, meeting.ended % played);
            let index = begins as u64 * all + u64::from(nth);
            let begin = || {
                let ([seed, generation], pairing) = (work.keys, meeting.number as u64);
                work.games.begin(GameKey { seed, generation, pairing, game: index, opening: nth.into() })
            };
            let playing = meeting.playing.get_or_insert_with(begin);
            let players = if begins == 0 { [a, b] } else { [b, a] }.map(seat);
            let ended = work.games.play(playing, players, &mut self.memory, work.budget)?;
            meeting.won[begins] += u64::from(ended.outcome.halves());
            meeting.ended += 1;
            meeting.playing = None;
            if work.budget.is_spent() && meeting.ended < 2 * played {
                return None;
            }
        }
        // Games that were played once are counted as often as there would be of them.
        let [first, second] = meeting.won.map(|halves| halves * (all / u64::from(played)));
        let all = 2 * all;
        Some([first + all - second, second + all - first])
    }
}

impl<P: Play> Work<'_, P> {
    /// A pairing that no worker has begun with.
    fn deal(&self) -> Option<Meeting<P>> {
        let number = self.dealt.fetch_add(1, Ordering::Relaxed);
        if number < self.pairings.len() {
            return Some(Meeting { number, ended: 0, won: [0; 2], playing: None });
        }
        // So that the count never runs away.
        self.dealt.store(self.pairings.len(), Ordering::Relaxed);
        None
    }
}

impl<P: Play> Contest for RoundRobin<P> {
    fn begin(&mut self, generation: u64, members: &[Individual]) {
        let count = members.len() as u32;
        self.generation = generation;
        self.players = members.iter().map(|member| self.games.player(&member.genome)).collect();
        self.points = vec![0; members.len()];
        self.pairings = (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        self.dealt = AtomicUsize::new(0);
        self.workers.iter_mut().for_each(|worker| (worker.is_stale, worker.meeting) = (true, None));
        let of_games = (0..self.pairings.len()).map(|number| self.games_of(number)).sum();
        self.standing = Standing { of: self.pairings.len() as u64, of_games, ..Standing::default() };
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.workers.len() < pool.count() {
            self.workers.push(WorkerState::new(&self.games));
        }
        let work = Work {
            games: &self.games,
            each_way: self.each_way,
            keys: [self.seed, self.generation],
            players: &self.players,
            pairings: &self.pairings,
            dealt: &self.dealt,
            budget,
        };
        let all: Vec<Vec<Met>> = pool.map_each(&mut self.workers, |worker| worker.run(&work));
        all.iter().flatten().for_each(|met| self.count(met));
        if self.standing.pairings < self.standing.of { Status::Running } else { Status::Done }
    }

    fn standing(&self) -> Standing {
        self.standing
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    fn possible(&self, points: &[u64]) -> u64 {
        points.len() as u64 * 2 * 2 * u64::from(self.each_way)
    }
}
