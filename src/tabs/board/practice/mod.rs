//! Practice: mistakes tried again, puzzles with their cards, and tutorials.

pub(super) mod puzzles;
pub(super) mod retry;

use mancalab_base::Error;

use super::library::game_file::OpenedGame;
use crate::game::Variant;
use crate::game::record::Record;
use puzzles::{Cards, PuzzleDay};
use retry::{Retry, TriedLines};

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

const TUTORIALS: [&str; 8] = [
    include_str!("tutorials/kalah.game"),
    include_str!("tutorials/oware.game"),
    include_str!("tutorials/awari.game"),
    include_str!("tutorials/vai-lung-thlan.game"),
    include_str!("tutorials/ohvalhu.game"),
    include_str!("tutorials/erherhe.game"),
    include_str!("tutorials/othello.game"),
    include_str!("tutorials/checkers.game"),
];

/// The text of the tutorial of a game under any of its rules.
pub fn tutorial_file(variant: Variant) -> Option<&'static str> {
    let header = format!("[Game \"{}", variant.name());
    TUTORIALS.into_iter().find(|text| text.strip_prefix(&header).is_some_and(|rest| rest.starts_with([':', '"'])))
}

/// The tutorial of a game, at its start.
pub fn tutorial(variant: Variant) -> Option<OpenedGame> {
    let mut opened = OpenedGame::read(tutorial_file(variant)?, variant).ok()?;
    opened.record.to_start();
    // The program always has it: it need not be saved.
    Some(OpenedGame { stored: true, ..opened })
}

/// What to do in a tutorial; `None` in other games.
pub fn tutorial_step(record: &Record) -> Option<&'static str> {
    let is_tutorial = record.header("Event") == Some("Tutorial");
    is_tutorial.then(|| match record.next() {
        Some(_) => "Tutorial: . next, n new game",
        None => "End of the tutorial: n new game",
    })
}
