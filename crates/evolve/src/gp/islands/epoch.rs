//! The generations of one island between two migrations, bred without the other islands.

use super::written::{self, Label, Written};
use super::{Plan, checked};
use crate::budget::{Budget, Status};
use crate::gp::builder::{GenerationBuilder, Origin, Part, Share};
use crate::gp::population::{Individual, Population, Shape};
use crate::gp::problem::{Problem, Settings as _};
use crate::gp::tableau::Tableau;
use crate::pool::Pool;
use crate::program::grow::Grammar;
use mancalab_base::{Error, bail};

/// An epoch of one island of a run of `P`. What it comes to follows from the settings and from what it began with: not from threads,
/// budgets, or from being saved and resumed.
pub struct Epoch<P: Problem> {
    problem: P,
    grammars: Vec<Grammar<P::Language>>,
    tableau: Tableau,
    plan: Plan,
    label: Label,
    shape: Shape,
    /// What the next generation is bred from, as far as the island needs it: itself, in front of it perhaps the island whose migrants it
    /// takes in; `None` for the run's first.
    before: Option<Population<P::Language>>,
    /// The tableau of as many islands as are there.
    near: Tableau,
    next: Option<GenerationBuilder<P>>,
    /// The generations so far.
    written: Vec<Vec<u8>>,
    /// The next one does not fit `max_nodes`.
    too_large: bool,
}

/// How far [`Epoch::advance`] came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpochProgress {
    /// The budget is spent.
    JobContext,
    /// This generation of the island has ended.
    Generation(u64),
    /// All of the epoch have; nothing more happens.
    Done,
    /// The next one has more nodes than `max_nodes` allows all islands together: why, and what to do, in a sentence. What is saved
    /// says so, and serves to put the run together up to there.
    Halted(String),
}

impl<P: Problem> Epoch<P> {
    /// Epoch `epoch` of island `island`, both from 0. `own` and `neighbour` are what the epoch before came to on this island and on the
    /// one before it (before the first: the last); none for epoch 0.
    ///
    /// # Errors
    /// The run cannot be computed by islands, has no such epoch, or what is given is not what it has to begin from: a sentence.
    pub fn begin(
        settings: &P::Settings,
        island: u32,
        epoch: u64,
        own: Option<&[u8]>,
        neighbour: Option<&[u8]>,
    ) -> Result<Epoch<P>, Error> {
        let mut begun = Epoch::<P>::new(settings, island, epoch)?;
        let given = [(begun.plan.neighbour(island), neighbour), (island, own)];
        let Some(before) = epoch.checked_sub(1) else {
            return match given.iter().find(|(_, given)| given.is_some()) {
                Some(_) => {
                    Err(format!("{} begins from nothing, and the result of an epoch is given", begun.label).into())
                }
                None => Ok(begun),
            };
        };
        let mut individuals = Vec::with_capacity(2 * begun.plan.size);
        for (island, bytes) in given {
            let label = Label { island, epoch: before, ..begun.label };
            let missing = || format!("{} begins from {label}, which is not given", begun.label);
            individuals.extend(begun.newest(bytes.ok_or_else(missing)?, label)?);
        }
        begun.follow(individuals);
        Ok(begun)
    }

    /// The epoch that was [`save`](Epoch::save)d, by this or another process. What it began from is needed only if no generation had
    /// ended, and not looked at otherwise.
    ///
    /// # Errors
    /// As [`begin`](Epoch::begin), or `saved` is not of this epoch: a sentence.
    pub fn resume(
        settings: &P::Settings,
        island: u32,
        epoch: u64,
        own: Option<&[u8]>,
        neighbour: Option<&[u8]>,
        saved: &[u8],
    ) -> Result<Epoch<P>, Error> {
        let mut resumed = Epoch::<P>::new(settings, island, epoch)?;
        let written = Written::read(saved, resumed.label, &resumed.plan)?;
        let Some(newest) = written.generations.len().checked_sub(1) else {
            return Epoch::begin(settings, island, epoch, own, neighbour);
        };
        let part = written.part(newest, &resumed.plan, resumed.shape)?;
        // Whether the next one is too large is found out again: there may be more room now.
        resumed.written = written.generations.iter().map(|bytes| bytes.to_vec()).collect();
        resumed.follow(part.map(|part: Part<_>| part.individuals).unwrap_or_default());
        Ok(resumed)
    }

    fn new(settings: &P::Settings, island: u32, epoch: u64) -> Result<Epoch<P>, Error> {
        let problem = checked::<P>(settings)?;
        let tableau = settings.tableau().clone();
        let plan = Plan::of(&tableau);
        if island >= plan.islands {
            bail!("there is no island {island}; 0 to {} are there", plan.islands - 1);
        }
        if epoch >= plan.epochs() {
            bail!("there is no epoch {epoch}; 0 to {} are there", plan.epochs() - 1);
        }
        let grammars = P::grammars(settings)?;
        Ok(Epoch {
            problem,
            shape: Shape { trees: grammars.len(), scores: settings.measures().all.len() },
            grammars,
            label: Label { run: written::run_of::<P>(settings), island, epoch },
            near: alone(&tableau),
            tableau,
            plan,
            before: None,
            next: None,
            written: Vec::new(),
            too_large: false,
        })
    }

    /// The individuals of the last generation of a finished epoch.
    fn newest(&self, bytes: &[u8], label: Label) -> Result<Vec<Individual<P::Language>>, Error> {
        let written = Written::read(bytes, label, &self.plan)?;
        let (count, range) = (written.generations.len() as u64, self.plan.generations(label.epoch));
        let all = range.end - range.start;
        let part = if count == all { written.part(all as usize - 1, &self.plan, self.shape)? } else { None };
        part.map(|part: Part<_>| part.individuals).ok_or_else(|| match written.too_large {
            true => format!("{label} ends before generation {}, which is too large for max_nodes", range.start + count)
                .into(),
            false => format!("{label} is not finished: {count} of its {all} generations are there").into(),
        })
    }

    /// The generation that is made next, counted from the run's first.
    fn generation(&self) -> u64 {
        self.plan.generations(self.label.epoch).start + self.written.len() as u64
    }

    /// Goes on behind these individuals, of this island alone or of two.
    fn follow(&mut self, individuals: Vec<Individual<P::Language>>) {
        self.near = Tableau {
            population: individuals.len() as u32,
            islands: (individuals.len() / self.plan.size) as u32,
            ..alone(&self.tableau)
        };
        let generation = self.generation().saturating_sub(1);
        self.before = Some(Population::new(generation, individuals, self.tableau.prefer_small));
    }

    /// Works on with this pool until the budget is spent, and no further than to the end of a generation.
    pub fn advance(&mut self, pool: &Pool, budget: Budget) -> EpochProgress {
        let generation = self.generation();
        if generation >= self.plan.generations(self.label.epoch).end {
            return EpochProgress::Done;
        }
        if self.too_large {
            return EpochProgress::Halted(self.stuck());
        }
        let share = self.share();
        let origin = Origin {
            tableau: &self.near,
            grammars: &self.grammars,
            before: self.before.as_ref(),
            share: Some(share),
            pool,
        };
        let changes = self.problem.changes();
        let next = self.next.get_or_insert_with(|| GenerationBuilder::new(origin.tableau, changes));
        if next.advance(&origin, &mut self.problem, budget) == Status::Running {
            return EpochProgress::JobContext;
        }
        match self.next.take() {
            Some(next) if next.is_too_large() => {
                self.too_large = true;
                EpochProgress::Halted(self.stuck())
            }
            Some(next) => {
                self.keep(next.part(), share, pool);
                EpochProgress::Generation(generation)
            }
            None => EpochProgress::JobContext,
        }
    }

    fn share(&self) -> Share {
        let first = self.label.island as usize * self.plan.size;
        Share { here: (self.near.population as usize).saturating_sub(self.plan.size), first }
    }

    /// Takes over the generation that is made.
    fn keep(&mut self, mut part: Part<P::Language>, share: Share, pool: &Pool) {
        let neighbours = self.plan.neighbour(self.label.island) as usize * self.plan.size;
        let whole = |number: u32| match (number as usize).checked_sub(share.here) {
            Some(place) => (share.first + place) as u32,
            None => neighbours as u32 + number,
        };
        part.parents.iter_mut().flatten().flatten().for_each(|parent| *parent = whole(*parent));
        self.written.push(written::encode(&part, pool));
        self.follow(part.individuals);
    }

    fn stuck(&self) -> String {
        format!(
            "generation {} of island {} alone would have more than the {} nodes that max_nodes allows all islands together; raise \
             max_nodes in the run's run.toml to go on, or breed programs that stay smaller (parsimony, max_depth, points)",
            self.generation(),
            self.label.island,
            self.tableau.max_nodes
        )
    }

    /// How many of its generations have ended, and how many it has.
    pub fn generations(&self) -> (u64, u64) {
        let range = self.plan.generations(self.label.epoch);
        (self.written.len() as u64, range.end - range.start)
    }

    /// All generations of the epoch that have ended. Of an epoch that is done these bytes are what it came to.
    pub fn save(&self) -> Vec<u8> {
        written::write(&self.label, self.too_large, &self.written)
    }
}

/// The tableau of one of its islands.
fn alone(tableau: &Tableau) -> Tableau {
    Tableau { population: tableau.island_size(), islands: 1, ..tableau.clone() }
}
