//! Fitness by playing: each program plays every opponent twice, moving first and second.
//!
//! Opponents are deterministic, so all games against one of them from one side are walks in a graph (`graph`). Its nodes are
//! the positions with the program to move; an edge is the program's move and all replies up to the next such position. The
//! graph grows at the first visit of an edge; every later visit costs one table look-up per move. Programs play in rounds: they
//! walk as far as the graph reaches (in parallel, without writing), then the missing edges are computed (`replies`, in
//! parallel, each once) and inserted (sequentially).
//!
//! Graphs grow from generation to generation. Once they exceed the setting `memory`, the next generation begins with empty ones;
//! results do not depend on that.
//!
//! The number of programs in progress is limited, which bounds the work between two rounds and the memory of compiled programs.

use mancalab_base::{Error, bail};
use std::sync::Arc;
use std::time::Instant;

use super::fitness::Fitness;
use super::graph::{Case, OVER, UNKNOWN, Way};
use super::replies::{Edge, Opponents, PendingEdges};
use super::settings::Settings;
use crate::budget::{Budget, Status};
use crate::evolve::gp::{Genome, Memo, Outcome, Problem, Scores};
use crate::evolve::opponent::OpponentKind;
use crate::game::kalah::Kalah;
use crate::game::{BoardGame, Side};
use crate::player::Spec;
use crate::pool::Pool;
use crate::program::kalah::{KalahLanguage, Reading, random_program};
use crate::program::{Grammar, Tape, simplified};

/// Maximum number of programs in progress.
const WINDOW: usize = 1 << 14;

/// Programs per thread that walk between two checks of the clock.
const WALKS: usize = 64;

/// Instructions executed between two checks of the clock: some hundredths of a millisecond.
const INSTRUCTIONS: usize = 1 << 14;

/// Evolution of programs that play Kalah.
pub struct KalahProblem {
    start: Kalah,
    graphs: Graphs,
    /// Maximum memory of the graphs at the start of a generation, in bytes.
    memory: usize,
    opponents: Opponents,
    memo: Memo,
}

/// The graphs, and the weights of their results.
struct Graphs {
    fitness: Fitness,
    reading: Reading,
    cases: Vec<Case>,
}

/// A program that walks through all cases.
struct Walker {
    program: Arc<Genome<KalahLanguage>>,
    tape: Option<Box<Tape<KalahLanguage>>>,
    /// Its index in the batch.
    place: usize,
    case: usize,
    at: u32,
    behaviour: u64,
    /// Weighted sums, moving first and second.
    scores: [f64; 2],
    steps: u32,
    stand: Stand,
}

/// The status of a walker in its round.
enum Stand {
    /// Ready to walk.
    Free,
    /// Blocked by the missing edge of this remainder.
    Wants(u8),
    /// All cases are complete.
    Arrived(Outcome),
}

/// Programs being evaluated.
pub struct Batch {
    programs: Vec<Arc<Genome<KalahLanguage>>>,
    /// Number of programs started.
    begun: usize,
    /// Programs in progress.
    walkers: Vec<Walker>,
    /// Number of walkers processed in this round.
    walked: usize,
    pending: PendingEdges,
    /// By index in the batch.
    outcomes: Vec<Option<Outcome>>,
    /// Number of known outcomes.
    arrived: usize,
}

impl Walker {
    fn new(program: Arc<Genome<KalahLanguage>>, place: usize) -> Walker {
        Walker {
            program,
            tape: None,
            place,
            case: 0,
            at: UNKNOWN,
            behaviour: 0xcbf2_9ce4_8422_2325,
            scores: [0.0; 2],
            steps: 0,
            stand: Stand::Free,
        }
    }

    fn is_free(&self) -> bool {
        matches!(self.stand, Stand::Free)
    }
}

impl Graphs {
    /// Walks one program to the end of the known graphs, or until the budget is spent.
    fn walk(&self, walker: &mut Walker, budget: Budget) {
        if !walker.is_free() {
            return;
        }
        let mut tape = walker.tape.take().unwrap_or_else(|| Box::new(Tape::new(walker.program.first())));
        let moves = (INSTRUCTIONS / (tape.len() + 16)) as u32;
        let mut look = walker.steps.saturating_add(moves);
        while let Some(case) = self.cases.get(walker.case) {
            let mut at = if walker.at == UNKNOWN { case.root } else { walker.at };
            while at & OVER == 0 {
                if walker.steps > look {
                    if budget.is_spent() {
                        (walker.at, walker.tape) = (at, Some(tape));
                        return;
                    }
                    look = walker.steps.saturating_add(moves);
                }
                let spot = &case.spots[at as usize];
                let remainder = self.reading.remainder(tape.run(&spot.bowls));
                let next = spot.next[remainder];
                if next == UNKNOWN {
                    walker.at = at;
                    walker.stand = Stand::Wants(remainder as u8);
                    walker.tape = Some(tape);
                    return;
                }
                walker.steps += 1;
                walker.behaviour =
                    (walker.behaviour ^ u64::from(spot.choices[remainder] + 1)).wrapping_mul(0x100_0000_01b3);
                at = next;
            }
            let moves_first = usize::from(case.seat == Side::North);
            walker.scores[moves_first] += case.weight * f64::from(at & !OVER);
            walker.behaviour = walker.behaviour.rotate_left(23) ^ 0x9e37_79b9;
            walker.case += 1;
            walker.at = UNKNOWN;
        }
        walker.stand = Stand::Arrived(self.outcome(walker));
    }

    fn outcome(&self, walker: &Walker) -> Outcome {
        let fitness = self.fitness.of(walker.scores[0] + walker.scores[1], walker.program.size());
        Outcome { fitness, scores: Scores::of(&walker.scores), behaviour: walker.behaviour }
    }

    /// Walks all programs in progress until the budget is spent or all are blocked or complete.
    fn walk_all(&self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        while batch.walked < batch.walkers.len() {
            let end = batch.walkers.len().min(batch.walked + WALKS * pool.count());
            let piece = &mut batch.walkers[batch.walked..end];
            pool.each(piece, |walker| self.walk(walker, budget));
            if !piece.iter().any(Walker::is_free) {
                batch.walked = end;
            }
            if budget.is_spent() && batch.walked < batch.walkers.len() {
                return Status::Running;
            }
        }
        Status::Done
    }
}

impl KalahProblem {
    /// Ends a round: collects outcomes, starts new programs, and lists the missing edges.
    fn end_of_round(&mut self, batch: &mut Batch) {
        let Batch { programs, begun, walkers, outcomes, arrived, pending, .. } = batch;
        walkers.retain_mut(|walker| {
            self.memo.asked += u64::from(std::mem::take(&mut walker.steps));
            let Stand::Arrived(outcome) = walker.stand else { return true };
            outcomes[walker.place] = Some(outcome);
            *arrived += 1;
            false
        });
        let edge = |walker: &mut Walker| {
            let Stand::Wants(remainder) = std::mem::replace(&mut walker.stand, Stand::Free) else { return None };
            let bowl = self.graphs.cases[walker.case].spots[walker.at as usize].choices[usize::from(remainder)];
            Some(Edge { case: walker.case, way: Way::Sown { spot: walker.at, bowl }, arrival: None })
        };
        let mut edges: Vec<Edge> = walkers.iter_mut().filter_map(edge).collect();
        let key = |edge: &Edge| (edge.case, edge.way);
        edges.sort_unstable_by_key(key);
        edges.dedup_by_key(|edge| key(edge));
        self.memo.missed += edges.len() as u64;
        *pending = PendingEdges::new(edges);
        let end = programs.len().min(*begun + WINDOW - walkers.len());
        walkers.extend((*begun..end).map(|place| Walker::new(Arc::clone(&programs[place]), place)));
        *begun = end;
        batch.walked = 0;
    }

    fn put_in(&mut self, batch: &mut Batch) {
        for Edge { case, way, arrival } in std::mem::take(&mut batch.pending).edges {
            if let Some(arrival) = arrival {
                self.graphs.cases[case].put_in(way, arrival, self.graphs.reading);
            }
        }
        self.memo.kept = self.graphs.cases.iter().map(|case| case.spots.len() as u64).sum();
    }
}

/// Returns the opponents with their share of the weight, random programs individually.
fn seated(settings: &Settings) -> Vec<(Spec, f64)> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut specs = Vec::new();
    for opponent in &settings.opponents {
        let weight = opponent.weight / all;
        match &opponent.kind {
            OpponentKind::Player(spec) => specs.push((spec.clone(), weight)),
            OpponentKind::Champions(_) => {}
            OpponentKind::Programs(count) => specs.extend((0..u64::from(*count)).map(|number| {
                let program = random_program(settings.tableau.seed, number);
                (Spec::program(format!("random-{number}"), program), weight / f64::from(*count))
            })),
        }
    }
    specs
}

impl Problem for KalahProblem {
    type Language = KalahLanguage;
    type Settings = Settings;
    type Batch = Batch;

    const KIND: &'static str = "gp";

    fn new(settings: &Settings) -> Result<KalahProblem, Error> {
        if settings.opponents.is_empty() {
            bail!("opponents must contain at least one, such as minimax:8");
        }
        let seated = seated(settings);
        let mut cases = Vec::new();
        for (number, (spec, weight)) in seated.iter().enumerate() {
            for seat in Side::BOTH {
                let seed = crate::rng::derived(&[settings.tableau.seed, number as u64, seat.index() as u64]);
                cases.push(Case::new(number, spec, seat, *weight, seed));
            }
        }
        let specs = seated.into_iter().map(|(spec, _)| spec).collect();
        let (fitness, reading) = (settings.fitness, settings.reading);
        let start = Kalah::start(settings.rules());
        let opponents = Opponents::new(specs);
        let graphs = Graphs { fitness, reading, cases };
        let memory = (settings.memory as usize) << 20;
        Ok(KalahProblem { start, graphs, memory, opponents, memo: Memo::default() })
    }

    fn unread(preset: &str, seed: u64, generations: u64) -> Settings {
        let mut settings = Settings { preset: preset.to_owned(), ..Settings::default() };
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings
    }

    fn grammars(settings: &Settings) -> Result<Vec<Grammar<KalahLanguage>>, Error> {
        Ok(vec![Grammar::with_functions(&settings.tableau.functions)?])
    }

    /// Computes the first positions of the graphs first, unless they are known.
    fn begin(&mut self, programs: Vec<Arc<Genome<KalahLanguage>>>, _: u64) -> Batch {
        if self.graphs.cases.iter().map(Case::bytes).sum::<usize>() > self.memory {
            self.graphs.cases.iter_mut().for_each(Case::clear);
        }
        let unknown = self.graphs.cases.iter().enumerate().filter(|(_, case)| case.root == UNKNOWN);
        let roots = unknown.map(|(case, _)| Edge { case, way: Way::Start, arrival: None }).collect();
        Batch {
            begun: 0,
            walkers: Vec::new(),
            walked: 0,
            pending: PendingEdges::new(roots),
            outcomes: vec![None; programs.len()],
            arrived: 0,
            programs,
        }
    }

    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        loop {
            if !batch.pending.are_done() {
                let began = Instant::now();
                self.opponents.work_out(&mut batch.pending, &self.graphs.cases, self.start, pool, budget);
                self.memo.spent += began.elapsed();
                if !batch.pending.are_done() || budget.is_spent() {
                    return Status::Running;
                }
            }
            self.put_in(batch);
            if self.graphs.walk_all(batch, pool, budget) == Status::Running {
                return Status::Running;
            }
            self.end_of_round(batch);
            if batch.walkers.is_empty() {
                return Status::Done;
            }
        }
    }

    fn evaluated(batch: &Batch) -> usize {
        batch.arrived
    }

    fn finish(batch: Batch) -> Vec<Outcome> {
        batch.outcomes.into_iter().flatten().collect()
    }

    fn memo(&self) -> Memo {
        self.memo
    }

    /// The format of `program:FILE`.
    fn text(_: &Settings, program: &Genome<KalahLanguage>) -> String {
        program.first().to_notation()
    }

    fn simplified(_: &Settings, program: &Genome<KalahLanguage>) -> (String, usize) {
        let simple = simplified(program.first());
        (simple.to_sexpr(), simple.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KeyedSettings;

    #[test]
    fn memory_bounds_the_graphs_and_changes_no_outcome() {
        let mut settings = Settings::preset("mancala-gp-broad").unwrap();
        settings.set("opponents", "[\"minimax:3\", \"max\"]").unwrap();
        let outcomes = |memory: usize| {
            let mut problem = KalahProblem::new(&settings).unwrap();
            problem.memory = memory;
            let mut largest = 0;
            let generation = |number: u64| {
                let programs = (0..30).map(|one| Arc::new(Genome::from(random_program(number, one)))).collect();
                let mut batch = problem.begin(programs, number);
                let begun: usize = problem.graphs.cases.iter().map(Case::bytes).sum();
                largest = largest.max(begun);
                while problem.advance(&mut batch, &Pool::alone(), Budget::time(std::time::Duration::from_secs(60)))
                    == Status::Running
                {}
                KalahProblem::finish(batch)
            };
            let outcomes: Vec<_> = (0..4).map(generation).collect();
            (outcomes, largest)
        };
        let (unbounded, large) = outcomes(usize::MAX);
        let (bounded, small) = outcomes(20_000);
        assert_eq!(bounded, unbounded);
        assert!(small <= 20_000 && large > 20_000, "{small} {large}");
    }
}
