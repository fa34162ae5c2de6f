//! mancalab: play Kalah and its relatives in the terminal, step through games, and breed players.
//!
//! This crate is what a person sees. What it shows is computed by the crates below `crates/`, named here as modules, from the ground up:
//!
//! - [`budget`], [`pool`], [`sanitize`], [`rng`], [`codec`], [`paths`], [`files`], [`settings`]: foundations.
//! - [`game`]: the rules, and nothing else. [`net`]: small neural networks. [`search`]: adversarial search over any game.
//! - [`job`]: jobs on threads of their own, runs and their folders. [`program`]: programs as data.
//! - [`player`]: who chooses a move, and the texts that name players.
//! - [`evolve`], [`arena`], [`train`], [`kinds`], [`cluster`]: breeding, tournaments, training; all kinds of runs; on many machines.
//! - [`reproduce`]: the sources' tables and figures again.
//!
//! And its own, from the ground up: `log`, [`theme`], [`term`] and [`ui`] (the terminal, and pure widgets), [`config`], `presets`, `kept`, [`app`] (the event
//! loop, commands and overlays), [`tabs`] (the pages it shows), [`cli`] (every subcommand and flag).

pub use mancalab_base::{budget, codec, confined, files, paths, pool, rng, row, sanitize, settings};
pub use mancalab_games as game;
pub use mancalab_lab::{arena, cluster, evolve, kinds, train};
pub use mancalab_net as net;
pub use mancalab_papers as reproduce;
pub use mancalab_players::{self as player, program};
pub use mancalab_runs as job;
pub use mancalab_search as search;

pub mod app;
pub mod cli;
pub mod config;
pub(crate) mod kept;
pub(crate) mod log;
pub(crate) mod presets;
pub mod tabs;
pub mod term;
pub mod theme;
pub mod ui;
