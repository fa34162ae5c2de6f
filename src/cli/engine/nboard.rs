//! A session of the NBoard protocol, version 2, for Othello.

use std::collections::VecDeque;

use mancalab_base::Error;

use super::Reply;
use super::search::{Limits, Player, Search};
use super::ugi::{check, new_game};
use crate::cli::value::Value;
use crate::game::Variant;
use crate::game::notation::ggf;
use crate::game::othello::Othello;
use crate::game::record::{NodeId, Record};
use crate::player::Spec;
use crate::pool::Pool;
use crate::search::{Line, Report};

/// The depth before `set depth`, in plies.
const USUAL_DEPTH: u32 = 8;

/// Memory of a search for hints, in megabytes.
const MEMORY: usize = 64;

/// The state of a session.
pub(super) struct NBoard {
    record: Record,
    own: Option<Spec>,
    player: Player,
    depth: u32,
    /// Whether the last game or move was refused: no one has asked for a search of the position before.
    is_refused: bool,
    work: Option<Work>,
}

/// A search and what it is for.
struct Work {
    search: Search,
    purpose: Purpose,
}

enum Purpose {
    Go,
    /// The values of this many moves.
    Hint(usize),
    /// The value of a position after this many moves; the others follow.
    Analyze(u32, VecDeque<NodeId>),
}

impl NBoard {
    /// # Errors
    /// The player does not play Othello.
    pub fn new(own: Option<Spec>) -> Result<NBoard, Error> {
        let variant: Variant = "othello".parse()?;
        own.iter().try_for_each(|spec| check(spec, &variant))?;
        Ok(NBoard {
            record: new_game(variant),
            own,
            player: Player::default(),
            depth: USUAL_DEPTH,
            is_refused: false,
            work: None,
        })
    }

    pub fn is_searching(&self) -> bool {
        self.work.is_some()
    }

    /// Handles a line. Unknown lines are ignored, as the protocol demands.
    pub fn take(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut reply = Reply::default();
        // Every line but these concerns another position or search.
        if !matches!(word, "" | "learn") && self.work.take().is_some() {
            reply.line("status");
        }
        match word {
            "nboard" => {
                reply.line("set myname mancalab");
                if rest != "2" {
                    reply.line("status mancalab speaks version 2 of the protocol");
                }
            }
            "set" => reply.status(self.set(rest)),
            "move" => {
                let played = self.play(rest);
                self.is_refused |= played.is_err();
                reply.status(played);
            }
            "ping" => reply.line(&format!("pong {rest}")),
            "learn" => reply.line("learned"),
            "go" => self.begin(&mut reply, Purpose::Go),
            "hint" => self.begin(&mut reply, Purpose::Hint(rest.parse().unwrap_or(1).max(1))),
            "analyze" if self.is_refused => self.begin(&mut reply, Purpose::Go),
            "analyze" => {
                let mut nodes: VecDeque<NodeId> = self.record.line().iter().map(|step| step.node).collect();
                nodes.push_front(0);
                self.analyze(&mut reply, 0, nodes);
            }
            "quit" => reply.quits = true,
            _ => {}
        }
        reply
    }

    fn set(&mut self, text: &str) -> Result<(), Error> {
        let (what, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match what {
            "depth" => {
                let depth = value.trim().parse().ok().filter(|depth| *depth > 0);
                self.depth =
                    depth.ok_or_else(|| format!("set depth: must be a number of plies, 1 or more (got {value})"))?;
            }
            "game" => {
                let record = ggf::read(value);
                self.is_refused = record.is_err();
                self.record = record.map_err(|broken| format!("set game: {}", broken.error))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, name: &str) -> Result<(), Error> {
        let mv = Othello::try_from(*self.record.position()).ok().and_then(|pos| ggf::move_named(&pos, name));
        let is_played = mv.is_some_and(|mv| self.record.play(mv));
        is_played.then_some(()).ok_or_else(|| format!("move: '{name}' is not legal").into())
    }

    /// Starts a search in the current position.
    fn begin(&mut self, reply: &mut Reply, purpose: Purpose) {
        if self.is_refused {
            return reply.line("status No position: the last game or move was refused");
        }
        if self.record.ending().is_some() {
            return reply.line("status The game is over");
        }
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let search = match purpose {
            Purpose::Go => Search::turn(&mut self.player, self.own.as_ref(), &self.record, limits, 1, &Pool::alone()),
            Purpose::Hint(_) | Purpose::Analyze(..) => {
                Some(Search::moves(&self.record, limits, MEMORY, &Pool::alone()))
            }
        };
        let status = if matches!(purpose, Purpose::Go) { "status Thinking" } else { "status Analyzing" };
        self.work = search.map(|search| Work { search, purpose });
        reply.line(status);
    }

    /// Values the first of these positions; `count` moves lead to it.
    fn analyze(&mut self, reply: &mut Reply, count: u32, mut nodes: VecDeque<NodeId>) {
        let at = self.record.at();
        let Some(node) = nodes.pop_front() else { return reply.line("status") };
        self.record.go_to(node);
        match self.record.ending() {
            Some(ending) => {
                let margin = ending.margin(self.record.position().side());
                reply.line(&format!("analysis {count} {margin}.00"));
                reply.line("status");
            }
            None => self.begin(reply, Purpose::Analyze(count, nodes)),
        }
        self.record.go_to(at);
    }

    /// Continues the search; returns its news.
    pub fn step(&mut self) -> Vec<String> {
        let Some(mut work) = self.work.take() else { return Vec::new() };
        let mut reply = Reply::default();
        let is_done = work.search.step();
        if let Some(report) = work.search.news().or_else(|| is_done.then(|| work.search.report())) {
            reply.lines.extend(work.lines(&report));
        }
        match work.purpose {
            _ if !is_done => self.work = Some(work),
            Purpose::Go => reply.lines.extend(work.answer()),
            Purpose::Hint(_) => reply.line("status"),
            Purpose::Analyze(count, nodes) => {
                let report = work.search.report();
                let value = report.lines.first().map_or("0.00".to_owned(), |line| value(line, &work.search));
                reply.line(&format!("analysis {count} {value}"));
                self.analyze(&mut reply, count + 1, nodes);
            }
        }
        reply.lines
    }
}

impl Work {
    /// The result so far.
    fn lines(&self, report: &Report) -> Vec<String> {
        let shown = match self.purpose {
            Purpose::Go => 1,
            Purpose::Hint(count) => count,
            Purpose::Analyze(..) => return Vec::new(),
        };
        let time = self.search.elapsed().as_secs_f64();
        let mut lines: Vec<String> = report.lines.iter().take(shown).map(|line| self.line(line)).collect();
        lines.push(format!("nodestats {} {time:.2}", report.nodes));
        lines
    }

    fn line(&self, line: &Line) -> String {
        let pv: String = line.pv.iter().map(|&mv| ggf::move_name(mv)).collect();
        let depth = if line.solved { "100%".to_owned() } else { line.depth.to_string() };
        format!("search {pv} {} 0 {depth}", value(line, &self.search))
    }

    /// The answer to `go`.
    fn answer(&self) -> Vec<String> {
        let report = self.search.report();
        let line = report.lines.first();
        let time = self.search.elapsed().as_secs_f64();
        let eval = line.map_or(String::new(), |line| value(line, &self.search));
        let best = self.search.best().map_or("PA".to_owned(), ggf::move_name);
        vec![format!("=== {best}/{eval}/{time:.2}"), "status".to_owned()]
    }
}

/// A value in discs, or in the unit of a player's evaluation.
fn value(line: &Line, search: &Search) -> String {
    match Value::from_line(line, search.position()) {
        Value::Margin(margin) => format!("{margin}.00"),
        Value::Evaluation(thousandths) => format!("{:.2}", thousandths as f64 / 1000.0),
        Value::Points(points) => format!("{:.2}", f64::from(points) / 5000.0 - 1.0),
        Value::Win(_) => "64.00".to_owned(),
        Value::Loss(_) => "-64.00".to_owned(),
    }
}
