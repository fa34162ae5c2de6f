//! Matches and tournaments: games from random openings, counted by who moved first, with confidence intervals and ratings.
//!
//! A [`Tournament`] is a list of cells, each so many games of one player moving first against another; a round robin has a cell
//! for every ordered pair, a match two. It is a job: it can be stepped, paused and looked at, and what it finds depends neither
//! on that nor on the number of threads.

mod game;
mod matches;
mod rating;
mod score;
mod sprt;
pub mod tournament;
mod view;

pub use game::Kept;
pub use matches::Match;
pub use rating::{Rating, ratings};
pub use score::{Score, Tally, wilson};
pub use sprt::{Sprt, Verdict};
pub use tournament::{Cell, Settings, Tournament};
pub use view::{CellView, Games, MAX_KEPT, View};

#[cfg(test)]
mod tests;
