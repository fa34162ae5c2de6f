//! Records how the program is built, for the provenance of runs: commit, platform, profile and compiler.
//!
//! Debug builds have no commit, so that a commit alone does not make them compile again.

use std::env;
use std::process::Command;

fn main() {
    let set = |key: &str, value: &str| println!("cargo::rustc-env=MANCALAB_{key}={value}");
    let given = |key: &str| env::var(key).unwrap_or_default();
    let is_release = given("PROFILE") == "release";
    println!("cargo::rerun-if-changed=build.rs");
    if is_release {
        ["src", "crates", "Cargo.lock", ".git/HEAD", ".git/refs", ".git/packed-refs"]
            .iter()
            .filter(|path| std::path::Path::new(path).exists())
            .for_each(|path| println!("cargo::rerun-if-changed={path}"));
    }
    let commit = if is_release { commit() } else { String::new() };
    set("COMMIT", &commit);
    set("TARGET", &given("TARGET"));
    set("PROFILE", &given("PROFILE"));
    set("RUSTC", &output(&given("RUSTC"), &["--version"]));
}

/// The commit of the sources, with `+` if they were changed since; empty without git.
fn commit() -> String {
    let hash = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let is_changed = !output("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
    if !hash.is_empty() && is_changed { hash + "+" } else { hash }
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
