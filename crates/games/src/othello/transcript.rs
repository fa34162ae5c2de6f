//! Games as transcripts: the squares played in order, such as `f5d6c3`.
//!
//! Transcripts of other programs contain capitals, white space, line breaks, move numbers, the mover's sign before each
//! square (`+f5-d6`), comments and a score behind the moves, and mostly omit passes, which are always forced. All of that
//! is accepted. The written form is compact, with `--` for a pass, so that nothing is lost.

use super::text::without_comments;
use super::{Othello, PASS};
use crate::{Game, Move, Side, TextError, Transcript};

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
    square(text.strip_prefix(['+', '-']).unwrap_or(text)).is_some()
        || PASSES
            .iter()
            .any(|pass| text.get(..pass.len()).is_some_and(|word| word.eq_ignore_ascii_case(pass)) && *pass != "--")
}

/// Moves as a transcript.
#[must_use]
pub fn write(moves: &[Move]) -> String {
    moves.iter().map(|&mv| if mv == PASS { PASSES[0].to_owned() } else { name(mv) }).collect()
}

/// Reads a transcript that begins at `start`, up to its first error. Omitted passes are inserted.
#[must_use]
pub fn read(start: &Othello, text: &str) -> Transcript {
    let text = without_comments(text);
    let mut reader = Reader { rest: &text, line: 1, column: 1 };
    let mut pos = *start;
    let mut transcript = Transcript::default();
    let is_legal = |pos: &Othello, mv: Move| pos.moves().any(|legal| legal == mv);
    loop {
        reader.skip();
        if reader.rest.is_empty() {
            return transcript;
        }
        if let Some(result) = score_of(reader.rest) {
            return Transcript { result: Some(result), ..transcript };
        }
        let (word, mv) = match reader.word(&pos) {
            Ok(word) => word,
            Err(error) => return Transcript { error: Some(error), ..transcript },
        };
        if mv != PASS && is_legal(&pos, PASS) && is_legal(&pos.play(PASS), mv) {
            transcript.moves.push(PASS);
            pos = pos.play(PASS);
        }
        if !is_legal(&pos, mv) {
            return Transcript { error: Some(reader.error(word, expected(&pos))), ..transcript };
        }
        transcript.moves.push(mv);
        pos = pos.play(mv);
        reader.advance(word.len());
    }
}

/// The discs of both sides by a score that is all of a text: `34-30`, `34:30`, or Black's margin `+4`.
fn score_of(text: &str) -> Option<String> {
    let text = text.trim_start_matches([':', ',', ';', '=']).trim();
    let count = |text: &str| text.trim().parse::<u8>().ok().filter(|count| *count <= 64);
    let pair = text.split_once(['-', ':', '/', '–']).and_then(|(black, white)| Some((count(black)?, count(white)?)));
    if let Some((black, white)) = pair.filter(|(black, white)| black + white <= 64) {
        return Some(format!("{black}-{white}"));
    }
    let half = text.strip_prefix(['+', '-']).and_then(count).filter(|margin| margin % 2 == 0)? / 2;
    let [more, less] = [32 + half, 32 - half];
    Some(if text.starts_with('-') { format!("{less}-{more}") } else { format!("{more}-{less}") })
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
        let (before, rest) = self.rest.split_at(bytes);
        for letter in before.chars() {
            (self.line, self.column) = if letter == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
    }

    /// Skips white space, move numbers, which end with a full stop, and signs before squares.
    fn skip(&mut self) {
        loop {
            let unspaced = self.rest.trim_start();
            let digits = unspaced.trim_start_matches(|c: char| c.is_ascii_digit());
            let stops = digits.trim_start_matches('.');
            let is_number = digits.len() < unspaced.len() && stops.len() < digits.len();
            let unsigned = unspaced.strip_prefix(['+', '-']).filter(|rest| square(rest).is_some());
            let rest = if is_number { stops } else { unsigned.unwrap_or(unspaced) };
            if rest.len() == self.rest.len() {
                return;
            }
            self.advance(self.rest.len() - rest.len());
        }
    }

    /// The next move and its spelling.
    fn word(&self, pos: &Othello) -> Result<(&'a str, Move), TextError> {
        let begins = |word: &&str| self.rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word));
        if let Some(pass) = PASSES.into_iter().find(|pass| begins(pass)) {
            return Ok((&self.rest[..pass.len()], PASS));
        }
        if let Some(mv) = square(self.rest) {
            return Ok((&self.rest[..2], mv));
        }
        let word = self.rest.split(char::is_whitespace).next().unwrap_or_default();
        let length = word.char_indices().nth(2).map_or(word.len(), |(at, _)| at);
        Err(self.error(&word[..length], expected(pos)))
    }

    fn error(&self, found: &str, expected: String) -> TextError {
        TextError::new(self.line, self.column, found, expected)
    }
}

/// The move to the square that a text begins with.
fn square(text: &str) -> Option<Move> {
    match *text.as_bytes() {
        [file @ (b'a'..=b'h' | b'A'..=b'H'), row @ b'1'..=b'8', ..] => {
            Some(Move::from(8 * (row - b'1') + file.to_ascii_lowercase() - b'a'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Rules;

    fn start() -> Othello {
        Rules::default().position()
    }

    fn moves(start: &Othello, text: &str) -> Vec<Move> {
        let transcript = read(start, text);
        assert_eq!(transcript.error, None, "{text:?}");
        transcript.moves
    }

    #[test]
    fn forms_in_use_are_read_alike() {
        let expected = moves(&start(), "f5d6c3");
        assert_eq!(expected.iter().map(|&mv| name(mv)).collect::<Vec<_>>(), ["f5", "d6", "c3"]);
        let forms =
            ["F5D6C3", " f5 d6\n c3\n", "1. f5 2. d6 3. c3", "1.f5 d6 2... c3", "+f5-d6+c3", "% a\nf5 d6 # b\nc3"];
        for text in forms {
            assert_eq!(moves(&start(), text), expected, "{text:?}");
        }
        assert_eq!(moves(&start(), ""), []);
        assert_eq!(write(&expected), "f5d6c3");
    }

    #[test]
    fn a_score_may_be_behind_the_moves() {
        let result = |text: &str| read(&start(), text).result;
        for text in ["f5d6 34-30", "F5D6C3: +4", "f5 34:30\n", "34-30", "f5d6, 34/30", "f5 +4 % as printed"] {
            assert_eq!(result(text).as_deref(), Some("34-30"), "{text}");
        }
        assert_eq!(result("f5 -64").as_deref(), Some("0-64"));
        assert_eq!(result("f5d6"), None);
        for text in ["f5 34-31", "f5 34-30 d6", "f5 +65", "f5 4"] {
            assert!(read(&start(), text).error.is_some() && read(&start(), text).moves.len() == 1, "{text}");
        }
    }

    #[test]
    fn a_pass_may_be_written_or_left_out() {
        // White's only disc next to Black's is on the edge, so White must pass; Black can take c1.
        let pos = Othello::read(&format!("XO------{}X-O{} O", "-".repeat(16), "-".repeat(37))).unwrap();
        assert_eq!(pos.moves().collect::<Vec<_>>(), [PASS]);
        let expected = moves(&pos, "pass c1");
        assert_eq!(expected.len(), 2);
        for text in ["--c1", "c1", "PAc1", "Pass C1"] {
            assert_eq!(moves(&pos, text), expected, "{text}");
        }
        assert_eq!(write(&expected), "--c1");
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| read(&start(), text).error.unwrap().to_string();
        assert_eq!(error("f5f6e6\n a1"), "line 2, column 2: found 'a1'; expected a move of White: f4, d6");
        assert_eq!(error("f5d"), "line 1, column 3: found 'd'; expected a move of White: f4, d6, f6");
        assert_eq!(error("f5 d9"), "line 1, column 4: found 'd9'; expected a move of White: f4, d6, f6");
        assert_eq!(error("--"), "line 1, column 1: found '--'; expected a move of Black: d3, c4, f5, e6");
        assert_eq!(error("f5é"), "line 1, column 3: found 'é'; expected a move of White: f4, d6, f6");
    }
}
