//! Tests of first generations.

use super::toy::grammar;
use crate::gp::genome::Generator;
use crate::rng::keyed;

#[test]
fn ramped_half_and_half_has_as_many_of_every_depth_and_half_of_them_full() {
    let grammar = grammar(&["add", "sub"]).unwrap();
    let tree = |number| {
        let tree = Generator::Ramped.tree(&grammar, (number, 6), usize::MAX, &mut keyed(&[number as u64]));
        tree.unwrap()
    };
    for number in 0..100 {
        let tree = tree(number);
        let depth = 2 + number % 5;
        let is_full = (number / 5) % 2 == 0;
        assert!(tree.depth() <= depth && tree.size() > 1, "{number}");
        // Both functions take two arguments.
        assert!(!is_full || tree.size() == (1 << depth) - 1, "{number}: {}", tree.to_sexpr());
    }
    let too_large = Generator::Ramped.tree(&grammar, (58, 60), 1000, &mut keyed(&[1]));
    assert!(too_large.is_none(), "what would fill the memory is not made");
}
