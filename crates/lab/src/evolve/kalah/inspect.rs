//! The display of programs that play games of pits, and what they read in their games.

use mancalab_base::Error;

use super::BredGame;
use super::problem::{KalahProblem, rivals};
use super::settings::{PRESETS, Settings};
use crate::budget::Budget;
use crate::evolve::analysis::{Trace, Tracer};
use crate::evolve::gp::Genome;
use crate::evolve::inspect::{Inspect, ValuedProgram, ValuedTree};
use crate::evolve::opponent::OpponentKind;
use crate::exploit;
use crate::game::{GameState, Move, Position, Side, Variant, of_pits};
use crate::player::{self, Player, Spec, Turn};
use crate::program::kalah::{
    BowlLanguage as _, IF, KalahLanguage, Program, ProgramGame, ProgramReading, VALUE_AT, bowl_of,
};
use crate::program::{Language, Node, Tape, Tree};

impl Inspect for KalahProblem {
    const PRESETS: &'static [(&'static str, &'static str)] = PRESETS;
    const PLAYER: &'static str = "program";

    fn spec(text: &str) -> Result<Spec, Error> {
        Ok(Spec::program("best", Tree::parse(text)?))
    }

    fn preset(name: &str) -> Option<Settings> {
        Settings::preset(name).ok()
    }

    fn valued(settings: &Settings, program: &Genome<KalahLanguage>, board: Option<Position>) -> ValuedProgram {
        let start = settings.variant().start();
        let valued = of_pits!(Pits => {
            Pits::try_from(start).ok().map(|start| valued_in(program, start, board, settings.reading))
        });
        valued.unwrap_or_default()
    }

    fn game(settings: &Settings) -> Variant {
        settings.variant()
    }

    fn opponent(settings: &Settings) -> Result<Spec, Error> {
        match settings.opponents.first().map(|opponent| &opponent.kind) {
            Some(OpponentKind::Player(spec)) => Ok(spec.clone()),
            Some(OpponentKind::Programs(_) | OpponentKind::Champions(_)) => {
                format!("program:random:{}", settings.tableau.seed).parse()
            }
            None => Ok(Spec::Human),
        }
    }

    fn places(settings: &Settings) -> Option<usize> {
        Some(settings.bowls())
    }

    fn tracer(settings: &Settings, program: &Genome<KalahLanguage>) -> Option<Box<dyn Tracer>> {
        let start = settings.variant().start();
        of_pits!(Pits => Pits::try_from(start).ok().map(|start| tracer(settings, program.first(), start)))
    }

    fn greatest_sum(settings: &Settings) -> Option<(u32, u32)> {
        let Variant::Kalah(rules) = settings.variant() else { return None };
        let [opponent] = &settings.opponents[..] else { return None };
        let OpponentKind::Player(spec) = &opponent.kind else { return None };
        let seats = exploit::known(&rules, spec)?;
        let sum = |bound: fn(&(u8, u8)) -> u8| seats.iter().map(|seat| u32::from(bound(seat))).sum();
        Some((sum(|seat| seat.0), sum(|seat| seat.1)))
    }
}

/// See [`Inspect::valued`], in a game that starts with this position.
fn valued_in<G: ProgramGame>(
    program: &Genome<KalahLanguage>,
    start: G,
    board: Option<Position>,
    reading: ProgramReading,
) -> ValuedProgram {
    let on_board = board.and_then(|pos| G::try_from(pos).ok()).filter(|pos| pos.with_rules() == start.with_rules());
    let (values, taken) = valued(program.first(), &on_board.unwrap_or(start), reading);
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    let tree = ValuedTree::new(String::new(), &*G::Language::own(program.first()), &values, &taken);
    ValuedProgram { of_board: on_board.is_some(), trees: vec![tree] }
}

/// Returns the games of the program against each opponent, moving first and second, that begin at `start`.
pub(super) fn tracer<G: BredGame>(settings: &Settings, program: &Program, start: G) -> Box<dyn Tracer> {
    let seed = |number: u64, seat: Side| crate::rng::derived(&[settings.tableau.seed, number, seat.index() as u64]);
    let mut seats = Vec::new();
    for rival in rivals(settings, &[]) {
        seats.extend(Side::BOTH.map(|seat| (rival.spec.clone(), seat, seed(rival.number, seat))));
    }
    let pits = usize::from(G::Language::PITS);
    Box::new(Games {
        trace: Trace {
            taken: vec![0; program.size()],
            reads: vec![0; G::Language::INPUTS],
            sown: vec![0; pits],
            moves: 0,
        },
        children: program.children(),
        tape: Tape::new(&G::Language::own(program)),
        reading: settings.reading,
        program: program.clone(),
        start,
        seats: seats.into_iter(),
        game: None,
    })
}

/// A [`Tracer`].
struct Games<G: BredGame> {
    program: Program,
    children: Vec<Vec<usize>>,
    tape: Tape<G::Language>,
    reading: ProgramReading,
    start: G,
    /// The opponents of the games to come, with the program's seat and the seed of the game.
    seats: std::vec::IntoIter<(Spec, Side, u64)>,
    game: Option<Game<G>>,
    trace: Trace,
}

struct Game<G: ProgramGame> {
    opponent: Box<dyn Player<G>>,
    /// The program's.
    seat: Side,
    seed: u64,
    game_state: GameState<G>,
}

impl<G: BredGame> Tracer for Games<G> {
    fn step(&mut self, budget: Budget) -> Result<Option<Trace>, Error> {
        loop {
            let mut game = match self.game.take() {
                Some(game) => game,
                None => match self.seats.next() {
                    Some((spec, seat, seed)) => {
                        let opponent = player::build::<G>(&spec).map_err(|unbuilt| unbuilt.to_string())?;
                        Game { opponent, seat, seed, game_state: GameState::new(self.start) }
                    }
                    None => return Ok(Some(std::mem::take(&mut self.trace))),
                },
            };
            while !game.game_state.is_over() {
                let Some(mv) = self.next_move(&mut game, budget) else {
                    self.game = Some(game);
                    return Ok(None);
                };
                game.game_state.play(mv);
            }
        }
    }
}

impl<G: BredGame> Games<G> {
    /// Returns the next move of a game; `None` if the budget is spent first.
    fn next_move(&mut self, game: &mut Game<G>, budget: Budget) -> Option<Move> {
        if game.game_state.pos().side() != game.seat {
            return game.opponent.think(&Turn::current(&game.game_state, game.seed), budget);
        }
        if budget.is_spent() {
            return None;
        }
        let pos = game.game_state.pos();
        let mv = self.reading.chosen_move::<G>(&mut self.tape, pos)?;
        let (values, taken) = valued(&self.program, pos, self.reading);
        self.trace.add(&self.program, &self.children, &values, &taken, bowl_of::<G>);
        let last = self.trace.sown.len() - 1;
        self.trace.sown[mv.index().min(last)] += 1;
        Some(mv)
    }
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

/// Returns the value of every node in a position, and whether the program's value depends on it there. Of an IF these are the
/// two compared arguments and the selected one of the other two.
pub fn valued<G: ProgramGame>(program: &Program, pos: &G, reading: ProgramReading) -> (Vec<i64>, Vec<bool>) {
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

fn values<G: ProgramGame>(program: &Program, children: &[Vec<usize>], pos: &G, reading: ProgramReading) -> Vec<i64> {
    let mut inputs = vec![0; G::Language::INPUTS];
    G::Language::look(&reading.bowls(pos), &mut inputs);
    let mut values = vec![0; program.size()];
    for (at, node) in program.nodes().iter().enumerate().rev() {
        values[at] = match *node {
            Node::Constant(constant) => <G::Language as Language>::value(constant),
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
    use super::super::Settings;
    use super::*;
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame, Game, Move};
    use crate::program::fold::needed;
    use crate::program::kalah::printed;
    use crate::program::{Tape, Tree};
    use crate::settings::KeyedSettings as _;

    #[test]
    fn what_is_read_is_counted_once_a_move() {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:2").unwrap();
        let start = Kalah::start(settings.rules());
        // The third branch is never taken: no pit has fewer seeds than none.
        let program: Program = Tree::parse("(if< (@ 3) 0 (@ 9) (+ (@ 3) (@ 17)))").unwrap();
        let trace = tracer(&settings, &program, start).step(Budget::UNLIMITED).unwrap().unwrap();
        assert!(trace.moves > 10);
        // 17 wraps around to 3.
        let reads: Vec<u64> = (0..14).map(|bowl| if bowl == 3 { trace.moves } else { 0 }).collect();
        assert_eq!(trace.reads, reads);
        let never = |node: usize| trace.taken[node] == 0;
        let nodes: Vec<bool> = (0..program.size()).map(never).collect();
        assert_eq!(nodes, [false, false, false, false, true, true, false, false, false, false, false]);
        assert_eq!(trace.sown.iter().sum::<u64>(), trace.moves);
    }

    fn start() -> Kalah {
        Kalah::start(Settings::preset("mancala-gp-1").unwrap().rules())
    }

    #[test]
    fn a_branch_that_is_not_taken_gives_nothing() {
        let program: Program = Tree::parse("(if< (@ 0) 2 (+ 3 4) (- 5 6))").unwrap();
        let (values, taken) = valued(&program, &start(), ProgramReading::default());
        assert_eq!(values, [7, 0, 0, 2, 7, 3, 4, -1, 5, 6]);
        assert_eq!(taken, [true, true, true, true, true, true, true, false, false, false]);
    }

    #[test]
    fn values_are_those_of_the_tape() {
        let program = printed("figure5-1").unwrap();
        let pos = start().play(Move(2));
        let (values, _) = valued(&program, &pos, ProgramReading::default());
        assert_eq!(values[0], Tape::new(&program).run(&ProgramReading::default().bowls(&pos)));
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
