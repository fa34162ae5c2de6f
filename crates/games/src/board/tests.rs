use super::*;

fn square(board: &Board, square: u8) -> Option<Piece> {
    let Board::Squares(squares) = board else { panic!("{board:?}") };
    squares.get(square)
}

#[test]
fn a_disc_is_placed_and_others_are_turned() {
    let mut before = Squares::empty(8, 8);
    before.set(19, Some(Piece::man(Side::North)));
    before.set(27, Some(Piece::man(Side::South)));
    let steps = vec![Step::Place(11, Piece::man(Side::South)), Step::Flip(vec![19])];
    let trace = Trace { mover: Side::South, steps, extra_turn: false, over: false };
    let before = Board::Squares(before);
    assert_eq!(trace.at(&before, 0), before);
    assert_eq!(trace.at(&before, 1).counts(), [2, 1]);
    assert_eq!(trace.at(&before, 2).counts(), [3, 0]);
    assert_eq!([0, 1, 2, 3].map(|frame| trace.hand(frame)), [None, Some(Place::Square(11)), None, None]);
    assert_eq!(trace.flipped(), [19]);
}

#[test]
fn a_man_jumps_twice_and_becomes_a_king() {
    let south = Piece::man(Side::South);
    let north = Piece::man(Side::North);
    let mut before = Squares::empty(8, 8);
    before.set(37, Some(south));
    before.set(28, Some(north));
    before.set(10, Some(north));
    let [from, over, middle, second, to] = [37, 28, 19, 10, 1].map(Place::Square);
    let steps = vec![
        Step::Lift(from),
        Step::Drop(middle),
        Step::Take(vec![(over, 1)]),
        Step::Lift(middle),
        Step::Drop(to),
        Step::Take(vec![(second, 1)]),
        Step::Promote(1),
    ];
    let trace = Trace { mover: Side::South, steps, extra_turn: false, over: true };
    let before = Board::Squares(before);
    assert_eq!(square(&trace.at(&before, 1), 37), None, "it is in the hand");
    assert_eq!(square(&trace.at(&before, 3), 19), Some(south));
    assert_eq!(trace.at(&before, 3).counts(), [1, 1]);
    let after = trace.at(&before, trace.frames());
    assert_eq!(after.counts(), [1, 0]);
    assert_eq!(square(&after, 1), Some(Piece { king: true, ..south }));
    assert_eq!((trace.drops(), trace.taken().len(), trace.promotes()), (2, 2, true));
}

#[test]
fn squares_are_named_by_file_and_rank() {
    let board = Squares::empty(8, 8);
    assert_eq!([0, 7, 19, 63].map(|square| board.name(square)), ["a1", "h1", "d3", "h8"]);
}

#[test]
fn dark_squares_are_numbered_from_the_lower_right() {
    let board = Squares::dark(8, 8);
    assert_eq!([1, 7, 55, 56, 62].map(|square| board.name(square)), ["32", "29", "5", "4", "1"]);
    assert_eq!([0, 6, 8 + 1, 63].map(|square| board.name(square)), [""; 4]);
    assert_eq!(board.squares().filter(|&square| board.is_played_on(square)).count(), 32);
}
