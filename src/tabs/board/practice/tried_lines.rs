//! The lines of a move that is tried, and of the best one, continued beside the review: of a solved position the review knows the first
//! moves alone, and not the reply that refutes a wrong one.
//!
//! Shallow searches continue them at once, then a solver does, which early in a game takes a minute.

use crate::app::effect::Context;
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::player::lengthening::Lengthening;
use crate::search::{Line, Report};
use crate::tabs::board::{Board, Spot};

/// The job, and its newest lines.
pub(in crate::tabs::board) struct TriedLines {
    spot: Spot,
    job: Option<JobId>,
    /// The solved lines, which are continued once the estimates are complete.
    solved: Option<Report>,
    estimated: Vec<Vec<Move>>,
    exact: Vec<Vec<Move>>,
}

impl Board {
    /// Begins with the lines of a tried move and of the best one.
    pub(in crate::tabs::board) fn lengthen_tried(&mut self, tried: Option<Move>, cx: &mut Context) {
        self.stop_tried_lines(cx);
        let at = self.session.record.at();
        // A guest's time is limited.
        let Some(valued) = self.valued(at).filter(|_| !cx.paths.rights().is_guest()) else { return };
        let best = valued.best().map(|best| Line { pv: valued.line().to_vec(), ..best.clone() });
        let own = tried.and_then(|mv| valued.move_line(mv)).cloned();
        let lines: Vec<Line> = own.into_iter().chain(best).collect();
        let estimates = lines.iter().map(|line| Line { solved: false, ..line.clone() }).collect();
        let is_solved = lines.iter().any(|line| line.solved);
        let solved = is_solved.then(|| Report { solved: valued.solved, lines, ..Report::default() });
        let job = Some(self.lengthen(&Report { lines: estimates, ..Report::default() }, cx));
        let spot = self.session.spot();
        let none = Vec::new;
        self.panels.tried_lines = Some(TriedLines { spot, job, solved, estimated: none(), exact: none() });
    }

    fn lengthen(&self, report: &Report, cx: &mut Context) -> JobId {
        cx.start(Lengthening::new(self.session.record.clone(), report, cx.pool))
    }

    fn stop_tried_lines(&mut self, cx: &mut Context) {
        if let Some(job) = self.panels.tried_lines.take().and_then(|tried| tried.job) {
            cx.stop(job);
        }
    }

    /// Drops the lines of another position.
    pub(in crate::tabs::board) fn settle_tried_lines(&mut self, cx: &mut Context) {
        let is_here = |tried: &TriedLines| self.is_retrying() && tried.spot == self.session.spot();
        if self.panels.tried_lines.as_ref().is_some_and(|tried| !is_here(tried)) {
            self.stop_tried_lines(cx);
        }
    }

    pub(in crate::tabs::board) fn is_of_tried_lines(&self, job: JobId) -> bool {
        self.panels.tried_lines.as_ref().is_some_and(|tried| tried.job == Some(job))
    }

    pub(in crate::tabs::board) fn tried_lines_news(&mut self, news: News, cx: &mut Context) {
        let Some(tried) = &mut self.panels.tried_lines else { return };
        let is_estimate = tried.estimated.is_empty() || tried.solved.is_some();
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            if is_estimate { tried.estimated = *lines } else { tried.exact = *lines }
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            let solved = tried.solved.take();
            let job = solved.map(|solved| self.lengthen(&solved, cx));
            if let Some(tried) = &mut self.panels.tried_lines {
                tried.job = job;
            }
        }
    }

    /// Returns a line of the position shown with its continuation, as far as that is known, and how many of its moves are not estimated.
    pub(in crate::tabs::board) fn continued(&self, line: &[Move]) -> (Vec<Move>, usize) {
        let tried = self.panels.tried_lines.as_ref().filter(|tried| tried.spot == self.session.spot());
        let longer = |lines: &[Vec<Move>]| {
            lines.iter().find(|longer| longer.len() > line.len() && longer.starts_with(line)).cloned()
        };
        let exact = tried.and_then(|tried| longer(&tried.exact)).map(|moves| (moves, usize::MAX));
        let estimated = || tried.and_then(|tried| longer(&tried.estimated)).map(|moves| (moves, line.len()));
        exact.or_else(estimated).unwrap_or_else(|| (line.to_vec(), usize::MAX))
    }
}
