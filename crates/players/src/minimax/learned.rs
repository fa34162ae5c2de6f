//! The player with a learned evaluation: a selective search, or near the end of a game of Othello an exact one.
//!
//! Several threads search exactly, and selectively against the clock: estimates to a depth would depend on their timing.

use super::{Minimax, TABLE_MB};
use crate::budget::{Budget, Status};
use crate::clock::Timer;
use crate::game::Move;
use crate::kind::PlayerKind as _;
use crate::search::selective::{self, Aim, Selective};
use crate::search::{Limits, MAX_DEPTH, Report, Search, Table, Threads};
use crate::selective::endgame::{BEFORE_SOLVING, EndgameSearch, Goal};
use crate::selective::{LearnedGame, evaluator};
use crate::{Player, Purpose, Turn, TurnEnd, rng};
use rand::{Rng as _, RngExt as _};

/// Empty squares beyond the depth from which a search solves the rest instead: this takes about as long as a search to the
/// depth before.
const SOLVED_AHEAD: u32 = 6;

/// Empty squares that are solved so fast that estimates before are a waste, unless there is a clock.
const SOLVED_AT_ONCE: u32 = 14;

/// A minimax player with a learned evaluation.
pub(crate) struct LearnedPlayer<G: LearnedGame> {
    settings: Minimax,
    timer: Timer,
    evaluator: Option<G::Evaluator>,
    turn: Option<Turn<G>>,
    search: Option<EndgameSearch<G, Search<G>>>,
    table: selective::Table,
}

/// Memory that an idle player keeps, in bytes.
const AT_REST: usize = 1 << 20;

impl<G: LearnedGame> LearnedPlayer<G> {
    pub fn new(settings: Minimax) -> LearnedPlayer<G> {
        let timer = Timer::new(settings.time, settings.clock);
        LearnedPlayer { settings, timer, evaluator: None, turn: None, search: None, table: selective::Table::default() }
    }

    /// Returns the threads of a selective search.
    fn threads(settings: &Minimax) -> Threads {
        if settings.is_timed() { settings.threads() } else { Threads::ONE }
    }

    /// Whether the rest of the game is to be solved.
    fn is_near_end(&self, pos: &G) -> bool {
        pos.plies_to_solve().is_some_and(|plies| plies <= self.settings.depth + SOLVED_AHEAD)
    }

    fn begin(&mut self, turn: &Turn<G>) {
        self.timer.begin(turn);
        self.turn = Some(turn.clone());
        let depth = self.settings.depth;
        let is_timed = self.timer.remaining().is_some();
        let (goal, depth) = match (turn.pos.plies_to_solve().filter(|_| self.is_near_end(&turn.pos)), turn.end) {
            (None, _) => (Goal::Estimates, depth),
            (Some(empty), TurnEnd::Anytime) if is_timed => (Goal::Both(empty), depth.min(empty)),
            (Some(empty), _) if is_timed => (Goal::Limited(empty), depth.min(empty)),
            (Some(_), _) => (Goal::Exact, BEFORE_SOLVING.min(depth)),
        };
        if is_timed && !self.table.is_kept() {
            self.table = selective::Table::kept();
        }
        let is_short = turn.pos.plies_to_solve().is_some_and(|plies| plies <= SOLVED_AT_ONCE);
        let estimates = (goal != Goal::Exact || !is_short).then(|| self.estimates(turn, depth));
        self.search = Some(EndgameSearch::new(estimates, goal));
    }

    fn estimates(&mut self, turn: &Turn<G>, depth: u32) -> Selective<G, G::Evaluator> {
        let settings = &self.settings;
        let evaluator = self.evaluator.get_or_insert_with(|| {
            let evaluator = G::for_play(evaluator::<G>(settings.weights.as_ref()));
            let evaluator = if settings.is_timed() { G::in_time(evaluator) } else { evaluator };
            if settings.tables { G::with_tables(evaluator) } else { evaluator }
        });
        let aim = Aim { depth, all: settings.ties.needs_all() || settings.spread > 0.0 };
        let table = std::mem::take(&mut self.table);
        let search = Selective::new(turn.game_state(), evaluator.clone(), aim, table).on(Self::threads(settings));
        if settings.is_timed() { search.by_two_plies() } else { search }
    }

    fn step(&mut self, turn: &Turn<G>, budget: Budget) -> Status {
        let settings = &self.settings;
        if let Some(search) = &mut self.search {
            let nodes = search.estimates.as_ref().map_or(0, |estimates| estimates.nodes());
            if let Some(left) = self.timer.remaining() {
                let pace = nodes as f64 / self.timer.spent().as_secs_f64().max(1e-6);
                search.afford_time_of(pace * left.as_secs_f64());
            }
            if let TurnEnd::Positions(limit) = turn.end {
                search.afford_at_most(limit.saturating_sub(nodes) as f64);
            }
        }
        let exact = || {
            let seed = turn.rng(Purpose::Tie).next_u64();
            let spread = settings.spread_in_margins(&turn.pos);
            let limits = Limits { depth: MAX_DEPTH, ties: settings.ties, spread, seed, every_depth: false };
            Search::with_table(turn.game_state(), limits, Table::new(TABLE_MB)).on(settings.threads())
        };
        self.search.as_mut().map_or(Status::Done, |search| search.step(budget, exact))
    }

    /// Whether the time is over and a move was found by a search.
    fn is_out_of_time(&self) -> bool {
        let is_searched = self.search.as_ref().is_some_and(EndgameSearch::has_value);
        self.timer.is_over() && is_searched
    }

    fn keep_table(&mut self) {
        if let Some(estimates) = self.search.take().and_then(|search| search.estimates) {
            self.table = estimates.into_table();
        }
    }

    fn best_move(&self, turn: &Turn<G>) -> Option<Move> {
        let search = self.search.as_ref()?;
        match (&search.estimates, &search.exact) {
            (None, exact) => exact.as_ref()?.best_move(),
            (Some(_), Some(exact)) if search.is_solved() => exact.best_move(),
            (Some(estimates), _) if self.settings.ties.needs_all() || self.settings.spread > 0.0 => {
                let report = estimates.report();
                let most = report.lines.first()?.weighed;
                let mut best: Vec<Move> = match f64::from(self.settings.spread) {
                    0.0 => report.lines.iter().filter(|line| line.weighed == most).map(|line| line.mv).collect(),
                    spread => report.within(spread, G::UNIT).map(|line| line.mv).collect(),
                };
                crate::sort::sort(&mut best);
                let ties = if self.settings.spread > 0.0 { crate::search::Ties::Random } else { self.settings.ties };
                let mut random = rng::keyed(&[turn.rng(Purpose::Tie).next_u64()]);
                ties.choose(&turn.pos, best.into_iter(), |count| random.random_range(0..count))
            }
            (Some(estimates), _) => estimates.best_move(),
        }
    }
}

impl<G: LearnedGame> Player<G> for LearnedPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let mut began = self.timer.start();
        if self.turn.as_ref() != Some(turn) {
            self.keep_table();
            self.begin(turn);
            // Reading the weights and opening the endgame table may take longer than the time of a move. Only a game's clock is
            // charged for it.
            if self.settings.clock.is_none() {
                began = self.timer.start();
            }
        }
        // At least one step, whatever the budget, and at least one ply, whatever the time.
        let status = loop {
            let cut = self.timer.cut(budget);
            let status = self.step(turn, cut);
            self.timer.stop(began);
            began = self.timer.start();
            if status == Status::Done || self.is_out_of_time() || budget.is_spent() {
                break status;
            }
        };
        if status == Status::Running && !self.is_out_of_time() { None } else { self.best_move(turn) }
    }

    fn report(&self) -> Option<Report> {
        self.search.as_ref().map(EndgameSearch::report)
    }

    fn best_so_far(&self) -> Option<Move> {
        self.search.as_ref().filter(|search| search.has_value())?;
        self.best_move(self.turn.as_ref()?)
    }

    fn count_work(&mut self) {
        self.timer.count_work(self.settings.threads().count());
    }

    fn rest(&mut self) {
        self.timer.reset();
        self.keep_table();
        (self.turn, self.search) = (None, None);
        if self.table.bytes() > AT_REST {
            self.table = selective::Table::default();
        }
    }
}
