//! Perft, the count of the ways to play, of three games to a depth, with the time: a test of rules and their speed.
//!
//!     cargo run --release --example perft 6
#![allow(clippy::print_stdout)]

use std::time::Instant;

use mancalab_games::{BoardGame, checkers::Checkers, kalah::Kalah, othello::Othello, perft::perft};

fn count<G: BoardGame>(start: &G, depth: u32) {
    let begin = Instant::now();
    let ways = perft(start, depth);
    println!("{:<10} {ways:>15} ways of {depth} plies in {:.2?}", G::NAME, begin.elapsed());
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(6);
    count(&Kalah::start(Default::default()), depth);
    count(&Othello::start(Default::default()), depth);
    count(&Checkers::start(Default::default()), depth);
}
