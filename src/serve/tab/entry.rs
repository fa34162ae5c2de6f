//! Entry of a move at a table: a pit's letter, or squares by name, cursor or mouse.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::game::{Board, Move, Place, Position, Side};
use crate::tabs::board::naming::{NamingEffect, fitting, name, pass, step};

/// Separators between the squares of a move.
const BETWEEN: &str = "xX- ";

/// The move being entered.
#[derive(Default)]
pub(super) struct Entry {
    /// The ply that it is for.
    ply: u32,
    pub named: Vec<Place>,
    /// The beginning of the next square's name.
    pub typed: String,
    pub cursor: Option<u8>,
}

/// The effect of a key.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum KeyEffect {
    /// It enters no move.
    No,
    Part,
    Move(Move),
    /// Why no move fits.
    Wrong(String),
}

impl Entry {
    /// Drops what was entered for another position; the cursor stays.
    pub fn follow(&mut self, ply: u32) {
        if self.ply != ply {
            self.ply = ply;
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.named.clear();
        self.typed.clear();
    }

    /// The places that can be named next.
    pub fn next_places(&self, position: &Position) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (_, route) in fitting(position, &self.named) {
            places.extend(route.get(self.named.len()).copied().filter(|next| !places.contains(next)));
        }
        places
    }

    /// Handles a key of the side to move, who sits at the bottom or not.
    pub fn key(&mut self, key: KeyEvent, position: &Position, bottom: Side) -> KeyEffect {
        if !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return KeyEffect::No;
        }
        if key.code == KeyCode::Enter
            && let Some(mv) = pass(position)
        {
            return KeyEffect::Move(mv);
        }
        match (position.board(), key.code) {
            (Board::Pits(board), KeyCode::Char(c)) if c.is_ascii_lowercase() => {
                let pit = c as u8 - b'a';
                let is_pit = usize::from(pit) < board.pits_a_side();
                if is_pit { self.name(Place::Pit(position.side(), pit), position) } else { KeyEffect::No }
            }
            (Board::Pits(_), _) => KeyEffect::No,
            (Board::Squares(board), code) => {
                let by = match code {
                    KeyCode::Left => (-1, 0),
                    KeyCode::Right => (1, 0),
                    KeyCode::Up => (0, -1),
                    KeyCode::Down => (0, 1),
                    _ => return self.square_key(code, position),
                };
                let first = || match self.next_places(position).first() {
                    Some(Place::Square(square)) => Some(*square),
                    _ => board.played_on().next(),
                };
                self.cursor = self.cursor.map_or_else(first, |cursor| Some(step(&board, cursor, by, bottom)));
                KeyEffect::Part
            }
        }
    }

    fn square_key(&mut self, code: KeyCode, position: &Position) -> KeyEffect {
        match code {
            KeyCode::Enter if !self.typed.is_empty() => self.name_typed(position),
            KeyCode::Enter => match self.cursor {
                Some(square) => self.name(Place::Square(square), position),
                None => KeyEffect::No,
            },
            KeyCode::Esc if self.named.is_empty() && self.typed.is_empty() => match self.cursor.take() {
                Some(_) => KeyEffect::Part,
                None => KeyEffect::No,
            },
            KeyCode::Esc => {
                self.clear();
                KeyEffect::Part
            }
            KeyCode::Backspace if self.typed.pop().is_some() || self.named.pop().is_some() => KeyEffect::Part,
            KeyCode::Char(c) if BETWEEN.contains(c) => match self.typed.is_empty() {
                true if self.named.is_empty() => KeyEffect::No,
                true => KeyEffect::Part,
                false => self.name_typed(position),
            },
            KeyCode::Char(c) => self.type_name(c, position),
            _ => KeyEffect::No,
        }
    }

    /// Takes a character of a square's name; a name that no other begins with is complete.
    fn type_name(&mut self, c: char, position: &Position) -> KeyEffect {
        let board = position.board();
        let begun =
            |text: &str| board.places().into_iter().filter(|&place| board.name(place).starts_with(text)).count();
        let longer = [format!("{}{c}", self.typed), c.to_string()].into_iter().find(|text| begun(text) > 0);
        let Some(text) = longer else { return KeyEffect::No };
        self.typed = text;
        if begun(&self.typed) == 1 { self.name_typed(position) } else { KeyEffect::Part }
    }

    fn name_typed(&mut self, position: &Position) -> KeyEffect {
        let board = position.board();
        let place = board.places().into_iter().find(|&place| board.name(place) == self.typed);
        let Some(place) = place else { return KeyEffect::Wrong(format!("type the rest after {}, or Esc", self.typed)) };
        self.typed.clear();
        self.name(place, position)
    }

    /// Names a place, by key or mouse.
    pub fn name(&mut self, place: Place, position: &Position) -> KeyEffect {
        match name(position, &self.named, place) {
            NamingEffect::Move(mv) => {
                self.clear();
                KeyEffect::Move(mv)
            }
            NamingEffect::More(named) => {
                self.named = named;
                KeyEffect::Part
            }
            NamingEffect::Several => KeyEffect::Wrong("several moves lead there: name the squares between".to_owned()),
            NamingEffect::None if pass(position).is_some() => {
                KeyEffect::Wrong("you have no move and must pass: Enter".to_owned())
            }
            NamingEffect::None => {
                let board = position.board();
                let places: Vec<String> = self.next_places(position).iter().map(|&place| board.name(place)).collect();
                KeyEffect::Wrong(format!("{} is not possible; try {}", board.name(place), places.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    /// The text of the move after these keys, or what else the last one did.
    fn typed(game: &str, keys: &str) -> String {
        let position = game.parse::<Variant>().unwrap().start();
        let mut entry = Entry::default();
        let mut last = KeyEffect::No;
        for c in keys.chars() {
            let code = if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
            last = entry.key(KeyEvent::new(code, KeyModifiers::NONE), &position, Side::South);
        }
        match last {
            KeyEffect::Move(mv) => position.move_text(mv),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn moves_are_entered_as_on_the_board() {
        assert_eq!(typed("kalah", "c"), "C");
        assert_eq!(typed("kalah", "z"), "No");
        assert_eq!(typed("othello", "d3"), "d3");
        assert_eq!(typed("checkers", "11-15"), "11-15");
        assert_eq!(typed("checkers", "11"), "Part");
        assert!(typed("othello", "a1").contains("a1 is not possible; try "), "{}", typed("othello", "a1"));
    }

    #[test]
    fn the_cursor_begins_where_a_move_is_possible() {
        let position = "othello".parse::<Variant>().unwrap().start();
        let mut entry = Entry::default();
        let mut press = |code| entry.key(KeyEvent::new(code, KeyModifiers::NONE), &position, Side::South);
        assert_eq!(press(KeyCode::Enter), KeyEffect::No);
        assert_eq!(press(KeyCode::Up), KeyEffect::Part);
        assert!(matches!(press(KeyCode::Enter), KeyEffect::Move(_)));
    }
}
