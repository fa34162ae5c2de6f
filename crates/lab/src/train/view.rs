//! What there is to see of a training: made in no time, because what grows is shared.

use mancalab_base::Error;
use std::sync::Arc;
use std::time::Duration;

use super::opponents::{Opponent, Who};
use super::pace::timings;
use super::panel::{Met, Replayed, replayed};
use super::presets::preset;
use super::probes::{Probe, probes};
use super::row::TrainingRow;
use super::settings::Settings;
use crate::game::planes::encoding;
use crate::game::{Planes, with_position};
use crate::job::Watched;
use crate::net::{Network, file};
use crate::player::Spec;
use crate::search::Ties;
use crate::settings::Listed as _;

/// A training as of now.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Preset, seed and all other settings.
    pub settings: Arc<Settings>,
    /// The generation under way, from 0 to `settings.generations`.
    pub generation: u64,
    /// The last generation has ended.
    pub finished: bool,
    /// Rounds of the generation that have ended; of a training that another process writes it is not known.
    pub round: u32,
    /// This process trains it.
    pub is_own: bool,
    /// In the newest generation that has ended; 0 before the first.
    pub games_per_second: f64,
    pub decisions_per_second: f64,
    /// Time spent on the training, pauses left out.
    pub spent: Duration,
    /// A row for each generation that has ended, from 0 on.
    pub past: Arc<Vec<TrainingRow>>,
    /// The network as of the end of a generation, the newest of which it is known.
    pub learned: Option<Learned>,
    /// A few positions, and what that network says of them.
    pub probes: Arc<[Probe]>,
}

/// A network, and when it was so.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    pub generation: u64,
    pub network: Arc<Network>,
}

impl View {
    /// The newest measurement: of which generation, and how each of the panel was met.
    pub fn measured(&self) -> Option<(u64, &[Met])> {
        let past = self.past.iter().rev().find(|past| !past.panel.is_empty())?;
        Some((past.generation, &past.panel))
    }

    /// The network trains against this player, whichever of equally good moves it takes there and here.
    pub fn is_seen(&self, player: &Spec) -> bool {
        let one = |spec: &Spec| spec.clone().with_ties(Ties::First);
        let is_it = |opponent: &Opponent| matches!(&opponent.who, Who::Player(known) if one(known) == one(player));
        self.settings.opponents.iter().any(is_it)
    }

    /// It trains against itself.
    pub fn trains_against_itself(&self) -> bool {
        self.settings.opponents.iter().any(|opponent| opponent.who == Who::Itself)
    }

    /// That network as a file, with what is known of it; `None` before the first generation has ended.
    pub fn network_file(&self) -> Option<Vec<u8>> {
        let Learned { generation, network } = self.learned.as_ref()?;
        Some(file::write(network, &notes(&self.settings, self.past.get(*generation as usize)?)))
    }

    /// A game that this network has in the panel of its generation, or would have if it were measured then: against the player with the
    /// number `against`, or behind the last of them against itself. Even numbers are games that it begins. It takes as long as the
    /// players take; `None` before the first generation has ended.
    pub fn replayed(&self, against: usize, number: u64) -> Option<Replayed> {
        fn of<G: Planes>(start: G, view: &View, learned: &Learned, which: (usize, u64)) -> Option<Replayed> {
            let encoding = encoding::<G>(&view.settings.encoding)?;
            replayed(start, (&*view.settings, encoding), &learned.network, learned.generation, which)
        }
        let learned = self.learned.as_ref()?;
        with_position!(self.settings.variant.start(), start => of(start, self, learned, (against, number)))
    }

    /// Whether another run with these settings gives the same rows.
    pub fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible()
    }

    /// What of the training is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let begun = f64::from(self.round) / f64::from(self.settings.rounds);
        let of = (self.settings.generations + 1) as f64;
        if self.finished { 1.0 } else { (self.past.len() as f64 + begun) / of }
    }

    /// Seconds until it is finished, as fast as it has been; `None` before the first generation has ended.
    pub fn seconds_left(&self) -> Option<f64> {
        let share = self.share();
        (!self.past.is_empty() && share > 0.0).then(|| self.spent.as_secs_f64() * (1.0 - share) / share)
    }
}

/// What can be seen of a training that another process writes: all but how far the generation is that is under way.
impl Watched<Settings> for View {
    fn begin(settings: Settings) -> View {
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
            probes,
        }
    }

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

/// What a file says of the network in it, as of a generation.
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

/// The command that trains the network that a file says this of; `None` where it does not say. What a network is measured by is left
/// out, for it changes nothing of the network.
pub fn command(notes: &file::Notes) -> Option<String> {
    let note = |key: &str| notes.get(key).map(String::as_str);
    let (name, seed, generation) = (note("preset")?, note("seed")?, note("generation")?);
    let usual = preset(name)?.to_text();
    let mut command = format!("mancalab train {name} --seed {seed} --generations {generation}");
    let is_usual = |line: &str| line.starts_with('#') || usual.lines().any(|usual| usual == line);
    for line in note("settings")?.lines().filter(|line| !is_usual(line)) {
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
