//! A training's networks after fixed numbers of games. With a folder to write to, the run lives there and each network lies beside
//! it; both are taken up again.

use mancalab_base::Error;
use std::path::Path;

use crate::Options;
use crate::files::{self, Kind, write_atomic};
use crate::job::Run as _;
use crate::net::file;
use crate::running::by_generations;
use crate::sanitize;
use crate::settings::Listed as _;
use crate::train::{Settings, Training};

/// A network as of the end of the first generation by which so many games were played.
pub(super) struct Learner {
    /// The number of games that was asked for.
    pub after: u64,
    /// Of its file, whether there is one or not.
    pub name: String,
    /// What its file holds.
    pub bytes: Vec<u8>,
}

/// The networks of a training, and how many games it has played in the end; where it ends before a point, there is no network.
/// `tell` hears what share is done.
///
/// # Errors
/// The folder holds another run, the run failed, or a file cannot be written: a sentence.
pub(super) fn learners(
    settings: Settings,
    points: &[u64],
    options: &Options,
    tell: &mut dyn FnMut(f64, String),
) -> Result<(Vec<Learner>, u64), Error> {
    let run = format!("{}-seed{}", settings.preset, settings.seed);
    let out = options.out.as_deref();
    let folder = out.map(|out| out.join(&run));
    let learner = |&after: &u64| {
        let name = format!("{run}-after{after}.safetensors");
        let stored = out.and_then(|out| stored(&out.join(&name), &settings, after));
        Learner { after, name, bytes: stored.unwrap_or_default() }
    };
    let mut kept = Kept { learners: points.iter().map(learner).collect(), out, error: None };
    let last = settings.generations;
    let mut tell = |training: &Training, again: &str| {
        let ended = training.past().len() as u64;
        let share = ended as f64 / (last + 1) as f64;
        tell(share, format!("generation {}/{last}{again}", ended.saturating_sub(1)));
    };
    let job = by_generations::<Training>(settings.clone(), folder, &options.pool, &mut |training| {
        kept.look_at(training);
        tell(training, "");
    })?;
    kept.look_at(job.run());
    let games = job.run().past().last().map_or(0, |past| past.games);
    // A run that was taken up behind a point no longer has the network of then: it is trained again, to the same bytes.
    if kept.learners.iter().any(|learner| learner.after <= games && learner.bytes.is_empty()) {
        let again = by_generations::<Training>(settings, None, &options.pool, &mut |training| {
            kept.look_at(training);
            tell(training, ", once more for a network that is not there");
        })?;
        kept.look_at(again.run());
    }
    match kept.error {
        Some(error) => Err(error.into()),
        None => Ok((kept.learners.into_iter().filter(|learner| learner.after <= games).collect(), games)),
    }
}

/// What is known of the networks so far.
struct Kept<'a> {
    /// One for each point; without bytes as long as it is not there.
    learners: Vec<Learner>,
    out: Option<&'a Path>,
    error: Option<String>,
}

impl Kept<'_> {
    /// Keeps the network of the generation that has just ended for all points that it is the first behind.
    fn look_at(&mut self, training: &Training) {
        let [.., newest] = training.past() else { return };
        let before = training.past().iter().rev().nth(1).map_or(0, |past| past.games);
        for learner in &mut self.learners {
            if !learner.bytes.is_empty() || !(before + 1..=newest.games).contains(&learner.after) {
                continue;
            }
            let Some((_, bytes)) = training.product() else { continue };
            if let Some(out) = self.out {
                let path = out.join(&learner.name);
                let written = write_atomic(&path, &bytes);
                let told = |error| format!("cannot write {}: {why}", path.display(), why = sanitize::reason(&error));
                self.error = written.err().map(told).or(self.error.take());
            }
            learner.bytes = bytes;
        }
    }
}

/// The network in a file, if it is one of a training with these settings after so many games.
fn stored(path: &Path, settings: &Settings, after: u64) -> Option<Vec<u8>> {
    let bytes = files::read(path, Kind::Program).ok()?;
    let (_, notes) = file::read(&bytes).ok()?;
    let own = [settings.preset.clone(), settings.seed.to_string(), settings.to_text()];
    let is_own = ["preset", "seed", "settings"].iter().zip(&own).all(|(key, own)| notes.get(*key) == Some(own));
    let games: u64 = notes.get("games")?.parse().ok()?;
    (is_own && games >= after).then_some(bytes)
}
