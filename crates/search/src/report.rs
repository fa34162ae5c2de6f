//! What a search has found out, for any game, to be shown while it runs and kept once it is done.

use crate::game::Move;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The depth, in plies, that was completed last.
    pub depth: u32,
    /// Positions visited, or kept in the tree.
    pub nodes: u64,
    /// Games played out, by a search that plays games out.
    pub games: u64,
    /// The values are those of perfect play: no further depth can change them.
    pub solved: bool,
    /// The best move first.
    pub lines: Vec<Line>,
}

/// One move at the root and what comes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub mv: Move,
    /// The final margin, or the margin where the search stopped looking, for the side to move at the root.
    pub margin: i32,
    /// Plies looked ahead for it.
    pub depth: u32,
    /// The margin is that of perfect play.
    pub solved: bool,
    /// Best play from the root as far as it is known, `mv` first.
    pub pv: Vec<Move>,
    /// From a search that counts games instead of proving bounds.
    pub tried: Option<Tried>,
    /// From a search by an evaluation other than the margin, which then stands for its whole units only.
    pub weighed: Option<Weighed>,
}

/// What a search by an evaluation makes of a move, for the side to move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weighed {
    /// In thousandths of the evaluation's unit.
    Value(i64),
    /// It wins the game in so many plies.
    Wins(u32),
    /// It loses it in so many.
    Loses(u32),
}

/// What a Monte Carlo search knows of a move at the root; of one it never visited, nothing else has a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Games played through it.
    pub visits: u64,
    /// The mover's points a game, a win being one and a draw half of one; in [`UNIT`](Tried::UNIT)s.
    pub mean: u32,
    /// How far its upper confidence bound lies above the mean; in the same unit.
    pub exploration: u32,
}

impl Tried {
    /// Ten-thousandths of a point.
    pub const UNIT: u32 = 10_000;
}

impl Report {
    /// How much was looked at, and what: games, by a search that plays games out, or else nodes.
    pub fn effort(&self) -> (u64, &'static str) {
        if self.games > 0 { (self.games, "games") } else { (self.nodes, "nodes") }
    }

    /// The move at the top, if there is one.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }
}
