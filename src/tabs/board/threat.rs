//! The threat: the opponent's best move if the side to move passed.

use ratatui::text::Line;

use super::casual::Reason;
use super::figures::line_text;
use super::{Board, Spot, why};
use crate::app::effect::{Context, Tone};
use crate::game::Position;
use crate::job::{JobId, News, State};
use crate::player::analysing::{Analysing, AnalysisView, Question};
use crate::pool::Pool;
use crate::search;
use crate::theme::Role;
use crate::ui::{Look, clip};

/// Depth of the search, in plies: it is there within a second.
const DEPTH: u32 = 10;

/// The search for a threat, and its result.
pub(super) struct Threat {
    spot: Spot,
    /// The position with the opponent to move.
    position: Position,
    job: Option<JobId>,
    line: Option<search::Line>,
}

impl Board {
    /// Shows the threat in this position, or hides it.
    pub(super) fn toggle_threat(&mut self, cx: &mut Context) {
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
        let mb = cx.config.search.table_mb as usize;
        let question = Question::AlphaBeta { depth: DEPTH.min(cx.config.search.analysis_depth), mb, solve: false };
        // A guest has one thread.
        let alone = cx.paths.rights().is_guest().then(Pool::alone);
        let job = cx.start(Analysing::after(
            None,
            position,
            &Default::default(),
            question,
            alone.as_ref().unwrap_or(cx.pool),
        ));
        self.panels.threat = Some(Threat { spot: self.session.spot(), position, job: Some(job), line: None });
    }

    /// Hides the threat and stops its search; false if there is none.
    fn end_threat(&mut self, cx: &mut Context) -> bool {
        let threat = self.panels.threat.take();
        threat.iter().filter_map(|threat| threat.job).for_each(|job| cx.stop(job));
        threat.is_some()
    }

    /// Drops the threat in another position.
    pub(super) fn settle_threat(&mut self, cx: &mut Context) {
        if self.panels.threat.as_ref().is_some_and(|threat| threat.spot != self.session.spot()) {
            self.end_threat(cx);
        }
    }

    pub(super) fn is_threat(&self, job: JobId) -> bool {
        self.panels.threat.as_ref().is_some_and(|threat| threat.job == Some(job))
    }

    pub(super) fn threat_news(&mut self, news: News, cx: &mut Context) {
        let Some(threat) = &mut self.panels.threat else { return };
        match news.state {
            State::Done => {
                threat.job = None;
                let view = news.view.downcast::<AnalysisView>().ok();
                threat.line = view.and_then(|view| view.report.lines.first().cloned());
                if threat.line.is_none() {
                    self.panels.threat = None;
                    cx.notice(Tone::Info, "No threat found in the time for analysis");
                }
            }
            State::Failed(reason) => {
                self.panels.threat = None;
                cx.notice(Tone::Bad, format!("The search for a threat failed: {reason}"));
            }
            State::Running | State::Paused => {}
        }
    }

    /// The threat in words: `Threat: North's c moves again, then f takes 8 at D (+9)`.
    pub(super) fn threat_line(&self, room: u16, look: &Look) -> Option<Line<'static>> {
        let Threat { position, line, .. } = self.panels.threat.as_ref()?;
        let Some(line) = line else {
            return Some(Line::from(look.span(Role::Dim, format!("Searching for the threat{}", look.glyphs.ellipsis))));
        };
        let deeds = why::turn(position, &line.pv).unwrap_or_else(|| position.move_text(line.mv));
        let seat = self.session.seat_name(position.side());
        let text = format!("Threat: {seat}'s {deeds} ({})", line_text(line, position, look));
        Some(Line::from(look.span(Role::Warning, clip(&text, room, look))))
    }
}
