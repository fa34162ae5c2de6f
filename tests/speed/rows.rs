// What the rows compute, as a function of the version's crates. Each result is a checksum of all that was computed.

use base::budget::Budget;
use base::pool::Pool;
use games::checkers::Checkers;
use games::kalah::Kalah;
use games::othello::Othello;
use games::perft::perft;
use games::sowing::oware::Oware;
use games::{BoardGame, Game as _};
use lab::arena::Match;
use lab::evolve::kalah::{self, KalahRun};
use players::program::Tape;
use players::program::kalah::{ProgramReading, printed};
use rand::Rng as _;
use runs::Run as _;
use search::mcts::{Policy, Rollout};
use search::{Mcts, playout};
use std::hint::black_box;

fn start<G: BoardGame>() -> G {
    G::start("".parse().ok().expect("the usual rules"))
}

fn added(sum: u64, word: u64) -> u64 {
    sum.wrapping_mul(0x100_0000_01b3).wrapping_add(word)
}

fn of_text(text: &str) -> u64 {
    text.bytes().fold(0, |sum, byte| added(sum, byte.into()))
}

#[inline(never)]
fn random_games<G: BoardGame>(count: u64) -> u64 {
    let mut rng = base::rng::keyed(&[1]);
    let start = start::<G>();
    (0..count).fold(0, |sum, _| {
        let (end, ending) = playout(black_box(&start), &mut rng);
        added(added(sum, end.plies().into()), ending.margin as u64)
    })
}

#[inline(never)]
fn mcts<G: BoardGame>(iterations: u64, policy: Policy) -> u64 {
    let rollout = Rollout { policy, ..Rollout::default() };
    let mut search = Mcts::new(black_box(&start::<G>()), rollout, base::rng::keyed(&[1]));
    search.step(iterations, Budget::UNLIMITED);
    let report = search.report();
    let visits = |line: &search::Line| line.tried.map_or(0, |tried| tried.visits);
    report.lines.iter().fold(report.nodes, |sum, line| added(added(sum, line.margin as u64), visits(line)))
}

/// A match of two players.
fn tournament(game: &str, players: [&str; 2], games: u32) -> u64 {
    let players = players.map(|player| player.parse().expect("a player's text"));
    let variant = game.parse().expect("a game");
    let tally = Match { variant, players, games: 4 * games, opening: 2, seed: 1 }.play(&Pool::alone(), &mut |_| ());
    of_text(&format!("{:?}", tally.expect("players that can play")))
}

/// A whole run of a preset.
fn evolution(preset: &str, seed: u64) -> u64 {
    let mut settings = kalah::Settings::preset(preset).expect("a preset");
    settings.tableau.seed = seed;
    let mut run = KalahRun::start(settings).expect("valid settings");
    let pool = Pool::alone();
    while !run.is_over() {
        run.advance(&pool, Budget::UNLIMITED);
    }
    of_text(&run.best())
}

/// The 80 nodes of the second printed program on positions of random games.
fn tape(runs: usize) -> u64 {
    let mut tape = Tape::new(&printed("figure5-2").expect("a printed program"));
    let mut pos = start::<Kalah>();
    let mut rng = base::rng::keyed(&[5]);
    let positions: Vec<_> = std::iter::repeat_with(|| {
        pos = if pos.is_over() { start() } else { pos.play(pos.pick(rng.next_u32())) };
        ProgramReading::default().bowls(&pos)
    })
    .take(64)
    .collect();
    (0..runs).fold(0, |sum, run| added(sum, tape.run(black_box(&positions[run % 64])) as u64))
}

pub fn run(row: &str) -> u64 {
    match row {
        "othello random games" => random_games::<Othello>(3000),
        "kalah random games" => random_games::<Kalah>(6000),
        "checkers random games" => random_games::<Checkers>(1000),
        "oware random games" => random_games::<Oware>(3000),
        "othello mcts random" => mcts::<Othello>(1000, Policy::Random),
        "kalah mcts random" => mcts::<Kalah>(4000, Policy::Random),
        "checkers mcts random" => mcts::<Checkers>(1000, Policy::Random),
        "othello mcts greedy" => mcts::<Othello>(1000, Policy::Greedy),
        "kalah mcts greedy" => mcts::<Kalah>(4000, Policy::Greedy),
        "checkers mcts greedy" => mcts::<Checkers>(1000, Policy::Greedy),
        "othello tournament" => tournament("othello", ["random", "random"], 300),
        "kalah tournament" => tournament("kalah", ["random", "random"], 300),
        "checkers tournament" => tournament("checkers", ["random", "random"], 100),
        "kalah tournament max" => tournament("kalah", ["random", "max"], 200),
        "kalah perft" => perft(black_box(&start::<Kalah>()), 9),
        "othello perft" => perft(black_box(&start::<Othello>()), 8),
        "checkers perft" => perft(black_box(&start::<Checkers>()), 8),
        "tape" => tape(100_000),
        "mancala-gp-1" => (1..=3).fold(0, |sum, seed| added(sum, evolution("mancala-gp-1", seed))),
        "mancala-gp-2" => (1..=3).fold(0, |sum, seed| added(sum, evolution("mancala-gp-2", seed))),
        _ => panic!("no row is named '{row}'"),
    }
}
