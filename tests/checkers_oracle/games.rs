//! Whole games and their endings.

use std::collections::BTreeSet;

use mancalab::game::checkers::{Checkers, Rules};
use mancalab::game::referee::Why;
use mancalab::game::{BoardGame, Game, GameState, Outcome, Piece, Side};
use mancalab::rng;
use proptest::prelude::*;

use super::oracle::Oracle;
use super::positions::{pieces, side};
use super::same::{assert_read_again, assert_same};

/// Returns how a game has ended, from the list of all its positions.
fn why(game: &[Oracle], limit: usize) -> Option<&'static str> {
    let now = game.last()?;
    let plies = game.len() - 1;
    if now.moves().is_empty() {
        return Some("lost");
    }
    if game.iter().filter(|other| *other == now).count() >= 3 {
        return Some("repetition");
    }
    let men = |pos: &Oracle| pos.set(|piece| !piece.king);
    let count = |pos: &Oracle| pos.set(|_| true).count_ones();
    let is_progress = |pair: &[Oracle]| men(&pair[0]) != men(&pair[1]) || count(&pair[0]) != count(&pair[1]);
    let idle = game.windows(2).rev().take_while(|pair| !is_progress(pair)).count();
    if idle >= 80 {
        return Some("progress");
    }
    (limit > 0 && plies >= 2 * limit).then_some("limit")
}

fn ending(game_state: &GameState<Checkers>) -> Option<&'static str> {
    game_state.ending().map(|ending| match ending.why {
        Why::NoMoves => "lost",
        Why::Rule(text) if text.contains("repetition") => "repetition",
        Why::Rule(text) if text.contains("without") => "progress",
        Why::Rule(text) if text.contains("limit") => "limit",
        other => panic!("{other:?}"),
    })
}

/// Plays a game with both implementations to its end and compares every position. A wandering game avoids jumps and
/// repeated positions as long as possible.
fn compare(start: &Oracle, limit: u16, wanders: bool, seed: u64) -> Option<&'static str> {
    let rules: Rules = if limit > 0 { format!("limit={limit}").parse().unwrap() } else { Rules::default() };
    let pos = <Checkers as BoardGame>::from_board(rules, &start.position().board(), start.side).unwrap();
    let mut game_state = GameState::new(pos);
    let mut game = vec![start.clone()];
    let mut rng = rng::keyed(&[seed]);
    loop {
        let oracle = game.last().unwrap();
        if limit == 0 {
            assert_same(game_state.pos(), oracle);
            assert_read_again(game_state.pos());
        }
        let ended = ending(&game_state);
        let wanted = why(&game, limit.into());
        assert_eq!(ended, wanted, "{}", game_state.pos());
        assert_eq!(game_state.is_over(), ended.is_some());
        if let Some(ending) = game_state.ending() {
            assert_eq!(ending.outcome == Outcome::Drawn, ended != Some("lost"));
            return ended;
        }
        let moves = oracle.moves();
        let any = rng.next_u32() as usize % moves.len();
        let is_quiet = |&nth: &usize| {
            let next = oracle.play(&moves[nth]);
            next.all_jumps(next.side).is_empty() && !game.contains(&next)
        };
        let others = (0..moves.len()).map(|nth| (nth + any) % moves.len());
        let nth = others.clone().find(|nth| !wanders || is_quiet(nth)).unwrap_or(any);
        let next = oracle.play(&moves[nth]);
        let mv = game_state.pos().moves().nth(nth).unwrap();
        game_state.play(mv);
        game.push(next);
    }
}

#[test]
fn many_games_and_all_their_ends() {
    let mut ends = BTreeSet::new();
    for seed in 0..30 {
        ends.insert(compare(&Oracle::start(), [0, 0, 40][seed as usize % 3], false, seed));
    }
    // Two kings that hardly ever meet.
    let mut two = [None; 32];
    (two[3], two[28]) = (Some(Piece { side: Side::South, king: true }), Some(Piece { side: Side::North, king: true }));
    for seed in 0..20 {
        ends.insert(compare(&Oracle::new(&two, Side::South), 0, seed % 2 == 0, seed));
    }
    assert_eq!(ends, ["lost", "repetition", "progress", "limit"].map(Some).into_iter().collect());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_games_from_random_boards(pieces in pieces(), side in side(), limit in prop_oneof![Just(0), 1..60_u16], seed: u64) {
        compare(&Oracle::new(&pieces, side), limit, false, seed);
    }
}
