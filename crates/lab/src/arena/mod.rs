//! Matches and tournaments: games from random openings, scored by first mover, with confidence intervals and
//! ratings.
//!
//! A [`Tournament`] is a list of cells: each is a number of games of one player moving first against another. A
//! round robin has a cell for every ordered pair, a match two. A tournament is a [`Run`](crate::job::Run) whose
//! generations are rounds of one game per cell: it can be stepped, paused, saved, resumed and watched. Its results
//! depend neither on these nor on the number of threads.

mod block;
mod cell;
mod estimate;
mod experiment;
mod game;
mod ledger;
mod line;
mod losses;
mod matches;
mod openings;
mod presets;
mod rating;
pub(crate) mod run_settings;
mod scheduler;
mod score;
mod settings;
mod sprt;
pub(crate) mod tidy;
mod tournament;
mod view;

pub use cell::CellView;
pub use game::PlayedGame;
pub(crate) use ledger::Ledger;
pub use ledger::{Games, MAX_KEPT};
pub use matches::Match;
pub use openings::{Deal, Opening};
pub use presets::{PRESETS, preset};
pub use rating::{Rating, ratings, unsigned_nought};
pub use score::{Score, Tally, wilson};
pub use settings::{Cell, MAX_GAMES, MAX_PLAYERS, Pairs, Settings};
pub use sprt::{Sprt, Verdict};
pub use tournament::Tournament;
pub use view::{FromRows, View};

pub(crate) use {
    block::{Block, block_size, blocks},
    estimate::seconds_per_game,
    line::{GameLine, Source},
};

#[cfg(test)]
mod tests;
