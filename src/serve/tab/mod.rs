//! The lobby as a tab: who is here and the tables, or the table where the person sits or watches.
//!
//! It shows a view of the lobby, which it takes anew when the session is woken. `list` draws the lobby, `page` a table, `entry` enters
//! moves, `commands` has the dialog of a new table.

mod commands;
mod entry;
mod list;
mod page;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::overlay::TaskResult;
use crate::app::overlay::confirm::Question;
use crate::app::tab::Tab;
use crate::app::tab::{self, Context, Tone};
use crate::game::{Move, Place, Position, Side};
use crate::serve::link::SessionLink;
use crate::serve::lobby::{CHAT, Lobby, PersonId, TableView, View};
use crate::serve::shared::SharedLobby;
use crate::serve::table::{Phase, TableId, Terms};
use crate::tabs::board::draw::variant_title;
use crate::ui::list::ListState;
use crate::ui::{Look, hit_test};
use entry::{Entry, KeyEffect};

/// What the tab's dialogs answer.
#[derive(Clone, Copy)]
pub(super) enum Message {
    Open(Terms),
    Resign,
    Leave,
}

impl tab::Message for Message {
    const SCOPE: &'static str = "lobby";
}

/// The tab of one person.
pub(crate) struct LobbyTab {
    shared: Arc<SharedLobby>,
    person: PersonId,
    link: Arc<SessionLink>,
    view: Option<View>,
    /// The time of the last look, which the clocks show.
    seen: Instant,
    /// The selected table of the list.
    list: ListState,
    height: usize,
    rows: Vec<(Rect, usize)>,
    /// The areas of the board's places, for the mouse.
    places: Vec<(Rect, Place)>,
    entry: Entry,
    /// The line of the chat that is being typed.
    chat: Option<String>,
    /// The board is turned around.
    is_turned: bool,
}

impl LobbyTab {
    pub fn new(shared: Arc<SharedLobby>, person: PersonId, link: Arc<SessionLink>) -> LobbyTab {
        LobbyTab {
            view: shared.view(person),
            shared,
            person,
            link,
            seen: Instant::now(),
            list: ListState::default(),
            height: 1,
            rows: Vec::new(),
            places: Vec::new(),
            entry: Entry::default(),
            chat: None,
            is_turned: false,
        }
    }

    /// The table at which the person is.
    fn table_view(&self) -> Option<&TableView> {
        self.view.as_ref().and_then(|view| view.table.as_ref())
    }

    fn is_at_table(&self) -> bool {
        self.table_view().is_some()
    }

    fn is_in_lobby(&self) -> bool {
        self.table_view().is_none()
    }

    fn plays(&self) -> bool {
        self.table_view().is_some_and(|seen| seen.side.is_some() && seen.table.phase == Phase::Playing)
    }

    fn can_rematch(&self) -> bool {
        let ended =
            |at: &TableView| matches!(at.table.phase, Phase::Ended(_)) && at.table.seats.iter().all(Option::is_some);
        self.table_view().is_some_and(|seen| seen.side.is_some() && ended(seen))
    }

    fn can_sit(&self) -> bool {
        self.table_view().is_some_and(|seen| seen.side.is_none() && seen.table.seats.iter().any(Option::is_none))
    }

    fn is_draw_offered(&self) -> bool {
        self.table_view()
            .is_some_and(|seen| seen.table.draw.is_some() && seen.table.draw != seen.side && seen.side.is_some())
    }

    /// The selected table of the list, and whether a seat is empty.
    fn selected(&self) -> Option<(TableId, bool)> {
        let row = self.view.as_ref()?.tables.get(self.list.selected)?;
        Some((row.id, row.is_open))
    }

    /// The position where the person is to move.
    fn to_move(&self) -> Option<Position> {
        let at = self.table_view().filter(|_| self.plays())?;
        let position = *at.table.record.position();
        (at.side == Some(position.side())).then_some(position)
    }

    /// The side at the bottom.
    fn bottom(&self) -> Side {
        let own = self.table_view().and_then(|seen| seen.side).unwrap_or(Side::South);
        if self.is_turned { own.other() } else { own }
    }

    /// Acts in the lobby; an error is shown.
    fn change(&mut self, change: impl FnOnce(&mut Lobby, Instant) -> Result<(), Error>, cx: &mut Context) {
        if let Err(error) = self.shared.act(change) {
            cx.notice(Tone::Info, capitalised(&error.to_string()));
        }
        self.look(cx);
    }

    fn act(&mut self, what: fn(&mut Lobby, PersonId, Instant) -> Result<(), Error>, cx: &mut Context) {
        let person = self.person;
        self.change(|lobby, now| what(lobby, person, now), cx);
    }

    /// Takes the view anew, and announces what the person waits for.
    fn look(&mut self, cx: &mut Context) {
        self.link.take_change();
        self.seen = cx.now;
        let waited = self.is_at_table() && self.to_move().is_none();
        self.view = self.shared.view(self.person);
        if let Some(at) = self.table_view() {
            let ply = at.table.record.ply();
            self.entry.follow(ply);
        } else {
            (self.chat, self.is_turned) = (None, false);
        }
        if waited && self.to_move().is_some() {
            cx.announce("It is your move".to_owned());
        }
    }

    fn enter(&mut self, cx: &mut Context) {
        let Some((table, is_open)) = self.selected() else { return };
        let person = self.person;
        self.change(|lobby, now| if is_open { lobby.sit(person, table, now) } else { lobby.watch(person, table) }, cx);
    }

    fn watch(&mut self, cx: &mut Context) {
        let Some((table, _)) = self.selected() else { return };
        let person = self.person;
        self.change(|lobby, _| lobby.watch(person, table), cx);
    }

    fn sit_here(&mut self, cx: &mut Context) {
        let Some(table) = self.table_view().map(|seen| seen.table.id) else { return };
        let person = self.person;
        self.change(|lobby, now| lobby.sit(person, table, now), cx);
    }

    fn ask_to_resign(&mut self, cx: &mut Context) {
        let text = "The game is lost then.".to_owned();
        cx.open(Question::new("Resign?", text, ["resign", "play on"], || Message::Resign));
    }

    fn ask_to_leave(&mut self, cx: &mut Context) {
        if self.plays() {
            let text = "You resign the game by that.".to_owned();
            cx.open(Question::new("Leave the table?", text, ["leave", "stay"], || Message::Leave));
        } else {
            self.leave_table(cx);
        }
    }

    fn leave_table(&mut self, cx: &mut Context) {
        let person = self.person;
        self.change(
            |lobby, now| {
                lobby.leave(person, now);
                Ok(())
            },
            cx,
        );
    }

    fn entered(&mut self, entered: KeyEffect, cx: &mut Context) -> bool {
        match entered {
            KeyEffect::No => return false,
            KeyEffect::Part => {}
            KeyEffect::Wrong(why) => cx.notice(Tone::Info, capitalised(&why)),
            KeyEffect::Move(mv) => self.play(mv, cx),
        }
        true
    }

    fn play(&mut self, mv: Move, cx: &mut Context) {
        let Some(ply) = self.table_view().map(|seen| seen.table.record.ply()) else { return };
        let person = self.person;
        self.change(|lobby, now| lobby.play(person, ply, mv, now), cx);
    }

    /// A key while a line of the chat is typed.
    fn chat_key(&mut self, key: KeyEvent, cx: &mut Context) {
        let Some(line) = &mut self.chat else { return };
        match key.code {
            KeyCode::Esc => self.chat = None,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => self.chat = None,
            KeyCode::Backspace => _ = line.pop(),
            KeyCode::Enter => {
                let line = std::mem::take(line);
                let person = self.person;
                self.chat = None;
                self.change(|lobby, _| lobby.say(person, &line), cx);
            }
            KeyCode::Char(c) if key.modifiers.difference(KeyModifiers::SHIFT).is_empty() => add(line, &c.to_string()),
            _ => {}
        }
    }
}

/// Adds text to a line of the chat, as far as there is room.
fn add(line: &mut String, text: &str) {
    let room = CHAT.saturating_sub(line.chars().count());
    line.extend(text.chars().map(|c| if c == '\n' { ' ' } else { c }).take(room));
}

/// An error as a sentence.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl Tab for LobbyTab {
    fn scope(&self) -> &'static str {
        "lobby"
    }

    fn title(&self) -> &'static str {
        "Lobby"
    }

    fn subtitle(&self, look: &Look) -> String {
        let name = self.view.as_ref().map_or("", |view| view.name.as_str());
        match self.table_view() {
            Some(at) => {
                let game = variant_title(&at.table.terms.variant, look);
                format!("{name} {dot} table {} {dot} {game}", at.table.id, dot = look.glyphs.dot)
            }
            None => name.to_owned(),
        }
    }

    fn about(&self, _: &Look) -> Vec<(String, Vec<String>)> {
        let rules = |at: &TableView| {
            let variant = &at.table.terms.variant;
            let lines = variant.explained().iter().map(|line| (*line).to_owned()).collect();
            vec![(format!("{}: the rules", variant.title()), lines)]
        };
        self.table_view().map(rules).unwrap_or_default()
    }

    fn footer_keys(&self) -> Vec<(String, String)> {
        let key = |key: &str, word: &str| vec![(key.to_owned(), word.to_owned())];
        if self.chat.is_some() {
            return [key("Enter", "say"), key("Esc", "cancel")].concat();
        }
        let Some(position) = self.to_move() else { return Vec::new() };
        match position.board() {
            crate::game::Board::Pits(board) => {
                let last = char::from(b'a' + board.pits_a_side().saturating_sub(1) as u8);
                key(&format!("a-{last}"), "sow")
            }
            crate::game::Board::Squares(_) => [key("arrows", "choose"), key("Enter", "play")].concat(),
        }
    }

    fn other_keys(&self) -> Vec<(String, String)> {
        let Some(at) = self.table_view() else { return Vec::new() };
        let text = match at.table.record.position().board() {
            crate::game::Board::Pits(_) => ("a b ...", "Sow the pit, from your left"),
            crate::game::Board::Squares(_) => {
                ("d3, 11-15 ...", "Type a move, or choose squares with the arrows and Enter")
            }
        };
        vec![(text.0.to_owned(), text.1.to_owned())]
    }

    fn claims(&self, key: KeyEvent) -> bool {
        self.chat.is_some() || self.enters(key)
    }

    fn capture(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if self.chat.is_some() {
            self.chat_key(key, cx);
            return true;
        }
        let Some(position) = self.to_move() else { return false };
        let bottom = self.bottom();
        let entered = self.entry.key(key, &position, bottom);
        self.entered(entered, cx)
    }

    fn key(&mut self, key: KeyEvent, _: &mut Context) -> bool {
        let tables = self.view.as_ref().map_or(0, |view| view.tables.len());
        self.is_in_lobby() && self.list.key(key.code, tables, self.height, true)
    }

    fn reads_pastes(&self) -> bool {
        self.chat.is_some()
    }

    fn paste(&mut self, text: &str, _: &mut Context) {
        if let Some(line) = &mut self.chat {
            add(line, text);
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return;
        }
        let at = (mouse.column, mouse.row);
        if let Some(position) = self.to_move() {
            let hit = hit_test(&self.places, at);
            if let Some(place) = hit.filter(|place| !matches!(place, Place::Store(_))) {
                let entered = self.entry.name(place, &position);
                self.entered(entered, cx);
            }
        } else if let Some(index) = hit_test(&self.rows, at) {
            match self.list.selected == index {
                true => self.enter(cx),
                false => self.list.selected = index,
            }
        }
    }

    fn answer(&mut self, answer: TaskResult, cx: &mut Context) {
        let Ok(message) = answer.downcast::<Message>() else { return };
        let person = self.person;
        match *message {
            Message::Open(terms) => {
                self.change(|lobby, now| lobby.open_table(person, terms, now).map(|_| ()), cx);
            }
            Message::Resign => self.act(Lobby::resign, cx),
            Message::Leave => self.leave_table(cx),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        // A time that has passed: at once.
        if self.link.has_change() {
            return Some(self.seen);
        }
        let ticks = |at: &TableView| {
            let runs = at.table.clock.as_ref().is_some_and(|clock| clock.running().is_some());
            runs || at.away_until.iter().any(Option::is_some)
        };
        self.table_view().is_some_and(ticks).then(|| self.seen + Duration::from_secs(1))
    }

    fn tick(&mut self, cx: &mut Context) {
        if self.link.has_change() {
            self.look(cx);
        } else if self.deadline().is_some_and(|deadline| deadline <= cx.now) {
            self.seen = cx.now;
        }
    }

    fn unfinished(&self) -> Option<String> {
        let table = self.table_view().filter(|_| self.plays())?.table.id;
        Some(format!("Your game at table {table} is lost if you quit."))
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.rows.clear();
        self.places.clear();
        if self.is_at_table() { self.draw_table(area, buf, look) } else { self.draw_lobby(area, buf, look) }
    }
}

impl LobbyTab {
    /// Whether a key enters a move, whatever else it means.
    fn enters(&self, key: KeyEvent) -> bool {
        let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let Some(position) = self.to_move().filter(|_| plain) else { return false };
        match (position.board(), key.code) {
            (crate::game::Board::Pits(board), KeyCode::Char(c)) => {
                c.is_ascii_lowercase() && usize::from(c as u8 - b'a') < board.pits_a_side()
            }
            (crate::game::Board::Squares(board), KeyCode::Char(c)) => {
                let begins = |c: char| board.played_on().any(|square| board.name(square).starts_with(c));
                !self.entry.typed.is_empty() || !self.entry.named.is_empty() || begins(c)
            }
            _ => false,
        }
    }
}
