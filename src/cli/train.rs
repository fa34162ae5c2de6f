//! `mancalab train`: training of networks without a screen.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{Pace, Reporter, clock, event};
use super::start::Start;
use crate::job::run_dir::{NETWORK, NOT_REPRODUCIBLE};
use crate::sanitize;
use crate::train::{Met, TrainingRow, View};
use crate::ui::short_count;

/// Reporter of training runs.
#[derive(Default, Debug)]
pub struct Learning {
    /// The generation of the last reported measurement.
    measured: Option<u64>,
}

/// The newest measurement in a line: percent of games won moving first and second, against opponents in training, then
/// against the others.
fn met(view: &View) -> Option<String> {
    let (_, met) = view.measured()?;
    let text = |(met, player): (&Met, _)| format!("{player} {:.0}/{:.0}", met.percent(0), met.percent(1));
    let of = |is_seen: bool| {
        let those = met.iter().zip(&view.settings.panel).filter(|(_, player)| view.is_seen(player) == is_seen);
        let those: Vec<String> = those.map(text).collect();
        let what = if is_seen { "seen" } else { "unseen" };
        (!those.is_empty()).then(|| format!("{what}: {}", those.join("  ")))
    };
    Some([true, false].into_iter().filter_map(of).collect::<Vec<_>>().join("; "))
}

/// A note for lines about a run that is not reproducible.
fn mark(view: &View) -> String {
    if view.is_reproducible() { String::new() } else { format!(" ({NOT_REPRODUCIBLE})") }
}

impl Start for Learning {
    const FLAGS: &'static [(&'static str, &'static str)] = &[("generations", "Generations after the initial one")];
    const EXAMPLE: &'static str = "hidden=128-128";
}

impl Reporter for Learning {
    const COMMAND: &'static str = "train";
    type View = View;

    fn rows(&self, view: &View, from: usize) -> Vec<Value> {
        view.past.iter().skip(from).map(|row| event("generation", &Json::of(row, view))).collect()
    }

    fn progress(&self, view: &View, _pace: &Pace) -> Option<String> {
        let TrainingRow { generation, games, entropy, value_loss, won, .. } = view.past.last()?;
        Some(format!(
            "generation {generation} of {}{}  {} games  won {won:.0} %  value loss {value_loss:.3}  entropy {entropy:.2}  {} games/s  {} left",
            view.settings.generations,
            mark(view),
            short_count(*games),
            short_count(view.games_per_second as u64),
            clock(view.seconds_left().unwrap_or(0.0).ceil()),
        ))
    }

    fn live(&self, view: &View, _pace: &Pace) -> Option<Progress> {
        let more = view.past.last().map(|past| format!("won {:.0} %, entropy {:.2}", past.won, past.entropy));
        Some(Progress {
            share: view.share(),
            at: format!("generation {}/{}{}", view.generation, view.settings.generations, mark(view)),
            left: view.seconds_left(),
            speed: format!("{} games/s", short_count(view.games_per_second as u64)),
            more: more.into_iter().collect(),
        })
    }

    /// Whether there is a new measurement.
    fn is_news(&mut self, view: &View) -> bool {
        let newest = view.measured().map(|(generation, _)| generation);
        std::mem::replace(&mut self.measured, newest) != newest
    }

    fn news(&mut self, view: &View) -> Option<String> {
        self.is_news(view).then(|| met(view)).flatten().map(|met| {
            let generation = view.measured().map_or(0, |(generation, _)| generation);
            format!("generation {generation}{}: % won moving first/second  {met}", mark(view))
        })
    }

    fn ended(&self, view: &View, _: Option<&Path>) -> Value {
        let newest = view.past.last().map(|past| Json::of(past, view));
        out::value(&Ended { reproducible: view.settings.is_reproducible(), newest })
    }

    fn end(&self, view: &View, folder: Option<&Path>) {
        if let Some(TrainingRow { generation, games, .. }) = view.past.last() {
            out::line(&format!("generation {generation}: {games} games{}", mark(view)));
        }
        if let Some(met) = met(view) {
            out::line(&format!("% won moving first/second: {met}"));
        }
        if let Some(folder) = folder.filter(|_| !view.past.is_empty()) {
            out::line(&format!("network: {}", sanitize::shell_path(&folder.join(NETWORK))));
        }
    }
}

/// A row for programs, with the panel's players by name and shares as fractions.
#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    past: TrainingRow,
    panel: Vec<Against>,
}

/// Fractions of the games won against a player.
#[derive(Serialize)]
struct Against {
    player: String,
    /// Whether the network trains against this player.
    seen: bool,
    moving_first: f64,
    moving_second: f64,
}

impl Json {
    fn of(past: &TrainingRow, view: &View) -> Json {
        let against = |(met, player): (&Met, &crate::player::Spec)| Against {
            player: player.to_string(),
            seen: view.is_seen(player),
            moving_first: met.percent(0) / 100.0,
            moving_second: met.percent(1) / 100.0,
        };
        let panel = past.panel.iter().zip(&view.settings.panel).map(against).collect();
        Json { past: TrainingRow { won: past.won / 100.0, ..past.clone() }, panel }
    }
}

/// Fields of the last line of `--json` for this kind of run.
#[derive(Serialize)]
struct Ended {
    reproducible: bool,
    newest: Option<Json>,
}
