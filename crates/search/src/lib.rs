#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! Adversarial search over any [`Game`](crate::game::Game) with [`SearchHints`].
//!
//! Exact alpha-beta: the values are those of plain minimax to the same depth, and a search ends early once
//! the game is solved. [`Search`] finds a move to play, [`Analysis`] the value of every move. Both run in
//! steps, report intermediate results and can be dropped at any time. Both maximize the margin;
//! [`alpha_beta`] and [`pvs`] search with any other evaluation.

use mancalab_base::{active, budget, rng, settings, sort};
use mancalab_evaluations as evaluations;
use mancalab_games as game;
use mancalab_net as net;
use mancalab_tables as tables;

pub mod alpha_beta;
mod best;
mod driver;
mod hints;
mod margins;
pub mod mcts;
mod move_set;
mod null_window;
mod parallel;
pub mod playout;
pub mod pvs;
mod report;
mod root;
pub mod selective;
mod table;
mod ties;

pub use crate::best::Analysis;
pub use best::{Limits, Search};
pub use hints::SearchHints;
pub use mcts::{Mcts, PuctSearch};
pub use move_set::MoveSet;
pub use parallel::Threads;
pub use playout::playout;
pub use report::{Line, MoveStatistics, MoveValue, Report};
pub use table::{PackedValue, Table};
pub use ties::Ties;

/// Maximum search depth in plies; enough to solve any small game of Kalah.
pub const MAX_DEPTH: u32 = 250;
