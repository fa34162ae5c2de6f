//! Games of pits and stores.
pub(crate) mod pits;
pub(crate) mod text;
pub(crate) mod words;
