//! The mistakes of a reviewed game tried again: the position before each, with the move hidden.
//!
//! A move is right if it loses at most one percentage point of the chance of winning, nearly right below the threshold of a mistake,
//! and otherwise wrong. After a try the board stays: the verdict says why, the better line can be stepped through, and Enter goes on.
//! Nothing is added to the record. Esc and going elsewhere end the tries. A mistake counts as found if the first try is right or
//! nearly right.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::puzzles::Puzzle;
use crate::app::effect::{Context, Tone};
use crate::game::Move;
use crate::game::record::NodeId;
use crate::player::PositionValue;
use crate::player::reviewing::{GivenAway, Loss};
use crate::search;
use crate::tabs::board::Board;
use crate::tabs::board::panels::figures::continued_text;
use crate::theme::Role;
use crate::ui::{Look, joined, put, row, wrap};

/// Greatest loss of a right move, in percentage points of the chance of winning.
const RIGHT: f64 = 1.0;

/// A position to find a better move in.
pub(in crate::tabs::board) enum Task {
    /// Before a mistake of the game on the board, which is the move.
    Own(NodeId, Move),
    Puzzle(Puzzle),
}

/// What is known of the answer to the current position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tabs::board) enum Verdict {
    Right(Move),
    Nearly(Move),
    Wrong(Move),
    /// The answer was shown.
    Shown,
}

/// The mistakes being tried.
pub(in crate::tabs::board) struct Retry {
    game: u64,
    tasks: Vec<Task>,
    current: usize,
    verdict: Option<Verdict>,
    /// Mistakes found at the first try, and wrong tries.
    found: usize,
    wrong: usize,
    /// Whether the current position had a wrong try or its answer was shown.
    is_missed: bool,
    /// Whether the current position has been answered, right or nearly, or its answer was shown.
    is_answered: bool,
    /// Whether the analysis was on before.
    analysis: bool,
}

impl Retry {
    fn new(game: u64, tasks: Vec<Task>, analysis: bool) -> Retry {
        Retry {
            game,
            tasks,
            current: 0,
            verdict: None,
            found: 0,
            wrong: 0,
            is_missed: false,
            is_answered: false,
            analysis,
        }
    }

    /// The move of the game, a mistake.
    fn played(&self) -> Option<Move> {
        self.tasks.get(self.current).map(|task| match task {
            Task::Own(_, played) => *played,
            Task::Puzzle(puzzle) => puzzle.played,
        })
    }

    /// Counts a try; those after the answer do not count.
    fn count(&mut self, verdict: Verdict) {
        if !self.is_answered {
            match verdict {
                Verdict::Right(_) | Verdict::Nearly(_) => self.found += usize::from(!self.is_missed),
                Verdict::Wrong(_) => self.wrong += 1,
                Verdict::Shown => {}
            }
        }
        let is_wrong = matches!(verdict, Verdict::Wrong(_));
        self.is_missed |= is_wrong || verdict == Verdict::Shown;
        self.is_answered |= !is_wrong;
        self.verdict = Some(verdict);
    }

    /// `2 of 3 found at the first try, 1 wrong try`.
    fn result(&self) -> String {
        let Retry { found, wrong, tasks, .. } = self;
        let wrong = if *wrong == 1 { "1 wrong try".to_owned() } else { format!("{wrong} wrong tries") };
        format!("{found} of {} found at the first try, {wrong}", tasks.len())
    }

    /// The position of the current mistake.
    fn node(&self) -> Option<NodeId> {
        self.tasks.get(self.current).map(|task| match task {
            Task::Own(node, _) => *node,
            Task::Puzzle(_) => 0,
        })
    }

    /// The puzzle tried now.
    pub(in crate::tabs::board) fn puzzle(&self) -> Option<&Puzzle> {
        match self.tasks.get(self.current) {
            Some(Task::Puzzle(puzzle)) => Some(puzzle),
            _ => None,
        }
    }

    /// Puts the puzzle tried now at the end too, unless it follows already.
    pub(in crate::tabs::board) fn repeat_puzzle(&mut self) {
        let Some(puzzle) = self.puzzle().cloned() else { return };
        let mut later = self.tasks.iter().skip(self.current + 1);
        let is_same = |task: &Task| matches!(task, Task::Puzzle(other) if other.position == puzzle.position);
        if !later.any(is_same) {
            self.tasks.push(Task::Puzzle(puzzle));
        }
    }
}

impl Board {
    /// Returns whether a mistake is tried now: what would show the move is hidden.
    pub(in crate::tabs::board) fn is_retrying(&self) -> bool {
        self.panels
            .retry
            .as_ref()
            .is_some_and(|retry| retry.game == self.session.game && retry.node() == Some(self.session.record.at()))
    }

    /// The mistakes of persons, or those of the computer players, as positions to try.
    fn tasks_of(&self, is_human: bool) -> Vec<Task> {
        let task = |&(node, _): &(NodeId, _)| {
            let (parent, mv) = self.session.record.came(node)?;
            let side = self.session.record.position_at(parent).side();
            (self.session.is_human(side) == is_human).then_some(Task::Own(parent, mv))
        };
        self.mistakes().iter().filter_map(task).collect()
    }

    /// Begins with the first mistake of a person, after those of the computer, or ends.
    pub(in crate::tabs::board) fn toggle_retry(&mut self, cx: &mut Context) {
        if self.is_retrying() {
            return self.end_retry(cx);
        }
        if self.is_reviewing() {
            self.panels.retry_after_review = Some(self.session.game);
            return cx.notice(Tone::Info, "The mistakes follow when the review is complete");
        }
        let [own, others] = [true, false].map(|is_human| self.tasks_of(is_human));
        let asks_others = self.panels.retried.replace(self.session.game) == Some(self.session.game);
        let (tasks, rest) = if asks_others || !self.session.has_human() { (others, own) } else { (own, others) };
        match (tasks.is_empty(), rest.len()) {
            (false, _) => {
                if asks_others {
                    self.panels.retried = None;
                }
                self.begin_retry(tasks, cx);
            }
            (true, 0) => cx.notice(Tone::Info, "No mistakes known; r reviews the game"),
            (true, 1) if !asks_others => cx.notice(Tone::Info, "No mistake of yours. Z: try the computer's"),
            (true, count) if !asks_others => {
                cx.notice(Tone::Info, format!("No mistake of yours. Z: try the computer's {count}"));
            }
            (true, _) => {
                self.panels.retried = None;
                self.begin_retry(rest, cx);
            }
        }
    }

    pub(in crate::tabs::board) fn begin_retry(&mut self, tasks: Vec<Task>, cx: &mut Context) {
        let analysis = std::mem::take(&mut self.panels.analysis.on);
        self.panels.retry = Some(Retry::new(self.session.game, tasks, analysis));
        self.show_retried(cx);
    }

    fn show_retried(&mut self, cx: &mut Context) {
        let Some(retry) = &mut self.panels.retry else { return };
        match retry.tasks.get(retry.current) {
            Some(&Task::Own(node, _)) => self.show_node(node, cx),
            Some(Task::Puzzle(puzzle)) => {
                // That of the game that begins with the puzzle.
                retry.game = self.games + 1;
                let puzzle = puzzle.clone();
                self.show_puzzle(&puzzle, cx);
            }
            None => self.end_retry(cx),
        }
    }

    fn end_retry(&mut self, cx: &mut Context) {
        if let Some(retry) = self.panels.retry.take() {
            self.finish_retry(&retry, cx);
        }
        if !self.put_back(cx) {
            self.settle(cx);
        }
    }

    /// Reports the result, and what else can be tried.
    fn finish_retry(&mut self, retry: &Retry, cx: &mut Context) {
        self.panels.analysis.on |= retry.analysis;
        let is_own = self.session.has_human() && self.panels.retried == Some(self.session.game);
        let others = if is_own { self.tasks_of(false).len() } else { 0 };
        let more = if others > 0 { format!(". Z: the computer's {others}") } else { String::new() };
        let text = match retry.tasks.first() {
            Some(Task::Puzzle(_)) => self.library.cards.end(),
            _ => retry.result() + &more,
        };
        cx.notice(if retry.found > 0 { Tone::Good } else { Tone::Info }, text);
    }

    /// Ends the tries once another position is shown.
    pub(in crate::tabs::board) fn settle_retry(&mut self, cx: &mut Context) {
        if self.edit.is_none() && self.is_retrying() {
            return;
        }
        if let Some(retry) = self.panels.retry.take() {
            self.finish_retry(&retry, cx);
        }
    }

    /// Goes on to the next mistake.
    pub(in crate::tabs::board) fn skip_retried(&mut self, cx: &mut Context) {
        self.end_preview();
        if let Some(retry) = &mut self.panels.retry {
            retry.current += 1;
            retry.verdict = None;
            retry.is_missed = false;
            retry.is_answered = false;
        }
        self.show_retried(cx);
    }

    /// Judges a move at a mistake that is tried; false if none is.
    pub(in crate::tabs::board) fn try_move(&mut self, mv: Move, cx: &mut Context) -> bool {
        if !self.is_retrying() {
            return false;
        }
        let valued = self.valued(self.session.record.at());
        let loss = valued.and_then(|valued| valued.loss(mv));
        let mark = valued.and_then(|valued| self.panels.review.mark(valued, mv));
        let Some((retry, loss)) = self.panels.retry.as_mut().zip(loss) else { return false };
        let is_answered = retry.is_answered;
        let verdict = match loss.chance {
            lost if lost <= RIGHT => Verdict::Right(mv),
            _ if mark.is_none() => Verdict::Nearly(mv),
            _ => Verdict::Wrong(mv),
        };
        retry.count(verdict);
        if !is_answered {
            self.grade(verdict, cx);
        }
        self.lengthen_tried(Some(mv), cx);
        self.settle(cx);
        true
    }

    /// A key while mistakes are tried; false if it is for the board.
    pub(in crate::tabs::board) fn retry_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.is_retrying() || !key.modifiers.is_empty() {
            return false;
        }
        let is_choosing = self.is_choosing();
        let is_entering = is_choosing || !self.typed().is_empty();
        let Some(retry) = &mut self.panels.retry else { return false };
        let is_answered = retry.is_answered;
        match key.code {
            KeyCode::Enter if is_answered || (retry.verdict.is_some() && !is_choosing) => self.skip_retried(cx),
            KeyCode::Esc if !is_entering => self.end_retry(cx),
            KeyCode::Char('v') => {
                self.show_answer(cx);
                self.settle(cx);
            }
            KeyCode::Char('.') if is_answered => {
                let line = self.valued(self.session.record.at()).map(|valued| self.continued(valued.line()).0);
                self.begin_preview(&line.unwrap_or_default(), cx);
            }
            _ => return false,
        }
        true
    }

    /// Shows the answer; before a right try this counts as a wrong one.
    pub(in crate::tabs::board) fn show_answer(&mut self, cx: &mut Context) {
        let Some(retry) = &mut self.panels.retry else { return };
        let is_answered = retry.is_answered;
        retry.count(Verdict::Shown);
        if !is_answered {
            self.grade(Verdict::Shown, cx);
        }
        self.lengthen_tried(None, cx);
    }

    /// The keys of the tries, with their words.
    pub(in crate::tabs::board) fn retry_keys(&self) -> Vec<(String, String)> {
        let Some(Retry { verdict, is_answered, .. }) = &self.panels.retry else { return Vec::new() };
        let keys: &[(&str, &str)] = match verdict {
            _ if *is_answered => &[("Enter", "next"), (".", "show the line"), ("Esc", "end")],
            Some(_) => &[("v", "answer"), ("Enter", "skip"), ("Esc", "end")],
            None => &[("v", "answer"), ("Esc", "end")],
        };
        keys.iter().map(|(key, word)| ((*key).to_owned(), (*word).to_owned())).collect()
    }

    /// What is known of the answer, most important first: the verdict, the reason, the better line.
    pub(in crate::tabs::board) fn verdict_texts(&self, look: &Look) -> Vec<(Role, String)> {
        let at = self.session.record.at();
        let Some(retry) = self.panels.retry.as_ref().filter(|_| self.is_retrying()) else { return Vec::new() };
        let (Some(verdict), Some(played), Some(valued)) = (retry.verdict, retry.played(), self.valued(at)) else {
            return Vec::new();
        };
        match verdict {
            Verdict::Wrong(mv) => self.wrong_texts(valued, mv, look),
            Verdict::Right(mv) | Verdict::Nearly(mv) => self.answer_texts(valued, Some(mv), played, look),
            Verdict::Shown => self.answer_texts(valued, None, played, look),
        }
    }

    /// `✓ C is best: +8. You had played A: −9, 30 % lost.`, why, and the best line.
    fn answer_texts(
        &self,
        valued: &PositionValue,
        tried: Option<Move>,
        played: Move,
        look: &Look,
    ) -> Vec<(Role, String)> {
        let Some(best) = valued.best() else { return Vec::new() };
        let position = self.session.position();
        let name = |mv| position.move_text(mv);
        let is_best = |mv| valued.loss(mv).is_some_and(|loss| loss.is_zero());
        let value = |mv| valued.move_line(mv).map_or_else(String::new, |line| self.shown_value(valued, line, look));
        let check = look.glyphs.check;
        let mut text = match tried {
            None => format!("{} is best: {}.", name(best.mv), value(best.mv)),
            Some(mv) if is_best(mv) => format!("{check} {} is best: {}.", name(mv), value(mv)),
            Some(mv) => {
                let lost = valued.loss(mv).map_or_else(String::new, |loss| lost_text(&loss));
                format!("{check} {}: {}, {lost}. {} is best: {}.", name(mv), value(mv), name(best.mv), value(best.mv))
            }
        };
        if let Some(loss) = valued.loss(played).filter(|_| tried != Some(played)) {
            let side = position.side();
            let puzzle = self.panels.retry.as_ref().and_then(Retry::puzzle);
            let is_own = puzzle.map_or_else(|| self.session.is_human(side), |puzzle| puzzle.own);
            let who = if is_own { "You" } else { self.session.seat_name(side) };
            text += &format!(" {who} had played {}: {}, {}.", name(played), value(played), lost_text(&loss));
        }
        let role = if tried.is_some() { Role::Good } else { Role::Accent };
        let why = self.why_worse(position, valued, played).map(|why| (Role::Text, format!("{why}.")));
        let (moves, found) = self.continued(valued.line());
        let line = format!("Best play: {}", continued_text(position, &moves, found, u16::MAX, look));
        [Some((role, text)), why, Some((Role::Dim, line))].into_iter().flatten().collect()
    }

    /// `✗ B: −4, 25 % lost. North answers c.`, with the reply that refutes the move.
    fn wrong_texts(&self, valued: &PositionValue, mv: Move, look: &Look) -> Vec<(Role, String)> {
        let (Some(line), Some(loss)) = (valued.move_line(mv), valued.loss(mv)) else { return Vec::new() };
        let position = self.session.position();
        let value = self.shown_value(valued, line, look);
        let text = format!("{} {}: {value}, {}.", look.glyphs.cross, position.move_text(mv), lost_text(&loss));
        let reply = self.reply_text(position, line).or_else(|| {
            let (pv, found) = self.continued(&line.pv);
            let estimate = if found < pv.len() { " (estimate)" } else { "" };
            Some(self.reply_text(position, &search::Line { pv, ..line.clone() })? + estimate)
        });
        let reply = reply.map(|reply| (Role::Text, format!("{reply}.")));
        let next = (Role::Dim, "Try another move. v: answer".to_owned());
        [Some((Role::Bad, text)), reply, Some(next)].into_iter().flatten().collect()
    }

    /// What is to be done before the first try: `Find a better move (1 of 3)`.
    pub(in crate::tabs::board) fn task_text(&self) -> Option<String> {
        let Retry { tasks, current, .. } = self.panels.retry.as_ref().filter(|_| self.is_retrying())?;
        Some(format!("Find a better move ({} of {})", (current + 1).min(tasks.len()), tasks.len()))
    }

    /// Draws the state of the tries where the moves would show the answer.
    pub(in crate::tabs::board) fn draw_retry(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(retry) = &self.panels.retry else { return };
        let Retry { tasks, current: at, .. } = retry;
        let inner = joined(area, Line::from(look.span(Role::Title, "Find a better move")), Line::default(), buf, look);
        let side = self.session.seat_name(self.session.position().side());
        let number = (at + 1).min(tasks.len());
        let of = tasks.len();
        let task = match tasks.get(*at) {
            Some(Task::Puzzle(puzzle)) => format!("Puzzle {number} of {of} ({})", puzzle.origin()),
            _ => format!("Mistake {number} of {of}"),
        };
        let mut texts = self.verdict_texts(look);
        if texts.is_empty() {
            texts.push((Role::Text, format!("{task}: {side} to move.")));
        } else {
            texts.push((Role::Dim, format!("{task}.")));
        }
        if retry.found + retry.wrong > 0 {
            texts.push((Role::Dim, format!("{}.", retry.result())));
        }
        let lines = texts.into_iter().enumerate().flat_map(|(index, (role, text))| {
            let blank = (index > 0).then(|| (role, String::new()));
            let lines = wrap(&text, inner.width.saturating_sub(2)).into_iter().map(move |line| (role, line));
            blank.into_iter().chain(lines)
        });
        for (index, (role, line)) in lines.take(usize::from(inner.height)).enumerate() {
            put(look.span(role, format!(" {line}")), row(inner, index as u16), buf);
        }
    }
}

/// `30 % lost`, `the win lost`.
pub(in crate::tabs::board) fn lost_text(loss: &Loss) -> String {
    match loss.result {
        None => format!("{:.0} % lost", loss.chance),
        Some(GivenAway::Win) => "the win lost".to_owned(),
        Some(GivenAway::NotLost) => "the game lost".to_owned(),
    }
}
