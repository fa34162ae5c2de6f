//! Where the outcomes of a new generation come from: programs that were there before keep theirs, equal ones share one, and the
//! rest have to be evaluated, each once.

use std::collections::HashMap;
use std::sync::Arc;

use super::genome::Genome;
use super::population::Population;
use super::select::PlanManifest;
use crate::program::language::Language;

/// Where the outcome of a draft comes from.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// An individual of the generation before, by its number: the same program.
    Before(u32),
    /// So many programs into the batch.
    Batch(u32),
}

/// The places of drafts, found one after the other.
pub(super) struct Places<L: Language> {
    /// Numbers in the generation before, by the programs' hashes, and how many of its programs are in there.
    known: HashMap<u64, u32>,
    recalled: usize,
    /// Places among `programs`, by hashes.
    fresh: HashMap<u64, u32>,
    /// What has to be evaluated.
    programs: Vec<Arc<Genome<L>>>,
    /// The place of each draft, by number.
    found: Vec<Place>,
}

impl<L: Language> Places<L> {
    pub fn new() -> Places<L> {
        Places { known: HashMap::new(), recalled: 0, fresh: HashMap::new(), programs: Vec::new(), found: Vec::new() }
    }

    /// Looks at so many more of the generation before, all of which have to be known before the first draft; whether they are.
    pub fn restore_timings(&mut self, before: &Population<L>, count: usize) -> bool {
        let all = &before.individuals[..];
        // At once, or it would be moved about later, which takes longer than a piece may.
        self.known.reserve(all.len().saturating_sub(self.known.len()));
        let piece = self.recalled..all.len().min(self.recalled + count);
        self.recalled = piece.end;
        self.known.extend(piece.map(|number| (all[number].hash, number as u32)));
        self.recalled == all.len()
    }

    /// Finds the place of the next draft.
    pub fn find(&mut self, draft: &PlanManifest<L>, before: Option<&Population<L>>) {
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

    /// The place of a draft, by its number.
    pub fn of(&self, number: usize) -> Place {
        self.found[number]
    }

    /// The programs that have to be evaluated; what was needed to find them is forgotten.
    pub fn take_programs(&mut self) -> Vec<Arc<Genome<L>>> {
        (self.known, self.fresh) = (HashMap::new(), HashMap::new());
        std::mem::take(&mut self.programs)
    }
}
