//! Genetic programming over any language of expressions.
//!
//! A problem brings a [`Language`] (its functions, inputs and constants) and a [`Problem`] (what a program is worth);
//! everything else is shared: trees as flat lists of nodes, growth, crossover, mutation, texts, simplification, the linear tape that
//! is evaluated, statistics, and the run. Nothing here walks a tree by recursion, so programs may be as deep as they like.

pub mod breed;
pub mod fold;
pub mod grow;
pub mod language;
mod making;
mod places;
pub mod population;
pub mod problem;
pub mod row;
pub mod run;
mod select;
pub mod tableau;
pub mod tape;
pub mod text;
pub mod threads;
pub mod tree;
pub mod view;

pub use fold::simplified;
pub use grow::Grammar;
pub use language::{Language, Operand, Symbol};
pub use population::{Birth, Individual, Operator, Population};
pub use problem::{Memo, Outcome, Problem};
pub use row::{GenerationRow, History};
pub use run::GpRun;
pub use tableau::{Selection, Tableau};
pub use tape::Tape;
pub use threads::Threads;
pub use tree::{Node, Tree};
pub use view::{Best, EvolutionView, Histograms, Improvement, Times};
