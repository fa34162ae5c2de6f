//! What programs are made of.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::rng::Rng;

/// A function, or an input without arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name in settings and in tables of what a program is made of.
    pub name: &'static str,
    /// The name in s-expressions: one token.
    pub short: &'static str,
    /// The source's own notation: what stands before, between and behind the arguments; one piece more than there are arguments.
    pub pieces: &'static [&'static str],
}

impl Symbol {
    pub const fn arity(&self) -> usize {
        self.pieces.len() - 1
    }
}

/// No function takes more arguments.
pub const MAX_ARITY: usize = 4;

/// A function or input by its place in [`Language::SYMBOLS`], or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node<C> {
    Symbol(u8),
    Constant(C),
}

/// What is known of a value before a program runs. Equal numbers of `Other` are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<C> {
    Constant(C),
    /// An input by its number.
    Input(u8),
    /// Something computed.
    Other(u32),
}

/// What a symbol is where a program comes with a definition that it may call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// It means the same everywhere.
    Plain,
    /// It calls what is defined with its arguments.
    Call,
    /// In what is defined, the call's argument of this number, counted from 0.
    Parameter(u8),
}

/// A language of expressions without side effects, all of one type: functions of inputs and constants, each defined everywhere.
pub trait Language: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// A constant as it stands in a program.
    type Constant: Copy + Eq + Debug + Display + Send + Sync + 'static;
    /// What expressions compute.
    type Value: Copy + Debug + Default + Send + Sync + 'static;
    /// What a program looks at.
    type Context: ?Sized + Sync;

    /// All functions and inputs, those of one notation's longer beginnings first where two begin alike.
    const SYMBOLS: &'static [Symbol];
    /// How many inputs a context has, at most 255.
    const INPUTS: usize;
    /// What stands around a constant in the source's notation.
    const CONSTANT: [&'static str; 2];
    /// What stands around a program that is a single input or constant, in s-expressions.
    const ALONE: [&'static str; 2] = ["", ""];
    /// What a constant may be, for error messages.
    const CONSTANT_HELP: &'static str;

    /// A constant for a grown program.
    fn draw(rng: &mut Rng) -> Self::Constant;

    fn parse_constant(text: &str) -> Option<Self::Constant>;

    fn value(constant: Self::Constant) -> Self::Value;

    /// Bits that tell constants apart, for hashing.
    fn bits(constant: Self::Constant) -> u64;

    /// The constant with this value, if there is one: what constants are folded to.
    fn constant(value: Self::Value) -> Option<Self::Constant>;

    /// The inputs of `context`, into a slice of [`INPUTS`](Language::INPUTS) values.
    fn look(context: &Self::Context, inputs: &mut [Self::Value]);

    /// The function's value; `arg` gives its arguments and `input` the inputs, each by number.
    fn apply(symbol: u8, arg: impl Fn(usize) -> Self::Value, input: impl Fn(usize) -> Self::Value) -> Self::Value;

    /// [`apply`](Language::apply) to rows of arguments and inputs, a number a worker. A language whose functions are a few machine
    /// instructions brings its own, which looks at the symbol once and goes through the workers in plain loops.
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

    /// A simpler operand with the same value, if the language knows one. Constants need not be folded here if
    /// [`is_closed`](Language::is_closed) says that the function depends on its arguments only.
    fn fold(symbol: u8, args: &[Operand<Self::Constant>]) -> Option<Operand<Self::Constant>>;

    /// Whether the function's value depends on its arguments only, and on no other input.
    fn is_closed(symbol: u8) -> bool;

    /// What part the symbol plays in programs with a definition. In programs without one, calls and parameters are what
    /// [`apply`](Language::apply) and [`fold`](Language::fold) make of them.
    #[inline(always)]
    fn part(_symbol: u8) -> Part {
        Part::Plain
    }

    /// How a program says input `input`: nodes in prefix order.
    fn input_nodes(input: u8) -> Vec<Node<Self::Constant>>;
}
