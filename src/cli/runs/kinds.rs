//! Settings of saved runs beside those of their presets.
use crate::cli::out;
use crate::job::{Manifest, RunReader};
use crate::kinds::{self, Kind, KindOf as _};
use crate::presets;
use mancalab_base::Error;
use serde_json::{Map, Value};

/// The kind of a run.
///
/// # Errors
/// The kind is unknown to this version.
pub fn find(reader: &RunReader) -> Result<&'static Kind, Error> {
    kinds::known(&reader.manifest().kind)
}

/// A setting of a run.
pub struct RunSetting {
    pub key: String,
    pub value: String,
    /// The preset's value, if it differs.
    pub usual: Option<String>,
}

/// A run's settings, with the preset's values where they differ.
///
/// # Errors
/// The run cannot be read, or its kind is unknown.
pub fn settings(reader: &RunReader) -> Result<Vec<RunSetting>, Error> {
    Ok(beside(find(reader)?, reader.manifest(), reader.listed()?))
}

/// Settings with the preset's values where they differ.
pub fn beside(kind: &Kind, manifest: &Manifest, mut own: Vec<(String, String)>) -> Vec<RunSetting> {
    if kind.count == "generations" {
        own.insert(0, ("generations".to_owned(), manifest.generations.to_string()));
    }
    let preset = presets::preset(kind, &manifest.preset).map(|settings| settings.texts()).unwrap_or_default();
    let setting = |(key, value): (String, String)| {
        let usual = preset.iter().find(|(known, _)| *known == key).map(|(_, usual)| usual.clone());
        RunSetting { usual: usual.filter(|usual| !is_same(usual, &value)), key, value }
    };
    own.into_iter().map(setting).collect()
}

/// The values of settings for programs.
pub fn values(settings: &[RunSetting]) -> Map<String, Value> {
    settings.iter().map(|one| (one.key.clone(), out::setting(&one.value))).collect()
}

/// The preset's values where they differ, for programs.
pub fn preset_values(settings: &[RunSetting]) -> Map<String, Value> {
    settings.iter().filter_map(|one| Some((one.key.clone(), out::setting(one.usual.as_ref()?)))).collect()
}

/// Compares texts, and numbers by value: a number has several spellings.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
}
