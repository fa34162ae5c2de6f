//! Background tasks: work off the drawing thread, above all everything that opens a file.
//!
//! A disk may be asleep, a network may not answer, and a folder may hold thousands of files. No key waits for that:
//! tabs and dialogs start a task and get its result.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use crate::budget::{Budget, Job, Status};

/// The result of a task; the sender knows the type to `downcast` to.
pub type TaskResult = Box<dyn Any + Send>;

/// The work of a task, called once, on any thread.
pub type Work = Box<dyn FnOnce() -> TaskResult + Send>;

/// A task as a job. Its only event is the end, with the result as its view.
pub struct Background {
    work: Option<Work>,
    answer: Mutex<Option<TaskResult>>,
}

impl Background {
    pub fn new(work: Work) -> Background {
        Background { work: Some(work), answer: Mutex::new(None) }
    }
}

impl Job for Background {
    /// `Some` only on the first call after the end.
    type View = Option<TaskResult>;

    fn step(&mut self, _: Budget) -> Status {
        if let Some(work) = self.work.take() {
            *self.answer.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(work());
        }
        Status::Done
    }

    fn view(&self) -> Option<TaskResult> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
