//! The run that a run was forked from: `[parent]` in `run.toml`, and in the folder `parent` what its rows follow from, so that the
//! fork's first rows can be computed again wherever the parent is.

use mancalab_base::{Error, bail};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::inputs::FILES;
use super::{Manifest, RUN, inputs};
use crate::codec::checksum;
use crate::confined;
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::{Diagnostic, Value, quoted};

/// The folder, and the section of `run.toml`.
pub const PARENT: &str = "parent";

/// Maximum number of forks from forks.
const MOST: usize = 32;

/// The run that a run was forked from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parent {
    /// The name of its folder at that time.
    pub run: String,
    /// The last generation that both have in common.
    pub generation: u64,
    /// Checksum of its `run.toml`.
    pub sum: u64,
}

impl Parent {
    /// Returns the section of `run.toml`.
    pub(super) fn to_text(&self) -> String {
        let Parent { run, generation, sum } = self;
        format!("[{PARENT}]\nrun = {}\ngeneration = {generation}\nsum = \"{sum:016x}\"\n\n", quoted(run))
    }

    /// Reads that section.
    ///
    /// # Errors
    /// An entry is missing, unknown or malformed.
    pub(super) fn read(section: &Value<'_>) -> Result<Parent, Diagnostic> {
        let table = section.table()?;
        let mut run = None;
        let mut generation = None;
        let mut sum = None;
        for value in table.entries() {
            match value.key() {
                "run" => run = Some(value.text("the name of a run")?.to_owned()),
                "generation" => {
                    let number = value.whole_number().and_then(|number| u64::try_from(number).ok());
                    generation = Some(number.ok_or_else(|| value.wrong("the number of a generation"))?);
                }
                "sum" => {
                    let text = value.text("a checksum")?;
                    let read = u64::from_str_radix(text, 16).map_err(|_| value.wrong("a checksum of 16 digits"))?;
                    sum = Some(read);
                }
                _ => return Err(table.unknown(&value, "key", ["run", "generation", "sum"])),
            }
        }
        match (run, generation, sum) {
            (Some(run), Some(generation), Some(sum)) => Ok(Parent { run, generation, sum }),
            _ => Err(section.wrong("run, generation and sum of the run it was forked from")),
        }
    }

    /// Checks the copy of its `run.toml` in the folder of the fork.
    ///
    /// # Errors
    /// It is missing or was changed.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(PARENT).join(RUN);
        let bytes = files::read(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
        if checksum(&bytes) != self.sum {
            bail!("{}, a copy of {} of the run {}, was changed; restore it", sanitize::path(&path), RUN, self.run);
        }
        Ok(())
    }
}

/// Copies what the rows of the run in `from` follow from into the folder of a fork, and returns it as the parent.
///
/// # Errors
/// A file cannot be read or written, or it was forked too often.
pub(crate) fn copy(from: &Path, generation: u64, into: &Path) -> Result<Parent, Error> {
    if folders(from).count() >= MOST {
        bail!("{} was forked {MOST} times already", sanitize::path(from));
    }
    let to = into.join(PARENT);
    let mut sum = 0;
    let mut parent = Vec::new();
    for (folder, level) in folders(from).zip(0..) {
        let to = (0..level).fold(to.clone(), |to, _| to.join(PARENT));
        let path = folder.join(RUN);
        let bytes = files::read(&path, Kind::Document).map_err(Error::cannot("read", &path))?;
        if level == 0 {
            sum = checksum(&bytes);
        }
        parent.push((to.join(RUN), bytes));
        let (manifest, ()) = Manifest::read(&folder, |_, _, _| ())?;
        for name in manifest.files.keys() {
            let path = folder.join(FILES).join(name);
            let bytes = files::read(&path, Kind::Program).map_err(Error::cannot("read", &path))?;
            parent.push((to.join(FILES).join(name), bytes));
        }
    }
    for (path, bytes) in parent {
        path.parent().map_or(Ok(()), confined::create_folders).map_err(Error::cannot("write", &path))?;
        files::write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))?;
    }
    let name = from.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Parent { run: name.unwrap_or_default(), generation, sum })
}

/// Returns the folder of a run and those of the runs it was forked from, the nearest first.
fn folders(run: &Path) -> impl Iterator<Item = PathBuf> {
    std::iter::successors(Some(run.to_owned()), |folder| {
        let parent = folder.join(PARENT);
        parent.join(RUN).exists().then_some(parent)
    })
    .take(MOST)
}

/// Deletes the folder of a fork's parent, unless it holds other files. Follows no link.
pub(super) fn delete(folder: &Path) -> io::Result<()> {
    let nested = folder.join(PARENT);
    if fs::symlink_metadata(&nested).is_ok_and(|meta| meta.is_dir()) {
        delete(&nested)?;
    }
    let inputs = Manifest::read(folder, |_, _, _| ()).map(|(manifest, ())| manifest.files).unwrap_or_default();
    inputs::delete(&inputs, folder)?;
    if fs::symlink_metadata(folder.join(RUN)).is_ok_and(|meta| meta.is_file()) {
        fs::remove_file(folder.join(RUN))?;
    }
    // Other files stay, and the folder with them.
    let _ = fs::remove_dir(folder);
    Ok(())
}
