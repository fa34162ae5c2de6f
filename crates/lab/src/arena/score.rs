//! Games counted, and how far a count can be trusted.

use serde::Serialize;

use crate::game::Outcome;

/// Games by how they ended for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// How a match ended for its first player: the games it began, and those it did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub first: Score,
    pub second: Score,
}

impl Score {
    /// One game that ended so.
    pub fn of(outcome: Outcome) -> Score {
        let is = |wanted| u32::from(outcome == wanted);
        Score { wins: is(Outcome::Won), draws: is(Outcome::Drawn), losses: is(Outcome::Lost) }
    }

    #[must_use]
    pub fn plus(self, other: Score) -> Score {
        Score { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }

    /// The same games as the other player sees them.
    #[must_use]
    pub fn turned(self) -> Score {
        Score { wins: self.losses, losses: self.wins, ..self }
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points, a draw being half of one, from 0 to 1; half if there was no game.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The share of wins alone, from 0 to 1; 0 if there was no game.
    pub fn won(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.games().max(1))
    }

    /// Where [`won`](Score::won) lies with 95 % confidence.
    pub fn won_interval(&self) -> (f64, f64) {
        wilson(self.won(), self.games())
    }

    /// Where that share lies with 95 % confidence.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.share(), self.games())
    }
}

impl Tally {
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally { first: self.first.plus(other.first), second: self.second.plus(other.second) }
    }

    /// All games of the match's first player.
    pub fn all(&self) -> Score {
        self.first.plus(self.second)
    }
}

/// Wilson's score interval with 95 % confidence for a share measured over so many trials. Draws make the spread smaller than a
/// coin's, so that the interval is rather too wide than too narrow.
pub fn wilson(share: f64, trials: u32) -> (f64, f64) {
    wilson_of(share, trials.into())
}

/// The same for an effective number of trials.
pub(super) fn wilson_of(share: f64, n: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if n == 0.0 {
        return (0.0, 1.0);
    }
    let centre = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((centre - reach) / scale).max(0.0), ((centre + reach) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, 15 of 148, 0 of 20.
        for (hits, trials, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)] {
            let (from, to) = wilson(f64::from(hits) / f64::from(trials), trials);
            assert!((from - low).abs() < 1e-4 && (to - high).abs() < 1e-4, "{from} {to}");
        }
        assert_eq!(Score::default().interval(), (0.0, 1.0));
    }
}
