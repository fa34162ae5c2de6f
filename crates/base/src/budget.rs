//! Long work in bounded steps.
//!
//! A [`Job`] is advanced a little at a time and can be displayed in between. Its result never depends on the
//! division into steps: a [`Budget`] only limits the length of a step. Searches and players depend on nothing else;
//! the crate of runs schedules, displays and stores jobs.

use std::time::{Duration, Instant};

/// Limit of one step.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Deadline, and its distance when the budget was made; `None`: until the work is done.
    until: Option<(Instant, Duration)>,
    /// Whether to stop at the next landmark, for a user who steps through the work.
    single: bool,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { until: None, single: false };

    /// A limit of `time` from now.
    pub fn time(time: Duration) -> Budget {
        Budget { until: Some((Instant::now() + time, time)), single: false }
    }

    /// Lowers the limit to `time` from now, if it is later.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Budget {
        let limit = (Instant::now() + time, time);
        Budget { until: Some(self.until.filter(|(until, _)| *until < limit.0).unwrap_or(limit)), ..self }
    }

    /// Restarts the time limit, for work that had to wait for the thread pool.
    #[must_use]
    pub fn afresh(self) -> Budget {
        Budget { until: self.until.map(|(_, time)| (Instant::now() + time, time)), ..self }
    }

    /// Adds a stop at the next [landmark](Job::is_between).
    #[must_use]
    pub fn single(self) -> Budget {
        Budget { single: true, ..self }
    }

    /// Returns whether to stop at the next landmark.
    pub fn is_single(&self) -> bool {
        self.single
    }

    /// Returns whether to stop. Jobs check it between pieces of work of some tenths of a millisecond each.
    pub fn is_spent(&self) -> bool {
        self.until.is_some_and(|(until, _)| Instant::now() >= until)
    }
}

/// Result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// More steps are needed.
    Running,
    /// The work is complete; further steps change nothing.
    Done,
}

/// Resumable work.
pub trait Job: Send {
    /// Snapshot for display: cheap to make, independent of the job.
    type View: Send + 'static;

    /// Works until the budget is spent or the work is done.
    fn step(&mut self, budget: Budget) -> Status;

    fn view(&self) -> Self::View;

    /// Returns whether the job is at a landmark: a place to stop when stepping through, such as the end of a
    /// generation.
    fn is_between(&self) -> bool {
        true
    }

    /// Called before a pause of unknown length, or the end: the job saves its state.
    fn rest(&mut self) {}
}
