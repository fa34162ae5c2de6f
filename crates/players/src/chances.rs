//! Chances of winning: the points that a value is worth in a game of equal players.
//!
//! As usual in chess, the points follow a logistic curve, 1 / (1 + exp(−value / scale)). The scale depends on the game, and
//! shrinks towards its end, where the same lead is harder to lose. `mancalab chances` fits it to games of two equal players.

use crate::game::{Board, Position, Side};

/// Equal parts of a game, by what is left of it.
pub const STAGES: usize = 5;

/// The scales of a game by stage, in seeds, discs or men.
struct Fitted {
    game: &'static str,
    scales: [f64; STAGES],
}

// mancalab chances --game GAME --games 1000 --seed 1 (Kalah and Othello; 300 of checkers, 500 of the others; Othello with --player minimax:6:eval=discs),
// without endgame tables
const FITTED: &[Fitted] = &[
    Fitted { game: "kalah", scales: [13.64, 9.92, 5.82, 2.36, 0.56] },
    Fitted { game: "oware", scales: [6.16, 5.28, 4.44, 3.18, 2.09] },
    Fitted { game: "awari", scales: [6.20, 5.12, 3.79, 2.66, 1.45] },
    Fitted { game: "vai-lung-thlan", scales: [5.58, 6.03, 5.80, 4.08, 0.63] },
    Fitted { game: "ohvalhu", scales: [17.33, 10.97, 5.19, 3.18, 1.34] },
    Fitted { game: "erherhe", scales: [3.42, 3.55, 3.70, 3.68, 1.63] },
    Fitted { game: "othello", scales: [448.16, 39.16, 17.44, 10.12, 3.71] },
    Fitted { game: "checkers", scales: [1.30, 1.06, 1.61, 2.04, 1.49] },
];

/// Scale of games that are not fitted.
const UNFITTED: f64 = 4.0;

/// Men and discs at the start.
const MEN: u32 = 24;
const DISCS: u32 = 4;

/// The curve from a value to the chance of winning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    scale: f64,
}

impl Curve {
    /// The game is over, or its result is known.
    pub const OVER: Curve = Curve { scale: 0.0 };

    /// The curve of positions of this game and stage.
    pub fn at(position: &Position) -> Curve {
        let name = position.variant().name();
        let fitted = FITTED.iter().find(|fitted| fitted.game == name);
        Curve { scale: fitted.map_or(UNFITTED, |fitted| fitted.scales[stage(position)]) }
    }

    /// Returns the points, 0 to 1, that a side can expect with this value, in seeds, discs or men.
    pub fn chance(self, value: f64) -> f64 {
        match value {
            0.0 => 0.5,
            _ => 1.0 / (1.0 + (-value / self.scale).exp()),
        }
    }
}

/// Returns the stage of a position, below [`STAGES`].
pub fn stage(position: &Position) -> usize {
    let (left, of) = match position.board() {
        Board::Pits(board) => {
            let total = board.total();
            (total - u32::from(board.stores.iter().sum::<u16>()), total)
        }
        Board::Squares(board) => {
            let squares = board.pieces.len() as u32;
            let pieces = Side::BOTH.map(|side| u32::from(board.count(side))).iter().sum::<u32>();
            // Discs fill the board, men leave it.
            if board.has_kings() { (pieces, MEN) } else { (squares - pieces, squares.saturating_sub(DISCS)) }
        }
    };
    let gone = (of - left.min(of)) as usize * STAGES / of.max(1) as usize;
    gone.min(STAGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn a_chance_grows_with_the_value_in_every_game() {
        for variant in Variant::usual() {
            let start = variant.start();
            assert_eq!(stage(&start), 0, "{variant}");
            let chances = [-1e9, -3.0, 0.0, 3.0, 1e9].map(|value| Curve::at(&start).chance(value));
            assert!(chances.is_sorted() && chances[1] < 0.5 && chances[2] == 0.5, "{variant}: {chances:?}");
            assert!((chances[1] + chances[3] - 1.0).abs() < 1e-12);
            assert_eq!([-0.5, 0.0, 0.5].map(|value| Curve::OVER.chance(value)), [0.0, 0.5, 1.0]);
        }
    }

    #[test]
    fn stages_are_fifths_of_what_is_left() {
        let of =
            |variant: &str, text: &str| stage(&variant.parse::<Variant>().unwrap().position_from_text(text).unwrap());
        assert_eq!(of("kalah", "<6,20,8,4,4,2,0,0,0,4,4,2,0,0,0> S"), 2);
        assert_eq!(of("kalah", "<6,20,26,0,0,0,0,0,1,1,0,0,0,0,0> S"), 4);
        assert_eq!(of("checkers", "B:W32,31,30:B1,2,3"), 3);
    }
}
