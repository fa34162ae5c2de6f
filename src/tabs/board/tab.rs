//! The Board as a tab: keys, clicks, job events and task results.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::variant_title;
use super::panels::analysis;
use super::session::casual;
use super::session::clock::ClockConditions;
use super::setup::new_game::NewGame;
use super::{Board, message};
use crate::app::overlay::TaskResult;
use crate::app::tab::{Context, PaletteSource, Tab, Tone};
use crate::config::Digits;
use crate::game::record::Record;
use crate::game::{Move, Place};
use crate::job::{JobId, News};
use crate::ui::{Look, hit_test};

impl Tab for Board {
    fn scope(&self) -> &'static str {
        "board"
    }

    fn title(&self) -> &'static str {
        "Board"
    }

    fn subtitle(&self, look: &Look) -> String {
        let title = variant_title(&self.session.record.variant, look);
        self.library.shelf_text().map_or_else(|| title.clone(), |game| format!("{title} {} {game}", look.glyphs.dot))
    }

    fn offer(&self) -> Option<TaskResult> {
        Some(Box::new(*self.session.position()))
    }

    fn about(&self, look: &Look) -> Vec<(String, Vec<String>)> {
        let variant = &self.session.record.variant;
        let rules = variant.explained().iter().map(|line| (*line).to_owned()).collect();
        vec![
            (format!("{}: the rules", variant.title()), rules),
            ("Marks on the board".to_owned(), self.marks_explained(look)),
        ]
    }

    fn notes(&self) -> Vec<(String, Vec<String>)> {
        vec![("Rated and casual games".to_owned(), casual::ABOUT.map(str::to_owned).into())]
    }

    fn other_keys(&self) -> Vec<(String, String)> {
        if let Some(edit) = &self.session.edit {
            return edit.footer_keys(self.session.record.variant.seats());
        }
        if self.session.pits() == 0 {
            return self.square_keys();
        }
        let mut keys = vec![(self.session.pit_keys(), "Sow this pit (your left is A)".into())];
        keys.push(("arrows".to_owned(), "Choose a pit".to_owned()));
        keys.push(("Enter".to_owned(), "Sow the chosen pit".to_owned()));
        if self.digits == Digits::Pits {
            keys.push((format!("1-{}", self.session.pits()), "Sow this pit".into()));
        }
        keys
    }

    fn footer_keys(&self) -> Vec<(String, String)> {
        match &self.session.edit {
            Some(edit) => edit.footer_keys(self.session.record.variant.seats()),
            None if self.panels.is_previewing(&self.session) => analysis::footer_keys(),
            None if self.practice.is_retrying(&self.session) => [self.practice.keys(), self.entry_keys()].concat(),
            None if (self.awaits_human() || self.answers()) && !self.session.is_resigned_here() => {
                [self.entry_keys(), self.explorer_keys()].concat()
            }
            None => self.explorer_keys(),
        }
    }

    fn slow_line(&mut self, cx: &mut Context) {
        if self.playback.stop_sowing() {
            cx.notice(Tone::Info, "Slow line: animation off (+ turns it on)");
        }
    }

    fn open(&mut self, cx: &mut Context) {
        // Guests' files have limits of number and size: they save by themselves.
        self.library.keep_games(!cx.paths.rights().is_guest());
        let settings = &cx.config.board;
        self.session.seat = settings.seat;
        self.playback.set_speeds(settings.autoplay, settings.animation);
        self.digits = settings.digits;
        self.panels.analysis.on = settings.analysis;
        self.panels.coach = settings.coach;
        self.panels.analysis.engine = cx.config.search.analysis;
        if self.session.mode.is_live() {
            self.session.play_on();
        }
        self.playback.moved = cx.now;
        self.panels.review.recall(self.session.game, &self.session.record.variant, cx);
        if !self.by_lines && !self.library.is_watched() {
            self.library.look_for_last(cx);
        }
        self.library.read_my_levels(cx);
        if std::mem::take(&mut self.startup.lists_shelf) {
            self.library.open_collection(&self.session, cx);
        }
        if std::mem::take(&mut self.startup.welcomes) {
            cx.open(NewGame::welcome(&self.setup, &self.library.my_levels, cx.paths.rights()));
        }
        if let Some(mistakes) = self.startup.puzzles.take() {
            self.practice.ask_puzzles(&self.session, self.library.games.clone(), mistakes, cx);
        }
        if let Some(problem) = &cx.config.preferences.problem {
            let problem = problem.clone();
            cx.notice(Tone::Bad, problem);
        }
        if let Some(reason) = self.startup.broken.take() {
            cx.notice(Tone::Bad, reason);
        }
        if self.by_lines {
            return self.begin_lines(cx);
        }
        self.library.ask_for_players(&self.session, cx);
    }

    /// A key falls through the layers, from the topmost: the editor of positions covers those below it.
    fn capture(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if self.card_key(key, cx) {
            return true;
        }
        if self.session.edit.is_some() {
            return self.edit_key(key, cx);
        }
        self.preview_key(key, cx) || self.retry_key(key, cx) || self.explorer_key(key, cx) || self.entry_key(key, cx)
    }

    /// Digits that choose pits or squares do not switch tabs.
    fn claims(&self, key: KeyEvent) -> bool {
        if self.is_entry_key(key) {
            return true;
        }
        let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        self.digits == Digits::Pits
            && self.session.edit.is_none()
            && self.session.pits() > 0
            && plain
            && matches!(key.code, KeyCode::Char('1'..='9'))
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if self.session.edit.is_some() || !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        if key.code == KeyCode::Esc && self.panels.review.is_reviewing() {
            self.toggle_review(cx);
            return true;
        }
        let pit = match key.code {
            KeyCode::Char(c) if self.session.pits() == 0 => return self.type_name(c, cx),
            KeyCode::Char(c @ '1'..='9') if self.digits == Digits::Pits => {
                Some(c as u8 - b'1').filter(|pit| *pit < self.session.pits())
            }
            KeyCode::Char(c) => self.session.lettered_pit(c),
            _ => None,
        };
        if let Some(pit) = pit {
            self.name_place(Place::Pit(self.session.position().side(), pit), cx);
        }
        pit.is_some()
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let at = (mouse.column, mouse.row).into();
        match mouse.kind {
            MouseEventKind::ScrollUp if self.session.edit.is_none() => self.walk(cx, Record::back),
            MouseEventKind::ScrollDown if self.session.edit.is_none() => self.walk(cx, Record::forward),
            MouseEventKind::Down(MouseButton::Left) => self.click(at, cx),
            _ => {}
        }
    }

    fn reads_pastes(&self) -> bool {
        true
    }

    fn palette_items(&self, _: &Context) -> Option<PaletteSource> {
        Some(message::items(self.setup.variant, self.library.games.clone()))
    }

    fn paste(&mut self, text: &str, cx: &mut Context) {
        self.library.take_text(&self.session, text, cx);
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        if self.panels.review.is_job(job) {
            self.review_news(news, cx);
        } else if self.playback.thinking.as_ref().is_some_and(|thinking| thinking.job == job) {
            self.thought_news(news, cx);
        } else if self.panels.explorer.is_job(job) {
            self.panels.explorer.take_news(news, cx);
        } else if self.practice.is_job(job) {
            self.practice.lines_news(&self.session, news, cx);
        } else if self.panels.is_threat(job) {
            self.panels.threat_news(&self.session, news, cx);
        } else {
            self.analysis_news(job, news, cx);
        }
    }

    fn answer(&mut self, answer: TaskResult, cx: &mut Context) {
        self.take_answer(answer, cx);
    }

    fn deadline(&self) -> Option<Instant> {
        self.next_tick()
    }

    fn tick(&mut self, cx: &mut Context) {
        self.advance(cx);
    }

    fn settle(&mut self, cx: &mut Context) {
        self.forget_other_games(cx);
        self.settle_retry(cx);
        self.panels.settle_preview(&self.session);
        self.settle_coach(cx);
        self.panels.settle_threat(&self.session, cx);
        self.practice.settle_lines(&self.session, cx);
        let is_awaited = self.wants_thought();
        self.playback.settle(&self.session, is_awaited, cx);
        let is_of_player = self.player_in_panel().is_some();
        self.panels.analysis.settle(&self.session, is_of_player, cx);
        self.panels.terms.settle_table_value(&self.session, cx);
        if self.shows_explorer() {
            let games = self.library.games.as_deref();
            self.panels.explorer.settle(&self.session, games, self.library.saved_version(), cx);
        }
        let conditions = ClockConditions {
            control: self.setup.clock,
            has_ballot: self.setup.ballot.is_some(),
            is_thinking: self.playback.is_thinking(),
            is_interrupted: self.panels.review.is_reviewing() || self.practice.is_retrying(&self.session),
            times_persons: !self.by_lines,
        };
        self.session.settle_clock(&conditions, cx.now);
        // Once the clock has added its increment.
        self.session.keep_time(cx.now);
        let is_awaited = self.wants_thought();
        self.library.settle_draft(&self.session, is_awaited, cx);
    }

    fn unfinished(&self) -> Option<String> {
        self.library.unsaved().map(str::to_owned)
    }

    fn loses(&self) -> bool {
        self.library.unsaved().is_some()
    }

    fn leave(&mut self) -> Result<(), Error> {
        let cards = self.practice.cards.write();
        self.library.leave_game(&self.session).and(cards)
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.draw_all(area, buf, look);
    }
}

impl Board {
    /// A click on a place, a move, a row of the analysis or a panel's title.
    fn click(&mut self, at: ratatui::layout::Position, cx: &mut Context) {
        let is_for_card = self.has_card() && (self.session.resigned().is_some() || self.areas.card.contains(at));
        self.panels.card = None;
        self.end_preview();
        if is_for_card {
            return;
        }
        if let Some(place) = hit_test(&self.areas.places, at) {
            return self.click_place(place, cx);
        }
        if self.session.edit.is_some() {
            return;
        }
        if let Some(node) = hit_test(&self.areas.rows, at).or_else(|| hit_test(&self.panels.review.columns, at)) {
            return self.walk(cx, |record| {
                record.go_to(node);
                true
            });
        }
        let picked = hit_test(&self.areas.findings_rows, at).or_else(|| hit_test(&self.areas.opening_rows, at));
        if let Some(mv) = picked {
            return self.pick(mv, cx);
        }
        if let Some(toggle) = hit_test(&self.areas.titles, at) {
            toggle(self, cx);
        }
    }

    fn click_place(&mut self, place: Place, cx: &mut Context) {
        if let Some(edit) = &mut self.session.edit {
            return edit.click(place);
        }
        match place {
            Place::Pit(side, _) if side == self.session.position().side() => self.name_place(place, cx),
            Place::Pit(..) if self.awaits_human() => {
                let mover = self.session.seat_name(self.session.position().side());
                cx.notice(Tone::Info, format!("{mover} is to move"));
            }
            Place::Square(_) if self.awaited_pass().is_some() => self.enter(cx),
            Place::Square(_) => self.name_place(place, cx),
            Place::Pit(..) | Place::Store(_) => {}
        }
    }

    /// A click on a move of the analysis or of the explorer points at it on the board; a double click makes it.
    fn pick(&mut self, mv: Move, cx: &mut Context) {
        let is_again = self.panels.is_picked_again(&self.session, mv, cx.now);
        self.panels.point_at(&self.session, mv, cx.now);
        if is_again {
            self.make_picked(mv, cx);
        }
    }

    /// Makes a chosen move, unless a computer player is about to.
    pub(super) fn make_picked(&mut self, mv: Move, cx: &mut Context) {
        self.panels.unpick();
        if self.playback.thinking.is_some() {
            return cx.notice(Tone::Info, self.why_not_now());
        }
        self.make_move(mv, cx);
    }
}
