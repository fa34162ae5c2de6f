//! The book: exact margins of the starts of all small boards and of their moves, so that the first move needs no search.
//!
//! `book.csv` has what `mancalab solve position 6x4 --all --moves` and the same for 4x6 print. Solutions never use it, only
//! [`MoveSolver`](super::MoveSolver) does.

use std::sync::LazyLock;

use super::share;
use crate::game::kalah::{End, Kalah};
use crate::game::{BoardGame as _, Game as _};

/// A start with the mover's share, and its shares by each move in their order.
pub(super) struct Entry {
    pub start: Kalah,
    pub share: u8,
    pub by_move: Vec<u8>,
}

static BOOK: LazyLock<Vec<Entry>> =
    LazyLock::new(|| include_str!("book.csv").lines().skip(1).filter_map(entry).collect());

/// All starts of the book.
pub(super) fn entries() -> &'static [Entry] {
    &BOOK
}

/// Returns the entry of a position with the pits of a start, whatever its stores.
pub(super) fn find(pos: &Kalah) -> Option<&'static Entry> {
    let rules = pos.rules();
    let key = pos.key();
    let is_for = |start: &Kalah| start.key() == key && start.rules().pits() == rules.pits();
    let fits = |entry: &&Entry| is_for(&entry.start) && entry.start.rules().capture() == rules.capture();
    entries().iter().find(fits).filter(|_| rules.end() == End::Either)
}

fn entry(row: &str) -> Option<Entry> {
    let [pits, seeds, capture, margin, moves] = row.split(',').collect::<Vec<_>>().try_into().ok()?;
    let start = Kalah::start(format!("{pits}x{seeds}:{capture}").parse().ok()?);
    let share = |margin: &str| Some(share(&start, margin.parse().ok()?));
    Some(Entry { start, share: share(margin)?, by_move: moves.split(' ').map(share).collect::<Option<_>>()? })
}
