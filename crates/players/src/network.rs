//! The networks of players: the one that comes with the program, and those in files.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use mancalab_base::{Error, bail};

use super::codec::checksum;
use super::files::{self, Kind};
use super::game::planes::encoding;
use super::game::{GameState, Move, Planes, Position, Variant, with_position};
use super::net::file::{self, Notes};
use super::net::{Activations, Network, Policy};
use super::sanitize;

/// The network that comes with the program; its metadata and `docs/network.md` describe its training.
const SHIPPED: &[u8] = include_bytes!("../weights/a3c.safetensors");

/// The name of a training's network file.
const OF_A_RUN: &str = "network.safetensors";

/// The name of the network that comes with the program.
pub(super) const BEST: &str = "best";

/// The source of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Shipped,
    /// A file, by its name.
    File(String),
}

/// A network with the game that it was trained for.
#[derive(PartialEq, Debug)]
pub struct GameNetwork {
    pub network: Arc<Network>,
    pub variant: Variant,
    pub encoding: String,
    /// The value that the training gave a lead of one, a game won being 1: 0 if only the outcome counts.
    pub shaping: f32,
    /// The other metadata of the file.
    pub notes: Notes,
}

impl Source {
    /// Reads the name in a player's text: `best`, or a file's.
    pub fn named(name: &str) -> Source {
        if name == BEST { Source::Shipped } else { Source::File(name.to_owned()) }
    }

    pub fn file(&self) -> Option<&str> {
        match self {
            Source::Shipped => None,
            Source::File(name) => Some(name),
        }
    }

    /// Loads the network.
    ///
    /// # Errors
    /// The file cannot be read, or is not a network that plays a game: its name and the reason.
    pub fn load(&self) -> Result<Arc<GameNetwork>, Error> {
        static KEPT: OnceLock<Result<Arc<GameNetwork>, Error>> = OnceLock::new();
        match self {
            Source::Shipped => {
                let shipped = KEPT.get_or_init(|| trained(SHIPPED).map(Arc::new)).clone();
                shipped.map_err(|why| format!("the network of the program cannot play: {why}").into())
            }
            Source::File(name) => {
                let path = Path::new(name);
                let name = sanitize::path(path).to_string();
                let bytes = files::read(path, Kind::Program).map_err(|error| {
                    let why = sanitize::reason(&error);
                    format!("cannot read {name}: {why}; {wanted}", wanted = wanted(path))
                })?;
                GameNetwork::from_bytes(&name, &bytes)
            }
        }
    }
}

/// Returns the hint for a file that is not a network: the network inside, if it is a run's folder.
fn wanted(path: &Path) -> String {
    let inside = path.join(OF_A_RUN);
    match inside.is_file() {
        true => format!("did you mean {}?", sanitize::path(&inside)),
        false => format!("expected a network file, such as {OF_A_RUN} in a run folder of mancalab train"),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file().unwrap_or(BEST))
    }
}

/// Returns the numbers of inputs and outputs of a network with this encoding; `None` if the game has no such encoding.
fn sizes(variant: &Variant, name: &str) -> Option<(usize, usize)> {
    fn sizes<G: Planes>(start: &G, name: &str) -> Option<(usize, usize)> {
        encoding::<G>(name).map(|encoding| (start.inputs(encoding), start.outputs()))
    }
    with_position!(variant.start(), start => sizes(&start, name))
}

/// Reads a network file, for the game and the encoding that its notes name.
fn trained(bytes: &[u8]) -> Result<GameNetwork, Error> {
    let (network, notes) = file::read(bytes)?;
    let note = |key: &str| notes.get(key).ok_or_else(|| format!("its metadata lack '{key}'"));
    let game = note("game")?;
    let encoding = note("encoding")?.clone();
    let variant: Variant = game.parse().map_err(|error: Error| error.in_a_line())?;
    let (inputs, outputs) =
        sizes(&variant, &encoding).ok_or_else(|| format!("{} has no encoding '{encoding}'", variant.title()))?;
    let shape = network.shape();
    if (shape.inputs, shape.outputs) != (inputs, outputs) {
        bail!(
            "it has {} inputs and {} outputs; {game} as '{encoding}' has {inputs} and {outputs}",
            shape.inputs,
            shape.outputs
        );
    }
    Ok(GameNetwork { network: Arc::new(network), variant, encoding, shaping: shaping(&notes)?, notes })
}

/// Returns `shaping` from the settings in a file's notes; 0 if it is not there.
fn shaping(notes: &Notes) -> Result<f32, Error> {
    let mut lines = notes.get("settings").map_or("", String::as_str).lines();
    let Some(text) = lines.find_map(|line| line.strip_prefix("shaping = ")) else { return Ok(0.0) };
    let shaping = text.trim().parse().ok().filter(|shaping| (0.0..=1.0).contains(shaping));
    shaping.ok_or_else(|| format!("shaping in its metadata must be a number from 0 to 1 (got {text})").into())
}

impl GameNetwork {
    /// Reads the network in a file called `name`.
    ///
    /// # Errors
    /// The bytes are not a network that plays a game: the name and the reason.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Arc<GameNetwork>, Error> {
        let trained = trained(bytes).map_err(|why| format!("{name} is not a network that can play: {why}"))?;
        Ok(Arc::new(trained))
    }

    /// Returns a short text that differs between networks: variant, encoding and checksum.
    pub fn contents(&self) -> String {
        let bytes: Vec<u8> = self.network.parameters().iter().flat_map(|number| number.to_le_bytes()).collect();
        format!("{} {} {:016x}", self.variant, self.encoding, checksum(&bytes))
    }

    /// Returns the network's output for a position; `None` if the game is over, or the position has another encoding.
    pub fn opinion(&self, position: &Position) -> Option<NetworkOutput> {
        NetworkOutput::evaluate(&self.network, &self.encoding, position)
    }

    /// Returns the encoding of `pos` for this network; `None` under rules that it does not know.
    #[inline]
    pub fn reads<G: Planes>(&self, pos: &G) -> Option<usize> {
        let shape = self.network.shape();
        encoding::<G>(&self.encoding)
            .filter(|&encoding| (pos.inputs(encoding), pos.outputs()) == (shape.inputs, shape.outputs))
    }

    /// Checks that the network of the player `who` knows these rules.
    ///
    /// The network was trained for other rules.
    pub fn check_plays(&self, who: &impl fmt::Display, variant: &Variant) -> Result<(), Error> {
        if sizes(variant, &self.encoding) == sizes(&self.variant, &self.encoding) {
            return Ok(());
        }
        Err(format!("'{who}' does not play {variant}: its network was trained for {}", self.variant).into())
    }
}

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
        super::sort::sort_by(&mut ranked, |a, b| b.chance.total_cmp(&a.chance));
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
    use super::super::game::Variant;
    use super::super::net::Shape;
    use super::super::rng::keyed;
    use super::*;

    /// The document must change with the network.
    #[test]
    fn the_document_shows_how_the_network_was_trained_that_comes_with_the_program() {
        let document = include_str!("../../../docs/network.md");
        let (_, notes) = file::read(SHIPPED).unwrap();
        let [preset, seed, generation, games] = ["preset", "seed", "generation", "games"].map(|key| &notes[key]);
        let command = format!("mancalab train {preset} --seed {seed} --generations {generation}");
        assert!(document.contains(&command), "docs/network.md lacks '{command}'");
        assert!(document.contains(&format!("{games} games")), "docs/network.md lacks '{games} games'");
        assert!(SHIPPED.len() < 300_000);
        // Writing what was read gives the same bytes.
        let (network, _) = file::read(SHIPPED).unwrap();
        assert!(file::write(&network, &notes) == SHIPPED);
        let settings = &notes["settings"];
        let text = settings.lines().find_map(|line| line.strip_prefix("shaping = ")).unwrap();
        assert_eq!(Source::Shipped.load().unwrap().shaping.to_string(), text);
        let shaped = |settings: &str| shaping(&[("settings".to_owned(), settings.to_owned())].into());
        assert_eq!((shaping(&Notes::new()), shaped("rate = 1\nshaping = 0.5\n")), (Ok(0.0), Ok(0.5)));
        assert!(shaped("shaping = 2").unwrap_err().to_string().contains("must be a number from 0 to 1 (got 2)"));
        let trained = Source::Shipped.load().unwrap();
        assert_eq!(sizes(&trained.variant, &trained.encoding).map(|(_, outputs)| outputs), Some(6));
        assert!(trained.network.parameters().iter().any(|number| number.abs() > 0.1));
    }

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
