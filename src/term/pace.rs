//! The pace of frames on a slow line: requests a status report after each kilobyte, and holds frames back until the answer.
//!
//! Otherwise frames queue up between the program and the terminal, in buffers of the network that hold many seconds of a slow line, and
//! a key shows its effect behind all of them.

use std::time::{Duration, Instant};

/// Asks for a report of the status, answered by `ESC [ 0 n`, which no key sends.
pub(super) const STATUS_REQUEST: &[u8] = b"\x1b[5n";

/// Bytes that are sent without a report.
const BYTES_PER_REQUEST: usize = 1024;

/// Time after which the next frame is sent without the answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Time of the first answer from which a line is slow.
const SLOW: Duration = Duration::from_millis(200);

/// Time after which a terminal that has answered nothing is asked no more.
const GIVE_UP_AFTER: Duration = Duration::from_secs(30);

/// The reports of a terminal.
#[derive(Debug)]
pub(super) struct Pace {
    /// Bytes since the last request.
    sent: usize,
    /// Requests without an answer.
    open: u32,
    /// The time of the first request, and of the last.
    asked: Option<(Instant, Instant)>,
    /// How long the first answer took; zero on a terminal without answers.
    first: Option<Duration>,
    /// The terminal does not answer.
    is_over: bool,
}

impl Pace {
    pub fn new() -> Pace {
        Pace { sent: 0, open: 0, asked: None, first: None, is_over: false }
    }

    /// Requests a report behind the first frame, however small it is: until the first answer the line counts as slow.
    pub fn from_first_frame() -> Pace {
        Pace { sent: BYTES_PER_REQUEST, ..Pace::new() }
    }

    /// Counts the bytes of a frame; returns whether to [ask](STATUS_REQUEST) behind it.
    pub fn count_frame(&mut self, bytes: usize, now: Instant) -> bool {
        self.sent += bytes;
        if self.is_unsupported(now) {
            self.first = Some(Duration::ZERO);
            self.is_over = true;
        }
        if self.sent <= BYTES_PER_REQUEST || self.is_over {
            return false;
        }
        (self.sent, self.open) = (0, self.open + 1);
        self.asked = Some((self.asked.map_or(now, |(first, _)| first), now));
        true
    }

    /// Forgets the requests: the terminal may be another one now, or another program may have read the answers.
    pub fn forget_requests(&mut self) {
        self.open = 0;
    }

    fn is_unsupported(&self, now: Instant) -> bool {
        let is_late = |(first, _): (Instant, Instant)| now.duration_since(first) > GIVE_UP_AFTER;
        self.first.is_none() && self.asked.is_some_and(is_late)
    }

    /// Counts an answer; the first shows whether the line is slow.
    pub fn count_answer(&mut self, now: Instant) -> Option<bool> {
        self.open = self.open.saturating_sub(1);
        let (asked, _) = self.asked.filter(|_| self.first.is_none())?;
        let took = now.duration_since(asked);
        self.first = Some(took);
        Some(took > SLOW)
    }

    /// Returns when the next frame may be sent; `None`: now.
    pub fn busy_until(&self, now: Instant) -> Option<Instant> {
        let (_, last) = self.asked.filter(|_| self.open > 0)?;
        Some(last + TIMEOUT).filter(|until| *until > now)
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
        let mut pace = Pace::new();
        let now = Instant::now();
        assert!(!pace.count_frame(1000, now) && pace.busy_until(now).is_none());
        assert!(pace.count_frame(100, now));
        assert_eq!(pace.busy_until(now + 10 * MS), Some(now + TIMEOUT));
        assert_eq!(pace.count_answer(now + 20 * MS), Some(false));
        assert!(pace.busy_until(now + 20 * MS).is_none() && !pace.is_slow());
        assert!(!pace.count_frame(1024, now) && pace.count_frame(1, now));
    }

    #[test]
    fn a_small_first_frame_measures_the_line() {
        let mut pace = Pace::from_first_frame();
        let now = Instant::now();
        assert!(pace.count_frame(1, now) && !pace.count_frame(1000, now));
        assert_eq!((pace.count_answer(now + MS), pace.is_slow()), (Some(false), false));
    }

    #[test]
    fn an_answer_that_does_not_come_is_awaited_for_two_seconds() {
        let mut pace = Pace::new();
        let now = Instant::now();
        assert!(pace.count_frame(5000, now));
        assert!(pace.busy_until(now + TIMEOUT).is_none());
        assert!(pace.count_frame(5000, now + TIMEOUT));
        // The late answer to the first request is none to the second.
        pace.count_answer(now + 3000 * MS);
        assert!(pace.busy_until(now + 3000 * MS).is_some());
        pace.count_answer(now + 3500 * MS);
        assert!(pace.busy_until(now + 3500 * MS).is_none());
    }

    #[test]
    fn answers_that_were_lost_are_forgotten() {
        let mut pace = Pace::new();
        let now = Instant::now();
        assert!(pace.count_frame(5000, now) && pace.count_frame(5000, now + TIMEOUT));
        pace.forget_requests();
        assert!(pace.count_frame(5000, now + TIMEOUT));
        pace.count_answer(now + TIMEOUT + MS);
        assert!(pace.busy_until(now + TIMEOUT + MS).is_none());
    }

    #[test]
    fn the_first_answer_measures_the_line_once() {
        let mut pace = Pace::new();
        let now = Instant::now();
        assert!(pace.is_slow());
        pace.count_frame(5000, now);
        assert_eq!((pace.count_answer(now + 201 * MS), pace.is_slow()), (Some(true), true));
        pace.count_frame(5000, now);
        assert_eq!(pace.count_answer(now + 900 * MS), None);
    }

    #[test]
    fn a_terminal_without_reports_is_no_longer_asked() {
        let mut pace = Pace::new();
        let now = Instant::now();
        assert!(pace.count_frame(5000, now));
        let later = now + GIVE_UP_AFTER + MS;
        assert!(!pace.count_frame(5000, later) && pace.busy_until(later).is_none() && !pace.is_slow());
    }

    #[test]
    fn an_answer_to_no_request_counts_nothing() {
        let mut pace = Pace::new();
        assert_eq!((pace.count_answer(Instant::now()), pace.busy_until(Instant::now())), (None, None));
    }
}
