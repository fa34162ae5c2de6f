//! Scores and their confidence intervals.

use serde::Serialize;

use crate::game::Outcome;

/// Numbers of games by outcome for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// Result of a match for its first player: the games it began, and the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub first: Score,
    pub second: Score,
}

impl Score {
    /// Returns the score of one game.
    pub fn from_outcome(outcome: Outcome) -> Score {
        let is = |wanted| u32::from(outcome == wanted);
        Score { wins: is(Outcome::Won), draws: is(Outcome::Drawn), losses: is(Outcome::Lost) }
    }

    #[must_use]
    pub fn plus(self, other: Score) -> Score {
        Score { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }

    /// Returns the score for the opponent.
    #[must_use]
    pub fn turned(self) -> Score {
        Score { wins: self.losses, losses: self.wins, ..self }
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the share of points (a draw is half a point), from 0 to 1; 0.5 without games.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Returns the share of wins, from 0 to 1; 0 without games.
    pub fn won(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.games().max(1))
    }

    /// Returns the 95 % confidence interval of [`won`](Score::won).
    pub fn won_interval(&self) -> (f64, f64) {
        wilson(self.won(), self.games())
    }

    /// Returns the 95 % confidence interval of [`share`](Score::share).
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.share(), self.games())
    }
}

impl Tally {
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally { first: self.first.plus(other.first), second: self.second.plus(other.second) }
    }

    /// Returns the score over all games of the match's first player.
    pub fn all(&self) -> Score {
        self.first.plus(self.second)
    }
}

/// Returns Wilson's 95 % score interval for a share of this number of trials. Draws reduce the variance, so the
/// interval is conservative.
pub fn wilson(share: f64, trials: u32) -> (f64, f64) {
    wilson_of(share, trials.into())
}

/// Same as [`wilson`] for an effective number of trials.
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
