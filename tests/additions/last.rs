//! A player that makes the last legal move.

use mancalab_base::Error;
use std::fmt;

use super::kind::{Forms, PlayerKind, Unread};
use super::{Built, Player, Turn};
use crate::pool::Pool;
use crate::game::{Game, Move};
use crate::budget::Budget;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Last;

pub(crate) const FORMS: Forms = &[("last", "the last legal move")];

pub(crate) fn unread(text: &str) -> Result<Unread<Last>, Error> {
    if text.is_empty() { Ok(Unread::ready(Last)) } else { Err("last takes no settings".into()) }
}

impl fmt::Display for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("last")
    }
}

impl PlayerKind for Last {
    fn build<G: Game>(&self, _: &Pool) -> Built<G> {
        Ok(Box::new(*self))
    }

    fn about(&self) -> String {
        "the last legal move".to_owned()
    }
}

impl<G: Game> Player<G> for Last {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        turn.pos.moves().last()
    }
}
