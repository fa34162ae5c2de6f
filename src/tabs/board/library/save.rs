//! The save dialog, and the answers of file dialogs.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crossterm::event::KeyEvent;
use mancalab_base::Error;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::LibraryMessage;
use super::game_file::{ENDING, free_name, is_collection};
use crate::app::overlay::{Outcome, Overlay, TaskResult};
use crate::job::background::Work;
use crate::paths::Paths;
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, keys, put, row, window};

/// The answer of a file dialog.
pub enum FileAnswer {
    /// Save there; an existing file is replaced only if confirmed.
    Save {
        path: PathBuf,
        replace: bool,
    },
    Load(PathBuf),
}

const FILE: &str = "File";

/// The game's own file, where saving loses nothing unless another program has changed it.
#[derive(Clone)]
pub struct OwnFile {
    pub path: PathBuf,
    /// As it was read or written here.
    stamp: Option<Stamp>,
}

/// What changes with a file: the time of its last change, its length and its number.
type Stamp = (SystemTime, u64, u64);

fn stamp(meta: &Metadata) -> Option<Stamp> {
    Some((meta.modified().ok()?, meta.len(), meta.ino()))
}

impl OwnFile {
    /// The file as it is now.
    pub fn now(path: PathBuf) -> OwnFile {
        let stamp = fs::metadata(&path).ok().as_ref().and_then(stamp);
        OwnFile { path, stamp }
    }
}

/// What exists at a destination.
enum Place {
    Free,
    File(Option<Stamp>),
    Folder,
}

/// Maximum length of a path.
pub const MOST: usize = 4096;

/// The save dialog.
pub struct Save {
    /// The game's own file, which is replaced without confirmation.
    own: Option<OwnFile>,
    form: Form,
    /// The folder of names without a folder.
    folder: Option<PathBuf>,
    paths: Paths,
    /// An existing file for which Enter was pressed once.
    replace: Option<PathBuf>,
}

impl Overlay for Save {
    /// Offers a free name for a game without a file.
    fn begin(&mut self) -> Option<Work> {
        let is_new = self.own.is_none() && self.form.error.is_none();
        let folder = self.folder.clone().filter(|_| is_new)?;
        Some(Box::new(move || Box::new(free_name(&folder))))
    }

    fn answer(&mut self, answer: TaskResult) -> Outcome {
        match answer.downcast::<PathBuf>() {
            Ok(offered) => {
                self.form = form(&offered, &self.paths);
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
            keys("Enter: save, Esc: cancel, a bare name goes to the saved games", inner.width, look),
            row(inner, inner.height.saturating_sub(1)),
            buf,
        );
        self.form.draw(Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner }, buf, look)
    }
}

impl Save {
    /// `own` is the game's own file, `folder` the place of bare names.
    pub fn new(own: Option<OwnFile>, folder: Option<PathBuf>, paths: &Paths) -> Save {
        let offered =
            own.as_ref().map(|own| own.path.clone()).unwrap_or_else(|| PathBuf::from(format!("game-1.{ENDING}")));
        Save { form: form(&offered, paths), own, folder, paths: paths.clone(), replace: None }
    }

    /// Creates the dialog with a name for which saving failed.
    pub fn again(path: &Path, reason: &Error, own: Option<OwnFile>, folder: Option<PathBuf>, paths: &Paths) -> Save {
        let mut save = Save::new(own, folder, paths);
        save.form = form(path, paths);
        save.form.error = Some(reason.to_string());
        save
    }

    fn submit(&mut self) -> Outcome {
        let typed = self.form.value(FieldId::default()).trim().to_owned();
        if typed.is_empty() {
            self.form.error = Some("Type a file name".into());
            return Outcome::Stay;
        }
        let path = match destination(&typed, self.folder.as_deref(), &self.paths) {
            Ok(path) => path,
            Err(error) => {
                self.form.error = Some(error.to_string());
                return Outcome::Stay;
            }
        };
        Outcome::Background(Box::new(move || {
            let place = match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => Place::Folder,
                Ok(meta) => Place::File(stamp(&meta)),
                Err(_) => Place::Free,
            };
            Box::new((path, place))
        }))
    }

    fn decide(&mut self, path: PathBuf, place: Place) -> Outcome {
        let own = self.own.as_ref().filter(|own| own.path == path);
        let is_changed = matches!((own, &place), (Some(own), Place::File(stamp)) if *stamp != own.stamp);
        let sure = own.is_some_and(|_| !is_changed) || self.replace.as_ref() == Some(&path);
        self.form.error = match place {
            Place::Folder => Some("That is a folder; add a file name".into()),
            Place::File(_) if !sure => {
                let adds = is_collection(&path);
                self.replace = Some(path);
                let is = if is_changed { "was changed by another program" } else { "exists" };
                let does = if adds { "adds the game to it" } else { "replaces it" };
                Some(format!("That file {is}; Enter again {does}"))
            }
            Place::File(_) | Place::Free => {
                return Outcome::TaskResult(Box::new(LibraryMessage::File(FileAnswer::Save { path, replace: sure })));
            }
        };
        Outcome::Stay
    }
}

/// The path of a typed name; a bare one is a saved game in `folder`.
///
/// # Errors
/// The session may not use the name.
pub fn destination(typed: &str, folder: Option<&Path>, paths: &Paths) -> Result<PathBuf, Error> {
    let path = paths.typed(typed)?;
    Ok(match folder {
        Some(folder) if !typed.contains('/') => {
            let path = folder.join(path);
            if path.extension().is_none() { path.with_extension(ENDING) } else { path }
        }
        _ => path,
    })
}

/// A guest is offered a name, the owner a path.
fn form(offered: &Path, paths: &Paths) -> Form {
    let name = offered.file_name().map(Path::new).filter(|_| paths.rights().is_guest());
    Form::new(vec![Field::text(FILE, vec![], name.unwrap_or(offered).display().to_string())])
}
