//! What there is to see of a run. Everything large is shared, so that a view costs little to make and to keep.

use mancalab_base::Error;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::population::{Individual, Lineage, Population, Selectable};
use super::problem::{Problem, Settings};
use super::row::{History, short};
use super::scores::{Measures, Scores};
use crate::codec::{Decoder, Encoder};
use crate::job::Watched;
use crate::program::language::Language;

/// A run as it stands. Ranks and islands: [`Population`].
pub struct EvolutionView<P: Problem> {
    pub settings: Arc<P::Settings>,
    pub standing: Standing,
    /// The best so far.
    pub best: Option<Arc<Best<P::Language>>>,
    /// The newest generation that is evaluated, with all programs.
    pub population: Option<Arc<Population<P::Language>>>,
}

/// How a run stands, whatever it breeds.
#[derive(Clone)]
pub struct Standing {
    /// The newest generation that is evaluated; `None` before the first is.
    pub generation: Option<u64>,
    /// The last generation there will be.
    pub of: u64,
    /// Programs bred of the generation being made.
    pub bred: usize,
    /// Of the programs that are new in it, how many were evaluated, and how many there are (0 while it is bred).
    pub evaluated: usize,
    pub to_evaluate: usize,
    /// One row a generation, from 0 on.
    pub history: History,
    /// Each time the best so far was beaten, the newest last; the last thousand.
    pub improvements: Arc<Vec<Improvement>>,
    pub histograms: Arc<Histograms>,
    pub times: Times,
    /// How much the problem's memory spared it, from 0 to 1; until it is asked again after the run was taken up, before that.
    pub memo_hits: f64,
    /// Processors in use.
    pub threads: usize,
}

/// What the rows tell of a run that another process writes.
#[derive(Clone)]
pub struct Seen {
    pub history: History,
    /// The share of the memo's hits in the process that writes it, from 0 to 1, as its newest timings tell.
    pub(super) memo_hits: f64,
}

impl<S: Settings> Watched<S> for Seen {
    fn begin(settings: S) -> Seen {
        Seen::of(History::new(settings.measures()))
    }

    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.read_row(row)
    }

    fn timing(&mut self, row: &str) {
        self.read_timing(row);
    }
}

impl Seen {
    /// Of a run without rows.
    pub fn of(history: History) -> Seen {
        Seen { history, memo_hits: 0.0 }
    }

    pub fn read_row(&mut self, row: &str) -> Result<(), Error> {
        self.history.read(row)
    }

    /// The third column from the end: the memo's hits in percent.
    pub fn read_timing(&mut self, row: &str) {
        let percent = row.rsplit(',').nth(2).and_then(|text| text.parse::<f64>().ok());
        self.memo_hits = percent.map_or(self.memo_hits, |percent| (percent / 100.0).clamp(0.0, 1.0));
    }
}

impl<P: Problem> Deref for EvolutionView<P> {
    type Target = Standing;

    fn deref(&self) -> &Standing {
        &self.standing
    }
}

/// A problem itself need not be one that can be copied.
impl<P: Problem> Clone for EvolutionView<P> {
    fn clone(&self) -> EvolutionView<P> {
        EvolutionView {
            settings: Arc::clone(&self.settings),
            standing: self.standing.clone(),
            best: self.best.clone(),
            population: self.population.clone(),
        }
    }
}

/// The best program so far.
#[derive(Clone, Debug)]
pub struct Best<L: Language> {
    /// The generation it was found in.
    pub found: u64,
    pub individual: Individual<L>,
    /// The same program without what never matters, for people, and its nodes.
    pub simplified: (String, usize),
}

impl<L: Language> Best<L> {
    pub(super) fn of<P: Problem<Language = L>>(
        settings: &P::Settings,
        found: u64,
        individual: Individual<L>,
    ) -> Best<L> {
        let simplified = P::simplified(settings, &individual.program);
        Best { found, individual, simplified }
    }

    /// In a line: fitness, scores, size, and where it comes from.
    pub fn summary(&self, measures: &Measures) -> String {
        let Selectable { outcome, depth, nodes, .. } = &self.individual.merits;
        format!(
            "fitness {}: {}, {nodes} nodes, depth {depth}, {}",
            short(outcome.fitness),
            measures.told(&outcome.scores, short),
            self.individual.birth().operator.in_generation(self.found)
        )
    }

    /// A file that a player reads.
    pub(super) fn to_text<P: Problem<Language = L>>(&self, settings: &P::Settings) -> String {
        let (simplified, size) = &self.simplified;
        format!(
            "# {}\n# simplified ({size} nodes): {simplified}\n{}\n",
            self.summary(settings.measures()),
            P::text(settings, &self.individual.program)
        )
    }
}

/// The best so far was beaten.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Improvement {
    /// When and from what; [`Lineage::fitness`] is the new best.
    pub birth: Lineage,
    pub scores: Scores,
    pub depth: u32,
}

impl Improvement {
    pub(super) fn encode(&self, out: &mut Encoder) {
        self.birth.encode(out);
        self.scores.iter().for_each(|&score| out.f64(score));
        out.small(self.depth.into());
    }

    pub(super) fn decode(from: &mut Decoder<'_>, scores: usize) -> Result<Improvement, Error> {
        let birth = Lineage::decode(from)?;
        Ok(Improvement { birth, scores: Scores::decode(from, scores)?, depth: from.small_u32()? })
    }
}

/// Where time went since the run began, pauses left out.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    pub breeding: Duration,
    pub evaluating: Duration,
    /// Programs evaluated, those that were known already left out.
    pub evaluations: u64,
}

impl Times {
    pub(super) fn add(&mut self, breeding: Duration, evaluating: Duration, evaluations: u64) {
        self.breeding += breeding;
        self.evaluating += evaluating;
        self.evaluations = self.evaluations.saturating_add(evaluations);
    }

    /// Programs evaluated a second of all its time.
    pub fn evaluations_per_second(&self) -> f64 {
        let seconds = (self.breeding + self.evaluating).as_secs_f64();
        if seconds > 0.0 { self.evaluations as f64 / seconds } else { 0.0 }
    }

    pub fn encode(&self, out: &mut Encoder) {
        out.small(self.breeding.as_nanos() as u64);
        out.small(self.evaluating.as_nanos() as u64);
        out.small(self.evaluations);
    }

    pub(super) fn decode(from: &mut Decoder<'_>) -> Result<Times, Error> {
        let (breeding, evaluating) = (Duration::from_nanos(from.small()?), Duration::from_nanos(from.small()?));
        Ok(Times { breeding, evaluating, evaluations: from.small()? })
    }
}

/// How the sizes and the fitness of a generation are spread.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Histograms {
    /// Programs of 1, 2 to 3, 4 to 7, 8 to 15 … nodes.
    pub sizes: Vec<u32>,
    /// Programs in [`FITNESS_BINS`] equal steps from the worst fitness to the best.
    pub fitness: Vec<u32>,
    /// The worst and the best fitness.
    pub range: [f64; 2],
}

pub const FITNESS_BINS: usize = 24;

impl Histograms {
    pub(super) fn of<L: Language>(population: &Population<L>) -> Histograms {
        let fitness = |rank| population.ranked(rank).map_or(0.0, |one| one.outcome.fitness);
        let range = [fitness(population.len() - 1), fitness(0)];
        let mut histograms = Histograms { sizes: Vec::new(), fitness: vec![0; FITNESS_BINS], range };
        for one in &population.individuals {
            let bin = one.nodes.max(1).ilog2() as usize;
            histograms.sizes.resize(histograms.sizes.len().max(bin + 1), 0);
            histograms.sizes[bin] += 1;
            let width = range[1] - range[0];
            let share = if width > 0.0 { (one.outcome.fitness - range[0]) / width } else { 1.0 };
            histograms.fitness[((share * FITNESS_BINS as f64) as usize).min(FITNESS_BINS - 1)] += 1;
        }
        histograms
    }
}
