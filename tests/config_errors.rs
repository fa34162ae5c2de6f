//! Error messages for config files: every file of `tests/configs`, with the exact text.

use std::fs;
use std::path::Path;

use mancalab::config::{Config, DEFAULT_TEXT};
use mancalab::paths::Paths;
use proptest::prelude::*;

#[test]
fn mistakes_are_told_in_full() {
    // Relative, so that the texts do not depend on the project's location.
    let mut files: Vec<_> = fs::read_dir("tests/configs").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 25);
    let mut output = String::new();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let checked = Config::check_file(&file, &Paths::default());
        assert_eq!(checked.is_ok(), name.starts_with("ok_"), "{name}");
        if let Err(err) = checked {
            output += &format!("---- {name}\n{err}\n\n");
        }
    }
    insta::assert_snapshot!(output);
}

#[test]
fn the_default_file_has_no_mistakes() {
    Config::check_file(Path::new("config.toml"), &Paths::default()).unwrap();
}

#[test]
fn a_missing_file_is_a_mistake() {
    let err = Config::check_file(Path::new("tests/configs/none.toml"), &Paths::default()).unwrap_err();
    assert_eq!(err.to_string(), "error: cannot read tests/configs/none.toml: no such file or directory");
}

proptest! {
    /// A damaged file is either read or rejected with a position, without panics.
    #[test]
    fn damaged_files_are_read_or_refused(at in 0..DEFAULT_TEXT.len(), cut in 0..40usize, put in "\\PC{0,3}|[\\[\\]{}=\"'\\\\\n\t ,.#]{1,4}") {
        let before = DEFAULT_TEXT.chars().take(at);
        let after = DEFAULT_TEXT.chars().skip(at + cut);
        let text: String = before.chain(put.chars()).chain(after).collect();
        if let Err(report) = Config::check_text("x.toml", &text) {
            prop_assert!(report.to_string().contains("--> x.toml:"), "{}", report);
        }
    }
}
