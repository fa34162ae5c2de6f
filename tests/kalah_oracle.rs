//! Kalah against an oracle: a second implementation of the rules, seed by seed on a plain array.

use mancalab::game::kalah::{Capture, End, Kalah, Rules};
use mancalab::game::perft::perft;
use mancalab::game::{Board, BoardGame, Game, Move, Notation, PitBoard, Place, Side, Variant};
use mancalab::search::SearchHints as _;
use proptest::prelude::*;

/// The board: South's pits, South's store, North's pits, North's store, counter-clockwise.
#[derive(Clone, Debug)]
struct Oracle {
    pits: usize,
    rules: Rules,
    board: Vec<u8>,
    south_to_move: bool,
}

impl Oracle {
    fn start(rules: Rules) -> Oracle {
        let side = [vec![rules.seeds(); usize::from(rules.pits())], vec![0]].concat();
        Oracle { pits: rules.pits().into(), rules, board: side.repeat(2), south_to_move: true }
    }

    fn first_pit(&self, south: bool) -> usize {
        if south { 0 } else { self.pits + 1 }
    }

    fn store(&self, south: bool) -> usize {
        self.first_pit(south) + self.pits
    }

    fn seeds(&self, south: bool) -> u32 {
        self.board[self.first_pit(south)..self.store(south)].iter().map(|&n| u32::from(n)).sum()
    }

    fn over(&self) -> bool {
        self.seeds(true) + self.seeds(false) == 0
    }

    fn moves(&self) -> Vec<u8> {
        let first = self.first_pit(self.south_to_move);
        (0..self.pits).filter(|pit| self.board[first + pit] > 0).map(|pit| pit as u8).collect()
    }

    fn margin(&self) -> i32 {
        i32::from(self.board[self.store(true)]) - i32::from(self.board[self.store(false)])
    }

    fn play(&self, mv: u8) -> Oracle {
        let mut after = self.clone();
        let south = self.south_to_move;
        let mut place = self.first_pit(south) + usize::from(mv);
        let seeds = std::mem::take(&mut after.board[place]);
        for _ in 0..seeds {
            place = (place + 1) % self.board.len();
            if place == self.store(!south) {
                place = (place + 1) % self.board.len();
            }
            after.board[place] += 1;
        }
        let own_pit = (self.first_pit(south)..self.store(south)).contains(&place);
        if own_pit && after.board[place] == 1 {
            let opposite = 2 * self.pits - place;
            if after.board[opposite] > 0 || self.rules.capture() == Capture::Empty {
                let taken = std::mem::take(&mut after.board[opposite]) + std::mem::take(&mut after.board[place]);
                after.board[self.store(south)] += taken;
            }
        }
        after.south_to_move = if place == self.store(south) { south } else { !south };
        let over = match self.rules.end() {
            End::Either => after.seeds(true) == 0 || after.seeds(false) == 0,
            End::Mover => after.seeds(after.south_to_move) == 0,
        };
        if over {
            for side in [true, false] {
                for pit in after.first_pit(side)..after.store(side) {
                    let seeds = std::mem::take(&mut after.board[pit]);
                    after.board[self.store(side)] += seeds;
                }
            }
        }
        after
    }

    fn pit_board(&self) -> PitBoard {
        let row = |south| self.board[self.first_pit(south)..self.store(south)].iter().map(|&n| n.into()).collect();
        PitBoard {
            pits: [row(true), row(false)],
            stores: [true, false].map(|south| self.board[self.store(south)].into()),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().into_iter().map(|mv| self.play(mv).perft(depth - 1)).sum() }
    }
}

fn assert_same(pos: &Kalah, oracle: &Oracle) {
    assert_eq!(pos.board(), Board::Pits(oracle.pit_board()));
    assert_eq!(pos.is_over(), oracle.over());
    let moves: Vec<Move> = oracle.moves().into_iter().map(Move::from).collect();
    assert_eq!(pos.moves().collect::<Vec<_>>(), moves);
    assert_eq!(pos.count_moves(), oracle.moves().len() as u64);
    assert_eq!(pos.margin(Side::South), oracle.margin());
    assert_eq!(pos.margin(Side::North), -oracle.margin());
    if !oracle.over() {
        assert_eq!(pos.side() == Side::South, oracle.south_to_move);
    }
    assert_eq!(pos.count_pairs(), oracle.perft(2));
    let mut ordered_moves: Vec<Move> = pos.ordered_moves(1).collect();
    ordered_moves.sort_unstable();
    assert_eq!(ordered_moves, moves);
}

/// Plays the game of `choices` with both implementations and compares everything at every ply.
fn compare(rules: Rules, choices: &[u8]) {
    let mut pos = Kalah::start(rules);
    let mut oracle = Oracle::start(rules);
    for &choice in choices {
        assert_same(&pos, &oracle);
        let moves = oracle.moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        let next = pos.play(mv.into());
        let trace = pos.trace(mv.into());
        assert_eq!(trace.at(&pos.board(), trace.frames()), next.board());
        assert_eq!(trace.over, next.is_over());
        assert_eq!(trace.mover, pos.side());
        assert_eq!(trace.hand(1), Some(Place::Pit(pos.side(), mv)));
        assert_eq!(pos.places(mv.into()), [Place::Pit(pos.side(), mv)]);
        assert_eq!(trace.extra_turn, !next.is_over() && next.side() == pos.side());
        assert_eq!(Kalah::from_text(rules, &next.to_text()), Ok(next));
        assert_eq!(Kalah::from_board(rules, &next.board(), next.side()), Ok(next));
        (pos, oracle) = (next, oracle.play(mv));
    }
    assert_same(&pos, &oracle);
}

/// The rules of a size.
fn all_rules(pits: u8, seeds: u8) -> impl Iterator<Item = Rules> {
    let captures = [Capture::Standard, Capture::Empty].map(|capture| Rules::new(pits, seeds, capture).unwrap());
    captures.into_iter().flat_map(|rules| [rules, rules.ending(End::Mover)])
}

fn rules(pits: impl Strategy<Value = u8>) -> impl Strategy<Value = Rules> {
    (pits, 1..=12_u8, 0..4_usize).prop_map(|(pits, seeds, nth)| all_rules(pits, seeds).nth(nth).unwrap())
}

/// Seeds for a board of `pits` a side, at most 192 in total.
fn board(pits: u8) -> impl Strategy<Value = Vec<u8>> {
    let sparse = prop_oneof![3 => Just(0), 4 => 0..6_u8, 2 => 0..30_u8, 1 => 0..=192_u8];
    prop::collection::vec(sparse, 2 * usize::from(pits) + 2).prop_map(|mut counts| {
        let mut left = 192;
        for count in &mut counts {
            *count = (*count).min(left);
            left -= *count;
        }
        counts
    })
}

#[test]
fn every_size_under_all_rules() {
    for (pits, seeds) in (1..=8).flat_map(|pits| (1..=12).map(move |seeds| (pits, seeds))) {
        for (rules, salt) in all_rules(pits, seeds).flat_map(|rules| [1, 7, 11].map(|salt| (rules, salt))) {
            let choices: Vec<u8> =
                (0..400_u32).map(|ply| (ply.wrapping_mul(2_654_435_761) >> 20) as u8 ^ salt).collect();
            compare(rules, &choices);
        }
    }
}

#[test]
fn perft_of_every_size_under_all_rules() {
    for (pits, seeds) in (1..=8).flat_map(|pits| (1..=12).map(move |seeds| (pits, seeds))) {
        for rules in all_rules(pits, seeds) {
            let pos = Kalah::start(rules);
            let oracle = Oracle::start(rules);
            for depth in 0..=4 {
                assert_eq!(perft(&pos, depth), oracle.perft(depth), "{rules} depth {depth}");
            }
        }
    }
}

proptest! {
    #[test]
    fn random_games(rules in rules(1..=8_u8), choices in prop::collection::vec(any::<u8>(), 0..300)) {
        compare(rules, &choices);
    }

    /// Boards that no game from the start reaches: full pits, whole laps, few seeds.
    #[test]
    fn random_boards(
        (rules, counts) in (1..=8_u8).prop_flat_map(|pits| (rules(Just(pits)), board(pits))),
        side in prop::sample::select(Side::BOTH.to_vec()),
    ) {
        let n = usize::from(rules.pits());
        let rows = [&counts[..n], &counts[n + 1..2 * n + 1]];
        let sums = rows.map(|row| row.iter().map(|&seeds| i32::from(seeds)).sum::<i32>());
        let stores = i32::from(counts[n]) - i32::from(counts[2 * n + 1]);
        let oracle = Oracle { pits: n, rules, board: counts, south_to_move: side == Side::South };
        let pos = Kalah::from_board(rules, &Board::Pits(oracle.pit_board()), side).unwrap();
        let over = match rules.end() {
            End::Either => sums.contains(&0),
            End::Mover => sums[side.index()] == 0,
        };
        if over {
            prop_assert!(pos.is_over());
            prop_assert_eq!(pos.margin(Side::South), stores + sums[0] - sums[1]);
            return Ok(());
        }
        assert_same(&pos, &oracle);
        for mv in oracle.moves() {
            let next = pos.play(mv.into());
            assert_same(&next, &oracle.play(mv));
            let trace = pos.trace(mv.into());
            prop_assert_eq!(trace.at(&pos.board(), trace.frames()), next.board());
        }
    }

    #[test]
    fn no_text_is_too_strange_to_read(text in "\\PC*", pits in 1..=8_u8) {
        let rules = Rules::new(pits, 4, Capture::Standard).unwrap();
        let _ = Kalah::from_text(rules, &text);
        let _ = text.parse::<Rules>();
        let _ = text.parse::<Variant>();
    }

    #[test]
    fn no_near_miss_is_too_strange_to_read(text in "[<>,0-9 \nSNé]{0,40}") {
        if let Ok(pos) = Kalah::from_text(Rules::new(1, 4, Capture::Standard).unwrap(), &text) {
            prop_assert_eq!(Kalah::from_text(pos.rules(), &pos.to_text()), Ok(pos));
        }
    }

    /// One character of a valid text is deleted or replaced: the result either parses or is rejected at a position
    /// within the text.
    #[test]
    fn a_damaged_text_is_refused_where_it_is_damaged(at in 0..31_usize, with in prop::option::of("[<>,0-9SN x]")) {
        let mut text = Kalah::start(Rules::default()).to_text();
        text.replace_range(at..=at, with.as_deref().unwrap_or(""));
        if let Err(error) = Kalah::from_text(Rules::default(), &text) {
            prop_assert_eq!(error.line, 1);
            prop_assert!(error.column <= text.chars().count() + 1);
            prop_assert!(!error.expected.is_empty());
        }
    }
}
