//! Programs as trees: texts, folding, tapes and the sizes of the printed programs.

use mancalab::evolve::gp::Points;
use mancalab::evolve::gp::points::levels;
use mancalab::evolve::gp::select::{crossover, mutate};
use mancalab::game::kalah::Kalah;
use mancalab::program::kalah::{Bowls, KalahLanguage, PRINTED, Program, grammar, printed};
use mancalab::program::{Grammar, Language as _, Node, Tape, Tree, simplified};
use mancalab::rng::keyed;
use proptest::prelude::*;

/// Every method of drawing crossover points.
const POINTS: [Points; 5] = [Points::Uniform, Points::Walk, Points::WalkStopping(25), Points::Depth, Points::Inner];

fn random(seed: u64) -> Program {
    Grammar::whole().program(16, &mut keyed(&[seed]))
}

/// Evaluates a program directly; returns the value and the remaining nodes.
fn walk<'a>(nodes: &'a [Node<i32>], bowls: &Bowls<Kalah>) -> (i64, &'a [Node<i32>]) {
    let name = match nodes[0] {
        Node::Constant(constant) => return (constant.into(), &nodes[1..]),
        Node::Symbol(symbol) => KalahLanguage::SYMBOLS[usize::from(symbol)].name,
    };
    let seeds = |pits: std::ops::Range<usize>| bowls[pits].iter().map(|&seeds| i64::from(seeds)).sum();
    match name {
        "seeds_own" => return (seeds(1..7), &nodes[1..]),
        "seeds_other" => return (seeds(8..14), &nodes[1..]),
        _ => {}
    }
    let (a, rest) = walk(&nodes[1..], bowls);
    if name == "value_at" {
        return (bowls[a.rem_euclid(14) as usize].into(), rest);
    }
    let (b, rest) = walk(rest, bowls);
    match name {
        "add" => (a.saturating_add(b), rest),
        "sub" => (a.saturating_sub(b), rest),
        "mul" => (a.saturating_mul(b), rest),
        "min" => (if a < b { a } else { b }, rest),
        "max" => (if a < b { b } else { a }, rest),
        "mod" if b == 0 => (0, rest),
        "mod" => ((i128::from(a).rem_euclid(i128::from(b))) as i64, rest),
        "if" => {
            let (c, rest) = walk(rest, bowls);
            let (d, rest) = walk(rest, bowls);
            (if a < b { c } else { d }, rest)
        }
        _ => unreachable!(),
    }
}

#[test]
fn the_printed_programs_come_back_exactly() {
    for ((name, text), (size, depth)) in PRINTED.into_iter().zip([(74, 12), (80, 19)]) {
        let program = printed(name).unwrap();
        assert_eq!(program.to_notation(), text.trim_end());
        assert_eq!((program.size(), program.depth()), (size, depth), "{name}");
        assert_eq!(Tree::parse(&program.to_sexpr()), Ok(program.clone()));
        assert!(simplified(&program).size() < size);
    }
}

#[test]
fn texts_are_forgiving_about_blanks_and_comments() {
    let program: Program = Tree::parse("# fitness 12\n( value at [ ( 3 )\n] )\n").unwrap();
    assert_eq!(program.to_notation(), "(value at [(3)])");
    assert_eq!(program.to_sexpr(), "(@ 3)");
    let program: Program = Tree::parse("(if< 1 (@ 2) -3 (+ 4 (- 5 6)))").unwrap();
    assert_eq!(program.to_notation(), "(if (1) < (value at [(2)]) do (-3) else do ((4) + ((5) - (6))))");
    assert_eq!(Tree::parse("7"), Ok(Tree::<KalahLanguage>::new(vec![Node::Constant(7)]).unwrap()));
    assert_eq!(Tree::parse("(7)"), Ok(Tree::<KalahLanguage>::new(vec![Node::Constant(7)]).unwrap()));
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let error = |text: &str| Program::parse(text).unwrap_err().to_string();
    assert_eq!(error(""), "line 1, column 1: the text ends here; expected a whole number or '('");
    assert_eq!(error("((9) + (8)"), "line 1, column 11: the text ends here; expected ')'");
    assert_eq!(error("((9) % (8))"), "line 1, column 6: found '%'; expected '+' or '-' or '*' or 'mod'");
    assert_eq!(
        error("((9) +\n [8])"),
        "line 2, column 2: found '['; expected a whole number, or '(', '(greatest of', '(if', '(least of', '(seeds_other)', '(seeds_own)', '(value at [' to begin with"
    );
    assert_eq!(error("((9) + (8)) (7)"), "line 1, column 13: found '('; expected nothing more");
    assert_eq!(error("(if (9) < (8) do (7))"), "line 1, column 21: found ')'; expected 'else do'");
    assert_eq!(error("(+ 9 8 7)"), "line 1, column 8: found '7'; expected ')'");
    assert_eq!(error("(+ 9 x)"), "line 1, column 6: found 'x'; expected a whole number or '('");
    assert_eq!(
        error("(99999999999)"),
        "line 1, column 2: found '99999999999'; expected a whole number, or '(', '(greatest of', '(if', '(least of', '(seeds_other)', '(seeds_own)', '(value at [' to begin with"
    );
}

#[test]
fn deep_programs_do_not_overflow() {
    const DEEP: usize = 100_000;
    let nested = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP));
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || {
            for text in [nested("(value at [", "(3)", "])"), nested("((1) - ", "(value at [(5)])", ")")] {
                let program: Program = Tree::parse(&text).unwrap();
                assert!(program.depth() >= DEEP);
                assert!(program.to_notation() == text);
                assert!(Tree::parse(&program.to_sexpr()) == Ok(program.clone()));
                Tape::new(&program).run(&[4; 14]);
                simplified(&program).to_sexpr();
                let mut rng = keyed(&[1]);
                for points in POINTS {
                    let child = crossover(&program, &program, points, usize::MAX, &mut rng).unwrap();
                    mutate(&child, &Grammar::whole(), 20, usize::MAX, &mut rng).unwrap();
                }
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn grown_programs_keep_to_their_depth_and_functions() {
    let grown_from = grammar(&["add", "value_at", "seeds_own"]).unwrap();
    let is_wanted = |name: &str| ["add", "value_at", "seeds_own"].contains(&name);
    for seed in 0..500 {
        let program = grown_from.program(5, &mut keyed(&[seed]));
        assert!((2..=5).contains(&program.depth()));
        for (symbol, count) in KalahLanguage::SYMBOLS.iter().zip(program.counts()) {
            assert!(count == 0 || is_wanted(symbol.name), "{}", symbol.name);
        }
        assert!(random(seed).depth() <= 16);
    }
    assert!(
        grammar(&["pow"])
            .unwrap_err()
            .to_string()
            .contains("named 'pow'; known: if, add, sub, value_at, mul, min, max, mod")
    );
}

proptest! {
    #[test]
    fn random_programs_round_trip(seed: u64) {
        let program = random(seed);
        prop_assert_eq!(Tree::parse(&program.to_notation()), Ok(program.clone()));
        prop_assert_eq!(Tree::parse(&program.to_sexpr()), Ok(program.clone()));
    }

    #[test]
    fn tapes_and_simplified_programs_mean_the_same(seed: u64, bowls in prop::array::uniform14(0..49u8)) {
        let program = random(seed);
        let (value, rest) = walk(program.nodes(), &bowls);
        prop_assert!(rest.is_empty());
        prop_assert_eq!(Tape::new(&program).run(&bowls), value);
        let simple = simplified(&program);
        prop_assert!(simple.size() <= program.size());
        prop_assert_eq!(walk(simple.nodes(), &bowls).0, value);
        prop_assert_eq!(Tape::new(&simple).run(&bowls), value);
        prop_assert_eq!(simple.folded(), program.folded());
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[()\\[\\]a-z0-9+< @-]{0,40}") {
        if let Ok(program) = Program::parse(&text) {
            prop_assert_eq!(Tree::parse(&program.to_notation()), Ok(program.clone()));
        }
    }

    #[test]
    fn crossed_and_mutated_programs_are_programs(one: u64, other: u64) {
        let mut rng = keyed(&[one, other]);
        for points in POINTS {
            let child = crossover(&random(one), &random(other), points, usize::MAX, &mut rng).unwrap();
            let mutant = mutate(&child, &Grammar::whole(), 20, usize::MAX, &mut rng).unwrap();
            for program in [child, mutant] {
                prop_assert_eq!(levels(&program).max().map(|level| level + 1), Some(program.depth()));
                // What is known of its subtrees is the same as if it had been measured as a whole.
                prop_assert_eq!(Tree::new(program.nodes().to_vec()), Some(program));
            }
        }
    }
}
