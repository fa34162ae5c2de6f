//! Messages to the Board: from other tabs, its dialogs, its background tasks, and the palette, which lists players and saved games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mancalab_base::Error;

use super::Board;
use super::library::agree::needs_agreement;
use super::library::files::short_name;
use super::library::game_file::{self, OpenedGame};
use super::library::save::FileAnswer;
use super::library::saved::{self, SavedGame};
use super::library::{LibraryMessage, results};
use super::panels::PanelMessage;
use super::panels::judging::judge;
use super::practice::PracticeMessage;
use super::setup::{Setup, SetupMessage};
use crate::app::overlay::TaskResult;
use crate::app::tab::{self, Context, Tone};
use crate::app::tab::{PaletteItem, PaletteSource};
use crate::game::Variant;
use crate::game::record::NodeId;
use crate::player::offers::{Opponent, about, offers};
use crate::player::{Spec, check_plays};
use crate::settings::quoted;

/// A message to the Board. The library, the panels, practice and the setup have messages of their own.
pub(crate) enum Message {
    /// Start a game.
    Start(Setup),
    /// Show a game.
    Show(OpenedGame),
    /// An entry of the palette was chosen.
    Named(PaletteEntry),
    /// A comment on a position of this game was entered.
    Comment { game: u64, node: NodeId, text: String },
    /// The user confirmed deleting a move of this game with all that follows.
    Delete { game: u64, node: NodeId },
    /// The user confirmed resigning this game.
    Resign(u64),
}

impl tab::Message for Message {
    const SCOPE: &'static str = "board";
}

impl Board {
    /// Takes a message of any kind.
    pub(super) fn take_answer(&mut self, answer: TaskResult, cx: &mut Context) {
        _ = pass_on(answer, |message| self.take(message, cx))
            .or_else(|answer| pass_on(answer, |message| self.take_from_library(message, cx)))
            .or_else(|answer| pass_on(answer, |message| self.take_from_panels(message, cx)))
            .or_else(|answer| pass_on(answer, |message| self.take_from_practice(message, cx)))
            .or_else(|answer| pass_on(answer, |message| self.take_chosen(message, cx)));
    }

    fn take_from_panels(&mut self, message: PanelMessage, cx: &mut Context) {
        match message {
            PanelMessage::TableValue { spot, value } => self.panels.terms.take_table_value(spot, value),
            PanelMessage::Explored { request, spot, result } => {
                self.panels.explorer.take_answer(request, spot, result, cx)
            }
        }
    }

    fn take_from_practice(&mut self, message: PracticeMessage, cx: &mut Context) {
        match message {
            PracticeMessage::Puzzles(Ok(asked)) => {
                if let Some(tasks) = self.practice.take_puzzles(asked, cx) {
                    self.begin_retry(tasks, cx);
                }
            }
            PracticeMessage::Graded(Ok(())) => {}
            PracticeMessage::Puzzles(Err(reason)) | PracticeMessage::Graded(Err(reason)) => {
                cx.notice(Tone::Bad, reason);
            }
        }
    }

    fn take(&mut self, message: Message, cx: &mut Context) {
        match message {
            Message::Start(setup) => {
                let start = setup.variant.start();
                self.start_game(setup, start, cx);
                // With a function or network the values of all moves are shown, unless a rated game begins.
                self.panels.terms.show(judge(&self.session).is_some() && self.session.only_person().is_none());
            }
            Message::Show(opened) => {
                let tournament = opened.record.headers.iter().find(|(name, _)| name == game_file::TOURNAMENT);
                let origin = tournament.map_or("the game".to_owned(), |(_, value)| value.clone());
                self.show_opened(opened, &origin, cx);
            }
            Message::Named(named) => self.take_named(named, cx),
            Message::Comment { game, node, text } => self.session.take_comment(game, node, &text),
            Message::Delete { game, node } => self.delete(game, node, cx),
            Message::Resign(game) => self.resign(game, cx),
        }
    }

    fn take_chosen(&mut self, message: SetupMessage, cx: &mut Context) {
        match message {
            SetupMessage::Chosen(setup) => {
                remember(&setup, cx);
                self.take(Message::Start(setup), cx);
            }
            SetupMessage::PlayOn { game, setup } => self.play_on(game, setup, cx),
        }
    }

    fn take_from_library(&mut self, message: LibraryMessage, cx: &mut Context) {
        match message {
            LibraryMessage::File(FileAnswer::Save { path, replace }) => {
                self.library.save_to(&self.session, path, replace, cx);
            }
            LibraryMessage::File(FileAnswer::Load(path)) => self.library.load_from(&self.session, path, cx),
            LibraryMessage::FoundDraft(found) => self.take_draft(found, cx),
            LibraryMessage::MyLevels(levels) => self.library.my_levels = levels,
            LibraryMessage::Results(Ok(games)) => results::show(&games, cx),
            LibraryMessage::Game(index) => self.library.open_game(&self.session, index, cx),
            LibraryMessage::OpenPlayers(game) => self.library.open_players(&self.session, game, cx),
            LibraryMessage::Last(false) | LibraryMessage::Logged(Ok(())) => {}
            LibraryMessage::Drafted(Ok(())) => _ = self.library.note_draft(false),
            LibraryMessage::Last(true) => {
                cx.notice(Tone::Info, "Your last game is unfinished. l loads it on the Board");
            }
            LibraryMessage::Kept { result: Ok(()), is_news } => {
                self.panels.explorer.forget_listed();
                if is_news {
                    cx.notice(Tone::Info, "Your last game was saved. l loads it");
                }
            }
            LibraryMessage::Saved { game, version, path, result: Ok(()) } => {
                cx.notice(Tone::Good, format!("Saved {}", shown(&path, cx)));
                if game == self.session.game {
                    self.library.note_saved(version, cx);
                    self.library.name_file(path);
                }
            }
            LibraryMessage::Added { game, version, path, result: Ok(number), loses } => {
                let without = loses.map_or(String::new(), |parts| format!(", without {parts}"));
                cx.notice(Tone::Good, format!("Added to {} as game {number}{without}", shown(&path, cx)));
                if game == self.session.game && loses.is_none() {
                    self.library.note_saved(version, cx);
                }
            }
            LibraryMessage::NotSaved { game, path, reason } if game == self.session.game => {
                self.library.ask_again(&path, &reason, cx);
            }
            LibraryMessage::Read { origin, result: Ok(held) } => self.show_held(held, &origin, cx),
            LibraryMessage::Pasted(Ok(held)) => {
                cx.come_to_front();
                self.show_held(held, "the pasted text", cx);
            }
            LibraryMessage::Picked { shelf, result } => self.show_picked(shelf, result, cx),
            LibraryMessage::Players { game, players } => {
                if game == self.session.game {
                    self.seat_players(players, cx);
                }
            }
            LibraryMessage::Drafted(Err(reason)) => {
                // Once: the next turns may fail alike.
                if self.library.note_draft(true) {
                    cx.notice(Tone::Bad, reason);
                }
            }
            LibraryMessage::Kept { result: Err(reason), .. }
            | LibraryMessage::Saved { result: Err(reason), .. }
            | LibraryMessage::Added { result: Err(reason), .. }
            | LibraryMessage::NotSaved { reason, .. }
            | LibraryMessage::Read { result: Err(reason), .. }
            | LibraryMessage::Pasted(Err(reason))
            | LibraryMessage::Logged(Err(reason))
            | LibraryMessage::Results(Err(reason)) => cx.notice(Tone::Bad, reason),
        }
    }

    /// Loads the game; a player gets the other seat of a new game.
    fn take_named(&mut self, named: PaletteEntry, cx: &mut Context) {
        match named {
            PaletteEntry::Game(path) => self.library.load_from(&self.session, path, cx),
            PaletteEntry::Player(name) => match opponent(&name, &self.setup) {
                Ok(setup) => self.take_chosen(SetupMessage::Chosen(setup), cx),
                Err(reason) => cx.notice(Tone::Bad, reason),
            },
        }
    }
}

/// Passes a message on if it has this type; otherwise returns it.
fn pass_on<T: 'static>(answer: TaskResult, take: impl FnOnce(T)) -> Result<(), TaskResult> {
    answer.downcast().map(|message| take(*message))
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

/// Time for reading games before the palette opens.
const READING: Duration = Duration::from_millis(50);

/// An entry of the palette.
pub(crate) enum PaletteEntry {
    /// An opponent.
    Player(String),
    Game(PathBuf),
}

/// The entries for a new game of this variant, and for the games of a folder.
pub(super) fn items(variant: Variant, games: Option<PathBuf>) -> PaletteSource {
    Box::new(move || {
        let players = offers(&variant).into_iter().filter(|name| *name != Spec::Human.to_string());
        let players = players.map(|name| {
            let about = format!("new game: {}", about(&name, &variant).unwrap_or_default());
            PaletteItem {
                kind: "player",
                about,
                pick: Box::new(Message::Named(PaletteEntry::Player(name.clone()))),
                name,
            }
        });
        let games = games.map(|folder| saved::list(&folder)).unwrap_or_default();
        players.chain(with_contents(games).into_iter().map(game)).collect()
    })
}

/// The contents of the newest games, as far as they are read in time; names suffice for the others.
fn with_contents(mut games: Vec<SavedGame>) -> Vec<SavedGame> {
    let paths = games.iter().map(|game| game.path.clone()).collect();
    let contents = saved::read(paths, 0, READING);
    games.iter_mut().zip(contents).for_each(|(game, (_, about))| game.learn(about));
    games
}

fn game(saved: SavedGame) -> PaletteItem {
    let about = match saved.about() {
        Some(Ok(about)) => format!("{}: {}, {}", about.variant.title(), about.players(), about.result()),
        Some(Err(_)) => "cannot be read".to_owned(),
        None => String::new(),
    };
    PaletteItem {
        kind: "saved game",
        name: saved.name,
        about,
        pick: Box::new(Message::Named(PaletteEntry::Game(saved.path))),
    }
}

/// The usual game with this player in the computer's seat, or else the second.
///
/// # Errors
/// The player does not play the game.
pub(super) fn opponent(name: &str, usual: &Setup) -> Result<Setup, Error> {
    let player: Opponent = name.parse().map_err(|error: mancalab_base::Error| error.to_string())?;
    check_plays(&player.player(&usual.variant), &usual.variant)?;
    let [south, north] = usual.specs().map(|spec| spec.is_human());
    let human = Opponent::Player(Spec::Human);
    let players = if !south && north { [player, human] } else { [human, player] };
    Ok(Setup { players, seed: None, ..usual.clone() })
}
