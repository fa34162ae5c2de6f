//! The byte format of an epoch: its label, its generations, and a checksum.
//!
//! Each generation is prefixed with its length, so that a reader can skip to the newest. An individual is stored as its
//! program, outcome, operator and its parents' numbers in the whole previous generation.

use mancalab_base::{Error, bail};
use std::fmt;

use super::Plan;
use crate::codec::{Decoder, Encoder, checksum};
use crate::gp::builder::Part;
use crate::gp::population::{Individual, Shape};
use crate::gp::problem::{Problem, Settings as _};
use crate::gp::run::NON_SEMANTIC;
use crate::pool::Pool;
use crate::program::language::Language;
use crate::settings::KeyedSettings as _;

/// Version of the format. Increase it with every change.
const FORMAT: u8 = 1;

/// Individuals encoded per task of a thread.
const PIECE: usize = 256;

/// Bytes of the checksum.
const SUM: usize = 8;

/// The identity of an epoch's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
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
pub(super) fn run_of<P: Problem>(settings: &P::Settings) -> u64 {
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
pub(super) fn write(label: &Label, too_large: bool, generations: &[Vec<u8>]) -> Vec<u8> {
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
pub(super) struct EpochParts<'a> {
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
pub(super) fn encode<L: Language>(part: &Part<L>, pool: &Pool) -> Vec<u8> {
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
