//! `mancalab config`: the default config, its keys, and the check of a config or theme file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Subcommand;
use mancalab_base::Error;

use super::{print, screen};
use crate::config::{self, Config, DEFAULT_TEXT};
use crate::job::RunSettings;
use crate::paths::Paths;
use crate::sanitize;
use crate::settings::{self, Diagnostic, Report, Source};
use crate::theme::{AUTO, ColorDepth, Theme};

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigCommand {
    /// Print the default config with its comments, as a template
    Show,
    /// Print every command of the screen with its default keys, as a section of the config
    Keys,
    /// Check a config or theme file and report its errors
    Check {
        /// File to check; default: your configuration
        file: Option<PathBuf>,
    },
}

pub(super) fn run(command: &ConfigCommand, paths: &Paths) -> Result<ExitCode> {
    match command {
        ConfigCommand::Show => Ok(print(DEFAULT_TEXT)),
        ConfigCommand::Keys => Ok(print(&screen::list_keys())),
        ConfigCommand::Check { file } => {
            let own = || paths.config().map(|folder| folder.join(config::FILE));
            let file = file.clone().or_else(own).context("no home directory with a configuration; name a file")?;
            check(&file, paths)?;
            Ok(print(&format!("{}: no problems\n", sanitize::path(&file))))
        }
    }
}

/// Checks a theme, or a config and the theme that it names.
///
/// # Errors
/// The file cannot be read or has errors.
fn check(file: &Path, paths: &Paths) -> Result<()> {
    let source = settings::read(file)?;
    let mut problems = Vec::new();
    let theme = if is_theme(&source) {
        let name = file.display().to_string();
        if Theme::is_path(&name) { name } else { format!("./{name}") }
    } else {
        let mut theme = AUTO.to_owned();
        let checked = Config::check_file_and(file, paths, |config| {
            theme.clone_from(&config.ui.theme);
            // Flags may mend what a run would be refused for, so that only this check reports it.
            let evolution = <Box<dyn RunSettings>>::from(config.evolution.clone()).check().err();
            let refused = |error: Error| {
                let name = sanitize::path(file);
                Diagnostic::of_file(format!("{name}: [evolution] cannot run: {}", error.in_a_line()))
            };
            screen::problems_of_keys(config).into_iter().chain(evolution.map(refused)).collect()
        });
        problems.extend(checked.err().into_iter().flat_map(|report| report.problems().to_vec()));
        theme
    };
    if theme != AUTO {
        let loaded = Theme::load(&theme, ColorDepth::True, paths);
        problems.extend(loaded.err().into_iter().flat_map(|report| report.problems().to_vec()));
    }
    Report::check(problems).map_err(Into::into)
}

/// Whether a text is a theme: it has a key of themes, and no section of a config.
fn is_theme(source: &Arc<Source>) -> bool {
    let mut is_theme = false;
    // A text that cannot be read is taken for a config, whose check reports why.
    let _ = settings::parse(source, |top, _| {
        let has = |keys: &[&str]| top.entries().iter().any(|entry| keys.contains(&entry.key()));
        is_theme = has(&Theme::KEYS) && !has(Config::SECTIONS);
    });
    is_theme
}
