//! `mancalab runs tag` and `note`: what a person says about a run or plan, beside its results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use super::{find_kept, name};
use crate::cli::format::OutputArgs;
use crate::job::run_dir::Notes;
use crate::paths::Paths;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct TagArgs {
    /// Run or plan, by folder, name or unique start of the name
    pub run: PathBuf,
    /// Tags to add: letters, digits, '-', '_' and '.'
    #[arg(value_name = "TAG")]
    pub tags: Vec<String>,
    /// Tag to remove; may be given several times
    #[arg(long, value_name = "TAG")]
    pub remove: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct NoteArgs {
    /// Run or plan, by folder, name or unique start of the name
    pub run: PathBuf,
    /// The note, instead of the one there is
    pub text: Option<String>,
    /// Remove the note
    #[arg(long, conflicts_with = "text")]
    pub remove: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The tags and the note of a run or plan.
#[derive(Serialize)]
struct Json {
    name: String,
    tags: Vec<String>,
    note: String,
}

/// Prints the tags and the note for programs, or a line of them.
fn print(output: &OutputArgs, folder: &Path, notes: Notes, text: String) {
    output.print("runs-notes", &Json { name: name(folder), tags: notes.tags, note: notes.note }, || text + "\n");
}

/// Adds and removes tags, and prints those that there are then.
///
/// # Errors
/// There is no such run or plan, a text is no tag, a tag to remove is not there, or the file cannot be read or written.
pub fn tag(args: &TagArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = find_kept(&args.run, paths)?;
    let mut notes = Notes::read(&folder)?;
    let before = notes.clone();
    for tag in &args.remove {
        let Some(place) = notes.tags.iter().position(|known| known == tag) else {
            let known = if notes.tags.is_empty() { "none".to_owned() } else { notes.tags.join(", ") };
            bail!("{} has no tag '{}'; it has: {known}", sanitize::inline(&name(&folder)), sanitize::inline(tag));
        };
        notes.tags.remove(place);
    }
    for tag in &args.tags {
        notes.add(tag)?;
    }
    if notes != before {
        notes.write(&folder)?;
    }
    let text = if notes.tags.is_empty() { "no tags".to_owned() } else { notes.tags.join(" ") };
    print(&args.output, &folder, notes, text);
    Ok(ExitCode::SUCCESS)
}

/// Writes or removes the note, or prints it.
///
/// # Errors
/// There is no such run or plan, the note is too long, or the file cannot be read or written.
pub fn note(args: &NoteArgs, paths: &Paths) -> Result<ExitCode> {
    let folder = find_kept(&args.run, paths)?;
    let mut notes = Notes::read(&folder)?;
    if args.text.is_some() || args.remove {
        notes.note = args.text.clone().unwrap_or_default();
        notes.write(&folder)?;
    }
    let text = if notes.note.is_empty() { "no note".into() } else { sanitize::multiline(&notes.note).into_owned() };
    print(&args.output, &folder, notes, text);
    Ok(ExitCode::SUCCESS)
}
