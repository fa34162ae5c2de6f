//! Wins and losses from a table, compared with plain searches that remember every position, and played to their end.

use super::super::MarginTable;
use super::*;
use crate::budget::{Budget, Status};
use crate::game::checkers::{Checkers, Rules, WON};
use crate::game::{BoardGame as _, Game as _, GameState, Notation as _, Outcome, Side, referee};
use crate::report::MoveValue;
use crate::root::{Goal, Root};
use crate::table::Table;
use crate::tables::TableBuilder;
use crate::tables::endgame::TableRules;
use mancalab_base::pool::Pool;
use mancalab_base::rng;
use rand::{Rng as _, RngExt as _};
use std::sync::{Arc, LazyLock};

static TABLE: LazyLock<Arc<EndgameTable>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = TableBuilder::new(folder.path(), TableRules::Checkers, 3, Pool::alone()).unwrap();
    while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
    Arc::new(EndgameTable::open(builder.path()).unwrap())
});

fn start(text: &str) -> Checkers {
    Checkers::from_text(Rules::default(), text).unwrap()
}

/// The margin for the side to move, if plain search to this depth finds it.
fn searched(pos: &Checkers, history: &mut History<Checkers>, depth: u32) -> Option<i32> {
    if pos.is_over() {
        return Some(-WON);
    }
    if let Some(value) = referee::ruled_value(pos, history) {
        return Some(value);
    }
    let mut best = -WON;
    let mut is_known = depth > 0;
    for mv in pos.moves().take_while(|_| depth > 0) {
        history.push(pos, mv);
        let margin = searched(&pos.play(mv), history, depth - 1).map(|margin| -margin);
        history.pop();
        if margin == Some(WON) {
            return margin;
        }
        is_known &= margin.is_some();
        best = best.max(margin.unwrap_or(-WON));
    }
    is_known.then_some(best)
}

/// A game of kings that goes back and forth now and then.
fn random_game(seed: u64) -> GameState<Checkers> {
    let mut random = rng::keyed(&[seed]);
    let mut square = || 1_u32 << random.random_range(0..32);
    let kings = loop {
        let [a, b, c] = [square(), square(), square()];
        let b = if seed.is_multiple_of(3) { a } else { b };
        if (a | b) & c == 0 {
            break [a | b, c];
        }
    };
    let rules: Rules = if random.random_bool(0.5) { "".parse().unwrap() } else { "limit=39".parse().unwrap() };
    let side = if random.random_bool(0.5) { Side::South } else { Side::North };
    let board = Checkers::from_sets([0; 2], kings, side).board();
    let mut state = GameState::new(Checkers::from_board(rules, &board, side).unwrap());
    let plies = if random.random_bool(0.5) { random.random_range(73..80) } else { random.random_range(0..30) };
    for _ in 0..plies {
        // A move of the first of all is taken back by the next one but one.
        let bits = if random.random_bool(0.3) { 0 } else { random.next_u32() };
        let mut next = state.clone();
        next.play(state.pos().pick(bits));
        if next.is_over() || next.pos().must_jump() {
            break;
        }
        state = next;
    }
    state
}

#[test]
fn margins_are_those_of_a_search_that_remembers_all_positions() {
    let mut seen = [0; 4];
    for seed in 0..1200 {
        let state = random_game(seed);
        if state.is_over() {
            continue;
        }
        let pos = *state.pos();
        let mut history = state.history().clone();
        let Margins { least, most, .. } = margins(&TABLE, &pos, &history, WON).unwrap();
        let Some(found) = searched(&pos, &mut history, 5) else { continue };
        assert!(least <= found && found <= most, "seed {seed}: {pos:?} is {found}, not {least} to {most}");
        let is_open = least < most;
        seen[if is_open { 3 } else { (found.signum() + 1) as usize }] += 1;
        // A win that the search finds is certain, unless it needs a capture or a detour, or there is a move limit.
        assert!(!is_open || found == 0 || history.len() > 60 || pos.variant() > 0, "seed {seed}: {pos:?}");
    }
    assert!(seen.iter().all(|&count| count >= 4), "losses, draws, wins and open ones: {seen:?}");
}

#[test]
fn a_position_that_came_up_twice_leaves_a_win_open() {
    // Black's kings go back and forth; White's leaves the corner and returns.
    let mut state = GameState::new(start("B:WK32:BK10,K14"));
    let play = |state: &mut GameState<Checkers>, text: &str| {
        let mv = state.pos().moves().find(|&mv| state.pos().move_text(mv) == text);
        state.play(mv.unwrap_or_else(|| panic!("{text} in {:?}", state.pos())));
    };
    let is_certain = |state: &GameState<Checkers>| {
        let Margins { least, most, .. } = margins(&TABLE, state.pos(), state.history(), WON).unwrap();
        least == most
    };
    let mut certain = Vec::new();
    for text in ["10-15", "32-28", "15-10", "28-32", "10-15", "32-28", "15-10", "28-32"] {
        certain.push(is_certain(&state));
        play(&mut state, text);
    }
    assert!(state.is_over());
    // 10-15 is on the way to the win, 15-10 is not.
    assert_eq!(certain, [true, true, true, true, true, true, true, false]);
}

/// Plays both sides with the table to the end, and returns the plies.
fn plies_of(pos: Checkers, depth: u8) -> (u32, Outcome) {
    let mut state = GameState::new(pos);
    while !state.is_over() {
        let mut root = Root::new(&state, Table::new(1), Goal::First);
        root.set_endgames(MarginTable::new(Arc::clone(&TABLE)));
        for _ in 1..depth {
            root.deepen(depth.into());
            root.step(Goal::First, Budget::UNLIMITED);
            root.conclude(Goal::First);
        }
        state.play(root.report().best().unwrap());
    }
    (state.plies(), state.ending().unwrap().outcome(pos.side()))
}

#[test]
fn wins_are_played_as_fast_and_losses_as_slowly_as_the_table_says() {
    let mut longest = 0;
    for seed in 0..60 {
        let pos = *random_game(seed).pos();
        let (pos, value) =
            (Checkers::from_board(Rules::default(), &pos.board(), pos.side()).unwrap(), TABLE.value(&pos));
        let expected = match value.unwrap() {
            _ if pos.is_over() => continue,
            Value::Draws => continue,
            Value::Wins(plies) => (plies.into(), Outcome::Won),
            Value::Loses(plies) => (plies.into(), Outcome::Lost),
        };
        assert_eq!(plies_of(pos, 3), expected, "{pos:?}");
        longest = longest.max(expected.0);
    }
    assert!(longest > 12, "{longest}");
}

#[test]
fn an_analysis_shows_the_distance_of_every_move() {
    let pos = start("B:WK32:BK18,K27");
    let mut root = Root::new(&GameState::new(pos), Table::new(1), Goal::All);
    root.set_endgames(MarginTable::new(Arc::clone(&TABLE)));
    root.deepen(8);
    root.step(Goal::All, Budget::UNLIMITED);
    root.conclude(Goal::All);
    let report = root.report();
    let Value::Wins(plies) = TABLE.value(&pos).unwrap() else { panic!("not won") };
    assert!(report.solved && report.depth == 2);
    assert_eq!(report.lines[0].weighed, Some(MoveValue::Wins(plies.into())));
    assert_eq!(report.lines[0].pv.len(), usize::from(plies).min(25));
    assert_eq!(report.lines.len() as u64, pos.count_moves());
}

#[test]
fn a_damaged_table_of_checkers_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkers.endgames");
    let mut builder = TableBuilder::new(folder.path(), TableRules::Checkers, 2, Pool::alone()).unwrap();
    while builder.step(Budget::UNLIMITED).unwrap() == Status::Running {}
    let bytes = std::fs::read(builder.path()).unwrap();
    let [inside, outside] = [start("W:WK1:BK32"), start("W:WK1,K2:BK32")];
    // The bit of a block, not of the lists of blocks, that holds the first position.
    let damaged = (100..bytes.len()).step_by(50).find_map(|at| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        EndgameTable::open(&path).ok().filter(|table| table.value(&inside).is_none()).map(|_| EndgameTable::open(&path))
    });
    let damaged = Arc::new(damaged.unwrap().unwrap());
    super::super::tests::check_damaged(&GameState::new(inside), &damaged, 8);
    super::super::tests::check_damaged(&GameState::new(outside), &damaged, 8);
}
