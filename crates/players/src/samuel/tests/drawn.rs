//! Each term in positions worked out by hand.

mod pieces;

use super::*;

#[track_caller]
fn says(name: &str, drawing: &str, sides: [f64; 2]) {
    let pos = drawn(drawing, Side::South);
    assert_eq!(printed(name, &pos), sides, "{name}");
    // The other side's perspective gives the same.
    let [black, white] = sides;
    assert_eq!(printed(name, &turned(&pos)), [white, black], "{name} turned");
}

#[test]
fn adv_counts_the_fifth_and_sixth_rows_less_the_third_and_fourth() {
    // 17 and 18 for Black, 15 against; 10 for White, 19 against. A king is not a man.
    says(
        "ADV",
        " . . . .
         . . . .
          B . . .
         . w b b
          . b . .
         . . w .
          . . . .
         . . . .",
        [1.0, 0.0],
    );
}

#[test]
fn apex_counts_against_who_left_the_tips_to_a_man() {
    says(
        "APEX",
        " . . . .
         . . . .
          . . . .
         . . . .
          . b . .
         . . . .
          . w . .
         . . . .",
        [-1.0, 0.0],
    );
    // Black has a man on the other tip.
    says(
        "APEX",
        " . . . .
         . . b .
          . . . .
         . . . .
          . . . .
         . . . .
          . w . .
         . . . .",
        [0.0, 0.0],
    );
    // There is a king.
    says(
        "APEX",
        " . . . .
         . . . .
          . . . .
         . . . W
          . b . .
         . . . .
          . w . .
         . . . .",
        [0.0, 0.0],
    );
}

#[test]
fn back_is_the_bridge_while_the_other_side_has_no_king() {
    let bridge = " . . w .
         . . . .
          . . . .
         . . . .
          . . . .
         . . . .
          . . . .
         . b . b";
    says("BACK", bridge, [1.0, 0.0]);
    says("BACK", &bridge.replacen("w", "W", 1), [0.0, 0.0]);
}

#[test]
fn cent_counts_men_in_the_middle() {
    // 15, not 12 at the edge; 18, not the king on 19.
    says(
        "CENT",
        " . . . .
         . . . .
          . . . .
         . W w .
          . b . .
         b . . .
          . . . .
         . . . .",
        [1.0, 1.0],
    );
}

#[test]
fn cntr_counts_squares_in_the_middle_held_or_within_a_step() {
    // Black: 15 itself, 18 and 19 from there, 10 from 6. White: 23 from 27.
    says(
        "CNTR",
        " . . . .
         . w . .
          . . . .
         . . . .
          . b . .
         . . . .
          . . b .
         . . . .",
        [4.0, 1.0],
    );
}

#[test]
fn corn_is_a_refuge_for_the_weaker_side() {
    // White has 5 against 6, and its king on 6 can go to 1.
    let drawing = " . . . .
         . . . .
          . . . .
         . b b b
          . . . .
         w . . .
          . . W .
         . . . .";
    says("CORN", drawing, [0.0, 1.0]);
    says("CORN", &drawing.replacen("b b b", "b b .", 1), [0.0, 0.0]);
}

#[test]
fn cramp_is_the_cramping_square_with_another_against_four() {
    let drawing = " . . . .
         . . . w
          . . w w
         . . . w
          . . . b
         . . . b
          . . . .
         . . . .";
    says("CRAMP", drawing, [2.0, 0.0]);
    says("CRAMP", &drawing.replacen("w w", ". w", 1), [0.0, 0.0]);
}

/// On 18 White's man from 22 would be captured from 14, and its captor recaptured from 27; on 17 it would be lost. Black's man would be
/// lost on 17 and on 18.
const FACING: &str = " . . . .
         . w . .
          . . w .
         . . . .
          . . b .
         . . . .
          . . . .
         . . . .";

#[test]
fn deny_counts_squares_where_the_other_side_would_lose_a_piece() {
    says("DENY", FACING, [1.0, 2.0]);
}

#[test]
fn dia_counts_pieces_on_the_double_corner_diagonals() {
    says(
        "DIA",
        " . . . .
         . W . .
          . . . .
         . . . .
          . b . .
         . b . .
          . . . .
         . . . b",
        [2.0, 1.0],
    );
}

#[test]
fn diav_counts_less_the_further_from_those_diagonals() {
    // Black: 1, 11 beside, 12 two beside, 4 in the single corner. White: 30 two beside, 29 in the other one.
    says(
        "DIAV",
        " . . w w
         . . . .
          . . . .
         . . . .
          . . . .
         b b . .
          . . . .
         b . . b",
        [3.0, 0.5],
    );
}

#[test]
fn dyke_counts_threes_on_a_diagonal() {
    // 1-6-10-15 are two threes, 32-27-23 is one.
    says(
        "DYKE",
        " w . . .
         . w . .
          . w . .
         . . . .
          . b . .
         . . b .
          . . b .
         . . . b",
        [2.0, 1.0],
    );
}

#[test]
fn exch_and_recap_count_squares_where_one_is_given_for_one() {
    says("EXCH", FACING, [0.0, 1.0]);
    says("RECAP", FACING, [0.0, 1.0]);
}

#[test]
fn expos_counts_pieces_between_empty_squares() {
    // 15 between 19 and 10; 12 is at the edge. 26 between 30 and 23, 18 between 23 and 14; 22 has a man on either diagonal.
    says(
        "EXPOS",
        " . . . .
         . . w .
          . . w .
         . . w .
          . b . .
         b . . .
          . . . .
         . . . .",
        [1.0, 2.0],
    );
}

#[test]
fn fork_counts_squares_before_two_side_by_side() {
    // From 10 to 14, before 17 and 18, with 21 and 23 empty.
    let drawing = " . . . .
         . . . .
          . . . .
         . . w w
          . . . .
         . . b .
          . . . .
         . . . .";
    says("FORK", drawing, [1.0, 0.0]);
    // With one of them protected there is no fork.
    says("FORK", &drawing.replacen(". . . .\n         . . w w", ". w . .\n         . . w w", 1), [0.0, 0.0]);
}

#[test]
fn gap_counts_against_single_empty_squares() {
    // 10 lies between 6 and 15; 1 and 2 lie between 6 and the edge. 20 stands at the edge itself.
    says(
        "GAP",
        " . . . .
         . . . .
          . . . .
         w . . .
          . b . .
         . . . .
          . . b .
         . . . .",
        [-3.0, 0.0],
    );
}

#[test]
fn guard_is_the_bridge_or_the_triangle() {
    let drawing = " w . w .
         . . . .
          . . . .
         . . . .
          . . . .
         . . . .
          . b . .
         . b b .";
    says("GUARD", drawing, [1.0, 1.0]);
    says("GUARD", &drawing.replacen("w . w", "w . W", 1), [0.0, 1.0]);
}

#[test]
fn hole_counts_against_empty_squares_among_three() {
    // 10, with 6, 7 and 15 around it.
    says(
        "HOLE",
        " . . . .
         . . w .
          . . . .
         . . w .
          . b . .
         . . . .
          . b b .
         . . . .",
        [-1.0, 0.0],
    );
}

#[test]
fn kcent_counts_kings_in_the_middle() {
    says(
        "KCENT",
        " . . . .
         . . . .
          . . . .
         . . B .
          . b W .
         . . W .
          . . . .
         . . . W",
        [1.0, 2.0],
    );
}

#[test]
fn mob_counts_squares_and_not_moves() {
    // Black: 17 and 18. White: 17 and 18 from 22, 23 and 24 from 27.
    says("MOB", FACING, [2.0, 4.0]);
    // Both 26 and 27 can step to 23, which counts once.
    says("MOB", &FACING.replacen(". w . .\n          . . w .", ". w w .\n          . . . .", 1), [2.0, 3.0]);
}

#[test]
fn mobil_leaves_out_what_is_denied() {
    says("MOBIL", FACING, [0.0, 3.0]);
}

#[test]
fn the_move_is_who_comes_out_last() {
    let drawing = " . . . .
         w . . .
          . . . .
         . . . .
          . . . .
         b . . .
          . . . .
         . . . .";
    // Two pieces on the mover's files: an even number.
    says("MOVE", drawing, [0.0, 1.0]);
    assert_eq!(printed("MOVE", &drawn(drawing, Side::North)), [1.0, 0.0]);
    // With unequal material neither has it, nor at the start.
    assert_eq!(printed("MOVE", &drawn(&drawing.replacen('b', "B", 1), Side::South)), [0.0, 0.0]);
    assert_eq!(printed("MOVE", &crate::game::checkers::Rules::default().position()), [0.0, 0.0]);
}

#[test]
fn node_counts_pieces_among_empty_squares() {
    // 10 and 15 are next to each other only; 32 has only two squares around it.
    says(
        "NODE",
        " w . . .
         . . . .
          . . . .
         . . . .
          . b . .
         . . b .
          . . . .
         . . . .",
        [2.0, 0.0],
    );
}

#[test]
fn oreo_is_the_triangle_of_a_side_without_a_king() {
    let drawing = " . . . .
         . . . .
          . . . W
         . . . .
          . . . .
         . . . .
          . b . .
         . b b .";
    says("OREO", drawing, [1.0, 0.0]);
    says("OREO", &drawing.replacen(". b b .", ". b b B", 1), [0.0, 0.0]);
}

#[test]
fn pole_counts_against_men_all_alone() {
    // 15 is a man, 23 a king; 20 stands at the edge.
    says(
        "POLE",
        " . . . .
         . . . .
          . B . .
         w . . .
          . b . .
         . . . .
          . . . .
         . . . .",
        [-1.0, 0.0],
    );
}
