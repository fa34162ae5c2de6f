//! The game on the board of another terminal, watched: its draft is read again whenever it has changed.
//!
//! The watcher steps through the game and analyses it, and goes along with new moves at its end. Moves are made at the other terminal. A
//! new or loaded game ends the watching.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::draft;
use super::game_file::{OpenedGame, read_limited};
use crate::app::effect::{Context, Tone};
use crate::game::record::Record;
use crate::game::{Move, Variant};
use crate::tabs::board::Board;
use crate::tabs::board::message::Message;
use crate::tabs::board::session::Mode;

/// Time between two looks at the folder.
const EVERY: Duration = Duration::from_millis(250);

/// The watched game.
pub(in crate::tabs::board) struct WatchedGame {
    /// The draft, and when it was changed; `None` before the first.
    draft: Option<(PathBuf, SystemTime)>,
    /// The time of the next look; `None` while one is under way.
    next: Option<Instant>,
}

/// A draft that is new or has changed, with its game; `None` if none has.
pub(crate) struct FoundDraft(Option<((PathBuf, SystemTime), OpenedGame)>);

impl WatchedGame {
    pub fn new() -> WatchedGame {
        WatchedGame { draft: None, next: Some(Instant::now()) }
    }
}

/// Looks for the newest draft of another process, and reads it unless it is known.
fn find(folder: &Path, known: Option<&(PathBuf, SystemTime)>, variant: Variant) -> FoundDraft {
    let newest = draft::newest_of_others(folder).filter(|newest| Some(newest) != known);
    let read = newest.and_then(|newest| {
        let text = read_limited(&newest.0).ok()?;
        Some((newest, OpenedGame { stored: true, ..OpenedGame::read(&text, variant).ok()? }))
    });
    FoundDraft(read)
}

impl Board {
    /// The time of the next look at the watched game.
    pub(in crate::tabs::board) fn next_look(&self) -> Option<Instant> {
        self.library.watched.as_ref()?.next
    }

    /// Looks for changes of the watched game if it is time.
    pub(in crate::tabs::board) fn follow(&mut self, cx: &mut Context) {
        let Some(folder) = self.library.games.clone() else { return };
        let variant = self.session.record.variant;
        let Some(watched) = self.library.watched.as_mut().filter(|one| one.next.is_some_and(|next| next <= cx.now))
        else {
            return;
        };
        watched.next = None;
        let known = watched.draft.clone();
        cx.background(move || Message::FoundDraft(find(&folder, known.as_ref(), variant)));
    }

    pub(in crate::tabs::board) fn take_draft(&mut self, FoundDraft(found): FoundDraft, cx: &mut Context) {
        let Some(watched) = &mut self.library.watched else { return };
        watched.next = Some(cx.now + EVERY);
        let Some((draft, opened)) = found else { return };
        let is_same = watched.draft.as_ref().is_some_and(|(path, _)| *path == draft.0);
        watched.draft = Some(draft);
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
        self.library.saved = self.session.record.version();
        self.session.mode = Mode::Viewed;
        let end = self.session.record.main_end();
        self.session.record.go_to(if is_at_end { end } else { at });
        self.playback.animation = None;
        if let (true, Some(mv), Some(parent)) = (is_at_end, last, self.session.record.parent(end)) {
            let before = *self.session.record.position_at(parent);
            self.playback.animation = self.playback.animate(&before.board(), before.trace(mv), cx.now);
        }
        self.settle(cx);
    }

    /// Whether the game is watched; a notice then says where moves are made.
    pub(in crate::tabs::board) fn is_only_watched(&self, cx: &mut Context) -> bool {
        let is_watched = self.library.watched.is_some();
        if is_watched {
            cx.notice(Tone::Info, "This game is watched: it is played at the other terminal");
        }
        is_watched
    }

    /// What is watched, below the board.
    pub(in crate::tabs::board) fn watched_text(&self) -> Option<&'static str> {
        let watched = self.library.watched.as_ref()?;
        watched.draft.is_none().then_some("Waiting for a game with moves at another terminal")
    }
}
