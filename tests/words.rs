//! Checks that replaced phrases do not return: in comments, messages, help, configuration and documentation.

use std::path::{Path, PathBuf};

/// Pairs of a phrase and its replacement.
const REPLACED: &[(&str, &str)] = &[
    ("unless told otherwise", "default: …"),
    ("is told", "is shown, is reported"),
    ("are told", "are shown, are reported"),
    ("goes on with", "resumes, continues"),
    ("go on with", "resume, continue"),
    ("gone on with", "resumed, continued"),
    ("going on with", "resuming, continuing"),
    ("is taken up", "is resumed"),
    ("taken up again", "resumed"),
    ("stands so", "is in this state"),
    ("that stand so", "in this state"),
    ("came forward", "was most recently active"),
    ("as if that had been asked for at once", "the result equals one longer run"),
    ("put together to", "merged into"),
    ("one after the other", "in turn, sequentially"),
    ("makes of every move", "the value of every move"),
    ("how far it is", "progress"),
    ("which looks back", "that depends on history"),
    ("looks back at", "depends on the history of"),
    ("rate of learning", "learning rate"),
    ("length of its gradient", "gradient norm"),
    ("the other way round", "reversed"),
    ("is no number", "is not a number"),
    ("is no game", "is not a game"),
    ("is no player", "is not a player"),
    ("'x' is none", "invalid …: expected …"),
    ("of its own make", "our own"),
    ("whoever else", "another process"),
    ("the crew", "the thread pool"),
    ("nobody has", "no one has"),
    ("draw the screen anew", "redraw"),
    ("esc leaves it as it was", "Esc: cancel"),
    ("let a run go on for longer", "extend a run"),
];

/// The folders already converted.
const FOLDERS: &[&str] = &["crates", "docs", "src", "tests", "themes"];

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "md" || kind == "toml" || kind == "snap")
        {
            found.push(path);
        }
    }
}

#[test]
fn replaced_phrases_do_not_come_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "config.toml"]
        .map(|name| root.join(name))
        .into();
    FOLDERS.iter().for_each(|folder| texts(&root.join(folder), &mut files));
    let mut back = Vec::new();
    // This file names the phrases.
    for path in files.into_iter().filter(|path| !path.ends_with("tests/words.rs")) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).to_lowercase();
        for (number, line) in text.lines().enumerate() {
            for (phrase, instead) in REPLACED.iter().filter(|(phrase, _)| line.contains(phrase)) {
                let place = path.strip_prefix(root).unwrap().display();
                back.push(format!("{place}:{}: \"{phrase}\"; write: {instead}", number + 1));
            }
        }
    }
    assert!(back.is_empty(), "{} phrases are back:\n{}", back.len(), back.join("\n"));
}
