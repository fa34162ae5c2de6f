//! `run.toml`: the complete settings of a run.

use mancalab_base::{Error, bail};
use std::path::Path;
use std::sync::Arc;

use super::index;
use super::inputs::{self, FILES, Inputs};
use super::parent::{PARENT, Parent};
use crate::confined;
use crate::files::{self, Kind};
use crate::settings::{self, Diagnostic, Source, Table, Value};

/// The mark of runs whose rows differ each time.
pub const NOT_REPRODUCIBLE: &str = "not reproducible";

/// The description of a run, the same for every kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The kind in a word, such as `gp`.
    pub kind: String,
    /// The preset it started from.
    pub preset: String,
    /// Determines all random choices; at most `i64::MAX`, the largest integer of TOML.
    pub seed: u64,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    /// The version of mancalab that started it.
    pub version: String,
    /// Whether its settings alone determine its rows. If not, the file has `reproducible = false`.
    pub reproducible: bool,
    /// The run that it was forked from.
    pub parent: Option<Parent>,
    /// Copies of the files that the settings name.
    pub files: Inputs,
}

impl Manifest {
    /// Creates the manifest of a new run.
    pub fn new(kind: &str, preset: &str, seed: u64, generations: u64) -> Manifest {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Manifest {
            kind: kind.to_owned(),
            preset: preset.to_owned(),
            seed,
            generations,
            version,
            reproducible: true,
            parent: None,
            files: Inputs::new(),
        }
    }

    /// Returns the preset for lists, marked if the run is not reproducible.
    pub fn preset_marked(&self) -> String {
        if self.reproducible { self.preset.clone() } else { format!("{} ({NOT_REPRODUCIBLE})", self.preset) }
    }

    /// Returns the file's text; `settings` are the lines of `[settings]`.
    pub(crate) fn to_text(&self, settings: &str) -> String {
        let Manifest { kind, preset, seed, generations, version, reproducible, parent, files } = self;
        let parent = parent.as_ref().map(Parent::to_text).unwrap_or_default();
        let [kind, preset, version] = [kind, preset, version].map(|text| settings::quoted(text));
        let [provenance, mark] = match reproducible {
            true => ["The same file gives the same generations.csv.", ""],
            false => [
                "The same file gives another generations.csv each time: times, threads or other programs are not the same again.",
                "reproducible = false\n",
            ],
        };
        format!(
            "# A run of mancalab: all that decides what it computes. {provenance}\n\
             kind = {kind}\npreset = {preset}\nseed = {seed}\ngenerations = {generations}\nversion = {version}\n{mark}\n\
             {parent}{}[settings]\n{settings}",
            inputs::to_text(files)
        )
    }

    /// Reads `run.toml` in `folder`; `settings` reads `[settings]` and notes problems.
    ///
    /// # Errors
    /// All problems of the file, with their places.
    pub(crate) fn read<S>(
        folder: &Path,
        settings: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> S,
    ) -> Result<(Manifest, S), Error> {
        index::check_folder(folder)?;
        // Whoever made the folder may have put links to other files into it.
        confined::confine(folder);
        let path = folder.join(super::RUN);
        if !path.exists() {
            bail!("{} holds no run: {} is missing", folder.display(), super::RUN);
        }
        let bytes = files::read(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
        let source = Source::from_bytes(path.display().to_string(), bytes)?;
        Manifest::parse(&source, settings)
    }

    /// The same for its text.
    ///
    /// # Errors
    /// See [`read`](Manifest::read).
    pub(crate) fn parse<S>(
        source: &Arc<Source>,
        settings: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> S,
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
            problems.extend(missing.iter().map(|key| Diagnostic::new(top.at(), format!("`{key}` is missing"))));
            if let Some(section) = section.filter(|_| problems.is_empty()) {
                let settings = settings(&manifest, &section, problems);
                read = Some((manifest, settings));
            }
        })?;
        read.ok_or_else(|| format!("{} is not complete", source.name()).into())
    }

    fn set(&mut self, top: &Table<'_>, value: &Value<'_>) -> Result<(), Diagnostic> {
        let whole = || {
            let number = value.whole_number().and_then(|number| u64::try_from(number).ok());
            number.ok_or_else(|| value.wrong(format!("a whole number from 0 to {}", i64::MAX)))
        };
        match value.key() {
            "kind" => self.kind = word(value, "a kind of run such as \"gp\"")?,
            "preset" => self.preset = word(value, "the name of a preset")?,
            "version" => self.version = word(value, "a version such as \"0.1.0\"")?,
            "seed" => self.seed = whole()?,
            "generations" => self.generations = whole()?,
            "reproducible" => self.reproducible = value.flag()?,
            PARENT => self.parent = Some(Parent::read(value)?),
            FILES => self.files = inputs::read(value)?,
            _ => {
                let known =
                    ["kind", "preset", "seed", "generations", "version", "reproducible", PARENT, FILES, "settings"];
                return Err(top.unknown(value, "key", known));
            }
        }
        Ok(())
    }
}

/// Reads a word, which is safe in every text and table that it reaches: letters, digits, `-`, `_`, `.` and `+`, with a letter or
/// digit at the beginning. An empty text is one too.
fn word(value: &Value<'_>, what: &str) -> Result<String, Diagnostic> {
    let text = value.text(what)?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric()) || text.is_empty();
    if !begins || !text.chars().all(is_word) {
        return Err(value.wrong(format!("{what}: letters, digits, '-', '_', '.' and '+'")));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = "[a-zA-Z0-9][-a-zA-Z0-9_.+]{0,20}";

    #[test]
    fn words_that_would_be_markup_or_formulas_are_refused() {
        for odd in ["<b>", "[a](http://b)", "=1+1", "@a", "+1", "-a", "a b", "a|b"] {
            let text = Manifest::new("gp", odd, 1, 2).to_text("");
            let error = Manifest::parse(&Source::new("run.toml", text), |_, _, _| ()).unwrap_err().to_string();
            assert!(error.contains("expected the name of a preset: letters, digits"), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_its_texts_hold_they_come_back(
            kind in WORD, preset in WORD, version in WORD, seed in 0..=i64::MAX as u64, generations in 0..=i64::MAX as u64,
            reproducible: bool, forked: bool, run in ".{0,9}", sum: u64,
        ) {
            let parent = forked.then_some(Parent { run, generation: seed, sum });
            let files = Inputs::new();
            let written = Manifest { kind, preset, seed, generations, version, reproducible, parent, files };
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
