//! `mancalab train`: networks that learn by playing, without a screen.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::presets;
use super::run::{self, Pace, RunArgs, Teller, clock, event, listed};
use crate::job::run_dir::{NETWORK, NOT_REPRODUCIBLE};
use crate::job::{Run as _, RunJob};
use crate::paths::Paths;
use crate::plain;
use crate::train::{Met, PRESETS, Past, Settings, Training, View, preset};
use crate::ui::short_count;

#[derive(Args, Debug)]
#[command(after_help = after_help())]
pub struct TrainArgs {
    /// The settings to start from, such as a3c-mixed
    pub preset: Option<String>,
    /// Decides all random choices in the run; without it the first from 1 on that no kept run of the preset has
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// How many generations follow the first; of a run that is gone on with, more than it has
    #[arg(long, value_name = "N")]
    pub generations: Option<u64>,
    /// Any other setting, such as hidden=128-128; may be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn after_help() -> String {
    presets::after_help(PRESETS, preset(PRESETS[0].0).as_ref())
}

pub fn run(args: &TrainArgs, paths: &Paths) -> Result<ExitCode> {
    let learning = Learning { measured: None };
    run::run::<Training, _>(&args.run, learning, paths, args.generations, || settings(args, paths))
}

/// The preset's settings with what the flags change.
pub(super) fn settings(args: &TrainArgs, paths: &Paths) -> Result<Settings> {
    let name = args.preset.as_deref().ok_or_else(|| presets::missing_preset("train", PRESETS, ""))?;
    let mut settings = preset(name).ok_or_else(|| presets::unknown_preset(name, PRESETS))?;
    settings.seed = run::next_seed::<Training>(name, paths);
    let flags = [
        ("seed", args.seed.map(|seed| seed.to_string())),
        ("generations", args.generations.map(|count| count.to_string())),
    ];
    presets::apply(&mut settings, &flags, &args.set)?;
    settings.check().map_err(|reason| anyhow!(reason))?;
    Ok(settings)
}

/// What there is to tell of a network that learns.
struct Learning {
    /// The generation of the newest measurement that was told.
    measured: Option<u64>,
}

/// How the panel was met, in a line: what was won moving first and second, in percent, first against those that it trains against and then
/// against the others.
fn met(view: &View) -> Option<String> {
    let (_, met) = view.measured()?;
    let told = |(met, player): (&Met, _)| format!("{player} {:.0}/{:.0}", met.percent(0), met.percent(1));
    let of = |is_seen: bool| {
        let those = met.iter().zip(&view.settings.panel).filter(|(_, player)| view.is_seen(player) == is_seen);
        let those: Vec<String> = those.map(told).collect();
        let what = if is_seen { "seen" } else { "unseen" };
        (!those.is_empty()).then(|| format!("{what}: {}", those.join("  ")))
    };
    Some([true, false].into_iter().filter_map(of).collect::<Vec<_>>().join("; "))
}

/// What stands behind a line about a run that would not come out the same again.
fn mark(view: &View) -> String {
    if view.is_reproducible() { String::new() } else { format!(" ({NOT_REPRODUCIBLE})") }
}

impl Teller<Training> for Learning {
    const COMMAND: &'static str = "train";

    fn settings<'a>(&self, run: &'a Training) -> &'a Settings {
        run.settings()
    }

    fn begun(&self, run: &Training) -> Value {
        listed(run.settings())
    }

    fn rows(&self, run: &Training, from: usize) -> Vec<Value> {
        let view = run.view();
        run.past().iter().skip(from).map(|row| event("generation", &Told::of(row, &view))).collect()
    }

    fn progress(&self, run: &Training, _pace: &Pace) -> Option<String> {
        let view = run.view();
        let Past { generation, games, entropy, value_loss, won, .. } = view.past.last()?;
        Some(format!(
            "generation {generation} of {}{}  {} games  won {won:.0} %  value loss {value_loss:.3}  entropy {entropy:.2}  {} games/s  {} left",
            view.settings.generations,
            mark(&view),
            short_count(*games),
            short_count(view.games_per_second as u64),
            clock(view.seconds_left().unwrap_or(0.0).ceil()),
        ))
    }

    fn live(&self, run: &Training, _pace: &Pace) -> Option<Progress> {
        let view = run.view();
        let more = view.past.last().map(|past| format!("won {:.0} %, entropy {:.2}", past.won, past.entropy));
        Some(Progress {
            share: view.share(),
            at: format!("generation {}/{}{}", view.generation, view.settings.generations, mark(&view)),
            left: view.seconds_left(),
            speed: format!("{} games/s", short_count(view.games_per_second as u64)),
            more: more.into_iter().collect(),
        })
    }

    /// The network was measured.
    fn is_news(&mut self, run: &Training) -> bool {
        let newest = run.view().measured().map(|(generation, _)| generation);
        std::mem::replace(&mut self.measured, newest) != newest
    }

    fn news(&mut self, run: &Training) -> Option<String> {
        let view = run.view();
        self.is_news(run).then(|| met(&view)).flatten().map(|met| {
            let generation = view.measured().map_or(0, |(generation, _)| generation);
            format!("generation {generation}{}: won moving first/second  {met}", mark(&view))
        })
    }

    fn ended(&self, run: &Training) -> Value {
        let view = run.view();
        let newest = run.past().last().map(|past| Told::of(past, &view));
        out::value(&Ended { reproducible: run.settings().is_reproducible(), newest })
    }

    fn end(&self, job: &RunJob<Training>) {
        let view = job.run().view();
        if let Some(Past { generation, games, .. }) = view.past.last() {
            out::line(&format!("generation {generation}: {games} games{}", mark(&view)));
        }
        if let Some(met) = met(&view) {
            out::line(&format!("won moving first/second in percent: {met}"));
        }
        if let Some(folder) = job.folder().filter(|_| !view.past.is_empty()) {
            out::line(&format!("the network: {}", plain::shell_path(&folder.join(NETWORK))));
        }
    }
}

/// A row for programs: the panel by its players.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    past: &'a Past,
    panel: Vec<Against>,
}

/// What was won against a player, in percent.
#[derive(Serialize)]
struct Against {
    player: String,
    /// The network trains against it.
    seen: bool,
    moving_first: f64,
    moving_second: f64,
}

impl<'a> Told<'a> {
    fn of(past: &'a Past, view: &View) -> Told<'a> {
        let against = |(met, player): (&Met, &crate::player::Spec)| Against {
            player: player.to_string(),
            seen: view.is_seen(player),
            moving_first: met.percent(0),
            moving_second: met.percent(1),
        };
        Told { past, panel: past.panel.iter().zip(&view.settings.panel).map(against).collect() }
    }
}

/// What the last line of `--json` tells beside how the run went.
#[derive(Serialize)]
struct Ended<'a> {
    reproducible: bool,
    newest: Option<Told<'a>>,
}
