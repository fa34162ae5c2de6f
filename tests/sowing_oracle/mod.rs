//! The games that sow on a board of pits against an oracle, a second implementation of their rules.

mod oracle;

use mancalab::budget::Budget;
use mancalab::game::kalah::large::LargeKalah;
use mancalab::game::perft::perft;
use mancalab::game::referee::{self, Why};
use mancalab::game::sowing::{
    awari::Awari, erherhe::Erherhe, ohvalhu::Ohvalhu, oware::Oware, vai_lung_thlan::VaiLungThlan,
};
use mancalab::game::{
    Board, BoardGame, Game, GameState, Move, Notation, Outcome, PitBoard, Side, Variant, with_position,
};
use mancalab::search::{Analysis, SearchHints, Table};
use oracle::Oracle;
use proptest::prelude::*;

fn oracle<G: Game + BoardGame>(rules: G::Rules, pos: &G) -> Oracle {
    let Board::Pits(board) = pos.board() else { unreachable!() };
    Oracle {
        game: G::NAME,
        rules: rules.to_string(),
        rows: board.pits,
        stores: board.stores,
        mover: pos.side().index(),
    }
}

fn assert_same<G: Notation + SearchHints>(pos: &G, oracle: &Oracle) {
    assert_eq!(pos.board(), oracle.board());
    assert_eq!(pos.is_over(), oracle.is_over());
    assert_eq!([Side::South, Side::North].map(|side| pos.margin(side)), [oracle.margin(), -oracle.margin()]);
    let mut names: Vec<String> = pos.moves().map(|mv| pos.move_text(mv)).collect();
    names.sort_unstable();
    assert_eq!(names, oracle.moves().into_iter().map(|pit| oracle.name(pit)).collect::<Vec<_>>());
    assert_eq!(pos.count_moves(), names.len() as u64);
    if pos.is_over() {
        return;
    }
    assert_eq!(pos.side().index(), oracle.mover);
    assert_eq!(perft(pos, 2), oracle.perft(2));
    let sorted = |mut moves: Vec<Move>| {
        moves.sort_unstable();
        moves
    };
    for plies in [0, 3] {
        assert_eq!(sorted(pos.ordered_moves(plies).collect()), sorted(pos.moves().collect()));
    }
}

/// Plays the game of `choices` from a position and compares everything at every ply, and how the game ends.
fn compare<G: Notation + SearchHints>(rules: G::Rules, start: G, choices: &[u8]) {
    let mut game_state = GameState::new(start);
    let mut oracle = oracle(rules, &start);
    let mut past = Vec::new();
    for &choice in choices {
        let pos = *game_state.pos();
        assert_same(&pos, &oracle);
        let is_repeated = past.contains(&oracle);
        assert_eq!(
            game_state.ending().map(|ending| ending.why == Why::NoMoves),
            match (oracle.is_over(), is_repeated) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            }
        );
        if let Some(ending) = game_state.ending() {
            let kept = i32::from(oracle.seeds(0)) - i32::from(oracle.seeds(1));
            let margin = oracle.margin() + if oracle.game == "awari" { 0 } else { kept };
            assert_eq!((ending.margin, ending.outcome), (margin, Outcome::from_margin(margin)));
            return;
        }
        let moves = oracle.moves();
        let pit = moves[usize::from(choice) % moves.len()];
        let mv = pos.named(&oracle.name(pit)).unwrap();
        let next = pos.play(mv);
        let trace = pos.trace(mv);
        assert_eq!(trace.at(&pos.board(), trace.frames()), next.board());
        assert_eq!((trace.over, trace.mover), (next.is_over(), pos.side()));
        assert_eq!(trace.extra_turn, !next.is_over() && next.side() == pos.side());
        assert_eq!(trace.hand(1), pos.places(mv).first().copied());
        assert_eq!(G::from_text(rules, &next.to_text()), Ok(next));
        past.push(oracle.clone());
        oracle = oracle.play(pit);
        game_state.play(mv);
    }
}

/// Every game under all its rules, with `$G` as its type: `each_game!(G, rules => body)`.
macro_rules! each_game {
    ($G:ident, $rules:ident => $body:expr) => {
        each_game!(@ $G, $rules => $body; Oware: "", "slam=all", "slam=illegal"; Awari: ""; Erherhe: "", "chain=yes";
            VaiLungThlan: "", "sowing=counter", "stuck=ends", "sowing=counter:stuck=ends";
            Ohvalhu: "", "alone=stays", "stuck=ends", "alone=stays:stuck=ends")
    };
    (@ $G:ident, $rules:ident => $body:expr; $($game:ident: $($text:literal),+);+) => {$({
        type $G = $game;
        for text in [$($text),+] {
            let $rules: <$G as BoardGame>::Rules = text.parse().unwrap();
            $body
        }
    })+};
}

/// A position with these counts of seeds in the pits.
fn strewn<G: BoardGame>(rules: G::Rules, counts: &[u8], side: Side) -> G {
    let Board::Pits(board) = G::start(rules).board() else { unreachable!() };
    let pits = board.pits_a_side();
    let row = |seat: usize| counts[seat * pits..][..pits].iter().map(|&seeds| seeds.into()).collect();
    let board = PitBoard { pits: [row(0), row(1)], stores: [3, 1] };
    G::from_board(rules, &Board::Pits(board), side).unwrap()
}

fn counts() -> impl Strategy<Value = Vec<u8>> {
    let seeds = prop_oneof![6 => Just(0), 6 => 1..4_u8, 1 => 5..26_u8];
    prop::collection::vec(seeds, 16)
        .prop_filter("too many seeds", |counts| counts.iter().map(|&n| u32::from(n)).sum::<u32>() < 180)
}

fn few() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![4 => Just(0), 1 => Just(1), 1 => Just(2)], 16)
}

fn sides() -> impl Strategy<Value = Side> {
    prop::sample::select(Side::BOTH.to_vec())
}

proptest! {
    // Each case plays all games under all rules.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn games_from_the_start(choices in prop::collection::vec(any::<u8>(), 200)) {
        each_game!(G, rules => compare::<G>(rules, G::start(rules), &choices));
    }

    #[test]
    fn games_from_strewn_boards(
        counts in prop_oneof![counts(), few()], side in sides(), choices in prop::collection::vec(any::<u8>(), 100),
    ) {
        each_game!(G, rules => {
            let start = strewn::<G>(rules, &counts, side);
            let settled = Oracle { mover: side.index(), ..oracle(rules, &start) };
            // A board on which the game is over, or on which a side must pass, is settled as it is read.
            if !start.is_over() && start.side() == side {
                assert_eq!(settled.clone().settled(), settled);
                compare::<G>(rules, start, &choices);
            }
        });
    }

    #[test]
    fn large_kalah(
        pits in 1..=12_u8, seeds in 1..=12_u8, rest in prop::sample::select(vec!["standard", "empty", "standard:end=mover"]),
        choices in prop::collection::vec(any::<u8>(), 300),
    ) {
        let text = format!("{pits}x{seeds}:{rest}");
        compare::<LargeKalah>(text.parse().unwrap(), LargeKalah::start(text.parse().unwrap()), &choices);
        let variant: Variant = format!("kalah:{text}").parse().unwrap();
        prop_assert_eq!(variant.to_string(), format!("kalah:{text}"));
        prop_assert_eq!(matches!(variant, Variant::Kalah(_)), pits <= 8);
    }

    /// Where a search may reuse results, no position of the game so far comes up within its depth.
    #[test]
    fn free_positions_are_free(counts in few(), choices in prop::collection::vec(any::<u8>(), 40)) {
        fn meets<G: Game>(game_state: &GameState<G>, depth: u32) -> bool {
            depth > 0 && !game_state.pos().is_over() && game_state.pos().moves().any(|mv| {
                let mut next = game_state.clone();
                next.play(mv);
                let came_up = game_state.history().positions().contains(next.pos());
                came_up || meets(&GameState::after(*next.pos(), game_state.history().clone(), 0), depth - 1)
            })
        }
        each_game!(G, rules => {
            let mut game_state = GameState::new(strewn::<G>(rules, &counts, Side::South));
            for &choice in &choices {
                let pos = *game_state.pos();
                if !G::USES_HISTORY || game_state.is_over() {
                    break;
                }
                for depth in 1..=5 {
                    prop_assert!(pos.depends_on_history(game_state.history(), depth) || !meets(&game_state, depth), "{pos:?}");
                }
                game_state.play(pos.pick(u32::from(choice) << 24));
            }
        });
    }

    /// A search with a table finds what plain minimax with the whole game before it finds.
    #[test]
    fn searches_know_repetition(counts in few(), choices in prop::collection::vec(any::<u8>(), 0..12), depth in 1..=7_u32) {
        fn minimax<G: Game>(game_state: &GameState<G>, depth: u32, side: Side) -> i32 {
            if let Some(ending) = game_state.ending() {
                return ending.margin(side);
            }
            let pos = game_state.pos();
            if depth == 0 {
                return pos.margin(side);
            }
            let values = pos.moves().map(|mv| {
                let mut next = game_state.clone();
                next.play(mv);
                minimax(&next, depth - 1, side)
            });
            if pos.side() == side { values.max().unwrap() } else { values.min().unwrap() }
        }
        each_game!(G, rules => {
            let mut game_state = GameState::new(strewn::<G>(rules, &counts, Side::South));
            for &choice in &choices {
                if game_state.is_over() {
                    break;
                }
                let mv = game_state.pos().pick(u32::from(choice) << 24);
                game_state.play(mv);
            }
            if !game_state.is_over() {
                let mut analysis = Analysis::new(game_state.clone(), depth, Table::new(1));
                analysis.step(Budget::UNLIMITED);
                for line in analysis.report().lines {
                    let mut next = game_state.clone();
                    next.play(line.mv);
                    let wanted = minimax(&next, line.depth - 1, game_state.pos().side());
                    prop_assert_eq!(line.margin, wanted, "{:?} {:?}", game_state.pos(), line.mv);
                }
            }
        });
    }
}

/// Counts of the oracle, by game and rules; Oware's are also those that other programs publish.
#[test]
fn perft_is_the_oracles() {
    each_game!(G, rules => {
        let start = G::start(rules);
        let depth = if G::NAME == "ohvalhu" { 4 } else { 5 };
        for depth in 1..=depth {
            assert_eq!(perft(&start, depth), oracle(rules, &start).perft(depth), "{} {rules} depth {depth}", G::NAME);
        }
    });
}

/// Plays one move on a board, and returns the text of the result.
fn after(variant: &str, position: &str, mv: &str) -> String {
    let variant: Variant = variant.parse().unwrap();
    let pos = variant.position_from_text(position).unwrap();
    pos.move_from_text(mv).map_or_else(|| "illegal".to_owned(), |mv| pos.play(mv).to_text())
}

#[test]
fn each_choice_of_rule_does_what_it_says() {
    // A grand slam takes nothing, all, or is illegal.
    let slam = "<6,10,20,0,0,0,1,1,2,1,1,0,0,0,0> S";
    assert_eq!(after("oware", slam, "F"), "<6,10,20,0,0,0,1,1,0,2,2,0,0,0,0> N");
    assert_eq!(after("oware:slam=all", slam, "F"), "<6,16,20,0,0,0,0,0,0,0,0,0,0,0,0> N");
    assert_eq!(after("oware:slam=illegal", slam, "F"), "illegal");
    assert_eq!(after("awari", slam, "F"), "illegal");
    // A chain of twos and threes ends at another count.
    let chain = "<6,0,0,0,0,0,0,0,4,1,4,2,1,0,0> S";
    assert_eq!(after("oware", chain, "F"), "<6,5,0,0,0,0,0,0,0,2,5,0,0,0,0> N");
    // A lap leaves out the pit it began in, in Oware; in Vai Lung Thlan its last seed takes itself there.
    let lap = "<6,0,0,0,0,0,0,0,12,4,4,4,4,4,4> S";
    assert_eq!(after("oware", lap, "F"), "<6,0,0,1,1,1,1,1,0,6,5,5,5,5,5> N");
    assert_eq!(after("vai-lung-thlan:sowing=counter", lap, "F"), "<6,6,0,0,0,0,0,0,0,5,5,5,5,5,5> N");
    // A side must give seeds to one without, if it can.
    let starved = "<6,20,20,1,0,0,0,0,1,0,0,0,0,0,0> S";
    for game in ["oware", "awari"] {
        assert_eq!(after(game, starved, "A"), "illegal");
        assert_eq!(after(game, starved, "F"), "<6,20,20,1,0,0,0,0,0,1,0,0,0,0,0> N");
    }
    // If none can, it keeps its own; a last seed that takes itself in Érhérhé gives none.
    for (game, text) in [("oware", "<6,20,20,1,0,0,0,4,1,0,0,0,0,0,0> N"), ("erherhe", starved)] {
        let pos = game.parse::<Variant>().unwrap().position_from_text(text).unwrap();
        assert!(pos.is_over());
        assert_eq!(pos.margin(Side::South), 2 + 4 * i32::from(game == "oware"));
    }
    // A grand slam is legal in Awari if all moves leave the opponent without seeds.
    let forced = "<6,10,20,0,0,0,0,0,2,1,1,0,0,0,0> S";
    assert_eq!(after("awari", forced, "F"), "<6,14,20,0,0,0,0,0,0,0,0,0,0,0,0> N");
    let ones = "<6,0,0,1,0,0,0,0,3,0,2,0,2,0,0> S";
    assert_eq!(after("erherhe", ones, "F"), "<6,1,0,1,0,0,0,0,0,1,3,0,2,0,0> N");
    assert_eq!(after("erherhe:chain=yes", ones, "F"), "<6,5,0,1,0,0,0,0,0,0,0,0,2,0,0> N");
    let three = "<6,0,0,0,0,3,0,0,0,0,0,0,0,0,4> S";
    assert_eq!(after("vai-lung-thlan", three, "C"), "<6,0,0,1,1,0,0,0,0,0,0,0,0,0,5> N");
    assert_eq!(after("vai-lung-thlan:sowing=counter", three, "C"), "<6,3,0,0,0,0,0,0,0,0,0,0,0,0,4> N");
    // The last seed takes itself, and the opponent has none: it passes, or the game ends.
    let last = "<6,0,0,0,0,1,5,0,0,0,0,0,0,0,0> S";
    assert_eq!(after("vai-lung-thlan", last, "C"), "<6,1,0,0,0,0,5,0,0,0,0,0,0,0,0> S");
    assert_eq!(after("vai-lung-thlan:stuck=ends", last, "C"), "<6,6,0,0,0,0,0,0,0,0,0,0,0,0,0> N");
    let last = "<8,0,0,1,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0> S";
    assert_eq!(after("ohvalhu", last, "A"), "<8,1,0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0> S");
    assert_eq!(after("ohvalhu:stuck=ends", last, "A"), "<8,6,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0> N");
    assert_eq!(after("ohvalhu:alone=stays", last, "A"), "<8,0,0,0,1,0,0,0,0,0,5,0,0,0,0,0,0,0,0> S");
    // The second pit is lifted and sown on, and the last seed captures; one in the store gives another turn.
    let relay = "<8,0,0,1,2,0,0,0,0,0,1,0,0,0,4,0,0,0,1> S";
    assert_eq!(after("ohvalhu", relay, "A"), "<8,5,0,0,0,1,1,0,0,0,1,0,0,0,0,0,0,0,1> N");
    assert_eq!(after("ohvalhu", relay, "H"), "<8,1,0,1,2,0,0,0,0,0,0,0,0,0,4,0,0,0,1> S");
    let large = "kalah:12x12".parse::<Variant>().unwrap().start().to_text();
    assert_eq!(
        after("kalah:12x12", &large, "A"),
        large.replacen("0,0,12", "1,0,0", 1).replacen(
            ",0,12,12,12,12,12,12,12,12,12,12,12",
            ",0,13,13,13,13,13,13,13,13,13,13,13",
            1
        )
    );
}

/// The first moves lead round the board, to a position in which both seeds are North's.
#[test]
fn a_repeated_position_gives_out_the_seeds() {
    let played = |variant: &str, text: &str| {
        let pos = variant.parse::<Variant>().unwrap().position_from_text(text).unwrap();
        with_position!(pos, pos => {
            let (end, ending) = referee::play_out(GameState::new(pos), |pos| pos.moves().next().unwrap());
            (ending.why, ending.margin, end.pos().result_text(&ending))
        })
    };
    let text = "<6,22,23,0,0,0,0,0,0,1,0,0,0,0,1> N";
    assert_eq!(played("oware", text), (Why::Rule("repetition"), -3, "22-25".to_owned()));
    assert_eq!(played("awari", text), (Why::Rule("repetition"), -1, "23-24".to_owned()));
}
