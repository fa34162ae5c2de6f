//! Whether and how a game is over.
//!
//! A position reports when no moves are left, and its margin. A history-dependent rule ([`Game::ruling`]) may end a
//! game earlier, and an endless one is stopped after [`Game::MOST_PLIES`]. All code that plays games to the end, move
//! by move ([`GameState`]) or at once ([`play_out`]), uses this module.

use super::{Game, History, Move, Side};

/// Result of a game for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    Lost,
    Drawn,
    Won,
}

impl Outcome {
    /// The outcome that a margin means.
    #[inline]
    pub fn from_margin(margin: i32) -> Outcome {
        match margin {
            ..0 => Outcome::Lost,
            0 => Outcome::Drawn,
            1.. => Outcome::Won,
        }
    }

    /// The outcome for the other side.
    #[inline]
    #[must_use]
    pub fn other(self) -> Outcome {
        match self {
            Outcome::Lost => Outcome::Won,
            Outcome::Drawn => Outcome::Drawn,
            Outcome::Won => Outcome::Lost,
        }
    }

    /// Points in halves: 2 for a win, 1 for a draw, 0 for a loss.
    #[inline]
    pub fn halves(self) -> u32 {
        self as u32
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// No moves are left.
    NoMoves,
    /// A history-dependent rule, in a few words.
    Rule(&'static str),
    /// The maximal number of plies was played.
    Plies(u32),
}

/// Outcome, margin and reason of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    pub why: Why,
    /// For South.
    pub outcome: Outcome,
    /// South's points minus North's.
    pub margin: i32,
}

impl Ending {
    #[inline]
    pub fn outcome(&self, side: Side) -> Outcome {
        if side == Side::South { self.outcome } else { self.outcome.other() }
    }

    #[inline]
    pub fn margin(&self, side: Side) -> i32 {
        if side == Side::South { self.margin } else { -self.margin }
    }
}

/// The ending of a game that reached `pos` after `plies`; `None` while it continues.
#[inline]
pub fn ending<G: Game>(pos: &G, history: &History<G>, plies: u32) -> Option<Ending> {
    let margin = pos.margin(Side::South);
    if pos.is_over() {
        return Some(Ending { why: Why::NoMoves, outcome: pos.outcome(Side::South), margin });
    }
    let why = match ruling(pos, history) {
        Some(rule) => Why::Rule(rule),
        None if G::MOST_PLIES.is_some_and(|most| plies >= most) => Why::Plies(plies),
        None => return None,
    };
    let stopped = pos.stopped_margin(Side::South);
    Some(Ending { why, outcome: Outcome::from_margin(stopped.unwrap_or(0)), margin: stopped.unwrap_or(margin) })
}

/// The value for the side to move, in searches of the margin, of a game that a rule ends at `pos`; `None` if none does.
#[inline]
pub fn ruled_value<G: Game>(pos: &G, history: &History<G>) -> Option<i32> {
    ruling(pos, history).map(|_| pos.stopped_margin(pos.side()).unwrap_or(0))
}

/// The rule that ends a game at `pos` although legal moves exist.
#[inline]
pub fn ruling<G: Game>(pos: &G, history: &History<G>) -> Option<&'static str> {
    if G::USES_HISTORY { pos.ruling(history) } else { None }
}

/// A game in progress: a position and its history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameState<G> {
    pos: G,
    history: History<G>,
    plies: u32,
}

impl<G: Game> GameState<G> {
    #[inline]
    pub fn new(start: G) -> GameState<G> {
        GameState::after(start, History::default(), 0)
    }

    /// A game that reached `pos` after `plies`.
    #[inline]
    pub fn after(pos: G, history: History<G>, plies: u32) -> GameState<G> {
        GameState { pos, history, plies }
    }

    #[inline]
    pub fn pos(&self) -> &G {
        &self.pos
    }

    pub fn history(&self) -> &History<G> {
        &self.history
    }

    /// Returns the position, and the history for a search that leaves it as it is.
    #[inline]
    pub fn pos_and_history(&mut self) -> (&G, &mut History<G>) {
        (&self.pos, &mut self.history)
    }

    /// Returns the history, so that its allocation can be reused.
    #[inline]
    pub fn into_history(self) -> History<G> {
        self.history
    }

    /// Moves played so far.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.history.push(&self.pos, mv);
        self.pos = self.pos.play(mv);
        self.plies += 1;
    }

    /// The ending; `None` while the game continues.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        ending(&self.pos, &self.history, self.plies)
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        self.pos.is_over()
            || ruling(&self.pos, &self.history).is_some()
            || G::MOST_PLIES.is_some_and(|most| self.plies >= most)
    }
}

/// A game that starts here.
impl<G: Game> From<&G> for GameState<G> {
    #[inline]
    fn from(start: &G) -> GameState<G> {
        GameState::new(*start)
    }
}

/// Plays to the end with the moves that `choose` returns. Returns the final state and the ending.
#[inline]
pub fn play_out<G: Game>(mut game_state: GameState<G>, mut choose: impl FnMut(&G) -> Move) -> (GameState<G>, Ending) {
    loop {
        if let Some(ending) = game_state.ending() {
            return (game_state, ending);
        }
        game_state.play(choose(&game_state.pos));
    }
}
