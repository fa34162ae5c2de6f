//! The fitness of a program, from its scores and its size.

use mancalab_evolve::formula::{Formula, Quantity};

use crate::evolve::fitness_text;

/// A fitness function.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Fitness {
    /// The sum of both scores: the source's first run.
    #[default]
    Sum,
    /// 100 times the sum, minus the number of nodes, at least 1: the source's second run.
    SumLessNodes,
    /// The sum times (100 minus the number of nodes), at least 1: the other reading of the second run. Under it programs shrink
    /// to nothing.
    SumTimesRest,
    /// A formula of [`QUANTITIES`], at least 0.
    Formula(Formula),
    /// The answer of a shell command.
    Command(String),
}

/// What a program has achieved, weighted as its opponents are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Achievement {
    /// Mean seeds moving first and moving second.
    pub scores: [f64; 2],
    /// Games won in percent; a draw counts half.
    pub won: f64,
    /// Own seeds less the opponent's, a game.
    pub margin: f64,
    /// Own moves a game.
    pub moves: f64,
    pub nodes: usize,
    pub depth: usize,
}

/// The quantities of formulas, in the order of [`Achievement::quantities`].
pub const QUANTITIES: &[Quantity] = &[
    ("sum", "seeds moving first and moving second, together"),
    ("first", "seeds moving first"),
    ("second", "seeds moving second"),
    ("won", "games won in percent; a draw counts half"),
    ("margin", "own seeds less the opponent's, mean of the games"),
    ("moves", "own moves, mean of the games"),
    ("nodes", "nodes of the program"),
    ("depth", "depth of the program"),
];

impl Achievement {
    pub fn quantities(&self) -> [f64; 8] {
        let Achievement { scores: [first, second], won, margin, moves, nodes, depth } = *self;
        [first + second, first, second, won, margin, moves, nodes as f64, depth as f64]
    }
}

impl Fitness {
    /// The words in configuration files and flags.
    pub const WORDS: &'static [(&'static str, Fitness)] =
        &[("sum", Fitness::Sum), ("sum-less-nodes", Fitness::SumLessNodes), ("sum-times-rest", Fitness::SumTimesRest)];

    /// Returns the fitness of a program; 0 of a command's, which is computed later.
    pub(super) fn value(&self, achieved: &Achievement) -> f64 {
        let Achievement { scores: [first, second], nodes, .. } = *achieved;
        let sum = first + second;
        match self {
            Fitness::Sum => sum,
            Fitness::SumLessNodes => (100.0 * sum - nodes as f64).max(1.0),
            Fitness::SumTimesRest => (sum * (100.0 - nodes as f64)).max(1.0),
            Fitness::Formula(formula) => fitness_text::admitted(formula.value(&achieved.quantities())),
            Fitness::Command(_) => 0.0,
        }
    }
}

fitness_text::text_of!(Fitness, QUANTITIES);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_words_agree() {
        let achieved = Achievement { scores: [41.0, 31.0], won: 100.0, margin: 24.0, moves: 30.0, nodes: 57, depth: 9 };
        let of = |text: &str| text.parse::<Fitness>().unwrap().value(&achieved);
        assert_eq!((of("sum"), of("first + second")), (72.0, 72.0));
        assert_eq!((of("sum-less-nodes"), of("max(1, 100*sum - nodes)")), (7143.0, 7143.0));
        assert_eq!((of("sum-times-rest"), of("max(1, sum * (100 - nodes))")), (3096.0, 3096.0));
        assert_eq!(of("won + margin / 48 + 0*moves - depth"), 91.5);
        // Selection needs numbers from 0.
        assert_eq!([of("-sum"), of("sum / 0"), of("0 / 0")], [0.0; 3]);
    }

    #[test]
    fn texts_come_back_or_are_refused_with_what_is_accepted() {
        for text in ["sum", "sum-less-nodes", "100*sum - nodes"] {
            assert_eq!(text.parse::<Fitness>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Fitness>().unwrap_err().to_string();
        assert!(error("sum-les-nodes").contains("sum-less-nodes"), "{}", error("sum-les-nodes"));
        assert!(error("100*sun").contains("no quantity is named 'sun' (did you mean 'sum'?)"), "{}", error("100*sun"));
    }
}
