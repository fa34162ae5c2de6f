//! The dialogs that ask for files.

use std::fs;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::files::{Chosen, ENDING, read_limited};
use crate::app::overlay::{Outcome, Overlay};
use crate::game::notation;
use crate::theme::Role;
use crate::ui::form::{Field, Form, FormKey, extend};
use crate::ui::list::ListState;
use crate::ui::{Look, clip, put, row, tail, width, window};

/// `~/` at the start of a typed path means the home folder.
fn typed_path(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}

const FILE: &str = "File";

/// Characters of the longest path.
const MOST: usize = 4096;

/// Asks where to save.
pub struct Save {
    /// The game's own file, which may be replaced without asking.
    own: Option<PathBuf>,
    form: Form,
    /// Where a name without a folder goes.
    folder: Option<PathBuf>,
    /// An existing file that Enter was pressed on once.
    replace: Option<PathBuf>,
}

impl Overlay for Save {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Cancel => Outcome::Close,
            FormKey::Submit => self.submit(),
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, 76, self.form.height() + 3, "Save the game", buf, look);
        put(
            look.span(Role::Dim, "Enter saves, Esc leaves; a bare name goes to the other games"),
            row(inner, inner.height.saturating_sub(1)),
            buf,
        );
        self.form.draw(Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner }, buf, look)
    }
}

impl Save {
    pub fn new(offered: PathBuf, own: Option<PathBuf>, folder: Option<PathBuf>) -> Save {
        let form = Form::new(vec![Field::text(FILE, vec![], offered.display().to_string())]);
        Save { own, form, folder, replace: None }
    }

    /// A bare name means a game among the others.
    fn path(&self, typed: &str) -> PathBuf {
        let path = typed_path(typed);
        match &self.folder {
            Some(folder) if !typed.contains('/') => {
                let path = folder.join(path);
                if path.extension().is_none() { path.with_extension(ENDING) } else { path }
            }
            _ => path,
        }
    }

    fn submit(&mut self) -> Outcome {
        let typed = self.form.value(FILE).trim().to_owned();
        if typed.is_empty() {
            self.form.error = Some("Type the name of a file".into());
            return Outcome::Stay;
        }
        let path = self.path(&typed);
        let sure = self.own.as_ref() == Some(&path) || self.replace.as_ref() == Some(&path);
        if path.is_dir() {
            self.form.error = Some("That is a folder; add the name of a file".into());
            return Outcome::Stay;
        }
        if path.exists() && !sure {
            self.form.error = Some("That file exists; Enter again replaces it".into());
            self.replace = Some(path);
            return Outcome::Stay;
        }
        Outcome::Answer(Box::new(Chosen::Save { path, replace: sure }))
    }
}

/// Lists the games on disk and takes a typed path.
pub struct Load {
    /// Newest first: the path, and the line to show.
    games: Vec<(PathBuf, String)>,
    typed: String,
    /// Not all that was typed fitted.
    full: bool,
    list: ListState,
    rows: Rect,
}

impl Load {
    pub fn new(folder: Option<&Path>) -> Load {
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        let mut found: Vec<_> = entries
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == ENDING))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let games = found.into_iter().map(|(_, path)| (path.clone(), summary(&path))).collect();
        Load { games, typed: String::new(), full: false, list: ListState::default(), rows: Rect::ZERO }
    }

    fn found(&self) -> Vec<&(PathBuf, String)> {
        let typed = self.typed.to_lowercase();
        self.games.iter().filter(|(_, line)| line.to_lowercase().contains(&typed)).collect()
    }

    fn choose(&self) -> Outcome {
        let listed = self.found().get(self.list.selected).map(|(path, _)| path.clone());
        let typed = Some(self.typed.trim()).filter(|typed| !typed.is_empty()).map(typed_path);
        match listed.or(typed) {
            Some(path) => Outcome::Answer(Box::new(Chosen::Load(path))),
            None => Outcome::Stay,
        }
    }
}

/// One line about a game file: its name, what was played, by whom, and how it ended.
fn summary(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match read_limited(path).and_then(|text| notation::read(&text).map_err(|error| error.to_string())) {
        Err(reason) => format!("{name:<14}  cannot be read: {reason}"),
        Ok(record) => {
            let result = record.result().map_or("unfinished".to_owned(), |[south, north]| format!("{south}-{north}"));
            let [south, north] = &record.players;
            format!("{name:<14}  {}  {south} v {north}  {result}", record.variant)
        }
    }
}

impl Overlay for Load {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Esc => return Outcome::Close,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Outcome::Close,
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.typed.clear();
                self.full = false;
            }
            KeyCode::Enter => return self.choose(),
            KeyCode::Backspace => {
                self.typed.pop();
                self.full = false;
            }
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.full = !extend(&mut self.typed, c.encode_utf8(&mut [0; 4]), MOST);
                self.list.selected = 0;
            }
            code => {
                let (len, page) = (self.found().len(), usize::from(self.rows.height));
                self.list.key(code, len, page, false);
            }
        }
        Outcome::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let len = self.found().len();
        match mouse.kind {
            MouseEventKind::ScrollUp => _ = self.list.key(KeyCode::Up, len, 1, false),
            MouseEventKind::ScrollDown => _ = self.list.key(KeyCode::Down, len, 1, false),
            MouseEventKind::Down(MouseButton::Left) => {
                let shown = self.list.window(len, usize::from(self.rows.height));
                let index = shown.start + usize::from(mouse.row.saturating_sub(self.rows.y));
                if self.rows.contains((mouse.column, mouse.row).into()) && index < len {
                    self.list.selected = index;
                    return self.choose();
                }
            }
            _ => {}
        }
        Outcome::Stay
    }

    fn paste(&mut self, text: &str) {
        self.full = !extend(&mut self.typed, text, MOST);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let height = (self.games.len() as u16 + 6).clamp(9, 20);
        let inner = window(area, 76, height, "Load a game", buf, look);
        let typed = tail(&self.typed, inner.width.saturating_sub(7));
        put(look.span(Role::Text, format!("File: {typed}")), inner, buf);
        let foot = row(inner, inner.height.saturating_sub(1));
        match self.full {
            true => put(
                look.span(Role::Bad, format!("a path has at most {MOST} characters; the rest was left out")),
                foot,
                buf,
            ),
            false => put(look.span(Role::Dim, "type to find, or a path; Enter loads, Esc leaves"), foot, buf),
        }
        self.rows = Rect { y: inner.y + 2, height: inner.height.saturating_sub(4), ..inner };
        let mut list = self.list;
        let found = self.found();
        if found.is_empty() {
            let text = if self.games.is_empty() {
                "No game was saved yet: s on the board saves one."
            } else {
                "No saved game fits; Enter tries it as a path."
            };
            put(look.span(Role::Dim, text), self.rows, buf);
        }
        for (place, index) in list.window(found.len(), usize::from(self.rows.height)).enumerate() {
            let line = row(self.rows, place as u16);
            let role = if index == list.selected { Role::Selection } else { Role::Text };
            buf.set_style(line, look.style(role));
            put(look.span(role, clip(&found[index].1, line.width, look)), line, buf);
        }
        let cursor = (inner.x + 6 + width(typed), inner.y);
        self.list = list;
        Some(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}
