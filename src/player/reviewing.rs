//! Having a game reviewed, as a job, for any game: each of its positions valued by alpha-beta, and the moves that were played judged.
//!
//! Every position is an analysis of its own, with a table of its own: what is found of one follows from it and the depth alone,
//! whatever was valued before and by how many threads, so that a review can be stopped, gone on with and extended. Little is lost
//! by it, since what a table knows holds for one depth, and the next position of a game is looked at a ply deeper.

use super::analysing::{Analysing, Question};
use crate::crew::Crew;
use crate::game::record::{Before, NodeId, Record};
use crate::game::referee::Why;
use crate::game::{Ending, Move, Position, Side};
use crate::search::{self, Report};
use crate::step::{Budget, Job, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How far the positions of a game are looked into, and what counts as a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions with no more plies than this to the end of the game are solved, where the game knows how many there are.
    pub solve: u32,
    /// A move that gives away so much is a mistake, in the game's own unit: the margin's seeds, or discs.
    pub mistake: u32,
    /// The same for a blunder; no less.
    pub blunder: u32,
    /// Memory for each position's table, in megabytes.
    pub mb: usize,
}

/// What a move is called that gives much away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Mark {
    Mistake,
    Blunder,
}

impl Mark {
    /// As games are commented everywhere.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// A position to be valued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    position: Position,
    before: Before,
    ending: Option<Ending>,
}

impl Asked {
    pub fn of(record: &Record, node: NodeId) -> Asked {
        let position = *record.position_at(node);
        Asked { position, before: record.before_at(node), ending: record.ending_at(node) }
    }
}

/// What a position is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The margin for South if both sides play their best, as far as was looked.
    pub south: i32,
    /// Plies looked ahead; 0 where the game has ended.
    pub depth: u32,
    /// The value is that of perfect play.
    pub solved: bool,
    /// The margin is no guide before the end of the game is seen, see [`Game::KEEPS`](crate::game::Game::KEEPS).
    passing: bool,
    /// Every legal move, best first, and among equals in the game's order. The first one's line is the principal variation.
    pub moves: Vec<search::Line>,
}

impl Valued {
    fn ended(position: &Position, ending: &Ending) -> Valued {
        // A rule that ends a game ends it in a draw, as the search has it too.
        let south = if ending.why == Why::NoMoves { position.margin(Side::South) } else { 0 };
        Valued { south, depth: 0, solved: true, passing: false, moves: Vec::new() }
    }

    fn found(position: &Position, report: Report) -> Valued {
        let order = position.moves();
        let mut moves = report.lines;
        moves.sort_by_key(|line| (-line.margin, order.iter().position(|&mv| mv == line.mv)));
        let margin = moves.first().map_or(0, |best| best.margin);
        let south = if position.side() == Side::South { margin } else { -margin };
        Valued { south, depth: report.depth, solved: report.solved, passing: !position.keeps(), moves }
    }

    /// Whether the value says who is ahead.
    pub fn is_firm(&self) -> bool {
        self.solved || !self.passing
    }

    /// The best move with its line; `None` where the game has ended.
    pub fn best(&self) -> Option<&search::Line> {
        self.moves.first()
    }

    /// What is known of a move.
    pub fn of(&self, mv: Move) -> Option<&search::Line> {
        self.moves.iter().find(|line| line.mv == mv)
    }

    /// What the mover gives away by `mv`: the best move's margin less this one's, 0 or more; `None` for no legal move.
    pub fn lost(&self, mv: Move) -> Option<u32> {
        let margin = self.of(mv)?.margin;
        self.best().map(|best| best.margin.abs_diff(margin))
    }

    /// What `mv` is called.
    pub fn mark(&self, mv: Move, terms: &Terms) -> Option<Mark> {
        let is_seen = |line: Option<&search::Line>| line.is_some_and(|line| line.solved);
        if self.passing && !(is_seen(self.best()) && is_seen(self.of(mv))) {
            return None;
        }
        match self.lost(mv)? {
            lost if lost >= terms.blunder => Some(Mark::Blunder),
            lost if lost >= terms.mistake => Some(Mark::Mistake),
            _ => None,
        }
    }
}

/// Positions being valued, in the order in which they were asked for.
pub struct Reviewing {
    asked: Vec<Asked>,
    terms: Terms,
    crew: Crew,
    lanes: Vec<Lane>,
    /// The first position that nobody has begun.
    next: AtomicUsize,
    found: Vec<Option<Arc<Valued>>>,
    busy: Duration,
}

/// One of the crew's position under way, and those it has done in a step.
#[derive(Default)]
struct Lane {
    at: Option<(usize, Analysing)>,
    found: Vec<(usize, Valued)>,
}

/// What there is to see of a review.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reviewed {
    /// A value for each position that was asked about, once it is known.
    pub found: Vec<Option<Arc<Valued>>>,
    /// Time spent on it.
    pub busy: Duration,
}

impl Reviewed {
    /// How many positions are valued.
    pub fn done(&self) -> usize {
        self.found.iter().flatten().count()
    }

    /// Until all are, if the rest takes as long as what is done did; `None` while nothing is.
    pub fn left(&self) -> Option<Duration> {
        let done = u32::try_from(self.done()).ok().filter(|done| *done > 0)?;
        let rest = u32::try_from(self.found.len()).unwrap_or(u32::MAX) - done;
        Some(self.busy / done * rest)
    }
}

impl Reviewing {
    pub fn new(asked: Vec<Asked>, terms: Terms, crew: &Crew) -> Reviewing {
        let found = vec![None; asked.len()];
        let (crew, next) = (crew.clone(), AtomicUsize::new(0));
        Reviewing { asked, terms, crew, lanes: Vec::new(), next, found, busy: Duration::ZERO }
    }

    fn is_done(&self) -> bool {
        self.found.iter().all(Option::is_some)
    }
}

impl Terms {
    fn question(&self, position: &Position) -> Question {
        let end = position.plies_left().filter(|plies| *plies <= self.solve).unwrap_or(0);
        Question::AlphaBeta { depth: self.depth.max(end), mb: self.mb }
    }
}

impl Lane {
    /// Values one position after the other until the budget is spent or none is left.
    fn step(&mut self, asked: &[Asked], terms: &Terms, next: &AtomicUsize, budget: Budget) {
        loop {
            let (index, mut analysis) = match self.at.take() {
                Some(at) => at,
                None => {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(Asked { position, before, ending }) = asked.get(index) else { return };
                    if let Some(ending) = ending {
                        self.found.push((index, Valued::ended(position, ending)));
                        continue;
                    }
                    (index, Analysing::new(*position, before, terms.question(position)))
                }
            };
            match analysis.step(budget) {
                Status::Done => self.found.push((index, Valued::found(&asked[index].position, analysis.view().report))),
                Status::Running => self.at = Some((index, analysis)),
            }
            if budget.is_spent() {
                return;
            }
        }
    }
}

impl Job for Reviewing {
    type View = Reviewed;

    fn step(&mut self, budget: Budget) -> Status {
        let _turn = self.crew.turn();
        let (started, budget) = (Instant::now(), budget.afresh());
        self.lanes.resize_with(self.crew.count(), Lane::default);
        let (asked, terms, next) = (&self.asked, &self.terms, &self.next);
        self.crew.lanes(&mut self.lanes, |lane| lane.step(asked, terms, next, budget));
        for (index, valued) in self.lanes.iter_mut().flat_map(|lane| lane.found.drain(..)) {
            self.found[index] = Some(Arc::new(valued));
        }
        self.busy += started.elapsed();
        if self.is_done() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> Reviewed {
        Reviewed { found: self.found.clone(), busy: self.busy }
    }
}
