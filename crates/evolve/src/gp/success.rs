//! The success of the genetic operators: how many of a generation's programs each bred, and how many are fitter than their parent.
//!
//! It is derived from the lineages of a population, so that a checkpoint has it and the columns of `generations.csv` stay the same.

use std::cmp::Ordering;

use super::population::{Operator, Population, Selectable};
use crate::program::language::Language;

/// The programs that an operator brought into a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperatorSuccess {
    pub operator: Operator,
    /// Number of programs.
    pub bred: u32,
    /// Number of programs with a higher fitness than their first parent had when it was bred, and with the same fitness. Both are 0
    /// for operators that change nothing, and for programs without parents.
    pub better: u32,
    pub equal: u32,
}

impl OperatorSuccess {
    /// Returns the success of every operator that occurs in the generation.
    pub fn of<L: Language>(population: &Population<L>) -> Vec<OperatorSuccess> {
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
        let has_parents = !self.operator.keeps() && self.operator != Operator::Grown;
        (has_parents && self.bred > 0).then(|| f64::from(self.better) / f64::from(self.bred))
    }
}
