//! The fit of chances of winning: games of two equal players, values of their positions, and the curve that predicts the points
//! from the values.
//!
//! Each stage of the game has one scale. The likelihood of the points is concave in its inverse, so Newton's method finds it.

use std::sync::atomic::{AtomicUsize, Ordering};

use mancalab_base::{Error, bail};

use crate::budget::{Budget, Job, Status};
use crate::game::record::{NodeId, Record};
use crate::game::{BoardGame, GameState, Move, Position, Side, Variant, with_position};
use crate::player::chances::{STAGES, stage};
use crate::player::reviewing::{Asked, Terms};
use crate::player::{Playable, Player, Reviewing, Spec, Turn, check_plays, choose, spec};
use crate::pool::Pool;
use crate::rng;
use rand::RngExt as _;

/// One of this many positions of a game is valued: neighbours hardly differ.
const EVERY: usize = 4;

/// What to play and how to value it.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub variant: Variant,
    /// The player of both sides.
    pub player: Spec,
    pub terms: Terms,
    pub games: u32,
    /// Random moves at the start of each game.
    pub opening: u32,
    pub seed: u64,
}

/// A position of a finished game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sample {
    stage: usize,
    /// The value for the side that is ahead, in seeds, discs or men.
    value: f64,
    /// That side's points, 0 to 1.
    points: f64,
}

/// The curve of one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    pub positions: usize,
    /// In seeds, discs or men; infinite if values predict nothing.
    pub scale: f64,
    /// Mean points of the side that is ahead, 0 to 1: by the curve and in the games.
    pub predicted: f64,
    pub observed: f64,
}

/// A fit in progress.
pub struct ChanceFit {
    settings: Settings,
    pool: Pool,
    workers: Vec<WorkerState>,
    next: AtomicUsize,
    samples: Vec<Option<Vec<Sample>>>,
}

/// A worker's game whose positions are being valued, and the samples of those it finished in this step.
#[derive(Default)]
struct WorkerState {
    at: Option<(usize, Record, Vec<NodeId>, Reviewing)>,
    found: Vec<(usize, Vec<Sample>)>,
}

impl ChanceFit {
    /// # Errors
    /// The player does not play this game.
    pub fn new(settings: Settings, pool: &Pool) -> Result<ChanceFit, Error> {
        check_plays(&settings.player, &settings.variant)?;
        if settings.player.is_human() {
            bail!("a computer player must play both sides (got human)");
        }
        let samples = vec![None; settings.games as usize];
        Ok(ChanceFit { settings, pool: pool.clone(), workers: Vec::new(), next: AtomicUsize::new(0), samples })
    }

    /// Returns the number of finished games.
    pub fn done(&self) -> usize {
        self.samples.iter().flatten().count()
    }

    /// Returns the curve of each stage, from the games finished so far.
    pub fn fits(&self) -> [Fit; STAGES] {
        let samples: Vec<Sample> = self.samples.iter().flatten().flatten().copied().collect();
        std::array::from_fn(|stage| {
            let own: Vec<Sample> = samples.iter().filter(|sample| sample.stage == stage).copied().collect();
            fit(&own)
        })
    }
}

fn chance(value: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + (-value * steepness).exp())
}

/// The curve of greatest likelihood.
fn fit(samples: &[Sample]) -> Fit {
    let mut steepness = 0.0;
    for _ in 0..50 {
        let (mut slope, mut curvature) = (0.0, 1e-9);
        for Sample { value, points, .. } in samples {
            let chance = chance(*value, steepness);
            slope += value * (points - chance);
            curvature += value * value * chance * (1.0 - chance);
        }
        // A step at most doubles the steepness, which prevents overshooting.
        steepness = (steepness + slope / curvature).clamp(0.0, 2.0 * steepness + 0.1);
    }
    let ahead: Vec<&Sample> = samples.iter().filter(|sample| sample.value > 0.0).collect();
    let mean =
        |of: &dyn Fn(&Sample) -> f64| ahead.iter().map(|sample| of(sample)).sum::<f64>() / (ahead.len().max(1) as f64);
    Fit {
        positions: samples.len(),
        scale: 1.0 / steepness,
        predicted: mean(&|sample| chance(sample.value, steepness)),
        observed: mean(&|sample| sample.points),
    }
}

/// Plays a game from a random opening.
fn play<G: BoardGame + Playable>(start: &G, settings: &Settings, seed: u64) -> Vec<Move> {
    let mut random = rng::keyed(&[seed]);
    let mut game_state = GameState::new(*start);
    let mut players: [Option<Box<dyn Player<G>>>; 2] = Side::BOTH.map(|_| spec::build::<G>(&settings.player).ok());
    let mut moves = Vec::new();
    while !game_state.is_over() {
        let pos = *game_state.pos();
        let mv = if game_state.plies() < settings.opening {
            let legal: Vec<Move> = pos.moves().collect();
            Some(legal[random.random_range(0..legal.len())])
        } else {
            let player = players[pos.side().index()].as_mut();
            player.and_then(|player| choose(player.as_mut(), &Turn::of(&game_state, seed)))
        };
        let Some(mv) = mv else { break };
        moves.push(mv);
        game_state.play(mv);
    }
    moves
}

impl WorkerState {
    /// Plays and values games until the budget is spent or none is left.
    fn step(&mut self, settings: &Settings, next: &AtomicUsize, budget: Budget) {
        loop {
            if self.at.is_none() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= settings.games as usize {
                    return;
                }
                self.at = Some(begin(settings, index));
            }
            let Some((index, record, nodes, job)) = &mut self.at else { return };
            if job.step(budget) == Status::Done {
                let samples = samples(record, nodes, job);
                self.found.push((*index, samples));
                self.at = None;
            }
            if budget.is_spent() {
                return;
            }
        }
    }
}

/// Plays a game, and begins to value its positions.
fn begin(settings: &Settings, index: usize) -> (usize, Record, Vec<NodeId>, Reviewing) {
    let start = settings.variant.start();
    let seed = rng::derived(&[settings.seed, index as u64]);
    let moves = with_position!(&start, pos => play(pos, settings, seed));
    let mut record = Record::from_position(settings.variant, start, Default::default(), Some(seed));
    for mv in moves {
        record.play(mv);
    }
    let line = record.line();
    let first = settings.opening as usize + index % EVERY;
    let nodes: Vec<NodeId> = line.iter().skip(first).step_by(EVERY).map(|step| step.node).collect();
    let asked = nodes.iter().map(|&node| Asked::of(&record, node)).collect();
    let job = Reviewing::new(asked, settings.terms, &Pool::alone());
    (index, record, nodes, job)
}

/// The samples of a valued game: positions that are neither over nor won or lost.
fn samples(record: &Record, nodes: &[NodeId], job: &Reviewing) -> Vec<Sample> {
    let Some(ending) = record.ending_at(record.at()) else { return Vec::new() };
    let south = f64::from(ending.outcome(Side::South).halves()) / 2.0;
    let sample = |position: &Position, value: f64| {
        let points = if value >= 0.0 { south } else { 1.0 - south };
        Sample { stage: stage(position), value: value.abs(), points }
    };
    let found = job.view().found;
    let known = nodes.iter().zip(found).filter_map(|(&node, valued)| Some((node, valued?)));
    let open = known.filter(|(_, valued)| valued.depth > 0 && !valued.is_decided());
    open.map(|(node, valued)| sample(record.position_at(node), valued.south)).collect()
}

impl Job for ChanceFit {
    type View = usize;

    fn step(&mut self, budget: Budget) -> Status {
        let _turn = self.pool.turn();
        let budget = budget.afresh();
        self.workers.resize_with(self.pool.count(), WorkerState::default);
        let (settings, next) = (&self.settings, &self.next);
        self.pool.map_each(&mut self.workers, |worker| worker.step(settings, next, budget));
        for (index, samples) in self.workers.iter_mut().flat_map(|worker| worker.found.drain(..)) {
            self.samples[index] = Some(samples);
        }
        if self.done() == self.samples.len() { Status::Done } else { Status::Running }
    }

    fn view(&self) -> usize {
        self.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let terms = Terms { depth: 3, perfect: false, solve: 4, mistake: 10, blunder: 15, mb: 1 };
        let variant = "kalah:4x3".parse().unwrap();
        Settings { variant, player: "minimax:2".parse().unwrap(), terms, games: 40, opening: 2, seed: 1 }
    }

    #[test]
    fn the_scale_of_synthetic_games_is_recovered() {
        let mut random = rng::keyed(&[1]);
        let sample = |_| {
            let value = f64::from(random.random_range(0..10_u32));
            let is_won = random.random::<f64>() < chance(value, 1.0 / 3.0);
            Sample { stage: 0, value, points: f64::from(is_won) }
        };
        let found = fit(&(0..20_000).map(sample).collect::<Vec<_>>());
        assert!((found.scale - 3.0).abs() < 0.15, "{found:?}");
        assert!((found.predicted - found.observed).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn threads_and_steps_change_no_curve() {
        let fits = |threads: usize, budget: fn() -> Budget| {
            let mut job = ChanceFit::new(settings(), &Pool::new(threads)).unwrap();
            while job.step(budget()) == Status::Running {}
            job.fits()
        };
        let whole = fits(1, || Budget::UNLIMITED);
        assert_eq!(whole, fits(3, || Budget::time(std::time::Duration::ZERO)));
        assert!(whole.iter().map(|fit| fit.positions).sum::<usize>() > 50, "{whole:?}");
    }
}
