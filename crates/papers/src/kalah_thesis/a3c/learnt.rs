//! The measurements of the networks beside the published ones: tables, curves, and which figures are reached.

use mancalab_base::counted;
use serde_json::json;

use crate::arena::Score;
use crate::kalah_thesis::readings::Readings;
use crate::kalah_thesis::table1::{A3C, PLAYERS, PUBLISHED};
use crate::kalah_thesis::{OPENING, opening};
use crate::learning::{self, Measure, by_point};
use crate::plot::{Plot, Series};
use crate::settings::KeyedSettings as _;
use crate::train::Settings;
use crate::{Line, Table};

/// The measure of the games, as in the thesis.
const COUNTED: Measure = Measure::Won;
/// The published percentage against itself, moving first.
const ITSELF: f64 = 79.0;

/// A run with its measurements, and the games played in total.
pub(super) type Trial = learning::Trial<Meeting, u64>;

/// All measurements.
pub(super) struct Measurements {
    pub presets: Vec<&'static str>,
    pub trials: Vec<Trial>,
    /// The numbers of games after which networks are measured.
    pub points: Vec<u64>,
    /// Games of each meeting.
    pub games: u32,
    /// The random moves with which the last networks play too.
    pub other: Option<u32>,
    /// How the opponents are read.
    pub read: Readings,
}

/// Returns the settings of several presets: common values once, others with each preset's name.
fn compared(settings: &[Settings]) -> Vec<(&'static str, String)> {
    let lists: Vec<_> = settings.iter().map(|one| (one.preset.as_str(), one.list())).collect();
    let Some((_, first)) = lists.first() else { return Vec::new() };
    let row = |(nth, (key, _, value)): (usize, &(&'static str, &'static str, String))| {
        let of = |list: &[(&'static str, &'static str, String)]| list.get(nth).map(|(.., value)| value.clone());
        if lists.iter().all(|(_, list)| of(list).as_ref() == Some(value)) {
            return (*key, value.clone());
        }
        let each = lists.iter().map(|(preset, list)| format!("{preset} {}", of(list).unwrap_or_default()));
        (*key, each.collect::<Vec<_>>().join("; "))
    };
    first.iter().enumerate().map(row).collect()
}

impl Trial {
    /// Formats the run in one line.
    pub fn line(&self) -> String {
        let of = |meeting: &Meeting| format!("{}: {}", meeting.to_text(), self.percents(COUNTED, meeting));
        let meetings: Vec<String> = MEETINGS.iter().filter(|meeting| meeting.begins).map(of).collect();
        format!("{}, seed {}, {} games; % won {}", self.preset, self.seed, self.run, meetings.join("; "))
    }
}

impl Measurements {
    /// Returns all meetings, those with the other opening last.
    fn meetings(&self) -> Vec<Meeting> {
        meetings(OPENING).chain(self.other.into_iter().flat_map(meetings)).collect()
    }

    /// Returns the last point at which a preset was measured.
    fn last(&self, preset: &str) -> Option<u64> {
        by_point(&self.trials, preset, &MEETINGS[0]).last().map(|(at, _)| *at)
    }

    /// Returns the table; `settings` are those of each preset.
    pub fn to_table(&self, settings: &[Settings]) -> Table {
        let mut lines = Vec::new();
        let mut chart = Vec::new();
        let mut notes = Vec::new();
        for preset in &self.presets {
            lines.extend(self.lines(preset));
            chart.extend([true, false].into_iter().flat_map(|begins| self.matrix(preset, begins)));
            notes.extend(self.reached(preset));
        }
        notes.extend([Some(OPENING), self.other].into_iter().flatten().map(|opening| self.against_itself(opening)));
        Table { lines, chart, reading: self.reading(settings), notes, ..Table::default() }
    }

    fn reading(&self, settings: &[Settings]) -> Vec<(&'static str, String)> {
        let mut reading = self.read.lines();
        reading.push(self.read.max_line());
        reading
            .push(("a figure", format!("{} games of each run's network, its moves drawn from the policy", self.games)));
        reading.extend(opening::reading(self.other));
        reading.push(("won", "games won; for several runs the mean, with an interval over runs and games".to_owned()));
        reading.push(("after", "the end of the first generation with at least this many games played".to_owned()));
        let lengths = settings.iter().map(|one| format!("{} of {}", one.generations, one.preset));
        reading.push(("generations", format!("after the initial one: {}", lengths.collect::<Vec<_>>().join(", "))));
        reading.extend(compared(settings));
        reading
    }

    /// Returns a line for each point and meeting; the published value is beside the last point.
    fn lines(&self, preset: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        for meeting in &self.meetings() {
            for (after, scores) in by_point(&self.trials, preset, meeting) {
                let printed = published(meeting).filter(|_| self.last(preset) == Some(after));
                let what = format!("{preset}, after {after} games, {}", meeting.to_text());
                let [first, second] = meeting.names();
                let names = vec![
                    ("preset", json!(preset)),
                    ("games_trained", json!(after)),
                    ("first", json!(first)),
                    ("second", json!(second)),
                    ("opening", json!(meeting.opening)),
                    ("runs", json!(scores.len())),
                ];
                lines.push(COUNTED.line(what, printed, &scores, names));
            }
        }
        lines
    }

    /// Formats the means as a table: a row for each point, under the published row.
    fn matrix(&self, preset: &str, begins: bool) -> Vec<String> {
        let runs = self.trials.iter().filter(|trial| trial.preset == preset).count();
        let meetings: Vec<&Meeting> = MEETINGS.iter().filter(|meeting| meeting.begins == begins).collect();
        let cells = |point: u64, opening: u32| -> Vec<Option<f64>> {
            let mean = |meeting: &&Meeting| {
                let points = by_point(&self.trials, preset, &meeting.from(opening));
                points.iter().find(|(at, _)| *at == point).map(|(_, scores)| COUNTED.over_runs(scores).0)
            };
            meetings.iter().map(mean).collect()
        };
        let what =
            if begins { "% won by the network, moving first" } else { "% won by the others, moving first against it" };
        let runs = counted(runs, "run");
        let row = |name: &str, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>13}")).collect();
            format!("{name:<14}{cells}").trim_end().to_owned()
        };
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        let mut lines = vec![
            format!("{preset}, {runs}: {what}"),
            row("after games", meetings.iter().map(|meeting| meeting.opponent().to_owned()).collect()),
            row("published", meetings.iter().map(|meeting| number(published(meeting))).collect()),
        ];
        let last = self.last(preset).zip(self.other);
        let points = self.points.iter().map(|point| (point.to_string(), *point, OPENING));
        let others = last.map(|(point, opening)| (format!("  opening {opening}"), point, opening));
        for (name, point, opening) in points.chain(others) {
            let means = cells(point, opening);
            if means.iter().any(Option::is_some) {
                lines.push(row(&name, means.into_iter().map(number).collect()));
            }
        }
        lines.push(String::new());
        lines
    }

    /// Lists the published figures that a preset reaches in the end and those that it does not, and the points not measured.
    fn reached(&self, preset: &str) -> Vec<String> {
        let mut notes = Vec::new();
        let least = self.trials.iter().filter(|trial| trial.preset == preset).map(|trial| trial.run).min().unwrap_or(0);
        let beyond: Vec<String> = self.points.iter().filter(|point| **point > least).map(u64::to_string).collect();
        if !beyond.is_empty() {
            notes.push(format!("{preset}: some run ended before {} games", beyond.join(", ")));
        }
        let Some(last) = self.last(preset) else { return notes };
        for opening in [Some(OPENING), self.other].into_iter().flatten() {
            notes.extend(self.reached_from(preset, last, opening));
        }
        notes
    }

    /// Lists the published figures that a preset's last networks reach with this number of random moves, and the others.
    fn reached_from(&self, preset: &str, last: u64, opening: u32) -> [String; 2] {
        let mut reached = Vec::new();
        let mut not = Vec::new();
        for meeting in MEETINGS {
            let (Some(printed), Some((_, scores))) =
                (published(meeting), by_point(&self.trials, preset, &meeting.from(opening)).pop())
            else {
                continue;
            };
            let mean = COUNTED.over_runs(&scores).0;
            let text = format!("{} {mean:.1} % ({printed:.1})", meeting.to_text());
            if meeting.is_reached(mean, printed) { reached.push(text) } else { not.push(text) }
        }
        [("reached", reached), ("not reached", not)].map(|(what, list)| {
            let list = if list.is_empty() { "none".to_owned() } else { list.join("; ") };
            format!("{preset}, after {last} games, from {opening} random moves, published figures {what}: {list}")
        })
    }

    /// Reports whether a network reached the published percentage against itself, with this number of random moves.
    fn against_itself(&self, opening: u32) -> String {
        let own = |trial: &Trial| -> Vec<(String, Score)> {
            let rows = trial.rows.iter().filter(|row| row.opponent.is_itself() && row.opponent.opening == opening);
            rows.map(|row| (format!("{}, seed {}, after {} games", trial.preset, trial.seed, row.point), row.score))
                .collect()
        };
        let all: Vec<(String, Score)> = self.trials.iter().flat_map(own).collect();
        let highest = all.iter().max_by(|one, other| one.1.won().total_cmp(&other.1.won()));
        let Some((which, score)) = highest else { return "No network was measured".to_owned() };
        let (won, (low, high)) = (COUNTED.percent(*score), COUNTED.interval(*score));
        let verdict = if won >= ITSELF { "reached" } else { "not reached by any network" };
        format!(
            "{ITSELF} % against itself, moving first after {opening} random moves: {verdict}; the highest of {} is {won:.1} % \
             (95 %: {low:.1} to {high:.1}) of {which}",
            all.len()
        )
    }

    pub fn csv(&self) -> String {
        let names = |meeting: &Meeting| {
            meeting.names().map(str::to_owned).into_iter().chain([meeting.opening.to_string()]).collect()
        };
        learning::rows(&["games_trained", "first", "second", "opening"], COUNTED, &self.trials, names)
    }

    /// Plots the curves of a preset over the games of its training.
    pub fn plot(&self, preset: &str, begins: bool) -> Plot {
        let mut ticks: Vec<String> = Vec::new();
        let mut series: Vec<Series> = Vec::new();
        for meeting in MEETINGS.iter().filter(|meeting| meeting.begins == begins) {
            let points = by_point(&self.trials, preset, meeting);
            ticks = points.iter().map(|(after, _)| after.to_string()).collect();
            series.push(COUNTED.series(format!("v {}", meeting.opponent()), &points));
        }
        let (title, who) = match begins {
            true => (format!("{preset}, moving first"), "the network"),
            false => (format!("{preset}, moving second"), "the others, moving first"),
        };
        let series = match begins {
            true => series,
            false => series.into_iter().map(|one| Series { name: one.name.replace("v ", ""), ..one }).collect(),
        };
        let plot = Plot::new(&title, "games of training", &format!("% of games won by {who}"), series);
        Plot { ticks, top: Some(100.0), ..plot }
    }
}

/// The opponents, in the table's order.
pub(super) const OPPONENTS: [&str; 4] = ["random", "max", "minimax:4", "heuristic:4"];
/// The index of the network, after the opponents.
const NETWORK: usize = OPPONENTS.len();

/// The games of the network against an opponent, or against itself. All begin with random moves, though the network chooses by chance
/// anyway; the last networks also play without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// Random moves at the start of a game.
    pub opening: u32,
    /// The index of the opponent, or that of the network.
    against: usize,
    /// Whether the network moves first.
    pub begins: bool,
}

/// All meetings, those with the network moving first before the others.
const MEETINGS: &[Meeting] = &[
    Meeting { opening: OPENING, against: 0, begins: true },
    Meeting { opening: OPENING, against: 1, begins: true },
    Meeting { opening: OPENING, against: 2, begins: true },
    Meeting { opening: OPENING, against: 3, begins: true },
    Meeting { opening: OPENING, against: NETWORK, begins: true },
    Meeting { opening: OPENING, against: 0, begins: false },
    Meeting { opening: OPENING, against: 1, begins: false },
    Meeting { opening: OPENING, against: 2, begins: false },
    Meeting { opening: OPENING, against: 3, begins: false },
];

/// Returns the published percentage of games won by the side that moves first.
pub(super) fn published(meeting: &Meeting) -> Option<f64> {
    let place = |name: &str| PLAYERS.iter().position(|player| *player == name);
    let [first, second] = meeting.names().map(place);
    PUBLISHED[first?][second?]
}

/// Returns all meetings with this number of random moves.
pub(super) fn meetings(opening: u32) -> impl Iterator<Item = Meeting> {
    MEETINGS.iter().map(move |meeting| meeting.from(opening))
}

impl Meeting {
    /// Returns the same meeting from this number of random moves.
    pub fn from(self, opening: u32) -> Meeting {
        Meeting { opening, ..self }
    }

    pub fn is_itself(&self) -> bool {
        self.against == NETWORK
    }

    pub fn opponent(&self) -> &'static str {
        OPPONENTS.get(self.against).copied().unwrap_or("itself")
    }

    /// Returns the indices of the first and the second player, the network after the opponents.
    pub fn seats(&self) -> [usize; 2] {
        if self.begins { [NETWORK, self.against] } else { [self.against, NETWORK] }
    }

    /// Returns their names in Table 1.
    pub fn names(&self) -> [&'static str; 2] {
        self.seats().map(|seat| OPPONENTS.get(seat).copied().unwrap_or(A3C))
    }

    /// Returns the label of the meeting; the side that moves first is named first.
    pub fn to_text(self) -> String {
        let opening = if self.opening == OPENING { String::new() } else { format!(", opening {}", self.opening) };
        let names = if self.begins { format!("v {}", self.opponent()) } else { format!("{} v it", self.opponent()) };
        names + &opening
    }

    /// Returns whether the network is as good as printed: it wins at least as often, or loses at most as often.
    pub fn is_reached(&self, won: f64, printed: f64) -> bool {
        if self.begins { won >= printed } else { won <= printed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_row_and_the_column() {
        let printed: Vec<f64> = MEETINGS.iter().map(|meeting| published(meeting).unwrap()).collect();
        assert_eq!(printed, [97.6, 89.3, 71.4, 67.1, 79.0, 4.0, 26.4, 48.0, 53.5]);
        assert_eq!((MEETINGS[2].to_text(), MEETINGS[7].to_text()), ("v minimax:4".into(), "minimax:4 v it".into()));
        assert!(MEETINGS[0].is_reached(98.0, 97.6) && !MEETINGS[5].is_reached(5.0, 4.0) && MEETINGS[4].is_itself());
    }
}
