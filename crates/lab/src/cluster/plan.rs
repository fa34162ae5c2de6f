//! Reads and creates plans, and checks their copied files.

use mancalab_base::{Error, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::layout::{ATTEMPTS, FILES, JOBS, LOGS, MARKS, MERGED, PLAN, RESULTS};
use super::manifest::{PlanManifest, check_sum, read_draft};
use crate::confined;
use crate::files::{self, Kind};
use crate::job::run_dir::{index, inputs};
use crate::job::{Manifest, RunSettings};
use crate::kinds::by_command;
use crate::sanitize;
use crate::settings::{self, Diagnostic, Source, Table};

/// A plan in its folder.
#[derive(Clone, Debug)]
pub struct Plan {
    folder: PathBuf,
    sum: String,
    draft: PlanManifest,
    source: Arc<Source>,
}

impl Plan {
    /// Reads the plan in a folder.
    ///
    /// # Errors
    /// There is no plan, or it was edited, is damaged or of another version. The message names the file and, where
    /// known, the position.
    pub fn open(folder: &Path) -> Result<Plan, Error> {
        let path = folder.join(PLAN);
        if !path.exists() {
            bail!("{} is not a plan: it has no {PLAN}", sanitize::path(folder));
        }
        let fail = Error::cannot("read", &path);
        let folder = fs::canonicalize(folder).map_err(fail)?;
        let text = files::read_text(&path, Kind::Document).map_err(fail)?;
        let sum = check_sum(&text).map_err(|reason| format!("{} {reason}", sanitize::path(&path)))?;
        let source = Source::new(path.display().to_string(), text);
        let draft = read_draft(&source)?;
        let preset = &draft.manifest.preset;
        index::check_name(preset).map_err(|reason| format!("{}: preset: {reason}", sanitize::path(&path)))?;
        confined::confine(&folder);
        check_parts(&folder)?;
        let own = env!("CARGO_PKG_VERSION");
        if draft.manifest.version != own {
            let made = &draft.manifest.version;
            bail!(
                "{} was created by mancalab {made}, and this is {own}; use that version, or create the plan again",
                sanitize::path(&path)
            );
        }
        Ok(Plan { folder, sum, draft, source })
    }

    /// Returns a plan without a folder, for inspection.
    ///
    /// # Errors
    /// The plan's text does not parse.
    pub fn unwritten(draft: &PlanManifest) -> Result<Plan, Error> {
        let source = Source::new("the plan", draft.text());
        let draft = read_draft(&source)?;
        Ok(Plan { folder: PathBuf::new(), sum: String::new(), draft, source })
    }

    /// Creates the plan in a folder that already holds the copied files.
    ///
    /// # Errors
    /// The file cannot be written, or not read again.
    pub fn create(folder: &Path, draft: &PlanManifest) -> Result<Plan, Error> {
        let path = folder.join(PLAN);
        let text = draft.text();
        files::write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
        Plan::open(folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder's name.
    pub fn name(&self) -> String {
        self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Returns the checksum of the plan's contents.
    pub fn sum(&self) -> &str {
        &self.sum
    }

    pub fn version(&self) -> &str {
        &self.draft.manifest.version
    }

    pub fn draft(&self) -> &PlanManifest {
        &self.draft
    }

    pub fn units(&self) -> u32 {
        self.draft.units
    }

    /// Reads the settings of the first run, before any variation.
    ///
    /// # Errors
    /// All problems in the settings, with positions; or the command has no runs of the kind.
    pub fn settings(&self) -> Result<Box<dyn RunSettings>, Error> {
        let Manifest { kind, .. } = &self.draft.manifest;
        let form = by_command(self.draft.run_command()).and_then(|command| command.form(kind));
        let Some(form) = form else {
            let folder = sanitize::path(&self.folder);
            bail!("{folder}: a plan of '{}' has no runs of the kind '{kind}'", self.draft.command);
        };
        self.section(form.read)
    }

    /// Reads `[settings]` of the first run with `read`, which records what it rejects.
    ///
    /// # Errors
    /// All problems in the settings, with positions.
    pub fn section<S>(&self, read: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Diagnostic>) -> S) -> Result<S, Error> {
        let mut section = None;
        settings::parse(&self.source, |top, problems| {
            let table =
                top.entries().into_iter().find(|value| value.key() == "settings").and_then(|value| value.table().ok());
            if let Some(table) = table {
                section = Some(read(&self.draft.manifest, &table, problems));
            }
        })?;
        section.ok_or_else(|| format!("{} has no [settings]", self.source.name()).into())
    }

    /// Runs `work`, opening the copies in place of the files that the settings name (on this thread).
    pub fn with_copies<T>(&self, work: impl FnOnce() -> T) -> T {
        inputs::with_copies(&self.draft.manifest.files, &self.folder, work)
    }

    /// Checks the copied files against their checksums.
    ///
    /// # Errors
    /// A file is missing or was changed.
    pub(super) fn check_files(&self) -> Result<(), Error> {
        inputs::check(&self.draft.manifest.files, &self.folder)
    }
}

#[cfg(test)]
impl Plan {
    /// Creates a plan for tests.
    pub fn tried(folder: &Path) -> Plan {
        let draft = PlanManifest {
            command: "evolve",
            manifest: Manifest::new("gp", "mancala-gp-2", 1, 9),
            settings: String::new(),
            seeds: vec![1, 2],
            vary: Vec::new(),
            blocks: Vec::new(),
            units: 2,
            seconds: 1.5,
            contents: 0,
        };
        Plan::create(folder, &draft).unwrap()
    }
}

/// Checks that no part of a plan's folder is a link.
fn check_parts(folder: &Path) -> Result<(), Error> {
    let parts = [FILES, RESULTS, MARKS, ATTEMPTS, MERGED, LOGS, JOBS].map(|part| folder.join(part));
    let is_link = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    let shelves = parts[1..4].iter().flat_map(|part| {
        confined::names(part).unwrap_or_default().into_iter().map(|shelf| part.join(shelf)).collect::<Vec<_>>()
    });
    match parts.iter().cloned().chain(shelves).find(is_link) {
        None => Ok(()),
        Some(link) => Err(format!("{} is a link, which a plan must not contain", sanitize::path(&link)).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::sum_line;
    use super::super::sweep::Vary;
    use super::*;
    use crate::job::run_dir::inputs::{FileCopy, Inputs};

    #[test]
    fn a_plan_comes_back_and_one_that_was_edited_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = Inputs::from([("1-a.txt".to_owned(), FileCopy { sum: 7, named: "x\"/a.txt".to_owned() })]);
        let draft = PlanManifest {
            command: "arena",
            manifest: Manifest { files, ..Manifest::new("tournament", "tournament", 3, 9) },
            settings: "# x\nplayers = \"gp:a.txt\"\n".to_owned(),
            seeds: vec![3, 4, 9],
            vary: vec![Vary::parse("a=1,2").unwrap()],
            blocks: vec![5, 7],
            units: 12,
            seconds: 1.5,
            contents: 9,
        };
        let plan = Plan::create(folder.path(), &draft).unwrap();
        assert_eq!(PlanManifest { settings: draft.settings.clone(), ..plan.draft.clone() }, draft);
        assert_eq!(plan.section(|_, table, _| table.entries()[0].setting()).unwrap(), "gp:a.txt");
        let path = folder.path().join(PLAN);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("units = 12", "units = 13")).unwrap();
        let error = Plan::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("plan.toml was edited since it was created"), "{error}");
        let changed = |from: &str, to: &str| {
            let (_, body) = text.split_once("\nplan = ").unwrap();
            let body = format!("plan = {body}").replace(from, to);
            fs::write(&path, format!("{}\n{body}", sum_line(&body))).unwrap();
            Plan::open(folder.path()).unwrap_err().to_string()
        };
        assert!(changed("version = \"0.1.0\"", "version = \"9.0.0\"").contains("was created by mancalab 9.0.0"));
        assert!(changed("seeds = \"3-4,9\"", "seeds = \"x\"").contains("seeds"));
        assert!(changed("units = 12\n", "").contains("`units` is missing"));
        assert!(Plan::open(&folder.path().join("no")).unwrap_err().to_string().contains("is not a plan"));
    }

    #[test]
    fn odd_names_and_values_come_back() {
        for odd in ["a b", "\"quoted\"", "back\\slash", "tab\there", "ümlaut 木", "[x] = #y", "a,b"] {
            let folder = tempfile::tempdir().unwrap();
            let mut draft = Plan::tried(folder.path()).draft.clone();
            // Presets are words, which reports show.
            draft.manifest.preset = odd.replace(['\t', '"', '\\', '[', ']'], " ");
            draft.vary = vec![Vary { key: "k".to_owned(), values: vec![odd.to_owned(), "z".to_owned()] }];
            draft.manifest.files = Inputs::from([
                (odd.to_owned(), FileCopy { sum: u64::MAX, named: odd.to_owned() }),
                ("0".to_owned(), FileCopy { sum: 0, named: String::new() }),
            ]);
            fs::remove_file(folder.path().join(PLAN)).unwrap();
            assert_eq!(Plan::create(folder.path(), &draft).unwrap().draft, draft, "{odd}");
        }
    }
}
