//! The open collection: the list of its games, with a search, and stepping through them.
//!
//! Headers are read when a row is drawn or searched. A game's moves are read in a background task, those on the screen
//! first; only then their number and whether they are legal is known.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crossterm::event::{KeyEvent, MouseEvent};
use mancalab_base::{Error, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::game_file::{PartialGame, Shelf};
use super::load::draw_preview;
use super::saved::{About, words};
use super::{Library, LibraryMessage};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::app::tab::{Context, Tone};
use crate::game::Variant;
use crate::game::notation::{self, GameHeaders, pdn};
use crate::job::background::Work;
use crate::sanitize;
use crate::tabs::board::session::Session;
use crate::theme::Role;
use crate::ui::list::{Choice, Chooser};
use crate::ui::{Look, clip, fit, head as beginning, keys, put, row, tail, width, window};

/// Time for reading games before the list opens, and after each key while there are more.
const AT_FIRST: Duration = Duration::from_millis(300);
const AFTER_A_KEY: Duration = Duration::from_millis(30);

/// Games that are read regardless of time: about a page.
const PAGE: usize = 30;

/// Width of the window, of the preview, and of screens that show the preview.
const WIDE: u16 = 76;
const PREVIEW: u16 = 42;
const BESIDE: u16 = 118;

/// Maximum length of the query.
const MOST: usize = 200;

/// Widths of a row's columns from the right: moves, result, date and event.
const MOVES: usize = 7;
const RESULT: usize = 11;
const DATE: usize = 12;
const EVENT: usize = 22;

/// Of larger collections only games on the screen are read.
const READ_ALL: usize = 20_000;

/// The result of a background task of the list.
struct ReadGames {
    /// The games that fit a query, if it was searched for.
    found: Option<(String, Vec<u32>)>,
    /// Games by their index.
    about: Vec<(usize, Result<About, Error>)>,
}

/// Lists a collection.
pub struct Games {
    shelf: Shelf,
    variant: Variant,
    /// The games that fit `query`; `None`: all.
    found: Option<Vec<u32>>,
    query: String,
    /// The games read so far, by index.
    about: HashMap<usize, Result<About, Error>>,
    chooser: Chooser,
}

impl Games {
    pub fn new(shelf: Shelf, variant: Variant) -> Games {
        let mut chooser = Chooser::default();
        chooser.select(shelf.open.unwrap_or(0));
        Games { found: None, query: String::new(), about: HashMap::new(), variant, chooser, shelf }
    }

    /// The number of games that fit the query.
    fn len(&self) -> usize {
        self.found.as_ref().map_or(self.shelf.games.len(), Vec::len)
    }

    /// The index of the nth game that fits.
    fn nth(&self, nth: usize) -> Option<usize> {
        match &self.found {
            None => Some(nth).filter(|&nth| nth < self.shelf.games.len()),
            Some(found) => found.get(nth).map(|&index| index as usize),
        }
    }

    fn selected(&self) -> Option<usize> {
        self.nth(self.chooser.selected())
    }

    /// The typed query; a slash before it is not part of it.
    fn typed(&self) -> &str {
        self.chooser.typed.trim_start_matches('/')
    }

    /// Returns a task that searches for the typed query if it is new, and reads games, those on the screen first; `None` if there
    /// is nothing to do.
    fn read_on(&self, time: Duration) -> Option<Work> {
        let is_new = self.typed() != self.query;
        let visible = self.chooser.seen(if is_new { PAGE } else { self.len() }, PAGE);
        let known: HashSet<usize> = self.about.keys().copied().collect();
        let all = self.shelf.games.len();
        let rest = if all <= READ_ALL { 0..all } else { 0..0 };
        let on_screen: Vec<usize> = visible.clone().filter_map(|nth| self.nth(nth)).collect();
        let is_unread = |index: &usize| !known.contains(index);
        if !is_new && !on_screen.iter().any(is_unread) && !rest.clone().any(|index| is_unread(&index)) {
            return None;
        }
        let query = is_new.then(|| self.typed().to_owned());
        let errors = self.errors();
        let games = self.shelf.games.clone();
        let variant = self.variant;
        Some(Box::new(move || {
            let found =
                query.map(|query| (search(&games, &query, &errors), query)).map(|(found, query)| (query, found));
            let on_screen: Vec<usize> = match &found {
                Some((_, found)) => visible.filter_map(|nth| found.get(nth)).map(|&index| index as usize).collect(),
                None => on_screen,
            };
            let began = Instant::now();
            let is_due = |nth: usize| nth < on_screen.len() || began.elapsed() < time;
            let indices = on_screen.iter().copied().chain(rest).enumerate();
            let due = indices.take_while(|(nth, _)| is_due(*nth)).map(|(_, index)| index);
            let about = |index: usize| games.read(index, variant).map(|record| About::from_record(&record));
            let read = due.filter(|index| !known.contains(index));
            let about = read.map(|index| (index, about(index).map_err(|broken| broken.to_string().into()))).collect();
            Box::new(ReadGames { found, about })
        }))
    }

    /// The errors of the games read so far, which can be searched for, too.
    fn errors(&self) -> HashMap<usize, String> {
        let error = |(&index, about): (&usize, &Result<About, Error>)| {
            Some((index, about.as_ref().err()?.to_string().to_lowercase()))
        };
        self.about.iter().filter_map(error).collect()
    }

    fn follow(&self, choice: Choice) -> Outcome {
        match choice {
            Choice::Leave => Outcome::Close,
            Choice::Take if self.typed() == self.query => self
                .selected()
                .map_or(Outcome::Stay, |index| Outcome::TaskResult(Box::new(LibraryMessage::Game(index)))),
            Choice::Take | Choice::None | Choice::Moved | Choice::Ignored => {
                self.read_on(AFTER_A_KEY).map_or(Outcome::Stay, Outcome::Background)
            }
        }
    }

    /// The title: number of games, and of incomplete ones among those read so far.
    fn title(&self) -> String {
        let count = self.shelf.games.len();
        let broken = self.about.values().filter(|about| about.is_err()).count();
        let games = counted(count, "game");
        let so_far = if self.about.len() < count { " so far" } else { "" };
        let broken = if broken > 0 { format!(", {broken} invalid{so_far}") } else { String::new() };
        let note = self.shelf.games.note().map_or(String::new(), |note| format!("; {note}"));
        format!("{}: {games}{broken}{note}", sanitize::inline(&self.shelf.name))
    }
}

/// The games whose number, headers or error contain all words of a query.
fn search(games: &notation::Games, query: &str, errors: &HashMap<usize, String>) -> Vec<u32> {
    let words = words(query);
    let fits = |index: &usize| {
        let values: Vec<String> = games.headers(*index).headers.into_iter().map(|(_, value)| value).collect();
        let text = format!("{} {}", index + 1, values.join(" ")).to_lowercase();
        let error = errors.get(index).map_or("", String::as_str);
        words.iter().all(|word| text.contains(word) || error.contains(word))
    };
    (0..games.len()).filter(fits).map(|index| index as u32).collect()
}

impl Overlay for Games {
    fn begin(&mut self) -> Option<Work> {
        self.read_on(AT_FIRST)
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        if let Ok(read) = answer.downcast::<ReadGames>() {
            if let Some((query, found)) = read.found {
                self.found = (!query.is_empty()).then_some(found);
                self.query = query;
            }
            self.about.extend(read.about);
        }
        Outcome::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Outcome {
        let len = self.len();
        let choice = self.chooser.key(key, len, MOST);
        self.follow(choice)
    }

    /// A click selects, one more on the same row opens.
    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let len = self.len();
        match self.chooser.mouse(mouse, len, false) {
            Choice::Ignored => Outcome::Stay,
            choice => self.follow(choice),
        }
    }

    fn paste(&mut self, text: &str) {
        self.chooser.paste(text, MOST);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let is_beside = area.width >= BESIDE;
        let wide = if is_beside { area.width.saturating_sub(8).min(WIDE + PREVIEW + 22) } else { WIDE };
        let high = area.height.saturating_sub(2).min(if is_beside { 40 } else { 28 });
        let inner = window(area, wide, high, &self.title(), buf, look);
        let typed = tail(&self.chooser.typed, inner.width.saturating_sub(8)).to_owned();
        put(look.span(Role::Text, format!("Find: {typed}")), inner, buf);
        let wrong = self.selected().and_then(|index| self.about.get(&index)?.as_ref().err());
        let foot = match wrong.filter(|_| !is_beside) {
            Some(reason) => Line::from(look.span(Role::Bad, sanitize::inline(&reason.to_string()).to_string())),
            None => keys("Enter: open, type to search, PgUp PgDn: other games on the board", inner.width, look),
        };
        put(fit(foot, inner.width, look), row(inner, inner.height.saturating_sub(1)), buf);
        let body = Rect { y: inner.y + 2, height: inner.height.saturating_sub(4), ..inner };
        let aside = if is_beside { PREVIEW } else { 0 };
        let list = Rect { width: body.width.saturating_sub(aside + 2 * u16::from(aside > 0)), ..body };
        self.draw_list(list, buf, look);
        if let Some(about) = self.selected().and_then(|index| self.about.get(&index)).filter(|_| is_beside) {
            draw_preview(about, Rect { x: body.right() - aside, width: aside, ..body }, buf, look);
        }
        let cursor = (inner.x + 6 + width(&typed), inner.y);
        self.chooser.caret(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}

impl Games {
    fn draw_list(&mut self, place: Rect, buf: &mut Buffer, look: &Look) {
        let mut chooser = std::mem::take(&mut self.chooser);
        let rows = Rect { y: place.y + 1, height: place.height.saturating_sub(1), ..place };
        if self.len() == 0 {
            put(look.span(Role::Dim, clip("No match", rows.width, look)), rows, buf);
        } else {
            let number = " ".repeat(1 + self.digits());
            let head =
                columns(usize::from(place.width), &number, "Black v White", ["event", "date", "result", "moves"]);
            put(look.span(Role::Title, head), row(place, 0), buf);
        }
        chooser.draw(rows, self.len(), buf, look, |nth, line, role, buf| {
            let Some(index) = self.nth(nth) else { return };
            let is_broken = matches!(self.about.get(&index), Some(Err(_)));
            let role = if is_broken && role == Role::Text { Role::Bad } else { role };
            put(look.span(role, self.line(index, line.width, look)), line, buf);
        });
        self.chooser = chooser;
    }

    /// Width of the largest number.
    fn digits(&self) -> usize {
        self.shelf.games.len().to_string().len().max(4)
    }

    /// A row of the list: players, event, date, result and number of moves; or the error.
    fn line(&self, index: usize, wide: u16, look: &Look) -> String {
        let game = &self.shelf.games.headers(index);
        let mark = if self.shelf.open == Some(index) { look.glyphs.pointer } else { " " };
        let number = format!("{mark}{:>1$}", index + 1, self.digits());
        if let Some(Err(reason)) = self.about.get(&index) {
            let text = format!(
                "{number}  {} {}, {}",
                look.glyphs.cross,
                players(game),
                sanitize::inline(&in_short(&reason.to_string()))
            );
            return clip(&text, wide, look);
        }
        let about = self.about.get(&index).and_then(|about| about.as_ref().ok());
        let moves = about.map_or(String::new(), |about| about.moves.to_string());
        let result = match (game.header("Result"), about) {
            (result, Some(about)) if matches!(result, "" | "*") || about.contradiction.is_some() => {
                about.result().to_owned()
            }
            ("*", _) => "unfinished".to_owned(),
            (result, _) => pdn::winner(result).unwrap_or(result).to_owned(),
        };
        let result = sanitize::inline(&result);
        let [event, site, date] = ["Event", "Site", "Date"].map(|name| sanitize::inline(game.header(name)).to_string());
        let event = if event.is_empty() { site } else { event };
        // Without what is unknown of it, and the time.
        let date = date.split(['_', ' ']).next().unwrap_or_default().trim_end_matches(".??").to_owned();
        let line = columns(usize::from(wide), &number, &players(game), [&event, &date, &result, &moves]);
        clip(&line, wide, look)
    }
}

/// The error of an incomplete game without its number and location.
fn in_short(reason: &str) -> String {
    let (place, what) = reason.split_once(": ").unwrap_or(("", reason));
    let at = place.split(", ").nth(1).filter(|at| !at.starts_with("line "));
    at.map_or_else(|| what.to_owned(), |at| format!("{at}: {what}"))
}

/// The players, the first mover first.
fn players(game: &GameHeaders) -> String {
    let name = |seat: &str| match game.header(seat) {
        "" => "?".to_owned(),
        name => sanitize::inline(name).to_string(),
    };
    format!("{} v {}", name("Black"), name("White"))
}

/// A row: number, players, and on the right what fits; the event is dropped first, then the date.
fn columns(wide: usize, number: &str, players: &str, [event, date, result, moves]: [&str; 4]) -> String {
    let (has_event, has_date) = (wide >= 84, wide >= 60);
    let cell = |text: &str, cells: usize| format!("{:>cells$}", beginning(text, cells as u16 - 1));
    let mut right = String::new();
    if has_event {
        let text = beginning(event, EVENT as u16 - 2);
        right += &format!("  {text}{}", " ".repeat((EVENT - 2).saturating_sub(usize::from(width(text)))));
    }
    if has_date {
        right += &cell(date, DATE);
    }
    right += &cell(result, RESULT);
    right += &cell(moves, MOVES);
    let room = wide.saturating_sub(usize::from(width(number)) + 2 + right.chars().count());
    let players = beginning(players, room as u16);
    let blank = " ".repeat(room.saturating_sub(usize::from(width(players))));
    format!("{number}  {players}{blank}{right}")
}

impl Library {
    pub fn has_collection(&self) -> bool {
        self.shelf.is_some()
    }

    /// Returns whether the game on the board belongs to it.
    pub fn is_of_collection(&self) -> bool {
        self.shelf.as_ref().is_some_and(|shelf| shelf.open.is_some())
    }

    /// Lists the games of the collection opened last.
    pub fn open_collection(&mut self, session: &Session, cx: &mut Context) {
        match &self.shelf {
            Some(shelf) => cx.open(Games::new(shelf.clone(), session.record.variant)),
            None => cx.notice(Tone::Info, "No collection is open (l: load, such as FILE.pdn)"),
        }
    }

    /// Opens the game `by` places after the one on the board.
    pub fn next_game(&mut self, session: &Session, by: isize, cx: &mut Context) {
        let Some(shelf) = &self.shelf else { return self.open_collection(session, cx) };
        let count = shelf.games.len();
        let next = match shelf.open {
            None => Some(0),
            Some(index) => index.checked_add_signed(by).filter(|&index| index < count),
        };
        match next {
            Some(index) => self.open_from(session, index, by, cx),
            None => cx.notice(Tone::Info, format!("There are no more games; {} has {count}", shelf.name)),
        }
    }

    pub fn open_game(&self, session: &Session, index: usize, cx: &mut Context) {
        self.open_from(session, index, 0, cx);
    }

    /// Opens a game, or if it is unreadable the next readable one in steps of `by`, and reports the first error.
    fn open_from(&self, session: &Session, index: usize, by: isize, cx: &mut Context) {
        let Some(shelf) = self.shelf.clone() else { return };
        let variant = session.record.variant;
        cx.wait_for(move || {
            let mut at = index;
            let mut skipped = None;
            loop {
                let result = shelf.read(at, variant);
                let further = at.checked_add_signed(by).filter(|&next| next != at && next < shelf.games.len());
                match (result, further) {
                    (Err(reason), Some(next)) => {
                        skipped.get_or_insert(reason.to_string());
                        at = next;
                    }
                    (Ok(picked), _) => {
                        let picked = PartialGame { broken: skipped.or(picked.broken), ..picked };
                        return LibraryMessage::Picked { shelf: Shelf { open: Some(at), ..shelf }, result: Ok(picked) };
                    }
                    (Err(reason), None) => {
                        return LibraryMessage::Picked {
                            shelf: Shelf { open: Some(index), ..shelf },
                            result: Err(skipped.unwrap_or(reason.to_string()).into()),
                        };
                    }
                }
            }
        });
    }

    /// `game 3 of 200`, if it is on the board.
    pub fn shelf_text(&self) -> Option<String> {
        let shelf = self.shelf.as_ref()?;
        let count = shelf.games.len();
        shelf.open.filter(|_| count > 1).map(|index| format!("game {} of {count}", index + 1))
    }

    /// Detaches the game on the board from the open collection.
    pub fn leave_shelf(&mut self) {
        if let Some(shelf) = &mut self.shelf {
            shelf.open = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_whole_is_counted_so_far_until_all_games_are_read() {
        let text = "[Event \"a\"]\n1. 9-14\n[Event \"b\"]\n1. 9-99\n[Event \"c\"]\n1. 9-13";
        let collection = pdn::FORMAT.open(vec![text.into()]).unwrap();
        let variant: Variant = "checkers".parse().unwrap();
        let about = |index| {
            collection
                .read(index, variant)
                .map(|record| About::from_record(&record))
                .map_err(|broken| broken.to_string().into())
        };
        let shelf = Shelf { name: "a.pdn".to_owned(), games: collection.clone(), open: None };
        let mut games = Games::new(shelf, variant);
        let mut titles = vec![games.title()];
        for index in [0, 1, 2] {
            games.answer(Box::new(ReadGames { found: None, about: vec![(index, about(index))] }));
            titles.push(games.title());
        }
        let expected =
            ["a.pdn: 3 games", "a.pdn: 3 games", "a.pdn: 3 games, 1 invalid so far", "a.pdn: 3 games, 1 invalid"];
        assert_eq!(titles, expected);
    }
}
