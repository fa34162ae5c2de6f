//! Whether a game is over, and how: the one room that says so.
//!
//! A position says when there are no moves left, and what it is worth then. A rule that looks back at what was played
//! ([`Game::ruling`]) may end a game before, and a game that could go on for ever is stopped after [`Game::MOST_PLIES`]. Whoever
//! plays a game to its end, move by move ([`GameState`]) or in one go ([`play_out`]), asks here.

use super::{Game, History, Move, Side};

/// How a game ended for one of the sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    Lost,
    Drawn,
    Won,
}

impl Outcome {
    /// As a margin tells it.
    #[inline]
    pub fn of(margin: i32) -> Outcome {
        match margin {
            ..0 => Outcome::Lost,
            0 => Outcome::Drawn,
            1.. => Outcome::Won,
        }
    }

    /// The same for the other side.
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
    /// There are no moves left.
    NoMoves,
    /// A rule that looks back at what was played, in a few words.
    Rule(&'static str),
    /// So many plies were played, which is more than the game may have.
    Plies(u32),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    pub why: Why,
    /// For South.
    pub outcome: Outcome,
    /// What South has less what North has.
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

/// How the game has ended that came to `pos` after so many plies; `None` if it goes on.
#[inline]
pub fn ending<G: Game>(pos: &G, history: &History<G>, plies: u32) -> Option<Ending> {
    let ended = |why, outcome| Some(Ending { why, outcome, margin: pos.margin(Side::South) });
    if pos.is_over() {
        return ended(Why::NoMoves, pos.outcome(Side::South));
    }
    match ruling(pos, history) {
        Some(rule) => ended(Why::Rule(rule), Outcome::Drawn),
        None if G::MOST_PLIES.is_some_and(|most| plies >= most) => ended(Why::Plies(plies), Outcome::Drawn),
        None => None,
    }
}

/// The rule by which a game that came to `pos` is drawn, though there are moves.
#[inline]
pub fn ruling<G: Game>(pos: &G, history: &History<G>) -> Option<&'static str> {
    if G::USES_HISTORY { pos.ruling(history) } else { None }
}

/// A game under way: a position and what was played before it.
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

    /// A game that has come to `pos` in so many plies.
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

    /// Gives the past back, with the room it takes, to whoever lent it.
    #[inline]
    pub fn into_history(self) -> History<G> {
        self.history
    }

    /// Moves played before.
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

    /// How the game has ended; `None` while it goes on.
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

/// A game that begins here.
impl<G: Game> From<&G> for GameState<G> {
    #[inline]
    fn from(start: &G) -> GameState<G> {
        GameState::new(*start)
    }
}

/// Plays on to the end with the moves that `choose` gives; the end, and how it came about.
#[inline]
pub fn play_out<G: Game>(mut course: GameState<G>, mut choose: impl FnMut(&G) -> Move) -> (GameState<G>, Ending) {
    loop {
        if let Some(ending) = course.ending() {
            return (course, ending);
        }
        course.play(choose(&course.pos));
    }
}
