//! mancalab: play Kalah and its relatives in the terminal, step through games, and breed players.
//!
//! The rooms, from the ground up; nothing imports upward:
//!
//! - [`step`], [`crew`], [`plain`], [`rng`], [`codec`], [`paths`]: long work in bounded steps; the threads that do it; what texts
//!   from outside go through on their way to a person; where every random choice comes from; the bytes of checkpoints; where things
//!   live.
//! - `files`: files opened, and written so that they are never half written.
//! - [`document`]: the TOML that people write.
//! - `log`: what went on.
//! - [`game`]: the rules, and nothing else.
//! - [`net`]: small neural networks, and how they learn.
//! - [`program`]: programs as data: trees, tapes, languages.
//! - [`search`]: adversarial search over any game.
//! - [`player`]: who chooses a move, and the texts that name players.
//! - [`job`]: jobs on threads of their own, runs and their folders.
//! - [`evolve`], [`arena`] and [`train`]: breeding programs, and weights; matches between players; networks that learn by playing.
//! - `reproduce`: the sources' tables and figures again.
//! - `cluster`: long work in units that engines of array jobs compute.
//! - [`theme`]: what the screen looks like.
//! - [`term`] and [`ui`]: the terminal, entered, drawn on, listened to and left; pure widgets.
//! - [`config`]: the settings, and the files they come from.
//! - [`app`]: the event loop, commands and overlays.
//! - [`tabs`]: the pages it shows.
//! - [`cli`]: every subcommand and flag.

pub mod app;
pub mod arena;
pub mod cli;
pub(crate) mod cluster;
pub mod codec;
pub mod config;
pub mod crew;
pub mod document;
pub mod evolve;
pub(crate) mod files;
pub mod game;
pub mod job;
pub(crate) mod log;
pub mod net;
pub mod paths;
pub mod plain;
pub mod player;
pub mod program;
pub(crate) mod reproduce;
pub mod rng;
pub mod search;
pub mod step;
pub mod tabs;
pub mod term;
pub mod theme;
pub mod train;
pub mod ui;
