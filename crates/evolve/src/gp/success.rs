//! The success of the genetic operators: how many of a generation's programs each bred, and how many are fitter than their parent.
//!
//! It is derived from the lineages of a population, so that the columns of `generations.csv` stay the same.

use std::cmp::Ordering;

use mancalab_base::Error;

use super::population::{Operator, Population, Selectable};
use crate::codec::{Decoder, Encoder};
use crate::program::language::Language;

/// The programs that an operator brought into a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperatorSuccess {
    pub operator: Operator,
    /// Number of programs.
    pub bred: u64,
    /// Number of programs with a higher fitness than their first parent had when it was bred, and with the same fitness. Both are 0
    /// for operators that change nothing, and for programs without parents.
    pub better: u64,
    pub equal: u64,
}

impl OperatorSuccess {
    /// Returns the success of every operator that occurs in the generation.
    pub fn tally<L: Language>(population: &Population<L>) -> Vec<OperatorSuccess> {
        let mut all = Operator::WORDS
            .iter()
            .map(|(_, operator)| OperatorSuccess { operator: *operator, ..OperatorSuccess::default() })
            .collect::<Vec<_>>();
        for one in &population.individuals {
            if let Some(success) = all.iter_mut().find(|success| success.operator == one.operator) {
                success.count(one);
            }
        }
        all.retain(|success| success.bred > 0);
        all
    }

    /// Adds the programs of a generation to those of earlier ones.
    pub(super) fn add(all: &mut Vec<OperatorSuccess>, newest: &[OperatorSuccess]) {
        for one in newest {
            match all.iter_mut().find(|success| success.operator == one.operator) {
                Some(success) => {
                    success.bred += one.bred;
                    success.better += one.better;
                    success.equal += one.equal;
                }
                None => all.push(*one),
            }
        }
        crate::sort::sort_by_key(all, |success| success.operator as u8);
    }

    pub(super) fn encode(&self, out: &mut Encoder) {
        out.u8(self.operator as u8);
        [self.bred, self.better, self.equal].iter().for_each(|&count| out.small(count));
    }

    pub(super) fn decode(from: &mut Decoder<'_>) -> Result<OperatorSuccess, Error> {
        let operator = Operator::decode(from)?;
        Ok(OperatorSuccess { operator, bred: from.small()?, better: from.small()?, equal: from.small()? })
    }

    fn count(&mut self, one: &Selectable) {
        self.bred += 1;
        let [child, parent, ..] = &one.lineage[..] else { return };
        if self.operator.keeps() {
            return;
        }
        match child.fitness.total_cmp(&parent.fitness) {
            Ordering::Greater => self.better += 1,
            Ordering::Equal => self.equal += 1,
            Ordering::Less => {}
        }
    }

    /// Returns the share of better programs, from 0 to 1; `None` for operators that change nothing, and for programs without
    /// parents.
    pub fn rate(&self) -> Option<f64> {
        let has_parents = !self.operator.keeps() && !matches!(self.operator, Operator::Grown | Operator::Seeded);
        (has_parents && self.bred > 0).then(|| self.better as f64 / self.bred as f64)
    }
}
