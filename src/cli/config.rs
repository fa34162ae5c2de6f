//! `mancalab config`: the default config, its keys, and the check of a file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use super::{print, screen};
use crate::config::{Config, DEFAULT_TEXT};
use crate::paths::Paths;
use crate::sanitize;

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigCommand {
    /// Print the default config with its comments, as a template
    Show,
    /// Print every command of the screen with its default keys, as a section of the config
    Keys,
    /// Check a config file and report its errors
    Check {
        /// File to check
        file: PathBuf,
    },
}

pub(super) fn run(command: &ConfigCommand, paths: &Paths) -> Result<ExitCode> {
    match command {
        ConfigCommand::Show => Ok(print(DEFAULT_TEXT)),
        ConfigCommand::Keys => Ok(print(&screen::list_keys())),
        ConfigCommand::Check { file } => {
            Config::check_file(file, paths, screen::problems_of_keys)?;
            Ok(print(&format!("{}: no problems\n", sanitize::path(file))))
        }
    }
}
