//! The fit of chances of winning: games of two equal players, values of their positions, and the curve that predicts the points
//! from the values.
//!
//! The steepness of the curve, 1 / scale, is fitted at some places between the start and the end of a game, and linear between them.
//! The likelihood of the points is concave in these numbers, so Newton's method, one number at a time, finds its greatest.

use mancalab_base::{Error, bail};

use crate::budget::{Budget, Job, Status};
use crate::game::record::{NodeId, Record};
use crate::game::{BoardGame, GameState, Move, Position, Side, Variant, with_position};
use crate::player::chances::{PLACES, progress, shares};
use crate::player::review::{PositionRequest, Terms};
use crate::player::{Playable, Player, ReviewJob, Spec, Turn, check_plays, choose, spec};
use crate::pool::Pool;
use crate::rng;
use crate::work::{Work, WorkList};
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
    /// Random moves at the start of a game, at most: the games have half of this number to all of it by turns.
    pub opening: u32,
    pub seed: u64,
}

/// A position of a finished game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sample {
    /// How much of the game is over, 0 to 1.
    progress: f64,
    /// What each place counts for the position, in parts of 1.
    shares: [f64; PLACES],
    /// The value for the side that is ahead, in seeds, discs or men.
    value: f64,
    /// That side's points, 0 to 1.
    points: f64,
}

/// A curve, at its places, and how well it predicts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// In seeds, discs or men; 1000 where values predict nothing.
    pub scales: [f64; PLACES],
    pub parts: [Part; PARTS],
}

/// Equal parts of a game in which predictions are compared.
pub const PARTS: usize = PLACES;

/// Mean points of the side that is ahead in a part of the game, 0 to 1; `None` if no side is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    pub positions: usize,
    /// By the curve.
    pub predicted: Option<f64>,
    /// In the games.
    pub observed: Option<f64>,
}

/// A fit in progress.
pub struct ChanceFit {
    settings: Settings,
    pool: Pool,
    valuing: WorkList<(), GameToValue>,
    samples: Vec<Option<Vec<Sample>>>,
}

/// A game, and its record once it is played.
struct GameToValue {
    index: usize,
    played: Option<(Record, Vec<NodeId>, ReviewJob)>,
}

/// The games to play and value.
struct GamesToValue<'a>(&'a Settings);

impl ChanceFit {
    /// # Errors
    /// The player does not play this game.
    pub fn new(settings: Settings, pool: &Pool) -> Result<ChanceFit, Error> {
        check_plays(&settings.player, &settings.variant)?;
        if settings.player.is_human() {
            bail!("a computer player must play both sides (got human)");
        }
        let samples = vec![None; settings.games as usize];
        Ok(ChanceFit { settings, pool: pool.clone(), valuing: WorkList::default(), samples })
    }

    /// Returns the number of finished games.
    pub fn done(&self) -> usize {
        self.samples.iter().flatten().count()
    }

    /// Returns the curve of the games finished so far.
    pub fn fit(&self) -> Fit {
        fit(&self.samples.iter().flatten().flatten().copied().collect::<Vec<_>>())
    }
}

/// Passes over the places, after which none changes in the printed digits.
const PASSES: usize = 200;

/// Least steepness: where values predict nothing, a greater one still counts for more.
const LEAST: f64 = 1e-3;

impl Sample {
    fn chance(&self, steepness: &[f64; PLACES]) -> f64 {
        let steepness: f64 = self.shares.iter().zip(steepness).map(|(share, steepness)| share * steepness).sum();
        1.0 / (1.0 + (-self.value * steepness).exp())
    }
}

/// The curve of greatest likelihood.
fn fit(samples: &[Sample]) -> Fit {
    let mut steepness = [0.0; PLACES];
    for place in (0..PASSES).flat_map(|_| 0..PLACES) {
        let mut slope = 0.0;
        let mut curvature = 1e-9;
        for sample in samples.iter().filter(|sample| sample.shares[place] > 0.0) {
            let chance = sample.chance(&steepness);
            let part = sample.value * sample.shares[place];
            slope += part * (sample.points - chance);
            curvature += part * part * chance * (1.0 - chance);
        }
        // A step at most doubles the steepness, which prevents overshooting.
        steepness[place] = (steepness[place] + slope / curvature).clamp(LEAST, 2.0 * steepness[place] + 0.1);
    }
    let part = |part| {
        let is_of = |sample: &&Sample| ((sample.progress * PARTS as f64) as usize).min(PARTS - 1) == part;
        let own: Vec<&Sample> = samples.iter().filter(is_of).collect();
        let ahead: Vec<&&Sample> = own.iter().filter(|sample| sample.value > 0.0).collect();
        let mean = |of: &dyn Fn(&Sample) -> f64| {
            (!ahead.is_empty()).then(|| ahead.iter().map(|sample| of(sample)).sum::<f64>() / ahead.len() as f64)
        };
        let predicted = mean(&|sample| sample.chance(&steepness));
        Part { positions: own.len(), predicted, observed: mean(&|sample| sample.points) }
    };
    Fit { scales: steepness.map(|steepness| 1.0 / steepness), parts: std::array::from_fn(part) }
}

/// Plays a game from a random opening.
fn play<G: BoardGame + Playable>(start: &G, settings: &Settings, opening: u32, seed: u64) -> Vec<Move> {
    let mut random = rng::keyed(&[seed]);
    let mut game_state = GameState::new(*start);
    let mut players: [Option<Box<dyn Player<G>>>; 2] = Side::BOTH.map(|_| spec::build::<G>(&settings.player).ok());
    let mut moves = Vec::new();
    while !game_state.is_over() {
        let pos = *game_state.pos();
        let mv = if game_state.plies() < opening {
            let legal: Vec<Move> = pos.moves().collect();
            Some(legal[random.random_range(0..legal.len())])
        } else {
            let player = players[pos.side().index()].as_mut();
            player.and_then(|player| choose(player.as_mut(), &Turn::current(&game_state, seed)))
        };
        let Some(mv) = mv else { break };
        moves.push(mv);
        game_state.play(mv);
    }
    moves
}

impl Work for GamesToValue<'_> {
    type Memory = ();
    type Item = GameToValue;
    type Output = (usize, Vec<Sample>);

    fn memory(&self) {}

    fn begin(&self, index: usize) -> Option<GameToValue> {
        (index < self.0.games as usize).then_some(GameToValue { index, played: None })
    }

    fn advance(&self, (): &mut (), game: &mut GameToValue, budget: Budget) -> Option<(usize, Vec<Sample>)> {
        let (record, nodes, job) = game.played.get_or_insert_with(|| begin(self.0, game.index));
        (job.step(budget) == Status::Done).then(|| (game.index, samples(record, nodes, job)))
    }
}

/// Plays a game, and begins to value its positions.
fn begin(settings: &Settings, index: usize) -> (Record, Vec<NodeId>, ReviewJob) {
    let start = settings.variant.start();
    let seed = rng::derived(&[settings.seed, index as u64]);
    let least = settings.opening / 2;
    let opening = least + index as u32 % (settings.opening - least + 1);
    let moves = with_position!(&start, pos => play(pos, settings, opening, seed));
    let mut record = Record::from_position(settings.variant, start, Default::default(), Some(seed));
    for mv in moves {
        record.play(mv);
    }
    let line = record.line();
    let first = opening as usize + index % EVERY;
    let nodes: Vec<NodeId> = line.iter().skip(first).step_by(EVERY).map(|step| step.node).collect();
    let requests = nodes.iter().map(|&node| PositionRequest::new(&record, node)).collect();
    let job = ReviewJob::new(requests, settings.terms, &Pool::alone());
    (record, nodes, job)
}

/// The samples of a valued game: positions that are neither over nor won or lost.
fn samples(record: &Record, nodes: &[NodeId], job: &ReviewJob) -> Vec<Sample> {
    let Some(ending) = record.ending_at(record.at()) else { return Vec::new() };
    let south = f64::from(ending.outcome(Side::South).halves()) / 2.0;
    let sample = |position: &Position, value: f64| {
        let points = if value >= 0.0 { south } else { 1.0 - south };
        Sample { progress: progress(position), shares: shares(position), value: value.abs(), points }
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
        for (index, samples) in self.valuing.advance(&GamesToValue(&self.settings), &self.pool, budget) {
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
    use crate::player::chances::shares_at;
    use crate::player::review::Effort;

    fn settings() -> Settings {
        let terms = Terms { depth: 3, effort: Effort::Usual, solve: 0, mistake: 10, blunder: 15, mb: 1 };
        let variant = "kalah:4x3".parse().unwrap();
        Settings { variant, player: "minimax:2".parse().unwrap(), terms, games: 40, opening: 2, seed: 1 }
    }

    #[test]
    fn the_scales_of_synthetic_games_are_recovered() {
        let scales = [6.0, 5.0, 4.0, 3.0, 2.0];
        let steepness = scales.map(|scale| 1.0 / scale);
        let mut random = rng::keyed(&[1]);
        let sample = |_| {
            let progress: f64 = random.random();
            let sample = Sample {
                progress,
                shares: shares_at(progress),
                value: f64::from(random.random_range(0..10_u32)),
                points: 0.0,
            };
            let is_won = random.random::<f64>() < sample.chance(&steepness);
            Sample { points: f64::from(is_won), ..sample }
        };
        let found = fit(&(0..20_000).map(sample).collect::<Vec<_>>());
        let is_near = |(found, scale): (f64, f64)| (found / scale - 1.0).abs() < 0.15;
        assert!(found.scales.into_iter().zip(scales).all(is_near), "{found:?}");
        let is_near = |part: &Part| (part.predicted.unwrap() - part.observed.unwrap()).abs() < 0.02;
        assert!(found.parts.iter().all(is_near), "{found:?}");
        let level = Sample { progress: 0.5, shares: shares_at(0.5), value: 0.0, points: 0.5 };
        let Part { positions, predicted, observed } = fit(&[level]).parts[2];
        assert_eq!((positions, predicted, observed), (1, None, None));
    }

    #[test]
    fn threads_and_steps_change_no_curve() {
        let fit = |threads: usize, budget: fn() -> Budget| {
            let mut job = ChanceFit::new(settings(), &Pool::new(threads)).unwrap();
            while job.step(budget()) == Status::Running {}
            job.fit()
        };
        let whole = fit(1, || Budget::UNLIMITED);
        assert_eq!(whole, fit(3, || Budget::time(std::time::Duration::ZERO)));
        assert!(whole.parts.iter().map(|part| part.positions).sum::<usize>() > 50, "{whole:?}");
    }
}
