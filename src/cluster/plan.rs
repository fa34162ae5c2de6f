//! `plan.toml`: what is computed in units, in full.
//!
//! It holds what a run's `run.toml` holds, and besides which seeds and settings there are to be, how the runs are cut, and the sums of the
//! files that players are read from. These are named as they were when the plan was made, so that nothing that is computed depends on where
//! the plan's folder is; whoever reads the settings is given the copies. Its first entry is the sum of all that follows: every result names
//! it, so that results of a plan that was edited are not taken for those of this one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::place::{FILES, MAX_UNITS, PLAN};
use super::sweep::{Vary, seeds, seeds_text};
use crate::codec::checksum;
use crate::document::{self, Problem, Refusal, Source, Table, Value, quoted};
use crate::files::{self, Kind};
use crate::job::Manifest;
use crate::plain;

/// The newest form of the file that is understood.
const FORMAT: u32 = 1;

/// The keys of every plan, and those that some have.
const NEEDED: [&str; 11] =
    ["sum", "plan", "version", "command", "kind", "preset", "generations", "seeds", "units", "contents", "settings"];
const FURTHER: [&str; 4] = ["vary", "seconds", "blocks", "files"];

/// What is planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Arena,
    Evolve,
    Tune,
    Train,
    Islands,
}

impl Command {
    /// The words of the command line and of files.
    pub const WORDS: [(&'static str, Command); 5] = [
        ("arena", Command::Arena),
        ("evolve", Command::Evolve),
        ("tune", Command::Tune),
        ("train", Command::Train),
        ("islands", Command::Islands),
    ];

    pub fn word(self) -> &'static str {
        Command::WORDS.iter().find(|(_, command)| *command == self).map_or("", |(word, _)| word)
    }

    /// The command that goes on with a run of such a plan.
    pub fn run_word(self) -> &'static str {
        if self == Command::Islands { "evolve" } else { self.word() }
    }
}

/// A plan that is to be made: all that `plan.toml` says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Draft {
    pub command: Command,
    /// Of the first run before anything is varied.
    pub manifest: Manifest,
    /// The lines of its settings.
    pub settings: String,
    pub seeds: Vec<u64>,
    pub vary: Vec<Vary>,
    /// For each cell of a tournament, how many games make a unit.
    pub blocks: Vec<u32>,
    pub units: u32,
    /// What a unit was estimated to take on one processor, on the average; 0 if that is not known.
    pub seconds: f64,
    /// A checksum of all that players are read from.
    pub contents: u64,
    /// The copied files by their names in the plan.
    pub files: BTreeMap<String, Copied>,
}

/// A file that was copied into a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Copied {
    pub sum: u64,
    /// How settings name it.
    pub named: String,
}

impl Draft {
    /// `plan.toml`.
    pub fn text(&self) -> String {
        let Manifest { kind, preset, generations, version, .. } = &self.manifest;
        let list = |texts: Vec<String>| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let blocks = match &self.blocks[..] {
            [] => String::new(),
            blocks => format!("blocks = {blocks:?}\n"),
        };
        let mut files = String::new();
        for (name, Copied { sum, named }) in &self.files {
            files += &format!("{} = [\"{sum:016x}\", {}]\n", quoted(name), quoted(named));
        }
        let body = format!(
            "plan = {FORMAT}\nversion = {}\ncommand = {}\nkind = {}\npreset = {}\ngenerations = {generations}\nseeds = {}\nvary = \
             [{}]\nunits = {}\nseconds = {:.3}\ncontents = \"{:016x}\"\n{blocks}\n[files]\n{files}\n[settings]\n{}",
            quoted(version),
            quoted(self.command.word()),
            quoted(kind),
            quoted(preset),
            quoted(&seeds_text(&self.seeds)),
            list(self.vary.iter().map(Vary::text).collect()),
            self.units,
            self.seconds,
            self.contents,
            self.settings
        );
        format!(
            "# A plan of mancalab: `mancalab unit` computes its units, anywhere and in any order that their needs allow, and `mancalab\n\
             # merge` puts them together. It must stay as it is: results name it by its sum. To change anything, make another plan.\n\
             {}\n{body}",
            sum_line(&body)
        )
    }
}

fn sum_line(body: &str) -> String {
    format!("sum = \"{:016x}\"", checksum(body.as_bytes()))
}

/// A plan in its folder.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    folder: PathBuf,
    sum: String,
    draft: Draft,
    source: Arc<Source>,
}

impl Plan {
    /// Reads the plan in a folder.
    ///
    /// # Errors
    /// There is none, it was edited, is damaged or of another version; the file is named, and the place where there is one.
    pub fn open(folder: &Path) -> Result<Plan, Refusal> {
        let path = folder.join(PLAN);
        if !path.exists() {
            return Err(format!("{} holds no plan: there is no {PLAN}", plain::path(folder)).into());
        }
        let fail = |error: std::io::Error| format!("cannot read {}: {}", plain::path(&path), plain::reason(&error));
        let folder = fs::canonicalize(folder).map_err(fail)?;
        let text = files::read_text(&path, Kind::Document).map_err(fail)?;
        let sum = check_sum(&text).map_err(|reason| format!("{} {reason}", plain::path(&path)))?;
        let source = Source::new(path.display().to_string(), text);
        let draft = read_draft(&source)?;
        let own = env!("CARGO_PKG_VERSION");
        if draft.manifest.version != own {
            let made = &draft.manifest.version;
            return Err(format!("{} was made by mancalab {made}, and this is {own}: compute it with that version, or make the plan anew", plain::path(&path)).into());
        }
        Ok(Plan { folder, sum, draft, source })
    }

    /// A plan that is not written yet, to be looked at.
    ///
    /// # Errors
    /// Its own text cannot be read again: where.
    pub fn unwritten(draft: &Draft) -> Result<Plan, Refusal> {
        let source = Source::new("the plan", draft.text());
        let draft = read_draft(&source)?;
        Ok(Plan { folder: PathBuf::new(), sum: String::new(), draft, source })
    }

    /// Makes a plan in a folder that must hold nothing of that name. The copied files are there already.
    ///
    /// # Errors
    /// There is a plan or a run, or the file cannot be written.
    pub fn create(folder: &Path, draft: &Draft) -> Result<Plan, Refusal> {
        let path = folder.join(PLAN);
        let text = draft.text();
        files::write_atomic(&path, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {}", plain::path(&path), plain::reason(&error)))?;
        Plan::open(folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Of all that it says.
    pub fn sum(&self) -> &str {
        &self.sum
    }

    pub fn version(&self) -> &str {
        &self.draft.manifest.version
    }

    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    pub fn command(&self) -> Command {
        self.draft.command
    }

    pub fn units(&self) -> u32 {
        self.draft.units
    }

    /// The settings of the first run before anything is varied, read by `settings`, which notes what it does not accept.
    ///
    /// # Errors
    /// All that is wrong with them, with the places.
    pub fn settings<S>(
        &self,
        settings: impl FnOnce(&Manifest, &Table<'_>, &mut Vec<Problem>) -> S,
    ) -> Result<S, Refusal> {
        let mut read = None;
        document::parse(&self.source, |top, problems| {
            let table =
                top.entries().into_iter().find(|value| value.key() == "settings").and_then(|value| value.table().ok());
            if let Some(table) = table {
                read = Some(settings(&self.draft.manifest, &table, problems));
            }
        })?;
        read.ok_or_else(|| format!("{} has no [settings]", self.source.name()).into())
    }

    /// Does what `work` does, reading on this thread the copies in the place of the files that settings name.
    pub fn with_copies<T>(&self, work: impl FnOnce() -> T) -> T {
        let folder = self.folder.join(FILES);
        let copies = self.draft.files.iter().map(|(name, copied)| (PathBuf::from(&copied.named), folder.join(name)));
        files::standing_for(copies.collect(), work)
    }

    /// Whether the copied files are what they were.
    ///
    /// # Errors
    /// One is missing or was changed: which.
    pub(super) fn check_files(&self) -> Result<(), String> {
        for (name, Copied { sum, .. }) in &self.draft.files {
            let path = self.folder.join(FILES).join(name);
            let bytes = files::read(&path, Kind::Program).map_err(|error| {
                format!("cannot read {}, which the plan's players need: {}", plain::path(&path), plain::reason(&error))
            })?;
            if checksum(&bytes) != *sum {
                return Err(format!(
                    "{} is not what it was when the plan was made; put back what it was, or make the plan anew",
                    plain::path(&path)
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl Plan {
    /// One to try out what belongs to plans.
    pub fn tried(folder: &Path) -> Plan {
        let draft = Draft {
            command: Command::Evolve,
            manifest: Manifest::new("gp", "mancala-gp-2", 1, 9),
            settings: String::new(),
            seeds: vec![1, 2],
            vary: Vec::new(),
            blocks: Vec::new(),
            units: 2,
            seconds: 1.5,
            contents: 0,
            files: BTreeMap::new(),
        };
        Plan::create(folder, &draft).unwrap()
    }
}

/// The plan's sum, which its first entry says.
fn check_sum(text: &str) -> Result<String, String> {
    let told = text.split_inclusive('\n').enumerate().find(|(_, line)| line.starts_with("sum = "));
    let (number, line) = told.ok_or("has no sum, so nobody knows whether it is whole; make the plan anew")?;
    let start: usize = text.split_inclusive('\n').take(number + 1).map(str::len).sum();
    if sum_line(&text[start..]) != line.trim_end() {
        return Err(
            "was edited since it was made (its sum is another); put back what it was, or make another plan".to_owned()
        );
    }
    Ok(line.trim_end().trim_start_matches("sum = ").trim_matches('"').to_owned())
}

fn read_draft(source: &Arc<Source>) -> Result<Draft, Refusal> {
    let manifest = Manifest {
        kind: String::new(),
        preset: String::new(),
        seed: 0,
        generations: 0,
        version: String::new(),
        reproducible: true,
    };
    let mut draft = Draft {
        command: Command::Arena,
        manifest,
        settings: String::new(),
        seeds: Vec::new(),
        vary: Vec::new(),
        blocks: Vec::new(),
        units: 0,
        seconds: 0.0,
        contents: 0,
        files: BTreeMap::new(),
    };
    document::parse(source, |top, problems| {
        let entries = top.entries();
        for key in NEEDED.iter().filter(|key| !entries.iter().any(|value| value.key() == **key)) {
            problems.push(Problem::new(top.at(), format!("`{key}` is missing")));
        }
        entries.iter().for_each(|value| problems.extend(draft.read(top, value).err()));
    })?;
    draft.manifest.seed = draft.seeds.first().copied().unwrap_or_default();
    Ok(draft)
}

impl Draft {
    fn read(&mut self, top: &Table<'_>, value: &Value<'_>) -> Result<(), Problem> {
        let count = |most: u64| {
            let number =
                value.whole_number().and_then(|number| u64::try_from(number).ok()).filter(|number| *number <= most);
            number.ok_or_else(|| value.wrong(format!("a whole number from 0 to {most}")))
        };
        match value.key() {
            "sum" => {}
            "plan" => drop(value.whole(1..=FORMAT)?),
            "version" => self.manifest.version = value.text("a version such as \"0.1.0\"")?.to_owned(),
            "command" => self.command = value.one_of(&Command::WORDS)?,
            "kind" => self.manifest.kind = value.text("a kind of run such as \"gp\"")?.to_owned(),
            "preset" => self.manifest.preset = value.text("the name of a preset")?.to_owned(),
            "generations" => self.manifest.generations = count(i64::MAX as u64)?,
            "seeds" => {
                self.seeds = seeds(value.text("seeds such as \"1-60\"")?).map_err(|refusal| value.refused(refusal))?
            }
            "vary" => {
                for item in value.items() {
                    let vary = Vary::parse(item.text("texts such as \"population=100,200\"")?);
                    self.vary.push(vary.map_err(|refusal| item.refused(refusal))?);
                }
            }
            "units" => self.units = count(MAX_UNITS)? as u32,
            "seconds" => self.seconds = value.number(|seconds| seconds >= 0.0, "a number of seconds")?,
            "contents" => {
                let sum = value.as_text().and_then(|text| u64::from_str_radix(text, 16).ok());
                self.contents = sum.ok_or_else(|| value.wrong("a sum of 16 hexadecimal digits"))?;
            }
            "blocks" => {
                for item in value.items() {
                    self.blocks.push(item.whole(1..=crate::arena::MAX_GAMES)?);
                }
            }
            "files" => {
                for file in value.table()?.entries() {
                    let texts: Vec<&str> = file.items().iter().filter_map(Value::as_text).collect();
                    let copied = match texts[..] {
                        [sum, named] => {
                            u64::from_str_radix(sum, 16).ok().map(|sum| Copied { sum, named: named.to_owned() })
                        }
                        _ => None,
                    };
                    let is_name = !file.key().is_empty() && !file.key().contains('/') && !file.key().starts_with('.');
                    let copied = copied.filter(|_| is_name);
                    let copied =
                        copied.ok_or_else(|| file.wrong("the sum of a file in files/ and its name in settings"))?;
                    self.files.insert(file.key().to_owned(), copied);
                }
            }
            "settings" => drop(value.table()?),
            _ => {
                return Err(top.unknown(value, "key", NEEDED.into_iter().chain(FURTHER)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_comes_back_and_one_that_was_edited_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let draft = Draft {
            command: Command::Arena,
            manifest: Manifest::new("tournament", "tournament", 3, 9),
            settings: "# x\nplayers = \"gp:a.txt\"\n".to_owned(),
            seeds: vec![3, 4, 9],
            vary: vec![Vary::parse("a=1,2").unwrap()],
            blocks: vec![5, 7],
            units: 12,
            seconds: 1.5,
            contents: 9,
            files: BTreeMap::from([("1-a.txt".to_owned(), Copied { sum: 7, named: "x\"/a.txt".to_owned() })]),
        };
        let plan = Plan::create(folder.path(), &draft).unwrap();
        assert_eq!(Draft { settings: draft.settings.clone(), ..plan.draft.clone() }, draft);
        assert_eq!(plan.settings(|_, table, _| table.entries()[0].setting()).unwrap(), "gp:a.txt");
        let path = folder.path().join(PLAN);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("units = 12", "units = 13")).unwrap();
        let told = Plan::open(folder.path()).unwrap_err().to_string();
        assert!(told.contains("plan.toml was edited since it was made"), "{told}");
        let changed = |from: &str, to: &str| {
            let (_, body) = text.split_once("\nplan = ").unwrap();
            let body = format!("plan = {body}").replace(from, to);
            fs::write(&path, format!("{}\n{body}", sum_line(&body))).unwrap();
            Plan::open(folder.path()).unwrap_err().to_string()
        };
        assert!(changed("version = \"0.1.0\"", "version = \"9.0.0\"").contains("was made by mancalab 9.0.0"));
        assert!(changed("seeds = \"3-4,9\"", "seeds = \"x\"").contains("seeds"));
        assert!(changed("units = 12\n", "").contains("`units` is missing"));
        assert!(Plan::open(&folder.path().join("no")).unwrap_err().to_string().contains("holds no plan"));
    }

    #[test]
    fn odd_names_and_values_come_back() {
        for odd in ["a b", "\"quoted\"", "back\\slash", "tab\there", "ümlaut 木", "[x] = #y", "a,b"] {
            let folder = tempfile::tempdir().unwrap();
            let mut draft = Plan::tried(folder.path()).draft.clone();
            draft.manifest.preset = odd.to_owned();
            draft.vary = vec![Vary { key: "k".to_owned(), values: vec![odd.to_owned(), "z".to_owned()] }];
            draft.files = BTreeMap::from([
                (odd.to_owned(), Copied { sum: u64::MAX, named: odd.to_owned() }),
                ("0".to_owned(), Copied { sum: 0, named: String::new() }),
            ]);
            fs::remove_file(folder.path().join(PLAN)).unwrap();
            assert_eq!(Plan::create(folder.path(), &draft).unwrap().draft, draft, "{odd}");
        }
    }
}
