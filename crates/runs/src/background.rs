//! Work that is done in one go, away from the thread that draws: above all whatever opens a file.
//!
//! A file may lie on a disk that has gone to sleep or on a network that does not answer, and a folder may hold thousands of
//! others. None of that may keep a key waiting, so tabs and dialogs hand such work over and are given what came of it.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use crate::budget::{Budget, Job, Status};

/// What came of an background; whoever sent it knows what to `downcast` to.
pub type Answer = Box<dyn Any + Send>;

/// The work: to be called once, on any thread.
pub type Work = Box<dyn FnOnce() -> Answer + Send>;

/// One piece of work as a job. Its only news is the end, with the answer as its view.
pub struct Background {
    work: Option<Work>,
    answer: Mutex<Option<Answer>>,
}

impl Background {
    pub fn new(work: Work) -> Background {
        Background { work: Some(work), answer: Mutex::new(None) }
    }
}

impl Job for Background {
    /// `None` but for the first look after the end.
    type View = Option<Answer>;

    fn step(&mut self, _: Budget) -> Status {
        if let Some(work) = self.work.take() {
            *self.answer.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(work());
        }
        Status::Done
    }

    fn view(&self) -> Option<Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
