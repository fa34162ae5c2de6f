//! The page to start from: presets and saved runs in one list, and what the chosen one is.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Kind, Settings};
use crate::app::effect::Context;
use crate::job::Run;
use crate::job::run_dir::{Entry, EntryState, list};
use crate::theme::Role;
use crate::ui::list::ListState;
use crate::ui::{Look, clip, panel, put, row, width, wrap};

pub(super) struct Home<K: Kind> {
    /// The presets' settings, in their order; read when the tab opens.
    presets: Vec<(&'static str, &'static str, Settings<K>)>,
    runs: Vec<Entry>,
    /// A run to choose once it is in the list.
    wanted: Option<PathBuf>,
    pub list: ListState,
    /// Where the rows were drawn, for the mouse.
    pub places: Vec<(Rect, usize)>,
}

/// The runs of this kind in a folder, and those that cannot be told. Reads files.
pub(super) fn own_runs<K: Kind>(folder: &Path) -> Vec<Entry> {
    let is_own = |entry: &Entry| entry.manifest.as_ref().is_none_or(|manifest| manifest.kind == K::Run::KIND);
    list(folder).into_iter().filter(is_own).collect()
}

/// What is chosen in the list.
pub(super) enum Chosen<'a, K: Kind> {
    Preset(&'a Settings<K>),
    Run(&'a Entry),
}

impl<K: Kind> Home<K> {
    pub fn new() -> Home<K> {
        Home { presets: Vec::new(), runs: Vec::new(), wanted: None, list: ListState::default(), places: Vec::new() }
    }

    pub fn open(&mut self, cx: &Context) {
        let read = |(name, about)| Some((name, about, K::preset(name, cx).ok()?));
        self.presets = K::presets().into_iter().filter_map(read).collect();
    }

    /// Takes the runs that [`own_runs`] has read; the one that was chosen stays so.
    pub fn take(&mut self, runs: Vec<Entry>) {
        let chosen = match self.chosen() {
            Some(Chosen::Run(run)) => Some(run.folder.clone()),
            _ => None,
        };
        self.runs = runs;
        if let Some(folder) = self.wanted.take().or(chosen) {
            self.choose(&folder);
            self.wanted = None;
        }
    }

    /// Chooses a run in the list: when the list is read the next time, if it is not there now.
    pub fn choose(&mut self, folder: &Path) {
        match self.runs.iter().position(|run| run.folder == folder) {
            Some(index) => self.list.selected = self.presets.len() + index,
            None => self.wanted = Some(folder.to_owned()),
        }
    }

    pub fn choose_preset(&mut self, name: &str) {
        if let Some(index) = self.presets.iter().position(|(known, ..)| *known == name) {
            self.list.selected = index;
        }
    }

    /// Whether the list has this run as one that a process writes.
    pub fn is_running(&self, folder: &Path) -> bool {
        self.runs.iter().any(|run| run.folder == folder && matches!(run.state, EntryState::Running(_)))
    }

    pub fn len(&self) -> usize {
        self.presets.len() + self.runs.len()
    }

    pub fn chosen(&self) -> Option<Chosen<'_, K>> {
        let index = self.list.selected;
        match self.presets.get(index) {
            Some((.., settings)) => Some(Chosen::Preset(settings)),
            None => self.runs.get(index - self.presets.len()).map(Chosen::Run),
        }
    }

    pub fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let about = if area.height < 16 { Vec::new() } else { wrap(K::ABOUT, area.width.saturating_sub(4)) };
        for (index, line) in about.iter().enumerate() {
            let place = row(area, index as u16);
            put(look.span(Role::Dim, format!(" {line}")), place, buf);
        }
        let top = about.len() as u16;
        let body = Rect { y: area.y + top, height: area.height.saturating_sub(top), ..area };
        let left = if body.width < 70 { body.width } else { (body.width * 9 / 20).clamp(30, 80) };
        let list = Rect { width: left, ..body };
        self.draw_list(list, buf, look);
        if left < body.width {
            self.draw_details(Rect { x: list.right(), width: body.width - left, ..body }, buf, look);
        }
    }

    fn draw_list(&mut self, area: Rect, buf: &mut Buffer, look: &Look) {
        let inner = panel(area, Line::from(look.span(Role::Title, "Start or resume")), true, buf, look);
        self.places.clear();
        let len = self.len();
        for (line, index) in self.list.window(len, usize::from(inner.height)).enumerate() {
            let place = row(inner, line as u16);
            let selected = index == self.list.selected;
            let role = if selected { Role::Selection } else { Role::Text };
            if selected {
                buf.set_style(place, look.style(role));
            }
            let mark = if selected { look.glyphs.pointer } else { " " };
            let (name, at, [word, mark_of_state]) = self.texts(index, look);
            let long = format!("{at}{word}");
            let fits = width(&long) + width(&name) + 5 <= place.width;
            let state = if fits { long } else { format!("{at}{mark_of_state}") };
            let room = place.width.saturating_sub(width(&state) + 4);
            put(look.span(role, format!("{mark} {}", clip(&name, room, look))), place, buf);
            let x = place.right().saturating_sub(width(&state) + 1);
            let role = if selected { role } else { Role::Dim };
            put(look.span(role, state.clone()), Rect { x, width: place.right() - x, ..place }, buf);
            self.places.push((place, index));
        }
    }

    /// A row's name, how far it is, and how it stands, in a word and in a mark.
    fn texts(&self, index: usize, look: &Look) -> (String, String, [&'static str; 2]) {
        if let Some((name, ..)) = self.presets.get(index) {
            return ((*name).to_owned(), String::new(), ["new", "new"]);
        }
        let Some(run) = self.runs.get(index - self.presets.len()) else { return Default::default() };
        let of = run.manifest.as_ref().map(|manifest| manifest.generations);
        let at = run.generation.zip(of);
        let at = at.map_or(String::new(), |(at, of)| format!("{}/{} ", at + K::FIRST, of + K::FIRST));
        let state = match &run.state {
            EntryState::Running(_) => ["running", look.glyphs.pointer],
            EntryState::Paused => ["paused", look.glyphs.pause],
            EntryState::Finished => ["finished", look.glyphs.check],
            EntryState::Damaged(_) => ["damaged", look.glyphs.cross],
        };
        (run.name.clone(), at, state)
    }

    fn draw_details(&self, area: Rect, buf: &mut Buffer, look: &Look) {
        let (title, rows) = match self.chosen() {
            None => return,
            Some(Chosen::Preset(settings)) => {
                let about = self.presets.get(self.list.selected).map_or("", |(_, about, _)| about);
                let mut rows = vec![(about.to_owned(), String::new()), Default::default()];
                rows.extend(K::describe(settings).into_iter().map(|(what, value)| (what.to_owned(), value)));
                ("Settings".to_owned(), rows)
            }
            Some(Chosen::Run(run)) => (run.name.clone(), run_rows::<K>(run)),
        };
        let inner = panel(area, Line::from(look.span(Role::Title, title)), false, buf, look);
        let labels =
            rows.iter().filter(|(_, value)| !value.is_empty()).map(|(label, _)| width(label)).max().unwrap_or(0);
        let mut y = 0;
        for (label, value) in rows {
            if value.is_empty() {
                for line in wrap(&label, inner.width.saturating_sub(1)) {
                    put(look.span(Role::Text, format!(" {line}")), row(inner, y), buf);
                    y += 1;
                }
                continue;
            }
            let place = row(inner, y);
            put(look.span(Role::Dim, format!(" {label}")), place, buf);
            let indent = labels + 3;
            for line in wrap(&value, inner.width.saturating_sub(indent + 1)) {
                let place = row(inner, y);
                let place = Rect { x: place.x + indent, width: place.width.saturating_sub(indent), ..place };
                put(look.span(Role::Text, line), place, buf);
                y += 1;
            }
        }
    }
}

fn run_rows<K: Kind>(run: &Entry) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let mut add = |label: &str, value: String| rows.push((label.to_owned(), value));
    match &run.state {
        EntryState::Running(writer) => add("state", format!("running: {writer}; Enter watches it")),
        EntryState::Paused => add("state", "paused; Enter goes on with it".into()),
        EntryState::Finished => add("state", "finished; Enter shows it".into()),
        EntryState::Damaged(reason) => add("state", format!("damaged: {reason}")),
    }
    if let Some(manifest) = &run.manifest {
        add("preset", manifest.preset.clone());
        add("seed", manifest.seed.to_string());
        let at = run.generation.map_or("none yet".to_owned(), |generation| (generation + K::FIRST).to_string());
        add(K::UNIT, format!("{at} of {}", manifest.generations + K::FIRST));
    }
    if !run.best.is_empty() {
        add("best", run.best.clone());
    }
    add("folder", run.folder.display().to_string());
    rows
}
