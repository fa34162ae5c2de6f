//! Review of a game as a job, for any game: every position is valued, and the moves that were played are rated.
//!
//! First a solver goes from the end of the game back, where the game has one. Alpha-beta, or the selective search, values
//! what it leaves. Every search is an analysis of its own with its own table: its result follows from the position and the depth
//! alone (and from the endgame table of Oware, Awari or checkers, if there is one), whatever was valued before and by how many
//! threads, so a review can be stopped, resumed and extended. This costs little, since table entries hold for one depth, and the next
//! position of a game is searched one ply deeper. Exact values are the same whatever was valued before; only how far back they reach
//! may depend on it.
//!
//! Exact values of a game of Kalah, from its last position to its first.
//!
//! The solver meets later positions again on its way from earlier ones, so it goes back with one table. A position's value comes first;
//! that of the move to the next position follows from the next one's. Those of other moves are found where that takes few nodes:
//! bad moves take far more than the position's value.

#[cfg(test)]
mod tests;
mod valued;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::analysis::{AnalysisJob, Question};
use super::budget::{Budget, Job, Status};
use super::game::kalah::Kalah;
use super::game::record::{Before, NodeId, Record};
use super::game::{Ending, Game as _, Move, Position, with_position};
use super::perfect::TABLE_MB;
use super::pool::Pool;
use super::search::{Line, Report, SearchHints as _};
use super::tables::{MoveSolver, Solver};

pub use valued::{GivenAway, Loss, Mark, PositionValue, accuracy};

/// The depth of a review, and the thresholds for mistakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Plies to search where a position is not solved.
    pub depth: u32,
    pub effort: Effort,
    /// Positions with at most this many empty squares are solved, in games that fill one with every move. 0: no solver is used in any
    /// game, unless the effort is unlimited.
    pub solve: u32,
    /// A move that loses at least this much of the chance of winning is a mistake, in percentage points.
    pub mistake: u32,
    /// The threshold for a blunder, at least that for a mistake.
    pub blunder: u32,
    /// Memory of each position's table, in megabytes.
    pub mb: usize,
}

/// How much the solver of Kalah may search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Half a second for each position with few seeds: the answer comes before a person has moved.
    Quick,
    /// Seconds for each position.
    Usual,
    /// Without a limit: every position and every move is solved.
    Unlimited,
}

/// A position to evaluate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRequest {
    position: Position,
    before: Before,
    ending: Option<Ending>,
}

impl PositionRequest {
    pub fn new(record: &Record, node: NodeId) -> PositionRequest {
        let position = *record.position_at(node);
        PositionRequest { position, before: record.before_at(node), ending: record.ending_at(node) }
    }
}

/// A review in progress.
pub struct ReviewJob {
    requests: Vec<PositionRequest>,
    terms: Terms,
    pool: Pool,
    exact: Exact,
    workers: Vec<WorkerState>,
    /// Positions to search, with the exact values that are known there.
    open: Vec<(usize, Report)>,
    /// The first of them not started yet.
    next: AtomicUsize,
    found: Vec<Option<Arc<PositionValue>>>,
    busy: Duration,
}

/// A worker's search in progress with the place of its position among the open ones, and those it finished in this step.
#[derive(Default)]
struct WorkerState {
    current: Option<(usize, AnalysisJob)>,
    found: Vec<(usize, PositionValue)>,
}

/// A snapshot of a review.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReviewView {
    /// A value for each position, once it is known.
    pub found: Vec<Option<Arc<PositionValue>>>,
    /// Time spent on it.
    pub busy: Duration,
}

impl ReviewView {
    /// Returns the number of positions evaluated.
    pub fn done(&self) -> usize {
        self.found.iter().flatten().count()
    }

    /// Returns the estimated time left, from the mean time per position that was searched; `None` before the first.
    pub fn left(&self) -> Option<Duration> {
        let rest = u32::try_from(self.found.len() - self.done()).unwrap_or(u32::MAX);
        if rest == 0 {
            // Before the first report nothing has been asked for.
            return (!self.found.is_empty()).then_some(Duration::ZERO);
        }
        let searched = self.found.iter().flatten().filter(|valued| valued.nodes > 0).count();
        Some(self.busy / u32::try_from(searched).ok().filter(|searched| *searched > 0)? * rest)
    }

    /// Returns nodes per second; `None` before the first result.
    pub fn speed(&self) -> Option<u64> {
        let nodes: u64 = self.found.iter().flatten().map(|valued| valued.nodes).sum();
        (nodes > 0 && !self.busy.is_zero()).then(|| (nodes as f64 / self.busy.as_secs_f64()) as u64)
    }
}

impl ReviewJob {
    pub fn new(requests: Vec<PositionRequest>, terms: Terms, pool: &Pool) -> ReviewJob {
        let value = |request: &PositionRequest| {
            request.ending.map(|ending| Arc::new(PositionValue::ended(&request.position, &ending)))
        };
        let found: Vec<_> = requests.iter().map(value).collect();
        let unknown = (0..requests.len()).filter(|&index| found[index].is_none());
        let (to_solve, open): (Vec<usize>, Vec<usize>) =
            unknown.partition(|&index| terms.solves(&requests[index].position));
        ReviewJob {
            requests,
            terms,
            pool: pool.clone(),
            exact: Exact::new(to_solve, terms.effort),
            workers: Vec::new(),
            open: open.into_iter().map(|index| (index, Report::default())).collect(),
            next: AtomicUsize::new(0),
            found,
            busy: Duration::ZERO,
        }
    }

    fn is_done(&self) -> bool {
        self.found.iter().all(Option::is_some)
    }

    fn take(&mut self, index: usize, valued: PositionValue) {
        self.found[index] = Some(Arc::new(valued));
    }
}

/// See [`SearchHints::plies_left`](crate::search::SearchHints::plies_left).
fn plies_left(position: &Position) -> Option<u32> {
    with_position!(position, pos => pos.plies_left())
}

impl Terms {
    /// Whether a review asks the solver of Kalah about a position, which may be beyond it.
    pub fn solves(&self, position: &Position) -> bool {
        let Position::Kalah(pos) = position else { return false };
        match self.effort {
            Effort::Quick => self.solve > 0 && is_quick(pos),
            Effort::Usual => self.solve > 0,
            Effort::Unlimited => true,
        }
    }

    /// Plies to search a position: to the end of the game where that is near enough.
    pub fn depth_at(&self, position: &Position) -> u32 {
        let end = plies_left(position).filter(|plies| *plies <= 2 * self.solve).unwrap_or(0);
        self.depth.max(end)
    }
}

impl WorkerState {
    /// Searches positions until the budget is spent or none is left.
    fn step(
        &mut self,
        requests: &[PositionRequest],
        terms: &Terms,
        (open, next): (&[(usize, Report)], &AtomicUsize),
        budget: Budget,
    ) {
        loop {
            let (place, mut analysis) = match self.current.take() {
                Some(at) => at,
                None => {
                    // The number stays that of the next one: more may follow.
                    let claim = |place| (place < open.len()).then_some(place + 1);
                    let Ok(place) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim) else { return };
                    let PositionRequest { position, before, .. } = &requests[open[place].0];
                    let question = Question::AlphaBeta { depth: terms.depth_at(position), mb: terms.mb, solve: false };
                    (place, AnalysisJob::after(None, *position, before, question, &Pool::alone()))
                }
            };
            match analysis.step(budget) {
                Status::Done => {
                    let (index, exact) = &open[place];
                    let report = merged(exact, analysis.view().report);
                    let position = &requests[*index].position;
                    let is_beyond = !report.solved && terms.effort != Effort::Quick && terms.solves(position);
                    let mut valued = PositionValue::found(position, report);
                    valued.is_beyond = is_beyond;
                    self.found.push((*index, valued));
                }
                Status::Running => self.current = Some((place, analysis)),
            }
            if budget.is_spent() {
                return;
            }
        }
    }
}

impl Job for ReviewJob {
    type View = ReviewView;

    fn step(&mut self, budget: Budget) -> Status {
        let pool = self.pool.clone();
        let _turn = pool.turn();
        let started = Instant::now();
        let budget = budget.afresh();
        self.workers.resize_with(pool.count(), WorkerState::default);
        let ReviewJob { requests, terms, exact, workers, open, next, .. } = self;
        let mut exact = Some(exact);
        // One worker solves, since a position's table is that of the next; the others search what it leaves.
        let mut parts: Vec<_> = workers.iter_mut().map(|worker| (worker, exact.take())).collect();
        pool.map_each(&mut parts, |(worker, exact)| {
            if exact.as_mut().is_none_or(|exact| exact.step(requests, budget) == Status::Done) {
                worker.step(requests, terms, (open, next), budget);
            }
        });
        for (index, report) in self.exact.take_found() {
            let is_whole = report.solved && report.lines.len() == self.requests[index].position.moves().len();
            match is_whole {
                true => self.take(index, PositionValue::found(&self.requests[index].position, report)),
                false => self.open.push((index, report)),
            }
        }
        let found: Vec<_> = self.workers.iter_mut().flat_map(|worker| worker.found.drain(..)).collect();
        found.into_iter().for_each(|(index, valued)| self.take(index, valued));
        self.busy += started.elapsed();
        if self.is_done() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> ReviewView {
        ReviewView { found: self.found.clone(), busy: self.busy }
    }
}

/// Nodes that a position's value may take; and with its other moves.
const NODES: u64 = 1 << 24;
const WITH_MOVES: u64 = NODES / 32;
/// Nodes of a quick answer, and seeds in the pits from which on a position's value usually takes no more.
const QUICK: u64 = NODES / 8;
const QUICK_SEEDS: i32 = 28;

/// Solutions in progress.
struct Exact {
    /// The positions to solve, the next one last.
    left: Vec<usize>,
    effort: Effort,
    current: Option<(usize, MoveSolver)>,
    /// The solver of the last position, whose table the next one uses.
    before: Option<MoveSolver>,
    /// A position took too many nodes: those before it are harder, and only what is known without a search is taken of them.
    has_given_up: bool,
    /// The last position with its margin for the side to move, if it is known.
    last: Option<(Kalah, i32)>,
    found: Vec<(usize, Report)>,
}

impl Exact {
    pub fn new(left: Vec<usize>, effort: Effort) -> Exact {
        Exact { left, effort, current: None, before: None, has_given_up: false, last: None, found: Vec::new() }
    }

    /// Returns the positions that were finished since the last call: with the value and all moves, the value and some, or nothing.
    pub fn take_found(&mut self) -> Vec<(usize, Report)> {
        std::mem::take(&mut self.found)
    }

    /// Solves positions until the budget is spent or none is left.
    pub fn step(&mut self, requests: &[PositionRequest], budget: Budget) -> Status {
        loop {
            let (index, mut solver) = match self.current.take() {
                Some(at) => at,
                None => {
                    let Some(index) = self.left.pop() else { return Status::Done };
                    if self.before.is_none() {
                        self.before = self.largest(index, requests);
                    }
                    let Some(solver) = self.begin(&requests[index].position) else {
                        self.found.push((index, Report::default()));
                        continue;
                    };
                    (index, solver)
                }
            };
            if self.solve(&requests[index].position, &mut solver, budget) == Status::Running {
                self.current = Some((index, solver));
                return Status::Running;
            }
            self.finish(index, &requests[index].position, &solver);
            self.before = Some(solver);
            if budget.is_spent() && !self.left.is_empty() {
                return Status::Running;
            }
        }
    }

    /// A solver of the first position that needs one: its tables serve all that follow, which have fewer seeds.
    fn largest(&self, next: usize, requests: &[PositionRequest]) -> Option<MoveSolver> {
        let solver = |&index: &usize| match &requests[index].position {
            Position::Kalah(pos) => MoveSolver::new(pos, true, TABLE_MB, None).ok(),
            _ => None,
        };
        self.left.iter().chain([&next]).filter_map(solver).find(|solver| solver.solver().is_some())
    }

    /// `None` if the position is beyond the solver.
    fn begin(&mut self, position: &Position) -> Option<MoveSolver> {
        let Position::Kalah(pos) = position else { return None };
        Solver::check(pos).ok()?;
        let solver = MoveSolver::new(pos, true, TABLE_MB, self.before.take()).ok()?;
        if self.has_given_up && !solver.is_solved() {
            self.before = Some(solver);
            return None;
        }
        Some(solver)
    }

    fn solve(&self, position: &Position, solver: &mut MoveSolver, budget: Budget) -> Status {
        loop {
            // One slice at a time: the nodes at which it ends do not depend on its speed.
            if solver.step(Budget::time(Duration::ZERO)) == Status::Done {
                return Status::Done;
            }
            let nodes = solver.solver().map_or(0, |solver| solver.solution().nodes);
            let is_valued = value_line(solver).is_some_and(|line| ends_game(*position, &line.pv));
            let most = match self.effort {
                Effort::Unlimited => u64::MAX,
                Effort::Usual if !is_valued => NODES,
                Effort::Quick if !is_valued => QUICK,
                _ => WITH_MOVES,
            };
            if nodes >= most {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    fn finish(&mut self, index: usize, position: &Position, solver: &MoveSolver) {
        let mut report = Report::from(solver);
        let best = value_line(solver).or_else(|| report.lines.first().filter(|_| report.solved).cloned());
        if let (Position::Kalah(pos), Some(best)) = (position, &best) {
            report.solved = true;
            let known: Vec<Line> = pos
                .moves()
                .filter_map(|mv| Some(line(vec![mv], self.margin(pos, mv)?)))
                .chain([best.clone()])
                .collect();
            for line in known {
                match report.lines.iter_mut().find(|found| found.mv == line.mv) {
                    Some(found) if found.pv.len() < line.pv.len() => *found = line,
                    Some(_) => {}
                    None => report.lines.push(line),
                }
            }
            report.depth = best.depth;
            self.last = Some((*pos, best.margin));
        } else {
            self.has_given_up = true;
            (report, self.last) = (Report { nodes: report.nodes, ..Report::default() }, None);
        }
        self.found.push((index, report));
    }

    /// The margin of a move to the last position, or to the end of the game.
    fn margin(&self, pos: &Kalah, mv: Move) -> Option<i32> {
        let child = pos.play(mv);
        if child.is_over() {
            return Some(child.margin(pos.side()));
        }
        let (last, margin) = self.last.filter(|(last, _)| *last == child)?;
        Some(if last.side() == pos.side() { margin } else { -margin })
    }
}

/// Whether the position is a start with known values, or has few enough seeds to be solved while a person thinks.
fn is_quick(pos: &Kalah) -> bool {
    pos.reach() <= QUICK_SEEDS || MoveSolver::is_in_book(pos)
}

fn ends_game(mut position: Position, moves: &[Move]) -> bool {
    for &mv in moves {
        position = position.play(mv);
    }
    position.is_over()
}

/// The best line of a position whose value is known, as far as it is known.
fn value_line(solver: &MoveSolver) -> Option<Line> {
    let solution = solver.solver()?.solution();
    let (least, most) = solution.margins;
    (least == most && !solution.line.is_empty()).then(|| line(solution.line, least))
}

fn line(pv: Vec<Move>, margin: i32) -> Line {
    Line { mv: pv[0], margin, depth: pv.len() as u32, solved: true, pv, tried: None, weighed: None }
}

/// The estimates of a search with exact values in their places. No estimate is above the exact value of the position.
fn merged(exact: &Report, mut estimates: Report) -> Report {
    estimates.nodes += exact.nodes;
    let Some(value) = exact.lines.iter().map(|line| line.margin).max().filter(|_| exact.solved) else {
        return estimates;
    };
    for line in &mut estimates.lines {
        match exact.lines.iter().find(|known| known.mv == line.mv) {
            Some(known) => *line = known.clone(),
            None => line.margin = line.margin.min(value),
        }
    }
    Report { solved: true, ..estimates }
}
