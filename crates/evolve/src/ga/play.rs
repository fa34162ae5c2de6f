//! What two genomes do when they meet: a game, which a contest has played many times.

use super::genome::Genome;
use crate::budget::Budget;
use crate::game::Outcome;

/// Games between players that genomes stand for. Who meets whom is the contest's business.
pub trait Play: Send + Sync + 'static {
    /// What a genome plays as.
    type Player: Send + Sync;
    /// A game under way.
    type Game: Send;
    /// What a thread keeps between games, such as tables. Nothing that is played depends on what is in it.
    type Memory: Send;

    /// Whether chance has no say: then every game between the same two, begun by the same, is the same.
    fn is_certain(&self) -> bool;

    fn player(&self, genome: &Genome) -> Self::Player;

    fn memory(&self) -> Self::Memory;

    /// What follows is about other players.
    fn clear(&self, memory: &mut Self::Memory);

    /// The game that this key names, from which all chance in it follows.
    fn begin(&self, key: GameKey) -> Self::Game;

    /// Plays on to the end; `None` if the budget is spent first. Whoever moves first is named first, and the players must be the
    /// same each time.
    fn play(
        &self,
        game: &mut Self::Game,
        players: [Seat<'_, Self::Player>; 2],
        memory: &mut Self::Memory,
        budget: Budget,
    ) -> Option<Played>;
}

/// Which of a run's games it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameKey {
    /// The run's.
    pub seed: u64,
    pub generation: u64,
    /// The pairing's number in its generation.
    pub pairing: u64,
    /// The game's number in its pairing.
    pub game: u64,
    /// The same for the two games of a pairing that only differ in who moves first.
    pub opening: u64,
}

/// One of a contest's players.
pub struct Seat<'a, P> {
    /// Which of them it is.
    pub number: u32,
    pub player: &'a P,
}

/// How a game ended for whoever moved first in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    pub outcome: Outcome,
    /// Pieces more than the other side has in the end.
    pub ahead: i32,
}

impl Played {
    /// The same as the other side sees it.
    #[must_use]
    pub fn turned(self) -> Played {
        Played { outcome: self.outcome.other(), ahead: -self.ahead }
    }
}
