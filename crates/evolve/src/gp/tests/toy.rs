//! A toy problem: an expression, or the sum of two, is to fit a polynomial.

use std::sync::Arc;

use mancalab_base::Error;
use rand::RngExt as _;

use crate::budget::{Budget, Status};
use crate::gp::genome::Generator;
use crate::gp::problem::{self, Problem, tableau_entries};
use crate::gp::tableau::MAX_NODES;
use crate::gp::{EvolutionView, Genome, Measures, Outcome, Points, Scores, Selection, Tableau};
use crate::job::View;
use crate::pool::Pool;
use crate::program::grow::{CONSTANT, Grammar};
use crate::program::language::{Language, Node, Operand, Symbol};
use crate::program::simplified;
use crate::program::tape::Tape;
use crate::program::tree::Tree;
use crate::rng::{self, Rng};
use crate::settings::{Entry, KeyedSettings as _, SettingsTable, entry};

/// Expressions of one input with wrapping integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sums;

const fn symbol(name: &'static str, short: &'static str, pieces: &'static [&'static str]) -> Symbol {
    Symbol { name, short, pieces }
}

const INPUT: u8 = 5;

impl Language for Sums {
    type Constant = i32;
    type Value = i32;
    type Context = i32;

    const SYMBOLS: &'static [Symbol] = &[
        symbol("add", "+", &["(", " + ", ")"]),
        symbol("sub", "-", &["(", " - ", ")"]),
        symbol("mul", "*", &["(", " * ", ")"]),
        symbol("if", "if<", &["(if ", " < ", " do ", " else do ", ")"]),
        symbol("neg", "neg", &["(neg ", ")"]),
        symbol("x", "x", &["x"]),
    ];
    const INPUTS: usize = 1;
    const CONSTANT: [&'static str; 2] = ["(", ")"];
    const CONSTANT_HELP: &'static str = "a whole number";

    fn draw(rng: &mut Rng) -> i32 {
        rng.random_range(-9..10)
    }

    fn parse_constant(text: &str) -> Option<i32> {
        text.parse().ok()
    }

    fn value(constant: i32) -> i32 {
        constant
    }

    fn bits(constant: i32) -> u64 {
        u64::from(constant.cast_unsigned())
    }

    fn constant(value: i32) -> Option<i32> {
        Some(value)
    }

    fn look(context: &i32, inputs: &mut [i32]) {
        inputs[0] = *context;
    }

    fn apply(symbol: u8, arg: impl Fn(usize) -> i32, input: impl Fn(usize) -> i32) -> i32 {
        match symbol {
            0 => arg(0).wrapping_add(arg(1)),
            1 => arg(0).wrapping_sub(arg(1)),
            2 => arg(0).wrapping_mul(arg(1)),
            3 if arg(0) < arg(1) => arg(2),
            3 => arg(3),
            4 => arg(0).wrapping_neg(),
            _ => input(0),
        }
    }

    fn fold(_: u8, _: &[Operand<i32>]) -> Option<Operand<i32>> {
        None
    }

    fn is_closed(symbol: u8) -> bool {
        symbol != INPUT
    }

    fn input_nodes(_: u8) -> Vec<Node<i32>> {
        vec![Node::Symbol(INPUT)]
    }
}

/// The settings of a run: the tableau and those of the toy.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Settings {
    pub tableau: Tableau,
    /// Number of trees, 1 or 2, whose values are added.
    pub trees: u32,
    /// Whether every generation fits another polynomial.
    pub anew: bool,
    /// Whether the fittest program of the previous generation is wanted.
    pub champions: bool,
    /// The run ends when the error of the best program is at most this; 0: never.
    pub termination: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        let tableau = Tableau {
            seed: 1,
            population: 24,
            generations: 7,
            crossover: 90.0,
            points: Points::Uniform,
            mutation: 10.0,
            selection: Selection::Roulette,
            elitism: 0,
            generator: Generator::Even,
            initial_depth: 5,
            mutation_depth: 4,
            max_depth: 0,
            max_nodes: MAX_NODES,
            parsimony: 0.0,
            prefer_small: false,
            sharing: 0.0,
            functions: ["add", "sub", "mul", "if", "neg"].map(str::to_owned).into(),
            islands: 1,
            migration_every: 0,
            migrants: 0,
            initial: Default::default(),
            conduct: Default::default(),
        };
        Settings { tableau, trees: 1, anew: false, champions: false, termination: 0 }
    }
}

/// Returns the grammar of these functions, with all inputs and constants.
pub(super) fn grammar<S: AsRef<str>>(functions: &[S]) -> Result<Grammar<Sums>, Error> {
    let inputs = Sums::SYMBOLS.iter().filter(|symbol| symbol.arity() == 0).map(|symbol| symbol.name);
    let names: Vec<&str> = functions.iter().map(AsRef::as_ref).chain(inputs).chain([CONSTANT]).collect();
    Grammar::with_symbols(&names)
}

impl Settings {
    /// Returns the default settings with these changes, such as `islands=3`.
    pub fn with(texts: &[&str]) -> Settings {
        let mut settings = Settings::default();
        texts.iter().for_each(|text| settings.set_text(text).unwrap_or_else(|report| panic!("{report}")));
        settings
    }
}

impl SettingsTable for Settings {
    fn entries() -> Vec<Entry<Settings>> {
        let own = [
            entry!(trees: whole(1, 2), "trees of a program, 1 or 2"),
            entry!(anew: flag, "every generation fits another polynomial: true or false"),
            entry!(champions: flag, "the fittest program of the previous generation is wanted: true or false"),
            entry!(termination: whole(0, 1_000_000), "the error at which the run ends; 0: never"),
        ];
        tableau_entries().into_iter().chain(own).collect()
    }
}

static MEASURES: Measures = crate::measures! {
    ("error_sum", "error", "the sum of the errors"),
};

impl problem::Settings for Settings {
    fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    fn tableau_mut(&mut self) -> &mut Tableau {
        &mut self.tableau
    }

    fn preset(&self) -> &str {
        "toy"
    }

    const HAS_CASES: bool = true;

    fn measures(&self) -> &'static Measures {
        &MEASURES
    }

    fn is_reached(&self, scores: &Scores) -> bool {
        scores[0] <= f64::from(self.termination) && self.termination > 0
    }
}

/// The problem.
pub(super) struct Toy {
    settings: Settings,
}

/// Programs being evaluated in a generation.
pub(super) struct Batch {
    programs: Vec<Arc<Genome<Sums>>>,
    outcomes: Vec<Outcome>,
    generation: u64,
}

impl Problem for Toy {
    type Language = Sums;
    type Settings = Settings;
    type Batch = Batch;

    const KIND: &'static str = "gp-toy";

    fn new(settings: &Settings) -> Result<Toy, Error> {
        Ok(Toy { settings: settings.clone() })
    }

    fn unread(_: &str, seed: u64, generations: u64) -> Settings {
        let mut settings = Settings::default();
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings
    }

    fn grammars(settings: &Settings) -> Result<Vec<Grammar<Sums>>, Error> {
        (0..settings.trees).map(|_| grammar(&settings.tableau.functions)).collect()
    }

    fn changes(&self) -> bool {
        self.settings.anew || self.settings.champions
    }

    fn champions_wanted(&self) -> usize {
        usize::from(self.settings.champions)
    }

    fn begin(&mut self, programs: Vec<Arc<Genome<Sums>>>, generation: u64) -> Batch {
        let generation = if self.settings.anew { generation } else { 0 };
        Batch { outcomes: Vec::with_capacity(programs.len()), programs, generation }
    }

    fn advance(&mut self, batch: &mut Batch, _: &Pool, budget: Budget) -> Status {
        while let Some(program) = batch.programs.get(batch.outcomes.len()) {
            batch.outcomes.push(outcome(program, batch.generation));
            if budget.is_spent() {
                return Status::Running;
            }
        }
        Status::Done
    }

    fn evaluated(batch: &Batch) -> usize {
        batch.outcomes.len()
    }

    fn cases(batch: &mut Batch) -> Vec<Arc<[f64]>> {
        batch
            .programs
            .iter()
            .map(|program| errors(program, batch.generation).map(|error| -f64::from(error)).collect())
            .collect()
    }

    fn finish(batch: Batch) -> Vec<Outcome> {
        batch.outcomes
    }

    fn text(_: &Settings, program: &Genome<Sums>) -> String {
        program.trees().iter().map(|tree| tree.to_sexpr() + "\n").collect()
    }

    fn read(settings: &Settings, text: &str) -> Result<Genome<Sums>, Error> {
        let trees = text.lines().map(Tree::parse).collect::<Result<Vec<_>, _>>()?;
        Genome::new(trees)
            .filter(|program| program.trees().len() == settings.trees as usize)
            .ok_or_else(|| format!("there are not {} trees", settings.trees).into())
    }

    fn simplified(_: &Settings, program: &Genome<Sums>) -> (String, usize) {
        let simple: Vec<Tree<Sums>> = program.trees().iter().map(simplified).collect();
        (simple.iter().map(Tree::to_sexpr).collect(), simple.iter().map(Tree::size).sum())
    }

    fn to_view(view: EvolutionView<Toy>) -> View {
        View::new(view)
    }
}

/// Returns the errors of a program at each x.
fn errors(program: &Genome<Sums>, generation: u64) -> impl Iterator<Item = u32> {
    let other = i32::try_from(generation).unwrap_or(0);
    let mut tapes: Vec<Tape<Sums>> = program.trees().iter().map(Tape::new).collect();
    (-5..=5).map(move |x: i32| {
        let value = tapes.iter_mut().fold(0_i32, |sum, tape| sum.wrapping_add(tape.run(&x)));
        value.abs_diff(x * x + (3 + other) * x - 7).min(1000)
    })
}

/// Returns how well a program fits the polynomial of a generation.
fn outcome(program: &Genome<Sums>, generation: u64) -> Outcome {
    let other = i32::try_from(generation).unwrap_or(0);
    let mut tapes: Vec<Tape<Sums>> = program.trees().iter().map(Tape::new).collect();
    let mut error = 0;
    let mut behaviour = 0;
    for x in -5..=5 {
        let value = tapes.iter_mut().fold(0_i32, |sum, tape| sum.wrapping_add(tape.run(&x)));
        let target = x * x + (3 + other) * x - 7;
        error += value.abs_diff(target).min(1000);
        behaviour = rng::derived(&[behaviour, u64::from(value.cast_unsigned())]);
    }
    // Coarse, so that some programs are equally fit; finer for smaller errors.
    let fitness = f64::from(error.leading_zeros());
    Outcome { fitness, scores: Scores::new(&[f64::from(error)]), behaviour }
}
