//! `plan.toml`: the full description of a plan.
//!
//! It holds the contents of a run's `run.toml`, the seeds, the varied settings, the division into units and the
//! checksums of the players' files. Files keep the names they had when the plan was created, so that results do not
//! depend on the plan's folder; reading the settings opens the copies. The first entry is the checksum of everything
//! after it. Every result names that checksum, so that results of an edited plan are rejected.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use super::layout::MAX_UNITS;
use super::sweep::{Vary, seeds, seeds_text};
use crate::arena::MAX_GAMES;
use crate::codec::checksum;
use crate::experiment::{Division, ISLANDS};
use crate::job::Manifest;
use crate::job::run_dir::inputs;
use crate::kinds::KINDS;
use crate::settings::{self, Diagnostic, Source, Table, Value, quoted};

/// Newest supported file format.
const FORMAT: u32 = 1;

/// The required keys, and the optional ones.
const NEEDED: [&str; 11] =
    ["sum", "plan", "version", "command", "kind", "preset", "generations", "seeds", "units", "contents", "settings"];
const FURTHER: [&str; 4] = ["vary", "seconds", "blocks", "files"];

/// The commands that can be planned, as on the command line and in files: those that drive runs, and [`ISLANDS`].
fn commands() -> Vec<(&'static str, &'static str)> {
    KINDS.iter().map(|kind| kind.command).chain([ISLANDS]).map(|word| (word, word)).collect()
}

/// The contents of `plan.toml`.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanManifest {
    /// The planned command: one that drives runs, or [`ISLANDS`].
    pub command: &'static str,
    /// Manifest of the first run, before any variation.
    pub manifest: Manifest,
    /// The lines of its settings.
    pub settings: String,
    pub seeds: Vec<u64>,
    pub vary: Vec<Vary>,
    /// Games per unit, for each cell of a tournament.
    pub blocks: Vec<u32>,
    pub units: u32,
    /// Estimated mean time of a unit on one processor, in seconds; 0 if unknown.
    pub seconds: f64,
    /// A checksum of everything the players are read from.
    pub contents: u64,
}

impl PlanManifest {
    /// Returns how the plan divides its runs.
    pub fn division(&self) -> Division<'_> {
        Division { command: self.command, blocks: &self.blocks }
    }

    /// Returns the command that resumes a run of this plan.
    pub fn run_command(&self) -> &'static str {
        if self.command == ISLANDS { "evolve" } else { self.command }
    }

    /// Returns the text of `plan.toml`.
    pub fn text(&self) -> String {
        let Manifest { kind, preset, generations, version, .. } = &self.manifest;
        let list = |texts: Vec<String>| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let blocks = match &self.blocks[..] {
            [] => String::new(),
            blocks => format!("blocks = {blocks:?}\n"),
        };
        let body = format!(
            "plan = {FORMAT}\nversion = {}\ncommand = {}\nkind = {}\npreset = {}\ngenerations = {generations}\nseeds = {}\nvary = \
             [{}]\nunits = {}\nseconds = {:.3}\ncontents = \"{:016x}\"\n{blocks}\n{}[settings]\n{}",
            quoted(version),
            quoted(self.command),
            quoted(kind),
            quoted(preset),
            quoted(&seeds_text(&self.seeds)),
            list(self.vary.iter().map(Vary::text).collect()),
            self.units,
            self.seconds,
            self.contents,
            inputs::to_text(&self.manifest.files),
            self.settings
        );
        format!(
            "# A plan of mancalab: `mancalab plan unit` computes its units, anywhere and in any order that their needs allow, and\n\
             # `mancalab plan merge` merges them. It must stay as it is: results name it by its sum. To change anything, make another plan.\n\
             {}\n{body}",
            sum_line(&body)
        )
    }
}

pub(super) fn sum_line(body: &str) -> String {
    format!("sum = \"{:016x}\"", checksum(body.as_bytes()))
}

/// Returns the plan's checksum after verifying it.
pub(super) fn check_sum(text: &str) -> Result<String, Error> {
    let sum = text.split_inclusive('\n').enumerate().find(|(_, line)| line.starts_with("sum = "));
    let (number, line) = sum.ok_or("has no checksum, so it may be damaged; create the plan again")?;
    let start: usize = text.split_inclusive('\n').take(number + 1).map(str::len).sum();
    if sum_line(&text[start..]) != line.trim_end() {
        bail!("was edited since it was created (checksum mismatch); restore it, or create another plan");
    }
    Ok(line.trim_end().trim_start_matches("sum = ").trim_matches('"').to_owned())
}

pub(super) fn read_draft(source: &Arc<Source>) -> Result<PlanManifest, Error> {
    let manifest = Manifest::new("", "", 0, 0);
    let mut draft = PlanManifest {
        command: "",
        manifest,
        settings: String::new(),
        seeds: Vec::new(),
        vary: Vec::new(),
        blocks: Vec::new(),
        units: 0,
        seconds: 0.0,
        contents: 0,
    };
    settings::parse(source, |top, problems| {
        let entries = top.entries();
        for key in NEEDED.iter().filter(|key| !entries.iter().any(|value| value.key() == **key)) {
            problems.push(Diagnostic::new(top.at(), format!("`{key}` is missing")));
        }
        entries.iter().for_each(|value| problems.extend(draft.read(top, value).err()));
    })?;
    draft.manifest.seed = draft.seeds.first().copied().unwrap_or_default();
    Ok(draft)
}

impl PlanManifest {
    fn read(&mut self, top: &Table<'_>, value: &Value<'_>) -> Result<(), Diagnostic> {
        let count = |most: u64| {
            let number =
                value.whole_number().and_then(|number| u64::try_from(number).ok()).filter(|number| *number <= most);
            number.ok_or_else(|| value.wrong(format!("a whole number from 0 to {most}")))
        };
        match value.key() {
            "sum" => {}
            "plan" => drop(value.whole(1..=FORMAT)?),
            "version" => self.manifest.version = value.text("a version such as \"0.1.0\"")?.to_owned(),
            "command" => self.command = value.one_of(&commands())?,
            "kind" => self.manifest.kind = value.text("a kind of run such as \"gp\"")?.to_owned(),
            "preset" => self.manifest.preset = value.text("the name of a preset")?.to_owned(),
            "generations" => self.manifest.generations = count(i64::MAX as u64)?,
            "seeds" => {
                self.seeds = seeds(value.text("seeds such as \"1-60\"")?).map_err(|error| value.refused(error))?
            }
            "vary" => {
                for item in value.items() {
                    let vary = Vary::read(item.text("texts such as \"population=100,200\"")?);
                    self.vary.push(vary.map_err(|error| item.refused(error))?);
                }
            }
            "units" => self.units = count(MAX_UNITS)? as u32,
            "seconds" => self.seconds = value.number(|seconds| seconds >= 0.0, "a number of seconds")?,
            "contents" => {
                let sum = value.as_text().and_then(|text| u64::from_str_radix(text, 16).ok());
                self.contents = sum.ok_or_else(|| value.wrong("a checksum of 16 hexadecimal digits"))?;
            }
            "blocks" => {
                for item in value.items() {
                    self.blocks.push(item.whole(1..=MAX_GAMES)?);
                }
            }
            "files" => self.manifest.files = inputs::read(value)?,
            "settings" => drop(value.table()?),
            _ => {
                return Err(top.unknown(value, "key", NEEDED.into_iter().chain(FURTHER)));
            }
        }
        Ok(())
    }
}
