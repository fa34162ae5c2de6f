//! Mismatched, damaged and impossible plans: refused with the name of the file, without changes.

use std::fs;
use std::path::Path;

use super::{all, complaint, files, home, mancalab, refused, stdout_of, unit};

const ARENA: &str = "match --players random,max --games 4 --block 2";

/// Checks that every command fails with these messages and changes nothing.
fn assert_refused(home: &Path, commands: &[&str], message: &[&str]) {
    let before = all(&home.join("plan"));
    for command in commands {
        let error = refused(home, command);
        assert!(message.iter().all(|part| error.contains(part)), "{command}: {error}");
        assert!(all(&home.join("plan")) == before, "{command} changed something");
    }
}

const USES: [&str; 4] = [
    "plan unit plan --index 1",
    "plan submit plan --engine local",
    "plan merge plan",
    "plan merge plan --partial --out out",
];

#[test]
fn players_whose_moves_differ_each_time() {
    let home = home();
    for (player, how) in [("minimax:9:ms=5", "has a time limit"), ("engine:\"prog\":depth=2", "is another program")] {
        let error = refused(home.path(), &format!("plan new match --players random,{player} --games 4 --out plan"));
        assert!(error.contains(how) && error.contains("attempts at a unit would differ"), "{error}");
    }
}

#[test]
fn a_plan_that_was_edited_or_is_damaged() {
    let home = home();
    stdout_of(home.path(), &format!("plan new {ARENA} --out plan"));
    unit(home.path(), "plan", 0);
    let path = home.path().join("plan/plan.toml");
    let whole = fs::read_to_string(&path).unwrap();
    let was = |changed: &[u8], message: &[&str]| {
        fs::write(&path, changed).unwrap();
        assert_refused(home.path(), &USES, message);
    };
    for (from, to) in [("games = 4", "games = 5"), ("units = 8", "units = 9"), ("seeds = \"1\"", "seeds = \"2\"")] {
        assert!(whole.contains(from), "{whole}");
        was(whole.replace(from, to).as_bytes(), &["plan.toml was edited since it was created"]);
    }
    was(&whole.as_bytes()[..whole.len() / 2], &["plan.toml was edited"]);
    was(b"", &["plan.toml has no checksum"]);
    was(b"\xff\xfe\0\x01", &["plan.toml"]);
    was(&vec![b'x'; 1 << 20], &["plan.toml"]);
    fs::remove_file(&path).unwrap();
    assert_refused(home.path(), &USES, &["plan"]);
    fs::create_dir(&path).unwrap();
    assert_refused(home.path(), &USES, &["plan"]);
    fs::remove_dir(&path).unwrap();
    fs::write(&path, whole).unwrap();
    stdout_of(home.path(), "plan submit plan --engine local");
    stdout_of(home.path(), "plan merge plan");
}

#[test]
fn files_of_players_that_are_gone_or_changed() {
    let home = home();
    stdout_of(home.path(), "evolve mancala-gp-1 --population 10 --generations 1 --set opponents=max --out bred");
    stdout_of(home.path(), "plan new match --players max,program:bred/best.txt --games 2 --block 1 --out plan");
    let file = home.path().join("plan/files/1-best.txt");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, [&whole[..], b"\n"].concat()).unwrap();
    assert_refused(home.path(), &USES, &["plan/files/1-best.txt", "the copy of bred/best.txt, was changed"]);
    fs::remove_file(&file).unwrap();
    assert_refused(home.path(), &USES, &["plan/files/1-best.txt"]);
    fs::create_dir(&file).unwrap();
    assert_refused(home.path(), &USES, &["plan/files/1-best.txt"]);
    fs::remove_dir(&file).unwrap();
    fs::write(&file, whole).unwrap();
    stdout_of(home.path(), "plan submit plan --engine local");
    stdout_of(home.path(), "plan merge plan");
}

/// A plan with all results.
fn computed(home: &Path, out: &str, more: &str) {
    stdout_of(home, &format!("plan new {ARENA} {more} --out {out}"));
    stdout_of(home, &format!("plan submit {out} --engine local --jobs 2"));
}

/// Commands that read the result of unit 1.
const LOOKS: [&str; 3] = ["plan unit plan --index 1", "plan merge plan", "plan merge plan --partial --out out"];

#[test]
fn results_of_other_plans_and_other_units() {
    let home = home();
    computed(home.path(), "plan", "");
    computed(home.path(), "other", "--opening 3");
    let results = |plan: &str| files(&home.path().join(plan), "results");
    let own = fs::read(&results("plan")[1]).unwrap();
    let put = |bytes: &[u8]| fs::write(&results("plan")[1], bytes).unwrap();
    put(&fs::read(&results("other")[1]).unwrap());
    assert_refused(home.path(), &LOOKS, &["unit 1: ", "belongs to another plan"]);
    put(&fs::read(&results("plan")[2]).unwrap());
    assert_refused(home.path(), &LOOKS, &["unit 1: ", "is the result of unit 2 under another name"]);
    put(&own);
    // A result of a unit outside the plan.
    let name = results("plan")[1].file_name().unwrap().to_string_lossy().replace("000001.", "000999.");
    let strange = results("plan")[1].with_file_name(name);
    fs::write(&strange, &own).unwrap();
    assert_refused(home.path(), &LOOKS[1..], &["000999.", "is not a result of this plan, which has units 0 to 7"]);
    fs::remove_file(&strange).unwrap();
    stdout_of(home.path(), "plan merge plan");
}

#[test]
fn results_that_are_damaged() {
    let home = home();
    computed(home.path(), "plan", "");
    let result = files(&home.path().join("plan"), "results").remove(1);
    let whole = fs::read(&result).unwrap();
    let head = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for at in [0, 10, 18, 25, 40, head - 1, head, head + 1, (head + whole.len()) / 2, whole.len() - 1] {
        for flipped in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= flipped;
            fs::write(&result, &bytes).unwrap();
            let error = refused(home.path(), LOOKS[at % 3]);
            assert!(error.contains("unit 1: ") && error.contains("is damaged; delete it"), "byte {at}: {error}");
        }
    }
    for length in [0, 5, head, head + 1, whole.len() - 1] {
        fs::write(&result, &whole[..length]).unwrap();
        assert_refused(home.path(), &LOOKS, &["unit 1: ", "is damaged; delete it and compute the unit again"]);
    }
    fs::write(&result, [&whole[..], b"x"].concat()).unwrap();
    assert_refused(home.path(), &LOOKS, &["unit 1: ", "is damaged"]);
    fs::remove_file(&result).unwrap();
    unit(home.path(), "plan", 1);
    stdout_of(home.path(), "plan merge plan");
}

#[test]
fn several_results_of_one_unit_that_agree() {
    let home = home();
    computed(home.path(), "plan", "");
    let results = files(&home.path().join("plan"), "results");
    let whole = fs::read(&results[1]).unwrap();
    let second = results[1].with_file_name("000001.another-77-ab");
    fs::write(&second, &whole).unwrap();
    stdout_of(home.path(), "plan merge plan");
    fs::remove_file(&second).unwrap();
    stdout_of(home.path(), "plan merge plan");
}

#[test]
fn folders_that_are_not_empty() {
    let home = home();
    fs::create_dir(home.path().join("full")).unwrap();
    fs::write(home.path().join("full/notes.txt"), "mine").unwrap();
    fs::write(home.path().join("file"), "mine").unwrap();
    stdout_of(home.path(), &format!("plan new {ARENA} --out plan"));
    for (out, message) in [("full", "full is not empty"), ("file", "file"), ("plan", "plan already holds a plan")] {
        let before = all(home.path());
        let error = refused(home.path(), &format!("plan new {ARENA} --out {out}"));
        assert!(error.contains(message), "{error}");
        assert!(all(home.path()) == before);
    }
}

#[test]
fn settings_that_cannot_be_planned() {
    let home = home();
    let gp = "mancala-gp-1 --population 16 --generations 8 --set opponents=max";
    let cases = [
        ("match --players random,mcts:ms=100 --games 2".to_owned(), "has a time limit"),
        ("match --players random,program:none.txt --games 2".to_owned(), "none.txt"),
        (
            "match --players random,max --vary players=max,random|max,mcts:ms=50 --games 2".to_owned(),
            "has a time limit",
        ),
        ("train a3c-mixed --generations 2 --set schedule=free".to_owned(), "attempts at a unit would differ"),
        (format!("islands {gp} --islands 1 --migration-every 2"), "islands"),
        (
            "islands othello-gp-50 --population 16 --generations 4 --islands 2 --set opponents=random,champions:2"
                .to_owned(),
            "opponents must not contain champions",
        ),
        (format!("evolve {gp} --vary populatoin=1,2"), "populatoin"),
        (format!("evolve {gp} --vary population=20,x"), "population"),
        (format!("evolve {gp} --vary population=20"), "KEY=VALUE,VALUE"),
        (format!("evolve {gp} --seeds 3-1"), "seeds such as 1-60"),
        (
            "match --players random,max --games 1000000 --block 1".to_owned(),
            "4000000 units are too many (at most 1000000)",
        ),
        (
            "islands mancala-gp-1 --islands 2 --population 16 --migration-every 1 --generations 4294967296".to_owned(),
            "8589934594 units are too many",
        ),
        (format!("evolve {gp} --vary seed=1,2"), "use --seeds"),
        (format!("evolve {gp} --set seed=5"), "use --seeds for seeds"),
        (format!("evolve {gp} --vary population=20,20"), "the value 20 twice"),
        (format!("evolve {gp} --vary population=20,30 --vary population=40,50"), "population is given twice"),
        ("train a3c-mixed --generations 1 --vary schedule=fixed,free".to_owned(), "attempts at a unit would differ"),
    ];
    for (plan, message) in cases {
        let stdout_of =
            complaint(&plan, &mancalab(home.path(), &format!("plan new {plan} --out plan")).output().unwrap());
        assert!(stdout_of.contains(message), "{plan}: {stdout_of}");
        assert!(!home.path().join("plan").exists(), "{plan} left something");
    }
}

/// Runs the program with a file size limit, which acts like a full disk.
fn on_a_full_disk(home: &Path, blocks: u32, args: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_mancalab");
    let command = mancalab(home, "");
    let mut shell = std::process::Command::new("/bin/sh");
    shell.env_clear().envs(command.get_envs().filter_map(|(key, value)| Some((key, value?)))).current_dir(home);
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{program}' {args}");
    shell.args(["-c", &script]).stdin(std::process::Stdio::null()).output().unwrap()
}

#[test]
fn a_full_disk_fails_the_unit_by_name() {
    let home = home();
    let evolve = "plan new evolve mancala-gp-1 --population 40 --generations 4 --set opponents=max --out plan";
    let arena = "plan new match --players random,max --games 100 --block 100 --out plan";
    for plan in [evolve, arena] {
        for blocks in [0, 1] {
            stdout_of(home.path(), plan);
            let folder = home.path().join("plan");
            let said_so = complaint(plan, &on_a_full_disk(home.path(), blocks, "plan unit plan --index 0"));
            assert!(said_so.contains("unit 0: cannot ") && said_so.contains("plan/"), "{said_so}");
            let results = files(&folder, "results");
            let whole = |path: &std::path::PathBuf| !path.to_string_lossy().ends_with(".tmp");
            assert!(!results.iter().any(whole), "{results:?}");
            let marks = files(&folder, "marks");
            assert!(marks.len() == 1 && marks[0].extension().is_some_and(|end| end == "failed"), "{marks:?}");
            assert!(stdout_of(home.path(), "runs show ./plan").contains("1 failed"));
            assert!(refused(home.path(), "plan merge plan").contains("no result yet"));
            // With space again, failed units are retried.
            stdout_of(home.path(), "plan submit plan --engine local");
            assert!(stdout_of(home.path(), "plan merge plan").contains("complete"));
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}

#[test]
fn a_full_disk_leaves_no_half_run_where_results_are_put_together() {
    let home = home();
    computed(home.path(), "plan", "");
    let said_so = complaint("merge", &on_a_full_disk(home.path(), 0, "plan merge plan"));
    assert!(said_so.contains("cannot ") && said_so.contains("tournament-seed1"), "{said_so}");
    let merged = home.path().join("plan/merged");
    assert_eq!(fs::read_dir(merged).map_or(0, Iterator::count), 0, "half a run was left");
    stdout_of(home.path(), "plan merge plan");
}

/// A plan that somebody else made leads nowhere out of its folder.
#[test]
fn plans_with_links_or_names_that_lead_elsewhere() {
    use std::os::unix::fs::symlink;
    let home = home();
    let plan = home.path().join("plan");
    let theirs = home.path().join("theirs");
    stdout_of(home.path(), &format!("plan new {ARENA} --out plan"));
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("kept"), "x").unwrap();
    for part in ["results", "marks", "attempts", "merged", "logs"] {
        symlink(&theirs, plan.join(part)).unwrap();
        for command in USES {
            let stdout_of = refused(home.path(), command);
            assert!(stdout_of.contains(&format!("plan/{part} is a link")), "{command}: {stdout_of}");
        }
        fs::remove_file(plan.join(part)).unwrap();
    }
    fs::create_dir(plan.join("marks")).unwrap();
    symlink(&theirs, plan.join("marks/000")).unwrap();
    assert!(refused(home.path(), "plan unit plan --index 1").contains("plan/marks/000 is a link"));
    fs::remove_file(plan.join("marks/000")).unwrap();
    // The log of a unit: a link, and a pipe without a reader.
    fs::create_dir(plan.join("logs")).unwrap();
    symlink(theirs.join("kept"), plan.join("logs/local.000000.log")).unwrap();
    let output = refused(home.path(), "plan submit plan --engine local --jobs 1");
    assert!(output.ends_with("plan/logs/local.000000.log: it is a link, not a regular file\n"), "{output}");
    assert_eq!(output.matches("it is a link").count(), 1, "{output}");
    fs::remove_file(plan.join("logs/local.000000.log")).unwrap();
    let fifo = plan.join("logs/local.000000.log");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    refused(home.path(), "plan submit plan --engine local --jobs 1");
    assert_eq!(fs::read_dir(&theirs).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(theirs.join("kept")).unwrap(), "x");
    fs::remove_file(fifo).unwrap();

    let text = fs::read_to_string(plan.join("plan.toml")).unwrap();
    let (_, body) = text.split_once("\nplan = ").unwrap();
    for name in ["../../up", "/tmp/absolute", "two\\nlines", ".hidden", ""] {
        let body = format!("plan = {body}").replace("preset = \"tournament\"", &format!("preset = \"{name}\""));
        assert!(body.contains(&format!("\"{name}\"")), "{body}");
        let sum = mancalab::codec::checksum(body.as_bytes());
        fs::write(plan.join("plan.toml"), format!("sum = \"{sum:016x}\"\n{body}")).unwrap();
        for command in USES {
            let stdout_of = refused(home.path(), command);
            assert!(
                stdout_of.contains("preset: ") && stdout_of.contains("cannot be a run's name"),
                "{command}: {stdout_of}"
            );
        }
    }
}
