//! The presets of each kind of run, including the sources' tournaments.

use crate::job::RunSettings;
use crate::kinds::{Kind, TOURNAMENTS};
use crate::reproduce::{tournament, tournaments};
use crate::settings::nearest;
use mancalab_base::Error;

/// Returns the presets of a kind: (name, description).
pub fn presets(kind: &Kind) -> Vec<(&'static str, &'static str)> {
    if kind.command == TOURNAMENTS { tournaments() } else { kind.presets() }
}

/// Returns the settings of a preset, with seed 1.
///
/// # Errors
/// An unknown preset: the known ones.
pub fn preset(kind: &Kind, name: &str) -> Result<Box<dyn RunSettings>, Error> {
    if kind.command == TOURNAMENTS {
        return tournament(name).map(<Box<dyn RunSettings>>::from).ok_or_else(|| unknown(name, &tournaments()).into());
    }
    kind.preset(name).ok_or_else(|| unknown(name, &presets(kind)).into())
}

/// Returns the error for an unknown preset.
pub fn unknown(name: &str, presets: &[(&str, &str)]) -> String {
    let known: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let hint = nearest(name, known.iter().copied()).map(|near| format!(" (did you mean '{near}'?)"));
    format!("no preset is named '{name}'{}; known: {}", hint.unwrap_or_default(), known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_presets_are_reported_with_the_known() {
        let text = unknown("round-robbin", &[("round-robin", ""), ("ladder", "")]);
        assert_eq!(text, "no preset is named 'round-robbin' (did you mean 'round-robin'?); known: round-robin, ladder");
    }
}
