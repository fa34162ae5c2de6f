//! The view of a training. Cheap to create: everything that grows is shared.

use std::sync::Arc;
use std::time::Duration;

use mancalab_base::Error;
use rand::Rng as _;

use super::opponents::{Opponent, Who};
use super::panel::{PanelReplay, replayed};
use super::presets::preset;
use super::row::{TrainingRow, timings};
use super::settings::Settings;
use crate::game::planes::encoding;
use crate::game::referee::play_out;
use crate::game::{Planes, Position, Variant, with_position};
use crate::job::Watched;
use crate::measuring::{Learner, MeasuredSettings as _, PanelResult, learner};
use crate::net::{Network, file};
use crate::player::{NetworkOutput, Playable, Spec};
use crate::rng;
use crate::search::Ties;
use crate::settings::KeyedSettings as _;

/// A snapshot of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Preset, seed and all other settings.
    pub settings: Arc<Settings>,
    /// The current generation, from 0 to `settings.generations`.
    pub generation: u64,
    /// Whether the last generation is complete.
    pub finished: bool,
    /// Completed rounds of the generation; unknown for a training of another process.
    pub round: u32,
    /// Whether this process trains it.
    pub is_own: bool,
    /// Speed in the newest completed generation; 0 before the first.
    pub games_per_second: f64,
    pub decisions_per_second: f64,
    /// Time spent on the training, without pauses.
    pub spent: Duration,
    /// One row per completed generation, from 0.
    pub past: Arc<Vec<TrainingRow>>,
    /// The network at the end of the newest known generation.
    pub learned: Option<NetworkSnapshot>,
    /// The network of the newest measurement, if it is known.
    pub measured_network: Option<NetworkSnapshot>,
    /// A few positions with that network's evaluations.
    pub probes: Arc<[Probe]>,
}

/// A network and its generation.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkSnapshot {
    pub generation: u64,
    pub network: Arc<Network>,
}

impl View {
    /// Returns whether the network trains against this player, with any choice among equal moves.
    pub fn is_seen(&self, player: &Spec) -> bool {
        let one = |spec: &Spec| spec.clone().with_ties(Ties::First);
        let is_it = |opponent: &Opponent| matches!(&opponent.who, Who::Player(known) if one(known) == one(player));
        self.settings.opponents.iter().any(is_it)
    }

    /// Returns whether it trains against itself.
    pub fn trains_against_itself(&self) -> bool {
        self.settings.opponents.iter().any(|opponent| opponent.who == Who::Itself)
    }

    /// Returns a network as a file with metadata; `None` if its generation is not complete.
    pub fn network_file(&self, NetworkSnapshot { generation, network }: &NetworkSnapshot) -> Option<Vec<u8>> {
        Some(file::write(network, &notes(&self.settings, self.past.get(*generation as usize)?)))
    }

    /// Returns the network of [`replayed`](View::replayed) games: that of the newest measurement, otherwise the newest; `None` before the
    /// end of the first generation.
    pub fn panel_network(&self) -> Option<&NetworkSnapshot> {
        self.measured_network.as_ref().or(self.learned.as_ref())
    }

    /// Replays a game of the [panel's network](View::panel_network) in the panel of its generation, or plays it if there was no
    /// measurement: against player `against`, or for the index after the last player against itself. The network moves first in
    /// even games. Takes as long as the players take; `None` before the end of the first generation.
    pub fn replayed(&self, against: usize, number: u64) -> Option<PanelReplay> {
        fn replay<G: Planes + Playable>(
            start: G,
            view: &View,
            learned: &NetworkSnapshot,
            which: (usize, u64),
        ) -> Option<PanelReplay> {
            let encoding = encoding::<G>(&view.settings.encoding)?;
            replayed(start, (&*view.settings, encoding), &learned.network, learned.generation, which)
        }
        let learned = self.panel_network()?;
        with_position!(self.settings.variant.start(), start => replay(start, self, learned, (against, number)))
    }
}

impl View {
    /// Returns the view of a training of another process before its first row.
    pub(super) fn empty(settings: Settings) -> View {
        let probes = probes(&settings.variant);
        View {
            settings: Arc::new(settings),
            generation: 0,
            finished: false,
            round: 0,
            is_own: false,
            games_per_second: 0.0,
            decisions_per_second: 0.0,
            spent: Duration::ZERO,
            past: Arc::default(),
            learned: None,
            measured_network: None,
            probes,
        }
    }
}

/// The view of a training of another process: all but the progress within the current generation.
impl Watched for View {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        let past = TrainingRow::next(row, self.past.len(), self.settings.panel.players.len())?;
        Arc::make_mut(&mut self.past).push(past);
        let ended = self.past.len() as u64;
        self.generation = ended.min(self.settings.generations);
        self.finished = ended > self.settings.generations;
        Ok(())
    }

    fn timing(&mut self, row: &str) {
        let [seconds, games, decisions] = timings(row);
        self.spent += Duration::try_from_secs_f64(seconds).unwrap_or_default();
        (self.games_per_second, self.decisions_per_second) = (games, decisions);
    }
}

/// Returns the metadata of the network file of a generation.
pub(super) fn notes(settings: &Settings, past: &TrainingRow) -> file::Notes {
    let Settings { preset, seed, variant, encoding, .. } = settings;
    let notes = [
        ("program", format!("mancalab {}", env!("CARGO_PKG_VERSION"))),
        ("game", variant.to_string()),
        ("encoding", encoding.clone()),
        ("preset", preset.clone()),
        ("seed", seed.to_string()),
        ("generation", past.generation.to_string()),
        ("games", past.games.to_string()),
        ("decisions", past.decisions.to_string()),
        ("settings", settings.to_text()),
    ];
    notes.map(|(key, note)| (key.to_owned(), note)).into()
}

/// Returns the command that trains the network with this metadata; `None` if they are incomplete. Omits the panel settings,
/// which do not affect the network.
pub fn command(notes: &file::Notes) -> Option<String> {
    let note = |key: &str| notes.get(key).map(String::as_str);
    let name = note("preset")?;
    let seed = note("seed")?;
    let generation = note("generation")?;
    let command = format!("mancalab train {name} --seed {seed} --generations {generation}");
    Some(command + &changes(note("settings")?, &preset(name)?.to_text())?)
}

/// Returns the options that change the settings of the text `usual` to those of `text`, without the panel's; `None` if a line of
/// the text is no setting.
pub(crate) fn changes(text: &str, usual: &str) -> Option<String> {
    let mut command = String::new();
    let is_usual = |line: &str| line.starts_with('#') || usual.lines().any(|usual| usual == line);
    for line in text.lines().filter(|line| !is_usual(line)) {
        let (key, value) = line.split_once(" = ")?;
        if key.starts_with("panel") {
            continue;
        }
        let plain = value.trim_matches('"');
        let needs_quotes = plain.contains([' ', '"', '*', '\\', '$', ';']);
        command += &if needs_quotes { format!(" --set '{key}={plain}'") } else { format!(" --set {key}={plain}") };
    }
    Some(command)
}

impl Learner for View {
    learner!();

    fn within(&self) -> f64 {
        f64::from(self.round) / f64::from(self.settings.rounds)
    }

    fn is_seen(&self, player: &Spec) -> Option<bool> {
        Some(View::is_seen(self, player))
    }

    fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible()
    }
}

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
pub(super) fn evaluated(probes: &[Probe], network: &Network, encoding: &str) -> Arc<[Probe]> {
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
