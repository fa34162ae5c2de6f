//! Presets and settings on the command line: what `--set` changes, what is said of a preset that is missing or unknown, and the end of
//! the help that lists both.

use anyhow::{Result, anyhow, ensure};

use super::help;
use crate::kinds::{self, AnySettings, KINDS};
use crate::settings::Listed;

/// Sets what `--set` was given.
///
/// # Errors
/// What would be accepted.
pub fn apply(settings: &mut dyn Listed, changes: &[String]) -> Result<()> {
    for change in changes {
        ensure!(change.contains('='), "--set takes KEY=VALUE; '{change}' is not");
        settings.set_text(change).map_err(|reason| anyhow!("--set: {reason}"))?;
    }
    Ok(())
}

/// Presets by name and what they are, such as a kind of run lists them.
pub type Presets<'a> = &'a [(&'a str, &'a str)];

/// What to say where a command lacks a preset, or what `or` offers in its place.
pub fn missing_preset(command: &str, presets: Presets<'_>, or: &str) -> anyhow::Error {
    let example = presets.first().map_or("", |(name, _)| name);
    let list = help::section("Presets", presets);
    anyhow!("{command} needs a preset{or} to begin with, as in: mancalab {command} {example}\n\n{}", list.trim_end())
}

/// The end of the help of the command that drives this kind of run: presets, and the settings that `--set` takes.
pub fn after_help(command: &str) -> String {
    let kind = kinds::by_command(command).unwrap_or(&KINDS[0]);
    after_help_of_all(&crate::presets::presets(kind), &kind.samples())
}

/// The same for settings of several problems, each with what it is for: what they have in common comes first.
pub fn after_help_of_all(presets: Presets<'_>, all: &[(String, AnySettings)]) -> String {
    type Listing = Vec<(&'static str, &'static str, String)>;
    let lists: Vec<Listing> = all.iter().map(|(_, settings)| settings.list()).collect();
    // What is called alike may mean another thing.
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
