//! The search of the position on screen: the panel of all moves, and the hint.

use crate::app::effect::{Context, Tone};
use crate::config::Search;
use crate::game::{Move, Position};
use crate::job::{JobId, News, State};
use crate::player::Spec;
use crate::player::analysing::{Analysing, AnalysisView, Engine, Question};
use crate::player::chances::Curve;
use crate::player::lengthening::Lengthening;
use crate::pool::Pool;
use crate::search::{self, MoveStatistics};
use crate::tabs::board::playback::Thinking;
use crate::tabs::board::session::casual::Reason;
use crate::tabs::board::{Board, Spot};

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
}

impl Board {
    pub(in crate::tabs::board) fn toggle_analysis(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        self.panels.analysis.on = !self.panels.analysis.on;
        self.panels.explorer.last &= !self.panels.analysis.on;
        if self.panels.analysis.on {
            self.use_help(Reason::Analysis, cx);
        }
        cx.remember("board", "analysis", self.panels.analysis.on.to_string());
        self.panels.terms_last &= !self.panels.analysis.on;
        self.settle_analysis(cx);
    }

    /// Switches to the other search.
    pub(in crate::tabs::board) fn change_engine(&mut self, cx: &mut Context) {
        let Analysis { on, engine, job, lengthening, hint, spot, .. } = std::mem::take(&mut self.panels.analysis);
        let jobs = [job.map(|(job, _)| job), lengthening.map(|(job, _)| job)];
        jobs.into_iter().flatten().for_each(|job| cx.stop(job));
        let engine = engine.other();
        self.panels.analysis = Analysis { on, engine, hint, spot, ..Analysis::default() };
        if !on || self.player_in_panel().is_some() {
            cx.notice(Tone::Info, format!("Analysis and hints now use {}", engine.title()));
        }
        self.settle_analysis(cx);
    }

    /// The thinking player whose own search the panel shows: it covers every move, and a second search would slow it
    /// down.
    pub(in crate::tabs::board) fn player_in_panel(&self) -> Option<&Thinking> {
        let plays_out =
            matches!(self.session.players[self.session.position().side().index()], Spec::Mcts(_) | Spec::Puct(_));
        self.playback.thinking.as_ref().filter(|thinking| plays_out && !thinking.failed)
    }

    fn is_analysis_wanted(&self) -> bool {
        let shown = self.panels.analysis.on && self.player_in_panel().is_none();
        (shown || self.panels.analysis.waits_for_hint()) && self.edit.is_none() && !self.session.is_over()
    }

    pub(in crate::tabs::board) fn toggle_hint(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() {
            return;
        }
        if self.session.is_over() {
            return cx.notice(Tone::Info, "The game is over");
        }
        self.panels.analysis.hint = !self.panels.analysis.hint;
        if self.panels.analysis.hint {
            self.use_help(Reason::Hint, cx);
        }
        self.panels.analysis.plays_hint = false;
        self.settle_analysis(cx);
    }

    /// Starts or stops the search to match the position on screen.
    pub(in crate::tabs::board) fn settle_analysis(&mut self, cx: &mut Context) {
        let at = self.session.spot();
        if self.panels.analysis.spot != Some(at) || self.edit.is_some() {
            // Another position: the results are outdated, and a hint is for one move.
            let Analysis { on, engine, job, lengthening, .. } = std::mem::take(&mut self.panels.analysis);
            if let Some((job, _)) = lengthening {
                cx.stop(job);
            }
            self.panels.analysis = Analysis { on, engine, job, spot: Some(at), ..Analysis::default() };
        }
        if let Some((job, _)) = self.panels.analysis.lengthening.take_if(|_| !self.panels.analysis.on) {
            cx.stop(job);
        }
        let wanted = self.is_analysis_wanted();
        let known = matches!(self.panels.analysis.state, Some(State::Done | State::Failed(_)));
        match self.panels.analysis.job {
            Some((_, spot)) if wanted && spot == at => {}
            Some((job, _)) => {
                cx.stop(job);
                self.panels.analysis.job = None;
                self.start_analysis(wanted && !known, cx);
            }
            None => self.start_analysis(wanted && !known, cx),
        }
    }

    /// Starts a search of a position, which follows on the positions of the game unless it is another one.
    pub(in crate::tabs::board) fn start_search(
        &self,
        position: Position,
        question: Question,
        cx: &mut Context,
    ) -> JobId {
        // A guest has one thread.
        let alone = cx.paths.rights().is_guest().then(Pool::alone);
        let before =
            if position == *self.session.position() { self.session.record.before() } else { Default::default() };
        cx.start(Analysing::after(None, position, &before, question, alone.as_ref().unwrap_or(cx.pool)))
    }

    fn start_analysis(&mut self, wanted: bool, cx: &mut Context) {
        if wanted && cx.allows_analysis() {
            let question = self.panels.analysis.question(&cx.config.search);
            let job = self.start_search(*self.session.position(), question, cx);
            self.panels.analysis.job = Some((job, self.session.spot()));
        }
    }

    pub(in crate::tabs::board) fn analysis_news(&mut self, job: JobId, news: News, cx: &mut Context) {
        if self.panels.analysis.lengthening.is_some_and(|(running, ..)| running == job) {
            return self.lines_news(news, cx);
        }
        if self.panels.analysis.job.is_none_or(|(running, _)| running != job) {
            return;
        }
        if let Ok(view) = news.view.downcast::<AnalysisView>() {
            self.panels.analysis.take_view(*view);
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            self.panels.analysis.job = None;
        }
        self.panels.analysis.state = Some(news.state);
        self.settle_analysis(cx);
        self.lengthen_lines(cx);
        if let Some(mv) = self.panels.analysis.hint().filter(|_| self.panels.analysis.plays_hint) {
            self.make_move(mv, cx);
        }
    }

    /// Continues the lines of each deeper report, beside the search.
    fn lengthen_lines(&mut self, cx: &mut Context) {
        let Analysis { on, engine, lengthened, lengthening, .. } = self.panels.analysis;
        // A guest's time is limited.
        let is_wanted = on && engine == Engine::AlphaBeta && lengthening.is_none() && !cx.paths.rights().is_guest();
        let Some(view) = self.panels.analysis.view.as_ref().filter(|_| is_wanted) else { return };
        let depth = if view.report.solved { u32::MAX } else { view.report.depth };
        if depth >= LENGTHENED_FROM && depth > lengthened {
            let job = cx.start(Lengthening::new(self.session.record.clone(), &view.report, cx.pool));
            self.panels.analysis.lengthening = Some((job, depth));
        }
    }

    fn lines_news(&mut self, news: News, cx: &mut Context) {
        let analysis = &mut self.panels.analysis;
        if let (State::Done | State::Failed(_), Some((_, depth))) = (&news.state, analysis.lengthening) {
            (analysis.lengthening, analysis.lengthened) = (None, depth);
        }
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            analysis.longer = *lines;
            analysis.take_longer();
        }
        // The search may have ended meanwhile, at a greater depth.
        self.lengthen_lines(cx);
    }

    /// The chance of winning of the side at the bottom: by the review, or by the analysis if it is on.
    pub(in crate::tabs::board) fn chance_below(&self) -> Option<f64> {
        if let Some(verdict) = self.verdict(self.session.record.at()) {
            let is_shown = self.bottom() == self.point_of_view();
            return Some(if is_shown { verdict.chance } else { 1.0 - verdict.chance });
        }
        let position = self.session.position();
        let view = self
            .panels
            .analysis
            .view
            .as_ref()
            .filter(|_| self.panels.analysis.on && self.panels.analysis.spot == Some(self.session.spot()))?;
        let best = view.report.lines.iter().max_by_key(|line| (line.tried.map(|tried| tried.visits), line.rank()))?;
        let chance = match best.tried {
            Some(tried) => f64::from(tried.mean) / f64::from(MoveStatistics::UNIT),
            None if position.decided().is_some_and(|win| best.margin.abs() >= win) => {
                f64::from(best.margin.signum().max(0))
            }
            None if best.solved => Curve::OVER.chance(best.value(position.unit())),
            None => Curve::at(position).chance(best.value(position.unit())),
        };
        Some(if position.side() == self.bottom() { chance } else { 1.0 - chance })
    }

    /// Plays the move of a hint for the person to move.
    pub(in crate::tabs::board) fn play_hint(&mut self, cx: &mut Context) {
        (self.panels.analysis.hint, self.panels.analysis.plays_hint) = (true, true);
        match self.panels.analysis.hint() {
            Some(mv) => self.make_move(mv, cx),
            None => self.settle_analysis(cx),
        }
    }
}
