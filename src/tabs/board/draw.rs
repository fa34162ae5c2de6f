//! Layout of the Board tab: the board with the two players, and the panels around it. `marks` marks places on the
//! board, `story` is the text below it, `moves` the list of moves, `findings` the search results, `reports` the
//! players' reports.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::library::agree::{needs_agreement, without_file};
use super::panels::card;
use super::panels::findings::Findings;
use super::panels::layout::{Layout, PLAYER, PanelRequest, layout};
use super::panels::moves::has_large_clocks;
use super::panels::terms::{has_terms, term_lines};
use super::{Board, practice};
use crate::game::{self, Side, Variant};
use crate::player::analysis::Engine;
use crate::theme::Role;
use crate::ui::board::{self, View};
use crate::ui::{Canvas, Look, fit, joined, put, row, wrap};

/// Rows of an analysis; on squares, as many as most positions have moves.
fn analysis_rows(board: &game::Board) -> u16 {
    match board {
        game::Board::Pits(board) => board.pits_a_side() as u16,
        game::Board::Squares(_) => 12,
    }
}

/// Rows of a tutorial's longest comment beyond one, at 80 columns.
const TUTORIAL: u16 = 3;

impl Board {
    pub(super) fn draw_all(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let board = self.shown_board();
        let places = self.with_contents(layout(area, &board, &self.wanted(&board)).joined());
        let mut places = places.with_long_moves(area);
        let card = if self.has_card() { card::area(&self.session, area, &places) } else { Rect::ZERO };
        if card.intersects(places.curve) {
            places.curve = Rect::default();
        }
        let has_analysis = self.panels.analysis.on;
        let (findings, explorer) =
            self.panels.explorer.split_lower(places.analysis, self.shows_explorer(), has_analysis);
        self.panels.shows_analysis = self.panels.analysis.on && !findings.is_empty();
        self.panels.shows_explorer = !explorer.is_empty();
        self.panels.large_clocks =
            !self.practice.is_retrying(&self.session) && has_large_clocks(&self.session, area, places.moves);
        self.draw_board(&places, buf, look);
        self.areas.rows.clear();
        self.areas.findings_rows.clear();
        self.areas.opening_rows.clear();
        self.areas.titles.clear();
        if !places.moves.is_empty() {
            match self.practice.is_retrying(&self.session) {
                true => self.practice.draw(&self.session, &self.panels.review, places.moves, buf, look),
                false => {
                    let is_saved = !self.is_modified();
                    let pace = self.session.mode.is_automatic().then(|| self.playback.pace_text());
                    self.areas.rows = self.panels.draw_moves(&self.session, (is_saved, pace), &places, buf, look);
                }
            }
            self.areas.titles.push((row(places.moves, 0), Board::toggle_fold));
        }
        self.panels.review.draw_curve(&self.session, &places, buf, look);
        if !places.curve.is_empty() && !self.has_curve() {
            let text = match self.session.record.is_empty() {
                true => "the course of the game, once it is reviewed",
                false => "r: review of the game, move by move",
            };
            Board::draw_without_contents(places.curve, "Chance of winning", text, buf, look);
        }
        if !places.mistakes.is_empty() && !self.practice.is_retrying(&self.session) {
            let rows = self.panels.review.draw_mistakes(&self.session, places.mistakes, buf, look);
            self.areas.rows.extend(rows);
        }
        if !findings.is_empty() {
            let places = Layout { analysis: findings, ..places };
            let picked = self.panels.picked(&self.session);
            self.areas.findings_rows = self.findings().draw(&self.session, picked, &places, buf, look);
            self.areas.titles.push((row(findings, 0), Board::toggle_analysis));
        }
        if !explorer.is_empty() {
            let places = Layout { analysis: explorer, ..places };
            let picked = self.panels.picked(&self.session);
            self.areas.opening_rows = self.panels.explorer.draw(&self.session, picked, &places, buf, look);
            self.areas.titles.push((row(explorer, 0), Board::toggle_explorer));
        }
        if !places.terms.is_empty() {
            match self.panels.terms.on {
                true => self.panels.terms.draw(&self.session, &places, buf, look),
                false => Board::draw_without_contents(
                    places.terms,
                    "Values",
                    "w: heuristics, functions or network values",
                    buf,
                    look,
                ),
            }
            self.areas.titles.push((row(places.terms, 0), Board::toggle_terms));
        }
        if !places.reports.is_empty() {
            match self.panels.reports.has_any(&self.session) {
                true => self.panels.reports.draw(&self.session, &self.panels.terms.known, &places, buf, look),
                false => Board::draw_without_contents(
                    places.reports,
                    "Engine output",
                    "what computer players found, once they have moved",
                    buf,
                    look,
                ),
            }
        }
        self.report_choice(places.moves, look);
        if self.has_card() {
            self.areas.card = card;
            self.panels.draw_card(&self.session, card, buf, look);
        }
    }

    /// What the panel of the analysis shows: the search of a player that thinks, or the analysis.
    fn findings(&self) -> Findings<'_> {
        let Some(thinking) = self.player_in_panel() else { return Findings::new(&self.panels.analysis, &self.session) };
        let side = self.session.position().side();
        let thought = thinking.thought.as_ref();
        Findings {
            whose: format!("{} thinks: {}", self.session.seat_name(side), self.session.players[side.index()]),
            engine: Engine::MonteCarlo,
            report: thought.and_then(|thought| thought.report.as_ref()),
            busy: thought.map_or(Duration::ZERO, |thought| thought.busy),
            done: thinking.has_chosen(),
            analysis: None,
        }
    }

    /// Reports the place of the choice: the cursor on the board or the pit that was sown last, or else the current move in the list of
    /// moves or on the board.
    fn report_choice(&self, moves: Rect, look: &Look) {
        let cursor = match &self.session.edit {
            Some(edit) => Some(edit.cursor),
            None => self.entry_cursor(),
        };
        let drawn = |wanted: game::Place| {
            let mut places = self.areas.places.iter().filter(|(area, _)| !area.is_empty());
            places.find(|(_, place)| *place == wanted).map(|(area, _)| *area)
        };
        let last = || self.session.record.last().and_then(|(before, mv)| before.places(mv).last().copied());
        // Pits are mostly chosen by their letters, without a cursor.
        let pit = || last().filter(|place| matches!(place, game::Place::Pit(..)));
        let is_chosen = |(_, mv): &&(Rect, game::Move)| self.panels.picked(&self.session) == Some(*mv);
        if let Some((area, _)) = self.areas.opening_rows.iter().find(is_chosen) {
            return look.cursor_place.set(*area);
        }
        if let Some(area) = cursor.or_else(pit).and_then(drawn) {
            return look.cursor_place.set_middle(area);
        }
        let current = self.areas.rows.iter().find(|(_, node)| *node == self.session.record.at()).map(|(area, _)| *area);
        match current {
            Some(area) => look.cursor_place.set(area),
            None if moves.height > 2 => {
                look.cursor_place.set(Rect { x: moves.x + 1, y: moves.y + 1, width: 1, height: 1 })
            }
            None => last().and_then(drawn).into_iter().for_each(|area| look.cursor_place.set_middle(area)),
        }
    }

    /// Rows of the analysis and the explorer: beside a board of squares they are stacked.
    fn analysis_rows(&self, board: &game::Board) -> u16 {
        let rows = analysis_rows(board);
        let is_stacked = self.shows_explorer() && self.panels.analysis.on && matches!(board, game::Board::Squares(_));
        if is_stacked { 2 * rows + 2 } else { rows }
    }

    /// Leaves out panels that have nothing to show: their places stay, so that switching one on moves nothing. Beside others they
    /// say how to switch them on.
    fn with_contents(&self, mut places: Layout) -> Layout {
        if !self.panels.analysis.on && !self.shows_explorer() {
            places.analysis = Rect::default();
        }
        let has_reports = self.panels.reports.has_any(&self.session);
        let is_puzzle = self.practice.is_retrying(&self.session);
        let others = [places.analysis, places.mistakes, if has_reports { places.reports } else { Rect::default() }];
        let leaves_gaps = !is_puzzle && others.iter().any(|other| !other.is_empty());
        if !has_reports && (!leaves_gaps || self.panels.reports.count(&self.session) == 0) {
            places.reports = Rect::default();
        }
        if !self.has_curve() && !leaves_gaps {
            places.curve = Rect::default();
        }
        if !self.panels.terms.on && !leaves_gaps {
            places.terms = Rect::default();
        }
        places
    }

    /// Draws the frame of a panel without contents, and when it has some.
    fn draw_without_contents(area: Rect, title: &str, text: &str, buf: &mut Buffer, look: &Look) {
        let inner = joined(area, Line::from(look.span(Role::Title, title)), Line::default(), buf, look);
        Canvas::new(inner, buf, look).explain(text);
    }

    /// Whether there is a chart: a puzzle has no game whose course would be shown.
    fn has_curve(&self) -> bool {
        let is_puzzle = self.practice.is_retrying(&self.session) && self.session.record.is_empty();
        self.panels.review.has_results(&self.session) && !is_puzzle
    }

    /// Draws the panels beside the board and the moves.
    fn wanted(&self, board: &game::Board) -> PanelRequest {
        let has_terms = has_terms(&self.session);
        PanelRequest {
            analysis: self.panels.analysis.on || self.shows_explorer(),
            lines: self.analysis_rows(board),
            terms: self.panels.terms.on && has_terms,
            terms_last: self.panels.terms.last,
            has_terms,
            term_lines: term_lines(&self.session),
            curve: self.has_curve(),
            mistakes: self.panels.review.has_mistakes(&self.session),
            reports: self.panels.reports.count(&self.session),
            story: if practice::tutorial_step(&self.session.record).is_some() { TUTORIAL } else { 0 },
            edit: self.session.edit.is_some(),
        }
    }

    fn draw_board(&mut self, places: &Layout, buf: &mut Buffer, look: &Look) {
        let board = self.shown_board();
        let view = self.view(&board, look);
        if !places.beside.is_empty() {
            self.areas.places = board::draw(&view, places.board, buf, look);
            return self.draw_beside(&view, places.beside, buf, look);
        }
        let area = places.board;
        let seat = self.session.bottom();
        let inner = if places.compact {
            put(self.player_line(seat.other(), look), area, buf);
            let last = row(area, area.height.saturating_sub(1));
            put(self.player_line(seat, look), last, buf);
            Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area }
        } else {
            let line = |side| fit(self.player_line(side, look), area.width.saturating_sub(4), look);
            joined(area, line(seat.other()), line(seat), buf, look)
        };
        if !places.compact {
            self.draw_evaluation(area, buf, look);
        }
        let most = Rect { height: inner.height.saturating_sub(1), ..inner };
        let high = board::size(&board, (most.width, most.height)).1.min(most.height);
        // The story is right below the board, after a blank line if there is room. The board stays where it is, whatever the
        // number of lines.
        let above = inner.height.saturating_sub(high + 3) / 2;
        let below = inner.height.saturating_sub(above + high);
        let lines = self.story_lines(inner.width, below, look);
        let blank = u16::from(usize::from(below) > lines.len());
        let field = Rect { y: inner.y + above, height: high, ..inner };
        self.areas.places = board::draw(&view, field, buf, look);
        for (index, line) in lines.into_iter().enumerate() {
            let line = fit(line, inner.width, look);
            line.alignment(Alignment::Center).render(row(inner, above + high + blank + index as u16), buf);
        }
    }

    /// Draws the chance of winning into the left edge of the board's frame, in the colours of the two sides, or
    /// in full and shaded.
    fn draw_evaluation(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let rows = area.height.saturating_sub(2);
        let is_hidden = self.session.edit.is_some() || self.practice.is_retrying(&self.session);
        let Some(chance) = self.panels.chance_below(&self.session).filter(|_| !is_hidden) else { return };
        let filled = (chance * f64::from(rows)).round() as u16;
        let [full, shaded] = if look.glyphs.has_blocks() { ["█", "▒"] } else { ["#", ":"] };
        let [lower, upper] = [self.session.bottom(), self.session.bottom().other()]
            .map(|side| look.style(self.session.side_role(side)).fg);
        let other = if lower == upper { shaded } else { full };
        for y in 0..rows {
            let (fg, text) = if y < rows - filled { (upper, other) } else { (lower, full) };
            let place = Rect { y: area.y + 1 + y, width: 1, height: 1, ..area };
            put(Span::styled(text, Style { fg, ..Style::new() }), place, buf);
        }
    }

    /// The players and the story, where the board takes the full height.
    fn draw_beside(&self, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        let upper = view.seat.other();
        put(self.short_player_line(upper, area.width, look), area, buf);
        put(self.count_line(upper, view, area.width, look), row(area, 1), buf);
        let bottom = area.height.saturating_sub(PLAYER);
        put(self.count_line(view.seat, view, area.width, look), row(area, bottom), buf);
        put(self.short_player_line(view.seat, area.width, look), row(area, bottom + 1), buf);
        let room = Rect { y: area.y + PLAYER, height: area.height.saturating_sub(2 * PLAYER), ..area };
        let blank = u16::from(room.height > 2);
        let lines = self.story_lines(u16::MAX, if room.height < 4 { 1 } else { room.height }, look);
        let wrapped = lines.into_iter().flat_map(|line| {
            let style = line.spans.first().map(|span| span.style).unwrap_or_default();
            let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
            wrap(&text, area.width).into_iter().map(move |text| Line::styled(text, style))
        });
        for (index, line) in wrapped.enumerate().take(usize::from(room.height - blank)) {
            put(line, row(room, blank + index as u16), buf);
        }
    }

    /// `12 on board · 5 moves`, or `9 men, 3 kings · 5 moves`, without words where they do not fit.
    fn count_line(&self, side: Side, view: &View, room: u16, look: &Look) -> Line<'static> {
        let (count, short) = count_texts(side, view.board, look);
        let note = &view.notes[side.index()];
        let dot = if note.is_empty() { String::new() } else { format!(" {} ", look.glyphs.dot) };
        let line = |count: &str| {
            Line::from(vec![look.span(Role::Text, format!("  {count}")), look.span(Role::Dim, dot.clone() + note)])
        };
        Some(line(&count)).filter(|line| line.width() <= usize::from(room)).unwrap_or_else(|| line(&short))
    }

    /// A player's line in the frame: side, player, and whether it is to move.
    pub(super) fn player_line(&self, side: Side, look: &Look) -> Line<'static> {
        let role = self.session.side_role(side);
        let spec = &self.session.players[side.index()];
        let name = &self.session.record.players[side.index()];
        let alone = spec.is_human() && !self.session.is_human(side.other());
        // A player's file that was not confirmed, cannot be opened, or is for another game.
        let is_a_player = needs_agreement(name) || !without_file(name).is_human();
        let sits_in = if spec.is_human() && is_a_player { " (you play)" } else { "" };
        let name = if alone && name == "human" && !self.library.is_watched() {
            "you".to_owned()
        } else {
            self.session.short_player_name(side, look) + sits_in
        };
        let previewed = self.panels.previewed(&self.session).map(|previewed| previewed.position);
        let shown = previewed.unwrap_or(*self.session.position());
        let to_move = self.session.edit.as_ref().map_or(shown.side(), |edit| edit.side) == side;
        let is_over =
            shown.is_over() || (previewed.is_none() && (self.session.is_over() || self.session.is_resigned_here()));
        let to_move = to_move && (self.session.edit.is_some() || !is_over);
        let marker = if to_move { format!("{} ", look.glyphs.pointer) } else { String::new() };
        let mut line = Line::from(vec![
            look.span(Role::Accent, marker),
            look.span(role, self.session.seat_title(side, look)),
            Span::raw("  "),
            look.span(Role::Text, name),
        ]);
        if let Some(left) = self.session.clock_text(side).filter(|_| !self.panels.large_clocks) {
            line.spans.push(look.span(self.session.clock_role(side), format!("  {left}")));
        }
        if to_move {
            let role = if self.is_paused() { Role::Accent } else { Role::Dim };
            line.spans.push(look.span(role, format!(" {} {}", look.glyphs.dot, self.turn_text(look))));
        }
        line
    }

    /// The same without the turn where that has no room: the marker tells who is to move.
    fn short_player_line(&self, side: Side, room: u16, look: &Look) -> Line<'static> {
        let mut line = self.player_line(side, look);
        if line.width() > usize::from(room) && !self.is_paused() {
            line.spans.pop_if(|last| last.content.ends_with("to move"));
        }
        fit(line, room, look)
    }

    fn turn_text(&self, look: &Look) -> String {
        match &self.playback.thinking {
            _ if self.panels.is_previewing(&self.session) => "to move".to_owned(),
            Some(thinking) if thinking.failed => "failed (n: new game)".to_owned(),
            Some(thinking) if !thinking.has_chosen() => format!("thinking{}", look.glyphs.ellipsis),
            None if self.is_paused() && self.panels.review.is_reviewing() => "paused for the review".to_owned(),
            None if self.is_paused() => "paused (space: continue)".to_owned(),
            _ => "to move".to_owned(),
        }
    }
}

/// Counts of a side's pieces, men and kings separately if there are kings; in a long and a short form.
pub(super) fn count_texts(side: Side, board: &game::Board, look: &Look) -> (String, String) {
    let all = board.counts()[side.index()];
    let kings = match board {
        game::Board::Squares(board) if board.has_kings() => board.count_kings(side),
        _ => return (format!("{all} on board"), all.to_string()),
    };
    let counted = |count: u16, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let men = counted(all - kings, "man", "men");
    match (all - kings, kings) {
        (_, 0) => (men, all.to_string()),
        (0, _) => (counted(kings, "king", "kings"), format!("{kings}{}", look.glyphs.king)),
        (left, _) => {
            (format!("{men}, {}", counted(kings, "king", "kings")), format!("{left}+{kings}{}", look.glyphs.king))
        }
    }
}

/// The variant for users, without the names of usual rules: `Kalah 6×4`, `Kalah 6×4 · empty`.
pub fn variant_title(variant: &Variant, look: &Look) -> String {
    let text = variant.to_string();
    let usual = Variant::usual();
    let usual = usual.iter().find(|usual| usual.name() == variant.name()).map(ToString::to_string).unwrap_or_default();
    let is_size = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
    let rules = text.split(':').skip(1).filter(|part| is_size(part) || !usual.split(':').any(|rule| rule == *part));
    let rules: Vec<String> = rules
        .map(|part| if is_size(&part) { part.replacen('x', look.glyphs.times, 1) } else { part.to_owned() })
        .collect();
    format!("{} {}", variant.title(), rules.join(&format!(" {} ", look.glyphs.dot))).trim_end().to_owned()
}
