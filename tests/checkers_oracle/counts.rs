//! Perft counts, positions with many captures, and random boards.

use mancalab::game::checkers::{Checkers, MOST_CAPTURED, Rules};
use mancalab::game::perft::perft;
use mancalab::game::{Game, Notation, Piece, Side};
use mancalab::rng;
use proptest::prelude::*;

use super::oracle::{Oracle, number};
use super::positions::{allowed, pieces, side};
use super::same::{assert_read_again, assert_same};

fn perft_of_the_start(depth: u32) -> Vec<u64> {
    (1..=depth).map(|depth| perft(&Rules::default().position(), depth)).collect()
}

const COUNTS: [u64; 13] =
    [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128, 388_623_673, 1_766_623_630];

#[test]
fn the_start_is_counted() {
    assert_eq!(perft_of_the_start(8), COUNTS[..8]);
    let oracle = Oracle::start();
    assert_eq!((1..=5).map(|depth| oracle.perft(depth)).collect::<Vec<_>>(), COUNTS[..5]);
}

/// Some seconds in a release build.
#[test]
#[ignore = "counts two billion sequences"]
fn the_start_is_counted_deeper() {
    assert_eq!(perft_of_the_start(13), COUNTS);
}

/// Rare positions: circular jumps that return to their start, and several ways between the same two squares.
#[test]
fn kings_jump_in_circles() {
    let mut circles = 0;
    let mut several = 0;
    let mut longest = 0;
    let mut rng = rng::keyed(&[5]);
    for _ in 0..4000 {
        let inner = |at: usize| (1..7).contains(&(at / 4)) && !matches!((at / 4 % 2, at % 4), (0, 3) | (1, 0));
        let mut pieces: Vec<Option<Piece>> = (0..32)
            .map(|at| {
                let stands = inner(at) && rng.next_u32().is_multiple_of(2);
                stands.then(|| Piece { side: Side::North, king: rng.next_u32().is_multiple_of(4) })
            })
            .collect();
        pieces[(rng.next_u32() % 32) as usize] = Some(Piece { side: Side::South, king: true });
        let oracle = Oracle::new(&allowed(pieces), Side::South);
        let pos = oracle.position();
        assert_same(&pos, &oracle);
        for mv in pos.moves() {
            let path = pos.path(mv);
            let captured = pos.path(mv).captured().len();
            circles += usize::from(path.squares().first() == path.squares().last());
            several += usize::from(pos.move_text(mv).matches('x').count() > 1);
            longest = longest.max(captured);
        }
    }
    assert!(circles > 50 && several > 50 && (5..=MOST_CAPTURED).contains(&longest), "{circles} {several} {longest}");
}

/// Every arrangement of pieces that one king can capture, from every square: the number of ways between two squares is
/// as `jumps` counts it, so that it fits into a move's number, and the number of moves fits into a tree node.
#[test]
fn no_more_ways_lead_from_square_to_square_than_a_move_has_room_for() {
    let mut most = 0;
    let mut most_of_all = 0;
    for from in 1..=32_u8 {
        let at = (0..64).find(|&at| number(at) == from && (at / 8 + at % 8) % 2 == 1).unwrap();
        let parity = |row: usize| (row + 1) % 2;
        let prey: Vec<usize> = (0..64_usize)
            .filter(|&over| {
                let row = over / 8;
                let file = over % 8;
                row % 2 == parity(at / 8)
                    && file % 2 == parity(at % 8)
                    && (1..7).contains(&row)
                    && (1..7).contains(&file)
            })
            .collect();
        assert_eq!(prey.len(), MOST_CAPTURED);
        for chosen in 0..1_u32 << prey.len() {
            let set = prey.iter().enumerate().filter(|(nth, _)| chosen >> nth & 1 == 1);
            let men = set.fold(0, |set, (_, &over)| set | 1_u32 << (number(over) - 1));
            let pos = Checkers::from_sets([0, men], [1 << (from - 1), 0], Side::South);
            if !pos.must_jump() {
                continue;
            }
            let ends: Vec<(u8, u8)> = pos
                .moves()
                .map(|mv| pos.path(mv))
                .filter(|path| path.captured().len() > 1)
                .map(|path| (path.squares()[0], path.squares()[path.squares().len() - 1]))
                .collect();
            most =
                ends.iter().map(|end| ends.iter().filter(|other| *other == end).count()).max().unwrap_or(0).max(most);
            most_of_all = pos.count_moves().max(most_of_all);
        }
    }
    assert_eq!((most, most_of_all), (9, 16));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_boards(pieces in pieces(), side in side()) {
        let oracle = Oracle::new(&pieces, side);
        let pos = oracle.position();
        assert_same(&pos, &oracle);
        assert_read_again(&pos);
        for (mv, found) in pos.moves().zip(oracle.moves()) {
            assert_same(&pos.play(mv), &oracle.play(&found));
        }
    }
}
