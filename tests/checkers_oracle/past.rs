//! Draws that depend on the game's history: positions not affected by it, and their value in a search.

use mancalab::budget::Budget;
use mancalab::game::checkers::{Checkers, Rules};
use mancalab::game::{BoardGame, Game, GameState, History, Move, Notation, Side};
use mancalab::search::{Analysis, Limits, Search, Table};
use proptest::prelude::*;

/// A game among few kings that mostly moves back and forth, so that positions repeat.
fn pacing() -> impl Strategy<Value = GameState<Checkers>> {
    let squares = prop::collection::btree_set(0..32_u32, 2..5);
    let men = prop::collection::btree_set(0..32_u32, 0..3);
    let limit = prop_oneof![3 => Just(0_u16), 1 => 1..12_u16];
    (squares, men, limit, prop::collection::vec(any::<u8>(), 0..24)).prop_filter_map(
        "not over",
        |(squares, men, limit, choices)| {
            let mut kings = [0; 2];
            squares.iter().enumerate().for_each(|(nth, at)| kings[nth % 2] |= 1 << at);
            let men = men.iter().fold(0, |set, at| set | 1_u32 << at) & !(kings[0] | kings[1]) & 0x0fff_ffff;
            let pos = Checkers::from_sets([men, 0], kings, Side::South);
            let rules: Rules = if limit > 0 { format!("limit={limit}").parse().unwrap() } else { Rules::default() };
            let mut game_state =
                GameState::new(<Checkers as BoardGame>::from_board(rules, &pos.board(), Side::South).unwrap());
            for choice in choices {
                let moves: Vec<Move> = game_state.pos().moves().collect();
                let before = game_state.history().positions();
                // Returns to the position four plies ago, if one of three moves does that.
                let back = moves
                    .iter()
                    .find(|&&mv| before.len() >= 3 && game_state.pos().play(mv) == before[before.len() - 3]);
                let any = moves.get(usize::from(choice) % moves.len().max(1));
                let mut next = game_state.clone();
                next.play(*back.filter(|_| choice % 3 != 0).or(any)?);
                if next.is_over() {
                    break;
                }
                game_state = next;
            }
            (!game_state.is_over()).then_some(game_state)
        },
    )
}

/// Returns whether the history before `pos` changes how the game ends within `depth` plies.
fn is_changed(pos: &Checkers, past: &mut History<Checkers>, fresh: &mut History<Checkers>, depth: u32) -> bool {
    if pos.is_over() {
        return false;
    }
    let [known, own] = [&*past, &*fresh].map(|past| pos.ruling(past));
    if known != own {
        return true;
    }
    if known.is_some() || depth == 0 {
        return false;
    }
    pos.moves().any(|mv| {
        past.push(pos, mv);
        fresh.push(pos, mv);
        let changed = is_changed(&pos.play(mv), past, fresh, depth - 1);
        past.pop();
        fresh.pop();
        changed
    })
}

/// Returns the value of `pos` for `side`, by plain minimax over all positions of the game.
fn minimax(pos: &Checkers, past: &mut History<Checkers>, depth: u32, side: Side) -> i32 {
    if pos.is_over() || depth == 0 && pos.ruling(past).is_none() {
        return pos.margin(side);
    }
    if pos.ruling(past).is_some() {
        return 0;
    }
    let values = pos.moves().map(|mv| {
        past.push(pos, mv);
        let value = minimax(&pos.play(mv), past, depth - 1, side);
        past.pop();
        value
    });
    if pos.side() == side { values.max().unwrap() } else { values.min().unwrap() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The value of a history-independent position does not depend on the game before it.
    #[test]
    fn what_is_not_bound_by_the_past_is_free_of_it(game_state in pacing(), depth in 1..=6_u32) {
        if !game_state.pos().depends_on_history(game_state.history(), depth) {
            let mut past = game_state.history().clone();
            prop_assert!(!is_changed(game_state.pos(), &mut past, &mut History::default(), depth), "{}", game_state.pos());
        }
    }

    #[test]
    fn a_search_sees_the_draws(game_state in pacing(), depth in 1..=6_u32) {
        let pos = *game_state.pos();
        let side = game_state.pos().side();
        let mut past = game_state.history().clone();
        let wanted: Vec<i32> = pos.moves().map(|mv| {
            past.push(&pos, mv);
            let value = minimax(&pos.play(mv), &mut past, depth - 1, side);
            past.pop();
            value
        }).collect();
        let mut analysis = Analysis::new(game_state.clone(), depth, Table::new(1));
        analysis.step(Budget::UNLIMITED);
        let report = analysis.report();
        for (mv, value) in pos.moves().zip(&wanted) {
            let line = report.lines.iter().find(|line| line.mv == mv).unwrap();
            prop_assert!(line.margin == *value || report.solved, "{} {} {} {value}", pos, pos.move_text(mv), line.margin);
        }
        let mut search = Search::new(game_state.clone(), Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        let report = search.report();
        prop_assert!(report.solved || report.lines[0].margin == *wanted.iter().max().unwrap());
    }
}
