//! Tests with the margin as evaluation, in games with and without extra turns.

use super::*;
use crate::game::kalah::Kalah;
use crate::game::othello::Othello;
use crate::game::{BoardGame as _, Notation as _, Outcome};
use rand::Rng as _;

#[derive(Clone)]
struct Margin;

impl<G: Game> Evaluate<G> for Margin {
    fn value(&self, pos: &G) -> i32 {
        pos.margin(pos.side())
    }

    fn thousandths(&self, value: i32) -> i64 {
        i64::from(value) * 1000
    }
}

fn weighing<G: SearchHints>(pos: &G, depth: u32) -> Pvs<G, Margin> {
    let options = Options { plays_out: true, prunes: false };
    Pvs::new(pos, Margin, Aim { depth, ties: Ties::First, seed: 0, options }, Table::new(1))
}

/// Minimax value for the side to move; wins and losses `plies` deep are that much closer to 0.
fn minimax<G: Game>(pos: &G, depth: u32, plies: i32) -> i32 {
    if pos.is_over() {
        return match pos.outcome(pos.side()) {
            Outcome::Won => (1 << 30) - plies,
            Outcome::Drawn => 0,
            Outcome::Lost => plies - (1 << 30),
        };
    }
    if depth == 0 {
        return pos.margin(pos.side());
    }
    let value = |mv| {
        let child = pos.play(mv);
        let value = minimax(&child, depth - 1, plies + 1);
        if child.side() == pos.side() { value } else { -value }
    };
    pos.moves().map(value).max().unwrap_or_default()
}

/// Compares `count` positions, each after a random number of random moves in `plies`.
fn finds_what_minimax_finds<G: SearchHints>(start: G, count: u32, plies: std::ops::Range<u32>) {
    let mut rng = rng::keyed(&[4]);
    for _ in 0..count {
        let mut pos = start;
        for _ in 0..rng.random_range(plies.clone()) {
            let next = pos.play(pos.pick(rng.next_u32()));
            if next.is_over() {
                break;
            }
            pos = next;
        }
        let mut cut = weighing(&pos, 6);
        let mut whole = weighing(&pos, 6);
        assert_eq!(whole.step(Budget::UNLIMITED), Status::Done);
        while cut.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {}
        assert_eq!(whole.report(), cut.report());
        let depth = whole.report().depth;
        assert!(depth == 6 || whole.report().solved);
        assert_eq!(whole.worth(), Some(Value::from(minimax(&pos, depth, 0))), "{pos:?}");
    }
}

#[test]
fn it_finds_what_minimax_finds_whoever_moves_next() {
    finds_what_minimax_finds(Kalah::start("4x3:standard".parse().unwrap()), 40, 0..30);
    finds_what_minimax_finds(Othello::start("".parse().unwrap()), 12, 46..60);
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let pos = Kalah::from_text("6x4".parse().unwrap(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S").unwrap();
    let mut search = weighing(&pos, 4);
    assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
    assert_eq!((search.best_move(), search.worth(), search.report().solved), (None, None, true));
}

#[test]
fn wins_are_nearer_from_position_to_position() {
    for value in [walk::GREATEST, 5, 0, -7, (1 << 30) - 4, 9 - (1 << 30)] {
        for turns in [false, true] {
            let seen = before(turns, value);
            assert_eq!(after(turns, (seen, seen)), (value, value), "{value}");
        }
    }
    assert_eq!(Value::from(before(true, -(1 << 30))), Value::Wins(1));
    assert_eq!(Value::from(before(false, -(1 << 30))), Value::Loses(1));
}
