//! What a person needs of a game: its rules to choose from, the board, moves by the places they name, and the texts of all of them.

use std::fmt;
use std::str::FromStr;

use mancalab_base::Error;

use crate::referee;
use crate::{Board, Ending, Game, Move, Place, Side, TextError, Trace};

/// One of a variant's rules, as a dialog offers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What is chosen, in a word or two.
    pub label: &'static str,
    pub values: &'static [&'static str],
    /// Which of the values holds now.
    pub chosen: usize,
}

/// A game as a person meets it: rules to choose, text to read and write, a board to look at.
pub trait BoardGame: Game {
    /// The choices that make one variant of the game; `Display` and `FromStr` are the part of a variant's text behind the name,
    /// such as `6x4:standard`, and an empty text is the usual variant.
    type Rules: Copy + Eq + fmt::Debug + fmt::Display + FromStr<Err = Error> + Send + Sync + 'static;

    /// The name in variants' texts and in game files: lower case, one word.
    const NAME: &'static str;

    /// The name for people.
    const TITLE: &'static str;

    /// What people call the sides, `[south, north]`.
    const SEATS: [&'static str; 2] = ["South", "North"];

    /// The forms `Rules` accepts, for help and error messages.
    const RULES_HELP: &'static str;

    /// The rules one by one, each with what it can be.
    fn choices(rules: Self::Rules) -> Vec<Choice>;

    /// The rules with the choice `index` set to its value `chosen`; unchanged if there is no such choice or value.
    fn choose(rules: Self::Rules, index: usize, chosen: usize) -> Self::Rules;

    fn start(rules: Self::Rules) -> Self;

    /// What lies on the board, from which [`from_board`](BoardGame::from_board) makes the same position again.
    fn board(&self) -> Board;

    /// The position with this on the board and `side` to move.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the board and what would be accepted.
    fn from_board(rules: Self::Rules, board: &Board, side: Side) -> Result<Self, Error>;

    /// The places that name a legal move, one after the other: a pit, a square, or from where to where. No two moves of a position
    /// are named by the same places; none at all name a pass, which is then the only move.
    fn places(&self, mv: Move) -> Vec<Place>;

    /// What a legal move does, step by step.
    fn trace(&self, mv: Move) -> Trace;
}

/// How the moves, positions, results and games of one game are written.
pub trait Notation: BoardGame {
    /// The number by which Portable Draughts Notation knows the game, if collections of its games are written so: then its places are
    /// squares that go by their numbers, and its sides are called Black and White.
    const GAME_TYPE: Option<u16> = None;

    /// The move's name from the mover's seat, such as `C` for South's third pit and `c` for North's, or `d3`.
    fn move_text(&self, mv: Move) -> String;

    /// The legal move that a text names: as [`move_text`](Notation::move_text) has it, or in other forms that are in use.
    fn named(&self, text: &str) -> Option<Move> {
        self.moves().find(|&mv| self.move_text(mv) == text)
    }

    /// The position's text, without the rules.
    fn to_text(&self) -> String;

    /// # Errors
    /// Where the text stops making sense, and what was expected there.
    fn from_text(rules: Self::Rules, text: &str) -> Result<Self, TextError>;

    /// How a game that ended here, and so, is noted: the final counts, South's first, unless a rule ended it in a draw.
    fn result_text(&self, ending: &Ending) -> String {
        let [south, north] = self.board().counts();
        if ending.why == referee::Why::NoMoves { format!("{south}-{north}") } else { "1/2-1/2".to_owned() }
    }

    /// Whether a word behind the moves is a result, which is no move.
    fn is_result(text: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        let is_count = |text: &str| text.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b));
        matches!(text, "*" | "1/2-1/2") || is_count(text)
    }

    /// What a text without headers may be, if it may be one of this game's at all.
    fn recognise(text: &str) -> Option<Bare>;

    /// Moves from here on as they are noted elsewhere; `None` if there is no such form.
    fn to_transcript(&self, _moves: &[Move]) -> Option<String> {
        None
    }

    /// The moves of such a text, which begins here.
    ///
    /// # Errors
    /// Where the text stops making sense or a move is not legal, and what was expected there.
    fn read_transcript(&self, text: &str) -> Result<Vec<Move>, TextError> {
        Err(TextError::new(1, 1, text, "a game with headers, as this one is not noted otherwise"))
    }
}

/// A text that stands alone, without headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bare {
    Position,
    Transcript,
    /// Moves as game files have them, with or without numbers.
    Moves,
}
