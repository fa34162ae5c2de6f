//! The contest of networks: each plays the same games against players that are not bred.
//!
//! Two games in a row have the same opponent and opening, with the network in either seat. Opponents, openings and the opponents'
//! random choices depend on the generation and the game's number, not on the genome, so that luck favours no genome.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::fill;
use crate::budget::{Budget, Status};
use crate::evolve::ga::{Contest, ContestProgress, Individual};
use crate::game::kalah::Kalah;
use crate::game::{Game as _, Side};
use crate::net::Network;
use crate::player::{Player, Spec, build};
use crate::pool::Pool;
use crate::train::episode::{Episode, NetworkAnswer, Purpose, drawn};
use crate::train::opponents;

/// The games of a run.
pub(super) struct Games {
    pub start: Kalah,
    pub encoding: usize,
    /// Whether a network plays its most likely move.
    pub greedy: bool,
    /// Number of random moves at the start of a game.
    pub opening: u32,
    /// The opponents, at least one, and how often each plays in proportion to the others.
    pub shares: Vec<f64>,
    pub opponents: Vec<Spec>,
    pub seed: u64,
}

/// A contest in which every member plays the same opponents.
pub struct Gauntlet {
    games: Games,
    /// Games of each member.
    each: u32,
    generation: u64,
    /// A network without weights.
    blank: Network,
    networks: Vec<Network>,
    /// In half points: 2 for a win, 1 for a draw.
    points: Vec<u64>,
    /// Number of games taken by workers.
    dealt: AtomicUsize,
    progress: ContestProgress,
    workers: Vec<WorkerState>,
}

/// The state of a worker thread.
struct WorkerState {
    players: Vec<Option<Box<dyn Player<Kalah>>>>,
    /// The game in progress, and its member.
    playing: Option<(usize, Episode<Kalah>)>,
    asked: NetworkAnswer,
}

/// The shared input of all workers in a generation.
#[derive(Clone, Copy)]
struct Work<'a> {
    games: &'a Games,
    generation: u64,
    networks: &'a [Network],
    /// Games of all members.
    games_in_all: usize,
    dealt: &'a AtomicUsize,
    budget: Budget,
}

impl Games {
    /// Starts the game of a generation with this number.
    fn begin(&self, generation: u64, number: u64) -> Episode<Kalah> {
        let key = [self.seed, generation, number / 2];
        let lot = f64::from(drawn(key, Purpose::Meeting, 0)) / f64::from(u32::MAX);
        let against = opponents::drawn(self.shares.iter().copied(), lot);
        Episode::begin(self.start, key, self.opening, against, 0, Side::BOTH[(number % 2) as usize])
    }
}

impl Work<'_> {
    /// Takes the next game, the members in turn.
    fn deal(self) -> Option<(usize, Episode<Kalah>)> {
        let nth = self.dealt.fetch_add(1, Ordering::Relaxed);
        if nth >= self.games_in_all {
            // Keeps the counter from growing without bound.
            self.dealt.store(self.games_in_all, Ordering::Relaxed);
            return None;
        }
        let count = self.networks.len();
        Some((nth % count, self.games.begin(self.generation, (nth / count) as u64)))
    }
}

impl WorkerState {
    fn new(games: &Games) -> WorkerState {
        let players = games.opponents.iter().map(|_| None).collect();
        WorkerState { players, playing: None, asked: NetworkAnswer::default() }
    }

    /// Plays until the budget is spent or no games are left; returns the members of the finished ones with their half points.
    fn run(&mut self, work: Work<'_>) -> Vec<(usize, u64)> {
        let mut ended = Vec::new();
        while let Some((member, mut episode)) = self.playing.take().or_else(|| work.deal()) {
            if let Some(ending) = episode.game_state.ending() {
                ended.push((member, u64::from(ending.outcome(episode.seat).halves())));
                self.players[episode.against].iter_mut().for_each(|player| player.rest());
                continue;
            }
            let moved = self.advance(member, &mut episode, work);
            self.playing = Some((member, episode));
            if !moved || work.budget.is_spent() {
                break;
            }
        }
        ended
    }

    /// Plays a move of the side to move; returns false if the budget is spent first.
    fn advance(&mut self, member: usize, episode: &mut Episode<Kalah>, work: Work<'_>) -> bool {
        let pos = *episode.game_state.pos();
        if pos.side() == episode.seat {
            let NetworkAnswer { policy, .. } = self.asked.ask(&work.networks[member], &pos, work.games.encoding);
            let nth = if work.games.greedy { policy.likeliest() } else { policy.pick(episode.bits()) };
            episode.play(pos.moves().nth(nth).unwrap_or_default());
            return true;
        }
        let player = &mut self.players[episode.against];
        if player.is_none() {
            *player = build(&work.games.opponents[episode.against]).ok();
        }
        // The contest's settings check that the player plays this game.
        player.as_mut().is_some_and(|player| episode.answer(player.as_mut(), work.budget))
    }
}

impl Gauntlet {
    /// Creates a contest with this number of games of each member; `blank` has the shape of the networks.
    pub(super) fn new(games: Games, each: u32, blank: Network) -> Gauntlet {
        Gauntlet {
            games,
            each,
            generation: 0,
            blank,
            networks: Vec::new(),
            points: Vec::new(),
            dealt: AtomicUsize::new(0),
            progress: ContestProgress::default(),
            workers: Vec::new(),
        }
    }
}

impl Contest for Gauntlet {
    fn begin(&mut self, generation: u64, members: &[Individual]) {
        let network = |member: &Individual| {
            let mut network = self.blank.clone();
            fill(&mut network, &member.genome);
            network
        };
        self.networks = members.iter().map(network).collect();
        (self.generation, self.points) = (generation, vec![0; members.len()]);
        self.dealt = AtomicUsize::new(0);
        self.workers.iter_mut().for_each(|worker| worker.playing = None);
        let games = members.len() as u64 * u64::from(self.each);
        self.progress = ContestProgress { all_pairings: games, of_games: games, ..ContestProgress::default() };
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.workers.len() < pool.count() {
            self.workers.push(WorkerState::new(&self.games));
        }
        let games = &self.games;
        let generation = self.generation;
        let of = self.progress.of_games as usize;
        let work = Work { games, generation, networks: &self.networks, games_in_all: of, dealt: &self.dealt, budget };
        let ended: Vec<Vec<(usize, u64)>> = pool.map_each(&mut self.workers, |worker| worker.run(work));
        for (member, halves) in ended.into_iter().flatten() {
            self.points[member] += halves;
            self.progress.games += 1;
        }
        self.progress.pairings = self.progress.games;
        if self.progress.games < self.progress.of_games { Status::Running } else { Status::Done }
    }

    fn progress(&self) -> ContestProgress {
        self.progress
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    fn possible(&self, _: &[u64]) -> u64 {
        2 * u64::from(self.each)
    }
}
