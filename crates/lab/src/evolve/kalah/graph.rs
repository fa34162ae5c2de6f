//! The known play of one opponent against one side: a graph of the positions with the program to move.
//!
//! Where a rule looks back, as that of repeated positions does, the positions it may look back to belong to a node, and so does
//! the number of moves if it limits a game: what follows a node then depends on the node alone, and a walk in the graph is a game
//! under all rules.

use std::collections::HashMap;

use crate::game::{GameState, Side};
use crate::player::Spec;
use crate::program::kalah::{BowlLanguage, Bowls, ProgramGame, ProgramReading};

/// A node, or the end of a game.
pub(super) type Link = u32;
/// An unexplored edge.
pub(super) const UNKNOWN: Link = u32::MAX;
/// Flag of the end of a game; the lowest bytes are the seeds of the program and of the opponent.
pub(super) const OVER: Link = 1 << 31;

/// Returns the seeds of the program and of the opponent at the end of a game.
pub(super) fn scores(over: Link) -> [u8; 2] {
    let [own, other, ..] = over.to_le_bytes();
    [own, other]
}

/// One value for each remainder of a program's value.
type PerRemainder<G, T> = <<G as ProgramGame>::Language as BowlLanguage>::PerRemainder<T>;

/// A position with the program to move: the data for traversal.
#[derive(Clone, Copy)]
pub(super) struct Spot<G: ProgramGame> {
    pub bowls: Bowls<G>,
    /// The bowl selected by each remainder of a program's value.
    pub choices: PerRemainder<G, u8>,
    /// The target of each remainder; equal bowls have equal targets.
    pub next: PerRemainder<G, Link>,
}

/// What decides the rest of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node<G> {
    pos: G,
    /// Number of moves before it.
    ply: u32,
    /// The earlier positions that a rule may look back to, among the [`Pasts`].
    past: u32,
}

/// Sequences of positions, as a tree: each is an earlier one with a position more. 0 is the empty sequence.
struct Pasts<G> {
    all: Vec<(u32, G)>,
    known: HashMap<(u32, G), u32>,
}

/// One opponent and the program's side.
pub(super) struct Case<G: ProgramGame> {
    /// The opponent's index among the problem's opponents.
    pub opponent: usize,
    /// The program's side.
    pub seat: Side,
    pub weight: f64,
    /// The seed of the opponent's random choices.
    pub seed: u64,
    /// Whether play depends on the number of moves.
    counts_plies: bool,
    /// The program's first position, or [`UNKNOWN`].
    pub root: Link,
    pub spots: Vec<Spot<G>>,
    /// The node of each spot.
    nodes: Vec<Node<G>>,
    /// Spots by node; without moves that do not count.
    known: HashMap<Node<G>, u32>,
    pasts: Pasts<G>,
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Arrival<G> {
    /// A game with the program to move.
    At(GameState<G>),
    /// The end of the game, with the seeds of the program and of the opponent.
    Over([u8; 2]),
}

impl<G: ProgramGame> Pasts<G> {
    fn new() -> Pasts<G> {
        Pasts { all: Vec::new(), known: HashMap::new() }
    }

    /// Returns the number of a sequence, adding it if it is new.
    fn number(&mut self, positions: &[G]) -> u32 {
        positions.iter().fold(0, |before, &pos| {
            *self.known.entry((before, pos)).or_insert_with(|| {
                self.all.push((before, pos));
                self.all.len() as u32
            })
        })
    }

    /// Returns the sequence with this number.
    fn positions(&self, mut number: u32) -> Vec<G> {
        let mut positions = Vec::new();
        while let Some((before, pos)) = number.checked_sub(1).and_then(|index| self.all.get(index as usize)) {
            positions.push(*pos);
            number = *before;
        }
        positions.reverse();
        positions
    }

    fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u32, G)>() + self.known.capacity() * (size_of::<((u32, G), u32)>() + 1)
    }
}

impl<G: ProgramGame> Case<G> {
    pub fn new(opponent: usize, spec: &Spec, seat: Side, weight: f64, seed: u64) -> Case<G> {
        let does_opponent = match spec {
            Spec::Minimax(minimax) => minimax.ties.is_drawn(),
            Spec::Program(_) => false,
            Spec::Puct(_) => spec.is_timed(),
            _ => true,
        };
        let counts_plies = does_opponent || G::MOST_PLIES.is_some();
        let spots = Vec::new();
        let nodes = Vec::new();
        let known = HashMap::new();
        let pasts = Pasts::new();
        Case { opponent, seat, weight, seed, counts_plies, root: UNKNOWN, spots, nodes, known, pasts }
    }

    /// Returns the memory of the graph in bytes.
    pub fn bytes(&self) -> usize {
        let known = self.known.capacity() * (size_of::<(Node<G>, u32)>() + 1);
        let nodes = self.nodes.capacity() * size_of::<Node<G>>();
        self.spots.capacity() * size_of::<Spot<G>>() + nodes + known + self.pasts.bytes()
    }

    /// Removes all positions and their memory. No walk may be in progress.
    pub fn clear(&mut self) {
        (self.root, self.spots, self.nodes, self.known) = (UNKNOWN, Vec::new(), Vec::new(), HashMap::new());
        self.pasts = Pasts::new();
    }

    /// Returns the game after the way's own move, if any.
    pub fn beginning(&self, way: Way, start: G) -> GameState<G> {
        match way {
            Way::Start => GameState::new(start),
            Way::Sown { spot, bowl } => {
                let Node { pos, ply, past } = self.nodes[spot as usize];
                let mut game_state = GameState::after(pos, self.pasts.positions(past).into_iter().collect(), ply);
                game_state.play(bowl.into());
                game_state
            }
        }
    }

    /// Stores the target of a way, adding a spot if it is new.
    pub fn put_in(&mut self, way: Way, arrival: &Arrival<G>, reading: ProgramReading) {
        let link = self.link(arrival, reading);
        match way {
            Way::Start => self.root = link,
            Way::Sown { spot, bowl } => {
                let Spot { choices, next, .. } = &mut self.spots[spot as usize];
                let pairs = next.as_mut().iter_mut().zip(choices.as_ref());
                pairs.filter(|(_, choice)| **choice == bowl).for_each(|(next, _)| *next = link);
            }
        }
    }

    fn link(&mut self, arrival: &Arrival<G>, reading: ProgramReading) -> Link {
        let game_state = match arrival {
            Arrival::Over(scores) => return OVER | u32::from(u16::from_le_bytes(*scores)),
            Arrival::At(game_state) => game_state,
        };
        let pos = *game_state.pos();
        let past = self.pasts.number(pos.looks_back_to(game_state.history()));
        let node = Node { pos, ply: game_state.plies(), past };
        let key = Node { ply: if self.counts_plies { node.ply } else { 0 }, ..node };
        *self.known.entry(key).or_insert_with(|| {
            let choices = reading.choices(&pos).unwrap_or_else(|| G::Language::per_remainder(0));
            let next = G::Language::per_remainder(UNKNOWN);
            self.spots.push(Spot { bowls: reading.bowls(&pos), choices, next });
            self.nodes.push(node);
            self.spots.len() as u32 - 1
        })
    }
}
