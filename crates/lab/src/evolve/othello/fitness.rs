//! The fitness of a program, from the results of its games.

use mancalab_evolve::formula::{Formula, Quantity};

use crate::evolve::fitness_text;

/// The results of a program against all opponents.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Results {
    /// The opponent's discs, summed over the games. If only one stage counts, the opponent's gain in it, which may be negative.
    pub discs: f64,
    /// Games won, in percent.
    pub won: f64,
    /// Points in percent of the maximum: 1 for a win, a half for a draw.
    pub points: f64,
    /// Mean disc difference at the end of a game.
    pub margin: f64,
    /// Nodes and depth of the program.
    pub nodes: usize,
    pub depth: usize,
}

/// The quantities of formulas, in the order of [`Results::quantities`].
pub const QUANTITIES: &[Quantity] = &[
    ("points", "points in percent: 1 for a win, a half for a draw"),
    ("won", "games won, in percent"),
    ("margin", "own discs less the opponent's, mean of the games"),
    ("discs", "the opponent's discs in all games; of a stage its gain"),
    ("games", "number of games"),
    ("nodes", "nodes of the program"),
    ("depth", "depth of the program"),
];

impl Results {
    pub fn quantities(&self, games: u32) -> [f64; 7] {
        let Results { discs, won, points, margin, nodes, depth } = *self;
        [points, won, margin, discs, games.into(), nodes as f64, depth as f64]
    }
}

/// A fitness function.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Fitness {
    /// J. R. Koza's adjusted fitness of the source's: 1000 / (1 + the opponent's discs).
    #[default]
    Adjusted,
    /// 64 per game minus the opponent's discs: the source's measure, reversed so that higher is better.
    Discs,
    /// Points in percent.
    Points,
    /// Points in percent, plus up to 10 for the margin.
    Strength,
    /// A formula of [`QUANTITIES`], at least 0.
    Formula(Formula),
    /// The answer of a shell command.
    Command(String),
}

/// The contribution of the maximum margin to [`Fitness::Strength`]. A margin of 0 contributes half of it.
const MARGIN: f64 = 10.0;

impl Fitness {
    /// The words in configuration files and flags.
    pub const WORDS: &'static [(&'static str, Fitness)] = &[
        ("adjusted", Fitness::Adjusted),
        ("discs", Fitness::Discs),
        ("points", Fitness::Points),
        ("strength", Fitness::Strength),
    ];

    /// Returns the fitness for these results of this number of games; 0 of a command's, which is computed later.
    pub(super) fn value(&self, achieved: &Results, games: u32) -> f64 {
        match self {
            // A negative gain counts as 0.
            Fitness::Adjusted => 1000.0 / (1.0 + achieved.discs.max(0.0)),
            Fitness::Discs => (64.0 * f64::from(games) - achieved.discs).max(0.0),
            Fitness::Points => achieved.points,
            Fitness::Strength => achieved.points + MARGIN * (achieved.margin + 64.0) / 128.0,
            Fitness::Formula(formula) => fitness_text::admitted(formula.value(&achieved.quantities(games))),
            Fitness::Command(_) => 0.0,
        }
    }
}

fitness_text::text_of!(Fitness, QUANTITIES);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_what_its_words_say() {
        let achieved = Results { discs: 49.0, won: 80.0, points: 90.0, margin: 32.0, nodes: 12, depth: 4 };
        let of = |word: &str| word.parse::<Fitness>().unwrap().value(&achieved, 5);
        assert_eq!(["adjusted", "discs", "points", "strength"].map(of), [20.0, 271.0, 90.0, 97.5]);
        assert_eq!(["64*games - discs", "points - nodes / 10 + depth"].map(of), [271.0, 92.8]);
        // The gain in a stage may be negative; fitness never is.
        let lost = Results { discs: -30.0, ..achieved };
        assert_eq!((Fitness::Adjusted.value(&lost, 5), Fitness::Discs.value(&lost, 5)), (1000.0, 350.0));
        let worst = Results { discs: 320.0, margin: -64.0, ..Results::default() };
        let worst: Vec<f64> = Fitness::WORDS.iter().map(|(_, fitness)| fitness.value(&worst, 5)).collect();
        assert_eq!(worst, [1000.0 / 321.0, 0.0, 0.0, 0.0]);
    }
}
