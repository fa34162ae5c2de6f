//! Mistakes and puzzles tried on the Board: their order, their keys, the game that puzzles replace, and the tutorial.

use crossterm::event::{KeyCode, KeyEvent};

use super::practice::puzzles::Puzzle;
use super::practice::retry::{Retry, Task, tasks_of};
use super::{Board, practice};
use crate::app::tab::{Context, Tone};

impl Board {
    /// Begins with the first mistake of a person, after those of the computer, or ends.
    pub(super) fn toggle_retry(&mut self, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            return self.end_retry(cx);
        }
        if self.panels.review.is_reviewing() {
            self.practice.after_review = Some(self.session.game);
            return cx.notice(Tone::Info, "The mistakes follow when the review is complete");
        }
        let [own, others] = [true, false].map(|is_human| tasks_of(&self.session, &self.panels.review, is_human));
        let asks_others = self.practice.retried.replace(self.session.game) == Some(self.session.game);
        let (tasks, rest) = if asks_others || !self.session.has_human() { (others, own) } else { (own, others) };
        match (tasks.is_empty(), rest.len()) {
            (false, _) => {
                if asks_others {
                    self.practice.retried = None;
                }
                self.begin_retry(tasks, cx);
            }
            (true, 0) => cx.notice(Tone::Info, "No mistakes known; r reviews the game"),
            (true, 1) if !asks_others => cx.notice(Tone::Info, "No mistake of yours. Z: try the computer's"),
            (true, count) if !asks_others => {
                cx.notice(Tone::Info, format!("No mistake of yours. Z: try the computer's {count}"));
            }
            (true, _) => {
                self.practice.retried = None;
                self.begin_retry(rest, cx);
            }
        }
    }

    pub(super) fn begin_retry(&mut self, tasks: Vec<Task>, cx: &mut Context) {
        let analysis = std::mem::take(&mut self.panels.analysis.on);
        self.practice.retry = Some(Retry::new(self.session.game, tasks, analysis));
        self.show_retried(cx);
    }

    fn show_retried(&mut self, cx: &mut Context) {
        let Some(retry) = &mut self.practice.retry else { return };
        match retry.task() {
            Some(&Task::Own(node, _)) => self.show_node(node, cx),
            Some(Task::Puzzle(puzzle)) => {
                let puzzle = puzzle.clone();
                // That of the game that begins with the puzzle.
                retry.move_to(self.games + 1);
                self.show_puzzle(&puzzle, cx);
            }
            None => self.end_retry(cx),
        }
    }

    fn end_retry(&mut self, cx: &mut Context) {
        if let Some(retry) = self.practice.retry.take() {
            self.finish_retry(&retry, cx);
        }
        self.put_back(cx);
    }

    /// Reports the result, and what else can be tried.
    fn finish_retry(&mut self, retry: &Retry, cx: &mut Context) {
        self.panels.analysis.on |= retry.had_analysis();
        let is_own = self.session.has_human() && self.practice.retried == Some(self.session.game);
        let others = if is_own { tasks_of(&self.session, &self.panels.review, false).len() } else { 0 };
        let more = if others > 0 { format!(". Z: the computer's {others}") } else { String::new() };
        let text = if retry.has_puzzles() { self.practice.cards.end() } else { retry.result() + &more };
        cx.notice(if retry.has_found() { Tone::Good } else { Tone::Info }, text);
    }

    /// Ends the tries once another position is shown.
    pub(super) fn settle_retry(&mut self, cx: &mut Context) {
        if self.session.edit.is_none() && self.practice.is_retrying(&self.session) {
            return;
        }
        if let Some(retry) = self.practice.retry.take() {
            self.finish_retry(&retry, cx);
        }
    }

    /// Goes on to the next mistake.
    pub(super) fn skip_retried(&mut self, cx: &mut Context) {
        self.end_preview();
        if let Some(retry) = &mut self.practice.retry {
            retry.skip();
        }
        self.show_retried(cx);
    }

    /// A key while mistakes are tried; false if it is for the board.
    pub(super) fn retry_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.practice.is_retrying(&self.session) || !key.modifiers.is_empty() {
            return false;
        }
        let is_choosing = self.is_choosing();
        let is_entering = is_choosing || !self.entry.typed(&self.session).is_empty();
        let Some(retry) = &self.practice.retry else { return false };
        let (is_answered, is_tried) = retry.progress();
        match key.code {
            KeyCode::Enter if is_answered || (is_tried && !is_choosing) => self.skip_retried(cx),
            KeyCode::Esc if !is_entering => self.end_retry(cx),
            KeyCode::Char('v') => {
                self.practice.show_answer(&self.session, &self.panels.review, cx);
            }
            KeyCode::Char('.') if is_answered => {
                let valued = self.panels.review.valued(&self.session, self.session.record.at());
                let line = valued.map(|valued| self.practice.continued(&self.session, valued.line()).0);
                self.begin_preview(&line.unwrap_or_default(), cx);
            }
            // A step would end the tries with the answer on the board.
            KeyCode::Char('.' | ',') if !is_answered => cx.notice(Tone::Info, "v shows the answer; Esc ends the tries"),
            _ => return false,
        }
        true
    }

    /// Reads the saved games and the cards in the background, or ends the puzzles.
    pub(super) fn toggle_puzzles(&mut self, cx: &mut Context) {
        if self.practice.is_retrying(&self.session) {
            return self.toggle_retry(cx);
        }
        let mistakes = std::mem::take(&mut self.practice.cards.offered);
        self.practice.ask_puzzles(&self.session, self.library.games.clone(), mistakes, cx);
    }

    pub(super) fn show_puzzle(&mut self, puzzle: &Puzzle, cx: &mut Context) {
        // Puzzles do not change the settings of the next new game.
        let setup = self.setup.clone();
        self.set_aside(cx);
        self.stop_review(cx);
        self.replace_by(puzzle.opened(), cx);
        self.setup = setup;
    }

    /// Sets the game on the board aside while puzzles take its place, unless one is.
    fn set_aside(&mut self, cx: &mut Context) {
        if self.library.has_former() {
            return;
        }
        self.stop_review(cx);
        self.session.pause_clocks(!self.by_lines, cx.now);
        self.library.set_aside(self.session.set_aside());
        self.panels.set_aside();
    }

    /// Puts the game back that is set aside, if any.
    fn put_back(&mut self, cx: &mut Context) {
        if !self.library.has_former() {
            return;
        }
        // Its results belong to the puzzle.
        self.stop_review(cx);
        let Some(session) = self.library.put_back() else { return };
        self.session.put_back(session);
        self.panels.put_back();
        self.show_now(cx);
    }

    /// Opens the tutorial of the game on the board at its start.
    pub(super) fn open_tutorial(&mut self, cx: &mut Context) {
        let Some(opened) = practice::tutorial(self.session.record.variant) else { return };
        let setup = self.setup.clone();
        self.show_opened(opened, "the tutorial", cx);
        // The next new game has the players of before.
        self.setup = setup;
    }
}
