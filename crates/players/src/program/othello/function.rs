//! A function with an optional function that it calls: `( + white ( adf2 white black ) ) where adf2 = ( * arg1 arg2 )`.

use mancalab_base::{Error, bail};
use std::fmt;
use std::str::FromStr;

use super::{ADF1, ADF2, ARG1, OthelloLanguage};
use crate::game::TextError;
use crate::program::language::{Language, Node, Part};
use crate::program::text::{MOST_NODES, Place, Word, read_sexpr, word};
use crate::program::{Tape, Tree};

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
