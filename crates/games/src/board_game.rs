//! What a user interface needs of a game: choice of rules, the board, moves as lists of places, and text formats.

use std::fmt;
use std::str::FromStr;

use mancalab_base::Error;

use crate::referee;
use crate::{Board, Ending, Game, Move, Place, Side, TextError, Trace};

/// One option of a variant's rules, as a dialog offers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Name of the option, one or two words.
    pub label: &'static str,
    pub values: &'static [&'static str],
    /// Index of the current value.
    pub chosen: usize,
}

/// A game as a user interface presents it: options of the rules, a board, and moves as steps.
pub trait BoardGame: Game {
    /// The rules of a variant. `Display` and `FromStr` use the part of a variant's text after the name, such as
    /// `6x4:standard`; an empty text is the default variant.
    type Rules: Copy + Eq + fmt::Debug + fmt::Display + FromStr<Err = Error> + Send + Sync + 'static;

    /// Name in variants' texts and game files: one lower-case word.
    const NAME: &'static str;

    /// Displayed name.
    const TITLE: &'static str;

    /// Displayed names of the sides, `[south, north]`.
    const SEATS: [&'static str; 2] = ["South", "North"];

    /// Units of the [margin](Game::margin) in a seed, a disc or a man.
    const UNIT: i32 = 1;

    /// What distinguishes the game, in one sentence; empty for none.
    const ABOUT: &'static str = "";

    /// The rules in short sentences, the aim first.
    const EXPLAINED: &'static [&'static str] = &[];

    /// The forms that `Rules` accepts, for help and error messages.
    const RULES_HELP: &'static str;

    /// The options of the rules, each with its values.
    fn choices(rules: Self::Rules) -> Vec<Choice>;

    /// Sets option `index` of the rules to value number `chosen`; unchanged if there is no such option or value.
    fn choose(rules: Self::Rules, index: usize, chosen: usize) -> Self::Rules;

    /// Text of the rules after that choice, which may be rules of another type of positions of the same name.
    fn chosen_text(rules: Self::Rules, index: usize, chosen: usize) -> String {
        Self::choose(rules, index, chosen).to_string()
    }

    fn start(rules: Self::Rules) -> Self;

    /// The rules of the position's game; an option that only the start shows has its default.
    fn rules(&self) -> Self::Rules;

    /// The board. [`from_board`](BoardGame::from_board) rebuilds the position from it.
    fn board(&self) -> Board;

    /// The position with this board and `side` to move.
    ///
    /// # Errors
    /// A sentence with what is wrong with the board and what is accepted.
    fn from_board(rules: Self::Rules, board: &Board, side: Side) -> Result<Self, Error>;

    /// The places that identify a legal move, in order: a pit, a square, or the squares of a path. No two moves of a
    /// position have the same places. Empty for a pass, which is then the only legal move.
    fn places(&self, mv: Move) -> Vec<Place>;

    /// Name of the opening of these moves from the usual start, if they have one.
    fn opening(_moves: &[Move]) -> Option<String> {
        None
    }

    /// The steps of a legal move.
    fn trace(&self, mv: Move) -> Trace;
}

/// Text formats of a game: moves, positions, results and transcripts.
pub trait Notation: BoardGame {
    /// The game's type number in Portable Draughts Notation, if its collections use that format. Its places are then
    /// numbered squares, and its sides are named Black and White.
    const GAME_TYPE: Option<u16> = None;

    /// Name of the move from the mover's seat, such as `C` for South's third pit, `c` for North's, or `d3`.
    fn move_text(&self, mv: Move) -> String;

    /// The legal move with this name: as [`move_text`](Notation::move_text) writes it, or in another common form.
    fn named(&self, text: &str) -> Option<Move> {
        self.moves().find(|&mv| self.move_text(mv) == text)
    }

    /// Text of the position, without the rules.
    fn to_text(&self) -> String;

    /// Reads a position.
    ///
    /// # Errors
    /// Where the text is invalid, and what was expected there.
    fn from_text(rules: Self::Rules, text: &str) -> Result<Self, TextError>;

    /// Result text of a game with this ending: the final counts, South's first, or `1/2-1/2` if a rule drew it.
    fn result_text(&self, ending: &Ending) -> String {
        let [south, north] = self.board().counts();
        if ending.why == referee::Why::NoMoves { format!("{south}-{north}") } else { "1/2-1/2".to_owned() }
    }

    /// Whether a word after the moves is a result rather than a move.
    fn is_result(text: &str) -> bool {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        let is_count = |text: &str| text.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b));
        matches!(text, "*" | "1/2-1/2") || is_count(text)
    }

    /// The kind of a text without headers, if it may belong to this game.
    fn recognise(text: &str) -> Option<Bare>;

    /// What [`from_text`](Notation::from_text) corrects in a position, in sentences without a full stop.
    fn corrections(_text: &str) -> Vec<String> {
        Vec::new()
    }

    /// Length of the position at the start of a text, before moves: by default its first line.
    fn position_length(text: &str) -> usize {
        let begins = text.len() - text.trim_start().len();
        begins + text[begins..].find('\n').unwrap_or(text.len() - begins)
    }

    /// Transcript of moves from this position in a format of other programs; `None` if there is none.
    fn to_transcript(&self, _moves: &[Move]) -> Option<String> {
        None
    }

    /// Reads such a transcript, which starts at this position.
    fn read_transcript(&self, text: &str) -> Transcript {
        let error = TextError::new(1, 1, text, "a game with headers, as it has no other format");
        Transcript { error: Some(error), ..Transcript::default() }
    }
}

/// A transcript, up to its first error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transcript {
    pub moves: Vec<Move>,
    /// The result behind the moves, in the form of the game.
    pub result: Option<String>,
    /// Where the text is invalid or a move is illegal, and what was expected there.
    pub error: Option<TextError>,
}

/// Kind of a text without headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bare {
    Position,
    Transcript,
    /// Moves as in game files, with or without numbers.
    Moves,
}
