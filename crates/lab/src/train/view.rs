//! The view of a training. Cheap to create: everything that grows is shared.

use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use super::opponents::{Opponent, Who};
use super::pace::timings;
use super::panel::{PanelReplay, replayed};
use super::presets::preset;
use super::probes::{Probe, probes};
use super::row::TrainingRow;
use super::settings::Settings;
use crate::game::planes::encoding;
use crate::game::{Planes, with_position};
use crate::job::Watched;
use crate::measuring::{Learner, MeasuredSettings as _, PanelResult, learner};
use crate::net::{Network, file};
use crate::player::{Playable, Spec};
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
        let past = TrainingRow::next(row, self.past.len(), self.settings.panel.len())?;
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
