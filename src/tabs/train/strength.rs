//! Strength: a table of the newest measurement against the panel, and a chart of all measurements. A network's opponents in
//! training ("seen") are distinguished from others ("unseen"): results against unseen opponents measure generalization.
//!
//! Opens networks and games on the Board: the network is written to a file beside the run, which defines the player; a game of the
//! panel is replayed.

use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use mancalab_base::{Error, bail};
use ratatui::text::{Line, Span};

use crate::app::tab::{Context, Tone};
use crate::arena::Score;
use crate::evaluations;
use crate::files::write_atomic;
use crate::game::Side;
use crate::game::record::Record;
use crate::measuring::{Learner, PanelResult};
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::tabs::board::{OpenedGame, Setup};
use crate::tabs::runs::parts::name;
use crate::tabs::runs::parts::panels::Part;
use crate::tabs::runs::{set_up, show_game};
use crate::theme::Role;
use crate::train::{NetworkSnapshot, Probe, View};
use crate::ui::chart::lens::Lens;
use crate::ui::chart::{Band, Chart, Pattern, Series, scaled_sparkline};
use crate::ui::table::{Cell, Column, Field, SortedTable};
use crate::ui::{Canvas, Look, clip, fit, interval, width};

/// The name of the network in the row for self-play.
const ITSELF: &str = "itself";

/// The table, and the index of the selected game against the selected opponent.
#[derive(Default)]
pub struct Strength {
    pub table: SortedTable,
    number: u64,
}

/// A game of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    /// The opponent's index in the panel; the index after the last one is the network itself.
    pub against: usize,
    /// Counted from 0; the network moves first in games with even numbers.
    pub number: u64,
}

/// Returns the score of all games against an opponent, with either side moving first.
fn both(met: &PanelResult) -> Score {
    met.ended.iter().map(seat).fold(Score::default(), Score::plus)
}

fn seat([losses, draws, wins]: &[u32; 3]) -> Score {
    Score { wins: *wins, draws: *draws, losses: *losses }
}

/// The groups of opponents: all of a run that trains against none, or those in training and the others.
const GROUPS: [(Option<bool>, &str); 3] = [(None, "all"), (Some(true), "seen"), (Some(false), "unseen")];

/// Returns the score of all games against a group of opponents; `None` if there are none.
fn pooled(view: &dyn Learner, met: &[PanelResult], seen: Option<bool>) -> Option<Score> {
    let players = view.panel().iter().zip(met).filter(|(player, _)| view.is_seen(player) == seen);
    players.map(|(_, met)| both(met)).reduce(Score::plus)
}

/// Returns the points against each group of opponents, with their names.
fn by_group(view: &dyn Learner, met: &[PanelResult], text: impl Fn(&Score) -> String) -> String {
    let share = |(seen, name)| Some(format!("{name} {}", text(&pooled(view, met, seen)?)));
    GROUPS.into_iter().filter_map(share).collect::<Vec<_>>().join(", ")
}

/// Returns `seen 71.2 %, unseen 45.0 %`: the points of all games against either group.
pub fn in_short(view: &dyn Learner, met: &[PanelResult]) -> String {
    by_group(view, met, |score| format!("{:.1} %", 100.0 * score.share()))
}

/// Returns `71 (62-79)`: a share and its interval in percent.
fn with_interval(score: &Score) -> String {
    let (low, high) = score.interval();
    format!("{:.0} ({:.0}-{:.0})", 100.0 * score.share(), 100.0 * low, 100.0 * high)
}

const SEEN: u16 = 4;

/// Width in cells of the columns before the drawn ones, without the name, `seen` and the gaps.
const FIGURES: u16 = 4 + 4 + BOTH;
const BOTH: u16 = 12;

/// Width in cells of most names.
const NAME: u16 = 11;

/// Minimum widths in cells of a drawn interval and of a history.
const BAR: u16 = 12;
const COURSE: u16 = 10;

impl Strength {
    /// Returns the state for another run, with the same sort order.
    pub fn anew(self) -> Strength {
        Strength { table: self.table.anew(), number: 0 }
    }

    /// Handles a key; `games` of an opponent can be selected.
    pub fn key(&mut self, code: KeyCode, games: u32) -> bool {
        let last = u64::from(games).saturating_sub(1);
        match code {
            KeyCode::PageUp if games > 0 => self.number = self.number.saturating_sub(1),
            KeyCode::PageDown if games > 0 => self.number = (self.number + 1).min(last),
            code => return Part::<()>::key(&mut self.table, code, &()),
        }
        true
    }

    pub fn chosen(&self, view: &View) -> Game {
        let last = u64::from(2 * view.settings.panel.games).saturating_sub(1);
        Game { against: self.table.selected().min(view.settings.panel.players.len()), number: self.number.min(last) }
    }

    /// Draws the table with a text at its foot. A run that also meets itself has a row for it: `itself` is whether it trains against
    /// itself.
    pub fn draw(&mut self, view: &dyn Learner, (itself, foot): (Option<bool>, String), mut canvas: Canvas<'_>) {
        let look = canvas.look;
        let room = canvas.area.width.saturating_sub(4);
        let measured = view.measured();
        let title = match measured {
            Some((generation, met)) => {
                let short = in_short(view, met);
                let ways = [format!("Panel of generation {generation}: {short}"), format!("Panel: {short}")];
                ways.into_iter().find(|way| width(way) <= room).unwrap_or(short)
            }
            None => "Panel, not measured yet".to_owned(),
        };
        let foot = fit(Line::from(look.span(Role::Dim, foot)), room, look);
        let inner = canvas.framed(look.span(Role::Title, title), foot);
        let met = measured.map_or(&[][..], |(_, met)| met);
        let mut names: Vec<String> = view.panel().iter().map(ToString::to_string).collect();
        names.extend(itself.map(|_| ITSELF.to_owned()));
        self.table.set_len(names.len());
        let (name, bar, course) = widths(&names, itself.is_some(), inner.area.width);
        let is_seen =
            |index: usize| view.panel().get(index).map_or(itself, |player| view.is_seen(player)) == Some(true);
        let share = |index: usize| met.get(index).map_or(-1.0, |met| both(met).share());
        // Self-play games can be opened, but do not count.
        let missing = |index: usize| if index == view.panel().len() { "not counted" } else { "-" };
        let seat = |title, seat: usize| {
            let percent = move |index: usize| Some(met.get(index)?.percent(seat));
            let text = move |index| percent(index).map_or("-".to_owned(), |percent| format!("{percent:.0}"));
            Field::new(Column::number(title, 4), move |index| percent(index).unwrap_or(-1.0), text)
        };
        let curve = |text: String| Cell { text, style: Some(look.style(Role::Curve1)) };
        let interval = |index: usize| met.get(index).map_or(String::new(), |met| drawn(&both(met), bar, look));
        let mut fields = vec![
            Field::new(Column::words("player", name), |index| index as f64, |index| clip(&names[index], name, look)),
            seat("1st", 0),
            seat("2nd", 1),
            Field::new(Column::words("both, 95 %", BOTH).of_numbers(), share, |index| {
                met.get(index).map_or(missing(index).to_owned(), |met| with_interval(&both(met)))
            }),
            Field::new(Column::words("0 to 100 %", bar).of_numbers(), share, |index| curve(interval(index))),
            Field::new(Column::words("course", course).of_numbers(), share, |index| {
                curve(history(view, index, course, look))
            }),
        ];
        if itself.is_some() {
            let cell = |index| if is_seen(index) { "yes" } else { "no" }.to_owned();
            fields.insert(1, Field::new(Column::words("seen", SEEN), |index| u8::from(is_seen(index)).into(), cell));
        }
        let version = measured.map_or(0, |(generation, _)| generation + 1);
        self.table.draw((names.len(), version), &fields, inner);
    }

    /// Returns the description of the game that Enter opens, for this many cells.
    pub fn game_text(&self, view: &View, room: u16) -> String {
        if super::shown_generation(view).is_none() {
            return format!("measured every {} generations", view.settings.panel.every);
        }
        let Game { against, number } = self.chosen(view);
        let who = view.settings.panel.players.get(against).map_or(ITSELF.to_owned(), ToString::to_string);
        let begins = if number % 2 == 0 { "it is first" } else { "it is second" };
        let game = match view.panel_network().filter(|_| !is_measured(view, against)) {
            Some(learned) => format!("Enter plays a game of generation {}", learned.generation),
            None => format!("Enter opens game {} of {}", number + 1, 2 * view.settings.panel.games),
        };
        let ways = [format!("{game} against {who}, {begins}"), format!("{game}, {begins}")];
        ways.into_iter().find(|way| width(way) <= room).unwrap_or(game)
    }
}

/// Returns the widths in cells of the name, of the drawn interval, and of the history; narrow tables omit the last two below their
/// minimum.
fn widths(names: &[String], has_seen: bool, cells: u16) -> (u16, u16, u16) {
    const GAP: u16 = 2;
    let longest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    // The marker of the selected row, and a gap after each column but the last.
    let whole = 1 + FIGURES + 3 * GAP + if has_seen { SEEN + GAP } else { 0 };
    // The last of the figures is omitted if names would have to be cut for it.
    let figures = if cells < whole + longest.min(NAME) { whole - BOTH - GAP } else { whole };
    let name = longest.clamp(7, (cells.saturating_sub(figures)).clamp(7, 30));
    let left = (cells + GAP).saturating_sub(whole + name + GAP);
    let bar = if left < BAR + COURSE + 2 * GAP { left.saturating_sub(GAP) } else { (left - 2 * GAP) / 2 };
    let bar = bar.clamp(BAR, 34);
    (name, bar, left.saturating_sub(bar + 2 * GAP).max(COURSE))
}

/// Returns the interval on a line from 0 to 100 %.
fn drawn(score: &Score, cells: u16, look: &Look) -> String {
    let spans = interval(score.share(), score.interval(), (0.0, 1.0), cells, look).spans;
    spans.iter().map(|span: &Span| span.content.as_ref()).collect()
}

/// Returns the history of measurements against an opponent.
fn history(view: &dyn Learner, index: usize, cells: u16, look: &Look) -> String {
    let measurements = view.measurements();
    let values: Vec<f64> = measurements.iter().filter_map(|(_, met)| Some(both(met.get(index)?).share())).collect();
    scaled_sparkline(&values, |share| format!("{:.0}", 100.0 * share), cells, look)
}

/// Draws the chart of all measurements: the groups of opponents, and the selected one with its interval.
pub fn chart(view: &dyn Learner, chosen: usize, lens: &mut Lens, mut canvas: Canvas<'_>) {
    // Narrow charts shorten the title in favour of the legend.
    let title = if canvas.area.width < 60 { "Won %" } else { "Won against the panel, %" };
    let measurements = view.measurements();
    if measurements.is_empty() {
        let every = view.panel_every();
        let text = match view.first_measured() {
            None => "No panel: there is nothing to measure".to_owned(),
            Some(first) => {
                format!("Measured every {every} generations and after the last one, first after generation {first}")
            }
        };
        return canvas.panel(title).explain(&text);
    }
    let points = |of: &dyn Fn(&[PanelResult]) -> Option<Score>| -> Vec<(f64, f64)> {
        measurements.iter().filter_map(|(at, met)| Some((*at as f64, 100.0 * of(met)?.share()))).collect()
    };
    let group = |seen: Option<bool>| points(&|met| pooled(view, met, seen));
    let mut series = vec![
        Series::new("all", Role::Curve1, Pattern::Solid, group(None)),
        Series::new("seen", Role::Curve1, Pattern::Solid, group(Some(true))),
        Series::new("unseen", Role::Curve2, Pattern::Dashed, group(Some(false))),
    ];
    let mut band = None;
    if let Some(player) = view.panel().get(chosen) {
        let own = |met: &[PanelResult]| met.get(chosen).map(both);
        series.push(Series::new(player.to_string(), Role::Curve3, Pattern::Mixed, points(&own)));
        let bounds = |(at, met): &(u64, &[PanelResult])| {
            let (low, high) = own(met)?.interval();
            Some((*at as f64, 100.0 * low, 100.0 * high))
        };
        band = Some(Band { label: "its 95 %".to_owned(), points: measurements.iter().filter_map(bounds).collect() });
    }
    series.retain(|series| !series.points.is_empty());
    let ends = (view.newest().unwrap_or(0), view.last());
    let chart = Chart { is_percent: true, band, ..lens.chart(ends, series) };
    let read = |at: usize| Some(read(view, at, chosen));
    chart.through(lens, (title, read), canvas);
}

/// Returns the text of the cursor: the newest measurement up to a generation.
fn read(view: &dyn Learner, at: usize, chosen: usize) -> String {
    let measurements = view.measurements();
    let Some((generation, met)) =
        measurements.into_iter().take_while(|(generation, _)| *generation <= at as u64).last()
    else {
        return format!("generation {at}: not measured yet");
    };
    let own = view.panel().get(chosen).zip(met.get(chosen));
    let own = own.map_or(String::new(), |(player, met)| format!(", {player} {}", with_interval(&both(met))));
    format!("generation {generation}: {}{own}", by_group(view, met, with_interval))
}

/// Returns the file of a generation's network, for the Board.
fn network_path(run: &Path, generation: u64) -> PathBuf {
    run.join("networks").join(format!("generation-{generation}.safetensors"))
}

/// Writes the network beside the run; returns its generation and its player. Writes and reads files.
fn player(view: &View, learned: Option<&NetworkSnapshot>, run: &Path) -> Result<(u64, Spec), Error> {
    let learned = learned.ok_or("No network yet")?;
    let generation = learned.generation;
    let bytes = view.network_file(learned).ok_or("No network yet")?;
    let path = network_path(run, generation);
    write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))?;
    Ok((generation, format!("a3c:{}", path.display()).parse()?))
}

/// Opens a game of the panel against the selected opponent, at its start.
pub fn game(view: &View, Game { against, number }: Game, run: &Path, cx: &mut Context) {
    if view.learned.is_none() {
        return cx.notice(Tone::Info, "No generation is complete yet");
    }
    let view = view.clone();
    let run = run.to_owned();
    show_game(cx, move || replayed(&view, &run, against, number));
}

fn replayed(view: &View, run: &Path, against: usize, number: u64) -> Result<OpenedGame, Error> {
    let (generation, network) = player(view, view.panel_network(), run)?;
    let replayed = view.replayed(against, number).ok_or("The game cannot be replayed")?;
    let other = view.settings.panel.players.get(against).cloned().unwrap_or_else(|| network.clone());
    let players = if replayed.seat == Side::South { [network, other] } else { [other, network] };
    let variant = view.settings.variant;
    let opening = view.settings.opening;
    let mut record = Record::new(variant, players.clone().map(|player| player.to_string()), Some(replayed.seed));
    if !replayed.moves.into_iter().all(|mv| record.play(mv)) {
        bail!("The game cannot be replayed");
    }
    record.headers.push(("Opening".to_owned(), format!("{opening} random moves")));
    let origin = if is_measured(view, against) { "of the panel" } else { "(not one of the measured games)" };
    let origin = format!("{}, generation {generation}, game {} {origin}", name(run), number + 1);
    Ok(OpenedGame::of_run(record, players.map(Some), origin))
}

/// Returns whether the games that can be opened against this opponent are those of the measurement.
pub fn is_measured(view: &View, against: usize) -> bool {
    let generation = |learned: &NetworkSnapshot| learned.generation as usize;
    let past = view.panel_network().and_then(|learned| view.past.get(generation(learned)));
    against < view.settings.panel.players.len() && past.is_some_and(|past| !past.panel.is_empty())
}

/// Opens one of the fixed positions, with the network playing both sides.
pub fn position(view: &View, Probe { position, .. }: &Probe, run: &Path, cx: &mut Context) {
    let view = view.clone();
    let position = *position;
    let run = run.to_owned();
    show_game(cx, move || {
        let (generation, network) = player(&view, view.learned.as_ref(), &run)?;
        let players = [network.clone(), network];
        let names = players.clone().map(|player| player.to_string());
        let record = Record::from_position(view.settings.variant, position, names, None);
        let origin = format!("{}, generation {generation}, a position of it", name(&run));
        Ok(OpenedGame::of_run(record, players.map(Some), origin))
    });
}

/// Starts a new game of the network against a human, who moves first.
pub fn challenge(view: &View, run: &Path, cx: &mut Context) {
    let view = view.clone();
    let run = run.to_owned();
    set_up(cx, move || {
        let (_, network) = player(&view, view.learned.as_ref(), &run)?;
        Ok(Setup::new(view.settings.variant, [Spec::Human, network].map(Opponent::Player)))
    });
}

/// Starts a new game of a search with the run's weights, as it meets the panel, against a human, who moves first.
pub fn challenge_evaluation(view: &evaluations::View, run: &Path, cx: &mut Context) {
    let depth = view.settings.panel_depth;
    let subject = view.settings.subject;
    let run = run.to_owned();
    set_up(cx, move || {
        let path = run.join(subject.file);
        if !path.exists() {
            bail!("{} is not saved yet (w saves the run)", path.display());
        }
        let player: Spec = format!("minimax:{depth}@{}", path.display()).parse()?;
        Ok(Setup::new(subject.game.parse()?, [Spec::Human, player].map(Opponent::Player)))
    });
}
