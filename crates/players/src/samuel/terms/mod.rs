//! The terms of Samuel's paper, one function each, and the piece advantage.
//!
//! From A. L. Samuel, *Some Studies in Machine Learning Using the Game of Checkers*, IBM Journal of Research and Development 3
//! (1959), appendix C. `docs/samuel-terms.md` says of each how it is read here and what is sure about that. All are turned so that
//! more is better for their owner: what the paper counts of the passive side, and what it counts of the active one, are counted
//! of either side here, and what it is better to have little of counts against. Where that is not plain, games have decided.

pub mod balance;
pub mod mobility;
pub mod place;
pub mod shape;

use super::scene::{Halves, Scene};

/// One term.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// As in the paper, in capital letters.
    pub name: &'static str,
    /// In a few words, for tables.
    pub title: &'static str,
    /// What it is worth to each side, in halves.
    pub halves: fn(&Scene) -> Halves,
}

/// Makes the table of terms, and their weighted sum without a call for each of them.
macro_rules! terms {
    ($($name:literal $title:literal $halves:path,)+) => {
        /// All terms, in the order of the paper, the piece advantage last.
        pub const TERMS: [Term; COUNT] = [$(Term { name: $name, title: $title, halves: $halves }),+];

        /// How many terms there are.
        pub const COUNT: usize = [$($name),+].len();

        /// The sum of all terms, each side's less the other's in halves, times the term's weight.
        #[inline]
        pub(super) fn weighed(scene: &Scene, weights: &[i32; COUNT]) -> i32 {
            let mut weights = weights.iter();
            0 $(+ weights.next().map_or(0, |weight| weight * $halves(scene).difference()))+
        }
    };
}

terms! {
    "ADV" "men far advanced" place::advancement,
    "APEX" "men on the triangle's tip" place::apex,
    "BACK" "bridge of the back row" place::back_row_bridge,
    "CENT" "men in the centre" place::centre,
    "CNTR" "control of the centre" place::centre_control,
    "CORN" "a double corner to flee to" balance::double_corner,
    "CRAMP" "cramping the other side" place::cramp,
    "DENY" "squares denied" mobility::denial,
    "DIA" "on double corner diagonals" place::double_diagonals,
    "DIAV" "near to those diagonals" place::diagonal_moment,
    "DYKE" "three in a line" shape::dyke,
    "EXCH" "exchanges to force" mobility::exchange,
    "EXPOS" "open on two sides" shape::exposure,
    "FORK" "forks to threaten" mobility::fork,
    "GAP" "gaps between pieces" shape::gap,
    "GUARD" "back row guarded" place::back_row_guard,
    "HOLE" "holes among pieces" shape::hole,
    "KCENT" "kings in the centre" place::king_centre,
    "MOB" "squares to step to" mobility::mobility,
    "MOBIL" "of these not denied" mobility::undenied_mobility,
    "MOVE" "the move" balance::the_move,
    "NODE" "pieces with room around" shape::node,
    "OREO" "triangle of the back row" place::triangle,
    "POLE" "men all alone" shape::pole,
    "RECAP" "the same as EXCH" mobility::recapture,
    "THRET" "captures to threaten" mobility::threat,
    "PIECE" "men (2) and kings (3)" balance::pieces,
}
