//! The Board tab: a game on the board, played and stepped through, with an analysis of the position shown.
//!
//! [`Board`] holds the game and its surroundings. `tab` implements the app's tab, `commands` its commands, `entry` the
//! entry of moves, `play` the timing of moves (sowing, computer players, autoplay), `analysis` the search of the
//! position, `clock` the time of both sides, `card` the end of a game, `review` the values of the whole line and its mistakes, `retry` those tried again, `tree` variations. `layout` places the panels and
//! `draw` draws them: `marks` on the board, `story` below it, `moves`, `curve` (chances over the game), `mistakes`,
//! `findings` (search results), `terms`, `judging` and `network` (evaluations), `why` (reasons in words), `reports` (of players). `collection`
//! lists many games, `shelf` steps through them. `lines` plays by lines, without
//! a screen. Dialogs have modules of their own.

mod agree;
mod analysis;
mod card;
pub(crate) mod clock;
mod collection;
mod commands;
mod curve;
pub(crate) mod draw;
mod edit;
pub(crate) mod entry;
mod figures;
mod file_dialogs;
mod files;
mod findings;
mod game_file;
mod judging;
mod kept;
mod layout;
pub(crate) mod lines;
mod load;
pub(crate) mod marks;
mod message;
mod mistakes;
mod moves;
mod network;
mod new_game;
mod palette_items;
mod picker;
mod play;
mod puzzles;
mod reports;
mod results;
mod retry;
mod review;
mod samuel;
mod saved;
mod saved_row;
mod setup;
mod shelf;
mod story;
mod tab;
mod table_value;
mod terms;
#[cfg(test)]
mod tests;
mod tree;
mod tutorial;
mod welcome;
mod why;

use std::path::PathBuf;
use std::time::Instant;

use ratatui::layout::Rect;

use crate::app::effect::{Context, Tone};
use crate::config::{Digits, Seat};
use crate::game::record::{DeletedVariation, NodeId, Record};
use crate::game::{self, Move, Position, Side, notation};
use crate::player::levels::Opponent;
use crate::player::{Spec, check_plays};
use crate::results::GameResult;
use crate::rng;

pub use clock::TimeControl;
pub use game_file::{ENDING, FileContents, OpenedGame, PartialGame, Shelf, TOURNAMENT, collection_files, remarks};
pub(crate) use message::Message;
pub use puzzles::{A_DAY, Puzzle, Puzzles, today};
pub use setup::{Settings, Setup};
#[cfg(all(test, feature = "serve"))]
pub(crate) use tree::GUEST_CHANGES;

use analysis::Analysis;
use clock::GameClock;
use edit::Edit;
use entry::Entry;
use play::{Animation, ComputerSeat, Thinking};
use reports::Reports;
use retry::Retry;
use review::Review;
use tab::ClickedMove;

/// A position of a game: each record numbers its positions from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    game: u64,
    node: NodeId,
}

/// Switches something, such as a panel.
type Toggle = fn(&mut Board, &mut Context);

/// The Board tab.
pub struct Board {
    record: Record,
    /// The number of records that were on the board.
    game: u64,
    players: [Spec; 2],
    /// Determines all random choices in the game.
    seed: u64,
    /// Defaults of the next new game.
    setup: Setup,
    games: Option<PathBuf>,
    /// The file it was saved to or loaded from, if saving there again loses nothing.
    file: Option<PathBuf>,
    /// The collection opened last, and its game on the board.
    shelf: Option<Shelf>,
    /// It is listed when the tab opens.
    lists_shelf: bool,
    /// The welcome is shown when the tab opens.
    welcomes: bool,
    /// The puzzles of the day are shown then.
    opens_puzzles: bool,
    /// The error of the game that the tab opens with.
    broken: Option<String>,
    /// The error of saving the game, when the user asked to quit.
    unsaved: Option<String>,
    /// The game and its version that were saved when the user asked to quit.
    autosaved: Option<(u64, u64)>,
    /// Its file.
    autosaved_file: Option<PathBuf>,
    /// The record's version on disk; 0 for none.
    saved: u64,
    /// Unconfirmed players in files that the record names; humans replace them.
    strangers: Vec<(Side, String)>,
    /// Games are saved automatically.
    keeps: bool,
    /// The game is played by lines, see [`lines`].
    by_lines: bool,
    seat: Seat,
    /// Autoplay.
    autoplay: bool,
    /// The position is the result of a move just made, or the user resumed the game: a computer player answers, even if
    /// a next move is known. Loading a game or stepping through it pauses the players.
    live: bool,
    /// The position of the last undone move: the next move made there becomes the main line.
    taken_back: Option<NodeId>,
    /// The variation deleted last.
    deleted: Option<(u64, DeletedVariation)>,
    /// A computer player was requested for one move of a paused game.
    asked: bool,
    /// Moves per second of autoplay, and sowing steps per second; 0 for no animation.
    pace: f64,
    sowing: f64,
    /// Time of the last move made or shown.
    moved: Instant,
    animation: Option<Animation>,
    /// The end of a game that is shown on a card.
    card: Option<Spot>,
    /// The game that began here last, from the usual start.
    begun: Option<u64>,
    /// The game whose result was logged last, with it.
    logged: Option<(u64, GameResult)>,
    clock: Option<GameClock>,
    /// The time of the last tick, which the clock shows.
    seen: Instant,
    /// Mistakes being tried again.
    retry: Option<Retry>,
    thinking: Option<Thinking>,
    /// `[south, north]`: the computer players that have had a turn in this game.
    seated: [Option<ComputerSeat>; 2],
    analysis: Analysis,
    review: Review,
    /// The entry of the next move.
    entry: Entry,
    edit: Option<Edit>,
    /// The terms panel is on, and was switched on after the analysis.
    terms: bool,
    terms_last: bool,
    /// The value of the position by an endgame table, for this panel.
    table_value: Option<table_value::TableValue>,
    /// Cached values of function players.
    known: judging::RecentResults,
    /// Variations are hidden, but marked.
    folded: bool,
    /// The reports of the computer players.
    reports: Reports,
    /// A move selected in the analysis, and when.
    picked: Option<ClickedMove>,
    digits: Digits,
    /// The analysis was drawn, not dropped for space or for the terms.
    shows_analysis: bool,
    /// Areas of places, moves, rows of the analysis and titles, for the mouse.
    places: Vec<(Rect, game::Place)>,
    rows: Vec<(Rect, NodeId)>,
    findings_rows: Vec<(Rect, Move)>,
    titles: Vec<(Rect, Toggle)>,
}

impl Board {
    pub fn new(settings: Settings) -> Board {
        let Settings { setup, start, opened, welcomes, puzzles, games, by_lines } = settings;
        let seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let is_usual = start.is_none_or(|start| start == setup.variant.start());
        let mut board = Board {
            saved: 0,
            record: setup.record(start.unwrap_or_else(|| setup.variant.start()), seed),
            game: 0,
            players: setup.specs(),
            seed,
            setup,
            games,
            file: None,
            shelf: None,
            lists_shelf: false,
            welcomes,
            opens_puzzles: puzzles,
            broken: None,
            unsaved: None,
            autosaved: None,
            autosaved_file: None,
            strangers: Vec::new(),
            keeps: true,
            by_lines,
            seat: Seat::default(),
            autoplay: false,
            live: true,
            taken_back: None,
            deleted: None,
            asked: false,
            pace: 1.0,
            sowing: 0.0,
            moved: Instant::now(),
            animation: None,
            card: None,
            begun: (opened.is_none() && is_usual).then_some(0),
            logged: None,
            clock: None,
            seen: Instant::now(),
            retry: None,
            thinking: None,
            seated: [None, None],
            analysis: Analysis::default(),
            review: Review::default(),
            entry: Entry::default(),
            edit: None,
            terms: false,
            terms_last: false,
            table_value: None,
            known: judging::RecentResults::default(),
            folded: false,
            reports: Reports::default(),
            picked: None,
            shows_analysis: false,
            digits: Digits::Tabs,
            places: Vec::new(),
            rows: Vec::new(),
            findings_rows: Vec::new(),
            titles: Vec::new(),
        };
        match opened {
            None => {}
            Some(FileContents::Game(opened)) => {
                board.broken = remarks(&opened.record);
                board.take_opened(opened);
            }
            Some(FileContents::Begun(PartialGame { opened, broken })) => {
                board.take_opened(opened);
                board.broken = broken;
            }
            Some(FileContents::Games(shelf, picked)) => {
                board.lists_shelf = picked.is_none();
                board.shelf = Some(shelf);
                if let Some(PartialGame { opened, broken }) = picked {
                    board.broken = broken.or_else(|| remarks(&opened.record));
                    board.take_opened(opened);
                }
            }
        }
        board
    }

    fn spot(&self) -> Spot {
        Spot { game: self.game, node: self.record.at() }
    }

    fn position(&self) -> &Position {
        self.record.position()
    }

    /// The name of a side in this game.
    fn seat_name(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    fn is_human(&self, side: Side) -> bool {
        self.players[side.index()].is_human()
    }

    fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// Returns whether the game is over at the current position.
    fn is_over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// Returns whether the user may move now.
    fn awaits_human(&self) -> bool {
        self.edit.is_none() && !self.is_over() && (self.is_human(self.position().side()) || self.is_retrying())
    }

    /// The side at the bottom.
    fn bottom(&self) -> Side {
        match self.seat {
            Seat::Person if self.is_human(Side::North) && !self.is_human(Side::South) => Side::North,
            Seat::Person | Seat::South => Side::South,
            Seat::North => Side::North,
            Seat::Mover if self.is_over() => Side::South,
            Seat::Mover => self.position().side(),
        }
    }

    /// The side whose values and chances are shown; its title says so where that is not the side at the bottom.
    fn point_of_view(&self) -> Side {
        if self.seat == Seat::Mover { Side::South } else { self.bottom() }
    }

    /// Replaces the record. The previous one is saved automatically if necessary.
    fn replace_record(&mut self, record: Record, cx: &mut Context) {
        self.stop_review(cx);
        self.keep_last(true, cx);
        self.leave_shelf();
        self.record = record;
        self.saved = 0;
        self.file = None;
        self.live = true;
        self.shown_anew(cx);
    }

    /// Resets everything that belonged to the previous record.
    fn shown_anew(&mut self, cx: &mut Context) {
        self.game += 1;
        self.edit = None;
        self.autoplay = false;
        self.taken_back = None;
        self.show_now(cx);
        self.ask_for_players(cx);
    }

    fn start_game(&mut self, setup: Setup, start: Position, cx: &mut Context) {
        self.seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let record = setup.record(start, self.seed);
        self.players = setup.specs();
        self.setup = setup;
        self.replace_record(record, cx);
        self.begun = Some(self.game).filter(|_| start == self.record.variant.start());
        self.autoplay = !self.has_human();
        self.settle(cx);
    }

    /// Opens a loaded or pasted game. Names that are not players become humans, and so do players in files and
    /// other programs until confirmed.
    fn take_opened(&mut self, opened: OpenedGame) {
        let OpenedGame { record, players, file, replaceable, stored, values } = opened;
        let seated = |side: Side| {
            let known = &players[side.index()];
            let name = &record.players[side.index()];
            let spec = known.clone().unwrap_or_else(|| files::without_file(name));
            if check_plays(&spec, &record.variant).is_ok() { spec } else { Spec::Human }
        };
        self.players = Side::BOTH.map(seated);
        let is_stranger =
            |side: &Side| players[side.index()].is_none() && files::needs_agreement(&record.players[side.index()]);
        let strangers = Side::BOTH.into_iter().filter(is_stranger);
        self.strangers = strangers.map(|side| (side, record.players[side.index()].clone())).collect();
        self.seed = record.seed.unwrap_or_else(rng::fresh_seed);
        self.setup.variant = record.variant;
        self.keep_players();
        self.saved = if stored { record.version() } else { 0 };
        self.file = file.filter(|_| replaceable);
        self.record = record;
        self.review = Review::new(values);
        self.live = false;
    }

    /// Makes the players those of the next new game; a level stays.
    fn keep_players(&mut self) {
        for (kept, spec) in self.setup.players.iter_mut().zip(&self.players) {
            if kept.player(&self.setup.variant) != *spec {
                *kept = Opponent::Player(spec.clone());
            }
        }
    }

    fn is_modified(&self) -> bool {
        self.record.version() != self.saved
    }

    /// Pits per side; none on a board of squares.
    fn pits(&self) -> u8 {
        match self.position().board() {
            game::Board::Pits(board) => board.pits_a_side() as u8,
            game::Board::Squares(_) => 0,
        }
    }

    /// The name of the pit keys in the footer and help.
    fn pit_keys(&self) -> String {
        format!("A-{}", char::from((b'A' + self.pits()).saturating_sub(1)))
    }

    fn save_to_clipboard(&self, cx: &mut Context) {
        cx.copy(notation::write(&self.record));
        cx.notice(Tone::Good, "Copied the game, if the terminal allows it (OSC 52)");
    }
}
