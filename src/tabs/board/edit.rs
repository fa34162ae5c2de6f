//! The editor of positions on the Board: its keys, and the game from the position.

use crossterm::event::KeyEvent;

use super::Board;
use super::session::edit::{Edit, EditKey};
use crate::app::effect::{Context, Tone};
use crate::game::{self, Place};

impl Board {
    pub(super) fn start_edit(&mut self, cx: &mut Context) {
        self.session.mode.stop();
        let board = self.session.position().board();
        let side = self.session.position().side();
        let cursor = match board {
            game::Board::Pits(_) => Place::Pit(self.session.bottom(), 0),
            game::Board::Squares(ref board) => {
                self.entry_cursor().or_else(|| board.played_on().next().map(Place::Square)).unwrap_or(Place::Square(0))
            }
        };
        self.session.edit = Some(Edit::new(board, side, cursor));
        self.show_now(cx);
    }

    pub(super) fn edit_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let bottom = self.session.bottom();
        let seats = self.session.record.variant.seats();
        let Some(edit) = &mut self.session.edit else { return false };
        match edit.key(key, bottom, seats) {
            EditKey::Ignored => return false,
            EditKey::Used => {}
            EditKey::Finish => self.finish_edit(cx),
            EditKey::Leave => self.leave_edit(cx),
        }
        true
    }

    fn leave_edit(&mut self, cx: &mut Context) {
        self.session.edit = None;
        self.show_now(cx);
    }

    fn finish_edit(&mut self, cx: &mut Context) {
        let Some(edit) = &self.session.edit else { return };
        match self.session.record.variant.from_board(&edit.board, edit.side) {
            Err(reason) => cx.notice(Tone::Bad, reason),
            Ok(start) if start == *self.session.position() => {
                self.session.edit = None;
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
                        game::Board::Squares(_) if self.session.by_numbers() => {
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
