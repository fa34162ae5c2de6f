//! Runs that somebody else made: links to other files, texts that are markup or formulas, a damaged description.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{assert_refused, mancalab, refused, stdout_of};

const RUN: &str = "mancala-gp-1-seed1";

/// A small run, and its folder.
fn shared() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let flags = "--seed 1 --generations 2 --set opponents=max";
    stdout_of(home.path(), &format!("evolve mancala-gp-1 --population 8 {flags}"));
    let run = home.path().join("mancalab/runs").join(RUN);
    (home, run)
}

/// Both outputs of a command, whether it succeeds or not.
fn outputs(home: &Path, arguments: &str) -> String {
    let output = mancalab(home).args(arguments.split(' ')).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn of_a_run_only_its_own_files_are_read() {
    const SECRET: &str = "1234567890-secret";
    let (home, run) = shared();
    let secret = home.path().join("secret");
    // Whatever the file is taken for, its first cells are the secret.
    fs::write(&secret, format!("{SECRET},{SECRET}\n{SECRET},{SECRET}\n")).unwrap();
    let names: Vec<_> = fs::read_dir(&run).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name == "best.txt"));
    for name in names {
        let file = run.join(&name);
        let own = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        symlink(&secret, &file).unwrap();
        for command in ["runs", "runs show", "runs report --out page"] {
            let command = if command == "runs" { command.to_owned() } else { format!("{command} {RUN}") };
            let shown = outputs(home.path(), &command);
            assert!(!shown.contains(SECRET), "{name:?}, {command}: {shown}");
        }
        for page in ["page/report.md", "page/report.html"].map(|page| home.path().join(page)) {
            let text = fs::read_to_string(page).unwrap_or_default();
            assert!(!text.contains(SECRET), "{name:?}: {text}");
        }
        fs::remove_file(&file).unwrap();
        fs::write(&file, own).unwrap();
    }
    stdout_of(home.path(), &format!("runs report {RUN} --out page"));
}

#[test]
fn texts_of_a_run_are_texts_in_every_format() {
    let (home, run) = shared();
    let file = run.join("provenance.toml");
    let provenance = fs::read_to_string(&file).unwrap();
    let host = |line: &str| {
        if line.starts_with("host = ") {
            "host = \"<img src=x> [a](https://b.c)\"\n".to_owned()
        } else {
            format!("{line}\n")
        }
    };
    fs::write(&file, provenance.lines().map(host).collect::<String>()).unwrap();
    stdout_of(home.path(), &format!("runs report {RUN} --out page"));
    let text = fs::read_to_string(home.path().join("page/report.md")).unwrap();
    assert!(text.contains("| \\<img src=x\\> \\[a\\](https\\://b.c) |"), "{text}");

    let run_toml = run.join("run.toml");
    let manifest = fs::read_to_string(&run_toml).unwrap();
    fs::write(&run_toml, manifest.replace("\"mancala-gp-1\"", "\"=HYPERLINK(1)\"")).unwrap();
    let error = refused(home.path(), &format!("runs show {RUN}"));
    assert!(error.contains("expected the name of a preset: letters, digits"), "{error}");
    assert!(!stdout_of(home.path(), "runs --format csv").contains(",=HYPERLINK"));
    fs::write(&run_toml, manifest).unwrap();
    fs::rename(&run, run.with_file_name("=1+1")).unwrap();
    assert_refused(home.path(), &[("runs show =1+1", "the folder '=1+1' cannot be read as a run")]);
}

#[test]
fn a_run_whose_provenance_is_damaged_is_read_and_resumed() {
    let (home, run) = shared();
    let large = vec![b'#'; 2 << 20];
    for damaged in [&b"not = [toml"[..], b"\xff\xfe", &large] {
        fs::write(run.join("provenance.toml"), damaged).unwrap();
        for command in ["runs show", "runs report --out page", "runs verify"] {
            stdout_of(home.path(), &format!("{command} {RUN}"));
        }
        stdout_of(home.path(), &format!("evolve --resume {RUN} --generations 3"));
        fs::remove_dir_all(&run).unwrap();
        let flags = "--seed 1 --generations 2 --set opponents=max";
        stdout_of(home.path(), &format!("evolve mancala-gp-1 --population 8 {flags}"));
    }
}
