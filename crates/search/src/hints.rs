//! What searches use of a game besides its rules.
//!
//! Bounds and the order of moves change the positions that a search visits, not its value; endgame tables make values exact at any
//! depth. The defaults follow from the rules: they are the hints of a game that is not named here.

use crate::evaluations::othello;
use crate::game::checkers::{Checkers, WON};
use crate::game::kalah::{Kalah, large::LargeKalah};
use crate::game::othello::{IN_SIGHT, Othello};
use crate::game::sowing::{SowingPosition, SowingRules};
use crate::game::{Game, History, Horizon, Move};
use crate::tables::endgame::checkers;

/// A game with hints for searches.
pub trait SearchHints: Game {
    /// Whether an endgame table can be built for the game, with bounds of the margin or, in games with a
    /// [`WIN_SCORE`](Game::WIN_SCORE), with wins and losses; see [`endgame_board`](SearchHints::endgame_board).
    const HAS_ENDGAMES: bool = false;

    /// The name of the rules' endgame table. Empty without [`HAS_ENDGAMES`](SearchHints::HAS_ENDGAMES).
    fn endgame_table(&self) -> String {
        String::new()
    }

    /// The position's board in an endgame table, which is numbered by it. Only called if the game [`HAS_ENDGAMES`](SearchHints::HAS_ENDGAMES).
    fn endgame_board(&self) -> [u64; 2] {
        [0; 2]
    }

    /// Plies within which no rule but that of repetition can end the game before its moves do: a win in so many plies that
    /// repeats no position is certain. 0 if that depends on moves before the visible history. Only called if
    /// [`USES_HISTORY`](Game::USES_HISTORY).
    fn plies_to_rule(&self, _history: &History<Self>) -> u32 {
        u32::MAX
    }

    /// The mover's best margin after one move, or any bound that decides whether it is at least `beta`. Not called once
    /// the game is over.
    #[inline]
    fn horizon(&self, beta: i32) -> Horizon {
        let side = self.side();
        let mut horizon = Horizon { best: i32::MIN, visited: 0, solved: true };
        for mv in self.ordered_moves(0) {
            let child = self.play(mv);
            let margin = child.margin(side);
            horizon.visited += 1;
            horizon.best = horizon.best.max(margin);
            if margin >= beta {
                horizon.solved = child.is_over();
                break;
            }
            horizon.solved &= child.is_over();
        }
        horizon
    }

    /// A bound of the mover's margin, now and for the rest of the game, that decides whether it is at least `beta`;
    /// `None` if no such bound is cheap.
    #[inline]
    fn bound(&self, beta: i32) -> Option<i32> {
        let margin = self.margin(self.side());
        let reach = self.reach();
        let least = margin - reach;
        let most = margin + reach;
        if least >= beta { Some(least) } else { (most < beta).then_some(most) }
    }

    /// Upper bound of the plies to the end of the game, if the end is so near that a search should solve the game at
    /// once instead of deepening iteratively. At least one more than after any move. Always `None` in games with
    /// history-dependent rules.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// The mover's final margin under best play, or a bound that decides whether it is at least `beta`, if the game
    /// finds one faster than a search. Only called if [`plies_left`](SearchHints::plies_left) returns a value.
    #[inline]
    fn finish(&self, _beta: i32) -> Option<Horizon> {
        None
    }

    /// Estimate of the mover's final margin from a search of a few plies, used to start an endgame search. Only called
    /// if [`plies_left`](SearchHints::plies_left) returns a value.
    fn static_eval(&self) -> Option<i32> {
        None
    }

    /// The legal moves in the order in which to search them, most promising first. `plies` is the search depth below
    /// each move: the deeper, the more effort the ordering is worth. The same set as [`moves`](Game::moves).
    fn ordered_moves(&self, _plies: u32) -> impl Iterator<Item = Move> {
        self.moves()
    }
}

macro_rules! default_hints {
    (kalah $($rest:tt)+) => {};
    (othello $($rest:tt)+) => {};
    (checkers $($rest:tt)+) => {};
    (sowing $($rest:tt)+) => {};
    ($($part:ident)::+ => $game:ty) => {
        impl SearchHints for $game {}
    };
}
crate::game::each_game!(default_hints);

impl SearchHints for Kalah {
    #[inline]
    fn horizon(&self, beta: i32) -> Horizon {
        self.best_after_one(beta)
    }

    #[inline]
    fn ordered_moves(&self, _plies: u32) -> impl Iterator<Item = Move> {
        self.ordered()
    }
}

impl SearchHints for LargeKalah {
    fn ordered_moves(&self, _plies: u32) -> impl Iterator<Item = Move> {
        self.ordered()
    }
}

impl<R: SowingRules> SearchHints for SowingPosition<R> {
    const HAS_ENDGAMES: bool = R::HAS_ENDGAMES;

    fn endgame_table(&self) -> String {
        self.rules().table()
    }

    /// The mover's and the opponent's pits in sowing order.
    #[inline]
    fn endgame_board(&self) -> [u64; 2] {
        self.key()
    }

    #[inline]
    fn ordered_moves(&self, plies: u32) -> impl Iterator<Item = Move> {
        self.ordered(plies)
    }
}

impl SearchHints for Checkers {
    const HAS_ENDGAMES: bool = true;

    /// One table serves any move limit.
    fn endgame_table(&self) -> String {
        checkers::NAME.to_owned()
    }

    #[inline]
    fn endgame_board(&self) -> [u64; 2] {
        checkers::board(self)
    }

    fn plies_to_rule(&self, history: &History<Checkers>) -> u32 {
        self.plies_to_draw(history)
    }

    #[inline]
    fn horizon(&self, beta: i32) -> Horizon {
        self.best_after_one(beta)
    }

    /// The value of a win bounds all margins.
    #[inline]
    fn bound(&self, beta: i32) -> Option<i32> {
        if beta > WON { Some(WON) } else { (beta <= -WON).then_some(-WON) }
    }
}

impl SearchHints for Othello {
    #[inline]
    fn horizon(&self, beta: i32) -> Horizon {
        self.best_after_one(beta)
    }

    #[inline]
    fn bound(&self, beta: i32) -> Option<i32> {
        othello::stable_bound(self, beta)
    }

    /// Every disc fills a square, and at most one pass precedes each.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        let empty = self.empty();
        if self.is_over() {
            return Some(0);
        }
        (empty <= IN_SIGHT).then(|| 2 * empty - u32::from(self.legal() != 0))
    }

    #[inline]
    fn finish(&self, beta: i32) -> Option<Horizon> {
        othello::finish(self, beta)
    }

    fn static_eval(&self) -> Option<i32> {
        Some(othello::static_eval(self))
    }

    #[inline]
    fn ordered_moves(&self, plies: u32) -> impl Iterator<Item = Move> {
        othello::ordered_moves(self, plies)
    }
}
