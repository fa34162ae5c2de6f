//! The end of a game: a card with the result, how well both sides played, the turning point and what to do next.
//!
//! The game is reviewed meanwhile, and the card fills. It docks below the final position or beside it. It is part of the tab and not
//! an overlay, so that the board remains usable: its keys are the Board's own, and close it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::layout::Layout;
use crate::app::effect::{Context, Tone};
use crate::app::overlay::question::Question;
use crate::game::notation::{ON_TIME, RESIGNED, TERMINATION};
use crate::game::record::NodeId;
use crate::game::{Outcome, Side};
use crate::player::levels::Opponent;
use crate::player::reviewing::Mark;
use crate::tabs::board::Board;
use crate::tabs::board::message::Message;
use crate::tabs::board::session::Mode;
use crate::tabs::board::setup::Setup;
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

impl Board {
    /// Shows the card at the end of a person's game, and begins the review.
    pub(in crate::tabs::board) fn show_card(&mut self, cx: &mut Context) {
        if self.session.has_human() && self.session.mode.is_live() {
            self.panels.card = Some(self.session.spot());
            self.start_review(true, cx);
            self.log_result(cx);
        }
    }

    pub(in crate::tabs::board) fn has_card(&self) -> bool {
        self.panels.card == Some(self.session.spot()) && self.playback.animation.is_none() && self.edit.is_none()
    }

    /// A key while the card is shown; false if it is for the board.
    pub(in crate::tabs::board) fn card_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if key.code == KeyCode::Enter && self.is_reviewing() {
            // The card stays, so that the key can be pressed again.
            cx.notice(Tone::Info, "The review is not complete yet");
            return true;
        }
        self.panels.card = None;
        let is_chord = !key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let (done, of) = self.reviewed();
        match key.code {
            KeyCode::Enter if self.has_mistakes() => {
                self.walk(cx, |record| {
                    record.to_start();
                    true
                });
                self.go_to_mistake(1, cx);
            }
            KeyCode::Enter if done < of => cx.notice(Tone::Info, "The game is not reviewed (r: review)"),
            KeyCode::Enter => cx.notice(Tone::Info, "No mistakes in this game"),
            KeyCode::Esc => {}
            // No letter of a pit or square may continue a game that was just resigned: the card stays.
            KeyCode::Char(c) if self.resigned().is_some() && !is_chord && self.names_a_place(c) => {
                self.panels.card = Some(self.session.spot());
            }
            _ => return false,
        }
        true
    }

    /// Returns whether a character belongs to the name of a pit or a square.
    fn names_a_place(&self, c: char) -> bool {
        match self.session.pits() {
            0 if self.by_numbers() => c.is_ascii_digit(),
            0 => matches!(c, 'a'..='h' | '1'..='8'),
            pits => c.is_ascii_alphabetic() && c.to_ascii_lowercase() as u8 - b'a' < pits,
        }
    }

    /// The game and its players, which after a puzzle are not those of the next new game.
    fn same_again(&self) -> Setup {
        let variant = self.session.record.variant;
        if variant == self.setup.variant {
            return self.setup.clone();
        }
        let players = self.session.players.clone().map(Opponent::Player);
        Setup { variant, players, ..self.setup.clone() }
    }

    /// The same players again, from the same start.
    pub(in crate::tabs::board) fn rematch(&mut self, cx: &mut Context) {
        self.start_game(self.same_again(), *self.session.record.start(), cx);
    }

    pub(in crate::tabs::board) fn swap_sides(&mut self, cx: &mut Context) {
        let mut setup = self.same_again();
        setup.players.swap(0, 1);
        self.start_game(setup, *self.session.record.start(), cx);
    }

    /// The side of the only person, or the side to move of two.
    fn person(&self) -> Option<Side> {
        let to_move = self.session.position().side();
        [to_move, to_move.other()].into_iter().find(|&side| self.session.is_human(side))
    }

    pub(in crate::tabs::board) fn can_resign(&self) -> bool {
        self.session.mode.is_live()
            && self.session.has_human()
            && !self.session.is_over()
            && !self.session.record.is_empty()
            && self.resigned().is_none()
    }

    pub(in crate::tabs::board) fn ask_to_resign(&mut self, cx: &mut Context) {
        let game = self.session.game;
        if !self.can_resign() {
            return cx.notice(Tone::Info, "You have no game in progress");
        }
        let text = match self.person() {
            Some(side) if self.has_computer() => format!("You play {}.", self.session.seat_name(side)),
            Some(side) => format!("{} is to move.", self.session.seat_name(side)),
            None => return,
        };
        cx.open(Question::new("Resign?", text, ["resign", "play on"], move || Message::Resign(game)));
    }

    /// Ends the game by resignation; `space` would continue it.
    pub(in crate::tabs::board) fn resign(&mut self, game: u64, cx: &mut Context) {
        let Some(side) = self.person().filter(|_| game == self.session.game && self.can_resign()) else { return };
        let seat = self.session.seat_name(side).to_owned();
        self.session.record.set_header(RESIGNED, Some(seat));
        self.show_card(cx);
        self.session.mode = Mode::Viewed;
        self.settle(cx);
    }

    /// A game whose main line continues is not resigned.
    pub(in crate::tabs::board) fn withdraw_resignation(&mut self, cx: &mut Context) {
        if let Some(side) = self.resigned().filter(|_| self.session.record.is_main(self.session.record.at())) {
            let what = if self.is_lost_on_time() { "loss on time" } else { "resignation" };
            cx.notice(Tone::Info, format!("The game goes on: {}'s {what} is withdrawn", self.session.seat_name(side)));
            self.session.record.set_header(RESIGNED, None);
            self.session.record.set_header(
                TERMINATION,
                self.session.record.header(TERMINATION).filter(|how| *how != ON_TIME).map(str::to_owned),
            );
        }
    }

    /// The side that resigned the game.
    pub(in crate::tabs::board) fn resigned(&self) -> Option<Side> {
        let seat = self.session.record.header(RESIGNED)?;
        Side::BOTH.into_iter().find(|&side| self.session.seat_name(side) == seat)
    }

    /// Returns whether the position shown is the one in which a side resigned.
    pub(in crate::tabs::board) fn is_resigned_here(&self) -> bool {
        self.resigned().is_some() && self.session.record.at() == self.session.record.main_end()
    }

    pub(in crate::tabs::board) fn is_lost_on_time(&self) -> bool {
        self.session.record.header(TERMINATION) == Some(ON_TIME) && self.resigned().is_some()
    }

    /// The outcome of the game on the card for a side.
    pub(in crate::tabs::board) fn outcome(&self, side: Side) -> Option<Outcome> {
        let lost = |resigned| if resigned == side { Outcome::Lost } else { Outcome::Won };
        self.resigned().map(lost).or_else(|| self.session.record.ending().map(|ending| ending.outcome(side)))
    }

    fn has_computer(&self) -> bool {
        Side::BOTH.into_iter().any(|side| !self.session.is_human(side))
    }

    /// `You win 31 : 17`.
    fn headline(&self) -> String {
        let of = self.person().unwrap_or(Side::South);
        let whom = if self.has_computer() { "You".to_owned() } else { self.session.seat_name(of).to_owned() };
        let verb = |one: &str| if self.has_computer() { one.to_owned() } else { format!("{one}s") };
        let counts = self.session.position().board().counts();
        let own = counts[of.index()];
        let other = counts[of.other().index()];
        match self.outcome(of) {
            Some(Outcome::Lost) if self.is_lost_on_time() => format!("{whom} lost on time"),
            Some(Outcome::Lost) if self.resigned().is_some() => format!("{whom} resigned"),
            Some(Outcome::Won) if self.is_lost_on_time() => format!("{whom} {} on time", verb("win")),
            Some(Outcome::Won) => format!("{whom} {} {own} : {other}", verb("win")),
            Some(Outcome::Lost) => format!("{whom} {} {own} : {other}", verb("lose")),
            _ => format!("Draw {own} : {other}"),
        }
    }

    /// The opponent and whether the game is rated: `against Easy · casual (hints)`.
    fn card_title(&self, look: &Look) -> Option<String> {
        let (person, rating) = (self.only_person()?, self.rating_text()?);
        Some(format!("against {} {} {rating}", self.player_name(person.other(), look), look.glyphs.dot))
    }

    /// The move after which the winner stayed ahead, and the winner's chance before and after it.
    fn turning_point(&self) -> Option<(NodeId, [f64; 2])> {
        let winner = Side::BOTH.into_iter().find(|&side| self.outcome(side) == Some(Outcome::Won))?;
        let chance = |node: &NodeId| {
            let chance = self.verdict(*node)?.chance;
            Some(if winner == self.point_of_view() { chance } else { 1.0 - chance })
        };
        let nodes = self.line_nodes();
        let chances: Vec<f64> = nodes.iter().map_while(chance).collect();
        if chances.len() < nodes.len() {
            return None;
        }
        let turn = chances.windows(2).rposition(|pair| pair[0] <= 0.5 && pair[1] > 0.5)?;
        Some((nodes[turn + 1], [chances[turn], chances[turn + 1]]))
    }

    /// `Turning point: 12 C?? (North: 35 to 71 %)`.
    fn turning_text(&self) -> Option<String> {
        let (node, [before, after]) = self.turning_point()?;
        let winner = Side::BOTH.into_iter().find(|&side| self.outcome(side) == Some(Outcome::Won))?;
        let line = self.session.record.line();
        let step = line.iter().find(|step| step.node == node)?;
        let position = self.session.record.position_at(self.session.record.parent(node)?);
        let mark = self.verdict(node).and_then(|verdict| verdict.mark).map_or("", Mark::text);
        let before = 100.0 * before;
        let after = 100.0 * after;
        Some(format!(
            "Turning point: {} {}{mark} ({}: {before:.0} to {after:.0} %)",
            step.turn,
            position.move_text(step.mv),
            self.session.seat_name(winner)
        ))
    }

    /// The marks of a side's moves.
    pub(in crate::tabs::board) fn marks(&self, side: Side) -> Vec<Mark> {
        let line = self.session.record.line();
        let own = line.iter().filter(|step| step.mover == side);
        own.filter_map(|step| self.verdict(step.node)?.mark).collect()
    }

    /// A side's row: player, accuracy, mistakes and blunders.
    fn card_row(&self, side: Side, is_wide: bool, look: &Look) -> Line<'static> {
        let role = self.side_role(side);
        let is_you = self.only_person() == Some(side) && self.session.record.players[side.index()] == "human";
        let player = if is_you { "you".to_owned() } else { self.player_name(side, look) };
        let marks = self.marks(side);
        let count = |mark: Mark| marks.iter().filter(|other| **other == mark).count();
        let accuracy =
            self.accuracy(side).map_or(look.glyphs.ellipsis.to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let [mistakes, blunders] = [Mark::Mistake, Mark::Blunder].map(count);
        let (seat_cells, player_cells, figures) = match is_wide {
            true => (7, 8, format!("{accuracy:>6}{mistakes:>4} ?{blunders:>3} ??")),
            false => (6, 7, format!("{accuracy:>5}{mistakes:>3}?{blunders:>3}??")),
        };
        Line::from(vec![
            look.span(role, format!("{:<seat_cells$}", self.session.seat_name(side))),
            look.span(Role::Text, format!("{:<player_cells$}", clip(&player, player_cells as u16 - 1, look))),
            look.span(Role::Text, figures),
        ])
    }

    /// The chance of winning of the person, or of the first player, over the game.
    fn chance_line(&self, cells: u16, look: &Look) -> String {
        let of = self.only_person().unwrap_or(Side::South);
        let is_shown = of == self.point_of_view();
        let chances = self.line_nodes().into_iter().filter_map(|node| self.verdict(node)).map(|verdict| verdict.chance);
        let chances: Vec<f64> = chances.map(|chance| if is_shown { chance } else { 1.0 - chance }).collect();
        sparkline(&chances, cells, look)
    }

    /// The place of the card: below the final position, or beside a board of squares. It covers no panel in part if it can avoid that.
    pub(in crate::tabs::board) fn card_area(&self, area: Rect, places: &Layout) -> Rect {
        let moves = places.moves;
        let is_beside = self.session.pits() == 0 && moves.width >= KEYS_NARROW && moves.height > ROWS_NARROW;
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

    /// Draws the card.
    pub(in crate::tabs::board) fn draw_card(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let why = self.session.record.ending().and_then(|ending| self.result_texts(ending, look).1);
        let parts = [Some("Game over".to_owned()), Some(self.headline()), why];
        let mut parts: Vec<String> = parts.into_iter().flatten().collect();
        let dot = format!(" {} ", look.glyphs.dot);
        if width(&parts.join(&dot)) + 4 > area.width {
            parts.remove(0);
        }
        let head = parts.join(&dot);
        let inner = window_at(area, &head, buf, look);
        let progress = self.review_progress(look).map(|progress| format!("Reviewing: {progress}"));
        let turning = progress.or_else(|| self.turning_text()).unwrap_or_default();
        let title = self.card_title(look).unwrap_or_default();
        // Without the reasons of a casual game where they have no room.
        let title = match title.split_once(" (") {
            Some((short, _)) if width(&title) > inner.width => short.to_owned(),
            _ => title,
        };
        let keys: Vec<_> = KEYS.into_iter().filter(|(key, _)| *key != "Z" || self.has_mistakes()).collect();
        let key = |(key, word): &(&'static str, &'static str)| {
            vec![look.span(Role::Key, *key), look.span(Role::Text, format!(" {word}  "))]
        };
        let text = |role: Role, text: String| Line::from(look.span(role, clip(&text, inner.width, look)));
        let [south, north] = Side::BOTH.map(|side| self.card_row(side, area.width >= WIDE, look));
        let lines = if area.width >= WIDE {
            let free = inner.width.saturating_sub(south.width() as u16 + 3);
            let beside = |mut line: Line<'static>, text: String, role: Role| {
                line.push_span(look.span(role, format!("   {}", clip(&text, free, look))));
                line
            };
            let chance = self.chance_line(free.saturating_sub(18), look);
            let chance = if chance.is_empty() { chance } else { format!("{chance} chance of winning") };
            let keys = Line::from(keys.iter().flat_map(key).collect::<Vec<_>>());
            vec![text(Role::Dim, title), beside(south, chance, Role::Text), beside(north, turning, Role::Dim), keys]
        } else {
            let chance = text(Role::Text, self.chance_line(inner.width, look));
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
