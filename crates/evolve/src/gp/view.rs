//! The view of a run. Everything large is shared, so a view is cheap to create and to keep.

use mancalab_base::Error;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::archive::Archive;
use super::genome::Genome;
use super::population::{Individual, Lineage, OperatorSuccess, Population, Selectable};
use super::problem::{Measures, Problem, Scores, Settings};
use super::row::{History, short};
use crate::codec::{Decoder, Encoder};
use crate::job::Watched;
use crate::program::language::Language;

/// A snapshot of a run. For ranks and islands see [`Population`].
pub struct EvolutionView<P: Problem> {
    pub settings: Arc<P::Settings>,
    pub run_status: RunStatus,
    /// The best program so far.
    pub best: Option<Arc<Best<P::Language>>>,
    /// The newest evaluated generation, with all programs.
    pub population: Option<Arc<Population<P::Language>>>,
    pub archive: Arc<Archive<P::Language>>,
}

/// The status of a run of any problem.
#[derive(Clone)]
pub struct RunStatus {
    /// The newest evaluated generation; `None` before the first.
    pub generation: Option<u64>,
    /// The last generation of the run.
    pub last_generation: u64,
    /// Programs bred for the next generation.
    pub bred: usize,
    /// New programs of the next generation: how many are evaluated, and how many there are (0 during breeding).
    pub evaluated: usize,
    pub to_evaluate: usize,
    /// One row per generation, from 0.
    pub history: History,
    /// The improvements of the best program, newest last; at most the last thousand.
    pub improvements: Arc<Vec<Improvement>>,
    pub histograms: Arc<Histograms>,
    pub times: Times,
    /// Hit rate of the memo table, from 0 to 1. After a resumption the previous value, until the table is used again.
    pub memo_hits: f64,
    /// Number of threads.
    pub threads: usize,
}

/// The part of a run's view that its rows provide, for a run of another process.
#[derive(Clone)]
pub struct FromRows {
    pub history: History,
    /// Hit rate of the memo table in that process, from 0 to 1, from its newest timings.
    pub(super) memo_hits: f64,
}

impl Watched for FromRows {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.history.read(row)
    }

    /// Reads the memo hit rate in percent, the third column from the end.
    fn timing(&mut self, row: &str) {
        let percent = row.rsplit(',').nth(2).and_then(|text| text.parse::<f64>().ok());
        self.memo_hits = percent.map_or(self.memo_hits, |percent| (percent / 100.0).clamp(0.0, 1.0));
    }
}

impl FromRows {
    /// Creates the view of a run without rows.
    pub fn new(history: History) -> FromRows {
        FromRows { history, memo_hits: 0.0 }
    }
}

impl<P: Problem> Deref for EvolutionView<P> {
    type Target = RunStatus;

    fn deref(&self) -> &RunStatus {
        &self.run_status
    }
}

/// Not derived, because a problem need not be `Clone`.
impl<P: Problem> Clone for EvolutionView<P> {
    fn clone(&self) -> EvolutionView<P> {
        EvolutionView {
            settings: Arc::clone(&self.settings),
            run_status: self.run_status.clone(),
            best: self.best.clone(),
            population: self.population.clone(),
            archive: Arc::clone(&self.archive),
        }
    }
}

/// The best program so far.
#[derive(Clone, Debug)]
pub struct Best<L: Language> {
    /// The generation it was found in.
    pub found: u64,
    pub individual: Individual<L>,
    /// The simplified program and its number of nodes.
    pub simplified: (String, usize),
}

impl<L: Language> Best<L> {
    pub(super) fn new<P: Problem<Language = L>>(
        settings: &P::Settings,
        found: u64,
        individual: Individual<L>,
    ) -> Best<L> {
        let simplified = P::simplified(settings, &individual.program);
        Best { found, individual, simplified }
    }

    /// Returns one line with fitness, scores, size and origin.
    pub fn summary(&self, measures: &Measures) -> String {
        let Selectable { outcome, depth, nodes, .. } = &self.individual.selectable;
        format!(
            "fitness {}: {}, {nodes} nodes, depth {depth}, {}",
            short(outcome.fitness),
            measures.to_text(&outcome.scores, short),
            self.individual.birth().operator.in_generation(self.found)
        )
    }

    /// Returns the contents of a file for a player.
    pub(super) fn to_text<P: Problem<Language = L>>(&self, settings: &P::Settings) -> String {
        let (simplified, size) = &self.simplified;
        format!(
            "# {}\n# simplified ({size} nodes): {simplified}\n{}\n",
            self.summary(settings.measures()),
            P::text(settings, &self.individual.program)
        )
    }
}

/// An improvement of the best program.
#[derive(Clone, PartialEq, Debug)]
pub struct Improvement {
    /// Its origin; [`Lineage::fitness`] is the new best fitness.
    pub birth: Lineage,
    pub scores: Scores,
    pub depth: u32,
    /// The part of the first parent that was changed and what it became, in short form, such as `(@ 3) -> (+ 1 (@ 3))`; empty if the program
    /// has no parent, equals it, or an older version of the program bred it.
    pub change: Box<str>,
}

/// Maximum number of characters of each side of a change.
const CHANGE: usize = 60;

impl Improvement {
    pub(super) fn encode(&self, out: &mut Encoder) {
        self.birth.encode(out);
        self.scores.iter().for_each(|&score| out.f64(score));
        out.small(self.depth.into());
    }

    pub(super) fn decode(from: &mut Decoder<'_>, scores: usize) -> Result<Improvement, Error> {
        let birth = Lineage::decode(from)?;
        let scores = Scores::decode(from, scores)?;
        Ok(Improvement { birth, scores, depth: from.small_u32()?, change: Box::default() })
    }

    /// Encodes the [changes](Improvement::change) of improvements, which follow all else in a checkpoint.
    pub(super) fn encode_changes(improvements: &[Improvement], out: &mut Encoder) {
        improvements.iter().for_each(|improvement| out.text(&improvement.change));
    }

    pub(super) fn decode_changes(improvements: &mut [Improvement], from: &mut Decoder<'_>) -> Result<(), Error> {
        for improvement in improvements {
            improvement.change = from.text()?.into();
        }
        Ok(())
    }

    /// Returns how a program differs from its first parent.
    pub(super) fn change_of<L: Language>(program: &Genome<L>, parent: &Genome<L>) -> Box<str> {
        let sides = program.trees().iter().zip(parent.trees()).find_map(|(tree, before)| {
            let (at, from) = tree.difference(before)?;
            Some([before.subtree(from).to_sexpr(), tree.subtree(at).to_sexpr()])
        });
        let side = |text: String| match text.char_indices().nth(CHANGE) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        };
        sides.map_or(Box::default(), |sides| sides.map(side).join(" -> ").into())
    }
}

/// Computing time since the start of the run, without pauses.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    pub breeding: Duration,
    pub evaluating: Duration,
    /// Programs evaluated, without those already known.
    pub evaluations: u64,
}

impl Times {
    pub(super) fn add(&mut self, breeding: Duration, evaluating: Duration, evaluations: u64) {
        self.breeding += breeding;
        self.evaluating += evaluating;
        self.evaluations = self.evaluations.saturating_add(evaluations);
    }

    /// Returns evaluated programs per second of total time.
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
        let breeding = Duration::from_nanos(from.small()?);
        let evaluating = Duration::from_nanos(from.small()?);
        Ok(Times { breeding, evaluating, evaluations: from.small()? })
    }
}

/// Histograms of the sizes and the fitness of a generation, and the success of its operators.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Histograms {
    /// Number of programs with 1, 2 to 3, 4 to 7, 8 to 15 … nodes.
    pub sizes: Vec<u32>,
    /// Number of programs in [`FITNESS_BINS`] equal intervals from the worst to the best fitness.
    pub fitness: Vec<u32>,
    /// The worst and the best fitness.
    pub range: [f64; 2],
    /// Of the operators that occur.
    pub operators: Vec<OperatorSuccess>,
}

pub const FITNESS_BINS: usize = 24;

impl Histograms {
    pub(super) fn count<L: Language>(population: &Population<L>) -> Histograms {
        let fitness = |rank| population.ranked(rank).map_or(0.0, |one| one.outcome.fitness);
        let range = [fitness(population.len() - 1), fitness(0)];
        let operators = OperatorSuccess::tally(population);
        let mut histograms = Histograms { sizes: Vec::new(), fitness: vec![0; FITNESS_BINS], range, operators };
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
