//! The known play of one opponent against one side: a graph of the positions with the program to move.

use std::collections::HashMap;

use crate::game::kalah::Kalah;
use crate::game::{Game, Side};
use crate::player::Spec;
use crate::program::kalah::{BOWLS, Reading};

/// A node, or the end of a game.
pub(super) type Link = u32;
/// An unexplored edge.
pub(super) const UNKNOWN: Link = u32::MAX;
/// Flag of the end of a game; the remaining bits are the program's score.
pub(super) const OVER: Link = 1 << 31;

/// A position with the program to move: the data for traversal.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub bowls: [u8; BOWLS],
    /// The bowl selected by each remainder of a program's value.
    pub choices: [u8; 7],
    /// The target of each remainder; equal bowls have equal targets.
    pub next: [Link; 7],
}

/// One opponent and the program's side.
pub(super) struct Case {
    /// The opponent's index among the problem's opponents.
    pub opponent: usize,
    /// The program's side.
    pub seat: Side,
    pub weight: f64,
    /// The seed of the opponent's random choices.
    pub seed: u64,
    /// Whether the opponent's play depends on the number of moves, not on the position alone.
    counts_plies: bool,
    /// The program's first position, or [`UNKNOWN`].
    pub root: Link,
    pub spots: Vec<Spot>,
    /// The position of each spot, and the number of moves before it.
    positions: Vec<(Kalah, u32)>,
    known: HashMap<(Kalah, u32), u32>,
}

/// What leads to a position with the program to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Way {
    /// The start of the game.
    Start,
    /// The program's move from a bowl of a spot.
    Sown { spot: u32, bowl: u8 },
}

/// The target of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// A position and the number of moves before it.
    At(Kalah, u32),
    /// The end of the game, with the program's score.
    Over(u32),
}

impl Case {
    pub fn new(opponent: usize, spec: &Spec, seat: Side, weight: f64, seed: u64) -> Case {
        let counts_plies = match spec {
            Spec::Minimax(minimax) => minimax.ties.is_drawn(),
            Spec::Program(_) => false,
            Spec::Puct(_) => spec.is_timed(),
            _ => true,
        };
        let (spots, positions, known) = (Vec::new(), Vec::new(), HashMap::new());
        Case { opponent, seat, weight, seed, counts_plies, root: UNKNOWN, spots, positions, known }
    }

    /// Returns the memory of the graph in bytes.
    pub fn bytes(&self) -> usize {
        let known = self.known.capacity() * (size_of::<((Kalah, u32), u32)>() + 1);
        self.spots.capacity() * size_of::<Spot>() + self.positions.capacity() * size_of::<(Kalah, u32)>() + known
    }

    /// Removes all positions and their memory. No walk may be in progress.
    pub fn clear(&mut self) {
        (self.root, self.spots, self.positions, self.known) = (UNKNOWN, Vec::new(), Vec::new(), HashMap::new());
    }

    /// Returns the position after the way's own move, if any, and the number of moves before it.
    pub fn beginning(&self, way: Way, start: Kalah) -> (Kalah, u32) {
        match way {
            Way::Start => (start, 0),
            Way::Sown { spot, bowl } => {
                let (pos, ply) = self.positions[spot as usize];
                (pos.play(bowl.into()), ply + 1)
            }
        }
    }

    /// Stores the target of a way, adding a spot if it is new.
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
