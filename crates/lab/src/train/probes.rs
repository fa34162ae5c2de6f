//! A few positions that the network evaluates at the end of every generation, to display its progress. They are the same in all
//! runs of a game: the initial position and three positions of a game of random moves.

use std::sync::Arc;

use crate::game::referee::play_out;
use crate::game::{Planes, Position, Variant, with_position};
use crate::net::Network;
use crate::player::NetworkOutput;
use crate::rng;
use rand::Rng as _;

/// Key of the game of random moves.
const GAME: u64 = 1;

/// Number of parts that the positions divide the game into.
const PARTS: usize = 4;

/// A position and the network's evaluation of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    pub position: Position,
    /// Number of moves before it.
    pub ply: u32,
    /// `None` before the end of the first generation.
    pub opinion: Option<NetworkOutput>,
}

/// Returns the positions of a game, without evaluations.
pub(super) fn probes(variant: &Variant) -> Arc<[Probe]> {
    fn positions<G: Planes>(start: G) -> Vec<(u32, G)> {
        let mut rng = rng::keyed(&[GAME]);
        let mut way = Vec::new();
        play_out((&start).into(), |pos| {
            way.push(*pos);
            pos.pick(rng.next_u32())
        });
        let choice = |from: usize| (from..way.len()).find(|&ply| way[ply].count_moves() > 1);
        let mut plies: Vec<usize> = (0..PARTS).filter_map(|part| choice(part * way.len() / PARTS)).collect();
        plies.dedup();
        plies.into_iter().map(|ply| (ply as u32, way[ply])).collect()
    }
    let ways: Vec<(u32, Position)> = with_position!(variant.start(), start => {
        positions(start).into_iter().map(|(ply, pos)| (ply, pos.into())).collect()
    });
    ways.into_iter().map(|(ply, position)| Probe { position, ply, opinion: None }).collect()
}

/// Returns the positions with the evaluations of this network.
pub(super) fn asked(probes: &[Probe], network: &Network, encoding: &str) -> Arc<[Probe]> {
    let ask =
        |probe: &Probe| Probe { opinion: NetworkOutput::evaluate(network, encoding, &probe.position), ..probe.clone() };
    probes.iter().map(ask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_positions_in_which_there_is_a_choice() {
        for variant in Variant::usual() {
            let probes = probes(&variant);
            assert_eq!(probes.len(), PARTS, "{variant}");
            assert!(probes[0].ply == 0 && probes.windows(2).all(|pair| pair[0].ply < pair[1].ply), "{variant}");
            assert!(probes.iter().all(|probe| probe.position.moves().len() > 1), "{variant}");
        }
        // A game may be too short for all positions.
        assert!(!probes(&"kalah:2x1:empty".parse().unwrap()).is_empty());
    }
}
