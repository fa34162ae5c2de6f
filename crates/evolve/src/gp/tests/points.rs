//! Tests of crossover points.

use super::toy::Sums;
use crate::gp::points::{Points, levels};
use crate::program::tree::Tree;
use crate::rng::keyed;
use rand::RngExt as _;

const DRAWS: u64 = 20_000;

/// Returns how often each node of a program is drawn, of [`DRAWS`].
fn drawn(points: Points, program: &Tree<Sums>) -> Vec<f64> {
    let mut counts = vec![0.0; program.size()];
    (0..DRAWS).for_each(|key| counts[points.draw(program, &mut keyed(&[key]))] += 1.0);
    counts
}

/// Checks Pearson's statistic against a bound exceeded by chance about once in ten thousand for so few nodes; impossible points
/// must never be drawn.
fn is_drawn(points: Points, program: &Tree<Sums>, chances: &[f64]) {
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9 && chances.len() == program.size());
    let counts = drawn(points, program);
    let mut statistic = 0.0;
    for (count, chance) in counts.iter().zip(chances) {
        let expected = DRAWS as f64 * chance;
        assert!(expected > 0.0 || *count == 0.0, "{points}: {counts:?}");
        statistic += if expected > 0.0 { (count - expected).powi(2) / expected } else { 0.0 };
    }
    assert!(statistic < 40.0, "{points}: {statistic} for {counts:?}, {chances:?}");
}

fn program(text: &str) -> Tree<Sums> {
    Tree::<Sums>::parse(text).unwrap()
}

/// Nodes in order: +, neg, 1, if, 2, 3, -, 4, 5, 6; depths 0 1 2 1 2 2 2 3 3 2.
fn small() -> Tree<Sums> {
    let program = program("((neg (1)) + (if (2) < (3) do ((4) - (5)) else do (6)))");
    assert_eq!(program.size(), 10);
    assert_eq!(levels(&program).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 2, 2, 3, 3, 2]);
    program
}

#[test]
fn uniform_points_are_drawn_as_they_always_were() {
    is_drawn(Points::Uniform, &small(), &[0.1; 10]);
    let program = small();
    for key in 0..100 {
        let at = keyed(&[key]).random_range(0..program.size());
        assert_eq!(Points::Uniform.draw(&program, &mut keyed(&[key])), at);
    }
}

#[test]
fn a_walk_stops_by_the_number_of_arguments() {
    let third = 1.0 / 3.0;
    let inner = third / 5.0;
    let chances = [third, third / 2.0, third / 2.0, inner, inner, inner, inner / 3.0, inner / 3.0, inner / 3.0, inner];
    is_drawn(Points::Walk, &small(), &chances);
    assert_eq!(drawn(Points::Walk, &program("(7)")), [DRAWS as f64]);
}

#[test]
fn a_walk_stops_with_the_chance_that_it_is_given() {
    let chances = |stop: f64| {
        let go = 1.0 - stop;
        let side = go / 2.0;
        let inner = side * go / 4.0;
        let last = inner * go / 2.0;
        [stop, side * stop, side * go, side * stop, inner, inner, inner * stop, last, last, inner]
    };
    for percent in [0, 25, 60, 100] {
        is_drawn(Points::WalkStopping(percent), &small(), &chances(f64::from(percent) / 100.0));
    }
}

#[test]
fn every_depth_is_drawn_alike_and_every_node_of_one() {
    let chances = [0.25, 0.125, 0.05, 0.125, 0.05, 0.05, 0.05, 0.125, 0.125, 0.05];
    is_drawn(Points::Depth, &small(), &chances);
    assert_eq!(drawn(Points::Depth, &program("(7)")), [DRAWS as f64]);
}

#[test]
fn nine_points_in_ten_are_functions() {
    let function = 0.9 / 4.0;
    let leaf = 0.1 / 6.0;
    let chances = [function, function, leaf, function, leaf, leaf, function, leaf, leaf, leaf];
    is_drawn(Points::Inner, &small(), &chances);
    assert_eq!(drawn(Points::Inner, &program("(7)")), [DRAWS as f64]);
}

#[test]
fn what_is_written_is_read_again_and_all_else_refused() {
    let all = [
        Points::Uniform,
        Points::Walk,
        Points::WalkStopping(0),
        Points::WalkStopping(100),
        Points::Depth,
        Points::Inner,
    ];
    for points in all {
        assert_eq!(points.to_string().parse::<Points>().unwrap(), points);
    }
    for text in ["", "walk:", "walk:101", "walk:-1", "walk:2.5", "walk: 25", "Uniform", "depth:3", "inner "] {
        let error = text.parse::<Points>().unwrap_err().in_a_line();
        assert!(error.contains("uniform, walk, walk:P (P percent from 0 to 100), depth or inner"), "{error}");
        assert!(error.contains(&format!("'{text}'")), "{error}");
    }
}
