//! Comparison of a position with the oracle's.

use std::collections::BTreeSet;

use mancalab::game::checkers::{Checkers, Rules, WON};
use mancalab::game::{BoardGame, Game, Move, Notation, Piece, Place, Side};
use mancalab::search::SearchHints as _;

use super::oracle::{Found, Oracle};

fn from_squares(moves: &[Found]) -> u32 {
    moves.iter().fold(0, |set, found| set | 1 << (found.squares[0] - 1))
}

pub(crate) fn assert_same(pos: &Checkers, oracle: &Oracle) {
    for side in Side::BOTH {
        assert_eq!(pos.men(side), oracle.set(|piece| piece == Piece::man(side)), "{pos}");
        assert_eq!(pos.kings(side), oracle.set(|piece| piece == Piece { side, king: true }), "{pos}");
        assert_eq!(pos.movers(side), from_squares(&oracle.steps(side)), "{pos}");
        assert_eq!(pos.jumpers(side), from_squares(&oracle.all_jumps(side)), "{pos}");
        assert_eq!(pos.margin(side), if side == Side::South { oracle.margin() } else { -oracle.margin() }, "{pos}");
    }
    let wanted = oracle.moves();
    assert_eq!(pos.side(), oracle.side);
    assert_eq!((pos.is_over(), pos.must_jump()), (wanted.is_empty(), !oracle.all_jumps(oracle.side).is_empty()));
    assert_eq!(*pos, oracle.position());
    let moves: Vec<Move> = pos.moves().collect();
    let found = |&mv: &Move| {
        let path = pos.path(mv);
        Found { squares: path.squares().to_vec(), captured: path.captured().to_vec() }
    };
    assert_eq!(moves.iter().map(found).collect::<Vec<_>>(), wanted, "{pos}");
    assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len(), "move numbers are unique: {pos}");
    assert_eq!(pos.count_moves(), moves.len() as u64, "{pos}");
    if moves.is_empty() {
        return;
    }
    for plies in [0, 1, 3, 9] {
        let ordered_moves: BTreeSet<Move> = pos.ordered_moves(plies).collect();
        assert_eq!(ordered_moves, moves.iter().copied().collect(), "{pos}");
    }
    assert_eq!(pos.count_pairs(), oracle.perft(2), "{pos}");
    // Equal parts of the random range select different moves.
    let n = moves.len() as u64;
    let picked: BTreeSet<Move> = (0..n).map(|nth| pos.pick((((2 * nth + 1) << 32) / (2 * n)) as u32)).collect();
    assert_eq!(picked, moves.iter().copied().collect(), "{pos}");
    assert_gains(pos, oracle, &moves);
    assert_told(pos, &moves);
}

/// Checks the gain of the best move, by every function that computes it.
fn assert_gains(pos: &Checkers, oracle: &Oracle, moves: &[Move]) {
    let sign = if oracle.side == Side::South { 1 } else { -1 };
    let gains: Vec<i32> = oracle.moves().iter().map(|found| sign * oracle.play(found).margin()).collect();
    let most = *gains.iter().max().unwrap();
    let best: BTreeSet<Move> = moves.iter().zip(&gains).filter(|(_, gain)| **gain == most).map(|(&mv, _)| mv).collect();
    let n = best.len() as u64;
    let greedy: BTreeSet<Move> = (0..n).map(|nth| pos.greedy((((2 * nth + 1) << 32) / (2 * n)) as u32)).collect();
    assert_eq!(greedy, best, "{pos}");
    for beta in [most - 3, most, most + 1, i32::MAX] {
        let horizon = pos.horizon(beta);
        assert_eq!(horizon.best >= beta, most >= beta, "{pos}");
        assert!(if most >= beta { horizon.best <= most } else { horizon.best >= most }, "{pos}");
        assert!(!horizon.solved || most.abs() == WON, "{pos}");
        assert!((1..=moves.len() as u32).contains(&horizon.visited));
    }
}

/// Checks the places, the text and the steps of every move.
fn assert_told(pos: &Checkers, moves: &[Move]) {
    let places: BTreeSet<String> = moves.iter().map(|&mv| format!("{:?}", pos.places(mv))).collect();
    assert_eq!(places.len(), moves.len(), "the places of moves are unique: {pos}");
    for &mv in moves {
        let text = pos.move_text(mv);
        let long = pos.long_text(mv);
        assert_eq!((pos.named(&text), pos.named(&long)), (Some(mv), Some(mv)), "{pos} {text} {long}");
        assert_eq!(pos.named(&long.replace('x', "-")), Some(mv));
        let board = pos.board();
        let next = pos.play(mv);
        let Some(Place::Square(first)) = pos.places(mv).first().copied() else { panic!("{pos} {text}") };
        assert!(text.starts_with(&board.name(Place::Square(first))));
        let trace = pos.trace(mv);
        assert_eq!(trace.at(&board, trace.frames()), next.board(), "{pos} {text}");
        assert_eq!((trace.mover, trace.over, trace.extra_turn), (pos.side(), next.is_over(), false));
        assert_eq!(trace.taken().len(), pos.path(mv).captured().len());
        let crowned = next.kings(pos.side()).count_ones() > pos.kings(pos.side()).count_ones();
        assert_eq!((trace.promotes(), trace.drops()), (crowned, pos.path(mv).squares().len() - 1));
    }
}

/// Checks that the board and the text give the same position again.
pub(crate) fn assert_read_again(pos: &Checkers) {
    assert_eq!(Checkers::read(&pos.to_text()), Ok(*pos));
    assert_eq!(<Checkers as BoardGame>::from_board(Rules::default(), &pos.board(), pos.side()), Ok(*pos));
}
