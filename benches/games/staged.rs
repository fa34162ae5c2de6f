//! Speed of function players in Othello: whole games against the random player on one thread, and the shares of the
//! rules, the counts and the function.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group};
use mancalab::game::othello::{Afterwards, MOST_MOVES, Othello, Rules, Zones};
use mancalab::game::{BoardGame, Game, Side};
use mancalab::player::staged::{Practice, StagedSettings};
use mancalab::player::{Spec, StagedPlayer, Turn, choose};
use mancalab::program::LANES;
use mancalab::program::RowTape;
use mancalab::rng;
use rand::Rng as _;

/// 21 nodes, with every count.
const FUNCTION: &str = "staged:( + ( * white_corners 10 ) ( - ( - white_edges black_edges ) ( / ( + white_near_corners ( * 10 \
                        black_corners ) ) ( - black ( / black_near_corners ( + white white_edges ) ) ) ) ) )";
const PLAIN: &str = "staged:( white ),75,( white_corners ),25";
const GAMES: u64 = 100;

fn staged(text: &str) -> StagedSettings {
    match text.parse() {
        Ok(Spec::Staged(staged)) => staged,
        other => unreachable!("{other:?}"),
    }
}

fn start() -> Othello {
    Othello::start(Rules::default())
}

/// Elements: games, half of them with either colour.
fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("staged/games");
    group.throughput(Throughput::Elements(GAMES));
    for (name, text) in [("21 nodes", FUNCTION), ("white, white_corners", PLAIN)] {
        let mut practice = Practice::new(&staged(text));
        group.bench_function(name, |b| {
            b.iter(|| {
                let own = |seed| practice.play_out(black_box(&start()), Side::BOTH[(seed % 2) as usize], seed)[0][0];
                (0..GAMES).map(own).sum::<u32>()
            });
        });
    }
}

/// The positions of those games with the function player to move, and the others.
fn positions() -> [Vec<Othello>; 2] {
    let mut positions = [Vec::new(), Vec::new()];
    let mut player = StagedPlayer::new(staged(FUNCTION));
    for seed in 0..GAMES {
        let mut pos = start();
        let mut ply = 0;
        while !pos.is_over() {
            let is_own = pos.side() == Side::BOTH[(seed % 2) as usize];
            positions[usize::from(!is_own)].push(pos);
            let mv = if is_own { choose(&mut player, &Turn::new(pos, ply, seed)) } else { None };
            pos = pos.play(mv.unwrap_or_else(|| pos.pick(rng::keyed(&[seed, ply.into()]).next_u32())));
            ply += 1;
        }
    }
    positions
}

/// Elements: games. Each stage of the work, for all positions of these games.
fn parts(c: &mut Criterion) {
    let [own, other] = positions();
    let after: Vec<Afterwards> = own.iter().map(Afterwards::new).collect();
    let mut tape = RowTape::new(staged(FUNCTION).stages[0].function.tape(), MOST_MOVES);
    let wanted = tape.inputs() as u32;
    let mut group = c.benchmark_group("staged/parts");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("the other's moves", |b| {
        b.iter(|| {
            let played = |(pos, ply): (&Othello, u64)| {
                let bits = rng::keyed(&[1, ply, 0]).next_u32();
                u64::from(black_box(pos).play(pos.pick(bits)).is_over())
            };
            other.iter().zip(0..).map(played).sum::<u64>()
        });
    });
    group.bench_function("own rules", |b| {
        b.iter(|| {
            let played = |pos| u64::from(Afterwards::new(black_box(pos)).position(0).is_over());
            own.iter().map(played).sum::<u64>()
        });
    });
    group.bench_function("counting", |b| {
        b.iter(|| {
            let mut sum = 0;
            for after in &after {
                black_box(after).count(Zones::default(), wanted, LANES, |row, counts| {
                    sum += row as i32 + black_box(counts)[0];
                });
            }
            sum
        });
    });
    group.bench_function("function", |b| {
        b.iter(|| {
            let value = |after: &Afterwards| tape.run(after.moves().len(), |_, _| {}).iter().sum::<f64>();
            after.iter().map(value).sum::<f64>()
        });
    });
}

criterion_group!(benches, games, parts);
