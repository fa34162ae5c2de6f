//! The review of the game on the board: every position of the line valued in the background, the mistakes found, and what would
//! have been better.
//!
//! What is known of a position is kept for as long as the game is on the board: a review that was stopped goes on where it was, and
//! after new moves, or along a variation, only what is new is valued.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Board;
use super::figures::margin_text;
use crate::app::effect::{Context, Tone};
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Side};
use crate::job::{JobId, News, State};
use crate::player::reviewing::{Asked, Loss, Mark, Terms};
use crate::player::{Reviewed, Reviewing, Valued};
use crate::theme::Role;
use crate::ui::{Look, clip, width};

/// What is known of the game on the board.
#[derive(Default)]
pub(super) struct Review {
    /// The game it is about, by the number that the Board gives it.
    game: u64,
    /// A record never gives a number to another position.
    known: HashMap<NodeId, Arc<Valued>>,
    /// As the last review was asked for.
    terms: Option<Terms>,
    running: Option<Running>,
    /// Where the curve was drawn, for the mouse: the columns of each position.
    pub columns: Vec<(Rect, NodeId)>,
}

/// A job at work, and the positions it was asked about.
struct Running {
    job: JobId,
    nodes: Vec<NodeId>,
    view: Reviewed,
    /// It only adds to what was found: nothing is told at its end.
    is_quiet: bool,
}

/// What a review says of a position and of the move that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    /// The margin for South with best play on both sides, as far as was looked.
    pub value: i32,
    /// The value says who is ahead: where discs turn over, it does once the end of the game is seen.
    pub is_firm: bool,
    pub mark: Option<Mark>,
}

/// What a person may ask for next, where there are mistakes.
const KEYS: &str = "; ! shows it";

impl Board {
    /// A review is at work, and no computer player moves.
    pub(super) fn is_reviewing(&self) -> bool {
        self.review.running.is_some()
    }

    /// Something of the game is reviewed, or will soon be.
    pub(super) fn has_review(&self) -> bool {
        self.review.game == self.game && (self.is_reviewing() || !self.review.known.is_empty())
    }

    pub(super) fn valued(&self, node: NodeId) -> Option<&Arc<Valued>> {
        self.review.known.get(&node).filter(|_| self.review.game == self.game)
    }

    /// What is known of a position; `None` before it is valued.
    pub(super) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let valued = self.valued(node)?;
        let came = self.record.came(node);
        let mark = came.and_then(|(parent, mv)| self.valued(parent)?.mark(mv, self.review.terms.as_ref()?));
        Some(Verdict { value: valued.south, is_firm: valued.is_firm(), mark })
    }

    /// What a move gives away that is a mistake, and that is a blunder, as the last review was asked for.
    pub(super) fn thresholds(&self) -> Option<[u32; 2]> {
        self.review.terms.as_ref().map(|terms| [terms.mistake, terms.blunder])
    }

    /// Starts the review of the line, or stops it; where it was stopped it goes on.
    pub(super) fn toggle_review(&mut self, cx: &mut Context) {
        if self.stop_review(cx) {
            let (done, of) = self.reviewed();
            cx.notice(Tone::Info, format!("Review stopped at {done} of {of} positions; r goes on"));
            return self.settle(cx);
        }
        if !self.start_review(false, cx) {
            cx.notice(Tone::Info, self.summary());
        }
        self.settle(cx);
    }

    /// Stops the job, if there is one; what it has found stays.
    pub(super) fn stop_review(&mut self, cx: &mut Context) -> bool {
        let running = self.review.running.take();
        if let Some(running) = &running {
            cx.stop(running.job);
        }
        running.is_some()
    }

    /// Begins to value what is not known of the line; false if all of it is known.
    fn start_review(&mut self, is_quiet: bool, cx: &mut Context) -> bool {
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

    /// What was found out about a game that is no longer on the board goes with it.
    pub(super) fn forget_other_games(&mut self, cx: &mut Context) {
        if self.review.game != self.game {
            self.stop_review(cx);
            self.review = Review { game: self.game, ..Review::default() };
        }
    }

    /// Whether this is the review's job.
    pub(super) fn is_review(&self, job: JobId) -> bool {
        self.review.running.as_ref().is_some_and(|running| running.job == job)
    }

    /// Takes in what its job has found.
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
                // Moves may have been made in the meantime.
                if !self.start_review(is_quiet, cx) && !is_quiet {
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

    /// The positions of the line, the start first.
    pub(super) fn line_nodes(&self) -> Vec<NodeId> {
        std::iter::once(0).chain(self.record.line().into_iter().map(|step| step.node)).collect()
    }

    /// How many positions of the line are valued, and how many there are.
    pub(super) fn reviewed(&self) -> (usize, usize) {
        let line = self.line_nodes();
        (line.iter().filter(|&&node| self.valued(node).is_some()).count(), line.len())
    }

    /// The moves of the line that are mistakes, by the positions after them.
    pub(super) fn mistakes(&self) -> Vec<(NodeId, Mark)> {
        let marked = |node: NodeId| Some((node, self.verdict(node)?.mark?));
        self.line_nodes().into_iter().filter_map(marked).collect()
    }

    pub(super) fn has_mistakes(&self) -> bool {
        !self.mistakes().is_empty()
    }

    /// How many mistakes there are, in a sentence.
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

    /// Goes to the next mistake of the line, or the one before, `by` being 1 or -1.
    pub(super) fn go_to_mistake(&mut self, by: isize, cx: &mut Context) {
        if !self.has_review() {
            return cx.notice(Tone::Info, "The game is not reviewed yet; r does that");
        }
        let line = self.line_nodes();
        let place = |node: NodeId| line.iter().position(|&other| other == node);
        let here = place(self.record.at());
        let mistakes = self.mistakes();
        let mut places = mistakes.iter().map(|&(node, _)| (place(node), node));
        let found = match by {
            // At the end of the game there is nothing to go to but the first one.
            1.. if self.record.next().is_none() => places.next(),
            1.. => places.find(|(place, _)| *place > here),
            _ => places.rfind(|(place, _)| *place < here),
        };
        let Some((_, node)) = found else {
            let where_to = if by > 0 { "after" } else { "before" };
            return cx.notice(Tone::Info, format!("No mistake {where_to} this position"));
        };
        self.show_node(node, cx);
    }

    /// Walks to a position.
    pub(super) fn show_node(&mut self, node: NodeId, cx: &mut Context) {
        self.walk(cx, |record| {
            record.go_to(node);
            true
        });
    }

    /// The move that gave something away: the last one, or else the next; by the position before it.
    fn bettered(&self) -> Option<(NodeId, Move)> {
        let is_worse = |(parent, mv): &(NodeId, Move)| {
            self.valued(*parent).and_then(|valued| valued.loss(*mv)).is_some_and(|loss| loss != Loss::Margin(0))
        };
        let at = self.record.at();
        let last = self.record.came(at).filter(is_worse);
        last.or_else(|| self.record.next().map(|mv| (at, mv)).filter(is_worse))
    }

    pub(super) fn can_better(&self) -> bool {
        self.bettered().is_some()
    }

    /// Puts the principal variation beside the move that gave something away, and shows its first move.
    pub(super) fn show_better(&mut self, cx: &mut Context) {
        let Some((parent, mv)) = self.bettered() else {
            let known = self.valued(self.record.at()).is_some();
            let text = if known { "Nothing was given away here" } else { "Not reviewed yet; r does that" };
            return cx.notice(Tone::Info, text);
        };
        let Some(valued) = self.valued(parent).cloned() else { return };
        let Some(best) = valued.best() else { return };
        let position = *self.record.position_at(parent);
        let (better, worse) = (position.move_text(best.mv), position.move_text(mv));
        let (south, plies) = (self.seat_name(Side::South), valued.depth);
        let (comment, text) = match valued.loss(mv) {
            Some(Loss::Win) => (format!("wins, {worse} does not; {plies} plies ahead"), "which wins".to_owned()),
            Some(Loss::Game) => (format!("{worse} loses; {plies} plies ahead"), format!("as {worse} loses")),
            _ => {
                let by = valued.lost(mv).unwrap_or(0);
                let comment = format!("{south} {:+}, {by} better than {worse}, {plies} plies ahead", valued.south);
                (comment, format!("{by} better than {worse}"))
            }
        };
        self.walk(cx, |record| add_line(record, parent, valued.line(), &comment));
        cx.notice(Tone::Info, format!("Added {better}, {text}. [ ] switches"));
        self.start_review(true, cx);
        self.settle(cx);
    }

    /// How far the review is: `12 of 50 positions · 4 s left`.
    pub(super) fn review_progress(&self, look: &Look) -> Option<String> {
        let view = &self.review.running.as_ref()?.view;
        let (done, of) = self.reviewed();
        let left = view.left().map(|left| format!(" {} {} left", look.glyphs.dot, time_text(left)));
        Some(format!("{done} of {of} positions{}", left.unwrap_or_default()))
    }

    /// The review is at work, or the last move was a mistake.
    pub(super) fn has_review_news(&self) -> bool {
        self.is_reviewing() || self.verdict(self.record.at()).is_some_and(|verdict| verdict.mark.is_some())
    }

    /// What there is to say of the last move: how far the review is, or what was better.
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
        let best = before.best()?;
        let value = margin_text(best.margin, position, look);
        let text = match before.loss(mv)? {
            _ if before.moves.len() == 1 => format!("{name} was the only move ({value})"),
            Loss::Margin(0) if before.is_decisive(best.margin) => format!("{name} changes nothing: {value}"),
            Loss::Margin(0) => format!("{name} is the best move ({value})"),
            loss => {
                let mark = verdict.mark.map_or(String::new(), |mark| format!("{} ", mark.text()));
                let lost = match loss {
                    Loss::Margin(lost) => format!("loses {lost}"),
                    Loss::Win => "gives up the win".to_owned(),
                    Loss::Game => "loses the game".to_owned(),
                };
                let text = format!("{mark}{name} {lost}. {} was better ({value})", position.move_text(best.mv));
                // Where there is no room for all of it, the footer has the key.
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
}

/// `12 s`, or `3 min`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

/// Adds moves from a position on, where they are not there yet, and goes to the first of them; the line goes through all. What is
/// there is not commented again.
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
