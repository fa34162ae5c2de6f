//! Positions as text: the 64 squares from a1 to h1, a2 to h2 and so on, `X` for Black, `O` for White, `-` for an empty
//! square, then the side to move. White space and comments are ignored, other common letters are accepted, and Black moves
//! if the side is missing. Values of moves may follow (`; A2:+38; H4:+0`), as in collections of problems. The forms of
//! game servers, `[8 … *]`, and of Edax, `8/8/8/3Pp3/… b`, are read, too.
//!
//! Games as transcripts: the squares played in order, such as `f5d6c3`.
//!
//! Transcripts of other programs contain capitals, white space, line breaks, move numbers, the mover's sign before each
//! square (`+f5-d6`), comments and a score behind the moves, and mostly omit passes, which are always forced. All of that
//! is accepted. The written form is compact, with `--` for a pass, so that nothing is lost.

use std::borrow::Cow;

use mancalab_base::{Error, bail};

use super::{Othello, PASS, Rules};
use crate::{Bare, Game, Move, Notation, Side, TextError, Transcript};

impl Notation for Othello {
    fn move_text(&self, mv: Move) -> String {
        name(mv)
    }

    fn named(&self, text: &str) -> Option<Move> {
        let text = text.to_ascii_lowercase();
        self.moves().find(|&mv| name(mv) == text)
    }

    fn to_text(&self) -> String {
        self.text()
    }

    fn from_text(_: Rules, text: &str) -> Result<Othello, TextError> {
        Othello::read(text)
    }

    /// A transcript begins with a square or a pass, possibly after a number; a position with a letter for a square.
    fn recognise(text: &str) -> Option<Bare> {
        let text = &*without_comments(text);
        let text = text.trim_start();
        if is_server_board(text) || is_edax_fen(text) {
            return Some(Bare::Position);
        }
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
        if begins(unnumbered) {
            return Some(Bare::Transcript);
        }
        text.starts_with(|c| "XxOo*0BbWw-._".contains(c)).then_some(Bare::Position)
    }

    fn to_transcript(&self, moves: &[Move]) -> Option<String> {
        Some(write(moves))
    }

    fn position_length(text: &str) -> usize {
        let blanked = without_comments(text);
        let mut letters = Letters::new(&blanked);
        letters.squares().map_or(0, |_| {
            let length = blanked[..letters.offset].chars().count();
            text.char_indices().nth(length).map_or(text.len(), |(at, _)| at)
        })
    }

    fn read_transcript(&self, text: &str) -> Transcript {
        read(self, text)
    }
}

impl Othello {
    /// The position as 64 letters and the side to move, `X` or `O`.
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Reads the form of [`text`](Othello::text), and other common letters: `*`, `b` and `B` for Black, `0`, `w` and
    /// `W` for White, `.` and `_` for an empty square; also the other forms of this module.
    ///
    /// # Errors
    /// Where the text is invalid, and what was expected there.
    pub fn read(text: &str) -> Result<Othello, TextError> {
        let text = &*without_comments(text);
        if is_edax_fen(text.trim()) {
            return edax_fen(text.trim()).ok_or_else(|| {
                TextError::new(
                    1,
                    1,
                    text.trim(),
                    "8 rows of digits, p (Black) and P (White) between slashes, and b or w",
                )
            });
        }
        let text = &*without_frame(text);
        let mut letters = Letters::new(text);
        let (squares, side) = letters.squares()?;
        let rest = text[letters.offset..].trim_start();
        if !rest.is_empty() && (!rest.starts_with(';') || rest.trim_end().contains('\n')) {
            letters.next();
            return Err(letters.error("nothing more"));
        }
        Othello::from_squares(&squares, side).map_err(|error| TextError::new(1, 1, text.trim(), error.to_string()))
    }

    /// The values of moves after a position, such as `A2 +38, H4 +0`; empty if there are none.
    pub(crate) fn values_after(text: &str) -> String {
        let text = without_comments(text);
        let values = text
            .split(';')
            .skip(1)
            .map(|value| value.replace(':', " ").split_whitespace().collect::<Vec<_>>().join(" "));
        values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", ")
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

/// A text with a space in the place of each character of comments: from `%` or `#` to the end of the line.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '#']) {
        return Cow::Borrowed(text);
    }
    let mut is_comment = false;
    let blank = |c: char| {
        is_comment = c != '\n' && (is_comment || c == '%' || c == '#');
        if is_comment { ' ' } else { c }
    };
    Cow::Owned(text.chars().map(blank).collect())
}

/// Whether a text is a board of a game server: `[8 … *]` or `8 … *`.
pub(crate) fn is_server_board(text: &str) -> bool {
    let text = text.strip_prefix("BO").unwrap_or(text).trim_start_matches('[').trim_start();
    text.strip_prefix('8').is_some_and(|rest| {
        rest.trim_start().starts_with(|c| "*O-".contains(c)) && rest.starts_with(char::is_whitespace)
    })
}

/// The text with spaces in the place of the frame of a board of a game server.
fn without_frame(text: &str) -> Cow<'_, str> {
    if !is_server_board(text.trim_start()) {
        return Cow::Borrowed(text);
    }
    let is_frame = |c: char| matches!(c, '[' | ']');
    let start = text.find('8').map_or(0, |at| at + 1);
    let blank = |(at, c): (usize, char)| if (at < start && !c.is_whitespace()) || is_frame(c) { ' ' } else { c };
    Cow::Owned(text.char_indices().map(blank).collect())
}

/// Whether a text is a position as Edax writes it in PGN: rows from the eighth to the first.
fn is_edax_fen(text: &str) -> bool {
    let rows = text.split_whitespace().next().unwrap_or_default();
    rows.matches('/').count() == 7 && rows.chars().all(|c| c.is_ascii_digit() || "pP/".contains(c))
}

fn edax_fen(text: &str) -> Option<Othello> {
    let mut words = text.split_whitespace();
    let mut squares = [None; 64];
    for (row, letters) in words.next()?.split('/').enumerate() {
        let mut file = 0;
        for letter in letters.chars() {
            let (count, disc) = match letter {
                'p' => (1, Some(Side::South)),
                'P' => (1, Some(Side::North)),
                _ => (letter.to_digit(10)? as usize, None),
            };
            squares[8 * (7 - row)..].get_mut(file..(file + count).min(8))?.fill(disc);
            file += count;
        }
        if file != 8 {
            return None;
        }
    }
    let side = if words.next()? == "b" { Side::South } else { Side::North };
    Othello::from_squares(&squares, side).ok()
}

/// The letters of a text without white space, with their positions.
struct Letters<'a> {
    text: &'a str,
    rest: std::str::Chars<'a>,
    /// Byte behind the letter read last.
    offset: usize,
    /// The letter read last; `None` at the end.
    found: Option<char>,
    /// Its position.
    line: usize,
    column: usize,
}

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Letters<'a> {
        Letters { text, rest: text.chars(), offset: 0, found: None, line: 1, column: 0 }
    }

    /// Reads 64 squares and the side to move, which is Black's if it is missing: before a semicolon, moves, or the end.
    fn squares(&mut self) -> Result<([Option<Side>; 64], Side), TextError> {
        let mut squares = [None; 64];
        let is_short = lacks_a_square(self.text);
        for (square, left) in squares.iter_mut().zip((1..=64).rev()) {
            *square = match self.next() {
                Some(_) if left == 1 && is_short => return Err(self.error("1 more of 64 squares, each X, O or -")),
                Some('X' | 'x' | '*' | 'B' | 'b') => Some(Side::South),
                Some('O' | 'o' | '0' | 'W' | 'w') => Some(Side::North),
                Some('-' | '.' | '_') => None,
                Some(_) => return Err(self.error("X (Black), O (White) or - (empty) for a square")),
                None => return Err(self.error(format!("{left} more of 64 squares, each X, O or -"))),
            };
        }
        let rest = self.rest.as_str().trim_start();
        if rest.is_empty() || rest.starts_with(';') || begins(rest) {
            return Ok((squares, Side::South));
        }
        match self.next() {
            Some('X' | 'x' | '*' | 'B' | 'b') => Ok((squares, Side::South)),
            Some('O' | 'o' | '0' | 'W' | 'w') => Ok((squares, Side::North)),
            _ => Err(self.error("X or O, the side to move, or nothing more")),
        }
    }

    fn next(&mut self) -> Option<char> {
        loop {
            (self.line, self.column) =
                if self.found == Some('\n') { (self.line + 1, 1) } else { (self.line, self.column + 1) };
            self.found = self.rest.next();
            self.offset = self.text.len() - self.rest.as_str().len();
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
    use super::super::Rules;
    use super::*;

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
    fn errors_of_transcripts_say_where_and_what_was_expected() {
        let error = |text: &str| read(&start(), text).error.unwrap().to_string();
        assert_eq!(error("f5f6e6\n a1"), "line 2, column 2: found 'a1'; expected a move of White: f4, d6");
        assert_eq!(error("f5d"), "line 1, column 3: found 'd'; expected a move of White: f4, d6, f6");
        assert_eq!(error("f5 d9"), "line 1, column 4: found 'd9'; expected a move of White: f4, d6, f6");
        assert_eq!(error("--"), "line 1, column 1: found '--'; expected a move of Black: d3, c4, f5, e6");
        assert_eq!(error("f5é"), "line 1, column 3: found 'é'; expected a move of White: f4, d6, f6");
    }
}
