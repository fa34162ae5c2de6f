//! Fitness by playing: each program plays every opponent twice, once moving first and once second.
//!
//! Opponents are deterministic, so all games against one of them from one seat are walks through a graph: its nodes are the
//! positions in which the program is to move, its edges lead past the program's move and all replies to the next such
//! position. The graph grows where a program first walks; everyone after that pays a table look-up a move. A batch is played in
//! rounds: programs walk as far as the graph reaches (in parallel, nothing is written), then the edges that were missing are
//! worked out (in parallel, each once) and put in (one after the other).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::language::{BOWLS, KalahLanguage, Program, Reading};
use super::settings::{Fitness, OpponentKind, Settings};
use crate::evolve::gp::{Memo, Outcome, Problem, Tape, Threads};
use crate::game::kalah::Kalah;
use crate::game::{Game, Move, Side, Tabletop};
use crate::job::{Budget, Status};
use crate::player::{self, Player, Spec, Turn};

/// Programs that walk, and edges that are worked out, between two looks at the clock, a thread.
const WALKS: usize = 64;
const EDGES: usize = 8;

/// A node or the end of a game, in a word.
type Link = u32;
/// An edge that nobody went before.
const UNKNOWN: Link = u32::MAX;
/// Marks the end of a game; the rest is the program's score.
const OVER: Link = 1 << 31;

/// A position in which the program is to move: all that walking by takes.
#[derive(Clone, Copy)]
struct Spot {
    bowls: [u8; BOWLS],
    /// Which bowl each remainder of a program's value means.
    choices: [Move; 7],
    /// Where each remainder leads; equal bowls lead the same way.
    next: [Link; 7],
}

/// One opponent from one seat.
struct Case {
    /// The place in [`KalahProblem::specs`].
    opponent: usize,
    /// The program's seat.
    seat: Side,
    weight: f64,
    /// The seed of the opponent's own choices.
    seed: u64,
    /// What the opponent plays depends on how many moves were made, not on the position alone.
    counts_plies: bool,
    root: Link,
    spots: Vec<Spot>,
    /// The position of each spot, and the moves before it.
    positions: Vec<(Kalah, u32)>,
    known: HashMap<(Kalah, u32), u32>,
}

/// Where an edge leads.
enum Arrival {
    At(Kalah, u32),
    Over(u32),
}

type Seats = Vec<Option<Box<dyn Player<Kalah>>>>;

/// Programs that play Kalah, by how they do against players.
pub struct KalahProblem {
    fitness: Fitness,
    reading: Reading,
    specs: Vec<Spec>,
    cases: Vec<Case>,
    /// Each thread's own players.
    players: Mutex<Vec<Arc<Mutex<Seats>>>>,
    memo: Memo,
}

/// A program on its way through all cases.
struct Walker {
    program: Arc<Program>,
    tape: Option<Box<Tape<KalahLanguage>>>,
    /// Its place in the batch.
    place: u32,
    case: usize,
    at: Link,
    behaviour: u64,
    /// Weighted sums, moving first and second.
    scores: [f64; 2],
    steps: u32,
    /// The missing edge it stands before: the remainder.
    wanted: Option<u8>,
    outcome: Option<Outcome>,
}

/// An edge to work out, and what became of it.
struct Edge {
    case: usize,
    spot: u32,
    bowl: Move,
    arrival: Option<Arrival>,
}

/// Programs being evaluated.
pub struct Batch {
    /// Those still under way first.
    walkers: Vec<Walker>,
    under_way: usize,
    /// How many of them walked in this round.
    walked: usize,
    edges: Vec<Edge>,
    worked_out: usize,
}

impl Case {
    fn new(opponent: usize, spec: &Spec, seat: Side, weight: f64, seed: u64) -> Case {
        let counts_plies = match spec {
            Spec::Minimax(minimax) => minimax.ties != player::spec::Ties::First,
            Spec::Program(_) => false,
            _ => true,
        };
        let (spots, positions, known) = (Vec::new(), Vec::new(), HashMap::new());
        Case { opponent, seat, weight, seed, counts_plies, root: UNKNOWN, spots, positions, known }
    }

    /// Plays the opponent's moves until it is the program's turn or the game is over.
    fn reply(&self, mut pos: Kalah, mut ply: u32, player: &mut dyn Player<Kalah>) -> Arrival {
        while !pos.is_over() && pos.side() != self.seat {
            let Some(mv) = player::choose(player, &Turn { pos, ply, seed: self.seed }) else { break };
            pos = pos.play(mv);
            ply += 1;
        }
        if pos.is_over() { Arrival::Over(pos.banked(self.seat) as u32) } else { Arrival::At(pos, ply) }
    }

    /// The link to where an edge arrived, which may be a new spot.
    fn link(&mut self, arrival: &Arrival, reading: Reading) -> Link {
        let (pos, ply) = match *arrival {
            Arrival::Over(score) => return OVER | score,
            Arrival::At(pos, ply) => (pos, ply),
        };
        let key = (pos, if self.counts_plies { ply } else { 0 });
        *self.known.entry(key).or_insert_with(|| {
            let choices = reading.choices(&pos).unwrap_or_default();
            self.spots.push(Spot { bowls: reading.bowls(&pos), choices, next: [UNKNOWN; 7] });
            self.positions.push((pos, ply));
            self.spots.len() as u32 - 1
        })
    }

    fn put_in(&mut self, spot: u32, bowl: Move, link: Link) {
        let spot = &mut self.spots[spot as usize];
        for (next, _) in spot.next.iter_mut().zip(spot.choices).filter(|(_, choice)| *choice == bowl) {
            *next = link;
        }
    }
}

impl KalahProblem {
    fn players_of(&self, thread: usize) -> Arc<Mutex<Seats>> {
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        while players.len() <= thread {
            players.push(Arc::new(Mutex::new(self.specs.iter().map(|_| None).collect())));
        }
        Arc::clone(&players[thread])
    }

    fn replied(&self, case: &Case, pos: Kalah, ply: u32, thread: usize) -> Arrival {
        let players = self.players_of(thread);
        let mut seats = players.lock().unwrap_or_else(PoisonError::into_inner);
        let seat = &mut seats[case.opponent];
        if seat.is_none() {
            *seat = player::build(&self.specs[case.opponent]);
        }
        match seat {
            Some(player) => case.reply(pos, ply, &mut **player),
            None => Arrival::Over(0),
        }
    }

    /// Where the program gets to when it sows `bowl` in `spot`.
    fn work_out(&self, edge: &mut Edge, thread: usize) {
        let case = &self.cases[edge.case];
        let (pos, ply) = case.positions[edge.spot as usize];
        edge.arrival = Some(self.replied(case, pos.play(edge.bowl), ply + 1, thread));
    }

    /// Walks one program as far as the graphs reach.
    fn walk(&self, walker: &mut Walker) {
        walker.wanted = None;
        let mut tape = walker.tape.take().unwrap_or_else(|| Box::new(Tape::new(&walker.program)));
        while let Some(case) = self.cases.get(walker.case) {
            let mut at = if walker.at == UNKNOWN { case.root } else { walker.at };
            while at & OVER == 0 {
                let spot = &case.spots[at as usize];
                let remainder = self.reading.remainder(tape.run(&spot.bowls));
                let next = spot.next[remainder];
                if next == UNKNOWN {
                    walker.at = at;
                    walker.wanted = Some(remainder as u8);
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
        walker.outcome = Some(self.outcome(walker));
    }

    fn outcome(&self, walker: &Walker) -> Outcome {
        let fitness = self.fitness.of(walker.scores[0] + walker.scores[1], walker.program.size());
        Outcome { fitness, scores: walker.scores, behaviour: walker.behaviour }
    }

    /// What became of a round: who has arrived, and which edges are missing.
    fn end_of_round(&mut self, batch: &mut Batch) {
        let Batch { walkers, under_way, edges, .. } = batch;
        let mut front = 0;
        for at in 0..*under_way {
            self.memo.asked += u64::from(std::mem::take(&mut walkers[at].steps));
            if walkers[at].outcome.is_none() {
                walkers.swap(front, at);
                front += 1;
            }
        }
        *under_way = front;
        edges.extend(walkers[..front].iter().filter_map(|walker| {
            let spot = &self.cases[walker.case].spots[walker.at as usize];
            let bowl = spot.choices[usize::from(walker.wanted?)];
            Some(Edge { case: walker.case, spot: walker.at, bowl, arrival: None })
        }));
        let key = |edge: &Edge| (edge.case, edge.spot, edge.bowl);
        edges.sort_unstable_by_key(key);
        edges.dedup_by_key(|edge| key(edge));
        self.memo.missed += edges.len() as u64;
        batch.walked = 0;
        batch.worked_out = 0;
    }

    fn put_in(&mut self, batch: &mut Batch) {
        for edge in batch.edges.drain(..) {
            let (case, Some(arrival)) = (&mut self.cases[edge.case], edge.arrival) else { continue };
            let link = case.link(&arrival, self.reading);
            case.put_in(edge.spot, edge.bowl, link);
        }
        self.memo.kept = self.cases.iter().map(|case| case.spots.len() as u64).sum();
    }
}

/// The opponents with their share of the weight, random programs one by one.
fn seated(settings: &Settings) -> Vec<(Spec, f64)> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut specs = Vec::new();
    for opponent in &settings.opponents {
        let weight = opponent.weight / all;
        match &opponent.kind {
            OpponentKind::Player(spec) => specs.push((spec.clone(), weight)),
            OpponentKind::Programs(count) => specs.extend((0..u64::from(*count)).map(|number| {
                let program = super::random_program(settings.tableau.seed, number);
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
    const SCORES: [&'static str; 2] = ["first_stones", "second_stones"];

    fn new(settings: &Settings) -> Result<KalahProblem, String> {
        if settings.opponents.is_empty() {
            return Err("programs need an opponent, such as minimax:8".to_owned());
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
        let mut problem =
            KalahProblem { fitness, reading, specs, cases, players: Mutex::default(), memo: Memo::default() };
        let start = Kalah::start(settings.rules());
        for number in 0..problem.cases.len() {
            let arrival = problem.replied(&problem.cases[number], start, 0, 0);
            let case = &mut problem.cases[number];
            case.root = case.link(&arrival, reading);
        }
        Ok(problem)
    }

    fn begin(&self, programs: Vec<Arc<Program>>) -> Batch {
        let walkers = programs.into_iter().zip(0..).map(|(program, place)| Walker {
            program,
            tape: None,
            place,
            case: 0,
            at: UNKNOWN,
            behaviour: 0xcbf2_9ce4_8422_2325,
            scores: [0.0; 2],
            steps: 0,
            wanted: None,
            outcome: None,
        });
        let walkers: Vec<Walker> = walkers.collect();
        Batch { under_way: walkers.len(), walkers, walked: 0, edges: Vec::new(), worked_out: 0 }
    }

    fn advance(&mut self, batch: &mut Batch, threads: &Threads, budget: Budget) -> Status {
        loop {
            while batch.worked_out < batch.edges.len() {
                let end = batch.edges.len().min(batch.worked_out + EDGES * threads.count());
                let began = Instant::now();
                threads.each(&mut batch.edges[batch.worked_out..end], |edge, thread| self.work_out(edge, thread));
                batch.worked_out = end;
                self.memo.spent += began.elapsed();
                if budget.is_spent() {
                    return Status::Running;
                }
            }
            self.put_in(batch);
            if batch.under_way == 0 {
                return Status::Done;
            }
            while batch.walked < batch.under_way {
                let end = batch.under_way.min(batch.walked + WALKS * threads.count());
                threads.each(&mut batch.walkers[batch.walked..end], |walker, _| self.walk(walker));
                batch.walked = end;
                if budget.is_spent() && end < batch.under_way {
                    return Status::Running;
                }
            }
            self.end_of_round(batch);
        }
    }

    fn evaluated(batch: &Batch) -> usize {
        batch.walkers.len() - batch.under_way
    }

    fn finish(mut batch: Batch) -> Vec<Outcome> {
        batch.walkers.sort_unstable_by_key(|walker| walker.place);
        batch.walkers.iter().filter_map(|walker| walker.outcome).collect()
    }

    fn memo(&self) -> Memo {
        self.memo
    }
}
