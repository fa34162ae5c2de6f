//! The initial state of the tab, and the setup of a new game.

pub(super) mod new_game;

use std::path::PathBuf;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::library::game_file::FileContents;
use super::practice::puzzles::Mistakes;
use super::session::clock::TimeControl;
use crate::config;
use crate::game::checkers::ballots::ballots;
use crate::game::record::Record;
use crate::game::{Position, Variant};
use crate::player::Spec;
use crate::player::offers::{MY_LEVEL, Opponent, about, strength};
use crate::theme::Role;
use crate::ui::form::Field;
use crate::ui::list::scrollbar;
use crate::ui::{Look, clip, put, row, width};

/// The initial state of the tab.
#[derive(Clone, Debug)]
pub struct Settings {
    pub setup: Setup,
    /// The position that a new game begins with; `None`: the game's usual start.
    pub start: Option<Position>,
    /// A game to open instead of a new one, or a collection to choose from.
    pub opened: Option<FileContents>,
    /// The first start: a game and a level are chosen first.
    pub welcomes: bool,
    /// The day's puzzles from these mistakes are shown.
    pub puzzles: Option<Mistakes>,
    /// The folder of saved games; `None` if the system has no home directory.
    pub games: Option<PathBuf>,
    /// The game is played by lines: no dialog opens, and the players of an opened game play on.
    pub by_lines: bool,
    /// The game of another terminal is watched.
    pub follows: bool,
}

impl Settings {
    /// Begins with a new game.
    pub fn new(setup: Setup, games: Option<PathBuf>) -> Settings {
        Settings {
            setup,
            start: None,
            opened: None,
            welcomes: false,
            puzzles: None,
            games,
            by_lines: false,
            follows: false,
        }
    }
}

/// The setup of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub variant: Variant,
    /// `[south, north]`.
    pub players: [Opponent; 2],
    /// `None`: a new one for each game.
    pub seed: Option<u64>,
    /// The ballot whose moves begin each game of checkers, from 1.
    pub ballot: Option<usize>,
    /// The clock of each game.
    pub clock: Option<TimeControl>,
}

impl Setup {
    /// A game of these players without a clock, from the usual start, with a new seed each time.
    pub fn new(variant: Variant, players: [Opponent; 2]) -> Setup {
        Setup { variant, players, seed: None, ballot: None, clock: None }
    }

    pub fn from_config(settings: &config::Board) -> Setup {
        Setup::new(settings.game, [settings.south.clone(), settings.north.clone()])
    }

    /// The players in this game.
    pub fn specs(&self) -> [Spec; 2] {
        self.players.each_ref().map(|player| player.player(&self.variant))
    }

    /// The record of a game from this position, after the moves of its ballot.
    pub fn record(&self, start: Position, seed: u64) -> Record {
        let names = self.specs().map(|spec| spec.to_string());
        let mut record = Record::from_position(self.variant, start, names, Some(seed));
        let has_ballot = matches!(self.variant, Variant::Checkers(_)) && start == self.variant.start();
        let ballot = self.ballot.filter(|_| has_ballot).and_then(|number| ballots().get(number - 1));
        for &mv in ballot.into_iter().flatten() {
            record.play(mv);
        }
        record
    }
}

/// A choice in the dialog of new games.
pub(super) enum SetupMessage {
    /// A game and its players: start it, and remember them.
    Chosen(Setup),
    /// Other players take the seats of this game.
    PlayOn { game: u64, setup: Setup },
}

/// With fewer rows a line about the chosen player replaces the list.
const LEAST: u16 = 3;

/// Widths of the columns: player, rating with interval, time per move, description.
const PLAYER: usize = 21;
const RATING: usize = 12;
const TIME: usize = 9;
/// Minimum width of the description.
const ABOUT: usize = 26;

/// The players' areas on the screen.
#[derive(Default)]
pub struct Picker {
    /// One player per row, from the first visible one.
    shown: Vec<String>,
    place: Rect,
}

impl Picker {
    /// The player at a position of the mouse.
    pub fn at(&self, mouse: MouseEvent) -> Option<String> {
        let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if !is_click || !self.place.contains((mouse.column, mouse.row).into()) {
            return None;
        }
        self.shown.get(usize::from(mouse.row - self.place.y)).cloned()
    }

    /// Draws the players that match the field's text with the current one marked; dim unless `being_chosen`.
    pub fn draw(
        &mut self,
        field: &Field,
        being_chosen: bool,
        variant: &Variant,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) {
        (self.shown, self.place) = (Vec::new(), Rect::ZERO);
        if area.is_empty() {
            return;
        }
        // Beside the pointer and the arrows.
        let wide = area.width.saturating_sub(4);
        let line = |text: &str, role| look.span(role, clip(&columns(text, variant, area.width, look), wide, look));
        let value = field.value.trim();
        if area.height < LEAST {
            return put(line(value, Role::Dim), row(area, 0), buf);
        }
        put(look.span(Role::Title, clip(&head(&field.label, area.width), area.width, look)), row(area, 0), buf);
        let matches = field.matches();
        let chosen = matches.iter().position(|player| *player == value);
        let rows = usize::from(area.height - 1);
        let first = chosen.map_or(0, |chosen| chosen.saturating_sub(rows / 2)).min(matches.len().saturating_sub(rows));
        self.place = Rect { y: area.y + 1, height: area.height - 1, ..area };
        self.shown = matches.iter().skip(first).take(rows).map(|player| (*player).to_owned()).collect();
        for (index, player) in self.shown.iter().enumerate() {
            let is_chosen = chosen == Some(first + index);
            let mark = if is_chosen { look.glyphs.pointer } else { " " };
            let role = match (is_chosen, being_chosen) {
                (true, _) => Role::Accent,
                (false, true) => Role::Text,
                (false, false) => Role::Dim,
            };
            let text = Line::from(vec![look.span(Role::Accent, format!("{mark} ")), line(player, role)]);
            put(text, row(self.place, index as u16), buf);
        }
        scrollbar(self.place, &(first..first + self.shown.len()), matches.len(), buf, look);
    }
}

/// Returns whether the player can have a rating: not humans, nor players whose strength depends on the machine or on results.
fn is_rated(player: &str) -> bool {
    player != "human" && player != MY_LEVEL && !player.contains("ms=")
}

/// Returns whether the description fits.
fn has_room(wide: u16) -> bool {
    usize::from(wide) >= 2 + PLAYER + RATING + TIME + ABOUT
}

fn head(seat: &str, wide: u16) -> String {
    let about = if has_room(wide) { "  description" } else { "" };
    format!("  {:<PLAYER$}{:>RATING$}{:>TIME$}{about}", format!("Players for {seat}"), "Elo", "time")
}

fn columns(player: &str, variant: &Variant, wide: u16, look: &Look) -> String {
    let about = about(player, variant).unwrap_or_default();
    let name = format!("{:<PLAYER$}", clip(player, PLAYER as u16 - 1, look));
    match strength(player, variant) {
        Some(strength) => {
            let plus_minus = if look.glyphs.has_blocks() { "±" } else { "+-" };
            let rating = format!("{} {plus_minus} {:>2}", look.signed(strength.elo), strength.plus_minus);
            let about = if has_room(wide) { format!("  {about}") } else { String::new() };
            format!("{name}{}{:>TIME$}{about}", right(&rating, RATING), strength.time())
        }
        None if has_room(wide) => {
            let rating = if is_rated(player) { "not measured" } else { "" };
            format!("{name}{rating:>RATING$}{:>TIME$}  {about}", "")
        }
        None => format!("{name}  {about}"),
    }
}

/// Right-aligned text.
fn right(text: &str, cells: usize) -> String {
    format!("{}{text}", " ".repeat(cells.saturating_sub(usize::from(width(text)))))
}
