//! The search of the position on screen: the panel of all moves, the hint, and the threat, the opponent's best move if the side to move passed.
//!
//! A line of moves shown on the board without being played: the better line of a mistake, or a line of the analysis.
//!
//! The record stays as it is. Esc, Home and V end the preview; any other key that does not step through the line ends it and does its
//! own work.

use ratatui::text::Line;

use super::figures::{line_text, marked_variation, variation_text};
use super::{Panels, why};
use crate::app::tab::{Context, Tone};
use crate::config::Search;
use crate::game::{Move, Position};
use crate::job::{JobId, News, State};
use crate::player::analysis::{AnalysisJob, AnalysisView, Engine, Question};
use crate::player::chances::Curve;
use crate::player::line_extension::LineExtension;
use crate::pool::Pool;
use crate::search::{self, MoveStatistics};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip, width};

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
        let is_done = self.state == Some(State::Done);
        match self.job {
            Some((_, spot)) if wanted && spot == at => {}
            Some((job, _)) => {
                cx.stop(job);
                self.job = None;
                self.start(session, wanted && !is_done, cx);
            }
            None => self.start(session, wanted && !is_done, cx),
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
            let job = cx.start(LineExtension::new(session.record.clone(), &view.report, cx.pool));
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
fn start_search(session: &Session, position: Position, question: Question, cx: &mut Context) -> JobId {
    // A guest has one thread.
    let alone = cx.paths.rights().is_guest().then(Pool::alone);
    let before = if position == *session.position() { session.record.before() } else { Default::default() };
    cx.start(AnalysisJob::after(None, position, &before, question, alone.as_ref().unwrap_or(cx.pool)))
}

/// Search depth in plies, reached within a second.
const DEPTH: u32 = 10;

/// The searches for a threat, and their results.
pub struct Threat {
    spot: Spot,
    /// The position with the opponent to move.
    position: Position,
    job: Option<JobId>,
    /// The opponent's best line after the pass.
    line: Option<search::Line>,
    /// The best line of the side to move: there is a threat only if the pass is worse.
    own: Option<search::Line>,
}

impl Threat {
    /// Whether passing would cost the side to move anything.
    fn is_real(&self) -> Option<bool> {
        let (line, own) = self.line.as_ref().zip(self.own.as_ref())?;
        let unit = self.position.unit();
        Some(-line.value(unit) < own.value(unit))
    }
}

/// Returns the position with the opponent to move; `None` if it has no move there.
pub fn passed(session: &Session) -> Option<Position> {
    let position = session.position();
    let opponent = position.side().other();
    let passed = session.record.variant.from_board(&position.board(), opponent).ok();
    passed.filter(|passed| passed.side() == opponent && !passed.is_over())
}

fn search_threat(session: &Session, position: Position, cx: &mut Context) -> JobId {
    let mb = cx.config.search.table_mb as usize;
    let depth = DEPTH.min(cx.config.search.analysis_depth);
    start_search(session, position, Question::AlphaBeta { depth, mb, solve: false }, cx)
}

impl Panels {
    /// Begins to search for the threat in this position, with the opponent to move.
    pub fn begin_threat(&mut self, session: &Session, position: Position, cx: &mut Context) {
        let job = Some(search_threat(session, position, cx));
        self.threat = Some(Threat { spot: session.spot(), position, job, line: None, own: None });
    }

    /// Hides the threat and stops its search; false if there is none.
    pub fn end_threat(&mut self, cx: &mut Context) -> bool {
        let threat = self.threat.take();
        threat.iter().filter_map(|threat| threat.job).for_each(|job| cx.stop(job));
        threat.is_some()
    }

    /// Drops the threat in another position.
    pub fn settle_threat(&mut self, session: &Session, cx: &mut Context) {
        if self.threat.as_ref().is_some_and(|threat| threat.spot != session.spot()) {
            self.end_threat(cx);
        }
    }

    pub fn is_threat(&self, job: JobId) -> bool {
        self.threat.as_ref().is_some_and(|threat| threat.job == Some(job))
    }

    pub fn threat_news(&mut self, session: &Session, news: News, cx: &mut Context) {
        match news.state {
            State::Done => {
                let view = news.view.downcast::<AnalysisView>().ok();
                match view.and_then(|view| view.report.lines.first().cloned()) {
                    Some(line) => self.take_threat(session, line, cx),
                    None => self.give_up_threat(
                        Tone::Info,
                        "The analysis time ended before a threat was found".to_owned(),
                        cx,
                    ),
                }
            }
            State::Failed(reason) => {
                self.give_up_threat(Tone::Bad, format!("The search for a threat failed: {reason}"), cx);
            }
            State::Running | State::Paused => {}
        }
    }

    fn give_up_threat(&mut self, tone: Tone, text: String, cx: &mut Context) {
        self.threat = None;
        cx.notice(tone, text);
    }

    /// Takes the result of the search after the pass, then that of the position itself.
    fn take_threat(&mut self, session: &Session, found: search::Line, cx: &mut Context) {
        let is_own = self.threat.as_ref().is_some_and(|threat| threat.line.is_some());
        let job = (!is_own).then(|| search_threat(session, *session.position(), cx));
        let Some(threat) = &mut self.threat else { return };
        threat.job = job;
        *(if is_own { &mut threat.own } else { &mut threat.line }) = Some(found);
    }

    /// The threat in words: `Threat: North's c moves again, then f takes 8 at D (+9)`.
    pub fn threat_line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        let threat = self.threat.as_ref()?;
        let Threat { position, line, .. } = threat;
        let (Some(line), Some(is_real)) = (line, threat.is_real()) else {
            return Some(Line::from(look.span(Role::Dim, format!("Searching for the threat{}", look.glyphs.ellipsis))));
        };
        let seat = session.seat_name(position.side());
        let value = line_text(line, position, look);
        let (role, text) = match is_real {
            true => {
                let deeds = why::turn(position, &line.pv).unwrap_or_else(|| position.move_text(line.mv));
                (Role::Warning, format!("Threat: {seat}'s {deeds} ({value})"))
            }
            false => (
                Role::Text,
                format!("No threat: after a pass {seat}'s best is {} ({value})", position.move_text(line.mv)),
            ),
        };
        Some(Line::from(look.span(role, clip(&text, room, look))))
    }
}

/// The line, and how much of it is on the board.
pub struct Preview {
    spot: Spot,
    moves: Vec<Move>,
    shown: usize,
}

/// A position of the line, and the move that led to it.
pub struct LinePosition {
    pub position: Position,
    pub before: Position,
    pub mv: Move,
}

/// The keys of a preview, with their words.
pub fn footer_keys() -> Vec<(String, String)> {
    [(". ,", "step"), ("Esc", "back to the game")].map(|(key, word)| (key.to_owned(), word.to_owned())).into()
}

impl Preview {
    /// A line from the position of the game, up to its first illegal move; `None` if that is the first. No move is shown yet.
    pub fn new(session: &Session, line: &[Move]) -> Option<Preview> {
        let mut position = *session.position();
        let mut moves = Vec::new();
        for &mv in line {
            if position.is_over() || !position.is_legal(mv) {
                break;
            }
            position = position.play(mv);
            moves.push(mv);
        }
        (!moves.is_empty()).then(|| Preview { spot: session.spot(), moves, shown: 0 })
    }

    /// Shows the next move (`by` = 1) or takes the last one back (-1); returns whether a move is new.
    pub fn step(&mut self, by: isize) -> bool {
        let before = self.shown;
        self.shown = before.saturating_add_signed(by).min(self.moves.len());
        self.shown > before
    }
}

impl Panels {
    fn preview(&self, session: &Session) -> Option<&Preview> {
        self.preview.as_ref().filter(|preview| preview.spot == session.spot())
    }

    pub fn is_previewing(&self, session: &Session) -> bool {
        self.preview(session).is_some()
    }

    /// The position on the board, if it is one of a line.
    pub fn previewed(&self, session: &Session) -> Option<LinePosition> {
        let preview = self.preview(session)?;
        let (&mv, earlier) = preview.moves[..preview.shown].split_last()?;
        let before = earlier.iter().fold(*session.position(), |position, &mv| position.play(mv));
        Some(LinePosition { position: before.play(mv), before, mv })
    }

    /// Drops a line of another position.
    pub fn settle_preview(&mut self, session: &Session) {
        if !self.is_previewing(session) {
            self.preview = None;
        }
    }

    /// The line in words: the shown moves, then the others.
    pub fn preview_line(&self, session: &Session, room: u16, look: &Look) -> Option<Line<'static>> {
        let Preview { moves, shown, .. } = self.preview(session)?;
        let (shown, rest) = moves.split_at(*shown);
        let count = format!("Line {} of {}: ", shown.len(), moves.len());
        let mut left = room.saturating_sub(width(&count));
        let first = variation_text(session.position(), shown, left);
        left = left.saturating_sub(width(&first) + 1);
        let after = self.previewed(session)?.position;
        Some(Line::from(vec![
            look.span(Role::Dim, count),
            look.span(Role::Accent, first),
            look.span(Role::Dim, format!(" {}", marked_variation(&after, rest, left, look))),
        ]))
    }
}
