//! A table: a game between two seats, with clocks, offers, a chat, and people who watch.
//!
//! A table knows nothing of connections. [`Lobby`](super::lobby::Lobby) calls it with the side of the person who acts, and with the
//! time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use crate::game::notation::{AGREED, ON_TIME, RESIGNED, TERMINATION};
use crate::game::record::Record;
use crate::game::referee::{Ending, Why};
use crate::game::{Move, Outcome, Side, Variant};
use crate::player::offers::Level;
use crate::rng;
use crate::tabs::board::{GameClock, TimeControl};

/// The number of a table; never reused.
pub type TableId = u32;

/// The number of a person; never reused.
pub type PersonId = u64;

/// What lists show of a seat without a sitter, which is nobody's name.
pub const EMPTY: &str = "empty";

/// Lines of a table's chat that are kept.
const LINES: usize = 50;

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    Person { id: PersonId, name: String },
    Engine(Level),
}

impl Sitter {
    pub fn name(&self) -> String {
        match self {
            Sitter::Person { name, .. } => name.clone(),
            Sitter::Engine(level) => format!("{level} engine"),
        }
    }

    fn is(&self, person: PersonId) -> bool {
        matches!(self, Sitter::Person { id, .. } if *id == person)
    }
}

/// What is played at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    pub variant: Variant,
    pub control: Option<TimeControl>,
    /// The side of the person who opens the table.
    pub side: Side,
    /// The engine in the other seat; `None`: a person.
    pub engine: Option<Level>,
}

/// The state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A seat is empty.
    Open,
    Playing,
    Ended(Finish),
}

/// A line of the chat; without a name, a remark of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub name: Option<String>,
    pub text: String,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    pub id: TableId,
    pub terms: Terms,
    /// `[south, north]`.
    pub seats: [Option<Sitter>; 2],
    /// The game; shared with the views of it.
    pub record: Arc<Record>,
    pub clock: Option<GameClock>,
    pub phase: Phase,
    /// The number of games begun here.
    pub games: u32,
    /// The side that offers a draw.
    pub draw: Option<Side>,
    /// The side that wants a rematch.
    pub rematch: Option<Side>,
    pub chat: VecDeque<Line>,
    /// In the order of their coming.
    pub watchers: Vec<PersonId>,
    /// The number of the last game that was handed out to be written.
    kept: u32,
    /// The game and the ply of the last turn that an engine was asked for.
    asked: Option<(u32, u32)>,
}

/// A turn of an engine.
#[derive(Clone, Debug)]
pub struct EngineTurn {
    pub table: TableId,
    pub game: u32,
    pub level: Level,
    pub record: Arc<Record>,
}

impl Table {
    /// A table that this person opens; the game begins at once against an engine.
    pub fn new(id: TableId, terms: Terms, opener: Sitter, now: Instant) -> Table {
        let mut seats = [None, None];
        seats[terms.side.index()] = Some(opener);
        seats[terms.side.other().index()] = terms.engine.map(Sitter::Engine);
        let mut table = Table {
            id,
            terms,
            seats,
            record: Arc::new(Record::new(terms.variant, [String::new(), String::new()], None)),
            clock: None,
            phase: Phase::Open,
            games: 0,
            draw: None,
            rematch: None,
            chat: VecDeque::new(),
            watchers: Vec::new(),
            kept: 0,
            asked: None,
        };
        if table.seats.iter().all(Option::is_some) {
            table.begin(now);
        }
        table
    }

    /// The side of a person who sits here.
    pub fn side_of(&self, person: PersonId) -> Option<Side> {
        let sits = |side: &Side| self.seats[side.index()].as_ref().is_some_and(|sitter| sitter.is(person));
        Side::BOTH.into_iter().find(sits)
    }

    /// The people who sit here.
    pub fn people(&self) -> impl Iterator<Item = PersonId> + '_ {
        self.seats.iter().flatten().filter_map(|sitter| match sitter {
            Sitter::Person { id, .. } => Some(*id),
            Sitter::Engine(_) => None,
        })
    }

    pub fn has_engine(&self) -> bool {
        self.seats.iter().flatten().any(|sitter| matches!(sitter, Sitter::Engine(_)))
    }

    /// The turn of an engine, once.
    pub fn take_engine_turn(&mut self) -> Option<EngineTurn> {
        let sitter = self.seats[self.record.position().side().index()].as_ref();
        let Some(Sitter::Engine(level)) = sitter.filter(|_| self.phase == Phase::Playing) else { return None };
        let now = Some((self.games, self.record.ply()));
        let turn = EngineTurn { table: self.id, game: self.games, level: *level, record: Arc::clone(&self.record) };
        (self.asked != now).then(|| {
            self.asked = now;
            turn
        })
    }

    /// A game that has ended, once; one without moves is not kept.
    pub fn take_ended(&mut self) -> Option<Arc<Record>> {
        if !matches!(self.phase, Phase::Ended(_)) || self.kept == self.games {
            return None;
        }
        self.kept = self.games;
        Some(Arc::clone(&self.record)).filter(|record| !record.is_empty())
    }

    /// The name of a seat's sitter.
    pub fn name(&self, side: Side) -> String {
        self.seats[side.index()].as_ref().map_or_else(|| EMPTY.to_owned(), Sitter::name)
    }

    /// Seats a person in the empty seat and begins the game.
    ///
    /// # Errors
    /// No seat is empty.
    pub fn sit(&mut self, sitter: Sitter, now: Instant) -> Result<(), Error> {
        let seat = self.seats.iter().position(Option::is_none).ok_or("both seats are taken")?;
        self.remark(format!("{} sits down", sitter.name()));
        self.seats[seat] = Some(sitter);
        self.begin(now);
        Ok(())
    }

    /// Begins a game of the people in the seats.
    fn begin(&mut self, now: Instant) {
        // An engine has the text that seats it again when the file is opened.
        let names = self.seats.each_ref().map(|sitter| match sitter {
            Some(Sitter::Engine(level)) => level.player(&self.terms.variant).to_owned(),
            sitter => sitter.as_ref().map(Sitter::name).unwrap_or_default(),
        });
        let mut record = Record::new(self.terms.variant, names, Some(rng::fresh_seed()));
        record.set_header("Site", Some("mancalab serve".to_owned()));
        record.set_header("TimeControl", self.terms.control.map(|control| control.to_string()));
        self.record = Arc::new(record);
        self.games += 1;
        self.phase = Phase::Playing;
        (self.draw, self.rematch) = (None, None);
        self.clock = self.terms.control.map(|control| GameClock::new(u64::from(self.games), control));
        self.run_clock(now);
    }

    fn run_clock(&mut self, now: Instant) {
        let side = (self.phase == Phase::Playing).then(|| self.record.position().side());
        if let Some(clock) = &mut self.clock {
            clock.run(side, now);
        }
    }

    /// Makes a side's move. A draw offer of the other side is declined by it.
    ///
    /// # Errors
    /// The game is not under way, the other side is to move, or the move is illegal.
    pub fn play(&mut self, side: Side, mv: Move, now: Instant) -> Result<(), Error> {
        self.is_playing()?;
        if self.record.position().side() != side {
            return Err("the other side is to move".into());
        }
        if self.has_fallen(now) {
            self.finish(Finish::OnTime(side), now);
            return Ok(());
        }
        if !Arc::make_mut(&mut self.record).play(mv) {
            return Err("this move is illegal".into());
        }
        self.draw = self.draw.filter(|offering| *offering == side);
        match self.record.ending() {
            Some(ending) => self.finish(Finish::Over(ending), now),
            None => self.run_clock(now),
        }
        Ok(())
    }

    fn is_playing(&self) -> Result<(), Error> {
        if self.phase == Phase::Playing { Ok(()) } else { Err("no game is under way at this table".into()) }
    }

    /// # Errors
    /// The game is not under way.
    pub fn resign(&mut self, side: Side, now: Instant) -> Result<(), Error> {
        self.is_playing()?;
        self.finish(Finish::Resigned(side), now);
        Ok(())
    }

    /// Offers a draw, or accepts the other side's offer.
    ///
    /// # Errors
    /// The game is not under way, or the other side is an engine, which accepts none.
    pub fn offer_draw(&mut self, side: Side, now: Instant) -> Result<(), Error> {
        self.is_playing()?;
        if self.has_engine() {
            return Err("an engine accepts no draw".into());
        }
        match self.draw {
            Some(offering) if offering != side => self.finish(Finish::Agreed, now),
            Some(_) => {}
            None => {
                self.draw = Some(side);
                self.remark(format!("{} offers a draw", self.name(side)));
            }
        }
        Ok(())
    }

    /// Wants a rematch with sides swapped; it begins when both sides want it, at once against an engine.
    ///
    /// # Errors
    /// The game has not ended, or the other seat is empty.
    pub fn want_rematch(&mut self, side: Side, now: Instant) -> Result<(), Error> {
        if !matches!(self.phase, Phase::Ended(_)) || self.seats.iter().any(Option::is_none) {
            return Err("a rematch needs an ended game and both players".into());
        }
        match self.rematch {
            Some(wanting) if wanting == side => {}
            None if !self.has_engine() => {
                self.rematch = Some(side);
                self.remark(format!("{} wants a rematch", self.name(side)));
            }
            _ => {
                self.seats.swap(0, 1);
                self.remark("rematch with sides swapped".to_owned());
                self.begin(now);
            }
        }
        Ok(())
    }

    /// Empties a side's seat. A game under way is lost.
    pub fn stand(&mut self, side: Side, finish: fn(Side) -> Finish, now: Instant) {
        if self.phase == Phase::Playing {
            self.finish(finish(side), now);
        }
        self.remark(format!("{} leaves the table", self.name(side)));
        self.seats[side.index()] = None;
        self.rematch = None;
    }

    /// Adds a remark of the server to the chat.
    pub fn remark(&mut self, text: String) {
        self.add(Line { name: None, text });
    }

    /// Adds a person's line, which must be sanitized.
    pub fn say(&mut self, name: String, text: String) {
        self.add(Line { name: Some(name), text });
    }

    fn add(&mut self, line: Line) {
        if self.chat.len() == LINES {
            self.chat.pop_front();
        }
        self.chat.push_back(line);
    }

    fn has_fallen(&self, now: Instant) -> bool {
        self.time_left(now).is_some_and(|left| left.is_zero())
    }

    /// The time that the running clock has left.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let clock = self.clock.as_ref()?;
        Some(clock.left(clock.running()?, now))
    }

    /// Ends the game if the running clock has reached zero.
    pub fn tick(&mut self, now: Instant) {
        if self.has_fallen(now)
            && let Some(side) = self.clock.as_ref().and_then(GameClock::running)
        {
            self.finish(Finish::OnTime(side), now);
        }
    }

    /// When the running clock reaches zero.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        self.time_left(now).map(|left| now + left)
    }
}

/// The value of the header `Termination` of a game whose player did not come back.
const ABANDONED: &str = "abandoned";

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// By the rules.
    Over(Ending),
    Resigned(Side),
    OnTime(Side),
    /// The person of this side left the server, or did not come back within the limit.
    Abandoned(Side),
    Agreed,
    /// The server ended; the game is unfinished.
    Stopped,
}

impl Table {
    /// Ends the game and writes its result into the record.
    pub fn finish(&mut self, finish: Finish, now: Instant) {
        self.phase = Phase::Ended(finish);
        (self.draw, self.rematch) = (None, None);
        self.run_clock(now);
        let seats = self.terms.variant.seats();
        let lost = |record: &mut Record, side: Side, how: Option<&str>| {
            record.set_header(RESIGNED, Some(seats[side.index()].to_owned()));
            record.set_header(TERMINATION, how.map(str::to_owned));
        };
        let record = Arc::make_mut(&mut self.record);
        match finish {
            Finish::Over(_) | Finish::Stopped => {}
            Finish::Resigned(side) => lost(record, side, None),
            Finish::OnTime(side) => lost(record, side, Some(ON_TIME)),
            Finish::Abandoned(side) => lost(record, side, Some(ABANDONED)),
            Finish::Agreed => record.set_header(AGREED, Some("1/2-1/2".to_owned())),
        }
        self.remark(self.finish_text(finish));
    }

    /// A sentence without a full stop: `South wins 30 : 18`, `anna resigned: bert wins`.
    pub fn finish_text(&self, finish: Finish) -> String {
        let lost = |side: Side, how: &str| format!("{} {how}: {} wins", self.player(side), self.player(side.other()));
        match finish {
            Finish::Over(ending) => self.over_text(&ending),
            Finish::Resigned(side) => lost(side, "resigned"),
            Finish::OnTime(side) => lost(side, "lost on time"),
            Finish::Abandoned(side) => lost(side, "left"),
            Finish::Agreed => "draw by agreement".to_owned(),
            Finish::Stopped => "the server stopped; the game is kept unfinished".to_owned(),
        }
    }

    fn over_text(&self, ending: &Ending) -> String {
        let [south, north] = self.record.position().board().counts();
        let why = match ending.why {
            Why::NoMoves => String::new(),
            Why::Rule(rule) => format!(" ({rule})"),
            Why::Plies(plies) => format!(" (after {plies} moves)"),
        };
        match ending.outcome {
            Outcome::Won => format!("{} wins {south} : {north}{why}", self.player(Side::South)),
            Outcome::Lost => format!("{} wins {north} : {south}{why}", self.player(Side::North)),
            Outcome::Drawn => format!("draw {south} : {north}{why}"),
        }
    }

    /// The name of a side's player, from the record once the seat is empty.
    fn player(&self, side: Side) -> String {
        let sitter = self.seats[side.index()].as_ref().map(Sitter::name);
        sitter.unwrap_or_else(|| self.record.players[side.index()].clone())
    }
}
