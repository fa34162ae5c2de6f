//! Chances of winning: the points that a value is worth in a game of equal players.
//!
//! As usual in chess, the points follow a logistic curve, 1 / (1 + exp(−value / scale)). The scale depends on the game, and on what
//! is left of it: near its end the same lead is harder to lose. `mancalab chances` fits it to games of two equal players. A value
//! that is exact needs no curve: the game is won, drawn or lost.

use crate::game::{Board, Position, Side};

/// Places between the start of a game and its end at which its scale is fitted, at equal distances.
pub const PLACES: usize = 6;

/// The scales of a game at its [places](PLACES), in seeds, discs or men.
struct Fitted {
    game: &'static str,
    scales: [f64; PLACES],
}

// docs/review.md has the commands. A place where games say nothing has its neighbour's scale: the start, and the end of checkers. The
// scales of Kalah are those of five stages, fitted at depth 18, joined in the middle.
const FITTED: &[Fitted] = &[
    Fitted { game: "kalah", scales: [13.64, 11.48, 7.34, 3.36, 0.91, 0.56] },
    Fitted { game: "oware", scales: [5.66, 5.66, 5.44, 2.50, 2.71, 1.02] },
    Fitted { game: "awari", scales: [4.82, 4.82, 5.21, 2.13, 2.25, 0.65] },
    Fitted { game: "vai-lung-thlan", scales: [5.73, 5.73, 6.95, 4.87, 1.98, 0.12] },
    Fitted { game: "ohvalhu", scales: [12.61, 21.02, 7.68, 4.77, 2.53, 0.68] },
    Fitted { game: "erherhe", scales: [4.75, 4.73, 5.68, 2.94, 3.11, 0.35] },
    Fitted { game: "othello", scales: [4.82, 4.82, 4.76, 4.91, 3.30, 0.76] },
    Fitted { game: "checkers", scales: [0.59, 0.41, 0.72, 0.64, 0.96, 0.96] },
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

    /// The curve of positions of this game with as much of it left.
    pub fn at(position: &Position) -> Curve {
        let name = position.variant().name();
        let Some(fitted) = FITTED.iter().find(|fitted| fitted.game == name) else { return Curve { scale: UNFITTED } };
        let steepness: f64 = shares(position).iter().zip(fitted.scales).map(|(share, scale)| share / scale).sum();
        Curve { scale: 1.0 / steepness }
    }

    /// Returns the points, 0 to 1, that a side can expect with this value, in seeds, discs or men.
    pub fn chance(self, value: f64) -> f64 {
        match value {
            0.0 => 0.5,
            _ => 1.0 / (1.0 + (-value / self.scale).exp()),
        }
    }
}

/// Returns how much each of the [places](PLACES) counts for a position, in parts of 1: those before and after it, the nearer the more.
/// The steepness of the curve, 1 / scale, is the sum of these parts of the places' own.
pub fn shares(position: &Position) -> [f64; PLACES] {
    let at = progress(position) * (PLACES - 1) as f64;
    std::array::from_fn(|place| (1.0 - (at - place as f64).abs()).max(0.0))
}

/// Returns how much of the game is over, 0 to 1: of the seeds those in stores, of the squares those filled, of the men those captured.
pub fn progress(position: &Position) -> f64 {
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
    f64::from(of - left.min(of)) / f64::from(of.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn a_chance_grows_with_the_value_in_every_game() {
        for variant in Variant::usual() {
            let start = variant.start();
            assert_eq!(progress(&start), 0.0, "{variant}");
            let chances = [-1e9, -3.0, 0.0, 3.0, 1e9].map(|value| Curve::at(&start).chance(value));
            assert!(chances.is_sorted() && chances[1] < 0.5 && chances[2] == 0.5, "{variant}: {chances:?}");
            assert!((chances[1] + chances[3] - 1.0).abs() < 1e-12);
            assert_eq!([-0.5, 0.0, 0.5].map(|value| Curve::OVER.chance(value)), [0.0, 0.5, 1.0]);
        }
    }

    fn position(variant: &str, text: &str) -> Position {
        variant.parse::<Variant>().unwrap().position_from_text(text).unwrap()
    }

    #[test]
    fn progress_is_the_share_of_seeds_men_or_squares() {
        for (variant, text, share) in [
            ("kalah", "<6,20,8,4,4,2,0,0,0,4,4,2,0,0,0> S", 28.0 / 48.0),
            ("kalah", "<6,20,26,0,0,0,0,0,1,1,0,0,0,0,0> S", 46.0 / 48.0),
            ("checkers", "B:W32,31,30:B1,2,3", 0.75),
        ] {
            let position = position(variant, text);
            assert_eq!(progress(&position), share, "{variant} {text}");
            assert!((shares(&position).iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        let shares = shares(&position("checkers", "B:W32,31,30:B1,2,3"));
        assert!(
            shares[..3] == [0.0; 3] && (shares[3] - 0.25).abs() < 1e-9 && (shares[4] - 0.75).abs() < 1e-9,
            "{shares:?}"
        );
    }

    /// The chance of a value does not jump from one move to the next.
    #[test]
    fn curves_are_smooth() {
        let mut position = "othello".parse::<Variant>().unwrap().start();
        let mut before = Curve::at(&position).chance(8.0);
        while let Some(&mv) = position.moves().first() {
            position = position.play(mv);
            let chance = Curve::at(&position).chance(8.0);
            assert!((chance - before).abs() < 0.05, "{before} {chance}: {}", position.to_text());
            before = chance;
        }
    }
}
