//! Stopping a match once it is clear enough: Wald's sequential probability ratio test.
//!
//! The ratio is the generalised one that engine testers use: with the mean score s and its variance v of n games, and the
//! scores s0 and s1 that the two hypotheses expect, LLR = n (s1 − s0)(2 s − s0 − s1) / (2 v).

use std::fmt;
use std::str::FromStr;

use super::Score;

/// Two hypotheses about how much stronger one player is, in Elo, and the chance of an error either way, 5 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// No stronger than this.
    pub lower: f64,
    /// At least this much stronger.
    pub upper: f64,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The lower hypothesis is accepted.
    Lower,
    /// The upper one is.
    Upper,
}

/// ln((1 − β) / α) with α = β = 0.05.
const BOUND: f64 = 2.944_438_979_166_44;
/// Games before which nothing is decided, as the variance is not known yet.
const LEAST: u32 = 16;

/// The share of points that an advantage of so many Elo gives.
pub(super) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Sprt {
    /// The logarithm of the likelihood ratio of the upper hypothesis to the lower.
    pub fn ratio(&self, score: Score) -> f64 {
        let n = f64::from(score.games());
        if n == 0.0 {
            return 0.0;
        }
        let (low, high) = (expected(self.lower), expected(self.upper));
        let mean = score.share();
        let square = (f64::from(score.wins) + f64::from(score.draws) / 4.0) / n;
        // As if half a game more had been won and lost, so that a match without losses has a variance, too.
        let variance = (square - mean * mean).max(0.0) + 0.5 / n;
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// `None` as long as it is open.
    pub fn verdict(&self, score: Score) -> Option<Verdict> {
        let ratio = self.ratio(score);
        match score.games() {
            ..LEAST => None,
            _ if ratio >= BOUND => Some(Verdict::Upper),
            _ if ratio <= -BOUND => Some(Verdict::Lower),
            _ => None,
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.lower, self.upper)
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let parts = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        parts
            .filter(|(lower, upper): &(f64, f64)| lower < upper && lower.abs() <= 2000.0 && upper.abs() <= 2000.0)
            .map(|(lower, upper)| Sprt { lower, upper })
            .ok_or_else(|| {
                format!("expected two differences in Elo, the smaller first, as in 0,50; '{text}' is not that")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_clear_is_decided_and_what_is_not_stays_open() {
        let sprt: Sprt = "0,50".parse().unwrap();
        let score = |wins, draws, losses| Score { wins, draws, losses };
        assert_eq!(sprt.verdict(score(15, 0, 0)), None);
        assert_eq!(sprt.verdict(score(200, 20, 100)), Some(Verdict::Upper));
        assert_eq!(sprt.verdict(score(100, 20, 200)), Some(Verdict::Lower));
        assert_eq!(sprt.verdict(score(54, 0, 46)), None);
        assert_eq!(sprt.verdict(Score::default()), None);
        // 60 of 100 against 50 % or 57.15 %: (0.0715 · 0.1285 · 100) / (2 · 0.245), worked out by hand.
        assert!((sprt.ratio(score(60, 0, 40)) - 1.875).abs() < 0.02, "{}", sprt.ratio(score(60, 0, 40)));
        assert!("50,0".parse::<Sprt>().unwrap_err().contains("the smaller first"));
    }
}
