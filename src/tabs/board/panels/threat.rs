//! The threat: the opponent's best move if the side to move passed.

use ratatui::text::Line;

use super::figures::line_text;
use super::why;
use crate::app::effect::{Context, Tone};
use crate::game::Position;
use crate::job::{JobId, News, State};
use crate::player::analysing::{AnalysisView, Question};
use crate::search;
use crate::tabs::board::session::casual::Reason;
use crate::tabs::board::{Board, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip};

/// Search depth in plies, reached within a second.
const DEPTH: u32 = 10;

/// The searches for a threat, and their results.
pub(in crate::tabs::board) struct Threat {
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

impl Board {
    /// Shows the threat in this position, or hides it.
    pub(in crate::tabs::board) fn toggle_threat(&mut self, cx: &mut Context) {
        if !cx.permits_analysis() || self.end_threat(cx) {
            return;
        }
        let position = self.session.position();
        let opponent = position.side().other();
        let passed = self.session.record.variant.from_board(&position.board(), opponent).ok();
        let Some(position) = passed.filter(|passed| passed.side() == opponent && !passed.is_over()) else {
            return cx.notice(Tone::Info, format!("{} has no move here", self.session.seat_name(opponent)));
        };
        self.use_help(Reason::Threat, cx);
        let job = Some(self.search_threat(position, cx));
        self.panels.threat = Some(Threat { spot: self.session.spot(), position, job, line: None, own: None });
    }

    fn search_threat(&self, position: Position, cx: &mut Context) -> JobId {
        let mb = cx.config.search.table_mb as usize;
        let depth = DEPTH.min(cx.config.search.analysis_depth);
        self.start_search(position, Question::AlphaBeta { depth, mb, solve: false }, cx)
    }

    /// Hides the threat and stops its search; false if there is none.
    fn end_threat(&mut self, cx: &mut Context) -> bool {
        let threat = self.panels.threat.take();
        threat.iter().filter_map(|threat| threat.job).for_each(|job| cx.stop(job));
        threat.is_some()
    }

    /// Drops the threat in another position.
    pub(in crate::tabs::board) fn settle_threat(&mut self, cx: &mut Context) {
        if self.panels.threat.as_ref().is_some_and(|threat| threat.spot != self.session.spot()) {
            self.end_threat(cx);
        }
    }

    pub(in crate::tabs::board) fn is_threat(&self, job: JobId) -> bool {
        self.panels.threat.as_ref().is_some_and(|threat| threat.job == Some(job))
    }

    pub(in crate::tabs::board) fn threat_news(&mut self, news: News, cx: &mut Context) {
        match news.state {
            State::Done => {
                let view = news.view.downcast::<AnalysisView>().ok();
                match view.and_then(|view| view.report.lines.first().cloned()) {
                    Some(line) => self.take_threat(line, cx),
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
        self.panels.threat = None;
        cx.notice(tone, text);
    }

    /// Takes the result of the search after the pass, then that of the position itself.
    fn take_threat(&mut self, found: search::Line, cx: &mut Context) {
        let is_own = self.panels.threat.as_ref().is_some_and(|threat| threat.line.is_some());
        let job = (!is_own).then(|| self.search_threat(*self.session.position(), cx));
        let Some(threat) = &mut self.panels.threat else { return };
        threat.job = job;
        *(if is_own { &mut threat.own } else { &mut threat.line }) = Some(found);
    }

    /// The threat in words: `Threat: North's c moves again, then f takes 8 at D (+9)`.
    pub(in crate::tabs::board) fn threat_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        let threat = self.panels.threat.as_ref()?;
        let Threat { position, line, .. } = threat;
        let (Some(line), Some(is_real)) = (line, threat.is_real()) else {
            return Some(Line::from(look.span(Role::Dim, format!("Searching for the threat{}", look.glyphs.ellipsis))));
        };
        let seat = self.session.seat_name(position.side());
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
