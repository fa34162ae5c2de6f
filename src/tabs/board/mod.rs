//! The Board tab: a game on the board, played and stepped through, with an analysis of the position shown.
//!
//! [`Board`] is composed of parts, each in a folder that keeps its state to itself: `session` (the game, its clock and times), `library`
//! (files of games), `playback` (what is in progress), `panels` (what the panels know, and their contents) and `practice` (mistakes tried
//! again, puzzles and tutorials). `setup` has the dialog of new games, `lines` the game without a screen. Imports between the folders go
//! one way, and none of them knows the Board except `lines`.
//!
//! The modules beside the folders bring the parts together: `tab` implements the app's tab, `commands` its commands and those for
//! variations, `message` the answers of dialogs and background tasks, `entry` the entry of moves and positions, `play` the course of the
//! game (moves, computer players, autoplay), `ending` its end, `files` games that come to the board, `helping` the analysis, the coach and
//! the openings, `reviewing` the review, `retrying` mistakes and puzzles, `draw` the page, with `marks` on the board and the `story` below
//! it.

mod commands;
pub(crate) mod draw;
mod ending;
mod entry;
mod files;
mod helping;
mod library;
pub(crate) mod lines;
pub(crate) mod marks;
mod message;
mod panels;
mod play;
mod playback;
mod practice;
mod retrying;
mod reviewing;
mod session;
mod setup;
mod story;
mod tab;
#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use crate::app::tab::Context;
use crate::config::Digits;
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Place, Position, Side};
use crate::player::offers::Opponent;
use crate::player::{Spec, check_plays};
use crate::rng;

#[cfg(all(test, feature = "serve"))]
pub(crate) use commands::GUEST_CHANGES;
pub use library::game_file::{ENDING, FileContents, OpenedGame, PartialGame, Shelf, collection_files, remarks};
pub use library::saved::{find_saved_game, nearest_saved_game};
pub(crate) use message::Message;
pub(crate) use practice::puzzles::{Due, PuzzleDay, today};
pub use practice::puzzles::{Mistakes, Puzzle, Puzzles};
#[cfg(any(test, feature = "serve"))]
pub(crate) use session::clock::GameClock;
pub use session::clock::TimeControl;
#[cfg(feature = "serve")]
pub(crate) use session::naming;
pub use setup::{Settings, Setup};

use library::Library;
use panels::Panels;
use panels::review::Review;
use playback::Playback;
use practice::Practice;
use session::entry::Entry;
use session::{Mode, Session};

/// Switches something, such as a panel.
type Toggle = fn(&mut Board, &mut Context);

/// The Board tab.
pub struct Board {
    session: Session,
    /// The greatest number of a game so far.
    games: u64,
    library: Library,
    playback: Playback,
    panels: Panels,
    practice: Practice,
    areas: MouseAreas,
    startup: StartupActions,
    /// Defaults of the next new game.
    setup: Setup,
    /// The entry of the next move.
    entry: Entry,
    digits: Digits,
    /// The game is played by lines, see [`lines`].
    by_lines: bool,
}

/// The areas of the last frame that a click reaches.
#[derive(Default)]
struct MouseAreas {
    places: Vec<(Rect, Place)>,
    /// The moves of the list.
    rows: Vec<(Rect, NodeId)>,
    /// The moves of the analysis.
    findings_rows: Vec<(Rect, Move)>,
    /// The moves of the explorer.
    opening_rows: Vec<(Rect, Move)>,
    /// The card at the end of a game.
    card: Rect,
    /// The titles of panels.
    titles: Vec<(Rect, Toggle)>,
}

/// The actions of the tab when it opens.
#[derive(Default)]
struct StartupActions {
    /// The collection is listed.
    lists_shelf: bool,
    /// The welcome is shown.
    welcomes: bool,
    /// The day's puzzles from these mistakes are shown.
    puzzles: Option<Mistakes>,
    /// The error of the game on the board is shown.
    broken: Option<String>,
}

impl Board {
    pub fn new(settings: Settings) -> Board {
        let Settings { setup, start, opened, welcomes, puzzles, games, by_lines, follows } = settings;
        let seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let is_usual = start.is_none_or(|start| start == setup.variant.start());
        let record = setup.record(start.unwrap_or_else(|| setup.variant.start()), seed);
        let mut session = Session::new(record, setup.specs(), seed);
        session.begun = (opened.is_none() && is_usual).then_some(0);
        let mut board = Board {
            session,
            games: 0,
            library: Library::new(games),
            playback: Playback::new(),
            panels: Panels::default(),
            practice: Practice::default(),
            areas: MouseAreas::default(),
            startup: StartupActions { welcomes, puzzles, ..StartupActions::default() },
            setup,
            entry: Entry::default(),
            digits: Digits::Tabs,
            by_lines,
        };
        if follows && board.library.games.is_some() {
            board.library.watch();
            board.session.mode = Mode::Viewed;
        }
        match opened {
            None => {}
            Some(FileContents::Game(opened)) => {
                board.startup.broken = remarks(&opened.record);
                board.take_opened(opened);
            }
            Some(FileContents::Begun(PartialGame { opened, broken })) => {
                board.take_opened(opened);
                board.startup.broken = broken;
            }
            Some(FileContents::Games(shelf, picked)) => {
                board.startup.lists_shelf = picked.is_none();
                board.library.open_shelf(shelf);
                if let Some(PartialGame { opened, broken }) = picked {
                    board.startup.broken = broken.or_else(|| remarks(&opened.record));
                    board.take_opened(opened);
                }
            }
        }
        board
    }

    /// Returns whether the user may move now.
    fn awaits_human(&self) -> bool {
        self.session.edit.is_none()
            && !self.library.is_watched()
            && !self.session.is_over()
            && (self.session.is_human(self.session.position().side()) || self.practice.is_retrying(&self.session))
    }

    /// Replaces the record. The previous one is saved automatically if necessary.
    fn replace_record(&mut self, record: Record, cx: &mut Context) {
        self.stop_review(cx);
        self.keep_last(true, cx);
        self.library.leave_shelf();
        self.session.record = record;
        self.library.begin(0, None);
        self.session.mode = Mode::Played;
        self.shown_anew(cx);
    }

    /// Resets everything that belonged to the previous record.
    fn shown_anew(&mut self, cx: &mut Context) {
        self.games += 1;
        self.session.game = self.games;
        self.session.edit = None;
        self.session.mode.stop();
        self.session.taken_back = None;
        self.show_now(cx);
        self.library.ask_for_players(&self.session, cx);
    }

    fn start_game(&mut self, mut setup: Setup, start: Position, cx: &mut Context) {
        self.library.my_levels.apply(&setup.variant, &mut setup.players);
        self.session.seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let record = setup.record(start, self.session.seed);
        self.session.players = setup.specs();
        self.setup = setup;
        self.replace_record(record, cx);
        self.session.begun = Some(self.session.game).filter(|_| start == self.session.record.variant.start());
        self.session.play_on();
    }

    /// Opens a loaded or pasted game. Names that are not players become humans, and so do players in files and
    /// other programs until confirmed.
    fn take_opened(&mut self, opened: OpenedGame) {
        let OpenedGame { record, players, file, replaceable, stored, values } = opened;
        let seated = |side: Side| {
            let known = &players[side.index()];
            let name = &record.players[side.index()];
            let spec = known.clone().unwrap_or_else(|| library::agree::without_file(name));
            if check_plays(&spec, &record.variant).is_ok() { spec } else { Spec::Human }
        };
        self.session.players = Side::BOTH.map(seated);
        let is_stranger = |side: &Side| {
            players[side.index()].is_none() && library::agree::needs_agreement(&record.players[side.index()])
        };
        let strangers = Side::BOTH.into_iter().filter(is_stranger);
        self.library.strangers = strangers.map(|side| (side, record.players[side.index()].clone())).collect();
        self.session.seed = record.seed.unwrap_or_else(rng::fresh_seed);
        self.setup.variant = record.variant;
        self.keep_players();
        self.library.begin(if stored { record.version() } else { 0 }, file.filter(|_| replaceable));
        self.session.record = record;
        self.panels.review = Review::new(values);
        self.session.mode = Mode::Viewed;
    }

    /// Makes the players those of the next new game; a level stays.
    fn keep_players(&mut self) {
        for (kept, spec) in self.setup.players.iter_mut().zip(&self.session.players) {
            if kept.player(&self.setup.variant) != *spec {
                *kept = Opponent::Player(spec.clone());
            }
        }
    }

    fn is_modified(&self) -> bool {
        self.library.is_modified(&self.session.record)
    }
}
