//! T. J. Hunter, *The Exploration and Analysis of Mancala from an AI Perspective* (Andrews University, 2021): its tables on
//! the heuristic player, computed again.
//!
//! What the thesis leaves open, and how it is read here: the first two moves of a game are random and so are ties between
//! equally good moves, without which every match of its deterministic players would be won by 100 % or 0 %; one sowing is one
//! level of the search; H5 and H7 are about the move chosen at the root; H9 and H10 count seeds and nothing below five in the
//! store. The genetic algorithm keeps an elite of one, crosses at one point and mutates with a standard deviation of 0.1.

pub mod matches;
pub mod table2;
pub mod table3;

use std::fmt::Write as _;

/// How many moves at the start of a game are random.
pub const OPENING: u32 = 2;

/// Plies every heuristic player looks ahead.
pub const DEPTH: u32 = 4;

/// The reading in force, in a line.
pub const READING: &str = "reading: 2 random moves, random ties, H5 and H7 at the root, H9 and H10 as differences";

/// A line of right-aligned cells, the first one left-aligned, each as wide as `widths` says.
fn line(text: &mut String, widths: &[usize], cells: &[String]) {
    for (index, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let _ = if index == 0 { write!(text, "{cell:<width$}") } else { write!(text, "  {cell:>width$}") };
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
}
