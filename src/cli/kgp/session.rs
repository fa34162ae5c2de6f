//! An agent's session: commands of the server in, commands of the agent out.

use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::wire;
use super::wire::{Argument, Command};
use crate::cli::engine::search::{Limits, Player, Search};
use crate::game::Move;
use crate::game::record::Record;
use crate::player::{Spec, check_plays};
use crate::pool::Pool;
use crate::sanitize;

/// Boards answered at a time, each with a table of up to 64 MB; a server waits for the answer to one of them before it sends more.
pub const MAX_REQUESTS: usize = 8;

/// The share of the server's time that an answer takes, so that it arrives before the end.
const SHARE: f64 = 0.8;

/// The least time for an answer: the protocol's own server knows a board only a moment after it has sent it, and refuses
/// moves before.
const LEAST: Duration = Duration::from_millis(5);

/// The part of a clock for the whole game that one answer takes.
const MOVES_LEFT: f64 = 25.0;

/// Who an agent says it is.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    pub name: String,
    pub authors: Option<String>,
    pub description: Option<String>,
    pub token: Option<String>,
}

/// How the server measures time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Clock {
    is_absolute: bool,
    seconds: Option<f64>,
}

impl Clock {
    /// Returns the time for an answer: at most `most`.
    fn time(self, most: Duration) -> Duration {
        let Some(seconds) = self.seconds else { return most };
        let share = if self.is_absolute { seconds / MOVES_LEFT } else { seconds * SHARE };
        most.min(Duration::from_secs_f64(share.clamp(0.0, 86_400.0)))
    }
}

/// A board that is being answered.
struct Request {
    id: Option<u64>,
    player: Player,
    search: Search,
    began: Instant,
    sent: Option<Move>,
}

/// How a session ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Goodbye,
    /// The server and this agent do not understand each other.
    Failed(String),
}

/// An agent's session.
pub struct Session {
    own: Option<Spec>,
    identity: Identity,
    /// The most time for an answer.
    most: Duration,
    pool: Pool,
    seed: u64,
    clock: Clock,
    is_greeted: bool,
    requests: Vec<Request>,
    /// Players that wait for the next board, with their tables.
    idle: Vec<Player>,
    /// Whose turn it is to think.
    turn: usize,
    next_id: u64,
    out: Vec<Command>,
    /// What a person may want to know, such as the opponent or an error of the server.
    pub notes: Vec<String>,
    pub answered: u64,
}

impl Session {
    pub fn new(own: Option<Spec>, identity: Identity, most: Duration, pool: Pool, seed: u64) -> Session {
        Session {
            own,
            identity,
            most,
            pool,
            seed,
            clock: Clock::default(),
            is_greeted: false,
            requests: Vec::new(),
            idle: Vec::new(),
            turn: 0,
            next_id: 1,
            out: Vec::new(),
            notes: Vec::new(),
            answered: 0,
        }
    }

    pub fn is_thinking(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Whether the server has announced its version.
    pub fn is_greeted(&self) -> bool {
        self.is_greeted
    }

    /// Returns the commands to send, in order.
    pub fn take_out(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.out)
    }

    /// Adds a command with an id of its own; the agent's are odd.
    fn send(&mut self, command: Command) {
        let id = Some(self.next_id);
        self.next_id += 2;
        self.out.push(Command { id, ..command });
    }

    fn refuse(&mut self, to: Option<u64>, text: &str) {
        self.send(Command::new("error", vec![Argument::Text(text.to_owned())]).to(to));
    }

    /// Takes a line of the server.
    pub fn take(&mut self, line: &str) -> Option<End> {
        if line.trim().is_empty() {
            return None;
        }
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.refuse(None, &error.to_string());
                return None;
            }
        };
        match command.name.as_str() {
            "kgp" => return self.greet(&command),
            "goodbye" => return Some(End::Goodbye),
            "ping" => {
                let pong = Command { arguments: command.arguments, ..Command::new("pong", Vec::new()) };
                self.send(pong.to(command.id));
            }
            "state" => self.state(&command),
            "stop" => self.stop(command.reference),
            "set" => self.set(&command),
            "error" => self.note("the server reports", command.text(0).unwrap_or("an error")),
            "ok" | "pong" => {}
            name => self.refuse(command.id, &format!("unknown command '{name}'")),
        }
        None
    }

    fn note(&mut self, what: &str, text: &str) {
        self.notes.push(format!("{what}: {}", sanitize::inline(text)));
    }

    /// Answers the server's version by the agent's identity and the activity.
    fn greet(&mut self, command: &Command) -> Option<End> {
        let version: Vec<String> = command.arguments.iter().map(Argument::to_string).collect();
        if command.integer(0) != Some(1) {
            self.refuse(command.id, "only version 1 of the protocol is supported");
            let version = sanitize::inline(&version.join(".")).into_owned();
            return Some(End::Failed(format!(
                "the server speaks version {version} of the protocol; version 1 is supported"
            )));
        }
        if std::mem::replace(&mut self.is_greeted, true) {
            return None;
        }
        self.note("connected, protocol version", &version.join("."));
        let Identity { name, authors, description, token } = self.identity.clone();
        let options = [
            ("info:name", Some(name)),
            ("info:authors", authors),
            ("info:description", description),
            ("auth:token", token),
        ];
        for (option, value) in options {
            let arguments = |value| vec![Argument::Word(option.to_owned()), Argument::Text(value)];
            value.into_iter().for_each(|value| self.send(Command::new("set", arguments(value))));
        }
        self.send(Command::new("mode", vec![Argument::Word("freeplay".to_owned())]));
        None
    }

    /// Takes an option; unknown ones are ignored.
    fn set(&mut self, command: &Command) {
        let Some(option) = command.text(0) else { return };
        match option {
            "time:mode" => self.clock.is_absolute = command.text(1) == Some("absolute"),
            "time:clock" => {
                self.clock.seconds = match command.arguments.get(1) {
                    Some(Argument::Integer(seconds)) => Some(*seconds as f64),
                    Some(Argument::Real(seconds)) => Some(*seconds),
                    _ => None,
                };
            }
            "info:name" | "game:opponent" => {
                let what = if option == "info:name" { "server" } else { "opponent" };
                self.note(what, command.text(1).unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Starts to answer a board.
    fn state(&mut self, command: &Command) {
        // A board without an id takes the place of the one before.
        self.stop_where(|request| request.id == command.id);
        if self.requests.len() >= MAX_REQUESTS {
            return self.refuse(command.id, &format!("at most {MAX_REQUESTS} boards at a time"));
        }
        if let Err(error) = self.begin(command) {
            let error = error.in_a_line();
            self.note("a board was not answered", &error);
            self.refuse(command.id, &error);
            self.send(Command::new("yield", Vec::new()).to(command.id));
        }
    }

    fn begin(&mut self, command: &Command) -> Result<(), Error> {
        let Some(Argument::Board(board)) = command.arguments.first() else {
            return Err("state needs a board such as <3,0,0,3,3,3,3,3,3>".into());
        };
        let (variant, position) = wire::position(board)?;
        let record = Record::from_position(variant, position, [String::new(), String::new()], None);
        if record.ending().is_some() {
            return Err(format!("the game is over on the board {board}").into());
        }
        if let Some(own) = &self.own {
            check_plays(own, &variant)?;
        }
        let time = Some(self.clock.time(self.most));
        let mut player = self.idle.pop().unwrap_or_default();
        // Each board has random choices of its own.
        let seed = self.seed.wrapping_add(self.answered);
        let limits = Limits { time, ..Limits::default() };
        let search = Search::turn(&mut player, self.own.as_ref(), &record, limits, seed, &self.pool);
        let search = search.ok_or_else(|| Error::from(format!("no player for {variant}")))?;
        self.answered += 1;
        self.requests.push(Request { id: command.id, player, search, began: Instant::now(), sent: None });
        Ok(())
    }

    /// Stops the search for a board; without a reference all of them.
    fn stop(&mut self, reference: Option<u64>) {
        self.stop_where(|request| reference.is_none() || request.id == reference);
    }

    fn stop_where(&mut self, is_stopped: impl Fn(&Request) -> bool) {
        let mut index = 0;
        while index < self.requests.len() {
            if is_stopped(&self.requests[index]) {
                let request = self.requests.remove(index);
                self.idle.push(request.player);
            } else {
                index += 1;
            }
        }
    }

    /// Continues the search for one board and sends its move if it changed, and `yield` at the end.
    ///
    /// # Errors
    /// The player cannot move, such as an engine that does not start.
    pub fn step(&mut self) -> Result<(), Error> {
        if self.requests.is_empty() {
            return Ok(());
        }
        self.turn = (self.turn + 1) % self.requests.len();
        let request = &mut self.requests[self.turn];
        let is_done = request.search.step();
        if let Some(failure) = request.search.failure() {
            return Err(failure);
        }
        let id = request.id;
        let best = request.search.best();
        let changed = best.filter(|best| request.sent != Some(*best));
        if request.sent.is_none() {
            std::thread::sleep(LEAST.saturating_sub(request.began.elapsed()));
        }
        request.sent = best;
        if let Some(mv) = changed {
            self.send(Command::new("move", vec![wire::number(mv)]).to(id));
        }
        if is_done {
            let request = self.requests.remove(self.turn);
            tracing::debug!(seconds = request.began.elapsed().as_secs_f64(), "answered a board");
            self.idle.push(request.player);
            self.send(Command::new("yield", Vec::new()).to(id));
        }
        Ok(())
    }
}
