//! mancalab: play Kalah and its relatives in the terminal, step through games, and breed players.
//!
//! The rooms, from the ground up; nothing imports upward:
//!
//! - [`game`]: the rules, and nothing else.
//! - [`program`]: programs as data: trees, tapes, languages.
//! - [`search`]: adversarial search over any game.
//! - [`player`]: who chooses a move, and the texts that name players.
//! - [`evolve`]: breeding programs, and weights.
//! - [`arena`]: matches between players.
//! - [`reproduce`]: the sources' tables and figures again.
//! - [`job`]: jobs on threads of their own, runs and their folders.
//! - [`theme`]: what the screen looks like.
//! - [`term`]: the terminal, entered, drawn on, listened to and left.
//! - [`config`]: the settings, and the files they come from.
//! - [`ui`]: pure widgets.
//! - [`app`] and [`tabs`]: the event loop, commands and overlays; the pages it shows.
//! - [`cli`]: every subcommand and flag.
//!
//! Beside them, [`step`] is long work in bounded steps, [`rng`] where every random choice comes from, [`codec`] the bytes of
//! checkpoints, [`document`] reads the TOML that people write, [`files`]
//! opens files and writes them so that they are never half written, [`plain`] is what texts from outside go through on their way
//! to a person, [`paths`] says where things live, and [`log`] keeps what went on.

pub mod app;
pub mod arena;
pub mod cli;
pub mod codec;
pub mod config;
pub mod document;
pub mod evolve;
pub mod files;
pub mod game;
pub mod job;
pub mod log;
pub mod paths;
pub mod plain;
pub mod player;
pub mod program;
pub mod reproduce;
pub mod rng;
pub mod search;
pub mod step;
pub mod tabs;
pub mod term;
pub mod theme;
pub mod ui;
