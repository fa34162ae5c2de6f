//! Which branches of a program its own games ever reach.

use super::opponent::OpponentKind;
use super::settings::Settings;
use crate::game::Tabletop;
use crate::game::kalah::Kalah;
use crate::game::{Course, Game};
use crate::player::program::ProgramPlayer;
use crate::player::{self, Player, Spec, Turn};
use crate::program::kalah::KalahLanguage;
use crate::program::kalah::{Bowls, IF, Program, Reading};
use crate::program::{Language, Node};

/// The deepest opponent that is played again just to look at a program.
const QUICK: u32 = 10;

/// For each node of `program`, in prefix order, whether it mattered in one of its two games against the first opponent of the
/// settings; `None` if that opponent is too slow to be asked again, or is no single player.
pub fn reached(program: &Program, settings: &Settings) -> Option<Vec<bool>> {
    let OpponentKind::Player(spec) = &settings.opponents.first()?.kind else { return None };
    let quick = match spec {
        Spec::Minimax(minimax) => minimax.depth <= QUICK && minimax.time.is_none(),
        Spec::Random | Spec::Max | Spec::Program(_) => true,
        _ => false,
    };
    let mut opponent = player::build::<Kalah>(spec).ok().filter(|_| quick)?;
    let mut positions = Vec::new();
    for first in [true, false] {
        positions.extend(own_positions(program, opponent.as_mut(), settings, first));
    }
    Some(mark(program, &positions, settings.reading))
}

/// The positions in which the program is to move, in a game that it begins or not.
fn own_positions(program: &Program, opponent: &mut dyn Player<Kalah>, settings: &Settings, first: bool) -> Vec<Kalah> {
    let mut own = ProgramPlayer::new(program);
    let mut course = Course::new(Kalah::start(settings.rules()));
    let side = course.pos().side();
    let me = if first { side } else { side.other() };
    let mut positions = Vec::new();
    while !course.is_over() {
        let turn = Turn::of(&course, settings.tableau.seed);
        let mv = if turn.pos.side() == me {
            positions.push(turn.pos);
            player::choose::<Kalah>(&mut own, &turn)
        } else {
            player::choose(opponent, &turn)
        };
        // Nobody gives up before the end.
        let Some(mv) = mv else { break };
        course.play(mv);
    }
    positions
}

/// Marks the nodes whose value the program's value comes from, in any of the positions: of an IF the two that are compared, and
/// the one of the other two that is taken.
fn mark(program: &Program, positions: &[Kalah], reading: Reading) -> Vec<bool> {
    let nodes = program.nodes();
    let children = children(program);
    let mut reached = vec![false; nodes.len()];
    let mut values = vec![0; nodes.len()];
    for pos in positions {
        let bowls: Bowls = reading.bowls(pos);
        evaluate(program, &children, &bowls, &mut values);
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            reached[at] = true;
            let args = &children[at];
            match nodes[at] {
                Node::Symbol(IF) => {
                    let taken = if values[args[0]] < values[args[1]] { args[2] } else { args[3] };
                    open.extend([args[0], args[1], taken]);
                }
                _ => open.extend(args),
            }
        }
    }
    reached
}

/// Where the arguments of each node begin.
fn children(program: &Program) -> Vec<Vec<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut children = vec![Vec::new(); program.size()];
    // From the back, the arguments of a function are the subtrees begun last.
    for (at, node) in program.nodes().iter().enumerate().rev() {
        if let Node::Symbol(symbol) = node {
            let arity = KalahLanguage::SYMBOLS[usize::from(*symbol)].arity();
            children[at] = (0..arity).filter_map(|_| open.pop()).collect();
        }
        open.push(at);
    }
    children
}

/// The value of every node.
fn evaluate(program: &Program, children: &[Vec<usize>], bowls: &Bowls, values: &mut [i64]) {
    let mut inputs = vec![0; KalahLanguage::INPUTS];
    KalahLanguage::look(bowls, &mut inputs);
    for (at, node) in program.nodes().iter().enumerate().rev() {
        values[at] = match *node {
            Node::Constant(constant) => KalahLanguage::value(constant),
            Node::Symbol(symbol) => {
                let args = &children[at];
                KalahLanguage::apply(symbol, |arg| values[args[arg]], |input| inputs[input])
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;
    use crate::program::kalah::printed;
    use crate::program::{Tape, Tree};

    #[test]
    fn a_branch_that_is_never_taken_is_not_reached() {
        let program = Tree::parse("(if< 1 2 (+ 3 4) (- 5 6))").unwrap();
        let reached = reached(&program, &Settings::preset("mancala-gp-1").unwrap()).unwrap();
        assert_eq!(reached, [true, true, true, true, true, true, false, false, false]);
    }

    #[test]
    fn the_second_printed_program_has_no_if_and_is_reached_everywhere() {
        let settings = Settings::preset("mancala-gp-2").unwrap();
        assert!(reached(&printed("figure5-2").unwrap(), &settings).unwrap().into_iter().all(|reached| reached));
        let first = reached(&printed("figure5-1").unwrap(), &settings).unwrap();
        assert!(first.len() == 74 && first.iter().any(|reached| !reached));
    }

    #[test]
    fn values_are_those_of_the_tape() {
        let program = printed("figure5-1").unwrap();
        let pos = Kalah::start(Settings::preset("mancala-gp-1").unwrap().rules()).play(Move(2));
        let bowls = Reading::default().bowls(&pos);
        let mut values = vec![0; program.size()];
        evaluate(&program, &children(&program), &bowls, &mut values);
        assert_eq!(values[0], Tape::new(&program).run(&bowls));
    }
}
