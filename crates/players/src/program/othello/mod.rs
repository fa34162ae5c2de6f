//! The language of functions that evaluate an Othello board: real-valued arithmetic over counts.
//!
//! After "Genetic Programming Applied to Board Game Othello": `+ - * /`, the constant 10, and discs, corners, near corners and edges
//! of either colour. In the source the learner is White. Here `white` is the side that plays by the function, and `black` the
//! opponent, so that a function plays both colours alike.
//!
//! The source's base program had automatically defined functions: a function may come with another that it calls, `adf1` or `adf2` by
//! the number of its arguments, which are `arg1` and `arg2` there.

mod function;

use std::fmt;

use super::language::{Language, Node, Operand, Part, Symbol};
use crate::game::othello::COUNTS;
use crate::rng::Rng;
pub use function::{Callee, Function};

/// The counts of the side that plays by the function, then the opponent's: discs, corners, near corners, edges.
pub type Counts = [i32; 2 * COUNTS];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OthelloLanguage;

/// Indices of the functions in the list of symbols.
pub const ADD: u8 = 0;
pub const SUB: u8 = 1;
pub const MUL: u8 = 2;
pub const DIV: u8 = 3;
/// The index of the first count.
const FIRST: u8 = 4;
/// Indices of a defined function's parameters, and of its calls with one and with two arguments.
pub const ARG1: u8 = FIRST + 2 * COUNTS as u8;
pub const ARG2: u8 = ARG1 + 1;
pub const ADF1: u8 = ARG1 + 2;
pub const ADF2: u8 = ARG1 + 3;
/// Functions that the source does not have.
pub const IF: u8 = ADF2 + 1;
const MIN: u8 = ADF2 + 2;
const MAX: u8 = ADF2 + 3;

/// Returns the names of the counts, in order.
pub fn count_names() -> [&'static str; 2 * COUNTS] {
    std::array::from_fn(|count| OthelloLanguage::SYMBOLS[usize::from(FIRST) + count].name)
}

/// The result of a division by zero, protected as in the source.
pub const BY_ZERO: f64 = 1.0;

/// A finite real number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Real(f64);

impl Eq for Real {}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

const fn function(name: &'static str, short: &'static str, pieces: &'static [&'static str]) -> Symbol {
    Symbol { name, short, pieces }
}

const fn count(name: &'static str, pieces: &'static [&'static str]) -> Symbol {
    Symbol { name, short: name, pieces }
}

/// `a / b`, protected.
#[inline(always)]
fn divided(a: f64, b: f64) -> f64 {
    if b == 0.0 { BY_ZERO } else { a / b }
}

/// The lesser number; the second if they do not compare.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater number; the second if they do not compare.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Language for OthelloLanguage {
    type Constant = Real;
    type Value = f64;
    type Context = Counts;

    const SYMBOLS: &'static [Symbol] = &[
        function("add", "+", &["( + ", " ", " )"]),
        function("sub", "-", &["( - ", " ", " )"]),
        function("mul", "*", &["( * ", " ", " )"]),
        function("div", "/", &["( / ", " ", " )"]),
        count("white", &["white"]),
        count("white_corners", &["white_corners"]),
        count("white_near_corners", &["white_near_corners"]),
        count("white_edges", &["white_edges"]),
        count("black", &["black"]),
        count("black_corners", &["black_corners"]),
        count("black_near_corners", &["black_near_corners"]),
        count("black_edges", &["black_edges"]),
        count("arg1", &["arg1"]),
        count("arg2", &["arg2"]),
        function("adf1", "adf1", &["( adf1 ", " )"]),
        function("adf2", "adf2", &["( adf2 ", " ", " )"]),
        function("if", "if<", &["( if< ", " ", " ", " ", " )"]),
        function("min", "min", &["( min ", " ", " )"]),
        function("max", "max", &["( max ", " ", " )"]),
    ];
    const CODED: usize = IF as usize;
    /// The counts, and the parameters, which are 0 outside of a definition.
    const INPUTS: usize = 2 * COUNTS + 2;
    const CONSTANT: [&'static str; 2] = ["", ""];
    const CONSTANT_HELP: &'static str = "a number, a count such as white";
    const ALONE: [&'static str; 2] = ["( ", " )"];

    fn draw(_: &mut Rng) -> Real {
        Real(10.0)
    }

    fn parse_constant(text: &str) -> Option<Real> {
        // The standard library would read words such as `inf`, and write them differently.
        let plain =
            text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.ends_with(|c: char| c.is_ascii_digit());
        text.parse().ok().filter(|number: &f64| plain && number.is_finite()).map(|number| Real(number + 0.0))
    }

    fn value(constant: Real) -> f64 {
        constant.0
    }

    fn bits(constant: Real) -> u64 {
        constant.0.to_bits()
    }

    fn constant(value: f64) -> Option<Real> {
        value.is_finite().then_some(Real(value + 0.0))
    }

    #[inline]
    fn look(counts: &Counts, inputs: &mut [f64]) {
        for (input, &count) in inputs.iter_mut().zip(counts) {
            *input = count.into();
        }
    }

    #[inline(always)]
    fn apply(symbol: u8, arg: impl Fn(usize) -> f64, input: impl Fn(usize) -> f64) -> f64 {
        match symbol {
            ADD => arg(0) + arg(1),
            SUB => arg(0) - arg(1),
            MUL => arg(0) * arg(1),
            DIV => divided(arg(0), arg(1)),
            // A call without a definition.
            ADF1 | ADF2 => arg(0),
            IF => {
                if arg(0) < arg(1) {
                    arg(2)
                } else {
                    arg(3)
                }
            }
            MIN => lesser(arg(0), arg(1)),
            MAX => greater(arg(0), arg(1)),
            count => input(usize::from(count - FIRST)),
        }
    }

    #[inline]
    fn apply_row<'a>(
        symbol: u8,
        out: &mut [f64],
        arg: impl Fn(usize) -> &'a [f64],
        input: impl Fn(usize) -> &'a [f64],
    ) {
        match symbol {
            ADD => each(out, arg(0), arg(1), |a, b| a + b),
            SUB => each(out, arg(0), arg(1), |a, b| a - b),
            MUL => each(out, arg(0), arg(1), |a, b| a * b),
            DIV => each(out, arg(0), arg(1), divided),
            ADF1 | ADF2 => out.copy_from_slice(arg(0)),
            IF => {
                let [a, b, then, otherwise] = [0, 1, 2, 3].map(&arg);
                for (at, out) in out.iter_mut().enumerate() {
                    *out = if a[at] < b[at] { then[at] } else { otherwise[at] };
                }
            }
            MIN => each(out, arg(0), arg(1), lesser),
            MAX => each(out, arg(0), arg(1), greater),
            count => out.copy_from_slice(input(usize::from(count - FIRST))),
        }
    }

    /// Folds only identities that hold for infinities too, since a computed value may overflow.
    fn fold(symbol: u8, args: &[Operand<Real>]) -> Option<Operand<Real>> {
        let known = |operand: Operand<Real>, number: f64| operand == Operand::Constant(Real(number));
        let is_finite = |operand: Operand<Real>| match operand {
            Operand::Constant(_) => true,
            Operand::Input(input) => input < ARG1 - FIRST,
            Operand::Other(_) => false,
        };
        match (symbol, args) {
            (symbol, []) => Some(Operand::Input(symbol - FIRST)),
            (IF, &[a, b, _, otherwise]) if a == b => Some(otherwise),
            (IF, &[_, _, then, otherwise]) if then == otherwise => Some(then),
            (MIN | MAX, &[a, b]) if a == b => Some(a),
            (ADD, &[a, b]) if known(a, 0.0) => Some(b),
            (ADD | SUB, &[a, b]) if known(b, 0.0) => Some(a),
            (MUL, &[a, b]) if known(a, 1.0) => Some(b),
            (MUL | DIV, &[a, b]) if known(b, 1.0) => Some(a),
            (DIV, &[_, b]) if known(b, 0.0) => Some(Operand::Constant(Real(BY_ZERO))),
            (SUB, &[a, b]) if a == b && is_finite(a) => Some(Operand::Constant(Real(0.0))),
            (DIV, &[a, b]) if a == b && is_finite(a) => Some(Operand::Constant(Real(1.0))),
            (MUL, &[a, b]) if (known(a, 0.0) && is_finite(b)) || (known(b, 0.0) && is_finite(a)) => {
                Some(Operand::Constant(Real(0.0)))
            }
            _ => None,
        }
    }

    fn is_closed(symbol: u8) -> bool {
        !(FIRST..IF).contains(&symbol)
    }

    #[inline(always)]
    fn part(symbol: u8) -> Part {
        match symbol {
            ADF1 | ADF2 => Part::Call,
            ARG1 | ARG2 => Part::Parameter(symbol - ARG1),
            _ => Part::Plain,
        }
    }

    fn input_nodes(input: u8) -> Vec<Node<Real>> {
        vec![Node::Symbol(FIRST + input)]
    }
}

#[inline(always)]
fn each(out: &mut [f64], a: &[f64], b: &[f64], apply: impl Fn(f64, f64) -> f64) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = apply(a, b);
    }
}
