//! [`BoardGame`] for Othello: discs on squares, and moves as flips.
//!
//! [`trace`](BoardGame::trace) walks the board square by square and shares no code with the shifts in
//! [`play`](crate::Game::play), so that each verifies the other.

use super::{Othello, PASS, Rules, Start};
use crate::{Board, BoardGame, Choice, Game, Move, Piece, Place, Side, Squares, Step, Trace};
use mancalab_base::{Error, bail};

/// The eight directions of lines: files to the right, ranks down.
const WAYS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl BoardGame for Othello {
    type Rules = Rules;

    const NAME: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const SEATS: [&'static str; 2] = ["Black", "White"];
    const ABOUT: &'static str = "A disc that encloses a line of the other side's discs turns them over; the side with more discs at the end wins.";
    const EXPLAINED: &'static [&'static str] = &[
        "Have more discs than the other side when neither side can move.",
        "A move puts a disc on an empty square. It must enclose discs of the other side in a straight line, in any of the eight directions.",
        "All enclosed discs turn over.",
        "A side without such a move passes. Corners never turn over again.",
    ];
    const RULES_HELP: &'static str = Rules::HELP;

    fn choices(rules: Rules) -> Vec<Choice> {
        vec![Choice { label: "Start", values: &["standard", "parallel"], chosen: rules.start as usize }]
    }

    fn choose(rules: Rules, index: usize, chosen: usize) -> Rules {
        match (index, chosen) {
            (0, 0) => Rules { start: Start::Standard },
            (0, 1) => Rules { start: Start::Parallel },
            _ => rules,
        }
    }

    fn start(rules: Rules) -> Othello {
        rules.position()
    }

    fn rules(&self) -> Rules {
        Rules::default()
    }

    fn board(&self) -> Board {
        let pieces = self.squares().map(|disc| disc.map(Piece::man)).to_vec();
        Board::Squares(Squares { pieces, ..Squares::empty(8, 8) })
    }

    fn from_board(_: Rules, board: &Board, side: Side) -> Result<Othello, Error> {
        let Board::Squares(board) = board else { bail!("Othello needs a board of squares, not pits") };
        if (board.files, board.ranks) != (8, 8) {
            bail!("Othello needs a board of 8 by 8 squares (got {} by {})", board.files, board.ranks);
        }
        let squares = std::array::from_fn(|square| board.get(square as u8).map(|piece| piece.side));
        Othello::from_squares(&squares, side).map_err(|_| "the board has no discs; at least one is needed".into())
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        if mv == PASS { Vec::new() } else { vec![Place::Square(mv.0 as u8)] }
    }

    fn opening(moves: &[Move]) -> Option<String> {
        super::openings::opening(moves).map(str::to_owned)
    }

    fn trace(&self, mv: Move) -> Trace {
        let mut steps = Vec::new();
        if mv != PASS {
            steps.push(Step::Place(mv.0 as u8, Piece::man(self.side())));
            steps.push(Step::Flip(self.turned(mv.0 as u8)));
        }
        Trace { mover: self.side(), steps, extra_turn: false, over: self.play(mv).is_over() }
    }
}

impl Othello {
    /// The discs that the mover's disc on `square` flips, nearest first in each line.
    fn turned(&self, square: u8) -> Vec<u8> {
        let squares = self.squares();
        let side = self.side();
        let mut turned = Vec::new();
        for (right, down) in WAYS {
            let mut file = (square % 8) as i8 + right;
            let mut rank = (square / 8) as i8 + down;
            let mut line = Vec::new();
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let at = (8 * rank + file) as u8;
                match squares[usize::from(at)] {
                    Some(owner) if owner != side => line.push(at),
                    Some(_) => {
                        turned.append(&mut line);
                        break;
                    }
                    None => break,
                }
                (file, rank) = (file + right, rank + down);
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::Rng as _;

    /// Along random games, the trace gives the position after the move, and a board that is set up gives the same
    /// position.
    #[test]
    fn a_move_that_is_reported_is_the_move_that_is_played() {
        let mut passes = 0;
        for seed in 0..200 {
            let rules = <Othello as BoardGame>::choose(Rules::default(), 0, seed as usize % 2);
            let mut pos = <Othello as BoardGame>::start(rules);
            let mut rng = rng::keyed(&[seed]);
            while !pos.is_over() {
                let mv = pos.pick(rng.next_u32());
                let trace = pos.trace(mv);
                let next = pos.play(mv);
                assert_eq!(trace.at(&pos.board(), trace.frames()), next.board());
                assert_eq!((trace.mover, trace.over), (pos.side(), next.is_over()));
                assert_eq!(<Othello as BoardGame>::from_board(rules, &next.board(), next.side()), Ok(next));
                passes += usize::from(mv == PASS);
                pos = next;
            }
        }
        assert!(passes > 20, "{passes}");
    }

    #[test]
    fn what_a_dialog_offers_can_be_chosen() {
        let usual = Rules::default();
        for (chosen, text) in [(0, "8x8:standard"), (1, "8x8:parallel"), (2, "8x8:standard")] {
            let rules = <Othello as BoardGame>::choose(usual, 0, chosen);
            assert_eq!(rules.to_string(), text);
            assert_eq!(<Othello as BoardGame>::choices(rules)[0].chosen, chosen % 2);
        }
    }

    #[test]
    fn boards_that_are_none_of_othello_are_refused() {
        let error = |board| <Othello as BoardGame>::from_board(Rules::default(), &board, Side::South).unwrap_err();
        assert!(error(Board::Squares(Squares::empty(8, 8))).to_string().contains("at least one is needed"));
        assert!(error(Board::Squares(Squares::empty(6, 6))).to_string().contains("6 by 6"));
    }
}
