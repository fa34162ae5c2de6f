//! The player that solves every position of Kalah, and the analysis that ends with exact margins.

use mancalab_base::{Error, bail};
use std::fmt;
use std::time::Duration;

use super::analysis::Analyst;
use super::clock::{CLOCK, Clock, Timer};
use super::kind::{Effort, Forms, PlayerKind};
use super::text::{self, MILLISECONDS, Setting};
use super::{Built, Player, Turn, of_one};
use crate::budget::{Budget, Status};
use crate::game::kalah::Kalah;
use crate::game::{Game, Move, Position, Variant};
use crate::pool::Pool;
use crate::search::{Analysis, MAX_DEPTH, Report, SearchHints, Table};
use crate::tables::{MoveSolver, Solver};

/// The settings of the perfect player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Perfect {
    /// Time limit of a move. When it is over, the best move of a search by alpha-beta is played.
    pub time: Option<Duration>,
    /// The same for the time of a whole game.
    pub clock: Option<Clock>,
}

pub(crate) const FORMS: Forms = &[
    ("perfect", "solves every position"),
    ("perfect:ms=T", "within T milliseconds a move, or else searches; clock=T: a game"),
];

const SETTINGS: &[Setting<Perfect>] =
    &[Setting("ms", MILLISECONDS, |s| &mut s.time), Setting("clock", CLOCK, |s| &mut s.clock)];

/// Maximum size of the solver's transposition table and of the search's, in megabytes each.
pub(crate) const TABLE_MB: usize = 256;

impl Perfect {
    pub(super) fn read(text: &str) -> Result<Perfect, Error> {
        let mut perfect = Perfect::default();
        match text::read(text, SETTINGS, &mut perfect)? {
            "" => Ok(perfect),
            extra => bail!("perfect takes only ms=T and clock=T (got '{extra}')"),
        }
    }
}

impl fmt::Display for Perfect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("perfect")?;
        text::write(f, SETTINGS, self, Perfect::default())
    }
}

impl PlayerKind for Perfect {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        let timer = Timer::new(self.time, self.clock);
        of_one::<G, Kalah, _>("perfect", || PerfectPlayer { settings: self.clone(), timer, thinking: None })
    }

    fn about(&self) -> String {
        let limit = text::limit(self.time, self.clock);
        limit.map_or("solves every position".to_owned(), |limit| format!("solves, within {limit}"))
    }

    fn check_rules(&self, variant: &Variant) -> Result<(), Error> {
        match variant.start() {
            Position::Kalah(start) => Solver::check(&start),
            _ => Ok(()),
        }
    }

    fn effort(&self) -> Effort {
        Effort { is_open: true, ..Effort::default() }
    }

    fn is_timed(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Plays the first of the best moves. Keeps the solver's table between turns, which affects its speed and, with a time limit, its
/// moves.
pub struct PerfectPlayer {
    settings: Perfect,
    timer: Timer,
    thinking: Option<PerfectSearch>,
}

/// The search for one turn.
struct PerfectSearch {
    turn: Turn<Kalah>,
    search: SolverAnalysis,
}

impl PerfectPlayer {
    /// Starts a turn; `None` in a position with too many seeds to solve.
    fn begin(&mut self, turn: &Turn<Kalah>) -> Option<PerfectSearch> {
        let before = self.thinking.take().and_then(|before| before.search.solver.into_solver());
        self.timer.begin(turn);
        let depth = self.settings.is_timed().then_some(MAX_DEPTH);
        let search = SolverAnalysis::new(turn.pos, false, depth, TABLE_MB, before, &Pool::alone()).ok()?;
        Some(PerfectSearch { turn: turn.clone(), search })
    }
}

impl Player<Kalah> for PerfectPlayer {
    fn think(&mut self, turn: &Turn<Kalah>, budget: Budget) -> Option<Move> {
        let began = self.timer.start();
        let mut thinking = match self.thinking.take() {
            Some(thinking) if thinking.turn == *turn => thinking,
            before => {
                self.thinking = before;
                self.begin(turn)?
            }
        };
        let status = self.timer.search(began, budget, |_, stretch| thinking.search.step(stretch));
        let thinking = self.thinking.insert(thinking);
        if status == Status::Running {
            return None;
        }
        thinking.search.report().best().or_else(|| turn.pos.moves().next())
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| thinking.search.report())
    }

    fn count_work(&mut self) {
        self.timer.count_work(1);
    }

    fn rest(&mut self) {
        self.timer.reset();
        self.thinking = None;
    }
}

/// A solver that is made when it is first needed: its tables are read and take memory.
enum Lazy {
    /// The position, whether all moves are solved, the table's maximum size in megabytes, and the solver of an earlier position.
    Wanted(Kalah, bool, usize, Option<MoveSolver>),
    Made(MoveSolver),
    /// There is no memory for it.
    Failed,
}

impl Lazy {
    fn made(&mut self, pool: &Pool) -> Option<&mut MoveSolver> {
        if let Lazy::Wanted(pos, all, mb, before) = self {
            let made = MoveSolver::new(pos, *all, *mb, before.take());
            *self = made.map_or(Lazy::Failed, |solver| Lazy::Made(solver.on(pool)));
        }
        match self {
            Lazy::Made(solver) => Some(solver),
            Lazy::Wanted(..) | Lazy::Failed => None,
        }
    }

    /// Returns the solver, or the earlier one.
    fn into_solver(self) -> Option<MoveSolver> {
        match self {
            Lazy::Wanted(.., before) => before,
            Lazy::Made(solver) => Some(solver),
            Lazy::Failed => None,
        }
    }

    fn report(&self) -> Report {
        match self {
            Lazy::Made(solver) => solver.into(),
            Lazy::Wanted(..) | Lazy::Failed => Report::default(),
        }
    }
}

/// A solution in progress, and beside it an ordinary search whose values hold until then.
pub(crate) struct SolverAnalysis {
    solver: Lazy,
    is_solved: bool,
    /// `None` if only solved moves count.
    search: Option<Analysis<Kalah>>,
    pool: Pool,
}

impl SolverAnalysis {
    /// Solves `pos`: every move or the first best, with a search to `depth` plies beside it, tables of at most `mb` megabytes each, and
    /// the solver of an earlier position, on all threads of `pool`. Opens no file and takes no time: a job may be made on the
    /// drawing thread.
    ///
    /// # Errors
    /// See [`Solver::check`].
    pub fn new(
        pos: Kalah,
        all: bool,
        depth: Option<u32>,
        mb: usize,
        before: Option<MoveSolver>,
        pool: &Pool,
    ) -> Result<SolverAnalysis, Error> {
        Solver::check(&pos)?;
        let solver = Lazy::Wanted(pos, all, mb, before);
        let search = depth.map(|depth| Analysis::new(&pos, depth, Table::new(mb)).on(pool));
        Ok(SolverAnalysis { solver, is_solved: false, search, pool: pool.clone() })
    }
}

/// Whether a solver knows the rules of `position`, and its seeds are few enough.
pub fn is_solvable(position: &Position) -> bool {
    matches!(position, Position::Kalah(pos) if Solver::check(pos).is_ok())
}

impl Analyst for SolverAnalysis {
    fn into_solver(self: Box<Self>) -> Option<MoveSolver> {
        self.solver.into_solver()
    }

    /// Divides the time between both; done when either has solved the position.
    fn step(&mut self, budget: Budget) -> Status {
        const SHARE: Duration = Duration::from_millis(10);
        loop {
            let is_alone = self.search.is_none();
            let mut share = if is_alone { budget } else { budget.at_most(SHARE) };
            let mut rest = budget;
            let is_done = self.solver.made(&self.pool).map(|solver| {
                // One thread needs no turn: it solves while others use the pool.
                let turn = (self.pool.count() > 1).then(|| self.pool.turn());
                if turn.is_some() {
                    (share, rest) = (share.afresh(), rest.afresh());
                }
                solver.step(share) == Status::Done
            });
            if is_done.is_none() && is_alone {
                return Status::Done;
            }
            self.is_solved = is_done == Some(true);
            let search = self.search.as_mut().filter(|_| !self.is_solved);
            let is_searched =
                search.is_some_and(|search| search.step(rest.at_most(SHARE)) == Status::Done && search.report().solved);
            if self.is_solved || is_searched {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    /// The search's values, with those that are solved in their places.
    fn report(&self) -> Report {
        let solved = self.solver.report();
        let Some(search) = self.search.as_ref().filter(|_| !self.is_solved) else { return solved };
        let mut report = search.report();
        if report.solved {
            return report;
        }
        for line in solved.lines {
            report.lines.retain(|known| known.mv != line.mv);
            report.lines.push(line);
        }
        crate::sort::sort_by_key(&mut report.lines, |line| -line.margin);
        report.nodes += solved.nodes;
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{BoardGame as _, GameState, Side, referee};
    use crate::{Spec, choose, spec};

    /// The margin for South of the game of two players from `start`.
    fn play(start: Kalah, specs: [&str; 2]) -> i32 {
        let mut players = specs.map(|text| spec::build::<Kalah>(&text.parse().unwrap()).unwrap());
        let choice = |pos: &Kalah| choose(players[pos.side().index()].as_mut(), &Turn::new(*pos, 0, 1)).unwrap();
        referee::play_out(GameState::new(start), choice).1.margin(Side::South)
    }

    #[test]
    fn perfect_play_gives_the_value_of_the_start() {
        // Values of Irving, Donkers and Uiterwijk (2000), empty captures.
        for (size, value) in [("3x2:empty", 4), ("3x6:empty", -10), ("4x3:empty", 8), ("6x2:empty", 10)] {
            let start = Kalah::start(size.parse().unwrap());
            assert_eq!(play(start, ["perfect", "perfect"]), value, "{size}");
            assert!(
                play(start, ["perfect", "minimax:3"]) >= value && play(start, ["max", "perfect"]) <= value,
                "{size}"
            );
        }
    }

    #[test]
    fn a_time_limit_is_kept_and_the_report_says_what_is_solved() {
        // Not the start, whose values are in the book.
        let start = Kalah::start("6x5".parse().unwrap());
        let turn = Turn::new(start, 0, 1);
        let mut player = spec::build::<Kalah>(&"perfect:ms=50".parse().unwrap()).unwrap();
        let began = std::time::Instant::now();
        let mv = choose(player.as_mut(), &turn).unwrap();
        assert!(turn.pos.moves().any(|legal| legal == mv) && !player.report().unwrap().solved);
        assert!(began.elapsed() < Duration::from_secs(20));
        // A limit that no machine reaches.
        let mut player = spec::build::<Kalah>(&"perfect:ms=3600000".parse().unwrap()).unwrap();
        let small = Turn::new(Kalah::start("3x3".parse().unwrap()), 0, 1);
        choose(player.as_mut(), &small).unwrap();
        assert!(player.report().unwrap().solved);
    }

    #[test]
    fn games_without_a_solver_are_refused() {
        let error =
            |text: &str| spec::check_plays(&Spec::Perfect(Perfect::default()), &text.parse().unwrap()).unwrap_err();
        assert_eq!(error("othello").to_string(), "'perfect' does not play Othello: perfect plays kalah only");
        assert!(error("kalah:8x8").to_string().contains("at most 126 seeds"));
        assert!(error("kalah:6x4:end=mover").to_string().contains("either side"));
        assert_eq!(
            "perfect:1".parse::<Spec>().unwrap_err().to_string(),
            "perfect takes only ms=T and clock=T (got ':1')"
        );
    }
}
