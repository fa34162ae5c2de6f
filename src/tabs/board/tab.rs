//! The Board as a tab: its commands, and what it does with keys, clicks, news and answers.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Board, Setup, agree, draw, edit, file_dialogs, files, game_file, new_game};
use crate::app::command::Command;
use crate::app::effect::{Context, Tone};
use crate::app::overlay::Answer;
use crate::app::tab::Tab;
use crate::config::{Digits, Seat};
use crate::game::record::Record;
use crate::game::{Cell, Side};
use crate::job::{JobId, News};
use crate::ui::Look;

const COMMANDS: &[Command] = &[
    Command::new("board.back", "One move back", &["left"]).footer("back"),
    Command::new("board.forward", "One move on; at the end, let a computer player move", &["right"]).footer("on"),
    Command::new("board.play", "Play on by itself, or pause", &["space"]).footer("play"),
    Command::new("board.undo", "Take your last move back", &["u"]).footer("undo"),
    Command::new("board.hint", "Show a good move on the board, or hide it", &["h"]).footer("hint"),
    Command::new("board.analysis", "Turn the analysis on or off", &["i"]).footer("analysis"),
    Command::new("board.engine", "Analyse by the other search: alpha-beta or Monte Carlo", &["o"]),
    Command::new("board.terms", "Show or hide what the ten heuristics say of the position", &["w"]),
    Command::new("board.new", "Start a new game", &["n"]).footer("new"),
    Command::new("board.save", "Save the game", &["s"]).footer("save"),
    Command::new("board.load", "Load a game", &["l"]).footer("load"),
    Command::new("board.edit", "Edit the position and play from there", &["p"]).footer("edit"),
    Command::new("board.now", "Have the player that thinks move at once", &["m"]).footer("move now"),
    Command::new("board.start", "Go to the start of the game", &["home"]),
    Command::new("board.end", "Go to the end of the game", &["end"]),
    Command::new("board.previous-variation", "Go to the move tried before this one", &["[", "up"]),
    Command::new("board.next-variation", "Go to the move tried after this one", &["]", "down"]),
    Command::new("board.flip", "Look from the other side", &["v"]),
    Command::new("board.faster", "Sow and play faster", &["+", "="]),
    Command::new("board.slower", "Sow and play slower", &["-"]),
    Command::new("board.copy", "Copy the game to the clipboard", &["y"]),
    Command::new("board.copy-position", "Copy the position to the clipboard", &["Y"]),
];

impl Tab for Board {
    fn scope(&self) -> &'static str {
        "board"
    }

    fn title(&self) -> &'static str {
        "Board"
    }

    fn subtitle(&self, look: &Look) -> String {
        draw::variant_title(&self.record.variant, look)
    }

    fn commands(&self) -> &'static [Command] {
        COMMANDS
    }

    fn other_keys(&self) -> Vec<(String, String)> {
        if self.edit.is_some() {
            return edit::footer_keys();
        }
        let mut keys =
            vec![(self.pit_keys(), "Sow this pit, from the mover's left; small letters too where free".into())];
        if self.digits == Digits::Pits {
            keys.push((format!("1-{}", self.position().board().pits_a_side()), "Sow this pit".into()));
        }
        keys
    }

    fn footer_keys(&self) -> Vec<(String, String)> {
        match &self.edit {
            Some(_) => edit::footer_keys(),
            None if self.awaits_human() => vec![(self.pit_keys(), "sow".into())],
            None => Vec::new(),
        }
    }

    fn footer_label(&self, command: &str) -> Option<&'static str> {
        match command {
            "board.play" if self.autoplay => Some("pause"),
            "board.engine" if self.analysis.on => Some(self.analysis.engine.other().title()),
            _ => None,
        }
    }

    fn is_enabled(&self, command: &str) -> bool {
        if self.edit.is_some() {
            return false;
        }
        match command {
            "board.back" | "board.start" | "board.undo" => self.record.ply() > 0,
            "board.forward" => !self.record.is_at_end() || (!self.position().is_over() && !self.awaits_human()),
            "board.end" => !self.record.is_at_end(),
            "board.play" => self.can_autoplay(),
            "board.now" => self.thinking.is_some(),
            "board.hint" => !self.position().is_over(),
            "board.save" | "board.copy" => !self.record.is_empty(),
            _ => true,
        }
    }

    fn open(&mut self, cx: &mut Context) {
        let settings = &cx.config.board;
        self.seat = settings.seat;
        self.pace = settings.autoplay;
        self.sowing = settings.animation;
        self.digits = settings.digits;
        self.analysis.on = settings.analysis;
        self.analysis.engine = cx.config.search.analysis;
        self.autoplay = !self.has_human() && self.record.is_empty();
        self.live = self.record.is_at_end();
        self.moved = cx.now;
        self.look_for_last(cx);
        self.settle(cx);
        self.ask_for_players(cx);
    }

    fn run(&mut self, command: &str, cx: &mut Context) {
        if self.edit.is_some() {
            return;
        }
        match command {
            "board.back" => self.walk(cx, Record::back),
            "board.forward" => self.step_on(cx),
            "board.start" => self.walk(cx, |record| {
                record.to_start();
                true
            }),
            "board.end" => self.walk(cx, |record| {
                record.to_end();
                true
            }),
            "board.previous-variation" => self.switch_variation(-1, cx),
            "board.next-variation" => self.switch_variation(1, cx),
            "board.play" => self.toggle_autoplay(cx),
            "board.undo" => self.undo(cx),
            "board.now" => self.move_now(cx),
            "board.hint" => self.toggle_hint(cx),
            "board.analysis" => self.toggle_analysis(cx),
            "board.engine" => self.change_engine(cx),
            "board.terms" => self.toggle_terms(cx),
            "board.flip" => self.seat = if self.bottom() == Side::South { Seat::North } else { Seat::South },
            "board.faster" => self.change_speed(2.0, cx),
            "board.slower" => self.change_speed(0.5, cx),
            "board.new" => cx.open(new_game::NewGame::new(&self.setup)),
            "board.save" => self.open_save(cx),
            "board.load" => self.open_load(cx),
            "board.edit" => self.start_edit(cx),
            "board.copy" => self.save_to_clipboard(cx),
            "board.copy-position" => {
                cx.copy(self.position().to_text());
                cx.notice(Tone::Good, format!("Copied {}", self.position().to_text()));
            }
            _ => {}
        }
    }

    fn capture(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        self.edit.is_some() && self.edit_key(key, cx)
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if self.edit.is_some() || !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
            return false;
        }
        let pits = self.position().board().pits_a_side();
        let mv = match key.code {
            KeyCode::Char(c @ '1'..='9') if self.digits == Digits::Pits => c as u8 - b'1',
            KeyCode::Char(c) if c.is_ascii_alphabetic() => c.to_ascii_uppercase() as u8 - b'A',
            _ => return false,
        };
        if usize::from(mv) < pits {
            self.choose_pit(mv, cx);
        }
        // Digits that choose pits never go to tabs, however many pits there are.
        usize::from(mv) < pits || self.digits == Digits::Pits
    }

    fn mouse(&mut self, mouse: MouseEvent, cx: &mut Context) {
        let at = (mouse.column, mouse.row).into();
        match mouse.kind {
            MouseEventKind::ScrollUp if self.edit.is_none() => self.walk(cx, Record::back),
            MouseEventKind::ScrollDown if self.edit.is_none() => self.walk(cx, Record::forward),
            MouseEventKind::Down(MouseButton::Left) => {
                let cell = self.places.iter().find(|(place, _)| place.contains(at)).map(|&(_, cell)| cell);
                let row = self.rows.iter().find(|(place, _)| place.contains(at)).map(|&(_, node)| node);
                match (cell, row) {
                    (Some(cell), _) if self.edit.is_some() => self.edit_click(cell),
                    (Some(Cell::Pit(side, pit)), _) if side == self.position().side() => self.choose_pit(pit, cx),
                    (Some(Cell::Pit(..)), _) if self.awaits_human() => {
                        cx.notice(Tone::Info, format!("{} is to move", self.position().side()));
                    }
                    (None, Some(node)) if self.edit.is_none() => self.walk(cx, |record| {
                        record.go_to(node);
                        true
                    }),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn paste(&mut self, text: &str, cx: &mut Context) {
        self.take_text(text, cx);
    }

    fn news(&mut self, job: JobId, news: News, cx: &mut Context) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.job == job) {
            self.thought_news(news, cx);
        } else {
            self.analysis_news(job, news, cx);
        }
    }

    fn answer(&mut self, answer: Answer, cx: &mut Context) {
        let answer = match answer.downcast::<Setup>() {
            Ok(setup) => {
                let start = setup.variant.start();
                return self.start_game(*setup, start, cx);
            }
            Err(answer) => answer,
        };
        let answer = match answer.downcast::<game_file::Opened>() {
            Ok(opened) => {
                let tournament = opened.record.headers.iter().find(|(name, _)| name == game_file::TOURNAMENT);
                let origin = tournament.map_or("the game".to_owned(), |(_, value)| value.clone());
                return self.show_opened(*opened, &origin, cx);
            }
            Err(answer) => answer,
        };
        let answer = match answer.downcast::<file_dialogs::Chosen>() {
            Ok(file) => return self.take_file(*file, cx),
            Err(answer) => answer,
        };
        let answer = match answer.downcast::<agree::Agreed>() {
            Ok(agreed) => return self.open_players(*agreed, cx),
            Err(answer) => answer,
        };
        if let Ok(found) = answer.downcast::<files::Found>() {
            self.take_found(*found, cx);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.next_tick()
    }

    fn tick(&mut self, cx: &mut Context) {
        self.advance(cx);
    }

    fn leave(&mut self) -> Result<(), String> {
        self.keep_now()
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        self.draw_all(area, buf, look);
    }
}
