//! An estimate of the time that work takes to its end, from the later half of its time so far: what a resumed command finds done took no
//! time, and work that gets slower is estimated by how slow it is now.

use std::collections::VecDeque;
use std::time::Instant;

/// The share of work done over time.
pub(super) struct TimeLeft {
    began: Instant,
    /// Seconds since the start and the share done by then, in the order of time: those of the later half, and one before.
    samples: VecDeque<(f64, f64)>,
}

impl TimeLeft {
    /// Two samples are at least this part of the whole time apart, so that there are few of them.
    const STEP: f64 = 0.02;

    pub fn begin() -> TimeLeft {
        TimeLeft { began: Instant::now(), samples: VecDeque::new() }
    }

    /// Returns the seconds that the rest takes, given the share done by now; `None` before anything is done.
    pub fn at(&mut self, share: f64) -> Option<f64> {
        self.after(self.began.elapsed().as_secs_f64(), share)
    }

    fn after(&mut self, seconds: f64, share: f64) -> Option<f64> {
        if self.samples.back().is_none_or(|last| seconds - last.0 >= TimeLeft::STEP * seconds) {
            self.samples.push_back((seconds, share));
        }
        // One from which the share has grown since stays, however old it is.
        while self.samples.get(1).is_some_and(|second| second.0 <= seconds / 2.0 && second.1 < share) {
            self.samples.pop_front();
        }
        let (since, before) = *self.samples.front()?;
        (share > before).then(|| (seconds - since) * (1.0 - share) / (share - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_later_half_of_the_time() {
        let mut time_left = TimeLeft::begin();
        // A fifth was done before: found in the first second.
        assert_eq!(time_left.after(0.0, 0.0), None);
        time_left.after(1.0, 0.2);
        let all: Vec<Option<f64>> =
            (2..=100).map(|second| time_left.after(f64::from(second), 0.2 + 0.001 * f64::from(second))).collect();
        assert!(all[20..].iter().zip(22..).all(|(left, second)| {
            let expected = (0.8 - 0.001 * f64::from(second)) / 0.001;
            (left.unwrap() - expected).abs() < 1e-6 * expected
        }));
        assert!(time_left.samples.len() < 60, "{}", time_left.samples.len());
        // A long unit of work does not end the estimate.
        assert!(time_left.after(1000.0, 0.301).is_some() && time_left.after(2000.0, 0.301).is_some());
    }
}
