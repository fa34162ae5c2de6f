//! Setting up a position: counts, side to move, then play from there.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Board, new_record};
use crate::app::effect::{Context, Tone};
use crate::game::{Cell, PitBoard, Side};

/// A position being set up.
pub struct Edit {
    pub board: PitBoard,
    pub side: Side,
    pub cursor: Cell,
    /// The next digit starts a new number.
    fresh: bool,
}

/// More than any position holds; typing past it starts over.
const LARGEST: u16 = 192;

pub fn footer_keys() -> Vec<(String, String)> {
    let keys = [
        ("0-9", "seeds"),
        ("+ -", "one more, less"),
        ("s", "side"),
        ("c", "clear"),
        ("Enter", "play"),
        ("Esc", "leave"),
    ];
    keys.map(|(key, label)| (key.to_owned(), label.to_owned())).into()
}

impl Edit {
    /// Steps the cursor by columns on the board as it is drawn, stores at the ends.
    fn go(&mut self, by: isize, bottom: Side) {
        let pits = self.board.pits_a_side() as isize;
        let row = self.row();
        // Columns: 0 is the left store, 1..=pits the pits as drawn, pits + 1 the right store.
        let column = match self.cursor {
            Cell::Store(side) => {
                if side == bottom {
                    pits + 1
                } else {
                    0
                }
            }
            Cell::Pit(side, pit) if side == bottom => isize::from(pit) + 1,
            Cell::Pit(_, pit) => pits - isize::from(pit),
        };
        self.cursor = match (column + by).rem_euclid(pits + 2) {
            0 => Cell::Store(bottom.other()),
            column if column == pits + 1 => Cell::Store(bottom),
            column if row == bottom => Cell::Pit(bottom, (column - 1) as u8),
            column => Cell::Pit(row, (pits - column) as u8),
        };
        self.fresh = true;
    }

    /// The row that the cursor is in; a store counts to its owner's.
    fn row(&self) -> Side {
        match self.cursor {
            Cell::Pit(side, _) | Cell::Store(side) => side,
        }
    }

    fn change_row(&mut self) {
        self.cursor = match self.cursor {
            Cell::Pit(side, pit) => Cell::Pit(side.other(), self.board.pits_a_side() as u8 - 1 - pit),
            Cell::Store(side) => Cell::Store(side.other()),
        };
        self.fresh = true;
    }

    fn type_digit(&mut self, digit: u16) {
        let fresh = std::mem::take(&mut self.fresh);
        let count = self.board.get_mut(self.cursor);
        let longer = count.saturating_mul(10).saturating_add(digit);
        *count = if fresh || longer > LARGEST { digit } else { longer };
    }

    fn add(&mut self, by: i32) {
        let count = self.board.get_mut(self.cursor);
        *count = (i32::from(*count) + by).clamp(0, i32::from(LARGEST)) as u16;
        self.fresh = true;
    }
}

impl Board {
    pub(super) fn start_edit(&mut self, cx: &mut Context) {
        self.autoplay = false;
        let side = self.position().side();
        let edit = Edit { board: self.position().board(), side, cursor: Cell::Pit(self.bottom(), 0), fresh: true };
        self.edit = Some(edit);
        self.show_now(cx);
    }

    pub(super) fn edit_click(&mut self, cell: Cell) {
        if let Some(edit) = &mut self.edit {
            edit.cursor = cell;
            edit.fresh = true;
        }
    }

    pub(super) fn edit_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let bottom = self.bottom();
        let Some(edit) = &mut self.edit else { return false };
        let leaves = key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL;
        if !leaves && !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        match key.code {
            _ if leaves => self.leave_edit(cx),
            KeyCode::Left => edit.go(-1, bottom),
            KeyCode::Right => edit.go(1, bottom),
            KeyCode::Up | KeyCode::Down => edit.change_row(),
            KeyCode::Char(c @ '0'..='9') => edit.type_digit(c as u16 - '0' as u16),
            KeyCode::Char('+' | '=') => edit.add(1),
            KeyCode::Char('-') => edit.add(-1),
            KeyCode::Backspace | KeyCode::Delete => {
                *edit.board.get_mut(edit.cursor) = 0;
                edit.fresh = true;
            }
            KeyCode::Char('s') => edit.side = edit.side.other(),
            KeyCode::Char('c') => {
                edit.board.pits.iter_mut().flatten().for_each(|count| *count = 0);
                edit.board.stores = [0, 0];
            }
            KeyCode::Enter => self.finish_edit(cx),
            KeyCode::Esc | KeyCode::Char('q') => self.leave_edit(cx),
            // Help, palette and the like stay with the app.
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
        match self.record.variant.from_board(&edit.board, edit.side) {
            Err(reason) => cx.notice(Tone::Bad, reason),
            Ok(start) if start == *self.position() => {
                self.edit = None;
                self.show_now(cx);
                cx.notice(Tone::Info, "Nothing was changed");
            }
            Ok(start) => {
                let setup = super::Setup { variant: self.record.variant, ..self.setup.clone() };
                let record = new_record(&setup, start, self.seed);
                self.replace_record(record, cx);
                if start.is_over() {
                    cx.notice(Tone::Info, "One side has no seeds: the game is over, each side keeps its own");
                }
            }
        }
    }
}
