//! The lobby: who is here, the tables, and what each person sees of them.
//!
//! Plain state without threads, connections or clocks of its own: every call passes the time. Sessions share it by
//! [`SharedLobby`](super::shared::SharedLobby), which also writes the ended games and lets the engines think.

#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::limits::{BY_KEY, Limits};
use super::table::{EMPTY, EngineTurn, Finish, Phase, Sitter, Table, TableId, Terms};
use crate::game::record::Record;
use crate::game::{Move, Side};
use crate::network::Network;
use crate::{name, sanitize};

pub use super::table::PersonId;
pub use view::{TableRow, TableView, View};

/// Characters of a name, and of a line of the chat.
pub const NAME: usize = 16;
pub const CHAT: usize = 200;

/// Games that a person can begin within a minute: by opening a table against an engine, sitting down, or a rematch.
pub const GAMES_A_MINUTE: usize = 6;
const MINUTE: Duration = Duration::from_secs(60);

/// A session, as the lobby reaches it.
pub trait Link: Send + Sync {
    /// Something that the person sees has changed.
    fn wake(&self);

    /// Ends the session with a sentence for the person.
    fn end(&self, why: &str);
}

/// A person's entry: the number of the person, and that of the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub person: PersonId,
    visit: u64,
}

/// Why a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The person quit.
    Quit,
    /// The line broke, or a limit ended the session: a person with a key can come back.
    Broken,
}

struct Person {
    /// By which the others know the person.
    name: String,
    /// With the chosen name, which somebody else may have had.
    visitor: Visitor,
    /// The table where the person sits or watches.
    table: Option<TableId>,
    /// Until when the person can come back; `None`: is here.
    away_until: Option<Instant>,
    visit: u64,
    link: Arc<dyn Link>,
    /// When the person began the games of the last minute.
    begun: Vec<Instant>,
}

/// The lobby.
pub struct Lobby {
    people: BTreeMap<PersonId, Person>,
    tables: BTreeMap<TableId, Table>,
    limits: Limits,
    /// The last number of a person, an entry or a table.
    numbers: u64,
    last_table: TableId,
    /// The games that have ended and are not written yet.
    ended: Vec<(TableId, Arc<Record>)>,
    /// What has changed since the sessions were woken.
    changed: BTreeSet<TableId>,
    list_changed: bool,
}

impl Lobby {
    pub fn new(limits: Limits) -> Lobby {
        Lobby {
            people: BTreeMap::new(),
            tables: BTreeMap::new(),
            limits,
            numbers: 0,
            last_table: 0,
            ended: Vec::new(),
            changed: BTreeSet::new(),
            list_changed: false,
        }
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// Ends a session. A later session of the same person is not concerned.
    pub fn exit(&mut self, entry: Entry, exit: Exit, now: Instant) {
        let Some(person) = self.people.get_mut(&entry.person).filter(|person| person.visit == entry.visit) else {
            return;
        };
        self.list_changed = true;
        let come_back = self.limits.come_back;
        if exit == Exit::Broken && person.visitor.key.is_some() && person.table.is_some() && !come_back.is_zero() {
            person.away_until = Some(now + come_back);
            self.remark_at(entry.person, "has lost the connection");
        } else {
            self.remove(entry.person, now);
        }
    }

    fn remove(&mut self, person: PersonId, now: Instant) {
        self.leave_table(person, Finish::Abandoned, now);
        self.people.remove(&person);
        self.list_changed = true;
    }

    /// Adds a remark about a person who sits at a table.
    fn remark_at(&mut self, person: PersonId, what: &str) {
        let Some(Person { name, table: Some(at), .. }) = self.people.get(&person) else { return };
        let name = name.clone();
        let at = *at;
        self.changed.insert(at);
        if let Some(table) = self.tables.get_mut(&at).filter(|table| table.side_of(person).is_some()) {
            table.remark(format!("{name} {what}"));
        }
    }

    /// The table where a person plays, with the side.
    fn seat(&mut self, person: PersonId) -> Result<(&mut Table, Side), Error> {
        let at = self.people.get(&person).and_then(|person| person.table).ok_or("you are at no table")?;
        let table = self.tables.get_mut(&at).ok_or("the table is gone")?;
        let side = table.side_of(person).ok_or("you only watch here")?;
        self.changed.insert(at);
        self.list_changed = true;
        Ok((table, side))
    }

    fn sitter(&self, person: PersonId) -> Result<Sitter, Error> {
        let name = self.people.get(&person).ok_or("you are not in the lobby")?.name.clone();
        Ok(Sitter::Person { id: person, name })
    }

    /// Checks that a person may begin a game.
    ///
    /// # Errors
    /// The person has begun too many within a minute.
    fn may_begin(&mut self, person: PersonId, now: Instant) -> Result<(), Error> {
        let person = self.people.get_mut(&person).ok_or("you are not in the lobby")?;
        person.begun.retain(|at| now.saturating_duration_since(*at) < MINUTE);
        match person.begun.first().filter(|_| person.begun.len() >= GAMES_A_MINUTE) {
            None => Ok(()),
            Some(first) => {
                let wait = MINUTE.saturating_sub(now.saturating_duration_since(*first)).as_secs_f64().ceil();
                Err(format!("{GAMES_A_MINUTE} games a minute are the limit: wait {wait} s").into())
            }
        }
    }

    /// Counts a game that a person has begun.
    fn count_game(&mut self, person: PersonId, now: Instant) {
        self.people.get_mut(&person).into_iter().for_each(|person| person.begun.push(now));
    }

    /// Opens a table, where the person sits then.
    ///
    /// # Errors
    /// The person is at a table, or has begun too many games.
    pub fn open_table(&mut self, person: PersonId, terms: Terms, now: Instant) -> Result<TableId, Error> {
        self.is_free(person)?;
        if terms.engine.is_some() {
            self.may_begin(person, now)?;
            self.count_game(person, now);
        }
        let sitter = self.sitter(person)?;
        self.last_table += 1;
        let id = self.last_table;
        self.tables.insert(id, Table::new(id, terms, sitter, now));
        self.go_to(person, id);
        Ok(id)
    }

    fn is_free(&self, person: PersonId) -> Result<(), Error> {
        match self.people.get(&person).and_then(|person| person.table) {
            Some(table) => Err(format!("you are at table {table}: leave it first").into()),
            None => Ok(()),
        }
    }

    fn go_to(&mut self, person: PersonId, table: TableId) {
        if let Some(person) = self.people.get_mut(&person) {
            person.table = Some(table);
        }
        self.changed.insert(table);
        self.list_changed = true;
    }

    fn table(&mut self, id: TableId) -> Result<&mut Table, Error> {
        self.tables.get_mut(&id).ok_or_else(|| format!("table {id} is gone").into())
    }

    /// Sits down in the empty seat of a table; the game begins.
    ///
    /// # Errors
    /// The person is at another table or has begun too many games, or no seat is empty.
    pub fn sit(&mut self, person: PersonId, id: TableId, now: Instant) -> Result<(), Error> {
        self.may_begin(person, now)?;
        if self.people.get(&person).and_then(|person| person.table) != Some(id) {
            self.is_free(person)?;
        }
        let sitter = self.sitter(person)?;
        let table = self.table(id)?;
        if table.side_of(person).is_some() {
            return Err("you sit here already".into());
        }
        table.sit(sitter, now)?;
        table.watchers.retain(|watcher| *watcher != person);
        self.count_game(person, now);
        self.go_to(person, id);
        Ok(())
    }

    /// Watches a table.
    ///
    /// # Errors
    /// The person is at a table, or it does not exist.
    pub fn watch(&mut self, person: PersonId, id: TableId) -> Result<(), Error> {
        self.is_free(person)?;
        self.table(id)?.watchers.push(person);
        self.go_to(person, id);
        Ok(())
    }

    /// Leaves the table; a game under way is resigned.
    pub fn leave(&mut self, person: PersonId, now: Instant) {
        self.leave_table(person, Finish::Resigned, now);
    }

    fn leave_table(&mut self, person: PersonId, finish: fn(Side) -> Finish, now: Instant) {
        let Some(at) = self.people.get_mut(&person).and_then(|person| person.table.take()) else { return };
        let Some(table) = self.tables.get_mut(&at) else { return };
        table.watchers.retain(|watcher| *watcher != person);
        if let Some(side) = table.side_of(person) {
            table.stand(side, finish, now);
        }
        self.changed.insert(at);
        self.list_changed = true;
        self.collect(at);
        self.close_empty(at);
    }

    /// Closes a table where nobody sits; its watchers go to the lobby.
    fn close_empty(&mut self, id: TableId) {
        if self.tables.get(&id).is_some_and(|table| table.people().next().is_none()) {
            self.tables.remove(&id);
            self.people.values_mut().filter(|person| person.table == Some(id)).for_each(|person| person.table = None);
        }
    }

    /// Makes a move, unless the game has gone on since `ply`.
    ///
    /// # Errors
    /// The person does not play, or the move is impossible.
    pub fn play(&mut self, person: PersonId, ply: u32, mv: Move, now: Instant) -> Result<(), Error> {
        let (table, side) = self.seat(person)?;
        if table.record.ply() != ply {
            return Err("the position has changed".into());
        }
        table.play(side, mv, now)?;
        let id = table.id;
        self.collect(id);
        Ok(())
    }

    /// Makes an engine's move, unless its game has ended or gone on. Without a move, the engine resigns.
    pub fn engine_moves(&mut self, turn: &EngineTurn, mv: Option<Move>, now: Instant) {
        let Some(table) = self.tables.get_mut(&turn.table) else { return };
        if (table.games, table.record.ply()) != (turn.game, turn.record.ply()) || table.phase != Phase::Playing {
            return;
        }
        let side = table.record.position().side();
        if mv.is_none_or(|mv| table.play(side, mv, now).is_err()) {
            table.finish(Finish::Resigned(side), now);
        }
        self.changed.insert(turn.table);
        self.list_changed = true;
        self.collect(turn.table);
    }

    /// # Errors
    /// The person plays no game.
    pub fn resign(&mut self, person: PersonId, now: Instant) -> Result<(), Error> {
        let (table, side) = self.seat(person)?;
        table.resign(side, now)?;
        let id = table.id;
        self.collect(id);
        Ok(())
    }

    /// Offers a draw, or accepts it.
    ///
    /// # Errors
    /// Those of [`Table::offer_draw`].
    pub fn offer_draw(&mut self, person: PersonId, now: Instant) -> Result<(), Error> {
        let (table, side) = self.seat(person)?;
        table.offer_draw(side, now)?;
        let id = table.id;
        self.collect(id);
        Ok(())
    }

    /// Wants a rematch; it begins when both want it.
    ///
    /// # Errors
    /// Those of [`Table::want_rematch`], or the person has begun too many games.
    pub fn rematch(&mut self, person: PersonId, now: Instant) -> Result<(), Error> {
        self.may_begin(person, now)?;
        let (table, side) = self.seat(person)?;
        table.want_rematch(side, now)?;
        if table.phase == Phase::Playing {
            self.count_game(person, now);
        }
        Ok(())
    }

    /// Adds a line to the chat of the person's table.
    ///
    /// # Errors
    /// The person is at no table.
    pub fn say(&mut self, person: PersonId, text: &str) -> Result<(), Error> {
        let speaker = self.people.get(&person).ok_or("you are not in the lobby")?;
        let name = speaker.name.clone();
        let at = speaker.table.ok_or("you are at no table")?;
        let text: String = sanitize::inline(text.trim()).chars().take(CHAT).collect();
        if !text.is_empty() {
            self.table(at)?.say(name, text);
            self.changed.insert(at);
        }
        Ok(())
    }

    /// Ends what the time has ended: games whose clock has fallen, and the seats of people who did not come back.
    pub fn tick(&mut self, now: Instant) {
        let is_late = |person: &Person| person.away_until.is_some_and(|until| until <= now);
        let late: Vec<PersonId> = self.people.iter().filter(|(_, person)| is_late(person)).map(|(id, _)| *id).collect();
        late.into_iter().for_each(|person| self.remove(person, now));
        for id in self.tables.keys().copied().collect::<Vec<_>>() {
            if let Some(table) = self.tables.get_mut(&id) {
                table.tick(now);
            }
            self.collect(id);
        }
    }

    /// When [`tick`](Lobby::tick) has something to do.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        let away = self.people.values().filter_map(|person| person.away_until);
        self.tables.values().filter_map(|table| table.deadline(now)).chain(away).min()
    }

    /// Stops all games, which are unfinished, and ends all sessions with this sentence.
    pub fn stop(&mut self, why: &str, now: Instant) {
        for id in self.tables.keys().copied().collect::<Vec<_>>() {
            if let Some(table) = self.tables.get_mut(&id).filter(|table| table.phase == Phase::Playing) {
                table.finish(Finish::Stopped, now);
            }
            self.collect(id);
        }
        self.people.values().filter(|person| person.away_until.is_none()).for_each(|person| person.link.end(why));
    }

    /// Takes a table's game once it has ended.
    fn collect(&mut self, id: TableId) {
        let Some(table) = self.tables.get_mut(&id) else { return };
        if let Some(record) = table.take_ended() {
            self.ended.push((id, record));
            self.changed.insert(id);
            self.list_changed = true;
        }
    }

    /// The numbers of the tables.
    pub fn table_numbers(&self) -> impl Iterator<Item = TableId> {
        self.tables.keys().copied()
    }

    /// The games that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<(TableId, Arc<Record>)> {
        std::mem::take(&mut self.ended)
    }

    /// The engines' turns that have begun since the last call.
    pub fn take_engine_turns(&mut self) -> Vec<EngineTurn> {
        self.tables.values_mut().filter_map(Table::take_engine_turn).collect()
    }

    /// Wakes the sessions that show what has changed since the last call.
    pub fn wake(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        let list = std::mem::take(&mut self.list_changed);
        let sees = |person: &&Person| person.table.map_or(list, |at| changed.contains(&at));
        let here = self.people.values().filter(|person| person.away_until.is_none());
        here.filter(sees).for_each(|person| person.link.wake());
    }
}

/// Who wants to come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The name of their choice.
    pub name: String,
    /// The fingerprint of the key.
    pub key: Option<String>,
    pub network: Network,
}

/// A name of a person's choice, reduced to letters, digits, `-`, `_` and `.` of ASCII, so that it is seen and fits into lists, files
/// and sentences.
pub fn clean_name(text: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name::visible(text, is_allowed, NAME).unwrap_or_else(|| "guest".to_owned())
}

fn has_key_and_name(one: &Visitor, other: &Visitor) -> bool {
    one.key == other.key && one.name == other.name
}

impl Lobby {
    /// Lets a person in under this name, or a numbered one if a similar one is taken. A person with the name and the key of one who is
    /// here or away is the same person: an earlier session ends, and the table is kept.
    ///
    /// # Errors
    /// There are as many people as may be, in all or from the address or with the key, those who are away included.
    pub fn enter(&mut self, visitor: Visitor, link: Arc<dyn Link>, now: Instant) -> Result<Entry, Error> {
        self.tick(now);
        let visitor = Visitor { name: clean_name(&visitor.name), ..visitor };
        let visit = self.number();
        let is_same = |person: &Person| visitor.key.is_some() && has_key_and_name(&person.visitor, &visitor);
        if let Some((&id, person)) = self.people.iter_mut().find(|(_, person)| is_same(person)) {
            if person.away_until.take().is_none() {
                person.link.end("You have connected again from elsewhere.");
            }
            (person.link, person.visit, person.visitor) = (link, visit, visitor);
            self.remark_at(id, "is back");
            self.list_changed = true;
            return Ok(Entry { person: id, visit });
        }
        self.has_room(&visitor)?;
        let others = self.people.values().map(|person| person.name.clone()).chain([EMPTY.to_owned()]);
        let name = name::distinct(visitor.name.clone(), |name, number| format!("{name}-{number}"), others);
        self.people
            .insert(visit, Person { name, visitor, table: None, away_until: None, visit, link, begun: Vec::new() });
        self.list_changed = true;
        Ok(Entry { person: visit, visit })
    }

    fn has_room(&self, visitor: &Visitor) -> Result<(), Error> {
        let count = |fits: &dyn Fn(&Visitor) -> bool| self.people.values().filter(|one| fits(&one.visitor)).count();
        if self.people.len() >= self.limits.sessions {
            return Err("this server has as many guests as it allows; try again later".into());
        }
        if count(&|one| one.network == visitor.network) >= self.limits.by_address {
            return Err("there are too many guests from your address; try again later".into());
        }
        if visitor.key.is_some() && count(&|one| one.key == visitor.key) >= BY_KEY {
            return Err(format!("at most {BY_KEY} guests have the same key").into());
        }
        Ok(())
    }
}
