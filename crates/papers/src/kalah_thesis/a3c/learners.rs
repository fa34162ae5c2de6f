//! The networks of a training after fixed numbers of games. The output folder, if there is one, holds the run and each network;
//! both are reused.

use mancalab_base::Error;
use std::path::Path;

use crate::Options;
use crate::evolve::kalah::network::{NetworkRun, games_until};
use crate::files::{self, Kind, write_atomic};
use crate::job::{Manifest, Run, RunSettings};
use crate::net::file;
use crate::sanitize;
use crate::target::Advance;
use crate::train::Training;
use crate::typed_run::by_generations;

/// A run that trains a network, its [product](Run::product).
pub(in crate::kalah_thesis) trait LearningRun: Run {
    /// Returns the games played until the end of the newest complete generation, and until the end of the one before.
    fn games(&self) -> [u64; 2];
}

impl LearningRun for Training {
    fn games(&self) -> [u64; 2] {
        let mut games = self.past().iter().rev().map(|past| past.games);
        [(); 2].map(|()| games.next().unwrap_or(0))
    }
}

impl LearningRun for NetworkRun {
    fn games(&self) -> [u64; 2] {
        let until = |ended: u64| ended.checked_sub(1).map_or(0, |newest| games_until(self.settings(), newest));
        let ended = self.past().len() as u64;
        [until(ended), until(ended.saturating_sub(1))]
    }
}

/// The network at the end of the first generation with at least this many games played.
pub(in crate::kalah_thesis) struct Learner {
    /// The requested number of games.
    pub after: u64,
    /// The name of its file, which need not exist.
    pub name: String,
    /// The content of its file.
    pub bytes: Vec<u8>,
}

/// Returns the networks of a training and its final number of games; it ends at the last point, and points after its own end have no
/// network. `progress` receives the share done.
///
/// # Errors
/// The folder holds another run, the run failed, or a file cannot be written.
pub(in crate::kalah_thesis) fn learners<R: LearningRun>(
    settings: impl Into<Box<dyn RunSettings>>,
    points: &[u64],
    options: &Options,
    progress: Advance<'_>,
) -> Result<(Vec<Learner>, u64), Error> {
    let settings = settings.into();
    let Manifest { preset, seed, generations: last, .. } = settings.manifest();
    let run = format!("{preset}-seed{seed}");
    let out = options.out.as_deref();
    let folder = out.map(|out| out.join(&run));
    let learner = |&after: &u64| {
        let name = format!("{run}-after{after}.safetensors");
        let stored = out.and_then(|out| stored(&out.join(&name), &*settings, after));
        Learner { after, name, bytes: stored.unwrap_or_default() }
    };
    let mut kept = CollectedNetworks { learners: points.iter().map(learner).collect(), out, error: None };
    let enough = points.last().copied().unwrap_or(0);
    // Reports the progress, and returns whether a point is still ahead.
    let mut progress = |training: &R, again: &str| {
        let (newest, [games, _]) = (training.generation(), training.games());
        let ended = newest.map_or(0, |newest| newest + 1);
        let share = (ended as f64 / (last + 1) as f64).max(games as f64 / enough.max(1) as f64);
        progress(share.min(1.0), &format!("generation {}/{last}{again}", newest.unwrap_or(0)));
        games < enough
    };
    let job = by_generations::<R>(settings.clone(), folder, &options.pool, &mut |training| {
        kept.look_at(training);
        progress(training, "")
    })?;
    kept.look_at(job.run());
    let [games, _] = job.run().games();
    // A run that was resumed after a point no longer has that network: it is trained again, with the same result.
    if kept.learners.iter().any(|learner| learner.after <= games && learner.bytes.is_empty()) {
        let again = by_generations::<R>(settings, None, &options.pool, &mut |training| {
            kept.look_at(training);
            progress(training, ", again for a missing network")
        })?;
        kept.look_at(again.run());
    }
    match kept.error {
        Some(error) => Err(error.into()),
        None => Ok((kept.learners.into_iter().filter(|learner| learner.after <= games).collect(), games)),
    }
}

/// The networks collected so far.
struct CollectedNetworks<'a> {
    /// One for each point, without bytes until it is available.
    learners: Vec<Learner>,
    out: Option<&'a Path>,
    error: Option<String>,
}

impl CollectedNetworks<'_> {
    /// Stores the network of the generation that has just ended for every point it is the first to reach.
    fn look_at(&mut self, training: &impl LearningRun) {
        let [newest, before] = training.games();
        for learner in &mut self.learners {
            if !learner.bytes.is_empty() || !(before + 1..=newest).contains(&learner.after) {
                continue;
            }
            let Some((_, bytes)) = training.product() else { continue };
            if let Some(out) = self.out {
                let path = out.join(&learner.name);
                let written = write_atomic(&path, &bytes);
                let message = |error| format!("cannot write {}: {why}", path.display(), why = sanitize::reason(&error));
                self.error = written.err().map(message).or(self.error.take());
            }
            learner.bytes = bytes;
        }
    }
}

/// Reads the network in a file if it is from a training with these settings after at least this many games.
fn stored(path: &Path, settings: &dyn RunSettings, after: u64) -> Option<Vec<u8>> {
    let bytes = files::read(path, Kind::Program).ok()?;
    let (_, notes) = file::read(&bytes).ok()?;
    let Manifest { preset, seed, .. } = settings.manifest();
    let own = [preset, seed.to_string(), settings.to_text()];
    // Descriptions of settings are comments, and change between versions.
    let plain = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
    let is_own = ["preset", "seed", "settings"]
        .iter()
        .zip(&own)
        .all(|(key, own)| notes.get(*key).is_some_and(|note| plain(note) == plain(own)));
    let games: u64 = notes.get("games")?.parse().ok()?;
    (is_own && games >= after).then_some(bytes)
}
