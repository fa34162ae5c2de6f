//! The files of endgame tables: whole, damaged, interrupted.

use super::*;
use crate::budget::{Budget, Status};
use crate::game::kalah::Kalah;
use crate::game::{Board, BoardGame, Game, PitBoard, Side};
use crate::solver::Solver;
use mancalab_base::pool::Pool;
use std::fs;
use std::time::Duration;

pub(super) fn rules(text: &str) -> TableRules {
    text.parse().unwrap()
}

pub(super) fn build(folder: &Path, rules: TableRules, seeds: u8, pool: Pool) -> PathBuf {
    let mut builder = TableBuilder::new(folder, rules, seeds, pool).unwrap();
    while builder.step(Budget::time(Duration::ZERO)).unwrap() == Status::Running {}
    builder.path().to_owned()
}

/// A table with boards of up to this many seeds.
pub(crate) fn table(text: &str, seeds: u8) -> Arc<EndgameTable> {
    let folder = tempfile::tempdir().unwrap();
    Arc::new(EndgameTable::open(&build(folder.path(), rules(text), seeds, Pool::alone())).unwrap())
}

/// A table of which a bit of a block with the boards of most seeds is flipped.
pub(crate) fn damaged(text: &str, seeds: u8) -> Arc<EndgameTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), rules(text), seeds, Pool::alone());
    let mut bytes = fs::read(&path).unwrap();
    // Well before the checksums at the end.
    let at = bytes.len() - 3000;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    Arc::new(EndgameTable::open(&path).unwrap())
}

#[test]
fn a_table_has_the_solvers_margins() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["6x1:standard", "6x1:empty", "3x2:empty"] {
        let path = build(folder.path(), rules(text), 12, Pool::new(2));
        // Half a megabyte of memory for more blocks than fit.
        let table = EndgameTable::open_with(&path, 0).unwrap();
        let mut pos = Kalah::start(text.parse().unwrap());
        while !pos.is_over() {
            let mut solver = Solver::with_table(&pos, 1, None).unwrap();
            while solver.step(Budget::UNLIMITED) == Status::Running {}
            let margin = solver.solution().margins.0;
            assert_eq!(table.margin(&pos), Some(margin), "{pos:?}");
            pos = pos.play(solver.solution().line[0]);
        }
        assert_eq!(table.margin(&pos), Some(pos.margin(pos.side())));
        assert_eq!(table.margin(&Kalah::start("6x3".parse().unwrap())), None);
    }
}

#[test]
fn a_file_has_the_same_bytes_for_any_threads_and_interruptions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = fs::read(build(folders[0].path(), rules("6x1"), 9, Pool::alone())).unwrap();
    assert_eq!(whole.len() as u64, Size::compute(rules("6x1"), 9).unwrap().bytes);
    assert_eq!(fs::read(build(folders[1].path(), rules("6x1"), 9, Pool::new(3))).unwrap(), whole);

    let part = folders[2].path().join("kalah-6-standard.endgames.part");
    // Cut within a layer, damaged within one, and foreign.
    for (cut, at) in [(whole.len() - 9, 0), (whole.len() - 100, 30_000), (whole.len(), 3)] {
        let mut bytes = whole[..cut].to_vec();
        if at > 0 {
            bytes[at] ^= 1;
        }
        fs::write(&part, bytes).unwrap();
        let written = TableBuilder::new(folders[2].path(), rules("6x1"), 9, Pool::alone()).unwrap().written();
        assert_eq!(written, if at == 3 { 0 } else { if at > 0 { 7 } else { 9 } });
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
    assert!(table.layer(5).is_ok() && table.layer(6).is_err());
    let table = EndgameTable::open(&path).unwrap();
    assert_eq!((table.share([1, 0]), table.share([0x0303, 0]), table.share([1, 0])), (Some(1), None, None));
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let error = |text: &str, seeds| Size::compute(rules(text), seeds).unwrap_err().to_string();
    assert_eq!(error("6x4", 28), "a table for 6 pits a side must have 1 to 27 seeds (got 28)");
    assert_eq!(error("8x4", 0), "a table for 8 pits a side must have 1 to 19 seeds (got 0)");
    let error = "6x4:end=mover".parse::<TableRules>().unwrap_err().to_string();
    assert!(error.contains("end when either side has no seeds"));
}

/// Positions by number: what their mover gains when they come up again, or at the end; and for each move the gain and the
/// position after it.
type Graph = Vec<(i32, Vec<(i32, usize)>)>;

/// All positions of a game with at most this many seeds in the pits.
fn graph<G: BoardGame>(rules: G::Rules, seeds: u16) -> (Vec<G>, Graph) {
    let mut all = vec![vec![0; 12]];
    for _ in 0..seeds {
        let with = |row: &Vec<u16>, at: usize| row.iter().zip(0..).map(|(n, pit)| n + u16::from(pit == at)).collect();
        let grown: Vec<Vec<u16>> = all.iter().flat_map(|row| (0..12).map(move |at| with(row, at))).collect();
        all.extend(grown);
        all.sort();
        all.dedup();
    }
    let board = |row: &Vec<u16>| Board::Pits(PitBoard { pits: [row[..6].to_vec(), row[6..].to_vec()], stores: [0; 2] });
    let positions = all.iter().map(|row| G::from_board(rules, &board(row), Side::South).unwrap());
    let mut positions: Vec<G> = positions.filter(|pos| !pos.is_over()).collect();
    positions.sort_by_key(Game::reach);
    let numbers: BTreeMap<String, usize> = positions.iter().map(|pos| format!("{:?}", pos.key())).zip(0..).collect();
    let edges = |pos: &G| {
        let edge = |mv| {
            let child = pos.play(mv);
            let number = numbers.get(&format!("{:?}", child.key())).filter(|_| !child.is_over());
            (child.margin(Side::South), number.copied().unwrap_or(usize::MAX))
        };
        (pos.stopped_margin(Side::South).unwrap(), pos.moves().map(edge).collect())
    };
    let graph = positions.iter().map(edges).collect();
    (positions, graph)
}

/// The guarantees of the movers and of their opponents, each threshold by sets: a side reaches it if it can force a capture
/// or an end that gives it, or stay among positions that give it when they come up again.
fn guarantees(graph: &Graph, reach: &dyn Fn(usize) -> i32) -> Vec<[i32; 2]> {
    let mut found = vec![[i32::MIN; 2]; graph.len()];
    let mut from = 0;
    while from < graph.len() {
        let to = (from..graph.len()).find(|&at| reach(at) > reach(from)).unwrap_or(graph.len());
        for threshold in -reach(from)..=reach(from) {
            for (at, sides) in winning(graph, from..to, threshold, &found).into_iter().enumerate() {
                for side in [0, 1].into_iter().filter(|&side| sides[side]) {
                    found[from + at][side] = threshold;
                }
            }
        }
        from = to;
    }
    found
}

/// For each position of a layer, whether the mover and whether the opponent reach a threshold.
fn winning(graph: &Graph, layer: std::ops::Range<usize>, least: i32, below: &[[i32; 2]]) -> Vec<[bool; 2]> {
    let none = vec![[false; 2]; layer.len()];
    // Whether a side wins by moves to positions of which `wins` is true.
    let step = |wins: &dyn Fn(usize, usize) -> bool| -> Vec<[bool; 2]> {
        let by = |at: usize, side: usize| {
            let after = |&(gain, child): &(i32, usize)| {
                let gain = if side == 0 { gain } else { -gain };
                match child {
                    usize::MAX => gain >= least,
                    child if layer.contains(&child) => wins(child, 1 - side),
                    child => gain + below[child][1 - side] >= least,
                }
            };
            if side == 0 { graph[at].1.iter().any(after) } else { graph[at].1.iter().all(after) }
        };
        layer.clone().map(|at| [by(at, 0), by(at, 1)]).collect()
    };
    let is_good =
        |child: usize, side: usize| if side == 0 { graph[child].0 >= least } else { -graph[child].0 >= least };
    let mut won = none.clone();
    loop {
        let mut stays = vec![[true; 2]; layer.len()];
        loop {
            let wins = |child, side: usize| {
                let at: usize = child - layer.start;
                won[at][side] || stays[at][side] && is_good(child, side)
            };
            let next = step(&wins);
            if next == stays {
                break;
            }
            stays = next;
        }
        if stays == won {
            return won;
        }
        won = stays;
    }
}

fn check_guarantees<G: BoardGame<Key = [u64; 2]>>(text: &str, game: G::Rules, seeds: u8) {
    let folder = tempfile::tempdir().unwrap();
    let table = EndgameTable::open(&build(folder.path(), rules(text), seeds, Pool::alone())).unwrap();
    let (positions, graph) = graph::<G>(game, seeds.into());
    let found = guarantees(&graph, &|at| positions[at].reach());
    assert!(positions.len() > 1000);
    for (pos, [least, most]) in positions.iter().zip(found) {
        let bounds = table.bounds(pos.key()).unwrap();
        assert_eq!((i32::from(bounds.least), i32::from(bounds.most)), (least, -most), "{text}: {pos:?}");
    }
}

#[test]
fn bounds_are_those_of_sets_of_positions() {
    use crate::game::sowing::{awari::Awari, oware::Oware};
    check_guarantees::<Awari>("awari", "".parse().unwrap(), 5);
    for slam in ["none", "all", "illegal"] {
        check_guarantees::<Oware>(&format!("oware:slam={slam}"), format!("slam={slam}").parse().unwrap(), 5);
    }
}

#[test]
fn a_table_of_bounds_is_resumed_and_refused_as_shares_are() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = fs::read(build(folders[0].path(), rules("oware"), 6, Pool::alone())).unwrap();
    assert_eq!(whole.len() as u64, Size::compute(rules("oware"), 6).unwrap().bytes);
    let part = folders[1].path().join("oware-standard.endgames.part");
    for cut in [whole.len() - 9, whole.len() / 2, 70] {
        fs::write(&part, &whole[..cut]).unwrap();
        assert_eq!(fs::read(build(folders[1].path(), rules("oware:slam=none"), 6, Pool::new(3))).unwrap(), whole);
    }
    let refusal = |name: &str| {
        let folder = folders[1].path();
        fs::rename(folder.join("oware-standard.endgames"), folder.join(name)).unwrap();
        EndgameTable::open(&folder.join(name)).unwrap().rules().name()
    };
    // A renamed table is for the rules in its header.
    assert_eq!(refusal("awari-standard.endgames"), "oware-standard");
    let mut bytes = whole.clone();
    (bytes[18], bytes[19]) = (9, 6);
    let sum = mancalab_base::codec::checksum(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&sum);
    fs::write(&part, bytes).unwrap();
    let error = EndgameTable::open(&part).err().unwrap().to_string();
    assert!(error.contains("its rules are unknown"), "{error}");
}
