//! Files of games: their names, and reading a game or a collection.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mancalab_base::{Error, bail};

use crate::files::{self, Kind, read_text};
use crate::game::notation::FORMATS;
use crate::game::notation::{self, DefaultGame, Format, Games, ReadFailure};
use crate::game::record::{NodeId, Record};
use crate::game::{TextError, Variant};
use crate::player::{PositionValue, Spec};
use crate::sanitize;

/// The header with the tournament of a game.
pub const TOURNAMENT: &str = "Tournament";

/// File extension of games.
pub const ENDING: &str = "game";

/// A game that was read.
#[derive(Clone, Debug)]
pub struct OpenedGame {
    pub record: Record,
    /// The players where they are known; otherwise the record's, after confirmation of files.
    pub players: [Option<Spec>; 2],
    /// The file it was read from.
    pub file: Option<PathBuf>,
    /// Writing the record back loses nothing of the text.
    pub replaceable: bool,
    /// It is on disk in this form and need not be saved.
    pub stored: bool,
    /// The values of a review that the file has.
    pub values: Vec<(NodeId, Arc<PositionValue>)>,
}

/// A collection with its name.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The file's name.
    pub name: String,
    pub games: Games,
    /// The index of the game on the board; `None` before one is opened.
    pub open: Option<usize>,
}

/// The contents of a file or of pasted text.
#[derive(Clone, Debug)]
pub enum FileContents {
    Game(OpenedGame),
    /// A game up to its error.
    Begun(PartialGame),
    /// The game of the collection that is open, if requested by number or the only one, and its error.
    Games(Shelf, Option<PartialGame>),
}

/// A game as far as it is valid.
#[derive(Clone, Debug)]
pub struct PartialGame {
    pub opened: OpenedGame,
    /// The error of an incomplete game.
    pub broken: Option<String>,
}

impl OpenedGame {
    /// Reads a game, or a bare position or transcript, of `variant` if possible.
    ///
    /// # Errors
    /// The location of the error, and what was expected there.
    pub fn read(text: &str, variant: Variant) -> Result<OpenedGame, TextError> {
        OpenedGame::read_begun(text, variant.into()).map_err(|stopped| stopped.error)
    }

    /// The same, with the part before the error.
    fn read_begun(text: &str, assumed: DefaultGame) -> Result<OpenedGame, ReadFailure> {
        let record = notation::read_any(text, assumed)?;
        // A text without headers would be written with some.
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let replaceable = text.starts_with('[') && record.notes.is_empty() && !text.starts_with("[8");
        Ok(OpenedGame { replaceable, ..OpenedGame::new(record) })
    }

    /// Returns a game of a run, at its start; `origin` names the run and the game.
    pub fn of_run(mut record: Record, players: [Option<Spec>; 2], origin: String) -> OpenedGame {
        record.headers.push((TOURNAMENT.to_owned(), origin));
        record.to_start();
        OpenedGame { players, stored: true, ..OpenedGame::new(record) }
    }

    /// A game that is not on disk, with players as the record names them.
    fn new(record: Record) -> OpenedGame {
        let value = |node| Some((node, Arc::new(PositionValue::in_record(&record, node)?)));
        let values = record.reviewed().filter_map(value).collect();
        OpenedGame { record, players: [None, None], file: None, replaceable: false, stored: false, values }
    }
}

/// What a user should know of a game that was read: ignored headers, corrections, results that differ; `None` if nothing.
pub fn remarks(record: &Record) -> Option<String> {
    let remarks = notation::remarks(record);
    (!remarks.is_empty()).then(|| sanitize::inline(&remarks.join("; ")).to_string())
}

impl Shelf {
    fn new(name: String, games: Games) -> Shelf {
        Shelf { name, games, open: None }
    }

    /// Reads the game with this index and goes to its start, for stepping through.
    ///
    /// # Errors
    /// The game cannot be shown, and why.
    pub fn read(&self, index: usize, assumed: impl Into<DefaultGame>) -> Result<PartialGame, Error> {
        let (mut record, broken) = match self.games.read_as(index, assumed.into()) {
            Ok(record) => (record, None),
            Err(broken) => {
                let text = format!("{}, {broken}", self.name);
                let record = *broken.begun.ok_or_else(|| text.clone())?;
                // A correction may have led to the error.
                let text = std::iter::once(text).chain(record.notes.iter().cloned()).collect::<Vec<_>>().join("; ");
                (record, Some(text))
            }
        };
        record.to_start();
        let opened = OpenedGame { stored: true, ..OpenedGame::new(record) };
        Ok(PartialGame { opened, broken })
    }
}

impl FileContents {
    /// Reads a file: a collection by its extension or content. `FILE#3` is its third game.
    ///
    /// # Errors
    /// The file and the reason.
    pub fn open(path: &Path, assumed: impl Into<DefaultGame>) -> Result<FileContents, Error> {
        let assumed = assumed.into();
        let (file, number) = numbered(path);
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        if is_names(&file) {
            bail!("{name}: it has the names of a WTHOR database; open the file of its games, .wtb");
        }
        let refused = |error: &io::Error| unread(&file, error);
        let format = match Format::of_path(&file) {
            Some(format) => Some(format),
            None => {
                let content = files::read(&file, Kind::Game).map_err(|error| refused(&error))?;
                Format::of_content(&content, assumed.variant)
            }
        };
        let Some(format) = format else {
            if number.is_some() {
                bail!("{}: not a collection of games", file.display());
            }
            return match FileContents::of_text(&read_limited(&file)?, assumed, &file.display().to_string())? {
                FileContents::Game(opened) => {
                    Ok(FileContents::Game(OpenedGame { file: Some(file), stored: true, ..opened }))
                }
                FileContents::Begun(PartialGame { opened, broken }) => {
                    Ok(FileContents::Begun(PartialGame { opened: OpenedGame { stored: true, ..opened }, broken }))
                }
                held => Ok(held),
            };
        };
        let contents =
            collection_files(format, &file).into_iter().map(|part| match files::read(&part, Kind::Collection) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && part != file => Ok(Vec::new()),
                read => read.map_err(|error| unread(&part, &error)),
            });
        let games = format.open(contents.collect::<Result<_, _>>()?).map_err(|error| format!("{name}: {error}"))?;
        FileContents::select(Shelf::new(name, games), number, assumed)
    }

    /// Reads pasted text.
    ///
    /// # Errors
    /// The location of the error.
    pub fn paste(text: &str, variant: Variant) -> Result<FileContents, Error> {
        const NAME: &str = "The pasted text";
        let Some(format) = Format::of_content(text.as_bytes(), variant) else {
            return FileContents::of_text(text, variant.into(), NAME);
        };
        let games = format.open(vec![text.as_bytes().to_vec()]).map_err(|error| format!("{NAME}: {error}"))?;
        if games.len() == 1 {
            let begun = |record: Box<Record>| OpenedGame::new(*record);
            return match games.read(0, variant) {
                Ok(record) => Ok(FileContents::Game(OpenedGame::new(record))),
                Err(broken) => FileContents::begun(broken.begun.map(begun), format!("{NAME}: {}", broken.error)),
            };
        }
        FileContents::select(Shelf::new(NAME.to_owned(), games), None, variant.into())
    }

    /// Reads a game that is no collection, from a text of this name.
    fn of_text(text: &str, assumed: DefaultGame, name: &str) -> Result<FileContents, Error> {
        match OpenedGame::read_begun(text, assumed) {
            Ok(opened) => {
                assumed.check(&opened.record).map_err(|error| format!("{name}: {error}"))?;
                Ok(FileContents::Game(opened))
            }
            Err(ReadFailure { error, begun }) => {
                FileContents::begun(begun.map(|record| OpenedGame::new(*record)), format!("{name}: {error}"))
            }
        }
    }

    /// A game up to its error, or the error.
    fn begun(opened: Option<OpenedGame>, error: String) -> Result<FileContents, Error> {
        match opened {
            Some(opened) => Ok(FileContents::Begun(PartialGame { opened, broken: Some(error) })),
            None => Err(error.into()),
        }
    }

    fn select(mut shelf: Shelf, number: Option<usize>, assumed: DefaultGame) -> Result<FileContents, Error> {
        let count = shelf.games.len();
        let index = match number {
            _ if count == 0 => bail!("{}: it contains no games", shelf.name),
            Some(number) if (1..=count).contains(&number) => Some(number - 1),
            Some(number) => {
                bail!("{}: game {number} does not exist (games 1 to {count})", shelf.name);
            }
            None => (count == 1).then_some(0),
        };
        let picked = index.map(|index| shelf.read(index, assumed)).transpose()?;
        let first = if assumed.is_given && picked.is_none() { shelf.read(0, assumed).ok() } else { None };
        for PartialGame { opened, .. } in picked.iter().chain(&first) {
            assumed.check(&opened.record).map_err(|error| format!("{}: {error}", shelf.name))?;
        }
        shelf.open = index;
        Ok(FileContents::Games(shelf, picked))
    }

    /// What a collection lacks, such as names.
    pub fn note(&self) -> Option<&str> {
        match self {
            FileContents::Game(_) | FileContents::Begun(_) => None,
            FileContents::Games(shelf, _) => shelf.games.note(),
        }
    }

    /// Returns the single complete game.
    ///
    /// # Errors
    /// It is incomplete, or there are several.
    pub fn one(self) -> Result<OpenedGame, Error> {
        match self {
            FileContents::Game(opened) => Ok(opened),
            FileContents::Begun(PartialGame { broken: Some(why), .. })
            | FileContents::Games(_, Some(PartialGame { broken: Some(why), .. })) => Err(why.into()),
            FileContents::Begun(PartialGame { opened, .. })
            | FileContents::Games(_, Some(PartialGame { opened, .. })) => Ok(opened),
            FileContents::Games(Shelf { name, games, .. }, None) => {
                let count = games.len();
                Err(format!("{name} has {count} games; choose one from {name}#1 to {name}#{count}").into())
            }
        }
    }
}

/// Returns whether a file's name is that of a collection.
pub fn is_collection(path: &Path) -> bool {
    Format::of_path(path).is_some()
}

/// Whether a file has names that belong to a collection.
fn is_names(path: &Path) -> bool {
    let parts = FORMATS.iter().flat_map(|format| format.beside).map(Path::new);
    path.extension()
        .is_some_and(|ending| parts.filter_map(Path::extension).any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The files of a collection in the order of [`Format`]: those beside it, whatever the case of their names, or the only
/// one with the same extension; then itself.
pub fn collection_files(format: &Format, file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = |name: &&str| {
        let exact = folder.join(name);
        if exact.exists() {
            return exact;
        }
        let entries: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let is_it = |path: &&PathBuf| path.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name));
        let ending = |path: &Path| path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let mut alike = entries.iter().filter(|path| ending(path) == ending(Path::new(name)));
        let only = alike.next().filter(|_| alike.next().is_none());
        entries.iter().find(is_it).or(only).cloned().unwrap_or(exact)
    };
    format.beside.iter().map(beside).chain([file.to_owned()]).collect()
}

/// Splits off the number after `#` that is not part of the file's name.
pub(super) fn numbered(path: &Path) -> (PathBuf, Option<usize>) {
    let whole = || (path.to_owned(), None);
    if path.exists() {
        return whole();
    }
    let Some((file, number)) = path.to_str().and_then(|text| text.rsplit_once('#')) else { return whole() };
    number.parse().map_or_else(|_| whole(), |number| (PathBuf::from(file), Some(number)))
}

/// Reads a game file as text.
///
/// # Errors
/// The file and the reason.
pub fn read_limited(path: &Path) -> Result<String, Error> {
    read_text(path, Kind::Game).map_err(|error| unread(path, &error).into())
}

fn unread(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {why}", path.display(), why = sanitize::reason(error))
}

/// The first free name of the form `game-N.game`.
pub fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

/// Adds a game to a collection, which is created if missing; returns the game's number in it.
///
/// # Errors
/// The reason; the file is then unchanged.
pub fn append(path: &Path, record: &Record) -> Result<usize, Error> {
    let Some(format) = Format::of_path(path) else { bail!("{}: not a collection of games", path.display()) };
    let added = files::rewrite(&collection_files(format, path), Kind::Collection, |contents| {
        let added = format.add(contents, record).and_then(|()| format.open(contents.to_vec()));
        added.map(|games| games.len()).map_err(|error| io::Error::other(error.to_string()))
    });
    added.map_err(|error| format!("cannot write {}: {}", path.display(), sanitize::reason(&error)).into())
}
