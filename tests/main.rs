//! All integration tests in one binary: linking one is faster than linking thirty, and they share one build.

mod any_game;
mod book;
mod checkers_oracle;
mod cli;
mod collections_oracle;
mod commands;
mod config_errors;
mod engine;
mod evolution;
mod exported;
mod functions;
mod games;
mod json;
mod kalah_oracle;
mod kgp;
mod lines;
mod looking_back;
mod messages;
mod mistakes;
mod network;
mod othello_oracle;
mod own_files;
mod packages;
mod pages;
mod plans;
mod players;
mod pool;
mod printed;
mod programs;
mod pty;
mod readers;
mod review_cli;
mod run_folders;
mod search;
mod serve;
mod shipped;
mod sowing_oracle;
mod steps;
mod terminal;
mod texts;
mod two_apps;

/// A file without a `mod` line would not be compiled, and its tests would never run.
#[test]
fn every_file_here_is_a_module_above() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let named: Vec<&str> = include_str!("main.rs").lines().filter_map(|line| line.strip_prefix("mod ")).collect();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let is_module = path.extension().is_some_and(|kind| kind == "rs") || path.join("mod.rs").exists();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(
            !is_module || name == "main" || named.contains(&&*format!("{name};")),
            "{} is not tested",
            path.display()
        );
    }
}
