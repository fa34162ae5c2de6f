//! The files of endgame tables: whole, damaged, interrupted.

use super::*;
use crate::budget::{Budget, Status};
use crate::game::kalah::Kalah;
use crate::game::{BoardGame as _, Game as _};
use crate::solver::Solver;
use mancalab_base::pool::Pool;
use std::fs;
use std::time::Duration;

fn rules(text: &str) -> Rules {
    text.parse().unwrap()
}

fn build(folder: &Path, rules: Rules, seeds: u8, pool: Pool) -> PathBuf {
    let mut builder = TableBuilder::new(folder, rules, seeds, pool).unwrap();
    while builder.step(Budget::time(Duration::ZERO)).unwrap() == Status::Running {}
    builder.path().to_owned()
}

#[test]
fn a_table_has_the_solvers_margins() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["6x1:standard", "6x1:empty", "3x2:empty"] {
        let path = build(folder.path(), rules(text), 12, Pool::new(2));
        // Half a megabyte of memory for more blocks than fit.
        let table = EndgameTable::open_with(&path, 0).unwrap();
        let mut pos = Kalah::start(rules(text));
        while !pos.is_over() {
            let mut solver = Solver::with_table(&pos, 1, None).unwrap();
            while solver.step(Budget::UNLIMITED) == Status::Running {}
            let margin = solver.solution().margins.0;
            assert_eq!(table.margin(&pos), Some(margin), "{pos:?}");
            pos = pos.play(solver.solution().line[0]);
        }
        assert_eq!(table.margin(&pos), Some(pos.margin(pos.side())));
        assert_eq!(table.margin(&Kalah::start(rules("6x3"))), None);
    }
}

#[test]
fn a_file_has_the_same_bytes_for_any_threads_and_interruptions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = fs::read(build(folders[0].path(), rules("6x1"), 9, Pool::alone())).unwrap();
    assert_eq!(whole.len() as u64, Size::of(rules("6x1"), 9).unwrap().bytes);
    assert_eq!(fs::read(build(folders[1].path(), rules("6x1"), 9, Pool::new(3))).unwrap(), whole);

    let part = folders[2].path().join("kalah-6-standard.endgames.part");
    // Cut within a layer, damaged within one, and foreign.
    for (cut, at) in [(whole.len() - 9, 0), (whole.len() - 100, 30_000), (whole.len(), 3)] {
        let mut bytes = whole[..cut].to_vec();
        if at > 0 {
            bytes[at] ^= 1;
        }
        fs::write(&part, bytes).unwrap();
        let seeds = TableBuilder::new(folders[2].path(), rules("6x1"), 9, Pool::alone()).unwrap().seeds();
        assert_eq!(seeds, if at == 3 { None } else { Some(if at > 0 { 6 } else { 8 }) });
        assert_eq!(fs::read(build(folders[2].path(), rules("6x1"), 9, Pool::alone())).unwrap(), whole);
        assert!(!part.exists());
    }
    // A table of fewer seeds is the beginning of one of more.
    let less = fs::read(build(folders[2].path(), rules("6x1"), 8, Pool::alone())).unwrap();
    fs::write(&part, &less).unwrap();
    assert_eq!(fs::read(build(folders[2].path(), rules("6x1"), 9, Pool::alone())).unwrap(), whole);
}

#[test]
fn a_file_that_is_not_a_whole_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), rules("2x1"), 6, Pool::alone());
    let whole = fs::read(&path).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let error = EndgameTable::open(&path).err().unwrap().to_string();
        error.strip_prefix(&format!("cannot use {}: ", path.display())).unwrap().to_owned()
    };
    assert_eq!(refused(&|bytes| bytes.truncate(60)), "it is not an endgame table");
    assert_eq!(refused(&|bytes| bytes[0] = b'M'), "it is not an endgame table");
    assert_eq!(refused(&|bytes| bytes[16] = 0), "its version is 0 (expected 1); build it again");
    assert_eq!(refused(&|bytes| bytes[19] = 5), "its header is damaged");
    assert_eq!(refused(&|bytes| bytes.push(0)), format!("it has {} bytes (expected {})", whole.len() + 1, whole.len()));
    assert_eq!(refused(&|bytes| *bytes.last_mut().unwrap() ^= 1), "the checksums of boards with 6 seeds are damaged");
    // A damaged share is noticed when its block is read.
    let mut bytes = whole.clone();
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    let table = EndgameTable::open(&path).unwrap();
    assert!(table.layer(6).is_err() && table.layer(5).is_ok());
    assert_eq!((table.share([1, 0]), table.share([0x0303, 0]), table.share([1, 0])), (Some(1), None, None));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let error = |text: &str, seeds| Size::of(rules(text), seeds).unwrap_err().to_string();
    assert_eq!(error("6x4", 28), "a table for 6 pits a side must have 1 to 27 seeds (got 28)");
    assert_eq!(error("8x4", 0), "a table for 8 pits a side must have 1 to 19 seeds (got 0)");
    assert!(error("6x4:end=mover", 3).contains("end when either side has no seeds"));
}
