//! The panels of a run: the strength against the panel of players as a table and a chart, and the measures of training as a list and
//! charts; of a network also value and policy in fixed positions and the opponents, of an evaluation the errors by stage.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::measures::{self, Measures};
use super::strength::{self, Strength};
use super::{evaluations, positions};
use crate::app::tab::Context;
use crate::learners::Snapshot;
use crate::tabs::runs::parts::panels::{Part, RunPanels};
use crate::theme::Role;
use crate::train::{View, Who};
use crate::ui::chart::lens::Lens;
use crate::ui::list::RowList;
use crate::ui::table::SortedTable;
use crate::ui::{Canvas, clip, width};

/// The panels that can have the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    /// The table of the newest measurement against the panel.
    Strength,
    /// The curves of all measurements.
    Course,
    /// The list of measures.
    Measures,
    /// The chart of the selected measure, or of all.
    Chart,
    Positions,
    Opponents,
    /// The errors of the newest generation by stage.
    Stages,
}

/// The state of the panels.
#[derive(Default)]
pub struct Panels {
    /// Whether the run learns an evaluation.
    is_evaluation: bool,
    /// That of networks, and that of evaluations.
    states: [State; 2],
    positions: RowList,
}

/// The state of what either kind has.
#[derive(Default)]
struct State {
    strength: Strength,
    measures: RowList,
    /// On small screens, the second of the panels that share a place is shown: opponents, or stages.
    is_second: bool,
    /// The chart that small screens show: that of the focus.
    chart: Option<Pane>,
}

impl Panels {
    /// Returns the chart that small screens show, which is `usual` before one had the focus.
    pub fn chart(&self, usual: Pane) -> Pane {
        self.state().chart.unwrap_or(usual)
    }

    /// Returns the one that is shown of two panels that share a place.
    pub fn shared(&self, places: [Pane; 2]) -> Pane {
        places[usize::from(self.state().is_second)]
    }

    fn state(&self) -> &State {
        &self.states[usize::from(self.is_evaluation)]
    }

    fn state_mut(&mut self) -> &mut State {
        &mut self.states[usize::from(self.is_evaluation)]
    }
}

/// Returns how many games against an opponent can be opened.
fn games(snapshot: &Snapshot) -> u32 {
    match snapshot {
        Snapshot::Network(view) => 2 * view.settings.panel.games,
        Snapshot::Evaluation(_) => 0,
    }
}

impl RunPanels for Panels {
    type ViewModel = Snapshot;
    type Pane = Pane;

    const MIN_SIZE: (u16, u16) = (60, 16);

    fn anew(self) -> Panels {
        let states = self.states.map(|state| State { strength: state.strength.anew(), chart: None, ..state });
        Panels { states, ..Panels::default() }
    }

    fn update(&mut self, snapshot: &Snapshot) {
        self.is_evaluation = matches!(snapshot, Snapshot::Evaluation(_));
        self.state_mut().measures.begin(Measures::count(snapshot), 3);
        if let Snapshot::Network(view) = snapshot {
            self.positions.begin(view.probes.len(), 1);
        }
    }

    fn all(&self, snapshot: &Snapshot) -> Vec<Pane> {
        match snapshot {
            Snapshot::Network(_) => {
                let first = [Pane::Strength, Pane::Course, Pane::Measures, Pane::Chart];
                first.into_iter().chain([Pane::Positions, Pane::Opponents]).collect()
            }
            Snapshot::Evaluation(_) => vec![Pane::Chart, Pane::Measures, Pane::Stages, Pane::Strength, Pane::Course],
        }
    }

    fn first(&self, snapshot: &Snapshot) -> Pane {
        match snapshot {
            Snapshot::Network(_) => Pane::Strength,
            Snapshot::Evaluation(_) => Pane::Measures,
        }
    }

    fn layout(&self, snapshot: &Snapshot, area: Rect) -> Vec<(Pane, Rect)> {
        match snapshot {
            Snapshot::Network(view) => layout(self, view, area),
            Snapshot::Evaluation(view) => evaluations::layout(self, view, area),
        }
    }

    fn has_cursor(pane: Pane) -> bool {
        matches!(pane, Pane::Course | Pane::Chart)
    }

    fn part(&mut self, pane: Pane) -> Option<&mut dyn Part<Snapshot>> {
        match pane {
            Pane::Strength => Some(&mut self.state_mut().strength.table),
            Pane::Measures => Some(&mut self.state_mut().measures),
            Pane::Positions => Some(&mut self.positions),
            Pane::Course | Pane::Chart | Pane::Opponents | Pane::Stages => None,
        }
    }

    fn key(&mut self, pane: Pane, code: KeyCode, snapshot: &Snapshot) -> bool {
        match pane {
            Pane::Measures | Pane::Chart | Pane::Stages => self.state_mut().measures.key(code),
            Pane::Positions => self.positions.key(code),
            Pane::Strength | Pane::Course | Pane::Opponents => self.state_mut().strength.key(code, games(snapshot)),
        }
    }

    fn click(&mut self, pane: Pane, at: (u16, u16), _: &Snapshot) -> bool {
        match pane {
            Pane::Strength => self.state_mut().strength.table.click(at),
            Pane::Positions => self.positions.click(at),
            // A measure is nothing to open.
            _ => {
                self.state_mut().measures.click(at);
                false
            }
        }
    }

    fn focused(&mut self, pane: Pane) {
        match pane {
            Pane::Measures | Pane::Chart => self.state_mut().chart = Some(Pane::Chart),
            Pane::Strength | Pane::Course => self.state_mut().chart = Some(Pane::Course),
            Pane::Positions | Pane::Opponents | Pane::Stages => {}
        }
    }

    fn next_details(&mut self, focus: Pane, snapshot: &Snapshot) -> Pane {
        let state = self.state_mut();
        state.is_second = !state.is_second;
        let places = match snapshot {
            Snapshot::Network(_) => SHARING,
            Snapshot::Evaluation(_) => evaluations::SHARING,
        };
        // A hidden panel takes no keys.
        if places.contains(&focus) { self.shared(places) } else { focus }
    }

    fn table(&mut self) -> Option<&mut SortedTable> {
        Some(&mut self.state_mut().strength.table)
    }

    fn can_open(&self, snapshot: &Snapshot) -> bool {
        matches!(snapshot, Snapshot::Network(view) if view.learned.is_some())
    }

    fn open(&self, focus: Pane, snapshot: &Snapshot, run: &Path, cx: &mut Context) {
        let Snapshot::Network(view) = snapshot else { return };
        match view.probes.get(self.positions.selected()).filter(|_| focus == Pane::Positions) {
            Some(probe) => strength::position(view, probe, run, cx),
            None => strength::game(view, self.state().strength.chosen(view), run, cx),
        }
    }

    /// Whether there is a network or a file of weights to play against.
    fn can_challenge(&self, snapshot: &Snapshot) -> bool {
        match snapshot {
            Snapshot::Network(view) => view.learned.is_some(),
            Snapshot::Evaluation(view) => !view.past.is_empty(),
        }
    }

    fn challenge(&self, snapshot: &Snapshot, run: &Path, cx: &mut Context) {
        match snapshot {
            Snapshot::Network(view) => strength::challenge(view, run, cx),
            Snapshot::Evaluation(view) => strength::challenge_evaluation(view, run, cx),
        }
    }

    fn draw(&mut self, pane: Pane, snapshot: &Snapshot, lens: &mut Lens, canvas: Canvas<'_>) {
        let State { strength, measures, .. } = &mut self.states[usize::from(self.is_evaluation)];
        match (pane, snapshot) {
            (Pane::Strength, Snapshot::Network(view)) => {
                let foot = strength.game_text(view, canvas.area.width.saturating_sub(4));
                strength.draw(view, (Some(view.trains_against_itself()), foot), canvas);
            }
            (Pane::Strength, Snapshot::Evaluation(view)) => {
                let games = 2 * view.settings.panel.games;
                let foot = format!("depth {}, {games} games each", view.settings.panel_depth);
                strength.draw(view, (None, foot), canvas);
            }
            (Pane::Course, _) => strength::chart(&**snapshot, strength.table.selected(), lens, canvas),
            (Pane::Measures, Snapshot::Network(view)) => list(view, snapshot, measures, canvas),
            (Pane::Measures, Snapshot::Evaluation(view)) => evaluations::list(view, snapshot, measures, canvas),
            (Pane::Chart, Snapshot::Network(_)) => {
                Measures::new(snapshot).draw_charts(measures, lens, canvas);
            }
            (Pane::Chart, Snapshot::Evaluation(_)) => {
                Measures::new(snapshot).draw_chart(measures.selected(), lens, canvas);
            }
            (Pane::Positions, Snapshot::Network(view)) => positions::draw(&mut self.positions, view, canvas),
            (Pane::Opponents, Snapshot::Network(view)) => draw(view, canvas),
            (Pane::Stages, Snapshot::Evaluation(view)) => evaluations::stages(view, canvas),
            (Pane::Stages, Snapshot::Network(_)) | (Pane::Positions | Pane::Opponents, Snapshot::Evaluation(_)) => {}
        }
    }
}

/// The panels that share a place on small screens.
pub const SHARING: [Pane; 2] = [Pane::Positions, Pane::Opponents];

/// Draws the list of the measures; its title warns of runs that are not reproducible.
pub fn list(view: &View, snapshot: &Snapshot, list: &mut RowList, mut canvas: Canvas<'_>) {
    let look = canvas.look;
    let titled = |text: &str| Line::from(vec![look.span(Role::Title, "Learning"), look.span(Role::Warning, text)]);
    let [title, short] = match view.settings.is_reproducible() {
        true => [titled(""), titled("")],
        false => ["  schedule=free: not reproducible", ": not reproducible"].map(titled),
    };
    let title = if title.width() as u16 + 4 <= canvas.area.width { title } else { short };
    let mut inner = canvas.framed(title, Line::default());
    match view.past.is_empty() {
        true => inner.explain("Playing the first generation"),
        false => Measures::new(snapshot).draw_list(list, inner),
    }
}

/// Returns the panels and their areas.
pub fn layout(panels: &Panels, view: &View, area: Rect) -> Vec<(Pane, Rect)> {
    let at = |x: u16, y: u16, width: u16, height: u16| Rect { x: area.x + x, y: area.y + y, width, height };
    let wide = area.width;
    let high = area.height;
    // A row per player, the network itself, a head, and a frame.
    let table = (view.settings.panel.players.len() as u16).saturating_add(4);
    let opponents = rows(view);
    if wide >= 160 && high >= 34 {
        let left = wide * 2 / 5;
        let right = wide / 4;
        let middle = wide - left - right;
        let upper = table.min(high / 3);
        let lower = opponents.min(high / 4);
        return vec![
            (Pane::Strength, at(0, 0, left, upper)),
            (Pane::Course, at(0, upper, left, high - upper - lower)),
            (Pane::Opponents, at(0, high - lower, left, lower)),
            (Pane::Chart, at(left, 0, middle, high - measures::ROWS)),
            (Pane::Measures, at(left, high - measures::ROWS, middle, measures::ROWS)),
            (Pane::Positions, at(left + middle, 0, right, high)),
        ];
    }
    if wide >= 100 && high >= 34 {
        let left = wide / 2;
        let upper = table.clamp(8, 13);
        let lower = opponents.min(9);
        let charts = high - measures::ROWS;
        return vec![
            (Pane::Course, at(0, 0, left, charts.div_ceil(2))),
            (Pane::Strength, at(left, 0, wide - left, upper)),
            (Pane::Chart, at(0, charts.div_ceil(2), left, charts / 2)),
            (Pane::Measures, at(0, charts, left, measures::ROWS)),
            (Pane::Positions, at(left, upper, wide - left, high - upper - lower)),
            (Pane::Opponents, at(left, high - lower, wide - left, lower)),
        ];
    }
    let left = (wide * 42 / 100).max(30);
    let upper = (high / 2).max(table.min(high * 3 / 5));
    let chart = panels.chart(Pane::Course);
    vec![
        (chart, at(0, 0, left, upper)),
        (Pane::Strength, at(left, 0, wide - left, upper)),
        (Pane::Measures, at(0, upper, left, high - upper)),
        (panels.shared(SHARING), at(left, upper, wide - left, high - upper)),
    ]
}

/// Returns the preferred rows of the panel, including its frame.
pub fn rows(view: &View) -> u16 {
    view.settings.opponents.len().min(usize::from(u16::MAX) - 3) as u16 + 3
}

/// Draws one bar per opponent; the last row describes the pool of past snapshots.
pub fn draw(view: &View, mut canvas: Canvas<'_>) {
    let settings = &view.settings;
    let look = canvas.look;
    let mut canvas = canvas.panel("Opponents, their shares");
    let inner = canvas.area;
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.share).sum();
    let most = settings.opponents.iter().map(|opponent| opponent.share).fold(0.0, f64::max);
    let names: Vec<String> = settings.opponents.iter().map(|opponent| opponent.who.to_string()).collect();
    let longest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let room = longest.min(inner.width.saturating_sub(9).max(4));
    let bar = inner.width.saturating_sub(room + 10).min(40);
    for (index, (opponent, name)) in settings.opponents.iter().zip(&names).enumerate() {
        let name = clip(name, room, look);
        let gap = " ".repeat(usize::from(room - width(&name)));
        let role = if matches!(opponent.who, Who::Player(_)) { Role::Bar } else { Role::BarAlt };
        let line = Line::from(vec![
            look.span(Role::Text, format!(" {name}{gap}")),
            look.span(Role::Text, format!("{:>5.1} % ", 100.0 * opponent.share / all)),
            look.span(role, look.low_bar(opponent.share / most, bar)),
        ]);
        canvas.put(index as u16, line);
    }
    if settings.opponents.iter().any(|opponent| opponent.who == Who::Past) {
        let kept = format!(" past: one of the last {}", settings.past);
        let ways = [format!("{kept}, saved every {} generations", settings.past_every), kept];
        let text = ways.into_iter().find(|text| width(text) < inner.width).unwrap_or_default();
        canvas.put(names.len() as u16, look.span(Role::Dim, text));
    }
}
