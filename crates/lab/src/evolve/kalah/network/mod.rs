//! All weights of a small network as a task: the genetic algorithm in place of the actor-critic, as the Kalah thesis proposes at
//! its end after Wang's hybrid of genetic algorithm and neural network.
//!
//! A genome is the policy of a network with one hidden layer. Its fitness is its share of the points in games against a mixture
//! of opponents, as in [training](crate::train): in a generation all genomes play the same games. The value head, which the
//! policy's moves do not depend on, stays 0.

mod gauntlet;
#[cfg(test)]
mod tests;

use mancalab_base::{Error, bail};

use crate::evolve::champion::{PanelTask, panel_of_genomes};
use crate::evolve::ga::operators::{Crossover, Mutation, Selection};
use crate::evolve::ga::{Contest, Ga, Gene, Genome, Grain, Operators, Settings, Task};
use crate::evolve::opponent::{self, Offer, Opponent, OpponentKind};
use crate::game::kalah::{Kalah, Rules};
use crate::game::planes::encoding;
use crate::game::{BoardGame, Planes, Variant};
use crate::job::measured::Measurement;
use crate::job::run_dir::NETWORK;
use crate::net::{Network, Shape, file};
use crate::panel::Panel;
use crate::player::spec::A3c;
use crate::player::{Spec, check_plays};
use crate::settings::{Entry, KeyedSettings as _, SettingsTable as _, entry, list_of};
use gauntlet::{Games, Gauntlet};
use mancalab_evolve::playing;

/// A run that breeds networks.
pub type NetworkRun = Ga<NetworkWeights>;
/// The settings of such a run.
pub type NetworkSettings = Settings<NetworkWeights>;

/// The task's settings.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkWeights {
    pub rules: Rules,
    /// Index of one of the game's encodings.
    pub encoding: usize,
    /// Units of the hidden layer, 1 to 64.
    pub hidden: usize,
    /// Whether a network plays its most likely move, or draws from its policy.
    pub greedy: bool,
    pub opponents: Vec<Opponent>,
    /// Games of each genome in a generation.
    pub games: u32,
    /// Number of random moves at the start of a game.
    pub opening: u32,
    pub selection: Selection,
    pub crossover: Crossover,
    /// Standard deviation of a mutation.
    pub sigma: f64,
    /// Standard deviation of the first population's weights, whose mean is 0.
    pub spread: f64,
    pub panel: Panel,
}

const OFFER: Offer =
    Offer { programs: false, champions: false, engines: false, examples: "\"random\" or \"2*minimax:4:ties=random\"" };

/// The players that `a3c-mixed` trains against, without the network itself.
const OPPONENTS: &str = "5*random,10*max,30*minimax:4:ties=random,20*heuristic:4:ties=random";

/// Largest absolute value of a weight.
const GREATEST: f64 = 10.0;
/// Decimal places of a weight.
const DECIMALS: u32 = 4;

/// The parts of a genome, in order, with their descriptions.
const PARTS: [(&str, &str); 4] = [
    ("Wh", "hidden weights, RMS"),
    ("bh", "hidden biases, RMS"),
    ("Wp", "policy weights, RMS"),
    ("bp", "policy biases, RMS"),
];

impl NetworkWeights {
    fn start(&self) -> Kalah {
        Kalah::start(self.rules)
    }

    /// Returns the dimensions of the network.
    fn shape(&self) -> Shape {
        let start = self.start();
        Shape { inputs: start.inputs(self.encoding), hidden: vec![self.hidden], outputs: start.outputs() }
    }

    /// Returns the number of genes in each of the [`PARTS`].
    fn parts(&self) -> [usize; PARTS.len()] {
        let Shape { inputs, outputs, .. } = self.shape();
        [inputs * self.hidden, self.hidden, self.hidden * outputs, outputs]
    }

    /// Returns the network of a genome, with a value of 0 in every position.
    ///
    /// # Errors
    /// See [`Shape::check`].
    pub fn network(&self, genome: &[f64]) -> Result<Network, Error> {
        let mut network = Network::new(self.shape())?;
        fill(&mut network, genome);
        Ok(network)
    }

    /// Returns the players among the opponents with their shares: all of them.
    fn players(&self) -> impl Iterator<Item = (f64, &Spec)> {
        self.opponents.iter().filter_map(|opponent| match &opponent.kind {
            OpponentKind::Player(spec) => Some((opponent.weight, spec)),
            OpponentKind::Programs(_) | OpponentKind::Champions(_) => None,
        })
    }

    /// Returns a genome as a network file with these notes.
    fn written(&self, genome: &Genome, notes: &[(&str, String)]) -> Option<Vec<u8>> {
        let own = [
            ("program", format!("mancalab {}", env!("CARGO_PKG_VERSION"))),
            ("game", self.game().to_string()),
            ("encoding", Kalah::ENCODINGS[self.encoding].0.to_owned()),
        ];
        let notes = own.iter().chain(notes).map(|(key, note)| ((*key).to_owned(), note.clone()));
        Some(file::write(&self.network(genome).ok()?, &notes.collect()))
    }
}

/// Sets the parameters of the hidden layer and the policy. In the last layer each row ends with the value's weight.
fn fill(network: &mut Network, genome: &[f64]) {
    let Shape { inputs, hidden, outputs } = network.shape();
    let below = (inputs + 1) * hidden[0];
    let outputs = *outputs;
    let (hidden, policy) = network.parameters_mut().split_at_mut(below);
    hidden.iter_mut().zip(genome).for_each(|(number, gene)| *number = *gene as f32);
    let genes = genome.get(below..).unwrap_or_default().chunks_exact(outputs);
    for (row, genes) in policy.chunks_exact_mut(outputs + 1).zip(genes) {
        row.iter_mut().zip(genes).for_each(|(number, gene)| *number = *gene as f32);
    }
}

/// Returns the root mean square, rounded.
fn root_mean_square(genes: &[f64]) -> f64 {
    let mean = genes.iter().map(|gene| gene * gene).sum::<f64>() / genes.len().max(1) as f64;
    let grain = 10_f64.powi(DECIMALS as i32);
    (mean.sqrt() * grain).round() / grain
}

impl Task for NetworkWeights {
    const KIND: &'static str = "ga-network";
    const PRESETS: &'static [(&'static str, &'static str)] =
        &[("kalah-network", "all weights of a small network for Kalah, against four players")];

    fn entries() -> Vec<Entry<NetworkWeights>> {
        let names = Kalah::ENCODINGS.iter().map(|(name, _)| *name);
        let mut entries = vec![
            entry!("game", rules: word, "game of the network, such as 6x4:standard"),
            Entry::new(
                "encoding",
                "input encoding: counts or outlook",
                |t: &NetworkWeights| Kalah::ENCODINGS[t.encoding].0.to_owned(),
                |t, text| {
                    t.encoding = encoding::<Kalah>(text).ok_or_else(|| Error::expected("counts or outlook"))?;
                    Ok(())
                },
            )
            .words(names),
            entry!(hidden: whole(1, 64), "units of the hidden layer, 1 to 64"),
            entry!(greedy: flag, "play the most likely move instead of drawing from the policy: true or false"),
            Entry::new(
                "opponents",
                "opponents, each with a share such as 30*: players",
                |t: &NetworkWeights| list_of(t.opponents.iter().map(Opponent::to_string)),
                |t, text| opponent::list(text, &OFFER, &t.game()).map(|opponents| t.opponents = opponents),
            ),
            entry!(games: whole(2, 1000), "games of each genome in a generation, 2 to 1000; an even number"),
            playing!(opening),
            entry!(
                selection: word,
                "parent selection: points, in proportion to them, or tournament:K, the best of K random members"
            )
            .words(["points", "tournament:3", "tournament:7"]),
            entry!(crossover: one_of(Crossover::WORDS), "crossover: one-point; uniform, each gene from either parent; linear or blend")
                .noted("crossover: one-point, or uniform, each gene from either parent"),
            entry!(sigma: real(0.0, 10.0), "standard deviation of a mutation, 0 to 10"),
            entry!(spread: real(0.0, 10.0), "standard deviation of the first population, 0 to 10"),
        ];
        entries.extend(Panel::entries_of(|task: &Self| &task.panel, |task| &mut task.panel));
        entries
    }

    fn columns() -> &'static str {
        "generation,best_percent,mean_percent,worst_percent,best_id,best_born,hidden_rms,hidden_bias_rms,policy_rms,policy_bias_rms"
    }

    fn settings() -> NetworkSettings {
        Settings {
            preset: Self::PRESETS[0].0.to_owned(),
            seed: 1,
            generations: 400,
            population: 40,
            elite: 4,
            mutation_rate: 0.05,
            crossover_rate: 0.7,
            initial: Default::default(),
            conduct: Default::default(),
            task: NetworkWeights {
                rules: Rules::default(),
                encoding: 0,
                hidden: 16,
                greedy: true,
                opponents: opponent::list(OPPONENTS, &OFFER, &Variant::Kalah(Rules::default()))
                    .expect("the default opponents play Kalah"),
                games: 20,
                opening: 2,
                selection: Selection::Best(7),
                crossover: Crossover::Uniform,
                sigma: 0.3,
                spread: 0.3,
                panel: Panel::default(),
            },
        }
    }

    /// Hundreds, which therefore have no names.
    fn genes(&self) -> Vec<Gene> {
        let low = -GREATEST;
        let high = GREATEST;
        let grain = Grain::Decimals(DECIMALS);
        let gene =
            Gene { name: String::new(), low, high, start: 0.0, spread: self.spread, grain, fixed: false, tie: None };
        vec![gene; self.parts().iter().sum()]
    }

    /// The root mean square of each part.
    fn shown(&self, genome: &Genome) -> Genome {
        let mut rest = &genome[..];
        let part = |length: usize| {
            let (part, after) = rest.split_at(length.min(rest.len()));
            rest = after;
            root_mean_square(part)
        };
        self.parts().into_iter().map(part).collect()
    }

    fn labels() -> Vec<(&'static str, &'static str)> {
        PARTS.to_vec()
    }

    fn operators(&self) -> Operators {
        let mutation = Mutation::Gaussian(self.sigma);
        Operators { selection: self.selection, crossover: self.crossover, mutation }
    }

    fn contest(&self, seed: u64) -> Result<Box<dyn Contest>, Error> {
        if !self.games.is_multiple_of(2) {
            bail!("games must be even, as each opening is played from both sides (got {})", self.games);
        }
        for (_, spec) in self.players() {
            check_plays(spec, &self.game())?;
        }
        let (shares, opponents) = self.players().map(|(share, spec)| (share, spec.clone())).unzip();
        let (start, &Self { encoding, greedy, opening, .. }) = (self.start(), self);
        let games = Games { start, encoding, greedy, opening, shares, opponents, seed };
        Ok(Box::new(Gauntlet::new(games, self.games, self.network(&[])?)))
    }

    fn files(&self) -> Vec<(String, u64)> {
        [opponent::files(&self.opponents), self.panel.files()].concat()
    }

    fn measurement(settings: &NetworkSettings) -> Result<Option<Box<dyn Measurement>>, Error> {
        panel_of_genomes(settings)
    }

    fn game(&self) -> Variant {
        Variant::Kalah(self.rules)
    }

    fn player(&self, _: &Genome, file: &str) -> String {
        format!("a3c:{file}{}", if self.greedy { ":greedy=yes" } else { "" })
    }

    fn yardstick(&self) -> String {
        "minimax:4".to_owned()
    }

    /// A comment that names the file.
    fn file_text(&self, _: &Genome, _: &[(&str, String)]) -> String {
        format!("# the network is in {NETWORK}\n")
    }

    fn file(&self, genome: &Genome, origin: &[(&str, String)]) -> (&'static str, Vec<u8>) {
        ("safetensors", self.written(genome, origin).unwrap_or_default())
    }

    fn product(settings: &NetworkSettings, best: &Genome, generation: u64) -> Option<(&'static str, Vec<u8>)> {
        let notes = [
            ("preset", settings.preset.clone()),
            ("seed", settings.seed.to_string()),
            ("generation", generation.to_string()),
            ("games", games_until(settings, generation).to_string()),
            ("settings", settings.to_text()),
        ];
        Some((NETWORK, settings.task.written(best, &notes)?))
    }
}

impl PanelTask for NetworkWeights {
    fn panel(&self) -> &Panel {
        &self.panel
    }

    fn spec(&self, genome: &Genome) -> Result<Spec, Error> {
        let network = A3c::from_bytes("best", &self.file(genome, &[]).1)?;
        Ok(Spec::A3c(if self.greedy { network.greedy() } else { network }))
    }
}

/// Returns the games played by all genomes until the end of a generation.
pub fn games_until(settings: &NetworkSettings, generation: u64) -> u64 {
    (generation + 1) * settings.population as u64 * u64::from(settings.task.games)
}
