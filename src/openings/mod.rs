//! Openings: the moves that were played in a position, and how those games ended.
//!
//! Games come from databases (collections of games that a setting or a command names) and from the folder of saved games. `index` is the
//! file that answers for a database, built once; `saved_games` has the saved games in memory. [`OpeningsJob`] opens
//! or builds all of it as a job, and [`Openings::answer`] reads a few blocks of files, so that it belongs off the drawing thread. The
//! main line's first [`PLIES`] moves of a game count.
//!
//! Identification of positions and their moves.
//!
//! A position is its board and the side to move, under the rules of its game; counters of moves do not count. Symmetric positions of
//! Othello are one, so that the four first moves are one move. A key is a hash of 64 bits, the same on every machine: among ten
//! million positions two share one with a probability of 3 in a million.

mod index;
mod saved_games;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mancalab_base::Error;

use super::budget::{Budget, Job, Status};
use super::codec::checksum;
use super::game::notation::given_outcome;
use super::game::record::Record;
use super::game::referee::Outcome;
use super::game::{Board, Ground, Move, Position, Side, Squares, Variant};
use super::paths::Paths;
use index::{Index, IndexBuilder};
use saved_games::{GamesReader, SavedGames};

/// Moves of a game that count, from its start.
pub(crate) const PLIES: usize = 30;

/// A move of a game as a number: the key of its position, the move in 16 bits, and the result in 8.
type Event = u128;

/// The first moves of a game's main line.
fn events(record: &Record) -> Vec<Event> {
    let result = match given_outcome(record) {
        Some(Outcome::Won) => 0,
        Some(Outcome::Drawn) => 1,
        Some(Outcome::Lost) => 2,
        None => 3,
    };
    let line = record.main_line();
    let before = std::iter::once(0).chain(line.iter().map(|step| step.node));
    let event = |(node, mv): (usize, Move)| {
        let key = Key::new(record.position_at(node));
        u128::from(key.hash) << 64 | u128::from(key.mv(mv)) << 8 | result
    };
    before.zip(line.iter().map(|step| step.mv)).take(PLIES).map(event).collect()
}

/// Numbers of games by their result: won, drawn and lost by the first side, and unfinished.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts(pub [u64; 4]);

impl Counts {
    pub fn games(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Average result of a side in finished games, 0 to 1; `None` without any.
    pub fn score(&self, side: Side) -> Option<f64> {
        let [won, drawn, lost, _] = self.0;
        let finished = won + drawn + lost;
        let south = (won as f64 + drawn as f64 / 2.0) / finished as f64;
        (finished > 0).then_some(if side == Side::South { south } else { 1.0 - south })
    }

    fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

/// The counts of a position's moves, by the numbers of [`Key::mv`].
#[derive(Default)]
struct PositionCounts(Vec<(u16, Counts)>);

impl PositionCounts {
    /// The counts of a move, 0 at first.
    fn of_move(&mut self, mv: u16) -> &mut Counts {
        let at = self.0.iter().position(|(known, _)| *known == mv).unwrap_or(self.0.len());
        if at == self.0.len() {
            self.0.push((mv, Counts::default()));
        }
        &mut self.0[at].1
    }
}

/// Where games come from.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sources {
    pub databases: Vec<PathBuf>,
    /// The folder of saved games.
    pub games: Option<PathBuf>,
    /// The folder of indexes.
    pub indexes: Option<PathBuf>,
}

impl Sources {
    /// These databases and, if wanted, the saved games.
    pub fn new(databases: &[PathBuf], games: Option<PathBuf>, paths: &Paths) -> Sources {
        let indexes = paths.state().map(|state| state.join("openings"));
        Sources { databases: databases.to_vec(), games, indexes }
    }

    /// The index of a database: its name, and a number by its whole path.
    fn index_of(&self, database: &Path) -> Result<PathBuf, Error> {
        let folder = self.indexes.as_ref().ok_or("no home directory: no place for the index of a database")?;
        let path = std::path::absolute(database).unwrap_or_else(|_| database.to_owned());
        let number = checksum(path.as_os_str().as_encoded_bytes());
        let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(folder.join(format!("{name}-{number:016x}.index")))
    }
}

/// All games that are known.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    indexes: Vec<Index>,
    saved: SavedGames,
    /// Databases that could not be used, with the reason, and those with invalid games.
    pub problems: Vec<String>,
}

/// The moves that were played in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Answer {
    /// The most frequent first; of symmetric moves one.
    pub rows: Vec<OpeningMove>,
    pub all: Counts,
    /// Name of the opening up to the position.
    pub name: Option<String>,
}

/// A move with the results of its games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OpeningMove {
    pub mv: Move,
    pub counts: Counts,
    /// Name of the opening after the move, if it is another one.
    pub name: Option<String>,
}

/// A position whose moves are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub position: Position,
    /// The moves from the usual start; `None` after another start.
    pub line: Option<Vec<Move>>,
    /// The next move of the game, which stands for moves symmetric to it.
    pub next: Option<Move>,
}

impl Query {
    /// The current position of a record.
    pub fn new(record: &Record) -> Query {
        let is_usual = *record.start() == record.variant.start();
        let moves = || record.line().iter().take(record.ply() as usize).map(|step| step.mv).collect();
        Query { position: *record.position(), line: is_usual.then(moves), next: record.next() }
    }
}

impl Openings {
    /// Numbers of games: in databases, and saved.
    pub fn games(&self) -> (u64, u64) {
        (self.indexes.iter().map(Index::games).sum(), self.saved.games())
    }

    /// The moves of a position.
    ///
    /// # Errors
    /// An index is damaged. It was removed, and must be built again.
    pub fn answer(&self, query: &Query) -> Result<Answer, Error> {
        let Query { position, line, next } = query;
        let key = Key::new(position);
        let mut counts = PositionCounts::default();
        self.saved.add(key.hash, &mut counts);
        self.indexes.iter().try_for_each(|index| index.add(key.hash, &mut counts))?;
        let named = |mv: Option<Move>| {
            let moves: Vec<Move> = line.as_ref()?.iter().copied().chain(mv).collect();
            position.variant().opening(&moves)
        };
        let mut answer = Answer { name: named(None), ..Answer::default() };
        let mut moves = position.moves();
        if let Some(at) = next.and_then(|next| moves.iter().position(|mv| *mv == next)) {
            moves[..=at].rotate_right(1);
        }
        for mv in moves {
            // Of symmetric moves the first takes the counts.
            let counts = std::mem::take(counts.of_move(key.mv(mv)));
            if counts.games() == 0 {
                continue;
            }
            answer.all.add(&counts);
            let name = named(Some(mv)).filter(|name| answer.name.as_ref() != Some(name));
            answer.rows.push(OpeningMove { mv, counts, name });
        }
        crate::sort::sort_by_key(&mut answer.rows, |row| (std::cmp::Reverse(row.counts.games()), row.mv));
        Ok(answer)
    }
}

/// Opens or builds the indexes and reads the saved games that are new, as a job.
pub(crate) struct OpeningsJob {
    sources: Sources,
    usual: Variant,
    /// Databases that are done.
    opened: usize,
    builder: Option<IndexBuilder>,
    /// Saved games to read, and their number at first; `None` before the folder was listed.
    unread: Option<(Vec<PathBuf>, usize)>,
    /// One of many games.
    reading: Option<GamesReader>,
    openings: Openings,
    ready: Option<Arc<Openings>>,
}

/// The state of [`OpeningsJob`].
#[derive(Clone, Default, Debug)]
pub(crate) struct OpeningsJobView {
    /// What is read, and how many games of how many.
    pub progress: Option<(String, usize, usize)>,
    pub ready: Option<Arc<Openings>>,
}

impl OpeningsJob {
    /// `known`: saved games that were read before. Games without headers are of `usual` if possible.
    pub fn new(sources: Sources, usual: Variant, known: Option<&Openings>) -> OpeningsJob {
        let saved = known.map(|known| known.saved.clone()).unwrap_or_default();
        let openings = Openings { saved, ..Openings::default() };
        OpeningsJob { sources, usual, opened: 0, builder: None, unread: None, reading: None, openings, ready: None }
    }

    /// Continues with a database.
    fn prepare(&mut self, database: &Path, budget: Budget) -> Result<Option<Index>, Error> {
        let Some(mut builder) = self.builder.take() else {
            let path = self.sources.index_of(database)?;
            let open = Index::open(database, &path)?;
            if open.is_none() {
                self.builder = Some(IndexBuilder::begin(database, &path, self.usual)?);
            }
            return Ok(open);
        };
        if builder.step(budget)? {
            return builder.finish().map(Some);
        }
        self.builder = Some(builder);
        Ok(None)
    }

    /// Reads a saved game; returns whether all were read.
    fn read_saved(&mut self) -> bool {
        let saved = &mut self.openings.saved;
        if let Some(reading) = self.reading.take() {
            self.reading = saved.read_next(reading);
            return false;
        }
        let (unread, _) = self.unread.get_or_insert_with(|| {
            let unread = self.sources.games.as_ref().map(|folder| saved.list(folder)).unwrap_or_default();
            let count = unread.len();
            (unread, count)
        });
        match unread.pop() {
            Some(path) => self.reading = saved.read(path, self.usual),
            None => {
                saved.find_copies();
                return true;
            }
        }
        false
    }
}

impl Job for OpeningsJob {
    type View = OpeningsJobView;

    fn step(&mut self, budget: Budget) -> Status {
        while self.ready.is_none() {
            if let Some(database) = self.sources.databases.get(self.opened).cloned() {
                match self.prepare(&database, budget) {
                    Ok(None) => {}
                    Ok(Some(index)) => {
                        self.openings.problems.extend(index.invalid());
                        self.openings.indexes.push(index);
                        self.opened += 1;
                    }
                    Err(error) => {
                        self.openings.problems.push(error.to_string());
                        self.opened += 1;
                    }
                }
            } else if self.read_saved() {
                self.ready = Some(Arc::new(std::mem::take(&mut self.openings)));
            }
            if budget.is_spent() {
                return if self.ready.is_some() { Status::Done } else { Status::Running };
            }
        }
        Status::Done
    }

    fn view(&self) -> OpeningsJobView {
        let database = || {
            let (done, all) = self.builder.as_ref()?.progress();
            let name = self.sources.databases.get(self.opened)?.file_name().unwrap_or_default();
            Some((name.to_string_lossy().into_owned(), done, all))
        };
        let saved = || self.unread.as_ref().map(|(unread, all)| ("saved games".to_owned(), all - unread.len(), *all));
        OpeningsJobView { progress: database().or_else(saved), ready: self.ready.clone() }
    }
}

/// A position, and how its board maps to the one that stands for all symmetric ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub hash: u64,
    /// The symmetries that lead to that board, as bits.
    symmetries: u8,
    /// Files of a board whose symmetries count; 0 for others.
    files: u8,
}

impl Key {
    pub fn new(position: &Position) -> Key {
        let board = position.board();
        let variant = position.variant();
        let rules = match (&board, variant) {
            // The rules of these differ in the start and in draws only.
            (Board::Squares(_), Variant::Othello(_) | Variant::Checkers(_)) => checksum(variant.name().as_bytes()),
            _ => checksum(variant.to_string().as_bytes()),
        };
        let seed = mix(rules ^ position.side().index() as u64);
        match &board {
            Board::Pits(board) => {
                let counts = board.pits.iter().flatten().chain(&board.stores);
                let hash = counts.fold(seed, |hash, &count| mix(hash ^ u64::from(count)));
                Key { hash, symmetries: 1, files: 0 }
            }
            Board::Squares(board) => of_squares(board, seed),
        }
    }

    /// The move on the board that stands for the symmetric ones: of the moves that a symmetry of the position itself makes equal, the
    /// least.
    pub fn mv(&self, mv: Move) -> u16 {
        let all = (0..8).filter(|symmetry| self.symmetries >> symmetry & 1 == 1);
        all.map(|symmetry| turned(mv.0, symmetry, self.files.into())).min().unwrap_or(mv.0)
    }
}

fn of_squares(board: &Squares, seed: u64) -> Key {
    let is_symmetric = board.ground == Ground::Whole && board.files == board.ranks;
    let files = if is_symmetric { board.files } else { 0 };
    let mut hashes = [seed; 8];
    let used = if is_symmetric { &mut hashes[..] } else { &mut hashes[..1] };
    for (square, piece) in (0..).zip(&board.pieces) {
        let Some(piece) = piece else { continue };
        let kind = 2 * piece.side.index() as u64 + u64::from(piece.king);
        for (symmetry, hash) in used.iter_mut().enumerate() {
            *hash ^= mix(4 * u64::from(turned(square, symmetry, files.into())) + kind + 1);
        }
    }
    let least = used.iter().copied().min().unwrap_or(seed);
    let symmetries = used.iter().rev().fold(0, |bits, hash| bits << 1 | u8::from(*hash == least));
    Key { hash: mix(least), symmetries, files }
}

/// A square of a board with this many files after one of eight symmetries; itself if it is none of the board, such as a pass.
fn turned(square: u16, symmetry: usize, files: u16) -> u16 {
    if square >= files * files {
        return square;
    }
    let mut rank = square / files;
    let mut file = square % files;
    if symmetry & 1 != 0 {
        file = files - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = files - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (rank, file) = (file, rank);
    }
    files * rank + file
}

/// The finalizer of SplitMix64.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}
