//! Grades of the puzzles that are tried, which date their [cards](crate::cards).
//!
//! A card is graded 5 if the first try is right, and 4 if it is nearly right. After a wrong try the grade is 1, and 2 once the move is
//! found; the puzzle then comes again at the end, and tomorrow. A puzzle skipped without a try has no grade.

use std::path::PathBuf;

use mancalab_base::Error;

use super::puzzles::{Mistakes, Puzzles};
use super::retry::Verdict;
use super::{Practice, PracticeMessage};
use crate::app::effect::Context;
use crate::cards::sm2::PASS;
use crate::cards::{self, Card, Deck, PendingCards};

/// The puzzles of a day with their cards.
pub(crate) struct PuzzleDay {
    pub puzzles: Puzzles,
    pub deck: Deck,
    pub mistakes: Mistakes,
    /// The day since 1970.
    pub day: u64,
}

impl PuzzleDay {
    /// The result of the day.
    pub fn result(&self) -> String {
        self.puzzles.result(self.mistakes, &self.deck, self.day)
    }
}

/// The cards of the session.
#[derive(Default)]
pub struct Cards {
    /// The cards as read last, with the grades since.
    pub deck: Deck,
    /// The mistakes that the next press of the key takes.
    pub offered: Mistakes,
    /// The puzzles that are tried; their deck is the one above.
    asked: Option<PuzzleDay>,
    pub unwritten: PendingCards,
    /// `None` before the first grade, and where nothing is saved.
    file: Option<PathBuf>,
}

impl Cards {
    pub fn begin(&mut self, mut asked: PuzzleDay) {
        self.deck = std::mem::take(&mut asked.deck);
        self.asked = Some(asked);
    }

    /// Ends the puzzles; returns the result of the day.
    pub fn end(&mut self) -> String {
        let asked = self.asked.take();
        asked.map_or(String::new(), |asked| asked.puzzles.result(asked.mistakes, &self.deck, asked.day))
    }

    /// Writes the grades that are not saved yet.
    ///
    /// # Errors
    /// The file is damaged or cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        self.file.as_deref().map_or(Ok(()), |file| self.unwritten.write(file))
    }
}

impl Practice {
    /// Grades the puzzle that is tried, if one is, and saves its card in the background.
    pub fn grade(&mut self, verdict: Verdict, cx: &mut Context) {
        let cards = &mut self.cards;
        let Some((retry, day)) = self.retry.as_mut().zip(cards.asked.as_ref().map(|asked| asked.day)) else {
            return;
        };
        let Some(key) = retry.puzzle().map(|puzzle| puzzle.key()) else { return };
        let grade = match (verdict, cards.deck.grade_on(&key, day)) {
            (Verdict::Right(_), None) => 5,
            (Verdict::Nearly(_), None) => 4,
            (Verdict::Right(_) | Verdict::Nearly(_), Some(grade)) if grade < PASS => 2,
            (Verdict::Wrong(_) | Verdict::Shown, None | Some(..PASS)) => 1,
            // The first grade of a day counts.
            (_, Some(_)) => return,
        };
        if grade == 1 {
            retry.repeat_puzzle();
        }
        let card = Card::graded(cards.deck.get(&key), grade, day);
        cards.deck.set(key.clone(), card);
        cards.file = cards::file(cx.paths);
        if let Some(file) = cards.file.clone() {
            cards.unwritten.add(key, card);
            let unwritten = cards.unwritten.clone();
            cx.background(move || PracticeMessage::Graded(unwritten.write(&file)));
        }
    }
}
