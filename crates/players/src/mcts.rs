//! The player that searches with Monte Carlo tree search.
//!
//! With a number of iterations its move follows from position, ply, seed and number of threads alone, and every turn starts with an
//! empty tree. Several threads grow a tree each, from generators of their own, and the visits of all trees decide.
//! `reuse=yes` keeps the trees between the turns of a game, so the move also depends on the earlier turns. With a time limit it
//! does so by default, and grows one tree per thread of its pool.
//!
//! After a takeback a player that reuses its tree starts with an empty one at the first turn that is not later in the game than
//! the turn before, and continues from there: its moves may differ from those of the same line played without the takeback. The
//! same turn twice in a row gives the same move.

use std::fmt;
use std::time::{Duration, Instant};

use mancalab_base::Error;

use super::budget::{Budget, Status};
use super::clock::{CLOCK, Clock, Timer};
use super::game::{Game, Move};
use super::kind::{Effort, Forms, PlayerKind};
use super::pool::Pool;
use super::rng::{self, Rng};
use super::search::mcts::{self, Mcts, Method, Rollout, TreeSearch, Uct};
use super::search::{Report, SearchHints, Threads};
use super::text::Values::{Number, Words};
use super::text::{self, MILLISECONDS, Setting, THREADS};
use super::{Built, Player, Purpose, Turn};

/// The maximum number of iterations per move.
pub const MAX_ITERATIONS: u32 = 10_000_000;

// The visit counts of a tree that starts empty must not overflow.
const _: () = assert!(MAX_ITERATIONS <= mcts::MAX_VISITS);

/// The limit of the search for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A number of iterations, 1 to [`MAX_ITERATIONS`].
    Iterations(u32),
    /// A time.
    Time(Duration),
    /// A time for the whole game.
    Clock(Clock),
}

/// The player's settings. `Display` gives the text that parses to the same settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub limit: Limit,
    pub rollout: Rollout,
    /// Whether a turn reuses the tree of the turn before.
    pub reuse: bool,
    /// Threads of its own, 1 to 64, each with a tree and an equal share of the iterations. `None`: with a time limit those of the
    /// pool, otherwise one.
    pub threads: Option<u32>,
}

impl Settings {
    pub fn iterations(iterations: u32) -> Settings {
        Settings::limited(Limit::Iterations(iterations))
    }

    /// The default settings: a time limit reuses the tree.
    fn limited(limit: Limit) -> Settings {
        Settings { limit, rollout: Rollout::default(), reuse: limit.is_timed(), threads: None }
    }

    /// Reads the part of a player's text after `mcts`: the limit and settings.
    ///
    /// # Errors
    /// Names the invalid part and what is accepted.
    pub(super) fn read(text: &str) -> Result<Settings, Error> {
        let mut read = Settings::limited(Limit::read(text)?);
        match Limit::beyond(text::read(text, SETTINGS, &mut read)?) {
            // One thread is the default of iterations.
            None => Ok(Settings { threads: read.threads.filter(|&count| count > 1 || read.limit.is_timed()), ..read }),
            Some(setting) => {
                Err(format!("mcts takes {}, or net=FILE with c=C and temp=T (got {setting})", text::forms(SETTINGS))
                    .into())
            }
        }
    }
}

const LIMIT_WANTED: &str = "mcts needs iterations from 1 to 10000000, ms=T or clock=T, as in mcts:4000 or mcts:ms=500";

impl Limit {
    /// Reads the limit, the first part after `mcts` in a player's text.
    ///
    /// # Errors
    /// The text is not a limit: what is accepted.
    pub(super) fn read(text: &str) -> Result<Limit, Error> {
        let limit = text.strip_prefix(':').ok_or(LIMIT_WANTED)?.split(':').next().unwrap_or_default();
        if let Some(value) = limit.strip_prefix("ms=") {
            let mut time = None;
            MILLISECONDS.read("ms", value, &mut time)?;
            return Ok(Limit::Time(time.unwrap_or_default()));
        }
        if let Some(value) = limit.strip_prefix("clock=") {
            let mut clock = None;
            CLOCK.read("clock", value, &mut clock)?;
            return clock.map(Limit::Clock).ok_or_else(|| LIMIT_WANTED.into());
        }
        let count = limit.parse().ok().filter(|count| (1..=MAX_ITERATIONS).contains(count));
        count.map(Limit::Iterations).ok_or_else(|| format!("{LIMIT_WANTED} (got {limit})").into())
    }

    pub(super) fn effort(self) -> Effort {
        match self {
            Limit::Iterations(iterations) => Effort { iterations, ..Effort::default() },
            Limit::Time(_) | Limit::Clock(_) => Effort { is_open: true, ..Effort::default() },
        }
    }

    pub(super) fn is_timed(self) -> bool {
        !matches!(self, Limit::Iterations(_))
    }

    /// Returns the timer of a player with this limit.
    pub(super) fn timer(self) -> Timer {
        match self {
            Limit::Iterations(_) => Timer::new(None, None),
            Limit::Time(time) => Timer::new(Some(time), None),
            Limit::Clock(clock) => Timer::new(None, Some(clock)),
        }
    }

    /// Returns the text after the limit that is not a setting.
    pub(super) fn beyond(text: &str) -> Option<&str> {
        text.split(':').nth(2)
    }
}

const SETTINGS: &[Setting<Settings>] = &[
    Setting("eps", Number("E", "a probability", 0.0, 1.0), |s| &mut s.rollout.epsilon),
    Setting("rollout", Words("greedy|random"), |s| &mut s.rollout.policy),
    Setting("reuse", Words("yes|no"), |s| &mut s.reuse),
    Setting("threads", THREADS, |s| &mut s.threads),
];

pub(crate) const FORMS: Forms = &[
    ("mcts:N", "Monte Carlo tree search, N simulated games"),
    ("mcts:ms=T", "simulates games for T milliseconds; clock=T: a game"),
    ("mcts:N:eps=E", "random playout moves, probability E (0.1); also rollout=random, reuse=yes"),
    ("mcts:N:threads=T", "a tree on each of T threads, 1 to 64, N games in all"),
    ("mcts:N:net=FILE", "searches N positions by a network, a file or best; also c=C, temp=T"),
];

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Iterations(count) => count.fmt(f),
            Limit::Time(time) => write!(f, "ms={}", time.as_millis()),
            Limit::Clock(clock) => write!(f, "clock={clock}"),
        }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mcts:{}", self.limit)?;
        text::write(f, SETTINGS, self, Settings::limited(self.limit))
    }
}

impl PlayerKind for Settings {
    fn build<G: SearchHints>(&self, pool: &Pool) -> Built<G> {
        Ok(Box::new(TreePlayer::new(*self, pool.clone())))
    }

    fn about(&self) -> String {
        match self.limit {
            Limit::Iterations(count) => format!("simulates {count} games"),
            Limit::Time(time) => format!("simulates games for {}", text::seconds(time)),
            Limit::Clock(clock) => format!("simulates games for {} a game", text::seconds(clock.total)),
        }
    }

    fn effort(&self) -> Effort {
        Effort { threads: self.threads.unwrap_or(1), ..self.limit.effort() }
    }

    fn is_timed(&self) -> bool {
        self.limit.is_timed()
    }

    fn impurity(&self) -> Option<[&'static str; 2]> {
        (self.is_timed() || self.reuse)
            .then_some(["by the clock or by its history", "leave out ms=, clock= and reuse="])
    }
}

impl<G: Game> Searcher<G> for Settings {
    type Method = Uct;

    fn limit(&self) -> Limit {
        self.limit
    }

    fn search(&self, turn: &Turn<G>, rng: Rng) -> Option<Mcts<G>> {
        Some(Mcts::new(turn.game_state(), self.rollout, rng))
    }

    fn reuses(&self) -> bool {
        self.reuse
    }

    /// With a time limit, by default one tree per thread of the pool.
    fn threads(&self, pool: &Pool) -> Threads {
        match (self.limit, self.threads) {
            // A tree without a game has no move.
            (Limit::Iterations(iterations), Some(count)) => Threads::Own(count.min(iterations) as usize),
            (_, Some(count)) => Threads::Own(count as usize),
            (Limit::Time(_) | Limit::Clock(_), None) => Threads::Shared(pool.clone()),
            (Limit::Iterations(_), None) => Threads::ONE,
        }
    }

    /// Stops early unless a later turn reuses the tree.
    fn stops_early(&self) -> bool {
        !self.reuse
    }
}

/// The differences between tree-searching players.
pub(super) trait Searcher<G: Game>: Send {
    type Method: Method<G>;

    /// Returns the limit of a turn.
    fn limit(&self) -> Limit;

    /// Returns the search of a turn with all its randomness from `rng`; `None` for games that the player does not know.
    fn search(&self, turn: &Turn<G>, rng: Rng) -> Option<TreeSearch<G, Self::Method>>;

    /// Returns whether a turn reuses the tree of the turn before.
    fn reuses(&self) -> bool {
        false
    }

    /// Returns the threads, each of which grows a tree.
    fn threads(&self, _pool: &Pool) -> Threads {
        Threads::ONE
    }

    /// Returns whether iterations stop once the move is certain.
    fn stops_early(&self) -> bool {
        false
    }
}

pub(super) struct TreePlayer<G: Game, S: Searcher<G>> {
    searcher: S,
    /// The threads for several trees. None of them may call this player: waiting for the others, it could be given any of their
    /// other work.
    pool: Pool,
    timer: Timer,
    pub(super) thinking: Option<TurnSearches<G, S::Method>>,
}

/// The search for one turn.
pub(super) struct TurnSearches<G: Game, M: Method<G>> {
    turn: Turn<G>,
    pub(super) searches: Vec<TreeSearch<G, M>>,
}

impl<G: Game, S: Searcher<G>> TreePlayer<G, S> {
    pub fn new(searcher: S, pool: Pool) -> TreePlayer<G, S> {
        let timer = searcher.limit().timer();
        TreePlayer { searcher, pool, timer, thinking: None }
    }

    fn begin(&mut self, turn: &Turn<G>) -> Option<TurnSearches<G, S::Method>> {
        self.timer.begin(turn);
        let rng = |tree: usize| rng::keyed(&[turn.seed, turn.ply.into(), Purpose::Move as u64, tree as u64]);
        if let Some(mut before) = self.thinking.take().filter(|_| self.searcher.reuses())
            && before.turn.seed == turn.seed
            && before.turn.ply < turn.ply
        {
            let plies = turn.ply - before.turn.ply;
            for (tree, search) in before.searches.iter_mut().enumerate() {
                search.descend(turn.game_state(), plies, rng(tree));
            }
            return Some(TurnSearches { turn: turn.clone(), ..before });
        }
        let searches = (0..self.searcher.threads(&self.pool).count()).map(|tree| self.searcher.search(turn, rng(tree)));
        Some(TurnSearches { turn: turn.clone(), searches: searches.collect::<Option<_>>()? })
    }
}

/// Iterations between two checks whether the rest can still change the move.
const SPAN: u64 = 128;

/// The same for each of several trees, which wait for each other there.
const ROUND: u64 = 2048;

impl<G: Game, M: Method<G>> TurnSearches<G, M> {
    /// Iterates up to `iterations`, or until the move is certain.
    fn count(&mut self, iterations: u64, stops_early: bool, threads: &Threads, budget: Budget) -> Status {
        if self.searches.len() > 1 {
            return self.count_together(iterations, stops_early, threads, budget);
        }
        let Some(search) = self.searches.first_mut() else { return Status::Done };
        if !stops_early {
            return search.step(iterations, budget);
        }
        loop {
            let made = search.iterations();
            // Checked at the ends of spans only, so that the budget does not change the figures.
            if made >= iterations || (made % SPAN == 0 && search.is_decided(iterations - made)) {
                return Status::Done;
            }
            let next = ((made / SPAN + 1) * SPAN).min(iterations);
            if search.step(next, budget) == Status::Running || (budget.is_spent() && next < iterations) {
                return Status::Running;
            }
        }
    }

    /// The same with several trees, in rounds that depend neither on the budget nor on the threads.
    fn count_together(&mut self, iterations: u64, stops_early: bool, threads: &Threads, budget: Budget) -> Status {
        let trees = self.searches.len() as u64;
        let share = |tree: usize| iterations / trees + u64::from((tree as u64) < iterations % trees);
        loop {
            let made: Vec<u64> = self.searches.iter().map(TreeSearch::iterations).collect();
            let open = made.iter().enumerate().filter(|&(tree, &made)| made < share(tree));
            let Some(round) = open.map(|(_, &made)| made / ROUND).min() else { return Status::Done };
            let all: u64 = made.iter().sum();
            let begins = made.iter().enumerate().all(|(tree, &made)| made == share(tree).min(round * ROUND));
            if begins && stops_early && mcts::is_decided(&self.searches, iterations - all) {
                return Status::Done;
            }
            let end = |tree: usize| (share(tree).min((round + 1) * ROUND), None);
            if self.step_all(threads, budget, &end) == Status::Running {
                return Status::Running;
            }
            // Trees that can count no further visits make no progress.
            if self.searches.iter().map(TreeSearch::iterations).sum::<u64>() == all {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
    }

    /// Advances all trees, each to the number of iterations that `end` returns for it, within that time; returns whether all are there.
    #[inline(never)]
    fn step_all(
        &mut self,
        threads: &Threads,
        budget: Budget,
        end: &(dyn Fn(usize) -> (u64, Option<Duration>) + Sync),
    ) -> Status {
        let mut numbered: Vec<_> = self.searches.iter_mut().enumerate().collect();
        let statuses = threads.run(&mut numbered, budget, |(tree, search), budget| {
            let (iterations, time) = end(*tree);
            search.step(iterations, time.map_or(budget, |time| budget.at_most(time)))
        });
        if statuses.contains(&Status::Running) { Status::Running } else { Status::Done }
    }

    fn race(&mut self, timer: &mut Timer, threads: &Threads, budget: Budget) -> Status {
        let began = timer.start();
        // The only legal move needs no search, and without time there is none.
        if self.turn.pos.count_moves() < 2 || timer.is_over() {
            let status = self.searches[0].step(1, Budget::UNLIMITED);
            timer.stop(began);
            return status;
        }
        timer.search(began, budget, |timer, stretch| match &mut self.searches[..] {
            [one] => one.step(u64::MAX, stretch),
            _ => {
                // The clock runs while others use the pool, but the step begins with the turn.
                let started = Instant::now();
                let left = timer.stretch();
                let end = |_| (u64::MAX, left.map(|left| left.saturating_sub(started.elapsed())));
                self.step_all(threads, budget, &end)
            }
        })
    }
}

impl<G: Game, S: Searcher<G>> Player<G> for TreePlayer<G, S> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        if self.thinking.as_ref().is_none_or(|thinking| thinking.turn != *turn) {
            self.thinking = self.begin(turn);
        }
        let Some(thinking) = self.thinking.as_mut() else { return turn.pos.moves().next() };
        let threads = self.searcher.threads(&self.pool);
        let status = match self.searcher.limit() {
            Limit::Iterations(count) => thinking.count(count.into(), self.searcher.stops_early(), &threads, budget),
            Limit::Time(_) | Limit::Clock(_) => thinking.race(&mut self.timer, &threads, budget),
        };
        if status == Status::Running { None } else { mcts::best_move(&thinking.searches) }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| mcts::report(&thinking.searches))
    }

    fn count_work(&mut self) {
        let threads = self.searcher.threads(&self.pool);
        self.timer.count_work(threads.count());
    }

    /// Another game begins with an empty tree in any case.
    fn rest(&mut self) {
        self.timer.reset();
        self.thinking = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame, Notation as _};
    use crate::{Purpose, Spec, build, build_with, choose, rng};
    use std::time::Instant;

    #[test]
    fn errors_say_what_would_be_accepted() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        let wanted = "mcts needs iterations from 1 to 10000000, ms=T or clock=T, as in mcts:4000 or mcts:ms=500";
        assert_eq!(error("mcts"), wanted);
        assert_eq!(error("mcts:0"), format!("{wanted} (got 0)"));
        assert_eq!(error("mcts:5:eps=2"), "eps must be a probability from 0 to 1 (got 2)");
        assert_eq!(error("mcts:5:eps=NaN"), "eps must be a probability from 0 to 1 (got NaN)");
        assert_eq!(error("mcts:ms=0"), "ms must be a number of milliseconds from 1 to 3600000 (got 0)");
        assert_eq!(error("mcts:5:reuse=1"), "reuse must be yes or no (got 1)");
        assert!(error("mcts:5:fast").ends_with("(got fast)"));
        assert!(error("mcts:5:rollout=slow").contains("greedy or random"));
    }

    /// Stopping early must not change the move.
    #[test]
    fn the_rest_of_the_iterations_would_not_have_changed_the_move() {
        let mut pos = Kalah::start("6x4:standard".parse().unwrap());
        let mut player = build::<Kalah>(&"mcts:600".parse().unwrap()).unwrap();
        for ply in 0..40 {
            if pos.is_over() {
                break;
            }
            let turn = Turn::new(pos, ply, 5);
            let rng = rng::keyed(&[turn.seed, ply.into(), Purpose::Move as u64, 0]);
            let mut whole = Mcts::new(&pos, Rollout::default(), rng);
            whole.step(600, Budget::UNLIMITED);
            let mv = choose(player.as_mut(), &turn);
            assert_eq!(mv, whole.best_move());
            // A zero budget cuts the search into the smallest pieces.
            let mut cut = build::<Kalah>(&"mcts:600".parse().unwrap()).unwrap();
            let in_pieces = (0..1000).find_map(|_| cut.think(&turn, Budget::time(Duration::ZERO)));
            assert_eq!((mv, player.report()), (in_pieces, cut.report()));
            pos = pos.play(mv.unwrap());
        }
    }

    #[test]
    fn a_player_at_rest_has_no_tree_and_plays_the_same() {
        let turn = Turn::new(Kalah::start("6x4:standard".parse().unwrap()), 0, 1);
        for text in ["mcts:500", "mcts:500:reuse=yes"] {
            let mut player = build::<Kalah>(&text.parse().unwrap()).unwrap();
            let mv = choose(player.as_mut(), &turn);
            player.rest();
            assert!(player.report().is_none());
            assert_eq!(choose(player.as_mut(), &turn), mv);
        }
    }

    #[test]
    fn the_only_move_is_played_at_once() {
        let pos = Kalah::from_text("6x4".parse().unwrap(), "<6,10,10,0,0,0,0,5,0,4,4,4,4,5,2> S").unwrap();
        assert_eq!(pos.moves().count(), 1);
        for text in ["mcts:ms=60000", "mcts:ms=60000:reuse=no", "mcts:10000000"] {
            let mut player = build::<Kalah>(&text.parse().unwrap()).unwrap();
            let started = Instant::now();
            assert_eq!(choose(player.as_mut(), &Turn::new(pos, 3, 1)), pos.moves().next());
            assert!(started.elapsed() < Duration::from_secs(10), "{text}");
            assert_eq!(player.report().map(|report| report.lines.len()), Some(1));
        }
    }

    #[test]
    fn a_clock_is_kept_alone_and_by_a_pool() {
        let pos = Kalah::start("6x4:standard".parse().unwrap());
        for pool in [1, 3].map(Pool::new) {
            let mut player = build_with::<Kalah>(&"mcts:ms=30".parse().unwrap(), &pool).unwrap();
            let started = Instant::now();
            assert!(choose(player.as_mut(), &Turn::new(pos, 0, 1)).is_some());
            assert!(started.elapsed() >= Duration::from_millis(30));
            let lines = player.report().unwrap().lines;
            assert!(lines.len() == 6 && lines[0].tried.unwrap().visits >= lines[1].tried.unwrap().visits);
        }
    }

    #[test]
    fn against_the_clock_each_of_the_pool_grows_a_tree_and_others_have_their_turns() {
        let turn = Turn::new(Kalah::start("6x4:standard".parse().unwrap()), 0, 1);
        let pool = Pool::new(3);
        let Spec::Mcts(settings) = "mcts:ms=60000".parse().unwrap() else { panic!() };
        let mut player = TreePlayer::new(settings, pool.clone());
        for _ in 0..3 {
            assert_eq!(player.think(&turn, Budget::time(Duration::from_millis(5))), None);
            drop(pool.turn());
        }
        assert_eq!(player.thinking.as_ref().unwrap().searches.len(), 3);
        let mut counted = TreePlayer::new(Settings::iterations(100), pool);
        assert!(counted.think(&turn, Budget::UNLIMITED).is_some());
        assert_eq!(counted.thinking.unwrap().searches.len(), 1);
    }
}
