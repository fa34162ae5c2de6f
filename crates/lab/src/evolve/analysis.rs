//! What a program does against its opponents: which nodes it comes by and what it reads there, what each node is worth, and a shorter
//! program that plays the same games.
//!
//! A node's worth is what the program loses without it: its fitness less that of the best program in which the node's subtree is
//! replaced by one of its arguments or by a constant. A replacement after which all games against the opponents are the same, move by
//! move, simplifies the program; simplification repeats the one that removes most until there is none.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use super::gp::{Genome, Outcome, problem::Settings as _};
use super::inspect::Inspect;
use crate::budget::{Budget, Status};
use crate::pool::Pool;
use crate::program::language::{Language, Node};
use crate::program::tree::Tree;

/// The analysis of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    pub fitness: f64,
    /// The measured scores, in the order of the problem's.
    pub scores: Vec<f64>,
    /// The worth of each node, tree by tree in prefix order, in points of fitness.
    pub worth: Vec<Vec<Worth>>,
    /// What it reads; `None` for problems whose programs are run in searches.
    pub trace: Option<Trace>,
    pub simplification: Vec<Step>,
    /// The simplified program in the form of its player's files, and its number of nodes.
    pub simplified: (String, usize),
}

/// What a program loses without a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// In points of fitness; below 0 if the program is better without it.
    pub points: f64,
    /// Whether some replacement leaves all games as they are.
    pub is_idle: bool,
}

/// What a program reads in its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// Its moves in all games.
    pub moves: u64,
    /// For each node of the first tree, the moves in which the program's value came from it.
    pub taken: Vec<u64>,
    /// For each pit and store as the program counts them, the moves in which its value came from the seeds there.
    pub reads: Vec<u64>,
    /// For each pit of its side in sowing order, how often it sowed it.
    pub sown: Vec<u64>,
}

/// A replacement that leaves all games as they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The subtree and what replaced it, in short form.
    pub from: String,
    pub to: String,
    /// Nodes of the program after it.
    pub nodes: usize,
}

/// A program with a subtree replaced.
struct Replacement<L: Language> {
    tree: usize,
    node: usize,
    to: Tree<L>,
    genome: Arc<Genome<L>>,
}

/// Maximum number of nodes of a program to be analysed.
const MOST_NODES: usize = 5000;

/// An analysis that is computed in steps.
pub trait Analyser: Send {
    /// Works until the budget is spent or the analysis is complete.
    ///
    /// # Errors
    /// The programs cannot be evaluated: why.
    fn step(&mut self, pool: &Pool, budget: Budget) -> Result<Option<Analysis>, Error>;

    /// Returns how much of it is done, from 0 to 1.
    fn share(&self) -> f64;
}

/// Games of a program, played in steps, of which is noted what it reads.
pub trait Tracer: Send {
    /// Plays until the budget is spent; returns the trace when all games are over.
    ///
    /// # Errors
    /// An opponent cannot be built.
    fn step(&mut self, budget: Budget) -> Result<Option<Trace>, Error>;
}

/// Returns the analysis of a program, to be computed.
///
/// # Errors
/// The program is too large, or its opponents change from generation to generation.
pub(super) fn analyser<P: Inspect>(
    settings: &Arc<P::Settings>,
    program: &Arc<Genome<P::Language>>,
) -> Result<Box<dyn Analyser>, Error> {
    if program.size() > MOST_NODES {
        bail!("a program of at most {MOST_NODES} nodes can be analysed (got {})", program.size());
    }
    let problem = P::new(settings)?;
    if problem.champions_wanted() > 0 {
        bail!("the opponents are champions of each generation, so that there is no game to analyse; choose others");
    }
    let tracer = P::tracer(settings, program);
    let replacements = replacements(program);
    Ok(Box::new(Ablation::<P> {
        settings: Arc::clone(settings),
        program: Arc::clone(program),
        problem,
        batch: None,
        own: None,
        replacements,
        worth: None,
        tracer,
        trace: None,
        simple: Arc::clone(program),
        simplification: Vec::new(),
    }))
}

/// An [`Analyser`]: evaluates the program, then the program with each replacement, traces its games, and simplifies it step by step.
struct Ablation<P: Inspect> {
    settings: Arc<P::Settings>,
    program: Arc<Genome<P::Language>>,
    problem: P,
    /// Programs in evaluation, with their sizes.
    batch: Option<(P::Batch, Vec<usize>)>,
    own: Option<Outcome>,
    /// Those of the simplified program so far.
    replacements: Vec<Replacement<P::Language>>,
    /// Known after the first round of replacements.
    worth: Option<Vec<Vec<Worth>>>,
    tracer: Option<Box<dyn Tracer>>,
    trace: Option<Trace>,
    simple: Arc<Genome<P::Language>>,
    simplification: Vec<Step>,
}

impl<P: Inspect> Analyser for Ablation<P> {
    fn step(&mut self, pool: &Pool, budget: Budget) -> Result<Option<Analysis>, Error> {
        while !budget.is_spent() {
            if let Some(tracer) = &mut self.tracer {
                self.trace = tracer.step(budget)?;
                if self.trace.is_some() {
                    self.tracer = None;
                }
                continue;
            }
            let Some(outcomes) = self.evaluate(pool, budget)? else { return Ok(None) };
            let Some(own) = self.own else {
                self.own = outcomes.first().copied();
                continue;
            };
            if self.worth.is_none() {
                self.worth = Some(worths(&self.program, &self.replacements, &outcomes, &own));
            }
            match best_step(&self.simple, &self.replacements, &outcomes, &own) {
                Some(best) => self.simplify(best),
                None => return Ok(Some(self.complete(&own))),
            }
        }
        Ok(None)
    }

    fn share(&self) -> f64 {
        let done = self.batch.as_ref().map_or(0.0, |(batch, sizes)| P::evaluated(batch) as f64 / sizes.len() as f64);
        match (&self.own, &self.worth) {
            (None, _) => 0.0,
            (_, None) => 0.5 * done,
            _ => 1.0 - 0.5 * self.simple.size() as f64 / self.program.size() as f64,
        }
    }
}

impl<P: Inspect> Ablation<P> {
    /// Evaluates the program itself, or all replacements; returns the outcomes once all are known.
    fn evaluate(&mut self, pool: &Pool, budget: Budget) -> Result<Option<Vec<Outcome>>, Error> {
        let mut begun = self.batch.take().unwrap_or_else(|| self.begin());
        let status = self.problem.advance(&mut begun.0, pool, budget);
        if let Some(error) = self.problem.failure() {
            return Err(error);
        }
        if status == Status::Running {
            self.batch = Some(begun);
            return Ok(None);
        }
        let (batch, sizes) = begun;
        let parsimony = self.settings.tableau().parsimony;
        let priced = |(outcome, size): (Outcome, usize)| {
            let fitness = (outcome.fitness - parsimony * size as f64).max(0.0);
            Outcome { fitness, ..outcome }
        };
        Ok(Some(P::finish(batch).into_iter().zip(sizes).map(priced).collect()))
    }

    fn begin(&mut self) -> (P::Batch, Vec<usize>) {
        let programs = match self.own {
            None => vec![Arc::clone(&self.program)],
            Some(_) => self.replacements.iter().map(|one| Arc::clone(&one.genome)).collect(),
        };
        let sizes = programs.iter().map(|program| program.size()).collect();
        (self.problem.begin(programs, 0), sizes)
    }

    /// Makes a replacement.
    fn simplify(&mut self, best: usize) {
        let Replacement { tree, node, to, genome } = self.replacements.swap_remove(best);
        let from = self.simple.trees()[tree].subtree(node).to_sexpr();
        self.simplification.push(Step { from, to: to.to_sexpr(), nodes: genome.size() });
        self.replacements = replacements(&genome);
        self.simple = genome;
    }

    fn complete(&mut self, own: &Outcome) -> Analysis {
        Analysis {
            fitness: own.fitness,
            scores: own.scores.to_vec(),
            worth: self.worth.take().unwrap_or_default(),
            trace: self.trace.take(),
            simplification: std::mem::take(&mut self.simplification),
            simplified: (P::text(&self.settings, &self.simple), self.simple.size()),
        }
    }
}

/// Returns the program with each node's subtree replaced by one of its arguments, by 0, or by 1 where it is 0.
fn replacements<L: Language>(program: &Genome<L>) -> Vec<Replacement<L>> {
    let zero = L::parse_constant("0");
    let one = L::parse_constant("1");
    let mut all = Vec::new();
    for (number, tree) in program.trees().iter().enumerate() {
        for (node, args) in tree.children().into_iter().enumerate() {
            let is_zero = matches!((tree.nodes()[node], zero), (Node::Constant(own), Some(zero)) if own == zero);
            let constant = if is_zero { one } else { zero };
            let constant = constant.and_then(|constant| Tree::new(vec![Node::Constant(constant)]));
            for to in constant.into_iter().chain(args.into_iter().map(|arg| tree.subtree(arg))) {
                let genome = Arc::new(program.with(number, tree.spliced(node, &to, 0)));
                all.push(Replacement { tree: number, node, to, genome });
            }
        }
    }
    all
}

fn worths<L: Language>(
    program: &Genome<L>,
    replacements: &[Replacement<L>],
    found: &[Outcome],
    own: &Outcome,
) -> Vec<Vec<Worth>> {
    let unknown = Worth { points: f64::INFINITY, is_idle: false };
    let mut worth: Vec<Vec<Worth>> = program.trees().iter().map(|tree| vec![unknown; tree.size()]).collect();
    for (Replacement { tree, node, .. }, outcome) in replacements.iter().zip(found) {
        let worth = &mut worth[*tree][*node];
        worth.points = worth.points.min(own.fitness - outcome.fitness);
        worth.is_idle |= outcome.behaviour == own.behaviour;
    }
    worth
}

/// Returns the replacement that removes most nodes, at least one, and leaves all games as they are.
fn best_step<L: Language>(
    program: &Genome<L>,
    replacements: &[Replacement<L>],
    found: &[Outcome],
    own: &Outcome,
) -> Option<usize> {
    let same = found.iter().enumerate().filter(|(_, outcome)| outcome.behaviour == own.behaviour);
    let sizes = same.map(|(index, _)| (replacements[index].genome.size(), index));
    sizes.min().filter(|(size, _)| *size < program.size()).map(|(_, index)| index)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::gp::Problem as _;
    use super::*;
    use crate::evolve::kalah::{KalahProblem, Settings};
    use crate::settings::KeyedSettings as _;

    fn analysed(text: &str) -> Analysis {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:2").unwrap();
        let program = Arc::new(KalahProblem::read(&settings, text).unwrap());
        let mut analyser = analyser::<KalahProblem>(&Arc::new(settings), &program).unwrap();
        analyser.step(&Pool::alone(), Budget::UNLIMITED).unwrap().unwrap()
    }

    #[test]
    fn whatever_changes_no_game_goes() {
        // No pit has fewer seeds than none, and 14 is the pit with number 0.
        let analysis = analysed("(if< (@ 3) 0 (+ (@ 1) 5) (+ (@ 14) (* 1 (@ 2))))");
        let last = analysis.simplification.last().unwrap();
        assert_eq!(last.nodes, analysis.simplified.1);
        assert!(last.nodes <= 5, "{analysis:?}");
        let again = analysed(&analysis.simplified.0);
        assert_eq!(again.fitness, analysis.fitness);
        assert_eq!(again.scores, analysis.scores);
        assert_eq!(again.simplification, Vec::new());
        // Of the branch that is never taken every node is idle.
        assert!(analysis.worth[0][4..8].iter().all(|worth| worth.is_idle && worth.points == 0.0), "{analysis:?}");
    }

    #[test]
    fn a_node_is_worth_what_is_lost_without_it() {
        let analysis = analysed("(+ (@ 3) 2)");
        let without: Vec<f64> = ["(@ 3)", "2", "0"].map(|text| analysed(text).fitness).to_vec();
        let best = without.iter().copied().fold(f64::MIN, f64::max);
        assert_eq!(analysis.worth[0][0].points, analysis.fitness - best);
        let lone = analysed("2");
        assert_eq!(lone.worth[0].len(), 1);
        assert_eq!(lone.worth[0][0].points, lone.fitness - analysed("0").fitness);
    }

    #[test]
    fn small_steps_give_the_same() {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:2").unwrap();
        let text = "(if< (@ 3) 0 (+ (@ 1) 5) (+ (@ 14) (* 1 (@ 2))))";
        let program = Arc::new(KalahProblem::read(&settings, text).unwrap());
        let mut analyser = analyser::<KalahProblem>(&Arc::new(settings), &program).unwrap();
        let mut before = 0.0;
        let analysis = loop {
            if let Some(analysis) = analyser.step(&Pool::alone(), Budget::time(Duration::from_micros(200))).unwrap() {
                break analysis;
            }
            assert!((before..=1.0).contains(&analyser.share()), "{before} {}", analyser.share());
            before = analyser.share();
        };
        assert_eq!(analysis, analysed(text));
    }
}
