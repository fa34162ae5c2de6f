//! The value of every node of a program in a position, and which nodes determine the program's value.

use crate::program::kalah::{IF, Program, ProgramGame, Reading};
use crate::program::{Language, Node};

/// Returns the value of every node in a position, and whether the program's value depends on it there. Of an IF these are the
/// two compared arguments and the selected one of the other two.
pub fn valued<G: ProgramGame>(program: &Program, pos: &G, reading: Reading) -> (Vec<i64>, Vec<bool>) {
    let nodes = program.nodes();
    let children = program.children();
    let values = values(program, &children, pos, reading);
    let mut taken = vec![false; nodes.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        taken[at] = true;
        let args = &children[at];
        match nodes[at] {
            Node::Symbol(IF) => {
                let branch = if values[args[0]] < values[args[1]] { args[2] } else { args[3] };
                open.extend([args[0], args[1], branch]);
            }
            _ => open.extend(args),
        }
    }
    (values, taken)
}

fn values<G: ProgramGame>(program: &Program, children: &[Vec<usize>], pos: &G, reading: Reading) -> Vec<i64> {
    let mut inputs = vec![0; G::Language::INPUTS];
    G::Language::look(&reading.bowls(pos), &mut inputs);
    let mut values = vec![0; program.size()];
    for (at, node) in program.nodes().iter().enumerate().rev() {
        values[at] = match *node {
            Node::Constant(constant) => G::Language::value(constant),
            Node::Symbol(symbol) => {
                let args = &children[at];
                G::Language::apply(symbol, |arg| values[args[arg]], |input| inputs[input])
            }
        };
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::kalah::Settings;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame, Game, Move};
    use crate::program::fold::needed;
    use crate::program::kalah::printed;
    use crate::program::{Tape, Tree};

    fn start() -> Kalah {
        Kalah::start(Settings::preset("mancala-gp-1").unwrap().rules())
    }

    #[test]
    fn a_branch_that_is_not_taken_gives_nothing() {
        let program: Program = Tree::parse("(if< (@ 0) 2 (+ 3 4) (- 5 6))").unwrap();
        let (values, taken) = valued(&program, &start(), Reading::default());
        assert_eq!(values, [7, 0, 0, 2, 7, 3, 4, -1, 5, 6]);
        assert_eq!(taken, [true, true, true, true, true, true, true, false, false, false]);
    }

    #[test]
    fn values_are_those_of_the_tape() {
        let program = printed("figure5-1").unwrap();
        let pos = start().play(Move(2));
        let (values, _) = valued(&program, &pos, Reading::default());
        assert_eq!(values[0], Tape::new(&program).run(&Reading::default().bowls(&pos)));
    }

    /// The value depends on needed nodes only; a node that is not needed can have any value.
    #[test]
    fn what_is_not_needed_changes_nothing() {
        let program: Program = Tree::parse("(if< 1 2 (+ (@ 3) (- (@ 5) (@ 5))) (- 5 (@ 6)))").unwrap();
        let needed_nodes = needed(&program);
        let expected = "100111000000000";
        let marks: String = needed_nodes.iter().map(|&needed| if needed { '1' } else { '0' }).collect();
        assert_eq!(marks, expected);
        let program = printed("figure5-1").unwrap();
        let nodes = needed(&program);
        assert!(nodes[0] && nodes.iter().any(|needed| !needed));
        // A simplified program needs all its nodes.
        let simple = crate::program::fold::simplified(&program);
        let kept = needed(&simple).iter().filter(|needed| **needed).count();
        let all = simple.size();
        assert_eq!(kept, all);
    }
}
