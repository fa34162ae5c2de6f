//! What is known of one opponent's play from one seat: a graph of the positions in which the program is to move.

use std::collections::HashMap;

use crate::game::kalah::Kalah;
use crate::game::{Game, Side};
use crate::player::{self, Spec};
use crate::program::kalah::{BOWLS, Reading};

/// A node or the end of a game, in a word.
pub(super) type Link = u32;
/// An edge that nobody went before.
pub(super) const UNKNOWN: Link = u32::MAX;
/// Marks the end of a game; the rest is the program's score.
pub(super) const OVER: Link = 1 << 31;

/// A position in which the program is to move: all that walking by takes.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub bowls: [u8; BOWLS],
    /// Which bowl each remainder of a program's value means.
    pub choices: [u8; 7],
    /// Where each remainder leads; equal bowls lead the same way.
    pub next: [Link; 7],
}

/// One opponent from one seat.
pub(super) struct Case {
    /// The opponent's number among those of the problem.
    pub opponent: usize,
    /// The program's seat.
    pub seat: Side,
    pub weight: f64,
    /// The seed of the opponent's own choices.
    pub seed: u64,
    /// What the opponent plays depends on how many moves were made, not on the position alone.
    counts_plies: bool,
    /// Where the program moves first of all; unknown until it has been worked out.
    pub root: Link,
    pub spots: Vec<Spot>,
    /// The position of each spot, and the moves before it.
    positions: Vec<(Kalah, u32)>,
    known: HashMap<(Kalah, u32), u32>,
}

/// What leads to a position in which the program is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Way {
    /// The beginning of the game.
    Start,
    /// The program's sowing a bowl in a spot.
    Sown { spot: u32, bowl: u8 },
}

/// Where a way leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// A position with the moves before it.
    At(Kalah, u32),
    /// The end of the game, with the program's score.
    Over(u32),
}

impl Case {
    pub fn new(opponent: usize, spec: &Spec, seat: Side, weight: f64, seed: u64) -> Case {
        let counts_plies = match spec {
            Spec::Minimax(minimax) => minimax.ties != player::spec::Ties::First,
            Spec::Program(_) => false,
            Spec::Puct(_) => spec.is_timed(),
            _ => true,
        };
        let (spots, positions, known) = (Vec::new(), Vec::new(), HashMap::new());
        Case { opponent, seat, weight, seed, counts_plies, root: UNKNOWN, spots, positions, known }
    }

    /// The position right after the way's own move, if it is one, and the moves before it.
    pub fn beginning(&self, way: Way, start: Kalah) -> (Kalah, u32) {
        match way {
            Way::Start => (start, 0),
            Way::Sown { spot, bowl } => {
                let (pos, ply) = self.positions[spot as usize];
                (pos.play(bowl.into()), ply + 1)
            }
        }
    }

    /// Keeps where a way leads, which may be a new spot.
    pub fn put_in(&mut self, way: Way, arrival: Arrival, reading: Reading) {
        let link = self.link(arrival, reading);
        match way {
            Way::Start => self.root = link,
            Way::Sown { spot, bowl } => {
                let spot = &mut self.spots[spot as usize];
                for (next, _) in spot.next.iter_mut().zip(spot.choices).filter(|(_, choice)| *choice == bowl) {
                    *next = link;
                }
            }
        }
    }

    fn link(&mut self, arrival: Arrival, reading: Reading) -> Link {
        let (pos, ply) = match arrival {
            Arrival::Over(score) => return OVER | score,
            Arrival::At(pos, ply) => (pos, ply),
        };
        let key = (pos, if self.counts_plies { ply } else { 0 });
        *self.known.entry(key).or_insert_with(|| {
            let choices = reading.choices(&pos).unwrap_or_default();
            self.spots.push(Spot { bowls: reading.bowls(&pos), choices, next: [UNKNOWN; 7] });
            self.positions.push((pos, ply));
            self.spots.len() as u32 - 1
        })
    }
}
