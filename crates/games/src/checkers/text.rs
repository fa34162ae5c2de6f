//! Moves and positions as text, in Portable Draughts Notation.
//!
//! A move is its start and end square, `11-15` for a step, `22x15` for a jump. A multiple jump lists every landing
//! square, `22x15x8`, unless the two ends are unambiguous: then `22x8`. The landing squares determine the captures, so
//! no two moves share a text.
//!
//! A position is the side to move and each side's pieces, kings with a `K`: `B:W21,22,K30:B5,K9`. Some programs append
//! move counts, `:H0:F1`: moves since the last capture or man's move, and moves in total. They are ignored: a game from
//! a position starts its own count.

use super::board_game::{checked, is_last_row};
use super::moves::parts;
use super::{Checkers, Rules};
use crate::{Bare, BoardGame, Ending, Game, Move, Notation, Outcome, Side, TextError};

impl Notation for Checkers {
    const GAME_TYPE: Option<u16> = Some(21);

    fn move_text(&self, mv: Move) -> String {
        let path = self.path(mv);
        let [first, .., last] = *path.squares() else { return String::new() };
        if path.captured().is_empty() {
            return format!("{first}-{last}");
        }
        let is_alone = || self.moves().filter(|other| ends(*other) == ends(mv)).count() == 1;
        if path.captured().len() == 1 || is_alone() { format!("{first}x{last}") } else { self.long_text(mv) }
    }

    fn named(&self, text: &str) -> Option<Move> {
        match self.moves_named(text)[..] {
            [mv] => Some(mv),
            _ => None,
        }
    }

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(rules: Rules, text: &str) -> Result<Checkers, TextError> {
        Checkers::read(text).map(|pos| rules.apply(pos))
    }

    /// Result in Portable Draughts Notation, the points of the first player first: `1-0` if Black (South) won, `0-1` if
    /// White (North) won.
    fn result_text(&self, ending: &Ending) -> String {
        match ending.outcome(Side::South) {
            Outcome::Won => "1-0",
            Outcome::Lost => "0-1",
            Outcome::Drawn => "1/2-1/2",
        }
        .to_owned()
    }

    /// The results of Portable Draughts Notation; any other two numbers are a move.
    fn is_result(text: &str) -> bool {
        matches!(text, "*" | "1-0" | "0-1" | "1/2-1/2" | "2-0" | "0-2" | "1-1" | "0-0")
    }

    /// A man on its last row is a king.
    fn corrections(text: &str) -> Vec<String> {
        let crowned = parse(text).map_or_else(|_| Vec::new(), |(_, crowned)| crowned);
        let note = |(side, square): (Side, u8)| {
            format!("the man of {} on {square}, its last row, is a king", Checkers::SEATS[side.index()])
        };
        crowned.into_iter().map(note).collect()
    }

    /// A position begins with the side to move and a colon, a move with a square, possibly after a move number.
    fn recognise(text: &str) -> Option<Bare> {
        let text = text.trim_start();
        if let Some(rest) = text.strip_prefix(['B', 'W', 'b', 'w']) {
            return rest.trim_start().starts_with(':').then_some(Bare::Position);
        }
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let behind = &text[digits(text)..];
        let word =
            if behind.starts_with(['.', ')']) { behind.trim_start_matches(['.', ')']).trim_start() } else { text };
        let (first, rest) = word.split_at(digits(word));
        let second = rest.strip_prefix(['-', 'x', 'X'])?;
        (!first.is_empty() && digits(second) > 0).then_some(Bare::Moves)
    }
}

/// Start and end square of a move.
fn ends(mv: Move) -> (u8, u8) {
    let (from, to, _) = parts(mv);
    (from, to)
}

impl Checkers {
    /// The move with every landing square, such as `22x15x8`.
    pub fn long_text(&self, mv: Move) -> String {
        let path = self.path(mv);
        let squares: Vec<String> = path.squares().iter().map(u8::to_string).collect();
        squares.join(if path.captured().is_empty() { "-" } else { "x" })
    }

    /// The legal moves that match a text: all squares of a move, or its start and end, separated by `-`, `x` or `:` for
    /// steps and jumps alike. Several if the text is ambiguous.
    pub fn moves_named(&self, text: &str) -> Vec<Move> {
        let squares: Option<Vec<u8>> = text.split(['-', 'x', 'X', ':']).map(|word| word.parse().ok()).collect();
        let Some(squares) = squares else { return Vec::new() };
        let exact = self.moves().filter(|&mv| self.path(mv).squares() == squares);
        let by_ends = |mv: &Move| {
            let (from, to) = ends(*mv);
            squares == [from + 1, to + 1]
        };
        // An exact match wins, so that a single jump does not match longer ones between the same squares.
        match exact.collect::<Vec<Move>>() {
            none if none.is_empty() => self.moves().filter(by_ends).collect(),
            found => found,
        }
    }

    /// Reads a position as [`Display`](std::fmt::Display) writes it. Also accepts ranges such as `B1-12`, sides in
    /// either order, lower-case letters, white space, move counts after the pieces, a final full stop, and men on their
    /// last row, which become kings. The position has no move limit.
    ///
    /// # Errors
    /// Where the text is invalid, and what was expected there.
    pub fn read(text: &str) -> Result<Checkers, TextError> {
        parse(text).map(|(pos, _)| pos)
    }
}

/// A man on its last row: its side and square.
type ManOnLastRow = (Side, u8);

/// Reads a position as [`Checkers::read`], with the men that became kings.
fn parse(text: &str) -> Result<(Checkers, Vec<ManOnLastRow>), TextError> {
    let mut reader = Reader::new(text);
    let side = reader.side("B or W, the side to move")?;
    let mut read = [false; 2];
    let mut counted = Vec::new();
    let mut men = [0; 2];
    let mut kings = [0; 2];
    let mut crowned = Vec::new();
    while reader.peek() == Some(':') {
        reader.next();
        let letter = reader.peek().map_or(' ', |letter| letter.to_ascii_uppercase());
        if read != [false; 2] && matches!(letter, 'H' | 'F') && !counted.contains(&letter) {
            reader.count()?;
            counted.push(letter);
            continue;
        }
        let before = reader.clone();
        let expected = match read {
            [false, false] => "B or W and that side's squares",
            [true, true] => "nothing more",
            _ => "the other side's squares",
        };
        let group = reader.side(expected)?;
        if std::mem::replace(&mut read[group.index()], true) {
            return Err(before.error(expected));
        }
        reader.pieces(group, &mut men, &mut kings, &mut crowned)?;
    }
    if reader.peek() == Some('.') {
        reader.next();
    }
    if reader.peek().is_some() {
        return Err(reader.error(if read == [true; 2] {
            "nothing more"
        } else {
            "a comma and another square, or a colon"
        }));
    }
    if read == [false; 2] {
        return Err(reader.error("a colon and the squares of a side, such as :W21,K30"));
    }
    let pos = checked(men, kings, side)
        .map_err(|error| TextError::new(1, 1, text.trim(), format!("another position: {error}")))?;
    Ok((pos, crowned))
}

/// The side to move, White's pieces and Black's pieces: see [`Checkers::read`].
impl std::fmt::Display for Checkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = |side| if side == Side::South { 'B' } else { 'W' };
        write!(f, "{}", letter(self.side()))?;
        for side in [Side::North, Side::South] {
            write!(f, ":{}", letter(side))?;
            let squares = (1..=32_u8).filter_map(|square| Some((square, self.piece(square)?)));
            let own = squares.filter(|(_, piece)| piece.side == side);
            for (nth, (square, piece)) in own.enumerate() {
                write!(f, "{}{}{square}", if nth > 0 { "," } else { "" }, if piece.king { "K" } else { "" })?;
            }
        }
        Ok(())
    }
}

/// The characters of a text without white space, with their positions.
#[derive(Clone)]
struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let mut reader = Reader { rest: text.chars().peekable(), line: 1, column: 1 };
        reader.skip();
        reader
    }

    fn skip(&mut self) {
        while let Some(letter) = self.rest.next_if(|letter| letter.is_whitespace()) {
            (self.line, self.column) = if letter == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn next(&mut self) {
        if self.rest.next().is_some() {
            self.column += 1;
        }
        self.skip();
    }

    fn error(&self, expected: &str) -> TextError {
        let found = self.rest.clone().next().map(String::from).unwrap_or_default();
        TextError::new(self.line, self.column, found, expected)
    }

    fn side(&mut self, expected: &str) -> Result<Side, TextError> {
        let side = match self.peek() {
            Some('B' | 'b') => Side::South,
            Some('W' | 'w') => Side::North,
            _ => return Err(self.error(expected)),
        };
        self.next();
        Ok(side)
    }

    /// Reads a letter and a move count.
    fn count(&mut self) -> Result<(), TextError> {
        self.next();
        if !self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            return Err(self.error("a number of moves"));
        }
        while self.rest.next_if(char::is_ascii_digit).is_some() {
            self.column += 1;
        }
        self.skip();
        Ok(())
    }

    /// Reads a side's pieces: squares and ranges of squares, separated by commas, kings with a `K`. Men on their last row are
    /// kings, and are listed.
    fn pieces(
        &mut self,
        side: Side,
        men: &mut [u32; 2],
        kings: &mut [u32; 2],
        crowned: &mut Vec<ManOnLastRow>,
    ) -> Result<(), TextError> {
        if matches!(self.peek(), None | Some(':' | '.')) {
            return Ok(());
        }
        loop {
            let is_king = matches!(self.peek(), Some('K' | 'k'));
            if is_king {
                self.next();
            }
            let before = self.clone();
            let first = self.square(1)?;
            let mut last = first;
            if self.peek() == Some('-') {
                self.next();
                last = self.square(first)?;
            }
            let text = if first == last { first.to_string() } else { format!("{first}-{last}") };
            let refused = |expected| Err(TextError::new(before.line, before.column, text.clone(), expected));
            for square in first..=last {
                let taken = men[0] | men[1] | kings[0] | kings[1];
                if taken >> (square - 1) & 1 == 1 {
                    return refused(format!("another square: {square} is already taken"));
                }
                let is_crowned = !is_king && is_last_row(side, square);
                crowned.extend(is_crowned.then_some((side, square)));
                let sets = if is_king || is_crowned { &mut *kings } else { &mut *men };
                sets[side.index()] |= 1 << (square - 1);
            }
            if self.peek() != Some(',') {
                return Ok(());
            }
            self.next();
        }
    }

    /// Reads a square of at least `least`.
    fn square(&mut self, least: u8) -> Result<u8, TextError> {
        let before = self.clone();
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
            self.column += 1;
        }
        self.skip();
        match digits.parse() {
            Ok(square) if (least..=32).contains(&square) => Ok(square),
            _ if digits.is_empty() => Err(before.error(&format!("a square from {least} to 32"))),
            _ => Err(TextError::new(before.line, before.column, digits, format!("a square from {least} to 32"))),
        }
    }
}
