//! The saved games of a folder, read into memory and read again when they change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{Event, PositionCounts, events};
use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::game::Variant;
use crate::game::notation::{self, Format};

/// File extension of saved games.
const ENDING: &str = "game";

/// A file's date and size.
type Stamp = (SystemTime, u64);

/// A file, and the moves of its games.
#[derive(Clone, Debug)]
struct Saved {
    path: PathBuf,
    stamp: Stamp,
    games: u64,
    moves: Arc<[Event]>,
    /// The seed and the players of a single game with a seed.
    id: Option<u64>,
    /// It is an earlier state of a game that another file has, such as the one that was saved automatically.
    is_copy: bool,
}

impl Saved {
    /// Whether the game is that of `other`, which continues it.
    fn is_begun_in(&self, other: &Saved) -> bool {
        let moves = |saved: &Saved, index: usize| saved.moves.get(index).map(|event| event >> 8);
        let result = |saved: &Saved| saved.moves.first().map(|event| event & 0xff);
        // Of equally long ones a finished one, then the first by name.
        let rank = |saved: &Saved| (saved.moves.len(), std::cmp::Reverse((result(saved), saved.path.clone())));
        self.id.is_some()
            && self.id == other.id
            && rank(self) < rank(other)
            && (0..self.moves.len()).all(|index| moves(self, index) == moves(other, index))
    }
}

/// The saved games.
#[derive(Clone, Default, Debug)]
pub(super) struct Own(Vec<Saved>);

impl Own {
    /// Forgets what is not in the folder, and returns the files that are new or have changed.
    pub fn list(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<(PathBuf, Stamp)> = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_game = path.extension().is_some_and(|ending| ending == ENDING) || Format::of_path(&path).is_some();
            found.extend(stamp(&path).filter(|_| is_game).map(|stamp| (path, stamp)));
        }
        self.0.retain(|saved| {
            found.iter().any(|(path, stamp)| *stamp == saved.stamp && path.as_os_str() == saved.path.as_os_str())
        });
        found.retain(|(path, _)| !self.0.iter().any(|saved| saved.path.as_os_str() == path.as_os_str()));
        found.into_iter().map(|(path, _)| path).collect()
    }

    /// Reads a file. One that holds no games, or none that is valid, has no moves.
    pub fn read(&mut self, path: PathBuf, usual: Variant) {
        let Some(stamp) = stamp(&path) else { return };
        let (games, moves, id) = moves_of(&path, usual).unwrap_or_default();
        self.0.push(Saved { path, stamp, games, moves: moves.into(), id, is_copy: false });
    }

    /// Finds the copies, once all files are read.
    pub fn find_copies(&mut self) {
        for index in 0..self.0.len() {
            self.0[index].is_copy = self.0.iter().any(|other| self.0[index].is_begun_in(other));
        }
    }

    fn counted(&self) -> impl Iterator<Item = &Saved> {
        self.0.iter().filter(|saved| !saved.is_copy)
    }

    pub fn games(&self) -> u64 {
        self.counted().map(|saved| saved.games).sum()
    }

    /// Adds the moves of a position. Every move of every game is compared: a thousand games have thirty thousand.
    pub fn add(&self, hash: u64, to: &mut PositionCounts) {
        for event in self.counted().flat_map(|saved| saved.moves.iter()).filter(|event| (**event >> 64) as u64 == hash)
        {
            to.of((event >> 8) as u16).0[(event & 3) as usize] += 1;
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((meta.modified().ok()?, meta.len()))
}

/// The number of a file's games, their moves, and the seed and players of a single one.
fn moves_of(path: &Path, usual: Variant) -> Option<(u64, Vec<Event>, Option<u64>)> {
    let Some(format) = Format::of_path(path) else {
        let record = notation::read(&files::read_text(path, Kind::Game).ok()?).ok()?;
        let id = record.seed.map(|seed| checksum(format!("{seed} {:?}", record.players).as_bytes()));
        return Some((1, events(&record), id));
    };
    let mut contents = vec![Vec::new(); format.beside.len()];
    contents.push(files::read(path, Kind::Collection).ok()?);
    let games = format.open(contents).ok()?;
    let records = (0..games.len()).filter_map(|index| games.read(index, usual).ok());
    Some((games.len() as u64, records.flat_map(|record| events(&record)).collect(), None))
}
