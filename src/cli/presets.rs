//! Presets and settings on the command line: `--set`, errors for missing presets, and the lists at the end of help.

use anyhow::{Result, anyhow, ensure};

use super::help;
use crate::job::RunSettings;
use crate::kinds;
use crate::settings::KeyedSettings;

/// Applies the changes of `--set`.
///
/// # Errors
/// An invalid change: the accepted keys or values.
pub fn apply(settings: &mut dyn KeyedSettings, changes: &[String]) -> Result<()> {
    for change in changes {
        ensure!(change.contains('='), "--set takes KEY=VALUE (got '{change}')");
        settings.set_text(change).map_err(|reason| anyhow!("--set: {reason}"))?;
    }
    Ok(())
}

/// Presets: (name, description).
pub type Presets<'a> = &'a [(&'a str, &'a str)];

/// The error of a command without a preset; `or` names an alternative to one.
pub fn missing_preset(command: &str, presets: Presets<'_>, or: &str) -> anyhow::Error {
    let example = presets.first().map_or("", |(name, _)| name);
    let list = help::section("Presets", presets);
    anyhow!("{command} needs a preset{or}, such as {example}\n\n{}", list.trim_end())
}

/// The end of a command's help: presets, and the settings for `--set`.
pub fn after_help(command: &str) -> String {
    let kind = kinds::by_command(command).expect("every kind of run is in the list of kinds");
    after_help_of_all(&crate::presets::presets(kind), &kind.samples())
}

/// Like [`after_help`], for the settings of several problems, each with its title: common settings first.
pub fn after_help_of_all(presets: Presets<'_>, all: &[(String, Box<dyn RunSettings>)]) -> String {
    type Listing = Vec<(&'static str, &'static str, String)>;
    let lists: Vec<Listing> = all.iter().map(|(_, settings)| settings.list()).collect();
    // Settings of the same name may differ in meaning.
    let is_common = |key: &str, about: &str| {
        let is_same = |list: &Listing| list.iter().any(|(known, other, _)| *known == key && *other == about);
        lists.iter().all(is_same)
    };
    let listed = |list: &Listing, common: bool| -> Vec<(&'static str, String)> {
        let those = list.iter().filter(|(key, about, _)| is_common(key, about) == common);
        those.map(|(key, about, value)| (*key, format!("{about} ({value})"))).collect()
    };
    let common = lists.first().map(|list| listed(list, true)).unwrap_or_default();
    let mut text = help::section("Presets", presets) + "\n" + &help::section("Settings", &common);
    for ((what, _), list) in all.iter().zip(&lists) {
        let own = listed(list, false);
        if !own.is_empty() {
            text += "\n";
            text += &help::section(&format!("Settings for {what}"), &own);
        }
    }
    text
}
