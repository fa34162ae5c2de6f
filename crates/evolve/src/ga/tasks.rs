//! The interface of any task of the genetic algorithm, for the command line, the tab and the list of runs.
//!
//! To add a task, create a module that implements [`Task`], and add a line to the list of kinds (`lab::kinds`).

use std::sync::Arc;

use super::bracket::Pairing;
use super::play::GameKey;
use super::{Bracket, GaView, Gene, Genome, Member, Settings, Task};
use crate::game::Variant;
use crate::game::record::Record;

/// A snapshot of a run of any task, with its settings.
#[derive(Clone)]
pub struct Snapshot {
    pub settings: Arc<dyn AnyTask>,
    pub view: GaView,
}

/// The descriptions of a task's genes.
pub struct Labels {
    /// A short name and a description of each shown number of a genome.
    pub genes: Vec<(&'static str, &'static str)>,
    /// The range of final values of each of them in the source, if published.
    pub published: Option<Vec<(f64, f64)>>,
    /// See [`Task::RELATIVE`].
    pub relative: bool,
    /// See [`Task::is_knockout`].
    pub knockout: bool,
}

/// A task with the settings of its run.
pub trait AnyTask: Send + Sync {
    /// Returns the number of generations after the initial one.
    fn generations(&self) -> u64;

    fn genes(&self) -> Vec<Gene>;

    fn labels(&self) -> Labels;

    /// See [`Task::game`].
    fn game(&self) -> Variant;

    /// See [`Task::player`].
    fn player(&self, genome: &Genome, file: &str) -> String;

    /// See [`Task::shown`].
    fn shown(&self, genome: &Genome) -> Genome;

    /// See [`Task::yardstick`].
    fn yardstick(&self) -> String;

    /// Replays a game of a pairing of this bracket; returns it with the players of South and North. `None` if `ranking` does
    /// not belong to the bracket, or if games of the task cannot be replayed. Takes as long as the original game.
    fn record(
        &self,
        bracket: &Bracket,
        pairing: &Pairing,
        game: usize,
        ranking: &[Member],
    ) -> Option<(Record, [String; 2])>;

    /// Returns a genome as a file: the ending of its name, and its contents with its origin; `fitness` in percent.
    fn kept(&self, ranked: &Member, fitness: f64) -> (&'static str, Vec<u8>);
}

impl<T: Task> AnyTask for Settings<T> {
    fn generations(&self) -> u64 {
        self.generations
    }

    fn genes(&self) -> Vec<Gene> {
        self.task.genes()
    }

    fn labels(&self) -> Labels {
        let genes = T::labels();
        let published = self.task.published();
        Labels { genes, published, relative: T::RELATIVE, knockout: self.task.is_knockout() }
    }

    fn game(&self) -> Variant {
        self.task.game()
    }

    fn player(&self, genome: &Genome, file: &str) -> String {
        self.task.player(genome, file)
    }

    fn shown(&self, genome: &Genome) -> Genome {
        self.task.shown(genome)
    }

    fn yardstick(&self) -> String {
        self.task.yardstick()
    }

    fn record(
        &self,
        bracket: &Bracket,
        pairing: &Pairing,
        game: usize,
        ranking: &[Member],
    ) -> Option<(Record, [String; 2])> {
        let first = pairing.first_in(game);
        let genome = |which: usize| {
            let member = ranking.iter().find(|ranked| ranked.individual.id == pairing.members[which]);
            member.map(|ranked| &ranked.individual.genome)
        };
        let genomes = [genome(first)?, genome(1 - first)?];
        let seed = self.seed;
        let generation = bracket.generation;
        let number = game as u64;
        let key = GameKey { seed, generation, pairing: pairing.number, game: number, opening: number / 2 };
        let players = genomes.map(|genome| self.task.player(genome, ""));
        let mut record = Record::new(self.task.game(), players.clone(), None);
        let is_legal = self.task.replay(key, genomes)?.into_iter().all(|mv| record.play(mv));
        is_legal.then_some((record, players))
    }

    fn kept(&self, ranked: &Member, fitness: f64) -> (&'static str, Vec<u8>) {
        let origin = [
            ("preset", self.preset.clone()),
            ("seed", self.seed.to_string()),
            ("genome", format!("{}, born in generation {}", ranked.individual.id, ranked.individual.born)),
            ("fitness", format!("{fitness:.1} % of the points in its generation")),
        ];
        self.task.file(&ranked.individual.genome, &origin)
    }
}
