//! Kalah positions as text: `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S`.
//!
//! In angle brackets: the pits a side, South's store, North's store, South's pits from its left and North's from its
//! left. Then the side to move; South if it is missing.

use super::{Kalah, MAX_PITS, MAX_TOTAL, Rules};
use crate::{Bare, Board, BoardGame, Game, Move, Notation, PitBoard, Side, TextError};

impl Notation for Kalah {
    fn move_text(&self, mv: Move) -> String {
        let first = if self.side() == Side::South { b'A' } else { b'a' };
        char::from(first.saturating_add(mv.0 as u8)).to_string()
    }

    fn to_text(&self) -> String {
        print(self)
    }

    fn from_text(rules: Rules, text: &str) -> Result<Kalah, TextError> {
        parse(rules, text)
    }

    /// Moves begin with one or more letters of pits, possibly after a number.
    fn recognise(text: &str) -> Option<Bare> {
        let text = text.trim_start();
        if text.starts_with('<') {
            return Some(Bare::Position);
        }
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.').trim_start();
        let word = unnumbered.split(|c: char| c.is_whitespace() || "(){},;".contains(c)).next().unwrap_or_default();
        let last = b'A' + MAX_PITS - 1;
        let is_pit = |letter: u8| (b'A'..=last).contains(&letter.to_ascii_uppercase());
        (!word.is_empty() && word.bytes().all(is_pit)).then_some(Bare::Moves)
    }
}

fn print(pos: &Kalah) -> String {
    let board = pos.pit_board();
    let counts = board.stores.iter().chain(board.pits.iter().flatten());
    let counts: Vec<String> = counts.map(u16::to_string).collect();
    format!("<{},{}> {}", board.pits_a_side(), counts.join(","), pos.side().letter())
}

fn parse(rules: Rules, text: &str) -> Result<Kalah, TextError> {
    let mut reader = Reader::new(text);
    let start = reader.clone();
    reader.token("<", "'<' at the start of a position")?;
    reader.pits_a_side(rules)?;
    let pits = usize::from(rules.pits());
    let mut left = u16::from(MAX_TOTAL);
    let mut counts = Vec::with_capacity(2 + 2 * pits);
    for missing in (1..=2 + 2 * pits).rev() {
        reader.token(",", &format!("a comma and {missing} more of {} counts", 2 + 2 * pits))?;
        counts.push(reader.count(&mut left)?);
    }
    reader.token(">", &format!("'>' after {} counts", 2 + 2 * pits))?;
    let side = reader.side()?;
    let (south, north) = counts[2..].split_at(pits);
    let board = PitBoard { pits: [south.to_vec(), north.to_vec()], stores: [counts[0], counts[1]] };
    // All parts are checked above, so this should not fail; if it does, the error covers the whole position.
    Kalah::from_board(rules, &Board::Pits(board), side).map_err(|error| start.error(error.to_string()))
}

/// Position in the text.
#[derive(Clone)]
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut reader = Reader { rest: text, line: 1, column: 1 };
        reader.skip_space();
        reader
    }

    /// The next number, word or single character; empty at the end.
    fn peek(&self) -> &'a str {
        let word = self.rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
        let end = if word > 0 { word } else { self.rest.chars().next().map_or(0, char::len_utf8) };
        &self.rest[..end]
    }

    /// Skips the token of [`peek`](Reader::peek) and the white space after it.
    fn advance(&mut self) {
        let token = self.peek();
        self.column += token.chars().count();
        self.rest = &self.rest[token.len()..];
        self.skip_space();
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.rest.chars().next().filter(|c| c.is_whitespace()) {
            self.rest = &self.rest[c.len_utf8()..];
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
    }

    fn error(&self, expected: impl Into<String>) -> TextError {
        let found: String = self.peek().chars().take(24).collect();
        TextError::new(self.line, self.column, found, expected)
    }

    fn token(&mut self, token: &str, expected: &str) -> Result<(), TextError> {
        if self.peek() != token {
            return Err(self.error(expected));
        }
        self.advance();
        Ok(())
    }

    fn pits_a_side(&mut self, rules: Rules) -> Result<(), TextError> {
        if self.peek().parse() != Ok(rules.pits()) {
            return Err(self.error(format!("{}, the pits a side of {rules}", rules.pits())));
        }
        self.advance();
        Ok(())
    }

    /// Reads a number of seeds and subtracts it from `left`.
    fn count(&mut self, left: &mut u16) -> Result<u16, TextError> {
        let token = self.peek();
        if token.is_empty() || !token.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.error("a number of seeds"));
        }
        // Numbers that overflow are too large as well.
        let seeds = token.parse().unwrap_or(u16::MAX);
        *left = left
            .checked_sub(seeds)
            .ok_or_else(|| self.error(format!("at most {left} seeds, for a total of at most {MAX_TOTAL}")))?;
        self.advance();
        Ok(seeds)
    }

    /// The side to move, up to the end of the text.
    fn side(&mut self) -> Result<Side, TextError> {
        let side = match self.peek() {
            "" => return Ok(Side::South),
            "S" | "s" => Side::South,
            "N" | "n" => Side::North,
            _ => return Err(self.error("S or N, the side to move, or nothing more")),
        };
        self.advance();
        if self.rest.is_empty() { Ok(side) } else { Err(self.error("nothing more")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;

    fn six_by_four(text: &str) -> Result<Kalah, TextError> {
        Kalah::from_text(Rules::default(), text)
    }

    #[test]
    fn the_start_is_printed_and_read() {
        let start = Kalah::start(Rules::default());
        assert_eq!(start.to_text(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
        for text in ["<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", " < 6,0,0,4,4,4,4,4,4,\n4,4,4,4,4,4 > s\n"] {
            assert_eq!(six_by_four(text), Ok(start));
        }
        assert_eq!(six_by_four(&start.play(Move(0)).to_text()), Ok(start.play(Move(0))));
    }

    #[test]
    fn a_side_without_seeds_ends_the_game() {
        let pos = six_by_four("<6,20,20,0,0,0,0,0,0,1,2,0,0,0,5> S").unwrap();
        assert!(pos.is_over());
        assert_eq!(pos.to_text(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S");
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| six_by_four(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, column 1: the text ends here; expected '<' at the start of a position");
        assert_eq!(error("6,0"), "line 1, column 1: found '6'; expected '<' at the start of a position");
        assert_eq!(error("<5,0"), "line 1, column 2: found '5'; expected 6, the pits a side of 6x4:standard");
        assert_eq!(error("<6,0,\n x"), "line 2, column 2: found 'x'; expected a number of seeds");
        assert_eq!(error("<6,0,0,4>"), "line 1, column 9: found '>'; expected a comma and 11 more of 14 counts");
        assert_eq!(
            error("<6,190,3"),
            "line 1, column 8: found '3'; expected at most 2 seeds, for a total of at most 192"
        );
        assert_eq!(
            error("<6,99999999999"),
            "line 1, column 4: found '99999999999'; expected at most 192 seeds, for a total of at most 192"
        );
        let full = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4";
        assert_eq!(error(full), "line 1, column 31: the text ends here; expected '>' after 14 counts");
        assert_eq!(error(&format!("{full},4>")), "line 1, column 31: found ','; expected '>' after 14 counts");
        assert_eq!(
            error(&format!("{full}> W")),
            "line 1, column 33: found 'W'; expected S or N, the side to move, or nothing more"
        );
        assert_eq!(error(&format!("{full}> N !")), "line 1, column 35: found '!'; expected nothing more");
    }
}
