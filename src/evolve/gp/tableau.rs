//! The Koza tableau: every number that decides how programs are bred, whatever they are bred for.

use std::fmt;
use std::str::FromStr;

use crate::document::{Problem, Value};

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
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        if text == "roulette" {
            return Ok(Selection::Roulette);
        }
        let size = text.strip_prefix("tournament:").and_then(|size| size.parse().ok());
        size.filter(|size| (1..=MAX_TOURNAMENT).contains(size)).map(Selection::Tournament).ok_or_else(|| {
            format!("selection takes roulette or tournament:N, N from 1 to {MAX_TOURNAMENT}; '{text}' is neither")
        })
    }
}

/// The settings. [`Tableau::KEYS`] says what each is called in TOML and may be.
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
    /// The chance that it is mutated (then), in percent.
    pub mutation: f64,
    pub selection: Selection,
    /// The fittest of each island live on as they are.
    pub elitism: u32,
    /// No program of the first generation is deeper.
    pub initial_depth: u32,
    /// No subtree grown by mutation is deeper.
    pub mutation_depth: u32,
    /// A child that would be deeper is its first parent again; 0: there is no limit.
    pub max_depth: u32,
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

type Read = fn(&mut Tableau, &Value<'_>) -> Result<(), Problem>;

fn set<T>(field: &mut T, value: Result<T, Problem>) -> Result<(), Problem> {
    value.map(|value| *field = value)
}

fn percent(value: &Value<'_>) -> Result<f64, Problem> {
    value.number(|n| (0.0..=100.0).contains(&n), "percent, from 0 to 100")
}

impl Tableau {
    /// Every key but `seed` and `generations`, which stand in front of the settings of a run, and how it is read.
    pub const KEYS: &'static [(&'static str, Read)] = &[
        ("population", |t, v| set(&mut t.population, v.whole(2..=1_000_000))),
        ("crossover", |t, v| set(&mut t.crossover, percent(v))),
        ("mutation", |t, v| set(&mut t.mutation, percent(v))),
        ("selection", |t, v| set(&mut t.selection, v.parsed("\"roulette\" or \"tournament:N\""))),
        ("elitism", |t, v| set(&mut t.elitism, v.whole(0..=1_000_000))),
        ("initial_depth", |t, v| set(&mut t.initial_depth, v.whole(2..=60))),
        ("mutation_depth", |t, v| set(&mut t.mutation_depth, v.whole(2..=60))),
        ("max_depth", |t, v| set(&mut t.max_depth, v.whole(0..=1_000_000))),
        ("parsimony", |t, v| {
            set(&mut t.parsimony, v.number(|n| (0.0..=1e6).contains(&n), "a number from 0 to 1000000"))
        }),
        ("prefer_small", |t, v| set(&mut t.prefer_small, v.flag())),
        ("functions", |t, v| set(&mut t.functions, names(v))),
        ("islands", |t, v| set(&mut t.islands, v.whole(1..=1000))),
        ("migration_every", |t, v| set(&mut t.migration_every, v.whole(0..=1_000_000))),
        ("migrants", |t, v| set(&mut t.migrants, v.whole(0..=1_000_000))),
    ];

    /// Sets what `value`'s key names; `None` if the tableau knows no such key.
    pub fn set(&mut self, value: &Value<'_>) -> Option<Result<(), Problem>> {
        match value.key() {
            "seed" => Some(set(&mut self.seed, large(value))),
            "generations" => Some(set(&mut self.generations, large(value))),
            key => Tableau::KEYS.iter().find(|(known, _)| *known == key).map(|(_, read)| read(self, value)),
        }
    }

    /// The settings of [`Tableau::KEYS`] as lines of TOML.
    pub fn text(&self) -> String {
        let functions: Vec<String> = self.functions.iter().map(|name| format!("{name:?}")).collect();
        format!(
            "population = {}\ncrossover = {:?}\nmutation = {:?}\nselection = \"{}\"\nelitism = {}\ninitial_depth = {}\n\
             mutation_depth = {}\nmax_depth = {}\nparsimony = {:?}\nprefer_small = {}\nfunctions = [{}]\nislands = {}\n\
             migration_every = {}\nmigrants = {}\n",
            self.population,
            self.crossover,
            self.mutation,
            self.selection,
            self.elitism,
            self.initial_depth,
            self.mutation_depth,
            self.max_depth,
            self.parsimony,
            self.prefer_small,
            functions.join(", "),
            self.islands,
            self.migration_every,
            self.migrants,
        )
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

/// A whole number of any size that TOML can write.
fn large(value: &Value<'_>) -> Result<u64, Problem> {
    let number = value.whole_number().and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| value.wrong(format!("a whole number from 0 to {}", i64::MAX)))
}

/// A list of texts.
pub(crate) fn names(value: &Value<'_>) -> Result<Vec<String>, Problem> {
    value.items().iter().map(|item| item.text("a name, or a list of names").map(str::to_owned)).collect()
}
