//! The saved games of a folder, read into memory and read again when they change.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{Event, PositionCounts, events};
use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::game::Variant;
use crate::game::notation::{self, Format, Games};

/// File extension of saved games.
const ENDING: &str = "game";

/// A file's date and size.
type Stamp = (SystemTime, u64);

/// A file, and the moves of its games.
#[derive(Clone, Debug)]
struct SavedFile {
    path: PathBuf,
    stamp: Stamp,
    games: u64,
    moves: Arc<[Event]>,
    /// The seed and the players of a single game with a seed.
    id: Option<u64>,
    /// It is an earlier state of a game that another file has, such as the one that was saved automatically.
    is_copy: bool,
}

impl SavedFile {
    /// Whether the game is that of `other`, which continues it.
    fn is_begun_in(&self, other: &SavedFile) -> bool {
        let moves = |saved: &SavedFile, index: usize| saved.moves.get(index).map(|event| event >> 8);
        let result = |saved: &SavedFile| saved.moves.first().map(|event| event & 0xff);
        // Of equally long ones a finished one, then the first by name.
        let rank = |saved: &SavedFile| (saved.moves.len(), std::cmp::Reverse((result(saved), saved.path.clone())));
        self.id.is_some()
            && self.id == other.id
            && rank(self) < rank(other)
            && (0..self.moves.len()).all(|index| moves(self, index) == moves(other, index))
    }
}

/// The saved games.
#[derive(Clone, Default, Debug)]
pub(super) struct SavedGames(Vec<SavedFile>);

impl SavedGames {
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

    /// Reads a game, or begins with a file of many. A file without a valid game has no moves.
    pub fn read(&mut self, path: PathBuf, usual: Variant) -> Option<GamesReader> {
        let stamp = stamp(&path)?;
        let mut saved = SavedFile { path, stamp, games: 0, moves: Arc::default(), id: None, is_copy: false };
        let Some(format) = Format::of_path(&saved.path) else {
            if let Some((moves, id)) = moves_of(&saved.path) {
                (saved.games, saved.moves, saved.id) = (1, moves.into(), id);
            }
            self.0.push(saved);
            return None;
        };
        match games_of(&saved.path, format) {
            Some(games) => return Some(GamesReader { saved, usual, games, next: 0, moves: Vec::new() }),
            None => self.0.push(saved),
        }
        None
    }

    /// Reads the next game of a file; returns the file until its last one is read.
    pub fn read_next(&mut self, mut reading: GamesReader) -> Option<GamesReader> {
        let GamesReader { usual, games, next, moves, .. } = &mut reading;
        if *next < games.len() {
            moves.extend(games.read(*next, *usual).iter().flat_map(events));
            *next += 1;
            return Some(reading);
        }
        self.0.push(SavedFile { games: reading.games.len() as u64, moves: reading.moves.into(), ..reading.saved });
        None
    }

    /// Finds the copies, once all files are read.
    pub fn find_copies(&mut self) {
        let mut of_game: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, saved) in self.0.iter_mut().enumerate() {
            saved.is_copy = false;
            of_game.entry(saved.id.unwrap_or_default()).or_default().extend(saved.id.map(|_| index));
        }
        for files in of_game.values() {
            for &index in files {
                self.0[index].is_copy = files.iter().any(|&other| self.0[index].is_begun_in(&self.0[other]));
            }
        }
    }

    fn counted(&self) -> impl Iterator<Item = &SavedFile> {
        self.0.iter().filter(|saved| !saved.is_copy)
    }

    pub fn games(&self) -> u64 {
        self.counted().map(|saved| saved.games).sum()
    }

    /// Adds the moves of a position. Every move of every game is compared: a thousand games have thirty thousand.
    pub fn add(&self, hash: u64, to: &mut PositionCounts) {
        for event in self.counted().flat_map(|saved| saved.moves.iter()).filter(|event| (**event >> 64) as u64 == hash)
        {
            to.of_move((event >> 8) as u16).0[(event & 3) as usize] += 1;
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((meta.modified().ok()?, meta.len()))
}

/// A file of many games that is being read.
pub(super) struct GamesReader {
    saved: SavedFile,
    usual: Variant,
    games: Games,
    next: usize,
    moves: Vec<Event>,
}

/// The moves of a saved game, and its seed and players as a number.
fn moves_of(path: &Path) -> Option<(Vec<Event>, Option<u64>)> {
    let record = notation::read(&files::read_text(path, Kind::Game).ok()?).ok()?;
    let id = record.seed.map(|seed| checksum(format!("{seed} {:?}", record.players).as_bytes()));
    Some((events(&record), id))
}

fn games_of(path: &Path, format: &Format) -> Option<Games> {
    let mut contents = vec![Vec::new(); format.beside.len()];
    contents.push(files::read(path, Kind::Collection).ok()?);
    format.open(contents).ok()
}
