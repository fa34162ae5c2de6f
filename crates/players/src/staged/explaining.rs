//! Explanations of a function player's moves: the function in force, its inputs, and its value of every move.

use std::sync::Arc;

use super::evaluation::TotalOrder;
use super::{MoveValue, StagedSettings, values};
use crate::game::othello::{Afterwards, COUNTS, Othello, Zones};
use crate::game::{Game as _, Move, Notation as _, Position};
use crate::program::othello::{Counts, Function, count_names};
use crate::{Purpose, keyed};

/// The function in force in a position.
#[derive(Clone, Debug)]
pub struct InForce {
    pos: Othello,
    zones: Zones,
    pub function: Arc<Function>,
    /// The index of its stage, and the number of stages.
    pub stage: usize,
    pub stages: usize,
    /// The number of discs placed when it ends, if stages do not overlap.
    pub end: u32,
    /// The stage here with the probability that the next one is in force instead; `None` for a player without an overlap.
    pub chance: Option<(usize, f64)>,
}

impl StagedSettings {
    /// Returns the function in force in a position after `ply` plies of a game with this seed; `None` in other games.
    pub fn in_force(&self, position: Position, ply: u32, seed: u64) -> Option<InForce> {
        let pos = Othello::try_from(position).ok()?;
        let schedule = self.schedule();
        let stage = schedule.stage(pos.put(), || keyed(seed, ply, Purpose::Stage));
        Some(InForce {
            pos,
            zones: self.zones,
            function: Arc::clone(&self.stages.get(stage)?.function),
            stage,
            stages: self.stages.len(),
            end: self.ends()[stage],
            chance: (self.overlap > 0 && self.stages.len() > 1).then(|| schedule.chance(pos.put())),
        })
    }

    /// Explains the move `mv` in one line.
    pub(super) fn reason(&self, position: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        let now = self.in_force(position, ply, seed)?;
        let stage = if now.stages > 1 { format!("stage {} of {}: ", now.stage + 1, now.stages) } else { String::new() };
        if self.depth > 1 {
            return Some(format!("searches {} plies with {stage}{}", self.depth, now.function));
        }
        let moves = now.judged().moves;
        let played = moves.iter().find(|judged| judged.mv == mv)?;
        // Moves are in the order of their values.
        let next = moves.iter().find(|judged| judged.mv != mv);
        let next = next.map(|next| format!(", next {} {}", now.pos.move_text(next.mv), number(next.value)));
        Some(format!("value {}{}; {stage}{}", number(played.value), next.unwrap_or_default(), now.function))
    }
}

/// A function's values in a position, and of every move there.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The indices of the counts that the function uses.
    pub looked_at: Vec<usize>,
    /// The current counts, those of the side to move first, and their value.
    pub counts: Counts,
    pub value: f64,
    /// The moves, best first, in the order of choice.
    pub moves: Vec<JudgedMove>,
}

/// A function's value of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    pub mv: Move,
    /// NaN if the function's value is not a number.
    pub value: f64,
    /// The counts after the move.
    pub counts: Counts,
}

impl InForce {
    /// Returns whether two stages overlap here, so that the choice was random.
    pub fn is_drawn(&self) -> bool {
        self.chance.is_some_and(|(_, later)| later > 0.0)
    }

    /// Formats the probability of each stage that may be in force here, such as `stage 1 70 % · stage 2 30 %` with `dot` between both;
    /// `None` for a player without an overlap.
    pub fn chances(&self, dot: &str) -> Option<String> {
        let (stage, later) = self.chance?;
        let percent = (100.0 * later).round();
        let text = |stage: usize, percent: f64| format!("stage {} {percent} %", stage + 1);
        let first = text(stage, 100.0 - percent);
        Some(if later > 0.0 { format!("{first} {dot} {}", text(stage + 1, percent)) } else { first })
    }

    /// Returns the name of each count in functions.
    pub fn names() -> [&'static str; 2 * COUNTS] {
        count_names()
    }

    /// Evaluates the position and its moves; compiles the function each time.
    pub fn judged(&self) -> Explanation {
        let afterwards = Afterwards::new(&self.pos);
        let mut after = vec![[0; 2 * COUNTS]; afterwards.moves().len()];
        afterwards.count(self.zones, u32::MAX, 1, |count, row| {
            after.iter_mut().zip(row).for_each(|(after, &number)| after[count] = number);
        });
        let values = values(&self.function, self.zones, &self.pos);
        let judged = |(MoveValue { mv, value }, counts)| JudgedMove { mv, value, counts };
        let mut moves: Vec<JudgedMove> = values.into_iter().zip(after).map(judged).collect();
        crate::sort::sort_by_key(&mut moves, |judged| std::cmp::Reverse(TotalOrder::new(judged.value)));
        let counts = self.pos.counts(self.pos.side(), self.zones);
        let mut tape = self.function.tape();
        let looked_at = (0..2 * COUNTS).filter(|&count| tape.inputs().any(|input| input == count)).collect();
        Explanation { looked_at, counts, value: tape.run(&counts), moves }
    }
}

/// Formats a value: `14`, `-3.25`, `1.2e9`, or `none` for NaN. At most eight characters.
pub fn number(value: f64) -> String {
    match value.abs() {
        _ if value.is_nan() => "none".to_owned(),
        huge if huge >= 1e6 => format!("{value:.1e}"),
        large if large >= 1e4 => format!("{value:.0}"),
        small if small > 0.0 && small < 0.005 => format!("{value:.0e}"),
        _ => {
            let text = format!("{value:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}
