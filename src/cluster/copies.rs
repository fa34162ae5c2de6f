//! The files that a plan's players are read from, copied into the plan, so that a unit needs nothing from elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::place::FILES;
use super::plan::OWN_FOLDER;
use crate::codec::checksum;
use crate::document::{Listed, Refusal, texts};
use crate::files::{self, Kind};
use crate::plain;
use crate::player::Spec;

/// The copies of a plan that is being made.
pub(crate) struct Copies {
    folder: PathBuf,
    /// Their names, by the path that settings have for them.
    names: BTreeMap<String, String>,
    /// Their sums, by name.
    pub sums: BTreeMap<String, u64>,
}

/// Settings as texts, to be written like others.
struct Texts(Vec<(&'static str, &'static str, String)>);

impl Listed for Texts {
    fn list(&self) -> Vec<(&'static str, &'static str, String)> {
        self.0.clone()
    }

    fn set(&mut self, key: &str, _: &str) -> Result<(), Refusal> {
        Err(self.unknown(key, &[]))
    }
}

impl Copies {
    /// Into the plan's folder.
    pub fn into(plan: &Path) -> Copies {
        Copies { folder: plan.join(FILES), names: BTreeMap::new(), sums: BTreeMap::new() }
    }

    /// The lines of settings that name the copies. `names_file` says of a key and its value whether the value is a file's name alone.
    ///
    /// # Errors
    /// A file cannot be read or copied: which.
    pub fn settings_text(
        &mut self,
        settings: &impl Listed,
        names_file: impl Fn(&str, &str) -> bool,
    ) -> Result<String, Refusal> {
        let mut texts = settings.list();
        for (key, _, value) in &mut texts {
            *value = if names_file(key, value) { self.named(value)? } else { self.value(value)? };
        }
        Ok(Texts(texts).to_text())
    }

    /// A value of a setting with the copies in the place of the files that its players name, if it names any: players with commas between
    /// them or a list of TOML, each perhaps with a share such as `50*` before it.
    ///
    /// # Errors
    /// A file cannot be read or copied: which.
    pub fn value(&mut self, value: &str) -> Result<String, Refusal> {
        let players = match value.starts_with('[') {
            true => texts(value, "players").unwrap_or_default(),
            false => Spec::parts(value).into_iter().map(|part| part.to_string()).collect(),
        };
        let (mut text, mut rest) = (String::new(), value);
        for player in players {
            let plain = player.split_once('*').map_or(player.as_str(), |(_, plain)| plain);
            let file = [plain, player.as_str()].into_iter().find_map(|text| Spec::file_in(text).ok().flatten());
            let Some(file) = file.as_deref().and_then(Path::to_str) else { continue };
            let Some(at) = rest.find(file) else { continue };
            text += &rest[..at];
            text += &self.named(file)?;
            rest = &rest[at + file.len()..];
        }
        Ok(text + rest)
    }

    /// What stands for the copy of a file.
    fn named(&mut self, file: &str) -> Result<String, Refusal> {
        Ok(format!("{OWN_FOLDER}{FILES}/{}", self.copy(file)?))
    }

    /// Copies a file once, and gives the copy's name.
    fn copy(&mut self, file: &str) -> Result<String, Refusal> {
        if let Some(name) = self.names.get(file) {
            return Ok(name.clone());
        }
        let path = Path::new(file);
        let bytes = files::read(path, Kind::Program)
            .map_err(|error| format!("cannot read {}: {}", plain::path(path), plain::reason(&error)))?;
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let own: String =
            own.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
        let name = format!("{}-{own}", self.names.len() + 1);
        let to = self.folder.join(&name);
        files::write_atomic(&to, &bytes)
            .map_err(|error| format!("cannot write {}: {}", plain::path(&to), plain::reason(&error)))?;
        self.sums.insert(name.clone(), checksum(&bytes));
        self.names.insert(file.to_owned(), name.clone());
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_files_are_copied_and_named_by_their_copies() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("my weights.toml");
        std::fs::write(&weights, "x").unwrap();
        let mut copies = Copies::into(&folder.path().join("plan"));
        let file = weights.to_str().unwrap();
        let value = format!("random, heuristic:4@{file}:ties=random, max, heuristic:2@{file}");
        let told = "random, heuristic:4@$PLAN/files/1-my_weights.toml:ties=random, max, heuristic:2@$PLAN/files/1-my_weights.toml";
        assert_eq!(copies.value(&value).unwrap(), told);
        assert_eq!(std::fs::read_to_string(folder.path().join("plan/files/1-my_weights.toml")).unwrap(), "x");
        let list = format!("[\"50*random\", \"2*heuristic:4@{file}\"]");
        assert_eq!(copies.value(&list).unwrap(), "[\"50*random\", \"2*heuristic:4@$PLAN/files/1-my_weights.toml\"]");
        assert_eq!(copies.sums.len(), 1);
        for other in ["minimax:4", "0.5", "tournament:5", "heuristic:2@0.1,0.2,0.3,1,0,0,0,0,0,1", "[\"if\", \"add\"]"]
        {
            assert_eq!(copies.value(other).unwrap(), other);
        }
        assert!(copies.value("heuristic:4@missing.toml").unwrap_err().to_string().contains("missing.toml"));
    }
}
