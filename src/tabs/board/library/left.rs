//! The games that were left and are not on disk yet: kept in memory until they could be written.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mancalab_base::Error;

use super::draft::Draft;
use super::kept;

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
