//! Where config and state live: the XDG base directories, on every unix.
//!
//! Read once, by whoever starts the program, and passed in from there: several sessions in one process have each their own.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

const NAME: &str = "mancalab";

/// The folders of one person. None of them need exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    config: Option<PathBuf>,
    state: Option<PathBuf>,
    home: Option<PathBuf>,
}

impl Paths {
    /// As the environment says: `$XDG_CONFIG_HOME/mancalab`, usually `~/.config/mancalab`, and `$XDG_STATE_HOME/mancalab`, usually
    /// `~/.local/state/mancalab`.
    pub fn of_process() -> Paths {
        let dirs = Xdg::new().ok();
        Paths {
            config: dirs.as_ref().map(|dirs| dirs.config_dir().join(NAME)),
            state: dirs.as_ref().and_then(BaseStrategy::state_dir).map(|dir| dir.join(NAME)),
            home: std::env::home_dir(),
        }
    }

    /// Everything in one folder: `config`, `state`, and the folder itself for a home.
    pub fn within(folder: &Path) -> Paths {
        Paths { config: Some(folder.join("config")), state: Some(folder.join("state")), home: Some(folder.to_owned()) }
    }

    /// Config and themes: read, never written. `None` if there is no home directory.
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The log, the games and the runs. `None` if there is no home directory.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// The games that are kept: saved ones, and those that were on the board last.
    pub fn games(&self) -> Option<PathBuf> {
        self.state().map(|state| state.join("games"))
    }

    /// Where runs are, by default.
    pub fn runs(&self) -> Option<PathBuf> {
        self.state().map(|state| state.join("runs"))
    }

    /// Where the person's own themes are looked for.
    pub fn themes(&self) -> Vec<PathBuf> {
        self.config().map(|config| config.join("themes")).into_iter().collect()
    }

    /// A path as a person would type it: `~/` stands for the home folder.
    pub fn shown(&self, path: &Path) -> String {
        let inside = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        inside.map_or_else(|| path.display().to_string(), |rest| format!("~/{}", rest.display()))
    }

    /// What a person has typed as a path: `~/` at its beginning is the home folder.
    pub fn typed(&self, text: &str) -> PathBuf {
        match (text.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        }
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
        assert_eq!(paths.themes(), [PathBuf::from("/someone/config/themes")]);
        let typed = |text| paths.typed(text);
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
        assert_eq!(nowhere.typed("~/a"), PathBuf::from("~/a"));
    }
}
