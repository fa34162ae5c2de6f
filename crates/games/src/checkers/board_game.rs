//! [`BoardGame`] for checkers: men and kings on the dark squares, and moves as jumps.

use super::sets::{FARTHEST_ROW, NEAREST_ROW, number, place};
use super::{Checkers, MAN, Rules};
use crate::{Board, BoardGame, Choice, Game, Move, Piece, Place, Side, Squares, Step, Trace};
use mancalab_base::{Error, bail};

/// Maximal number of pieces of a side.
const MOST_PIECES: u32 = 12;

/// Move limits that a dialog offers; the variant's text accepts any other.
const LIMITS: [&str; 8] = ["none", "20", "30", "40", "60", "80", "100", "150"];
/// The same list for a limit that it does not contain.
const WITH_ANOTHER: [&str; 9] = ["none", "20", "30", "40", "60", "80", "100", "150", "another"];

impl BoardGame for Checkers {
    type Rules = Rules;

    const NAME: &'static str = "checkers";
    const TITLE: &'static str = "Checkers";
    const SEATS: [&'static str; 2] = ["Black", "White"];
    const UNIT: i32 = MAN;
    const ABOUT: &'static str = "English draughts: men step forward on dark squares, jumps are compulsory, and a man on the last row becomes a king.";
    const EXPLAINED: &'static [&'static str] = &[
        "Take all pieces of the other side, or leave it without a move.",
        "A man steps diagonally forward to an empty dark square. A king steps forward and back.",
        "A piece jumps over an adjacent piece of the other side to the empty square behind it, and takes it. Jumps are compulsory and continue as long as they can.",
        "A man that reaches the last row becomes a king, and its move ends.",
        "A draw: the third occurrence of a position, or 40 moves by each side without a capture or a man's move.",
    ];
    const RULES_HELP: &'static str = Rules::HELP;

    fn choices(rules: Rules) -> Vec<Choice> {
        let text = rules.limit().map_or(LIMITS[0].to_owned(), |moves| moves.to_string());
        let listed = LIMITS.iter().position(|limit| *limit == text);
        let values: &'static [&'static str] = if listed.is_some() { &LIMITS } else { &WITH_ANOTHER };
        vec![Choice { label: "Move limit", values, chosen: listed.unwrap_or(LIMITS.len()) }]
    }

    fn choose(rules: Rules, index: usize, chosen: usize) -> Rules {
        match LIMITS.get(chosen).filter(|_| index == 0) {
            None => rules,
            Some(limit) => limit.parse().ok().and_then(Rules::limited).unwrap_or_default(),
        }
    }

    fn start(rules: Rules) -> Checkers {
        rules.position()
    }

    fn rules(&self) -> Rules {
        Rules::of_position(self)
    }

    fn board(&self) -> Board {
        let mut board = Squares::dark(8, 8);
        for square in 1..=32 {
            board.set(place(square), self.piece(square));
        }
        Board::Squares(board)
    }

    fn from_board(rules: Rules, board: &Board, side: Side) -> Result<Checkers, Error> {
        let Board::Squares(board) = board else { bail!("checkers needs a board of squares, not pits") };
        if (board.files, board.ranks) != (8, 8) {
            bail!("checkers needs a board of 8 by 8 squares (got {} by {})", board.files, board.ranks);
        }
        let mut men = [0; 2];
        let mut kings = [0; 2];
        for at in board.squares() {
            let Some(piece) = board.get(at) else { continue };
            let Some(number) = number(at) else {
                bail!("there is a piece on a light square; only dark squares are playable");
            };
            let sets = if piece.king { &mut kings } else { &mut men };
            sets[piece.side.index()] |= 1 << (number - 1);
        }
        checked(men, kings, side).map(|pos| rules.apply(pos))
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        self.path(mv).squares().iter().map(|&square| Place::Square(place(square))).collect()
    }

    fn opening(moves: &[Move]) -> Option<String> {
        super::ballots::opening(moves)
    }

    fn trace(&self, mv: Move) -> Trace {
        let path = self.path(mv);
        let mut steps = Vec::new();
        for (nth, pair) in path.squares().windows(2).enumerate() {
            let [from, to] = [pair[0], pair[1]].map(|square| Place::Square(place(square)));
            steps.extend([Step::Lift(from), Step::Drop(to)]);
            steps.extend(path.captured().get(nth).map(|&square| Step::Take(vec![(Place::Square(place(square)), 1)])));
        }
        if let [first, .., last] = path.squares()
            && self.piece(*first).is_some_and(|piece| !piece.king)
            && is_last_row(self.side(), *last)
        {
            steps.push(Step::Promote(place(*last)));
        }
        Trace { mover: self.side(), steps, extra_turn: false, over: self.play(mv).is_over() }
    }
}

impl Checkers {
    /// The piece on square 1 to 32.
    pub fn piece(&self, square: u8) -> Option<Piece> {
        let has = |set: u32| (1..=32).contains(&square) && set >> (square - 1) & 1 == 1;
        let side = Side::BOTH.into_iter().find(|&side| has(self.pieces(side)))?;
        Some(Piece { side, king: has(self.kings(side)) })
    }
}

/// Whether a side's men become kings on square 1 to 32.
pub(super) fn is_last_row(side: Side, square: u8) -> bool {
    [FARTHEST_ROW, NEAREST_ROW][side.index()] >> (square.clamp(1, 32) - 1) & 1 == 1
}

/// The position with these pieces, if it is possible in a game.
///
/// # Errors
/// A sentence with what is wrong and what is accepted.
pub(super) fn checked(men: [u32; 2], kings: [u32; 2], side: Side) -> Result<Checkers, Error> {
    let seats = <Checkers as BoardGame>::SEATS;
    if men == [0; 2] && kings == [0; 2] {
        bail!("the board has no pieces; at least one is needed");
    }
    for (side, last_row) in [FARTHEST_ROW, NEAREST_ROW].into_iter().enumerate() {
        let count = (men[side] | kings[side]).count_ones();
        if count > MOST_PIECES {
            bail!("{} must have at most {MOST_PIECES} pieces (got {count})", seats[side]);
        }
        let stuck = men[side] & last_row;
        if stuck != 0 {
            let square = stuck.trailing_zeros() + 1;
            bail!("{} has a man on {square}, where it would be a king", seats[side]);
        }
    }
    Ok(Checkers::from_sets(men, kings, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dialog_offers_can_be_chosen() {
        let rules = |text: &str| text.parse::<Rules>().unwrap();
        for (nth, limit) in LIMITS.iter().enumerate() {
            let chosen = Checkers::choose(rules("limit=7"), 0, nth);
            assert_eq!(chosen.to_string(), if nth == 0 { "english".to_owned() } else { format!("limit={limit}") });
            let choice = Checkers::choices(chosen)[0];
            assert_eq!((choice.chosen, choice.values.len()), (nth, LIMITS.len()));
        }
        // A limit that is not offered is kept.
        let choice = Checkers::choices(rules("limit=7"))[0];
        assert_eq!(choice.values[choice.chosen], "another");
        assert_eq!(Checkers::choose(rules("limit=7"), 0, choice.chosen), rules("limit=7"));
        assert_eq!(Checkers::choose(rules("limit=7"), 1, 0), rules("limit=7"));
    }

    #[test]
    fn boards_that_are_none_of_checkers_are_refused() {
        let error = |pieces: &[(u8, Piece)]| {
            let mut board = Squares::dark(8, 8);
            pieces.iter().for_each(|&(at, piece)| board.set(at, Some(piece)));
            <Checkers as BoardGame>::from_board(Rules::default(), &Board::Squares(board), Side::South).unwrap_err()
        };
        assert!(error(&[]).to_string().contains("at least one is needed"));
        assert!(error(&[(0, Piece::man(Side::South))]).to_string().contains("a light square"));
        assert_eq!(error(&[(1, Piece::man(Side::South))]), "Black has a man on 32, where it would be a king".into());
        let thirteen: Vec<(u8, Piece)> =
            (5..=17).map(|square| (place(square), Piece { side: Side::North, king: true })).collect();
        assert_eq!(error(&thirteen), "White must have at most 12 pieces (got 13)".into());
        let small = Board::Squares(Squares::dark(6, 6));
        let error = <Checkers as BoardGame>::from_board(Rules::default(), &small, Side::South).unwrap_err();
        assert!(error.to_string().contains("6 by 6"), "{error}");
    }
}
