//! Long work, cut into bounded steps.
//!
//! A [`Job`] is a machine that can be advanced a little at a time and looked at in between. What it computes never depends on
//! how its work was cut: a [`Budget`] only says when to come back. Searches and players know no more of it than this; who advances
//! jobs, shows them and keeps them on the disk is the business of the crate of runs.

use std::time::{Duration, Instant};

/// How much to do before coming back.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Come back soon after this moment, so long after the budget was made; `None`: whenever the work is done.
    until: Option<(Instant, Duration)>,
    /// Come back at the next place where a person who steps through would stop, too.
    single: bool,
}

impl Budget {
    /// Do not come back before the work is done.
    pub const UNLIMITED: Budget = Budget { until: None, single: false };

    /// Come back soon after `time` from now.
    pub fn time(time: Duration) -> Budget {
        Budget { until: Some((Instant::now() + time, time)), single: false }
    }

    /// The same budget, but no more than `time` from now.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Budget {
        let limit = (Instant::now() + time, time);
        Budget { until: Some(self.until.filter(|(until, _)| *until < limit.0).unwrap_or(limit)), ..self }
    }

    /// The same budget from now on, for work that had to wait for its turn.
    #[must_use]
    pub fn afresh(self) -> Budget {
        Budget { until: self.until.map(|(_, time)| (Instant::now() + time, time)), ..self }
    }

    /// The same budget, but no further than to the next [landmark](Job::is_between).
    #[must_use]
    pub fn single(self) -> Budget {
        Budget { single: true, ..self }
    }

    /// Whether to come back at the next landmark.
    pub fn is_single(&self) -> bool {
        self.single
    }

    /// Asked by a job between two bounded pieces of work, of some tenths of a millisecond each.
    pub fn is_spent(&self) -> bool {
        self.until.is_some_and(|(until, _)| Instant::now() >= until)
    }
}

/// What a step says about the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is more to do.
    Running,
    /// There is nothing left to do; further steps change nothing.
    Done,
}

/// A resumable machine.
pub trait Job: Send {
    /// What there is to see, cheap to make and independent of the job once made.
    type View: Send + 'static;

    /// Works until the budget is spent or the work is done.
    fn step(&mut self, budget: Budget) -> Status;

    fn view(&self) -> Self::View;

    /// Whether the work stands where a person who steps through it would stop, such as the end of a generation.
    fn is_between(&self) -> bool {
        true
    }

    /// Told when it will not be stepped for a while, or never again: the time to save what is worth keeping.
    fn rest(&mut self) {}
}
