//! The players without settings.

use mancalab_base::Error;
use std::fmt;

use super::kind::{Forms, PlayerKind, Unread};
use super::{Built, Player, Purpose, Turn, Unbuilt};
use crate::budget::Budget;
use crate::game::{Game, Move};
use crate::pool::Pool;
use crate::search::SearchHints;
use rand::Rng as _;

/// Plays a uniformly random legal move.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        (!turn.pos.is_over()).then(|| turn.pos.pick(turn.rng(Purpose::Move).next_u32()))
    }
}

/// A player without settings.
pub(crate) enum Simple {
    Human,
    Random,
}

pub(crate) const HUMAN: Forms = &[("human", "you, at the keyboard")];
pub(crate) const RANDOM: Forms = &[("random", "any legal move")];

pub(crate) fn unread(text: &str, player: Simple) -> Result<Unread<Simple>, Error> {
    match text.get(1..) {
        None => Ok(Unread::ready(player)),
        Some(extra) => Err(format!("player '{player}' takes no settings (got '{extra}')").into()),
    }
}

impl Simple {
    fn form(&self) -> (&'static str, &'static str) {
        match self {
            Simple::Human => HUMAN[0],
            Simple::Random => RANDOM[0],
        }
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form().0)
    }
}

impl PlayerKind for Simple {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        match self {
            Simple::Human => Err(Unbuilt::Human),
            Simple::Random => Ok(Box::new(RandomPlayer)),
        }
    }

    fn about(&self) -> String {
        self.form().1.to_owned()
    }
}
