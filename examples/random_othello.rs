//! A thousand random games of Othello: how often Black wins, who moves first, and by how many discs on average.
//!
//!     cargo run --release --example random_othello
#![allow(clippy::print_stdout)]

use mancalab_base::{pool::Pool, rng};
use mancalab_games::{BoardGame, Game, GameState, Side, othello::Othello};
use rand::RngExt as _;

fn main() {
    // Each game has a generator of its own, so that the result is the same for any number of threads.
    let margins = Pool::default().map(0..1000, |game| {
        let mut random = rng::keyed(&[1, game as u64]);
        let mut state = GameState::new(Othello::start(Default::default()));
        while !state.is_over() {
            let moves: Vec<_> = state.pos().moves().collect();
            state.play(moves[random.random_range(0..moves.len())]);
        }
        state.pos().margin(Side::South)
    });
    let won = margins.iter().filter(|margin| **margin > 0).count();
    let mean = f64::from(margins.iter().sum::<i32>()) / margins.len() as f64;
    println!("Black won {won} of {} games; mean margin {mean:+.2} discs", margins.len());
}
