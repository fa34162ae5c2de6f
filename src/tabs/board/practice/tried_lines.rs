//! The lines of a move that is tried, and of the best one, continued beside the review: of a solved position the review knows the first
//! moves alone, and not the reply that refutes a wrong one.
//!
//! Shallow searches continue them at once, then a solver does, which early in a game takes a minute.

use super::Practice;
use crate::app::effect::Context;
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::player::lengthening::Lengthening;
use crate::search::{Line, Report};
use crate::tabs::board::panels::review::Review;
use crate::tabs::board::session::{Session, Spot};

/// The job, and its newest lines.
pub struct TriedLines {
    spot: Spot,
    job: Option<JobId>,
    /// The solved lines, which are continued once the estimates are complete.
    solved: Option<Report>,
    estimated: Vec<Vec<Move>>,
    exact: Vec<Vec<Move>>,
}

impl Practice {
    /// Begins with the lines of a tried move and of the best one.
    pub fn lengthen_lines(&mut self, session: &Session, review: &Review, tried: Option<Move>, cx: &mut Context) {
        self.stop_lines(cx);
        let at = session.record.at();
        // A guest's time is limited.
        let Some(valued) = review.valued(session, at).filter(|_| !cx.paths.rights().is_guest()) else { return };
        let best = valued.best().map(|best| Line { pv: valued.line().to_vec(), ..best.clone() });
        let own = tried.and_then(|mv| valued.move_line(mv)).cloned();
        let lines: Vec<Line> = own.into_iter().chain(best).collect();
        let estimates = lines.iter().map(|line| Line { solved: false, ..line.clone() }).collect();
        let is_solved = lines.iter().any(|line| line.solved);
        let solved = is_solved.then(|| Report { solved: valued.solved, lines, ..Report::default() });
        let job = Some(self.lengthen(session, &Report { lines: estimates, ..Report::default() }, cx));
        let spot = session.spot();
        let none = Vec::new;
        self.lines = Some(TriedLines { spot, job, solved, estimated: none(), exact: none() });
    }

    fn lengthen(&self, session: &Session, report: &Report, cx: &mut Context) -> JobId {
        cx.start(Lengthening::new(session.record.clone(), report, cx.pool))
    }

    fn stop_lines(&mut self, cx: &mut Context) {
        if let Some(job) = self.lines.take().and_then(|tried| tried.job) {
            cx.stop(job);
        }
    }

    /// Drops the lines of another position.
    pub fn settle_lines(&mut self, session: &Session, cx: &mut Context) {
        let is_here = |tried: &TriedLines| self.is_retrying(session) && tried.spot == session.spot();
        if self.lines.as_ref().is_some_and(|tried| !is_here(tried)) {
            self.stop_lines(cx);
        }
    }

    pub fn is_job(&self, job: JobId) -> bool {
        self.lines.as_ref().is_some_and(|tried| tried.job == Some(job))
    }

    pub fn lines_news(&mut self, session: &Session, news: News, cx: &mut Context) {
        let Some(tried) = &mut self.lines else { return };
        let is_estimate = tried.estimated.is_empty() || tried.solved.is_some();
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            if is_estimate { tried.estimated = *lines } else { tried.exact = *lines }
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            let solved = tried.solved.take();
            let job = solved.map(|solved| self.lengthen(session, &solved, cx));
            if let Some(tried) = &mut self.lines {
                tried.job = job;
            }
        }
    }

    /// Returns a line of the position shown with its continuation, as far as that is known, and how many of its moves are not estimated.
    pub fn continued(&self, session: &Session, line: &[Move]) -> (Vec<Move>, usize) {
        let tried = self.lines.as_ref().filter(|tried| tried.spot == session.spot());
        let longer = |lines: &[Vec<Move>]| {
            lines.iter().find(|longer| longer.len() > line.len() && longer.starts_with(line)).cloned()
        };
        let exact = tried.and_then(|tried| longer(&tried.exact)).map(|moves| (moves, usize::MAX));
        let estimated = || tried.and_then(|tried| longer(&tried.estimated)).map(|moves| (moves, line.len()));
        exact.or_else(estimated).unwrap_or_else(|| (line.to_vec(), usize::MAX))
    }
}
