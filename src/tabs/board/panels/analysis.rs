//! The search of the position on screen: the panel of all moves, and the hint.

use super::Panels;
use crate::app::effect::Context;
use crate::config::Search;
use crate::game::{Move, Position};
use crate::job::{JobId, News, State};
use crate::player::analysing::{Analysing, AnalysisView, Engine, Question};
use crate::player::chances::Curve;
use crate::player::lengthening::Lengthening;
use crate::pool::Pool;
use crate::search::{self, MoveStatistics};
use crate::tabs::board::session::{Session, Spot};

/// The analysis of one position.
#[derive(Default)]
pub struct Analysis {
    pub on: bool,
    /// The selected search.
    pub engine: Engine,
    /// The running job and its position.
    job: Option<(JobId, Spot)>,
    /// The position of the newest view.
    spot: Option<Spot>,
    pub view: Option<AnalysisView>,
    pub state: Option<State>,
    /// The job that continues its lines, with the depth of their report; the depth of the last one, and the lines.
    lengthening: Option<(JobId, u32)>,
    lengthened: u32,
    longer: Vec<Vec<Move>>,
    /// The moves of each line of the view that the search itself has found, by the line's first.
    found: Vec<(Move, usize)>,
    /// The hint was requested or is shown.
    hint: bool,
    /// The hint is to be played.
    plays_hint: bool,
}

/// Depth, games or end of the search from which the best move is shown as a hint.
const HINT_DEPTH: u32 = 12;

/// Depth from which lines are continued.
const LENGTHENED_FROM: u32 = 6;

const HINT_GAMES: u64 = 100_000;

impl Analysis {
    pub fn hint(&self) -> Option<Move> {
        let report = &self.view.as_ref()?.report;
        let enough = match self.engine {
            Engine::AlphaBeta => report.depth >= HINT_DEPTH,
            Engine::MonteCarlo => report.games >= HINT_GAMES,
        };
        let enough = enough || self.state == Some(State::Done);
        report.lines.first().filter(|_| self.hint && enough).map(|line| line.mv)
    }

    pub fn waits_for_hint(&self) -> bool {
        self.hint && self.hint().is_none()
    }

    /// Returns the moves that the search has found of a line; those behind are continued.
    pub fn found(&self, line: &search::Line) -> usize {
        self.found.iter().find(|(mv, _)| *mv == line.mv).map_or(usize::MAX, |(_, moves)| *moves)
    }

    fn take_view(&mut self, view: AnalysisView) {
        self.found = view.report.lines.iter().map(|line| (line.mv, line.pv.len())).collect();
        self.view = Some(view);
        self.take_longer();
    }

    /// Continues the lines of the report by those that begin alike.
    fn take_longer(&mut self) {
        for line in self.view.iter_mut().flat_map(|view| &mut view.report.lines) {
            let longer = self.longer.iter().find(|longer| longer.starts_with(&line.pv));
            line.pv = longer.unwrap_or(&line.pv).clone();
        }
    }

    fn question(&self, settings: &Search) -> Question {
        let mb = settings.table_mb as usize;
        match self.engine {
            Engine::AlphaBeta => Question::AlphaBeta { depth: settings.analysis_depth, mb, solve: settings.solve },
            Engine::MonteCarlo => Question::MonteCarlo { games: settings.analysis_iterations.into(), mb },
        }
    }

    /// Switches to the other search; returns whether the panel is on.
    pub fn change_engine(&mut self, cx: &mut Context) -> bool {
        let Analysis { on, engine, job, lengthening, hint, spot, .. } = std::mem::take(self);
        let jobs = [job.map(|(job, _)| job), lengthening.map(|(job, _)| job)];
        jobs.into_iter().flatten().for_each(|job| cx.stop(job));
        *self = Analysis { on, engine: engine.other(), hint, spot, ..Analysis::default() };
        on
    }

    /// Requests a hint, or hides it; returns whether it is requested.
    pub fn toggle_hint(&mut self) -> bool {
        self.hint = !self.hint;
        self.plays_hint = false;
        self.hint
    }

    /// Requests a hint that is to be played.
    pub fn request_move(&mut self) {
        (self.hint, self.plays_hint) = (true, true);
    }

    /// Starts or stops the search to match the position on screen; `is_of_player`: the panel shows the search of a thinking player.
    pub fn settle(&mut self, session: &Session, is_of_player: bool, cx: &mut Context) {
        let at = session.spot();
        if self.spot != Some(at) || session.edit.is_some() {
            // Another position: the results are outdated, and a hint is for one move.
            let Analysis { on, engine, job, lengthening, .. } = std::mem::take(self);
            if let Some((job, _)) = lengthening {
                cx.stop(job);
            }
            *self = Analysis { on, engine, job, spot: Some(at), ..Analysis::default() };
        }
        if let Some((job, _)) = self.lengthening.take_if(|_| !self.on) {
            cx.stop(job);
        }
        let is_shown = self.on && !is_of_player;
        let wanted = (is_shown || self.waits_for_hint()) && session.edit.is_none() && !session.is_over();
        let known = self.state == Some(State::Done);
        match self.job {
            Some((_, spot)) if wanted && spot == at => {}
            Some((job, _)) => {
                cx.stop(job);
                self.job = None;
                self.start(session, wanted && !known, cx);
            }
            None => self.start(session, wanted && !known, cx),
        }
    }

    fn start(&mut self, session: &Session, wanted: bool, cx: &mut Context) {
        if wanted && cx.allows_analysis() {
            let question = self.question(&cx.config.search);
            let job = start_search(session, *session.position(), question, cx);
            self.job = Some((job, session.spot()));
        }
    }

    /// Takes the results of a job; returns the move of a hint that is to be played.
    pub fn take_news(
        &mut self,
        session: &Session,
        (job, news): (JobId, News),
        is_of_player: bool,
        cx: &mut Context,
    ) -> Option<Move> {
        if self.lengthening.is_some_and(|(running, ..)| running == job) {
            self.take_lines(session, news, cx);
            return None;
        }
        self.job.filter(|(running, _)| *running == job)?;
        if let Ok(view) = news.view.downcast::<AnalysisView>() {
            self.take_view(*view);
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            self.job = None;
        }
        self.state = Some(news.state).filter(|state| !matches!(state, State::Failed(_)));
        if self.state.is_none() {
            // The app reports the failure. The next request starts the search again.
            (self.on, self.hint, self.plays_hint) = (false, false, false);
        }
        self.settle(session, is_of_player, cx);
        self.lengthen_lines(session, cx);
        self.hint().filter(|_| self.plays_hint)
    }

    /// Continues the lines of each deeper report, beside the search.
    fn lengthen_lines(&mut self, session: &Session, cx: &mut Context) {
        let Analysis { on, engine, lengthened, lengthening, .. } = *self;
        // A guest's time is limited.
        let is_wanted = on && engine == Engine::AlphaBeta && lengthening.is_none() && !cx.paths.rights().is_guest();
        let Some(view) = self.view.as_ref().filter(|_| is_wanted) else { return };
        let depth = if view.report.solved { u32::MAX } else { view.report.depth };
        if depth >= LENGTHENED_FROM && depth > lengthened {
            let job = cx.start(Lengthening::new(session.record.clone(), &view.report, cx.pool));
            self.lengthening = Some((job, depth));
        }
    }

    fn take_lines(&mut self, session: &Session, news: News, cx: &mut Context) {
        if let (State::Done | State::Failed(_), Some((_, depth))) = (&news.state, self.lengthening) {
            (self.lengthening, self.lengthened) = (None, depth);
        }
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            self.longer = *lines;
            self.take_longer();
        }
        // The search may have ended meanwhile, at a greater depth.
        self.lengthen_lines(session, cx);
    }

    /// Returns the chance of winning of the side at the bottom, if the panel is on.
    fn chance_below(&self, session: &Session) -> Option<f64> {
        let position = session.position();
        let view = self.view.as_ref().filter(|_| self.on && self.spot == Some(session.spot()))?;
        let best = view.report.lines.iter().max_by_key(|line| (line.tried.map(|tried| tried.visits), line.rank()))?;
        let chance = match best.tried {
            Some(tried) => f64::from(tried.mean) / f64::from(MoveStatistics::UNIT),
            None if position.decided().is_some_and(|win| best.margin.abs() >= win) => {
                f64::from(best.margin.signum().max(0))
            }
            None if best.solved => Curve::OVER.chance(best.value(position.unit())),
            None => Curve::at(position).chance(best.value(position.unit())),
        };
        Some(if position.side() == session.bottom() { chance } else { 1.0 - chance })
    }
}

impl Panels {
    /// Returns the chance of winning of the side at the bottom: by the review, or by the analysis if it is on.
    pub fn chance_below(&self, session: &Session) -> Option<f64> {
        let Some(verdict) = self.review.verdict(session, session.record.at()) else {
            return self.analysis.chance_below(session);
        };
        let is_shown = session.bottom() == session.point_of_view();
        Some(if is_shown { verdict.chance } else { 1.0 - verdict.chance })
    }
}

/// Starts a search of a position, which follows on the positions of the game unless it is another one.
pub(super) fn start_search(session: &Session, position: Position, question: Question, cx: &mut Context) -> JobId {
    // A guest has one thread.
    let alone = cx.paths.rights().is_guest().then(Pool::alone);
    let before = if position == *session.position() { session.record.before() } else { Default::default() };
    cx.start(Analysing::after(None, position, &before, question, alone.as_ref().unwrap_or(cx.pool)))
}
