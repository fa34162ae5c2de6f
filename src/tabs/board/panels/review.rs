//! The review of the game on the board: a background job evaluates every position of the line and finds the mistakes
//! and better moves.
//!
//! Results are kept while the game is on the board: a stopped review resumes, and after new moves or along a variation
//! only new positions are evaluated.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::figures::shown_value;
use crate::app::tab::Context;
use crate::game::record::{NodeId, Record, Step};
use crate::game::{Move, Side, Variant};
use crate::job::{JobId, News, State};
use crate::player::review::{self, Effort, GivenAway, Loss, Mark, PositionRequest, Terms};
use crate::player::{PositionValue, ReviewJob, ReviewView};
use crate::results::Phases;
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::{Look, clip, width};

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
    active: Option<ActiveReview>,
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
struct ActiveReview {
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
        self.active.as_ref().is_some_and(|active| !active.is_coach)
    }

    /// Returns whether a position is valued for the coach.
    pub fn is_rating(&self) -> bool {
        self.active.as_ref().is_some_and(|active| active.is_coach)
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
        let requests = vec![PositionRequest::new(&session.record, node)];
        let quick = Terms { effort: Effort::Quick, solve: terms.solve.min(COACH_SOLVES), ..terms };
        let job = cx.start(ReviewJob::new(requests, quick, cx.pool));
        self.recalled.push(node);
        self.active =
            Some(ActiveReview { job, nodes: vec![node], view: ReviewView::default(), is_quiet: true, is_coach: true });
    }

    /// Returns whether this is the review's job.
    pub fn is_job(&self, job: JobId) -> bool {
        self.active.as_ref().is_some_and(|active| active.job == job)
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
        self.active.as_ref().is_some_and(|active| active.is_quiet)
    }

    /// Stops the job, whose results stay; false if none is running.
    pub fn stop(&mut self, cx: &mut Context) -> bool {
        let active = self.active.take();
        active.iter().for_each(|active| cx.stop(active.job));
        active.is_some()
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
        let requests = nodes.iter().map(|&node| PositionRequest::new(&session.record, node)).collect();
        let job = cx.start(ReviewJob::new(requests, terms, cx.pool));
        self.active = Some(ActiveReview { job, nodes, view: ReviewView::default(), is_quiet, is_coach: false });
        true
    }

    /// Returns whether a review values this position.
    fn is_wanted(&self, session: &Session, node: NodeId) -> bool {
        self.valued(session, node).is_none() || self.poor.contains(&node)
    }

    /// Takes the job's results; returns how it ended, if it has.
    pub fn take_news(&mut self, session: &Session, News { view, state }: News) -> Option<EndedReview> {
        let active = self.active.as_mut()?;
        if let Ok(view) = view.downcast::<ReviewView>() {
            let found = active.nodes.iter().zip(&view.found);
            let found = found.filter_map(|(&node, valued)| Some((node, Arc::clone(valued.as_ref()?))));
            found.for_each(|(node, valued)| {
                self.poor.remove(&node);
                self.known.insert(node, valued);
            });
            self.changes += 1;
            active.view = *view;
        }
        let failure = match state {
            State::Running | State::Paused => return None,
            State::Done => None,
            State::Failed(why) => Some(why),
        };
        let ActiveReview { nodes, is_quiet, is_coach, .. } = self.active.take()?;
        if let Some(node) = nodes.first().copied().filter(|&node| is_coach && self.valued(session, node).is_none()) {
            self.unrated = Some(node);
        }
        Some(EndedReview { is_quiet, is_coach, failure })
    }
}

/// What the results mean for a line.
#[derive(Debug)]
pub struct Summary {
    key: Key,
    /// Numbers of evaluated and of all positions.
    reviewed: (usize, usize),
    mistakes: Arc<[(NodeId, Mark)]>,
    accuracies: [Option<f64>; 2],
}

/// What a [`Summary`] depends on.
#[derive(PartialEq, Debug)]
struct Key {
    games: [u64; 2],
    changes: u64,
    terms: Option<Terms>,
    version: u64,
    end: NodeId,
}

/// The key of the better move.
const KEYS: &str = ". ! adds its line";

/// `12 s`, or `3 min`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Adds moves from a position unless they exist, and goes to the first of them; the line includes all. Existing moves
/// get no comment.
pub fn add_line(record: &mut Record, from: NodeId, moves: &[Move], comment: &str) -> bool {
    record.go_to(from);
    let mut first = None;
    for &mv in moves {
        if !record.play(mv) {
            break;
        }
        first.get_or_insert(record.at());
    }
    if let Some(first) = first {
        while record.at() != first && record.back() {}
        if record.comment(first).is_empty() {
            record.set_comment(first, comment);
        }
    }
    first.is_some()
}

impl Review {
    /// Numbers of evaluated and of all positions of the line.
    pub fn reviewed(&self, session: &Session) -> (usize, usize) {
        self.of_line(session).reviewed
    }

    /// The mistakes of the line in their order, by the positions after them.
    pub fn mistakes(&self, session: &Session) -> Arc<[(NodeId, Mark)]> {
        Arc::clone(&self.of_line(session).mistakes)
    }

    /// What the results mean for the line. A frame needs it several times, so that it is kept.
    fn of_line(&self, session: &Session) -> Arc<Summary> {
        let Review { game, changes, terms, summary, .. } = self;
        let key = Key {
            games: [session.game, *game],
            changes: *changes,
            terms: *terms,
            version: session.record.version(),
            end: session.record.end(),
        };
        let mut summary = summary.borrow_mut();
        match &*summary {
            Some(known) if known.key == key => Arc::clone(known),
            _ => Arc::clone(summary.insert(Arc::new(self.summarised(session, key)))),
        }
    }

    fn summarised(&self, session: &Session, key: Key) -> Summary {
        let nodes = session.line_nodes();
        let line = session.record.line();
        let done = nodes.iter().filter(|&&node| self.valued(session, node).is_some()).count();
        let marked = |&node: &NodeId| Some((node, self.verdict(session, node)?.mark?));
        let chosen = |step: &Step| Some((self.valued(session, session.record.parent(step.node)?)?.as_ref(), step.mv));
        let chosen_by = |side: Side| line.iter().filter(move |step| step.mover == side).filter_map(chosen);
        let accuracies = Side::BOTH.map(|side| review::accuracy(chosen_by(side)));
        let mistakes = nodes.iter().filter_map(marked).collect();
        Summary { key, reviewed: (done, nodes.len()), mistakes, accuracies }
    }

    pub fn has_mistakes(&self, session: &Session) -> bool {
        !self.mistakes(session).is_empty()
    }

    /// The numbers of mistakes, as a sentence.
    pub fn summary(&self, session: &Session) -> String {
        let mistakes = self.mistakes(session);
        let blunders = mistakes.iter().filter(|(_, mark)| *mark == Mark::Blunder).count();
        let count = |number: usize, one: &str| match number {
            0 => format!("no {one}"),
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        let next = if mistakes.is_empty() { "" } else { "; > goes to the next" };
        let few = count(mistakes.len() - blunders, "mistake");
        let many = count(blunders, "blunder");
        format!("Reviewed: {few} (?), {many} (??){next}")
    }

    /// The last move, or else the next one, if it gave something away, with the position before it.
    pub fn bettered(&self, session: &Session) -> Option<(NodeId, Move)> {
        let is_worse = |(parent, mv): &(NodeId, Move)| {
            self.valued(session, *parent).and_then(|valued| valued.loss(*mv)).is_some_and(|loss| !loss.is_zero())
        };
        let at = session.record.at();
        let last = session.record.came(at).filter(is_worse);
        last.or_else(|| session.record.next().map(|mv| (at, mv)).filter(is_worse))
    }

    /// Progress of the review: `12 of 50 positions · 4 s left`.
    pub fn progress(&self, session: &Session, look: &Look) -> Option<String> {
        let view = &self.active.as_ref()?.view;
        let (done, of) = self.reviewed(session);
        let left = view.left().map(|left| format!(" {} {} left", look.glyphs.dot, time_text(left)));
        Some(format!("{done} of {of} positions{}", left.unwrap_or_default()))
    }

    /// Returns whether a review is running, or the last move was a mistake.
    pub fn has_news(&self, session: &Session) -> bool {
        self.is_reviewing() || self.verdict(session, session.record.at()).is_some_and(|verdict| verdict.mark.is_some())
    }

    /// The review's line about the last move: progress, or the better move.
    pub fn line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        if let Some(progress) = self.progress(session, look) {
            let text = format!("Reviewing {} {progress} {} r stops", look.glyphs.pointer, look.glyphs.dot);
            let (done, of) = self.reviewed(session);
            let short = format!("Reviewing: {done} of {of}");
            let text = if width(&text) <= room { text } else { short };
            return Some(Line::from(look.span(Role::Accent, clip(&text, room, look))));
        }
        let at = session.record.at();
        let (verdict, (parent, mv)) = (self.verdict(session, at)?, session.record.came(at)?);
        let before = self.valued(session, parent)?;
        let position = session.record.position_at(parent);
        let name = position.move_text(mv);
        let best = before.best()?;
        let loss = before.loss(mv)?;
        let value = shown_value(session, before, best, look);
        let text = match loss.is_zero() {
            _ if before.moves.len() == 1 => format!("{name} was the only move ({value})"),
            true if before.is_decisive(best.margin) => format!("{name} changes nothing: {value}"),
            true => format!("{name} is the best move ({value})"),
            false => {
                let mark = verdict.mark.map_or(String::new(), |mark| format!("{} ", mark.text()));
                let lost = match loss.result {
                    None => {
                        let after = shown_value(session, before, before.move_line(mv)?, look);
                        format!("{value} {} {after}, loses {:.0} %", look.glyphs.right, loss.chance)
                    }
                    Some(GivenAway::Win) => "gives up the win".to_owned(),
                    Some(GivenAway::NotLost) => "loses the game".to_owned(),
                };
                let text = format!("{mark}{name} {lost}. {} was better", position.move_text(best.mv));
                // The footer also shows the key, if it does not fit.
                Some(format!("{text}{KEYS}")).filter(|long| width(long) <= room).unwrap_or(text)
            }
        };
        let role = match verdict.mark {
            Some(Mark::Blunder) => Role::Bad,
            Some(Mark::Mistake) => Role::Warning,
            None => Role::Dim,
        };
        Some(Line::from(look.span(role, clip(&text, room, look))))
    }

    /// How well a side chose its moves in percent, over its reviewed moves with a choice; `None` if there are none.
    pub fn accuracy(&self, session: &Session, side: Side) -> Option<f64> {
        self.of_line(session).accuracies[side.index()]
    }

    /// Returns the accuracy, the numbers of mistakes and blunders, and the phases of a side's game of this number of moves.
    pub fn rating(&self, session: &Session, side: Side, moves: usize) -> (Option<f64>, [u32; 2], Phases) {
        let line = session.record.main_line();
        let own: Vec<_> = line.iter().take(moves).filter(|step| step.mover == side).collect();
        let valued = |node| self.valued(session, session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = review::accuracy(own.iter().filter_map(|step| Some((valued(step.node)?, step.mv))));
        let marks: Vec<Mark> = own.iter().filter_map(|step| self.verdict(session, step.node)?.mark).collect();
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count() as u32;
        (accuracy, [Mark::Mistake, Mark::Blunder].map(count), self.phases(session, side, moves))
    }

    /// How the thirds of a reviewed game with this number of moves went for a side.
    fn phases(&self, session: &Session, side: Side, moves: usize) -> Phases {
        let line = session.record.main_line();
        let line = &line[..moves.min(line.len())];
        let third = |index: usize| &line[index * line.len() / 3..(index + 1) * line.len() / 3];
        let valued = |node| self.valued(session, session.record.parent(node)?).map(AsRef::as_ref);
        let accuracy = |index: usize| {
            let own = third(index).iter().filter(|step| step.mover == side);
            review::accuracy(own.filter_map(|step| Some((valued(step.node)?, step.mv))))
        };
        let chance = |index: usize| {
            let chance = self.verdict(session, third(index).last()?.node)?.chance;
            Some(100.0 * if side == session.point_of_view() { chance } else { 1.0 - chance })
        };
        Phases { accuracy: [0, 1, 2].map(accuracy), chance: [0, 1].map(chance) }
    }

    /// The marks of a side's moves.
    pub fn marks(&self, session: &Session, side: Side) -> Vec<Mark> {
        let line = session.record.line();
        let own = line.iter().filter(|step| step.mover == side);
        own.filter_map(|step| self.verdict(session, step.node)?.mark).collect()
    }
}
