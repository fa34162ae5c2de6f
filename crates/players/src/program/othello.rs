//! The language of functions that evaluate an Othello board: real-valued arithmetic over counts.
//!
//! After "Genetic Programming Applied to Board Game Othello": `+ - * /`, the constant 10, and discs, corners, near corners and edges
//! of either colour. In the source the learner is White. Here `white` is the side that plays by the function, and `black` the
//! opponent, so that a function plays both colours alike.
//!
//! The source's base program had automatically defined functions: a function may come with another that it calls, `adf1` or `adf2` by
//! the number of its arguments, which are `arg1` and `arg2` there.
//!
//! A function with an optional function that it calls: `( + white ( adf2 white black ) ) where adf2 = ( * arg1 arg2 )`.

use std::fmt;
use std::str::FromStr;

use mancalab_base::{Error, bail};

use super::language::{Language, Node, Operand, Part, Symbol};
use super::text::{MOST_NODES, Place, Word, read_sexpr, word};
use super::{Tape, Tree};
use crate::game::TextError;
use crate::game::othello::COUNTS;
use crate::rng::Rng;

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

/// A function that evaluates a board. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    main: Tree<OthelloLanguage>,
    defined: Option<Callee>,
}

/// The function that another function may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callee {
    /// The number of arguments, 1 or 2.
    pub arity: usize,
    /// The body; parameters occur only here, and it calls nothing.
    pub body: Tree<OthelloLanguage>,
}

impl Callee {
    /// Returns the symbol that calls it.
    fn call(&self) -> u8 {
        if self.arity == 1 { ADF1 } else { ADF2 }
    }

    fn name(&self) -> &'static str {
        OthelloLanguage::SYMBOLS[usize::from(self.call())].name
    }
}

impl Function {
    /// A function of these trees.
    ///
    /// A call has no definition or another number of arguments, or a parameter is outside of a definition; or the function has more
    /// than [`MOST_NODES`] nodes with all calls inlined.
    pub fn new(main: Tree<OthelloLanguage>, defined: Option<Callee>) -> Result<Function, Error> {
        let arity = defined.as_ref().map_or(0, |defined| defined.arity);
        let misplaced = symbols(&main).find(|&symbol| !may_call(symbol, arity));
        let misplaced = misplaced.or_else(|| {
            let body = defined.as_ref().map(|defined| &defined.body);
            body.into_iter().flat_map(symbols).find(|&symbol| !may_define(symbol, arity))
        });
        if let Some(symbol) = misplaced {
            bail!("'{}' is not allowed here", OthelloLanguage::SYMBOLS[usize::from(symbol)].name);
        }
        let function = Function { main, defined };
        match function.inlined_size() {
            size if size > MOST_NODES => {
                Err(format!("with calls inlined it must have at most {MOST_NODES} nodes (got {size})").into())
            }
            _ => Ok(function),
        }
    }

    /// Returns the main tree.
    pub fn main(&self) -> &Tree<OthelloLanguage> {
        &self.main
    }

    pub fn defined(&self) -> Option<&Callee> {
        self.defined.as_ref()
    }

    /// Returns the number of nodes of both trees.
    pub fn size(&self) -> usize {
        self.main.size() + self.defined.as_ref().map_or(0, |defined| defined.body.size())
    }

    /// Compiles the function.
    pub fn tape(&self) -> Tape<OthelloLanguage> {
        Tape::with(&self.main, self.defined.as_ref().map(|defined| &defined.body))
    }

    /// Returns the number of nodes with all calls inlined, arguments aside.
    fn inlined_size(&self) -> usize {
        let body = self.defined.as_ref().map_or(0, |defined| defined.body.size());
        let calls = symbols(&self.main).filter(|&symbol| OthelloLanguage::part(symbol) == Part::Call).count();
        calls.saturating_mul(body).saturating_add(self.main.size())
    }

    /// Parses a function, and the one that it calls after `where`. Lines that begin with `#` or `;` are comments.
    ///
    /// # Errors
    /// The position of the invalid part, and what is expected there.
    pub fn parse(text: &str) -> Result<Function, TextError> {
        let (main, end) = read_sexpr(text, Place::START, |symbol| !is_parameter(symbol))?;
        let (here, behind) = word(text, end);
        let called = called(&main, here)?;
        let Some(arity) = called else {
            return match here.text {
                "" => Ok(Function { main, defined: None }),
                // A definition without a call is valid: crossover and mutation produce such functions.
                "where" => Function::defined_by(text, main, behind, None),
                _ => Err(here.error("nothing more, or where and a definition")),
            };
        };
        match here.text {
            "where" => Function::defined_by(text, main, behind, Some(arity)),
            _ => Err(here.error(format!("'where adf{arity} =' and a function, since it is called"))),
        }
    }

    /// Parses the definition after `where`, of this number of arguments or of any number.
    fn defined_by(
        text: &str,
        main: Tree<OthelloLanguage>,
        place: Place,
        called: Option<usize>,
    ) -> Result<Function, TextError> {
        let (name, behind) = word(text, place);
        let arity = match name.text {
            "adf1" => 1,
            "adf2" => 2,
            _ => 0,
        };
        if arity == 0 || called.is_some_and(|called| called != arity) {
            let wanted = called.map_or("adf1 or adf2".to_owned(), |called| format!("adf{called}, which is called"));
            return Err(name.error(wanted));
        }
        let (equals, behind) = word(text, behind);
        if equals.text != "=" {
            return Err(equals.error("'='"));
        }
        let (body, end) = read_sexpr(text, behind, |symbol| may_define(symbol, arity))?;
        let rest = word(text, end).0;
        if !rest.text.is_empty() {
            return Err(rest.error("nothing more"));
        }
        let function = Function { main, defined: Some(Callee { arity, body }) };
        match function.inlined_size() {
            size if size > MOST_NODES => {
                Err(rest.error(format!("at most {MOST_NODES} nodes with calls inlined (got {size})")))
            }
            _ => Ok(function),
        }
    }
}

/// Returns the number of arguments of the calls, if there are any; calls of both kinds are an error at the word after the function.
fn called(main: &Tree<OthelloLanguage>, behind: Word<'_>) -> Result<Option<usize>, TextError> {
    let calls = |call: u8| symbols(main).any(|symbol| symbol == call);
    match (calls(ADF1), calls(ADF2)) {
        (true, true) => Err(behind.error("calls of adf1 or adf2 before it, not both")),
        (true, false) => Ok(Some(1)),
        (false, true) => Ok(Some(2)),
        (false, false) => Ok(None),
    }
}

fn symbols(tree: &Tree<OthelloLanguage>) -> impl Iterator<Item = u8> {
    tree.nodes().iter().filter_map(|node| match node {
        Node::Symbol(symbol) => Some(*symbol),
        Node::Constant(_) => None,
    })
}

fn is_parameter(symbol: u8) -> bool {
    matches!(OthelloLanguage::part(symbol), Part::Parameter(_))
}

/// Returns whether the symbol may occur in a function that calls one with this many arguments (0: none).
fn may_call(symbol: u8, arity: usize) -> bool {
    match OthelloLanguage::part(symbol) {
        Part::Plain => true,
        Part::Call => OthelloLanguage::SYMBOLS[usize::from(symbol)].arity() == arity,
        Part::Parameter(_) => false,
    }
}

/// Returns whether the symbol may occur in the definition of a function with this many arguments.
fn may_define(symbol: u8, arity: usize) -> bool {
    match OthelloLanguage::part(symbol) {
        Part::Plain => true,
        Part::Call => false,
        Part::Parameter(_) => usize::from(symbol - ARG1) < arity,
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.main.to_notation())?;
        match &self.defined {
            None => Ok(()),
            Some(defined) => write!(f, " where {} = {}", defined.name(), defined.body.to_notation()),
        }
    }
}

impl FromStr for Function {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Function, TextError> {
        Function::parse(text)
    }
}
