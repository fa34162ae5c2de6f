//! The computation of a run island by island: by different processes, on different machines, in any order that the migrations
//! allow.
//!
//! Random draws depend on an individual's number, and islands interact by migrants only. Between two migrations each island can
//! therefore be bred alone: an [`Epoch`] is the generations of one island from one migration to the next, and starts from the
//! newest generation of the island itself and of the one that sends it migrants. Its result is a byte string that
//! does not depend on the machine. Merged (`joined`), the results of all islands give the same rows, best program and
//! checkpoints as a run on one machine. Lineages contain ranks in the whole generation, so the merge adds them.
//!
//! The byte format of an epoch: its label, its generations, and a checksum.
//!
//! Each generation is prefixed with its length, so that a reader can skip to the newest. An individual is stored as its
//! program, outcome, operator and its parents' numbers in the whole previous generation.

mod joined;

use std::fmt;
use std::ops::Range;

use mancalab_base::{Error, bail};

use super::builder::{GenerationBuilder, Origin, Part, Share};
use super::population::{Individual, Population, Shape};
use super::problem::{Problem, Settings as _};
use super::run::{FirstPrograms, NON_SEMANTIC, first_programs};
use super::tableau::Tableau;
use crate::budget::{Budget, Status};
use crate::codec::{Decoder, Encoder, checksum};
use crate::pool::Pool;
use crate::program::grow::Grammar;
use crate::program::language::Language;
use crate::settings::KeyedSettings as _;

/// The division of a run into epochs. Islands, epochs and generations count from 0.
#[derive(Clone, Copy, Debug)]
struct Plan {
    islands: u32,
    /// Programs per island.
    size: usize,
    /// Generations per epoch; `None` without migration.
    every: Option<u64>,
    /// The last generation of the run.
    last: u64,
}

impl Plan {
    fn new(tableau: &Tableau) -> Plan {
        let Tableau { islands, migration_every, generations, .. } = *tableau;
        let every = (islands > 1 && migration_every > 0).then_some(u64::from(migration_every));
        Plan { islands, size: tableau.island_size() as usize, every, last: generations }
    }

    fn epochs(&self) -> u64 {
        self.epoch_of(self.last).saturating_add(1)
    }

    /// Returns the epoch of a generation.
    fn epoch_of(&self, generation: u64) -> u64 {
        self.every.map_or(0, |every| generation / every)
    }

    /// Returns the generations of an existing epoch.
    fn generations(&self, epoch: u64) -> Range<u64> {
        let end = self.last.saturating_add(1);
        match self.every {
            Some(every) => epoch * every..end.min(epoch.saturating_add(1).saturating_mul(every)),
            None => 0..end,
        }
    }

    /// Returns the island that sends migrants to this one.
    fn neighbour(&self, island: u32) -> u32 {
        (island + self.islands - 1) % self.islands
    }
}

/// Returns the number of epochs of each island, at least 1.
pub fn epochs(tableau: &Tableau) -> u64 {
    Plan::new(tableau).epochs()
}

/// Checks that a run with these settings can be computed island by island.
///
/// # Errors
/// Returns an error that names the setting which prevents it.
pub fn check<P: Problem>(settings: &P::Settings) -> Result<(), Error> {
    checked::<P>(settings).map(drop)
}

/// Returns the problem of a run that can be computed island by island.
fn checked<P: Problem>(settings: &P::Settings) -> Result<P, Error> {
    let tableau = settings.tableau();
    tableau.check()?;
    if tableau.islands < 2 {
        bail!("islands must be at least 2 to divide a run (got {})", tableau.islands);
    }
    if !tableau.conduct.stop.is_never() {
        bail!(
            "stop must be never when islands are computed separately, which end in no order (got {})",
            tableau.conduct.stop
        );
    }
    if P::measurement(settings)?.is_some() {
        bail!("panel must be [] when islands are computed separately, each of which has a best of its own");
    }
    let problem = P::new(settings)?;
    if problem.champions_wanted() > 0 {
        return Err("opponents must not contain champions, the fittest of all islands, when islands are computed \
                    separately"
            .into());
    }
    Ok(problem)
}

/// An epoch of one island of a run of `P`. The result depends on the settings and on the results of the previous epoch, not on
/// threads, budgets or interruptions.
pub struct Epoch<P: Problem> {
    problem: P,
    grammars: Vec<Grammar<P::Language>>,
    initial: FirstPrograms<P::Language>,
    tableau: Tableau,
    plan: Plan,
    label: Label,
    shape: Shape,
    /// The previous generation: this island, preceded by the island that sends it migrants where needed; `None` for the run's
    /// first generation.
    before: Option<Population<P::Language>>,
    /// The tableau for the islands in `before`.
    near: Tableau,
    next: Option<GenerationBuilder<P>>,
    /// The completed generations.
    written: Vec<Vec<u8>>,
    /// Whether the next generation exceeds `max_nodes`.
    too_large: bool,
}

/// Progress of [`Epoch::advance`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpochProgress {
    /// The budget is spent.
    Working,
    /// This generation of the island is complete.
    Generation(u64),
    /// The epoch is complete; further calls have no effect.
    Done,
    /// The next generation of this island alone exceeds `max_nodes`, the limit for all islands together. The message gives the
    /// cause and the remedy. The saved state records this, and the run can be merged up to there.
    Halted(String),
}

impl<P: Problem> Epoch<P> {
    /// Starts epoch `epoch` of island `island`, both from 0. `own` and `neighbour` are the results of the previous epoch on
    /// this island and on the island before it (cyclically); `None` for epoch 0.
    ///
    /// # Errors
    /// Returns an error if the run cannot be computed by islands, has no such epoch, or the previous results are missing or
    /// wrong.
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
                Some(_) => Err(format!("{} takes no previous result, but one is given", begun.label).into()),
                None => Ok(begun),
            };
        };
        let mut individuals = Vec::with_capacity(2 * begun.plan.size);
        for (island, bytes) in given {
            let label = Label { island, epoch: before, ..begun.label };
            let missing = || format!("{} requires {label}, which is missing", begun.label);
            individuals.extend(begun.newest(bytes.ok_or_else(missing)?, label)?);
        }
        begun.follow(individuals);
        Ok(begun)
    }

    /// Resumes an epoch from the result of [`save`](Epoch::save), by this or another process. The previous results are used
    /// only if no generation is complete.
    ///
    /// # Errors
    /// As [`begin`](Epoch::begin), and if `saved` does not belong to this epoch.
    pub fn resume(
        settings: &P::Settings,
        island: u32,
        epoch: u64,
        own: Option<&[u8]>,
        neighbour: Option<&[u8]>,
        saved: &[u8],
    ) -> Result<Epoch<P>, Error> {
        let mut resumed = Epoch::<P>::new(settings, island, epoch)?;
        let written = EpochParts::read(saved, resumed.label, &resumed.plan)?;
        let Some(newest) = written.generations.len().checked_sub(1) else {
            return Epoch::begin(settings, island, epoch, own, neighbour);
        };
        let part = written.part(newest, &resumed.plan, resumed.shape)?;
        // The size check is repeated, as `max_nodes` may have been raised.
        resumed.written = written.generations.iter().map(|bytes| bytes.to_vec()).collect();
        resumed.follow(part.map(|part: Part<_>| part.individuals).unwrap_or_default());
        Ok(resumed)
    }

    fn new(settings: &P::Settings, island: u32, epoch: u64) -> Result<Epoch<P>, Error> {
        let problem = checked::<P>(settings)?;
        let tableau = settings.tableau().clone();
        let plan = Plan::new(&tableau);
        if island >= plan.islands {
            bail!("island must be 0 to {} (got {island})", plan.islands - 1);
        }
        if epoch >= plan.epochs() {
            bail!("epoch must be 0 to {} (got {epoch})", plan.epochs() - 1);
        }
        let grammars = P::grammars(settings)?;
        Ok(Epoch {
            problem,
            shape: Shape::new::<P>(settings, grammars.len()),
            grammars,
            initial: first_programs::<P>(settings)?,
            label: Label { run: run_of::<P>(settings), island, epoch },
            near: alone(&tableau),
            tableau,
            plan,
            before: None,
            next: None,
            written: Vec::new(),
            too_large: false,
        })
    }

    /// Returns the individuals of the last generation of a complete epoch.
    fn newest(&self, bytes: &[u8], label: Label) -> Result<Vec<Individual<P::Language>>, Error> {
        let written = EpochParts::read(bytes, label, &self.plan)?;
        let count = written.generations.len() as u64;
        let range = self.plan.generations(label.epoch);
        let all = range.end - range.start;
        let part = if count == all { written.part(all as usize - 1, &self.plan, self.shape)? } else { None };
        part.map(|part: Part<_>| part.individuals).ok_or_else(|| match written.too_large {
            true => format!("{label} ends before generation {}, which is too large for max_nodes", range.start + count)
                .into(),
            false => format!("{label} is incomplete: {count} of {all} generations").into(),
        })
    }

    /// Returns the number of the next generation, counted from the run's first.
    fn generation(&self) -> u64 {
        self.plan.generations(self.label.epoch).start + self.written.len() as u64
    }

    /// Continues from these individuals of this island, or of two islands.
    fn follow(&mut self, individuals: Vec<Individual<P::Language>>) {
        self.near = Tableau {
            population: individuals.len() as u32,
            islands: (individuals.len() / self.plan.size) as u32,
            ..alone(&self.tableau)
        };
        let generation = self.generation().saturating_sub(1);
        self.before = Some(Population::new(generation, individuals, self.tableau.prefer_small));
    }

    /// Works with this pool until the budget is spent, at most to the end of a generation.
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
            initial: &self.initial,
            before: self.before.as_ref(),
            share: Some(share),
            pool,
        };
        let changes = self.problem.changes();
        let next = self.next.get_or_insert_with(|| GenerationBuilder::new(origin.tableau, changes));
        if next.advance(&origin, &mut self.problem, budget) == Status::Running {
            return EpochProgress::Working;
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
            None => EpochProgress::Working,
        }
    }

    fn share(&self) -> Share {
        let first = self.label.island as usize * self.plan.size;
        Share { here: (self.near.population as usize).saturating_sub(self.plan.size), first }
    }

    /// Adds a completed generation.
    fn keep(&mut self, mut part: Part<P::Language>, share: Share, pool: &Pool) {
        let neighbours = self.plan.neighbour(self.label.island) as usize * self.plan.size;
        let whole = |number: u32| match (number as usize).checked_sub(share.here) {
            Some(place) => (share.first + place) as u32,
            None => neighbours as u32 + number,
        };
        part.parents.iter_mut().flatten().flatten().for_each(|parent| *parent = whole(*parent));
        self.written.push(encode(&part, pool));
        self.follow(part.individuals);
    }

    fn stuck(&self) -> String {
        format!(
            "generation {} of island {} alone would have more than the {} nodes that max_nodes allows for all islands; raise \
             max_nodes in the run's run.toml to resume, or breed programs that stay smaller (parsimony, max_depth, points)",
            self.generation(),
            self.label.island,
            self.tableau.max_nodes
        )
    }

    /// Returns the number of completed generations, and of all generations of the epoch.
    pub fn generations(&self) -> (u64, u64) {
        let range = self.plan.generations(self.label.epoch);
        (self.written.len() as u64, range.end - range.start)
    }

    /// Returns all completed generations of the epoch. For a complete epoch these bytes are its result.
    pub fn save(&self) -> Vec<u8> {
        write(&self.label, self.too_large, &self.written)
    }
}

/// Returns the tableau of a single island.
fn alone(tableau: &Tableau) -> Tableau {
    Tableau { population: tableau.island_size(), islands: 1, ..tableau.clone() }
}

/// Version of the format. Increase it with every change.
const FORMAT: u8 = 1;

/// Individuals encoded per task of a thread.
const PIECE: usize = 256;

/// Bytes of the checksum.
const SUM: usize = 8;

/// The identity of an epoch's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label {
    /// Checksum of all settings that determine the rows. Excludes the number of generations and `max_nodes`, which may change.
    pub run: u64,
    pub island: u32,
    pub epoch: u64,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {} of island {}", self.epoch, self.island)
    }
}

/// Returns the [`Label::run`] of these settings.
fn run_of<P: Problem>(settings: &P::Settings) -> u64 {
    let mut out = Encoder::new();
    out.text(P::KIND);
    out.u64(settings.tableau().seed);
    for (key, _, value) in settings.list() {
        if !NON_SEMANTIC.contains(&key) {
            out.text(key);
            out.text(&value);
        }
    }
    checksum(&out.finish())
}

/// Encodes an epoch. `too_large` records that the next generation exceeds `max_nodes`.
fn write(label: &Label, too_large: bool, generations: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Encoder::new();
    out.u8(FORMAT);
    out.u64(label.run);
    out.small(label.island.into());
    out.small(label.epoch);
    out.u8(too_large.into());
    out.small(generations.len() as u64);
    generations.iter().for_each(|generation| out.bytes(generation));
    let mut bytes = out.finish();
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The decoded parts of an epoch's bytes.
struct EpochParts<'a> {
    pub label: Label,
    /// Whether the generation after these exceeds `max_nodes`.
    pub too_large: bool,
    pub generations: Vec<&'a [u8]>,
}

impl<'a> EpochParts<'a> {
    /// Decodes the bytes of an epoch.
    ///
    /// # Errors
    /// Returns an error if they are damaged or belong to another epoch.
    pub fn read(bytes: &'a [u8], label: Label, plan: &Plan) -> Result<EpochParts<'a>, Error> {
        let damaged = |why: Error| Error::from(format!("the data for {label} are damaged: {why}"));
        let Some((bytes, sum)) = bytes.split_last_chunk::<SUM>() else {
            return Err(damaged(format!("{} bytes", bytes.len()).into()));
        };
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return Err(damaged("the checksum does not match".into()));
        }
        let mut from = Decoder::new(bytes);
        let format = from.u8().map_err(damaged)?;
        if format != FORMAT {
            bail!("the data for {label} have format {format}, expected {FORMAT}");
        }
        let (found, written) = EpochParts::body(from).map_err(damaged)?;
        if found.run != label.run {
            bail!("the data for {label} belong to a run with other settings");
        }
        if found != label {
            bail!("the data for {label} belong to {found}");
        }
        let count = written.generations.len() as u64;
        let range = plan.generations(label.epoch);
        if count > range.end - range.start {
            let most = range.end - range.start;
            bail!("the data for {label} hold {count} generations, the epoch has {most}");
        }
        Ok(written)
    }

    fn body(mut from: Decoder<'a>) -> Result<(Label, EpochParts<'a>), Error> {
        let label = Label { run: from.u64()?, island: from.small_u32()?, epoch: from.small()? };
        let too_large = from.u8()? != 0;
        let count = from.count()?;
        let generations = (0..count).map(|_| from.bytes()).collect::<Result<Vec<_>, Error>>()?;
        from.end()?;
        Ok((label, EpochParts { label, too_large, generations }))
    }

    /// Returns the generation at this index of the epoch; `None` if it is missing.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid generation.
    pub fn part<L: Language>(&self, place: usize, plan: &Plan, shape: Shape) -> Result<Option<Part<L>>, Error> {
        let part = self.generations.get(place).map(|bytes| decode(bytes, plan, shape)).transpose();
        part.map_err(|why| format!("generation {place} of {} is invalid: {why}", self.label).into())
    }
}

/// Encodes a generation of an island. The parents are numbers in the whole previous generation.
fn encode<L: Language>(part: &Part<L>, pool: &Pool) -> Vec<u8> {
    let mut out = Encoder::new();
    out.small(part.fresh);
    let count = part.individuals.len();
    let pieces = pool.map(0..count.div_ceil(PIECE), |piece| {
        let mut out = Encoder::new();
        for number in piece * PIECE..count.min((piece + 1) * PIECE) {
            part.individuals[number].encode_bare(&mut out);
            part.parents[number].iter().for_each(|parent| out.small(parent.map_or(0, |parent| u64::from(parent) + 1)));
        }
        out.finish()
    });
    pieces.iter().for_each(|piece| out.raw(piece));
    out.finish()
}

fn decode<L: Language>(bytes: &[u8], plan: &Plan, shape: Shape) -> Result<Part<L>, Error> {
    let mut decoder = Decoder::new(bytes);
    let from = &mut decoder;
    let mut part = Part { individuals: Vec::new(), parents: Vec::new(), fresh: from.small()? };
    for _ in 0..plan.size {
        part.individuals.push(Individual::decode_bare(from, shape)?);
        part.parents.push([parent(from, plan)?, parent(from, plan)?]);
    }
    decoder.end()?;
    Ok(part)
}

fn parent(from: &mut Decoder<'_>, plan: &Plan) -> Result<Option<u32>, Error> {
    let all = plan.size as u64 * u64::from(plan.islands);
    match from.small_u32()?.checked_sub(1) {
        Some(number) if u64::from(number) >= all => {
            Err(format!("the parent of a program must be 0 to {} (got {number})", all - 1).into())
        }
        parent => Ok(parent),
    }
}
