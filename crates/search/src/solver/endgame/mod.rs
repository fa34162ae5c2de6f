//! Endgame tables: exact shares of all boards with few seeds.

mod halves;
pub(super) mod layers;
