//! What a session may do: everything for the owner of the program, little for a guest.
//!
//! [`Paths`](crate::paths::Paths) carry the rights of their session, so that whatever reaches a file, a process or much of the
//! processor has the answer at hand.

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;

/// The limits of a guest, set by the host in `[guest]` of the config.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies of a search.
    pub depth: u32,
    /// Playouts of a Monte Carlo tree search.
    pub iterations: u32,
    /// Seconds of a move.
    pub seconds: u32,
    /// Seconds of an analysis or review; 0: neither is allowed.
    pub analysis_seconds: u32,
    /// MiB of a transposition table.
    pub table_mb: u32,
    /// Number of saved games, and KiB of each.
    pub saves: u32,
    pub save_kb: u32,
    /// KiB of a pasted text.
    pub paste_kb: u32,
    /// Length of a session.
    pub minutes: u32,
}

/// What a session may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rights(Option<Arc<Limits>>);

/// The endings of the files that guests may save and open.
const ENDINGS: [&str; 3] = [".game", ".pdn", ".ggf"];

impl Rights {
    /// Returns the rights of a guest.
    pub fn of_guest(limits: Limits) -> Rights {
        Rights(Some(Arc::new(limits)))
    }

    /// Returns a guest's limits; `None` for the owner.
    pub fn limits(&self) -> Option<&Limits> {
        self.0.as_deref()
    }

    pub fn is_guest(&self) -> bool {
        self.0.is_some()
    }

    /// Permits the owner to do something, such as `export runs`.
    ///
    /// # Errors
    /// The session is a guest's.
    pub fn permit(&self, what: &str) -> Result<(), Error> {
        if self.is_guest() { Err(format!("guests cannot {what}").into()) } else { Ok(()) }
    }

    /// Permits a guest the name of a file in the guest's own folder.
    ///
    /// # Errors
    /// A guest's text is not a plain name.
    pub fn permit_name(&self, name: &str) -> Result<(), Error> {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
        let is_game = !name.contains('.') || ENDINGS.iter().any(|ending| name.ends_with(ending));
        let is_short = name.chars().count() <= 64;
        let is_name = name.chars().all(is_plain) && !name.starts_with(['.', '-']) && is_short && is_game;
        if self.is_guest() && !is_name {
            let letters = "up to 64 letters, digits, '-', '_' and spaces";
            return Err(format!("guests save and open by name: {letters}, alone or with {}", ENDINGS.join(", ")).into());
        }
        Ok(())
    }

    /// Permits a guest a file of this size in the guest's folder; `is_new`: it is not there yet.
    ///
    /// # Errors
    /// It is too large, or the folder holds as many files as the host allows.
    pub fn permit_save(&self, folder: Option<&Path>, bytes: usize, is_new: bool) -> Result<(), Error> {
        let Some(limits) = self.limits() else { return Ok(()) };
        let Some(folder) = folder else { return Err("this host keeps no games of guests; y copies the game".into()) };
        if bytes > limits.save_kb as usize * 1024 {
            return Err(format!("guests' files have at most {} KiB", limits.save_kb).into());
        }
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let count = names.filter(|name| !name.as_encoded_bytes().starts_with(b".")).count();
        if is_new && count >= limits.saves as usize {
            return Err(format!("guests keep at most {} files; l, then Delete removes one", limits.saves).into());
        }
        Ok(())
    }

    /// Permits a pasted text of this size.
    ///
    /// # Errors
    /// It is larger than the host allows guests.
    pub fn permit_paste(&self, bytes: usize) -> Result<(), Error> {
        match self.limits().filter(|limits| bytes > limits.paste_kb as usize * 1024) {
            Some(limits) => Err(format!("guests paste at most {} KiB", limits.paste_kb).into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guest() -> Rights {
        Rights::of_guest(Limits {
            depth: 6,
            iterations: 2000,
            seconds: 10,
            analysis_seconds: 60,
            table_mb: 16,
            saves: 2,
            save_kb: 1,
            paste_kb: 1,
            minutes: 120,
        })
    }

    #[test]
    fn the_owner_may_do_everything() {
        let owner = Rights::default();
        assert!(owner.permit("export runs").is_ok() && owner.permit_name("/etc/passwd").is_ok());
        assert!(owner.permit_save(None, 1 << 30, true).is_ok() && owner.permit_paste(1 << 30).is_ok());
    }

    #[test]
    fn guests_name_files_without_folders() {
        for name in ["a.game", "my game-2.pdn", "é", "b.ggf"] {
            assert!(guest().permit_name(name).is_ok(), "{name}");
        }
        for name in [
            "/etc/passwd",
            "../a",
            "a/b",
            "~/a",
            ".ssh",
            "a.txt",
            "a.wtb",
            "a.game.b",
            "-a",
            "a\\b",
            "a\nb",
            "a\u{1b}",
            &"a".repeat(65),
        ] {
            assert!(guest().permit_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn guests_save_a_few_small_files() {
        let folder = tempfile::tempdir().unwrap();
        let save = |bytes, is_new| guest().permit_save(Some(folder.path()), bytes, is_new);
        assert!(save(1024, true).is_ok() && save(1025, true).is_err());
        for name in ["a", "b"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(save(1, true).is_err() && save(1, false).is_ok());
        assert!(guest().permit_save(None, 1, true).unwrap_err().to_string().contains("keeps no games"));
        assert!(guest().permit_paste(1024).is_ok() && guest().permit_paste(1025).is_err());
        assert!(guest().permit("export runs").unwrap_err().to_string().contains("guests cannot export runs"));
    }
}
