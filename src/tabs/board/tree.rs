//! Commands for variations: fold, promote, delete, comment.

use crossterm::event::KeyEvent;
use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Board;
use super::message::Message;
use super::session::Mode;
use super::session::casual::Reason;
use crate::app::effect::{Context, Tone};
use crate::app::overlay::confirm::Question;
use crate::app::overlay::{Outcome, Overlay};
use crate::game::notation::split_times;
use crate::game::record::NodeId;
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, keys, put, row, window};

/// Maximum length of a comment.
const MOST: usize = 2000;

const COMMENT: &str = "Comment";

/// Changes of a game on a guest's Board: moves and their times, deletions, comments. Nothing else bounds the memory of the game.
pub(crate) const GUEST_CHANGES: u64 = 2000;

impl Board {
    pub(super) fn toggle_fold(&mut self, cx: &mut Context) {
        if !self.session.record.has_variations() {
            return cx.notice(Tone::Info, "No variations yet. Go back and play another move");
        }
        self.panels.folded = !self.panels.folded;
        let text = if self.panels.folded { "Variations hidden (* marks them)" } else { "Variations shown" };
        cx.notice(Tone::Info, text);
    }

    /// Asks before the last move and all that follows is deleted.
    pub(super) fn ask_to_delete(&mut self, cx: &mut Context) {
        let node = self.session.record.at();
        let Some((before, mv)) = self.session.record.last() else {
            return cx.notice(Tone::Info, "There is no move to delete at the start");
        };
        let moves = self.session.record.count(node);
        let what = match moves {
            1 => ".".to_owned(),
            2 => " and the one move after it.".to_owned(),
            moves => format!(" and the {} moves after it.", moves - 1),
        };
        let text = format!("This deletes the move {}{what}", before.move_text(mv));
        let game = self.session.game;
        cx.open(Question::new("Delete?", text, ["delete", "keep"], move || Message::Delete { game, node }));
    }

    pub(super) fn delete(&mut self, game: u64, node: NodeId, cx: &mut Context) {
        let Some(moves) = self.session.delete(game, node) else { return };
        self.use_help(Reason::TakeBack, cx);
        self.session.mode = Mode::Viewed;
        self.show_now(cx);
        let moves = counted(moves, "move");
        cx.notice(Tone::Info, format!("Deleted {moves}. U restores"));
    }

    pub(super) fn restore(&mut self, cx: &mut Context) {
        match self.session.restore() {
            Some(true) => {
                self.session.mode = Mode::Viewed;
                self.show_now(cx);
            }
            Some(false) => cx.notice(Tone::Info, "Cannot restore: the same move was made there since"),
            None => cx.notice(Tone::Info, "Nothing was deleted"),
        }
    }

    /// Whether the game can be changed further; otherwise a notice says that it is watched, or that a guest has changed it too often.
    pub(super) fn may_change(&self, cx: &mut Context) -> bool {
        if self.library.is_only_watched(cx) {
            return false;
        }
        // Tests press a key for each change.
        let most = if cfg!(test) { GUEST_CHANGES / 20 } else { GUEST_CHANGES };
        let is_full = cx.paths.rights().is_guest() && self.session.record.version() >= most;
        if is_full {
            cx.notice(Tone::Bad, format!("Guests change a game at most {GUEST_CHANGES} times; start another"));
        }
        !is_full
    }

    pub(super) fn open_comment(&mut self, cx: &mut Context) {
        if !self.may_change(cx) {
            return;
        }
        let node = self.session.record.at();
        let title = match self.session.record.last() {
            Some((before, mv)) => format!("Comment on {}", before.move_text(mv)),
            None => "Comment on the start".to_owned(),
        };
        let (_, text) = split_times(self.session.record.comment(node));
        let field = Field::text(COMMENT, Vec::new(), text).at_most(MOST);
        cx.open(Comment { title, game: self.session.game, node, form: Form::new(vec![field]) });
    }
}

/// The comment dialog.
struct Comment {
    title: String,
    game: u64,
    node: NodeId,
    form: Form,
}

impl Overlay for Comment {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Cancel => Outcome::Close,
            FormKey::Submit => {
                let text = self.form.value(FieldId::default()).to_owned();
                Outcome::TaskResult(Box::new(Message::Comment { game: self.game, node: self.node, text }))
            }
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, 76, self.form.height() + 3, &self.title, buf, look);
        let text = "Enter: save, Esc: cancel, empty text deletes it";
        put(keys(text, inner.width, look), row(inner, inner.height.saturating_sub(1)), buf);
        self.form.draw(Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner }, buf, look)
    }
}
