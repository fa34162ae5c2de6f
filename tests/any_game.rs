//! Search, playouts and players on a minimal game, with only the required methods.
//!
//! The game: coins in a row; a move takes one from either end, and a coin of even value gives another turn.

use mancalab::budget::Budget;
use mancalab::game::perft::perft;
use mancalab::game::{Game, Move, Side};
use mancalab::player::{Turn, build, choose};
use mancalab::rng;
use mancalab::search::{Analysis, Limits, Search, SearchHints, Table, playout};
use proptest::prelude::*;
use rand::RngExt;
use std::ops::Range;

const COINS: usize = 14;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Coins {
    values: [u8; COINS],
    from: usize,
    to: usize,
    banked: [i32; 2],
    side: Side,
}

impl Coins {
    fn new(seed: u64) -> Coins {
        Coins { values: rng::keyed(&[seed]).random(), from: 0, to: COINS, banked: [0; 2], side: Side::South }
    }
}

impl SearchHints for Coins {}
mancalab_players::playable!(Coins);

impl Game for Coins {
    type Moves = std::iter::Map<Range<u16>, fn(u16) -> Move>;
    type Key = (usize, usize);

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        self.from == self.to
    }

    fn moves(&self) -> Self::Moves {
        (0..(self.to - self.from).min(2) as u16).map(Move)
    }

    fn play(&self, mv: Move) -> Coins {
        let mut next = *self;
        let coin = if mv == Move(0) { self.values[self.from] } else { self.values[self.to - 1] };
        if mv == Move(0) {
            next.from += 1
        } else {
            next.to -= 1
        }
        next.banked[self.side.index()] += i32::from(coin);
        next.side = if coin.is_multiple_of(2) { self.side } else { self.side.other() };
        next
    }

    fn margin(&self, side: Side) -> i32 {
        self.banked[side.index()] - self.banked[side.other().index()]
    }

    fn key(&self) -> (usize, usize) {
        (self.from, self.to)
    }

    /// The worst possible hash: everything collides.
    fn hash(_: &(usize, usize)) -> u64 {
        0
    }
}

fn minimax(pos: &Coins, depth: u32, side: Side) -> i32 {
    if depth == 0 || pos.is_over() {
        return pos.margin(side);
    }
    let values = pos.moves().map(|mv| minimax(&pos.play(mv), depth - 1, side));
    if pos.side == side { values.max().unwrap() } else { values.min().unwrap() }
}

proptest! {
    #[test]
    fn search_finds_what_minimax_finds(seed: u64, depth in 1..=16_u32) {
        let pos = Coins::new(seed);
        let values: Vec<i32> = pos.moves().map(|mv| minimax(&pos.play(mv), depth - 1, pos.side)).collect();
        let best = *values.iter().max().unwrap();

        let mut search = Search::new(&pos, Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        prop_assert_eq!(search.report().lines[0].margin, best);
        prop_assert_eq!(search.best_move().map(Move::index), values.iter().position(|&value| value == best));
        prop_assert!(!search.report().solved || best == minimax(&pos, COINS as u32, pos.side));

        let mut analysis = Analysis::new(&pos, depth, Table::new(1));
        analysis.step(Budget::UNLIMITED);
        for line in analysis.report().lines {
            prop_assert_eq!(line.margin, values[line.mv.index()]);
        }
    }
}

#[test]
fn every_game_can_be_counted_and_played() {
    let pos = Coins::new(1);
    assert_eq!(perft(&pos, 5), 32);
    assert_eq!(perft(&pos, COINS as u32), 1 << (COINS - 1));
    assert_eq!(perft(&pos, COINS as u32 + 1), 0);
    assert_eq!(playout(&pos, &mut rng::keyed(&[1])).0.plies(), COINS as u32);
    for spec in ["random", "max", "minimax:30", "mcts:20"] {
        let mut player = build::<Coins>(&spec.parse().unwrap()).unwrap();
        assert!(choose(&mut *player, &Turn::new(pos, 0, 1)).is_some_and(|mv| mv.0 < 2));
    }
    for (spec, text) in [
        ("heuristic:3", "heuristic plays kalah, oware, awari, vai-lung-thlan, ohvalhu or erherhe only"),
        ("program:figure5-1", "program plays kalah, oware, awari, vai-lung-thlan, ohvalhu or erherhe only"),
    ] {
        assert_eq!(build::<Coins>(&spec.parse().unwrap()).err().unwrap().to_string(), text);
    }
}
