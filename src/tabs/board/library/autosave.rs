//! Automatic saving: the game that is left, and the draft of the game in play.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mancalab_base::Error;

use super::draft::{self, Draft};
use super::{Library, LibraryMessage, kept};
use crate::app::tab::Context;
use crate::game::notation;
use crate::game::record::Record;
use crate::tabs::board::session::Session;

impl Library {
    /// The game that is saved automatically, with its version on disk: that on the board, unless a puzzle is there.
    fn record_to_keep<'a>(&'a self, session: &'a Session) -> (&'a Record, u64) {
        let former = self.former.as_ref().map(|former| (&former.session.record, former.saved));
        former.unwrap_or((&session.record, self.saved))
    }

    /// Its text and the folder; `None` if it is already on disk, or only the start of a game that was looked at.
    fn to_keep(&self, session: &Session) -> Option<(PathBuf, String)> {
        let (record, saved) = self.record_to_keep(session);
        let is_bare = record.is_empty() && *record.start() == record.variant.start();
        let games = self.games.clone().filter(|_| self.keeps && record.version() != saved && !is_bare)?;
        Some((games, notation::write(record)))
    }

    /// Leaves the game: saves it automatically unless it is already on disk. A watched one is not followed further.
    pub fn leave(&mut self, session: &Session, is_news: bool, cx: &mut Context) {
        let version = self.record_to_keep(session).0.version();
        let draft = std::mem::take(&mut self.draft);
        self.draft_failed = false;
        let is_drafted = self.drafted.take().is_some();
        let kept = self.to_keep(session);
        let kept = kept.map(|(folder, text)| LeftGame { folder, text, draft: draft.clone(), version });
        let is_news = is_news && kept.is_some();
        self.former = None;
        if self.watched.take().is_some() {
            self.keeps = !cx.paths.rights().is_guest();
        }
        if kept.is_some() || is_drafted {
            let left = self.left.clone();
            let is_saved = kept.is_none();
            // Now: the program may end before the task begins.
            kept.into_iter().for_each(|game| left.add(game));
            cx.background(move || {
                if is_saved {
                    draft.remove(version);
                }
                LibraryMessage::Kept { result: left.save(), is_news }
            });
        }
    }

    /// Notes that this version of the game on the board is in a file, and removes its draft.
    pub fn note_saved(&mut self, version: u64, cx: &mut Context) {
        self.saved = version;
        let draft = self.draft.clone();
        cx.background(move || {
            draft.remove(version);
            LibraryMessage::Drafted(Ok(()))
        });
    }

    /// Writes the draft of a person's game in the background, once a turn; `is_awaited`: a computer player is to move.
    pub fn settle_draft(&mut self, session: &Session, is_awaited: bool, cx: &mut Context) {
        let version = session.record.version();
        let now = Some((session.game, version));
        let is_written = self.drafted == now || self.former.is_some();
        if !session.has_human() || is_awaited || is_written {
            return;
        }
        let Some((games, text)) = self.to_keep(session) else { return };
        let draft = self.draft.clone();
        self.drafted = now;
        cx.background(move || LibraryMessage::Drafted(draft.write(&games, &text, version)));
    }

    /// Saves the drafts of processes that have ended, and looks for an unfinished game.
    pub fn look_for_last(&self, cx: &mut Context) {
        if let Some(games) = self.games.clone().filter(|_| self.keeps) {
            cx.background(move || {
                draft::recover(&games);
                LibraryMessage::Last(kept::has_unfinished(&games))
            });
        }
    }

    /// Saves the game and those that were left before automatically at once, when the program ends, unless they are saved already.
    ///
    /// # Errors
    /// A game could not be written.
    pub fn leave_game(&mut self, session: &Session) -> Result<(), Error> {
        let left = self.left.save();
        self.unsaved = match (self.keep_now(session), left) {
            (Ok(()), Ok(())) => None,
            (Ok(()), Err(error)) => Some(format!("A game that was left cannot be saved: {error}")),
            (Err(error), Ok(())) => Some(format!("The game cannot be saved; n, then y copies it. {error}")),
            (Err(error), Err(_)) => {
                let both = "The game cannot be saved; n, then y copies it. Nor can a game that was left.";
                Some(format!("{both} {error}"))
            }
        };
        self.unsaved.clone().map_or(Ok(()), |error| Err(error.into()))
    }

    fn keep_now(&mut self, session: &Session) -> Result<(), Error> {
        let now = (session.game, session.record.version());
        if self.autosaved == Some(now) {
            return Ok(());
        }
        let kept = self.to_keep(session).map(|(games, text)| kept::keep(&games, &text)).transpose();
        if kept.is_ok() {
            self.draft.remove(self.record_to_keep(session).0.version());
        }
        self.autosaved = kept.is_ok().then_some(now);
        self.autosaved_file = kept?;
        Ok(())
    }

    /// Returns the file of the game that was saved automatically last, if it is unfinished.
    pub fn unfinished_file(&self, session: &Session) -> Option<PathBuf> {
        let games = self.games.as_ref().filter(|_| self.keeps && session.begun.is_some())?;
        draft::recover(games);
        kept::has_unfinished(games).then(|| kept::newest(games))
    }

    /// Switches automatic saving; a game of another terminal is never saved.
    pub fn keep_games(&mut self, is_on: bool) {
        self.keeps = is_on && self.watched.is_none();
    }

    /// Notes whether the draft could be written, which the next turn tries again; returns whether it newly failed.
    pub fn note_draft(&mut self, failed: bool) -> bool {
        !std::mem::replace(&mut self.draft_failed, failed) && failed
    }

    /// What could not be saved when the user asked to quit, as a sentence.
    pub fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// The file of the game that was saved when the user asked to quit.
    pub fn autosaved_file(&self) -> Option<PathBuf> {
        self.autosaved_file.clone()
    }
}

/// A background task saves them; the end of the program saves those that it has not saved.
#[derive(Clone, Default)]
pub struct LeftGames {
    games: Arc<Mutex<Vec<LeftGame>>>,
    /// Held while one is written. The games are not, so that adding one never waits for a disk.
    saving: Arc<Mutex<()>>,
}

/// A game as a text, with the folder of saved games and its draft as of `version`.
#[derive(Clone)]
pub struct LeftGame {
    pub folder: PathBuf,
    pub text: String,
    pub draft: Draft,
    pub version: u64,
}

impl LeftGames {
    fn lock(&self) -> MutexGuard<'_, Vec<LeftGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a game that was left now.
    pub fn add(&self, game: LeftGame) {
        self.lock().push(game);
    }

    /// Saves all games, the oldest first.
    ///
    /// # Errors
    /// One could not be written; it and those after it stay for the next time.
    pub fn save(&self) -> Result<(), Error> {
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let Some(LeftGame { folder, text, draft, version }) = self.lock().first().cloned() else { return Ok(()) };
            kept::keep(&folder, &text)?;
            draft.remove(version);
            self.lock().remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn games_that_cannot_be_written_are_saved_when_they_can_be() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("games");
        // A file stands where the folder would be.
        fs::write(&folder, "").unwrap();
        let left = LeftGames::default();
        let game = |text: &str| LeftGame {
            folder: folder.clone(),
            text: text.to_owned(),
            draft: Draft::default(),
            version: 1,
        };
        for text in ["first\n", "second\n"] {
            left.add(game(text));
            assert!(left.save().unwrap_err().to_string().contains("cannot save the game"));
        }
        fs::remove_file(&folder).unwrap();
        left.save().unwrap();
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!((read("last.game"), read("last-2.game")), ("second\n".to_owned(), "first\n".to_owned()));
        left.save().unwrap();
        assert!(!folder.join("last-3.game").exists());
    }
}
