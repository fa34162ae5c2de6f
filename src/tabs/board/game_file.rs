//! Files of games: their names, and reading a game or a collection.

use mancalab_base::{Error, bail};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::{self, Kind, read_text};
use crate::game::notation::{Format, Games};
use crate::game::record::{NodeId, Record};
use crate::game::{TextError, Variant, notation};
use crate::player::{Spec, Valued};
use crate::sanitize;

/// The header with the tournament of a game.
pub const TOURNAMENT: &str = "Tournament";

/// File extension of games.
pub const ENDING: &str = "game";

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Opened {
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
    pub values: Vec<(NodeId, Arc<Valued>)>,
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
pub enum Held {
    Game(Opened),
    /// The game of the collection that is open, if requested by number or the only one, and its error.
    Games(Shelf, Option<Picked>),
}

/// A game of a collection, as far as it is valid.
#[derive(Clone, Debug)]
pub struct Picked {
    pub opened: Opened,
    /// The error of an incomplete game.
    pub broken: Option<String>,
}

impl Opened {
    /// Reads a game, or a bare position or transcript, of `variant` if possible.
    ///
    /// # Errors
    /// The location of the error, and what was expected there.
    pub fn read(text: &str, variant: Variant) -> Result<Opened, TextError> {
        // A text without headers would be written with some.
        let replaceable = text.trim_start_matches('\u{feff}').trim_start().starts_with('[');
        let record = notation::read_any(text, variant)?;
        Ok(Opened { replaceable, ..Opened::of(record) })
    }

    /// A game that is not on disk, with players as the record names them.
    fn of(record: Record) -> Opened {
        let value = |node| Some((node, Arc::new(Valued::in_record(&record, node)?)));
        let values = record.reviewed().filter_map(value).collect();
        Opened { record, players: [None, None], file: None, replaceable: false, stored: false, values }
    }
}

/// A sentence that names a game's headers which the program ignores; `None` without such headers.
pub fn unknown_headers(record: &Record) -> Option<String> {
    let names = notation::unknown_headers(record);
    let list = || names.iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("ignored the unknown header {}", list()))
}

impl Shelf {
    fn new(name: String, games: Games) -> Shelf {
        Shelf { name, games, open: None }
    }

    /// Reads the game with this index and goes to its start, for stepping through.
    ///
    /// # Errors
    /// The game cannot be shown, and why.
    pub fn read(&self, index: usize, variant: Variant) -> Result<Picked, Error> {
        let (mut record, broken) = match self.games.read(index, variant) {
            Ok(record) => (record, None),
            Err(broken) => {
                let text = format!("{}, {broken}", self.name);
                (*broken.begun.ok_or_else(|| text.clone())?, Some(text))
            }
        };
        record.to_start();
        let opened = Opened { stored: true, ..Opened::of(record) };
        Ok(Picked { opened, broken })
    }
}

impl Held {
    /// Reads a file: a collection by its extension or content. `FILE#3` is its third game.
    ///
    /// # Errors
    /// The file and the reason.
    pub fn open(path: &Path, variant: Variant) -> Result<Held, Error> {
        let (file, number) = numbered(path);
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let refused = |error: &io::Error| unread(&file, error);
        let format = match Format::of_path(&file) {
            Some(format) => Some(format),
            None => {
                let content = files::read(&file, Kind::Game).map_err(|error| refused(&error))?;
                Format::of_content(&content, variant)
            }
        };
        let Some(format) = format else {
            if number.is_some() {
                bail!("{}: not a collection of games", file.display());
            }
            let opened = Opened::read(&read_limited(&file)?, variant);
            let opened = opened.map_err(|error| format!("{}: {error}", file.display()))?;
            return Ok(Held::Game(Opened { file: Some(file), stored: true, ..opened }));
        };
        let contents =
            collection_files(format, &file).into_iter().map(|part| match files::read(&part, Kind::Collection) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && part != file => Ok(Vec::new()),
                read => read.map_err(|error| unread(&part, &error)),
            });
        let games = format.open(contents.collect::<Result<_, _>>()?).map_err(|error| format!("{name}: {error}"))?;
        Held::of(Shelf::new(name, games), number, variant)
    }

    /// Reads pasted text.
    ///
    /// # Errors
    /// The location of the error.
    pub fn paste(text: &str, variant: Variant) -> Result<Held, Error> {
        const NAME: &str = "The pasted text";
        let Some(format) = Format::of_content(text.as_bytes(), variant) else {
            return Opened::read(text, variant).map(Held::Game).map_err(|error| format!("{NAME}: {error}").into());
        };
        let games = format.open(vec![text.as_bytes().to_vec()]).map_err(|error| format!("{NAME}: {error}"))?;
        if games.len() == 1 {
            let record = games.read(0, variant).map_err(|broken| format!("{NAME}: {}", broken.error))?;
            return Ok(Held::Game(Opened::of(record)));
        }
        Held::of(Shelf::new(NAME.to_owned(), games), None, variant)
    }

    fn of(mut shelf: Shelf, number: Option<usize>, variant: Variant) -> Result<Held, Error> {
        let count = shelf.games.len();
        let index = match number {
            _ if count == 0 => bail!("{}: it contains no games", shelf.name),
            Some(number) if (1..=count).contains(&number) => Some(number - 1),
            Some(number) => {
                bail!("{}: game {number} does not exist (games 1 to {count})", shelf.name);
            }
            None => (count == 1).then_some(0),
        };
        let picked = index.map(|index| shelf.read(index, variant)).transpose()?;
        shelf.open = index;
        Ok(Held::Games(shelf, picked))
    }

    /// What a collection lacks, such as names.
    pub fn note(&self) -> Option<&str> {
        match self {
            Held::Game(_) => None,
            Held::Games(shelf, _) => shelf.games.note(),
        }
    }

    /// Returns the single complete game.
    ///
    /// # Errors
    /// It is incomplete, or there are several.
    pub fn one(self) -> Result<Opened, Error> {
        match self {
            Held::Game(opened) => Ok(opened),
            Held::Games(_, Some(Picked { broken: Some(why), .. })) => Err(why.into()),
            Held::Games(_, Some(Picked { opened, .. })) => Ok(opened),
            Held::Games(Shelf { name, games, .. }, None) => {
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

/// The files of a collection in the order of [`Format`]: those beside it, whatever the case of their names, then itself.
pub fn collection_files(format: &Format, file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = |name: &&str| {
        let exact = folder.join(name);
        let is_it = |path: &PathBuf| path.file_name().is_some_and(|of| of.eq_ignore_ascii_case(name));
        let others = || std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).find(is_it);
        if exact.exists() { exact } else { others().unwrap_or(exact) }
    };
    format.beside.iter().map(beside).chain([file.to_owned()]).collect()
}

/// Splits off the number after `#` that is not part of the file's name.
fn numbered(path: &Path) -> (PathBuf, Option<usize>) {
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
    format!("{} could not be read: {why}", path.display(), why = sanitize::reason(error))
}

/// The first free name of the form `game-N.game`.
pub(super) fn free_name(folder: &Path) -> PathBuf {
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
    added.map_err(|error| format!("{} could not be written: {}", path.display(), sanitize::reason(&error)).into())
}
