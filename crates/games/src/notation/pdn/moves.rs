//! Finds the move over given squares, or explains why there is none.
//!
//! Moves played after a draw by rule that neither player claimed.
//!
//! A record ends at such a draw. Later moves must be legal all the same; they are kept as text, in the comment on the
//! drawn position.

use super::tokens::{Token, TokenAt, Tokens};
use super::words;
use crate::notation::collection::{moves_of, seat};
use crate::{Board, Move, Place, Position, Variant};

/// Result of [`find`].
pub enum MoveMatch {
    Move(Move),
    /// Beginning of a longer jump.
    Begun,
    /// Ambiguous: the matching jumps.
    Several(Vec<Move>),
    None,
}

/// The move over these squares: all its squares, or as many as identify it, the first and the last among them.
pub(super) fn find(position: &Position, squares: &[u16]) -> MoveMatch {
    let ways: Vec<(Move, Vec<u16>)> = position.moves().into_iter().map(|mv| (mv, way(position, mv))).collect();
    if let Some((mv, _)) = ways.iter().find(|(_, way)| way[..] == *squares) {
        return MoveMatch::Move(*mv);
    }
    let is_meant = |way: &[u16]| way.first() == squares.first() && way.last() == squares.last() && holds(way, squares);
    let meant: Vec<Move> =
        ways.iter().filter(|(_, way)| squares.len() > 1 && is_meant(way)).map(|(mv, _)| *mv).collect();
    match meant[..] {
        [mv] => MoveMatch::Move(mv),
        [] if squares.len() > 1 && ways.iter().any(|(_, way)| way.starts_with(squares)) => MoveMatch::Begun,
        [] => MoveMatch::None,
        _ => MoveMatch::Several(meant),
    }
}

/// Whether `some` is a subsequence of `all`.
fn holds(all: &[u16], some: &[u16]) -> bool {
    let mut all = all.iter();
    some.iter().all(|one| all.any(|other| other == one))
}

/// Numbers of a move's squares.
fn way(position: &Position, mv: Move) -> Vec<u16> {
    let board = position.board();
    let number = |place: Place| board.name(place).parse().unwrap_or(0);
    position.places(mv).into_iter().map(number).collect()
}

pub(super) fn join(squares: &[u16]) -> String {
    squares.iter().map(u16::to_string).collect::<Vec<_>>().join("x")
}

/// What to expect instead of an illegal move: the moves of the same piece if it has any, otherwise all moves and the
/// reason.
pub(super) fn why_not(variant: Variant, position: &Position, squares: &[u16]) -> String {
    let board = position.board();
    let all = || moves_of(variant, position);
    let Board::Squares(pieces) = &board else { return all() };
    let place = |number: u16| board.places().into_iter().find(|&place| board.name(place) == number.to_string());
    let names: Vec<String> = pieces.played_on().map(|square| pieces.name(square)).collect();
    if let Some(number) = squares.iter().find(|&&number| place(number).is_none()) {
        return format!("a square from 1 to {} (got {number})", names.len());
    }
    let from = squares[0];
    let Some(Place::Square(square)) = place(from) else { return all() };
    let mover = position.side();
    let here: Vec<String> = position
        .moves()
        .into_iter()
        .filter(|&mv| way(position, mv).first() == Some(&from))
        .map(|mv| position.move_text(mv))
        .collect();
    let what = match pieces.get(square) {
        None => format!("{from} is empty"),
        Some(piece) if piece.side != mover => {
            format!("the piece on {from} is not {}'s", seat(variant, position))
        }
        Some(_) if here.is_empty() => format!("the piece on {from} cannot move"),
        Some(_) => return format!("a move from {from}: {}", here.join(", ")),
    };
    format!("{}; {what}", all())
}

/// Maximum number of lines that are followed.
const MOST: usize = 32;

/// One way to read the next moves: the capture that begins it, and the position reached.
type Line = (Move, Position);

/// The capture after which most of the following moves are legal, the first of several, and the number of those.
pub(super) fn choose(position: &Position, captures: &[Move], rest: &Tokens) -> (Move, usize) {
    let mut lines: Vec<Line> = captures.iter().map(|&mv| (mv, position.play(mv))).collect();
    let mut ahead = rest.ahead();
    let mut depth = 0_usize;
    let mut begun = Vec::new();
    while lines.iter().any(|(mv, _)| *mv != lines[0].0) {
        let Ok(Some(TokenAt { token, .. })) = ahead.next() else { break };
        match token {
            Token::Open => depth += 1,
            // The end of the variation that the capture is in.
            Token::Close if depth == 0 => break,
            Token::Close => depth -= 1,
            Token::Move(text) if depth == 0 => {
                begun.extend(words::squares(text).iter().skip(usize::from(!begun.is_empty())));
                let (next, continues) = follow(&lines, &begun);
                if !continues {
                    begun.clear();
                }
                match next {
                    _ if continues => {}
                    next if next.is_empty() => break,
                    next => lines = next,
                }
            }
            Token::Header(..) | Token::Result(_) | Token::Ended(..) | Token::Digits(_) if depth == 0 => break,
            _ => {}
        }
    }
    let first =
        captures.iter().find(|mv| lines.iter().any(|(played, _)| played == *mv)).copied().unwrap_or(captures[0]);
    (first, captures.iter().filter(|mv| lines.iter().any(|(played, _)| played == *mv)).count())
}

/// The lines after the move over these squares, and whether the squares are instead the beginning of a jump.
fn follow(lines: &[Line], squares: &[u16]) -> (Vec<Line>, bool) {
    let mut next = Vec::new();
    let mut continues = false;
    for &(first, position) in lines {
        let moves = match find(&position, squares) {
            MoveMatch::Move(mv) => vec![mv],
            MoveMatch::Several(moves) => moves,
            MoveMatch::Begun => {
                continues = true;
                continue;
            }
            MoveMatch::None => continue,
        };
        next.extend(moves.into_iter().map(|mv| (first, position.play(mv))));
    }
    next.truncate(MOST);
    (next, continues)
}

/// The moves after a draw, variations included.
#[derive(Default)]
pub(super) struct PlayedOn {
    /// Position after each move of the open variation and of the line that leads to it.
    line: Vec<Position>,
    /// All moves and comments as text.
    text: String,
}

/// State of the main moves while a variation is open.
pub(super) struct MainLine {
    plies: usize,
    position: Position,
}

impl PlayedOn {
    /// Whether there is a move after the draw.
    pub fn has_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// The position after the last move; `None` if that is the record's.
    pub fn position(&self) -> Option<&Position> {
        self.line.last()
    }

    /// Number of moves from the record's position to this one.
    pub fn plies(&self) -> u32 {
        self.line.len() as u32
    }

    /// Plays a legal move.
    pub fn play(&mut self, position: &Position, mv: Move) {
        self.tell(&position.move_text(mv));
        self.line.push(position.play(mv));
    }

    /// Appends a word; `!` and the like directly follow the move.
    pub fn tell(&mut self, word: &str) {
        let is_behind = word == ")" || word.chars().all(|c| c == '!' || c == '?');
        if !self.text.is_empty() && !self.text.ends_with('(') && !is_behind {
            self.text.push(' ');
        }
        self.text += word;
    }

    /// Starts a variation on the last move; `None` if there is none.
    pub fn open(&mut self) -> Option<MainLine> {
        let position = self.line.pop()?;
        self.tell("(");
        Some(MainLine { plies: self.line.len(), position })
    }

    /// Ends the variation and restores the state before it.
    pub fn close(&mut self, left: MainLine) {
        self.tell(")");
        self.line.truncate(left.plies);
        self.line.push(left.position);
    }

    /// Returns all text and resets; `None` if there are no moves.
    pub fn end(&mut self) -> Option<String> {
        self.line.clear();
        Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty()).map(|text| format!("played on: {text}"))
    }
}
