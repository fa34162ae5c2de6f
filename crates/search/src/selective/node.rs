//! A position whose value is being computed, and the searches that it needs.

use super::super::pvs::ABOVE_ALL;
use super::Cut;
use crate::game::Move;

/// The first search of a node's moves.
pub(super) const FIRST: NodeSearch = NodeSearch::Move { narrow: false, reduced: 0 };

/// A search that a node needs. The window is for the mover of `pos`.
pub(super) struct Ask<G, S> {
    pub pos: G,
    pub state: S,
    pub depth: u8,
    pub window: (i32, i32),
    /// The move that leads to `pos`; `None` for the node's own position.
    pub mv: Option<Move>,
}

pub(super) struct Child<G, S> {
    pub rank: i32,
    pub mv: Move,
    pub pos: G,
    pub state: S,
}

/// The search in progress.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeSearch {
    /// A shallow search: is the value probably at least beta?
    High(Cut),
    /// A shallow search: is it probably at most alpha?
    Low(Cut),
    /// A move; `narrow`: the window is narrower than the node's; `reduced`: plies fewer than its full depth.
    Move { narrow: bool, reduced: u8 },
}

/// A position whose value is being computed.
pub(super) struct Node {
    /// The lower end of the window, which rises with the best value.
    pub alpha: i32,
    pub best: i32,
    pub mv: Move,
    /// The move to try first, or [`Move::NONE`].
    pub hint: Move,
    /// The children in the list: the first one, the one being searched, the end; all 0 before they are listed.
    pub first: usize,
    pub current: usize,
    pub end: usize,
    pub search: NodeSearch,
    /// Whether `search` is yet to be asked.
    pub pending: bool,
    pub done: bool,
}

impl Node {
    /// The node of a search with this alpha that begins with `search`, and with the move `hint` if there is one.
    #[inline]
    pub fn new(alpha: i32, hint: Move, search: NodeSearch) -> Node {
        Node {
            alpha,
            best: -ABOVE_ALL,
            mv: Move::NONE,
            hint,
            first: 0,
            current: 0,
            end: 0,
            search,
            pending: true,
            done: false,
        }
    }
}
