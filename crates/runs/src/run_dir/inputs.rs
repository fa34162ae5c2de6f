//! Copies of the files that a run's or a plan's settings name, such as an opponent's program.
//!
//! A run reads its copies, never the originals: a changed or missing original changes no row. Their checksums are in `run.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use mancalab_base::{Error, bail};

use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::{Diagnostic, Value, quoted};

/// The folder of the copies.
pub const FILES: &str = "files";

/// Copied files by their names in [`FILES`].
pub type Inputs = BTreeMap<String, FileCopy>;

/// A file that was copied into the folder of a run or plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileCopy {
    /// Checksum of its content.
    pub sum: u64,
    /// Its path in the settings.
    pub named: String,
}

/// Copies the files with these paths into `folder`.
///
/// # Errors
/// A file cannot be read or copied: which.
pub fn copy(paths: &BTreeSet<PathBuf>, folder: &Path) -> Result<Inputs, Error> {
    let one = |(number, path): (usize, &PathBuf)| {
        let named = path.to_str().ok_or_else(|| format!("the path {} must be UTF-8", sanitize::path(path)))?;
        let bytes = files::read(path, Kind::Program).map_err(Error::cannot("read", path))?;
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let own: String = own
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' })
            .take(100)
            .collect();
        let name = format!("{}-{own}", number + 1);
        let to = folder.join(FILES).join(&name);
        files::write_atomic(&to, &bytes).map_err(Error::cannot("write", &to))?;
        Ok((name, FileCopy { sum: checksum(&bytes), named: named.to_owned() }))
    };
    paths.iter().enumerate().map(one).collect()
}

/// The section `[files]` in TOML; empty without files.
pub fn to_text(inputs: &Inputs) -> String {
    let line = |(name, FileCopy { sum, named }): (&String, &FileCopy)| {
        format!("{} = [\"{sum:016x}\", {}]\n", quoted(name), quoted(named))
    };
    if inputs.is_empty() {
        String::new()
    } else {
        format!("[{FILES}]\n{}\n", inputs.iter().map(line).collect::<String>())
    }
}

/// Reads the section `[files]`.
///
/// # Errors
/// An entry is malformed or names a file outside of the folder: which.
pub fn read(section: &Value<'_>) -> Result<Inputs, Diagnostic> {
    let entry = |file: &Value<'_>| {
        let texts: Vec<&str> = file.items().iter().filter_map(Value::as_text).collect();
        let copied = match texts[..] {
            [sum, named] => u64::from_str_radix(sum, 16).ok().map(|sum| FileCopy { sum, named: named.to_owned() }),
            _ => None,
        };
        let is_name = !file.key().is_empty() && !file.key().contains('/') && !file.key().starts_with('.');
        let copied = copied.filter(|_| is_name);
        let copied = copied.ok_or_else(|| file.wrong("the sum of a file in files/ and its name in settings"))?;
        Ok((file.key().to_owned(), copied))
    };
    section.table()?.entries().iter().map(entry).collect()
}

/// Runs `work`; on this thread it reads the copies in `folder` where settings name the originals.
pub fn with_copies<T>(inputs: &Inputs, folder: &Path, work: impl FnOnce() -> T) -> T {
    let folder = folder.join(FILES);
    let copies = inputs.iter().map(|(name, copied)| (PathBuf::from(&copied.named), folder.join(name)));
    files::substituting(copies.collect(), work)
}

/// Checks the copies in `folder` against their checksums.
///
/// # Errors
/// A copy is missing or was changed: which.
pub fn check(inputs: &Inputs, folder: &Path) -> Result<(), Error> {
    for (name, FileCopy { sum, named }) in inputs {
        let path = folder.join(FILES).join(name);
        let bytes = files::read(&path, Kind::Program).map_err(|error| {
            let path = sanitize::path(&path);
            let reason = sanitize::reason(&error);
            format!("cannot read {path}, the copy of {}: {reason}", sanitize::inline(named))
        })?;
        if checksum(&bytes) != *sum {
            let path = sanitize::path(&path);
            let named = sanitize::inline(named);
            bail!("{path}, the copy of {named}, was changed; restore it, or start again");
        }
    }
    Ok(())
}

/// Deletes the copies in `folder`, and the folder of the copies if it is then empty.
pub(super) fn delete(inputs: &Inputs, folder: &Path) -> io::Result<()> {
    for path in inputs.keys().map(|name| folder.join(FILES).join(name)) {
        if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()) {
            fs::remove_file(&path)?;
        }
    }
    // Other files stay, and the folder with them.
    let _ = fs::remove_dir(folder.join(FILES));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_copied_under_safe_names_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("my weights.toml");
        fs::write(&weights, "x").unwrap();
        let plan = folder.path().join("plan");
        let copies = copy(&BTreeSet::from([weights.clone()]), &plan).unwrap();
        assert_eq!(copies["1-my_weights.toml"].named, weights.to_str().unwrap());
        fs::write(&weights, "y").unwrap();
        let read = || fs::read_to_string(plan.join("files/1-my_weights.toml")).unwrap();
        assert_eq!(read(), "x");
        assert_eq!(check(&copies, &plan), Ok(()));
        let bytes = with_copies(&copies, &plan, || files::read(&weights, Kind::Program));
        assert_eq!(bytes.unwrap(), b"x");
        fs::write(plan.join("files/1-my_weights.toml"), "z").unwrap();
        let changed = check(&copies, &plan).unwrap_err().to_string();
        assert!(changed.contains("1-my_weights.toml") && changed.contains("was changed"), "{changed}");
        let missing = copy(&BTreeSet::from([PathBuf::from("missing.toml")]), folder.path());
        assert!(missing.unwrap_err().to_string().contains("cannot read missing.toml"));
    }
}
