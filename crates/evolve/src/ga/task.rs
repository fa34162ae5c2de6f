//! Problems for the genetic algorithm, and the settings of its runs.
//!
//! The interface of any task of the genetic algorithm, for the command line, the tab and the list of runs.
//!
//! To add a task, create a module that implements [`Task`], and add a line to the list of kinds (`lab::kinds`).

use std::fmt;
use std::sync::Arc;

use mancalab_base::{Error, bail};

use super::bracket::Pairing;
use super::operators::Operators;
use super::play::{Contest, GameKey};
use super::{Bracket, GaView, Gene, Genome, Member, genome};
use crate::game::record::Record;
use crate::game::{Move, Variant};
use crate::initial::Initial;
use crate::job::conduct::Conduct;
use crate::job::measured::Measurement;
use crate::settings::{Entry, SettingsTable, entry};

/// A problem to tune: its genes, contest and operators.
pub trait Task: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The kind of the run, one word.
    const KIND: &'static str;
    /// The presets: (name, description). The first is the default.
    const PRESETS: &'static [(&'static str, &'static str)];
    /// Settings besides the common ones of all runs.
    fn entries() -> Vec<Entry<Self>>;

    /// The header of `generations.csv`: [`ROW`] and the names of the [shown](Task::shown) numbers.
    fn columns() -> &'static str;

    /// Returns the settings of the default preset.
    fn settings() -> Settings<Self>;

    /// Returns the settings of a preset, with seed 1.
    fn preset(name: &str) -> Option<Settings<Self>> {
        (name == Self::PRESETS[0].0).then(Self::settings)
    }

    fn genes(&self) -> Vec<Gene>;

    /// Returns what rows and displays contain of a genome: its genes or, if there are many, figures that summarize them.
    fn shown(&self, genome: &Genome) -> Genome {
        genome.clone()
    }

    /// Returns a short name and a description of each [shown](Task::shown) number.
    fn labels() -> Vec<(&'static str, &'static str)>;

    /// Returns the range of final values of each shown number in the source, if published.
    fn published(&self) -> Option<Vec<(f64, f64)>> {
        None
    }

    /// Whether only the ratios of the genes matter, so that each is displayed as a share of the largest.
    const RELATIVE: bool = false;

    /// Returns whether the contest is a knock-out and has a [bracket](Contest::bracket).
    fn is_knockout(&self) -> bool {
        false
    }

    fn operators(&self) -> Operators;

    /// Returns the contest of the run with this seed.
    ///
    /// # Errors
    /// Returns an error if the settings contradict each other.
    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error>;

    /// Returns the files that the settings name; see [`RunSettings::files`](crate::job::RunSettings::files).
    fn files(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// Returns the game.
    fn game(&self) -> Variant;

    /// Returns the text of the player with this genome. Players that read a file name `file`; see [`file`](Task::file).
    fn player(&self, genome: &Genome, file: &str) -> String;

    /// Returns the text of an untuned player with the same search depth, for comparison.
    fn yardstick(&self) -> String;

    /// Replays a game of a contest and returns its moves; `players` lists the first mover first. `None` if games cannot be
    /// replayed. Takes as long as the original game.
    fn replay(&self, _key: GameKey, _players: [&Genome; 2]) -> Option<Vec<Move>> {
        None
    }

    /// Returns the genome as text for people, with its origin as (key, value) pairs.
    fn file_text(&self, genome: &Genome, origin: &[(&str, String)]) -> String;

    /// Returns the genome as the contents of a file that its player reads, with its origin, and the ending of the file's name.
    fn file(&self, genome: &Genome, origin: &[(&str, String)]) -> (&'static str, Vec<u8>) {
        ("toml", self.file_text(genome, origin).into_bytes())
    }

    /// Returns the games by which the best of generations are measured; `None` if they are not. See
    /// [`RunSettings::measurement`](crate::job::RunSettings::measurement).
    ///
    /// # Errors
    /// The settings of the measurement cannot be used: a sentence.
    fn measurement(_settings: &Settings<Self>) -> Result<Option<Box<dyn Measurement>>, Error> {
        Ok(None)
    }

    /// Returns the file with the best genome of a generation, and its name; see [`Run::product`](crate::job::Run::product).
    fn product(_settings: &Settings<Self>, _best: &Genome, _generation: u64) -> Option<(&'static str, Vec<u8>)> {
        None
    }
}

/// The first columns of every `generations.csv`: fitness in percent, and the id and birth of the best.
pub const ROW: &str = "generation,best_percent,mean_percent,worst_percent,best_id,best_born";

/// The [`Entry`] of a field that all tasks with games share: `depth` or `opening`.
#[macro_export]
macro_rules! playing {
    (depth) => {
        mancalab_base::entry!(depth: whole(1, 12), "search depth of every player in plies, 1 to 12")
    };
    (opening) => {
        mancalab_base::entry!(opening: whole(0, 20), "random moves at the start of each game, 0 to 20")
    };
}

/// All settings that determine the results of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings<T> {
    /// The preset they started from.
    pub preset: String,
    pub seed: u64,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    /// Genomes per generation, 2 to 1000.
    pub population: usize,
    /// Number of best genomes copied unchanged into the next generation.
    pub elite: usize,
    /// Mutation probability per gene.
    pub mutation_rate: f64,
    /// Crossover probability per couple.
    pub crossover_rate: f64,
    /// Genomes that take the first places of generation 0.
    pub initial: Initial,
    pub conduct: Conduct,
    pub task: T,
}

impl<T: Task> Settings<T> {
    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Returns an error if `elite` is not less than `population`.
    pub fn check(&self) -> Result<(), Error> {
        if self.elite >= self.population {
            bail!("elite must be less than the population of {} (got {})", self.population, self.elite);
        }
        self.first_genomes().map(drop)
    }
}

impl<T: Task> Settings<T> {
    /// Returns the genomes that take the first places of generation 0.
    ///
    /// # Errors
    /// A file holds none, or one that these settings do not admit.
    pub(super) fn first_genomes(&self) -> Result<Vec<Genome>, Error> {
        genome::first(&self.initial, &self.task.genes(), self.population)
    }
}

impl<T: Task> SettingsTable for Settings<T> {
    fn entries() -> Vec<Entry<Settings<T>>> {
        let mut entries = vec![
            entry!(seed: whole(0, i64::MAX as u64), "decides all random choices").common(),
            entry!(generations: whole(0, 1_000_000), "generations after the initial one").common(),
            entry!(population: whole(2, 1000), "genomes per generation, 2 to 1000"),
            entry!(
                elite: whole(0, 999),
                "best genomes copied unchanged, fewer than the population"
            ),
            entry!(mutation_rate: real(0.0, 1.0), "mutation probability per gene, 0 to 1"),
            entry!(crossover_rate: real(0.0, 1.0), "crossover probability per couple, 0 to 1"),
        ];
        let own = T::entries().into_iter();
        entries.extend(own.map(|entry| entry.within(|s: &Settings<T>| &s.task, |s| &mut s.task)));
        entries.push(
            entry!(initial: word, "files of genomes for the first places of generation 0: weights, or one genome a line").implied("[]"),
        );
        entries.extend(Conduct::entries_of(|s: &Settings<T>| &s.conduct, |s| &mut s.conduct));
        entries
    }
}

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
