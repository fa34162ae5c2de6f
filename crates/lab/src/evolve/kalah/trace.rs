//! What a program reads in its games against its opponents.

use mancalab_base::Error;

use super::problem::seated;
use super::settings::Settings;
use super::valued::valued;
use crate::budget::Budget;
use crate::evolve::analysis::Trace;
use crate::game::{GameState, Side};
use crate::player::{self, Turn};
use crate::program::kalah::{BowlLanguage as _, Program, ProgramGame, VALUE_AT, bowl_of};
use crate::program::{Language as _, Node, Tape};

/// Plays the program against each opponent, moving first and second, in games that begin at `start`.
///
/// # Errors
/// An opponent cannot be built.
pub(super) fn trace<G: ProgramGame>(settings: &Settings, program: &Program, start: G) -> Result<Trace, Error> {
    let pits = usize::from(G::Language::PITS);
    let mut trace =
        Trace { moves: 0, taken: vec![0; program.size()], reads: vec![0; G::Language::INPUTS], sown: vec![0; pits] };
    let children = program.children();
    let mut tape = Tape::new(&G::Language::own(program));
    for (number, (spec, _)) in seated(settings).iter().enumerate() {
        let mut opponent = player::build::<G>(spec).map_err(|unbuilt| unbuilt.to_string())?;
        for seat in Side::BOTH {
            let seed = crate::rng::derived(&[settings.tableau.seed, number as u64, seat.index() as u64]);
            let mut game_state = GameState::new(start);
            while !game_state.is_over() {
                if game_state.pos().side() != seat {
                    let turn = Turn::current(&game_state, seed);
                    let mv = loop {
                        if let Some(mv) = opponent.think(&turn, Budget::UNLIMITED) {
                            break mv;
                        }
                    };
                    game_state.play(mv);
                    continue;
                }
                let pos = *game_state.pos();
                let Some(mv) = settings.reading.chosen_move::<G>(&mut tape, &pos) else { break };
                let (values, taken) = valued(program, &pos, settings.reading);
                trace.add(program, &children, &values, &taken, bowl_of::<G>);
                trace.sown[mv.index().min(pits - 1)] += 1;
                game_state.play(mv);
            }
        }
    }
    Ok(trace)
}

impl Trace {
    /// Adds a move: the value of every node, and which of them the program's value came from.
    fn add(
        &mut self,
        program: &Program,
        children: &[Vec<usize>],
        values: &[i64],
        taken: &[bool],
        bowl: impl Fn(i64) -> usize,
    ) {
        self.moves += 1;
        let mut read = vec![false; self.reads.len()];
        for (node, _) in taken.iter().enumerate().filter(|(_, taken)| **taken) {
            self.taken[node] += 1;
            if program.nodes()[node] == Node::Symbol(VALUE_AT) {
                read[bowl(values[children[node][0]])] = true;
            }
        }
        self.reads.iter_mut().zip(read).for_each(|(count, read)| *count += u64::from(read));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardGame as _;
    use crate::game::kalah::Kalah;
    use crate::program::Tree;
    use crate::settings::KeyedSettings as _;

    #[test]
    fn what_is_read_is_counted_once_a_move() {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:2").unwrap();
        let start = Kalah::start(settings.rules());
        // The third branch is never taken: no pit has fewer seeds than none.
        let program: Program = Tree::parse("(if< (@ 3) 0 (@ 9) (+ (@ 3) (@ 17)))").unwrap();
        let trace = trace(&settings, &program, start).unwrap();
        assert!(trace.moves > 10);
        // 17 wraps around to 3.
        let reads: Vec<u64> = (0..14).map(|bowl| if bowl == 3 { trace.moves } else { 0 }).collect();
        assert_eq!(trace.reads, reads);
        let never = |node: usize| trace.taken[node] == 0;
        let nodes: Vec<bool> = (0..program.size()).map(never).collect();
        assert_eq!(nodes, [false, false, false, false, true, true, false, false, false, false, false]);
        assert_eq!(trace.sown.iter().sum::<u64>(), trace.moves);
    }
}
