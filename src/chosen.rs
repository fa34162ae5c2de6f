//! The report of a search, as one about the move that was chosen.
//!
//! A player that varies its moves need not choose the first of the moves that its search valued.

use crate::game::Move;
use crate::search::{Line, Report};

/// Moves the line of the chosen move to the front. Where the search has none, the first line stands for it: a player chooses among
/// moves of about the same value. Only the move itself is left of its variation then.
pub(crate) fn put_first(report: &mut Report, chosen: Move) {
    match report.lines.iter().position(|line| line.mv == chosen) {
        Some(index) => report.lines[..=index].rotate_right(1),
        None => {
            if let Some(first) = report.lines.first_mut() {
                *first = Line { mv: chosen, pv: vec![chosen], solved: false, tried: None, ..first.clone() };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_of_the_chosen_move() {
        let line = |mv, margin| {
            let (depth, solved, tried, weighed) = (4, false, None, None);
            Line { mv: Move(mv), margin, pv: vec![Move(mv), Move(9)], depth, solved, tried, weighed }
        };
        let report = || Report { lines: vec![line(3, 5), line(4, 4), line(5, 4)], ..Report::default() };
        for (chosen, expected) in [(3, [3, 4, 5]), (5, [5, 3, 4])] {
            let mut report = report();
            put_first(&mut report, Move(chosen));
            assert_eq!(report.lines.iter().map(|line| line.mv).collect::<Vec<_>>(), expected.map(Move));
            assert_eq!(report.lines[0].pv, [Move(chosen), Move(9)]);
        }
        let mut report = report();
        put_first(&mut report, Move(7));
        let first = &report.lines[0];
        assert_eq!((first.mv, first.margin, &*first.pv), (Move(7), 5, &[Move(7)][..]));
    }
}
