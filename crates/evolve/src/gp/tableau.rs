//! The Koza tableau: every number that decides how programs are bred, whatever they are bred for.

use std::fmt;
use std::str::FromStr;

use super::generator::Generator;
use super::points::Points;
use crate::document::{Entry, Refusal, flag, list_of, real, texts, whole};

/// How parents are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Each with a chance proportional to its fitness.
    Roulette,
    /// The fittest of so many drawn at random, 1 to [`MAX_TOURNAMENT`].
    Tournament(u32),
}

pub const MAX_TOURNAMENT: u32 = 100;

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Roulette => f.pad("roulette"),
            Selection::Tournament(size) => f.pad(&format!("tournament:{size}")),
        }
    }
}

impl FromStr for Selection {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Selection, Refusal> {
        if text == "roulette" {
            return Ok(Selection::Roulette);
        }
        let size = text.strip_prefix("tournament:").and_then(|size| size.parse().ok());
        size.filter(|size| (1..=MAX_TOURNAMENT).contains(size)).map(Selection::Tournament).ok_or_else(|| {
            format!("selection takes roulette or tournament:N, N from 1 to {MAX_TOURNAMENT}; '{text}' is neither")
                .into()
        })
    }
}

/// The settings. [`Tableau::ENTRIES`] says what each is called and may be.
#[derive(Clone, PartialEq, Debug)]
pub struct Tableau {
    /// All chance follows from it.
    pub seed: u64,
    /// Programs a generation.
    pub population: u32,
    /// Generations bred after the first, number 0.
    pub generations: u64,
    /// The chance that a selected program is crossed with another, in percent.
    pub crossover: f64,
    /// Where it cuts both; mutation changes any node alike.
    pub points: Points,
    /// The chance that it is mutated (then), in percent.
    pub mutation: f64,
    pub selection: Selection,
    /// The fittest of each island live on as they are.
    pub elitism: u32,
    /// How programs of the first generation are grown.
    pub generator: Generator,
    /// No program of the first generation is deeper.
    pub initial_depth: u32,
    /// No subtree grown by mutation is deeper.
    pub mutation_depth: u32,
    /// A child that would be deeper is its first parent again; 0: there is no limit.
    pub max_depth: u32,
    /// The most nodes that all programs of a generation may have together; where the next would have more, the run stops.
    pub max_nodes: u64,
    /// What each node costs in fitness.
    pub parsimony: f64,
    /// Of programs equally fit the smaller ranks first, and wins tournaments.
    pub prefer_small: bool,
    /// The names of the functions that programs are grown from.
    pub functions: Vec<String>,
    /// Populations that breed apart, of the same size.
    pub islands: u32,
    /// After so many generations the fittest of each island replace the last of the next one; 0: never.
    pub migration_every: u32,
    /// How many do.
    pub migrants: u32,
}

/// The usual [`Tableau::max_nodes`]. A run that was stopped by it had taken 20 to 24 bytes a node, 0.3 GB in all, its programs being of
/// whole numbers; of real ones a node is twice as large, and a tab that shows the run keeps one more generation.
pub const MAX_NODES: u64 = 15_000_000;

/// The most of what is counted in programs or generations.
const MOST: u64 = 1_000_000;

fn percent(text: &str) -> Result<f64, Refusal> {
    real(text, 0.0, 100.0).map_err(|_| Refusal::expected("percent, from 0 to 100"))
}

/// A number with its decimal point, so that it is seen that it may have decimals.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

impl Tableau {
    /// Every setting but seed and generations, which every run has.
    pub const ENTRIES: &'static [Entry<Tableau>] = &[
        Entry {
            key: "population",
            about: "programs in a generation, 2 to 1000000, a multiple of islands",
            get: |t| t.population.to_string(),
            set: |t, text| whole(text, 2, MOST).map(|count| t.population = count as u32),
        },
        Entry {
            key: "crossover",
            about: "the chance that a selected program is crossed with another, 0 to 100 percent",
            get: |t| decimal(t.crossover),
            set: |t, text| percent(text).map(|chance| t.crossover = chance),
        },
        Entry {
            key: "points",
            about: "where crossover cuts: uniform, any node; walk, down from the root, or walk:25, stopping with 25 percent; depth; inner",
            get: |t| t.points.to_string(),
            set: |t, text| text.parse().map(|points| t.points = points),
        },
        Entry {
            key: "mutation",
            about: "the chance that it is mutated then, 0 to 100 percent",
            get: |t| decimal(t.mutation),
            set: |t, text| percent(text).map(|chance| t.mutation = chance),
        },
        Entry {
            key: "selection",
            about: "how parents are chosen: roulette, or tournament:N, the fittest of N drawn at random, 1 to 100",
            get: |t| t.selection.to_string(),
            set: |t, text| text.parse().map(|selection| t.selection = selection),
        },
        Entry {
            key: "elitism",
            about: "the fittest of each island that live on as they are, 0 to 1000000, fewer than its programs",
            get: |t| t.elitism.to_string(),
            set: |t, text| whole(text, 0, MOST).map(|count| t.elitism = count as u32),
        },
        Entry {
            key: "generator",
            about: "how the first programs are grown: even, functions and leaves alike, or ramped, Koza's ramped half-and-half",
            get: |t| t.generator.to_string(),
            set: |t, text| text.parse().map(|generator| t.generator = generator),
        },
        Entry {
            key: "initial_depth",
            about: "how deep programs of the first generation may be, 2 to 60 nodes",
            get: |t| t.initial_depth.to_string(),
            set: |t, text| whole(text, 2, 60).map(|depth| t.initial_depth = depth as u32),
        },
        Entry {
            key: "mutation_depth",
            about: "how deep what mutation grows may be, 2 to 60 nodes",
            get: |t| t.mutation_depth.to_string(),
            set: |t, text| whole(text, 2, 60).map(|depth| t.mutation_depth = depth as u32),
        },
        Entry {
            key: "max_depth",
            about: "how deep programs may become, up to 1000000 nodes; 0 is without limit",
            get: |t| t.max_depth.to_string(),
            set: |t, text| whole(text, 0, MOST).map(|depth| t.max_depth = depth as u32),
        },
        Entry {
            key: "max_nodes",
            about: "how many nodes all programs of a generation may have together, 1000 to 1000000000; a run stops before it has more",
            get: |t| t.max_nodes.to_string(),
            set: |t, text| whole(text, 1000, 1_000_000_000).map(|count| t.max_nodes = count),
        },
        Entry {
            key: "parsimony",
            about: "what each node costs in fitness, 0 to 1000000",
            get: |t| decimal(t.parsimony),
            set: |t, text| real(text, 0.0, 1e6).map(|price| t.parsimony = price),
        },
        Entry {
            key: "prefer_small",
            about: "whether of programs equally fit the smaller is preferred: true or false",
            get: |t| t.prefer_small.to_string(),
            set: |t, text| flag(text).map(|is_so| t.prefer_small = is_so),
        },
        Entry {
            key: "functions",
            about: "the functions that programs are made of",
            get: |t| list_of(&t.functions),
            set: |t, text| texts(text, "a name, or a list of names").map(|names| t.functions = names),
        },
        Entry {
            key: "islands",
            about: "populations that breed apart, 1 to 1000",
            get: |t| t.islands.to_string(),
            set: |t, text| whole(text, 1, 1000).map(|count| t.islands = count as u32),
        },
        Entry {
            key: "migration_every",
            about: "generations after which the fittest of each island move to the next, up to 1000000; 0 is never",
            get: |t| t.migration_every.to_string(),
            set: |t, text| whole(text, 0, MOST).map(|count| t.migration_every = count as u32),
        },
        Entry {
            key: "migrants",
            about: "how many of them move, 0 to 1000000",
            get: |t| t.migrants.to_string(),
            set: |t, text| whole(text, 0, MOST).map(|count| t.migrants = count as u32),
        },
    ];

    /// What a run means that was begun before there was this setting; see [`Listed::before`](crate::document::Listed::before).
    pub fn before(key: &str) -> Option<&'static str> {
        let before = [("points", "uniform"), ("max_nodes", "15000000"), ("generator", "even")];
        before.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// The words that a setting takes, or some of what it may be.
    pub fn words(key: &str) -> Vec<&'static str> {
        match key {
            "points" => vec!["uniform", "walk", "walk:25", "depth", "inner"],
            "selection" => vec!["roulette", "tournament:4"],
            "generator" => Generator::WORDS.iter().map(|(word, _)| *word).collect(),
            "prefer_small" => vec!["true", "false"],
            _ => Vec::new(),
        }
    }

    /// The keys of what every run has.
    pub const COMMON: &'static [&'static str] = &["seed", "generations"];

    /// Sets one of [`ENTRIES`](Tableau::ENTRIES) or [`COMMON`](Tableau::COMMON); `None` if there is no such setting.
    pub fn set(&mut self, key: &str, value: &str) -> Option<Result<(), Refusal>> {
        // TOML can write no larger number.
        let large = |value| whole(value, 0, i64::MAX as u64);
        match key {
            "seed" => Some(large(value).map(|seed| self.seed = seed)),
            "generations" => Some(large(value).map(|count| self.generations = count)),
            key => Tableau::ENTRIES.iter().find(|entry| entry.key == key).map(|entry| (entry.set)(self, value)),
        }
    }

    /// What no single setting shows.
    ///
    /// # Errors
    /// Two settings do not go together: which, their values and what would be accepted.
    pub fn check(&self) -> Result<(), String> {
        let Tableau { population, islands, elitism, migrants, initial_depth, max_depth, .. } = *self;
        if self.seed > i64::MAX as u64 {
            return Err(format!("seed {} is too large; whole numbers up to {} are accepted", self.seed, i64::MAX));
        }
        if population % islands != 0 {
            return Err(format!(
                "a population of {population} cannot be shared out among {islands} islands; a multiple of {islands} is accepted"
            ));
        }
        let size = population / islands;
        if elitism >= size {
            let most = size - 1;
            return Err(format!("elitism of {elitism} leaves nothing to breed; up to {most} is accepted here"));
        }
        if islands > 1 && elitism + migrants > size {
            let most = size - elitism;
            return Err(format!("{migrants} migrants do not fit an island of {size}; up to {most} are accepted here"));
        }
        if max_depth != 0 && max_depth < initial_depth {
            return Err(format!(
                "max_depth {max_depth} is less than initial_depth {initial_depth}; 0 for no limit, or {initial_depth} and more, are accepted"
            ));
        }
        Ok(())
    }

    /// Programs an island.
    pub fn island_size(&self) -> u32 {
        self.population / self.islands.max(1)
    }
}
