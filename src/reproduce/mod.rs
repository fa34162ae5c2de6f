//! What the sources print, computed again.

pub mod kalah_thesis;
