//! A network's output for a position, for display: the value, and each move's logit, probability and resulting value.

use crate::game::planes::encoding;
use crate::game::{GameState, Move, Planes, Position, with_position};
use crate::net::{Activations, Network, Policy};

/// A network's output for a position that is not over, from the perspective of the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkOutput {
    /// The expected outcome, from -1 for a loss to 1 for a win; a network may exceed this range.
    pub value: f32,
    /// The legal moves, in move order.
    pub moves: Vec<Said>,
    /// The policy's entropy, in nats.
    pub entropy: f32,
    /// The logits of outputs without a legal move, which are masked before the softmax.
    pub masked: Vec<f32>,
}

/// A network's output for one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Said {
    pub mv: Move,
    /// Probability, 0 to 1; the probabilities of all moves add up to 1.
    pub chance: f32,
    pub logit: f32,
    /// The value after the move for the side that makes it; the outcome if the move ends the game.
    pub value: f32,
}

impl NetworkOutput {
    /// Evaluates `position`; `None` if the game is over, or the network does not fit this encoding of the position.
    pub fn evaluate(network: &Network, encoding: &str, position: &Position) -> Option<NetworkOutput> {
        with_position!(*position, pos => asked(network, encoding, &pos))
    }

    /// Returns the moves, the most likely first.
    pub fn ranked(&self) -> Vec<Said> {
        let mut ranked = self.moves.clone();
        crate::sort::sort_by(&mut ranked, |a, b| b.chance.total_cmp(&a.chance));
        ranked
    }
}

fn asked<G: Planes>(network: &Network, name: &str, pos: &G) -> Option<NetworkOutput> {
    let encoding = encoding::<G>(name)?;
    let shape = network.shape();
    if pos.is_over() || (shape.inputs, shape.outputs) != (pos.inputs(encoding), pos.outputs()) {
        return None;
    }
    let mut input = Vec::new();
    let mut activations = Activations::default();
    let mut policy = Policy::default();
    pos.encode(encoding, &mut input);
    network.forward(&input, &mut activations);
    let legal: Vec<u16> = pos.moves().map(|mv| pos.output(mv)).collect();
    policy.read(activations.logits(), &legal, 1.0);
    let logits = activations.logits();
    let is_masked = |(output, _): &(usize, &f32)| !legal.iter().any(|&known| usize::from(known) == *output);
    let masked = logits.iter().enumerate().filter(is_masked).map(|(_, logit)| *logit).collect();
    let of_move = |(mv, (&output, &chance))| Said {
        mv,
        chance,
        logit: logits[usize::from(output)],
        value: behind(network, encoding, pos, mv),
    };
    let moves = pos.moves().zip(legal.iter().zip(&policy.chances)).map(of_move).collect();
    Some(NetworkOutput { value: activations.value(), moves, entropy: policy.entropy(), masked })
}

/// Returns the value after a move, for the side that makes it.
fn behind<G: Planes>(network: &Network, encoding: usize, pos: &G, mv: Move) -> f32 {
    let side = pos.side();
    let after = GameState::new(pos.play(mv));
    if let Some(ending) = after.ending() {
        return ending.outcome(side).halves() as f32 - 1.0;
    }
    let mut input = Vec::new();
    let mut activations = Activations::default();
    after.pos().encode(encoding, &mut input);
    network.forward(&input, &mut activations);
    if after.pos().side() == side { activations.value() } else { -activations.value() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::net::Shape;
    use crate::rng::keyed;

    fn network(variant: &Variant, name: &str) -> Network {
        fn shape<G: Planes>(start: &G, name: &str) -> Shape {
            let encoding = encoding::<G>(name).unwrap();
            Shape { inputs: start.inputs(encoding), hidden: vec![8], outputs: start.outputs() }
        }
        let shape = with_position!(variant.start(), start => shape(&start, name));
        let mut network = Network::random(shape, &mut keyed(&[3])).unwrap();
        // A new network gives all moves nearly the same probability.
        network.parameters_mut().iter_mut().for_each(|weight| *weight *= 4.0);
        network
    }

    /// In every game: probabilities add up to 1, the policy is the softmax of the logits, every output is a move's or masked.
    #[test]
    fn what_is_printed_of_moves_goes_together_in_every_game() {
        for (text, name) in
            [("kalah", "counts"), ("kalah:4x3", "outlook"), ("othello", "discs"), ("checkers", "pieces")]
        {
            let variant: Variant = text.parse().unwrap();
            let network = network(&variant, name);
            let mut position = variant.start();
            let mut asked = 0;
            for nth in 0..200 {
                let Some(opinion) = NetworkOutput::evaluate(&network, name, &position) else { break };
                let total: f32 = opinion.moves.iter().map(|output| output.chance).sum();
                let parts: f32 = opinion.moves.iter().map(|output| output.logit.exp()).sum();
                assert!((total - 1.0).abs() < 1e-4, "{text}: {opinion:?}");
                for output in &opinion.moves {
                    assert!(position.is_legal(output.mv) && (output.chance - output.logit.exp() / parts).abs() < 1e-3);
                }
                // Two checkers moves may share an output.
                assert!(opinion.masked.len() + opinion.moves.len() >= network.shape().outputs);
                let ranked = opinion.ranked();
                assert!(ranked.is_sorted_by(|a, b| a.chance >= b.chance));
                // The value after a move is that position's value, negated if the other side has the turn.
                let output = opinion.moves[nth % opinion.moves.len()];
                let after = position.play(output.mv);
                if let Some(next) = NetworkOutput::evaluate(&network, name, &after) {
                    let sign = if after.side() == position.side() { 1.0 } else { -1.0 };
                    assert_eq!(output.value, sign * next.value);
                } else {
                    assert!([-1.0, 0.0, 1.0].contains(&output.value));
                }
                (position, asked) = (after, asked + 1);
            }
            assert!(asked > 10, "{text}: {asked}");
        }
    }

    #[test]
    fn a_network_for_another_game_shows_nothing() {
        let kalah: Variant = "kalah".parse().unwrap();
        let network = network(&kalah, "counts");
        let none =
            |text: &str, name: &str| NetworkOutput::evaluate(&network, name, &text.parse::<Variant>().unwrap().start());
        assert!(none("kalah", "counts").is_some());
        assert_eq!(
            [none("othello", "discs"), none("kalah", "no such"), none("kalah:4x4", "counts")],
            [None, None, None]
        );
    }
}
