use super::*;
use crate::app::stage::look;
use crate::game::Board;
use crate::theme::{ColorDepth, Glyphs, Theme};

const NAMES: [&str; 2] = ["Black", "White"];

fn drawn(board: &Board, seat: Side, room: (u16, u16), look: &Look) -> (Buffer, Vec<(Rect, Place)>) {
    let area = Rect::new(0, 0, room.0, room.1);
    let mut buf = Buffer::empty(area);
    let places = super::super::draw(&View::new(board, seat, NAMES), area, &mut buf, look);
    (buf, places)
}

fn text(buf: &Buffer, at: Rect) -> String {
    at.positions().map(|position| buf[position].symbol()).collect()
}

#[test]
fn squares_grow_with_the_room_and_fit_into_it() {
    let board = Squares::empty(8, 8);
    for room in [(18, 9), (35, 18), (46, 18), (51, 26), (67, 34), (120, 50)] {
        let (wide, high) = size(&board, room);
        assert!(wide <= room.0 && high <= room.1, "{room:?}: {wide}x{high}");
    }
    let widths = [(18, 9), (35, 18), (51, 26), (67, 34), (120, 50)].map(|room| size(&board, room).0);
    assert!(widths.is_sorted() && widths[0] < widths[4], "{widths:?}");
}

#[test]
fn every_square_has_a_place_of_its_own_and_turns_with_the_board() {
    let board = Board::Squares(Squares::empty(8, 8));
    for room in [(18, 9), (35, 18), (51, 26), (67, 34), (120, 50)] {
        let (_, south) = drawn(&board, Side::South, room, &look());
        let (_, north) = drawn(&board, Side::North, room, &look());
        assert_eq!(south.len(), 64);
        for (index, (one, _)) in south.iter().enumerate() {
            assert!(!one.is_empty() && south[..index].iter().all(|(other, _)| !other.intersects(*one)));
            assert_eq!(north[63 - index].0, *one);
        }
    }
}

#[test]
fn men_and_kings_of_both_sides_differ_without_colour_in_every_size() {
    let south = Piece::man(Side::South);
    let north = Piece::man(Side::North);
    let pieces = [south, north, Piece { king: true, ..south }, Piece { king: true, ..north }];
    let mut squares = Squares::empty(8, 8);
    for (square, piece) in (0..).zip(pieces) {
        squares.set(square, Some(piece));
    }
    let board = Board::Squares(squares);
    for glyphs in [Glyphs::unicode(), Glyphs::ascii()] {
        let look = Look::new(Theme::usual(ColorDepth::None), glyphs);
        for room in [(18, 9), (35, 18), (51, 26), (67, 34), (120, 50)] {
            let (buf, places) = drawn(&board, Side::South, room, &look);
            let mut seen: Vec<String> = places[..5].iter().map(|(at, _)| text(&buf, *at)).collect();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 5, "{room:?}: {seen:?}");
        }
    }
}
