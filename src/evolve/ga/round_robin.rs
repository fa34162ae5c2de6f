//! Everyone plays everyone, themselves included: the contest of the Kalah thesis, section 5.4.
//!
//! A game is played once and counts for both sides, so the points given out are exactly half of what there is to win, and the
//! population's mean fitness is 50 % in every generation. For the same reason the games of a genome against itself bring it
//! half of their points whatever happens, and need not be played.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::contest::{Contest, Standing};
use super::duel::{Duellist, Games, Memory};
use super::genome::Genome;
use crate::game::Game;
use crate::job::{Budget, Status};
use crate::player::heuristic::{Evaluator, Reading};
use crate::rng;

/// What a random choice in a contest is for. The number is part of every recorded run.
const GAME: u64 = 2;

/// Pairings between two looks at the budget: some hundredths of a second.
const CHUNK: usize = 64;

/// Pairings that a thread plays one after the other.
const TOGETHER: usize = 4;

/// The contest of genomes that are weights of the ten heuristics.
pub struct RoundRobin<G: Game> {
    games: Games<G>,
    /// Games that each member of a pairing begins.
    each_way: u32,
    reading: Reading,
    seed: u64,
    generation: u64,
    players: Vec<Evaluator>,
    /// In halves: 2 for a win, 1 for a draw.
    points: Vec<u64>,
    pairings: Vec<(u32, u32)>,
    /// Pairings played.
    done: usize,
    /// One for each thread that ever needed one.
    memories: Mutex<Vec<Memory<G>>>,
}

impl<G: Game> RoundRobin<G> {
    /// `seed` is the run's.
    pub fn new(games: Games<G>, each_way: u32, reading: Reading, seed: u64) -> RoundRobin<G> {
        let (players, points, pairings) = (Vec::new(), Vec::new(), Vec::new());
        RoundRobin {
            games,
            each_way,
            reading,
            seed,
            generation: 0,
            players,
            points,
            pairings,
            done: 0,
            memories: Mutex::default(),
        }
    }

    /// The points of both in the pairing with this number.
    fn meet(&self, number: usize, memory: &mut Memory<G>) -> (u64, u64) {
        let (a, b) = self.pairings[number];
        let each_way = u64::from(self.each_way);
        if a == b {
            // Both sides' points are its own.
            return (each_way, each_way);
        }
        let [one, other] = [a, b].map(|number| Duellist { number, evaluator: &self.players[number as usize] });
        // Without chance all games are the same: one is played, and counted as often.
        let (played, counted) = if self.games.is_certain() { (1, each_way) } else { (each_way, 1) };
        let mut game = |index: u64, players: [Duellist<'_>; 2]| {
            let mut rng = rng::keyed(&[self.seed, self.generation, number as u64, index, GAME]);
            u64::from(self.games.play(players, memory, &mut rng)) * counted
        };
        let first: u64 = (0..played).map(|index| game(index, [one, other])).sum();
        let second: u64 = (0..played).map(|index| game(each_way + index, [other, one])).sum();
        let all = 2 * each_way;
        (first + all - second, second + all - first)
    }

    /// The points of both in each of these pairings.
    fn play(&self, numbers: &[usize]) -> Vec<(u64, u64)> {
        let spare = || self.memories.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = spare().unwrap_or_else(|| Memory::new(&self.games.start));
        let points = numbers.iter().map(|&number| self.meet(number, &mut memory)).collect();
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        points
    }

    /// Games that are played for so many of the pairings.
    fn games_of(&self, pairings: &[(u32, u32)]) -> u64 {
        let each_way = if self.games.is_certain() { 1 } else { self.each_way };
        pairings.iter().filter(|(a, b)| a != b).count() as u64 * 2 * u64::from(each_way)
    }
}

impl<G: Game> Contest for RoundRobin<G> {
    fn begin(&mut self, generation: u64, genomes: &[Genome]) {
        let evaluator = |genome: &Genome| Evaluator::new(&super::weights::weights(genome), self.reading);
        let count = genomes.len() as u32;
        self.generation = generation;
        self.players = genomes.iter().map(evaluator).collect();
        self.points = vec![0; genomes.len()];
        self.pairings = (0..count).flat_map(|a| (a..count).map(move |b| (a, b))).collect();
        self.done = 0;
        self.memories.get_mut().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(Memory::clear);
    }

    fn step(&mut self, budget: Budget) -> Status {
        while self.done < self.pairings.len() {
            let chunk = self.done..(self.done + CHUNK).min(self.pairings.len());
            let numbers: Vec<usize> = chunk.clone().collect();
            let points: Vec<(u64, u64)> = numbers.par_chunks(TOGETHER).flat_map_iter(|some| self.play(some)).collect();
            for (number, (one, other)) in chunk.clone().zip(points) {
                let (a, b) = self.pairings[number];
                self.points[a as usize] += one;
                self.points[b as usize] += other;
            }
            self.done = chunk.end;
            if budget.is_spent() {
                break;
            }
        }
        if self.done < self.pairings.len() { Status::Running } else { Status::Done }
    }

    fn standing(&self) -> Standing {
        Standing {
            pairings: self.done as u64,
            of: self.pairings.len() as u64,
            games: self.games_of(&self.pairings[..self.done]),
            of_games: self.games_of(&self.pairings),
        }
    }

    fn points(&self) -> &[u64] {
        &self.points
    }

    fn possible(&self) -> u64 {
        self.players.len() as u64 * 2 * 2 * u64::from(self.each_way)
    }
}
