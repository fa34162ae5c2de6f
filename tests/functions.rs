//! Functions that evaluate boards of Othello: texts, folding, tapes over one board and over rows of boards, generation.

use std::str::FromStr as _;

use mancalab::game::TextError;
use mancalab::game::othello::{Afterwards, COUNTS, MOST_MOVES, Othello, Rules, Zones};
use mancalab::game::{BoardGame, Game, Side};
use mancalab::program::LANES;
use mancalab::program::grow::CONSTANT;
use mancalab::program::othello::{ADF1, ARG1, Callee, Counts, Function, OthelloLanguage, count_names};
use mancalab::program::{Grammar, Language, Node, RowTape, Tree, simplified};
use mancalab::rng::keyed;
use proptest::prelude::*;

type Functions = Tree<OthelloLanguage>;

const ARITHMETIC: [&str; 7] = ["add", "sub", "mul", "div", "if", "min", "max"];

fn grammar(more: &[&str]) -> Grammar<OthelloLanguage> {
    let names: Vec<&str> = ARITHMETIC.iter().chain(&count_names()).chain(&[CONSTANT]).chain(more).copied().collect();
    Grammar::with_symbols(&names).unwrap()
}

/// Returns a random function, with a definition of `arity` arguments, or none for 0.
fn random(seed: u64, arity: usize) -> Function {
    let rng = &mut keyed(&[seed]);
    let parameters = &["arg1", "arg2"][..arity];
    let call = ["adf1", "adf2"];
    let main = grammar(&call[arity.saturating_sub(1)..arity]).grown(7, usize::MAX, rng).unwrap();
    let body = (arity > 0).then(|| Callee { arity, body: grammar(parameters).grown(5, usize::MAX, rng).unwrap() });
    Function::new(main, body).unwrap()
}

type Nodes = [Node<<OthelloLanguage as Language>::Constant>];

/// Evaluates a function directly; returns the value and the remaining nodes.
fn walk<'a>(nodes: &'a Nodes, counts: &Counts, args: &[f64], function: &Function) -> (f64, &'a Nodes) {
    let mut rest = &nodes[1..];
    let name = match nodes[0] {
        Node::Constant(constant) => return (constant.to_string().parse().unwrap(), rest),
        Node::Symbol(symbol) => OthelloLanguage::SYMBOLS[usize::from(symbol)].name,
    };
    if let Some(count) = count_names().iter().position(|known| *known == name) {
        return (counts[count].into(), rest);
    }
    if let Some(number) = name.strip_prefix("arg") {
        return (args[number.parse::<usize>().unwrap() - 1], rest);
    }
    let mut values = [0.0; 4];
    let arity = match name {
        "adf1" => 1,
        "if" => 4,
        _ => 2,
    };
    for value in &mut values[..arity] {
        (*value, rest) = walk(rest, counts, args, function);
    }
    let [a, b, c, d] = values;
    let value = match name {
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "div" if b == 0.0 => 1.0,
        "div" => a / b,
        "if" if a < b => c,
        "if" => d,
        "min" if a < b => a,
        "max" if a > b => a,
        "min" | "max" => b,
        _ => walk(function.defined().unwrap().body.nodes(), counts, &values[..2], function).0,
    };
    (value, rest)
}

fn plain(function: &Function, counts: &Counts) -> f64 {
    walk(function.main().nodes(), counts, &[], function).0
}

/// Returns whether two values are equal or both NaN.
fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// Returns the position after this number of random moves, or at the end of the game.
fn position(seed: u64, plies: usize) -> Othello {
    let mut rng = keyed(&[seed]);
    let mut pos = Othello::start(Rules::default());
    for _ in 0..plies {
        if pos.is_over() {
            break;
        }
        pos = pos.play(pos.pick(rng.next_u32()));
    }
    pos
}

/// Counts a board square by square.
fn counted(pos: &Othello, side: Side, zones: Zones) -> Counts {
    let mut counts = [0; 2 * COUNTS];
    for square in 0..64 {
        let Some(disc) = pos.disc(square) else { continue };
        let from_border = |at: u8| at.min(7 - at);
        let file = from_border(square % 8);
        let row = from_border(square / 8);
        let is_corner = (file, row) == (0, 0);
        let is_near = match (file, row) {
            (1, 1) => true,
            (0, 1) | (1, 0) => !zones.near_is_x,
            _ => false,
        };
        let is_edge = (file == 0 || row == 0) && (zones.edges_are_whole || !is_corner);
        let from = if disc == side { 0 } else { COUNTS };
        for (count, is_in) in [true, is_corner, is_near, is_edge].into_iter().enumerate() {
            counts[from + count] += i32::from(is_in);
        }
    }
    counts
}

/// Checks that an error has a position in the text, the text found there, and what was expected.
fn check(error: &TextError, text: &str) {
    let line = text.split('\n').nth(error.line - 1).unwrap_or_else(|| panic!("no such line: {error}"));
    let there: String = line.chars().skip(error.column - 1).collect();
    assert!(error.column <= line.chars().count() + 1 && there.starts_with(&error.found), "{text:?}: {error}");
    assert!(!error.expected.is_empty() && (error.found.is_empty() || !error.found.trim().is_empty()), "{error}");
}

#[test]
fn texts_are_the_sources() {
    for text in [
        "( white )",
        "( 10 )",
        "( + white ( * white_corners 10 ) )",
        "( / ( - white_near_corners black_corners ) ( - black_corners white_near_corners ) )",
        "( + white ( adf2 white black ) ) where adf2 = ( * arg1 arg2 )",
        "( adf1 ( adf1 black_edges ) ) where adf1 = ( arg1 )",
    ] {
        assert_eq!(Function::parse(text).unwrap().to_string(), text);
    }
    let forgiven = "# fitness 12, bred\n(+ ( * white white)( * black\n black ))\n; where\n";
    assert_eq!(Function::parse(forgiven).unwrap().to_string(), "( + ( * white white ) ( * black black ) )");
    assert_eq!(Function::parse("white").unwrap().to_string(), "( white )");
    assert_eq!(Function::parse("-2.50").unwrap().to_string(), "( -2.5 )");
    let spread = "( adf1 white )\n  where adf1 =\n  ( + arg1\n 1 )";
    assert_eq!(Function::parse(spread).unwrap().to_string(), "( adf1 white ) where adf1 = ( + arg1 1 )");
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let error = |text: &str| Function::parse(text).unwrap_err().to_string();
    let leaf = "a number, a count such as white";
    assert_eq!(error(""), format!("line 1, column 1: the text ends here; expected {leaf} or '('"));
    assert_eq!(error("( + white"), format!("line 1, column 10: the text ends here; expected {leaf} or '('"));
    assert_eq!(
        error("( + white\n ( white ) )"),
        "line 2, column 4: found 'white'; expected a function: +, -, *, /, adf1, adf2, if<, min, max"
    );
    assert_eq!(error("( + white white white )"), "line 1, column 17: found 'white'; expected ')'");
    assert_eq!(error("( + white inf )"), format!("line 1, column 11: found 'inf'; expected {leaf} or '('"));
    assert_eq!(
        error("( and white )"),
        format!(
            "line 1, column 3: found 'and'; expected a function: +, -, *, /, adf1, adf2, if<, min, max, or {leaf} alone"
        )
    );
    assert_eq!(error("( white ) )"), "line 1, column 11: found ')'; expected nothing more, or where and a definition");
    assert_eq!(error("( + arg1 1 )"), format!("line 1, column 5: found 'arg1'; expected {leaf} or '('"));
    let called = "( adf2 white black )";
    assert_eq!(
        error(called),
        "line 1, column 21: the text ends here; expected 'where adf2 =' and a function, since it is called"
    );
    let error = |text: &str| error(&format!("{called} {text}"));
    assert_eq!(error("where"), "line 1, column 27: the text ends here; expected adf2, which is called");
    assert_eq!(error("where adf1 = arg1"), "line 1, column 28: found 'adf1'; expected adf2, which is called");
    assert_eq!(error("where adf2 ( white )"), "line 1, column 33: found '('; expected '='");
    assert_eq!(
        error("where adf2 = ( adf2 arg1 arg2 )"),
        format!("line 1, column 37: found 'adf2'; expected a function: +, -, *, /, if<, min, max, or {leaf} alone")
    );
    assert_eq!(error("where adf2 = arg1 arg2"), "line 1, column 40: found 'arg2'; expected nothing more");
    let both = "( + ( adf1 white ) ( adf2 white black ) )";
    let output = Function::parse(both).unwrap_err().to_string();
    assert!(output.ends_with("expected calls of adf1 or adf2 before it, not both"), "{output}");
    let one = Function::parse("( adf1 white ) where adf1 = ( + arg1 arg2 )").unwrap_err().to_string();
    assert!(one.starts_with("line 1, column 38: found 'arg2'"), "{one}");
}

#[test]
fn what_is_called_needs_a_definition() {
    let tree = |text: &str| Functions::parse(text).unwrap();
    let defined = |arity, body: &str| Some(Callee { arity, body: tree(body) });
    assert!(Function::new(tree("( adf1 white )"), None).is_err());
    assert!(Function::new(tree("( adf1 white )"), defined(2, "( arg1 )")).is_err());
    assert!(Function::new(tree("( arg1 )"), defined(1, "( arg1 )")).is_err());
    assert!(Function::new(tree("( adf1 white )"), defined(1, "( arg2 )")).is_err());
    assert!(Function::new(tree("( adf1 white )"), defined(1, "( adf1 arg1 )")).is_err());
    let function = Function::new(tree("( adf1 white )"), defined(1, "( * arg1 arg1 )")).unwrap();
    assert_eq!(function.to_string(), "( adf1 white ) where adf1 = ( * arg1 arg1 )");
    assert_eq!((function.size(), function.tape().len()), (5, 1));
}

/// Nested calls: the value grows as a power of a power, the tape by one step per call.
#[test]
fn nested_calls_cost_no_more_than_each_its_body() {
    let depth = 60_000;
    let text = format!(
        "{}white{} where adf1 = ( + arg1 ( * arg1 white_edges ) )",
        "( adf1 ".repeat(depth),
        " )".repeat(depth)
    );
    let function = Function::parse(&text).unwrap();
    assert_eq!(function.to_string(), text);
    assert_eq!(function.tape().len(), 2 * depth);
    let counts = [3, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(function.tape().run(&counts), 3.0);
    let many = format!("{}white{} where adf1 = ( - {} 1 )", "( adf1 ".repeat(2000), " )".repeat(2000), deep(1000));
    let error = Function::parse(&many).unwrap_err();
    assert!(error.to_string().contains("at most 1000000 nodes with calls inlined"), "{error}");
}

fn deep(depth: usize) -> String {
    format!("{}arg1{}", "( + 1 ".repeat(depth), " )".repeat(depth))
}

#[test]
fn what_overflows_is_no_number_and_is_not_folded_away() {
    let value = |text: &str| Function::parse(text).unwrap().tape().run(&[1, 0, 0, 0, 0, 0, 0, 0]);
    let huge = format!("( * white {} )", 1e300);
    let infinite = format!("( * {huge} {huge} )");
    assert_eq!(value(&infinite), f64::INFINITY);
    assert!(value(&format!("( - {infinite} {infinite} )")).is_nan());
    assert!(value(&format!("( * {infinite} 0 )")).is_nan());
    assert!(value(&format!("( adf1 {infinite} ) where adf1 = ( - arg1 arg1 )")).is_nan());
    assert_eq!(value("( adf1 white ) where adf1 = ( - arg1 arg1 )"), 0.0);
    assert_eq!(value("( / white black )"), 1.0);
    assert_eq!(value("( / ( - white white ) ( - black black ) )"), 1.0);
}

#[test]
fn grown_functions_keep_to_their_depths_and_symbols() {
    let names: Vec<&str> = ARITHMETIC[..4].iter().chain(&count_names()).chain(&[CONSTANT]).copied().collect();
    let binary = Grammar::<OthelloLanguage>::with_symbols(&names).unwrap();
    let mut shapes = [0; 8];
    for seed in 0..400 {
        let rng = &mut keyed(&[seed]);
        let depth = 1 + seed as usize % 7;
        let full = binary.full(depth, usize::MAX, rng).unwrap();
        assert_eq!((full.depth(), full.size()), (depth, (1 << depth) - 1));
        let grown = binary.grown(depth, usize::MAX, rng).unwrap();
        assert!(grown.depth() <= depth && (grown.depth() >= 2 || depth == 1));
        shapes[grown.depth()] += 1;
        for tree in [full, grown] {
            assert!(tree.nodes().iter().all(|node| !matches!(node, Node::Symbol(symbol) if *symbol >= ARG1)));
        }
    }
    // Nine leaves against four functions: most branches end early, but not all.
    assert!(shapes[2] > shapes[5] && shapes[5] > 0, "{shapes:?}");
    let body = Grammar::<OthelloLanguage>::with_symbols(&["mul", "arg1"])
        .unwrap()
        .full(3, usize::MAX, &mut keyed(&[1]))
        .unwrap();
    assert_eq!(body.to_notation(), "( * ( * arg1 arg1 ) ( * arg1 arg1 ) )");
    let calls = Grammar::<OthelloLanguage>::with_symbols(&["adf1", CONSTANT])
        .unwrap()
        .full(3, usize::MAX, &mut keyed(&[1]))
        .unwrap();
    assert_eq!(calls.nodes()[..2], [Node::Symbol(ADF1); 2]);
    assert_eq!(calls.to_notation(), "( adf1 ( adf1 10 ) )");
}

#[test]
fn symbols_are_chosen_by_name() {
    let error = |names: &[&str]| Grammar::<OthelloLanguage>::with_symbols(names).unwrap_err();
    let output = error(&["add", "whites"]);
    assert!(
        output.to_string().starts_with(
            "no function or input is named 'whites'; known: add, sub, mul, div, adf1, adf2, if, min, max, white,"
        ),
        "{output}"
    );
    assert!(output.to_string().ends_with("arg1, arg2, constant"), "{output}");
    assert!(error(&["white"]).to_string().starts_with("programs need at least one function; known: add,"));
    assert!(error(&["add"]).to_string().starts_with("programs need at least one input or constant; known: white,"));
}

#[test]
fn a_row_tape_shows_which_counts_it_looks_at() {
    let inputs = |text: &str| RowTape::new(Function::parse(text).unwrap().tape(), 1).inputs();
    assert_eq!(inputs("( white )"), 1);
    assert_eq!(inputs("( 10 )"), 0);
    assert_eq!(inputs("( + white_corners ( * black 0 ) )"), 0b10);
    assert_eq!(inputs("( + black_edges ( / white_edges 10 ) )"), 0b1000_1000);
}

/// Each of all functions of two inputs beside each other one.
#[test]
fn different_computations_stay_apart() {
    let counts = [14, 3, 2, 5, 7, 1, 4, 6];
    let functions = ["+", "-", "*", "/", "min", "max"];
    let all: Vec<String> = functions
        .iter()
        .flat_map(|f| count_names().into_iter().map(move |a| format!("( {f} {a} black_corners )")))
        .collect();
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
        let function = Function::parse(&format!("( - {one} ( / {other} 100 ) )")).unwrap();
        assert!(same(function.tape().run(&counts), plain(&function, &counts)), "{function}");
    }
}

proptest! {
    #[test]
    fn functions_come_back_from_their_texts(seed: u64, arity in 0..3_usize) {
        let function = random(seed, arity);
        let text = function.to_string();
        prop_assert_eq!(Function::parse(&text), Ok(function.clone()));
        prop_assert_eq!(Function::from_str(&text.replace(' ', "\n ")), Ok(function));
    }

    #[test]
    fn spoilt_texts_are_read_or_refused_with_a_place(
        seed: u64,
        arity in 0..3_usize,
        at: prop::sample::Index,
        length in 0..4_usize,
        put in prop::sample::select(vec!["", "(", ")", " ", "\n", "10", "white", "where", "=", "adf1", "arg1", "x", "-", ",", "é"]),
    ) {
        let text = random(seed, arity).to_string();
        let chars: Vec<char> = text.chars().collect();
        let from = at.index(chars.len());
        let spoilt: String = chars[..from].iter().collect::<String>() + put
            + &chars[(from + length).min(chars.len())..].iter().collect::<String>();
        match Function::parse(&spoilt) {
            Ok(function) => prop_assert_eq!(Function::parse(&function.to_string()), Ok(function)),
            Err(error) => check(&error, &spoilt),
        }
    }

    #[test]
    fn tapes_mean_what_functions_say(seed: u64, arity in 0..3_usize, boards: u64, plies in 0..60_usize) {
        let function = random(seed, arity);
        let pos = position(boards, plies);
        let counts = counted(&pos, Side::South, Zones::default());
        let value = plain(&function, &counts);
        prop_assert!(same(function.tape().run(&counts), value), "{}: {}", function, value);
        if arity == 0 {
            let simple = Function::new(simplified(function.main()), None).unwrap();
            prop_assert!(simple.size() <= function.size() && same(plain(&simple, &counts), value), "{}", simple);
        }
    }

    /// The counts and values of all moves at once, against making each move and counting square by square.
    #[test]
    fn all_moves_are_counted_and_valued_at_once(
        seed: u64, arity in 0..3_usize, boards: u64, plies in 0..64_usize, near_is_x: bool, edges_are_whole: bool, wanted: u8,
    ) {
        let pos = position(boards, plies);
        let zones = Zones { near_is_x, edges_are_whole };
        let afterwards = Afterwards::new(&pos);
        prop_assert_eq!(afterwards.moves(), pos.moves().collect::<Vec<_>>());
        let after: Vec<Othello> = pos.moves().map(|mv| pos.play(mv)).collect();
        let naive: Vec<Counts> = after.iter().map(|after| counted(after, pos.side(), zones)).collect();
        let mut seen = 0;
        afterwards.count(zones, wanted.into(), LANES, |count, row| {
            seen |= 1 << count;
            assert!(row.len() >= naive.len() && (row.len() % LANES == 0 || row.len() == MOST_MOVES));
            assert!(naive.iter().zip(row).all(|(naive, &number)| naive[count] == number), "{pos:?} {count}: {row:?}");
        });
        prop_assert_eq!(seen, wanted);
        for (number, after) in after.iter().enumerate() {
            prop_assert_eq!(afterwards.position(number), *after);
            prop_assert_eq!(after.counts(pos.side(), zones), naive[number]);
        }

        let function = random(seed, arity);
        let mut tape = RowTape::new(function.tape(), MOST_MOVES);
        let looked_at = tape.inputs() as u32;
        for _ in 0..2 {
            let values = tape.run(naive.len(), |inputs, room| {
                afterwards.count(zones, looked_at, LANES, |count, row| {
                    inputs[count * room..].iter_mut().zip(row).for_each(|(input, &count)| *input = count.into());
                });
            });
            prop_assert_eq!(values.len(), naive.len());
            prop_assert!(values.iter().zip(&naive).all(|(&value, counts)| same(value, plain(&function, counts))));
        }
    }
}

/// Generates functions in which constants differ in their sign and exponent only.
fn with_constants() -> impl Strategy<Value = String> {
    let constant = prop::sample::select(vec!["0", "1", "-1", "2", "-2", "10", "-10", "0.5", "-0.5"]);
    let count = prop::sample::select(vec!["white", "black", "white_corners"]);
    let leaf = prop_oneof![constant.prop_map(str::to_owned), count.prop_map(str::to_owned)];
    leaf.prop_recursive(5, 40, 2, |inner| {
        let function = prop::sample::select(vec!["+", "-", "*", "/"]);
        (function, inner.clone(), inner).prop_map(|(function, a, b)| format!("( {function} {a} {b} )"))
    })
}

proptest! {
    #[test]
    fn constants_that_differ_in_sign_and_exponent_are_told_apart(text in with_constants(), seed: u64, plies in 0..60usize) {
        let function = Function::from_str(&text).unwrap();
        let counts = counted(&position(seed, plies), Side::South, Zones::default());
        let value = plain(&function, &counts);
        prop_assert!(same(function.tape().run(&counts), value), "{text}: {value}");
        let simple = simplified(function.main());
        prop_assert!(same(walk(simple.nodes(), &counts, &[], &function).0, value), "{text}");
    }
}

#[test]
fn opposite_constants_do_not_cancel() {
    let function = Function::from_str("( * white ( - ( + black 10 ) ( + black -10 ) ) )").unwrap();
    let counts = counted(&position(1, 8), Side::South, Zones::default());
    assert_eq!(function.tape().run(&counts), plain(&function, &counts));
    assert!(plain(&function, &counts) != 0.0);
}
