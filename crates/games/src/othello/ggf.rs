//! Othello games in GGF, the Generic Game Format of game servers and of the NBoard protocol.
//!
//! A game is a list of tags, such as `(;GM[Othello]BO[8 … *]B[F5]W[F6/1.2/0.5];)`. The start position and the moves are
//! read; other tags are skipped.

use super::{Othello, PASS};
use crate::{Game as _, Move, Side, TextError};

/// Letters of Black, White and an empty square.
const LETTERS: [char; 3] = ['*', 'O', '-'];

/// Name of a move in GGF: capitals, `PA` for a pass.
#[must_use]
pub fn move_name(mv: Move) -> String {
    if mv == PASS { "PA".to_owned() } else { Othello::name(mv).to_uppercase() }
}

/// The legal move with this GGF name, of which an evaluation and a time after slashes are ignored.
#[must_use]
pub fn move_named(pos: &Othello, text: &str) -> Option<Move> {
    let name = text.split('/').next().unwrap_or_default().trim();
    let is_pass = ["pa", "pass"].iter().any(|pass| name.eq_ignore_ascii_case(pass));
    pos.moves().find(|&mv| if mv == PASS { is_pass } else { Othello::name(mv).eq_ignore_ascii_case(name) })
}

/// A game from this position, with the players' names of the NBoard protocol and a time for each, in minutes.
#[must_use]
pub fn write(start: &Othello, moves: &[Move], minutes: u64) -> String {
    let letter = |square: u8| start.disc(square).map_or(LETTERS[2], |side| LETTERS[side.index()]);
    let board: String = (0..64).map(letter).collect();
    let mut text = format!(
        "(;GM[Othello]PC[mancalab]PB[Black]PW[White]RE[?]TI[{minutes}:00]TY[8]BO[8 {board} {}]",
        LETTERS[start.side().index()]
    );
    let mut pos = *start;
    for &mv in moves {
        text += &format!("{}[{}]", if pos.side() == Side::South { 'B' } else { 'W' }, move_name(mv));
        pos = pos.play(mv);
    }
    text + ";)"
}

/// Reads the start position and the moves of the first game in a text.
///
/// # Errors
/// Where the text is invalid or a move is illegal, and what was expected there.
pub fn read(text: &str) -> Result<(Othello, Vec<Move>), TextError> {
    let mut tags = Tags { text, at: 0 };
    let (mut game, mut moves) = (None, Vec::new());
    while let Some(Tag { name, value, at }) = tags.next()? {
        let error = |expected: &str| error(text, at, value, expected);
        match (name, &mut game) {
            ("GM", _) if !value.eq_ignore_ascii_case("Othello") => return Err(error("a game of Othello, GM[Othello]")),
            ("BO", _) => game = Some(board(value).ok_or_else(|| error("8, 64 squares, each *, O or -, and a side"))?),
            ("B" | "W", None) => return Err(error("the start position BO[…] before the first move")),
            ("B" | "W", Some((_, pos))) => {
                let is_passed = (name == "B") != (pos.side() == Side::South) && pos.moves().eq([PASS]);
                if is_passed {
                    moves.push(PASS);
                    *pos = pos.play(PASS);
                }
                let mv = move_named(pos, value).ok_or_else(|| error("a legal move such as F5, or PA for a pass"))?;
                moves.push(mv);
                *pos = pos.play(mv);
            }
            _ => {}
        }
    }
    let (start, _) = game.ok_or_else(|| error(text, text.len(), "", "the start position, BO[8 … *]"))?;
    Ok((start, moves))
}

/// The start position, twice: the second copy follows the moves.
fn board(value: &str) -> Option<(Othello, Othello)> {
    let squares = value.trim().strip_prefix('8')?;
    let start = Othello::read(squares).ok()?;
    Some((start, start))
}

fn error(text: &str, at: usize, found: &str, expected: &str) -> TextError {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    TextError::new(line, column, found, expected)
}

struct Tags<'a> {
    text: &'a str,
    at: usize,
}

/// A tag with its value, whose first byte is at `at`.
struct Tag<'a> {
    name: &'a str,
    value: &'a str,
    at: usize,
}

impl<'a> Tags<'a> {
    /// The next tag; `None` at the end of the game.
    fn next(&mut self) -> Result<Option<Tag<'a>>, TextError> {
        let rest = &self.text[self.at..];
        let begins = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ';'));
        if begins.is_empty() || begins.starts_with(')') {
            return Ok(None);
        }
        let start = self.text.len() - begins.len();
        let value = begins.split_once('[').and_then(|(name, rest)| Some((name.trim(), rest.split_once(']')?.0)));
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
        let Some((name, value)) = value.filter(|(name, _)| is_name(name)) else {
            return Err(error(self.text, start, begins, "a tag such as GM[Othello]"));
        };
        let at = start + begins.find('[').unwrap_or(0) + 1;
        self.at = at + value.len() + 1;
        Ok(Some(Tag { name, value, at }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Rules;

    const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 \
                        ---------------------------O*------*O--------------------------- *]B[F5//0.5]W[F6]B[D3/1.2/3];)";

    #[test]
    fn the_protocols_example_is_read_and_written() {
        let (start, moves) = read(GAME).unwrap();
        assert_eq!(start, Rules::default().position());
        assert_eq!(moves.iter().map(|&mv| move_name(mv)).collect::<Vec<_>>(), ["F5", "F6", "D3"]);
        let written = write(&start, &moves, 15);
        assert!(written.ends_with("O*------*O--------------------------- *]B[F5]W[F6]B[D3];)"), "{written}");
        assert_eq!(read(&written), Ok((start, moves)));
    }

    #[test]
    fn a_pass_may_be_written_or_left_out() {
        let pos = Othello::read(&format!("XO------{}X-O{} O", "-".repeat(16), "-".repeat(37))).unwrap();
        let game = write(&pos, &[], 1);
        for moves in ["W[PA]B[C1]", "B[C1]"] {
            let (_, read) = read(&game.replace(";)", &format!("{moves};)"))).unwrap();
            assert_eq!(read.iter().map(|&mv| move_name(mv)).collect::<Vec<_>>(), ["PA", "C1"]);
        }
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, column 1: the text ends here; expected the start position, BO[8 … *]");
        assert!(
            error("(;GM[Checkers];)").starts_with("line 1, column 6: found 'Checkers'; expected a game of Othello")
        );
        assert!(error("(;GM[Othello]B[F5];)").ends_with("expected the start position BO[…] before the first move"));
        assert!(error(&GAME.replace("W[F6]", "W[A1]")).contains("found 'A1'; expected a legal move"));
        assert!(error("(;GM[Othello]BO[8 xyz];)").contains("expected 8, 64 squares"));
        assert!(error("(;é").contains("expected a tag"));
        assert!(error("(;BO[8").contains("expected a tag"));
    }
}
