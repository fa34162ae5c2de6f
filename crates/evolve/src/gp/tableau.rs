//! The Koza tableau: all numeric parameters of genetic programming, for any problem.

use mancalab_base::{Error, bail};
use std::fmt;
use std::str::FromStr;

use super::genome::Generator;
use super::points::Points;
use crate::initial::Initial;
use crate::job::conduct::Conduct;
use crate::settings::{Entry, SettingsTable, entry, list_of, real, texts};

/// The selection of parents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Probability proportional to fitness.
    Roulette,
    /// The fittest of this number of random individuals, 1 to [`MAX_TOURNAMENT`].
    Tournament(u32),
    /// By fitness and this size, in parents and survivors: see `nsga2`.
    Nsga2(Size),
    /// By the results in single cases: see `lexicase`.
    Lexicase,
}

/// A size of programs that selection keeps small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Nodes,
    Depth,
}

/// The texts of selections by two objectives.
const NSGA2: [(&str, Size); 2] = [("nsga2:nodes", Size::Nodes), ("nsga2:depth", Size::Depth)];

pub const MAX_TOURNAMENT: u32 = 100;

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Roulette => f.pad("roulette"),
            Selection::Lexicase => f.pad("lexicase"),
            Selection::Tournament(size) => f.pad(&format!("tournament:{size}")),
            Selection::Nsga2(size) => {
                let text = NSGA2.iter().find(|(_, known)| known == size).map_or("", |(text, _)| text);
                f.pad(text)
            }
        }
    }
}

impl FromStr for Selection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Selection, Error> {
        if text == "roulette" {
            return Ok(Selection::Roulette);
        }
        if text == "lexicase" {
            return Ok(Selection::Lexicase);
        }
        if let Some((_, size)) = NSGA2.iter().find(|(known, _)| *known == text) {
            return Ok(Selection::Nsga2(*size));
        }
        let size = text.strip_prefix("tournament:").and_then(|size| size.parse().ok());
        size.filter(|size| (1..=MAX_TOURNAMENT).contains(size)).map(Selection::Tournament).ok_or_else(|| {
            format!(
                "selection must be roulette, lexicase, tournament:N with N from 1 to {MAX_TOURNAMENT}, nsga2:nodes or \
                 nsga2:depth (got '{text}')"
            )
            .into()
        })
    }
}

/// The parameters. The table of entries defines their names and ranges.
#[derive(Clone, PartialEq, Debug)]
pub struct Tableau {
    /// Seed of all random draws.
    pub seed: u64,
    /// Programs per generation.
    pub population: u32,
    /// Generations after the initial one, number 0.
    pub generations: u64,
    /// Crossover probability of a selected program, in percent.
    pub crossover: f64,
    /// Distribution of crossover points. Mutation draws nodes uniformly.
    pub points: Points,
    /// Mutation probability after that, in percent.
    pub mutation: f64,
    pub selection: Selection,
    /// Number of fittest programs of each island that are copied unchanged.
    pub elitism: u32,
    /// How the initial programs are grown.
    pub generator: Generator,
    /// Maximum depth of an initial program.
    pub initial_depth: u32,
    /// Maximum depth of a subtree grown by mutation.
    pub mutation_depth: u32,
    /// Maximum depth of a child; a deeper one is replaced by its first parent. 0: no limit.
    pub max_depth: u32,
    /// Maximum number of nodes of all programs of a generation. The run stops before a generation that exceeds it.
    pub max_nodes: u64,
    /// Fitness penalty per node.
    pub parsimony: f64,
    /// Whether the smaller of equally fit programs ranks higher and wins tournaments.
    pub prefer_small: bool,
    /// The radius of niches in [fitness sharing](super::sharing), in points of results; 0: none.
    pub sharing: f64,
    /// Names of the functions that programs are grown from.
    pub functions: Vec<String>,
    /// Number of separate populations of the same size.
    pub islands: u32,
    /// Generations between migrations, in which the fittest of each island replace the last of the next one; 0: never.
    pub migration_every: u32,
    /// Number of migrants per island.
    pub migrants: u32,
    /// Programs that take the first places of generation 0.
    pub initial: Initial,
    pub conduct: Conduct,
}

/// The default of [`Tableau::max_nodes`]. A run of integer programs that reached it used 20 to 24 bytes a node, 0.3 GB in all.
/// A node of a real-valued program is twice as large, and a tab that displays the run keeps one more generation.
pub const MAX_NODES: u64 = 15_000_000;

/// Maximum of settings that count programs or generations.
const MOST: u64 = 1_000_000;

/// The largest integer in TOML.
const LARGEST: u64 = i64::MAX as u64;

fn percent(text: &str) -> Result<f64, Error> {
    real(text, 0.0, 100.0).map_err(|_| Error::expected("a percentage from 0 to 100"))
}

/// Formats a number with its decimal point, to show that decimals are allowed.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

impl SettingsTable for Tableau {
    fn entries() -> Vec<Entry<Tableau>> {
        let mut entries = vec![
            entry!(seed: whole(0, LARGEST), "decides all random choices").common(),
            entry!(generations: whole(0, LARGEST), "generations after the initial one").common(),
            entry!(population: whole(2, MOST), "programs per generation, 2 to 1000000, a multiple of islands"),
            Entry::new(
                "crossover",
                "crossover probability of a selected program, 0 to 100 percent",
                |t: &Tableau| decimal(t.crossover),
                |t, text| percent(text).map(|chance| t.crossover = chance),
            ),
            entry!(
                points: word,
                "crossover points: uniform over nodes; walk from the root; walk:25, which stops with 25 percent; depth; inner"
            )
            .words(["uniform", "walk", "walk:25", "depth", "inner"])
            .before("uniform"),
            Entry::new(
                "mutation",
                "mutation probability after that, 0 to 100 percent",
                |t: &Tableau| decimal(t.mutation),
                |t, text| percent(text).map(|chance| t.mutation = chance),
            ),
            entry!(
                selection: word,
                "selection: roulette; tournament:N, the fittest of N random programs, 1 to 100; nsga2:nodes or nsga2:depth, by fitness and that size; lexicase, by single opponents"
            )
            .noted("parent selection: roulette, or tournament:N, the fittest of N random programs, 1 to 100")
            .words(["roulette", "tournament:4", "nsga2:nodes", "lexicase"]),
            entry!(
                elitism: whole(0, MOST),
                "fittest programs of each island copied unchanged, 0 to 1000000, fewer than its programs"
            ),
            entry!(
                generator: one_of(Generator::WORDS),
                "initial programs: even, functions and leaves equally likely; ramped, Koza's ramped half-and-half"
            )
            .before("even"),
            entry!(initial_depth: whole(2, 60), "maximum depth of initial programs, 2 to 60 nodes"),
            entry!(mutation_depth: whole(2, 60), "maximum depth of mutated subtrees, 2 to 60 nodes"),
            entry!(
                max_depth: whole(0, MOST),
                "maximum depth of programs, up to 1000000 nodes; 0: no limit"
            ),
            entry!(
                max_nodes: whole(1000, 1_000_000_000),
                "maximum nodes of all programs of a generation, 1000 to 1000000000; the run stops before exceeding it"
            )
            .before("15000000"),
            Entry::new(
                "parsimony",
                "fitness penalty per node, 0 to 1000000",
                |t: &Tableau| decimal(t.parsimony),
                |t, text| real(text, 0.0, 1e6).map(|price| t.parsimony = price),
            ),
            entry!(prefer_small: flag, "prefer the smaller of equally fit programs: true or false"),
            Entry::new(
                "sharing",
                "fitness sharing: programs whose results differ by less on average divide their fitness, 0 to 1000000; 0: none",
                |t: &Tableau| decimal(t.sharing),
                |t, text| real(text, 0.0, 1e6).map(|radius| t.sharing = radius),
            )
            .implied("0.0"),
            Entry::new(
                "functions",
                "names of the functions that programs are grown from, such as if,add,sub,value_at",
                |t: &Tableau| list_of(&t.functions),
                |t, text| texts(text, "a name, or a list of names").map(|names| t.functions = names),
            )
            .noted("functions of the programs"),
            entry!(islands: whole(1, 1000), "separate populations, 1 to 1000"),
            entry!(
                migration_every: whole(0, MOST),
                "generations between migrations to the next island, up to 1000000; 0: never"
            ),
            entry!(migrants: whole(0, MOST), "migrants per island, its fittest programs, 0 to 1000000"),
            entry!(
                initial: word,
                "files of programs for the first places of generation 0: a program, one a line, or a table with a column program"
            )
            .implied("[]"),
        ];
        entries.extend(Conduct::entries_of(|t: &Tableau| &t.conduct, |t| &mut t.conduct));
        entries
    }
}

impl Tableau {
    /// Checks settings that depend on each other.
    ///
    /// # Errors
    /// Returns an error with the settings that contradict each other, their values and what is accepted.
    pub fn check(&self) -> Result<(), Error> {
        let Tableau { population, islands, elitism, migrants, initial_depth, max_depth, selection, sharing, .. } =
            *self;
        if self.seed > i64::MAX as u64 {
            bail!("seed must be at most {1} (got {0})", self.seed, i64::MAX);
        }
        if population % islands != 0 {
            bail!("population must be a multiple of {islands}, the number of islands (got {population})");
        }
        let size = population / islands;
        if elitism >= size {
            let most = size - 1;
            bail!("elitism must be at most {most} on islands of {size} programs (got {elitism})");
        }
        if islands > 1 && elitism + migrants > size {
            let most = size - elitism;
            bail!(
                "migrants must be at most {most} on islands of {size} programs with elitism {elitism} (got {migrants})"
            );
        }
        if matches!(selection, Selection::Nsga2(_)) && islands > 1 {
            bail!("selection by nsga2 needs a single island (islands is {islands})");
        }
        if sharing > 0.0 && !matches!(selection, Selection::Roulette | Selection::Tournament(_)) {
            bail!("sharing needs selection by roulette or tournament:N (selection is {selection})");
        }
        if max_depth != 0 && max_depth < initial_depth {
            bail!("max_depth must be 0 (no limit) or at least initial_depth, {initial_depth} (got {max_depth})");
        }
        Ok(())
    }

    /// Returns whether selection needs the results of programs in single cases.
    pub fn needs_cases(&self) -> bool {
        self.selection == Selection::Lexicase || self.sharing > 0.0
    }

    /// Returns the number of programs per island.
    pub fn island_size(&self) -> u32 {
        self.population / self.islands.max(1)
    }
}
