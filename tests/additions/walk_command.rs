//! `mancalab walk`: a walk without a screen.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::live::Progress;
use super::out;
use super::presets::{self, Chosen};
use super::run::{self, Pace, RunArgs, Teller, event};
use crate::kinds::AnySettings;
use crate::paths::Paths;
use crate::walk::Walk;

#[derive(Args, Debug)]
pub struct WalkSettings {
    /// The settings to start from
    pub preset: Option<String>,
    /// Any setting, such as stride=2
    #[arg(long, value_name = "KEY=VALUE", group = "decided")]
    pub set: Vec<String>,
}

#[derive(Args, Debug)]
#[command(after_help = presets::after_help("walk"))]
pub struct WalkArgs {
    #[command(flatten)]
    pub settings: WalkSettings,
    #[command(flatten)]
    pub run: RunArgs,
}

impl WalkSettings {
    pub fn read(&self, seed: Option<u64>, paths: &Paths) -> Result<AnySettings> {
        let chosen = Chosen { preset: &self.preset, seed, flags: &[], set: &self.set };
        presets::chosen(run::kind::<Walking>(), &chosen, paths)
    }
}

pub fn run(args: &WalkArgs, paths: &Paths) -> Result<ExitCode> {
    run::run(&args.run, Walking, paths, None, || args.settings.read(None, paths))
}

struct Walking;

impl Teller for Walking {
    const COMMAND: &'static str = "walk";
    type View = Walk;

    fn rows(&self, view: &Walk, from: usize) -> Vec<Value> {
        view.past.iter().skip(from).map(|at| event("generation", &[*at])).collect()
    }

    fn progress(&self, view: &Walk, _: &Pace) -> Option<String> {
        view.past.last().map(|at| format!("at {at}"))
    }

    fn live(&self, _: &Walk, _: &Pace) -> Option<Progress> {
        None
    }

    fn ended(&self, _: &Walk) -> Value {
        Value::Null
    }

    fn end(&self, view: &Walk, _: Option<&Path>) {
        out::line(&format!("{} steps", view.past.len()));
    }
}
