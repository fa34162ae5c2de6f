//! The recent speed of a run, and the estimate of its remaining time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The measuring window, extended if too little was done in it.
const LATELY: Duration = Duration::from_secs(60);

/// The minimum time between two samples.
const APART: Duration = Duration::from_secs(1);

/// The minimum progress before an estimate: the first generation is slower than the following ones, which reuse earlier results.
const ENOUGH: f64 = 1.0;

/// Samples of a run's progress over time.
#[derive(Default)]
pub(super) struct Pace {
    notes: VecDeque<(Instant, f64)>,
    newest: Option<(Instant, f64)>,
}

impl Pace {
    /// Records that the run has completed `done`.
    pub fn note(&mut self, now: Instant, done: f64) {
        self.newest = Some((now, done));
        if self.notes.back().is_none_or(|(at, _)| now.duration_since(*at) >= APART) {
            self.notes.push_back((now, done));
        }
        // At least a minute back, and as far as needed for enough progress.
        let tells = |note: &(Instant, f64)| now.duration_since(note.0) >= LATELY && done - note.1 >= 2.0 * ENOUGH;
        while self.notes.get(1).is_some_and(tells) {
            self.notes.pop_front();
        }
    }

    /// Returns the estimated time for `rest`; `None` if unknown.
    pub fn left(&self, rest: f64) -> Option<Duration> {
        let ((began, from), (now, done)) = (*self.notes.front()?, self.newest?);
        let speed = (done - from) / now.duration_since(began).as_secs_f64();
        let left = rest / speed;
        (done - from >= ENOUGH && speed > 0.0 && left.is_finite())
            .then(|| Duration::from_secs_f64(left.clamp(0.0, 1e10)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_the_pace_of_the_last_minute() {
        let mut pace = Pace::default();
        let began = Instant::now();
        let at = |seconds: u64| began + Duration::from_secs(seconds);
        pace.note(at(0), 0.0);
        assert_eq!(pace.left(100.0), None);
        pace.note(at(10), 0.9);
        assert_eq!(pace.left(100.0), None, "less than a generation says nothing");
        (0..=100).for_each(|second| pace.note(at(10 + second), 1.0 + second as f64));
        // One generation per second, though the first took ten.
        assert_eq!(pace.left(100.0).map(|left| left.as_secs()), Some(100));
        // Slower from now on: ten seconds each.
        (1..=30).for_each(|step| pace.note(at(110 + 10 * step), 101.0 + step as f64));
        assert_eq!(pace.left(10.0).map(|left| left.as_secs()), Some(100));
        assert!(pace.notes.len() < 100);
    }

    #[test]
    fn generations_of_minutes_are_judged_by_as_many_as_it_takes() {
        let mut pace = Pace::default();
        let began = Instant::now();
        for minute in 0..20 {
            pace.note(began + Duration::from_secs(60 * minute), minute as f64 / 4.0);
        }
        assert_eq!(pace.left(2.0).map(|left| left.as_secs()), Some(480));
    }
}
