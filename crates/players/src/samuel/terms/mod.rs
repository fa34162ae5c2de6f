//! The terms of Samuel's paper, one function each, and the piece advantage.
//!
//! From A. L. Samuel, *Some Studies in Machine Learning Using the Game of Checkers*, IBM Journal of Research and Development 3
//! (1959), appendix C. `docs/samuel-terms.md` documents each term's reading and how certain it is. The signs make more better for
//! the owner: the paper counts some terms for the passive side and some for the active one; here each is counted for both sides,
//! and terms of which less is better are negative. Where the sign is not obvious, games decided it.

pub mod balance;
pub mod mobility;
pub mod place;
pub mod shape;

use super::scene::{Halves, Scene};

/// One term.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The paper's name, in capital letters.
    pub name: &'static str,
    /// A short title, for tables.
    pub title: &'static str,
    /// Its value for each side, in halves.
    pub halves: fn(&Scene) -> Halves,
}

/// Defines the table of terms, and their weighted sum without a function pointer per term.
macro_rules! terms {
    ($($name:literal $title:literal $halves:path,)+) => {
        /// All terms, in the paper's order, the piece advantage last.
        pub const TERMS: [Term; COUNT] = [$(Term { name: $name, title: $title, halves: $halves }),+];

        /// The number of terms.
        pub const COUNT: usize = [$($name),+].len();

        /// Returns the weighted sum of all terms: each side's value minus the opponent's, in halves, times the weight.
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
    "RECAP" "alias of EXCH" mobility::recapture,
    "THRET" "captures to threaten" mobility::threat,
    "PIECE" "men (2) and kings (3)" balance::pieces,
}
