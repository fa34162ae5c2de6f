//! The names of sides and players in lines and frames, and moves named by their places.

use super::Session;
use crate::game::{self, Ground, Move, Place, Position, Side};
use crate::player::Spec;
use crate::player::offers::Level;
use crate::theme::Role;
use crate::ui::{Look, board, clip};

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

impl Session {
    /// Returns the name of a side in this game.
    pub fn seat_name(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    /// Returns the name of a side's player in a sentence: its level in a person's game, or its text.
    pub fn player_name(&self, side: Side) -> String {
        let text = self.players[side.index()].to_string();
        if self.has_human() { Level::name(&text, &self.record.variant).to_owned() } else { text }
    }

    /// The role of a side in this game.
    pub fn side_role(&self, side: Side) -> Role {
        board::side_role(side, self.pits() == 0)
    }

    /// The side's name, after one of its pieces on a board of squares.
    pub fn seat_title(&self, side: Side, look: &Look) -> String {
        let name = self.seat_name(side);
        if self.pits() > 0 { name.to_owned() } else { format!("{} {name}", look.glyphs.discs[side.index()]) }
    }

    /// A player's name: its level in a person's game, or its short text.
    pub fn short_player_name(&self, side: Side, look: &Look) -> String {
        let text = &self.record.players[side.index()];
        let name = if self.has_human() { Level::name(text, &self.record.variant) } else { text };
        short_name(name, look)
    }
}

/// A player's text in a frame: the last part of a path, the beginning of long numbers.
pub fn short_name(name: &str, look: &Look) -> String {
    // In a function `/` is a division.
    let is_in_file = || Spec::file_in(name).is_ok_and(|file| file.is_some());
    let name = match name.rsplit_once('/').filter(|_| is_in_file()) {
        Some((before, last)) => match before.split_once('@') {
            Some((player, _)) => format!("{player}@{last}"),
            None => format!("{}:{last}", before.split(':').next().unwrap_or_default()),
        },
        None => name.to_owned(),
    };
    clip(&name, 36, look)
}
