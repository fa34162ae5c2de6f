//! A table on the screen: the board with both players, the moves, the chat.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::LobbyTab;
use crate::game::{self, Place, Side};
use crate::serve::lobby::TableView;
use crate::serve::table::Phase;
use crate::tabs::board::marks::changes;
use crate::theme::Role;
use crate::ui::board::{self, View};
use crate::ui::{Look, adjoin, clip, fit, framed, panel, put, row, tail, width, wrap};

/// Columns of the panels beside the board.
const BESIDE: u16 = 34;

/// Rows of the chat below a board that leaves no room beside it.
const BELOW: u16 = 5;

impl LobbyTab {
    pub(super) fn draw_table(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(at) = self.table_view() else { return };
        let (mut main, mut moves, mut chat) = layout(area);
        adjoin(&mut [&mut main, &mut moves, &mut chat]);
        self.draw_moves(at, moves, buf, look);
        self.draw_chat(at, chat, buf, look);
        self.places = self.draw_board(at, main, buf, look);
    }

    fn draw_board(&self, at: &TableView, area: Rect, buf: &mut Buffer, look: &Look) -> Vec<(Rect, Place)> {
        let bottom = self.bottom();
        let line = |side| fit(player_line(at, side, self.seen, look), area.width.saturating_sub(4), look);
        let inner = framed(area, line(bottom.other()), line(bottom), false, buf, look);
        let field = Rect { height: inner.height.saturating_sub(1), ..inner };
        let (role, mut text, hint) = self.status(at, look);
        // The footer has its key too.
        if width(&text) + width(hint) <= inner.width {
            text += hint;
        }
        let line = Line::from(look.span(role, clip(&text, inner.width, look)));
        line.alignment(Alignment::Center).render(row(inner, field.height), buf);
        look.cursor_place.set(row(inner, field.height));
        let position = at.table.record.position().board();
        let view = self.board_view(at, &position, bottom);
        let places = board::draw(&view, field, buf, look);
        // The cursor on squares has been reported; without one it is the last move.
        let last = view.last.last().filter(|_| view.cursor.is_none());
        let drawn = last.and_then(|last| places.iter().find(|(_, place)| place == last));
        drawn.into_iter().for_each(|(area, _)| look.cursor_place.set_middle(*area));
        places
    }

    fn board_view<'a>(&self, at: &TableView, board: &'a game::Board, bottom: Side) -> View<'a> {
        let mut view = View::new(board, bottom, at.table.terms.variant.seats());
        if let Some((before, mv)) = at.table.record.last() {
            view.last = before.places(mv);
            view.changes = changes(&before.board(), board, &view.last);
        }
        if let Some(position) = self.to_move() {
            view.playable = self.entry.next_places(&position);
            view.named.clone_from(&self.entry.named);
            view.cursor = self.entry.cursor.map(Place::Square);
        }
        view
    }

    /// The line below the board, and a key for what comes next.
    fn status(&self, at: &TableView, look: &Look) -> (Role, String, &'static str) {
        let table = &at.table;
        let mover = table.record.position().side();
        match table.phase {
            Phase::Open => (Role::Dim, format!("Waiting for somebody to sit down{}", look.glyphs.ellipsis), ""),
            Phase::Ended(finish) => {
                let next = match (table.rematch, at.side) {
                    (Some(side), own) if own != Some(side) => " (M: accept the rematch)",
                    (Some(_), _) => " (waiting for the other side)",
                    (None, Some(_)) => " (M: rematch)",
                    (None, None) => "",
                };
                (Role::Accent, table.finish_text(finish), next)
            }
            Phase::Playing => match (table.draw, at.side) {
                (Some(side), Some(own)) if side != own => {
                    (Role::Accent, format!("{} offers a draw", table.name(side)), " (D: accept)")
                }
                (Some(side), _) => (Role::Dim, format!("{} offers a draw", table.name(side)), ""),
                (None, Some(own)) if own == mover => {
                    let typed =
                        if self.entry.typed.is_empty() { String::new() } else { format!(": {}_", self.entry.typed) };
                    (Role::Good, format!("Your move{typed}"), "")
                }
                (None, _) => (Role::Dim, format!("{} is to move", table.name(mover)), ""),
            },
        }
    }

    fn draw_moves(&self, at: &TableView, area: Rect, buf: &mut Buffer, look: &Look) {
        if area.is_empty() {
            return;
        }
        let inner = panel(area, Line::from(look.span(Role::Title, "Moves")), false, buf, look).inner(MARGIN);
        let record = &at.table.record;
        let text = |step: &game::record::Step| {
            let before = record.parent(step.node).map(|parent| *record.position_at(parent));
            let name = before.map_or_else(String::new, |before| before.move_text(step.mv));
            let number = step.opens_turn && (step.mover == Side::South || step.turn == 1);
            if number { format!("{}.\u{a0}{name}", step.turn) } else { name }
        };
        let all: Vec<String> = record.line().iter().map(text).collect();
        let lines = wrap(&all.join(" "), inner.width.saturating_sub(1));
        let first = lines.len().saturating_sub(usize::from(inner.height));
        for (index, line) in lines[first..].iter().enumerate() {
            put(look.span(Role::Text, line.replace('\u{a0}', " ")), row(inner, index as u16), buf);
        }
    }

    fn draw_chat(&self, at: &TableView, area: Rect, buf: &mut Buffer, look: &Look) {
        let watched = match &at.watchers[..] {
            [] => String::new(),
            [one] => format!(": {one} watches"),
            more => format!(": {} watch", more.len()),
        };
        let title = clip(&format!("Chat{watched}"), area.width.saturating_sub(4), look);
        let inner =
            panel(area, Line::from(look.span(Role::Title, title)), self.chat.is_some(), buf, look).inner(MARGIN);
        let rows = inner.height.saturating_sub(u16::from(self.chat.is_some()));
        let mut lines: Vec<(Role, String)> = Vec::new();
        for line in &at.table.chat {
            let (role, text) = match &line.name {
                Some(name) => (Role::Text, format!("{name}: {}", line.text)),
                None => (Role::Dim, line.text.clone()),
            };
            lines.extend(wrap(&text, inner.width.max(1)).into_iter().map(|line| (role, line)));
        }
        let first = lines.len().saturating_sub(usize::from(rows));
        for (index, (role, line)) in lines.into_iter().skip(first).enumerate() {
            put(look.span(role, line), row(inner, index as u16), buf);
        }
        if let Some(typed) = &self.chat {
            let shown = tail(typed, inner.width.saturating_sub(3)).to_owned();
            let line = row(inner, rows);
            let caret = 2 + width(&shown);
            put(look.span(Role::Accent, format!("> {shown}_")), line, buf);
            look.cursor_place.set(Rect { x: line.x + caret, width: line.width.saturating_sub(caret), ..line });
        }
    }
}

/// The empty columns beside texts.
const MARGIN: Margin = Margin::new(1, 0);

/// The areas of the board, the moves and the chat.
fn layout(area: Rect) -> (Rect, Rect, Rect) {
    if area.width >= 76 {
        let main = Rect { width: area.width - BESIDE, ..area };
        let beside = Rect { x: main.right(), width: BESIDE, ..area };
        let moves = Rect { height: beside.height / 2, ..beside };
        (main, moves, Rect { y: moves.bottom(), height: beside.height - moves.height, ..beside })
    } else {
        let chat = if area.height >= 16 { BELOW } else { 3.min(area.height) };
        let main = Rect { height: area.height - chat, ..area };
        (main, Rect { height: 0, ..area }, Rect { y: main.bottom(), height: chat, ..area })
    }
}

/// A player's line in the frame: side, name, clock, and whether the side is to move or away.
fn player_line(at: &TableView, side: Side, now: Instant, look: &Look) -> Line<'static> {
    let table = &at.table;
    let is_to_move = table.phase == Phase::Playing && table.record.position().side() == side;
    let marker = if is_to_move { format!("{} ", look.glyphs.pointer) } else { String::new() };
    let is_square = matches!(table.record.position().board(), crate::game::Board::Squares(_));
    let role = board::side_role(side, is_square);
    let you = if at.side == Some(side) { " (you)" } else { "" };
    let mut line = Line::from(vec![
        look.span(Role::Accent, marker),
        look.span(role, table.terms.variant.seats()[side.index()]),
        Span::raw("  "),
        look.span(Role::Text, format!("{}{you}", table.name(side))),
    ]);
    if let Some(clock) = &table.clock {
        let role = if is_to_move { Role::Accent } else { Role::Text };
        line.spans.push(look.span(role, format!("  {}", clock.text(side, now))));
    }
    if let Some(until) = at.away_until[side.index()] {
        let left = until.saturating_duration_since(now).as_secs();
        line.spans.push(look.span(Role::Bad, format!("  away, {}:{:02} to come back", left / 60, left % 60)));
    }
    line
}
