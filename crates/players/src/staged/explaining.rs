//! Why a player by functions prefers a move: the function in force, what it looks at, and what it makes of every move.

use std::sync::Arc;

use super::choosing::{Valued, values};
use super::valuing::Ordered;
use super::{Schedule, Staged};
use crate::game::othello::{Afterwards, COUNTS, Othello, Zones};
use crate::game::{Game as _, Move, Notation as _, Position};
use crate::program::othello::{Counts, Function, count_names};
use crate::{Purpose, keyed};

/// The function that is in force in a position.
#[derive(Clone, Debug)]
pub struct InForce {
    pos: Othello,
    zones: Zones,
    pub function: Arc<Function>,
    /// Which of the stages this is, from 0, and how many there are.
    pub stage: usize,
    pub stages: usize,
    /// How many discs have been put when it ends, if stages do not overlap.
    pub end: u32,
    /// Either of two stages could have been in force, and chance decided.
    pub is_drawn: bool,
}

impl Staged {
    /// What is in force in a position that a game with this seed has come to after so many plies; `None` in other games.
    pub fn in_force(&self, position: Position, ply: u32, seed: u64) -> Option<InForce> {
        let pos = Othello::try_from(position).ok()?;
        let schedule = Schedule::new(self);
        let stage = schedule.stage(pos.put(), || keyed(seed, ply, Purpose::Stage));
        Some(InForce {
            pos,
            zones: self.zones,
            function: Arc::clone(&self.stages.get(stage)?.function),
            stage,
            stages: self.stages.len(),
            end: self.ends()[stage],
            is_drawn: schedule.chance(pos.put()).1 > 0.0,
        })
    }

    /// Why it plays `mv` there, in a line.
    pub(super) fn reason(&self, position: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        let now = self.in_force(position, ply, seed)?;
        let stage = if now.stages > 1 { format!("stage {} of {}: ", now.stage + 1, now.stages) } else { String::new() };
        if self.depth > 1 {
            return Some(format!("looks {} plies ahead by {stage}{}", self.depth, now.function));
        }
        let moves = now.judged().moves;
        let played = moves.iter().find(|judged| judged.mv == mv)?;
        // Moves are in the order of their values.
        let next = moves.iter().find(|judged| judged.mv != mv);
        let next = next.map(|next| format!(", next {} {}", now.pos.move_text(next.mv), number(next.value)));
        Some(format!("worth {}{}; {stage}{}", number(played.value), next.unwrap_or_default(), now.function))
    }
}

/// What a function makes of a position and of every move there.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The counts that the function looks at, by their places.
    pub looked_at: Vec<usize>,
    /// The counts now, those of the side to move first, and what the function makes of them.
    pub counts: Counts,
    pub value: f64,
    /// The best move first, as it is chosen.
    pub moves: Vec<JudgedMove>,
}

/// What a function makes of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    pub mv: Move,
    /// NaN where the function gives no number.
    pub value: f64,
    /// The counts after it.
    pub counts: Counts,
}

impl InForce {
    /// The function's name for each count.
    pub fn names() -> [&'static str; 2 * COUNTS] {
        count_names()
    }

    /// Takes as long as it takes to make the function ready to run.
    pub fn judged(&self) -> Judged {
        let afterwards = Afterwards::of(&self.pos);
        let mut after = vec![[0; 2 * COUNTS]; afterwards.moves().len()];
        afterwards.count(self.zones, u32::MAX, 1, |count, row| {
            after.iter_mut().zip(row).for_each(|(after, &number)| after[count] = number);
        });
        let values = values(&self.function, self.zones, &self.pos);
        let judged = |(Valued { mv, value }, counts)| JudgedMove { mv, value, counts };
        let mut moves: Vec<JudgedMove> = values.into_iter().zip(after).map(judged).collect();
        moves.sort_by_key(|judged| std::cmp::Reverse(Ordered::new(judged.value)));
        let counts = self.pos.counts(self.pos.side(), self.zones);
        let mut tape = self.function.tape();
        let looked_at = (0..2 * COUNTS).filter(|&count| tape.inputs().any(|input| input == count)).collect();
        Judged { looked_at, counts, value: tape.run(&counts), moves }
    }
}

/// A value for people: `14`, `-3.25`, `1.2e9`, or `none` where there is no number. At most eight characters.
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
