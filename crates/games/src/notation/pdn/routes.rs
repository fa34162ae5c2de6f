//! Which of several captures a move means: the one after which the next moves of the game are legal.

use super::moves::{MoveMatch, find};
use super::tokens::{Token, TokenAt, Tokens};
use super::words;
use crate::{Move, Position};

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
    let first = captures.iter().find(|mv| lines.iter().any(|(of, _)| of == *mv)).copied().unwrap_or(captures[0]);
    (first, captures.iter().filter(|mv| lines.iter().any(|(of, _)| of == *mv)).count())
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
