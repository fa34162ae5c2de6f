//! Early stop of a match: Wald's sequential probability ratio test (SPRT).
//!
//! The generalized log-likelihood ratio of engine testing: with the mean score s and its variance v in n trials, and
//! the expected scores s0 and s1 of the two hypotheses, LLR = n (s1 − s0)(2 s − s0 − s1) / (2 v).
//!
//! A trial is a pair of games, one in each order. Both begin with the same opening, so their results are not
//! independent, and the variance of their sum is not twice that of a game. If the opening decides the winner, pairs
//! vary less, and the test ends sooner. If the opening favours one player in both orders, they vary more, and
//! counting single games would stop too early. A game without a partner is a separate trial; the ratios of pairs and
//! of single games are added.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use super::Score;
use super::score::wilson_of;
use crate::game::Outcome;

/// Two hypotheses about the Elo difference of two players, with error probabilities of 5 % each.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// H0: the difference is at most this.
    pub lower: f64,
    /// H1: the difference is at least this.
    pub upper: f64,
}

/// Result of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// H0 is accepted.
    Lower,
    /// H1 is accepted.
    Upper,
}

/// ln((1 − β) / α) with α = β = 0.05.
const BOUND: f64 = 2.944_438_979_166_44;
/// Minimum number of games, because the variance is unknown before.
const LEAST: u32 = 16;

/// Returns the expected share of points for an Elo difference.
pub(super) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// Results of two players' games, for one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Evidence {
    /// Numbers of game pairs (same opening, both orders) with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u32; 5],
    /// Games of rounds with only one order.
    pub alone: Score,
}

impl Evidence {
    /// Adds a round: the outcomes in the two orders, for the player the evidence is about.
    pub fn add(&mut self, outcomes: [Option<Outcome>; 2]) {
        match outcomes {
            [Some(one), Some(other)] => self.pairs[(one.halves() + other.halves()) as usize] += 1,
            [Some(alone), None] | [None, Some(alone)] => self.alone = self.alone.plus(Score::from_outcome(alone)),
            [None, None] => {}
        }
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        2 * self.pairs.iter().sum::<u32>() + self.alone.games()
    }

    /// Returns the share of points and its 95 % confidence interval: Wilson's, with the number of independent games
    /// that have the variance of these pairs.
    pub fn interval(&self) -> (f64, (f64, f64)) {
        let Score { wins, draws, losses } = self.alone;
        let alone = [(0.0, 1.0, losses), (0.5, 1.0, draws), (1.0, 1.0, wins)];
        let pairs = self.pairs.iter().enumerate().map(|(at, &count)| (at as f64 / 2.0, 2.0, count));
        // Points and games of a trial, and the number of such trials.
        let trials: Vec<(f64, f64, f64)> =
            pairs.chain(alone).map(|(points, games, count)| (points, games, f64::from(count))).collect();
        let sum = |value: &dyn Fn(f64, f64) -> f64| -> f64 {
            trials.iter().map(|&(points, games, count)| count * value(points, games)).sum()
        };
        let games = sum(&|_, games| games);
        let count = sum(&|_, _| 1.0);
        if games == 0.0 {
            return (0.5, (0.0, 1.0));
        }
        let share = sum(&|points, _| points) / games;
        let spread = sum(&|points, games| (points - share * games).powi(2)) * count / (count - 1.0).max(1.0);
        // The variance of half a game, added on both sides, avoids certainty for results without variance.
        let independent = games * (games * share * (1.0 - share) + 0.5) / (spread + 0.5);
        (share, wilson_of(share, independent))
    }
}

impl Sprt {
    /// Returns the log-likelihood ratio of H1 to H0.
    pub(super) fn ratio(&self, evidence: &Evidence) -> f64 {
        let Score { wins, draws, losses } = evidence.alone;
        let alone = [(0.0, losses), (0.5, draws), (1.0, wins)];
        let pairs: [(f64, u32); 5] = std::array::from_fn(|at| (at as f64 / 4.0, evidence.pairs[at]));
        self.ratio_of(&pairs) + self.ratio_of(&alone)
    }

    /// Returns the ratio of trials of one kind, given as (share of points from 0 to 1, count).
    fn ratio_of(&self, trials: &[(f64, u32)]) -> f64 {
        let n: f64 = trials.iter().map(|&(_, count)| f64::from(count)).sum();
        if n == 0.0 {
            return 0.0;
        }
        let mean_of = |value: fn(f64) -> f64| {
            trials.iter().map(|&(share, count)| f64::from(count) * value(share)).sum::<f64>() / n
        };
        let low = expected(self.lower);
        let high = expected(self.upper);
        let mean = mean_of(|share| share);
        // Half a trial won and half a trial lost are added, so that equal results have a variance, too.
        let variance = (mean_of(|share| share * share) - mean * mean).max(0.0) + 0.5 / n;
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Returns the verdict; `None` while undecided.
    pub(super) fn verdict(&self, evidence: &Evidence) -> Option<Verdict> {
        let ratio = self.ratio(evidence);
        match evidence.games() {
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
    type Err = Error;

    fn from_str(text: &str) -> Result<Sprt, Error> {
        let parts = text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        parts
            .filter(|(lower, upper): &(f64, f64)| lower < upper && lower.abs() <= 2000.0 && upper.abs() <= 2000.0)
            .map(|(lower, upper)| Sprt { lower, upper })
            .ok_or_else(|| {
                format!("expected two Elo differences, the smaller first, for example 0,50 (got {text})").into()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::rng;
    use rand::RngExt;

    fn alone(wins: u32, draws: u32, losses: u32) -> Evidence {
        Evidence { alone: Score { wins, draws, losses }, ..Evidence::default() }
    }

    fn paired(pairs: [u32; 5]) -> Evidence {
        Evidence { pairs, ..Evidence::default() }
    }

    #[test]
    fn what_is_clear_is_decided_and_what_is_not_stays_open() {
        let sprt: Sprt = "0,50".parse().unwrap();
        assert_eq!(sprt.verdict(&alone(15, 0, 0)), None);
        assert_eq!(sprt.verdict(&alone(200, 20, 100)), Some(Verdict::Upper));
        assert_eq!(sprt.verdict(&alone(100, 20, 200)), Some(Verdict::Lower));
        assert_eq!(sprt.verdict(&alone(54, 0, 46)), None);
        assert_eq!(sprt.verdict(&Evidence::default()), None);
        // 60 of 100 against 50 % or 57.15 %: (0.0715 · 0.1285 · 100) / (2 · 0.245), computed by hand.
        assert!((sprt.ratio(&alone(60, 0, 40)) - 1.875).abs() < 0.02, "{}", sprt.ratio(&alone(60, 0, 40)));
        // The same points in pairs close to the mean are stronger evidence: of 50 pairs 10 were won, 40 shared. With
        // a variance of 0.05 per pair: (0.0715 · 0.1285 · 50) / (2 · 0.05).
        let ratio = sprt.ratio(&paired([0, 0, 40, 0, 10]));
        assert!((ratio - 50.0 * 0.0715 * 0.1285 / (2.0 * 0.05)).abs() < 0.05, "{ratio}");
        assert!("50,0".parse::<Sprt>().unwrap_err().to_string().contains("the smaller first"));
    }

    /// An independent computation: the variance from the deviations of a list of trials.
    #[test]
    fn the_ratio_is_that_of_a_plain_computation() {
        let sprt: Sprt = "-5,40".parse().unwrap();
        let plain = |trials: &[f64]| {
            let n = trials.len() as f64;
            let mean = trials.iter().sum::<f64>() / n;
            let squares = trials.iter().map(|share| (share - mean).powi(2)).sum::<f64>() + 0.5;
            let [low, high] = [-5.0, 40.0].map(|elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
            // ln of the ratio of two normal densities with that variance.
            let to = |centre: f64| trials.iter().map(|share| (share - centre).powi(2)).sum::<f64>();
            (to(low) - to(high)) / (2.0 * squares / n)
        };
        let mut random = rng::keyed(&[3]);
        for rounds in [1, 2, 10, 500] {
            let mut evidence = Evidence::default();
            let mut pairs = Vec::new();
            let mut singles = Vec::new();
            for round in 0..rounds {
                let margins = [random.random_range(-2..=2), random.random_range(-2..=3)];
                let points = margins.map(|margin: i32| f64::from(margin.signum() + 1) / 2.0);
                if round % 3 == 2 {
                    evidence.add([None, Some(Outcome::from_margin(margins[1]))]);
                    singles.push(points[1]);
                } else {
                    evidence.add(margins.map(|margin| Some(Outcome::from_margin(margin))));
                    pairs.push((points[0] + points[1]) / 2.0);
                }
            }
            let wanted = plain(&pairs) + if singles.is_empty() { 0.0 } else { plain(&singles) };
            let ratio = sprt.ratio(&evidence);
            assert!((ratio - wanted).abs() < 1e-9 * wanted.abs().max(1.0), "{ratio} {wanted}");
            assert_eq!(evidence.games() as usize, 2 * pairs.len() + singles.len());
        }
    }

    /// Simulates 1,000 matches in which pairs score 0, 1 or 2 points with these probabilities. Returns the error
    /// rate and the mean number of pairs, with pairs counted and with single games counted.
    fn simulated(sprt: Sprt, right: Verdict, shared: f64, share: f64, seed: u64) -> [(f64, f64); 2] {
        const MATCHES: u32 = 1000;
        let won = share - shared / 2.0;
        let mut random = rng::keyed(&[seed]);
        [true, false].map(|by_pairs| {
            let mut wrong = 0;
            let mut pairs = 0;
            for _ in 0..MATCHES {
                let mut evidence = Evidence::default();
                let verdict = loop {
                    let draw: f64 = random.random();
                    let margins = if draw < won {
                        [1, 1]
                    } else if draw < won + shared {
                        [1, -1]
                    } else {
                        [-1, -1]
                    };
                    if by_pairs {
                        evidence.add(margins.map(|margin| Some(Outcome::from_margin(margin))));
                    } else {
                        margins.into_iter().for_each(|margin| evidence.add([Some(Outcome::from_margin(margin)), None]));
                    }
                    pairs += 1;
                    if let Some(verdict) = sprt.verdict(&evidence) {
                        break verdict;
                    }
                };
                wrong += u32::from(verdict != right);
            }
            [wrong, pairs].map(|count| f64::from(count) / f64::from(MATCHES)).into()
        })
    }

    #[test]
    fn errors_are_as_rare_as_reported_however_the_games_of_a_pair_hang_together() {
        let sprt: Sprt = "0,50".parse().unwrap();
        let truths = [(Verdict::Lower, expected(0.0)), (Verdict::Upper, expected(50.0))];
        for (seed, (right, share)) in (1..).zip(truths) {
            // Independent games: as good as counting single games.
            let [by_pairs, alone] = simulated(sprt, right, 2.0 * share * (1.0 - share), share, seed);
            assert!(by_pairs.0 < 0.07 && alone.0 < 0.07, "{by_pairs:?} {alone:?}");
            assert!(by_pairs.1 < 1.2 * alone.1, "{by_pairs:?} {alone:?}");
            // The opening decides most games: counting single games wastes more than half of them.
            let [by_pairs, alone] = simulated(sprt, right, 0.8, share, seed);
            assert!(by_pairs.0 < 0.07 && by_pairs.1 < 0.5 * alone.1, "{by_pairs:?} {alone:?}");
            // Both games of a pair end alike: counting single games is wrong far too often.
            let [by_pairs, alone] = simulated(sprt, right, 0.0, share, seed);
            assert!(by_pairs.0 < 0.07 && alone.0 > 0.1, "{by_pairs:?} {alone:?}");
        }
    }

    #[test]
    fn intervals_cover_the_share_as_often_as_they_claim() {
        // The second game of a pair is independent of the first, equal to it, or its opposite.
        for (seed, chances) in (1..).zip([[0.36, 0.48, 0.16], [0.6, 0.0, 0.4], [0.1, 0.9, 0.0]]) {
            let share: f64 = chances[0] + chances[1] / 2.0;
            let mut random = rng::keyed(&[seed]);
            let mut covered = 0;
            let mut width = 0.0;
            for _ in 0..1000 {
                let mut evidence = Evidence::default();
                for _ in 0..60 {
                    let draw: f64 = random.random();
                    let margins = if draw < chances[0] {
                        [1, 1]
                    } else if draw < chances[0] + chances[1] {
                        [1, -1]
                    } else {
                        [-1, -1]
                    };
                    evidence.add(margins.map(|margin| Some(Outcome::from_margin(margin))));
                }
                let (_, (low, high)) = evidence.interval();
                covered += u32::from(low <= share && share <= high);
                width += (high - low) / 1000.0;
            }
            assert!((925..=985).contains(&covered), "{chances:?}: {covered}");
            // Games of equal pairs give as much information as half of them, those of opposite pairs more than all.
            let wilson = super::super::wilson(share, 120);
            let factor = width / (wilson.1 - wilson.0);
            assert!([0.95..1.05, 1.3..1.5, 0.2..0.6][seed as usize - 1].contains(&factor), "{factor}");
        }
        assert_eq!(Evidence::default().interval(), (0.5, (0.0, 1.0)));
        assert!(paired([0, 0, 0, 0, 50]).interval().1.0 > 0.9);
        assert_eq!(alone(81, 0, 182).interval().0, 81.0 / 263.0);
    }
}
