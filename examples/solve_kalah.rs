//! A position of Kalah solved: what each move of the start with four pits a side and three seeds a pit is worth.
//!
//!     cargo run --release --example solve_kalah
#![allow(clippy::print_stdout)]

use mancalab_base::{Error, budget::Budget};
use mancalab_games::{BoardGame, Game, Notation, kalah::Kalah};
use mancalab_tables::Solver;

fn main() -> Result<(), Error> {
    let start = Kalah::start("4x3".parse()?);
    for mv in start.moves() {
        let after = start.play(mv);
        let mut solver = Solver::new(&after, 64)?;
        solver.step(Budget::UNLIMITED);
        let (margin, _) = solver.solution().margins;
        // The margin is that of the side to move, which is the same side after a move again.
        let margin = if after.side() == start.side() { margin } else { -margin };
        println!("{}  {margin:+} seeds under best play of both", start.move_text(mv));
    }
    Ok(())
}
