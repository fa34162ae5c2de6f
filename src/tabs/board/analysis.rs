//! What a search says about the position on screen: the panel of all moves, and the hint.

use super::{Board, Place};
use crate::app::effect::{Context, Tone};
use crate::game::Move;
use crate::job::{JobId, News, State};
use crate::player::thinking::{Analysed, Analysing};

/// The analysis of one position.
#[derive(Default)]
pub struct Analysis {
    pub on: bool,
    /// The job at work, and the position it works on.
    job: Option<(JobId, Place)>,
    /// What the newest is about.
    place: Option<Place>,
    pub view: Option<Analysed>,
    pub state: Option<State>,
    /// The hint is wanted, or shown.
    hint: bool,
}

/// A hint is the best move once the analysis is this deep, or solved.
const HINT_DEPTH: u32 = 12;

impl Analysis {
    pub fn hint(&self) -> Option<Move> {
        let report = &self.view.as_ref()?.report;
        let enough = report.depth >= HINT_DEPTH || self.state == Some(State::Done);
        report.lines.first().filter(|_| self.hint && enough).map(|line| line.mv)
    }

    pub fn waits_for_hint(&self) -> bool {
        self.hint && self.hint().is_none()
    }

    fn is_wanted(&self) -> bool {
        self.on || self.waits_for_hint()
    }
}

impl Board {
    pub(super) fn toggle_analysis(&mut self, cx: &mut Context) {
        self.analysis.on = !self.analysis.on;
        self.settle_analysis(cx);
    }

    pub(super) fn toggle_hint(&mut self, cx: &mut Context) {
        if self.position().is_over() {
            return cx.notice(Tone::Info, "The game is over");
        }
        self.analysis.hint = !self.analysis.hint;
        self.settle_analysis(cx);
    }

    /// Starts or stops the search so that it works on the position on screen, if on any.
    pub(super) fn settle_analysis(&mut self, cx: &mut Context) {
        let at = self.place();
        if self.analysis.place != Some(at) || self.edit.is_some() {
            // Another position: what was known is about the old one, and a hint is for one move.
            let Analysis { on, job, .. } = std::mem::take(&mut self.analysis);
            self.analysis = Analysis { on, job, place: Some(at), ..Analysis::default() };
        }
        let wanted = self.analysis.is_wanted() && self.edit.is_none() && !self.position().is_over();
        let known = matches!(self.analysis.state, Some(State::Done | State::Failed(_)));
        match self.analysis.job {
            Some((_, place)) if wanted && place == at => {}
            Some((job, _)) => {
                cx.stop(job);
                self.analysis.job = None;
                self.start_analysis(wanted && !known, cx);
            }
            None => self.start_analysis(wanted && !known, cx),
        }
    }

    fn start_analysis(&mut self, wanted: bool, cx: &mut Context) {
        if wanted {
            let settings = &cx.config.search;
            let (depth, table_mb) = (settings.analysis_depth, settings.table_mb);
            let job = cx.start(Analysing::new(*self.position(), depth, table_mb as usize));
            self.analysis.job = Some((job, self.place()));
        }
    }

    pub(super) fn analysis_news(&mut self, job: JobId, news: News, cx: &mut Context) {
        if self.analysis.job.is_none_or(|(running, _)| running != job) {
            return;
        }
        if let Ok(view) = news.view.downcast::<Analysed>() {
            self.analysis.view = Some(*view);
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            self.analysis.job = None;
        }
        self.analysis.state = Some(news.state);
        self.settle_analysis(cx);
    }
}
