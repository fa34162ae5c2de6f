//! The real binary on a pseudo-terminal: games are played by keys, the program is ended in every way there is, its window is
//! dragged about, and what it costs is measured.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)]

mod arena;
mod background;
mod checkers;
mod cost;
mod endings;
mod harness;
mod live;
mod othello;
mod plans;
mod play;
mod process;
mod reader;
mod review;
mod runs;
mod screen;
mod train;
