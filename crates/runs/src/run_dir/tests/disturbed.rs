//! External changes to a run's files: they are repaired, or refused by name.

use super::*;
use crate::codec::{Encoder, checksum, joined};
use crate::files::Kind;

const EXPECTED: CheckpointFormat = CheckpointFormat { kind: "sums", format: 3 };

/// A checkpoint of generation 5 in container 3, with a checksum for each row or for `each` of them, and in container 4
/// during the extension of a run of `before` generation 10.
fn write_old(folder: &Path, each: u64, before: Option<u64>) {
    let held = DirHandle::open(folder).unwrap();
    let Checkpoint { provenance, state, .. } =
        checkpoint::read(&held, "checkpoint", EXPECTED, Kind::Checkpoint).unwrap().unwrap();
    let mut out = Encoder::new();
    out.text(&provenance.run_inputs.run);
    out.small(0);
    out.small(6);
    out.small(each);
    let rows: Vec<String> = (0..6).map(|row| format!("{row},{}", 7 * row)).collect();
    for piece in rows.chunks(each as usize) {
        let sum =
            |sum: u64, row: &String| sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(checksum(row.as_bytes()));
        out.u64(piece.iter().fold(0, sum));
    }
    before.iter().for_each(|end| {
        out.text(&provenance.run_inputs.run.replace("generations = 10", &format!("generations = {end}")))
    });
    let provenance = out.finish();
    let container = if before.is_some() { 4 } else { 3 };
    let lengths = (provenance.len(), state.len());
    let sum = joined(&[&provenance, &state]);
    let line = format!("mancalab checkpoint {container} sums 3 5 running {} {} {sum:016x}", lengths.0, lengths.1);
    let head = format!("{line} {:016x}\n", checksum(line.as_bytes()));
    fs::write(folder.join("checkpoint"), [head.as_bytes(), &provenance, &state].concat()).unwrap();
    let _ = fs::remove_file(folder.join("checkpoint.old"));
}

#[test]
fn checkpoints_of_older_versions_are_read() {
    for (each, before) in [(1, None), (2, None), (4, Some(6))] {
        let folder = stopped();
        write_old(folder.path(), each, before);
        assert_eq!(checkpoint::peek(&folder.path().join("checkpoint")).unwrap().unwrap().generation, 5);
        let rows = fs::read_to_string(folder.path().join(ROWS)).unwrap();
        fs::write(folder.path().join(ROWS), rows.replace("2,14", "2,15")).unwrap();
        assert!(refusal(folder.path()).contains("a row is not what the run wrote"));
        fs::write(folder.path().join(ROWS), rows).unwrap();
        assert_eq!(finish(folder.path()), [] as [String; 0]);
        assert_eq!(finish(folder.path()), [] as [String; 0]);
    }
    // Versions 1 and 2 are not read.
    for old in ["mancalab checkpoint 1 sums 3 5 4 0\n5 35", "mancalab checkpoint 2 sums 3 5 running 4 0\n5 35"] {
        let folder = stopped();
        fs::write(folder.path().join("checkpoint"), old).unwrap();
        assert!(finish(folder.path())[0].contains("checkpoint is no checkpoint"));
    }
}

/// Header and body: no changed bit goes undetected, and the previous checkpoint is used.
#[test]
fn a_bit_flipped_anywhere_in_a_checkpoint_is_noticed() {
    let folder = stopped();
    let path = folder.path().join("checkpoint");
    let bytes = fs::read(&path).unwrap();
    let held = DirHandle::open(folder.path()).unwrap();
    let head = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    for bit in 0..8 * bytes.len() {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, other).unwrap();
        let read = checkpoint::read(&held, "checkpoint", EXPECTED, Kind::Checkpoint);
        assert!(read.is_err(), "bit {bit}: {read:?}");
        // The header alone shows the damage.
        assert!(bit / 8 > head || checkpoint::peek(&path).is_err(), "bit {bit}");
    }
    let mut other = bytes.clone();
    let place = other.windows(11).position(|window| window == b" 5 running ").unwrap() + 1;
    other[place] ^= 4;
    fs::write(&path, &other).unwrap();
    assert!(
        list(folder.path().parent().unwrap())
            .iter()
            .all(|entry| entry.folder != folder.path() || entry.generation == Some(5))
    );
    assert!(finish(folder.path())[0].contains("the checksum of its first line is wrong"));
}

#[test]
fn settings_edited_in_the_middle_of_a_run_are_refused_by_name() {
    let folder = stopped();
    let path = folder.path().join(RUN);
    let run = fs::read_to_string(&path).unwrap();
    let refused = |from: &str, to: &str, reason: &str| {
        fs::write(&path, run.replace(from, to)).unwrap();
        let error = refusal(folder.path());
        assert!(
            error.contains("run.toml was changed since the checkpoint was written: ") && error.contains(reason),
            "{error}"
        );
    };
    refused("seed = 7", "seed = 8", "`seed` is 8 there, but was 7");
    refused("generations = 10", "generations = 11", "`generations` is 11 there, but was 10");
    refused("\"plain\"", "\"fancy\"", "`preset` is \"fancy\" there, but was \"plain\"");
    // Watching reports it as well, and shows the rows.
    let watcher = RunWatcher::open(folder.path(), FORMS).unwrap();
    assert!(watcher.damage().unwrap().contains("`preset` is \"fancy\" there"), "{:?}", watcher.damage());
    assert_eq!(watcher.generation(), Some(5));
    // Also for a finished run: its rows do not match these settings.
    fs::write(&path, &run).unwrap();
    finish(folder.path());
    refused("seed = 7", "seed = 8", "`seed`");
    // Comments, white space and the version do not matter.
    let other = run.replace("seed = 7", "# lucky\nseed   =   7 # indeed").replace("odd = true", "\n\nodd=true");
    let version = format!("version = {:?}", env!("CARGO_PKG_VERSION"));
    assert!(other.contains(&version));
    fs::write(&path, other.replace(&version, "version = \"0.0.1\"")).unwrap();
    finish(folder.path());
}

#[test]
fn rows_edited_in_the_middle_of_a_run_are_refused() {
    let folder = stopped();
    let path = folder.path().join(ROWS);
    let rows = fs::read_to_string(&path).unwrap();
    for (from, to) in [("0,0", "0,1"), ("2,14", "2,15"), ("5,35", "5,35 "), ("4,28", "4,028")] {
        fs::write(&path, rows.replace(from, to)).unwrap();
        let error = refusal(folder.path());
        assert!(error.contains("generations.csv: a row is not what the run wrote"), "{from}: {error}");
        assert!(has_edited_rows(folder.path()), "{from}");
    }
    // Rows behind the checkpoint are computed again, and a run that has too few is damaged.
    fs::write(&path, format!("{rows}6,99\n")).unwrap();
    assert!(!has_edited_rows(folder.path()));
    fs::write(&path, rows.replace("5,35\n", "")).unwrap();
    assert!(!has_edited_rows(folder.path()));
    // Timings may be arbitrary.
    fs::write(&path, &rows).unwrap();
    let timings = folder.path().join(TIMINGS);
    let other = fs::read_to_string(&timings).unwrap().replace("2,0.1\n", "").replace("3,0.1", "3,slow");
    fs::write(&timings, &other).unwrap();
    assert_eq!(finish(folder.path()), [] as [String; 0]);
    assert!(fs::read_to_string(&timings).unwrap().starts_with(&other));
}

/// Before the first checkpoint there is no provenance: the run starts again with its present settings.
#[test]
fn before_the_first_checkpoint_settings_can_be_edited() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = RunJob::create(
        folder.path(),
        SumsSettings(Manifest::new("sums", "plain", 9, 10), Conduct::default()),
        &Pool::alone(),
    )
    .unwrap();
    steps(&mut job, 3);
    std::mem::forget(job);
    let path = folder.path().join(RUN);
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("seed = 9", "seed = 7")).unwrap();
    // The lock of the killed process.
    fs::remove_file(folder.path().join("lock")).unwrap();
    finish(folder.path());
}

#[test]
fn what_a_killed_process_left_behind_is_removed_when_the_run_is_resumed() {
    let folder = stopped();
    let path = |name: &str| folder.path().join(name);
    let left =
        ["checkpoint.4711.tmp", "checkpoint.old.1.tmp", "run.toml.99.tmp", "best.txt.5.tmp", "generations.csv.6.tmp"];
    let others =
        ["checkpoint.tmp", "checkpoint.x.tmp", "checkpoint..tmp", "notes.4711.tmp", "checkpoint.4711.tmp.keep"];
    left.iter().chain(&others).for_each(|name| fs::write(path(name), "x").unwrap());
    let run = fs::read_to_string(path(RUN)).unwrap();
    fs::write(path(RUN), run.replace("seed = 7", "seed = 8")).unwrap();
    refusal(folder.path());
    fs::write(path(RUN), run).unwrap();
    finish(folder.path());
    assert!(left.iter().all(|name| !path(name).exists()));
    assert!(others.iter().all(|name| path(name).exists()));
}

/// External changes to a run's files while it is written.
#[test]
fn a_folder_that_was_replaced_is_not_written_into() {
    let runs = tempfile::tempdir().unwrap();
    let folder = runs.path().join("run");
    let mut job = RunJob::create(&folder, settings(), &Pool::alone()).unwrap();
    steps(&mut job, 3);
    fs::remove_dir_all(&folder).unwrap();
    let mut other = RunJob::create(
        &folder,
        SumsSettings(Manifest::new("sums", "other", 1, 10), Conduct::default()),
        &Pool::alone(),
    )
    .unwrap();
    steps(&mut other, 2);
    other.rest();
    let before = snapshot(&folder);
    steps(&mut job, 3);
    job.rest();
    assert!(job.error().unwrap().to_string().contains("was deleted while the run was written"), "{:?}", job.error());
    drop(job);
    assert_eq!(snapshot(&folder), before);
    steps(&mut other, 20);
    assert_eq!(other.error(), None);
}

#[test]
fn a_run_whose_folder_was_moved_stops_and_continues_there() {
    let runs = tempfile::tempdir().unwrap();
    let folder = runs.path().join("run");
    let moved = runs.path().join("moved");
    let mut job = RunJob::create(&folder, settings(), &Pool::alone()).unwrap();
    steps(&mut job, 3);
    job.rest();
    assert_eq!(job.goes_on_at(), Some(folder.as_path()));
    fs::rename(&folder, &moved).unwrap();
    steps(&mut job, 1);
    job.rest();
    assert!(job.error().unwrap().to_string().contains("was moved while the run was written"), "{:?}", job.error());
    assert_eq!(job.goes_on_at(), None);
    drop(job);
    assert!(!folder.exists());
    let (job, notes) = resume(&moved).unwrap();
    assert_eq!((job.run().generation(), notes.len()), (Some(2), 1));
    drop(job);
    finish(&moved);
}

#[test]
fn what_is_done_to_files_under_a_run_is_reported() {
    let with = |damage: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        let mut job = RunJob::create(folder.path(), settings(), &Pool::alone()).unwrap();
        steps(&mut job, 2);
        job.rest();
        steps(&mut job, 2);
        damage(folder.path());
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        let error = job.error().map(ToString::to_string);
        drop(job);
        let log = fs::read_to_string(folder.path().join(LOG)).unwrap();
        assert_eq!(log.contains("finished"), error.is_none(), "{log}");
        if error.is_none() {
            finish(folder.path());
        }
        (error.unwrap_or_default(), log)
    };
    let remove = |name: &'static str| move |folder: &Path| fs::remove_file(folder.join(name)).unwrap();
    let replace = |name: &'static str| {
        move |folder: &Path| {
            fs::write(folder.join("copy"), fs::read(folder.join(name)).unwrap()).unwrap();
            fs::rename(folder.join("copy"), folder.join(name)).unwrap();
        }
    };
    assert_eq!(with(&|_| ()).0, "");
    // Timings affect nothing.
    assert_eq!((with(&remove(TIMINGS)).0, with(&replace(TIMINGS)).0), (String::new(), String::new()));
    let cut = |folder: &Path| fs::write(folder.join(ROWS), "generation,sum\n").unwrap();
    for error in [with(&remove(ROWS)).0, with(&replace(ROWS)).0, with(&cut).0] {
        assert!(
            error.contains("generations.csv was changed, replaced or deleted while the run was written"),
            "{error}"
        );
    }
    let (error, log) = with(&remove(RUN));
    assert!(error.is_empty() && log.contains("run.toml was deleted; it was put back"), "{error} {log}");
    assert_eq!(with(&replace(RUN)).0, "");
    let edit = |from: &'static str, to: &'static str| {
        move |folder: &Path| {
            let run = fs::read_to_string(folder.join(RUN)).unwrap();
            fs::write(folder.join(RUN), run.replace(from, to)).unwrap();
        }
    };
    assert!(with(&edit("seed = 7", "seed = 8")).0.contains("`seed` is 8 there, but was 7"));
    assert!(with(&edit("seed = 7", "")).0.contains("is no run's any more"));
    assert_eq!(with(&edit("seed = 7", "# mine\nseed = 7")).0, "");
    assert!(with(&remove("lock")).0.contains("the file lock was deleted or replaced"));
}

/// Two processes start a run in the same folder at the same time: one succeeds, the other gets an error.
#[test]
fn only_one_of_many_begins_a_run_in_a_folder() {
    let runs = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let folder = runs.path().join(format!("run-{round}"));
        let begun: Vec<_> = std::thread::scope(|scope| {
            let begin = || RunJob::create(&folder, settings(), &Pool::alone());
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(begin)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(begun.iter().filter(|begun| begun.is_ok()).count(), 1);
        for error in begun.iter().filter_map(|begun| begun.as_ref().err()) {
            assert!(
                error.to_string().contains("is being written by process")
                    || error.to_string().contains("already holds a run"),
                "{error}"
            );
        }
        drop(begun);
        finish(&folder);
    }
}

/// No file of a run blocks, and none is read completely only because it exists.
#[test]
fn pipes_and_endless_files_in_the_place_of_a_runs_are_reported() {
    let names = [RUN, ROWS, TIMINGS, BEST, LOG, "checkpoint", "checkpoint.old", "lock"];
    let (sender, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for name in names {
            let folder = stopped();
            let path = folder.path().join(name);
            fs::remove_file(&path).unwrap();
            rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
            let watched = RunWatcher::open(folder.path(), FORMS)
                .map(|watcher| watcher.damage().map(str::to_owned))
                .map_err(|refusal| refusal.to_string());
            let entry = list(folder.path().parent().unwrap()).into_iter().find(|entry| entry.folder == folder.path());
            let resumed = resume(folder.path()).map(|(job, notes)| (drop(job), notes).1);
            sender.send((name, watched, entry.unwrap().state, resumed)).unwrap();
        }
    });
    for name in names {
        let (of, watched, state, resumed) = done.recv_timeout(std::time::Duration::from_secs(60)).expect(name);
        let names_file = |text: &str| text.contains(name) && (text.contains("regular file") || text.contains("pipe"));
        // Dispensable files are ignored with a note; others are refused.
        match name {
            RUN => assert!(
                names_file(&watched.unwrap_err().to_string())
                    && names_file(&resumed.unwrap_err().to_string())
                    && matches!(state, EntryState::Damaged(_))
            ),
            ROWS => {
                assert!(names_file(&watched.unwrap_err().to_string()) && names_file(&resumed.unwrap_err().to_string()))
            }
            "lock" => assert!(names_file(&resumed.unwrap_err().to_string())),
            "checkpoint" => assert!(names_file(&watched.unwrap().unwrap()) && names_file(&resumed.unwrap()[0])),
            TIMINGS => assert!(names_file(&watched.unwrap_err().to_string()) && names_file(&resumed.unwrap()[0])),
            BEST => assert!(names_file(&watched.unwrap().unwrap()) && resumed.unwrap().is_empty()),
            _ => assert!(watched.unwrap().is_none() && resumed.unwrap().is_empty()),
        }
        assert_eq!(of, name);
    }
}

#[test]
fn a_best_that_is_too_large_is_not_read() {
    let folder = stopped();
    let best = fs::File::create(folder.path().join(BEST)).unwrap();
    best.set_len(1 << 30).unwrap();
    let watcher = RunWatcher::open(folder.path(), FORMS).unwrap();
    assert!(watcher.damage().unwrap().contains("best.txt: it is larger than 65536 KiB"), "{:?}", watcher.damage());
    assert_eq!((watcher.best(), watcher.generation()), (None, Some(5)));
    finish(folder.path());
}

#[test]
fn damage_is_seen_in_the_list() {
    let folder = stopped();
    let state =
        || list(folder.path().parent().unwrap()).into_iter().find(|entry| entry.folder == folder.path()).unwrap().state;
    assert_eq!(state(), EntryState::Stopped);
    let path = |name: &str| folder.path().join(name);
    let flip = |name: &str| {
        let mut bytes = fs::read(path(name)).unwrap();
        bytes[25] ^= 1;
        fs::write(path(name), bytes).unwrap();
    };
    flip("checkpoint");
    assert!(RunWatcher::open(folder.path(), FORMS).unwrap().damage().unwrap().contains("checkpoint is damaged"));
    assert_eq!(state(), EntryState::Stopped, "it can be resumed from the previous checkpoint");
    flip("checkpoint.old");
    assert!(matches!(state(), EntryState::Damaged(reason) if reason.contains("checkpoint is damaged")));
    flip("checkpoint");
    flip("checkpoint.old");
    fs::write(path(ROWS), "generation,sum\n0,0\n").unwrap();
    assert!(matches!(state(), EntryState::Damaged(reason) if reason.contains("ends before the row of generation 5")));
}

/// A sparse file is large, and takes no space.
#[test]
fn a_checkpoint_that_claims_to_be_huge_is_not_read() {
    let folder = stopped();
    let size = 300 << 20;
    let line = format!("mancalab checkpoint 5 sums 3 5 running 0 {size} {:016x}", 0);
    let head = format!("{line} {:016x}\n", checksum(line.as_bytes()));
    let path = folder.path().join("checkpoint");
    fs::write(&path, &head).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(head.len() as u64 + size).unwrap();
    let held = DirHandle::open(folder.path()).unwrap();
    let read = |limit| checkpoint::read(&held, "checkpoint", EXPECTED, limit).unwrap_err().reason.to_string();
    assert_eq!(read(Kind::Watched), "takes 300 MiB, and at most 128 MiB are read");
    assert_eq!(read(Kind::Checkpoint), "is damaged: its checksum is wrong");
}
