//! The lines of a move that is tried, and of the best one, continued beside the review: of a solved position the review knows the first
//! moves alone, and not the reply that refutes a wrong one.

use super::{Board, Spot};
use crate::app::effect::Context;
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::player::lengthening::Lengthening;
use crate::search::{Line, Report};

/// The job, and its newest lines.
pub(super) struct TriedLines {
    spot: Spot,
    job: Option<JobId>,
    lines: Vec<Vec<Move>>,
}

impl Board {
    /// Begins with the lines of a tried move and of the best one.
    pub(super) fn lengthen_tried(&mut self, tried: Option<Move>, cx: &mut Context) {
        self.stop_tried_lines(cx);
        let at = self.session.record.at();
        // A guest's time is limited.
        let Some(valued) = self.valued(at).filter(|_| !cx.paths.rights().is_guest()) else { return };
        let best = valued.best().map(|best| Line { pv: valued.line().to_vec(), ..best.clone() });
        let own = tried.and_then(|mv| valued.move_line(mv)).cloned();
        let report =
            Report { solved: valued.solved, lines: own.into_iter().chain(best).collect(), ..Report::default() };
        let job = cx.start(Lengthening::new(self.session.record.clone(), &report, cx.pool));
        let spot = self.session.spot();
        self.panels.tried_lines = Some(TriedLines { spot, job: Some(job), lines: Vec::new() });
    }

    fn stop_tried_lines(&mut self, cx: &mut Context) {
        if let Some(job) = self.panels.tried_lines.take().and_then(|tried| tried.job) {
            cx.stop(job);
        }
    }

    /// Drops the lines of another position.
    pub(super) fn settle_tried_lines(&mut self, cx: &mut Context) {
        let is_here = |tried: &TriedLines| self.is_retrying() && tried.spot == self.session.spot();
        if self.panels.tried_lines.as_ref().is_some_and(|tried| !is_here(tried)) {
            self.stop_tried_lines(cx);
        }
    }

    pub(super) fn is_of_tried_lines(&self, job: JobId) -> bool {
        self.panels.tried_lines.as_ref().is_some_and(|tried| tried.job == Some(job))
    }

    pub(super) fn tried_lines_news(&mut self, news: News) {
        let Some(tried) = &mut self.panels.tried_lines else { return };
        if matches!(news.state, State::Done | State::Failed(_)) {
            tried.job = None;
        }
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            tried.lines = *lines;
        }
    }

    /// Returns a line of the position shown with its continuation, as far as that is known.
    pub(super) fn continued<'a>(&'a self, line: &'a [Move]) -> &'a [Move] {
        let tried = self.panels.tried_lines.as_ref().filter(|tried| tried.spot == self.session.spot());
        let mut lines = tried.iter().flat_map(|tried| &tried.lines);
        lines.find(|longer| longer.starts_with(line)).map_or(line, Vec::as_slice)
    }
}
