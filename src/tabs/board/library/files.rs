//! Games on disk: saving, loading and pasting, and the players that files name.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mancalab_base::Error;

use super::agree::{Agree, needs_agreement};
use super::game_file::{self, FileContents, OpenedGame};
use super::load::Load;
use super::save::Save;
use super::{Library, LibraryMessage, kept};
use crate::app::tab::{Context, Tone};
use crate::files::{self, Kind};
use crate::game::notation::{self, Format};
use crate::player::Spec;
use crate::sanitize;
use crate::tabs::board::session::Session;

/// Work that saves a game.
type SaveWork = Box<dyn FnOnce() -> LibraryMessage + Send>;

impl Library {
    pub fn open_save(&mut self, session: &Session, cx: &mut Context) {
        if !session.has_record() {
            return cx.notice(Tone::Info, "No move to save yet");
        }
        cx.open(Save::new(self.file.clone(), self.games.clone(), cx.paths));
    }

    pub fn open_load(&mut self, cx: &mut Context) {
        cx.open(Load::new(self.games.clone(), cx.paths));
    }

    /// Returns work that saves the game to a file, or adds it to a collection; an existing one is changed only if confirmed.
    pub fn saving(&self, session: &Session, path: PathBuf, replace: bool, cx: &Context) -> SaveWork {
        if let Some(format) = Format::of_path(&path) {
            return self.adding(session, format, path, replace, cx);
        }
        let game = session.game;
        let version = session.record.version();
        let text = notation::write(&session.record);
        let rights = cx.paths.rights().clone();
        let folder = self.games.clone();
        Box::new(move || {
            let name = short_name(&path);
            let write = if replace { files::save } else { files::save_new };
            if let Err(result) = rights.permit_save(folder.as_deref(), text.len(), !path.exists()) {
                return LibraryMessage::Saved { game, version, path, result: Err(result) };
            }
            let result = write(&path, text.as_bytes()).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => format!("{name} exists; nothing was written").into(),
                _ => format!("cannot write {name}: {why}", why = sanitize::reason(&error)).into(),
            });
            LibraryMessage::Saved { game, version, path, result }
        })
    }

    fn adding(&self, session: &Session, format: &Format, path: PathBuf, is_sure: bool, cx: &Context) -> SaveWork {
        let game = session.game;
        let version = session.record.version();
        if let Err(error) = format.check(&session.record.variant) {
            let result = Err(format!("{error}; end the name in .game").into());
            return Box::new(move || LibraryMessage::Added { game, version, path, result, loses: None });
        }
        let record = session.record.clone();
        let loses = format.loses(&record);
        let rights = cx.paths.rights().clone();
        let folder = self.games.clone();
        Box::new(move || {
            let there = fs::metadata(&path).map_or(0, |meta| meta.len() as usize);
            let bytes = there + notation::write(&record).len();
            let result = match rights.permit_save(folder.as_deref(), bytes, there == 0) {
                Err(error) => Err(error),
                Ok(()) if path.exists() && !is_sure => {
                    Err(format!("{} exists; nothing was written", short_name(&path)).into())
                }
                Ok(()) => game_file::append(&path, &record),
            };
            LibraryMessage::Added { game, version, path, result, loses }
        })
    }

    /// Saves the game where the dialog says, which opens again with the name if that fails.
    pub fn save_to(&self, session: &Session, path: PathBuf, replace: bool, cx: &mut Context) {
        let saving = self.saving(session, path.clone(), replace, cx);
        cx.wait_for(move || match saving() {
            LibraryMessage::Saved { game, result: Err(reason), .. }
            | LibraryMessage::Added { game, result: Err(reason), .. } => {
                LibraryMessage::NotSaved { game, path, reason }
            }
            saved => saved,
        });
    }

    pub fn ask_again(&self, path: &Path, reason: &Error, cx: &mut Context) {
        cx.open(Save::again(path, reason, self.file.clone(), self.games.clone(), cx.paths));
    }

    pub fn load_from(&self, session: &Session, path: PathBuf, cx: &mut Context) {
        let variant = session.record.variant;
        cx.wait_for(move || {
            let origin = short_name(&path);
            let result = FileContents::open(&path, variant).map(|held| match held {
                // Automatically saved games change their names when the next one is saved.
                FileContents::Game(opened) if kept::is_kept(&path) => {
                    FileContents::Game(OpenedGame { file: None, stored: false, ..opened })
                }
                held => held,
            });
            LibraryMessage::Read { origin, result }
        });
    }

    /// Opens a pasted game or position.
    pub fn take_text(&self, session: &Session, text: &str, cx: &mut Context) {
        if text.len() as u64 > Kind::Game.most() {
            let most = Kind::Game.most() >> 10;
            return cx.notice(Tone::Bad, format!("The pasted text is too long: at most {most} KiB"));
        }
        let variant = session.record.variant;
        let text = text.to_owned();
        cx.wait_for(move || LibraryMessage::Pasted(FileContents::paste(&text, variant)));
    }

    /// Asks before players' files are opened, if the record names unknown ones.
    pub fn ask_for_players(&mut self, session: &Session, cx: &mut Context) {
        let strangers = std::mem::take(&mut self.strangers);
        if !strangers.is_empty() && cx.permits("use players that open a file or run a command") {
            let names = strangers.into_iter().map(|(side, name)| (session.seat_name(side), name)).collect();
            cx.open(Agree { game: session.game, names });
        }
    }

    pub fn open_players(&self, session: &Session, game: u64, cx: &mut Context) {
        let names = session.record.players.clone();
        let seated = session.players.clone();
        cx.wait_for(move || {
            let [south, north] = names;
            let read = |name: String, seated: Spec| match needs_agreement(&name) {
                true => name.parse(),
                false => Ok(seated),
            };
            let [a, b] = seated;
            LibraryMessage::Players { game, players: [read(south, a), read(north, b)] }
        });
    }
}

/// The last part of a path, for notices.
pub fn short_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
