//! The mistakes of a reviewed game tried again: the position before each, with the move hidden.
//!
//! A move is right if it loses at most one percentage point of the chance of winning, nearly right below the threshold of a mistake,
//! and otherwise wrong. After a try the board stays: the verdict says why, the better line can be stepped through, and Enter goes on.
//! Nothing is added to the record. Esc and going elsewhere end the tries. A mistake counts as found if the first try is right or
//! nearly right.
//!
//! The lines of a move that is tried, and of the best one, continued beside the review: of a solved position the review knows the first
//! moves alone, and not the reply that refutes a wrong one.
//!
//! Shallow searches continue them at once, then a solver does, which early in a game takes a minute.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::Practice;
use super::puzzles::Puzzle;
use crate::app::tab::Context;
use crate::game::Move;
use crate::game::record::NodeId;
use crate::job::{JobId, News, State};
use crate::player::PositionValue;
use crate::player::line_extension::LineExtension;
use crate::player::review::Loss;
use crate::search::{self, Line as SearchLine, Report};
use crate::tabs::board::panels::figures::{continued_text, lost_text, shown_value};
use crate::tabs::board::panels::review::Review;
use crate::tabs::board::panels::why::{reply_text, why_worse};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, joined, put, row, wrap, wrap_within};

/// Greatest loss of a right move, in percentage points of the chance of winning.
const RIGHT: f64 = 1.0;

/// A position to find a better move in.
pub enum Task {
    /// Before a mistake of the game on the board, which is the move.
    Own(NodeId, Move),
    Puzzle(Puzzle),
}

/// What is known of the answer to the current position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Right(Move),
    Nearly(Move),
    Wrong(Move),
    /// The answer was shown.
    Shown,
}

/// The mistakes being tried.
pub struct Retry {
    game: u64,
    tasks: Vec<Task>,
    /// The number of tasks before puzzles were put at the end to be repeated.
    distinct: usize,
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
    pub fn new(game: u64, tasks: Vec<Task>, analysis: bool) -> Retry {
        Retry {
            game,
            distinct: tasks.len(),
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
        self.task().map(|task| match task {
            Task::Own(_, played) => *played,
            Task::Puzzle(puzzle) => puzzle.played,
        })
    }

    /// Counts a try; those after the answer do not count.
    fn count(&mut self, verdict: Verdict) {
        if !self.is_answered && !self.is_repeated() {
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
    pub fn result(&self) -> String {
        let Retry { found, wrong, distinct, .. } = self;
        let wrong = if *wrong == 1 { "1 wrong try".to_owned() } else { format!("{wrong} wrong tries") };
        format!("{found} of {distinct} found at the first try, {wrong}")
    }

    /// Returns whether the current puzzle was tried before.
    fn is_repeated(&self) -> bool {
        self.current >= self.distinct
    }

    /// The task tried now.
    pub fn task(&self) -> Option<&Task> {
        self.tasks.get(self.current)
    }

    /// Goes on to the next task.
    pub fn skip(&mut self) {
        self.current += 1;
        self.verdict = None;
        self.is_missed = false;
        self.is_answered = false;
    }

    /// Moves the tries to the game with this number.
    pub fn move_to(&mut self, game: u64) {
        self.game = game;
    }

    /// Returns whether the tasks are puzzles.
    pub fn has_puzzles(&self) -> bool {
        matches!(self.tasks.first(), Some(Task::Puzzle(_)))
    }

    /// Returns whether a mistake was found at the first try.
    pub fn has_found(&self) -> bool {
        self.found > 0
    }

    /// Returns whether the analysis was on before.
    pub fn had_analysis(&self) -> bool {
        self.analysis
    }

    /// Returns whether the current position has been answered, or was tried at all.
    pub fn progress(&self) -> (bool, bool) {
        (self.is_answered, self.verdict.is_some())
    }

    /// The position of the current mistake.
    fn node(&self) -> Option<NodeId> {
        self.task().map(|task| match task {
            Task::Own(node, _) => *node,
            Task::Puzzle(_) => 0,
        })
    }

    /// The puzzle tried now.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        match self.task() {
            Some(Task::Puzzle(puzzle)) => Some(puzzle),
            _ => None,
        }
    }

    /// Puts the puzzle tried now at the end too, unless it follows already.
    pub fn repeat_puzzle(&mut self) {
        let Some(puzzle) = self.puzzle().cloned() else { return };
        let mut later = self.tasks.iter().skip(self.current + 1);
        let is_same = |task: &Task| matches!(task, Task::Puzzle(other) if other.position == puzzle.position);
        if !later.any(is_same) {
            self.tasks.push(Task::Puzzle(puzzle));
        }
    }
}

/// Whether the value of a move is an estimate, while that of the best move is exact.
fn is_estimate(valued: &PositionValue, line: &search::Line) -> bool {
    !line.solved && valued.best().is_some_and(|best| best.solved)
}

/// `−4`, or `−4 (estimate)` where only the best move's value is exact.
fn tried_value(session: &Session, valued: &PositionValue, line: &search::Line, look: &Look) -> String {
    let estimate = if is_estimate(valued, line) { " (estimate)" } else { "" };
    shown_value(session, valued, line, look) + estimate
}

/// The loss of a move. Where only the best move's value is exact, both count as estimates: an exact value wins or loses for certain, so
/// that compared with it an estimate as good would lose much.
fn fair_loss(valued: &PositionValue, mv: Move) -> Option<Loss> {
    let loss = valued.loss(mv)?;
    let is_estimate = loss.result.is_none() && is_estimate(valued, valued.move_line(mv)?);
    Some(if is_estimate { Loss { chance: loss.between_equals, ..loss } } else { loss })
}

/// The mistakes of persons, or those of the computer players, as positions to try.
pub fn tasks_of(session: &Session, review: &Review, is_human: bool) -> Vec<Task> {
    let task = |&(node, _): &(NodeId, _)| {
        let (parent, mv) = session.record.came(node)?;
        let side = session.record.position_at(parent).side();
        let loss = fair_loss(review.valued(session, parent)?, mv)?;
        (session.is_human(side) == is_human && review.is_mistake(&loss)).then_some(Task::Own(parent, mv))
    };
    review.mistakes(session).iter().filter_map(task).collect()
}

/// Texts in lines, with a blank line between two if there is room. Where there is not enough, the longest text is cut.
fn paragraphs(texts: &[(Role, String)], cells: u16, rows: usize, look: &Look) -> Vec<(Role, String)> {
    let mut wrapped: Vec<Vec<String>> = texts.iter().map(|(_, text)| wrap(text, cells)).collect();
    let count: usize = wrapped.iter().map(Vec::len).sum();
    let has_blanks = count + texts.len() <= rows + 1;
    if let Some((longest, lines)) = wrapped.iter_mut().enumerate().max_by_key(|(_, lines)| lines.len())
        && count > rows
    {
        let rest = (lines.len() + rows).saturating_sub(count).max(1);
        *lines = wrap_within(&texts[longest].1, cells, rest, look);
    }
    let paragraph = |(index, lines): (usize, Vec<String>)| {
        let blank = (has_blanks && index > 0).then(String::new);
        blank.into_iter().chain(lines).map(move |line| (texts[index].0, line))
    };
    wrapped.into_iter().enumerate().flat_map(paragraph).collect()
}

impl Practice {
    /// Returns whether a mistake is tried now: what would show the move is hidden.
    pub fn is_retrying(&self, session: &Session) -> bool {
        self.retry.as_ref().is_some_and(|retry| retry.game == session.game && retry.node() == Some(session.record.at()))
    }

    /// What is known of the answer, most important first: the verdict, the reason, the better line.
    pub fn verdict_texts(&self, session: &Session, review: &Review, look: &Look) -> Vec<(Role, String)> {
        let at = session.record.at();
        let Some(retry) = self.retry.as_ref().filter(|_| self.is_retrying(session)) else { return Vec::new() };
        let (Some(verdict), Some(played), Some(valued)) = (retry.verdict, retry.played(), review.valued(session, at))
        else {
            return Vec::new();
        };
        match verdict {
            Verdict::Wrong(mv) => self.wrong_texts(session, valued, mv, look),
            Verdict::Right(mv) | Verdict::Nearly(mv) => self.answer_texts(session, valued, Some(mv), played, look),
            Verdict::Shown => self.answer_texts(session, valued, None, played, look),
        }
    }

    /// `✓ C is best: +8. You had played A: −9, 30 % lost.`, why, and the best line.
    fn answer_texts(
        &self,
        session: &Session,
        valued: &PositionValue,
        tried: Option<Move>,
        played: Move,
        look: &Look,
    ) -> Vec<(Role, String)> {
        let Some(best) = valued.best() else { return Vec::new() };
        let position = session.position();
        let name = |mv| position.move_text(mv);
        let is_best = |mv| valued.loss(mv).is_some_and(|loss| loss.is_zero());
        let value = |mv| valued.move_line(mv).map_or_else(String::new, |line| tried_value(session, valued, line, look));
        let check = look.glyphs.check;
        let mut text = match tried {
            None => format!("{} is best: {}.", name(best.mv), value(best.mv)),
            Some(mv) if is_best(mv) => format!("{check} {} is best: {}.", name(mv), value(mv)),
            Some(mv) => {
                let lost = fair_loss(valued, mv).map_or_else(String::new, |loss| lost_text(&loss));
                format!("{check} {}: {}, {lost}. {} is best: {}.", name(mv), value(mv), name(best.mv), value(best.mv))
            }
        };
        if let Some(loss) = fair_loss(valued, played).filter(|_| tried != Some(played)) {
            let side = position.side();
            let puzzle = self.retry.as_ref().and_then(Retry::puzzle);
            let is_own = puzzle.map_or_else(|| session.is_human(side), |puzzle| puzzle.own);
            let who = if is_own { "You" } else { session.seat_name(side) };
            text += &format!(" {who} had played {}: {}, {}.", name(played), value(played), lost_text(&loss));
        }
        let role = if tried.is_some() { Role::Good } else { Role::Accent };
        let why = why_worse(session, position, valued, played).map(|why| (Role::Text, format!("{why}.")));
        let (moves, found) = self.continued(session, valued.line());
        let line = format!("Best play: {}", continued_text(position, &moves, found, u16::MAX, look));
        [Some((role, text)), why, Some((Role::Dim, line))].into_iter().flatten().collect()
    }

    /// `✗ B: −4, 25 % lost. North answers c.`, with the reply that refutes the move; `✗ B: −4 (estimate), …` where only the best move's
    /// value is exact.
    fn wrong_texts(&self, session: &Session, valued: &PositionValue, mv: Move, look: &Look) -> Vec<(Role, String)> {
        let (Some(line), Some(loss)) = (valued.move_line(mv), fair_loss(valued, mv)) else { return Vec::new() };
        let position = session.position();
        let value = tried_value(session, valued, line, look);
        let text = format!("{} {}: {value}, {}.", look.glyphs.cross, position.move_text(mv), lost_text(&loss));
        let reply = reply_text(session, position, line).or_else(|| {
            let (pv, found) = self.continued(session, &line.pv);
            let estimate = if found < pv.len() { " (estimate)" } else { "" };
            Some(reply_text(session, position, &search::Line { pv, ..line.clone() })? + estimate)
        });
        let reply = reply.map(|reply| (Role::Text, format!("{reply}.")));
        let next = (Role::Dim, "Try another move. v: answer".to_owned());
        [Some((Role::Bad, text)), reply, Some(next)].into_iter().flatten().collect()
    }

    /// What is to be done before the first try: `Find a better move (1 of 3)`.
    pub fn task_text(&self, session: &Session) -> Option<String> {
        let retry = self.retry.as_ref().filter(|_| self.is_retrying(session))?;
        let number = match retry.is_repeated() {
            true => "once more".to_owned(),
            false => format!("{} of {}", retry.current + 1, retry.distinct),
        };
        Some(format!("Find a better move ({number})"))
    }

    /// Draws the state of the tries where the moves would show the answer.
    pub fn draw(&self, session: &Session, review: &Review, area: Rect, buf: &mut Buffer, look: &Look) {
        let Some(retry) = &self.retry else { return };
        let Retry { tasks, current: at, .. } = retry;
        let inner = joined(area, Line::from(look.span(Role::Title, "Find a better move")), Line::default(), buf, look);
        let side = session.seat_name(session.position().side());
        let count = retry.distinct;
        let number = (at + 1).min(count);
        let task = match tasks.get(*at) {
            Some(Task::Puzzle(puzzle)) if retry.is_repeated() => format!("Puzzle once more ({})", puzzle.origin()),
            Some(Task::Puzzle(puzzle)) => format!("Puzzle {number} of {count} ({})", puzzle.origin()),
            _ => format!("Mistake {number} of {count}"),
        };
        let mut texts = self.verdict_texts(session, review, look);
        if texts.is_empty() {
            texts.push((Role::Text, format!("{task}: {side} to move.")));
        } else {
            texts.push((Role::Dim, format!("{task}.")));
        }
        if retry.found + retry.wrong > 0 {
            texts.push((Role::Dim, format!("{}.", retry.result())));
        }
        let lines = paragraphs(&texts, inner.width.saturating_sub(2), usize::from(inner.height), look);
        for (index, (role, line)) in lines.into_iter().take(usize::from(inner.height)).enumerate() {
            put(look.span(role, format!(" {line}")), row(inner, index as u16), buf);
        }
    }

    /// The keys of the tries, with their words.
    pub fn keys(&self) -> Vec<(String, String)> {
        let Some(Retry { verdict, is_answered, .. }) = &self.retry else { return Vec::new() };
        let keys: &[(&str, &str)] = match verdict {
            _ if *is_answered => &[("Enter", "next"), (".", "show the line"), ("Esc", "end")],
            Some(_) => &[("v", "answer"), ("Enter", "skip"), ("Esc", "end")],
            None => &[("v", "answer"), ("Esc", "end")],
        };
        keys.iter().map(|(key, word)| ((*key).to_owned(), (*word).to_owned())).collect()
    }

    /// Shows the answer; before a right try this counts as a wrong one.
    pub fn show_answer(&mut self, session: &Session, review: &Review, cx: &mut Context) {
        let Some(retry) = &mut self.retry else { return };
        let is_answered = retry.is_answered;
        retry.count(Verdict::Shown);
        if !is_answered {
            self.grade(Verdict::Shown, cx);
        }
        self.lengthen_lines(session, review, None, cx);
    }

    /// Judges a move at a mistake that is tried; false if none is.
    pub fn try_move(&mut self, session: &Session, review: &Review, mv: Move, cx: &mut Context) -> bool {
        if !self.is_retrying(session) {
            return false;
        }
        let valued = review.valued(session, session.record.at());
        let loss = valued.and_then(|valued| fair_loss(valued, mv));
        let is_mistake = loss.as_ref().is_some_and(|loss| review.is_mistake(loss));
        let Some((retry, loss)) = self.retry.as_mut().zip(loss) else { return false };
        let is_answered = retry.is_answered;
        let verdict = match loss.chance {
            lost if lost <= RIGHT => Verdict::Right(mv),
            _ if !is_mistake => Verdict::Nearly(mv),
            _ => Verdict::Wrong(mv),
        };
        retry.count(verdict);
        if !is_answered {
            self.grade(verdict, cx);
        }
        self.lengthen_lines(session, review, Some(mv), cx);
        true
    }
}

/// The job, and its newest lines.
pub struct TriedLines {
    spot: Spot,
    job: Option<JobId>,
    /// The solved lines, which are continued once the estimates are complete.
    solved: Option<Report>,
    estimated: Vec<Vec<Move>>,
    exact: Vec<Vec<Move>>,
}

impl Practice {
    /// Begins with the lines of a tried move and of the best one.
    pub fn lengthen_lines(&mut self, session: &Session, review: &Review, tried: Option<Move>, cx: &mut Context) {
        self.stop_lines(cx);
        let at = session.record.at();
        // A guest's time is limited.
        let Some(valued) = review.valued(session, at).filter(|_| !cx.paths.rights().is_guest()) else { return };
        let best = valued.best().map(|best| SearchLine { pv: valued.line().to_vec(), ..best.clone() });
        let own = tried.and_then(|mv| valued.move_line(mv)).cloned();
        let lines: Vec<SearchLine> = own.into_iter().chain(best).collect();
        let estimates = lines.iter().map(|line| SearchLine { solved: false, ..line.clone() }).collect();
        let is_solved = lines.iter().any(|line| line.solved);
        let solved = is_solved.then(|| Report { solved: valued.solved, lines, ..Report::default() });
        let job = Some(self.lengthen(session, &Report { lines: estimates, ..Report::default() }, cx));
        let spot = session.spot();
        let none = Vec::new;
        self.lines = Some(TriedLines { spot, job, solved, estimated: none(), exact: none() });
    }

    fn lengthen(&self, session: &Session, report: &Report, cx: &mut Context) -> JobId {
        cx.start(LineExtension::new(session.record.clone(), report, cx.pool))
    }

    fn stop_lines(&mut self, cx: &mut Context) {
        if let Some(job) = self.lines.take().and_then(|tried| tried.job) {
            cx.stop(job);
        }
    }

    /// Drops the lines of another position.
    pub fn settle_lines(&mut self, session: &Session, cx: &mut Context) {
        let is_here = |tried: &TriedLines| self.is_retrying(session) && tried.spot == session.spot();
        if self.lines.as_ref().is_some_and(|tried| !is_here(tried)) {
            self.stop_lines(cx);
        }
    }

    pub fn is_job(&self, job: JobId) -> bool {
        self.lines.as_ref().is_some_and(|tried| tried.job == Some(job))
    }

    pub fn lines_news(&mut self, session: &Session, news: News, cx: &mut Context) {
        let Some(tried) = &mut self.lines else { return };
        let is_estimate = tried.estimated.is_empty() || tried.solved.is_some();
        if let Ok(lines) = news.view.downcast::<Vec<Vec<Move>>>() {
            if is_estimate { tried.estimated = *lines } else { tried.exact = *lines }
        }
        if matches!(news.state, State::Done | State::Failed(_)) {
            let solved = tried.solved.take();
            let job = solved.map(|solved| self.lengthen(session, &solved, cx));
            if let Some(tried) = &mut self.lines {
                tried.job = job;
            }
        }
    }

    /// Returns a line of the position shown with its continuation, as far as that is known, and how many of its moves are not estimated.
    pub fn continued(&self, session: &Session, line: &[Move]) -> (Vec<Move>, usize) {
        let tried = self.lines.as_ref().filter(|tried| tried.spot == session.spot());
        let longer = |lines: &[Vec<Move>]| {
            lines.iter().find(|longer| longer.len() > line.len() && longer.starts_with(line)).cloned()
        };
        let exact = tried.and_then(|tried| longer(&tried.exact)).map(|moves| (moves, usize::MAX));
        let estimated = || tried.and_then(|tried| longer(&tried.estimated)).map(|moves| (moves, line.len()));
        exact.or_else(estimated).unwrap_or_else(|| (line.to_vec(), usize::MAX))
    }
}
