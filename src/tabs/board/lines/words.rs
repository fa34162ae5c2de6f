//! Moves and boards in words: what a move did, and a board as rows of letters and numbers, without colours or glyphs.

use crate::game::{Board, Ground, PitBoard, Place, Position, Side, Squares, Trace};
use mancalab_base::counted;

/// The effects of a move: `4 seeds sown, 2 captured`; empty if it only moves a piece.
pub(super) fn effects(before: &Position, trace: &Trace) -> String {
    let taken: u16 = trace.taken().iter().map(|&(_, count)| count).sum();
    let is_pits = matches!(before.board(), Board::Pits(_));
    let parts = match is_pits {
        true => [Some(counted(trace.drops(), "seed") + " sown"), (taken > 0).then(|| format!("{taken} captured"))],
        false => {
            let flipped = trace.flipped().len();
            let taken = usize::from(taken);
            [
                (flipped > 0).then(|| counted(flipped, "disc") + " flipped"),
                (taken > 0).then(|| counted(taken, "piece") + " captured"),
            ]
        }
    };
    let crowned = trace.promotes().then(|| "crowned".to_owned());
    parts.into_iter().flatten().chain(crowned).collect::<Vec<_>>().join(", ")
}

/// The board as lines, the side `bottom` last; `seats` are the sides' names in the game, `name` returns those in texts.
pub(super) fn board(board: &Board, seats: [&str; 2], bottom: Side, name: impl Fn(Side) -> String) -> Vec<String> {
    match board {
        Board::Pits(pits) => [bottom.other(), bottom].map(|side| row_of_pits(board, pits, side, &name(side))).into(),
        Board::Squares(squares) => {
            let letters = seats.map(|seat| seat.chars().next().unwrap_or('?').to_ascii_lowercase());
            let mut lines = grid(squares, letters, bottom);
            lines.extend(Side::BOTH.map(|side| pieces(squares, side, &name(side))));
            lines
        }
    }
}

/// `You (South): A 4, B 4, C 0, store 3.` from the side's own left.
fn row_of_pits(board: &Board, pits: &PitBoard, side: Side, name: &str) -> String {
    let row = (0..pits.pits_a_side() as u8).map(|pit| Place::Pit(side, pit));
    let row: Vec<String> = row.map(|place| format!("{} {}", board.name(place), pits.get(place))).collect();
    format!("{name}: {}, store {}.", row.join(", "), pits.get(Place::Store(side)))
}

/// The squares row by row: the side's letter for a piece, small for a man where there are kings, and dots for empty squares.
fn grid(board: &Squares, letters: [char; 2], bottom: Side) -> Vec<String> {
    let turn = |numbers: std::ops::Range<u8>| -> Vec<u8> {
        if bottom == Side::South { numbers.collect() } else { numbers.rev().collect() }
    };
    let files = turn(0..board.files);
    let has_names = board.ground == Ground::Whole;
    let mut lines = Vec::new();
    if has_names {
        let letters = files.iter().map(|file| format!(" {}", char::from(b'a' + file)));
        lines.push(format!(" {}", letters.collect::<String>()));
    }
    for rank in turn(0..board.ranks) {
        let cells = files.iter().map(|file| format!(" {}", cell(board, letters, rank * board.files + file)));
        let label = if has_names { (rank + 1).to_string() } else { String::new() };
        lines.push(format!("{label}{}", cells.collect::<String>()));
    }
    lines
}

fn cell(board: &Squares, letters: [char; 2], square: u8) -> char {
    match board.get(square) {
        None if board.is_played_on(square) => '.',
        None => ' ',
        Some(piece) => {
            let letter = letters[piece.side.index()];
            if piece.king || !board.has_kings() { letter.to_ascii_uppercase() } else { letter }
        }
    }
}

/// `Black: 1, 2, 3, king 32.`: the squares of a side's pieces.
fn pieces(board: &Squares, side: Side, name: &str) -> String {
    let own = board.squares().filter_map(|square| Some((square, board.get(square)?)));
    let mut own: Vec<(u8, bool)> =
        own.filter(|(_, piece)| piece.side == side).map(|(square, piece)| (square, piece.king)).collect();
    if board.ground == Ground::Dark {
        // Their numbers begin at the lower right.
        own.reverse();
    }
    let text = |(square, king): (u8, bool)| format!("{}{}", if king { "king " } else { "" }, board.name(square));
    let texts: Vec<String> = own.into_iter().map(text).collect();
    format!("{name}: {}.", if texts.is_empty() { "none".to_owned() } else { texts.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    fn words(game: &str, position: &str, bottom: Side) -> Vec<String> {
        let variant: Variant = game.parse().unwrap();
        let position =
            if position.is_empty() { variant.start() } else { variant.position_from_text(position).unwrap() };
        board(&position.board(), variant.seats(), bottom, |side| variant.seats()[side.index()].to_owned())
    }

    #[test]
    fn pits_are_named_from_their_owners_left_and_the_own_row_is_last() {
        let rows = words("kalah:3x4", "", Side::North);
        assert_eq!(rows, ["South: A 4, B 4, C 4, store 0.", "North: a 4, b 4, c 4, store 0."]);
    }

    #[test]
    fn a_board_of_squares_is_a_grid_with_its_pieces_below() {
        let rows = words("othello", "", Side::South);
        assert_eq!(rows[0], "  a b c d e f g h");
        assert_eq!(rows[4..6], ["4 . . . W B . . .", "5 . . . B W . . ."]);
        assert_eq!(rows[9..], ["Black: e4, d5.", "White: d4, e5."]);
        // From the other side.
        assert_eq!(words("othello", "", Side::North)[0], "  h g f e d c b a");
    }

    #[test]
    fn kings_are_named() {
        let rows = words("checkers", "B:WK22,31:B1,K2", Side::South);
        assert_eq!(rows[8..], ["Black: 1, king 2.", "White: king 22, 31."]);
        assert!(
            rows[..8].iter().any(|row| row.contains('W')) && rows[..8].iter().any(|row| row.contains('b')),
            "{rows:?}"
        );
        assert_eq!(words("checkers", "B:W22:B", Side::South)[8], "Black: none.");
    }
}
