//! The evaluation of a population by games between two genomes, which a contest plays many times.

use super::bracket::Bracket;
use super::genome::{Genome, Individual};
use crate::budget::{Budget, Status};
use crate::game::Outcome;
use crate::pool::Pool;

/// Games between players defined by genomes. The contest decides who meets whom.
pub trait Play: Send + Sync + 'static {
    /// The player of a genome.
    type Player: Send + Sync;
    /// A game in progress.
    type Game: Send;
    /// Data that a thread keeps between games, such as tables. The games do not depend on it.
    type Memory: Send;

    /// Returns whether games are deterministic: two games of the same players with the same first mover are identical.
    fn is_certain(&self) -> bool;

    fn player(&self, genome: &Genome) -> Self::Player;

    fn memory(&self) -> Self::Memory;

    /// Clears the memory for new players.
    fn clear(&self, memory: &mut Self::Memory);

    /// Starts the game with this key, the source of all its randomness.
    fn begin(&self, key: GameKey) -> Self::Game;

    /// Plays to the end; returns `None` if the budget is spent first. `players` lists the first mover first and must be the
    /// same in every call.
    fn play(
        &self,
        game: &mut Self::Game,
        players: [Seat<'_, Self::Player>; 2],
        memory: &mut Self::Memory,
        budget: Budget,
    ) -> Option<GameResult>;
}

/// A worker's memory, and the number of the contest that it is about.
pub struct PlayMemory<P: Play> {
    memory: P::Memory,
    contest: u64,
}

impl<P: Play> PlayMemory<P> {
    pub fn new(games: &P, contest: u64) -> PlayMemory<P> {
        PlayMemory { memory: games.memory(), contest }
    }

    /// Returns the memory, which is cleared first if it is about another contest.
    pub fn in_contest(&mut self, games: &P, contest: u64) -> &mut P::Memory {
        if self.contest != contest {
            games.clear(&mut self.memory);
            self.contest = contest;
        }
        &mut self.memory
    }
}

/// The identity of a game within a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameKey {
    pub seed: u64,
    pub generation: u64,
    /// Number of the pairing within its generation.
    pub pairing: u64,
    /// Number of the game within its pairing.
    pub game: u64,
    /// Shared by the two games of a pairing that differ only in the first mover.
    pub opening: u64,
}

/// A player of a contest.
pub struct Seat<'a, P> {
    /// The player's number in the contest.
    pub number: u32,
    pub player: &'a P,
}

/// The result of a game, from the first mover's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    pub outcome: Outcome,
    /// Piece lead over the opponent at the end.
    pub ahead: i32,
}

impl GameResult {
    /// Returns the result from the other side.
    #[must_use]
    pub fn turned(self) -> GameResult {
        GameResult { outcome: self.outcome.other(), ahead: -self.ahead }
    }
}

/// Evaluates generations, in steps. The results depend on the run's seed, the generation and the genomes, not on the number of
/// threads or on how the work is divided into steps.
pub trait Contest: Send + 'static {
    /// Starts the evaluation of a generation.
    fn begin(&mut self, generation: u64, members: &[Individual]);

    /// Works until the budget is spent or all members are evaluated.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Status;

    fn progress(&self) -> ContestProgress;

    /// Returns the points of each member so far, in the order of `members`.
    fn points(&self) -> &[u64];

    /// Returns the points that correspond to a fitness of 100 %, given the points of all members.
    fn possible(&self, points: &[u64]) -> u64;

    /// Returns the pairings; `None` if everyone plays everyone.
    fn bracket(&self) -> Option<&Bracket> {
        None
    }
}

/// Progress of the evaluation of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContestProgress {
    /// Pairings played.
    pub pairings: u64,
    pub all_pairings: u64,
    /// Games played for these pairings.
    pub games: u64,
    /// Games per generation.
    pub of_games: u64,
}
