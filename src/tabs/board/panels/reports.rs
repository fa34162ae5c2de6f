//! The computer players' reports about their moves: depth, expectation, time.
//!
//! A player's last search information before a move is kept with the move while its game is on the board, so that
//! stepping through a game shows it.

use std::collections::HashMap;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::figures::{is_measured, speed_within, variation_text, worth_text};
use super::judging::RecentResults;
use super::layout::Layout;
use crate::game::Side;
use crate::game::record::{NodeId, Step};
use crate::player::SearchInfo;
use crate::search::{MoveStatistics, MoveValue};
use crate::tabs::board::session::Session;
use crate::tabs::board::session::naming::short_name;
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row, short_count, width, wrap};

/// The last search information of each move, with the position after it.
#[derive(Default)]
pub struct Reports {
    game: u64,
    thoughts: HashMap<NodeId, SearchInfo>,
}

impl Reports {
    /// Keeps the information before the move that led to `node` of this game, and drops that of other games.
    pub fn keep(&mut self, game: u64, node: NodeId, thought: SearchInfo) {
        if self.game != game {
            *self = Reports { game, thoughts: HashMap::new() };
        }
        self.thoughts.insert(node, thought);
    }

    fn is_about(&self, game: u64) -> bool {
        self.game == game && !self.thoughts.is_empty()
    }

    fn get(&self, game: u64, node: NodeId) -> Option<&SearchInfo> {
        self.thoughts.get(&node).filter(|_| self.game == game)
    }
}

/// The columns of a player's earlier moves: `turn move depth value nodes time`.
const HEADS: &str = "turn  move  value  searched       time";

/// Rows per move: player and move, depth, expectation.
const TOLD: u16 = 4;

impl Reports {
    /// The number of computer players with reports in this game, now or later; none for a viewed game.
    pub fn count(&self, session: &Session) -> u16 {
        let computers = Side::BOTH.into_iter().filter(|&side| !session.is_human(side)).count();
        if session.mode.is_live() || self.is_about(session.game) { computers as u16 } else { 0 }
    }

    /// Whether there is a report on a move up to the position shown.
    pub fn has_any(&self, session: &Session) -> bool {
        let record = &session.record;
        let before = std::iter::successors(Some(record.at()), |&node| record.parent(node));
        before.into_iter().any(|node| self.get(session.game, node).is_some())
    }

    pub fn draw(&self, session: &Session, known: &RecentResults, places: &Layout, buf: &mut Buffer, look: &Look) {
        let title = Line::from(look.span(Role::Title, "Engine output"));
        let inner = joined(
            places.reports,
            fit(title, places.reports.width.saturating_sub(4), look),
            Line::default(),
            buf,
            look,
        );
        let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
        let sides: Vec<Side> = Side::BOTH.into_iter().filter(|&side| !session.is_human(side)).collect();
        let height = inner.height / sides.len().max(1) as u16;
        for (index, side) in sides.into_iter().enumerate() {
            let place = Rect { y: inner.y + index as u16 * height, height, ..inner };
            self.draw_report(session, known, side, place, buf, look);
        }
    }

    /// A player's report: the last move in full, earlier ones in a table.
    fn draw_report(
        &self,
        session: &Session,
        known: &RecentResults,
        side: Side,
        area: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) {
        let role = session.side_role(side);
        let name = short_name(&session.players[side.index()].to_string(), look);
        let head = vec![look.span(role, session.seat_name(side)), Span::raw("  "), look.span(Role::Text, name)];
        put(fit(Line::from(head), area.width, look), area, buf);
        let line = session.record.line();
        let until = line.iter().position(|step| step.node == session.record.at()).map_or(0, |at| at + 1);
        let moves: Vec<(&Step, &SearchInfo)> = line[..until]
            .iter()
            .filter(|step| step.mover == side)
            .filter_map(|step| Some((step, self.get(session.game, step.node)?)))
            .collect();
        let Some((step, thought)) = moves.last() else {
            return put(look.span(Role::Dim, clip("  no move yet", area.width, look)), row(area, 1), buf);
        };
        for (index, line) in report_of(session, known, step, thought, area.width, look).into_iter().enumerate() {
            put(fit(line, area.width, look), row(area, 1 + index as u16), buf);
        }
        if area.height < TOLD + 4 || moves.len() < 2 {
            return;
        }
        put(look.span(Role::Dim, format!("  {HEADS}")), row(area, TOLD + 1), buf);
        let room = usize::from(area.height - TOLD - 3);
        // The newest is first.
        for (index, (step, thought)) in moves.iter().rev().skip(1).take(room).enumerate() {
            let text = look.span(Role::Text, format!("  {}", table_row(session, step, thought, look)));
            put(text, row(area, TOLD + 2 + index as u16), buf);
        }
    }
}

/// About one move: the move and its time, the depth, and the expectation.
fn report_of(
    session: &Session,
    known: &RecentResults,
    step: &Step,
    thought: &SearchInfo,
    room: u16,
    look: &Look,
) -> Vec<Line<'static>> {
    let before = session.record.position_at(session.record.parent(step.node).unwrap_or(0));
    let dot = look.glyphs.dot;
    let name = before.move_text(step.mv);
    // The time is at the right, where a change of its width moves nothing.
    let gap = usize::from(room.saturating_sub(9 + width(&name)));
    let first = Line::from(vec![
        look.span(Role::Dim, "  played "),
        look.span(Role::Accent, name),
        look.span(Role::Dim, format!("{:>gap$}", time_text(thought.busy))),
    ]);
    let report = thought.report.as_ref();
    let searched = report.filter(|report| report.nodes > 0 || report.games > 0);
    let Some((report, best)) = searched.and_then(|report| Some((report, report.lines.first()?))) else {
        let ply = session.record.ply_at(step.node).saturating_sub(1);
        let why = known.explanation(session, *before, step.mv, ply);
        let why = why.unwrap_or_else(|| "played without searching".to_owned());
        let lines = wrap(&why, room.saturating_sub(2)).into_iter().take(2);
        let lines = lines.map(|line| Line::from(look.span(Role::Dim, format!("  {line}"))));
        return std::iter::once(first).chain(lines).collect();
    };
    let (expects, far, count) = match best.tried {
        Some(tried) => {
            let mean = f64::from(tried.mean) / f64::from(MoveStatistics::UNIT);
            let (count, what) = report.effort();
            (format!("expects to score {:.0} %", 100.0 * mean), format!("{} {what}", short_count(count)), count)
        }
        None => {
            let depth = if report.solved { "to the end".to_owned() } else { format!("depth {}", report.depth) };
            let far = format!("{depth} {dot} {} nodes", short_count(report.nodes));
            let worth = worth_text(best, before, look);
            // The search found the end of the game.
            let sees_end = match best.weighed {
                None => !is_measured(best.margin, before),
                Some(weighed) => !matches!(weighed, MoveValue::Value(_)),
            };
            (if sees_end { worth } else { format!("expects {worth}") }, far, report.nodes)
        }
    };
    let mut second =
        Line::from(vec![look.span(Role::Text, format!("  {expects}")), look.span(Role::Dim, format!("  {far}"))]);
    let left = room.saturating_sub(second.width() as u16);
    second.spans.push(look.span(Role::Dim, speed_within(left, count, thought.busy, look)));
    let left = room.saturating_sub(6);
    let line = variation_text(before, &best.pv, left);
    let further = Some(rest(&line)).filter(|further| !further.is_empty());
    let third = further.map(|further| vec![look.span(Role::Dim, "  then "), look.span(Role::Text, further)]);
    [first, second].into_iter().chain(third.map(Line::from)).collect()
}

fn table_row(session: &Session, step: &Step, thought: &SearchInfo, look: &Look) -> String {
    let before = session.record.position_at(session.record.parent(step.node).unwrap_or(0));
    let name = before.move_text(step.mv);
    let report = thought.report.as_ref();
    let best = report.and_then(|report| report.lines.first());
    let value = match best.map(|best| (best, best.tried, best.weighed)) {
        Some((_, Some(tried), _)) => format!("{:.3}", f64::from(tried.mean) / f64::from(MoveStatistics::UNIT)),
        Some((.., Some(MoveValue::Wins(_)))) => "wins".to_owned(),
        Some((.., Some(MoveValue::Loses(_)))) => "loses".to_owned(),
        Some((best, ..)) => worth_text(best, before, look),
        None => look.glyphs.minus.to_owned(),
    };
    let looked = report.map_or(look.glyphs.minus.to_owned(), |report| {
        let (count, what) = report.effort();
        format!("{} {what}", short_count(count))
    });
    let time = time_text(thought.busy);
    format!("{:>4}  {name:<4}  {value:>5}  {looked:<11}{time:>8}", step.turn)
}

/// `0.4 ms`, `45.0 ms`, `3.2 s`.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.1} s") }
}

/// The variation without its first move.
fn rest(line: &str) -> String {
    line.split_once(' ').map_or(String::new(), |(_, rest)| rest.to_owned())
}
