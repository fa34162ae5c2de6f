//! The review of the game on the board: its start and its end, the way to mistakes, and better moves.

use super::Board;
use super::panels::review::{EndedReview, add_line};
use super::session::casual::Reason;
use crate::app::tab::{Context, Tone};
use crate::game::record::NodeId;
use crate::job::News;
use crate::player::review::GivenAway;

impl Board {
    /// Writes the results into the record, and so into its file.
    fn keep_review(&mut self) {
        if !self.panels.review.is_of(self.session.game) {
            return;
        }
        let is_modified = self.is_modified();
        self.panels.review.write(&mut self.session);
        // A review alone does not mark an opened game as unsaved.
        if !is_modified && self.session.begun != Some(self.session.game) {
            self.library.mark_saved(self.session.record.version());
        }
    }

    /// Starts, stops or resumes the review of the line.
    pub(super) fn toggle_review(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        if self.panels.review.is_reviewing() && self.stop_review(cx) {
            let (done, of) = self.panels.review.reviewed(&self.session);
            cx.notice(Tone::Info, format!("Review stopped at {done} of {of} positions; r resumes"));
            return;
        }
        self.use_help(Reason::Review, cx);
        self.panels.review.renew(&self.session, cx);
        if !self.start_review(false, cx) {
            cx.notice(Tone::Info, self.panels.review.summary(&self.session));
        }
    }

    /// Stops a review that the person did not ask for: the players wait for it.
    pub(super) fn stop_quiet_review(&mut self, cx: &mut Context) {
        if self.panels.review.is_quiet() {
            self.stop_review(cx);
        }
    }

    /// Stops the job; its results stay.
    pub(super) fn stop_review(&mut self, cx: &mut Context) -> bool {
        self.practice.after_review = None;
        let is_stopped = self.panels.review.stop(cx);
        if is_stopped {
            self.keep_review();
        }
        is_stopped
    }

    /// Starts evaluating unknown positions of the line; false if all are known.
    pub(super) fn start_review(&mut self, is_quiet: bool, cx: &mut Context) -> bool {
        if !cx.allows_analysis() {
            return false;
        }
        self.forget_other_games(cx);
        if self.panels.review.is_rating() {
            self.stop_review(cx);
        }
        let is_started = self.panels.review.start(&self.session, is_quiet, cx);
        if is_started {
            self.session.mode.stop();
        }
        is_started
    }

    /// Drops the results about other games.
    pub(super) fn forget_other_games(&mut self, cx: &mut Context) {
        if !self.panels.review.is_of(self.session.game) {
            self.stop_review(cx);
            self.panels.review.clear(self.session.game);
        }
    }

    /// Takes the job's results.
    pub(super) fn review_news(&mut self, news: News, cx: &mut Context) {
        let Some(EndedReview { is_quiet, is_coach, failure }) = self.panels.review.take_news(&self.session, news)
        else {
            return;
        };
        if let Some(why) = failure {
            let what = if is_coach { "The coach's search" } else { "The review" };
            cx.notice(Tone::Bad, format!("{what} failed: {why}"));
            return;
        }
        self.keep_review();
        if let Some((side, moves)) = self.library.logged_game(&self.session) {
            let (accuracy, marks, phases) = self.panels.review.rating(&self.session, side, moves);
            self.library.log_review(accuracy, marks, phases, cx);
        }
        // Moves may have been made meanwhile. A guest's review ends with its time, and the coach values one position.
        let goes_on = !is_coach && !cx.paths.rights().is_guest() && self.start_review(is_quiet, cx);
        if !goes_on && !is_quiet {
            cx.notice(Tone::Good, self.panels.review.summary(&self.session));
        }
        if !goes_on && self.practice.after_review.take() == Some(self.session.game) {
            self.toggle_retry(cx);
        }
    }

    /// Goes to the next (`by` = 1) or previous (-1) mistake of the line.
    pub(super) fn go_to_mistake(&mut self, by: isize, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            return self.skip_retried(cx);
        }
        if !self.panels.review.has_results(&self.session) {
            return cx.notice(Tone::Info, "The game is not reviewed yet (r: review)");
        }
        let place = |node: NodeId| self.session.record.ply_at(node);
        let here = place(self.session.record.at());
        let mistakes = self.panels.review.mistakes(&self.session);
        let mut places = mistakes.iter().map(|&(node, _)| (place(node), node));
        let found = match by {
            // At the end of the game, continues with the first mistake.
            1.. if self.session.record.next().is_none() => places.next(),
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

    pub(super) fn can_better(&self) -> bool {
        !self.practice.is_retrying(&self.session) && self.panels.review.bettered(&self.session).is_some()
    }

    /// Adds the principal variation beside the move that gave something away, and shows its first move.
    pub(super) fn show_better(&mut self, cx: &mut Context) {
        let Some((parent, mv)) = self.panels.review.bettered(&self.session) else {
            let known = self.panels.review.valued(&self.session, self.session.record.at()).is_some();
            let text = if known { "No better move here" } else { "Not reviewed yet (r: review)" };
            return cx.notice(Tone::Info, text);
        };
        let Some(valued) = self.panels.review.valued(&self.session, parent).cloned() else { return };
        let Some(best) = valued.best() else { return };
        let position = *self.session.record.position_at(parent);
        let better = position.move_text(best.mv);
        let worse = position.move_text(mv);
        let mover = self.session.seat_name(position.side());
        let plies = valued.depth;
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
    }
}
