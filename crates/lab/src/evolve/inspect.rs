//! What a person is shown of the programs that are bred, whatever the problem, and how they come to the Board.
//!
//! A problem says what it has to show ([`Inspect`]); [`AnyView`] and [`AnyProgram`] are its runs and programs for those who do not ask
//! which problem they are of.

use mancalab_base::Error;
use std::sync::Arc;

use super::gp::{EvolutionView, Genome, Problem, Selectable, Standing};
use crate::game::{Position, Side, Variant};
use crate::player::Spec;
use crate::program::fold::needed;
use crate::program::language::{Language, Node};
use crate::program::tree::Tree;

/// A problem whose programs can be looked at and played.
pub trait Inspect: Problem {
    /// The presets: (name, what it is).
    const PRESETS: &'static [(&'static str, &'static str)];

    /// What stands before the name of a file with a program, in the text of the player who reads it.
    const PLAYER: &'static str;

    /// The settings of a preset, with seed 1; `None` if it is none of [`PRESETS`](Inspect::PRESETS).
    fn preset(name: &str) -> Option<Self::Settings>;

    /// The program of a file that [`text`](Problem::text) wrote; `None` if there is none in it.
    fn read(settings: &Self::Settings, text: &str) -> Option<Genome<Self::Language>>;

    /// Every node's value in the position on the board, or where that is of another game in the position at the start.
    fn valued(settings: &Self::Settings, program: &Genome<Self::Language>, board: Option<Position>) -> Valued;

    /// The game that is played.
    fn game(settings: &Self::Settings) -> Variant;

    /// Which side the programs play, or play first.
    fn side(_settings: &Self::Settings) -> Side {
        Side::South
    }

    /// Whom the programs play, the first of several.
    ///
    /// # Errors
    /// It cannot be named: a sentence.
    fn opponent(settings: &Self::Settings) -> Result<Spec, Error>;
}

/// A program with the value of every node in a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Valued {
    /// The position is that of the board.
    pub of_board: bool,
    /// At least one, if there is a program.
    pub trees: Vec<ValuedTree>,
}

/// One of its trees.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuedTree {
    /// What the tree is for; empty if there is only one.
    pub title: String,
    /// In prefix order.
    pub nodes: Vec<ValuedNode>,
}

/// A node with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuedNode {
    /// What it is called.
    pub text: String,
    pub value: String,
    /// The program's value comes from it in this position.
    pub taken: bool,
    /// The program's value may come from it in some position.
    pub needed: bool,
    pub is_constant: bool,
    /// The numbers of its arguments, and where its subtree ends.
    pub args: Vec<usize>,
    pub end: usize,
}

impl ValuedTree {
    /// A tree whose nodes have these values, of which those marked in `taken` are where the program's value comes from.
    pub fn new<L: Language>(title: String, tree: &Tree<L>, values: &[String], taken: &[bool]) -> ValuedTree {
        let (children, needed) = (tree.children(), needed(tree));
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
        ValuedTree { title, nodes: tree.nodes().iter().enumerate().map(node).collect() }
    }
}

/// A program of any problem.
pub trait AnyProgram: Send + Sync {
    /// What tells it from others.
    fn hash(&self) -> u64;

    /// See [`Problem::text`].
    fn text(&self) -> String;

    /// See [`Problem::simplified`].
    fn simplified(&self) -> (String, usize);

    /// See [`Inspect::valued`].
    fn valued(&self, board: Option<Position>) -> Valued;
}

/// A program, with the settings it is understood by.
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

    fn valued(&self, board: Option<Position>) -> Valued {
        P::valued(&self.settings, &self.genome, board)
    }
}

/// The program in a file, for [`AnyProgram`].
pub(super) fn program_in<P: Inspect>(settings: &P::Settings, text: &str) -> Option<Arc<dyn AnyProgram>> {
    let genome = Arc::new(P::read(settings, text)?);
    Some(Arc::new(Program::<P> { settings: Arc::new(settings.clone()), genome }))
}

/// A run of any problem as it stands.
pub trait AnyView: Send + Sync {
    fn standing(&self) -> &Standing;

    /// The number of the newest generation that is evaluated with all programs, and how many there are.
    fn population(&self) -> Option<(u64, usize)>;

    /// The program of a rank in it, 0 being the fittest.
    fn ranked(&self, rank: usize) -> Option<&Selectable>;

    /// The same to be looked at.
    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>>;

    /// The best so far, and the generation it was found in.
    fn best(&self) -> Option<(u64, &Selectable)>;

    /// The same to be looked at.
    fn best_program(&self) -> Option<Arc<dyn AnyProgram>>;

    /// The best in a line, and simplified.
    fn best_told(&self) -> Option<(String, String)>;
}

impl<P: Inspect> AnyView for EvolutionView<P> {
    fn standing(&self) -> &Standing {
        &self.standing
    }

    fn population(&self) -> Option<(u64, usize)> {
        self.population.as_ref().map(|population| (population.generation, population.len()))
    }

    fn ranked(&self, rank: usize) -> Option<&Selectable> {
        self.population.as_ref()?.ranked(rank).map(|one| &one.merits)
    }

    fn program(&self, rank: usize) -> Option<Arc<dyn AnyProgram>> {
        let genome = &self.population.as_ref()?.ranked(rank)?.program;
        Some(Arc::new(Program::<P> { settings: Arc::clone(&self.settings), genome: Arc::clone(genome) }))
    }

    fn best(&self) -> Option<(u64, &Selectable)> {
        self.best.as_ref().map(|best| (best.found, &best.individual.merits))
    }

    fn best_program(&self) -> Option<Arc<dyn AnyProgram>> {
        let genome = Arc::clone(&self.best.as_ref()?.individual.program);
        Some(Arc::new(Program::<P> { settings: Arc::clone(&self.settings), genome }))
    }

    fn best_told(&self) -> Option<(String, String)> {
        let best = self.best.as_ref()?;
        Some((best.summary(self.standing.history.measures()), best.simplified.0.clone()))
    }
}
