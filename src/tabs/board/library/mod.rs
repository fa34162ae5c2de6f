//! The files of the board: where games are saved, the collection that is open, and what is saved of the game shown.
//!
//! The game on the board of another terminal, watched: its draft is read again whenever it has changed.
//!
//! The watcher steps through the game and analyses it, and goes along with new moves at its end. Moves are made at the other terminal. A
//! new or loaded game ends the watching.

pub(super) mod agree;
mod autosave;
pub(super) mod collection;
mod draft;
pub(super) mod files;
pub(super) mod game_file;
mod kept;
mod load;
pub(super) mod results;
pub(super) mod save;
pub(super) mod saved;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use mancalab_base::Error;

use super::session::Session;
use crate::app::tab::{Context, Tone};
use crate::game::record::Record;
use crate::game::{Side, Variant};
use crate::player::Spec;
use crate::results::{GameResult, MyLevels};
use autosave::LeftGames;
use draft::Draft;
use game_file::{FileContents, OpenedGame, PartialGame, Shelf, read_limited};
use save::{FileAnswer, OwnFile};

/// A result of a dialog or a background task of the library.
pub enum LibraryMessage {
    /// A file was chosen in a dialog.
    File(FileAnswer),
    /// The result of the game was logged.
    Logged(Result<(), Error>),
    /// The draft of the watched game was looked for.
    FoundDraft(FoundDraft),
    /// The levels that follow the person's results, read at the start.
    MyLevels(MyLevels),
    /// The person's results were read.
    Results(Result<Vec<GameResult>, Error>),
    /// The game with this number of a collection was chosen.
    Game(usize),
    /// The user agreed to open the files of this game's players.
    OpenPlayers(u64),
    /// Whether an automatically saved game exists.
    Last(bool),
    /// The result of saving the game automatically; `is_news`: always shown.
    Kept { result: Result<(), Error>, is_news: bool },
    /// The draft of the game was written.
    Drafted(Result<(), Error>),
    /// This game was saved as of `version`.
    Saved { game: u64, version: u64, path: PathBuf, result: Result<(), Error> },
    /// This game was added to a collection as of `version`, with this number, without what it `loses`.
    Added { game: u64, version: u64, path: PathBuf, result: Result<usize, Error>, loses: Option<&'static str> },
    /// The game could not be saved to the file chosen in the dialog.
    NotSaved { game: u64, path: PathBuf, reason: Error },
    /// A game or a collection was read from a file.
    Read { origin: String, result: Result<FileContents, Error> },
    /// The same from pasted text, whichever tab is in front.
    Pasted(Result<FileContents, Error>),
    /// A game of a collection was read.
    Picked { shelf: Shelf, result: Result<PartialGame, Error> },
    /// The files of this game's players were opened.
    Players { game: u64, players: [Result<Spec, Error>; 2] },
}

/// A game that is set aside while puzzles take its place.
pub(super) struct FormerGame {
    session: Session,
    /// As of the library.
    saved: u64,
    file: Option<OwnFile>,
    /// The number of the game in the open collection.
    of_shelf: Option<usize>,
}

/// The files of the game on the board and of others.
pub struct Library {
    /// The folder of saved games.
    pub(super) games: Option<PathBuf>,
    /// The file that the game was saved to or loaded from, if saving there again loses nothing.
    file: Option<OwnFile>,
    /// The collection opened last, and its game on the board.
    shelf: Option<Shelf>,
    /// The record's version on disk; 0 for none.
    saved: u64,
    /// Unconfirmed players in files that the record names; humans replace them.
    pub(super) strangers: Vec<(Side, String)>,
    /// Games are saved automatically.
    keeps: bool,
    /// The file of the game while it is played, the game and version written to it last, and whether writing has failed.
    draft: Draft,
    draft_failed: bool,
    drafted: Option<(u64, u64)>,
    /// Games that were left before they could be saved.
    left: LeftGames,
    /// What could not be saved when the user asked to quit.
    unsaved: Option<String>,
    /// The game and its version that were saved when the user asked to quit.
    autosaved: Option<(u64, u64)>,
    /// Its file.
    autosaved_file: Option<PathBuf>,
    /// The game whose result was logged last, with it.
    logged: Option<(u64, GameResult)>,
    pub(super) my_levels: MyLevels,
    /// The game of another terminal that is watched.
    watched: Option<WatchedGame>,
    /// The game that comes back after puzzles.
    former: Option<FormerGame>,
}

impl Library {
    pub fn new(games: Option<PathBuf>) -> Library {
        Library {
            games,
            file: None,
            shelf: None,
            saved: 0,
            strangers: Vec::new(),
            keeps: true,
            draft: Draft::default(),
            draft_failed: false,
            drafted: None,
            left: LeftGames::default(),
            unsaved: None,
            autosaved: None,
            autosaved_file: None,
            logged: None,
            my_levels: MyLevels::default(),
            watched: None,
            former: None,
        }
    }

    /// Returns whether the record has changed since it was saved.
    pub fn is_modified(&self, record: &Record) -> bool {
        record.version() != self.saved
    }

    /// Takes the game on the board, which puzzles replace.
    pub fn set_aside(&mut self, session: Session) {
        self.former = Some(FormerGame {
            session,
            saved: self.saved,
            file: self.file.take(),
            of_shelf: self.shelf.as_mut().and_then(|shelf| shelf.open.take()),
        });
    }

    /// Gives the game back that was set aside.
    pub fn put_back(&mut self) -> Option<Session> {
        let FormerGame { session, saved, file, of_shelf } = self.former.take()?;
        (self.saved, self.file) = (saved, file);
        if let Some(shelf) = &mut self.shelf {
            shelf.open = of_shelf;
        }
        Some(session)
    }

    /// Begins with another game on the board, whose version on disk and file are these.
    pub fn begin(&mut self, saved: u64, file: Option<PathBuf>) {
        (self.saved, self.file) = (saved, file.map(OwnFile::now));
    }

    /// Notes that this version of the game need not be saved.
    pub fn mark_saved(&mut self, version: u64) {
        self.saved = version;
    }

    /// The version of the game on disk; 0 for none.
    pub fn saved_version(&self) -> u64 {
        self.saved
    }

    /// Notes the file that the game was saved to.
    pub fn name_file(&mut self, path: PathBuf) {
        self.file = Some(OwnFile::now(path));
    }

    /// The file of the game, if saving there again loses nothing.
    pub fn file(&self) -> Option<PathBuf> {
        self.file.as_ref().map(|own| own.path.clone())
    }

    /// Takes a collection as the one opened last.
    pub fn open_shelf(&mut self, shelf: Shelf) {
        self.shelf = Some(shelf);
    }

    /// Returns whether a game is set aside.
    pub fn has_former(&self) -> bool {
        self.former.is_some()
    }
}

/// Time between two looks at the folder.
const EVERY: Duration = Duration::from_millis(250);

/// The watched game.
pub struct WatchedGame {
    /// The draft, and when it was changed; `None` before the first.
    draft: Option<(PathBuf, SystemTime)>,
    /// The time of the next look; `None` while one is under way.
    next: Option<Instant>,
}

/// A draft that is new or has changed, with its game; `None` if none has.
pub(crate) struct FoundDraft(Option<((PathBuf, SystemTime), OpenedGame)>);

/// Looks for the newest draft of another process, and reads it unless it is known.
fn find(folder: &Path, known: Option<&(PathBuf, SystemTime)>, variant: Variant) -> FoundDraft {
    let newest = draft::newest_of_others(folder).filter(|newest| Some(newest) != known);
    let read = newest.and_then(|newest| {
        let text = read_limited(&newest.0).ok()?;
        Some((newest, OpenedGame { stored: true, ..OpenedGame::read(&text, variant).ok()? }))
    });
    FoundDraft(read)
}

impl Library {
    /// The time of the next look at the watched game.
    pub fn next_look(&self) -> Option<Instant> {
        self.watched.as_ref()?.next
    }

    /// Looks for changes of the watched game if it is time.
    pub fn follow(&mut self, session: &Session, cx: &mut Context) {
        let Some(folder) = self.games.clone() else { return };
        let variant = session.record.variant;
        let Some(watched) = self.watched.as_mut().filter(|one| one.next.is_some_and(|next| next <= cx.now)) else {
            return;
        };
        watched.next = None;
        let draft = watched.draft.clone();
        cx.background(move || LibraryMessage::FoundDraft(find(&folder, draft.as_ref(), variant)));
    }

    /// Whether the game is watched; a notice then says where moves are made.
    pub fn is_only_watched(&self, cx: &mut Context) -> bool {
        let is_watched = self.watched.is_some();
        if is_watched {
            cx.notice(Tone::Info, "This game is watched: it is played at the other terminal");
        }
        is_watched
    }

    /// What is watched, below the board.
    pub fn watched_text(&self) -> Option<&'static str> {
        let watched = self.watched.as_ref()?;
        watched.draft.is_none().then_some("Waiting for a game with moves at another terminal")
    }

    /// Takes the draft of the watched game if it is new or has changed; returns its game, and whether it is that of before.
    pub fn take_draft(&mut self, FoundDraft(found): FoundDraft, now: Instant) -> Option<(OpenedGame, bool)> {
        let watched = self.watched.as_mut()?;
        watched.next = Some(now + EVERY);
        let (draft, opened) = found?;
        let is_same = watched.draft.as_ref().is_some_and(|(path, _)| *path == draft.0);
        watched.draft = Some(draft);
        Some((opened, is_same))
    }

    /// Watches the game of another terminal.
    pub fn watch(&mut self) {
        self.watched = Some(WatchedGame { draft: None, next: Some(Instant::now()) });
    }

    pub fn is_watched(&self) -> bool {
        self.watched.is_some()
    }
}
