//! Presets and settings on the command line: what `--set` changes, what is said of a preset that is missing or unknown, and the end of
//! the help that lists both.

use anyhow::{Result, anyhow, ensure};

use super::help;
use crate::document::{Listed, nearest};

/// Sets what flags were given, and then what `--set` was.
///
/// # Errors
/// What would be accepted.
pub fn apply(settings: &mut impl Listed, flags: &[(&str, Option<String>)], changes: &[String]) -> Result<()> {
    for (key, value) in flags {
        value.as_ref().map_or(Ok(()), |value| settings.set(key, value)).map_err(|reason| anyhow!("--{reason}"))?;
    }
    for change in changes {
        ensure!(change.contains('='), "--set takes KEY=VALUE; '{change}' is not");
        settings.set_text(change).map_err(|reason| anyhow!("--set: {reason}"))?;
    }
    Ok(())
}

/// Presets by name and what they are, such as a kind of run lists them.
pub type Presets<'a> = &'a [(&'a str, &'a str)];

/// The refusal of a preset that is none.
pub fn unknown_preset(name: &str, presets: Presets<'_>) -> anyhow::Error {
    let known: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let hint = nearest(name, known.iter().copied()).map(|near| format!(" (did you mean '{near}'?)"));
    anyhow!("no preset is called '{name}'{}; known: {}", hint.unwrap_or_default(), known.join(", "))
}

/// What to say where a command lacks a preset, or what `or` offers in its place.
pub fn missing_preset(command: &str, presets: Presets<'_>, or: &str) -> anyhow::Error {
    let example = presets.first().map_or("", |(name, _)| name);
    let list = help::section("Presets", presets);
    anyhow!("{command} needs a preset{or} to begin with, as in: mancalab {command} {example}\n\n{}", list.trim_end())
}

/// The end of a command's help: presets, and the settings that `--set` takes.
pub fn after_help(presets: Presets<'_>, settings: Option<&impl Listed>) -> String {
    let settings = settings.map(Listed::list).unwrap_or_default();
    let settings: Vec<_> =
        settings.into_iter().map(|(key, about, value)| (key, format!("{about} ({value})"))).collect();
    format!("{}\n{}", help::section("Presets", presets), help::section("Settings", &settings))
}

/// The same for settings of several kinds, each with what it is for: what they have in common comes first.
pub fn after_help_of_all<S: Listed>(presets: Presets<'_>, all: &[(String, S)]) -> String {
    let is_own = |key: &str| !all.iter().all(|(_, other)| other.list().iter().any(|(known, ..)| *known == key));
    let listed = |settings: &S, own: bool| -> Vec<(&'static str, String)> {
        let list = settings.list().into_iter().filter(|(key, about, _)| {
            // What is called alike may mean another thing.
            let is_other = |(_, other): &(String, S)| other.list().iter().any(|(k, a, _)| k == key && a != about);
            (is_own(key) || all.iter().any(is_other)) == own
        });
        list.map(|(key, about, value)| (key, format!("{about} ({value})"))).collect()
    };
    let common = all.first().map(|(_, settings)| listed(settings, false)).unwrap_or_default();
    let mut text = help::section("Presets", presets) + "\n" + &help::section("Settings", &common);
    for (what, settings) in all {
        let own = listed(settings, true);
        if !own.is_empty() {
            text += "\n";
            text += &help::section(&format!("Settings for {what}"), &own);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_presets_are_told_with_the_known() {
        let presets: Presets<'_> = &[("round-robin", ""), ("ladder", "")];
        let text = unknown_preset("round-robbin", presets).to_string();
        assert_eq!(
            text,
            "no preset is called 'round-robbin' (did you mean 'round-robin'?); known: round-robin, ladder"
        );
    }
}
