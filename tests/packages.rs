//! The packages that the program is built from.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Returns what cargo knows of all packages that may be built here.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--all-features",
            "--filter-platform",
            env!("MANCALAB_TARGET"),
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("cargo lists no packages") };
    packages
}

fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|part| part.parse().unwrap()).collect()
}

#[test]
fn no_package_needs_a_newer_compiler_than_the_readme_names() {
    let ours = env!("CARGO_PKG_RUST_VERSION");
    assert!(include_str!("../README.md").contains(&format!("[Rust](https://rustup.rs) {ours} or newer")));
    for package in packages() {
        if let Some(needed) = package["rust_version"].as_str() {
            let name = &package["name"];
            let at = &package["version"];
            assert!(version(needed)[..2] <= version(ours)[..2], "{name} {at} needs Rust {needed}");
        }
    }
}

#[test]
fn every_crate_carries_the_texts_of_its_licence() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates")).unwrap() {
        let folder = entry.unwrap().path();
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + name).unwrap();
            assert!(std::fs::read_to_string(folder.join(name)).is_ok_and(|text| text == own), "{}", folder.display());
        }
    }
}

/// The front page of a crate's documentation is its README, whose example cargo runs where the manifest does not say otherwise.
#[test]
fn every_crate_has_a_front_page_with_an_example_that_is_run() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates")).unwrap() {
        let folder = entry.unwrap().path();
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let readme = read("README.md");
        assert!(
            readme.starts_with(&format!("# mancalab-{name}\n")) && readme.matches("```rust\n").count() == 1,
            "{name}"
        );
        assert!(read("src/lib.rs").starts_with("#![doc = include_str!(\"../README.md\")]\n"), "{name}");
        assert!(!read("Cargo.toml").contains("doctest = false"), "{name}");
    }
    // The program's own package has none.
    assert!(!has_examples(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))));
}

/// Returns whether a documentation comment below `folder` has a block of code.
fn has_examples(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return has_examples(&path);
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let fences =
            text.lines().map(str::trim_start).filter(|line| line.starts_with("///") || line.starts_with("//!"));
        let mut fences = fences.filter(|line| line.contains("```"));
        // Every second one ends a block.
        std::iter::from_fn(|| fences.next().inspect(|_| _ = fences.next())).any(|fence| !fence.contains("```text"))
    })
}

/// The version is what the manifests say, and the repository too.
#[test]
fn the_citation_names_this_version() {
    let citation = include_str!("../CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {}\n", env!("CARGO_PKG_VERSION"))));
    assert!(citation.contains(&format!("\nrepository-code: {}\n", env!("CARGO_PKG_REPOSITORY"))));
}
