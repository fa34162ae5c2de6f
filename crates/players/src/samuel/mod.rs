//! The checkers player with the weighted terms of Samuel's paper.
//!
//! [`terms`] defines the terms, [`weights`] the sources of the weights; [`Evaluator`] adds up the weighted terms and [`Searcher`]
//! searches with the sum.
//!
//! The weighted sum of the terms as a search evaluation, called millions of times a second.
//!
//! The sum uses integers: each weight is a multiple of a small unit, chosen so that the greatest possible sum fits into four bytes.
//! So the sum is the same on every machine in any order of addition, and equally good moves are exactly equal. Weights a million times
//! smaller than the greatest become 0.

mod scene;
pub mod terms;
pub mod weights;

#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use mancalab_base::Error;
use rand::Rng as _;

use super::budget::{Budget, Status};
use super::clock::{CLOCK, Clock, Timer};
use super::game::checkers::{Checkers, KING, MAN};
use super::game::{Game, GameState, Move, Position, Side};
use super::kind::{Effort, Forms, PlayerKind, Unread};
use super::pool::Pool;
use super::search::pvs::{Aim, Evaluate, GREATEST, Options, Pvs};
use super::search::{Report, SearchHints, Table, Threads, Ties};
use super::text::Values::Words;
use super::text::{self, MILLISECONDS, Setting, THREADS, TIES};
use super::{Built, Player, Purpose, Turn, of_one};
use weights::PIECES;

pub use scene::{Halves, Scene};
pub use terms::{COUNT, TERMS, Term};
pub use weights::{Source, Weights};

/// The player's settings. `Display` gives the text that parses to the same settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Samuel {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Deepens iteratively and stops at this time, or at `depth`.
    pub time: Option<Duration>,
    /// The same for the time of a whole game.
    pub clock: Option<Clock>,
    pub weights: Weights,
    pub source: Source,
    pub ties: Ties,
    /// Extends the search by captures at its leaves.
    pub plays_out: bool,
    /// Skips moves that seem hopeless: see [`Options`].
    pub prunes: bool,
    /// Threads of its own, 1 to 64. They change no move at a fixed depth.
    pub threads: u32,
}

/// The maximum depth, in plies.
pub const MAX_DEPTH: u32 = 60;

/// The default depth without a time limit.
const USUAL_DEPTH: u32 = 6;

const DEPTH_WANTED: &str = "samuel depth must be 1 to 60, as in samuel:6";

impl Samuel {
    /// A player with these weights and the default settings.
    pub fn new(depth: u32, weights: Weights) -> Samuel {
        let source = Source::Numbers;
        let ties = Ties::First;
        Samuel { depth, time: None, clock: None, weights, source, ties, plays_out: true, prunes: false, threads: 1 }
    }

    /// Reads the part of a player's text after `samuel`: `:D`, `@weights` and settings, all optional. Weights from a file are 1 until the
    /// file is read.
    ///
    /// # Errors
    /// Names the invalid part and what is accepted.
    fn read(text: &str) -> Result<Samuel, Error> {
        let mut samuel = Samuel::default();
        let (depth, weights) = text::head(text::read(text, SETTINGS, &mut samuel)?);
        samuel.depth = match depth {
            None if samuel.is_timed() => MAX_DEPTH,
            None => USUAL_DEPTH,
            Some(depth) => text::depth(depth, MAX_DEPTH, DEPTH_WANTED, SETTINGS)?,
        };
        let (source, weights) = Source::of_text(weights.unwrap_or(weights::USUAL), Weights::known)?;
        Ok(Samuel { source, weights: weights.unwrap_or_default(), ..samuel })
    }

    pub(super) fn unread(text: &str) -> Result<Unread<Samuel>, Error> {
        let samuel = Samuel::read(text)?;
        let file = samuel.source.file().map(str::to_owned);
        Ok(Unread::in_file(file.clone(), "weights", move || {
            let read = file.map(|name| Weights::read(name.as_ref())).transpose()?;
            Ok(Samuel { weights: read.unwrap_or(samuel.weights), ..samuel })
        }))
    }
}

const SETTINGS: &[Setting<Samuel>] = &[
    Setting("ms", MILLISECONDS, |s| &mut s.time),
    Setting("clock", CLOCK, |s| &mut s.clock),
    Setting("ties", Words(TIES), |s| &mut s.ties),
    Setting("prune", Words("on|off"), |s| &mut s.prunes),
    Setting("quiet", Words("on|off"), |s| &mut s.plays_out),
    Setting("threads", THREADS, |s| &mut s.threads),
];

pub(crate) const FORMS: Forms = &[
    ("samuel:D", "Samuel's weighted terms of checkers, D plies, 1 to 60"),
    ("samuel:D@WEIGHTS", "ones, pieces, best, a file, or 27 numbers"),
    ("samuel:ms=T", "searches for T milliseconds; clock=T: a game; also ties=random, prune=on, quiet=off, threads=T"),
];

impl fmt::Display for Samuel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("samuel")?;
        if !self.is_timed() || self.depth < MAX_DEPTH {
            write!(f, ":{}", self.depth)?;
        }
        if self.source != Source::known(weights::USUAL) {
            write!(f, "@{}", self.source.text(&self.weights))?;
        }
        text::write(f, SETTINGS, self, Samuel::default())
    }
}

impl PlayerKind for Samuel {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Checkers, _>("samuel", || SamuelPlayer::new(self))
    }

    fn about(&self) -> String {
        let what = match &self.source {
            Source::Known(name) if name == "pieces" => "men and kings",
            Source::Known(name) if name == "best" => "tuned terms",
            _ => "Samuel's terms",
        };
        match text::limit(self.time, self.clock) {
            Some(limit) => format!("{what} for {limit}"),
            None => format!("{what}, depth {}", self.depth),
        }
    }

    fn contents(&self) -> Option<String> {
        self.source.file().map(|_| self.weights.to_string())
    }

    fn is_deterministic(&self) -> bool {
        !self.ties.is_drawn()
    }

    fn effort(&self) -> Effort {
        Effort { threads: self.threads, ..Effort::of_depth(self.depth) }
    }

    fn is_timed(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    fn set_ties(&mut self, ties: Ties) {
        self.ties = ties;
    }
}

impl Default for Samuel {
    fn default() -> Samuel {
        Samuel { source: Source::known(weights::USUAL), ..Samuel::new(USUAL_DEPTH, Weights::default()) }
    }
}

/// Returns whether the terms apply to this position: it is one of checkers.
pub fn knows(position: &Position) -> bool {
    Checkers::try_from(*position).is_ok()
}

/// One term's value in a position, and its part in the sum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contribution {
    pub name: &'static str,
    pub title: &'static str,
    /// The side's and the opponent's, in units; may be halves.
    pub own: f64,
    pub other: f64,
    pub weight: f64,
    /// The difference times the weight.
    pub contribution: f64,
}

/// Returns the terms' values in `position` for `side`, and their contributions to the sum with these weights. `None` for a game other
/// than checkers.
pub fn explain(position: &Position, side: Side, weights: &Weights) -> Option<[Contribution; COUNT]> {
    let scene = Scene::new(&Checkers::try_from(*position).ok()?, side);
    Some(std::array::from_fn(|index| {
        let (Term { name, title, halves }, weight) = (TERMS[index], weights.0[index]);
        let [own, other] = halves(&scene).of_both().map(|halves| f64::from(halves) / 2.0);
        Contribution { name, title, own, other, weight, contribution: (own - other) * weight }
    }))
}

/// Memory that an idle player keeps, in bytes.
const AT_REST: usize = 1 << 20;

/// A player that searches with its weighted terms.
pub struct SamuelPlayer {
    searcher: Searcher,
    timer: Timer,
    /// The current or last turn.
    turn: Option<Turn<Checkers>>,
}

impl SamuelPlayer {
    pub fn new(settings: &Samuel) -> SamuelPlayer {
        let timer = Timer::new(settings.time, settings.clock);
        SamuelPlayer { searcher: Searcher::new(settings), timer, turn: None }
    }
}

impl Player<Checkers> for SamuelPlayer {
    fn think(&mut self, turn: &Turn<Checkers>, budget: Budget) -> Option<Move> {
        let began = self.timer.start();
        if self.turn.as_ref() != Some(turn) {
            self.timer.begin(turn);
            self.searcher.begin(&turn.game_state(), turn.rng(Purpose::Tie).next_u64());
            self.turn = Some(turn.clone());
        }
        let status = self.timer.search(began, budget, |_, stretch| self.searcher.step(stretch));
        if status == Status::Running { None } else { self.searcher.best_move() }
    }

    fn report(&self) -> Option<Report> {
        self.turn.as_ref().and_then(|_| self.searcher.report())
    }

    fn count_work(&mut self) {
        self.timer.count_work(1);
    }

    fn rest(&mut self) {
        self.timer.reset();
        if self.searcher.bytes() > AT_REST {
            self.searcher.clear();
            self.turn = None;
        }
    }
}

/// Maximum size of the transposition table, in megabytes.
const TABLE_MB: usize = 64;

/// A search with one set of weights. It keeps its transposition table between searches, which affects its speed and not its results;
/// with pruning the results would depend on the table, so each search starts with an empty one.
pub struct Searcher {
    evaluator: Evaluator,
    settings: Samuel,
    search: Option<Pvs<Checkers, Evaluator>>,
}

impl Searcher {
    /// A searcher to the settings' depth; ignores their time.
    pub fn new(settings: &Samuel) -> Searcher {
        Searcher { evaluator: Evaluator::new(&settings.weights), settings: settings.clone(), search: None }
    }

    /// Starts the search of a game's current position. `seed` decides between equally good moves if the settings break ties at random.
    pub fn begin(&mut self, game_state: &GameState<Checkers>, seed: u64) {
        let Samuel { prunes, plays_out, ties, depth, .. } = self.settings;
        let kept = self.search.take().filter(|_| !prunes).map(Pvs::into_table);
        // A single legal move needs no search.
        let depth = if game_state.pos().count_moves() == 1 { 1 } else { depth };
        let aim = Aim { depth, ties, seed, options: Options { plays_out, prunes } };
        // To a depth, what several threads prune would depend on their timing.
        let threads =
            Threads::Own(if prunes && !self.settings.is_timed() { 1 } else { self.settings.threads as usize });
        let table = kept.unwrap_or_else(|| Table::new(TABLE_MB));
        self.search = Some(Pvs::new(game_state.clone(), self.evaluator.clone(), aim, table).on(threads));
    }

    /// Continues until the budget is spent or the best move is known; done at once if no search has begun.
    pub fn step(&mut self, budget: Budget) -> Status {
        self.search.as_mut().map_or(Status::Done, |search| search.step(budget))
    }

    /// Returns the best move so far; `None` before the first search, and if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.search.as_ref()?.best_move()
    }

    /// Returns the result so far.
    pub fn report(&self) -> Option<Report> {
        self.search.as_ref().map(Pvs::report)
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.table().bytes())
    }

    /// Drops the search and frees its memory.
    pub fn clear(&mut self) {
        self.search = None;
    }
}

/// The maximum absolute value of a term for a side, in halves; thirty-two kings stay below it.
const MOST_HALVES: f64 = 192.0;

/// The evaluation of one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The value of half a unit of each term.
    weights: [i32; COUNT],
    /// The value of half a unit of a term with weight 1.
    half: f64,
    /// Only the piece term has a weight.
    is_material: bool,
    slack: i32,
}

/// Weights become 0 if the sum of their absolute values is at most this.
const SMALLEST: f64 = 1e-200;

/// Returns the greatest power of two that is at most a positive normal number: its exponent without its mantissa. Not by logarithm,
/// whose last digit differs between libraries.
fn power_of_two(number: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(number.to_bits() & EXPONENT)
}

impl Evaluator {
    pub fn new(weights: &Weights) -> Evaluator {
        let sum: f64 = weights.0.iter().map(|weight| weight.abs()).sum();
        // A power of two keeps weights of 1 and their sums exact. Weights so small that it would not be finite become 0.
        let half = if sum > SMALLEST { power_of_two(f64::from(GREATEST) / (MOST_HALVES * sum)) } else { 1.0 };
        let whole = weights.0.map(|weight| (weight * half).round() as i32);
        let is_material = weights.0.iter().zip(PIECES.0).all(|(&weight, piece)| weight == 0.0 || piece != 0.0);
        let man = 2 * MAN * whole[COUNT - 1].abs();
        // Where pieces have a small weight, the mean weight takes its place.
        let mean = 2 * MAN * (whole.iter().map(|weight| i64::from(weight.abs())).sum::<i64>() / COUNT as i64) as i32;
        Evaluator { weights: whole, half, is_material, slack: man.max(mean) }
    }

    /// Returns the value of `pos` for `side`, in the evaluation's own unit.
    #[inline]
    pub fn of_side(&self, pos: &Checkers, side: Side) -> i32 {
        if self.is_material {
            let material = |side| {
                let count = |set: u32| set.count_ones() as i32;
                MAN * count(pos.men(side)) + KING * count(pos.kings(side))
            };
            return 2 * self.weights[COUNT - 1] * (material(side) - material(side.other()));
        }
        terms::weighed(&Scene::new(pos, side), &self.weights)
    }
}

impl Evaluate<Checkers> for Evaluator {
    #[inline]
    fn value(&self, pos: &Checkers) -> i32 {
        self.of_side(pos, pos.side())
    }

    /// Returns whether no jump is compulsory.
    #[inline]
    fn is_quiet(&self, pos: &Checkers) -> bool {
        !pos.must_jump()
    }

    fn thousandths(&self, value: i32) -> i64 {
        (f64::from(value) / self.half * 500.0).round() as i64
    }

    /// The value of a man.
    fn slack(&self) -> i32 {
        self.slack
    }
}
