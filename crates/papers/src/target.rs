//! The reproduction targets: each with its flags, its settings and the function that runs it.

use mancalab_base::Error;
use std::path::{Path, PathBuf};

use super::work::Work;
use super::{ProgressEvent, Table};
use crate::files::{Kind, read_text, write_atomic};
use crate::plot::captioned;
use crate::pool::Pool;
use crate::sanitize;
use crate::settings::KeyedSettings;

/// The options of a target. `None` means the target's default.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of seeds, from `seed` on.
    pub seeds: Option<u32>,
    /// The number of games per cell, match or hypothesis, depending on the target.
    pub games: Option<u32>,
    pub runs: Option<u32>,
    /// Generations of each run after the initial one.
    pub generations: Option<u64>,
    /// The number of random programs.
    pub programs: Option<u32>,
    /// Whether the output includes the games, move by move.
    pub moves: bool,
    /// Other readings, or settings of the runs; see [`Target::settings`].
    pub set: Vec<(String, String)>,
    /// The folder for CSV files, plots and runs.
    pub out: Option<PathBuf>,
    /// The worker threads.
    pub pool: Pool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 1,
            seeds: None,
            games: None,
            runs: None,
            generations: None,
            programs: None,
            moves: false,
            set: Vec::new(),
            out: None,
            pool: Pool::default(),
        }
    }
}

impl Options {
    /// Returns the last value set for this key.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.set.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Applies the settings to a run's, except for the target's `own` keys.
    ///
    /// # Errors
    /// A setting does not exist, or does not accept the value.
    pub(super) fn change(&self, settings: &mut impl KeyedSettings, own: &[&str]) -> Result<(), Error> {
        let of_run = self.set.iter().filter(|(key, _)| !own.contains(&key.as_str()));
        of_run.into_iter().try_for_each(|(key, value)| settings.set(key, value))
    }

    /// Returns the seeds to run; `usual` is the default count.
    pub(super) fn all_seeds(&self, usual: u32) -> impl Iterator<Item = u64> {
        (self.seed..).take(self.seeds.unwrap_or(usual) as usize)
    }
}

/// The callback for progress events.
pub type Hear<'a> = &'a mut dyn FnMut(ProgressEvent<'_>);

/// The callback for the share of some work that is done, 0 to 1, and the current item.
pub(super) type Advance<'a> = &'a mut dyn FnMut(f64, &str);

/// Returns the callback of item `nth` of `count`, whose news begin with `name`.
pub(super) fn part<'a>(hear: Hear<'a>, nth: usize, count: usize, name: &'a str) -> impl FnMut(f64, &str) + 'a {
    move |share, at| {
        let share = (nth as f64 + share) / count as f64;
        hear(ProgressEvent::Progress { share, item: format!("{name}{at}") });
    }
}

/// Returns the callback of work that is not divided into items.
pub(super) fn whole(hear: Hear<'_>) -> impl FnMut(f64, &str) {
    part(hear, 0, 1, "")
}

/// A table or figure to reproduce.
#[derive(Debug)]
pub struct Target {
    /// The name, such as `mancala-gp/figure5`.
    pub name: &'static str,
    /// The description.
    pub about: &'static str,
    /// The target-specific flags that it accepts, as they are written.
    pub takes: &'static [&'static str],
    /// The keys that `--set` accepts; empty if it accepts the settings of a run.
    pub readings: &'static [&'static str],
    pub work: Work,
    pub run: fn(&Options, Hear<'_>) -> Result<Table, Error>,
}

impl Target {
    /// Parses the arguments of `--set` into keys and values.
    ///
    /// # Errors
    /// One is not KEY=VALUE, or its key is unknown.
    pub fn settings<S: AsRef<str>>(&self, texts: &[S]) -> Result<Vec<(String, String)>, Error> {
        texts.iter().map(|text| self.setting(text.as_ref())).collect()
    }

    fn setting(&self, text: &str) -> Result<(String, String), Error> {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("--set takes KEY=VALUE (got '{text}')"))?;
        let key = key.trim();
        let value = value.trim();
        if self.readings.is_empty() || self.readings.contains(&key) {
            return Ok((key.to_owned(), value.to_owned()));
        }
        Err(format!("there is no reading '{key}'; known: {}", self.readings.join(", ")).into())
    }

    /// Returns the flags in one line.
    pub fn flags(&self) -> String {
        let flag = |flag: &&str| match *flag {
            "--set" if self.readings.is_empty() => "--set (the settings of a run)".to_owned(),
            "--set" => {
                format!("--set {}", self.readings.iter().map(|key| format!("{key}=")).collect::<Vec<_>>().join("|"))
            }
            other => other.to_owned(),
        };
        self.takes.iter().map(flag).collect::<Vec<_>>().join("  ")
    }

    /// Runs the reproduction and writes its files if a folder is given; `hear` receives progress events.
    ///
    /// # Errors
    /// An option is invalid, a file cannot be read or written, or another file has the name of one to write.
    pub fn reproduce(&self, options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
        if let Some(out) = &options.out {
            // Long before the files are written, which have these names as a rule.
            let (_, short) = self.name.split_once('/').unwrap_or_default();
            ["csv", "svg"]
                .iter()
                .try_for_each(|end| self.check_own(&out.join(self.file(&format!("{short}.{end}")))))?;
        }
        let mut table = (self.run)(options, hear)?;
        (table.target, table.source) = (self.name, self.source());
        let files = std::mem::take(&mut table.files);
        let marked = |(name, text): (String, String)| (self.file(&name), self.marked(&name, text, options));
        let files: Vec<(String, String)> = files.into_iter().map(marked).collect();
        if let Some(out) = options.out.as_deref().filter(|_| !files.is_empty()) {
            files.iter().try_for_each(|(name, _)| self.check_own(&out.join(name)))?;
            table.notes.push(write(out, files)?);
        }
        Ok(table)
    }

    /// Returns the name of a file: with the source's name, so that targets of several sources can share a folder.
    fn file(&self, name: &str) -> String {
        let (source, _) = self.name.split_once('/').unwrap_or_default();
        if name.starts_with(source) { name.to_owned() } else { format!("{source}-{name}") }
    }

    /// Returns the text of a file with the mark of its target: a comment and a caption in SVG, a first column in CSV.
    fn marked(&self, name: &str, text: String, options: &Options) -> String {
        if name.ends_with(".svg") {
            let text = captioned(&text, &caption(self.name, self.source(), options));
            return text.replacen('\n', &format!("\n{}\n", self.mark()), 1);
        }
        let cell = |line: (usize, &str)| match line {
            (0, header) => format!("target,{header}\n"),
            (_, row) => format!("{},{row}\n", self.name),
        };
        text.lines().enumerate().map(cell).collect()
    }

    fn mark(&self) -> String {
        format!("<!-- mancalab reproduce {} -->", self.name)
    }

    /// Checks that a file can be written: there is none yet, or it is an earlier one of this target.
    ///
    /// # Errors
    /// It is another file.
    fn check_own(&self, path: &Path) -> Result<(), Error> {
        let is_own = |text: String| match text.starts_with("target,") {
            true => text.lines().nth(1).is_none_or(|row| row.split(',').next() == Some(self.name)),
            false => text.lines().nth(1) == Some(&*self.mark()),
        };
        if !path.exists() || read_text(path, Kind::Collection).is_ok_and(is_own) {
            return Ok(());
        }
        let path = sanitize::path(path);
        Err(format!("{path} was not written by mancalab reproduce {}; move it, or choose another --out", self.name)
            .into())
    }
}

/// Returns the caption of a target's pictures: their source, and the command that draws them, with the readings that differ from the
/// default.
pub(super) fn caption(name: &str, source: &str, options: &Options) -> Vec<String> {
    let mut command = format!("mancalab reproduce {name} --seed {}", options.seed);
    let counts = [
        ("seeds", options.seeds.map(u64::from)),
        ("games", options.games.map(u64::from)),
        ("runs", options.runs.map(u64::from)),
        ("generations", options.generations),
        ("programs", options.programs.map(u64::from)),
    ];
    for (flag, count) in counts {
        command += &count.map_or(String::new(), |count| format!(" --{flag} {count}"));
    }
    options.set.iter().for_each(|(key, value)| command += &format!(" --set {key}={value}"));
    let readings = if options.set.is_empty() { "default readings" } else { "default readings but for --set" };
    vec![format!("Source: {source}"), format!("{command} ({readings})")]
}

/// Writes files (name, content) into a folder; returns a note with their paths.
///
/// # Errors
/// A file cannot be written: its path and the reason.
pub(super) fn write(out: &Path, files: Vec<(String, String)>) -> Result<String, Error> {
    let mut written = Vec::new();
    for (name, text) in files {
        let path = out.join(name);
        write_atomic(&path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {why}", path.display(), why = sanitize::reason(&error)))?;
        written.push(path.display().to_string());
    }
    Ok(format!("Written: {}", written.join(", ")))
}

/// Runs the target of this name with these settings, as the command line does.
#[cfg(test)]
pub(super) fn reproduce(name: &str, set: &[&str], options: Options, hear: Hear<'_>) -> Result<Table, Error> {
    let target = Target::named(name)?;
    target.reproduce(&Options { set: target.settings(set)?, ..options }, hear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_other_targets_are_refused() {
        let table1 = Target::named("kalah-thesis/table1").unwrap();
        assert_eq!(table1.check_flags(&["--games", "--seed"]), Ok(()));
        assert_eq!(
            table1.check_flags(&["--games", "--runs"]).unwrap_err(),
            "kalah-thesis/table1 takes no --runs (a flag of kalah-thesis/table3, kalah-thesis/operators); it takes --games, \
             --seed, --out or --set"
                .into()
        );
        assert!(Target::all().all(|target| target.readings.is_empty() || target.takes.contains(&"--set")));
    }

    #[test]
    fn targets_share_a_folder_and_replace_only_their_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { games: Some(1), out: Some(folder.path().to_owned()), ..Options::default() };
        for name in ["othello-gp/table2", "kalah-thesis/table2", "kalah-thesis/table2"] {
            reproduce(name, &[], options.clone(), &mut |_| ()).unwrap();
        }
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        crate::sort::sort(&mut names);
        let expected =
            ["kalah-thesis-table2.csv", "kalah-thesis-table2.svg", "othello-gp-table2.csv", "othello-gp-table2.svg"];
        assert_eq!(names, expected);
        for end in ["csv", "svg"] {
            let path = folder.path().join(format!("kalah-thesis-table2.{end}"));
            let own = std::fs::read(&path).unwrap();
            for foreign in
                [b"mine".to_vec(), std::fs::read(folder.path().join(format!("othello-gp-table2.{end}"))).unwrap()]
            {
                std::fs::write(&path, &foreign).unwrap();
                let error = reproduce("kalah-thesis/table2", &[], options.clone(), &mut |_| panic!("it has begun"));
                assert!(
                    error
                        .unwrap_err()
                        .to_string()
                        .contains("was not written by mancalab reproduce kalah-thesis/table2")
                );
                assert_eq!(std::fs::read(&path).unwrap(), foreign);
            }
            std::fs::write(path, own).unwrap();
        }
    }

    #[test]
    fn pictures_name_their_source_seed_and_readings() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { seed: 7, games: Some(1), out: Some(folder.path().to_owned()), ..Options::default() };
        reproduce("kalah-thesis/table2", &["near=indicator"], options, &mut |_| ()).unwrap();
        let svg = std::fs::read_to_string(folder.path().join("kalah-thesis-table2.svg")).unwrap();
        let words: Vec<&str> = svg.split(['<', '>', ' ', '\n']).collect();
        let caption = ["reproduce", "kalah-thesis/table2", "--seed", "7", "--games", "1", "--set", "near=indicator"];
        assert!(
            svg.contains("Mancala from an AI Perspective") && words.windows(8).any(|part| part == caption),
            "{svg}"
        );
    }

    #[test]
    fn readings_are_known_or_reported() {
        let table2 = Target::named("kalah-thesis/table2").unwrap();
        assert_eq!(table2.settings(&[" near = indicator"]), Ok(vec![("near".to_owned(), "indicator".to_owned())]));
        assert_eq!(
            table2.settings(&["eps=1"]).unwrap_err(),
            "there is no reading 'eps'; known: ties, judged, near, ahead, end, opening".into()
        );
        assert!(table2.flags().ends_with("--set ties=|judged=|near=|ahead=|end=|opening="));
        assert!(Target::named("kalah-thesis/table3").unwrap().settings(&["sigma=1"]).is_ok());
    }
}
