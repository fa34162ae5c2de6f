//! Analysis of a position as a job, for any game: a search's result for every move.
//!
//! Alpha-beta returns each move's minimax value at its depth; Monte Carlo simulates games and returns their mean results. The
//! result follows from the position and the question alone: the same position gives the same figures in any game at any time. In Oware,
//! Awari and checkers it also follows from the endgame table, if there is one.

use std::time::{Duration, Instant};

use mancalab_base::{Error, bail};

use super::budget::{Budget, Job, Status};
use super::game::kalah::Kalah;
use super::game::othello::IN_SIGHT;
use super::game::record::Before;
use super::game::{Game, GameState, Position, with_position};
use super::perfect::{self, TABLE_MB, is_solvable};
use super::pool::Pool;
use super::search::mcts::Rollout;
use super::search::selective::{self, Aim, Selective};
use super::search::{Analysis, MAX_DEPTH, Mcts, Report, SearchHints, Table};
use super::selective::endgame::{BEFORE_SOLVING, EndgameSearch, Goal};
use super::selective::{LearnedGame, evaluator};
use super::settings::string_enum;
use super::tables::MoveSolver;
use super::{Purpose, rng};

/// The search of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    #[default]
    AlphaBeta,
    MonteCarlo,
}

impl Engine {
    /// Returns the display name.
    pub fn title(self) -> &'static str {
        match self {
            Engine::AlphaBeta => "Alpha-beta",
            Engine::MonteCarlo => "Monte Carlo",
        }
    }

    /// Returns the other engine.
    #[must_use]
    pub fn other(self) -> Engine {
        match self {
            Engine::AlphaBeta => Engine::MonteCarlo,
            Engine::MonteCarlo => Engine::AlphaBeta,
        }
    }
}
string_enum!(Engine { "alpha-beta" => AlphaBeta, "mcts" => MonteCarlo });

/// The search to run, with its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The value of every move, deepening to at most `depth` plies, with a transposition table of at most `mb` megabytes, or by a
    /// learned evaluation of at most 64. With `solve`, positions of Kalah are solved at the same time, with a table of the same size.
    AlphaBeta { depth: u32, mb: usize, solve: bool },
    /// The exact value of every move; see [`termination`].
    Perfect,
    /// The results of games after every move, from this number of simulated games, with a tree of at most `mb` megabytes.
    MonteCarlo { games: u64, mb: usize },
}

/// How the search for [exact values](Question::Perfect) ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// With the values.
    Ends,
    /// With the values if every move is decided within [`MAX_DEPTH`] plies; the game has no solver for this position.
    MayNotEnd,
}

/// Returns how the search for the exact values of `position` ends.
///
/// # Errors
/// The position is beyond the limit of the game's solver, which is named.
pub fn termination(position: &Position) -> Result<Termination, Error> {
    match position {
        Position::Othello(pos) if pos.empty() > IN_SIGHT && !pos.is_over() => {
            bail!("Othello is solved from {IN_SIGHT} empty squares on (this position has {})", pos.empty())
        }
        Position::Othello(_) => Ok(Termination::Ends),
        _ if is_solvable(position) => Ok(Termination::Ends),
        _ => Ok(Termination::MayNotEnd),
    }
}

/// An analysis in progress.
pub struct AnalysisJob {
    analyst: Box<dyn Analyst>,
    busy: Duration,
}

/// A snapshot of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisView {
    pub report: Report,
    /// Time spent on it.
    pub busy: Duration,
}

/// A Monte Carlo search with its number of games.
struct LimitedMcts<G: SearchHints> {
    search: Mcts<G>,
    games: u64,
}

impl<G: SearchHints> Analyst for LimitedMcts<G> {
    fn step(&mut self, budget: Budget) -> Status {
        self.search.step(self.games, budget)
    }

    fn report(&self) -> Report {
        self.search.report()
    }
}

fn analyst<G: SearchHints + TryFrom<Position>>(
    pos: &G,
    before: &Before,
    question: Question,
    pool: &Pool,
) -> Box<dyn Analyst> {
    let game_state = GameState::after(*pos, before.history(pos), 0);
    match question {
        Question::AlphaBeta { depth, mb, .. } => Box::new(Analysis::new(game_state, depth, Table::new(mb)).on(pool)),
        Question::Perfect => Box::new(Analysis::new(game_state, MAX_DEPTH, Table::new(TABLE_MB)).on(pool)),
        Question::MonteCarlo { games, mb } => {
            let rng = rng::keyed(&[Purpose::Analysis as u64]);
            Box::new(LimitedMcts { search: Mcts::new(game_state, Rollout::default(), rng).in_memory(mb), games })
        }
    }
}

fn by_evaluation<G: LearnedGame + TryFrom<Position>>(
    pos: G,
    before: &Before,
    (depth, mb): (u32, usize),
    pool: &Pool,
) -> Box<dyn Analyst> {
    Box::new(LearnedAnalyst::new(GameState::after(pos, before.history(&pos), 0), depth, mb, pool))
}

impl AnalysisJob {
    /// Starts the analysis of `position`, reached by the moves in `before`.
    pub fn new(position: Position, before: &Before, question: Question) -> AnalysisJob {
        AnalysisJob::after(None, position, before, question, &Pool::alone())
    }

    /// The same, with the solver's table of an earlier analysis, and on all threads of a pool. Neither changes a value: an
    /// exact search is divided among the threads, and estimates by learned evaluations and simulated games are made on one thread.
    pub fn after(
        earlier: Option<AnalysisJob>,
        position: Position,
        before: &Before,
        question: Question,
        pool: &Pool,
    ) -> AnalysisJob {
        let to_solve = match (position, question) {
            (Position::Kalah(pos), Question::AlphaBeta { depth, mb, solve: true }) => Some((pos, Some(depth), mb)),
            (Position::Kalah(pos), Question::Perfect) => Some((pos, None, TABLE_MB)),
            _ => None,
        };
        let solver = earlier.and_then(|earlier| earlier.analyst.into_solver());
        let analyst = match (position, question) {
            (Position::Othello(pos), Question::AlphaBeta { depth, mb, .. }) => {
                by_evaluation(pos, before, (depth, mb), pool)
            }
            (Position::Othello(pos), Question::Perfect) => by_evaluation(pos, before, (MAX_DEPTH, TABLE_MB), pool),
            (Position::Checkers(pos), Question::AlphaBeta { depth, mb, .. }) => {
                by_evaluation(pos, before, (depth, mb), pool)
            }
            _ => {
                match to_solve.map(|(pos, depth, mb)| perfect::SolverAnalysis::new(pos, true, depth, mb, solver, pool))
                {
                    Some(Ok(analysis)) => Box::new(analysis),
                    _ => with_position!(position, pos => analyst(&pos, before, question, pool)),
                }
            }
        };
        AnalysisJob { analyst, busy: Duration::ZERO }
    }

    /// Starts the solution of the first best move alone, which takes less time than that of all; `None` beyond the solver's limit.
    pub(crate) fn first_best(earlier: Option<AnalysisJob>, pos: Kalah, pool: &Pool) -> Option<AnalysisJob> {
        let solver = earlier.and_then(|earlier| earlier.analyst.into_solver());
        let analysis = perfect::SolverAnalysis::new(pos, false, None, TABLE_MB, solver, pool).ok()?;
        Some(AnalysisJob { analyst: Box::new(analysis), busy: Duration::ZERO })
    }
}

impl Job for AnalysisJob {
    type View = AnalysisView;

    fn step(&mut self, budget: Budget) -> Status {
        let started = Instant::now();
        let status = self.analyst.step(budget);
        self.busy += started.elapsed();
        status
    }

    fn view(&self) -> AnalysisView {
        AnalysisView { report: self.analyst.report(), busy: self.busy }
    }
}

/// An analysis of any game.
pub(crate) trait Analyst: Send {
    fn step(&mut self, budget: Budget) -> Status;
    fn report(&self) -> Report;
    /// Returns the solver, for another position.
    fn into_solver(self: Box<Self>) -> Option<MoveSolver> {
        None
    }
}

impl<G: SearchHints> Analyst for Analysis<G> {
    fn step(&mut self, budget: Budget) -> Status {
        Analysis::step(self, budget)
    }

    fn report(&self) -> Report {
        Analysis::report(self)
    }
}

/// The analysis of a position: every move's value by the learned evaluation, or exact once the end of a game of Othello is near.
pub(crate) struct LearnedAnalyst<G: LearnedGame> {
    game_state: GameState<G>,
    depth: u32,
    mb: usize,
    pool: Pool,
    /// `None` before the first step.
    search: Option<EndgameSearch<G, Analysis<G>>>,
}

impl<G: LearnedGame> LearnedAnalyst<G> {
    /// An analysis to `depth` plies, which is exact, on all threads of `pool`, if the game may end within them. It reads the
    /// weights with its first step.
    pub fn new(game_state: GameState<G>, depth: u32, mb: usize, pool: &Pool) -> LearnedAnalyst<G> {
        LearnedAnalyst { game_state, depth, mb, pool: pool.clone(), search: None }
    }

    fn begin(&self) -> EndgameSearch<G, Analysis<G>> {
        let pos = self.game_state.pos();
        let is_exact = pos.plies_left().is_some_and(|plies| plies <= self.depth);
        let (goal, depth) = match (pos.plies_to_solve().filter(|_| is_exact), self.depth) {
            (None, depth) => (Goal::Estimates, depth),
            // Nothing else ends it: it may be stopped at any time.
            (Some(empty), MAX_DEPTH) => (Goal::Both(empty), empty),
            (Some(_), _) => (Goal::Exact, BEFORE_SOLVING),
        };
        let evaluator = G::with_tables(evaluator::<G>(None));
        let aim = Aim { depth, all: true };
        let table = if self.depth == MAX_DEPTH { selective::Table::kept() } else { selective::Table::default() };
        let estimates = Selective::new(self.game_state.clone(), evaluator, aim, table);
        EndgameSearch::new(Some(estimates.averaged()), goal)
    }
}

impl<G: LearnedGame> Analyst for LearnedAnalyst<G> {
    fn step(&mut self, budget: Budget) -> Status {
        let mut search = self.search.take().unwrap_or_else(|| self.begin());
        let exact = || Analysis::new(self.game_state.clone(), self.depth, Table::new(self.mb)).on(&self.pool);
        let status = search.step(budget, exact);
        self.search = Some(search);
        status
    }

    fn report(&self) -> Report {
        self.search.as_ref().map(EndgameSearch::report).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::search::MoveStatistics;

    fn start() -> Position {
        "kalah:6x4".parse::<Variant>().unwrap().start()
    }

    fn asked(position: Position, question: Question, mut budget: impl FnMut() -> Budget) -> Report {
        let mut job = AnalysisJob::new(position, &Before::default(), question);
        while job.step(budget()) == Status::Running {}
        job.view().report
    }

    #[test]
    fn games_are_counted_and_the_move_tried_most_comes_first() {
        let report = asked(start(), Question::MonteCarlo { games: 3000, mb: 64 }, || Budget::UNLIMITED);
        let tried: Vec<MoveStatistics> = report.lines.iter().map(|line| line.tried.unwrap()).collect();
        assert_eq!((report.games, tried.len()), (3000, 6));
        assert_eq!(tried.iter().map(|tried| tried.visits).sum::<u64>(), 3000);
        assert!(tried.is_sorted_by_key(|tried| std::cmp::Reverse(tried.visits)));
        assert!(tried.iter().all(|tried| tried.mean > 0 && tried.mean < MoveStatistics::UNIT && tried.exploration > 0));
        assert!(report.lines.iter().all(|line| line.pv.first() == Some(&line.mv) && line.pv.len() > 1));
    }

    #[test]
    fn the_same_position_gives_the_same_figures_however_the_work_is_cut() {
        for question in
            [Question::MonteCarlo { games: 2000, mb: 1 }, Question::AlphaBeta { depth: 7, mb: 1, solve: false }]
        {
            let whole = asked(start(), question, || Budget::UNLIMITED);
            assert_eq!(whole, asked(start(), question, || Budget::time(Duration::ZERO)), "{question:?}");
        }
    }

    #[test]
    fn a_tree_keeps_to_its_memory_and_continues_counting() {
        let small = asked(start(), Question::MonteCarlo { games: 30_000, mb: 1 }, || Budget::UNLIMITED);
        let large = asked(start(), Question::MonteCarlo { games: 30_000, mb: 64 }, || Budget::UNLIMITED);
        assert!(small.nodes * 16 < 1 << 20 && small.nodes < large.nodes, "{} of {}", small.nodes, large.nodes);
        assert_eq!((small.games, small.best()), (30_000, large.best()));
    }

    #[test]
    fn texts_name_the_searches() {
        for engine in [Engine::AlphaBeta, Engine::MonteCarlo] {
            assert_eq!(engine.to_string().parse(), Ok(engine));
            assert_eq!((engine.other() == engine, engine.other().other()), (false, engine));
        }
    }
}
