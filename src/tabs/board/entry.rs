//! Entry of a move by the places that it names, and the keys of the editor of positions.
//!
//! A move of one place is made at once: a pit's letter, a square. Otherwise it is made when all of its places are
//! named, or its last one if no other move leads there; the board shows the places named so far. `u` removes one place,
//! Esc all. Squares are typed, chosen by the cursor and Enter, or clicked. A number that could continue ends with a
//! blank, a separator of the notation (`6-1`, `22x15x8`) or Enter. While a game on pits is played, Left and Right choose a pit and Enter
//! sows it. A pass names no place: it is offered and made by Enter, so that it is not missed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Board;
use super::ending::IS_OVER;
use super::session::edit::{Edit, EditKey};
use super::session::entry::BETWEEN;
use super::session::naming::{NamingEffect, name, pass, step};
use crate::app::tab::{Context, Tone};
use crate::game::{self, Ground, Move, Place, Side};

impl Board {
    /// The cursor's place, once it is used: a square, or of the pits that can be sown the nearest.
    pub(super) fn entry_cursor(&self) -> Option<Place> {
        let cursor = self.entry.cursor?;
        if self.session.is_played_on_squares() {
            return Some(Place::Square(cursor));
        }
        let pits = if self.is_played_on_pits() && self.awaits_human() {
            self.entry.next_places(&self.session)
        } else {
            Vec::new()
        };
        pits.into_iter().min_by_key(|place| index(*place).abs_diff(cursor))
    }

    /// The move that Enter would make at the cursor.
    pub(super) fn move_at_cursor(&self) -> Option<Move> {
        match name(self.session.position(), self.entry.named(&self.session), self.entry_cursor()?) {
            NamingEffect::Move(mv) => Some(mv),
            NamingEffect::More(_) | NamingEffect::Several | NamingEffect::None => None,
        }
    }

    /// The pass, if it is the user's only move.
    pub(super) fn awaited_pass(&self) -> Option<Move> {
        pass(self.session.position()).filter(|_| self.awaits_human())
    }

    /// Returns whether a person's game on pits is in progress: then Left and Right choose a pit, and do not step through the game.
    fn is_played_on_pits(&self) -> bool {
        let is_played = self.session.mode.is_live() || self.practice.is_retrying(&self.session);
        self.session.edit.is_none()
            && self.session.has_human()
            && !self.session.on_squares()
            && is_played
            && !self.session.is_over()
    }

    /// The footer's keys while the user is to move.
    pub(super) fn entry_keys(&self) -> Vec<(String, String)> {
        let keys = |keys: &[(&str, &str)]| -> Vec<(String, String)> {
            keys.iter().map(|(key, word)| (key.to_string(), word.to_string())).collect()
        };
        let game::Board::Squares(board) = self.session.position().board() else {
            let pits = self.session.pit_keys();
            return match self.entry_cursor() {
                Some(_) => keys(&[(format!("{pits} Enter").as_str(), "sow"), ("arrows", "choose")]),
                None => keys(&[(pits.as_str(), "sow")]),
            };
        };
        if self.awaited_pass().is_some() {
            return keys(&[("Enter", "pass")]);
        }
        if self.entry.text(&self.session).is_some() {
            return keys(&[("Esc", "take back")]);
        }
        let enter = if self.entry.cursor.is_some() { " Enter" } else { "" };
        let typed = square_names(&board) + enter;
        // In a collection the arrows step through the game until there is a cursor.
        let has_arrows = self.entry.cursor.is_some() || !self.library.is_of_collection();
        keys(&[(typed.as_str(), "play"), ("arrows", "choose")][..1 + usize::from(has_arrows)])
    }

    /// The keys that enter moves on squares, for the help.
    pub(super) fn square_keys(&self) -> Vec<(String, String)> {
        let typed = match self.session.by_numbers() {
            true => ("11-15 ...", "Type a move, such as 11-15 or 22x15x8"),
            false => ("a1 ...", "Play on this square: its letter, then its number"),
        };
        let keys = [
            typed,
            ("arrows", "Choose a square"),
            ("Enter", "Play on the chosen square, or pass if you must"),
            ("Esc", "Clear the input"),
        ];
        keys.map(|(keys, what)| (keys.to_owned(), what.to_owned())).into()
    }

    /// Returns whether a key enters moves on squares, regardless of its other meanings.
    pub(super) fn is_entry_key(&self, key: KeyEvent) -> bool {
        let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        if self.session.is_without_person() {
            // A digit after a letter completes a square's name and does not switch tabs.
            return plain && self.entry.has_typed() && matches!(key.code, KeyCode::Char('0'..='9'));
        }
        if self.is_played_on_pits() && plain {
            let is_chosen = self.entry_cursor().is_some();
            return match key.code {
                // Small letters sow where no command has them.
                KeyCode::Char(c) => c.is_uppercase() && self.awaits_human() && self.session.lettered_pit(c).is_some(),
                _ if !key.modifiers.is_empty() => false,
                KeyCode::Left | KeyCode::Right => true,
                KeyCode::Enter | KeyCode::Esc => is_chosen,
                _ => false,
            };
        }
        if !self.session.is_played_on_squares() || !plain {
            return false;
        }
        match key.code {
            // In a collection, arrows step through the game until the cursor is shown.
            KeyCode::Left | KeyCode::Right if self.library.is_of_collection() && self.entry.cursor.is_none() => false,
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => key.modifiers.is_empty(),
            KeyCode::Enter => {
                self.awaited_pass().is_some()
                    || self.entry.cursor.is_some()
                    || !self.entry.typed(&self.session).is_empty()
            }
            KeyCode::Esc => self.entry.is_entering(&self.session) || self.entry.cursor.is_some(),
            KeyCode::Backspace => self.entry.text(&self.session).is_some(),
            KeyCode::Char(c) if self.session.by_numbers() && self.entry.text(&self.session).is_some() => {
                c.is_ascii_digit() || BETWEEN.contains(c)
            }
            KeyCode::Char(c) if self.entry.refused(&self.session).is_some() && BETWEEN.contains(c) => true,
            // A begun entry continues, also where no user is to move and the first letter was not a command.
            KeyCode::Char(c) if self.awaits_human() || !self.entry.typed(&self.session).is_empty() => {
                self.session.begins_a_name(&format!("{}{c}", self.entry.typed(&self.session)))
            }
            _ => false,
        }
    }

    /// Handles one of those keys; false if it is another.
    pub(super) fn entry_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.is_entry_key(key) {
            return false;
        }
        match key.code {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, -1),
            KeyCode::Down => self.move_cursor(0, 1),
            KeyCode::Enter => self.enter(cx),
            KeyCode::Esc if self.entry.is_entering(&self.session) => self.entry.clear(),
            KeyCode::Esc => self.entry.cursor = None,
            KeyCode::Backspace => _ = self.entry.take_back(&self.session),
            KeyCode::Char(_)
                if self.session.is_without_person() && (self.goes_on() || !self.entry.is_current(&self.session)) =>
            {
                self.entry.clear();
                cx.notice(Tone::Info, self.why_not_now());
            }
            KeyCode::Char(c) => match self.session.lettered_pit(c) {
                Some(pit) => self.name_place(Place::Pit(self.session.position().side(), pit), cx),
                None => _ = self.type_name(c, cx),
            },
            _ => {}
        }
        true
    }

    /// Returns whether a square is being chosen.
    pub(super) fn is_choosing(&self) -> bool {
        self.entry.is_entering(&self.session) || self.entry.cursor.is_some()
    }

    /// The reason why no move can be entered while a computer player thinks.
    pub(super) fn why_not_now(&self) -> String {
        let side = self.session.position().side();
        match self.session.has_human() {
            true => format!("{} is thinking: {}", self.session.seat_name(side), self.session.player_name(side)),
            false => "Computers play both sides (space: pause, n: new game)".to_owned(),
        }
    }

    /// Moves the cursor on the drawn board. It first appears where a move is possible.
    fn move_cursor(&mut self, right: i16, down: i16) {
        let game::Board::Squares(board) = self.session.position().board() else { return self.move_along_pits(right) };
        let Some(cursor) = self.entry.cursor else {
            let squares = || {
                self.entry
                    .next_places(&self.session)
                    .into_iter()
                    .filter_map(|place| if let Place::Square(square) = place { Some(square) } else { None })
            };
            self.entry.cursor = squares().chain(board.played_on()).next();
            return;
        };
        self.entry.cursor = Some(step(&board, cursor, (right, down), self.session.bottom()));
    }

    /// Moves the cursor to the next pit that can be sown, to the right or left as drawn.
    fn move_along_pits(&mut self, right: i16) {
        if !self.awaits_human() {
            return;
        }
        let mut pits: Vec<u8> = self.entry.next_places(&self.session).into_iter().map(index).collect();
        pits.sort_unstable();
        if self.session.position().side() != self.session.bottom() {
            pits.reverse();
        }
        let chosen = self.entry_cursor().map(index).and_then(|chosen| pits.iter().position(|pit| *pit == chosen));
        let next = match chosen {
            Some(at) if right > 0 => (at + 1) % pits.len(),
            Some(at) => (at + pits.len() - 1) % pits.len(),
            None if right > 0 => 0,
            None => pits.len().saturating_sub(1),
        };
        self.entry.cursor = pits.get(next).copied();
    }

    /// Passes, or names the cursor's place.
    pub(super) fn enter(&mut self, cx: &mut Context) {
        if let Some(mv) = self.awaited_pass() {
            return self.make_move(mv, cx);
        }
        if self.name_typed(cx) {
            return;
        }
        if !self.entry.typed(&self.session).is_empty() {
            let text = format!("Type the row after {}, or Esc", self.entry.typed(&self.session));
            return cx.notice(Tone::Info, text);
        }
        if let Some(place) = self.entry_cursor() {
            self.name_place(place, cx);
        }
    }

    /// Handles a place named by keys or mouse: makes the move if it is the only one with this beginning.
    pub(super) fn name_place(&mut self, place: Place, cx: &mut Context) {
        if self.session.is_over() {
            return cx.notice(Tone::Info, IS_OVER);
        }
        let side = self.session.position().side();
        if self.playback.thinking.is_some() {
            return cx.notice(Tone::Info, self.why_not_now());
        }
        self.entry.begin(&self.session);
        match name(self.session.position(), self.entry.named(&self.session), place) {
            NamingEffect::Move(mv) => {
                self.entry.clear();
                self.make_move(mv, cx);
            }
            NamingEffect::More(named) => self.entry.take_places(named),
            NamingEffect::Several => {
                let to = self.session.position().board().name(place);
                cx.notice(Tone::Info, format!("Several moves lead to {to}. Name the squares between"));
            }
            NamingEffect::None => cx.notice(Tone::Bad, self.why_not(place, side)),
        }
    }

    /// The reason why a place is not possible, and the possible ones.
    fn why_not(&self, place: Place, side: Side) -> String {
        let board = self.session.position().board();
        let name = board.name(place);
        let mover = self.session.seat_name(side);
        if let Place::Pit(..) = place {
            return format!("Pit {name} is empty");
        }
        if pass(self.session.position()).is_some() {
            return format!("{mover} has no move and must pass: Enter");
        }
        if let Some(text) = self.forced_text() {
            return format!("{text}; {name} does not");
        }
        let places: Vec<String> =
            self.entry.next_places(&self.session).into_iter().map(|place| board.name(place)).collect();
        match self.entry.named(&self.session) {
            [] if self.session.by_numbers() => {
                format!("No piece of {mover} can move from {name}. Try {}", places.join(", "))
            }
            [] => format!("{name} is not possible. Try {}", places.join(", ")),
            named => {
                let named: Vec<String> = named.iter().map(|&place| board.name(place)).collect();
                format!("No move goes {} {name}. Try {}", named.join(" "), places.join(", "))
            }
        }
    }

    /// Takes a character of a square's name; false if no name fits.
    pub(super) fn type_name(&mut self, c: char, cx: &mut Context) -> bool {
        if !self.session.on_squares() || self.session.edit.is_some() {
            return false;
        }
        if let Some(place) = self.entry.refused(&self.session)
            && self.entry.skips(&self.session, c)
        {
            // The error stays readable.
            cx.notice(Tone::Bad, self.why_not(place, self.session.position().side()));
            return true;
        }
        let longer = format!("{}{}", self.entry.typed(&self.session), c.to_ascii_lowercase());
        if self.session.by_numbers() && !self.session.begins_a_name(&longer) {
            // The typed number was complete, and the next one begins.
            self.name_typed(cx);
            if BETWEEN.contains(c) {
                return true;
            }
        }
        // A second letter starts a new name.
        let longer = format!("{}{}", self.entry.typed(&self.session), c.to_ascii_lowercase());
        let anew = c.to_ascii_lowercase().to_string();
        let Some(text) = [longer, anew].into_iter().find(|text| self.session.begins_a_name(text)) else { return false };
        self.entry.begin(&self.session);
        let is_whole = self.session.begun_by(&text).len() == 1 && self.session.called(&text).is_some();
        self.entry.take_text(text);
        if is_whole {
            self.name_typed(cx);
        }
        true
    }

    /// Names the typed place; returns whether it exists.
    fn name_typed(&mut self, cx: &mut Context) -> bool {
        let Some(place) = self.session.called(self.entry.typed(&self.session)) else { return false };
        self.entry.take_text(String::new());
        let before = self.session.spot();
        self.name_place(place, cx);
        let is_refused =
            self.session.by_numbers() && self.session.spot() == before && self.entry.named(&self.session).is_empty();
        self.entry.refuse(Some(place).filter(|_| is_refused));
        true
    }
}

/// The number of a pit on its side, or of a square.
fn index(place: Place) -> u8 {
    match place {
        Place::Pit(_, index) | Place::Square(index) => index,
        Place::Store(_) => 0,
    }
}

/// The names of squares, for the footer: `a1-h8`, `1-32`.
fn square_names(board: &game::Squares) -> String {
    let first = board.played_on().next().map(|square| board.name(square)).unwrap_or_default();
    let last = board.played_on().last().map(|square| board.name(square)).unwrap_or_default();
    match board.ground {
        Ground::Whole => format!("{first}-{last}"),
        Ground::Dark => format!("{last}-{first}"),
    }
}

impl Board {
    pub(super) fn start_edit(&mut self, cx: &mut Context) {
        self.session.mode.stop();
        let board = self.session.position().board();
        let side = self.session.position().side();
        let cursor = match board {
            game::Board::Pits(_) => Place::Pit(self.session.bottom(), 0),
            game::Board::Squares(ref board) => {
                self.entry_cursor().or_else(|| board.played_on().next().map(Place::Square)).unwrap_or(Place::Square(0))
            }
        };
        self.session.edit = Some(Edit::new(board, side, cursor));
        self.show_now(cx);
    }

    pub(super) fn edit_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        let bottom = self.session.bottom();
        let seats = self.session.record.variant.seats();
        let Some(edit) = &mut self.session.edit else { return false };
        match edit.key(key, bottom, seats) {
            EditKey::Ignored => return false,
            EditKey::Used => {}
            EditKey::Finish => self.finish_edit(cx),
            EditKey::Leave => self.leave_edit(cx),
        }
        true
    }

    fn leave_edit(&mut self, cx: &mut Context) {
        self.session.edit = None;
        self.show_now(cx);
    }

    fn finish_edit(&mut self, cx: &mut Context) {
        let Some(edit) = &self.session.edit else { return };
        match self.session.record.variant.from_board(&edit.board, edit.side) {
            Err(reason) => cx.notice(Tone::Bad, reason),
            Ok(start) if start == *self.session.position() => {
                self.session.edit = None;
                self.show_now(cx);
                cx.notice(Tone::Info, "Nothing changed");
            }
            Ok(start) => {
                let setup = super::Setup { variant: self.session.record.variant, ..self.setup.clone() };
                let record = setup.record(start, self.session.seed);
                self.replace_record(record, cx);
                if start.is_over() {
                    let why = match start.board() {
                        game::Board::Pits(_) => "One side is empty: game over".to_owned(),
                        game::Board::Squares(_) if self.session.by_numbers() => {
                            format!("{} cannot move: game over", self.session.seat_name(start.side()))
                        }
                        game::Board::Squares(_) => "No side can move: game over".to_owned(),
                    };
                    cx.notice(Tone::Info, why);
                }
            }
        }
    }
}
