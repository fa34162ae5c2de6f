//! The end of a game: a card with the result, how well both sides played, the turning point and what to do next.
//!
//! The game is reviewed meanwhile, and the card fills. It docks below the final position or beside it. It is part of the tab and not
//! an overlay, so that the board remains usable: its keys are the Board's own, and close it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Panels;
use super::layout::Layout;
use crate::game::record::NodeId;
use crate::game::{Outcome, Side};
use crate::player::review::Mark;
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::chart::sparkline;
use crate::ui::{Look, clip, fit, put, row, width, window_at, wrap};

/// Most columns of the card, and those from which it has its wide form, with the frame.
const WIDEST: u16 = 86;
const WIDE: u16 = 64;

/// Rows of the wide and of the narrow form, with the frame.
const ROWS: u16 = 6;
const ROWS_NARROW: u16 = 12;

/// Least columns beside a board for the narrow form.
const KEYS_NARROW: u16 = 32;

/// The keys of the card, with their words.
const KEYS: [(&str, &str); 5] =
    [("Enter", "review"), ("Z", "try mistakes"), ("M", "again"), ("S", "swap sides"), ("n", "new")];

/// The place of the card: below the final position, or beside a board of squares. It covers no panel in part if it can avoid that.
pub fn area(session: &Session, area: Rect, places: &Layout) -> Rect {
    let moves = places.moves;
    let is_beside = session.pits() == 0 && moves.width >= KEYS_NARROW && moves.height > ROWS_NARROW;
    let place = if is_beside { moves } else { area };
    let rows = if place.width >= WIDE { ROWS } else { ROWS_NARROW }.min(place.height);
    let width = place.width.min(WIDEST);
    let panels = [moves, places.mistakes, places.analysis, places.terms, places.reports];
    // The last line may be the one with the title of the panel below.
    let is_shared = is_beside && panels.iter().any(|panel| !panel.is_empty() && panel.y + 1 == place.bottom());
    let y = (place.bottom() - rows).saturating_sub(u16::from(is_shared)).max(place.y);
    let card = Rect { x: place.x, y, width, height: rows.min(place.bottom() - y) };
    let beside = panels
        .into_iter()
        .filter(|panel| panel.x >= card.x + WIDE && panel.intersects(card))
        .map(|panel| panel.x)
        .min();
    Rect { width: beside.map_or(width, |x| x - card.x), ..card }
}

/// The opponent and whether the game is rated: `against Easy · casual (hints)`.
fn card_title(session: &Session, look: &Look) -> Option<String> {
    let person = session.only_person()?;
    let rating = session.rating_text()?;
    Some(format!("against {} {} {rating}", session.short_player_name(person.other(), look), look.glyphs.dot))
}

impl Panels {
    /// The move after which the winner stayed ahead, and the winner's chance before and after it.
    fn turning_point(&self, session: &Session) -> Option<(NodeId, [f64; 2])> {
        let winner = Side::BOTH.into_iter().find(|&side| session.outcome(side) == Some(Outcome::Won))?;
        let chance = |node: &NodeId| {
            let chance = self.review.verdict(session, *node)?.chance;
            Some(if winner == session.point_of_view() { chance } else { 1.0 - chance })
        };
        let nodes = session.line_nodes();
        let chances: Vec<f64> = nodes.iter().map_while(chance).collect();
        if chances.len() < nodes.len() {
            return None;
        }
        let turn = chances.windows(2).rposition(|pair| pair[0] <= 0.5 && pair[1] > 0.5)?;
        Some((nodes[turn + 1], [chances[turn], chances[turn + 1]]))
    }

    /// `Turning point: 12 C?? (North: 35 to 71 %)`; without the side, which is the winner's, where it has no room.
    fn turning_text(&self, session: &Session, cells: u16) -> Option<String> {
        let (node, [before, after]) = self.turning_point(session)?;
        let winner = Side::BOTH.into_iter().find(|&side| session.outcome(side) == Some(Outcome::Won))?;
        let line = session.record.line();
        let step = line.iter().find(|step| step.node == node)?;
        let position = session.record.position_at(session.record.parent(node)?);
        let mark = self.review.verdict(session, node).and_then(|verdict| verdict.mark).map_or("", Mark::text);
        let before = 100.0 * before;
        let after = 100.0 * after;
        let turn = step.turn;
        let mv = position.move_text(step.mv);
        let text = |side: &str| format!("Turning point: {turn} {mv}{mark} ({side}{before:.0} to {after:.0} %)");
        let whole = text(&format!("{}: ", session.seat_name(winner)));
        Some(if width(&whole) <= cells { whole } else { text("") })
    }

    /// A side's row: player, accuracy, mistakes and blunders.
    fn card_row(&self, session: &Session, side: Side, is_wide: bool, look: &Look) -> Line<'static> {
        let role = session.side_role(side);
        let is_you = session.only_person() == Some(side) && session.record.players[side.index()] == "human";
        let player = if is_you { "you".to_owned() } else { session.short_player_name(side, look) };
        let marks = self.review.marks(session, side);
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count();
        let has_moved = session.record.line().iter().any(|step| step.mover == side);
        let unknown = if has_moved { look.glyphs.ellipsis } else { "-" };
        let accuracy =
            self.review.accuracy(session, side).map_or(unknown.to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let [mistakes, blunders] = [Mark::Mistake, Mark::Blunder].map(count);
        let (seat_cells, player_cells, figures) = match is_wide {
            true => (7, 8, format!("{accuracy:>6}{mistakes:>4} ?{blunders:>3} ??")),
            false => (6, 7, format!("{accuracy:>5}{mistakes:>3}?{blunders:>3}??")),
        };
        Line::from(vec![
            look.span(role, format!("{:<seat_cells$}", session.seat_name(side))),
            look.span(Role::Text, format!("{:<player_cells$}", clip(&player, player_cells as u16 - 1, look))),
            look.span(Role::Text, figures),
        ])
    }

    /// The chance of winning of the person, or of the first player, over the game.
    fn chance_line(&self, session: &Session, cells: u16, look: &Look) -> String {
        let side = session.only_person().unwrap_or(Side::South);
        let is_shown = side == session.point_of_view();
        let chances = session
            .line_nodes()
            .into_iter()
            .filter_map(|node| self.review.verdict(session, node))
            .map(|verdict| verdict.chance);
        let chances: Vec<f64> = chances.map(|chance| if is_shown { chance } else { 1.0 - chance }).collect();
        sparkline(&chances, cells, look)
    }

    /// Draws the card.
    pub fn draw_card(&self, session: &Session, area: Rect, buf: &mut Buffer, look: &Look) {
        let why = session.record.ending().and_then(|ending| session.result_texts(ending, look).1);
        let parts = [Some("Game over".to_owned()), Some(session.headline()), why];
        let mut parts: Vec<String> = parts.into_iter().flatten().collect();
        let dot = format!(" {} ", look.glyphs.dot);
        if width(&parts.join(&dot)) + 4 > area.width {
            parts.remove(0);
        }
        let head = parts.join(&dot);
        let inner = window_at(area, &head, buf, look);
        let progress = self.review.progress(session, look).map(|progress| format!("Reviewing: {progress}"));
        let turning = progress.or_else(|| self.turning_text(session, inner.width)).unwrap_or_default();
        let title = card_title(session, look).unwrap_or_default();
        // Without the reasons of a casual game where they have no room.
        let title = match title.split_once(" (") {
            Some((short, _)) if width(&title) > inner.width => short.to_owned(),
            _ => title,
        };
        let is_offered = |key: &str| match key {
            "Enter" => !self.review.is_reviewing(),
            "Z" => self.review.has_mistakes(session),
            _ => true,
        };
        let keys: Vec<_> = KEYS.into_iter().filter(|(key, _)| is_offered(key)).collect();
        let key = |(key, word): &(&'static str, &'static str)| {
            vec![look.span(Role::Key, *key), look.span(Role::Text, format!(" {word}  "))]
        };
        let text = |role: Role, text: String| Line::from(look.span(role, clip(&text, inner.width, look)));
        let [south, north] = Side::BOTH.map(|side| self.card_row(session, side, area.width >= WIDE, look));
        let lines = if area.width >= WIDE {
            let free = inner.width.saturating_sub(south.width() as u16 + 3);
            let beside = |mut line: Line<'static>, text: String, role: Role| {
                line.push_span(look.span(role, format!("   {}", clip(&text, free, look))));
                line
            };
            let chance = self.chance_line(session, free.saturating_sub(18), look);
            let chance = if chance.is_empty() { chance } else { format!("{chance} chance of winning") };
            let keys = Line::from(keys.iter().flat_map(key).collect::<Vec<_>>());
            vec![text(Role::Dim, title), beside(south, chance, Role::Text), beside(north, turning, Role::Dim), keys]
        } else {
            let chance = text(Role::Text, self.chance_line(session, inner.width, look));
            let keys = keys.chunks(2).map(|keys| {
                let mut spans = keys.iter().flat_map(key).collect::<Vec<_>>();
                if let Some(last) = spans.last_mut() {
                    last.content = last.content.trim_end().to_owned().into();
                }
                Line::from(spans)
            });
            let turning = wrap(&turning, inner.width).into_iter().map(|line| text(Role::Dim, line));
            let upper = [text(Role::Dim, title), south, north, chance];
            upper.into_iter().chain(turning.take(2)).chain(keys).collect()
        };
        let lines = lines.into_iter().filter(|line| line.width() > 0);
        for (index, line) in lines.take(usize::from(inner.height)).enumerate() {
            put(fit(line, inner.width, look), row(inner, index as u16), buf);
        }
    }
}
