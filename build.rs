//! Records how the program is built, for `--version`, runs and results of units: commit, sources, platform, profile and
//! compiler.
//!
//! Debug builds have no commit, so that a commit alone does not make them compile again. The checksum of the sources
//! changes only with a file that is compiled. It covers all crates of the project: those of a checkout below `crates`, those of
//! packages beside this one. `MANCALAB_COMMIT` names the commit where neither git nor the package knows it.
//!
//! Adds linker flags that make a release a tenth smaller, where linker and system support them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let set = |key: &str, value: &str| println!("cargo::rustc-env=MANCALAB_{key}={value}");
    let given = |key: &str| env::var(key).unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MANCALAB_COMMIT");
    set("SOURCES", &format!("{:016x}", sources()));
    let is_release = given("PROFILE") == "release";
    if is_release {
        [".git/HEAD", ".git/refs", ".git/packed-refs"]
            .iter()
            .filter(|path| Path::new(path).exists())
            .for_each(|path| println!("cargo::rerun-if-changed={path}"));
    }
    let commit = if is_release { commit() } else { String::new() };
    set("COMMIT", &commit);
    set("TARGET", &given("TARGET"));
    set("PROFILE", &given("PROFILE"));
    set("RUSTC", &output(&given("RUSTC"), &["--version"]));
    if is_release && given("TARGET") == given("HOST") {
        SMALLER.iter().filter(|flag| links_with(flag)).for_each(|flag| println!("cargo::rustc-link-arg-bins={flag}"));
    }
}

/// Functions with equal code once (3 parts of a hundred), and relocations packed (6 parts). Not every linker knows the first, nor every
/// system library the second.
const SMALLER: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

/// Whether a program linked with this flag, by the linker that links the real one, runs here.
fn links_with(flag: &str) -> bool {
    let given = |key: &str| env::var(key).unwrap_or_default();
    let folder = PathBuf::from(given("OUT_DIR"));
    let source = folder.join("trial.rs");
    let program = folder.join("trial");
    let mut rustc = Command::new(given("RUSTC"));
    rustc.arg(&source).arg("-o").arg(&program).arg("-C").arg(format!("link-arg={flag}"));
    rustc.args(given("CARGO_ENCODED_RUSTFLAGS").split('\x1f').filter(|flag| !flag.is_empty()));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={linker}"));
    }
    let is_linked =
        fs::write(&source, "fn main() {}").is_ok() && rustc.output().is_ok_and(|output| output.status.success());
    is_linked && Command::new(&program).status().is_ok_and(|status| status.success())
}

/// The FNV-1a checksum of the files that are compiled, with their paths.
fn sources() -> u64 {
    let mut files = vec![PathBuf::from("Cargo.toml"), PathBuf::from("Cargo.lock")];
    ["src", "crates"].iter().for_each(|folder| collect(Path::new(folder), &mut files));
    if !Path::new("crates").is_dir() {
        packages_beside().iter().for_each(|folder| collect(folder, &mut files));
    }
    files.sort();
    let mut sum = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().copied().chain([0]) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for file in files.iter().filter(|file| file.is_file()) {
        println!("cargo::rerun-if-changed={}", file.display());
        add(file.as_os_str().as_encoded_bytes());
        add(&fs::read(file).unwrap_or_default());
    }
    sum
}

/// The folders of the project's other packages of this version, in a registry's folder of sources or among vendored packages.
fn packages_beside() -> Vec<PathBuf> {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_ours = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = name.strip_suffix(&version).and_then(|name| name.strip_suffix('-')).unwrap_or(&name);
        name.strip_prefix("mancalab-").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
    };
    let mut folders: Vec<PathBuf> =
        fs::read_dir("..").into_iter().flatten().flatten().filter(is_ours).map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

/// Adds the files of a folder and its subfolders, without those of tests alone.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        match path.is_dir() {
            true if name != "tests" && name != "snapshots" && name != "target" => collect(&path, files),
            false if name != "tests.rs" => files.push(path),
            _ => {}
        }
    }
}

/// The commit of the sources, with `+` if they were changed since; empty where it is not known. A repository that merely contains
/// this folder, such as that of a distribution's packages, does not count.
fn commit() -> String {
    if let Ok(given) = env::var("MANCALAB_COMMIT") {
        return given;
    }
    if let Ok(packed) = fs::read_to_string(".cargo_vcs_info.json") {
        // {"git": {"sha1": "..."}, ...}, as `cargo package` writes it.
        let sha = packed.split("\"sha1\"").nth(1).and_then(|rest| rest.split('"').nth(1)).unwrap_or_default();
        let changed = if packed.contains("\"dirty\": true") { "+" } else { "" };
        return sha.chars().take(12).collect::<String>() + changed;
    }
    let top = PathBuf::from(output("git", &["rev-parse", "--show-toplevel"]));
    let is_own = fs::canonicalize(top).is_ok_and(|top| fs::canonicalize(".").is_ok_and(|own| own == top));
    if !is_own {
        return String::new();
    }
    let hash = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let is_changed = !output("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
    if !hash.is_empty() && is_changed { hash + "+" } else { hash }
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
