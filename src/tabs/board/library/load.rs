//! The dialog of saved games: a searchable list with a preview of the selected game. A path can be typed as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::LibraryMessage;
use super::save::{FileAnswer, MOST};
use super::saved::{self, About, Contents, SavedGame, columns, head, words};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::game::Side;
use crate::job::background::Work;
use crate::paths::Paths;
use crate::sanitize;
use crate::theme::Role;
use crate::ui::board::{View, draw as draw_board, size};
use crate::ui::list::{Choice, Chooser};
use crate::ui::{Look, clip, fit, keys, put, row, tail, width, window, wrap};

/// Time for reading files before the list opens, and after each key while there are more.
const AT_FIRST: Duration = Duration::from_millis(200);
const AFTER_A_KEY: Duration = Duration::from_millis(30);

/// Files that are read regardless of time: about a page.
const PAGE: usize = 20;

/// Width of a window without preview, and its maximum number of rows.
const WIDE: u16 = 76;
const HIGH: u16 = 22;
/// Rows of an empty list.
const LOW: u16 = 9;

/// Width of a preview beside the list, and the minimum width of the screen.
const PREVIEW: u16 = 40;
const BESIDE: u16 = 110;

/// Size of the list beside a preview on a small screen, and rows of the preview's caption.
const LIST: u16 = 46;
const ROWS: u16 = 6;
const CAPTION: u16 = 1;

/// The result of a background task of the dialog.
enum News {
    /// The games of the folder, the first of them read.
    Games(Vec<SavedGame>),
    Read(Contents),
    /// A file was deleted, or could not be.
    Deleted(PathBuf, Result<(), Error>),
}

/// The games on disk, and entry of a path.
pub struct Load {
    folder: Option<PathBuf>,
    paths: Paths,
    /// The newest first; `None` before the folder is read.
    games: Option<Vec<SavedGame>>,
    chooser: Chooser,
    /// An error, shown instead of the keys.
    error: Option<String>,
    /// A game to delete after confirmation.
    deleting: Option<PathBuf>,
}

impl Load {
    pub fn new(folder: Option<PathBuf>, paths: &Paths) -> Load {
        let chooser = Chooser::default();
        Load { folder, paths: paths.clone(), games: None, chooser, error: None, deleting: None }
    }

    fn found(&self) -> Vec<&SavedGame> {
        self.found_by(&self.chooser.typed)
    }

    fn found_by(&self, typed: &str) -> Vec<&SavedGame> {
        let words = words(typed);
        self.games.iter().flatten().filter(|game| game.fits(&words)).collect()
    }

    fn selected(&self) -> Option<&SavedGame> {
        self.found().get(self.chooser.selected()).copied()
    }

    fn choose(&mut self) -> Outcome {
        let listed = self.selected().map(|game| game.path.clone());
        let typed = Some(self.chooser.typed.trim()).filter(|typed| !typed.is_empty());
        match listed.map(Ok).or_else(|| typed.map(|typed| self.paths.typed(typed))) {
            Some(Ok(path)) => return Outcome::TaskResult(Box::new(LibraryMessage::File(FileAnswer::Load(path)))),
            Some(Err(error)) => self.error = Some(error.to_string()),
            None => {}
        }
        Outcome::Stay
    }

    /// Returns a task that reads more games, those on the screen first.
    fn read_on(&self) -> Outcome {
        let unread = |game: &&SavedGame| game.about().is_none();
        let found = self.found();
        let seen = self.chooser.seen(found.len(), PAGE);
        let mut paths: Vec<PathBuf> =
            found[seen].iter().filter(|game| unread(game)).map(|game| game.path.clone()).collect();
        let at_least = paths.len();
        paths.extend(self.games.iter().flatten().filter(unread).map(|game| game.path.clone()));
        if paths.is_empty() {
            return Outcome::Stay;
        }
        Outcome::Background(Box::new(move || Box::new(News::Read(saved::read(paths, at_least, AFTER_A_KEY)))))
    }

    fn take(&mut self, contents: Contents) {
        let mut contents: std::collections::HashMap<_, _> = contents.into_iter().collect();
        for game in self.games.iter_mut().flatten() {
            if let Some(about) = contents.remove(&game.path) {
                game.learn(about);
            }
        }
    }

    /// Asks before the selected game is deleted.
    fn ask_to_delete(&mut self) {
        self.deleting = self.selected().map(|game| game.path.clone());
    }

    /// Handles the answer.
    fn delete(&mut self, key: KeyEvent, path: PathBuf) -> Outcome {
        if !matches!(key.code, KeyCode::Char('y' | 'Y')) {
            return Outcome::Stay;
        }
        Outcome::Background(Box::new(move || {
            let result = fs::remove_file(&path).map_err(|error| sanitize::reason(&error).into());
            Box::new(News::Deleted(path, result))
        }))
    }

    /// The effect of a key or the mouse.
    fn follow(&mut self, choice: Choice) -> Outcome {
        let full = self.chooser.full;
        self.error = full.then(|| format!("a path has at most {MOST} characters; the rest was left out"));
        match choice {
            Choice::Leave => Outcome::Close,
            Choice::Take => self.choose(),
            Choice::None | Choice::Moved | Choice::Ignored => self.read_on(),
        }
    }
}

/// The games of a folder, the first of them read.
fn begin(folder: &Path) -> News {
    let mut games = saved::list(folder);
    let paths = games.iter().map(|game| game.path.clone()).collect();
    let mut contents = saved::read(paths, PAGE, AT_FIRST).into_iter();
    // In the same order.
    games.iter_mut().zip(&mut contents).for_each(|(game, (_, about))| game.learn(about));
    News::Games(games)
}

impl Overlay for Load {
    fn begin(&mut self) -> Option<Work> {
        let folder = self.folder.clone()?;
        Some(Box::new(move || Box::new(begin(&folder))))
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<News>().map(|news| *news) {
            Ok(News::Games(games)) => self.games = Some(games),
            Ok(News::Read(contents)) => self.take(contents),
            Ok(News::Deleted(path, Ok(()))) => {
                self.games.iter_mut().for_each(|games| games.retain(|game| game.path != path))
            }
            Ok(News::Deleted(path, Err(reason))) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.error = Some(format!("Cannot delete {name}: {reason}"));
            }
            Err(_) => {}
        }
        Outcome::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Outcome {
        if let Some(path) = self.deleting.take() {
            return self.delete(key, path);
        }
        if key.code == KeyCode::Delete {
            self.ask_to_delete();
        }
        let len = self.found().len();
        let choice = self.chooser.key(key, len, MOST);
        self.follow(choice)
    }

    /// A click selects; another one on the same row loads.
    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let len = self.found().len();
        match self.chooser.mouse(mouse, len, false) {
            Choice::Ignored => Outcome::Stay,
            choice => {
                self.deleting = None;
                self.follow(choice)
            }
        }
    }

    fn paste(&mut self, text: &str) {
        let choice = self.chooser.paste(text, MOST);
        self.follow(choice);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let is_beside = area.width >= BESIDE;
        let wide = if is_beside { WIDE + PREVIEW } else { WIDE };
        let is_empty = self.games.as_ref().is_none_or(Vec::is_empty);
        let high = if is_empty { LOW } else { HIGH.max(area.height.saturating_sub(8).min(32)) };
        let wide = if is_empty { WIDE } else { wide };
        let inner = window(area, wide, high, "Load a game", buf, look);
        let typed = tail(&self.chooser.typed, inner.width.saturating_sub(8)).to_owned();
        put(look.span(Role::Text, format!("Find: {typed}")), inner, buf);
        self.draw_foot(row(inner, inner.height.saturating_sub(1)), buf, look);
        let body = Rect { y: inner.y + 2, height: inner.height.saturating_sub(4), ..inner };
        let (list, preview) = self.places(body, is_beside);
        self.draw_list(list, buf, look);
        if let Some(about) = self.selected().and_then(SavedGame::about) {
            draw_preview(about, preview, buf, look);
        }
        let cursor = (inner.x + 6 + width(&typed), inner.y);
        self.chooser.caret(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}

impl Load {
    /// The areas of the list and of the preview: beside it, below it, or none.
    fn places(&self, body: Rect, is_beside: bool) -> (Rect, Rect) {
        let beside = |wide: u16| {
            let list = Rect { width: body.width.saturating_sub(wide + 2), ..body };
            (list, Rect { x: list.right() + 2, width: body.width - list.width - 2, ..body })
        };
        if is_beside {
            return beside(PREVIEW);
        }
        // Without a selected game, the first one read gives the size.
        let size_of = |game: &SavedGame| {
            game.about().and_then(|about| about.as_ref().ok()).map(|about| size(&about.board, (1, 1)))
        };
        let smallest = self.selected().and_then(size_of).or_else(|| self.games.iter().flatten().find_map(size_of));
        let Some((wide, high)) = smallest else { return (body, Rect::ZERO) };
        let rows = high + 1 + CAPTION;
        if body.width >= LIST + wide + 2 && body.height >= high + CAPTION {
            return beside(wide);
        }
        if body.width < wide || body.height < rows + ROWS {
            return (body, Rect::ZERO);
        }
        let list = Rect { height: body.height - rows, ..body };
        (list, Rect { y: list.bottom() + 1, height: rows - 1, ..body })
    }

    fn draw_foot(&self, foot: Rect, buf: &mut Buffer, look: &Look) {
        let text = match (&self.deleting, &self.error) {
            (Some(path), _) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let text = format!("Delete {}? y: delete, any other key: keep", sanitize::inline(&name));
                Line::from(look.span(Role::Bad, text))
            }
            (None, Some(error)) => Line::from(look.span(Role::Bad, error.clone())),
            (None, None) => keys("Enter: load, Delete: delete, type to search or a path", foot.width, look),
        };
        put(fit(text, foot.width, look), foot, buf);
    }

    fn draw_list(&mut self, place: Rect, buf: &mut Buffer, look: &Look) {
        let mut chooser = std::mem::take(&mut self.chooser);
        let found = self.found_by(&chooser.typed);
        let rows = Rect { y: place.y + 1, height: place.height.saturating_sub(1), ..place };
        if found.is_empty() {
            let text = match &self.games {
                None if self.folder.is_some() => "Looking for saved games",
                Some(games) if !games.is_empty() => "No match. Enter opens it as a path.",
                _ => "No saved games. s on the board saves one.",
            };
            for (index, text) in (0..rows.height).zip(wrap(text, rows.width)) {
                put(look.span(Role::Dim, text), row(rows, index), buf);
            }
        } else {
            put(look.span(Role::Title, head(usize::from(place.width))), row(place, 0), buf);
        }
        let now = SystemTime::now();
        chooser.draw(rows, found.len(), buf, look, |index, line, role, buf| {
            let game = found[index];
            let is_dim = game.about().is_none_or(Result::is_err);
            let role = if is_dim && role == Role::Text { Role::Dim } else { role };
            put(look.span(role, columns(game, now, line.width, look)), line, buf);
        });
        self.chooser = chooser;
    }
}

/// The last position, or the complete error of a file.
pub fn draw_preview(about: &Result<About, Error>, area: Rect, buf: &mut Buffer, look: &Look) {
    if area.is_empty() {
        return;
    }
    match about {
        Err(reason) => {
            for (index, line) in
                wrap(&reason.to_string(), area.width).into_iter().take(usize::from(area.height)).enumerate()
            {
                put(look.span(Role::Bad, line), row(area, index as u16), buf);
            }
        }
        Ok(about) => {
            let caption = match about.games {
                1 => format!("{}, {}", about.variant, about.contradiction.as_ref().unwrap_or(&about.result)),
                games => format!("{}, {games} games, the first:", about.variant),
            };
            put(look.span(Role::Dim, clip(&caption, area.width, look)), row(area, 0), buf);
            let place = Rect { y: area.y + CAPTION, height: area.height.saturating_sub(CAPTION), ..area };
            let (wide, high) = size(&about.board, (place.width, place.height));
            if wide <= place.width && high <= place.height {
                let view =
                    View { last: about.last.clone(), ..View::new(&about.board, Side::South, about.variant.seats()) };
                draw_board(&view, place, buf, look);
            }
        }
    }
}
