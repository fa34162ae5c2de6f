#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! - [`evolve`]: what is bred and tuned.
//! - [`arena`]: matches and tournaments.
//! - [`train`]: networks that learn by playing. [`evaluations`]: evaluations of Othello and checkers that do. [`learners`]: either.
//! - [`kinds`]: the kinds of runs, and the one list of them. [`experiment`]: the division of runs into parts, for plans.
//! - [`groups`]: runs that differ only in their seeds, summarised and compared by [`statistics`].
//! - [`tidy`]: the results of runs as tables for other programs, one row per observation.
//! - [`cluster`]: long work in units that engines of array jobs compute.

use mancalab_base::{budget, codec, confined, files, pool, rng, row, sanitize, settings, sort, work};
use mancalab_games as game;
use mancalab_net as net;
use mancalab_players::{self as player, program};
use mancalab_runs as job;
use mancalab_search as search;
use mancalab_tables as tables;

pub mod arena;
pub mod chances;
pub mod cluster;
pub mod evaluations;
pub mod evolve;
pub mod experiment;
pub mod exploit;
pub mod fair;
pub mod faults;
pub mod fronts;
pub mod groups;
pub mod kinds;
pub mod learners;
pub mod measuring;
pub mod panel;
pub mod statistics;
pub mod tidy;
pub mod train;
