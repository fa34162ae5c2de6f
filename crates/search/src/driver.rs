//! The driver of all tree searches: it runs the upper plies with nodes on a stack, so that a search can stop between any two of
//! them, and lets several threads share the work. Interruptions never change a result.
//!
//! A [`Policy`] is a kind of search. It says which search a node needs next, what it makes of the result, and what the node's
//! value then is. Subtrees of some tenths of a millisecond run without the stack.

use super::table::NO_MOVE;
use crate::active::{ActiveSearches, Mark, Taken};
use crate::budget::Budget;
use crate::game::{Game, History, Move};
use std::sync::Arc;

/// The searches of the other threads, and the mark of the one that the node waits for.
pub(crate) struct Others<'a> {
    active: &'a Arc<ActiveSearches>,
    mark: &'a mut Option<Mark>,
}

impl Others<'_> {
    /// Marks the search of a position with this hash; returns whether no other thread is in it.
    pub fn mark(&mut self, hash: u64, depth: u8, beta: i32) -> bool {
        *self.mark = self.active.mark_search(hash, depth, beta);
        self.mark.is_some()
    }
}

/// A kind of tree search.
pub(crate) trait Policy: Sized {
    /// A search to run: a position, its depth and window.
    type Request;
    /// What is known of its value meanwhile.
    type Node;
    type Value;

    /// Returns whether a search runs without interruption.
    fn is_small(&self, request: &Self::Request) -> bool;

    /// Returns the value of a position that needs no node, or its node.
    fn enter(&mut self, request: &Self::Request) -> Result<Self::Value, Self::Node>;

    /// Returns the next search that the node needs, with its move in the history; `None` once its value is known. If there are
    /// other threads, it is preferably one that they are not in, and marked.
    fn next(&mut self, request: &Self::Request, node: &mut Self::Node, others: Option<Others>)
    -> Option<Self::Request>;

    /// Processes the value of the search that the node needed, and takes its move from the history.
    fn absorb(&mut self, request: &Self::Request, node: &mut Self::Node, value: Self::Value);

    /// Stores a node's value and returns it.
    fn leave(&mut self, request: &Self::Request, node: Self::Node) -> Self::Value;

    /// Runs a search without interruption.
    fn run(&mut self, request: &Self::Request) -> Self::Value {
        let mut node = match self.enter(request) {
            Ok(value) => return value,
            Err(node) => node,
        };
        while let Some(next) = self.next(request, &mut node, None) {
            let value = self.run(&next);
            self.absorb(request, &mut node, value);
        }
        self.leave(request, node)
    }
}

/// A node of the upper plies, and the mark of the search that it waits for.
struct Frame<P: Policy> {
    request: P::Request,
    node: P::Node,
    mark: Option<Mark>,
}

/// A search that can be interrupted.
pub(crate) struct Driver<P: Policy> {
    pub policy: P,
    stack: Vec<Frame<P>>,
    active: Option<Arc<ActiveSearches>>,
}

impl<P: Policy> Driver<P> {
    pub fn new(policy: P) -> Driver<P> {
        Driver { policy, stack: Vec::new(), active: None }
    }

    /// Shares `active` with a driver of `policy`, another search from the same root.
    pub fn helper(&mut self, policy: P, active: &Arc<ActiveSearches>) -> Driver<P> {
        self.active = Some(Arc::clone(active));
        Driver { active: self.active.clone(), ..Driver::new(policy) }
    }

    /// Marks the search of a root's move, which leads to `child`, until the mark is dropped.
    ///
    /// # Errors
    /// Another thread searches it.
    pub fn claim<G: Game>(&self, child: &G, depth: u8) -> Result<Option<Mark>, Taken> {
        self.active.as_ref().map(|active| active.claim(G::hash(&child.key()), depth)).transpose()
    }

    /// Starts a search and drops the one in progress. Returns the value if it is known at once; otherwise
    /// [`step`](Driver::step) computes it.
    pub fn start(&mut self, request: P::Request) -> Option<P::Value> {
        self.stack.clear();
        self.descend(request)
    }

    /// Continues the search until it is complete or the budget is spent; makes progress on every call.
    pub fn step(&mut self, budget: Budget) -> Option<P::Value> {
        while let Some(frame) = self.stack.last_mut() {
            frame.mark = None;
            let others = self.active.as_ref().map(|active| Others { active, mark: &mut frame.mark });
            let value = match self.policy.next(&frame.request, &mut frame.node, others) {
                Some(request) => self.descend(request),
                None => self.stack.pop().map(|frame| self.policy.leave(&frame.request, frame.node)),
            };
            if let Some(value) = value {
                match self.stack.last_mut() {
                    Some(frame) => self.policy.absorb(&frame.request, &mut frame.node, value),
                    None => return Some(value),
                }
            }
            if budget.is_spent() {
                return None;
            }
        }
        None
    }

    /// Runs a small search at once, or pushes its node.
    fn descend(&mut self, request: P::Request) -> Option<P::Value> {
        if self.policy.is_small(&request) {
            return Some(self.policy.run(&request));
        }
        match self.policy.enter(&request) {
            Ok(value) => Some(value),
            Err(node) => {
                self.stack.push(Frame { request, node, mark: None });
                None
            }
        }
    }

    /// Returns the search in progress, and its node.
    pub fn root(&self) -> Option<(&P::Request, &P::Node)> {
        self.stack.first().map(|frame| (&frame.request, &frame.node))
    }
}

/// The moves from the beginning of the game to the current position.
pub(crate) struct Path<G> {
    pub history: History<G>,
    /// Length of the history at the root.
    before_root: usize,
}

impl<G: Game> Path<G> {
    pub fn new(history: &History<G>) -> Path<G> {
        Path { history: history.clone(), before_root: history.len() }
    }

    /// Returns to the root.
    pub fn return_to_root(&mut self) -> &mut Path<G> {
        self.history.truncate(self.before_root);
        self
    }

    /// Makes a move at the root.
    pub fn leave_root(&mut self, root: &G, mv: Move) {
        self.return_to_root().history.push(root, mv);
    }

    /// Returns another path, which is at the root.
    pub fn at_root(&self) -> Path<G> {
        let mut history = self.history.clone();
        history.truncate(self.before_root);
        Path { history, before_root: self.before_root }
    }

    /// Returns the number of moves after the root.
    pub fn len(&self) -> usize {
        self.history.len() - self.before_root
    }
}

/// The untried moves of all nodes on the path, those of the last node at the end, its next one last.
#[derive(Default)]
pub(crate) struct Untried(Vec<Move>);

impl Untried {
    /// Adds the moves of a node, the next one first, and returns where they begin.
    #[inline]
    pub fn list(&mut self, moves: impl Iterator<Item = Move>) -> usize {
        let begin = self.0.len();
        self.0.extend(moves);
        self.0[begin..].reverse();
        begin
    }

    /// Adds the moves of a node, `hint` first unless it is [`NO_MOVE`], and returns where they begin.
    #[inline]
    pub fn list_after(&mut self, hint: Move, moves: impl Iterator<Item = Move>) -> usize {
        let begin = self.list(moves.filter(|&mv| mv != hint));
        self.0.extend((hint != NO_MOVE).then_some(hint));
        begin
    }

    /// The moves of the last node.
    #[inline]
    pub fn of_last(&mut self, begin: usize) -> &mut [Move] {
        &mut self.0[begin..]
    }

    /// Takes the next move of the last node.
    #[inline]
    pub fn take(&mut self, begin: usize) -> Option<Move> {
        if self.0.len() == begin { None } else { self.0.pop() }
    }

    /// Takes the next move of the last node, preferably one that the others do not search, and marks its search. `search` gives
    /// hash, depth and beta of the search of a move.
    #[inline]
    pub fn take_free(
        &mut self,
        begin: usize,
        others: Option<Others>,
        search: impl Fn(Move) -> (u64, u8, i32),
    ) -> Option<Move> {
        let Some(mut others) = others else { return self.take(begin) };
        let is_free = |at: &usize| {
            let (hash, depth, beta) = search(self.0[*at]);
            others.mark(hash, depth, beta)
        };
        match (begin..self.0.len()).rev().find(is_free) {
            Some(at) => Some(self.0.remove(at)),
            None => self.take(begin),
        }
    }

    /// Drops the moves of the last node.
    #[inline]
    pub fn drop_last(&mut self, begin: usize) {
        self.0.truncate(begin);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}
