//! Programs as functions in Python, C and Rust, which compute what players compute, to the bit.
//!
//! A program of a game of pits is a function of the seeds, from the store on the left over the own pits, the own store and the
//! opponent's pits; one of Othello is a function of the counts. Each of several trees is a function of its own; a call of a
//! definition is a call of the function that comes after it in the program.

use crate::evolve::inspect::{ValuedNode, ValuedProgram, ValuedTree};
use crate::program::othello::count_names;

/// A language to export a program to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Python,
    C,
    Rust,
}

/// What the programs of a problem compute with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Whole numbers of 64 bits, whose sums and products stay within their range; seeds of this number of places.
    Seeds(usize),
    /// Real numbers.
    Counts,
}

/// Returns the program as source text: of a game of pits with this number of places, or of Othello.
pub(super) fn source(program: &ValuedProgram, target: Target, places: Option<usize>) -> String {
    let values = places.map_or(Values::Counts, Values::Seeds);
    let functions: Vec<String> =
        (0..program.trees.len()).map(|number| function(program, number, target, values)).collect();
    // Functions that others call come before them.
    let functions: String = functions.into_iter().rev().collect::<Vec<_>>().join("\n");
    format!("{}\n{functions}", head(target, values))
}

/// Returns comments and helpers.
fn head(target: Target, values: Values) -> String {
    let about = match values {
        Values::Seeds(places) => format!(
            "seeds has {places} numbers as value_at counts them, usually from the mover's side: the opponent's store, own pits in \
             sowing order, own store, the opponent's pits"
        ),
        Values::Counts => {
            "counts of the side that plays by the function are white, those of the other side black".to_owned()
        }
    };
    let comment = if target == Target::Python { "#" } else { "//" };
    let helpers = match (target, values) {
        (Target::Python, Values::Seeds(_)) => PYTHON_SEEDS,
        (Target::Python, Values::Counts) => PYTHON_COUNTS,
        (Target::C, Values::Seeds(_)) => C_SEEDS,
        (Target::C, Values::Counts) => C_COUNTS,
        (Target::Rust, Values::Seeds(_)) => RUST_SEEDS,
        (Target::Rust, Values::Counts) => RUST_COUNTS,
    };
    format!("{comment} A program bred by mancalab. {about}.\n{helpers}")
}

const PYTHON_SEEDS: &str = "
def add(a, b): return max(-2**63, min(2**63 - 1, a + b))
def sub(a, b): return max(-2**63, min(2**63 - 1, a - b))
def mul(a, b): return max(-2**63, min(2**63 - 1, a * b))
def mod(a, b): return a % abs(b) if b else 0
";

const PYTHON_COUNTS: &str = "
def div(a, b): return a / b if b else 1.0
def lesser(a, b): return a if a < b else b
def greater(a, b): return a if a > b else b
";

const C_SEEDS: &str = "#include <stdint.h>

static int64_t fit(__int128 a) { return a > INT64_MAX ? INT64_MAX : a < INT64_MIN ? INT64_MIN : (int64_t)a; }
static int64_t add(int64_t a, int64_t b) { return fit((__int128)a + b); }
static int64_t sub(int64_t a, int64_t b) { return fit((__int128)a - b); }
static int64_t mul(int64_t a, int64_t b) { return fit((__int128)a * b); }
static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t mod(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    int64_t rest = a % b;
    return rest < 0 ? (b < 0 ? rest - b : rest + b) : rest;
}
static int64_t sum(const int64_t *seeds, int from, int to) {
    int64_t all = 0;
    while (from < to) all += seeds[from++];
    return all;
}
";

const C_COUNTS: &str = "
static double divide(double a, double b) { return b == 0 ? 1 : a / b; }
static double lesser(double a, double b) { return a < b ? a : b; }
static double greater(double a, double b) { return a > b ? a : b; }
";

const RUST_SEEDS: &str = "
#[allow(dead_code)]
fn rem(a: i64, b: i64) -> i64 { a.checked_rem_euclid(b).unwrap_or(0) }
";

const RUST_COUNTS: &str = "
#[allow(dead_code)]
fn div(a: f64, b: f64) -> f64 { if b == 0.0 { 1.0 } else { a / b } }
#[allow(dead_code)]
fn lesser(a: f64, b: f64) -> f64 { if a < b { a } else { b } }
#[allow(dead_code)]
fn greater(a: f64, b: f64) -> f64 { if a > b { a } else { b } }
";

/// Returns a tree as a function.
fn function(program: &ValuedProgram, number: usize, target: Target, values: Values) -> String {
    let tree = &program.trees[number];
    let name = name(program, number);
    let value = expression(program, number, target, values);
    let title = if tree.title.is_empty() { String::new() } else { comment(target, &tree.title) };
    let arguments = arguments(tree, values);
    let list = |each: fn(&str) -> String| arguments.iter().map(|name| each(name)).collect::<Vec<_>>().join(", ");
    let function = match (target, values) {
        (Target::Python, Values::Seeds(_)) => format!("def {name}(seeds):\n    return {value}\n"),
        (Target::Python, Values::Counts) => {
            format!("def {name}({}):\n    return {value}\n", list(str::to_owned))
        }
        (Target::C, Values::Seeds(_)) => format!("int64_t {name}(const int64_t *seeds) {{\n    return {value};\n}}\n"),
        (Target::C, Values::Counts) => {
            format!("double {name}({}) {{\n    return {value};\n}}\n", list(|name| format!("double {name}")))
        }
        (Target::Rust, Values::Seeds(places)) => {
            format!("pub fn {name}(seeds: &[i64; {places}]) -> i64 {{\n    {value}\n}}\n")
        }
        (Target::Rust, Values::Counts) => format!(
            "#[allow(unused_variables, clippy::too_many_arguments)]\npub fn {name}({}) -> f64 {{\n    {value}\n}}\n",
            list(|name| format!("{name}: f64"))
        ),
    };
    title + &function
}

fn comment(target: Target, text: &str) -> String {
    format!("{} {text}\n", if target == Target::Python { "#" } else { "//" })
}

/// Returns the arguments: the counts, or those of a definition.
fn arguments(tree: &ValuedTree, values: Values) -> Vec<&'static str> {
    match values {
        Values::Seeds(_) => vec!["seeds"],
        Values::Counts if tree.title.starts_with("adf1") => vec!["arg1"],
        Values::Counts if tree.title.starts_with("adf2") => vec!["arg1", "arg2"],
        Values::Counts => count_names().to_vec(),
    }
}

/// Returns the name of a tree's function; those of several stages are numbered.
fn name(program: &ValuedProgram, number: usize) -> String {
    let is_definition = |tree: &ValuedTree| tree.title.starts_with("adf");
    let word = if is_definition(&program.trees[number]) { "definition" } else { "program" };
    let stages = program.trees.iter().filter(|tree| !is_definition(tree)).count();
    let stage = program.trees[..=number].iter().filter(|tree| !is_definition(tree)).count();
    if stages == 1 { word.to_owned() } else { format!("{word}_{stage}") }
}

/// Returns the value of a tree as an expression. Built from the last node to the first, without recursion.
fn expression(program: &ValuedProgram, number: usize, target: Target, values: Values) -> String {
    let nodes = &program.trees[number].nodes;
    let mut texts: Vec<String> = vec![String::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let args: Vec<String> = node.args.iter().map(|&arg| std::mem::take(&mut texts[arg])).collect();
        texts[at] = match (node.is_constant, values) {
            (true, Values::Seeds(_)) => constant_of_seeds(&node.text, target),
            (true, Values::Counts) => real(&node.text),
            (false, _) if node.text.starts_with("adf") => format!("{}({})", name(program, number + 1), args.join(", ")),
            (false, Values::Seeds(places)) => of_seeds(node, &args, target, places),
            (false, Values::Counts) => of_counts(node, &args, target),
        };
    }
    texts.swap_remove(0)
}

/// Returns a whole number; a suffix keeps sums of constants in 64 bits.
fn constant_of_seeds(text: &str, target: Target) -> String {
    match target {
        Target::Python => text.to_owned(),
        Target::C => format!("INT64_C({text})"),
        Target::Rust => format!("({text}_i64)"),
    }
}

fn real(text: &str) -> String {
    let number = if text.contains(['.', 'e']) { text.to_owned() } else { format!("{text}.0") };
    if number.starts_with('-') { format!("({number})") } else { number }
}

fn choice(args: &[String], target: Target) -> String {
    let [a, b, then, otherwise] = args else { return String::new() };
    match target {
        Target::Python => format!("({then} if {a} < {b} else {otherwise})"),
        Target::C => format!("({a} < {b} ? {then} : {otherwise})"),
        Target::Rust => format!("(if {a} < {b} {{ {then} }} else {{ {otherwise} }})"),
    }
}

fn of_seeds(node: &ValuedNode, args: &[String], target: Target, places: usize) -> String {
    let half = places / 2;
    let sum = |from: usize, to: usize| match target {
        Target::Python => format!("sum(seeds[{from}:{to}])"),
        Target::C => format!("sum(seeds, {from}, {to})"),
        Target::Rust => format!("seeds[{from}..{to}].iter().sum::<i64>()"),
    };
    let two = |python: &str, c: &str, rust: &str| match (target, args) {
        (Target::Python, [a, b]) => format!("{python}({a}, {b})"),
        (Target::C, [a, b]) => format!("{c}({a}, {b})"),
        (Target::Rust, [a, b]) if rust == "rem" => format!("rem({a}, {b})"),
        (Target::Rust, [a, b]) => format!("{a}.{rust}({b})"),
        _ => String::new(),
    };
    match node.text.as_str() {
        "if" => choice(args, target),
        "add" => two("add", "add", "saturating_add"),
        "sub" => two("sub", "sub", "saturating_sub"),
        "mul" => two("mul", "mul", "saturating_mul"),
        "min" => two("min", "lesser", "min"),
        "max" => two("max", "greater", "max"),
        "mod" => two("mod", "mod", "rem"),
        "seeds_own" => sum(1, half),
        "seeds_other" => sum(half + 1, places),
        _ => match target {
            Target::Python => format!("seeds[{} % {places}]", args[0]),
            Target::C => format!("seeds[mod({}, {places})]", args[0]),
            Target::Rust => format!("seeds[{}.rem_euclid({places}) as usize]", args[0]),
        },
    }
}

fn of_counts(node: &ValuedNode, args: &[String], target: Target) -> String {
    let divide = if target == Target::C { "divide" } else { "div" };
    match (node.text.as_str(), args) {
        ("add", [a, b]) => format!("({a} + {b})"),
        ("sub", [a, b]) => format!("({a} - {b})"),
        ("mul", [a, b]) => format!("({a} * {b})"),
        ("div", [a, b]) => format!("{divide}({a}, {b})"),
        ("min", [a, b]) => format!("lesser({a}, {b})"),
        ("max", [a, b]) => format!("greater({a}, {b})"),
        ("if", _) => choice(args, target),
        (name, _) => name.to_owned(),
    }
}
