//! Alpha-beta by iterative deepening over an evaluation, with a transposition table.
//!
//! [`Search`](super::Search) is made for the margin, and [`alpha_beta`](super::alpha_beta) for evaluations that look at moves too, a few plies
//! deep. This one is for evaluations of positions that take their time and of which a few plies more are worth a table. It finds
//! exactly what plain minimax finds to the same depth, unless it is told to prune: what the table knows is used for the depth it
//! was found at, and never where the game's way to a position matters.
//!
//! At its depth a search need not stop where captures are under way: it can play them out to the next quiet position.

mod value;
mod walk;

#[cfg(test)]
mod tests;

use super::report::{Line, Report, Weighed};
use super::table::Table;
use super::{MAX_DEPTH, Ties};
use crate::budget::{Budget, Status};
use crate::game::{Game, GameState, Move};
use crate::rng;
use rand::RngExt;
use value::{ABOVE_ALL, after, before};
pub use value::{GREATEST, Value};
use walk::Walk;

/// What positions are worth that are not over.
pub trait Evaluate<G: Game>: Send {
    /// To the side to move, within ±[`GREATEST`].
    fn value(&self, pos: &G) -> i32;

    /// Whether nothing is under way that will change the value at once.
    fn is_quiet(&self, _pos: &G) -> bool {
        true
    }

    /// A value in thousandths of the evaluation's unit, for people.
    fn thousandths(&self, value: i32) -> i64;

    /// What a single quiet move may well be worth: pruning skips moves that would have to gain more.
    fn slack(&self) -> i32 {
        GREATEST
    }
}

/// How a search looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Positions that are not quiet are looked into beyond the depth.
    pub plays_out: bool,
    /// Two and three plies before the depth, moves are skipped after which the position is worth too little: what is found is then no
    /// longer exact.
    pub prunes: bool,
}

/// How far to look and which move to choose.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Plies, 1 to [`MAX_DEPTH`]; more is taken as that.
    pub depth: u32,
    pub ties: Ties,
    /// Decides between equally good moves, where `ties` says at random.
    pub seed: u64,
    pub manner: Options,
}

/// A search for the best move.
pub struct Pvs<G: Game, J: Evaluate<G>> {
    pos: G,
    aim: Aim,
    walk: Walk<G, J>,
    /// In canonical order.
    moves: Vec<RootMove<G>>,
    /// Indices into `moves`, in the order in which they are tried.
    order: Vec<usize>,
    /// Of the iteration that runs, or ran last.
    depth: u8,
    /// How many of `order` this iteration has valued, and the best value so far.
    valued: usize,
    best: i32,
    /// The question in progress, and whether it is only if the move is as good as the best.
    asked: Option<bool>,
    done: bool,
    report: Report,
}

/// A move at the root, and what it is worth to the root's mover.
struct RootMove<G> {
    mv: Move,
    child: G,
    turns: bool,
    /// Exact, or less than the best and no less than this is worth.
    value: i32,
}

impl<G: Game, J: Evaluate<G>> Pvs<G, J> {
    /// A search that begins with what earlier searches left in `table`: that changes how long it takes, and, unless it prunes, nothing
    /// of what it finds except perhaps how far the lines reach. The table must know of this `judge` and [`Options`] alone.
    pub fn new(from: impl Into<GameState<G>>, judge: J, aim: Aim, mut table: Table<G, i32>) -> Pvs<G, J> {
        let course = from.into();
        let pos = *course.pos();
        table.begin(&pos);
        let root_move = |mv| {
            let child = pos.play(mv);
            RootMove { mv, child, turns: child.side() != pos.side(), value: -ABOVE_ALL }
        };
        let moves: Vec<RootMove<G>> = if course.is_over() { Vec::new() } else { pos.moves().map(root_move).collect() };
        let aim = Aim { depth: aim.depth.clamp(1, MAX_DEPTH), ..aim };
        let ordered_moves: Vec<Move> = pos.ordered_moves(aim.depth - 1).collect();
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&index| ordered_moves.iter().position(|&mv| mv == moves[index].mv));
        Pvs {
            pos,
            aim,
            walk: Walk::new(judge, aim.manner, table, &course),
            done: moves.is_empty(),
            moves,
            order,
            depth: 1,
            valued: 0,
            best: -ABOVE_ALL,
            asked: None,
            report: Report { solved: course.is_over(), ..Report::default() },
        }
    }

    /// Searches on until the budget is spent or the result is final.
    pub fn step(&mut self, budget: Budget) -> Status {
        while !self.done {
            if self.valued == self.order.len() {
                self.conclude();
                continue;
            }
            let answer = if self.asked.is_some() { self.walk.step(budget) } else { self.ask() };
            if let Some(value) = answer {
                self.absorb(value);
            }
            if budget.is_spent() && !(self.valued == self.order.len() && self.is_last()) {
                return Status::Running;
            }
        }
        Status::Done
    }

    /// Asks for the value of the next move: of the first exactly, of the others first of all whether they are as good as the best.
    fn ask(&mut self) -> Option<i32> {
        let scouting = self.valued > 0;
        self.ask_within(scouting)
    }

    fn ask_within(&mut self, scouting: bool) -> Option<i32> {
        self.asked = Some(scouting);
        // As good as the best has to be exact, too: such moves are equally good.
        let window =
            (if self.valued > 0 { self.best - 1 } else { -ABOVE_ALL }, if scouting { self.best } else { ABOVE_ALL });
        let RootMove { mv, child, turns, .. } = &self.moves[self.order[self.valued]];
        self.walk.ask((&self.pos, *mv), child, self.depth - 1, after(*turns, window))
    }

    /// Takes in the answer.
    fn absorb(&mut self, value: i32) {
        let root_move = &mut self.moves[self.order[self.valued]];
        let value = before(root_move.turns, value);
        if self.asked.take() == Some(true) && value >= self.best {
            // Answered only that it is no less.
            if let Some(value) = self.ask_within(false) {
                self.absorb(value);
            }
            return;
        }
        root_move.value = value;
        self.best = self.best.max(value);
        self.valued += 1;
    }

    /// Whether the iteration is the last: it is as deep as was asked for, or no deeper one can change what it finds.
    fn is_last(&self) -> bool {
        u32::from(self.depth) >= self.aim.depth || self.is_decided()
    }

    /// Whether the game is won or lost within the depth, whatever the other side does.
    fn is_decided(&self) -> bool {
        match Value::from(self.best) {
            Value::Evaluated(_) => false,
            Value::Wins(plies) | Value::Loses(plies) => plies <= self.depth.into(),
        }
    }

    /// Writes the finished iteration into the report, and begins the next one if there is one.
    fn conclude(&mut self) {
        let best: Vec<usize> = (0..self.moves.len()).filter(|&index| self.moves[index].value == self.best).collect();
        let shown = if self.aim.ties == Ties::First { &best[..best.len().min(1)] } else { &best[..] };
        let solved = self.is_decided();
        let lines = shown.iter().map(|&index| self.line(index, solved)).collect();
        self.report = Report { depth: self.depth.into(), nodes: self.walk.nodes, games: 0, solved, lines };
        self.done = self.is_last();
        if self.done {
            return;
        }
        let moves = &self.moves;
        self.order.sort_by_key(|&index| -moves[index].value);
        self.depth += 1;
        (self.valued, self.best) = (0, -ABOVE_ALL);
    }

    /// What there is to say of a move that is worth as much as the best.
    fn line(&mut self, index: usize, solved: bool) -> Line {
        let weighed = match Value::from(self.best) {
            Value::Evaluated(value) => Weighed::Value(self.walk.judge.thousandths(value)),
            Value::Wins(plies) => Weighed::Wins(plies),
            Value::Loses(plies) => Weighed::Loses(plies),
        };
        let margin = match weighed {
            Weighed::Value(thousandths) => (thousandths / 1000) as i32,
            Weighed::Wins(_) => i16::MAX.into(),
            Weighed::Loses(_) => i16::MIN.into(),
        };
        let mv = self.moves[index].mv;
        let pv = self.walk.line(&self.pos, mv, self.depth);
        Line { mv, margin, depth: self.depth.into(), solved, pv, tried: None, weighed: Some(weighed) }
    }

    /// What is known so far: the last completed depth with its best move, or with all best moves if ties are drawn.
    pub fn report(&self) -> Report {
        Report { nodes: self.walk.nodes, ..self.report.clone() }
    }

    /// The best move so far; `None` if the game is over. Where an iteration was cut short, the best of those it came to, which begin
    /// with the best of the one before.
    pub fn best_move(&self) -> Option<Move> {
        let valued = if self.done || self.valued == 0 { None } else { Some(&self.order[..self.valued]) };
        if let Some(valued) = valued {
            let best = valued.iter().filter(|&&index| self.moves[index].value == self.best).min();
            return best.map(|&index| self.moves[index].mv);
        }
        if self.report.lines.is_empty() {
            return self.order.first().map(|&index| self.moves[index].mv);
        }
        match self.aim.ties {
            Ties::First => self.report.best(),
            Ties::Random => {
                let nth = rng::keyed(&[self.aim.seed]).random_range(0..self.report.lines.len());
                Some(self.report.lines[nth].mv)
            }
        }
    }

    /// What the best move is worth to the side to move, once there is one.
    pub fn worth(&self) -> Option<Value> {
        (self.best > -ABOVE_ALL).then(|| Value::from(self.best))
    }

    pub fn table(&self) -> &Table<G, i32> {
        &self.walk.table
    }

    /// The table, for the next search.
    pub fn into_table(self) -> Table<G, i32> {
        self.walk.table
    }
}
