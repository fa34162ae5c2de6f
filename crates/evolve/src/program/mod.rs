//! Programs as data: expressions of any language.
//!
//! A [`Language`] is data (symbols, notation, constants) and one function that applies a symbol. Everything else works on any:
//! trees as flat lists of nodes, growing them at random, their texts, simplification, and the linear tape that is run. Nothing
//! here walks a tree by recursion, so programs may be as deep as they like. What a program is worth, and how better ones are bred,
//! is the business of [`crate::gp`]; who plays by one is a player.

pub mod fold;
pub mod grow;
pub mod language;
pub mod rows;
pub mod tape;
pub mod text;
pub mod tree;

pub use fold::simplified;
pub use grow::Grammar;
pub use language::{Language, Node, Operand, Part, Symbol};
pub use rows::RowTape;
pub use tape::Tape;
pub use tree::Tree;
