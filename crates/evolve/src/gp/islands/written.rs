//! The bytes of an epoch: whose it is, then a generation of the island after the other, and a checksum.
//!
//! A generation says how long it is, so that the newest is found without reading the others. Of each individual there are its program, its
//! outcome, how it was made and its parents' numbers in the whole generation before.

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
use crate::settings::Listed as _;

/// Goes up with every change to the bytes.
const FORMAT: u8 = 1;

/// Individuals that one thread encodes in one go.
const PIECE: usize = 256;

/// Bytes of the checksum.
const SUM: usize = 8;

/// Whose bytes they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// The checksum of all settings that rows follow from; the run may be extended, and have more room.
    pub run: u64,
    pub island: u32,
    pub epoch: u64,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {} of island {}", self.epoch, self.island)
    }
}

/// See [`Label::run`].
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

/// The bytes of an epoch with these generations, of which `too_large` says that the next one does not fit `max_nodes`.
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

/// An epoch's bytes, taken apart.
pub(super) struct Written<'a> {
    pub label: Label,
    /// The generation behind those that there are does not fit `max_nodes`.
    pub too_large: bool,
    pub generations: Vec<&'a [u8]>,
}

impl<'a> Written<'a> {
    /// # Errors
    /// They are not the bytes of this epoch: a sentence.
    pub fn read(bytes: &'a [u8], label: Label, plan: &Plan) -> Result<Written<'a>, Error> {
        let damaged = |why: Error| Error::from(format!("what is given as {label} is damaged: {why}"));
        let Some((bytes, sum)) = bytes.split_last_chunk::<SUM>() else {
            return Err(damaged(format!("it has {} bytes", bytes.len()).into()));
        };
        if checksum(bytes) != u64::from_le_bytes(*sum) {
            return Err(damaged("its checksum is not that of what it holds".into()));
        }
        let mut from = Decoder::new(bytes);
        let format = from.u8().map_err(damaged)?;
        if format != FORMAT {
            bail!("what is given as {label} has the format {format}, and {FORMAT} is what is read here");
        }
        let (said, written) = Written::body(from).map_err(damaged)?;
        if said.run != label.run {
            bail!("what is given as {label} belongs to a run with other settings");
        }
        if said != label {
            bail!("what is given as {label} is {said}");
        }
        let (count, range) = (written.generations.len() as u64, plan.generations(label.epoch));
        if count > range.end - range.start {
            let most = range.end - range.start;
            bail!("what is given as {label} holds {count} generations, and there are {most} in that epoch");
        }
        Ok(written)
    }

    fn body(mut from: Decoder<'a>) -> Result<(Label, Written<'a>), Error> {
        let label = Label { run: from.u64()?, island: from.small_u32()?, epoch: from.small()? };
        let too_large = from.u8()? != 0;
        let count = from.count()?;
        let generations = (0..count).map(|_| from.bytes()).collect::<Result<Vec<_>, Error>>()?;
        from.end()?;
        Ok((label, Written { label, too_large, generations }))
    }

    /// The generation at this place of the epoch; `None` if it is not there.
    ///
    /// # Errors
    /// It makes no sense: a sentence.
    pub fn part<L: Language>(&self, place: usize, plan: &Plan, shape: Shape) -> Result<Option<Part<L>>, Error> {
        let part = self.generations.get(place).map(|bytes| decode(bytes, plan, shape)).transpose();
        part.map_err(|why| format!("generation {place} of {} makes no sense: {why}", self.label).into())
    }
}

/// A generation of an island. Its parents are numbers in the whole generation before.
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
            Err(format!("a program is a child of program {number}, and the last of a generation is {}", all - 1).into())
        }
        parent => Ok(parent),
    }
}
