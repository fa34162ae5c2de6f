//! Pieces, captures, and properties of all terms.

use super::*;

#[test]
fn thret_counts_squares_from_which_a_piece_would_capture() {
    // From 17 and 18 each side could capture the other's man.
    says("THRET", FACING, [2.0, 2.0]);
}

#[test]
fn piece_is_two_a_man_and_three_a_king() {
    says(
        "PIECE",
        " . . . .
         . w . .
          . . . .
         . . . .
          . b b .
         . . . .
          . . . .
         . . . B",
        [7.0, 2.0],
    );
}

#[test]
fn every_term_has_a_position_here() {
    let text = concat!(include_str!("../drawn.rs"), include_str!("pieces.rs"));
    for term in TERMS {
        assert!(text.contains(&format!("\"{}\"", term.name)), "{}", term.name);
    }
}

#[test]
fn both_seats_say_the_same() {
    for pos in positions(60) {
        let other = turned(&pos);
        for Term { name, halves, .. } in TERMS {
            let [black, white] = printed(name, &pos);
            assert_eq!(printed(name, &other), [white, black], "{name} of {pos:?}");
            let seats = Side::BOTH.map(|side| halves(&Scene::new(&pos, side)));
            assert_eq!(seats[0].difference(), -seats[1].difference(), "{name} of {pos:?}");
            assert_eq!(f64::from(seats[0].difference()) / 2.0, black - white, "{name} of {pos:?}");
        }
    }
}
