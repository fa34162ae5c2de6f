//! Games on disk: saving, loading, pasting, and the games that were on the board when another took their place.

use mancalab_base::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::agree::Agree;
use super::collection::Games;
use super::file_dialogs::{Chosen, Save};
use super::game_file::{self, Held, Opened, Picked, Shelf};
use super::load::Load;
use super::{Board, Message, kept};
use crate::app::effect::{Context, Tone};
use crate::files::{self, Kind};
use crate::game::notation;
use crate::game::notation::pdn;
use crate::player::Spec;
use crate::player::spec::Unread;
use crate::sanitize;

impl Board {
    pub(super) fn open_save(&mut self, cx: &mut Context) {
        if !self.has_record() {
            return cx.notice(Tone::Info, "There is no move to save yet");
        }
        cx.open(Save::new(self.file.clone(), self.games.clone(), cx.paths));
    }

    pub(super) fn open_load(&mut self, cx: &mut Context) {
        cx.open(Load::new(self.games.clone(), cx.paths));
    }

    pub(super) fn take_file(&mut self, chosen: Chosen, cx: &mut Context) {
        match chosen {
            Chosen::Save { path, replace } => self.save_to(path, replace, cx),
            Chosen::Load(path) => self.load_from(path, cx),
        }
    }

    fn save_to(&self, path: PathBuf, replace: bool, cx: &mut Context) {
        if game_file::is_collection(&path) {
            return self.add_to(path, replace, cx);
        }
        let (game, version, text) = (self.game, self.record.version(), notation::write(&self.record));
        cx.background(move || {
            let name = short_name(&path);
            let write = if replace { files::save } else { files::save_new };
            let result = write(&path, text.as_bytes()).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => format!("{name} exists; nothing was written").into(),
                _ => format!("{name} could not be written: {why}", why = sanitize::reason(&error)).into(),
            });
            Message::Saved { game, version, path, result }
        });
    }

    /// Adds the game to a collection, one that is there only if that was asked for.
    fn add_to(&self, path: PathBuf, is_sure: bool, cx: &mut Context) {
        let Some(text) = pdn::write(&self.record) else {
            let game = self.record.variant.title();
            return cx.notice(Tone::Bad, format!("Games of {game} are not written so; end the name in .game"));
        };
        let (game, version) = (self.game, self.record.version());
        cx.background(move || {
            let result = match path.exists() && !is_sure {
                true => Err(format!("{} exists; nothing was written", short_name(&path)).into()),
                false => game_file::append(&path, &text),
            };
            Message::Added { game, version, path, result }
        });
    }

    pub(super) fn load_from(&self, path: PathBuf, cx: &mut Context) {
        let variant = self.record.variant;
        cx.wait_for(move || {
            let origin = short_name(&path);
            let result = Held::open(&path, variant).map(|held| match held {
                // A game that was left moves on when the next one is.
                Held::Game(opened) if kept::is_kept(&path) => {
                    Held::Game(Opened { file: None, stored: false, ..opened })
                }
                held => held,
            });
            Message::Read { origin, result }
        });
    }

    /// Takes a game, or a position, that was pasted.
    pub(super) fn take_text(&self, text: &str, cx: &mut Context) {
        if text.len() as u64 > Kind::Game.most() {
            let most = Kind::Game.most() >> 10;
            return cx.notice(Tone::Bad, format!("The pasted text is longer than {most} KiB, and so no game"));
        }
        let (variant, text) = (self.record.variant, text.to_owned());
        cx.wait_for(move || Message::Pasted(Held::paste(&text, variant)));
    }

    pub(super) fn take(&mut self, message: Message, cx: &mut Context) {
        match message {
            Message::Start(setup) => {
                let start = setup.variant.start();
                self.start_game(setup, start, cx);
                // Who sits down with a function or a network wants to see what it thinks of every move.
                self.show_terms(self.judge().is_some());
            }
            Message::Show(opened) => {
                let tournament = opened.record.headers.iter().find(|(name, _)| name == game_file::TOURNAMENT);
                let origin = tournament.map_or("the game".to_owned(), |(_, value)| value.clone());
                self.show_opened(opened, &origin, cx);
            }
            Message::File(chosen) => self.take_file(chosen, cx),
            Message::Game(index) => self.open_game(index, cx),
            Message::OpenPlayers(game) => self.open_players(game, cx),
            Message::Named(named) => self.take_named(named, cx),
            Message::Comment { game, node, text } => self.take_comment(game, node, &text),
            Message::Delete { game, node } => self.delete(game, node, cx),
            Message::Last(false) | Message::Kept { result: Ok(()), is_news: false } => {}
            Message::Last(true) => {
                cx.notice(Tone::Info, "Your last game was saved. l loads it on the Board");
            }
            Message::Kept { result: Ok(()), .. } => {
                cx.notice(Tone::Info, "Your last game was saved. l loads it");
            }
            Message::Saved { game, version, path, result: Ok(()) } => {
                cx.notice(Tone::Good, format!("Saved {}", path.display()));
                if game == self.game {
                    self.saved = version;
                    self.file = Some(path);
                }
            }
            Message::Added { game, version, path, result: Ok(number) } => {
                cx.notice(Tone::Good, format!("Added to {} as game {number}", path.display()));
                if game == self.game {
                    self.saved = version;
                }
            }
            Message::Read { origin, result: Ok(held) } => self.show_held(held, &origin, cx),
            Message::Pasted(Ok(held)) => {
                cx.come_to_front();
                self.show_held(held, "the pasted text", cx);
            }
            Message::Picked { shelf, result } => self.show_picked(shelf, result, cx),
            Message::Players { game, players } => {
                if game == self.game {
                    self.seat_players(players, cx);
                }
            }
            Message::Kept { result: Err(reason), .. }
            | Message::Saved { result: Err(reason), .. }
            | Message::Added { result: Err(reason), .. }
            | Message::Read { result: Err(reason), .. }
            | Message::Pasted(Err(reason)) => cx.notice(Tone::Bad, reason),
        }
    }

    /// Shows what was read: a game, or the list of those there are.
    fn show_held(&mut self, held: Held, origin: &str, cx: &mut Context) {
        match held {
            Held::Game(opened) => self.show_opened(opened, origin, cx),
            Held::Games(shelf, Some(picked)) => self.show_picked(shelf, Ok(picked), cx),
            Held::Games(shelf, None) => {
                cx.open(Games::new(shelf.clone(), self.record.variant));
                self.shelf = Some(shelf);
            }
        }
    }

    /// Puts a game of a collection on the board, and says what is wrong with it if it is not whole.
    fn show_picked(&mut self, shelf: Shelf, picked: Result<Picked, Error>, cx: &mut Context) {
        let Picked { opened, broken } = match picked {
            Ok(picked) => picked,
            Err(reason) => return cx.notice(Tone::Bad, reason),
        };
        let number = shelf.open.unwrap_or(0) + 1;
        self.show_opened(opened, &format!("{}, game {number} of {}", shelf.name, shelf.games.len()), cx);
        if let Some(reason) = broken {
            cx.notice(Tone::Bad, reason);
        }
        self.shelf = Some(shelf);
    }

    /// Puts a game on the board in the place of the one that is there, which is kept.
    pub(super) fn show_opened(&mut self, opened: Opened, origin: &str, cx: &mut Context) {
        self.keep_last(false, cx);
        self.leave_shelf();
        self.take_opened(opened);
        let paused = self.paused_text().map_or(String::new(), |text| format!("; {text}"));
        match game_file::unknown_headers(&self.record) {
            None => cx.notice(Tone::Good, format!("Loaded {origin}{paused}")),
            Some(unknown) => cx.notice(Tone::Info, format!("Loaded {origin}; {unknown}")),
        }
        self.shown_anew(cx);
    }

    /// The game on the board is none of the collection's any more, which stays open.
    pub(super) fn leave_shelf(&mut self) {
        if let Some(shelf) = &mut self.shelf {
            shelf.open = None;
        }
    }

    /// The game on the board as it would be kept, with the folder for it; `None` if it is on the disk already.
    fn to_keep(&self) -> Option<(PathBuf, String)> {
        let games = self.games.clone().filter(|_| self.is_modified())?;
        Some((games, notation::write(&self.record)))
    }

    /// Keeps the game on the board for later, unless it is on disk already.
    pub(super) fn keep_last(&self, is_news: bool, cx: &mut Context) {
        if let Some((games, text)) = self.to_keep() {
            cx.background(move || Message::Kept { result: kept::keep(&games, &text), is_news });
        }
    }

    /// The same at once, when there is nothing to be drawn any more.
    ///
    /// # Errors
    /// Why it could not be written, as a sentence.
    pub(super) fn keep_now(&self) -> Result<(), Error> {
        self.to_keep().map_or(Ok(()), |(games, text)| kept::keep(&games, &text))
    }

    pub(super) fn look_for_last(&self, cx: &mut Context) {
        if let Some(games) = self.games.clone() {
            cx.background(move || Message::Last(kept::has_last(&games)));
        }
    }

    /// Asks whether the players that are in files may be opened, if the record names any that are not known yet.
    pub(super) fn ask_for_players(&mut self, cx: &mut Context) {
        let strangers = std::mem::take(&mut self.strangers);
        if !strangers.is_empty() {
            let names = strangers.into_iter().map(|(side, name)| (self.seat_name(side), name)).collect();
            cx.open(Agree { game: self.game, names });
        }
    }

    pub(super) fn open_players(&self, game: u64, cx: &mut Context) {
        let (names, seated) = (self.record.players.clone(), self.players.clone());
        cx.wait_for(move || {
            let [south, north] = names;
            let read = |name: String, seated: Spec| match in_a_file(&name) {
                true => name.parse(),
                false => Ok(seated),
            };
            let [a, b] = seated;
            Message::Players { game, players: [read(south, a), read(north, b)] }
        });
    }

    fn seat_players(&mut self, players: [Result<Spec, Error>; 2], cx: &mut Context) {
        for (seat, player) in players.into_iter().enumerate() {
            match player {
                Ok(spec) => self.players[seat] = spec,
                Err(reason) => cx.notice(Tone::Bad, reason),
            }
        }
        self.setup.players = self.players.clone();
        self.settle(cx);
    }
}

/// Whether this player's text names a file.
pub(super) fn in_a_file(name: &str) -> bool {
    Spec::file_in(name).is_ok_and(|file| file.is_some())
}

/// The player of this text, if nothing has to be opened for it; a name that is no player's is a person.
pub(super) fn without_file(name: &str) -> Spec {
    let unread = name.parse::<Unread>().ok().filter(|unread| unread.file().is_none());
    unread.and_then(|unread| unread.load().ok()).unwrap_or(Spec::Human)
}

fn short_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
