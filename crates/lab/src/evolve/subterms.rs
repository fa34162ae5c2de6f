//! Subterms that survive: which parts the programs of a generation have in common, and since when.
//!
//! Counted are the programs that contain a subterm, not its places. Of subterms that always occur within a larger one only the larger
//! is listed, so that a common part is one row. Equal subterms have equal [hashes](Tree::hash_at), in all generations.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::gp::Genome;
use super::inspect::AnyView;
use super::problems::Snapshot;
use crate::job::{RunWatcher, View};
use crate::program::language::Language;
use crate::program::tree::Tree;

/// The fewest nodes of a subterm: a constant, an input and a reading of one are in most programs.
const LEAST_NODES: usize = 3;

/// The most subterms that are listed, and the most kept generations that are read.
const MOST: usize = 16;
const MOST_KEPT: usize = 8;

/// The most nodes of programs that are counted, which bounds time and memory: some 100 MB where all subterms differ.
const MOST_NODES: usize = 1 << 20;

/// A place of a subterm in a population.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub program: usize,
    pub tree: usize,
    pub node: usize,
}

/// A subterm of the programs of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedSubterm {
    pub hash: u64,
    pub nodes: usize,
    /// The programs that contain it.
    pub programs: usize,
    /// Whether it is part of a larger one in every program that contains it.
    is_part: bool,
    /// Where it occurs first.
    pub place: Place,
}

/// A subterm of a tree.
#[derive(Clone, Copy)]
pub(super) struct Subterm {
    pub(super) hash: u64,
    nodes: usize,
    /// The hash of the subterm whose argument it is.
    above: Option<u64>,
}

/// Returns the subterms of a program with tree and node, those of a tree in prefix order.
pub(super) fn places<L: Language>(program: &Genome<L>) -> impl Iterator<Item = (usize, usize, Subterm)> + '_ {
    program
        .trees()
        .iter()
        .enumerate()
        .flat_map(|(number, tree)| {
            subterms(tree).into_iter().enumerate().map(move |(node, subterm)| (number, node, subterm))
        })
        .filter(|(.., subterm)| subterm.nodes >= LEAST_NODES)
}

/// Returns the subterm at each node.
fn subterms<L: Language>(tree: &Tree<L>) -> Vec<Subterm> {
    let mut open: Vec<(usize, u64)> = Vec::new();
    let subterm = |node: usize| {
        let end = tree.end(node);
        let hash = tree.hash_at(node);
        while open.pop_if(|(end, _)| *end <= node).is_some() {}
        let above = open.last().map(|(_, hash)| *hash);
        open.push((end, hash));
        Subterm { hash, nodes: end - node, above }
    };
    (0..tree.size()).map(subterm).collect()
}

/// Returns a subterm in short form.
pub(super) fn text<L: Language>(program: &Genome<L>, place: Place) -> String {
    program.trees()[place.tree].subtree(place.node).to_sexpr()
}

/// The subterms of a generation.
pub struct Subterms {
    /// The programs that were counted.
    pub programs: usize,
    /// In any order.
    pub found: Vec<CountedSubterm>,
}

/// Returns the subterms of programs: of all of them, or of every second, third and so on, so that they have at most [`MOST_NODES`] together.
pub(super) fn counted<'a, L: Language>(programs: impl Iterator<Item = &'a Genome<L>> + Clone) -> Subterms {
    let nodes: usize = programs.clone().map(Genome::size).sum();
    let mut count = Count::default();
    let mut counted = 0;
    for (program, genome) in programs.enumerate().step_by(nodes.div_ceil(MOST_NODES).max(1)) {
        count.add(program, &mut places(genome).map(|(tree, node, subterm)| (Place { program, tree, node }, subterm)));
        counted += 1;
    }
    Subterms { programs: counted, found: count.finish() }
}

/// Counts of subterms, program by program.
#[derive(Default)]
struct Count {
    /// The subterms, and the last program in which each was found.
    found: HashMap<u64, (CountedSubterm, usize)>,
    /// The programs in which a subterm is an argument of another one, by both hashes, and the last one.
    within: HashMap<(u64, u64), (usize, usize)>,
}

impl Count {
    fn add(&mut self, program: usize, subterms: &mut dyn Iterator<Item = (Place, Subterm)>) {
        for (place, Subterm { hash, nodes, above }) in subterms {
            let new = CountedSubterm { hash, nodes, programs: 0, is_part: false, place };
            let (counted, last) = self.found.entry(hash).or_insert((new, usize::MAX));
            counted.programs += usize::from(std::mem::replace(last, program) != program);
            if let Some(above) = above {
                let (programs, last) = self.within.entry((hash, above)).or_insert((0, usize::MAX));
                *programs += usize::from(std::mem::replace(last, program) != program);
            }
        }
    }

    fn finish(mut self) -> Vec<CountedSubterm> {
        for ((hash, _), (programs, _)) in self.within {
            let (counted, _) = self.found.get_mut(&hash).expect("a subterm within another one is counted itself");
            counted.is_part |= programs == counted.programs;
        }
        self.found.into_values().map(|(counted, _)| counted).collect()
    }
}

/// The most common subterms of the newest generation, with the shares of the programs that contain them in several generations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survivors {
    /// The generations, ascending.
    pub generations: Vec<u64>,
    /// The most common first.
    pub subterms: Vec<Survivor>,
    /// Kept generations whose checkpoints could not be read.
    pub unread: Vec<u64>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Survivor {
    hash: u64,
    /// In short form.
    pub text: String,
    pub nodes: usize,
    /// The share of the programs that contain it, from 0 to 1, by generation.
    pub shares: Vec<f64>,
    /// Whether the analysed program contains it.
    pub is_own: bool,
}

impl Survivors {
    /// Returns the most common subterms of a run's newest saved generation, and the kept generations to [read](Survivors::read); `None`
    /// if the run has no checkpoint. `own` are the subterms of the analysed program.
    pub fn begin(run: &RunWatcher, own: &HashSet<u64>) -> Option<(Survivors, Vec<u64>)> {
        let survivors = Survivors::new(&*run.view()?.get::<Snapshot>()?.view, own);
        let kept = run.kept();
        let each = kept.len().div_ceil(MOST_KEPT).max(1);
        Some((survivors, kept.into_iter().step_by(each).collect()))
    }

    /// Adds the shares in a generation of which the checkpoint is kept, or notes that it cannot be read.
    pub fn read(&mut self, run: &RunWatcher, generation: u64) {
        match run.view_at(generation).as_ref().and_then(View::get::<Snapshot>) {
            Some(snapshot) => self.add(&*snapshot.view),
            None => self.unread.push(generation),
        }
    }

    /// Returns the [`MOST`] most common subterms of the newest generation of a run. `own` are the subterms of the analysed program.
    fn new(newest: &dyn AnyView, own: &HashSet<u64>) -> Survivors {
        let Some((generation, _)) = newest.population() else { return Survivors::default() };
        let Subterms { programs, found: mut all } = newest.subterms();
        all.retain(|one| !one.is_part && one.programs > 1);
        all.sort_unstable_by_key(|one| (Reverse((one.programs, one.nodes)), one.place));
        all.truncate(MOST);
        let survivor = |one: CountedSubterm| Survivor {
            hash: one.hash,
            text: newest.subterm(one.place).unwrap_or_default(),
            nodes: one.nodes,
            shares: vec![one.programs as f64 / programs.max(1) as f64],
            is_own: own.contains(&one.hash),
        };
        let subterms = all.into_iter().map(survivor).collect();
        Survivors { generations: vec![generation], subterms, unread: Vec::new() }
    }

    /// Adds the shares in another generation; one that is there already changes nothing.
    fn add(&mut self, view: &dyn AnyView) {
        let Some((generation, _)) = view.population() else { return };
        let Err(at) = self.generations.binary_search(&generation) else { return };
        let Subterms { programs: all, found } = view.subterms();
        let programs: HashMap<u64, usize> = found.iter().map(|one| (one.hash, one.programs)).collect();
        self.generations.insert(at, generation);
        for one in &mut self.subterms {
            let count = programs.get(&one.hash).copied().unwrap_or(0);
            one.shares.insert(at, count as f64 / all.max(1) as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::kalah::{KalahLanguage, Program, random_program};
    use proptest::prelude::*;

    fn found_in(texts: &[&str]) -> Vec<CountedSubterm> {
        let programs: Vec<Genome<KalahLanguage>> =
            texts.iter().map(|text| Program::parse(text).unwrap().into()).collect();
        counted(programs.iter()).found
    }

    #[test]
    fn programs_are_counted_not_places() {
        let found = found_in(&["(+ (+ 1 (@ 2)) (+ 1 (@ 2)))", "(- (+ 1 (@ 2)) 3)", "(- 3 (+ 1 (@ 2)))", "4"]);
        let inner = found.iter().find(|one| one.nodes == 4).unwrap();
        assert_eq!((inner.programs, inner.is_part), (3, false));
        assert_eq!(inner.place, Place { program: 0, tree: 0, node: 1 });
        assert!(found.iter().all(|one| one.nodes >= LEAST_NODES));
    }

    #[test]
    fn a_subterm_that_is_always_in_a_larger_one_is_part_of_it() {
        let found = found_in(&["(- (+ 1 (@ 2)) 3)", "(+ 9 (- (+ 1 (@ 2)) 3))"]);
        let is_part = |nodes: usize| found.iter().find(|one| one.nodes == nodes).unwrap().is_part;
        assert!(is_part(4) && !is_part(6) && !is_part(8));
    }

    #[test]
    fn of_too_many_nodes_a_part_of_the_programs_is_counted() {
        let large: Genome<KalahLanguage> =
            Program::parse(&("(+ 1 ".repeat(300) + "2" + &")".repeat(300))).unwrap().into();
        let count = 2 * MOST_NODES / large.size();
        let found = counted(std::iter::repeat_n(&large, count));
        assert!((count / 3..=count / 2 + 1).contains(&found.programs), "{} of {count}", found.programs);
        assert!(found.found.iter().all(|one| one.programs == found.programs));
    }

    proptest! {
        /// The definition: each program's set of subterms as texts.
        #[test]
        fn counts_are_those_of_the_definition(seed in 0u64..1000) {
            let programs: Vec<Genome<KalahLanguage>> = (0..6).map(|number| random_program(seed, number).into()).collect();
            let mut sets: HashMap<String, HashSet<usize>> = HashMap::new();
            for (number, program) in programs.iter().enumerate() {
                let tree = program.first();
                for node in (0..tree.size()).filter(|node| tree.end(*node) - node >= LEAST_NODES) {
                    let text = text(program, Place { program: number, tree: 0, node });
                    sets.entry(text).or_default().insert(number);
                }
            }
            let Subterms { programs: all, found } = counted(programs.iter());
            prop_assert_eq!(all, programs.len());
            prop_assert_eq!(found.len(), sets.len());
            for one in found {
                let text = text(&programs[one.place.program], one.place);
                prop_assert_eq!(one.programs, sets[&text].len(), "{}", text);
            }
        }
    }
}
