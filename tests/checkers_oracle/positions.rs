//! Strategies for positions of all kinds.

use mancalab::game::{Piece, Side};
use proptest::prelude::*;

pub(crate) fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(Side::BOTH.to_vec())
}

/// Keeps at most twelve pieces a side, and no man on its king row.
pub(crate) fn allowed(mut pieces: Vec<Option<Piece>>) -> [Option<Piece>; 32] {
    let mut left = [12; 2];
    for (at, square) in pieces.iter_mut().enumerate() {
        if let Some(piece) = square {
            let last = if piece.side == Side::South { 28..32 } else { 0..4 };
            piece.king |= last.contains(&at);
            let left = &mut left[piece.side.index()];
            if *left == 0 {
                *square = None;
            } else {
                *left -= 1;
            }
        }
    }
    pieces.try_into().unwrap()
}

/// Boards of all kinds: full, sparse, kings only, and kings of one side among scattered pieces of the other.
pub(crate) fn pieces() -> impl Strategy<Value = [Option<Piece>; 32]> {
    let square = |weights: [u32; 5]| {
        let piece = |side, king| Just(Some(Piece { side, king }));
        prop_oneof![
            weights[0] => Just(None),
            weights[1] => piece(Side::South, false),
            weights[2] => piece(Side::South, true),
            weights[3] => piece(Side::North, false),
            weights[4] => piece(Side::North, true),
        ]
    };
    let board = move |weights| prop::collection::vec(square(weights), 32);
    prop_oneof![
        board([10, 5, 2, 5, 2]),
        board([20, 2, 2, 2, 2]),
        board([12, 0, 1, 0, 1]),
        board([20, 0, 2, 8, 1]),
        board([20, 8, 1, 0, 2]),
    ]
    .prop_map(allowed)
    .prop_filter("a piece", |pieces| pieces.iter().any(Option::is_some))
}
