//! What is in a file of games, what such files are called, and how they are read: a game, or a collection of them.

use mancalab_base::{Error, bail};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, Kind, read_text};
use crate::game::notation::pdn::{self, Collection};
use crate::game::record::Record;
use crate::game::{TextError, Variant, notation};
use crate::player::Spec;
use crate::sanitize;

/// The header of a game that names the tournament it was played in.
pub const TOURNAMENT: &str = "Tournament";

/// The ending of game files.
pub const ENDING: &str = "game";

/// The ending of collections.
pub const COLLECTION: &str = "pdn";

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Opened {
    pub record: Record,
    /// Who sits at the seats where that is known; elsewhere whom the record names, once the person agrees to files being opened.
    pub players: [Option<Spec>; 2],
    /// The file it was read from.
    pub file: Option<PathBuf>,
    /// Writing the record back loses nothing that stands in the text.
    pub replaceable: bool,
    /// It is on the disk as it is, and need not be kept.
    pub stored: bool,
}

/// A collection with what it is called.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// As people call it: the file's name.
    pub name: String,
    pub games: Collection,
    /// The index of the game that is on the board; `None` until one is.
    pub open: Option<usize>,
}

/// What a file or a pasted text holds.
#[derive(Clone, Debug)]
pub enum Held {
    Game(Opened),
    /// Of a collection the game that is open, if it was asked for by its number or is the only one; and what is wrong with it.
    Games(Shelf, Option<Picked>),
}

/// A game of a collection, as far as it can be read.
#[derive(Clone, Debug)]
pub struct Picked {
    pub opened: Opened,
    /// Why it is not the whole game.
    pub broken: Option<String>,
}

impl Opened {
    /// Reads a game, or a position or transcript alone, which is taken for one of `variant` if it may be.
    ///
    /// # Errors
    /// Where the text stops making sense, and what was expected there.
    pub fn read(text: &str, variant: Variant) -> Result<Opened, TextError> {
        // A text without headers is written with some.
        let replaceable = text.trim_start_matches('\u{feff}').trim_start().starts_with('[') && !pdn::is_headed(text);
        let record = notation::read_any(text, variant)?;
        Ok(Opened { record, players: [None, None], file: None, replaceable, stored: false })
    }
}

/// A sentence that names a game's headers which the program ignores; `None` without such headers.
pub fn unknown_headers(record: &Record) -> Option<String> {
    let names = notation::unknown_headers(record);
    let list = || names.iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("ignored the unknown header {}", list()))
}

impl Shelf {
    fn new(name: String, games: Collection) -> Shelf {
        Shelf { name, games, open: None }
    }

    /// Reads the game with this index, to stand at its start: who opens one of many wants to step through it.
    ///
    /// # Errors
    /// Why there is nothing to look at, as a sentence.
    pub fn read(&self, index: usize, variant: Variant) -> Result<Picked, Error> {
        let (mut record, broken) = match self.games.read(index, variant) {
            Ok(record) => (record, None),
            Err(broken) => {
                let text = format!("{}, {broken}", self.name);
                (*broken.begun.ok_or_else(|| text.clone())?, Some(text))
            }
        };
        record.to_start();
        let opened = Opened { record, players: [None, None], file: None, replaceable: false, stored: true };
        Ok(Picked { opened, broken })
    }
}

impl Held {
    /// Reads what a file holds: a collection by its ending or its headers. `FILE#3` is the third game of one.
    ///
    /// # Errors
    /// Why it cannot be read, as a sentence that names it.
    pub fn open(path: &Path, variant: Variant) -> Result<Held, Error> {
        let (file, number) = numbered(path);
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let games = if is_collection(&file) {
            let bytes = files::read(&file, Kind::Collection).map_err(|error| unread(&file, &error))?;
            Collection::of_bytes(&bytes)
        } else {
            let text = read_limited(&file)?;
            match pdn::collection(&text, variant) {
                Some(games) => games,
                None if number.is_some() => bail!("{}: it is no collection of games", file.display()),
                None => {
                    let opened =
                        Opened::read(&text, variant).map_err(|error| format!("{}: {error}", file.display()))?;
                    return Ok(Held::Game(Opened { file: Some(file), stored: true, ..opened }));
                }
            }
        };
        Held::of(Shelf::new(name, games), number, variant)
    }

    /// Reads what a text holds that was pasted.
    ///
    /// # Errors
    /// Where it stops making sense, as a sentence.
    pub fn paste(text: &str, variant: Variant) -> Result<Held, Error> {
        const NAME: &str = "The pasted text";
        match pdn::collection(text, variant) {
            Some(games) if games.len() > 1 => Held::of(Shelf::new(NAME.to_owned(), games), None, variant),
            _ => Opened::read(text, variant).map(Held::Game).map_err(|error| format!("{NAME}: {error}").into()),
        }
    }

    fn of(mut shelf: Shelf, number: Option<usize>, variant: Variant) -> Result<Held, Error> {
        let count = shelf.games.len();
        let index = match number {
            _ if count == 0 => bail!("{}: there is no game in it", shelf.name),
            Some(number) if (1..=count).contains(&number) => Some(number - 1),
            Some(number) => {
                bail!("{}: there is no game {number}; it has games 1 to {count}", shelf.name);
            }
            None => (count == 1).then_some(0),
        };
        let picked = index.map(|index| shelf.read(index, variant)).transpose()?;
        shelf.open = index;
        Ok(Held::Games(shelf, picked))
    }

    /// The one game that is meant, to the end of which it can be read.
    ///
    /// # Errors
    /// It is broken, or there are several, as a sentence.
    pub fn one(self) -> Result<Opened, Error> {
        match self {
            Held::Game(opened) => Ok(opened),
            Held::Games(_, Some(Picked { broken: Some(why), .. })) => Err(why.into()),
            Held::Games(_, Some(Picked { opened, .. })) => Ok(opened),
            Held::Games(Shelf { name, games, .. }, None) => {
                let count = games.len();
                Err(format!("{name} has {count} games; name one of them, from {name}#1 to {name}#{count}").into())
            }
        }
    }
}

/// Whether a file is a collection by its name.
pub fn is_collection(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(COLLECTION))
}

/// A file, and the number behind a `#` that is no part of its name.
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
/// Why it is none, as a sentence that names it.
pub fn read_limited(path: &Path) -> Result<String, Error> {
    read_text(path, Kind::Game).map_err(|error| unread(path, &error).into())
}

fn unread(path: &Path, error: &std::io::Error) -> String {
    format!("{} could not be read: {why}", path.display(), why = sanitize::reason(error))
}

/// The first name of the form `game-N.game` that is free.
pub(super) fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

/// Adds a game to a collection, which is made if it is not there; gives the game's number in it.
///
/// # Errors
/// Why it could not be written, as a sentence; then nothing has changed.
pub fn append(path: &Path, text: &str) -> Result<usize, Error> {
    let mut number = 0;
    files::append(path, Kind::Collection, |there| {
        number = Collection::of_bytes(there).len() + 1;
        // A blank line parts games, whatever the last line ends with.
        let mut added: Vec<u8> = match there {
            [] => Vec::new(),
            [.., b'\n'] => b"\n".to_vec(),
            _ => b"\n\n".to_vec(),
        };
        added.extend(
            encoded(text, there)
                .ok_or_else(|| io::Error::other("it is in Latin 1, which lacks a letter of the game"))?,
        );
        let most = Kind::Collection.most();
        if (there.len() + added.len()) as u64 > most {
            let reason = format!("it would be larger than {} KiB, the most that is read of one", most >> 10);
            return Err(io::Error::other(reason));
        }
        Ok(added)
    })
    .map_err(|error| format!("{} could not be written: {}", path.display(), sanitize::reason(&error)))?;
    Ok(number)
}

/// A text in the encoding of the file that it is added to: UTF-8, or else Latin 1; `None` if that lacks a letter of it.
fn encoded(text: &str, there: &[u8]) -> Option<Vec<u8>> {
    match std::str::from_utf8(there) {
        Ok(_) => Some(text.as_bytes().to_vec()),
        Err(_) => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect(),
    }
}
