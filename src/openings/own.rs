//! The saved games of a folder, read into memory and read again when they change.

use std::cmp::Reverse;
use std::collections::BTreeMap;
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

/// A file's date and size, and the moves of its games.
#[derive(Clone, Debug)]
struct Saved {
    stamp: (SystemTime, u64),
    games: u64,
    moves: Arc<[Event]>,
    /// The seed and the players of a single game with a seed.
    id: Option<u64>,
    /// It is an earlier state of a game that another file has, such as the one that was saved automatically.
    is_copy: bool,
}

/// The saved games.
#[derive(Clone, Default, Debug)]
pub(super) struct Own(BTreeMap<PathBuf, Saved>);

impl Own {
    /// Forgets what is not in the folder, and returns the files that are new or have changed.
    pub fn list(&mut self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let stamp = |entry: fs::DirEntry| {
            let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let path = entry.path();
            let is_game = path.extension().is_some_and(|ending| ending == ENDING) || Format::of_path(&path).is_some();
            is_game.then_some((path, (meta.modified().ok()?, meta.len())))
        };
        let found: BTreeMap<PathBuf, _> = entries.filter_map(stamp).collect();
        self.0.retain(|path, saved| found.get(path) == Some(&saved.stamp));
        let new = found.into_iter().filter(|(path, _)| !self.0.contains_key(path));
        new.map(|(path, _)| path).collect()
    }

    /// Reads a file. One that holds no games, or none that is valid, has no moves.
    pub fn read(&mut self, path: PathBuf, usual: Variant) {
        let Some(stamp) = fs::metadata(&path).ok().and_then(|meta| Some((meta.modified().ok()?, meta.len()))) else {
            return;
        };
        let (games, moves, id) = moves_of(&path, usual).unwrap_or_default();
        self.0.insert(path, Saved { stamp, games, moves: moves.into(), id, is_copy: false });
    }

    /// Finds the copies, once all files are read.
    pub fn find_copies(&mut self) {
        let mut of_id: BTreeMap<u64, Vec<&mut Saved>> = BTreeMap::new();
        for saved in self.0.values_mut() {
            saved.is_copy = false;
            if let Some(id) = saved.id {
                of_id.entry(id).or_default().push(saved);
            }
        }
        for mut games in of_id.into_values().filter(|games| games.len() > 1) {
            // The longest first, finished ones before unfinished ones.
            games.sort_by_key(|saved| (Reverse(saved.moves.len()), saved.moves.first().map(|event| event & 0xff)));
            for index in 1..games.len() {
                let (before, rest) = games.split_at_mut(index);
                let moves = |saved: &Saved| saved.moves.iter().map(|event| event >> 8).collect::<Vec<_>>();
                let own = moves(rest[0]);
                rest[0].is_copy = before.iter().any(|longer| moves(longer).starts_with(&own));
            }
        }
    }

    fn counted(&self) -> impl Iterator<Item = &Saved> {
        self.0.values().filter(|saved| !saved.is_copy)
    }

    pub fn games(&self) -> u64 {
        self.counted().map(|saved| saved.games).sum()
    }

    /// Adds the moves of a position. Every move of every game is compared: a thousand games have thirty thousand.
    pub fn add(&self, hash: u64, to: &mut PositionCounts) {
        for event in self.counted().flat_map(|saved| saved.moves.iter()).filter(|event| (**event >> 64) as u64 == hash)
        {
            to.entry((event >> 8) as u16).or_default().0[(event & 3) as usize] += 1;
        }
    }
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
