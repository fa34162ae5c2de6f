//! Where config and state live: the XDG base directories, on every unix.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

const NAME: &str = "mancalab";

/// `$XDG_CONFIG_HOME/mancalab`, usually `~/.config/mancalab`. Read, never written. `None` if there is no home directory.
pub fn config_dir() -> Option<PathBuf> {
    Xdg::new().ok().map(|dirs| dirs.config_dir().join(NAME))
}

/// `$XDG_STATE_HOME/mancalab`, usually `~/.local/state/mancalab`: the log and the runs. `None` if there is no home directory.
pub fn state_dir() -> Option<PathBuf> {
    Xdg::new().ok().and_then(|dirs| dirs.state_dir()).map(|dir| dir.join(NAME))
}

/// Where the user's own themes are looked for.
pub fn theme_dirs() -> Vec<PathBuf> {
    config_dir().map(|dir| dir.join("themes")).into_iter().collect()
}
