//! `run.toml`: what runs, in full.

use mancalab_base::{Error, bail};
use std::path::Path;
use std::sync::Arc;

use super::inputs::{self, FILES, Inputs};
use crate::files::{self, Kind};
use crate::settings::{self, Problem, Source, Table, Value};

/// How a run is marked whose rows are others each time.
pub const NOT_REPRODUCIBLE: &str = "not reproducible";

/// What every kind of run says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// What runs, in a word, such as `gp`.
    pub kind: String,
    /// The settings it started from.
    pub preset: String,
    /// All chance follows from it; at most `i64::MAX`, the largest that TOML can write.
    pub seed: u64,
    /// How many generations follow the first, number 0.
    pub generations: u64,
    /// The version of mancalab that began it.
    pub version: String,
    /// Its rows follow from these settings alone. Where they do not, the file says `reproducible = false`.
    pub reproducible: bool,
    /// Copies of the files that the settings name.
    pub files: Inputs,
}

impl Manifest {
    /// Of a run that begins now.
    pub fn new(kind: &str, preset: &str, seed: u64, generations: u64) -> Manifest {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Manifest {
            kind: kind.to_owned(),
            preset: preset.to_owned(),
            seed,
            generations,
            version,
            reproducible: true,
            files: Inputs::new(),
        }
    }

    /// The preset, for lists: and that the run would not come out the same again, if so.
    pub fn preset_marked(&self) -> String {
        if self.reproducible { self.preset.clone() } else { format!("{} ({NOT_REPRODUCIBLE})", self.preset) }
    }

    /// The file, `settings` being the lines of its `[settings]`.
    pub(crate) fn to_text(&self, settings: &str) -> String {
        let Manifest { kind, preset, seed, generations, version, reproducible, files } = self;
        let [kind, preset, version] = [kind, preset, version].map(|text| settings::quoted(text));
        let [promise, mark] = match reproducible {
            true => ["The same file gives the same generations.csv.", ""],
            false => [
                "The same file gives another generations.csv each time: its threads wait for nobody.",
                "reproducible = false\n",
            ],
        };
        format!(
            "# A run of mancalab: all that decides what it computes. {promise}\n\
             kind = {kind}\npreset = {preset}\nseed = {seed}\ngenerations = {generations}\nversion = {version}\n{mark}\n\
             {}[settings]\n{settings}",
            inputs::to_text(files)
        )
    }

    /// Reads `run.toml` in `folder`; `settings` reads its `[settings]`, and notes what it does not accept.
    ///
    /// # Errors
    /// All that is wrong with the file, told with the places.
    pub(crate) fn read<S>(
        folder: &Path,
        settings: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Problem>) -> S,
    ) -> Result<(Manifest, S), Error> {
        let path = folder.join(super::RUN);
        if !path.exists() {
            bail!("{} holds no run: there is no {}", folder.display(), super::RUN);
        }
        let bytes = files::read(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
        let source = Source::from_bytes(path.display().to_string(), bytes)?;
        Manifest::parse(&source, settings)
    }

    /// The same of its text.
    ///
    /// # Errors
    /// See [`read`](Manifest::read).
    pub(crate) fn parse<S>(
        source: &Arc<Source>,
        settings: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Problem>) -> S,
    ) -> Result<(Manifest, S), Error> {
        let mut read = None;
        settings::parse(source, |top, problems| {
            let mut manifest = Manifest::new("", "", 0, 0);
            let mut section = None;
            let mut missing = vec!["kind", "preset", "seed", "generations", "version", "settings"];
            for value in top.entries() {
                missing.retain(|key| *key != value.key());
                let entry = match value.key() {
                    "settings" => value.table().map(|table| section = Some(table)),
                    _ => manifest.set(top, &value),
                };
                problems.extend(entry.err());
            }
            problems.extend(missing.iter().map(|key| Problem::new(top.at(), format!("`{key}` is missing"))));
            if let Some(section) = section.filter(|_| problems.is_empty()) {
                let settings = settings(&manifest, &section, problems);
                read = Some((manifest, settings));
            }
        })?;
        read.ok_or_else(|| format!("{} is not complete", source.name()).into())
    }

    fn set(&mut self, top: &Table<'_>, value: &Value<'_>) -> Result<(), Problem> {
        let whole = || {
            let number = value.whole_number().and_then(|number| u64::try_from(number).ok());
            number.ok_or_else(|| value.wrong(format!("a whole number from 0 to {}", i64::MAX)))
        };
        match value.key() {
            "kind" => self.kind = value.text("a kind of run such as \"gp\"")?.to_owned(),
            "preset" => self.preset = value.text("the name of a preset")?.to_owned(),
            "version" => self.version = value.text("a version such as \"0.1.0\"")?.to_owned(),
            "seed" => self.seed = whole()?,
            "generations" => self.generations = whole()?,
            "reproducible" => self.reproducible = value.flag()?,
            FILES => self.files = inputs::read(value)?,
            _ => {
                let known = ["kind", "preset", "seed", "generations", "version", "reproducible", FILES, "settings"];
                return Err(top.unknown(value, "key", known));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn whatever_its_texts_hold_they_come_back(
            kind: String, preset: String, version: String, seed in 0..=i64::MAX as u64, generations in 0..=i64::MAX as u64,
            reproducible: bool,
        ) {
            let written = Manifest { kind, preset, seed, generations, version, reproducible, files: Inputs::new() };
            let source = Source::new("run.toml", written.to_text("# nothing\n"));
            let (read, ()) = Manifest::parse(&source, |_, _, _| ()).unwrap();
            proptest::prop_assert_eq!(read, written);
        }
    }

    #[test]
    fn plain_texts_are_written_as_they_always_were() {
        let text = Manifest::new("gp", "mancala-gp-1", 1, 2).to_text("");
        assert!(text.contains("\nkind = \"gp\"\npreset = \"mancala-gp-1\"\nseed = 1\n"), "{text}");
        assert!(!text.contains("reproducible"), "{text}");
    }
}
