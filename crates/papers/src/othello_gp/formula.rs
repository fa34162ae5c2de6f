//! The printed functions, read token by token like the source's evaluator.
//!
//! Tokens are separated by blanks. The evaluator takes them in order: a count or a number is a value, and an operator takes the next
//! two. So braces have no effect, and a third argument is never read. Its author found that it skipped a single closing brace before
//! a value, but not an opening one after that: there it returned 0, left the rest of the subtree for the next read, and reported a
//! "Parse Error". He fixed this, and does not state which tables are from before.

use std::fmt;
use std::iter::Peekable;
use std::slice;
use std::str::SplitWhitespace;

use super::reading::{Arguments, Braces};

/// The names of the counts: White's, then Black's.
const COUNTS: [&str; 8] = [
    "white",
    "white_corners",
    "white_near_corners",
    "white_edges",
    "black",
    "black_corners",
    "black_near_corners",
    "black_edges",
];

/// The counts of a board, in the order of the names.
pub(super) type Counts = [f64; COUNTS.len()];

/// A function in prefix order: operators precede their two arguments.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Formula(Vec<Item>);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Item {
    Operator(char),
    Count(usize),
    Number(f64),
}

impl Formula {
    pub fn read(text: &str, braces: Braces, arguments: Arguments) -> Formula {
        let mut reader = Reader { tokens: text.split_whitespace().peekable(), braces, items: Vec::new() };
        match arguments {
            Arguments::Two => reader.value(),
            Arguments::All => reader.bracketed(),
        }
        Formula(reader.items)
    }

    /// Returns the function's value; `by_zero` is the result of a division by zero.
    #[inline]
    pub fn value(&self, counts: &Counts, by_zero: f64) -> f64 {
        value(&mut self.0.iter(), counts, by_zero)
    }
}

/// Returns the value that begins at the next item. The recursion is a few levels deep for the printed functions.
fn value(items: &mut slice::Iter<'_, Item>, counts: &Counts, by_zero: f64) -> f64 {
    match items.next() {
        Some(Item::Count(count)) => counts[*count],
        Some(Item::Number(number)) => *number,
        Some(Item::Operator(operator)) => {
            let a = value(items, counts, by_zero);
            let b = value(items, counts, by_zero);
            match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ if b == 0.0 => by_zero,
                _ => a / b,
            }
        }
        None => 0.0,
    }
}

/// The function as it is read, in the source's notation with two arguments for each operator.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [Item::Operator(_), ..] => write(&mut self.0.iter(), f),
            items => {
                f.write_str("( ")?;
                write(&mut items.iter(), f)?;
                f.write_str(" )")
            }
        }
    }
}

fn write(items: &mut slice::Iter<'_, Item>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match items.next() {
        Some(Item::Count(count)) => f.write_str(COUNTS[*count]),
        Some(Item::Number(number)) => write!(f, "{number}"),
        Some(Item::Operator(operator)) => {
            write!(f, "( {operator} ")?;
            write(items, f)?;
            f.write_str(" ")?;
            write(items, f)?;
            f.write_str(" )")
        }
        None => Ok(()),
    }
}

struct Reader<'a> {
    tokens: Peekable<SplitWhitespace<'a>>,
    braces: Braces,
    items: Vec<Item>,
}

impl Reader<'_> {
    /// Reads a value like the source's evaluator.
    fn value(&mut self) {
        let token = match self.braces {
            Braces::Skipped => self.tokens.find(|token| !token.chars().all(|c| c == '(' || c == ')')),
            Braces::Zero => self.behind_a_brace(),
        };
        let item = item(token.unwrap_or_default());
        self.items.push(item);
        if let Item::Operator(_) = item {
            self.value();
            self.value();
        }
    }

    /// Returns the next token, or that after an opening brace, or after a closing one of a length that the evaluator knows.
    fn behind_a_brace(&mut self) -> Option<&str> {
        let mut token = self.tokens.next()?;
        for brace in ["(", ")", "))", ")))", "))))"] {
            if token == brace {
                token = self.tokens.next()?;
            }
        }
        Some(token)
    }

    /// Reads a value by its braces: an operator takes all values before its closing brace, from the left.
    fn bracketed(&mut self) {
        let is_open = self.tokens.next_if_eq(&"(").is_some();
        let at = self.items.len();
        let item = item(self.tokens.next().unwrap_or_default());
        self.items.push(item);
        if let Item::Operator(_) = item {
            self.bracketed();
            self.bracketed();
            while is_open && self.tokens.peek().is_some_and(|token| *token != ")") {
                self.items.insert(at, item);
                self.bracketed();
            }
        }
        if is_open {
            self.tokens.next_if_eq(&")");
        }
    }
}

/// Returns the item of a token; an invalid token is 0, as in the source.
fn item(token: &str) -> Item {
    if let Some(operator @ ('+' | '-' | '*' | '/')) = token.chars().next().filter(|_| token.len() == 1) {
        return Item::Operator(operator);
    }
    let count = COUNTS.iter().position(|name| *name == token).map(Item::Count);
    count.unwrap_or_else(|| Item::Number(if token == "10" { 10.0 } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::super::printed::{PRODUCT, QUOTIENT, SUM};
    use super::*;
    use crate::game::othello::{Othello, Rules, Zones};
    use crate::game::{Game as _, Side};
    use crate::program::othello::Function;
    use crate::rng;
    use rand::Rng as _;

    fn mended(text: &str) -> Formula {
        Formula::read(text, Braces::Skipped, Arguments::Two)
    }

    /// Expected values worked out by hand from the author's account.
    #[test]
    fn a_subtree_behind_a_closing_brace_was_zero() {
        let found = |text: &str| Formula::read(text, Braces::Zero, Arguments::Two).to_string();
        // The author's own example.
        assert_eq!(found("( + ( * white white ) ( * black black ))"), "( + ( * white white ) 0 )");
        assert_eq!(found(SUM), "( + white ( + white_corners black_near_corners ) )");
        assert_eq!(found(QUOTIENT), "( / ( - white_near_corners black_corners ) 0 )");
        assert_eq!(found(PRODUCT), "( + ( + white_corners white ) 0 )");
        // The unread rest is read by the next operator.
        let nested = "( + ( - ( + white black ) ( * 10 white_edges ) ) black_edges )";
        assert_eq!(found(nested), "( + ( - ( + white black ) 0 ) ( * 10 white_edges ) )");
        // A single brace was skipped; a second one was not.
        assert_eq!(found("( + ( - white black ) 10 )"), "( + ( - white black ) 10 )");
        assert_eq!(found("( - ( + white ( + white black ) ) 10 )"), "( - ( + white ( + white black ) ) 0 )");
        assert_eq!(found("( white )"), "( white )");
    }

    #[test]
    fn two_arguments_are_read_or_all() {
        assert_eq!(mended(SUM).to_string(), "( + white ( + white_corners black_near_corners ) )");
        let all = |text: &str| Formula::read(text, Braces::Skipped, Arguments::All).to_string();
        assert_eq!(all(SUM), "( + ( + white ( + white_corners black_near_corners ) ) white )");
        for text in [QUOTIENT, PRODUCT, "( white )", "( - 10 ( / white 10 ) )"] {
            assert_eq!((mended(text).to_string(), all(text)), (text.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn the_mended_evaluator_agrees_with_the_language() {
        let texts = [QUOTIENT, PRODUCT, "( white )", "( / ( * 10 white_edges ) ( - black_corners white_corners ) )"];
        let mut rng = rng::keyed(&[5]);
        for text in texts {
            let formula = mended(text);
            let function = Function::parse(text).unwrap();
            let mut tape = function.tape();
            let mut pos = Rules::default().position();
            while !pos.is_over() {
                let counts = pos.counts(Side::North, Zones::default());
                assert_eq!(formula.value(&counts.map(f64::from), 1.0), tape.run(&counts), "{text}\n{pos}");
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
    }

    #[test]
    fn what_a_division_by_zero_gives_is_reported() {
        let formula = mended("( / white ( - black black ) )");
        let counts = Othello::counts(&Rules::default().position(), Side::North, Zones::default()).map(f64::from);
        assert_eq!([0.0, 1.0].map(|by_zero| formula.value(&counts, by_zero)), [0.0, 1.0]);
    }
}
