//! The real binary on a pseudo-terminal: games played by keys, every way to end the program, resized windows, and
//! measured costs.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout)]

mod arena;
mod background;
mod checkers;
mod cost;
mod endings;
mod first;
pub mod guest;
pub mod harness;
mod keys;
mod live;
mod othello;
mod plans;
mod play;
pub mod process;
mod reader;
mod review;
mod runs;
mod screen;
mod slow;
mod train;
