//! The review of the game on the board: a background job evaluates every position of the line and finds the mistakes
//! and better moves.
//!
//! Results are kept while the game is on the board: a stopped review resumes, and after new moves or along a variation
//! only new positions are evaluated.

pub mod reviewed;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::app::effect::Context;
use crate::game::record::NodeId;
use crate::game::{Move, Side, Variant};
use crate::job::{JobId, News, State};
use crate::player::reviewing::{Effort, Loss, Mark, PositionRequest, Terms};
use crate::player::{PositionValue, ReviewView, Reviewing};
use crate::tabs::board::session::Session;
use reviewed::Summary;

/// Most empty squares that the coach solves, in games that fill one with every move: it has to answer before the person has moved.
const COACH_SOLVES: u32 = 14;

/// The results about the game on the board.
#[derive(Default)]
pub struct Review {
    /// The game's number on the Board.
    game: u64,
    /// By node: a record does not reuse numbers.
    known: HashMap<NodeId, Arc<PositionValue>>,
    /// The nodes whose results a review may improve: those of a file and of the coach.
    recalled: Vec<NodeId>,
    /// The recalled nodes that the next review values again. Their results stay until it replaces them.
    poor: HashSet<NodeId>,
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

/// A review, or a search for the coach, that has ended.
pub struct EndedReview {
    /// It extended earlier results.
    pub is_quiet: bool,
    pub is_coach: bool,
    /// The reason of a failure.
    pub failure: Option<String>,
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
pub struct Verdict {
    /// The value with best play by both sides, at the search depth, in seeds, discs or men. This and the chance are for the
    /// [side](Session::point_of_view) whose values are shown.
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

    /// The mark of a move, by the thresholds of the last review.
    pub fn mark(&self, valued: &PositionValue, mv: Move) -> Option<Mark> {
        valued.mark(mv, self.terms.as_ref()?)
    }

    /// Whether a loss is that of a mistake or a blunder, by the same thresholds.
    pub fn is_mistake(&self, loss: &Loss) -> bool {
        self.terms.as_ref().is_some_and(|terms| loss.chance >= terms.mistake.into())
    }

    /// Returns whether a review is running; no computer player moves meanwhile.
    pub fn is_reviewing(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.is_coach)
    }

    /// Returns whether a position is valued for the coach.
    pub fn is_rating(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.is_coach)
    }

    /// Returns whether there are results, or will be soon.
    pub fn has_results(&self, session: &Session) -> bool {
        self.game == session.game && (self.is_reviewing() || !self.known.is_empty())
    }

    pub fn valued(&self, session: &Session, node: NodeId) -> Option<&Arc<PositionValue>> {
        self.known.get(&node).filter(|_| self.game == session.game)
    }

    /// The result for a position; `None` before it is known. A move has one value: that of the search before it, which also values
    /// the other moves. Only the first position and one that is over have their own.
    pub fn verdict(&self, session: &Session, node: NodeId) -> Option<Verdict> {
        let came = session.record.came(node);
        let mark = came.and_then(|(parent, mv)| self.mark(self.valued(session, parent)?, mv));
        let (south, chance, is_decided) = match came.filter(|_| session.record.ending_at(node).is_none()) {
            Some((parent, mv)) => {
                let before = self.valued(session, parent)?;
                let line = before.move_line(mv)?;
                (before.south_of(line), before.south_chance_of(line), before.is_decisive(line.margin))
            }
            None => {
                let own = self.valued(session, node)?;
                (own.south, own.chance(), own.is_decided())
            }
        };
        let is_south = session.point_of_view() == Side::South;
        let (value, chance) = if is_south { (south, chance) } else { (0.0 - south, 1.0 - chance) };
        Some(Verdict { value, chance, is_decided, mark })
    }

    /// The thresholds of mistakes and blunders of the last review.
    pub fn thresholds(&self) -> Option<[u32; 2]> {
        self.terms.as_ref().map(|terms| [terms.mistake, terms.blunder])
    }

    /// Finds the results that a review may improve: they are shallower, or a solver has not been asked.
    pub fn renew(&mut self, session: &Session, cx: &Context) {
        let terms = cx.config.review.terms(&session.record.variant, cx.config.search.table_mb);
        let Review { known, recalled, poor, .. } = self;
        for node in recalled.drain(..) {
            let is_over = session.record.ending_at(node).is_some();
            let position = session.record.position_at(node);
            let is_solvable = terms.solves(position);
            let depth = terms.depth_at(position);
            let is_poor = |valued: &Arc<PositionValue>| {
                !is_over && !valued.solved && (is_solvable && !valued.is_beyond || valued.depth < depth)
            };
            if known.get(&node).is_some_and(is_poor) {
                poor.insert(node);
            }
        }
    }

    /// Returns whether the coach may still value a position.
    pub fn is_unrated(&self, session: &Session, node: NodeId) -> bool {
        self.valued(session, node).is_none() && self.unrated != Some(node)
    }

    /// Values one position, for the coach. A review of the game may solve it later.
    pub fn value_for_coach(&mut self, session: &Session, node: NodeId, cx: &mut Context) {
        if !cx.allows_analysis() {
            return;
        }
        let terms = cx.config.review.terms(&session.record.variant, cx.config.search.table_mb);
        self.terms = Some(terms);
        let asked = vec![PositionRequest::new(&session.record, node)];
        let quick = Terms { effort: Effort::Quick, solve: terms.solve.min(COACH_SOLVES), ..terms };
        let job = cx.start(Reviewing::new(asked, quick, cx.pool));
        self.recalled.push(node);
        self.running =
            Some(Running { job, nodes: vec![node], view: ReviewView::default(), is_quiet: true, is_coach: true });
    }

    /// Returns whether this is the review's job.
    pub fn is_job(&self, job: JobId) -> bool {
        self.running.as_ref().is_some_and(|running| running.job == job)
    }

    /// Assigns the results from an opened game's file to the game with this number.
    pub fn recall(&mut self, game: u64, variant: &Variant, cx: &Context) {
        self.game = game;
        self.terms = Some(cx.config.review.terms(variant, cx.config.search.table_mb));
    }

    /// Returns whether the results are about the game with this number.
    pub fn is_of(&self, game: u64) -> bool {
        self.game == game
    }

    /// Begins anew, without results, with the game with this number.
    pub fn clear(&mut self, game: u64) {
        *self = Review { game, ..Review::default() };
    }

    /// Writes the results into the record, and so into its file.
    pub fn write(&self, session: &mut Session) {
        for (&node, valued) in &self.known {
            let played: Vec<Move> = session.record.tried(node).map(|(_, mv)| mv).collect();
            let text = valued.to_text(session.record.position_at(node), &played);
            session.record.set_review(node, text);
        }
    }

    /// Returns whether a review is running that the person did not ask for.
    pub fn is_quiet(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.is_quiet)
    }

    /// Stops the job, whose results stay; false if none is running.
    pub fn stop(&mut self, cx: &mut Context) -> bool {
        let running = self.running.take();
        running.iter().for_each(|running| cx.stop(running.job));
        running.is_some()
    }

    /// Starts evaluating unknown positions of the line; false if all are known.
    pub fn start(&mut self, session: &Session, is_quiet: bool, cx: &mut Context) -> bool {
        let terms = cx.config.review.terms(&session.record.variant, cx.config.search.table_mb);
        self.terms = Some(terms);
        let nodes: Vec<NodeId> =
            session.line_nodes().into_iter().filter(|node| self.is_wanted(session, *node)).collect();
        if nodes.is_empty() {
            return false;
        }
        let asked = nodes.iter().map(|&node| PositionRequest::new(&session.record, node)).collect();
        let job = cx.start(Reviewing::new(asked, terms, cx.pool));
        self.running = Some(Running { job, nodes, view: ReviewView::default(), is_quiet, is_coach: false });
        true
    }

    /// Returns whether a review values this position.
    fn is_wanted(&self, session: &Session, node: NodeId) -> bool {
        self.valued(session, node).is_none() || self.poor.contains(&node)
    }

    /// Takes the job's results; returns how it ended, if it has.
    pub fn take_news(&mut self, session: &Session, News { view, state }: News) -> Option<EndedReview> {
        let running = self.running.as_mut()?;
        if let Ok(view) = view.downcast::<ReviewView>() {
            let found = running.nodes.iter().zip(&view.found);
            let found = found.filter_map(|(&node, valued)| Some((node, Arc::clone(valued.as_ref()?))));
            found.for_each(|(node, valued)| {
                self.poor.remove(&node);
                self.known.insert(node, valued);
            });
            self.changes += 1;
            running.view = *view;
        }
        let failure = match state {
            State::Running | State::Paused => return None,
            State::Done => None,
            State::Failed(why) => Some(why),
        };
        let Running { nodes, is_quiet, is_coach, .. } = self.running.take()?;
        if let Some(node) = nodes.first().copied().filter(|&node| is_coach && self.valued(session, node).is_none()) {
            self.unrated = Some(node);
        }
        Some(EndedReview { is_quiet, is_coach, failure })
    }
}
