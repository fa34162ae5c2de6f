//! Locations of configuration, state and data: the XDG base directories, on every unix.
//!
//! Resolved once at program start and passed down, so that several sessions in one process can have their own.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::rights::Rights;
use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

const NAME: &str = "mancalab";

/// The directories of one user. They need not exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    config: Option<PathBuf>,
    state: Option<PathBuf>,
    data: Option<PathBuf>,
    home: Option<PathBuf>,
    rights: Rights,
}

impl Paths {
    /// Reads the environment: `$XDG_CONFIG_HOME/mancalab`, default `~/.config/mancalab`, `$XDG_STATE_HOME/mancalab`,
    /// default `~/.local/state/mancalab`, and `$XDG_DATA_HOME/mancalab`, default `~/.local/share/mancalab`.
    pub fn of_process() -> Paths {
        let dirs = Xdg::new().ok();
        Paths {
            config: dirs.as_ref().map(|dirs| dirs.config_dir().join(NAME)),
            state: dirs.as_ref().and_then(BaseStrategy::state_dir).map(|dir| dir.join(NAME)),
            data: dirs.as_ref().map(|dirs| dirs.data_dir().join(NAME)),
            home: std::env::home_dir(),
            rights: Rights::default(),
        }
    }

    /// Uses `config`, `state` and `data` inside `folder`, which is also the home directory.
    pub fn within(folder: &Path) -> Paths {
        let inside = |name: &str| Some(folder.join(name));
        Paths {
            config: inside("config"),
            state: inside("state"),
            data: inside("data"),
            home: Some(folder.to_owned()),
            rights: Rights::default(),
        }
    }

    /// Returns the directories of a guest: no configuration and no home, and `state` for what is kept of the session.
    pub fn of_guest(state: Option<PathBuf>, rights: Rights) -> Paths {
        Paths { state, rights, ..Paths::default() }
    }

    /// Returns what the session may do.
    pub fn rights(&self) -> &Rights {
        &self.rights
    }

    /// Configuration and themes: read, never written. `None` without a home directory.
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The log, games and runs. `None` without a home directory.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// Saved games, including the last one on the board.
    pub fn games(&self) -> Option<PathBuf> {
        self.state().map(|state| state.join("games"))
    }

    /// Default directory of runs.
    pub fn runs(&self) -> Option<PathBuf> {
        self.state().map(|state| state.join("runs"))
    }

    /// Endgame tables.
    pub fn tables(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join("tables"))
    }

    /// Directories of the user's own themes.
    pub fn themes(&self) -> Vec<PathBuf> {
        self.config().map(|config| config.join("themes")).into_iter().collect()
    }

    /// Formats a path for display, with `~/` for the home directory.
    pub fn shown(&self, path: &Path) -> String {
        let inside = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        inside.map_or_else(|| path.display().to_string(), |rest| format!("~/{}", rest.display()))
    }

    /// Parses a path typed by the user; a leading `~/` is the home directory. A guest's is a name in the folder of games.
    ///
    /// # Errors
    /// A guest's text is not a plain name, or the guest has no folder.
    pub fn typed(&self, text: &str) -> Result<PathBuf, Error> {
        if self.rights.is_guest() {
            self.rights.permit_name(text)?;
            return self
                .games()
                .map(|games| games.join(text))
                .ok_or_else(|| "this host keeps no games of guests".into());
        }
        Ok(match (text.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_kept_is_in_the_state_folder_and_tilde_is_home() {
        let paths = Paths::within(Path::new("/someone"));
        assert_eq!(paths.games(), Some("/someone/state/games".into()));
        assert_eq!(paths.runs(), Some("/someone/state/runs".into()));
        assert_eq!(paths.tables(), Some("/someone/data/tables".into()));
        assert_eq!(paths.themes(), [PathBuf::from("/someone/config/themes")]);
        let typed = |text| paths.typed(text).unwrap();
        assert_eq!(
            [typed("~/a.game"), typed("~b"), typed("c/~/d")],
            ["/someone/a.game", "~b", "c/~/d"].map(PathBuf::from)
        );
        let shown = |path| paths.shown(Path::new(path));
        assert_eq!([shown("/someone/a/b"), shown("/else/a"), shown("a")], ["~/a/b", "/else/a", "a"]);
    }

    #[test]
    fn without_a_home_nothing_is_kept() {
        let nowhere = Paths::default();
        assert_eq!((nowhere.games(), nowhere.runs(), nowhere.themes()), (None, None, vec![]));
        assert_eq!(nowhere.typed("~/a").unwrap(), PathBuf::from("~/a"));
    }
}
