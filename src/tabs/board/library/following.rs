//! The game on the board of another terminal, watched: its draft is read again whenever it has changed.
//!
//! The watcher steps through the game and analyses it, and goes along with new moves at its end. Moves are made at the other terminal. A
//! new or loaded game ends the watching.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::game_file::{OpenedGame, read_limited};
use super::{Library, LibraryMessage, draft};
use crate::app::effect::{Context, Tone};
use crate::game::Variant;
use crate::tabs::board::session::Session;

/// Time between two looks at the folder.
const EVERY: Duration = Duration::from_millis(250);

/// The watched game.
pub struct WatchedGame {
    /// The draft, and when it was changed; `None` before the first.
    draft: Option<(PathBuf, SystemTime)>,
    /// The time of the next look; `None` while one is under way.
    next: Option<Instant>,
}

/// A draft that is new or has changed, with its game; `None` if none has.
pub(crate) struct FoundDraft(Option<((PathBuf, SystemTime), OpenedGame)>);

/// Looks for the newest draft of another process, and reads it unless it is known.
fn find(folder: &Path, known: Option<&(PathBuf, SystemTime)>, variant: Variant) -> FoundDraft {
    let newest = draft::newest_of_others(folder).filter(|newest| Some(newest) != known);
    let read = newest.and_then(|newest| {
        let text = read_limited(&newest.0).ok()?;
        Some((newest, OpenedGame { stored: true, ..OpenedGame::read(&text, variant).ok()? }))
    });
    FoundDraft(read)
}

impl Library {
    /// The time of the next look at the watched game.
    pub fn next_look(&self) -> Option<Instant> {
        self.watched.as_ref()?.next
    }

    /// Looks for changes of the watched game if it is time.
    pub fn follow(&mut self, session: &Session, cx: &mut Context) {
        let Some(folder) = self.games.clone() else { return };
        let variant = session.record.variant;
        let Some(watched) = self.watched.as_mut().filter(|one| one.next.is_some_and(|next| next <= cx.now)) else {
            return;
        };
        watched.next = None;
        let known = watched.draft.clone();
        cx.background(move || LibraryMessage::FoundDraft(find(&folder, known.as_ref(), variant)));
    }

    /// Whether the game is watched; a notice then says where moves are made.
    pub fn is_only_watched(&self, cx: &mut Context) -> bool {
        let is_watched = self.watched.is_some();
        if is_watched {
            cx.notice(Tone::Info, "This game is watched: it is played at the other terminal");
        }
        is_watched
    }

    /// What is watched, below the board.
    pub fn watched_text(&self) -> Option<&'static str> {
        let watched = self.watched.as_ref()?;
        watched.draft.is_none().then_some("Waiting for a game with moves at another terminal")
    }

    /// Takes the draft of the watched game if it is new or has changed; returns its game, and whether it is that of before.
    pub fn take_draft(&mut self, FoundDraft(found): FoundDraft, now: Instant) -> Option<(OpenedGame, bool)> {
        let watched = self.watched.as_mut()?;
        watched.next = Some(now + EVERY);
        let (draft, opened) = found?;
        let is_same = watched.draft.as_ref().is_some_and(|(path, _)| *path == draft.0);
        watched.draft = Some(draft);
        Some((opened, is_same))
    }

    /// Watches the game of another terminal.
    pub fn watch(&mut self) {
        self.watched = Some(WatchedGame { draft: None, next: Some(Instant::now()) });
    }

    pub fn is_watched(&self) -> bool {
        self.watched.is_some()
    }
}
