//! The dialogs that ask for files.

use std::fs;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::game_file::{ENDING, free_name, read_limited};
use crate::app::overlay::{Answer, Outcome, Overlay};
use crate::game::notation;
use crate::job::errand::Work;
use crate::paths::Paths;
use crate::theme::Role;
use crate::ui::form::{Field, Form, FormKey};
use crate::ui::list::{Choice, Chooser};
use crate::ui::{Look, clip, put, row, tail, width, window};

/// What a file dialog answers.
pub enum Chosen {
    /// Save there; an existing file is replaced only if that was asked for.
    Save {
        path: PathBuf,
        replace: bool,
    },
    Load(PathBuf),
}

const FILE: &str = "File";

/// What there is at a place to save to.
enum Place {
    Free,
    File,
    Folder,
}

/// Characters of the longest path.
const MOST: usize = 4096;

/// Asks where to save.
pub struct Save {
    /// The game's own file, which may be replaced without asking.
    own: Option<PathBuf>,
    form: Form,
    /// Where a name without a folder goes.
    folder: Option<PathBuf>,
    paths: Paths,
    /// An existing file that Enter was pressed on once.
    replace: Option<PathBuf>,
}

impl Overlay for Save {
    /// A game that has no file yet is offered a free name.
    fn begin(&mut self) -> Option<Work> {
        let folder = self.folder.clone().filter(|_| self.own.is_none())?;
        Some(Box::new(move || Box::new(free_name(&folder))))
    }

    fn answer(&mut self, answer: Answer) -> Outcome {
        match answer.downcast::<PathBuf>() {
            Ok(offered) => {
                self.form = form(&offered);
                Outcome::Stay
            }
            Err(answer) => answer.downcast().map_or(Outcome::Stay, |looked| {
                let (path, place) = *looked;
                self.decide(path, place)
            }),
        }
    }

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
    /// `own` is the game's own file, `folder` where a bare name goes.
    pub fn new(own: Option<PathBuf>, folder: Option<PathBuf>, paths: &Paths) -> Save {
        let offered = own.clone().unwrap_or_else(|| PathBuf::from(format!("game-1.{ENDING}")));
        Save { form: form(&offered), own, folder, paths: paths.clone(), replace: None }
    }

    /// A bare name means a game among the others.
    fn path(&self, typed: &str) -> PathBuf {
        let path = self.paths.typed(typed);
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
        Outcome::Errand(Box::new(move || {
            let place = match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => Place::Folder,
                Ok(_) => Place::File,
                Err(_) => Place::Free,
            };
            Box::new((path, place))
        }))
    }

    fn decide(&mut self, path: PathBuf, place: Place) -> Outcome {
        let sure = self.own.as_ref() == Some(&path) || self.replace.as_ref() == Some(&path);
        self.form.error = match place {
            Place::Folder => Some("That is a folder; add the name of a file".into()),
            Place::File if !sure => {
                self.replace = Some(path);
                Some("That file exists; Enter again replaces it".into())
            }
            Place::File | Place::Free => return Outcome::Answer(Box::new(Chosen::Save { path, replace: sure })),
        };
        Outcome::Stay
    }
}

fn form(offered: &Path) -> Form {
    Form::new(vec![Field::text(FILE, vec![], offered.display().to_string())])
}

/// Lists the games on disk and takes a typed path.
pub struct Load {
    folder: Option<PathBuf>,
    paths: Paths,
    /// Newest first: the path, and the line to show; `None` until the folder has been read.
    games: Option<Vec<(PathBuf, String)>>,
    chooser: Chooser,
}

impl Load {
    pub fn new(folder: Option<PathBuf>, paths: &Paths) -> Load {
        Load { folder, paths: paths.clone(), games: None, chooser: Chooser::default() }
    }

    fn found(&self) -> Vec<&(PathBuf, String)> {
        let typed = self.chooser.typed.to_lowercase();
        self.games.iter().flatten().filter(|(_, line)| line.to_lowercase().contains(&typed)).collect()
    }

    fn choose(&self, choice: Choice) -> Outcome {
        match choice {
            Choice::Leave => return Outcome::Close,
            Choice::Take => {}
            Choice::None | Choice::Moved | Choice::Ignored => return Outcome::Stay,
        }
        let listed = self.found().get(self.chooser.selected()).map(|(path, _)| path.clone());
        let typed =
            Some(self.chooser.typed.trim()).filter(|typed| !typed.is_empty()).map(|typed| self.paths.typed(typed));
        match listed.or(typed) {
            Some(path) => Outcome::Answer(Box::new(Chosen::Load(path))),
            None => Outcome::Stay,
        }
    }
}

/// Games that are read for a line about them, the newest; of older ones the names alone are listed.
const SUMMED_UP: usize = 500;

/// The games of a folder, the newest first, each with the line to show.
pub(super) fn list(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == ENDING))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let line = |(index, (_, path)): (usize, (_, PathBuf))| {
        let line = if index < SUMMED_UP { summary(&path) } else { name_of(&path) };
        (path, line)
    };
    found.into_iter().enumerate().map(line).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// One line about a game file: its name, what was played, by whom, and how it ended.
fn summary(path: &Path) -> String {
    let name = name_of(path);
    match read_limited(path).and_then(|text| notation::read(&text).map_err(|error| error.to_string())) {
        Err(reason) => format!("{name:<14}  cannot be read: {reason}"),
        Ok(record) => {
            let result = match record.result() {
                None => "unfinished".to_owned(),
                Some(_) => notation::result_text(&record),
            };
            let [south, north] = &record.players;
            format!("{name:<14}  {}  {south} v {north}  {result}", record.variant)
        }
    }
}

impl Overlay for Load {
    fn begin(&mut self) -> Option<Work> {
        let folder = self.folder.clone()?;
        Some(Box::new(move || Box::new(list(&folder))))
    }

    fn answer(&mut self, answer: Answer) -> Outcome {
        self.games = answer.downcast().ok().map(|games| *games);
        Outcome::Stay
    }

    fn key(&mut self, key: KeyEvent) -> Outcome {
        let len = self.found().len();
        let choice = self.chooser.key(key, len, MOST);
        self.choose(choice)
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Outcome {
        let len = self.found().len();
        let choice = self.chooser.mouse(mouse, len, true);
        self.choose(choice)
    }

    fn paste(&mut self, text: &str) {
        self.chooser.paste(text, MOST);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let height = (self.games.as_ref().map_or(0, Vec::len).min(20) as u16 + 6).clamp(9, 20);
        let inner = window(area, 76, height, "Load a game", buf, look);
        let typed = tail(&self.chooser.typed, inner.width.saturating_sub(7)).to_owned();
        put(look.span(Role::Text, format!("File: {typed}")), inner, buf);
        let foot = row(inner, inner.height.saturating_sub(1));
        match self.chooser.full {
            true => put(
                look.span(Role::Bad, format!("a path has at most {MOST} characters; the rest was left out")),
                foot,
                buf,
            ),
            false => put(look.span(Role::Dim, "type to find, or a path; Enter loads, Esc leaves"), foot, buf),
        }
        let rows = Rect { y: inner.y + 2, height: inner.height.saturating_sub(4), ..inner };
        let found: Vec<String> = self.found().into_iter().map(|(_, line)| line.clone()).collect();
        if found.is_empty() {
            let text = match &self.games {
                None if self.folder.is_some() => "Looking for saved games",
                Some(games) if !games.is_empty() => "No saved game fits; Enter tries it as a path.",
                _ => "No game was saved yet: s on the board saves one.",
            };
            put(look.span(Role::Dim, text), rows, buf);
        }
        self.chooser.draw(rows, found.len(), buf, look, |index, at, role, buf| {
            put(look.span(role, clip(&found[index], at.width, look)), at, buf);
        });
        let cursor = (inner.x + 6 + width(&typed), inner.y);
        Some(cursor).filter(|&(x, y)| area.contains((x, y).into()))
    }
}
