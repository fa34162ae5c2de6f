//! The review of the game on the board: a background job evaluates every position of the line and finds the mistakes
//! and better moves.
//!
//! Results are kept while the game is on the board: a stopped review resumes, and after new moves or along a variation
//! only new positions are evaluated.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Board;
use super::figures::value_text;
use crate::app::effect::{Context, Tone};
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Side};
use crate::job::{JobId, News, State};
use crate::player::reviewing::{Asked, GivenAway, Mark, Terms};
use crate::player::{Reviewed, Reviewing, Valued, reviewing};
use crate::search;
use crate::theme::Role;
use crate::ui::{Look, clip, width};

/// The results about the game on the board.
#[derive(Default)]
pub(super) struct Review {
    /// The game's number on the Board.
    game: u64,
    /// By node: a record does not reuse numbers.
    known: HashMap<NodeId, Arc<Valued>>,
    /// The nodes whose results are those of a file.
    recalled: Vec<NodeId>,
    /// The settings of the last review.
    terms: Option<Terms>,
    running: Option<Running>,
    /// The columns of each position in the chart, for the mouse.
    pub columns: Vec<(Rect, NodeId)>,
}

/// A running job and its positions.
struct Running {
    job: JobId,
    nodes: Vec<NodeId>,
    view: Reviewed,
    /// It extends earlier results: no notice at its end.
    is_quiet: bool,
}

/// The result for a position and the move that led to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Verdict {
    /// The value with best play by both sides, at the search depth, in seeds, discs or men. This and the chance are for the
    /// [side](Board::point_of_view) whose values are shown.
    pub value: f64,
    /// Chance of winning, 0 to 1.
    pub chance: f64,
    /// Won or lost, without a margin.
    pub is_decided: bool,
    pub mark: Option<Mark>,
}

/// The key of the better move.
const KEYS: &str = ". ! adds its line";

impl Review {
    /// The results that the file of an opened game has.
    pub fn of(values: Vec<(NodeId, Arc<Valued>)>) -> Review {
        let recalled = values.iter().map(|(node, _)| *node).collect();
        Review { known: values.into_iter().collect(), recalled, ..Review::default() }
    }
}

impl Board {
    /// Assigns the results from an opened game's file to the game with this number.
    pub(super) fn recall_review(&mut self, game: u64, cx: &Context) {
        self.review.game = game;
        self.review.terms = Some(cx.config.review.terms(&self.record.variant, cx.config.search.table_mb));
    }

    /// Writes the results into the record, and so into its file.
    fn keep_review(&mut self) {
        if self.review.game != self.game {
            return;
        }
        let is_modified = self.is_modified();
        for (&node, valued) in &self.review.known {
            let played: Vec<Move> = self.record.tried(node).map(|(_, mv)| mv).collect();
            let text = valued.to_text(self.record.position_at(node), &played);
            self.record.set_review(node, text);
        }
        // A review alone does not mark an opened game as unsaved.
        if !is_modified && self.begun != Some(self.game) {
            self.saved = self.record.version();
        }
    }

    /// Returns whether a review is running; no computer player moves meanwhile.
    pub(super) fn is_reviewing(&self) -> bool {
        self.review.running.is_some()
    }

    /// Returns whether there are results, or will be soon.
    pub(super) fn has_review(&self) -> bool {
        self.review.game == self.game && (self.is_reviewing() || !self.review.known.is_empty())
    }

    pub(super) fn valued(&self, node: NodeId) -> Option<&Arc<Valued>> {
        self.review.known.get(&node).filter(|_| self.review.game == self.game)
    }

    /// The result for a position; `None` before it is evaluated.
    pub(super) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let valued = self.valued(node)?;
        let came = self.record.came(node);
        let mark = came.and_then(|(parent, mv)| self.valued(parent)?.mark(mv, self.review.terms.as_ref()?));
        let is_south = self.point_of_view() == Side::South;
        let (value, chance) =
            if is_south { (valued.south, valued.chance()) } else { (-valued.south, 1.0 - valued.chance()) };
        Some(Verdict { value, chance, is_decided: valued.is_decided(), mark })
    }

    /// The thresholds of mistakes and blunders of the last review.
    pub(super) fn thresholds(&self) -> Option<[u32; 2]> {
        self.review.terms.as_ref().map(|terms| [terms.mistake, terms.blunder])
    }

    /// Starts, stops or resumes the review of the line.
    pub(super) fn toggle_review(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        if self.stop_review(cx) {
            let (done, of) = self.reviewed();
            cx.notice(Tone::Info, format!("Review stopped at {done} of {of} positions; r resumes"));
            return self.settle(cx);
        }
        self.renew_review(cx);
        if !self.start_review(false, cx) {
            cx.notice(Tone::Info, self.summary());
        }
        self.settle(cx);
    }

    /// Drops results from a file that are shallower than a review.
    fn renew_review(&mut self, cx: &Context) {
        let terms = cx.config.review.terms(&self.record.variant, cx.config.search.table_mb);
        let Review { known, recalled, .. } = &mut self.review;
        for node in recalled.drain(..) {
            let is_over = self.record.ending_at(node).is_some();
            let is_shallow = |valued: &Arc<Valued>| !is_over && !valued.solved && valued.depth < terms.depth;
            if known.get(&node).is_some_and(is_shallow) {
                known.remove(&node);
            }
        }
    }

    /// Stops a review that the person did not ask for: the players wait for it.
    pub(super) fn stop_quiet_review(&mut self, cx: &mut Context) {
        if self.review.running.as_ref().is_some_and(|running| running.is_quiet) {
            self.stop_review(cx);
        }
    }

    /// Stops the job; its results stay.
    pub(super) fn stop_review(&mut self, cx: &mut Context) -> bool {
        let running = self.review.running.take();
        if let Some(running) = &running {
            cx.stop(running.job);
            self.keep_review();
        }
        running.is_some()
    }

    /// Starts evaluating unknown positions of the line; false if all are known.
    pub(super) fn start_review(&mut self, is_quiet: bool, cx: &mut Context) -> bool {
        if !cx.allows_analysis() {
            return false;
        }
        let terms = cx.config.review.terms(&self.record.variant, cx.config.search.table_mb);
        self.forget_other_games(cx);
        self.review.terms = Some(terms);
        let nodes: Vec<NodeId> = self.line_nodes().into_iter().filter(|&node| self.valued(node).is_none()).collect();
        if nodes.is_empty() {
            return false;
        }
        let asked = nodes.iter().map(|&node| Asked::of(&self.record, node)).collect();
        self.autoplay = false;
        let job = cx.start(Reviewing::new(asked, terms, cx.pool));
        self.review.running = Some(Running { job, nodes, view: Reviewed::default(), is_quiet });
        true
    }

    /// Drops the results about other games.
    pub(super) fn forget_other_games(&mut self, cx: &mut Context) {
        if self.review.game != self.game {
            self.stop_review(cx);
            self.review = Review { game: self.game, ..Review::default() };
        }
    }

    /// Returns whether this is the review's job.
    pub(super) fn is_review(&self, job: JobId) -> bool {
        self.review.running.as_ref().is_some_and(|running| running.job == job)
    }

    /// Takes the job's results.
    pub(super) fn review_news(&mut self, News { view, state }: News, cx: &mut Context) {
        let Some(running) = &mut self.review.running else { return };
        if let Ok(view) = view.downcast::<Reviewed>() {
            let found = running.nodes.iter().zip(&view.found);
            let found = found.filter_map(|(&node, valued)| Some((node, Arc::clone(valued.as_ref()?))));
            self.review.known.extend(found);
            running.view = *view;
        }
        let is_quiet = running.is_quiet;
        match state {
            State::Done => {
                self.review.running = None;
                self.keep_review();
                self.log_accuracy(cx);
                // Moves may have been made meanwhile. A guest's review ends with its time.
                let goes_on = !cx.paths.rights().is_guest() && self.start_review(is_quiet, cx);
                if !goes_on && !is_quiet {
                    cx.notice(Tone::Good, self.summary());
                }
                self.settle(cx);
            }
            State::Failed(why) => {
                self.review.running = None;
                cx.notice(Tone::Bad, format!("The review failed: {why}"));
                self.settle(cx);
            }
            State::Running | State::Paused => {}
        }
    }

    /// The positions of the line from the start.
    pub(super) fn line_nodes(&self) -> Vec<NodeId> {
        std::iter::once(0).chain(self.record.line().into_iter().map(|step| step.node)).collect()
    }

    /// Numbers of evaluated and of all positions of the line.
    pub(super) fn reviewed(&self) -> (usize, usize) {
        let line = self.line_nodes();
        (line.iter().filter(|&&node| self.valued(node).is_some()).count(), line.len())
    }

    /// The mistakes of the line, by the positions after them.
    pub(super) fn mistakes(&self) -> Vec<(NodeId, Mark)> {
        let marked = |node: NodeId| Some((node, self.verdict(node)?.mark?));
        self.line_nodes().into_iter().filter_map(marked).collect()
    }

    pub(super) fn has_mistakes(&self) -> bool {
        !self.mistakes().is_empty()
    }

    /// The numbers of mistakes, as a sentence.
    fn summary(&self) -> String {
        let mistakes = self.mistakes();
        let blunders = mistakes.iter().filter(|(_, mark)| *mark == Mark::Blunder).count();
        let count = |number: usize, one: &str| match number {
            0 => format!("no {one}"),
            1 => format!("1 {one}"),
            _ => format!("{number} {one}s"),
        };
        let next = if mistakes.is_empty() { "" } else { "; > goes to the next" };
        let (few, many) = (count(mistakes.len() - blunders, "mistake"), count(blunders, "blunder"));
        format!("Reviewed: {few} (?), {many} (??){next}")
    }

    /// Goes to the next (`by` = 1) or previous (-1) mistake of the line.
    pub(super) fn go_to_mistake(&mut self, by: isize, cx: &mut Context) {
        if self.is_retrying() {
            return self.skip_retried(cx);
        }
        if !self.has_review() {
            return cx.notice(Tone::Info, "The game is not reviewed yet (r: review)");
        }
        let line = self.line_nodes();
        let place = |node: NodeId| line.iter().position(|&other| other == node);
        let here = place(self.record.at());
        let mistakes = self.mistakes();
        let mut places = mistakes.iter().map(|&(node, _)| (place(node), node));
        let found = match by {
            // At the end of the game, continues with the first mistake.
            1.. if self.record.next().is_none() => places.next(),
            1.. => places.find(|(place, _)| *place > here),
            _ => places.rfind(|(place, _)| *place < here),
        };
        let Some((_, node)) = found else {
            let where_to = if by > 0 { "after" } else { "before" };
            return cx.notice(Tone::Info, format!("No mistakes {where_to} this move"));
        };
        self.show_node(node, cx);
    }

    /// Goes to a position.
    pub(super) fn show_node(&mut self, node: NodeId, cx: &mut Context) {
        self.walk(cx, |record| {
            record.go_to(node);
            true
        });
    }

    /// The last move, or else the next one, if it gave something away, with the position before it.
    fn bettered(&self) -> Option<(NodeId, Move)> {
        let is_worse = |(parent, mv): &(NodeId, Move)| {
            self.valued(*parent).and_then(|valued| valued.loss(*mv)).is_some_and(|loss| !loss.is_zero())
        };
        let at = self.record.at();
        let last = self.record.came(at).filter(is_worse);
        last.or_else(|| self.record.next().map(|mv| (at, mv)).filter(is_worse))
    }

    pub(super) fn can_better(&self) -> bool {
        self.bettered().is_some()
    }

    /// Adds the principal variation beside the move that gave something away, and shows its first move.
    pub(super) fn show_better(&mut self, cx: &mut Context) {
        let Some((parent, mv)) = self.bettered() else {
            let known = self.valued(self.record.at()).is_some();
            let text = if known { "No better move here" } else { "Not reviewed yet (r: review)" };
            return cx.notice(Tone::Info, text);
        };
        let Some(valued) = self.valued(parent).cloned() else { return };
        let Some(best) = valued.best() else { return };
        let position = *self.record.position_at(parent);
        let (better, worse) = (position.move_text(best.mv), position.move_text(mv));
        let (mover, plies) = (self.seat_name(position.side()), valued.depth);
        let Some(loss) = valued.loss(mv) else { return };
        let (comment, text) = match loss.result {
            Some(GivenAway::Win) => (format!("wins, {worse} does not; {plies} plies ahead"), "which wins".to_owned()),
            Some(GivenAway::NotLost) => (format!("{worse} loses; {plies} plies ahead"), format!("as {worse} loses")),
            None => {
                let by = (10.0 * loss.value).round() / 10.0;
                let value = (10.0 * valued.value_of(best)).round() / 10.0;
                (
                    format!("{mover} {value:+}, {by} better than {worse}, {plies} plies ahead"),
                    format!("{by} better than {worse}"),
                )
            }
        };
        self.walk(cx, |record| add_line(record, parent, valued.line(), &comment));
        cx.notice(Tone::Info, format!("Added {better}, {text}. [ ] switches"));
        self.start_review(true, cx);
        self.settle(cx);
    }

    /// Progress of the review: `12 of 50 positions · 4 s left`.
    pub(super) fn review_progress(&self, look: &Look) -> Option<String> {
        let view = &self.review.running.as_ref()?.view;
        let (done, of) = self.reviewed();
        let left = view.left().map(|left| format!(" {} {} left", look.glyphs.dot, time_text(left)));
        Some(format!("{done} of {of} positions{}", left.unwrap_or_default()))
    }

    /// Returns whether a review is running, or the last move was a mistake.
    pub(super) fn has_review_news(&self) -> bool {
        self.is_reviewing() || self.verdict(self.record.at()).is_some_and(|verdict| verdict.mark.is_some())
    }

    /// The review's line about the last move: progress, or the better move.
    pub(super) fn review_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        if let Some(progress) = self.review_progress(look) {
            let text = format!("Reviewing {} {progress} {} r stops", look.glyphs.pointer, look.glyphs.dot);
            return Some(Line::from(look.span(Role::Accent, clip(&text, room, look))));
        }
        let at = self.record.at();
        let (verdict, (parent, mv)) = (self.verdict(at)?, self.record.came(at)?);
        let before = self.valued(parent)?;
        let position = self.record.position_at(parent);
        let name = position.move_text(mv);
        let (best, loss) = (before.best()?, before.loss(mv)?);
        let value = self.shown_value(before, best, look);
        let text = match loss.is_zero() {
            _ if before.moves.len() == 1 => format!("{name} was the only move ({value})"),
            true if before.is_decisive(best.margin) => format!("{name} changes nothing: {value}"),
            true => format!("{name} is the best move ({value})"),
            false => {
                let mark = verdict.mark.map_or(String::new(), |mark| format!("{} ", mark.text()));
                let lost = match loss.result {
                    None => {
                        let after = self.shown_value(before, before.of(mv)?, look);
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

    /// The value of a move from the shown [point of view](Board::point_of_view), or the result for the side to move.
    pub(super) fn shown_value(&self, valued: &Valued, line: &search::Line, look: &Look) -> String {
        match valued.is_decisive(line.margin) {
            true => if line.margin > 0 { "wins" } else { "loses" }.to_owned(),
            false if valued.side() == self.point_of_view() => value_text(valued.value_of(line), look),
            false => value_text(-valued.value_of(line), look),
        }
    }

    /// How well a side chose its moves in percent, over its reviewed moves with a choice; `None` if there are none.
    pub(super) fn accuracy(&self, side: Side) -> Option<f64> {
        reviewing::accuracy(
            self.record
                .line()
                .iter()
                .filter(|step| step.mover == side)
                .filter_map(|step| Some((self.valued(self.record.parent(step.node)?)?.as_ref(), step.mv))),
        )
    }
}

/// `12 s`, or `3 min`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Adds moves from a position unless they exist, and goes to the first of them; the line includes all. Existing moves
/// get no comment.
fn add_line(record: &mut Record, from: NodeId, moves: &[Move], comment: &str) -> bool {
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
