//! mancalab: play Kalah, Othello and checkers in the terminal, step through games, and evolve players.
//!
//! This crate is the user interface. The crates in `crates/` compute; all but `mancalab-evaluations` are re-exported here as modules,
//! from the lowest layer up:
//!
//! - [`budget`], [`pool`], [`sanitize`], [`rng`], [`codec`], [`paths`], [`files`], [`settings`]: foundations.
//! - [`game`]: rules. [`net`]: small neural networks. [`tables`]: exact solutions, endgame tables.
//!   [`search`]: adversarial search over any game.
//! - [`job`]: background jobs, runs and their folders. [`program`]: programs as data.
//! - [`player`]: players, and the texts that name them.
//! - [`evolve`], [`arena`]: evolution and tournaments. [`train`], [`evaluations`], [`learners`]: training. [`measuring`]: measurements of
//!   learners. [`experiment`], [`kinds`]: all kinds of runs. [`cluster`]: runs on several machines. [`tidy`]: results as tables.
//! - [`reproduce`]: reproductions of the sources' tables and figures.
//!
//! Its own modules, from the lowest layer up: `log`, [`theme`], [`term`] and [`ui`] (the terminal and pure widgets),
//! [`config`], `cards`, `presets`, `grid`, `kept`, `monitor`, `network`, `openings`, `report`, `results`, `summary`, `tensorboard`, [`app`] (the
//! event loop, commands and overlays), [`tabs`] (pages), [`cli`] (subcommands and flags).

pub use mancalab_base::{
    budget, codec, confined, files, memory, name, paths, pool, rights, rng, row, sanitize, settings, sort, threads,
};
pub use mancalab_games as game;
pub use mancalab_lab::{
    arena, chances, cluster, evaluations, evolve, experiment, exploit, fair, faults, fronts, groups, kinds, learners,
    measuring, statistics, tidy, train,
};
pub use mancalab_net as net;
pub use mancalab_papers as reproduce;
pub use mancalab_players::{self as player, program};
pub use mancalab_runs as job;
pub use mancalab_search as search;
pub use mancalab_tables as tables;

pub mod app;
pub(crate) mod cards;
pub(crate) mod chosen;
pub mod cli;
pub mod config;
pub(crate) mod grid;
pub(crate) mod kept;
pub(crate) mod log;
pub(crate) mod monitor;
pub(crate) mod network;
pub(crate) mod openings;
pub(crate) mod pictures;
pub(crate) mod presets;
pub(crate) mod report;
pub(crate) mod results;
#[cfg(any(test, feature = "serve"))]
pub(crate) mod serve;
pub(crate) mod summary;
pub mod tabs;
pub(crate) mod tensorboard;
pub mod term;
pub mod theme;
pub mod ui;
