//! Programs as data: expressions of any language.
//!
//! A [`Language`] is data (symbols, notation, constants) and one function that applies a symbol. All other code is generic:
//! trees as flat lists of nodes, random generation, text formats, simplification, and the linear tape that is run. No tree
//! traversal is recursive, so the depth of programs is not limited. [`crate::gp`] evaluates and breeds programs; players play
//! by them.

pub mod fold;
pub mod grow;
pub mod language;
pub mod tape;
pub mod text;
pub mod tree;

pub use fold::simplified;
pub use grow::Grammar;
pub use language::{Language, Node, Operand, Part, Symbol};
pub use tape::{LANES, RowTape, Tape};
pub use tree::Tree;
