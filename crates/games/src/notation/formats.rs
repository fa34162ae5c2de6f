//! The formats of collections: the one place that names them all.

use std::path::Path;

use super::collection::Format;
use super::{ggf, lines, pdn, wthor};
use crate::Variant;

/// All formats.
pub static FORMATS: [&Format; 6] =
    [&pdn::FORMAT, &pdn::PGN, &ggf::FORMAT, &wthor::FORMAT, &lines::POSITIONS, &lines::TRANSCRIPTS];

impl Format {
    /// The format by a file's extension.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<&'static Format> {
        let ending = path.extension()?;
        FORMATS.into_iter().find(|format| format.extensions.iter().any(|own| ending.eq_ignore_ascii_case(own)))
    }

    /// The format of a content. Moves without headers are of `usual` if possible.
    #[must_use]
    pub fn of_content(bytes: &[u8], usual: Variant) -> Option<&'static Format> {
        FORMATS.into_iter().find(|format| (format.recognises)(bytes, usual))
    }
}
