//! Games on disk: saving, loading, pasting, and automatic saving of replaced games.

use mancalab_base::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::Board;
use super::library::agree::Agree;
use super::library::collection::Games;
use super::library::game_file::{self, FileContents, OpenedGame, PartialGame, Shelf};
use super::library::load::Load;
use super::library::save::{FileAnswer, Save};
use super::library::{draft, kept};
use super::message::Message;
use super::setup::Setup;
use crate::app::effect::{Context, Tone};
use crate::files::{self, Kind};
use crate::game::notation::{self, Format};
use crate::game::record::Record;
use crate::player::Spec;
use crate::player::spec::Unread;
use crate::sanitize;
use crate::settings::quoted;

impl Board {
    pub(super) fn open_save(&mut self, cx: &mut Context) {
        if !self.has_record() {
            return cx.notice(Tone::Info, "No move to save yet");
        }
        cx.open(Save::new(self.library.file.clone(), self.library.games.clone(), cx.paths));
    }

    pub(super) fn open_load(&mut self, cx: &mut Context) {
        cx.open(Load::new(self.library.games.clone(), cx.paths));
    }

    pub(super) fn take_file(&mut self, chosen: FileAnswer, cx: &mut Context) {
        match chosen {
            FileAnswer::Save { path, replace } => self.save_to(path, replace, cx),
            FileAnswer::Load(path) => self.load_from(path, cx),
        }
    }

    pub(super) fn save_to(&self, path: PathBuf, replace: bool, cx: &mut Context) {
        if let Some(format) = Format::of_path(&path) {
            return self.add_to(format, path, replace, cx);
        }
        let game = self.session.game;
        let version = self.session.record.version();
        let text = notation::write(&self.session.record);
        let rights = cx.paths.rights().clone();
        let folder = self.library.games.clone();
        cx.background(move || {
            let name = short_name(&path);
            let write = if replace { files::save } else { files::save_new };
            if let Err(result) = rights.permit_save(folder.as_deref(), text.len(), !path.exists()) {
                return Message::Saved { game, version, path, result: Err(result) };
            }
            let result = write(&path, text.as_bytes()).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => format!("{name} exists; nothing was written").into(),
                _ => format!("{name} could not be written: {why}", why = sanitize::reason(&error)).into(),
            });
            Message::Saved { game, version, path, result }
        });
    }

    /// Adds the game to a collection; to an existing one only if confirmed.
    fn add_to(&self, format: &Format, path: PathBuf, is_sure: bool, cx: &mut Context) {
        if let Err(error) = format.check(&self.session.record.variant) {
            return cx.notice(Tone::Bad, format!("{error}; end the name in .game"));
        }
        let game = self.session.game;
        let version = self.session.record.version();
        let record = self.session.record.clone();
        let loses = format.loses(&record);
        let rights = cx.paths.rights().clone();
        let folder = self.library.games.clone();
        cx.background(move || {
            let there = fs::metadata(&path).map_or(0, |meta| meta.len() as usize);
            let bytes = there + notation::write(&record).len();
            let result = match rights.permit_save(folder.as_deref(), bytes, there == 0) {
                Err(error) => Err(error),
                Ok(()) if path.exists() && !is_sure => {
                    Err(format!("{} exists; nothing was written", short_name(&path)).into())
                }
                Ok(()) => game_file::append(&path, &record),
            };
            Message::Added { game, version, path, result, loses }
        });
    }

    pub(super) fn load_from(&self, path: PathBuf, cx: &mut Context) {
        let variant = self.session.record.variant;
        cx.wait_for(move || {
            let origin = short_name(&path);
            let result = FileContents::open(&path, variant).map(|held| match held {
                // Automatically saved games change their names when the next one is saved.
                FileContents::Game(opened) if kept::is_kept(&path) => {
                    FileContents::Game(OpenedGame { file: None, stored: false, ..opened })
                }
                held => held,
            });
            Message::Read { origin, result }
        });
    }

    /// Opens a pasted game or position.
    pub(super) fn take_text(&self, text: &str, cx: &mut Context) {
        if text.len() as u64 > Kind::Game.most() {
            let most = Kind::Game.most() >> 10;
            return cx.notice(Tone::Bad, format!("The pasted text is too long: at most {most} KiB"));
        }
        let variant = self.session.record.variant;
        let text = text.to_owned();
        cx.wait_for(move || Message::Pasted(FileContents::paste(&text, variant)));
    }

    pub(super) fn take(&mut self, message: Message, cx: &mut Context) {
        match message {
            Message::Chosen(setup) => {
                remember(&setup, cx);
                self.take(Message::Start(setup), cx);
            }
            Message::Start(setup) => {
                let start = setup.variant.start();
                self.start_game(setup, start, cx);
                // With a function or network the values of all moves are shown, unless a rated game begins.
                self.show_terms(self.judge().is_some() && self.only_person().is_none());
            }
            Message::Show(opened) => {
                let tournament = opened.record.headers.iter().find(|(name, _)| name == game_file::TOURNAMENT);
                let origin = tournament.map_or("the game".to_owned(), |(_, value)| value.clone());
                self.show_opened(opened, &origin, cx);
            }
            Message::File(chosen) => self.take_file(chosen, cx),
            Message::FoundDraft(found) => self.take_draft(found, cx),
            Message::MyLevels(levels) => self.library.my_levels = levels,
            Message::Results(Ok(games)) => self.show_results(&games, cx),
            Message::Puzzles(Ok(asked)) => self.take_puzzles(asked, cx),
            Message::Game(index) => self.open_game(index, cx),
            Message::OpenPlayers(game) => self.open_players(game, cx),
            Message::Named(named) => self.take_named(named, cx),
            Message::Comment { game, node, text } => self.take_comment(game, node, &text),
            Message::Delete { game, node } => self.delete(game, node, cx),
            Message::Resign(game) => self.resign(game, cx),
            Message::PlayOn { game, setup } => self.play_on(game, setup, cx),
            Message::Last(false) | Message::Logged(Ok(())) | Message::Graded(Ok(())) | Message::Drafted(Ok(())) => {}
            Message::Last(true) => {
                cx.notice(Tone::Info, "Your last game is unfinished. l loads it on the Board");
            }
            Message::Kept { result: Ok(()), is_news } => {
                self.renew_explorer(cx);
                if is_news {
                    cx.notice(Tone::Info, "Your last game was saved. l loads it");
                }
            }
            Message::Saved { game, version, path, result: Ok(()) } => {
                cx.notice(Tone::Good, format!("Saved {}", shown(&path, cx)));
                if game == self.session.game {
                    self.saved(version, cx);
                    self.library.file = Some(path);
                    self.settle_explorer(cx);
                }
            }
            Message::Added { game, version, path, result: Ok(number), loses } => {
                let without = loses.map_or(String::new(), |parts| format!(", without {parts}"));
                cx.notice(Tone::Good, format!("Added to {} as game {number}{without}", shown(&path, cx)));
                if game == self.session.game && loses.is_none() {
                    self.saved(version, cx);
                }
            }
            Message::Read { origin, result: Ok(held) } => self.show_held(held, &origin, cx),
            Message::Pasted(Ok(held)) => {
                cx.come_to_front();
                self.show_held(held, "the pasted text", cx);
            }
            Message::Picked { shelf, result } => self.show_picked(shelf, result, cx),
            Message::TableValue { spot, value } => self.take_table_value(spot, value),
            Message::Explored { request, spot, result } => self.take_explored(request, spot, result, cx),
            Message::Players { game, players } => {
                if game == self.session.game {
                    self.seat_players(players, cx);
                }
            }
            Message::Drafted(Err(reason)) => {
                // Once: the next turns would fail alike.
                if !std::mem::replace(&mut self.library.draft_failed, true) {
                    cx.notice(Tone::Bad, reason);
                }
            }
            Message::Kept { result: Err(reason), .. }
            | Message::Saved { result: Err(reason), .. }
            | Message::Added { result: Err(reason), .. }
            | Message::Read { result: Err(reason), .. }
            | Message::Pasted(Err(reason))
            | Message::Logged(Err(reason))
            | Message::Puzzles(Err(reason))
            | Message::Graded(Err(reason))
            | Message::Results(Err(reason)) => cx.notice(Tone::Bad, reason),
        }
    }

    /// Shows a game, or the list of several.
    fn show_held(&mut self, held: FileContents, origin: &str, cx: &mut Context) {
        match held {
            FileContents::Game(opened) => self.show_opened(opened, origin, cx),
            FileContents::Begun(PartialGame { opened, broken }) => {
                self.show_opened(opened, origin, cx);
                broken.into_iter().for_each(|reason| cx.notice(Tone::Bad, reason));
            }
            FileContents::Games(shelf, Some(picked)) => self.show_picked(shelf, Ok(picked), cx),
            FileContents::Games(shelf, None) => {
                cx.open(Games::new(shelf.clone(), self.session.record.variant));
                self.library.shelf = Some(shelf);
            }
        }
    }

    /// Puts a game of a collection on the board, and reports its error if it is incomplete.
    fn show_picked(&mut self, shelf: Shelf, picked: Result<PartialGame, Error>, cx: &mut Context) {
        let PartialGame { opened, broken } = match picked {
            Ok(picked) => picked,
            Err(reason) => return cx.notice(Tone::Bad, reason),
        };
        let number = shelf.open.unwrap_or(0) + 1;
        self.show_opened(opened, &format!("{}, game {number} of {}", shelf.name, shelf.games.len()), cx);
        if let Some(reason) = broken {
            cx.notice(Tone::Bad, reason);
        }
        self.library.shelf = Some(shelf);
    }

    /// Replaces the game on the board, which is saved automatically.
    pub(super) fn show_opened(&mut self, opened: OpenedGame, origin: &str, cx: &mut Context) {
        self.put_opened(opened, false, cx);
        let paused = self.paused_text().map_or(String::new(), |text| format!("; {text}"));
        match game_file::remarks(&self.session.record) {
            None => cx.notice(Tone::Good, format!("Loaded {origin}{paused}")),
            Some(remarks) => cx.notice(Tone::Info, format!("Loaded {origin}; {remarks}")),
        }
    }

    /// The same without a notice, except, if `is_news`, that the game before was saved.
    pub(super) fn put_opened(&mut self, opened: OpenedGame, is_news: bool, cx: &mut Context) {
        self.stop_review(cx);
        self.keep_last(is_news, cx);
        self.replace_by(opened, cx);
    }

    /// Replaces the game on the board, which is saved or set aside.
    pub(super) fn replace_by(&mut self, opened: OpenedGame, cx: &mut Context) {
        self.leave_shelf();
        self.take_opened(opened);
        self.recall_review(self.games + 1, cx);
        self.shown_anew(cx);
    }

    /// Detaches the game on the board from the open collection.
    pub(super) fn leave_shelf(&mut self) {
        if let Some(shelf) = &mut self.library.shelf {
            shelf.open = None;
        }
    }

    /// The game that is saved automatically, with its version on disk: that on the board, unless a puzzle is there.
    fn record_to_keep(&self) -> (&Record, u64) {
        let former = self.library.former.as_ref().map(|former| (&former.session.record, former.saved));
        former.unwrap_or((&self.session.record, self.library.saved))
    }

    /// Its text and the folder; `None` if it is already on disk.
    fn to_keep(&self) -> Option<(PathBuf, String)> {
        let (record, saved) = self.record_to_keep();
        let games = self.library.games.clone().filter(|_| self.library.keeps && record.version() != saved)?;
        Some((games, notation::write(record)))
    }

    /// Leaves the game: saves it automatically unless it is already on disk. A watched one is not followed further.
    pub(super) fn keep_last(&mut self, is_news: bool, cx: &mut Context) {
        let version = self.record_to_keep().0.version();
        let draft = std::mem::take(&mut self.library.draft);
        self.library.draft_failed = false;
        let is_drafted = self.library.drafted.take().is_some();
        let kept = self.to_keep();
        let is_news = is_news && kept.is_some();
        self.library.former = None;
        if self.library.watched.take().is_some() {
            self.library.keeps = !cx.paths.rights().is_guest();
        }
        if kept.is_some() || is_drafted {
            cx.background(move || {
                let result = kept.map_or(Ok(()), |(games, text)| kept::keep(&games, &text).map(drop));
                if result.is_ok() {
                    draft.remove(version);
                }
                Message::Kept { result, is_news }
            });
        }
    }

    /// This version of the game on the board is in a file.
    fn saved(&mut self, version: u64, cx: &mut Context) {
        self.library.saved = version;
        let draft = self.library.draft.clone();
        cx.background(move || {
            draft.remove(version);
            Message::Drafted(Ok(()))
        });
    }

    /// Writes the draft of a person's game in the background, once a turn.
    pub(super) fn settle_draft(&mut self, cx: &mut Context) {
        let version = self.session.record.version();
        let now = Some((self.session.game, version));
        let is_written = self.library.drafted == now || self.library.draft_failed || self.library.former.is_some();
        if !self.session.has_human() || self.wants_thought() || is_written {
            return;
        }
        let Some((games, text)) = self.to_keep() else { return };
        let draft = self.library.draft.clone();
        self.library.drafted = now;
        cx.background(move || Message::Drafted(draft.write(&games, &text, version)));
    }

    /// The same immediately, when the screen is gone; returns the file, if one was written.
    ///
    /// # Errors
    /// The game could not be written.
    pub(super) fn keep_now(&self) -> Result<Option<PathBuf>, Error> {
        let kept = self.to_keep().map(|(games, text)| kept::keep(&games, &text)).transpose()?;
        self.library.draft.remove(self.record_to_keep().0.version());
        Ok(kept)
    }

    pub(super) fn look_for_last(&self, cx: &mut Context) {
        if let Some(games) = self.library.games.clone().filter(|_| self.library.keeps) {
            cx.background(move || {
                draft::recover(&games);
                Message::Last(kept::has_unfinished(&games))
            });
        }
    }

    /// Asks before players' files are opened, if the record names unknown ones.
    pub(super) fn ask_for_players(&mut self, cx: &mut Context) {
        let strangers = std::mem::take(&mut self.library.strangers);
        if !strangers.is_empty() && cx.permits("use players that open a file or run a command") {
            let names = strangers.into_iter().map(|(side, name)| (self.session.seat_name(side), name)).collect();
            cx.open(Agree { game: self.session.game, names });
        }
    }

    pub(super) fn open_players(&self, game: u64, cx: &mut Context) {
        let names = self.session.record.players.clone();
        let seated = self.session.players.clone();
        cx.wait_for(move || {
            let [south, north] = names;
            let read = |name: String, seated: Spec| match needs_agreement(&name) {
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
                Ok(spec) => self.session.players[seat] = spec,
                Err(reason) => cx.notice(Tone::Bad, reason),
            }
        }
        self.keep_players();
        self.settle(cx);
    }
}

/// Returns a file's path for a notice; for a guest its name alone, as the folders are the host's.
fn shown(path: &Path, cx: &Context) -> String {
    if cx.paths.rights().is_guest() { short_name(path) } else { path.display().to_string() }
}

/// Remembers the game and its players for the next start, except those in files.
fn remember(setup: &Setup, cx: &mut Context) {
    let [south, north] = setup.players.each_ref().map(ToString::to_string);
    if !needs_agreement(&south) && !needs_agreement(&north) {
        for (key, value) in [("game", setup.variant.to_string()), ("south", south), ("north", north)] {
            cx.remember("board", key, quoted(&value));
        }
    }
}

/// Returns whether this player's text names a file or a command.
pub(super) fn needs_agreement(name: &str) -> bool {
    name.parse::<Unread>().is_ok_and(|unread| unread.needs_agreement())
}

/// The player of this text without opening a file or taking a command; an unknown name is a human.
pub(super) fn without_file(name: &str) -> Spec {
    let unread = name.parse::<Unread>().ok().filter(|unread| !unread.needs_agreement());
    unread.and_then(|unread| unread.load().ok()).unwrap_or(Spec::Human)
}

fn short_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
