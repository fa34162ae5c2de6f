//! Boards with pictures of pieces and seeds.

use std::sync::Arc;

use super::*;
use crate::game::Variant;
use crate::pictures::{self, Pictures, Protocol};
use crate::theme::{ColorDepth, Glyphs, Theme};

/// Draws the start position of a game with pictures.
fn drawn(game: &str, theme: Theme, room: (u16, u16)) -> (Buffer, Vec<(Rect, Place)>) {
    let variant: Variant = game.parse().unwrap();
    let board = variant.start().board();
    let mut look = Look::new(theme, Glyphs::unicode());
    look.pictures = Some(Arc::new(Pictures::new(Protocol::Kitty, None)));
    let area = Rect::new(0, 0, room.0, room.1);
    let mut buf = Buffer::empty(area);
    let places = draw(&View::new(&board, Side::South, ["South", "North"]), area, &mut buf, &look);
    (buf, places)
}

/// Returns the identifiers of pictures in an area, and the text beside them.
fn seen(buf: &Buffer, area: Rect) -> (Vec<u8>, String) {
    let mut ids: Vec<u8> = area.positions().filter_map(|at| Some(pictures::part(buf[at].symbol())?.id)).collect();
    ids.dedup();
    let text = area.positions().map(|at| buf[at].symbol()).filter(|symbol| pictures::part(symbol).is_none());
    (ids, text.collect::<String>().trim().to_owned())
}

#[test]
fn pieces_and_seeds_are_pictures_and_counts_stay_text() {
    let (buf, places) = drawn("othello", Theme::usual(ColorDepth::True), (90, 36));
    let on = |square: u8| places.iter().find(|(_, place)| *place == Place::Square(square)).unwrap().0;
    assert_eq!(seen(&buf, on(27)).0.len(), 1);
    assert_ne!(seen(&buf, on(27)).0, seen(&buf, on(28)).0);
    assert_eq!(seen(&buf, on(0)), (vec![], String::new()));
    let (buf, places) = drawn("kalah", Theme::usual(ColorDepth::Indexed), (90, 20));
    for (area, place) in &places {
        let (ids, text) = seen(&buf, *area);
        match place {
            Place::Pit(..) => assert_eq!((ids.len(), text.as_str()), (1, "4"), "{place:?}"),
            _ => assert_eq!(ids.len(), 0, "an empty store"),
        }
    }
}

#[test]
fn without_coloured_boards_or_space_there_are_none() {
    let none = |game, theme, room: (u16, u16)| seen(&drawn(game, theme, room).0, Rect::new(0, 0, room.0, room.1)).0;
    for game in ["kalah", "othello", "checkers"] {
        let theme = Theme::usual(ColorDepth::True);
        assert!(none(game, theme.without_boards(), (90, 36)).is_empty(), "a slow line");
        assert!(none(game, Theme::usual(ColorDepth::Sixteen), (90, 36)).is_empty());
        assert!(none(game, theme, (36, 9)).is_empty());
    }
}
