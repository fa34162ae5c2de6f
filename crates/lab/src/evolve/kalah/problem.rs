//! Fitness by playing: each program plays every opponent twice, moving first and second.
//!
//! Opponents are deterministic, so all games against one of them from one side are walks in a graph (`graph`). Its nodes are
//! the positions with the program to move; an edge is the program's move and all replies up to the next such position. The
//! graph grows at the first visit of an edge; every later visit costs one table look-up per move. Programs play in rounds: they
//! walk as far as the graph reaches (`walks`, in parallel, without writing), then the missing edges are computed (`replies`, in
//! parallel, each once) and inserted (sequentially).
//!
//! Champions, opponents from the previous generation, begin with empty graphs when they change.
//!
//! Graphs grow from generation to generation. Once they exceed the setting `memory`, the next generation begins with empty ones;
//! results do not depend on that.
//!
//! The number of programs in progress is limited, which bounds the work between two rounds and the memory of compiled programs.

use mancalab_base::{Error, bail};
use std::sync::Arc;

use super::rivals::rivals;
use super::settings::Settings;
use super::walks::{Batch, Evaluation, Walks};
use crate::budget::{Budget, Status};
use crate::evolve::fitness_command::CommandEvaluation;
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::gp::{EvolutionView, Genome, Memo, Outcome, Problem};
use crate::evolve::opponent;
use crate::evolve::problems::Snapshot;
use crate::game::of_pits;
use crate::job::View;
use crate::job::measured::Measurement;
use crate::pool::Pool;
use crate::program::kalah::{BowlLanguage as _, KalahLanguage, ProgramGame, grammar as grammar_of};
use crate::program::{Grammar, Tree, simplified};

/// Evolution of programs that play Kalah or another game of pits.
pub struct KalahProblem {
    settings: Settings,
    evaluation: Box<dyn Evaluation>,
    /// For a fitness that is a command.
    command: Option<CommandEvaluation>,
}

/// Returns the evaluation in a game that starts with this position, with this many bytes for the graphs.
fn evaluation<G: ProgramGame>(start: G, settings: &Settings, memory: usize) -> Box<dyn Evaluation> {
    let how = (settings.fitness.clone(), settings.reading, settings.needs_cases());
    Box::new(Walks::new(start, rivals(settings, &[]), how, memory, settings.tableau.seed))
}

/// Returns the grammar with the constants of a game, the numbers of its bowls.
fn grammar<G: ProgramGame>(grammar: Grammar<KalahLanguage>) -> Grammar<KalahLanguage> {
    grammar.with_constants_of::<G::Language>()
}

/// Returns the simplified program of a game in short form, and its number of nodes.
fn simplified_in<G: ProgramGame>(program: &Genome<KalahLanguage>) -> (String, usize) {
    let simple = simplified(&*G::Language::own(program.first()));
    (simple.to_sexpr(), simple.size())
}

impl KalahProblem {
    fn with_memory(settings: &Settings, memory: usize) -> Result<KalahProblem, Error> {
        if settings.opponents.is_empty() {
            bail!("opponents must contain at least one, such as minimax:8");
        }
        settings.check_opponents()?;
        let start = settings.variant().start();
        let evaluation = of_pits!(Pits => Pits::try_from(start).ok().map(|start| evaluation(start, settings, memory)));
        // The setting accepts games of pits only.
        let evaluation = evaluation.ok_or_else(|| format!("programs do not play {}", settings.variant()))?;
        let command = settings.fitness.command().map(|command| CommandEvaluation::new(command, &settings.command));
        Ok(KalahProblem { settings: settings.clone(), evaluation, command })
    }
}

impl Problem for KalahProblem {
    type Language = KalahLanguage;
    type Settings = Settings;
    type Batch = Batch;

    const KIND: &'static str = "gp";

    fn new(settings: &Settings) -> Result<KalahProblem, Error> {
        KalahProblem::with_memory(settings, (settings.memory as usize) << 20)
    }

    fn unread(preset: &str, seed: u64, generations: u64) -> Settings {
        let mut settings = Settings { preset: preset.to_owned(), ..Settings::default() };
        (settings.tableau.seed, settings.tableau.generations) = (seed, generations);
        settings
    }

    fn grammars(settings: &Settings) -> Result<Vec<Grammar<KalahLanguage>>, Error> {
        let whole = grammar_of(&settings.tableau.functions)?;
        let start = settings.variant().start();
        let own = of_pits!(Pits => Pits::try_from(start).ok().map(|_| grammar::<Pits>(whole.clone())));
        Ok(vec![own.unwrap_or(whole)])
    }

    /// The champions change.
    fn changes(&self) -> bool {
        self.champions_wanted() > 0
    }

    /// The champions grow stronger.
    fn is_relative(&self) -> bool {
        self.champions_wanted() > 0
    }

    fn champions_wanted(&self) -> usize {
        opponent::champions(&self.settings.opponents)
    }

    fn meet(&mut self, champions: Vec<Arc<Genome<KalahLanguage>>>) {
        if self.champions_wanted() > 0 {
            self.evaluation.meet(rivals(&self.settings, &champions));
        }
    }

    fn begin(&mut self, programs: Vec<Arc<Genome<KalahLanguage>>>, _: u64) -> Batch {
        self.evaluation.begin();
        Batch::new(programs, self.command.is_some())
    }

    fn advance(&mut self, batch: &mut Batch, pool: &Pool, budget: Budget) -> Status {
        match (self.evaluation.advance(batch, pool, budget), &mut self.command) {
            (Status::Done, Some(command)) => batch.advance(command, budget),
            (status, _) => status,
        }
    }

    fn failure(&mut self) -> Option<Error> {
        self.command.as_mut()?.failure()
    }

    fn evaluated(batch: &Batch) -> usize {
        batch.evaluated()
    }

    /// The seeds against each opponent in each seat.
    fn cases(batch: &mut Batch) -> Vec<Arc<[f64]>> {
        batch.take_cases()
    }

    fn finish(batch: Batch) -> Vec<Outcome> {
        batch.outcomes()
    }

    fn memo(&self) -> Memo {
        self.evaluation.memo()
    }

    /// The format of `program:FILE`.
    fn text(_: &Settings, program: &Genome<KalahLanguage>) -> String {
        program.first().to_notation()
    }

    fn read(_: &Settings, text: &str) -> Result<Genome<KalahLanguage>, Error> {
        Ok(Tree::parse(text)?.into())
    }

    fn simplified(settings: &Settings, program: &Genome<KalahLanguage>) -> (String, usize) {
        let start = settings.variant().start();
        let simple = of_pits!(Pits => Pits::try_from(start).ok().map(|_| simplified_in::<Pits>(program)));
        simple.unwrap_or_default()
    }

    fn measurement(settings: &Settings) -> Result<Option<Box<dyn Measurement>>, Error> {
        settings.panel.of_programs::<Self>(settings)
    }

    fn to_view(view: EvolutionView<Self>) -> View {
        View::new(Snapshot::new(view))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::kalah::random_program;
    use crate::settings::KeyedSettings;

    #[test]
    fn memory_bounds_the_graphs_and_changes_no_outcome() {
        let mut settings = Settings::preset("mancala-gp-broad").unwrap();
        settings.set("opponents", "[\"minimax:3\", \"max\"]").unwrap();
        let outcomes = |memory: usize| {
            let mut problem = KalahProblem::with_memory(&settings, memory).unwrap();
            let mut largest = 0;
            let generation = |number: u64| {
                let programs = (0..30).map(|one| Arc::new(Genome::from(random_program(number, one)))).collect();
                let mut batch = problem.begin(programs, number);
                let begun = problem.evaluation.bytes();
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
