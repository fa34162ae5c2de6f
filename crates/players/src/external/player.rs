//! The player that asks a running program for its moves.

use mancalab_base::Error;
use std::time::{Duration, Instant};

use super::process::{Output, Process};
use super::protocol::{Setup, synced_line};
use super::{External, Protocol, protocol};
use crate::budget::Budget;
use crate::game::notation::ggf;
use crate::game::othello::Othello;
use crate::game::{Game, Move, Position};
use crate::search::Report;
use crate::{Player, Turn};

/// Time for a program to start, and to answer whether it is ready.
const READY: Duration = Duration::from_secs(60);

/// Time beyond the limit of a move before the program counts as hanging.
const GRACE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 5 });

/// Time in which a program takes what it is sent; a pipe holds far more than a turn.
const READS: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 5000 });

/// Time for a move without a limit, such as a search to a depth.
const LONGEST: Duration = Duration::from_secs(3600);

/// Maximum wait for a line between two looks at the budget.
const SLICE: Duration = Duration::from_millis(5);

/// Maximum length of an answer in a message, in characters.
const SHOWN: usize = 60;

/// A player whose moves come from another program. The program starts with the first turn and stays for later games. If it ends,
/// exceeds its time or gives no legal move, it is started anew and gets the turn again, once a turn.
pub struct EnginePlayer {
    external: External,
    session: Option<EngineSession>,
    /// The turn by position, ply and seed.
    asked: Option<(Position, u32, u64)>,
    /// Whether the turn begins another game for the program.
    is_new: bool,
    has_restarted: bool,
    failure: Option<Error>,
    report: Report,
    /// The last line of the program, for messages.
    last: String,
    /// When the last step ended: time between steps, as in a pause, is not the program's.
    left: Instant,
    /// Processor time of programs that have ended, and what was counted before.
    ended: Duration,
    counted: Duration,
}

struct EngineSession {
    process: Process,
    state: State,
    /// When the program counts as hanging.
    until: Instant,
    takes_game: bool,
    /// Number of the newest turn.
    number: u32,
    /// Moves of interrupted searches that are still to come.
    stale: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The program has been started.
    Greeting,
    /// It has no turn.
    Idle,
    /// The turn is sent.
    Preparing,
    Thinking,
}

/// Returns the lines that set up the turn, which has this number; `None` if the protocol cannot.
type SetupLines<'a> = &'a dyn Fn(Protocol, &Setup, u32) -> Option<Vec<String>>;

/// What a line means.
enum Progress {
    None,
    Move(Move),
    Failed(String),
}

impl EnginePlayer {
    pub fn new(external: External) -> EnginePlayer {
        EnginePlayer {
            external,
            session: None,
            asked: None,
            is_new: true,
            has_restarted: false,
            failure: None,
            report: Report::default(),
            last: String::new(),
            left: Instant::now(),
            ended: Duration::ZERO,
            counted: Duration::ZERO,
        }
    }

    /// Thinks about a turn, given by position, ply and seed; compiled once for all games.
    fn think_of(&mut self, setup: SetupLines<'_>, turn: (Position, u32, u64), budget: Budget) -> Option<Move> {
        self.begin(turn);
        let pause = self.left.elapsed();
        self.session.iter_mut().for_each(|session| session.pause(pause));
        let mv = self.work(setup, &turn.0, budget);
        self.left = Instant::now();
        mv
    }

    /// Begins a turn, if it is another one than before.
    fn begin(&mut self, asked: (Position, u32, u64)) {
        if self.asked == Some(asked) {
            return;
        }
        self.is_new |= self.asked.is_none_or(|(_, ply, seed)| seed != asked.2 || ply >= asked.1);
        self.asked = Some(asked);
        (self.has_restarted, self.failure, self.report) = (false, None, Report::default());
        if let Some(session) = &mut self.session {
            session.interrupt(self.external.protocol);
        }
    }

    /// Starts the program if necessary, sends what its state requires, and reads a line.
    fn step(&mut self, setup: SetupLines<'_>, position: &Position) -> Progress {
        let session = match &mut self.session {
            Some(session) => session,
            none => match EngineSession::start(&self.external) {
                Ok(session) => {
                    (self.is_new, self.last) = (true, String::new());
                    none.insert(session)
                }
                Err(reason) => return Progress::Failed(reason),
            },
        };
        if session.state == State::Idle {
            let how = Setup { is_new: std::mem::take(&mut self.is_new), takes_game: session.takes_game };
            session.number += 1;
            let Some(lines) = setup(self.external.protocol, &how, session.number) else {
                return Progress::Failed("cannot be given this position".to_owned());
            };
            session.enter(State::Preparing, READY, &lines);
        }
        self.read(position)
    }

    fn read(&mut self, position: &Position) -> Progress {
        let Some(session) = &mut self.session else { return Progress::None };
        session.process.flush();
        match session.process.receive(SLICE) {
            Output::Line(line) => {
                let progress = session.take(&line, &self.external, position);
                protocol::read(&line, position, &mut self.report);
                self.last = line;
                // A program that writes without end has no more time than others.
                if matches!(progress, Progress::None) { self.waited() } else { progress }
            }
            Output::Nothing => self.waited(),
            Output::End => {
                let ended = self.stop();
                Progress::Failed(ended.unwrap_or_default())
            }
        }
    }

    /// Fails a program that exceeds its time, or does not read what it is sent.
    fn waited(&self) -> Progress {
        if self.session.as_ref().is_some_and(|session| session.process.unread_for() > READS) {
            return Progress::Failed("does not read what it is sent".to_owned());
        }
        let late = self.session.as_ref().filter(|session| Instant::now() > session.until);
        late.map_or(Progress::None, |session| {
            Progress::Failed(match session.state {
                State::Greeting => format!("did not answer '{}'", self.external.protocol),
                State::Thinking => "exceeded its time for a move".to_owned(),
                State::Idle | State::Preparing => "did not answer that it is ready".to_owned(),
            })
        })
    }

    /// Thinks until the budget is spent.
    fn work(&mut self, setup: SetupLines<'_>, position: &Position, budget: Budget) -> Option<Move> {
        while self.failure.is_none() {
            match self.step(setup, position) {
                Progress::Move(mv) => return Some(mv),
                Progress::Failed(reason) => self.fail(&reason),
                Progress::None if budget.is_spent() => return None,
                Progress::None => {}
            }
        }
        None
    }

    /// Ends the program; returns how it ended.
    fn stop(&mut self) -> Option<String> {
        let session = self.session.take()?;
        self.ended += session.process.processor_time().unwrap_or_default();
        Some(session.process.end())
    }

    /// Starts the program anew, or gives up if that has happened in this turn.
    fn fail(&mut self, reason: &str) {
        self.stop();
        if !std::mem::replace(&mut self.has_restarted, true) {
            return;
        }
        let last = match self.last.as_str() {
            "" => "; it wrote nothing".to_owned(),
            line => format!("; its last line was '{}'", cut(line)),
        };
        // Its standard error is discarded: it would be written over the screen.
        let is_silent = reason.starts_with("exited with status")
            && !reason.contains(':')
            && !self.external.command.contains("2>&1");
        let errors = if is_silent { "; 2>&1 at the end of its command shows its errors here" } else { "" };
        self.failure = Some(format!("the program of {} {reason}{last}{errors}", self.external).into());
    }
}

impl EngineSession {
    fn start(external: &External) -> Result<EngineSession, String> {
        let process =
            Process::start(&external.command, &["quit"]).map_err(|error| format!("cannot be started: {error}"))?;
        let until = Instant::now() + READY;
        let mut session =
            EngineSession { process, state: State::Greeting, until, takes_game: false, number: 0, stale: 0 };
        session.enter(State::Greeting, READY, &external.protocol.greeting(external));
        Ok(session)
    }

    /// Sends lines that lead to a state, which is to last no longer than `time`.
    fn enter(&mut self, state: State, time: Duration, lines: &[String]) {
        self.process.send(lines);
        (self.state, self.until) = (state, Instant::now() + time);
    }

    /// Leaves out of account a time between steps.
    fn pause(&mut self, time: Duration) {
        self.until += time;
        self.process.forgive(time);
    }

    /// Makes the program ready for another turn.
    fn interrupt(&mut self, protocol: Protocol) {
        // NBoard programs stop by themselves when the next turn is set up.
        if self.state == State::Thinking && protocol != Protocol::NBoard {
            self.stale += 1;
            self.process.send(&["stop".to_owned()]);
        }
        if self.state != State::Greeting {
            self.state = State::Idle;
        }
    }

    /// Takes a line of the program. Nothing answers what the program has not read.
    fn take(&mut self, line: &str, external: &External, position: &Position) -> Progress {
        let protocol = external.protocol;
        match self.state {
            State::Greeting => {
                self.takes_game |= line.to_ascii_lowercase().starts_with("option name game type");
                if protocol.greeted(line) {
                    self.state = State::Idle;
                }
            }
            State::Preparing if line == synced_line(protocol, self.number) && self.process.flush() => {
                let time = external.limit().map_or(LONGEST, |time| time + GRACE);
                self.enter(State::Thinking, time, &[protocol.go(external)]);
            }
            State::Idle | State::Preparing | State::Thinking => {
                let Some(answer) = protocol.answer(line) else { return Progress::None };
                if self.stale > 0 {
                    self.stale -= 1;
                } else if self.state == State::Thinking && self.process.flush() {
                    self.state = State::Idle;
                    let refused = || Progress::Failed(format!("answered '{}', which is not a legal move", cut(answer)));
                    return legal(protocol, position, answer).map_or_else(refused, Progress::Move);
                }
            }
        }
        Progress::None
    }
}

/// Returns the legal move that an answer names.
fn legal(protocol: Protocol, position: &Position, answer: &str) -> Option<Move> {
    match protocol {
        Protocol::NBoard => ggf::move_named(&Othello::try_from(*position).ok()?, answer),
        Protocol::Ugi | Protocol::Uci => position.move_from_text(answer),
    }
}

/// Returns the beginning of a line for a message.
fn cut(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

impl<G: Game> Player<G> for EnginePlayer {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let position = Position::from_game(&turn.pos)?;
        let setup = |protocol: Protocol, setup: &Setup, number| protocol.setup(turn, setup, number);
        self.think_of(&setup, (position, turn.ply, turn.seed), budget)
    }

    fn report(&self) -> Option<Report> {
        Some(self.report.clone())
    }

    fn failure(&self) -> Option<Error> {
        self.failure.clone()
    }

    fn work_time(&mut self) -> Option<Duration> {
        let session = match &self.session {
            Some(session) => session.process.processor_time()?,
            None => Duration::ZERO,
        };
        let time = (self.ended + session).saturating_sub(self.counted);
        self.counted += time;
        Some(time)
    }

    /// The program keeps running: starting it may take seconds.
    fn rest(&mut self) {
        self.is_new = true;
    }
}
