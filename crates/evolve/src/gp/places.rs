//! Sources of the outcomes of a new generation. Programs of the previous generation keep their outcome, equal programs share
//! one, and each remaining program is evaluated once.

use std::collections::HashMap;
use std::sync::Arc;

use super::genome::Genome;
use super::population::Population;
use super::select::Draft;
use crate::program::language::Language;

/// The source of a draft's outcome.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The individual with this number in the previous generation, which has the same program.
    Before(u32),
    /// The program with this index in the batch.
    Batch(u32),
}

/// The places of all drafts, in order.
pub(super) struct Places<L: Language> {
    /// Numbers in the previous generation by program hash, and how many of its programs are indexed.
    known: HashMap<u64, u32>,
    recalled: usize,
    /// Indices in `programs` by hash.
    fresh: HashMap<u64, u32>,
    /// The programs to evaluate.
    programs: Vec<Arc<Genome<L>>>,
    /// The place of each draft, by number.
    found: Vec<Place>,
}

impl<L: Language> Places<L> {
    pub fn new() -> Places<L> {
        Places { known: HashMap::new(), recalled: 0, fresh: HashMap::new(), programs: Vec::new(), found: Vec::new() }
    }

    /// Indexes `count` more programs of the previous generation; returns whether all are indexed. All must be before the first
    /// draft.
    pub fn index_previous(&mut self, before: &Population<L>, count: usize) -> bool {
        let all = &before.individuals[..];
        // Reserved at once: rehashing later would exceed the time of a step.
        self.known.reserve(all.len().saturating_sub(self.known.len()));
        let piece = self.recalled..all.len().min(self.recalled + count);
        self.recalled = piece.end;
        self.known.extend(piece.map(|number| (all[number].hash, number as u32)));
        self.recalled == all.len()
    }

    /// Finds the place of the next draft.
    pub fn find(&mut self, draft: &Draft<L>, before: Option<&Population<L>>) {
        let same = |other: &Arc<Genome<L>>| Arc::ptr_eq(other, &draft.program) || *other == draft.program;
        let old = self.known.get(&draft.hash).copied();
        let old = old.filter(|&number| before.is_some_and(|b| same(&b.individuals[number as usize].program)));
        let new = || self.fresh.get(&draft.hash).copied().filter(|&index| same(&self.programs[index as usize]));
        let place = old.map(Place::Before).or_else(|| new().map(Place::Batch)).unwrap_or_else(|| {
            let index = self.programs.len() as u32;
            self.fresh.insert(draft.hash, index);
            self.programs.push(Arc::clone(&draft.program));
            Place::Batch(index)
        });
        self.found.push(place);
    }

    /// Returns the place of a draft, by number.
    pub fn place(&self, number: usize) -> Place {
        self.found[number]
    }

    /// Takes the programs to evaluate and drops the indices.
    pub fn take_programs(&mut self) -> Vec<Arc<Genome<L>>> {
        (self.known, self.fresh) = (HashMap::new(), HashMap::new());
        std::mem::take(&mut self.programs)
    }
}
