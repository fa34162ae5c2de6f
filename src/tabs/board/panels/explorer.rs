//! The explorer of openings: the moves that were played in the position shown, and how those games ended.
//!
//! A job opens or builds the indexes of the databases and reads the saved games ([`openings`](crate::openings)). Each position's moves
//! are read in the background. The move chosen in the list is the one chosen in the analysis, which the board marks.
//!
//! The panel has a row for each move, with its games, a bar of their results and the average result. The bar has the colours of the sides,
//! and three fillings where there are no colours. The first row has the columns' heads, and the lower frame the number of games.

use std::path::Path;
use std::sync::Arc;

use crossterm::event::KeyCode;
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::PanelMessage;
use super::layout::Layout;
use crate::app::tab::{Context, Tone};
use crate::game::{Move, Side};
use crate::job::{JobId, News, State};
use crate::openings::{Answer, Counts, OpeningMove, Openings, OpeningsJob, OpeningsJobView, PLIES, Query, Sources};
use crate::tabs::board::session::{Session, Spot};
use crate::theme::Role;
use crate::ui::{Look, clip, fit, joined, put, row, short_count, width, wrap};

/// The explorer and what it knows.
#[derive(Default)]
pub struct Explorer {
    pub on: bool,
    /// It was switched on after the analysis.
    pub last: bool,
    /// The running job, and the saved state of the game on the board when it began.
    job: Option<JobId>,
    listed: Option<(u64, u64)>,
    view: OpeningsJobView,
    /// The games; those of before while a job reads new ones.
    openings: Option<Arc<Openings>>,
    /// The position whose moves were requested last, and those that are known.
    requested: Option<Spot>,
    /// The number of requests: the answer to an earlier one is outdated.
    requests: u64,
    answer: Option<(Spot, Answer)>,
    /// A damaged index was built again.
    rebuilt: bool,
}

impl Explorer {
    /// The moves of the position shown, if they are known.
    fn explored(&self, session: &Session) -> Option<&Answer> {
        let (spot, answer) = self.answer.as_ref()?;
        (*spot == session.spot()).then_some(answer)
    }

    /// Reads the saved games again the next time: there is another.
    pub fn forget_listed(&mut self) {
        self.listed = None;
    }

    /// Reads what is missing: the games of this folder saved since, and the moves of the position shown. `saved`: the version on disk.
    pub fn settle(&mut self, session: &Session, games: Option<&Path>, saved: u64, cx: &mut Context) {
        let now = (session.game, saved);
        if self.job.is_none() && self.listed != Some(now) {
            self.listed = Some(now);
            let sources = Sources::new(&cx.config.board.databases, games.map(Path::to_owned), cx.paths);
            let usual = session.record.variant;
            self.job = Some(cx.start(OpeningsJob::new(sources, usual, self.openings.as_deref())));
        }
        let spot = session.spot();
        let Some(openings) = self.openings.clone().filter(|_| self.requested != Some(spot)) else { return };
        self.requested = Some(spot);
        self.requests += 1;
        let request = self.requests;
        let query = Query::new(&session.record);
        cx.background(move || PanelMessage::Explored { request, spot, result: openings.answer(&query) });
    }

    pub fn is_job(&self, job: JobId) -> bool {
        self.job == Some(job)
    }

    /// Takes the results of the job.
    pub fn take_news(&mut self, news: News, cx: &mut Context) {
        if let Ok(view) = news.view.downcast::<OpeningsJobView>() {
            self.view = *view;
        }
        match news.state {
            State::Running | State::Paused => return,
            State::Done => {}
            State::Failed(reason) => cx.notice(Tone::Bad, reason),
        }
        self.job = None;
        if let Some(openings) = self.view.ready.take() {
            if let Some(problem) = openings.problems.first().filter(|_| self.openings.is_none()) {
                cx.notice(Tone::Bad, problem.clone());
            }
            self.openings = Some(openings);
            self.requested = None;
        }
    }

    /// Takes the moves of a position; the games are read again if their index was removed.
    pub fn take_answer(&mut self, request: u64, spot: Spot, result: Result<Answer, Error>, cx: &mut Context) {
        match result {
            _ if request != self.requests => {}
            Ok(answer) => self.answer = Some((spot, answer)),
            Err(_) if !self.rebuilt => (self.rebuilt, self.listed) = (true, None),
            Err(error) => cx.notice(Tone::Bad, error.to_string()),
        }
    }

    /// The index of the chosen move in the list.
    fn chosen(&self, session: &Session, picked: Option<Move>) -> Option<usize> {
        let mv = picked?;
        self.explored(session)?.rows.iter().position(|row| row.mv == mv)
    }

    /// Returns what a key does in the list: the arrows up and down choose a move, and Enter makes it.
    pub fn key(&self, session: &Session, picked: Option<Move>, code: KeyCode) -> Option<ExplorerKey> {
        let rows = &self.explored(session)?.rows;
        let last = rows.len().checked_sub(1)?;
        let next = match (code, self.chosen(session, picked)) {
            (KeyCode::Down, None) => 0,
            (KeyCode::Down, Some(at)) => (at + 1).min(last),
            (KeyCode::Up, None) => last,
            (KeyCode::Up, Some(at)) => at.saturating_sub(1),
            (KeyCode::Enter, Some(at)) => return Some(ExplorerKey::Make(rows[at].mv)),
            _ => return None,
        };
        Some(ExplorerKey::Choose(rows[next].mv))
    }

    /// The keys in the footer.
    pub fn keys(&self, session: &Session, picked: Option<Move>) -> Vec<(String, String)> {
        if self.explored(session).is_none_or(|answer| answer.rows.is_empty()) {
            return Vec::new();
        }
        let keys = [("up down", "opening"), ("Enter", "play it")].into_iter();
        let shown = if self.chosen(session, picked).is_some() { 2 } else { 1 };
        keys.take(shown).map(|(key, word)| (key.to_owned(), word.to_owned())).collect()
    }

    /// The parts of the lower panel for the analysis and the self.
    pub fn split_lower(&self, area: Rect, is_shown: bool, has_analysis: bool) -> (Rect, Rect) {
        let none = Rect::default();
        if !is_shown {
            return (area, none);
        }
        if !has_analysis {
            return (none, area);
        }
        let half = area.width / 2;
        let rows = area.height / 2;
        match () {
            () if area.width >= 100 => {
                // The line between them is common; below each other both titles would be on it.
                (Rect { width: half + 1, ..area }, Rect { x: area.x + half, width: area.width - half, ..area })
            }
            () if area.height >= 16 => {
                (Rect { height: area.height - rows, ..area }, Rect { y: area.bottom() - rows, height: rows, ..area })
            }
            () if self.last => (none, area),
            () => (area, none),
        }
    }

    /// Draws the panel; returns the places of its rows with their moves.
    pub fn draw(
        &self,
        session: &Session,
        picked: Option<Move>,
        places: &Layout,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(Rect, Move)> {
        let area = places.analysis;
        let (heads, inner) = if places.compact {
            let heads = row(area, 0);
            put(self.explorer_title(session, heads.width, look), heads, buf);
            (heads, Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area })
        } else {
            let room = area.width.saturating_sub(4);
            let title = self.explorer_title(session, room, look);
            let inner = joined(area, title, self.explorer_figures(session, room, look), buf, look);
            (row(inner, 0), inner)
        };
        match self.explored(session).filter(|answer| !answer.rows.is_empty()) {
            Some(answer) => {
                let taken = u16::from(!places.compact).min(inner.height);
                let inner = Rect { y: inner.y + taken, height: inner.height - taken, ..inner };
                // On a compact screen the heads are behind the title, whose end is the name of the opening.
                let name = answer.name.as_ref().map_or(0, |name| width(name) + 3);
                let title = if places.compact { width("Openings") + 2 + name } else { 0 };
                self.draw_openings(session, picked, (heads, title), inner, buf, look)
            }
            None => {
                self.draw_no_openings(session, inner, buf, look);
                Vec::new()
            }
        }
    }

    /// `Openings · Tiger`.
    fn explorer_title(&self, session: &Session, room: u16, look: &Look) -> Line<'static> {
        let mut title = Line::from(look.span(Role::Title, "Openings"));
        if let Some(name) = self.explored(session).and_then(|answer| answer.name.as_ref()) {
            title.spans.push(look.span(Role::Dim, format!(" {} {name}", look.glyphs.dot)));
        }
        fit(title, room, look)
    }

    /// The number of games with this position, and the meaning of the bars.
    fn explorer_figures(&self, session: &Session, room: u16, look: &Look) -> Line<'static> {
        let here = self.explored(session).map_or(0, |answer| answer.all.games());
        if here == 0 {
            return Line::default();
        }
        let games = if here == 1 { "game" } else { "games" };
        let mut line = Line::from(look.span(Role::Dim, format!("{} {games}", short_count(here))));
        let [south, north] = session.record.variant.seats();
        let parts = [(2, south), (1, "draw"), (0, north)];
        let legend = parts.map(|(part, word)| {
            [look.span(role_of(part), filling(part, look)), look.span(Role::Dim, format!(" {word}"))]
        });
        let legend: Vec<Span> =
            legend.into_iter().flat_map(|spans| [vec![Span::raw("  ")], spans.into()].concat()).collect();
        if line.width() + legend.iter().map(Span::width).sum::<usize>() <= usize::from(room) {
            line.spans.extend(legend);
        }
        fit(line, room, look)
    }

    /// Draws the rows, those around the chosen one; returns their places.
    fn draw_openings(
        &self,
        session: &Session,
        picked: Option<Move>,
        (heads, title): (Rect, u16),
        inner: Rect,
        buf: &mut Buffer,
        look: &Look,
    ) -> Vec<(Rect, Move)> {
        let Some(answer) = self.explored(session) else { return Vec::new() };
        let position = session.position();
        let columns = Columns::new(position, answer, inner.width);
        draw_heads(&columns, title, heads, buf, look);
        let height = usize::from(inner.height);
        let chosen = self.chosen(session, picked);
        let top = chosen.map_or(0, |at| (at + 1).saturating_sub(height));
        let next = session.record.next();
        let mut rows = Vec::new();
        for (index, opening) in answer.rows.iter().enumerate().skip(top).take(height) {
            let place = row(inner, (index - top) as u16);
            let role = if next == Some(opening.mv) { Role::Accent } else { Role::Text };
            put(columns.row(opening, &position.move_text(opening.mv), role, position.side(), look), place, buf);
            if chosen == Some(index) {
                look.select(Rect { width: (columns.mv + 2).min(place.width), ..place }, buf);
            }
            rows.push((place, opening.mv));
        }
        rows
    }

    /// What is in progress, or why there are no moves, and what to do.
    fn draw_no_openings(&self, session: &Session, area: Rect, buf: &mut Buffer, look: &Look) {
        let ellipsis = look.glyphs.ellipsis;
        let is_requested = self.requested == Some(session.spot());
        let is_known = self.explored(session).is_some();
        let games = self.openings.as_ref().map(|openings| openings.games());
        let text = match (&self.view.progress, games) {
            (Some((name, done, all)), _) if self.job.is_some() => {
                format!("Reading {name}: {done} of {all} ({} %)", 100 * done / all.max(&1))
            }
            (_, None) => format!("Reading the games{ellipsis}"),
            (_, Some((0, 0))) => "No games yet. s saves this one; --database and board.databases name more".to_owned(),
            _ if is_requested && !is_known => format!("Reading{ellipsis}"),
            _ if session.record.ply() as usize >= PLIES => format!("Only the first {PLIES} moves of a game count"),
            _ => "No game reached this position".to_owned(),
        };
        let problems = self.openings.as_ref().map_or(&[][..], |openings| &openings.problems);
        let lines = std::iter::once((text, Role::Dim)).chain(problems.iter().map(|text| (text.clone(), Role::Warning)));
        let wrapped = lines.flat_map(|(text, role)| {
            wrap(&text, area.width.saturating_sub(2)).into_iter().map(move |line| (line, role))
        });
        for (index, (line, role)) in wrapped.enumerate().take(usize::from(area.height)) {
            put(look.span(role, format!(" {line}")), row(area, index as u16), buf);
        }
    }
}

/// What a key does in the list.
pub enum ExplorerKey {
    Choose(Move),
    Make(Move),
}

/// Columns of the number of games and of the score, with the gap before them.
const GAMES: u16 = 7;
const SCORE: u16 = 8;

/// Widths of bars, and the least width of names beside them.
const BAR: (u16, u16) = (4, 24);
const NAME: u16 = 12;

/// Widths of a panel's columns.
struct Columns {
    mv: u16,
    bar: u16,
    name: u16,
}

impl Columns {
    fn new(position: &crate::game::Position, answer: &Answer, cells: u16) -> Columns {
        let mv = answer.rows.iter().map(|row| width(&position.move_text(row.mv))).max().unwrap_or(1);
        let rest = cells.saturating_sub(mv + 1 + GAMES + 2 + SCORE);
        let name = if rest >= BAR.1 / 2 + 2 + NAME { rest - (rest / 2).clamp(BAR.0, BAR.1) } else { 0 };
        let bar = rest - name;
        Columns { mv, bar: if bar < BAR.0 { 0 } else { bar.min(BAR.1) }, name: name.saturating_sub(2) }
    }
}

/// Draws the heads that fit behind a title of this width.
fn draw_heads(columns: &Columns, title: u16, place: Rect, buf: &mut Buffer, look: &Look) {
    let games = columns.mv + 1 + GAMES;
    let score = games + if columns.bar > 0 { 2 + columns.bar } else { 0 } + SCORE;
    let ends = [("games", games), ("score", score)];
    let name = (columns.name > 0).then_some(("name", score + 2 + width("name")));
    for (head, end) in ends.into_iter().chain(name) {
        let from = end.saturating_sub(width(head) + 1);
        if from < title || end + 1 > place.width {
            continue;
        }
        let text = format!(" {head} ");
        let place = Rect { x: place.x + from, width: width(&text).min(place.width - from), ..place };
        put(look.span(Role::Dim, text), place, buf);
    }
}

impl Columns {
    fn row(&self, opening: &OpeningMove, mv: &str, role: Role, side: Side, look: &Look) -> Line<'static> {
        let counts = &opening.counts;
        let games = short_count(counts.games());
        let score = counts.score(side).map_or(look.glyphs.minus.to_owned(), |score| format!("{:.1} %", 100.0 * score));
        let mut spans = vec![
            look.span(role, format!(" {mv:<0$}", usize::from(self.mv))),
            look.span(Role::Text, format!("{games:>0$}", usize::from(GAMES))),
        ];
        if self.bar > 0 {
            spans.push(Span::raw("  "));
            spans.extend(bar(counts, self.bar, look));
        }
        spans.push(look.span(Role::Text, format!("{score:>0$}", usize::from(SCORE))));
        if let Some(name) = opening.name.as_ref().filter(|_| self.name > 0) {
            spans.push(look.span(Role::Dim, format!("  {}", clip(name, self.name, look))));
        }
        Line::from(spans)
    }
}

/// The filling of a part of a bar: 2 for games that the first side won, 1 for draws, 0 for games of the second side.
fn filling(part: usize, look: &Look) -> &'static str {
    [look.glyphs.shade[1], look.glyphs.shade[2], look.glyphs.shade[4]][part]
}

fn role_of(part: usize) -> Role {
    [Role::North, Role::Dim, Role::South][part]
}

/// A bar of finished games by result. A result that occurs has a cell, if there are enough.
fn bar(counts: &Counts, cells: u16, look: &Look) -> Vec<Span<'static>> {
    let widths = widths(counts, cells);
    let part = |(part, width): (usize, u16)| look.span(role_of(part), filling(part, look).repeat(width.into()));
    let rest = cells - widths.iter().sum::<u16>();
    let parts = [2, 1, 0].into_iter().zip(widths).map(part);
    parts.chain([Span::raw(" ".repeat(rest.into()))]).collect()
}

/// The widths of won, drawn and lost games of the first side; all 0 if no game is finished.
fn widths(counts: &Counts, cells: u16) -> [u16; 3] {
    let [won, drawn, lost, _] = counts.0;
    let finished = won + drawn + lost;
    if finished == 0 {
        return [0; 3];
    }
    let end = |count: u64| (f64::from(cells) * count as f64 / finished as f64).round() as u16;
    let first = end(won);
    let second = end(won + drawn);
    let mut widths = [first, second - first, cells - second];
    for (index, count) in [won, drawn, lost].into_iter().enumerate() {
        let largest = (0..3).max_by_key(|&index| widths[index]).unwrap_or(0);
        if count > 0 && widths[index] == 0 && widths[largest] > 1 {
            widths[index] += 1;
            widths[largest] -= 1;
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_full_and_show_every_result() {
        for (counts, expected) in [
            ([0, 0, 0, 3], [0, 0, 0]),
            ([1, 0, 0, 0], [10, 0, 0]),
            ([1, 0, 1, 9], [5, 0, 5]),
            ([1000, 1, 1, 0], [8, 1, 1]),
            ([1, 2, 7, 0], [1, 2, 7]),
        ] {
            assert_eq!(widths(&Counts(counts), 10), expected, "{counts:?}");
        }
        assert_eq!(widths(&Counts([5, 1, 5, 0]), 2), [1, 0, 1]);
    }
}
