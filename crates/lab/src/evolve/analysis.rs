//! What a program does against its opponents: which nodes it comes by and what it reads there, what each node is worth, and a shorter
//! program that plays the same games.
//!
//! A node's worth is what the program loses without it: its fitness less that of the best program in which the node's subtree is
//! replaced by one of its arguments or by a constant. A replacement after which all games against the opponents are the same, move by
//! move, simplifies the program; simplification repeats the one that removes most until there is none.

use mancalab_base::{Error, bail};
use std::sync::Arc;
use std::time::Duration;

use super::gp::{Genome, Outcome, Problem, problem::Settings as _};
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

/// Analyses a program. `goes_on` is called many times a second with a share from 0 to 1; false stops it, and returns `None`.
///
/// # Errors
/// The program is too large, or its opponents change from generation to generation.
pub(super) fn analyse<P: Inspect>(
    settings: &P::Settings,
    program: &Arc<Genome<P::Language>>,
    pool: &Pool,
    goes_on: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<Analysis>, Error> {
    if program.size() > MOST_NODES {
        bail!("a program of at most {MOST_NODES} nodes can be analysed (got {})", program.size());
    }
    let mut problem = P::new(settings)?;
    if problem.champions_wanted() > 0 {
        bail!("the opponents are champions of each generation, so that there is no game to analyse; choose others");
    }
    let mut evaluation = Evaluation::<P> { problem: &mut problem, pool, parsimony: settings.tableau().parsimony };
    let Some(own) = evaluation.outcomes(vec![Arc::clone(program)], |_| goes_on(0.0))? else { return Ok(None) };
    let own = own[0];
    let mut replacements = replacements(program);
    let Some(found) = evaluation.of(&replacements, |share| goes_on(0.5 * share))? else { return Ok(None) };
    let worth = worths(program, &replacements, &found, &own);
    let trace = P::trace(settings, program)?;
    let mut found = found;
    let mut simple = Arc::clone(program);
    let mut simplification = Vec::new();
    while let Some(best) = best_step(&simple, &replacements, &found, &own) {
        let Replacement { tree, node, to, genome } = replacements.swap_remove(best);
        let from = subtree(&simple.trees()[tree], node).to_sexpr();
        simplification.push(Step { from, to: to.to_sexpr(), nodes: genome.size() });
        simple = genome;
        replacements = self::replacements(&simple);
        let left = simple.size() as f64 / program.size() as f64;
        let Some(next) = evaluation.of(&replacements, |_| goes_on(1.0 - 0.5 * left))? else { return Ok(None) };
        found = next;
    }
    let simplified = (P::text(settings, &simple), simple.size());
    let scores = own.scores.to_vec();
    Ok(Some(Analysis { fitness: own.fitness, scores, worth, trace, simplification, simplified }))
}

/// The evaluation of changed programs in the games of the original.
struct Evaluation<'a, P: Problem> {
    problem: &'a mut P,
    pool: &'a Pool,
    parsimony: f64,
}

impl<P: Problem> Evaluation<'_, P> {
    fn of(
        &mut self,
        replacements: &[Replacement<P::Language>],
        goes_on: impl FnMut(f64) -> bool,
    ) -> Result<Option<Vec<Outcome>>, Error> {
        self.outcomes(replacements.iter().map(|one| Arc::clone(&one.genome)).collect(), goes_on)
    }

    /// Returns the outcomes of programs; `None` if stopped.
    ///
    /// # Errors
    /// They cannot be evaluated: why.
    fn outcomes(
        &mut self,
        programs: Vec<Arc<Genome<P::Language>>>,
        mut goes_on: impl FnMut(f64) -> bool,
    ) -> Result<Option<Vec<Outcome>>, Error> {
        const STEP: Duration = Duration::from_millis(50);
        let sizes: Vec<usize> = programs.iter().map(|program| program.size()).collect();
        let mut batch = self.problem.begin(programs, 0);
        let mut status = Status::Running;
        while status == Status::Running {
            if !goes_on(P::evaluated(&batch) as f64 / sizes.len().max(1) as f64) {
                return Ok(None);
            }
            status = self.problem.advance(&mut batch, self.pool, Budget::time(STEP));
            if let Some(error) = self.problem.failure() {
                return Err(error);
            }
        }
        let priced = |(outcome, size): (Outcome, usize)| {
            let fitness = (outcome.fitness - self.parsimony * size as f64).max(0.0);
            Outcome { fitness, ..outcome }
        };
        Ok(Some(P::finish(batch).into_iter().zip(sizes).map(priced).collect()))
    }
}

/// Returns a subtree as a program.
fn subtree<L: Language>(tree: &Tree<L>, node: usize) -> Tree<L> {
    Tree::new(tree.nodes()[node..tree.end(node)].to_vec()).expect("a subtree is a program")
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
            for to in constant.into_iter().chain(args.into_iter().map(|arg| subtree(tree, arg))) {
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
    use super::*;
    use crate::evolve::kalah::{KalahProblem, Settings};
    use crate::settings::KeyedSettings as _;

    fn analysed(text: &str) -> Analysis {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:2").unwrap();
        let program = Arc::new(KalahProblem::read(&settings, text).unwrap());
        analyse::<KalahProblem>(&settings, &program, &Pool::alone(), &mut |_| true).unwrap().unwrap()
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
    fn it_can_be_stopped() {
        let mut settings = Settings::preset("mancala-gp-1").unwrap();
        settings.set("opponents", "minimax:6").unwrap();
        let program = Arc::new(KalahProblem::read(&settings, "(+ (@ 3) 2)").unwrap());
        assert_eq!(analyse::<KalahProblem>(&settings, &program, &Pool::alone(), &mut |_| false), Ok(None));
    }
}
