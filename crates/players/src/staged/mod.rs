//! Players that evaluate boards with functions, each in force for its share of the game, as "Genetic Programming Applied to Board Game
//! Othello" evolves them: `staged:( white ),75,( white_corners ),25`.
//!
//! [`StagedSettings`] holds a player's settings, `text` reads and writes them, [`Schedule`] selects the function in force. [`StagedPlayer`] and
//! the games of [`Practice`] look one ply ahead; `evaluation` prepares a function for a deeper search, and
//! `explaining` explains moves.
//!
//! They equal the games of [`StagedPlayer`] and [`RandomPlayer`](crate::RandomPlayer) from the same position with
//! the same seed, one ply ahead.
//!
//! Games against a random player, which measure evolved functions: tens of thousands a second, so moves allocate and copy nothing.

mod evaluation;
mod explaining;
#[cfg(test)]
mod tests;
mod text;

use std::sync::Arc;

use rand::{Rng as _, RngExt};

use super::budget::{Budget, Status};
use super::game::othello::{Afterwards, MOST_MOVES, Othello, Zones};
use super::game::{Game, Move, Position, Side};
use super::kind::{Effort, PlayerKind};
use super::pool::Pool;
use super::program::othello::{Function, OthelloLanguage};
use super::program::{LANES, RowTape};
use super::rng::Rng;
use super::search::SearchHints;
use super::search::alpha_beta::{AlphaBetaSearch, EvalValue as _};
use super::{Built, Player, Purpose, Turn, keyed, of_one};
use evaluation::{FunctionEvaluation, TotalOrder};

pub use explaining::{Explanation, InForce, JudgedMove, number};
pub use text::stages;
pub(super) use text::{FORMS, begun, is_function};

/// Plies of a game, for the shares of stages: every square except the four occupied at the start.
pub const PLIES: u32 = 60;

/// The maximum depth, in plies.
pub const MAX_DEPTH: u32 = 20;

/// A function with its share of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    pub function: Arc<Function>,
    /// In percent, 1 to 100.
    pub share: u32,
}

/// The settings of a function player. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StagedSettings {
    /// At least one; the shares add up to 100.
    pub stages: Vec<Stage>,
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The width of the overlap around a boundary between stages, in which either may be in force, in percent of the game, 0 to 100.
    pub overlap: u32,
    /// The name of the file that it was read from.
    pub file: Option<String>,
    /// The overlap that this file sets.
    pub file_overlap: u32,
    /// Its name, if it comes with the program.
    pub shipped: Option<&'static str>,
    pub zones: Zones,
}

impl StagedSettings {
    /// A player of these stages that looks one ply ahead.
    pub fn new(stages: Vec<Stage>) -> StagedSettings {
        StagedSettings {
            stages,
            depth: 1,
            overlap: 0,
            file: None,
            file_overlap: 0,
            shipped: None,
            zones: Zones::default(),
        }
    }

    /// A single function for the whole game.
    pub fn one_stage(function: Function) -> StagedSettings {
        StagedSettings::new(vec![Stage { function: Arc::new(function), share: 100 }])
    }
}

impl PlayerKind for StagedSettings {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Othello, _>("staged", || StagedPlayer::new(self.clone()))
    }

    fn effort(&self) -> Effort {
        Effort::of_depth(self.depth)
    }

    fn about(&self) -> String {
        match self.stages.len() {
            1 => format!("1 function, depth {}", self.depth),
            stages => format!("{stages} functions, depth {}", self.depth),
        }
    }

    fn is_deterministic(&self) -> bool {
        self.overlap == 0
    }

    fn contents(&self) -> Option<String> {
        (self.file.is_some() || self.shipped.is_some()).then(|| self.text_with(self.file_overlap))
    }

    fn explanation(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        self.reason(before, mv, ply, seed)
    }
}

/// A player that evaluates boards with the function of the current stage.
pub struct StagedPlayer {
    staged: StagedSettings,
    functions: CompiledFunctions,
    thinking: Option<(Turn<Othello>, AlphaBetaSearch<Othello, FunctionEvaluation>)>,
}

impl StagedPlayer {
    pub fn new(staged: StagedSettings) -> StagedPlayer {
        StagedPlayer { functions: CompiledFunctions::new(&staged), staged, thinking: None }
    }
}

impl Player<Othello> for StagedPlayer {
    fn think(&mut self, turn: &Turn<Othello>, budget: Budget) -> Option<Move> {
        let stage = self.functions.stage(&turn.pos, || turn.rng(Purpose::Stage));
        if self.staged.depth == 1 {
            let afterwards = Afterwards::new(&turn.pos);
            return afterwards.moves().get(self.functions.best(&afterwards, stage)).copied();
        }
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let begin = || {
            let evaluation = FunctionEvaluation::new(&self.staged.stages[stage].function, self.staged.zones);
            (turn.clone(), AlphaBetaSearch::new(turn.game_state(), self.staged.depth, evaluation))
        };
        let (_, searching) = self.thinking.insert(same.unwrap_or_else(begin));
        if searching.step(budget) == Status::Running {
            return None;
        }
        searching.best().moves.legal(&turn.pos).next()
    }
}

/// A player's functions, compiled to evaluate all moves of a position at once.
#[derive(Clone, Debug)]
struct CompiledFunctions {
    /// One function per stage.
    tapes: Vec<RowTape<OthelloLanguage>>,
    schedule: Schedule,
    zones: Zones,
}

impl CompiledFunctions {
    pub fn new(staged: &StagedSettings) -> CompiledFunctions {
        let tapes = staged.stages.iter().map(|stage| row_tape(&stage.function)).collect();
        CompiledFunctions { tapes, schedule: staged.schedule(), zones: staged.zones }
    }

    /// Returns the stage in force in a position.
    #[inline]
    pub fn stage(&self, pos: &Othello, rng: impl FnOnce() -> Rng) -> usize {
        self.schedule.stage(pos.put(), rng)
    }

    /// Returns the index of the first of the moves with the best resulting board; 0 if there are none.
    #[inline]
    pub fn best(&mut self, afterwards: &Afterwards, stage: usize) -> usize {
        let values = value_all(&mut self.tapes[stage], afterwards, self.zones);
        let mut best = 0;
        let mut most = TotalOrder::LEAST;
        for (number, &value) in values.iter().enumerate() {
            let value = TotalOrder::new(value);
            if value > most {
                (best, most) = (number, value);
            }
        }
        best
    }
}

fn row_tape(function: &Function) -> RowTape<OthelloLanguage> {
    RowTape::new(function.tape(), MOST_MOVES)
}

#[inline]
fn value_all<'a>(tape: &'a mut RowTape<OthelloLanguage>, afterwards: &Afterwards, zones: Zones) -> &'a [f64] {
    let wanted = tape.inputs() as u32;
    tape.run(afterwards.moves().len(), |inputs, width| {
        afterwards.count(zones, wanted, LANES, |row, counts| {
            for (input, &count) in inputs[row * width..].iter_mut().zip(counts) {
                *input = count.into();
            }
        });
    })
}

/// A move's value by a function, one ply ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveValue {
    pub mv: Move,
    /// NaN if the function's value is not a number.
    pub value: f64,
}

/// Returns the value of every legal move by a function, in move order; empty if the game is over.
pub fn values(function: &Function, zones: Zones, pos: &Othello) -> Vec<MoveValue> {
    let afterwards = Afterwards::new(pos);
    let mut tape = row_tape(function);
    let values = value_all(&mut tape, &afterwards, zones);
    afterwards.moves().iter().zip(values).map(|(&mv, &value)| MoveValue { mv, value }).collect()
}

/// A player's stages by the number of discs placed since the start: by discs and not by moves, so that a position that was set up
/// has a stage as well.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// The stage for each number of discs placed, with the probability that the next one is in force instead.
    stages: [(u8, f64); PLIES as usize + 1],
}

impl Schedule {
    /// The schedule of stages with these shares of the game and this [overlap](StagedSettings::overlap), all in percent. Around a boundary where
    /// stages overlap, the probability of the later one rises linearly from 0 to 1.
    pub fn new(shares: &[u32], overlap: u32) -> Schedule {
        Schedule { stages: std::array::from_fn(|put| in_force(shares, overlap, put as u32)) }
    }

    /// Returns the stage in force; `rng` is called only where stages overlap.
    #[inline]
    pub fn stage(&self, put: u32, rng: impl FnOnce() -> Rng) -> usize {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        usize::from(stage) + usize::from(later > 0.0 && rng().random_bool(later))
    }

    /// Returns the stage for this number of discs placed, and the probability that the next one is in force instead.
    pub fn chance(&self, put: u32) -> (usize, f64) {
        let (stage, later) = self.stages[put.min(PLIES) as usize];
        (stage.into(), later)
    }
}

impl StagedSettings {
    /// Returns the schedule of its stages.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.stages.iter().map(|stage| stage.share).collect::<Vec<_>>(), self.overlap)
    }
}

fn in_force(shares: &[u32], overlap: u32, put: u32) -> (u8, f64) {
    // In hundredths of a ply; a disc counts from the middle of its ply.
    let now = put * 100 + 50;
    let mut end = 0;
    let last = shares.len().saturating_sub(1);
    for (index, pair) in shares.windows(2).enumerate() {
        end += pair[0] * PLIES;
        // Limited by the ends of the game, and by the middle of a stage with another overlap at its other end.
        let limit = |stage: usize, share: u32| if stage == 0 || stage == last { 2 * share } else { share };
        let half = overlap.min(limit(index, pair[0])).min(limit(index + 1, pair[1])) * PLIES / 2;
        if now + half < end {
            return (index as u8, 0.0);
        }
        if now < end + half {
            return (index as u8, f64::from(now + half - end) / f64::from(2 * half));
        }
    }
    (last as u8, 0.0)
}

/// A function player, ready for any number of such games.
#[derive(Clone, Debug)]
pub struct Practice {
    functions: CompiledFunctions,
    /// The number of discs placed when each stage ends.
    ends: Vec<u32>,
    discs: Vec<[u32; 2]>,
}

impl Practice {
    /// Prepares the player; its depth is ignored.
    pub fn new(staged: &StagedSettings) -> Practice {
        let ends = staged.ends();
        Practice { functions: CompiledFunctions::new(staged), discs: vec![[0; 2]; ends.len()], ends }
    }

    /// Plays a game from `start` as `side`; `seed` determines the opponent's moves and the stage where stages overlap.
    ///
    /// Returns the discs on the board when each stage ended, the player's own first; for the last stage, and for stages that the game did
    /// not reach, the discs at the end.
    pub fn play_out(&mut self, start: &Othello, side: Side, seed: u64) -> &[[u32; 2]] {
        self.play_on(start, 0, side, seed, &mut |_| ())
    }

    /// Plays on a game that is at `pos` after `ply` plies, and calls `made` with each of the player's moves.
    pub fn play_on(
        &mut self,
        pos: &Othello,
        mut ply: u32,
        side: Side,
        seed: u64,
        made: &mut dyn FnMut(Move),
    ) -> &[[u32; 2]] {
        let mut pos = *pos;
        let mut stage = 0;
        while !pos.is_over() {
            while stage + 1 < self.ends.len() && pos.put() >= self.ends[stage] {
                self.discs[stage] = own_first(&pos, side);
                stage += 1;
            }
            pos = if pos.side() == side { self.moved(&pos, ply, seed, made) } else { moved_at_random(&pos, ply, seed) };
            ply += 1;
        }
        self.discs[stage..].fill(own_first(&pos, side));
        &self.discs
    }

    #[inline]
    fn moved(&mut self, pos: &Othello, ply: u32, seed: u64, made: &mut dyn FnMut(Move)) -> Othello {
        let afterwards = Afterwards::new(pos);
        let stage = self.functions.stage(pos, || keyed(seed, ply, Purpose::Stage));
        let best = self.functions.best(&afterwards, stage);
        afterwards.moves().get(best).copied().into_iter().for_each(made);
        afterwards.position(best)
    }
}

#[inline]
fn moved_at_random(pos: &Othello, ply: u32, seed: u64) -> Othello {
    pos.play(pos.pick(keyed(seed, ply, Purpose::Move).next_u32()))
}

fn own_first(pos: &Othello, side: Side) -> [u32; 2] {
    let [own, other] = [side, side.other()].map(|side| pos.discs()[side.index()].count_ones());
    [own, other]
}

impl StagedSettings {
    /// Returns the number of discs placed when each stage ends, if stages do not overlap.
    pub fn ends(&self) -> Vec<u32> {
        let upto = |share: &mut u32, stage: &Stage| {
            *share += stage.share;
            // A disc belongs to the stage of the middle of its ply.
            Some((*share * PLIES + 49) / 100)
        };
        self.stages.iter().scan(0, upto).collect()
    }
}
