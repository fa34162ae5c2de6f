//! How the Board tab looks: the board with the two players, and the moves. What searches say is drawn in `findings`.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Board;
use super::files::in_a_file;
use super::layout::{Layout, layout};
use super::terms;
use crate::game::{Cell, PitBoard, Position, Side, Trace, Variant};
use crate::player::Spec;
use crate::theme::Role;
use crate::ui::board::BoardView;
use crate::ui::{Look, board, clip, fit, framed, panel, put, row, width};

/// The variant for people: `Kalah 6×4 · standard`.
pub fn variant_title(variant: &Variant, look: &Look) -> String {
    let text = variant.to_string();
    let rules = text.split_once(':').map_or("", |(_, rules)| rules);
    let rules = rules.replacen('x', look.glyphs.times, 1).replace(':', &format!(" {} ", look.glyphs.dot));
    format!("{} {rules}", variant.title())
}

impl Board {
    pub(super) fn draw_all(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let pits = self.shown_board().pits_a_side();
        let lower = match (&self.edit, self.terms, self.analysis.on) {
            (Some(_), ..) | (None, false, false) => 0,
            (None, true, _) => terms::rows(area.width),
            (None, false, true) => pits as u16,
        };
        let places = layout(area, pits, lower);
        self.draw_board(&places, buf, look);
        self.rows.clear();
        if !places.moves.is_empty() {
            self.draw_moves(places.moves, buf, look);
        }
        if self.terms && !places.analysis.is_empty() {
            self.draw_terms(&places, buf, look);
        } else if !places.analysis.is_empty() {
            self.draw_analysis(&places, buf, look);
        }
    }

    /// The counts on screen: of the position, of a moment of the sowing, or of the position being set up.
    fn shown_board(&self) -> PitBoard {
        match (&self.edit, &self.animation) {
            (Some(edit), _) => edit.board.clone(),
            (None, Some(animation)) => animation.board(),
            (None, None) => self.position().board(),
        }
    }

    fn draw_board(&mut self, places: &Layout, buf: &mut Buffer, look: &Look) {
        let area = places.board;
        let seat = self.bottom();
        let inner = if places.compact {
            put(self.player_line(seat.other(), look), area, buf);
            let last = row(area, area.height.saturating_sub(1));
            put(self.player_line(seat, look), last, buf);
            Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area }
        } else {
            framed(area, self.player_line(seat.other(), look), self.player_line(seat, look), false, buf, look)
        };
        let board = self.shown_board();
        let view = self.view(&board);
        let most = Rect { height: inner.height.saturating_sub(1), ..inner };
        let high = board::size(board.pits_a_side(), (most.width, most.height)).1.min(most.height);
        let mut lines = vec![self.story(inner.width, look)];
        if let Some(why) = self.why_played().filter(|_| self.edit.is_none()) {
            lines.push(Line::from(look.span(Role::Dim, clip(&why, inner.width, look))));
        }
        if self.edit.is_none() && self.animation.is_none() && self.is_over() {
            // The result comes first where there is one line only.
            let result = Line::from(look.span(Role::Accent, result_text(self.position(), look)));
            lines.insert(if inner.height > high + 1 { lines.len() } else { 0 }, result);
        }
        // The story stands right below the board, with a blank line between where there is one.
        let blank = u16::from(inner.height > high + lines.len() as u16);
        let above = inner.height.saturating_sub(high + 2 + blank) / 2;
        let field = Rect { y: inner.y + above, height: high, ..inner };
        self.places = board::draw(&view, field, buf, look);
        for (index, line) in lines.into_iter().enumerate() {
            let line = fit(line, inner.width, look);
            line.alignment(Alignment::Center).render(row(inner, above + high + blank + index as u16), buf);
        }
    }

    fn view<'a>(&self, board: &'a PitBoard) -> BoardView<'a> {
        let position = self.position();
        let pits = board.pits_a_side();
        let names = Side::BOTH.map(|side| (0..pits).map(|pit| pit_name(side, pit)).collect());
        let mut view = BoardView {
            board,
            seat: self.bottom(),
            names,
            playable: Vec::new(),
            changes: Vec::new(),
            origin: None,
            hand: None,
            pointed: None,
        };
        if let Some(edit) = &self.edit {
            view.hand = Some(edit.cursor);
        } else if let Some(animation) = &self.animation {
            view.hand = animation.trace.hand(animation.frame);
        } else {
            let side = position.side();
            if self.awaits_human() {
                view.playable = position.moves().into_iter().map(|mv| Cell::Pit(side, mv.0 as u8)).collect();
            }
            if let Some((before, mv)) = self.record.last() {
                view.origin = Some(before.trace(mv).origin);
                view.changes = changes(&before.board(), board, view.origin);
            }
            view.pointed = self.analysis.hint().map(|mv| Cell::Pit(side, mv.0 as u8));
        }
        view
    }

    /// A player's line in the frame: the side, who it is, and whether it is to move.
    fn player_line(&self, side: Side, look: &Look) -> Line<'static> {
        let role = match side {
            Side::South => Role::South,
            Side::North => Role::North,
        };
        let spec = &self.players[side.index()];
        let name = &self.record.players[side.index()];
        let alone = spec.is_human() && !self.is_human(side.other());
        // A player that is in a file nobody agreed to open, or that could not be opened.
        let sits_in = if spec.is_human() && in_a_file(name) { " (you play)" } else { "" };
        let name = if alone && name == "human" { "you".to_owned() } else { short_name(name, look) + sits_in };
        let to_move = self.edit.as_ref().map_or(self.position().side(), |edit| edit.side) == side;
        let to_move = to_move && (self.edit.is_some() || !self.is_over());
        let marker = if to_move { format!("{} ", look.glyphs.pointer) } else { String::new() };
        let mut line = Line::from(vec![
            look.span(Role::Accent, marker),
            look.span(role, side.to_string()),
            Span::raw("  "),
            look.span(Role::Text, name),
        ]);
        if to_move {
            line.spans.push(look.span(Role::Dim, format!(" {} {}", look.glyphs.dot, self.turn_text(look))));
        }
        line
    }

    fn turn_text(&self, look: &Look) -> String {
        match &self.thinking {
            Some(thinking) if thinking.failed => "has failed; n starts a new game".to_owned(),
            Some(thinking) if !thinking.has_chosen() => format!("thinking{}", look.glyphs.ellipsis),
            _ => "to move".to_owned(),
        }
    }

    /// One line below the board: what happened, or what to do.
    fn story(&self, room: u16, look: &Look) -> Line<'static> {
        if self.edit.is_some() {
            return Line::from(look.span(Role::Accent, "Setting up: arrows choose, digits fill, Enter plays"));
        }
        if let Some(line) = self.thought(room, look).filter(|_| self.animation.is_none()) {
            return line;
        }
        let mut spans = Vec::new();
        if let Some((before, mv)) = self.record.last() {
            let trace = before.trace(mv);
            spans.push(look.span(Role::Text, format!("{} {}", trace.mover, told(before, mv, &trace, look))));
            if let Some(text) = captured_text(&trace) {
                spans.push(look.span(Role::Capture, format!(", {text}")));
            }
            if trace.extra_turn && !trace.over {
                spans.push(look.span(Role::Good, ", and moves again"));
            }
        } else if self.awaits_human() {
            spans.push(look.span(Role::Dim, "Type a letter to sow that pit"));
        }
        if self.analysis.waits_for_hint() {
            spans = vec![look.span(Role::Dim, format!("looking for a hint{}", look.glyphs.ellipsis))];
        }
        let line = Line::from(spans);
        if line.width() <= usize::from(room) {
            return line;
        }
        let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
        Line::from(look.span(Role::Text, clip(&text, room, look)))
    }

    /// What made a program play the last move.
    fn why_played(&self) -> Option<String> {
        let (before, _) = self.record.last()?;
        match &self.players[before.side().index()] {
            Spec::Program(program) => program.why(*before),
            _ => None,
        }
    }

    fn draw_moves(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = if self.is_modified() { "Game *" } else { "Game" };
        let mut title = Line::from(look.span(Role::Title, title));
        if self.autoplay {
            title.spans.push(look.span(Role::Accent, format!(" {} {}", look.glyphs.pointer, self.pace_text())));
        }
        let inner = panel(area, title, false, buf, look);
        let turns = self.turns(inner.width, look);
        if turns.is_empty() {
            return put(look.span(Role::Dim, clip("No moves yet", inner.width, look)), inner, buf);
        }
        let current = turns.iter().position(|turn| turn.current).unwrap_or(0);
        let height = usize::from(inner.height);
        // The current turn stays in view, in the middle when there is more on either side.
        let top = current.saturating_sub(height / 2).min(turns.len().saturating_sub(height));
        for (index, turn) in turns.into_iter().skip(top).take(height).enumerate() {
            let line = row(inner, index as u16);
            put(turn.line, line, buf);
            for (from, to, node) in turn.places {
                self.rows.push((Rect { x: line.x + from, width: to - from, ..line }, node));
            }
        }
    }

    /// The line's turns as rows: number, moves, margin for South.
    fn turns(&self, room: u16, look: &Look) -> Vec<TurnRow> {
        let at = self.record.at();
        let mut rows: Vec<TurnRow> = Vec::new();
        let steps = self.record.line();
        let mut before = *self.record.start();
        for (index, step) in steps.iter().enumerate() {
            let after = *self.record.position_at(step.node);
            let mut name = before.move_text(step.mv);
            if step.variations > 1 {
                name.push('*');
            }
            // A chain too long for its row goes on in the next.
            let full = rows.last().is_some_and(|row| row.line.width() as u16 + 1 + width(&name) + 4 > room);
            if step.opens_turn || full {
                let number = if step.opens_turn { format!("{:>3} ", step.turn) } else { "    ".to_owned() };
                let line = Line::from(look.span(Role::Dim, number));
                rows.push(TurnRow { line, places: Vec::new(), current: false });
            }
            let Some(turn) = rows.last_mut() else { continue };
            let is_current = step.node == at;
            let role = match step.mover {
                _ if is_current => Role::Selection,
                Side::South => Role::South,
                Side::North => Role::North,
            };
            let from = turn.line.width() as u16 + 1;
            turn.places.push((from, from + width(&name), step.node));
            turn.line.spans.push(Span::raw(" "));
            turn.line.spans.push(look.span(role, name));
            turn.current |= is_current;
            let ends_turn = steps.get(index + 1).is_none_or(|next| next.opens_turn);
            if ends_turn {
                let margin = look.signed(after.margin(Side::South));
                let gap = room.saturating_sub(turn.line.width() as u16 + width(&margin));
                turn.line.spans.push(Span::raw(" ".repeat(usize::from(gap))));
                turn.line.spans.push(look.span(Role::Dim, margin));
            }
            before = after;
        }
        rows
    }
}

/// One row of the move list.
struct TurnRow {
    line: Line<'static>,
    /// Columns from and to of each move, and the position after it.
    places: Vec<(u16, u16, crate::game::record::NodeId)>,
    current: bool,
}

/// A player's text in a frame: of a path the last part, of long numbers the beginning.
fn short_name(name: &str, look: &Look) -> String {
    let name = match name.rsplit_once('/') {
        Some((before, last)) => format!("{}:{last}", before.split(':').next().unwrap_or_default()),
        None => name.to_owned(),
    };
    clip(&name, 36, look)
}

fn pit_name(side: Side, pit: usize) -> String {
    let first = if side == Side::South { b'A' } else { b'a' };
    char::from(first + pit as u8).to_string()
}

/// What changed between two boards, the pit that was emptied excepted.
fn changes(before: &PitBoard, after: &PitBoard, origin: Option<Cell>) -> Vec<(Cell, i32)> {
    let pits =
        Side::BOTH.into_iter().flat_map(|side| (0..before.pits_a_side()).map(move |pit| Cell::Pit(side, pit as u8)));
    let cells = pits.chain(Side::BOTH.map(Cell::Store));
    let changed = cells
        .filter(|&cell| Some(cell) != origin)
        .map(|cell| (cell, i32::from(after.get(cell)) - i32::from(before.get(cell))));
    changed.filter(|&(_, by)| by != 0).collect()
}

fn told(before: &Position, mv: crate::game::Move, trace: &Trace, look: &Look) -> String {
    let seeds = trace.sown.len();
    let plural = if seeds == 1 { "" } else { "s" };
    format!("{} {}: {seeds} seed{plural}", look.glyphs.right, before.move_text(mv))
}

fn captured_text(trace: &Trace) -> Option<String> {
    let seeds: u16 = trace.captured.iter().map(|&(_, seeds)| seeds).sum();
    (seeds > 0).then(|| format!("captures {seeds}"))
}

/// `South wins 27 : 21`, the end of a game.
fn result_text(position: &Position, look: &Look) -> String {
    let [south, north] = position.board().stores;
    let dot = look.glyphs.dot;
    let winner = match south.cmp(&north) {
        std::cmp::Ordering::Greater => "South wins",
        std::cmp::Ordering::Less => "North wins",
        std::cmp::Ordering::Equal => "A draw",
    };
    format!("Game over {dot} {winner} {south} : {north}")
}
