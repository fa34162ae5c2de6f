//! Tags and a note of a run or plan, in a file of their own: no row depends on it, and it is written while the run is, too.

use std::path::Path;

use mancalab_base::{Error, bail};

use super::RUN;
use crate::files::{self, Kind};
use crate::sanitize;
use crate::settings::{self, Diagnostic, Report, Source, Table, quoted};

/// The file in a run's or a plan's folder.
pub const NOTES: &str = "notes.toml";

/// The files of which one is in the folder of every run and plan.
const OWNERS: [&str; 2] = [RUN, "plan.toml"];

/// Most characters of a tag, and most bytes of a note.
const TAG_MOST: usize = 40;
const NOTE_MOST: usize = 10_000;

/// What a person says about a run or plan.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// In alphabetical order.
    pub tags: Vec<String>,
    pub note: String,
}

impl Notes {
    /// Reads the tags and the note in a folder; none if there is no file.
    ///
    /// # Errors
    /// The file cannot be read or has errors: all of them, with their places.
    pub fn read(folder: &Path) -> Result<Notes, Error> {
        let path = folder.join(NOTES);
        let read = files::if_there(files::read(&path, Kind::Document)).map_err(Error::cannot("read", &path))?;
        Ok(read.map_or_else(|| Ok(Notes::default()), |bytes| Notes::parse(&path, bytes))?)
    }

    fn parse(path: &Path, bytes: Vec<u8>) -> Result<Notes, Report> {
        let mut notes = Notes::default();
        let source = Source::from_bytes(path.display().to_string(), bytes)?;
        settings::parse(&source, |top, problems| notes.take(top, problems))?;
        Ok(notes)
    }

    fn take(&mut self, top: &Table<'_>, problems: &mut Vec<Diagnostic>) {
        for entry in top.entries() {
            let read = match entry.key() {
                "note" => entry.text("a text").map(|text| self.note = text.to_owned()),
                "tags" => entry.items().into_iter().try_for_each(|item| {
                    let tag = item.text("a tag, or a list of tags")?;
                    self.add(tag).map_err(|_| item.wrong(format!("a tag of {TAG_RULE}")))
                }),
                _ => Err(top.unknown(&entry, "key", ["tags", "note"])),
            };
            problems.extend(read.err());
        }
    }

    /// Adds a tag, unless it is there.
    ///
    /// # Errors
    /// It has a character that a tag must not have, or too many.
    pub fn add(&mut self, tag: &str) -> Result<(), Error> {
        let is_valid = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if tag.is_empty() || tag.chars().count() > TAG_MOST || !tag.chars().all(is_valid) || tag.starts_with('-') {
            bail!("a tag consists of {TAG_RULE} (got '{}')", sanitize::inline(tag));
        }
        if let Err(place) = self.tags.binary_search_by(|known| known.as_str().cmp(tag)) {
            self.tags.insert(place, tag.to_owned());
        }
        Ok(())
    }

    /// Writes them into the folder of a run or plan; without any the file is deleted.
    ///
    /// # Errors
    /// It is no run's or plan's folder, the note is too long, or the system's error.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        if !OWNERS.iter().any(|owner| folder.join(owner).exists()) {
            bail!("{} is not a run's or plan's folder", sanitize::path(folder));
        }
        if self.note.len() > NOTE_MOST {
            bail!("a note has at most {NOTE_MOST} bytes (got {})", self.note.len());
        }
        let path = folder.join(NOTES);
        if *self != Notes::default() {
            return files::write_atomic(&path, self.to_text().as_bytes()).map_err(Error::cannot("write", &path));
        }
        files::if_there(std::fs::remove_file(&path)).map(drop).map_err(Error::cannot("delete", &path))
    }

    fn to_text(&self) -> String {
        let tags: Vec<String> = self.tags.iter().map(|tag| quoted(tag)).collect();
        format!(
            "# mancalab: tags and a note; no result depends on them\ntags = [{}]\nnote = {}\n",
            tags.join(", "),
            quoted(&self.note)
        )
    }
}

const TAG_RULE: &str = "up to 40 letters, digits, '-', '_' and '.', and does not begin with '-'";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(super::super::RUN), "").unwrap();
        folder
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(tags in prop::collection::vec("[a-zé0-9_.][a-z0-9_.-]{0,30}", 0..6), note in any::<String>()) {
            let folder = folder();
            let mut notes = Notes { note, ..Notes::default() };
            tags.iter().for_each(|tag| notes.add(tag).unwrap());
            notes.write(folder.path()).unwrap();
            prop_assert_eq!(Notes::read(folder.path()).unwrap(), notes.clone());
            prop_assert!(notes.tags.is_sorted() && notes.tags.len() <= tags.len());
            prop_assert_eq!(folder.path().join(NOTES).exists(), notes != Notes::default());
        }
    }

    #[test]
    fn what_is_no_tag_or_no_note_is_refused_by_place() {
        let folder = folder();
        for tag in ["", "-a", "a b", "a\n", &"x".repeat(41)] {
            assert!(Notes::default().add(tag).unwrap_err().to_string().contains("a tag consists of"), "{tag:?}");
        }
        std::fs::write(folder.path().join(NOTES), "tags = [\"ok\", \"no good\"]\nnotes = \"x\"\n").unwrap();
        let error = Notes::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("notes.toml") && error.contains("no good") && error.contains("notes"), "{error}");
        let none = tempfile::tempdir().unwrap();
        assert!(Notes::default().write(none.path()).unwrap_err().to_string().contains("not a run's or plan's folder"));
        let long = Notes { note: "x".repeat(NOTE_MOST + 1), ..Notes::default() };
        assert!(long.write(folder.path()).unwrap_err().to_string().contains("at most 10000 bytes"));
    }
}
