//! A tournament of four players of Kalah: everyone against everyone from both sides, and the ratings.
//!
//!     cargo run --release --example tournament
#![allow(clippy::print_stdout)]

use mancalab_base::budget::{Budget, Job as _};
use mancalab_base::{Error, pool::Pool};
use mancalab_games::Variant;
use mancalab_lab::arena::{Settings, Tournament};
use mancalab_players::Spec;
use mancalab_runs::RunJob;

fn main() -> Result<(), Error> {
    let texts = ["random", "max", "minimax:4:ties=random", "mcts:200"];
    let players = texts.iter().map(|text| text.parse()).collect::<Result<Vec<Spec>, Error>>()?;
    // 100 games a pair and side, begun with two random moves; the last number is the seed.
    let settings =
        Settings { opening: 2.into(), ..Settings::round_robin("kalah".parse::<Variant>()?, players, 100, 1) };
    let mut job = RunJob::in_memory(settings, &Pool::default())?;
    job.step(Budget::UNLIMITED);
    let view = job.run_as::<Tournament>().view();
    let (ratings, _) = view.ratings();
    for (name, rating) in view.names().iter().zip(ratings) {
        println!("{name:<24} {rating}");
    }
    Ok(())
}
