use super::*;
use crate::app::stage::look;
use crate::theme::Glyphs;

/// Returns the number of dots in a pile.
fn dots(text: &str) -> u32 {
    let of = |c: char| match c {
        '.' => 1,
        ':' => 2,
        c => (c as u32 - 0x2800).count_ones(),
    };
    text.chars().map(of).sum()
}

#[test]
fn there_are_as_many_dots_as_seeds_or_none() {
    for glyphs in [Glyphs::unicode(), Glyphs::ascii()] {
        let look = Look { glyphs, ..look() };
        for (cells, middle) in [(4, 4), (4, 5), (5, 4), (5, 5), (9, 9), (9, 8)] {
            for count in 0..200 {
                let (from, pile) = pile(count, middle, cells, &look);
                assert!(from + width(&pile) <= cells && (pile.is_empty() || dots(&pile) == u32::from(count)));
                if !pile.is_empty() {
                    assert_eq!(2 * from + width(&pile), middle, "{count} in {cells}: {pile}");
                }
            }
            for count in 1..=6 {
                let pile = pile(count, middle, cells, &look).1;
                assert!(!pile.is_empty() || (count == 1 && middle % 2 == 0), "{count} in {cells} around {middle}");
            }
        }
    }
}

#[test]
fn dots_are_alike_on_both_sides() {
    let shown = |count, middle, cells| pile(count, middle, cells, &look()).1;
    assert_eq!([1, 2, 3, 4, 5].map(|count| shown(count, 5, 5)), ["⠂", "⠆", "⠂⠂⠂", "⠂⠆⠂", "⠆⠂⠆"].map(str::to_owned));
}

#[test]
fn the_scale_grows_with_the_room() {
    let widths = [(40, 10), (50, 9), (60, 12), (90, 16), (160, 30)].map(|room| size(6, room).0);
    assert!(widths.is_sorted() && widths[0] < widths[4], "{widths:?}");
    for pits in 1..=8 {
        for room in [(50, 9), (60, 12), (90, 16), (160, 30), (480, 150)] {
            let (wide, high) = size(pits, room);
            assert!((wide <= room.0 && high <= room.1) || (wide, high) == SCALES[4].size(pits as u16));
        }
    }
}
