//! The threat: the opponent's best move if the side to move passed.

use ratatui::text::Line;

use super::analysis::start_search;
use super::figures::line_text;
use super::{Panels, why};
use crate::app::effect::{Context, Tone};
use crate::game::Position;
use crate::job::{JobId, News, State};
use crate::player::analysing::{AnalysisView, Question};
use crate::search;
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip};

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
