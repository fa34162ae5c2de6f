//! Chances of winning: the points that a value is worth in a game of equal players.
//!
//! As usual in chess, the points follow a logistic curve, 1 / (1 + exp(−value / scale)). The scale depends on the game, and on what
//! is left of it: near its end the same lead is harder to lose. `mancalab dev chances` fits it to games of two equal players. A value
//! that is exact needs no curve: the game is won, drawn or lost.

use crate::game::{Board, Position, Side};

/// Places of a game at which its scale is fitted, after equal parts of it, the last at its end. Before the first the scale is that of
/// the first: at the start there is no lead, and few games differ.
pub const PLACES: usize = 5;

/// The scales of a game at its [places](PLACES), in seeds, discs or men.
struct Scales {
    game: &'static str,
    scales: [f64; PLACES],
}

// docs/review.md has the commands and how well these predict.
const FITTED: &[Scales] = &[
    Scales { game: "kalah", scales: [12.12, 7.89, 4.44, 1.45, 0.28] },
    Scales { game: "oware", scales: [7.79, 5.83, 3.48, 3.45, 1.00] },
    Scales { game: "awari", scales: [6.98, 5.61, 3.10, 3.00, 0.68] },
    Scales { game: "vai-lung-thlan", scales: [10.10, 8.00, 6.78, 2.22, 0.08] },
    Scales { game: "ohvalhu", scales: [14.40, 8.38, 4.76, 2.43, 0.81] },
    Scales { game: "erherhe", scales: [4.39, 4.76, 4.10, 3.60, 0.51] },
    Scales { game: "othello", scales: [7.15, 7.69, 6.27, 3.68, 0.26] },
    Scales { game: "checkers", scales: [0.53, 0.53, 0.57, 1.15, 1000.00] },
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
    shares_at(progress(position))
}

/// The same for a share of the game that is over, 0 to 1.
pub fn shares_at(progress: f64) -> [f64; PLACES] {
    let at = (progress * PLACES as f64 - 1.0).max(0.0);
    std::array::from_fn(|place| (1.0 - (at - place as f64).abs()).max(0.0))
}

/// Returns how much of the game is over, 0 to 1: of the seeds those in stores, of the squares those filled, of the men those captured.
pub fn progress(position: &Position) -> f64 {
    let (left, all) = match position.board() {
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
    f64::from(all - left.min(all)) / f64::from(all.max(1))
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
            shares[..2] == [0.0; 2] && (shares[2] - 0.25).abs() < 1e-9 && (shares[3] - 0.75).abs() < 1e-9,
            "{shares:?}"
        );
    }

    /// The chance of a value does not jump from one move to the next; towards the end, which searches see, it may rise faster.
    #[test]
    fn curves_are_smooth() {
        let mut position = "othello".parse::<Variant>().unwrap().start();
        let mut before = Curve::at(&position).chance(8.0);
        while let Some(&mv) = position.moves().first() {
            position = position.play(mv);
            let chance = Curve::at(&position).chance(8.0);
            let most = if progress(&position) < 0.75 { 0.03 } else { 0.1 };
            assert!((chance - before).abs() < most, "{before} {chance}: {}", position.to_text());
            before = chance;
        }
    }
}
