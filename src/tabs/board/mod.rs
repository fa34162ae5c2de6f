//! The Board tab: a game on the board, played and walked, with an analysis of the position shown.
//!
//! [`Board`] holds the game and what is going on around it; `tab` is what the app calls, `commands` what a person can ask for, `entry`
//! how a move is entered, `play` makes moves happen in time (sowing, computer players, autoplay), `analysis` asks a search about the
//! position, `review` has the whole line valued and finds the mistakes, `tree` is what is done with variations. `layout` says where
//! everything is, `draw` draws it: `marks` are what is marked on the board, `story` what is told below it, `moves` the list of moves,
//! `curve` the value over the game, `mistakes` the list of them, `findings` what a search says, `terms` what heuristics say, `judging` what functions say, `network` what networks say, `reports` what the players said; `collection` lists many games, `shelf` goes from one to the next. The
//! dialogs are in rooms of their own.

mod agree;
mod analysis;
mod collection;
mod commands;
mod curve;
mod draw;
mod edit;
mod entry;
mod figures;
mod file_dialogs;
mod files;
mod findings;
mod game_file;
mod judging;
mod kept;
mod layout;
mod load;
mod marks;
mod message;
mod mistakes;
mod moves;
mod network;
mod new_game;
mod palette_items;
mod picker;
mod play;
mod reports;
mod review;
mod samuel;
mod saved;
mod saved_row;
mod shelf;
mod story;
mod tab;
mod terms;
#[cfg(test)]
mod tests;
mod tree;

use std::path::PathBuf;
use std::time::Instant;

use ratatui::layout::Rect;

use crate::app::effect::{Context, Tone};
use crate::config::{self, Digits, Seat};
use crate::game::record::{Deleted, NodeId, Record};
use crate::game::{self, Move, Position, Side, Variant, notation};
use crate::player::{Spec, check_plays};
use crate::rng;

pub use game_file::{Held, Opened, Shelf, TOURNAMENT, is_collection, unknown_headers};
pub(crate) use message::Message;

use analysis::Analysis;
use edit::Edit;
use entry::Entry;
use play::{Animation, Seated, Thinking};
use reports::Reports;
use review::Review;
use tab::Picked;

/// With what the tab opens.
#[derive(Clone, Debug)]
pub struct Settings {
    pub setup: Setup,
    /// A game to go on with instead of a new one, or a collection to choose one from.
    pub opened: Option<Held>,
    /// Where games are kept; `None` if the system names no place.
    pub games: Option<PathBuf>,
}

/// What a new game is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub variant: Variant,
    /// `[south, north]`.
    pub players: [Spec; 2],
    /// `None`: a fresh one for each game.
    pub seed: Option<u64>,
}

impl Setup {
    pub fn from_config(settings: &config::Board) -> Setup {
        Setup { variant: settings.game, players: [settings.south.clone(), settings.north.clone()], seed: None }
    }
}

/// A position of a certain game: the numbers of a record's positions begin anew with each record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    game: u64,
    node: NodeId,
}

/// Switches something, such as a panel.
type Toggle = fn(&mut Board, &mut Context);

/// The Board tab.
pub struct Board {
    record: Record,
    /// Counts the records that were on the board.
    game: u64,
    players: [Spec; 2],
    /// Decides all random choices in the game.
    seed: u64,
    /// The next new game's defaults.
    setup: Setup,
    games: Option<PathBuf>,
    /// Where the game was saved or loaded from, if saving there again loses nothing.
    file: Option<PathBuf>,
    /// The collection that was opened last, and which of its games is on the board.
    shelf: Option<Shelf>,
    /// It is listed as soon as the tab is there.
    lists_shelf: bool,
    /// What is wrong with the game that the tab opens with.
    broken: Option<String>,
    /// Why the game could not be saved when quitting was asked for.
    unsaved: Option<String>,
    /// The record's version that is on disk; 0 for none.
    saved: u64,
    /// Players that the record names and that are in files, for which nobody has been asked yet; people sit in for them.
    strangers: Vec<(Side, String)>,
    seat: Seat,
    /// The game goes on by itself.
    autoplay: bool,
    /// The position came about by a move just made, or the person asked for the game to go on: a computer player answers, also
    /// where an answer is known from before. Looking at a game, by loading it or walking through it, pauses the players.
    live: bool,
    /// Where a move was taken back last: the next one made there takes its place in the main line.
    taken_back: Option<NodeId>,
    /// The variation deleted last.
    deleted: Option<(u64, Deleted)>,
    /// A computer player was asked for one move though the game does not go on by itself.
    asked: bool,
    /// Moves a second of autoplay, and sowing steps a second; 0 for no animation.
    pace: f64,
    sowing: f64,
    /// When the last move was made or shown.
    moved: Instant,
    animation: Option<Animation>,
    thinking: Option<Thinking>,
    /// `[south, north]`: the computer players that have had a turn in this game.
    seated: [Option<Seated>; 2],
    analysis: Analysis,
    review: Review,
    /// What has been named of the next move.
    entry: Entry,
    edit: Option<Edit>,
    /// What heuristics or functions say is shown; it was switched on after the analysis.
    terms: bool,
    terms_last: bool,
    /// What players by functions made of positions.
    known: judging::Known,
    /// Variations are not listed, but marked.
    folded: bool,
    /// What the computer players thought of their moves.
    reports: Reports,
    /// A move of the position that was picked out of the analysis, and when.
    picked: Option<Picked>,
    digits: Digits,
    /// The analysis was drawn with the rest, and not left out for want of room or for the terms.
    shows_analysis: bool,
    /// Where the board's places, the moves, the rows of the analysis and the panels' titles were drawn, for the mouse.
    places: Vec<(Rect, game::Place)>,
    rows: Vec<(Rect, NodeId)>,
    findings_rows: Vec<(Rect, Move)>,
    titles: Vec<(Rect, Toggle)>,
}

impl Board {
    pub fn new(settings: Settings) -> Board {
        let Settings { setup, opened, games } = settings;
        let seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let mut board = Board {
            saved: 0,
            record: new_record(&setup, setup.variant.start(), seed),
            game: 0,
            players: setup.players.clone(),
            seed,
            setup,
            games,
            file: None,
            shelf: None,
            lists_shelf: false,
            broken: None,
            unsaved: None,
            strangers: Vec::new(),
            seat: Seat::South,
            autoplay: false,
            live: true,
            taken_back: None,
            deleted: None,
            asked: false,
            pace: 1.0,
            sowing: 0.0,
            moved: Instant::now(),
            animation: None,
            thinking: None,
            seated: [None, None],
            analysis: Analysis::default(),
            review: Review::default(),
            entry: Entry::default(),
            edit: None,
            terms: false,
            terms_last: false,
            known: judging::Known::default(),
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
            Some(Held::Game(opened)) => {
                board.broken = unknown_headers(&opened.record);
                board.take_opened(opened);
            }
            Some(Held::Games(shelf, picked)) => {
                board.lists_shelf = picked.is_none();
                board.shelf = Some(shelf);
                if let Some(game_file::Picked { opened, broken }) = picked {
                    board.take_opened(opened);
                    board.broken = broken;
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

    /// What people call a side of this game.
    fn seat_name(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    fn is_human(&self, side: Side) -> bool {
        self.players[side.index()].is_human()
    }

    fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// The game has ended at the current position.
    fn is_over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// The person at the keyboard may move now.
    fn awaits_human(&self) -> bool {
        self.edit.is_none() && !self.is_over() && self.is_human(self.position().side())
    }

    /// The side that sits below.
    fn bottom(&self) -> Side {
        match self.seat {
            Seat::South => Side::South,
            Seat::North => Side::North,
            Seat::Mover if self.is_over() => Side::South,
            Seat::Mover => self.position().side(),
        }
    }

    /// Puts another record on the board. The one before is kept on disk if it is nowhere else.
    fn replace_record(&mut self, record: Record, cx: &mut Context) {
        self.keep_last(true, cx);
        self.leave_shelf();
        self.record = record;
        self.saved = 0;
        self.file = None;
        self.live = true;
        self.shown_anew(cx);
    }

    /// Another record is on the board: nothing of the one before goes on.
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
        let record = new_record(&setup, start, self.seed);
        self.players = setup.players.clone();
        self.setup = setup;
        self.replace_record(record, cx);
        self.autoplay = !self.has_human();
        self.settle(cx);
    }

    /// Goes on with a game that was loaded or pasted. Names that are no players' specs become humans, and so do, until the
    /// person has agreed, players that are in files.
    fn take_opened(&mut self, opened: Opened) {
        let Opened { record, players, file, replaceable, stored } = opened;
        let seated = |side: Side| {
            let (known, name) = (&players[side.index()], &record.players[side.index()]);
            let spec = known.clone().unwrap_or_else(|| files::without_file(name));
            if check_plays(&spec, &record.variant).is_ok() { spec } else { Spec::Human }
        };
        self.players = Side::BOTH.map(seated);
        let is_stranger =
            |side: &Side| players[side.index()].is_none() && files::in_a_file(&record.players[side.index()]);
        let strangers = Side::BOTH.into_iter().filter(is_stranger);
        self.strangers = strangers.map(|side| (side, record.players[side.index()].clone())).collect();
        self.seed = record.seed.unwrap_or_else(rng::fresh_seed);
        self.setup.variant = record.variant;
        self.setup.players = self.players.clone();
        self.saved = if stored { record.version() } else { 0 };
        self.file = file.filter(|_| replaceable);
        self.record = record;
        self.live = false;
    }

    fn is_modified(&self) -> bool {
        self.record.version() != self.saved
    }

    /// Pits a side; none on a board of squares.
    fn pits(&self) -> u8 {
        match self.position().board() {
            game::Board::Pits(board) => board.pits_a_side() as u8,
            game::Board::Squares(_) => 0,
        }
    }

    /// The footer's and the help's word for the pits.
    fn pit_keys(&self) -> String {
        format!("A-{}", char::from((b'A' + self.pits()).saturating_sub(1)))
    }

    fn save_to_clipboard(&self, cx: &mut Context) {
        cx.copy(notation::write(&self.record));
        cx.notice(Tone::Good, "The game is in the terminal's clipboard, if the terminal allows it (OSC 52)");
    }
}

fn new_record(setup: &Setup, start: Position, seed: u64) -> Record {
    let names = setup.players.clone().map(|spec| spec.to_string());
    Record::from_position(setup.variant, start, names, Some(seed))
}
