//! Practice: mistakes tried again, puzzles and tutorials.

pub(super) mod grading;
pub(super) mod puzzles;
pub(super) mod retry;
pub(super) mod tried_lines;
pub(super) mod tutorial;
