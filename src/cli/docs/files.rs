//! The page on files: the configuration with its defaults, files, environment variables and exit statuses.

use std::fmt::Write as _;

use super::{GENERATED, cell, code};
use crate::cli::manual;
use crate::config::DEFAULT_TEXT;

pub(super) fn page() -> String {
    let mut text = format!(
        "# Files and environment\n\n{GENERATED}Where the program keeps its files, which variables it reads, how its commands end, and every key of the \
         [configuration](configuration.md). [File formats](formats.md) describes what is in the files.\n"
    );
    for (heading, entries) in manual::sections() {
        let _ = write!(text, "\n## {}\n\n| | |\n|---|---|\n", sentence_case(heading));
        for (name, about) in entries {
            let names: Vec<String> = name.split(", ").map(code).collect();
            let _ = writeln!(text, "| {} | {} |", names.join(", "), cell(&about));
        }
    }
    text + &configuration()
}

fn sentence_case(heading: &str) -> String {
    let (first, rest) = heading.split_at(1);
    format!("{first}{}", rest.to_lowercase())
}

/// The keys of the default configuration, a table for each section.
fn configuration() -> String {
    let mut text =
        "\n## Keys of the configuration\n\n`mancalab config show` prints them as a file to copy from.\n".to_owned();
    for section in sections(DEFAULT_TEXT) {
        let _ = write!(text, "\n### \\[{}\\]\n", section.name);
        if !section.about.is_empty() {
            let _ = write!(text, "\n{}\n", escaped(&section.about));
        }
        if !section.keys.is_empty() {
            text += "\n| Key | Default | Meaning |\n|---|---|---|\n";
        }
        for key in section.keys {
            let _ = writeln!(text, "| {} | {} | {} |", code(key.name), code(key.value), cell(&escaped(&key.about)));
        }
    }
    text
}

/// Escapes what Markdown would take for emphasis or HTML.
fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "&lt;")
}

struct Section<'a> {
    name: &'a str,
    about: String,
    keys: Vec<Key<'a>>,
}

struct Key<'a> {
    name: &'a str,
    value: &'a str,
    about: String,
}

/// Reads sections and keys with the comments before them. A comment that an empty line ends is about the section.
fn sections(file: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section> = Vec::new();
    let mut comment = String::new();
    for line in file.lines() {
        if let Some(more) = line.strip_prefix('#') {
            comment = format!("{comment} {}", more.trim()).trim().to_owned();
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            sections.push(Section { name, about: String::new(), keys: Vec::new() });
            comment.clear();
        } else if let (Some((name, value)), Some(section)) = (line.split_once(" = "), sections.last_mut()) {
            // Keys that follow each other share the comment before the first.
            let shared = section.keys.last().map(|key| key.about.clone()).filter(|_| comment.is_empty());
            let about = shared.unwrap_or_else(|| std::mem::take(&mut comment));
            section.keys.push(Key { name, value, about });
        } else if let (Some(section), false) = (sections.last_mut(), comment.is_empty()) {
            if section.keys.is_empty() {
                section.about = std::mem::take(&mut comment);
            }
        } else {
            comment.clear();
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_configuration_has_a_meaning() {
        let sections = sections(DEFAULT_TEXT);
        let names: Vec<&str> = sections.iter().map(|section| section.name).collect();
        let table: toml::Table = DEFAULT_TEXT.parse().unwrap();
        assert_eq!(names.len(), table.len());
        for section in sections {
            let keys = table[section.name].as_table().unwrap();
            assert_eq!(section.keys.len(), keys.len(), "{}", section.name);
            for key in section.keys {
                assert!(keys.contains_key(key.name) && !key.about.is_empty(), "{} {}", section.name, key.name);
            }
        }
    }
}
