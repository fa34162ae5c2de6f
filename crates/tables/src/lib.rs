#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! A [`Solver`] finds the final margin of a position of Kalah under best play, a [`MoveSolver`] that of every move. An
//! [`endgame`] table holds the results of all positions with few seeds or pieces. The solver reads the tables of Kalah;
//! searches read those of the other games, and need no further plies where a table has the position.

use mancalab_base::{active, budget};
use mancalab_games as game;

pub mod endgame;
mod rank;
mod solver;

pub use endgame::{EndgameTable, TableBuilder};
pub use solver::{MoveSolver, Solution, Solver};
