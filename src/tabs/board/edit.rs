//! The editor of positions: place pieces, choose the side to move, then play.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Board;
use super::entry::step;
use crate::app::effect::{Context, Tone};
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

/// The key that places a side's piece.
fn initial(seat: &str) -> char {
    seat.chars().next().unwrap_or(' ').to_ascii_lowercase()
}

impl Edit {
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

impl Board {
    pub(super) fn start_edit(&mut self, cx: &mut Context) {
        self.session.mode.stop();
        let board = self.session.position().board();
        let side = self.session.position().side();
        let cursor = match board {
            game::Board::Pits(_) => Place::Pit(self.bottom(), 0),
            game::Board::Squares(ref board) => {
                self.entry_cursor().or_else(|| board.played_on().next().map(Place::Square)).unwrap_or(Place::Square(0))
            }
        };
        self.edit = Some(Edit { board, side, cursor, fresh: true });
        self.show_now(cx);
    }

    /// A click moves the cursor; a click at the cursor changes the piece.
    pub(super) fn edit_click(&mut self, place: Place) {
        let Some(edit) = &mut self.edit else { return };
        edit.fresh = true;
        if std::mem::replace(&mut edit.cursor, place) == place {
            edit.set_next();
        }
    }

    pub(super) fn edit_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let bottom = self.bottom();
        let initials = self.session.record.variant.seats().map(initial);
        let Some(edit) = &mut self.edit else { return false };
        let leaves = key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL;
        if !leaves && !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        let on_squares = matches!(edit.board, game::Board::Squares(_));
        match key.code {
            _ if leaves => self.leave_edit(cx),
            KeyCode::Left => edit.go(-1, 0, bottom),
            KeyCode::Right => edit.go(1, 0, bottom),
            KeyCode::Up => edit.go(0, -1, bottom),
            KeyCode::Down => edit.go(0, 1, bottom),
            KeyCode::Char(c @ '0'..='9') => edit.type_digit(c as u16 - '0' as u16),
            KeyCode::Char('+' | '=') => edit.add(1),
            KeyCode::Char('-') => edit.add(-1),
            KeyCode::Backspace | KeyCode::Delete => edit.remove(),
            KeyCode::Char('.') if on_squares => edit.remove(),
            KeyCode::Char(' ') if on_squares => edit.set_next(),
            KeyCode::Char(c) if on_squares && initials.contains(&c.to_ascii_lowercase()) => {
                let side = if c.to_ascii_lowercase() == initials[0] { Side::South } else { Side::North };
                let king = c.is_ascii_uppercase() && edit.has_kings();
                edit.set(|_| Some(Piece { side, king }));
            }
            KeyCode::Char('s') => edit.side = edit.side.other(),
            KeyCode::Char('c') => edit.clear(),
            KeyCode::Enter => self.finish_edit(cx),
            KeyCode::Esc | KeyCode::Char('q') => self.leave_edit(cx),
            // Help, palette and the like are the app's.
            _ => return false,
        }
        true
    }

    fn leave_edit(&mut self, cx: &mut Context) {
        self.edit = None;
        self.show_now(cx);
    }

    fn finish_edit(&mut self, cx: &mut Context) {
        let Some(edit) = &self.edit else { return };
        match self.session.record.variant.from_board(&edit.board, edit.side) {
            Err(reason) => cx.notice(Tone::Bad, reason),
            Ok(start) if start == *self.session.position() => {
                self.edit = None;
                self.show_now(cx);
                cx.notice(Tone::Info, "Nothing changed");
            }
            Ok(start) => {
                let setup = super::Setup { variant: self.session.record.variant, ..self.setup.clone() };
                let record = setup.record(start, self.session.seed);
                self.replace_record(record, cx);
                if start.is_over() {
                    let why = match start.board() {
                        game::Board::Pits(_) => "One side is empty: game over".to_owned(),
                        game::Board::Squares(_) if self.by_numbers() => {
                            format!("{} cannot move: game over", self.session.seat_name(start.side()))
                        }
                        game::Board::Squares(_) => "No side can move: game over".to_owned(),
                    };
                    cx.notice(Tone::Info, why);
                }
            }
        }
    }
}
