//! The display of evolved programs of any problem, and their games on the Board.
//!
//! A problem implements [`Inspect`]; [`AnyView`] and [`AnyProgram`] are its runs and programs as trait objects.

use mancalab_base::Error;
use std::collections::HashSet;
use std::sync::Arc;

use super::analysis::{self, Analyser, Tracer};
use super::gp::archive::{IslandCurves, fittest_of_islands};
use super::gp::population::front;
use super::gp::problem::Settings as _;
use super::gp::{EvolutionView, Genome, OperatorSuccess, Problem, RunStatus, Selectable};
use super::subterms::{self, Place, Subterms};
use crate::game::{Position, Side, Variant};
use crate::player::Spec;
use crate::program::fold::needed;
use crate::program::language::{Language, Node};
use crate::program::tree::Tree;

/// A problem whose programs can be displayed and played.
pub trait Inspect: Problem {
    /// The presets: (name, description).
    const PRESETS: &'static [(&'static str, &'static str)];

    /// The prefix of a file name in the text of the player that reads the file.
    const PLAYER: &'static str;

    /// Returns the player of the program in a text written by [`text`](Problem::text).
    ///
    /// # Errors
    /// The text holds no program.
    fn spec(text: &str) -> Result<Spec, Error>;

    /// Returns the settings of a preset, with seed 1; `None` if it is not one of [`PRESETS`](Inspect::PRESETS).
    fn preset(name: &str) -> Option<Self::Settings>;

    /// Returns settings that fit the program in a file of unknown origin, if there are any.
    fn settings_for(_text: &str) -> Option<Self::Settings> {
        Self::PRESETS.first().and_then(|(name, _)| Self::preset(name))
    }

    /// Returns the value of every node in the position on the board, or in the initial position if `board` belongs to another
    /// game.
    fn valued(settings: &Self::Settings, program: &Genome<Self::Language>, board: Option<Position>) -> ValuedProgram;

    /// Returns the game.
    fn game(settings: &Self::Settings) -> Variant;

    /// Returns the side that the programs play, or play first.
    fn side(_settings: &Self::Settings) -> Side {
        Side::South
    }

    /// Returns the first opponent of the programs.
    ///
    /// # Errors
    /// Returns an error if it has no player text.
    fn opponent(settings: &Self::Settings) -> Result<Spec, Error>;

    /// Returns the number of pits and stores that programs of a game of pits read; `None` for other games.
    fn places(_settings: &Self::Settings) -> Option<usize> {
        None
    }

    /// Returns the games in which to note what the program reads; `None` where programs are run in searches.
    fn tracer(_settings: &Self::Settings, _program: &Genome<Self::Language>) -> Option<Box<dyn Tracer>> {
        None
    }

    /// Returns the bounds of the greatest sum of scores that any player can reach, if they are known.
    fn greatest_sum(_settings: &Self::Settings) -> Option<(u32, u32)> {
        None
    }
}

/// A program with the value of every node in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ValuedProgram {
    /// Whether the position is the one on the board.
    pub of_board: bool,
    /// The trees, at least one if there is a program.
    pub trees: Vec<ValuedTree>,
}

/// A tree of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuedTree {
    /// The role of the tree; empty for a single one.
    pub title: String,
    /// The part of the role that depends on the position, to be appended to the title.
    pub now: String,
    /// In prefix order.
    pub nodes: Vec<ValuedNode>,
}

/// A node with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuedNode {
    /// The symbol or constant.
    pub text: String,
    pub value: String,
    /// Whether the program's value comes from it in this position.
    pub taken: bool,
    /// Whether the program's value can depend on it in any position.
    pub needed: bool,
    pub is_constant: bool,
    /// The indices of its arguments, and the end of its subtree.
    pub args: Vec<usize>,
    pub end: usize,
}

impl ValuedTree {
    /// Creates a tree from the values of its nodes. `taken` marks the nodes that the program's value comes from.
    pub fn new<L: Language>(title: String, tree: &Tree<L>, values: &[String], taken: &[bool]) -> ValuedTree {
        let children = tree.children();
        let needed = needed(tree);
        let node = |(at, node): (usize, &Node<L::Constant>)| ValuedNode {
            text: match node {
                Node::Constant(constant) => constant.to_string(),
                Node::Symbol(symbol) => L::SYMBOLS[usize::from(*symbol)].name.to_owned(),
            },
            value: values[at].clone(),
            taken: taken[at],
            needed: needed[at],
            is_constant: matches!(node, Node::Constant(_)),
            args: children[at].clone(),
            end: tree.end(at),
        };
        ValuedTree { title, now: String::new(), nodes: tree.nodes().iter().enumerate().map(node).collect() }
    }

    /// Returns what is drawn of the tree, in prefix order: a node each, but a function of a single constant with the constant.
    pub fn lines(&self) -> Vec<TreeLine> {
        let mut lines = Vec::new();
        // The remaining nodes, the next one last: node, what it is to its function, depth, and whether it is the last argument.
        let mut open = vec![(0, "", 0, true)];
        while let Some((at, part, depth, is_last)) = open.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            let mut text = node.text.clone();
            let mut end = node.end;
            match node.args[..] {
                [only] if self.nodes[only].is_constant => {
                    text = format!("{text} {}", self.nodes[only].text);
                    end = at + 1;
                }
                ref args => {
                    let last = args.len().saturating_sub(1);
                    let part = |nth: usize| if node.text == "if" { IF.get(nth).copied().unwrap_or("") } else { "" };
                    let args = args.iter().enumerate().rev();
                    open.extend(args.map(|(nth, &arg)| (arg, part(nth), depth + 1, nth == last)));
                }
            }
            lines.push(TreeLine { node: at, part, text, depth, is_last, end });
        }
        lines
    }
}

/// The arguments of `if`: the third is its value if the first is less than the second, else the fourth.
const IF: [&str; 4] = ["condition: ", "less than: ", "then: ", "else: "];

/// A node as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeLine {
    /// Its index in the tree.
    pub node: usize,
    /// What it is to its function, such as `then: `.
    pub part: &'static str,
    pub text: String,
    pub depth: usize,
    /// Whether it is the last argument of its function.
    pub is_last: bool,
    /// The end of its subtree; behind itself if its argument is in its text.
    pub end: usize,
}

/// A program of any problem.
pub trait AnyProgram: Send + Sync {
    /// Returns a hash that identifies the program.
    fn hash(&self) -> u64;

    /// See [`Problem::text`].
    fn text(&self) -> String;

    /// See [`Problem::simplified`].
    fn simplified(&self) -> (String, usize);

    /// See [`Inspect::valued`].
    fn valued(&self, board: Option<Position>) -> ValuedProgram;

    /// See [`Inspect::places`].
    fn places(&self) -> Option<usize>;

    /// Returns the [analysis] of the program in its games, to be computed.
    ///
    /// # Errors
    /// The program is too large, or its opponents change from generation to generation.
    fn analyser(&self) -> Result<Box<dyn Analyser>, Error>;

    /// Returns the hashes of its subterms.
    fn subterms(&self) -> HashSet<u64>;

    /// Returns the subterm at a node of a tree in short form.
    fn subterm(&self, tree: usize, node: usize) -> String;
}

/// A program with its settings.
struct Program<P: Problem> {
    settings: Arc<P::Settings>,
    genome: Arc<Genome<P::Language>>,
}

impl<P: Inspect> AnyProgram for Program<P> {
    fn hash(&self) -> u64 {
        self.genome.hash()
    }

    fn text(&self) -> String {
        P::text(&self.settings, &self.genome)
    }

    fn simplified(&self) -> (String, usize) {
        P::simplified(&self.settings, &self.genome)
    }

    fn valued(&self, board: Option<Position>) -> ValuedProgram {
        P::valued(&self.settings, &self.genome, board)
    }

    fn places(&self) -> Option<usize> {
        P::places(&self.settings)
    }

    fn analyser(&self) -> Result<Box<dyn Analyser>, Error> {
        analysis::analyser::<P>(&self.settings, &self.genome)
    }

    fn subterms(&self) -> HashSet<u64> {
        subterms::places(&self.genome).map(|(_, _, subterm)| subterm.hash).collect()
    }

    fn subterm(&self, tree: usize, node: usize) -> String {
        subterms::text(&self.genome, Place { program: 0, tree, node })
    }
}

/// Returns the program in a file as an [`AnyProgram`].
pub(super) fn program_in<P: Inspect>(settings: &P::Settings, text: &str) -> Option<Arc<dyn AnyProgram>> {
    let genome = Arc::new(P::read(settings, text).ok()?);
    Some(Arc::new(Program::<P> { settings: Arc::new(settings.clone()), genome }))
}

/// A snapshot of a run of any problem.
pub trait AnyView: Send + Sync {
    fn run_status(&self) -> &RunStatus;

    /// Returns the number of the newest evaluated generation, and its size.
    fn population(&self) -> Option<(u64, usize)>;

    /// Returns the program of a rank, 0 for the fittest.
    fn ranked(&self, rank: usize) -> Option<&Selectable>;

    /// Returns the ranks of the programs that no other one dominates in fitness and size, fittest first; see
    /// [`front()`](front).
    fn front(&self) -> Vec<usize> {
        let len = self.population().map_or(0, |(_, len)| len);
        let points = (0..len).map_while(|rank| self.ranked(rank)).map(|one| (one.outcome.fitness, one.nodes));
        front(&points.collect::<Vec<_>>())
    }

    /// Returns the program of a rank, for display.
    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>>;

    /// Returns the best program so far, and the generation it was found in.
    fn best(&self) -> Option<(u64, &Selectable)>;

    /// Returns the best program so far, for display.
    fn best_program(&self) -> Option<Arc<dyn AnyProgram>>;

    /// Returns the programs of the hall of fame, in its order, with the generations they entered it in.
    fn hall(&self) -> Vec<(u64, &Selectable)>;

    /// Returns a program of the hall of fame, 0 for the first, for display.
    fn hall_program(&self, place: usize) -> Option<Arc<dyn AnyProgram>>;

    /// Returns the success of the operators over the run, and the first generation included.
    fn operators(&self) -> (u64, &[OperatorSuccess]);

    /// Returns the rank of the fittest program of each island.
    fn islands(&self) -> Vec<usize>;

    /// Returns the best fitness of each island over the generations.
    fn island_curves(&self) -> &IslandCurves;

    /// Returns the subterms of the newest generation; see [`subterms`].
    fn subterms(&self) -> Subterms;

    /// Returns a subterm at its first place in short form.
    fn subterm(&self, place: Place) -> Option<String>;

    /// Returns the best program as one line, and simplified.
    fn best_told(&self) -> Option<(String, String)>;
}

fn any_program<P: Inspect>(view: &EvolutionView<P>, genome: &Arc<Genome<P::Language>>) -> Arc<dyn AnyProgram> {
    Arc::new(Program::<P> { settings: Arc::clone(&view.settings), genome: Arc::clone(genome) })
}

impl<P: Inspect> AnyView for EvolutionView<P> {
    fn run_status(&self) -> &RunStatus {
        &self.run_status
    }

    fn population(&self) -> Option<(u64, usize)> {
        self.population.as_ref().map(|population| (population.generation, population.len()))
    }

    fn ranked(&self, rank: usize) -> Option<&Selectable> {
        self.population.as_ref()?.ranked(rank).map(|one| &one.selectable)
    }

    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>> {
        Some(any_program(self, &self.population.as_ref()?.ranked(rank)?.program))
    }

    fn best(&self) -> Option<(u64, &Selectable)> {
        self.best.as_ref().map(|best| (best.found, &best.individual.selectable))
    }

    fn best_program(&self) -> Option<Arc<dyn AnyProgram>> {
        Some(any_program(self, &self.best.as_ref()?.individual.program))
    }

    fn hall(&self) -> Vec<(u64, &Selectable)> {
        self.archive.hall.iter().map(|member| (member.found, &member.individual.selectable)).collect()
    }

    fn hall_program(&self, place: usize) -> Option<Arc<dyn AnyProgram>> {
        Some(any_program(self, &self.archive.hall.get(place)?.individual.program))
    }

    fn operators(&self) -> (u64, &[OperatorSuccess]) {
        (self.archive.since, &self.archive.operators)
    }

    fn islands(&self) -> Vec<usize> {
        let population = self.population.as_ref();
        population.map_or(Vec::new(), |population| fittest_of_islands(population, self.settings.tableau()))
    }

    fn island_curves(&self) -> &IslandCurves {
        &self.archive.islands
    }

    fn subterms(&self) -> Subterms {
        let population = self.population.as_deref();
        let programs = population.map_or(&[][..], |population| &population.individuals);
        subterms::counted(programs.iter().map(|one| &*one.program))
    }

    fn subterm(&self, place: Place) -> Option<String> {
        let program = &self.population.as_ref()?.individuals.get(place.program)?.program;
        Some(subterms::text(program, place))
    }

    fn best_told(&self) -> Option<(String, String)> {
        let best = self.best.as_ref()?;
        Some((best.summary(self.run_status.history.measures()), best.simplified.0.clone()))
    }
}
