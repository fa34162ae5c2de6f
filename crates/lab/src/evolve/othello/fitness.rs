//! What a program is worth, from what it achieved in its games.

use crate::settings::words_of;

/// What a program achieved in its games against all opponents.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Achieved {
    /// The opponent's discs that count, summed over the games. Where only a stage counts, what the opponent has gained in it, which may
    /// be less than nothing.
    pub discs: f64,
    /// Games won, in percent.
    pub won: f64,
    /// Points, in percent of what all games give: 1 for a win, a half for a draw.
    pub points: f64,
    /// Discs at the end less the opponent's, a game.
    pub margin: f64,
}

/// What a program's fitness is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fitness {
    /// J. R. Koza's adjusted fitness of the source's: a thousand through one more than the opponent's discs.
    #[default]
    Adjusted,
    /// 64 a game, less the opponent's discs: the source's in discs, so that more is better.
    Discs,
    /// Points in percent.
    Points,
    /// Points in percent, and a tenth as much for the margin.
    Strength,
}

/// What [`Fitness::Strength`] gives for the greatest margin; for none at all it gives half of it.
const MARGIN: f64 = 10.0;

impl Fitness {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Fitness)] = &[
        ("adjusted", Fitness::Adjusted),
        ("discs", Fitness::Discs),
        ("points", Fitness::Points),
        ("strength", Fitness::Strength),
    ];

    /// Of what was achieved in so many games.
    pub(super) fn of(self, achieved: &Achieved, games: u32) -> f64 {
        match self {
            // Who gains less than nothing is as good as can be told.
            Fitness::Adjusted => 1000.0 / (1.0 + achieved.discs.max(0.0)),
            Fitness::Discs => (64.0 * f64::from(games) - achieved.discs).max(0.0),
            Fitness::Points => achieved.points,
            Fitness::Strength => achieved.points + MARGIN * (achieved.margin + 64.0) / 128.0,
        }
    }
}

words_of!(Fitness);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_what_its_words_say() {
        let achieved = Achieved { discs: 49.0, won: 80.0, points: 90.0, margin: 32.0 };
        let of = |word: &str| word.parse::<Fitness>().unwrap().of(&achieved, 5);
        assert_eq!(["adjusted", "discs", "points", "strength"].map(of), [20.0, 271.0, 90.0, 97.5]);
        // What was gained in a stage may be less than nothing; fitness never is.
        let lost = Achieved { discs: -30.0, ..achieved };
        assert_eq!((Fitness::Adjusted.of(&lost, 5), Fitness::Discs.of(&lost, 5)), (1000.0, 350.0));
        let worst = Achieved { discs: 320.0, margin: -64.0, ..Achieved::default() };
        let worst: Vec<f64> = Fitness::WORDS.iter().map(|(_, fitness)| fitness.of(&worst, 5)).collect();
        assert_eq!(worst, [1000.0 / 321.0, 0.0, 0.0, 0.0]);
    }
}
