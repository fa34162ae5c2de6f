//! The list page: presets and saved runs, the selection, and the marks.
//!
//! `listing` draws presets and runs, `details` draws the selected entry.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::parts::kind::RunTab;
use super::{Answer, Page, Runs};
use crate::app::tab::{Context, PaletteItem, PaletteSource};
use crate::job::RunSettings;
use crate::job::run_dir::{Columns, Entry, EntryState, seeds};
use crate::kept::RunOrPlan;
use crate::rights::Rights;
use crate::ui::list::ListState;
use crate::ui::table::Order;
use crate::{groups, kinds, summary};

/// A preset in the list.
pub(super) struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    /// The settings with the seed of the next run.
    pub settings: Box<dyn RunSettings>,
}

pub(super) struct Home {
    pub tab: &'static RunTab,
    pub presets: Vec<Preset>,
    /// All runs and plans of this kind, the most recently active one first.
    pub runs: Vec<RunOrPlan>,
    /// The runs were read at least once.
    pub is_read: bool,
    /// The indices of the filtered runs, in display order.
    pub shown: Vec<usize>,
    pub filter: String,
    pub order: Order,
    /// The folders of the marked runs.
    pub marked: HashSet<PathBuf>,
    /// The details of the selected run.
    pub closer: Option<Closer>,
    /// Another thread is reading the details of a run.
    looking: bool,
    /// The list was drawn since details were read: those of a list that nobody sees stay as they are.
    pub is_drawn: bool,
    /// A run to select as soon as the list contains it.
    wanted: Option<PathBuf>,
    pub list: ListState,
    /// The list cuts the description of the selected preset.
    pub is_cut: bool,
    /// The area of the selected entry, its first line shown, and the entry that the line belongs to.
    pub details: Rect,
    pub details_top: usize,
    pub details_of: usize,
    /// The areas of presets and runs, and of the column heads of the runs, for the mouse.
    pub places: Vec<(Rect, usize)>,
    pub heads: Vec<(Rect, usize)>,
}

/// The selected list entry.
pub(super) enum Selection<'a> {
    Preset(&'a Preset),
    Saved(&'a RunOrPlan),
}

/// The details of a run that the list does not show.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Closer {
    pub folder: PathBuf,
    /// The generation when the details were read.
    generation: Option<u64>,
    /// The column of its curve, and at most [`POINTS`] values of it, evenly spaced.
    pub column: &'static str,
    pub curve: Vec<f64>,
    /// Its settings as (key, value); empty if they cannot be read.
    pub settings: Vec<(String, String)>,
}

/// Maximum number of values in a small curve.
const POINTS: usize = 400;

impl Closer {
    /// Reads the run's files.
    pub fn read(tab: &RunTab, folder: PathBuf, generation: Option<u64>) -> Closer {
        let settings = kinds::settings(&folder);
        let settings = settings.map(|settings| (tab.form.fields)(&*settings)).unwrap_or_default();
        let columns = Columns::open(&folder).ok();
        let column = columns.and_then(|columns| tab.kind().curve(&columns.names));
        let read = column.and_then(|column| Some((column, groups::curve(&folder, column).ok()?)));
        let (column, values) = read.unwrap_or_default();
        let curve = summary::evenly(values.len(), POINTS).into_iter().map(|at| values[at]).collect();
        Closer { folder, generation, column, curve, settings }
    }
}

/// The columns of runs. The initial order is by last change, the newest first.
pub(super) const HEADS: [&str; 7] = ["name", "preset", "generations", "best", "started", "took", "size"];
/// The places of the generations, which may be rounds, and of the best.
pub(super) const DONE: usize = 2;
const BEST: usize = 3;

impl Home {
    pub fn new(tab: &'static RunTab) -> Home {
        Home {
            tab,
            presets: Vec::new(),
            runs: Vec::new(),
            is_read: false,
            shown: Vec::new(),
            filter: String::new(),
            order: Order { column: HEADS.len(), descending: false },
            marked: HashSet::new(),
            closer: None,
            looking: false,
            is_drawn: true,
            wanted: None,
            list: ListState::default(),
            is_cut: false,
            details: Rect::default(),
            details_top: 0,
            details_of: 0,
            places: Vec::new(),
            heads: Vec::new(),
        }
    }

    pub fn open(&mut self, cx: &Context) {
        let tab = self.tab;
        let read = |(name, about)| Some(Preset { name, about, settings: tab.preset(name, cx).ok()? });
        // Guests watch runs and start none.
        let presets = if cx.paths.rights().is_guest() { Vec::new() } else { tab.presets() };
        self.presets = presets.into_iter().filter_map(read).collect();
    }

    /// Applies the list that was read, and keeps the selection.
    pub fn take(&mut self, runs: Vec<RunOrPlan>) {
        let chosen = self.chosen_folder();
        (self.runs, self.is_read) = (runs, true);
        let runs = &self.runs;
        self.marked.retain(|folder| runs.iter().any(|run| run.folder() == folder));
        for preset in &mut self.presets {
            let manifests = runs.iter().filter_map(|run| run.run()?.manifest.as_ref());
            let seeds = manifests.filter(|manifest| manifest.preset == preset.name).map(|manifest| manifest.seed);
            let seed = seeds::next_seed(seeds);
            // Every kind of run has a seed.
            let _ = preset.settings.set("seed", &seed.to_string());
        }
        self.arrange(chosen);
    }

    /// Filters and sorts the runs, and selects the one in this folder, or the awaited one.
    fn arrange(&mut self, chosen: Option<PathBuf>) {
        let filter = self.filter.to_lowercase();
        let fits = |kept: &RunOrPlan| filter.split_whitespace().all(|word| kept.fits(word));
        self.shown = (0..self.runs.len()).filter(|&index| fits(&self.runs[index])).collect();
        let runs = &self.runs;
        let order = self.order;
        if order.column < HEADS.len() {
            crate::sort::sort_by(&mut self.shown, |&one, &other| {
                order.compared(compare(&runs[one], &runs[other], order.column)).then(one.cmp(&other))
            });
        } else if order.descending {
            self.shown.reverse();
        }
        if let Some(folder) = self.wanted.take().or(chosen) {
            self.choose(&folder);
            self.wanted = None;
        }
        self.list.selected = self.list.selected.min(self.len().saturating_sub(1));
    }

    /// Whether the order by a column begins with the largest: of numbers and times. The best of a tournament is a player.
    fn descends(&self, column: usize) -> bool {
        let is_of_words = column == BEST && !self.runs.iter().any(|run| best_number(run).is_some());
        (2..HEADS.len()).contains(&column) && !is_of_words
    }

    /// Sorts the runs by the next column to the right or left; the order of reading counts as a column.
    pub fn turn(&mut self, by: isize) {
        self.order = self.order.turn(by, HEADS.len() + 1, |column| self.descends(column));
        self.arrange(self.chosen_folder());
    }

    pub fn reverse(&mut self) {
        self.order = self.order.reversed();
        self.arrange(self.chosen_folder());
    }

    /// Sorts by this column; reverses the order if already sorted by it.
    pub fn order_by(&mut self, column: usize) {
        let first = Order { column, descending: self.descends(column) };
        self.order = if self.order == first { first.reversed() } else { first };
        self.arrange(self.chosen_folder());
    }

    /// Shows only the runs with all of these words in their name, preset or state.
    pub fn set_filter(&mut self, filter: String) {
        self.filter = filter;
        self.arrange(self.chosen_folder());
        let is_preset = self.list.selected < self.presets.len();
        if is_preset && !self.filter.is_empty() && !self.shown.is_empty() {
            self.list.selected = self.presets.len();
        }
    }

    /// Selects a run in the list, now or after the next read.
    pub fn choose(&mut self, folder: &Path) {
        match self.shown.iter().position(|&index| self.runs[index].folder() == folder) {
            Some(index) => self.list.selected = self.presets.len() + index,
            None => self.wanted = Some(folder.to_owned()),
        }
    }

    pub fn choose_preset(&mut self, name: &str) {
        if let Some(index) = self.presets.iter().position(|preset| preset.name == name) {
            self.list.selected = index;
        }
    }

    /// Whether a process writes this run, according to the list.
    pub fn is_running(&self, folder: &Path) -> bool {
        let is_it =
            |run: &Entry| run.folder == folder && matches!(run.state, EntryState::Running(_) | EntryState::Paused(_));
        self.runs.iter().filter_map(RunOrPlan::run).any(is_it)
    }

    pub fn len(&self) -> usize {
        self.presets.len() + self.shown.len()
    }

    pub fn chosen(&self) -> Option<Selection<'_>> {
        let index = self.list.selected;
        match self.presets.get(index) {
            Some(preset) => Some(Selection::Preset(preset)),
            None => self.kept(index - self.presets.len()).map(Selection::Saved),
        }
    }

    /// Returns the run or plan in this row of the filtered list.
    pub fn kept(&self, row: usize) -> Option<&RunOrPlan> {
        self.shown.get(row).map(|&index| &self.runs[index])
    }

    pub fn chosen_kept(&self) -> Option<&RunOrPlan> {
        match self.chosen()? {
            Selection::Saved(kept) => Some(kept),
            Selection::Preset(_) => None,
        }
    }

    pub fn chosen_run(&self) -> Option<&Entry> {
        self.chosen_kept()?.run()
    }

    fn chosen_folder(&self) -> Option<PathBuf> {
        self.chosen_kept().map(|kept| kept.folder().to_owned())
    }

    /// Scrolls the details of the selected entry.
    pub fn scroll_details(&mut self, down: bool) {
        self.details_top = if down { self.details_top + 1 } else { self.details_top.saturating_sub(1) };
    }

    /// Toggles the mark of the selected run and moves to the next.
    pub fn mark(&mut self) {
        let Some(folder) = self.chosen_folder() else { return };
        if !self.marked.remove(&folder) {
            self.marked.insert(folder);
        }
        self.list.key(KeyCode::Down, self.len(), 2, false);
    }

    /// Returns the marked entries in display order, or the selected one if there are no marks.
    pub fn targets(&self) -> Vec<&RunOrPlan> {
        let is_marked = |kept: &&RunOrPlan| self.marked.contains(kept.folder());
        let marked: Vec<&RunOrPlan> = self.shown.iter().map(|&index| &self.runs[index]).filter(is_marked).collect();
        if marked.is_empty() { self.chosen_kept().into_iter().collect() } else { marked }
    }

    /// Reads the details of the selected run in the background, unless they are known or being read.
    pub fn look_closer(&mut self, cx: &mut Context) {
        let Some(run) = self.chosen_run() else { return };
        let is_new = |closer: &Closer| closer.generation == run.generation || !self.is_drawn;
        let is_known = |closer: &Closer| closer.folder == run.folder && is_new(closer);
        if self.looking || self.closer.as_ref().is_some_and(is_known) {
            return;
        }
        let tab = self.tab;
        let folder = run.folder.clone();
        let generation = run.generation;
        (self.looking, self.is_drawn) = (true, false);
        cx.background(move || Answer::Closer(Closer::read(tab, folder, generation)));
    }

    pub fn take_closer(&mut self, closer: Closer) {
        self.looking = false;
        self.closer = Some(closer);
    }
}

/// The best value of a run, if it is a number.
fn best_number(run: &RunOrPlan) -> Option<f64> {
    run.best().trim_end_matches(" %").parse().ok()
}

/// Compares two runs by a column; numbers in texts compare as numbers.
fn compare(one: &RunOrPlan, other: &RunOrPlan, column: usize) -> std::cmp::Ordering {
    let best = |kept: &RunOrPlan| (best_number(kept).unwrap_or(f64::NEG_INFINITY), kept.best());
    match column {
        0 => one.name().cmp(other.name()),
        1 => one.preset().cmp(other.preset()),
        2 => one.newest().cmp(&other.newest()),
        BEST => best(one).0.total_cmp(&best(other).0).then_with(|| best(one).1.cmp(&best(other).1)),
        4 => one.started().cmp(&other.started()),
        5 => one.took().cmp(&other.took()),
        6 => one.size().cmp(&other.size()),
        _ => std::cmp::Ordering::Equal,
    }
}

/// A chosen palette entry.
pub(super) enum PaletteEntry {
    Preset(&'static str),
    Run(PathBuf),
    Plan(PathBuf),
}

impl Runs {
    pub(super) fn palette_source(&self, rights: &Rights) -> PaletteSource {
        let tab = self.tab;
        let runs = self.home.runs.clone();
        let is_guest = rights.is_guest();
        Box::new(move || {
            // Guests start no runs.
            let presets = if is_guest { Vec::new() } else { tab.presets() };
            let presets = presets.into_iter().map(|(name, about)| PaletteItem {
                kind: "preset",
                name: name.to_owned(),
                about: format!("{}: {about}", tab.title),
                pick: Box::new(Answer::Named(PaletteEntry::Preset(name))),
            });
            presets.chain(runs.into_iter().map(|kept| palette_item(tab, kept))).collect()
        })
    }

    /// Opens the run or plan, or the settings of the preset.
    pub(super) fn take_named(&mut self, named: PaletteEntry, cx: &mut Context) {
        match named {
            PaletteEntry::Run(folder) => {
                self.home.choose(&folder);
                self.open_in_front(folder, cx);
            }
            PaletteEntry::Plan(folder) => {
                self.home.choose(&folder);
                self.open_plan(folder, cx);
            }
            PaletteEntry::Preset(name) => {
                self.home.choose_preset(name);
                (self.page, self.compared) = (Page::List, None);
                self.edit(cx);
            }
        }
    }
}

fn palette_item(tab: &RunTab, kept: RunOrPlan) -> PaletteItem {
    let (kind, pick) = match &kept {
        RunOrPlan::Run(run) => ("run", PaletteEntry::Run(run.folder.clone())),
        RunOrPlan::Plan(plan) => ("plan", PaletteEntry::Plan(plan.folder.clone())),
    };
    let at = kept.newest().and_then(|_| kept.progress()).map_or(String::new(), |at| format!(" {at}"));
    PaletteItem {
        kind,
        name: kept.name().to_owned(),
        about: format!("{}: {}{at}", tab.title, kept.word()),
        pick: Box::new(Answer::Named(pick)),
    }
}
