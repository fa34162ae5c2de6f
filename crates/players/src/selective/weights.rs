//! Learned weights in files, as `mancalab train` writes them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use mancalab_base::{Error, bail};
use mancalab_evaluations::{LearnedEvaluation, file};

use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::game::BoardGame as _;
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::sanitize::reason;

/// Learned weights from a file.
#[derive(Clone)]
pub struct FileWeights {
    /// The file's name, as the player's text has it.
    pub name: String,
    /// Checksum of the content.
    sum: u64,
    pub(super) weights: AnyWeights,
}

/// Weights of one of the games.
#[derive(Clone)]
pub(super) enum AnyWeights {
    Othello(Arc<<Othello as LearnedEvaluation>::Weights>),
    Checkers(Arc<<Checkers as LearnedEvaluation>::Weights>),
}

/// Equal names and checksums mean equal weights.
impl PartialEq for FileWeights {
    fn eq(&self, other: &FileWeights) -> bool {
        (&self.name, self.sum) == (&other.name, other.sum)
    }
}

impl Eq for FileWeights {}

impl fmt::Debug for FileWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileWeights({}, {:016x})", self.name, self.sum)
    }
}

impl FileWeights {
    /// Reads the weights in a file.
    ///
    /// # Errors
    /// The file cannot be read, or holds no weights: its name and the reason.
    pub fn open(name: &str) -> Result<FileWeights, Error> {
        let bytes =
            files::read(Path::new(name), Kind::Program).map_err(|error| format!("{name}: {}", reason(&error)))?;
        let weights = if file::is_of::<Othello>(&bytes) {
            AnyWeights::Othello(weights::<Othello>(name, &bytes)?)
        } else if file::is_of::<Checkers>(&bytes) {
            AnyWeights::Checkers(weights::<Checkers>(name, &bytes)?)
        } else {
            bail!(
                "{name}: not a file of learned weights: it must begin with '{}' or '{}'",
                file::format::<Othello>(),
                file::format::<Checkers>()
            );
        };
        Ok(FileWeights { name: name.to_owned(), sum: checksum(&bytes), weights })
    }

    /// The name of their game.
    pub fn game(&self) -> &'static str {
        match self.weights {
            AnyWeights::Othello(_) => Othello::NAME,
            AnyWeights::Checkers(_) => Checkers::NAME,
        }
    }

    /// The content, for checksums.
    pub fn contents(&self) -> String {
        format!("{:016x}", self.sum)
    }
}

fn weights<G: LearnedEvaluation>(name: &str, bytes: &[u8]) -> Result<Arc<G::Weights>, Error> {
    let (learned, _) = file::read::<G>(bytes).map_err(|error| format!("{name}: {error}"))?;
    Ok(Arc::new(G::weights(&learned)))
}
