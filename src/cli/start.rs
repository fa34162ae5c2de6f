//! Settings of a new run: a preset, flags for some settings, and `--set` for all.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::format::EventsArgs;
use super::help;
use super::presets::{self, missing_preset};
use super::run::{self, Reporter, RunArgs, next_seed};
use crate::job::RunSettings;
use crate::kinds::KindOf as _;
use crate::paths::Paths;

/// A kind of run with settings from a preset, flags and `--set`.
pub trait Start: Reporter {
    /// Settings with their own flag, whose value is a number: (key, help).
    const FLAGS: &'static [(&'static str, &'static str)];
    /// An example for the help of `--set`, such as `depth=6`.
    const EXAMPLE: &'static str;
    /// A preset from the config.
    const CUSTOM: Option<Custom> = None;
    /// Further lists at the end of the help, with their headings.
    const LISTS: &'static [(&'static str, &'static [(&'static str, &'static str)])] = &[];
}

/// A preset from the config: name, description, and the function that reads its settings, with an extra config file.
pub type Custom = (&'static str, &'static str, fn(Option<&Path>, &Paths) -> Result<Box<dyn RunSettings>>);

/// The presets: (name, description), the one from the config last.
fn presets<S: Start>() -> Vec<(&'static str, &'static str)> {
    let custom = S::CUSTOM.map(|(name, about, _)| (name, about));
    crate::presets::presets(run::kind::<S>()).into_iter().chain(custom).collect()
}

/// The end of the help of the kind's command.
pub fn after_help<S: Start>() -> String {
    let settings = presets::after_help_of_all(&presets::<S>(), &run::kind::<S>().samples());
    let lists = S::LISTS.iter().map(|(heading, list)| format!("\n{}", help::section(heading, list)));
    lists.fold(settings, |text, list| text + &list)
}

/// The arguments for the settings of a run, or of the runs of a plan.
#[derive(Debug)]
pub struct SettingsArgs<S> {
    preset: Option<String>,
    /// Settings by their own flags.
    flags: Vec<(&'static str, String)>,
    pub set: Vec<String>,
    config: Option<PathBuf>,
    kind: PhantomData<fn() -> S>,
}

impl<S: Start> SettingsArgs<S> {
    /// Returns the preset's settings with the changes by the arguments.
    ///
    /// # Errors
    /// An invalid argument: the accepted values.
    pub fn read(&self, seed: Option<u64>, paths: &Paths) -> Result<Box<dyn RunSettings>> {
        let kind = run::kind::<S>();
        let known = presets::<S>();
        let name = self.preset.as_deref().ok_or_else(|| missing_preset(kind.typed(), &known, ""))?;
        let mut settings = match S::CUSTOM {
            Some((custom, _, settings)) if custom == name => settings(self.config.as_deref(), paths)?,
            custom => {
                // Other presets use nothing of the file; its errors are reported all the same.
                if let Some((file, (_, _, settings))) = self.config.as_deref().zip(custom) {
                    settings(Some(file), paths)?;
                }
                kind.preset(name).ok_or_else(|| anyhow!(crate::presets::unknown(name, &known)))?
            }
        };
        let seed = seed.unwrap_or_else(|| next_seed(settings.kind(), name, paths));
        settings.set("seed", &seed.to_string()).map_err(|reason| anyhow!("--{reason}"))?;
        for (key, value) in &self.flags {
            settings.set(key, value).map_err(|reason| anyhow!("--{reason}"))?;
        }
        presets::apply(&mut *settings, &self.set)?;
        settings.check()?;
        Ok(settings)
    }

    /// Returns the arguments with further `--set` changes at the end.
    #[must_use]
    pub fn with(&self, changes: impl IntoIterator<Item = String>) -> SettingsArgs<S> {
        self.with_set(self.set.iter().cloned().chain(changes).collect())
    }

    /// Returns the arguments with these `--set` changes instead of their own.
    #[must_use]
    pub fn with_set(&self, set: Vec<String>) -> SettingsArgs<S> {
        let preset = self.preset.clone();
        let flags = self.flags.clone();
        let config = self.config.clone();
        SettingsArgs { preset, flags, set, config, kind: PhantomData }
    }

    /// The value of `--generations`.
    fn generations(&self) -> Option<u64> {
        self.flags.iter().find(|(key, _)| *key == "generations").and_then(|(_, count)| count.parse().ok())
    }
}

impl<S: Start> Args for SettingsArgs<S> {
    fn augment_args(command: Command) -> Command {
        let example = presets::<S>().first().map_or("", |(name, _)| name);
        let flag = |(key, about): &(&'static str, &'static str)| {
            Arg::new(*key).long(*key).value_name("N").help(*about).value_parser(value_parser!(u64))
        };
        let set = format!("Set any setting, such as {}; repeatable", S::EXAMPLE);
        let config = S::CUSTOM.map(|_| {
            let about = "Configuration file to read after the usual ones";
            Arg::new("config").long("config").value_name("FILE").help(about).value_parser(value_parser!(PathBuf))
        });
        // A resumed run accepts only more generations.
        let decided = S::FLAGS.iter().map(|(key, _)| *key).filter(|key| *key != "generations");
        command
            .arg(Arg::new("preset").value_name("PRESET").help(format!("Preset to start from, such as {example}")))
            .args(S::FLAGS.iter().map(flag))
            .arg(Arg::new("set").long("set").value_name("KEY=VALUE").help(set).action(ArgAction::Append))
            .args(config)
            .group(ArgGroup::new("decided").args(decided.chain(["set"])).multiple(true))
            .after_long_help(after_help::<S>())
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingsArgs::<S>::augment_args(command)
    }
}

impl<S: Start> FromArgMatches for SettingsArgs<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingsArgs<S>, clap::Error> {
        let given = |(key, _): &(&'static str, _)| Some((*key, matches.get_one::<u64>(key)?.to_string()));
        Ok(SettingsArgs {
            preset: matches.get_one("preset").cloned(),
            flags: S::FLAGS.iter().filter_map(given).collect(),
            set: matches.get_many("set").into_iter().flatten().cloned().collect(),
            config: S::CUSTOM.and_then(|_| matches.get_one("config").cloned()),
            kind: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SettingsArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

// The arguments of the command that drives runs of a kind.
#[derive(Args, Debug)]
pub struct StartArgs<S: Start> {
    #[command(flatten)]
    started: SettingsArgs<S>,
    /// Random seed; default: the lowest seed not yet used with this preset
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    seed: Option<u64>,
    #[command(flatten)]
    output: EventsArgs,
    #[command(flatten)]
    run: RunArgs,
}

impl<S: Start> StartArgs<S> {
    /// Starts or resumes the run; a new one keeps the individuals of every generation if `keep`.
    pub fn run(&self, reporter: S, paths: &Paths, keep: bool) -> Result<ExitCode> {
        let settings = || self.started.read(self.seed, paths);
        run::run(&self.run, self.output.format(), reporter, paths, self.started.generations(), keep, settings)
    }
}
