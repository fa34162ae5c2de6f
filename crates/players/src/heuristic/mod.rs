//! The player with ten weighted heuristics.
//!
//! Alpha-beta over V = H1·W1 + … + H10·W10, as in the Kalah thesis (section 5.4): [`terms`] defines the heuristics, [`weights`] the
//! sources of the weights, and [`Evaluator`] folds both into the search's evaluation.
//!
//! The weighted sum of the ten heuristics as a search evaluation, called millions of times a second.
//!
//! The sum is linear in the seeds of the pits and, once it is known whether each store holds enough, of the stores too; so the ten
//! weights are folded into a few coefficients when a player is built. A test compares it with the sum of the terms.

pub mod terms;
pub mod weights;

use std::fmt;

use mancalab_base::Error;
use rand::RngExt;

use super::budget::{Budget, Status};
use super::game::{BoardGame as _, Game, Move, PitGame, Position, Seeds, Side, of_pits};
use super::kind::{Effort, Forms, PlayerKind, Unread};
use super::pool::Pool;
use super::search::alpha_beta::{AlphaBetaSearch, Evaluation, JudgedMove};
use super::search::{MoveSet, SearchHints, Ties};
use super::settings::string_enum;
use super::text::Values::Words;
use super::text::{self, Setting, TIES};
use super::{Built, Player, Purpose, Turn, Unbuilt, of_one};
use terms::{COUNT, ENOUGH, Scene, TERMS};

pub use weights::Weights;

pub use weights::Source;

/// The interpretation of H9 and H10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Nearness {
    /// The number of seeds by which one store exceeds 1.5 times the other.
    #[default]
    Difference,
    /// 1 if it does, else 0.
    Indicator,
    /// The formulas as printed in Algorithm 4, with H9's misplaced parenthesis.
    Printed,
    /// The same with H10 negated, as the text says of it: both count against the player.
    Harmful,
}

string_enum!(Nearness { "difference" => Difference, "indicator" => Indicator, "printed" => Printed, "harmful" => Harmful });
text::parsed!(Nearness);

/// The choices that the thesis leaves open. The defaults agree best with its printed results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HeuristicReading {
    /// The move that H5 and H7 rate; the positions that a search evaluates have no move of their own.
    pub judged: JudgedMove,
    pub nearness: Nearness,
}

/// Settings of the heuristic player. `Display` gives the text that parses to the same settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heuristic {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    pub weights: Weights,
    pub source: Source,
    pub ties: Ties,
    pub reading: HeuristicReading,
}

/// The maximum depth. The search keeps no transposition table, so about every two plies take ten times as long.
pub const MAX_DEPTH: u32 = 20;

impl Heuristic {
    /// A player with these weights and the default reading of the thesis.
    pub fn new(depth: u32, weights: Weights) -> Heuristic {
        Heuristic { depth, weights, source: Source::Numbers, ties: Ties::First, reading: HeuristicReading::default() }
    }

    /// Reads the part of a player's text after `heuristic`: `:D`, `@weights` and settings, all optional. Weights from a file are 0 until
    /// the file is read.
    ///
    /// # Errors
    /// Names the invalid part and what is accepted.
    fn read(text: &str) -> Result<Heuristic, Error> {
        let mut heuristic = Heuristic::new(USUAL_DEPTH, Weights::default());
        let (depth, weights) = text::head(text::read(text, SETTINGS, &mut heuristic)?);
        heuristic.set_depth(depth)?;
        let (source, weights) = Source::of_text(weights.unwrap_or(weights::USUAL), Weights::known)?;
        Ok(Heuristic { source, weights: weights.unwrap_or_default(), ..heuristic })
    }

    /// Sets the depth from a text, if there is one.
    pub(super) fn set_depth(&mut self, text: Option<&str>) -> Result<(), Error> {
        if let Some(text) = text {
            self.depth = text::depth(text, MAX_DEPTH, DEPTH_WANTED, SETTINGS)?;
        }
        Ok(())
    }

    pub(super) fn unread(text: &str) -> Result<Unread<Heuristic>, Error> {
        let heuristic = Heuristic::read(text)?;
        let file = heuristic.source.file().map(str::to_owned);
        Ok(Unread::in_file(file.clone(), "weights", move || {
            let read = file.map(|name| Weights::read(name.as_ref())).transpose()?;
            Ok(Heuristic { weights: read.unwrap_or(heuristic.weights), ..heuristic })
        }))
    }
}

/// The default depth.
pub(super) const USUAL_DEPTH: u32 = 4;

const DEPTH_WANTED: &str = "heuristic depth must be 1 to 20, as in heuristic:4";

/// These may also follow a network.
pub(super) const SETTINGS: &[Setting<Heuristic>] = &[
    Setting("ties", Words(TIES), |s| &mut s.ties),
    Setting("judged", Words("root|path"), |s| &mut s.reading.judged),
    Setting("near", Words("difference|indicator|printed|harmful"), |s| &mut s.reading.nearness),
];

pub(crate) const FORMS: Forms = &[
    ("heuristic:D", "ten weighted heuristics, D plies, 1 to 20"),
    ("heuristic:D@WEIGHTS", "default, table3-1 to table3-20, a file, or ten numbers"),
    ("heuristic:D@WEIGHTS:net=FILE", "and a network's value, a file or best; default or eleven numbers"),
    ("heuristic:D:ties=random", "as for minimax; also judged=path, near=indicator"),
];

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "heuristic:{}", self.depth)?;
        if self.source != Source::known(weights::USUAL) {
            write!(f, "@{}", self.source.text(&self.weights))?;
        }
        text::write(f, SETTINGS, self, Heuristic::new(1, Weights::default()))
    }
}

impl PlayerKind for Heuristic {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        let mut games = Vec::new();
        let built = of_pits!(Pits => of_one::<G, Pits, _>("heuristic", || HeuristicPlayer::new(self.clone())).inspect_err(|_| games.push(Pits::NAME)).ok());
        built.ok_or(Unbuilt::Plays { kind: "heuristic", games })
    }

    fn effort(&self) -> Effort {
        Effort::of_depth(self.depth)
    }

    fn about(&self) -> String {
        format!("ten heuristics, depth {}", self.depth)
    }

    fn contents(&self) -> Option<String> {
        self.source.file().map(|_| self.weights.to_string())
    }

    fn is_deterministic(&self) -> bool {
        !self.ties.is_drawn()
    }

    fn set_ties(&mut self, ties: Ties) {
        self.ties = ties;
    }
}

/// A player that searches to its depth with the weighted heuristics.
pub struct HeuristicPlayer<G: PitGame + SearchHints> {
    settings: Heuristic,
    thinking: Option<(Turn<G>, AlphaBetaSearch<G, Evaluator>)>,
}

impl<G: PitGame + SearchHints> HeuristicPlayer<G> {
    pub fn new(settings: Heuristic) -> HeuristicPlayer<G> {
        HeuristicPlayer { settings, thinking: None }
    }
}

impl<G: PitGame + SearchHints> Player<G> for HeuristicPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let Heuristic { depth, weights, ties, reading, .. } = &self.settings;
        let same = self.thinking.take().filter(|(before, _)| before == turn);
        let begin =
            || (turn.clone(), AlphaBetaSearch::new(turn.game_state(), *depth, Evaluator::new(weights, *reading)));
        let (_, searching) = self.thinking.insert(same.unwrap_or_else(begin));
        if searching.step(budget) == Status::Running {
            return None;
        }
        chosen(searching.best().moves, *ties, turn)
    }
}

/// Chooses among equally good moves.
pub(super) fn chosen<G: Game>(best: MoveSet, ties: Ties, turn: &Turn<G>) -> Option<Move> {
    let best: Vec<Move> = best.legal(&turn.pos).collect();
    ties.choose(&turn.pos, best.into_iter(), |count| turn.rng(Purpose::Tie).random_range(0..count as u32) as usize)
}

/// One heuristic's value in a position, and its part in the sum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contribution {
    /// `H1` to `H10`.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    pub unit: &'static str,
    /// In units; may be a half.
    pub value: f64,
    pub weight: f64,
    /// Value times weight.
    pub contribution: f64,
}

/// Returns the values of the ten heuristics in `position` for `side`, and their contributions to the sum under `settings`. `played` is
/// the move that led there, with the position before it, if `side` made it: H5 and H7 rate it. `None` for a game without pits and
/// stores.
pub fn explain(
    position: &Position,
    side: Side,
    played: Option<(&Position, Move)>,
    settings: &Heuristic,
) -> Option<[Contribution; COUNT]> {
    let scene = of_pits!(Pits => scene_of::<Pits>(position, side, played, settings.reading.nearness))?;
    let weights = settings.weights.reals();
    Some(std::array::from_fn(|index| {
        let term = &TERMS[index];
        let value = f64::from((term.halves)(&scene)) / 2.0;
        let weight = weights[index];
        Contribution {
            name: term.name,
            title: term.title,
            unit: term.unit,
            value,
            weight,
            contribution: value * weight,
        }
    }))
}

/// Returns whether the heuristics value positions of this game.
pub fn knows(position: &Position) -> bool {
    of_pits!(Pits => Pits::try_from(*position).ok().map(|_| ())).is_some()
}

/// Returns what the heuristics see of a position; `None` if it is of another game.
fn scene_of<G: PitGame + TryFrom<Position>>(
    position: &Position,
    side: Side,
    played: Option<(&Position, Move)>,
    nearness: Nearness,
) -> Option<Scene> {
    let mut scene = scene(&G::try_from(*position).ok()?, side, nearness);
    if let Some((before, mv)) = played.filter(|(before, mv)| before.side() == side && before.is_legal(*mv)) {
        judge(&mut scene, &G::try_from(*before).ok()?, mv);
    }
    Some(scene)
}

fn scene<G: PitGame>(pos: &G, side: Side, nearness: Nearness) -> Scene {
    Scene { own: pos.seeds(side), other: pos.seeds(side.other()), nearness, ..Scene::default() }
}

fn judge<G: Game>(scene: &mut Scene, before: &G, mv: Move) {
    scene.rightmost = is_rightmost(before, mv);
    scene.again = gives_another_turn(before, &before.play(mv));
}

#[cfg(test)]
mod tests;

/// The evaluation of one set of weights, in units of 1/2000: weights are thousandths, terms are halves.
#[derive(Clone, Debug)]
pub struct Evaluator {
    leftmost_pit: i32,
    pits: i32,
    filled: i32,
    /// Coefficients of a seed in the own store and in the opponent's, indexed by whether the own and the opponent's hold [`ENOUGH`].
    stores: [[i32; 2]; 4],
    rightmost: i32,
    again: i32,
    /// H9 and H10, as indicators.
    near: [i32; 2],
    nearness: Nearness,
    judged: JudgedMove,
}

impl Evaluator {
    /// The evaluation of `weights` under `reading`.
    pub fn new(weights: &Weights, reading: HeuristicReading) -> Evaluator {
        let [w1, w2, w3, w4, w5, w6, w7, w8, w9, w10] = weights.thousandths();
        let counts = reading.nearness != Nearness::Indicator;
        // H9's coefficient of a seed in the own store, and H10's of both, in halves.
        let h9_own = if matches!(reading.nearness, Nearness::Printed | Nearness::Harmful) { -2 } else { 2 };
        let h10 = if reading.nearness == Nearness::Harmful { [-3, 2] } else { [3, -2] };
        let stores = std::array::from_fn(|enough| {
            let near = |bit: usize, weight: i32| if counts && enough >> bit & 1 == 1 { weight } else { 0 };
            let w9 = near(1, w9);
            let w10 = near(0, w10);
            [2 * w4 + 2 * w8 + h9_own * w9 + h10[0] * w10, -2 * w6 - 2 * w8 - 3 * w9 + h10[1] * w10]
        });
        Evaluator {
            leftmost_pit: 2 * w1,
            pits: 2 * w2,
            filled: 2 * w3,
            stores,
            rightmost: 2 * w5,
            again: 2 * w7,
            near: [2 * w9, -2 * w10],
            nearness: reading.nearness,
            judged: reading.judged,
        }
    }

    /// Returns the value of the seeds on the board for the side of `own`.
    #[inline]
    fn seeds(&self, own: Seeds, other: Seeds) -> i32 {
        let enough = usize::from(own.store >= ENOUGH) | usize::from(other.store >= ENOUGH) << 1;
        let [own_seed, other_seed] = self.stores[enough];
        let mut value = self.leftmost_pit * i32::from(own.leftmost_pit)
            + self.pits * i32::from(own.pits)
            + self.filled * i32::from(own.filled)
            + own_seed * i32::from(own.store)
            + other_seed * i32::from(other.store);
        if self.nearness == Nearness::Indicator {
            value += self.indicated(own.store, other.store) + self.indicated_against(own.store, other.store);
        }
        value
    }

    fn indicated(&self, own: u8, other: u8) -> i32 {
        if other >= ENOUGH && 2 * i32::from(own) >= 3 * i32::from(other) { self.near[0] } else { 0 }
    }

    fn indicated_against(&self, own: u8, other: u8) -> i32 {
        if own >= ENOUGH && 2 * i32::from(other) >= 3 * i32::from(own) { self.near[1] } else { 0 }
    }
}

impl<G: PitGame> Evaluation<G> for Evaluator {
    type Value = i32;

    #[inline]
    fn position(&self, pos: &G, side: Side) -> i32 {
        self.seeds(pos.seeds(side), pos.seeds(side.other()))
    }

    #[inline]
    fn mv(&self, pos: &G, mv: Move, after: &G) -> i32 {
        let mut value = 0;
        if self.rightmost != 0 && is_rightmost(pos, mv) {
            value += self.rightmost;
        }
        if gives_another_turn(pos, after) {
            value += self.again;
        }
        value
    }

    /// As at any other end of a game: with what the rule gives each side in its store.
    #[cold]
    fn ruled(&self, pos: &G, side: Side) -> i32 {
        let stored = |side: Side| Seeds { store: pos.final_seeds(side), ..Seeds::default() };
        self.seeds(stored(side), stored(side.other()))
    }

    fn judged(&self) -> JudgedMove {
        self.judged
    }
}

/// Returns whether `mv` sows the rightmost pit with seeds.
#[inline]
fn is_rightmost<G: Game>(pos: &G, mv: Move) -> bool {
    pos.moves().last() == Some(mv)
}

/// Returns whether the move from `pos` to `after` gave its side another turn; a move that ends the game does not.
#[inline]
fn gives_another_turn<G: Game>(pos: &G, after: &G) -> bool {
    !after.is_over() && after.side() == pos.side()
}
