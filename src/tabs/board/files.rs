//! Games on disk: saving, loading, pasting, and the game that was being played when the program ended.

use std::fs;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Board, new_record};
use crate::app::effect::{Context, Tone};
use crate::app::overlay::{Outcome, Overlay};
use crate::files::write_atomic;
use crate::game::notation;
use crate::theme::Role;
use crate::ui::form::{Field, Form, FormKey};
use crate::ui::list::ListState;
use crate::ui::{Look, clip, put, row, window};

/// The ending of game files.
const ENDING: &str = "game";

/// Where the game that was being played is kept when the program ends.
const LAST: &str = "last.game";

/// The longest game file that is read; a longer one is not a game.
const LONGEST: u64 = 1 << 20;

/// What a file dialog answers.
pub enum Chosen {
    /// Save there; an existing file is replaced only if that was asked for.
    Save {
        path: PathBuf,
        replace: bool,
    },
    Load(PathBuf),
}

impl Board {
    pub(super) fn open_save(&mut self, cx: &mut Context) {
        if self.record.is_empty() {
            return cx.notice(Tone::Info, "There is no move to save yet");
        }
        let path = self.file.clone().or_else(|| self.games.as_deref().map(free_name));
        let path = path.unwrap_or_else(|| PathBuf::from(format!("game-1.{ENDING}")));
        cx.open(Save {
            own: self.file.clone(),
            form: Form::new(vec![Field::text(FILE, vec![], path.display().to_string())]),
            replace: None,
        });
    }

    pub(super) fn open_load(&mut self, cx: &mut Context) {
        cx.open(Load::new(self.games.as_deref()));
    }

    pub(super) fn take_file(&mut self, chosen: Chosen, cx: &mut Context) {
        match chosen {
            Chosen::Save { path, replace } => self.save_to(path, replace, cx),
            Chosen::Load(path) => match read_limited(&path) {
                Err(reason) => cx.notice(Tone::Bad, reason),
                Ok(text) => {
                    if self.take_text(&text, &path.display().to_string(), cx) {
                        self.file = Some(path).filter(|path| path.file_name().is_none_or(|name| name != LAST));
                    }
                }
            },
        }
    }

    fn save_to(&mut self, path: PathBuf, replace: bool, cx: &mut Context) {
        if path.exists() && !replace {
            return cx.notice(Tone::Bad, format!("{} exists; nothing was written", path.display()));
        }
        match write_atomic(&path, notation::write(&self.record).as_bytes()) {
            Ok(()) => {
                cx.notice(Tone::Good, format!("Saved {}", path.display()));
                self.saved = self.record.clone();
                self.file = Some(path);
            }
            Err(error) => cx.notice(Tone::Bad, format!("{} could not be written: {error}", path.display())),
        }
    }

    /// Takes a game, or a position, that was read or pasted; `origin` names it in messages. True if it was taken.
    pub(super) fn take_text(&mut self, text: &str, origin: &str, cx: &mut Context) -> bool {
        let text = text.trim_start();
        let taken = if text.starts_with('<') {
            let variant = self.record.variant;
            variant.position_from_text(text.trim_end()).map(|start| {
                let setup = super::Setup { variant, ..self.setup.clone() };
                self.record = new_record(&setup, start, self.seed);
                self.saved = self.record.clone();
                self.file = None;
            })
        } else {
            notation::read(text).map(|record| self.take_record(record))
        };
        match taken {
            Err(error) => cx.notice(Tone::Bad, format!("{origin}: {error}")),
            Ok(()) => {
                self.edit = None;
                self.autoplay = false;
                cx.notice(Tone::Good, format!("Loaded {origin}"));
                self.show_now(cx);
                return true;
            }
        }
        false
    }

    /// Keeps the game for the next start, unless it is on disk already.
    pub(super) fn keep_last(&self) {
        let Some(games) = self.games.as_ref().filter(|_| self.is_modified()) else { return };
        if let Err(error) = write_atomic(&games.join(LAST), notation::write(&self.record).as_bytes()) {
            tracing::warn!(%error, "the game could not be kept");
        }
    }
}

/// Reads a game file as text.
pub fn read_limited(path: &Path) -> Result<String, String> {
    let reason = |error: std::io::Error| format!("{} could not be read: {error}", path.display());
    let size = fs::metadata(path).map_err(reason)?;
    if !size.is_file() {
        return Err(format!("{} is not a file", path.display()));
    }
    if size.len() > LONGEST {
        return Err(format!("{} has {} bytes; a game has at most {LONGEST}", path.display(), size.len()));
    }
    let bytes = fs::read(path).map_err(reason)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{} is not a text in UTF-8: byte {at} cannot be read", path.display())
    })
}

/// The first name of the form `game-N.game` that is free.
fn free_name(folder: &Path) -> PathBuf {
    let names = (1..).map(|number| folder.join(format!("game-{number}.{ENDING}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

/// `~/` at the start of a typed path means the home folder.
fn typed_path(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}

const FILE: &str = "File";

/// Asks where to save.
struct Save {
    /// The game's own file, which may be replaced without asking.
    own: Option<PathBuf>,
    form: Form,
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
        let inner = window(area, 76, self.form.height() + 4, "Save the game", buf, look);
        put(
            look.span(Role::Dim, "Enter saves, Esc leaves, Ctrl-U clears"),
            row(inner, inner.height.saturating_sub(1)),
            buf,
        );
        self.form.draw(Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner }, buf, look)
    }
}

impl Save {
    fn submit(&mut self) -> Outcome {
        let typed = self.form.value(FILE).trim().to_owned();
        if typed.is_empty() {
            self.form.error = Some("Type the name of a file".into());
            return Outcome::Stay;
        }
        let path = typed_path(&typed);
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
struct Load {
    /// Newest first: the path, and the line to show.
    games: Vec<(PathBuf, String)>,
    typed: String,
    list: ListState,
    rows: Rect,
}

impl Load {
    fn new(folder: Option<&Path>) -> Load {
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
        Load { games, typed: String::new(), list: ListState::default(), rows: Rect::ZERO }
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
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.typed.clear(),
            KeyCode::Enter => return self.choose(),
            KeyCode::Backspace => _ = self.typed.pop(),
            KeyCode::Char(c) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.typed.push(c);
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
        self.typed.extend(text.chars().filter(|c| !c.is_control()));
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let height = (self.games.len() as u16 + 6).clamp(9, 20);
        let inner = window(area, 76, height, "Load a game", buf, look);
        put(look.span(Role::Text, format!("File: {}", self.typed)), inner, buf);
        let foot = row(inner, inner.height.saturating_sub(1));
        put(look.span(Role::Dim, "type to find, or a path; Enter loads, Esc leaves"), foot, buf);
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
        let cursor = (inner.x + 6 + crate::ui::width(&self.typed), inner.y);
        self.list = list;
        Some(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}
