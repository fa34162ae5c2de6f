//! Principal variations of a null-window search, and what an endgame table has of a move.

use super::super::margins::Margins;
use super::super::table::Bound;
use super::{NullWindow, SUBTREE, child_beta, from_child, within_game};
use crate::SearchHints;
use crate::game::{Move, referee};
use crate::tables::endgame::checkers::Value;

/// Maximum number of plies of a principal variation that follows an endgame table.
const KNOWN_PLIES: u8 = 24;

impl<G: SearchHints> NullWindow<G> {
    /// Returns the principal variation from `root` that begins with `mv`; `value` is that of the position
    /// after it, for its mover, at `depth`. Moves come from the table. Overwritten entries of the last plies
    /// are searched again; the line ends where that would take long.
    pub fn pv(&mut self, root: &G, mv: Move, depth: u8, value: i32) -> Vec<Move> {
        self.path.leave_root(root, mv);
        let mut pv = vec![mv];
        self.extend_pv(&mut pv, root.play(mv), depth.max(self.known_plies(root)), value);
        pv
    }

    /// Plies of a principal variation from a position that an endgame table decides; 0 for any other.
    fn known_plies(&self, pos: &G) -> u8 {
        self.endgames.value(pos).and_then(|value| value.plies()).map_or(0, |plies| plies.min(KNOWN_PLIES))
    }

    /// Returns what an endgame table has of a move at the root: the value of the position after it, and bounds of its margin
    /// for that position's mover.
    pub fn probe(&mut self, (root, mv): (&G, Move), child: &G) -> Option<(Value, Margins)> {
        let value = self.endgames.value(child)?;
        self.path.leave_root(root, mv);
        let margin = child.margin(child.side());
        let over = || Margins { least: margin, most: margin, likely: margin };
        let margins = if child.is_over() { Some(over()) } else { self.endgames.get(child, &self.path.history) };
        margins.map(|margins| (value, margins))
    }

    fn extend_pv(&mut self, pv: &mut Vec<Move>, mut pos: G, depth: u8, mut value: i32) {
        for depth in (1..=depth).rev() {
            if pos.is_over() || referee::ruling(&pos, &self.path.history).is_some() {
                return;
            }
            let depth = within_game(&pos, depth);
            let mover = pos.side();
            let mut best = self.endgames.best_move(&pos);
            best = best.or_else(|| self.known_best(&pos, depth, value - pos.margin(mover)));
            let is_quick = depth <= SUBTREE
                || self.endgames.has(&pos)
                || pos.plies_left() == Some(depth.into()) && pos.finish(value).is_some();
            if best.is_none() && is_quick {
                best = pos.moves().find(|&mv| self.is_worth(&pos, mv, depth, value));
            }
            let Some(mv) = best else { return };
            pv.push(mv);
            self.path.history.push(&pos, mv);
            pos = pos.play(mv);
            value = if pos.side() == mover { value } else { -value };
        }
    }

    /// Returns whether `mv` gives `pos`'s mover at least `value`, at a total depth of `depth` plies.
    fn is_worth(&mut self, pos: &G, mv: Move, depth: u8, value: i32) -> bool {
        let child = pos.play(mv);
        self.path.history.push(pos, mv);
        let bound = self.subtree(&child, depth - 1, child_beta(pos, &child, value));
        self.path.history.pop();
        from_child(pos, &child, bound).value >= value
    }

    /// Returns the table's move if the table has exactly `gain` as the value.
    fn known_best(&self, pos: &G, depth: u8, gain: i32) -> Option<Move> {
        if !self.is_free(pos, depth) {
            return None;
        }
        let key = pos.key();
        let entry = self.table.get(&key, G::hash(&key))?;
        let is_gain = |bound: Option<Bound>| bound.is_some_and(|bound| bound.value == gain);
        let mv = (is_gain(entry.lower(depth)) && is_gain(entry.upper(depth))).then_some(entry.mv)?;
        pos.moves().find(|&legal| legal == mv)
    }
}
