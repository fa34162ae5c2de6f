//! The players without settings.

use mancalab_base::Error;
use std::fmt;

use super::spec::{Kind, PlayerKind, Unread};
use super::{Built, Player, Purpose, Spec, Turn, Unbuilt};
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

pub(crate) static HUMAN: Kind =
    Kind { forms: &[("human", "you, at the keyboard")], read: |text| unread(text, Spec::Human) };

pub(crate) static RANDOM: Kind =
    Kind { forms: &[("random", "any legal move")], read: |text| unread(text, Spec::Random) };

fn unread(text: &str, spec: Spec) -> Result<Unread, Error> {
    match text.get(1..) {
        None => Ok(Unread::ready(spec)),
        Some(extra) => Err(format!("player '{spec}' takes no settings (got '{extra}')").into()),
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Simple::Human => HUMAN.name(),
            Simple::Random => RANDOM.name(),
        })
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
        match self {
            Simple::Human => "you, at the keyboard".to_owned(),
            Simple::Random => "any legal move".to_owned(),
        }
    }
}
