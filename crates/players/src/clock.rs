//! Time limits of players: for a move, and for a whole game.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::text::Values::{self, Form};
use super::{Turn, TurnEnd};
use crate::budget::{Budget, Status};
use crate::game::Game;
use mancalab_base::pool::MAX_THREADS;
use mancalab_base::processor;

/// Thinking time for a whole game, and its increment after every move. Text: milliseconds, `60000` or `60000+500`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    pub total: Duration,
    pub increment: Duration,
}

/// The values of a clock in a player's text.
pub(crate) const CLOCK: Values = Form(
    "T|T+INC",
    "a number of milliseconds from 1000 to 86400000, perhaps with an increment, as in 60000 or 60000+500",
);

/// The shortest and the longest time, in milliseconds: a second and a day.
const SHORTEST: u64 = 1000;
const LONGEST: u64 = 86_400_000;

/// The share of the remaining time for a move: as if the game had this many more.
const MOVES_LEFT: u32 = 25;

/// The share of the clock kept for moves without a search, and for the last piece of work before them, which may end late.
const RESERVE: u32 = 20;

impl FromStr for Clock {
    type Err = ();

    fn from_str(text: &str) -> Result<Clock, ()> {
        let (total, increment) = text.split_once('+').unwrap_or((text, "0"));
        let time = |text: &str, least| {
            let milliseconds: u64 = text.parse().map_err(|_| ())?;
            (least..=LONGEST).contains(&milliseconds).then(|| Duration::from_millis(milliseconds)).ok_or(())
        };
        Ok(Clock { total: time(total, SHORTEST)?, increment: time(increment, 0)? })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.total.as_millis())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_millis())?;
        }
        Ok(())
    }
}

/// The beginning of a stretch of thinking.
#[derive(Clone, Copy)]
pub(crate) enum Began {
    Wall(Instant),
    Processor(Duration),
}

impl Began {
    /// Returns the time since then.
    pub fn elapsed(self) -> Duration {
        match self {
            Began::Wall(began) => began.elapsed(),
            Began::Processor(began) => processor::time().map_or(Duration::ZERO, |now| now.saturating_sub(began)),
        }
    }
}

/// The time of a player's turns. A turn with another seed, or no later in the game than the one before, starts a new game with the
/// full clock.
pub(crate) struct Timer {
    /// The limit of every move.
    a_move: Option<Duration>,
    clock: Option<Clock>,
    /// The clock's time before the current turn.
    left: Duration,
    /// The seed and the ply of the current turn.
    turn: Option<(u64, u32)>,
    /// The current turn's limit, and the time spent on it.
    limit: Option<Duration>,
    spent: Duration,
    /// The number of threads whose processor time counts, where the system shows it; `None`: wall time counts.
    workers: Option<u32>,
}

/// The shortest stretch of thinking when processor time counts: threads that wait would make ever shorter ones.
const SHORTEST_STRETCH: Duration = Duration::from_micros(200);

impl Timer {
    pub fn new(a_move: Option<Duration>, clock: Option<Clock>) -> Timer {
        Timer { a_move, clock, left: Duration::ZERO, turn: None, limit: a_move, spent: Duration::ZERO, workers: None }
    }

    /// Counts the processor time of this many threads from now on.
    pub fn count_work(&mut self, threads: usize) {
        self.workers = Some(threads.clamp(1, MAX_THREADS) as u32);
    }

    /// Begins a stretch of thinking, on this thread.
    pub fn start(&self) -> Began {
        let work = self.workers.and_then(|_| processor::time());
        work.map_or_else(|| Began::Wall(Instant::now()), Began::Processor)
    }

    /// Starts a turn: the time of the one before is off the clock.
    pub fn begin<G: Game>(&mut self, turn: &Turn<G>) {
        let is_same_game = self.turn.is_some_and(|(seed, ply)| seed == turn.seed && ply < turn.ply);
        let spent = std::mem::take(&mut self.spent);
        self.turn = Some((turn.seed, turn.ply));
        let own = self.own_limit(turn, is_same_game, spent);
        // A player without a limit of its own searches to its depth: its move must not depend on the time.
        self.limit = match turn.end {
            TurnEnd::Time(time) => own.map(|own| own.min(time)),
            _ => own,
        };
    }

    /// Updates the time left on the clock; returns the player's own limit, the smaller of that of every move and the turn's share of the clock.
    fn own_limit<G: Game>(&mut self, turn: &Turn<G>, is_same_game: bool, spent: Duration) -> Option<Duration> {
        let Some(Clock { total, increment }) = self.clock else { return self.a_move };
        self.left = if is_same_game { self.left.saturating_sub(spent) + increment } else { total };
        // The only legal move needs no time.
        let share = if turn.pos.count_moves() < 2 { Duration::ZERO } else { self.left / MOVES_LEFT + increment };
        let limit = share.min(self.left.saturating_sub(total / RESERVE));
        Some(self.a_move.map_or(limit, |a_move| a_move.min(limit)))
    }

    /// Searches by `step`, a stretch after another, until the search is done, the time of the turn is over or the budget is spent; returns
    /// whether the player may move. The first stretch is that which `began`.
    pub fn search(&mut self, began: Began, budget: Budget, mut step: impl FnMut(&Timer, Budget) -> Status) -> Status {
        let mut began = began;
        loop {
            let status = if self.is_over() { Status::Done } else { step(self, self.cut(budget)) };
            self.stop(began);
            if status == Status::Done || self.is_over() {
                return Status::Done;
            }
            if budget.is_spent() {
                return Status::Running;
            }
            began = self.start();
        }
    }

    /// Returns the budget cut to the next stretch of thinking.
    pub fn cut(&self, budget: Budget) -> Budget {
        self.stretch().map_or(budget, |stretch| budget.at_most(stretch))
    }

    /// Returns the wall time of the next stretch of thinking: all that remains of the turn, or each thread's share of its processor time.
    /// `None` without a limit.
    pub fn stretch(&self) -> Option<Duration> {
        let left = self.remaining()?;
        Some(self.workers.map_or(left, |threads| (left / threads).max(SHORTEST_STRETCH)))
    }

    /// Returns the remaining time of the turn; `None` without a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.spent))
    }

    /// Returns the time spent on the current turn.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Ends a stretch of thinking.
    pub fn stop(&mut self, began: Began) {
        self.spent += began.elapsed();
    }

    /// Returns whether the time of the turn is over.
    pub fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.spent >= limit)
    }

    /// Ends the game: the next turn starts with the full clock.
    pub fn reset(&mut self) {
        self.turn = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame, GameState, checkers::Checkers, checkers::Rules};
    use crate::{Playable, Player, Spec, build, choose};
    use std::time::Instant;

    fn turn(ply: u32, seed: u64) -> Turn<Kalah> {
        Turn::new(Kalah::start("6x4:standard".parse().unwrap()), ply, seed)
    }

    #[test]
    fn texts_of_clocks() {
        for text in ["60000", "60000+500", "1000", "86400000+86400000"] {
            assert_eq!(text.parse::<Clock>().unwrap().to_string(), text);
        }
        for text in ["", "999", "+5000", "5000+", "5000+x", "-1", "86400001", "5000+86400001", "60s"] {
            assert_eq!(text.parse::<Clock>(), Err(()), "{text}");
        }
        for text in
            ["minimax:30:clock=60000+500", "samuel:clock=60000", "samuel:8:ms=50:clock=60000", "mcts:clock=60000"]
        {
            let spec: Spec = text.parse().unwrap();
            assert_eq!((spec.to_string().as_str(), spec.is_timed()), (text, true));
            assert!(spec.impurity().is_some());
        }
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("samuel:clock=60s").starts_with("clock must be a number of milliseconds from 1000 to 86400000"));
        assert!(error("mcts:clock=x").ends_with("as in 60000 or 60000+500 (got x)"), "{}", error("mcts:clock=x"));
    }

    fn spend(timer: &mut Timer, time: Duration) {
        timer.spent += time;
    }

    #[test]
    fn moves_share_the_time_that_is_left() {
        let second = Duration::from_secs(1);
        let mut timer = Timer::new(None, Some(Clock { total: 50 * second, increment: second }));
        timer.begin(&turn(0, 1));
        assert_eq!(timer.remaining(), Some(3 * second));
        spend(&mut timer, 2 * second);
        assert!(!timer.is_over() && timer.remaining() == Some(second));
        spend(&mut timer, 24 * second);
        assert!(timer.is_over());
        // 24 seconds are left, and the increment makes 25.
        timer.begin(&turn(2, 1));
        assert_eq!(timer.remaining(), Some(2 * second));
        // 3.5 seconds are left, of which 2.5 are the reserve.
        spend(&mut timer, 22_500 * second / 1000);
        timer.begin(&turn(4, 1));
        assert_eq!(timer.remaining(), Some(second));
        spend(&mut timer, second);
        timer.begin(&turn(6, 1));
        assert_eq!(timer.remaining(), Some(second));
        spend(&mut timer, 100 * second);
        timer.begin(&turn(8, 1));
        assert!(timer.is_over(), "only the increment is left");
        for (ply, seed) in [(8, 1), (5, 1), (6, 2)] {
            timer.begin(&turn(ply, seed));
            assert_eq!(timer.remaining(), Some(3 * second), "another game has the full clock");
        }
        timer.reset();
        timer.begin(&turn(9, 2));
        assert_eq!(timer.remaining(), Some(3 * second));
        // What ends the turn from outside may come first.
        timer.begin(&Turn { end: TurnEnd::Time(second / 10), ..turn(11, 2) });
        assert_eq!(timer.remaining(), Some(second / 10));
        let mut both = Timer::new(Some(second), Some(Clock { total: 50 * second, increment: second }));
        both.begin(&turn(0, 1));
        assert_eq!(both.remaining(), Some(second));
    }

    /// With several threads a limit of processor time is one of their sum, and the share of each is never too short to search.
    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_of_all_threads_counts() {
        let mut timer = Timer::new(Some(Duration::from_millis(40)), None);
        timer.count_work(4);
        assert_eq!(timer.stretch(), Some(Duration::from_millis(10)));
        spend(&mut timer, Duration::from_millis(39));
        assert_eq!(timer.stretch(), Some(Duration::from_millis(1) / 4));
        spend(&mut timer, Duration::from_micros(900));
        assert_eq!(timer.stretch(), Some(SHORTEST_STRETCH));
        let turn = turn(0, 1);
        for text in ["mcts:ms=60:threads=2", "minimax:60:ms=60:threads=2"] {
            let mut player = build::<Kalah>(&text.parse().unwrap()).unwrap();
            player.count_work();
            let began = processor::time().unwrap();
            choose(player.as_mut(), &turn).unwrap();
            let spent = processor::time().unwrap() - began;
            assert!((55..100).contains(&spent.as_millis()), "{text}: {spent:?}");
        }
    }

    /// Plays a game of `spec` against itself; returns the time spent by each side, the openings' random moves excluded.
    fn spent<G: BoardGame + Playable>(spec: &str, start: G) -> [Duration; 2] {
        let mut players = [(); 2].map(|()| build::<G>(&spec.parse().unwrap()).unwrap());
        let mut game_state = GameState::new(start);
        let mut spent = [Duration::ZERO; 2];
        while !game_state.is_over() {
            let side = game_state.pos().side().index();
            let turn = Turn::current(&game_state, 1);
            let started = Instant::now();
            let mv = choose(players[side].as_mut(), &turn).expect("there is always a best move so far");
            spent[side] += started.elapsed();
            game_state.play(mv);
        }
        spent
    }

    #[test]
    fn a_game_takes_no_more_than_the_clock() {
        let kalah = Kalah::start("6x4:standard".parse().unwrap());
        let checkers = Checkers::start(Rules::default());
        let second = Duration::from_secs(1);
        for spent in [
            spent("minimax:60:clock=1000", kalah),
            spent("mcts:clock=1000", kalah),
            spent("minimax:60:clock=1000", checkers),
            spent("samuel:clock=1000", checkers),
        ] {
            assert!(spent.iter().all(|spent| (second / 10..=second).contains(spent)), "{spent:?}");
        }
    }

    #[test]
    fn a_player_starts_the_next_game_with_the_full_clock() {
        let mut player = build::<Kalah>(&"minimax:60:clock=1000".parse().unwrap()).unwrap();
        let time = |player: &mut dyn Player<Kalah>, ply: u32| {
            let started = Instant::now();
            choose(player, &turn(ply, 1));
            started.elapsed()
        };
        for ply in 0..80 {
            time(player.as_mut(), 2 * ply);
        }
        player.rest();
        assert!(time(player.as_mut(), 200) >= Duration::from_millis(40));
    }
}
