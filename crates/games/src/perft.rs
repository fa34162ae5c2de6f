//! Perft: counts of move sequences, to verify a move generator.

use super::Game;

/// Number of sequences of exactly `depth` moves from `pos`. A game that ends sooner contributes [`Game::ENDED`], mostly
/// 0.
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

/// Progress of a count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountProgress {
    /// Sequences so far.
    pub leaves: u64,
    /// Number of the current first move, from 1, and the number of first moves.
    pub root: usize,
    pub roots: usize,
    /// Fraction of the positions after two moves that have been counted, 0 to 1.
    pub share: f64,
}

/// Computes [`perft`] and calls `hear` with the progress after each pair of first moves.
pub fn perft_heard<G: Game>(pos: &G, depth: u32, hear: &mut dyn FnMut(CountProgress)) -> u64 {
    // Short counts need no progress reports, and a finished game has no moves.
    if depth < 4 || pos.is_over() {
        return perft(pos, depth);
    }
    let first: Vec<G> = pos.moves().map(|mv| pos.play(mv)).collect();
    let mut leaves = 0;
    let roots = first.len();
    for (index, pos) in first.iter().enumerate() {
        if pos.is_over() {
            leaves += perft(pos, depth - 1);
            continue;
        }
        let second: Vec<G> = pos.moves().map(|mv| pos.play(mv)).collect();
        for (reply, pos) in second.iter().enumerate() {
            leaves += perft(pos, depth - 2);
            let share = (index as f64 + (reply + 1) as f64 / second.len() as f64) / roots as f64;
            hear(CountProgress { leaves, root: index + 1, roots, share });
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardGame;
    use crate::kalah::{Kalah, Rules};
    use crate::othello::Othello;

    #[test]
    fn standard_kalah() {
        let start = Kalah::start(Rules::default());
        let counts: Vec<u64> = (0..=8).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [1, 6, 35, 185, 942, 4690, 23233, 114_430, 563_055]);
    }

    /// The counts that programs for Oware publish.
    #[test]
    fn oware() {
        let start = crate::sowing::oware::Oware::start(Default::default());
        let counts: Vec<u64> = (1..=8).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [6, 36, 190, 1014, 5219, 27_332, 139_157, 711_414]);
    }

    /// Compares both functions from the start to the end of a game, where sequences end early.
    fn assert_heard_alike<G: Game>(mut pos: G) {
        for ply in 0..200 {
            let mut text: Vec<CountProgress> = Vec::new();
            let depth = 4 + ply % 2;
            assert_eq!(perft_heard(&pos, depth, &mut |counted| text.push(counted)), perft(&pos, depth));
            assert!(text.is_sorted_by(|a, b| a.share < b.share && a.leaves <= b.leaves && a.root <= b.root));
            assert!(text.iter().all(|counted| counted.share <= 1.0 && counted.root <= counted.roots));
            let Some(mv) = pos.moves().nth(ply as usize % 2).or_else(|| pos.moves().next()) else { return };
            pos = pos.play(mv);
        }
    }

    #[test]
    fn the_count_that_is_reported_is_the_same() {
        assert_heard_alike(Kalah::start(Rules::default()));
        assert_heard_alike(Othello::start(Default::default()));
    }
}
