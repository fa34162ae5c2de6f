//! Walks of programs through the graphs of a game.
//!
//! Most programs of a generation are the same once they are folded, as crossover changes little that counts: only one of those
//! that are the same walks, and its result is kept.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use super::BredGame;
use super::graph::{Case, OVER, UNKNOWN, Way, scores};
use super::problem::{Achievement, Fitness, QUANTITIES, Rival};
use super::replies::{Edge, Opponents, PendingEdges};
use crate::budget::{Budget, Status};
use crate::evolve::fitness_command::{CommandBatch, CommandEvaluation, request};
use crate::evolve::gp::{Genome, Memo, Outcome, Scores};
use crate::game::Side;
use crate::pool::Pool;
use crate::program::kalah::{BowlLanguage as _, KalahLanguage, ProgramReading};
use crate::program::{Operand, Tape};

/// Maximum number of programs in progress.
const WINDOW: usize = 1 << 14;

/// Programs per thread that walk between two checks of the clock.
const WALKS: usize = 64;

/// Instructions executed between two checks of the clock: some hundredths of a millisecond.
const INSTRUCTIONS: usize = 1 << 14;

/// Programs being evaluated.
pub struct Batch {
    programs: Vec<Arc<Genome<KalahLanguage>>>,
    /// Number of programs started.
    begun: usize,
    /// By index in the batch.
    outcomes: Vec<Option<Outcome>>,
    /// Number of known outcomes.
    arrived: usize,
    /// For a fitness that is a command.
    command: Option<CommandBatch>,
    /// The seeds of each program in each case, where selection needs them.
    cases: Vec<Arc<[f64]>>,
}

impl Batch {
    pub(super) fn new(programs: Vec<Arc<Genome<KalahLanguage>>>, has_command: bool) -> Batch {
        let outcomes = vec![None; programs.len()];
        let command = has_command.then(|| CommandBatch::new(vec![String::new(); programs.len()]));
        Batch { begun: 0, outcomes, arrived: 0, command, cases: Vec::new(), programs }
    }

    /// Returns the number of evaluated programs.
    pub(super) fn evaluated(&self) -> usize {
        self.command.as_ref().map_or(self.arrived, CommandBatch::answered)
    }

    /// Has a command compute the fitness of programs that have played.
    pub(super) fn advance(&mut self, command: &mut CommandEvaluation, budget: Budget) -> Status {
        self.command.as_mut().map_or(Status::Done, |batch| batch.advance(command, budget))
    }

    /// Takes the seeds of each program in each case; none where they are not kept.
    pub(super) fn take_cases(&mut self) -> Vec<Arc<[f64]>> {
        std::mem::take(&mut self.cases)
    }

    /// Returns the outcomes in the order of the programs.
    pub(super) fn outcomes(self) -> Vec<Outcome> {
        let outcomes = self.outcomes.into_iter().flatten();
        match self.command {
            Some(batch) => batch.outcomes(outcomes),
            None => outcomes.collect(),
        }
    }
}

/// The evaluation of programs in one game, a batch at a time.
pub(super) trait Evaluation: Send {
    /// Replaces the opponents; those that stay keep their graphs.
    fn meet(&mut self, rivals: Vec<Rival>);

    /// Prepares for a batch: computes the first positions of the graphs first, unless they are known.
    fn begin(&mut self);

    /// Evaluates until the budget is spent or the batch is complete.
    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status;

    fn memo(&self) -> Memo;

    /// Returns the memory of all that is kept from one generation to the next, in bytes.
    fn bytes(&self) -> usize;
}

/// The programs that walk through the graphs of a game.
pub(super) struct Walks<G: BredGame> {
    start: G,
    graphs: Graphs<G>,
    /// Maximum memory of all that is kept, at the start of a generation, in bytes.
    memory: usize,
    opponents: Opponents<G>,
    /// The seed of the run.
    seed: u64,
    memo: Memo,
    /// By [`Tree::folded`], with the seeds in each case if they are kept.
    results: HashMap<u64, (WalkResult, Arc<[f64]>)>,
    /// Folded programs in progress.
    walking: HashSet<u64>,
    /// Folded programs in progress with further programs that are the same, by index in the batch.
    waiting: Vec<(u64, usize)>,
    /// Programs in progress.
    walkers: Vec<Walker<G>>,
    /// Number of walkers processed in this round.
    walked: usize,
    pending: PendingEdges<G>,
}

/// The graphs, and the weights of their results.
struct Graphs<G: BredGame> {
    fitness: Fitness,
    reading: ProgramReading,
    cases: Vec<Case<G>>,
    /// Whether the seeds in each case are kept.
    keeps_cases: bool,
}

/// A program that walks through all cases.
struct Walker<G: BredGame> {
    program: Arc<Genome<KalahLanguage>>,
    tape: Option<Box<Tape<G::Language>>>,
    /// [`Tree::folded`]; `None` for a constant or an input.
    folded: Option<u64>,
    /// Its index in the batch.
    place: usize,
    case: usize,
    node: u32,
    walked: WalkResult,
    /// The own seeds in each case, if they are kept.
    seeds: Vec<f64>,
    stand: Stand,
}

/// The result of a walk, as far as it has come.
#[derive(Clone, Copy)]
struct WalkResult {
    behaviour: u64,
    /// Weighted sums, moving first and second.
    scores: [f64; 2],
    /// Weighted sums over the games: won, with a half for a draw, and own seeds less the opponent's.
    won: f64,
    margin: f64,
    steps: u32,
}

/// The status of a walker in its round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Ready to walk.
    Free,
    /// Blocked by the missing edge of this remainder.
    Wants(u8),
    /// All cases are complete.
    Arrived,
}

impl<G: BredGame> Walker<G> {
    fn new(program: Arc<Genome<KalahLanguage>>, folded: Option<u64>, place: usize) -> Walker<G> {
        let walked = WalkResult { behaviour: 0xcbf2_9ce4_8422_2325, scores: [0.0; 2], won: 0.0, margin: 0.0, steps: 0 };
        let seeds = Vec::new();
        Walker { program, tape: None, folded, place, case: 0, node: UNKNOWN, walked, seeds, stand: Stand::Free }
    }

    fn is_free(&self) -> bool {
        self.stand == Stand::Free
    }
}

impl<G: BredGame> Graphs<G> {
    /// Walks one program to the end of the known graphs, or until the budget is spent.
    fn walk(&self, walker: &mut Walker<G>, budget: Budget) {
        if !walker.is_free() {
            return;
        }
        let Walker { program, tape, case: number, node: at, walked, seeds, stand, .. } = walker;
        let tape = tape.get_or_insert_with(|| Box::new(Tape::new(&G::Language::own(program.first()))));
        let moves = (INSTRUCTIONS / (tape.len() + 16)) as u32;
        let mut look = walked.steps.saturating_add(moves);
        while let Some(case) = self.cases.get(*number) {
            if *at == UNKNOWN {
                *at = case.root;
            }
            while *at & OVER == 0 {
                if walked.steps > look {
                    if budget.is_spent() {
                        return;
                    }
                    look = walked.steps.saturating_add(moves);
                }
                let spot = &case.spots[*at as usize];
                let remainder = self.reading.remainder::<G>(G::Language::value(tape, &spot.bowls));
                let next = spot.next.as_ref()[remainder];
                if next == UNKNOWN {
                    *stand = Stand::Wants(remainder as u8);
                    return;
                }
                walked.steps += 1;
                walked.behaviour =
                    (walked.behaviour ^ u64::from(spot.choices.as_ref()[remainder] + 1)).wrapping_mul(0x100_0000_01b3);
                *at = next;
            }
            let moves_first = usize::from(case.seat == Side::North);
            let [own, other] = scores(*at).map(f64::from);
            if self.keeps_cases {
                seeds.push(own);
            }
            walked.scores[moves_first] += case.weight * own;
            walked.margin += case.weight * (own - other);
            walked.won += case.weight * if own == other { 0.5 } else { f64::from(u8::from(own > other)) };
            walked.behaviour = walked.behaviour.rotate_left(23) ^ 0x9e37_79b9;
            *number += 1;
            *at = UNKNOWN;
        }
        *stand = Stand::Arrived;
    }
}

impl Batch {
    fn arrive<G: BredGame>(
        &mut self,
        place: usize,
        (WalkResult { behaviour, scores, won, margin, steps }, cases): (WalkResult, Arc<[f64]>),
        graphs: &Graphs<G>,
        memo: &mut Memo,
    ) {
        memo.asked += u64::from(steps);
        let program = &self.programs[place];
        // Each opponent is met twice.
        let [won, margin] = [50.0 * won, margin / 2.0];
        let moves = f64::from(steps) / graphs.cases.len() as f64;
        let achieved = Achievement { scores, won, margin, moves, nodes: program.size(), depth: program.depth() };
        let fitness = graphs.fitness.value(&achieved);
        if let Some(batch) = &mut self.command {
            batch.put(place, request(&program.first().to_notation(), QUANTITIES, &achieved.quantities()));
        }
        if graphs.keeps_cases {
            self.cases.resize(self.programs.len(), Arc::default());
            self.cases[place] = cases;
        }
        self.outcomes[place] = Some(Outcome { fitness, scores: Scores::new(&scores), behaviour });
        self.arrived += 1;
    }
}

impl<G: BredGame> Walks<G> {
    /// Creates the evaluation of programs that play these opponents, each with its weight, twice.
    pub fn new(
        start: G,
        rivals: Vec<Rival>,
        (fitness, reading, keeps_cases): (Fitness, ProgramReading, bool),
        memory: usize,
        seed: u64,
    ) -> Walks<G> {
        let graphs = Graphs { fitness, reading, cases: Vec::new(), keeps_cases };
        let mut walks = Walks {
            start,
            graphs,
            memory,
            opponents: Opponents::new(),
            seed,
            memo: Memo::default(),
            results: HashMap::new(),
            walking: HashSet::new(),
            waiting: Vec::new(),
            walkers: Vec::new(),
            walked: 0,
            pending: PendingEdges::new(Vec::new()),
        };
        walks.meet(rivals);
        walks
    }

    /// Starts programs until the budget is spent or enough are in progress.
    fn start_programs(&mut self, batch: &mut Batch, budget: Budget) -> Status {
        while batch.begun < batch.programs.len() && self.walkers.len() < WINDOW {
            self.start_program(batch, batch.begun);
            batch.begun += 1;
            if budget.is_spent() {
                return Status::Running;
            }
        }
        Status::Done
    }

    fn start_program(&mut self, batch: &mut Batch, place: usize) {
        let program = Arc::clone(&batch.programs[place]);
        let folded =
            if let Operand::Other(hash) = G::Language::own(program.first()).folded() { Some(hash) } else { None };
        if let Some(folded) = folded {
            if let Some(known) = self.results.get(&folded) {
                return batch.arrive(place, known.clone(), &self.graphs, &mut self.memo);
            }
            if !self.walking.insert(folded) {
                return self.waiting.push((folded, place));
            }
        }
        self.walkers.push(Walker::new(program, folded, place));
    }

    /// Walks all programs in progress until the budget is spent or all are blocked or complete.
    fn walk_all(&mut self, pool: &Pool, budget: Budget) -> Status {
        while self.walked < self.walkers.len() {
            let end = self.walkers.len().min(self.walked + WALKS * pool.count());
            let piece = &mut self.walkers[self.walked..end];
            pool.each(piece, |walker| self.graphs.walk(walker, budget));
            if !piece.iter().any(Walker::is_free) {
                self.walked = end;
            }
            if budget.is_spent() && self.walked < self.walkers.len() {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Ends a round: collects results and lists the missing edges.
    fn end_of_round(&mut self, batch: &mut Batch) {
        let Walks { walkers, memo, graphs, results, walking, waiting, .. } = self;
        walkers.retain(|walker| {
            if walker.stand != Stand::Arrived {
                return true;
            }
            let seeds = if graphs.keeps_cases { Arc::from(&walker.seeds[..]) } else { Arc::default() };
            let result = (walker.walked, seeds);
            if let Some(folded) = walker.folded {
                walking.remove(&folded);
                results.insert(folded, result.clone());
            }
            batch.arrive(walker.place, result, graphs, memo);
            false
        });
        waiting.retain(|(folded, place)| match results.get(folded) {
            Some(known) => {
                batch.arrive(*place, known.clone(), graphs, memo);
                false
            }
            None => true,
        });
        let edge = |walker: &mut Walker<G>| {
            let Stand::Wants(remainder) = std::mem::replace(&mut walker.stand, Stand::Free) else { return None };
            let spot = &graphs.cases[walker.case].spots[walker.node as usize];
            let bowl = spot.choices.as_ref()[usize::from(remainder)];
            Some(Edge { case: walker.case, way: Way::Sown { spot: walker.node, bowl }, arrival: None })
        };
        let mut edges: Vec<Edge<G>> = walkers.iter_mut().filter_map(edge).collect();
        let key = |edge: &Edge<G>| (edge.case, edge.way);
        crate::sort::sort_by_key(&mut edges, key);
        edges.dedup_by_key(|edge| key(edge));
        memo.missed += edges.len() as u64;
        self.compute(edges);
    }

    /// Begins the computation of these edges.
    fn compute(&mut self, edges: Vec<Edge<G>>) {
        self.opponents.restart();
        self.pending = PendingEdges::new(edges);
        self.walked = 0;
    }

    fn put_in(&mut self) {
        let pending = std::mem::replace(&mut self.pending, PendingEdges::new(Vec::new()));
        for Edge { case, way, arrival } in pending.edges {
            if let Some(arrival) = arrival {
                self.graphs.cases[case].put_in(way, &arrival, self.graphs.reading);
            }
        }
        self.memo.kept = self.graphs.cases.iter().map(|case| case.spots.len() as u64).sum();
    }
}

impl<G: BredGame> Evaluation for Walks<G> {
    fn meet(&mut self, rivals: Vec<Rival>) {
        if self.opponents.rivals == rivals {
            return;
        }
        self.results.clear();
        let mut known = std::mem::take(&mut self.graphs.cases);
        let before = std::mem::replace(&mut self.opponents.rivals, rivals);
        for (opponent, rival) in self.opponents.rivals.iter().enumerate() {
            for seat in Side::BOTH {
                let plays_as = |case: &Case<G>| case.seat == seat && before[case.opponent].plays_as(rival);
                let mut case = match known.iter().position(plays_as) {
                    Some(at) => known.swap_remove(at),
                    None => {
                        let seed = crate::rng::derived(&[self.seed, rival.number, seat.index() as u64]);
                        Case::new(opponent, &rival.spec, seat, rival.weight, seed)
                    }
                };
                (case.opponent, case.weight) = (opponent, rival.weight);
                self.graphs.cases.push(case);
            }
        }
    }

    fn begin(&mut self) {
        if self.bytes() > self.memory {
            self.graphs.cases.iter_mut().for_each(Case::clear);
            self.results = HashMap::new();
        }
        let unknown = self.graphs.cases.iter().enumerate().filter(|(_, case)| case.root == UNKNOWN);
        let roots = unknown.map(|(case, _)| Edge { case, way: Way::Start, arrival: None }).collect();
        self.compute(roots);
        self.walkers.clear();
        self.walking.clear();
        self.waiting.clear();
    }

    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        loop {
            if !self.pending.are_done() {
                let began = Instant::now();
                self.opponents.work_out(&mut self.pending, &self.graphs.cases, self.start, pool, budget);
                self.memo.spent += began.elapsed();
                if !self.pending.are_done() || budget.is_spent() {
                    return Status::Running;
                }
            }
            self.put_in();
            let are_started = self.start_programs(batch, budget) == Status::Done;
            if !are_started || self.walk_all(pool, budget) == Status::Running {
                return Status::Running;
            }
            self.end_of_round(batch);
            if self.walkers.is_empty() && batch.begun == batch.programs.len() {
                return Status::Done;
            }
        }
    }

    fn memo(&self) -> Memo {
        self.memo
    }

    fn bytes(&self) -> usize {
        let results = self.results.capacity() * (size_of::<(u64, WalkResult, Arc<[f64]>)>() + 1);
        self.graphs.cases.iter().map(Case::bytes).sum::<usize>() + results
    }
}
