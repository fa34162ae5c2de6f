//! Counting move sequences, the yardstick of a move generator.

use super::Game;

/// How many sequences of exactly `depth` moves there are from `pos`; a game that ends sooner contributes
/// [`Game::ENDED`], which mostly is none.
///
/// The last two plies are counted, not played: see [`Game::count_pairs`].
pub fn perft<G: Game>(pos: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if G::ENDED > 0 && pos.is_over() => G::ENDED,
        1 => pos.count_moves(),
        2 => pos.count_pairs(),
        _ => pos.moves().map(|mv| perft(&pos.play(mv), depth - 1)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tabletop;
    use crate::game::kalah::{Kalah, Rules};

    #[test]
    fn standard_kalah() {
        let start = Kalah::start(Rules::default());
        let counts: Vec<u64> = (0..=8).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [1, 6, 35, 185, 942, 4690, 23233, 114_430, 563_055]);
    }
}
