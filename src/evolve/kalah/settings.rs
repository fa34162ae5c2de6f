//! The settings of a run that breeds Kalah players, and the presets.

use std::fmt;
use std::str::FromStr;

use crate::codec::checksum;
use crate::document::{self, Problem, Source, Table, Value, nearest, words_of};
use crate::evolve::gp::{self, Selection, Tableau};
use crate::game::kalah::{Capture, Rules};
use crate::player::Spec;
use crate::program::kalah::{Choice, Reading, Seat};

/// What a program's fitness is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fitness {
    /// The sum of its two scores: the source's first run.
    #[default]
    Sum,
    /// A hundred times the sum, less one a node, at least 1: the source's second run.
    SumLessNodes,
    /// The sum times (a hundred less the nodes), at least 1: the other way to read the second run. Programs shrink to nothing
    /// under it.
    SumTimesRest,
}

impl Fitness {
    /// The words that people write, the same in config and in flags.
    pub const WORDS: &'static [(&'static str, Fitness)] =
        &[("sum", Fitness::Sum), ("sum-less-nodes", Fitness::SumLessNodes), ("sum-times-rest", Fitness::SumTimesRest)];

    /// From the sum of the scores in stones and the size in nodes.
    pub fn of(self, sum: f64, nodes: usize) -> f64 {
        match self {
            Fitness::Sum => sum,
            Fitness::SumLessNodes => (100.0 * sum - nodes as f64).max(1.0),
            Fitness::SumTimesRest => (sum * (100.0 - nodes as f64)).max(1.0),
        }
    }
}

words_of!(Fitness);

/// Whom programs play against, and how much it counts. Text: `minimax:8`, `2*max`, `programs:10`.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Above 0, at most 1000.
    pub weight: f64,
    pub kind: OpponentKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum OpponentKind {
    Player(Spec),
    /// So many programs grown at random, 1 to 1000, which share the weight.
    Programs(u32),
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.weight != 1.0 {
            write!(f, "{}*", self.weight)?;
        }
        match &self.kind {
            OpponentKind::Player(spec) => write!(f, "{spec}"),
            OpponentKind::Programs(count) => write!(f, "programs:{count}"),
        }
    }
}

impl FromStr for Opponent {
    type Err = String;

    fn from_str(text: &str) -> Result<Opponent, String> {
        let (weight, name) = match text.split_once('*') {
            Some((weight, name)) => (weight.trim().parse().ok(), name.trim()),
            None => (Some(1.0), text.trim()),
        };
        let weight = weight.filter(|weight: &f64| *weight > 0.0 && *weight <= 1000.0);
        let weight =
            weight.ok_or_else(|| format!("'{text}': a weight is a number above 0, up to 1000, as in 2*max"))?;
        if let Some(count) = name.strip_prefix("programs:") {
            let count = count.parse().ok().filter(|count| (1..=1000).contains(count));
            let count = count.ok_or_else(|| format!("'{text}': programs takes a number from 1 to 1000"))?;
            return Ok(Opponent { weight, kind: OpponentKind::Programs(count) });
        }
        match name.parse::<Spec>()? {
            Spec::Human => Err("a human cannot be bred against; any other player can, and programs:N".to_owned()),
            Spec::Minimax(minimax) if minimax.time.is_some() => {
                Err(format!("'{text}' plays against the clock, which would decide what is bred; leave out ms="))
            }
            Spec::Mcts(mcts) if !mcts.is_pure() => Err(format!(
                "'{text}' plays by the clock or by its past, which would decide what is bred; leave out ms= and reuse="
            )),
            spec => Ok(Opponent { weight, kind: OpponentKind::Player(spec) }),
        }
    }
}

/// All settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Where they started from: a name of [`PRESETS`] or [`CUSTOM`].
    pub preset: String,
    pub tableau: Tableau,
    pub fitness: Fitness,
    pub opponents: Vec<Opponent>,
    /// When a last stone captures.
    pub capture: Capture,
    pub reading: Reading,
}

/// The name of the settings in config's `[evolution]`.
pub const CUSTOM: &str = "custom";

/// The presets: (name, what it is).
pub const PRESETS: &[(&str, &str)] = &[
    ("mancala-gp-1", "the paper's first run: the sum of both scores"),
    ("mancala-gp-2", "the paper's second run: a hundred times the sum, less the nodes"),
    ("mancala-gp-broad", "against several opponents, random programs among them: players that are good in general"),
];

impl Settings {
    /// The settings of a preset, with seed 1; [`CUSTOM`] is none.
    ///
    /// # Errors
    /// The name is none of [`PRESETS`].
    pub fn preset(name: &str) -> Result<Settings, String> {
        let paper = |fitness| Settings {
            preset: name.to_owned(),
            tableau: Tableau {
                seed: 1,
                population: 512,
                generations: 150,
                crossover: 90.0,
                mutation: 0.5,
                selection: Selection::Roulette,
                elitism: 1,
                initial_depth: 16,
                mutation_depth: 20,
                max_depth: 0,
                parsimony: 0.0,
                prefer_small: false,
                functions: ["if", "add", "sub", "value_at"].map(str::to_owned).to_vec(),
                islands: 1,
                migration_every: 0,
                migrants: 0,
            },
            fitness,
            opponents: vec![Opponent {
                weight: 1.0,
                kind: OpponentKind::Player(Spec::Minimax(crate::player::spec::Minimax::to_depth(8))),
            }],
            capture: Capture::Empty,
            reading: Reading::default(),
        };
        match name {
            "mancala-gp-1" => Ok(paper(Fitness::Sum)),
            "mancala-gp-2" => Ok(paper(Fitness::SumLessNodes)),
            "mancala-gp-broad" => {
                let mut settings = paper(Fitness::Sum);
                let opponents = ["minimax:8", "minimax:4", "max", "2*programs:16"];
                settings.opponents = opponents.iter().filter_map(|text| text.parse().ok()).collect();
                // Found by trial: without a price on size tournaments fill the islands with bloat, with a high one with
                // programs of a few nodes; without IF programs stay far weaker against several opponents.
                settings.tableau.selection = Selection::Tournament(4);
                settings.tableau.mutation = 10.0;
                settings.tableau.max_depth = 20;
                settings.tableau.parsimony = 0.002;
                settings.tableau.islands = 4;
                settings.tableau.migration_every = 10;
                settings.tableau.migrants = 2;
                Ok(settings)
            }
            _ => {
                let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                let near = nearest(name, names.iter().copied());
                let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
                Err(format!("no preset is called '{name}'{hint}; known: {}, {CUSTOM}", names.join(", ")))
            }
        }
    }

    /// Sets what `value`'s key names; the keys are those of `[evolution]` and of `run.toml`'s `[settings]`.
    ///
    /// # Errors
    /// The value is not accepted, or (`None`) there is no such key.
    pub fn set(&mut self, value: &Value<'_>) -> Option<Result<(), Problem>> {
        let read = match value.key() {
            "fitness" => value.one_of(Fitness::WORDS).map(|fitness| self.fitness = fitness),
            "opponents" => opponents(value).map(|opponents| self.opponents = opponents),
            "capture" => value.one_of(&CAPTURES).map(|capture| self.capture = capture),
            "value_at" => value.one_of(Seat::WORDS).map(|seat| self.reading.seat = seat),
            "choice" => value.one_of(Choice::WORDS).map(|choice| self.reading.choice = choice),
            _ => return self.tableau.set(value),
        };
        Some(read)
    }

    /// The keys that [`set`](Settings::set) knows.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let own = ["fitness", "opponents", "capture", "value_at", "choice"];
        ["seed", "generations"].into_iter().chain(Tableau::KEYS.iter().map(|(key, _)| *key)).chain(own)
    }

    /// Sets what a text such as `mutation = 2` says; a value that is no TOML is taken as a text: `selection=tournament:4`.
    ///
    /// # Errors
    /// What is wrong with it, with the place.
    pub fn set_text(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("'{text}' sets nothing; write KEY=VALUE"))?;
        let (key, value) = (key.trim(), value.trim());
        let plain =
            value.parse::<f64>().is_ok() || ["true", "false"].contains(&value) || value.starts_with(['"', '\'', '[']);
        let line = if plain { format!("{key} = {value}") } else { format!("{key} = {value:?}") };
        let source = Source::new("--set", line);
        document::parse(&source, |top, problems| self.read_table(top, problems)).map_err(|report| report.to_string())
    }

    fn read_table(&mut self, table: &Table<'_>, problems: &mut Vec<Problem>) {
        for value in table.entries() {
            let unknown = || Err(table.unknown(&value, "key", Settings::keys()));
            problems.extend(self.set(&value).unwrap_or_else(unknown).err());
        }
    }

    /// The rules that are played by.
    pub fn rules(&self) -> Rules {
        Rules::new(6, 4, self.capture).unwrap_or_default()
    }

    /// The Koza tableau for people: (what, value).
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let t = &self.tableau;
        let opponents: Vec<String> = self.opponents.iter().map(Opponent::to_string).collect();
        let none = |number: u32, word: &str| if number == 0 { word.to_owned() } else { number.to_string() };
        let mut rows = vec![
            ("objective", format!("beat {}", opponents.join(", "))),
            ("terminal set", "integers from 0 to 13".to_owned()),
            ("function set", t.functions.join(", ")),
            ("fitness", self.fitness.to_string()),
            ("population size", t.population.to_string()),
            ("crossover probability", format!("{} %", t.crossover)),
            ("mutation probability", format!("{} %", t.mutation)),
            ("selection", t.selection.to_string()),
            ("generations", t.generations.to_string()),
            ("initial depth", format!("up to {}", t.initial_depth)),
            ("depth of tree", none(t.max_depth, "unlimited")),
            ("mutation depth", format!("up to {}", t.mutation_depth)),
            ("elitism", t.elitism.to_string()),
            ("parsimony", format!("{} a node{}", t.parsimony, if t.prefer_small { ", smaller first" } else { "" })),
            ("seed", t.seed.to_string()),
        ];
        if t.islands > 1 {
            let moves = if t.migration_every == 0 {
                "none".to_owned()
            } else {
                format!("{} every {}", t.migrants, t.migration_every)
            };
            rows.push(("islands", format!("{}, migrants {moves}", t.islands)));
        }
        rows.push((
            "reading",
            format!(
                "capture {}, value_at {}, choice {}",
                capture_name(self.capture),
                self.reading.seat,
                self.reading.choice
            ),
        ));
        rows
    }
}

impl Default for Settings {
    /// The paper's second run.
    fn default() -> Settings {
        Settings::preset("mancala-gp-2").unwrap_or_else(|_| unreachable!("it is one of the presets"))
    }
}

const CAPTURES: [(&str, Capture); 2] = [("empty", Capture::Empty), ("standard", Capture::Standard)];

fn capture_name(capture: Capture) -> &'static str {
    CAPTURES.iter().find(|(_, known)| *known == capture).map_or("", |(name, _)| name)
}

fn opponents(value: &Value<'_>) -> Result<Vec<Opponent>, Problem> {
    let expected = "players such as \"minimax:8\", \"2*max\" or \"programs:10\"";
    let read: Vec<Opponent> = value.items().iter().map(|item| item.parsed(expected)).collect::<Result<_, _>>()?;
    if read.is_empty() { Err(value.wrong(format!("at least one of {expected}"))) } else { Ok(read) }
}

impl gp::problem::Settings for Settings {
    fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    fn preset(&self) -> &str {
        &self.preset
    }

    fn text(&self) -> String {
        let opponents: Vec<String> =
            self.opponents.iter().map(|opponent| format!("{:?}", opponent.to_string())).collect();
        format!(
            "{}fitness = \"{}\"\nopponents = [{}]\ncapture = \"{}\"\nvalue_at = \"{}\"\nchoice = \"{}\"\n",
            self.tableau.text(),
            self.fitness,
            opponents.join(", "),
            capture_name(self.capture),
            self.reading.seat,
            self.reading.choice
        )
    }

    /// Opponents that were read from files.
    fn files(&self) -> Vec<(String, u64)> {
        let file = |opponent: &Opponent| match &opponent.kind {
            OpponentKind::Player(player) => {
                Some((format!("the opponent {player}"), checksum(player.contents()?.as_bytes())))
            }
            OpponentKind::Programs(_) => None,
        };
        self.opponents.iter().filter_map(file).collect()
    }

    fn read(preset: &str, seed: u64, generations: u64, table: &Table<'_>, problems: &mut Vec<Problem>) -> Settings {
        let mut settings = Settings { preset: preset.to_owned(), ..Settings::default() };
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings.read_table(table, problems);
        let keys: Vec<&str> = table.entries().iter().map(Value::key).collect();
        // A setting that is left out would silently be the usual one, which another version may have another of.
        let missing = Settings::keys().skip(2).filter(|key| !keys.contains(key));
        problems.extend(missing.map(|key| Problem::new(table.at(), format!("`settings.{key}` is missing"))));
        settings
    }
}
