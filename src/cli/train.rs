//! `mancalab train`: training of networks and of evaluations without a screen.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{Against, Pace, Reporter, clock, event};
use super::start::Start;
use crate::evaluations::{self, EvaluationRow};
use crate::job::View;
use crate::job::run_dir::{NETWORK, NOT_REPRODUCIBLE};
use crate::learners::Snapshot;
use crate::measuring::{Learner, PanelResult};
use crate::player::Spec;
use crate::sanitize;
use crate::train::TrainingRow;
use crate::ui::short_count;

/// Reporter of training runs.
#[derive(Default, Debug)]
pub struct TrainReporter {
    /// The generation of the last reported measurement.
    measured: Option<u64>,
}

/// The newest measurement in a line: percent of games won moving first and second, of a run with opponents first against these,
/// then against the others.
fn met(view: &dyn Learner) -> Option<String> {
    let (_, met) = view.measured()?;
    let text = |(met, player): (&PanelResult, _)| format!("{player} {:.0}/{:.0}", met.percent(0), met.percent(1));
    let part = |is_seen: Option<bool>| {
        let those = met.iter().zip(view.panel()).filter(|(_, player)| view.is_seen(player) == is_seen);
        let those: Vec<String> = those.map(text).collect();
        let what = is_seen.map_or("", |is_seen| if is_seen { "seen: " } else { "unseen: " });
        (!those.is_empty()).then(|| format!("{what}{}", those.join("  ")))
    };
    Some([None, Some(true), Some(false)].into_iter().filter_map(part).collect::<Vec<_>>().join("; "))
}

/// A note for lines about a run that is not reproducible.
fn mark(view: &dyn Learner) -> String {
    if view.is_reproducible() { String::new() } else { format!(" ({NOT_REPRODUCIBLE})") }
}

impl Start for TrainReporter {
    const FLAGS: &'static [(&'static str, &'static str)] = &[("generations", "Generations after the initial one")];
    const EXAMPLE: &'static str = "hidden=128-128";
}

/// What the newest generation has reached, in a few words; `None` before the end of the first.
fn reached(view: &Snapshot) -> Option<String> {
    Some(match view {
        Snapshot::Network(view) => {
            let TrainingRow { games, entropy, value_loss, won, .. } = view.past.last()?;
            let games = short_count(*games);
            format!("{games} games  won {won:.0} %  value loss {value_loss:.3}  entropy {entropy:.2}")
        }
        Snapshot::Evaluation(view) => {
            let past = view.past.last()?;
            format!("{} games  error {}", short_count(past.games), error(view, past))
        }
    })
}

/// The error of a generation with its unit.
fn error(view: &evaluations::View, past: &EvaluationRow) -> String {
    let digits = if past.error < 1.0 { 3 } else { 2 };
    format!("{:.digits$} {}", past.error, view.settings.subject.unit)
}

/// The generation in a line: of a network the newest, of an evaluation, whose generations are long, the current one.
fn generation(view: &Snapshot) -> Option<String> {
    let (at, phase) = match view {
        Snapshot::Network(_) => (view.newest()?, String::new()),
        Snapshot::Evaluation(_) if view.is_over() => (view.last(), String::new()),
        Snapshot::Evaluation(view) => (view.generation, format!("  {} {:.0} %", view.phase, 100.0 * view.within)),
    };
    Some(format!("generation {at} of {}{}{phase}", view.last(), mark(&**view)))
}

/// What the live line shows of the newest generation.
fn live(view: &Snapshot) -> Vec<String> {
    let (phase, reached) = match view {
        Snapshot::Network(view) => {
            (None, view.past.last().map(|past| format!("won {:.0} %, entropy {:.2}", past.won, past.entropy)))
        }
        Snapshot::Evaluation(view) => {
            let phase = (!view.phase.is_empty()).then(|| view.phase.to_owned());
            (phase, view.past.last().map(|past| format!("error {}", error(view, past))))
        }
    };
    phase.into_iter().chain(reached).collect()
}

impl Reporter for TrainReporter {
    const COMMAND: &'static str = "train";
    type View = Snapshot;

    fn view(view: &View) -> Option<Cow<'_, Snapshot>> {
        Snapshot::from_view(view).map(Cow::Owned)
    }

    fn rows(&self, view: &Snapshot, from: usize) -> Vec<Value> {
        (from..view.ended()).filter_map(|at| Some(event("generation", &row(view, at)?))).collect()
    }

    fn progress(&self, view: &Snapshot, _pace: &Pace) -> Option<String> {
        let Some(reached) = reached(view) else { return generation(view) };
        Some(format!(
            "{}  {reached}  {} games/s  {} left",
            generation(view)?,
            short_count(view.games_per_second() as u64),
            clock(view.seconds_left().unwrap_or(0.0).ceil()),
        ))
    }

    fn live(&self, view: &Snapshot, _pace: &Pace) -> Option<Progress> {
        Some(Progress {
            share: view.share(),
            count: format!("generation {}/{}{}", (view.ended() as u64).min(view.last()), view.last(), mark(&**view)),
            left: view.seconds_left(),
            speed: format!("{} games/s", short_count(view.games_per_second() as u64)),
            more: live(view),
        })
    }

    /// Whether there is a new measurement.
    fn is_news(&mut self, view: &Snapshot) -> bool {
        let newest = view.measured().map(|(generation, _)| generation);
        std::mem::replace(&mut self.measured, newest) != newest
    }

    fn news(&mut self, view: &Snapshot) -> Option<String> {
        self.is_news(view).then(|| met(&**view)).flatten().map(|met| {
            let generation = view.measured().map_or(0, |(generation, _)| generation);
            format!("generation {generation}{}: % won moving first/second  {met}", mark(&**view))
        })
    }

    fn ended(&self, view: &Snapshot, _: Option<&Path>) -> Value {
        let newest = view.newest().and_then(|at| row(view, at as usize));
        out::value(&LastLine { reproducible: view.is_reproducible(), newest })
    }

    fn end(&self, view: &Snapshot, folder: Option<&Path>) {
        let (result, (what, file)) = match view {
            Snapshot::Network(view) => {
                (view.past.last().map(|past| format!("{} games", past.games)), ("network", NETWORK))
            }
            Snapshot::Evaluation(view) => {
                let result = |past: &EvaluationRow| format!("{} games, error {}", past.games, error(view, past));
                (view.past.last().map(result), ("weights", view.settings.subject.file))
            }
        };
        if let Some((generation, result)) = view.newest().zip(result) {
            out::line(&format!("generation {generation}: {result}{}", mark(&**view)));
        }
        if let Some(met) = met(&**view) {
            out::line(&format!("% won moving first/second: {met}"));
        }
        if let Some(folder) = folder.filter(|_| view.ended() > 0) {
            let file = folder.join(file);
            out::line(&format!("{what}: {}", sanitize::shell_path(&file)));
            if let Snapshot::Evaluation(view) = view {
                let player = format!("minimax:{}@{}", view.settings.panel_depth, file.display());
                out::line(&format!(
                    "play: mancalab --game {} --north {}",
                    view.settings.subject.game,
                    sanitize::shell(player)
                ));
            }
        }
    }
}

/// A row for programs, with the panel's players by name and shares as fractions.
#[derive(Serialize)]
struct Json<R> {
    #[serde(flatten)]
    past: R,
    panel: Vec<Against>,
}

/// A completed generation for programs.
fn row(view: &Snapshot, generation: usize) -> Option<Value> {
    let against = |(met, player): (&PanelResult, &Spec)| Against::new(player.to_string(), view.is_seen(player), met);
    let panel = view.met(generation).iter().zip(view.panel()).map(against).collect();
    Some(match view {
        Snapshot::Network(view) => {
            let past = view.past.get(generation)?;
            out::value(&Json { past: TrainingRow { won: past.won / 100.0, ..past.clone() }, panel })
        }
        Snapshot::Evaluation(view) => out::value(&Json { past: view.past.get(generation)?.clone(), panel }),
    })
}

/// Fields of the last line of `--json` for this kind of run.
#[derive(Serialize)]
struct LastLine {
    reproducible: bool,
    newest: Option<Value>,
}
