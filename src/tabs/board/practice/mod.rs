//! Practice: mistakes tried again, puzzles with their cards, and tutorials.

pub(super) mod puzzles;
pub(super) mod retry;
mod tried_lines;
pub(super) mod tutorial;

use mancalab_base::Error;

use puzzles::{Cards, PuzzleDay};
use retry::Retry;
use tried_lines::TriedLines;

/// The mistakes and puzzles that are tried.
#[derive(Default)]
pub(super) struct Practice {
    pub(super) retry: Option<Retry>,
    /// The game whose own mistakes were tried: the computer's come next.
    pub(super) retried: Option<u64>,
    /// The game whose mistakes are to be tried when its review is complete.
    pub(super) after_review: Option<u64>,
    lines: Option<TriedLines>,
    /// The cards of puzzles.
    pub(super) cards: Cards,
}

/// A result of a background task of practice.
pub(super) enum PracticeMessage {
    /// The puzzles of the saved games and their cards.
    Puzzles(Result<PuzzleDay, Error>),
    /// The cards were written.
    Graded(Result<(), Error>),
}
