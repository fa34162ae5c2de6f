//! The player that plays games out and counts.
//!
//! With a number of iterations its move follows from position, ply and seed alone, and every turn begins with an empty tree;
//! `reuse=yes` keeps what the turns before found in the same game, and then its move follows from those turns as well. Against
//! the clock it keeps the tree unless told otherwise, and has each of its pool grow a tree.
//!
//! Where moves are taken back and others are played, a player that keeps its tree begins anew with an empty one at the first turn
//! that is not later in the game than the one before, and goes on with that one from there: its moves may then be others than
//! those of the same line played without a detour. Asked the same turn twice running, it answers the same.

use mancalab_base::Error;
use std::fmt;
use std::time::Duration;

use super::spec::{Kind, PlayerKind, Unread};
use super::text::{
    self, MILLISECONDS, Setting,
    Values::{Number, Words},
};
use super::tree_player::{Searcher, TreePlayer};
use super::{Built, Spec, Turn, offers, puct};
use crate::game::Game;
use crate::pool::Pool;
use crate::rng::Rng;
use crate::search::mcts::{self, Mcts, Rollout, Uct};

/// The most iterations a move that can be asked for.
pub const MAX_ITERATIONS: u32 = 10_000_000;

// A tree that begins empty counts them all.
const _: () = assert!(MAX_ITERATIONS <= mcts::MAX_VISITS);

/// When a move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// After so many iterations, 1 to [`MAX_ITERATIONS`].
    Iterations(u32),
    /// After this time.
    Time(Duration),
}

/// Settings of the player. `Display` gives the text that parses to the same settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub limit: Limit,
    pub rollout: Rollout,
    /// Whether a turn goes on with the tree of the turn before.
    pub reuse: bool,
}

impl Settings {
    pub fn iterations(iterations: u32) -> Settings {
        Settings::limited(Limit::Iterations(iterations))
    }

    /// The usual settings: against the clock a tree is kept.
    fn limited(limit: Limit) -> Settings {
        Settings { limit, rollout: Rollout::default(), reuse: matches!(limit, Limit::Time(_)) }
    }

    /// Reads what stands behind `mcts` in a player's text: the limit and settings.
    ///
    /// # Errors
    /// Which part makes no sense, and what would be accepted.
    fn read(text: &str) -> Result<Settings, Error> {
        let mut read = Settings::limited(Limit::read(text)?);
        match Limit::beyond(text::read(text, SETTINGS, &mut read)?) {
            None => Ok(read),
            Some(setting) => Err(format!(
                "mcts takes {}, or net=FILE with c=C and temp=T; '{setting}' is none of them",
                text::forms(SETTINGS)
            )
            .into()),
        }
    }
}

const LIMIT_WANTED: &str = "mcts needs iterations from 1 to 10000000 or ms=T, as in mcts:4000 or mcts:ms=500";

impl Limit {
    /// Reads when a move is chosen, which stands first behind `mcts` in a player's text.
    ///
    /// # Errors
    /// It is nothing of the kind: what would be accepted.
    pub(super) fn read(text: &str) -> Result<Limit, Error> {
        let limit = text.strip_prefix(':').ok_or(LIMIT_WANTED)?.split(':').next().unwrap_or_default();
        if let Some(value) = limit.strip_prefix("ms=") {
            let mut time = None;
            MILLISECONDS.read("ms", value, &mut time)?;
            return Ok(Limit::Time(time.unwrap_or_default()));
        }
        let count = limit.parse().ok().filter(|count| (1..=MAX_ITERATIONS).contains(count));
        count.map(Limit::Iterations).ok_or_else(|| format!("{LIMIT_WANTED}; '{limit}' is neither").into())
    }

    /// What stands behind the limit, which is no setting.
    pub(super) fn beyond(text: &str) -> Option<&str> {
        text.split(':').nth(2)
    }
}

const SETTINGS: &[Setting<Settings>] = &[
    Setting("eps", Number("E", "a probability", 0.0, 1.0), |s| &mut s.rollout.epsilon),
    Setting("rollout", Words("greedy|random"), |s| &mut s.rollout.policy),
    Setting("reuse", Words("yes|no"), |s| &mut s.reuse),
];

pub(crate) static KIND: Kind = Kind {
    forms: &[
        ("mcts:N", "plays N games out and counts"),
        ("mcts:ms=T", "as many as T milliseconds allow"),
        ("mcts:N:eps=E", "a random move each time with probability E, 0.1; also rollout=random, reuse=yes"),
        ("mcts:N:net=FILE", "looks at N positions, led by a network, a file's or best; also c=C, temp=T"),
    ],
    read: |text| match text::at_network(text) {
        Some((before, behind)) => puct::unread(before, behind),
        None => Settings::read(text).map(|mcts| Unread::ready(Spec::Mcts(mcts))),
    },
};

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Iterations(count) => count.fmt(f),
            Limit::Time(time) => write!(f, "ms={}", time.as_millis()),
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
    fn build<G: Game>(&self, pool: &Pool) -> Built<G> {
        Ok(Box::new(TreePlayer::new(*self, pool.clone())))
    }

    fn about(&self) -> String {
        match self.limit {
            Limit::Iterations(count) => format!("plays {count} games out"),
            Limit::Time(time) => format!("plays games out for {}", offers::seconds(time)),
        }
    }

    fn is_timed(&self) -> bool {
        matches!(self.limit, Limit::Time(_))
    }

    fn impurity(&self) -> Option<[&'static str; 2]> {
        (self.is_timed() || self.reuse).then_some(["by the clock or by its past", "leave out ms= and reuse="])
    }
}

impl<G: Game> Searcher<G> for Settings {
    type Method = Uct;

    fn limit(&self) -> Limit {
        self.limit
    }

    fn search(&self, turn: &Turn<G>, rng: Rng) -> Option<Mcts<G>> {
        Some(Mcts::new(turn.course(), self.rollout, rng))
    }

    fn reuses(&self) -> bool {
        self.reuse
    }

    /// One tree for each of the pool against the clock.
    fn trees(&self, pool: &Pool) -> usize {
        match self.limit {
            Limit::Time(_) => pool.count(),
            Limit::Iterations(_) => 1,
        }
    }

    /// Unless the tree is wanted later.
    fn stops_early(&self) -> bool {
        !self.reuse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame, Notation as _};
    use crate::{Player as _, Purpose, Spec, build, build_with, choose, rng};
    use std::time::Instant;

    #[test]
    fn errors_say_what_would_be_accepted() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        let wanted = "mcts needs iterations from 1 to 10000000 or ms=T, as in mcts:4000 or mcts:ms=500";
        assert_eq!(error("mcts"), wanted);
        assert_eq!(error("mcts:0"), format!("{wanted}; '0' is neither"));
        assert_eq!(error("mcts:5:eps=2"), "eps takes a probability from 0 to 1; '2' is none");
        assert_eq!(error("mcts:5:eps=NaN"), "eps takes a probability from 0 to 1; 'NaN' is none");
        assert_eq!(error("mcts:ms=0"), "ms takes milliseconds from 1 to 3600000; '0' is none");
        assert_eq!(error("mcts:5:reuse=1"), "reuse takes yes or no; '1' is neither");
        assert!(error("mcts:5:fast").ends_with("'fast' is none of them"));
        assert!(error("mcts:5:rollout=slow").contains("greedy or random"));
    }

    /// Stopping as soon as the move is certain must not change it.
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
            // A budget that is spent at once cuts the thinking into the smallest pieces there are.
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
    fn against_the_clock_each_of_the_crew_grows_a_tree_and_others_have_their_turns() {
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
