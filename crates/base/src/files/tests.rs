//! Files as the program writes and reads them.

use std::fs;
use std::os::unix::net::UnixListener;

use super::*;

#[test]
fn a_thread_notes_what_it_opens_and_reads_what_stands_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    fs::write(&one, "1").unwrap();
    fs::write(&two, "2").unwrap();
    let text = |path: &Path| read_text(path, Kind::Document).unwrap();
    let (read, names) = noting(|| text(&two));
    assert_eq!((read.as_str(), names), ("2", BTreeSet::from([two.clone()])));
    let missing = folder.path().join("missing");
    let names = BTreeMap::from([(two.clone(), one.clone()), (missing.clone(), one.clone())]);
    let read = || (text(&one), text(&two), text(&missing));
    assert_eq!(substituting(names, read), ("1".to_owned(), "1".to_owned(), "1".to_owned()));
    assert_eq!(text(&two), "2");
}

#[test]
fn only_regular_files_are_opened_and_none_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    let socket = folder.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    for path in [pipe.as_path(), socket.as_path(), folder.path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
        for kind in [Kind::Document, Kind::Program] {
            assert_eq!(read(path, kind).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{}", path.display());
        }
        assert!(open_with(OpenOptions::new().append(true), path).is_err(), "{}", path.display());
    }
}

#[test]
fn no_more_is_read_than_a_file_of_its_kind_may_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    File::create(&path).unwrap().set_len(Kind::Game.most() + 1).unwrap();
    assert!(read(&path, Kind::Game).unwrap_err().to_string().contains("larger than 8192 KiB"));
    assert_eq!(read(&path, Kind::Program).unwrap().len() as u64, Kind::Game.most() + 1);
}

#[test]
fn text_that_is_none_is_reported_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    fs::write(&path, b"one\n\xc3\xa9t\xff").unwrap();
    assert_eq!(read_text(&path, Kind::Game).unwrap_err().to_string(), "line 2, column 3 is not UTF-8 text");
}

#[test]
fn replaces_whole_files_and_leaves_nothing_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/game.txt");
    write_atomic(&path, b"one").unwrap();
    write_atomic(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    write_whole(&path, b"three").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"three");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn nothing_is_put_in_the_place_of_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    assert!(write_atomic(&pipe, b"text").is_err());
    assert!(!fs::metadata(&pipe).unwrap().is_file());
}

#[test]
fn a_failure_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("taken");
    fs::create_dir(&path).unwrap();
    assert!(write_atomic(&path, b"text").is_err() && write_whole(&path, b"text").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn of_many_that_save_under_one_name_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game-1.game");
    let saved = |number: u8| save_new(&path, &[number; 100]).map_err(|error| error.kind());
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || saved(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let first = results.iter().position(Result::is_ok).unwrap();
    assert_eq!(results.iter().filter(|result| **result == Err(io::ErrorKind::AlreadyExists)).count(), 7);
    assert_eq!(fs::read(&path).unwrap(), [first as u8; 100]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn what_many_add_to_a_file_is_all_there_behind_what_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, b"\xe9 before\n").unwrap();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..5 {
                    let add = |files: &mut [Vec<u8>]| {
                        let line = format!("{} {number}\n", files[0].len());
                        files[0].extend(line.bytes());
                        Ok::<_, io::Error>(())
                    };
                    rewrite(std::slice::from_ref(path), Kind::Collection, add).unwrap();
                }
            });
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"\xe9 before\n"));
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), 42, "each of 40, the first line, and the end");
}

#[test]
fn what_cannot_be_changed_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["names", "games"].map(|name| folder.path().join(name));
    let refuse = |_: &mut [Vec<u8>]| Err::<(), _>(io::Error::other("no"));
    assert_eq!(rewrite(&paths, Kind::Collection, refuse).unwrap_err().to_string(), "no");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let write = |files: &mut [Vec<u8>]| {
        files[1].push(b'x');
        Ok::<_, io::Error>(files.len())
    };
    assert_eq!(rewrite(&paths, Kind::Collection, write).unwrap(), 2);
    assert_eq!(paths.map(|path| fs::read(path).unwrap()), [Vec::new(), b"x".to_vec()]);
}

#[test]
fn saving_keeps_links_and_modes_or_refuses() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [file, link, other] = ["a.game", "link.game", "other.game"].map(|name| folder.path().join(name));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    save(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && fs::read(&file).unwrap() == b"new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    fs::hard_link(&file, &other).unwrap();
    assert!(save(&file, b"x").unwrap_err().to_string().contains("hard links"));
    fs::remove_file(&other).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    assert_eq!(save(&file, b"x").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(fs::read(&file).unwrap(), b"new");
}

#[test]
fn games_may_be_in_utf_16() {
    let text = "[Black \"Böse\"]\n1. 11-15";
    let [little, big] = [u16::to_le_bytes, u16::to_be_bytes]
        .map(|bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>());
    let marked = |mark: [u8; 2], text: &[u8]| [&mark, text].concat();
    for bytes in [marked([0xff, 0xfe], &little), marked([0xfe, 0xff], &big), little, big] {
        assert_eq!(utf_16(&bytes).as_deref(), Some(text));
    }
    for other in [text.as_bytes(), b"", b"a", b"\0\0\0\0", &[0xff, 0xfe, 0, 0xd8]] {
        assert_eq!(utf_16(other), None, "{other:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.game");
    std::fs::write(&path, marked([0xff, 0xfe], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()))
        .unwrap();
    assert_eq!(read_text(&path, Kind::Game).unwrap(), text);
    assert!(read_text(&path, Kind::Document).unwrap_err().to_string().contains("is not UTF-8"));
}

#[test]
fn saving_removes_what_killed_processes_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdn");
    let mut dead = std::process::Command::new("true").spawn().unwrap();
    dead.wait().unwrap();
    let dead = dead.id();
    let alive = std::os::unix::process::parent_id();
    let left = [format!("a.pdn.{dead}.tmp"), format!("a.pdn.{dead}-3.tmp"), format!("a.pdn.{dead}-3.tmp.{dead}.tmp")];
    let others = [
        format!("a.pdn.{alive}.tmp"),
        format!("b.pdn.{dead}.tmp"),
        format!("a.pdn.{dead}x.tmp"),
        "a.pdn.tmp".to_owned(),
        "a.pdn".to_owned(),
    ];
    let young = format!("a.pdn.{dead}-9.tmp");
    for name in left.iter().chain(&others) {
        let file = File::create(folder.path().join(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - 2 * LEFT).unwrap();
    }
    fs::write(folder.path().join(&young), "").unwrap();
    save(&path, b"new").unwrap();
    let mut names: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut expected = others.to_vec();
    expected.push(young);
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn lines_are_read_once_and_only_when_they_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    let mut rows = GrowingFile::new(&path);
    assert!(rows.lines().is_err());
    fs::write(&path, "a\nb\nc").unwrap();
    assert_eq!(rows.lines().unwrap(), ["a", "b"]);
    fs::write(&path, "a\nb\ncd\n").unwrap();
    assert_eq!(rows.lines().unwrap(), ["cd"]);
    assert!(rows.lines().unwrap().is_empty());
    // Resumed from an earlier row.
    fs::write(&path, "a\n").unwrap();
    assert!(rows.lines().unwrap().is_empty());
    fs::write(&path, "a\ne\n").unwrap();
    assert_eq!(rows.lines().unwrap(), ["e"]);
}
