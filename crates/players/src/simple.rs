//! Players that look at most one ply ahead.

use mancalab_base::Error;
use std::fmt;

use super::spec::{Kind, PlayerKind, Unread};
use super::{Built, Player, Purpose, Spec, Turn, Unbuilt};
use crate::budget::Budget;
use crate::game::{Game, Move};
use crate::pool::Pool;
use rand::{Rng as _, RngExt};

/// Plays a uniformly random legal move.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        (!turn.pos.is_over()).then(|| turn.pos.pick(turn.rng(Purpose::Move).next_u32()))
    }
}

/// Plays the move with the greatest [gain](Game::gain), in Kalah that with most seeds in its own store; breaks ties at random.
#[derive(Clone, Copy, Debug)]
pub struct MaxPlayer;

impl<G: Game> Player<G> for MaxPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let most = turn.pos.moves().map(|mv| turn.pos.gain(mv)).max()?;
        let best = turn.pos.moves().filter(|&mv| turn.pos.gain(mv) == most);
        let nth = turn.rng(Purpose::Tie).random_range(0..best.clone().count());
        best.into_iter().nth(nth)
    }
}

/// A player without settings.
pub(crate) enum Simple {
    Human,
    Random,
    Max,
}

pub(crate) static HUMAN: Kind =
    Kind { forms: &[("human", "you, at the keyboard")], read: |text| unread(text, Spec::Human) };

pub(crate) static RANDOM: Kind =
    Kind { forms: &[("random", "any legal move")], read: |text| unread(text, Spec::Random) };

pub(crate) static MAX: Kind =
    Kind { forms: &[("max", "greedy: takes the most now")], read: |text| unread(text, Spec::Max) };

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
            Simple::Max => MAX.name(),
        })
    }
}

impl PlayerKind for Simple {
    fn build<G: Game>(&self, _: &Pool) -> Built<G> {
        match self {
            Simple::Human => Err(Unbuilt::Human),
            Simple::Random => Ok(Box::new(RandomPlayer)),
            Simple::Max => Ok(Box::new(MaxPlayer)),
        }
    }

    fn about(&self) -> String {
        match self {
            Simple::Human => "you, at the keyboard".to_owned(),
            Simple::Random => "any legal move".to_owned(),
            Simple::Max => "greedy: takes most now".to_owned(),
        }
    }
}
