//! Formulas of named quantities, such as `100*sum - nodes`: numbers, `+ - * /`, brackets, `min`, `max` and `abs`.
//!
//! A formula is checked when it is read, and computed without allocation from then on.

use mancalab_base::Error;
use std::fmt;
use std::sync::Arc;

/// A quantity: its name, and what it is.
pub type Quantity = (&'static str, &'static str);

/// Maximum number of intermediate results.
const DEPTH: usize = 32;

/// Maximum length of a text, in bytes.
const LONGEST: usize = 1000;

/// A formula, ready to compute.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    code: Arc<[Step]>,
}

/// A step of a stack machine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Number(f64),
    /// A quantity by its place.
    Quantity(usize),
    Negate,
    Absolute,
    Apply(Operation),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Least,
    Greatest,
}

impl Operation {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Divide => a / b,
            Operation::Least => a.min(b),
            Operation::Greatest => a.max(b),
        }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Formula {
    /// Reads a formula of these quantities.
    ///
    /// # Errors
    /// The column of what cannot be read, and what is accepted there.
    pub fn new(text: &str, quantities: &[Quantity]) -> Result<Formula, Error> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(format!("a formula has at most {LONGEST} characters").into());
        }
        let mut reading = FormulaReader { text, offset: 0, quantities, code: Vec::new(), depth: 0, nested: 0 };
        reading.sum()?;
        match reading.next() {
            "" => Ok(Formula { text: text.to_owned(), code: reading.code.into() }),
            _ => Err(reading.expected("an operator: + - * /")),
        }
    }

    /// Returns the value for these quantities, in the order of the list it was read with.
    pub fn value(&self, quantities: &[f64]) -> f64 {
        let mut stack = [0.0; DEPTH];
        let mut count = 0;
        for step in self.code.iter() {
            match *step {
                Step::Number(number) => (stack[count], count) = (number, count + 1),
                Step::Quantity(place) => (stack[count], count) = (quantities[place], count + 1),
                Step::Negate => stack[count - 1] = -stack[count - 1],
                Step::Absolute => stack[count - 1] = stack[count - 1].abs(),
                Step::Apply(operation) => {
                    count -= 1;
                    stack[count - 1] = operation.apply(stack[count - 1], stack[count]);
                }
            }
        }
        stack[0]
    }
}

/// A formula being read.
struct FormulaReader<'a> {
    text: &'a str,
    /// Byte offset.
    offset: usize,
    quantities: &'a [Quantity],
    code: Vec<Step>,
    /// Intermediate results so far.
    depth: usize,
    /// Open brackets and signs.
    nested: usize,
}

impl<'a> FormulaReader<'a> {
    /// Returns the next word, a number, a name or a sign; empty at the end.
    fn next(&mut self) -> &'a str {
        let rest = &self.text[self.offset..];
        let rest = rest.trim_start();
        self.offset = self.text.len() - rest.len();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let end = match rest.chars().next() {
            Some(c) if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            Some(c) => c.len_utf8(),
            None => 0,
        };
        &rest[..end]
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.next() == word;
        self.offset += if is_next { word.len() } else { 0 };
        is_next
    }

    fn expected(&mut self, what: &str) -> Error {
        let found = match self.next() {
            "" => "the end".to_owned(),
            word => format!("'{word}'"),
        };
        let column = self.text[..self.offset].chars().count() + 1;
        format!("column {column}: {found} where {what} is expected").into()
    }

    fn add(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Number(_) | Step::Quantity(_) => self.depth += 1,
            Step::Apply(_) => self.depth -= 1,
            Step::Negate | Step::Absolute => {}
        }
        if self.depth > DEPTH {
            return Err(format!("a formula has at most {DEPTH} intermediate results").into());
        }
        self.code.push(step);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Error> {
        self.chain(FormulaReader::product, [("+", Operation::Add), ("-", Operation::Subtract)])
    }

    fn product(&mut self) -> Result<(), Error> {
        self.chain(FormulaReader::factor, [("*", Operation::Multiply), ("/", Operation::Divide)])
    }

    /// Reads parts with one of two operators between them, from left to right.
    fn chain(
        &mut self,
        part: fn(&mut Self) -> Result<(), Error>,
        operations: [(&str, Operation); 2],
    ) -> Result<(), Error> {
        part(self)?;
        while let Some((_, operation)) = operations.iter().find(|(sign, _)| self.take(sign)) {
            part(self)?;
            self.add(Step::Apply(*operation))?;
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), Error> {
        self.nested += 1;
        if self.nested > 2 * DEPTH {
            return Err(format!("a formula has at most {} nested brackets", 2 * DEPTH).into());
        }
        let read = self.value();
        self.nested -= 1;
        read
    }

    fn value(&mut self) -> Result<(), Error> {
        if self.take("-") {
            self.factor()?;
            return self.add(Step::Negate);
        }
        if self.take("(") {
            self.sum()?;
            return self.close();
        }
        let word = self.next();
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        if let Some(number) = number.filter(|_| word.starts_with(|c: char| c.is_ascii_digit())) {
            self.offset += word.len();
            return self.add(Step::Number(number));
        }
        if let Some(place) = self.quantities.iter().position(|(name, _)| *name == word) {
            self.offset += word.len();
            return self.add(Step::Quantity(place));
        }
        match word {
            "min" => self.function(word, Operation::Least),
            "max" => self.function(word, Operation::Greatest),
            "abs" => {
                self.offset += word.len();
                if !self.take("(") {
                    return Err(self.expected("'('"));
                }
                self.sum()?;
                self.close()?;
                self.add(Step::Absolute)
            }
            _ => Err(self.unknown(word)),
        }
    }

    /// Reads the arguments of a function of two or more.
    fn function(&mut self, word: &str, operation: Operation) -> Result<(), Error> {
        self.offset += word.len();
        if !self.take("(") {
            return Err(self.expected("'('"));
        }
        self.sum()?;
        if self.next() != "," {
            return Err(self.expected("','"));
        }
        while self.take(",") {
            self.sum()?;
            self.add(Step::Apply(operation))?;
        }
        self.close()
    }

    fn close(&mut self) -> Result<(), Error> {
        if self.take(")") { Ok(()) } else { Err(self.expected("')'")) }
    }

    fn unknown(&mut self, word: &str) -> Error {
        let names = || self.quantities.iter().map(|(name, _)| *name);
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let first = names().next().unwrap_or_default().to_owned();
            return self.expected(&format!("a number, a quantity such as {first}, or '('"));
        }
        let column = self.text[..self.offset].chars().count() + 1;
        let known = names().chain(["min(a, b)", "max(a, b)", "abs(a)"]);
        Error::unknown(format!("column {column}: no quantity is named '{word}'"), known).near(word, names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUANTITIES: &[Quantity] = &[("sum", "the sum"), ("nodes", "the size")];

    fn value(text: &str) -> f64 {
        Formula::new(text, QUANTITIES).unwrap().value(&[70.0, 12.0])
    }

    #[test]
    fn formulas_are_computed_as_they_are_written() {
        let cases = [
            ("100*sum - nodes", 6988.0),
            ("sum - nodes - 8", 50.0),
            ("sum / 2 / 5", 7.0),
            ("-(sum - 80) * 2", 20.0),
            ("2 + 3 * 4", 14.0),
            ("max(0, 10 - nodes, 1.5)", 1.5),
            ("min(sum, 48) + abs(nodes - 20)", 56.0),
            ("--2", 2.0),
            ("1e2", 100.0),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), expected, "{text}");
            assert_eq!(Formula::new(text, QUANTITIES).unwrap().to_string(), text);
        }
        assert!(value("sum / 0").is_infinite() && value("0 / 0").is_nan());
    }

    #[test]
    fn errors_name_the_column_and_what_is_accepted() {
        for (text, expected) in [
            ("", "column 1: the end where a number, a quantity such as sum, or '(' is expected"),
            ("100*", "column 5: the end where"),
            ("sum nodes", "column 5: 'nodes' where an operator: + - * / is expected"),
            ("(sum", "column 5: the end where ')' is expected"),
            ("max(sum)", "column 8: ')' where ',' is expected"),
            ("sum + nodez", "column 7: no quantity is named 'nodez' (did you mean 'nodes'?)"),
            ("inf", "no quantity is named 'inf'"),
            ("2é", "column 2: 'é' where"),
        ] {
            let error = Formula::new(text, QUANTITIES).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let deep = format!("{}1{}", "(".repeat(900), "");
        assert!(Formula::new(&deep, QUANTITIES).unwrap_err().to_string().contains("nested"));
        let long = (0..40).fold("1".to_owned(), |text, _| format!("1+({text}"));
        assert!(Formula::new(&long, QUANTITIES).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_much(text in "[-+*/(),a-z0-9. ]{0,60}") {
            if let Ok(formula) = Formula::new(&text, QUANTITIES) {
                let _ = formula.value(&[1.0, 2.0]);
            }
        }

        #[test]
        fn sums_of_products_are_what_they_are_elsewhere(terms in proptest::collection::vec((-99..99_i32, 0..9_i32), 1..8)) {
            let text: Vec<String> = terms.iter().map(|(a, b)| format!("({a})*{b}*sum")).collect();
            let expected: f64 = terms.iter().map(|(a, b)| f64::from(*a) * f64::from(*b) * 70.0).sum();
            proptest::prop_assert_eq!(value(&text.join(" + ")), expected);
        }
    }
}
