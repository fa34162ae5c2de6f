//! Who chooses a move.

pub mod spec;

pub use spec::Spec;
