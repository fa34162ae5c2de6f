//! All modules of the crate, and which of them import which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::source::{self, Path, Source};

/// A module by its names from the root on: `player::program` is two, the root itself none.
pub type Module = Vec<String>;

/// A file that imports something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Import {
    pub file: String,
    pub line: usize,
    pub from: Module,
    /// Where what is imported stands, as the file says it: a module, and mostly a name in it.
    pub path: Module,
}

/// The modules, each with its file and what it says.
pub struct House {
    modules: BTreeMap<Module, (String, Source)>,
}

/// Every file of the crate and its text, by its path from the crate's folder on.
pub fn files() -> Vec<(String, String)> {
    let root = env!("CARGO_MANIFEST_DIR");
    let (mut files, mut folders) = (Vec::new(), vec!["src".to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(format!("{root}/{folder}")).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.ends_with(".rs") {
                files.push((path.clone(), fs::read_to_string(format!("{root}/{path}")).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// The module that a file holds; `main.rs` counts as one beside all others.
fn module_of(file: &str) -> Module {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut names: Module = path.split('/').map(str::to_owned).collect();
    names.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
    names
}

impl House {
    /// The modules in these files, without those that are there for tests only.
    pub fn new(files: &[(String, String)]) -> House {
        let modules: BTreeMap<Module, (String, Source)> =
            files.iter().map(|(file, text)| (module_of(file), (file.clone(), source::read(text)))).collect();
        let only_tests: BTreeSet<Module> = modules
            .iter()
            .flat_map(|(module, (_, source))| {
                source.only_tests.iter().map(|name| [&module[..], std::slice::from_ref(name)].concat())
            })
            .collect();
        let is_kept = |module: &Module| !only_tests.iter().any(|tests| module.starts_with(tests));
        House { modules: modules.into_iter().filter(|(module, _)| is_kept(module)).collect() }
    }

    pub fn modules(&self) -> impl Iterator<Item = (&Module, &str)> {
        self.modules.iter().map(|(module, (file, _))| (module, file.as_str()))
    }

    /// Modules that are written out in another's file: this reader takes a file for a module.
    pub fn inner(&self) -> Vec<String> {
        let of = |(file, source): &(String, Source)| {
            source.inner.iter().map(|name| format!("{file}: mod {name}")).collect::<Vec<_>>()
        };
        self.modules.values().flat_map(of).collect()
    }

    /// All imports from this crate.
    pub fn imports(&self) -> Vec<Import> {
        let of = |(from, (file, source)): (&Module, &(String, Source))| {
            let import = |path: &Path| {
                let Path { segments, line, .. } = path;
                let path = self.absolute(from, segments)?;
                Some(Import { file: file.clone(), line: *line, from: from.clone(), path })
            };
            source.paths.iter().filter_map(import).collect::<Vec<_>>()
        };
        self.modules.iter().flat_map(of).collect()
    }

    /// A path from the root on; `None` if it is none of this crate's.
    fn absolute(&self, from: &[String], segments: &[String]) -> Option<Module> {
        let (first, rest) = segments.split_first()?;
        match first.as_str() {
            "crate" | "mancalab" => Some(rest.to_vec()),
            "self" => Some([from, rest].concat()),
            "super" => {
                let mut from = from.to_vec();
                let up = segments.iter().take_while(|segment| *segment == "super").count();
                from.truncate(from.len().checked_sub(up)?);
                Some([&from[..], &segments[up..]].concat())
            }
            _ => {
                let child = [from, std::slice::from_ref(first)].concat();
                self.modules.contains_key(&child).then(|| [from, segments].concat())
            }
        }
    }

    /// The module in which the thing at a path really stands: where a module only passes it on, the one it has it from.
    pub fn home(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        // Nobody passes a thing on more often.
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length])).unwrap_or(0);
            let (module, rest) = path.split_at(known);
            let Some((_, source)) = self.modules.get(module) else { return module.to_vec() };
            let passed = rest.first().and_then(|name| {
                let named = source.paths.iter().find(|path| path.name.as_ref() == Some(name))?;
                self.absolute(module, &named.segments)
            });
            match passed {
                Some(passed) if passed != path => path = [&passed[..], &rest[1..]].concat(),
                _ => return module.to_vec(),
            }
        }
        path
    }
}
