//! The editor of positions: place pieces, choose the side to move, then play.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::naming::step;
use crate::game::{self, Piece, PitBoard, Place, Side};

/// A position being set up.
pub struct Edit {
    pub board: game::Board,
    pub side: Side,
    pub cursor: Place,
    /// The next digit starts a new number.
    fresh: bool,
}

/// More seeds than any position holds; further digits start over.
const LARGEST: u16 = 192;

/// The keys of editor and board in common.
const COMMON: [(&str, &str); 4] = [("s", "side"), ("c", "clear"), ("Enter", "play"), ("Esc", "leave")];

/// What a key in the editor was for.
pub enum EditKey {
    Used,
    /// The game goes on from the position.
    Finish,
    /// The game is shown again as it was.
    Leave,
    /// It is not the editor's.
    Ignored,
}

/// The key that places a side's piece.
fn initial(seat: &str) -> char {
    seat.chars().next().unwrap_or(' ').to_ascii_lowercase()
}

impl Edit {
    pub fn new(board: game::Board, side: Side, cursor: Place) -> Edit {
        Edit { board, side, cursor, fresh: true }
    }

    /// A click moves the cursor; a click at the cursor changes the piece.
    pub fn click(&mut self, place: Place) {
        self.fresh = true;
        if std::mem::replace(&mut self.cursor, place) == place {
            self.set_next();
        }
    }

    /// Handles a key on the board drawn with `bottom` below; `seats`: the sides' names.
    pub fn key(&mut self, key: KeyEvent, bottom: Side, seats: [&str; 2]) -> EditKey {
        if key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL {
            return EditKey::Leave;
        }
        if !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return EditKey::Ignored;
        }
        let initials = seats.map(initial);
        let on_squares = matches!(self.board, game::Board::Squares(_));
        match key.code {
            KeyCode::Left => self.go(-1, 0, bottom),
            KeyCode::Right => self.go(1, 0, bottom),
            KeyCode::Up => self.go(0, -1, bottom),
            KeyCode::Down => self.go(0, 1, bottom),
            KeyCode::Char(c @ '0'..='9') => self.type_digit(c as u16 - '0' as u16),
            KeyCode::Char('+' | '=') => self.add(1),
            KeyCode::Char('-') => self.add(-1),
            KeyCode::Backspace | KeyCode::Delete => self.remove(),
            KeyCode::Char('.') if on_squares => self.remove(),
            KeyCode::Char(' ') if on_squares => self.set_next(),
            KeyCode::Char(c) if on_squares && initials.contains(&c.to_ascii_lowercase()) => {
                let side = if c.to_ascii_lowercase() == initials[0] { Side::South } else { Side::North };
                let king = c.is_ascii_uppercase() && self.has_kings();
                self.set(|_| Some(Piece { side, king }));
            }
            KeyCode::Char('s') => self.side = self.side.other(),
            KeyCode::Char('c') => self.clear(),
            KeyCode::Enter => return EditKey::Finish,
            KeyCode::Esc | KeyCode::Char('q') => return EditKey::Leave,
            // Help, palette and the like are the app's.
            _ => return EditKey::Ignored,
        }
        EditKey::Used
    }

    /// `seats`: the sides' names.
    pub fn footer_keys(&self, seats: [&str; 2]) -> Vec<(String, String)> {
        let mut keys = match &self.board {
            game::Board::Pits(_) => {
                vec![("0-9".to_owned(), "seeds".to_owned()), ("+ -".into(), "more, less".into())]
            }
            game::Board::Squares(board) => {
                let letters = seats.map(|seat| initial(seat).to_string()).join(" ");
                let pieces = match board.has_kings() {
                    true => {
                        vec![(letters.clone(), "man".to_owned()), (letters.to_ascii_uppercase(), "king".to_owned())]
                    }
                    false => vec![(letters, "piece".to_owned())],
                };
                let mut keys = vec![("Space".to_owned(), "next".to_owned())];
                keys.extend(pieces);
                keys.push((".".into(), "empty".into()));
                keys
            }
        };
        keys.extend(COMMON.map(|(key, label)| (key.to_owned(), label.to_owned())));
        keys
    }

    /// Moves the cursor on the drawn board, with `bottom` below.
    fn go(&mut self, right: i16, down: i16, bottom: Side) {
        self.fresh = true;
        self.cursor = match (&self.board, self.cursor) {
            (game::Board::Squares(board), Place::Square(square)) => {
                Place::Square(step(board, square, (right, down), bottom))
            }
            (game::Board::Pits(board), cursor) if down != 0 => other_row(board, cursor),
            (game::Board::Pits(board), cursor) => along(board, cursor, right.into(), bottom),
            (game::Board::Squares(_), cursor) => cursor,
        };
    }

    /// The seeds at the cursor; `None` on a board of squares.
    fn count(&mut self) -> Option<&mut u16> {
        match &mut self.board {
            game::Board::Pits(board) => board.get_mut(self.cursor),
            game::Board::Squares(_) => None,
        }
    }

    /// Replaces the piece at the cursor by `next` of it; nothing on a board of pits.
    fn set(&mut self, next: impl FnOnce(Option<Piece>) -> Option<Piece>) {
        if let (game::Board::Squares(board), Place::Square(square)) = (&mut self.board, self.cursor) {
            board.set(square, next(board.get(square)));
        }
    }

    fn has_kings(&self) -> bool {
        matches!(&self.board, game::Board::Squares(board) if board.has_kings())
    }

    /// Sets the next kind of piece at the cursor.
    fn set_next(&mut self) {
        let has_kings = self.has_kings();
        self.set(|piece| next_piece(piece, has_kings));
    }

    fn type_digit(&mut self, digit: u16) {
        let fresh = std::mem::take(&mut self.fresh);
        let Some(count) = self.count() else { return };
        let longer = count.saturating_mul(10).saturating_add(digit);
        *count = if fresh || longer > LARGEST { digit } else { longer };
    }

    fn add(&mut self, by: i32) {
        if let Some(count) = self.count() {
            *count = (i32::from(*count) + by).clamp(0, i32::from(LARGEST)) as u16;
        }
        self.fresh = true;
    }

    /// Empties the place at the cursor.
    fn remove(&mut self) {
        if let Some(count) = self.count() {
            *count = 0;
        }
        self.set(|_| None);
        self.fresh = true;
    }

    fn clear(&mut self) {
        match &mut self.board {
            game::Board::Pits(board) => {
                board.pits.iter_mut().flatten().for_each(|count| *count = 0);
                board.stores = [0, 0];
            }
            game::Board::Squares(board) => board.pieces.fill(None),
        }
    }
}

/// The cycle: empty, South's man and king, North's, empty.
fn next_piece(piece: Option<Piece>, has_kings: bool) -> Option<Piece> {
    match piece {
        None => Some(Piece::man(Side::South)),
        Some(man) if has_kings && !man.king => Some(Piece { king: true, ..man }),
        Some(Piece { side: Side::South, .. }) => Some(Piece::man(Side::North)),
        Some(Piece { side: Side::North, .. }) => None,
    }
}

/// The place `by` columns further in the row of `cursor`, with the stores at the ends; a store belongs to its owner's
/// row.
fn along(board: &PitBoard, cursor: Place, by: isize, bottom: Side) -> Place {
    let pits = board.pits_a_side() as isize;
    // Columns: 0 is the left store, 1..=pits the pits as drawn, pits + 1 the right store.
    let (row, column) = match cursor {
        Place::Store(side) => (side, if side == bottom { pits + 1 } else { 0 }),
        Place::Pit(side, pit) if side == bottom => (side, isize::from(pit) + 1),
        Place::Pit(side, pit) => (side, pits - isize::from(pit)),
        Place::Square(_) => return cursor,
    };
    match (column + by).rem_euclid(pits + 2) {
        0 => Place::Store(bottom.other()),
        column if column == pits + 1 => Place::Store(bottom),
        column if row == bottom => Place::Pit(bottom, (column - 1) as u8),
        column => Place::Pit(row, (pits - column) as u8),
    }
}

fn other_row(board: &PitBoard, cursor: Place) -> Place {
    match cursor {
        Place::Pit(side, pit) => Place::Pit(side.other(), (board.pits_a_side() as u8).saturating_sub(1 + pit)),
        Place::Store(side) => Place::Store(side.other()),
        Place::Square(_) => cursor,
    }
}
