//! Games as transcripts: the squares played in order, such as `f5d6c3`.
//!
//! Transcripts of other programs contain capitals, white space, line breaks and move numbers, and mostly omit passes,
//! which are always forced. All of that is accepted. The written form is compact, with `--` for a pass, so that nothing
//! is lost.

use super::{Othello, PASS};
use crate::{Game, Move, Side, TextError};

/// Spellings of a pass.
const PASSES: [&str; 3] = ["--", "pass", "pa"];

/// Name of a move: a square such as `d3`, or `pass`.
pub(super) fn name(mv: Move) -> String {
    if mv == PASS {
        return "pass".to_owned();
    }
    let square = mv.0 as u8 & 63;
    [b'a' + square % 8, b'1' + square / 8].map(char::from).iter().collect()
}

/// Whether the text begins with a move, legal or not.
pub(super) fn begins(text: &str) -> bool {
    let is_square = matches!(text.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8', ..]);
    is_square
        || PASSES
            .iter()
            .any(|pass| text.get(..pass.len()).is_some_and(|word| word.eq_ignore_ascii_case(pass)) && *pass != "--")
}

/// Moves as a transcript.
#[must_use]
pub fn write(moves: &[Move]) -> String {
    moves.iter().map(|&mv| if mv == PASS { PASSES[0].to_owned() } else { name(mv) }).collect()
}

/// Reads a transcript that begins at `start`. Omitted passes are inserted.
///
/// # Errors
/// Where the text is invalid or a move is illegal, what was found there, and the legal moves.
pub fn read(start: &Othello, text: &str) -> Result<Vec<Move>, TextError> {
    let mut reader = Reader { rest: text, line: 1, column: 1 };
    let (mut pos, mut moves) = (*start, Vec::new());
    loop {
        reader.skip();
        let Some((word, mv)) = reader.word(&pos)? else { return Ok(moves) };
        let is_legal = |pos: &Othello, mv: Move| pos.moves().any(|legal| legal == mv);
        if mv != PASS && is_legal(&pos, PASS) {
            let passed = pos.play(PASS);
            if is_legal(&passed, mv) {
                moves.push(PASS);
                pos = passed;
            }
        }
        if !is_legal(&pos, mv) {
            return Err(reader.error(word, expected(&pos)));
        }
        moves.push(mv);
        pos = pos.play(mv);
        reader.advance(word.len());
    }
}

/// The legal moves, as an expected text.
fn expected(pos: &Othello) -> String {
    if pos.is_over() {
        return "no more moves: the game is over".to_owned();
    }
    let moves: Vec<String> = pos.moves().map(name).collect();
    let side = if pos.side() == Side::South { "Black" } else { "White" };
    format!("a move of {side}: {}", moves.join(", "))
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    /// Skips this number of bytes, up to a character boundary.
    fn advance(&mut self, bytes: usize) {
        let (history, rest) = self.rest.split_at(bytes);
        for letter in history.chars() {
            (self.line, self.column) = if letter == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
    }

    /// Skips white space and move numbers, which end with a full stop.
    fn skip(&mut self) {
        loop {
            let unspaced = self.rest.trim_start();
            let digits = unspaced.trim_start_matches(|c: char| c.is_ascii_digit());
            let stops = digits.trim_start_matches('.');
            let is_number = digits.len() < unspaced.len() && stops.len() < digits.len();
            let rest = if is_number { stops } else { unspaced };
            if rest.len() == self.rest.len() {
                return;
            }
            self.advance(self.rest.len() - rest.len());
        }
    }

    /// The next move and its spelling; `None` at the end.
    fn word(&self, pos: &Othello) -> Result<Option<(&'a str, Move)>, TextError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let begins = |word: &&str| self.rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word));
        if let Some(pass) = PASSES.into_iter().find(|pass| begins(pass)) {
            return Ok(Some((&self.rest[..pass.len()], PASS)));
        }
        if let [file, row, ..] = *self.rest.as_bytes()
            && let (file @ b'a'..=b'h', row @ b'1'..=b'8') = (file.to_ascii_lowercase(), row)
        {
            return Ok(Some((&self.rest[..2], Move::from(8 * (row - b'1') + file - b'a'))));
        }
        let word = self.rest.split(char::is_whitespace).next().unwrap_or_default();
        let length = word.char_indices().nth(2).map_or(word.len(), |(at, _)| at);
        Err(self.error(&word[..length], expected(pos)))
    }

    fn error(&self, found: &str, expected: String) -> TextError {
        TextError::new(self.line, self.column, found, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Rules;

    fn start() -> Othello {
        Rules::default().position()
    }

    #[test]
    fn forms_in_use_are_read_alike() {
        let moves = read(&start(), "f5d6c3").unwrap();
        assert_eq!(moves.iter().map(|&mv| name(mv)).collect::<Vec<_>>(), ["f5", "d6", "c3"]);
        for text in ["F5D6C3", " f5 d6\n c3\n", "1. f5 2. d6 3. c3", "1.f5 d6 2... c3", ""] {
            let expected = if text.is_empty() { vec![] } else { moves.clone() };
            assert_eq!(read(&start(), text), Ok(expected), "{text:?}");
        }
        assert_eq!(write(&moves), "f5d6c3");
    }

    #[test]
    fn a_pass_may_be_written_or_left_out() {
        // White's only disc next to Black's is on the edge, so White must pass; Black can take c1.
        let pos = Othello::read(&format!("XO------{}X-O{} O", "-".repeat(16), "-".repeat(37))).unwrap();
        assert_eq!(pos.moves().collect::<Vec<_>>(), [PASS]);
        let expected = read(&pos, "pass c1").unwrap();
        assert_eq!(expected.len(), 2);
        for text in ["--c1", "c1", "PAc1", "Pass C1"] {
            assert_eq!(read(&pos, text).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(write(&expected), "--c1");
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| read(&start(), text).unwrap_err().to_string();
        assert_eq!(error("f5f6e6\n a1"), "line 2, column 2: found 'a1'; expected a move of White: f4, d6");
        assert_eq!(error("f5d"), "line 1, column 3: found 'd'; expected a move of White: f4, d6, f6");
        assert_eq!(error("f5 d9"), "line 1, column 4: found 'd9'; expected a move of White: f4, d6, f6");
        assert_eq!(error("--"), "line 1, column 1: found '--'; expected a move of Black: d3, c4, f5, e6");
        assert_eq!(error("f5é"), "line 1, column 3: found 'é'; expected a move of White: f4, d6, f6");
    }
}
