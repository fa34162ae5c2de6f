//! Boards and moves of the protocol: always from the seat of the player to move, who is South there.

use mancalab_base::Error;

use super::wire::Argument;
use crate::game::{Board, Move, Position, Variant};

/// Seeds a pit at the start of a variant, at most.
const MAX_SEEDS: u32 = 12;

/// Returns the position of a board, in which South is to move.
///
/// # Errors
/// The board has too many pits or seeds, or its counts do not match its size.
pub fn position(board: &str) -> Result<(Variant, Position), Error> {
    let counts = board.trim_matches(['<', '>']).split(',').map(str::parse::<u32>);
    let counts: Vec<u32> =
        counts.collect::<Result<_, _>>().map_err(|_| format!("{board} has a count that is too large"))?;
    let pits = counts.first().copied().unwrap_or(0).max(1);
    let total = counts.iter().skip(1).fold(0_u32, |sum, count| sum.saturating_add(*count));
    // The text of the rules bounds the seeds of a board.
    let seeds = total.div_ceil(pits.saturating_mul(2)).clamp(1, MAX_SEEDS);
    let variant: Variant = format!("kalah:{pits}x{seeds}:standard").parse()?;
    let position = variant.position_from_text(board).map_err(|error| format!("the board {board}: {error}"))?;
    Ok((variant, position))
}

/// Returns the board of a position of Kalah as the side to move sees it.
pub fn argument(position: &Position) -> Argument {
    let Board::Pits(board) = position.board() else { return Argument::Board("<0>".to_owned()) };
    let own = position.side().index();
    let other = position.side().other().index();
    let head = [board.pits[own].len() as u16, board.stores[own], board.stores[other]];
    let counts: Vec<String> =
        head.iter().chain(&board.pits[own]).chain(&board.pits[other]).map(u16::to_string).collect();
    Argument::Board(format!("<{}>", counts.join(",")))
}

/// Returns a move as the number of its pit, from 1.
pub fn number(mv: Move) -> Argument {
    Argument::Integer(mv.index() as i64 + 1)
}

/// Returns the move of a pit, if it is legal.
pub fn legal(position: &Position, number: i64) -> Option<Move> {
    let index = number.checked_sub(1).and_then(|index| u8::try_from(index).ok())?;
    position.moves().into_iter().find(|mv| mv.index() == usize::from(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

    #[test]
    fn boards_of_the_specification_come_back() {
        for board in ["<3,10,2,1,2,3,4,2,0>", "<3,0,0,3,3,3,3,3,3>", "<3,1,3,0,4,4,4,3,3>"] {
            let (_, position) = position(board).unwrap();
            assert_eq!((argument(&position).to_string().as_str(), position.side()), (board, Side::South));
        }
    }

    /// A move of South is followed by North, whose pits the board then begins with.
    #[test]
    fn a_board_is_that_of_the_side_to_move() {
        let (_, start) = position("<3,0,0,3,3,3,3,3,3>").unwrap();
        let next = start.play(legal(&start, 2).unwrap());
        assert_eq!(argument(&next).to_string(), "<3,0,1,4,3,3,3,0,4>");
        assert_eq!(legal(&next, 1).map(number), Some(Argument::Integer(1)));
        for odd in [0, 4, -1, i64::MIN, 256, 257] {
            assert_eq!(legal(&next, odd), None, "{odd}");
        }
        assert_eq!(legal(&start.play(legal(&start, 1).unwrap()), 1), None, "an extra turn, and an empty pit");
    }

    #[test]
    fn boards_of_3_to_12_pits_are_played_and_others_refused() {
        for pits in 3..=12 {
            for seeds in [1, 12] {
                let counts = vec![seeds.to_string(); 2 * pits].join(",");
                let board = format!("<{pits},0,0,{counts}>");
                assert_eq!(argument(&position(&board).unwrap().1).to_string(), board);
            }
        }
        for (odd, part) in [
            ("<13,0,0>", "pits a side"),
            ("<0>", "expected 1"),
            ("<3,0,0,1,1>", "the board <3,0,0,1,1>"),
            ("<3,0,0,99999,1,1,1,1,1>", "the board"),
            ("<3,0,0,99999999999,1,1,1,1,1>", "too large"),
        ] {
            let error = position(odd).unwrap_err().to_string();
            assert!(error.contains(part), "{odd}: {error}");
        }
    }
}
