//! Moves named by their places: what one more place means, and the square beside another.

use crate::game::{self, Ground, Move, Place, Position, Side};

/// The effect of naming one more place.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum NamingEffect {
    Move(Move),
    /// Moves begin with these places.
    More(Vec<Place>),
    /// Several moves with this beginning end there.
    Several,
    /// No move fits.
    None,
}

/// The legal moves that begin with these places.
pub(crate) fn fitting(position: &Position, named: &[Place]) -> Vec<(Move, Vec<Place>)> {
    let moves = position.moves().into_iter().map(|mv| (mv, position.places(mv)));
    moves.filter(|(_, places)| places.starts_with(named)).collect()
}

/// Adds a place. Where no move begins so, it is the end of one, or the beginning of another.
pub(crate) fn name(position: &Position, named: &[Place], place: Place) -> NamingEffect {
    let next = |named: Vec<Place>| {
        let moves = fitting(position, &named);
        match moves.iter().find(|(_, places)| *places == named) {
            Some((mv, _)) => Some(NamingEffect::Move(*mv)),
            None => (!moves.is_empty()).then_some(NamingEffect::More(named)),
        }
    };
    let ends_there = |(_, places): &(Move, Vec<Place>)| places.last() == Some(&place);
    let end = || match fitting(position, named).into_iter().filter(ends_there).collect::<Vec<_>>()[..] {
        _ if named.is_empty() => None,
        [] => None,
        [(mv, _)] => Some(NamingEffect::Move(mv)),
        _ => Some(NamingEffect::Several),
    };
    next([named, &[place]].concat()).or_else(end).or_else(|| next(vec![place])).unwrap_or(NamingEffect::None)
}

/// The only move, if it names no place.
pub(crate) fn pass(position: &Position) -> Option<Move> {
    let moves = position.moves();
    moves.first().copied().filter(|&mv| moves.len() == 1 && position.places(mv).is_empty())
}

/// The neighbouring square on a board drawn with `bottom` below, wrapping at the edges. Skips squares out of play; up
/// and down stay in the nearest column.
pub(crate) fn step(board: &game::Squares, from: u8, (right, down): (i16, i16), bottom: Side) -> u8 {
    let played = if board.ground == Ground::Dark { 2 } else { 1 };
    let files = i16::from(board.files) / played;
    let ranks = i16::from(board.ranks);
    let turned = if bottom == Side::South { 1 } else { -1 };
    let file = i16::from(from) % i16::from(board.files) / played;
    let rank = i16::from(from) / i16::from(board.files);
    let file = (file + turned * right).rem_euclid(files);
    let rank = (rank + turned * down).rem_euclid(ranks);
    let first = (rank * i16::from(board.files) + played * file) as u8;
    if board.is_played_on(first) { first } else { first + 1 }
}
