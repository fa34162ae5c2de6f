//! The networks of players: the one that comes with the program, and those in files.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::NetworkOutput;
use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::game::planes::encoding;
use crate::game::{Planes, Position, Variant, with_position};
use crate::net::Network;
use crate::net::file::{self, Notes};
use crate::sanitize;

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
    let known = text.trim().parse().ok().filter(|shaping| (0.0..=1.0).contains(shaping));
    known.ok_or_else(|| format!("shaping in its metadata must be a number from 0 to 1 (got {text})").into())
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

#[cfg(test)]
mod tests {
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
}
