//! The Koza tableau: every number that decides how programs are bred, whatever they are bred for.

use mancalab_base::{Error, bail};
use std::fmt;
use std::str::FromStr;

use super::generator::Generator;
use super::points::Points;
use crate::settings::{Entry, Tabled, entry, list_of, real, texts};

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
    type Err = Error;

    fn from_str(text: &str) -> Result<Selection, Error> {
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

/// The settings; the table of its entries says what each is called and may be.
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

/// TOML can write no larger number.
const LARGEST: u64 = i64::MAX as u64;

fn percent(text: &str) -> Result<f64, Error> {
    real(text, 0.0, 100.0).map_err(|_| Error::expected("percent, from 0 to 100"))
}

/// A number with its decimal point, so that it is seen that it may have decimals.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

impl Tabled for Tableau {
    fn entries() -> Vec<Entry<Tableau>> {
        vec![
            entry!(seed: whole(0, LARGEST), "decides all random choices").common(),
            entry!(generations: whole(0, LARGEST), "generations bred after the first").common(),
            entry!(population: whole(2, MOST), "programs in a generation, 2 to 1000000, a multiple of islands"),
            Entry::new(
                "crossover",
                "the chance that a selected program is crossed with another, 0 to 100 percent",
                |t: &Tableau| decimal(t.crossover),
                |t, text| percent(text).map(|chance| t.crossover = chance),
            ),
            entry!(
                points: word,
                "where crossover cuts: uniform, any node; walk, down from the root, or walk:25, stopping with 25 percent; depth; inner"
            )
            .words(["uniform", "walk", "walk:25", "depth", "inner"])
            .before("uniform"),
            Entry::new(
                "mutation",
                "the chance that it is mutated then, 0 to 100 percent",
                |t: &Tableau| decimal(t.mutation),
                |t, text| percent(text).map(|chance| t.mutation = chance),
            ),
            entry!(
                selection: word,
                "how parents are chosen: roulette, or tournament:N, the fittest of N drawn at random, 1 to 100"
            )
            .words(["roulette", "tournament:4"]),
            entry!(
                elitism: whole(0, MOST),
                "the fittest of each island that live on as they are, 0 to 1000000, fewer than its programs"
            ),
            entry!(
                generator: one_of(Generator::WORDS),
                "how the first programs are grown: even, functions and leaves alike, or ramped, Koza's ramped half-and-half"
            )
            .before("even"),
            entry!(initial_depth: whole(2, 60), "how deep programs of the first generation may be, 2 to 60 nodes"),
            entry!(mutation_depth: whole(2, 60), "how deep what mutation grows may be, 2 to 60 nodes"),
            entry!(
                max_depth: whole(0, MOST),
                "how deep programs may become, up to 1000000 nodes; 0 is without limit"
            ),
            entry!(
                max_nodes: whole(1000, 1_000_000_000),
                "how many nodes all programs of a generation may have together, 1000 to 1000000000; a run stops before it has more"
            )
            .before("15000000"),
            Entry::new(
                "parsimony",
                "what each node costs in fitness, 0 to 1000000",
                |t: &Tableau| decimal(t.parsimony),
                |t, text| real(text, 0.0, 1e6).map(|price| t.parsimony = price),
            ),
            entry!(prefer_small: flag, "whether of programs equally fit the smaller is preferred: true or false"),
            Entry::new(
                "functions",
                "the functions that programs are made of",
                |t: &Tableau| list_of(&t.functions),
                |t, text| texts(text, "a name, or a list of names").map(|names| t.functions = names),
            ),
            entry!(islands: whole(1, 1000), "populations that breed apart, 1 to 1000"),
            entry!(
                migration_every: whole(0, MOST),
                "generations after which the fittest of each island move to the next, up to 1000000; 0 is never"
            ),
            entry!(migrants: whole(0, MOST), "how many of them move, 0 to 1000000"),
        ]
    }
}

impl Tableau {
    /// What no single setting shows.
    ///
    /// # Errors
    /// Two settings do not go together: which, their values and what would be accepted.
    pub fn check(&self) -> Result<(), Error> {
        let Tableau { population, islands, elitism, migrants, initial_depth, max_depth, .. } = *self;
        if self.seed > i64::MAX as u64 {
            bail!("seed {} is too large; whole numbers up to {} are accepted", self.seed, i64::MAX);
        }
        if population % islands != 0 {
            bail!(
                "a population of {population} cannot be shared out among {islands} islands; a multiple of {islands} is accepted"
            );
        }
        let size = population / islands;
        if elitism >= size {
            let most = size - 1;
            bail!("elitism of {elitism} leaves nothing to breed; up to {most} is accepted here");
        }
        if islands > 1 && elitism + migrants > size {
            let most = size - elitism;
            bail!("{migrants} migrants do not fit an island of {size}; up to {most} are accepted here");
        }
        if max_depth != 0 && max_depth < initial_depth {
            bail!(
                "max_depth {max_depth} is less than initial_depth {initial_depth}; 0 for no limit, or {initial_depth} and more, are accepted"
            );
        }
        Ok(())
    }

    /// Programs an island.
    pub fn island_size(&self) -> u32 {
        self.population / self.islands.max(1)
    }
}
