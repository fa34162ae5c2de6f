//! A search for an engine: a player's turn, or the value of every move, with limits that end it from outside.

use std::time::{Duration, Instant};

use mancalab_base::Error;

use crate::budget::{Budget, Job as _, Status};
use crate::chosen;
use crate::cli::value::{Value, names, sort};
use crate::game::record::Record;
use crate::game::{Move, Position};
use crate::player::analysis::Question;
use crate::player::spec::MAX_DEPTH;
use crate::player::{AnalysisJob, MoveJob, Seat, Spec, TurnEnd, check_plays};
use crate::pool::Pool;
use crate::search::Report;

/// The limits of a search; without any it takes [`USUAL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::cli) struct Limits {
    pub depth: Option<u32>,
    /// Positions, checked between steps.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Only `stop` ends the search.
    pub infinite: bool,
    /// Until the values are those of perfect play.
    pub solve: bool,
}

const USUAL: Duration = Duration::from_secs(1);

/// A limit of time that a search never reaches; the player then has a best move at any time.
const ENDLESS: &str = "ms=3600000";

/// Duration of a step between two looks at the input.
const STEP: Duration = Duration::from_millis(20);

/// That of a search that counts positions: one slice, which ends after the same positions however busy the machine is.
const SLICE: Duration = Duration::ZERO;

/// Maximum wait for the first move of a search that is stopped: players without a move before their search ends may take longer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Minimum time between two reports at the same depth.
const SILENCE: Duration = Duration::from_secs(1);

impl Limits {
    fn is_none(&self) -> bool {
        *self == Limits::default()
    }

    /// The player of these limits: `minimax:D` for a depth, a solver for a solution, and otherwise the strongest search of the game
    /// without another player, which needs no file. `None` if only an analysis solves the game.
    pub fn player(&self, position: &Position) -> Option<Spec> {
        let plays =
            |text: &str| text.parse::<Spec>().ok().filter(|spec| check_plays(spec, &position.variant()).is_ok());
        if self.solve {
            let is_othello = matches!(position, Position::Othello(_));
            return plays("perfect").or_else(|| plays(&format!("minimax:{MAX_DEPTH}")).filter(|_| is_othello));
        }
        if let Some(depth) = self.depth {
            return plays(&format!("minimax:{}", depth.clamp(1, MAX_DEPTH)));
        }
        let strongest = ["perfect:", "minimax:60:"];
        strongest.iter().find_map(|player| plays(&format!("{player}{ENDLESS}")))
    }

    /// Returns what ends a turn within these limits. Without a limit of time or positions a player set by the user ends its turn itself, unless
    /// the search is infinite and the player has no limit of time.
    fn end(&self, own: Option<&Spec>) -> TurnEnd {
        match (self.time, self.nodes) {
            (Some(time), _) => TurnEnd::Time(time),
            (None, Some(nodes)) => TurnEnd::Positions(nodes),
            (None, None) if own.is_some_and(|own| own.is_timed() || !self.infinite) => TurnEnd::Player,
            (None, None) => TurnEnd::Anytime,
        }
    }

    /// The analysis of every move within these limits.
    fn question(&self, mb: usize) -> Question {
        let depth = self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        match self.solve {
            true => Question::Perfect,
            false => Question::AlphaBeta { depth, mb, solve: self.depth.is_none() },
        }
    }
}

/// The player of an engine, kept from turn to turn, so that its table serves the next.
#[derive(Default)]
pub(in crate::cli) struct Player {
    seat: Option<(Spec, Seat)>,
}

impl Player {
    /// Forgets what the turns of a game have left.
    pub fn rest(&mut self) {
        self.seat = None;
    }

    #[cfg(test)]
    pub fn is_ready(&self) -> bool {
        self.seat.is_some()
    }

    /// Prepares the player of these limits for the record's position, so that its first turn does not read files and reserve memory. One
    /// that has had a turn is ready.
    pub fn prepare(&mut self, own: Option<&Spec>, record: &Record, limits: Limits, seed: u64, pool: &Pool) {
        let Some(spec) = own.cloned().or_else(|| limits.player(record.position())) else { return };
        if record.ending().is_some() || self.seat.as_ref().is_some_and(|(kept, _)| *kept == spec) {
            return;
        }
        if let Some(mut thinking) = self.turn(&spec, record, seed, pool) {
            thinking.step(Budget::time(Duration::ZERO));
        }
    }

    fn turn(&mut self, spec: &Spec, record: &Record, seed: u64, pool: &Pool) -> Option<MoveJob> {
        let position = *record.position();
        let before = record.before();
        let turn = |seat: &Seat| seat.turn(position, before.clone(), record.ply(), seed);
        let kept = self.seat.as_ref().filter(|(kept, _)| kept == spec).and_then(|(_, seat)| turn(seat));
        kept.or_else(|| {
            let seat = Seat::new(position, spec, pool)?;
            let thinking = turn(&seat);
            self.seat = Some((spec.clone(), seat));
            thinking
        })
    }
}

enum Work {
    Turn(MoveJob),
    Moves(AnalysisJob),
}

/// A search in progress.
pub(in crate::cli) struct Search {
    work: Work,
    position: Position,
    limits: Limits,
    began: Instant,
    is_done: bool,
    /// The move and the value of the last line, its depth, and when it was reported.
    reported: Option<(Move, Value, u32)>,
    reported_at: Instant,
}

impl Search {
    /// A player's turn in the record's position; `None` if the player does not play the game.
    pub fn turn(
        player: &mut Player,
        own: Option<&Spec>,
        record: &Record,
        limits: Limits,
        seed: u64,
        pool: &Pool,
    ) -> Option<Search> {
        let spec = own.cloned().or_else(|| limits.player(record.position()))?;
        let thinking = player.turn(&spec, record, seed, pool)?;
        let time = limits.time.or_else(|| (limits.is_none() && own.is_none()).then_some(USUAL));
        let limits = Limits { time, ..limits };
        Some(Search::new(Work::Turn(thinking.ends(limits.end(own))), record, limits))
    }

    /// The values of all moves in the record's position, with a table of at most `mb` megabytes.
    pub fn moves(record: &Record, limits: Limits, mb: usize, pool: &Pool) -> Search {
        let position = *record.position();
        let before = record.before();
        let analysing = AnalysisJob::after(None, position, &before, limits.question(mb), pool);
        let time = limits.time.or_else(|| limits.is_none().then_some(USUAL));
        Search::new(Work::Moves(analysing), record, Limits { time, ..limits })
    }

    fn new(work: Work, record: &Record, limits: Limits) -> Search {
        let began = Instant::now();
        Search { work, position: *record.position(), limits, began, is_done: false, reported: None, reported_at: began }
    }

    /// Continues for a moment; returns whether the search has ended.
    pub fn step(&mut self) -> bool {
        let limit = if self.limits.nodes.is_some() { SLICE } else { STEP };
        let left = self.limits.time.map_or(limit, |time| time.saturating_sub(self.began.elapsed()).min(limit));
        if !self.is_done {
            let budget = Budget::time(left);
            let status = match &mut self.work {
                Work::Turn(thinking) => thinking.step(budget),
                Work::Moves(analysing) => analysing.step(budget),
            };
            self.is_done = status == Status::Done;
        } else if self.limits.infinite {
            std::thread::sleep(STEP);
        }
        (self.is_done && !self.limits.infinite) || (self.is_spent() && self.has_searched())
    }

    fn is_spent(&self) -> bool {
        let is_late = self.limits.time.is_some_and(|time| self.began.elapsed() >= time);
        is_late || self.limits.nodes.is_some_and(|nodes| self.report().nodes >= nodes)
    }

    /// Returns whether [`best`](Search::best) is a move that was searched.
    fn has_searched(&self) -> bool {
        let has_chosen = || matches!(&self.work, Work::Turn(thinking) if thinking.view().choice.is_some());
        self.is_done || has_chosen() || !self.report().lines.is_empty()
    }

    /// Continues until a move was searched, for a search that is stopped, but not for long.
    pub fn conclude(&mut self) {
        let stopped = Instant::now();
        while !self.has_searched() && stopped.elapsed() < PATIENCE {
            self.step();
        }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the result so far, the best move first.
    pub fn report(&self) -> Report {
        let mut report = match &self.work {
            Work::Turn(thinking) => {
                let view = thinking.view();
                let mut report = view.report.unwrap_or_default();
                view.best.into_iter().for_each(|choice| chosen::put_first(&mut report, choice));
                report
            }
            Work::Moves(analysing) => analysing.view().report,
        };
        if matches!(self.work, Work::Moves(_)) {
            sort(&mut report, &self.position);
        }
        report
    }

    /// Returns the move to play now: the player's, or the best so far; `None` if the game is over.
    pub fn best(&self) -> Option<Move> {
        let chosen = match &self.work {
            Work::Turn(thinking) => thinking.view().best,
            Work::Moves(_) => None,
        };
        let legal = |mv: &Move| self.position.is_legal(*mv);
        chosen.or_else(|| self.report().best()).filter(legal).or_else(|| self.position.moves().first().copied())
    }

    /// Returns why the player cannot move.
    pub fn failure(&self) -> Option<Error> {
        if let Work::Turn(thinking) = &self.work { thinking.view().failure } else { None }
    }

    /// Returns the result, if it differs from the one before or is some time later.
    pub fn news(&mut self) -> Option<Report> {
        let report = self.report();
        let line = report.lines.first()?;
        // The mean of simulated games changes with every one.
        let value = if line.tried.is_some() { Value::Points(0) } else { Value::from_line(line, &self.position) };
        let now = (line.mv, value, line.depth);
        if self.reported == Some(now) && self.reported_at.elapsed() < SILENCE {
            return None;
        }
        (self.reported, self.reported_at) = (Some(now), Instant::now());
        Some(report)
    }

    /// Returns the `info` lines of a report with at most `count` moves.
    pub fn info(&self, report: &Report, count: usize) -> Vec<String> {
        let time = self.elapsed();
        let speed = report.nodes as f64 / time.as_secs_f64().max(1e-6);
        let lines = report.lines.iter().take(count).zip(1..).map(|(line, number)| {
            let multipv = if count > 1 { format!(" multipv {number}") } else { String::new() };
            let solved = if line.solved { " solved" } else { "" };
            let score = Value::from_line(line, &self.position).score();
            let pv = names(&self.position, &line.pv).join(" ");
            let nodes = report.nodes;
            let time = time.as_millis();
            format!(
                "info depth {}{multipv} score {score}{solved} nodes {nodes} nps {speed:.0} time {time} pv {pv}",
                line.depth
            )
        });
        lines.collect()
    }
}
