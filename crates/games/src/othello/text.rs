//! Positions as text: the 64 squares from a1 to h1, a2 to h2 and so on, `X` for Black, `O` for White, `-` for an empty
//! square, then the side to move. White space is ignored, other common letters are accepted, and Black moves if the
//! side is missing.

use super::{Othello, Rules, transcript};
use crate::{Bare, Game as _, Move, Notation, Side, TextError};
use mancalab_base::{Error, bail};

impl Notation for Othello {
    fn move_text(&self, mv: Move) -> String {
        transcript::name(mv)
    }

    fn named(&self, text: &str) -> Option<Move> {
        let text = text.to_ascii_lowercase();
        self.moves().find(|&mv| transcript::name(mv) == text)
    }

    fn to_text(&self) -> String {
        self.text()
    }

    fn from_text(_: Rules, text: &str) -> Result<Othello, TextError> {
        Othello::read(text)
    }

    /// A transcript begins with a square or a pass, possibly after a number; a position with a letter for a square.
    fn recognise(text: &str) -> Option<Bare> {
        let text = text.trim_start();
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
        if transcript::begins(unnumbered) {
            return Some(Bare::Transcript);
        }
        text.starts_with(|c| "XxOo*0BbWw-._".contains(c)).then_some(Bare::Position)
    }

    fn to_transcript(&self, moves: &[Move]) -> Option<String> {
        Some(transcript::write(moves))
    }

    fn read_transcript(&self, text: &str) -> Result<Vec<Move>, TextError> {
        transcript::read(self, text)
    }
}

impl Othello {
    /// The position as 64 letters and the side to move, `X` or `O`.
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Reads the form of [`text`](Othello::text), and other common letters: `*`, `b` and `B` for Black, `0`, `w` and
    /// `W` for White, `.` and `_` for an empty square.
    ///
    /// # Errors
    /// Where the text is invalid, and what was expected there.
    pub fn read(text: &str) -> Result<Othello, TextError> {
        let mut letters = Letters::new(text);
        let mut squares = [None; 64];
        let is_short = lacks_a_square(text);
        for (square, left) in squares.iter_mut().zip((1..=64).rev()) {
            *square = match letters.next() {
                Some(_) if left == 1 && is_short => return Err(letters.error("1 more of 64 squares, each X, O or -")),
                Some('X' | 'x' | '*' | 'B' | 'b') => Some(Side::South),
                Some('O' | 'o' | '0' | 'W' | 'w') => Some(Side::North),
                Some('-' | '.' | '_') => None,
                Some(_) => return Err(letters.error("X (Black), O (White) or - (empty) for a square")),
                None => return Err(letters.error(format!("{left} more of 64 squares, each X, O or -"))),
            };
        }
        let side = match letters.next() {
            None | Some('X' | 'x' | '*' | 'B' | 'b') => Side::South,
            Some('O' | 'o' | '0' | 'W' | 'w') => Side::North,
            Some(_) => return Err(letters.error("X or O, the side to move, or nothing more")),
        };
        if letters.next().is_some() {
            return Err(letters.error("nothing more"));
        }
        Othello::from_squares(&squares, side).map_err(|error| TextError::new(1, 1, text.trim(), error.to_string()))
    }

    /// The position with these discs, from a1 by rows, and `side` to move.
    ///
    /// # Errors
    /// What is accepted.
    pub fn from_squares(squares: &[Option<Side>; 64], side: Side) -> Result<Othello, Error> {
        let discs = |side| (0..64).filter(|&at| squares[at] == Some(side)).fold(0, |discs, at| discs | 1 << at);
        let discs = Side::BOTH.map(discs);
        if discs == [0; 2] {
            bail!("a board with at least one disc");
        }
        Ok(Othello::from_discs(discs, side))
    }

    /// Owner of the disc on each square, from a1 by rows.
    pub fn squares(&self) -> [Option<Side>; 64] {
        std::array::from_fn(|square| self.disc(square as u8))
    }
}

/// Whether the text has 63 squares followed by a side to move, rather than 64 squares.
fn lacks_a_square(text: &str) -> bool {
    let words: Vec<usize> = text.split_whitespace().map(|word| word.chars().count()).collect();
    words.iter().sum::<usize>() == 64 && words.last() == Some(&1) && words.iter().any(|&length| length > 1)
}

/// The letters of a text without white space, with their positions.
struct Letters<'a> {
    rest: std::str::Chars<'a>,
    /// The letter read last; `None` at the end.
    found: Option<char>,
    /// Its position.
    line: usize,
    column: usize,
}

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Letters<'a> {
        Letters { rest: text.chars(), found: None, line: 1, column: 0 }
    }

    fn next(&mut self) -> Option<char> {
        loop {
            (self.line, self.column) =
                if self.found == Some('\n') { (self.line + 1, 1) } else { (self.line, self.column + 1) };
            self.found = self.rest.next();
            if self.found.is_none_or(|letter| !letter.is_whitespace()) {
                return self.found;
            }
        }
    }

    fn error(&self, expected: impl Into<String>) -> TextError {
        let found = self.found.map(String::from).unwrap_or_default();
        TextError::new(self.line, self.column, found, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Rules;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_is_printed_and_read() {
        let start = Rules::default().position();
        assert_eq!(start.text(), START);
        let rows: Vec<&str> = (0..8).map(|row| &START[8 * row..8 * row + 8]).collect();
        for text in [START, START.trim_end_matches(" X"), &format!("{}\n b \n", rows.join("\r\n"))] {
            assert_eq!(Othello::read(text), Ok(start), "{text}");
        }
        let other_letters = START.replace('-', ".").replace('O', "w").replace('X', "*");
        assert_eq!(Othello::read(&other_letters), Ok(start));
        let next = start.play(start.moves().next().unwrap());
        assert!(next.text().ends_with(" O"));
        assert_eq!(Othello::read(&next.text()), Ok(next));
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| Othello::read(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, column 1: the text ends here; expected 64 more of 64 squares, each X, O or -");
        assert_eq!(
            error("--------\n---x--ö-"),
            "line 2, column 7: found 'ö'; expected X (Black), O (White) or - (empty) for a square"
        );
        assert_eq!(
            error(&"X\n".repeat(63)),
            "line 64, column 1: the text ends here; expected 1 more of 64 squares, each X, O or -"
        );
        assert_eq!(
            error(&START.replace(" X", "-")),
            "line 1, column 65: found '-'; expected X or O, the side to move, or nothing more"
        );
        assert_eq!(error(&format!("{START} X")), "line 1, column 68: found 'X'; expected nothing more");
        assert_eq!(
            error(START.strip_prefix('-').unwrap()),
            "line 1, column 65: found 'X'; expected 1 more of 64 squares, each X, O or -"
        );
        assert!(error(&"-".repeat(64)).ends_with("expected a board with at least one disc"));
    }
}
