//! The review of the game on the board: a background job evaluates every position of the line and finds the mistakes
//! and better moves.
//!
//! Results are kept while the game is on the board: a stopped review resumes, and after new moves or along a variation
//! only new positions are evaluated.

mod reviewed;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::app::effect::{Context, Tone};
use crate::game::record::NodeId;
use crate::game::{Move, Side};
use crate::job::{JobId, News, State};
use crate::player::reviewing::{Mark, PositionRequest, Terms};
use crate::player::{PositionValue, ReviewView, Reviewing};
use crate::tabs::board::Board;
use crate::tabs::board::session::casual::Reason;
use reviewed::Summary;

/// The results about the game on the board.
#[derive(Default)]
pub(in crate::tabs::board) struct Review {
    /// The game's number on the Board.
    game: u64,
    /// By node: a record does not reuse numbers.
    known: HashMap<NodeId, Arc<PositionValue>>,
    /// The nodes whose results a review may improve: those of a file and of the coach.
    recalled: Vec<NodeId>,
    /// The position that the coach could not value, for want of time or by a failure.
    unrated: Option<NodeId>,
    /// The settings of the last review.
    terms: Option<Terms>,
    running: Option<Running>,
    /// Number of changes of what is known.
    changes: u64,
    /// What follows for the line, until the line or the results change.
    summary: RefCell<Option<Arc<Summary>>>,
    /// The columns of each position in the chart, for the mouse.
    pub columns: Vec<(Rect, NodeId)>,
}

/// A running job and its positions.
struct Running {
    job: JobId,
    nodes: Vec<NodeId>,
    view: ReviewView,
    /// It extends earlier results: no notice at its end.
    is_quiet: bool,
    /// It values a position for the coach, while the game goes on.
    is_coach: bool,
}

/// The result for a position and the move that led to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::tabs::board) struct Verdict {
    /// The value with best play by both sides, at the search depth, in seeds, discs or men. This and the chance are for the
    /// [side](Board::point_of_view) whose values are shown.
    pub value: f64,
    /// Chance of winning, 0 to 1.
    pub chance: f64,
    /// Won or lost, without a margin.
    pub is_decided: bool,
    pub mark: Option<Mark>,
}

impl Review {
    /// The results that the file of an opened game has.
    pub fn new(values: Vec<(NodeId, Arc<PositionValue>)>) -> Review {
        let recalled = values.iter().map(|(node, _)| *node).collect();
        Review { known: values.into_iter().collect(), recalled, ..Review::default() }
    }
}

impl Review {
    /// The mark of a move, by the thresholds of the last review.
    pub fn mark(&self, valued: &PositionValue, mv: Move) -> Option<Mark> {
        valued.mark(mv, self.terms.as_ref()?)
    }
}

impl Board {
    /// Assigns the results from an opened game's file to the game with this number.
    pub(in crate::tabs::board) fn recall_review(&mut self, game: u64, cx: &Context) {
        self.panels.review.game = game;
        self.panels.review.terms =
            Some(cx.config.review.terms(&self.session.record.variant, cx.config.search.table_mb));
    }

    /// Writes the results into the record, and so into its file.
    fn keep_review(&mut self) {
        if self.panels.review.game != self.session.game {
            return;
        }
        let is_modified = self.is_modified();
        for (&node, valued) in &self.panels.review.known {
            let played: Vec<Move> = self.session.record.tried(node).map(|(_, mv)| mv).collect();
            let text = valued.to_text(self.session.record.position_at(node), &played);
            self.session.record.set_review(node, text);
        }
        // A review alone does not mark an opened game as unsaved.
        if !is_modified && self.session.begun != Some(self.session.game) {
            self.library.saved = self.session.record.version();
        }
    }

    /// Returns whether a review is running; no computer player moves meanwhile.
    pub(in crate::tabs::board) fn is_reviewing(&self) -> bool {
        self.panels.review.running.as_ref().is_some_and(|running| !running.is_coach)
    }

    /// Returns whether a position is valued for the coach.
    pub(in crate::tabs::board) fn is_rating(&self) -> bool {
        self.panels.review.running.as_ref().is_some_and(|running| running.is_coach)
    }

    /// Returns whether there are results, or will be soon.
    pub(in crate::tabs::board) fn has_review(&self) -> bool {
        self.panels.review.game == self.session.game && (self.is_reviewing() || !self.panels.review.known.is_empty())
    }

    pub(in crate::tabs::board) fn valued(&self, node: NodeId) -> Option<&Arc<PositionValue>> {
        self.panels.review.known.get(&node).filter(|_| self.panels.review.game == self.session.game)
    }

    /// The result for a position; `None` before it is known. A move has one value: that of the search before it, which also values
    /// the other moves. Only the first position and one that is over have their own.
    pub(in crate::tabs::board) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let came = self.session.record.came(node);
        let mark = came.and_then(|(parent, mv)| self.panels.review.mark(self.valued(parent)?, mv));
        let (south, chance, is_decided) = match came.filter(|_| self.session.record.ending_at(node).is_none()) {
            Some((parent, mv)) => {
                let before = self.valued(parent)?;
                let line = before.move_line(mv)?;
                (before.south_of(line), before.south_chance_of(line), before.is_decisive(line.margin))
            }
            None => {
                let own = self.valued(node)?;
                (own.south, own.chance(), own.is_decided())
            }
        };
        let is_south = self.point_of_view() == Side::South;
        let (value, chance) = if is_south { (south, chance) } else { (0.0 - south, 1.0 - chance) };
        Some(Verdict { value, chance, is_decided, mark })
    }

    /// The thresholds of mistakes and blunders of the last review.
    pub(in crate::tabs::board) fn thresholds(&self) -> Option<[u32; 2]> {
        self.panels.review.terms.as_ref().map(|terms| [terms.mistake, terms.blunder])
    }

    /// Starts, stops or resumes the review of the line.
    pub(in crate::tabs::board) fn toggle_review(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        if self.is_reviewing() && self.stop_review(cx) {
            let (done, of) = self.reviewed();
            cx.notice(Tone::Info, format!("Review stopped at {done} of {of} positions; r resumes"));
            return self.settle(cx);
        }
        self.use_help(Reason::Review, cx);
        self.renew_review(cx);
        if !self.start_review(false, cx) {
            cx.notice(Tone::Info, self.summary());
        }
        self.settle(cx);
    }

    /// Drops results from a file that a review may improve: they are shallower, or a solver has not been asked.
    fn renew_review(&mut self, cx: &Context) {
        let terms = cx.config.review.terms(&self.session.record.variant, cx.config.search.table_mb);
        let Review { known, recalled, changes, .. } = &mut self.panels.review;
        for node in recalled.drain(..) {
            let is_over = self.session.record.ending_at(node).is_some();
            let is_solvable = terms.solves(self.session.record.position_at(node));
            let is_poor =
                |valued: &Arc<PositionValue>| !is_over && !valued.solved && (is_solvable || valued.depth < terms.depth);
            if known.get(&node).is_some_and(is_poor) {
                known.remove(&node);
                *changes += 1;
            }
        }
    }

    /// Stops a review that the person did not ask for: the players wait for it.
    pub(in crate::tabs::board) fn stop_quiet_review(&mut self, cx: &mut Context) {
        if self.panels.review.running.as_ref().is_some_and(|running| running.is_quiet) {
            self.stop_review(cx);
        }
    }

    /// Stops the job; its results stay.
    pub(in crate::tabs::board) fn stop_review(&mut self, cx: &mut Context) -> bool {
        let running = self.panels.review.running.take();
        self.panels.retry_after_review = None;
        if let Some(running) = &running {
            cx.stop(running.job);
            self.keep_review();
        }
        running.is_some()
    }

    /// Starts evaluating unknown positions of the line; false if all are known.
    pub(in crate::tabs::board) fn start_review(&mut self, is_quiet: bool, cx: &mut Context) -> bool {
        if !cx.allows_analysis() {
            return false;
        }
        let terms = cx.config.review.terms(&self.session.record.variant, cx.config.search.table_mb);
        self.forget_other_games(cx);
        if self.is_rating() {
            self.stop_review(cx);
        }
        self.panels.review.terms = Some(terms);
        let nodes: Vec<NodeId> = self.line_nodes().into_iter().filter(|&node| self.valued(node).is_none()).collect();
        if nodes.is_empty() {
            return false;
        }
        let asked = nodes.iter().map(|&node| PositionRequest::new(&self.session.record, node)).collect();
        self.session.mode.stop();
        let job = cx.start(Reviewing::new(asked, terms, cx.pool));
        self.panels.review.running =
            Some(Running { job, nodes, view: ReviewView::default(), is_quiet, is_coach: false });
        true
    }

    /// Returns whether the coach may still value a position.
    pub(in crate::tabs::board) fn is_unrated(&self, node: NodeId) -> bool {
        self.valued(node).is_none() && self.panels.review.unrated != Some(node)
    }

    /// Values one position, for the coach. A review of the game may solve it later.
    pub(in crate::tabs::board) fn value_for_coach(&mut self, node: NodeId, cx: &mut Context) {
        if !cx.allows_analysis() {
            return;
        }
        let terms = cx.config.review.terms(&self.session.record.variant, cx.config.search.table_mb);
        self.panels.review.terms = Some(terms);
        let asked = vec![PositionRequest::new(&self.session.record, node)];
        let job = cx.start(Reviewing::new(asked, Terms { perfect: false, solve: 0, ..terms }, cx.pool));
        self.panels.review.recalled.push(node);
        self.panels.review.running =
            Some(Running { job, nodes: vec![node], view: ReviewView::default(), is_quiet: true, is_coach: true });
    }

    /// Drops the results about other games.
    pub(in crate::tabs::board) fn forget_other_games(&mut self, cx: &mut Context) {
        if self.panels.review.game != self.session.game {
            self.stop_review(cx);
            self.panels.review = Review { game: self.session.game, ..Review::default() };
        }
    }

    /// Returns whether this is the review's job.
    pub(in crate::tabs::board) fn is_review(&self, job: JobId) -> bool {
        self.panels.review.running.as_ref().is_some_and(|running| running.job == job)
    }

    /// Takes the job's results.
    pub(in crate::tabs::board) fn review_news(&mut self, News { view, state }: News, cx: &mut Context) {
        let Some(running) = &mut self.panels.review.running else { return };
        if let Ok(view) = view.downcast::<ReviewView>() {
            let found = running.nodes.iter().zip(&view.found);
            let found = found.filter_map(|(&node, valued)| Some((node, Arc::clone(valued.as_ref()?))));
            self.panels.review.known.extend(found);
            self.panels.review.changes += 1;
            running.view = *view;
        }
        let is_quiet = running.is_quiet;
        let is_coach = running.is_coach;
        let coached = running.nodes.first().copied().filter(|_| is_coach);
        if let Some(node) = coached.filter(|&node| self.valued(node).is_none())
            && matches!(state, State::Done | State::Failed(_))
        {
            self.panels.review.unrated = Some(node);
        }
        match state {
            State::Done => {
                self.panels.review.running = None;
                self.keep_review();
                self.log_accuracy(cx);
                // Moves may have been made meanwhile. A guest's review ends with its time, and the coach values one position.
                let goes_on = !is_coach && !cx.paths.rights().is_guest() && self.start_review(is_quiet, cx);
                if !goes_on && !is_quiet {
                    cx.notice(Tone::Good, self.summary());
                }
                self.settle(cx);
                if !goes_on && self.panels.retry_after_review.take() == Some(self.session.game) {
                    self.toggle_retry(cx);
                }
            }
            State::Failed(why) => {
                self.panels.review.running = None;
                let what = if is_coach { "The coach's search" } else { "The review" };
                cx.notice(Tone::Bad, format!("{what} failed: {why}"));
                self.settle(cx);
            }
            State::Running | State::Paused => {}
        }
    }
}
