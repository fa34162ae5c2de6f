//! The Board tab: a game on the board, played and walked, with an analysis of the position shown.
//!
//! [`Board`] holds the game and what is going on around it; `play` makes moves happen in time (sowing, computer players,
//! autoplay), `analysis` asks a search about the position, `draw` shows it all, the dialogs are in rooms of their own.

mod analysis;
mod draw;
mod edit;
mod file_dialogs;
mod files;
mod layout;
mod new_game;
mod play;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Tab;
use crate::app::command::Command;
use crate::app::effect::{Context, Tone};
use crate::app::overlay::Answer;
use crate::config::{self, Digits, Seat};
use crate::game::record::{NodeId, Record};
use crate::game::{Cell, Move, Position, Side, Variant, notation};
use crate::job::{JobId, News};
use crate::player::Spec;
use crate::rng;
use crate::ui::Look;

pub use files::{Opened, read_limited};

use analysis::Analysis;
use edit::Edit;
use play::{Animation, Thinking};

const COMMANDS: &[Command] = &[
    Command::new("board.back", "One move back", &["left"]).footer("back"),
    Command::new("board.forward", "One move on; at the end, let a computer player move", &["right"]).footer("on"),
    Command::new("board.play", "Play on by itself, or pause", &["space"]).footer("play"),
    Command::new("board.undo", "Take your last move back", &["u"]).footer("undo"),
    Command::new("board.hint", "Show a good move on the board, or hide it", &["h"]).footer("hint"),
    Command::new("board.analysis", "Turn the analysis on or off", &["i"]).footer("analysis"),
    Command::new("board.new", "Start a new game", &["n"]).footer("new"),
    Command::new("board.save", "Save the game", &["s"]).footer("save"),
    Command::new("board.load", "Load a game", &["l"]).footer("load"),
    Command::new("board.edit", "Edit the position and play from there", &["p"]).footer("edit"),
    Command::new("board.now", "Have the player that thinks move at once", &["m"]).footer("move now"),
    Command::new("board.start", "Go to the start of the game", &["home"]),
    Command::new("board.end", "Go to the end of the game", &["end"]),
    Command::new("board.previous-variation", "Go to the move tried before this one", &["[", "up"]),
    Command::new("board.next-variation", "Go to the move tried after this one", &["]", "down"]),
    Command::new("board.flip", "Look from the other side", &["v"]),
    Command::new("board.faster", "Sow and play faster", &["+", "="]),
    Command::new("board.slower", "Sow and play slower", &["-"]),
    Command::new("board.copy", "Copy the game to the clipboard", &["y"]),
    Command::new("board.copy-position", "Copy the position to the clipboard", &["Y"]),
];

/// With what the tab opens.
#[derive(Clone, Debug)]
pub struct Settings {
    pub setup: Setup,
    /// A game to go on with instead of a new one.
    pub opened: Option<Opened>,
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
struct Place {
    game: u64,
    node: NodeId,
}

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
    /// How many positions of the record are on disk.
    saved: usize,
    seat: Seat,
    /// The game goes on by itself.
    autoplay: bool,
    /// The position came about by a move just made, and not by walking: a computer player answers it, also where an answer
    /// is known from before.
    live: bool,
    /// A computer player was asked for one move though the game does not go on by itself.
    asked: bool,
    /// Moves a second of autoplay, and sowing steps a second; 0 for no animation.
    pace: f64,
    sowing: f64,
    /// When the last move was made or shown.
    moved: Instant,
    animation: Option<Animation>,
    thinking: Option<Thinking>,
    analysis: Analysis,
    edit: Option<Edit>,
    digits: Digits,
    /// Where cells and moves were drawn, for the mouse.
    places: Vec<(Rect, Cell)>,
    rows: Vec<(Rect, NodeId)>,
}

impl Board {
    pub fn new(settings: Settings) -> Board {
        let Settings { setup, opened, games } = settings;
        let seed = setup.seed.unwrap_or_else(rng::fresh_seed);
        let mut board = Board {
            saved: 1,
            record: new_record(&setup, setup.variant.start(), seed),
            game: 0,
            players: setup.players.clone(),
            seed,
            setup,
            games,
            file: None,
            seat: Seat::South,
            autoplay: false,
            live: false,
            asked: false,
            pace: 1.0,
            sowing: 0.0,
            moved: Instant::now(),
            animation: None,
            thinking: None,
            analysis: Analysis::default(),
            edit: None,
            digits: Digits::Tabs,
            places: Vec::new(),
            rows: Vec::new(),
        };
        if let Some(opened) = opened {
            board.take_opened(opened);
        }
        board
    }

    fn place(&self) -> Place {
        Place { game: self.game, node: self.record.at() }
    }

    fn position(&self) -> &Position {
        self.record.position()
    }

    fn is_human(&self, side: Side) -> bool {
        self.players[side.index()].is_human()
    }

    fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_human(side))
    }

    /// The person at the keyboard may move now.
    fn awaits_human(&self) -> bool {
        self.edit.is_none() && !self.position().is_over() && self.is_human(self.position().side())
    }

    /// The side that sits below.
    fn bottom(&self) -> Side {
        match self.seat {
            Seat::South => Side::South,
            Seat::North => Side::North,
            Seat::Mover if self.position().is_over() => Side::South,
            Seat::Mover => self.position().side(),
        }
    }

    /// Puts another record on the board. The one before is kept on disk if it is nowhere else.
    fn replace_record(&mut self, record: Record, cx: &mut Context) {
        if let Err(sentence) = self.keep_last() {
            cx.notice(Tone::Bad, sentence);
        }
        self.record = record;
        self.saved = 1;
        self.file = None;
        self.shown_anew(cx);
    }

    /// Another record is on the board: nothing of the one before goes on.
    fn shown_anew(&mut self, cx: &mut Context) {
        self.game += 1;
        self.edit = None;
        self.autoplay = false;
        self.live = self.record.is_at_end();
        self.show_now(cx);
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

    /// Goes on with a game that was loaded or pasted. Names that are no players' specs become humans.
    fn take_opened(&mut self, opened: Opened) {
        let Opened { record, file, replaceable } = opened;
        self.players = record.players.clone().map(|name| name.parse().unwrap_or(Spec::Human));
        self.seed = record.seed.unwrap_or_else(rng::fresh_seed);
        self.setup.variant = record.variant;
        self.setup.players = self.players.clone();
        self.saved = if file.is_some() { record.len() } else { 1 };
        self.file = file.filter(|_| replaceable);
        self.record = record;
    }

    /// A pit was chosen by letter, digit or mouse.
    fn choose_pit(&mut self, mv: Move, cx: &mut Context) {
        if self.position().is_over() {
            return cx.notice(Tone::Info, "The game is over: n starts a new one, u takes the last move back");
        }
        if self.thinking.is_some() {
            let side = self.position().side();
            return cx.notice(Tone::Info, format!("{side} is thinking: {}", self.players[side.index()]));
        }
        if !self.position().is_legal(mv) {
            return cx.notice(Tone::Bad, format!("Pit {} is empty", self.position().move_text(mv)));
        }
        self.make_move(mv, cx);
    }

    fn is_modified(&self) -> bool {
        self.record.len() > self.saved
    }

    /// The footer's and the help's word for the pits.
    fn pit_keys(&self) -> String {
        let pits = self.position().board().pits_a_side() as u8;
        format!("A-{}", char::from(b'A' + pits - 1))
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

impl Tab for Board {
    fn scope(&self) -> &'static str {
        "board"
    }

    fn title(&self) -> &'static str {
        "Board"
    }

    fn subtitle(&self, look: &Look) -> String {
        draw::variant_title(&self.record.variant, look)
    }

    fn commands(&self) -> &'static [Command] {
        COMMANDS
    }

    fn other_keys(&self) -> Vec<(String, String)> {
        if self.edit.is_some() {
            return edit::footer_keys();
        }
        let mut keys =
            vec![(self.pit_keys(), "Sow this pit, from the mover's left; small letters too where free".into())];
        if self.digits == Digits::Pits {
            keys.push((format!("1-{}", self.position().board().pits_a_side()), "Sow this pit".into()));
        }
        keys
    }

    fn footer_keys(&self) -> Vec<(String, String)> {
        match &self.edit {
            Some(_) => edit::footer_keys(),
            None if self.awaits_human() => vec![(self.pit_keys(), "sow".into())],
            None => Vec::new(),
        }
    }

    fn footer_label(&self, command: &str) -> Option<&'static str> {
        (command == "board.play" && self.autoplay).then_some("pause")
    }

    fn is_enabled(&self, command: &str) -> bool {
        if self.edit.is_some() {
            return false;
        }
        match command {
            "board.back" | "board.start" | "board.undo" => self.record.ply() > 0,
            "board.forward" => !self.record.is_at_end() || (!self.position().is_over() && !self.awaits_human()),
            "board.end" => !self.record.is_at_end(),
            "board.play" => self.can_autoplay(),
            "board.now" => self.thinking.is_some(),
            "board.hint" => !self.position().is_over(),
            "board.save" | "board.copy" => !self.record.is_empty(),
            _ => true,
        }
    }

    fn open(&mut self, cx: &mut Context) {
        let settings = &cx.config.board;
        self.seat = settings.seat;
        self.pace = settings.autoplay;
        self.sowing = settings.animation;
        self.digits = settings.digits;
        self.analysis.on = settings.analysis;
        self.autoplay = !self.has_human() && self.record.is_empty();
        self.live = self.record.is_at_end();
        self.moved = cx.now;
        if self.has_last() {
            cx.notice(Tone::Info, "The game that was on the board last time is kept: l loads it");
        }
        self.settle(cx);
    }

    fn run(&mut self, command: &str, cx: &mut Context) {
        if self.edit.is_some() {
            return;
        }
        match command {
            "board.back" => self.walk(cx, Record::back),
            "board.forward" => self.step_on(cx),
            "board.start" => self.walk(cx, |record| {
                record.to_start();
                true
            }),
            "board.end" => self.walk(cx, |record| {
                record.to_end();
                true
            }),
            "board.previous-variation" => self.switch_variation(-1, cx),
            "board.next-variation" => self.switch_variation(1, cx),
            "board.play" => self.toggle_autoplay(cx),
            "board.undo" => self.undo(cx),
            "board.now" => self.move_now(cx),
            "board.hint" => self.toggle_hint(cx),
            "board.analysis" => self.toggle_analysis(cx),
            "board.flip" => self.seat = if self.bottom() == Side::South { Seat::North } else { Seat::South },
            "board.faster" => self.change_speed(2.0, cx),
            "board.slower" => self.change_speed(0.5, cx),
            "board.new" => cx.open(new_game::NewGame::new(&self.setup)),
            "board.save" => self.open_save(cx),
            "board.load" => self.open_load(cx),
            "board.edit" => self.start_edit(cx),
            "board.copy" => self.save_to_clipboard(cx),
            "board.copy-position" => {
                cx.copy(self.position().to_text());
                cx.notice(Tone::Good, format!("Copied {}", self.position().to_text()));
            }
            _ => {}
        }
    }

    fn capture(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        self.edit.is_some() && self.edit_key(key, cx)
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if self.edit.is_some() || !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        let pits = self.position().board().pits_a_side();
        let mv = match key.code {
            KeyCode::Char(c @ '1'..='9') if self.digits == Digits::Pits => c as u8 - b'1',
            KeyCode::Char(c) if c.is_ascii_alphabetic() => c.to_ascii_uppercase() as u8 - b'A',
            _ => return false,
        };
        if usize::from(mv) < pits {
            self.choose_pit(mv, cx);
        }
        // Digits that choose pits never go to tabs, however many pits there are.
        usize::from(mv) < pits || self.digits == Digits::Pits
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let at = (mouse.column, mouse.row).into();
        match mouse.kind {
            MouseEventKind::ScrollUp if self.edit.is_none() => self.walk(cx, Record::back),
            MouseEventKind::ScrollDown if self.edit.is_none() => self.walk(cx, Record::forward),
            MouseEventKind::Down(MouseButton::Left) => {
                let cell = self.places.iter().find(|(place, _)| place.contains(at)).map(|&(_, cell)| cell);
                let row = self.rows.iter().find(|(place, _)| place.contains(at)).map(|&(_, node)| node);
                match (cell, row) {
                    (Some(cell), _) if self.edit.is_some() => self.edit_click(cell),
                    (Some(Cell::Pit(side, pit)), _) if side == self.position().side() => self.choose_pit(pit, cx),
                    (Some(Cell::Pit(..)), _) if self.awaits_human() => {
                        cx.notice(Tone::Info, format!("{} is to move", self.position().side()));
                    }
                    (None, Some(node)) if self.edit.is_none() => self.walk(cx, |record| {
                        record.go_to(node);
                        true
                    }),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn paste(&mut self, text: &str, cx: &mut Context) {
        self.take_text(text, None, cx);
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.job == job) {
            self.thought_news(news, cx);
        } else {
            self.analysis_news(job, news, cx);
        }
    }

    fn answer(&mut self, answer: Answer, cx: &mut Context) {
        let answer = match answer.downcast::<Setup>() {
            Ok(setup) => {
                let start = setup.variant.start();
                return self.start_game(*setup, start, cx);
            }
            Err(answer) => answer,
        };
        if let Ok(file) = answer.downcast::<files::Chosen>() {
            self.take_file(*file, cx);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.next_tick()
    }

    fn tick(&mut self, cx: &mut Context) {
        self.advance(cx);
    }

    fn leave(&mut self) -> Result<(), String> {
        self.keep_last()
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.draw_all(area, buf, look);
    }
}
