//! The pace of frames on a slow line: the terminal is asked for a report behind what was sent, and gets no frame before the answer.
//!
//! Otherwise frames queue up between the program and the terminal, in buffers of the network that hold many seconds of a slow line, and
//! a key shows its effect behind all of them.

use std::time::{Duration, Instant};

/// Asks for a report of the status, answered by `ESC [ 0 n`, which no key sends.
pub(super) const ASK: &[u8] = b"\x1b[5n";

/// Bytes that are sent without a report.
const UNASKED: usize = 1024;

/// Time after which the next frame is sent without the answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time of the first answer from which a line is slow.
const SLOW: Duration = Duration::from_millis(200);

/// Time after which a terminal that has answered nothing is asked no more.
const GIVES_NO_ANSWER: Duration = Duration::from_secs(30);

/// The reports of a terminal.
#[derive(Debug)]
pub(super) struct Pace {
    /// Bytes since the last request.
    sent: usize,
    /// Requests without an answer.
    open: u32,
    /// The time of the first request, and of the last.
    asked: Option<(Instant, Instant)>,
    /// How long the first answer took.
    first: Option<Duration>,
}

impl Pace {
    pub fn new() -> Pace {
        Pace { sent: 0, open: 0, asked: None, first: None }
    }

    /// Counts the bytes of a frame; returns whether to [ask](ASK) behind it.
    pub fn sends(&mut self, bytes: usize, now: Instant) -> bool {
        self.sent += bytes;
        if self.sent <= UNASKED || self.has_no_answers(now) {
            return false;
        }
        (self.sent, self.open) = (0, self.open + 1);
        self.asked = Some((self.asked.map_or(now, |(first, _)| first), now));
        true
    }

    fn has_no_answers(&self, now: Instant) -> bool {
        let is_late = |(first, _): (Instant, Instant)| now.duration_since(first) > GIVES_NO_ANSWER;
        self.first.is_none() && self.asked.is_some_and(is_late)
    }

    /// Counts an answer; the first shows whether the line is slow.
    pub fn answers(&mut self, now: Instant) -> Option<bool> {
        self.open = self.open.saturating_sub(1);
        let (asked, _) = self.asked.filter(|_| self.first.is_none())?;
        let took = now.duration_since(asked);
        self.first = Some(took);
        Some(took > SLOW)
    }

    /// Returns when the next frame may be sent; `None`: now.
    pub fn busy_until(&self, now: Instant) -> Option<Instant> {
        let (_, last) = self.asked.filter(|_| self.open > 0)?;
        Some(last + PATIENCE).filter(|until| *until > now)
    }

    /// Whether bytes count: the line is slow, or not yet measured.
    pub fn is_slow(&self) -> bool {
        self.first.is_none_or(|took| took > SLOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_report_is_requested_behind_each_kilobyte_and_awaited() {
        let (mut pace, now) = (Pace::new(), Instant::now());
        assert!(!pace.sends(1000, now) && pace.busy_until(now).is_none());
        assert!(pace.sends(100, now));
        assert_eq!(pace.busy_until(now + 10 * MS), Some(now + PATIENCE));
        assert_eq!(pace.answers(now + 20 * MS), Some(false));
        assert!(pace.busy_until(now + 20 * MS).is_none() && !pace.is_slow());
        assert!(!pace.sends(1024, now) && pace.sends(1, now));
    }

    #[test]
    fn an_answer_that_does_not_come_is_awaited_for_two_seconds() {
        let (mut pace, now) = (Pace::new(), Instant::now());
        assert!(pace.sends(5000, now));
        assert!(pace.busy_until(now + PATIENCE).is_none());
        assert!(pace.sends(5000, now + PATIENCE));
        // The late answer to the first request is none to the second.
        pace.answers(now + 3000 * MS);
        assert!(pace.busy_until(now + 3000 * MS).is_some());
        pace.answers(now + 3500 * MS);
        assert!(pace.busy_until(now + 3500 * MS).is_none());
    }

    #[test]
    fn the_first_answer_measures_the_line_once() {
        let (mut pace, now) = (Pace::new(), Instant::now());
        assert!(pace.is_slow());
        pace.sends(5000, now);
        assert_eq!((pace.answers(now + 201 * MS), pace.is_slow()), (Some(true), true));
        pace.sends(5000, now);
        assert_eq!(pace.answers(now + 900 * MS), None);
    }

    #[test]
    fn a_terminal_without_reports_is_no_longer_asked() {
        let (mut pace, now) = (Pace::new(), Instant::now());
        assert!(pace.sends(5000, now));
        let later = now + GIVES_NO_ANSWER + MS;
        assert!(!pace.sends(5000, later) && pace.busy_until(later).is_none());
    }

    #[test]
    fn an_answer_to_no_request_counts_nothing() {
        let mut pace = Pace::new();
        assert_eq!((pace.answers(Instant::now()), pace.busy_until(Instant::now())), (None, None));
    }
}
