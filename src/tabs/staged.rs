//! Stages for the tests of tabs of runs.

use std::path::{Path, PathBuf};

use super::board::{Settings, Setup};
use super::{TabSettings, all};
use crate::app::stage::{Stage, config, look};
use crate::paths::Paths;
use crate::theme::Role;

/// Returns a stage with the tab of this key in front and with runs in a folder; the tab of the given scope opens `run`
/// at once.
pub fn with_runs(key: &str, runs: &Path, run: Option<(&'static str, PathBuf)>) -> Stage {
    let board = Settings::new(Setup::from_config(&config().board), None);
    let settings = TabSettings { runs: Some(runs.into()), run, ..TabSettings::new(board, &Paths::default()) };
    let mut stage = Stage::with_tabs(config(), all(settings));
    stage.keys(key);
    stage
}

/// Moves down in a form to this setting. At this width nothing is beside the form.
pub fn go_to(stage: &mut Stage, label: &str) {
    let selection = look().style(Role::Selection).bg;
    let is_on = |stage: &mut Stage| {
        let buffer = stage.buffer(80, 60);
        let rows = (0..60).filter(|&y| (0..80).any(|x| Some(buffer[(x, y)].bg) == selection && selection.is_some()));
        let text = |y: u16| (0..80).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        // The row of the preset below the form may name the setting too.
        let begins = |text: String| {
            text.trim_start_matches(|letter: char| !letter.is_alphanumeric()).starts_with(&format!("{label} "))
        };
        rows.into_iter().any(|y| begins(text(y)))
    };
    for _ in 0..40 {
        if is_on(stage) {
            return;
        }
        stage.press("down");
    }
    panic!("no setting {label}:\n{}", stage.screen(80, 60));
}
