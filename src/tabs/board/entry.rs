//! Entry of a move by the places that it names.
//!
//! A move of one place is made at once: a pit's letter, a square. Otherwise it is made when all of its places are
//! named, or its last one if no other move leads there; the board shows the places named so far. `u` removes one place,
//! Esc all. Squares are typed, chosen by the cursor and Enter, or clicked. A number that could continue ends with a
//! blank, a separator of the notation (`6-1`, `22x15x8`) or Enter. While a game on pits is played, Left and Right choose a pit and Enter
//! sows it. A pass names no place: it is offered and made by
//! Enter, so that it is not missed.

mod typing;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Board, Spot};
use crate::app::effect::{Context, Tone};
use crate::game::{self, Ground, Move, Place, Position, Side, Step};
use typing::BETWEEN;

/// The state of a move being entered.
#[derive(Default)]
pub(super) struct Entry {
    /// The position of the move.
    spot: Option<Spot>,
    /// The places named so far.
    named: Vec<Place>,
    /// The beginning of the next place's name.
    typed: String,
    /// The last typed place, if it was refused: what follows of the same move is not a command.
    refused: Option<Place>,
    /// Digits typed after it.
    skipped: Option<String>,
    /// The square or the pit of the cursor, which stays from move to move; `None` until it is used.
    cursor: Option<u8>,
}

/// The effect of naming one more place.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum NamingEffect {
    Move(Move),
    /// Moves begin with these places.
    More(Vec<Place>),
    /// Several moves with this beginning end there.
    Several,
    /// No move fits.
    None,
}

/// The legal moves that begin with these places.
pub(crate) fn fitting(position: &Position, named: &[Place]) -> Vec<(Move, Vec<Place>)> {
    let moves = position.moves().into_iter().map(|mv| (mv, position.places(mv)));
    moves.filter(|(_, places)| places.starts_with(named)).collect()
}

/// Adds a place. Where no move begins so, it is the end of one, or the beginning of another.
pub(crate) fn name(position: &Position, named: &[Place], place: Place) -> NamingEffect {
    let next = |named: Vec<Place>| {
        let moves = fitting(position, &named);
        match moves.iter().find(|(_, places)| *places == named) {
            Some((mv, _)) => Some(NamingEffect::Move(*mv)),
            None => (!moves.is_empty()).then_some(NamingEffect::More(named)),
        }
    };
    let ends_there = |(_, places): &(Move, Vec<Place>)| places.last() == Some(&place);
    let end = || match fitting(position, named).into_iter().filter(ends_there).collect::<Vec<_>>()[..] {
        _ if named.is_empty() => None,
        [] => None,
        [(mv, _)] => Some(NamingEffect::Move(mv)),
        _ => Some(NamingEffect::Several),
    };
    next([named, &[place]].concat()).or_else(end).or_else(|| next(vec![place])).unwrap_or(NamingEffect::None)
}

/// The only move, if it names no place.
pub(crate) fn pass(position: &Position) -> Option<Move> {
    let moves = position.moves();
    moves.first().copied().filter(|&mv| moves.len() == 1 && position.places(mv).is_empty())
}

impl Board {
    /// The places named so far, for the position on screen.
    pub(super) fn named(&self) -> &[Place] {
        if self.is_entry_current() { &self.entry.named } else { &[] }
    }

    pub(super) fn typed(&self) -> &str {
        if self.is_entry_current() { &self.entry.typed } else { "" }
    }

    fn is_entry_current(&self) -> bool {
        self.entry.spot == Some(self.session.spot())
    }

    /// The possible next places.
    pub(super) fn next_places(&self) -> Vec<Place> {
        let named = self.named();
        let mut places: Vec<Place> = Vec::new();
        for (_, of) in fitting(self.session.position(), named) {
            let next = of.get(named.len()).copied();
            places.extend(next.filter(|next| !places.contains(next)));
        }
        places
    }

    /// The cursor's place, once it is used: a square, or of the pits that can be sown the nearest.
    pub(super) fn entry_cursor(&self) -> Option<Place> {
        let cursor = self.entry.cursor?;
        if self.is_played_on_squares() {
            return Some(Place::Square(cursor));
        }
        let pits = if self.is_played_on_pits() && self.awaits_human() { self.next_places() } else { Vec::new() };
        pits.into_iter().min_by_key(|place| index(*place).abs_diff(cursor))
    }

    /// The move that Enter would make at the cursor.
    pub(super) fn move_at_cursor(&self) -> Option<Move> {
        match name(self.session.position(), self.named(), self.entry_cursor()?) {
            NamingEffect::Move(mv) => Some(mv),
            NamingEffect::More(_) | NamingEffect::Several | NamingEffect::None => None,
        }
    }

    /// The board during entry: the moving piece at its last place, without the pieces captured so far.
    pub(super) fn begun_board(&self) -> Option<game::Board> {
        let named = self.named();
        let position = self.session.position();
        let (mv, _) = fitting(position, named).into_iter().next().filter(|_| named.len() > 1)?;
        let trace = position.trace(mv);
        let dropped = |steps: &[Step]| steps.iter().filter(|step| matches!(step, Step::Drop(_))).count();
        let until = (0..=trace.steps.len()).rev().find(|&end| dropped(&trace.steps[..end]) < named.len())?;
        // Lifts the piece before it is placed again.
        let lifts = trace.steps[..until].iter().rev().take_while(|step| matches!(step, Step::Lift(_))).count();
        Some(trace.at(&position.board(), until - lifts))
    }

    /// The pass, if it is the user's only move.
    pub(super) fn awaited_pass(&self) -> Option<Move> {
        pass(self.session.position()).filter(|_| self.awaits_human())
    }

    /// Returns whether squares are numbers, some of which begin others.
    pub(super) fn by_numbers(&self) -> bool {
        matches!(self.session.position().board(), game::Board::Squares(board) if board.ground == Ground::Dark)
    }

    fn on_squares(&self) -> bool {
        matches!(self.session.position().board(), game::Board::Squares(_))
    }

    /// Returns whether the user plays on squares: letters, arrows and Enter enter moves.
    fn is_played_on_squares(&self) -> bool {
        self.edit.is_none() && self.session.has_human() && self.on_squares()
    }

    /// Returns whether a person's game on pits is in progress: then Left and Right choose a pit, and do not step through the game.
    fn is_played_on_pits(&self) -> bool {
        let is_played = self.session.mode.is_live() || self.is_retrying();
        self.edit.is_none() && self.session.has_human() && !self.on_squares() && is_played && !self.session.is_over()
    }

    /// The entry for display: `c3 d_`; `None` if nothing was entered.
    pub(super) fn entry_text(&self) -> Option<String> {
        let board = self.session.position().board();
        let mut words: Vec<String> = self.named().iter().map(|&place| board.name(place)).collect();
        if !self.typed().is_empty() {
            words.push(format!("{}_", self.typed()));
        }
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The footer's keys while the user is to move.
    pub(super) fn entry_keys(&self) -> Vec<(String, String)> {
        let keys = |keys: &[(&str, &str)]| -> Vec<(String, String)> {
            keys.iter().map(|(key, word)| (key.to_string(), word.to_string())).collect()
        };
        let game::Board::Squares(board) = self.session.position().board() else {
            let cursor = if self.entry_cursor().is_some() { 2 } else { 0 };
            let pits = self.session.pit_keys();
            return keys(&[(pits.as_str(), "sow"), ("arrows", "choose"), ("Enter", "sow")][..1 + cursor]);
        };
        if self.awaited_pass().is_some() {
            return keys(&[("Enter", "pass")]);
        }
        if self.entry_text().is_some() {
            return keys(&[("Esc", "take back")]);
        }
        let mut footer = vec![(square_names(&board), "play".to_owned())];
        let by_cursor = match self.entry.cursor {
            Some(_) => 2,
            // There the arrows step through the game.
            None if self.is_of_collection() => 0,
            None => 1,
        };
        footer.extend(keys(&[("arrows", "choose"), ("Enter", "play")][..by_cursor]));
        footer
    }

    /// The keys that enter moves on squares, for the help.
    pub(super) fn square_keys(&self) -> Vec<(String, String)> {
        let typed = match self.by_numbers() {
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
        if self.is_without_person() {
            // A digit after a letter completes a square's name and does not switch tabs.
            return plain && !self.entry.typed.is_empty() && matches!(key.code, KeyCode::Char('0'..='9'));
        }
        if self.is_played_on_pits() && key.modifiers.is_empty() {
            let is_chosen = self.entry_cursor().is_some();
            return match key.code {
                KeyCode::Left | KeyCode::Right => true,
                KeyCode::Enter | KeyCode::Esc => is_chosen,
                _ => false,
            };
        }
        if !self.is_played_on_squares() || !plain {
            return false;
        }
        match key.code {
            // In a collection, arrows step through the game until the cursor is shown.
            KeyCode::Left | KeyCode::Right if self.is_of_collection() && self.entry.cursor.is_none() => false,
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => key.modifiers.is_empty(),
            KeyCode::Enter => self.awaited_pass().is_some() || self.entry.cursor.is_some() || !self.typed().is_empty(),
            KeyCode::Esc => self.is_entering() || self.entry.cursor.is_some(),
            KeyCode::Backspace => self.entry_text().is_some(),
            KeyCode::Char(c) if self.by_numbers() && self.entry_text().is_some() => {
                c.is_ascii_digit() || BETWEEN.contains(c)
            }
            KeyCode::Char(c) if self.refused().is_some() && BETWEEN.contains(c) => true,
            // A begun entry continues, also where no user is to move and the first letter was not a command.
            KeyCode::Char(c) if self.awaits_human() || !self.typed().is_empty() => {
                self.begins_a_name(&format!("{}{c}", self.typed()))
            }
            _ => false,
        }
    }

    /// Handles one of those keys.
    pub(super) fn entry_key(&mut self, key: KeyEvent, cx: &mut Context) {
        match key.code {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, -1),
            KeyCode::Down => self.move_cursor(0, 1),
            KeyCode::Enter => self.enter(cx),
            KeyCode::Esc if self.is_entering() => self.entry.clear(),
            KeyCode::Esc => self.entry.cursor = None,
            KeyCode::Backspace => _ = self.take_back_entered(),
            KeyCode::Char(_) if self.is_without_person() && (self.goes_on() || !self.is_entry_current()) => {
                self.entry.clear();
                cx.notice(Tone::Info, self.why_not_now());
            }
            KeyCode::Char(c) => _ = self.type_name(c, cx),
            _ => {}
        }
    }

    /// Returns whether an entry was begun, or was refused and its rest is skipped.
    fn is_entering(&self) -> bool {
        self.entry_text().is_some() || self.refused().is_some()
    }

    /// Returns whether a square is being chosen.
    pub(super) fn is_choosing(&self) -> bool {
        self.is_entering() || self.entry.cursor.is_some()
    }

    /// Returns whether computers play both sides on squares.
    fn is_without_person(&self) -> bool {
        self.edit.is_none() && self.on_squares() && !self.session.has_human()
    }

    /// The reason why no move can be entered while a computer player thinks.
    pub(super) fn why_not_now(&self) -> String {
        let side = self.session.position().side();
        match self.session.has_human() {
            true => format!("{} is thinking: {}", self.session.seat_name(side), self.session.player_name(side)),
            false => "Computers play both sides (space: pause, n: new game)".to_owned(),
        }
    }

    /// Removes the last typed character or named place; false if nothing was entered.
    pub(super) fn take_back_entered(&mut self) -> bool {
        self.is_entry_current() && (self.entry.typed.pop().is_some() || self.entry.named.pop().is_some())
    }

    /// Drops an entry that was made for another position.
    fn begin_entry(&mut self) {
        if !self.is_entry_current() {
            self.entry.clear();
            self.entry.spot = Some(self.session.spot());
        }
    }

    /// Moves the cursor on the drawn board. It first appears where a move is possible.
    fn move_cursor(&mut self, right: i16, down: i16) {
        let game::Board::Squares(board) = self.session.position().board() else { return self.move_along_pits(right) };
        let Some(cursor) = self.entry.cursor else {
            let squares = || {
                self.next_places()
                    .into_iter()
                    .filter_map(|place| if let Place::Square(square) = place { Some(square) } else { None })
            };
            self.entry.cursor = squares().chain(board.played_on()).next();
            return;
        };
        self.entry.cursor = Some(step(&board, cursor, (right, down), self.bottom()));
    }

    /// Moves the cursor to the next pit that can be sown, to the right or left as drawn.
    fn move_along_pits(&mut self, right: i16) {
        if !self.awaits_human() {
            return;
        }
        let mut pits: Vec<u8> = self.next_places().into_iter().map(index).collect();
        pits.sort_unstable();
        if self.session.position().side() != self.bottom() {
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
        if !self.typed().is_empty() {
            let text = format!("Type the row after {}, or Esc", self.typed());
            return cx.notice(Tone::Info, text);
        }
        if let Some(place) = self.entry_cursor() {
            self.name_place(place, cx);
        }
    }

    /// Handles a place named by keys or mouse: makes the move if it is the only one with this beginning.
    pub(super) fn name_place(&mut self, place: Place, cx: &mut Context) {
        if self.session.is_over() {
            return cx.notice(Tone::Info, "The game is over: n starts a new one, u takes the last move back");
        }
        let side = self.session.position().side();
        if self.playback.thinking.is_some() {
            return cx.notice(Tone::Info, self.why_not_now());
        }
        self.begin_entry();
        match name(self.session.position(), &self.entry.named, place) {
            NamingEffect::Move(mv) => {
                self.entry.clear();
                self.make_move(mv, cx);
            }
            NamingEffect::More(named) => self.entry.named = named,
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
        let places: Vec<String> = self.next_places().into_iter().map(|place| board.name(place)).collect();
        match self.named() {
            [] if self.by_numbers() => format!("No piece of {mover} can move from {name}. Try {}", places.join(", ")),
            [] => format!("{name} is not possible. Try {}", places.join(", ")),
            named => {
                let named: Vec<String> = named.iter().map(|&place| board.name(place)).collect();
                format!("No move goes {} {name}. Try {}", named.join(" "), places.join(", "))
            }
        }
    }
}

/// The number of a pit on its side, or of a square.
fn index(place: Place) -> u8 {
    match place {
        Place::Pit(_, index) | Place::Square(index) => index,
        Place::Store(_) => 0,
    }
}

impl Entry {
    fn clear(&mut self) {
        self.named.clear();
        self.typed.clear();
        (self.refused, self.skipped) = (None, None);
    }
}

/// The neighbouring square on a board drawn with `bottom` below, wrapping at the edges. Skips squares out of play; up
/// and down stay in the nearest column.
pub(crate) fn step(board: &game::Squares, from: u8, (right, down): (i16, i16), bottom: Side) -> u8 {
    let played = if board.ground == Ground::Dark { 2 } else { 1 };
    let files = i16::from(board.files) / played;
    let ranks = i16::from(board.ranks);
    let turned = if bottom == Side::South { 1 } else { -1 };
    let file = i16::from(from) % i16::from(board.files) / played;
    let rank = i16::from(from) / i16::from(board.files);
    let file = (file + turned * right).rem_euclid(files);
    let rank = (rank + turned * down).rem_euclid(ranks);
    let first = (rank * i16::from(board.files) + played * file) as u8;
    if board.is_played_on(first) { first } else { first + 1 }
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
