//! The definition of a language: symbols, nodes and their semantics.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::rng::Rng;

/// A function, or an input (without arguments).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name in settings and statistics.
    pub name: &'static str,
    /// The name in s-expressions: one token.
    pub short: &'static str,
    /// The source's notation: the text before, between and after the arguments; one piece more than there are arguments.
    pub pieces: &'static [&'static str],
}

impl Symbol {
    pub const fn arity(&self) -> usize {
        self.pieces.len() - 1
    }
}

/// Maximum number of arguments of a function.
pub const MAX_ARITY: usize = 4;

/// A function or input by its index in [`Language::SYMBOLS`], or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node<C> {
    Symbol(u8),
    Constant(C),
}

/// A value during folding. Equal numbers of `Other` are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<C> {
    Constant(C),
    /// An input by its number.
    Input(u8),
    /// A computed value, by its number or by a hash.
    Other(u64),
}

/// The role of a symbol in a program with a definition that it may call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The same meaning everywhere.
    Plain,
    /// A call of the definition with its arguments.
    Call,
    /// In a definition, the argument with this number, counted from 0.
    Parameter(u8),
}

/// A language of expressions without side effects, all of one type. Its functions of inputs and constants are total.
pub trait Language: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// A constant in a program.
    type Constant: Copy + Eq + Debug + Display + Send + Sync + 'static;
    /// The type of all values.
    type Value: Copy + Debug + Default + Send + Sync + 'static;
    /// The input of a program.
    type Context: ?Sized + Sync;

    /// All functions and inputs. Of notations with a common prefix the longer one comes first.
    const SYMBOLS: &'static [Symbol];
    /// Number of symbols before constants in checkpoints, where symbols that were added later follow the constants.
    const CODED: usize = Self::SYMBOLS.len();
    /// Number of inputs of a context, at most 255.
    const INPUTS: usize;
    /// The text before and after a constant in the source's notation.
    const CONSTANT: [&'static str; 2];
    /// The text before and after a program of a single input or constant, in s-expressions.
    const ALONE: [&'static str; 2] = ["", ""];
    /// The description of a constant in error messages.
    const CONSTANT_HELP: &'static str;

    /// Draws a constant for a grown program.
    fn draw(rng: &mut Rng) -> Self::Constant;

    fn parse_constant(text: &str) -> Option<Self::Constant>;

    fn value(constant: Self::Constant) -> Self::Value;

    /// Returns bits that distinguish constants, for hashing.
    fn bits(constant: Self::Constant) -> u64;

    /// Returns the constant with this value, if it exists; used for folding.
    fn constant(value: Self::Value) -> Option<Self::Constant>;

    /// Writes the inputs of `context` into a slice of [`INPUTS`](Language::INPUTS) values.
    fn look(context: &Self::Context, inputs: &mut [Self::Value]);

    /// Returns the value of a function. `arg` returns its arguments and `input` the inputs, by number.
    fn apply(symbol: u8, arg: impl Fn(usize) -> Self::Value, input: impl Fn(usize) -> Self::Value) -> Self::Value;

    /// Applies a symbol to rows of arguments and inputs, one number per lane. Languages whose functions are a few machine
    /// instructions override it with a single match on the symbol and plain loops over the lanes.
    #[inline]
    fn apply_row<'a>(
        symbol: u8,
        out: &mut [Self::Value],
        arg: impl Fn(usize) -> &'a [Self::Value],
        input: impl Fn(usize) -> &'a [Self::Value],
    ) {
        for (worker, value) in out.iter_mut().enumerate() {
            *value = Self::apply(symbol, |n| arg(n)[worker], |n| input(n)[worker]);
        }
    }

    /// Returns a simpler operand with the same value, if there is one. Constants are folded elsewhere if
    /// [`is_closed`](Language::is_closed) returns true.
    fn fold(symbol: u8, args: &[Operand<Self::Constant>]) -> Option<Operand<Self::Constant>>;

    /// Returns whether the value depends on the arguments only, not on other inputs.
    fn is_closed(symbol: u8) -> bool;

    /// Returns the role of the symbol in programs with a definition. In programs without one, [`apply`](Language::apply) and
    /// [`fold`](Language::fold) define calls and parameters.
    #[inline(always)]
    fn part(_symbol: u8) -> Part {
        Part::Plain
    }

    /// Returns the nodes of input `input`, in prefix order.
    fn input_nodes(input: u8) -> Vec<Node<Self::Constant>>;
}
