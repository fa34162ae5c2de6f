//! Games that come to the board from files, from pasted text and from another terminal.

use mancalab_base::Error;

use super::Board;
use super::library::FoundDraft;
use super::library::collection::Games;
use super::library::game_file::{self, FileContents, OpenedGame, PartialGame, Shelf};
use super::session::Mode;
use crate::app::tab::{Context, Tone};
use crate::game::Move;
use crate::game::record::Record;
use crate::player::Spec;

impl Board {
    /// Shows a game, or the list of several.
    pub(super) fn show_held(&mut self, held: FileContents, origin: &str, cx: &mut Context) {
        match held {
            FileContents::Game(opened) => self.show_opened(opened, origin, cx),
            FileContents::Begun(PartialGame { opened, broken }) => {
                self.show_opened(opened, origin, cx);
                broken.into_iter().for_each(|reason| cx.notice(Tone::Bad, reason));
            }
            FileContents::Games(shelf, Some(picked)) => self.show_picked(shelf, Ok(picked), cx),
            FileContents::Games(shelf, None) => {
                cx.open(Games::new(shelf.clone(), self.session.record.variant));
                self.library.open_shelf(shelf);
            }
        }
    }

    /// Puts a game of a collection on the board, and reports its error if it is incomplete.
    pub(super) fn show_picked(&mut self, shelf: Shelf, picked: Result<PartialGame, Error>, cx: &mut Context) {
        let PartialGame { opened, broken } = match picked {
            Ok(picked) => picked,
            Err(reason) => return cx.notice(Tone::Bad, reason),
        };
        let number = shelf.open.unwrap_or(0) + 1;
        self.show_opened(opened, &format!("{}, game {number} of {}", shelf.name, shelf.games.len()), cx);
        if let Some(reason) = broken {
            cx.notice(Tone::Bad, reason);
        }
        self.library.open_shelf(shelf);
    }

    /// Replaces the game on the board, which is saved automatically.
    pub(super) fn show_opened(&mut self, opened: OpenedGame, origin: &str, cx: &mut Context) {
        self.put_opened(opened, false, cx);
        let paused = self.paused_text().map_or(String::new(), |text| format!("; {text}"));
        match game_file::remarks(&self.session.record) {
            None => cx.notice(Tone::Good, format!("Loaded {origin}{paused}")),
            Some(remarks) => cx.notice(Tone::Info, format!("Loaded {origin}; {remarks}")),
        }
    }

    /// The same without a notice, except, if `is_news`, that the game before was saved.
    pub(super) fn put_opened(&mut self, opened: OpenedGame, is_news: bool, cx: &mut Context) {
        self.stop_review(cx);
        self.keep_last(is_news, cx);
        self.replace_by(opened, cx);
    }

    /// Replaces the game on the board, which is saved or set aside.
    pub(super) fn replace_by(&mut self, opened: OpenedGame, cx: &mut Context) {
        self.library.leave_shelf();
        self.take_opened(opened);
        self.panels.review.recall(self.games + 1, &self.session.record.variant, cx);
        self.shown_anew(cx);
    }

    pub(super) fn seat_players(&mut self, players: [Result<Spec, Error>; 2], cx: &mut Context) {
        for (seat, player) in players.into_iter().enumerate() {
            match player {
                Ok(spec) => self.session.players[seat] = spec,
                Err(reason) => cx.notice(Tone::Bad, reason),
            }
        }
        self.keep_players();
    }

    /// Leaves the game: saves it automatically unless it is already on disk. A watched one is not followed further.
    pub(super) fn keep_last(&mut self, is_news: bool, cx: &mut Context) {
        self.library.leave(&self.session, is_news, cx);
        self.panels.forget_former();
    }

    /// Shows the draft of the watched game if it has changed.
    pub(super) fn take_draft(&mut self, found: FoundDraft, cx: &mut Context) {
        let Some((opened, is_same)) = self.library.take_draft(found, cx.now) else { return };
        let moves =
            |record: &Record| -> Vec<_> { record.main_line().iter().map(|step| (step.node, step.mv)).collect() };
        let before = moves(&self.session.record);
        let after = moves(&opened.record);
        if !is_same || !after.starts_with(&before) {
            self.stop_review(cx);
            self.replace_by(opened, cx);
            let end = self.session.record.main_end();
            return self.walk(cx, |record| {
                record.go_to(end);
                true
            });
        }
        self.go_on(opened, after.last().map(|(_, mv)| *mv).filter(|_| after.len() > before.len()), cx);
    }

    /// Takes over new moves of the game on the board. An earlier position stays shown.
    fn go_on(&mut self, opened: OpenedGame, last: Option<Move>, cx: &mut Context) {
        let at = self.session.record.at();
        let is_at_end = at == self.session.record.main_end();
        self.session.record = opened.record;
        self.library.mark_saved(self.session.record.version());
        self.session.mode = Mode::Viewed;
        let end = self.session.record.main_end();
        self.session.record.go_to(if is_at_end { end } else { at });
        self.playback.animation = None;
        if let (true, Some(mv), Some(parent)) = (is_at_end, last, self.session.record.parent(end)) {
            let before = *self.session.record.position_at(parent);
            self.playback.animate(&before, mv, cx.now);
        }
    }
}
