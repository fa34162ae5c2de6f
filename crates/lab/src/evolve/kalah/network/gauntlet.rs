//! The contest of networks: each plays the same games against players that are not bred.
//!
//! Two games in a row have the same opponent and opening, with the network in either seat. Opponents, openings and the opponents'
//! random choices depend on the generation and the game's number, not on the genome, so that luck favours no genome.

use super::fill;
use crate::budget::{Budget, Status};
use crate::evolve::ga::{Contest, ContestProgress, Individual};
use crate::game::kalah::Kalah;
use crate::game::{Game as _, Side};
use crate::net::Network;
use crate::player::{Player, Spec, build};
use crate::pool::Pool;
use crate::train::opponents;
use crate::train::worker::{Episode, NetworkAnswer, Purpose, drawn};
use crate::work::{Work, WorkList};

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
    progress: ContestProgress,
    playing: WorkList<Seats, MemberGame>,
}

/// A worker's players of the opponents, and the buffers of the network's answers.
struct Seats {
    players: Vec<Option<Box<dyn Player<Kalah>>>>,
    answer: NetworkAnswer,
}

/// A member's game in progress.
struct MemberGame {
    member: usize,
    episode: Episode<Kalah>,
}

/// The games of a generation.
struct GenerationGames<'a> {
    games: &'a Games,
    generation: u64,
    networks: &'a [Network],
    /// Games of all members.
    count: usize,
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

impl Work for GenerationGames<'_> {
    type Memory = Seats;
    type Item = MemberGame;
    /// The member and its half points.
    type Output = (usize, u64);

    fn memory(&self) -> Seats {
        Seats { players: self.games.opponents.iter().map(|_| None).collect(), answer: NetworkAnswer::default() }
    }

    /// The members in turn.
    fn begin(&self, number: usize) -> Option<MemberGame> {
        let members = self.networks.len();
        (number < self.count).then(|| MemberGame {
            member: number % members,
            episode: self.games.begin(self.generation, (number / members) as u64),
        })
    }

    fn advance(&self, seats: &mut Seats, game: &mut MemberGame, budget: Budget) -> Option<(usize, u64)> {
        loop {
            let episode = &game.episode;
            if let Some(ending) = episode.game_state.ending() {
                seats.players[episode.against].iter_mut().for_each(|player| player.rest());
                return Some((game.member, u64::from(ending.outcome(episode.seat).halves())));
            }
            if !seats.play(game, self, budget) || budget.is_spent() {
                return None;
            }
        }
    }
}

impl Seats {
    /// Plays a move of the side to move; returns false if the budget is spent first.
    fn play(
        &mut self,
        MemberGame { member, episode }: &mut MemberGame,
        work: &GenerationGames<'_>,
        budget: Budget,
    ) -> bool {
        let pos = *episode.game_state.pos();
        if pos.side() == episode.seat {
            let NetworkAnswer { policy, .. } = self.answer.ask(&work.networks[*member], &pos, work.games.encoding);
            let nth = if work.games.greedy { policy.likeliest() } else { policy.pick(episode.bits()) };
            episode.play(pos.moves().nth(nth).unwrap_or_default());
            return true;
        }
        let player = &mut self.players[episode.against];
        if player.is_none() {
            *player = build(&work.games.opponents[episode.against]).ok();
        }
        // The contest's settings check that the player plays this game.
        player.as_mut().is_some_and(|player| episode.answer(player.as_mut(), budget))
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
            progress: ContestProgress::default(),
            playing: WorkList::default(),
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
        self.playing.restart();
        let games = members.len() as u64 * u64::from(self.each);
        self.progress = ContestProgress { all_pairings: games, of_games: games, ..ContestProgress::default() };
    }

    fn step(&mut self, pool: &Pool, budget: Budget) -> Status {
        let work = GenerationGames {
            games: &self.games,
            generation: self.generation,
            networks: &self.networks,
            count: self.progress.of_games as usize,
        };
        for (member, halves) in self.playing.advance(&work, pool, budget) {
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
